"""Shears, what they generate and what they factorise, against printed values."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import posproof
from posproof.numerics.balls import enclose
from posproof.numerics.symplectic import shears
from posproof.theory.symplectic import GENERATION, SHEARS, THREE_SHEARS
from posproof.theory.symplectic import shears as theory

CLAIMS = [SHEARS, GENERATION, THREE_SHEARS]
U = 2.0**-53
number = st.fractions(-50, 50, max_denominator=50)


def exact(*entries):
    """A matrix of fractions from its four entries."""
    return np.array([Fraction(e) for e in entries], dtype=object).reshape(2, 2)


def parameters(*values):
    return [np.array(Fraction(value), dtype=object) for value in values]


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


# ---------------------------------------------------------------------- symplectic.shears
def test_two_unit_shears_make_the_fibonacci_matrix():
    product = shears.upper(np.array(1, dtype=object)) @ shears.lower(np.array(1, dtype=object))
    assert product.tolist() == [[2, 1], [1, 1]]


def test_determinant_one_is_not_symplectic_in_dimension_four():
    form = np.kron(np.eye(2, dtype=int), np.array(shears.FORM))
    inside, outside = (
        np.diag([Fraction(2), Fraction(1, 2), Fraction(1), Fraction(1)]),
        np.diag([Fraction(2), Fraction(1), Fraction(1, 2), Fraction(1)]),
    )
    assert not (inside.T @ form @ inside - form).any()
    residual = outside.T @ form @ outside - form
    assert math.prod(np.diag(outside)) == 1
    assert abs(residual).max() == 1 and residual[0, 1] == 1


@given(number, number, number, number)
def test_form_is_scaled_by_the_determinant_of_fractions(p, q, r, s):
    assert not shears.form_residual(exact(p, q, r, s)).any()


def test_observed_rounding_stays_below_eight_units():
    m = np.random.default_rng(1).uniform(-1, 1, (20_000, 2, 2))
    assert shears.largest(shears.form_residual(m)).max() <= 8 * U


# ---------------------------------------------------------------------- symplectic.generation
def test_four_shears_of_a_printed_diagonal_matrix():
    product = shears.shear_product("LULU", *parameters(-1, Fraction(1, 2), 2, Fraction(-1, 4)))
    assert product.tolist() == [[2, 0], [0, Fraction(1, 2)]]
    stated = [Fraction(int(x.p), int(x.q)) for x in theory.four_for_diagonal(theory.Whole(2))]
    assert stated == [-1, Fraction(1, 2), 2, Fraction(-1, 4)]


def test_four_shears_of_a_half_turn():
    assert shears.shear_product("LULU", *parameters(-1, 2, -1, 2)).tolist() == [[-1, 0], [0, -1]]


@pytest.mark.parametrize("m", [np.diag([2.0, 0.5]), -np.eye(2)])
def test_three_shears_refuse_a_diagonal_matrix(m):
    with pytest.raises(ValueError, match="no three shears"):
        shears.three_shears(m)


@given(number.filter(bool), number, number.filter(bool))
def test_three_shears_rebuild_a_matrix_of_fractions(p, q, r):
    m = exact(p, q, r, (1 + q * r) / p)
    kind, *found = shears.three_shears(m)
    assert (shears.shear_product(kind, *(np.array(x, dtype=object) for x in found)) == m).all()


@given(number.filter(bool))
def test_four_shears_rebuild_a_diagonal_matrix(p):
    product = shears.shear_product("LULU", *parameters(-1, (p - 1) / p, p, (1 - p) / p**2))
    assert (product == exact(p, 0, 0, 1 / p)).all()


@given(number.filter(bool), number.filter(bool), number)
def test_swapped_parameters_fail_unless_the_diagonal_is_constant(p, r, s):
    m = exact(p, (p * s - 1) / r, r, s)
    swapped = shears.shear_product("ULU", *parameters((s - 1) / r, r, (p - 1) / r))
    assert (swapped == m).all() == (p == s)


def test_reconstruction_stays_within_the_printed_tolerance():
    for m in shears.special(2000, np.random.default_rng(2)):
        kind, *found = shears.three_shears(m)
        error = shears.largest(shears.shear_product(kind, *found) - m) / shears.largest(m)
        pivot = max(abs(m[0, 1]), abs(m[1, 0]))
        assert error <= 16 * U * (1 + np.linalg.norm(m, 2) ** 2 / pivot)


# ---------------------------------------------------------------------- symplectic.three_shears
def test_printed_parameters_at_one(agrees):
    t, s, _ = theory.rotation_shears(theory.Whole(1))
    assert agrees(enclose(-t, {}, 200), "0.5463024898437905132551795")
    assert agrees(enclose(s, {}, 200), "0.8414709848078965066525023")
    t, s, _ = theory.boost_shears(theory.Whole(1))
    assert agrees(enclose(t, {}, 200), "0.4621171572600097585023185")
    assert agrees(enclose(s, {}, 200), "1.175201193643801456882382")


def test_wrong_sign_leaves_a_large_residual():
    t = np.tan(0.5)
    product = shears.upper(t) @ shears.lower(np.sin(1.0)) @ shears.upper(t)
    assert shears.largest(product - shears.rotation(np.array(1.0))) > 1


def test_near_a_half_turn_the_plain_product_loses_half_of_its_digits():
    theta = np.array(math.pi - 1e-8)
    plain = shears.largest(shears.rotation_by_shears(theta) - shears.rotation(theta))
    reduced = shears.largest(shears.rotation_reduced(theta) - shears.rotation(theta))
    assert 1e5 * U < plain <= float(shears.rotation_bound(float(theta)).value)
    assert reduced <= float(shears.reduced_bound().value)


def test_float_pi_is_not_pi():
    assert 1e16 < math.tan(math.pi / 2) < 2e16


@given(st.floats(-8, 8))
def test_both_factorisations_of_a_boost_agree(mu):
    t = np.tanh(mu / 2)
    other = shears.upper(t) @ shears.lower(np.sinh(mu)) @ shears.upper(t)
    error = shears.largest(other - shears.boost(np.array(mu)))
    assert error <= float(shears.boost_bound(mu).value)
