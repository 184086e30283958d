r"""Operators that depend on the data: what is curved, what is flat, and how far paths can differ.

Main definitions
----------------
around(T1, T2, i, t)      the operators met on the two ways round one cell of the plane
curvature(th1, th2, i, t) the angle around one cell
staircase, potential      angles along paths of the plane
shears                    a potential whose operators do not commute

Main claims
-----------
journey.content_dependence, journey.stokes

Conventions
-----------
As in `posproof.theory.journey.paths`.  In the plane a place is (i, t): i steps along the first axis
and t along the second.  An angle field is stored in rows of length W.

References
----------
Derived here; the abstract of "Journey Operators for Structured Multi-Axis Composition" asks the
question.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import sympy
from sympy import ImmutableMatrix as Matrix
from sympy import Rational, cos, pi, sin

from posproof.theory.journey.paths import (
    J,
    T,
    a,
    b,
    commutator,
    i,
    j,
    k,
    matrix_unit,
    n,
    ordered_product,
    p,
    plaquette,
    q,
    t,
    u,
    v,
    w,
    words_of,
    x,
)
from posproof.theory.operators import (
    UNIT,
    ZERO,
    Norm,
    append,
    concat,
    isometry,
    operators,
    step,
)
from posproof.theory.symbols import Variable, sequence, total, variables
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
    Letter,
    Lt,
    Mod,
    Ne,
    Prop,
    Real,
)

turns = Variable("m", Integer)
W = Variable("W", Int(1))
alpha, beta, f = variables("alpha beta f", Real)


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


def row_by_row(i: Any, t: Any) -> Any:
    """Where (i, t) is stored in rows of length W, for i < W."""
    return i + W * t


def field(name: str) -> Callable[[Any, Any], Any]:
    """An arbitrary real field on rows of length W."""
    stored = sequence(name)
    return lambda i, t: stored(row_by_row(i, t))


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


def area(word: Sequence[int], low: int = 0, high: int = 1) -> int:
    """Pairs of a letter `high` with a later letter `low`."""
    return sum(x == high and y == low for x, y in combinations(word, 2))


@dataclass(frozen=True)
class Curvature:
    """The definitions of this topic; a control replaces one of them."""

    commutator: Callable[[Any, Any], Any] = commutator
    plaquette: Callable[..., Any] = plaquette
    matrix_unit: Callable[[int, int], Matrix] = matrix_unit
    slope: Callable[[], Matrix] = quarter_slope
    gauge: Callable[[Any, Any], Any] = shears
    gauge_back: Callable[[Any, Any], Any] = shears_back
    rotation: Callable[[Any], Matrix] = rotation
    affine: Callable[[Any, Any, Any], Any] = affine
    around: Callable[..., Any] = around
    curvature: Callable[..., Any] = curvature
    stored: Callable[[Any, Any], Any] = row_by_row
    staircase: Callable[..., Any] = staircase
    potential: Callable[..., Any] = potential
    needs_inverse: bool = True
    squares_counted: Callable[[Any], Any] = lambda n: n
    keeps_norm: Callable[[Any], Prop] = isometry


CURVATURE = Curvature()


# ---------------------------------------------------------------------- journey.content_dependence
BOX = (2, 2, 1)  # the content of the 30 words of the two examples


def power(matrix: Matrix, exponent: int) -> Any:
    """The matrix multiplied out as often as it is written, unevaluated."""
    return sympy.MatPow(matrix, exponent, evaluate=False)


def curved_step(of: Curvature, axis: int, place: Sequence[int]) -> Any:
    """T_1(x) = R^(x_2), T_2 = T_3 = I."""
    return power(of.slope(), place[1] if axis == 0 else 0)


def along(steps: Callable[[int, Sequence[int]], Any], word: Sequence[int]) -> Any:
    """The product of the operators along a word from 0."""
    place, factors = [0] * len(BOX), []
    for axis in word:
        factors.append(steps(axis, tuple(place)))
        place[axis] += 1
    return ordered_product(factors)


def commuting_but_curved(of: Curvature) -> Prop:
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
    return And(*slope_of_four_thirds(of.slope()), *commute, *areas, *apart, *curved)


def slope_of_four_thirds(turn: Matrix) -> list[Prop]:
    """A rotation of the plane by the acute angle whose tangent is 4/3."""
    orthogonal = Eq(sympy.MatMul(turn.T, turn, evaluate=False), sympy.eye(2).as_immutable())
    tangent = Eq(3 * turn[1, 0], 4 * turn[0, 0])
    return [orthogonal, Eq(sympy.Determinant(turn), 1), tangent, Lt(0, turn[0, 0])]


def flat_but_noncommuting(of: Curvature) -> Prop:
    def first(i: Any, t: Any) -> Any:
        return sympy.MatMul(of.gauge(i + 1, t), of.gauge_back(i, t), evaluate=False)

    def second(i: Any, t: Any) -> Any:
        return sympy.MatMul(of.gauge(i, t + 1), of.gauge_back(i, t), evaluate=False)

    i, t = variables("i t", Integer)
    ways = [ordered_product(way[::-1]) for way in of.around(first, second, i, t)]
    here = (first(0, 0), second(0, 0))
    apart = Ne(ordered_product(here), ordered_product(here[::-1]))
    undone = Eq(
        sympy.MatMul(of.gauge(i, t), of.gauge_back(i, t), evaluate=False),
        sympy.eye(2).as_immutable(),
    )
    return And(ForAll((i, t), Eq(*ways)), ForAll((i, t), undone), apart)


def own_coordinate(of: Curvature) -> Prop:
    first, second = operators("A"), operators("B")
    i, t = variables("i t", Integer)
    (u2, u1), (v1, v2) = of.around(lambda i, _: first(i), lambda _, t: second(t), i, t)
    closed = ForAll((i, t), Eq(u2 @ u1, v1 @ v2))
    commute = ForAll((i, t), Eq(of.commutator(first(i), second(t)), ZERO))
    return Iff(closed, commute)


def angles(axis: int) -> Callable[[int, int], Any]:
    """The angle of one axis at the corners of one cell, for each plane c."""
    return lambda i, t: sequence(f"theta{axis}[{i}{t}]")(k)


def abelian(of: Curvature) -> Prop:
    first, second = angles(1), angles(2)

    def turned(theta: Any) -> Any:
        return lambda i, t: of.rotation(theta(i, t))

    ways = [ordered_product(way[::-1]) for way in of.around(turned(first), turned(second), 0, 0)]
    closed = Exists(turns, Eq(of.curvature(first, second, 0, 0), 2 * pi * turns))
    return Iff(ForAll(k, Eq(*ways)), ForAll(k, closed))


def angle_potential(of: Curvature) -> Prop:
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


def no_go(of: Curvature) -> Prop:
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


def composed(of: Curvature, left: Permutation, right: Permutation, point: Any) -> Any:
    """left(right(point)), an integer to be read mod 3."""
    return of.affine(*left, of.affine(*right, point))


def remainder(whole: Any) -> Any:
    """An integer modulo 3."""
    return whole - 3 * sympy.floor(whole / 3)


def congruent(left: Any, right: Any) -> Prop:
    """Equal modulo 3."""
    return Eq(remainder(left - right), 0)


def chosen(
    values: Sequence[Permutation], items: dict[tuple[int, int], int]
) -> Callable[[int, int], Permutation]:
    """The value for the item at a corner of a cell."""
    return lambda i, t: values[items[i, t]]


def universally_flat(
    of: Curvature, first: Sequence[Permutation], second: Sequence[Permutation]
) -> Prop:
    """Every placement of two items on a cell closes, at every point the permutations move."""
    closed = []
    for here, beside, above, point in product(range(2), repeat=4):
        items = {(0, 0): here, (1, 0): beside, (0, 1): above}
        up, down = of.around(chosen(first, items), chosen(second, items), 0, 0)
        ways = [composed(of, left, right, point) for left, right in (up, down)]
        closed.append(congruent(*ways))
    return And(*closed)


def exhausted(of: Curvature) -> Prop:
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


def agreement(of: Curvature, one: Permutation, other: Permutation) -> Any:
    """1 if two permutations commute, else 0."""
    moved = (composed(of, one, other, point) for point in range(2))
    back_to_front = (composed(of, other, one, point) for point in range(2))
    apart = [remainder(x - y) for x, y in zip(moved, back_to_front, strict=True)]
    return sympy.Mul(*(sympy.Max(0, 1 - gap) for gap in apart))


def over_permutations(body: Callable[[Permutation], Any], name: str) -> Any:
    """The sum over the six permutations."""
    sign, shift = variables(f"{name} {name}'", Int(0))
    return total(sign, 2, total(shift, 3, body((sign, shift))))


def numbers(of: Curvature) -> Prop:
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
    identity = [Eq(of.affine(0, 0, point), point) for point in range(3)]
    return And(*identity, Eq(flat, 18), Eq(crossing, 162))


def singular_escape(of: Curvature) -> Prop:
    x, y = variables("x y", Real)
    unit = of.matrix_unit(1, 2)
    nothing = sympy.zeros(3, 3).as_immutable()
    return ForAll((x, y), Eq(sympy.MatMul(x * unit, y * unit, evaluate=False), nothing))


CONTENT_DEPENDENCE = Claim(
    id="journey.content_dependence",
    title="Operators that depend on the data: commuting is neither needed nor enough",
    kind="classification",
    definitions=CURVATURE,
    stance="corrected",
    reading=(
        "The abstract's sentence is read for operators that depend on the data: movement is "
        "independent of the path precisely when the transformations of the axes commute."
    ),
    clauses=(
        Clause(
            "commuting_but_curved",
            r"T_1(x) = R^{x_2},\ T_2 = T_3 = I,\ R = R(\arctan\tfrac43):\quad "
            r"\text{all operators commute, no square in the plane } (1, 2) \text{ closes, the } "
            r"30 \text{ words of content } (2, 2, 1) \text{ have } 5 \text{ operators}",
            commuting_but_curved,
        ),
        Clause(
            "flat_but_noncommuting",
            r"g(x) = \begin{pmatrix} 1 & x_1 \\ 0 & 1 \end{pmatrix}"
            r"\begin{pmatrix} 1 & 0 \\ x_2 & 1 \end{pmatrix},\ "
            r"T_a(x) = g(x + e_a)\,g(x)^{-1}:\quad F_{12} = 0,\ T_1(0)\,T_2(0) \ne T_2(0)\,T_1(0)",
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
            r"T_a(x) = \textstyle\bigoplus_c R(\theta_{a,c}(x)):\quad "
            r"F_{ab}(x) = 0 \iff \forall c:\ \theta_{a,c}(x) + \theta_{b,c}(x + e_a) "
            r"- \theta_{a,c}(x + e_b) - \theta_{b,c}(x) \in 2\pi\mathbb{Z}",
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
def one_swap(of: Curvature) -> Prop:
    rising, falling = concat(append(u, a, b), v), concat(append(u, b, a), v)
    at = concat(x, u)
    middle = J(v, append(at, a, b)) @ of.plaquette(T, a, b, at) @ J(u, x)
    return ForAll((u, v, x, a, b), Eq(J(rising, x) - J(falling, x), middle))


def arbitrary_fields(of: Curvature) -> Prop:
    j, s = variables("j s", Int(0))
    inside = And(Lt(i, W), Lt(j, W), Eq(of.stored(i, t), of.stored(j, s)))
    return ForAll((W, i, j, t, s), Implies(inside, And(Eq(i, j), Eq(t, s))))


def between_paths(of: Curvature) -> Prop:
    first, second = field("theta1"), field("theta2")
    low, high = sequence("h", Int(0)), sequence("h'", Int(0))

    def cells(height: Any) -> Any:
        return total(i, n, total(t, height(i), of.curvature(first, second, i, t)))

    difference = of.staircase(first, second, low, n) - of.staircase(first, second, high, n)
    same_end = Eq(low(n), high(n))
    enclosed = Eq(difference, cells(high) - cells(low))
    return ForAll((W, n), Implies(same_end, enclosed))


def swap_norm(of: Curvature) -> Prop:
    keep = ForAll((a, w), of.keeps_norm(T(a, w)))
    rising, falling = concat(append(u, a, b), v), concat(append(u, b, a), v)
    square = Norm(of.plaquette(T, a, b, concat(x, u)))
    equal = Eq(Norm(J(rising, x) - J(falling, x)), square)
    return Implies(keep, ForAll((u, v, x, a, b), equal))


def area_bound(of: Curvature) -> Prop:
    X, U, F, V = (operators(name) for name in "XUFV")
    one = Eq(X(k) - X(k + 1), U(k) @ F(k) @ V(k))
    chain = ForAll(k, Implies(Lt(k, n), And(of.keeps_norm(U(k)), of.keeps_norm(V(k)), one)))
    bound = Le(Norm(X(0) - X(n)), total(k, of.squares_counted(n), Norm(F(k))))
    return ForAll(n, Implies(chain, bound))


def rectangle(of: Curvature) -> Prop:
    A, B = operators("A"), operators("B")

    def powers(of_letter: Any, values: Callable[[Any], Any], count: Any) -> Prop:
        grows = Implies(Lt(k, count), Eq(values(k + 1), step(of_letter) @ values(k)))
        return And(Eq(values(0), UNIT), ForAll(k, grows))

    premise = And(powers(a, A, p), powers(b, B, q), of.keeps_norm(step(a)), of.keeps_norm(step(b)))
    defect = Norm(of.commutator(A(p), B(q)))
    bound = Le(defect, p * q * Norm(of.commutator(step(a), step(b))))
    return ForAll((a, b, p, q), Implies(premise, bound))


def circle(of: Curvature) -> Prop:
    gap = of.rotation(alpha) - of.rotation(beta)
    size = sympy.MatMul(gap.T, gap, evaluate=False)
    one = Matrix([[1, 0], [0, 1]])
    exact = Eq(size, 4 * sin((alpha - beta) / 2) ** 2 * one)
    return ForAll((alpha, beta), exact)


def constant_curvature(of: Curvature) -> Prop:
    cells = of.squares_counted(n)
    return ForAll((n, f), Le(sin(f * n / 2) ** 2, cells**2 * sin(f / 2) ** 2))


STOKES = Claim(
    id="journey.stokes",
    title="Two paths differ by the squares between them",
    kind="bound",
    definitions=CURVATURE,
    clauses=(
        Clause(
            "one_swap",
            r"J(u\,ab\,v; x) - J(u\,ba\,v; x) = J(v; x + u + e_a + e_b)\,F_{ab}(x + u)\,J(u; x)",
            one_swap,
        ),
        Clause(
            "arbitrary_fields",
            r"i + W t = j + W s,\ 0 \le i, j < W \implies i = j,\ t = s:\quad "
            r"\text{fields stored row by row are arbitrary on } W \text{ columns}",
            arbitrary_fields,
        ),
        Clause(
            "between_paths",
            r"\theta(\gamma) - \theta(\gamma') = \textstyle\sum_{i < n} "
            r"\big(\sum_{t < h'(i)} - \sum_{t < h(i)}\big) F(i, t),\quad "
            r"F(x) = \theta_1(x) + \theta_2(x + e_1) - \theta_1(x + e_2) - \theta_2(x),\quad "
            r"\text{the cells between paths of heights } h, h' \text{ over } n < W \text{ columns}",
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
            r"(R(\alpha) - R(\beta))^{\top} (R(\alpha) - R(\beta)) "
            r"= 4 \sin^2\tfrac{\alpha - \beta}{2}\,I",
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
