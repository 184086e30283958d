r"""Blind spots: what determinant and trace of a product of tokens cannot see.

Main definitions
----------------
determinant          of a complex matrix, by the first row
between              a token on the line through two quaternions
BlindSpots.trace     the trace of a product of two flattened matrices

Main claims
-----------
unitary.blind_spots

Conventions
-----------
A word is read from the left.  Complex numbers are pairs of real ones; a flattened matrix stands row
after row.  A quaternion is its four real components (1, i, j, k), and its trace is twice the first.

References
----------
Derived here; no publication is quoted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy

from posproof.theory.symbols import Variable, sequence, total, variables
from posproof.theory.unitary.chunks import PREFIX, U, cells, tokens
from posproof.theory.unitary.frames import Complex, N, entries, entry, identity, k, matrix
from posproof.theory.unitary.words import L, Quaternion, times, token, word
from posproof.theory.vocabulary import (
    And,
    Claim,
    Clause,
    Eq,
    ForAll,
    Implies,
    Int,
    Integer,
    Lt,
    Ne,
    Prop,
    Real,
)


def determinant(m: Complex) -> tuple[Any, Any]:
    """The determinant as real and imaginary part, by the first row."""
    if m.size == 1:
        return m.real[0, 0], m.imag[0, 0]
    real = imag = sympy.Integer(0)
    for column in range(m.size):
        minor = Complex(m.real.minor_submatrix(0, column), m.imag.minor_submatrix(0, column))
        a, b = determinant(minor)
        c, d = m.real[0, column], m.imag[0, column]
        sign = (-1) ** column
        real, imag = real + sign * (a * c - b * d), imag + sign * (a * d + b * c)
    return real, imag


def unsigned(m: Complex) -> tuple[Any, Any]:
    """The permanent: the determinant without its signs, for size 2."""
    if m.size != 2:
        return determinant(m)
    a, b, c, d = zip(m.real, m.imag, strict=True)
    real = a[0] * d[0] - a[1] * d[1] + b[0] * c[0] - b[1] * c[1]
    return real, a[0] * d[1] + a[1] * d[0] + b[0] * c[1] + b[1] * c[0]


row, column = Variable("i", Int(0)), Variable("j", Int(0))
LETTER = sequence("l", Integer)
FORWARD, BACKWARD = word("x y z", "a b c d"), word("x y z", "p q r s")
TWO = (variables("p0 p1 p2 p3", Real), variables("q0 q1 q2 q3", Real))
REVERSED = tokens("R")


def between(letter: Any, p: Quaternion, q: Quaternion) -> Quaternion:
    """p for the letter 1, q for the letter 0, and l p + (1 - l) q for every other integer l."""
    return tuple(letter * a + (1 - letter) * b for a, b in zip(p, q, strict=True))


@dataclass(frozen=True)
class BlindSpots:
    """The definitions of `unitary.blind_spots`; a control replaces one of them."""

    determinant: Callable[[Complex], tuple[Any, Any]] = determinant
    times: Callable[[Quaternion, Quaternion], Quaternion] = times
    turned: Callable[[Any, Any], tuple[Any, Any]] = lambda first, second: (second, first)
    between: Callable[[Any, Quaternion, Quaternion], Quaternion] = between
    third: Quaternion = (1, 0, 0, 2)
    reflected: Callable[[Complex], Complex] = lambda m: Complex(m.real.T, m.imag.T)

    def trace(self, left: str, right: str) -> tuple[Any, Any]:
        """tr(A B) of flattened n x n matrices, as real and imaginary part."""
        (a, b), (c, d) = entry(left, N * row + column), entry(right, N * column + row)

        def double(body: Any) -> Any:
            return total(row, N, total(column, N, body))

        return double(a * c - b * d), double(a * d + b * c)

    def token(self, index: Any) -> Quaternion:
        """The token of the letter at an index."""
        return self.between(LETTER(index), *TWO)

    def read_both_ways(self) -> tuple[Prop, ...]:
        """The product of the first k letters, and of the same letters in reverse; k < L."""
        start = (1, 0, 0, 0)
        forward, backward = FORWARD.product, BACKWARD.product
        grown = self.times(forward(k), self.token(k))
        other = self.times(*self.turned(backward(k), self.token(k)))
        return (
            *(Eq(part, one) for part, one in zip(forward(0), start, strict=True)),
            *(Eq(part, one) for part, one in zip(backward(0), start, strict=True)),
            ForAll(k, Implies(Lt(k, L), And(*map(Eq, forward(k + 1), grown)))),
            ForAll(k, Implies(Lt(k, L), And(*map(Eq, backward(k + 1), other)))),
        )


def determinants(of: BlindSpots) -> Prop:
    parts = []
    for size in (1, 2, 3):
        A, B = matrix("A", size), matrix("B", size)
        (a, b), (c, d) = of.determinant(A), of.determinant(B)
        real, imag = of.determinant(A @ B)
        product = And(Eq(real, a * c - b * d), Eq(imag, a * d + b * c))
        parts.append(ForAll(entries(A, B), product))
    return And(*parts)


def cyclic_trace(of: BlindSpots) -> Prop:
    left, right = of.trace("u", "v"), of.trace(*of.turned("u", "v"))
    return ForAll(N, And(Eq(left[0], right[0]), Eq(left[1], right[1])))


def two_letters(of: BlindSpots) -> Prop:
    same = Eq(FORWARD.product(L)[0], BACKWARD.product(L)[0])
    return ForAll((L, *TWO[0], *TWO[1]), Implies(And(*of.read_both_ways()), same))


def three_letters(of: BlindSpots) -> Prop:
    i, j = token((1, 0, 0)), token((0, 1, 0))
    forward = of.times(of.times(i, j), of.third)[0]
    backward = of.times(of.times(of.third, j), i)[0]
    return Ne(forward, backward)


def symmetric(of: BlindSpots) -> Prop:
    one, here = identity(2), U(k)
    grows = And(*cells(PREFIX(k + 1), PREFIX(k) @ here))
    further = And(*cells(REVERSED(k + 1), here @ REVERSED(k)))
    mirror = And(Eq(here.real[0, 1], here.real[1, 0]), Eq(here.imag[0, 1], here.imag[1, 0]))
    premise = And(
        *cells(PREFIX(0), one),
        *cells(REVERSED(0), one),
        ForAll(k, Implies(Lt(k, L), grows)),
        ForAll(k, Implies(Lt(k, L), further)),
        ForAll(k, Implies(Lt(k, L), mirror)),
    )
    return ForAll(L, Implies(premise, And(*cells(REVERSED(L), of.reflected(PREFIX(L))))))


BLIND_SPOTS = Claim(
    id="unitary.blind_spots",
    title="What determinant and trace of a product cannot see",
    kind="identity",
    definitions=BlindSpots(),
    stance="sharpened",
    reading=(
        "'Noncommutativity captures order', read of the whole product: one of its parameters, the "
        "determinant, is a bag of words, and its spectrum does not see where a word begins."
    ),
    clauses=(
        Clause(
            "determinants",
            r"\det(AB) = \det A\,\det B: \text{ the determinant of a word ignores its order } "
            r"(n = 1, 2, 3)",
            determinants,
        ),
        Clause(
            "cyclic_trace",
            r"\operatorname{tr}(AB) = \operatorname{tr}(BA): \text{ the trace of a word ignores "
            r"where it begins } \quad (n \ge 1)",
            cyclic_trace,
        ),
        Clause(
            "two_letters",
            r"\operatorname{tr}(U_1U_2\cdots U_L) = \operatorname{tr}(U_L\cdots U_2U_1) "
            r"\quad (U_k = l_k\,p + (1 - l_k)\,q,\ l_k \in \mathbb{Z},\ p, q \in \mathbb{H} "
            r"\supset SU(2))",
            two_letters,
        ),
        Clause(
            "three_letters",
            r"\operatorname{tr}\bigl((1+2i)(1+2j)(1+2k)\bigr) \ne "
            r"\operatorname{tr}\bigl((1+2k)(1+2j)(1+2i)\bigr)",
            three_letters,
        ),
        Clause(
            "symmetric",
            r"U_k^\top = U_k \implies U_L\cdots U_2U_1 = (U_1U_2\cdots U_L)^\top "
            r"\quad (U_k \in \mathbb{C}^{2\times2})",
            symmetric,
        ),
    ),
)
