"""Proofs of `theory.mobius.alternatives`: one function a clause, named after it."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

import sympy
from sympy import cos, pi, sin

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Node, free_variables, num, power, substitute
from posproof.proofs_check.language import cos as kernel_cos
from posproof.proofs_check.language import sin as kernel_sin
from posproof.proofs_check.rationals import integral_root
from posproof.proofs_check.search import (
    prove_by_induction,
    prove_contradiction,
    prove_each,
    prove_identity,
    prove_nonneg,
    prove_order,
)
from posproof.theory.mobius.alternatives import (
    ALGEBRAIC_LADDERS,
    APERIODIC_DISTANCE,
    DECIMAL_BASES,
    PERIODIC_CONTROL,
    Alternatives,
    D,
    N,
    link,
    m,
)
from posproof.theory.mobius.ladder import frequency, rotation
from posproof.theory.symbols import Variable, variables
from posproof.theory.vocabulary import (
    And,
    Eq,
    Exists,
    Int,
    Integer,
    Le,
    Lt,
    Ne,
    Or,
    Positive,
    Rational,
    Real,
    control,
    proves,
)

i, count = variables("i m", Int(0))
half = Variable("h", Int(1))
a, y, phi, theta = variables("a y phi theta", Real)
j, k, t, offset, p = variables("j k t E p", Integer)
size = Variable("n", Int(2))  # planes less one
d = Variable("d", Int(1))
base = Variable("b", Rational)
epsilon, root, scale = variables("epsilon rho theta", Positive)


def _clause(claim: Any, name: str, of: Alternatives) -> Node:
    """The clause without its outer quantifiers."""
    goal = T.node(claim.clause(name).statement(of))
    while goal.head == "forall":
        goal = goal.args[1]
    return goal


# ---------------------------------------------------------------------- mobius.periodic_control
def _mobius(i: Any, N: Any, shift: int) -> Any:
    return frequency(i, N)


def _other_middle(m: Any, N: Any, D: Any, shift: int) -> Any:
    middle = pi * (m + 2 * shift) * D / N
    return cos(middle) * sin(pi * m * D / N) / sin(pi * D / N)


def _telescoped(of: Alternatives, shift: int) -> Theorem:
    """sin(x) K(D) = cos((m - 1 + 2 o) x) sin(m x) with x = pi D / N, for every m >= 1."""
    x = pi * D / N
    kernel_sum = of.periodic_kernel(count, N, D, shift)
    cleared = Eq(sin(x) * kernel_sum, cos((count - 1 + 2 * shift) * x) * sin(count * x))
    return kernel.specialise(prove_by_induction(count, cleared), {T.node(count): T.node(m)})


@control("mobius_ladder", periodic_frequency=_mobius)
@control("other_middle", closed_periodic=_other_middle)
@proves(PERIODIC_CONTROL, "periodic_closed_form")
def periodic_closed_form(of: Alternatives) -> Theorem:
    """The sum telescopes after multiplication by sin(pi D / N); then divide."""
    premise, goal = _clause(PERIODIC_CONTROL, "periodic_closed_form", of).args

    def divided(part: Node, shift: int) -> Theorem:
        cleared = _telescoped(of, shift)
        return T.discharge(prove_identity(part, [premise, cleared.conclusion]), cleared)

    return T.implication(T.both(divided(goal.args[0], 0), divided(goal.args[1], 1)), premise)


@control("mobius_ladder", periodic_frequency=_mobius)
@proves(PERIODIC_CONTROL, "periodic_second_form")
def periodic_second_form(of: Alternatives) -> Theorem:
    """2 cos((m + 1) x) sin(m x) = sin((2 m + 1) x) - sin(x)."""
    premise, goal = _clause(PERIODIC_CONTROL, "periodic_second_form", of).args
    cleared = _telescoped(of, 1)
    divided = T.discharge(prove_identity(goal, [premise, cleared.conclusion]), cleared)
    return T.implication(divided, premise)


_AT_ZERO = {"m": 1, "N": 1, "D": 0}


@control("mobius_ladder", periodic_frequency=_mobius)
@control("mobius_symmetry", _AT_ZERO, end_sign=-1)
@proves(PERIODIC_CONTROL, "periodic_symmetries")
def periodic_symmetries(of: Alternatives) -> Theorem:
    """Whole turns do not change a cosine, and the cosine is even."""
    parts = _clause(PERIODIC_CONTROL, "periodic_symmetries", of).args
    return T.both(*(prove_each(part, prove_identity) for part in parts))


@control("mobius_ladder", periodic_frequency=_mobius)
@proves(PERIODIC_CONTROL, "periodic_holonomy")
def periodic_holonomy(of: Alternatives) -> Theorem:
    """The phase is an even multiple of pi."""
    return prove_each(_clause(PERIODIC_CONTROL, "periodic_holonomy", of), prove_identity)


@control("no_half_bin", frequency=lambda i, N: 2 * pi * i / N)
@proves(PERIODIC_CONTROL, "half_bin")
def half_bin(of: Alternatives) -> Theorem:
    """pi (2 i + 1) D / N = pi D / N + 2 pi i D / N."""
    return prove_identity(_clause(PERIODIC_CONTROL, "half_bin", of))


# ---------------------------------------------------------------------- mobius.algebraic_ladders


# ---------------------------------------------------------------------- mobius.algebraic_ladders
def _away_from_poles(value: Any, is_algebraic: Theorem) -> tuple[Theorem, Theorem]:
    """cos(theta E) != -1 and cos(theta E) != 1, from theta != 0 algebraic and E != 0."""
    angle, moves, turns = value * offset, T.node(Ne(offset, 0)), T.node(Ne(value, 0))
    lindemann = T.apply(kernel.cite("pi_is_transcendental"), [value], is_algebraic)

    def never(lemma: Theorem, cosine: int, multiple: Any, nonzero: Theorem) -> Theorem:
        # theta E = multiple * pi, and the multiple is not 0.
        met = T.node(Eq(cos(angle), cosine))
        turned = T.apply(lemma, [angle], kernel.assume(met))
        whole = T.body(turned, k)
        apart = T.apply(lindemann, [offset, multiple], T.both(kernel.assume(moves), nonzero))
        equal = prove_identity(apart.conclusion.args[0], [whole])
        return T.conclude_not(T.obtain(turned, k, kernel.clash(equal, apart)), met)

    zero = T.node(Eq(2 * k, 0))
    odd = T.node(Eq(2 * k + 1, 0))
    no_turn = T.no_integer_inside(k, [odd])
    even_half = T.discharge(prove_contradiction([odd, no_turn.conclusion]), no_turn)
    full = kernel.meaning("full_turns")
    stands = prove_contradiction([zero, Eq(angle, 2 * pi * k), moves, turns])
    return (
        never(T.odd_turns(), -1, 2 * k + 1, T.conclude_not(even_half, odd)),
        never(full, 1, 2 * k, T.conclude_not(stands, zero)),
    )


@control("hypothesis_dropped", {"theta": pi / 8, "E": 8}, algebraic=lambda value: Le(0, value**2))
@control(
    "mobius_frequencies",
    {"theta": pi / 8, "E": 8},
    algebraic=lambda value: Exists(j, Eq(8 * value, pi * (2 * j + 1))),
)
@proves(ALGEBRAIC_LADDERS, "never_returns", "all algebraic theta, all integers E")
def never_returns(of: Alternatives) -> Theorem:
    """theta E = pi k would make pi algebraic, unless k = 0."""
    premise, _ = _clause(ALGEBRAIC_LADDERS, "never_returns", of).args
    minus, plus = _away_from_poles(theta, T.assume(premise.args[0]))
    return T.implication(T.unpack(T.both(minus, plus), premise), premise)


def _is_algebraic(of: Alternatives) -> Theorem:
    """theta^d = 1 / b^(2 i), a rational number."""
    given = [Lt(0, base), of.power_relation(scale, base, d, i)]
    rational = Eq(scale**d, 1 / base ** (2 * i))
    return kernel.algebraic(T.node(scale), prove_identity(rational, given))


def _ladder_of_mobius(theta: Any, base: Any, d: Any, i: Any) -> Any:
    return Eq(theta * d, pi * (2 * i + 1))


def _an_integer(value: Any) -> Any:
    return Exists(j, Eq(value, j))


@control("integers_only", {"theta": Fraction(1, 2), "b": 2, "d": 2, "i": 1}, algebraic=_an_integer)
@proves(ALGEBRAIC_LADDERS, "conventional_ladder", "all rational b > 0, all d, all i")
def conventional_ladder(of: Alternatives) -> Theorem:
    """A root of a rational number is algebraic."""
    goal = T.node(of.algebraic(scale))
    return kernel.cut(_is_algebraic(of), kernel.assume(goal))


@control(
    "mobius_ladder",
    {"theta": pi / 8, "b": 1, "d": 8, "i": 0, "E": 8},
    power_relation=_ladder_of_mobius,
)
@proves(ALGEBRAIC_LADDERS, "conventional_never_returns", "all rational b > 0, all d, i, E")
def conventional_never_returns(of: Alternatives) -> Theorem:
    """theta is algebraic and positive."""
    away = T.both(*_away_from_poles(scale, _is_algebraic(of)))
    vanishes = T.node(Eq(scale, 0))
    return T.discharge(away, T.conclude_not(prove_contradiction([vanishes]), vanishes))


def _odd_positions(of: Alternatives, both: Node) -> tuple[Theorem, Theorem]:
    """D = N (2 j + 1) and D rho = N (2 k + 1) for integers, when both planes are at -I."""
    angles = (of.band_edge(N) * D, of.band_edge(N) * root * D)
    turned = []
    for angle, reached in zip(angles, both.args, strict=True):
        cosine = prove_identity(Eq(cos(angle), -1), [reached])
        turned.append(T.apply(T.odd_turns(), [angle], cosine))
    return turned[0], turned[1]


@control("twice_the_edge", {"N": 2, "D": 1, "rho": 1}, band_edge=lambda N: 2 * pi / N)
@control("plus_identity", {"N": 1, "D": 2, "rho": 1}, rotation=lambda phi: -rotation(phi))
@proves(ALGEBRAIC_LADDERS, "band_needs_odd_ratio", "all N, all real D, all rho > 0")
def band_needs_odd_ratio(of: Alternatives) -> Theorem:
    """cos x = -1 only at odd multiples of pi; divide by pi / N."""
    both, odd = _clause(ALGEBRAIC_LADDERS, "band_needs_odd_ratio", of).args

    def divided(turned: Theorem, goal: Node) -> Theorem:
        instance = prove_identity(T.body_of(goal, k), [T.body(turned, k)])
        return T.obtain(turned, k, T.exists(goal, k, instance))

    proofs = [divided(*pair) for pair in zip(_odd_positions(of, both), odd.args, strict=True)]
    return T.implication(T.unpack(T.both(*proofs), both), both)


def _too_large() -> Theorem:
    """3 <= r |- 2 n + 2 <= r^n, for n >= 2."""
    statement = T.node(Le(2 * size + 2, root**size))
    three = T.node(Le(3, root))
    base_case = prove_order(substitute(statement, {T.node(size): num(2)}), [three])
    step = prove_nonneg(
        substitute(statement, {T.node(size): T.node(size) + 1}),
        T.node(root) * T.margin(statement)
        + T.node(2 * size + 2) * T.margin(three)
        + T.node(4 * size + 2),
        [statement, three],
    )
    return kernel.induct(T.node(size), statement, base_case, step)


@control("two_planes", {"n": 1, "rho": 3, "N": 1, "D": 1}, fewest_planes=2)
@proves(ALGEBRAIC_LADDERS, "band_misses", "all m >= 3, all N, all real D")
def band_misses(of: Alternatives) -> Theorem:
    """rho would be rational, so an integer, so odd; but 1 < rho < 3, as 1 < 2 m - 1 < 3^(m - 1)."""
    relation, denied = _clause(ALGEBRAIC_LADDERS, "band_misses", of).args
    both = denied.args[0]
    first, second = _odd_positions(of, both)
    odds = [T.body(first, j), T.body(second, k)]
    r = Variable("r", Integer)
    ratio = prove_identity(Eq((2 * j + 1) * root, 2 * k + 1), odds)
    squared = prove_identity(
        Eq((2 * j + 1) ** 2 * root, (2 * j + 1) * (2 * k + 1)), [ratio.conclusion]
    )
    product = kernel.instantiate(T.consecutive(), T.node(j))
    unit = T.discharge(prove_order(Le(1, (2 * j + 1) ** 2), [product.conclusion]), product)
    whole = T.apply(
        integral_root(),
        [root, (2 * j + 1) ** 2, (2 * j + 1) * (2 * k + 1), 2 * size + 1, size],
        T.both(unit, squared, kernel.assume(relation)),
    )
    integer = T.body(whole, r)

    one = _not_one(relation, integer)
    two = prove_identity(Eq(2 * (2 * j + 1), 2 * k + 1), [ratio.conclusion, integer, Eq(r - 2, 0)])
    parity = T.no_integer_inside(2 * j + 1 - k, [two.conclusion])
    two = T.discharge(prove_contradiction([two.conclusion, parity.conclusion]), parity, two)
    three = prove_order(Le(3, root), [Le(1, r - 2), integer])
    large = T.discharge(_too_large(), three)
    three = T.discharge(T.contradict([large.conclusion, relation]), large)

    spread = kernel.instantiate(kernel.meaning("integers_apart"), T.node(r - 2))
    proof = T.discharge(kernel.cases(spread, one, two, three), ratio)
    proof = T.obtain(whole, r, proof)
    proof = T.discharge(proof, ratio)
    proof = T.obtain(second, k, T.obtain(first, j, proof))
    return T.implication(T.conclude_not(T.unpack(proof, both), both), relation)


def _not_one(relation: Node, integer: Node) -> Theorem:
    """rho = r <= 1 contradicts rho^n = 2 n + 1: then rho = 1."""
    r = Variable("r", Integer)
    low = T.node(Le(r - 2, -1))
    positive = prove_order(Lt(0, r), [integer])
    least = kernel.integer_step(positive)
    below = prove_order(Le(r, 1), [low])
    above = prove_order(Le(1, r), [least.conclusion])
    unit = kernel.antisymmetry(below, T.discharge(above, least))
    same = T.discharge(prove_identity(Eq(root, 1), [integer, unit.conclusion]), unit)
    ones = prove_by_induction(count, Eq(power(num(1), T.node(count)), num(1)))
    ones = kernel.specialise(ones, {T.node(count): T.node(size)})
    place = Variable("y", Real)
    unit_power = T.transport(Eq(place**size, 1), place, same, ones)
    return T.discharge(T.contradict([unit_power.conclusion, relation]), unit_power)


# ---------------------------------------------------------------------- mobius.aperiodic_distance
def _reflection(phi: Any) -> sympy.ImmutableMatrix:
    return sympy.ImmutableMatrix([[cos(phi), sin(phi)], [sin(phi), -cos(phi)]])


@control("reflection", rotation=_reflection)
@control("sine_chord", chord=lambda phi: 2 * sin(phi / 2))
@proves(APERIODIC_DISTANCE, "plane_distance")
def plane_distance(of: Alternatives) -> Theorem:
    """(R + I)^T (R + I) = (2 + 2 cos phi) I, and half angles."""
    return prove_identity(_clause(APERIODIC_DISTANCE, "plane_distance", of))


@control("distance_to_plus_one", mean_sign=-1)
@proves(APERIODIC_DISTANCE, "rms_distance")
def rms_distance(of: Alternatives) -> Theorem:
    """Each term is 2 + 2 cos(theta_i D), and sums are linear."""
    return prove_identity(_clause(APERIODIC_DISTANCE, "rms_distance", of))


# ---------------------------------------------------------------------- mobius.decimal_bases
#: 2 (n + 1) a = pi with n = 2 h: the angle of the bound.
_FULL = T.node(Eq(2 * (2 * half + 1) * a, pi))
_LOW = T.node(Le(0, y))


def _far_bound() -> Theorem:
    """y < 2 a gives cos(pi - 2 a) < cos(n y): then n y < pi - 2 a."""
    near = T.node(Lt(y, 2 * a))
    ratio = T.node(2 * half)
    positive = prove_nonneg(Le(0, ratio * T.node(y)), ratio * T.node(y), [_LOW])
    inside = prove_nonneg(
        Lt(ratio * T.node(y), pi - 2 * a), ratio * T.margin(near), [_LOW, near, _FULL]
    )
    short = prove_nonneg(Le(pi - 2 * a, pi), T.node(pi / (2 * half + 1)), [_FULL])
    premise = T.both(positive, inside, short)
    return T.apply(T.cosine_decreases(), [ratio * T.node(y), pi - 2 * a], premise)


@lru_cache
def _two_planes() -> Theorem:
    """cos y <= cos 2 a or -cos 2 a <= cos n y, for 0 <= y <= pi."""
    goal = T.node(Or(Le(cos(y), cos(2 * a)), Le(-cos(2 * a), cos(2 * half * y))))
    far = _far_bound()
    turned = prove_nonneg(goal.args[1], T.margin(far.conclusion), [far.conclusion])
    near = T.alternative(T.discharge(turned, far), goal)

    start = prove_nonneg(Le(0, 2 * a), T.node(pi / (2 * half + 1)), [_FULL])
    premise = T.both(start, T.assume(Le(2 * a, y)), T.assume(Le(y, pi)))
    falls = T.apply(T.cosine_falls(), [2 * a, y], premise)
    return T.compare(y, 2 * a, near, T.alternative(falls, goal))


@lru_cache
def _only_one_angle() -> Theorem:
    """cos 2 a <= cos y and cos n y <= -cos 2 a force y = 2 a."""
    near, far = T.node(Le(cos(2 * a), cos(y))), T.node(Le(cos(2 * half * y), -cos(2 * a)))
    start = prove_nonneg(Le(0, 2 * a), T.node(pi / (2 * half + 1)), [_FULL])
    strict = T.apply(
        T.cosine_decreases(),
        [2 * a, y],
        T.both(start, T.assume(Lt(2 * a, y)), T.assume(Le(y, pi))),
    )
    below_goal, above_goal = T.node(Le(y, 2 * a)), T.node(Le(2 * a, y))
    too_far = T.discharge(T.contradict([near, strict.conclusion], degree=1), strict)
    below = T.compare(2 * a, y, T.ex_falso(too_far, below_goal), kernel.assume(below_goal))
    bound = _far_bound()
    straight = T.node(Lt(-cos(2 * a), cos(2 * half * y)))
    turned = prove_nonneg(straight, T.margin(bound.conclusion), [bound.conclusion])
    too_near = T.discharge(T.contradict([far, straight], degree=1), T.discharge(turned, bound))
    above = T.compare(y, 2 * a, T.ex_falso(too_near, above_goal), kernel.assume(above_goal))
    return kernel.antisymmetry(below, above)


def _folded(lemma: Theorem, size: Any, angle: Any, conclude: Any) -> Theorem:
    """A conclusion from a lemma about y in [0, pi], at y = |phi - pi (2 k + 1)|, phi the angle.

    `size` is h; `conclude(instance, y)` proves what is wanted from the lemma at one y.
    """
    place, h = T.node(angle), T.node(size)
    turns = T.apply(kernel.meaning("floor"), [place / T.node(2 * pi)])
    low, high = T.body(turns, k).args
    x = place - T.node(pi * (2 * k + 1))
    step = T.node(2 * pi)
    smallest = prove_nonneg(Le(0, T.node(pi) + x), step * T.margin(low), [low])
    largest = prove_nonneg(Le(0, T.node(pi) - x), step * T.margin(high), [high])
    bound = T.node(pi) / (2 * (2 * h + 1))

    def at(value: Node, sign: Node, room: Theorem) -> Theorem:
        names = {T.node(half): h, T.node(a): bound, T.node(y): value}
        instance = kernel.specialise(lemma, names)
        inside = (
            prove_nonneg(Le(0, value), T.margin(sign), [sign]),
            prove_nonneg(Le(value, pi), T.margin(room.conclusion), [room.conclusion]),
            prove_identity(substitute(_FULL, names)),
        )
        return T.discharge(conclude(T.discharge(instance, *inside), value), room)

    left, right = T.node(Lt(x, 0)), T.node(Le(0, x))
    proof = T.compare(x, 0, at(num(0) - x, left, smallest), at(x, right, largest))
    return T.obtain(turns, k, T.unpack(proof, T.body(turns, k)))


def _bound_of_two(size: Any, angle: Any, goal: Node, scale_by: int) -> Theorem:
    """One of two planes of ratio 2 h is far; the goal speaks of scale_by / 2 times the lemma."""

    def conclude(instance: Theorem, value: Node) -> Theorem:
        def branch(which: int) -> Theorem:
            fact = instance.conclusion.args[which]
            part = num(scale_by) / 2 * T.margin(fact)
            return T.alternative(prove_nonneg(goal.args[which], part, [fact]), goal)

        return kernel.cases(instance, branch(0), branch(1))

    return _folded(_two_planes(), size, angle, conclude)


def _bound_of_ratio_less_one(n: Any) -> Any:
    return sin(pi / (2 * n))


_EXTREMAL = {"h": 1, "phi": 4 * pi / 3}


@control("odd_ratio", ratio_offset=1)
@control("bound_of_ratio_less_one", _EXTREMAL, decade_bound=_bound_of_ratio_less_one)
@proves(DECIMAL_BASES, "even_ratio_bound", "all even n, all phi")
def even_ratio_bound(of: Alternatives) -> Theorem:
    """If phi is within e of an odd multiple of pi, n phi is within n e of an even one."""
    goal = _clause(DECIMAL_BASES, "even_ratio_bound", of)
    return _bound_of_two(half, phi, goal, 1)


@control("odd_ratio", ratio_offset=1)
@control("bound_of_ratio_less_one", decade_bound=_bound_of_ratio_less_one)
@control("odd_multiple_of_pi", extremal_angle=lambda n: pi)
@proves(DECIMAL_BASES, "even_ratio_attained", "all even n")
def even_ratio_attained(of: Alternatives) -> Theorem:
    """phi / 2 = pi / 2 + a and n phi / 2 = h pi + pi / 2 - a, with 2 (n + 1) a = pi."""
    goal = _clause(DECIMAL_BASES, "even_ratio_attained", of)
    n = of.even_ratio(half)
    bound = pi / (2 * (n + 1))
    halves = (of.extremal_angle(n) / 2, n * of.extremal_angle(n) / 2)
    places = (pi / 2 + a, half * pi + pi / 2 - a)

    def at(part: Node, angle: Any, place: Any) -> Theorem:
        near = T.prove_at(Eq(cos(y) ** 2, sin(a) ** 2), y, place)
        near = kernel.specialise(near, {T.node(y): T.node(angle), T.node(a): T.node(bound)})
        placed = prove_identity(near.hypotheses[0])
        near = T.discharge(near, placed)
        return T.discharge(prove_identity(part, [near.conclusion]), near)

    return T.both(*(at(*row) for row in zip(goal.args, halves, places, strict=True)))


@control("even_ratio", odd_offset=0)
@proves(DECIMAL_BASES, "odd_ratio", "all odd n, all odd multiples of pi")
def odd_ratio(of: Alternatives) -> Theorem:
    """An odd multiple of an odd multiple of pi / 2 is one again."""
    return prove_each(_clause(DECIMAL_BASES, "odd_ratio", of), prove_identity)


def _powers_of_three(i: Any, d: Any) -> Any:
    return sympy.Integer(3) ** (-8 * i / d)


@control("powers_of_three", decimal_frequency=_powers_of_three)
@control("ratio_eleven", ratio_offset=1)
@proves(DECIMAL_BASES, "decades", "all i, all d divisible by 8")
def decades(of: Alternatives) -> Theorem:
    """10^(-i / h) = 10^(1 - (i + h) / h)."""
    return prove_identity(_clause(DECIMAL_BASES, "decades", of))


#: The offset the specification prints for the ratio 3.
_CLOSE_CALL = {"i": 0, "h": 1, "D": 1459097}


@control("ratio_three", _CLOSE_CALL, decimal_frequency=_powers_of_three)
@control(
    "bound_of_ratio_nine",
    {"i": 0, "h": 1, "D": 120 * pi / 11},
    decade_bound=_bound_of_ratio_less_one,
)
@proves(DECIMAL_BASES, "bounded_away", "all real D, all i, all d divisible by 8")
def bounded_away(of: Alternatives) -> Theorem:
    """The bound for n = 10 at the angles theta_{i+h} D and theta_i D = 10 theta_{i+h} D."""
    goal = _clause(DECIMAL_BASES, "bounded_away", of)
    here = T.node(of.decimal_frequency(i, 8 * half) * D)
    later = T.node(of.decimal_frequency(i + half, 8 * half) * D)
    return _ratio_ten(of, here, later, goal)


def _ratio_ten(of: Alternatives, here: Node, later: Node, goal: Node) -> Theorem:
    """low <= chord(here)^2 or low <= chord(later)^2, when here = 10 later."""
    low = (2 * of.decade_bound(10)) ** 2
    split = T.node(Or(Le(low, of.chord(phi) ** 2), Le(low, of.chord(y) ** 2)))
    pair = substitute(split, {T.node(y): T.node(10 * phi)})
    two = _bound_of_two(5, phi, pair, 4)
    moved = T.rewrite(split, y, 10 * phi, two)
    moved = kernel.specialise(moved, {T.node(phi): later, T.node(y): here})
    moved = T.discharge(moved, prove_identity(Eq(here, 10 * later)))

    def branch(which: int, target: int) -> Theorem:
        fact = moved.conclusion.args[which]
        part = prove_nonneg(goal.args[target], T.margin(fact), [fact])
        return T.alternative(part, goal)

    return kernel.cases(moved, branch(0, len(goal.args) - 1), branch(1, len(goal.args) - 2))


@control("bound_of_ratio_nine", decade_bound=_bound_of_ratio_less_one)
@control("odd_multiple_of_pi", extremal_angle=lambda n: pi)
@proves(DECIMAL_BASES, "chain_attains", "all q >= 0")
def chain_attains(of: Alternatives) -> Theorem:
    """10^q is 1 or -1 modulo 11, by induction; multiples of 22 pi / 11 drop out of the angle."""
    goal = _clause(DECIMAL_BASES, "chain_attains", of)
    shape = T.node(Eq(cos(y * of.extremal_angle(10) / 2) ** 2, of.decade_bound(10) ** 2))

    def at(met: Node) -> Theorem:
        place = prove_identity(substitute(shape, {T.node(y): met.args[1]}))
        moved = T.transport(shape, y, kernel.assume(met), place)
        return T.discharge(prove_identity(goal, [moved.conclusion]), moved)

    residues = _one_modulo_eleven()
    inside = T.body(residues, t)
    proof = kernel.cases(kernel.assume(inside), *(at(met) for met in inside.args))
    return T.obtain(residues, t, proof)


@lru_cache
def _one_modulo_eleven() -> Theorem:
    """10^q = 11 t + 1 or 10^q = 11 t - 1 for an integer t, for every q >= 0."""

    def statement(exponent: Any) -> Node:
        power_of_ten = sympy.Integer(10) ** exponent
        either = Or(Eq(power_of_ten, 11 * t + 1), Eq(power_of_ten, 11 * t - 1))
        return T.node(Exists(t, either))

    def found(exponent: Any, value: Any, which: int, given: list[Any]) -> Theorem:
        def alternatives(goal: Node) -> Theorem:
            return T.alternative(prove_identity(goal.args[which], given), goal)

        return T.exists(substitute(statement(link), {T.node(link): exponent}), value, alternatives)

    above, below = T.body_of(statement(link), t).args
    after = T.node(link) + 1
    step = kernel.cases(
        kernel.assume(T.body_of(statement(link), t)),
        found(after, 10 * t + 1, 1, [above]),
        found(after, 10 * t - 1, 0, [below]),
    )
    step = T.obtain(T.assume(statement(link)), t, step)
    return kernel.induct(T.node(link), statement(link), found(num(0), 0, 0, []), step)


#: Offsets of the ladder 1, 1/10, 1/100, 1/1000 within 1.2 % of the bound, and of the ratio 3.
_NEAR_INFIMUM, _NEAR_MINUS_ONE = {"E": 71971}, {"E": 933}


@control("bound_of_ratio_nine", _NEAR_INFIMUM, decade_bound=_bound_of_ratio_less_one)
@control("ratio_three", _NEAR_MINUS_ONE, decimal_frequency=_powers_of_three)
@proves(DECIMAL_BASES, "infimum", "b = 10^4, d = 8, all integer offsets")
def infimum(of: Alternatives) -> Theorem:
    """E / 1000 comes as close as we like to 12 pi / 11 modulo 2 pi, and the cosine follows."""
    bounded, near = (part.args for part in _parts(DECIMAL_BASES, "infimum", of))
    here, later = (T.node(of.decimal_frequency(q, sympy.Integer(8)) * offset) for q in (2, 3))
    away = T.generalise(_ratio_ten(of, here, later, bounded[1]), offset)

    delta = _turns_close()
    inside = T.body_of(T.body(delta, offset), p)
    goal = near[1]
    instance = T.body_of(goal, offset)
    planes = [
        _plane_near(of, part, 10 ** (3 - q), inside.args) for q, part in enumerate(instance.args)
    ]
    found = T.unpack(T.exists(goal, offset, T.both(*planes)), inside)
    found = T.obtain(T.assume(T.body(delta, offset)), p, found)
    return T.both(away, T.generalise(T.obtain(delta, offset, found), epsilon))


def _parts(claim: Any, name: str, of: Alternatives) -> tuple[Node, ...]:
    return T.node(claim.clause(name).statement(of)).args


@lru_cache
def _pi_is_irrational() -> Theorem:
    """q != 0, p != 0 |- q != p pi, by Lindemann's theorem at the algebraic number 1."""
    one = num(1)
    algebraic = kernel.algebraic(one, prove_identity(Eq(one**1, 1)))
    lindemann = T.apply(
        kernel.cite("pi_is_transcendental"),
        [one],
        algebraic,
    )
    lindemann = T.apply(lindemann, [offset, p], T.assume(And(Ne(offset, 0), Ne(p, 0))))
    equal = T.node(Eq(offset, p * pi))
    met = prove_identity(lindemann.conclusion.args[0], [equal])
    proof = T.conclude_not(kernel.clash(met, lindemann), equal)
    return T.generalise(T.implication(proof, And(Ne(offset, 0), Ne(p, 0))), offset, p)


