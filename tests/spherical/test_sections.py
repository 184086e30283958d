"""Scores of lifts, of points and of mirror images against printed values."""

from fractions import Fraction
from math import factorial

import numpy as np
import pytest
from flint import acb, arb
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics import wigner
from posproof.numerics.balls import exact, precision
from posproof.numerics.balls.wigner import small_matrix
from posproof.numerics.spherical import sections, stabilisers
from posproof.theory.spherical.sections import MIRRORS, RELATIVE_SCORE, SECTIONS

CLAIMS = [RELATIVE_SCORE, SECTIONS, MIRRORS]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


# ---------------------------------------------------------------------- spherical.relative_score
PRINTED = "2.653948882358406972194903", "2.781789205005869445778568"


def balls(twice, alpha, beta, gamma):
    """D^l of three fractions, rows of balls."""
    columns = small_matrix(twice, beta)
    with precision(300):

        def phase(index, angle):
            turn = arb(exact(Fraction(2 * index - twice, 2) * angle))
            return acb(turn.cos(), -turn.sin())

        return [
            [phase(j, alpha) * columns[k][j] * phase(k, gamma) for k in range(twice + 1)]
            for j in range(twice + 1)
        ]


def test_printed_score_of_two_rotations_to_its_last_digit(agrees):
    angles = [[Fraction(text) for text in row.split()] for row in ("0.3 0.7 -1.1", "1.2 0.4 0.5")]
    with precision(300):
        left, right = (balls(2, *row) for row in angles)
        query = [sum(D * x for D, x in zip(row, (1, 2, -1), strict=True)) for row in left]
        key = [sum(D * x for D, x in zip(row, (acb(0, 1), 1, 3), strict=True)) for row in right]
        score = sum(x.conjugate() * y for x, y in zip(query, key, strict=True))
    assert agrees(score.real, PRINTED[0])
    assert agrees(score.imag, PRINTED[1])


def test_printed_score_of_two_rotations_in_float64():
    q, k = np.array([1, 2, -1], dtype=complex), np.array([1j, 1, 3])
    left, right = wigner.matrix(2, [[0.3, 0.7, -1.1], [1.2, 0.4, 0.5]])
    size = np.linalg.norm(q) * np.linalg.norm(k)
    allowed = size * float(stabilisers.score_bound(2).value)
    assert abs(stabilisers.score(left, right, q, k) - complex(*map(float, PRINTED))) <= allowed


def integer_action(twice, quaternion):
    """T(U) of an integer quaternion by products of linear forms, exactly."""
    w, x, y, z = quaternion
    a, b = complex(w, -z), complex(y, -x)
    first, second = np.poly1d([a, b]), np.poly1d([-b.conjugate(), a.conjugate()])
    columns = []
    for k in range(twice + 1):
        image = (first**k * second ** (twice - k)).coeffs[::-1]
        columns.append(np.pad(image, (0, twice + 1 - len(image))))
    return np.array(columns).T


@given(
    st.integers(1, 4),
    *(st.tuples(*(st.integers(-3, 3) for _ in range(4))) for _ in range(3)),
    st.integers(0, 2**32 - 1),
)
def test_scores_of_integer_quaternions_are_relative(twice, p, q, g, seed):
    """Gaussian integers below 2^53: floats are exact."""
    rows = np.random.default_rng(seed).integers(-2, 3, (2, twice + 1, 2))
    query, key = rows[..., 0] + 1j * rows[..., 1]
    form = np.array([factorial(k) * factorial(twice - k) for k in range(twice + 1)])

    def score(left, right):
        D, E = integer_action(twice, left), integer_action(twice, right)
        return query.conj() @ (D.conj().T @ (form[:, None] * E)) @ key

    length = sum(part**2 for part in g)
    moved = [tuple(int(v) for v in wigner.quaternion_product(g, r)) for r in (p, q)]
    assert score(*moved) == length**twice * score(p, q)


@given(st.integers(0, 2**32 - 1))
def test_matrices_of_quaternions_agree_with_their_euler_angles(seed):
    q = stabilisers.random_quaternions(np.random.default_rng(seed), 5)
    known = wigner.rotations_of_angles(wigner.angles_of_quaternions(q))
    # three angles within a few u each, and products of three cosines
    assert np.abs(sections.space_rotations(q) - known).max() <= 64 * 2.0**-53


# ---------------------------------------------------------------------- spherical.mirrors
@pytest.mark.parametrize(
    ("matrix", "image"),
    [(np.diag([1, 1, -1]), 1), (np.diag([1, -1, 1]), -1), (np.diag([1, -1, -1]), -1)],
    ids=["M_z", "M_y", "R_x(pi)"],
)
def test_printed_images_of_a_rotation_vector(matrix, image):
    pole = np.array([0, 0, 1])
    assert (round(np.linalg.det(matrix)) * matrix @ pole == image * pole).all()


