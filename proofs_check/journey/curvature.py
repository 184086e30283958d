"""Proofs of `theory.journey.curvature`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from flint import fmpq, fmpq_mat

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.journey.paths import (
    ONE,
    SHEAR,
    ZERO,
    Everywhere,
    a,
    anticommutator,
    b,
    bounded,
    evaluated,
    free,
    given,
    joined_from,
    k,
    n,
    p,
    plaquette_at_departure,
    q,
    reals,
    stored,
    summed_plaquette,
    through,
    u,
    v,
    x,
)
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import (
    Eq,
    Implies,
    Integer,
    Letter,
    Node,
    Operator,
    Real,
    append,
    concat,
    empty,
    isometry,
    norm,
    operator,
    step,
    substitute,
    transport,
    unit,
    variable,
)
from posproof.proofs_check.search import (
    Undecided,
    prove_each,
    prove_identity,
    prove_nonneg,
    prove_order,
)
from posproof.proofs_check.translate import node
from posproof.theory.journey import curvature as theory
from posproof.theory.journey.curvature import CONTENT_DEPENDENCE, STOKES, Curvature
from posproof.theory.operators import Norm, operators
from posproof.theory.symbols import sequence, total
from posproof.theory.vocabulary import Eq as Equal
from posproof.theory.vocabulary import Int, control, proves

# ---------------------------------------------------------------------- journey.content_dependence
QUARTER_TURN = theory.Matrix([[0, -1], [1, 0]])


@control("both_read_at_departure", around=theory.both_at_departure)
@control("quarter_turn", slope=lambda: QUARTER_TURN)
@proves(CONTENT_DEPENDENCE, "commuting_but_curved")
def commuting_but_curved(of: Curvature) -> Theorem:
    """Multiplied out, word by word."""
    return evaluated(CONTENT_DEPENDENCE, "commuting_but_curved", of)


def same_shear(first: Any, second: Any) -> Any:
    return theory.shears(first + second, 0)


def same_shear_back(first: Any, second: Any) -> Any:
    return theory.shears_back(first + second, 0)


@control("both_read_at_departure", around=theory.both_at_departure)
@control("commuting_shears", gauge=same_shear, gauge_back=same_shear_back)
@proves(CONTENT_DEPENDENCE, "flat_but_noncommuting")
def flat_but_noncommuting(of: Curvature) -> Theorem:
    """g(x + e_1 + e_2) g(x)^-1 either way, for all x; at 0 the operators are two shears."""
    *universal, apart = node(T.stated(CONTENT_DEPENDENCE, "flat_but_noncommuting", of)).args
    proofs = [prove_each(claim, prove_identity) for claim in universal]
    bound = [(claim.args[0], claim.args[1].args[0]) for claim in universal]
    closed = [T.generalise(proof, *names) for proof, names in zip(proofs, bound, strict=True)]
    return T.both(*closed, kernel.ground(apart))


MIRRORS = {
    "step": {"a": ONE},
    "A": Everywhere({"1": fmpq_mat(2, 2, [1, 0, 0, -1])}),
    "B": Everywhere({"1": fmpq_mat(2, 2, [0, 1, 1, 0])}),
}


@control("anticommuting", MIRRORS, commutator=anticommutator)
@proves(CONTENT_DEPENDENCE, "own_coordinate")
def own_coordinate(of: Curvature) -> Theorem:
    """Neither operator notices the step along the other axis, so the square is the commutator."""
    closed, commute = node(T.stated(CONTENT_DEPENDENCE, "own_coordinate", of)).args
    i, t = closed.args[0], closed.args[1].args[0]

    def either(goal: Node, known: Node) -> Theorem:
        return T.generalise(free(goal.args[1].args[1], T.apply(kernel.assume(known), [i, t])), i, t)

    return T.iff(closed, commute, either(commute, closed), either(closed, commute))


def wrong_curvature(theta1: Any, theta2: Any, i: Any, t: Any) -> Any:
    """One wrong sign."""
    return theta1(i, t) + theta2(i + 1, t) + theta1(i, t + 1) - theta2(i, t)


CORNERS = {"theta1[00]": 1, "theta1[01]": -1, "theta2[00]": 0, "theta2[10]": 0, "k": 0, "m": 0}


@control("one_wrong_sign", CORNERS, curvature=wrong_curvature)
@proves(CONTENT_DEPENDENCE, "abelian")
def abelian(of: Curvature) -> Theorem:
    """Rotations agree when the cosine of the difference of their angles is 1."""
    equal, whole = node(T.stated(CONTENT_DEPENDENCE, "abelian", of)).args
    square, closed = equal.args[1], whole.args[1]
    angle = closed.args[1].args[0]
    known = T.apply(kernel.assume(equal), [k])
    cosine = given(Eq(T.cos(angle), 1), known)
    forward = T.generalise(T.apply(kernel.meaning("full_turns"), [angle], cosine), k)

    turned = T.apply(kernel.assume(whole), [k])
    m = node(theory.turns)
    equation = kernel.assume(T.body(turned, m))
    y = variable("y", Real)
    waves = []
    for wave, value in ((T.cos, 1), (T.sin, 0)):
        at = prove_identity(Eq(wave(2 * T.pi * m), value))
        waves.append(T.transport(Eq(wave(y), value), y, equation, at))
    backward = T.obtain(turned, m, given(square, *waves))
    return T.iff(equal, whole, forward, T.generalise(backward, k))


@lru_cache
def whole_turns_add() -> Theorem:
    """for all a, b: cos a = 1, cos b = 1 => cos(a + b) = 1 and cos(a - b) = 1."""
    a, b = reals("a b")
    turned = T.apply(kernel.meaning("full_turns"), [a], kernel.assume(whole(a)))
    m = variable("m", Integer)
    at = prove_identity(Eq(T.sin(2 * T.pi * m), 0))
    still = T.transport(Eq(T.sin(a), 0), a, kernel.assume(T.body(turned, m)), at)
    still = T.obtain(turned, m, still)
    facts = [kernel.assume(whole(a)), kernel.assume(whole(b)), still]
    both = T.both(given(whole(a + b), *facts), given(whole(a - b), *facts))
    return T.generalise(T.implication(both, whole(a), whole(b)), a, b)


def whole(angle: Node) -> Node:
    """The angle is a multiple of 2 pi."""
    return Eq(T.cos(angle), 1)


def combined(goal: Node, plus: Sequence[Theorem], minus: Sequence[Theorem]) -> Theorem:
    """cos(goal) = 1, where the goal's angle is, up to sign, a signed sum of whole turns."""
    found = plus[0]
    for which, others in enumerate((plus[1:], minus)):
        for other in others:
            angles = [theorem.conclusion.args[0].args[0] for theorem in (found, other)]
            found = T.parts(T.apply(whole_turns_add(), angles, found, other))[which]
    angle, wanted = (claim.args[0].args[0] for claim in (found.conclusion, goal))
    y = variable("y", Real)
    try:
        return T.transport(whole(y), y, prove_identity(Eq(wanted, angle)), found)
    except Undecided:
        mirrored = given(whole(T.num(0) - y), kernel.assume(whole(y)))
        mirrored = T.generalise(T.implication(mirrored, whole(y)), y)
        found = T.apply(mirrored, [angle], found)
        return T.transport(whole(y), y, prove_identity(Eq(wanted, T.num(0) - angle)), found)


