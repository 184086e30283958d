"""Frequencies and generators against printed values and other formulas."""

from __future__ import annotations

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics import wigner
from posproof.numerics.spherical import torus as measured
from posproof.theory.spherical import torus as theory

CLAIMS = [theory.MAXIMAL_TORUS, theory.GENERATORS]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


# ---------------------------------------------------------------------- frequencies
def test_printed_multiplicities():
    assert measured.frequencies({4: 1, 2: 1}) == {-4: 1, -2: 2, 0: 2, 2: 2, 4: 1}


@pytest.mark.parametrize("mu", [{2: 1, -2: 1}, {0: 1, 4: 1, -4: 1}, {2: 1}, {0: 1, 2: 2, -2: 2}])
def test_multisets_that_do_not_occur(mu):
    assert measured.decompose(mu) is None
    assert measured.peeled(mu) is None


SPINS = st.builds(
    lambda d, odd: {2 * spin + odd: c for spin, c in d.items()},
    st.dictionaries(st.integers(0, 12), st.integers(1, 5), max_size=6),
    st.integers(0, 1),
)


@given(SPINS)
def test_spins_are_read_off_their_frequencies(spins):
    mu = measured.frequencies(spins)
    assert measured.decompose(mu) == spins == measured.peeled(mu)
    planes = sum(copies for order, copies in mu.items() if order > 0)
    channels = sum(c * (twice + 1) for twice, c in spins.items())
    assert 2 * planes + mu.get(0, 0) == channels


# ---------------------------------------------------------------------- generators
def test_printed_casimir():
    total = sum(J @ J for J in measured.angular(3))
    assert np.abs(total - 15 / 4 * np.eye(4)).max() < 2.0**-48
    assert theory.Generators().casimir(sympy.Rational(3, 2)) == sympy.Rational(15, 4)


def test_series_of_the_exponential_at_seven_halves():
    beta = 0.7
    found = measured.exponential(7, beta, np.array([0.0, 1.0, 0.0]))
    bound = measured.exponential_bound(7, beta, np.array([0.0, 1.0, 0.0]))
    assert np.abs(found - wigner.small(7, beta)).max() <= float(bound)
    assert np.abs(found - wigner.small(7, beta)).max() < 4e-15


@pytest.mark.parametrize("twice", [1, 2, 3, 6])
def test_eigenvalues_do_not_depend_on_the_axis(twice):
    draw = np.random.default_rng(3)
    for axis in draw.normal(size=(5, 3)):
        x, y, z = measured.angular(twice)
        values = np.linalg.eigvalsh(axis[0] * x + axis[1] * y + axis[2] * z)
        expected = np.arange(-twice, twice + 1, 2) / 2 * np.linalg.norm(axis)
        assert np.abs(values - expected).max() < 2.0**-45 * np.linalg.norm(axis)


@given(st.integers(1, 12), st.floats(0, 3))
def test_largest_distance_is_that_of_the_top_frequency(twice, delta):
    D = wigner.matrix(twice, [delta, 0.0, 0.0]) - np.eye(twice + 1)
    m = np.arange(-twice, twice + 1, 2) / 2
    expected = np.abs(2 * np.sin(m * delta / 2)).max()
    slack = (twice + 1) * float(wigner.matrix_bound(twice))
    assert abs(np.linalg.norm(D, 2) - expected) <= 2 * slack
    assert expected <= twice / 2 * delta + slack


def test_numbers_with_a_derivative():
    x = theory.Dual(sympy.Integer(3), sympy.Integer(1))
    cube = x**3 + 2 * x
    assert (cube.value, cube.slope) == (33, 29)
