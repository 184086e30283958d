"""The cosine kernel of the anti-periodic ladder, measured: sums, closed forms, transforms.

Main definitions
----------------
kernel             sum of cos(pi (2 i + 1) D / N) by folded integer phases, and its closed form
unfolded_kernel    the closed form with float64 angles: loses a factor N next to D = N
score              a head with complex content c_i
negacyclic         the product of two integer vectors modulo x^N + 1, and its transform

Main claims
-----------
mobius.dipole, mobius.symmetries, mobius.lobes, mobius.delta

Conventions
-----------
As in `ladder`.  Kernels are compared divided by the number of planes m.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from posproof.numerics.balls import certify, certify_over, points
from posproof.numerics.hunt import hunt
from posproof.numerics.measure import high_precision, within, worst
from posproof.numerics.mobius.ladder import U, cosine_sine, odd_multiple
from posproof.theory import mobius as theory
from posproof.theory.mobius.kernel import Kernel
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control

if TYPE_CHECKING:
    import mpmath

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


# ---------------------------------------------------------------------- kernels
def kernel(m: int, N: int, D: Integers, multiple: Callable[[Any], Any] = odd_multiple) -> Floats:
    """K(D) for each offset, shape `(len(D),)`, summed plane by plane from exact phases."""
    cosine, _ = cosine_sine(multiple(np.arange(m))[None, :], np.asarray(D)[:, None], N)
    return cosine.sum(axis=1)


def closed_kernel(m: int, N: int, D: Integers) -> Floats:
    """sin(2 pi m D / N) / (2 sin(pi D / N)) from exact phases; m and -m at its removable points."""
    D = np.asarray(D)
    _, upper = cosine_sine(np.int64(2 * m), D, N)
    _, lower = cosine_sine(np.int64(1), D, N)
    pole = D % N == 0
    sign = np.where(D % (2 * N) == 0, 1.0, -1.0)
    return np.where(pole, m * sign, upper / (2 * np.where(pole, 1.0, lower)))


def unfolded_kernel(m: int, N: int, D: Integers) -> Floats:
    """The same quotient from float64 angles; nan at the removable points it cannot see."""
    D = np.asarray(D, dtype=np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.sin(2 * np.pi * m * D / N) / (2 * np.sin(np.pi * D / N))


def score(c: NDArray[np.complex128], N: int, D: Integers, multiple: Any = odd_multiple) -> Floats:
    """sum of Re(c_i exp(1j theta_i D)) for content `c` of shape `(m,)`, shape `(len(D),)`."""
    k = multiple(np.arange(len(c)))[None, :]
    cosine, sine = cosine_sine(k, np.asarray(D)[:, None], N)
    return (c.real * cosine - c.imag * sine).sum(axis=1)


def _quotient(m: int, x: mpmath.mpf) -> mpmath.mpf:
    import mpmath

    return mpmath.sin(2 * m * x) / (2 * mpmath.sin(x))


def folded_bound() -> Bound:
    """|K_sum - K_closed| / m with exact phases.

    The mean of m cosines, each within 4 u, summed pairwise: NumPy adds at most 16 numbers in a row
    before it pairs, so for m <= 2^16 a sum passes at most 16 + 8 + 9 additions: 33 u of the mean
    modulus 1.  The quotient has two sines of relative error 5 u each (angles below pi / 4 are
    relatively exact) and one division: 11 u of a value of at most 1.  Together 48 u (1 + 48 u).
    """
    return Bound(64 * U, "64 u", {"u": "2^-53"})


def unfolded_bound(N: int, reach: int) -> Bound:
    """|K_sum - K_closed| / m with float64 angles, |D| <= reach, away from the removable points.

    Both angles carry at most three roundings and the rounding of pi, 3.4 u in all.  A relative
    error e of the angle x = pi |D| / N moves numerator and denominator by at most x e / |sin x| of
    a quotient of at most 1, and |sin x| >= 2 / N at an integer offset: pi / 2 * |D| * 2 * 3.4 u,
    below 11 u |D|, plus the 64 u of the folded comparison.
    """
    size = max(N, reach)
    return Bound((11 * size + 64) * U, "11 u max(N, |D|) + 64 u", {"N": N, "D": reach})


# ---------------------------------------------------------------------- negacyclic products
def negacyclic(a: list[int], b: list[int], wrap: int = -1) -> list[int]:
    """The product of two integer vectors of length N modulo x^N - wrap, by definition."""
    product = [0] * len(a)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            sign = wrap if i + j >= len(a) else 1
            product[(i + j) % len(a)] += sign * x * y
    return product


def twisted_transform(a: list[int]) -> NDArray[np.complex128]:
    """The values at the odd powers of exp(i pi / N), shape `(N,)`, by a twisted FFT."""
    n = np.arange(len(a))
    return np.fft.fft(np.asarray(a) * np.exp(-1j * np.pi * n / len(a)))


def negacyclic_by_fft(a: list[int], b: list[int]) -> list[int]:
    """The same product through twisted transforms, rounded to integers."""
    n = np.arange(len(a))
    values = np.fft.ifft(twisted_transform(a) * twisted_transform(b))
    return [int(x) for x in np.rint((values * np.exp(1j * np.pi * n / len(a))).real)]


@dataclass(frozen=True)
class Sums:
    """The numerical definitions of this topic; a control replaces one of them."""

    kernel: Callable[[int, int, Integers], Floats] = kernel
    closed: Callable[[int, int, Integers], Floats] = closed_kernel
    unfolded: Callable[[int, int, Integers], Floats] = unfolded_kernel
    quotient: Callable[[int, Any], Any] = _quotient
    score: Callable[[NDArray[np.complex128], int, Integers], Floats] = score
    multiple: Callable[[Any], Any] = odd_multiple
    return_sign: int = -1
    defect: Callable[[Any, Any], Any] = lambda imaginary, sine: -2 * imaginary * sine
    zero_step: Callable[[int, int], int] = lambda N, m: N // int(np.gcd(N, 2 * m))
    energy: Callable[[int, int], Fraction] = lambda m, N: Fraction(N * m, 2)
    planes: Callable[[int], int] = lambda N: N // 2
    wrap: int = -1


SUMS = Sums()


def doubled(m: int, N: int, D: Integers) -> Floats:
    """The closed form without the 2 in its denominator."""
    return 2 * closed_kernel(m, N, D)


def doubled_unfolded(m: int, N: int, D: Integers) -> Floats:
    return 2 * unfolded_kernel(m, N, D)


def even_kernel(m: int, N: int, D: Integers) -> Floats:
    """The sum over even multiples 2 i of pi / N."""
    return kernel(m, N, D, lambda i: 2 * i)


def one_plane_more(m: int, N: int, D: Integers) -> Floats:
    return kernel(m + 1, N, D)


def even_frequency(i: Any, N: Any) -> Any:
    import sympy

    return 2 * sympy.pi * i / N


def closed_without_two(m: Any, N: Any, D: Any) -> Any:
    """The theory's closed form without the 2 in its denominator."""
    import sympy

    return sympy.sin(2 * sympy.pi * m * D / N) / sympy.sin(sympy.pi * D / N)


