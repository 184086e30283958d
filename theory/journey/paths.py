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
journey.commutation, journey.path_count, journey.flatness, journey.content_dependence,
journey.stokes

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
from itertools import combinations, permutations, product
from typing import Any

import sympy
from sympy import Rational, cos, pi, sin

from posproof.theory.operators import (
    EMPTY,
    UNIT,
    ZERO,
    Norm,
    SameContent,
    SamePlace,
    Term,
    append,
    back,
    concat,
    isometry,
    journey,
    operators,
    spelled,
    step,
    transport,
)
from posproof.theory.symbols import Variable, sequence, total, variables
from posproof.theory.vocabulary import (
    And,
    Claim,
    Clause,
    Eq,
    Exists,
    Finite,
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
    Real,
    Word,
)

a, b, c = variables("a b c", Letter)
u, v, w, x = variables("u v w x", Word)
k, n, p, q = variables("k n p q", Int(0))
i, j, t = variables("i j t", Int(0))
P = Variable("P", Operator)
turns = Variable("m", Integer)
W = Variable("W", Int(1))
alpha, beta, f = variables("alpha beta f", Real)

Matrix = sympy.ImmutableMatrix


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


def quarter_slope() -> Matrix:
    """R(arctan 4/3), a rotation of infinite order with rational entries."""
    return Matrix([[Rational(3, 5), -Rational(4, 5)], [Rational(4, 5), Rational(3, 5)]])


def shears(first: Any, second: Any) -> Matrix:
    """g(x): a shear by x_1 after a shear by x_2."""
    return sympy.MatMul(Matrix([[1, first], [0, 1]]), Matrix([[1, 0], [second, 1]]), evaluate=False)


def shears_back(first: Any, second: Any) -> Matrix:
    """The inverse of `shears`."""
    return sympy.MatMul(
        Matrix([[1, 0], [-second, 1]]), Matrix([[1, -first], [0, 1]]), evaluate=False
    )


def rotation(angle: Any) -> Matrix:
    """The rotation of a plane by `angle` radians."""
    return Matrix([[cos(angle), -sin(angle)], [sin(angle), cos(angle)]])


def affine(sign: Any, shift: Any, point: Any) -> Any:
    """The permutation point -> shift +- point of the residues mod 3; these are all six."""
    return shift + (1 - 2 * sign) * point


def around(T1: Any, T2: Any, i: Any, t: Any) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """The operators met on the two ways round the cell (i, t) of the plane, latest first."""
    return (T2(i + 1, t), T1(i, t)), (T1(i, t + 1), T2(i, t))


def both_at_departure(T1: Any, T2: Any, i: Any, t: Any) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """What is not the square: all four operators read at (i, t)."""
    return (T2(i, t), T1(i, t)), (T1(i, t), T2(i, t))


def curvature(theta1: Any, theta2: Any, i: Any, t: Any) -> Any:
    """The angle around the cell (i, t): first axis first, minus second axis first."""
    return theta1(i, t) + theta2(i + 1, t) - theta1(i, t + 1) - theta2(i, t)


def field(name: str) -> Callable[[Any, Any], Any]:
    """An arbitrary real field, stored in rows of length W: (i, t) is at i + W t for i < W."""
    stored = sequence(name)
    return lambda i, t: stored(i + W * t)


def climb(theta2: Any, i: Any, height: Any) -> Any:
    """The angle of the steps along the second axis in column i, from 0 to `height`."""
    return total(t, height, theta2(i, t))


def staircase(theta1: Any, theta2: Any, h: Any, n: Any) -> Any:
    """The angle along the path that leaves column i at height h(i), up to (n, h(n))."""
    column = climb(theta2, i + 1, h(i + 1)) - climb(theta2, i + 1, h(i))
    return climb(theta2, 0, h(0)) + total(i, n, theta1(i, h(i)) + column)


def potential(theta1: Any, theta2: Any, i: Any, t: Any) -> Any:
    """The angle along the path that goes along the first axis, then along the second."""
    return total(j, i, theta1(j, 0)) + total(k, t, theta2(i, k))


def ordered_product(factors: Sequence[Matrix]) -> Any:
    """The product of matrices along a path, the latest leftmost, left unevaluated."""
    return sympy.MatMul(*reversed(factors), evaluate=False)


