r"""The representations of SU(2) on homogeneous polynomials, and of SO(3) through them.

Main definitions
----------------
quaternion      U = [[a, -b'], [b, a']] of a = w - i z and b = y - i x; a', b' are the conjugates
action          T(M): how a 2x2 matrix acts on the forms u^k v^(2l - k)
Pair            first + second e: what complex and dual numbers have in common
Number          a complex number by its real and imaginary part
rotation        T of the quaternion (w, x, y, z), by its real and imaginary part
weight          C(2l, k), what the form u^k v^(2l - k) is weighed with
real_basis      the change from complex to real spherical harmonics
form, bracket   a form with arbitrary coefficients, and the product of two powers of linear forms

Main claims
-----------
spherical.polynomial_entries, spherical.group_law, spherical.all_degrees

Conventions
-----------
twice = 2l.  Index k = l + m runs from 0 to 2l, so m = -l .. l ascends.  A matrix [[p, r], [q, s]]
takes u to p u + q v and v to r u + s v; column k of T(M) holds the coefficients of the image of
u^k v^(2l - k).  The Wigner matrix is D_(m' m) = T_(k' k) sqrt(k'! (2l - k')! / (k! (2l - k)!)),
which is sqrt(weight_k / weight_k') T_(k' k).  Polynomial identities hold for quaternions of any
length |q|; D is a unitary matrix where |q| = 1, and |q|^(2l) times one elsewhere.

References
----------
Derived here; no publication is quoted.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Self

import sympy
from sympy import ImmutableMatrix, MatAdd, MatMul, Rational, binomial, sqrt

from posproof.theory.operators import UNIT, unknowns
from posproof.theory.symbols import sequence, total, variables
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
    Positive,
    Prop,
    Real,
)

#: The degrees 2l of the clauses that go through the entries one by one.
DEGREES = (1, 2, 3, 4, 5, 6)
ENTRYWISE = (1, 2, 3, 4, 6)

#: w, x, y, z.
Quaternion = tuple[Any, Any, Any, Any]


def quaternion(a: Any, a_bar: Any, b: Any, b_bar: Any) -> ImmutableMatrix:
    """U = [[a, -b'], [b, a']]; of length one it is a rotation, up to its sign."""
    return ImmutableMatrix([[a, -b_bar], [b, a_bar]])


def adjoint(a: Any, a_bar: Any, b: Any, b_bar: Any) -> ImmutableMatrix:
    """[[a', b'], [-b, a]], the conjugate transpose of `quaternion`."""
    return ImmutableMatrix([[a_bar, b_bar], [-b, a]])


def norm(a: Any, a_bar: Any, b: Any, b_bar: Any) -> Any:
    """a a' + b b' = |q|^2."""
    return a * a_bar + b * b_bar


def coefficients(twice: int, p: Any, q: Any, r: Any, s: Any) -> list[list[Any]]:
    """The rows of T([[p, r], [q, s]]) for entries that can be added and multiplied."""

    def entry(row: int, column: int) -> Any:
        return sum(
            binomial(column, i)
            * binomial(twice - column, row - i)
            * (p**i * q ** (column - i) * r ** (row - i) * s ** (twice - column - row + i))
            for i in range(max(0, row + column - twice), min(row, column) + 1)
        )

    return [[entry(row, column) for column in range(twice + 1)] for row in range(twice + 1)]


@lru_cache(maxsize=512)
def action(twice: int, matrix: ImmutableMatrix) -> ImmutableMatrix:
    """T(M), of shape (twice + 1, twice + 1)."""
    (p, r), (q, s) = matrix.tolist()
    return ImmutableMatrix(coefficients(twice, p, q, r, s))


# ---------------------------------------------------------------------- complex numbers
@dataclass(frozen=True)
class Pair(ABC):
    """first + second e, where a subclass says what the square of e adds to a product."""

    first: Any
    second: Any

    @abstractmethod
    def squared(self, other: Pair) -> Any:
        """What (second e)(other.second e) is."""

    def __add__(self, other: Any) -> Self:
        if not isinstance(other, Pair):
            return type(self)(self.first + other, self.second)
        return type(self)(self.first + other.first, self.second + other.second)

    def __mul__(self, other: Any) -> Self:
        if not isinstance(other, Pair):
            return type(self)(self.first * other, self.second * other)
        return type(self)(
            self.first * other.first + self.squared(other),
            self.first * other.second + self.second * other.first,
        )

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> Self:
        return type(self)(-self.first, -self.second)

    def __pow__(self, exponent: int) -> Self:
        if exponent == 0:
            return type(self)(sympy.Integer(1), sympy.Integer(0))
        return self if exponent == 1 else self * self ** (exponent - 1)


class Number(Pair):
    """A complex number by its real and imaginary part."""

    def squared(self, other: Pair) -> Any:
        return -(self.second * other.second)

    @property
    def real(self) -> Any:
        return self.first

    @property
    def imag(self) -> Any:
        return self.second

    @property
    def conjugate(self) -> Number:
        return Number(self.first, -self.second)


@dataclass(frozen=True)
class Complex:
    """A complex matrix by its real and imaginary part; products are kept as they are written."""

    real: Any
    imag: Any

    def __matmul__(self, other: Complex) -> Complex:
        return Complex(
            MatAdd(MatMul(self.real, other.real), MatMul(-1, self.imag, other.imag)),
            MatAdd(MatMul(self.real, other.imag), MatMul(self.imag, other.real)),
        )

    @property
    def adjoint(self) -> Complex:
        return Complex(self.real.T, MatMul(-1, self.imag.T))

    @property
    def transpose(self) -> Complex:
        return Complex(self.real.T, self.imag.T)

    @property
    def conjugate(self) -> Complex:
        return Complex(self.real, MatMul(-1, self.imag))


def collected(rows: list[list[Number]]) -> Complex:
    """The matrix of complex numbers."""
    return Complex(
        ImmutableMatrix([[cell.real for cell in row] for row in rows]),
        ImmutableMatrix([[cell.imag for cell in row] for row in rows]),
    )


def equal(left: Complex, right: Complex) -> Prop:
    return And(Eq(left.real, right.real), Eq(left.imag, right.imag))


def scalar(size: int, value: Any) -> ImmutableMatrix:
    """The multiple of the identity."""
    return ImmutableMatrix(size, size, lambda i, j: value if i == j else 0)


def rotation(twice: int, q: Quaternion) -> Complex:
    """T(U(q)) of a quaternion with real w, x, y, z."""
    w, x, y, z = q
    a, b = Number(w, -z), Number(y, -x)
    return collected(coefficients(twice, a, b, -b.conjugate, a.conjugate))


# ---------------------------------------------------------------------- Wigner matrices
def weight(twice: int, k: int) -> Any:
    """C(2l, k)."""
    return binomial(twice, k)


def scale(twice: int, row: int, column: int) -> Any:
    """sqrt(k'! (2l - k')! / (k! (2l - k)!)), row k' and column k."""
    return sqrt(Rational(weight(twice, column), weight(twice, row)))