def _nonzero_multiple(factor: int, nonzero: Theorem) -> Theorem:
    """factor * t != 0 from t != 0."""
    term = nonzero.conclusion.args[0].args[0]
    zero = T.node(Eq(num(factor) * term, num(0)))
    back = prove_identity(Eq(term, num(0)), [zero])
    return T.conclude_not(kernel.clash(back, nonzero), zero)


@lru_cache
def _turns_close() -> Theorem:
    """For every eps > 0 integers E, p with |E / (2000 pi) - p - 6 / 11| < eps / (2000 pi)."""
    room = T.node(epsilon) / T.node(2000 * pi)
    dense = T.apply(
        kernel.cite("kronecker_in_one_dimension"),
        [num(1) / T.node(2000 * pi), num(Fraction(6, 11)), room],
    )
    inner = T.body_of(dense.conclusion.args[0], offset)
    nonzero, denied = T.body_of(inner, p).args
    met = denied.args[0]
    back = prove_identity(Eq(offset, 0), [Eq(p, 0), met])
    turns = T.conclude_not(kernel.clash(back, kernel.assume(nonzero)), Eq(p, 0))
    both = T.both(kernel.assume(nonzero), _nonzero_multiple(2000, turns))
    apart = T.apply(_pi_is_irrational(), [offset, 2000 * p], both)
    equal = prove_identity(apart.conclusion.args[0], [met])
    irrational = T.conclude_not(kernel.clash(equal, apart), met)
    return kernel.modus(dense, T.generalise(T.implication(irrational, nonzero), offset, p))


