"""Relative scores against printed values, and what is not relative."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics.symplectic import relative
from posproof.theory.symplectic import RELATIVE_LAW

CLAIMS = [RELATIVE_LAW]
QUERY, KEY = np.array([1.0, 2.0]), np.array([0.5, -1.0])
U = 2.0**-53
number = st.fractions(-5, 5, max_denominator=20)


def exact(maker, a, b):
    """A matrix of fractions."""
    return maker(np.array(Fraction(a), dtype=object), np.array(Fraction(b), dtype=object))


def test_the_claim_stands_on_nothing_cited(stands):
    stands(RELATIVE_LAW)


# ---------------------------------------------------------------------- printed values
@pytest.mark.parametrize(
    ("places", "printed"), [((3, 1), -1.530100133428614), ((13, 11), -2.7159833509865625)]
)
def test_same_side_scores_of_a_boost_depend_on_the_places(places, printed):
    value = relative.sum_not_distance(0.05, *places, QUERY, KEY)
    bound = float(relative.shared_bound(0.05, *places, QUERY, KEY).value)
    assert abs(value - printed) <= bound


def test_scores_with_the_mirror_do_not():
    for places in ((3, 1), (13, 11)):
        value = relative.with_mirror(0.05, *places, QUERY, KEY)
        bound = float(relative.shared_bound(0.05, *places, QUERY, KEY).value)
        assert abs(value - 2.7128439201791976) <= bound


def test_printed_score_with_the_form_of_s():
    a, b = Fraction(3, 10), Fraction(1, 5)
    m, form = exact(relative.composed, a, b), relative.kept_by_composed(a, b)
    q, k = (np.array([Fraction(float(x)) for x in v], dtype=object) for v in (QUERY, KEY))
    values = {relative.with_form(m, form, *places, q, k) for places in ((3, 1), (13, 11))}
    assert len(values) == 1
    assert abs(float(values.pop()) - 1.0378507) <= 1e-7


# ---------------------------------------------------------------------- properties
places = st.integers(0, 12)


@given(number, number, places, places, places)
def test_scores_survive_a_common_shift(a, b, i, j, t):
    m = exact(relative.composed, a, b)
    here = relative.with_key_factor(m, i, j, relative.QUERY, relative.KEY)
    assert here == relative.with_key_factor(m, i + t, j + t, relative.QUERY, relative.KEY)


@given(number, number, st.integers(-8, 8), st.integers(-8, 8))
def test_powers_of_any_integers_add(a, b, i, j):
    m = exact(relative.composed, a, b)
    assert (relative.power(m, i) @ relative.power(m, j) == relative.power(m, i + j)).all()


@given(number, number)
def test_the_general_form_is_the_diagonal_one(a, b):
    """J (S - tau / 2) = diag(c, -a)."""
    m = exact(relative.composed, a, b)
    half = np.diag([(m[0, 0] + m[1, 1]) / 2] * 2)
    general = relative.J @ (m - half)
    assert (general == relative.kept_by_composed(a, b)).all()


@given(number, number, number, st.sampled_from((1, -1)))
def test_invariant_forms_are_unique_up_to_scale(a, b, scale, off):
    m = exact(relative.composed, a, b)
    form = scale * relative.kept_by_composed(a, b) + np.array([[0, off], [off, 0]], dtype=object)
    kept = (m.T @ form @ m == form).all()
    identity = a == 0 and b * (1 + a * b / 4) == 0
    assert kept == identity


@given(st.integers(0, 2**32 - 1))
def test_equal_sides_make_orthogonal_steps(seed):
    """A(i) = O_i G^(1/2): every A(i)^T A(i) is G, and O_i^T O_j depends on j - i."""
    source = np.random.default_rng(seed)
    root = source.uniform(-1, 1, (3, 3))
    G = root @ root.T + np.eye(3)
    values, vectors = np.linalg.eigh(G)
    half = vectors @ np.diag(np.sqrt(values)) @ vectors.T
    turn = np.linalg.qr(source.standard_normal((3, 3)))[0]
    A = [np.linalg.matrix_power(turn, i) @ half for i in range(4)]
    step = np.linalg.solve(half, A[0].T @ A[1]) @ np.linalg.inv(half)
    # products of 3 x 3 matrices of norm at most 4, a dozen of them, condition below 4
    assert np.abs(step.T @ step - np.eye(3)).max() <= 2.0**14 * U
    assert np.abs(A[1].T @ A[2] - A[0].T @ A[1]).max() <= 2.0**14 * U


def test_a_damped_score_does_not_return():
    n = np.arange(1, relative.SPAN + 1, dtype=float)
    amplitudes, frequencies = np.array([[1.0, 1.0], [0.0, 0.0]]), np.array([1.0, 0.1])
    best = np.abs(relative.score(amplitudes, frequencies, n)).max()
    assert best >= 2 - relative.return_slack(amplitudes, frequencies)
    damped = np.abs(np.exp(-0.1 * n) * relative.score(amplitudes, frequencies, n)).max()
    assert damped < 2 - relative.return_slack(amplitudes, frequencies)
