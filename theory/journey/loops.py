r"""What a closed walk of a graph leaves behind, and how many loops decide it.

Main definitions
----------------
grid(shape), antipodal(side)   boundary matrices of grids, tori and the projective plane
fundamental_cycles, smith      cycles of a spanning tree; Smith normal forms
latest_leftmost                the operator of a walk

Main claims
-----------
journey.loops

Conventions
-----------
Angles in radians.  Operators act on column vectors, so the latest step of a path stands leftmost.

References
----------
none: derived for this project
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import sympy
from sympy import cos, pi, sin

from posproof.theory.operators import UNIT, operators, unknowns
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


def zeros(rows: int, columns: int) -> sympy.ImmutableMatrix:
    return sympy.zeros(rows, columns).as_immutable()


def eye(size: int) -> sympy.ImmutableMatrix:
    return sympy.eye(size).as_immutable()


# ---------------------------------------------------------------------- cells of a grid
@dataclass(frozen=True)
class Complex:
    """Boundary matrices of vertices, edges, squares, cubes: (V, E), (E, F) and, if any, (F, C)."""

    first: sympy.ImmutableMatrix
    second: sympy.ImmutableMatrix
    third: sympy.ImmutableMatrix = sympy.ImmutableMatrix(0, 0, [])

    @property
    def counts(self) -> tuple[int, int, int]:
        """Vertices, edges, squares."""
        return self.first.rows, self.first.cols, self.second.cols

    @property
    def loops(self) -> int:
        """E - V + 1, the number of independent cycles of a connected complex."""
        return self.first.cols - self.first.rows + 1


Cell = tuple[tuple[int, ...], tuple[int, ...]]  # corner, and the axes along which it extends


def cells(shape: Sequence[int], dimension: int, wraps: bool, removed: Any = ()) -> list[Cell]:
    """The cells of one dimension of a grid with `shape` vertices, those at `removed` left out."""
    found = []
    for axes in combinations(range(len(shape)), dimension):
        for corner in product(*map(range, shape)):
            inside = all(wraps or corner[a] + 1 < shape[a] for a in axes)
            if inside and not any(place in removed for place in corners((corner, axes), shape)):
                found.append((corner, axes))
    return found


def corners(cell: Cell, shape: Sequence[int]) -> list[tuple[int, ...]]:
    """The vertices of a cell."""
    corner, axes = cell
    return [
        tuple((x + steps.get(a, 0)) % shape[a] for a, x in enumerate(corner))
        for chosen in product((0, 1), repeat=len(axes))
        for steps in [dict(zip(axes, chosen, strict=True))]
    ]


def faces(cell: Cell, shape: Sequence[int]) -> list[tuple[Cell, int]]:
    """The faces of a cell with signs: the far one counts (-1)^p, the near one the opposite."""
    corner, axes = cell
    result = []
    for p, axis in enumerate(axes):
        rest = tuple(a for a in axes if a != axis)
        far = tuple((x + (a == axis)) % shape[a] for a, x in enumerate(corner))
        result += [((far, rest), (-1) ** p), ((corner, rest), -((-1) ** p))]
    return result


def incidence(upper: Sequence[Cell], lower: Sequence[Cell], shape: Sequence[int]) -> sympy.Matrix:
    """The boundary matrix from the upper cells (columns) to the lower ones (rows)."""
    place = {cell: row for row, cell in enumerate(lower)}
    matrix = sympy.zeros(len(lower), len(upper))
    for column, cell in enumerate(upper):
        for face, sign in faces(cell, shape):
            matrix[place[face], column] += sign
    return matrix


def grid(shape: Sequence[int], wraps: bool = False, removed: Any = ()) -> Complex:
    """The cells of a grid, with opposite sides joined if it wraps."""
    levels = [cells(shape, dimension, wraps, removed) for dimension in range(4)]
    pairs = zip(levels[1:], levels, strict=False)
    return Complex(*(incidence(upper, lower, shape).as_immutable() for upper, lower in pairs))


def antipodal(side: int) -> Complex:
    """A square of side x side cells whose opposite boundary points are the same point."""
    shape = (side + 1, side + 1)

    def on_edge(place: tuple[int, ...]) -> bool:
        return any(x in (0, side) for x in place)

    def vertex(place: tuple[int, ...]) -> tuple[int, ...]:
        return min(place, tuple(side - x for x in place)) if on_edge(place) else place

    def edge(cell: Cell) -> tuple[Cell, int]:
        (corner, (axis,)) = cell
        if corner[1 - axis] not in (0, side):
            return cell, 1
        far = tuple(side - x - (a == axis) for a, x in enumerate(corner))
        other: Cell = (far, (axis,))
        return (cell, 1) if cell <= other else (other, -1)

    squares = cells(shape, 2, False)
    edges = sorted({edge(cell)[0] for cell in cells(shape, 1, False)})
    vertices = sorted({vertex(place) for place, _ in cells(shape, 0, False)})
    first, second = sympy.zeros(len(vertices), len(edges)), sympy.zeros(len(edges), len(squares))
    for column, cell in enumerate(edges):
        for (place, _), sign in faces(cell, shape):
            first[vertices.index(vertex(place)), column] += sign
    for column, cell in enumerate(squares):
        for face, sign in faces(cell, shape):
            known, turned = edge(face)
            second[edges.index(known), column] += sign * turned
    return Complex(first.as_immutable(), second.as_immutable())


def fundamental_cycles(first: sympy.ImmutableMatrix) -> tuple[sympy.ImmutableMatrix, list[int]]:
    """The cycles that each edge outside a spanning tree closes, and those edges.

    Columns of the (E, E - V + 1) matrix count how often a cycle runs along each edge.
    """
    ends = []
    for column in range(first.cols):
        entries = {int(first[row, column]): row for row in range(first.rows)}
        ends.append((entries[-1], entries[1]))
    path: dict[int, dict[int, int]] = {first.rows // 2: {}}  # signed edges from the root
    outside = list(range(first.cols))
    grows = True
    while grows:
        grows = False
        for e in list(outside):
            tail, head = ends[e]
            for here, there, sign in ((tail, head, 1), (head, tail, -1)):
                if here in path and there not in path:
                    path[there] = {**path[here], e: sign}
                    outside.remove(e)
                    grows = True
                    break
    columns = sympy.zeros(first.cols, len(outside))
    for column, e in enumerate(outside):
        tail, head = ends[e]
        columns[e, column] = 1
        for edge, sign in path[tail].items():
            columns[edge, column] += sign
        for edge, sign in path[head].items():
            columns[edge, column] -= sign
    return columns.as_immutable(), outside


def smith(matrix: sympy.ImmutableMatrix) -> tuple[list[list[int]], list[int], list[list[int]]]:
    """U, the diagonal and W of a Smith normal form U M W, with U and W unimodular."""
    work = [[int(x) for x in matrix.row(r)] for r in range(matrix.rows)]
    rows, columns = matrix.rows, matrix.cols
    left = [[int(r == c) for c in range(rows)] for r in range(rows)]
    right = [[int(r == c) for c in range(columns)] for r in range(columns)]

    def add_row(target: int, source: int, times: int) -> None:
        for table in (work, left):
            table[target] = [
                x + times * y for x, y in zip(table[target], table[source], strict=True)
            ]

    def add_column(target: int, source: int, times: int) -> None:
        for table in (work, right):
            for row in table:
                row[target] += times * row[source]

    diagonal: list[int] = []
    for k in range(min(rows, columns)):
        while True:
            places = [
                (abs(work[r][c]), r, c)
                for r in range(k, rows)
                for c in range(k, columns)
                if work[r][c]
            ]
            if not places:
                return left, diagonal, right
            _, r, c = min(places)
            for table in (work, left):
                table[k], table[r] = table[r], table[k]
            for table in (work, right):
                for row in table:
                    row[k], row[c] = row[c], row[k]
            pivot = work[k][k]
            for r in range(k + 1, rows):
                add_row(r, k, -(work[r][k] // pivot))
            for c in range(k + 1, columns):
                add_column(c, k, -(work[k][c] // pivot))
            rest = [work[r][k] for r in range(k + 1, rows)] + work[k][k + 1 :]
            if any(rest):
                continue
            odd = next((r for r in range(k + 1, rows) if any(x % pivot for x in work[r])), None)
            if odd is None:
                break
            add_row(k, odd, 1)
        diagonal.append(abs(work[k][k]))
        if work[k][k] < 0:
            for table in (work, left):
                table[k] = [-x for x in table[k]]
    return left, diagonal, right


# ---------------------------------------------------------------------- journey.loops
tail, head, other, edge = unknowns("g_x g_y h_y T")
J, S, g, h, power = (operators(name) for name in ("J", "S", "g", "h", "P"))
(turn,) = unknowns("T")
place = sequence("x", Integer)
t, n, i, c = variables("t n i c", Int(0))
N, M, K = variables("N M K", Int(1))
theta = variables("theta", Real)[0]
s = variables("s", Integer)[0]
fill = sequence("c")

#: Values on the edges of the complete graph on 0..4 as images of 0..4; edges at 0 carry 1.
PENTAGON = {
    (1, 2): "12340",
    (1, 3): "20413",
    (1, 4): "43021",
    (2, 3): "32041",
    (2, 4): "14302",
    (3, 4): "32410",
}
PENTAGON_CYCLES = ("01234", "01342", "01423", "02143", "02314", "03124")


def permutation(images: str) -> sympy.ImmutableMatrix:
    """The matrix with ones at (i, image of i)."""
    return sympy.ImmutableMatrix(5, 5, lambda row, column: int(int(images[row]) == column))


def latest_leftmost(steps: Sequence[Any]) -> Any:
    """The operator of a walk: each new step stands to the left of what was walked before."""
    result = steps[0]
    for step in steps[1:]:
        result = step * result
    return result


def plane(phi: Any) -> sympy.ImmutableMatrix:
    """The rotation of one plane by `phi` radians."""
    return sympy.ImmutableMatrix([[cos(phi), -sin(phi)], [sin(phi), cos(phi)]])


def lattice_frequency(s: Any, N: Any) -> Any:
    """The frequencies of rotations that close after N steps."""
    return 2 * pi * s / N


def counts(sides: Sequence[Any], dimension: int) -> Any:
    """Cells of one dimension of a box with the given numbers of vertices along its axes."""
    return sum(
        sympy.prod([side - 1 if a in axes else side for a, side in enumerate(sides)])
        for axes in combinations(range(len(sides)), dimension)
    )


@dataclass(frozen=True)
class Loops:
    """The definitions of loops of a graph; a control replaces one of them."""

    holonomy: Callable[[Any, Any, Any], Any] = lambda back, edge, out: back @ edge @ out
    after_one_turn: Any = UNIT
    frequency: Callable[[Any, Any], Any] = lattice_frequency
    half_frequency: Callable[[Any, Any], Any] = lambda i, N: pi * (2 * i + 1) / N
    plane: Callable[[Any], sympy.ImmutableMatrix] = plane
    walk: Callable[[Sequence[Any]], Any] = latest_leftmost
    counts: Callable[[Sequence[Any], int], Any] = counts
    outer: Callable[[Any], Any] = lambda first: first
    grid: Callable[..., Complex] = grid
    antipodal: Callable[[int], Complex] = antipodal


def fundamental_loop(of: Loops) -> Prop:
    inverse = And(Eq(other @ head, UNIT), Eq(head @ other, UNIT))
    closes = Eq(of.holonomy(other, edge, tail), UNIT)
    names = (tail, head, other, edge)
    return ForAll(names, Implies(inverse, Iff(closes, Eq(edge @ tail, head))))


def walks(of: Loops) -> Prop:
    here, there = place(t), place(t + 1)
    premise = And(
        ForAll(i, Implies(Le(i, n), Eq(g(place(i)) @ h(place(i)), UNIT))),
        ForAll(i, Implies(Le(i, n), Eq(h(place(i)) @ g(place(i)), UNIT))),
        Eq(J(0), UNIT),
        ForAll(t, Implies(Lt(t, n), Eq(J(t + 1), S(t) @ J(t)))),
        ForAll(t, Implies(Lt(t, n), Eq(of.holonomy(h(there), S(t), g(here)), UNIT))),
    )
    reached = Eq(J(n), g(place(n)) @ h(place(0)))
    closed = Implies(Eq(place(n), place(0)), Eq(J(n), UNIT))
    return ForAll(n, Implies(premise, And(reached, closed)))


def descends(of: Loops) -> Prop:
    powers = And(Eq(power(0), UNIT), ForAll(i, Eq(power(i + 1), turn @ power(i))))
    periodic = ForAll(i, Eq(power(i + N), power(i)))
    closes = Eq(power(N), of.after_one_turn)
    return ForAll((turn, N), Implies(powers, Iff(periodic, closes)))


def block_periods(of: Loops) -> Prop:
    closes = Eq(of.plane(theta * N), eye(2))
    return ForAll((theta, N), Iff(closes, Exists(s, Eq(theta, of.frequency(s, N)))))


def antiperiodic(of: Loops) -> Prop:
    around = of.plane(of.half_frequency(i, N) * N)
    return ForAll((i, N), Eq(around, -eye(2)))


def box_counts(of: Loops) -> Prop:
    flat, solid = (N, M), (N, M, K)
    loops = [of.counts(sides, 1) - of.counts(sides, 0) + 1 for sides in (flat, solid)]
    return And(
        ForAll(flat, Eq(of.counts(flat, 2), loops[0])),
        ForAll(solid, Eq(of.counts(solid, 2), loops[1] + of.counts(solid, 3))),
    )


def independent(of: Loops) -> Prop:
    """A sum of squares of one row that is 0 on the first edge and on each edge between two."""
    outer = Eq(of.outer(fill(0)), 0)
    inner = ForAll(c, Implies(Lt(c, n), Eq(fill(c + 1) - fill(c), 0)))
    return ForAll(n, Implies(And(outer, inner), Eq(fill(n), 0)))


def bianchi(of: Loops) -> Prop:
    cube = of.grid((2, 2, 2))
    values = variables(" ".join(f"f{e}" for e in range(cube.first.cols)), Real)
    curvature = sympy.Matrix([values]) * cube.second
    return ForAll(values, Eq((curvature * cube.third)[0], 0))


BOXES = ((3, 4), (2, 2, 2), (3, 3, 3))


def times(*factors: Any) -> Any:
    return sympy.MatMul(*factors, evaluate=False)


def integral(matrix: Any) -> Prop:
    """The common denominator of the entries is 1."""
    return Eq(sympy.ilcm(1, *(x.q for x in matrix)), 1)


def spanned(whole: Complex) -> Prop:
    """A basis Z of the cycles (1 on the edges outside a tree), and integers C with D_2 C = Z."""
    cycles, outside = fundamental_cycles(whole.first)
    left, diagonal, right = smith(whole.second)
    moved = sympy.Matrix(left) * cycles
    lifted = sympy.zeros(whole.second.cols, cycles.cols)
    for row, factor in enumerate(diagonal):
        lifted[row, :] = moved[row, :] / factor
    fillings = (sympy.Matrix(right) * lifted).as_immutable()
    chosen = sympy.ImmutableMatrix([list(cycles.row(e)) for e in outside])
    return And(
        Eq(times(whole.first, cycles), zeros(whole.first.rows, cycles.cols)),
        Eq(chosen, eye(whole.loops)),
        Eq(times(whole.first, whole.second), zeros(whole.first.rows, whole.second.cols)),
        Eq(times(whole.second, fillings), cycles),
        integral(fillings),
    )


def boxes(of: Loops) -> Prop:
    return And(*(spanned(of.grid(shape)) for shape in BOXES))


def has_smith_form(whole: Complex, factors: Sequence[int]) -> And:
    """U D_2 W is diagonal with these factors and then zeros; U and W have integer inverses."""
    left, diagonal, right = (sympy.ImmutableMatrix(part) for part in smith(whole.second))
    rows, columns = whole.second.rows, whole.second.cols
    form = sympy.zeros(rows, columns)
    for k, factor in enumerate(factors[: min(rows, columns)]):
        form[k, k] = factor
    back = [sympy.Matrix(part).inv().as_immutable() for part in (left, right)]
    return And(
        Eq(len(diagonal), len(factors)),
        Eq(times(left, whole.second, right), form.as_immutable()),
        Eq(times(left, back[0]), eye(rows)),
        Eq(times(right, back[1]), eye(columns)),
        *(integral(part) for part in (left, right, *back)),
    )


def torus(of: Loops) -> Prop:
    return has_smith_form(of.grid((4, 4), wraps=True), [1] * 15)


def projective_plane(of: Loops) -> Prop:
    whole = of.antipodal(3)
    cycles, _ = fundamental_cycles(whole.first)
    none = zeros(whole.first.rows, cycles.cols)
    basis = And(Eq(times(whole.first, cycles), none), Eq(cycles.cols, whole.loops))
    return And(*basis.parts, *has_smith_form(whole, [1] * 8 + [2]).parts)


def signs(of: Loops) -> Prop:
    """Signs (-1)^c on the edges of the projective plane: every square +1, one loop -1."""
    whole = of.antipodal(3)
    left, diagonal, _ = smith(whole.second)
    last = len(diagonal) - 1  # where the largest factor stands
    exponents = sympy.ImmutableMatrix(left[last])
    halves = (exponents.T * whole.second / 2).as_immutable()
    loop = sympy.Matrix(left).inv()[:, last].as_immutable()
    quotient = ((exponents.T * loop)[0] - 1) / 2
    return And(
        Eq(times(exponents.T, whole.second), 2 * halves),
        integral(halves),
        Eq(times(whole.first, loop), zeros(whole.first.rows, 1)),
        Eq(times(exponents.T, loop), sympy.ImmutableMatrix([[2 * quotient + 1]])),
        integral([quotient]),
    )


def hole(of: Loops) -> Prop:
    ring = of.grid((3, 3), removed=((1, 1),))
    cycles, _ = fundamental_cycles(ring.first)
    vertices, edges, squares = ring.counts
    return And(
        Eq(vertices, 8),
        Eq(edges, 8),
        Eq(squares, 0),
        Eq(cycles.cols, 1),
        Eq(times(ring.first, cycles), zeros(vertices, cycles.cols)),
        Eq(times(cycles.T, cycles), edges * eye(cycles.cols)),  # along all of them
    )


def alternating_group(of: Loops) -> Prop:
    values = {pair: permutation(images) for pair, images in PENTAGON.items()}
    one = eye(5)

    def step(tail: int, head: int) -> sympy.ImmutableMatrix:
        if 0 in (tail, head):
            return one
        return values[tail, head] if tail < head else values[head, tail].T

    parts: list[Prop] = []
    coordinates = []
    for cycle in PENTAGON_CYCLES:
        ends = [int(v) for v in cycle]
        pairs = list(zip(ends, ends[1:] + ends[:1], strict=True))
        parts.append(Eq(of.walk([step(*pair) for pair in pairs]), one))
        coordinates.append([(pair in pairs) - (pair[::-1] in pairs) for pair in PENTAGON])
    basis = sympy.Determinant(sympy.ImmutableMatrix(coordinates))
    even = [Eq(sympy.Determinant(value), 1) for value in values.values()]
    return And(*parts, Eq(basis**2, 1), *even, Ne(values[1, 2], one))


LOOPS = Claim(
    id="journey.loops",
    title="How many loops decide flatness: trees, boxes, holes, tori",
    kind="classification",
    definitions=Loops(),
    stance="sharpened",
    reading=(
        "Read for any graph, flatness is trivial holonomy on the fundamental cycles of a spanning "
        "tree; for non-commuting values another basis of the cycles does not do, and for block "
        "rotations flat squares suffice only if no cycle has a multiple that the squares fill."
    ),
    hypotheses=(
        r"$g_x$ is the transport from the root to $x$ along a spanning tree, so a tree edge has "
        r"$T_eg_x = g_y$ and $E-V+1$ edges are left",
        r"$\partial_1$, $\partial_2$ are the boundary matrices of edges and squares",
    ),
    clauses=(
        Clause(
            "fundamental_loop",
            r"g_y^{-1}\,T_e\,g_x = 1 \iff T_e\,g_x = g_y \quad (e: x\to y)",
            fundamental_loop,
        ),
        Clause(
            "walks",
            r"\text{trivial fundamental loops at every step } \implies "
            r"J_n = g_{x_n}g_{x_0}^{-1} \text{, and } J_n = 1 \text{ on closed walks}",
            walks,
        ),
        Clause(
            "descends",
            r"T^{x+N} = T^x\ \forall x \iff T^N = 1 \quad\text{(each axis of a torus)}",
            descends,
        ),
        Clause(
            "block_periods",
            r"R(\theta)^N = I \iff \theta\in\tfrac{2\pi}{N}\mathbb Z",
            block_periods,
        ),
        Clause("antiperiodic", r"R\bigl(\tfrac{\pi(2i+1)}{N}\bigr)^N = -I", antiperiodic),
        Clause(
            "box_counts",
            r"F = E-V+1 \text{ in a plane box of } N\times M \text{ vertices, } "
            r"F = E-V+1+C \text{ in a box with } C \text{ cubes}",
            box_counts,
        ),
        Clause(
            "independent",
            r"\partial_2c = 0 \implies c = 0 \text{ in the plane: along a row } c_0 = 0,\ "
            r"c_{i+1} - c_i = 0 \implies c_n = 0",
            independent,
        ),
        Clause(
            "bianchi",
            r"\text{the six signed curvatures of a cube add up to } 0",
            bianchi,
        ),
        Clause(
            "boxes",
            r"\partial_2C = Z,\ Z \text{ the } E-V+1 \text{ fundamental cycles, } C "
            r"\text{ integer, for boxes of } 3\times4,\ "
            r"2\times2\times2,\ 3\times3\times3 \text{ vertices}",
            boxes,
        ),
        Clause(
            "hole",
            r"3\times3 \text{ vertices without the centre: } V = E = 8,\ F = 0,\ "
            r"\text{one loop, along all edges, that no square fills}",
            hole,
        ),
        Clause(
            "torus",
            r"4\times4 \text{ torus: } U\partial_2W = \operatorname{diag}(1^{15}, 0),\ "
            r"15 = (E-V+1) - 2",
            torus,
        ),
        Clause(
            "projective_plane",
            r"3\times3 \text{ cells, boundary joined antipodally: } "
            r"E-V+1 = 9 \text{ cycles},\ U\partial_2W = \operatorname{diag}(1^8, 2)",
            projective_plane,
        ),
        Clause(
            "signs",
            r"\text{on it, edges carry } (-1)^{c_e} \text{ so that every square is } +1 "
            r"\text{ and a loop } z \text{ is } -1:\ c\,\partial_2\in2\mathbb Z,\ "
            r"\partial_1z = 0,\ c\cdot z \text{ odd}",
            signs,
        ),
        Clause(
            "alternating_group",
            r"K_5 \text{ with values in } A_5:\ \text{six cycles that are a } \mathbb Z"
            r"\text{-basis of all cycles have holonomy } e,\ \text{yet } x_{12}\ne e",
            alternating_group,
        ),
    ),
)
