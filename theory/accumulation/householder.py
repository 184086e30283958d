r"""Accumulated Householder-like factors: what is orthogonal, what is singular, what is no rotation.

Main definitions
----------------
reflected   H x = x - beta w (w . x), component by component, in any dimension
factor      the same as a matrix of a fixed size

Main claims
-----------
accumulation.householder

Conventions
-----------
H = I - beta w w^T with |w| = 1 and beta in [0, 2]; products have their factors in reading order,
H_1 H_2 .. H_k.  Vectors of any dimension d are sequences with indices 0 .. d - 1.

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

from posproof.theory.accumulation.gates import rotation
from posproof.theory.symbols import Variable, sequence, total, variables
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
    Not,
    Prop,
    Real,
)

i, d, a, n = (Variable(name, Int(0)) for name in "idan")
size = Variable("N", Int(0))
beta, theta, phi = variables("beta theta phi", Real)
w, x, z = (sequence(name) for name in "wxz")
W = tuple(sequence(f"w{index}") for index in range(1, 4))
BETAS = variables("beta1 beta2 beta3", Real)
T = tuple(variables(f"t{row}1 t{row}2 t{row}3", Real) for row in range(1, 4))
weight, first, second = (sequence(name) for name in ("p", "u", "v"))
sign = sequence("D")

#: A vector of any dimension: its component at an index.
Vector = Callable[[Any], Any]


def dot(left: Vector, right: Vector) -> Any:
    return total(i, d, left(i) * right(i))


def reflected(beta: Any, w: Vector, x: Vector) -> Vector:
    """H x."""
    return lambda at: x(at) - beta * w(at) * dot(w, x)


def column(name: str, length: int) -> sympy.ImmutableMatrix:
    return sympy.ImmutableMatrix(length, 1, variables(_names(name, length), Real))


def _names(name: str, length: int) -> str:
    return " ".join(f"{name}{index}" for index in range(length))


def factor(beta: Any, w: sympy.ImmutableMatrix) -> sympy.ImmutableMatrix:
    """I - beta w w^T."""
    return sympy.ImmutableMatrix(sympy.eye(w.rows) - beta * w * w.T)


def cells(left: Any, right: Any) -> tuple[Prop, ...]:
    """Equality of two matrices, entry by entry."""
    return tuple(Eq(one, other) for one, other in zip(left, right, strict=True))


@dataclass(frozen=True)
class Householder:
    """The definitions of `accumulation.householder`; a control replaces one of them."""

    reflected: Callable[[Any, Vector, Vector], Vector] = reflected
    factor: Callable[[Any, Any], Any] = factor
    largest: Any = 2
    left_over: Callable[[Any, Any], Any] = lambda beta, steps: (1 - beta) ** steps
    above: Callable[[int, int], bool] = lambda row, column: row < column
    doubled: Any = 2
    share: Callable[[Any], Any] = lambda d: 1 / d
    rotation: Callable[[Any], Any] = rotation


def unit(w: Vector) -> Prop:
    return Eq(dot(w, w), 1)


def squared(w: sympy.ImmutableMatrix) -> Any:
    return sum(cell**2 for cell in w)


def gram(of: Householder) -> Prop:
    image = dot(of.reflected(beta, w, x), of.reflected(beta, w, z))
    moved = dot(x, z) + beta * (beta - of.largest) * dot(w, x) * dot(w, z)
    return ForAll((d, beta), Implies(unit(w), Eq(image, moved)))


def contraction(of: Householder) -> Prop:
    image = of.reflected(beta, w, x)
    premise = And(unit(w), Le(0, beta), Le(beta, of.largest))
    below = Le((1 - beta) ** 2 * dot(x, x), dot(image, image))
    return ForAll((d, beta), Implies(premise, And(Le(dot(image, image), dot(x, x)), below)))


def fixed(of: Householder) -> Prop:
    along = Eq(of.reflected(beta, w, w)(a), (1 - beta) * w(a))
    across = Implies(Eq(dot(w, x), 0), Eq(of.reflected(beta, w, x)(a), x(a)))
    return ForAll((d, beta, a), Implies(unit(w), And(along, across)))


def inverse(of: Householder) -> Prop:
    back = of.reflected(beta / (beta - 1), w, of.reflected(beta, w, x))
    return ForAll((d, beta, a), Implies(And(unit(w), Ne(beta, 1)), Eq(back(a), x(a))))


def determinant(of: Householder) -> Prop:
    parts = []
    for length in (1, 2, 3):
        axis = column("w", length)
        names = variables(" ".join(_names(f"P{row}", length) for row in range(length)), Real)
        P = sympy.ImmutableMatrix(length, length, names)
        value = Eq((of.factor(beta, axis) * P).det(), (1 - beta) * P.det())
        parts.append(ForAll((*axis, *names, beta), Implies(Eq(squared(axis), 1), value)))
    return And(*parts)


def parity(of: Householder) -> Prop:
    # Determinants of products of reflections: each factor contributes 1 - beta with beta = 2.
    grows = ForAll(a, Implies(Lt(a, n), Eq(sign(a + 1), (1 - of.largest) * sign(a))))
    return ForAll(n, Implies(And(Eq(sign(0), 1), grows), Eq(sign(n), cos(sympy.pi * n))))


def constant(of: Householder) -> Prop:
    parts = []
    for length in (2, 3):
        axis = column("w", length)
        power = sympy.MatPow(of.factor(beta, axis), n)
        closed = sympy.eye(length) - (1 - of.left_over(beta, n)) * axis * axis.T
        same = Eq(power, sympy.ImmutableMatrix(closed))
        parts.append(ForAll((*axis, beta, n), Implies(Eq(squared(axis), 1), same)))
    return And(*parts)


def rank_one(of: Householder) -> Prop:
    parts = []
    for length in (2, 3):
        axis = column("w", length)
        names = variables(" ".join(_names(f"P{row}", length) for row in range(length)), Real)
        P, one = sympy.ImmutableMatrix(length, length, names), sympy.eye(length)
        more = (one - P) + beta * (P * axis) * axis.T
        same = cells(one - P * of.factor(beta, axis), more)
        parts.append(ForAll((*axis, *names, beta), And(*same)))
    return And(*parts)


def no_fixed_vector(of: Householder) -> Prop:
    x0, x1 = variables("x0 x1", Real)
    vector = sympy.ImmutableMatrix(2, 1, [x0, x1])
    same = cells(of.rotation(theta) * vector, vector)
    premise = And(Ne(cos(theta), 1), *same)
    return ForAll((theta, x0, x1), Implies(premise, And(Eq(x0, 0), Eq(x1, 0))))


def never_one_factor(of: Householder) -> Prop:
    axis = column("w", 2)
    premise = And(Eq(squared(axis), 1), Ne(cos(theta), 1))
    same = And(*cells(of.factor(beta, axis), of.rotation(theta)))
    return ForAll((*axis, beta, theta), Implies(premise, Not(same)))


def two_reflections(of: Householder) -> Prop:
    axes = (sympy.ImmutableMatrix(2, 1, [cos(angle), sin(angle)]) for angle in (theta, phi))
    before, after = (of.factor(2, axis) for axis in axes)
    turned = of.rotation(of.doubled * (phi - theta))
    return ForAll((theta, phi), And(*cells(after * before, turned)))


def compact(of: Householder) -> Prop:
    # T solves (I + B striu(W W^T)) T = B.
    equations = []
    for row in range(3):
        for column in range(3):
            upper = sum(
                BETAS[row] * dot(W[row], W[other]) * T[other][column]
                for other in range(3)
                if of.above(row, other)
            )
            equations.append(
                Eq(T[row][column] + upper, BETAS[row] if row == column else sympy.Integer(0))
            )
    image: Vector = x
    for beta_, axis in zip(reversed(BETAS), reversed(W), strict=True):
        image = of.reflected(beta_, axis, image)
    closed = x(a) - sum(
        W[row](a) * T[row][column] * dot(W[column], x) for row in range(3) for column in range(3)
    )
    names = (*BETAS, *T[0], *T[1], *T[2])
    return ForAll((d, a, *names), Implies(And(*equations), Eq(image(a), closed)))


def isotropic(of: Householder) -> Prop:
    # Two components u, v of a random unit vector with N values of weights p; d is real here.
    length = Variable("d", Real)

    def mean(value: Any) -> Any:
        return total(a, size, weight(a) * value)

    premise = And(
        Ne(length, 0),
        Eq(mean(1), 1),
        Eq(mean(first(a) ** 2), 1 / length),
        Eq(mean(first(a) * second(a)), 0),
    )
    diagonal = Eq(mean(1 - beta * first(a) ** 2), 1 - beta * of.share(length))
    across = Eq(mean(-beta * first(a) * second(a)), 0)
    axes: list[Prop] = []
    for dimension in range(1, 6):
        identity = sympy.eye(dimension)
        average = sum(
            (of.factor(beta, identity[:, k]) for k in range(dimension)), sympy.zeros(dimension)
        )
        value = (1 - beta * of.share(sympy.Integer(dimension))) * identity
        axes += cells(average * Rational(1, dimension), value)
    return And(
        ForAll((size, length, beta), Implies(premise, And(diagonal, across))),
        ForAll(beta, And(*axes)),
    )


HOUSEHOLDER = Claim(
    id="accumulation.householder",
    title="Products of Householder-like factors",
    kind="identity",
    definitions=Householder(),
    stance="corrected",
    reading=(
        "'Rotations are replaced by accumulated Householder-like products', read as a statement "
        "about the same kind of transport: the factors are orthogonal only for beta = 2, singular "
        "for beta = 1, and fewer than two of them a plane are never a rotary step."
    ),
    clauses=(
        Clause(
            "gram",
            r"H = I - \beta w w^\top,\ |w| = 1 \implies "
            r"\langle Hx, Hz\rangle = \langle x, z\rangle + \beta(\beta - 2)(w \cdot x)(w \cdot z)",
            gram,
        ),
        Clause(
            "contraction",
            r"0 \le \beta \le 2 \implies (1 - \beta)^2 |x|^2 \le |Hx|^2 \le |x|^2",
            contraction,
        ),
        Clause("fixed", r"Hw = (1 - \beta)\,w, \quad w \cdot x = 0 \implies Hx = x", fixed),
        Clause(
            "inverse",
            r"\beta \ne 1 \implies \Bigl(I - \tfrac{\beta}{\beta - 1} w w^\top\Bigr) H = I",
            inverse,
        ),
        Clause(
            "determinant",
            r"\det(H P) = (1 - \beta) \det P \quad (d = 1, 2, 3)",
            determinant,
        ),
        Clause(
            "parity",
            r"\beta = 2: \quad \det(H_1 \cdots H_n) = (-1)^n = \cos n\pi",
            parity,
        ),
        Clause(
            "constant",
            r"H^n = I - (1 - (1 - \beta)^n)\, w w^\top \quad (d = 2, 3)",
            constant,
        ),
        Clause(
            "rank_one",
            r"I - P H = (I - P) + \beta\,(P w)\, w^\top: "
            r"\text{ a factor adds at most one to the rank} \quad (d = 2, 3)",
            rank_one,
        ),
        Clause(
            "no_fixed_vector",
            r"\cos\theta \ne 1,\ R(\theta)\,x = x \implies x = 0",
            no_fixed_vector,
        ),
        Clause(
            "never_one_factor",
            r"\cos\theta \ne 1 \implies I - \beta w w^\top \ne R(\theta)",
            never_one_factor,
        ),
        Clause(
            "two_reflections",
            r"w_\alpha = (\cos\alpha, \sin\alpha): \quad "
            r"(I - 2 w_\phi w_\phi^\top)(I - 2 w_\theta w_\theta^\top) = R(2(\phi - \theta))",
            two_reflections,
        ),
        Clause(
            "compact",
            r"H_1 H_2 H_3 = I - W^\top T W, \quad "
            r"(I + B\,\operatorname{striu}(W W^\top))\,T = B,\ B = \operatorname{diag}(\beta_s)",
            compact,
        ),
        Clause(
            "isotropic",
            r"\mathbb{E}\,w w^\top = I/d \implies \mathbb{E} H = (1 - \beta/d)\, I; "
            r"\quad w \in \{\pm e_1, .., \pm e_d\} \text{ for } d \le 5",
            isotropic,
        ),
    ),
)
