"""T5 buckets: proofs, formulas in formats, and the integer rule against plain arithmetic."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics.bias_rules import bucket, bucket_starts
from posproof.numerics.kernels import buckets as measured
from posproof.theory.kernels.buckets import STARTS, T5_BUCKETS

CLAIMS = [T5_BUCKETS]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


@pytest.mark.parametrize("shape", STARTS)
def test_the_starts_are_those_of_the_integer_rule(shape):
    assert bucket_starts(*shape) == (*range(shape[0] // 2), *STARTS[shape])


@given(st.integers(1, 12), st.integers(1, 100), st.integers(0, 500))
def test_a_bucket_is_the_largest_one_reached(half, more, distance):
    furthest = half + more
    found = int(bucket(np.array([-distance]), 2 * half, furthest, bidirectional=False)[0])
    reached = [k for k in range(half) if distance**half * half**k >= half**half * furthest**k]
    assert found == (distance if distance < half else half + max(reached))


def test_float_formulas_agree_and_bfloat16_does_not():
    for dtype, right in (("float64", True), ("float32", True), ("bfloat16", False)):
        lost = [len(measured.wrong(measured.Formulas(dtype), *shape)) for shape in STARTS]
        assert (sum(lost) == 0) is right


def test_a_tie_is_a_power_of_the_quotient():
    for distance, k in ((16, 2), (32, 4), (64, 6)):
        assert math.isclose(8 * math.log(distance / 8) / math.log(16), k)
    rounded = replace(measured.Formulas("float64"), whole=lambda v: np.rint(v).astype(int))
    assert len(measured.wrong(rounded, 16, 128))
