"""Which integer positions a format stores, and as what.

Main definitions
----------------
stored           positions rounded to a format, in integer arithmetic
collision_class  the positions that are stored as the same number
first_collision  the smallest position that another one is stored as
distinct_values  how many numbers the positions below 2^m are stored as

Conventions
-----------
Positions are non-negative integers.  A format has p bits: every position up to 2^p is stored
exactly; above, the step doubles with every power of two, and halves between two multiples go to the
even one.  A position that rounds beyond the largest number of the format is refused, not answered.

>>> from posproof.numerics.formats import FORMATS
>>> collision_class(259, FORMATS["bfloat16"])
Class(value=260, first=259, last=261)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posproof.numerics.formats import Format

#: Positions are kept as 64-bit integers, and doubled on the way.
LIMIT = 2**62


class Class(NamedTuple):
    """Positions first .. last are stored as `value`."""

    value: int
    first: int
    last: int

    @property
    def size(self) -> int:
        return self.last - self.first + 1


def stored(positions: ArrayLike, form: Format) -> NDArray[np.int64]:
    """Positions rounded to a format, ties to even; shape kept.

    Quotient and remainder by the step decide, so no float is involved.  Raises ValueError for a
    negative position, and for one that the format does not hold.

    >>> from posproof.numerics.formats import FORMATS
    >>> stored([255, 256, 257, 258, 259], FORMATS["bfloat16"]).tolist()
    [255, 256, 256, 258, 260]
    """
    exact = np.asarray(positions, dtype=np.int64)
    if exact.size and (exact.min() < 0 or exact.max() >= LIMIT):
        raise ValueError("positions are integers from 0 to 2^62 - 1")
    exponent = np.maximum(_bit_length(exact) - form.significand, 0)
    step = np.int64(1) << exponent
    quotient, remainder = exact >> exponent, exact & (step - 1)
    odd = quotient & 1
    quotient = quotient + ((2 * remainder > step) | ((2 * remainder == step) & (odd == 1)))
    rounded = quotient << exponent
    beyond = rounded > min(int(form.largest), LIMIT)
    if beyond.any():
        raise ValueError(f"position {int(exact[beyond].min())} overflows {form.name}")
    return rounded


def _bit_length(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """The number of binary digits; 0 for 0."""
    # A 62-bit integer may round up to a power of two in float64: halves are exact.
    high, low = values >> 31, values & (2**31 - 1)
    return np.where(
        high > 0, 31 + np.frexp(high.astype(np.float64))[1], np.frexp(low.astype(np.float64))[1]
    ).astype(np.int64)


def collision_class(position: int, form: Format) -> Class:
    """The positions that are stored as the same number as this one.

    >>> from posproof.numerics.formats import FORMATS
    >>> collision_class(65536, FORMATS["bfloat16"])
    Class(value=65536, first=65408, last=65792)
    """
    value = int(stored(position, form))
    bits = form.significand
    if value < 2**bits:
        return Class(value, value, value)
    exponent = value.bit_length() - bits
    significand, half = value >> exponent, 2 ** (exponent - 1)
    if significand == 2 ** (bits - 1):  # the step below a power of two is half as long
        return Class(value, value - half // 2, value + half)
    reach = half if significand % 2 == 0 else half - 1
    return Class(value, value - reach, value + reach)


def first_collision(form: Format) -> int:
    """The smallest position that another one is stored as: 2^p, which 2^p + 1 becomes."""
    return int(2**form.significand)


def distinct_values(form: Format, exponent: int) -> int:
    """How many numbers the positions below 2^exponent are stored as.

    Raises ValueError when 2^exponent is beyond the largest number of the format.

    >>> from posproof.numerics.formats import FORMATS
    >>> distinct_values(FORMATS["bfloat16"], 17)
    1409
    """
    bits = form.significand
    if 2**exponent > form.largest:
        raise ValueError(f"2^{exponent} overflows {form.name}")
    if exponent <= bits:
        return int(2**exponent)
    return int(2**bits + (exponent - bits) * 2 ** (bits - 1) + 1)
