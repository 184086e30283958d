"""Accumulated rotations in floating point, by sampling, and in balls.

Main definitions
----------------
transports         products of gated rotations as complex numbers
random_features    cos(w . v) for random normal w
Kernels            the definitions the checks measure; a control replaces one of them

Conventions
-----------
A gated rotation exp(lambda) R(theta) is the complex number exp(lambda + i theta); sequences of n
steps have shape `(n,)`, their products `(n + 1,)`, beginning with 1.  Angles are in radians.

The bounds
----------
u = 2^-53.  A complex product is off by at most 3 u of its modulus; exp, cos and sin by 2 u of
theirs (library constants), so a factor by 6 u.  Sums of n terms of size at most M are off by
n^2 u M, which enters an exponential as a relative and an angle as an absolute error.  A sample mean
of values in an interval is held to Hoeffding's inequality at failure probability 1e-9.

References
----------
Derived here; no publication is quoted.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posproof.numerics.hunt import hunt
from posproof.numerics.measure import sampled, within
from posproof.theory.accumulation.gates import GATED_ROTATIONS
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control

Numbers = NDArray[np.float64]
Complexes = NDArray[np.complex128]
U64 = Fraction(1, 2**53)


# ---------------------------------------------------------------------- kernels
def transports(log_gates: Numbers, angles: Numbers) -> Complexes:
    """The products of the first 0, 1, .., n gated rotations, shape `(n + 1,)`.

    >>> transports(np.array([0.0]), np.array([0.0]))
    array([1.+0.j, 1.+0.j])
    """
    factors = np.exp(log_gates) * (np.cos(angles) + 1j * np.sin(angles))
    return np.concatenate([[1.0 + 0j], np.cumprod(factors)])


def closed_transports(log_gates: Numbers, angles: Numbers) -> Complexes:
    """The same from the sums of the gates' logarithms and of the angles."""
    gain, turn = (np.concatenate([[0.0], np.cumsum(steps)]) for steps in (log_gates, angles))
    return np.exp(gain) * (np.cos(turn) + 1j * np.sin(turn))


def random_features(v: Numbers, count: int, source: np.random.Generator) -> Numbers:
    """cos(w . v) for `count` standard normal w, v of shape `(d,)`."""
    return np.cos(source.standard_normal((count, len(v))) @ v)


@dataclass(frozen=True)
class Kernels:
    """What the checks measure."""

    transports: Callable[[Numbers, Numbers], Complexes] = transports
    frequency: Callable[[Numbers, Numbers], Numbers] = lambda q, k: q - k
    density: Callable[[Any], Any] = lambda w: (-w * w / 2).exp()
    spread: Callable[[float], float] = lambda square: (1 - math.exp(-square)) ** 2 / 2


KERNELS = Kernels()


# ---------------------------------------------------------------------- gated rotations
def transport_bound(steps: int, largest: float) -> Fraction:
    """The relative error of a product of that many steps against its closed form; see above."""
    size = Fraction(largest)
    product = 9 * steps * U64
    sums = 2 * steps * steps * U64 * size + 6 * U64
    return (product + sums) / (1 - product - sums)


def _angles_lost(log_gates: Numbers, angles: Numbers) -> Complexes:
    return transports(log_gates, np.abs(angles))


@control("signs_of_angles_lost", transports=_angles_lost)
@checked_by(
    GATED_ROTATIONS,
    "polar",
    "property",
    "at most 60 steps, log gates and angles in [-4, 4]",
    definitions=KERNELS,
)
def products_of_gated_rotations(of: Kernels, run: Run) -> Evidence:
    """The product against its closed form, relative to its size."""
    from hypothesis import strategies

    def close(steps: list[tuple[float, float]]) -> bool:
        gates, angles = np.array(steps).T
        closed = closed_transports(gates, angles)
        error = np.abs(of.transports(gates, angles) - closed) / np.abs(closed)
        return Fraction(float(error.max())) <= transport_bound(len(steps), 4.0)

    number = strategies.floats(-4, 4)
    steps = strategies.lists(strategies.tuples(number, number), min_size=1, max_size=60)
    return hunt(close, {"steps": steps}, run, first={"steps": [(0.0, 1.0), (0.0, -1.0)]})


@control("sum_for_difference", frequency=lambda q, k: q + k)
@checked_by(
    GATED_ROTATIONS,
    "softmax",
    "sampled",
    Scope("one pair in R^4, 400000 samples", "20 pairs, 400000 samples each"),
    definitions=KERNELS,
)
def softmax_by_random_rotations(of: Kernels, run: Run) -> Evidence:
    """exp(q . k) from random rotations of the query and the key, divided by the norms' factor."""
    source = np.random.default_rng(run.seed)
    evidence = Evidence("undecided")
    for _ in range(20 if run.profile == "full" else 1):
        q, key = source.uniform(-0.7, 0.7, (2, 4))
        expected = math.exp(float(q @ key) - float(q @ q + key @ key) / 2)
        features = random_features(of.frequency(q, key), 400_000, source)
        evidence = sampled(features, expected, Fraction(2))
        if evidence.outcome != "holds":
            break
    return evidence


@control("density_unscaled", density=lambda w: (-w * w).exp())
@checked_by(
    GATED_ROTATIONS,
    "softmax",
    "ball",
    "|v|^2 = 0, 1/4, 1, 2, 4, 9",
    definitions=KERNELS,
    engine="python-flint",
)
def gaussian_integrals(of: Kernels, run: Run) -> Evidence:
    """The mean of cos(|v| w) over a standard normal w by rigorous integration.

    Beyond R = 20 the density leaves less than exp(-R^2 / 2).
    """
    from flint import acb, arb, fmpq

    from posproof.numerics.balls import precision

    worst = Fraction(0)
    with precision(128):
        reach = arb(20)
        tail = (-reach * reach / 2).exp()
        for square in (fmpq(0), fmpq(1, 4), fmpq(1), fmpq(2), fmpq(4), fmpq(9)):
            length = arb(square).sqrt()

            def integrand(w: Any, _: bool, length: Any = length) -> Any:
                return of.density(w) * (length * w).cos()

            inner = acb.integral(integrand, -reach, reach)
            mean = inner.real / (2 * arb.pi()).sqrt() + tail.union(-tail)
            apart = mean - (-arb(square) / 2).exp()
            if not apart.contains(0):
                return Evidence("refuted", witness=f"|v|^2 = {square}: off by {apart}")
            worst = max(worst, Fraction(float(abs(apart).upper())))
    return within(worst, Bound(Fraction(1, 2**80), "2^-80", {"bits": 128}))


@control("half_the_spread", spread=lambda square: (1 - math.exp(-square)) ** 2 / 4)
@checked_by(
    GATED_ROTATIONS,
    "variance",
    "sampled",
    Scope("|v|^2 = 2, 400000 samples", "|v|^2 = 1/2, 1, .., 8, 400000 samples each"),
    definitions=KERNELS,
)
def spread_of_random_rotations(of: Kernels, run: Run) -> Evidence:
    """The mean of (cos - mean)^2, which lies in [0, 4]."""
    source = np.random.default_rng(run.seed)
    squares = [half / 2 for half in range(1, 17)] if run.profile == "full" else [2.0]
    evidence = Evidence("undecided")
    for square in squares:
        features = random_features(np.array([math.sqrt(square)]), 400_000, source)
        deviations = (features - math.exp(-square / 2)) ** 2
        evidence = sampled(deviations, of.spread(square), Fraction(4))
        if evidence.outcome != "holds":
            break
    return evidence