@lru_cache
def _cosine_near() -> Theorem:
    """2 + 2 (c cos w - s sin w) < (sigma + eps)^2, for 0 <= w < eps, |s| <= sigma, -1 <= c.

    Here 2 + 2 c = sigma^2: the point whose squared chord is sigma^2, moved by w.
    """
    c, s, sigma, w = (T.node(v) for v in variables("c s sigma w", Real))
    eps = T.node(epsilon)
    start, short = T.node(Le(0, w)), T.node(Lt(w, eps))
    below, above = T.node(Le(num(0) - sigma, s)), T.node(Le(s, sigma))
    least, size = T.node(Le(-1, c)), T.node(Le(0, sigma))
    chord = T.node(Eq(2 + 2 * c, sigma**2))
    line = T.apply(kernel.meaning("sine_below_line"), [w], kernel.assume(start))
    minus = T.apply(T.sine_above_minus(), [w], kernel.assume(start))
    parabola = kernel.instantiate(kernel.meaning("cosine_above_parabola"), w)
    wave = kernel_cos(w)
    lifted = (1 - wave) ** 2 + kernel_sin(w) ** 2  # 2 (1 - cos w)
    form = (
        2 * sigma * T.margin(short)
        + T.margin(short) * (eps + w)
        + 2 * T.margin(parabola.conclusion)
        + T.margin(least) * lifted
        + T.margin(below) * T.margin(minus.conclusion)
        + T.margin(above) * T.margin(line.conclusion)
    )
    goal = Lt(2 + 2 * (c * wave - s * kernel_sin(w)), (sigma + eps) ** 2)
    facts = [t.conclusion for t in (line, minus, parabola)]
    proof = prove_nonneg(goal, form, [start, short, below, above, least, size, chord, *facts])
    return T.discharge(proof, line, minus, parabola)


