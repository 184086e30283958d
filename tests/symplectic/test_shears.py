"""Shears, what they generate and what they factorise, against printed values."""

import math
from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics.balls import enclose
from posproof.numerics.symplectic import shears
from posproof.theory.symplectic import (
    GENERATION,
    SHEARS,
    SYMMETRIC_COMPOSITION,
    THREE_SHEARS,
    TRACE_CLASSES,
)
from posproof.theory.symplectic import shears as theory

CLAIMS = [SHEARS, GENERATION, TRACE_CLASSES, SYMMETRIC_COMPOSITION, THREE_SHEARS]
U = 2.0**-53
number = st.fractions(-50, 50, max_denominator=50)


def exact(*entries):
    """A matrix of fractions from its four entries."""
    return np.array([Fraction(e) for e in entries], dtype=object).reshape(2, 2)


def parameters(*values):
    return [np.array(Fraction(value), dtype=object) for value in values]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_claim_stands(stands, claim):
    stands(claim)


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


# ---------------------------------------------------------------------- symplectic.trace_classes
def test_trace_three_has_the_rate_of_the_golden_ratio(agrees):
    golden = 2 * sympy.log((1 + sympy.sqrt(5)) / 2)
    for value in (theory.asinh_rate(sympy.Integer(1)), sympy.acosh(sympy.Rational(3, 2)), golden):
        assert agrees(enclose(value, {}, 200), "0.962423650119206894995517826849")


@pytest.mark.parametrize(("sign", "name"), [(1, "push"), (-1, "turn")])
def test_a_float_trace_cannot_tell_what_an_exact_one_tells(sign, name):
    e = sign * Fraction(1, 10**16)
    assert shears.exact_class(2 + e) == name
    product = shears.upper(1.0) @ shears.lower(float(e))
    tau = float(np.trace(product))
    assert tau == 2 and shears.guarded_class(tau) == "undecided"


def test_computed_eigenvalues_lose_half_of_their_digits_at_a_double_one():
    for sign in (1, -1):
        found = np.linalg.eigvals(np.array([[1.0, 1.0], [sign * 1e-16, 1.0]]))
        assert 1e-9 < abs(found - 1).max() < 1e-7


@pytest.mark.parametrize(
    ("b", "name"),
    [(1, "push"), (-1, "turn"), (0, "shear"), (-4, "shear"), (-5, "flip")],
)
def test_each_region_of_the_plane_has_its_class(b, name):
    tau = Fraction(np.trace(shears.composed(*parameters(1, b))))
    assert shears.exact_class(tau) == name


@given(st.fractions(-5, 5, max_denominator=50), st.fractions(-5, 5, max_denominator=50))
def test_a_named_class_is_the_exact_one(a, b):
    x, y = float(a), float(b)
    tau = float(np.trace(shears.composed(np.float64(x), np.float64(y))))
    assert shears.guarded_class(tau) in {
        "undecided",
        shears.exact_class(2 + Fraction(x) * Fraction(y)),
    }


@given(number.filter(bool), number)
def test_eigenvalues_solve_the_characteristic_equation(r, p):
    m = np.array([[float(p), 1.0], [float(r), 0.5]])
    found = shears.eigenvalues(m)
    assert abs(found.sum() - np.trace(m)) <= 8 * U * (1 + abs(found).max())


# ---------------------------------------------------------------------- symmetric_composition
def anisotropy(a, b):
    """sqrt(|c / a|)."""
    return sympy.sqrt(abs(theory.corner(a, b) / a))


@pytest.mark.parametrize(
    ("a", "b", "printed"),
    [("3/10", "1/5", "0.244340698822827497531201"), ("1", "1", "0.962423650119206894995517826849")],
)
def test_printed_hyperbolic_rates(agrees, a, b, printed):
    value = theory.asinh_rate(sympy.Rational(a) * sympy.Rational(b))
    assert agrees(enclose(value, {}, 200), printed)


@pytest.mark.parametrize(
    ("ab", "printed"),
    [
        ("-3/50", "0.2455655175152920079821239"),
        ("-39/10", "2.824032224298271877968426"),
        ("-3999/1000", "3.109968559224163880945464"),
    ],
)
def test_printed_angles(agrees, ab, printed):
    angle = 2 * sympy.asin(sympy.sqrt(-sympy.Rational(ab)) / 2)
    assert agrees(enclose(angle, {}, 200), printed)
    near = float(shears.angle(float(sympy.Rational(ab)), 1.0))
    # arcsin has the condition number x / sqrt(4 - x^2) / arcsin(x / 2) < 64 here.
    assert near == pytest.approx(float(printed), rel=500 * U)


def test_printed_rate_beyond_the_window(agrees):
    value = theory.acosh_rate(sympy.Rational(41, 10))
    assert agrees(enclose(value, {}, 200), "0.3149247566038478717434034")
    assert float(shears.far_rate(4.1, -1.0)) == pytest.approx(0.31492475660384787, rel=100 * U)


@pytest.mark.parametrize(
    ("b", "printed"),
    [("1/5", "0.8225975119502043975694562"), ("-1/5", "0.8103497187428812001602956")],
)
def test_printed_anisotropies(agrees, b, printed):
    rho = anisotropy(sympy.Rational(3, 10), sympy.Rational(b))
    assert agrees(enclose(rho, {}, 200), printed)
    assert float(shears.anisotropy(0.3, float(sympy.Rational(b)))) == pytest.approx(
        float(printed), rel=8 * U
    )


def test_printed_mean_of_the_anisotropy(agrees):
    rho = anisotropy(sympy.Rational(3, 10), sympy.Rational(1, 5))
    assert agrees(enclose((rho + 1 / rho) / 2, {}, 200), "1.019129429829933034427183")


def test_printed_parameters_of_a_rate(agrees):
    a, b = theory.parameters(sympy.Rational(6, 100), sympy.Rational(1, 2))
    assert agrees(enclose(a, {}, 200), "0.1200720129611109126875321")
    assert agrees(enclose(b, {}, 200), "0.02999100323882014458590483")


@given(st.floats(-10, 3), st.floats(-2, 2))
def test_rate_and_anisotropy_return_from_their_parameters(product, share):
    a, b = 10**share, 10 ** (product - share)
    mu, rho = shears.rate(a, b), shears.anisotropy(a, b)
    back = (np.sinh(mu) / rho, 2 * rho * np.tanh(mu / 2))
    # sinh and tanh turn the 11/2 u of mu into at most (11/2)(1 + mu) u, mu < 8
    assert back[0] == pytest.approx(a, rel=64 * U)
    assert back[1] == pytest.approx(b, rel=64 * U)


def test_rate_by_the_trace_forgets_small_products():
    a, b = 1e-7, 1.3e-7
    exact = 2 * math.asinh(math.sqrt(a * b) / 2)
    assert abs(shears.rate_by_trace(a, b) / exact - 1) > 1e-3
    assert shears.rate(a, b) == pytest.approx(exact, rel=6 * U)


@given(st.fractions(-5, 5, max_denominator=50), st.fractions(-5, 5, max_denominator=50))
def test_symmetric_products_are_reversible(a, b):
    m = shears.composed(*parameters(a, b))
    mirror = np.array([[1, 0], [0, -1]], dtype=object)
    assert (mirror @ m @ mirror @ m == np.eye(2, dtype=int)).all()
    assert m[0, 0] == m[1, 1] and m[0, 0] + m[1, 1] == 2 + a * b


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
