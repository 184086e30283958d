"""The anti-periodic ladder in floating point and in integers: phases, holonomy, signed cycles.

Main definitions
----------------
frequencies         pi (2 i + 1) / N in float64
fold_phase          the phase (2 i + 1) D mod 2 N in integers, folded into [0, N / 2] with signs
cosine_sine         cosines and sines of the folded phase: within 4 u, whatever N and D
naive_cosine_sine   cosines and sines of the float64 product: within ((1 + u)^4 - 1) pi (2 m - 1)
ladder_order        the least E > 0 with R(E) = I
signed_cycle        the Laplacian of a cycle with signed edges

Main claims
-----------
mobius.holonomy, mobius.bundle, mobius.other_invariants

Conventions
-----------
As in `posproof.theory.mobius.ladder`; angles in radians, offsets in positions, u = 2^-53.  Integer
arguments are int64 arrays: (2 i + 1) D is reduced before it is multiplied, so N up to 2^30 is safe.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from posproof.numerics.balls import certify, certify_over, points
from posproof.numerics.formats import FORMATS
from posproof.numerics.hunt import hunt, rationals
from posproof.numerics.measure import high_precision, within, worst
from posproof.theory import mobius as theory
from posproof.theory.mobius.ladder import Ladder
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control

if TYPE_CHECKING:
    import mpmath

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Whole = Integers | np.int64

U = FORMATS["float64"].unit_roundoff
#: A rational above pi, for bounds in exact arithmetic.
PI_ABOVE = Fraction(355, 113)


# ---------------------------------------------------------------------- phases
def odd_multiple(i: Any) -> Any:
    """2 i + 1: the multiple of pi that plane i turns over one context."""
    return 2 * i + 1


def frequencies(m: int, N: int, multiple: Callable[[Any], Any] = odd_multiple) -> Floats:
    """The first m frequencies in radians per position, shape `(m,)`."""
    return np.pi * multiple(np.arange(m)).astype(np.float64) / N


def fold_phase(k: Whole, D: Whole, N: int) -> tuple[Integers, Floats, Floats]:
    """The angle pi k D / N reduced in integers.

    Returns r in [0, N / 2] and two signs such that cos = sign_c cos(pi r / N) and
    sin = sign_s sin(pi r / N).  Shapes broadcast.
    """
    r = ((k % (2 * N)) * (D % (2 * N))) % (2 * N)
    below = r > N  # reflect at pi: cosine keeps, sine flips
    r = np.where(below, 2 * N - r, r)
    sine_sign = np.where(below, -1.0, 1.0)
    beyond = 2 * r > N  # reflect at pi / 2: cosine flips, sine keeps
    r = np.where(beyond, N - r, r)
    return r, np.where(beyond, -1.0, 1.0), sine_sign


def cosine_sine(k: Whole, D: Whole, N: int) -> tuple[Floats, Floats]:
    """Cosine and sine of pi k D / N through the folded integer phase.

    Each is within 4 u of the truth for every N and D, and exactly 0 or +-1 at multiples of pi / 2.
    Derivation: the octant is chosen so that the float angle x is at most pi / 4; it carries three
    roundings, which move the result by at most 3 u (1 + 2 u) x max(sin x, cos x) <= 1.7 u, and the
    library adds at most one ulp of a number below 1, that is u.
    """
    r, cosine_sign, sine_sign = fold_phase(k, D, N)
    low = 4 * r <= N
    # beyond pi / 4 use the complement pi / 2 - pi r / N = pi (N - 2 r) / (2 N)
    x = np.where(low, np.pi * r / N, np.pi * (N - 2 * r) / (2 * N))
    near, far = np.cos(x), np.sin(x)
    return cosine_sign * np.where(low, near, far), sine_sign * np.where(low, far, near)


def naive_cosine_sine(
    m: int, N: int, D: Integers, multiple: Callable[[Any], Any] = odd_multiple
) -> tuple[Floats, Floats]:
    """Cosine and sine of the float64 product theta_i D, shapes `(len(D), m)`."""
    angle = D[:, None].astype(np.float64) * frequencies(m, N, multiple)[None, :]
    return np.cos(angle), np.sin(angle)


def holonomy_bound(m: int) -> Bound:
    """|sin(fl(theta_i N))| for i < m: four roundings of an angle of at most pi (2 m - 1).

    pi, its product with 2 i + 1, the division by N and the product with N round once each.  The
    sine of an angle that is off by e from a multiple of pi is at most e, and the library's ulp
    multiplies that by at most 1 + 2 u.
    """
    value = ((1 + U) ** 4 - 1) * PI_ABOVE * (2 * m - 1) * (1 + 2 * U)
    return Bound(value, "((1+u)^4 - 1) pi (2m - 1) (1 + 2u)", {"m": m, "u": "2^-53"})


# ---------------------------------------------------------------------- integers
def is_minus_identity(k: int, N: int) -> bool:
    """Whether a plane of frequency pi k / N is at -I after N positions, decided in integers."""
    return (k * N) % (2 * N) == N


def ladder_order(multiples: list[int], N: int) -> int:
    """The least E > 0 with R(E) = I for planes of frequency pi k / N, k in `multiples`."""
    return reduce(math.lcm, (2 * N // math.gcd(k, 2 * N) for k in multiples), 1)


def order_by_search(multiples: list[int], N: int) -> int:
    """The same by trying E = 1, 2, ... (at most 2 N)."""
    return next(E for E in range(1, 2 * N + 1) if all(k * E % (2 * N) == 0 for k in multiples))


def signed_cycle(signs: NDArray[np.floating] | list[int]) -> Floats:
    """The Laplacian of a cycle whose edge from a to a + 1 has sign `signs[a]`, shape `(N, N)`."""
    signs = np.asarray(signs, dtype=np.float64)
    size = len(signs)
    laplacian = 2 * np.eye(size)
    rows = np.arange(size)
    np.add.at(laplacian, (rows, (rows + 1) % size), -signs)
    np.add.at(laplacian, ((rows + 1) % size, rows), -signs)
    return laplacian


@dataclass(frozen=True)
class Phases:
    """The numerical definitions of this topic; a control replaces one of them."""

    multiple: Callable[[Any], Any] = odd_multiple
    window: Callable[[int], int] = lambda N: N
    is_minus_identity: Callable[[int, int], bool] = is_minus_identity
    order: Callable[[list[int], int], int] = ladder_order
    cycle: Callable[[Any], Floats] = signed_cycle
    eigenvalue: Callable[[Any, int], Any] = lambda i, N: 2 - 2 * np.cos(np.pi * (2 * i + 1) / N)
    determinant: Callable[[int], int] = lambda product: 2 - 2 * product
    rescaled_is_odd: Callable[[int, Fraction], bool] = lambda k, factor: (
        (k * factor).denominator == 1 and (k * factor).numerator % 2 == 1
    )


PHASES = Phases()

SIZES = Scope("N = 2..64, i = 0..7", "N = 2..256, i = 0..31")


# ---------------------------------------------------------------------- mobius.holonomy
def even_frequency(i: Any, N: Any) -> Any:
    """The periodic ladder: an even multiple of pi."""
    import sympy

    return 2 * sympy.pi * i / N


def shortened_frequency(i: Any, N: Any) -> Any:
    """The ladder of a window that is one position too short."""
    import sympy

    return sympy.pi * (2 * i + 1) / (N - 1)


@control("even_multiple_of_pi", frequency=even_frequency)
@control("window_off_by_one", frequency=shortened_frequency)
@checked_by(theory.HOLONOMY, "antiperiodic", "ball", SIZES)
def holonomy_in_balls(of: Ladder, run: Run) -> Evidence:
    """R(theta_i N) = -I, entry by entry."""
    full = run.profile == "full"
    grid = points(N=range(2, 257 if full else 65), i=range(32 if full else 8))
    return certify(theory.HOLONOMY.clause("antiperiodic").statement(of), grid, run.digits)


@control("even_multiple_of_pi", multiple=lambda i: 2 * i)
@control("window_off_by_one", window=lambda N: N - 1)
@checked_by(
    theory.HOLONOMY,
    "antiperiodic",
    "float",
    Scope("m = 32, N = 2..4096, exact integer phases", "m = 64, N = 2..65536"),
    definitions=PHASES,
)
def holonomy_by_integer_phase(of: Phases, run: Run) -> Evidence:
    """With exact phase reduction cosine and sine at D = N are exactly -1 and 0."""
    m, last = (64, 65536) if run.profile == "full" else (32, 4096)
    k = of.multiple(np.arange(m))
    N = np.arange(2, last + 1)
    residual = np.empty(len(N))
    for row, size in enumerate(N.tolist()):
        cosine, sine = cosine_sine(k, np.int64(size), of.window(size))
        residual[row] = max(np.abs(cosine + 1).max(), np.abs(sine).max())
    largest, where = worst(residual, {"N": N})
    return within(largest, Bound(Fraction(0), "0: the reduced phase is exactly N"), witness=where)


@control("even_multiple_of_pi", multiple=lambda i: 2 * i)
@control("window_off_by_one", window=lambda N: N - 1)
@checked_by(
    theory.HOLONOMY,
    "antiperiodic",
    "float",
    Scope("m = 32, N = 2..4096, float64 product", "m = 64, N = 2..65536"),
    definitions=PHASES,
)
def holonomy_by_float_product(of: Phases, run: Run) -> Evidence:
    """The naive product: the cosine looks perfect, the sine shows the rounding of the angle."""
    m, last = (64, 65536) if run.profile == "full" else (32, 4096)
    N = np.arange(2, last + 1)
    theta = np.pi * of.multiple(np.arange(m)).astype(np.float64)
    theta = theta[None, :] / np.array([of.window(int(size)) for size in N])[:, None]
    angle = theta * N[:, None]
    bound = holonomy_bound(m)
    # cos + 1 is of second order in the angle's error, so the same bound covers it
    residual = np.maximum(np.abs(np.sin(angle)), np.abs(np.cos(angle) + 1)).max(axis=1)
    size, where = worst(residual, {"N": N})
    return within(size, bound, witness=where)


@control("even_multiple_of_pi", multiple=lambda i: 2 * i)
@control("window_off_by_one", window=lambda N: N - 1)
@checked_by(
    theory.HOLONOMY,
    "antiperiodic",
    "high",
    Scope("N = 2..64, i = 0..7", "N = 2..512, i = 0..31"),
    definitions=PHASES,
)
def holonomy_in_high_precision(of: Phases, run: Run) -> Evidence:
    """The residual of the naive product at `digits` digits, below 10^-(digits - 3)."""
    import mpmath

    full = run.profile == "full"

    def residual(N: int, i: int) -> mpmath.mpf:
        angle = mpmath.pi * of.multiple(i) / of.window(N) * N
        return max(abs(mpmath.cos(angle) + 1), abs(mpmath.sin(angle)))

    grid = points(N=range(2, 513 if full else 65), i=range(32 if full else 8))
    # four roundings of an angle below 64 pi move it by less than 10^3 units of the last digit
    bound = Bound(Fraction(1000, 10**run.digits), "10^(3 - digits)", {"digits": run.digits})
    return high_precision(residual, grid, run.digits, bound)


@control("parity_swapped", is_minus_identity=lambda k, N: k % 2 == 0)
@control("half_the_window", is_minus_identity=lambda k, N: k * (N // 2) % (2 * N) == N)
@checked_by(
    theory.HOLONOMY,
    "only_this_ladder",
    "property",
    Scope("100 pairs N <= 10^6, |k| <= 10^6", "2000 pairs N <= 10^6, |k| <= 10^6"),
    definitions=PHASES,
)
def minus_identity_iff_odd(of: Phases, run: Run) -> Evidence:
    """A plane of frequency pi k / N is at -I after N positions exactly when k is odd."""
    from hypothesis import strategies as st

    def predicate(k: int, N: int) -> bool:
        return of.is_minus_identity(k, N) == (k % 2 == 1)

    axes = {"k": st.integers(-(10**6), 10**6), "N": st.integers(1, 10**6)}
    return hunt(predicate, axes, run)


@control("order_of_the_first_plane", order=lambda k, N: 2 * N // math.gcd(k[0], 2 * N))
@control("always_twice_the_window", order=lambda k, N: 2 * N)
@checked_by(
    theory.HOLONOMY,
    "order",
    "property",
    Scope("100 ladders, N <= 64", "2000 ladders, N <= 64"),
    definitions=PHASES,
)
def order_is_the_least_return(of: Phases, run: Run) -> Evidence:
    """lcm of 2 N / gcd(2 k + 1, 2 N) against trying every offset."""
    from hypothesis import strategies as st

    def predicate(N: int, planes: list[int]) -> bool:
        multiples = [2 * k + 1 for k in planes]
        return of.order(multiples, N) == order_by_search(multiples, N)

    axes = {
        "N": st.integers(1, 64),
        "planes": st.lists(st.integers(0, 100), min_size=1, max_size=4),
    }
    return hunt(predicate, axes, run, first={"N": 9, "planes": [1, 4]})


# ---------------------------------------------------------------------- mobius.bundle
@control("even_multiple_of_pi", frequency=even_frequency)
@checked_by(theory.BUNDLE, "modes", "ball", Scope("N = 2..12, all planes", "N = 2..40"))
def modes_in_balls(of: Ladder, run: Run) -> Evidence:
    """Anti-periodic waves are eigenvectors with value 2 - 2 cos(theta_i)."""
    last = 40 if run.profile == "full" else 12
    grid = (
        {"N": N, "i": i, "n": n}
        for N in range(2, last + 1)
        for i in range(0, N, max(1, N // 4))
        for n in (-3, 0, 1, N)
    )
    return certify(theory.BUNDLE.clause("modes").statement(of), grid, run.digits)


def _laplacian(signs: Any, diagonal: int) -> Any:
    return theory.BUNDLE.definitions.laplacian(signs, diagonal)


@control("constant_diagonal_3", laplacian=lambda signs: _laplacian(signs, 3))
@checked_by(theory.BUNDLE, "determinants", "ball", "N = 3..12")
def determinants_in_balls(of: Ladder, run: Run) -> Evidence:
    """Determinants of the two Laplacians by FLINT's rational elimination: 4 and 0."""
    return certify_over(theory.BUNDLE.clause("determinants").statement(of), run.digits)


