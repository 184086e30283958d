"""Proofs of `theory.dynamics.energy`: one function a clause, named after it."""

from __future__ import annotations

from typing import Any

from sympy import Integer as Whole
from sympy import cos, exp, pi, sin

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Eq as Equal
from posproof.proofs_check.language import num, substitute
from posproof.proofs_check.search import prove_each, prove_identity, prove_nonneg
from posproof.theory.dynamics import energy as theory
from posproof.theory.dynamics.energy import (
    ENERGY,
    Energy,
    Point,
    beta,
    i,
    j,
    n,
    p,
    phi,
    q,
    relative_turn,
    theta,
    v,
    xi,
)
from posproof.theory.symbols import total, variables
from posproof.theory.vocabulary import Eq, Le, Lt, Ne, Real, control, proves

a, b, c = variables("a b c", Real)


def keys_unturned(i: Any, j: Any, theta: Any) -> Any:
    """Queries are rotated, keys are not."""
    return -i * theta


def keys_backwards(i: Any, j: Any, theta: Any) -> Any:
    """Keys are rotated the wrong way."""
    return -(j + i) * theta


def no_turn(i: Any, j: Any, theta: Any) -> Any:
    return Whole(0)


def values_turned(i: Any, j: Any, theta: Any) -> Any:
    """Values are rotated like keys."""
    return (j - i) * theta


def never(point: Point, rotation: Point, times: int) -> Point:
    return point


def backwards(point: Point, rotation: Point, times: int) -> Point:
    """Keys are rotated, queries are not turned back."""
    c, s = rotation
    x, y = point
    return (c * x - s * y, s * x + c * y) if times else point


def _factor(p: Any, theta: Any) -> Any:
    return sin(p) * sin(p - theta)


# ---------------------------------------------------------------------- rows of weights
def _positive(of: Energy, theta: Any, at: Any = phi) -> Theorem:
    """0 < D_i for every n >= 1, by induction: every weight is an exponential."""
    statement = T.node(Lt(0, of.mass(i, n, theta, beta, at)))
    first, more = (T.node(of.weight(i, m, theta, beta, at)) for m in (Whole(0), n))
    base = prove_nonneg(T.instance(statement, n, 1), first)
    step = prove_nonneg(
        T.instance(statement, n, T.node(n) + 1), statement.args[1] + more, [statement]
    )
    return kernel.induct(T.node(n), statement, base, step)


def _nonzero(positive: Theorem) -> Theorem:
    """t != 0 from 0 < t."""
    value = positive.conclusion.args[1]
    zero = T.node(Eq(a, 0))
    apart = T.conclude_not(T.contradict([Lt(0, a), zero]), zero)
    return T.discharge(kernel.specialise(apart, {T.node(a): value}), positive)


def _short_rows(theorem: Theorem) -> Theorem:
    """Discharge that sums of two exponentials are not zero."""
    for fact in theorem.hypotheses:
        value = fact.args[0].args[0] if fact.head == "not" else fact
        if value.head == "sum":
            index, _, body = value.args
            form = substitute(body, {index: num(0)}) + substitute(body, {index: num(1)})
            theorem = T.discharge(theorem, _nonzero(prove_nonneg(Lt(num(0), value), form)))
    return theorem


# ---------------------------------------------------------------------- any number of tokens
def _along(of: Energy, theta: Any) -> Theorem:
    """rate = sum of pull times velocity: the sine is odd, so the two halves are exchanged."""
    angle = phi(j) - phi(i) + of.key_turn(i, j, theta)
    term = T.node(of.weight(i, j, theta, beta) * sin(angle) * v(j))
    swap = kernel.exchange(T.total(T.node(i), T.node(n), T.total(T.node(j), T.node(n), term)))
    moved = total(i, n, of.pull(i, n, theta, beta) * v(i)) / n**2
    goal = Eq(of.rate(n, theta, beta), moved)
    return T.discharge(prove_identity(goal, [swap.conclusion]), swap)


