r"""Unitary tokens: what a product of unitary matrices stores, and what it cannot.

Main definitions
----------------
token, times         three integer quaternions of norm 5, and their product
Word                 the letters of a word and the partial products they make
score                the antisymmetric score of two flattened unitary matrices

Main claims
-----------
unitary.free_words, unitary.sensitivity, unitary.capacity, unitary.associativity,
unitary.antisymmetric_score, unitary.blind_spots

Conventions
-----------
A word of length L is a sequence of letters with indices 0 .. L - 1; it is read from the left, so
the product after n letters is U_0 U_1 ... U_(n-1).  The six letters of `free_words` are the unit
vectors +-e_1, +-e_2, +-e_3 of Z^3, given by their components; (e) stands for the quaternion
1 + 2 e, which is sqrt(5) times a matrix of SU(2), and -e for the inverse letter.  A quaternion is
its four real components (1, i, j, k), and its trace is twice the first.  Complex numbers are pairs
of real ones, matrices n x n.

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

from posproof.theory.symbols import Variable, sequence, total, variables
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
    Real,
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


# ---------------------------------------------------------------------- unitary.associativity
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


# ---------------------------------------------------------------------- unitary.antisymmetric_score
FLAT = {name: (sequence(f"{name}_re"), sequence(f"{name}_im")) for name in ("u", "v", "b", "c")}
Number = tuple[Any, Any]


def entry(name: str, index: Any) -> Number:
    """Entry `index` of a matrix, row after row, as real and imaginary part."""
    real, imag = FLAT[name]
    return real(index), imag(index)


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


# ---------------------------------------------------------------------- unitary.blind_spots
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
