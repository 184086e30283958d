"""Floors of the softmax and the bound of its spectrum against printed values."""

import math

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics.balls import enclose, precision
from posproof.numerics.dynamics import kernel
from posproof.theory.dynamics import FLOORS, REVERSIBLE, SPECTRAL_BOUND

CLAIMS = [FLOORS, SPECTRAL_BOUND, REVERSIBLE]
ATTENTION = FLOORS.definitions


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


# ---------------------------------------------------------------------- dynamics.floors
@pytest.mark.parametrize(
    ("n", "beta", "printed"),
    [
        (3, 2, "0.009074714844313747042947704"),
        (8, 1, "0.01896691295706347532573397"),
        (16, 4, "0.00002236367504835403734283369"),
    ],
)
def test_printed_floors(agrees, n, beta, printed):
    assert agrees(enclose(ATTENTION.floor(n, beta), {}, 200), printed)
    assert kernel.floor(n, beta) == pytest.approx(float(printed), rel=1e-14)


def test_printed_gap_of_eight_tokens(agrees):
    assert agrees(enclose(8 * ATTENTION.floor(8, 1), {}, 200), "0.1517353036565078026058718")


def test_extremal_configuration_to_two_units_of_the_last_digit():
    theta = np.array([0.9, 2.1])
    X = kernel.rotate(np.array(kernel.lowest(5, [0.6, 0.0, 0.8, 0.0])), -theta)
    entry = kernel.attention(X, theta, 1.5)[0, 4]
    assert kernel.floor(5, 1.5) == pytest.approx(0.012293749653343877, rel=2**-52)
    assert entry == pytest.approx(kernel.floor(5, 1.5), rel=2**-50)


def test_margins_of_a_wrong_and_of_a_lax_floor():
    reached = kernel.floor(5, 1.5)
    assert reached - 1 / (1 + 4 * math.exp(1.5)) == pytest.approx(-0.0405, abs=5e-5)
    assert reached - 1 / (5 * math.exp(3)) == pytest.approx(2.3e-3, abs=5e-5)


@given(st.integers(2, 7), st.integers(1, 3), st.floats(0, 6), st.integers(0, 2**32 - 1))
def test_rows_sum_to_one_and_the_diagonal_is_largest(n, m, beta, seed):
    theta = np.random.default_rng(seed).uniform(0, math.pi, m)
    A = kernel.attention(kernel.tokens(n, m, seed), theta, beta)
    slack = float(kernel.entry_bound(n, 2 * m, beta).value)
    assert np.abs(A.sum(axis=1) - 1).max() <= n * 2.0**-52
    assert (np.diag(A)[:, None] * (1 + slack) >= A).all()


@given(st.integers(0, 2**32 - 1))
def test_rational_points_lie_on_the_sphere(seed):
    point = kernel.rational_point(np.random.default_rng(seed))
    assert sum((x * x for x in point), fmpq(0)) == 1


def test_rotation_by_the_position_is_undone_by_the_opposite_one():
    X, theta = kernel.tokens(6, 3, 1), np.array([0.3, 1.1, 3.0])
    back = kernel.rotate(kernel.rotate(X, theta), -theta)
    assert np.abs(back - X).max() <= 32 * 2.0**-53


def test_exact_rows_agree_with_float_rows():
    rng = np.random.default_rng(5)
    points = [kernel.rational_point(rng) for _ in range(4)]
    X = np.array([[float(arb(x)) for x in point] for point in points])
    A = kernel.attention(X, np.zeros(2), 1.5)
    with precision(128):
        row = [float(entry) for entry in kernel.exact_row(points, 2, arb(fmpq(3, 2)))]
    assert A[2] == pytest.approx(row, rel=float(kernel.entry_bound(4, 4, 1.5).value))


# ---------------------------------------------------------------------- dynamics.spectral_bound
@given(st.floats(0, 8))
def test_two_opposite_tokens_have_the_gap_of_the_bound(beta):
    theta = np.array([math.pi])
    A = kernel.attention(np.array([[1.0, 0.0], [1.0, 0.0]]), theta, beta)
    gap = 1 - kernel.eigenvalues(A)[0]
    slack = float(kernel.gap_bound(2, kernel.entry_bound(2, 2, beta)).value)
    assert abs(gap - 2 / (1 + math.exp(2 * beta))) <= slack
    assert abs(gap - (1 - math.tanh(beta))) <= slack


