"""Curvature: printed values, kernels against plain counting, and the wrong test that passes."""

import math
from itertools import permutations, product

import numpy as np
import pytest
from flint import fmpq, fmpq_mat
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics.journey import curvature, paths
from posproof.theory.journey import CONTENT_DEPENDENCE, STOKES

CLAIMS = [CONTENT_DEPENDENCE, STOKES]
U = 2.0**-53


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


def exact_ends(step):
    ends = set()
    for word in paths.words((2, 2, 1)).tolist():
        end, place = fmpq_mat(2, 2, [1, 0, 0, 1]), [0, 0, 0]
        for letter in word:
            end = step(letter, tuple(place)) * end
            place[letter] += 1
        ends.add(tuple(end.entries()))
    return ends


# ---------------------------------------------------------------------- journey.content_dependence
def test_commuting_operators_give_five_products():
    slope = fmpq_mat(2, 2, [fmpq(3, 5), fmpq(-4, 5), fmpq(4, 5), fmpq(3, 5)])
    one = fmpq_mat(2, 2, [1, 0, 0, 1])
    assert len(exact_ends(lambda axis, x: slope ** x[1] if axis == 0 and x[1] else one)) == 5


def test_reading_both_operators_at_one_corner_certifies_a_curved_field():
    """The wrong test: it passes where the squares are open, and fails where they are closed."""
    curved = curvature.curved_field(4)
    assert np.abs(curvature.commutators_at(curved, 0, 1)).max() < 8 * U
    assert paths.spectral_norms(paths.plaquettes(curved, 0, 1)).min() > 0.89
    flat = paths.gauge_field(paths.random_rotations(np.random.default_rng(2), (4, 4), 3))
    assert paths.spectral_norms(curvature.commutators_at(flat, 0, 1)).max() > 0.1
    assert paths.spectral_norms(paths.plaquettes(flat, 0, 1)).max() < 64 * U


def test_eighteen_of_1296_assignments_are_universally_flat():
    group = list(permutations(range(3)))

    def times(g, h):
        return tuple(g[h[point]] for point in range(3))

    flat, crossing, crossing_flat = [], 0, 0
    for a0, a1, b0, b1 in product(group, repeat=4):
        first, second = (a0, a1), (b0, b1)
        closed = all(
            times(second[right], first[here]) == times(first[above], second[here])
            for here, right, above in product(range(2), repeat=3)
        )
        commute = all(times(x, y) == times(y, x) for x in first for y in second)
        crossing += commute
        crossing_flat += commute and closed
        if closed:
            flat.append((first, second))
    assert (len(group) ** 4, len(flat), crossing, crossing_flat) == (1296, 18, 162, 18)
    assert all(a[0] == a[1] and b[0] == b[1] for a, b in flat)


@given(st.integers(2, 3), st.booleans(), st.integers(0, 2**32 - 1))
def test_some_placement_is_open_unless_the_operators_are_constant(items, space, seed):
    source = np.random.default_rng(seed)
    angles = source.choice(np.arange(-3100, 3100), (2, items), replace=False) / 1000
    first, second = (curvature.turning(row, space) for row in angles)
    # items differ by at least a thousandth of a radian, so some square is open by half its chord
    assert (
        paths.spectral_norms(curvature.placed_cells(first, second)).max()
        > math.sin(0.0005) - 64 * U
    )


def test_cells_of_placements_are_squares_of_fields():
    source = np.random.default_rng(3)
    first, second = source.standard_normal((2, 3, 2, 2))
    cells = curvature.placed_cells(first, second)
    for items in product(range(3), repeat=3):
        here, right, above = items
        placed = np.array([[here, above], [right, 0]])
        field = np.stack([first[placed], second[placed]])
        assert np.allclose(cells[items], paths.plaquettes(field, 0, 1)[0, 0], rtol=8 * U)


# ---------------------------------------------------------------------- journey.stokes
@pytest.mark.parametrize(
    ("side", "defect", "bound"),
    [
        (1, 0.00999163827193, 0.00999163827193),
        (10, 0.894779808087, 0.999163827193),
        (31, 0.117569730377, 9.60196437933),
    ],
)
def test_defect_and_bound_of_two_rotations_of_space(side, defect, bound):
    steps = curvature.turn_in_space(0, 0.1), curvature.turn_in_space(2, 0.1)
    defects, bounds = curvature.rectangle_defects(*steps, side)
    # the printed digits, the last one by one
    assert defects[-1] == pytest.approx(defect, abs=1.5 * 10.0 ** -(12 if defect > 0.1 else 14))
    assert bounds[-1] == pytest.approx(bound, abs=1.5 * 10.0 ** -(14 if side == 1 else 11))


def test_stretched_operators_break_the_bound():
    field = curvature.one_curved_cell(np.random.default_rng(0), 4, 4, 0.3)
    low, high = [0] * 4 + [1] * 4, [1] * 4 + [0] * 4
    first, second = paths.field_journeys(field, np.array([low, high]))
    squares = paths.spectral_norms(paths.plaquettes(field, 0, 1))
    assert np.count_nonzero(squares > 64 * U) == 1
    ratio = paths.spectral_norms(first - second) / squares.sum()
    assert ratio == pytest.approx(1.1**6, rel=1024 * U)
    assert ratio > 1.1**5


@given(st.integers(1, 4), st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_angles_of_two_paths_differ_by_the_cells_between(p, q, seed):
    source = np.random.default_rng(seed)
    theta1, theta2 = source.integers(-50, 50, (p, q + 1)), source.integers(-50, 50, (p + 1, q))
    low, high = (source.permutation(np.repeat([0, 1], [p, q])) for _ in range(2))
    gap = curvature.staircase_angle(theta1, theta2, low) - curvature.staircase_angle(
        theta1, theta2, high
    )
    cells = curvature.cells_between(low.tolist(), high.tolist())
    assert gap == (cells * curvature.curvatures(theta1, theta2)).sum()
    flipped = (cells * curvature.sign_flipped(theta1, theta2)).sum()
    assert not cells.any() or gap != flipped or not (cells * theta1[:, 1:]).sum()


@given(st.integers(1, 4), st.integers(1, 4), st.floats(-3, 0), st.integers(0, 2**32 - 1))
def test_rotations_obey_the_area_bound(p, q, decade, seed):
    field = curvature.near_rotations(np.random.default_rng(seed), (2, p + 1, q + 1), 3, 10**decade)
    words = np.array([[0] * p + [1] * q, [1] * q + [0] * p])
    first, second = paths.field_journeys(field, words)
    squares = paths.spectral_norms(paths.plaquettes(field, 0, 1)).sum()
    assert paths.spectral_norms(first - second) <= squares + 1e-13 * p * q


def test_constant_curvature_on_the_circle_is_the_chord_of_the_area():
    angles = 0.37
    for p, q in product(range(1, 6), repeat=2):
        gap = 2 * abs(math.sin(angles * p * q / 2))
        assert gap <= p * q * 2 * math.sin(angles / 2)
