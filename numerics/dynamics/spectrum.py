"""Ring spectra by FFT, by direct transforms in balls, and by class sums of Bessel functions.

Main definitions
----------------
ring_weights     exp(beta (cos(2 pi p r / n) - 1)) in float64, phases reduced modulo n first
ring_spectrum    all n eigenvalues by one real FFT
spectrum_bound   how far they can be off, as a function of n, beta and the unit roundoff
class_sum        the sum of I_k(beta) over k = q (mod n) as a ball, its tail bounded
bessel_spectrum  the same eigenvalues from scaled Bessel functions in float64
transform        one eigenvalue of the ring by direct summation in balls
ring_gap         1 - lambda_q as a sum of positive terms, in float64
law, corridor    the fixed-ring law L_q at large beta, and the two factors that enclose 1 - lambda_q
crossover        G, the scaled gap between the continuum and a fixed ring
exact_ring_gap, exact_corridor, exact_crossover, poisson_crossover   the same in balls
walk             the law of a random walk on a ring by the exponential of its generator, in balls

Main claims
-----------
dynamics.bessel_spectrum, dynamics.large_beta

Conventions
-----------
As in `posproof.theory.dynamics.spectrum`.  Scores are shifted by -beta before they are
exponentiated, so the largest weight is 1.  u = 2^-53.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import arb, arb_mat, arb_series, fmpq
from numpy.typing import NDArray

from posproof.numerics.balls import certify, describe, points, precision, show, upward
from posproof.numerics.balls.terms import bits_for, ends
from posproof.numerics.formats import FORMATS
from posproof.numerics.hunt import hunt
from posproof.numerics.measure import high_precision, within, worst
from posproof.numerics.mobius.ladder import cosine_sine
from posproof.theory.dynamics.spectrum import BESSEL_SPECTRUM, LARGE_BETA, LargeBeta, Ring
from posproof.theory.vocabulary import (
    Bound,
    Evidence,
    ForAll,
    Outcome,
    Run,
    Scope,
    checked_by,
    control,
)

if TYPE_CHECKING:
    import mpmath

Floats = NDArray[np.float64]
U = FORMATS["float64"].unit_roundoff


# ---------------------------------------------------------------------- float64
def ring_weights(n: int, p: int, beta: float) -> Floats:
    """exp(beta (cos(2 pi p r / n) - 1)), shape `(n,)`.

    The cosine is within 4 u of the truth for every n and p, because p r is reduced as an integer.
    """
    cosine, _ = cosine_sine(np.int64(2 * p), np.arange(n), n)
    return np.exp(beta * (cosine - 1))


def ring_spectrum(n: int, p: int, beta: float) -> Floats:
    """The eigenvalues lambda_m, m = 0 .. n - 1, of attention at consensus, shape `(n,)`."""
    half = np.fft.rfft(ring_weights(n, p, beta)).real
    m = np.arange(n)
    return half[np.minimum(m, n - m)] / half[0]


def bessel_spectrum(
    n: int, p: int, beta: float, reached: Callable[[Any, int, Any], Any] = lambda k, p, m: k * p - m
) -> Floats:
    """The same eigenvalues from exp(-beta) I_k(beta), |k| <= K, summed by residue, shape `(n,)`.

    K = 40 + 4 ceil(beta): what is cut off is below 2^-60 of I_0 (see `class_sum`).
    """
    from scipy.special import ive

    K = 40 + 4 * math.ceil(beta)
    k = np.arange(-K, K + 1)
    hits = reached(k[None, :], p, np.arange(n)[:, None]) % n == 0
    sums = np.where(hits, ive(np.abs(k), beta)[None, :], 0.0).sum(axis=1)
    return sums / sums[0]


#: Roundings of one radix-r pass of an FFT, r <= 5, relative to the norm of its input: an output
#: adds r products and passes at most 8 roundings of terms whose moduli add up to at most sqrt(2)
#: times the norm times sqrt(5) (8 sqrt(10) < 26), and a twiddle factor within 2 u is multiplied on
#: with sqrt(5) u (together below 5).
PASS = 31


def passes(n: int) -> int:
    """Radix passes of a transform of length n = 2^a 3^b 5^c; ValueError for other lengths."""
    count, rest = 0, n
    for radix in (4, 2, 3, 5):
        while rest % radix == 0:
            rest //= radix
            count += 1
    if rest != 1:
        raise ValueError(f"n = {n}: the bound covers lengths 2^a 3^b 5^c")
    return count


def spectrum_bound(n: int, beta: Fraction) -> Bound:
    """|computed - true| for every eigenvalue of `ring_spectrum`, n = 2^a 3^b 5^c.

    Weights: the cosine is off by 4 u, its difference from 1 and the product with beta round a
    number of modulus at most 2 and 2 beta, the exponential by one ulp: a relative error below
    (8 beta + 2) u (1 + 2^-20).  Transform: each of s passes multiplies the relative error in the
    2-norm by 1 + PASS u, and an entry is at most the norm, so it is off by
    ((1 + PASS u)^s - 1) sqrt(n) |w|.  Because w <= 1, |w|^2 <= sum w, relative to X_0 = sum w that
    is a factor sqrt(n / sum w); and sum w counts at least n delta / pi - 1 weights above exp(-1/2),
    delta = min(pi, beta^(-1/2)), and the weight 1.  The quotient doubles both and rounds once.
    """
    s = passes(n)
    weights = (8 * beta + 2) * U * (1 + Fraction(1, 2**20))
    delta = min(Fraction(3), Fraction(1, math.isqrt(math.ceil(beta)) + 1))
    many = max(Fraction(1), (n * delta / Fraction(22, 7) - 1) * Fraction(3, 5))
    spread = Fraction(math.isqrt(math.ceil(n / many)) + 1)
    transform = ((1 + PASS * U) ** s - 1) * spread
    value = 2 * (weights + transform) * (1 + Fraction(1, 2**20)) + U
    formula = "2 ((8 beta + 2) u + ((1 + 31 u)^s - 1) sqrt(n / sum w)) + u"
    return Bound(value, formula, {"n": n, "beta": beta, "s": s, "u": "2^-53"})


def small_ring_bound(beta: float) -> Bound:
    """FFT against scaled Bessel functions for n <= 24 and any p: 64 eps (1 + beta).

    Weights (8 beta + 2) u and a transform of at most 24 terms, 32 u of their sum, twice for the
    quotient; the library's scaled Bessel functions are taken at 16 u, twice: at most
    (16 beta + 100) u in all.
    """
    value = 128 * U * (1 + Fraction(beta))
    return Bound(value, "128 u (1 + beta)", {"beta": beta, "u": "2^-53"})


# ---------------------------------------------------------------------- balls
def cosine(p: int, r: int, n: int) -> arb:
    """cos(2 pi p r / n), the turn reduced exactly."""
    return arb(fmpq(2 * ((p * r) % n), n)).cos_pi()


def transform(n: int, p: int, m: int, beta: arb) -> arb:
    """lambda_m by direct summation."""
    weights = [(beta * cosine(p, r, n)).exp() for r in range(n)]
    above = sum((w * cosine(m, r, n) for r, w in enumerate(weights)), arb(0))
    return above / sum(weights, arb(0))


def tail(beta: arb, K: int, stride: int) -> arb:
    """A bound of I_K + I_(K + stride) + ..., K + 1 > beta / 2.

    Comparing the power series term by term, I_k <= (beta/2)^k / k! exp(beta^2 / (4 (k + 1))), and
    neighbours of that bound have ratios below (beta/2) / (k + 1).
    """
    half = beta / 2
    first = half**K / arb(K).gamma() / K * (half**2 / (K + 1)).exp()
    return first / (1 - (half / (K + 1)) ** stride)


def cutoff(beta: arb) -> int:
    """The order beyond which the tail is bounded instead of summed."""
    return max(200, math.ceil(4 * float(beta.upper())))


def class_sum(q: int, n: int, beta: arb) -> arb:
    """F_q, the sum of I_k(beta) over k = q (mod n), with everything beyond the cutoff bounded."""
    K = cutoff(beta)
    total = sum((beta.bessel_i(abs(k)) for k in range(-K + (q + K) % n, K + 1, n)), arb(0))
    return total + arb(0, (2 * tail(beta, K + 1, 1)).upper())


def class_sums(n: int, beta: arb, orders: list[arb]) -> list[arb]:
    """F_0 .. F_(n - 1) from I_0 .. I_K; see `class_sum`."""
    beyond = arb(0, (2 * tail(beta, len(orders), 1)).upper())
    sums = [beyond] * n
    for k, order in enumerate(orders):
        for residue in {k, -k}:
            sums[residue % n] += order
    return sums


def by_classes(
    n: int, p: int, m: int, sums: list[arb], reached: Callable[[int, int, int], int]
) -> arb:
    """The sum of I_k over k with reached(k, p, m) = 0 (mod n), over the same at m = 0."""

    def over(mode: int) -> arb:
        hits = (q for q in range(n) if reached(q, p, mode) % n == 0)
        return sum((sums[q] for q in hits), arb(0))

    return over(m) / over(0)


def walk(q: int, n: int, time: arb) -> arb:
    """P(the rate-1 simple random walk on Z/n is at q at `time`), from exp(time (S - 1))."""
    rows = [[arb(0)] * n for _ in range(n)]
    for x in range(n):
        rows[x][(x + 1) % n] += fmpq(1, 2)
        rows[x][(x - 1) % n] += fmpq(1, 2)
        rows[x][x] -= 1
    return (arb_mat(rows) * time).exp()[0, q % n]


# ---------------------------------------------------------------------- bessel_spectrum
def only_one_copy(n: int, p: int, m: int, beta: arb) -> arb:
    """The spectrum without aliasing: I_d / I_0 with d the distance of m from 0 on the ring."""
    d = min(m % n, -m % n)
    return beta.bessel_i(d) / beta.bessel_i(0)


@dataclass(frozen=True)
class Sums:
    """The numerical definitions of this topic; a control replaces one of them."""

    reached: Callable[[Any, int, Any], Any] = lambda k, p, m: k * p - m
    spectrum: Callable[[int, int, float], Floats] = ring_spectrum
    image: Callable[[int, int, int, arb], arb] | None = None
    walk: Callable[[int, int, arb], arb] = walk
    spread: Callable[[Any, Any], Any] = lambda squares, mean: squares - mean * mean


SUMS = Sums()
#: The rings and temperatures of the specification's table, hardest first.
RINGS = ((7, 3), (7, 1), (8, 1), (8, 2), (8, 3), (8, 4), (12, 9), (10, 4), (1, 0), (6, 0))
TEMPERATURES = (fmpq(2), fmpq(1, 10), fmpq(1), fmpq(7, 2), fmpq(20))


@control("residue_ignores_p", reached=lambda k, p, m: k - m)
@control("aliasing_dropped", image=only_one_copy)
@checked_by(
    BESSEL_SPECTRUM,
    "bessel",
    "ball",
    Scope(
        "n <= 12, ten rings, beta = 1/10, 1, 2, 7/2, 20, all modes",
        "the same and all n <= 16, all p, beta = 1/20, 1, 5, 30",
    ),
    definitions=SUMS,
)
def bessel_in_balls(of: Sums, run: Run) -> Evidence:
    """The direct transform overlaps the class sums, and they differ by less than 10^-digits."""
    limit = Fraction(1, 10**run.digits)
    bound = Bound(limit, "10^-digits", {"digits": run.digits})
    largest, count = Fraction(0), 0
    with precision(bits_for(run.digits) + 160):  # sums of size exp(beta), beta <= 30
        orders: dict[str, list[arb]] = {}
        for n, p, exact in _table(run):
            beta = arb(exact)
            if str(exact) not in orders:
                orders[str(exact)] = [beta.bessel_i(k) for k in range(cutoff(beta) + 1)]
            classes = class_sums(n, beta, orders[str(exact)])
            for m in range(n):
                direct = transform(n, p, m, beta)
                if of.image is not None:
                    sums = of.image(n, p, m, beta)
                else:
                    sums = by_classes(n, p, m, classes, of.reached)
                if not direct.overlaps(sums):
                    where = describe({"n": n, "p": p, "m": m, "beta": exact})
                    witness = f"{where}: {show(direct)} is not {show(sums)}"
                    return Evidence("refuted", bound=bound, witness=witness)
                low, high = ends(direct - sums)
                largest, count = max(largest, -low, high), count + 1
    outcome: Outcome = "holds" if largest < limit else "undecided"
    return Evidence(outcome, upward(largest), bound, note=f"{count} eigenvalues")


def _table(run: Run) -> Iterator[tuple[int, int, fmpq]]:
    yield from ((n, p, beta) for n, p in RINGS for beta in TEMPERATURES)
    if run.profile == "full":
        warm = (fmpq(1, 20), fmpq(1), fmpq(5), fmpq(30))
        yield from ((n, p, beta) for n in range(1, 17) for p in range(n) for beta in warm)


@control("residue_ignores_p", reached=lambda k, p, m: k - m)
@checked_by(
    BESSEL_SPECTRUM,
    "bessel",
    "high",
    Scope("(n, p) = (7, 3), (12, 9); beta = 2, 7/2", "ten rings, beta = 1/10 .. 20"),
    definitions=SUMS,
)
def bessel_in_high_precision(of: Sums, run: Run) -> Evidence:
    """Power series of I_k, the transform by direct summation, at `digits` digits."""
    import mpmath

    def residual(ring: tuple[int, int], beta: Fraction) -> mpmath.mpf:
        n, p = ring
        b = mpmath.mpf(beta.numerator) / beta.denominator
        weights = [mpmath.exp(b * mpmath.cospi(mpmath.mpf(2 * (p * r % n)) / n)) for r in range(n)]
        K = 60 + 4 * math.ceil(beta)
        orders = {k: mpmath.besseli(abs(k), b) for k in range(K + 1)}

        def off(m: int) -> mpmath.mpf:
            waves = (
                w * mpmath.cospi(mpmath.mpf(2 * (m * r % n)) / n) for r, w in enumerate(weights)
            )
            direct = mpmath.fsum(waves) / mpmath.fsum(weights)
            above, below = (
                mpmath.fsum(
                    orders[abs(k)] for k in range(-K, K + 1) if of.reached(k, p, mode) % n == 0
                )
                for mode in (m, 0)
            )
            return abs(direct - above / below)

        return max(off(m) for m in range(n))

    full = run.profile == "full"
    rings = RINGS if full else ((7, 3), (12, 9))
    betas = (Fraction(1, 10), Fraction(1), Fraction(2), Fraction(7, 2), Fraction(20))
    grid = points(ring=rings, beta=betas if full else betas[2:4])
    # sums of at most 300 terms of size exp(beta) <= exp(20), each off by a few units of the last
    # digit, relative to a sum of at least 1; the orders beyond K add less than 10^-50
    bound = Bound(Fraction(10**12, 10**run.digits), "10^(12 - digits)", {"digits": run.digits})
    return high_precision(residual, grid, run.digits, bound)


@control("residue_ignores_p", reached=lambda k, p, m: k - m)
@checked_by(
    BESSEL_SPECTRUM,
    "bessel",
    "property",
    Scope("100 rings, n <= 24, 0.01 <= beta <= 20", "2000 rings, n <= 24, 0.01 <= beta <= 20"),
    definitions=SUMS,
)
def fft_against_scaled_bessel(of: Sums, run: Run) -> Evidence:
    """The FFT of the weights against class sums, and the same multiset for p of the same gcd."""
    from hypothesis import strategies as st

    def predicate(n: int, p: int, other: int, beta: float) -> bool:
        p, other = p % n, other % n
        found, sums = of.spectrum(n, p, beta), bessel_spectrum(n, p, beta, of.reached)
        limit = float(small_ring_bound(beta).value)
        if np.abs(found - sums).max() > limit:
            return False
        if math.gcd(p, n) != math.gcd(other, n):
            return True
        rival = np.sort(of.spectrum(n, other, beta))
        return bool(np.abs(np.sort(found) - rival).max() <= limit)

    axes = {
        "n": st.integers(1, 24),
        "p": st.integers(0, 23),
        "other": st.integers(0, 23),
        "beta": st.floats(0.01, 20),
    }
    return hunt(predicate, axes, run, first={"n": 7, "p": 3, "other": 2, "beta": 2.0})


#: Lengths 2^a 3^b 5^c with p, beta and sampled modes.
LARGE = (
    (8, 1, Fraction(1)),
    (360, 1, Fraction(20)),
    (4096, 1, Fraction(500)),
    (1_000_000, 1, Fraction(1)),
    (1_000_000, 1, Fraction(1000)),
)


def _wide_step(n: int, p: int, beta: float) -> Floats:
    return ring_spectrum(n, p + 1, beta)


@control("next_frequency", spectrum=_wide_step)
@control(
    "scores_not_doubled",
    spectrum=lambda n, p, beta: ring_spectrum(n, p, beta / 2),
)
@checked_by(
    BESSEL_SPECTRUM,
    "bessel",
    "float",
    Scope("n = 8, 360, 4096, 10^6, beta <= 1000, twelve modes each", "the same, 60 modes each"),
    definitions=SUMS,
)
def large_rings_by_fft(of: Sums, run: Run) -> Evidence:
    """One FFT of up to 10^6 weights against balls at sampled modes, within `spectrum_bound`."""
    samples = 60 if run.profile == "full" else 12
    shares, labels = [], []
    for n, p, beta in LARGE:
        found = of.spectrum(n, p, float(beta))
        bound = spectrum_bound(n, beta).value
        with precision(256):
            exact = arb(fmpq(beta.numerator, beta.denominator))
            base = class_sum(0, n, exact)
            width = min(n // 2, 4 * math.isqrt(math.ceil(beta)) + 8)
            modes = sorted({*np.linspace(0, width, samples).astype(int).tolist(), n // 2})
            for m in modes:
                error = abs(arb(float(found[m])) - class_sum(m, n, exact) / base)
                shares.append(float(ends(error)[1] / bound))
                labels.append((n, m))
    largest, where = worst(
        np.array(shares),
        {"n": np.array([n for n, _ in labels]), "m": np.array([m for _, m in labels])},
    )
    whole = spectrum_bound(*LARGE[-1][::2])
    share = Bound(Fraction(1), f"1, the share of {whole.formula}", whole.inputs)
    return within(largest, share, witness=where, note=f"{len(shares)} modes")


@control("residue_ignores_p", reached=lambda k, p, m: k - m)
@checked_by(
    BESSEL_SPECTRUM,
    "binomial",
    "property",
    Scope("100 rings, n <= 24, j <= 24", "2000 rings, n <= 24, j <= 24"),
    definitions=SUMS,
)
def words_against_binomials(of: Sums, run: Run) -> Evidence:
    """Powers of x^p + x^-p in Z[x] / (x^n - 1) against binomials summed by residue, in integers."""
    from hypothesis import strategies as st

    def predicate(n: int, p: int, j: int) -> bool:
        counts = words(n, p, j)
        return all(counts[m] == binomials(n, p, m, j, of.reached) for m in range(n))

    axes = {"n": st.integers(1, 24), "p": st.integers(-24, 24), "j": st.integers(0, 24)}
    return hunt(predicate, axes, run, first={"n": 7, "p": 3, "j": 2})


def words(n: int, p: int, j: int) -> list[int]:
    """Words of j steps +-p on Z/n that end at m, for m = 0 .. n - 1."""
    counts = [int(m == 0) for m in range(n)]
    for _ in range(j):
        counts = [counts[(m - p) % n] + counts[(m + p) % n] for m in range(n)]
    return counts


def binomials(n: int, p: int, m: int, j: int, reached: Callable[[int, int, int], int]) -> int:
    """The binomials of j over b with (j - 2 b) p = m (mod n), added up."""
    return sum(math.comb(j, back) for back in range(j + 1) if reached(j - 2 * back, p, m) % n == 0)


def _half_turn(p: Any, r: Any, n: Any) -> Any:
    import sympy

    return sympy.pi * p * r / n


@control("half_the_angle", phase=_half_turn)
@checked_by(BESSEL_SPECTRUM, "circulant", "ball", Scope("n <= 5", "n <= 9"))
def circulant_in_balls(of: Ring, run: Run) -> Evidence:
    """Row i of the softmax applied to cosine and sine waves."""
    sizes = (2, 3, 5) if run.profile == "quick" else range(1, 10)
    grid = (
        {"n": n, "p": p, "m": m, "i": i, "beta": beta}
        for n in sizes
        for p, m, i in ((1, 1, 1), (2, 1, n - 1), (-1, n - 1, 0), (0, 1, 1))
        for beta in (Fraction(3, 2), Fraction(-1, 2))
    )
    return certify(BESSEL_SPECTRUM.clause("circulant").statement(of), grid, run.digits)


@control("modes_of_another_ring", turns=lambda m, g: m)
@checked_by(BESSEL_SPECTRUM, "zero_modes", "ball", Scope("g n' <= 15", "g n' <= 36"))
def zero_modes_in_balls(of: Ring, run: Run) -> Evidence:
    """Modes that g does not divide."""
    last = 4 if run.profile == "quick" else 7
    grid = (
        {"g": g, "N": N, "p": p, "m": m, "beta": Fraction(3, 2)}
        for g in range(2, last)
        for N in range(1, last + 1)
        for p in (1, 2)
        for m in range(1, g)
    )
    statement: Any = BESSEL_SPECTRUM.clause("zero_modes").statement(of)
    conclusion = ForAll(statement.variables, statement.body.conclusion)
    return certify(conclusion, grid, run.digits)


@control("residue_ignores_the_ring", turns=lambda m, g: m)
@checked_by(BESSEL_SPECTRUM, "reduction", "ball", Scope("g n' <= 12", "g n' <= 36"))
def reduction_in_balls(of: Ring, run: Run) -> Evidence:
    """Modes that g divides against the coprime ring."""
    last = 3 if run.profile == "quick" else 6
    grid = points(
        g=range(2, last + 1),
        N=range(1, last + 2),
        p=(1, 3),
        m=range(2),
        beta=(Fraction(1), Fraction(7, 2)),
    )
    return certify(BESSEL_SPECTRUM.clause("reduction").statement(of), grid, run.digits)


@control("half_the_angle", phase=_half_turn)
@checked_by(BESSEL_SPECTRUM, "closed_forms", "ball", "beta = -3, 1/20, 1, 5, 30")
def closed_forms_in_balls(of: Ring, run: Run) -> Evidence:
    """Rings of 2, 3, 4 and 6."""
    grid = points(beta=(Fraction(-3), Fraction(1, 20), Fraction(1), Fraction(5), Fraction(30)))
    return certify(BESSEL_SPECTRUM.clause("closed_forms").statement(of), grid, run.digits)


def _one_way(q: int, n: int, time: arb) -> arb:
    """A walk that only steps forwards."""
    rows = [[arb(0)] * n for _ in range(n)]
    for x in range(n):
        rows[x][(x + 1) % n] += 1
        rows[x][x] -= 1
    return (arb_mat(rows) * time).exp()[0, q % n]


@control("walk_of_rate_2", walk=lambda q, n, time: walk(q, n, 2 * time))
@control("one_way_walk", walk=_one_way)
@checked_by(
    BESSEL_SPECTRUM,
    "walk",
    "ball",
    Scope("n' = 1..8, beta = 1/20, 1, 5", "n' = 1..13, beta = 1/20, 1, 5, 30"),
    definitions=SUMS,
)
def walk_in_balls(of: Sums, run: Run) -> Evidence:
    """The exponential of the generator against exp(-beta) times the class sums."""
    full = run.profile == "full"
    limit = Fraction(1, 10**run.digits)
    bound = Bound(limit, "10^-digits", {"digits": run.digits})
    largest = Fraction(0)
    with precision(bits_for(run.digits) + 160):
        for exact in (fmpq(1), fmpq(1, 20), fmpq(5), fmpq(30))[: 4 if full else 3]:
            beta = arb(exact)
            orders = [beta.bessel_i(k) for k in range(cutoff(beta) + 1)]
            for n in range(1, 14 if full else 9):
                for q, sums in enumerate(class_sums(n, beta, orders)):
                    law, expected = of.walk(q, n, beta), sums * (-beta).exp()
                    if not law.overlaps(expected):
                        where = describe({"n": n, "q": q, "beta": exact})
                        witness = f"{where}: {show(law)} is not {show(expected)}"
                        return Evidence("refuted", bound=bound, witness=witness)
                    low, high = ends(law - expected)
                    largest = max(largest, -low, high)
    outcome: Outcome = "holds" if largest < limit else "undecided"
    return Evidence(outcome, upward(largest), bound)


def _negated(x: Any) -> Any:
    import sympy

    return -sympy.cos(x)


@control("repelling_scores", score=_negated)
@checked_by(
    BESSEL_SPECTRUM,
    "unimodal",
    "ball",
    Scope("n' = 1..13, all q, beta = 1/20, 1, 5", "n' = 1..13, all q, beta = 1/20, 1, 5, 30"),
)
def unimodal_in_balls(of: Ring, run: Run) -> Evidence:
    """Strict inequalities between neighbouring classes."""
    full = run.profile == "full"
    betas = (Fraction(1), Fraction(1, 20), Fraction(5), Fraction(30))[: 4 if full else 3]
    grid = (
        {"n": n, "q": q, "beta": beta}
        for n in range(1, 14)
        for q in range(n // 2 + 1)
        for beta in betas
    )
    return certify(BESSEL_SPECTRUM.clause("unimodal").statement(of), grid, run.digits)


@control("repelling_scores", score=_negated)
@checked_by(BESSEL_SPECTRUM, "gap_falls", "ball", Scope("n' = 2..7", "n' = 2..13"))
def gap_falls_in_balls(of: Ring, run: Run) -> Evidence:
    """Pairs of temperatures, near and far."""
    grid = points(
        n=range(1, 13 if run.profile == "full" else 7),
        beta=(Fraction(1, 20), Fraction(2)),
        delta=(Fraction(1, 100), Fraction(3)),
    )
    return certify(BESSEL_SPECTRUM.clause("gap_falls").statement(of), grid, run.digits)


@control("second_moment_only", spread=lambda squares, mean: squares)
@control("variance_doubled", spread=lambda squares, mean: 2 * (squares - mean * mean))
@checked_by(
    BESSEL_SPECTRUM,
    "variance",
    "ball",
    Scope("n' = 1..9, beta = 1/10, 1, 7/2", "n' = 1..24, beta = 1/10, 1, 7/2, 20"),
    definitions=SUMS,
)
def variance_in_balls(of: Sums, run: Run) -> Evidence:
    """The derivative of F_1 / F_0 from power series in balls against the variance."""
    full = run.profile == "full"
    limit = Fraction(1, 10**run.digits)
    bound = Bound(limit, "10^-digits", {"digits": run.digits})
    largest = Fraction(0)
    with precision(bits_for(run.digits) + 160):
        for n in range(1, 25 if full else 10):
            for exact in (fmpq(7, 2), fmpq(1, 10), fmpq(1), fmpq(20))[: 4 if full else 3]:
                cosines = [cosine(1, r, n) for r in range(n)]
                series = arb_series([arb(exact), 1], 2)
                moved = [(series * c).exp() for c in cosines]
                above = sum(
                    (w * c for w, c in zip(moved, cosines, strict=True)), arb_series([0], 2)
                )
                derivative = (above / sum(moved, arb_series([0], 2)))[1]
                weights = [(arb(exact) * c).exp() for c in cosines]
                size = sum(weights, arb(0))
                mean, squares = (
                    sum((w * c**k for w, c in zip(weights, cosines, strict=True)), arb(0)) / size
                    for k in (1, 2)
                )
                variance = of.spread(squares, mean)
                if not derivative.overlaps(variance) or (n > 1 and not derivative > 0):
                    where = describe({"n": n, "beta": exact})
                    witness = f"{where}: {show(derivative)} is not {show(variance)}"
                    return Evidence("refuted", bound=bound, witness=witness)
                low, high = ends(derivative - variance)
                largest = max(largest, -low, high)
    outcome: Outcome = "holds" if largest < limit else "undecided"
    return Evidence(outcome, upward(largest), bound)


# ---------------------------------------------------------------------- large_beta
def copies(n: int) -> int:
    """Offsets at the smallest angle of the ring: two, or one if n = 2."""
    return 1 if n == 2 else 2


def representative(r: int, n: int) -> int:
    """The smallest modulus of an integer congruent to r modulo n."""
    return min(r, n - r)


def chords(n: int) -> Floats:
    """1 - cos(2 pi r / n) = 2 sin(pi r / n)^2 for r < n, shape `(n,)`, without cancellation."""
    r = np.arange(n)
    return 2 * np.sin(np.pi * np.minimum(r, n - r) / n) ** 2


def ring_gap(n: int, q: int, beta: float) -> float:
    """1 - lambda_q on the ring p = 1, beta >= 0: relative error of a few units times (1 + beta)."""
    c = chords(n)
    kept = np.exp(-beta * c)
    return float((kept * c[q * np.arange(n) % n]).sum() / kept.sum())


def law(n: int, q: int, beta: float) -> float:
    """L_q = kappa exp(-beta c_1) (1 - cos(2 pi q / n))."""
    c = chords(n)
    return copies(n) * math.exp(-beta * c[1]) * c[q % n]


def corridor(n: int, beta: float) -> tuple[float, float]:
    """The factors between which (1 - lambda_q) / L_q lies: 1/Z, and 1 + a sum over offsets."""
    c, r = chords(n), np.arange(n)
    others = np.minimum(r, n - r)[2 : n - 1] ** 2 * np.exp(-beta * (c[2 : n - 1] - c[1]))
    return float(1 / np.exp(-beta * c).sum()), float(1 + others.sum() / copies(n))


def crossover(tau: float) -> float:
    """G(tau), tau > 0: the series in exp(-2 pi^2 tau), or for small tau its Poisson dual."""
    k = np.arange(1, 12)
    if tau > 0.15:
        x = np.exp(-2 * math.pi**2 * tau * k**2)
        return float(4 * math.pi**2 * (k**2 * x).sum() / (1 + 2 * x.sum()))
    y = np.exp(-(k**2) / (2 * tau))
    return float(1 / (2 * tau) - (k**2 * y).sum() / tau**2 / (1 + 2 * y.sum()))


def exact_chord(r: int, n: int) -> arb:
    """c_r, reduced exactly."""
    return 2 * arb(fmpq(r % n, n)).sin_pi() ** 2


def exact_ring_gap(n: int, q: int, beta: arb) -> arb:
    kept = [(-beta * exact_chord(r, n)).exp() for r in range(n)]
    bent = sum((w * exact_chord(q * r, n) for r, w in enumerate(kept)), arb(0))
    return bent / sum(kept, arb(0))


def exact_law(n: int, q: int, beta: arb, number: Callable[[int], int] = copies) -> arb:
    return number(n) * (-beta * exact_chord(1, n)).exp() * exact_chord(q, n)


def exact_corridor(
    n: int, beta: arb, square: Callable[[int], int] = lambda rho: rho * rho
) -> tuple[arb, arb]:
    """See `corridor`."""
    mass = sum(((-beta * exact_chord(r, n)).exp() for r in range(n)), arb(0))
    first = exact_chord(1, n)
    others = (
        square(representative(r, n)) * (-beta * (exact_chord(r, n) - first)).exp()
        for r in range(2, n - 1)
    )
    return 1 / mass, 1 + sum(others, arb(0)) / copies(n)


def _theta(x: arb) -> tuple[arb, arb]:
    """The sums of k^2 x^(k^2) and of x^(k^2) over all integers k, 0 < x < 1/2.

    What is cut off beyond K = 24 is below 4 K^2 x^(K^2), because later terms at least halve.
    """
    K = 24
    tail = 8 * K * K * x ** (K * K)
    weighted = sum((2 * k * k * x ** (k * k) for k in range(1, K)), arb(0))
    plain = 1 + sum((2 * x ** (k * k) for k in range(1, K)), arb(0))
    return weighted + arb(0, tail.upper()), plain + arb(0, tail.upper())


def exact_crossover(tau: arb, rate: int = 2) -> arb:
    """G(tau) by its definition; exp(-rate pi^2 tau) has to be below 1/2."""
    weighted, plain = _theta((-rate * arb.pi() ** 2 * tau).exp())
    return rate * arb.pi() ** 2 * weighted / plain


def poisson_crossover(tau: arb) -> arb:
    """G(tau) = -(d/dtau) log of the plain sum, from its Poisson dual; exp(-1/(2 tau)) < 1/2."""
    weighted, plain = _theta((-1 / (2 * tau)).exp())
    return 1 / (2 * tau) - weighted / (2 * tau**2) / plain


@dataclass(frozen=True)
class Laws:
    """The numerical definitions of `dynamics.large_beta`; a control replaces one of them."""

    copies: Callable[[int], int] = copies
    square: Callable[[int], int] = lambda rho: rho * rho
    fixed: Callable[[int, int, arb], arb] | None = None
    crossover: Callable[[arb], arb] = exact_crossover
    order: Callable[[int, int], int] = lambda n, q: 1 if n == 2 * q + 1 else 2
    classes: Callable[[int, int], int] = lambda n, q: 2 if 2 * q == n else 1
    factors: Callable[[int, float], tuple[float, float]] = corridor


LAWS = Laws()
INSTANCES = tuple(
    (n, q, beta)
    for beta in (fmpq(2), fmpq(1, 2), fmpq(10), fmpq(50), fmpq(200))
    for n in range(2, 13)
    for q in range(1, n)
)
CORRIDOR = "330 instances: n' = 2..12, all q, beta = 1/2, 2, 10, 50, 200"


def _corridor_in_balls(of: Laws, run: Run, upper: bool) -> Evidence:
    """1/Z <= (1 - lambda) / L, which may be equal, or (1 - lambda) / L <= 1 + sum."""
    with precision(bits_for(run.digits) + 600):  # the least gap is of size exp(-400)
        for n, q, exact in INSTANCES:
            beta = arb(exact)
            ratio = exact_ring_gap(n, q, beta) / exact_law(n, q, beta, of.copies)
            low, high = exact_corridor(n, beta, of.square)
            margin = high - ratio if upper else ratio - low
            if margin < 0:
                where = describe({"n": n, "q": q, "beta": exact})
                return Evidence("refuted", witness=f"{where}: margin {show(margin)}")
            # the other offsets contribute nothing, for instance for two or three tokens
            equal = not upper and all(q * r % n == 0 for r in range(2, n - 1))
            if not (margin > 0 or equal and margin.contains(0)):
                return Evidence("undecided", note=describe({"n": n, "q": q, "beta": exact}))
    return Evidence("holds", note=f"{len(INSTANCES)} instances")


@control("three_neighbours", copies=lambda n: 3)
@control("factor_two_for_two_tokens", copies=lambda n: 2)
@checked_by(LARGE_BETA, "lower", "ball", CORRIDOR, definitions=LAWS)
def lower_in_balls(of: Laws, run: Run) -> Evidence:
    """The lower factor on every instance; it is attained for two and three tokens."""
    return _corridor_in_balls(of, run, upper=False)


@control("one_neighbour", copies=lambda n: 1)
@control("only_the_neighbours", square=lambda rho: 0)
@checked_by(LARGE_BETA, "upper", "ball", CORRIDOR, definitions=LAWS)
def upper_in_balls(of: Laws, run: Run) -> Evidence:
    """The upper factor on every instance, rho the representative of least modulus."""
    return _corridor_in_balls(of, run, upper=True)


@control("factors_exchanged", factors=lambda n, beta: corridor(n, beta)[::-1])
@checked_by(
    LARGE_BETA,
    "upper",
    "property",
    Scope("100 rings, n' = 2..40, 0.1 <= beta <= 300", "2000 rings, n' = 2..40, beta <= 300"),
    definitions=LAWS,
)
def corridor_in_float(of: Laws, run: Run) -> Evidence:
    """Both inequalities in float64; all terms are positive, so only exponents lose digits."""
    from hypothesis import strategies as st

    def predicate(n: int, q: int, beta: float) -> bool:
        q = 1 + q % (n - 1)
        ratio = ring_gap(n, q, beta) / law(n, q, beta)
        low, high = of.factors(n, beta)
        # chords within 6 u, exponents up to 2 beta: weights within (14 beta + 2) u, sums within
        # n u more; twice for a quotient, and twice for the two sides
        slack = float(4 * (14 * Fraction(beta) + n + 16) * U)
        return low * (1 - slack) <= ratio <= high * (1 + slack)

    axes = {"n": st.integers(2, 40), "q": st.integers(0, 38), "beta": st.floats(0.1, 300)}
    return hunt(predicate, axes, run, first={"n": 8, "q": 0, "beta": 32.0})


@control("constant_of_one", {"n": 4, "q": 1, "beta": 3}, copies=lambda n: 1)
@checked_by(LARGE_BETA, "error", "ball", Scope("n = 4..7, five betas", "n = 4..14, five betas"))
def error_in_balls(of: LargeBeta, run: Run) -> Evidence:
    """The explicit relative error of the law."""
    grid = points(
        n=range(4, 15 if run.profile == "full" else 8),
        q=(1, 2, 3),
        beta=(Fraction(3), Fraction(0), Fraction(1, 2), Fraction(20), Fraction(60)),
    )
    return certify(LARGE_BETA.clause("error").statement(of), grid, run.digits)


@control("continuum_on_a_fixed_ring", fixed=lambda n, q, beta: q * q / (2 * beta))
@checked_by(
    LARGE_BETA,
    "continuum",
    "ball",
    Scope("n' = 8, beta = 8..128; limit at beta = 4..4096", "the same and n' = 4..16"),
    definitions=LAWS,
)
def two_limits(of: Laws, run: Run) -> Evidence:
    """On a fixed ring the law L within its error; for n' first, 1/(2 beta) within 1/(4 beta^2)."""
    fixed = of.fixed or (lambda n, q, beta: exact_law(n, q, beta, of.copies))
    rings = range(4, 17) if run.profile == "full" else (8,)
    with precision(bits_for(run.digits) + 400):
        for n in rings:
            for beta in map(arb, (8, 16, 32, 64, 128)):
                ratio = exact_ring_gap(n, 1, beta) / fixed(n, 1, beta)
                first = exact_chord(1, n)
                room = (n - 1) * (-beta * first).exp()
                room += n**3 * (-beta * (exact_chord(2, n) - first)).exp()
                if not abs(ratio - 1) <= room:
                    where = f"n = {n}, beta = {show(beta)}"
                    outcome: Outcome = "refuted" if abs(ratio - 1) > room else "undecided"
                    return Evidence(outcome, witness=f"{where}: gap over law {show(ratio)}")
        for beta in map(arb, (4, 16, 64, 256, 1024, 4096)):
            excess = 1 - beta.bessel_i(1) / beta.bessel_i(0) - 1 / (2 * beta)
            if not abs(excess) <= 1 / (4 * beta**2):
                return Evidence("refuted", witness=f"beta = {show(beta)}: off by {show(excess)}")
    return Evidence("holds", note="the law on a fixed ring, and the continuum law")