def scaling(twice: int, power: int) -> ImmutableMatrix:
    """diag(weight_k^(power / 2)) for power = 1 or -1."""
    cells = [sqrt(weight(twice, k)) ** power for k in range(twice + 1)]
    return ImmutableMatrix(sympy.diag(*cells))


def wigner(twice: int, matrix: ImmutableMatrix) -> MatMul:
    """D^l = G^-1 T G with G = diag(sqrt(weight)), for any 2x2 matrix."""
    return MatMul(scaling(twice, -1), action(twice, matrix), scaling(twice, 1))


def times(p: Quaternion, q: Quaternion) -> Quaternion:
    """The product of two quaternions: U(p q) = U(p) U(q)."""
    a, b, c, d = p
    e, f, g, h = q
    return (
        a * e - b * f - c * g - d * h,
        a * f + b * e + c * h - d * g,
        a * g - b * h + c * e + d * f,
        a * h + b * g - c * f + d * e,
    )


def real_basis(l: int) -> Complex:  # noqa: E741
    """C: rows are real harmonics m = -l .. l, columns complex ones."""
    rows = [[Number(0, 0)] * (2 * l + 1) for _ in range(2 * l + 1)]
    rows[l][l] = Number(1, 0)
    half = 1 / sqrt(2)
    for m in range(1, l + 1):
        sign = (-1) ** m
        rows[l + m][l - m], rows[l + m][l + m] = Number(half, 0), Number(sign * half, 0)
        rows[l - m][l - m], rows[l - m][l + m] = Number(0, half), Number(0, -sign * half)
    return collected(rows)


