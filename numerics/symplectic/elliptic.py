"""Rotations among the shears, in floating point and at many digits.

Main definitions
----------------
fixed           x and y of an elliptic matrix: its fixed point x + i y in the upper half plane
change          N = [[y, x], [0, 1]] / sqrt(y)
condition       kappa(N)
residual        N^-1 M N - R(theta), the angle with the sign of the lower left entry
Kernels         the definitions the checks measure; a control replaces one of them

Conventions
-----------
As in `posproof.theory.symplectic.elliptic`.  Matrices have shape `(..., 2, 2)`.  u = 2^-53; a
library function is within one ulp, 2 u.

The bounds
----------
Elliptic.  q = (p s - 1) / r is rounded, which the change of basis shows as less than 4 u kappa^2;
cos theta is rounded, which moves the angle by u / sin theta and y by u / sin^2 theta of itself, so
an off-diagonal entry by as much as the angle; x collects 2 u; two products of 2 x 2 matrices add
4 u (|N^-1| |M| |N|), at most 12 u kappa^2.  Together less than 24 u kappa^2 / sin theta.

References
----------
Derived here; no publication is quoted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from posproof.numerics.balls import points
from posproof.numerics.formats import FORMATS
from posproof.numerics.hunt import hunt
from posproof.numerics.measure import high_precision, within
from posproof.theory.symplectic.elliptic import ELLIPTIC_BRANCH
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control

if TYPE_CHECKING:
    import mpmath

Floats = NDArray[np.float64]
U = FORMATS["float64"].unit_roundoff


# ---------------------------------------------------------------------- kernels
def stacked(p: Any, q: Any, r: Any, s: Any) -> Floats:
    """Matrices [[p, q], [r, s]] from arrays of one shape."""
    return np.stack((np.stack((p, q), -1), np.stack((r, s), -1)), -2)


def fixed(p: Any, r: Any, s: Any) -> tuple[Any, Any]:
    """x = (p - s) / (2 r) and y = sin(theta) / |r|, without cancellation near theta = 0 or pi."""
    c = (p + s) / 2
    return (p - s) / (2 * r), np.sqrt((1 - c) * (1 + c)) / abs(r)


def change(x: Any, y: Any) -> Floats:
    """[[y, x], [0, 1]] / sqrt(y)."""
    root = np.sqrt(y)
    return stacked(root, x / root, np.zeros_like(root), 1 / root)


def change_back(x: Any, y: Any) -> Floats:
    """The inverse of `change`."""
    root = np.sqrt(y)
    return stacked(1 / root, -x / root, np.zeros_like(root), root)


def condition(x: Any, y: Any) -> Any:
    """kappa(N) = exp(d), cosh d = (x^2 + y^2 + 1) / (2 y), the distance of x + i y from i."""
    return np.exp(np.arccosh((x * x + y * y + 1) / (2 * y)))


@dataclass(frozen=True)
class Kernels:
    """What the checks measure."""

    height: Callable[[Any], Any] = lambda y: y
    turn: Callable[[Any], Any] = np.sign


KERNELS = Kernels()


def residual(p: Floats, r: Floats, s: Floats, of: Kernels = KERNELS) -> tuple[Floats, Floats]:
    """The largest entry of N^-1 M N - R, and 24 kappa^2 / sin theta in units of u."""
    q = (p * s - 1) / r
    c = (p + s) / 2
    sine = np.sqrt((1 - c) * (1 + c))
    x, y = fixed(p, r, s)
    size = condition(x, y)
    y = of.height(y)
    with np.errstate(invalid="ignore"):
        inside = change_back(x, y) @ stacked(p, q, r, s) @ change(x, y)
    way = of.turn(r) * sine
    return np.abs(inside - stacked(c, -way, way, c)).max(axis=(-1, -2)), 24 * size**2 / sine


# ---------------------------------------------------------------------- symplectic.elliptic_branch
@control("lower_half_plane", height=lambda y: -y)
@control("angle_without_its_sign", turn=np.abs)
@checked_by(
    ELLIPTIC_BRANCH,
    "conjugation",
    "float",
    Scope("1000 draws, |trace| < 1.99, |r| in [0.05, 5], both signs", "20000 draws"),
    definitions=KERNELS,
)
def conjugation_in_float64(of: Kernels, run: Run) -> Evidence:
    """The residual of every draw in units of its own bound."""
    source = np.random.default_rng(run.seed)
    count = 20000 if run.profile == "full" else 1000
    trace, apart = source.uniform(-1.99, 1.99, count), source.uniform(-4, 4, count)
    p, s = (trace + apart) / 2, (trace - apart) / 2
    keep = np.abs(p + s) < 1.99
    p, s = p[keep], s[keep]
    r = source.uniform(0.05, 5, len(p)) * source.choice([-1.0, 1.0], len(p))
    errors, sizes = residual(p, r, s, of)
    errors = np.where(np.isnan(errors), np.inf, errors)
    worst = int(np.argmax(errors / sizes))
    bound = Bound(Fraction(float(sizes[worst])) * U, "24 u kappa(N)^2 / sin theta", {"u": "2^-53"})
    where = f"p = {p[worst]:.17g}, r = {r[worst]:.17g}, s = {s[worst]:.17g}"
    return within(float(errors[worst]), bound, witness=where)


@control("lower_half_plane", height=lambda y: -y)
@checked_by(
    ELLIPTIC_BRANCH,
    "conjugation",
    "high",
    "trace 0, 1, -19/10, 199/100; p - s = 0, 1, -3; r = 1, -1/20, 5",
    definitions=KERNELS,
)
def conjugation_at_many_digits(of: Kernels, run: Run) -> Evidence:
    """The residual over kappa^2: some ten roundings in the last digit."""
    import mpmath

    def off(trace: Fraction, apart: Fraction, r: Fraction) -> mpmath.mpf:
        tau, delta, low = (mpmath.mpf(z.numerator) / z.denominator for z in (trace, apart, r))
        p, s = (tau + delta) / 2, (tau - delta) / 2
        c, sine = tau / 2, mpmath.sqrt(1 - tau * tau / 4)
        x, y = delta / (2 * low), of.height(sine / abs(low))
        matrix = mpmath.matrix([[p, (p * s - 1) / low], [low, s]])
        way = mpmath.sign(low) * sine
        turn = mpmath.matrix([[c, -way], [way, c]])
        left = matrix * mpmath.matrix([[y, x], [0, 1]]) - mpmath.matrix([[y, x], [0, 1]]) * turn
        inverse = mpmath.matrix([[1 / y, -x / y], [0, 1]])
        size = (x * x + y * y + 1) / abs(y)
        return mpmath.norm(inverse * left, mpmath.inf) / size**2

    traces = (Fraction(0), Fraction(1), Fraction(-19, 10), Fraction(199, 100))
    lows = (Fraction(1), Fraction(-1, 20), Fraction(5))
    grid = points(trace=traces, apart=(Fraction(0), Fraction(1), Fraction(-3)), r=lows)
    bound = Bound(Fraction(100, 10**run.digits), "10^(2 - digits), over kappa^2")
    return high_precision(off, grid, run.digits, bound)


@control("angle_without_its_sign", turn=np.abs)
@checked_by(
    ELLIPTIC_BRANCH,
    "powers_are_rotations",
    "property",
    "|p + s| < 1.99, |r| in [0.05, 5], n <= 64",
    definitions=KERNELS,
)
def elliptic_powers(of: Kernels, run: Run) -> Evidence:
    """The residual of one step, and no power of M exceeds kappa(N)."""
    from hypothesis import assume, strategies

    def turns(p: float, s: float, r: float, n: int) -> bool:
        assume(abs(p + s) < 1.99)
        errors, size = residual(np.array(p), np.array(r), np.array(s), of)
        x, y = fixed(p, r, s)
        kappa = float(condition(x, y))
        sine = float(np.sqrt(1 - (p + s) ** 2 / 4))
        matrix = np.array([[p, (p * s - 1) / r], [r, s]])
        # each multiplication loses 4 u |M| of the product, and the determinant is off by 4 u
        slack = 1 + n * 64 * 2.0**-53 * kappa**2 / sine
        small = float(np.linalg.norm(np.linalg.matrix_power(matrix, n), 2)) <= kappa * slack
        return bool(errors <= float(size) * 2.0**-53) and small

    side = strategies.floats(-3, 3)
    low = strategies.one_of(strategies.floats(0.05, 5), strategies.floats(-5, -0.05))
    drawn = {"p": side, "s": side, "r": low, "n": strategies.integers(1, 64)}
    return hunt(turns, drawn, run, first={"p": 1.0, "s": 0.0, "r": -1.0, "n": 5})
