"""The square of two rotations, measured.

Main definitions
----------------
rotations          rotation matrices about unit axes, vectorised
quarter            sine and cosine of a quarter of the holonomy angle, without cancellation
holonomy_angle     psi in [0, 2 pi] of A B A^-1 B^-1
square_holonomy    the operators around every square of a field of orthogonal steps

Main claims
-----------
journey.so3_holonomy

Conventions
-----------
As in `posproof.theory.journey.holonomy`: radians, column vectors, the latest step leftmost;
u = 2^-53.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posproof.numerics.balls import (
    describe,
    precision,
    radius,
    upward,
)
from posproof.numerics.formats import FORMATS
from posproof.numerics.hunt import hunt
from posproof.numerics.measure import high_precision, within, worst
from posproof.theory.journey.holonomy import SO3_HOLONOMY
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control

if TYPE_CHECKING:
    import mpmath
    from flint import arb

Floats = NDArray[np.float64]

U = FORMATS["float64"].unit_roundoff
#: Bits and radius of the ball checks, and the perturbation they have to notice.
BITS, RADIUS, PERTURBATION = 256, Fraction(1, 10**60), Fraction(1, 10**40)


def rotations(axis: ArrayLike, angle: ArrayLike) -> Floats:
    """Rotation matrices of shape `(..., 3, 3)` from unit axes `(..., 3)` and angles `(...)`."""
    axis, angle = np.asarray(axis, dtype=np.float64), np.asarray(angle, dtype=np.float64)
    x, y, z = np.moveaxis(axis, -1, 0)
    zero = np.zeros_like(x)
    turn = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=-1).reshape(*x.shape, 3, 3)
    sine, versed = np.sin(angle)[..., None, None], (1 - np.cos(angle))[..., None, None]
    whole: Floats = np.eye(3) + sine * turn + versed * (turn @ turn)
    return whole


def quarter(a: ArrayLike, b: ArrayLike, gamma: ArrayLike) -> tuple[Floats, Floats]:
    """Sine and cosine of psi / 4 for rotations by `a` and `b` about axes at the angle `gamma`.

    The cosine is the root of 1 - S^2 written as a sum of squares, so it keeps its relative accuracy
    where S is near 1 (which the arc sine of S does not).
    """
    sa, sb, sg = (np.sin(t) for t in (np.multiply(a, 0.5), np.multiply(b, 0.5), gamma))
    ca, cb, cg = (np.cos(t) for t in (np.multiply(a, 0.5), np.multiply(b, 0.5), gamma))
    return np.abs(sa * sb * sg), np.hypot(ca, sa * np.hypot(cb, sb * cg))


def holonomy_angle(a: ArrayLike, b: ArrayLike, gamma: ArrayLike) -> Floats:
    """psi in [0, 2 pi]: A B A^-1 B^-1 turns by psi; within 60 u of the truth.

    >>> round(float(holonomy_angle(1.0, 1.0, np.pi / 2)), 6)
    0.927689
    """
    sine, cosine = quarter(a, b, gamma)
    angle: Floats = 4 * np.arctan2(sine, cosine)
    return angle


def square_holonomy(first: Floats, second: Floats) -> Floats:
    """What each square of a field of orthogonal steps leaves behind, shape `(p, q, d, d)`.

    `first` holds the steps along axis 1, shape `(p, q + 1, d, d)`, `second` those along axis 2,
    shape `(p + 1, q, d, d)`.  The loop goes out along axis 1 and comes back along axis 2:
    T_2(x)^T T_1(x + e_2)^T T_2(x + e_1) T_1(x).  ValueError when the shapes do not fit.
    """
    p, q = first.shape[0], second.shape[1]
    d = first.shape[-1]
    if first.shape != (p, q + 1, d, d) or second.shape != (p + 1, q, d, d):
        raise ValueError(f"steps of shapes {first.shape} and {second.shape} are not one grid")
    out = second[1:] @ first[:, :-1]
    back = first[:, 1:] @ second[:-1]
    around: Floats = np.swapaxes(back, -1, -2) @ out
    return around


def commutator_norms(
    a: Floats, b: Floats, gamma: Floats, rotation: Callable[..., Floats] = rotations
) -> Floats:
    """Spectral norms of A B - B A, the axes being (1, 0, 0) and (cos gamma, sin gamma, 0)."""
    fixed = np.broadcast_to(np.array([1.0, 0.0, 0.0]), (*np.shape(gamma), 3))
    tilted = np.stack([np.cos(gamma), np.sin(gamma), np.zeros_like(gamma)], axis=-1)
    first, second = rotation(fixed, a), rotation(tilted, b)
    return np.linalg.norm(first @ second - second @ first, ord=2, axis=(-2, -1))


#: |computed norm - computed 2 |sin(psi / 2)|| <= 360 u.  An entry of A is off by at most 6 u and
#: one of B by 28 u (library within 2 u, an axis of two roundings, three sums of terms below 3), so
#: A B - B A is off by 2 (18 + 84) u + 2 * 9 u for the products and 6 u for the difference; singular
#: values by 64 u more (backward stability); psi / 2 by 27 u, so 2 sin(psi / 2) by 60 u.
NORM_BOUND = Bound(360 * U, "360 u", {"u": "2^-53"})


def product_of_sines(a: Any, b: Any, gamma: Any) -> Any:
    """The sine of psi / 4 from sin(a / 2), sin(b / 2) and sin(gamma), in any arithmetic."""
    return abs(a * b * gamma)


@dataclass(frozen=True)
class Turns:
    """The numerical definitions of two turning axes; a control replaces one of them."""

    rotation: Callable[..., Floats] = rotations
    quarter: Callable[..., tuple[Any, Any]] = quarter
    parts: int = 4
    quarter_sine: Callable[[Any, Any, Any], Any] = product_of_sines
    shift: Fraction = Fraction(0)

    def norms(self, a: Floats, b: Floats, gamma: Floats) -> Floats:
        """2 |sin(psi / 2)| from the closed form."""
        sine, cosine = self.quarter(a, b, gamma)
        norms: Floats = 2 * np.abs(np.sin(self.parts / 2 * np.arctan2(sine, cosine)))
        return norms


TURNS = Turns()


def _without_the_angle(a: Any, b: Any, gamma: Any) -> tuple[Any, Any]:
    return quarter(a, b, np.pi / 2 + 0 * np.asarray(gamma))


def _two_sines(a: Any, b: Any, gamma: Any) -> Any:
    return abs(a * b)


def _first_order(axis: Any, angle: Any) -> Floats:
    """The square of the cross product is left out."""
    whole: Floats = np.eye(3) + (rotations(axis, angle) - rotations(axis, -angle)) / 2
    return whole


@control("without_sine_of_the_angle", quarter=_without_the_angle)
@control("two_arc_sines", parts=2)
@control("first_order_rotation", rotation=_first_order)
@checked_by(
    SO3_HOLONOMY,
    "norms",
    "float",
    Scope("16 x 16 x 9 angles, a = b = 1 among them", "64 x 64 x 33 angles"),
    definitions=TURNS,
)
def norms_in_float(of: Turns, run: Run) -> Evidence:
    """Singular values of A B - B A against the closed form, float64."""
    count, tilts = (64, 33) if run.profile == "full" else (16, 9)
    angles = np.concatenate([[1.0], np.linspace(-3.2, 3.2, count - 1)])
    tilt = np.concatenate([[0.3], np.linspace(0, np.pi, tilts - 1)])
    a, b, gamma = (grid.ravel() for grid in np.meshgrid(angles, angles, tilt, indexing="ij"))
    errors = commutator_norms(a, b, gamma, of.rotation) - of.norms(a, b, gamma)
    size, where = worst(errors, {"a": a, "b": b, "gamma": gamma})
    return within(size, NORM_BOUND, witness=where)


@control("without_sine_of_the_angle", quarter=_without_the_angle)
@control("two_arc_sines", parts=2)
@checked_by(
    SO3_HOLONOMY,
    "norms",
    "property",
    Scope("100 triples, |a|, |b| <= 3.2", "2000 triples, |a|, |b| <= 3.2"),
    definitions=TURNS,
)
def norms_of_drawn_angles(of: Turns, run: Run) -> Evidence:
    """The same at angles that Hypothesis draws."""
    from hypothesis import strategies as st

    def predicate(a: float, b: float, gamma: float) -> bool:
        one = (np.array([value]) for value in (a, b, gamma))
        a_, b_, gamma_ = one
        error = commutator_norms(a_, b_, gamma_, of.rotation) - of.norms(a_, b_, gamma_)
        return bool(abs(float(error[0])) <= NORM_BOUND.value)

    turn = st.floats(-3.2, 3.2)
    axes = {"a": turn, "b": turn, "gamma": st.floats(0, float(np.pi))}
    return hunt(predicate, axes, run, first={"a": 1.0, "b": 1.0, "gamma": 0.3})


#: Angles of the checks at many digits: a, b and gamma as fractions, the printed ones first.
PRINTED = [
    ("1", "1", None),
    ("1/10", "1/5", None),
    ("2", "3", None),
    ("1", "1", "3/10"),
    ("-5/2", "7/3", "2"),
    ("1/1000", "1/999", "1/7"),
]


@control("without_sine_of_the_angle", quarter_sine=_two_sines)
@control("two_arc_sines", parts=2)
@control("psi_off_by_1e_minus_40", shift=PERTURBATION)
@checked_by(SO3_HOLONOMY, "norms", "ball", "6 triples of angles, 256 bits", definitions=TURNS)
def frobenius_in_balls(of: Turns, run: Run) -> Evidence:
    """|A B - B A|_F^2 - 8 sin^2(psi / 2): a ball around 0 of radius below 1e-60."""
    bound = Bound(RADIUS, "10^-60 at 256 bits")
    largest = Fraction(0)
    with precision(BITS):
        for a, b, gamma in PRINTED:
            gap = _ball_gap(of, a, b, gamma)
            where = describe({"a": a, "b": b, "gamma": gamma or "pi/2"})
            if not gap.contains(0):
                return Evidence("refuted", bound=bound, witness=f"{where}: {gap.str(5)} is not 0")
            largest = max(largest, radius(gap))
    return Evidence("holds" if largest < RADIUS else "undecided", upward(largest), bound)


def _ball_gap(of: Turns, a: str, b: str, gamma: str | None) -> arb:
    from flint import arb, arb_mat, fmpq

    def number(text: str) -> arb:
        value = Fraction(text)
        return arb(fmpq(value.numerator, value.denominator))

    first, second = number(a), number(b)
    tilt = arb.pi() / 2 if gamma is None else number(gamma)
    unit = arb_mat(3, 3, [int(i == j) for i in range(3) for j in range(3)])

    def turned(x: arb, y: arb, angle: arb) -> arb_mat:
        cross = arb_mat(3, 3, [0, 0, y, 0, 0, -x, -y, x, 0])
        return unit + cross * angle.sin() + cross * cross * (1 - angle.cos())

    A, B = turned(arb(1), arb(0), first), turned(tilt.cos(), tilt.sin(), second)
    defect = A * B - B * A
    size = sum((entry * entry for entry in defect.entries()), arb(0))
    shift = arb(fmpq(of.shift.numerator, of.shift.denominator))
    sine = of.quarter_sine((first / 2).sin(), (second / 2).sin(), tilt.sin())
    psi = of.parts * sine.asin() + shift
    half = (psi / 2).sin()
    return size - 8 * half * half


@control("without_sine_of_the_angle", quarter_sine=_two_sines)
@control("two_arc_sines", parts=2)
@checked_by(SO3_HOLONOMY, "norms", "high", "6 triples of angles", definitions=TURNS)
def norms_in_high_precision(of: Turns, run: Run) -> Evidence:
    """The same norms with mpmath; the 360 roundings of `NORM_BOUND` stay below 10^(2 - digits)."""
    import mpmath

    def number(text: str) -> mpmath.mpf:
        return mpmath.mpf(Fraction(text).numerator) / Fraction(text).denominator

    def residual(a: str, b: str, gamma: str | None) -> mpmath.mpf:
        first, second = number(a), number(b)
        tilt = mpmath.pi / 2 if gamma is None else number(gamma)

        def turned(x: Any, y: Any, angle: Any) -> Any:
            cross = mpmath.matrix([[0, 0, y], [0, 0, -x], [-y, x, 0]])
            return mpmath.eye(3) + mpmath.sin(angle) * cross + (1 - mpmath.cos(angle)) * cross**2

        A, B = turned(1, 0, first), turned(mpmath.cos(tilt), mpmath.sin(tilt), second)
        largest = mpmath.mnorm(A * B - B * A, "f") / mpmath.sqrt(2)
        sine = of.quarter_sine(mpmath.sin(first / 2), mpmath.sin(second / 2), mpmath.sin(tilt))
        return largest - 2 * abs(mpmath.sin(of.parts * mpmath.asin(sine) / 2))

    grid = ({"a": a, "b": b, "gamma": gamma} for a, b, gamma in PRINTED)
    bound = Bound(Fraction(100, 10**run.digits), "10^(2 - digits)", {"digits": run.digits})
    return high_precision(residual, grid, run.digits, bound)