def changed(basis: Complex, matrix: Complex) -> Complex:
    """conj(C) D C^T."""
    return basis.conjugate @ matrix @ basis.transpose


def rotation_matrix(q: Quaternion) -> ImmutableMatrix:
    """|q|^2 times the rotation of space, rows and columns x, y, z."""
    w, x, y, z = q
    return ImmutableMatrix(
        [
            [w**2 + x**2 - y**2 - z**2, 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), w**2 - x**2 + y**2 - z**2, 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), w**2 - x**2 - y**2 + z**2],
        ]
    )


#: The order (y, z, x), in which the real harmonics of degree 1 are the coordinates.
ORDER = ImmutableMatrix([[0, 1, 0], [0, 0, 1], [1, 0, 0]])


# ------------------------------------------------------------- spherical.polynomial_entries
@dataclass(frozen=True)
class Forms:
    """The definitions of `spherical.polynomial_entries`; a control replaces one of them."""

    action: Callable[[int, ImmutableMatrix], ImmutableMatrix] = action
    quaternion: Callable[[Any, Any, Any, Any], ImmutableMatrix] = quaternion
    adjoint: Callable[[Any, Any, Any, Any], ImmutableMatrix] = adjoint
    weight: Callable[[int, int], Any] = weight
    product: Callable[[ImmutableMatrix, ImmutableMatrix], ImmutableMatrix] = lambda m, n: m * n
    sign: Callable[[int], int] = lambda twice: (-1) ** twice
    rotation: Callable[[int, Quaternion], Complex] = rotation
    full_turn: Any = 2 * sympy.pi
    scale: Callable[[int, int, int], Any] = scale


FIRST = variables("p q r s", Real)
SECOND = variables("P Q R S", Real)
CAYLEY = variables("a a' b b'", Real)
TURN: Quaternion = variables("w x y z", Real)  # type: ignore[assignment]
(phi,) = variables("phi", Real)


def cells(names: tuple[Any, ...]) -> ImmutableMatrix:
    """[[p, r], [q, s]]."""
    p, q, r, s = names
    return ImmutableMatrix([[p, r], [q, s]])


def multiplicative(of: Forms) -> Prop:
    m, n = cells(FIRST), cells(SECOND)
    return ForAll(
        (*FIRST, *SECOND),
        And(
            *(
                Eq(
                    of.action(twice, of.product(m, n)),
                    MatMul(of.action(twice, m), of.action(twice, n)),
                )
                for twice in DEGREES
            )
        ),
    )


def isometric(of: Forms) -> Prop:
    parts = []
    for twice in DEGREES:
        form, other = (of.action(twice, m(*CAYLEY)) for m in (of.quaternion, of.adjoint))
        parts.append(Eq(MatMul(other, form), scalar(twice + 1, norm(*CAYLEY) ** twice)))
    return ForAll(CAYLEY, And(*parts))


def adjoint_form(of: Forms) -> Prop:
    a, a_bar, b, b_bar = CAYLEY
    parts = []
    for twice in DEGREES:
        weights = ImmutableMatrix(sympy.diag(*(of.weight(twice, k) for k in range(twice + 1))))
        conjugated = of.action(twice, of.quaternion(a_bar, a, b_bar, b))
        other = of.action(twice, of.adjoint(*CAYLEY))
        parts.append(Eq(MatMul(conjugated, weights), MatMul(weights, other.T)))
    return ForAll(CAYLEY, And(*parts))


def double_cover(of: Forms) -> Prop:
    negative = tuple(-part for part in CAYLEY)
    return ForAll(
        CAYLEY,
        And(
            *(
                Eq(
                    of.action(twice, of.quaternion(*negative)),
                    MatMul(of.sign(twice), of.action(twice, of.quaternion(*CAYLEY))),
                )
                for twice in DEGREES
            )
        ),
    )