@control("periodic_cycle", cycle=lambda signs: signed_cycle(np.abs(signs)))
@control("even_multiple_of_pi", eigenvalue=lambda i, N: 2 - 2 * np.cos(2 * np.pi * i / N))
@checked_by(
    theory.BUNDLE,
    "characteristic",
    "float",
    Scope("N = 3..40", "N = 3..200"),
    definitions=PHASES,
)
def eigenvalues_in_float(of: Phases, run: Run) -> Evidence:
    """Eigenvalues of the anti-periodic cycle against 2 - 2 cos(pi (2 i + 1) / N).

    LAPACK's symmetric solver is backward stable: the computed values are those of a matrix that is
    off by at most p(N) u |L|; with p(N) = 8 N and |L| <= 4 that is 32 N u, and by Weyl's inequality
    no eigenvalue moves further.
    """
    last = 200 if run.profile == "full" else 40
    N = np.arange(3, last + 1)
    errors = np.empty(len(N))
    for row, size in enumerate(N.tolist()):
        signs = np.ones(size)
        signs[-1] = -1
        found = np.linalg.eigvalsh(of.cycle(signs))
        errors[row] = np.abs(found - np.sort(of.eigenvalue(np.arange(size), size))).max() / size
    largest, where = worst(errors, {"N": N})
    return within(largest, Bound(32 * U, "32 u per dimension: |error| <= 32 N u"), witness=where)


