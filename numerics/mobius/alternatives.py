"""Ladders that do not return to -I, measured: periodic, algebraic, aperiodic, decimal.

Main definitions
----------------
periodic_kernel     the matched control of holonomy +1, summed and in closed form
operator_distance   max over planes of 2 |cos(theta_i D / 2)|, the distance of R(D) to -I
rms_distance        the root mean square of |exp(i theta_i D) + 1| over the planes
table_ladder        the frequencies of one ladder of the comparison, in float64
even_ratio_floor    2 sin(pi / (2 (n + 1))): what two planes of even ratio n keep from -I

Main claims
-----------
mobius.periodic_control, mobius.algebraic_ladders, mobius.aperiodic_distance, mobius.decimal_bases

Conventions
-----------
As in `ladder`.  Offsets D are positions, real where an array of floats is asked for.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from posproof.numerics.balls import certify, certify_over, points
from posproof.numerics.hunt import hunt, rationals
from posproof.numerics.measure import high_precision, within
from posproof.numerics.mobius.ladder import U, cosine_sine
from posproof.theory import mobius as theory
from posproof.theory.mobius.alternatives import Alternatives, mobius_frequency
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control

if TYPE_CHECKING:
    import mpmath
    from flint import arb

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

WINDOW, PLANES, BASE = 512, 32, 10_000


# ---------------------------------------------------------------------- periodic ladders
def periodic_kernel(m: int, N: int, D: Integers, shift: int) -> Floats:
    """The sum of cos(2 pi (i + shift) D / N) from exact phases, shape `(len(D),)`."""
    k = 2 * (np.arange(m) + shift)
    cosine, _ = cosine_sine(k[None, :], np.asarray(D)[:, None], N)
    return cosine.sum(axis=1)


def closed_periodic(m: int, N: int, D: Integers, shift: int) -> Floats:
    """cos(pi (m - 1 + 2 shift) D / N) sin(pi m D / N) / sin(pi D / N), m at multiples of N."""
    D = np.asarray(D)
    middle, _ = cosine_sine(np.int64(m - 1 + 2 * shift), D, N)
    _, upper = cosine_sine(np.int64(m), D, N)
    _, lower = cosine_sine(np.int64(1), D, N)
    pole = D % N == 0
    return np.where(pole, float(m), middle * upper / np.where(pole, 1.0, lower))


# ---------------------------------------------------------------------- distances
def mobius_ladder(m: int = PLANES, N: int = WINDOW) -> Floats:
    return np.pi * (2 * np.arange(m) + 1) / N


def periodic_ladder(m: int = PLANES, N: int = WINDOW) -> Floats:
    """The control without the zero frequency."""
    return 2 * np.pi * (np.arange(m) + 1) / N


def standard_ladder(m: int = PLANES, b: float = BASE) -> Floats:
    """b^(-i / m), the usual ladder of d = 2 m dimensions."""
    return b ** (-np.arange(m) / m)


def geometric_ladder(m: int = PLANES, N: int = WINDOW) -> Floats:
    """From pi / N to (2 m - 1) pi / N in equal ratios."""
    return np.pi / N * float(2 * m - 1) ** (np.arange(m) / (m - 1))


def jittered_ladder(m: int = PLANES, N: int = WINDOW) -> Floats:
    """The anti-periodic ladder moved by frac((i + 1) golden) - 1/2 of a half step."""
    turns = (np.arange(m) + 1) * (1 + np.sqrt(5.0)) / 2
    return np.pi * (2 * np.arange(m) + 1 + turns % 1 - 0.5) / N


LADDERS: dict[str, Callable[[], Floats]] = {
    "standard": standard_ladder,
    "geometric": geometric_ladder,
    "jittered": jittered_ladder,
    "mobius": mobius_ladder,
    "periodic": periodic_ladder,
}


def table_ladder(name: str) -> Floats:
    """One ladder of the comparison (N = 512, m = 32), shape `(32,)`; KeyError if unknown."""
    return LADDERS[name]()


def operator_distance(theta: Floats, D: Floats | Integers) -> Floats:
    """||R(D) + I||, shape `(len(D),)`."""
    return 2 * np.abs(np.cos(np.outer(D, theta) / 2)).max(axis=1)


def rms_distance(theta: Floats, D: Floats | Integers) -> Floats:
    """The root mean square over the planes of |exp(i theta D) + 1|, shape `(len(D),)`."""
    turned = np.exp(1j * np.outer(D, theta))
    return np.sqrt((np.abs(turned + 1) ** 2).mean(axis=1))


def mean_cosine(theta: Floats, D: Floats | Integers) -> Floats:
    """K(D) / m, shape `(len(D),)`."""
    return np.cos(np.outer(D, theta)).mean(axis=1)


def even_ratio_floor(n: int) -> float:
    """2 sin(pi / (2 (n + 1)))."""
    return 2 * math.sin(math.pi / (2 * (n + 1)))


@dataclass(frozen=True)
class Distances:
    """The numerical definitions of this topic; a control replaces one of them."""

    periodic: Callable[[int, int, Integers, int], Floats] = periodic_kernel
    closed_periodic: Callable[[int, int, Integers, int], Floats] = closed_periodic
    return_sign: int = 1
    rms: Callable[[Floats, Floats], Floats] = rms_distance
    floor: Callable[[int], float] = even_ratio_floor
    ratio: Callable[[int], int] = lambda half: 2 * half
    frequency: Callable[[Fraction, int, int], Any] = lambda b, i, d: _power_frequency(b, i, d)
    shift: Callable[[int], int] = lambda shift: shift


DISTANCES = Distances()


def _power_frequency(b: Fraction, i: int, d: int) -> arb:
    """b^(-2 i / d) as a ball at the working precision."""
    from flint import arb, fmpq

    return arb(fmpq(b.numerator, b.denominator)) ** arb(fmpq(-2 * i, d))


# ---------------------------------------------------------------------- mobius.periodic_control
def odd_frequency(i: Any, N: Any, shift: int) -> Any:
    """The anti-periodic ladder in the place of the periodic one."""
    import sympy

    return sympy.pi * (2 * i + 1) / N


def _periodic_grid(run: Run) -> list[dict[str, Any]]:
    full = run.profile == "full"
    pairs = [(1, 1), (7, 3), (8, 4), (512, 32)] + ([(60, 31), (2048, 32)] if full else [])
    steps = 60 if full else 12
    return [
        {"N": N, "m": m, "D": Fraction(N * q, 3)} for N, m in pairs for q in range(-steps, steps)
    ]


GRID = Scope("4 pairs (N, m), 24 offsets each", "6 pairs (N, m), 120 offsets each")


@control("other_middle_frequency", closed_periodic=lambda m, N, D, shift: _closed(m + 1, m, N, D))
@control("anti_periodic_ladder", periodic_frequency=odd_frequency)
@checked_by(theory.PERIODIC_CONTROL, "periodic_closed_form", "ball", GRID)
def periodic_closed_form_in_balls(of: Alternatives, run: Run) -> Evidence:
    """Sum and quotient, with and without the zero frequency."""
    statement = theory.PERIODIC_CONTROL.clause("periodic_closed_form").statement(of)
    grid = [point | {"D": point["D"] + Fraction(1, 7)} for point in _periodic_grid(run)]
    return certify(statement, grid, run.digits)


def _closed(middle: Any, m: Any, N: Any, D: Any) -> Any:
    import sympy

    x = sympy.pi * D / N
    return sympy.cos(middle * x) * sympy.sin(m * x) / sympy.sin(x)


@control("anti_periodic_ladder", periodic_frequency=odd_frequency)
@checked_by(theory.PERIODIC_CONTROL, "periodic_symmetries", "ball", GRID)
def periodic_symmetries_in_balls(of: Alternatives, run: Run) -> Evidence:
    """K(N) = K(0) = m and the mirror symmetry, all with plus signs."""
    statement = theory.PERIODIC_CONTROL.clause("periodic_symmetries").statement(of)
    return certify(statement, _periodic_grid(run), run.digits)


@control("antiperiodic_identity", return_sign=-1)
@checked_by(
    theory.PERIODIC_CONTROL,
    "periodic_symmetries",
    "property",
    Scope("100 windows up to 4096", "2000 windows up to 4096"),
    definitions=DISTANCES,
)
def periodic_mirror_at_random(of: Distances, run: Run) -> Evidence:
    """K(N - D) = K(D): exact phases give the same cosines, so only the sums can round."""
    from hypothesis import strategies as st

    bound = float(64 * U)

    def predicate(N: int, m: int, D: int, shift: int) -> bool:
        m = 1 + m % max(1, N // 2)
        here, mirrored = of.periodic(m, N, np.array([D, N - D]), shift)
        return abs(mirrored - of.return_sign * here) <= bound * m

    axes = {
        "N": st.integers(1, 4096),
        "m": st.integers(0, 2047),
        "D": st.integers(-9999, 9999),
        "shift": st.sampled_from((0, 1)),
    }
    return hunt(predicate, axes, run, first={"N": 512, "m": 31, "D": 0, "shift": 0})


@control("zero_frequency_miscounted", shift=lambda shift: 1 - shift)
@checked_by(
    theory.PERIODIC_CONTROL,
    "periodic_closed_form",
    "high",
    Scope("N = 512, m = 32, every 16th offset", "N = 512, m = 32, 1 <= D < 512"),
    definitions=DISTANCES,
)
def periodic_closed_form_in_high_precision(of: Distances, run: Run) -> Evidence:
    """Sum and quotient at `digits` digits for both controls."""
    import mpmath

    m, N = 32, 512

    def residual(D: int, shift: int) -> mpmath.mpf:
        x = mpmath.pi * D / N
        planes = range(of.shift(shift), m + of.shift(shift))
        middle = mpmath.cos((m - 1 + 2 * shift) * x)
        closed = middle * mpmath.sin(m * x) / mpmath.sin(x)
        return mpmath.fsum(mpmath.cos(2 * i * x) for i in planes) - closed

    step = 1 if run.profile == "full" else 16
    # as for the anti-periodic kernel: below 10^5 units of the last digit
    bound = Bound(Fraction(10**5, 10**run.digits), "10^(5 - digits)", {"digits": run.digits})
    return high_precision(residual, points(D=range(1, N, step), shift=(0, 1)), run.digits, bound)


# ---------------------------------------------------------------------- mobius.algebraic_ladders
@control("frequency_pi_over_8", frequency=lambda b, i, d: _eighth_turn())
@checked_by(
    theory.ALGEBRAIC_LADDERS,
    "never_returns",
    "property",
    Scope("100 planes, b <= 10^6, D <= 10^5", "2000 planes, b <= 10^6, D <= 10^5"),
    definitions=DISTANCES,
    engine="python-flint",
)
def algebraic_planes_keep_off(of: Distances, run: Run) -> Evidence:
    """The ball of cos(theta_i D) excludes -1 and 1, at a precision raised until it does."""
    from hypothesis import strategies as st

    def predicate(b: Fraction, i: int, half: int, D: int) -> bool:
        from posproof.numerics.balls import precision

        for bits in (64, 128, 256, 512, 1024):
            with precision(bits):
                cosine = (of.frequency(b, i % half, 2 * half) * D).cos()
                if not cosine.contains(-1) and not cosine.contains(1):
                    return True
        return False

    axes = {
        "b": rationals(Fraction(11, 10), 10**6, 1000),
        "i": st.integers(0, 127),
        "half": st.integers(1, 128),
        "D": st.integers(1, 10**5),
    }
    return hunt(predicate, axes, run, first={"b": Fraction(2), "i": 0, "half": 1, "D": 8})


def _eighth_turn() -> arb:
    from flint import arb

    return arb.pi() / 8


# ---------------------------------------------------------------------- mobius.aperiodic_distance
@control("rotations_by_half_the_angle", rotation=lambda phi: _rotation(phi / 2))
@checked_by(theory.APERIODIC_DISTANCE, "plane_distance", "ball", "33 angles")
def plane_distance_in_balls(of: Alternatives, run: Run) -> Evidence:
    """(R + I)^T (R + I) is a multiple of I, so the operator norm is 2 |cos(phi / 2)|."""
    statement = theory.APERIODIC_DISTANCE.clause("plane_distance").statement(of)
    return certify(statement, points(phi=[Fraction(q, 4) for q in range(-16, 17)]), run.digits)


def _rotation(phi: Any) -> Any:
    return theory.APERIODIC_DISTANCE.definitions.rotation(phi)


@control("anti_periodic_ladder_in_place_of_standard", standard_frequency=mobius_frequency)
@control("anti_periodic_ladder_in_place_of_geometric", geometric_frequency=mobius_frequency)
@checked_by(theory.APERIODIC_DISTANCE, "integer_distance", "ball", "D = 1..1024, N = 512, m = 32")
def integer_distance_in_balls(of: Alternatives, run: Run) -> Evidence:
    """Every offset of two windows, as balls."""
    statement = theory.APERIODIC_DISTANCE.clause("integer_distance").statement(of)
    return certify_over(statement, run.digits)


@control("anti_periodic_ladder_in_place_of_standard", standard_frequency=mobius_frequency)
@control("anti_periodic_ladder_in_place_of_jittered", jittered_frequency=mobius_frequency)
@checked_by(
    theory.APERIODIC_DISTANCE, "real_distance", "ball", "all real D in [1/2, 1024], N = 512, m = 32"
)
def real_distance_in_balls(of: Alternatives, run: Run) -> Evidence:
    """Every real offset, by covering the interval with balls."""
    statement = theory.APERIODIC_DISTANCE.clause("real_distance").statement(of)
    return certify_over(statement, run.digits)


@control("anti_periodic_ladder_in_place_of_jittered", jittered_frequency=mobius_frequency)
@checked_by(theory.APERIODIC_DISTANCE, "aperiodic_pole", "ball", "N = 512, m = 32")
def aperiodic_pole_in_balls(of: Alternatives, run: Run) -> Evidence:
    """An aperiodic ladder in the band with a partial pole at N."""
    statement = theory.APERIODIC_DISTANCE.clause("aperiodic_pole").statement(of)
    return certify_over(statement, run.digits)


@control("mean_instead_of_root_mean_square", rms=lambda theta, D: _mean_distance(theta, D))
@checked_by(
    theory.APERIODIC_DISTANCE,
    "rms_distance",
    "property",
    Scope("100 ladders in the band", "2000 ladders in the band"),
    definitions=DISTANCES,
)
def rms_distance_at_random(of: Distances, run: Run) -> Evidence:
    """rho^2 = 2 + 2 K / m and rho <= the operator distance.

    Both sides are computed from the same float64 angles, so only the cosines' and sines' ulps, the
    squares (below 4) and means of at most 32 terms round: 4 * (2 + 3) u + 2 * (2 + 32) u < 96 u.
    """
    from hypothesis import strategies as st

    bound = float(96 * U)

    def predicate(theta: list[float], D: int) -> bool:
        ladder, at = np.array(theta), np.array([D])
        rho = of.rms(ladder, at)[0]
        identity = abs(rho**2 - (2 + 2 * mean_cosine(ladder, at)[0])) <= bound
        return identity and rho <= operator_distance(ladder, at)[0] + bound

    top = math.pi * (2 * PLANES - 1) / WINDOW
    axes = {
        "theta": st.lists(st.floats(math.pi / WINDOW, top), min_size=1, max_size=PLANES),
        "D": st.integers(0, 4096),
    }
    return hunt(predicate, axes, run)


def _mean_distance(theta: Floats, D: Floats) -> Floats:
    return np.abs(np.exp(1j * np.outer(D, theta)) + 1).mean(axis=1)


# ---------------------------------------------------------------------- mobius.decimal_bases
@control("odd_ratio", ratio_offset=1)
@control("bound_for_half_the_ratio", decade_bound=lambda n: _half_ratio(n))
@checked_by(
    theory.DECIMAL_BASES,
    "even_ratio_bound",
    "ball",
    Scope("n = 2..20, angles at 48 fractions of a turn", "n = 2..100, 200 fractions"),
)
def even_ratio_bound_in_balls(of: Alternatives, run: Run) -> Evidence:
    """The bound at rational fractions of a turn, the extremal angles among them, exactly placed."""
    import sympy

    full = run.profile == "full"
    steps = 200 if full else 48
    statement = theory.DECIMAL_BASES.clause("even_ratio_bound").statement(of)

    def angles(half: int) -> list[Fraction]:
        n = 2 * half
        extremal = [Fraction(n + 2, n + 1), Fraction(n, n + 1), Fraction(1)]
        return [Fraction(q, steps) + Fraction(1, 999) for q in range(2 * steps)] + extremal

    grid = (
        {"h": half, "phi": sympy.pi * sympy.Rational(turn.numerator, turn.denominator)}
        for half in range(1, 51 if full else 11)
        for turn in angles(half)
    )
    return certify(statement, grid, run.digits, touching=True)


def _half_ratio(n: Any) -> Any:
    import sympy

    return sympy.sin(sympy.pi / (n + 1))


@control("bound_for_half_the_ratio", decade_bound=lambda n: _half_ratio(n))
@checked_by(theory.DECIMAL_BASES, "chain_attains", "ball", "six planes of ratio 10")
def chain_attains_in_balls(of: Alternatives, run: Run) -> Evidence:
    """All planes of a decade chain at the same distance 2 sin(pi / 22)."""
    statement = theory.DECIMAL_BASES.clause("chain_attains").statement(of)
    return certify(statement, points(q=range(6)), run.digits)


@control("odd_ratio", ratio=lambda half: 2 * half + 1)
@control("bound_for_half_the_ratio", floor=lambda n: 2 * math.sin(math.pi / (n + 1)))
@checked_by(
    theory.DECIMAL_BASES,
    "bounded_away",
    "property",
    Scope("100 pairs of planes, n <= 50", "2000 pairs of planes, n <= 50"),
    definitions=DISTANCES,
)
def even_ratio_at_random(of: Distances, run: Run) -> Evidence:
    """Two planes of ratio n at random angles and at the adversarial ones near the extremum.

    The angle x and n x are float64 values of which the second is off by at most (n + 1) u x; the
    distance is 1-Lipschitz, so 2 (n + 1) u x plus the two cosines' ulps cover the rounding.
    """
    from hypothesis import strategies as st

    def predicate(half: int, turn: Fraction, offset: float) -> bool:
        n = of.ratio(half)
        x = math.pi * float(turn) + offset
        far = max(2 * abs(math.cos(x / 2)), 2 * abs(math.cos(n * x / 2)))
        slack = float(2 * (n + 1) * U * Fraction(abs(x)) + 8 * U)
        return far >= of.floor(n) - slack

    axes = {
        "half": st.integers(1, 25),
        "turn": rationals(-9, 9, 60),
        "offset": st.floats(-0.1, 0.1),
    }
    return hunt(predicate, axes, run, first={"half": 1, "turn": Fraction(1), "offset": 0.0})


@control("odd_ratio_3", ratio=lambda half: 3)
@checked_by(
    theory.DECIMAL_BASES,
    "bounded_away",
    "float",
    Scope("planes (1, 1/10), D <= 2 * 10^6", "planes (1, 1/10), D <= 2 * 10^7"),
    definitions=DISTANCES,
)
def decade_by_brute_force(of: Distances, run: Run) -> Evidence:
    """How far the two planes 1 and 1/10 come below 2 sin(pi / 22) over many offsets: not at all.

    The float64 angle D / n is off by at most u D / n, less than u D, and cosines by an ulp.
    """
    last = 20_000_000 if run.profile == "full" else 2_000_000
    n = of.ratio(5)
    block = 500_000
    low, at = math.inf, 0
    for start in range(1, last + 1, block):
        D = np.arange(start, min(start + block, last + 1), dtype=np.float64)
        far = 2 * np.maximum(np.abs(np.cos(D / 2)), np.abs(np.cos(D / (2 * n))))
        j = int(np.argmin(far))
        if far[j] < low:
            low, at = float(far[j]), int(D[j])
    bound = Bound(Fraction(last + 4) * U, "(D + 4) u", {"D": last})
    shortfall = max(0.0, of.floor(10) - low)
    return within(
        shortfall, bound, witness=f"D = {at}: distance {low!r}", note=f"D = {at}: {low!r}"
    )
