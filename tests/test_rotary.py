"""Rotary embeddings: proofs, float kernels and reference values."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics import rotary as measured
from posproof.numerics.formats import FORMATS, round_exact
from posproof.numerics.rotary import BRAIN, DOUBLE, SINGLE
from posproof.theory.rotary import LAYOUTS, NORM, RELATIVE

CLAIMS = [RELATIVE, NORM, LAYOUTS]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


def test_rational_rotations_score_minus_four_fifths_at_lag_one():
    """Planes (3/5, 4/5) and (12/13, 5/13), q = e0, k = e1: the lag decides, not the positions."""
    for p, n in ((0, 1), (1, 2), (2, 3)):
        q, k = [Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]
        for _ in range(p):
            q = turned(q)
        for _ in range(n):
            k = turned(k)
        assert q[0] * k[0] + q[1] * k[1] == Fraction(-4, 5)


def turned(v):
    c, s = Fraction(3, 5), Fraction(4, 5)
    return [c * v[0] - s * v[1], s * v[0] + c * v[1]]


def test_yarn_factor_scales_scores_by_its_square():
    factor = 0.1 * math.log(4) + 1
    assert abs(factor - 1.138629436111989061883446) < 2 * 2.0**-52
    cosines, sines = measured.attention_scaled(np.ones((1, 64)), np.zeros((1, 64)), factor)
    turned_vector = measured.rotated(np.ones((1, 128)), cosines, sines, FORMATS["float64"])
    squared = float((turned_vector**2).sum() / 128)
    # 128 equal summands: a square and its sum, and the square of the factor
    assert abs(squared - 1.296476992780706180753577) < 140 * 2.0**-53 * 2


def test_float32_angles_at_the_last_position_lose_what_the_bound_says():
    frequencies = measured.ladder(64, 10_000.0, FORMATS["float32"])
    # theta_0 = 1 is exact; the next plane turns at 10^(-1/16)
    assert measured.angle_error(frequencies, SINGLE) == Fraction(1, 2**8)
    assert measured.angle_error(np.array([1.0, 0.5]), SINGLE) == 0


def test_float64_bound_is_of_the_size_of_one_angle_rounding_each():
    bound = measured.score_bound(measured.ladder(64, 10_000.0, FORMATS["float64"]), DOUBLE)
    assert bound.value < Fraction(16, 10**12)


@given(st.integers(0, 2**17), st.floats(0, 1))
def test_table_error_holds_in_bfloat16(position, theta):
    frequencies = np.array([theta])
    cosines, sines = measured.tables(np.array([float(position)]), frequencies, BRAIN)
    angle = float(np.float32(position * theta))
    for entry, exact in ((cosines, math.cos(angle)), (sines, math.sin(angle))):
        allowed = measured.table_error(BRAIN) * Fraction(abs(exact)) * (1 + 4 * measured.U64)
        tiny = FORMATS["bfloat16"].smallest_normal
        assert abs(Fraction(float(entry[0, 0])) - Fraction(exact)) <= max(allowed, tiny)


@given(st.lists(st.floats(-8, 8, width=32), min_size=4, max_size=4))
def test_rotation_rounds_every_operation_once(numbers):
    x, y, c, s = (Fraction(v) for v in numbers)
    form = FORMATS["float32"]

    def once(value):
        return round_exact(value, form)

    vector = np.array([[float(x), float(y)]])
    turned_vector = measured.rotated(vector, np.array([[float(c)]]), np.array([[float(s)]]), form)
    assert Fraction(float(turned_vector[0, 0])) == once(once(x * c) + once(-y * s))
    assert Fraction(float(turned_vector[0, 1])) == once(once(x * s) + once(y * c))
