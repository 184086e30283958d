"""Loops and squares of rotations: printed values, kernels against plain computation, attacks."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import sympy
from flint import arb, fmpz_mat
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Rational, pi

from posproof.numerics.balls import precision
from posproof.numerics.journey import holonomy
from posproof.theory.journey import LOOPS, SO3_HOLONOMY
from posproof.theory.journey import holonomy as theory

CLAIMS = [LOOPS, SO3_HOLONOMY]
U = 2.0**-53
ANGLES = st.floats(-3.2, 3.2)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


def agrees(value: arb, printed: str) -> bool:
    """Whether a ball meets a printed decimal, one unit of its last digit either way."""
    places = len(printed.partition(".")[2])
    return bool(abs(value - arb(printed)) <= arb(f"1e-{places}") + arb("1e-70"))


# ---------------------------------------------------------------------- journey.loops
@pytest.mark.parametrize(
    ("shape", "wraps", "removed", "expected"),
    [
        ((3, 4), False, (), (12, 17, 6, 6, 6)),
        ((3, 3, 3), False, (), (27, 54, 36, 28, 28)),
        ((2, 2, 2), False, (), (8, 12, 6, 5, 5)),
        ((3, 3), False, ((1, 1),), (8, 8, 0, 1, 0)),
        ((4, 4), True, (), (16, 32, 16, 17, 15)),
    ],
)
def test_printed_counts_and_ranks(shape, wraps, removed, expected):
    """Vertices, edges, squares, loops, and the rank by fraction-free elimination."""
    whole = theory.grid(shape, wraps, removed)
    rank = fmpz_mat([[int(x) for x in row] for row in whole.second.tolist()] or [[0]]).rank()
    assert (*whole.counts, whole.loops, rank) == expected
    assert whole.first * whole.second == sympy.zeros(whole.first.rows, whole.second.cols)


def test_smith_factors_of_the_projective_plane_and_of_boxes():
    plane = np.array(theory.antipodal(3).second.tolist(), dtype=np.int64)
    assert holonomy.smith_factors(plane) == theory.smith(theory.antipodal(3).second)[1]
    assert holonomy.smith_factors(plane) == [1] * 8 + [2]
    for shape in theory.BOXES:
        second = np.array(theory.grid(shape).second.tolist(), dtype=np.int64)
        assert set(holonomy.smith_factors(second)) == {1}


@given(st.lists(st.lists(st.integers(-5, 5), min_size=3, max_size=3), min_size=1, max_size=5))
def test_smith_forms_agree_with_flint(rows):
    left, diagonal, right = theory.smith(sympy.ImmutableMatrix(rows))
    form = sympy.Matrix(left) * sympy.Matrix(rows) * sympy.Matrix(right)
    assert [abs(form[k, k]) for k in range(len(diagonal))] == diagonal
    assert sum(x != 0 for x in form) == len(diagonal)
    assert diagonal == holonomy.smith_factors(np.array(rows))
    assert abs(sympy.Matrix(left).det()) == abs(sympy.Matrix(right).det()) == 1


def test_six_trivial_cycles_and_an_edge_that_is_not():
    """The A5 counterexample by plain permutations, the first step applied first."""
    values = {pair: [int(x) for x in images] for pair, images in theory.PENTAGON.items()}

    def along(tail, head, at):
        if 0 in (tail, head):
            return at
        if tail < head:
            return values[tail, head].index(at)
        return values[head, tail][at]

    for cycle in theory.PENTAGON_CYCLES:
        ends = [int(v) for v in cycle]
        for start in range(5):
            at = start
            for tail, head in zip(ends, ends[1:] + ends[:1], strict=True):
                at = along(tail, head, at)
            assert at == start
    assert values[1, 2] != list(range(5))


def test_four_thirds_does_not_close_on_four_steps():
    rotation = sympy.Matrix([[Rational(3, 5), Rational(-4, 5)], [Rational(4, 5), Rational(3, 5)]])
    printed = sympy.Matrix([[-527, 336], [-336, -527]]) / 625
    assert rotation**4 == printed != sympy.eye(2)
    gap = abs(complex(holonomy.turned(math.atan2(4, 3), 4)) - complex(-527, -336) / 625)
    assert gap < 16 * U


@pytest.mark.parametrize("N", [4, 6, 8])
def test_anti_periodic_ladder_modulo_a_cyclotomic_polynomial(N):
    z = sympy.Symbol("z")
    for i in range(N // 2):
        power = sympy.rem(z ** ((2 * i + 1) * N), sympy.cyclotomic_poly(2 * N, z), z)
        assert power == -1


@given(st.integers(2, 64), st.integers(-200, 200))
def test_whole_windings_close(N, s):
    gap = abs(complex(holonomy.turned(2 * np.pi * s / N, N)) - 1)
    assert Fraction(gap) <= holonomy.turn_bound(N, s)


def graph(source, vertices):
    """A connected graph: a random tree and some further edges."""
    edges = [(int(source.integers(v)), v) for v in range(1, vertices)]
    edges += [tuple(source.choice(vertices, 2, replace=False).tolist()) for _ in range(vertices)]
    return np.array(edges)


def orthogonal(source, count, d=3):
    return np.linalg.qr(source.standard_normal((count, d, d)))[0]


@given(st.integers(2, 8), st.integers(0, 2**32 - 1))
@settings(max_examples=40)
def test_potentials_have_trivial_loops_and_one_bent_edge_shows(vertices, seed):
    source = np.random.default_rng(seed)
    edges = graph(source, vertices)
    potential = orthogonal(source, vertices)
    values = potential[edges[:, 1]] @ np.swapaxes(potential[edges[:, 0]], -1, -2)
    loops = holonomy.loop_holonomies(edges, values, vertices)
    assert len(loops) == len(edges) - vertices + 1
    assert np.abs(loops - np.eye(3)).max() < 64 * vertices * U
    bent = values.copy()
    bent[-1] = holonomy.rotations(np.array([0.0, 0.0, 1.0]), 0.1) @ bent[-1]
    gaps = np.linalg.norm(
        holonomy.loop_holonomies(edges, bent, vertices) - np.eye(3), ord=2, axis=(-2, -1)
    )
    assert gaps.max() > 2 * math.sin(0.05) - 64 * vertices * U


def test_every_closed_walk_is_a_product_of_loops():
    """Flat on the fundamental cycles is flat on walks, and a tree has no cycle at all."""
    source = np.random.default_rng(4)
    tree = np.array([(0, 1), (1, 2), (1, 3)])
    values = orthogonal(source, 3)
    assert holonomy.loop_holonomies(tree, values, 4).shape == (0, 3, 3)
    reached, outside = holonomy.tree_transports(tree, values, 4)
    assert not len(outside)
    assert np.allclose(reached[3], values[2] @ values[0], rtol=0, atol=16 * U)
    with pytest.raises(ValueError, match="not connected"):
        holonomy.tree_transports(np.array([(0, 1)]), values[:1], 3)


# ---------------------------------------------------------------------- journey.so3_holonomy
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
def test_printed_holonomy_angles(a, b, gamma, printed):
    with precision(256):
        psi = ball_angle(a, b, gamma)
        assert agrees(psi, printed)
    tilt = math.pi / 2 if gamma is None else float(gamma)
    found = float(holonomy.holonomy_angle(float(a), float(b), tilt))
    assert abs(found - float(printed)) < 60 * U


def test_printed_norms_and_folded_angle():
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
