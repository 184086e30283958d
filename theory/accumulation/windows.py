r"""Random rotations accumulated: their mean, its window, and what the mean does not say.

Main definitions
----------------
Law      an angle with finitely many values, by weights and angles
turned   the product of two complex numbers
Limits   the definitions about single scores, lattices and dependent tokens

Main claims
-----------
accumulation.random_mean, accumulation.incoherence_limits

Conventions
-----------
Angles are in radians; phi(h) = E exp(i h theta) is the h-th harmonic of a law, phi = phi(1).  S_k
is the sum of the first k angles.  Means decay like rho^k with rho = exp(-lambda), and fall to
epsilon = exp(-eta).

References
----------
Derived here; no publication is quoted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Rational, cos, exp, sin

from posproof.theory.symbols import Variable, sequence, total, variables
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
    Integer,
    Le,
    Lt,
    Positive,
    Prop,
    Real,
)

k, n, M, N, K = (Variable(name, Int(0)) for name in "knMNK")
a, b = (Variable(name, Int(0)) for name in "ab")
rho, psi, mu = variables("rho psi mu", Real)
decay, depth = variables("lambda eta", Positive)


@dataclass(frozen=True)
class Law:
    """An angle with finitely many values: weights and angles, functions of the index."""

    weight: Callable[[Any], Any]
    angle: Callable[[Any], Any]
    size: Any

    def mean(self, value: Callable[[Any], Any]) -> Any:
        """The mean of a function of the angle."""
        return total(a, self.size, self.weight(a) * value(self.angle(a)))

    @property
    def whole(self) -> Prop:
        """The weights add up to 1."""
        return Eq(total(a, self.size, self.weight(a)), 1)


FIRST = Law(sequence("w"), sequence("x"), N)
SECOND = Law(sequence("v"), sequence("y"), M)
MEAN = (sequence("c"), sequence("s"))
log_mean, angle = sequence("l"), sequence("psi")


def turned(z: tuple[Any, Any], by: tuple[Any, Any]) -> tuple[Any, Any]:
    """The product of two complex numbers."""
    return z[0] * by[0] - z[1] * by[1], z[0] * by[1] + z[1] * by[0]


@dataclass(frozen=True)
class RandomMean:
    """The definitions of `accumulation.random_mean`; a control replaces one of them."""

    turned: Callable[[tuple[Any, Any], tuple[Any, Any]], tuple[Any, Any]] = turned
    apart: Callable[[Any, Any], Any] = lambda x, y: x - y
    decayed: Callable[[Any, Any], Any] = lambda rate, steps: exp(-rate * steps)
    two_point: Callable[[Any], Any] = cos

    def phi(self, law: Law) -> tuple[Any, Any]:
        """Real and imaginary part of E exp(i theta)."""
        return law.mean(cos), law.mean(sin)


def independence(of: RandomMean) -> Prop:
    def joint(wave: Callable[[Any], Any]) -> Any:
        inner = SECOND.weight(b) * wave(FIRST.angle(a) + SECOND.angle(b))
        return total(a, N, FIRST.weight(a) * total(b, M, inner))

    real, imag = of.turned(of.phi(FIRST), of.phi(SECOND))
    return ForAll((N, M), And(Eq(joint(cos), real), Eq(joint(sin), imag)))


def power(of: RandomMean) -> Prop:
    real, imag = MEAN
    grown = of.turned((real(k), imag(k)), (rho * cos(psi), rho * sin(psi)))
    grows = ForAll(k, Implies(Lt(k, n), And(Eq(real(k + 1), grown[0]), Eq(imag(k + 1), grown[1]))))
    closed = And(Eq(real(n), rho**n * cos(n * psi)), Eq(imag(n), rho**n * sin(n * psi)))
    premise = And(Eq(real(0), 1), Eq(imag(0), 0), grows)
    return ForAll((n, rho, psi), Implies(premise, closed))


def different_laws(of: RandomMean) -> Prop:
    # Independent steps with means exp(lambda_k) exp(i psi_k), one law a step.
    real, imag = MEAN
    factor = (exp(log_mean(k)) * cos(angle(k)), exp(log_mean(k)) * sin(angle(k)))
    grown = of.turned((real(k), imag(k)), factor)
    grows = ForAll(k, Implies(Lt(k, n), And(Eq(real(k + 1), grown[0]), Eq(imag(k + 1), grown[1]))))
    size, whole = exp(total(k, n, log_mean(k))), total(k, n, angle(k))
    closed = And(Eq(real(n), size * cos(whole)), Eq(imag(n), size * sin(whole)))
    return ForAll(n, Implies(And(Eq(real(0), 1), Eq(imag(0), 0), grows), closed))


def spread(of: RandomMean) -> Prop:
    real, imag = of.phi(FIRST)
    pairs = 1 - cos(of.apart(FIRST.angle(a), FIRST.angle(b)))
    inner = total(b, N, FIRST.weight(a) * FIRST.weight(b) * pairs)
    return ForAll(N, Implies(FIRST.whole, Eq(1 - real**2 - imag**2, total(a, N, inner))))


def constant(of: RandomMean) -> Prop:
    real, imag = of.phi(FIRST)
    product = FIRST.weight(a) * FIRST.weight(b)
    pairs = Eq(product * (1 - cos(of.apart(FIRST.angle(a), FIRST.angle(b)))), 0)
    everywhere = ForAll(a, Implies(Lt(a, N), ForAll(b, Implies(Lt(b, N), pairs))))
    positive = ForAll(a, Implies(Lt(a, N), Le(0, FIRST.weight(a))))
    goal = And(Le(real**2 + imag**2, 1), Iff(Eq(real**2 + imag**2, 1), everywhere))
    return ForAll(N, Implies(And(FIRST.whole, positive), goal))


def window(of: RandomMean) -> Prop:
    # K is the ceiling of eta / lambda, at least 1.
    least = And(Lt(decay * (K - 1), depth), Le(depth, decay * K))
    fallen = Le(of.decayed(decay, n), exp(-depth))
    return ForAll((decay, depth, K, n), Implies(least, Iff(fallen, Le(K, n))))


def two_point(of: RandomMean) -> Prop:
    half, width = Rational(1, 2), Variable("a", Real)
    real = half * cos(mu + width) + half * cos(mu - width)
    imag = half * sin(mu + width) + half * sin(mu - width)
    mean = of.two_point(width)
    goal = And(Eq(real, mean * cos(mu)), Eq(imag, mean * sin(mu)))
    gone = Eq(of.two_point(sympy.pi / 2), 0)
    return And(ForAll((mu, width), goal), gone)


def laws(of: RandomMean) -> Prop:
    return Informal(
        "phi is sin(a)/a for the uniform law on [-a, a], exp(-sigma^2/2) for the normal law, "
        "I_1(kappa)/I_0(kappa) for the von Mises law, rho for the wrapped Cauchy law"
    )


def bessel(of: RandomMean) -> Prop:
    return Informal(
        "kappa/(1/2 + sqrt(kappa^2 + 9/4)) <= I_1(kappa)/I_0(kappa) <= "
        "min(kappa/(1/2 + sqrt(kappa^2 + 1/4)), kappa/sqrt(kappa^2 + 4)) for kappa > 0"
    )


RANDOM_MEAN = Claim(
    id="accumulation.random_mean",
    title="The mean of accumulated random rotations, and its window",
    kind="identity",
    definitions=RandomMean(),
    stance="sharpened",
    reading=(
        "'A finite mixing window, whatever the context length', read of the mean over independent "
        "angles: the mean of a score is that of a rotary head times the power of a number below 1, "
        "unless the angle is constant."
    ),
    clauses=(
        Clause(
            "independence",
            r"\mathbb{E} e^{i(X+Y)} = \mathbb{E} e^{iX}\, \mathbb{E} e^{iY} \quad "
            r"(X, Y \text{ independent, with any finite number of values})",
            independence,
        ),
        Clause(
            "power",
            r"\mathbb{E} e^{iS_{k+1}} = \varphi\, \mathbb{E} e^{iS_k},\ \varphi = \rho e^{i\psi} "
            r"\implies \mathbb{E} R(S_n) = \rho^n R(n\psi)",
            power,
        ),
        Clause(
            "different_laws",
            r"\mathbb{E} e^{iS_{k+1}} = \varphi_k\, \mathbb{E} e^{iS_k},\ "
            r"\varphi_k = e^{\lambda_k + i\psi_k} \implies "
            r"\mathbb{E} R(S_n) = e^{\sum_{k<n} \lambda_k} R\Bigl(\sum_{k<n} \psi_k\Bigr)",
            different_laws,
        ),
        Clause(
            "spread",
            r"1 - |\varphi|^2 = \sum_{a, b < N} w_a w_b\,(1 - \cos(x_a - x_b)) \quad "
            r"\Bigl(\sum_{a<N} w_a = 1\Bigr)",
            spread,
        ),
        Clause(
            "constant",
            r"|\varphi| \le 1, \quad |\varphi| = 1 \iff "
            r"w_a w_b\,(1 - \cos(x_a - x_b)) = 0\ (a, b < N) \quad "
            r"\Bigl(w_a \ge 0,\ \sum_{a<N} w_a = 1\Bigr)",
            constant,
        ),
        Clause(
            "window",
            r"\rho^n \le \varepsilon \iff n \ge K, \quad "
            r"K = \lceil \ln\varepsilon / \ln\rho \rceil \quad (0 < \rho, \varepsilon < 1)",
            window,
        ),
        Clause(
            "two_point",
            r"\tfrac12 e^{i(\mu + a)} + \tfrac12 e^{i(\mu - a)} = \cos a\; e^{i\mu}, "
            r"\quad \cos\tfrac{\pi}{2} = 0: \text{ after one step nothing is left}",
            two_point,
        ),
        Clause(
            "laws",
            r"\varphi = \tfrac{\sin a}{a},\ e^{-\sigma^2/2},\ \tfrac{I_1(\kappa)}{I_0(\kappa)},\ r "
            r"\quad \text{(uniform on } [-a, a],\ \text{normal, von Mises, wrapped Cauchy)}",
            laws,
        ),
        Clause(
            "bessel",
            r"\frac{\kappa}{\frac12 + \sqrt{\kappa^2 + \frac94}} "
            r"\le \frac{I_1(\kappa)}{I_0(\kappa)} \le "
            r"\min\Bigl(\frac{\kappa}{\frac12 + \sqrt{\kappa^2 + \frac14}}, "
            r"\frac{\kappa}{\sqrt{\kappa^2 + 4}}\Bigr)",
            bessel,
        ),
    ),
)


# ---------------------------------------------------------------------- incoherence_limits
p, c, s = variables("p c s", Real)
x, y, x0, x1 = variables("x y x0 x1", Real)
turns, state = sequence("J", Integer), sequence("g")
LETTER = tuple(sequence(f"A{row}{column}") for row in range(2) for column in range(2))
OTHER = tuple(sequence(f"B{row}{column}") for row in range(2) for column in range(2))
h = Variable("h", Int(1))

#: E exp(i S_k) split by the state after k steps: two complex numbers, as functions of k.
STATES = ((sequence("a"), sequence("b")), (sequence("u"), sequence("v")))


def square(values: tuple[Any, ...], at: Any) -> sympy.ImmutableMatrix:
    return sympy.ImmutableMatrix(2, 2, [part(at) for part in values])


@dataclass(frozen=True)
class Limits:
    """The definitions of `accumulation.incoherence_limits`; a control replaces one of them."""

    rotated: Callable[[Any, Any, Any], tuple[Any, Any]] = lambda x, q0, q1: (
        cos(x) * q0 - sin(x) * q1,
        sin(x) * q0 + cos(x) * q1,
    )
    harmonic: int = 2
    full_turn: Any = 2 * sympy.pi
    stay: Callable[[Any], Any] = lambda p: p
    product: Callable[[Any, Any], Any] = lambda left, right: left * right
    ends: Callable[[Any, Any], Any] = lambda last, first: last - first

    def after(self, k: Any) -> tuple[Any, ...]:
        """The split mean at k: real and imaginary part in the state +, then in the state -."""
        return tuple(part(k) for pair in STATES for part in pair)

    def step(self, k: Any) -> tuple[Prop, ...]:
        """A state is kept with probability p; the states turn by +a and -a, c + i s = exp(i a)."""
        plus, minus = ((STATES[0][0](k), STATES[0][1](k)), (STATES[1][0](k), STATES[1][1](k)))
        keep = self.stay(p)
        into = tuple(keep * u + (1 - keep) * v for u, v in zip(plus, minus, strict=True))
        other = tuple((1 - keep) * u + keep * v for u, v in zip(plus, minus, strict=True))
        values = (*turned(into, (c, s)), *turned(other, (c, -s)))
        return tuple(Eq(new, old) for new, old in zip(self.after(k + 1), values, strict=True))

    def total(self, k: Any) -> tuple[Any, Any]:
        """E exp(i S_k)."""
        plus_real, plus_imag, minus_real, minus_imag = self.after(k)
        return plus_real + minus_real, plus_imag + minus_imag


def pathwise(of: Limits) -> Prop:
    first, second = of.rotated(psi, x0, x1)
    return ForAll((psi, x0, x1), Eq(first**2 + second**2, x0**2 + x1**2))


def second_moment(of: Limits) -> Prop:
    mean = FIRST.mean(lambda angle: cos(angle) ** 2)
    half = (1 + FIRST.mean(lambda angle: cos(of.harmonic * angle))) / 2
    return ForAll(N, Implies(FIRST.whole, Eq(mean, half)))


def lattice(of: Limits) -> Prop:
    half, turn = Rational(1, 2), of.full_turn / 2
    first = half * cos(0 * turn) + half * cos(turn)
    second = half * cos(2 * 0 * turn) + half * cos(2 * turn)
    flips = Variable("f", Integer)
    never = ForAll(flips, Eq(cos(turn * flips) ** 2, 1))
    return And(Eq(first, 0), Eq(second, 1), never)


def coset(of: Limits) -> Prop:
    # Angles mu + 2 pi J / h with integers J: the h-th harmonic has modulus 1.
    def wave(value: Callable[[Any], Any]) -> Any:
        return total(a, N, FIRST.weight(a) * value(h * mu + of.full_turn * turns(a)))

    goal = And(Eq(wave(cos), cos(h * mu)), Eq(wave(sin), sin(h * mu)))
    return ForAll((N, h, mu), Implies(FIRST.whole, goal))


def markov(of: Limits) -> Prop:
    unit = Eq(c**2 + s**2, 1)
    steps = (*of.step(n), *of.step(n + 1))
    here, ahead, later = (of.total(at) for at in (n, n + 1, n + 2))
    recurrence = And(
        *(
            Eq(last, 2 * p * c * middle - (2 * p - 1) * first)
            for last, middle, first in zip(later, ahead, here, strict=True)
        )
    )
    return ForAll((n, p, c, s), Implies(And(unit, *steps), recurrence))


def no_window(of: Limits) -> Prop:
    # The roots x + i y of z^2 - 2 p c z + (2 p - 1) that are not real.
    keep = of.stay(p)
    premise = And(Eq(x, p * c), Eq(y**2, 2 * p - 1 - x**2))
    root = (Eq(x**2 - y**2 - 2 * p * c * x + 2 * p - 1, 0), Eq(2 * x * y - 2 * p * c * y, 0))
    return ForAll((p, c, x, y), Implies(premise, And(*root, Eq(x**2 + y**2, 2 * keep - 1))))


def real_roots(of: Limits) -> Prop:
    premise = Eq(y**2, p**2 * c**2 - 2 * p + 1)
    root = (x0 - 2 * of.stay(p) * c) * x0 + 2 * p - 1
    both = And(Eq(root.subs(x0, p * c + y), 0), Eq(root.subs(x0, p * c - y), 0))
    return ForAll((p, c, y), Implies(premise, both))


def alternating(of: Limits) -> Prop:
    # The larger real root for p cos a >= 0: near 1 when states are hardly ever kept.
    premise = And(Eq(y**2, p**2 * c**2 - 2 * p + 1), Le(0, y), Le(0, p * c))
    return ForAll((p, c, y), Implies(premise, Le(1 - 2 * of.stay(p), (p * c + y) ** 2)))


def coboundary(of: Limits) -> Prop:
    walked = total(k, n, state(k + 1) - state(k) + mu)
    return ForAll((n, mu), Eq(cos(walked), cos(of.ends(state(n), state(0)) + n * mu)))


def products(of: Limits) -> Prop:
    parts = []
    for row in range(2):
        for column in range(2):
            cell = of.product(square(LETTER, a), square(OTHER, b))[row, column]
            inner = total(b, M, SECOND.weight(b) * cell)
            joint = total(a, N, FIRST.weight(a) * inner)
            left, right = (
                sympy.ImmutableMatrix(
                    2,
                    2,
                    [total(a, law.size, law.weight(a) * part(a)) for part in values],
                )
                for law, values in ((FIRST, LETTER), (SECOND, OTHER))
            )
            parts.append(Eq(joint, (left * right)[row, column]))
    return ForAll((N, M), And(*parts))


INCOHERENCE_LIMITS = Claim(
    id="accumulation.incoherence_limits",
    title="Incoherence is a statement about the mean",
    kind="counterexample",
    definitions=Limits(),
    depends=("accumulation.random_mean",),
    stance="corrected",
    reading=(
        "'Accumulated products become incoherent after finitely many steps', read of single "
        "scores, or of dependent tokens: single scores keep their size, a law on a lattice stays "
        "coherent, and persistent or alternating tokens have windows as long as one likes."
    ),
    clauses=(
        Clause("pathwise", r"|R(S)\,q| = |q|: \text{ on every path}", pathwise),
        Clause(
            "second_moment",
            r"\mathbb{E}\cos^2 S = \tfrac12 (1 + \operatorname{Re}\varphi(2))",
            second_moment,
        ),
        Clause(
            "lattice",
            r"\theta \in \{0, \pi\},\ w_0 = w_1 = \tfrac12 \implies "
            r"\varphi(1) = 0,\ \varphi(2) = 1,\ \cos^2 S_k = 1",
            lattice,
        ),
        Clause(
            "coset",
            r"\theta_a = \mu + 2\pi J_a / h,\ J_a \in \mathbb{Z} \implies \varphi(h) = e^{ih\mu}",
            coset,
        ),
        Clause(
            "markov",
            r"m_{k+2} = 2p \cos a\; m_{k+1} - (2p - 1)\, m_k, \quad m_k = \mathbb{E} e^{iS_k} "
            r"\text{ of two states } \pm a \text{ kept with probability } p",
            markov,
        ),
        Clause(
            "no_window",
            r"p^2\cos^2 a < 2p - 1: \quad |\lambda|^2 = 2p - 1 \text{ for both roots } \lambda"
            r"\text{, whatever } a",
            no_window,
        ),
        Clause(
            "real_roots",
            r"\lambda = p \cos a \pm \sqrt{p^2\cos^2 a - 2p + 1}",
            real_roots,
        ),
        Clause(
            "alternating",
            r"p \cos a \ge 0 \implies \lambda_{\max}^2 \ge 1 - 2p: "
            r"\text{ no window as } p \to 0 \text{ either}",
            alternating,
        ),
        Clause(
            "coboundary",
            r"\theta_k = g_{k+1} - g_k + \mu \implies \cos S_n = \cos(g_n - g_0 + n\mu)",
            coboundary,
        ),
        Clause(
            "products",
            r"\mathbb{E}[AB] = \mathbb{E}A\;\mathbb{E}B \quad "
            r"(A, B \in \mathbb{R}^{2\times2} \text{ independent, finitely many values})",
            products,
        ),
    ),
)