def minus_second(theta1: Any, theta2: Any, i: Any, t: Any) -> Any:
    """One wrong sign in the potential."""
    j, k = theory.j, theory.k
    return total(j, i, theta1(j, 0)) - total(k, t, theta2(i, k))


@control(
    "one_wrong_sign", {"theta1": 0, "theta2": 1, "i": 0, "t": 0, "W": 2}, potential=minus_second
)
@proves(CONTENT_DEPENDENCE, "angle_potential")
def angle_potential(of: Curvature) -> Theorem:
    """Row by row: each closed cell carries the gradient one row up."""
    closed, gradient = node(T.stated(CONTENT_DEPENDENCE, "angle_potential", of).body).args
    i, t = T.natural("i"), T.natural("t")
    (column, along_first), (row, along_second) = (
        part.args[1].args[1].args for part in gradient.args
    )
    cell = closed.args[1].args[1].args[1]

    # Forward, by induction on the row t.
    flat = kernel.modus(T.apply(kernel.assume(closed), [i, t]), kernel.assume(column))
    raised = combined(T.instance(along_first, t, t + 1), [kernel.assume(along_first)], [flat])
    base = prove_identity(T.instance(along_first, t, 0))
    up = T.implication(kernel.induct(t, along_first, base, raised), column)
    sideways = T.implication(prove_identity(along_second), row)
    both = T.both(T.generalise(up, i, t), T.generalise(sideways, i, t))

    # Backward: the gradient around a cell sums to nothing.
    first, second = T.parts(kernel.assume(gradient))

    def edge(known: Theorem, at: list[Node]) -> Theorem:
        claim = T.apply(known, at)
        return kernel.modus(claim, prove_order(claim.conclusion.args[0], [column]))

    out = [edge(first, [i, t]), edge(second, [i + 1, t])]
    home = [edge(first, [i, t + 1]), edge(second, [i, t])]
    around = T.generalise(T.implication(combined(cell, out, home), column), i, t)
    return T.generalise(T.iff(closed, gradient, both, around), node(theory.W))


