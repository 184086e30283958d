r"""Damped shears: conformal symplecticity, and which spectra contract.

Main definitions
----------------
damped          exp(-gamma) S(a, b)
stable          every complex eigenvalue of a matrix has modulus below 1

Main claims
-----------
symplectic.damping

Conventions
-----------
As in `posproof.theory.symplectic.shears`.  mu is the hyperbolic rate, theta the elliptic angle and
rho the anisotropy of S(a, b); statements name them by the equations that define them.

References
----------
Derived here.  The abstract of HySPE speaks of a conformally symplectic contraction with two
spectral decay rates per channel pair.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Abs, ImmutableMatrix, cos, cosh, exp, log, sin

from posproof.theory.symbols import Variable, sequence, variables
from posproof.theory.symplectic.powers import (
    GENERIC,
    IDENTITY,
    bounded,
    determinant,
    norm,
    p,
    power,
    q,
    r,
    s,
    stretch,
)
from posproof.theory.symplectic.shears import composed
from posproof.theory.vocabulary import (
    And,
    Claim,
    Clause,
    Eq,
    ForAll,
    Iff,
    Implies,
    Int,
    Le,
    Lt,
    Ne,
    Or,
    Positive,
    Prop,
    Real,
)

gamma, theta, c, x, y, alpha, beta = variables("gamma theta c x y a b", Real)
other_a, other_b, other_gamma = variables("a' b' gamma'", Real)
a, b, mu, rho = variables("a b mu rho", Positive)
n, k, m = Variable("n", Int(0)), Variable("k", Int(0)), Variable("m", Int(1))
alphas, betas, gammas = sequence("a"), sequence("b"), sequence("gamma")
FORM = ImmutableMatrix([[0, 1], [-1, 0]])


def damped(gamma: Any, matrix: ImmutableMatrix) -> ImmutableMatrix:
    """exp(-gamma) M."""
    return exp(-gamma) * matrix


def pairs(first: ImmutableMatrix, second: ImmutableMatrix) -> ImmutableMatrix:
    """Two blocks on the diagonal."""
    return ImmutableMatrix(sympy.diag(first, second))


# ---------------------------------------------------------------------- symplectic.damping
@dataclass(frozen=True)
class Damping:
    """The definitions of `symplectic.damping`; a control replaces one of them."""

    damped: Callable[[Any, ImmutableMatrix], ImmutableMatrix] = damped
    composed: Callable[[Any, Any], ImmutableMatrix] = composed
    form: ImmutableMatrix = FORM
    rate: Callable[[Any], Any] = lambda det: -log(det) / 2
    equal: Callable[[Any, Any], Prop] = lambda first, second: Eq(first, second)
    cosine: Callable[[Any, Any], Any] = lambda a, b: 1 + a * b / 2
    corner: Callable[[Any, Any], Any] = lambda a, b: b * (1 + a * b / 4)
    slow: Callable[[Any, Any], Any] = lambda gamma, mu: gamma - mu
    fast: Callable[[Any, Any], Any] = lambda gamma, mu: gamma + mu
    contracts: Callable[[Any, Any], Prop] = lambda gamma, mu: Lt(mu, gamma)
    stretch: Callable[[Any], Any] = stretch
    kappa0: Callable[[Any], Any] = lambda rho: (rho + 1 / rho) / 2


def conformal(matrix: ImmutableMatrix, form: ImmutableMatrix, factor: Any) -> Prop:
    """M^T J M = factor J."""
    return Eq(matrix.T * form * matrix, factor * form)


def stable(matrix: ImmutableMatrix) -> Prop:
    """x^2 + y^2 < 1 wherever x + i y solves z^2 - trace z + det = 0."""
    trace, det = matrix.trace(), determinant(matrix)
    real, imaginary = x**2 - y**2 - trace * x + det, 2 * x * y - trace * y
    return ForAll((x, y), Implies(And(Eq(real, 0), Eq(imaginary, 0)), Lt(x**2 + y**2, 1)))


def characteristic(matrix: ImmutableMatrix) -> Any:
    """det(x - M)."""
    return determinant(x * IDENTITY - matrix)


def conformally_symplectic(of: Damping) -> Prop:
    matrix = of.damped(gamma, of.composed(alpha, beta))
    own = And(
        conformal(matrix, of.form, exp(-2 * gamma)),
        Eq(determinant(matrix), exp(-2 * gamma)),
    )
    det = determinant(GENERIC)
    named = And(Lt(0, det), Eq(gamma, of.rate(det)))
    every = Implies(named, conformal(GENERIC, of.form, exp(-2 * gamma)))
    return And(ForAll((alpha, beta, gamma), own), ForAll((p, q, r, s, gamma), every))


def two_pairs(of: Damping) -> Prop:
    both = pairs(
        of.damped(gamma, of.composed(alpha, beta)),
        of.damped(other_gamma, of.composed(other_a, other_b)),
    )
    one_factor = conformal(both, pairs(of.form, of.form), c)
    same = And(of.equal(gamma, other_gamma), Eq(c, exp(-2 * gamma)))
    names = (alpha, beta, gamma, other_a, other_b, other_gamma, c)
    return ForAll(names, Iff(one_factor, same))


def many_pairs(of: Damping) -> Prop:
    """The off-diagonal blocks vanish, so the condition is one for each block."""
    block = of.damped(gammas(k), of.composed(alphas(k), betas(k)))
    one_factor = ForAll(k, Implies(Lt(k, m), conformal(block, of.form, c)))
    same = ForAll(k, Implies(Lt(k, m), of.equal(gammas(k), gammas(0))))
    return ForAll((m, c), Iff(one_factor, And(same, Eq(c, exp(-2 * gammas(0))))))


def spectrum(of: Damping) -> Prop:
    matrix = of.damped(gamma, of.composed(alpha, beta))
    found, half_trace = characteristic(matrix), of.cosine(alpha, beta)
    slow, fast = exp(-of.slow(gamma, mu)), exp(-of.fast(gamma, mu))
    real, imaginary = exp(-gamma) * cos(theta), exp(-gamma) * sin(theta)
    cases = (
        (mu, Eq(cosh(mu), half_trace), (x - slow) * (x - fast)),
        (theta, Eq(cos(theta), half_trace), (x - real) ** 2 + imaginary**2),
        (mu, Eq(-cosh(mu), half_trace), (x + slow) * (x + fast)),
    )
    return And(
        *(
            ForAll((alpha, beta, gamma, rate, x), Implies(named, Eq(found, factors)))
            for rate, named, factors in cases
        )
    )


def contraction_of_the_spectrum(of: Damping) -> Prop:
    matrix, half_trace = of.damped(gamma, of.composed(alpha, beta)), of.cosine(alpha, beta)
    hyperbolic = Or(Eq(cosh(mu), half_trace), Eq(-cosh(mu), half_trace))
    bounded_trace = And(Le(-1, half_trace), Le(half_trace, 1))
    zero = sympy.Integer(0)
    return And(
        ForAll(
            (alpha, beta, gamma, mu),
            Implies(hyperbolic, Iff(stable(matrix), of.contracts(gamma, mu))),
        ),
        ForAll(
            (alpha, beta, gamma),
            Implies(bounded_trace, Iff(stable(matrix), of.contracts(gamma, zero))),
        ),
    )


def parabolic_norms(of: Damping) -> Prop:
    def grows(matrix: ImmutableMatrix, shear: Any) -> Prop:
        value = exp(-n * gamma) * of.stretch(n * Abs(shear) / 2)
        return norm(power(of.damped(gamma, matrix), n), value)

    zero, between = sympy.Integer(0), of.stretch(n * Abs(alpha) / 2)
    return And(
        ForAll((alpha, gamma, n), grows(of.composed(alpha, zero), alpha)),
        ForAll((beta, gamma, n), grows(of.composed(zero, beta), beta)),
        ForAll(
            (alpha, gamma, n),
            Implies(Ne(alpha, 0), grows(of.composed(alpha, -4 / alpha), alpha)),
        ),
        ForAll((alpha, n), And(Le(n * Abs(alpha), between), Le(between, n * Abs(alpha) + 1))),
    )


def slow_direction(of: Damping) -> Prop:
    """The vector (1, rho) shrinks, stays or grows; at gamma = mu nothing grows."""
    matrix = of.damped(gamma, of.composed(a, b))
    given = And(Eq(cosh(mu), of.cosine(a, b)), Eq(a * rho**2, of.corner(a, b)))
    slow, fast = ImmutableMatrix([1, rho]), ImmutableMatrix([1, -rho])
    parts = And(
        Eq(matrix * slow, exp(-of.slow(gamma, mu)) * slow),
        Eq(matrix * fast, exp(-of.fast(gamma, mu)) * fast),
        Implies(Eq(gamma, mu), bounded(power(matrix, n), of.kappa0(rho))),
    )
    return ForAll((a, b, mu, rho, gamma, n), Implies(given, parts))


DAMPING = Claim(
    id="symplectic.damping",
    title="Damped shears: conformal symplecticity and the two spectral rates",
    kind="equivalence",
    definitions=Damping(),
    depends=("symplectic.powers",),
    stance="sharpened",
    reading=(
        "'Conformally symplectic' of one channel pair says only that the determinant is positive; "
        "of several pairs it needs equal dampings. The spectrum contracts if gamma > mu, a "
        "hypothesis that the sentence leaves out."
    ),
    clauses=(
        Clause(
            "conformally_symplectic",
            r"M = e^{-\gamma}S(a,b): \quad M^\top J M = e^{-2\gamma}J,\ \det M = e^{-2\gamma}; "
            r"\quad N \in \mathbb{R}^{2\times2},\ \det N > 0 \implies N^\top J N = "
            r"e^{-2\gamma}J,\quad \gamma = -\tfrac12\ln\det N",
            conformally_symplectic,
        ),
        Clause(
            "two_pairs",
            r"M = e^{-\gamma}S(a,b) \oplus e^{-\gamma'}S(a',b'): \quad "
            r"M^\top (J \oplus J) M = c\,(J \oplus J) \iff \gamma = \gamma',\ c = e^{-2\gamma}",
            two_pairs,
        ),
        Clause(
            "many_pairs",
            r"M_k = e^{-\gamma_k}S(a_k,b_k): \quad M_k^\top J M_k = cJ\ (k < m) \iff "
            r"\gamma_k = \gamma_0\ (k < m),\ c = e^{-2\gamma_0} \quad (m \ge 1)",
            many_pairs,
        ),
        Clause(
            "spectrum",
            r"\cosh\mu = 1 + \tfrac{ab}{2}: \quad "
            r"\det(x - M) = (x - e^{-(\gamma-\mu)})(x - e^{-(\gamma+\mu)}); \quad "
            r"\cos\theta = 1 + \tfrac{ab}{2}: \quad "
            r"\det(x - M) = (x - e^{-\gamma}\cos\theta)^2 + (e^{-\gamma}\sin\theta)^2; \quad "
            r"\cosh\mu = -1 - \tfrac{ab}{2}: \quad "
            r"\det(x - M) = (x + e^{-(\gamma-\mu)})(x + e^{-(\gamma+\mu)})",
            spectrum,
        ),
        Clause(
            "contraction_of_the_spectrum",
            r"\text{spectral radius} < 1 \iff \gamma > \mu \quad (\mu > 0,\ "
            r"\cosh\mu = |1 + \tfrac{ab}{2}|), \quad \iff \gamma > 0 \quad "
            r"(|1 + \tfrac{ab}{2}| \le 1)",
            contraction_of_the_spectrum,
        ),
        Clause(
            "parabolic_norms",
            r"\lVert M^n\rVert = e^{-n\gamma}\exp\operatorname{arsinh}\frac{n|a|}{2} \quad "
            r"(b = 0\ \text{or}\ ab = -4), \quad "
            r"\text{with } |b| \text{ for } |a| \text{ if } a = 0; \quad "
            r"n|a| \le \exp\operatorname{arsinh}\frac{n|a|}{2} \le n|a| + 1",
            parabolic_norms,
        ),
        Clause(
            "slow_direction",
            r"a, b > 0: \quad M\binom{1}{\rho} = e^{-(\gamma-\mu)}\binom{1}{\rho},\quad "
            r"M\binom{1}{-\rho} = e^{-(\gamma+\mu)}\binom{1}{-\rho}; \quad "
            r"\gamma = \mu \implies \lVert M^n\rVert \le \kappa_0 = \tfrac12(\rho + \rho^{-1})",
            slow_direction,
        ),
    ),
)
