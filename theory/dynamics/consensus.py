r"""Consensus: all tokens agree, and what a small disagreement does.

Main definitions
----------------
Consensus       scores, turns and projection; a control replaces one of them
velocity        both coordinates, in one plane, of the velocity of a token in any dimension
kernel_weight   exp(beta sum_c e_c cos((j - i) theta_c)), the weight when all tokens agree

Main claims
-----------
dynamics.consensus

Conventions
-----------
n tokens on a unit sphere.  In R^(2 m) plane c < m of token t holds two coordinates, turned by
theta_c (radians) per position; at consensus they are (a(c), b(c)) for every token, and
e_c = a(c)^2 + b(c)^2 is the energy of plane c.  A coordinate that is not rotated is half of a plane
with angle 0.  In R^d, where the rotation plays no part, coordinate c of the perturbation of token t
is xi(d t + c).  A weight matrix W is stored row-major: W_ij is W(n i + j).

References
----------
The statements are derived here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sympy import cos, exp, sin

from posproof.theory.dynamics import kernel
from posproof.theory.dynamics.energy import slope_at, step
from posproof.theory.dynamics.kernel import W
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
    Positive,
    Prop,
    Real,
)

i, j, k, c, l = variables("i j k c l", Int(0))  # noqa: E741
n, m, d = variables("n m d", Int(1))
beta, turn, psi, share = variables("beta vartheta psi s", Real)
(warm,) = variables("beta", Positive)
a, b, theta, e, x, xi, z = (sequence(name) for name in ("a", "b", "theta", "e", "x", "xi", "z"))
w = sequence("w", Positive)

Point = tuple[Any, Any]
Token = Callable[[Any, Any], Point]


def turned(point: Point, angle: Any) -> Point:
    """A point of the plane rotated by an angle in radians."""
    x, y = point
    return x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle)


def agreed(token: Any, plane: Any) -> Point:
    """Every token is the same."""
    return a(plane), b(plane)


def below(index: Any, body: Prop) -> Prop:
    """The statement for every index < n."""
    return ForAll(index, Implies(Lt(index, n), body))


@dataclass(frozen=True)
class Consensus:
    """The definitions of this topic; a control replaces one of them."""

    score: Callable[[Any, Any], Any] = lambda beta, inner: beta * inner
    turned: Callable[[Point, Any], Point] = turned
    key_turn: Callable[[Any, Any], Any] = lambda gap, theta: gap * theta
    value_turn: Callable[[Any, Any], Any] = lambda gap, theta: 0 * theta
    energy: Callable[[Any, Any], Any] = lambda x, y: x**2 + y**2
    radial: Callable[[Any, Any], Any] = lambda inner, x: inner * x
    change: Callable[[Any, Any], Any] = lambda there, here: there - here
    cooled: Callable[[Any, Any], Any] = lambda beta, share: (1 - share) * beta
    floor: Callable[[Any, Any], Any] = kernel.floor

    def inner(self, i: Any, j: Any, token: Token) -> Any:
        """<x_i, R^(j - i) x_j>."""
        (p, q), (r, s) = token(i, c), self.turned(token(j, c), self.key_turn(j - i, theta(c)))
        return total(c, m, p * r + q * s)

    def weight(self, i: Any, j: Any, token: Token) -> Any:
        return exp(self.score(beta, self.inner(i, j, token)))

    def drawn(self, i: Any, plane: Any, token: Token) -> Point:
        """The weighted mean of the values that token i sees, in one plane."""
        value = self.turned(token(j, plane), self.value_turn(j - i, theta(plane)))
        weight = self.weight(i, j, token)
        first, second = (total(j, n, weight * part) / total(j, n, weight) for part in value)
        return first, second

    def velocity(self, i: Any, plane: Any, token: Token) -> Point:
        """P_(x_i) of the mean, in one plane."""
        (p, q), (r, s) = token(i, c), self.drawn(i, c, token)
        along = total(c, m, p * r) + total(c, m, q * s)
        here, there = token(i, plane), self.drawn(i, plane, token)
        return there[0] - self.radial(along, here[0]), there[1] - self.radial(along, here[1])

    def kernel_weight(self, i: Any, j: Any, beta: Any = beta) -> Any:
        """The weight at consensus, from the energies of the planes alone."""
        waves = total(c, m, e(c) * cos(self.key_turn(j - i, theta(c))))
        return exp(self.score(beta, waves))


OF = Consensus()


# ---------------------------------------------------------------------- dynamics.consensus
def energies(of: Consensus) -> Prop:
    """Rotated queries and keys, and the query against the key turned by the offset."""
    (p, q), (r, s) = (of.turned(agreed(t, c), of.key_turn(t, theta(c))) for t in (i, j))
    waves = total(c, m, of.energy(a(c), b(c)) * cos((j - i) * theta(c)))
    both = And(Eq(total(c, m, p * r + q * s), waves), Eq(of.inner(i, j, agreed), waves))
    return ForAll((m, i, j), both)


def equilibrium(of: Consensus) -> Prop:
    unit = Eq(total(c, m, of.energy(a(c), b(c))), 1)
    first, second = of.velocity(i, k, agreed)
    still = And(Eq(first, 0), Eq(second, 0))
    return ForAll((n, m, i, k, beta), Implies(unit, still))


def plane(of: Consensus) -> Prop:
    """Tokens in one plane at the angles psi + step xi_t; the derivative along xi."""

    def moved(t: Any) -> Any:
        return psi + step * xi(t)

    apart = moved(j) - moved(i)
    weight = exp(of.score(beta, cos(apart + of.key_turn(j - i, turn))))
    pulled = sin(apart + of.value_turn(j - i, turn))
    field = total(j, n, weight * pulled) / total(j, n, weight)
    here = exp(of.score(beta, cos((j - i) * turn)))
    image = total(j, n, here * of.change(xi(j), xi(i))) / total(j, n, here)
    return ForAll((n, i, beta, turn, psi), Eq(slope_at(field), image))


def linearisation(of: Consensus) -> Prop:
    """Coordinate k of P_(x_i) of the mean, for tokens a + step xi_t and weights w + step z."""

    def token(t: Any, coordinate: Any) -> Any:
        return a(coordinate) + step * xi(d * t + coordinate)

    def mean(coordinate: Any) -> Any:
        weight = w(j) + step * z(j)
        return total(j, n, weight * token(j, coordinate)) / total(j, n, weight)

    along = total(c, d, token(i, c) * mean(c))
    moved = slope_at(mean(k) - of.radial(along, token(i, k)))
    image = total(j, n, w(j) * of.change(xi(d * j + k), xi(d * i + k))) / total(j, n, w(j))
    unit = Eq(total(c, d, a(c) ** 2), 1)
    tangent = below(l, Eq(total(c, d, a(c) * xi(d * l + c)), 0))
    return ForAll((n, d, i, k), Implies(And(unit, Lt(i, n), tangent), Eq(moved, image)))


def tangent(of: Consensus) -> Prop:
    """Row i of D (A - I) applied to a constant, and to any x."""

    def row(value: Callable[[Any], Any]) -> Any:
        return total(j, n, of.kernel_weight(i, j) * of.change(value(j), value(i)))

    still = below(i, Eq(row(x), 0))
    same = below(i, below(j, Eq(x(i), x(j))))
    constant = ForAll((i, psi), Eq(row(lambda t: psi), 0))
    return ForAll((n, m, beta), And(constant, Implies(still, same)))


def unrotated(of: Consensus) -> Prop:
    """A block of energy s that is not rotated, and rotated planes of energies (1 - s) e_c."""

    def waves(t: Any) -> Any:
        return total(c, m, e(c) * cos(of.key_turn(t - i, theta(c))))

    def whole(t: Any) -> Any:
        return share + (1 - share) * waves(t)

    def entry(inner: Callable[[Any], Any], at: Any) -> Any:
        return exp(of.score(at, inner(l))) / total(j, n, exp(of.score(at, inner(j))))

    scaled = Eq(entry(whole, beta), entry(waves, of.cooled(beta, share)))
    flat = Implies(Eq(share, 1), Eq(entry(whole, beta), 1 / n))
    return ForAll((n, m, i, l, beta, share), And(scaled, flat))


def gap(of: Consensus) -> Prop:
    """The eigenvalue mu + 1j nu of v + 1j w, whose entries p and q differ most."""
    tokens, row, column = kernel.n, kernel.i, kernel.j
    stored = Eq(W(tokens * row + column), of.kernel_weight(row, column, warm))
    weights = kernel.below(row, kernel.below(column, stored))
    split = And(ForAll(c, Implies(Lt(c, m), Le(0, e(c)))), Eq(total(c, m, e(c)), 1))
    given = And(weights, split, kernel.eigenvector(W), kernel.farthest())
    bound = Le(kernel.mu**2 + kernel.nu**2, (1 - tokens * of.floor(tokens, warm)) ** 2)
    names = (tokens, m, kernel.p, kernel.q, warm, kernel.mu, kernel.nu)
    return ForAll(names, Implies(given, bound))


CONSENSUS = Claim(
    id="dynamics.consensus",
    title="Every consensus state attracts, at the rates of a Markov generator",
    kind="identity",
    stance="corrected",
    reading="The transverse linearisation is called a reversible Markov operator. It is the "
    "generator A - I of one: the rates are 1 minus the eigenvalues of A.",
    definitions=OF,
    depends=("dynamics.spectral_bound",),
    hypotheses=(
        "values are not rotated; no causal mask",
        "$x_i' = P_{x_i}\\sum_jA_{ij}x_j$, $P_xv = v - \\langle x, v\\rangle x$; "
        "$e_c$ is the squared length of $x^*$ in plane $c$",
    ),
    clauses=(
        Clause(
            "energies",
            r"x_i = x_j = x^*: \quad \langle R^ix_i, R^jx_j\rangle = "
            r"\langle x_i, R^{j-i}x_j\rangle = \sum_ce_c\cos((j-i)\theta_c)",
            energies,
        ),
        Clause(
            "equilibrium",
            r"\text{all } x_i = x^*,\ |x^*| = 1: \quad P_{x_i}\sum_jA_{ij}x_j = 0",
            equilibrium,
        ),
        Clause(
            "plane",
            r"\varphi_t = \psi + \epsilon\xi_t: \quad \frac{d}{d\epsilon}\Big|_0"
            r"\sum_jA_{ij}\sin(\varphi_j - \varphi_i) = ((A - I)\xi)_i,\quad "
            r"A_{ij} \propto e^{\beta\cos((j-i)\vartheta)}",
            plane,
        ),
        Clause(
            "linearisation",
            r"x_t = x^* + \epsilon\xi_t,\ \xi_t \perp x^* \text{ in } \mathbb{R}^d,\ "
            r"A_{ij} \propto w_j + \epsilon z_j \text{ for any } w_j > 0 \text{ and } z_j: \quad "
            r"\frac{d}{d\epsilon}\Big|_0P_{x_i}\sum_jA_{ij}x_j = "
            r"\frac{\sum_jw_j(\xi_j - \xi_i)}{\sum_jw_j}",
            linearisation,
        ),
        Clause(
            "tangent",
            r"(A - I)x = 0 \iff x_i = x_j \text{ for all } i, j < n",
            tangent,
        ),
        Clause(
            "unrotated",
            r"\text{a share } s \text{ of the energy not rotated: the kernel is that of the "
            r"rotated rest at } (1-s)\beta;\quad s = 1 \implies A_{ij} = \tfrac1n",
            unrotated,
        ),
        Clause(
            "gap",
            r"\beta > 0,\ e_c \ge 0,\ \sum_ce_c = 1: \quad A\zeta = \lambda\zeta,\ "
            r"\zeta \text{ not constant} \implies |\lambda| \le 1 - n\,a(n, \beta),\quad "
            r"a(n, \beta) = \frac{1}{1 + (n-1)e^{2\beta}}",
            gap,
        ),
    ),
)