@control("half_the_rate", crossover=lambda tau: exact_crossover(tau, 1))
@checked_by(
    LARGE_BETA,
    "crossover",
    "ball",
    Scope(
        "tau = 1/20, 1/10, 1/5; q = 1, 2; n' = 40, 80, 160",
        "tau = 1/20 .. 1/2; q = 1, 2, 3; n' = 40 .. 320",
    ),
    definitions=LAWS,
)
def scaled_gaps_converge(of: Laws, run: Run) -> Evidence:
    """n'^2 gap / (q^2 G) - 1 falls at least threefold when n' doubles, and ends below 1/n'."""
    full = run.profile == "full"
    sizes = (40, 80, 160, 320) if full else (40, 80, 160)
    scales = (fmpq(1, 10), fmpq(1, 20), fmpq(1, 5), *((fmpq(1, 2),) if full else ()))
    limit = Fraction(1, sizes[-1])
    bound = Bound(limit, "1 / n'", {"n'": sizes[-1]})
    largest = Fraction(0)
    with precision(bits_for(run.digits) + 200):
        for tau in scales:
            for q in range(1, 4 if full else 3):
                law_there = q * q * of.crossover(arb(tau))
                errors = [
                    abs(n * n * exact_ring_gap(n, q, arb(tau * n * n)) / law_there - 1)
                    for n in sizes
                ]
                last = ends(errors[-1])[1]
                largest = max(largest, last)
                falls = all(3 * b < a for a, b in zip(errors, errors[1:], strict=False))
                if not falls or last > limit:
                    where = describe({"tau": tau, "q": q})
                    witness = f"{where}: errors {', '.join(show(e) for e in errors)}"
                    return Evidence("refuted", upward(largest), bound, witness=witness)
    return Evidence("holds", upward(largest), bound)