def tripled_root(u: Any) -> Any:
    """The condition tan u = 3 u in the place of tan u = u."""
    import sympy

    return 3 * u * sympy.cos(u)


PAIRS = Scope("5 pairs (N, m), 30 offsets each", "9 pairs (N, m), 400 offsets each")


def _pairs(run: Run) -> list[dict[str, Any]]:
    """Windows, planes and offsets (integers, halves and thirds) at which identities are checked."""
    full = run.profile == "full"
    pairs = [(1, 1), (7, 3), (8, 4), (60, 7), (512, 32)]
    if full:
        pairs += [(9, 4), (101, 50), (2048, 32), (131072, 64)]
    steps = 400 if full else 30
    return [
        {"N": N, "m": m, "D": Fraction(4 * N * q, 3 * steps) - N}
        for N, m in pairs
        for q in range(steps)
    ]


# ---------------------------------------------------------------------- mobius.dipole
@control("closed_form_without_the_2", closed_kernel=closed_without_two)
@control("even_multiples_of_pi", frequency=even_frequency)
@checked_by(theory.DIPOLE, "closed_form", "ball", PAIRS)
def closed_form_in_balls(of: Kernel, run: Run) -> Evidence:
    """Sum and quotient as balls; offsets with sin(pi D / N) = 0 lie outside the hypothesis."""
    return certify(theory.DIPOLE.clause("closed_form").statement(of), _pairs(run), run.digits)