@control("sign_ignored", cycle=lambda signs: signed_cycle(np.abs(signs)))
@control("determinant_of_the_trivial_cycle", determinant=lambda product: 0)
@checked_by(
    theory.BUNDLE,
    "switching",
    "property",
    Scope("100 sign patterns, N = 3..12", "2000 sign patterns, N = 3..12"),
    definitions=PHASES,
)
def switching_keeps_the_determinant(of: Phases, run: Run) -> Evidence:
    """Switching vertices changes neither the determinant nor the product of the signs."""
    from flint import fmpz_mat
    from hypothesis import strategies as st

    def determinant(signs: list[int]) -> int:
        rows = of.cycle(signs).astype(np.int64).tolist()
        return int(fmpz_mat(rows).det())

    def predicate(edges: list[tuple[int, int]]) -> bool:
        signs = [sign for sign, _ in edges]
        vertex = [side for _, side in edges]
        switched = [sign * vertex[a] * vertex[(a + 1) % len(edges)] for a, sign in enumerate(signs)]
        expected = of.determinant(math.prod(signs))
        return determinant(signs) == determinant(switched) == expected

    side = st.sampled_from((1, -1))
    axes = {"edges": st.lists(st.tuples(side, side), min_size=3, max_size=12)}
    return hunt(predicate, axes, run)