@control("half_the_rate", crossover=lambda tau: exact_crossover(tau, 1))
@checked_by(
    LARGE_BETA,
    "ends",
    "ball",
    "tau = 1/12 .. 1/2 both ways; 1/100 .. 1/20; 1/2 .. 2",
    definitions=LAWS,
)
def both_ends(of: Laws, run: Run) -> Evidence:
    """The series against its Poisson dual, and each against its leading term."""
    with precision(bits_for(run.digits) + 200):
        for tau in map(arb, (fmpq(1, 10), fmpq(1, 12), fmpq(1, 5), fmpq(1, 2))):
            if not of.crossover(tau).overlaps(poisson_crossover(tau)):
                return Evidence("refuted", witness=f"tau = {show(tau)}: two values of G")
        for tau in map(arb, (fmpq(1, 20), fmpq(1, 50), fmpq(1, 100))):
            y = (-1 / (2 * tau)).exp()
            ratio = (1 / (2 * tau) - poisson_crossover(tau)) * tau**2 / y
            if not abs(ratio - 1) <= 3 * y:
                return Evidence("refuted", witness=f"tau = {show(tau)}: ratio {show(ratio)}")
        for tau in map(arb, (fmpq(1, 2), fmpq(1), fmpq(2))):
            x = (-2 * arb.pi() ** 2 * tau).exp()
            ratio = of.crossover(tau) / (4 * arb.pi() ** 2 * x)
            if not abs(ratio - 1) <= 3 * x:
                return Evidence("refuted", witness=f"tau = {show(tau)}: ratio {show(ratio)}")
    return Evidence("holds")


