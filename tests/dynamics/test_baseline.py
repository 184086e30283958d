"""Uniform attention against printed values and independent computation."""

import cmath

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics.attention import angle_field
from posproof.numerics.dynamics import baseline
from posproof.theory.dynamics import UNIFORM_BASELINE

CLAIMS = [UNIFORM_BASELINE]
U = 2.0**-53


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


# ---------------------------------------------------------------------- dynamics.uniform_baseline
def ratio_at(theta, beta, start, times):
    path, _ = baseline.circle_flow(lambda phi: angle_field(phi, theta, beta), start, list(times))
    return [baseline.cross_ratio(phi) for phi in path]


def test_the_cross_ratio_is_that_of_the_points():
    z = [cmath.exp(1j * angle) for angle in baseline.START]
    expected = (z[0] - z[1]) * (z[2] - z[3]) / ((z[0] - z[2]) * (z[1] - z[3]))
    assert abs(expected.imag) < 8 * U
    assert baseline.cross_ratio(baseline.START) == pytest.approx(expected.real, rel=32 * U)


PRINTED = {
    (0.0, 0.0): (0.397808150899, 0.397808150899, 0.397808150899),
    (0.0, 1.0): (0.39781, 0.38786, 0.38293),
    (1.0, 1.0): (0.39781, 0.37142, 0.25845),
}


@pytest.mark.parametrize(("theta", "beta"), PRINTED)
def test_printed_cross_ratios_along_three_flows(theta, beta):
    values = ratio_at(theta, beta, baseline.START, (0.0, 1.0, 2.0))
    unit = 1e-12 if beta == 0 else 1e-5  # one unit of the last printed digit
    assert values == pytest.approx(PRINTED[theta, beta], abs=unit)


@given(st.lists(st.floats(-3, 3), min_size=1, max_size=8))
def test_the_field_is_the_pull_of_the_mean(phi):
    angles = np.array(phi)
    a, b = np.cos(angles).mean(), np.sin(angles).mean()
    expected = b * np.cos(angles) - a * np.sin(angles)
    # means of at most 8 terms below 1, each rounded a few times
    assert np.abs(angle_field(angles, 0.7, 0.0) - expected).max() <= 32 * U


def test_consensus_has_the_rate_one():
    """The Jacobian at consensus by central differences: 0 once and -1 for all other modes."""
    n, h = 5, 2.0**-13
    step = np.eye(n) * h
    rows = [angle_field(e, 0.3, 0.0) - angle_field(-e, 0.3, 0.0) for e in step]
    values = np.sort(np.linalg.eigvals(np.array(rows).T / (2 * h)).real)
    # the field is odd around consensus: the differences are off by h^2 / 6 and by u / h
    assert values == pytest.approx([-1] * (n - 1) + [0], abs=h**2 + 4 * U / h)


@given(st.floats(0.05, 3.1), st.lists(st.floats(0, 1), max_size=5))
def test_an_arc_shrinks_at_least_at_its_sine(D, inside):
    phi = D * np.array([0.0, 1.0, *inside])
    velocity = angle_field(phi, 0.0, 0.0)
    assert velocity[1] - velocity[0] <= -np.sin(D) + 32 * U


def test_two_tokens_meet_the_bound():
    path, bound = baseline.circle_flow(
        lambda phi: angle_field(phi, 0.0, 0.0), np.array([0.0, 2.9]), [0.0, 0.5, 1.5]
    )
    expected = np.exp(-np.array([0.0, 0.5, 1.5])) * np.tan(2.9 / 2)
    found = np.tan(baseline.arc(path) / 2)
    slope = 1 + np.tan(2.9 / 2) ** 2
    assert np.abs(found - expected).max() <= float(bound.value) * slope
