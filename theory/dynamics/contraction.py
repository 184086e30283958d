r"""Sets that shrink under attention: hemispheres, non-obtuse configurations, arcs of the circle.

Main definitions
----------------
Contraction     the velocities and bounds below; a control replaces one of them
height_speed    how fast the lowest token's height <x_i, v> grows
cosine_speed    how fast the smallest cosine of two tokens grows
arc_speed       how fast the arc that contains all tokens grows
circle_speed    the angle velocity of a token in the plane

Main claims
-----------
dynamics.hemisphere, dynamics.non_obtuse, dynamics.semicircle, dynamics.tail,
dynamics.validated_flow

Conventions
-----------
Weights A are arbitrary non-negative numbers unless the floor a is named: nothing else of the kernel
is used, neither its temperature nor its rotation.  Values are not rotated.  c_ij = <x_i, x_j>;
h_i = <x_i, v> for a fixed unit vector v.  A minimum over tokens moves like the token at which it is
attained.

References
----------
The statements are derived here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Integer as Whole
from sympy import Rational, cos, exp, log, pi, sin

from posproof.theory.symbols import Variable, sequence, total, variables
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

i, j, k, N = variables("i j k N", Int(0))
n = Variable("n", Int(1))
a, m, mu, eta, size, theta, beta = variables("a m mu eta s theta beta", Real)
u, v, D, p, d0 = variables("u v D p D0", Real)
A, B, h, f, g, phi, x, y = (sequence(name) for name in ("A", "B", "h", "f", "g", "phi", "x", "y"))
low, high = variables("l r", Int(0))


def height_speed(weight: Any, height: Any, cosine: Any, lowest: Any) -> Any:
    """What token j adds to the speed of the lowest token: A_ij (h_j - c_ij h_i)."""
    return weight * (height - cosine * lowest)


def cosine_speed(first: Any, second: Any, near: Any, far: Any, m: Any) -> Any:
    """What token k adds to d<x_i, x_j>/dt: A_ik (c_kj - c_ik m) + A_jk (c_ki - c_jk m)."""
    return first * (far - near * m) + second * (near - far * m)


def arc_speed(first: Any, second: Any, above: Any, below: Any) -> Any:
    """What token j adds to the shrinking of the arc: from its upper and from its lower end."""
    return first * sin(above) + second * sin(below)


@dataclass(frozen=True)
class Contraction:
    """The definitions of this topic; a control replaces one of them."""

    height_speed: Callable[..., Any] = height_speed
    cosine_speed: Callable[..., Any] = cosine_speed
    arc_speed: Callable[..., Any] = arc_speed
    cosine_rate: Callable[[Any, Any, Any], Any] = lambda a, m, n: (
        2 * a * (1 - m) * (1 + (n - 1) * m)
    )
    arc_rate: Callable[[Any, Any, Any], Any] = lambda a, D, n: n * a * sin(D)
    product: Callable[[Any, Any], Any] = lambda x, y: x * y
    chord: Callable[[Any], Any] = lambda D: 2 * sin(D / 2)
    tail_cosine: Callable[[Any, Any], Any] = lambda rho, n: (1 - rho) / (1 + (n - 1) * rho)
    pull: Callable[[Any], Any] = sin
    score: Callable[[Any], Any] = cos

    def circle_speed(self, i: Any, n: Any, theta: Any, beta: Any, phi: Callable[[Any], Any]) -> Any:
        """The angle velocity of token i."""
        apart = phi(j) - phi(i)
        weights = exp(beta * self.score(apart + (j - i) * theta))
        return total(j, n, weights * self.pull(apart)) / total(j, n, weights)


OF = Contraction()


def each(index: Any, upper: Any, *facts: Prop) -> Prop:
    """The facts for every index below the upper limit."""
    return ForAll(index, Implies(Lt(index, upper), And(*facts) if len(facts) > 1 else facts[0]))


# ---------------------------------------------------------------------- dynamics.hemisphere
def lowest_rises(of: Contraction) -> Prop:
    tokens = each(j, n, Le(0, A(j)), Le(mu, h(j)), Le(f(j), 1))
    speed = total(j, n, of.height_speed(A(j), h(j), f(j), mu))
    return ForAll((n, mu), Implies(And(Le(0, mu), tokens), Le(0, speed)))


def cosine_of_units(of: Contraction) -> Prop:
    units = And(Eq(total(k, n, x(k) ** 2), 1), Eq(total(k, n, y(k) ** 2), 1))
    product = total(k, n, of.product(x(k), y(k)))
    return ForAll(n, Implies(units, Le(product, 1)))


def layer(of: Contraction) -> Prop:
    tokens = each(j, n, Le(0, A(j)), Le(mu, h(j)))
    lower = And(Le(0, mu), Le(0, eta), Le(mu, m), tokens)
    sums = And(Lt(0, size), Le(size, 1 + eta * total(j, n, A(j))))
    moved = m + eta * total(j, n, of.height_speed(A(j), h(j), Whole(0), mu))
    return ForAll((n, mu, m, eta, size), Implies(And(lower, sums), Le(mu, moved / size)))


def negative_cap(of: Contraction) -> Prop:
    """Two tokens at 110 and -110 degrees, theta = 0, beta = 1, and the direction 0."""
    angle = 11 * pi / 18
    speed = of.circle_speed(0, 2, Whole(0), Whole(1), lambda t: angle * (1 - 2 * t))
    return Lt(-sin(angle) * speed, 0)


HEMISPHERE = Claim(
    id="dynamics.hemisphere",
    title="Hemispheres are invariant, smaller caps too, larger ones are not",
    kind="bound",
    clauses=(
        Clause(
            "lowest_rises",
            r"0\le\mu=h_i\le h_j,\ A_{ij}\ge0,\ c_{ij}\le1:\quad "
            r"\dot h_i=\sum_jA_{ij}(h_j-c_{ij}h_i)\ge0",
            lowest_rises,
        ),
        Clause(
            "cosine_of_units",
            r"|x|=|y|=1\text{ in }\mathbb R^n:\quad\langle x,y\rangle\le1",
            cosine_of_units,
        ),
        Clause(
            "layer",
            r"0\le\mu\le h_i,h_j,\ \eta\ge0,\ 0<s\le1+\eta\sum_jA_{ij}:\quad "
            r"\mu\le\frac1s\Bigl(h_i+\eta\sum_jA_{ij}h_j\Bigr)",
            layer,
        ),
        Clause(
            "negative_cap",
            r"\text{Tokens at }\pm110^\circ,\ \theta=0,\ \beta=1,\ v=(1,0):\quad\dot h_0<0",
            negative_cap,
        ),
    ),
    definitions=OF,
    hypotheses=("values are not rotated; the weights are non-negative",),
)


# ---------------------------------------------------------------------- dynamics.non_obtuse
def smallest_rises(of: Contraction) -> Prop:
    """Tokens 0 and 1 attain the minimum; f(k) = c_0k and g(k) = c_1k, N further tokens."""
    floor = And(Le(0, a), Le(a, A(1)), Le(a, B(0)))
    others = each(k, N, Le(a, A(k + 2)), Le(a, B(k + 2)))
    inside = each(k, N, Le(m, f(k + 2)), Le(f(k + 2), 1), Le(m, g(k + 2)), Le(g(k + 2), 1))
    pair = of.cosine_speed(A(0), B(0), Whole(1), m, m) + of.cosine_speed(A(1), B(1), m, Whole(1), m)
    rest = total(k, N, of.cosine_speed(A(k + 2), B(k + 2), f(k + 2), g(k + 2), m))
    premise = And(Le(0, m), Le(m, 1), floor, others, inside)
    return ForAll((N, a, m), Implies(premise, Le(of.cosine_rate(a, m, N + 2), pair + rest)))


def integrated(of: Contraction) -> Prop:
    """The logarithm of (1 - m) / (1 + (n - 1) m) falls at the rate 2 n a when m moves so."""
    logarithm = log((1 - m) / (1 + (n - 1) * m))
    falls = sympy.diff(logarithm, m) * of.cosine_rate(a, m, n)
    inside = And(Le(0, m), Lt(m, 1))
    return ForAll((n, a, m), Implies(inside, Eq(falls, -2 * n * a)))


def equality(of: Contraction) -> Prop:
    """beta = 0 and all cosines m: every term is what the bound uses."""
    share = 1 / (N + 2)
    pair = of.cosine_speed(share, share, Whole(1), m, m) + of.cosine_speed(
        share, share, m, Whole(1), m
    )
    rest = N * of.cosine_speed(share, share, m, m, m)
    return ForAll((N, m), Eq(of.cosine_rate(share, m, N + 2), pair + rest))


def open_hemisphere(of: Contraction) -> Prop:
    """Unit vectors with cosines -2/5, tokens 0 and 1 at two, N at the third, beta = 0."""
    share, obtuse = 1 / (N + 2), Rational(-2, 5)
    pair = of.cosine_speed(share, share, Whole(1), obtuse, obtuse) + of.cosine_speed(
        share, share, obtuse, Whole(1), obtuse
    )
    speed = pair + N * of.cosine_speed(share, share, obtuse, obtuse, obtuse)
    value = Eq(speed, 2 * (Rational(21, 25) - Rational(14, 25) * N) / (N + 2))
    return ForAll(N, And(value, Implies(Le(2, N), Lt(speed, 0))))


NON_OBTUSE = Claim(
    id="dynamics.non_obtuse",
    title="Pairwise non-obtuse tokens contract, in any dimension",
    kind="bound",
    clauses=(
        Clause(
            "smallest_rises",
            r"0\le m=c_{01}\le c_{0k},c_{1k}\le1,\ A_{ij}\ge a\ge0\ (i\ne j):\quad "
            r"\frac{d}{dt}c_{01}=\sum_kA_{0k}(c_{k1}-c_{0k}m)+A_{1k}(c_{k0}-c_{1k}m)\ge"
            r"2a(1-m)(1+(n-1)m)",
            smallest_rises,
        ),
        Clause(
            "integrated",
            r"\frac{d}{dm}\log\frac{1-m}{1+(n-1)m}\cdot2a(1-m)(1+(n-1)m)=-2na",
            integrated,
        ),
        Clause(
            "equality",
            r"\beta=0,\ \text{all cosines }m,\ a=\tfrac1n:\quad\text{equality}",
            equality,
        ),
        Clause(
            "open_hemisphere",
            r"c=-\tfrac25\text{ for three directions, }N\text{ tokens at the third, }\beta=0:\ "
            r"\dot c_{01}=\frac2{N+2}\Bigl(\frac{21}{25}-\frac{14}{25}N\Bigr)<0\text{ for }N\ge2",
            open_hemisphere,
        ),
    ),
    definitions=OF,
    hypotheses=("values are not rotated; off-diagonal weights are at least a",),
)


# ---------------------------------------------------------------------- dynamics.semicircle
def sines(of: Contraction) -> Prop:
    inside = And(Le(0, u), Le(0, v), Le(u + v, pi))
    return ForAll((u, v), Implies(inside, Le(of.pull(u + v), of.pull(u) + of.pull(v))))


def arc_shrinks(of: Contraction) -> Prop:
    """Tokens l and r are the ends of the arc; A and B are the rows of r and of l."""
    length = phi(high) - phi(low)
    between = each(j, n, Le(phi(low), phi(j)), Le(phi(j), phi(high)))
    floors = each(
        j,
        n,
        Implies(Ne(phi(j), phi(high)), Le(a, A(j))),
        Implies(Ne(phi(j), phi(low)), Le(a, B(j))),
    )
    speed = total(j, n, of.arc_speed(A(j), B(j), phi(high) - phi(j), phi(j) - phi(low)))
    premise = And(Le(0, a), Le(length, pi), between, floors)
    return ForAll((n, low, high, a), Implies(premise, Le(of.arc_rate(a, length, n), speed)))


def half_angle(of: Contraction) -> Prop:
    logarithm = log(sin(D / 2) / cos(D / 2))
    falls = sympy.diff(logarithm, D) * (-of.arc_rate(a, D, n))
    inside = And(Lt(0, D), Lt(D, pi), Ne(sin(D / 2), 0), Ne(cos(D / 2), 0))
    return ForAll((n, a, D), Implies(inside, Eq(falls, -n * a)))


def two_tokens(of: Contraction) -> Prop:
    """The exact flow of two tokens, at distance p."""
    angle = lambda t: t * p  # noqa: E731
    apart = of.circle_speed(1, 2, theta, beta, angle) - of.circle_speed(0, 2, theta, beta, angle)
    value = -2 * sin(p) / (1 + exp(beta * (1 - cos(p + theta))))
    return ForAll((p, theta, beta), Eq(apart, value))


def along_the_flow(of: Contraction) -> Prop:
    return Informal("tan(D(t) / 2) <= exp(-n a t) tan(D(0) / 2) along the flow")


SEMICIRCLE = Claim(
    id="dynamics.semicircle",
    title="Tokens on an open half circle contract: the half-angle bound",
    kind="bound",
    clauses=(
        Clause(
            "sines",
            r"u,v\ge0,\ u+v\le\pi:\quad\sin u+\sin v\ge\sin(u+v)",
            sines,
        ),
        Clause(
            "arc_shrinks",
            r"\varphi_l\le\varphi_j\le\varphi_r,\ D=\varphi_r-\varphi_l\le\pi,\ A_{rj},A_{lj}\ge a:"
            r"\quad-\dot D=\sum_jA_{rj}\sin(\varphi_r-\varphi_j)+A_{lj}\sin(\varphi_j-\varphi_l)"
            r"\ge n\,a\sin D",
            arc_shrinks,
        ),
        Clause(
            "half_angle",
            r"\frac{d}{dD}\log\tan\frac D2\cdot(-na\sin D)=-na",
            half_angle,
        ),
        Clause(
            "two_tokens",
            r"n=2:\quad\dot p=\frac{-2\sin p}{1+e^{\beta(1-\cos(p+\theta))}}",
            two_tokens,
        ),
        Clause(
            "along_the_flow",
            r"\tan\frac{D(t)}2\le e^{-nat}\tan\frac{D_0}2\text{ along the flow, }a=\frac1{1+(n-1)"
            r"e^{2\beta}}",
            along_the_flow,
        ),
    ),
    definitions=OF,
    hypotheses=("values are not rotated; off-diagonal weights are at least a",),
    depends=("dynamics.validated_flow",),
)


# ---------------------------------------------------------------------- dynamics.tail
def ends_move_inwards(of: Contraction) -> Prop:
    """Any non-negative weights A and B, the rows of the highest and of the lowest token."""
    length = phi(high) - phi(low)
    between = each(j, n, Le(phi(low), phi(j)), Le(phi(j), phi(high)))
    weights = each(j, n, Le(0, A(j)), Le(0, B(j)))
    down = total(j, n, A(j) * of.pull(phi(j) - phi(high)))
    up = total(j, n, B(j) * of.pull(phi(j) - phi(low)))
    premise = And(Le(length, pi), between, weights)
    return ForAll((n, low, high), Implies(premise, And(Le(down, 0), Le(0, up))))


def chord(of: Contraction) -> Prop:
    inside = And(Le(0, u), Le(u, D), Le(D, pi))
    return ForAll((u, D), Implies(inside, Le(2 - 2 * cos(u), of.chord(D) ** 2)))


def explicit(of: Contraction) -> Prop:
    """m from (1 - m) <= rho (1 + (n - 1) m)."""
    premise = And(Le(0, v), Le(1 - m, v * (1 + (n - 1) * m)))
    return ForAll((n, m, v), Implies(premise, Le(of.tail_cosine(v, n), m)))


def frozen(of: Contraction) -> Prop:
    """With a causal mask token 0 attends to itself alone, and its sine is that of 0."""
    return ForAll(a, Eq(a * of.pull(phi(0) - phi(0)), 0))


def decoupled(of: Contraction) -> Prop:
    """Two clusters at the ends of the arc that do not attend to each other: it keeps its length."""
    above, below = (
        of.arc_speed(A(0), Whole(0), Whole(0), D),
        of.arc_speed(Whole(0), B(0), D, Whole(0)),
    )
    return ForAll((n, D), Eq(n * above + n * below, 0))


def nested(of: Contraction) -> Prop:
    return Informal("along the flow the arc of a later time lies inside that of an earlier one")


TAIL = Claim(
    id="dynamics.tail",
    title="What is left after time t: nested arcs, however the weights behave",
    kind="bound",
    clauses=(
        Clause(
            "ends_move_inwards",
            r"\varphi_l\le\varphi_j\le\varphi_r,\ \varphi_r-\varphi_l\le\pi,\text{ any }A_{ij}\ge0:"
            r"\quad\dot\varphi_r\le0\le\dot\varphi_l",
            ends_move_inwards,
        ),
        Clause(
            "chord",
            r"0\le u\le D\le\pi:\quad|x-y|^2=2-2\cos u\le\bigl(2\sin\tfrac D2\bigr)^2",
            chord,
        ),
        Clause(
            "explicit",
            r"\rho\ge0,\ 1-m\le\rho\,(1+(n-1)m):\quad m\ge\frac{1-\rho}{1+(n-1)\rho}",
            explicit,
        ),
        Clause(
            "frozen",
            r"\text{causal mask:}\quad\dot\varphi_0=A_{00}\sin(\varphi_0-\varphi_0)=0",
            frozen,
        ),
        Clause(
            "decoupled",
            r"\text{two clusters with weights }0\text{ between them:}\quad\dot D=0",
            decoupled,
        ),
        Clause(
            "nested",
            r"t'\ge t:\quad[\varphi_l(t'),\varphi_r(t')]\subset[\varphi_l(t),\varphi_r(t)]",
            nested,
        ),
    ),
    definitions=OF,
    hypotheses=("tokens in one plane, on a half circle; values are not rotated",),
    depends=("dynamics.semicircle", "dynamics.non_obtuse", "dynamics.validated_flow"),
)


# ---------------------------------------------------------------------- dynamics.validated_flow
def speed_limit(of: Contraction) -> Prop:
    speed = of.circle_speed(i, n, theta, beta, phi)
    return ForAll((n, theta, beta, i), And(Le(-1, speed), Le(speed, 1)))


def oracle(of: Contraction) -> Prop:
    """Along two tokens at beta = 0, tan(p / 2) exp(t) does not move."""
    angle = lambda t: t * p  # noqa: E731
    zero = Whole(0)
    moved = of.circle_speed(1, 2, theta, zero, angle) - of.circle_speed(0, 2, theta, zero, angle)
    tangent = sin(p / 2) / cos(p / 2)
    drift = sympy.diff(tangent, p) * moved + tangent
    return ForAll((p, theta), Implies(Ne(cos(p / 2), 0), Eq(drift, 0)))


def enclosed(of: Contraction) -> Prop:
    return Informal(
        "every ball of the validated integrator contains the solution at its time, and is narrower "
        "than 1e-12"
    )


VALIDATED_FLOW = Claim(
    id="dynamics.validated_flow",
    title="A flow in balls: every output contains the solution",
    kind="bound",
    clauses=(
        Clause(
            "speed_limit",
            r"|\dot\varphi_i|\le1\text{ for all }n,\beta,\theta",
            speed_limit,
        ),
        Clause(
            "oracle",
            r"n=2,\ \beta=0:\quad\frac{d}{dt}\bigl(\tan\tfrac p2\,e^t\bigr)=0",
            oracle,
        ),
        Clause(
            "enclosed",
            r"n=3,\ \theta=\tfrac{2\pi}3,\ \beta=1,\ \varphi(0)=(0,\tfrac65,\tfrac{29}{10}):\quad "
            r"\varphi(t+h)\in\sum_{k\le p}c_k(\varphi(t))h^k+c_{p+1}(B)h^{p+1},\text{ each ball "
            r"narrower than }10^{-12}",
            enclosed,
        ),
    ),
    definitions=OF,
    hypotheses=("values are not rotated; no causal mask; tokens in one plane",),
)
