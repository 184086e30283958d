"""Classes of points under motions that fix a point, and the channels of a head."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics import wigner
from posproof.numerics.spherical import stabilisers
from posproof.theory.spherical import stabilisers as theory
from posproof.theory.spherical.stabilisers import HEAD_SIZES, STABILISER_NO_GO

CLAIMS = [STABILISER_NO_GO, HEAD_SIZES]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


# ---------------------------------------------------------------------- spherical.stabiliser_no_go
@pytest.mark.parametrize(
    ("seed", "points", "classes"),
    [((1, 0, 0), 6, 1), ((1, 1, 1), 8, 2), ((1, 1, 0), 12, 1), ((1, 2, 3), 24, 24)],
)
def test_printed_classes_of_the_cube(seed, points, classes):
    group = stabilisers.cube_group()
    places = stabilisers.orbit(seed, group)
    assert len(group) == 24
    assert len(places) == points
    assert stabilisers.count(stabilisers.permuted(places, group)) == classes


def test_the_two_classes_of_vertices_are_the_two_tetrahedra():
    group = stabilisers.cube_group()
    places = stabilisers.orbit((1, 1, 1), group)
    labels = stabilisers.classes(stabilisers.permuted(places, group))
    sign = places.prod(axis=1)
    assert len({*zip(labels.tolist(), sign.tolist(), strict=True)}) == 2


@pytest.mark.parametrize(("n", "classes"), [(5, 1), (6, 2), (7, 1), (8, 2), (12, 2)])
def test_printed_classes_of_polygons(n, classes):
    assert stabilisers.count(stabilisers.dihedral(n)) == classes
    assert stabilisers.count(stabilisers.cyclic(n)) == n


@pytest.mark.parametrize(
    ("side", "turns", "classes"),
    [(5, (0,), 25), (5, (0, 1, 2, 3), 1), (6, (0, 1, 2, 3), 2), (6, (0, 2), 4)],
)
def test_printed_classes_of_grids(side, turns, classes):
    assert stabilisers.count(stabilisers.grid(side, turns)) == classes


@pytest.mark.parametrize("kind", theory.SEEDS)
def test_both_floors_find_the_same_pairs_of_the_cube(kind):
    """The statement's pairs against the classes of the other floor."""
    act = theory.cube_action(theory.SEEDS[kind], theory.cube_rotations())
    labels = stabilisers.classes(np.array(act.moves))
    joined = {(p, q) for p, q in act.identified()}
    assert all(labels[p] == labels[q] for p, q in joined)
    assert len(set(labels.tolist())) == theory.CUBE_CLASSES[kind]


@given(st.integers(2, 40))
def test_mirrors_of_a_polygon_are_involutions(n):
    mirrors = stabilisers.dihedral(n)[n:]
    twice = np.take_along_axis(mirrors, mirrors, axis=1)
    assert (twice == np.arange(n)).all()


def test_matrices_that_do_not_permute_the_points_are_refused():
    with pytest.raises(ValueError, match="do not permute"):
        stabilisers.permuted(np.array([[1, 0, 0], [0, 1, 0]]), stabilisers.cube_group())


# ---------------------------------------------------------------------- spherical.head_sizes
def test_ladders_whose_size_is_a_multiple_of_eight():
    sizes = {L: sum(2 * spin + 1 for spin in range(L + 1)) for L in range(17)}
    assert [L for L, size in sizes.items() if size % 8 == 0] == [3, 7, 11, 15]
    assert all(size == (L + 1) ** 2 for L, size in sizes.items())


@pytest.mark.parametrize(("twice", "channels"), [(0, 1), (1, 4), (2, 3), (3, 8), (4, 5), (6, 7)])
def test_real_channels_of_a_spin(twice, channels):
    assert theory.channels(twice) == channels


@given(st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_a_quaternion_and_its_opposite_differ_by_the_sign(twice, seed):
    rotations = stabilisers.random_quaternions(np.random.default_rng(seed), 3)
    D, other = stabilisers.spins(twice, rotations), stabilisers.spins(twice, -rotations)
    allowed = 2 * (wigner.matrix_bound(twice) + Fraction(twice, 2) * wigner.ANGLES * wigner.U)
    assert np.abs(other - (-1) ** twice * D).max() <= float(allowed)


@given(st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_scores_are_within_their_bound_of_a_score_of_the_relative_rotation(twice, seed):
    source = np.random.default_rng(seed)
    left, right = stabilisers.random_quaternions(source, 2)
    q, k = stabilisers.unit_rows(source, 2, twice + 1)
    pair = stabilisers.score(*stabilisers.spins(twice, np.stack([left, right])), q, k)
    relative = wigner.quaternion_product(left * [1, -1, -1, -1], right)
    alone = np.vdot(q, stabilisers.spins(twice, relative) @ k)
    assert abs(pair - alone) <= 2 * float(stabilisers.score_bound(twice).value)
