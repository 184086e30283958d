r"""Uniform attention: the flow without rotary scores, or at beta = 0.

Main definitions
----------------
weight(n)          1 / n, what every token gives every token
projected          P_x v = v - <x, v> x, the velocity of a token at x drawn to v
pull(a, b, phi)    b cos(phi) - a sin(phi), the velocity of an angle drawn to the mean (a, b)
cross_ratio        of four points of the circle, from their angles

Main claims
-----------
dynamics.uniform_baseline

Conventions
-----------
n >= 1 tokens x_i on the unit sphere of R^d, stored as one row-major array: coordinate c of token i
is x(d i + c).  The flow is x_i' = P_{x_i}(mean of x).  On the circle x_i = (cos phi_i, sin phi_i).

References
----------
The statements are derived here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sympy import cos, diff, exp, pi, sin

from posproof.theory.symbols import sequence, total, variables
from posproof.theory.vocabulary import (
    And,
    Claim,
    Clause,
    Eq,
    ForAll,
    Implies,
    Informal,
    Int,
    Le,
    Lt,
    Ne,
    Prop,
    Real,
)

i, j, k, c = variables("i j k c", Int(0))
n, d = variables("n d", Int(1))
a, b, D, epsilon, beta, phi_m = variables("a b D epsilon beta phi", Real)
angles = variables("phi_1 phi_2 phi_3 phi_4", Real)
score, x, xi, star = sequence("s"), sequence("x"), sequence("xi"), sequence("y")
phi, sigma = sequence("varphi"), sequence("sigma")


def pull(a: Any, b: Any, phi: Any) -> Any:
    """The velocity of the angle phi when the tokens' mean is (a, b)."""
    return b * cos(phi) - a * sin(phi)


def chord(first: Any, second: Any) -> Any:
    """Half the signed length of the chord between two points of the circle."""
    return sin((first - second) / 2)


def cross_ratio(first: Any, second: Any, third: Any, fourth: Any) -> Any:
    """(z_1 - z_2)(z_3 - z_4) / ((z_1 - z_3)(z_2 - z_4)) for z = exp(1j phi), which is real."""
    above = chord(first, second) * chord(third, fourth)
    return above / (chord(first, third) * chord(second, fourth))


@dataclass(frozen=True)
class Baseline:
    """The definitions of this topic; a control replaces one of them."""

    weight: Callable[[Any], Any] = lambda n: 1 / n
    inverse_temperature: Callable[[Any], Any] = lambda beta: beta
    pull: Callable[[Any, Any, Any], Any] = pull
    cross_ratio: Callable[..., Any] = cross_ratio
    radial: Callable[[Any, Any], Any] = lambda inner, x: inner * x
    rate: Callable[[Any], Any] = sin
    potential: Callable[[Any, Any], Any] = lambda square, n: square / (2 * n)

    def mean(self, of: Any) -> Any:
        """The weighted sum of `of(j)` over the n tokens."""
        return total(j, n, self.weight(n) * of(j))

    def projected(self, at: Any, towards: Any) -> Any:
        """Coordinate k of P_x v for coordinates `at(c)`, `towards(c)`."""
        inner = total(c, d, at(c) * towards(c))
        return towards(k) - self.radial(inner, at(k))


# ---------------------------------------------------------------------- uniform_baseline
def uniform(of: Baseline) -> Prop:
    """Without temperature every score counts alike."""
    weights = exp(of.inverse_temperature(beta) * score(j))
    row = exp(of.inverse_temperature(beta) * score(i)) / total(j, n, weights)
    return ForAll((n, i, beta), Implies(Eq(beta, 0), Eq(row, of.weight(n))))


def gradient(of: Baseline) -> Prop:
    """The potential along x + epsilon xi: exact, of second order in epsilon."""

    def value(of_token: Any) -> Any:
        return of.potential(total(c, d, total(j, n, of_token(j)) ** 2), n)

    moved = value(lambda j: x(d * j + c) + epsilon * xi(d * j + c))
    here = value(lambda j: x(d * j + c))
    ahead = value(lambda j: xi(d * j + c))
    first = total(i, n, total(c, d, xi(d * i + c) * of.mean(lambda j: x(d * j + c))))
    return ForAll((n, d, epsilon), Eq(moved, here + epsilon * first + epsilon**2 * ahead))


def consensus_rate(of: Baseline) -> Prop:
    """Coordinate k of the field of token i at y + epsilon xi."""

    def drift(coordinate: Any) -> Any:
        return of.mean(lambda j: xi(d * j + coordinate))

    def token(coordinate: Any) -> Any:
        return star(coordinate) + epsilon * xi(d * i + coordinate)

    def centre(coordinate: Any) -> Any:
        return star(coordinate) + epsilon * drift(coordinate)

    unit = Eq(total(c, d, star(c) ** 2), 1)
    tangent = Eq(total(c, d, star(c) * xi(d * i + c)), 0)
    balanced = Eq(total(c, d, star(c) * drift(c)), 0)
    overlap = total(c, d, xi(d * i + c) * drift(c))
    linear = drift(k) - xi(d * i + k)
    value = epsilon * linear - epsilon**2 * overlap * token(k)
    field = Eq(of.projected(token, centre), value)
    return ForAll((n, d, i, k, epsilon), Implies(And(unit, tangent, balanced), field))