def _plane_near(of: Alternatives, goal: Node, ratio: int, close: tuple[Node, ...]) -> Theorem:
    """chord(theta E)^2 < (2 sin(pi / 22) + eps)^2 for theta = ratio / 1000, from `close`."""
    eps, place = T.node(epsilon), T.node(12 * pi / 11) * ratio
    counted = T.node(Eq(k, ratio * p))  # whole turns of this plane
    moved = T.node(offset) * num(Fraction(ratio, 1000)) - T.node(2 * pi * k) - place
    scale, rest = T.node(2 * pi) * ratio, eps * num(1 - Fraction(ratio, 1000))
    low, high = close
    below = prove_nonneg(Lt(num(0) - moved, eps), scale * T.margin(low) + rest, [low, counted])
    above = prove_nonneg(Lt(moved, eps), scale * T.margin(high) + rest, [high, counted])
    sigma = T.node(2 * of.decade_bound(10))
    names = [T.node(v) for v in variables("c s sigma w", Real)]

    def at(sine: Node, shift: Node, sign: Node, room: Theorem) -> Theorem:
        values = (kernel_cos(place), sine, sigma, shift)
        near = kernel.specialise(_cosine_near(), dict(zip(names, values, strict=True)))
        constants = [
            kernel.ground(h) if h.head != "eq" else prove_identity(h)
            for h in near.hypotheses
            if not free_variables(h)
        ]
        start = prove_nonneg(Le(num(0), shift), T.margin(sign), [sign])
        near = T.discharge(near, *constants, start, room)
        proof = prove_nonneg(goal, T.margin(near.conclusion), [near.conclusion])
        return T.discharge(proof, near)

    left, right = T.node(Lt(moved, num(0))), T.node(Le(num(0), moved))
    sine = kernel_sin(place)
    proof = T.compare(
        moved,
        num(0),
        at(num(0) - sine, num(0) - moved, left, below),
        at(sine, moved, right, above),
    )
    proof = kernel.specialise(proof, {T.node(k): T.node(ratio * p)})
    return T.discharge(proof, prove_identity(Eq(ratio * p, ratio * p)))