@control("norm_without_one_half", norm=lambda beta, n: beta * n**2)
@control("scores_negated", inner_score=lambda beta, inner: -beta * inner)
@proves(ENERGY, "any_dimension")
def any_dimension(of: Energy) -> Theorem:
    """Weights are symmetric, so both halves of the derivative agree; a projection is symmetric."""
    gradient, projection = T.node(T.stated(ENERGY, "any_dimension", of)).args
    place, size, x, u, g = theory.c, theory.d, theory.x, theory.u, theory.g

    def inner(first: Any, second: Any) -> Any:
        return total(place, size, first * second)

    def at(sequence: Any, token: Any) -> Any:
        return sequence(size * token + place)

    weight = exp(of.inner_score(beta, inner(at(theory.y, i), at(theory.y, j))))
    halves = total(i, n, total(j, n, weight * inner(at(theory.y, i), at(theory.w, j))))
    swapped = kernel.exchange(T.node(halves))
    goal = T.inner(gradient)
    moved = T.discharge(prove_identity(goal, [swapped.conclusion]), swapped)
    unit, seen = T.inner(projection).args
    pairs = ((x, x, x, u), (x, g, x, u), (x, u, x, g), (x, x, x, g))
    lifts = []
    for first, second, third, fourth in pairs:
        factor = inner(third(place), fourth(place))
        lifts.append(T.taken_out(place, size, first(place) * second(place), factor))
    equal = prove_identity(seen, [unit, *(fact.conclusion for fact in lifts)])
    equal = T.implication(T.discharge(equal, *lifts), unit)
    return T.both(
        T.generalise(moved, *T.outer(gradient)), T.generalise(equal, *T.outer(projection))
    )


@control(
    "keys_unrotated",
    {"n": 2, "beta": 1, "theta": 1, "phi": (0, 1), "v": (1, 0)},
    key_turn=keys_unturned,
)
@control(
    "pull_without_rotation",
    {"n": 2, "beta": 1, "theta": 1, "phi": (0, 1), "v": (1, 0)},
    pull_turn=no_turn,
)
@control(
    "norm_without_one_half",
    {"n": 2, "beta": 1, "theta": 1, "phi": (0, 1), "v": (1, 0)},
    norm=lambda beta, n: beta * n**2,
)
@proves(ENERGY, "gradient")
def gradient(of: Energy) -> Theorem:
    return _along(of, theta)


@control(
    "rotation_left_on", {"n": 2, "beta": 1, "phi": (0, 1)}, pull_turn=lambda i, j, theta: i - j
)
@proves(ENERGY, "unrotated")
def unrotated(of: Energy) -> Theorem:
    """Without rotation every term is a row sum times the square of a velocity."""
    goal = T.inner(T.stated(ENERGY, "unrotated", of))
    full = _positive(of, Whole(0))
    index, upper, body = goal.args[1].args[0].args
    each = substitute(body, {index: T.node(i)})
    form = T.node(of.mass(i, n, Whole(0), beta) * of.velocity(i, n, Whole(0), beta) ** 2)
    rises = T.discharge(prove_nonneg(Le(0, each), form, [full.conclusion]), full)
    summed = kernel.sum_congruence(rises, T.node(i), upper)
    zero = prove_identity(Equal(num(0), summed.conclusion.args[0]))
    total_rise = T.transport(Le(a, summed.conclusion.args[1]), a, zero, summed)
    scaled = prove_nonneg(Le(0, a / n**2), a / n**2, [Le(0, a)])
    value = {T.node(a): summed.conclusion.args[1]}
    return T.discharge(kernel.specialise(scaled, value), total_rise)


# ---------------------------------------------------------------------- two tokens
def _pair(of: Energy, p: Any) -> Theorem:
    goal = Eq(of.pair(p, theta, beta), of.pair_formula(p, theta, beta))
    return _short_rows(prove_identity(goal))


