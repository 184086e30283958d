"""The assertion for scores of points: every gauge passes, each fault is seen and named."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posproof import testing
from posproof.numerics import wigner
from posproof.numerics.formats import FORMATS
from posproof.numerics.spherical import gauge
from posproof.numerics.triangles import triangle_value, triangles_to_try

U = 2.0**-53


def angles(x):
    """Polar angle and longitude."""
    return np.arctan2(np.hypot(x[0], x[1]), x[2]), np.arctan2(x[1], x[0])


def lifted(turn):
    """Scores with the lift R_z(phi) R_y(theta) R_z(turn(theta, phi))."""

    def score(degree, channel, x, y):
        columns = []
        for point in (x, y):
            theta, phi = angles(np.asarray(point, dtype=np.float64))
            D = wigner.matrix(2 * degree, [phi, theta, turn(theta, phi)])
            columns.append(D[:, degree + channel])
        return np.vdot(*columns)

    return score


GAUGES = {
    "latitude and longitude": lambda theta, phi: 0.0,
    "north": lambda theta, phi: -phi,
    "south": lambda theta, phi: phi,
    "arbitrary": lambda theta, phi: np.sin(40 * theta) + np.cos(9 * phi),
    "jumping": lambda theta, phi: 3.0 if phi > 0.5 else -1.0,
}


@pytest.mark.parametrize("name", GAUGES)
@pytest.mark.parametrize(("degree", "channel"), [(1, 1), (2, -1), (3, 0), (6, 5)])
def test_every_gauge_passes(name, degree, channel):
    score = lifted(GAUGES[name])
    testing.assert_triangle_phase(score, dtype="float64", degree=degree, channel=channel)


def test_float32_has_its_own_tolerance():
    def score(degree, channel, x, y):
        assert x.dtype == np.float32
        return np.complex64(lifted(GAUGES["north"])(degree, channel, x, y))

    testing.assert_triangle_phase(score, dtype="float32", degree=2, channel=2)


def test_float32_scores_are_not_those_of_float64():
    def rounded(*at):
        return np.complex64(lifted(GAUGES["north"])(*at))

    with pytest.raises(AssertionError, match="the bound is"):
        testing.assert_triangle_phase(rounded, dtype="float64", degree=2, channel=2)


PLAIN = lifted(GAUGES["latitude and longitude"])
FAULTS = {
    "conjugate": (lambda *at: np.conj(PLAIN(*at)), "opposite sign"),
    "other channel": (lambda n, m, x, y: PLAIN(n, -m, x, y), "opposite sign"),
    "distance alone": (
        lambda n, m, x, y: wigner.small(2 * n, gauge.distance(x, y))[n + m, n + m],
        "no curvature",
    ),
    "a phase for each token": (
        lambda n, m, x, y: (
            np.exp(3j * (y[0] - x[0])) * wigner.small(2 * n, gauge.distance(x, y))[n + m, n + m]
        ),
        "no curvature",
    ),
    "half the polar angle": (
        lambda n, m, x, y: wigner.small(2 * n, gauge.distance(x, y) / 2)[n + m, n + m] + 0j,
        "another d_mm",
    ),
    "lift of the pair": (
        lambda n, m, x, y: PLAIN(n, m, x, y) * np.exp(1j * x[0] * y[1]),
        "depend on more",
    ),
    "not a number": (lambda *at: np.nan, "not finite"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_is_seen_and_named(fault):
    score, words = FAULTS[fault]
    with pytest.raises(AssertionError, match=words) as failure:
        testing.assert_triangle_phase(score, dtype="float64", degree=2, channel=1)
    assert "x, y, z = (" in str(failure.value)


def test_what_makes_no_sense_is_refused():
    with pytest.raises(ValueError, match="channel"):
        testing.assert_triangle_phase(PLAIN, dtype="float64", degree=1, channel=2)
    with pytest.raises(ValueError, match="shape"):
        testing.assert_triangle_phase(lambda *at: np.eye(3), dtype="float64", degree=1, channel=1)
    with pytest.raises(ValueError, match="seed"):
        testing.assert_triangle_phase(PLAIN, dtype="float64", degree=1, channel=1, seed=-1)
    with pytest.raises(testing.NoTolerance):
        testing.assert_triangle_phase(PLAIN, dtype="float8_e5m2", degree=1, channel=1)


@pytest.mark.parametrize(("degree", "channel", "printed"), [(1, 1, 1j / 8), (2, 2, -1 / 64)])
def test_printed_octant(degree, channel, printed):
    value = triangle_value(degree, channel, (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    assert abs(value - printed) <= U


@given(st.integers(1, 8), st.integers(-8, 8), st.integers(0, 30))
def test_values_are_those_of_wigner_matrices(degree, channel, row):
    channel = max(-degree, min(degree, channel))
    corners = triangles_to_try(FORMATS["float64"], 5)[row]
    at = np.array([angles(corner) for corner in corners])
    found = gauge.triangle_scores(2 * degree, at[None])[0, degree + channel]
    # angles of vectors that are rounded: 4 u each, turned into phases by the channel
    bound = float(gauge.triangle_bound(2 * degree).value) + 64 * degree * U
    assert abs(found - triangle_value(degree, channel, *corners)) <= bound


def test_corners_keep_away_from_the_axis_and_are_numbers_of_the_format():
    for name in ("float32", "float64"):
        corners = np.array(triangles_to_try(FORMATS[name], 0))
        assert corners.shape == (31, 3, 3)
        assert np.hypot(corners[..., 0], corners[..., 1]).min() >= 0.99 / 16
        assert np.abs(np.linalg.norm(corners, axis=-1) - 1).max() <= 4 * FORMATS[name].unit_roundoff
