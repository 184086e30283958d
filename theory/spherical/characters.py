r"""The characters of the representations: Dirichlet kernels, and the mean score of two tokens.

Main definitions
----------------
character       chi_l(omega), the trace of D^l of a rotation by omega
measure         the density of the class measure
inner           the product of two characters over N points of the circle

Main claims
-----------
spherical.characters

Conventions
-----------
Every clause holds for all l = n / 2, n >= 0.  omega is the angle of a rotation, in radians; half of
it is the angle of its quaternion.

References
----------
Derived here; no publication is quoted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Rational, cos, sin

from posproof.theory.symbols import Variable, total, variables
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
    Positive,
    Prop,
    Real,
)

(omega,) = variables("omega", Real)
k, n, p, r, j, i = variables("k n p r j i", Int(0))


def character(degree: Any, angle: Any) -> Any:
    """chi_l(omega), the sum of cos(m omega), at degree = 2l."""
    return total(k, degree + 1, cos((k - degree / 2) * angle))


def measure(half: Any) -> Any:
    """The density of the class measure, sin^2(omega / 2), at half = omega / 2."""
    return sin(half) ** 2


@dataclass(frozen=True)
class Characters:
    """The definitions of `spherical.characters`; a control replaces one of them."""

    character: Callable[[Any, Any], Any] = character
    measure: Callable[[Any], Any] = measure
    size: Callable[[Any], Any] = lambda degree: degree + 1
    part: Callable[[Any, Any], Any] = lambda rest, index: rest + 2 * index
    lowest: Any = Rational(2173, 10000)
    spread: Any = 9


def dirichlet(of: Characters) -> Prop:
    value = Eq(sin(omega / 2) * of.character(n, omega), sin(of.size(n) * omega / 2))
    odd = Eq(total(k, n + 1, sin((k - n / 2) * omega)), 0)
    return ForAll((n, omega), And(value, odd))


def chebyshev(of: Characters) -> Prop:
    return ForAll(
        (n, omega), Eq(of.character(n, omega), sympy.chebyshevu(of.size(n) - 1, cos(omega / 2)))
    )


def clebsch_gordan(of: Characters) -> Prop:
    left = of.character(p + r, omega) * of.character(p, omega)
    return ForAll((p, r, omega), Eq(left, total(j, p + 1, of.character(of.part(r, j), omega))))


N = Variable("N", Int(1))


def inner(of: Characters, first: Any, second: Any) -> Any:
    """The sum over N points of the circle of half angles 2 pi i / N, with the class measure."""
    half = 2 * sympy.pi * i / N
    product = of.character(first, 2 * half) * of.character(second, 2 * half)
    return total(i, N, of.measure(half) * product)


def orthogonal(of: Characters) -> Prop:
    apart = Implies(Ne(n, p), Eq(inner(of, n, p), 0))
    alone = Eq(2 * inner(of, n, n), N)
    return And(
        ForAll((n, p, N), Implies(Lt(n + p + 2, N), apart)),
        ForAll((n, N), Implies(Lt(2 * n + 2, N), alone)),
    )


INTEGRAL = Informal(
    "the integral of sin^2(omega / 2) chi_l chi_l' / pi over [0, 2 pi] is 1 for l = l', else 0"
)

x0 = Variable("x", Positive)
degree = Variable("n", Int(1))
large = Variable("n", Int(3))


def dips(of: Characters) -> Prop:
    """At omega = 2 x / (2l + 1) the mean score is at most sin(x) / x."""
    size = of.size(degree)
    premise = And(Lt(x0, size * sympy.pi), Le(sin(x0), 0))
    goal = Le(x0 * of.character(degree, 2 * x0 / size), size * sin(x0))
    return ForAll((degree, x0), Implies(premise, goal))


z = Variable("x", Real)


def sinc_above(factor: Any) -> Prop:
    """sin x >= -factor x for x >= 0."""
    return ForAll(z, Implies(Le(0, z), Le(-factor * z, sin(z))))


def no_lower(of: Characters) -> Prop:
    size = of.size(large)
    premise = And(Lt(0, omega), Le(omega, sympy.pi))
    goal = Le(-of.lowest * size, (1 - of.spread / size**2) * of.character(large, omega))
    return ForAll((large, omega), Implies(premise, goal))


def sinc(of: Characters) -> Prop:
    nine_halves = Rational(9, 2)
    near = of.lowest - Rational(1, 10000)
    return And(Lt(sin(nine_halves), -near * nine_halves), sinc_above(of.lowest))


MEAN = Informal(
    "the mean of q^H D(R) q over unit vectors q drawn by Haar measure is chi_l(omega) / (2l + 1)"
)

CHARACTERS = Claim(
    id="spherical.characters",
    title="Characters are Dirichlet kernels; the mean score does not decay to zero",
    kind="identity",
    definitions=Characters(),
    depends=("spherical.maximal_torus",),
    clauses=(
        Clause(
            "dirichlet",
            r"\sin\tfrac\omega2 \sum_{m=-l}^{l} \cos m\omega = \sin\tfrac{(2l+1)\,\omega}2, \quad "
            r"\sum_{m=-l}^{l} \sin m\omega = 0 \quad \text{for all } l",
            dirichlet,
        ),
        Clause(
            "chebyshev",
            r"\chi_l(\omega) = U_{2l}(\cos\tfrac\omega2) \quad \text{for all } l",
            chebyshev,
        ),
        Clause(
            "clebsch_gordan",
            r"\chi_j\,\chi_k = \sum_{J=|j-k|}^{j+k} \chi_J \quad \text{for all } j, k",
            clebsch_gordan,
        ),
        Clause(
            "orthogonal",
            r"N > 2l + 2l' + 2 \implies "
            r"\frac2N \sum_{i=0}^{N-1} \sin^2\tfrac{2\pi i}N\, \chi_l(\tfrac{4\pi i}N)\, "
            r"\chi_{l'}(\tfrac{4\pi i}N) = \delta_{l l'}",
            orthogonal,
        ),
        Clause(
            "integral",
            r"\frac1\pi \int_0^{2\pi} \sin^2\tfrac\omega2\, \chi_l(\omega)\, \chi_{l'}(\omega)\, "
            r"d\omega = \delta_{l l'}",
            lambda of: INTEGRAL,
        ),
        Clause(
            "mean_score",
            r"\mathbb{E}_{|q| = 1}\, q^\dagger D^l(R)\, q = \frac{\chi_l(\omega)}{2l+1}, \quad "
            r"\omega \text{ the angle of } R",
            lambda of: MEAN,
        ),
        Clause(
            "dips",
            r"0 < x < (2l+1)\,\pi,\ \sin x \le 0 \quad\implies\quad "
            r"\frac{\chi_l(2x/(2l+1))}{2l+1} \le \frac{\sin x}{x} \quad (l \ge \tfrac12)",
            dips,
        ),
        Clause(
            "no_lower",
            r"\Bigl(1 - \frac9{(2l+1)^2}\Bigr) \frac{\chi_l(\omega)}{2l+1} \ge -0.2173 "
            r"\quad (0 < \omega \le \pi,\ l \ge \tfrac32)",
            no_lower,
        ),
        Clause(
            "sinc",
            r"\frac{\sin\frac92}{\frac92} < -0.2172, \quad "
            r"\sin x \ge -0.2173\, x \quad (x \ge 0)",
            sinc,
        ),
    ),
)
