"""Damped shears in floating point and in balls: conformality, rates, norms and their peak.

Main definitions
----------------
damped             exp(-gamma) S(a, b) in float64
conformal_bound    how far M^T J M may be from exp(-2 gamma) J
shears_of          a and b of a rate and an anisotropy
eigenvalue_bound   how far the logarithms of computed eigenvalues may be from the rates
Kernels            the definitions the checks measure; a control replaces one of them

Conventions
-----------
As in `posproof.theory.symplectic.branches`.  u = 2^-53; a library function is within one ulp, 2 u.

The bounds
----------
With P = 1 + |a b| / 2 and Q = |a b| (1 + |a b| / 4) an entry of M collects at most 6 u of its own
sum of moduli: the exponential 2 u, the other operations u each.  M^T J M multiplies two of them
twice, so it is off by less than 16 u exp(-2 gamma) (P^2 + Q).

An eigenvalue of a 2 x 2 matrix with unit eigenvectors at the angle phi moves by |E| / sin phi, to
first order, when the matrix moves by E, and 1 / sin phi = kappa0.  Entries are off by 6 u, and the
library's eigenvalues are those of a matrix at distance 10 u of the norm.

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
from flint import arb, fmpq
from numpy.typing import NDArray

from posproof.numerics.balls import exact, precision, show
from posproof.numerics.formats import FORMATS
from posproof.numerics.hunt import hunt, rationals
from posproof.numerics.measure import within
from posproof.theory.symplectic.branches import DAMPING
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control

Floats = NDArray[np.float64]
U = FORMATS["float64"].unit_roundoff
J = np.array([[0.0, 1.0], [-1.0, 0.0]])


# ---------------------------------------------------------------------- kernels
def damped(gamma: Any, a: Any, b: Any) -> Floats:
    """exp(-gamma) S(a, b) for arrays of one shape, as matrices of shape `(..., 2, 2)`."""
    p, c = 1 + a * b / 2, b * (1 + a * b / 4)
    rows = np.stack((np.stack((p, a), -1), np.stack((c, p), -1)), -2)
    return np.exp(-np.asarray(gamma))[..., None, None] * rows


def shears_of(mu: Any, rho: Any) -> tuple[Any, Any]:
    """a = sinh(mu) / rho and b = 2 rho tanh(mu / 2)."""
    return np.sinh(mu) / rho, 2 * rho * np.tanh(mu / 2)


def kappa0(rho: Any) -> Any:
    """(rho + 1 / rho) / 2."""
    return (rho + 1 / rho) / 2


def both_blocks(first: arb, second: arb) -> tuple[arb, ...]:
    """The factors of the blocks that one scalar has to match."""
    return first, second


@dataclass(frozen=True)
class Kernels:
    """What the checks measure."""

    damped: Callable[[Any, Any, Any], Floats] = damped
    factor: Callable[[Any], Any] = lambda gamma: np.exp(-2 * gamma)
    blocks: Callable[[arb, arb], tuple[arb, ...]] = both_blocks
    slow: Callable[[Any, Any], Any] = lambda gamma, mu: gamma - mu
    contracts: Callable[[Fraction, Fraction], bool] = lambda gamma, mu: gamma > mu


KERNELS = Kernels()


# ---------------------------------------------------------------------- symplectic.damping
def conformal_bound(gamma: float, a: float, b: float) -> Bound:
    """16 u exp(-2 gamma) (P^2 + Q); see the head of the module."""
    product = abs(Fraction(a) * Fraction(b))
    size = (1 + product / 2) ** 2 + product * (1 + product / 4)
    # The exponential itself is one ulp off.
    scale = Fraction(math.exp(-2 * gamma)) * (1 + 2 * U)
    return Bound(16 * U * scale * size, "16 u exp(-2 gamma) (P^2 + Q)", {"a": a, "b": b})


def _worst(errors: Floats, bounds: list[Bound], where: list[str]) -> Evidence:
    """The error that is largest in units of its own bound."""
    ratios = [
        Fraction(float(e)) / bound.value if math.isfinite(e) else Fraction(10**300)
        for e, bound in zip(errors, bounds, strict=True)
    ]
    index = max(range(len(ratios)), key=ratios.__getitem__)
    return within(float(errors[index]), bounds[index], witness=where[index])


@control("factor_of_one_side", factor=lambda gamma: np.exp(-gamma))
@checked_by(
    DAMPING,
    "conformally_symplectic",
    "float",
    Scope("500 draws, |a|, |b| <= 4, gamma in [0, 1]", "20000 draws"),
    definitions=KERNELS,
)
def conformal_in_float64(of: Kernels, run: Run) -> Evidence:
    """The entries of M^T J M - exp(-2 gamma) J."""
    source = np.random.default_rng(run.seed)
    count = 20000 if run.profile == "full" else 500
    a, b = source.uniform(-4, 4, (2, count))
    gamma = source.uniform(0, 1, count)
    matrix = of.damped(gamma, a, b)
    found = np.swapaxes(matrix, -1, -2) @ J @ matrix
    errors = np.abs(found - of.factor(gamma)[:, None, None] * J).max(axis=(-1, -2))
    points = list(zip(gamma.tolist(), a.tolist(), b.tolist(), strict=True))
    return _worst(errors, [conformal_bound(*x) for x in points], [str(x) for x in points])


#: Dampings of two channel pairs, equal and not.
DAMPINGS = (
    (fmpq(1, 10), fmpq(1, 5)),
    (fmpq(1, 10), fmpq(1, 10)),
    (fmpq(0), fmpq(1, 1000)),
    (fmpq(-1, 3), fmpq(-1, 3)),
)


def residual(first: fmpq, second: fmpq, of: Kernels = KERNELS) -> arb:
    """The least max |exp(-2 gamma_i) - c| over all c: half the spread of the factors."""
    factors = of.blocks((-2 * arb(first)).exp(), (-2 * arb(second)).exp())
    spread = [abs(x - y) for x in factors for y in factors]
    return max(spread, key=lambda x: float(x.mid())) / 2


@control("one_pair_only", blocks=lambda first, second: (first,))
@checked_by(
    DAMPING,
    "two_pairs",
    "ball",
    "dampings (1/10, 1/5), (0, 1/1000), and equal ones",
    definitions=KERNELS,
)
def best_factor_in_balls(of: Kernels, run: Run) -> Evidence:
    """Unequal dampings leave a residual that no factor removes; equal ones leave none.

    Of one pair alone every damping passes: such a test cannot fail.
    """
    with precision(200):
        for first, second in DAMPINGS:
            left = residual(first, second, of)
            if first == second and not left.contains(0):
                return Evidence("refuted", witness=f"{first}, {second}: residual {show(left)}")
            if first != second and not left > 0:
                witness = f"gamma = {first}, {second}: the residual {show(left)} is not positive"
                return Evidence("refuted", witness=witness)
        shown = residual(*DAMPINGS[0]).str(12, radius=False)
    return Evidence("holds", measured=f"{shown} for gamma = 0.1, 0.2")


def eigenvalue_bound(gamma: float, mu: float, rho: float) -> Bound:
    """16 u kappa0 |M| exp(gamma + mu) + 2 u + (gamma + mu) u, in the logarithm of the smaller one.

    |M| exp(gamma + mu) is at most sqrt(2) kappa0 exp(2 mu) for the Frobenius norm.  The shears come
    from mu and rho with 6 u each, which the entries inherit twice; second-order terms are covered
    by the factor 5 / 4 while kappa0^2 exp(2 mu) < 2^40.
    """
    k = Fraction(float(kappa0(rho)))
    grown = Fraction(math.exp(2 * mu)) * Fraction(3, 2)
    value = (Fraction(5, 4) * 28 * k * k * grown + 2 + Fraction(gamma) + Fraction(mu)) * U
    return Bound(value, "(53 kappa0^2 exp(2 mu) + 2 + gamma + mu) u", {"mu": mu, "rho": rho})


@control("rates_exchanged", slow=lambda gamma, mu: gamma + mu)
@checked_by(
    DAMPING,
    "spectrum",
    "float",
    Scope("300 draws, gamma, mu in [0.01, 1], rho in [1/8, 8]", "5000 draws"),
    definitions=KERNELS,
)
def rates_from_eigenvalues(of: Kernels, run: Run) -> Evidence:
    """-log of the library's eigenvalues against gamma - mu and gamma + mu."""
    source = np.random.default_rng(run.seed)
    count = 5000 if run.profile == "full" else 300
    gamma, mu = source.uniform(0.01, 1, (2, count))
    rho = 2.0 ** source.uniform(-3, 3, count)
    values = np.linalg.eigvals(of.damped(gamma, *shears_of(mu, rho)))
    rates = np.sort(-np.log(np.abs(values)), axis=-1)
    wanted = np.stack((of.slow(gamma, mu), gamma + mu), axis=-1)
    errors = np.abs(rates - wanted).max(axis=-1)
    points = list(zip(gamma.tolist(), mu.tolist(), rho.tolist(), strict=True))
    return _worst(errors, [eigenvalue_bound(*x) for x in points], [str(x) for x in points])


