"""Loops: printed counts, kernels against plain computation, attacks."""

import math
from fractions import Fraction

import numpy as np
import pytest
import sympy
from flint import fmpz_mat
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Rational

from posproof.numerics.journey import holonomy, loops
from posproof.theory.journey import LOOPS
from posproof.theory.journey import loops as theory

CLAIMS = [LOOPS]
U = 2.0**-53


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


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
    assert loops.smith_factors(plane) == theory.smith(theory.antipodal(3).second)[1]
    assert loops.smith_factors(plane) == [1] * 8 + [2]
    for shape in theory.BOXES:
        second = np.array(theory.grid(shape).second.tolist(), dtype=np.int64)
        assert set(loops.smith_factors(second)) == {1}


@given(st.lists(st.lists(st.integers(-5, 5), min_size=3, max_size=3), min_size=1, max_size=5))
def test_smith_forms_agree_with_flint(rows):
    left, diagonal, right = theory.smith(sympy.ImmutableMatrix(rows))
    form = sympy.Matrix(left) * sympy.Matrix(rows) * sympy.Matrix(right)
    assert [abs(form[k, k]) for k in range(len(diagonal))] == diagonal
    assert sum(x != 0 for x in form) == len(diagonal)
    assert diagonal == loops.smith_factors(np.array(rows))
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
    gap = abs(complex(loops.turned(math.atan2(4, 3), 4)) - complex(-527, -336) / 625)
    assert gap < 16 * U


@pytest.mark.parametrize("N", [4, 6, 8])
def test_anti_periodic_ladder_modulo_a_cyclotomic_polynomial(N):
    z = sympy.Symbol("z")
    for i in range(N // 2):
        power = sympy.rem(z ** ((2 * i + 1) * N), sympy.cyclotomic_poly(2 * N, z), z)
        assert power == -1


@given(st.integers(2, 64), st.integers(-200, 200))
def test_whole_windings_close(N, s):
    gap = abs(complex(loops.turned(2 * np.pi * s / N, N)) - 1)
    assert Fraction(gap) <= loops.turn_bound(N, s)


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
    around = loops.loop_holonomies(edges, values, vertices)
    assert len(around) == len(edges) - vertices + 1
    assert np.abs(around - np.eye(3)).max() < 64 * vertices * U
    bent = values.copy()
    bent[-1] = holonomy.rotations(np.array([0.0, 0.0, 1.0]), 0.1) @ bent[-1]
    gaps = np.linalg.norm(
        loops.loop_holonomies(edges, bent, vertices) - np.eye(3), ord=2, axis=(-2, -1)
    )
    assert gaps.max() > 2 * math.sin(0.05) - 64 * vertices * U


def test_every_closed_walk_is_a_product_of_loops():
    """Flat on the fundamental cycles is flat on walks, and a tree has no cycle at all."""
    source = np.random.default_rng(4)
    tree = np.array([(0, 1), (1, 2), (1, 3)])
    values = orthogonal(source, 3)
    assert loops.loop_holonomies(tree, values, 4).shape == (0, 3, 3)
    reached, outside = loops.tree_transports(tree, values, 4)
    assert not len(outside)
    assert np.allclose(reached[3], values[2] @ values[0], rtol=0, atol=16 * U)
    with pytest.raises(ValueError, match="not connected"):
        loops.tree_transports(np.array([(0, 1)]), values[:1], 3)