@control("even_multiples_of_pi", frequency=even_frequency)
@checked_by(theory.DIPOLE, "chebyshev_form", "ball", PAIRS)
def chebyshev_form_in_balls(of: Kernel, run: Run) -> Evidence:
    """The kernel as half a Chebyshev polynomial of the second kind, at every offset."""
    return certify(theory.DIPOLE.clause("chebyshev_form").statement(of), _pairs(run), run.digits)


@control("even_multiples_of_pi", frequency=even_frequency)
@checked_by(theory.DIPOLE, "removable_points", "ball", Scope("N, m <= 12, |t| <= 1", "N, m <= 40"))
def removable_points_in_balls(of: Kernel, run: Run) -> Evidence:
    """K = m at even multiples of N and -m at odd ones, exactly."""
    last = 41 if run.profile == "full" else 13
    grid = points(N=range(1, last), m=range(1, last, 3), t=(-1, 0, 1))
    return certify(theory.DIPOLE.clause("removable_points").statement(of), grid, run.digits)


@control("closed_form_without_the_2", closed=doubled)
@control("even_multiples_of_pi", kernel=even_kernel)
@control("one_plane_more", kernel=one_plane_more)
@checked_by(
    theory.DIPOLE,
    "closed_form",
    "float",
    Scope("6 windows up to 4096, |D| <= 4 N in 257 steps", "the same in 4097 steps"),
    definitions=SUMS,
)
def folded_closed_form(of: Sums, run: Run) -> Evidence:
    """With exact phases on both sines sum and quotient agree to 64 u, poles included."""
    steps = 4097 if run.profile == "full" else 257
    return _closed_form(of.kernel, of.closed, steps, lambda N: folded_bound(), poles=True)


@control("closed_form_without_the_2", unfolded=doubled_unfolded)
@control("even_multiples_of_pi", kernel=even_kernel)
@checked_by(
    theory.DIPOLE,
    "closed_form",
    "float",
    Scope("6 windows up to 4096, |D| <= 4 N in 257 steps", "the same in 4097 steps"),
    definitions=SUMS,
)
def unfolded_closed_form(of: Sums, run: Run) -> Evidence:
    """With float64 angles the quotient loses a factor of about N next to D = N."""
    steps = 4097 if run.profile == "full" else 257
    return _closed_form(
        of.kernel, of.unfolded, steps, lambda N: unfolded_bound(N, 4 * N), poles=False
    )


def _closed_form(
    summed: Callable[..., Floats],
    closed: Callable[..., Floats],
    steps: int,
    bound_of: Callable[[int], Bound],
    *,
    poles: bool,
) -> Evidence:
    """The case that comes nearest to its bound, over windows, planes and offsets."""
    nearest: tuple[float, Evidence] | None = None
    for N, m in ((1, 1), (8, 4), (100, 37), (512, 32), (1000, 500), (4096, 64)):
        D = np.unique(np.linspace(-4 * N, 4 * N, steps).astype(np.int64))
        D = np.unique(np.concatenate([D, np.arange(-3, 4) + N, np.arange(-3, 4) - 3 * N]))
        if not poles:
            D = D[D % N != 0]
        if not len(D):
            continue
        error = (summed(m, N, D) - closed(m, N, D)) / m
        size, where = worst(error, {"D": D})
        bound = bound_of(N)
        evidence = within(size, bound, witness=f"N = {N}, m = {m}, {where}")
        share = size / float(bound.value)
        if evidence.outcome == "refuted":
            return evidence
        if nearest is None or share > nearest[0]:
            nearest = (share, evidence)
    assert nearest is not None
    return nearest[1]


