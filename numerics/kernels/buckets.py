"""T5 buckets: the formula in several formats against the integer rule.

Main definitions
----------------
Formulas    the logarithmic formula under test; a control replaces it

References
----------
raffel2020t5
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from posproof.numerics.bias_rules import bucket, bucket_starts
from posproof.numerics.formats import FORMATS, round_array
from posproof.numerics.hunt import hunt
from posproof.numerics.measure import within
from posproof.theory.kernels.buckets import STARTS, T5_BUCKETS
from posproof.theory.vocabulary import Bound, Evidence, Run, checked_by, control

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


def logarithmic(distance: Integers, exact: int, wide: int, furthest: int, dtype: str) -> Array:
    """n ln(d / e) / ln(D / e) with every operation rounded to a format, shape of `distance`."""
    form = FORMATS[dtype]
    quotient = round_array(distance / exact, form)
    ratio = round_array(round_array(np.log(quotient), form) / np.log(furthest / exact), form)
    return round_array(ratio * wide, form)


def floored(value: Array) -> Integers:
    return np.floor(value).astype(np.int64)


@dataclass(frozen=True)
class Formulas:
    """Which format the formula is evaluated in, and how it becomes an integer."""

    dtype: str = "float32"
    whole: Callable[[Array], Integers] = floored

    def bucket(self, distance: Integers, buckets: int, furthest: int) -> Integers:
        """The causal bucket of distances >= 0 by the published formula."""
        exact, wide = buckets // 2, buckets - buckets // 2
        far = np.maximum(distance, exact)
        large = self.whole(logarithmic(far, exact, wide, furthest, self.dtype))
        return np.where(distance < exact, distance, exact + np.minimum(large, wide - 1))


FORMULAS = Formulas()


def wrong(of: Formulas, buckets: int, furthest: int) -> Integers:
    """The distances below 4 D that the formula puts into another bucket than the integers do."""
    distance = np.arange(4 * furthest)
    right = bucket(-distance, buckets, furthest, bidirectional=False)
    return distance[of.bucket(distance, buckets, furthest) != right]


@control("bfloat16", dtype="bfloat16")
@control("rounded_not_floored", whole=lambda value: np.rint(value).astype(np.int64))
@checked_by(
    T5_BUCKETS, "starts", "float", "four shapes in float32, all distances below 4 D",
    definitions=FORMULAS,
)  # fmt: skip
def buckets_in_float32(of: Formulas, run: Run) -> Evidence:
    """How many distances are in a wrong bucket."""
    found = {shape: wrong(of, *shape) for shape in STARTS}
    shape = max(found, key=lambda shape: len(found[shape]))
    bound = Bound(Fraction(0), "0", {"format": of.dtype})
    where = f"b = {shape[0]}, D = {shape[1]}, d = {found[shape][:3].tolist()}"
    return within(len(found[shape]), bound, witness=where)


@control("rounded_not_floored", whole=lambda value: np.rint(value).astype(np.int64))
@checked_by(
    T5_BUCKETS, "rises", "property", "4 to 64 buckets, any D above the exact ones, d to 10 D",
    definitions=Formulas("float64"),
)  # fmt: skip
def buckets_rise_and_are_all_used(of: Formulas, run: Run) -> Evidence:
    """The integer rule rises through every bucket that has room, and float64 agrees off ties.

    A quotient, a logarithm, a division and a product are each off by at most 2 u of themselves, and
    their result is below 10 n: within 8 u 10 n of an integer float64 may fall on either side.
    """
    from hypothesis import strategies as st

    def agree(half: int, more: int, reach: int) -> bool:
        buckets, furthest = 2 * half, half + 1 + more
        distance = np.arange(min(10 * furthest, 1 + reach))
        right = bucket(-distance, buckets, furthest, bidirectional=False)
        rising = bool((np.diff(right) >= 0).all()) and right[-1] <= buckets - 1
        value = logarithmic(np.maximum(distance, half), half, half, furthest, "float64")
        near = np.abs(value - np.rint(value)) <= 80 * half * 2.0**-53
        same = (of.bucket(distance, buckets, furthest) == right) | near
        starts = bucket_starts(buckets, furthest)
        return rising and bool(same.all()) and list(starts) == sorted(starts)

    drawn = {
        "half": st.integers(2, 32),
        "more": st.integers(1, 2000),
        "reach": st.integers(1, 20_000),
    }
    return hunt(agree, drawn, run, first={"half": 16, "more": 111, "reach": 512})
