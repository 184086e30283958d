"""The elliptic branch against printed values and independent computation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics.balls import enclose
from posproof.numerics.symplectic import elliptic as measured
from posproof.theory.symplectic import elliptic as theory

U64 = 2.0**-53
CLAIMS = [theory.ELLIPTIC_BRANCH]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


# ---------------------------------------------------------------------- the elliptic branch
def test_printed_fixed_point(agrees):
    """M = [[1, -1], [1, 0]] turns by pi / 3 about 1/2 + i sqrt(3) / 2, and kappa(N) = sqrt(3)."""
    x, y = measured.fixed(1.0, 1.0, 0.0)
    assert x == 0.5
    assert agrees(enclose(theory.sqrt(3) / 2, {}, 200), "0.8660254037844386467637232")
    assert abs(y - math.sqrt(3) / 2) <= 4 * U64
    assert agrees(enclose(theory.sqrt(3), {}, 200), "1.732050807568877293527446")
    assert abs(measured.condition(x, y) - math.sqrt(3)) <= 32 * U64


@given(st.floats(-1.9, 1.9), st.floats(-3, 3), st.floats(0.1, 4), st.booleans())
def test_the_condition_number_is_that_of_the_library(trace, apart, r, other_way):
    p, s = (trace + apart) / 2, (trace - apart) / 2
    x, y = measured.fixed(p, -r if other_way else r, s)
    direct = np.linalg.cond(measured.change(np.array(x), np.array(y)), 2)
    kappa = float(measured.condition(x, y))
    # arcosh near 1 loses half the digits of kappa - 1
    assert abs(direct / kappa - 1) <= 64 * U64 * kappa**2 + 2.0**-25


@given(st.floats(0.05, 3.0), st.integers(0, 40), st.integers(0, 10**6))
def test_scores_of_an_elliptic_map_are_rope_scores(theta, n, seed):
    source = np.random.default_rng(seed)
    x, y = source.uniform(-1, 1), source.uniform(0.5, 2)
    N = measured.change(np.array(x), np.array(y))
    back = measured.change_back(np.array(x), np.array(y))
    query, key = source.uniform(-1, 1, (2, 2))

    def turn(angle):
        return np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])

    left = query @ np.linalg.matrix_power(N @ turn(theta) @ back, n) @ key
    right = (N.T @ query) @ turn(n * theta) @ (back @ key)
    kappa = np.linalg.cond(N, 2)
    assert abs(left - right) <= (n + 1) * 64 * U64 * kappa**2 * 2
