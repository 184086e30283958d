"""Floating-point formats, exactly.

Main definitions
----------------
Format             precision and exponent range; unit roundoff and limits as exact fractions
FORMATS            float64, float32, tfloat32, float16, bfloat16 and two of eight bits
round_exact        the nearest number of a format to a rational, ties to even
round_array        the same for an array of float64 values
correctly_rounded  the nearest number of a format to a real that is given by its enclosures

Conventions
-----------
The unit roundoff u is half the distance from 1 to the next number (all of it where digits are cut
off), so an operation in the normal range returns x (1 + e) with |e| <= u.  Arrays hold the values
of narrow formats as float64, which contains all of them exactly.

Implementation notes
--------------------
`astype` of ml_dtypes goes from float64 to bfloat16 through float32 and so rounds twice (1 + 2^-8 +
2^-40 becomes 1); `round_array` rounds once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from posproof.numerics.balls import Undefined, ends, precision

if TYPE_CHECKING:
    from flint import arb

#: Bits `correctly_rounded` may use before it gives up on a tie that no ball can tell.
MAX_BITS = 4096


@dataclass(frozen=True)
class Format:
    """A binary format: `significand` bits with the hidden one, exponents of normal numbers.

    `top` is the largest finite number where the format gives its largest codes another meaning.
    `truncates` is for arithmetic that cuts digits off instead of rounding to nearest: it doubles
    the unit roundoff.
    """

    name: str
    significand: int
    min_exponent: int
    max_exponent: int
    top: int | None = None
    truncates: bool = False

    @cached_property
    def unit_roundoff(self) -> Fraction:
        return Fraction(1 + self.truncates, 2**self.significand)

    @cached_property
    def largest(self) -> Fraction:
        """The largest finite number."""
        if self.top is not None:
            return Fraction(self.top)
        return (2 - Fraction(2, 2**self.significand)) * 2**self.max_exponent

    @cached_property
    def smallest_normal(self) -> Fraction:
        return Fraction(2) ** self.min_exponent

    @cached_property
    def smallest_subnormal(self) -> Fraction:
        return Fraction(2) ** (self.min_exponent - self.significand + 1)

    @cached_property
    def last_consecutive_integer(self) -> int:
        """Every integer up to this one is in the format; the next one is not."""
        return int(min(2**self.significand, self.largest))

    @property
    def dtype(self) -> np.dtype:
        """The NumPy type that stores the format; TypeError for one that only arithmetic uses."""
        if self.name in _EXTENSIONS:
            import ml_dtypes

            return np.dtype(getattr(ml_dtypes, self.name))
        return np.dtype(self.name)

    def contains(self, value: Fraction) -> bool:
        """Whether a rational is a finite number of the format."""
        return round_exact(value, self) == value


#: Formats whose NumPy types come from ml_dtypes, under the same names.
_EXTENSIONS = frozenset({"bfloat16", "float8_e4m3fn", "float8_e5m2"})

FORMATS: dict[str, Format] = {
    form.name: form
    for form in (
        Format("float64", 53, -1022, 1023),
        Format("float32", 24, -126, 127),
        Format("tfloat32", 11, -126, 127),
        Format("float16", 11, -14, 15),
        Format("bfloat16", 8, -126, 127),
        Format("float8_e4m3fn", 4, -6, 8, top=448),
        Format("float8_e5m2", 3, -14, 15),
    )
}


def format_named(name: str) -> Format:
    """The format called `name`; ValueError lists the known ones."""
    if name not in FORMATS:
        raise ValueError(f"unknown format {name!r}; known: {', '.join(FORMATS)}")
    return FORMATS[name]


def exponent_of(value: Fraction) -> int:
    """floor(log2 |value|) of a non-zero rational."""
    value = abs(value)
    guess = value.numerator.bit_length() - value.denominator.bit_length()
    return guess if value >= Fraction(2) ** guess else guess - 1


def round_exact(value: Fraction, form: Format) -> Fraction | None:
    """The number of the format nearest to a rational, ties to even; None when it overflows.

    >>> round_exact(Fraction(257), FORMATS["bfloat16"])
    Fraction(256, 1)
    """
    if value == 0:
        return Fraction(0)
    exponent = max(exponent_of(value), form.min_exponent)
    step = Fraction(2) ** (exponent - form.significand + 1)
    rounded = round(value / step) * step  # round() of a Fraction is half to even
    return None if abs(rounded) > form.largest else rounded


def round_array(values: NDArray[np.float64], form: Format) -> NDArray[np.float64]:
    """Float64 values rounded once to a format, ties to even; overflow gives infinities.

    Shape and zeros' signs are kept; the result is float64 with every entry in the format.
    """
    values = np.asarray(values, dtype=np.float64)
    if form.name in ("float64", "float32", "float16"):  # these conversions round once
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            return values.astype(form.dtype).astype(np.float64)
    _, exponent = np.frexp(values)  # values = f 2^exponent with 1/2 <= |f| < 1
    shift = np.maximum(exponent - 1, form.min_exponent) - form.significand + 1
    with np.errstate(over="ignore", invalid="ignore"):
        rounded = np.ldexp(np.rint(np.ldexp(values, -shift)), shift)
    largest = float(form.largest)
    return np.where(np.abs(rounded) > largest, np.copysign(np.inf, values), rounded)


def correctly_rounded(enclosure: Callable[[int], arb], form: Format) -> Fraction | None:
    """The nearest number of a format to the real enclosed by `enclosure(bits)`.

    The precision is doubled until both ends of the ball round alike.  None means overflow;
    `Undefined` is raised when `MAX_BITS` cannot tell (an exact tie given by inexact balls).
    """
    bits = 2 * form.significand + 16
    while bits <= MAX_BITS:
        with precision(bits):
            low, high = ends(enclosure(bits))
        below, above = round_exact(low, form), round_exact(high, form)
        if below == above:
            return below
        bits *= 2
    raise Undefined(f"{MAX_BITS} bits do not tell which {form.name} is nearest")
