r"""Chunks of a word: products of their own that compose, also when the code grows wider.

Main definitions
----------------
tokens               an arbitrary sequence of complex matrices
cells                equality of matrices, entry by entry
extended             a matrix with one more coordinate that it leaves alone

Main claims
-----------
unitary.associativity

Conventions
-----------
A word is read from the left: P(k) = U_0 U_1 ... U_(k-1) is the product of its first k tokens, and
Q(k) that of k tokens from `offset` on.

References
----------
Derived here; no publication is quoted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Rational

from posproof.theory.symbols import Variable, sequence
from posproof.theory.unitary.frames import (
    Complex,
    N,
    entries,
    equal,
    identity,
    isometric,
    k,
    matrix,
)
from posproof.theory.unitary.words import L
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
    Prop,
)

offset, length = Variable("s", Int(0)), Variable("j", Int(0))


def tokens(name: str, size: int = 2) -> Callable[[Any], Complex]:
    """An arbitrary sequence of complex matrices."""

    def part(kind: str) -> list[Any]:
        return [sequence(f"{name}{kind}{i}{j}") for i in range(size) for j in range(size)]

    real, imag = part("r"), part("i")

    def at(index: Any) -> Complex:
        return Complex(
            sympy.ImmutableMatrix(size, size, [cell(index) for cell in real]),
            sympy.ImmutableMatrix(size, size, [cell(index) for cell in imag]),
        )

    return at


U, PREFIX, SEGMENT = tokens("U"), tokens("P"), tokens("Q")


def cells(left: Complex, right: Complex) -> tuple[Prop, ...]:
    """Equality, entry by entry."""
    pairs = zip((*left.real, *left.imag), (*right.real, *right.imag), strict=True)
    return tuple(Eq(a, b) for a, b in pairs)


def extended(m: Complex) -> Complex:
    """m + 1: the same matrix with one more coordinate that it leaves alone."""
    size = m.size
    return Complex(
        sympy.ImmutableMatrix(sympy.BlockDiagMatrix(m.real, sympy.eye(1)).as_explicit()),
        sympy.ImmutableMatrix(
            size + 1, size + 1, lambda i, j: m.imag[i, j] if max(i, j) < size else 0
        ),
    )


@dataclass(frozen=True)
class Associativity:
    """The definitions of `unitary.associativity`; a control replaces one of them."""

    grown: Callable[[Complex, Complex], Complex] = lambda product, token: product @ token
    extended: Callable[[Complex], Complex] = extended
    new_angle: tuple[Any, Any] = (Rational(3, 5), Rational(4, 5))
    new_parameters: Callable[[Any], Any] = lambda n: 2 * n + 1

    def products(self) -> tuple[Prop, ...]:
        """P(k) is the product of the first k tokens, Q(k) of k tokens from `offset` on; k < L."""
        one = identity(2)
        grows = And(*cells(PREFIX(k + 1), self.grown(PREFIX(k), U(k))))
        further = And(*cells(SEGMENT(k + 1), self.grown(SEGMENT(k), U(offset + k))))
        return (
            *cells(PREFIX(0), one),
            *cells(SEGMENT(0), one),
            ForAll(k, Implies(Lt(k, L), grows)),
            ForAll(k, Implies(Lt(k, L), further)),
        )


def chunks(of: Associativity) -> Prop:
    whole = And(*cells(PREFIX(offset + length), PREFIX(offset) @ SEGMENT(length)))
    premise = And(*of.products(), Le(offset + length, L))
    return ForAll((L, offset, length), Implies(premise, whole))


def segments(of: Associativity) -> Prop:
    between = And(*cells(PREFIX(offset).adjoint @ PREFIX(offset + length), SEGMENT(length)))
    premise = And(*of.products(), Le(offset + length, L), *isometric(PREFIX(offset)))
    return ForAll((L, offset, length), Implies(premise, between))


def nested(of: Associativity) -> Prop:
    parts: list[Prop] = [equal(of.extended(identity(2)), identity(3))]
    for size in (1, 2, 3):
        A, B = (matrix(name, size) for name in "AB")
        same = equal(of.extended(A) @ of.extended(B), of.extended(A @ B))
        parts.append(ForAll(entries(A, B), same))
    return And(*parts)


def new_parameters(of: Associativity) -> Prop:
    return ForAll(N, Eq((N + 1) ** 2 - N**2, of.new_parameters(N)))


def mixed(of: Associativity) -> Prop:
    # An old token, a new one that turns the last two coordinates, and an old one again.
    c, s = of.new_angle
    old = sympy.ImmutableMatrix([[0, 1, 0], [1, 0, 0], [0, 0, 1]])
    new = sympy.ImmutableMatrix([[1, 0, 0], [0, c, -s], [0, s, c]])
    block = (old * new * old)[:2, :2]
    unitary = Eq(new.T * new, sympy.ImmutableMatrix(sympy.eye(3)))
    return And(unitary, Ne(block.T * block, sympy.ImmutableMatrix(sympy.eye(2))))


ASSOCIATIVITY = Claim(
    id="unitary.associativity",
    title="Chunks compose, and old words survive a wider code",
    kind="identity",
    definitions=Associativity(),
    clauses=(
        Clause(
            "chunks",
            r"(U_1\cdots U_s)(U_{s+1}\cdots U_{s+j}) = U_1\cdots U_{s+j} "
            r"\quad (U_k \in \mathbb{C}^{2\times2},\ \text{all } s, j)",
            chunks,
        ),
        Clause(
            "segments",
            r"U_{s+1}\cdots U_{s+j} = (U_1\cdots U_s)^* (U_1\cdots U_{s+j}) "
            r"\quad \text{for a unitary prefix}",
            segments,
        ),
        Clause(
            "nested",
            r"(A \oplus 1)(B \oplus 1) = AB \oplus 1,\quad I \oplus 1 = I \quad (n = 1, 2, 3)",
            nested,
        ),
        Clause("new_parameters", r"(n+1)^2 - n^2 = 2n + 1", new_parameters),
        Clause(
            "mixed",
            r"\text{a word of old and new tokens can have a leading block } B,\ B^*B \ne I",
            mixed,
        ),
    ),
)
