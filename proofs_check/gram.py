"""Quadratic forms of Gram matrices: Schur powers and exponentials stay non-negative.

Main definitions
----------------
above_power, near_power   (1 + u)^M <= exp(M u), and how close they are
tensor_factor     one more Schur factor as a sum over coordinates of forms in other vectors
schur_power       the form of (s + t G)^M entry by entry, G a Gram matrix, s, t >= 0
exponential_form  the form of exp(beta G) entry by entry, for unit vectors and beta >= 0
above_shifted     exp(beta G) against powers of 1 + G
definite_form     the form of exp(beta G) is positive when the vectors differ

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
    And,
    Eq,
    Exists,
    ForAll,
    Implies,
    Le,
    Lt,
    Node,
    Not,
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
    """0 <= or 0 < one double sum |- the same of another, whose terms algebra shows equal."""
    old, new = (claim.args[1] for claim in (theorem.conclusion, goal))
    outer, upper, (inner_, limit, body) = *old.args[:2], old.args[2].args
    other = substitute(new.args[2], {new.args[0]: outer})
    target = substitute(other.args[2], {other.args[0]: inner_})
    each = prove_identity(Eq(body, target))
    whole = kernel.sum_congruence(kernel.sum_congruence(each, inner_, limit), outer, upper)
    a, b = T.real("a"), T.real("b")
    relation = Lt if goal.head == "lt" else Le
    order = prove_nonneg(relation(num(0), b), a, [relation(num(0), a), Eq(a, b)])
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
def near_form() -> Theorem:
    """0 <= t <= 1, unit lengths |- (1 + t G)^M less M t^2 G^2 E is below E = exp(M t G), summed."""
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
    return kernel.sum_congruence(kernel.sum_congruence(each, COLUMN, SIZE), ROW, SIZE)


@lru_cache
def close_form() -> Theorem:
    """0 <= t <= 1, unit lengths |- -M t^2 K <= the form of exp(M t G), K its `remainder`."""
    whole = near_form()
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


# ---------------------------------------------------------------------- strictly positive forms
_k, _r, _N = T.natural("k"), T.natural("r"), T.natural("N")
_c = T.real("c")


def shifted(i: Node, j: Node) -> Node:
    """A_ij = 1 + G_ij."""
    return num(1) + num(1) * inner(i, j)


def stretched(i: Node, j: Node) -> Node:
    """V_ij = 1 + t G_ij, which is 1 - t + t A_ij."""
    return num(1) + STEP * inner(i, j)


def mixed(first: Node, second: Node) -> Callable[[Node, Node], Node]:
    """A^first V^second."""
    return lambda i, j: power(shifted(i, j), first) * power(stretched(i, j), second)


@lru_cache
def mixed_power() -> Theorem:
    """0 <= t |- for all k, r: 0 <= the form of A^k V^r."""
    claim = Le(num(0), form(mixed(_k, _r)))
    plain = kernel.specialise(schur_power(), {SHIFT: num(1), STEP: num(1), POWER: _k})
    plain = T.discharge(plain, *(kernel.ground(h) for h in plain.hypotheses))
    base = moved(plain, mixed(_k, num(0)))
    more = tensor_factor(mixed(_k, _r))
    warm = Le(num(0), STEP)
    shape = form(mixed(_k, _r)) + STEP * more.conclusion.args[1]
    goal = T.instance(claim, _r, _r + 1)
    step = T.discharge(prove_nonneg(goal, shape, [claim, more.conclusion, warm]), more)
    place = T.real("z")
    value = number(place) * coordinate(place, PLACE)
    used = kernel.realise(kernel.assume(claim), "x", place, value).conclusion
    every = kernel.instantiate(kernel.assume(ForAll(PLACE, used)), PLACE)
    limited = T.generalise(T.implication(every, Lt(PLACE, DIMENSION)), PLACE)
    step = T.discharge(step, limited)
    found = kernel.induct_sequences(_r, claim, base, step, "x", [(place, value, (PLACE,))])
    return T.generalise(found, _k, _r)


def _mixed(first: Node, second: Node) -> Theorem:
    return T.apply(mixed_power(), [first, second])


def excess(count: Node) -> Callable[[Node, Node], Node]:
    """V^N - p^N - N p^N t A, p = 1 - t."""
    kept = power(1 - STEP, count)
    return lambda i, j: power(stretched(i, j), count) - kept - count * kept * STEP * shifted(i, j)


@lru_cache
def linear_part() -> Theorem:
    """0 <= t <= 1 |- for all k, r: 0 <= the form of (V^N - p^N - N p^N t A) A^k V^r."""
    low, high = Le(num(0), STEP), Le(STEP, num(1))

    def entry(count: Node, first: Node, second: Node) -> Callable[[Node, Node], Node]:
        rest, weight = excess(count), mixed(first, second)
        return lambda i, j: rest(i, j) * weight(i, j)

    def claim(count: Node, second: Node = _r) -> Node:
        return Le(num(0), form(entry(count, _k, second)))

    statement = ForAll(_k, ForAll(_r, claim(_N)))
    base = T.generalise(prove_nonneg(claim(num(0)), num(0)), _k, _r)
    known = T.apply(kernel.assume(statement), [_k, _r + 1])
    once, twice = _mixed(_k + 1, _r), _mixed(_k + 2, _r)
    kept = power(1 - STEP, _N)
    shape = known.conclusion.args[1] + kept * STEP * STEP * once.conclusion.args[1]
    shape = shape + _N * kept * STEP**2 * twice.conclusion.args[1]
    facts = [known, once, twice]
    given = [*(fact.conclusion for fact in facts), low, high]
    step = T.discharge(prove_nonneg(claim(_N + 1), shape, given), *facts)
    return kernel.induct(_N, statement, base, T.generalise(step, _k, _r))


@lru_cache
def shifted_below() -> Theorem:
    """0 <= t <= 1, 0 <= c <= N p^N t |- 0 <= the form of V^(N k) - c^k A^k."""
    low, high, warm = Le(num(0), STEP), Le(STEP, num(1)), Le(num(0), _c)
    kept = power(1 - STEP, _N)
    room = Le(_c, _N * kept * STEP)

    def claim(steps: Node) -> Node:
        def entry(i: Node, j: Node) -> Node:
            gap = power(stretched(i, j), _N * steps) - power(_c, steps) * power(
                shifted(i, j), steps
            )
            return gap * power(stretched(i, j), _r)

        return Le(num(0), form(entry))

    statement = ForAll(_r, claim(_k))
    base = T.generalise(prove_nonneg(claim(num(0)), num(0)), _r)
    known = T.apply(kernel.assume(statement), [_r + _N])
    rest = T.apply(linear_part(), [_k, _r])
    plain, once = _mixed(_k, _r), _mixed(_k + 1, _r)
    shape = rest.conclusion.args[1] + kept * plain.conclusion.args[1]
    shape = power(_c, _k) * (shape + T.margin(room) * once.conclusion.args[1])
    shape = known.conclusion.args[1] + shape
    facts = [known, rest, plain, once]
    given = [*(fact.conclusion for fact in facts), low, high, warm, room]
    step = T.discharge(prove_nonneg(claim(_k + 1), shape, given), *facts)
    return kernel.induct(_k, statement, base, T.generalise(step, _r))


@lru_cache
def bernoulli() -> Theorem:
    """0 <= t <= 1 |- 1 - N t <= (1 - t)^N."""
    low, high = Le(num(0), STEP), Le(STEP, num(1))
    claim = Le(1 - _N * STEP, power(1 - STEP, _N))
    base = prove_nonneg(T.instance(claim, _N, 0), num(0))
    shape = T.margin(high) * T.margin(claim) + _N * STEP**2
    step = prove_nonneg(T.instance(claim, _N, _N + 1), shape, [claim, low, high])
    return kernel.induct(_N, claim, base, step)


def shifted_form(steps: Node) -> Node:
    """The form of A^k."""
    return form(lambda i, j: power(shifted(i, j), steps))


def share(beta: Node, steps: Node) -> Node:
    """(beta / k) (1 - beta / k)."""
    return beta / steps * (1 - beta / steps)


def above_shifted(beta: Node, steps: Node) -> Theorem:
    """0 <= beta <= k, unit lengths |- 0 <= the form of exp(beta G) - ((beta/k)(1 - beta/k))^k A^k.

    `steps` is a variable k >= 1.
    """
    many = T.natural("N", 1)
    warm, cool, room = Le(num(0), beta), Le(beta, steps), Le(beta, many)
    t, c = beta / (many * steps), share(beta, steps)
    low = prove_nonneg(Le(num(0), t), beta / (many * steps), [warm])
    high = prove_nonneg(
        Le(t, num(1)), (T.margin(room) + many * (steps - 1)) / (many * steps), [room]
    )
    here = {STEP: t, _N: many}
    power_above = T.discharge(kernel.specialise(bernoulli(), here), low, high)
    positive = prove_nonneg(Le(num(0), c), beta * T.margin(cool) / steps**2, [warm, cool])
    kept = power(1 - t, many)
    fits = prove_nonneg(
        Le(c, many * kept * t),
        beta / steps * T.margin(power_above.conclusion),
        [power_above.conclusion, warm],
    )
    fits = T.discharge(fits, power_above)
    below = kernel.specialise(shifted_below(), {**here, _c: c, _k: steps})
    below = T.discharge(kernel.instantiate(below, num(0)), low, high, positive, fits)
    near = kernel.specialise(near_form(), {STEP: t, POWER: many * steps})
    near = T.discharge(near, low, high)
    F = form(weights(beta)) - power(c, steps) * shifted_form(steps)
    K = remainder(beta) / steps
    goal = Le(num(-1) * (beta**2 * K), many * F)
    shape = many * (T.margin(near.conclusion) + below.conclusion.args[1])
    every = prove_nonneg(goal, shape, [near.conclusion, below.conclusion])
    every = T.discharge(every, near, below)
    every = T.generalise(T.implication(every, room), many)
    names = {T.real("F"): F, T.real("B"): beta, T.real("K"): K}
    found = kernel.specialise(archimedes(), names)
    whole = prove_nonneg(Le(num(0), K), K)
    return T.discharge(found, every, whole)


# ---------------------------------------------------------------------- different vectors
_s, _a, _b = T.real("s"), T.real("a"), T.real("b")


@lru_cache
def powers_rise() -> Theorem:
    """0 <= a <= b |- a^k <= b^k."""
    low, order = Le(num(0), _a), Le(_a, _b)
    claim = Le(power(_a, _k), power(_b, _k))
    base = prove_nonneg(T.instance(claim, _k, 0), num(0))
    above = prove_nonneg(Le(num(0), _b), _a + T.margin(order), [low, order])
    shape = _b * T.margin(claim) + power(_a, _k) * T.margin(order)
    step = prove_nonneg(T.instance(claim, _k, _k + 1), shape, [claim, low, order, above.conclusion])
    return kernel.induct(_k, claim, base, T.discharge(step, above))


@lru_cache
def shrinking() -> Theorem:
    """1 <= s |- s^k (1 + k (2 - s) / 2) <= 2^k."""
    low = Le(num(1), _s)
    gap = (2 - _s) / 2
    claim = Le(power(_s, _k) * (1 + _k * gap), power(num(2), _k))
    base = prove_nonneg(T.instance(claim, _k, 0), num(0))
    positive = prove_nonneg(Le(num(0), _s), T.margin(low) + 1, [low])
    shape = 2 * T.margin(claim) + 2 * power(_s, _k) * (_k + 1) * gap**2
    given = [claim, positive.conclusion]
    step = T.discharge(prove_nonneg(T.instance(claim, _k, _k + 1), shape, given), positive)
    return kernel.induct(_k, claim, base, step)


def apart(i: Node, j: Node) -> Node:
    """i != j => A_ij <= s."""
    return Implies(Not(Eq(i, j)), Le(shifted(i, j), _s))


def all_apart() -> Node:
    """A_ij <= s for all different i, j < n."""
    row = ForAll(COLUMN, Implies(Lt(COLUMN, SIZE), apart(ROW, COLUMN)))
    return ForAll(ROW, Implies(Lt(ROW, SIZE), row))


def squares() -> Node:
    """X, the sum of x_i^2."""
    return total(ROW, SIZE, number(ROW) ** 2)


@lru_cache
def shifted_above() -> Theorem:
    """1 <= s, A_ij <= s for i != j, unit lengths |- X (2^k - n s^k) <= the form of A^k."""
    low = Le(num(1), _s)
    entry = power(shifted(ROW, COLUMN), _k)
    half = (number(ROW) ** 2 + number(COLUMN) ** 2) / 2
    most, two = power(_s, _k), power(num(2), _k)
    body = number(ROW) * number(COLUMN) * entry + half * most

    least = between(ROW, COLUMN)[0]
    positive = prove_nonneg(
        Le(num(0), shifted(ROW, COLUMN)), T.margin(least.conclusion), [least.conclusion]
    )
    positive = T.discharge(positive, least)
    known = kernel.modus(kernel.instantiate(kernel.assume(all_apart()), ROW), _below(ROW))
    known = kernel.modus(kernel.instantiate(known, COLUMN), _below(COLUMN))
    other = Not(Eq(ROW, COLUMN))
    known = kernel.modus(known, kernel.assume(other))
    rise = kernel.specialise(powers_rise(), {_a: shifted(ROW, COLUMN), _b: _s})
    rise = T.discharge(rise, positive, known)
    shape = (number(ROW) + number(COLUMN)) ** 2 / 2 * entry + half * T.margin(rise.conclusion)
    goal = Le(num(0), body)
    usual = prove_nonneg(goal, shape, [rise.conclusion, positive.conclusion])
    usual = T.discharge(usual, rise, positive)

    unit_row = kernel.modus(kernel.instantiate(kernel.assume(units()), ROW), _below(ROW))
    hole = T.real("hole")
    two_here = prove_identity(Eq(shifted(ROW, ROW), num(2)), [unit_row.conclusion])
    two_here = T.discharge(two_here, unit_row)
    same = T.transport(Eq(power(hole, _k), two), hole, two_here, prove_identity(Eq(two, two)))
    own = substitute(body, {COLUMN: ROW})
    value = number(ROW) ** 2 * (two + most)
    level = T.discharge(prove_identity(Eq(own, value), [same.conclusion]), same)
    sign = prove_nonneg(Le(num(0), _s), T.margin(low) + 1, [low])
    flat = prove_nonneg(Le(num(0), own), value, [level.conclusion, sign.conclusion])
    flat = T.discharge(flat, level, sign)
    equal = Eq(COLUMN, ROW)
    here = kernel.leibniz(flat, goal, COLUMN, equal)
    swapped = T.rewrite(Eq(COLUMN, ROW), ROW, COLUMN, prove_identity(Eq(COLUMN, COLUMN)))
    here = T.discharge(here, swapped)
    each = T.split(Eq(ROW, COLUMN), here, usual)
    terms = T.term_below_sum(body, COLUMN, SIZE)
    terms = T.discharge(terms, T.generalise(T.implication(each, Lt(COLUMN, SIZE)), COLUMN))
    first = kernel.modus(T.apply(kernel.project(terms, 1), [ROW]), _below(ROW))
    hold = T.real("X")
    named_sum = Eq(hold, squares())
    row = total(COLUMN, SIZE, number(ROW) * number(COLUMN) * entry)
    goal = Le(value, row + most / 2 * (SIZE * number(ROW) ** 2 + hold))
    facts = [first, level]
    line = prove_nonneg(
        goal, T.margin(first.conclusion), [*(fact.conclusion for fact in facts), named_sum]
    )
    line = T.discharge(line, *facts)
    summed = kernel.sum_congruence(line, ROW, SIZE)
    final = Le(squares() * (two - SIZE * most), shifted_form(_k))
    shape = T.margin(summed.conclusion) + most * squares()
    proof = prove_nonneg(final, shape, [summed.conclusion, named_sum, sign.conclusion])
    proof = T.discharge(proof, summed, sign)
    proof = kernel.specialise(proof, {hold: squares()})
    return T.discharge(proof, prove_identity(Eq(squares(), squares())))


def _below(index: Node) -> Theorem:
    return kernel.assume(Lt(index, SIZE))


def different(i: Node, j: Node) -> Node:
    """Some coordinate c < d of the vectors differs."""
    unlike = Not(Eq(coordinate(i, PLACE), coordinate(j, PLACE)))
    return Exists(PLACE, And(Lt(PLACE, DIMENSION), unlike))


def all_different() -> Node:
    """Vectors of different indices below n differ."""
    row = Implies(Lt(COLUMN, SIZE), Implies(Not(Eq(ROW, COLUMN)), different(ROW, COLUMN)))
    return ForAll(ROW, Implies(Lt(ROW, SIZE), ForAll(COLUMN, row)))


def _bounded_by(claim: Node) -> Node:
    """There is s with 1 <= s < 2 and the claim about s."""
    return Exists(_s, And(Le(num(1), _s), Lt(_s, num(2)), claim))


@lru_cache
def pair_bound() -> Theorem:
    """i, j < n |- 1 <= s < 2 and (i != j => A_ij <= s) for some s."""
    goal = _bounded_by(apart(ROW, COLUMN))
    entry = shifted(ROW, COLUMN)
    unlike = Not(Eq(ROW, COLUMN))

    def shown(value: Node, low: Theorem, high: Theorem, fits: Theorem) -> Theorem:
        return T.exists(goal, value, T.both(low, high, fits))

    ones = (kernel.ground(Le(num(1), num(1))), kernel.ground(Lt(num(1), num(2))))
    never = kernel.clash(kernel.assume(Eq(ROW, COLUMN)), kernel.assume(unlike))
    vacuous = T.implication(T.ex_falso(never, Le(entry, num(1))), unlike)
    equal = shown(num(1), *ones, vacuous)

    place = T.natural("c")
    told = kernel.modus(kernel.instantiate(kernel.assume(all_different()), ROW), _below(ROW))
    told = kernel.modus(kernel.instantiate(told, COLUMN), _below(COLUMN))
    told = kernel.modus(told, kernel.assume(unlike))
    gap = coordinate(ROW, PLACE) - coordinate(COLUMN, PLACE)
    square = gap**2
    terms = T.term_below_sum(square, PLACE, DIMENSION)
    above = prove_nonneg(Le(num(0), square), square)
    terms = T.discharge(terms, T.generalise(T.implication(above, Lt(PLACE, DIMENSION)), PLACE))
    inside = T.body(told, place)
    limit, apart_here = inside.args
    one = kernel.modus(T.apply(kernel.project(terms, 1), [place]), kernel.assume(limit))
    lengths = []
    for vector in (ROW, COLUMN):
        length = kernel.modus(kernel.instantiate(kernel.assume(units()), vector), _below(vector))
        lengths.append(length)
    small = one.conclusion.args[0]
    shape = (T.margin(one.conclusion) + small) / 2
    facts = [one, *lengths]
    below = prove_nonneg(
        Lt(entry, num(2)), shape, [*(fact.conclusion for fact in facts), apart_here]
    )
    below = T.obtain(told, place, T.unpack(T.discharge(below, *facts), inside))
    large, little = Le(num(1), entry), Lt(entry, num(1))
    itself = T.implication(prove_nonneg(Le(entry, entry), num(0)), unlike)
    high = shown(entry, kernel.assume(large), below, itself)
    fits = T.implication(prove_nonneg(Le(entry, num(1)), T.margin(little), [little]), unlike)
    low = shown(num(1), *ones, fits)
    distinct = T.compare(entry, num(1), low, high)
    return T.split(Eq(ROW, COLUMN), equal, distinct)


def _common(name: Node, claim: Node, each: Theorem, grows: Callable[..., Theorem]) -> Theorem:
    """One s for all name < n, from one for each; `grows` moves a claim about t to s >= t."""
    count = T.natural("N")
    other = T.real("t")
    every = ForAll(name, Implies(Lt(name, count), claim))
    statement = Implies(Le(count, SIZE), _bounded_by(every))
    none = T.ex_falso(T.contradict([Lt(name, num(0))]), claim)
    start = substitute(every, {count: num(0)})
    none = T.implication(kernel.specialise(none, {_s: num(1)}), Lt(name, num(0)))
    vacuous = T.generalise(none, name)
    goal = _bounded_by(start)
    ones = (kernel.ground(Le(num(1), num(1))), kernel.ground(Lt(num(1), num(2))))
    base = T.implication(T.exists(goal, num(1), T.both(*ones, vacuous)), Le(num(0), SIZE))

    more = Le(count + 1, SIZE)
    known = kernel.modus(kernel.assume(statement), prove_order(Le(count, SIZE), [more]))
    new = kernel.specialise(each, {name: count})
    new = T.discharge(new, prove_order(Lt(count, SIZE), [more]))
    before, last = T.body(known, _s), T.body(new, other)
    goal = _bounded_by(substitute(every, {count: count + 1}))

    def joined(value: Node, bigger: Node, order: Node) -> Theorem:
        """All names <= count, with the larger of the two bounds."""
        close = T.one_apart(name, count + 1)
        older = kernel.modus(
            T.apply(kernel.assume(before.args[2]), [name]), kernel.assume(Lt(name, count))
        )
        newest = kernel.assume(last.args[2])
        if value == other:
            older = grows(older, _s, other, order)
        else:
            newest = grows(newest, other, _s, order)
        wanted = substitute(claim, {_s: value})
        same = kernel.antisymmetry(
            T.discharge(prove_order(Le(name, count), [close.conclusion]), close),
            kernel.assume(Le(count, name)),
        )
        newest = T.discharge(kernel.leibniz(newest, wanted, name, same.conclusion), same)
        reached = T.compare(name, count, older, newest)
        reached = T.generalise(T.implication(reached, Lt(name, count + 1)), name)
        parts = (kernel.assume(bigger.args[0]), kernel.assume(bigger.args[1]), reached)
        return T.exists(goal, value, T.both(*parts))

    grown = T.compare(
        _s, other, joined(other, last, Lt(_s, other)), joined(_s, before, Le(other, _s))
    )
    grown = T.obtain(new, other, T.unpack(grown, last))
    grown = T.obtain(known, _s, T.unpack(grown, before))
    whole = kernel.induct(count, statement, base, T.implication(grown, more))
    found = kernel.specialise(whole, {count: SIZE})
    return kernel.modus(found, prove_order(Le(SIZE, SIZE)))


def _entry_grows(theorem: Theorem, small: Node, large: Node, order: Node) -> Theorem:
    """i != j => A_ij <= t from the same with a smaller bound."""
    unlike, below = theorem.conclusion.args
    told = kernel.modus(theorem, kernel.assume(unlike))
    goal = Le(below.args[0], large)
    shape = T.margin(below) + (large - small)
    proof = prove_nonneg(goal, shape, [below, order])
    return T.implication(T.discharge(proof, told), unlike)


def _row_grows(theorem: Theorem, small: Node, large: Node, order: Node) -> Theorem:
    bound, (limit, _) = theorem.conclusion.args[0], theorem.conclusion.args[1].args
    told = kernel.modus(kernel.instantiate(theorem, bound), kernel.assume(limit))
    return T.generalise(T.implication(_entry_grows(told, small, large, order), limit), bound)


@lru_cache
def common_bound() -> Theorem:
    """Unit lengths, different vectors |- 1 <= s < 2 and A_ij <= s for all i != j, for some s."""
    row = ForAll(COLUMN, Implies(Lt(COLUMN, SIZE), apart(ROW, COLUMN)))
    each = _common(COLUMN, apart(ROW, COLUMN), pair_bound(), _entry_grows)
    return _common(ROW, row, each, _row_grows)


def definite_form(beta: Node, place: Node) -> Theorem:
    """0 < beta, unit lengths, different vectors, place < n, x(place) != 0 |- 0 < the form.

    `beta` is a variable of positive domain, and the form is that of exp(beta G).
    """
    bound = common_bound()
    inside = T.body(bound, _s)
    one, small, _ = inside.args
    gap, k = (2 - _s) / 2, T.integer("k")
    level = beta + SIZE / gap
    floor = T.apply(kernel.meaning("floor"), [level])
    around = T.body(floor, k)
    high = around.args[1]
    steps = k + 1
    hot = prove_nonneg(Lt(beta, steps), T.margin(high) + SIZE / gap, [high, small])
    late = prove_nonneg(Lt(SIZE, steps * gap), gap * (T.margin(high) + beta), [high, small])
    above = prove_nonneg(Lt(num(0), steps), T.margin(hot.conclusion) + beta, [hot.conclusion])
    first = kernel.integer_step(T.discharge(above, hot))
    whole = T.discharge(prove_order(Le(num(1), steps), [first.conclusion]), first)
    natural = T.discharge(prove_order(Le(num(0), steps), [whole.conclusion]), whole)

    def at_steps(theorem: Theorem, name: Node, low: Theorem) -> Theorem:
        least = Le(low.conclusion.args[0], name)
        return T.discharge(kernel.specialise(kernel.weaken(theorem, [least]), {name: steps}), low)

    many = T.natural("K", 1)
    cool = prove_nonneg(Le(beta, steps), T.margin(hot.conclusion), [hot.conclusion])
    warm = prove_nonneg(Le(num(0), beta), beta)
    lower = at_steps(above_shifted(beta, many), many, whole)
    lower = T.discharge(lower, T.discharge(cool, hot), warm)
    shifted_low = at_steps(shifted_above(), _k, natural)
    shrunk = at_steps(shrinking(), _k, natural)

    c = share(beta, steps)
    factor = power(c, steps)
    positive = prove_nonneg(
        Lt(num(0), c),
        beta * T.margin(hot.conclusion) / steps**2,
        [hot.conclusion, above.conclusion],
    )
    positive = T.discharge(positive, T.discharge(above, hot), hot)
    factor_above = prove_nonneg(Lt(num(0), factor), factor, [positive.conclusion])
    factor_above = T.discharge(factor_above, positive)
    large = prove_nonneg(Lt(num(0), _s), T.margin(one) + 1, [one])
    most = power(_s, steps)
    most_above = T.discharge(prove_nonneg(Lt(num(0), most), most, [large.conclusion]), large)

    terms = T.term_below_sum(number(ROW) ** 2, ROW, SIZE)
    square = prove_nonneg(Le(num(0), number(ROW) ** 2), number(ROW) ** 2)
    terms = T.discharge(terms, T.generalise(T.implication(square, Lt(ROW, SIZE)), ROW))
    limit, unlike = Lt(place, SIZE), Not(Eq(number(place), num(0)))
    term = kernel.modus(T.apply(kernel.project(terms, 1), [place]), kernel.assume(limit))
    some = prove_nonneg(
        Lt(num(0), squares()),
        T.margin(term.conclusion) + number(place) ** 2,
        [term.conclusion, unlike],
    )
    some = T.discharge(some, term)

    F, P, A, X, two, S, K, g = (T.real(name) for name in ("F", "P", "A", "X", "T", "S", "K", "g"))
    given = [
        Le(num(0), F - P * A),
        Le(X * (two - SIZE * S), A),
        Le(S * (1 + K * g), two),
        Lt(SIZE, K * g),
        *(Lt(num(0), name) for name in (P, X, S)),
    ]
    shape = (two - S * (1 + K * g)) + S * (1 + (K * g - SIZE))
    shape = (F - P * A) + P * (T.margin(given[1]) + X * shape)
    lemma = prove_nonneg(Lt(num(0), F), shape, given)
    values = {
        F: form(weights(beta)),
        P: factor,
        A: shifted_form(steps),
        X: squares(),
        two: power(num(2), steps),
        S: most,
        K: steps,
        g: gap,
    }
    zero = Eq(steps, num(0))
    nonzero = T.conclude_not(T.contradict([above.conclusion, zero]), zero)
    nonzero = T.discharge(nonzero, T.discharge(above, hot), hot)
    facts = [lower, shifted_low, shrunk, late, factor_above, some, most_above, nonzero]
    proof = T.discharge(kernel.specialise(lemma, values), *facts)
    proof = T.obtain(floor, k, T.unpack(proof, around))
    return T.obtain(bound, _s, T.unpack(proof, inside))
