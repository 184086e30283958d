"""Zonal scores against printed values and independent computation."""

import dataclasses
import math
from fractions import Fraction

import mpmath as mp
import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import eval_legendre, sph_harm_y

from posproof.numerics import wigner
from posproof.numerics.balls import precision
from posproof.numerics.spherical import gauge, harmonics
from posproof.theory.spherical import ADDITION_THEOREM, FLAT_LIMIT, QUADRATURE

CLAIMS = [ADDITION_THEOREM, QUADRATURE, FLAT_LIMIT]
U = 2.0**-53


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


# ---------------------------------------------------------------------- spherical.addition_theorem
def test_printed_legendre_value():
    printed = "0.2954814598944670657693462"
    with precision(200):
        half = arb(fmpq(7, 20))
        value = harmonics.zonal_series(10, half.cos() ** 2, half.sin() ** 2)
        with mp.workdps(40):
            assert abs(mp.mpf(value.str(40, radius=False)) - mp.mpf(printed)) < mp.mpf(10) ** -25
    assert wigner.small(20, 0.7)[10, 10] == pytest.approx(float(printed), rel=16 * U)


@given(st.integers(0, 12), st.integers(-9, 9), st.integers(-9, 9))
def test_the_series_is_the_middle_entry(degree, real, imag):
    a, b = gauge.gaussian(real, 2), gauge.gaussian(1, imag)
    middle = gauge.form_action(2 * degree, gauge.unitary(a, b))[degree][degree]
    series = harmonics.zonal_series(degree, a.square(), b.square())
    assert middle == gauge.Gaussian(series, fmpq(0))


@pytest.mark.parametrize("degree", [1, 2, 10, 64])
def test_the_middle_column_holds_spherical_harmonics(degree):
    """With the sign of SciPy's harmonics, argument order (l, m, theta, phi)."""
    theta, phi = 0.7, 0.4
    column = wigner.matrix(2 * degree, [phi, theta, 0.0])[:, degree]
    m = np.arange(-degree, degree + 1)
    expected = math.sqrt(4 * math.pi / (2 * degree + 1)) * sph_harm_y(degree, m, theta, phi).conj()
    # SciPy's own recursion loses about l units of the last place
    assert np.abs(column - expected).max() <= 16 * (degree + 4) * U


@given(st.floats(0.01, 3.1), st.floats(-3, 3), st.floats(0.01, 3.1), st.floats(-3, 3))
def test_the_score_is_that_of_the_cosine(theta, phi, other, shift):
    x, y = (theta, phi), (other, shift)
    cosine = float(gauge.place(x) @ gauge.place(y))
    found = complex(harmonics.zonal_scores(7, x, y))
    # the cosine is off by 8 u and P_7 has slope at most 28
    assert abs(found - eval_legendre(7, cosine)) <= float(harmonics.zonal_bound(7).value) + 256 * U


def test_a_matrix_of_scores_is_positive():
    x = gauge.random_places(np.random.default_rng(1), 40)
    K = harmonics.zonal_scores(5, x[:, None], x[None, :])
    bound = 40 * float(harmonics.zonal_bound(5).value)
    assert np.linalg.eigvalsh((K + K.conj().T) / 2).min() >= -bound
    assert np.linalg.matrix_rank(K, tol=bound) == 11


# ---------------------------------------------------------------------- spherical.quadrature
def test_equal_weights_are_off_by_42_25ths():
    rows = [(1.0, 3 / 5, 4 / 5), (1.0, 3 / 5, -4 / 5), (1.0, 1.0, 0.0)]
    grid = harmonics._grid(np.array(rows), 4)
    at_pole, at_east = harmonics.grid_sums(grid, np.eye(3)[[2, 0]], np.square)
    assert at_pole == pytest.approx(128 / 25, rel=64 * U)
    assert at_pole - at_east == pytest.approx(42 / 25, rel=128 * U)


def test_two_latitudes_and_four_longitudes():
    x = np.array([[0, 0, 1], [1, 0, 0], [2 / 7, 3 / 7, 6 / 7]])
    values = harmonics.grid_sums(harmonics.gauss_grid(2), x, np.square)
    assert values == pytest.approx(8 / 3, rel=64 * U)


@pytest.mark.parametrize("n", [1, 2, 5, 12, 40])
def test_nodes_are_those_of_numpy(n):
    z, w = np.polynomial.legendre.leggauss(n)
    rows = harmonics.gauss_rows(n)
    order = np.argsort(rows[:, 2])
    # NumPy promises nothing; it is tested to degree 100
    assert rows[order, 2] == pytest.approx(z, abs=64 * U)
    assert rows[order, 0] == pytest.approx(w, abs=64 * U)
    assert rows[:, 0].sum() == pytest.approx(2, abs=n * U)


