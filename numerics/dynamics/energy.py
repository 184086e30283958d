r"""The derivative of the interaction energy in balls, and against differences at many digits.

Main definitions
----------------
Differences       the two factors of the derivative; a control replaces one of them
difference_bound  truncation of the fourth-order difference quotient, by Cauchy's estimate

Main claims
-----------
dynamics.energy

Conventions
-----------
As in `posproof.numerics.attention`; at many digits a token is a list of m complex numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from posproof.numerics.attention import energy_rate
from posproof.numerics.balls import certify, certify_over
from posproof.numerics.hunt import hunt
from posproof.numerics.measure import as_size
from posproof.theory.dynamics.energy import ENERGY, Energy
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control

if TYPE_CHECKING:
    import mpmath

Token = list[Any]

#: Digits and step of the difference quotients.
DIGITS, STEP = 40, Fraction(1, 10**8)


# ---------------------------------------------------------------------- in balls
def keys_unturned(i: Any, j: Any, theta: Any) -> Any:
    """Queries are rotated, keys are not."""
    return -i * theta


def never(point: Any, rotation: Any, times: int) -> Any:
    return point


def _certify(name: str, of: Energy, grid: list[dict[str, Any]], run: Run) -> Evidence:
    return certify(ENERGY.clause(name).statement(of), grid, run.digits)


def _systems(run: Run) -> list[dict[str, Any]]:
    """Random tokens and velocities with rational angles."""
    draw = np.random.default_rng(run.seed)
    systems = []
    for size in (2, 3, 4) if run.profile == "quick" else (2, 3, 4, 5, 6, 7):
        angles = [Fraction(int(x), 7) for x in draw.integers(-21, 22, size)]
        moved = [Fraction(int(x), 5) for x in draw.integers(-5, 6, size)]
        system = {"n": size, "theta": Fraction(4, 5), "beta": Fraction(3, 2)}
        systems.append({**system, "phi": angles, "v": moved, "xi": moved})
    return systems


def _only(systems: list[dict[str, Any]], *names: str) -> list[dict[str, Any]]:
    return [{name: system[name] for name in names} for system in systems]


TOKENS = Scope("random systems of 2, 3, 4 tokens", "random systems of 2 to 7 tokens")


@control("keys_unrotated", key_turn=keys_unturned)
@checked_by(ENERGY, "gradient", "ball", TOKENS)
def gradient_in_balls(of: Energy, run: Run) -> Evidence:
    grid = _only(_systems(run), "n", "theta", "beta", "phi", "v")
    return _certify("gradient", of, grid, run)


@control("rotation_left_on", pull_turn=lambda i, j, theta: i - j)
@checked_by(ENERGY, "unrotated", "ball", TOKENS)
def unrotated_in_balls(of: Energy, run: Run) -> Evidence:
    return _certify("unrotated", of, _only(_systems(run), "n", "beta", "phi"), run)


@control("values_rotated", value_turn=lambda i, j, theta: (j - i) * theta)
@checked_by(ENERGY, "near_consensus", "ball", TOKENS)
def near_consensus_in_balls(of: Energy, run: Run) -> Evidence:
    grid = _only(_systems(run), "n", "theta", "beta", "xi")
    return _certify("near_consensus", of, grid, run)


@control("keys_unrotated", key_turn=keys_unturned)
@checked_by(ENERGY, "steepest", "ball", TOKENS)
def steepest_in_balls(of: Energy, run: Run) -> Evidence:
    return _certify("steepest", of, _only(_systems(run), "n", "theta", "beta", "xi"), run)


@control("norm_without_one_half", norm=lambda beta, n: beta * n**2)
@checked_by(ENERGY, "largest_energy", "ball", TOKENS)
def largest_energy_in_balls(of: Energy, run: Run) -> Evidence:
    grid = [
        {**system, "p": Fraction(1, 3)}
        for system in _only(_systems(run), "n", "theta", "beta", "phi")
    ]
    return _certify("largest_energy", of, grid, run)


def _pairs(run: Run) -> list[dict[str, Any]]:
    parts = 12 if run.profile == "full" else 5
    return [
        {"p": Fraction(3 * a, parts), "theta": Fraction(2 * b, parts), "beta": beta}
        for a in range(1, parts)
        for b in range(1, parts)
        for beta in (Fraction(1, 2), Fraction(3))
    ]


PAIRS = Scope("32 triples p, theta, beta", "242 triples p, theta, beta")


@control("keys_unrotated", key_turn=keys_unturned)
@control("values_rotated", value_turn=lambda i, j, theta: (j - i) * theta)
@checked_by(ENERGY, "pair", "ball", PAIRS)
def pair_in_balls(of: Energy, run: Run) -> Evidence:
    return _certify("pair", of, _pairs(run), run)


@control("no_rotation", key_turn=lambda i, j, theta: 0 * theta)
@checked_by(ENERGY, "pair_signs", "ball", PAIRS)
def pair_signs_in_balls(of: Energy, run: Run) -> Evidence:
    """The two printed points at every angle; at theta = 0 no pair of points has both signs."""
    import sympy

    grid = [{**point, "q": Fraction(-1, 2)} for point in _pairs(run)]
    grid += [{**point, "theta": angle} for point in grid[::4] for angle in (0, sympy.pi)]
    return _certify("pair_signs", of, grid, run)


@control("no_rotation", key_turn=lambda i, j, theta: 0 * theta)
@checked_by(ENERGY, "half_turn", "ball", PAIRS)
def half_turn_in_balls(of: Energy, run: Run) -> Evidence:
    return _certify("half_turn", of, _only(_pairs(run), "p", "beta"), run)


@control("keys_unrotated", turned=never)
@checked_by(ENERGY, "witnesses", "ball", "the two points")
def witnesses_in_balls(of: Energy, run: Run) -> Evidence:
    return certify_over(ENERGY.clause("witnesses").statement(of), run.digits)


@control("keys_unrotated", turned=never)
@checked_by(ENERGY, "three_tokens", "ball", "the two configurations")
def three_tokens_in_balls(of: Energy, run: Run) -> Evidence:
    return certify_over(ENERGY.clause("three_tokens").statement(of), run.digits)


@control("keys_unrotated", turned=never)
@checked_by(ENERGY, "three_half_turns", "ball", "the two configurations")
def three_half_turns_in_balls(of: Energy, run: Run) -> Evidence:
    return certify_over(ENERGY.clause("three_half_turns").statement(of), run.digits)


# ---------------------------------------------------------------------- any dimension
def difference_bound(beta: float) -> Bound:
    """What the fourth-order difference quotient of the energy may be off, at step h.

    Tokens move along x(t) = (x + t v) / |x + t v| with v orthogonal to x and |v| <= 1.  For complex
    |t| <= 1/2 the square |x + t v|^2 = 1 + t^2 |v|^2 stays at least 3/4 from 0 and each coordinate
    vector at most 3/2 long, so scores stay below 3 beta and the energy below exp(3 beta)/(2 beta).
    Cauchy's estimate bounds the fifth derivative by 5! 2^5 times that, and the truncation is
    h^4/30 of it.  Rounding at 40 digits adds less than 10^-28 of the same size: ten divided by h
    times a few thousand units of the last digit.
    """
    largest = Fraction(math.exp(3 * beta) / (2 * beta)) * (1 + Fraction(1, 2**40))
    value = largest * (128 * STEP**4 + Fraction(1, 10**28))
    return Bound(value, "(128 h^4 + 1e-28) exp(3 beta) / (2 beta)", {"beta": beta, "h": "1e-8"})


def _dot(mp: Any, x: Token, y: Token) -> Any:
    return mp.fsum((a.conjugate() * b).real for a, b in zip(x, y, strict=True))


def _turn(mp: Any, x: Token, theta: Sequence[float], times: int) -> Token:
    return [a * mp.expj(times * mp.mpf(t)) for a, t in zip(x, theta, strict=True)]


def _tangent(mp: Any, x: Token, y: Token) -> Token:
    along = _dot(mp, x, y)
    return [b - along * a for a, b in zip(x, y, strict=True)]


@dataclass(frozen=True)
class Differences:
    """The factors of the derivative at many digits; a control replaces one of them."""

    first_factor: Callable[[int], int] = lambda offset: offset
    value_turn: Callable[[int], int] = lambda offset: 0

    def weights(self, X: list[Token], theta: Sequence[float], beta: float) -> list[list[Any]]:
        import mpmath as mp

        Y = [_turn(mp, x, theta, index) for index, x in enumerate(X)]
        return [[mp.exp(mp.mpf(beta) * _dot(mp, a, b)) for b in Y] for a in Y]

    def energy(self, X: list[Token], theta: Sequence[float], beta: float) -> mpmath.mpf:
        import mpmath as mp

        whole = mp.fsum(w for row in self.weights(X, theta, beta) for w in row)
        return whole / (2 * mp.mpf(beta) * len(X) ** 2)

    def pulled(
        self, X: list[Token], theta: Sequence[float], W: list[list[Any]], turn: Callable[[int], int]
    ) -> list[Token]:
        """P_(x_i) sum_j W_ij R^turn(j - i) x_j for every i."""
        import mpmath as mp

        result = []
        for i, x in enumerate(X):
            keys = [_turn(mp, y, theta, turn(j - i)) for j, y in enumerate(X)]
            mean = [
                mp.fsum(w * y[plane] for w, y in zip(W[i], keys, strict=True))
                for plane in range(len(x))
            ]
            result.append(_tangent(mp, x, mean))
        return result

    def residual(self, X: list[Token], theta: Sequence[float], beta: float) -> mpmath.mpf:
        """Formula minus difference quotient along the flow."""
        import mpmath as mp

        W = self.weights(X, theta, beta)
        moved = self.pulled(X, theta, W, self.value_turn)
        gradient = self.pulled(X, theta, W, self.first_factor)
        V = [[a / mp.fsum(row) for a in x] for x, row in zip(moved, W, strict=True)]
        formula = mp.fsum(_dot(mp, g, v) for g, v in zip(gradient, V, strict=True)) / len(X) ** 2
        flow = self.pulled(X, theta, W, lambda offset: 0)
        flow = [[a / mp.fsum(row) for a in x] for x, row in zip(flow, W, strict=True)]

        def at(t: Any) -> Any:
            moved = [
                [a + t * b for a, b in zip(x, v, strict=True)] for x, v in zip(X, flow, strict=True)
            ]
            unit = [[a / mp.sqrt(_dot(mp, x, x)) for a in x] for x in moved]
            return self.energy(unit, theta, beta)

        h = mp.mpf(STEP.numerator) / STEP.denominator
        quotient = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h)
        return formula - quotient


DIFFERENCES = Differences()


def random_tokens(n: int, m: int, seed: int) -> Any:
    """n unit vectors in m planes, complex, shape `(n, m)`."""
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(n, m)) + 1j * draw.normal(size=(n, m))
    return X / np.linalg.norm(X, axis=1, keepdims=True)


@control("first_factor_without_rotation", first_factor=lambda offset: 0)
@control("keys_rotated_backwards", first_factor=lambda offset: -offset)
@control("values_rotated", value_turn=lambda offset: offset)
@checked_by(
    ENERGY,
    "any_dimension",
    "property",
    Scope("100 systems, n <= 3, d <= 4, beta <= 3", "2000 systems, n <= 3, d <= 4, beta <= 3"),
    definitions=DIFFERENCES,
)
def formula_against_differences(of: Differences, run: Run) -> Evidence:
    """The printed double sum against a difference quotient along the sphere at 40 digits."""
    import mpmath as mp
    from hypothesis import strategies as st

    def predicate(n: int, theta: list[float], beta: float, seed: int) -> bool:
        with mp.workdps(DIGITS):
            X = []
            for row in random_tokens(n, len(theta), seed):
                x = [mp.mpc(complex(a)) for a in row]
                size = mp.sqrt(_dot(mp, x, x))
                X.append([a / size for a in x])
            off = as_size(abs(of.residual(X, theta, beta)))
        return off is not None and off <= difference_bound(beta).value

    axes = {
        "n": st.integers(2, 3),
        "theta": st.lists(st.floats(0.1, 3.0), min_size=1, max_size=2),
        "beta": st.floats(0.25, 3.0),
        "seed": st.integers(0, 2**32 - 1),
    }
    return hunt(predicate, axes, run, first={"n": 3, "theta": [0.7], "beta": 1.0, "seed": 1})


@dataclass(frozen=True)
class Signs:
    """What decides the sign for two tokens; a control replaces it."""

    product: Callable[[Any, Any], Any] = lambda p, theta: math.sin(p) * math.sin(p + theta)


@control("opposite_frequency", product=lambda p, theta: math.sin(p) * math.sin(p - theta))
@checked_by(
    ENERGY,
    "pair",
    "property",
    Scope("100 pairs of tokens in float64", "2000 pairs of tokens in float64"),
    definitions=Signs(),
)
def sign_of_two_tokens(of: Signs, run: Run) -> Evidence:
    """The float64 rate has the sign of sin p sin(p + theta), away from its zeros.

    With |product| > 10^-6 and beta <= 3 both tangential components are at least exp(-6) 10^-6 of
    the row sum, a million times what the roundings of unit vectors and weights can change.
    """
    from hypothesis import assume
    from hypothesis import strategies as st

    def predicate(p: float, theta: float, beta: float) -> bool:
        product = of.product(p, theta)
        assume(abs(product) > 1e-6)
        X = np.exp(1j * np.array([[0.0], [p]]))
        return (energy_rate(X, np.array([theta]), beta) > 0) == (product > 0)

    axes = {
        "p": st.floats(-3.1, 3.1),
        "theta": st.floats(0.05, 3.1),
        "beta": st.floats(0.1, 3.0),
    }
    return hunt(predicate, axes, run, first={"p": 0.5, "theta": 1.0, "beta": 1.0})
