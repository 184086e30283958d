"""Affine steps, blocks and recurrences: printed values and kernels against plain computation."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
import sympy
from flint import fmpq_mat
from hypothesis import given
from hypothesis import strategies as st
from sympy import Rational

from posproof.numerics.journey import composition
from posproof.theory.journey import AFFINE_COMPOSITION, INTERCHANGE, SCAN
from posproof.theory.journey import composition as theory

CLAIMS = [AFFINE_COMPOSITION, INTERCHANGE, SCAN]
U = 2.0**-53


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


# ---------------------------------------------------------------------- journey.affine_composition
@pytest.mark.parametrize(
    ("example", "found", "formula"),
    list(zip(theory.EXAMPLES, (4, 4, 8, 6, 6, 5), (4, 4, 8, 6, 6, 4), strict=True)),
)
def test_printed_dimensions(example, found, formula):
    """Nullities by FLINT's rational elimination."""
    steps, _ = example

    def nullity(matrix):
        return matrix.cols - fmpq_mat([[_rational(x) for x in r] for r in matrix.tolist()]).rank()

    assert all(a * b == b * a for a, b in combinations(steps, 2))
    assert nullity(theory.constraints(steps)) == found
    fixed = nullity(theory.moves(steps))
    assert theory.semisimple_dimension(steps[0].rows, fixed, len(steps)) == formula


def _rational(x):
    from flint import fmpq

    return fmpq(int(x.p), int(x.q))


def exact_ends(steps, inputs):
    """The different states after the six words, by plain rational arithmetic."""
    ends = set()
    for word in theory.SIX_WORDS:
        state = sympy.zeros(steps[0].rows, 1)
        for a in word:
            state = steps[a] * state + inputs[a]
        ends.add(tuple(state))
    return ends


def test_coboundaries_give_one_state_and_free_inputs_six():
    steps = theory.EXAMPLES[0][0]
    origin = sympy.Matrix([1, -2, 3, 5])
    unit = sympy.eye(4)
    inputs = [(step - unit) * origin for step in steps]
    ends = exact_ends(steps, inputs)
    assert ends == {tuple(steps[1] ** 2 * steps[0] ** 2 * origin - origin)}
    free = [sympy.Matrix([1, 0, 0, 0]), sympy.Matrix([0, 1, 0, 0])]
    assert len(exact_ends(steps, free)) == 6


def test_six_states_for_the_printed_angles_and_one_for_quarter_turns():
    v = np.array([[[1.0, 0.0]], [[0.0, 1.0]]])
    words = theory.SIX_WORDS

    def distinct(first, second):
        T = composition.plane_rotations(np.array([[first], [second]]))
        ends = composition.end_states(words, T, v)[:, 0]
        return len({tuple(end) for end in ends.round(9) + 0.0})  # 0.0 turns -0 into 0

    assert distinct(0.7, 1.1) == 6
    assert distinct(np.pi / 2, -np.pi / 2) == 1


@given(st.floats(1e-3, 6.28), st.floats(1e-3, 6.28), st.integers(0, 2**32 - 1))
def test_commuting_rotations_with_free_inputs_do_not_commute_as_steps(a, b, seed):
    T = composition.plane_rotations(np.array([[a], [b]]))
    v = np.random.default_rng(seed).standard_normal((2, 1, 2))
    defect = composition.closure_defect(T[0], T[1], v[0], v[1])[0]
    expected = (T[0, 0] - np.eye(2)) @ v[1, 0] - (T[1, 0] - np.eye(2)) @ v[0, 0]
    assert np.abs(defect - expected).max() <= 32 * U * np.abs(v).sum()


def test_shears_have_closed_inputs_that_are_no_coboundaries():
    steps, _ = theory.EXAMPLES[-1]
    unit = sympy.eye(3)
    images = sympy.Matrix.vstack(*[step - unit for step in steps]).rank()
    assert images == 2 < theory.kernel_of(theory.constraints(steps))[0].cols


# ---------------------------------------------------------------------- journey.interchange
def test_defect_of_a_square_by_free_expansion():
    """The printed expansion -T_1^A T_2^B v_D + T_2^A T_1^C v_D, by SymPy's own arithmetic."""
    names = "vA vB vC vD TA1 TA2 TB2 TC1"
    vA, vB, vC, vD, TA1, TA2, TB2, TC1 = sympy.symbols(names, commutative=False)
    rows = (vA + TA1 * vB) + TA2 * (vC + TC1 * vD)
    columns = (vA + TA2 * vC) + TA1 * (vB + TB2 * vD)
    assert sympy.expand(rows - columns) == -TA1 * TB2 * vD + TA2 * TC1 * vD


@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 2**32 - 1))
def test_any_bracketing_is_exact_over_gaussian_rationals(width, height, seed):
    source = np.random.default_rng(seed)
    first, second = (sympy.I * Rational(4, 5) + Rational(3, 5), -sympy.I)
    values = source.integers(-9, 10, (width, height))
    cut = composition.random_cut(source)

    def joined(left, top, w, h):
        if w == h == 1:
            return sympy.Integer(int(values[left, top]))
        axis, at = cut(w, h)
        if axis == 0:
            rest = joined(left + at, top, w - at, h)
            return sympy.expand(joined(left, top, at, h) + first**at * rest)
        rest = joined(left, top + at, w, h - at)
        return sympy.expand(joined(left, top, w, at) + second**at * rest)

    closed = sum(
        first**x * second**y * int(values[x, y]) for x in range(width) for y in range(height)
    )
    assert joined(0, 0, width, height) == sympy.expand(closed)