@pytest.mark.parametrize(
    ("grid", "n", "kappa", "printed"),
    [
        (harmonics.equal_grid, 8, 1, 7.7e-2),
        (harmonics.equal_grid, 16, 1, 7.7e-2),
        (harmonics.equal_grid, 32, 1, 7.7e-2),
        (harmonics.sine_grid, 8, 1, 2.1e-3),
        (harmonics.sine_grid, 16, 1, 5.1e-4),
        (harmonics.sine_grid, 32, 1, 1.3e-4),
        (harmonics.equal_grid, 8, 8, 1.3),
        (harmonics.sine_grid, 8, 8, 5.2e-2),
        (harmonics.sine_grid, 16, 8, 1.2e-2),
        (harmonics.sine_grid, 32, 8, 2.8e-3),
        (harmonics.gauss_grid, 8, 8, 4.0e-6),
    ],
)
def test_printed_defects(grid, n, kappa, printed):
    x = harmonics.random_vectors(np.random.default_rng(0), 400)
    assert harmonics.exponential_defect(grid(n), kappa, x) == pytest.approx(printed, rel=0.05)


def test_logarithms_of_weights_make_a_softmax_turn_with_the_grid():
    """exp(kappa x.y + log w) / sum is the same attention, and its sum does not depend on x."""
    grid = harmonics.gauss_grid(16)
    x = harmonics.random_vectors(np.random.default_rng(3), 50)
    logits = 2 * x @ grid.points.T + np.log(grid.weights)
    sums = np.exp(logits).sum(axis=1)
    assert np.ptp(sums) / sums[0] <= 2 * float(harmonics.exponential_bound(16, 2).value)


# ---------------------------------------------------------------------- spherical.flat_limit
def close(value, printed):
    """A ball against a printed decimal, to one unit of its last digit."""
    unit = 10.0 ** -len(printed.split(".")[1])
    return abs(float(value) - float(printed)) <= unit


@pytest.mark.parametrize(
    ("degree", "printed"),
    [(32, "-0.2375851567"), (64, "-0.2374629074"), (128, "-0.2374318085"), (256, "-0.2374239643")],
)
def test_printed_approach_of_the_flat_limit(degree, printed):
    with precision(8 * degree + 256):
        value = harmonics.FLAT.scaled(degree, 0, 0, Fraction(3))
        limit = harmonics.FLAT.correction(Fraction(3))
        assert close(value, printed)
        assert abs(float(limit) - float("-0.237421335992192")) <= 4 * U


@pytest.mark.parametrize(
    ("row", "column", "low", "high"),
    [(1, 0, 0.354, 0.388), (1, 1, 0.251, 0.267), (2, 1, 1.37, 1.49), (2, 2, 1.73, 1.77)],
)
def test_printed_errors_of_other_entries(row, column, low, high):
    """l^2 times the error at r = 3, for l = 8 .. 64; printed to three digits."""
    with precision(1024):
        for degree in (8, 16, 32, 64):
            scaled = abs(float(harmonics.FLAT.scaled(degree, row, column, Fraction(3))))
            error = scaled * (degree / (degree + 0.5)) ** 2
            assert low - 0.006 <= error <= high + 0.006


def test_printed_divergence_of_the_opposite_order():
    opposite = dataclasses.replace(harmonics.FLAT, order=lambda row, column: row - column)
    with precision(1024):
        for degree, printed in ((8, 44), (16, 174), (32, 695), (64, 2778)):
            scaled = abs(float(opposite.scaled(degree, 1, 0, Fraction(3))))
            assert scaled * (degree / (degree + 0.5)) ** 2 == pytest.approx(printed, rel=0.02)


def test_l_instead_of_l_plus_a_half_is_off_by_half():
    """l times the error of d_00 at r = 3."""
    plain = dataclasses.replace(harmonics.FLAT, shift=Fraction(0))
    with precision(4096):
        error = abs(float(plain.scaled(256, 0, 0, Fraction(3)))) / 256
    assert error == pytest.approx(0.5, abs=0.02)


def test_entries_in_balls_are_those_in_floats():
    with precision(512):
        for row, column in ((0, 0), (3, 5), (10, 2)):
            value = float(harmonics.entry_of_small(20, row, column, arb(0.7)))
            assert abs(value - wigner.small(20, 0.7)[row, column]) <= float(wigner.entry_bound(20))
