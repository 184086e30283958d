r"""Executing damped shear powers in a floating-point format: positions, blocks and references.

Main definitions
----------------
Execution                    what is stored and computed; a control replaces one definition
damped                       M = e^(-gamma) D B(mu) D^(-1), one step
query, key, block_factor     e^(-r n) taken apart at the centre of a block
folded, channel, projection  what is computed, operation by operation
Rounding, rounds             what a format promises of a result: relative above omega
three_factors, short_block   of query, block and key; a block with omega e^(r (B - 1)) <= 1
adjoining                    i and j on the two sides of a multiple of 2^h

Main claims
-----------
symplectic.rebasing

Conventions
-----------
Query at i = I B + a, key at j = J B + b, 0 <= a, b < B, D = I - J, n = i - j >= 0.  The rates are
r_+ = gamma - mu and r_- = gamma + mu, the anisotropy is rho = k^2, D(rho) = diag(1 / k, k), and
V = D(rho) H holds the eigenvectors.  u is the unit roundoff, omega the smallest number from which
rounding errors are relative and Omega the largest finite one.  With gradual underflow omega is the
smallest normal number, with flush to zero that number divided by u.  sigma is the root of omega.
The results z1, z2, ... of roundings are any numbers that keep to what the format promises.

References
----------
Derived here; the abstract of HySPE speaks of blockwise coordinate rebasing and of
length-independent numerical bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sympy import (
    Abs,
    ImmutableMatrix,
    Integer,
    MatMul,
    MatPow,
    Rational,
    cosh,
    exp,
    log,
    sinh,
    sqrt,
)

from posproof.theory.symbols import Variable, sequence, variables
from posproof.theory.symplectic.shears import boost, squeeze
from posproof.theory.vocabulary import (
    And,
    Claim,
    Clause,
    Eq,
    Exists,
    ForAll,
    Iff,
    Implies,
    Int,
    Le,
    Lt,
    Or,
    Positive,
    Prop,
    Real,
)

n, i, j, a, b, D, h, m = variables("n i j a b D h m", Int(0))
B, p, e, J = variables("B p e J", Int(1))
gamma, mu, r, R, z, c = variables("gamma mu r R z c", Real)
u, sigma, Omega, N, C = variables("u sigma Omega N C", Real)
q1, q2, k1, k2, x1, x2, y1, y2 = variables("q1 q2 k1 k2 x1 x2 y1 y2", Real)
k, T, w = variables("k T w", Positive)


def within(value: Any, bound: Any) -> And:
    """|value| <= bound."""
    return And(Le(-bound, value), Le(value, bound))


def strictly_within(value: Any, bound: Any) -> And:
    """|value| < bound."""
    return And(Lt(-bound, value), Lt(value, bound))


# ---------------------------------------------------------------------- definitions
def centre(B: Any) -> Any:
    """The reference inside a block."""
    return (B - 1) / 2


def query(r: Any, a: Any, c: Any) -> Any:
    """What the query at place a of its block is multiplied with; reference c."""
    return exp(-r * (a - c))


def key(r: Any, b: Any, c: Any) -> Any:
    """What the key at place b of its block is multiplied with; reference c."""
    return exp(r * (b - c))


def block_factor(r: Any, B: Any, D: Any) -> Any:
    """What remains for blocks D apart."""
    return exp(-r * B * D)


def overflowing(p: Any, e: Any) -> Any:
    """From here on numbers round to infinity: p bits, largest exponent e."""
    return 2**e * (2 - 1 / 2**p)


def vanishing(p: Any, e: Any) -> Any:
    """Up to here positive numbers round to 0: half the smallest subnormal number."""
    return 2 / (2**e * 2**p)


def ceiling(value: Any, J: Any) -> Prop:
    """J is the least integer at or above the value."""
    return And(Lt(J - 1, value), Le(value, J))


def floor(value: Any, m: Any) -> Prop:
    """m is the greatest integer at or below the value."""
    return And(Le(m, value), Lt(value, m + 1))


def accumulated(m: int, u: Any) -> Any:
    """g_m, the usual bound of m roundings."""
    return m * u / (1 - m * u)


def exponent_slack(u: Any, r: Any, B: Any) -> Any:
    """What rounded exponents add to the relative error at distance 0."""
    return 2 * u * r * (B - 1)


def folded(fl: Callable[[Any], Any], q: Any, f: Any, k: Any) -> Any:
    """The stored weight: the block factor f is multiplied into the query's factor first."""
    return fl(fl(fl(q) * fl(f)) * fl(k))


