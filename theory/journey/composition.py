r"""Composition of steps that also add something: affine maps, cells of a grid, linear recurrences.

Main definitions
----------------
moved(T, v, s)               an affine step, T s + v
beside(v, T, w)              the value of a block and what stands beyond it, v + T w
compose(later, earlier)      two affine steps as one
difference_form(T, u)        (T - 1) u, the input that only moves the origin

Main claims
-----------
journey.affine_composition, journey.interchange, journey.scan

Conventions
-----------
Operators are elements of any ring: matrices of every size, with columns and rows as matrices padded
by zeros.  No operator is assumed to have an inverse unless a clause names it.  A recurrence starts
at s(0) = 0 and its t-th step uses T(t), b(t), t = 1, 2, ...; P(t, j) = T(t) ... T(j + 1).

References
----------
none: derived for this project
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import sympy
from sympy import Rational, cos, pi, sin

from posproof.theory.operators import UNIT, ZERO, operators, summed, unknowns
from posproof.theory.symbols import sequence, variables
from posproof.theory.vocabulary import (
    And,
    Claim,
    Clause,
    Eq,
    Exists,
    ForAll,
    Iff,
    Implies,
    Int,
    Integer,
    Le,
    Lt,
    Ne,
    Prop,
    Real,
)

Pair = tuple[Any, Any]

t, j, n, c, w, h, i, more = variables("t j n c w h i m", Int(0))
alpha, beta, v1, v2, w1, w2, u1, u2 = variables("alpha beta v1 v2 w1 w2 u1 u2", Real)
Ta, Tb, va, vb, s, u, X = unknowns("Ta Tb va vb s u X")
T, b, P, state, product, k, q, v, weight, A, B, Q = (
    operators(name) for name in ("T", "b", "P", "s", "J", "k", "q", "v", "L", "A", "B", "Q")
)
R, S, field = operators("R"), operators("S"), operators("h")
axis = sequence("a", Integer)


# ---------------------------------------------------------------------- journey.affine_composition
def moved(T: Any, v: Any, s: Any) -> Any:
    """One affine step from the state s."""
    return T @ s + v


def difference_form(T: Any, u: Any) -> Any:
    """The input of a step that only moves the origin of the states to -u."""
    return (T - UNIT) @ u


def closed(first: Any, second: Any, other: Any, mine: Any) -> Prop:
    """(T_a - 1) v_b = (T_b - 1) v_a."""
    return Eq(difference_form(first, other), difference_form(second, mine))


def rotation(phi: Any) -> sympy.ImmutableMatrix:
    """The rotation of one plane by `phi` radians."""
    return sympy.ImmutableMatrix([[cos(phi), -sin(phi)], [sin(phi), cos(phi)]])


def rational_rotation(half: Any) -> sympy.ImmutableMatrix:
    """The rotation whose half angle has the rational tangent `half`."""
    below = 1 + half**2
    x, y = (1 - half**2) / below, 2 * half / below
    return sympy.ImmutableMatrix([[x, -y], [y, x]])


def blocks(*halves: Any) -> sympy.ImmutableMatrix:
    """Rotations of separate planes, each by the tangent of its half angle."""
    return sympy.diag(*(rational_rotation(Rational(half)) for half in halves)).as_immutable()


def shear(size: int, column: int) -> sympy.ImmutableMatrix:
    """1 + E_{1, column}: unipotent, so not semisimple."""
    matrix = sympy.eye(size)
    matrix[0, column] = 1
    return matrix.as_immutable()


#: Commuting operators and the dimension of their closed inputs: rotations with mixed axes, separate
#: axes, a plane that never turns, three axes, the identity; and two shears, which turn nothing.
ROTATIONS = (
    ((blocks("1/2", "1/3"), blocks("1/5", "2/3")), 4),
    ((blocks("1/2", 0), blocks(0, "2/3")), 4),
    ((blocks("1/2", 0, 0), blocks(0, "2/3", 0)), 8),
    ((blocks("1/2", 0, 0), blocks(0, "2/3", 0), blocks(0, 0, "3/7")), 6),
    ((sympy.eye(2).as_immutable(),) * 3, 6),
)
SHEARS = ((shear(3, 1), shear(3, 2)), 5)
EXAMPLES = (*ROTATIONS, SHEARS)
#: Angles and inputs of the six paths that use each of two axes twice.
TURNS = Rational(7, 10), Rational(11, 10)
INPUTS = sympy.ImmutableMatrix([1, 0]), sympy.ImmutableMatrix([0, 1])
SIX_WORDS = tuple(
    tuple(int(place in ones) for place in range(4)) for ones in combinations(range(4), 2)
)


def semisimple_dimension(d: int, f: int, n: int) -> int:
    """Dimension of the closed inputs of n semisimple axes on d rows, f of which no axis moves."""
    return (d - f) + n * f


@dataclass(frozen=True)
class Affine:
    """The definitions of affine steps; a control replaces one of them."""

    moved: Callable[[Any, Any, Any], Any] = moved
    difference_form: Callable[[Any, Any], Any] = difference_form
    closed: Callable[[Any, Any, Any, Any], Prop] = closed
    rotation: Callable[[Any], sympy.ImmutableMatrix] = rotation
    dimension: Callable[[int, int, int], int] = semisimple_dimension

    def both(self, s: Any) -> tuple[Any, Any]:
        """The two orders of the steps a and b from the state s: b first, and a first."""
        return (
            self.moved(Ta, va, self.moved(Tb, vb, s)),
            self.moved(Tb, vb, self.moved(Ta, va, s)),
        )


def commutator(of: Affine) -> Prop:
    late, early = of.both(s)
    turned = (Ta @ Tb - Tb @ Ta) @ s
    inputs = of.difference_form(Ta, vb) - of.difference_form(Tb, va)
    return ForAll((Ta, Tb, va, vb, s), Eq(late - early, turned + inputs))


def commute_iff(of: Affine) -> Prop:
    conditions = And(Eq(Ta @ Tb, Tb @ Ta), of.closed(Ta, Tb, vb, va))
    return ForAll((Ta, Tb, va, vb), Iff(ForAll(s, Eq(*of.both(s))), conditions))


def coboundary(of: Affine) -> Prop:
    first, second = of.difference_form(Ta, u), of.difference_form(Tb, u)
    fixed = Eq(of.moved(Ta, first, ZERO - u), ZERO - u)
    holds = of.closed(Ta, Tb, second, first)
    return ForAll((Ta, Tb, u), And(fixed, Implies(Eq(Ta @ Tb, Tb @ Ta), holds)))


def walks(of: Affine, added: Any) -> And:
    """n steps along the axes a(0), a(1), ...: the operators J and the states s, from 1 and 0."""
    step = T(axis(t))
    return And(
        Eq(product(0), UNIT),
        ForAll(t, Implies(Lt(t, n), Eq(product(t + 1), step @ product(t)))),
        Eq(state(0), ZERO),
        ForAll(t, Implies(Lt(t, n), Eq(state(t + 1), of.moved(step, added, state(t))))),
    )


def path_state(of: Affine) -> Prop:
    premise = walks(of, of.difference_form(T(axis(t)), u))
    return ForAll((u, n), Implies(premise, Eq(state(n), product(n) @ u - u)))


def only_coboundaries(of: Affine) -> Prop:
    total = summed(c, n, weight(c) @ (T(c) - UNIT))
    premise = And(
        ForAll((i, c), Eq(T(i) @ T(c), T(c) @ T(i))),
        ForAll((i, c), Eq(T(i) @ weight(c), weight(c) @ T(i))),
        ForAll((i, c), of.closed(T(i), T(c), v(c), v(i))),
        Eq(X @ total, UNIT),
        Eq(total @ X, UNIT),
    )
    origin = X @ summed(c, n, weight(c) @ v(c))
    return ForAll((n, X, i), Implies(premise, Eq(v(i), of.difference_form(T(i), origin))))


def one_plane(of: Affine) -> Any:
    first, second = of.rotation(alpha), of.rotation(beta)
    unit = sympy.eye(2).as_immutable()
    mine, other = (sympy.ImmutableMatrix(2, 1, pair) for pair in ((v1, v2), (w1, w2)))
    origin = sympy.ImmutableMatrix(2, 1, (u1, u2))
    turns = Ne(cos(alpha), 1)
    condition = Eq((first - unit) * other, (second - unit) * mine)
    exists = Exists((u1, u2), Eq((first - unit) * origin, mine))
    same = Implies(
        And(turns, condition, Eq((first - unit) * origin, mine)),
        Eq((second - unit) * origin, other),
    )
    return And(
        ForAll((alpha, v1, v2), Implies(turns, exists)),
        ForAll((alpha, beta, v1, v2, w1, w2, u1, u2), same),
    )


def constraints(steps: Sequence[Any]) -> sympy.Matrix:
    """The conditions on (v_1, ..., v_n), one block of rows for each pair of axes."""
    d, unit = steps[0].rows, sympy.eye(steps[0].rows)
    rows = []
    for a, b in combinations(range(len(steps)), 2):
        row = sympy.zeros(d, d * len(steps))
        row[:, b * d : (b + 1) * d] = steps[a] - unit
        row[:, a * d : (a + 1) * d] = unit - steps[b]
        rows.append(row)
    return sympy.Matrix.vstack(*rows)


def moves(steps: Sequence[Any]) -> sympy.Matrix:
    """The operators T_a - 1 above each other: their common kernel is what no axis moves."""
    return sympy.Matrix.vstack(*(step - sympy.eye(step.rows) for step in steps))


def kernel_of(matrix: sympy.Matrix) -> tuple[Any, Any, Any]:
    """N, L, W with M N = 0, L N = 1, N L + W M = 1: the columns of N are a basis of the kernel."""
    size = matrix.cols
    reduced, pivots = matrix.row_join(sympy.eye(matrix.rows)).rref()
    pivots = [p for p in pivots if p < size]
    free = [f for f in range(size) if f not in pivots]
    basis, chosen = sympy.zeros(size, len(free)), sympy.zeros(len(free), size)
    lift = sympy.zeros(size, matrix.rows)
    for column, f in enumerate(free):
        basis[f, column] = chosen[column, f] = 1
        for row, p in enumerate(pivots):
            basis[p, column] = -reduced[row, f]
    for row, p in enumerate(pivots):
        lift[p, :] = reduced[row, size:]
    return basis, chosen, lift


def is_kernel(matrix: sympy.Matrix) -> Prop:
    """The columns of N are a basis of the kernel of M: M N = 0, L N = 1, N L + W M = 1."""
    basis, chosen, lift = (part.as_immutable() for part in kernel_of(matrix))
    whole, unit = matrix.as_immutable(), sympy.eye(matrix.cols).as_immutable()

    def times(*factors: Any) -> Any:
        return sympy.MatMul(*factors, evaluate=False)

    projector = sympy.MatAdd(times(basis, chosen), times(lift, whole), evaluate=False)
    return And(
        Eq(times(whole, basis), sympy.zeros(matrix.rows, basis.cols).as_immutable()),
        Eq(times(chosen, basis), sympy.eye(basis.cols).as_immutable()),
        Eq(projector, unit),
    )


def dimensions(of: Affine) -> Prop:
    parts: list[Prop] = []
    for steps, printed in EXAMPLES:
        inputs, fixed = constraints(steps), moves(steps)
        found, still = kernel_of(inputs)[0].cols, kernel_of(fixed)[0].cols
        formula = of.dimension(steps[0].rows, still, len(steps))
        unit = sympy.eye(steps[0].rows).as_immutable()
        rotates = (steps, printed) in ROTATIONS
        parts += [Eq(one * other, other * one) for one, other in combinations(steps, 2)]
        parts += [Eq(step.T * step, unit) for step in steps if rotates]
        parts += [is_kernel(inputs), *([is_kernel(fixed)] if still else [])]
        parts += [Eq(found, printed), Eq(formula, found) if rotates else Eq(formula + 1, found)]
    return And(*parts)


def end_state(of: Affine, word: Sequence[int], steps: Sequence[Any], inputs: Sequence[Any]) -> Any:
    """The state after the steps of a word, from 0."""
    reached = sympy.zeros(2, 1).as_immutable()
    for a in word:
        reached = of.moved(steps[a], inputs[a], reached)
    return reached


def six_states(of: Affine) -> Prop:
    steps = [of.rotation(angle) for angle in TURNS]
    ends = [end_state(of, word, steps, INPUTS) for word in SIX_WORDS]
    return And(
        *(Lt(0, sum(entry**2 for entry in one - other)) for one, other in combinations(ends, 2))
    )


def one_state(of: Affine) -> Prop:
    """Where R(pi/2) and R(-pi/2) take the same inputs."""
    steps = [of.rotation(pi / 2), of.rotation(-pi / 2)]
    ends = [end_state(of, word, steps, INPUTS) for word in SIX_WORDS]
    return And(*(Eq(end, ends[0]) for end in ends[1:]))


def inverses(forward: Any, backward: Any, T: Any) -> tuple[Prop, ...]:
    """The powers of an operator with a right inverse, and right inverses of them."""
    return (
        Eq(forward(0), UNIT),
        ForAll(i, Eq(forward(i + 1), T @ forward(i))),
        ForAll(i, Eq(forward(i) @ backward(i), UNIT)),
    )


def potential(of: Affine) -> Prop:
    """On the quarter plane: b_1 = R, b_2 = S at (x, y); A, B powers of T_a, T_b, P, Q inverses."""

    def reached(w: Any, h: Any) -> Any:
        across = summed(i, w, P(i + 1) @ R(i, 0))
        up = summed(j, h, Q(j + 1) @ S(w, j))
        return B(h) @ A(w) @ across + B(h) @ up

    square = Eq(of.moved(Tb, S(w + 1, h), R(w, h)), of.moved(Ta, R(w, h + 1), S(w, h)))
    steps = And(
        Eq(reached(w + 1, h), of.moved(Ta, R(w, h), reached(w, h))),
        Eq(reached(w, h + 1), of.moved(Tb, S(w, h), reached(w, h))),
    )
    premise = And(Eq(Ta @ Tb, Tb @ Ta), *inverses(A, P, Ta), *inverses(B, Q, Tb))
    equal = Iff(ForAll((w, h), square), ForAll((w, h), steps))
    return ForAll((Ta, Tb), Implies(premise, equal))


def field_state(of: Affine) -> Prop:
    """A walk whose inputs are h(next place) - T h(place)."""
    premise = walks(of, field(t + 1) - T(axis(t)) @ field(t))
    return ForAll(n, Implies(premise, Eq(state(n), field(n) - product(n) @ field(0))))


AFFINE_COMPOSITION = Claim(
    id="journey.affine_composition",
    title="Affine steps commute when their inputs do too, not only their operators",
    kind="equivalence",
    definitions=Affine(),
    depends=("journey.commutation", "journey.flatness"),
    stance="corrected",
    reading=(
        "Read for states that a step multiplies and adds to, 'composition is path independent "
        "precisely when the axis transformations commute' needs a second condition, on what is "
        "added; composition of blocks, where it holds as it stands, is `journey.interchange`."
    ),
    hypotheses=(r"$F_a(s) = T_a s + v_a$ over any ring; $Z^1$ are the inputs that close",),
    clauses=(
        Clause(
            "commutator",
            r"F_aF_b(s) - F_bF_a(s) = (T_aT_b - T_bT_a)\,s + (T_a-1)v_b - (T_b-1)v_a",
            commutator,
        ),
        Clause(
            "commute_iff",
            r"F_aF_b(s) = F_bF_a(s)\ \forall s \iff T_aT_b = T_bT_a,\ "
            r"(T_a-1)v_b = (T_b-1)v_a",
            commute_iff,
        ),
        Clause(
            "coboundary",
            r"v_a = (T_a-1)u \implies F_a(-u) = -u;\quad "
            r"T_aT_b = T_bT_a \implies (T_a-1)v_b = (T_b-1)v_a",
            coboundary,
        ),
        Clause(
            "path_state",
            r"v_a = (T_a-1)u,\ s_0 = 0 \implies s_n = J_n u - u"
            r"\quad\text{along every word, } J_n \text{ its operator}",
            path_state,
        ),
        Clause(
            "only_coboundaries",
            r"\text{all } T_c, \Lambda_c \text{ commuting with all } T_a,\ "
            r"X = \Bigl(\sum_{c<n}\Lambda_c(T_c-1)\Bigr)^{-1},\ "
            r"(T_a-1)v_c = (T_c-1)v_a \implies v_a = (T_a-1)\,X\sum_{c<n}\Lambda_cv_c",
            only_coboundaries,
        ),
        Clause(
            "one_plane",
            r"R(\alpha)\ne I \implies \exists u:\ v_\alpha = (R(\alpha)-I)u"
            r"\text{, and then } v_\beta = (R(\beta)-I)u \text{ for every } \beta \text{ with }"
            r"(R(\alpha)-I)v_\beta = (R(\beta)-I)v_\alpha",
            one_plane,
        ),
        Clause(
            "dimensions",
            r"\dim Z^1 = (d-f) + nf:\ 4, 4, 8, 6, 6 \text{ in five semisimple examples; }"
            r"\quad 5 > 4 \text{ for } T_1 = I + E_{12},\ T_2 = I + E_{13}",
            dimensions,
        ),
        Clause(
            "six_states",
            r"T = R(0.7), R(1.1),\ v = e_1, e_2:\ \text{the six words with two steps of each axis "
            r"end in six states}",
            six_states,
        ),
        Clause(
            "one_state",
            r"T = R(\tfrac\pi2), R(-\tfrac\pi2),\ v = e_1, e_2:\ "
            r"\text{the same six words end in one state}",
            one_state,
        ),
        Clause(
            "field_state",
            r"b_t = h(x_{t+1}) - T_{a_t}h(x_t),\ s_0 = 0 \implies s_n = h(x_n) - J_n h(x_0)",
            field_state,
        ),
        Clause(
            "potential",
            r"T_1T_2 = T_2T_1 \text{ invertible:}\quad T_2b_1(x) + b_2(x+e_1) = "
            r"T_1b_2(x) + b_1(x+e_2)\ \forall x \iff b_a(x) = h(x+e_a) - T_ah(x)\ \forall x, a,"
            r"\quad h(x) = T^x\Bigl(\sum_{i<x_1}T_1^{-i-1}b_1(i,0)"
            r" + T_1^{-x_1}\sum_{j<x_2}T_2^{-j-1}b_2(x_1,j)\Bigr)",
            potential,
        ),
    ),
)


# ---------------------------------------------------------------------- journey.interchange
A1, A2, B2, C1, D0 = unknowns("A1 A2 B2 C1 D0")
vA, vB, vC, vD = unknowns("vA vB vC vD")


def beside(v: Any, T: Any, w: Any) -> Any:
    """A block of value v and, behind the operator T, a block of value w."""
    return v + T @ w


@dataclass(frozen=True)
class Grid:
    """The definitions of blocks of cells; a control replaces one of them."""

    beside: Callable[[Any, Any, Any], Any] = beside
    cell: Callable[[Any, Any, Any], Any] = lambda across, down, v: across @ down @ v

    def rows_first(self, across: Any, down: Any, across_below: Any) -> Any:
        """The cells A B above C D: each row is joined, then the rows."""
        top, bottom = self.beside(vA, across, vB), self.beside(vC, across_below, vD)
        return self.beside(top, down, bottom)

    def columns_first(self, across: Any, down: Any, down_right: Any) -> Any:
        left, right = self.beside(vA, down, vC), self.beside(vB, down_right, vD)
        return self.beside(left, across, right)

    def block(self, w: Any, h: Any, right: Any = 0, below: Any = 0) -> Any:
        """The cells of a block, w wide and h high, each behind the operators that lead to it."""
        cell = self.cell(A(i), B(j), v(right + i, below + j))
        return summed(i, w, summed(j, h, cell))


def interchange(of: Grid) -> Prop:
    gap = of.rows_first(A1, A2, C1) - of.columns_first(A1, A2, B2)
    names = (vA, vB, vC, vD, A1, A2, B2, C1)
    return ForAll(names, Eq(gap, (A2 @ C1 - A1 @ B2) @ vD))


def flat_square(of: Grid) -> Prop:
    equal = Eq(of.rows_first(A1, A2, C1), of.columns_first(A1, A2, B2))
    always = ForAll((vA, vB, vC, vD), equal)
    return ForAll((A1, A2, B2, C1), Iff(always, Eq(A2 @ C1, A1 @ B2)))


def fixed_operators(of: Grid) -> Prop:
    equal = Eq(of.rows_first(Ta, Tb, Ta), of.columns_first(Ta, Tb, Tb))
    return ForAll((Ta, Tb), Iff(ForAll((vA, vB, vC, vD), equal), Eq(Ta @ Tb, Tb @ Ta)))


def powers(power: Any, T: Any) -> tuple[Prop, ...]:
    return Eq(power(0), UNIT), ForAll(i, Eq(power(i + 1), T @ power(i)))


def single_cell(of: Grid) -> Implies:
    return Implies(And(Eq(A(0), UNIT), Eq(B(0), UNIT)), Eq(of.block(1, 1), v(0, 0)))


def side_by_side(of: Grid) -> Prop:
    joined = of.beside(of.block(w, h), A(w), of.block(more, h, right=w))
    whole = Eq(of.block(w + more, h), joined)
    return ForAll((Ta, w, more, h), Implies(And(*powers(A, Ta)), whole))


def above_another(of: Grid) -> Prop:
    joined = of.beside(of.block(w, h), B(h), of.block(w, more, below=h))
    whole = Eq(of.block(w, h + more), joined)
    premise = And(Eq(Ta @ Tb, Tb @ Ta), *powers(A, Ta), *powers(B, Tb))
    return ForAll((Ta, Tb, w, h, more), Implies(premise, whole))


INTERCHANGE = Claim(
    id="journey.interchange",
    title="Blocks may be joined in any order exactly when the square of operators is flat",
    kind="equivalence",
    definitions=Grid(),
    depends=("journey.content_dependence",),
    stance="sharpened",
    reading=(
        "Read for blocks of cells that are joined to the right and below, the sentence on "
        "commuting axes holds as it stands for fixed operators; for operators that depend on the "
        "content the square of operators has to be flat."
    ),
    hypotheses=(
        r"a cell holds $(v; T_1, T_2)$ over any ring; joining $w$ beyond $v$ gives $v + Tw$",
    ),
    clauses=(
        Clause(
            "interchange",
            r"\bigl[v_A + T_1^Av_B + T_2^A(v_C + T_1^Cv_D)\bigr] - "
            r"\bigl[v_A + T_2^Av_C + T_1^A(v_B + T_2^Bv_D)\bigr] = "
            r"(T_2^AT_1^C - T_1^AT_2^B)\,v_D",
            interchange,
        ),
        Clause(
            "flat_square",
            r"\text{rows first equals columns first}\ \forall v_A, v_B, v_C, v_D \iff "
            r"T_2^AT_1^C = T_1^AT_2^B",
            flat_square,
        ),
        Clause(
            "fixed_operators",
            r"\text{rows first equals columns first}\ \forall v_A, v_B, v_C, v_D \iff "
            r"T_1T_2 = T_2T_1 \quad\text{(the same $T_1$, $T_2$ in every cell)}",
            fixed_operators,
        ),
        Clause("single_cell", r"V_{1\times1} = v", single_cell),
        Clause(
            "side_by_side",
            r"V_{(w+m)\times h} = V_{w\times h} + T_1^w\,V'_{m\times h},\quad "
            r"V_{w\times h} = \sum_{i<w}\sum_{j<h}T_1^iT_2^jv_{ij}",
            side_by_side,
        ),
        Clause(
            "above_another",
            r"T_1T_2 = T_2T_1 \implies V_{w\times(h+m)} = V_{w\times h} + T_2^h\,V'_{w\times m}",
            above_another,
        ),
    ),
)


# ---------------------------------------------------------------------- journey.scan
A3, b1, b2, b3 = unknowns("A3 b1 b2 b3")


def compose(later: Pair, earlier: Pair) -> Pair:
    """One affine step that does two, each given as (operator, input)."""
    return later[0] @ earlier[0], later[0] @ earlier[1] + later[1]


@dataclass(frozen=True)
class Scan:
    """The definitions of a linear recurrence; a control replaces one of them."""

    compose: Callable[[Pair, Pair], Pair] = compose
    advance: Callable[[Any, Any, Any], Any] = moved
    carried: Callable[[Any, Any], Any] = lambda T, P: T @ P
    unit: Pair = (UNIT, ZERO)

    def recurrence(self, b: Callable[[Any], Any], last: Any) -> tuple[Prop, ...]:
        """s(0) = 0 and s(t + 1) = T(t + 1) s(t) + b(t + 1), up to s(last)."""
        step = Eq(state(t + 1), self.advance(T(t + 1), b(t + 1), state(t)))
        return Eq(state(0), ZERO), ForAll(t, Implies(Lt(t, last), step))

    def transports(self, last: Any) -> tuple[Prop, ...]:
        """P(j, j) = 1 and P(t + 1, j) = T(t + 1) P(t, j) for j <= t, up to P(last, j)."""
        onwards = Implies(Le(j, t), Eq(P(t + 1, j), self.carried(T(t + 1), P(t, j))))
        here = ForAll(j, Implies(Le(j, last), Eq(P(j, j), UNIT)))
        return here, ForAll(t, Implies(Lt(t, last), ForAll(j, onwards)))

    def chunk(self) -> tuple[Prop, ...]:
        """(A(n), B(n)) composes the steps c + 1, ..., c + n."""
        later = self.compose((T(c + i + 1), b(c + i + 1)), (A(i), B(i)))
        grown = And(Eq(A(i + 1), later[0]), Eq(B(i + 1), later[1]))
        steps = ForAll(i, Implies(Lt(i, n), grown))
        return Eq(A(0), self.unit[0]), Eq(B(0), self.unit[1]), steps


def both_equal(left: Pair, right: Pair) -> And:
    return And(Eq(left[0], right[0]), Eq(left[1], right[1]))


def associative(of: Scan) -> Prop:
    first, second, third = (A1, b1), (A2, b2), (A3, b3)
    left = of.compose(of.compose(third, second), first)
    right = of.compose(third, of.compose(second, first))
    return ForAll((A1, A2, A3, b1, b2, b3), both_equal(left, right))


def units(of: Scan) -> Prop:
    pair = (A1, b1)
    sides = (of.compose(pair, of.unit), of.compose(of.unit, pair))
    return ForAll((A1, b1), And(*(both_equal(side, pair) for side in sides)))


def acts(of: Scan) -> Prop:
    later, earlier = (A2, b2), (A1, b1)
    operator, added = of.compose(later, earlier)
    one_by_one = of.advance(A2, b2, of.advance(A1, b1, s))
    return ForAll((A1, A2, b1, b2, s), Eq(of.advance(operator, added, s), one_by_one))


def attention(of: Scan) -> Prop:
    read = q(n) @ state(n)
    scores = summed(j, n, (q(n) @ P(n, j + 1) @ k(j + 1)) @ v(j + 1))
    premise = And(*of.recurrence(lambda at: k(at) @ v(at), n), *of.transports(n))
    return ForAll(n, Implies(premise, Eq(read, scores)))


def chunked(of: Scan) -> Prop:
    premise = And(*of.recurrence(b, c + n), *of.chunk())
    jumped = Eq(state(c + n), of.advance(A(n), B(n), state(c)))
    return ForAll((c, n), Implies(premise, jumped))


SCAN = Claim(
    id="journey.scan",
    title="A linear recurrence is masked attention with journey operators, in chunks of any size",
    kind="identity",
    definitions=Scan(),
    hypotheses=(
        r"$s_0 = 0$, $s_t = T_ts_{t-1} + b_t$ over any ring; $P_{t\leftarrow j} = "
        r"T_t\cdots T_{j+1}$; no $T_t$ need be invertible",
    ),
    clauses=(
        Clause(
            "associative",
            r"(A_2,b_2)\circ(A_1,b_1) = (A_2A_1,\ A_2b_1 + b_2)\ \text{is associative}",
            associative,
        ),
        Clause("units", r"(A,b)\circ(1,0) = (1,0)\circ(A,b) = (A,b)", units),
        Clause(
            "acts",
            r"A_2(A_1s + b_1) + b_2 = (A_2A_1)\,s + (A_2b_1 + b_2)",
            acts,
        ),
        Clause(
            "attention",
            r"b_t = k_tv_t^{\top} \implies q_t^{\top}s_t = "
            r"\sum_{j\le t}(q_t^{\top}P_{t\leftarrow j}k_j)\,v_j^{\top}",
            attention,
        ),
        Clause(
            "chunked",
            r"s_{c+n} = A\,s_c + B,\quad (A,B) = (T_{c+n},b_{c+n})\circ\cdots\circ"
            r"(T_{c+1},b_{c+1})",
            chunked,
        ),
    ),
)
