"""Coordinates of unitary tokens: proofs, round trips, and the readout that jumps."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics.unitary import coordinates as measured
from posproof.numerics.unitary_matrices import haar, norms
from posproof.theory.unitary.coordinates import DIMENSION

CLAIMS = [DIMENSION]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


# ---------------------------------------------------------------------- the count
def test_a_token_of_u8_has_64_numbers():
    assert measured.encode(haar(8, 1, np.random.default_rng(0))[0]).shape == (64,)


@given(st.integers(1, 8), st.integers(0, 2**32))
def test_any_numbers_of_the_chart_are_read_back(n, seed):
    """The other direction: coordinates inside the chart, their matrix, and the same coordinates.

    Pivots of at least 1/2 keep every division harmless; a token of size n <= 8 costs some hundred
    roundings at each of its n sizes, each column grown by at most a factor 2 + 2.
    """
    source = np.random.default_rng(seed)
    parts = []
    for k in range(n - 1, -1, -1):
        x = source.standard_normal(2 * k)
        x *= source.uniform(0, 0.8) / max(1e-300, np.sqrt((x**2).sum()))
        parts.append(np.append(x, source.uniform(-3, 3)))
    coordinates = np.concatenate(parts)
    back = measured.encode(measured.decode(coordinates))
    assert np.abs(back - coordinates).max() <= 4**n * 100 * 2.0**-53


# ---------------------------------------------------------------------- the jump
def test_the_readout_jumps_by_more_than_two_across_a_vanishing_pivot():
    epsilon = 1e-12
    r = math.sqrt(1 - epsilon**2)
    above, below = (np.array([[-y, r], [r, y]], dtype=complex) for y in (epsilon, -epsilon))
    assert np.linalg.norm(above - below, 2) <= 2 * epsilon * (1 + 2.0**-48)
    assert np.linalg.norm(measured.encode(above)[:3] - measured.encode(below)[:3]) > 2


def test_a_pivot_of_1e_8_costs_half_the_digits():
    """The error is of the order u / |U_nn|: more than 1e-10, and within the bound that says so."""
    source = np.random.default_rng(0)
    U = measured.small_pivot(8, 1e-8, source)
    error = float(norms(measured.decode(measured.encode(U)) - U))
    assert error > 1e-10
    assert Fraction(error) <= measured.round_trip_bound(U).value < Fraction(1, 10**6)


def test_pivots_of_a_token_are_its_divisors():
    U = measured.small_pivot(4, 0.25, np.random.default_rng(2))
    assert abs(measured.pivots(U)[0] - 0.25) <= 4 * 2.0**-53
    assert abs(measured.pivots(U)[-1] - 1) <= 4**4 * 100 * 2.0**-53


def test_numbers_that_are_no_square_are_refused():
    with pytest.raises(ValueError, match="no square"):
        measured.decode(np.zeros(3))
