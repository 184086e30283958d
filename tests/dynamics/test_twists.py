"""Twisted and antipodal states against the printed values and difference quotients."""

from __future__ import annotations

from math import gcd

import numpy as np
import pytest
from flint import arb, fmpq, fmpq_mat, fmpq_poly
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics.attention import angle_field, integrate
from posproof.numerics.balls import enclose, precision
from posproof.numerics.dynamics import twists
from posproof.theory.dynamics import twists as theory

OF = theory.OF
CLAIMS = [theory.TWISTED_BRANCH, theory.ODD_ANTIPODAL, theory.STABLE_TWISTS]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


# ---------------------------------------------------------------------- dynamics.twisted_branch
def branch(n: int, theta: float) -> np.ndarray:
    return -theta * np.arange(n)


def test_printed_sizes_of_the_field_off_resonance():
    off = np.abs(angle_field(branch(5, 1.0), 1.0, 1.3)).max()
    assert off == pytest.approx(0.22702, abs=5.1e-6)
    theta = 2 * np.pi / 5 * 1.05
    detuned = np.abs(angle_field(branch(5, theta), theta, 0.7)).max()
    assert detuned == pytest.approx(0.049443, abs=1e-6)


@pytest.mark.parametrize(("n", "p"), [(5, 1), (7, 3), (9, 3), (4, 2), (3, 1)])
def test_difference_jacobian_on_the_branch(n, p):
    theta = 2 * np.pi * p / n
    found = np.sort(np.linalg.eigvals(twists.fd_jacobian(branch(n, theta), theta, 1.5)).real)
    top = [1.0] if 2 * p == n else [0.5, 0.5]
    # the zeros are a cluster: truncation of order h^4 = 1e-12 is amplified by a root at most
    assert np.abs(found - np.sort([*[0.0] * (n - len(top)), *top])).max() < 1e-6


def test_energies_of_the_planes_give_the_spectrum_in_six_dimensions():
    # nonzero part of the linearisation: I - S, S the mean of x x^T over the ring
    n, turns, energies = 7, np.array([1, 2, 3]), np.array([0.2, 0.3, 0.5])
    X = np.sqrt(energies) * np.exp(-2j * np.pi * np.outer(np.arange(n), turns) / n)
    rows = np.concatenate([X.real, X.imag], axis=1)
    values = np.linalg.eigvalsh(np.eye(6) - rows.T @ rows / n)
    assert np.allclose(values, np.sort(np.repeat(1 - energies / 2, 2)), atol=2.0**-45)


# ---------------------------------------------------------------------- dynamics.odd_antipodal
def alternating(n: int) -> list[list[fmpq]]:
    v = [fmpq((-1) ** i, n) for i in range(n)]
    return [[v[i] * v[j] * n - (v[i] if i == j else 0) for j in range(n)] for i in range(n)]


@pytest.mark.parametrize("k", range(1, 16))
def test_characteristic_polynomial_of_every_odd_size_to_31(k):
    n = 2 * k + 1
    x, unit = fmpq_poly([0, 1]), fmpq(1, n)
    expected = x * (x - 1) * (x + unit) ** k * (x - unit) ** (k - 1)
    assert fmpq_mat(alternating(n)).charpoly() == expected


def test_an_even_number_is_no_saddle():
    v = np.array([1.0, -1.0, 1.0, -1.0])
    J = (np.outer(v, v) - np.diag(v * v.sum())) / 4
    assert np.allclose(np.sort(np.linalg.eigvalsh(J)), [0, 0, 0, 1], atol=2.0**-45)


@pytest.mark.parametrize("beta", [0.5, 3.0])
@pytest.mark.parametrize("n", [3, 5, 7])
def test_difference_jacobian_at_antipodal_states(n, beta):
    k = n // 2
    J = twists.fd_jacobian(np.pi * np.arange(n), np.pi, beta)
    found = np.sort(np.linalg.eigvals(J).real)
    expected = np.sort([0, 1, *[-1 / n] * k, *[1 / n] * (k - 1)])
    # truncation below h^4 times a fifth derivative of order beta^4; zeros cluster
    assert np.abs(found - expected).max() < 1e-6


# ---------------------------------------------------------------------- dynamics.stable_twists
PRINTED = [
    ((3, 1, 1), fmpq(1, 2), ["0.091085741677634735625"]),
    ((3, 1, 1), fmpq(1), ["-0.11571057973641465085"]),
    ((3, 1, 1), fmpq(2), ["-0.13583550223088719690"]),
    ((3, 1, 1), fmpq(4), ["-0.018498932785183133468"]),
    ((5, 1, 2), fmpq(1, 2), ["-0.49416869415772156244", "0.057985415627692304688"]),
    ((5, 1, 2), fmpq(1), ["-0.89926656742085623970", "-0.24277479561711628704"]),
    ((5, 1, 2), fmpq(2), ["-1.2338755726641703311", "-0.46500734638259867711"]),
    (
        (7, 1, 3),
        fmpq(1),
        ["-0.86085123550480537970", "-0.95776113401763080804", "-0.23228868206538287068"],
    ),
    ((4, 2, 1), fmpq(1), ["-0.24856489022593716865", "-0.78644773296592741015"]),
]


