"""Norms of powers and their peaks against printed values and independent computation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics.balls import precision
from posproof.numerics.symplectic import norms as measured
from posproof.numerics.symplectic.branches import damped, kappa0, shears_of
from posproof.theory.symplectic import norms as theory

U64 = 2.0**-53
PRINTED_NORMS = [
    ("3/10", "1/5", 1, "1.28264123668874769718046"),
    ("3/10", "1/5", 10, "11.72914927240045608286889"),
    ("3/10", "1/5", 100, "41668806696.32762779624364"),
    ("1", "1", 1, "2.63019932234903693501603"),
]
PRINTED_PEAKS = [
    ("11/100", "1/10", 5, "14.33418755442695561825", "2.144566380354731220427"),
    ("1001/10000", "1/10", 5, None, "2.58904984951"),
]
PRINTED_STEPS = [
    ("11/100", "1/10", 5, 14, "2.14431360275302638"),
    ("1/10", "1/20", 20, 11, "3.887126672727191"),
    ("101/1000", "1/10", 100, 27, "48.4531819746406150679"),
]


CLAIMS = [theory.OPERATOR_NORM]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


def test_a_product_with_norm_above_two_has_spectral_radius_below_one(found):
    """gamma = 0.11, mu = 0.1, rho = 5: proved and certified, not sampled."""
    checks = [row.check for row in found[theory.OPERATOR_NORM.id].checks]
    levels = {check.level for check in checks if check.clause == "transient_growth"}
    assert levels == {"exact", "ball"}


@pytest.mark.parametrize(("a", "b", "n", "value"), PRINTED_NORMS)
def test_printed_norms(a, b, n, value, agrees):
    with precision(200):
        assert agrees(measured.norm_of_step(arb(0), arb(fmpq(a)), arb(fmpq(b)), n), value)


@pytest.mark.parametrize(("gamma", "mu", "rho", "time", "height"), PRINTED_PEAKS)
def test_printed_peaks(gamma, mu, rho, time, height, agrees):
    with precision(200):
        at, top = measured.peak(arb(fmpq(gamma)), arb(fmpq(mu)), arb(rho))
        assert time is None or agrees(at, time)
        assert agrees(top, height)


@pytest.mark.parametrize(("gamma", "mu", "rho", "steps", "value"), PRINTED_STEPS)
def test_printed_largest_powers(gamma, mu, rho, steps, value, agrees):
    """The printed number of steps is where the powers are largest."""
    with precision(200):
        g, m, r = arb(fmpq(gamma)), arb(fmpq(mu)), arb(rho)
        a, b = m.sinh() / r, 2 * r * (m / 2).tanh()
        sizes = [measured.norm_of_step(g, a, b, n) for n in (steps - 1, steps, steps + 1)]
        assert agrees(sizes[1], value)
        assert sizes[1] > sizes[0] and sizes[1] > sizes[2]


@given(st.floats(0.02, 1), st.floats(0.1, 10), st.integers(1, 60))
def test_the_norm_is_that_of_the_library(mu, rho, n):
    """Against singular values of a power by multiplication, whose error adds up over n steps."""
    matrix = np.linalg.matrix_power(damped(0.0, *shears_of(mu, rho)), n)
    direct = math.log(np.linalg.norm(matrix, 2))
    kappa = float(kappa0(rho))
    bound = (n + 1) * 64 * U64 * kappa**2
    assert abs(direct - float(measured.log_norm(mu, rho, n))) <= bound


def test_the_logarithm_of_the_norm_does_not_overflow():
    far = float(measured.log_norm(0.1, 5.0, 10**6))
    assert abs(far - (10**5 + math.log(2.6))) <= 8 * U64 * 10**5


@given(st.floats(0.05, 0.5), st.floats(1.5, 20), st.floats(0.05, 0.95))
def test_the_peak_is_a_maximum(mu, rho, part):
    kappa = float(kappa0(rho))
    gamma = mu + part * (kappa * mu - mu)
    time, height = measured.peak(gamma, mu, rho)
    assert 1 < height < kappa
    for other in (0.9 * time, 1.1 * time):
        width = kappa * math.sinh(mu * other)
        assert math.exp(-gamma * other) * float(measured.stretch(width)) < height


def test_without_anisotropy_the_norm_falls_at_once():
    sizes = measured.log_norm(0.1, 1.0, np.arange(50)) - 0.11 * np.arange(50)
    assert (np.diff(sizes) < 0).all()