def around(angle: Any) -> Quaternion:
    """The quaternion of the rotation about z."""
    return sympy.cos(angle / 2), 0, 0, sympy.sin(angle / 2)


def full_turn(of: Forms) -> Prop:
    parts = []
    for twice in DEGREES:
        before, after = (of.rotation(twice, around(at)) for at in (phi, phi + of.full_turn))
        sign = of.sign(twice)
        turned = Complex(MatMul(sign, before.real), MatMul(sign, before.imag))
        parts.append(equal(after, turned))
    return ForAll(phi, And(*parts))


def entries(of: Forms) -> Prop:
    """The row m' = 0 of D^1, which is (T_10 sqrt 2 / 2, T_11, T_12 sqrt 2 / 2) of T."""
    w, x, y, z = TURN
    form = of.rotation(2, TURN)
    row = (
        Number(-w * y + x * z, -w * x - y * z) * sqrt(2),
        Number(w**2 - x**2 - y**2 + z**2, 0),
        Number(w * y - x * z, -w * x - y * z) * sqrt(2),
    )
    parts = []
    for k, value in enumerate(row):
        factor = of.scale(2, 1, k)
        parts += [
            Eq(factor * form.real[1, k], value.real),
            Eq(factor * form.imag[1, k], value.imag),
        ]
    return ForAll(TURN, And(*parts))


POLYNOMIAL_ENTRIES = Claim(
    id="spherical.polynomial_entries",
    title="Wigner matrices are polynomials in the quaternion",
    kind="identity",
    definitions=Forms(),
    clauses=(
        Clause(
            "multiplicative",
            r"T(MN) = T(M)\,T(N) \quad \text{for all } M, N \in \mathbb{R}^{2\times 2}"
            r"\quad (2l = 1, \dots, 6)",
            multiplicative,
        ),
        Clause(
            "isometric",
            r"T(U^\dagger)\,T(U) = (a a' + b b')^{2l}\, I, \quad "
            r"U = \begin{pmatrix} a & -b' \\ b & a' \end{pmatrix},\ "
            r"U^\dagger = \begin{pmatrix} a' & b' \\ -b & a \end{pmatrix} \quad (2l = 1, \dots, 6)",
            isometric,
        ),
        Clause(
            "adjoint_form",
            r"\overline{T}_{k k'}\, w_{k'} = T(U^\dagger)_{k' k}\, w_k, \quad "
            r"w_k = \binom{2l}{k},\ \overline{T} = T(U(a', a, b', b)) \quad (2l = 1, \dots, 6)",
            adjoint_form,
        ),
        Clause(
            "double_cover",
            r"T(-U) = (-1)^{2l}\, T(U) \quad (2l = 1, \dots, 6)",
            double_cover,
        ),
        Clause(
            "full_turn",
            r"T(R_z(\varphi + 2\pi)) = (-1)^{2l}\, T(R_z(\varphi)) \quad (2l = 1, \dots, 6)",
            full_turn,
        ),
        Clause(
            "entries",
            r"D^l_{m'm} = T_{k'k} \sqrt{\frac{k'!\,(2l - k')!}{k!\,(2l - k)!}},\ k = l + m; \quad "
            r"D^1_{00} = w^2 - x^2 - y^2 + z^2, \quad "
            r"D^1_{0,\mp 1} = \sqrt2\,(\mp(wy - xz) - i(wx + yz))",
            entries,
        ),
    ),
)


# ---------------------------------------------------------------------- spherical.group_law
@dataclass(frozen=True)
class Wigner:
    """The definitions of `spherical.group_law`; a control replaces one of them."""

    wigner: Callable[[int, ImmutableMatrix], MatMul] = wigner
    quaternion: Callable[[Any, Any, Any, Any], ImmutableMatrix] = quaternion
    adjoint: Callable[[Any, Any, Any, Any], ImmutableMatrix] = adjoint
    product: Callable[[ImmutableMatrix, ImmutableMatrix], ImmutableMatrix] = lambda m, n: m * n
    rotation: Callable[[int, Quaternion], Complex] = rotation
    times: Callable[[Quaternion, Quaternion], Quaternion] = times
    real_basis: Callable[[int], Complex] = real_basis
    changed: Callable[[Complex, Complex], Complex] = changed
    rotation_matrix: Callable[[Quaternion], ImmutableMatrix] = rotation_matrix
    order: ImmutableMatrix = ORDER
    gram: Callable[[Any, Any], Any] = lambda transposed, matrix: transposed @ matrix


