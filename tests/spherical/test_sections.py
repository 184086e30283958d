"""Scores of lifts, of points and of mirror images against printed values."""

from fractions import Fraction
from math import factorial

import numpy as np
import pytest
from flint import acb, arb
from hypothesis import given
from hypothesis import strategies as st

import posproof
from posproof.numerics import wigner
from posproof.numerics.balls import exact, precision
from posproof.numerics.balls.wigner import small_matrix
from posproof.numerics.spherical import stabilisers
from posproof.theory.spherical.sections import RELATIVE_SCORE

CLAIMS = [RELATIVE_SCORE]


@pytest.fixture(scope="module")
def results():
    """The topic's claims as verified, by id."""
    return {found.id: found for found in posproof.verify(*(c.id for c in CLAIMS), jobs=2).claims}


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda c: c.id)
def test_every_check_holds_and_every_control_is_refuted(results, claim):
    found = results[claim.id]
    assert found.verdict == "verified"
    assert {clause.name for clause in found.clauses} == {clause.name for clause in claim.clauses}
    assert found.controls
    assert {finding.verdict for finding in found.controls} == {"refuted"}


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
