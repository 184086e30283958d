r"""Powers of damped shears in a floating-point format: naive, rebased, dyadic and by tiles.

Main definitions
----------------
Shear                               gamma, mu and rho of one channel pair; its two rates
Storage                             a format, with gradual underflow or flush to zero
exponentials                        e^x of rationals, rounded once
overflow_at, vanishing_at           the first positions of naive factors that are stored as inf, 0
safe_block, failing_block           the longest safe block, and the shortest that loses neighbours
naive, rebased, dyadic              stored weights of pairs of positions, one method each
scores, exact_scores                q^T M^(i - j) k by a method, and in balls
score_bound, entry_bound            what the errors are proved to stay within
tile_scores, dense_scores           all scores of a sequence by tiles, and term by term

Conventions
-----------
Query at i, key at j <= i.  Blocks of B positions: i = I B + a, j = J B + b, D = I - J; the centre
of a block is c = (B - 1) / 2.  Values of every format are held in float64 arrays, which contain
them exactly; each operation is rounded once by `Storage.round`.  Products of narrow numbers are
exact in float64, so that is the operation of the format.  Rates are fractions, exponents exact.

Implementation notes
--------------------
An exponential is evaluated with 160 bits, turned into a double whose last bit remembers whether
something was cut off, and rounded to the format: one rounding, but for a part in 2^100.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

import numpy as np
from flint import arb
from numpy.typing import NDArray

from posproof.numerics.balls import ends, exact, precision
from posproof.numerics.formats import Format, round_array

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
#: Bits of an exponential before it is rounded.
BITS = 160


@dataclass(frozen=True)
class Shear:
    """One channel pair: M = e^(-gamma) D(rho) B(mu) D(rho)^(-1)."""

    gamma: Fraction
    mu: Fraction
    rho: Fraction

    @property
    def rates(self) -> tuple[Fraction, Fraction]:
        """The slow and the fast rate."""
        return self.gamma - self.mu, self.gamma + self.mu

    @property
    def conditioning(self) -> Fraction:
        """rho + 1 / rho, twice kappa_0."""
        return self.rho + 1 / self.rho


@dataclass(frozen=True)
class Storage:
    """A format; with `flush`, results below the normal numbers become 0."""

    form: Format
    flush: bool = False

    def round(self, values: Floats) -> Floats:
        """Float64 values rounded once; overflow gives infinities."""
        with np.errstate(invalid="ignore", over="ignore"):
            rounded = round_array(values, self.form)
        if not self.flush:
            return rounded
        return np.where(np.abs(rounded) < float(self.form.smallest_normal), 0.0, rounded)

    @cached_property
    def omega(self) -> Fraction:
        """From here on errors are relative; with flush to zero what is lost counts as u omega."""
        smallest = self.form.smallest_normal
        return smallest / self.form.unit_roundoff if self.flush else smallest


# ---------------------------------------------------------------------- exponentials
@lru_cache(maxsize=1 << 16)
def _odd(exponent: Fraction) -> float:
    """e^x cut to a double whose last bit is set where something was cut off."""
    with precision(BITS):
        mantissa, power = arb(exact(exponent)).exp().mid().man_exp()
    digits, shift = int(mantissa), int(mantissa).bit_length() - 53
    if shift + int(power) > 971:
        return math.inf
    if shift > 0:
        digits = digits >> shift | bool(digits & ((1 << shift) - 1))
        return math.ldexp(digits, int(power) + shift)
    return math.ldexp(digits, int(power))


@lru_cache(maxsize=1 << 16)
def _nearest(exponent: Fraction) -> float:
    """The double nearest to e^x."""
    with precision(BITS):
        mantissa, power = arb(exact(exponent)).exp().mid().man_exp()
    size = int(mantissa).bit_length() + int(power)
    if size > 1024:
        return math.inf
    if size < -1080:
        return 0.0
    digits, up, down = int(mantissa), max(int(power), 0), max(-int(power), 0)
    try:
        return (digits << up) / (1 << down)
    except OverflowError:
        return math.inf


def exponentials(exponents: Iterable[Fraction], store: Storage) -> Floats:
    """e^x for rationals x, rounded once to the format; shape `(n,)`."""
    evaluate = _nearest if store.form.significand == 53 else _odd
    return store.round(np.array([evaluate(x) for x in exponents], dtype=np.float64))


def powers(rate: Fraction, steps: Sequence[Fraction] | Sequence[int], store: Storage) -> Floats:
    """e^(-rate step), rounded once; shape `(n,)`."""
    return exponentials([-rate * step for step in steps], store)


# ---------------------------------------------------------------------- positions and blocks
def _log_over(value: Fraction, rate: Fraction) -> arb:
    return arb(exact(value)).log() / exact(rate)


def _whole(value: Callable[[], arb], up: bool) -> int:
    """The ceiling or the floor of a real that balls enclose."""
    bits = BITS
    while True:
        with precision(bits):
            low, high = ends(value())
        below, above = (math.ceil(x) if up else math.floor(x) for x in (low, high))
        if below == above:
            return below
        bits *= 2


def overflow_threshold(form: Format) -> Fraction:
    """From here on numbers round to infinity: half way from the largest to the next power of 2."""
    return (2 - form.unit_roundoff) * Fraction(2) ** form.max_exponent


def overflow_at(rate: Fraction, form: Format) -> int:
    """The first position j at which e^(rate j) is stored as infinity."""
    return _whole(lambda: _log_over(overflow_threshold(form), rate), up=True)


def vanishing_at(rate: Fraction, form: Format) -> int:
    """The first position i at which e^(-rate i) is stored as 0."""
    return _whole(lambda: -_log_over(form.smallest_subnormal / 2, rate), up=True)


@lru_cache
def safe_block(rate: Fraction, store: Storage) -> int:
    """The longest block with omega e^(rate (B - 1)) <= 1."""
    return 1 + _whole(lambda: -_log_over(store.omega, rate), up=False)


def failing_block(rate: Fraction, form: Format) -> int:
    """The shortest block whose neighbour's factor is stored as 0."""
    return vanishing_at(rate, form)


