r"""Additive position biases by their integer and power-of-two rules.

Main definitions
----------------
alibi_slopes     the slope of every head, as an exponent of two
bucket           the bucket of an offset in a T5 bias, decided in integers

Conventions
-----------
offset = key position - query position, an integer; a causal bias depends on max(-offset, 0).

References
----------
press2022alibi, raffel2020t5
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]


def alibi_slopes(heads: int) -> tuple[Fraction, ...]:
    """Exponents e of the slopes 2^e: -8 (h + 1)/n for a power of two n of heads.

    Any other number takes the slopes of the power of two below it, then every other slope of twice
    that power, beginning with the first.  Raises ValueError for no heads.
    """
    if heads < 1:
        raise ValueError(f"{heads} heads have no slopes")
    power = 1 << (heads.bit_length() - 1)
    own = [Fraction(-8 * (h + 1), power) for h in range(power)]
    between = [Fraction(-8 * (h + 1), 2 * power) for h in range(0, 2 * power, 2)]
    return tuple([*own, *between][:heads])


def bucket(
    offsets: Integers, buckets: int = 32, max_distance: int = 128, bidirectional: bool = True
) -> Integers:
    """The T5 bucket of each offset.

    Each distance below half the buckets of its side has its own one; beyond, bucket e + k begins at
    the first distance d with (d/e)^(n) >= (D/e)^k for the e exact and n logarithmic ones: compared
    as integers.  Raises ValueError unless max_distance exceeds the exact distances.
    """
    sides = np.where(offsets > 0, buckets // 2, 0) if bidirectional else np.zeros_like(offsets)
    distance = np.abs(offsets) if bidirectional else np.maximum(-offsets, 0)
    starts = bucket_starts(buckets // 2 if bidirectional else buckets, max_distance)
    return sides + np.searchsorted(np.array(starts), distance, side="right") - 1


@lru_cache
def bucket_starts(buckets: int, max_distance: int) -> tuple[int, ...]:
    """The first distance of each bucket of one side."""
    exact = buckets // 2
    if exact < 1 or max_distance <= exact:
        raise ValueError(f"max_distance {max_distance} does not exceed {exact} exact distances")
    wide = buckets - exact
    starts = list(range(exact + 1))
    for k in range(1, wide):
        least = exact**wide * max_distance**k
        d = starts[-1]
        low, high = d, max_distance
        while low < high:  # the first d with d^wide exact^k >= exact^wide max_distance^k
            middle = (low + high) // 2
            if middle**wide * exact**k >= least:
                high = middle
            else:
                low = middle + 1
        starts.append(low)
    return tuple(starts)