NILPOTENTS = {letter: fmpq_mat(2, 2, [0, scale, 0, 0]) for scale, letter in enumerate("abc", 1)}
ITEMS = {"step": NILPOTENTS, "r": "a", "s": "b", "o": "c"}


@dataclass(frozen=True)
class ByItem:
    """A multiple of E_12 for each item."""

    def __call__(self, item: Callable[[], str]) -> fmpq_mat:
        return NILPOTENTS[item()]

    def __str__(self) -> str:
        return "c(item) E_12"


@control("singular_operators", ITEMS | {"tau1": ByItem(), "tau2": ByItem()}, needs_inverse=False)
@proves(CONTENT_DEPENDENCE, "no_go")
def no_go(of: Curvature) -> Theorem:
    """The item on the right occurs on one side alone, so tau_2 does not depend on it; nor tau_1."""
    invertible, equivalence = node(T.stated(CONTENT_DEPENDENCE, "no_go", of)).args
    flat, conclusion = equivalence.args
    r, s, o = (variable(name, Letter) for name in "rso")
    prime = variable("z", Letter)
    tau = {1: lambda item: operator("tau1", item), 2: lambda item: operator("tau2", item)}
    closes = kernel.assume(flat)
    inverse = T.apply(kernel.assume(invertible), [r])

    def constant(axis: int, here: Node, there: Node) -> Theorem:
        """tau_axis takes the same value at two items."""
        other = 3 - axis
        corner = variable("y", Letter)
        ends = [[r, item, corner] if axis == 2 else [r, corner, item] for item in (here, there)]
        squares = [T.apply(closes, end) for end in ends]
        if axis == 1:
            squares = [turned(square) for square in squares]
        middle = squares[0].conclusion.args[1]
        equal = through(middle, *(turned(square) for square in squares))
        padded = multiplied(equal, operator(f"sigma{other}", r))
        left, right = (
            free(Eq(side, tau[axis](item)), inverse)
            for side, item in zip(padded.conclusion.args, (here, there), strict=True)
        )
        return through(padded.conclusion.args[0], left, chained(padded, right))

    first, second = constant(1, r_item(), prime), constant(2, r_item(), prime)
    item = r_item()
    equal = [T.generalise(theorem, item, prime) for theorem in (first, second)]
    commute = conclusion.args[2]
    pair = free(commute.args[1].args[1], T.apply(closes, [r, s, r]), T.apply(equal[1], [r, s]))
    forward = T.both(*equal, T.generalise(pair, r, s))

    same_first, same_second, commuting_ = T.parts(kernel.assume(conclusion))
    facts = [
        T.apply(same_first, [r, o]),
        T.apply(same_second, [s, r]),
        T.apply(commuting_, [o, r]),
    ]
    backward = T.generalise(free(flat.args[1].args[1].args[1], *facts), r, s, o)
    return T.implication(T.iff(flat, conclusion, forward, backward), invertible)


def r_item() -> Node:
    return variable("x", Letter)


def multiplied(equation: Theorem, factor: Node) -> Theorem:
    """x f = y f from x = y."""
    left, right = equation.conclusion.args
    certificate = [(Fraction(1), (), 0, (factor,))]
    goal = Eq(left @ factor, right @ factor)
    return T.discharge(kernel.free_identity(goal, [equation.conclusion], certificate), equation)


def chained(first: Theorem, second: Theorem) -> Theorem:
    """x = z from x = y and y = z."""
    goal = Eq(first.conclusion.args[0], second.conclusion.args[1])
    facts = [first.conclusion, second.conclusion]
    certificate = [(Fraction(1), (), 0, ()), (Fraction(1), (), 1, ())]
    return T.discharge(kernel.free_identity(goal, facts, certificate), first, second)


