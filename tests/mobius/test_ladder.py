"""The ladder, its bundle and its rivals' invariants against the printed values."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import sympy
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics.balls import decide, enclose, precision, radius, residual
from posproof.numerics.mobius import ladder
from posproof.theory.mobius import BUNDLE, HOLONOMY, OTHER_INVARIANTS

CLAIMS = [HOLONOMY, BUNDLE, OTHER_INVARIANTS]
LADDER = HOLONOMY.definitions


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


# ---------------------------------------------------------------------- mobius.holonomy
def test_last_plane_of_the_table(agrees):
    theta = enclose(LADDER.frequency(sympy.Integer(31), sympy.Integer(512)), {}, 128)
    assert agrees(theta, "0.38656315")
    assert ladder.frequencies(32, 512)[31] == pytest.approx(63 * math.pi / 512, rel=2**-51)
    odd = [2 * i + 1 for i in range(32)]
    assert ladder.ladder_order(odd, 512) == 1024


def test_order_of_a_ladder_with_common_divisors():
    assert [ladder.ladder_order([k], 9) for k in (3, 9)] == [6, 2]
    assert ladder.ladder_order([3, 9], 9) == math.lcm(6, 2) == ladder.order_by_search([3, 9], 9)


def test_the_holonomy_ball_is_tiny_and_contains_minus_identity():
    statement = HOLONOMY.clause("antiperiodic").statement(LADDER)
    for i in (0, 7, 31):
        balls = residual(statement, {"i": i, "N": 511}, 128)
        assert all(ball.contains(0) if isinstance(ball, arb) else ball == 0 for ball in balls)
        assert all(radius(ball) < Fraction(1, 10**35) for ball in balls if isinstance(ball, arb))


def test_naive_product_shows_in_the_sine_alone(agrees):
    cosine, sine = ladder.naive_cosine_sine(32, 512, np.array([512]))
    assert np.abs(cosine + 1).max() == 0
    assert agrees(Fraction(float(np.abs(sine).max())), "1.8e-14")
    bound = ladder.holonomy_bound(32).value
    assert Fraction(float(np.abs(sine).max())) <= bound < Fraction(9, 10**14)


@pytest.mark.parametrize("i", [0, 3, 31])
def test_window_off_by_one_leaves_a_chord(i):
    N = 512
    with precision(128):
        turn = arb(fmpq(2 * i + 1, N - 1))
        gap = ((turn * N).cos_pi() + 1) ** 2 + (turn * N).sin_pi() ** 2
        chord = 2 * (turn / 2).sin_pi()
        assert gap.sqrt().overlaps(chord)
        assert chord > 0


@given(st.integers(1, 10**6), st.integers(-(10**6), 10**6))
def test_minus_identity_is_an_odd_number_of_half_turns(N, k):
    assert ladder.is_minus_identity(k, N) == (Fraction(k * N, N) % 2 == 1)


@pytest.mark.parametrize("N", range(1, 25))
def test_half_the_window_counts_the_inequivalent_planes(N):
    classes = {min(k % (2 * N), -k % (2 * N)) for k in range(1, 8 * N, 2)}
    assert len(classes) == -(-N // 2)


@given(st.integers(2, 400), st.data())
def test_planes_beyond_half_the_window_are_mirrored(N, data):
    i, D = data.draw(st.integers(0, N - 1)), data.draw(st.integers(-N, N))
    odd = np.array([2 * i + 1, 2 * (N - 1 - i) + 1])
    cosine, sine = ladder.cosine_sine(odd, np.int64(D), N)
    assert cosine[0] == cosine[1]
    assert sine[0] == -sine[1]


@given(st.integers(1, 2**20), st.integers(-(2**20), 2**20), st.integers(-(2**30), 2**30))
def test_folded_phase_is_within_four_roundings(N, k, D):
    cosine, sine = ladder.cosine_sine(np.int64(k), np.int64(D), N)
    with precision(128):
        turn = arb(fmpq(k * D, N))
        assert abs(turn.cos_pi() - float(cosine)) <= 4 * 2.0**-53
        assert abs(turn.sin_pi() - float(sine)) <= 4 * 2.0**-53


# ---------------------------------------------------------------------- mobius.bundle
def test_characteristic_polynomial_of_the_signed_triangle():
    x = sympy.Symbol("x")
    matrix = sympy.Matrix(LADDER.laplacian([1, 1, -1]))
    polynomial = matrix.charpoly(x).as_expr()
    assert polynomial == x**3 - 6 * x**2 + 9 * x - 4
    assert sympy.expand((x - 1) ** 2 * (x - 4)) == polynomial


@pytest.mark.parametrize("N", range(3, 13))
def test_determinants_are_four_and_zero(N):
    anti, periodic = [1] * (N - 1) + [-1], [1] * N
    assert sympy.Matrix(LADDER.laplacian(anti)).det() == 4
    assert sympy.Matrix(LADDER.laplacian(periodic)).det() == 0


def test_sign_patterns_of_the_pentagon_fall_into_two_classes():
    for signs in product((1, -1), repeat=5):
        determinant = sympy.Matrix(LADDER.laplacian(list(signs))).det()
        assert determinant == (4 if math.prod(signs) == -1 else 0)


def test_a_plane_is_orientable_and_a_flipped_line_is_not():
    assert sympy.Matrix(LADDER.holonomy()).det() == 1
    assert sympy.diag(1, -1).det() == -1


@given(st.lists(st.sampled_from((1, -1)), min_size=3, max_size=12), st.data())
def test_switching_one_vertex_keeps_the_determinant(signs, data):
    at = data.draw(st.integers(0, len(signs) - 1))
    switched = list(signs)
    switched[at] *= -1
    switched[at - 1] *= -1
    before, after = (ladder.signed_cycle(s).astype(int).tolist() for s in (signs, switched))
    assert sympy.Matrix(before).det() == sympy.Matrix(after).det()


def test_spectrum_has_no_zero_mode():
    eigenvalues = np.linalg.eigvalsh(ladder.signed_cycle([1] * 7 + [-1]))
    expected = np.sort(2 - 2 * np.cos(np.pi * (2 * np.arange(8) + 1) / 8))
    # backward stability: 32 N u, see the check
    assert np.abs(eigenvalues - expected).max() < 32 * 8 * 2.0**-53
    assert eigenvalues[0] > 0.15


# ---------------------------------------------------------------------- mobius.other_invariants
def test_first_negative_integer_is_nine():
    kernel = OTHER_INVARIANTS.definitions.kernel
    values = [
        enclose(kernel(sympy.Integer(32), sympy.Integer(512), sympy.Integer(D)), {}, 128)
        for D in range(10)
    ]
    assert all(value > 0 for value in values[:8])
    assert abs(values[8]) < 1e-30
    assert values[9] < 0


def test_interpolation_keeps_the_ladder_and_uneven_rescaling_breaks_it():
    odd, s = [2 * i + 1 for i in range(32)], Fraction(2)
    is_odd = ladder.PHASES.rescaled_is_odd
    assert all(is_odd(k, s / s) for k in odd)
    # base scaling leaves plane 0 as it is: after 2 N positions it has made a whole turn
    assert not is_odd(odd[0], s / 1)


@given(
    st.integers(0, 99),
    st.fractions(Fraction(1, 9), 9, max_denominator=9),
    st.fractions(Fraction(1, 9), 9, max_denominator=9),
)
def test_rescaling_is_decided_by_oddness(i, s, rho):
    turns = (2 * i + 1) * s / rho
    odd = turns.denominator == 1 and turns.numerator % 2 == 1
    statement = OTHER_INVARIANTS.clause("rescaling").statement(LADDER).body.left
    point = {"i": i, "N": 7, "s": s, "rho": rho}
    assert (decide(statement, point, 128) is not False) == odd