Q = TURN
P: Quaternion = variables("w0 x0 y0 z0", Real)  # type: ignore[assignment]


def quaternion_product(of: Wigner) -> Prop:
    return ForAll(
        (*P, *Q),
        And(
            *(
                equal(
                    of.rotation(twice, of.times(P, Q)),
                    of.rotation(twice, P) @ of.rotation(twice, Q),
                )
                for twice in (1, 2)
            )
        ),
    )


def group_law(of: Wigner) -> Prop:
    m, n = cells(FIRST), cells(SECOND)
    parts = (
        Eq(of.wigner(twice, of.product(m, n)), MatMul(of.wigner(twice, m), of.wigner(twice, n)))
        for twice in ENTRYWISE
    )
    return ForAll((*FIRST, *SECOND), And(*parts))


def unitary(of: Wigner) -> Prop:
    parts = []
    for twice in ENTRYWISE:
        matrix, conjugated = conjugates(of, twice)
        one = scalar(twice + 1, norm(*CAYLEY) ** twice)
        parts.append(Eq(MatMul(sympy.Transpose(conjugated), matrix), one))
    return ForAll(CAYLEY, And(*parts))


def inverse(of: Wigner) -> Prop:
    parts = []
    for twice in ENTRYWISE:
        _, conjugated = conjugates(of, twice)
        parts.append(Eq(of.wigner(twice, of.adjoint(*CAYLEY)), sympy.Transpose(conjugated)))
    return ForAll(CAYLEY, And(*parts))


def conjugates(of: Wigner, twice: int) -> tuple[MatMul, MatMul]:
    """D(U) and its complex conjugate."""
    a, a_bar, b, b_bar = CAYLEY
    here = of.wigner(twice, of.quaternion(a, a_bar, b, b_bar))
    return here, of.wigner(twice, of.quaternion(a_bar, a, b_bar, b))


def real(of: Wigner) -> Prop:
    parts = []
    for l in (1, 2, 3):  # noqa: E741
        basis, zero = of.real_basis(l), scalar(2 * l + 1, 0)
        here, there = conjugates(of, 2 * l)
        matrix = of.changed(basis, Complex(here, zero))
        conjugated = of.changed(basis.conjugate, Complex(there, zero))
        parts.append(equal(matrix, conjugated))
    return ForAll(CAYLEY, And(*parts))


def basis_unitary(of: Wigner) -> Prop:
    parts = []
    for l in (1, 2, 3):  # noqa: E741
        basis, size = of.real_basis(l), 2 * l + 1
        one = Complex(scalar(size, 1), scalar(size, 0))
        parts += [equal(basis @ basis.adjoint, one), equal(basis.adjoint @ basis, one)]
    return And(*parts)


#: Operators: C, its adjoint, D, its transpose, the conjugates of C, of D, and C^T.
C, C_ADJOINT, D, D_TRANSPOSED, C_CONJUGATE, D_CONJUGATE, C_TRANSPOSED = unknowns(
    "C C^H D D^T C* D* C^T"
)


def orthogonal(of: Wigner) -> Prop:
    matrix, other = C_CONJUGATE @ D @ C_TRANSPOSED, C @ D_CONJUGATE @ C_ADJOINT
    transposed = C @ D_TRANSPOSED @ C_ADJOINT
    premise = And(
        Eq(matrix, other),
        Eq(C_ADJOINT @ C, UNIT),
        Eq(C @ C_ADJOINT, UNIT),
        Eq(D_TRANSPOSED @ D_CONJUGATE, UNIT),
    )
    names = (C, C_ADJOINT, D, D_TRANSPOSED, C_CONJUGATE, D_CONJUGATE, C_TRANSPOSED)
    return ForAll(names, Implies(premise, Eq(of.gram(transposed, matrix), UNIT)))