def turned(equation: Theorem) -> Theorem:
    """y = x from x = y."""
    return free(Eq(*reversed(equation.conclusion.args)), equation)


def cyclic(sign: Any, shift: Any, point: Any) -> Any:
    """The rotations alone, which all commute."""
    return shift + point


@control("cyclic_group", affine=cyclic)
@control("both_read_at_departure", around=theory.both_at_departure)
@proves(CONTENT_DEPENDENCE, "exhausted", "all 1296 pairs of maps from two items to S_3")
def exhausted(of: Curvature) -> Theorem:
    """Six operators for one item, and for each of them the other 216 choices."""
    return exhaustion(node(T.stated(CONTENT_DEPENDENCE, "exhausted", of)), 2)


def exhaustion(goal: Node, depth: int) -> Theorem:
    """Value by value in the outer quantifiers, by evaluation inside."""
    if depth == 0:
        return kernel.ground(goal)
    name, body = goal.args
    values = (T.num(value) for value in name.args[1].values)
    instances = (exhaustion(substitute(body, {name: value}), depth - 1) for value in values)
    return kernel.exhaust(goal, list(instances))


@control("cyclic_group", affine=cyclic)
@proves(CONTENT_DEPENDENCE, "numbers", "S_3")
def numbers(of: Curvature) -> Theorem:
    """Added up."""
    return evaluated(CONTENT_DEPENDENCE, "numbers", of)


@control("idempotent", matrix_unit=lambda row, _: theory.matrix_unit(row, row))
@proves(CONTENT_DEPENDENCE, "singular_escape")
def singular_escape(of: Curvature) -> Theorem:
    """E_12 E_12 = 0."""
    return prove_each(T.stated(CONTENT_DEPENDENCE, "singular_escape", of), prove_identity)


# ---------------------------------------------------------------------- journey.stokes
def swap_difference(of: Curvature) -> tuple[Node, Theorem]:
    """The middle term, and J(u a b v; x) - J(u b a v; x) = middle."""
    claim = node(T.stated(STOKES, "one_swap", of).body)
    rising, falling = append(u, a, b), append(u, b, a)
    return claim.args[1], free(claim, joined_from(rising), joined_from(falling))


@control("ways_round_added", plaquette=summed_plaquette)
@control("both_at_departure", plaquette=plaquette_at_departure)
@proves(STOKES, "one_swap")
def one_swap(of: Curvature) -> Theorem:
    """Both paths share what comes before and after the square."""
    return T.generalise(swap_difference(of)[1], u, v, x, a, b)


@control(
    "rows_too_short",
    {"W": 2, "i": 1, "t": 0, "j": 0, "s": 1},
    stored=lambda i, t: i + (theory.W - 1) * t,
)
@proves(STOKES, "arbitrary_fields")
def arbitrary_fields(of: Curvature) -> Theorem:
    """i - j = W (s - t) lies between -W and W, so s = t."""
    names = [T.natural("W", 1), *(T.natural(name) for name in "ijts")]
    W, i, j, t, s = names
    claim = node(T.stated(STOKES, "arbitrary_fields", of))
    for _ in names:
        claim = claim.args[1]
    premise, _ = claim.args
    first, second, equal = premise.args
    level = T.no_integer_inside(s - t, [first, second, equal])
    same_row = given(Eq(t, s), level)
    same_column = given(Eq(i, j), kernel.assume(equal), level)
    proof = T.unpack(T.both(same_column, same_row), premise)
    return T.generalise(T.implication(proof, premise), *names)


@dataclass(frozen=True)
class Heights:
    """A sequence by its first values, then the last of them for ever."""

    first: tuple[int, ...]

    def __call__(self, at: fmpq) -> fmpq:
        return fmpq(self.first[min(int(at.p), len(self.first) - 1)])

    def __str__(self) -> str:
        return ", ".join(map(str, self.first)) + ", ..."


ONE_CELL = {"n": 1, "W": 2, "h": Heights((0, 1)), "h'": Heights((1,))}
ONE_CELL |= {"theta1": Heights((1, 0, 3, 0)), "theta2": Heights((0, 1, 0))}


