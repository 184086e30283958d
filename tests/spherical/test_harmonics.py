"""Zonal scores against printed values and independent computation."""

import math

import mpmath as mp
import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import eval_legendre, sph_harm_y

import posproof
from posproof.numerics import wigner
from posproof.numerics.balls import precision
from posproof.numerics.spherical import gauge, harmonics
from posproof.theory.spherical import ADDITION_THEOREM

CLAIMS = [ADDITION_THEOREM]
U = 2.0**-53


@pytest.fixture(scope="module")
def results():
    """The topic's claims as verified, by id."""
    return {found.id: found for found in posproof.verify(*(c.id for c in CLAIMS), jobs=2).claims}


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda c: c.id)
def test_every_check_holds_and_every_control_is_refuted(results, claim):
    found = results[claim.id]
    assert found.verdict == "verified"
    assert {clause.name for clause in found.clauses} == {clause.name for clause in claim.clauses}
    assert found.controls
    assert {finding.verdict for finding in found.controls} == {"refuted"}


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
