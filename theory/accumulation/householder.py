r"""Accumulated Householder-like factors: what is orthogonal, what is singular, what is no rotation.

Main definitions
----------------
reflected   H x = x - beta w (w . x), component by component, in any dimension
factor      the same as a matrix of a fixed size
steps       the rows y_s = x^T H_1 .. H_s of a product of any number of factors

Main claims
-----------
accumulation.householder

Conventions
-----------
H = I - beta w w^T with |w| = 1 and beta in [0, 2]; products have their factors in reading order,
H_1 H_2 .. H_k.  Vectors of any dimension d are sequences with indices 0 .. d - 1; several of them
are stored one after the other in one sequence, component i of vector s at s d + i.

References
----------
Derived here; no publication is quoted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Rational, cos, pi, sin

from posproof.theory.accumulation.gates import rotation
from posproof.theory.symbols import Variable, sequence, total, variables
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
    Not,
    Or,
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
step, before, j, c, m, half, place = (Variable(name, Int(0)) for name in "stjcmhp")
axes, states, scales, taken, angles = (sequence(name) for name in ("w", "y", "b", "c", "theta"))

#: A vector of any dimension: its component at an index.
Vector = Callable[[Any], Any]


def dot(left: Vector, right: Vector) -> Any:
    return total(i, d, left(i) * right(i))


def reflected(beta: Any, w: Vector, x: Vector) -> Vector:
    """H x."""
    return lambda at: x(at) - beta * w(at) * dot(w, x)


def stored(vectors: Any, at: Any) -> Vector:
    """Vector number `at` of those stored one after the other in a sequence."""
    return lambda index: vectors(at * d + index)


def everywhere(claim: Callable[[Any], Prop]) -> Prop:
    """A claim about every component."""
    return ForAll(j, Implies(Lt(j, d), claim(j)))


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
    earlier: Callable[[Any], Any] = lambda step: step
    most: Callable[[Any], Any] = lambda count: count

    def steps(self, count: Any, axis: Callable[[Any], Vector], scale: Callable[[Any], Any]) -> And:
        """The rows y_0 = x and y_{s+1} = y_s H_s for s < count."""

        def grown(index: Any) -> Prop:
            image = self.reflected(scale(step), axis(step), stored(states, step))
            return Eq(stored(states, step + 1)(index), image(index))

        grows = ForAll(step, Implies(Lt(step, count), everywhere(grown)))
        return And(everywhere(lambda index: Eq(states(index), x(index))), grows)


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


def orthogonal(of: Householder) -> Prop:
    ends = Or(Eq(beta, 0), Eq(beta, of.largest))
    kept = Eq(dot(of.reflected(beta, w, x), of.reflected(beta, w, z)), dot(x, z))
    along = of.reflected(beta, w, w)
    only = Implies(Eq(dot(along, along), 1), ends)
    return ForAll((d, beta), Implies(unit(w), And(Implies(ends, kept), only)))


def singular(of: Householder) -> Prop:
    along = of.reflected(beta, w, w)
    gone = Iff(Eq(dot(along, along), 0), Eq(beta, 1))
    # x is any row of a frame A: no product A H is a frame, whatever A.
    never = Implies(Eq(beta, 1), Eq(dot(of.reflected(beta, w, x), w), 0))
    return ForAll((d, beta), Implies(unit(w), And(gone, never)))


def norm(of: Householder) -> Prop:
    # What is across w: on a line nothing, in more dimensions a vector that is not zero.
    def across(index: Any) -> Any:
        return x(index) - dot(w, x) * w(index)

    still = Eq(of.reflected(beta, w, across)(a), across(a))
    size = Eq(dot(across, across), dot(x, x) - dot(w, x) ** 2)
    line = column("w", 1)
    scaled = Implies(Eq(squared(line), 1), Eq(of.factor(beta, line)[0, 0], 1 - beta))
    return And(
        ForAll((d, beta, a), Implies(unit(w), And(still, size))),
        ForAll((*line, beta), scaled),
    )


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


def _product_matrix(of: Householder, size: int) -> tuple[Callable[[Any], Any], Callable[..., Prop]]:
    """The product of the first factors with beta = 2, and the premise that makes it one."""
    names = [[sequence(f"P{row}{column}") for column in range(size)] for row in range(size)]
    parts = [sequence(f"w{row}") for row in range(size)]

    def product(at: Any) -> sympy.ImmutableMatrix:
        return sympy.ImmutableMatrix([[cell(at) for cell in row] for row in names])

    def premise(count: Any) -> Prop:
        axis = sympy.ImmutableMatrix([part(step) for part in parts])
        grown = cells(product(step + 1), product(step) * of.factor(of.largest, axis))
        grows = ForAll(step, Implies(Lt(step, count), And(Eq(squared(axis), 1), *grown)))
        return And(*cells(product(0), sympy.eye(size)), grows)

    return product, premise


def parity(of: Householder) -> Prop:
    parts = []
    for size in (2, 3):
        product, premise = _product_matrix(of, size)
        signed = Eq(product(n).det(), cos(pi * n))
        parts.append(ForAll(n, Implies(premise(n), signed)))
    return And(*parts)


def odd_distance(of: Householder) -> Prop:
    product, premise = _product_matrix(of, 2)
    odd = 2 * half + 1
    same = And(*cells(product(odd), of.rotation(theta)))
    return ForAll((half, theta), Implies(premise(odd), Not(same)))


def constant(of: Householder) -> Prop:
    start, grows = of.steps(n, lambda at: w, lambda at: beta).parts

    def left(index: Any) -> Prop:
        value = x(index) - (1 - of.left_over(beta, n)) * dot(w, x) * w(index)
        return Eq(stored(states, n)(index), value)

    return ForAll((d, n, beta), Implies(And(unit(w), start, grows), everywhere(left)))


def powers(of: Householder) -> Prop:
    parts = []
    for length in (2, 3):
        axis = column("w", length)
        power = sympy.MatPow(of.factor(beta, axis), n)
        closed = sympy.eye(length) - (1 - of.left_over(beta, n)) * axis * axis.T
        same = Eq(power, sympy.ImmutableMatrix(closed))
        parts.append(ForAll((*axis, beta, n), Implies(Eq(squared(axis), 1), same)))
    return And(*parts)


def _axis(at: Any) -> Vector:
    return stored(axes, at)


def rank(of: Householder) -> Prop:
    start, grows = of.steps(n, _axis, scales).parts
    amount = Eq(taken(step), scales(step) * dot(_axis(step), stored(states, step)))
    amounts = ForAll(step, Implies(Lt(step, n), amount))

    def combined(index: Any) -> Prop:
        spanned = total(before, n, taken(before) * _axis(before)(index))
        return Eq(x(index) - stored(states, n)(index), spanned)

    return ForAll((d, n), Implies(And(start, grows, amounts), everywhere(combined)))


def too_few(of: Householder) -> Prop:
    # Row p of L, of L H_1, .. is one after the other at (n + 1) p, (n + 1) p + 1, ..
    def row(at: Any) -> Vector:
        return stored(states, (n + 1) * place + at)

    def grown(index: Any) -> Prop:
        image = of.reflected(scales(step), _axis(step), row(step))
        return Eq(row(step + 1)(index), image(index))

    def left(index: Any) -> Any:
        return row(0)(index) - row(n)(index)

    def each(claim: Prop) -> Prop:
        return ForAll(place, Implies(Lt(place, d), claim))

    amount = Eq(taken(n * place + step), scales(step) * dot(_axis(step), row(step)))
    steps = ForAll(step, Implies(Lt(step, n), everywhere(grown)))
    amounts = ForAll(step, Implies(Lt(step, n), amount))
    zero = ForAll(j, Implies(And(Lt(j, d), Ne(place, j)), Eq(left(j), 0)))
    inverse = (each(Eq(left(place), 1)), each(zero))
    premise = And(each(steps), each(amounts), *inverse)
    return ForAll((d, n), Implies(premise, Le(d, of.most(n))))


def step_inverse(of: Householder) -> Prop:
    turned = of.rotation(theta)
    flat = sympy.ImmutableMatrix([[1 - cos(theta), -sin(theta)], [sin(theta), 1 - cos(theta)]])
    left = flat / (2 * (1 - cos(theta))) * (sympy.eye(2) - turned)
    return ForAll(theta, Implies(Ne(cos(theta), 1), And(*cells(left, sympy.eye(2)))))


def _across(count: Any) -> Prop:
    return ForAll(step, Implies(Lt(step, count), Eq(dot(_axis(step), x), 0)))


def unmoved(of: Householder) -> Prop:
    start, grows = of.steps(n, _axis, scales).parts
    same = everywhere(lambda index: Eq(stored(states, n)(index), x(index)))
    return ForAll((d, n), Implies(And(start, grows, _across(n)), same))


def spans(of: Householder) -> Prop:
    start, grows = of.steps(n, _axis, scales).parts
    last = stored(states, n)
    pair = sympy.ImmutableMatrix([[x(2 * c), x(2 * c + 1)]])
    turned = cells([last(2 * c), last(2 * c + 1)], pair * of.rotation(angles(c)))
    rotary = And(Eq(d, 2 * m), ForAll(c, Implies(Lt(c, m), And(Ne(cos(angles(c)), 1), *turned))))
    zero = ForAll(c, Implies(Lt(c, m), And(Eq(x(2 * c), 0), Eq(x(2 * c + 1), 0))))
    premise = And(start, grows, _across(n), *rotary.parts)
    return ForAll((d, n, m), Implies(premise, zero))


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


def triangular(of: Householder) -> Prop:
    start, grows = of.steps(n, _axis, scales).parts
    earlier = total(before, of.earlier(step), taken(before) * dot(_axis(before), _axis(step)))
    solved = Eq(taken(step) + earlier * scales(step), dot(x, _axis(step)) * scales(step))
    solves = ForAll(step, Implies(Lt(step, n), solved))

    def left(index: Any) -> Prop:
        gone = total(before, n, taken(before) * _axis(before)(index))
        return Eq(stored(states, n)(index), x(index) - gone)

    return ForAll((d, n), Implies(And(start, grows, solves), everywhere(left)))


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
        Clause(
            "orthogonal",
            r"\beta \in \{0, 2\} \implies \langle Hx, Hz\rangle = \langle x, z\rangle, \quad "
            r"|Hw| = |w| \implies \beta \in \{0, 2\}",
            orthogonal,
        ),
        Clause(
            "singular",
            r"Hw = 0 \iff \beta = 1, \quad \beta = 1 \implies (x^\top H)\,w = 0: "
            r"\ A H \text{ has no inverse, whatever } A",
            singular,
        ),
        Clause(
            "norm",
            r"y = x - (w \cdot x)\, w \implies Hy = y,\ |y|^2 = |x|^2 - (w \cdot x)^2; \quad "
            r"d = 1: \ H = 1 - \beta",
            norm,
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
            r"\beta = 2: \quad \det(H_1 \cdots H_n) = (-1)^n = \cos n\pi \quad (d = 2, 3)",
            parity,
        ),
        Clause(
            "odd_distance",
            r"\beta = 2,\ n \text{ odd} \implies H_1 \cdots H_n \ne R(\theta) \quad (d = 2)",
            odd_distance,
        ),
        Clause(
            "constant",
            r"x^\top H^n = x^\top - (1 - (1 - \beta)^n)\,(w \cdot x)\, w^\top",
            constant,
        ),
        Clause(
            "powers",
            r"H^n = I - (1 - (1 - \beta)^n)\, w w^\top \quad (d = 2, 3)",
            powers,
        ),
        Clause(
            "rank",
            r"x^\top (I - H_1 \cdots H_k) = \sum_{s \le k} c_s\, w_s^\top, \quad "
            r"c_s = \beta_s\,(x^\top H_1 \cdots H_{s-1})\, w_s",
            rank,
        ),
        Clause(
            "too_few",
            r"L\,(I - H_1 \cdots H_k) = I \implies d \le k, \quad "
            r"C_{ps} = \beta_s\,(L H_1 \cdots H_{s-1} w_s)_p",
            too_few,
        ),
        Clause(
            "step_inverse",
            r"\cos\theta \ne 1 \implies \frac{1}{2 (1 - \cos\theta)} \begin{pmatrix} "
            r"1 - \cos\theta & -\sin\theta \\ \sin\theta & 1 - \cos\theta \end{pmatrix} "
            r"(I - R(\theta)) = I",
            step_inverse,
        ),
        Clause(
            "unmoved",
            r"w_s \cdot x = 0\ (s \le k) \implies x^\top H_1 \cdots H_k = x^\top",
            unmoved,
        ),
        Clause(
            "spans",
            r"x^\top H_1 \cdots H_k = x^\top \textstyle\bigoplus_{c<m} R(\theta_c),\ "
            r"\cos\theta_c \ne 1,\ w_s \cdot x = 0\ (s \le k) \implies x = 0",
            spans,
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
            "triangular",
            r"x^\top H_1 \cdots H_k = x^\top - c^\top W, \quad "
            r"c^\top (I + \operatorname{striu}(W W^\top)\, B) = x^\top W^\top B",
            triangular,
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