def riccati(of: Baseline) -> Prop:
    drawn = of.mean(lambda j: sin(phi(j) - phi(i)))
    means = (of.mean(lambda j: cos(phi(j))), of.mean(lambda j: sin(phi(j))))
    return ForAll((n, i), Eq(drawn, of.pull(*means, phi(i))))


def conserved(of: Baseline) -> Prop:
    """The derivative along the flow, by the chain rule; the mean (a, b) is arbitrary."""
    value = of.cross_ratio(*angles)
    derivative = sum(diff(value, angle) * of.pull(a, b, angle) for angle in angles)
    first, second, third, fourth = angles
    distinct = And(Ne(chord(first, third), 0), Ne(chord(second, fourth), 0))
    return ForAll((*angles, a, b), Implies(distinct, Eq(derivative, 0)))


def contraction(of: Baseline) -> Prop:
    """Tokens at phi + D sin(sigma_j)^2; the velocities of the two ends of the arc."""

    def velocity(at: Any) -> Any:
        return of.mean(lambda j: sin(phi_m + D * sin(sigma(j)) ** 2 - at))

    shrinks = Le(velocity(phi_m + D) - velocity(phi_m), -of.rate(D))
    return ForAll((n, phi_m, D), Implies(And(Le(0, D), Lt(D, pi)), shrinks))


HALF_ANGLE = Informal(
    "If all tokens lie on an arc of length D(0) < pi of the circle, then tan(D(t)/2) <= "
    "exp(-t) tan(D(0)/2) for every t >= 0."
)

UNIFORM_BASELINE = Claim(
    id="dynamics.uniform_baseline",
    title="Uniform attention: a gradient flow with rate 1 and conserved cross ratios",
    kind="identity",
    definitions=Baseline(),
    hypotheses=(
        "$A = \\mathbf{1}\\mathbf{1}^T/n$ (no rotary scores, or $\\beta = 0$)",
        "$x_i' = P_{x_i}\\bar x$ with $P_x v = v - \\langle x, v\\rangle x$ and "
        "$\\bar x = \\tfrac1n\\sum_j x_j$",
    ),
    clauses=(
        Clause(
            "uniform",
            r"\beta = 0 \implies \frac{e^{\beta s_i}}{\sum_{j} e^{\beta s_j}} = \tfrac1n",
            uniform,
        ),
        Clause(
            "gradient",
            r"V(x) = \tfrac{1}{2n}\bigl|\sum_j x_j\bigr|^2: \quad V(x + \epsilon\xi) = V(x) + "
            r"\epsilon\sum_i\langle \xi_i, \bar x\rangle + \epsilon^2 V(\xi)"
            r"\quad \text{(so the flow is gradient ascent of } V)",
            gradient,
        ),
        Clause(
            "consensus_rate",
            r"|y| = 1,\ \langle y, \xi_i\rangle = \langle y, \bar\xi\rangle = 0,\ "
            r"x_j = y + \epsilon\xi_j: \quad \bar x - \langle x_i, \bar x\rangle x_i = "
            r"\epsilon(\bar\xi - \xi_i) - \epsilon^2\langle\xi_i, \bar\xi\rangle x_i",
            consensus_rate,
        ),
        Clause(
            "riccati",
            r"\tfrac1n\sum_j\sin(\varphi_j - \varphi_i) = b\cos\varphi_i - a\sin\varphi_i,\quad "
            r"a = \tfrac1n\sum_j\cos\varphi_j,\ b = \tfrac1n\sum_j\sin\varphi_j",
            riccati,
        ),
        Clause(
            "conserved",
            r"\varphi_k' = b\cos\varphi_k - a\sin\varphi_k \text{ for } k = 1, \ldots, 4: \quad "
            r"\frac{d}{dt}\,\frac{\sin\frac{\varphi_1-\varphi_2}{2}"
            r"\sin\frac{\varphi_3-\varphi_4}{2}}{\sin\frac{\varphi_1-\varphi_3}{2}"
            r"\sin\frac{\varphi_2-\varphi_4}{2}} = 0 \text{ for all } a, b",
            conserved,
        ),
        Clause(
            "contraction",
            r"\varphi_j = \varphi + D\sin^2\sigma_j,\ 0 \le D < \pi: \quad "
            r"\tfrac1n\sum_j\sin(\varphi_j - \varphi - D) - \tfrac1n\sum_j\sin(\varphi_j - \varphi)"
            r" \le -\sin D",
            contraction,
        ),
        Clause(
            "half_angle",
            r"D(0) < \pi \implies \tan\tfrac{D(t)}{2} \le e^{-t}\tan\tfrac{D(0)}{2}",
            lambda of: HALF_ANGLE,
        ),
    ),
)
