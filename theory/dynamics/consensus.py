r"""Consensus: all tokens agree, and what a small disagreement does.

Main definitions
----------------
Consensus       scores, turns and projection; a control replaces one of them
velocity        both coordinates, in one plane, of the velocity of a token in any dimension
kernel_weight   exp(beta sum_c e_c cos((j - i) theta_c)), the weight when all tokens agree
Allocation      two planes that share the energy, and the gap as a function of the share

Main claims
-----------
dynamics.consensus, dynamics.frequency_allocation

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

import sympy
from sympy import Integer as Whole
from sympy import Rational, cos, exp, pi, sin

from posproof.theory.dynamics import kernel
from posproof.theory.dynamics.energy import slope_at, step
from posproof.theory.dynamics.kernel import W
from posproof.theory.dynamics.spectrum import phase, ring_eigenvalue
from posproof.theory.symbols import sequence, total, variables
from posproof.theory.vocabulary import (
    And,
    Claim,
    Clause,
    Eq,
    ForAll,
    Iff,
    Implies,
    Informal,
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
    depends=("dynamics.spectral_bound", "dynamics.reversible"),
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


# ---------------------------------------------------------------------- frequency_allocation
first, second = variables("e f", Real)  # energies of the first plane
lesser, greater = variables("u v", Positive)
root = exp(warm / 2)
third = exp(warm / 3)


@dataclass(frozen=True)
class Allocation(Consensus):
    """The definitions of `dynamics.frequency_allocation`; a control replaces one of them.

    The first plane holds the energy `share`, the second the rest; `angles` are theirs.
    """

    angles: tuple[Any, Any] = (pi / 2, pi)
    best: Any = Rational(2, 3)
    rest: Callable[[Any], Any] = lambda share: 1 - share
    falls: Callable[..., Any] = lambda E, a, b: E * (b - 2 * a) - 3 * a * b
    tribonacci: Callable[[Any], Any] = lambda u: u**3 - u**2 - u - 1
    crossing: Callable[[Any], Any] = lambda u: u**4 - 2 * u**3 - u - 1
    phase: Callable[[Any, Any, Any], Any] = phase

    def shared(self, gap: Any, share: Any, beta: Any = warm) -> Any:
        """The weight of a token `gap` positions ahead."""
        one, two = (cos(self.key_turn(gap, angle)) for angle in self.angles)
        return exp(self.score(beta, share * one + self.rest(share) * two))

    def pure(self, gap: Any, angle: Any) -> Any:
        """The weight when one plane holds all energy."""
        return exp(self.score(warm, cos(self.key_turn(gap, angle))))

    def values(self, share: Any) -> tuple[Any, Any, Any, Any]:
        """E, a, b and Z of four tokens."""
        E, b, a, last = (self.shared(gap, share) for gap in range(4))
        return E, a, b, E + a + b + last

    def slow(self, share: Any) -> Any:
        """1 - lambda_1, which is the gap for share >= 2/3."""
        E, a, _, Z = self.values(share)
        return 1 - (E - a) / Z

    def fast(self, share: Any) -> Any:
        """1 - lambda_2, which is the gap for share <= 2/3."""
        E, a, b, Z = self.values(share)
        return 1 - (E + a - 2 * b) / Z

    def eigenvalue(self, q: Any, n: Any) -> Any:
        """lambda_q of the ring with p = 1 and one plane, at beta > 0."""
        return ring_eigenvalue(self.phase, q, n, warm)


SHARED = Allocation()


def four_modes(of: Allocation) -> Prop:
    """The waves of period 4 and 2 on four tokens; D_i times the eigenvector equation."""
    E, a, b, Z = of.values(first)

    def mode(wave: Callable[[int], int], value: Any) -> list[Prop]:
        rows = (sum(of.shared(t - s, first) * wave(t) for t in range(4)) for s in range(4))
        return [Eq(row, value * wave(s)) for s, row in enumerate(rows)]

    waves = (
        (lambda t: 1, Z),
        (lambda t: (1, 0, -1, 0)[t], E - a),
        (lambda t: (0, 1, 0, -1)[t], E - a),
        (lambda t: (-1) ** t, E + a - 2 * b),
    )
    return ForAll((first, warm), And(*(eq for wave, value in waves for eq in mode(wave, value))))


def kink(of: Allocation) -> Prop:
    E, a, b, Z = of.values(first)
    apart = Eq(of.fast(first) - of.slow(first), -2 * (a - b) / Z)
    same = Iff(Eq(of.fast(first), of.slow(first)), Eq(first, of.best))
    order = Iff(Lt(of.fast(first), of.slow(first)), Lt(first, of.best))
    return ForAll((first, warm), And(apart, same, order))


def slopes(of: Allocation) -> Prop:
    E, a, b, Z = of.values(first)
    up = 4 * warm * b * (E + 3 * a) / Z**2
    down = 2 * warm * of.falls(E, a, b) / Z**2
    last = of.values(of.best)
    return ForAll(
        (first, warm),
        And(
            Eq(sympy.diff(of.fast(first), first), up),
            Lt(0, up),
            Eq(sympy.diff(of.slow(first), first), down),
            Eq(down.subs(first, of.best), -2 * warm * last[2] / (last[0] + 3 * last[2])),
        ),
    )


def interior_maximum(of: Allocation) -> Prop:
    """Below 2/3 for every share, above it while exp(beta (e - 2/3)) is at most golden."""
    peak = of.fast(of.best)
    rises = Implies(Lt(first, second), Lt(of.fast(first), of.fast(second)))
    ratio = exp(warm * (first - of.best))
    near = And(Lt(of.best, first), Le(ratio**2, ratio + 1))
    falls = Implies(near, Lt(of.slow(first), peak))
    return ForAll((first, second, warm), And(Eq(peak, of.slow(of.best)), rises, falls))


def endpoints(of: Allocation) -> Prop:
    values = And(
        Eq(of.fast(Whole(0)), 2 / (exp(2 * warm) + 1)),
        Eq(of.fast(of.best), 4 / (exp(4 * warm / 3) + 3)),
        Eq(of.slow(Whole(1)), 2 / (exp(warm) + 1)),
    )
    wins = Iff(Lt(of.slow(Whole(1)), of.fast(of.best)), Lt(of.tribonacci(third), 0))
    return ForAll(warm, And(values, wins))


def far_side(of: Allocation) -> Prop:
    """The sign of the slope beyond 2/3 is that of F(e) - 3, F(e) = E/a - 2 E/b."""

    def level(share: Any) -> Any:
        E, a, b, _ = of.values(share)
        return E / a - 2 * E / b

    E, a, b, _ = of.values(first)
    sign = Eq(of.falls(E, a, b), a * b * (level(first) - 3))
    grows = Implies(Lt(first, second), Lt(level(first), level(second)))
    start = Lt(level(of.best), 3)
    end = Iff(Lt(3, level(Whole(1))), Lt(3, exp(warm)))
    return ForAll((first, second, warm), And(sign, grows, start, end))


def three_tokens(of: Allocation) -> Prop:
    """The antisymmetric and the symmetric mode at pi/2, both modes at 2 pi/3."""
    E = exp(warm)

    def rows(angle: Any, wave: tuple[Any, Any, Any]) -> list[tuple[Any, Any]]:
        found = []
        for s in range(3):
            weights = [of.pure(t - s, angle) for t in range(3)]
            image = sum(w * x for w, x in zip(weights, wave, strict=True))
            found.append((image / sum(weights), wave[s]))
        return found

    def eigen(angle: Any, wave: tuple[Any, Any, Any], value: Any) -> list[Prop]:
        return [Eq(image, value * at) for image, at in rows(angle, wave)]

    D = E + 1 + 1 / E
    odd = (root**4 - 1) / (root**4 + root**2 + 1)
    even = 1 - 1 / D - 2 / (E + 2)
    third = (root**3 - 1) / (root**3 + 2)
    modes = (
        *eigen(pi / 2, (Whole(1), Whole(0), Whole(-1)), odd),
        *eigen(pi / 2, (Whole(1), -2 * D / (E + 2), Whole(1)), even),
        *eigen(2 * pi / 3, (Whole(1), Whole(0), Whole(-1)), third),
        *eigen(2 * pi / 3, (Whole(1), Whole(-2), Whole(1)), third),
    )
    return ForAll(warm, And(*modes, Lt(even, odd)))


#: The first ten digits after the point of the u > 1 at which the order flips, and of beta / 3 for
#: which the gap at 2/3 and at 1 agree.
FLIP, TRIBONACCI = 22774523904, 18281335903


def flip(of: Allocation) -> Prop:
    """gap(pi/2) - gap(2 pi/3) of three tokens, and the one sign change of its numerator."""
    quarter = 1 - (root**4 - 1) / (root**4 + root**2 + 1)
    third = 3 / (root**3 + 2)
    whole = (root**4 + root**2 + 1) * (root**3 + 2)
    value = Eq((quarter - third) * whole, (root - 1) * of.crossing(root))
    once = Implies(
        Lt(lesser, greater),
        Lt(greater**3 * of.crossing(lesser), lesser**3 * of.crossing(greater)),
    )
    low, high = (Rational(digits, 10**10) for digits in (FLIP, FLIP + 1))
    place = And(Lt(of.crossing(low), 0), Lt(0, of.crossing(high)))
    return And(ForAll(warm, value), ForAll((lesser, greater), once), place)


def threshold(of: Allocation) -> Prop:
    low, high = (Rational(digits, 10**10) for digits in (TRIBONACCI, TRIBONACCI + 1))
    return And(
        Lt(of.tribonacci(exp(low / 3)), 0),
        Lt(0, of.tribonacci(exp(high / 3))),
    )


def doubling(of: Allocation) -> Prop:
    return ForAll((n, warm), Lt(of.eigenvalue(1, 2 * n), of.eigenvalue(1, n)))


def first_order(of: Allocation) -> Prop:
    """d A_ij / d beta at beta = 0; S_ij = sum_c e_c cos((j - i) theta_c)."""

    def inner(t: Any) -> Any:
        return total(c, m, e(c) * cos(of.key_turn(t - i, theta(c))))

    entry = exp(of.score(step, inner(l))) / total(j, n, exp(of.score(step, inner(j))))
    slope = (inner(l) - total(j, n, inner(j)) / n) / n
    return ForAll((n, m, i, l), Eq(slope_at(entry), slope))


def concave(of: Allocation) -> Prop:
    """x^T S x is linear in the energies, so its largest value over unit vectors is convex."""

    def form(energy: Callable[[Any], Any]) -> Any:
        waves = total(c, m, energy(c) * cos(of.key_turn(j - i, theta(c))))
        return total(i, n, total(j, n, waves * x(i) * x(j)))

    mixed = form(lambda c: share * e(c) + of.rest(share) * z(c))
    return ForAll((n, m, share), Eq(mixed, share * form(e) + (1 - share) * form(z)))


def two_tokens(of: Allocation) -> Prop:
    """(1, -1) is an eigenvector; the gap grows with the weight of the other token."""
    E = exp(warm)
    gap = lambda w: 1 - (E - w) / (E + w)  # noqa: E731
    value = Eq(gap(lesser), 2 * lesser / (E + lesser))
    grows = Implies(Lt(lesser, greater), Lt(gap(lesser), gap(greater)))
    w = of.shared(1, first)
    back = of.shared(-1, first)
    eigen = Eq(E - w, (1 - gap(w)) * (E + w))
    return ForAll((warm, first, lesser, greater), And(Eq(w, back), eigen, value, grows))


NOT_RESONANT = Informal(
    "n = 6, beta = 2, theta = (1, 2) radians: the gap at e_1 = 1/2 is larger than at e_1 = 0 and "
    "at e_1 = 1."
)
EXPANSION = Informal(
    "gap = 1 - (beta/n) M + O(beta^2), M the largest eigenvalue of H (sum of e_c C_c) H with "
    "(C_c)_ij = cos((j - i) theta_c) and H the projection to sum 0."
)


FREQUENCY_ALLOCATION = Claim(
    id="dynamics.frequency_allocation",
    title="No frequency is best: the gap peaks at a mixture and orderings flip",
    kind="counterexample",
    definitions=SHARED,
    depends=("dynamics.consensus", "dynamics.bessel_spectrum"),
    hypotheses=(
        "the kernel of `dynamics.consensus`; gap $= 1 - \\lambda_2(A)$, $\\beta > 0$",
        "four tokens: $\\theta_1 = \\tfrac\\pi2$ with energy $e$, $\\theta_2 = \\pi$ with "
        "$1 - e$; $E = e^\\beta$, $a = e^{\\beta(1-2e)}$, $b = e^{-\\beta(1-e)}$, "
        "$Z = E + a + 2b$",
    ),
    clauses=(
        Clause(
            "four_modes",
            r"n = 4: \quad ZA \text{ has the eigenvalues } Z,\ E - a \text{ (twice)},\ "
            r"E + a - 2b \text{ at } (1,1,1,1),\ (1,0,-1,0),\ (0,1,0,-1),\ (1,-1,1,-1)",
            four_modes,
        ),
        Clause(
            "kink",
            r"\lambda_1 - \lambda_2 = \frac{-2(a-b)}{Z};\quad \lambda_1 = \lambda_2 \iff "
            r"e = \tfrac23,\quad \lambda_1 < \lambda_2 \iff e < \tfrac23",
            kink,
        ),
        Clause(
            "slopes",
            r"\frac{d(1-\lambda_2)}{de} = \frac{4\beta b(E+3a)}{Z^2} > 0,\quad "
            r"\frac{d(1-\lambda_1)}{de} = \frac{2\beta(E(b-2a)-3ab)}{Z^2},\quad "
            r"\text{at } e = \tfrac23:\ \frac{-2\beta b}{E+3b}",
            slopes,
        ),
        Clause(
            "interior_maximum",
            r"\text{gap}(\tfrac23) > \text{gap}(e) \text{ for } e < \tfrac23 \text{ (}1-\lambda_2"
            r"\text{ rises everywhere) and for } \tfrac23 < e \le \tfrac23 + "
            r"\tfrac1\beta\ln\tfrac{1+\sqrt5}{2}",
            interior_maximum,
        ),
        Clause(
            "endpoints",
            r"\text{gap}(0) = \tfrac{2}{e^{2\beta}+1},\ \text{gap}(\tfrac23) = "
            r"\tfrac{4}{e^{4\beta/3}+3},\ \text{gap}(1) = \tfrac{2}{e^\beta+1};\quad "
            r"\text{gap}(\tfrac23) > \text{gap}(1) \iff u^3-u^2-u-1 < 0,\ u = e^{\beta/3}",
            endpoints,
        ),
        Clause(
            "threshold",
            r"u^3-u^2-u-1 < 0 \text{ at } \beta = 1.8281335903, \text{ and } > 0 "
            r"\text{ at } \beta = 1.8281335904",
            threshold,
        ),
        Clause(
            "far_side",
            r"E(b-2a)-3ab = ab(F(e) - 3),\quad F(e) = e^{2\beta e} - 2e^{\beta(2-e)} "
            r"\text{ rises},\quad F(\tfrac23) < 3,\quad F(1) > 3 \iff \beta > \ln3",
            far_side,
        ),
        Clause(
            "not_resonant",
            r"n = 6,\ \beta = 2,\ \theta = (1, 2): \quad \text{gap}(\tfrac12) > "
            r"\max(\text{gap}(0), \text{gap}(1))",
            lambda of: NOT_RESONANT,
        ),
        Clause(
            "three_tokens",
            r"n = 3,\ u = e^{\beta/2}: \quad \text{gap}(\tfrac{2\pi}3) = \frac{3}{u^3+2},\quad "
            r"\text{gap}(\tfrac\pi2) = 1 - \frac{u^4-1}{u^4+u^2+1}",
            three_tokens,
        ),
        Clause(
            "flip",
            r"\text{gap}(\tfrac\pi2) - \text{gap}(\tfrac{2\pi}3) = \frac{(u-1)P(u)}"
            r"{(u^4+u^2+1)(u^3+2)},\quad P(u) = u^4-2u^3-u-1,\quad "
            r"P(u)/u^3 \text{ rises},\quad P(2.2774523904) < 0 < P(2.2774523905)",
            flip,
        ),
        Clause(
            "doubling",
            r"\lambda_1^{(2n')} < \lambda_1^{(n')}: \text{ the gap of a ring with } p = 1 "
            r"\text{ grows when } n' \text{ doubles}",
            doubling,
        ),
        Clause(
            "first_order",
            r"\frac{dA_{il}}{d\beta}\Big|_{\beta=0} = \frac1n\Bigl(S_{il} - "
            r"\frac1n\sum_jS_{ij}\Bigr),\quad S_{ij} = \sum_ce_c\cos((j-i)\theta_c)",
            first_order,
        ),
        Clause(
            "expansion",
            r"\text{gap} = 1 - \frac\beta n\lambda_{\max}(HSH) + O(\beta^2),\quad "
            r"H = I - \tfrac1n\mathbf1\mathbf1^T",
            lambda of: EXPANSION,
        ),
        Clause(
            "concave",
            r"x^TS(te + (1-t)f)x = t\,x^TS(e)x + (1-t)\,x^TS(f)x: \text{ to first order the gap "
            r"is concave in the allocation}",
            concave,
        ),
        Clause(
            "two_tokens",
            r"n = 2: \quad \text{gap} = \frac{2w}{e^\beta + w},\ w = e^{\beta\sum_c"
            r"e_c\cos\theta_c}, \text{ which rises with } w",
            two_tokens,
        ),
    ),
)
