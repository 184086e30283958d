"""The energy's derivative against the printed values and against independent computation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics.attention import angle_field, attention, energy, energy_rate, velocities
from posproof.numerics.balls import enclose
from posproof.numerics.dynamics.energy import random_tokens
from posproof.theory.dynamics import energy as theory

OF = theory.ENERGY.definitions


CLAIMS = [theory.ENERGY]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


FIRST, TURN, HALF = theory.FIRST, theory.ROTATION, theory.HALF_TURN
PRINTED = [
    (TURN, [(4, 3)], "0.0806824264109985362246522274534"),
    (TURN, [(-4, 3)], "-0.00397107094986630354857219890209"),
    (TURN, [(4, -3), (3, -4)], "-0.1899187073901467859053781514955"),
    (TURN, [(3, -4), (-4, -3)], "0.21633642621230081335444514784603"),
    (HALF, [(5, 0), (3, 4)], "0.08439268512860011555113"),
    (HALF, [(3, 4), (5, 0)], "-0.02960842232443655946889"),
]


@pytest.mark.parametrize(("rotation", "others", "value"), PRINTED)
def test_printed_derivatives(rotation, others, value, agrees):
    points = (FIRST, *(theory.fifths(*other) for other in others))
    assert agrees(enclose(OF.at_points(points, rotation, theory.Whole(1)), {}, 200), value)


def test_without_rotation_the_second_witness_rises(agrees):
    points = (FIRST, theory.fifths(-4, 3))
    still = (theory.Whole(1), theory.Whole(0))
    value = enclose(OF.at_points(points, still, theory.Whole(1)), {}, 200)
    assert agrees(value, "0.01147280256911897")


@given(st.integers(2, 6), st.integers(1, 3), st.integers(0, 10**6), st.floats(0.2, 3.0))
def test_unrotated_energy_never_falls(n, m, seed, beta):
    # a sum of squares, computed with a few roundings of a quantity below exp(3)
    assert energy_rate(random_tokens(n, m, seed), np.zeros(m), beta) >= -(2.0**-40)


@given(st.integers(2, 6), st.integers(0, 10**6), st.floats(0.2, 2.0), st.floats(0.1, 3.0))
def test_plane_tokens_have_the_velocities_of_their_angles(n, seed, beta, theta):
    X = random_tokens(n, 1, seed)
    field = angle_field(np.angle(X[:, 0]), theta, beta)
    moved = velocities(X, np.array([theta]), beta)[:, 0]
    assert np.abs(moved - 1j * X[:, 0] * field).max() < 2.0**-44  # a few dozen roundings below 1


@given(st.integers(1, 6), st.integers(1, 3), st.integers(0, 10**6), st.floats(0.0, 3.0))
def test_rows_of_the_kernel_sum_to_one(n, m, seed, beta):
    A = attention(random_tokens(n, m, seed), np.linspace(0.3, 2, m), beta)
    assert np.abs(A.sum(axis=1) - 1).max() <= 2 * n * 2.0**-53
    assert A.argmax(axis=1).tolist() == list(range(n)) or beta == 0 or n == 1 or beta < 1e-6


def test_twisted_branch_has_the_largest_energy():
    n, theta, beta = 5, 0.7, 1.3
    twisted = np.exp(-1j * theta * np.arange(n))[:, None]
    assert energy(twisted, np.array([theta]), beta) == pytest.approx(
        np.exp(beta) / (2 * beta), rel=2.0**-48
    )
    others = [energy(random_tokens(n, 1, seed), np.array([theta]), beta) for seed in range(20)]
    assert max(others) < np.exp(beta) / (2 * beta)


def test_slope_near_consensus():
    n, theta, beta, step = 5, 0.7, 1.0, 1e-5
    xi = np.array([0.3, -1.0, 0.4, 0.9, -0.2])
    index = np.arange(n)
    W = np.exp(beta * np.cos(theta * (index[None, :] - index[:, None])))
    g = (W * np.sin(theta * (index[None, :] - index[:, None]))).sum(axis=1) / n**2
    slope = g @ (W @ xi / W.sum(axis=1) - xi)
    near = [
        energy_rate(np.exp(1j * s * step * xi)[:, None], np.array([theta]), beta) for s in (1, -1)
    ]
    # central difference: third-order remainder below step^2 times a constant of order one
    assert (near[0] - near[1]) / (2 * step) == pytest.approx(slope, abs=1e-8)