def channel(fl: Callable[[Any], Any], x: Any, y: Any, q: Any, f: Any, k: Any) -> Any:
    """One eigen-channel of a score: the query takes the block factor, then the key."""
    return fl(fl(x * fl(fl(q) * fl(f))) * fl(y * fl(k)))


def halved(fl: Callable[[Any], Any], x: Any, y: Any, q: Any, k: Any) -> Any:
    """One eigen-channel with a reference between query and key: two factors."""
    return fl(fl(x * fl(q)) * fl(y * fl(k)))


def projection(fl: Callable[[Any], Any], v: Sequence[Any], q: Sequence[Any]) -> Any:
    """An eigen-coordinate: rounded entries, two products and a sum."""
    return fl(fl(fl(v[0]) * q[0]) + fl(fl(v[1]) * q[1]))


def separated(a: Any, b: Any, B: Any, D: Any) -> tuple[Any, Any, Any]:
    """Three steps whose sum is the distance; references at the ends of the blocks."""
    return a, B * D - (B - 1), B - 1 - b


def below(h: Any, m: Any) -> Any:
    """The multiple m of 2^h."""
    return m * 2**h


@dataclass(frozen=True)
class Execution:
    """What is stored and computed, here and in tiles; a control replaces one definition."""

    squeeze: Callable[[Any], ImmutableMatrix] = squeeze
    boost: Callable[[Any, Any], ImmutableMatrix] = boost
    centre: Callable[[Any], Any] = centre
    query: Callable[[Any, Any, Any], Any] = query
    key: Callable[[Any, Any, Any], Any] = key
    block: Callable[[Any, Any, Any], Any] = block_factor
    overflowing: Callable[[Any, Any], Any] = overflowing
    vanishing: Callable[[Any, Any], Any] = vanishing
    ceiling: Callable[[Any, Any], Prop] = ceiling
    floor: Callable[[Any, Any], Prop] = floor
    accumulated: Callable[[int, Any], Any] = accumulated
    exponent_slack: Callable[[Any, Any, Any], Any] = exponent_slack
    folded: Callable[..., Any] = folded
    channel: Callable[..., Any] = channel
    halved: Callable[..., Any] = halved
    projection: Callable[..., Any] = projection
    separated: Callable[[Any, Any, Any, Any], tuple[Any, Any, Any]] = separated
    below: Callable[[Any, Any], Any] = below
    roundings: int = 17
    normal_roundings: int = 14
    dyadic_roundings: int = 13
    entry_roundings: int = 6
    weight: Any = Integer(8)


def damped(of: Execution, gamma: Any, mu: Any, k: Any) -> ImmutableMatrix:
    """M, one step of the damped shear."""
    turned = of.squeeze(k) * of.boost(cosh(mu), sinh(mu)) * of.squeeze(1 / k)
    return (exp(-gamma) * turned).as_immutable()


HADAMARD = ImmutableMatrix([[1, 1], [1, -1]])


def eigenvectors(of: Execution, k: Any) -> ImmutableMatrix:
    """V, the slow eigenvector first."""
    return (of.squeeze(k) * HADAMARD / sqrt(2)).as_immutable()


def dual(of: Execution, k: Any) -> ImmutableMatrix:
    """The inverse of V."""
    return (HADAMARD * of.squeeze(1 / k) / sqrt(2)).as_immutable()


def _column(*entries: Any) -> ImmutableMatrix:
    return ImmutableMatrix(len(entries), 1, list(entries))


def _powered(matrix: ImmutableMatrix, n: Any) -> Any:
    return MatPow(matrix, n, evaluate=False)


def _applied(*factors: Any) -> Any:
    return MatMul(*factors, evaluate=False)