def vector(of: Wigner) -> Prop:
    """T of degree 1, scaled as D is."""
    form = of.rotation(2, Q)
    scaled = Complex(
        *(MatMul(scaling(2, -1), part, scaling(2, 1)) for part in (form.real, form.imag))
    )
    turned = of.changed(of.real_basis(1), scaled)
    goal = MatMul(of.order, of.rotation_matrix(Q), of.order.T)
    return ForAll(Q, equal(turned, Complex(goal, scalar(3, 0))))


GROUP_LAW = Claim(
    id="spherical.group_law",
    title="Wigner matrices multiply like rotations, are unitary, and real in the right basis",
    kind="identity",
    definitions=Wigner(),
    depends=("spherical.polynomial_entries",),
    clauses=(
        Clause(
            "quaternion_product",
            r"T(pq) = T(p)\,T(q) \quad \text{for quaternions } p, q \quad (l = \tfrac12, 1)",
            quaternion_product,
        ),
        Clause(
            "group_law",
            r"D^l(MN) = D^l(M)\,D^l(N) \quad (l = \tfrac12, 1, \tfrac32, 2, 3)",
            group_law,
        ),
        Clause(
            "unitary",
            r"D^l(U)^\dagger D^l(U) = (a a' + b b')^{2l}\, I \quad "
            r"(l = \tfrac12, 1, \tfrac32, 2, 3)",
            unitary,
        ),
        Clause(
            "inverse",
            r"D^l(U^\dagger) = D^l(U)^\dagger \quad (l = \tfrac12, 1, \tfrac32, 2, 3)",
            inverse,
        ),
        Clause(
            "real",
            r"D^l_{\mathbb{R}} = \overline{C} D^l C^{\mathsf T} = \overline{D^l_{\mathbb{R}}} "
            r"\quad (l = 1, 2, 3)",
            real,
        ),
        Clause(
            "basis_unitary",
            r"C\, C^\dagger = C^\dagger C = I \quad (l = 1, 2, 3)",
            basis_unitary,
        ),
        Clause(
            "orthogonal",
            r"D_{\mathbb{R}} = \overline{C} D\, C^{\mathsf T} = C \overline{D}\, C^\dagger,\ "
            r"C^\dagger C = C\, C^\dagger = I,\ D^{\mathsf T} \overline{D} = I "
            r"\quad\implies\quad D_{\mathbb{R}}^{\mathsf T} D_{\mathbb{R}} = I",
            orthogonal,
        ),
        Clause(
            "vector",
            r"D^1_{\mathbb{R}} = P R P^{\mathsf T}, \quad "
            r"P = \begin{pmatrix} 0 & 1 & 0 \\ 0 & 0 & 1 \\ 1 & 0 & 0 \end{pmatrix},\ "
            r"R \text{ the rotation of } (w, x, y, z)",
            vector,
        ),
    ),
)


# ---------------------------------------------------------------------- spherical.all_degrees
#: n is called d, so that the exponent n - k keeps its sign when it is translated.
n, k, j = variables("d k j", Int(0))
u, v = variables("u v", Real)
(t,) = variables("t", Positive)
#: The coefficients of an arbitrary form, and the factorials.
coefficient, factorial = sequence("c"), sequence("f", Positive)
FACTORIALS = And(
    Eq(factorial(0), 1),
    ForAll(j, Implies(Lt(j, n), Eq(factorial(j + 1), (j + 1) * factorial(j)))),
)
#: x', z' and y, w: the linear forms x u + z v and y u + w v, the first one conjugated.
LINEAR = variables("x' z' y w", Real)


def form(first: Any, second: Any) -> Any:
    """The sum of c(k) first^k second^(n - k)."""
    return total(k, n + 1, coefficient(k) * first**k * second ** (n - k))