def words_of(counts: Sequence[int]) -> list[tuple[int, ...]]:
    """All words with `counts[a]` letters a, in lexicographic order."""
    letters = [axis for axis, count in enumerate(counts) for _ in range(count)]
    return sorted(set(permutations(letters)))


def area(word: Sequence[int], low: int = 0, high: int = 1) -> int:
    """Pairs of a letter `high` with a later letter `low`."""
    return sum(x == high and y == low for x, y in combinations(word, 2))


@dataclass(frozen=True)
class Paths:
    """The definitions of this topic; a control replaces one of them."""

    commutator: Callable[[Any, Any], Any] = commutator
    plaquette: Callable[..., Any] = plaquette
    arrival_plaquette: Callable[..., Any] = arrival_plaquette
    same_words: Callable[[Any, Any], Prop] = SameContent
    multinomial: Callable[..., Any] = multinomial
    letter_sum: Callable[[Callable[[Any], Any], Any], Any] = letter_sum
    inversions: Callable[[Callable[[Any], Any], Any], Any] = inversions
    heisenberg: Callable[[Any, Any, Any], Matrix] = heisenberg
    matrix_unit: Callable[[int, int], Matrix] = matrix_unit
    turn_about: Callable[[int, Any], Matrix] = turn_about
    slope: Callable[[], Matrix] = quarter_slope
    gauge: Callable[[Any, Any], Any] = shears
    gauge_back: Callable[[Any, Any], Any] = shears_back
    rotation: Callable[[Any], Matrix] = rotation
    affine: Callable[[Any, Any, Any], Any] = affine
    around: Callable[..., Any] = around
    curvature: Callable[..., Any] = curvature
    staircase: Callable[..., Any] = staircase
    potential: Callable[..., Any] = potential
    needs_inverse: bool = True
    squares_counted: Callable[[Any], Any] = lambda n: n
    keeps_norm: Callable[[Any], Prop] = isometry

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
    same = ForAll((v, w), Implies(SamePlace(v, w), Eq(journey(v), journey(w))))
    return Implies(of.undone(), Iff(of.commute(), same))


def closed_walks(of: Paths) -> Prop:
    back_home = ForAll(w, Implies(SamePlace(w, EMPTY), Eq(journey(w), UNIT)))
    return Implies(of.undone(), Iff(of.commute(), back_home))


