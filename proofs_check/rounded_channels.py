r"""What rounding does to one decaying channel of a score, whatever the length.

Main definitions
----------------
FORMAT              the premises about unit roundoff, sigma = sqrt(omega) and Omega
weight              three stored factors multiplied: within 8 u
coordinate          an eigen-coordinate: two stored entries, two products, a sum
rebased, dyadic     one channel with the factors of a block, or with a reference between the tokens
added               the sum of two channels

Conventions
-----------
The factors Q, F, K are positive with Q F K <= 1; Q and K lie between sigma and 1 / sigma, and
F <= 1.  Sizes X and Y of coordinates lie between sigma and 1 / sigma too.  The results of roundings
are z1, z2, ... in the order in which they are computed; that each is one is a premise.
A coordinate is off by (1 + u)^3 X (1 + 2 u sigma) - X: what 2 u sigma pays for is underflow.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache, reduce
from math import comb
from typing import NamedTuple

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Le, Lt, Node, Real, num, variable
from posproof.proofs_check.rounded import (
    Carried,
    Model,
    given,
    plus,
    rounded,
    times,
    widened,
    within,
)
from posproof.proofs_check.search import prove_nonneg, prove_order
from posproof.theory.vocabulary import Positive

u, sigma, Omega = (variable(name, Real) for name in ("u", "sigma", "Omega"))
Q, F, K = (variable(name, Positive) for name in "QFK")
X, Y = variable("X", Real), variable("Y", Real)
x, y, s, t = (variable(name, Real) for name in ("x'", "y'", "x*", "y*"))
v0, v1, q0, q1 = (variable(name, Real) for name in ("v0", "v1", "q0", "q1"))
V0, V1 = (variable(name, Positive) for name in ("V0", "V1"))
Q0, Q1 = (variable(name, Real) for name in ("Q0", "Q1"))
omega = sigma**2
#: The results of roundings, in the order in which they are computed.
RESULTS = tuple(variable(f"z{place}'", Real) for place in range(1, 8))
z1, z2, z3, z4, z5, z6, z7 = RESULTS
ROUNDED = Model(u, omega, Omega)
STANDARD = Model(u)
ONE, HALF, ELEVEN_TENTHS = num(1), num(Fraction(1, 2)), num(Fraction(11, 10))

#: Premises about the arithmetic that every theorem here may use.
FORMAT = (
    Lt(0, u),
    Le(u, num(Fraction(1, 256))),
    Lt(0, sigma),
    Le(sigma, HALF),
    Le(3, Omega * omega),
)
FACTORS = (
    Le(F, 1),
    Le(sigma, Q),
    Le(sigma * Q, 1),
    Le(sigma, K),
    Le(sigma * K, 1),
    Le(Q * F * K, 1),
)
SIZES = (Le(sigma, X), Le(sigma * X, 1), Le(sigma, Y), Le(sigma * Y, 1), Lt(0, X), Lt(0, Y))
BLOCK = (*FORMAT, *FACTORS)


def power(exponent: int) -> Node:
    """(1 + u)^m."""
    return (1 + u) ** exponent


def surplus(exponent: int) -> Node:
    """(1 + u)^m - 1, as a sum whose sign shows."""
    terms = [num(comb(exponent, k)) * u**k for k in range(1, exponent + 1)]
    return reduce(lambda left, right: left + right, terms, num(0))


def left_over(fact: Node) -> Node:
    """What a premise says is not negative, as the kernel recognises it."""
    return T.margin(fact)


BELOW_HALF = left_over(FORMAT[3])
BELOW_ONE = BELOW_HALF + HALF  # 1 - sigma


class Upper(NamedTuple):
    """A term that is visibly not negative, a bound, and their difference, whose sign shows."""

    term: Node
    bound: Fraction
    slack: Node

    def times(self, other: Upper) -> Upper:
        slack = num(self.bound) * other.slack + other.term * self.slack
        return Upper(self.term * other.term, self.bound * other.bound, slack)

    def plus(self, other: Upper) -> Upper:
        slack = self.slack + other.slack
        return Upper(self.term + other.term, self.bound + other.bound, slack)

    def below(self, limit: Fraction | int) -> Node:
        """limit - term."""
        return self.slack + num(limit - self.bound)


def constant(value: Fraction | int) -> Upper:
    return Upper(num(value), Fraction(value), num(0))


def power_of(base: Upper, exponent: int) -> Upper:
    return reduce(Upper.times, [base] * exponent)


SMALL_U = Upper(u, Fraction(1, 256), left_over(FORMAT[1]))
SMALL_SIGMA = Upper(sigma, Fraction(1, 2), BELOW_HALF)
SMALL_OMEGA = SMALL_SIGMA.times(SMALL_SIGMA)
ONE_AND_U = constant(1).plus(SMALL_U)


@lru_cache
def _small_power(exponent: int) -> Theorem:
    """(1 + u)^m <= 11/10 for u <= 1/256 and m <= 17."""
    form = power_of(ONE_AND_U, exponent).below(Fraction(11, 10))
    return prove_nonneg(Le(power(exponent), ELEVEN_TENTHS), form, FORMAT)


def _fits(size: Node, small: Theorem) -> Theorem:
    """size <= Omega, from a proof that omega size <= 3."""
    fact = small.conclusion
    form = (left_over(FORMAT[4]) + left_over(fact)) / omega
    return T.discharge(prove_nonneg(Le(size, Omega), form, [FORMAT[2], FORMAT[4], fact]), small)


def _limits(
    known: Sequence[Node], size: Node, above: Node, small: Node, *facts: Theorem
) -> tuple[Theorem, Theorem]:
    """omega <= size <= Omega; the forms equal size - omega and 3 - omega size."""
    known = [*known, *(fact.conclusion for fact in facts)]
    normal = prove_nonneg(Le(omega, size), above, known)
    below = T.discharge(prove_nonneg(Le(omega * size, 3), small, known), *facts)
    return T.discharge(normal, *facts), _fits(size, below)


def _positive(value: Node) -> Theorem:
    """|value| <= value for a number that is visibly not negative."""
    low, high = within(value, value).args
    return T.both(prove_nonneg(low, 2 * value), prove_nonneg(high, num(0)))


# ---------------------------------------------------------------------- factors
@lru_cache
def _end(name: Node, z: Node) -> Carried:
    """The factor of the query or of the key, stored."""
    low, high = FACTORS[1:3] if name is Q else FACTORS[3:5]
    above = left_over(low) + sigma * BELOW_ONE
    small = sigma * left_over(high) + BELOW_HALF + num(Fraction(5, 2))
    exact = given(name, name, _positive(name))
    return rounded(exact, z, ROUNDED, _limits(BLOCK, name, above, small))


@lru_cache
def _middle() -> Carried:
    """The factor of the block, stored."""
    # omega F + omega^2 <= 2
    small = omega * left_over(FACTORS[0]) + BELOW_ONE * (1 + sigma) * (2 + omega) + 1
    limits = _limits(BLOCK, F + omega, F, small)
    return rounded(given(F, F, _positive(F)), z2, ROUNDED, limits, below=True)


@lru_cache
def _twice() -> Theorem:
    """(1 + u)((1 + u) F + u omega) <= 2."""
    block = Upper(F, Fraction(1), left_over(FACTORS[0]))
    whole = ONE_AND_U.times(ONE_AND_U.times(block).plus(SMALL_U.times(SMALL_OMEGA)))
    goal = Le((1 + u) * ((1 + u) * F + u * omega), 2)
    return prove_nonneg(goal, whole.below(2), BLOCK)


@lru_cache
def _folded() -> Carried:
    """The query's factor times the block's, stored."""
    product = times(_end(Q, z1), _middle())
    twice = _twice()
    size = product.reach + omega
    # omega Q (...) <= 2 omega Q <= 2 sigma
    small = omega * Q * left_over(twice.conclusion) + 2 * sigma * left_over(FACTORS[2])
    small = small + 2 * BELOW_HALF + BELOW_ONE * (1 + sigma) * (1 + omega) + 1
    limits = _limits(BLOCK, size, product.reach, small, twice)
    return rounded(product, z3, ROUNDED, limits, below=True)


def _pieces() -> tuple[Node, Node]:
    """1 - omega Q K and sigma - omega K."""
    s1 = left_over(FACTORS[2]) + sigma * Q * left_over(FACTORS[4])
    return s1, sigma * left_over(FACTORS[4])


@lru_cache
def weight() -> Theorem:
    """|z5 - Q F K| < 8 u for z1, z2, z4 = Q, F, K stored, z3 = z1 z2 and z5 = z3 z4 rounded."""
    product = times(_folded(), _end(K, z4))
    size = 1 + (product.reach - product.exact)
    larger = prove_nonneg(Le(product.size, ONE), left_over(FACTORS[5]), BLOCK)
    room = prove_nonneg(Le(product.reach - product.size, size - 1), num(0))
    wide = widened(product, ONE, size, larger, room)
    s1, s2 = _pieces()
    rest = Lt(0, 7 * u - (1 + u) * (surplus(4) + power(3) * u + (1 + u) * u * HALF))
    bound = prove_order(rest, FORMAT[:2], degree=5)
    form = (1 + u) * surplus(4) * left_over(FACTORS[5]) + power(4) * u * s1
    form = form + power(2) * u * (BELOW_HALF + s2) + left_over(bound.conclusion)
    known = [*BLOCK, bound.conclusion]
    final = prove_nonneg(Lt((1 + u) * size, 1 + 8 * u), form, known)
    final = T.discharge(final, bound)
    above = BELOW_ONE * (1 + sigma) + surplus(4) * Q * F * K + power(3) * u * omega * Q * K
    above = above + (1 + u) * u * omega * K
    # omega (1 + u) size <= omega (1 + 8 u) <= 2
    small = omega * left_over(final.conclusion) + u * omega * size
    small = small + BELOW_ONE * (1 + sigma) * (1 + 8 * u) + 8 * left_over(FORMAT[1])
    small = small + num(Fraction(63, 32))
    size_is_positive = prove_nonneg(Lt(0, size), above + omega, BLOCK)
    limits = _limits(BLOCK, size, above, small, final, size_is_positive)
    result = rounded(wide, z5, ROUNDED, limits)
    goals = [Lt(num(-8) * u, result.value - Q * F * K), Lt(result.value - Q * F * K, 8 * u)]
    close = T.parts(result.near)
    proofs = []
    for goal, near in zip(goals, close, strict=True):
        form = left_over(near.conclusion) + left_over(final.conclusion)
        proofs.append(prove_nonneg(goal, form, [near.conclusion, final.conclusion]))
    return T.discharge(T.both(*proofs), final, *close)


# ---------------------------------------------------------------------- coordinates and channels
GROWN = 1 + 2 * u * sigma  # what underflow of the products adds to a coordinate


def _carried(value: Node, exact: Node, size: Node, reach: Node) -> Carried:
    """A number of which the premises are assumed."""
    near, sized = within(value - exact, reach - size), within(exact, size)
    facts = [T.both(*(kernel.assume(side) for side in claim.args)) for claim in (near, sized)]
    return Carried(value, exact, size, reach, *facts)


def coordinate_reach(size: Node) -> Node:
    """How far a computed coordinate may be off, and its size."""
    return power(3) * size * GROWN


ENTRIES = tuple(
    fact
    for entry, part in ((V0, Q0), (V1, Q1))
    for fact in (Le(sigma, entry), Le(sigma * entry, 1), Le(0, part))
)
SIZE = V0 * Q0 + V1 * Q1
PROJECTED = (*FORMAT, *ENTRIES, Le(sigma, SIZE), Le(sigma * SIZE, 1))


@lru_cache
def coordinate() -> Theorem:
    """|z5 - (v0 q0 + v1 q1)| <= reach - size, and the size.

    z1, z3 = v0, v1 stored, z2 = z1 q0 and z4 = z3 q1 and z5 = z2 + z4 rounded; |v| <= V and
    |q| <= Q' of each entry.
    """
    above_sigma, room = (left_over(fact) for fact in PROJECTED[-2:])
    square = SMALL_OMEGA.times(SMALL_OMEGA)
    single = ONE_AND_U.times(SMALL_SIGMA).plus(square).below(3)
    twice = power_of(ONE_AND_U, 2).times(SMALL_SIGMA)
    double = twice.plus(constant(2).times(SMALL_U).times(square)).below(3)
    products = []
    for exact, entry, part, size, low, high, z, w in (
        (v0, V0, q0, Q0, *ENTRIES[:2], z1, z2),
        (v1, V1, q1, Q1, *ENTRIES[3:5], z3, z4),
    ):
        other = V1 * Q1 if exact is v0 else V0 * Q0
        above = left_over(low) + sigma * BELOW_ONE
        small = sigma * left_over(high) + BELOW_HALF + num(Fraction(5, 2))
        sides = T.both(*(kernel.assume(side) for side in within(exact, entry).args))
        limits = _limits(PROJECTED, entry, above, small)
        stored = rounded(given(exact, entry, sides), z, ROUNDED, limits)
        sides = T.both(*(kernel.assume(side) for side in within(part, size).args))
        product = times(stored, given(part, size, sides))
        small = (1 + u) * sigma * (room + sigma * other) + single
        limits = _limits(PROJECTED, product.reach + omega, product.reach, small)
        products.append(rounded(product, w, ROUNDED, limits, below=True))
    total = plus(*products)
    above = above_sigma + sigma * BELOW_ONE + surplus(2) * SIZE + 2 * u * omega
    small = power(2) * sigma * room + double
    limits = _limits(PROJECTED, total.reach, above, small)
    found = rounded(total, z5, ROUNDED, limits)
    reach = coordinate_reach(SIZE)
    form = 2 * u * sigma * (1 + u) * (above_sigma + surplus(2) * SIZE)
    wide = prove_nonneg(Le(found.reach - SIZE, reach - SIZE), form, PROJECTED)
    found = widened(found, SIZE, reach, prove_nonneg(Le(SIZE, SIZE), num(0)), wide)
    return T.both(found.near, found.sized)


CHANNEL = (*BLOCK, *SIZES)


def _coordinates() -> tuple[Carried, Carried]:
    return (
        _carried(x, s, X, coordinate_reach(X)),
        _carried(y, t, Y, coordinate_reach(Y)),
    )


SLACK = 1 + 2 * u + u * sigma  # what underflow of the factors adds to a channel
GROWN_SURPLUS = 4 * u * sigma + 4 * u**2 * sigma**2  # GROWN^2 - 1
SMALL_GROWN = constant(1).plus(constant(2).times(SMALL_U).times(SMALL_SIGMA))
SMALL_SLACK = constant(1).plus(constant(2).times(SMALL_U)).plus(SMALL_U.times(SMALL_SIGMA))


def _room(first: Node, second: Node) -> Node:
    """1 - omega A B from sigma A <= 1 and sigma B <= 1."""
    return left_over(Le(sigma * first, 1)) + sigma * first * left_over(Le(sigma * second, 1))


@lru_cache
def _query_side() -> Carried:
    """x times the folded factors, rounded."""
    product = times(_coordinates()[0], _folded())
    twice, three, four = _twice(), _small_power(3), _small_power(4)
    small_tail = SMALL_U.times(SMALL_OMEGA).times(SMALL_SIGMA).times(SMALL_GROWN)
    tail = small_tail.term
    rest = constant(Fraction(22, 10)).times(SMALL_GROWN).plus(SMALL_OMEGA.times(SMALL_OMEGA))
    rest = rest.plus(constant(Fraction(11, 10)).times(small_tail))
    small = power(4) * GROWN * omega * X * Q * left_over(twice.conclusion)
    small = small + 2 * power(4) * GROWN * _room(X, Q) + power(3) * tail * left_over(SIZES[1])
    small = small + 2 * GROWN * left_over(four.conclusion) + tail * left_over(three.conclusion)
    small = small + rest.below(3)
    size = product.reach + omega
    lemmas = (twice, three, four)
    limits = _limits(CHANNEL, size, product.reach, small, *lemmas)
    return rounded(product, z4, ROUNDED, limits, below=True)


@lru_cache
def _key_side() -> Carried:
    """y times the key's factor, rounded."""
    product = times(_coordinates()[1], _end(K, z5))
    four = _small_power(4)
    rest = constant(Fraction(11, 10)).times(SMALL_GROWN).below(3)
    above = (surplus(4) * GROWN + 2 * u * sigma) * Y * K
    above = above + left_over(SIZES[2]) * K + sigma * left_over(FACTORS[3])
    small = power(4) * GROWN * _room(Y, K) + GROWN * left_over(four.conclusion)
    limits = _limits(CHANNEL, product.reach, above, small + rest, four)
    return rounded(product, z6, ROUNDED, limits)


