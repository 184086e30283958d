"""Scores of damped boosts: in floating point, and when they fall, decided by balls.

Main definitions
----------------
score           exp(-gamma n) q^T B(n mu) k in float64, from its two rates
score_bound     how far it can be off
coefficients    A and C
falls           whether the score falls at every step, by the two inequalities
peak            the time and height of the score of q = (1, 0) and k = (0, 1)
Kernels         the definitions the checks measure; a control replaces one of them

Conventions
-----------
As in `posproof.theory.symplectic.boosts`.  u = 2^-53; a library function is within one ulp, 2 u.

The bound
---------
Let S = (|q1| + |q2|)(|k1| + |k2|) / 2, which bounds |A| and |C| before they cancel.  A and C are
off by 3 u S.  A rate and its product with n are rounded, which the exponential turns into 2 r n u
of itself, and r <= 2 gamma; the exponential adds 2 u, a product and the sum u each: less than
8 u S (exp(-r_slow n) + exp(-r_fast n)) (1 + gamma n).

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
from flint import arb, fmpq
from numpy.typing import NDArray

from posproof.numerics.balls import exact, precision, show
from posproof.numerics.formats import FORMATS
from posproof.numerics.hunt import hunt, rationals
from posproof.numerics.measure import within
from posproof.theory.symplectic.boosts import LORENTZ_BOOST
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control

Floats = NDArray[np.float64]
U = FORMATS["float64"].unit_roundoff


# ---------------------------------------------------------------------- kernels
def coefficients(query: Any, key: Any) -> tuple[Any, Any]:
    """A and C of queries and keys given by their two coordinates."""
    return (
        (query[0] + query[1]) * (key[0] + key[1]) / 2,
        (query[0] - query[1]) * (key[0] - key[1]) / 2,
    )


def score(query: Any, key: Any, gamma: Any, mu: Any, n: Any) -> Floats:
    """A exp(-(gamma - mu) n) + C exp(-(gamma + mu) n), arrays of one shape."""
    first, second = coefficients(query, key)
    return first * np.exp(-(gamma - mu) * n) + second * np.exp(-(gamma + mu) * n)


def falls(first: arb, second: arb, gamma: arb, mu: arb) -> bool:
    """A >= 0 and A (1 - exp(-r_slow)) + C (1 - exp(-r_fast)) >= 0; balls away from equality."""
    slow, fast = gamma - mu, gamma + mu
    step = first * (1 - (-slow).exp()) + second * (1 - (-fast).exp())
    return not bool(first < 0) and not bool(step < 0)


def ratio(gamma: Any, mu: Any) -> Any:
    """exp(-2 mu T) at the peak T."""
    return (gamma - mu) / (gamma + mu)


def peak(gamma: arb, mu: arb, place: Callable[[Any, Any], Any] = ratio) -> tuple[arb, arb]:
    """Where exp(-gamma t) sinh(mu t) is largest, and how large, for 0 < mu < gamma."""
    time = -place(gamma, mu).log() / (2 * mu)
    return time, (-gamma * time).exp() * (mu * time).sinh()


@dataclass(frozen=True)
class Kernels:
    """What the checks measure."""

    score: Callable[..., Floats] = score
    falls: Callable[[arb, arb, arb, arb], bool] = falls
    ratio: Callable[[Any, Any], Any] = ratio


KERNELS = Kernels()


# ---------------------------------------------------------------------- symplectic.lorentz_boost
def score_bound(query: Any, key: Any, gamma: float, mu: float, n: int) -> Bound:
    """8 u S (exp(-r_slow n) + exp(-r_fast n)) (1 + gamma n); see the head of the module."""
    lengths = [sum((abs(Fraction(float(z))) for z in x), Fraction(0)) for x in (query, key)]
    size = lengths[0] * lengths[1] / 2
    # the two exponentials are rounded up by their own error
    seen = math.exp(-(gamma - mu) * n) + math.exp(-(gamma + mu) * n)
    waves = Fraction(seen) * (1 + 2**10 * U)
    value = 8 * U * size * waves * (1 + n * Fraction(gamma))
    return Bound(value, "8 u S (exp(-r_slow n) + exp(-r_fast n)) (1 + gamma n)", {"n": n})


def _growing(query: Any, key: Any, gamma: Any, mu: Any, n: Any) -> Floats:
    """Rates exchanged in the second part."""
    first, second = coefficients(query, key)
    return first * np.exp(-(gamma + mu) * n) + second * np.exp(-(gamma - mu) * n)


@control("rates_exchanged", score=_growing)
@checked_by(
    LORENTZ_BOOST,
    "two_rates",
    "float",
    Scope("300 draws, gamma in [0.01, 1], gamma n <= 300", "5000 draws"),
    definitions=KERNELS,
)
def scores_in_float64(of: Kernels, run: Run) -> Evidence:
    """Against the boost itself in balls, in units of the bound of each draw."""
    source = np.random.default_rng(run.seed)
    count = 5000 if run.profile == "full" else 300
    gamma = source.uniform(0.01, 1, count)
    mu = gamma * source.uniform(0, 1, count)
    query, key = source.uniform(-3, 3, (2, 2, count))
    # every exponential stays in the normal range
    n = np.floor(source.uniform(0, 1, count) * np.minimum(1000, 300 / gamma))
    found = of.score(query, key, gamma, mu, n)
    worst, shown = Fraction(-1), (0.0, score_bound((1, 1), (1, 1), 1.0, 0.5, 0), "")
    with precision(200):
        for index in range(count):
            g, m = arb(float(gamma[index])), arb(float(mu[index]))
            steps = int(n[index])
            (q1, q2), (k1, k2) = (
                (arb(float(z[0, index])), arb(float(z[1, index]))) for z in (query, key)
            )
            c, s = (steps * m).cosh(), (steps * m).sinh()
            truth = (-steps * g).exp() * (q1 * (c * k1 + s * k2) + q2 * (s * k1 + c * k2))
            off = float(abs(arb(float(found[index])) - truth).upper())
            bound = score_bound(
                query[:, index], key[:, index], float(gamma[index]), float(mu[index]), steps
            )
            if Fraction(off) / bound.value > worst:
                where = f"gamma = {gamma[index]:.17g}, mu = {mu[index]:.17g}, n = {steps}"
                worst, shown = Fraction(off) / bound.value, (off, bound, where)
    return within(shown[0], shown[1], witness=shown[2])


@control("every_score_falls", falls=lambda first, second, gamma, mu: True)
@control("slow_part_alone", falls=lambda first, second, gamma, mu: not bool(first < 0))
@checked_by(
    LORENTZ_BOOST,
    "monotone",
    "property",
    "gamma in [1/100, 1], 0 < mu < gamma, q and k in [-3, 3]^2",
    definitions=KERNELS,
)
def decrements_in_balls(of: Kernels, run: Run) -> Evidence:
    """The scaled decrement a + c exp(-2 mu n) at n = 0, at its limit and where it changes sign."""
    from hypothesis import assume

    def agrees(
        gamma: Fraction, part: Fraction, q1: Fraction, q2: Fraction, k1: Fraction, k2: Fraction
    ) -> bool:
        with precision(200):
            g, m = arb(exact(gamma)), arb(exact(part * gamma))
            A, C = coefficients((q1, q2), (k1, k2))
            first, second = arb(exact(A)), arb(exact(C))
            a = first * (1 - (m - g).exp())
            c = second * (1 - (-m - g).exp())
            assume(A != 0 and abs(a + c) > arb(2) ** -60)
            steps = [0, 1, 2, 10, 100]
            if a < 0 and c > 0:
                # the sign changes at log(c / |a|) / (2 mu), which may be far away
                steps.append(max(0, math.ceil(float((c / -a).log() / (2 * m))) + 1))
            rises = any(bool(a + c * (-2 * n * m).exp() < 0) for n in steps)
            return of.falls(first, second, g, m) == (not rises)

    side = rationals(-3, 3, 20)
    drawn = {
        "gamma": rationals(Fraction(1, 100), 1, 100),
        "part": rationals(Fraction(1, 20), Fraction(19, 20), 20),
        **dict.fromkeys(("q1", "q2", "k1", "k2"), side),
    }
    # q = (1, 0), k = (0, 1): the score rises from 0 at once.
    first = {"gamma": Fraction(1, 10), "part": Fraction(3, 5), "q1": Fraction(1)}
    first |= {"q2": Fraction(0), "k1": Fraction(0), "k2": Fraction(1)}
    return hunt(agrees, drawn, run, first=first)


@control("peak_too_late", ratio=lambda gamma, mu: ratio(gamma, mu) ** 2)
@checked_by(
    LORENTZ_BOOST,
    "rising_score",
    "ball",
    Scope("four dampings, 200 steps", "four dampings, 2000 steps"),
    definitions=KERNELS,
)
def peaks_in_balls(of: Kernels, run: Run) -> Evidence:
    """The closed height is the score at T, and no step exceeds it."""
    shown = []
    steps = 2000 if run.profile == "full" else 200
    pairs = ((fmpq(1, 10), fmpq(3, 50)), (fmpq(1), fmpq(1, 2)), (fmpq(1, 5), fmpq(19, 100)))
    with precision(200):
        for gamma, mu in ((arb(x), arb(y)) for x, y in (*pairs, (fmpq(2), fmpq(1, 100)))):
            time, height = peak(gamma, mu, of.ratio)
            closed = (
                mu / (gamma**2 - mu**2).sqrt() * (ratio(gamma, mu).log() * gamma / (2 * mu)).exp()
            )
            if not height.overlaps(closed):
                return Evidence(
                    "refuted", witness=f"{show(height)} at {show(time)}, not {show(closed)}"
                )
            for n in range(steps):
                here = (-n * gamma).exp() * (n * mu).sinh()
                if here > height:
                    return Evidence(
                        "refuted", witness=f"n = {n}: {show(here)} exceeds {show(height)}"
                    )
            shown.append(height.str(6, radius=False))
    return Evidence("holds", measured=f"heights {', '.join(shown)}")
