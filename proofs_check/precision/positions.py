"""Proofs of `theory.precision.positions`: one function a clause, named after it.

What they need about rounding stands in `nearest_even`, `nearest_even_classes` and
`nearest_even_ranks`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import sympy

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import (
    Eq,
    Le,
    Node,
    cos,
    num,
    pi,
    sin,
    substitute,
)
from posproof.proofs_check.nearest_even import (
    STORED,
    below_first_power,
    h,
    j,
    n,
    one_rounding,
    only_ties_to_even,
    p,
    s,
    some_rounding,
)
from posproof.proofs_check.nearest_even_classes import between_powers, power_at, power_of_two
from posproof.proofs_check.nearest_even_ranks import ranks_apart, ranks_below, ranks_reached
from posproof.proofs_check.plane import sum_of
from posproof.proofs_check.powers import same_power, two
from posproof.proofs_check.precision import rounding as rounding_proofs
from posproof.proofs_check.search import (
    Undecided,
    prove_each,
    prove_identity,
    prove_nonneg,
)
from posproof.proofs_check.search.points import Indicator
from posproof.theory import vocabulary
from posproof.theory.precision import positions as statements
from posproof.theory.precision import rounding as statements_of_rounding
from posproof.theory.precision.positions import (
    COLLISIONS,
    FIRST,
    INTEGER_PHASE,
    LIBRARY_DEFAULTS,
    Collisions,
    Defaults,
    Phases,
)
from posproof.theory.vocabulary import control, proves

node = T.node


# ---------------------------------------------------------------------- position_collisions
def _away(n: Any, s: Any, step: Any) -> Any:
    """Ties away from zero."""
    gap = 2 * n - 2 * s * step
    return vocabulary.And(vocabulary.Le(-step, gap), vocabulary.Lt(gap, step))


def _toward_zero(n: Any, s: Any, step: Any) -> Any:
    return vocabulary.And(vocabulary.Le(0, n - s * step), vocabulary.Lt(n - s * step, step))


def _untied(n: Any, s: Any, step: Any) -> Any:
    """Nearest, without a rule for ties."""
    return statements.within(2 * n - 2 * s * step, step)


@control("ties_undecided", {"p": 2, "n": 5, "j": 1, "s": 2, "j'": 1, "s'": 3}, rounding=_untied)
@proves(COLLISIONS, "rounding")
def rounding(of: Collisions) -> Theorem:
    """Steps by induction, multiples by division with remainder; two even ones are 2 D apart."""
    only_ties_to_even(of)
    some, one = node(statements.rounding(of)).args
    return T.both(some_rounding(some), one_rounding(one))


@control(
    "rounding_toward_zero_at_a_step_of_two",
    {"p": 2, "n": 3, "j": 0, "s": 2},
    rounding=lambda n, s, step: _toward_zero(n, s, 2 * step),
)
@proves(COLLISIONS, "exact")
def exact(of: Collisions) -> Theorem:
    """Below 2^p the step is 1, and 2^p is a number of one bit."""
    only_ties_to_even(of)
    premise, goal = T.inner(statements.exact(of)).args
    last = power_at(Eq(n, two(p)), Eq(s * two(j), two(p)))
    met, start = T.parts(below_first_power())
    one = T.discharge(same_power(j, num(0)), start)
    early = T.discharge(prove_identity(goal, [met.conclusion, one.conclusion]), met, one)
    at = T.discharge(
        prove_identity(goal, [last.conclusion, Eq(n, two(p))]), T.unpack_all(last, STORED)
    )
    same = kernel.antisymmetry(T.assume(Le(n, two(p))), T.assume(Le(two(p), n)))
    late = T.discharge(at, same)
    proof = T.compare(n, two(p), T.unpack_all(early, STORED), late)
    return T.implication(T.unpack(proof, premise), premise)


@control("rounding_half_away", {"p": 8, "n": 257, "j": 1, "s": 129}, rounding=_away)
@proves(COLLISIONS, "first_collision")
def first_collision(of: Collisions) -> Theorem:
    """Both numbers belong to the class of the power of two, whose step is 2."""
    only_ties_to_even(of)
    premise, goal = T.inner(statements.first_collision(of)).args
    either = premise.args[1]
    cover = kernel.cases(T.assume(either), *(power_at(part, goal) for part in either.args))
    return T.implication(T.unpack(cover, premise), premise)


@control(
    "rounding_toward_zero", {"p": 3, "k": 1, "h": 2, "n": 11, "j": 1, "s": 5}, rounding=_toward_zero
)
@control(
    "ties_included",
    {"p": 3, "k": 1, "h": 2, "n": 9, "j": 1, "s": 4},
    odd_reach=lambda k: 2 ** (k - 1),
)
@proves(COLLISIONS, "odd_class")
def odd_class(of: Collisions) -> Theorem:
    """|n - v| = 2^(k - 1) is a tie, which goes to an even neighbour."""
    only_ties_to_even(of)
    return between_powers(statements.odd_class(of), 2 * h + 1, True)


@control("rounding_half_away", {"p": 3, "k": 1, "h": 3, "n": 13, "j": 1, "s": 7}, rounding=_away)
@control(
    "ties_excluded",
    {"p": 3, "k": 1, "h": 3, "n": 13, "j": 1, "s": 6},
    even_reach=lambda k: 2 ** (k - 1) - 1,
)
@proves(COLLISIONS, "even_class")
def even_class(of: Collisions) -> Theorem:
    """Ties on both sides are members."""
    only_ties_to_even(of)
    return between_powers(statements.even_class(of), 2 * h, False)


@control(
    "nearest_only",
    {"p": 3, "k": 2, "n": 14, "j": 1, "s": 7},
    reach_below_power=lambda k: 2 ** (k - 1),
)
@control(
    "half_of_it_below",
    {"p": 3, "k": 3, "n": 30, "j": 2, "s": 8},
    reach_below_power=lambda k: 2 ** (k - 3),
)
@control("rounding_half_away", {"p": 3, "k": 1, "n": 9, "j": 1, "s": 5}, rounding=_away)
@proves(COLLISIONS, "power_class")
def power_class(of: Collisions) -> Theorem:
    """Above a power of two the step is twice what it is below."""
    only_ties_to_even(of)
    return power_of_two(statements.power_class(of))


def _without_last(p: Any, m: Any) -> Any:
    return statements.distinct_values(p, m) - 1


@control(
    "last_value_forgotten", {"p": 2, "m": 3, "n": 7, "j": 1, "s": 4}, distinct_values=_without_last
)
@control(
    "largest_number_forgotten",
    {"p": 2, "m": 3, "Omega": 7, "r": 6},
    fits=lambda m, largest: vocabulary.Le(2 ** (m - 1), largest),
)
@proves(COLLISIONS, "count")
def count(of: Collisions) -> Theorem:
    only_ties_to_even(of)
    inside, onto, apart = node(statements.count(of)).args
    proofs = [ranks_below(inside), ranks_reached(onto), ranks_apart(apart)]
    bound = zip(proofs, (inside, onto, apart), strict=True)
    return T.both(*(T.generalise(proof, *T.outer(part)) for proof, part in bound))


# ---------------------------------------------------------------------- what a collision costs
@control(
    "positions_exact",
    {"p": 2, "n": 4, "j": 1, "s": 2, "n'": 5, "j'": 1, "s'": 2, "f": Indicator(4, 1)},
    position=lambda n, j, s: n,
)
@proves(COLLISIONS, "rows")
def rows(of: Collisions) -> Theorem:
    """Equals have equal images."""
    premise, goal = T.inner(statements.rows(of)).args
    equation = premise.args[2]
    left, right = (side.args[2] for side in goal.args)
    same = prove_identity(Eq(left, right), [equation])
    image = node(statements.row(statements.a))
    pattern = Eq(image, substitute(image, {node(statements.a): right}))
    at = prove_identity(substitute(pattern, {node(statements.a): right}))
    proof = T.transport(pattern, node(statements.a), same, at)
    return T.implication(T.unpack(proof, premise), premise)


@control(
    "half_of_it",
    {"a": 1, "b": 0, "c": 0, "d": -1, "theta": 1, "P": Fraction(1, 2)},
    damage=lambda theta: sympy.sin(theta / 2),
)
@control("positions_exact", {"theta": 1, "P": 0}, lost=lambda P: P)
@proves(COLLISIONS, "damage")
def damage(of: Collisions) -> Theorem:
    """The two turned keys lie a chord of the angle theta apart."""
    below, attained = node(statements.damage(of)).args
    goal = T.inner(below)
    a, b, c, d = (node(getattr(statements, name)) for name in "abcd")
    theta, P = node(statements.theta), node(statements.P)
    middle = theta * P - theta / 2
    # conj(q) k = x + i y: the gap is -2 sin(theta / 2) (x sin(middle) + y cos(middle))
    x, y = a * c + b * d, a * d - b * c
    across = x * cos(middle) - y * sin(middle)
    form = node(of.damage(statements.theta)) ** 2 * across**2
    proof = prove_nonneg(goal, form)
    equal = prove_identity(T.inner(attained))
    return T.both(T.generalise(proof, *T.outer(below)), T.generalise(equal, *T.outer(attained)))


@control("positions_exact", {"n": FIRST}, lost=lambda P: P)
@control("one_position_further", {"n": FIRST}, lost=lambda P: P - 2)
@proves(COLLISIONS, "gap", "d = 128, base 10000")
def gap(of: Collisions) -> Theorem:
    """Two comparisons of sums of 64 cosines, in balls."""
    premise, goal = T.inner(statements.gap(of)).args
    at = prove_each(substitute(goal, {n: num(FIRST)}), kernel.ground)
    return T.implication(T.rewrite(goal, n, FIRST, at), premise)


# ---------------------------------------------------------------------- precision.integer_phase
def _saturated(x: Any, r: Any, W: Any) -> Any:
    """What saturating arithmetic keeps instead of x mod W."""
    below = vocabulary.And(vocabulary.Lt(x, 0), vocabulary.Eq(r, 0))
    inside = vocabulary.And(vocabulary.Le(0, x), vocabulary.Lt(x, W), vocabulary.Eq(r, x))
    above = vocabulary.And(vocabulary.Le(W, x), vocabulary.Eq(r, W - 1))
    return vocabulary.Or(below, inside, above)


#: A position, its opposite, and their sum, the phases saturated: 1 + 0 is not 0.
_OPPOSITE = {"W": 4, "kappa": 1, "i": 1, "s": -1, "a": 1, "b": 0, "c": 0}


@control("saturating_arithmetic", _OPPOSITE, kept=_saturated)
@proves(INTEGER_PHASE, "homomorphism")
def homomorphism(of: Phases) -> Theorem:
    """The quotients of the three products add up."""
    premise, goal = T.inner(statements.homomorphism(of)).args
    facts = T.conjuncts(premise)
    quotients = [fact for fact in facts if fact.head == "exists"]
    _require(len(quotients) == 3 and goal.head == "and" and len(goal.args) == 3)
    names = ("g1", "g2", "g3")
    known = [T.body_of(fact, T.integer(n)) for fact, n in zip(quotients, names, strict=True)]
    g1, g2, g3 = (T.integer(name) for name in names)
    found = T.exists(goal.args[2], g3 - g1 - g2, lambda fact: prove_identity(fact, known))
    for fact, name in zip(quotients, names, strict=True):
        found = kernel.choose(fact, T.integer(name), found)
    proof = T.both(*(kernel.assume(part) for part in goal.args[:2]), found)
    return T.implication(T.unpack_all(proof, premise), premise)


def _require(condition: bool) -> None:
    if not condition:
        raise Undecided("the definitions have another shape")


def _representatives(
    goal: Node, congruences: Sequence[Node], phases: Sequence[tuple[Any, Any]]
) -> Theorem:
    """A goal about phases (a, x) for which x - a is known to be a multiple g W of W."""
    names = [node(a) for a, _ in phases]
    multiples = [T.integer(f"g{number}") for number in range(len(names))]
    values = {
        name: node(x) - g * node(statements.W)
        for name, (_, x), g in zip(names, phases, multiples, strict=True)
    }
    proof = prove_each(substitute(goal, values), prove_identity)
    for number in reversed(range(len(names))):
        name, fact, multiple = names[number], congruences[number], multiples[number]
        pattern = substitute(goal, {other: values[other] for other in names[:number]})
        proof = T.rewrite(pattern, name, values[name], proof)
        known = T.body_of(fact, multiple)
        proof = T.discharge(proof, prove_identity(Eq(name, values[name]), [known]))
        proof = kernel.choose(fact, multiple, proof)
    return proof


@control(
    "half_a_turn",
    {"W": 4, "kappa": 1, "i": 1, "a": 1, "g": 0},
    angle=lambda x, W: sympy.pi * x / W,
)
@proves(INTEGER_PHASE, "rotation")
def rotation(of: Phases) -> Theorem:
    """A multiple of W is a whole number of turns."""
    premise, goal = T.inner(statements.rotation(of)).args
    proof = _representatives(goal, [premise], [(statements.first, statements.i * statements.kappa)])
    return T.implication(proof, premise)


_FOUR = {"W": 4, "kappa": 1, "i": 0, "j": 1, "s": 1, "a": 0, "b": 1, "c": 1, "d": 2}


@control(
    "phase_squared",
    _FOUR | {"q1": 1, "q2": 0, "k1": 0, "k2": 1},
    angle=lambda x, W: 2 * sympy.pi * x**2 / W,
)
@proves(INTEGER_PHASE, "scores")
def scores(of: Phases) -> Theorem:
    """Each phase turns like its position, and the shift cancels."""
    premise, goal = T.inner(statements.scores(of)).args
    i, j, shift = statements.i, statements.j0, statements.shift
    places = [at * statements.kappa for at in (i, j, i + shift, j + shift)]
    phases = list(zip(statements.phases, places, strict=True))
    proof = _representatives(goal, premise.args, phases)
    return T.implication(T.unpack(proof, premise), premise)


def _bounded_product(
    goal: Any, first: tuple[Node, Node], second: tuple[Node, Node], facts: Sequence[Node]
) -> Theorem:
    """-b <= x y <= b from x and y between -+ their bounds; margins (bound + x, bound - x)."""
    down, up = node(goal).args
    (x_low, x_high), (y_low, y_high) = first, second
    half = Fraction(1, 2)
    same = half * (x_high * y_high) + half * (x_low * y_low)
    crossed = half * (x_high * y_low) + half * (x_low * y_high)
    return T.both(prove_nonneg(down, same, facts), prove_nonneg(up, crossed, facts))


def _margins(value: Any, bound: Any) -> tuple[Node, Node]:
    low, high = node(statements.within(value, bound)).args
    return T.margin(low), T.margin(high)


#: The largest phase, every operation rounded up.
_ROUNDED_UP = {"W": 2, "x": 1, "u": Fraction(1, 2)} | dict.fromkeys(
    ("d1", "d2", "d3"), Fraction(1, 2)
)


@control("one_rounding_of_three", _ROUNDED_UP, rounding=lambda u: sympy.pi * u)
@control("half_of_it", _ROUNDED_UP, rounding=lambda u: statements.phase_rounding(u) / 2)
@control("a_turn_twice", {**_ROUNDED_UP}, angle=lambda x, W: 4 * sympy.pi * x / W)
@proves(INTEGER_PHASE, "angle")
def angle(of: Phases) -> Theorem:
    """Half a turn at most, times what three roundings multiply it by."""
    premise, goal = T.inner(statements.angle(of)).args
    facts = T.conjuncts(premise)
    u = node(statements.u)
    roundings = [node(d) for d in (statements.d1, statements.d2, statements.d3)]
    margins = [_margins(d, statements.u) for d in roundings]
    small = T.margin(node(vocabulary.Le(statements.u, 1)))
    growth = (1 + u) ** 3 - 1
    product = (1 + roundings[0]) * (1 + roundings[1]) * (1 + roundings[2]) - 1
    sizes = [low + small for low, _ in margins]  # 1 + d, visibly non-negative
    up = (
        margins[0][1] * (1 + u) ** 2
        + sizes[0] * margins[1][1] * (1 + u)
        + sizes[0] * sizes[1] * margins[2][1]
    )
    down = (
        margins[0][0] * small**2
        + sizes[0] * margins[1][0] * small
        + sizes[0] * sizes[1] * margins[2][0]
        + 6 * u**2
    )
    high = prove_nonneg(Le(product, growth), up, facts)
    low = prove_nonneg(Le(num(0) - growth, product), down, facts)
    exact_angle = node(of.angle(statements.x, statements.W))
    share = pi / node(statements.W)
    below, above = (T.margin(fact) for fact in facts[:2])
    turn = [
        prove_nonneg(Le(num(0) - pi, exact_angle), share * below, facts),
        prove_nonneg(Le(exact_angle, pi), share * above, facts),
    ]
    known = [*facts, *(fact.conclusion for fact in (low, high, *turn))]
    first = T.margin(turn[0].conclusion), T.margin(turn[1].conclusion)
    second = T.margin(low.conclusion), T.margin(high.conclusion)
    proof = _bounded_product(goal, first, second, known)
    proof = T.discharge(proof, low, high, *turn)
    return T.implication(T.unpack_all(proof, premise), premise)


def _given(premise: Node, facts: Sequence[Node]) -> Theorem:
    """A conjunction whose parts are among the facts or follow from them."""
    if premise.head == "and":
        return T.both(*(_given(part, facts) for part in premise.args))
    if any(kernel.same(premise, fact) for fact in facts):
        return kernel.assume(premise)
    return prove_nonneg(premise, num(0), facts)


_LIBRARY_OFF = {"W": 2, "x": 0, "phi": 0, "u": 0, "v": 0, "omega": 0, "tau": 1} | {
    "d4": 1,
    "d5": 0,
    "d6": 0,
    "d7": 0,
    "e1": 0,
    "e2": 0,
}


@control("library_forgotten", _LIBRARY_OFF, entry=lambda library, cast: cast)
@control(
    "cast_forgotten",
    {**_LIBRARY_OFF, "tau": 0, "d4": 0, "v": 1, "d6": 1},
    entry=lambda library, cast: library,
)
@proves(INTEGER_PHASE, "table")
def table(of: Phases) -> Theorem:
    """A chord of the angle's error, and what library and cast add to a point of the circle."""
    premise, goal = T.inner(statements.entries(of)).args
    facts = T.conjuncts(premise)
    phi, exact_angle = node(statements.phi), node(of.angle(statements.x, statements.W))
    bound = node(of.rounding(statements.u))
    stated = T.inner(statements_of_rounding.table(statements_of_rounding.Rounding()))
    renamed = {
        "c": cos(phi),
        "s": sin(phi),
        "u": node(statements.u_c),
        "kappa": node(statements.tau),
        "d1": node(statements.d4),
        "d2": node(statements.d5),
        "d3": node(statements.d6),
        "d4": node(statements.d7),
    }
    at = {node(getattr(statements_of_rounding, name)): value for name, value in renamed.items()}
    whole = kernel.specialise(rounding_proofs.table.run(statements_of_rounding.Rounding()), at)
    entry = kernel.modus(whole, _given(substitute(stated.args[0], at), facts))
    arc = rounding_proofs.chord_below_arc.run(statements_of_rounding.Rounding())
    ends = {node(statements_of_rounding.phi): phi, node(statements_of_rounding.psi): exact_angle}
    chord = kernel.project(kernel.specialise(arc, ends), 0)
    low, high = _margins(
        statements.phi - of.angle(statements.x, statements.W), of.rounding(statements.u)
    )
    moved = chord.conclusion.args[0]
    shorter = prove_nonneg(
        Le(moved, bound**2), T.margin(chord.conclusion) + low * high, [*facts, chord.conclusion]
    )
    shorter = T.discharge(shorter, chord)
    u = node(statements.u)
    tau, cast = node(statements.tau), node(statements.u_c)
    added = tau + cast + tau * cast + node(sympy.sqrt(2) * statements.omega)
    sizes = [
        prove_nonneg(Le(0, entry.conclusion.args[1].args[0]), added, facts),
        prove_nonneg(Le(0, bound), pi * (3 * u + 3 * u**2 + u**3), facts),
    ]
    whole = sum_of(entry, shorter, sizes)
    proof = T.discharge(prove_nonneg(goal, T.margin(whole.conclusion), [whole.conclusion]), whole)
    return T.implication(T.unpack_all(proof, premise), premise)