# ---------------------------------------------------------------------- weights of pairs
def centre(block: int) -> Fraction:
    """The reference inside a block."""
    return Fraction(block - 1, 2)


@dataclass(frozen=True)
class Factors:
    """Stored factors of pairs: of the query, of the block (None: 1), of the key; shape `(n,)`."""

    query: Floats
    block: Floats | None
    key: Floats


Method = Callable[[Fraction, Ints, Ints, Storage], Factors]


def naive(rate: Fraction, i: Ints, j: Ints, store: Storage) -> Factors:
    """e^(-rate i) and e^(rate j)."""
    return Factors(powers(rate, i.tolist(), store), None, powers(-rate, j.tolist(), store))


def rebased(block: int, reference: Callable[[int], Fraction] = centre) -> Method:
    """Factors relative to the centre of a block, and one for the distance of the blocks."""

    def factors(rate: Fraction, i: Ints, j: Ints, store: Storage) -> Factors:
        (first, a), (second, b) = np.divmod(i, block), np.divmod(j, block)
        c = reference(block)
        return Factors(
            powers(rate, [int(x) - c for x in a], store),
            powers(rate * block, (first - second).tolist(), store),
            powers(-rate, [int(x) - c for x in b], store),
        )

    return factors


def dyadic_reference(i: Ints, j: Ints) -> Ints:
    """The multiple c of 2^h, j < c <= i, h the highest bit that differs; i if none does."""
    differ = np.bitwise_xor(i, j)
    _, length = np.frexp(differ.astype(np.float64))
    h = np.maximum(length - 1, 0)
    return np.where(i == j, i, (i >> h) << h)


def dyadic(rate: Fraction, i: Ints, j: Ints, store: Storage) -> Factors:
    """e^(-rate (i - c)) and e^(-rate (c - j)) with a reference between the tokens."""
    c = dyadic_reference(i, j)
    return Factors(
        powers(rate, (i - c).tolist(), store), None, powers(rate, (c - j).tolist(), store)
    )


def weights(found: Factors, store: Storage, *, folded: bool = True) -> Floats:
    """The stored weights e^(-rate (i - j)); `folded` multiplies the block factor in first."""
    with np.errstate(invalid="ignore", over="ignore"):
        if found.block is None:
            return store.round(found.query * found.key)
        if folded:
            return store.round(store.round(found.query * found.block) * found.key)
        return store.round(store.round(found.query * found.key) * found.block)


# ---------------------------------------------------------------------- scores of pairs
def eigenvectors(rho: Fraction, store: Storage) -> tuple[Floats, Floats]:
    """V and its inverse, each entry rounded once; shape `(2, 2)`, columns and rows: slow, fast."""
    with precision(BITS):
        root, half = arb(exact(rho)).sqrt(), arb(2).sqrt()
        low, high = (ends(x)[0] for x in (1 / (root * half), root / half))
    small, large = (float(x) for x in (low, high))
    signs = np.array([[1.0, 1.0], [1.0, -1.0]])
    V = np.array([[small], [large]]) * signs
    return store.round(V), store.round(signs * np.array([[large, small]]))


def scores(
    shear: Shear, q: Floats, k: Floats, i: Ints, j: Ints, store: Storage, method: Method
) -> Floats:
    """q^T M^(i - j) k of each pair, every operation rounded; q, k `(n, 2)`, the result `(n,)`."""
    V, W = eigenvectors(shear.rho, store)
    rounded, terms = store.round, []
    with np.errstate(invalid="ignore", over="ignore"):
        for s, rate in enumerate(shear.rates):
            x = rounded(rounded(V[0, s] * q[:, 0]) + rounded(V[1, s] * q[:, 1]))
            y = rounded(rounded(W[s, 0] * k[:, 0]) + rounded(W[s, 1] * k[:, 1]))
            found = method(rate, i, j, store)
            query = found.query
            if found.block is not None:
                query = rounded(query * found.block)
            terms.append(rounded(rounded(x * query) * rounded(y * found.key)))
        return rounded(terms[0] + terms[1])