@control("one_wrong_sign", ONE_CELL, curvature=wrong_curvature)
@proves(STOKES, "between_paths")
def between_paths(of: Curvature) -> Theorem:
    """Move each column of the path down to 0: what is passed is the sum of the cells below it."""
    same_end, enclosed = node(T.stated(STOKES, "between_paths", of)).args[1].args[1].args
    theta1, theta2 = theory.field("theta1"), theory.field("theta2")
    i, t = T.natural("i"), T.natural("q")
    height = theory.q

    # One column: the cells below a height add up.
    cells = node(total(theory.k, height, of.curvature(theta1, theta2, theory.i, theory.k)))
    climbs = [node(theory.climb(theta2, at, height)) for at in (theory.i, theory.i + 1)]
    bottom, top = (node(theta1(theory.i, at)) for at in (0, height))
    column = T.induction(t, Eq(cells, bottom - top - climbs[0] + climbs[1]))
    lemma = T.generalise(column, i, t)

    # One path: all its columns, and the way back up at the end.
    floor = node(total(theory.i, theory.n, theta1(theory.i, 0)))

    def one_path(name: str) -> Theorem:
        heights = sequence(name, Int(0))
        walked_ = node(of.staircase(theta1, theta2, heights, theory.n))
        under = total(
            theory.i,
            theory.n,
            total(theory.t, heights(theory.i), of.curvature(theta1, theta2, theory.i, theory.t)),
        )
        end = substitute(climbs[0], {i: n, t: node(heights(theory.n))})
        statement = Eq(walked_, end + floor - node(under))
        at_n = T.apply(lemma, [n, node(heights(theory.n))])
        base = prove_identity(T.instance(statement, n, 0))
        step_ = given(T.instance(statement, n, n + 1), kernel.assume(statement), at_n)
        return kernel.induct(n, statement, base, step_)

    low, high = one_path("h"), one_path("h'")
    ends = [substitute(climbs[0], {i: n, t: side}) for side in same_end.args]
    y = T.natural("y")
    pattern = Eq(substitute(climbs[0], {i: n, t: y}), ends[1])
    met = T.transport(pattern, y, kernel.assume(same_end), prove_identity(Eq(ends[1], ends[1])))
    proof = given(enclosed, low, high, met)
    return T.generalise(T.implication(proof, same_end), node(theory.W), n)


def isometric(x: Node) -> Theorem:
    """|| x X || = || X || = || X x || for all X, if x is an isometry."""
    return kernel.modus(kernel.project(kernel.keeps_norm(x), 0), kernel.assume(isometry(x)))


def keeps(x: Node, proof: Callable[[Node], Theorem]) -> Theorem:
    """x is an isometry, from a proof of what that means for any operator X."""
    meaning = kernel.keeps_norm(x)
    bound, claim = meaning.conclusion.args[1].args
    return kernel.modus(kernel.project(meaning, 1), T.generalise(proof(claim), bound))


def product_keeps(left: Node, right: Node) -> Theorem:
    """The product of two isometries is one."""

    def proof(claim: Node) -> Theorem:
        any_ = claim.args[0].args[1].args[0]
        from_left = [
            T.parts(T.apply(isometric(left), [right @ any_]))[0],
            T.parts(T.apply(isometric(right), [any_]))[0],
        ]
        from_right = [
            T.parts(T.apply(isometric(right), [any_ @ left]))[1],
            T.parts(T.apply(isometric(left), [any_]))[1],
        ]
        return T.both(given(claim.args[0], *from_left), given(claim.args[1], *from_right))

    return keeps(left @ right, proof)


def unit_keeps() -> Theorem:
    return keeps(unit, lambda claim: T.both(*(prove_identity(part) for part in claim.args)))


def renamed(theorem: Theorem, wanted: Node) -> Theorem:
    """The same isometry under another name: an equation of operators that rewriting proves."""
    hole = variable("Y", Operator)
    equation = free(Eq(wanted, theorem.conclusion.args[1]))
    return T.discharge(kernel.leibniz(theorem, isometry(hole), hole, equation.conclusion), equation)


def path_keeps(of: Curvature) -> Theorem:
    """for all v, x: J(v; x) is an isometry, if every step is one."""
    letter = variable("l", Letter)
    statement = isometry(transport("T", v, x))
    keep = node(T.stated(STOKES, "swap_norm", of)).args[0]
    base = renamed(unit_keeps(), transport("T", empty, x))
    here = stored(letter, concat(x, v))
    one = T.apply(kernel.assume(keep), [letter, concat(x, v)])
    longer = T.discharge(product_keeps(here, transport("T", v, x)), one)
    longer = renamed(longer, transport("T", append(v, letter), x))
    return T.generalise(kernel.induct_words(v, letter, statement, base, longer), v, x)


