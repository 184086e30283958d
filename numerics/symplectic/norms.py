"""Norms of powers of shears: singular values, balls, and the peak of a contraction.

Main definitions
----------------
stretch         exp arsinh w, a number or a ball
log_norm        n mu + log kappa0 + ..., the logarithm of the norm without overflow
norm_of_step    the norm of (exp(-gamma) S)^n as a ball, from its entries
peak            where the envelope is largest, and how large
Kernels         the definitions the checks measure; a control replaces one of them

Conventions
-----------
As in `posproof.theory.symplectic.norms`.  u = 2^-53; a library function is within one ulp, 2 u, and
the library's singular values are those of a matrix at distance 10 u of the norm.

The bounds
----------
Hyperbolic.  The entries of `closed_power` are off by (9/2 n mu + 12) u of themselves, the norm by
at most sqrt(2) times that.  Of the formula sinh(n mu) is off by (9/2 (n mu + 1) + 2) u, kappa0 by
5 u, and exp arsinh w by at most the error of w and 4 u.  Together less than 64 u (1 + n mu).

Elliptic.  The entries are off by 3 u of themselves.  rho - 1 / rho is off by 3 u kappa0, and
kappa0 |sin| <= sqrt(1 + w^2), so the formula is off by 10 u.  Together less than 32 u.

References
----------
Derived here; no publication is quoted.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, arb_mat, fmpq
from numpy.typing import NDArray

from posproof.numerics.balls import ends, exact, precision, show, upward
from posproof.numerics.formats import FORMATS
from posproof.numerics.hunt import hunt, rationals
from posproof.numerics.measure import within
from posproof.numerics.symplectic.branches import kappa0
from posproof.numerics.symplectic.powers import (
    anisotropy,
    closed_power,
    exact_power,
    rate,
    symmetric,
)
from posproof.theory.symplectic.norms import OPERATOR_NORM
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control

Floats = NDArray[np.float64]
U = FORMATS["float64"].unit_roundoff


# ---------------------------------------------------------------------- kernels
def stretch(w: Any) -> Any:
    """w + sqrt(1 + w^2), for floats and for balls."""
    if isinstance(w, arb):
        return w + (1 + w * w).sqrt()
    return w + np.sqrt(1 + w * w)


def log_norm(mu: Any, rho: Any, n: Any) -> Floats:
    """log |S^n| = arsinh(kappa0 sinh(n mu)) where sinh itself would overflow.

    With k = kappa0 (1 - exp(-2 n mu)) / 2, w = k exp(n mu) and the logarithm is
    n mu + log(k + sqrt(k^2 + exp(-2 n mu))).
    """
    x = n * np.asarray(mu)
    small = np.exp(-2 * x)
    k = kappa0(rho) * -np.expm1(-2 * x) / 2
    return x + np.log(k + np.sqrt(k * k + small))


def norm_of_step(gamma: arb, a: arb, b: arb, n: int) -> arb:
    """The largest singular value of (exp(-gamma) S(a, b))^n from the power itself."""
    matrix = arb_mat([[1 + a * b / 2, a], [b * (1 + a * b / 4), 1 + a * b / 2]]) ** n
    square = sum((matrix[i, j] ** 2 for i in range(2) for j in range(2)), arb(0)) - 2
    return (-n * gamma).exp() * stretch(square.sqrt() / 2)


def turning(gamma: Any, kappa: Any, mu: Any) -> Any:
    """sinh^2(mu T) at the peak."""
    return (mu**2 * kappa**2 - gamma**2) / (kappa**2 * (gamma**2 - mu**2))


def peak(gamma: Any, mu: Any, rho: Any, place: Callable[..., Any] = turning) -> tuple[Any, Any]:
    """The time T of the peak and E(T), for mu < gamma < kappa0 mu; floats or balls.

    >>> time, height = peak(0.11, 0.1, 5.0)
    >>> round(time, 4), round(height, 4)
    (14.3342, 2.1446)
    """
    kappa = kappa0(rho)
    square = place(gamma, kappa, mu)
    if isinstance(gamma, arb):
        time = square.sqrt().asinh() / mu
        return time, (-gamma * time).exp() * stretch(kappa * (mu * time).sinh())
    time = math.asinh(math.sqrt(square)) / mu
    return time, math.exp(-gamma * time) * float(stretch(kappa * math.sinh(mu * time)))


@dataclass(frozen=True)
class Kernels:
    """What the checks measure."""

    kappa0: Callable[[Any], Any] = kappa0
    lean: Callable[[Any], Any] = lambda rho: abs(rho - 1 / rho) / 2
    turning: Callable[..., Any] = turning
    contracts: Callable[[arb, arb, arb], bool] = lambda gamma, kappa, mu: bool(
        gamma.sinh() > kappa * mu.sinh()
    )


KERNELS = Kernels()


# ---------------------------------------------------------------------- symplectic.operator_norm
def hyperbolic_bound(n: int, mu: float) -> Bound:
    """64 u (1 + n mu), relative; see the head of the module."""
    value = 64 * U * (1 + n * Fraction(mu))
    return Bound(value, "64 u (1 + n mu)", {"n": n, "mu": mu})


@control("anisotropy_forgotten", kappa0=lambda rho: 1.0)
@checked_by(
    OPERATOR_NORM,
    "norm_of_powers",
    "float",
    Scope("500 draws, a, b in [1e-3, 4], n mu <= 300", "3000 draws"),
    definitions=KERNELS,
)
def singular_values_in_float64(of: Kernels, run: Run) -> Evidence:
    """The library's norm of S^n against the formula, in units of its own bound."""
    source = np.random.default_rng(run.seed)
    count = 3000 if run.profile == "full" else 500
    a, b = 10.0 ** source.uniform(-3, 0.6, (2, count))
    mu, rho = rate(a, b), anisotropy(a, b)
    n = np.floor(1 + source.uniform(0, 1, count) * (300 / mu - 1))
    direct = np.linalg.norm(closed_power(a, b, n), 2, axis=(-2, -1))
    formula = stretch(of.kappa0(rho) * np.sinh(n * mu))
    errors = np.abs(direct / formula - 1)
    worst = int(np.argmax(errors / (1 + n * mu)))
    where = f"a = {a[worst]:.17g}, b = {b[worst]:.17g}, n = {int(n[worst])}"
    bound = hyperbolic_bound(int(n[worst]), float(mu[worst]))
    return within(float(errors[worst]), bound, witness=where)


