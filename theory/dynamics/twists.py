r"""Equilibria that are not consensus: twisted rings, the score-flattening branch, antipodal states.

Main definitions
----------------
Twists        score, phases and stability rule; a control replaces one of them
field         the angle velocity of a token
linearised    the derivative of the field along a perturbation of all angles
coefficient   c_r of the circulant linearisation on a twisted state
rate          mu_m, its eigenvalue at mode m
stable_rule   which twisted states are stable for large beta, by integers alone

Main claims
-----------
dynamics.twisted_branch, dynamics.odd_antipodal, dynamics.stable_twists

Conventions
-----------
n tokens in the plane, x_i = (cos phi_i, sin phi_i); s_ij = beta cos(phi_j - phi_i + (j - i) theta)
and phi_i' = sum_j A_ij sin(phi_j - phi_i).  On a resonant ring theta = 2 pi p / n; the q-twisted
state is phi_i = 2 pi q i / n + const.  Mode m = 0 is the common rotation.

References
----------
The statements are derived here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import Any

import sympy
from sympy import Integer as Whole
from sympy import Rational, cos, exp, pi, sin

from posproof.theory.dynamics.energy import score, slope_at, step
from posproof.theory.symbols import Variable, sequence, total, variables
from posproof.theory.vocabulary import (
    And,
    Claim,
    Clause,
    Eq,
    Exists,
    Finite,
    ForAll,
    Iff,
    Implies,
    Informal,
    Int,
    Integer,
    Le,
    Lt,
    Ne,
    Not,
    Or,
    Positive,
    Prop,
    Real,
)

i, j, r, c = variables("i j r c", Int(0))
n, k, d = variables("n k d", Int(1))
p, q, m, l, t = variables("p q m l t", Integer)  # noqa: E741
theta, lam, shift = variables("theta lambda phi0", Real)
(beta,) = variables("beta", Positive)
xi, x, a, w, weight = (sequence(name) for name in ("xi", "x", "a", "w", "A"))
e = sequence("e", Integer)

Sequence = Callable[[Any], Any]


def phase(q: Any, r: Any, n: Any) -> Any:
    """2 pi q r / n."""
    return 2 * pi * q * r / n


def coefficient(beta: Any, turn: Any, gap: Any) -> Any:
    """c_r without its weight: `turn` is 2 pi q r / n, `gap` is 2 pi (p + q) r / n."""
    return cos(turn) - beta * sin(turn) * sin(gap)


def stable_rule(n: int, p: int, q: int) -> bool:
    """Whether the q-twisted state of the ring theta = 2 pi p / n is stable for large beta."""
    if q % n == 0:
        return True
    h = gcd(p + q, n)
    if h > 1:
        return q % h == 0 and stable_rule(n // h, p // h, q // h)
    return n > 2 and 2 * (q * pow(p + q, -1, n) % n) > n


@dataclass(frozen=True)
class Twists:
    """The definitions of this topic; a control replaces one of them."""

    score: Callable[[Any, Any], Any] = score
    phase: Callable[[Any, Any, Any], Any] = phase
    coefficient: Callable[[Any, Any, Any], Any] = coefficient
    stable_rule: Callable[[int, int, int], bool] = stable_rule
    value_turn: Callable[[Any], Any] = lambda theta: Whole(0)
    size: Callable[[Any], Any] = lambda k: 2 * k + 1
    pull: Callable[[Any], Any] = cos
    branch_turn: Callable[[Any, Any], Any] = lambda i, theta: -i * theta
    project: Callable[[Any, Any], Any] = lambda value, along: value - along

    # ------------------------------------------------------------------ any angles
    def field(self, i: Any, n: Any, theta: Any, beta: Any, phi: Sequence) -> Any:
        """The angle velocity of token i."""
        apart = phi(j) - phi(i)
        weights = exp(self.score(beta, apart + (j - i) * theta))
        pulled = total(j, n, weights * sin(apart + (j - i) * self.value_turn(theta)))
        return pulled / total(j, n, weights)

    def linearised(self, i: Any, n: Any, theta: Any, beta: Any, phi: Sequence) -> Any:
        """The derivative of the field of token i along xi."""
        return slope_at(self.field(i, n, theta, beta, lambda t: phi(t) + step * xi(t)))

    # ------------------------------------------------------------------ odd antipodal states
    def jacobian(self, i: Any, n: Any, theta: Any, x: Sequence) -> Any:
        """(J x)_i with J = (C - diag(C 1)) / n, C_ij = cos((i - j) theta)."""
        return total(j, n, self.pull((i - j) * theta) * (x(j) - x(i))) / n

    def entry(self, row: int, column: int, n: int, theta: Any) -> Any:
        """J as a matrix."""
        off = self.pull((row - column) * theta) / Whole(n)
        if row != column:
            return off
        return off - sum(self.pull((row - other) * theta) for other in range(n)) / Whole(n)

    # ------------------------------------------------------------------ twisted rings
    def ring_weight(self, p: Any, q: Any, r: Any, n: Any, beta: Any) -> Any:
        """The unnormalised weight r positions ahead on the q-twisted state."""
        return exp(self.score(beta, self.phase(p + q, r, n)))

    def slope(self, p: Any, q: Any, r: Any, n: Any, beta: Any) -> Any:
        """w_r c_r, unnormalised."""
        factor = self.coefficient(beta, self.phase(q, r, n), self.phase(p + q, r, n))
        return self.ring_weight(p, q, r, n, beta) * factor

    def mass(self, p: Any, q: Any, n: Any, beta: Any) -> Any:
        return total(r, n, self.ring_weight(p, q, r, n, beta))

    def growth(self, p: Any, q: Any, m: Any, n: Any, beta: Any) -> Any:
        """mu_m times the sum of the weights."""
        return total(r, n, self.slope(p, q, r, n, beta) * (cos(self.phase(m, r, n)) - 1))

    def rate(self, p: Any, q: Any, m: Any, n: Any, beta: Any) -> Any:
        """mu_m."""
        return self.growth(p, q, m, n, beta) / self.mass(p, q, n, beta)

    def written_out(self, p: int, q: int, m: int, n: int, beta: Any) -> Any:
        """mu_m of a given ring, term by term."""
        weights = [self.ring_weight(p, q, at, n, beta) for at in range(n)]
        slopes = [self.slope(p, q, at, n, beta) for at in range(n)]
        grown = (slope * (cos(self.phase(m, at, n)) - 1) for at, slope in enumerate(slopes))
        return sum(grown, Whole(0)) / sum(weights, Whole(0))

    def wave(self, k: Any, q: Any, n: Any, beta: Any) -> Any:
        """n F_k: the cosine transform of exp(beta cos) at mode k, reindexed by q."""
        turn = self.phase(q, r, n)
        return total(r, n, exp(self.score(beta, turn)) * cos(k * turn))


OF = Twists()


# ---------------------------------------------------------------------- dynamics.twisted_branch
tokens = Variable("n", Int(2))
turn, start, share = sequence("theta"), sequence("alpha"), sequence("e")


def on_branch(of: Twists) -> Sequence:
    """phi_i = phi_0 - i theta: every rotated token is the same point."""
    return lambda t: shift + of.branch_turn(t, theta)


def flat(of: Twists) -> Prop:
    """One angle start(c) - i theta_c in each of d planes, with the energies share(c)."""

    def angle(t: Any) -> Any:
        return start(c) + of.branch_turn(t, turn(c))

    gap = angle(j) - angle(i) + (j - i) * turn(c)
    every = total(c, d, share(c) * of.pull(gap))
    return ForAll((d, i, j), Implies(Eq(total(c, d, share(c)), 1), Eq(every, 1)))


def uniform(of: Twists) -> Prop:
    phi = on_branch(of)

    def one(t: Any) -> Any:
        return exp(of.score(beta, phi(t) - phi(i) + (t - i) * theta))

    ratio = one(m) / total(j, n, one(j))
    return ForAll((n, theta, beta, shift, i, m), Eq(ratio, 1 / n))


def rests(of: Twists) -> Prop:
    speed = of.field(i, tokens, theta, beta, on_branch(of))
    still = ForAll(i, Implies(Lt(i, tokens), Eq(speed, 0)))
    resonant = And(Eq(cos(tokens * theta), 1), Ne(cos(theta), 1))
    allowed = Or(Eq(sin(theta), 0), resonant)
    return ForAll((tokens, theta, beta, shift), Iff(still, allowed))


def branch_slope(of: Twists) -> Prop:
    moved = of.linearised(i, n, theta, beta, on_branch(of))
    return ForAll((n, theta, beta, shift, i), Eq(moved, of.jacobian(i, n, theta, xi)))


def branch_modes(of: Twists) -> Prop:
    angle = of.phase(p, 1, n)
    resonant = Not(Exists(t, Eq(2 * p, n * t)))

    def half(wave: Any) -> Prop:
        image = of.jacobian(i, n, angle, lambda t: wave(t * angle))
        return Eq(image, wave(i * angle) / 2)

    across = And(*(Eq(total(j, n, x(j) * wave(j * angle)), 0) for wave in (cos, sin)))
    rest = Implies(across, Eq(of.jacobian(i, n, angle, x), 0))
    return ForAll((n, p, i), Implies(resonant, And(half(cos), half(sin), rest)))


def even_modes(of: Twists) -> Prop:
    size = 2 * k
    signs = Eq(of.jacobian(i, size, pi, lambda t: cos(pi * t)), cos(pi * i))
    across = Eq(total(j, size, x(j) * cos(pi * j)), 0)
    rest = Implies(across, Eq(of.jacobian(i, size, pi, x), 0))
    return ForAll((k, i), And(signs, rest))


TWISTED_BRANCH = Claim(
    id="dynamics.twisted_branch",
    title="The branch on which every score is the largest one",
    kind="classification",
    stance="sharpened",
    reading="The branch is said to be non-hyperbolic for a generic resonant family. In the plane "
    "it has two eigenvalues 1/2 and n - 2 zeros, one of them the rotation: it is non-hyperbolic "
    "from n = 4 on.",
    clauses=(
        Clause(
            "flat",
            r"x_i=R^{-i}x_0\text{ in }\mathbb R^{2d},\text{ plane energies }e_c\text{ of sum }1:"
            r"\quad s_{ij}=\beta\sum_ce_c\cos0=\beta",
            flat,
        ),
        Clause(
            "uniform",
            r"\varphi_i=\varphi_0-i\theta:\quad A_{ij}=\tfrac1n\text{ for all }n,\beta,\theta",
            uniform,
        ),
        Clause(
            "rests",
            r"n\ge2:\quad\dot\varphi_i=0\text{ for all }i\iff\sin\theta=0\text{ or }"
            r"(\cos n\theta=1,\ \cos\theta\ne1)",
            rests,
        ),
        Clause(
            "branch_slope",
            r"\text{on the branch the linearisation is }(J\xi)_i=\frac1n\sum_j\cos((i-j)\theta)"
            r"(\xi_j-\xi_i)\text{ for all }n,\theta,\beta",
            branch_slope,
        ),
        Clause(
            "branch_modes",
            r"\theta=\tfrac{2\pi p}n,\ n\nmid2p:\quad J\text{ has the eigenvalue }\tfrac12"
            r"\text{ at }\cos i\theta,\ \sin i\theta,\text{ and is }0"
            r"\text{ on what is orthogonal to both}",
            branch_modes,
        ),
        Clause(
            "even_modes",
            r"\theta=\pi,\ n=2k:\quad J\text{ has the eigenvalue }1\text{ at }(-1)^i,\ "
            r"\text{and is }0\text{ on what is orthogonal to it}",
            even_modes,
        ),
    ),
    definitions=OF,
    hypotheses=("values are not rotated; no causal mask; all but the first clause in one plane",),
)


# ---------------------------------------------------------------------- dynamics.odd_antipodal
def even(i: Any) -> Any:
    """1 at even i, else 0."""
    return (1 + cos(pi * i)) / 2


def odd(i: Any) -> Any:
    return (1 - cos(pi * i)) / 2


def antipodal_slope(of: Twists) -> Prop:
    size = of.size(k)
    state = lambda t: shift + pi * t  # noqa: E731
    moved = of.linearised(i, size, pi, beta, state)
    return ForAll((k, beta, shift, i), Eq(moved, of.jacobian(i, size, pi, xi)))


def parts_of(of: Twists) -> tuple[Sequence, Sequence, Sequence, Sequence]:
    """x split into its four parts: constant, along v - 1/n, even with sum 0, odd with sum 0."""
    size = of.size(k)
    above = total(j, size, even(j) * x(j)) / (k + 1)
    below = total(j, size, odd(j) * x(j)) / k
    half = (above - below) / 2
    return (
        lambda t: above - half * (1 - 1 / size),
        lambda t: half * (cos(pi * t) - 1 / size),
        lambda t: even(t) * (x(t) - above),
        lambda t: odd(t) * (x(t) - below),
    )


def modes(of: Twists) -> Prop:
    size, parts = of.size(k), parts_of(of)
    values = (Whole(0), Whole(1), -1 / size, 1 / size)
    split = Eq(x(i), sum(part(i) for part in parts))
    eigen = (
        Eq(of.jacobian(i, size, pi, part), value * part(i))
        for part, value in zip(parts, values, strict=True)
    )
    return ForAll((k, i), And(split, *eigen))


def dimensions(of: Twists) -> Prop:
    size = of.size(k)
    stable = total(i, size, even(i) * (1 - 1 / (k + 1)))
    unstable = total(i, size, odd(i) * (1 - 1 / k))
    return ForAll(k, And(Eq(stable, k), Eq(unstable, k - 1), Eq(1 + 1 + k + (k - 1), size)))


SIZES = (1, 2, 3)


def characteristic(of: Twists) -> Prop:
    def polynomial(half: int) -> Prop:
        size = int(of.size(half))
        rows = [[-of.entry(a, b, size, pi) for b in range(size)] for a in range(size)]
        for a in range(size):
            rows[a][a] = lam + rows[a][a]
        left = sympy.Determinant(sympy.ImmutableMatrix(rows))
        unit = Rational(1, size)
        return Eq(left, lam * (lam - 1) * (lam + unit) ** half * (lam - unit) ** (half - 1))

    return ForAll(lam, And(*(polynomial(half) for half in SIZES)))


def polar(of: Twists) -> Prop:
    """Tokens e_i w with signs e_i, any weights: the mean is along w, so nothing moves."""
    mean = total(j, n, weight(j) * e(j))
    along = total(c, d, w(c) * (mean * w(c)))
    unit = Eq(total(c, d, w(c) ** 2), 1)
    return ForAll((n, d, i), Implies(unit, Eq(of.project(mean * w(i), along * w(i)), 0)))


ODD_ANTIPODAL = Claim(
    id="dynamics.odd_antipodal",
    title="At angle pi an odd number of alternating tokens is a saddle",
    kind="identity",
    stance="sharpened",
    reading="The published sentence calls the family a hyperbolic saddle after a quotient. In the "
    "plane the zero mode is the common rotation; the eigenvalues and dimensions below hold for "
    "every odd number of tokens and do not depend on beta.",
    clauses=(
        Clause(
            "antipodal_slope",
            r"\theta=\pi,\ n=2k+1,\ \varphi_i=\varphi_0+\pi i:\quad (J\xi)_i=\frac1n\sum_j"
            r"\cos((i-j)\pi)(\xi_j-\xi_i)\text{ is the linearisation, for every }\beta",
            antipodal_slope,
        ),
        Clause(
            "modes",
            r"n=2k+1:\ \text{every }x\text{ is the sum of a constant, a multiple of }"
            r"(-1)^i-\tfrac1n,\text{ a part on even }i\text{ with sum }0\text{ and one on odd }i"
            r"\text{ with sum }0;\ J\text{ multiplies them by }0,\ 1,\ -\tfrac1n,\ \tfrac1n",
            modes,
        ),
        Clause(
            "dimensions",
            r"\text{The projections on the last two parts have traces }k\text{ and }k-1,\ "
            r"\text{and }1+1+k+(k-1)=n",
            dimensions,
        ),
        Clause(
            "characteristic",
            r"n=3,5,7:\quad \det(\lambda-J)=\lambda(\lambda-1)(\lambda+\tfrac1n)^k"
            r"(\lambda-\tfrac1n)^{k-1}",
            characteristic,
        ),
        Clause(
            "polar",
            r"x_i=e_iw,\ e_i\in\mathbb Z,\ |w|=1\text{ in }\mathbb R^d:\quad P_w\sum_j A_jx_j=0"
            r"\text{ for all weights }A_j",
            polar,
        ),
    ),
    definitions=OF,
    hypotheses=("values are not rotated; no causal mask",),
)


# ---------------------------------------------------------------------- dynamics.stable_twists
def twisted(of: Twists, q: Any, n: Any) -> Sequence:
    return lambda t: of.phase(q, t, n) + shift


def equilibrium(of: Twists) -> Prop:
    speed = of.field(i, n, of.phase(p, 1, n), beta, twisted(of, q, n))
    return ForAll((n, p, q, i, beta, shift), Eq(speed, 0))


def linearisation(of: Twists) -> Prop:
    moved = of.linearised(i, n, of.phase(p, 1, n), beta, twisted(of, q, n))
    row = total(r, n, of.slope(p, q, r - i, n, beta) * (xi(r) - xi(i)))
    whole = total(r, n, of.ring_weight(p, q, r - i, n, beta))
    return ForAll((n, p, q, i, beta, shift), Eq(moved, row / whole))


def circulant(of: Twists) -> Prop:
    """Stated for p = l - q."""
    turns = l - q
    whole = total(r, n, of.ring_weight(turns, q, r - i, n, beta))

    def eigen(wave: Any) -> Prop:
        here = wave(of.phase(m, i, n))
        apart = wave(of.phase(m, r, n)) - here
        image = total(r, n, of.slope(turns, q, r - i, n, beta) * apart)
        return Eq(image / whole, of.rate(turns, q, m, n, beta) * here)

    return ForAll((n, l, q, m, i, beta), And(eigen(cos), eigen(sin)))


def three(of: Twists) -> Prop:
    value = -3 * (3 * beta - 2) / (4 * (exp(3 * beta / 2) + 2))
    first, second = (of.written_out(1, 1, mode, 3, beta) for mode in (1, 2))
    stable = Iff(Lt(first, 0), Lt(Rational(2, 3), beta))
    return ForAll(beta, And(Eq(first, value), Eq(second, value), stable))


def four(of: Twists) -> Prop:
    whole = exp(beta) + 2 + exp(-beta)
    first, second, third = (of.written_out(2, 1, mode, 4, beta) for mode in (1, 2, 3))
    value = 2 * (exp(-beta) - beta) / whole
    stable = Iff(Lt(first, 0), Lt(exp(-beta), beta))
    return ForAll(
        beta, And(Eq(first, value), Eq(third, value), Eq(second, -4 * beta / whole), stable)
    )


def mirror(of: Twists) -> Prop:
    turn = of.phase(q, r, n)
    bracket = cos(turn) + beta * sin(turn) ** 2
    value = total(r, n, exp(of.score(beta, turn)) * bracket * (cos(of.phase(m, r, n)) - 1))
    return ForAll((n, q, m, beta), Eq(of.growth(-2 * q, q, m, n, beta), value))


def class_sums(of: Twists) -> Prop:
    def transform(k: Any) -> Any:
        near = of.wave(k - 1, q, n, beta) + of.wave(k + 1, q, n, beta)
        far = of.wave(k - 2, q, n, beta) + of.wave(k + 2, q, n, beta)
        return near / 2 + beta / 4 * (2 * of.wave(k, q, n, beta) - far)

    value = transform(l) - transform(Whole(0))
    return ForAll((n, q, l, beta), Eq(of.growth(-2 * q, q, l * q, n, beta), value))


#: (n, p, q), beta, and the signs of mu_1, mu_2, ... up to mode n // 2.
SIGNS = (
    ((3, 1, 1), Rational(1, 2), (1,)),
    ((3, 1, 1), Whole(1), (-1,)),
    ((3, 1, 1), Whole(4), (-1,)),
    ((4, 2, 1), Whole(1), (-1, -1)),
    ((5, 1, 2), Rational(1, 2), (-1, 1)),
    ((5, 1, 2), Whole(1), (-1, -1)),
    ((5, 1, 2), Whole(2), (-1, -1)),
    ((7, 1, 3), Whole(1), (-1, -1, -1)),
)


def signs(of: Twists) -> Prop:
    facts = []
    for (size, turns, twist), at, expected in SIGNS:
        for mode, direction in enumerate(expected, start=1):
            facts.append(Lt(0, direction * of.growth(turns, twist, mode, size, at)))
    return And(*facts)


#: n and the first ten digits of the beta at which mode k = 1 of the mirror state turns stable.
THRESHOLDS = (
    (4, 5671432904),
    (5, 5797782809),
    (6, 5835879678),
    (7, 5840661714),
    (8, 5841057442),
    (9, 5841082374),
    (11, 5841083707),
)


def thresholds(of: Twists) -> Prop:
    facts = []
    for size, digits in THRESHOLDS:
        low, high = Rational(digits, 10**10), Rational(digits + 1, 10**10)
        facts.append(Lt(0, of.growth(-2, 1, 1, size, low)))
        facts.append(Lt(of.growth(-2, 1, 1, size, high), 0))
    return And(*facts)


LARGE = 1500
TRIPLES = tuple((n, p, q) for n in range(2, 15) for p in range(n) for q in range(n))


def large_beta(of: Twists) -> Prop:
    return Informal("at beta = 1500 the rule on gcd(p + q, n) decides the sign of every rate")


SIZES_OF_RINGS, MODES = Finite(range(3, 16)), Finite(range(1, 8))
TEMPERATURES = Finite((Fraction(9, 10), 1, 2, 5, 20, 100))


def mirror_stable(of: Twists) -> Prop:
    size, mode = Variable("n", SIZES_OF_RINGS), Variable("m", MODES)
    at = Variable("beta", TEMPERATURES)
    decays = Lt(of.growth(-2, 1, mode, size, at), 0)
    return ForAll((size, mode, at), Implies(Le(2 * mode, size), decays))


STABLE_TWISTS = Claim(
    id="dynamics.stable_twists",
    title="Twisted states that attract: consensus is not the only one",
    kind="classification",
    stance="corrected",
    reading="Read as a sentence about almost all initial states, convergence to consensus fails on "
    "resonant rings: already three tokens have a twisted state that is stable for beta > 2/3.",
    clauses=(
        Clause(
            "equilibrium",
            r"\theta=\tfrac{2\pi p}n,\ \varphi_i=\tfrac{2\pi qi}n+\varphi_0:\quad\dot\varphi_i=0"
            r"\text{ for all }n,p,q,\beta",
            equilibrium,
        ),
        Clause(
            "linearisation",
            r"\dot\xi_i=\sum_{r}w_{r-i}\,c_{r-i}(\xi_r-\xi_i),\quad c_r=\cos\tfrac{2\pi qr}n-\beta"
            r"\sin\tfrac{2\pi qr}n\sin\tfrac{2\pi(p+q)r}n,\quad "
            r"w_r=\frac{e^{\beta\cos(2\pi(p+q)r/n)}}{\sum_s e^{\beta\cos(2\pi(p+q)s/n)}}",
            linearisation,
        ),
        Clause(
            "circulant",
            r"\xi_r=\cos\tfrac{2\pi mr}n,\ \sin\tfrac{2\pi mr}n\text{ have the eigenvalue }"
            r"\mu_m=\sum_{r<n}w_rc_r\bigl(\cos\tfrac{2\pi mr}n-1\bigr)",
            circulant,
        ),
        Clause(
            "three",
            r"(n,p,q)=(3,1,1):\quad\mu_1=\mu_2=-\frac{3(3\beta-2)}{4(e^{3\beta/2}+2)};\quad "
            r"\mu_1<0\iff\beta>\tfrac23",
            three,
        ),
        Clause(
            "four",
            r"(n,p,q)=(4,2,1):\quad\mu_1=\mu_3=\frac{2(e^{-\beta}-\beta)}{e^\beta+2+e^{-\beta}},\ "
            r"\mu_2=\frac{-4\beta}{e^\beta+2+e^{-\beta}};\quad\mu_1<0\iff e^{-\beta}<\beta",
            four,
        ),
        Clause(
            "mirror",
            r"p=-2q:\quad\mu_m\propto\sum_{r<n}e^{\beta\cos t_r}(\cos t_r+\beta\sin^2t_r)"
            r"\bigl(\cos\tfrac{2\pi mr}n-1\bigr),\quad t_r=\tfrac{2\pi qr}n",
            mirror,
        ),
        Clause(
            "class_sums",
            r"p=-2q,\ m=kq:\quad\mu_m\propto c(k)-c(0),\quad c(k)=\frac{F_{k-1}+F_{k+1}}2+"
            r"\frac\beta4(2F_k-F_{k-2}-F_{k+2}),\quad F_k=\sum_{r<n}e^{\beta\cos t_r}\cos kt_r",
            class_sums,
        ),
        Clause(
            "signs",
            r"\text{At }(n,p,q)=(3,1,1)\text{ and }(5,1,2),\ \beta=\tfrac12,\text{ a mode grows; "
            r"at }(3,1,1),\ \beta=1,4;\ (4,2,1),\ \beta=1;\ (5,1,2),\ \beta=1,2;\ (7,1,3),\ \beta=1"
            r"\text{ every mode decays}",
            signs,
        ),
        Clause(
            "thresholds",
            r"p=-2,\ q=1:\quad\mu_1>0\text{ at }t\text{ and }\mu_1<0\text{ at }t+10^{-10},\quad "
            r"t=0.5671432904,\ 0.5797782809,\ 0.5835879678,\ 0.5840661714,\ 0.5841057442,\ "
            r"0.5841082374,\ 0.5841083707\text{ for }n=4,5,6,7,8,9,11",
            thresholds,
        ),
        Clause(
            "mirror_stable",
            r"n=3,\dots,15,\ p=-2,\ q=1,\ \beta\in\{\tfrac9{10},1,2,5,20,100\}:\quad "
            r"\mu_m<0\text{ for }1\le m\le\tfrac n2",
            mirror_stable,
        ),
        Clause(
            "large_beta",
            r"\beta=1500,\ 2\le n\le14,\text{ all }p,q,\ h=\gcd(p+q,n):\ \text{all }\mu_m<0"
            r"\text{ if }q=0;\text{ for }h=1\text{ iff }n\ge3\text{ and }(q\,(p+q)^{-1}\bmod n)>"
            r"\tfrac n2;\text{ for }h>1\text{ iff }h\mid q\text{ and it is so for }(n,p,q)/h;"
            r"\text{ else some }\mu_m>0",
            large_beta,
        ),
    ),
    definitions=OF,
    hypotheses=("values are not rotated; no causal mask; theta = 2 pi p / n; tokens in one plane",),
)
