"""Closed powers, norms and decompositions against printed values and independent computation."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics.balls import enclose, precision
from posproof.numerics.symplectic import powers as measured
from posproof.theory.symplectic import powers as theory

U64 = 2.0**-53


CLAIMS = [theory.POWERS, theory.DECOMPOSITIONS]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


def test_printed_tenth_power():
    matrix = measured.exact_power(measured.symmetric(Fraction(1), Fraction(1)), 10)
    half = Fraction(15127, 2)
    assert matrix == ((half, Fraction(6765)), (Fraction(33825, 4), half))


def test_printed_rates(agrees):
    with precision(200):
        a, b = arb(fmpq(3, 10)), arb(fmpq(1, 5))
        mu = measured.KERNELS.ball_rate(a * b)
        rho = (b * (1 + a * b / 4) / a).sqrt()
    assert agrees(mu, "0.244340698822827497531201")
    assert agrees(rho, "0.8225975119502043975694562")


def test_two_shears_by_one_are_the_fibonacci_matrix():
    shears = measured.times(measured.shear("U", Fraction(1)), measured.shear("L", Fraction(1)))
    numbers = [0, 1]
    while len(numbers) < 120:
        numbers.append(numbers[-1] + numbers[-2])
    for n in range(1, 59):
        (above, middle), (_, below) = measured.exact_power(shears, n)
        assert (above, middle, below) == tuple(numbers[2 * n + k] for k in (1, 0, -1))


@given(st.fractions(-5, 5, max_denominator=40), st.fractions(-5, 5, max_denominator=40))
def test_the_symmetric_composition_is_the_product_of_its_shears(a, b):
    side = measured.shear("L", b / 2)
    product = measured.times(measured.times(side, measured.shear("U", a)), side)
    assert product == measured.symmetric(a, b)
    assert enclose(theory.POWERS.definitions.composed(theory.a, theory.b), {"a": a, "b": b}) == (
        tuple(tuple(fmpq(x.numerator, x.denominator) for x in row) for row in product)
    )


@given(st.lists(st.sampled_from(["U", "L"]), min_size=1, max_size=6), st.integers(0, 10**6))
def test_the_stretch_is_the_norm_of_the_singular_value_decomposition(kinds, seed):
    source = np.random.default_rng(seed)
    product = measured.ONE
    for kind in kinds:
        product = measured.times(
            measured.shear(kind, Fraction(int(source.integers(-16, 17)), 8)), product
        )
    direct = np.linalg.norm(np.array([[float(x) for x in row] for row in product]), 2)
    # entries are dyadic and exact; the library's singular values are off by a few u of the norm
    assert abs(direct - float(measured.stretch(product))) <= 32 * U64 * direct


@given(st.floats(0.001, 2), st.floats(0.001, 2), st.integers(1, 30))
def test_the_closed_form_multiplies_like_a_power(a, b, n):
    """Against repeated multiplication, whose error adds 4 u of the norm at every step."""
    x, y, steps = np.array(a), np.array(b), np.array(n)
    once = measured.closed_power(x, y, np.array(1))
    direct = np.linalg.matrix_power(once, n)
    closed = measured.closed_power(x, y, steps)
    mu = float(measured.rate(a, b))
    worst = np.abs(direct / closed - 1).max()
    kappa = max(float(measured.anisotropy(a, b)), 1 / float(measured.anisotropy(a, b)))
    bound = (n + 1) * (8 + 4.5 * mu + 12) * U64 * kappa**2
    assert worst <= bound


def test_iwasawa_of_a_printed_matrix():
    """M = [[3, 1], [5, 2]]: N = 34 and t = 13 / 34."""
    matrix = np.array([[3.0, 1.0], [5.0, 2.0]])
    turn = np.array([[3, -5], [5, 3]]) / np.sqrt(34)
    shear = theory.DECOMPOSITIONS.definitions.shear(3, 1, 5, 2, Fraction(34))
    assert shear == Fraction(13, 34)
    product = turn @ np.diag([np.sqrt(34), 1 / np.sqrt(34)]) @ np.array([[1, 13 / 34], [0, 1]])
    assert np.abs(product - matrix).max() <= 64 * U64