@control("keys_unrotated", {"p": 1, "theta": 1, "beta": 1}, key_turn=keys_unturned)
@control("opposite_frequency", {"p": 1, "theta": 1, "beta": 1}, pair_factor=_factor)
@control("values_rotated", {"p": 1, "theta": 1, "beta": 1}, value_turn=values_turned)
@proves(ENERGY, "pair")
def pair(of: Energy) -> Theorem:
    """Two equal terms; each weight appears once in numerator and denominator."""
    return _pair(of, p)


def _scale(of: Energy, p: Any) -> Any:
    w = exp(of.score(beta, p + theta))
    return w**2 / (2 * (exp(beta) + w))


@control("no_rotation", {"theta": 1, "beta": 1}, key_turn=no_turn)
@proves(ENERGY, "pair_signs")
def pair_signs(of: Energy) -> Theorem:
    """sin p sin(p + theta) is (1 + cos theta) / 2 half-way, and (cos theta - 1) / 2 opposite."""
    opposite, agreeing = T.node(T.stated(ENERGY, "pair_signs", of)).args
    unequal = T.node(Ne(sin(theta), 0))
    rises, falls = T.inner(opposite).args[1].args
    squares = (1 + cos(theta)) ** 2 + sin(theta) ** 2, (1 - cos(theta)) ** 2 + sin(theta) ** 2
    top, bottom = (pi - theta) / 2, -theta / 2
    up = _short_rows(prove_nonneg(rises, _scale(of, top) * squares[0] / 4, [unequal]))
    down = _short_rows(prove_nonneg(falls, _scale(of, bottom) * squares[1] / 4, [unequal]))
    first = T.generalise(T.implication(T.both(up, down), unequal), theta, beta)

    flat, goal = T.inner(agreeing).args
    known = [Eq(a, of.pair_formula(p, theta, beta)), Eq(b, of.pair_formula(q, theta, beta))]
    form = _scale(of, p) * _scale(of, q) * (sin(p) * sin(q) * cos(theta)) ** 2
    agree = prove_nonneg(Le(0, a * b), form, [flat, *known])
    apart = T.discharge(T.contradict([Lt(0, a), Lt(b, 0), Le(0, a * b)]), agree)
    rates = [T.node(of.pair(at, theta, beta)) for at in (p, q)]
    excluded = kernel.specialise(apart, {T.node(a): rates[0], T.node(b): rates[1]})
    excluded = T.discharge(excluded, _pair(of, p), _pair(of, q))
    agree = T.conclude_not(T.unpack(excluded, goal.args[0]), goal.args[0])
    second = T.generalise(T.implication(agree, flat), theta, beta, p, q)
    return T.both(first, second)


@control("quarter_turn", {"p": 2, "beta": 1}, key_turn=lambda i, j, theta: (j - i) * theta / 2)
@control("no_rotation", {"p": 1, "beta": 1}, key_turn=no_turn)
@proves(ENERGY, "half_turn")
def half_turn(of: Energy) -> Theorem:
    """sin p sin(p + pi) = -sin^2 p."""
    w = exp(of.score(beta, p + pi))
    form = w**2 / (2 * (exp(beta) + w)) * sin(p) ** 2
    return _short_rows(prove_nonneg(Le(of.pair(p, pi, beta), 0), form))


# ---------------------------------------------------------------------- rational points
@control("keys_unrotated", turned=never)
@proves(ENERGY, "witnesses")
def witnesses(of: Energy) -> Theorem:
    """All coordinates are rational, so only exponentials of rationals are left."""
    return prove_each(T.stated(ENERGY, "witnesses", of), prove_identity)


@control("keys_unrotated", turned=never)
@proves(ENERGY, "three_tokens", "the two configurations")
def three_tokens(of: Energy) -> Theorem:
    return prove_each(T.stated(ENERGY, "three_tokens", of), kernel.ground)


@control("keys_unrotated", turned=never)
@proves(ENERGY, "three_half_turns", "the two configurations")
def three_half_turns(of: Energy) -> Theorem:
    return prove_each(T.stated(ENERGY, "three_half_turns", of), kernel.ground)