def one_endpoint(of: Paths) -> Prop:
    end = append(u, a, b)
    agree = ForAll(
        (v, w), Implies(And(SameContent(v, end), SameContent(w, end)), Eq(journey(v), journey(w)))
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
    axes = (of.turn_about(1, Rational(1, 2)), of.turn_about(3, Rational(1, 3)))
    ends = [ordered_product([axes[letter] for letter in word]) for word in words_of((3, 3))]
    return And(*(Ne(one, other) for one, other in combinations(ends, 2)))


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
    same = ForAll((v, w, x), Implies(SamePlace(v, w), Eq(J(v, x), J(w, x))))
    return Implies(undone_field(of), Iff(of.flat(T), same))


def potential_exists(of: Paths) -> Prop:
    returns = SamePlace(concat(w, v), EMPTY)
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
            r"\text{steps stored where they arrive: } (\forall w \sim w':\ J(w; x) = J(w'; x)) \iff "
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


# ---------------------------------------------------------------------- journey.content_dependence
BOX = (2, 2, 1)  # the content of the 30 words of the two examples


def power(matrix: Matrix, exponent: int) -> Any:
    """The matrix multiplied out as often as it is written, unevaluated."""
    return sympy.MatPow(matrix, exponent, evaluate=False)


def curved_step(of: Paths, axis: int, place: Sequence[int]) -> Any:
    """T_1(x) = R^(x_2), T_2 = T_3 = I."""
    return power(of.slope(), place[1] if axis == 0 else 0)


def along(steps: Callable[[int, Sequence[int]], Any], word: Sequence[int]) -> Any:
    """The product of the operators along a word from 0."""
    place, factors = [0] * len(BOX), []
    for axis in word:
        factors.append(steps(axis, tuple(place)))
        place[axis] += 1
    return ordered_product(factors)


def commuting_but_curved(of: Paths) -> Prop:
    def steps(axis: int, place: Sequence[int]) -> Any:
        return curved_step(of, axis, place)

    places = list(product(*(range(side + 1) for side in BOX)))
    values = [steps(axis, (0, row, 0)) for axis in (0, 1) for row in range(BOX[1] + 1)]
    commute = [Eq(ordered_product((x, y)), ordered_product((y, x))) for x in values for y in values]
    words = words_of(BOX)
    areas = [Eq(along(steps, word), power(of.slope(), area(word))) for word in words]
    ends = sorted({area(word) for word in words})
    apart = [Ne(power(of.slope(), x), power(of.slope(), y)) for x, y in combinations(ends, 2)]
    cells = [(i, t) for i, t, _ in places if i < BOX[0] and t < BOX[1]]

    def first(i: int, t: int) -> Any:
        return steps(0, (i, t, 0))

    def second(i: int, t: int) -> Any:
        return steps(1, (i, t, 0))

    ways = [
        [ordered_product(way[::-1]) for way in of.around(first, second, *cell)] for cell in cells
    ]
    curved = [Ne(*way) for way in ways]
    return And(*commute, *areas, *apart, *curved)


def flat_but_noncommuting(of: Paths) -> Prop:
    def first(i: Any, t: Any) -> Any:
        return sympy.MatMul(of.gauge(i + 1, t), of.gauge_back(i, t), evaluate=False)

    def second(i: Any, t: Any) -> Any:
        return sympy.MatMul(of.gauge(i, t + 1), of.gauge_back(i, t), evaluate=False)

    i, t = variables("i t", Integer)
    ways = [ordered_product(way[::-1]) for way in of.around(first, second, i, t)]
    here = (first(0, 0), second(0, 0))
    apart = Ne(ordered_product(here), ordered_product(here[::-1]))
    return And(ForAll((i, t), Eq(*ways)), apart)


def own_coordinate(of: Paths) -> Prop:
    first, second = operators("A"), operators("B")
    i, t = variables("i t", Integer)
    (u2, u1), (v1, v2) = of.around(lambda i, _: first(i), lambda _, t: second(t), i, t)
    closed = ForAll((i, t), Eq(u2 @ u1, v1 @ v2))
    commute = ForAll((i, t), Eq(of.commutator(first(i), second(t)), ZERO))
    return Iff(closed, commute)


def angles(axis: int) -> Callable[[int, int], Any]:
    """The angle of one axis at the corners of one cell, for each plane c."""
    return lambda i, t: sequence(f"theta{axis}[{i}{t}]")(k)


def abelian(of: Paths) -> Prop:
    first, second = angles(1), angles(2)

    def turned(theta: Any) -> Any:
        return lambda i, t: of.rotation(theta(i, t))

    ways = [ordered_product(way[::-1]) for way in of.around(turned(first), turned(second), 0, 0)]
    closed = Exists(turns, Eq(of.curvature(first, second, 0, 0), 2 * pi * turns))
    return Iff(ForAll(k, Eq(*ways)), ForAll(k, closed))


def angle_potential(of: Paths) -> Prop:
    first, second = field("theta1"), field("theta2")

    def phi(i: Any, t: Any) -> Any:
        return of.potential(first, second, i, t)

    def same(left: Any, right: Any) -> Prop:
        """Equal modulo 2 pi."""
        return Eq(cos(left - right), 1)

    def inside(column: Any, claim: Prop) -> Prop:
        return ForAll((i, t), Implies(Lt(column, W), claim))

    closed = inside(i + 1, same(of.curvature(first, second, i, t), 0))
    gradient = And(
        inside(i + 1, same(first(i, t), phi(i + 1, t) - phi(i, t))),
        inside(i, same(second(i, t), phi(i, t + 1) - phi(i, t))),
    )
    return ForAll(W, Iff(closed, gradient))


r, s, o = variables("r s o", Letter)
tau1, tau2 = operators("tau1"), operators("tau2")
inverse1, inverse2 = operators("sigma1"), operators("sigma2")


def placed(tau: Callable[[Any], Any]) -> Callable[[int, int], Any]:
    """T_a(x) = tau_a(item at x) on a cell with items r at its origin, s right, o above."""
    items = {(0, 0): r, (1, 0): s, (0, 1): o}
    return lambda i, t: tau(items[i, t])


def no_go(of: Paths) -> Prop:
    (u2, u1), (v1, v2) = of.around(placed(tau1), placed(tau2), 0, 0)
    flat = ForAll((r, s, o), Eq(u2 @ u1, v1 @ v2))
    constant = [ForAll((r, s), Eq(tau(r), tau(s))) for tau in (tau1, tau2)]
    commute = ForAll((r, s), Eq(of.commutator(tau1(r), tau2(s)), ZERO))
    equivalence = Iff(flat, And(*constant, commute))
    inverses = And(
        Eq(tau1(r) @ inverse1(r), UNIT),
        Eq(tau2(r) @ inverse2(r), UNIT),
    )
    invertible = ForAll(r, inverses) if of.needs_inverse else Eq(UNIT, UNIT)
    return Implies(invertible, equivalence)


Permutation = tuple[Any, Any]
SYMMETRIC = tuple((sign, shift) for sign in range(2) for shift in range(3))


def composed(of: Paths, left: Permutation, right: Permutation, point: Any) -> Any:
    """left(right(point)), an integer to be read mod 3."""
    return of.affine(*left, of.affine(*right, point))


def remainder(whole: Any) -> Any:
    """An integer modulo 3."""
    return whole - 3 * sympy.floor(whole / 3)


def congruent(left: Any, right: Any) -> Prop:
    """Equal modulo 3."""
    return Eq(remainder(left - right), 0)


def universally_flat(
    of: Paths, first: Sequence[Permutation], second: Sequence[Permutation]
) -> Prop:
    """Every placement of two items on a cell closes, at every point the permutations move."""
    closed = []
    for origin, right, above, point in product(range(2), range(2), range(2), range(2)):
        items = {(0, 0): origin, (1, 0): right, (0, 1): above}
        up, down = of.around(
            lambda i, t: first[items[i, t]], lambda i, t: second[items[i, t]], 0, 0
        )
        closed.append(congruent(composed(of, *up, point), composed(of, *down, point)))
    return And(*closed)


def exhausted(of: Paths) -> Prop:
    signs = [Variable(f"s{which}", Mod(2)) for which in range(4)]
    shifts = [Variable(f"r{which}", Mod(3)) for which in range(4)]
    first, other_first, second, other_second = zip(signs, shifts, strict=True)
    flat = universally_flat(of, (first, other_first), (second, other_second))
    constant = And(
        Eq(first[0], other_first[0]),
        Eq(first[1], other_first[1]),
        Eq(second[0], other_second[0]),
        Eq(second[1], other_second[1]),
        *(
            congruent(composed(of, first, second, point), composed(of, second, first, point))
            for point in range(2)
        ),
    )
    names = tuple(name for pair in zip(signs, shifts, strict=True) for name in pair)
    return ForAll(names, Iff(flat, constant))


def agreement(of: Paths, one: Permutation, other: Permutation) -> Any:
    """1 if two permutations commute, else 0."""
    moved = (composed(of, one, other, point) for point in range(2))
    back_to_front = (composed(of, other, one, point) for point in range(2))
    apart = [remainder(x - y) for x, y in zip(moved, back_to_front, strict=True)]
    return sympy.Mul(*(sympy.Max(0, 1 - gap) for gap in apart))


def over_permutations(body: Callable[[Permutation], Any], name: str) -> Any:
    """The sum over the six permutations."""
    sign, shift = variables(f"{name} {name}'", Int(0))
    return total(sign, 2, total(shift, 3, body((sign, shift))))


def numbers(of: Paths) -> Prop:
    flat = over_permutations(
        lambda one: over_permutations(lambda other: agreement(of, one, other), "h"), "g"
    )

    def common(one: Permutation, other: Permutation) -> Any:
        both = over_permutations(
            lambda third: agreement(of, one, third) * agreement(of, other, third), "h"
        )
        return both**2

    crossing = over_permutations(
        lambda one: over_permutations(lambda other: common(one, other), "f"), "g"
    )
    return And(Eq(flat, 18), Eq(crossing, 162))


def singular_escape(of: Paths) -> Prop:
    x, y = variables("x y", Real)
    unit = of.matrix_unit(1, 2)
    nothing = sympy.zeros(3, 3).as_immutable()
    return ForAll((x, y), Eq(sympy.MatMul(x * unit, y * unit, evaluate=False), nothing))


CONTENT_DEPENDENCE = Claim(
    id="journey.content_dependence",
    title="Operators that depend on the data: commuting is neither needed nor enough",
    kind="classification",
    definitions=PATHS,
    stance="corrected",
    reading=(
        "The abstract's sentence is read for operators that depend on the data: movement is "
        "independent of the path precisely when the transformations of the axes commute."
    ),
    clauses=(
        Clause(
            "commuting_but_curved",
            r"T_1(x) = R^{x_2},\ T_2 = T_3 = I,\ R = R(\arctan\tfrac43):\quad "
            r"\text{all operators commute, no square in the plane } (1, 2) \text{ closes, and the } "
            r"30 \text{ words of content } (2, 2, 1) \text{ have } 5 \text{ operators}",
            commuting_but_curved,
        ),
        Clause(
            "flat_but_noncommuting",
            r"g(x) = \begin{pmatrix} 1 & x_1 \\ 0 & 1 \end{pmatrix}"
            r"\begin{pmatrix} 1 & 0 \\ x_2 & 1 \end{pmatrix},\ T_a(x) = g(x + e_a)\,g(x)^{-1}:\quad "
            r"F_{12} = 0,\ T_1(0)\,T_2(0) \ne T_2(0)\,T_1(0)",
            flat_but_noncommuting,
        ),
        Clause(
            "own_coordinate",
            r"T_1(x) = A(x_1),\ T_2(x) = B(x_2):\quad F_{12} = 0 \iff "
            r"\forall s, t:\ A(s)\,B(t) = B(t)\,A(s)",
            own_coordinate,
        ),
        Clause(
            "abelian",
            r"T_a(x) = \textstyle\bigoplus_c R(\theta_{a,c}(x)):\quad F_{ab}(x) = 0 \iff \forall c:\ "
            r"\theta_{a,c}(x) + \theta_{b,c}(x + e_a) - \theta_{a,c}(x + e_b) - \theta_{b,c}(x) "
            r"\in 2\pi\mathbb{Z}",
            abelian,
        ),
        Clause(
            "angle_potential",
            r"\theta \text{ closed mod } 2\pi \iff \theta_a(x) \equiv \Phi(x + e_a) - \Phi(x)"
            r"\ (a = 1, 2;\ x \in \{0, \ldots, W - 1\} \times \mathbb{N}),\quad "
            r"\Phi(i, t) = \textstyle\sum_{j<i} \theta_1(j, 0) + \sum_{k<t} \theta_2(i, k)",
            angle_potential,
        ),
        Clause(
            "no_go",
            r"\tau_a: X \to GL_d,\ T_a(x) = \tau_a(\iota(x)):\quad F = 0 \text{ for all "
            r"placements } \iota \iff \tau_1, \tau_2 \text{ constant and } [\tau_1, \tau_2] = 0",
            no_go,
        ),
        Clause(
            "exhausted",
            r"\tau_1, \tau_2: \{0, 1\} \to S_3:\quad \text{of the } 6^4 \text{ pairs exactly the "
            r"constant, commuting ones are flat for all placements}",
            exhausted,
        ),
        Clause(
            "numbers",
            r"|\{(g, h) \in S_3^2: gh = hg\}| = 18,\quad "
            r"\textstyle\sum_{g, f \in S_3} |\{h: gh = hg, fh = hf\}|^2 = 162:\ "
            r"18 \text{ of } 1296 \text{ are flat, of the } 162 \text{ that commute only these}",
            numbers,
        ),
        Clause(
            "singular_escape",
            r"\tau_a(v) \in K E_{12} \implies \text{every product of two operators is } 0",
            singular_escape,
        ),
    ),
    depends=("journey.flatness",),
)


# ---------------------------------------------------------------------- journey.stokes
def one_swap(of: Paths) -> Prop:
    rising, falling = concat(append(u, a, b), v), concat(append(u, b, a), v)
    at = concat(x, u)
    middle = J(v, append(at, a, b)) @ of.plaquette(T, a, b, at) @ J(u, x)
    return ForAll((u, v, x, a, b), Eq(J(rising, x) - J(falling, x), middle))


def between_paths(of: Paths) -> Prop:
    first, second = field("theta1"), field("theta2")
    low, high = sequence("h", Int(0)), sequence("h'", Int(0))

    def cells(height: Any) -> Any:
        return total(i, n, total(t, height(i), of.curvature(first, second, i, t)))

    difference = of.staircase(first, second, low, n) - of.staircase(first, second, high, n)
    same_end = Eq(low(n), high(n))
    enclosed = Eq(difference, cells(high) - cells(low))
    return ForAll((W, n), Implies(same_end, enclosed))


def swap_norm(of: Paths) -> Prop:
    keep = ForAll((a, w), of.keeps_norm(T(a, w)))
    rising, falling = concat(append(u, a, b), v), concat(append(u, b, a), v)
    square = Norm(of.plaquette(T, a, b, concat(x, u)))
    equal = Eq(Norm(J(rising, x) - J(falling, x)), square)
    return Implies(keep, ForAll((u, v, x, a, b), equal))


def area_bound(of: Paths) -> Prop:
    X, U, F, V = (operators(name) for name in "XUFV")
    one = Eq(X(k) - X(k + 1), U(k) @ F(k) @ V(k))
    chain = ForAll(k, Implies(Lt(k, n), And(of.keeps_norm(U(k)), of.keeps_norm(V(k)), one)))
    bound = Le(Norm(X(0) - X(n)), total(k, of.squares_counted(n), Norm(F(k))))
    return ForAll(n, Implies(chain, bound))


def rectangle(of: Paths) -> Prop:
    A, B = operators("A"), operators("B")

    def powers(of_letter: Any, values: Callable[[Any], Any], count: Any) -> Prop:
        grows = Implies(Lt(k, count), Eq(values(k + 1), step(of_letter) @ values(k)))
        return And(Eq(values(0), UNIT), ForAll(k, grows))

    premise = And(powers(a, A, p), powers(b, B, q), of.keeps_norm(step(a)), of.keeps_norm(step(b)))
    defect = Norm(of.commutator(A(p), B(q)))
    bound = Le(defect, p * q * Norm(of.commutator(step(a), step(b))))
    return ForAll((a, b, p, q), Implies(premise, bound))


def circle(of: Paths) -> Prop:
    gap = of.rotation(alpha) - of.rotation(beta)
    size = sympy.MatMul(gap.T, gap, evaluate=False)
    one = Matrix([[1, 0], [0, 1]])
    exact = Eq(size, 4 * sin((alpha - beta) / 2) ** 2 * one)
    return ForAll((alpha, beta), exact)


def constant_curvature(of: Paths) -> Prop:
    cells = of.squares_counted(n)
    return ForAll((n, f), Le(sin(f * n / 2) ** 2, cells**2 * sin(f / 2) ** 2))


STOKES = Claim(
    id="journey.stokes",
    title="Two paths differ by the squares between them",
    kind="bound",
    definitions=PATHS,
    clauses=(
        Clause(
            "one_swap",
            r"J(u\,ab\,v; x) - J(u\,ba\,v; x) = J(v; x + u + e_a + e_b)\,F_{ab}(x + u)\,J(u; x)",
            one_swap,
        ),
        Clause(
            "between_paths",
            r"\theta(\gamma) - \theta(\gamma') = \textstyle\sum_{i < n} "
            r"\big(\sum_{t < h'(i)} - \sum_{t < h(i)}\big) F(i, t),\quad "
            r"F(x) = \theta_1(x) + \theta_2(x + e_1) - \theta_1(x + e_2) - \theta_2(x),\quad "
            r"\text{the cells between paths of heights } h, h'",
            between_paths,
        ),
        Clause(
            "swap_norm",
            r"T_a(x) \text{ orthogonal or unitary} \implies "
            r"\lVert J(u\,ab\,v; x) - J(u\,ba\,v; x) \rVert = \lVert F_{ab}(x + u) \rVert "
            r"\text{ in every invariant norm}",
            swap_norm,
        ),
        Clause(
            "area_bound",
            r"X_k - X_{k+1} = U_k F_k V_k\ (k < n),\ U_k, V_k \text{ norm preserving} \implies "
            r"\lVert X_0 - X_n \rVert \le \textstyle\sum_{k<n} \lVert F_k \rVert",
            area_bound,
        ),
        Clause(
            "rectangle",
            r"T_a, T_b \text{ norm preserving} \implies "
            r"\lVert [T_a^p, T_b^q] \rVert \le p\,q\,\lVert [T_a, T_b] \rVert",
            rectangle,
        ),
        Clause(
            "circle",
            r"(R(\alpha) - R(\beta))^{\top} (R(\alpha) - R(\beta)) = 4 \sin^2\tfrac{\alpha - \beta}{2}\,I",
            circle,
        ),
        Clause(
            "constant_curvature",
            r"2\,|\sin\tfrac{f n}{2}| \le n \cdot 2\,|\sin\tfrac{f}{2}| \quad (n \text{ cells of "
            r"curvature } f)",
            constant_curvature,
        ),
    ),
    depends=("journey.flatness",),
)