@given(st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_opposite_parities_of_query_and_key_change_the_sign_of_the_score(l, seed):  # noqa: E741
    source = np.random.default_rng(seed)
    x, y = (sections.random_points(source, 1) for _ in range(2))
    q, k = stabilisers.unit_rows(source, 2, 2 * l + 1)
    odd, even = (q - q[::-1]) / 2, (k + k[::-1]) / 2
    there = sections.point_score(2 * l, sections.equatorial(x), sections.equatorial(y), odd, even)
    here = sections.point_score(2 * l, x, y, odd, even)
    assert abs(there + here)[0] <= 2 * float(stabilisers.score_bound(2 * l).value)


@pytest.mark.parametrize("twice", [1, 2, 3, 4])
def test_relative_sections_of_points_span_all_matrices(twice):
    """What lets a symmetry of all scores be read off q and k alone."""
    source = np.random.default_rng(twice)
    x, y = (sections.random_points(source, 3 * (twice + 1) ** 2) for _ in range(2))
    here, there = (wigner.matrix(twice, sections.lifts(p)) for p in (x, y))
    relative = np.swapaxes(here.conj(), -1, -2) @ there
    assert np.linalg.matrix_rank(relative.reshape(len(x), -1), tol=1e-3) == (twice + 1) ** 2


# ---------------------------------------------------------------------- spherical.sections
def test_printed_counterexample():
    x, y = np.eye(3)[:2]
    turn = np.array([[0.6, 0, 0.8], [0, 1, 0], [-0.8, 0, 0.6]])
    frames = [wigner.rotations_of_angles(sections.lifts(p)) for p in (x, y, turn @ x, turn @ y)]
    assert frames[0][:, 0] @ frames[1][:, 0] == pytest.approx(1, abs=2**-50)
    assert frames[2][:, 0] @ frames[3][:, 0] == pytest.approx(3 / 5, abs=2**-50)
    chi = sections.gauge(turn, np.stack([x, y]), np.stack([turn @ x, turn @ y]))
    assert np.cos(chi) == pytest.approx([1, 3 / 5], abs=2**-50)
    assert np.sin(chi) == pytest.approx([0, 4 / 5], abs=2**-50)


@pytest.mark.parametrize("epsilon", [1e-1, 1e-3, 1e-6])
def test_channel_across_the_pole(epsilon):
    """-cos(2 epsilon) at a distance of 2 epsilon; 1 along the equator."""
    s, c = np.sin(epsilon), np.cos(epsilon)
    frames = [
        wigner.rotations_of_angles(sections.lifts(np.array(p))) for p in ([s, 0, c], [-s, 0, c])
    ]
    assert frames[0][:, 0] @ frames[1][:, 0] == pytest.approx(-np.cos(2 * epsilon), abs=2**-50)


@pytest.mark.parametrize(("m", "turns"), [(3, -6), (1, -2), (0, 0), (-2, 4)])
def test_windings_of_the_change_from_north_to_south(m, turns):
    phi = np.linspace(0, 2 * np.pi, 721)
    change = wigner.matrix(6, np.stack([2 * phi, 0 * phi, 0 * phi], axis=-1))[:, 3 + m, 3 + m]
    assert round(np.unwrap(np.angle(change))[-1] / (2 * np.pi)) == turns


def test_channels_of_the_second_degree_under_a_turn_about_y():
    """Only m = 0 keeps its score; the others change by more than 1 somewhere."""
    source = np.random.default_rng(0)
    x, y = (sections.random_points(source, 300) for _ in range(2))
    g = np.tile([np.cos(0.45), 0, np.sin(0.45), 0], (300, 1))
    points = sections.Points(follow=sections.kept)
    defects = []
    for place in range(5):
        channel = np.zeros((300, 5), dtype=complex)
        channel[:, place] = 1
        defects.append(np.abs(points.defect(4, g, x, y, channel, channel)).max())
    assert defects[2] <= float(sections.transported_bound(4).value)
    assert min(defects[:2] + defects[3:]) > 1
    assert defects[:2] == pytest.approx(defects[:2:-1], abs=1e-12)


def test_features_of_the_ambient_representation_leave_no_position():
    source = np.random.default_rng(1)
    x, y = (wigner.matrix(4, sections.lifts(sections.random_points(source, 50))) for _ in range(2))
    Q, K = (stabilisers.unit_rows(source, 50, 5) for _ in range(2))
    q, k = ((np.swapaxes(D.conj(), -1, -2) @ v[..., None])[..., 0] for D, v in ((x, Q), (y, K)))
    off = stabilisers.score(x, y, q, k) - (Q.conj() * K).sum(axis=1)
    assert np.abs(off).max() <= 2 * float(stabilisers.score_bound(4).value)
