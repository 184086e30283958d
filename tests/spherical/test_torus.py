"""Frequencies, generators and characters against printed values and other formulas."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import sympy
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

import posproof
from posproof.numerics import wigner
from posproof.numerics.balls import precision
from posproof.numerics.spherical import torus as measured
from posproof.theory.spherical import torus as theory

CLAIMS = [theory.MAXIMAL_TORUS, theory.GENERATORS, theory.CHARACTERS]


@pytest.fixture(scope="module")
def results():
    return {found.id: found for found in posproof.verify(*(c.id for c in CLAIMS), jobs=2).claims}


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(results, claim):
    found = results[claim.id]
    assert found.verdict == "verified"
    assert {clause.name for clause in found.clauses} == {c.name for c in claim.clauses}
    assert {finding.verdict for finding in found.controls} == {"refuted"}


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


# ---------------------------------------------------------------------- characters
CHARACTERS = [(6, "-0.7316740545588962537364088"), (3, "1.896639527116151252408943")]


@pytest.mark.parametrize(("twice", "printed"), CHARACTERS)
def test_printed_characters(twice, printed, agrees):
    with precision(200):
        assert agrees(measured.character_ball(twice, 1), printed)
    assert measured.character(twice, 1.0) == pytest.approx(float(printed), abs=1e-14)


MINIMA = [(2, "-0.3333333"), (4, "-0.25"), (10, "-0.22341"), (20, "-0.218901"), (128, "-0.217278")]


@pytest.mark.parametrize(("twice", "printed"), MINIMA)
def test_printed_minima_of_the_mean_score(twice, printed, agrees):
    assert agrees(measured.lowest_mean(twice), printed)


def test_printed_limit_of_the_minima(agrees):
    with precision(200):
        at = arb("4.493409457909064175307881")
        assert agrees(at.sin() / at, "-0.2172336282112216574082793")
        assert abs(at.sin() - at * at.cos()) < arb(fmpq(1, 10**23))


def test_minimum_of_degree_one_is_at_a_half_turn():
    assert measured.character(2, math.pi) == pytest.approx(-1, abs=float(8 * 3 * wigner.U))


@given(st.integers(0, 30), st.floats(0, 2 * math.pi))
def test_characters_in_float64_keep_their_bound(twice, omega):
    with precision(200):
        off = abs(arb(measured.character(twice, omega)) - measured.character_ball(twice, omega))
    assert float(off.upper()) <= float(measured.character_bound(twice, omega) * Fraction(101, 100))


def test_a_character_is_the_trace():
    for twice in (1, 2, 5):
        for omega in (0.3, 1.0, 2.5):
            q = np.array([math.cos(omega / 2), *(np.array([2, 3, 6]) / 7 * math.sin(omega / 2))])
            D = wigner.matrix(twice, wigner.angles_of_quaternions(q))
            slack = (twice + 1) * float(wigner.matrix_bound(twice)) + float(
                measured.character_bound(twice, omega)
            )
            slack += (twice + 1) * float(measured.angle_error(twice))
            assert abs(np.trace(D) - measured.character(twice, omega)) <= slack