# ---------------------------------------------------------------------- mobius.other_invariants
@control("interpolated_ladder_shifted", multiple=lambda i: 2 * i + 1 + i % 2)
@checked_by(
    theory.OTHER_INVARIANTS,
    "rescaling",
    "property",
    Scope("100 rescalings", "2000 rescalings"),
    definitions=PHASES,
)
def rescaling_keeps_odd_ratios_only(of: Phases, run: Run) -> Evidence:
    """theta_i / rho is at -I over s N positions exactly when (2 i + 1) s / rho is odd."""
    from hypothesis import strategies as st

    def predicate(i: int, N: int, s: Fraction, rho: Fraction) -> bool:
        half_turns = Fraction(of.multiple(i), N) / rho * (s * N)
        at_minus_identity = (half_turns - 1) % 2 == 0
        return at_minus_identity == of.rescaled_is_odd(2 * i + 1, s / rho)

    ratio = rationals(Fraction(1, 9), 9, 9)
    axes = {"i": st.integers(0, 99), "N": st.integers(1, 10**6), "s": ratio, "rho": ratio}
    return hunt(predicate, axes, run, first={"i": 1, "N": 8, "s": Fraction(3), "rho": Fraction(1)})


@control("even_multiple_of_pi", frequency=even_frequency)
@checked_by(
    theory.OTHER_INVARIANTS,
    "negative_lobe",
    "ball",
    Scope("11 pairs m, N and 15 offsets", "44 pairs m, N and 15 offsets"),
)
def negative_lobe_in_balls(of: Ladder, run: Run) -> Evidence:
    """K(D) < 0 at fractions of the lobe between its two zeros."""
    planes = range(1, 45 if run.profile == "full" else 12)
    grid = (
        {"m": m, "N": N, "D": Fraction(N, 2 * m) * (1 + Fraction(q, 16))}
        for m in planes
        for N in (2 * m + 5,)
        for q in range(1, 16)
    )
    return certify(theory.OTHER_INVARIANTS.clause("negative_lobe").statement(of), grid, run.digits)


@control("even_multiple_of_pi", frequency=even_frequency)
@control("window_off_by_one", frequency=shortened_frequency)
@checked_by(theory.OTHER_INVARIANTS, "first_negative", "ball", "N = 512, m = 32")
def first_negative_in_balls(of: Ladder, run: Run) -> Evidence:
    """K(0) .. K(7) are positive, K(8) vanishes and K(9) is negative."""
    return certify_over(theory.OTHER_INVARIANTS.clause("first_negative").statement(of), run.digits)