@pytest.mark.parametrize(("triple", "beta", "values"), PRINTED)
def test_printed_rates(triple, beta, values, agrees):
    n, p, q = triple
    for m, printed in enumerate(values, start=1):
        value = enclose(OF.rate(p, q, m, n, theory.Whole(int(beta.p)) / int(beta.q)), {}, 200)
        assert agrees(value, printed)


@pytest.mark.parametrize(
    ("beta", "count", "all_mirror"),
    [(1, 60, True), (2, 106, False), (4, 140, False), (8, 168, False)],
)
def test_number_of_stable_states_up_to_twelve_tokens(beta, count, all_mirror):
    with precision(200):
        found = [
            (n, p, q)
            for n in range(2, 13)
            for p in range(n)
            for q in range(1, n)
            if all(rate < 0 for rate in twists.rates(n, p, q, beta))
        ]
    assert len(found) == count
    assert all((2 * q + p) % n == 0 for n, p, q in found) == all_mirror


THRESHOLDS = {
    3: "0.6666666666666666666666667",
    4: "0.5671432904097838729999687",
    5: "0.5797782809326282148520333",
    6: "0.5835879678313723592513992",
    7: "0.5840661714437644204925171",
    8: "0.5841057442612704154418943",
    9: "0.5841082374867108470817773",
    11: "0.5841083707825285258254865",
}


def bisected(decreasing, low: fmpq, high: fmpq) -> arb:
    for _ in range(90):
        middle = (low + high) / 2
        low, high = (middle, high) if decreasing(middle) > 0 else (low, middle)
    return arb(low).union(arb(high))


@pytest.mark.parametrize("n", THRESHOLDS)
def test_printed_thresholds(n, agrees):
    with precision(300):
        root = bisected(lambda b: twists.rates(n, -2, 1, b)[0], fmpq(1, 10), fmpq(2))
        assert agrees(root, THRESHOLDS[n])


def test_limit_of_the_thresholds(agrees):
    def margin(b: fmpq) -> arb:
        order = [arb(b).bessel_i(arb(k)) for k in (0, 1)]
        return 2 * arb(b) * (order[0] - order[1]) - 3 * order[1]

    with precision(300):
        assert agrees(bisected(margin, fmpq(1, 10), fmpq(2)), "0.5841083709974665976447371")


@pytest.mark.parametrize("n", range(3, 16))
def test_every_mirror_state_is_stable_from_nine_tenths_on(n):
    with precision(200):
        for q in (q for q in range(1, n) if gcd(q, n) == 1):
            for beta in (fmpq(9, 10), fmpq(2), fmpq(100)):
                assert all(rate < 0 for rate in twists.rates(n, -2 * q, q, beta))


@given(st.integers(2, 8), st.integers(0, 7), st.integers(0, 7), st.floats(0, 3))
def test_difference_jacobian_of_twisted_states(n, p, q, beta):
    J = twists.fd_jacobian(twists.twisted(n, q), 2 * np.pi * (p % n) / n, beta)
    with precision(128):
        rates = [0.0, *(float(rate.mid()) for rate in twists.rates(n, p, q, beta))]
    gaps = 2 * np.pi * ((p + q) * np.arange(n) % n) / n
    rates = np.array(rates) / np.exp(beta * (np.cos(gaps) - 1)).sum()
    # h = 1e-3: truncation h^4 beta^5 stays below 1e-9; the matrix is circulant and real even
    assert np.abs(np.sort(np.linalg.eigvals(J).real) - np.sort(rates)).max() < 1e-6


def test_a_perturbed_twisted_ring_returns():
    start = twists.twisted(5, 2) + np.array([0.1, -0.05, 0.12, 0.0, -0.08])
    end = integrate(start, 2 * np.pi / 5, 2.0, np.array([0.0, 60.0]))[-1]
    steps = np.diff(end) / (2 * np.pi / 5)
    assert np.abs(steps - np.array([2, 2, -3, 2])).max() < 1e-6


def test_without_the_moving_weights_three_tokens_never_settle():
    value = enclose(
        theory.Twists(coefficient=twists.without_beta).rate(1, 1, 1, 3, theory.Whole(2)), {}, 100
    )
    assert value > 0


def test_the_wrong_twist_is_an_equilibrium_with_unequal_weights():
    phi = twists.twisted(5, 1)
    assert np.abs(angle_field(phi, 2 * np.pi / 5, 1.0)).max() <= twists.field_bound(5, 1.0).value
