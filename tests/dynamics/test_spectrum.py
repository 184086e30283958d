"""Ring spectra against the printed values, integer tables and independent computation."""

import math
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics.balls import enclose, precision
from posproof.numerics.dynamics import spectrum
from posproof.theory.dynamics import BESSEL_SPECTRUM, LARGE_BETA

CLAIMS = [BESSEL_SPECTRUM, LARGE_BETA]
RING = BESSEL_SPECTRUM.definitions


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


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


# ---------------------------------------------------------------------- dynamics.large_beta
COLD_RINGS = [
    (8, "0.047727193111944863622", "-0.1515", "0.7636"),
    (16, "0.0053038426029888530686", "-0.01807", "0.1697"),
    (32, "0.000049797138731124774150", "-0.0001700", "0.003187"),
    (64, "0.0000000042346463650933184461", "-0.00000001446", "0.000000542"),
    (128, "0.000000000000000030612232042400458624", "-1.05e-16", "7.8e-15"),
]


@pytest.mark.parametrize(("beta", "gap", "error", "scaled"), COLD_RINGS)
def test_printed_gaps_of_eight_tokens(agrees, beta, gap, error, scaled):
    with precision(400):
        found = spectrum.exact_ring_gap(8, 1, arb(beta))
        assert agrees(found, gap)
        assert agrees(found / spectrum.exact_law(8, 1, arb(beta)) - 1, error)
        assert agrees(2 * beta * found, scaled)
    assert spectrum.ring_gap(8, 1, beta) == pytest.approx(float(gap), rel=(14 * beta + 24) * 2e-16)


@pytest.mark.parametrize(
    ("beta", "continuum", "fixed"), [(4096, "0.854", "0.797"), (16384, "0.00996", "0.9994")]
)
def test_printed_ratios_of_two_hundred_tokens(agrees, beta, continuum, fixed):
    with precision(400):
        gap = spectrum.exact_ring_gap(200, 1, arb(beta))
        assert agrees(2 * beta * gap, continuum)
        assert agrees(gap / spectrum.exact_law(200, 1, arb(beta)), fixed)
        if beta == 4096:
            assert agrees(gap, "0.000104285192213")


CROSSOVER = [
    (fmpq(1, 100), "49.999999999999999998"),
    (fmpq(1, 20), "9.9818416768681888396"),
    (fmpq(1, 10), "4.3351637413187921229"),
    (fmpq(1, 5), "0.73350146191163806680"),
    (fmpq(1, 2), "0.0020417383343590764817"),
]


@pytest.mark.parametrize(("tau", "printed"), CROSSOVER)
def test_printed_crossover(agrees, tau, printed):
    with precision(256):
        if tau < fmpq(1, 5):
            assert agrees(spectrum.poisson_crossover(arb(tau)), printed)
        if tau > fmpq(1, 25):
            assert agrees(spectrum.exact_crossover(arb(tau)), printed)
    found = spectrum.crossover(int(tau.p) / int(tau.q))
    assert found == pytest.approx(float(printed), rel=1e-13)


def test_printed_approach_of_the_crossover(agrees):
    law = spectrum.exact_crossover(arb(fmpq(1, 10)))
    for n, printed in ((20, "0.0068"), (40, "0.00167"), (80, "0.000416"), (160, "0.000104")):
        with precision(256):
            gap = spectrum.exact_ring_gap(n, 1, arb(fmpq(n * n, 10)))
            assert agrees(n * n * gap / law - 1, printed)


def test_the_continuum_law_is_wrong_on_a_fixed_ring():
    assert 2 * 32 * spectrum.ring_gap(8, 1, 32.0) < 0.9
    assert spectrum.ring_gap(2, 1, 20.0) / (2 * spectrum.law(2, 1, 20.0)) == pytest.approx(0.5)


@given(st.integers(2, 12), st.integers(1, 11), st.integers(1, 80))
def test_positive_sums_agree_with_one_minus_the_eigenvalue(n, q, beta):
    with precision(400):
        gap = spectrum.exact_ring_gap(n, q, arb(beta))
        assert gap.overlaps(1 - spectrum.transform(n, 1, q, arb(beta)))
        low, high = spectrum.exact_corridor(n, arb(beta))
    assert spectrum.corridor(n, beta) == pytest.approx((float(low), float(high)), rel=1e-12)
    close = (14 * beta + 2 * n + 24) * 2e-16
    assert spectrum.ring_gap(n, q % n, beta) == pytest.approx(float(gap), rel=close)
