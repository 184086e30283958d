"""Quadratic forms of Gram matrices: Schur powers and exponentials stay non-negative.

Main definitions
----------------
above_power, near_power   (1 + u)^M <= exp(M u), and how close they are
tensor_factor     one more Schur factor as a sum over coordinates of forms in other vectors
schur_power       the form of (s + t G)^M entry by entry, G a Gram matrix, s, t >= 0
exponential_form  the form of exp(beta G) entry by entry, for unit vectors and beta >= 0

Conventions
-----------
Coordinate c < d of vector i < n is y(d i + c), G_ij = sum_c y(d i + c) y(d j + c), and x(i) are the
numbers of the form.  Each entry of a Schur power times G_ij is a sum over c of the same with
x(i) y(d i + c) in place of x(i): the tensor factor with one more place.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import (
    Eq,
    ForAll,
    Implies,
    Le,
    Lt,
    Node,
    exp,
    num,
    power,
    sequence,
    substitute,
    total,
)
from posproof.proofs_check.search import prove_identity, prove_nonneg, prove_order

ROW, COLUMN, PLACE = (T.natural(name) for name in "ijc")
SIZE, DIMENSION = T.natural("n", 1), T.natural("d", 1)
POWER = T.natural("M")
SHIFT, STEP = T.real("s"), T.real("t")
_u = T.real("u")


def number(at: Node) -> Node:
    return sequence("x", at)


def coordinate(vector: Node, place: Node, dimension: Node = DIMENSION) -> Node:
    return sequence("y", dimension * vector + place)


def inner(i: Node, j: Node) -> Node:
    """G_ij."""
    return total(PLACE, DIMENSION, coordinate(i, PLACE) * coordinate(j, PLACE))


def form(entry: Callable[[Node, Node], Node], numbers: Callable[[Node], Node] = number) -> Node:
    """The sum of x_i x_j B_ij over i, j < n."""
    body = numbers(ROW) * numbers(COLUMN) * entry(ROW, COLUMN)
    return total(ROW, SIZE, total(COLUMN, SIZE, body))


# ---------------------------------------------------------------------- powers and exponentials
@lru_cache
def above_power() -> Theorem:
    """0 <= 1 + u |- (1 + u)^M <= exp(M u), by induction on M."""
    positive = Le(num(0), 1 + _u)
    claim = Le(power(1 + _u, POWER), exp(POWER * _u))
    base = prove_nonneg(T.instance(claim, POWER, 0), num(0))
    line = kernel.instantiate(kernel.meaning("exponential_above_line"), _u)
    shape = T.margin(claim) * (1 + _u) + exp(POWER * _u) * T.margin(line.conclusion)
    given = [claim, line.conclusion, positive]
    step = prove_nonneg(T.instance(claim, POWER, POWER + 1), shape, given)
    return kernel.induct(POWER, claim, base, T.discharge(step, line))


@lru_cache
def near_power() -> Theorem:
    """0 <= 1 + u |- exp(M u) (1 - M u^2) <= (1 + u)^M, by induction on M."""
    positive, one = Le(num(0), 1 + _u), 1 + _u
    claim = Le(exp(POWER * _u) * (1 - POWER * _u**2), power(one, POWER))
    base = prove_nonneg(T.instance(claim, POWER, 0), num(0))
    back = kernel.instantiate(kernel.meaning("exponential_above_line"), num(-1) * _u)
    goal = T.instance(claim, POWER, POWER + 1)
    room = Le(POWER * _u**2, num(1))
    grown = exp(POWER * _u)
    # 1 + u - exp(u) (1 - u^2) = (1 + u) exp(u) (exp(-u) - 1 + u)
    shape = one * T.margin(claim)
    shape = shape + grown * T.margin(room) * one * exp(_u) * T.margin(back.conclusion)
    shape = shape + grown * exp(_u) * POWER * _u**4
    near = prove_nonneg(goal, shape, [claim, back.conclusion, positive, room])
    far = Lt(num(1), POWER * _u**2)
    wide = grown * exp(_u) * (T.margin(far) + _u**2) + power(one, POWER) * one
    beyond = prove_nonneg(goal, wide, [positive, far])
    step = T.compare(num(1), POWER * _u**2, beyond, T.discharge(near, back))
    return kernel.induct(POWER, claim, base, step)


# ---------------------------------------------------------------------- tensor factors
def twisted(numbers: Callable[[Node], Node] = number) -> Callable[[Node], Node]:
    """x(i) y(d i + c)."""
    return lambda at: numbers(at) * coordinate(at, PLACE)


def tensor_factor(entry: Callable[[Node, Node], Node]) -> Theorem:
    """0 <= the form of B in x(i) y(d i + c), for all c < d |- 0 <= the form of B_ij G_ij."""
    each = Le(num(0), form(entry, twisted()))
    given = ForAll(PLACE, Implies(Lt(PLACE, DIMENSION), each))
    here = kernel.modus(
        kernel.instantiate(kernel.assume(given), PLACE), kernel.assume(Lt(PLACE, DIMENSION))
    )
    summed = kernel.sum_congruence(here, PLACE, DIMENSION)
    triple = summed.conclusion.args[1]
    outside = kernel.exchange(triple)  # sum over i of the sums over c and j
    rows = outside.conclusion.args[1]
    inside = kernel.exchange(rows.args[2])  # sum over j of the sum over c
    hold = T.real("B")
    pairs = (
        (number(ROW) * coordinate(ROW, PLACE)) * (number(COLUMN) * coordinate(COLUMN, PLACE)) * hold
    )
    taken = Eq(
        total(PLACE, DIMENSION, pairs), number(ROW) * number(COLUMN) * (hold * inner(ROW, COLUMN))
    )
    value = kernel.specialise(prove_identity(taken), {hold: entry(ROW, COLUMN)})
    columns = kernel.sum_congruence(value, COLUMN, SIZE)
    per_row = _chain(inside, columns)
    whole = _chain(outside, kernel.sum_congruence(per_row, ROW, SIZE))
    zero = prove_identity(Eq(summed.conclusion.args[0], num(0)))
    a, b, c = T.real("a"), T.real("b"), T.real("c")
    order = prove_nonneg(Le(num(0), c), b - a, [Le(a, b), Eq(a, num(0)), Eq(b, c)])
    names = dict(zip((a, b), summed.conclusion.args, strict=True))
    found = kernel.specialise(order, {**names, c: whole.conclusion.args[1]})
    return T.discharge(found, summed, zero, whole)


def moved(theorem: Theorem, entry: Callable[[Node, Node], Node]) -> Theorem:
    """0 <= the form of B, from 0 <= the form of entries that algebra shows equal."""
    value = theorem.conclusion.args[1]
    old = value.args[2].args[2]
    each = prove_identity(Eq(old, number(ROW) * number(COLUMN) * entry(ROW, COLUMN)))
    whole = kernel.sum_congruence(kernel.sum_congruence(each, COLUMN, SIZE), ROW, SIZE)
    a, b = T.real("a"), T.real("b")
    order = prove_nonneg(Le(num(0), b), a, [Le(num(0), a), Eq(a, b)])
    found = kernel.specialise(order, {a: value, b: whole.conclusion.args[1]})
    return T.discharge(found, theorem, whole)


def _chain(first: Theorem, second: Theorem) -> Theorem:
    """a = c from a = b and b = c."""
    a, b, c = T.real("a"), T.real("b"), T.real("c")
    lemma = prove_identity(Eq(a, c), [Eq(a, b), Eq(b, c)])
    names = {a: first.conclusion.args[0], b: first.conclusion.args[1]}
    lemma = kernel.specialise(lemma, {**names, c: second.conclusion.args[1]})
    return T.discharge(lemma, first, second)


def moved_to(theorem: Theorem, goal: Node) -> Theorem:
    """0 <= one double sum |- 0 <= another, whose terms algebra shows equal."""
    old, new = (claim.args[1] for claim in (theorem.conclusion, goal))
    outer, upper, (inner_, limit, body) = *old.args[:2], old.args[2].args
    names = {new.args[0]: outer}
    other = substitute(new.args[2], names)
    target = substitute(other.args[2], {other.args[0]: inner_})
    each = prove_identity(Eq(body, target))
    whole = kernel.sum_congruence(kernel.sum_congruence(each, inner_, limit), outer, upper)
    a, b = T.real("a"), T.real("b")
    order = prove_nonneg(Le(num(0), b), a, [Le(num(0), a), Eq(a, b)])
    found = kernel.specialise(order, {a: old, b: whole.conclusion.args[1]})
    return T.discharge(found, whole)


def raised(exponent: Node) -> Callable[[Node, Node], Node]:
    """(s + t G_ij)^exponent."""
    return lambda i, j: power(SHIFT + STEP * inner(i, j), exponent)


@lru_cache
def schur_power() -> Theorem:
    """0 <= s, 0 <= t |- 0 <= the form of (s + t G_ij)^M, for every M and every x."""
    claim = Le(num(0), form(raised(POWER)))
    square = T.taken_out(ROW, SIZE, number(ROW), total(COLUMN, SIZE, number(COLUMN)))
    plain = Le(num(0), form(lambda i, j: num(1)))
    plain = prove_nonneg(plain, total(ROW, SIZE, number(ROW)) ** 2, [square.conclusion])
    base = moved(T.discharge(plain, square), raised(num(0)))
    more = tensor_factor(raised(POWER))
    warm = [Le(num(0), SHIFT), Le(num(0), STEP)]
    shape = SHIFT * form(raised(POWER)) + STEP * more.conclusion.args[1]
    goal = T.instance(claim, POWER, POWER + 1)
    step = T.discharge(prove_nonneg(goal, shape, [claim, more.conclusion, *warm]), more)
    place = T.real("z")
    value = number(place) * coordinate(place, PLACE)
    used = kernel.realise(kernel.assume(claim), "x", place, value).conclusion
    # the claim holds for every c, so for those below d
    every = kernel.instantiate(kernel.assume(ForAll(PLACE, used)), PLACE)
    limited = T.generalise(T.implication(every, Lt(PLACE, DIMENSION)), PLACE)
    step = T.discharge(step, limited)
    return kernel.induct_sequences(POWER, claim, base, step, "x", [(place, value, (PLACE,))])


# ---------------------------------------------------------------------- exponentials
def unit(vector: Node) -> Node:
    """The squared length of a vector is 1."""
    return Eq(total(PLACE, DIMENSION, coordinate(vector, PLACE) ** 2), num(1))


def units() -> Node:
    return ForAll(ROW, Implies(Lt(ROW, SIZE), unit(ROW)))


def between(i: Node, j: Node) -> list[Theorem]:
    """-1 <= G_ij and G_ij <= 1, under i, j < n and unit lengths."""
    facts = []
    for vector in (i, j):
        one = kernel.instantiate(kernel.assume(units()), vector)
        facts.append(kernel.modus(one, kernel.assume(Lt(vector, SIZE))))
    given = [fact.conclusion for fact in facts]
    proofs = []
    for sign, goal in ((1, Le(num(-1), inner(i, j))), (-1, Le(inner(i, j), num(1)))):
        apart = coordinate(i, PLACE) + sign * coordinate(j, PLACE)
        square = total(PLACE, DIMENSION, apart**2)
        proofs.append(T.discharge(prove_nonneg(goal, square / 2, given), *facts))
    return proofs


def weights(beta: Node) -> Callable[[Node, Node], Node]:
    """exp(beta G_ij)."""
    return lambda i, j: exp(beta * inner(i, j))


def remainder(beta: Node) -> Node:
    """The sum of (x_i^2 + x_j^2) / 2 G_ij^2 exp(beta G_ij)."""
    squares = (number(ROW) ** 2 + number(COLUMN) ** 2) / 2
    body = squares * (inner(ROW, COLUMN) ** 2 * weights(beta)(ROW, COLUMN))
    return total(ROW, SIZE, total(COLUMN, SIZE, body))


@lru_cache
def close_form() -> Theorem:
    """0 <= t <= 1, unit lengths |- -M t^2 K <= the form of exp(M t G), K its `remainder`."""
    low, high = Le(num(0), STEP), Le(STEP, num(1))
    G = inner(ROW, COLUMN)
    u = STEP * G
    least = between(ROW, COLUMN)[0]
    positive = Le(num(0), 1 + u)
    shape = T.margin(high) + STEP * T.margin(least.conclusion)
    inside = T.discharge(prove_nonneg(positive, shape, [low, high, least.conclusion]), least)
    above = T.discharge(kernel.specialise(above_power(), {_u: u}), inside)
    near = T.discharge(kernel.specialise(near_power(), {_u: u}), inside)
    large, small = above.conclusion.args[1], above.conclusion.args[0]
    squares = (number(ROW) ** 2 + number(COLUMN) ** 2) / 2
    left = number(ROW) * number(COLUMN) * small - squares * (POWER * STEP**2 * (G**2 * large))
    goal = Le(left, number(ROW) * number(COLUMN) * large)
    shape = (number(ROW) + number(COLUMN)) ** 2 / 2 * T.margin(above.conclusion)
    shape = shape + squares * T.margin(near.conclusion)
    each = prove_nonneg(goal, shape, [above.conclusion, near.conclusion])
    each = T.discharge(each, above, near)
    whole = kernel.sum_congruence(kernel.sum_congruence(each, COLUMN, SIZE), ROW, SIZE)
    finite = kernel.specialise(schur_power(), {SHIFT: num(1)})
    finite = T.discharge(finite, kernel.ground(Le(num(0), num(1))))
    value = whole.conclusion.args[1]
    goal = Le(num(-1) * (POWER * STEP**2 * remainder(POWER * STEP)), value)
    shape = T.margin(whole.conclusion) + finite.conclusion.args[1]
    proof = prove_nonneg(goal, shape, [whole.conclusion, finite.conclusion])
    return T.discharge(proof, whole, finite)


@lru_cache
def archimedes() -> Theorem:
    """0 <= F, if 0 <= B, 0 <= K and -B^2 K <= N F for every integer N >= 1 with B <= N."""
    F, B, K = (T.real(name) for name in "FBK")
    many, k = T.natural("N", 1), T.integer("k")
    bound = num(-1) * (B**2 * K)
    given = ForAll(many, Implies(Le(B, many), Le(bound, many * F)))
    below, warm, size = Lt(F, num(0)), Le(num(0), B), Le(num(0), K)
    level = B + B**2 * K / (num(0) - F)
    floor = T.apply(kernel.meaning("floor"), [level])
    inside = T.body(floor, k)
    low, high = inside.args
    share = B**2 * K / T.margin(below)
    above = prove_nonneg(Lt(num(0), k + 1), T.margin(high) + (B + share), [high, warm, size, below])
    first = kernel.integer_step(above)
    one = T.discharge(prove_order(Le(num(1), k + 1), [first.conclusion]), first)
    step = kernel.instantiate(kernel.weaken(kernel.assume(given), [one.conclusion]), k + 1)
    wide = prove_nonneg(Le(B, k + 1), T.margin(high) + share, [high, size, below])
    told = kernel.modus(step, wide)
    # (k + 1) (-F) > B (-F) + B^2 K >= B^2 K
    over = prove_nonneg(
        Lt(B**2 * K, (k + 1) * (num(0) - F)),
        T.margin(below) * (T.margin(high) + B),
        [below, high, warm],
    )
    never = T.contradict([told.conclusion, over.conclusion])
    never = T.discharge(never, told, over)
    never = T.discharge(never, one, above)
    never = T.obtain(floor, k, T.unpack(never, inside))
    goal = Le(num(0), F)
    return T.compare(F, 0, T.ex_falso(never, goal), kernel.assume(goal))


def exponential_form(beta: Node) -> Theorem:
    """0 <= beta, unit lengths |- 0 <= the form of exp(beta G), for every x."""
    many = T.natural("N", 1)
    warm, room = Le(num(0), beta), Le(beta, many)
    step = beta / many
    close = kernel.specialise(close_form(), {STEP: step, POWER: many})
    low = prove_nonneg(Le(num(0), step), beta / many, [warm])
    high = prove_nonneg(Le(step, num(1)), T.margin(room) / many, [room])
    close = T.discharge(close, low, high)
    F, K = form(weights(beta)), remainder(beta)
    goal = Le(num(-1) * (beta**2 * K), many * F)
    every = prove_nonneg(goal, many * T.margin(close.conclusion), [close.conclusion])
    every = T.generalise(T.implication(T.discharge(every, close), room), many)
    names = {T.real("F"): F, T.real("B"): beta, T.real("K"): K}
    found = kernel.specialise(archimedes(), names)
    return T.discharge(found, every, prove_nonneg(Le(num(0), K), K))
