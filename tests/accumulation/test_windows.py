"""Means of random rotations: proofs, laws, windows, dependent tokens, reference values."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics.accumulation import windows as measured
from posproof.theory.accumulation.windows import INCOHERENCE_LIMITS, RANDOM_MEAN

CLAIMS = [RANDOM_MEAN, INCOHERENCE_LIMITS]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


# ---------------------------------------------------------------------- reference values
LAST_DIGIT = mpmath.mpf(10) ** -29


def near(found, printed):
    return abs(found - mpmath.mpf(printed)) < LAST_DIGIT


@pytest.mark.parametrize(
    ("kappa", "printed", "window"),
    [
        ("0.5", "0.242499612580801945350702353504", 4),
        ("1", "0.446389965896534507047681795193", 6),
        ("4", "0.863522611024550582854649070871", 32),
        ("16", "0.968227755428159926608951659148", 143),
    ],
)
def test_von_mises_resultants_and_windows(kappa, printed, window):
    from flint import arb

    with mpmath.workdps(40):
        exact = mpmath.besseli(1, mpmath.mpf(kappa)) / mpmath.besseli(0, mpmath.mpf(kappa))
        assert near(exact, printed)
    measured_rate = float(measured.resultant(np.array([float(kappa)]))[0])
    assert abs(measured_rate - float(printed)) <= 8 * 2.0**-53
    rate = arb(kappa).bessel_i(1) / arb(kappa).bessel_i(0)
    assert measured.ceiling_window(rate, Fraction(1, 100)) == window


def test_second_resultant_of_von_mises():
    with mpmath.workdps(40):
        ratio = mpmath.besseli(2, 4) / mpmath.besseli(0, 4)
        assert near(ratio, "0.568238694487724708572675464565")


@pytest.mark.parametrize(("sigma", "window"), [("0.5", 37), ("0.1", 922), ("1", 10)])
def test_normal_windows(sigma, window):
    from flint import arb

    rate = (-(arb(sigma) ** 2) / 2).exp()
    assert measured.ceiling_window(rate, Fraction(1, 100)) == window


def test_normal_and_uniform_resultants():
    with mpmath.workdps(40):
        assert near(mpmath.exp(-mpmath.mpf(1) / 8), "0.882496902584595402864892143229")
        assert near(mpmath.sin(1), "0.84147098480789650665250232163")


def test_a_rate_of_zero_has_a_window_of_one_step():
    assert measured.ceiling_window(0, Fraction(1, 100)) == 1


@pytest.mark.parametrize(
    ("p", "printed"),
    [
        (Fraction(1, 2), "0.540302305868139717400936607443"),
        (Fraction(9, 10), "0.894427190999915878563669467493"),
        (Fraction(1, 10), "0.950087854747930234972207909557"),
        (Fraction(99, 100), "0.989949493661166534161182106947"),
        (Fraction(1, 100), "0.995367261129013230148618068484"),
    ],
)
def test_rates_of_chains(p, printed):
    from flint import arb, ctx, fmpq

    with ctx.workprec(160):
        rate = measured.chain_rate(arb(fmpq(p.numerator, p.denominator)), arb(1))
        assert abs(rate - arb(printed)) < arb(10) ** -29


def test_last_distances_at_which_a_chain_keeps_a_percent():
    """The amplitude itself, not the rate: it ends one to fifty-six steps before the window."""
    last = {}
    for p in (0.9, 0.1, 0.99, 0.01):
        means = np.abs(measured.chain_means(p, 1.0, 1200))
        last[p] = int(np.nonzero(means > 0.01)[0].max())
    assert last == {0.9: 41, 0.1: 84, 0.99: 449, 0.01: 935}


def test_fifth_power_and_second_moment_of_von_mises():
    with mpmath.workdps(40):
        one, two = (mpmath.besseli(h, 4) / mpmath.besseli(0, 4) for h in (1, 2))
        assert near(one**5, "0.480140753269694827816868905747")
        assert near((1 + two**5) / 2, "0.529622657944794869941621447513")


# ---------------------------------------------------------------------- kernels
def test_windows_by_bisection_agree_with_logarithms():
    from flint import arb, fmpq

    for rate in (Fraction(1, 3), Fraction(4, 5), Fraction(99, 100)):
        epsilon = Fraction(1, 100)
        by_powers = measured.mixing_window(lambda n, rate=rate: rate**n <= epsilon)  # noqa: B023
        ball = arb(fmpq(rate.numerator, rate.denominator))
        assert by_powers == measured.ceiling_window(ball, Fraction(1, 100))


def test_a_window_on_the_edge_is_refused():
    from flint import arb

    with pytest.raises(ValueError, match="too near"):
        measured.ceiling_window(arb("0.1"), Fraction(1, 100))


@given(st.floats(0.02, 0.98), st.floats(0.1, 3), st.integers(1, 40))
def test_the_recurrence_is_the_matrix_power(p, a, steps):
    turn = np.diag([np.exp(1j * a), np.exp(-1j * a)])
    stay = np.array([[p, 1 - p], [1 - p, p]])
    row = np.array([0.5, 0.5]) @ turn
    for _ in range(steps - 1):
        row = row @ stay @ turn
    # Neither the recurrence nor the products grow: both matrices have norm 1.
    assert abs(row.sum() - measured.chain_means(p, a, steps)[steps]) <= 64 * steps**2 * 2.0**-53


def test_a_lattice_law_keeps_its_squared_cosine():
    source = np.random.default_rng(0)
    flips = source.integers(0, 2, (1000, 50)).sum(axis=1)
    assert (np.cos(np.pi * (flips % 2)) ** 2 == 1).all()
