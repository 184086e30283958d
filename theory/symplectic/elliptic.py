r"""Rotations among the shears: the elliptic branch.

Main definitions
----------------
change      N = [[y, x], [0, 1]] / sqrt(y), which turns an elliptic matrix into a rotation
fixed       x = (p - s) / (2 r) and y = sin(theta) / |r|, the fixed point x + i y

Main claims
-----------
symplectic.elliptic_branch

Conventions
-----------
As in `posproof.theory.symplectic.shears`.  An elliptic matrix [[p, q], [r, s]] has r != 0; the sign
of r is the direction in which it turns.  q and k of a score are vectors.

References
----------
Derived here.  The abstract of HySPE says that RoPE is the compact, elliptic branch.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import ImmutableMatrix, cos, cosh, exp, sin, sqrt

from posproof.theory.symbols import Variable, variables
from posproof.theory.symplectic.powers import (
    ENTRIES,
    GENERIC,
    IDENTITY,
    NAMED,
    bounded,
    determinant,
    norm,
    p,
    power,
    q,
    r,
    s,
)
from posproof.theory.symplectic.shears import composed, rotation
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
    Positive,
    Prop,
    Real,
)

theta, x, d, u, v, alpha, beta = variables("theta x d u v a b", Real)
(y,) = variables("y", Positive)
n = Variable("n", Int(0))
QUERY, KEY = (ImmutableMatrix(variables(names, Real)) for names in ("q1 q2", "k1 k2"))
OTHER = ImmutableMatrix(2, 2, variables("n1 n2 n3 n4", Real))


def change(x: Any, y: Any) -> ImmutableMatrix:
    """[[y, x], [0, 1]] / sqrt(y)."""
    return ImmutableMatrix([[sqrt(y), x / sqrt(y)], [0, 1 / sqrt(y)]])


def change_back(x: Any, y: Any) -> ImmutableMatrix:
    """The inverse of `change`."""
    return ImmutableMatrix([[1 / sqrt(y), -x / sqrt(y)], [0, sqrt(y)]])


# ---------------------------------------------------------------------- symplectic.elliptic_branch
@dataclass(frozen=True)
class Elliptic:
    """The definitions of `symplectic.elliptic_branch`; a control replaces one of them."""

    change: Callable[[Any, Any], ImmutableMatrix] = change
    change_back: Callable[[Any, Any], ImmutableMatrix] = change_back
    rotation: Callable[[Any, Any], ImmutableMatrix] = rotation
    composed: Callable[[Any, Any], ImmutableMatrix] = composed
    shift: Callable[..., Any] = lambda p, r, s: (p - s) / (2 * r)
    height: Callable[[Any, Any], Any] = lambda y, r: y * r
    distance: Callable[[Any, Any], Any] = lambda x, y: (x**2 + y**2 + 1) / (2 * y)


def elliptic(of: Elliptic, sign: int) -> Prop:
    """det M = 1, trace M = 2 cos theta, x = (p - s) / (2 r) and y |r| = sin theta > 0."""
    return And(
        Eq(determinant(GENERIC), 1),
        Eq(2 * cos(theta), p + s),
        Lt(0, r) if sign > 0 else Lt(r, 0),
        Eq(x, of.shift(p, r, s)),
        Eq(sign * of.height(y, r), sin(theta)),
    )


def turned(of: Elliptic, sign: int, angle: Any) -> ImmutableMatrix:
    """R(angle), or R(-angle) for a matrix that turns the other way."""
    return of.rotation(cos(angle), sign * sin(angle))


def both_ways(goal: Callable[[int], Prop], of: Elliptic, *names: Any) -> Prop:
    """For r > 0 and for r < 0."""
    return And(
        *(
            ForAll((p, q, r, s, theta, x, y, *names), Implies(elliptic(of, sign), goal(sign)))
            for sign in (1, -1)
        )
    )


def conjugation(of: Elliptic) -> Prop:
    N, back = of.change(x, y), of.change_back(x, y)

    def goal(sign: int) -> Prop:
        return And(
            Eq(sympy.MatMul(back, GENERIC, N, evaluate=False), turned(of, sign, theta)),
            Eq(sympy.MatMul(N, back, evaluate=False), IDENTITY),
            Eq(determinant(N), 1),
        )

    return both_ways(goal, of)


def uniqueness(of: Elliptic) -> Prop:
    """N^-1 N' is a rotation, so that N' = N (N^-1 N') is N times one."""
    ratio = of.change_back(x, y) * OTHER

    def goal(sign: int) -> Prop:
        same = And(Eq(GENERIC * OTHER, OTHER * turned(of, sign, theta)), Eq(determinant(OTHER), 1))
        return Implies(same, And(Eq(ratio.T * ratio, IDENTITY), Eq(determinant(ratio), 1)))

    return both_ways(goal, of, *OTHER)


def fixed_point(of: Elliptic) -> Prop:
    """p z + q = z (r z + s) for z = x + i y, by real and imaginary part."""

    def goal(sign: int) -> Prop:
        return And(Eq(p * x + q, r * (x**2 - y**2) + s * x), Eq(p * y, 2 * r * x * y + s * y))

    return both_ways(goal, of)


def condition_number(of: Elliptic) -> Prop:
    """The norms of N and of its inverse are exp(d / 2)."""
    given = And(Le(0, d), Eq(cosh(d), of.distance(x, y)))
    half = exp(d / 2)
    norms = And(norm(of.change(x, y), half), norm(of.change_back(x, y), half))
    return ForAll((x, y, d), Implies(given, norms))


def powers_are_rotations(of: Elliptic) -> Prop:
    """M^n = N R(n theta) N^-1, what it makes of a score, and its norm."""
    N, back = of.change(x, y), of.change_back(x, y)
    away = And(Le(0, d), Eq(cosh(d), of.distance(x, y)))

    def goal(sign: int) -> Prop:
        turn = turned(of, sign, n * theta)
        score = (QUERY.T * NAMED * KEY)[0, 0]
        mapped = ((N.T * QUERY).T * turn * (back * KEY))[0, 0]
        named = Eq(NAMED, power(GENERIC, n))
        return And(
            Eq(power(GENERIC, n), N * turn * back),
            ForAll((*ENTRIES, *QUERY, *KEY), Implies(named, Eq(score, mapped))),
            Implies(away, bounded(power(GENERIC, n), exp(d))),
        )

    return both_ways(goal, of, n, d)


def rotations_among_shears(of: Elliptic) -> Prop:
    half = theta / 2
    found = of.composed(-sin(theta), 2 * sin(half) / cos(half))
    return ForAll(theta, Implies(Ne(cos(half), 0), Eq(found, of.rotation(cos(theta), sin(theta)))))


ELLIPTIC_BRANCH = Claim(
    id="symplectic.elliptic_branch",
    title="An elliptic composition of shears is RoPE between two fixed linear maps",
    kind="identity",
    definitions=Elliptic(),
    depends=("symplectic.powers",),
    clauses=(
        Clause(
            "conjugation",
            r"\det M = 1,\ \operatorname{tr} M = 2\cos\theta,\ x = \tfrac{p-s}{2r},\ "
            r"y = \tfrac{\sin\theta}{|r|} > 0,\ N = \tfrac{1}{\sqrt y}\begin{pmatrix} y & x \\ "
            r"0 & 1\end{pmatrix} \implies N^{-1}MN = R(\pm\theta),\ \det N = 1 "
            r"\quad (\pm = \operatorname{sign} r)",
            conjugation,
        ),
        Clause(
            "uniqueness",
            r"MN' = N'R(\pm\theta),\ \det N' = 1 \implies N' = NW,\ W^\top W = I,\ \det W = 1",
            uniqueness,
        ),
        Clause(
            "fixed_point",
            r"z = x + iy: \quad pz + q = z\,(rz + s)",
            fixed_point,
        ),
        Clause(
            "condition_number",
            r"\cosh d = \frac{x^2 + y^2 + 1}{2y},\ d \ge 0 \implies "
            r"\lVert N\rVert = \lVert N^{-1}\rVert = e^{d/2}, \quad \kappa(N) = e^{d}",
            condition_number,
        ),
        Clause(
            "powers_are_rotations",
            r"M^n = N R(\pm n\theta) N^{-1}, \quad q^\top M^n k = "
            r"(N^\top q)^\top R(\pm n\theta)\,(N^{-1}k), \quad \lVert M^n\rVert \le \kappa(N) "
            r"\quad (n \ge 0)",
            powers_are_rotations,
        ),
        Clause(
            "rotations_among_shears",
            r"S\bigl(-\sin\theta,\ 2\tan\tfrac\theta2\bigr) = R(\theta) \quad "
            r"(\cos\tfrac\theta2 \ne 0)",
            rotations_among_shears,
        ),
    ),
)
