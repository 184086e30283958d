r"""Norms of powers of shears: the exact value, and contractions that grow first.

Main definitions
----------------
kappa0          (rho + 1 / rho) / 2, the largest ratio of the norm and exp(mu t)
width           kappa0 sinh(mu t), half the difference of the two singular values
envelope        exp(-gamma t) exp arsinh(kappa0 sinh(mu t)), the norm after time t
unit_columns    the eigenvectors at unit length

Main claims
-----------
symplectic.operator_norm

Conventions
-----------
As in `posproof.theory.symplectic.branches`.  n counts steps and t is a real time; norms are
spectral norms.

References
----------
Derived here.  The abstract of HySPE speaks of a contraction.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Abs, ImmutableMatrix, Rational, cos, cosh, exp, log, sin, sinh, sqrt

from posproof.theory.symbols import variables
from posproof.theory.symplectic.branches import a, alpha, b, beta, gamma, mu, n, rho, theta, x, y
from posproof.theory.symplectic.powers import (
    GENERIC,
    IDENTITY,
    below,
    determinant,
    norm,
    orbit,
    p,
    power,
    q,
    r,
    s,
    squares,
    stretch,
)
from posproof.theory.symplectic.shears import composed, squeeze
from posproof.theory.vocabulary import (
    And,
    Claim,
    Clause,
    Eq,
    ForAll,
    Iff,
    Implies,
    Le,
    Lt,
    Ne,
    Positive,
    Prop,
    Real,
)

t, h = variables("t h", Real)
#: sinh^2 at the peak, its time, and the root of rho.
peak_root, at_peak, size = variables("X T K", Positive)
SLOW, FAST = (ImmutableMatrix(variables(names, Real)) for names in ("x1 x2", "y1 y2"))


@dataclass(frozen=True)
class Norms:
    """The definitions of `symplectic.operator_norm`; a control replaces one of them."""

    composed: Callable[[Any, Any], ImmutableMatrix] = composed
    orbit: Callable[[Any, Any, Any], ImmutableMatrix] = orbit
    squeeze: Callable[[Any], ImmutableMatrix] = squeeze
    stretch: Callable[[Any], Any] = stretch
    kappa0: Callable[[Any], Any] = lambda rho: (rho + 1 / rho) / 2
    lean: Callable[[Any], Any] = lambda rho: Abs(rho - 1 / rho) / 2
    generic: Callable[[Any, Any], Any] = lambda square, sine: sqrt(square - 2) / (2 * sine)
    cosine: Callable[[Any, Any], Any] = lambda a, b: 1 + a * b / 2
    corner: Callable[[Any, Any], Any] = lambda a, b: b * (1 + a * b / 4)
    contracts: Callable[..., Prop] = lambda gamma, kappa, mu: Lt(kappa * sinh(mu), sinh(gamma))
    settles: Callable[..., Prop] = lambda gamma, kappa, mu: Le(kappa * mu, gamma)
    turning: Callable[..., Any] = lambda gamma, kappa, mu: (
        (mu**2 * kappa**2 - gamma**2) / (kappa**2 * (gamma**2 - mu**2))
    )
    adapted: Callable[[Any, Any], Any] = lambda gamma, mu: gamma - mu
    columns: Callable[[Any, Any], ImmutableMatrix] = lambda x, y: unit_columns(x, y)


def named_rates(of: Norms) -> Prop:
    """cosh mu = 1 + a b / 2 and a rho^2 = b (1 + a b / 4)."""
    return And(Eq(cosh(mu), of.cosine(a, b)), Eq(a * rho**2, of.corner(a, b)))


def width(of: Norms, time: Any) -> Any:
    """kappa0 sinh(mu t): half the difference of the two singular values."""
    return of.kappa0(rho) * sinh(mu * time)


def envelope(of: Norms, time: Any) -> Any:
    """exp(-gamma t) exp arsinh(kappa0 sinh(mu t))."""
    return exp(-gamma * time) * of.stretch(width(of, time))


def norm_of_powers(of: Norms) -> Prop:
    """Of the powers of S, and of the flow that interpolates them at real times."""
    steps = norm(power(of.composed(a, b), n), of.stretch(width(of, n)))
    flow = norm(of.orbit(mu, rho, t), of.stretch(width(of, t)))
    joined = Eq(of.orbit(mu, rho, t) * of.orbit(mu, rho, h), of.orbit(mu, rho, t + h))
    return And(
        ForAll((a, b, mu, rho, n), Implies(named_rates(of), steps)),
        ForAll((mu, rho, t), Implies(Le(0, t), flow)),
        ForAll((mu, rho, t, h), joined),
    )


def best_constant(of: Norms) -> Prop:
    value, kappa = of.stretch(width(of, t)), of.kappa0(rho)
    grown = exp(mu * t)
    parts = And(
        Le(grown, value),
        Le(value, kappa * grown),
        Le(kappa - value / grown, kappa / grown**2),
        Implies(Le(1, rho), Le(kappa, rho)),
        Implies(Le(rho, 1), Le(kappa, 1 / rho)),
    )
    return ForAll((mu, rho, t), Implies(Le(0, t), parts))


def any_hyperbolic(of: Norms) -> Prop:
    given = And(Eq(determinant(GENERIC), 1), Eq(2 * cosh(mu), p + s))
    kappa = of.generic(squares(GENERIC), sinh(mu))
    steps = norm(power(GENERIC, n), of.stretch(kappa * sinh(n * mu)))
    return ForAll((p, q, r, s, mu, n), Implies(given, steps))


def eigenvector_angle(of: Norms) -> Prop:
    """kappa0 sin(phi) = 1: the area of the parallelogram against the product of the lengths."""
    lengths = [vector[0] ** 2 + vector[1] ** 2 for vector in (SLOW, FAST)]
    given = And(
        Eq(determinant(GENERIC), 1),
        Eq(2 * cosh(mu), p + s),
        *(Eq(left, right) for left, right in zip(GENERIC * SLOW, exp(mu) * SLOW, strict=True)),
        *(Eq(left, right) for left, right in zip(GENERIC * FAST, exp(-mu) * FAST, strict=True)),
    )
    kappa = of.generic(squares(GENERIC), sinh(mu))
    area = SLOW[0] * FAST[1] - SLOW[1] * FAST[0]
    product = lengths[0] * lengths[1]
    names = (p, q, r, s, mu, *SLOW, *FAST)
    return ForAll(names, Implies(given, Eq(kappa**2 * area**2, product)))


def elliptic(of: Norms) -> Prop:
    given = And(Eq(cos(theta), of.cosine(alpha, beta)), Eq(alpha * rho**2, -of.corner(alpha, beta)))
    value = of.stretch(of.lean(rho) * Abs(sin(n * theta)))
    powers_of_it = power(of.composed(alpha, beta), n)
    limits = And(
        norm(powers_of_it, value),
        Implies(Le(1, rho), Le(value, rho)),
        Implies(Le(rho, 1), Le(value, 1 / rho)),
    )
    return ForAll((alpha, beta, theta, rho, n), Implies(given, limits))


def contraction_of_the_norm(of: Norms) -> Prop:
    kappa = of.kappa0(rho)
    largest = of.stretch(kappa * sinh(mu))
    one = exp(-gamma) * largest
    contracts = of.contracts(gamma, kappa, mu)
    # With gamma = arsinh(kappa0 sinh mu) the spectrum contracts and the norm does not.
    between = Implies(And(Ne(rho, 1), Eq(gamma, log(largest))), And(Lt(mu, gamma), Eq(one, 1)))
    parts = And(Iff(Lt(one, 1), contracts), Implies(contracts, Lt(mu, gamma)), between)
    return ForAll((gamma, mu, rho), parts)


def settling(of: Norms) -> Prop:
    falls = ForAll(
        (t, h), Implies(And(Le(0, t), Le(0, h)), Le(envelope(of, t + h), envelope(of, t)))
    )
    return ForAll((gamma, mu, rho), Iff(falls, of.settles(gamma, of.kappa0(rho), mu)))


def transient_peak(of: Norms) -> Prop:
    """X is sinh^2(mu T), T the time of the peak."""
    kappa = of.kappa0(rho)
    given = And(
        Lt(mu, gamma),
        Lt(gamma, kappa * mu),
        Eq(peak_root, of.turning(gamma, kappa, mu)),
        Eq(mu * at_peak, log(of.stretch(sqrt(peak_root)))),
    )
    top = envelope(of, at_peak)
    value = exp(-gamma * at_peak) * (kappa * sinh(mu * at_peak) + sqrt(1 + kappa**2 * peak_root))
    rising = Implies(
        And(Le(0, t), Le(0, h), Le(t + h, at_peak)), Le(envelope(of, t), envelope(of, t + h))
    )
    falling = Implies(And(Le(at_peak, t), Le(0, h)), Le(envelope(of, t + h), envelope(of, t)))
    near = Le(kappa * (1 - exp(-2 * mu * t) - (gamma - mu) * t), top)
    parts = And(
        ForAll((t, h), And(rising, falling)),
        Eq(top, value),
        Lt(1, top),
        Lt(top, kappa),
        ForAll(t, Implies(Le(0, t), near)),
    )
    return ForAll((gamma, mu, rho, peak_root, at_peak), Implies(given, parts))


def adapted_norm(of: Norms) -> Prop:
    """The root of rho is the variable K."""
    given = And(named_rates(of), Eq(rho, size**2))
    inside = of.squeeze(1 / size) * (exp(-gamma) * of.composed(a, b)) * of.squeeze(size)
    value = exp(-of.adapted(gamma, mu))
    contracts = Iff(Lt(value, 1), Lt(mu, gamma))
    return ForAll((a, b, mu, rho, size, gamma), Implies(given, And(norm(inside, value), contracts)))


def transient_growth(of: Norms) -> Prop:
    """gamma = 11/100, mu = 1/10, rho = 5, after 14 steps."""
    damping, rate, steps = Rational(11, 100), Rational(1, 10), 14
    wide = of.kappa0(sympy.Integer(5)) * sinh(steps * rate)
    return And(
        Lt(2, exp(-steps * damping) * of.stretch(wide)), Lt(exp(-of.adapted(damping, rate)), 1)
    )


def unit_columns(first: Any, second: Any) -> ImmutableMatrix:
    """The eigenvectors (1, rho) and (1, -rho) at unit length, scaled by two numbers."""
    columns = ImmutableMatrix([[first, second], [rho * first, -rho * second]])
    return columns / sqrt(1 + rho**2)


def inverse_columns(first: Any, second: Any) -> ImmutableMatrix:
    """The inverse of `unit_columns`."""
    rows = ImmutableMatrix([[1 / first, 1 / (rho * first)], [1 / second, -1 / (rho * second)]])
    return rows * sqrt(1 + rho**2) / 2


def conditioning(of: Norms) -> Prop:
    """The product of the two norms, for unit columns and for any scaling of them."""
    one, root, half = sympy.Integer(1), sqrt(1 + rho**2), sqrt(2)
    plain, back = of.columns(one, one), inverse_columns(one, one)
    scaled = of.columns(x, y), inverse_columns(x, y)
    product = sympy.MatMul(*scaled, evaluate=False)
    given = And(Ne(x, 0), Ne(y, 0), Le(0, t), Le(0, h), below(scaled[0], t), below(scaled[1], h))
    return And(
        ForAll((rho, x, y), Implies(And(Ne(x, 0), Ne(y, 0)), Eq(product, IDENTITY))),
        ForAll(
            rho, Implies(Le(1, rho), And(norm(plain, half * rho / root), norm(back, root / half)))
        ),
        ForAll(
            rho, Implies(Le(rho, 1), And(norm(plain, half / root), norm(back, root / (half * rho))))
        ),
        ForAll((rho, x, y, t, h), Implies(given, And(Le(rho, t * h), Le(1, rho * t * h)))),
    )


OPERATOR_NORM = Claim(
    id="symplectic.operator_norm",
    title="The norm of a power of shears, and contractions that grow first",
    kind="bound",
    definitions=Norms(),
    depends=("symplectic.powers", "symplectic.decompositions", "symplectic.damping"),
    stance="sharpened",
    reading=(
        "'Contraction' of a damped composition of shears: the spectrum contracts if gamma > mu. In "
        "the Euclidean norm that needs sinh gamma > kappa0 sinh mu; otherwise a vector may grow, "
        "by less than kappa0, before it decays."
    ),
    clauses=(
        Clause(
            "norm_of_powers",
            r"a, b > 0,\ \kappa_0 = \tfrac12(\rho + \rho^{-1}): \quad "
            r"\lVert S^n\rVert = \exp\operatorname{arsinh}(\kappa_0\sinh n\mu), \quad "
            r"\lVert S^t\rVert = \exp\operatorname{arsinh}(\kappa_0\sinh \mu t) "
            r"\quad (t \ge 0), \quad "
            r"S^t S^h = S^{t+h}",
            norm_of_powers,
        ),
        Clause(
            "best_constant",
            r"e^{\mu t} \le \lVert S^t\rVert \le \kappa_0 e^{\mu t}, \quad "
            r"\kappa_0 \le \max(\rho, \rho^{-1}), \quad \kappa_0 - \lVert S^t\rVert e^{-\mu t} "
            r"\le \kappa_0 e^{-2\mu t} \quad (t \ge 0)",
            best_constant,
        ),
        Clause(
            "any_hyperbolic",
            r"\det M = 1,\ \operatorname{tr} M = 2\cosh\mu,\ \mu > 0 \implies "
            r"\lVert M^n\rVert = \exp\operatorname{arsinh}(\kappa_0\sinh n\mu), \quad "
            r"\kappa_0 = \frac{\sqrt{\lVert M\rVert_F^2 - 2}}{2\sinh\mu}",
            any_hyperbolic,
        ),
        Clause(
            "eigenvector_angle",
            r"Mx = e^{\mu}x,\ My = e^{-\mu}y \implies \kappa_0^2\,(x_1y_2 - x_2y_1)^2 = "
            r"|x|^2|y|^2, \quad \text{that is } \kappa_0\sin\varphi = 1",
            eigenvector_angle,
        ),
        Clause(
            "conditioning",
            r"V = \frac{1}{\sqrt{1 + \rho^2}}\begin{pmatrix} 1 & 1 \ \rho & -\rho\end{pmatrix}: "
            r"\quad \lVert V\rVert\,\lVert V^{-1}\rVert = \max(\rho, \rho^{-1}) \le "
            r"\lVert VD\rVert\,\lVert (VD)^{-1}\rVert \quad (D\ \text{diagonal})",
            conditioning,
        ),
        Clause(
            "elliptic",
            r"\cos\theta = 1 + \tfrac{ab}{2},\ a\rho^2 = -b(1 + \tfrac{ab}{4}) \implies "
            r"\lVert S^n\rVert = \exp\operatorname{arsinh}\bigl(\tfrac12|\rho - \rho^{-1}|\,"
            r"|\sin n\theta|\bigr), \quad \lVert S^n\rVert \le \max(\rho, \rho^{-1})",
            elliptic,
        ),
        Clause(
            "contraction_of_the_norm",
            r"\lVert e^{-\gamma}S\rVert < 1 \iff \sinh\gamma > \kappa_0\sinh\mu \implies "
            r"\gamma > \mu; \quad \rho \ne 1 \implies \lVert e^{-\gamma}S\rVert = 1 "
            r"\text{ for a } \gamma > \mu",
            contraction_of_the_norm,
        ),
        Clause(
            "settling",
            r"t \mapsto E(t) = e^{-\gamma t}\lVert S^t\rVert \text{ does not increase} \iff "
            r"\gamma \ge \kappa_0\mu",
            settling,
        ),
        Clause(
            "transient_peak",
            r"\mu < \gamma < \kappa_0\mu,\ X = \frac{\mu^2\kappa_0^2 - \gamma^2}"
            r"{\kappa_0^2(\gamma^2 - \mu^2)},\ \mu T = \operatorname{arsinh}\sqrt X: \quad "
            r"E \text{ rises on } [0, T],\ \text{falls after}, \quad "
            r"1 < E(T) = e^{-\gamma T}\bigl(\kappa_0\sinh\mu T + \sqrt{1 + \kappa_0^2X}\bigr) "
            r"< \kappa_0, \quad \kappa_0\bigl(1 - e^{-2\mu t} - (\gamma - \mu)t\bigr) \le E(T) "
            r"\quad (t \ge 0)",
            transient_peak,
        ),
        Clause(
            "adapted_norm",
            r"D = \operatorname{diag}(\rho^{-1/2}, \rho^{1/2}): \quad "
            r"\lVert D^{-1} e^{-\gamma}S\, D\rVert = e^{-(\gamma - \mu)} < 1 \iff \gamma > \mu",
            adapted_norm,
        ),
        Clause(
            "transient_growth",
            r"\gamma = \tfrac{11}{100},\ \mu = \tfrac{1}{10},\ \rho = 5: \quad "
            r"\lVert M^{14}\rVert > 2,\quad e^{-(\gamma - \mu)} < 1",
            transient_growth,
        ),
    ),
)