def test_block_value_is_the_plain_sum():
    source = np.random.default_rng(2)
    v = source.standard_normal((4, 3)) + 1j * source.standard_normal((4, 3))
    a, b = np.exp(0.7j), np.exp(1.1j)
    plain = sum(a**x * b**y * v[x, y] for x in range(4) for y in range(3))
    assert abs(composition.block_value(v, a, b) - plain) < 100 * U * np.abs(v).sum()
    cut = composition.random_cut(source)
    assert abs(composition.bracketed(v, a, b, cut) - plain) < 100 * U * np.abs(v).sum()


# ---------------------------------------------------------------------- journey.scan
def test_twelve_rational_steps_one_of_them_zero():
    """L = 12, d = 4, p = 3 with T_6 = 0: attention and every chunk size, exactly."""
    q, k, v, T = composition.exact_steps(12, 4, 3, seed=2, singular=[5])
    b = k[:, :, None] * v[:, None, :]
    states = composition.recurrence(T, b)
    read = np.matmul(q[:, None, :], states)[:, 0]
    assert (read == composition.attention(q, k, v, T)).all()
    for chunk in range(1, 13):
        assert (composition.chunked_scan(T, b, chunk) == states).all()
    assert (states[5] == b[5]).all()  # nothing passes a zero operator
    assert all(isinstance(x, Fraction) for x in states.ravel())


def test_unrolled_recurrence_of_six_free_steps():
    T, B = (sympy.symbols(f"{name}1:7", commutative=False) for name in "TB")
    state = sympy.S.Zero
    for t in range(6):
        state = sympy.expand(T[t] * state + B[t])
    unrolled = sympy.S.Zero
    for j in range(6):
        journey = sympy.S.One
        for t in range(j + 1, 6):
            journey = T[t] * journey
        unrolled += journey * B[j]
    assert sympy.expand(state - unrolled) == 0


@given(st.integers(1, 24), st.integers(1, 3), st.integers(0, 2**32 - 1))
def test_parallel_prefixes_of_matrices_are_the_recurrence(length, d, seed):
    source = np.random.default_rng(seed)
    T = np.linalg.qr(source.standard_normal((length, d, d)))[0]
    b = source.standard_normal((length, d, 2))
    operators, states = composition.parallel_scan(T, b, composition.compose)
    plain = composition.recurrence(T, b)
    # both are within (2 d + 1) d u a step of the exact states, and orthogonal steps do not amplify
    limit = 2 * (2 * d + 1) * d * length * U * np.abs(b).sum() + U
    assert np.abs(states - plain).max() <= limit
    whole = np.eye(d)
    for step in T:
        whole = step @ whole
    assert np.abs(operators[-1] - whole).max() <= 4 * d * d * length * U


def test_wrong_orders_show_for_matrices_and_hide_for_numbers_without_inputs():
    q, k, v, T = composition.exact_steps(6, 2, 1, seed=1)
    b = k[:, :, None] * v[:, None, :]

    def swapped(later, earlier):
        return earlier[0] @ later[0], later[0] @ earlier[1] + later[1]

    wrong = composition.chunked_scan(T, b, 3, swapped)
    assert (wrong != composition.recurrence(T, b)).any()
    scalar, none = T[:, :1, :1], b[:, :1] * 0
    assert (composition.chunked_scan(scalar, none, 3, swapped) == none).all()


def test_printed_drift_of_float32_phases():
    drift, limit = composition.phase_drift(0.7, 65536)
    assert round(drift, 2) == 29.69
    assert round(float(limit), 1) == 89.6
    centred = np.random.default_rng(0).uniform(-np.pi, np.pi, 4096).astype(np.float32)
    short = np.cumsum(centred, dtype=np.float32) - np.cumsum(centred.astype(np.float64))
    assert 1e-5 < np.abs(short).max() < 1e-2


def test_constant_of_the_scan_bound_and_its_margin():
    """Observed 3.6 against 2 (sqrt(5) + 2) L = 34702 at L = 4096."""
    bound = composition.scan_bound(4096)
    assert 34702 <= float(bound.value) / U <= 34711  # 2.237 stands for the root of 5
    theta, b = composition._steps(4096, 8, 0)
    z = np.exp(1j * theta)
    gap = np.abs(composition.parallel_scan(z, b)[1] - composition.diagonal_recurrence(z, b))
    assert 1 < (gap / (U * np.cumsum(np.abs(b), axis=0))).max() < 10


def test_rope_needs_the_opposite_step():
    """The sign trap: T = R(-omega) reproduces R(omega (j - t)) between query t and key j."""
    omega, length = 0.3, 9
    source = np.random.default_rng(5)
    q, k, v = source.standard_normal((3, length, 2))

    def turned(phi):
        return np.array([[np.cos(phi), -np.sin(phi)], [np.sin(phi), np.cos(phi)]])

    def rope(t):
        return sum((q[t] @ turned(omega * (j - t)) @ k[j]) * v[j] for j in range(t + 1))

    right = composition.attention(q, k, v, np.tile(turned(-omega), (length, 1, 1)))
    wrong = composition.attention(q, k, v, np.tile(turned(omega), (length, 1, 1)))
    expected = np.stack([rope(t) for t in range(length)])
    assert np.abs(right - expected).max() < 64 * length * U * np.abs(q).max() * np.abs(v).sum()
    assert np.abs(wrong - expected).max() > 0.1


def test_a_chunk_has_at_least_one_step():
    with pytest.raises(ValueError, match="at least one step"):
        composition.chunked_scan(np.ones((2, 1, 1)), np.ones((2, 1, 1)), 0)