@control("mean_for_difference", lean=lambda rho: (rho + 1 / rho) / 2)
@checked_by(
    OPERATOR_NORM,
    "elliptic",
    "float",
    Scope("500 draws, rho in [1/16, 16], all angles", "3000 draws"),
    definitions=KERNELS,
)
def elliptic_norms_in_float64(of: Kernels, run: Run) -> Evidence:
    """The library's norm of the elliptic power against the formula."""
    source = np.random.default_rng(run.seed)
    count = 3000 if run.profile == "full" else 500
    rho, angle = 2.0 ** source.uniform(-4, 4, count), source.uniform(0, 2 * np.pi, count)
    c, s = np.cos(angle), np.sin(angle)
    matrix = np.stack((np.stack((c, s / rho), -1), np.stack((-rho * s, c), -1)), -2)
    formula = stretch(of.lean(rho) * np.abs(s))
    errors = np.abs(np.linalg.norm(matrix, 2, axis=(-2, -1)) / formula - 1)
    worst = int(np.argmax(errors))
    bound = Bound(32 * U, "32 u, relative", {"u": "2^-53"})
    where = f"rho = {rho[worst]:.17g}, angle = {angle[worst]:.17g}"
    return within(float(errors[worst]), bound, witness=where)


@control("anisotropy_forgotten", kappa0=lambda rho: arb(1))
@checked_by(
    OPERATOR_NORM,
    "norm_of_powers",
    "ball",
    Scope("a = 3/10, b = 1/5, n <= 10^5", "four pairs (a, b), n <= 10^5"),
    definitions=KERNELS,
)
def norms_in_balls(of: Kernels, run: Run) -> Evidence:
    """The square-root form of the singular value of S^n overlaps the formula."""
    pairs = [(fmpq(3, 10), fmpq(1, 5))]
    if run.profile == "full":
        pairs += [(fmpq(1), fmpq(1)), (fmpq(1, 1000), fmpq(4)), (fmpq(4), fmpq(1, 7))]
    largest = Fraction(0)
    limit = Fraction(1, 10**50)
    with precision(240):
        for a, b in ((arb(x), arb(y)) for x, y in pairs):
            mu = 2 * ((a * b).sqrt() / 2).asinh()
            rho = (b * (1 + a * b / 4) / a).sqrt()
            for n in (1, 10, 100, 1000, 10**5):
                direct = norm_of_step(arb(0), a, b, n)
                formula = stretch(of.kappa0(rho) * (n * mu).sinh())
                if not direct.overlaps(formula):
                    witness = f"n = {n}: {show(direct)} is not {show(formula)}"
                    return Evidence("refuted", witness=witness)
                low, high = ends(direct / formula - 1)
                largest = max(largest, -low, high)
    bound = Bound(limit, "10^-50, relative")
    return Evidence("holds" if largest < limit else "undecided", upward(largest), bound)


