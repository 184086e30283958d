"""Layouts: margins, hierarchies, flattening, and which lengths one kernel copies at."""

import random
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics.axioms import ladder
from posproof.numerics.balls import enclose, ends
from posproof.numerics.journey import layouts
from posproof.theory.journey import SPECIAL_CASES
from posproof.theory.journey import layouts as theory

CLAIMS = [SPECIAL_CASES]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


def test_the_smallest_column_margin_is_at_one(agrees):
    margins = [
        enclose(SPECIAL_CASES.definitions.column_margin(D), {}, 160)
        for D in range(1, theory.COLUMNS)
    ]
    assert all(margins[0] < margin for margin in margins[1:])
    low, high = ends(margins[0])
    assert agrees(low, "0.514833756512499824991221515305")
    assert agrees(high, "0.514833756512499824991221515305")


def test_the_column_kernel_is_the_margin_turned_over(agrees):
    kernel = layouts.layout_kernel(ladder(8)[:, None], np.arange(64.0)[:, None])
    assert int(kernel[1:].argmax()) + 1 == 1
    assert agrees(Fraction(float(8 - kernel[1])), "0.5148337565125")


def test_units_of_seven_keep_a_score_within_them_alone():
    score = SPECIAL_CASES.definitions.exact_score
    assert score(1, 4) == score(8, 11)
    assert score(1, 4) != score(5, 8)
    assert [theory.hierarchical(p) for p in (1, 4, 5, 8, 11)] == [
        layouts.hierarchical(p, 7) for p in (1, 4, 5, 8, 11)
    ]


def test_three_levels_of_eight_have_512_addresses():
    addresses = {theory.digits(8, *d) for d in product(range(8), repeat=3)}
    assert addresses == set(range(512))


def test_flattening_is_a_mixed_axis_layout_for_81_quadruples():
    z = layouts.rational_point(Fraction(2, 5))
    down, right = layouts.LAYOUTS.flat_frequencies(z, 7)
    for r1, c1, r2, c2 in product(range(3), repeat=4):
        flat = layouts.raised(z, 7 * (r2 - r1) + c2 - c1)
        assert flat == layouts.times(layouts.raised(down, r2 - r1), layouts.raised(right, c2 - c1))


def test_mixed_axes_agree_exactly_for_100_pairs_of_three_axes():
    source = random.Random(0)
    points = [
        layouts.rational_point(Fraction(source.randint(1, 9), source.randint(1, 9))) for _ in "xyz"
    ]

    def address(x):
        turn = (Fraction(1), Fraction(0))
        for z, step in zip(points, x, strict=True):
            turn = layouts.times(turn, layouts.raised(z, step))
        return turn

    one = (Fraction(1), Fraction(0))
    for _ in range(100):
        x, y = ([source.randint(-5, 5) for _ in "xyz"] for _ in "xy")
        q, k = ((Fraction(source.randint(-9, 9)), Fraction(source.randint(-9, 9))) for _ in "qk")
        apart = [b - a for a, b in zip(x, y, strict=True)]
        by_address = layouts.exact_score(q, k, address(x), address(y))
        assert by_address == layouts.exact_score(q, k, one, address(apart))


@pytest.mark.parametrize(
    ("lengths", "possible"),
    [((4,), True), ((4, 5), False), ((4, 7), False), ((4, 8), True)],
)
def test_one_kernel_copies_at_the_printed_lengths(lengths, possible):
    assert layouts.one_kernel_copies(lengths) == possible


@given(st.integers(1, 6), st.integers(0, 8))
def test_the_kernel_of_the_threshold_copies_at_both_lengths(L, more):
    M = 2 * L + more
    value = {D: theory.copy_kernel(L, M, sympy.Integer(D)) for D in range(2 * M)}
    for length in (L, M):
        assert all(value[D] < value[length] for D in range(2 * length) if length != D)