def anything(x: Any) -> Any:
    """No condition at all."""
    return Equal(x, x)


SHEARS = {"a": SHEAR, "b": SHEAR.transpose()}
STRETCHED = {
    "step": SHEARS,
    "T": Everywhere(SHEARS),
    "u": (),
    "v": ("a",),
    "x": (),
    "a": "a",
    "b": "b",
}


@control("steps_that_stretch", STRETCHED, keeps_norm=anything)
@proves(STOKES, "swap_norm")
def swap_norm(of: Curvature) -> Theorem:
    """J(v) F J(u) has the norm of F, as J(v) and J(u) are products of isometries."""
    keep, claim = node(T.stated(STOKES, "swap_norm", of)).args
    for _ in range(5):
        claim = claim.args[1]
    middle, difference = swap_difference(of)
    later, square, earlier = middle.args[0].args[0], middle.args[0].args[1], middle.args[1]
    paths = [
        T.apply(path_keeps(of), [v, append(concat(x, u), a, b)]),
        T.apply(path_keeps(of), [u, x]),
    ]
    outer = T.parts(T.apply(isometric(later), [square @ earlier]))[0]
    inner = T.parts(T.apply(isometric(earlier), [square]))[1]
    size = given(Eq(norm(middle), norm(square)), outer, inner)
    hole = variable("Y", Operator)
    proof = kernel.leibniz(size, Eq(norm(hole), norm(square)), hole, difference.conclusion)
    proof = T.discharge(given(claim, T.discharge(proof, difference)), *paths)
    return T.implication(T.generalise(proof, u, v, x, a, b), keep)


@dataclass(frozen=True)
class Listed:
    """Operators by number; the last one for ever."""

    values: tuple[fmpq_mat, ...]

    def __call__(self, at: Callable[[], fmpq]) -> fmpq_mat:
        return self.values[min(int(at().p), len(self.values) - 1)]

    def __str__(self) -> str:
        return ", ".join(str(value.tolist()) for value in self.values)


TURN = fmpq_mat(2, 2, [0, -1, 1, 0])
CHAIN = {"step": {"a": ONE}, "n": 1, "X": Listed((ONE, TURN)), "F": Listed((ONE - TURN,))}
CHAIN |= {"U": Listed((ONE,)), "V": Listed((ONE,))}
LOOSE = CHAIN | {"U": Listed((2 * ONE,)), "F": Listed(((ONE - TURN) * fmpq(1, 2),))}


@control("one_square_forgotten", CHAIN, squares_counted=lambda n: n - 1)
@control("steps_that_stretch", LOOSE, keeps_norm=anything)
@proves(STOKES, "area_bound")
def area_bound(of: Curvature) -> Theorem:
    """The triangle inequality along the chain; each link has the norm of its square."""
    chain, bound = node(T.stated(STOKES, "area_bound", of)).args[1].args
    m = T.natural("m")
    X, U, F, V = (lambda at, name=name: operator(name, at) for name in "XUFV")
    squares = total(theory.k, theory.n, Norm(operators("F")(theory.k)))
    most = substitute(node(squares), {n: m})
    statement = Implies(T.Le(m, n), T.Le(norm(X(T.num(0)) - X(m)), most))
    start = T.instance(statement, m, 0)
    base = T.implication(prove_order(start.args[1]), start.args[0])

    more, grown = T.instance(statement, m, m + 1).args
    link = kernel.instantiate(kernel.assume(chain), m)
    link = kernel.modus(link, prove_order(link.conclusion.args[0], [more]))
    keep_left, keep_right, difference = T.parts(link)
    outer = T.parts(T.apply(isometric(U(m)), [F(m) @ V(m)]))[0]
    inner = T.parts(T.apply(isometric(V(m)), [F(m)]))[1]
    product = difference.conclusion.args[1]
    size = given(Eq(norm(product), norm(F(m))), outer, inner)
    hole = variable("Y", Operator)
    size = kernel.leibniz(size, Eq(norm(hole), norm(F(m))), hole, difference.conclusion)
    size = T.discharge(size, difference, keep_left, keep_right)
    triangle = kernel.seminorm(X(T.num(0)) - X(m), X(m) - X(m + 1))
    known = kernel.modus(kernel.assume(statement), prove_order(T.Le(m, n), [more]))
    step_ = T.implication(bounded(grown, triangle, size, known), more)
    held = kernel.specialise(kernel.induct(m, statement, base, step_), {m: n})
    proof = bounded(bound, kernel.modus(held, prove_order(T.Le(n, n))))
    return T.generalise(T.implication(proof, chain), n)


