"""Near signal, far mass and rotated values: proofs, bounds, reference values."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics.accumulation import scores as measured
from posproof.theory.accumulation.scores import FAR_MASS, ROTATED_VALUES, WINDOW_TRADEOFF

CLAIMS = [WINDOW_TRADEOFF, FAR_MASS, ROTATED_VALUES]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


# ---------------------------------------------------------------------- reference values
def near(found, printed, digits=28):
    return abs(found - mpmath.mpf(printed)) < mpmath.mpf(10) ** -digits * max(1, abs(found))


def test_printed_values():
    with mpmath.workdps(50):
        assert near(
            mpmath.log(100) / -mpmath.log(mpmath.cos(mpmath.mpf(1) / 5)),
            "228.717263114980101209096301375",
        )
        mass = mpmath.besseli(0, mpmath.mpf(1) / 4) ** 32
        assert near(mass, "1.64552639506332008748097876885")
        assert near(mpmath.exp(8) / mass, "1811.55282345198758813358211633")
        assert near(mpmath.besseli(0, mpmath.mpf(1) / 8) ** 64, "1.28371251519843697033196083264")
        assert near(1 / (1 + 1000 * mpmath.exp(-6)), "0.287459396132749701829712864159")
        floor = 1 / (1 + mpmath.exp(6) / mpmath.expm1(mpmath.mpf(1) / 8))
        assert near(floor, "0.000329933126064469303318776331363")


def test_exact_chernoff_exponent_of_64_planes():
    """-min over t of -t u + 64 log I_0(t / 64) at u = 3/10, larger than u^2 m = 5.76."""
    with mpmath.workdps(40):
        u, m = mpmath.mpf(3) / 10, 64

        def slope(t):
            return mpmath.besseli(1, t / m) / mpmath.besseli(0, t / m) - u

        t = mpmath.findroot(slope, 40)
        exponent = t * u - m * mpmath.log(mpmath.besseli(0, t / m))
        assert near(exponent, "5.89652807852356179835059925123")
        assert exponent > u**2 * m


def test_mean_energy_of_a_thousand_values():
    closed = measured.closed_energy(Fraction(4, 5), 1000)
    assert abs(float(closed) - 8960) < 2.0**-40
    error = measured.mean_energy(0.8, 1000) - float(closed)
    # A thousand powers, each with as many roundings as its exponent at most, summing to 4000.
    assert abs(error) <= 1000 * 2.0**-53 * 9000


# ---------------------------------------------------------------------- kernels
@given(st.integers(1, 30), st.floats(-1, 1), st.floats(-3, 3))
def test_energy_of_conjugate_means_is_the_same(count, modulus, angle):
    phi = modulus * complex(math.cos(angle), math.sin(angle))
    error = measured.mean_energy(phi, count) - measured.mean_energy(phi.conjugate(), count)
    assert abs(error) <= 64 * count**2 * 2.0**-53


@given(st.integers(0, 2**32), st.floats(-5, 5))
def test_near_weight_is_a_softmax(seed, near_score):
    far = np.random.default_rng(seed).uniform(-5, 5, 20)
    direct = math.exp(near_score) / (math.exp(near_score) + float(np.exp(far).sum()))
    assert abs(measured.near_weight(near_score, far) - direct) <= 64 * 2.0**-53 * direct


def test_tail_bound_of_equal_planes():
    sizes = np.full(64, 1 / 64)
    assert abs(measured.tail_bound(0.3, sizes) - math.exp(-5.76)) <= 16 * 2.0**-53
