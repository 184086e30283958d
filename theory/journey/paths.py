r"""When the product of operators along a path does not depend on the path.

Main definitions
----------------
commutator(a, b)          T_a T_b - T_b T_a
plaquette(T, a, b, x)     the two ways round one lattice square at x, subtracted
journey, transport        ordered products along a word, of fixed or of stored operators
multinomial(f, counts)    the number of words with given letter counts
inversions(w, n)          pairs of letters out of order: the area under a staircase path

Main claims
-----------
journey.commutation, journey.path_count, journey.flatness

Conventions
-----------
Columns; the latest step is leftmost, and a step out of x uses the operator stored at x.  Letters
are signed axes, `back(a)` undoes a, words are paths, and a word in the argument of an operator
stands for the place it leads to.  J(w; x) is the product along w from x, and J(w) = J(w; 0).
Operators are elements of any ring: matrices of every size, invertible only where a clause says so.
A field on a box is a field on the whole lattice that is 0 on edges that leave the box: every square
that sticks out then reads 0 = 0, so the statements hold on boxes too.

References
----------
Derived here; the abstract of "Journey Operators for Structured Multi-Axis Composition" asks the
question.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any

import sympy
from sympy import ImmutableMatrix as Matrix
from sympy import Rational

from posproof.theory.operators import (
    EMPTY,
    UNIT,
    ZERO,
    Term,
    append,
    back,
    concat,
    journey,
    operators,
    same_place,
    spelled,
    step,
    transport,
)
from posproof.theory.symbols import Variable, same_content, sequence, total, variables
from posproof.theory.vocabulary import (
    And,
    Claim,
    Clause,
    Eq,
    ForAll,
    Iff,
    Implies,
    Informal,
    Int,
    Integer,
    Le,
    Letter,
    Lt,
    Mod,
    Ne,
    Operator,
    Prop,
    Word,
)

a, b, c = variables("a b c", Letter)
u, v, w, x = variables("u v w x", Word)
k, n, p, q = variables("k n p q", Int(0))
i, j, t = variables("i j t", Int(0))
P = Variable("P", Operator)


# ---------------------------------------------------------------------- operators along words
def commutator(left: Any, right: Any) -> Term:
    """left right - right left."""
    return left @ right - right @ left


def plaquette(T: Callable[[Any, Any], Any], a: Any, b: Any, x: Any) -> Any:
    """F_ab(x): first a then b, minus first b then a, each step at its departure point."""
    return T(b, append(x, a)) @ T(a, x) - T(a, append(x, b)) @ T(b, x)


def arrival_plaquette(T: Callable[[Any, Any], Any], a: Any, b: Any, x: Any) -> Any:
    """The same square when a step uses the operator stored where it arrives."""
    corner = append(x, a, b)
    return T(b, corner) @ T(a, append(x, a)) - T(a, corner) @ T(b, append(x, b))


# ---------------------------------------------------------------------- counting words
def multinomial(factorial: Callable[[Any], Any], counts: Sequence[Any]) -> Any:
    """(sum of the counts)! / product of their factorials."""
    return factorial(sum(counts)) / sympy.Mul(*(factorial(count) for count in counts))


def letter_sum(letters: Callable[[Any], Any], n: Any) -> Any:
    """How often the second axis occurs among the first n letters; a letter is 0 or 1."""
    return total(k, n, letters(k))


def inversions(letters: Callable[[Any], Any], n: Any) -> Any:
    """Pairs (second axis, later first axis) among the first n letters: the area under the path."""
    return total(j, n, (1 - letters(j)) * total(k, j, letters(k)))


def heisenberg(first: Any, second: Any, area: Any) -> Matrix:
    """The matrix that adds letter counts and inversions when words are joined."""
    return Matrix([[1, second, area], [0, 1, first], [0, 0, 1]])


# ---------------------------------------------------------------------- examples
def matrix_unit(row: int, column: int, size: int = 3) -> Matrix:
    """The matrix with a single 1, rows and columns numbered from 1."""
    return Matrix(size, size, lambda r, s: int((r, s) == (row - 1, column - 1)))


def turn_about(axis: int, half: Any) -> Matrix:
    """The rotation of space about the first (1) or third (3) axis with tan(angle / 2) = half."""
    cosine, sine = (1 - half**2) / (1 + half**2), 2 * half / (1 + half**2)
    if axis == 1:
        return Matrix([[1, 0, 0], [0, cosine, -sine], [0, sine, cosine]])
    return Matrix([[cosine, -sine, 0], [sine, cosine, 0], [0, 0, 1]])


def ordered_product(factors: Sequence[Matrix]) -> Any:
    """The product of matrices along a path, the latest leftmost, left unevaluated."""
    return sympy.MatMul(*reversed(factors), evaluate=False)


def words_of(counts: Sequence[int]) -> list[tuple[int, ...]]:
    """All words with `counts[a]` letters a, in lexicographic order."""
    letters = [axis for axis, count in enumerate(counts) for _ in range(count)]
    return sorted(set(permutations(letters)))


@dataclass(frozen=True)
class Paths:
    """The definitions of this topic; a control replaces one of them."""

    commutator: Callable[[Any, Any], Any] = commutator
    plaquette: Callable[..., Any] = plaquette
    arrival_plaquette: Callable[..., Any] = arrival_plaquette
    same_words: Callable[[Any, Any], Prop] = same_content
    multinomial: Callable[..., Any] = multinomial
    letter_sum: Callable[[Callable[[Any], Any], Any], Any] = letter_sum
    inversions: Callable[[Callable[[Any], Any], Any], Any] = inversions
    heisenberg: Callable[[Any, Any, Any], Matrix] = heisenberg
    matrix_unit: Callable[[int, int], Matrix] = matrix_unit
    turn_about: Callable[[int, Any], Matrix] = turn_about
    needs_inverse: bool = True

    def commute(self) -> Prop:
        """Every two operators commute."""
        return ForAll((a, b), Eq(self.commutator(step(a), step(b)), ZERO))

    def undone(self) -> Prop:
        """Each step is undone by the step back."""
        if not self.needs_inverse:
            return Eq(UNIT, UNIT)
        return ForAll(a, Eq(step(back(a)) @ step(a), UNIT))

    def flat(self, T: Callable[..., Any]) -> Prop:
        """Every square closes."""
        return ForAll((x, a, b), Eq(self.plaquette(T, a, b, x), ZERO))

    def independent(self) -> Prop:
        """Words of equal content have equal products of fixed operators."""
        return ForAll((v, w), Implies(self.same_words(v, w), Eq(journey(v), journey(w))))

    def path_independent(self, J: Callable[..., Any]) -> Prop:
        """Monotone paths between two places have equal products."""
        return ForAll((x, v, w), Implies(self.same_words(v, w), Eq(J(v, x), J(w, x))))


T, S = operators("T"), operators("S")
g, h = operators("g"), operators("h")
J = transport("T")


# ---------------------------------------------------------------------- journey.commutation
def squares(of: Paths) -> Prop:
    small = ForAll((a, b), Eq(journey(spelled(a, b)), journey(spelled(b, a))))
    return Iff(of.independent(), small)


def commuting(of: Paths) -> Prop:
    return Iff(of.independent(), of.commute())


def reordered(of: Paths) -> Prop:
    split = Implies(of.same_words(w, concat(u, v)), Eq(journey(w), journey(v) @ journey(u)))
    return Implies(of.commute(), ForAll((u, v, w), split))


def inverses_commute(of: Paths) -> Prop:
    inverse = And(Eq(step(c) @ step(a), UNIT), Eq(step(a) @ step(c), UNIT))
    kept = Implies(
        Eq(of.commutator(step(a), step(b)), ZERO), Eq(of.commutator(step(c), step(b)), ZERO)
    )
    return ForAll((a, b, c), Implies(inverse, kept))


def walks(of: Paths) -> Prop:
    same = ForAll((v, w), Implies(same_place(v, w), Eq(journey(v), journey(w))))
    return Implies(of.undone(), Iff(of.commute(), same))


def closed_walks(of: Paths) -> Prop:
    back_home = ForAll(w, Implies(same_place(w, EMPTY), Eq(journey(w), UNIT)))
    return Implies(of.undone(), Iff(of.commute(), back_home))


def one_endpoint(of: Paths) -> Prop:
    end = append(u, a, b)
    agree = ForAll(
        (v, w), Implies(And(same_content(v, end), same_content(w, end)), Eq(journey(v), journey(w)))
    )
    conclusion = Eq(of.commutator(step(a), step(b)), ZERO)
    return ForAll((a, b, u), Implies(And(of.undone(), agree), conclusion))


def singular(of: Paths) -> Prop:
    first, second = of.matrix_unit(1, 2), of.matrix_unit(2, 3)
    nothing = sympy.zeros(3, 3).as_immutable()
    axes = (first, second)
    vanish = [
        Eq(ordered_product([axes[letter] for letter in word]), nothing) for word in words_of((2, 1))
    ]
    apart = Ne(ordered_product((second, first)), ordered_product((first, second)))
    return And(apart, *vanish)


def all_different(of: Paths) -> Prop:
    halves = (Rational(1, 2), Rational(1, 3))
    axes = [of.turn_about(axis, half) for axis, half in zip((1, 3), halves, strict=True)]
    ends = [ordered_product([axes[letter] for letter in word]) for word in words_of((3, 3))]
    apart = [Ne(one, other) for one, other in combinations(ends, 2)]
    return And(*rotates(axes[0], 0, halves[0]), *rotates(axes[1], 2, halves[1]), *apart)


def rotates(turn: Matrix, axis: int, half: Any) -> list[Prop]:
    """A rotation about a coordinate axis (0 or 2) by an angle with tan(angle / 2) = half."""
    one = sympy.eye(3).as_immutable()
    orthogonal = Eq(sympy.MatMul(turn.T, turn, evaluate=False), one)
    kept = Eq(sympy.MatMul(turn, one[:, axis], evaluate=False), one[:, axis])
    sine = turn[2, 1] if axis == 0 else turn[1, 0]
    angle = Eq(sine * (1 + half**2), 2 * half)
    return [orthogonal, Eq(sympy.Determinant(turn), 1), kept, angle]


PATHS = Paths()
COMMUTATION = Claim(
    id="journey.commutation",
    title="With fixed operators paths agree exactly when the operators commute",
    kind="equivalence",
    definitions=PATHS,
    clauses=(
        Clause(
            "squares",
            r"(\forall w \sim w':\ J(w) = J(w')) \iff (\forall a, b:\ J(ab) = J(ba))",
            squares,
        ),
        Clause(
            "commuting",
            r"(\forall w \sim w':\ J(w) = J(w')) \iff "
            r"(\forall a, b:\ [T_a, T_b] = 0), \quad w \sim w' \text{ of equal content}",
            commuting,
        ),
        Clause(
            "reordered",
            r"(\forall a, b:\ [T_a, T_b] = 0) \implies J(w) = J(v)\,J(u) \quad (w \sim uv)",
            reordered,
        ),
        Clause(
            "inverses_commute",
            r"T_c = T_a^{-1},\ [T_a, T_b] = 0 \implies [T_c, T_b] = 0",
            inverses_commute,
        ),
        Clause(
            "walks",
            r"T_{\bar a} = T_a^{-1} \implies \big((\forall a, b:\ [T_a, T_b] = 0) \iff J(w) "
            r"\text{ depends only on the displacement of the walk } w\big)",
            walks,
        ),
        Clause(
            "closed_walks",
            r"T_{\bar a} = T_a^{-1} \implies \big((\forall a, b:\ [T_a, T_b] = 0) \iff "
            r"J(w) = I \text{ for every closed walk } w\big)",
            closed_walks,
        ),
        Clause(
            "one_endpoint",
            r"T_{\bar a} = T_a^{-1},\ J(w) = J(w')\ (w, w' \sim u a b) \implies [T_a, T_b] = 0:"
            r"\ \text{one end point decides}",
            one_endpoint,
        ),
        Clause(
            "singular",
            r"T_1 = E_{12},\ T_2 = E_{23}:\quad T_1 T_2 \ne T_2 T_1,\quad "
            r"J(112) = J(121) = J(211) = 0",
            singular,
        ),
        Clause(
            "all_different",
            r"T_1 = R_x(2\arctan\tfrac12),\ T_2 = R_z(2\arctan\tfrac13):\quad "
            r"\text{the 20 words of content } (3, 3) \text{ have 20 operators}",
            all_different,
        ),
    ),
)


# ---------------------------------------------------------------------- journey.path_count
factorial = sequence("factorial", Int(1))
letters = sequence("w", Mod(2))


def counted(of: Paths) -> Prop:
    def recursion(axes: int) -> Prop:
        x = variables(" ".join(f"x{axis}" for axis in range(axes)), Int(1))
        shorter = [[y - int(y == removed) for y in x] for removed in x]
        last_letter = Eq(
            of.multinomial(factorial, x),
            sympy.Add(*(of.multinomial(factorial, counts) for counts in shorter)),
        )
        unused = Eq(of.multinomial(factorial, (*x, 0)), of.multinomial(factorial, x))
        grows = Implies(Lt(k, sum(x)), Eq(factorial(k + 1), (k + 1) * factorial(k)))
        premise = And(Eq(factorial(0), 1), ForAll(k, grows))
        return ForAll(x, Implies(premise, And(last_letter, unused)))

    empty = Implies(Eq(factorial(0), 1), Eq(of.multinomial(factorial, (0,)), 1))
    return And(empty, *(recursion(axes) for axes in range(1, 5)))


def joined(of: Paths) -> Prop:
    def counts(n: Any) -> Matrix:
        second = of.letter_sum(letters, n)
        return of.heisenberg(n - second, second, of.inversions(letters, n))

    letter = of.heisenberg(1 - letters(n), letters(n), 0)
    return ForAll(n, Eq(counts(n + 1), sympy.MatMul(counts(n), letter, evaluate=False)))


def one_square(of: Paths) -> Prop:
    names = variables("A B I A' B' I'", Integer)
    before, after = of.heisenberg(*names[:3]), of.heisenberg(*names[3:])
    first, second = of.heisenberg(1, 0, 0), of.heisenberg(0, 1, 0)
    falling = sympy.MatMul(before, second, first, after, evaluate=False)
    rising = sympy.MatMul(before, first, second, after, evaluate=False)
    one = matrix_unit(1, 3)
    return ForAll(names, Eq(falling, sympy.MatAdd(rising, one, evaluate=False)))


def no_descent(of: Paths) -> Prop:
    rising = ForAll(k, Implies(Lt(k + 1, n), Eq(letters(k) * (1 - letters(k + 1)), 0)))
    return ForAll(n, Implies(rising, Eq(of.inversions(letters, n), 0)))


def largest(of: Paths) -> Prop:
    second = of.letter_sum(letters, n)
    area = of.inversions(letters, n)
    return ForAll(n, And(Le(0, area), Le(area, (n - second) * second)))


def attained(of: Paths) -> Prop:
    seconds_first = And(
        ForAll(k, Implies(Lt(k, q), Eq(letters(k), 1))),
        ForAll(k, Implies(And(Le(q, k), Lt(k, q + p)), Eq(letters(k), 0))),
    )
    return ForAll((p, q), Implies(seconds_first, Eq(of.inversions(letters, q + p), p * q)))


def distance(of: Paths) -> Prop:
    return Informal("the least number of squares between two words is their number of inversions")


PATH_COUNT = Claim(
    id="journey.path_count",
    title="How many paths there are, and how many squares lie between two of them",
    kind="identity",
    definitions=PATHS,
    clauses=(
        Clause(
            "counted",
            r"M(x) = \tfrac{(\sum x_a)!}{\prod x_a!}:\quad M(0) = 1,\ M(x, 0) = M(x),\ "
            r"M(x) = \textstyle\sum_a M(x - e_a) \ (x_a \ge 1,\ a \le n \le 4),"
            r"\ \text{as for words by their last letter}",
            counted,
        ),
        Clause(
            "joined",
            r"H(w a) = H(w)\,H(a),\quad H(w) = \begin{pmatrix} 1 & x_2 & \mathrm{inv} \\ "
            r"0 & 1 & x_1 \\ 0 & 0 & 1 \end{pmatrix}",
            joined,
        ),
        Clause(
            "one_square",
            r"\mathrm{inv}(u\,21\,v) = \mathrm{inv}(u\,12\,v) + 1",
            one_square,
        ),
        Clause(
            "no_descent",
            r"\text{no neighbours } 21 \text{ in } w \implies \mathrm{inv}(w) = 0",
            no_descent,
        ),
        Clause("largest", r"0 \le \mathrm{inv}(w) \le x_1 x_2", largest),
        Clause("attained", r"\mathrm{inv}(2^q 1^p) = p\,q", attained),
        Clause(
            "distance",
            r"\text{squares needed from } w \text{ to } w' = \text{pairs of letters in different "
            r"order},\quad \max = \textstyle\sum_{a<b} x_a x_b",
            distance,
        ),
    ),
)


# ---------------------------------------------------------------------- journey.flatness
def flat_squares(of: Paths) -> Prop:
    return Iff(of.flat(T), of.path_independent(J))


def gauge_field(of: Paths) -> Prop:
    inverse = ForAll(w, And(Eq(g(w) @ h(w), UNIT), Eq(h(w) @ g(w), UNIT)))
    pure = ForAll((a, w), Eq(T(a, w), g(append(w, a)) @ h(w)))
    ends = ForAll((w, x), Eq(J(w, x), g(concat(x, w)) @ h(x)))
    return Implies(And(inverse, pure), And(of.flat(T), ends))


def undone_field(of: Paths) -> Prop:
    """Each step is undone by the step back from where it leads."""
    if not of.needs_inverse:
        return Eq(UNIT, UNIT)
    return ForAll((a, w), Eq(T(back(a), append(w, a)) @ T(a, w), UNIT))


def any_walk(of: Paths) -> Prop:
    same = ForAll((v, w, x), Implies(same_place(v, w), Eq(J(v, x), J(w, x))))
    return Implies(undone_field(of), Iff(of.flat(T), same))


def potential_exists(of: Paths) -> Prop:
    returns = same_place(concat(w, v), EMPTY)
    inverse = And(Eq(J(v, w) @ J(w), UNIT), Eq(J(w) @ J(v, w), UNIT))
    ends = Eq(J(u, w), J(concat(w, u)) @ J(v, w))
    premise = And(undone_field(of), of.flat(T))
    return Implies(premise, ForAll((u, v, w), Implies(returns, And(inverse, ends))))


def arrival(of: Paths) -> Prop:
    stored = ForAll((a, w), Eq(T(a, w), S(a, append(w, a))))
    closes = ForAll((x, a, b), Eq(of.arrival_plaquette(S, a, b, x), ZERO))
    return Implies(stored, Iff(closes, of.path_independent(J)))


def one_edge(of: Paths) -> Prop:
    def altered(letter: Any, at: Any) -> Any:
        return T(letter, at) @ P if (letter, at) == (a, x) else T(letter, at)

    closed = Eq(of.plaquette(T, a, b, x), ZERO)
    open_by = Eq(of.plaquette(altered, a, b, x), T(b, append(x, a)) @ T(a, x) @ (P - UNIT))
    return ForAll((a, b, x, P), Implies(closed, open_by))


FLATNESS = Claim(
    id="journey.flatness",
    title="Operators that depend on the place: closed squares, equal paths and potentials are one",
    kind="equivalence",
    definitions=PATHS,
    clauses=(
        Clause(
            "flat_squares",
            r"(\forall x, a, b:\ F_{ab}(x) = 0) \iff (\forall x,\ w \sim w':\ J(w; x) = J(w'; x)),"
            r"\quad F_{ab}(x) = T_b(x + e_a)\,T_a(x) - T_a(x + e_b)\,T_b(x)",
            flat_squares,
        ),
        Clause(
            "gauge_field",
            r"T_a(x) = g(x + e_a)\,g(x)^{-1} \implies F = 0,\ J(w; x) = g(y)\,g(x)^{-1}"
            r"\ \text{ for every walk } w \text{ from } x \text{ to } y",
            gauge_field,
        ),
        Clause(
            "any_walk",
            r"T_{\bar a}(x + e_a) = T_a(x)^{-1} \implies \big(F = 0 \iff "
            r"J(w; x) = J(w'; x) \text{ for walks of equal displacement}\big)",
            any_walk,
        ),
        Clause(
            "potential_exists",
            r"F = 0,\ T_{\bar a}(x + e_a) = T_a(x)^{-1} \implies g(x) = J(0 \to x) "
            r"\text{ is invertible and }"
            r"J(x \to y) = g(y)\,g(x)^{-1}",
            potential_exists,
        ),
        Clause(
            "arrival",
            r"\text{steps stored where they arrive: } "
            r"(\forall w \sim w':\ J(w; x) = J(w'; x)) \text{ iff } "
            r"S_b(x + e_a + e_b)\,S_a(x + e_a) = S_a(x + e_a + e_b)\,S_b(x + e_b)",
            arrival,
        ),
        Clause(
            "one_edge",
            r"F_{ab}(x) = 0,\ T_a(x) \to T_a(x) P:\quad F_{ab}(x) = "
            r"T_b(x + e_a)\,T_a(x)\,(P - I)",
            one_edge,
        ),
    ),
    depends=("journey.commutation",),
)