# ---------------------------------------------------------------------- symplectic.rebasing
def spectral(of: Execution) -> Prop:
    """The score is a sum of two decaying terms, and V and its dual are inverse."""
    V, W = eigenvectors(of, k), dual(of, k)
    powers = _applied(_column(q1, q2).T, _powered(damped(of, gamma, mu, k), n), _column(k1, k2))
    (queries, keys) = (V.T * _column(q1, q2), W * _column(k1, k2))
    slow, fast = exp(-(gamma - mu) * n), exp(-(gamma + mu) * n)
    terms = queries[0] * keys[0] * slow + queries[1] * keys[1] * fast
    score = Eq(powers, ImmutableMatrix([[terms]]))
    return ForAll((n, gamma, mu, k, q1, q2, k1, k2), score)


def inverse(of: Execution) -> Prop:
    one = ImmutableMatrix([[1, 0], [0, 1]])
    there, back = damped(of, gamma, mu, k), damped(of, -gamma, -mu, k)
    vectors = Eq(_applied(eigenvectors(of, k), dual(of, k)), one)
    return ForAll((gamma, mu, k), And(Eq(_applied(there, back), one), vectors))


def _bounded(matrix: Any, n: Any, bound: Any) -> Prop:
    """The spectral norm of a power is at most `bound`."""
    image = Eq(_applied(_powered(matrix, n), _column(x1, x2)), _column(y1, y2))
    short = Le(y1**2 + y2**2, bound**2 * (x1**2 + x2**2))
    return ForAll((x1, x2, y1, y2), Implies(image, short))


def growth(of: Execution) -> Prop:
    there, back = damped(of, gamma, mu, k).T, damped(of, -gamma, -mu, k)
    slow, fast = exp(-(gamma - mu) * n), exp((gamma + mu) * n)
    rho = k**2
    parts = []
    for matrix, vector, factor in (
        (there, _column(rho, 1), slow),
        (back, _column(1, -rho), fast),
    ):
        stretched = Eq(_applied(_powered(matrix, n), vector), factor * vector)
        bound = Implies(And(Le(0, N), _bounded(matrix, n, N)), Le(factor, N))
        parts += [ForAll((n, gamma, mu, k), stretched), ForAll((n, gamma, mu, k, N), bound)]
    return And(*parts)


def positions(of: Execution) -> Prop:
    """The first position at which a naive factor is stored as infinity, or as 0."""
    top, bottom = of.overflowing(p, e), of.vanishing(p, e)
    # Half way from the largest finite number to the next power of two, and from 0 to the smallest.
    largest, smallest = (2 - 2 / 2**p) * 2**e, 4 / (2**e * 2**p)
    halves = And(Eq(2 * top, largest + 2 * 2**e), Eq(2 * bottom, smallest))
    keys = Implies(of.ceiling(log(top) / w, J), Iff(Le(top, exp(w * n)), Le(J, n)))
    queries = Implies(of.ceiling(-log(bottom) / w, J), Iff(Le(exp(-w * n), bottom), Le(J, n)))
    names = (p, e, w, J, n)
    return And(ForAll((p, e), halves), ForAll(names, keys), ForAll(names, queries))


def safe(of: Execution) -> Prop:
    """B_safe = 1 + floor(-ln(omega) / r), the longest block with omega e^(r (B - 1)) <= 1."""
    longest = of.floor(-log(T) / w, m)
    fits = Le(T * _widest(of, w, B) ** 2, 1)
    return ForAll((T, w, m, B), Implies(longest, Iff(fits, Le(B, 1 + m))))


def _widest(of: Execution, r: Any, B: Any) -> Any:
    """The largest factor of a block: the key's at its end."""
    return of.key(r, B - 1, of.centre(B))


def in_block(*places: Any) -> tuple[Prop, ...]:
    """Places are at most B - 1."""
    return tuple(Le(place, B - 1) for place in places)