QUIET = Le(sigma, num(Fraction(1, 8)))


class Extra(NamedTuple):
    """A factor of a reach besides powers of 1 + u: bounded by 11/10, and its surplus over 1.

    `left` powers of 1 + u are at least the factor when sigma <= 1/8; the form shows it.
    """

    small: Upper
    surplus: Node
    left: int
    form: Node


def _quiet(upper: Upper) -> Node:
    """1 - (4 + 4 u sigma) sigma `upper` for sigma <= 1/8."""
    eighth = Upper(sigma, Fraction(1, 8), left_over(QUIET))
    four = constant(4).plus(constant(4).times(SMALL_U).times(SMALL_SIGMA))
    return four.times(eighth).times(upper).below(Fraction(7, 8))


REBASED = Extra(
    power_of(SMALL_GROWN, 2).times(SMALL_SLACK),
    GROWN_SURPLUS * SLACK + 2 * u + u * sigma,
    3,
    u * (_quiet(SMALL_SLACK) + left_over(QUIET)) + 3 * u**2 + u**3,
)
DYADIC = Extra(
    power_of(SMALL_GROWN, 2), GROWN_SURPLUS, 1, u * (_quiet(constant(1)) + num(Fraction(1, 8)))
)


def _sizes_fit(count: int, exponent: int, extra: Extra) -> tuple[Theorem, Theorem]:
    """omega <= M <= Omega for M = count (1 + u)^m X Y factor, count 1 or 2."""
    most = _small_power(exponent)
    one = (surplus(exponent) * extra.small.term + extra.surplus) * X * Y
    above = count * one + (count - 1) * (X * Y)
    above = above + left_over(SIZES[0]) * Y + sigma * left_over(SIZES[2])
    small = power(exponent) * extra.small.term * _room(X, Y)
    small = small + extra.small.term * left_over(most.conclusion)
    small = count * (small + ELEVEN_TENTHS * extra.small.below(Fraction(11, 10)))
    small = small + num(3 - count * Fraction(121, 100))
    size = channel_reach(count, exponent, extra)
    return _limits((*FORMAT, *SIZES), size, above, small, most)


