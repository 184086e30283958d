"""Characters against printed values, roots and traces."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics import wigner
from posproof.numerics.balls import precision
from posproof.numerics.spherical import characters as measured
from posproof.numerics.spherical.representations import angle_error
from posproof.theory.spherical import characters as theory

CLAIMS = [theory.CHARACTERS]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


CHARACTERS = [(6, "-0.7316740545588962537364088"), (3, "1.896639527116151252408943")]


@pytest.mark.parametrize(("twice", "printed"), CHARACTERS)
def test_printed_characters(twice, printed, agrees):
    with precision(200):
        assert agrees(measured.character_ball(twice, 1), printed)
    assert measured.character(twice, 1.0) == pytest.approx(float(printed), abs=1e-14)


MINIMA = [(2, "-0.3333333"), (4, "-0.25"), (10, "-0.22341"), (20, "-0.218901"), (128, "-0.217278")]


@pytest.mark.parametrize(("twice", "printed"), MINIMA)
def test_printed_minima_of_the_mean_score(twice, printed, agrees):
    assert agrees(measured.lowest_mean(twice), printed)


def test_printed_limit_of_the_minima(agrees):
    with precision(200):
        at = arb("4.493409457909064175307881")
        assert agrees(at.sin() / at, "-0.2172336282112216574082793")
        assert abs(at.sin() - at * at.cos()) < arb(fmpq(1, 10**23))


def test_minimum_of_degree_one_is_at_a_half_turn():
    assert measured.character(2, math.pi) == pytest.approx(-1, abs=float(8 * 3 * wigner.U))


@given(st.integers(0, 30), st.floats(0, 2 * math.pi))
def test_characters_in_float64_keep_their_bound(twice, omega):
    with precision(200):
        off = abs(arb(measured.character(twice, omega)) - measured.character_ball(twice, omega))
    assert float(off.upper()) <= float(measured.character_bound(twice, omega) * Fraction(101, 100))


def test_a_character_is_the_trace():
    for twice in (1, 2, 5):
        for omega in (0.3, 1.0, 2.5):
            q = np.array([math.cos(omega / 2), *(np.array([2, 3, 6]) / 7 * math.sin(omega / 2))])
            D = wigner.matrix(twice, wigner.angles_of_quaternions(q))
            slack = (twice + 1) * float(wigner.matrix_bound(twice)) + float(
                measured.character_bound(twice, omega)
            )
            slack += (twice + 1) * float(angle_error(twice))
            assert abs(np.trace(D) - measured.character(twice, omega)) <= slack
