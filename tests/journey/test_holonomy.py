"""Squares of rotations: printed values, kernels against plain computation, attacks."""

import math
from itertools import product

import numpy as np
import pytest
import sympy
from flint import arb
from hypothesis import given
from hypothesis import strategies as st
from sympy import Rational, pi

from posproof.numerics.balls import precision
from posproof.numerics.journey import holonomy
from posproof.theory.journey import SO3_HOLONOMY

CLAIMS = [SO3_HOLONOMY]
U = 2.0**-53
ANGLES = st.floats(-3.2, 3.2)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


PRINTED = [
    ("1", "1", None, "0.927689475322313640795613238146"),
    ("0.1", "0.2", None, "0.0199584477327531953917276339871"),
    ("2", "3", None, "3.98444177480576912356621941042"),
    ("1", "1", "0.3", "0.271909278419807597721578224464"),
]


def ball_angle(a, b, gamma):
    tilt = arb.pi() / 2 if gamma is None else arb(gamma)
    return 4 * abs((arb(a) / 2).sin() * (arb(b) / 2).sin() * tilt.sin()).asin()


@pytest.mark.parametrize(("a", "b", "gamma", "printed"), PRINTED)
def test_printed_holonomy_angles(agrees, a, b, gamma, printed):
    with precision(256):
        psi = ball_angle(a, b, gamma)
        assert agrees(psi, printed)
    tilt = math.pi / 2 if gamma is None else float(gamma)
    found = float(holonomy.holonomy_angle(float(a), float(b), tilt))
    assert abs(found - float(printed)) < 60 * U


def test_printed_norms_and_folded_angle(agrees):
    with precision(256):
        half = (ball_angle("1", "1", None) / 2).sin()
        assert agrees(2 * half, "0.894779808086928107762006219213")
        assert agrees(2 * arb(2).sqrt() * half, "1.26540973993412892108098477687")
        folded = 2 * arb.pi() - ball_angle("2", "3", None)
        assert agrees(folded, "2.29874353237381735335906735614")


def plain_rotation(axis, angle):
    """exp of the cross product, by the series."""
    x, y, z = axis
    turn = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]]) * angle
    result, term = np.eye(3), np.eye(3)
    for k in range(1, 40):
        term = term @ turn / k
        result = result + term
    return result


@given(ANGLES, ANGLES, st.floats(0, math.pi))
def test_closed_form_of_the_commutator(a, b, gamma):
    u, v = np.array([1.0, 0, 0]), np.array([math.cos(gamma), math.sin(gamma), 0])
    A, B = plain_rotation(u, a), plain_rotation(v, b)
    psi = float(holonomy.holonomy_angle(a, b, gamma))
    defect = A @ B - B @ A
    size = 2 * abs(math.sin(psi / 2))
    assert abs(np.linalg.norm(defect, 2) - size) < 1e-14 * 4
    assert abs(np.linalg.norm(defect) - math.sqrt(2) * size) < 1e-14 * 6
    assert abs(np.trace(A @ B @ A.T @ B.T) - 1 - 2 * math.cos(psi)) < 1e-14 * 8


@pytest.mark.parametrize(("a", "b"), list(product((1.0, 0.3, 2.5), repeat=2)))
def test_float64_stays_within_the_printed_tolerance(a, b):
    """1e-14, the tolerance printed for float64, at ordinary angles."""
    for gamma in (0.3, 1.0, math.pi / 2):
        pair = (np.array([t]) for t in (a, b, gamma))
        x, y, z = pair
        found = holonomy.commutator_norms(x, y, z) - holonomy.TURNS.norms(x, y, z)
        assert abs(found[0]) < 1e-14