@control("damping_alone", contracts=lambda gamma, mu: gamma > 0)
@checked_by(
    DAMPING,
    "contraction_of_the_spectrum",
    "property",
    "gamma, mu in [0, 1], rho in [1/8, 8], |gamma - mu| > 2^-30",
    definitions=KERNELS,
)
def radius_in_balls(of: Kernels, run: Run) -> Evidence:
    """The larger eigenvalue p + sqrt(q r), decided by balls, and the determinant."""
    from hypothesis import assume

    def agrees(gamma: Fraction, mu: Fraction, rho: Fraction) -> bool:
        assume(abs(gamma - mu) > Fraction(1, 2**30))
        with precision(200):
            g, m, r = (arb(exact(x)) for x in (gamma, mu, rho))
            a, b = m.sinh() / r, 2 * r * (m / 2).tanh()
            scale = (-g).exp()
            p, q, c = (scale * x for x in (1 + a * b / 2, a, b * (1 + a * b / 4)))
            largest = p + (q * c).sqrt()
            conformal = (p * p - q * c).overlaps((-2 * g).exp())
            below, above = bool(largest < 1), bool(largest > 1)
            assert below or above, "the balls do not tell"
            return conformal and below == of.contracts(gamma, mu)

    unit = rationals(0, 1, 1000)
    drawn = {
        "gamma": unit,
        "mu": rationals(Fraction(1, 1000), 1, 1000),
        "rho": rationals(Fraction(1, 8), 8, 50),
    }
    first = {"gamma": Fraction(1, 20), "mu": Fraction(1, 10), "rho": Fraction(1)}
    return hunt(agrees, drawn, run, first=first)
