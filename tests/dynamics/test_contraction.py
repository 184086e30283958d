"""Contraction and the certified flow against printed values and independent solvers."""

from __future__ import annotations

from fractions import Fraction

import flint
import numpy as np
import pytest
from flint import arb, arb_series
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics import validated
from posproof.numerics.attention import integrate, velocities
from posproof.numerics.balls import enclose, exact, precision
from posproof.numerics.dynamics import contraction
from posproof.theory.dynamics import contraction as theory

CLAIMS = [
    theory.HEMISPHERE,
    theory.NON_OBTUSE,
    theory.SEMICIRCLE,
    theory.TAIL,
    theory.VALIDATED_FLOW,
]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


# ---------------------------------------------------------------------- the integrator
def oscillator(state: list[arb_series]) -> list[arb_series]:
    return [state[1], -state[0]]


def logistic(state: list[arb_series]) -> list[arb_series]:
    return [state[0] * (1 - state[0])]


def pendulum(state: list[arb_series]) -> list[arb_series]:
    return [state[1], -state[0].sin()]


@pytest.mark.parametrize("order", [4, 8, 16])
def test_the_oscillator_is_enclosed(order):
    outputs = validated.integrate(oscillator, [0, 1], Fraction(1, 4), 16, order, 200)
    for count, (sine, cosine) in enumerate(outputs, start=1):
        with precision(200):
            angle = arb(exact(Fraction(count, 4)))
            assert sine.overlaps(angle.sin())
            assert cosine.overlaps(angle.cos())


def test_the_logistic_curve_is_enclosed():
    outputs = validated.integrate(logistic, [Fraction(1, 4)], Fraction(1, 8), 24, 16, 200)
    for count, (value,) in enumerate(outputs, start=1):
        with precision(200):
            assert value.overlaps(1 / (1 + 3 * (-arb(exact(Fraction(count, 8)))).exp()))


def test_a_box_of_initial_values_contains_the_flow_of_its_points():
    with precision(128):
        box = [arb(1, Fraction(1, 100).__float__()), arb(0, 0.01)]
    for corner in ([Fraction(101, 100) - Fraction(1, 1000), 0], [1, Fraction(-1, 200)]):
        wide = validated.integrate(pendulum, box, Fraction(1, 8), 8, 10, 128)
        thin = validated.integrate(pendulum, corner, Fraction(1, 8), 8, 10, 128)
        for outer, inside in zip(wide, thin, strict=True):
            assert all(a.overlaps(b) for a, b in zip(outer, inside, strict=True))
            assert all(a.contains(b.mid()) for a, b in zip(outer, inside, strict=True))


def test_the_error_falls_with_the_order():
    def error(order: int, h: Fraction) -> float:
        steps = int(1 / h)
        drop = contraction.no_remainder
        *_, (sine, _) = validated.integrate(oscillator, [0, 1], h, steps, order, 300, drop)
        with precision(300):
            return float(abs(sine - arb(1).sin()).mid())

    for order in (3, 5, 8):
        ratio = error(order, Fraction(1, 8)) / error(order, Fraction(1, 16))
        # halving the step divides the error by 2^order or, where symmetric, by one power more
        assert 2 ** (order - 0.5) < ratio < 2 ** (order + 1.7)


def test_the_radius_falls_with_the_order():
    radii = []
    for order in (6, 10, 14):
        with precision(contraction.BITS):
            field = validated.circle_field(2 * arb.pi() / 3, arb(1))
        *_, state = validated.integrate(field, contraction.START, Fraction(1, 8), 4, order, 256)
        radii.append(float(state[0].rad()))
    assert radii[0] > 100 * radii[1] > 10_000 * radii[2]


def test_a_step_that_is_too_long_is_refused():
    def blow_up(state: list[arb_series]) -> list[arb_series]:
        return [state[0] * state[0]]

    with pytest.raises(validated.StepTooLong):
        list(validated.integrate(blow_up, [1], Fraction(2), 1, 8, 128))


def test_the_global_series_length_is_restored():
    before = flint.ctx.cap
    list(validated.integrate(oscillator, [0, 1], Fraction(1, 4), 1, 8, 128))
    assert flint.ctx.cap == before


PHI = (
    "0.708709549438813347019345722704",
    "1.24835977983855795795806444365",
    "2.16198064980007320544732037091",
)