@dataclass(frozen=True)
class PowersOf:
    """The powers of one matrix."""

    base: fmpq_mat

    def __call__(self, at: Callable[[], fmpq]) -> fmpq_mat:
        return self.base ** int(at().p)

    def __str__(self) -> str:
        return f"powers of {self.base.tolist()}"


TRIPLED = {"a": 3 * SHEAR, "b": SHEAR.transpose()}
STRETCHING = {"step": TRIPLED, "A": PowersOf(TRIPLED["a"]), "B": PowersOf(TRIPLED["b"])}
STRETCHING |= {"a": "a", "b": "b", "p": 2, "q": 1}


@control("steps_that_stretch", STRETCHING, keeps_norm=anything)
@proves(STOKES, "rectangle")
def rectangle(of: Curvature) -> Theorem:
    """T_a passes T_b^q in q squares, and T_a^p does so p times."""
    claim = node(T.stated(STOKES, "rectangle", of))
    for _ in range(4):
        claim = claim.args[1]
    premise, bound = claim.args
    grows_a, grows_b, keep_a, keep_b = T.parts(kernel.assume(premise))
    first, second = step(a), step(b)
    m = T.natural("m")

    def A(at: Node) -> Node:
        return operator("A", at)

    def B(at: Node) -> Node:
        return operator("B", at)

    def one_more(grows: Theorem, more: Node) -> Theorem:
        rule = kernel.instantiate(T.parts(grows)[1], m)
        return kernel.modus(rule, prove_order(rule.conclusion.args[0], [more]))

    def power_keeps(grows: Theorem, keep: Theorem, name: str, count: Node) -> Theorem:
        """m <= count => the m-th power is an isometry."""
        statement = Implies(T.Le(m, count), isometry(operator(name, m)))
        start = T.instance(statement, m, 0)
        zero = renamed_by(operator(name, T.num(0)), unit_keeps(), T.parts(grows)[0])
        more, _ = T.instance(statement, m, m + 1).args
        known = kernel.modus(kernel.assume(statement), prove_order(T.Le(m, count), [more]))
        longer = product_keeps(keep.conclusion.args[1], operator(name, m))
        longer = T.discharge(longer, keep, known)
        longer = renamed_by(operator(name, m + 1), longer, one_more(grows, more))
        return kernel.induct(
            m, statement, T.implication(zero, start.args[0]), T.implication(longer, more)
        )

    single = norm(first @ second - second @ first)

    # One T_a against m steps T_b.
    def passing(count: Node) -> Node:
        return norm(first @ B(count) - B(count) @ first)

    statement = Implies(T.Le(m, q), T.Le(passing(m), m * single))
    more, grown = T.instance(statement, m, m + 1).args
    known = kernel.modus(kernel.assume(statement), prove_order(T.Le(m, q), [more]))
    keep_power = kernel.modus(power_keeps(grows_b, keep_b, "B", q), prove_order(T.Le(m, q), [more]))
    new, old = first @ second - second @ first, first @ B(m) - B(m) @ first
    triangle = kernel.seminorm(new @ B(m), second @ old)
    pieces = [
        T.discharge(T.parts(T.apply(isometric(B(m)), [new]))[1], keep_power),
        T.discharge(T.parts(T.apply(isometric(second), [old]))[0], keep_b),
    ]
    split = norm_of(
        first @ B(m + 1) - B(m + 1) @ first, new @ B(m) + second @ old, one_more(grows_b, more)
    )
    step_ = T.implication(bounded(grown, triangle, split, known, *pieces), more)
    start = T.instance(statement, m, 0)
    nothing = norm_of(first @ B(T.num(0)) - B(T.num(0)) @ first, ZERO, T.parts(grows_b)[0])
    base = T.implication(bounded(start.args[1], nothing), start.args[0])
    passed = kernel.specialise(kernel.induct(m, statement, base, step_), {m: q})
    passed = kernel.modus(passed, prove_order(T.Le(q, q)))

    # T_a^m against all of T_b^q.
    def crossing(count: Node) -> Node:
        return norm(A(count) @ B(q) - B(q) @ A(count))

    statement = Implies(T.Le(m, p), T.Le(crossing(m), m * q * single))
    more, grown = T.instance(statement, m, m + 1).args
    known = kernel.modus(kernel.assume(statement), prove_order(T.Le(m, p), [more]))
    keep_power = kernel.modus(power_keeps(grows_a, keep_a, "A", p), prove_order(T.Le(m, p), [more]))
    new, old = first @ B(q) - B(q) @ first, A(m) @ B(q) - B(q) @ A(m)
    triangle = kernel.seminorm(new @ A(m), first @ old)
    pieces = [
        T.discharge(T.parts(T.apply(isometric(A(m)), [new]))[1], keep_power),
        T.discharge(T.parts(T.apply(isometric(first), [old]))[0], keep_a),
    ]
    split = norm_of(
        A(m + 1) @ B(q) - B(q) @ A(m + 1), new @ A(m) + first @ old, one_more(grows_a, more)
    )
    step_ = T.implication(bounded(grown, triangle, split, known, passed, *pieces), more)
    start = T.instance(statement, m, 0)
    nothing = norm_of(A(T.num(0)) @ B(q) - B(q) @ A(T.num(0)), ZERO, T.parts(grows_a)[0])
    base = T.implication(bounded(start.args[1], nothing), start.args[0])
    crossed = kernel.specialise(kernel.induct(m, statement, base, step_), {m: p})
    proof = bounded(bound, kernel.modus(crossed, prove_order(T.Le(p, p))))
    return T.generalise(T.implication(T.unpack(proof, premise), premise), a, b, p, q)