def channel_reach(count: int, exponent: int, extra: Extra) -> Node:
    """How far `count` channels may be off, and their size."""
    return count * (power(exponent) * (X * Y) * extra.small.term)


@lru_cache
def rebased() -> Theorem:
    """|z7 - x y Q F K| <= reach - X Y, and the size X Y.

    z1, z2, z5 = Q, F, K stored; z3 = z1 z2, z4 = x z3, z6 = y z5 and z7 = z4 z6 rounded; x and y
    are near x* and y* as `coordinate` says.
    """
    product = times(_query_side(), _key_side())
    s1, s2 = _pieces()
    g2 = GROWN**2
    # What is left of the reach: the exact weight is at most 1, and each underflow is paid for.
    form = X * Y * (surplus(12) * g2 + GROWN_SURPLUS) * left_over(FACTORS[5])
    form = form + X * Y * power(11) * g2 * u * (s1 + u)
    form = form + X * Y * power(9) * g2 * u * (surplus(3) * sigma + s2)
    last = (power(5) * surplus(7) * GROWN + power(5) * 2 * u * sigma) * X
    last = last + power(5) * (left_over(SIZES[0]) + s2)
    form = form + u * Y * GROWN * last
    extra, size = REBASED, X * Y
    reach = channel_reach(1, 12, extra)
    room = prove_nonneg(Le(product.reach - product.size, reach - size), form, CHANNEL)
    larger = prove_nonneg(Le(product.size, size), size * left_over(FACTORS[5]), CHANNEL)
    wide = widened(product, size, reach, larger, room)
    found = rounded(wide, z7, ROUNDED, _sizes_fit(1, 12, extra))
    return _tidy(found, channel_reach(1, 13, extra))


