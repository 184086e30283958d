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
from posproof.proofs_check.language import Node, free_variables, num, substitute
from posproof.proofs_check.language import cos as kernel_cos
from posproof.proofs_check.language import sin as kernel_sin
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
    m,
    omega,
)
from posproof.theory.mobius.ladder import frequency
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
    Real,
    control,
    proves,
)

i, count = variables("i m", Int(0))
half = Variable("h", Int(1))
a, y, phi, theta = variables("a y phi theta", Real)
j, k, offset, p = variables("j k E p", Integer)
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
_LOW, _HIGH = T.node(Le(0, y)), T.node(Le(y, pi))


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

    `size` is h; `conclude(instance, y, k)` proves what is wanted from the lemma at one y.
    """
    phi_, h = T.node(angle), T.node(size)
    turns = T.apply(kernel.meaning("floor"), [phi_ / T.node(2 * pi)])
    low, high = T.body(turns, k).args
    x = phi_ - T.node(pi * (2 * k + 1))
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
    """A disjunction: one of two planes of ratio 2 h is far; 2 (its term) = scale * (the lemma's)."""

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
@proves(DECIMAL_BASES, "chain_attains", "q = 0..5")
def chain_attains(of: Alternatives) -> Theorem:
    """10^q is 1 or -1 modulo 11: the roots of unity reduce."""
    goal = T.node(DECIMAL_BASES.clause("chain_attains").statement(of))
    name, body = goal.args
    values = name.args[1].values
    return kernel.exhaust(goal, [prove_identity(substitute(body, {name: num(v)})) for v in values])


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
