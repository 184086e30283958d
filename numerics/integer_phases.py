r"""Rotary phases in integers: exact at every position, on any hardware.

Main definitions
----------------
steps        kappa, the whole number nearest to W theta / (2 pi), for every pair of a head
phases       position times step, modulo W = 2^bits: wrapping unsigned arithmetic, no rounding
angles       phases as float angles in -pi .. pi
table        cosines and sines of positions
frequency    the frequency a step stands for, 2 pi kappa / W
angle_bound  how far a float angle may lie from its phase, at every position
errors       the tolerances of `numerics.tolerances` for tables made this way

How to use it
-------------
Keep `steps` beside the model (one integer a pair) and make tables where they are needed:

>>> kappa = steps(head_dim=8, base=10_000)
>>> cosines, sines = table([0, 1, 2**40], kappa)
>>> cosines.shape
(3, 4)

A phase is a product and a remainder of integers, so the phases of i and s add up to that of i + s
without any error, however large or negative the positions.  Only then is anything rounded: the
phase to a float, 2 pi / W, and their product.  The error of an angle is at most
pi ((1 + u)^3 - 1), 5.7e-7 in float32, where position times frequency in float32 loses 2^-5 at a
million positions.  What remains is the step: theta is off by pi / W at most, so a phase by
pi L / W, 7.7e-4 at 2^20 positions with 32 bits and 1.8e-13 with 64.

Conventions
-----------
Positions are integers of any sign, shape `(n,)`; steps have shape `(m,)`, one a pair, in an
unsigned integer type whose width is `bits`.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import numpy as np
from flint import arb
from numpy.typing import ArrayLike, NDArray

from posproof.numerics.balls import Undefined, ends, precision
from posproof.numerics.formats import FORMATS, Format
from posproof.numerics.tolerances import CONSTANTS, Constants, Errors, combined, pipeline

Steps = NDArray[np.uint32] | NDArray[np.uint64]
WORDS = {32: np.uint32, 64: np.uint64}
#: pi from above.
PI = Fraction(355, 113)


def steps(head_dim: int, base: float | Fraction, bits: int = 32) -> Steps:
    """The whole numbers nearest to 2^bits base^(-2 i / d) / (2 pi), i < d / 2; shape `(d / 2,)`.

    Raises ValueError for an odd head, a base of at most 1, or a width other than 32 and 64.
    """
    if bits not in WORDS:
        raise ValueError(f"a phase has 32 or 64 bits, not {bits}")
    if head_dim < 2 or head_dim % 2:
        raise ValueError(f"a head has an even number of components, not {head_dim}")
    if base <= 1:
        raise ValueError(f"the base is greater than 1, not {base}")
    return _steps(head_dim, Fraction(base), bits).copy()


@lru_cache
def _steps(head_dim: int, base: Fraction, bits: int) -> Steps:
    whole = [_nearest(pair, head_dim, base, bits) for pair in range(head_dim // 2)]
    return np.array(whole, dtype=WORDS[bits])


def exact_step(pair: int, head_dim: int, base: Fraction, bits: int) -> arb:
    """2^bits theta / (2 pi) as a ball of the working precision."""
    theta = (arb(base.numerator) / base.denominator) ** (arb(-2 * pair) / head_dim)
    return arb(2) ** bits * theta / (2 * arb.pi())


def _nearest(pair: int, head_dim: int, base: Fraction, bits: int) -> int:
    with precision(4 * bits):
        low, high = ends(exact_step(pair, head_dim, base, bits))
    if round(low) != round(high):
        raise Undefined(f"{4 * bits} bits do not tell the step of pair {pair}")
    return round(low)


def phases(positions: ArrayLike, kappa: Steps) -> Steps:
    """Position times step modulo W, shape `(n, m)`, in the type of the steps.

    Raises TypeError for positions that are not integers.
    """
    exact = np.asarray(positions)
    if exact.dtype.kind not in "iu":
        raise TypeError(f"positions are integers, not {exact.dtype}")
    # A conversion to an unsigned type is taken modulo W, and so is a product of arrays.
    product: Steps = np.multiply.outer(exact.astype(kappa.dtype), kappa)
    return product


def angles(phase: Steps, form: Format = FORMATS["float32"]) -> NDArray[np.floating]:
    """Phases as angles in -pi .. pi, three roundings each; `form` is float32 or float64."""
    kind = form.dtype.type
    word = phase.dtype.itemsize * 8
    signed = phase.view(f"i{phase.dtype.itemsize}")
    turn = kind(2 * np.pi) * kind(2.0) ** -word  # a power of two is exact
    result: NDArray[np.floating] = signed.astype(form.dtype) * turn
    return result


def table(
    positions: ArrayLike, kappa: Steps, form: Format = FORMATS["float32"]
) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
    """Cosines and sines, each of shape `(n, m)`, in float32 or float64."""
    at = angles(phases(positions, kappa), form)
    return np.cos(at), np.sin(at)


def frequency(step: int, bits: int = 32) -> arb:
    """2 pi kappa / W as a ball of the working precision, in radians a position."""
    return 2 * arb.pi() * step / arb(2) ** bits


def angle_bound(form: Format = FORMATS["float32"]) -> Fraction:
    """pi ((1 + u)^3 - 1), rounded up: three relative errors of an angle of at most pi."""
    return PI * ((1 + form.unit_roundoff) ** 3 - 1)


def errors(dtype: str, head_dim: int, of: Constants = CONSTANTS) -> Errors:
    """The tolerances of a float32 table of integer phases, for every position.

    `dtype` is the format that tables are rounded to and vectors are turned in, as in `mixed32`.
    Frequencies are those of the steps.
    """
    line = pipeline("mixed32", dtype)
    angle = of.angle * angle_bound(line.angle)
    return combined(line, (angle,) * (head_dim // 2), head_dim, of=of)