def substituted(m: ImmutableMatrix, function: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """What [[p, r], [q, s]] makes of a function of u and v."""
    (p, r), (q, s) = m.tolist()
    return lambda first, second: function(p * first + q * second, r * first + s * second)


def choose(degree: Any, index: Any) -> Any:
    """C(n, k) by factorials."""
    return factorial(degree) / (factorial(index) * factorial(degree - index))


def power_of_linear(x: Any, z: Any) -> Any:
    """The coefficient of u^k v^(n - k) in (x u + z v)^n."""
    return choose(n, k) * x**k * z ** (n - k)


def bracket(weight: Callable[[Any, Any], Any], x: Any, z: Any, y: Any, w: Any) -> Any:
    """The sum of conj(a_k) b_k / C(n, k) for (x u + z v)^n and (y u + w v)^n, x, z conjugated."""
    product = power_of_linear(x, z) * power_of_linear(y, w)
    return total(k, n + 1, product * weight(n, k))


def moved(x: Any, z: Any, p: Any, q: Any, r: Any, s: Any) -> tuple[Any, Any]:
    """The linear form x u + z v after u -> p u + q v and v -> r u + s v."""
    return x * p + z * r, x * q + z * s


@dataclass(frozen=True)
class AllDegrees:
    """The definitions of `spherical.all_degrees`; a control replaces one of them."""

    action: Callable[[int, ImmutableMatrix], ImmutableMatrix] = action
    quaternion: Callable[[Any, Any, Any, Any], ImmutableMatrix] = quaternion
    adjoint: Callable[[Any, Any, Any, Any], ImmutableMatrix] = adjoint
    product: Callable[[ImmutableMatrix, ImmutableMatrix], ImmutableMatrix] = lambda m, n: m * n
    substituted: Callable[..., Callable[..., Any]] = substituted
    weight: Callable[[Any, Any], Any] = lambda degree, index: 1 / choose(degree, index)
    conjugate: Callable[[tuple[Any, ...]], tuple[Any, ...]] = lambda c: (c[1], c[0], c[3], c[2])
    power_of_linear: Callable[[Any, Any], Any] = power_of_linear
    moved: Callable[..., tuple[Any, Any]] = moved
    everywhere: Callable[[Callable[[Any], Prop]], Prop] = lambda claim: ForAll(t, claim(t))


def columns(of: AllDegrees) -> Prop:
    """Column k of T(M) holds the image of u^k v^(2l - k)."""
    (p, r), (q, s) = cells(FIRST).tolist()
    parts = []
    for twice in DEGREES:
        matrix = of.action(twice, cells(FIRST))
        monomials = ImmutableMatrix(1, twice + 1, lambda _, i, d=twice: u**i * v ** (d - i))
        image = ImmutableMatrix(
            1,
            twice + 1,
            lambda _, i, d=twice: (p * u + q * v) ** i * (r * u + s * v) ** (d - i),
        )
        parts.append(Eq(MatMul(monomials, matrix), image))
    return ForAll((*FIRST, u, v), And(*parts))


def composition(of: AllDegrees) -> Prop:
    one, other = cells(FIRST), cells(SECOND)
    twice = of.substituted(one, of.substituted(other, form))
    once = of.substituted(of.product(one, other), form)
    return ForAll((n, *FIRST, *SECOND, u, v), Eq(twice(u, v), once(u, v)))


def linear_powers(of: AllDegrees) -> Prop:
    """What `power_of_linear` and `moved` are: coefficients, and a substitution."""
    x, z = LINEAR[:2]
    (p, r), (q, s) = cells(FIRST).tolist()
    whole = Eq(
        total(k, n + 1, of.power_of_linear(x, z) * u**k * v ** (n - k)), (x * u + z * v) ** n
    )
    after = of.substituted(cells(FIRST), lambda first, second: x * first + z * second)
    first, second = of.moved(x, z, p, q, r, s)
    return And(
        ForAll((n, x, z, u, v), Implies(FACTORIALS, whole)),
        ForAll((*FIRST, x, z, u, v), Eq(after(u, v), first * u + second * v)),
    )


def bracket_of_powers(of: AllDegrees) -> Prop:
    x, z, y, w = LINEAR
    goal = Eq(bracket(of.weight, x, z, y, w), (x * y + z * w) ** n)
    return ForAll((n, *LINEAR), Implies(FACTORIALS, goal))


def entries_of(matrix: ImmutableMatrix) -> tuple[Any, ...]:
    """p, q, r, s of [[p, r], [q, s]]."""
    (p, r), (q, s) = matrix.tolist()
    return p, q, r, s


def bracket_kept(of: AllDegrees) -> Prop:
    x, z, y, w = LINEAR
    matrix, conjugated = (
        entries_of(of.quaternion(*part)) for part in (CAYLEY, of.conjugate(CAYLEY))
    )
    after = bracket(of.weight, *of.moved(x, z, *conjugated), *of.moved(y, w, *matrix))
    before = bracket(of.weight, x, z, y, w)
    goal = Eq(after, norm(*CAYLEY) ** n * before)
    return ForAll((n, *CAYLEY, *LINEAR), Implies(FACTORIALS, goal))


def bracket_adjoint(of: AllDegrees) -> Prop:
    x, z, y, w = LINEAR
    conjugated = entries_of(of.quaternion(*of.conjugate(CAYLEY)))
    other = entries_of(of.adjoint(*CAYLEY))
    left = bracket(of.weight, *of.moved(x, z, *conjugated), y, w)
    right = bracket(of.weight, x, z, *of.moved(y, w, *other))
    return ForAll((n, *CAYLEY, *LINEAR), Implies(FACTORIALS, Eq(left, right)))


def spanning(of: AllDegrees) -> Prop:
    def vanishes(x: Any) -> Prop:
        return Eq(total(k, n + 1, coefficient(k) * x**k), 0)

    nothing = ForAll(k, Implies(Le(k, n), Eq(coefficient(k), 0)))
    return ForAll(n, Implies(of.everywhere(vanishes), nothing))


ALL_DEGREES = Claim(
    id="spherical.all_degrees",
    title="Every degree at once: identities of D reduce to two by two matrices",
    kind="identity",
    definitions=AllDegrees(),
    depends=("spherical.polynomial_entries",),
    clauses=(
        Clause(
            "columns",
            r"\sum_{k'} T(M)_{k'k}\, u^{k'} v^{2l-k'} = (pu + qv)^k (ru + sv)^{2l-k}, \quad "
            r"M = \begin{pmatrix} p & r \\ q & s \end{pmatrix} \quad (2l = 1, \dots, 6)",
            columns,
        ),
        Clause(
            "composition",
            r"M(NF) = (MN)F, \quad F(u, v) = \sum_{k=0}^{n} c_k\, u^k v^{n-k},\ "
            r"(MF)(u, v) = F(pu + qv, ru + sv) \quad \text{for all } n, c, M, N",
            composition,
        ),
        Clause(
            "linear_powers",
            r"(xu + zv)^n = \sum_{k=0}^{n} \tbinom nk x^k z^{n-k}\, u^k v^{n-k}, \quad "
            r"M(xu + zv) = (px + rz)\,u + (qx + sz)\,v \quad \text{for all } n",
            linear_powers,
        ),
        Clause(
            "bracket_of_powers",
            r"h\bigl((xu + zv)^n, (yu + wv)^n\bigr) = (\bar x y + \bar z w)^n, \quad "
            r"h(a, b) = \sum_{k=0}^{n} \bar a_k b_k / \tbinom nk \quad \text{for all } n",
            bracket_of_powers,
        ),
        Clause(
            "bracket_kept",
            r"h(UF, UG) = (a a' + b b')^{n}\, h(F, G), \quad "
            r"F = (xu + zv)^n,\ G = (yu + wv)^n \quad \text{for all } n",
            bracket_kept,
        ),
        Clause(
            "bracket_adjoint",
            r"h(UF, G) = h(F, U^\dagger G), \quad "
            r"F = (xu + zv)^n,\ G = (yu + wv)^n \quad \text{for all } n",
            bracket_adjoint,
        ),
        Clause(
            "spanning",
            r"h\bigl((tu + v)^n, c\bigr) = \sum_{k=0}^{n} c_k t^k = 0 \text{ for all } t > 0 "
            r"\quad\implies\quad c = 0 \quad \text{for all } n",
            spanning,
        ),
    ),
)