def norm_of(left: Node, right: Node, *facts: Theorem) -> Theorem:
    """|| left || = || right ||, because left = right."""
    hole = variable("Y", Operator)
    equation = free(Eq(left, right), *facts)
    same = prove_identity(Eq(norm(right), norm(right)))
    moved = kernel.leibniz(same, Eq(norm(hole), norm(right)), hole, equation.conclusion)
    return T.discharge(moved, equation)


def renamed_by(wanted: Node, theorem: Theorem, equation: Theorem) -> Theorem:
    """An isometry under the name that an equation gives it."""
    hole = variable("Y", Operator)
    same = free(Eq(wanted, theorem.conclusion.args[1]), equation)
    return T.discharge(kernel.leibniz(theorem, isometry(hole), hole, same.conclusion), same)


@control("wrong_half", rotation=lambda angle: theory.rotation(2 * angle))
@proves(STOKES, "circle")
def circle(of: Curvature) -> Theorem:
    """1 - cos(alpha - beta) = 2 sin^2 of half of it."""
    return prove_each(T.stated(STOKES, "circle", of), prove_identity)


@control("one_cell_forgotten", {"n": 1, "f": 1}, squares_counted=lambda n: n - 1)
@proves(STOKES, "constant_curvature")
def constant_curvature(of: Curvature) -> Theorem:
    """|sin((n + 1) x)| <= |sin(n x)| |cos x| + |cos(n x)| |sin x|, in squares."""
    claim = node(T.stated(STOKES, "constant_curvature", of)).args[1].args[1]
    f = node(theory.f)
    m = T.natural("m")
    shifted = substitute(claim, {n: m + 1})
    s, c = T.sin(f / 2), T.cos(f / 2)
    wave = f * (m + 1) / 2
    before = T.Le(T.sin(wave) ** 2, (m + 1) ** 2 * s**2)
    known = bounded(before, kernel.assume(shifted))
    goal = T.instance(shifted, m, m + 1)
    count = m + 1
    form = (
        (count + 1) / count * c**2 * T.margin(before)
        + (count + 1) * (count * s**2 * s**2 + s**2 * T.sin(wave) ** 2)
        + 1 / count * (T.sin(wave) * c - count * T.cos(wave) * s) ** 2
    )
    step_ = T.discharge(prove_nonneg(goal, form, [before]), known)
    base = prove_nonneg(T.instance(shifted, m, 0), T.num(0))
    held = kernel.induct(m, shifted, base, step_)
    above = bounded(T.Le(T.num(0), n - 1), T.one_apart(T.num(0), n))
    some = kernel.specialise(kernel.weaken(held, [T.Le(T.num(0), m)]), {m: n - 1})
    some = bounded(claim, T.discharge(some, above))
    none = kernel.antisymmetry(kernel.assume(T.Le(n, T.num(0))), prove_order(T.Le(T.num(0), n)))
    zero = T.transport(claim, n, none, prove_order(substitute(claim, {n: T.num(0)})))
    return T.generalise(T.compare(0, n, some, zero), n, f)
