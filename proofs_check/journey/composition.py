"""Proofs of `theory.journey.composition`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import sympy
from flint import fmpq_mat
from sympy import cos, pi, sin

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.algebra import free_polynomial
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import (
    Eq,
    Int,
    Le,
    Lt,
    Node,
    num,
    operator,
    substitute,
    total,
    unit,
    variable,
)
from posproof.proofs_check.search import Listed, prove_free, prove_identity, prove_order
from posproof.theory.journey import composition as theory
from posproof.theory.journey.composition import (
    AFFINE_COMPOSITION,
    INTERCHANGE,
    SCAN,
    Affine,
    Grid,
    Pair,
    Scan,
)
from posproof.theory.operators import UNIT
from posproof.theory.vocabulary import Prop, control, proves

node = T.node
nothing = unit - unit


# ---------------------------------------------------------------------- controls
SHEAR, SWAP = fmpq_mat(2, 2, [1, 1, 0, 1]), fmpq_mat(2, 2, [0, 1, 1, 0])
ONE, NONE = fmpq_mat(2, 2, [1, 0, 0, 1]), fmpq_mat(2, 2)


def _plus_for_minus(operator: Any, v: Any) -> Any:
    return (operator + UNIT) @ v


def _subtracted(operator: Any, v: Any, s: Any) -> Any:
    return operator @ s - v


def _input_first(operator: Any, v: Any, s: Any) -> Any:
    """The input is added before the operator is applied."""
    return operator @ (s + v)


def _commuting_only(first: Any, second: Any, other: Any, mine: Any) -> Prop:
    """No condition on the inputs."""
    return theory.Eq(theory.ZERO, theory.ZERO)


# ---------------------------------------------------------------------- journey.affine_composition
@control("plus_for_minus", difference_form=_plus_for_minus)
@control("input_subtracted", moved=_subtracted)
@proves(AFFINE_COMPOSITION, "commutator")
def commutator(of: Affine) -> Theorem:
    """Both sides expand to the same six words."""
    return prove_free(T.opened(theory.commutator(of))[1])


@control(
    "linear_parts_alone",
    {"Ta": ONE, "Tb": SHEAR, "va": ONE, "vb": NONE, "s": NONE},
    closed=_commuting_only,
)
@proves(AFFINE_COMPOSITION, "commute_iff")
def commute_iff(of: Affine) -> Theorem:
    """Equality at s = 0 and at s = 1 is all there is."""
    claim = T.opened(theory.commute_iff(of))[1]
    always, conditions = claim.args
    commuting, closed = conditions.args
    origin, one = (T.at(always, value) for value in (nothing, unit))
    turned = T.combined(commuting, (1, unit, one, unit), (-1, unit, origin, unit))
    forward = T.both(turned, T.follows(closed, origin))
    goal = always.args[1]
    backward = T.unpack(T.generalise(prove_free(goal, conditions.args), theory.s), conditions)
    return T.iff(always, conditions, forward, backward)


@control("plus_for_minus", difference_form=_plus_for_minus)
@proves(AFFINE_COMPOSITION, "coboundary")
def coboundary(of: Affine) -> Theorem:
    """T_a (-u) + (T_a - 1) u = -u; the two products of T_a - 1 and T_b - 1 agree."""
    fixed, closed = T.opened(theory.coboundary(of))[1].args
    holds = prove_free(closed.args[1], [closed.args[0]])
    return T.both(prove_free(fixed), T.implication(holds, closed.args[0]))


def _walk(statement: Any, sides: Callable[[Any], Node]) -> Theorem:
    """A state along n steps by induction over the steps."""
    (first, onwards, start, moves), _ = T.opened(statement)
    r = variable("r", Int(0))
    origin = T.discharge(prove_free(sides(num(0)), [first, start]))

    def step(inside: Theorem) -> Theorem:
        product = kernel.modus(T.at(onwards, r), inside)
        moved = kernel.modus(T.at(moves, r), inside)
        return T.follows(sides(r + 1), moved, product, kernel.assume(sides(r)))

    return T.up_to(theory.n, sides(r), r, origin, step)


ONE_STEP = {
    "n": 1,
    "a": 0,
    "u": ONE,
    "T": Listed(SHEAR),
    "J": Listed(ONE, SHEAR),
    "s": Listed(NONE, SHEAR + ONE),
}


@control("plus_for_minus", ONE_STEP, difference_form=_plus_for_minus)
@proves(AFFINE_COMPOSITION, "path_state")
def path_state(of: Affine) -> Theorem:
    """One more step: T (J u - u) + (T - 1) u = T J u - u."""
    statement = theory.path_state(of)
    goal = T.opened(statement)[1]
    return _walk(statement, lambda t: T.instance(goal, theory.n, t))


DOUBLING = {
    "n": 1,
    "i": 0,
    "X": ONE,
    "T": Listed(2 * ONE),
    "L": Listed(ONE),
    "v": Listed(SHEAR),
}


@control("plus_for_minus", DOUBLING, difference_form=_plus_for_minus)
@proves(AFFINE_COMPOSITION, "only_coboundaries")
def only_coboundaries(of: Affine) -> Theorem:
    """X commutes with every T_a, and (T_a - 1) sum L_c v_c = (sum L_c (T_c - 1)) v_a."""
    (operators, weights, closed, left, right), goal = T.opened(theory.only_coboundaries(of))
    i, c, n = node(theory.i), node(theory.c), node(theory.n)
    mine, here, X = operator("T", i), operator("T", c), node(theory.X)
    weight, value = operator("L", c), operator("v", c)
    whole = left.args[0].args[1]
    commute = [T.at(operators, i, c), T.at(weights, i, c)]

    term = weight @ (here - unit)
    moved = T.follows(Eq(mine @ term, term @ mine), *commute)
    moved = kernel.sum_congruence(moved, c, n)
    across = T.follows(Eq(mine @ whole, whole @ mine), moved)
    inverse, other = kernel.assume(left), kernel.assume(right)
    past = T.combined(
        Eq(mine @ X, X @ mine),
        (-1, unit, inverse, mine @ X),
        (-1, X, across, X),
        (1, X @ mine, other, unit),
    )
    swapped = T.follows(
        Eq((mine - unit) @ (weight @ value), weight @ ((here - unit) @ operator("v", i))),
        commute[1],
        T.at(closed, i, c),
    )
    swapped = kernel.sum_congruence(swapped, c, n)
    origin = total(c, n, weight @ value)
    inputs = T.follows(Eq((mine - unit) @ origin, whole @ operator("v", i)), swapped)
    return T.combined(
        goal,
        (-1, unit, past, origin),
        (-1, X, inputs, unit),
        (-1, unit, inverse, operator("v", i)),
    )


def _reflection(phi: Any) -> sympy.ImmutableMatrix:
    return sympy.ImmutableMatrix([[cos(phi), sin(phi)], [sin(phi), -cos(phi)]])


MIRRORED = {"alpha": pi, "beta": pi} | dict.fromkeys(("v1", "v2", "w1", "u1"), 0)


@control("reflection_for_rotation", {**MIRRORED, "w2": 1, "u2": 1}, rotation=_reflection)
@proves(AFFINE_COMPOSITION, "one_plane")
def one_plane(of: Affine) -> Theorem:
    """det (R - I) = 2 (1 - cos alpha) is not 0, so u is the only solution."""
    first, second = theory.one_plane(of).parts
    turns, exists = first.body.premise, first.body.conclusion
    cosine, sine = node(cos(theory.alpha)), node(sin(theory.alpha))
    v1, v2 = node(theory.v1), node(theory.v2)
    below = num(-2) * (cosine - 1)
    u1 = ((cosine - 1) * v1 + sine * v2) / below
    u2 = ((cosine - 1) * v2 - sine * v1) / below
    inner = T.body_of(T.body_of(exists, u1), u2)
    found = prove_identity(inner, [turns])
    found = kernel.witness(T.body_of(exists, u1), u2, found)
    found = kernel.witness(node(exists), u1, found)
    found = T.generalise(T.implication(found, turns), theory.alpha, theory.v1, theory.v2)
    facts, goal = T.opened(second)
    same = prove_identity(goal, facts)
    premise = second.body.premise
    names = second.variables
    return T.both(found, T.generalise(T.implication(T.unpack(same, premise), premise), *names))


@control("without_the_fixed_vectors", dimension=lambda d, f, n: d - f + f)
@control("twice_the_operators", dimension=lambda d, f, n: 2 * (d - f) + n * f)
@proves(AFFINE_COMPOSITION, "dimensions", "six families of operators, d up to 6")
def dimensions(of: Affine) -> Theorem:
    """A basis N of the kernel with a left inverse L: M N = 0, L N = 1 and N L + W M = 1."""
    return kernel.ground(node(theory.dimensions(of)))


@control("equal_operators", rotation=lambda phi: theory.rotation(pi / 2))
@proves(AFFINE_COMPOSITION, "six_states", "angles 0.7 and 1.1")
def six_states(of: Affine) -> Theorem:
    """Balls keep the fifteen distances away from 0."""
    return kernel.ground(node(theory.six_states(of)))


@control("angles_halved", rotation=lambda phi: theory.rotation(phi / 2))
@proves(AFFINE_COMPOSITION, "one_state", "angles pi/2 and -pi/2")
def one_state(of: Affine) -> Theorem:
    """(R - I) e_2 = (R^-1 - I) e_1, so the steps commute as affine maps."""
    return kernel.ground(node(theory.one_state(of)))


LONE_STEP = {
    "n": 1,
    "a": 0,
    "T": Listed(SHEAR),
    "J": Listed(ONE, SHEAR),
    "h": Listed(SWAP),
    "s": Listed(NONE, (SHEAR - ONE) * SWAP),
}


@control("input_subtracted", LONE_STEP, moved=_subtracted)
@proves(AFFINE_COMPOSITION, "field_state")
def field_state(of: Affine) -> Theorem:
    """One more step: T (h(x) - J h(0)) + h(x') - T h(x) = h(x') - T J h(0)."""
    statement = theory.field_state(of)
    goal = T.opened(statement)[1]
    return _walk(statement, lambda t: T.instance(goal, theory.n, t))


STILL = {"w": 0, "h": 0, "Ta": ONE, "Tb": ONE} | dict.fromkeys("ABPQ", Listed(ONE))


@control("input_subtracted", STILL | {"R": Listed(SHEAR), "S": Listed(SHEAR)}, moved=_subtracted)
@proves(AFFINE_COMPOSITION, "potential")
def potential(of: Affine) -> Theorem:
    """The second step is immediate; the first moves up by the square; two steps make a square."""
    (flat, *more), claim = T.opened(theory.potential(of))
    (_, a_next, a_right), (b_zero, b_next, b_right) = more[:3], more[3:]
    commute = kernel.assume(flat)
    squares, steps = claim.args
    w, h, r = node(theory.w), node(theory.h), variable("r", Int(0))
    Ta, Tb = node(theory.Ta), node(theory.Tb)
    across, up = _innermost(steps).args

    def put(equation: Node, x: Node, y: Node) -> Node:
        return substitute(equation, {w: x, h: y})

    def rises(x: Node, y: Node) -> Theorem:
        return T.follows(put(up, x, y), T.at(b_right, y + 1), T.at(b_next, y))

    def reached(x: Node, y: Node) -> Node:
        """h(x, y), read off the step that leads away from it."""
        return put(up.args[1], x, y).args[0].args[1]

    first = [T.at(a_right, w + 1), kernel.assume(b_zero), T.at(a_next, w)]
    start = T.follows(put(across, w, num(0)), *first)
    onwards = T.combined(
        put(across, w, r + 1),
        (1, unit, rises(w + 1, r), unit),
        (1, Tb, kernel.assume(put(across, w, r)), unit),
        (1, unit, T.at(squares, w, r), unit),
        (-1, Ta, rises(w, r), unit),
        (-1, unit, commute, reached(w, r)),
    )
    found = kernel.induct(r, put(across, w, r), start, onwards)
    found = T.both(kernel.specialise(found, {r: h}), rises(w, h))
    forward = T.generalise(found, theory.w, theory.h)

    (along, rise), (_, right), (above, _) = (
        T.parts(T.at(steps, x, y)) for x, y in ((w, h), (w + 1, h), (w, h + 1))
    )
    square = T.combined(
        _innermost(squares),
        (1, unit, above, unit),
        (-1, unit, right, unit),
        (-1, Tb, along, unit),
        (1, Ta, rise, unit),
        (1, unit, commute, reached(w, h)),
    )
    return T.iff(squares, steps, forward, T.generalise(square, theory.w, theory.h))


def _innermost(universal: Node) -> Node:
    while universal.head == "forall":
        universal = universal.args[1]
    return universal


# ---------------------------------------------------------------------- journey.interchange
def _without_operator(v: Any, operator: Any, w: Any) -> Any:
    return v + w


def _values_multiplied(v: Any, operator: Any, w: Any) -> Any:
    return v + operator @ w @ v


def _operator_behind(v: Any, operator: Any, w: Any) -> Any:
    """The operator on the wrong side."""
    return v + w @ operator


@control("operator_on_the_right", beside=_operator_behind)
@control("operator_left_out", beside=_without_operator)
@proves(INTERCHANGE, "interchange")
def interchange(of: Grid) -> Theorem:
    """Six of the eight words cancel."""
    return prove_free(T.opened(theory.interchange(of))[1])


def _equivalent(statement: Any) -> Theorem:
    """Rows first = columns first for all values, iff an equation of operators."""
    always, flat = T.opened(statement)[1].args
    corner = T.at(always, nothing, nothing, nothing, unit)
    forward = (
        T.combined(flat, (1, unit, corner, unit))
        if _same_sign(flat, corner)
        else T.combined(flat, (-1, unit, corner, unit))
    )
    body = _innermost(always)
    names = [theory.vA, theory.vB, theory.vC, theory.vD]
    return T.iff(always, flat, forward, T.generalise(prove_free(body, [flat]), *names))


def _same_sign(left: Node, theorem: Theorem) -> bool:
    """Whether two equations read left - right alike."""
    right = theorem.conclusion
    first, second = (free_polynomial(e.args[0] - e.args[1]) for e in (left, right))
    return first == second


@control("operator_on_the_right", beside=_operator_behind)
@proves(INTERCHANGE, "flat_square")
def flat_square(of: Grid) -> Theorem:
    """Only the value of the last cell meets the defect."""
    return _equivalent(theory.flat_square(of))


@control("values_multiplied", {"Ta": ONE, "Tb": ONE}, beside=_values_multiplied)
@proves(INTERCHANGE, "fixed_operators")
def fixed_operators(of: Grid) -> Theorem:
    """The same with one pair of operators for all cells."""
    return _equivalent(theory.fixed_operators(of))


POWERS_OF_ONE = {"w": 1, "h": 1, "m": 1, "Ta": ONE, "Tb": ONE, "A": Listed(ONE), "B": Listed(ONE)}


def _counted_twice(across: Any, down: Any, v: Any) -> Any:
    return across @ down @ v + v


@control("cell_counted_twice", POWERS_OF_ONE | {"v": Listed(SHEAR)}, cell=_counted_twice)
@proves(INTERCHANGE, "single_cell")
def single_cell(of: Grid) -> Theorem:
    """No operator leads to the first cell."""
    facts, goal = T.opened(theory.single_cell(of))
    premise = theory.single_cell(of).premise
    return T.implication(T.unpack(prove_free(goal, facts), premise), premise)


def _power_commutes(
    step: Node, power: str, other: Node, flat: Theorem, facts: Sequence[Node]
) -> Theorem:
    """An operator that commutes with T commutes with every power of T."""
    r = variable("r", Int(0))

    def claim(n: Any) -> Node:
        return Eq(other @ operator(power, n), operator(power, n) @ other)

    start = T.follows(claim(num(0)), kernel.assume(facts[0]))
    onwards = T.combined(
        claim(r + 1),
        (1, other, T.at(facts[1], r), unit),
        (1, unit, flat, operator(power, r)),
        (1, step, kernel.assume(claim(r)), unit),
        (-1, unit, T.at(facts[1], r), other),
    )
    return kernel.induct(r, claim(r), start, onwards)


def _powers_add(step: Node, power: str, w: Node, facts: Sequence[Node]) -> Theorem:
    """T^(w + r) = T^w T^r for all natural w and r."""
    r = variable("r", Int(0))

    def claim(n: Any) -> Node:
        return Eq(operator(power, w + n), operator(power, w) @ operator(power, n))

    itself = prove_free(Eq(step @ step, step @ step))
    past = _power_commutes(step, power, step, itself, facts)
    start = T.follows(claim(num(0)), kernel.assume(facts[0]))
    onwards = T.combined(
        claim(r + 1),
        (1, unit, T.at(facts[1], w + r), unit),
        (1, step, kernel.assume(claim(r)), unit),
        (1, unit, kernel.specialise(past, {r: w}), operator(power, r)),
        (-1, operator(power, w), T.at(facts[1], r), unit),
    )
    return kernel.induct(r, claim(r), start, onwards)


@control("values_multiplied", {"v": Listed(2 * ONE)} | POWERS_OF_ONE, beside=_values_multiplied)
@proves(INTERCHANGE, "side_by_side")
def side_by_side(of: Grid) -> Theorem:
    """By induction on the columns of the right block; T^(w + m) = T^w T^m."""
    facts, goal = T.opened(theory.side_by_side(of))
    r, w, m = variable("r", Int(0)), node(theory.w), node(theory.more)

    def claim(n: Any) -> Node:
        return substitute(goal, {m: n})

    sums = _powers_add(node(theory.Ta), "A", w, facts)
    onwards = T.follows(claim(r + 1), sums, kernel.assume(claim(r)))
    found = kernel.induct(r, claim(r), prove_free(claim(num(0))), onwards)
    return kernel.specialise(found, {r: m})


@control("values_multiplied", {"v": Listed(2 * ONE)} | POWERS_OF_ONE, beside=_values_multiplied)
@proves(INTERCHANGE, "above_another")
def above_another(of: Grid) -> Theorem:
    """By induction on the rows below; the powers of T_2 pass those of T_1."""
    (flat, *powers), goal = T.opened(theory.above_another(of))
    r, m = variable("r", Int(0)), node(theory.more)
    i, h, w = (node(name) for name in (theory.i, theory.h, theory.w))
    Ta, Tb = node(theory.Ta), node(theory.Tb)
    turned = T.follows(Eq(Tb @ Ta, Ta @ Tb), kernel.assume(flat))
    past = _power_commutes(Ta, "A", Tb, turned, powers[:2])  # T_2 T_1^i = T_1^i T_2
    past = kernel.specialise(past, {r: i})
    swapped = T.follows(Eq(operator("A", i) @ Tb, Tb @ operator("A", i)), past)
    past = _power_commutes(Tb, "B", operator("A", i), swapped, powers[2:])
    past = kernel.specialise(past, {r: h})
    sums = _powers_add(Tb, "B", h, powers[2:])

    def claim(n: Any) -> Node:
        return substitute(goal, {m: n})

    cell = operator("v", i, h + r)
    row = operator("A", i) @ operator("B", h + r) @ cell
    moved = operator("B", h) @ (operator("A", i) @ operator("B", r) @ cell)
    across = T.combined(
        Eq(row, moved),
        (1, operator("A", i), sums, cell),
        (1, unit, past, operator("B", r) @ cell),
    )
    across = kernel.sum_congruence(across, i, w)
    onwards = T.follows(claim(r + 1), across, kernel.assume(claim(r)))
    found = kernel.induct(r, claim(r), prove_free(claim(num(0))), onwards)
    return kernel.specialise(found, {r: m})


# ---------------------------------------------------------------------- journey.scan
def _wrong_order(later: Pair, earlier: Pair) -> Pair:
    """A_1 A_2 for A_2 A_1."""
    return earlier[0] @ later[0], later[0] @ earlier[1] + later[1]


def _wrong_input(later: Pair, earlier: Pair) -> Pair:
    """A_1 b_2 + b_1 for A_2 b_1 + b_2."""
    return later[0] @ earlier[0], earlier[0] @ later[1] + earlier[1]


@control("inputs_exchanged", compose=_wrong_input)
@control("later_input_moved", compose=lambda y, x: (y[0] @ x[0], x[1] + y[0] @ y[1]))
@proves(SCAN, "associative")
def associative(of: Scan) -> Theorem:
    """Both sides are A_3 A_2 A_1 and A_3 A_2 b_1 + A_3 b_2 + b_3."""
    return T.both(*(prove_free(part) for part in T.opened(theory.associative(of))[1].args))


@control("input_of_the_unit", unit=(UNIT, UNIT))
@proves(SCAN, "units")
def units(of: Scan) -> Theorem:
    """The step that does nothing."""
    left, right = T.opened(theory.units(of))[1].args
    return T.both(*(T.both(*(prove_free(part) for part in side.args)) for side in (left, right)))


@control("operators_in_the_wrong_order", compose=_wrong_order)
@control("inputs_exchanged", compose=_wrong_input)
@proves(SCAN, "acts")
def acts(of: Scan) -> Theorem:
    """A composed step does one after the other."""
    return prove_free(T.opened(theory.acts(of))[1])


def _times(later: Any, earlier: Any) -> Any:
    return earlier @ later


class Between:
    """Operators by two numbers, the last ones for ever."""

    def __init__(self, values: dict[tuple[int, int], fmpq_mat]) -> None:
        self.values = values

    def __call__(self, t: Callable[[], Any], j: Callable[[], Any]) -> fmpq_mat:
        last = max(self.values)[0]
        return self.values[min(int(t().p), last), min(int(j().p), last)]

    def __str__(self) -> str:
        return ", ".join(f"{place}: {value.tolist()}" for place, value in self.values.items())


def _products(*steps: fmpq_mat, latest_leftmost: bool) -> Between:
    """P(t, j) of steps T(1), T(2), ..., multiplied up on one side or the other."""
    values = {}
    for j in range(len(steps) + 1):
        values[j, j] = ONE
        for t in range(j, len(steps)):
            pair = (steps[t], values[t, j])
            values[t + 1, j] = pair[0] * pair[1] if latest_leftmost else pair[1] * pair[0]
    return Between(values)


#: Three steps: the second is 1 + E_12 and the third the swap.
THREE_STEPS = {
    "n": 3,
    "T": Listed(ONE, ONE, SHEAR, SWAP),
    "k": Listed(ONE, ONE, NONE, NONE),
    "v": Listed(ONE),
    "q": Listed(ONE),
}
STRAIGHT = _products(ONE, SHEAR, SWAP, latest_leftmost=True)
REVERSED = _products(ONE, SHEAR, SWAP, latest_leftmost=False)
TWO_INPUTS = THREE_STEPS | {"k": Listed(ONE, ONE, ONE, NONE), "P": STRAIGHT}


@control(
    "input_before_the_operator",
    TWO_INPUTS | {"s": Listed(NONE, ONE, SHEAR * (ONE + ONE), SWAP * SHEAR * (ONE + ONE))},
    advance=_input_first,
)
@control(
    "earliest_leftmost",
    THREE_STEPS | {"P": REVERSED, "s": Listed(NONE, ONE, SHEAR, SWAP * SHEAR)},
    carried=_times,
)
@proves(SCAN, "attention")
def attention(of: Scan) -> Theorem:
    """One more step multiplies every earlier term by T and adds k v."""
    (start, moves, here, onwards), goal = T.opened(theory.attention(of))
    r, j, n = variable("r", Int(0)), node(theory.j), node(theory.n)

    def value(at_step: Node) -> Node:
        return operator("k", at_step) @ operator("v", at_step)

    def claim(t: Node) -> Node:
        inside = operator("P", t, j + 1) @ value(j + 1)
        return Eq(operator("s", t), total(j, t, inside))

    def step(inside: Theorem) -> Theorem:
        moved = kernel.modus(T.at(moves, r), inside)
        earlier = T.at(kernel.modus(T.at(onwards, r), inside).conclusion, j + 1)
        earlier = T.discharge(earlier, kernel.modus(T.at(onwards, r), inside))
        earlier = kernel.modus(earlier, kernel.assume(Le(j + 1, r)))
        earlier = T.combined(
            Eq(
                operator("P", r + 1, j + 1) @ value(j + 1),
                operator("T", r + 1) @ operator("P", r, j + 1) @ value(j + 1),
            ),
            (1, unit, earlier, value(j + 1)),
        )
        earlier = kernel.sum_congruence(earlier, j, r)
        diagonal = kernel.modus(T.at(here, r + 1), kernel.integer_step(inside))
        return T.follows(claim(r + 1), moved, earlier, diagonal, kernel.assume(claim(r)))

    start_here = T.follows(claim(num(0)), kernel.assume(start))
    whole = T.up_to(n, claim(r), r, start_here, step)
    return T.combined(goal, (1, operator("q", n), whole, unit))


#: The second and the third step as one chunk, with unit inputs.
CHUNK = {
    "c": 1,
    "n": 2,
    "T": THREE_STEPS["T"],
    "b": Listed(ONE),
    "s": Listed(NONE, ONE, SHEAR + ONE, SWAP * (SHEAR + ONE) + ONE),
}


@control(
    "operators_in_the_wrong_order",
    CHUNK | {"A": Listed(ONE, SHEAR, SHEAR * SWAP), "B": Listed(NONE, ONE, SWAP + ONE)},
    compose=_wrong_order,
)
@control(
    "inputs_exchanged",
    CHUNK | {"A": Listed(ONE, SHEAR, SWAP * SHEAR), "B": Listed(NONE, ONE, SHEAR + ONE)},
    compose=_wrong_input,
)
@proves(SCAN, "chunked")
def chunked(of: Scan) -> Theorem:
    """By induction on the length of the chunk."""
    (_, moves, operator_zero, input_zero, grows), goal = T.opened(theory.chunked(of))
    r, c, n = variable("r", Int(0)), node(theory.c), node(theory.n)

    def claim(length: Node) -> Node:
        return substitute(goal, {n: length})

    def step(inside: Theorem) -> Theorem:
        further = prove_order(Lt(c + r, c + n), [inside.conclusion])
        moved = kernel.modus(T.at(moves, c + r), T.discharge(further, inside))
        grown = T.parts(kernel.modus(T.at(grows, r), inside))
        return T.follows(claim(r + 1), moved, *grown, kernel.assume(claim(r)))

    base = T.follows(claim(num(0)), kernel.assume(operator_zero), kernel.assume(input_zero))
    return T.up_to(n, claim(r), r, base, step)