def centred(of: Execution) -> Prop:
    reference = of.centre(B)
    slow = of.query(r, a, reference), of.block(r, B, D), of.key(r, b, reference)
    distance = D * B + a - b
    split = Eq(slow[0] * slow[1] * slow[2], exp(-r * distance))
    reach = exp(R * (B - 1) / 2)
    bounds = (And(Le(1 / reach, factor), Le(factor, reach)) for factor in (slow[0], slow[2]))
    whole = And(Lt(0, slow[1]), Le(slow[1], 1))
    given = And(Le(0, r), Le(r, R), *in_block(a, b))
    return ForAll((r, R, B, D, a, b), Implies(given, And(split, *bounds, whole)))


def best_centre(of: Execution) -> Prop:
    """No reference is closer to all places of a block, and the block's start costs the square."""
    reference = of.centre(B)
    near = ForAll(a, Implies(Le(a, B - 1), within(a - c, z)))
    far = And(Le((B - 1) / Integer(2), z), Implies(Eq(z, (B - 1) / Integer(2)), Eq(c, reference)))
    central = ForAll(a, Implies(Le(a, B - 1), within(a - reference, (B - 1) / Integer(2))))
    square = Eq(of.key(r, B - 1, 0), of.key(r, B - 1, reference) ** 2)
    return And(
        ForAll((B, c, z), Implies(near, far)),
        ForAll(B, central),
        ForAll((r, B), square),
    )


def corner(of: Execution) -> Prop:
    """The late product reaches e^(r (B - 1)); a query that takes the block factor shrinks."""
    reference = of.centre(B)
    late = of.query(r, 0, reference) * of.key(r, B - 1, reference)
    early = of.query(r, a, reference) * of.block(r, B, 1 + D)
    reached = ForAll((r, B), Eq(late, exp(r * (B - 1))))
    shrinks = ForAll((r, B, D, a), Implies(Le(0, r), And(Lt(0, early), Le(early, 1))))
    return And(shrinks, reached)


def neighbours(of: Execution) -> Prop:
    """From B_fail on the next tile's factor is stored as 0, and so is the weight e^(-r)."""
    bottom = of.vanishing(p, e)
    lost = Iff(Le(of.block(w, B, 1), bottom), Le(J, B))
    first = of.ceiling(-log(bottom) / w, J)
    adjacent = of.query(w, 0, of.centre(B)) * of.block(w, B, 1) * of.key(w, B - 1, of.centre(B))
    return ForAll((p, e, w, J, B), Implies(first, And(lost, Eq(adjacent, exp(-w)))))


def rounds(result: Any, value: Any, *, in_range: bool) -> Prop:
    """The result is near the value, as the format promises."""
    gap = (result - value) ** 2
    relative, absolute = Le(gap, (u * value) ** 2), Le(gap, (u * sigma**2) ** 2)
    if not in_range:
        return relative
    return Implies(Le(value**2, Omega**2), Or(relative, absolute))


class Rounding:
    """Records what a computation rounds: every result is a new variable, near what is rounded.

    In range, if |x| <= Omega then |z - x| <= u |x| or |z - x| <= u omega; moduli are compared by
    their squares.  Otherwise nothing overflows or underflows: |z - x| <= u |x|.
    """

    def __init__(self, *, in_range: bool, at: Any = None) -> None:
        self.in_range, self.at = in_range, at
        self.facts: list[Prop] = []
        self.results: list[Any] = []

    def __call__(self, value: Any) -> Any:
        name = f"z{len(self.results) + 1}"
        result = Variable(name, Real) if self.at is None else sequence(name)(self.at)
        self.facts.append(rounds(result, value, in_range=self.in_range))
        self.results.append(result)
        return result


def in_format(largest_root: Any) -> tuple[Prop, ...]:
    """The format: u <= 1/256, sigma^2 = omega, 3 <= omega Omega."""
    return (
        Lt(0, u),
        Le(u, Rational(1, 256)),
        Lt(0, sigma),
        Le(sigma, largest_root),
        Le(3, Omega * sigma**2),
    )


def three_factors(of: Execution, r: Any) -> tuple[Any, Any, Any]:
    """Of the query, of the blocks' distance and of the key, for one rate."""
    reference = of.centre(B)
    return of.query(r, a, reference), of.block(r, B, D), of.key(r, b, reference)