@control("anisotropy_forgotten", kappa0=lambda rho: arb(1))
@checked_by(
    OPERATOR_NORM,
    "transient_growth",
    "ball",
    "gamma = 11/100, mu = 1/10, rho = 5, n = 14",
    definitions=KERNELS,
)
def growth_of_a_contraction(of: Kernels, run: Run) -> Evidence:
    """The norm of a product of 14 damped shears of spectral radius exp(-1/100).

    The matrix is multiplied out, so the formula is not used; a control puts it in its place.
    """
    with precision(200):
        gamma, mu, rho = arb(fmpq(11, 100)), arb(fmpq(1, 10)), arb(5)
        a, b = mu.sinh() / rho, 2 * rho * (mu / 2).tanh()
        size = norm_of_step(gamma, a, b, 14)
        formula = (-14 * gamma).exp() * stretch(of.kappa0(rho) * (14 * mu).sinh())
        radius = (mu - gamma).exp()
        if not formula.overlaps(size):
            return Evidence(
                "refuted", witness=f"the formula gives {show(formula)}, not {show(size)}"
            )
        if size > 2 and radius < 1:
            shown = f"{size.str(15, radius=False)} at radius {radius.str(6, radius=False)}"
            return Evidence("holds", measured=shown)
        return Evidence("refuted", witness=f"norm {show(size)}, radius {show(radius)}")


#: gamma, mu, rho of contractions that grow first.
RISING = (
    (fmpq(11, 100), fmpq(1, 10), fmpq(5)),
    (fmpq(1, 10), fmpq(1, 20), fmpq(20)),
    (fmpq(101, 1000), fmpq(1, 10), fmpq(100)),
    (fmpq(1001, 10000), fmpq(1, 10), fmpq(5)),
)


@control(
    "anisotropy_forgotten",
    turning=lambda gamma, kappa, mu: (mu**2 * kappa**2 - gamma**2) / (gamma**2 - mu**2),
)
@checked_by(
    OPERATOR_NORM,
    "transient_peak",
    "ball",
    Scope("four contractions, n <= 200", "four contractions, n <= 2000"),
    definitions=KERNELS,
)
def peaks_in_balls(of: Kernels, run: Run) -> Evidence:
    """No power exceeds the envelope at T, which lies strictly between 1 and kappa0."""
    steps = 2000 if run.profile == "full" else 200
    shown = []
    with precision(200):
        for gamma, mu, rho in ((arb(x), arb(y), arb(z)) for x, y, z in RISING):
            kappa = kappa0(rho)
            time, height = peak(gamma, mu, rho, of.turning)
            if not (height > 1 and height < kappa):
                return Evidence("refuted", witness=f"E(T) = {show(height)} at T = {show(time)}")
            for n in range(steps):
                size = (-n * gamma).exp() * stretch(kappa * (n * mu).sinh())
                if size > height:
                    witness = f"n = {n}: {show(size)} exceeds E(T) = {show(height)}"
                    return Evidence("refuted", witness=witness)
            shown.append(height.str(6, radius=False))
    return Evidence("holds", measured=f"peaks {', '.join(shown)}")


@control("spectral_condition", contracts=lambda gamma, kappa, mu: bool(gamma > mu))
@control("anisotropy_forgotten", kappa0=lambda rho: arb(1))
@checked_by(
    OPERATOR_NORM,
    "contraction_of_the_norm",
    "property",
    "a, b in [1/1000, 4], n <= 40, kappa < 10^4, gamma in [0, 1]",
    definitions=KERNELS,
)
def norms_of_fractions(of: Kernels, run: Run) -> Evidence:
    """Exact powers: the formula, its two bounds, and when one damped step contracts."""
    from hypothesis import assume, strategies

    def agrees(a: Fraction, b: Fraction, n: int, gamma: Fraction) -> bool:
        with precision(240):
            x, y, g = (arb(exact(z)) for z in (a, b, gamma))
            mu = 2 * ((x * y).sqrt() / 2).asinh()
            rho = (y * (1 + x * y / 4) / x).sqrt()
            assume(rho < 10**4 and 1 / rho < 10**4)
            kappa = of.kappa0(rho)
            product = exact_power(symmetric(a, b), n)
            squares = sum((z * z for row in product for z in row), Fraction(0)) - 2
            size = stretch(arb(exact(squares)).sqrt() / 2)
            grown = (n * mu).exp()
            within_bounds = not size < grown and not size > kappa * grown
            formula = size.overlaps(stretch(kappa * (n * mu).sinh()))
            one = (-g).exp() * stretch(kappa0(rho) * mu.sinh())
            assume(abs(one - 1) > arb(2) ** -30)
            return within_bounds and formula and bool(one < 1) == of.contracts(g, kappa, mu)

    part = rationals(Fraction(1, 1000), 4, 1000)
    drawn = {
        "a": part,
        "b": part,
        "n": strategies.integers(1, 40),
        "gamma": rationals(0, 1, 1000),
    }
    first = {"a": Fraction(1, 50), "b": Fraction(1, 2), "n": 14, "gamma": Fraction(11, 100)}
    return hunt(agrees, drawn, run, first=first)