def _tidy(number: Carried, reach: Node) -> Theorem:
    """`near` and `sized` with the reach written another way."""
    same = prove_nonneg(Le(number.size, number.size), num(0))
    equal = prove_nonneg(Le(number.reach - number.size, reach - number.size), num(0))
    number = widened(number, number.size, reach, same, equal)
    return T.both(number.near, number.sized)


G, H = (variable(name, Positive) for name in "GH")
HALVES = (Le(G, 1), Le(H, 1))


@lru_cache
def dyadic() -> Theorem:
    """|z5 - x y G H| <= reach - X Y, and the size X Y, for G, H <= 1.

    z1, z3 = G, H stored; z2 = x z1, z4 = y z3 and z5 = z2 z4 rounded.
    """
    known = [*FORMAT, *HALVES, *SIZES]
    four = _small_power(4)
    rest = constant(Fraction(11, 10)).times(SMALL_GROWN).below(3)
    sides = []
    for number, half, size, (low, high), (z, w) in zip(
        _coordinates(), (G, H), (X, Y), (SIZES[:2], SIZES[2:4]), ((z1, z2), (z3, z4)), strict=True
    ):
        goal = within(half, ONE)
        inside = T.both(
            prove_nonneg(goal.args[0], 1 + half),
            prove_nonneg(goal.args[1], left_over(Le(half, 1)), HALVES),
        )
        form = BELOW_ONE * (1 + sigma)
        limits = _limits(known, ONE, form, form + 2)
        stored = rounded(given(half, ONE, inside), z, ROUNDED, limits)
        product = times(number, stored)
        above = (surplus(4) * GROWN + 2 * u * sigma) * size + left_over(low) + sigma * BELOW_ONE
        # omega X <= sigma <= 1
        small = power(4) * GROWN * (sigma * left_over(high) + BELOW_ONE)
        small = small + GROWN * left_over(four.conclusion) + rest
        limits = _limits(known, product.reach, above, small, four)
        sides.append(rounded(product, w, ROUNDED, limits))
    product, extra, size = times(*sides), DYADIC, X * Y
    reach = channel_reach(1, 10, extra)
    room = prove_nonneg(Le(product.reach - product.size, reach - size), num(0))
    larger = prove_nonneg(Le(product.size, size), num(0))
    wide = widened(product, size, reach, larger, room)
    found = rounded(wide, z5, ROUNDED, _sizes_fit(1, 10, extra))
    return _tidy(found, channel_reach(1, 11, extra))