@control("one_class_everywhere", classes=lambda n, q: 1)
@control("second_order_everywhere", order=lambda n, q: 2)
@checked_by(
    LARGE_BETA,
    "small_beta",
    "ball",
    Scope("n' = 2..9, 2 q <= n', beta = 10^-1 .. 10^-4", "n' = 2..24, beta = 10^-1 .. 10^-6"),
    definitions=LAWS,
)
def small_beta_in_balls(of: Laws, run: Run) -> Evidence:
    """|lambda / (kappa (beta/2)^q / q!) - 1| <= beta^e."""
    full = run.profile == "full"
    with precision(bits_for(run.digits) + 1200):
        for n in range(2, 25 if full else 10):
            for q in range(1, n // 2 + 1):
                for power in range(1, 7 if full else 5):
                    beta = arb(fmpq(1, 10**power))
                    eigenvalue = 1 - exact_ring_gap(n, q, beta)
                    leading = of.classes(n, q) * (beta / 2) ** q / math.factorial(q)
                    if not abs(eigenvalue / leading - 1) <= beta ** of.order(n, q):
                        where = describe({"n": n, "q": q, "beta": f"10^-{power}"})
                        witness = f"{where}: ratio {show(eigenvalue / leading)}"
                        return Evidence("refuted", witness=witness)
    return Evidence("holds")