# ---------------------------------------------------------------------- consensus and its opposite
@control("values_rotated", value_turn=values_turned)
@proves(ENERGY, "near_consensus")
def near_consensus(of: Energy) -> Theorem:
    """At consensus nothing moves, so only the velocity is differentiated; token by token."""
    goal = T.inner(T.stated(ENERGY, "near_consensus", of))
    left, right = (side.args[0] for side in goal.args)
    index, upper, body = left.args
    other, _, value = right.args
    full = _positive(of, theta, lambda token: Whole(0))
    token = Equal(substitute(body, {index: T.node(i)}), substitute(value, {other: T.node(i)}))
    each = T.discharge(prove_identity(token, [full.conclusion]), full)
    summed = kernel.sum_congruence(each, T.node(i), upper)
    x, y = summed.conclusion.args
    scaled = prove_identity(Eq(a / n**2, b / n**2), [Eq(a, b)])
    return T.discharge(kernel.specialise(scaled, {T.node(a): x, T.node(b): y}), summed)


@control("pull_rotated_twice", pull_turn=lambda i, j, theta: (j - i) * theta + 1)
@control("keys_unrotated", {"n": 2, "theta": 1, "beta": 1, "xi": (1, 0)}, key_turn=keys_unturned)
@proves(ENERGY, "steepest")
def steepest(of: Energy) -> Theorem:
    """Weights are symmetric, so the two halves of the square are exchanged; sines are odd."""
    equal, below, balance = T.inner(T.stated(ENERGY, "steepest", of)).args

    def flat(token: Any) -> Any:
        return Whole(0)

    weight = of.weight(i, j, theta, beta, flat)

    def swapped(term: Any) -> Theorem:
        inside = T.total(T.node(j), T.node(n), T.node(term))
        return kernel.exchange(T.total(T.node(i), T.node(n), inside))

    first = swapped(weight * xi(j) ** 2)
    halves = T.discharge(prove_identity(equal, [first.conclusion]), first)
    second = swapped(weight * sin(relative_turn(i, j, theta)))
    odd = T.discharge(prove_identity(balance, [second.conclusion]), second)
    square = T.node(weight * (xi(j) - xi(i)) ** 2)
    each = prove_nonneg(Le(num(0), square), square)
    row = kernel.sum_congruence(each, T.node(j), T.node(n))
    whole = kernel.sum_congruence(row, T.node(i), T.node(n))
    form = T.margin(whole.conclusion) / 2
    falls = prove_nonneg(below, form, [halves.conclusion, whole.conclusion])
    return T.both(halves, T.discharge(falls, halves, whole), odd)


@control("keys_backwards", key_turn=keys_backwards)
@control("norm_without_one_half", norm=lambda beta, n: beta * n**2)
@proves(ENERGY, "largest_energy")
def largest_energy(of: Energy) -> Theorem:
    """exp(beta cos x) <= exp(beta), because exp(y) >= 1 + y >= 1 at y = beta (1 - cos x)."""
    angle = phi(j) - phi(i) + of.key_turn(i, j, theta)
    short = beta * (1 - cos(angle))
    grows = T.apply(kernel.meaning("exponential_above_line"), [short])
    above = prove_nonneg(
        Le(1, exp(short)),
        T.margin(grows.conclusion)
        + T.node(beta) * T.node((sin(angle) ** 2 + (1 - cos(angle)) ** 2) / 2),
        [grows.conclusion],
    )
    above = T.discharge(above, grows)
    weight = of.weight(i, j, theta, beta)
    each = prove_nonneg(
        Le(weight, exp(beta)),
        T.node(weight) * T.margin(above.conclusion),
        [above.conclusion],
    )
    each = T.discharge(each, above)
    row = kernel.sum_congruence(each, T.node(j), T.node(n))
    whole = kernel.sum_congruence(row, T.node(i), T.node(n))
    bound, twisted = T.inner(T.stated(ENERGY, "largest_energy", of)).args
    scaled = T.margin(whole.conclusion) / T.node(of.norm(beta, n))
    below = T.discharge(prove_nonneg(bound, scaled, [whole.conclusion]), whole)
    return T.both(below, prove_identity(twisted))