def short_block(of: Execution, r: Any) -> tuple[Prop, ...]:
    """A causal pair, and a block that is short enough: omega e^(r (B - 1)) <= 1."""
    causal = Le(b, D * B + a)
    return *in_block(a, b), causal, Le(sigma**2 * _widest(of, r, B) ** 2, 1)


def weights(of: Execution) -> Prop:
    """The stored weight is within 8 u of e^(-r n) for every length."""
    fl = Rounding(in_range=True)
    stored = of.folded(fl, *three_factors(of, r))
    given = And(*fl.facts, *in_format(Rational(1, 2)), Le(0, r), *short_block(of, r))
    gap = stored - exp(-r * (D * B + a - b))
    names = (*fl.results, u, sigma, Omega, r, B, D, a, b)
    return ForAll(names, Implies(given, strictly_within(gap, of.weight * u)))


def _coordinates(of: Execution) -> list[tuple[Sequence[Any], Sequence[Any]]]:
    """(v, q) of the two eigen-coordinates of the query, then of the key."""
    V, W = eigenvectors(of, k), dual(of, k)
    queries = [(tuple(V[:, s]), (q1, q2)) for s in (0, 1)]
    return queries + [(tuple(W[s, :]), (k1, k2)) for s in (0, 1)]


def _sizes(of: Execution) -> tuple[Any, Any]:
    """What bounds the eigen-coordinates: sum of |v| |q|, of the query and of the key."""
    V, W = of.squeeze(k) / sqrt(2), of.squeeze(1 / k) / sqrt(2)
    return (
        V[0, 0] * Abs(q1) + V[1, 1] * Abs(q2),
        W[0, 0] * Abs(k1) + W[1, 1] * Abs(k2),
    )


def _moderate(of: Execution) -> tuple[Prop, ...]:
    """Entries of V and sizes of the coordinates lie between sigma and 1 / sigma."""
    entries = (1 / (k * sqrt(2)), k / sqrt(2))
    sizes = _sizes(of)
    small = (Le(sigma, value) for value in (*entries, *sizes))
    return *small, *(Le(sigma * size, 1) for size in sizes)


def _dot(v: Sequence[Any], q: Sequence[Any]) -> Any:
    return v[0] * q[0] + v[1] * q[1]


def _score(
    of: Execution, fl: Rounding, computed: Callable[..., Any], factors: Sequence[Sequence[Any]]
) -> Any:
    """The computed score, from the factors of the slow and of the fast channel."""
    xs = [of.projection(fl, *pair) for pair in _coordinates(of)]
    terms = [computed(fl, xs[s], xs[2 + s], *factors[s]) for s in (0, 1)]
    return fl(terms[0] + terms[1])


def _exact_score(of: Execution, decays: Sequence[Any]) -> Any:
    xs = [_dot(*pair) for pair in _coordinates(of)]
    return xs[0] * xs[2] * decays[0] + xs[1] * xs[3] * decays[1]


def _norms() -> Any:
    """(rho + 1 / rho) |q| |k|: 2 kappa_0 times the norms."""
    return (k**2 + 1 / k**2) * sqrt(q1**2 + q2**2) * sqrt(k1**2 + k2**2)


def _lost(count: int) -> Any:
    """What `count` roundings add to a product: (1 + u)^count - 1."""
    return (1 + u) ** count - 1


VECTORS = (k, q1, q2, k1, k2)


def scores(of: Execution) -> Prop:
    """The error of a score of one channel pair, for every length."""
    fl = Rounding(in_range=True)
    computed = _score(of, fl, of.channel, (three_factors(of, r), three_factors(of, R)))
    rates = (Le(0, r), Le(r, R))
    format_, block = in_format(Rational(1, 8)), short_block(of, R)
    given = And(*fl.facts, *format_, *_moderate(of), *rates, *block)
    distance = D * B + a - b
    exact = _exact_score(of, (exp(-r * distance), exp(-R * distance)))
    gap = within(computed - exact, _lost(of.roundings) * _norms())
    names = (*fl.results, u, sigma, Omega, r, R, B, D, a, b, *VECTORS)
    return ForAll(names, Implies(given, gap))


