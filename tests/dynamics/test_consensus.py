"""Consensus: its kernel, its linearisation and its gap against printed values."""

import math
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics.attention import angle_field, angle_jacobian, integrate
from posproof.numerics.balls import precision
from posproof.numerics.dynamics import consensus, twists
from posproof.theory.dynamics import CONSENSUS, FREQUENCY_ALLOCATION

SHARED = FREQUENCY_ALLOCATION.definitions
CLAIMS = [CONSENSUS, FREQUENCY_ALLOCATION]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


# ---------------------------------------------------------------------- dynamics.consensus
@pytest.mark.parametrize(("n", "d"), [(4, 4), (5, 6), (3, 2)])
def test_difference_jacobians_have_the_spectrum_of_the_generator(n, d):
    rng = np.random.default_rng(d)
    m, beta = d // 2, 1.7
    theta, energy = rng.uniform(0, 3, m), rng.dirichlet(np.ones(m))
    X = consensus.consensus_tokens(n, energy, rng.uniform(0, 6, m))
    found = np.sort(np.linalg.eigvals(consensus.difference_jacobian(X, theta, beta)).real)
    rates = np.linalg.eigvals(consensus.kernel_matrix(n, theta, energy, beta)).real - 1
    assert np.abs(found - np.sort(np.repeat(rates, d - 1))).max() < 1e-8  # the printed tolerance
    assert (np.abs(found) < 1e-8).sum() == d - 1


def test_small_disagreement_decays_with_the_gap():
    n, beta, theta = 5, 1.0, 2 * math.pi / 5
    gap = consensus.gap(consensus.kernel_matrix(n, np.array([theta]), np.array([1.0]), beta))
    assert gap == pytest.approx(0.5516226349154982208, rel=1e-13)
    start = 1e-3 * np.random.default_rng(3).standard_normal(n)
    path = integrate(start, theta, beta, np.array([0.0, 15.0, 25.0]), accuracy=1e-13)
    spread = np.ptp(path, axis=1)
    # other modes are as slow to within the printed 2e-3
    assert -math.log(spread[2] / spread[1]) / 10 == pytest.approx(gap, abs=2e-3)


def test_a_ring_of_one_plane_has_the_circulant_spectrum():
    from posproof.numerics.dynamics import ring_spectrum

    A = consensus.kernel_matrix(7, np.array([2 * math.pi * 3 / 7]), np.array([1.0]), 2.0)
    found = np.sort(np.linalg.eigvals(A).real)
    assert found == pytest.approx(np.sort(ring_spectrum(7, 3, 2.0)), abs=1e-13)


def test_the_whole_energy_unrotated_gives_uniform_attention_and_gap_one():
    A = consensus.kernel_matrix(6, np.array([0.0, 2.0]), np.array([1.0, 0.0]), 3.0)
    assert np.abs(A - 1 / 6).max() <= 2.0**-52
    assert consensus.gap(A) == pytest.approx(1, abs=2.0**-48)


def test_rotated_values_move_equal_tokens():
    X = consensus.consensus_tokens(4, np.array([0.5, 0.5]), np.zeros(2))
    theta = np.array([0.7, 2.0])
    assert np.abs(consensus.values_rotated(X, theta, 1.0)).max() > 0.1
    none = consensus.values_rotated(X, np.zeros(2), 1.0)
    assert np.abs(none).max() <= float(consensus.field_bound(4, 2, 1.0).value)


@given(st.integers(2, 8), st.integers(1, 4), st.floats(0, 6), st.integers(0, 2**32 - 1))
def test_the_gap_lies_between_the_floor_and_one(n, m, beta, seed):
    rng = np.random.default_rng(seed)
    A = consensus.kernel_matrix(n, rng.uniform(0, math.pi, m), rng.dirichlet(np.ones(m)), beta)
    slack = (40 + 60 * beta + 16 * n) * 2.0**-52
    floor = n / (1 + (n - 1) * math.exp(2 * beta))
    assert floor - slack <= consensus.gap(A) <= 1 + slack


@given(st.integers(1, 6), st.floats(0, 3), st.floats(0, math.pi), st.integers(0, 2**32 - 1))
def test_closed_jacobian_agrees_with_fourth_order_differences(n, beta, theta, seed):
    phi = np.random.default_rng(seed).uniform(0, 2 * math.pi, n)
    found, differences = angle_jacobian(phi, theta, beta), twists.fd_jacobian(phi, theta, beta)
    # truncation as in `difference_bound`; rounding of a field of size 1 over the step 1e-3
    slack = 56e-12 * (2 * beta + 1) ** 5 + 1500 * float(twists.field_bound(n, beta).value)
    assert np.abs(found - differences).max() <= slack


def test_closed_jacobian_at_consensus_is_the_generator():
    A = consensus.kernel_matrix(5, np.array([0.7]), np.array([1.0]), 2.0)
    found = angle_jacobian(np.full(5, 0.3), 0.7, 2.0)
    assert np.abs(found - consensus.generator(A)).max() <= 64 * 2.0**-53


@given(st.integers(1, 6), st.floats(0, 4), st.floats(0, math.pi), st.integers(0, 2**32 - 1))
def test_planes_and_angles_have_one_field(n, beta, theta, seed):
    phi = np.random.default_rng(seed).uniform(0, 2 * math.pi, n)
    X = np.exp(1j * phi)[:, None]
    field = consensus.velocities(X, np.array([theta]), beta)[:, 0]
    speed = (field * np.exp(-1j * phi)).imag
    slack = 4 * float(consensus.field_bound(n, 1, beta).value) + 64 * n * 2.0**-52 * (1 + beta)
    assert np.abs(speed - angle_field(phi, theta, beta)).max() <= slack


