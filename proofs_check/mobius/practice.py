"""Proofs of `theory.mobius.practice`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from typing import Any

from sympy import Integer, pi

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Node, num
from posproof.proofs_check.language import cos as cosine
from posproof.proofs_check.language import sin as sine
from posproof.proofs_check.search import (
    prove_by_induction,
    prove_identity,
    prove_nonneg,
    prove_order,
)
from posproof.theory.mobius.ladder import periodic_frequency
from posproof.theory.mobius.practice import (
    FLOAT_FLOOR,
    HYBRID_HEADS,
    D,
    N,
    Practice,
    angle_error,
    cosine_error,
    error,
    first,
    fourth,
    i,
    m,
    rounded,
    roundings,
    second,
    small,
    third,
    u,
)
from posproof.theory.symbols import Variable, total, variables
from posproof.theory.vocabulary import Eq, Int, Le, Lt, Real, control, proves


def _statement(claim: Any, clause: str, of: Practice) -> Node:
    """The clause without its outer quantifiers."""
    return _without_quantifiers(claim.clause(clause).statement(of))


def _without_quantifiers(statement: Any) -> Node:
    goal = T.node(statement)
    while goal.head == "forall":
        goal = goal.args[1]
    return goal


# ---------------------------------------------------------------------- mobius.hybrid_heads
@control("all_heads_assumed_mobius", other_share=lambda heads, others: Integer(0))
@control("periodic_ladder", frequency=periodic_frequency)
@proves(HYBRID_HEADS, "averaged")
def averaged(of: Practice) -> Theorem:
    """Term by term cos(theta_i (D + N)) = -cos(theta_i D); the sums are linear."""
    return prove_identity(_statement(HYBRID_HEADS, "averaged", of))


@control("periodic_ladder", frequency=periodic_frequency)
@proves(HYBRID_HEADS, "layer_holonomy")
def layer_holonomy(of: Practice) -> Theorem:
    """The anti-periodic block plus I vanishes at N, so the other block is all that remains."""
    return prove_identity(_statement(HYBRID_HEADS, "layer_holonomy", of))


@control("other_heads_mobius", other_frequency=lambda q: pi * (2 * q + 1) / 512)
@proves(HYBRID_HEADS, "layer_distance", "N = 512, b = 10^4, d = 64")
def layer_distance(of: Practice) -> Theorem:
    """Balls decide the strict inequalities."""
    return kernel.ground(_statement(HYBRID_HEADS, "layer_distance", of))


@control("periodic_ladder", frequency=periodic_frequency)
@proves(HYBRID_HEADS, "plane_wise")
def plane_wise(of: Practice) -> Theorem:
    """The anti-periodic planes cancel inside the sum, whatever their coefficients."""
    return prove_identity(_statement(HYBRID_HEADS, "plane_wise", of))


@control("periodic_ladder", frequency=periodic_frequency)
@proves(HYBRID_HEADS, "quarter_hybrid", "N = 512, m = 32")
def quarter_hybrid(of: Practice) -> Theorem:
    """Balls decide the strict inequalities."""
    return kernel.ground(_statement(HYBRID_HEADS, "quarter_hybrid", of))


# ---------------------------------------------------------------------- mobius.float_floor
def _halved(u: Any, count: int) -> Any:
    return ((1 + u) ** count - 1) / 2


def _one_rounding_less(u: Any, count: int) -> Any:
    return (1 + u) ** (count - 1) - 1


def _one_more(errors: Sequence[Any]) -> Any:
    return rounded(errors) * (1 + errors[0])


def _product_close(of: Practice, errors: Sequence[Any]) -> tuple[Theorem, Theorem]:
    """-B <= P - 1 and P - 1 <= B, for the product P of the 1 + delta_a and B = (1 + u)^k - 1.

    Every factor lies between 1 - u and 1 + u, and is not negative: change one at a time.
    """
    given = [T.node(part) for part in small(*errors)]
    low_end, high_end = T.margin(given[0]), T.node(1 + u)
    above = [T.margin(part) for part in given[1::2]]  # delta - (-u)
    below = [T.margin(part) for part in given[2::2]]  # u - delta
    factors = [low_end + a for a in above]  # 1 + delta, visibly not negative

    def changed(end: Node, gaps: Sequence[Node]) -> Node:
        terms = []
        for k, gap in enumerate(gaps):
            term = gap
            for factor in factors[:k]:
                term = term * factor
            terms.append(term * end ** (len(gaps) - 1 - k))
        return _sum(terms)

    count = len(errors)
    # (1 + u)^k + (1 - u)^k - 2, the even powers of u.
    even = _sum(T.node(2 * comb(count, p)) * T.node(u) ** p for p in range(2, count + 1, 2))
    goal = _without_quantifiers(roundings(of, errors)).args[1]
    down = prove_nonneg(goal.args[0], changed(low_end, above) + even, given)
    up = prove_nonneg(goal.args[1], changed(high_end, below), given)
    return down, up


def _sum(terms: Any) -> Node:
    first_term, *others = terms
    for term in others:
        first_term = first_term + term
    return first_term


_ALL_UP = {"u": 1, "delta1": 1, "delta2": 1, "delta3": 1, "delta4": 1}


@control("bound_halved", _ALL_UP, angle_bound=_halved)
@control("rounding_forgotten", _ALL_UP, angle_bound=_one_rounding_less)
@control("offset_not_representable", _ALL_UP, rounded=_one_more)
@proves(FLOAT_FLOOR, "three_roundings")
def three_roundings(of: Practice) -> Theorem:
    """Each factor lies in [1 - u, 1 + u]; (1 + u)^3 + (1 - u)^3 - 2 = 6 u^2."""
    return T.both(*_product_close(of, (first, second, third)))


@control("bound_halved", _ALL_UP, angle_bound=_halved)
@control("rounding_forgotten", _ALL_UP, angle_bound=_one_rounding_less)
@proves(FLOAT_FLOOR, "four_roundings")
def four_roundings(of: Practice) -> Theorem:
    """The same with one factor more."""
    return T.both(*_product_close(of, (first, second, third, fourth)))


@control("factor_two_dropped", linear_bound=lambda u: 3 * u * (1 + u))
@control("bound_halved", linear_bound=lambda u: 3 * u * (1 + 2 * u) / 2)
@proves(FLOAT_FLOOR, "linearised")
def linearised(of: Practice) -> Theorem:
    """The difference is u^2 (3 - u)."""
    goal = _statement(FLOAT_FLOOR, "linearised", of).args[1]
    form = T.node(u) ** 2 * (T.node(2) + T.margin(Le(u, 1)))
    return prove_nonneg(goal, form, [Le(u, 1)])


def _doubled(i: Any, N: Any) -> Any:
    return 2 * pi * (2 * i + 1) / N


def _largest(of: Practice) -> Theorem:
    """theta_i D <= pi (2 m - 1), from i + 1 <= m, 0 <= D, D <= N."""
    premise, goal = _statement(FLOAT_FLOOR, "largest_angle", of).args
    planes, _, window = premise.args
    form = T.node(pi / N) * (
        T.node(2 * N) * T.margin(planes) + T.node(2 * i + 1) * T.margin(window)
    )
    return prove_nonneg(goal, form, premise.args)


@control("doubled_frequency", frequency=_doubled)
@control("periodic_ladder_shifted", frequency=lambda i, N: 2 * pi * (i + 1) / N)
@proves(FLOAT_FLOOR, "largest_angle")
def largest_angle(of: Practice) -> Theorem:
    """(2 m - 1) N - (2 i + 1) D = 2 (m - i - 1) N + (2 i + 1) (N - D)."""
    return _largest(of)


_AT_END = _ALL_UP | {"i": 0, "m": 1, "N": 1, "D": 1}


@control("bound_halved", _AT_END, angle_bound=_halved)
@control("offset_not_representable", _AT_END, rounded=_one_more)
@proves(FLOAT_FLOOR, "ladder_error")
def ladder_error(of: Practice) -> Theorem:
    """theta_i D |P - 1| <= theta_i D B <= pi (2 m - 1) B."""
    premise, goal = _statement(FLOAT_FLOOR, "ladder_error", of).args
    down, up = _product_close(of, (first, second, third))
    largest = _largest(of)
    exact = T.node(of.frequency(i, N)) * T.node(D)
    bound = T.node(u) * (T.node(u) ** 2 + 3 * T.node(u) + 3)
    facts = [*premise.args, down.conclusion, up.conclusion, largest.conclusion]
    rest = bound * T.margin(largest.conclusion)

    def close(part: Node, product: Theorem) -> Theorem:
        proof = prove_nonneg(part, exact * T.margin(product.conclusion) + rest, facts)
        return T.discharge(proof, down, up, largest)

    return T.both(close(goal.args[0], down), close(goal.args[1], up))


def _one_cosine() -> tuple[Theorem, Theorem]:
    """|cos(x + e) (1 + r) - cos x| <= b + u, from |e| <= b and |r| <= u.

    cos(x + e) - cos x = -2 sin(x + e / 2) sin(e / 2), and |sin(e / 2)| <= |e| / 2.
    """
    x, e, r, b = (T.node(v) for v in variables("x e r b", Real))
    size = T.node(u)
    small_angle = [T.node(Le(num(0) - b, e)), T.node(Le(e, b))]
    small_cosine = [T.node(Le(num(0) - size, r)), T.node(Le(r, size))]
    low, high = _half_sine(e, b, small_angle)
    facts = [*small_angle, *small_cosine, low.conclusion, high.conclusion]
    moved, wave = sine(x + e / 2), cosine(x + e)

    def mixed(first_sign: int, of_wave: Node, other: Node, up: Node, down: Node) -> Node:
        # (1 + w) up + (1 - w) down, where 1 +- w = ((1 +- w)^2 + v^2) / 2 on the circle.
        plus = (1 + of_wave) ** 2 + other**2
        minus = (1 - of_wave) ** 2 + other**2
        pair = (plus * up, minus * down) if first_sign > 0 else (minus * up, plus * down)
        return (pair[0] + pair[1]) / 2

    shifted = cosine(x + e / 2), sine(x + e)
    half_low, half_high = T.margin(low.conclusion), T.margin(high.conclusion)
    round_low, round_high = (T.margin(part) for part in small_cosine)
    change = wave * (1 + r) - cosine(x)
    below = mixed(-1, moved, shifted[0], half_low, half_high) + (
        mixed(1, wave, shifted[1], round_low, round_high) / 2
    )
    above = mixed(1, moved, shifted[0], half_low, half_high) + (
        mixed(-1, wave, shifted[1], round_low, round_high) / 2
    )
    proofs = (
        prove_nonneg(Le(num(0) - (b + size), change), below, facts),
        prove_nonneg(Le(change, b + size), above, facts),
    )
    down, up = (T.discharge(proof, low, high) for proof in proofs)
    return down, up


def _half_sine(e: Node, b: Node, given: Sequence[Node]) -> tuple[Theorem, Theorem]:
    """-b / 2 <= sin(e / 2) and sin(e / 2) <= b / 2."""
    goals = Le(num(0) - b / 2, sine(e / 2)), Le(sine(e / 2), b / 2)

    def bounded(goal: Any, value: Node, sign: Node) -> Theorem:
        start = prove_order(Le(num(0), value), [sign])
        line = T.apply(kernel.meaning("sine_below_line"), [value], start)
        minus = T.apply(T.sine_above_minus(), [value], start)
        facts = [line.conclusion, minus.conclusion, *given]
        return T.discharge(prove_order(goal, facts, degree=1), line, minus)

    left, right = T.node(Lt(e, 0)), T.node(Le(0, e))
    low, high = (
        T.compare(e, 0, bounded(goal, num(0) - e / 2, left), bounded(goal, e / 2, right))
        for goal in goals
    )
    return low, high


_FIVE_EIGHTHS = {"m": 1, "N": 100, "D": 65, "u": Fraction(1, 100)}
_AHEAD = {"epsilon": Fraction(618, 10**4), "eta": Fraction(1, 100)}
_FURTHER = {"D": 78, "epsilon": Fraction(148, 10**3), "eta": Fraction(1, 100)}


@control(
    "bound_halved",
    _FIVE_EIGHTHS | _AHEAD,
    kernel_bound=lambda bound, u, m: bound * pi * m / 2 + u,
)
@control("doubled_frequency", _FIVE_EIGHTHS | _FURTHER, frequency=_doubled)
@proves(FLOAT_FLOOR, "kernel_error")
def kernel_error(of: Practice) -> Theorem:
    """Every cosine moves by at most B theta_i D + u, and the mean of theta_i D is pi m D / N."""
    premise, goal = _statement(FLOAT_FLOOR, "kernel_error", of).args
    _, window, close = premise.args
    index, bound = T.node(i), T.node(of.angle_bound(u, 3))
    angle = T.node(of.frequency(i, N) * D)
    here = T.apply(T.assume(close), [index], T.assume(Le(i + 1, m)))
    size = bound * angle
    values = (angle, T.node(angle_error(i)), T.node(cosine_error(i)), size)
    names = dict(zip((T.node(v) for v in variables("x e r b", Real)), values, strict=True))
    mean = _mean(of)

    def summed(term: Theorem, part: Node) -> Theorem:
        one = kernel.specialise(term, names)
        facts = [
            prove_nonneg(h, T.margin(p.conclusion), [p.conclusion])
            for h, p in zip(one.hypotheses, T.parts(here), strict=True)
        ]
        one = T.discharge(T.discharge(one, *facts), *T.parts(here))
        # SymPy writes 1 + i where the rule for sums says i + 1.
        one = T.discharge(one, prove_order(Le(i + 1, m), [T.one_apart(i, m).conclusion]))
        whole = kernel.sum_congruence(one, index, T.node(m))
        room = bound_form * T.node(pi / N) * T.node(m) ** 2 * T.margin(window)
        given = [whole.conclusion, mean.conclusion, window]
        return T.discharge(
            prove_nonneg(part, T.margin(whole.conclusion) + room, given), whole, mean
        )

    bound_form = T.node(u) * (T.node(u) ** 2 + 3 * T.node(u) + 3)
    down, up = _one_cosine()
    return T.both(summed(down, goal.args[0]), summed(up, goal.args[1]))


def _mean(of: Practice) -> Theorem:
    """The sum of the theta_i D is pi m^2 D / N: the first m odd numbers add up to m^2."""
    count = Variable("m", Int(0))
    squares = Eq(total(i, count, of.frequency(i, N) * D), pi * count**2 * D / N)
    return kernel.specialise(prove_by_induction(count, squares), {T.node(count): T.node(m)})


@control("periodic_ladder", frequency=periodic_frequency)
@proves(FLOAT_FLOOR, "mean_angle")
def mean_angle(of: Practice) -> Theorem:
    """The first m odd numbers add up to m^2."""
    summed = _mean(of)
    goal = _statement(FLOAT_FLOOR, "mean_angle", of)
    return T.discharge(prove_identity(goal, [summed.conclusion]), summed)


@control("reduced_modulo_N", whole_turn=1)
@proves(FLOAT_FLOOR, "phase_reduction")
def phase_reduction(of: Practice) -> Theorem:
    """Whole turns 2 pi t do not change a rotation."""
    return prove_identity(_statement(FLOAT_FLOOR, "phase_reduction", of))


@control("periodic_ladder", frequency=periodic_frequency)
@proves(FLOAT_FLOOR, "second_order")
def second_order(of: Practice) -> Theorem:
    """Half angles, and the first terms of the series of the cosine and the sine."""
    cosine, sine = _statement(FLOAT_FLOOR, "second_order", of).args
    parabola = kernel.instantiate(kernel.meaning("cosine_above_parabola"), T.node(error))
    flat = prove_nonneg(cosine.args[1], T.margin(parabola.conclusion), [parabola.conclusion])
    premise, steep_goal = sine.args[1].args
    cubic = T.apply(kernel.meaning("sine_above_cubic"), [error], T.assume(premise))
    steep = prove_nonneg(steep_goal, T.margin(cubic.conclusion), [cubic.conclusion])
    return T.both(
        T.both(prove_identity(cosine.args[0]), T.discharge(flat, parabola)),
        T.both(prove_identity(sine.args[0]), T.implication(T.discharge(steep, cubic), premise)),
    )