def normal_scores(of: Execution) -> Prop:
    """Where nothing underflows the error is relative to the slow decay."""
    fl = Rounding(in_range=False)
    computed = _score(of, fl, of.channel, (three_factors(of, r), three_factors(of, R)))
    distance = D * B + a - b
    given = And(*fl.facts, Lt(0, u), Le(r, R), Le(0, distance))
    exact = _exact_score(of, (exp(-r * distance), exp(-R * distance)))
    bound = _lost(of.normal_roundings) * _norms() * exp(-r * distance)
    names = (*fl.results, u, r, R, B, D, a, b, *VECTORS)
    return ForAll(names, Implies(given, within(computed - exact, bound)))


def counted(of: Execution) -> Prop:
    """(1 + u)^m - 1 <= g_m = m u / (1 - m u)."""
    counts = (of.roundings, of.normal_roundings, of.dyadic_roundings)
    return And(
        *(
            ForAll(u, Implies(And(Le(0, u), Lt(k * u, 1)), Le(_lost(k), of.accumulated(k, u))))
            for k in counts
        )
    )


def rounded_exponents(of: Execution) -> Prop:
    """Exponents that are rounded themselves: absolute in the length, not relative."""
    f, d, s = (Variable(name, Real) for name in "fds")
    near = And(within(f, u), within(d, u), within(s, u))
    reference = of.centre(B)
    first, second, third = -r * (a - reference), -r * B * D, r * (b - reference)
    stored = exp(first * (1 + f)) * exp(second * (1 + d)) * exp(third * (1 + s))
    slack = of.exponent_slack(u, r, B)
    bound = exp(slack) * (slack + u / ((1 - u) * exp(1)))
    given = And(Le(0, u), Lt(u, 1), Le(0, r), *in_block(a, b), Le(b, D * B + a), near)
    exact = exp(-r * (D * B + a - b))
    absolute = Implies(given, within(stored - exact, bound))
    # One rounded exponent alone, and the error per weight has no bound.
    grown = exp(-r * n * (1 - u)) / exp(-r * n)
    relative = Implies(And(Lt(0, u), Lt(0, r)), Exists(n, Lt(C, grown)))
    return And(
        ForAll((u, r, B, D, a, b, f, d, s), absolute),
        ForAll((u, r, C), relative),
    )


def separating(of: Execution) -> Prop:
    """References at the ends of the blocks: no exponent has the wrong sign."""
    steps = of.separated(a, b, B, D)
    factors = [exp(-r * step) for step in steps]
    signs = (Le(0, step) for step in steps)
    bounds = (part for f in factors for part in (Lt(0, f), Le(f, 1)))
    whole = Eq(factors[0] * factors[1] * factors[2], exp(-r * (D * B + a - b)))
    given = And(Le(0, r), Le(1, D), *in_block(a, b))
    return ForAll((r, B, D, a, b), Implies(given, And(*signs, *bounds, whole)))


def adjoining(of: Execution, i: Any, j: Any, h: Any, m: Any) -> Prop:
    """m - 1 = floor(j / 2^h) and m = floor(i / 2^h)."""
    low, middle, high = (of.below(h, m + shift) for shift in (-1, 0, 1))
    return And(Le(low, j), Lt(j, middle), Le(middle, i), Lt(i, high))


def dyadic(of: Execution) -> Prop:
    """Between two tokens lies a reference: one of log2 L for each of them."""
    level, multiple = Variable("h", Int(0)), Variable("m", Int(0))
    reference = Exists(multiple, adjoining(of, i, j, level, multiple))
    exists = Exists(level, And(Lt(level, n), reference))
    found = ForAll((n, i, j), Implies(And(Lt(j, i), Lt(i, 2**n)), exists))
    c = of.below(h, m)
    left, right = exp(-r * (i - c)), exp(-r * (c - j))
    whole = Eq(left * right, exp(-r * (i - j)))
    bounds = And(Lt(0, left), Le(left, 1), Lt(0, right), Le(right, 1))
    given = And(Le(0, r), adjoining(of, i, j, h, m))
    split = ForAll((r, i, j, h, m), Implies(given, And(whole, bounds)))
    return And(found, split)