def test_printed_angles_at_time_two():
    with precision(320):
        field = validated.circle_field(2 * arb.pi() / 3, arb(1))
    *_, state = validated.integrate(field, contraction.START, Fraction(1, 8), 16, 28, 320)
    for enclosed, printed in zip(state, PHI, strict=True):
        with precision(320):
            assert enclosed.overlaps(arb(printed) + arb(0, 1) / arb(10) ** 28)
            assert enclosed.rad() < 1e-18


def test_reference_flow_agrees_with_the_printed_angles():
    import mpmath as mp

    reference = dict(zip(range(4), contraction.reference_flow(), strict=False))
    time, state = reference[3]
    assert time == 2
    for value, printed in zip(state, PHI, strict=True):
        with mp.workdps(40):
            assert abs(value - mp.mpf(printed)) < mp.mpf(10) ** -20


@pytest.mark.parametrize(
    ("time", "ratio"), [("1/8", 0.862), ("1/2", 0.582), ("1", 0.366), ("2", 0.158)]
)
def test_printed_ratios_of_the_half_angle_bound(time, ratio):
    at = Fraction(time)
    states = dict(contraction.FLOW.three(at))
    with precision(128):
        left = (contraction.arc(states[at]) / 2).tan()
        start = (arb(exact(Fraction(29, 20)))).tan()
        bound = (-3 * arb(exact(at)) * contraction.floor(3, 1)).exp() * start
        assert float((left / bound).mid()) == pytest.approx(ratio, abs=5.1e-4)


# ---------------------------------------------------------------------- inequalities
def test_rotated_values_open_the_arc():
    times = np.array([0.0, 1.0, 3.0, 6.0])

    def smallest(value_turn: float) -> list[float]:
        path = integrate([0.0, 0.4, 1.2], 2 * np.pi / 3, 1.0, times, value_turn)
        return [float(np.cos(row[:, None] - row[None, :]).min()) for row in path]

    assert smallest(2 * np.pi / 3) == pytest.approx([0.362, -0.0755, -0.425, -0.684], abs=5.1e-4)
    assert smallest(0.0) == pytest.approx([0.362, 0.802, 0.976, 0.9986], abs=5.1e-4)


def test_open_hemispheres_are_not_enough_in_three_dimensions():
    statement = theory.NON_OBTUSE.clause("open_hemisphere").statement(theory.OF)
    value = statement.body.parts[0].right
    assert enclose(value, {"N": 2}, 64) == exact(Fraction(-7, 50))


def test_certified_value_of_the_counterexample_at_beta_one(agrees):
    with precision(128):
        m, many = arb(-2) / 5, 2
        mass = arb(1).exp() + (1 + many) * m.exp()
        value = 2 / mass * m.exp() * ((1 - m**2) + many * m * (1 - m))
        assert agrees(value, "-0.0793740790667")


@given(st.integers(2, 6), st.integers(0, 10**6), st.floats(0, 4), st.floats(0, 3))
def test_velocities_are_tangent_and_at_most_one(n, seed, beta, theta):
    X = contraction.non_obtuse(n, 2, 1.0, seed)
    V = velocities(X, np.array([theta, 0.7]), beta)
    assert np.abs((X.conj() * V).real.sum(axis=1)).max() <= contraction.slack(n, 2)
    assert np.abs(np.linalg.norm(V, axis=1)).max() <= 1 + contraction.slack(n, 2)


def test_growing_arcs_beyond_a_half_circle():
    draw = np.random.default_rng(0)
    from posproof.numerics.attention import angle_field

    grows = []
    for _ in range(400):
        phi = draw.permutation(np.concatenate([[0, 1.6 * np.pi], draw.uniform(0, 1.6 * np.pi, 2)]))
        speed = angle_field(phi, 2.0, 1.0)
        grows.append(speed[phi.argmax()] - speed[phi.argmin()])
    assert max(grows) > 0.1


def test_every_token_stays_as_near_to_the_limit_as_the_arc_is_long():
    times = np.linspace(0, 60, 121)
    for seed in range(5):
        start = np.random.default_rng(seed).uniform(0, 3.0, 4)
        path = integrate(start, 2.0, 1.0, times)
        arcs = path.max(axis=1) - path.min(axis=1)
        off = np.abs(path - path[-1].mean()).max(axis=1) - arcs
        assert off.max() < 1e-8  # the accuracy asked of the solver, over the time it runs
