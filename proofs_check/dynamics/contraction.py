"""Proofs of `theory.dynamics.contraction`: one function a clause, named after it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from sympy import Integer as Whole
from sympy import Rational, cos, exp, pi, sin

from posproof.proofs_check import kernel, periodic
from posproof.proofs_check import tactics as T
from posproof.proofs_check.circle import sine_nonnegative, sine_subadditive
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Node, num, substitute
from posproof.proofs_check.search import (
    prove_identity,
    prove_nonneg,
    prove_order,
)
from posproof.theory.dynamics.contraction import (
    HEMISPHERE,
    NON_OBTUSE,
    SEMICIRCLE,
    TAIL,
    VALIDATED_FLOW,
    A,
    B,
    Contraction,
    D,
    N,
    a,
    beta,
    eta,
    f,
    g,
    h,
    high,
    i,
    j,
    k,
    low,
    m,
    mu,
    n,
    phi,
    size,
    theta,
    u,
    v,
    x,
    y,
)
from posproof.theory.symbols import total
from posproof.theory.vocabulary import Eq, Le, Lt, Ne, Real, control, proves


def _facts(premise: Node, index: Any, upper: Any) -> list[Theorem]:
    """A premise `for every index below upper: facts`, at the index: the facts."""
    below = kernel.assume(T.node(Lt(index, upper)))
    found = kernel.modus(kernel.instantiate(kernel.assume(premise), T.node(index)), below)
    return T.parts(found) if found.conclusion.head == "and" else [found]


def _summed(each: Theorem, index: Any, upper: Any) -> Theorem:
    return kernel.sum_congruence(each, T.node(index), T.node(upper))


# ---------------------------------------------------------------------- dynamics.hemisphere
@control(
    "values_rotated",
    {"n": 1, "mu": 0, "A": (1,), "h": (1,), "f": (1,)},
    height_speed=lambda weight, height, cosine, lowest: weight * (-height - cosine * lowest),
)
@proves(HEMISPHERE, "lowest_rises")
def lowest_rises(of: Contraction) -> Theorem:
    """A (h - c mu) = A ((h - mu) + (1 - c) mu)."""
    premise, goal = T.inner(T.stated(HEMISPHERE, "lowest_rises", of)).args
    above, tokens = premise.args
    facts = _facts(tokens, j, n)
    weight, height, cosine = (T.margin(fact.conclusion) for fact in facts)
    term = of.height_speed(A(j), h(j), f(j), mu)
    given = [above, *(fact.conclusion for fact in facts)]
    each = prove_nonneg(Le(0, term), weight * (height + cosine * T.node(mu)), given)
    whole = _summed(T.discharge(each, *facts), j, n)
    return T.implication(T.unpack(_from_zero(whole, goal), premise), premise)


def _from_zero(summed: Theorem, goal: Node) -> Theorem:
    """0 <= sum, from a comparison with a sum of zeros."""
    form = T.margin(summed.conclusion)
    return T.discharge(prove_nonneg(goal, form, [summed.conclusion]), summed)


@control("doubled", {"n": 1, "x": (1,), "y": (1,)}, product=lambda x, y: 2 * x * y)
@proves(HEMISPHERE, "cosine_of_units")
def cosine_of_units(of: Contraction) -> Theorem:
    """1 - <x, y> is half the sum of the squares of x - y."""
    premise, goal = T.inner(T.stated(HEMISPHERE, "cosine_of_units", of)).args
    each = prove_nonneg(Le(0, (x(k) - y(k)) ** 2), (x(k) - y(k)) ** 2)
    whole = _summed(each, k, n)
    proof = prove_nonneg(goal, T.margin(whole.conclusion) / 2, [*premise.args, whole.conclusion])
    return T.implication(T.unpack(T.discharge(proof, whole), premise), premise)


@control(
    "values_rotated",
    {"n": 1, "mu": 1, "m": 1, "eta": 1, "s": 2, "A": (1,), "h": (1,)},
    height_speed=lambda weight, height, cosine, lowest: -weight * height,
)
@proves(HEMISPHERE, "layer")
def layer(of: Contraction) -> Theorem:
    """The numerator is at least mu (1 + eta sum A), and the norm at most 1 + eta sum A."""
    premise, goal = T.inner(T.stated(HEMISPHERE, "layer", of)).args
    lower, sums = premise.args
    nonneg, step, lowest, tokens = lower.args
    positive, norm = sums.args
    facts = _facts(tokens, j, n)
    weight, height = (T.margin(fact.conclusion) for fact in facts)
    given = [fact.conclusion for fact in facts]
    each = prove_nonneg(Le(A(j) * mu, A(j) * h(j)), weight * height, given)
    whole = _summed(T.discharge(each, *facts), j, n)
    form = (
        T.margin(lowest) + T.node(eta) * T.margin(whole.conclusion) + T.node(mu) * T.margin(norm)
    ) / T.node(size)
    known = [nonneg, step, lowest, positive, norm, whole.conclusion]
    proof = T.discharge(prove_nonneg(goal, form, known), whole)
    return T.implication(T.unpack_all(proof, premise), premise)


@control("pushing_apart", pull=lambda angle: -sin(angle))
@proves(HEMISPHERE, "negative_cap", "the printed configuration")
def negative_cap(of: Contraction) -> Theorem:
    return kernel.ground(T.node(T.stated(HEMISPHERE, "negative_cap", of)))


# ---------------------------------------------------------------------- dynamics.non_obtuse
def _too_fast(a: Any, m: Any, n: Any) -> Any:
    return Rational(21, 10) * a * (1 - m) * (1 + (n - 1) * m)


#: Orthogonal tokens: the bound is attained.
EQUAL = {"N": 1, "a": 1, "m": 0, "A": (1, 1, 1), "B": (1, 1, 1), "f": (1, 0, 0), "g": (0, 1, 0)}


@control("rate_too_fast", EQUAL, cosine_rate=_too_fast)
@proves(NON_OBTUSE, "smallest_rises")
def smallest_rises(of: Contraction) -> Theorem:
    """Every further token adds at least 2 a m (1 - m); the pair itself 2 a (1 - m^2)."""
    premise, goal = T.inner(T.stated(NON_OBTUSE, "smallest_rises", of)).args
    nonneg, below_one, floor, others, inside = premise.args
    weights, cosines = _facts(others, k, N), _facts(inside, k, N)
    first, second = (T.margin(fact.conclusion) for fact in weights)
    near, near_one, far, far_one = (T.margin(fact.conclusion) for fact in cosines)
    given = [fact.conclusion for fact in (*weights, *cosines)]
    at, rest = T.node(m), T.margin(below_one)
    term = of.cosine_speed(A(k + 2), B(k + 2), f(k + 2), g(k + 2), m)
    form = (
        first * (far + near_one * at)
        + second * (near + far_one * at)
        + T.node(a) * rest * (far + near)
    )
    each = prove_nonneg(
        Le(2 * a * m * (1 - m), term), form, [nonneg, below_one, floor.args[0], *given]
    )
    whole = _summed(T.discharge(each, *weights, *cosines), k, N)
    above, one, two = floor.args
    pair = (T.margin(one) + T.margin(two)) * rest * (1 + at)
    known = [nonneg, below_one, above, one, two, whole.conclusion]
    proof = prove_nonneg(goal, pair + T.margin(whole.conclusion), known)
    return T.implication(T.unpack_all(T.discharge(proof, whole), premise), premise)


@control("rate_too_fast", cosine_rate=_too_fast)
@proves(NON_OBTUSE, "integrated")
def integrated(of: Contraction) -> Theorem:
    """The quotient rule."""
    premise, goal = T.inner(T.stated(NON_OBTUSE, "integrated", of)).args
    nonneg, below_one = premise.args
    bottom = 1 + (n - 1) * m
    form = num(1) + (T.node(n) - 1) * T.node(m)
    positive = prove_nonneg(Lt(0, bottom), form, [nonneg])
    proof = prove_identity(goal, [Lt(0, bottom), below_one])
    proof = T.discharge(proof, positive)
    return T.implication(T.unpack(proof, premise), premise)


@control("rate_too_fast", cosine_rate=_too_fast)
@proves(NON_OBTUSE, "equality")
def equality(of: Contraction) -> Theorem:
    return prove_identity(T.inner(T.stated(NON_OBTUSE, "equality", of)))


def _one_sided(first: Any, second: Any, near: Any, far: Any, m: Any) -> Any:
    return first * (far - near * m)


@control("one_row_only", cosine_speed=_one_sided)
@proves(NON_OBTUSE, "open_hemisphere")
def open_hemisphere(of: Contraction) -> Theorem:
    """The bracket is negative from N = 2 on."""
    value, falls = T.inner(T.stated(NON_OBTUSE, "open_hemisphere", of)).args
    many, goal = falls.args
    form = (T.margin(many) * Fraction(28, 25) + Fraction(14, 25)) / T.node(N + 2)
    return T.both(prove_identity(value), T.implication(prove_nonneg(goal, form, [many]), many))


# ---------------------------------------------------------------------- dynamics.semicircle
def _sine_at(angle: Any, low: Theorem, high: Theorem) -> Theorem:
    return T.apply(sine_nonnegative(), [angle], low, high)


@control("pushing_apart", pull=lambda angle: -sin(angle))
@proves(SEMICIRCLE, "sines")
def sines(of: Contraction) -> Theorem:
    """The difference is 4 sin(u/2) sin(v/2) sin((u+v)/2)."""
    premise, goal = T.inner(T.stated(SEMICIRCLE, "sines", of)).args
    found = T.apply(sine_subadditive(), [u, v], *(kernel.assume(part) for part in premise.args))
    proof = prove_nonneg(goal, T.margin(found.conclusion), [found.conclusion])
    return T.implication(T.unpack(T.discharge(proof, found), premise), premise)


def _faster(a: Any, D: Any, n: Any) -> Any:
    return 2 * n * a * sin(D)


@control(
    "rate_doubled",
    {"n": 2, "l": 0, "r": 1, "a": 1, "phi": (0, 1), "A": (1, 1), "B": (1, 1)},
    arc_rate=_faster,
)
@proves(SEMICIRCLE, "arc_shrinks")
def arc_shrinks(of: Contraction) -> Theorem:
    """Each token adds at least a (sin u + sin v) >= a sin D, where u + v = D."""
    premise, goal = T.inner(T.stated(SEMICIRCLE, "arc_shrinks", of)).args
    nonneg, short, between, floors = premise.args
    after, before = _facts(between, j, n)
    weight, other = _facts(floors, j, n)
    above, below = phi(high) - phi(j), phi(j) - phi(low)
    order = [after.conclusion, before.conclusion, short]

    def pulled(angle: Any, row: Any, end: Any, floor: Theorem) -> Theorem:
        low = prove_order(Le(0, angle), order)
        top = prove_order(Le(angle, pi), order)
        rises = _sine_at(angle, low, top)
        pull, weight = Node("sin", (T.node(angle),)), T.node(row)  # as it stands, sign included
        aim = Node("le", (T.node(a) * pull, weight * pull))
        apart, condition = T.node(Ne(phi(j), end)), T.node(Eq(phi(j), end))
        large = kernel.modus(floor, kernel.assume(apart))
        form = T.margin(large.conclusion) * pull
        strict = prove_nonneg(aim, form, [large.conclusion, rises.conclusion])
        strict = T.discharge(strict, large, rises)
        hole = T.variable("hole", Real)
        level = Node("sin", (hole,))
        shape = Node("le", (T.node(a) * level, weight * level))
        start = prove_nonneg(substitute(shape, {hole: num(0)}), num(0))
        flat = prove_identity(Eq(angle, 0), [condition])
        return T.split(condition, T.transport(shape, hole, flat, start), strict)

    first = pulled(above, A(j), phi(high), weight)
    second = pulled(below, B(j), phi(low), other)
    ends = [prove_order(Le(0, angle), order) for angle in (above, below)]
    joined = T.node(above) + T.node(below)
    whole = prove_order(Node("le", (joined, T.node(pi))), [short])
    sines = T.apply(sine_subadditive(), [above, below], *ends, whole)
    length = phi(high) - phi(low)
    term = of.arc_speed(A(j), B(j), above, below)
    form = (
        T.margin(first.conclusion)
        + T.margin(second.conclusion)
        + T.node(a) * T.margin(sines.conclusion)
    )
    given = [nonneg, first.conclusion, second.conclusion, sines.conclusion]
    each = prove_nonneg(Le(a * sin(length), term), form, given)
    summed = _summed(T.discharge(each, first, second, sines, after, before), j, n)
    proof = prove_nonneg(goal, T.margin(summed.conclusion), [summed.conclusion])
    return T.implication(T.unpack(T.discharge(proof, summed), premise), premise)


@control("rate_doubled", arc_rate=_faster)
@proves(SEMICIRCLE, "half_angle")
def half_angle(of: Contraction) -> Theorem:
    """The derivative of log tan(D / 2) is 1 / sin D."""
    premise, goal = T.inner(T.stated(SEMICIRCLE, "half_angle", of)).args
    proof = prove_identity(goal, premise.args[2:])
    return T.implication(T.unpack(proof, premise), premise)


def _row(value: Node) -> Theorem:
    """0 < a sum of exponentials over at least one token."""
    index, upper, term = value.args
    at = T.variable("at", Real)
    lemma = kernel.realise(periodic.positive(), "f", at, substitute(term, {index: at}))
    found = T.apply(lemma, [upper])
    bound, goal = found.conclusion.args[0].args
    each = kernel.generalise(prove_nonneg(goal, goal.args[1]), bound)
    return kernel.modus(found, each)


def _rows(theorem: Theorem) -> Theorem:
    """Discharge that sums of exponentials are not zero."""
    for fact in theorem.hypotheses:
        value = fact.args[0].args[0] if fact.head == "not" else fact
        if value.head != "sum":
            continue
        above = _row(value)
        zero = Eq(a, 0)
        nonzero = T.conclude_not(T.contradict([Lt(0, a), zero]), zero)
        nonzero = kernel.specialise(nonzero, {T.node(a): value})
        theorem = T.discharge(theorem, T.discharge(nonzero, above))
    return theorem


@control("scores_ignored", score=lambda angle: Whole(0))
@proves(SEMICIRCLE, "two_tokens")
def two_tokens(of: Contraction) -> Theorem:
    """Each row has the two weights exp(beta) and exp(beta cos(p + theta))."""
    return _rows(prove_identity(T.inner(T.stated(SEMICIRCLE, "two_tokens", of))))


# ---------------------------------------------------------------------- dynamics.tail
@control(
    "pushing_apart",
    {"n": 2, "l": 0, "r": 1, "phi": (0, 1), "A": (1, 1), "B": (1, 1)},
    pull=lambda angle: -sin(angle),
)
@proves(TAIL, "ends_move_inwards")
def ends_move_inwards(of: Contraction) -> Theorem:
    """From the highest token every other is below, by at most half a turn."""
    premise, goals = T.inner(T.stated(TAIL, "ends_move_inwards", of)).args
    short, between, weights = premise.args
    after, before = _facts(between, j, n)
    first, second = _facts(weights, j, n)
    order = [after.conclusion, before.conclusion, short]

    def side(angle: Any, row: Theorem, sign: int, goal: Node) -> Theorem:
        rises = _sine_at(angle, prove_order(Le(0, angle), order), prove_order(Le(angle, pi), order))
        weight = row.conclusion.args[1]
        pull = T.node(of.pull(sign * angle))
        term = weight * pull
        small, large = (num(0), term) if sign > 0 else (term, num(0))
        form = weight * Node("sin", (T.node(angle),))
        given = [row.conclusion, rises.conclusion]
        each = T.discharge(prove_nonneg(Node("le", (small, large)), form, given), row, rises)
        summed = _summed(T.discharge(each, after, before), j, n)
        return _from_zero(summed, goal)

    down = side(phi(high) - phi(j), first, -1, goals.args[0])
    up = side(phi(j) - phi(low), second, 1, goals.args[1])
    return T.implication(T.unpack(T.both(down, up), premise), premise)


@control("half_the_chord", chord=lambda D: sin(D / 2))
@proves(TAIL, "chord")
def chord(of: Contraction) -> Theorem:
    """(2 sin(D/2))^2 = 2 - 2 cos D, and the cosine falls."""
    premise, goal = T.inner(T.stated(TAIL, "chord", of)).args
    falls = T.apply(T.cosine_falls(), [u, D], kernel.assume(premise))
    proof = prove_nonneg(goal, 2 * T.margin(falls.conclusion), [falls.conclusion])
    return T.implication(T.discharge(proof, falls), premise)


@control(
    "without_n",
    {"n": 2, "m": Fraction(1, 3), "v": Fraction(1, 2)},
    tail_cosine=lambda rho, n: 1 - rho,
)
@proves(TAIL, "explicit")
def explicit(of: Contraction) -> Theorem:
    """Clear the denominator."""
    premise, goal = T.inner(T.stated(TAIL, "explicit", of)).args
    nonneg, bound = premise.args
    bottom = num(1) + (T.node(n) - 1) * T.node(v)
    shown = 1 + (n - 1) * v
    positive = prove_nonneg(Lt(0, shown), bottom, [nonneg])
    given = [nonneg, bound, positive.conclusion]
    proof = T.discharge(prove_nonneg(goal, T.margin(bound) / T.node(shown), given), positive)
    return T.implication(T.unpack(proof, premise), premise)


@control("cosine_pull", {"phi": (1,), "a": 1}, pull=cos)
@proves(TAIL, "frozen")
def frozen(of: Contraction) -> Theorem:
    return prove_identity(T.inner(T.stated(TAIL, "frozen", of)))


@control("ends_swapped", arc_speed=lambda first, second, above, below: first * sin(below))
@proves(TAIL, "decoupled")
def decoupled(of: Contraction) -> Theorem:
    """Each token pulls only at its own end, where its sine is that of 0."""
    return prove_identity(T.inner(T.stated(TAIL, "decoupled", of)))


# ---------------------------------------------------------------------- dynamics.validated_flow
@control("tangent_pull", pull=lambda angle: 2 * sin(angle))
@proves(VALIDATED_FLOW, "speed_limit")
def speed_limit(of: Contraction) -> Theorem:
    """A weighted mean of sines, and no sine is beyond 1."""
    goals = T.inner(T.stated(VALIDATED_FLOW, "speed_limit", of)).args
    angle = phi(j) - phi(i)
    weight = exp(beta * of.score(angle + (j - i) * theta))
    pulled, mass = (T.node(total(j, n, term)) for term in (weight * of.pull(angle), weight))
    above = _row(mass)
    turned = of.pull(angle)

    def side(goal: Node, sign: int) -> Theorem:
        room = ((1 + sign * turned) ** 2 + cos(angle) ** 2) / 2
        each = prove_nonneg(Le(-sign * weight * turned, weight), T.node(weight) * T.node(room))
        whole = _summed(each, j, n)
        form = T.margin(whole.conclusion) / mass
        proof = prove_nonneg(goal, form, [whole.conclusion, above.conclusion])
        return _rows(T.discharge(proof, whole, above))

    return T.both(side(goals[0], 1), side(goals[1], -1))


@control("scores_and_pull_halved", pull=lambda angle: sin(angle) / 2)
@proves(VALIDATED_FLOW, "oracle")
def oracle(of: Contraction) -> Theorem:
    """The half-angle substitution turns p' = -sin p into a linear equation."""
    premise, goal = T.inner(T.stated(VALIDATED_FLOW, "oracle", of)).args
    return T.implication(_rows(prove_identity(goal, [premise])), premise)
