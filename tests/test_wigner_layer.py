"""Wigner matrices of the layer: against balls, against integers, and against each other."""

import math
from fractions import Fraction

import numpy as np
import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from posproof.numerics import wigner
from posproof.numerics.balls import precision
from posproof.numerics.balls.wigner import (
    THIN,
    half_pi_entries,
    integer_action,
    small_column,
    small_matrix,
)

DEGREES = (0, 1, 2, 3, 4, 5, 10, 11, 20, 33, 64, 65)
ANGLES = (0.0, 1e-8, 0.3, 0.7, 1.5707, 2.9, math.pi - 1e-8, math.pi, 5.0, -1.3)
#: d^l_m'm(7/10) as the reference tables print them: 2l, 2m', 2m.
PRINTED = {
    (3, 1, -3): "0.1913057326429278698901025",
    (4, 2, 0): "-0.6034622514087964090755598",
    (4, -4, 2): "0.07574641112173048167143853",
    (20, 2, 0): "-0.09790916502937291130337635",
    (20, -14, 8): "0.007547620591646020112686112",
    (128, 6, 10): "-0.1172065233403483085323829",
    (512, 0, 0): "-0.05917205564697188701670845",
    (512, 200, -114): "-0.03504329414190529937634472",
}


def midpoints(columns: list[list[arb]]) -> np.ndarray:
    return np.array([[float(x) for x in column] for column in columns]).T


def exact_matrix(twice: int, quaternion: tuple[int, int, int, int]) -> np.ndarray:
    """D from integers, one rounding and a half an entry."""
    real, imaginary = integer_action(twice, quaternion)
    length = sum(x * x for x in quaternion)
    with precision(200):
        weights = [arb(math.comb(twice, k)).sqrt() for k in range(twice + 1)]
        scale = arb(length).sqrt() ** twice
        size = range(twice + 1)
        parts = [
            [[float(part[i][j] * weights[j] / weights[i] / scale) for j in size] for i in size]
            for part in (real, imaginary)
        ]
    return np.array(parts[0]) + 1j * np.array(parts[1])