# ---------------------------------------------------------------------- frequency_allocation
FOUR_TOKENS = [
    (1, fmpq(0), "0.2384058440442351118805417"),
    (1, fmpq(1, 3), "0.3994897764941214008576744"),
    (1, fmpq(1, 2), "0.4919800886075855466475594"),
    (1, fmpq(2, 3), "0.5887835646382505046355562"),
    (1, fmpq(4, 5), "0.5576621721396700686771065"),
    (1, fmpq(1), "0.5378828427399902414976815"),
    (3, fmpq(0), "0.004945246313269548668119815"),
    (3, fmpq(1, 3), "0.02346058998243338469914779"),
    (3, fmpq(1, 2), "0.04145128390821133244331654"),
    (3, fmpq(2, 3), "0.06944667489664586109181929"),
    (3, fmpq(4, 5), "0.06690042794369983889440210"),
    (3, fmpq(9, 10), "0.07678828578165031697214746"),
    (3, fmpq(1), "0.09485174635513356175769630"),
]


@pytest.mark.parametrize(("beta", "share", "printed"), FOUR_TOKENS)
def test_printed_gaps_of_four_tokens(agrees, beta, share, printed):
    with precision(256):
        theta = [arb.pi() / 2, arb.pi()]
        assert agrees(exact(4, theta, [arb(share), arb(1 - share)], beta), printed)
    found = consensus.four_token_gap(float(Fraction(int(share.p), int(share.q))), beta)
    assert found == pytest.approx(float(printed), rel=1e-13)


def exact(n, theta, energy, beta):
    return consensus.exact_gap(n, theta, energy, arb(beta))


@pytest.mark.parametrize(
    ("share", "printed"),
    [
        (fmpq(0), "0.13333492205215896871"),
        (fmpq(1, 2), "0.33278208657426867604"),
        (fmpq(1), "0.26784220977383525106"),
    ],
)
def test_printed_gaps_of_six_tokens(agrees, share, printed):
    with precision(256):
        found = exact(6, [arb(1), arb(2)], [arb(share), arb(1 - share)], 2)
        assert agrees(found, printed)


@pytest.mark.parametrize(
    ("n", "quarter", "third"),
    [
        (2, "0.755081337596", "0.641642601649"),
        (3, "0.679843332170", "0.728685933421"),
        (4, "0.7550", "0.7117"),
    ],
)
def test_orderings_flip_with_the_number_of_tokens(agrees, n, quarter, third):
    with precision(256):
        for angle, printed in ((arb.pi() / 2, quarter), (2 * arb.pi() / 3, third)):
            assert agrees(exact(n, [angle], [arb(1)], fmpq(1, 2)), printed)


@pytest.mark.parametrize(
    ("p", "printed"),
    [
        (1, "0.55360883684354974678"),
        (2, "0.53788284273999024150"),
        (3, "0.55360883684354974678"),
        (4, "0.23840584404423511188"),
    ],
)
def test_ring_of_eight_is_not_monotone_in_frequency(agrees, p, printed):
    with precision(256):
        # the spectrum of a ring has double eigenvalues, which certified isolation cannot separate
        from posproof.numerics.dynamics.spectrum import transform

        gap = 1 - max(
            (transform(8, p, m, arb(1)) for m in range(1, 8)), key=lambda x: float(x.mid())
        )
        assert agrees(gap, printed)


def test_printed_crossings():
    """beta* = 2 ln u*, the tribonacci threshold, and the interior minimum."""
    u = 2.2774523904371961566
    assert SHARED.crossing(u) == pytest.approx(0, abs=1e-12)
    assert 2 * math.log(u) == pytest.approx(1.6461148912497851382, rel=1e-15)
    beta = 1.82813359030801869461
    assert SHARED.tribonacci(math.exp(beta / 3)) == pytest.approx(0, abs=1e-13)
    for beta, share in ((1.5, 0.8751270633), (3.0, 0.7475068776)):
        level = math.exp(2 * beta * share) - 2 * math.exp(beta * (2 - share))
        assert level == pytest.approx(3, abs=1e-7)
        least = consensus.four_token_gap(share, beta)
        assert least < consensus.four_token_gap(share - 1e-3, beta)
        assert least < consensus.four_token_gap(share + 1e-3, beta)
    far = math.log(2) / (3 * 40) + 2 / 3
    level = math.exp(80 * far) - 2 * math.exp(40 * (2 - far))
    assert abs(level) < 1e-3 * math.exp(80 * far)  # the root is there, up to 3 on that scale


def test_equal_frequencies_leave_the_gap_constant():
    gaps = [
        consensus.gap(consensus.kernel_matrix(5, np.array([1.3, 1.3]), np.array([s, 1 - s]), 2.0))
        for s in (0.0, 0.3, 1.0)
    ]
    assert np.ptp(gaps) <= 2.0**-46


def test_two_tokens_are_monotone_in_the_mean_cosine():
    shares = np.linspace(0, 1, 21)
    gaps = [
        consensus.gap(consensus.kernel_matrix(2, np.array([0.4, 2.5]), np.array([s, 1 - s]), 2.0))
        for s in shares
    ]
    assert (np.diff(gaps) > 0).all()