def dyadic_scores(of: Execution) -> Prop:
    """The same bound with a reference between query and key: any block, any length."""
    fl, reference = Rounding(in_range=True), of.below(h, m)
    factors = [(exp(-s * (i - reference)), exp(-s * (reference - j))) for s in (r, R)]
    computed = _score(of, fl, of.halved, factors)
    rates = (Le(0, r), Le(r, R))
    format_, between = in_format(Rational(1, 8)), adjoining(of, i, j, h, m)
    given = And(*fl.facts, *format_, *_moderate(of), *rates, between)
    exact = _exact_score(of, (exp(-r * (i - j)), exp(-R * (i - j))))
    gap = within(computed - exact, _lost(of.dyadic_roundings) * _norms())
    names = (*fl.results, u, sigma, Omega, r, R, i, j, h, m, *VECTORS)
    return ForAll(names, Implies(given, gap))


def unbounded(of: Execution) -> Prop:
    """With gamma < mu the block factor and the score itself pass every bound."""
    rate = gamma - mu
    factor = of.block(rate, B, D)
    grows = ForAll((gamma, mu, B, D), Implies(Lt(gamma, mu), Le(1 - rate * (B * D), factor)))
    whole = Eq(factor, exp(-rate * (D * B)))
    passes = Exists(D, And(Lt(C, factor), whole))
    return And(grows, ForAll((gamma, mu, B, C), Implies(Lt(gamma, mu), passes)))