@pytest.mark.parametrize(("place", "printed"), PRINTED.items())
def test_balls_have_the_printed_values(agrees, place, printed):
    twice, row, column = place
    entry = small_column(twice, Fraction(7, 10), (twice + column) // 2)[(twice + row) // 2]
    assert agrees(entry, printed) and entry.rad() < THIN


@pytest.mark.parametrize("twice", DEGREES)
def test_small_matrices_are_within_their_bound(twice):
    for beta in ANGLES:
        reference = midpoints(small_matrix(twice, beta))
        error = np.abs(wigner.small(twice, beta) - reference).max()
        assert error <= wigner.entry_bound(twice)


@pytest.mark.parametrize("twice", DEGREES)
def test_table_and_fold_agree(twice):
    halves = wigner.halves(wigner.half_pi(twice))
    beta = np.array(ANGLES)
    c, s = wigner.phases(np.arange(twice % 2, twice + 1, 2) / 2, beta)
    folded = wigner.fold(c, s, halves)
    assert np.abs(folded - wigner.small(twice, beta)).max() <= 2 * wigner.entry_bound(twice)


@pytest.mark.parametrize("twice", [1, 2, 7, 64, 256])
def test_half_pi_is_rounded_correctly(twice):
    with precision(4 * twice + 300):
        half_turn = arb.pi() / 2
    column = twice // 3
    reference = [float(x.mid()) for x in small_column(twice, half_turn, column)]
    found = wigner.half_pi(twice)[:, column]
    zero = [k for k, entry in enumerate(half_pi_entries(twice, column)) if entry == 0]
    assert (found[zero] == 0).all()
    rest = np.setdiff1d(np.arange(twice + 1), zero)
    assert (found[rest] == np.array(reference)[rest]).all()


@pytest.mark.parametrize("twice", [1, 2, 3, 10, 32])
def test_matrices_agree_with_integers(twice):
    for q in ((3, -1, 4, 1), (2, 7, -1, 8), (0, 0, 1, 0), (-5, 0, 0, 3)):
        D = wigner.matrix(twice, wigner.angles_of_quaternions(q))
        allowed = wigner.matrix_bound(twice) + 40 * twice * wigner.U  # the angles' own rounding
        assert np.abs(D - exact_matrix(twice, q)).max() <= allowed


@given(
    st.tuples(*[st.integers(-30, 30)] * 4).filter(any),
    st.tuples(*[st.integers(-30, 30)] * 4).filter(any),
    st.integers(1, 12),
)
@settings(max_examples=40, deadline=None)
def test_matrices_multiply_like_rotations(p, q, twice):
    product = wigner.quaternion_product(p, q)
    one, two, both = (
        wigner.matrix(twice, wigner.angles_of_quaternions(x)) for x in (p, q, product)
    )
    assert np.abs(one @ two - both).max() <= wigner.homomorphism_bound(twice)


def test_integer_actions_multiply_exactly():
    p, q = (3, -1, 4, 1), (2, 7, -1, 8)
    product = tuple(int(x) for x in wigner.quaternion_product(p, q))
    one, two, both = (
        [np.array(part, dtype=object) for part in integer_action(5, x)] for x in (p, q, product)
    )
    assert (one[0].dot(two[0]) - one[1].dot(two[1]) == both[0]).all()
    assert (one[0].dot(two[1]) + one[1].dot(two[0]) == both[1]).all()


@pytest.mark.parametrize("twice", [1, 2, 5, 20, 64, 130])
def test_apply_is_the_matrix_times_the_vector(twice):
    source = np.random.default_rng(twice)
    angles = source.uniform(-7, 7, (3, 4, 3))
    x = source.normal(size=(3, 4, twice + 1)) + 1j * source.normal(size=(3, 4, twice + 1))
    x /= np.linalg.norm(x, axis=-1, keepdims=True)
    n = twice + 1
    expected = (wigner.matrix(twice, angles) @ x[..., None])[..., 0]
    slack = n * wigner.matrix_bound(twice) + n * math.isqrt(n) * 4 * wigner.U
    gap = np.linalg.norm(wigner.apply(twice, angles, x) - expected, axis=-1).max()
    assert gap <= wigner.apply_bound(twice) + slack
    assert wigner.apply(twice, angles[0, 0], x).shape == x.shape


@pytest.mark.parametrize("degree", [0, 1, 2, 7, 33])
def test_real_basis_real_matrix_and_real_apply_agree(degree):
    source = np.random.default_rng(degree)
    angles, n = source.uniform(-4, 4, (5, 3)), 2 * degree + 1
    C = wigner.real_basis(degree)
    R = wigner.real_matrix(degree, angles)
    D = wigner.matrix(2 * degree, angles)
    assert np.abs(C @ C.conj().T - np.eye(n)).max() <= 4 * wigner.U
    assert np.abs(C.conj() @ D @ C.T - R).max() <= 2 * wigner.matrix_bound(2 * degree)
    x = source.normal(size=(5, n))
    gap = wigner.apply_real(degree, angles, x) - (R @ x[..., None])[..., 0]
    assert np.linalg.norm(gap, axis=-1).max() <= float(
        n * wigner.unitarity_bound(2 * degree)
    ) * np.linalg.norm(x)


def test_degree_one_is_the_rotation_itself():
    angles = np.random.default_rng(0).uniform(-3, 3, (20, 3))
    R = wigner.rotations_of_angles(angles)
    order = [1, 2, 0]
    assert np.abs(wigner.real_matrix(1, angles) - R[:, order][:, :, order]).max() <= 40 * wigner.U


@pytest.mark.parametrize("twice", [1, 2, 3, 8])
def test_three_ways_to_give_a_rotation(twice):
    q = np.random.default_rng(1).normal(size=(50, 4))
    q = np.concatenate([q, np.eye(4), [[1, 1e-9, 0, 0], [1e-9, 0, 1, 0], [0, 1, 1, 0]]])
    q *= np.where(q[:, :1] < 0, -1, 1)
    angles = wigner.angles_of_quaternions(q)
    again = wigner.quaternions_of_rotations(wigner.rotations_of_angles(angles))
    D, E = (wigner.matrix(twice, wigner.angles_of_quaternions(x)) for x in (q, again))
    gap = np.abs(D - E).max(axis=(1, 2))
    if twice % 2:  # w = 0: the sign is not told by the rotation
        gap = np.minimum(gap, np.abs(D + E).max(axis=(1, 2)))
    assert gap.max() <= 60 * (twice + 1) * wigner.U


def test_half_turns_of_the_double_cover():
    q = np.array([0.3, -0.2, 0.9, 0.1])
    for twice in (1, 2, 3, 4):
        there, back = (wigner.matrix(twice, wigner.angles_of_quaternions(x)) for x in (q, -q))
        assert np.abs(back - (-1) ** twice * there).max() <= 2 * wigner.matrix_bound(twice)


def test_a_thousand_and_twenty_four_is_within_the_bound_too():
    column = 1100
    reference = [float(x) for x in small_column(2048, 0.7, column)]
    error = np.abs(wigner.small(2048, 0.7)[:, column] - reference).max()
    assert error <= 16 * wigner.U <= wigner.entry_bound(2048)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: wigner.small(-1, 0.3), "whole number"),
        (lambda: wigner.small(1.5, 0.3), "whole number"),
        (lambda: wigner.small(5000, 0.3), "beyond the largest degree"),
        (lambda: wigner.small(2, math.nan), "not finite"),
        (lambda: wigner.matrix(2, [1.0, 2.0]), r"shape \(\.\.\., 3\)"),
        (lambda: wigner.apply(2, [0.0, 1.0, 2.0], np.ones(4)), r"shape \(\.\.\., 3\)"),
        (lambda: wigner.angles_of_quaternions([0.0, 0, 0, 0]), "is 0 or not finite"),
        (lambda: wigner.angles_of_rotations(np.eye(3) * 2), "not a rotation"),
        (lambda: wigner.angles_of_rotations(-np.eye(3)), "not a rotation"),
        (lambda: wigner.real_matrix(-1, [0, 0, 0]), "whole number"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
