"""Scores of boosts against printed values and independent computation."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics.balls import enclose, precision
from posproof.numerics.symplectic import boosts as measured
from posproof.theory.symplectic import boosts as theory

U64 = 2.0**-53
GAMMA, MU = fmpq(1, 10), fmpq(3, 50)


CLAIMS = [theory.LORENTZ_BOOST]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


def test_printed_peak(agrees):
    with precision(200):
        time, height = measured.peak(arb(GAMMA), arb(MU))
        assert agrees(time, "11.55245300933242182362054")
        assert agrees(height, "0.236235196855288718393852")


@pytest.mark.parametrize(
    ("n", "value"), [(10, "0.23421176"), (12, "0.23608821"), (20, "0.20428338")]
)
def test_printed_scores(n, value, agrees):
    with precision(200):
        assert agrees((-n * arb(GAMMA)).exp() * (n * arb(MU)).sinh(), value)


def test_the_boost_that_is_not_monotone():
    """q = (1, 0), k = (0, 1): 0 at distance 0, and higher at every distance up to 11."""
    n = np.arange(0, 40)
    values = measured.score((1.0, 0.0), (0.0, 1.0), 0.1, 0.06, n)
    assert values[0] == 0
    assert (np.diff(values[:12]) > 0).all() and (np.diff(values[12:]) < 0).all()
    with precision(200):
        assert not measured.falls(arb(1) / 2, -arb(1) / 2, arb(GAMMA), arb(MU))


def test_printed_sums_of_positions(agrees):
    """In the Euclidean product a boost on both sides depends on the sum of the positions."""
    of = theory.LORENTZ_BOOST.definitions
    query, key = theory.sympy.Matrix([1, 2]), theory.sympy.Matrix([theory.sympy.Rational(1, 2), -1])
    rate = theory.sympy.Rational(1, 20)

    def placed(i, j, form):
        left = theory.boosted(of, rate * i) * query
        return enclose((left.T * form * theory.boosted(of, rate * j) * key)[0, 0], {}, 200)

    plain = theory.sympy.eye(2)
    assert agrees(placed(3, 1, plain), "-1.530100133428614")
    assert agrees(placed(13, 11, plain), "-2.715983350986562189632")
    for i, j in ((3, 1), (13, 11)):
        assert agrees(placed(i, j, of.metric), "2.712843920179197049117")


def test_below_minus_four_a_symmetric_composition_is_minus_a_boost():
    """a = 4/3, b = -4 satisfy a = b (1 + a b / 4)."""
    a, b = Fraction(4, 3), Fraction(-4)
    assert a == b * (1 + a * b / 4) and a * b < -4
    trace = 2 + a * b
    assert trace < -2


@given(st.floats(0.01, 1), st.floats(0, 1), st.integers(0, 10**6), st.integers(0, 60))
def test_the_two_rates_are_the_boost(gamma, part, seed, n):
    mu = part * gamma
    query, key = np.random.default_rng(seed).uniform(-3, 3, (2, 2))
    c, s = math.cosh(n * mu), math.sinh(n * mu)
    direct = math.exp(-gamma * n) * (query @ np.array([[c, s], [s, c]]) @ key)
    bound = float(measured.score_bound(query, key, gamma, mu, n).value)
    # the direct form rounds the same quantities once more
    assert abs(direct - float(measured.score(query, key, gamma, mu, n))) <= 2 * bound


@given(st.floats(0.05, 1), st.floats(0.1, 0.9), st.floats(-2, 2), st.floats(-2, 2))
def test_equal_vectors_give_scores_that_fall(gamma, part, first, second):
    values = measured.score((first, second), (first, second), gamma, part * gamma, np.arange(30))
    slack = 64 * U64 * (1 + 30 * gamma) * (abs(first) + abs(second)) ** 2
    assert (np.diff(values) <= slack).all()