@control(
    "step_not_the_nearest",
    {"W": 2, "kappa": 0, "theta": sympy.pi, "P": 1, "L": 1},
    residue=Fraction(1),
)
@proves(INTEGER_PHASE, "frequency")
def frequency(of: Phases) -> Theorem:
    """W theta / (2 pi) - kappa, in radians a position."""
    premise, goal = T.inner(statements.frequency(of)).args
    facts = T.conjuncts(premise)
    below, above = (T.margin(fact) for fact in facts[:2])
    share = 2 * pi / node(statements.W)
    kept, moved = goal.args
    one = T.both(
        prove_nonneg(kept.args[0], share * above, facts),
        prove_nonneg(kept.args[1], share * below, facts),
    )
    sides = [T.margin(part.conclusion) for part in T.parts(one)]
    known = [*facts, *kept.args]
    place = (T.margin(facts[2]), T.margin(facts[3]))
    many = T.discharge(_bounded_product(moved, place, (sides[0], sides[1]), known), *T.parts(one))
    return T.implication(T.unpack_all(T.both(one, many), premise), premise)


# ---------------------------------------------------------------------- precision.library_defaults
#: The late example with angles that were not rounded to float32.
UNROUNDED = {
    71: ("0x1.ebde2508p+5", "0x1.c3c11cp-3", "-0x1.f36374p-1"),
    80: ("0x1.151bcccp+6", "0x1.f94982p-1", "0x1.4a8c7cp-3"),
    83: ("0x1.1f800ad4p+6", "-0x1.db2c7ep-1", "0x1.7d5576p-2"),
    92: ("0x1.3eacc51p+6", "-0x1.b5ea0ep-2", "-0x1.ced1c2p-1"),
}


