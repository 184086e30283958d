"""Scores under accumulated rotations: near signal, far mass, and sums of rotated values.

Main definitions
----------------
near_weight     the softmax weight of one score against many
mean_energy     E |sum of R(S_j) v|^2 / |v|^2 for independent steps, from phi = E exp(i theta)
tail_bound      exp(-u^2 / sum of r_c^2) for a sum of r_c cos psi_c
Tradeoff, Mass, Energy   the definitions the checks measure; a control replaces one of them

Conventions
-----------
Angles are in radians.  Balls are python-flint's; an inequality that holds with equality somewhere
is tested by looking for a ball that certainly violates it.

The bounds
----------
Sample means of values in an interval are held to Hoeffding's inequality at failure probability
1e-9; a probability that is bounded above may exceed its bound by that much.

References
----------
Derived here; no publication is quoted.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posproof.numerics.accumulation.windows import ceiling_window
from posproof.numerics.hunt import hunt
from posproof.numerics.measure import hoeffding, sampled, within
from posproof.theory.accumulation.scores import FAR_MASS, ROTATED_VALUES, WINDOW_TRADEOFF
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control

Numbers = NDArray[np.float64]
EPSILON = Fraction(1, 100)


# ---------------------------------------------------------------------- kernels
def near_weight(near: float, far: Numbers) -> float:
    """exp(near) / (exp(near) + sum exp(far)), without overflow.

    >>> near_weight(0.0, np.array([0.0, 0.0, 0.0]))
    0.25
    """
    return float(1 / (1 + np.exp(far - near).sum()))


def mean_energy(phi: complex, count: int) -> float:
    """N + 2 Re sum over d < N of (N - d) phi^d: no cancellation near phi = 1.

    >>> mean_energy(1.0, 10)
    100.0
    """
    distance = np.arange(1, count)
    return float(count + 2 * ((count - distance) * complex(phi) ** distance).real.sum())


def tail_bound(u: float, sizes: Numbers) -> float:
    """A bound of P(sum of r_c cos psi_c >= u) for independent uniform psi_c, r of shape `(m,)`.

    >>> tail_bound(0.0, np.ones(4))
    1.0
    """
    return math.exp(-(u**2) / float((sizes**2).sum()))


def parts_of(denominator: int, low: int, high: int) -> Any:
    """A strategy of fractions with one denominator between two numerators."""
    from hypothesis import strategies

    return strategies.integers(low, high).map(lambda k: Fraction(k, denominator))


def as_ball(value: Fraction) -> Any:
    from flint import arb, fmpq

    return arb(fmpq(value.numerator, value.denominator))


# ---------------------------------------------------------------------- window_tradeoff
@dataclass(frozen=True)
class Tradeoff:
    """What the checks of the trade-off measure."""

    steps: Callable[[int], int] = lambda n: n
    widest: Fraction = Fraction(3, 2)
    resultant: Callable[[Any], Any] = lambda width: width.cos()


TRADEOFF = Tradeoff()


@control("one_step_more", steps=lambda n: n - 1)
@checked_by(
    WINDOW_TRADEOFF,
    "near_signal",
    "property",
    "at most 20 angles of size at most 22/7 over their number",
    definitions=TRADEOFF,
)
def signals_stay_above_the_floor(of: Tradeoff, run: Run) -> Evidence:
    """cos S_n against cos(n width), the width just below pi / n."""
    from hypothesis import strategies

    from posproof.numerics.balls import precision

    def kept(parts: list[Fraction]) -> bool:
        n = len(parts)
        width = Fraction(3, n)
        angle = sum((part * width for part in parts), Fraction(0))
        with precision(128):
            floor = as_ball(of.steps(n) * width).cos()
            return not bool(as_ball(angle).cos() < floor)

    part = parts_of(50, -50, 50)
    parts = strategies.lists(part, min_size=1, max_size=20)
    return hunt(kept, {"parts": parts}, run, first={"parts": [Fraction(1), Fraction(1)]})


@control("wider_than_a_half_circle", widest=Fraction(3))
@checked_by(
    WINDOW_TRADEOFF,
    "resultant_floor",
    "property",
    Scope("100 random laws of at most 5 angles on arcs", "2000 random laws"),
    definitions=TRADEOFF,
)
def resultants_stay_above_the_floor(of: Tradeoff, run: Run) -> Evidence:
    """|phi| against the cosine of the half-width, at 30 digits."""
    from hypothesis import strategies

    from posproof.numerics.balls import precision

    def above(width: Fraction, atoms: list[tuple[int, Fraction]]) -> bool:
        with precision(100):
            real = imag = as_ball(Fraction(0))
            for weight, place in atoms:
                angle = as_ball(place * width)
                real, imag = real + weight * angle.cos(), imag + weight * angle.sin()
            whole = sum(weight for weight, _ in atoms)
            floor = as_ball(width).cos() * whole
            return not bool(real * real + imag * imag < floor * floor)

    drawn = {
        "width": parts_of(100, 0, int(100 * of.widest)),
        "atoms": strategies.lists(
            strategies.tuples(strategies.integers(1, 9), parts_of(21, -21, 21)),
            min_size=1,
            max_size=5,
        ),
    }
    first = {"width": of.widest, "atoms": [(1, Fraction(2, 3)), (1, Fraction(-2, 3))]}
    return hunt(above, drawn, run, first=first)


@control("twice_the_curvature", resultant=lambda width: 1 - width * width)
@checked_by(
    WINDOW_TRADEOFF,
    "window_floor",
    "ball",
    "width 1/5, epsilon = 1/100",
    definitions=TRADEOFF,
    engine="python-flint",
)
def shortest_window(of: Tradeoff, run: Run) -> Evidence:
    """A fair step of +-1/5 attains the floor: 229 steps, and no law of that width needs fewer."""
    from posproof.numerics.balls import precision

    with precision(128):
        width = as_ball(Fraction(1, 5))
        floor = as_ball(EPSILON).log() / width.cos().log()
        window = ceiling_window(of.resultant(width), EPSILON)
        if window >= floor and window - 1 < floor:
            return Evidence(
                "holds", measured=f"{window} steps, floor {floor.str(10, radius=False)}"
            )
        return Evidence("refuted", witness=f"a window of {window} steps, floor {floor.str(10)}")


# ---------------------------------------------------------------------- far_mass
@dataclass(frozen=True)
class Mass:
    """What the checks of far mass measure."""

    exponent: Fraction = Fraction(1, 4)
    range: int = 2
    planes: int = 32
    tail: Callable[[float, Numbers], float] = tail_bound


MASS = Mass()


@control("half_the_exponent", exponent=Fraction(1, 8))
@checked_by(
    FAR_MASS,
    "moment",
    "ball",
    "z = 1/8, 1/4, 1/2, 1, 2, 4, 8",
    definitions=MASS,
    engine="python-flint",
)
def moments_of_one_plane(of: Mass, run: Run) -> Evidence:
    """The mean of exp(z cos psi) by rigorous integration, its Bessel function, and the bound."""
    from flint import acb, arb

    from posproof.numerics.balls import precision

    worst = Fraction(0)
    with precision(128):
        for power in range(-3, 4):
            z = as_ball(Fraction(2) ** power)

            def integrand(psi: Any, _: bool, z: Any = z) -> Any:
                return (z * psi.cos()).exp()

            mean = acb.integral(integrand, -arb.pi(), arb.pi()).real / (2 * arb.pi())
            bessel = z.bessel_i(0)
            bound = (as_ball(of.exponent) * z * z).exp()
            if not ((mean - bessel).contains(0) and bessel < bound):
                return Evidence("refuted", witness=f"z = 2^{power}: {bessel.str(8)}")
            worst = max(worst, Fraction(float(abs((mean - bessel) / bessel).upper())))
    return within(worst, Bound(Fraction(1, 2**80), "2^-80", {"bits": 128}))


@control("half_the_planes", planes=16)
@checked_by(
    FAR_MASS,
    "crossover",
    "ball",
    "32 planes of size 1/4, near score 8",
    definitions=MASS,
    engine="python-flint",
)
def crossing(of: Mass, run: Run) -> Evidence:
    """The first N whose mean far mass exceeds the near one: 1812 tokens."""
    from posproof.numerics.balls import precision

    with precision(128):
        mass = as_ball(Fraction(1, 4)).bessel_i(0) ** of.planes
        near = as_ball(Fraction(8)).exp()
        if 1812 * mass >= near and 1811 * mass < near:
            return Evidence("holds", measured=f"N* = {(near / mass).str(12, radius=False)}")
        return Evidence("refuted", witness=f"the crossing is at {(near / mass).str(8)}")


@control("four_times_the_exponent", tail=lambda u, sizes: tail_bound(2 * u, sizes))
@checked_by(
    FAR_MASS,
    "tail",
    "sampled",
    Scope("64 equal planes, 1/10 and 3/10 of the largest score, 100000 scores", "m = 16, 64, 256"),
    definitions=MASS,
)
def sampled_tails(of: Mass, run: Run) -> Evidence:
    """How often a far score exceeds a share of its largest value, over the bound."""
    source = np.random.default_rng(run.seed)
    evidence = Evidence("undecided")
    for m in (16, 64, 256) if run.profile == "full" else (64,):
        sizes = np.full(m, 1 / m)
        count = 100_000
        scores = np.cos(source.uniform(-np.pi, np.pi, (count, m))) @ sizes
        excess = Fraction(0)
        for least in (0.1, 0.3):
            share = Fraction(int((scores >= least).sum()), count)
            excess = max(excess, share - Fraction(of.tail(least, sizes)))
        evidence = within(excess, hoeffding(count, Fraction(1)), witness=f"m = {m}")
        if evidence.outcome != "holds":
            break
    return evidence


def _weight(near: Fraction, far: Sequence[Fraction]) -> Any:
    exponentials = [as_ball(score).exp() for score in (near, *far)]
    return exponentials[0] / sum(exponentials[1:], exponentials[0])


@control("one_bound_for_two", range=1)
@checked_by(FAR_MASS, "ceiling", "property", "at most 15 far scores, B <= 5", definitions=MASS)
def near_weights_below_the_ceiling(of: Mass, run: Run) -> Evidence:
    from hypothesis import strategies

    from posproof.numerics.balls import precision

    def below(bound: Fraction, near: Fraction, far: list[Fraction]) -> bool:
        with precision(128):
            ceiling = 1 / (1 + len(far) * (as_ball(-of.range * bound)).exp())
            return not bool(_weight(near * bound, [f * bound for f in far]) > ceiling)

    part = parts_of(20, -20, 20)
    drawn = {
        "bound": parts_of(20, 0, 100),
        "near": part,
        "far": strategies.lists(part, min_size=1, max_size=15),
    }
    first = {"bound": Fraction(1), "near": Fraction(1), "far": [Fraction(-1)]}
    return hunt(below, drawn, run, first=first)


@control("one_bound_for_two", range=1)
@checked_by(
    FAR_MASS,
    "bias_floor",
    "property",
    "at most 15 far tokens, B <= 5, slopes in [1/20, 5]",
    definitions=MASS,
)
def near_weights_above_the_floor(of: Mass, run: Run) -> Evidence:
    from hypothesis import strategies

    from posproof.numerics.balls import precision

    def above(bound: Fraction, slope: Fraction, near: Fraction, far: list[Fraction]) -> bool:
        with precision(128):
            ratio = as_ball(slope).exp() - 1
            floor = 1 / (1 + as_ball(of.range * bound).exp() / ratio)
            biased = [f * bound - slope * (at + 1) for at, f in enumerate(far)]
            return not bool(_weight(near * bound, biased) < floor)

    part = parts_of(20, -20, 20)
    drawn = {
        "bound": parts_of(20, 0, 100),
        "slope": parts_of(20, 1, 100),
        "near": part,
        "far": strategies.lists(part, min_size=1, max_size=15),
    }
    first = {
        "bound": Fraction(2),
        "slope": Fraction(1, 2),
        "near": Fraction(-1),
        "far": [Fraction(1)] * 8,
    }
    return hunt(above, drawn, run, first=first)


# ---------------------------------------------------------------------- rotated_values
def closed_energy(rho: Fraction, count: int) -> Fraction:
    """N (1 + rho) / (1 - rho) - 2 rho (1 - rho^N) / (1 - rho)^2, exactly."""
    return count * (1 + rho) / (1 - rho) - 2 * rho * (1 - rho**count) / (1 - rho) ** 2


@dataclass(frozen=True)
class Energy:
    """What the checks of rotated values measure."""

    closed: Callable[[Fraction, int], Fraction] = closed_energy
    turned: Callable[[Numbers], Numbers] = lambda angles: angles


ENERGY = Energy()


@control("values_not_rotated", closed=lambda rho, count: Fraction(count**2))
@checked_by(
    ROTATED_VALUES, "closed", "property", "rational rho in [-2, 2], N <= 20", definitions=ENERGY
)
def double_sums(of: Energy, run: Run) -> Evidence:
    """All N^2 pairs against the closed form, exactly."""
    from hypothesis import assume, strategies

    def equal(rho: Fraction, count: int) -> bool:
        assume(rho != 1)
        direct = sum(rho ** abs(j - k) for j in range(count) for k in range(count))
        return direct == of.closed(rho, count)

    drawn = {
        "rho": parts_of(12, -24, 24),
        "count": strategies.integers(1, 20),
    }
    return hunt(equal, drawn, run, first={"rho": Fraction(4, 5), "count": 3})


def _by_distance(real: Fraction, imag: Fraction, count: int) -> Fraction:
    power, whole = (Fraction(1), Fraction(0)), Fraction(count)
    for distance in range(1, count):
        power = power[0] * real - power[1] * imag, power[0] * imag + power[1] * real
        whole += 2 * (count - distance) * power[0]
    return whole


@checked_by(
    ROTATED_VALUES,
    "complex_mean",
    "property",
    "Gaussian rationals phi, N <= 12",
    definitions=ENERGY,
)
def double_sums_of_complex_powers(of: Energy, run: Run) -> Evidence:
    """All pairs, phi above the diagonal and its conjugate below, against the sum by distance."""
    from hypothesis import strategies

    def equal(real: Fraction, imag: Fraction, count: int) -> bool:
        powers = [(Fraction(1), Fraction(0))]
        for _ in range(count):
            a, b = powers[-1]
            powers.append((a * real - b * imag, a * imag + b * real))
        direct = sum(powers[abs(j - k)][0] for j in range(count) for k in range(count))
        return direct == _by_distance(real, imag, count)

    part = parts_of(9, -9, 9)
    return hunt(equal, {"real": part, "imag": part, "count": strategies.integers(1, 12)}, run)


@control("values_not_rotated", turned=np.zeros_like)
@checked_by(
    ROTATED_VALUES,
    "pairs",
    "sampled",
    Scope("20 values, steps with cosine 4/5, 200000 texts", "5, 10, .., 40 values"),
    definitions=ENERGY,
)
def sampled_energies(of: Energy, run: Run) -> Evidence:
    """The mean squared norm of a sum of rotated unit vectors, which lies in [0, N^2]."""
    source = np.random.default_rng(run.seed)
    step = math.acos(0.8)
    evidence = Evidence("undecided")
    for count in range(5, 41, 5) if run.profile == "full" else (20,):
        steps = step * source.choice([-1.0, 1.0], (200_000, count))
        angles = of.turned(np.cumsum(steps, axis=1))
        energies = np.cos(angles).sum(axis=1) ** 2 + np.sin(angles).sum(axis=1) ** 2
        expected = closed_energy(Fraction(4, 5), count)
        evidence = sampled(energies, expected, Fraction(count**2))
        if evidence.outcome != "holds":
            break
    return evidence
