r"""The interaction energy of rotary attention along its own flow: it may rise and it may fall.

Main definitions
----------------
Energy      score, values and the two factors of the derivative; a control replaces one of them
weight      W_ij = exp(s_ij); `mass` is its row sum D_i
velocity    the angle velocity of token i under the flow
rate        the derivative of E along the flow, by the chain rule
formula     the same as one sum over tokens
at_points   the derivative for tokens given by coordinates, so that rational points stay rational

Main claims
-----------
dynamics.energy

Conventions
-----------
n tokens in the plane, x_i = (cos phi_i, sin phi_i); s_ij = beta cos(phi_j - phi_i + (j - i) theta)
and E = sum_ij exp(s_ij) / (2 beta n^2), beta > 0.  The flow is x_i' = P_(x_i) sum_j A_ij x_j with
values that are not rotated: phi_i' = sum_j A_ij sin(phi_j - phi_i).  Derivatives of the score are
taken with respect to the angle between two tokens, symbolically.

References
----------
The statements are derived here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Integer as Whole
from sympy import Rational, cos, exp, pi, sin

from posproof.theory.symbols import sequence, total, variables
from posproof.theory.vocabulary import (
    And,
    Claim,
    Clause,
    Eq,
    ForAll,
    Implies,
    Int,
    Le,
    Lt,
    Ne,
    Not,
    Positive,
    Prop,
    Real,
)

i, j, k, c = variables("i j k c", Int(0))
n, d = variables("n d", Int(1))
y, w, x, u, g = (sequence(name) for name in ("y", "w", "x", "u", "g"))
theta, p, q = variables("theta p q", Real)
(beta,) = variables("beta", Positive)
phi, xi, v = sequence("phi"), sequence("xi"), sequence("v")
gap, step = sympy.Dummy("gap"), sympy.Dummy("step")

Point = tuple[Any, Any]


def score(beta: Any, angle: Any) -> Any:
    """The score of two tokens whose rotated directions are `angle` apart (radians)."""
    return beta * cos(angle)


def relative_turn(i: Any, j: Any, theta: Any) -> Any:
    """By how much the rotation turns key j against query i."""
    return (j - i) * theta


def unturned(i: Any, j: Any, theta: Any) -> Any:
    """Values are not rotated."""
    return Whole(0)


def turned(point: Point, rotation: Point, times: int) -> Point:
    """A point of the plane rotated `times` times by (cosine, sine); backwards when negative."""
    x, y = point
    c, s = rotation if times >= 0 else (rotation[0], -rotation[1])
    for _ in range(abs(times)):
        x, y = c * x - s * y, s * x + c * y
    return x, y


def dot(a: Point, b: Point) -> Any:
    return a[0] * b[0] + a[1] * b[1]


def tangent(x: Point, v: Point) -> Point:
    """P_x v = v - <x, v> x."""
    along = dot(x, v)
    return v[0] - along * x[0], v[1] - along * x[1]


@dataclass(frozen=True)
class Energy:
    """The definitions of this topic; a control replaces one of them."""

    score: Callable[[Any, Any], Any] = score
    inner_score: Callable[[Any, Any], Any] = lambda beta, inner: beta * inner
    key_turn: Callable[[Any, Any, Any], Any] = relative_turn
    value_turn: Callable[[Any, Any, Any], Any] = unturned
    pull_turn: Callable[[Any, Any, Any], Any] = relative_turn
    pair_factor: Callable[[Any, Any], Any] = lambda p, theta: sin(p) * sin(p + theta)
    norm: Callable[[Any, Any], Any] = lambda beta, n: 2 * beta * n**2
    turned: Callable[[Point, Point, int], Point] = turned

    def weight(self, i: Any, j: Any, theta: Any, beta: Any, phi: Any = phi) -> Any:
        """W_ij = exp(s_ij)."""
        return exp(self.score(beta, phi(j) - phi(i) + self.key_turn(i, j, theta)))

    def mass(self, i: Any, n: Any, theta: Any, beta: Any, phi: Any = phi) -> Any:
        """D_i, the sum of row i."""
        return total(k, n, self.weight(i, k, theta, beta, phi))

    def velocity(self, i: Any, n: Any, theta: Any, beta: Any, phi: Any = phi) -> Any:
        """The angle velocity of token i."""
        pulled = sin(phi(k) - phi(i) + self.value_turn(i, k, theta))
        moved = total(k, n, self.weight(i, k, theta, beta, phi) * pulled)
        return moved / self.mass(i, n, theta, beta, phi)

    def energy(self, n: Any, theta: Any, beta: Any, phi: Any = phi) -> Any:
        """E."""
        weights = total(i, n, total(j, n, self.weight(i, j, theta, beta, phi)))
        return weights / self.norm(beta, n)

    def rate(self, n: Any, theta: Any, beta: Any, phi: Any = phi, v: Any = v) -> Any:
        """dE/dt for angle velocities v: each weight moves with the angle between its tokens."""
        slope = sympy.diff(exp(self.score(beta, gap)), gap)
        at = slope.subs(gap, phi(j) - phi(i) + self.key_turn(i, j, theta))
        return total(i, n, total(j, n, at * (v(j) - v(i)))) / self.norm(beta, n)

    def pull(self, i: Any, n: Any, theta: Any, beta: Any, phi: Any = phi) -> Any:
        """n^2 dE/dphi_i."""
        angle = phi(k) - phi(i) + self.pull_turn(i, k, theta)
        return total(k, n, self.weight(i, k, theta, beta, phi) * sin(angle))

    def formula(self, n: Any, theta: Any, beta: Any, phi: Any = phi) -> Any:
        """The derivative as a sum over tokens of gradient times velocity."""
        each = self.pull(i, n, theta, beta, phi) * self.velocity(i, n, theta, beta, phi)
        return total(i, n, each) / n**2

    def pair(self, p: Any, theta: Any, beta: Any) -> Any:
        """dE/dt of two tokens that are p apart."""

        def angle(token: Any) -> Any:
            return token * p

        def moves(token: Any) -> Any:
            return self.velocity(token, Whole(2), theta, beta, angle)

        return self.rate(Whole(2), theta, beta, angle, moves)

    def pair_formula(self, p: Any, theta: Any, beta: Any) -> Any:
        w = exp(self.score(beta, p + theta))
        return w**2 / (2 * (exp(beta) + w)) * self.pair_factor(p, theta)

    def at_points(self, points: Sequence[Point], rotation: Point, beta: Any) -> Any:
        """dE/dt for tokens and a rotation given by coordinates, by the product rule."""
        size = len(points)
        keys = [
            [self.turned(x, rotation, b - a) for b, x in enumerate(points)] for a in range(size)
        ]
        weights = [
            [exp(beta * dot(points[a], keys[a][b])) for b in range(size)] for a in range(size)
        ]
        velocities = []
        for a, x in enumerate(points):
            mean = [sum(w * y[c] for w, y in zip(weights[a], points, strict=True)) for c in (0, 1)]
            along = tangent(x, (mean[0], mean[1]))
            mass = sum(weights[a])
            velocities.append((along[0] / mass, along[1] / mass))
        moved = [
            weights[a][b]
            * (
                dot(velocities[a], keys[a][b])
                + dot(points[a], self.turned(velocities[b], rotation, b - a))
            )
            for a in range(size)
            for b in range(size)
        ]
        return beta * sum(moved) / self.norm(beta, size)


def slope_at(value: Any) -> Any:
    """The derivative in `step` at step = 0."""
    return sympy.diff(value, step).subs(step, 0)


# ---------------------------------------------------------------------- dynamics.energy
def any_dimension(of: Energy) -> Prop:
    """Tokens y_i = R^i x_i of R^d moved along w_i; and what a projected velocity sees."""

    def inner(first: Any, second: Any) -> Any:
        return total(c, d, first(c) * second(c))

    def token(t: Any, along: Any) -> Any:
        return lambda at: y(d * t + at) + along * w(d * t + at)

    def weight(along: Any) -> Any:
        return exp(of.inner_score(beta, inner(token(i, along), token(j, along))))

    moved = total(i, n, total(j, n, weight(step))) / of.norm(beta, n)
    pulled = inner(lambda at: w(d * i + at), lambda at: y(d * j + at))
    slope = total(i, n, total(j, n, weight(Whole(0)) * pulled)) / n**2

    def projected(vector: Any) -> Any:
        return lambda at: vector(at) - inner(x, vector) * x(at)

    seen = Eq(inner(projected(u), g), inner(projected(u), projected(g)))
    unit = Eq(inner(x, x), 1)
    gradient = ForAll((n, d, beta), Eq(slope_at(moved), slope))
    return And(gradient, ForAll(d, Implies(unit, seen)))


def gradient(of: Energy) -> Prop:
    moved = total(i, n, of.pull(i, n, theta, beta) * v(i)) / n**2
    return ForAll((n, theta, beta), Eq(of.rate(n, theta, beta), moved))


def unrotated(of: Energy) -> Prop:
    return ForAll((n, beta), Le(0, of.formula(n, Whole(0), beta)))


def pair(of: Energy) -> Prop:
    equal = Eq(of.pair(p, theta, beta), of.pair_formula(p, theta, beta))
    return ForAll((p, theta, beta), equal)


def pair_signs(of: Energy) -> Prop:
    rises = Lt(0, of.pair((pi - theta) / 2, theta, beta))
    falls = Lt(of.pair(-theta / 2, theta, beta), 0)
    both = And(Lt(0, of.pair(p, theta, beta)), Lt(of.pair(q, theta, beta), 0))
    return And(
        ForAll((theta, beta), Implies(Ne(sin(theta), 0), And(rises, falls))),
        ForAll((theta, beta, p, q), Implies(Eq(sin(theta), 0), Not(both))),
    )


def half_turn(of: Energy) -> Prop:
    return ForAll((p, beta), Le(of.pair(p, pi, beta), 0))


#: (cos, sin) of the rotation of the printed witnesses.
ROTATION = (Rational(3, 5), Rational(4, 5))
HALF_TURN = (Whole(-1), Whole(0))
FIRST = (Whole(1), Whole(0))


def fifths(x: int, y: int) -> Point:
    return Rational(x, 5), Rational(y, 5)


def witnesses(of: Energy) -> Prop:
    up = of.at_points((FIRST, fifths(4, 3)), ROTATION, Whole(1))
    down = of.at_points((FIRST, fifths(-4, 3)), ROTATION, Whole(1))
    e = exp(Whole(1))
    fall = Rational(21, 250) * exp(Rational(-48, 25)) / (e + exp(Rational(-24, 25)))
    return And(Eq(up, 3 / (10 * (1 + e))), Eq(down, -fall))


def three_tokens(of: Energy) -> Prop:
    down = of.at_points((FIRST, fifths(4, -3), fifths(3, -4)), ROTATION, Whole(1))
    up = of.at_points((FIRST, fifths(3, -4), fifths(-4, -3)), ROTATION, Whole(1))
    return And(Lt(down, 0), Lt(0, up))


def three_half_turns(of: Energy) -> Prop:
    up = of.at_points((FIRST, FIRST, fifths(3, 4)), HALF_TURN, Whole(1))
    down = of.at_points((FIRST, fifths(3, 4), FIRST), HALF_TURN, Whole(1))
    return And(Lt(0, up), Lt(down, 0))


def near_consensus(of: Energy) -> Prop:
    moved = slope_at(of.formula(n, theta, beta, lambda token: step * xi(token)))
    flat = lambda token: Whole(0)  # noqa: E731
    weight = of.weight(i, k, theta, beta, flat)
    spread = total(k, n, weight * (xi(k) - xi(i))) / of.mass(i, n, theta, beta, flat)
    return ForAll(
        (n, theta, beta),
        Eq(moved, total(i, n, of.pull(i, n, theta, beta, flat) * spread) / n**2),
    )


def steepest(of: Energy) -> Prop:
    """The slope of dE/dt along xi = g / D, with n^2 g_i = pull_i = D_i xi_i."""

    def flat(token: Any) -> Any:
        return Whole(0)

    weight = of.weight(i, k, theta, beta, flat)
    slope = total(i, n, xi(i) * total(k, n, weight * (xi(k) - xi(i))))
    squares = total(i, n, total(k, n, weight * (xi(k) - xi(i)) ** 2))
    balance = Eq(total(i, n, of.pull(i, n, theta, beta, flat)), 0)
    return ForAll((n, theta, beta), And(Eq(slope, -squares / 2), Le(slope, 0), balance))


def largest_energy(of: Energy) -> Prop:
    most = exp(beta) / (2 * beta)
    twisted = of.energy(n, theta, beta, lambda token: p - token * theta)
    return ForAll((n, theta, beta, p), And(Le(of.energy(n, theta, beta), most), Eq(twisted, most)))


ENERGY = Claim(
    id="dynamics.energy",
    title="The interaction energy rises and falls in one and the same system",
    kind="classification",
    stance="corrected",
    reading="Both signs of the derivative are said to occur within one non-trivial system. They do "
    "when the angle is not a multiple of pi, and for three tokens also at pi; for two tokens at "
    "angle pi, a system that is not trivial, the energy never rises.",
    clauses=(
        Clause(
            "any_dimension",
            r"y_i=R^ix_i\in S^{d-1},\ \dot y_i=w_i:\quad \dot E=\frac1{n^2}\sum_{i,j}W_{ij}\langle "
            r"w_i,y_j\rangle,\quad \langle P_xu,g\rangle=\langle P_xu,P_xg\rangle;\quad "
            r"w_i=\frac1{D_i}P_{y_i}R^i\sum_jW_{ij}x_j:\quad \dot E=\frac1{n^2}\sum_i\frac1{D_i}"
            r"\Bigl\langle P_{x_i}\sum_j W_{ij}R^{j-i}x_j,\;P_{x_i}\sum_j W_{ij}x_j\Bigr\rangle",
            any_dimension,
        ),
        Clause(
            "gradient",
            r"\dot E=\frac{1}{2\beta n^2}\sum_{i,j}\frac{\partial e^{s_{ij}}}"
            r"{\partial(\varphi_j-\varphi_i)}(v_j-v_i)=\frac1{n^2}\sum_i v_i\sum_j W_{ij}"
            r"\sin(\varphi_j-\varphi_i+(j-i)\theta)\text{ for all angle velocities }v",
            gradient,
        ),
        Clause(
            "unrotated",
            r"\theta=0,\ v_i=\frac1{D_i}\sum_j W_{ij}\sin(\varphi_j-\varphi_i):\quad "
            r"\dot E=\frac1{n^2}\sum_i v_i\sum_j W_{ij}\sin(\varphi_j-\varphi_i)\ge0",
            unrotated,
        ),
        Clause(
            "pair",
            r"n=2,\ p=\varphi_1-\varphi_0,\ w=e^{\beta\cos(p+\theta)}:\quad "
            r"\dot E=\frac{w^2}{2(e^\beta+w)}\,\sin p\,\sin(p+\theta)",
            pair,
        ),
        Clause(
            "pair_signs",
            r"n=2,\ \sin\theta\ne0:\quad \dot E>0\text{ at }p=\tfrac{\pi-\theta}2,\ "
            r"\dot E<0\text{ at }p=-\tfrac\theta2;\quad \sin\theta=0:\quad "
            r"\text{never }\dot E(p)>0>\dot E(q)",
            pair_signs,
        ),
        Clause("half_turn", r"n=2,\ \theta=\pi:\quad \dot E\le0 \text{ always}", half_turn),
        Clause(
            "witnesses",
            r"\cos\theta=\tfrac35,\ \sin\theta=\tfrac45,\ \beta=1,\ x_0=(1,0):\quad "
            r"x_1=(\tfrac45,\tfrac35)\Rightarrow\dot E=\frac3{10(1+e)},\quad "
            r"x_1=(-\tfrac45,\tfrac35)\Rightarrow\dot E=-\frac{21}{250}"
            r"\frac{e^{-48/25}}{e+e^{-24/25}}",
            witnesses,
        ),
        Clause(
            "three_tokens",
            r"n=3,\ \beta=1,\ (\cos\theta,\sin\theta)=(\tfrac35,\tfrac45),\ x_0=(1,0):\quad "
            r"\dot E<0 \text{ at } x_1=(\tfrac45,-\tfrac35),\ x_2=(\tfrac35,-\tfrac45),\quad "
            r"\dot E>0 \text{ at } x_1=(\tfrac35,-\tfrac45),\ x_2=(-\tfrac45,-\tfrac35)",
            three_tokens,
        ),
        Clause(
            "three_half_turns",
            r"n=3,\ \beta=1,\ \theta=\pi,\ x_0=(1,0):\quad \dot E>0 \text{ at } x_1=x_0,\ "
            r"x_2=(\tfrac35,\tfrac45),\quad \dot E<0 \text{ with the last two exchanged}",
            three_half_turns,
        ),
        Clause(
            "near_consensus",
            r"\varphi=\varepsilon\xi:\quad \frac{d\dot E}{d\varepsilon}\Big|_{\varepsilon=0}="
            r"\frac1{n^2}\sum_i\Bigl(\sum_j W_{ij}\sin((j-i)\theta)\Bigr)"
            r"\Bigl(\sum_j A_{ij}(\xi_j-\xi_i)\Bigr)=g^T(A-I)\xi",
            near_consensus,
        ),
        Clause(
            "steepest",
            r"\xi=D^{-1}g:\quad n^2g^T(A-I)\xi=\sum_i\xi_i\sum_jW_{ij}(\xi_j-\xi_i)="
            r"-\frac12\sum_{i,j}W_{ij}(\xi_j-\xi_i)^2\le0,\quad \sum_ig_i=0",
            steepest,
        ),
        Clause(
            "largest_energy",
            r"E\le\frac{e^\beta}{2\beta},\text{ and } E=\frac{e^\beta}{2\beta}\text{ on the "
            r"twisted branch }\varphi_i=p-i\theta",
            largest_energy,
        ),
    ),
    definitions=Energy(),
    hypotheses=("values are not rotated; no causal mask; beta > 0",),
)
