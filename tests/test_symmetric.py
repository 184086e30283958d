"""The largest eigenvalue of a symmetric matrix of balls, also where others nearly agree with it."""

from __future__ import annotations

import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics.balls import precision
from posproof.numerics.balls.symmetric import largest_eigenvalue, positive_definite
from posproof.numerics.balls.terms import Undefined


def conjugated(values: list[arb]) -> list[list[arb]]:
    """The diagonal matrix of the values, reflected at the plane orthogonal to (1, 2, 3, ...)."""
    size = len(values)
    normal = [arb(i + 1) for i in range(size)]
    length = sum((x * x for x in normal), arb(0))
    places = range(size)
    turn = [[(i == j) - 2 * normal[i] * normal[j] / length for j in places] for i in places]
    return [
        [sum((turn[i][k] * values[k] * turn[j][k] for k in places), arb(0)) for j in places]
        for i in places
    ]


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=6))
def test_the_largest_is_enclosed_whatever_the_others(values: list[int]) -> None:
    with precision(200):
        found = largest_eigenvalue(conjugated([arb(v) for v in values]))
        assert found.contains(max(values))
        assert found.rad() < arb(2) ** -100


def test_a_cluster_is_no_obstacle() -> None:
    with precision(300):
        near = arb(1) + arb(2) ** -250
        assert largest_eigenvalue(conjugated([arb(1), near, arb(1), arb(0)])).contains(near)


def test_wide_balls_are_enclosed_and_unbounded_ones_refused() -> None:
    with precision(100):
        found = largest_eigenvalue([[arb(1, 2), arb(0, 2)], [arb(0, 2), arb(1, 2)]])
        assert found.contains(-1) and found.contains(5)
        with pytest.raises(Undefined):
            largest_eigenvalue([[arb("nan")]])


@pytest.mark.parametrize(
    ("rows", "positive"),
    [
        ([[2, 1], [1, 2]], True),
        ([[1, 2], [2, 1]], False),
        ([[0, 0], [0, 1]], False),
        ([[1, 1], [1, 1]], False),
        ([[-1]], False),
    ],
)
def test_pivots_show_what_is_positive_definite(rows: list[list[int]], positive: bool) -> None:
    assert positive_definite([[arb(fmpq(x)) for x in row] for row in rows]) is positive
