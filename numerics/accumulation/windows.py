"""Means of accumulated random rotations: laws, windows and samples.

Main definitions
----------------
LAWS             densities, supports and closed resultants of four laws, in balls
resultant        I_1(kappa) / I_0(kappa) of von Mises laws, vectorised
mixing_window    the least number of steps after which a decaying mean is at most epsilon
path_mean        E exp(i S_k) of a law with rational atoms, all paths enumerated
Kernels          the definitions the checks measure; a control replaces one of them

Conventions
-----------
Angles are in radians.  A resultant is |phi| = |E exp(i theta)|.  Gaussian rationals are pairs of
fmpq; a rational law is a list of (weight, point on the unit circle).

The bounds
----------
A sample mean of values in an interval is held to Hoeffding's inequality at failure probability
1e-9.  Windows are found by comparing balls or exact rationals, never floats.

References
----------
Derived here; no publication is quoted.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posproof.numerics.hunt import hunt, rationals
from posproof.numerics.measure import sampled, within
from posproof.theory.accumulation.windows import INCOHERENCE_LIMITS, RANDOM_MEAN
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control

Numbers = NDArray[np.float64]
Point = tuple[Fraction, Fraction]
Atoms = Sequence[tuple[Fraction, Point]]


# ---------------------------------------------------------------------- kernels
def resultant(kappa: Numbers) -> Numbers:
    """I_1 / I_0 of an array of concentrations >= 0.

    >>> resultant(np.array([0.0]))
    array([0.])
    """
    from scipy.special import ive

    return np.asarray(ive(1, kappa) / ive(0, kappa))


def mixing_window(below: Callable[[int], bool], start: int = 1) -> int:
    """The least n >= 1 with `below(n)`, for a property that stays true once it is true.

    >>> mixing_window(lambda n: Fraction(1, 2) ** n <= Fraction(1, 100))
    7
    """
    high = max(1, start)
    while not below(high):
        high *= 2
    low = 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if below(middle) else (middle, high)
    return high


def ceiling_window(rate: Any, epsilon: Fraction) -> int:
    """max(1, ceil(log epsilon / log rate)) in balls, for 0 <= rate < 1; 1 if the rate is 0.

    Raises ValueError when the balls cannot tell which integer it is.
    """
    from flint import arb, fmpq

    if rate == 0:
        return 1
    steps = arb(fmpq(epsilon.numerator, epsilon.denominator)).log() / rate.log()
    whole = steps.ceil().unique_fmpz()
    if whole is None:
        raise ValueError("the number of steps is too near an integer (rate)")
    return max(1, int(whole))


def times(p: Point, q: Point) -> Point:
    """The product of two Gaussian rationals."""
    return p[0] * q[0] - p[1] * q[1], p[0] * q[1] + p[1] * q[0]


def mean(atoms: Atoms) -> Point:
    """phi of a rational law."""
    return (
        sum((w * z[0] for w, z in atoms), Fraction(0)),
        sum((w * z[1] for w, z in atoms), Fraction(0)),
    )


def path_mean(atoms: Atoms, steps: int) -> Point:
    """E exp(i S_k) over all paths of that many independent steps."""
    real = imag = Fraction(0)
    for path in itertools.product(atoms, repeat=steps):
        weight, at = Fraction(1), (Fraction(1), Fraction(0))
        for w, z in path:
            weight, at = weight * w, times(at, z)
        real, imag = real + weight * at[0], imag + weight * at[1]
    return real, imag


def circle_point(t: Fraction) -> Point:
    """The rational point of the unit circle with half-angle tangent t."""
    return (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)


def _bessel_ratio(kappa: Any) -> Any:
    return kappa.bessel_i(1) / kappa.bessel_i(0)


def _amos(kappa: Any) -> tuple[Any, list[Any]]:
    """Lower and upper bounds of I_1 / I_0."""
    from flint import arb, fmpq

    half, wide, narrow = arb(fmpq(1, 2)), arb(fmpq(9, 4)), arb(fmpq(1, 4))
    square = kappa * kappa
    uppers = [kappa / (half + (square + narrow).sqrt()), kappa / (square + 4).sqrt()]
    return kappa / (half + (square + wide).sqrt()), uppers


@dataclass(frozen=True)
class LawOnTheCircle:
    """A symmetric law: its density up to a factor, its half-width, and |phi| in closed form.

    The density is integrated over [-reach, reach]; what is beyond is at most `tail`.
    """

    density: Callable[[Any, Any], Any]
    closed: Callable[[Any], Any]
    reach: Callable[[Any], Any]
    parameters: tuple[Fraction, ...]
    tail: int = 0


def _laws() -> dict[str, LawOnTheCircle]:
    from flint import arb

    def turn(_: Any) -> Any:
        return arb.pi()

    thirds = tuple(Fraction(k, 3) for k in (1, 3, 6, 9))
    return {
        "uniform": LawOnTheCircle(
            lambda x, a: 1 + 0 * x, lambda a: a.sin() / a, lambda a: a, thirds
        ),
        # Beyond 20 sigma the normal density leaves less than exp(-200).
        "normal": LawOnTheCircle(
            lambda x, s: (-x * x / (2 * s * s)).exp(),
            lambda s: (-s * s / 2).exp(),
            lambda s: 20 * s,
            (Fraction(1, 10), Fraction(1, 2), Fraction(1)),
            tail=-200,
        ),
        "von Mises": LawOnTheCircle(
            lambda x, k: (k * x.cos()).exp(),
            _bessel_ratio,
            turn,
            (Fraction(1, 2), Fraction(1), Fraction(4), Fraction(16)),
        ),
        "wrapped Cauchy": LawOnTheCircle(
            lambda x, r: 1 / (1 + r * r - 2 * r * x.cos()),
            lambda r: r,
            turn,
            (Fraction(1, 4), Fraction(1, 2), Fraction(4, 5)),
        ),
    }


@dataclass(frozen=True)
class Kernels:
    """What the checks measure."""

    laws: Callable[[], dict[str, LawOnTheCircle]] = _laws
    bounds: Callable[[Any], tuple[Any, list[Any]]] = _amos
    weights: tuple[Fraction, ...] = (Fraction(1, 4), Fraction(1, 4), Fraction(1, 2))
    times: Callable[[Point, Point], Point] = times
    harmonic: Callable[[Numbers], Numbers] = np.cos
    shift: int = 0


KERNELS = Kernels()


# ---------------------------------------------------------------------- random_mean
def _sigma_not_halved() -> dict[str, LawOnTheCircle]:
    laws = _laws()
    normal = laws["normal"]
    wrong = LawOnTheCircle(
        normal.density, lambda s: (-s * s).exp(), normal.reach, normal.parameters, normal.tail
    )
    return laws | {"normal": wrong}


@control("variance_not_halved", laws=_sigma_not_halved)
@checked_by(
    RANDOM_MEAN,
    "laws",
    "ball",
    "four laws at 14 parameters",
    definitions=KERNELS,
    engine="python-flint",
)
def resultants_of_laws(of: Kernels, run: Run) -> Evidence:
    """The mean cosine of each density by rigorous integration against the closed form."""
    from flint import acb, arb, fmpq

    from posproof.numerics.balls import precision

    worst = Fraction(0)
    with precision(128):
        for name, law in of.laws().items():
            for value in law.parameters:
                p = arb(fmpq(value.numerator, value.denominator))
                reach = law.reach(p)

                def density(x: Any, _: bool, law: Any = law, p: Any = p) -> Any:
                    return law.density(x, p)

                def cosine(x: Any, _: bool, law: Any = law, p: Any = p) -> Any:
                    return law.density(x, p) * x.cos()

                tail = arb(law.tail).exp() if law.tail else arb(0)
                slack = tail.union(-tail)
                whole = acb.integral(density, -reach, reach).real + slack
                apart = (acb.integral(cosine, -reach, reach).real + slack) / whole - law.closed(p)
                if not apart.contains(0):
                    return Evidence("refuted", witness=f"{name} at {value}: off by {apart}")
                worst = max(worst, Fraction(float(abs(apart).upper())))
    return within(worst, Bound(Fraction(1, 2**80), "2^-80", {"bits": 128}))


def _other_pair(kappa: Any) -> tuple[Any, list[Any]]:
    """A lower and an upper bound exchanged in spirit: neither holds anywhere."""
    from flint import arb, fmpq

    square, half, wide = kappa * kappa, arb(fmpq(1, 2)), arb(fmpq(9, 4))
    return kappa / (1 + (1 + square).sqrt()), [kappa / (half + (square + wide).sqrt())]


@control("wrong_pair_of_bounds", bounds=_other_pair)
@checked_by(
    RANDOM_MEAN,
    "bessel",
    "ball",
    "kappa = 1/8, 2/8, .., 399/8",
    definitions=KERNELS,
    engine="python-flint",
)
def bessel_bounds(of: Kernels, run: Run) -> Evidence:
    """Each bound compared with the ratio of Bessel functions at 200 bits."""
    from flint import arb, fmpq

    from posproof.numerics.balls import precision

    smallest = 1.0
    with precision(200):
        for eighths in range(1, 400):
            kappa = arb(fmpq(eighths, 8))
            ratio, (lower, uppers) = _bessel_ratio(kappa), of.bounds(kappa)
            if not (lower < ratio and all(ratio < upper for upper in uppers)):
                return Evidence("refuted", witness=f"kappa = {eighths}/8: ratio {ratio.str(10)}")
            smallest = min(smallest, float((ratio - lower).mid()))
    return Evidence("holds", measured=f"lower bound within {smallest:.3g}")


@control("wrong_pair_of_bounds", bounds=_other_pair)
@checked_by(RANDOM_MEAN, "bessel", "property", "kappa in [1/1000, 500]", definitions=KERNELS)
def bessel_bounds_anywhere(of: Kernels, run: Run) -> Evidence:
    from flint import arb
    from hypothesis import strategies

    from posproof.numerics.balls import precision

    def bounded(kappa: float) -> bool:
        with precision(200):
            at = arb(kappa)
            ratio, (lower, uppers) = _bessel_ratio(at), of.bounds(at)
            return bool(lower < ratio) and all(bool(ratio < upper) for upper in uppers)

    return hunt(bounded, {"kappa": strategies.floats(2.0**-10, 500)}, run)


#: (3 + 4 i) / 5, (3 - 4 i) / 5 and 1.
THREE_POINTS = (
    (Fraction(3, 5), Fraction(4, 5)),
    (Fraction(3, 5), Fraction(-4, 5)),
    (Fraction(1), Fraction(0)),
)


@control("equal_weights", weights=(Fraction(1, 3),) * 3)
@checked_by(
    RANDOM_MEAN,
    "power",
    "ball",
    Scope("all 3^k paths of a three-point law, k <= 5", "k <= 8"),
    definitions=KERNELS,
    engine="exact rationals",
)
def three_point_law(of: Kernels, run: Run) -> Evidence:
    """Weights 1/4, 1/4, 1/2 on (3 + 4 i)/5, (3 - 4 i)/5 and 1: the mean is (4/5)^k."""
    atoms = list(zip(of.weights, THREE_POINTS, strict=True))
    for steps in range(1, 9 if run.profile == "full" else 6):
        found = path_mean(atoms, steps)
        if found != (Fraction(4, 5) ** steps, 0):
            return Evidence("refuted", witness=f"k = {steps}: mean {found[0]} + {found[1]} i")
    return Evidence("holds", measured="equal for every k")


def _real_parts(p: Point, q: Point) -> Point:
    return p[0] * q[0] + p[1] * q[1], p[0] * q[1] + p[1] * q[0]


@control("sign_of_i_squared", times=_real_parts)
@checked_by(
    RANDOM_MEAN,
    "power",
    "property",
    "rational laws of at most 3 atoms, k <= 4",
    definitions=KERNELS,
)
def rational_laws(of: Kernels, run: Run) -> Evidence:
    """All paths enumerated against a power of phi, exactly."""
    from hypothesis import strategies

    def power(parts: list[tuple[int, Fraction]], steps: int) -> bool:
        whole = sum(weight for weight, _ in parts)
        atoms = [(Fraction(weight, whole), circle_point(t)) for weight, t in parts]
        closed, phi = (Fraction(1), Fraction(0)), mean(atoms)
        for _ in range(steps):
            closed = of.times(closed, phi)
        return path_mean(atoms, steps) == closed

    tangent = rationals(-4, 4, 8)
    parts = strategies.lists(
        strategies.tuples(strategies.integers(1, 9), tangent), min_size=1, max_size=3
    )
    first = {"parts": [(1, Fraction(1))], "steps": 2}
    return hunt(power, {"parts": parts, "steps": strategies.integers(1, 4)}, run, first=first)


@control("second_harmonic", harmonic=lambda x: np.cos(2 * x))
@checked_by(
    RANDOM_MEAN,
    "power",
    "sampled",
    Scope("von Mises, kappa = 4, mean 3/10, 3 steps, 200000 paths", "1, 2, .., 8 steps"),
    definitions=KERNELS,
)
def sampled_means(of: Kernels, run: Run) -> Evidence:
    """The mean of cos S_k against rho^k cos(k mu)."""
    source = np.random.default_rng(run.seed)
    rho = float(resultant(np.array([4.0]))[0])
    evidence = Evidence("undecided")
    for steps in range(1, 9) if run.profile == "full" else (3,):
        sums = source.vonmises(0.3, 4.0, (200_000, steps)).sum(axis=1)
        expected = rho**steps * float(np.cos(0.3 * steps))
        evidence = sampled(of.harmonic(sums), expected, Fraction(2))
        if evidence.outcome != "holds":
            break
    return evidence


@control("one_step_early", shift=-1)
@checked_by(
    RANDOM_MEAN,
    "window",
    "property",
    "rational rates in [1/100, 99/100], epsilon in [1/1000, 1/2]",
    definitions=KERNELS,
)
def windows_are_least(of: Kernels, run: Run) -> Evidence:
    """The ceiling of a quotient of logarithms against powers of rationals."""
    from flint import arb, fmpq

    from posproof.numerics.balls import precision

    def least(rate: Fraction, epsilon: Fraction) -> bool | None:
        with precision(128):
            try:
                ball = arb(fmpq(rate.numerator, rate.denominator))
                found = ceiling_window(ball, epsilon) + of.shift
            except ValueError:  # epsilon is a power of the rate
                return None
        return rate**found <= epsilon and (found == 1 or rate ** (found - 1) > epsilon)

    drawn = {
        "rate": rationals(Fraction(1, 100), Fraction(99, 100), 100),
        "epsilon": rationals(Fraction(1, 1000), Fraction(1, 2), 1000),
    }
    return hunt(least, drawn, run, first={"rate": Fraction(1, 2), "epsilon": Fraction(1, 100)})


# ---------------------------------------------------------------------- incoherence_limits
def chain(p: Any, a: Any) -> Any:
    """The matrix that takes the mean split by states one step on, as an acb_mat of size 2."""
    from flint import acb, acb_mat, arb

    turn = acb(arb(0), arb(a)).exp()
    keep, leave = acb(arb(p)), acb(1 - arb(p))
    back = turn.conjugate()
    return acb_mat(2, 2, [turn * keep, turn * leave, back * leave, back * keep])


def chain_rate(p: Any, a: Any) -> Any:
    """The spectral radius of `chain`: sqrt(2 p - 1), or p |cos a| + sqrt(p^2 cos^2 a - 2 p + 1)."""
    from flint import arb

    keep = arb(p)
    middle = keep * arb(a).cos()
    square = middle * middle - 2 * keep + 1
    if square < 0:
        return (2 * keep - 1).sqrt()
    return abs(middle) + square.sqrt()


def chain_means(p: float, a: float, steps: int) -> Numbers:
    """E exp(i S_k), which is real, for k = 0 .. steps, from the two-term recurrence."""
    means = [1.0, float(np.cos(a))]
    for _ in range(steps - 1):
        means.append(2 * p * float(np.cos(a)) * means[-1] - (2 * p - 1) * means[-2])
    return np.array(means[: steps + 1])


def chain_paths(p: float, a: float, steps: int, count: int, source: np.random.Generator) -> Numbers:
    """S_k of `count` stationary chains, shape `(count,)`."""
    first = source.choice([-1.0, 1.0], (count, 1))
    flips = np.where(source.random((count, steps - 1)) < p, 1.0, -1.0)
    signs = np.cumprod(np.concatenate([first, flips], axis=1), axis=1)
    return a * signs.sum(axis=1)


@dataclass(frozen=True)
class Chains:
    """What the checks of dependent tokens measure."""

    rate: Callable[[Any, Any], Any] = chain_rate
    stay: Callable[[float], float] = lambda p: p
    harmonic: int = 2


CHAINS = Chains()
#: Windows of a chain that turns by one radian, by the probability of keeping the state.
WINDOWS = {
    Fraction(1, 2): 8,
    Fraction(9, 10): 42,
    Fraction(1, 10): 90,
    Fraction(99, 100): 456,
    Fraction(1, 100): 992,
}


def _single_step(p: Any, a: Any) -> Any:
    """|phi(1)|, as if the tokens were independent."""
    from flint import arb

    return abs(arb(a).cos())


@control("rate_of_independent_tokens", rate=_single_step)
@checked_by(
    INCOHERENCE_LIMITS,
    "no_window",
    "ball",
    "a = 1, p = 1/2, 9/10, 1/10, 99/100, 1/100",
    definitions=CHAINS,
    engine="python-flint",
)
def windows_of_chains(of: Chains, run: Run) -> Evidence:
    """Steps until the spectral radius falls to 1/100; independent tokens would need 8."""
    from flint import arb, fmpq

    from posproof.numerics.balls import precision

    found = {}
    with precision(128):
        for p in WINDOWS:
            rate = of.rate(arb(fmpq(p.numerator, p.denominator)), arb(1))
            found[p] = ceiling_window(rate, Fraction(1, 100))
    if found != WINDOWS:
        return Evidence("refuted", witness=f"windows {list(found.values())}")
    return Evidence("holds", measured=", ".join(f"{w} at p = {p}" for p, w in found.items()))


@control("rate_of_independent_tokens", rate=_single_step)
@checked_by(
    INCOHERENCE_LIMITS,
    "real_roots",
    "property",
    "p in [1/50, 49/50], a in [1/10, 3], roots at least 1/16 apart",
    definitions=CHAINS,
)
def spectral_radii(of: Chains, run: Run) -> Evidence:
    """The formula against enclosed eigenvalues and against the norm of the 400th power."""
    from flint import arb, fmpq
    from hypothesis import assume

    from posproof.numerics.balls import precision

    def agrees(p: Fraction, a: Fraction) -> bool:
        with precision(256):
            keep, turn = (arb(fmpq(v.numerator, v.denominator)) for v in (p, a))
            middle = keep * turn.cos()
            assume(bool(abs(middle * middle - 2 * keep + 1) > fmpq(1, 1000)))
            rate, matrix = of.rate(keep, turn), chain(keep, turn)
            moduli = [abs(value) for value in matrix.eig()]
            highest = moduli[0].max(moduli[1])
            power = matrix**400
            norm = sum((abs(cell) ** 2 for cell in power.entries()), arb(0)).sqrt()
            low, high = rate**400, (rate * fmpq(51, 50)) ** 400
            return bool(highest.overlaps(rate)) and bool(low < norm) and bool(norm < high)

    drawn = {
        "p": rationals(Fraction(1, 50), Fraction(49, 50), 1000),
        "a": rationals(Fraction(1, 10), Fraction(3), 1000),
    }
    return hunt(agrees, drawn, run, first={"p": Fraction(99, 100), "a": Fraction(1)})


@control("first_harmonic", harmonic=1)
@checked_by(
    INCOHERENCE_LIMITS,
    "second_moment",
    "sampled",
    Scope("von Mises, kappa = 4, mean 3/10, 6 steps, 200000 paths", "1, 2, .., 12 steps"),
    definitions=CHAINS,
)
def sampled_squares(of: Chains, run: Run) -> Evidence:
    """The mean of cos^2 S_k against (1 + |phi(2)|^k cos(2 k mu)) / 2."""
    from scipy.special import ive

    source = np.random.default_rng(run.seed)
    rho = float(ive(of.harmonic, 4.0) / ive(0, 4.0))
    evidence = Evidence("undecided")
    for steps in range(1, 13) if run.profile == "full" else (6,):
        sums = source.vonmises(0.3, 4.0, (200_000, steps)).sum(axis=1)
        expected = (1 + rho**steps * float(np.cos(of.harmonic * 0.3 * steps))) / 2
        evidence = sampled(np.cos(sums) ** 2, expected, Fraction(1))
        if evidence.outcome != "holds":
            break
    return evidence


@control("left_for_kept", stay=lambda p: 1 - p)
@checked_by(
    INCOHERENCE_LIMITS,
    "markov",
    "sampled",
    Scope("p = 9/10, a = 1, 8 steps, 200000 chains", "p = 1/10, 1/2, 9/10, up to 20 steps"),
    definitions=CHAINS,
)
def sampled_chains(of: Chains, run: Run) -> Evidence:
    """The mean of cos S_k against the recurrence."""
    source = np.random.default_rng(run.seed)
    full = [(p, steps) for p in (0.1, 0.5, 0.9) for steps in range(1, 21)]
    evidence = Evidence("undecided")
    for p, steps in full if run.profile == "full" else [(0.9, 8)]:
        sums = chain_paths(p, 1.0, steps, 200_000, source)
        expected = float(chain_means(of.stay(p), 1.0, steps)[steps])
        evidence = sampled(np.cos(sums), expected, Fraction(2))
        if evidence.outcome != "holds":
            break
    return evidence
