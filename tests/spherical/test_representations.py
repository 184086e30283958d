"""Wigner matrices against printed values, exact integers and other formulas."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import sympy
from flint import acb, acb_mat, arb, fmpq, fmpz_mat
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics import wigner
from posproof.numerics.balls import precision
from posproof.numerics.spherical import representations as measured
from posproof.theory.spherical import representations as theory

CLAIMS = [theory.POLYNOMIAL_ENTRIES, theory.GROUP_LAW, theory.ALL_DEGREES]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


# ---------------------------------------------------------------------- printed values
SMALL = [
    (3, (1, -3), fmpq(7, 10), "0.1913057326429278698901025"),
    (4, (2, 0), fmpq(7, 10), "-0.6034622514087964090755598"),
    (4, (-4, 2), fmpq(7, 10), "0.07574641112173048167143853"),
    (20, (2, 0), fmpq(7, 10), "-0.09790916502937291130337635"),
    (20, (-14, 8), fmpq(7, 10), "0.007547620591646020112686112"),
    (20, (0, 0), fmpq(7, 10), "0.2954814598944670657693462"),
    (128, (6, 10), fmpq(7, 10), "-0.1172065233403483085323829"),
    (512, (0, 0), fmpq(7, 10), "-0.05917205564697188701670845"),
    (512, (200, -114), fmpq(7, 10), "-0.03504329414190529937634472"),
    (512, (0, 0), fmpq(1, 1000), "0.983619510016184863278572"),
]


@pytest.mark.parametrize(("twice", "orders", "beta", "printed"), SMALL)
def test_printed_entries_of_small_d(twice, orders, beta, printed, agrees):
    row, column = ((twice + order) // 2 for order in orders)
    assert agrees(measured.small_entry(twice, row, column, beta, 4000), printed)
    found = wigner.small(twice, float(fmpq(beta)))[row, column]
    # beta is rounded to a float, and d is l-Lipschitz
    slack = wigner.entry_bound(twice) + twice * Fraction(1, 2**53)
    assert abs(Fraction(float(found)) - Fraction(printed)) <= slack


ROW = [
    ("0.01998455077896272564964", "-0.1158681015225888842414"),
    ("-0.4351850950471284583007", "0.1346185251878861401233"),
    ("0.6147886964100148795063", "0.6330101462624820266257"),
]


def test_printed_row_of_a_full_matrix(agrees):
    with precision(300):
        alpha, beta, gamma = arb("0.3"), arb("0.7"), arb("-1.1")
        for column, (real, imag) in enumerate(ROW):
            turn = alpha + (column - 1) * gamma
            d = measured.small_entry(2, 2, column, beta, 300)
            assert agrees(turn.cos() * d, real)
            assert agrees(-turn.sin() * d, imag)
    found = wigner.matrix(2, [0.3, 0.7, -1.1])[2]
    expected = np.array([complex(float(a), float(b)) for a, b in ROW])
    assert np.abs(found - expected).max() <= float(wigner.matrix_bound(2) + 4 * wigner.U)


def test_row_zero_of_degree_one_as_polynomials():
    w, x, y, z = theory.TURN
    form = theory.wigner(
        2, theory.quaternion(w - sympy.I * z, w + sympy.I * z, y - sympy.I * x, y + sympy.I * x)
    )
    row = form.doit().row(1)
    root, i = sympy.sqrt(2), sympy.I
    expected = [
        root * (-i * w * x - w * y + x * z - i * y * z),
        w**2 - x**2 - y**2 + z**2,
        root * (-i * w * x + w * y - x * z - i * y * z),
    ]
    assert all(sympy.expand(found - value) == 0 for found, value in zip(row, expected, strict=True))


def test_difference_of_the_two_real_forms_at_the_printed_angles():
    """C D C^H is a representation too, and not the rotation matrix: an entry differs by 1.50."""
    D, C = wigner.matrix(2, [0.3, 0.7, -1.1]), wigner.real_basis(1)
    apart = np.abs(C.conj() @ D @ C.T - C @ D @ C.conj().T).max()
    assert apart == pytest.approx(1.50, abs=0.005)


# ---------------------------------------------------------------------- kernels
@pytest.mark.parametrize("twice", range(1, 8))
def test_convolution_and_binomial_sum_are_one_matrix(twice):
    cells = (fmpq(2), fmpq(-3, 5), fmpq(7, 2), fmpq(1, 3))
    p, q, r, s = (sympy.Rational(int(v.p), int(v.q)) for v in cells)
    expected = theory.action(twice, sympy.ImmutableMatrix([[p, r], [q, s]]))
    found = measured.forms(twice, *cells)
    assert [[Fraction(int(v.p), int(v.q)) for v in row] for row in found] == [
        [Fraction(int(v.p), int(v.q)) for v in row] for row in expected.tolist()
    ]


PART = st.integers(-30, 30)
QUATERNION = st.tuples(PART, PART, PART, PART)


@given(st.integers(1, 6), QUATERNION, QUATERNION)
def test_integer_quaternions_multiply_exactly(twice, p, q):
    with precision(measured.BITS):
        product = measured.gaussian(twice, p) * measured.gaussian(twice, q)
        assert measured.gaussian(twice, measured.times(p, q)) == product


@given(st.integers(1, 6), QUATERNION)
def test_weighed_columns_are_orthogonal(twice, q):
    with precision(measured.BITS):
        T = measured.gaussian(twice, q)
        scale = sympy.ilcm(*(sympy.binomial(twice, k) for k in range(twice + 1)))
        W = acb_mat(
            [
                [int(scale / sympy.binomial(twice, i)) if i == j else 0 for j in range(twice + 1)]
                for i in range(twice + 1)
            ]
        )
        assert measured.adjoint(T) * W * T == W * acb(measured.length(q) ** twice)


@pytest.mark.parametrize("twice", [1, 2, 3, 5, 10, 20])
def test_rounded_matrix_is_unitary_and_multiplicative(twice):
    p, q = measured.integer_quaternions(2, 5)
    D = {name: measured.rounded_wigner(twice, x) for name, x in {"p": p, "q": q}.items()}
    product = D["p"] @ D["q"]
    n = twice + 1
    # entries within u of their size; products of rows of length 1 lose (n + 3) u sqrt(2) more
    slack = float((2 * (n + 3) + 6) * wigner.U)
    assert np.abs(product - measured.rounded_wigner(twice, measured.times(p, q))).max() <= slack
    assert np.abs(D["p"] @ D["p"].conj().T - np.eye(n)).max() <= slack


def test_sympy_orders_the_indices_the_other_way():
    from sympy.physics.quantum.spin import Rotation

    beta = sympy.Rational(7, 10)
    d = wigner.small(4, 0.7)
    for row in range(5):
        for column in range(5):
            value = Rotation.d(2, row - 2, column - 2, beta).doit()
            assert float(value) == pytest.approx(d[row, column], abs=1e3 * float(wigner.U))


def test_half_integer_degrees_change_sign_after_a_turn():
    angles = np.array([0.4, 0.0, 0.0])
    for twice in (1, 2, 3, 4):
        turned = wigner.matrix(twice, angles + np.array([2 * np.pi, 0, 0]))
        # 2 pi is rounded by less than 3 u, and what it turns by at most l times that
        slack = float(2 * wigner.matrix_bound(twice) + 2 * twice * wigner.U)
        assert np.abs(turned - (-1) ** twice * wigner.matrix(twice, angles)).max() <= slack


# ---------------------------------------------------------------------- every degree
def test_bracket_of_u_v_with_itself():
    """h(u v, u v) = 1 / C(2, 1)."""
    weight = [Fraction(1, math.comb(2, k)) for k in range(3)]
    form = [0, 1, 0]
    assert sum(w * a * b for w, a, b in zip(weight, form, form, strict=True)) == Fraction(1, 2)


@pytest.mark.parametrize("twice", range(1, 9))
def test_powers_of_linear_forms_span(twice):
    n = twice + 1
    rows = [[math.comb(twice, k) * (i + 1) ** k for k in range(n)] for i in range(n)]
    assert fmpz_mat(rows).det() != 0


@given(st.integers(1, 12), QUATERNION, QUATERNION)
def test_every_degree_multiplies(twice, p, q):
    with precision(1024):
        product = measured.gaussian(twice, p) * measured.gaussian(twice, q)
        assert measured.gaussian(twice, measured.times(p, q)) == product