@lru_cache
def added(exponent: int, extra: Extra) -> Theorem:
    """z1 = x + y rounded: |z1 - (x* + y*)| <= (1 + u)^w 2 X Y - 2 X Y, w = m + 1 + `extra.left`.

    x and y are off by `channel_reach` with the exponent m.
    """
    whole = exponent + 1 + extra.left
    size, reach = X * Y, channel_reach(1, exponent, extra)
    total = plus(_carried(x, s, size, reach), _carried(y, t, size, reach))
    double = channel_reach(2, exponent, extra)
    room = prove_nonneg(Le(total.reach - total.size, double - total.size), num(0))
    larger = prove_nonneg(Le(total.size, total.size), num(0))
    total = widened(total, total.size, double, larger, room)
    found = rounded(total, z1, ROUNDED, _sizes_fit(2, exponent, extra))
    known = [*FORMAT, *SIZES, QUIET]
    enough = prove_nonneg(Le(extra.small.term, power(extra.left)), extra.form, known)
    goal = surplus_bound(whole)
    form = 2 * X * Y * power(exponent + 1) * left_over(enough.conclusion)
    facts = [*known, enough.conclusion]
    last = prove_nonneg(Le(found.reach - found.size, goal - found.size), form, facts)
    found = widened(found, found.size, goal, larger, T.discharge(last, enough))
    return found.near