@given(st.integers(2, 6), st.integers(0, 2**32 - 1))
def test_any_stochastic_matrix_obeys_the_bound(n, seed):
    """Complex eigenvalues included: each difference is contracted, whatever the eigenvector."""
    rng = np.random.default_rng(seed)
    A = rng.uniform(0.05, 1, (n, n))
    A /= A.sum(axis=1, keepdims=True)
    v = rng.standard_normal(n) + 1j * rng.standard_normal(n)
    spread = np.abs(v[:, None] - v[None, :]).max()
    image = A @ v
    after = np.abs(image[:, None] - image[None, :]).max()
    # sums of n products, relative to entries below 10
    assert after <= (1 - n * A.min()) * spread + 100 * n * 2.0**-53


def test_toeplitz_gaps_nearly_reach_the_bound_at_two_tokens():
    smallest = math.inf
    for seed in range(300):
        rng = np.random.default_rng(seed)
        n, m, beta = int(rng.integers(2, 6)), int(rng.integers(1, 4)), rng.uniform(0, 4)
        energies = rng.dirichlet(np.ones(m))
        X = np.tile(np.sqrt(np.repeat(energies, 2) / 2), (n, 1))
        A = kernel.attention(X, rng.uniform(0, math.pi, m), beta)
        smallest = min(smallest, (1 - kernel.eigenvalues(A)[-2]) / (n * A.min()))
    assert 1 - 1e-10 < smallest < 1.0001


# ---------------------------------------------------------------------- dynamics.reversible
ANGLES = np.array([0.9, 2.1])


def asymmetry(W):
    return np.abs(W - W.T).max() * math.exp(1.5)


def test_correct_kernels_are_symmetric_and_semidefinite():
    X = kernel.tokens(5, 2, 0)
    W = kernel.weights(X, ANGLES, 1.5)
    limit = float(kernel.weight_bound(4, 1.5).value)
    assert np.abs(W - W.T).max() <= 2 * limit
    assert np.linalg.eigvalsh(W).min() >= -5e-14  # the printed n 1e-14
    assert np.abs(np.diag(W) - 1).max() <= 2 * limit


def test_detailed_balance_to_the_printed_tolerance():
    worst = 0.0
    for seed in range(300):
        rng = np.random.default_rng(seed)
        n, m, beta = int(rng.integers(2, 9)), int(rng.integers(1, 4)), rng.uniform(0, 6)
        X = kernel.tokens(n, m, seed)
        W = kernel.weights(X, rng.uniform(0, math.pi, m), beta)
        flux = W.sum(axis=1, keepdims=True) * (W / W.sum(axis=1, keepdims=True))
        worst = max(worst, np.abs(flux - flux.T).max())
    assert worst <= 1e-13


@pytest.mark.parametrize("turn", [kernel.not_rotated, kernel.rotated_back])
def test_faulty_kernels_lose_symmetry(turn):
    """Some of thirty configurations show an asymmetry above 1, and complex or negative spectra."""
    found = [kernel.weights(kernel.tokens(5, 2, s), ANGLES, 1.5, key=turn) for s in range(30)]
    assert max(asymmetry(W) for W in found) > 1.5
    own = [np.abs(np.log(np.diag(W))).max() for W in found]
    assert max(own) > 1
    spectra = [np.linalg.eigvals(W / W.sum(axis=1, keepdims=True)) for W in found]
    assert max(np.abs(values.imag).max() for values in spectra) > 0.05
    assert min(np.linalg.eigvalsh((W + W.T) / 2).min() for W in found) < -0.05


def test_spectra_of_the_symmetric_matrix_and_of_the_kernel_agree():
    X = kernel.tokens(6, 2, 4)
    W = kernel.weights(X, ANGLES, 2.0)
    A = W / W.sum(axis=1, keepdims=True)
    found = np.sort(np.linalg.eigvals(A).real)
    assert kernel.eigenvalues(A) == pytest.approx(found, abs=1e-13)
    assert found[0] > 0 and found[-1] == pytest.approx(1, abs=1e-14)


def test_equal_rotated_tokens_make_the_kernel_singular():
    X = kernel.tokens(4, 2, 7)
    Y = kernel.rotate(X, ANGLES)
    Y[3] = Y[0]
    W = kernel.weights(kernel.rotate(Y, -ANGLES), ANGLES, 1.0)
    limit = 4 * 4 * float(kernel.weight_bound(4, 1.0).value) + 64 * 2.0**-53
    assert abs(np.linalg.eigvalsh(W)[0]) <= limit
