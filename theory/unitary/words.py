r"""Words of unitary tokens: which of them a product tells apart, and how many a code can.

Main definitions
----------------
token, times         three integer quaternions of norm 5, and their product
Word                 the letters of a word and the partial products they make
encodes              what it means that numbers tell sentences apart

Main claims
-----------
unitary.free_words, unitary.capacity

Conventions
-----------
A word of length L is a sequence of letters with indices 0 .. L - 1; it is read from the left, so
the product after n letters is U_0 U_1 ... U_(n-1).  The six letters of `free_words` are the unit
vectors +-e_1, +-e_2, +-e_3 of Z^3, given by their components; (e) stands for the quaternion
1 + 2 e, which is sqrt(5) times a matrix of SU(2), and -e for the inverse letter.  A quaternion is
its four real components (1, i, j, k).

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

from posproof.theory.symbols import Variable, sequence, variables
from posproof.theory.vocabulary import (
    And,
    Claim,
    Clause,
    Eq,
    Exists,
    Finite,
    ForAll,
    Implies,
    Int,
    Integer,
    Le,
    Lt,
    Ne,
    Not,
    Prop,
)

k, L, M = Variable("k", Int(0)), Variable("L", Int(0)), Variable("M", Int(0))
QUOTIENTS = tuple(Variable(f"t{part}", Integer) for part in range(4))

#: Four and three components.
Quaternion = tuple[Any, ...]
Vector = tuple[Any, ...]
NORM = 5


def token(e: Vector) -> Quaternion:
    """The quaternion 1 + 2 e of the letter e."""
    return (1, 2 * e[0], 2 * e[1], 2 * e[2])


def times(p: Quaternion, q: Quaternion) -> Quaternion:
    """The product of two quaternions."""
    a, b, c, d = p
    e, f, g, h = q
    return (
        a * e - b * f - c * g - d * h,
        a * f + b * e + c * h - d * g,
        a * g - b * h + c * e + d * f,
        a * h + b * g - c * f + d * e,
    )


def dot(e: Vector, f: Vector) -> Any:
    """-1 exactly when one letter is the inverse of the other."""
    return e[0] * f[0] + e[1] * f[1] + e[2] * f[2]


@dataclass(frozen=True)
class Word:
    """An arbitrary word: three components of each letter, four of each partial product."""

    letters: tuple[Any, ...]
    products: tuple[Any, ...]

    def letter(self, n: Any) -> Vector:
        return tuple(component(n) for component in self.letters)

    def product(self, n: Any) -> Quaternion:
        """The product of the first n letters."""
        return tuple(component(n) for component in self.products)


SIGNS = Finite((-1, 0, 1))


def word(letters: str, products: str) -> Word:
    """A word whose sequences have these names, blank-separated."""
    return Word(
        tuple(sequence(name, SIGNS) for name in letters.split()),
        tuple(sequence(name, Integer) for name in products.split()),
    )


FIRST, SECOND = word("x y z", "a b c d"), word("u v w", "p q r s")


def divisible(q: Quaternion) -> Prop:
    """Every component is a multiple of 5."""
    multiples = And(*(Eq(part, NORM * t) for part, t in zip(q, QUOTIENTS, strict=True)))
    return Exists(QUOTIENTS, multiples)


@dataclass(frozen=True)
class FreeWords:
    """The definitions of `unitary.free_words`; a control replaces one of them."""

    token: Callable[[Vector], Quaternion] = token
    times: Callable[[Quaternion, Quaternion], Quaternion] = times
    inverse_dot: int = -1
    least_gap: int = 1

    def spelt(self, word: Word, length: Any) -> tuple[Prop, ...]:
        """The letters are unit vectors and the products are those of the tokens; reduced."""
        here, ahead = word.letter(k), word.letter(k + 1)
        grown = self.times(word.product(k), self.token(here))
        start = (Eq(part, int(not index)) for index, part in enumerate(word.product(0)))
        steps = And(*(Eq(new, old) for new, old in zip(word.product(k + 1), grown, strict=True)))
        return (
            *start,
            ForAll(k, Implies(Lt(k, length), steps)),
            ForAll(k, Implies(Lt(k, length), Eq(dot(here, here), 1))),
            ForAll(k, Implies(Lt(k + 1, length), Ne(dot(here, ahead), self.inverse_dot))),
        )


# ---------------------------------------------------------------------- unitary.free_words
def unitary_tokens(of: FreeWords) -> Prop:
    at, e = FIRST.product(0), FIRST.letter(0)
    squares = sum(part**2 for part in of.times(at, of.token(e)))
    return Implies(Eq(dot(e, e), 1), Eq(squares, NORM * sum(part**2 for part in at)))


def reduced(of: FreeWords) -> Prop:
    return ForAll(L, Implies(And(*of.spelt(FIRST, L)), Not(divisible(FIRST.product(L)))))


def free_group(of: FreeWords) -> Prop:
    a, b, c, d = FIRST.product(L)
    identity = And(Eq(a**2, NORM**L), Eq(b, 0), Eq(c, 0), Eq(d, 0))
    return ForAll(L, Implies(And(*of.spelt(FIRST, L), Le(1, L)), Not(identity)))


def same_image() -> tuple[Eq, ...]:
    """Equality up to sign of the unitary matrices of two words: all products of two entries."""
    p, q = FIRST.product(L), SECOND.product(M)
    return tuple(
        Eq(p[i] * p[j] * NORM**M, q[i] * q[j] * NORM**L) for i in range(4) for j in range(i, 4)
    )


def distinct(of: FreeWords) -> Prop:
    premise = And(*of.spelt(FIRST, L), *of.spelt(SECOND, M), *same_image())
    letters = zip(FIRST.letter(k), SECOND.letter(k), strict=True)
    same = ForAll(k, Implies(Lt(k, L), And(*(Eq(e, f) for e, f in letters))))
    return ForAll((L, M), Implies(premise, And(Eq(L, M), same)))


FREE_WORDS = Claim(
    id="unitary.free_words",
    title="Noncommuting tokens separate all words",
    kind="classification",
    definitions=FreeWords(),
    clauses=(
        Clause(
            "unitary_tokens",
            r"|q\,(1+2e)|^2 = 5\,|q|^2 \quad (q \in \mathbb{H},\ e \in \{\pm i, \pm j, \pm k\})",
            unitary_tokens,
        ),
        Clause(
            "reduced",
            r"e_{n+1} \ne -e_n\ (n < L-1) \implies "
            r"(1+2e_1)(1+2e_2)\cdots(1+2e_L) \not\equiv 0 \pmod 5",
            reduced,
        ),
        Clause(
            "free_group",
            r"e_{n+1} \ne -e_n,\ L \ge 1 \implies U_{e_1}U_{e_2}\cdots U_{e_L} \ne \pm I, "
            r"\quad U_e = (1+2e)/\sqrt5 \in SU(2)",
            free_group,
        ),
        Clause(
            "distinct",
            r"U_{e_1}\cdots U_{e_L} = \pm U_{f_1}\cdots U_{f_M} \implies "
            r"L = M,\ e_n = f_n\ (n \le L) \quad \text{for reduced words } e, f",
            distinct,
        ),
    ),
)


# ---------------------------------------------------------------------- unitary.capacity
V, N = Variable("V", Int(1)), Variable("n", Int(1))
bits = Variable("beta", Int(1))
i, j = variables("i j", Integer)
code = sequence("f", Integer)

#: Bits of each number, and the length of the longest sentences over 30000 tokens that fit.
LONGEST = {16: 68, 32: 137, 64: 275}
VOCABULARY, WIDTH = 30_000, 8


@dataclass(frozen=True)
class Capacity:
    """The definitions of `unitary.capacity`; a control replaces one of them."""

    numbers: Callable[[Any], Any] = lambda n: n**2
    limit: Callable[[Any], Any] = lambda codes: codes
    excess: int = 0

    def codes(self, n: Any, bits: Any) -> Any:
        """How many states n^2 numbers of that many bits have."""
        return sympy.Integer(2) ** (self.numbers(n) * bits)


def encodes(count: Any, codes: Any) -> tuple[Prop, ...]:
    """`code` gives different numbers 0 .. codes - 1 to 0 .. count - 1."""
    inside = And(Le(0, i), Lt(i, count))
    fits = And(Le(0, code(i)), Lt(code(i), codes))
    later = ForAll(j, Implies(And(Lt(i, j), Lt(j, count)), Ne(code(i), code(j))))
    return ForAll(i, Implies(inside, fits)), ForAll(i, Implies(inside, later))


def pigeonhole(of: Capacity) -> Prop:
    codes = of.codes(N, bits)
    goal = Le(V**L, of.limit(codes))
    return ForAll((V, L, N, bits), Implies(And(*encodes(V**L, codes)), goal))


def longest(of: Capacity) -> Prop:
    tokens = sympy.Integer(VOCABULARY)
    parts: list[Prop] = []
    for width, length in LONGEST.items():
        states = 2 ** Rational(of.numbers(WIDTH) * width)
        parts.append(Le(tokens ** (length + of.excess), states))
        parts.append(Lt(states, tokens ** (length + of.excess + 1)))
    return And(*parts)


CAPACITY = Claim(
    id="unitary.capacity",
    title="How long a sentence 64 numbers can tell apart",
    kind="bound",
    definitions=Capacity(),
    clauses=(
        Clause(
            "pigeonhole",
            r"V^L \text{ sentences have different codes of } n^2 \text{ numbers of } b "
            r"\text{ bits} \implies V^L \le 2^{n^2 b}",
            pigeonhole,
        ),
        Clause(
            "longest",
            r"30000^{68} \le 2^{64\cdot16} < 30000^{69},\quad "
            r"30000^{137} \le 2^{64\cdot32} < 30000^{138},\quad "
            r"30000^{275} \le 2^{64\cdot64} < 30000^{276}",
            longest,
        ),
    ),
)