def surplus_bound(whole: int) -> Node:
    """(1 + u)^whole times the size of two channels."""
    return power(whole) * (2 * (X * Y))


# ---------------------------------------------------------------------- where nothing underflows
@lru_cache
def normal_coordinate() -> Theorem:
    """The same as `coordinate` in the standard model: (1 + u)^3 X - X."""
    products = []
    for exact, entry, part, size, z, w in ((v0, V0, q0, Q0, z1, z2), (v1, V1, q1, Q1, z3, z4)):
        sides = T.both(*(kernel.assume(side) for side in within(exact, entry).args))
        stored = rounded(given(exact, entry, sides), z, STANDARD, ())
        sides = T.both(*(kernel.assume(side) for side in within(part, size).args))
        products.append(rounded(times(stored, given(part, size, sides)), w, STANDARD, ()))
    return _tidy(rounded(plus(*products), z5, STANDARD, ()), power(3) * SIZE)


@lru_cache
def normal_channel() -> Theorem:
    """The same as `rebased` in the standard model: (1 + u)^13 A - A, A = X Y Q F K."""
    first = _carried(x, s, X, power(3) * X)
    second = _carried(y, t, Y, power(3) * Y)
    query, block, key = (
        rounded(given(name, name, _positive(name)), z, STANDARD, ())
        for name, z in ((Q, z1), (F, z2), (K, z5))
    )
    folded = rounded(times(query, block), z3, STANDARD, ())
    left = rounded(times(first, folded), z4, STANDARD, ())
    right = rounded(times(second, key), z6, STANDARD, ())
    found = rounded(times(left, right), z7, STANDARD, ())
    return _tidy(found, power(13) * found.size)