REBASING = Claim(
    id="symplectic.rebasing",
    title="Naive factors overflow; rebased and dyadic ones keep a bound that ignores the length",
    kind="bound",
    definitions=Execution(),
    source=(),
    stance="sharpened",
    reading=(
        "'Length-independent numerical bounds' of a blockwise rebased execution, read as a bound "
        "on the error of a score: bounded factors are not enough. The block must be short enough "
        "that the largest product of two factors times omega is at most 1, or the reference must "
        "lie between query and key."
    ),
    hypotheses=(
        "every result is rounded: off by at most u of the exact one, or by u omega",
        "u <= 1/256, 3 <= omega Omega",
        "0 <= r_+ <= r_-, causal pairs",
    ),
    clauses=(
        Clause(
            "spectral",
            r"q^\top M^n k = \sum_\pm (V^\top q)_\pm (V^{-1}k)_\pm\, e^{-(\gamma\mp\mu)n},"
            r" \quad M = e^{-\gamma} D(\rho) B(\mu) D(\rho)^{-1},\ V = D(\rho) H",
            spectral,
        ),
        Clause(
            "inverse",
            r"M(\gamma, \mu)\, M(-\gamma, -\mu) = I, \quad V V^{-1} = I",
            inverse,
        ),
        Clause(
            "growth",
            r"(M^\top)^n \tbinom{\rho}{1} = e^{-r_+ n} \tbinom{\rho}{1}, \quad "
            r"M^{-n} \tbinom{1}{-\rho} = e^{r_- n} \tbinom{1}{-\rho}; \quad "
            r"\lVert (M^\top)^n \rVert \ge e^{-r_+ n},\ \lVert M^{-n} \rVert \ge e^{r_- n}",
            growth,
        ),
        Clause(
            "positions",
            r"T = \tfrac12(\Omega + 2^{e+1}) = 2^e(2 - 2^{-p}),\ "
            r"h = \tfrac12\eta = 2^{1-e-p}: \quad "
            r"e^{rn} \ge T \iff n \ge \lceil \tfrac{\ln T}{r} \rceil, "
            r"\quad e^{-rn} \le h \iff n \ge \lceil \tfrac{-\ln h}{r} \rceil",
            positions,
        ),
        Clause(
            "safe",
            r"\omega\, e^{r(B-1)} \le 1 \iff B \le 1 + \lfloor -\ln\omega / r \rfloor",
            safe,
        ),
        Clause(
            "centred",
            r"c = \tfrac{B-1}{2},\ 0 \le r \le r_- \implies "
            r"e^{-r(DB+a-b)} = f_q f_B f_k, \quad "
            r"e^{-r_-(B-1)/2} \le f_q = e^{-r(a-c)},\ f_k = e^{r(b-c)} \le e^{r_-(B-1)/2}, "
            r"\quad 0 < f_B = e^{-rBD} \le 1",
            centred,
        ),
        Clause(
            "best_centre",
            r"\max_{0 \le a < B} |a - c| \ge \tfrac{B-1}{2}, \quad "
            r"= \text{ only for } c = \tfrac{B-1}{2}; \quad "
            r"c = 0:\ f_k = e^{r(B-1)} = \bigl(e^{r(B-1)/2}\bigr)^2",
            best_centre,
        ),
        Clause(
            "corner",
            r"a = 0,\ b = B-1:\ f_q f_k = e^{r(B-1)}; \quad D \ge 1:\ 0 < f_q f_B \le 1",
            corner,
        ),
        Clause(
            "neighbours",
            r"e^{-rB} \le h \iff B \ge \lceil \tfrac{-\ln h}{r} \rceil, \quad "
            r"D = 1,\ a = 0,\ b = B - 1:\ f_q f_B f_k = e^{-r}",
            neighbours,
        ),
        Clause(
            "weights",
            r"\omega\, e^{r(B-1)} \le 1,\ \omega \le \tfrac14 \implies "
            r"\bigl|\mathrm{fl}(\mathrm{fl}(\hat f_q \hat f_B)\, \hat f_k) - e^{-rn}\bigr| "
            r"< 8u \quad \text{for every } n",
            weights,
        ),
        Clause(
            "scores",
            r"\omega\, e^{r_-(B-1)} \le 1,\ \omega \le \tfrac1{64} \implies "
            r"|\hat s - s| \le \bigl((1+u)^{17} - 1\bigr)(\rho + \rho^{-1})\, |q||k|, \quad "
            r"\sqrt\omega \le V_{s\pm},\ \textstyle\sum_s |V_{s\pm}||q_s|,\ "
            r"\sum_s |V^{-1}_{\pm s}||k_s| \le 1/\sqrt\omega",
            scores,
        ),
        Clause(
            "normal_scores",
            r"\text{no underflow} \implies |\hat s - s| \le "
            r"\bigl((1+u)^{14} - 1\bigr)(\rho + \rho^{-1})\, |q||k|\, e^{-r_+ n}",
            normal_scores,
        ),
        Clause(
            "counted",
            r"(1+u)^m - 1 \le \frac{mu}{1 - mu} \quad (m = 13, 14, 17,\ mu < 1)",
            counted,
        ),
        Clause(
            "rounded_exponents",
            r"\bigl|e^{-r(a-c)(1+\delta_1) - rBD(1+\delta_2) + r(b-c)(1+\delta_3)} - e^{-rn}\bigr| "
            r"\le e^{y}\Bigl(y + \frac{u}{(1-u)e}\Bigr),\ y = 2ur(B-1),\ |\delta_i| \le u; "
            r"\quad \sup_n e^{-rn(1-u)} / e^{-rn} = \infty",
            rounded_exponents,
        ),
        Clause(
            "separating",
            r"D \ge 1:\ n = a + [BD - (B-1)] + (B-1-b), \quad "
            r"\text{three exponents} \ge 0,\ \text{three factors in } (0, 1]",
            separating,
        ),
        Clause(
            "dyadic",
            r"0 \le j < i < 2^n \implies \exists\, h < n,\ m:\ "
            r"\lfloor j / 2^h \rfloor = m - 1,\ \lfloor i / 2^h \rfloor = m; \quad "
            r"c = m 2^h:\ e^{-r(i-j)} = e^{-r(i-c)} e^{-r(c-j)},\ \text{both in } (0, 1]",
            dyadic,
        ),
        Clause(
            "dyadic_scores",
            r"c = m 2^h \implies |\hat s - s| \le "
            r"\bigl((1+u)^{13} - 1\bigr)(\rho + \rho^{-1})\, |q||k| \quad "
            r"\text{for all } i > j",
            dyadic_scores,
        ),
        Clause(
            "unbounded",
            r"\gamma < \mu \implies f_B = e^{(\mu-\gamma)BD} \ge 1 + (\mu-\gamma)BD, "
            r"\quad \forall C\ \exists D:\ f_B > C",
            unbounded,
        ),
    ),
)
