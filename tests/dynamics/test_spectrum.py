"""Ring spectra against the printed values, integer tables and independent computation."""

import math
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

import posproof
from posproof.numerics.balls import enclose, precision
from posproof.numerics.dynamics import spectrum
from posproof.theory.dynamics import BESSEL_SPECTRUM

CLAIMS = [BESSEL_SPECTRUM]
RING = BESSEL_SPECTRUM.definitions


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


# ---------------------------------------------------------------------- dynamics.bessel_spectrum
EIGENVALUES = [
    (5, 1, 1, fmpq(1), "0.4483773650845017791805795"),
    (5, 2, 1, fmpq(1), "0.1246776375950133964592021"),
    (8, 3, 1, fmpq(2), "0.09763190570008957194140819"),
    (8, 2, 2, fmpq(2), "0.7615941559557648881194583"),
    (12, 8, 4, fmpq(5, 2), "0.9326161929308957621762258"),
    (16, 1, 1, fmpq(4), "0.8635226133022775825226318"),
]


@pytest.mark.parametrize(("n", "p", "m", "beta", "printed"), EIGENVALUES)
def test_printed_eigenvalues(agrees, n, p, m, beta, printed):
    with precision(256):
        assert agrees(spectrum.transform(n, p, m, arb(beta)), printed)
        value = RING.eigenvalue(p, m, n, Fraction(int(beta.p), int(beta.q)))
    assert agrees(enclose(value, {}, 256), printed)
    assert spectrum.ring_spectrum(n, p, float(beta))[m] == pytest.approx(float(printed), rel=1e-14)


def test_the_eighth_ring_with_p_2_is_a_ring_of_four():
    with precision(256):
        assert spectrum.transform(8, 2, 2, arb(2)).overlaps(arb(1).tanh())


def test_aliasing_table_in_integers():
    """All n <= 12, p, m and eight orders: 5200 equalities of integers."""
    count = 0
    reached = spectrum.SUMS.reached
    for n in range(1, 13):
        for p in range(n):
            for j in (0, 1, 2, 3, 5, 8, 13, 24):
                counts = spectrum.words(n, p, j)
                assert sum(counts) == 2**j
                for m in range(n):
                    assert counts[m] == spectrum.binomials(n, p, m, j, reached)
                    count += 1
    assert count == 8 * sum(n * n for n in range(1, 13)) == 5200


def test_printed_errors_of_wrong_formulas():
    right = spectrum.ring_spectrum(7, 3, 2.0)
    wrong = spectrum.bessel_spectrum(7, 3, 2.0, lambda k, p, m: k - m)
    assert np.abs(right - wrong).max() == pytest.approx(0.583, abs=5e-4)
    for beta, error in ((2, 0.022), (20, 0.204)):
        with precision(128):
            alone = [float(spectrum.only_one_copy(7, 1, m, arb(beta))) for m in range(7)]
        assert np.abs(spectrum.ring_spectrum(7, 1, beta) - alone).max() == pytest.approx(
            error, abs=5e-4
        )


def test_index_by_p_instead_of_its_inverse():
    n, p, beta = 7, 3, 2.0
    coprime = spectrum.ring_spectrum(n, 1, beta)
    m = np.arange(n)
    right, wrong = coprime[(pow(p, -1, n) * m) % n], coprime[(p * m) % n]
    found = spectrum.ring_spectrum(n, p, beta)
    assert np.abs(found - right).max() <= float(spectrum.small_ring_bound(beta).value)
    assert np.abs(found - wrong).max() == pytest.approx(0.583, abs=5e-4)


@pytest.mark.parametrize("n", [2, 3, 4, 6])
def test_closed_forms_in_float(n):
    beta = 1.7
    x = math.exp(beta / 2)
    six = x**4 + 2 * x**3 + 2 * x + 1
    expected = {
        2: [math.tanh(beta)],
        3: [(x**3 - 1) / (x**3 + 2)],
        4: [math.tanh(beta / 2), math.tanh(beta / 2) ** 2],
        6: [
            (x**2 - 1) * (x**2 + x + 1) / six,
            (x - 1) ** 2 * (x**2 + x + 1) / six,
            (x - 1) ** 3 * (x + 1) / six,
        ],
    }[n]
    bound = float(spectrum.small_ring_bound(beta).value)
    assert np.abs(spectrum.ring_spectrum(n, 1, beta)[1 : n // 2 + 1] - expected).max() <= bound


@given(st.integers(1, 40), st.integers(-40, 40), st.floats(0.1, 20))
def test_zero_eigenvalues_are_counted_by_the_divisor(n, p, beta):
    found = spectrum.ring_spectrum(n, p, beta)
    g = math.gcd(p, n)
    vanishing = np.arange(n) % g != 0
    # n rounded cosines of at most 40 weights cancel: 40 u and the transform's own error
    assert np.abs(found[vanishing]).max(initial=0) <= 128 * 2.0**-53 * (1 + beta)
    assert (n - n // g) == np.count_nonzero(vanishing)


@given(st.integers(1, 30), st.fractions(Fraction(1, 10), 20, max_denominator=10))
def test_class_sums_add_up_to_the_exponential(n, beta):
    with precision(256):
        x = arb(fmpq(beta.numerator, beta.denominator))
        whole = sum((spectrum.class_sum(q, n, x) for q in range(n)), arb(0))
        assert whole.overlaps(x.exp())
        assert (whole - x.exp()).rad() < 1e-40


def test_the_tail_bound_contains_the_tail():
    with precision(128):
        for beta in (arb(1), arb(7)):
            for K, stride in ((5, 1), (5, 3), (12, 2)):
                rest = sum((beta.bessel_i(K + j * stride) for j in range(30)), arb(0))
                assert rest < spectrum.tail(beta, K, stride) < 2 * rest


@pytest.mark.parametrize("n", [7, 11, 14, 999_983])
def test_the_bound_refuses_other_lengths(n):
    with pytest.raises(ValueError, match="lengths"):
        spectrum.spectrum_bound(n, Fraction(1))


@pytest.mark.parametrize(("n", "beta"), [(8, 0), (12, 3), (100, 40), (1000, 1)])
def test_spectrum_bound_is_met_at_every_mode(n, beta):
    bound = spectrum.spectrum_bound(n, Fraction(beta)).value
    found = spectrum.ring_spectrum(n, 1, float(beta))
    with precision(200):
        orders = [arb(beta).bessel_i(k) for k in range(spectrum.cutoff(arb(beta)) + 1)]
        sums = spectrum.class_sums(n, arb(beta), orders)
        for m in range(n):
            assert abs(float(found[m]) - sums[m] / sums[0]) < arb(
                fmpq(bound.numerator, bound.denominator)
            )


def test_spectrum_bound_grows_with_beta_and_stays_small():
    values = [spectrum.spectrum_bound(10**6, Fraction(b)).value for b in (1, 10, 100, 1000)]
    assert values == sorted(values)
    assert values[0] < Fraction(1, 10**12)
    assert values[-1] < Fraction(1, 10**11)


def test_first_order_of_the_weights_decides_two_tokens():
    """On a ring of two the class of 1 holds both +1 and -1: lambda_1 = tanh beta ~ beta."""
    assert spectrum.ring_spectrum(2, 1, 1e-4)[1] == pytest.approx(1e-4, rel=1e-8)
