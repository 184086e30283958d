r"""Unitary frames around tokens: what a product gains from them, and a score they leave alone.

Main definitions
----------------
Complex, matrix      complex matrices, and arbitrary ones of a given name
isometric            m* m = I
entry                an entry of an arbitrary flattened matrix
Score.score          the antisymmetric score of two flattened unitary matrices

Main claims
-----------
unitary.sensitivity, unitary.antisymmetric_score

Conventions
-----------
Complex numbers are pairs of real ones, matrices n x n; a flattened matrix stands row after row.
P and S are the products of the tokens before and after the place that is looked at.

References
----------
Derived here; no publication is quoted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy

from posproof.theory.symbols import Variable, sequence, total
from posproof.theory.vocabulary import (
    And,
    Claim,
    Clause,
    Eq,
    ForAll,
    Implies,
    Int,
    Le,
    Prop,
    Real,
)

k, N = Variable("k", Int(0)), Variable("n", Int(1))


# ---------------------------------------------------------------------- complex matrices
@dataclass(frozen=True)
class Complex:
    """A complex matrix by its real and imaginary part."""

    real: sympy.ImmutableMatrix
    imag: sympy.ImmutableMatrix

    def __matmul__(self, other: Complex) -> Complex:
        return Complex(
            self.real * other.real - self.imag * other.imag,
            self.real * other.imag + self.imag * other.real,
        )

    def __sub__(self, other: Complex) -> Complex:
        return Complex(self.real - other.real, self.imag - other.imag)

    @property
    def adjoint(self) -> Complex:
        return Complex(self.real.T, -self.imag.T)

    @property
    def size(self) -> int:
        return int(self.real.rows)

    @property
    def squares(self) -> Any:
        """The squared Frobenius norm."""
        return sum(part**2 for part in (*self.real, *self.imag))


def matrix(name: str, size: int) -> Complex:
    """An arbitrary complex matrix; its entries are the variables `name`r00, `name`i00, ..."""

    def part(kind: str) -> sympy.ImmutableMatrix:
        cells = [Variable(f"{name}{kind}{i}{j}", Real) for i in range(size) for j in range(size)]
        return sympy.ImmutableMatrix(size, size, cells)

    return Complex(part("r"), part("i"))


def entries(*matrices: Complex) -> tuple[Variable, ...]:
    return tuple(cell for m in matrices for cell in (*m.real, *m.imag))


def equal(left: Complex, right: Complex) -> Prop:
    return And(Eq(left.real, right.real), Eq(left.imag, right.imag))


def identity(size: int) -> Complex:
    return Complex(
        sympy.ImmutableMatrix(size, size, lambda i, j: int(i == j)),
        sympy.ImmutableMatrix(size, size, lambda i, j: 0),
    )


def isometric(m: Complex) -> tuple[Prop, ...]:
    """m* m = I, entry by entry on and above the diagonal."""
    gram = m.adjoint @ m
    size, one = m.size, identity(m.size)
    upper = [(i, j) for i in range(size) for j in range(i, size)]
    real = [Eq(gram.real[i, j], one.real[i, j]) for i, j in upper]
    return (*real, *(Eq(gram.imag[i, j], 0) for i, j in upper if i < j))


FLAT = {name: (sequence(f"{name}_re"), sequence(f"{name}_im")) for name in ("u", "v", "b", "c")}
Number = tuple[Any, Any]


def entry(name: str, index: Any) -> Number:
    """Entry `index` of a matrix, row after row, as real and imaginary part."""
    real, imag = FLAT[name]
    return real(index), imag(index)


# ---------------------------------------------------------------------- unitary.sensitivity
@dataclass(frozen=True)
class Sensitivity:
    """The definitions of `unitary.sensitivity`; a control replaces one of them."""

    isometric: Callable[[Complex], tuple[Prop, ...]] = isometric
    commutator: Callable[[Complex, Complex], Complex] = lambda a, b: (a @ b) - (b @ a)
    difference: Callable[[Complex, Complex], Complex] = lambda a, b: a - b


def isometry(of: Sensitivity) -> Prop:
    parts = []
    for size in (1, 2):
        P, S, X = (matrix(name, size) for name in "PSX")
        premise = And(*of.isometric(P), *of.isometric(S.adjoint))
        kept = Eq((P @ X @ S).squares, X.squares)
        parts.append(ForAll(entries(P, S, X), Implies(premise, kept)))
    return And(*parts)


def swap(of: Sensitivity) -> Prop:
    P, S, A, B = (matrix(name, 2) for name in "PSAB")
    premise = And(*of.isometric(P), *of.isometric(S.adjoint))
    moved = (P @ A @ B @ S) - (P @ B @ A @ S)
    goal = Eq(moved.squares, of.commutator(A, B).squares)
    return ForAll(entries(P, S, A, B), Implies(premise, goal))


def replacement(of: Sensitivity) -> Prop:
    P, S, A, B = (matrix(name, 2) for name in "PSAB")
    premise = And(*of.isometric(P), *of.isometric(S.adjoint))
    moved = (P @ A @ S) - (P @ B @ S)
    goal = Eq(moved.squares, of.difference(A, B).squares)
    return ForAll(entries(P, S, A, B), Implies(premise, goal))


SENSITIVITY = Claim(
    id="unitary.sensitivity",
    title="Every position of a word weighs the same",
    kind="identity",
    definitions=Sensitivity(),
    clauses=(
        Clause(
            "isometry",
            r"P^*P = I,\ SS^* = I \implies \lVert PXS\rVert_F = \lVert X\rVert_F "
            r"\quad (n = 1, 2)",
            isometry,
        ),
        Clause(
            "swap",
            r"\lVert P\,AB\,S - P\,BA\,S\rVert_F = \lVert AB - BA\rVert_F "
            r"\quad \text{for unitary } P, S \text{ around two neighbours } A, B",
            swap,
        ),
        Clause(
            "replacement",
            r"\lVert PAS - PBS\rVert_F = \lVert A - B\rVert_F "
            r"\quad \text{for unitary } P, S",
            replacement,
        ),
    ),
)


# ---------------------------------------------------------------------- unitary.antisymmetric_score
def turn(u: Number, v: Number) -> Any:
    """Im(conj(u) v)."""
    return u[0] * v[1] - u[1] * v[0]


def negated_conjugate(b: Number) -> Number:
    return -b[0], b[1]


@dataclass(frozen=True)
class Score:
    """The definitions of `unitary.antisymmetric_score`; a control replaces one of them."""

    turn: Callable[[Number, Number], Any] = turn
    ceiling: Any = 1
    corner: Callable[[Number], Number] = negated_conjugate

    def score(self, u: str, v: str) -> Any:
        """Im tr(U* V) / n."""
        return total(k, N**2, self.turn(entry(u, k), entry(v, k))) / N

    def inner(self, a: Complex, b: Complex) -> Any:
        """Im tr(A* B)."""
        left = zip(a.real, a.imag, strict=True)
        right = zip(b.real, b.imag, strict=True)
        return sum(self.turn(u, v) for u, v in zip(left, right, strict=True))


def squares(name: str) -> Any:
    """The squared Frobenius norm of a flattened matrix."""
    real, imag = entry(name, k)
    return total(k, N**2, real**2 + imag**2)


def antisymmetric(of: Score) -> Prop:
    swapped = Eq(of.score("u", "v"), -of.score("v", "u"))
    return ForAll(N, And(swapped, Eq(of.score("u", "u"), 0)))


def bounded(of: Score) -> Prop:
    s = of.score("u", "v")
    premise = And(Eq(squares("u"), N), Eq(squares("v"), N))
    return ForAll(N, Implies(premise, And(Le(-of.ceiling, s), Le(s, of.ceiling))))


def invariant(of: Score) -> Prop:
    parts = []
    for size in (1, 2):
        P, S, A, B = (matrix(name, size) for name in "PSAB")
        premise = And(*isometric(P), *isometric(S.adjoint))
        kept = Eq(of.inner(P @ A @ S, P @ B @ S), of.inner(A, B))
        parts.append(ForAll(entries(P, S, A, B), Implies(premise, kept)))
    return And(*parts)


def degenerate(of: Score) -> Prop:
    def conjugate(z: Number) -> Number:
        return z[0], -z[1]

    a, b, c, d = (entry(name, k) for name in ("u", "b", "v", "c"))
    # The four blocks of U* V, a row of blocks at a time: the traces of the rows cancel.
    above = ((a, c), (of.corner(b), of.corner(d)))
    blocks = (above, ((b, d), (conjugate(a), conjugate(c))))
    upper, lower = (total(k, N**2, sum(of.turn(x, y) for x, y in half)) for half in blocks)
    orthogonal = total(k, N**2, of.turn((a[0], 0), (c[0], 0)))
    return ForAll(N, And(Eq(upper, -lower), Eq(orthogonal, 0)))


ANTISYMMETRIC_SCORE = Claim(
    id="unitary.antisymmetric_score",
    title="An antisymmetric score of two tokens, and where it vanishes",
    kind="identity",
    definitions=Score(),
    stance="sharpened",
    reading=(
        "The abstract names an antisymmetric score and not its formula; this is the natural "
        "candidate, and it needs tokens that are neither real nor quaternionic."
    ),
    clauses=(
        Clause(
            "antisymmetric",
            r"s(U, V) = \operatorname{Im}\operatorname{tr}(U^*V)/n = -s(V, U),\quad s(U, U) = 0",
            antisymmetric,
        ),
        Clause(
            "bounded",
            r"\lVert U\rVert_F^2 = \lVert V\rVert_F^2 = n \implies -1 \le s(U, V) \le 1",
            bounded,
        ),
        Clause(
            "invariant",
            r"s(PUS, PVS) = s(U, V) \quad \text{for unitary } P, S \quad (n = 1, 2)",
            invariant,
        ),
        Clause(
            "degenerate",
            r"s(U, V) = 0 \ \text{ for real } U, V \text{ and for } "
            r"U, V = \begin{pmatrix} A & -\bar B \\ B & \bar A\end{pmatrix}"
            r"\quad (SU(2),\ Sp(n))",
            degenerate,
        ),
    ),
)