def exact_scores(
    shear: Shear, q: Floats, k: Floats, distance: Sequence[int], bits: int = BITS
) -> list[arb]:
    """q^T M^n k in balls."""
    with precision(bits):
        rho = exact(shear.rho)
        found = []
        for (q1, q2), (k1, k2), n in zip(q.tolist(), k.tolist(), distance, strict=True):
            slow, fast = (arb(exact(-rate * n)).exp() for rate in shear.rates)
            x = [arb(q1) + rho * s * arb(q2) for s in (1, -1)]
            y = [arb(k1) + s * arb(k2) / rho for s in (1, -1)]
            found.append((x[0] * y[0] * slow + x[1] * y[1] * fast) / 2)
        return found


def score_bound(form: Format, roundings: int = 17) -> Fraction:
    """(1 + u)^m - 1, the error per (rho + 1 / rho) |q| |k|."""
    return (1 + form.unit_roundoff) ** roundings - 1


# ---------------------------------------------------------------------- tiles
def tile_factors(rates: Sequence[Fraction], block: int, store: Storage) -> tuple[Floats, Floats]:
    """The factors of the queries and of the keys of a block, shape `(block, channels)`."""
    places = [a - centre(block) for a in range(block)]
    query = np.stack([powers(rate, places, store) for rate in rates], axis=1)
    return query, query[::-1].copy()


def block_factors(rates: Sequence[Fraction], block: int, count: int, store: Storage) -> Floats:
    """e^(-rate block D) for D = 0 .. count - 1, shape `(count, channels)`."""
    return np.stack([powers(rate * block, range(count), store) for rate in rates], axis=1)


@dataclass(frozen=True)
class Tiling:
    """How a tile is computed; a control replaces one of them.

    `taken` chooses what multiplies the rows of the queries, and `late` what multiplies the tile.
    """

    rows: Callable[[Floats], Floats] = lambda factors: factors
    late: Callable[[Floats], float] = lambda factors: 1.0
    masked: Callable[[Floats, NDArray[np.bool_]], Floats] = lambda tile, kept: np.where(
        kept, tile, 0.0
    )


TILING = Tiling()


def tile_scores(
    x: Floats,
    y: Floats,
    rates: Sequence[Fraction],
    block: int,
    store: Storage,
    accumulate: np.dtype | None = None,
    of: Tiling = TILING,
) -> Floats:
    """Causal scores of a sequence, shape `(L, L)`, one matrix product a tile.

    x and y are `(L, channels)`, L a multiple of the block.  Factors are stored in the format;
    products and sums are those of `accumulate`, the format's own dtype unless told.
    """
    dtype = store.form.dtype if accumulate is None else accumulate
    length, count = len(x), len(x) // block
    query, key = (f.astype(dtype) for f in tile_factors(rates, block, store))
    between = block_factors(rates, block, count, store).astype(dtype)
    rows, columns = x.astype(dtype), y.astype(dtype)
    found = np.zeros((length, length), dtype=dtype)
    causal = np.tril(np.ones((block, block), dtype=bool))
    with np.errstate(invalid="ignore", over="ignore"):
        keys = [columns[J * block : (J + 1) * block] * key for J in range(count)]
        for row in range(count):
            own = rows[row * block : (row + 1) * block]
            for column in range(row + 1):
                factor = between[row - column]
                tile = (own * (query * of.rows(factor))) @ keys[column].T
                tile = tile * dtype.type(of.late(factor))
                if row == column:
                    tile = of.masked(tile, causal)
                places = slice(row * block, (row + 1) * block), slice(column * block, None)
                found[places][:, :block] = tile
    return found.astype(np.float64)


def dense_scores(
    x: Floats, y: Floats, rates: Sequence[Fraction]
) -> tuple[NDArray[np.longdouble], NDArray[np.longdouble]]:
    """Causal scores and the sums of |x| |y| e^(-r n), term by term in extended precision."""
    length = len(x)
    n = np.subtract.outer(np.arange(length), np.arange(length))
    kept = n >= 0
    found, size = (np.zeros((length, length), dtype=np.longdouble) for _ in range(2))
    for channel, rate in enumerate(rates):
        step = -np.longdouble(rate.numerator) / np.longdouble(rate.denominator)
        decay = np.exp(step * np.arange(length, dtype=np.longdouble))[np.where(kept, n, 0)]
        term = np.multiply.outer(
            x[:, channel].astype(np.longdouble), y[:, channel].astype(np.longdouble)
        )
        found += term * decay
        size += np.abs(term) * decay
    return np.where(kept, found, 0), np.where(kept, size, 0)


def entry_bound(channels: int, form: Format) -> Fraction:
    """(1 + u)^(channels + 6) - 1, the error of an entry per sum of |x| |y| e^(-r n)."""
    return (1 + form.unit_roundoff) ** (channels + 6) - 1
