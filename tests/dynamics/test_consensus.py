"""Consensus: its kernel, its linearisation and its gap against printed values."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import posproof
from posproof.numerics.attention import angle_field, integrate
from posproof.numerics.dynamics import consensus
from posproof.theory.dynamics import CONSENSUS

CLAIMS = [CONSENSUS]


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


# ---------------------------------------------------------------------- dynamics.consensus
@pytest.mark.parametrize(("n", "d"), [(4, 4), (5, 6), (3, 2)])
def test_difference_jacobians_have_the_spectrum_of_the_generator(n, d):
    rng = np.random.default_rng(d)
    m, beta = d // 2, 1.7
    theta, energy = rng.uniform(0, 3, m), rng.dirichlet(np.ones(m))
    X = consensus.consensus_tokens(n, energy, rng.uniform(0, 6, m))
    found = np.sort(np.linalg.eigvals(consensus.difference_jacobian(X, theta, beta)).real)
    rates = np.linalg.eigvals(consensus.kernel_matrix(n, theta, energy, beta)).real - 1
    assert np.abs(found - np.sort(np.repeat(rates, d - 1))).max() < 1e-8  # the printed tolerance
    assert (np.abs(found) < 1e-8).sum() == d - 1


def test_small_disagreement_decays_with_the_gap():
    n, beta, theta = 5, 1.0, 2 * math.pi / 5
    gap = consensus.gap(consensus.kernel_matrix(n, np.array([theta]), np.array([1.0]), beta))
    assert gap == pytest.approx(0.5516226349154982208, rel=1e-13)
    start = 1e-3 * np.random.default_rng(3).standard_normal(n)
    path = integrate(start, theta, beta, np.array([0.0, 15.0, 25.0]), accuracy=1e-13)
    spread = np.ptp(path, axis=1)
    # other modes are as slow to within the printed 2e-3
    assert -math.log(spread[2] / spread[1]) / 10 == pytest.approx(gap, abs=2e-3)


def test_a_ring_of_one_plane_has_the_circulant_spectrum():
    from posproof.numerics.dynamics import ring_spectrum

    A = consensus.kernel_matrix(7, np.array([2 * math.pi * 3 / 7]), np.array([1.0]), 2.0)
    found = np.sort(np.linalg.eigvals(A).real)
    assert found == pytest.approx(np.sort(ring_spectrum(7, 3, 2.0)), abs=1e-13)


def test_the_whole_energy_unrotated_gives_uniform_attention_and_gap_one():
    A = consensus.kernel_matrix(6, np.array([0.0, 2.0]), np.array([1.0, 0.0]), 3.0)
    assert np.abs(A - 1 / 6).max() <= 2.0**-52
    assert consensus.gap(A) == pytest.approx(1, abs=2.0**-48)


def test_rotated_values_move_equal_tokens():
    X = consensus.consensus_tokens(4, np.array([0.5, 0.5]), np.zeros(2))
    theta = np.array([0.7, 2.0])
    assert np.abs(consensus.values_rotated(X, theta, 1.0)).max() > 0.1
    none = consensus.values_rotated(X, np.zeros(2), 1.0)
    assert np.abs(none).max() <= float(consensus.field_bound(4, 2, 1.0).value)


@given(st.integers(2, 8), st.integers(1, 4), st.floats(0, 6), st.integers(0, 2**32 - 1))
def test_the_gap_lies_between_the_floor_and_one(n, m, beta, seed):
    rng = np.random.default_rng(seed)
    A = consensus.kernel_matrix(n, rng.uniform(0, math.pi, m), rng.dirichlet(np.ones(m)), beta)
    slack = (40 + 60 * beta + 16 * n) * 2.0**-52
    floor = n / (1 + (n - 1) * math.exp(2 * beta))
    assert floor - slack <= consensus.gap(A) <= 1 + slack


@given(st.integers(1, 6), st.floats(0, 4), st.floats(0, math.pi), st.integers(0, 2**32 - 1))
def test_planes_and_angles_have_one_field(n, beta, theta, seed):
    phi = np.random.default_rng(seed).uniform(0, 2 * math.pi, n)
    X = np.exp(1j * phi)[:, None]
    field = consensus.velocities(X, np.array([theta]), beta)[:, 0]
    speed = (field * np.exp(-1j * phi)).imag
    slack = 4 * float(consensus.field_bound(n, 1, beta).value) + 64 * n * 2.0**-52 * (1 + beta)
    assert np.abs(speed - angle_field(phi, theta, beta)).max() <= slack