@control("bound_of_ratio_nine", _NEAR_INFIMUM, decade_bound=_bound_of_ratio_less_one)
@control("ratio_three", _NEAR_MINUS_ONE, decimal_frequency=_powers_of_three)
@proves(DECIMAL_BASES, "not_attained", "b = 10^4, d = 8, all integer offsets")
def not_attained(of: Alternatives) -> Theorem:
    """Equality would put E / 1000 at an odd multiple of pi plus or minus pi / 11."""
    reached = _clause(DECIMAL_BASES, "not_attained", of).args[0]
    tenfold, single = reached.args[2:]
    here = T.node(offset) / 1000

    def conclude(instance: Theorem, value: Node) -> Theorem:
        near, far = (h for h in instance.hypotheses if h.head == "le" and h.args[0].head != "num")
        facts = (
            prove_nonneg(near, T.margin(single) * Fraction(1, 2), [single]),
            prove_nonneg(far, T.margin(tenfold) * Fraction(1, 2), [tenfold]),
        )
        placed = T.discharge(instance, *facts)
        side = 1 if value.args[0] != num(0) else -1
        multiple = num(1000) * T.node(22 * k + 11 + side)
        apart = T.apply(
            _pi_is_irrational(), [11 * offset, multiple], _both_nonzero(placed, 22 * k + 11 + side)
        )
        met = prove_identity(apart.conclusion.args[0], [placed.conclusion])
        return kernel.clash(T.discharge(met, placed), apart)

    proof = _folded(_only_one_angle(), 5, here, conclude)
    return T.conclude_not(T.unpack(proof, reached), reached)


def _both_nonzero(placed: Theorem, turns: Any) -> Theorem:
    """11 E != 0 and 1000 t != 0, where 11 E = 1000 t pi and t = 22 k + 11 +- 1."""
    zero = T.node(Eq(turns, 0))
    first = T.no_integer_inside(k, [zero])
    none = T.discharge(prove_contradiction([zero, first.conclusion]), first)
    nonzero = T.conclude_not(none, zero)
    many = _nonzero_multiple(1000, nonzero)
    still = T.node(Eq(11 * offset, 0))
    back = prove_identity(zero, [still, placed.conclusion])
    moves = T.conclude_not(kernel.clash(T.discharge(back, placed), nonzero), still)
    return T.both(moves, many)