def _at(statement: Any, position: int) -> Theorem:
    """A statement about one position: comparisons of numbers, decided in rationals and balls."""
    premise, goal = T.inner(statement).args

    def prove(part: Node) -> Theorem:
        return T.both(*map(prove, part.args)) if part.head == "and" else kernel.ground(part)

    proof = prove(substitute(goal, {n: num(position)}))
    return T.implication(T.rewrite(goal, n, position, proof), premise)


@control("angles_in_float64", {"n": 71}, entries=UNROUNDED, bits=statements.DOUBLE)
@control("tolerance_doubled", {"n": 71}, torch=(Fraction(2, 10**5), Fraction(13, 10**7)))
@proves(LIBRARY_DEFAULTS, "torch", "positions 71, 80, 83 and 92")
def torch(of: Defaults) -> Theorem:
    """Every number is the nearest one to what it stands for, and the gap is too large."""
    return _at(statements.torch_violated(of), statements.LATE[0])


@control("tolerance_of_torch", {"n": 1}, allclose=statements.Defaults().torch)
@proves(LIBRARY_DEFAULTS, "numpy", "positions 1, 4, 10 and 13")
def numpy(of: Defaults) -> Theorem:
    return _at(statements.numpy_violated(of), statements.EARLY[0])


def _half_score(vector: Any, accumulation: Any, storage: Any) -> Any:
    return statements.composed(vector, accumulation, storage) / 2


@control("one_length_earlier", {"n": 74}, length=74)
@control("half_of_the_bound", {"n": 75}, score=_half_score)
@control("angles_forgotten", {"n": 75}, vector=lambda entry, product, output: product)
@proves(LIBRARY_DEFAULTS, "guaranteed", "d = 128, base 10000")
def guaranteed(of: Defaults) -> Theorem:
    return _at(statements.guaranteed(of), of.length)