W, Z = variable("W", Real), variable("Z", Real)


@lru_cache
def normal_sum(exponent: int) -> Theorem:
    """z1 = x + y rounded: |z1 - (x* + y*)| <= (1 + u)^(m + 1) (W + Z) - (W + Z), sizes W and Z."""
    first = _carried(x, s, W, power(exponent) * W)
    second = _carried(y, t, Z, power(exponent) * Z)
    found = rounded(plus(first, second), z1, STANDARD, ())
    return _tidy(found, power(exponent + 1) * (W + Z))


# ---------------------------------------------------------------------- entries of a tile
M = variable("M", Real)
#: Coordinates that are exact, up to M in modulus.
INPUTS = (Le(1, M), Le(sigma * M, 1), Lt(0, M), Le(0, X), Le(X, M), Le(0, Y), Le(Y, M))
ENTRY = (*BLOCK, *INPUTS)


def _inputs() -> tuple[Carried, Carried]:
    """x and y as they are, of modulus at most X and Y."""
    pairs = ((x, X), (y, Y))
    facts = [
        T.both(*(kernel.assume(side) for side in within(value, size).args)) for value, size in pairs
    ]
    return given(x, X, facts[0]), given(y, Y, facts[1])


@lru_cache
def normal_entry() -> Theorem:
    """|z7 - x y Q F K| <= (1 + u)^7 A - A, A = X Y Q F K, in the standard model."""
    first, second = _inputs()
    query, block, key = (
        rounded(given(name, name, _positive(name)), z, STANDARD, ())
        for name, z in ((Q, z1), (F, z2), (K, z5))
    )
    folded = rounded(times(query, block), z3, STANDARD, ())
    left = rounded(times(first, folded), z4, STANDARD, ())
    right = rounded(times(second, key), z6, STANDARD, ())
    found = rounded(times(left, right), z7, STANDARD, ())
    return _tidy(found, power(7) * found.size)


#: What underflow adds to one product of a tile entry, and omega u for the sum it enters.
UNDERFLOW = (1 + 5 * sigma) * u * M**2


