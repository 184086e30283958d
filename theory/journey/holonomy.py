r"""The holonomy of a square of two rotations of space, in closed form.

Main definitions
----------------
rotation(axis, angle)          a rotation of space (Rodrigues)
lift, multiply                 unit quaternions of rotations, and their product
quarter_sine(a, b, gamma)      the sine of a quarter of the holonomy angle of two rotations
commuting(a, b, gamma)         when the two rotations commute

Main claims
-----------
journey.so3_holonomy

Conventions
-----------
Angles in radians; axes are unit vectors.  Operators act on column vectors, so the latest step of a
path stands leftmost.  Quaternions are (scalar, vector).

References
----------
none: derived for this project
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Abs, cos, pi, sin

from posproof.theory.journey.loops import eye, zeros
from posproof.theory.symbols import variables
from posproof.theory.vocabulary import (
    And,
    Box,
    Claim,
    Clause,
    Eq,
    Exists,
    ForAll,
    Iff,
    Implies,
    Int,
    Integer,
    Le,
    Lt,
    Or,
    Prop,
    Real,
)

Vector = Sequence[Any]
Quaternion = Sequence[Any]

a, b, gamma, psi, phi = variables("a b gamma psi phi", Real)
alpha, beta = variables("a b", Box(-1, 1))
u, v, x, y = (variables(f"{name}1 {name}2 {name}3", Real) for name in "uvxy")
quaternion = variables("k0 k1 k2 k3", Real)
(k,) = variables("k", Integer)
(steps,) = variables("p", Int(0))


def cross_matrix(axis: Vector) -> sympy.ImmutableMatrix:
    """The matrix of the cross product with `axis`."""
    x, y, z = axis
    return sympy.ImmutableMatrix([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def rotation(axis: Vector, angle: Any) -> sympy.ImmutableMatrix:
    """The rotation of space by `angle` radians about a unit `axis` (Rodrigues)."""
    turn = cross_matrix(axis)
    return eye(3) + sin(angle) * turn + (1 - cos(angle)) * turn * turn


def lift(axis: Vector, angle: Any) -> Quaternion:
    """One of the two unit quaternions of a rotation: half the angle about the same axis."""
    x, y, z = (sin(angle / 2) * part for part in axis)
    return cos(angle / 2), x, y, z


def multiply(p: Quaternion, q: Quaternion) -> Quaternion:
    """The product of two quaternions, the scalar part first."""
    a, b, c, d = p
    e, f, g, h = q
    return (
        a * e - b * f - c * g - d * h,
        a * f + b * e + c * h - d * g,
        a * g - b * h + c * e + d * f,
        a * h + b * g - c * f + d * e,
    )


def conjugate(q: Quaternion) -> Quaternion:
    """The inverse of a unit quaternion."""
    return q[0], -q[1], -q[2], -q[3]


def euler_rodrigues(q: Quaternion) -> sympy.ImmutableMatrix:
    """The rotation of a unit quaternion."""
    vector = sympy.ImmutableMatrix(3, 1, q[1:])
    scalar = q[0] ** 2 - q[1] ** 2 - q[2] ** 2 - q[3] ** 2
    outer = 2 * vector * vector.T
    return scalar * eye(3) + 2 * q[0] * cross_matrix(q[1:]) + outer


def quarter_sine(a: Any, b: Any, gamma: Any) -> Any:
    """The sine of a quarter of the holonomy angle."""
    return Abs(sin(a / 2) * sin(b / 2) * sin(gamma))


def commuting(a: Any, b: Any, gamma: Any) -> Or:
    """When rotations by a and b about axes at the angle gamma commute."""
    return Or(
        Exists(k, Eq(a, 2 * pi * k)),
        Exists(k, Eq(b, 2 * pi * k)),
        Eq(sin(gamma), 0),
        And(
            Exists(k, Eq(a, pi * (2 * k + 1))),
            Exists(k, Eq(b, pi * (2 * k + 1))),
            Eq(cos(gamma), 0),
        ),
    )


def dot(x: Sequence[Any], y: Sequence[Any]) -> Any:
    return sum(s * t for s, t in zip(x, y, strict=True))


@dataclass(frozen=True)
class Rotations:
    """The definitions of two turning axes; a control replaces one of them.

    The holonomy angle psi in [0, 2 pi] is `parts` times the arc sine of `quarter_sine`.
    """

    rotation: Callable[[Vector, Any], sympy.ImmutableMatrix] = rotation
    lift: Callable[[Vector, Any], Quaternion] = lift
    multiply: Callable[[Quaternion, Quaternion], Quaternion] = multiply
    matrix: Callable[[Quaternion], sympy.ImmutableMatrix] = euler_rodrigues
    quarter_sine: Callable[[Any, Any, Any], Any] = quarter_sine
    commuting: Callable[[Any, Any, Any], Prop] = commuting
    parts: int = 4

    def angle(self, psi: Any, a: Any, b: Any, gamma: Any) -> And:
        """psi is the holonomy angle of the rotations by a and b about axes at the angle gamma."""
        sine = Eq(sin(psi / self.parts), self.quarter_sine(a, b, gamma))
        return And(Le(0, psi), Le(psi, 2 * pi), sine)

    def ways(self) -> tuple[sympy.ImmutableMatrix, sympy.ImmutableMatrix]:
        """The two ways along a square, A B and B A."""
        first, second = self.rotation(u, a), self.rotation(v, b)
        return first * second, second * first

    def trace(self) -> Any:
        """The trace of A B A^T B^T = (A B) (B A)^T."""
        first, second = self.ways()
        return dot(list(first), list(second))

    def lifts(self) -> tuple[Quaternion, Quaternion]:
        return self.lift(u, a), self.lift(v, b)

    def around(self) -> Quaternion:
        """The lift of the holonomy A B A^-1 B^-1."""
        p, q = self.lifts()
        return self.multiply(self.multiply(p, q), self.multiply(conjugate(p), conjugate(q)))

    def normal(self) -> Vector:
        """The vector part of the lift of A^-1 B^-1 A B, which A B - B A sends to 0."""
        p, q = self.lifts()
        return self.multiply(self.multiply(conjugate(p), conjugate(q)), self.multiply(p, q))[1:]

    def defect(self) -> sympy.ImmutableMatrix:
        """A B - B A, by which the two ways around a square differ."""
        first, second = self.ways()
        return first - second


#: Two unit axes at the angle gamma.
AXES = And(Eq(dot(u, u), 1), Eq(dot(v, v), 1), Eq(dot(u, v), cos(gamma)))


def _two_axes(of: Rotations, conclusion: Prop) -> Prop:
    """The conclusion for unit axes at the angle gamma, psi being the holonomy angle."""
    premise = And(*AXES.parts, *of.angle(psi, a, b, gamma).parts)
    return ForAll((a, b, gamma, psi, *u, *v), Implies(premise, conclusion))


def well_defined(of: Rotations) -> Prop:
    exists = ForAll((a, b, gamma), Exists(psi, of.angle(psi, a, b, gamma)))
    both = And(*of.angle(psi, a, b, gamma).parts, *of.angle(phi, a, b, gamma).parts)
    return And(exists, ForAll((a, b, gamma, psi, phi), Implies(both, Eq(psi, phi))))


def lifted(of: Rotations) -> Prop:
    scalar = of.around()[0]
    squares = sin(a / 2) ** 2 * sin(b / 2) ** 2 * sin(gamma) ** 2
    return _two_axes(of, And(Eq(scalar, 1 - 2 * squares), Eq(scalar, cos(psi / 2))))


def holonomy(of: Rotations) -> Prop:
    first, second = of.ways()
    around = sympy.MatMul(first, second.T, evaluate=False)
    unit = Eq(dot(of.around(), of.around()), 1)
    return _two_axes(
        of, And(Eq(around, of.matrix(of.around())), unit, Eq(of.trace(), 1 + 2 * cos(psi)))
    )


def special_orthogonal(of: Rotations) -> Prop:
    whole = of.matrix(quaternion)
    special = And(
        Eq(whole.T * whole, eye(3)),
        Eq(sympy.Determinant(whole), 1),
        Eq(whole.trace(), 4 * quaternion[0] ** 2 - 1),
    )
    return ForAll(quaternion, Implies(Eq(dot(quaternion, quaternion), 1), special))


def turning_angle(of: Rotations) -> Prop:
    premise = And(
        *AXES.parts,
        *of.angle(psi, a, b, gamma).parts,
        Le(0, phi),
        Le(phi, pi),
        Eq(of.trace(), 1 + 2 * cos(phi)),
    )
    folded = And(Implies(Le(psi, pi), Eq(phi, psi)), Implies(Le(pi, psi), Eq(phi, 2 * pi - psi)))
    return ForAll((a, b, gamma, psi, phi, *u, *v), Implies(premise, folded))


def spectrum(of: Rotations) -> Prop:
    defect, normal = of.defect(), sympy.ImmutableMatrix(3, 1, of.normal())
    height = sin(psi / 2) ** 2
    whole = 4 * (height * eye(3) - normal * normal.T)
    return _two_axes(
        of,
        And(
            Eq(defect.T * defect, whole),
            Eq(dot(of.normal(), of.normal()), height),
            Eq(defect * normal, zeros(3, 1)),
        ),
    )


def norms(of: Rotations) -> Prop:
    defect = of.defect()

    def square(vector: Vector) -> Any:
        moved = defect * sympy.ImmutableMatrix(3, 1, vector)
        return dot(list(moved), list(moved))

    height = 4 * sin(psi / 2) ** 2
    attained = And(Lt(0, dot(y, y)), Eq(square(y), height * dot(y, y)))
    return _two_axes(
        of,
        And(
            Eq(dot(list(defect), list(defect)), 2 * height),
            ForAll(x, Le(square(x), height * dot(x, x))),
            Exists(y, attained),
        ),
    )


def repeated(of: Rotations) -> Prop:
    power = sympy.MatPow(of.rotation(u, a), steps, evaluate=False)
    whole = Eq(power, of.rotation(u, steps * a))
    return ForAll((a, *u, steps), Implies(Eq(dot(u, u), 1), whole))


def small_angles(of: Rotations) -> Prop:
    area, error = Abs(alpha * beta * sin(gamma)), Abs(alpha * beta) * (alpha**2 + beta**2) / 24
    near = And(Le(psi - area, error), Le(area - psi, error))
    return ForAll((alpha, beta, gamma, psi), Implies(of.angle(psi, alpha, beta, gamma), near))


def commutes(of: Rotations) -> Prop:
    first, second = of.ways()
    equal = Iff(Eq(first, second), of.commuting(a, b, gamma))
    return ForAll((a, b, gamma, *u, *v), Implies(AXES, equal))


def anticommute(of: Rotations) -> Prop:
    p, q = of.lifts()
    opposite = zip(of.multiply(p, q), of.multiply(q, p), strict=True)
    half_turns = And(Eq(cos(a / 2), 0), Eq(cos(b / 2), 0), Eq(dot(u, v), 0))
    return ForAll((a, b, *u, *v), Implies(half_turns, And(*(Eq(s, -t) for s, t in opposite))))


SO3_HOLONOMY = Claim(
    id="journey.so3_holonomy",
    title="The holonomy of two rotations of space in closed form",
    kind="identity",
    definitions=Rotations(),
    hypotheses=(
        r"$A$ and $B$ turn by $a$ and $b$ about unit axes $u$ and $v$ at the angle $\gamma$, with "
        r"lifts $p$ and $q$ in $SU(2)$",
        r"$\psi\in[0,2\pi]$, $\psi = 4\arcsin|\sin\tfrac a2\,\sin\tfrac b2\,\sin\gamma|$",
    ),
    clauses=(
        Clause(
            "well_defined",
            r"\exists!\,\psi\in[0,2\pi]:\ \sin\tfrac\psi4 = "
            r"|\sin\tfrac a2\,\sin\tfrac b2\,\sin\gamma|",
            well_defined,
        ),
        Clause(
            "lifted",
            r"\operatorname{Re}(p\,q\,p^{-1}q^{-1}) = "
            r"1 - 2\sin^2\tfrac a2\,\sin^2\tfrac b2\,\sin^2\gamma = \cos\tfrac\psi2",
            lifted,
        ),
        Clause(
            "holonomy",
            r"ABA^{-1}B^{-1} = \mathcal R(p\,q\,p^{-1}q^{-1}),\quad |p\,q\,p^{-1}q^{-1}| = 1,\quad "
            r"\operatorname{tr} ABA^{-1}B^{-1} = 1 + 2\cos\psi",
            holonomy,
        ),
        Clause(
            "special_orthogonal",
            r"|k| = 1 \implies \mathcal R(k)^{\top}\mathcal R(k) = I,\ \det\mathcal R(k) = 1,\ "
            r"\operatorname{tr}\mathcal R(k) = 4k_0^2 - 1",
            special_orthogonal,
        ),
        Clause(
            "turning_angle",
            r"\operatorname{tr} ABA^{-1}B^{-1} = 1 + 2\cos\varphi,\ \varphi\in[0,\pi] \implies "
            r"\varphi = \min(\psi,\,2\pi - \psi)",
            turning_angle,
        ),
        Clause(
            "spectrum",
            r"(AB-BA)^{\top}(AB-BA) = 4(\sin^2\tfrac\psi2\,I - nn^{\top}),\quad "
            r"|n| = |\sin\tfrac\psi2|,\quad (AB-BA)\,n = 0",
            spectrum,
        ),
        Clause(
            "norms",
            r"\|AB-BA\|_2 = 2|\sin\tfrac\psi2|,\quad \|AB-BA\|_F = 2\sqrt2\,|\sin\tfrac\psi2|",
            norms,
        ),
        Clause("repeated", r"R(u,a)^p = R(u,pa)\quad (p\ge 0)", repeated),
        Clause(
            "small_angles",
            r"\bigl|\psi - |ab\sin\gamma|\bigr| \le \tfrac{1}{24}|ab|\,(a^2+b^2)"
            r"\quad (|a|,|b|\le 1)",
            small_angles,
        ),
        Clause(
            "commutes",
            r"AB = BA \iff a\in2\pi\mathbb Z\ \lor\ b\in2\pi\mathbb Z\quad\lor\ (\sin\gamma = 0)"
            r"\quad\lor\ (a\equiv b\equiv\pi \bmod 2\pi,\ \cos\gamma = 0)",
            commutes,
        ),
        Clause(
            "anticommute",
            r"\cos\tfrac a2 = \cos\tfrac b2 = u\cdot v = 0 \implies p\,q = -q\,p",
            anticommute,
        ),
    ),
)