def test_arc_sine_loses_half_the_digits_where_the_kernel_does_not():
    a = b = math.pi - 1e-9
    psi = float(holonomy.holonomy_angle(a, b, math.pi / 2))
    with precision(256):
        exact = 4 * ((arb(a) / 2).sin() * (arb(b) / 2).sin() * (arb(math.pi / 2)).sin()).asin()
        naive = 4 * math.asin(math.sin(a / 2) * math.sin(b / 2) * math.sin(math.pi / 2))
        assert abs(exact - psi) < 60 * U
        assert abs(exact - naive) > 1e6 * U


def test_charpoly_of_the_defect_for_axes_x_and_z():
    """lambda (lambda - 4 sin^2(psi/2))^2 with the tangents of the half angles as symbols."""
    x, z, level = sympy.symbols("x z lambda")

    def turned(t):
        return (1 - t**2) / (1 + t**2), 2 * t / (1 + t**2)

    (c, s), (C, S) = turned(x), turned(z)
    A = sympy.Matrix([[1, 0, 0], [0, c, -s], [0, s, c]])
    B = sympy.Matrix([[C, -S, 0], [S, C, 0], [0, 0, 1]])
    sigma = x**2 * z**2 / ((1 + x**2) * (1 + z**2))
    height = 4 * (1 - (1 - 2 * sigma) ** 2)
    defect = A * B - B * A
    found = (defect.T * defect).charpoly(level).as_expr()
    assert sympy.factor(sympy.together(found - level * (level - height) ** 2)) == 0


def test_half_turns_about_crossed_axes_commute_and_their_lifts_do_not():
    A, B = sympy.diag(1, -1, -1), sympy.diag(-1, -1, 1)
    assert A * B == B * A
    of = SO3_HOLONOMY.definitions
    assert of.rotation((1, 0, 0), pi) == A and of.rotation((0, 0, 1), pi) == B
    p, q = of.lift((1, 0, 0), pi), of.lift((0, 0, 1), pi)
    assert of.multiply(p, q) == tuple(-t for t in of.multiply(q, p)) != (0, 0, 0, 0)
    sine = of.quarter_sine(pi, pi, pi / 2)
    assert 4 * sympy.asin(sine) == 2 * pi


def test_square_holonomy_of_constant_steps_is_the_commutator():
    A = holonomy.rotations(np.array([1.0, 0, 0]), 0.7)
    B = holonomy.rotations(np.array([0, 0, 1.0]), 1.1)
    around = holonomy.square_holonomy(np.tile(A, (2, 4, 1, 1)), np.tile(B, (3, 3, 1, 1)))
    assert around.shape == (2, 3, 3, 3)
    expected = (A @ B).T @ (B @ A)
    assert np.abs(around - expected).max() < 16 * U
    turned = np.arccos((np.trace(expected) - 1) / 2)
    assert abs(turned - float(holonomy.holonomy_angle(0.7, 1.1, np.pi / 2))) < 1e-12
    with pytest.raises(ValueError, match="not one grid"):
        holonomy.square_holonomy(np.tile(A, (2, 3, 1, 1)), np.tile(B, (3, 3, 1, 1)))


@given(st.floats(-1, 1), st.floats(-1, 1), st.floats(0, math.pi))
def test_small_squares_leave_their_area(a, b, gamma):
    psi = float(holonomy.holonomy_angle(a, b, gamma))
    area = abs(a * b * math.sin(gamma))
    assert abs(psi - area) <= abs(a * b) * (a * a + b * b) / 24 + 64 * U


def test_rotation_of_the_theory_is_the_exponential():
    axis, angle = (Rational(2, 7), Rational(3, 7), Rational(6, 7)), Rational(9, 10)
    matrix = SO3_HOLONOMY.definitions.rotation(axis, angle)
    found = np.array(matrix.evalf().tolist(), dtype=float)
    numbers = [float(x) for x in axis]
    assert np.abs(found - plain_rotation(numbers, 0.9)).max() < 64 * U
    assert np.abs(holonomy.rotations(np.array(numbers), 0.9) - found).max() < 64 * U