@control("one_plane_more", kernel=one_plane_more)
@control("closed_form_without_the_2", closed=doubled)
@checked_by(
    theory.DIPOLE,
    "closed_form",
    "property",
    Scope("100 triples, N <= 4096, |D| <= 4 N", "2000 triples, N <= 4096, |D| <= 4 N"),
    definitions=SUMS,
)
def closed_form_at_random(of: Sums, run: Run) -> Evidence:
    """Random windows, planes and offsets, the removable points included."""
    from hypothesis import strategies as st

    bound = float(folded_bound().value)

    def predicate(N: int, m: int, D: int) -> bool:
        m, at = 1 + m % max(1, N // 2), np.array([D % (8 * N + 1) - 4 * N])
        error = (of.kernel(m, N, at) - of.closed(m, N, at)) / m
        return bool(np.abs(error).max() <= bound)

    axes = {"N": st.integers(1, 4096), "m": st.integers(0, 2047), "D": st.integers(0, 2**15)}
    return hunt(predicate, axes, run, first={"N": 512, "m": 31, "D": 2049})


@control("closed_form_without_the_2", quotient=lambda m, x: 2 * _quotient(m, x))
@control("even_multiples_of_pi", multiple=lambda i: 2 * i)
@checked_by(
    theory.DIPOLE,
    "closed_form",
    "high",
    Scope("N = 512, m = 32, D = 1, 17, ..., 497 and 511", "N = 512, m = 32, 1 <= D < 512"),
    definitions=SUMS,
)
def closed_form_in_high_precision(of: Sums, run: Run) -> Evidence:
    """Sum and quotient at `digits` digits."""
    import mpmath

    m, N = 32, 512

    def residual(D: int) -> mpmath.mpf:
        x = mpmath.pi * D / N
        return mpmath.fsum(mpmath.cos(of.multiple(i) * x) for i in range(m)) - of.quotient(m, x)

    offsets = [*range(1, N, 1 if run.profile == "full" else 16), N - 1]
    # m cosines of angles below 64 pi, three roundings each: 32 * 600 units of the last digit; the
    # quotient loses at most N more next to the pole.  Below 10^5 units in all.
    bound = Bound(Fraction(10**5, 10**run.digits), "10^(5 - digits)", {"digits": run.digits})
    return high_precision(residual, [{"D": D} for D in offsets], run.digits, bound)


# ---------------------------------------------------------------------- mobius.symmetries
def _content(axis: str, m: int) -> list[Fraction]:
    """A fixed irregular sequence of small rationals, different for each axis."""
    shift = sum(map(ord, axis))
    return [Fraction((7 * q * q + 3 * q + shift) % 23 - 11, 4) for q in range(m)]


def _heads(run: Run) -> list[dict[str, Any]]:
    sizes = range(1, 9 if run.profile == "full" else 4)
    return [
        {
            "m": m,
            "N": N,
            "D": Fraction(q, 3),
            "a": _content("a", m),
            "b": _content("b", m),
            "w": _content("w", m),
            "kappa": [(5 * p + q) % 11 - 4 for p in range(m)],
        }
        for m in sizes
        for N in (1, 5, 8)
        for q in range(-8, 9, 2)
    ]


HEADS = Scope("81 heads with rational content, m <= 3", "216 heads with rational content, m <= 8")


@control("periodic_ladder", frequency=even_frequency)
@checked_by(theory.SYMMETRIES, "kernel_symmetries", "ball", HEADS)
def kernel_symmetries_in_balls(of: Kernel, run: Run) -> Evidence:
    """Parity, anti-period, reflection, period and the zero at N / 2, for any odd frequencies."""
    statement = theory.SYMMETRIES.clause("kernel_symmetries").statement(of)
    return certify(statement, _heads(run), run.digits)


@control("periodic_ladder", frequency=even_frequency)
@checked_by(theory.SYMMETRIES, "head_antiperiod", "ball", HEADS)
def head_antiperiod_in_balls(of: Kernel, run: Run) -> Evidence:
    """s(D + N) = -s(D) for any content."""
    statement = theory.SYMMETRIES.clause("head_antiperiod").statement(of)
    return certify(statement, _heads(run), run.digits)


@control("reflection_for_every_head", reflection_defect=lambda b, angle: 0 * b)
@control("periodic_ladder", frequency=even_frequency)
@checked_by(theory.SYMMETRIES, "head_reflection", "ball", HEADS)
def head_reflection_in_balls(of: Kernel, run: Run) -> Evidence:
    """s(N - D) + s(D) is the sine part of the head, doubled and negated."""
    statement = theory.SYMMETRIES.clause("head_reflection").statement(of)
    return certify(statement, _heads(run), run.digits)


@control("reflection_for_every_head", defect=lambda imaginary, sine: 0 * sine)
@control("periodic_ladder", return_sign=1)
@checked_by(
    theory.SYMMETRIES,
    "head_reflection",
    "property",
    Scope("100 heads of up to 16 planes", "2000 heads of up to 16 planes"),
    definitions=SUMS,
)
def head_identities_at_random(of: Sums, run: Run) -> Evidence:
    """Both identities of a random head, relative to sum |c_i|, within 64 u.

    Exact phases make the cosines of D, D + N and N - D equal up to sign and sine parts equal bit by
    bit, so only the two sums of at most 16 terms round: 2 * (16 + 2) u plus the defect's 20 u.
    """
    from hypothesis import strategies as st

    bound = float(64 * U)

    def predicate(N: int, D: int, c: list[tuple[float, float]]) -> bool:
        content = np.array([complex(re, im) for re, im in c])
        size = float(np.abs(content).sum()) or 1.0
        here, later, mirrored = of.score(content, N, np.array([D, D + N, N - D]))
        _, sine = cosine_sine(odd_multiple(np.arange(len(c))), np.int64(D), N)
        defect = float(np.sum(of.defect(content.imag, sine)))
        moved = later - of.return_sign * here
        return max(abs(moved), abs(mirrored + here - defect)) <= bound * size

    part = st.floats(-10, 10, allow_nan=False, width=32)
    axes = {
        "N": st.integers(2, 512),
        "D": st.integers(-1000, 1000),
        "c": st.lists(st.tuples(part, part), min_size=1, max_size=16),
    }
    return hunt(predicate, axes, run, first={"N": 8, "D": 2, "c": [(0.0, 1.0)]})


# ---------------------------------------------------------------------- mobius.lobes
@control("zero_spacing_without_the_2", zero_step=lambda N, m: N // int(np.gcd(N, m)))
@control("even_multiples_of_pi", kernel=even_kernel, closed=even_kernel)
@checked_by(
    theory.LOBES,
    "integer_zeros",
    "float",
    Scope("N <= 64, m <= N / 2, all offsets", "N <= 128, m <= N / 2, all offsets"),
    definitions=SUMS,
)
def integer_zeros_are_exact(of: Sums, run: Run) -> Evidence:
    """The closed kernel is exactly 0.0 at the stated integers and nowhere else."""
    last = 128 if run.profile == "full" else 64
    wrong, where = 0, ""
    for N in range(2, last + 1):
        D = np.arange(0, 2 * N)
        for m in range(1, N // 2 + 1):
            stated = (D % of.zero_step(N, m) == 0) & (D % N != 0)
            differs = (of.closed(m, N, D) == 0) != stated
            wrong += int(differs.sum())
            if differs.any() and not where:
                where = f"N = {N}, m = {m}, D = {int(D[differs][0])}"
    bound = Bound(Fraction(0), "0 offsets where the kernel and the statement disagree")
    return within(wrong, bound, witness=where)


@control("envelope_halved", envelope=lambda N, D: _envelope(N, D, 16))
@control("even_multiples_of_pi", frequency=even_frequency)
@checked_by(theory.LOBES, "enveloped", "ball", PAIRS)
def envelope_in_balls(of: Kernel, run: Run) -> Evidence:
    """K^2 below its envelope; equality, where sin(2 pi m D / N) = +-1, to the stated radius."""
    statement = theory.LOBES.clause("enveloped").statement(of)
    return certify(statement, _pairs(run), run.digits, touching=True)


def _envelope(N: Any, D: Any, factor: int) -> Any:
    import sympy

    return 1 / (factor * sympy.sin(sympy.pi * D / N) ** 2)


@control("even_multiples_of_pi", frequency=even_frequency)
@checked_by(theory.LOBES, "above_half", "ball", "N = 512, m = 32")
def above_half_in_balls(of: Kernel, run: Run) -> Evidence:
    """Next to the middle the kernel is below -1/2, at the middle it vanishes."""
    return certify_over(theory.LOBES.clause("above_half").statement(of), run.digits)


@control("closed_form_without_the_2", closed_kernel=closed_without_two)
@checked_by(theory.LOBES, "side_lobes", "ball", "m = 4, 8, 16, 32, 64, all offsets in the lobe")
def side_lobes_in_balls(of: Kernel, run: Run) -> Evidence:
    """The minimum over the whole lobe, to one unit of the tenth decimal, by subdivision."""
    return certify_over(theory.LOBES.clause("side_lobes").statement(of), run.digits)


@control("closed_form_without_the_2", closed_kernel=closed_without_two)
@checked_by(
    theory.LOBES, "sinc_limit", "ball", Scope("m <= 64, 12 points each", "m <= 1024, 100 points")
)
def sinc_limit_in_balls(of: Kernel, run: Run) -> Evidence:
    """The kernel near its sinc limit, at fractions of the range 0 < u <= m."""
    full = run.profile == "full"
    steps = 100 if full else 12
    grid = (
        {"m": m, "u": Fraction(m * q, steps)}
        for m in ((1, 2, 3, 8, 64, 1024) if full else (1, 2, 3, 8, 64))
        for q in range(1, steps + 1)
    )
    return certify(theory.LOBES.clause("sinc_limit").statement(of), grid, run.digits)


@control("place_one_digit_later", lobe_place=44934094580)
@control("minimum_one_digit_higher", lobe_value=-2172336282)
@control("minimum_one_digit_lower", lobe_value=-2172336284)
@control("stationary_where_tan_u_is_3_u", stationary=tripled_root)
@checked_by(theory.LOBES, "sinc_lobe", "ball", "the interval of the printed place, all of it")
def sinc_lobe_in_balls(of: Kernel, run: Run) -> Evidence:
    """A certain change of sign inside the printed place, and the value on the whole of it."""
    return certify_over(theory.LOBES.clause("sinc_lobe").statement(of), run.digits)


@control("place_one_digit_earlier", half_place=6033545643)
@control("place_one_digit_later", half_place=6033545645)
@control("a_third_instead_of_half", half_level=Fraction(1, 3))
@checked_by(theory.LOBES, "half_maximum", "ball", "the interval of the printed place, all of it")
def half_maximum_in_balls(of: Kernel, run: Run) -> Evidence:
    """A certain change of sign of sin(u) / u - 1/2 inside the printed place."""
    return certify_over(theory.LOBES.clause("half_maximum").statement(of), run.digits)


@control("energy_without_the_half", energy=lambda m, N: Fraction(N * m))
@control("even_multiples_of_pi", kernel=even_kernel)
@checked_by(
    theory.LOBES,
    "window_energy",
    "float",
    Scope("N <= 64, m <= N / 2", "N <= 256, m <= N / 2"),
    definitions=SUMS,
)
def window_energy_in_float(of: Sums, run: Run) -> Evidence:
    """The sum of K(D)^2 over one window against N m / 2, relative to N m^2.

    Each K / m is within 64 u of the truth (see `folded_bound`), so each square is within 130 u, and
    a sum of up to 2^16 squares adds 33 u: 163 u of the mean.
    """
    largest, where = 0.0, ""
    for N in range(2, 257 if run.profile == "full" else 65):
        D = np.arange(N)
        for m in range(1, N // 2 + 1, max(1, N // 8)):
            energy = float(np.sum(of.kernel(m, N, D) ** 2))
            error = abs(energy - float(of.energy(m, N))) / (N * m * m)
            if error >= largest:
                largest, where = error, f"N = {N}, m = {m}"
    return within(largest, Bound(163 * U, "163 u N m^2"), witness=where)


@control("energy_without_the_half", energy=lambda m, N: N * m)
@control("even_multiples_of_pi", frequency=even_frequency)
@checked_by(theory.LOBES, "window_energy", "ball", Scope("N <= 16", "N <= 64"))
def window_energy_in_balls(of: Kernel, run: Run) -> Evidence:
    """The energy identity for every window and every m <= N / 2."""
    last = 64 if run.profile == "full" else 16
    grid = ({"N": N, "m": m} for N in range(2, last + 1) for m in range(1, N // 2 + 1))
    return certify(theory.LOBES.clause("window_energy").statement(of), grid, run.digits)


# ---------------------------------------------------------------------- mobius.delta
@control("even_multiples_of_pi", frequency=even_frequency)
@checked_by(theory.DELTA, "full_ladder", "ball", Scope("N = 2..32, all offsets", "N = 2..128"))
def full_ladder_in_balls(of: Kernel, run: Run) -> Evidence:
    """The full ladder vanishes at every offset that is no multiple of N.

    The existence in the clause is over all integers, so it is checked through its three parts: the
    offset chosen here is never a multiple of N.
    """
    from posproof.theory.vocabulary import And, Eq, ForAll

    half = theory.kernel.half
    offset = theory.kernel.offset
    value = of.kernel(half, 2 * half, offset)
    poles = And(
        Eq(of.kernel(half, 2 * half, 0), half), Eq(of.kernel(half, 2 * half, 2 * half), -half)
    )
    statement = ForAll((half, offset), And(poles, Eq(value, 0)))
    last = 64 if run.profile == "full" else 16
    grid = (
        {"h": h, "E": E} for h in range(1, last + 1) for E in range(1, 4 * h) if E % (2 * h) != 0
    )
    return certify(statement, grid, run.digits)


@control("periodic_extension", return_sign=1)
@control("even_multiples_of_pi", multiple=lambda i: 2 * i)
@checked_by(
    theory.DELTA,
    "odd_bins",
    "float",
    Scope("N = 2..4096 in powers of 2 and 100, 1000", "N = 2..4096 in steps of 17"),
    definitions=SUMS,
)
def even_bins_are_empty(of: Sums, run: Run) -> Evidence:
    """The DFT of the kernel over 2 N offsets: even bins empty, odd bins of the ladder equal N.

    Each of the 2 N inputs is within 64 u m, so a bin is within 128 u m N; the transform itself adds
    at most 8 log2(2 N) u times the 2-norm bound 2 N m.  Divided by N m: (128 + 16 log2(2 N)) u,
    below 352 u for N <= 4096.
    """
    full = run.profile == "full"
    windows = range(2, 4097, 17) if full else (*(2**q for q in range(1, 13)), 100, 1000)
    largest, where = 0.0, ""
    for N in windows:
        m = max(1, min(32, N // 2))
        D = np.arange(N)
        first = kernel(m, N, D, of.multiple)
        bins = np.fft.fft(np.concatenate([first, of.return_sign * first]))
        expected = np.zeros(2 * N)
        ladder = 2 * np.arange(m) + 1
        np.add.at(expected, ladder % (2 * N), N)
        np.add.at(expected, -ladder % (2 * N), N)
        error = float(np.abs(bins - expected).max()) / (N * m)
        if error >= largest:
            largest, where = error, f"N = {N}, m = {m}"
    return within(largest, Bound(352 * U, "(128 + 16 log2(2N)) u at N = 4096"), witness=where)


@control("cyclic_convolution", wrap=1)
@checked_by(
    theory.DELTA,
    "negacyclic_product",
    "property",
    Scope("100 pairs of vectors, N <= 64", "2000 pairs of vectors, N <= 64"),
    definitions=SUMS,
)
def negacyclic_product_at_random(of: Sums, run: Run) -> Evidence:
    """The product modulo x^N + 1 by definition against the twisted transform, in integers.

    Entries are at most 99, so products stay below 64 * 99^2 < 2^20 and the transform's error, below
    2^20 * 64 * 100 u, cannot change a rounding.
    """
    from hypothesis import strategies as st

    def predicate(pairs: list[tuple[int, int]]) -> bool:
        a, b = [x for x, _ in pairs], [y for _, y in pairs]
        return negacyclic(a, b, of.wrap) == negacyclic_by_fft(a, b)

    entry = st.integers(-99, 99)
    axes = {"pairs": st.lists(st.tuples(entry, entry), min_size=1, max_size=64)}
    return hunt(predicate, axes, run)


@control("one_plane_short", planes=lambda N: N // 2 - 1)
@checked_by(
    theory.DELTA,
    "full_ladder",
    "high",
    Scope("N = 32, 1 <= D < 32", "even N <= 64, 1 <= D < N"),
    definitions=SUMS,
)
def full_ladder_in_high_precision(of: Sums, run: Run) -> Evidence:
    """The full ladder at `digits` digits; one plane short it is -cos(pi (N - 1) D / N)."""
    import mpmath

    windows = range(2, 65, 2) if run.profile == "full" else (32,)

    def residual(N: int, D: int) -> mpmath.mpf:
        x = mpmath.pi * D / N
        return mpmath.fsum(mpmath.cos(of.multiple(i) * x) for i in range(of.planes(N)))

    grid = ({"N": N, "D": D} for N in windows for D in range(1, N))
    # at most 32 cosines of angles below 64 pi with three roundings each: 32 * 600 last digits
    bound = Bound(Fraction(10**5, 10**run.digits), "10^(5 - digits)", {"digits": run.digits})
    return high_precision(residual, grid, run.digits, bound)