@lru_cache
def entry() -> Theorem:
    """|z7 - x y Q F K| <= (1 + u)^7 (A + (1 + 5 sigma) u M^2) - u omega - A, A = X Y Q F K.

    The roundings are those of `rebased`, of exact x and y up to M in modulus, M <= 1 / sigma.
    """
    first, second = _inputs()
    twice, above_one = _twice(), left_over(INPUTS[0])
    short_m = left_over(INPUTS[1])
    less_x, less_y = left_over(INPUTS[4]), left_over(INPUTS[6])
    short_x, short_y = short_m + sigma * less_x, short_m + sigma * less_y
    small_omega2 = SMALL_OMEGA.times(SMALL_OMEGA)

    product = times(first, _folded())
    rest = constant(2).times(ONE_AND_U).plus(SMALL_U.times(SMALL_OMEGA).times(SMALL_SIGMA))
    small = (1 + u) * omega * X * Q * left_over(twice.conclusion)
    small = small + 2 * (1 + u) * (short_x + sigma * X * left_over(FACTORS[2]))
    small = small + u * omega * sigma * short_x + rest.plus(small_omega2).below(3)
    limits = _limits(ENTRY, product.reach + omega, product.reach, small, twice)
    query_side = rounded(product, z4, ROUNDED, limits, below=True)

    product = times(second, _end(K, z5))
    small = (1 + u) * (short_y + sigma * Y * left_over(FACTORS[4]))
    small = small + ONE_AND_U.plus(small_omega2).below(3)
    limits = _limits(ENTRY, product.reach + omega, product.reach, small)
    key_side = rounded(product, z6, ROUNDED, limits, below=True)

    product = times(query_side, key_side)
    size, short_xy = product.size, M * less_x + X * less_y  # M^2 - X Y
    most = size + UNDERFLOW
    s1, s2 = _pieces()
    square = above_one * (M + 1)  # M^2 - 1
    wide_x, wide_y = M * above_one + less_x, M * above_one + less_y  # M^2 - X, M^2 - Y
    short_q = sigma * left_over(FACTORS[2])  # sigma - omega Q
    eighth = SMALL_SIGMA.times(SMALL_OMEGA).slack  # 1/8 - sigma^3
    xq = sigma * wide_x + X * short_q  # sigma M^2 - omega X Q
    terms = (
        (power(5), short_xy + X * Y * s1),
        (power(3), sigma * short_xy + X * Y * s2),
        (power(2), sigma * wide_y + Y * s2),
        (power(4), xq + omega * X * Q * left_over(FACTORS[0])),
        (power(3) * u, sigma * SMALL_OMEGA.slack * M**2 + omega * xq),
        (power(1) * u, sigma * eighth * M**2 + omega**2 * wide_x),
        (u, sigma * eighth * M**2 + omega**2 * square),
    )
    slack = reduce(lambda left, right: left + right, (f * slack for f, slack in terms))
    form = (1 + u) * u * slack + u * sigma * (square + 2 * BELOW_HALF)
    form = form + u * M**2 * (u * power(6) + sigma * _polynomial(_remaining()))
    final = Le((1 + u) * product.reach + 2 * u * omega, power(7) * most)
    paid = prove_nonneg(final, form, ENTRY)
    under = Le(product.reach, power(6) * most)
    form = (left_over(final) + 2 * u * omega) / (1 + u)
    bounded = T.discharge(prove_nonneg(under, form, [*ENTRY, final]), paid)

    short_square = short_m * (1 + sigma * M)  # 1 - omega M^2
    rest = constant(1).plus(constant(5).times(SMALL_SIGMA))
    rest = power_of(ONE_AND_U, 6).times(constant(1).plus(rest.times(SMALL_U)))
    inside = short_square + omega * (short_xy + X * Y * left_over(FACTORS[5]))
    small = omega * left_over(under) + power(6) * (inside + (1 + 5 * sigma) * u * short_square)
    small = small + rest.plus(small_omega2).below(3)
    limits = _limits(ENTRY, product.reach + omega, product.reach, small, bounded)
    found = rounded(product, z7, ROUNDED, limits, below=True)
    reach = power(7) * most - u * omega
    same = prove_nonneg(Le(size, size), num(0))
    room = prove_nonneg(Le(found.reach - size, reach - size), left_over(final), [*ENTRY, final])
    found = widened(found, size, reach, same, T.discharge(room, paid))
    return T.both(found.near, found.sized)


def _remaining() -> list[Fraction]:
    """Coefficients of 5 (1 + u)^7 less what the terms with sigma need."""

    def coefficients(exponent: int, shift: int = 0) -> list[Fraction]:
        own = [Fraction(comb(exponent, k)) for k in range(exponent + 1)]
        return [Fraction(0)] * shift + own + [Fraction(0)] * (8 - exponent - 1 - shift)

    needs = [(Fraction(1), coefficients(e)) for e in (5, 4, 3, 0)]
    needs += [(Fraction(1, 4), coefficients(4, 1)), (Fraction(1, 8), coefficients(2, 1))]
    needs.append((Fraction(1, 8), coefficients(1, 1)))
    whole = [5 * c for c in coefficients(7)]
    return [c - sum(w * part[k] for w, part in needs) for k, c in enumerate(whole)]


def _polynomial(coefficients: Sequence[Fraction]) -> Node:
    terms = [num(c) * u**k for k, c in enumerate(coefficients) if c]
    return reduce(lambda left, right: left + right, terms)
