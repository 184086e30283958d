r"""Points that rotations fix: what invariance leaves of a position, and what a head then carries.

Main definitions
----------------
half_turn(n, v)      the half-turn about the axis n
mirrored(y, i)       the mirror of a lattice line about y
cube_rotations       the 24 rotations of a cube, as integer matrices
Action               a finite group acting on finitely many points
real_parts           real and imaginary part of a matrix over Q(i)[w, x, y, z]

Main claims
-----------
spherical.stabiliser_no_go, spherical.head_sizes

Conventions
-----------
A score is K(x, y) = A(x)* B(y), one matrix a token, between features that do not move; it is
invariant when K(g x, g y) = K(x, y).  Operators are elements of any ring, matrices of every size
padded by zeros among them; a, moved and b stand for A(x)*, A(g x)* and B(y) with g y = y.
f(0), f(1), ... are the values of one entry of A at the numbered points.  twice = 2 l, and a
quaternion (w, x, y, z) has the matrices U and T(U) of `theory.spherical.representations`.

References
----------
Derived here; no publication is quoted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import permutations, product
from typing import Any

import sympy
from sympy import ImmutableMatrix, Integer, cos, pi, sin, sqrt

from posproof.theory.operators import UNIT, unknowns
from posproof.theory.symbols import Variable, sequence, variables
from posproof.theory.vocabulary import (
    And,
    Claim,
    Clause,
    Eq,
    ForAll,
    Iff,
    Implies,
    Int,
    Le,
    Ne,
    Prop,
    Real,
)
from posproof.theory.vocabulary import Integer as Whole

Vector = tuple[Any, ...]
Point = tuple[int, ...]
Matrix = ImmutableMatrix

f = sequence("f")
i, y = variables("i y", Whole)
m, L, r, d = variables("m L r d", Int(0))
a, moved, b, inverse, g, g_back, h, h_back, x_place, x_back, y_place = unknowns(
    "a moved b c g g' h h' x x' y"
)


# ---------------------------------------------------------------------- vectors
def vector(name: str, size: int = 3) -> Vector:
    """`size` real variables."""
    return tuple(Variable(f"{name}{place}", Real) for place in range(size))


def dot(u: Vector, v: Vector) -> Any:
    return sum((s * t for s, t in zip(u, v, strict=True)), Integer(0))


def half_turn(n: Vector, v: Vector) -> Vector:
    """The image of v in the half-turn about n: 2 (n.v) / (n.n) n - v."""
    scale = 2 * dot(n, v) / dot(n, n)
    return tuple(scale * s - t for s, t in zip(n, v, strict=True))


def plus(u: Vector, v: Vector) -> Vector:
    return tuple(s + t for s, t in zip(u, v, strict=True))


def minus(u: Vector, v: Vector) -> Vector:
    return tuple(s - t for s, t in zip(u, v, strict=True))


def half(u: Vector) -> Vector:
    return tuple(s / 2 for s in u)


def same(u: Vector, v: Vector) -> tuple[Prop, ...]:
    return tuple(Eq(s, t) for s, t in zip(u, v, strict=True))


def as_matrix(image: Callable[[Vector], Vector], size: int) -> Matrix:
    """The matrix of a linear map of R^size."""
    basis = sympy.eye(size)
    columns = [image(tuple(basis[row, column] for row in range(size))) for column in range(size)]
    return ImmutableMatrix(size, size, lambda row, column: columns[column][row])


# ---------------------------------------------------------------------- finite actions
@dataclass(frozen=True)
class Action:
    """Points in a fixed order, and for each group element the places its points move to."""

    points: tuple[Point, ...]
    moves: tuple[tuple[int, ...], ...]

    def identified(self) -> tuple[tuple[int, int], ...]:
        """The pairs (x, g x) of places for which g fixes some point; every (x, x) among them."""
        pairs = {(place, place) for place in range(len(self.points))}
        for move in self.moves:
            if any(place == target for place, target in enumerate(move)):
                pairs |= {(min(p, q), max(p, q)) for p, q in enumerate(move)}
        return tuple(sorted(pairs))


def acting(points: tuple[Point, ...], maps: list[Callable[[Point], Point]]) -> Action:
    """The action of maps on a set of points that they permute."""
    place = {point: at for at, point in enumerate(points)}
    return Action(points, tuple(tuple(place[act(p)] for p in points) for act in maps))


def cube_rotations() -> tuple[tuple[Point, ...], ...]:
    """The 24 signed permutation matrices of determinant 1, by rows."""
    found = []
    for order, signs in product(permutations(range(3)), product((1, -1), repeat=3)):
        rows = tuple(
            tuple(signs[row] * int(order[row] == column) for column in range(3)) for row in range(3)
        )
        if sympy.Matrix(rows).det() == 1:
            found.append(rows)
    return tuple(found)


def _times(rows: tuple[Point, ...]) -> Callable[[Point], Point]:
    return lambda p: tuple(int(dot(row, p)) for row in rows)


#: One point of each orbit of the cube group: a face, a vertex, an edge, a point off all axes.
SEEDS = {"face": (1, 0, 0), "vertex": (1, 1, 1), "edge": (1, 1, 0), "generic": (1, 2, 3)}


def cube_action(seed: Point, rotations: tuple[tuple[Point, ...], ...]) -> Action:
    """The group acting on the orbit of a point."""
    maps = [_times(rows) for rows in rotations]
    return acting(tuple(sorted({act(seed) for act in maps})), maps)


#: Side of a periodic square grid, and by how many quarter turns its points may be turned.
GRIDS = {"quarter_6": (6, (0, 1, 2, 3)), "half_6": (6, (0, 2)), "quarter_5": (5, (0, 1, 2, 3))}


def grid_action(side: int, turns: tuple[int, ...]) -> Action:
    """Translations and turns of the grid Z_side x Z_side."""

    def move(turn: int, u: int, v: int) -> Callable[[Point], Point]:
        c, s = ((1, 0), (0, 1), (-1, 0), (0, -1))[turn]
        return lambda p: ((c * p[0] - s * p[1] + u) % side, (s * p[0] + c * p[1] + v) % side)

    points = tuple(product(range(side), repeat=2))
    return acting(points, [move(turn, u, v) for turn in turns for u, v in points])


# ---------------------------------------------------------------------- spherical.stabiliser_no_go
@dataclass(frozen=True)
class Stabilisers:
    """The definitions of `spherical.stabiliser_no_go`; a control replaces one of them."""

    score: Callable[[Any, Any], Any] = lambda a, b: a @ b
    onto: Callable[[Any, Any], Prop] = lambda b, inverse: Eq(b @ inverse, UNIT)
    half_turn: Callable[[Vector, Vector], Vector] = half_turn
    mirrored: Callable[[Any, Any], Any] = lambda y, i: 2 * y - i
    alternating: Callable[[Any], Any] = lambda i: cos(pi * i)
    rotations: Callable[[], tuple[tuple[Point, ...], ...]] = cube_rotations
    cube_label: Callable[[str, Point], Any] = lambda kind, p: {
        "face": 0,
        "edge": 0,
        "vertex": p[0] * p[1] * p[2],
        "generic": p,
    }[kind]
    grid_label: Callable[[str, Point], Any] = lambda kind, p: {
        "quarter_5": 0,
        "quarter_6": (p[0] + p[1]) % 2,
        "half_6": (p[0] % 2, p[1] % 2),
    }[kind]
    undone: Callable[[Any, Any], Prop] = lambda g, back: Eq(back @ g, UNIT)
    separation: Callable[[Vector, Vector], Any] = lambda u, v: dot(minus(u, v), minus(u, v))
    by_distance: Callable[[Any], Matrix] = lambda c: ImmutableMatrix(
        [[c, -sqrt(1 - c**2)], [sqrt(1 - c**2), c]]
    )


def fixed_point(of: Stabilisers) -> Prop:
    invariant = Eq(of.score(moved, b), of.score(a, b))
    premise = And(invariant, of.onto(b, inverse))
    return ForAll((a, moved, b, inverse), Implies(premise, Eq(moved, a)))


def conjugates(of: Stabilisers) -> Prop:
    fixes = Eq(g @ y_place, y_place)
    carried = h @ y_place
    goal = Eq((h @ (g @ h_back)) @ carried, carried)
    return ForAll((g, h, h_back, y_place), Implies(And(fixes, of.undone(h, h_back)), goal))


def sphere(of: Stabilisers) -> Prop:
    p, q, n = vector("p"), vector("q"), vector("n")
    axis = plus(p, q)
    turn = as_matrix(lambda v: of.half_turn(n, v), 3)
    proper = And(Eq(turn.T * turn, ImmutableMatrix(sympy.eye(3))), Eq(turn.det(), 1))
    apart = Implies(
        And(Eq(dot(p, p), dot(q, q)), Ne(dot(axis, axis), 0)), And(*same(of.half_turn(axis, p), q))
    )
    away = tuple(-s for s in p)
    opposite = Implies(
        And(Eq(dot(n, p), 0), Ne(dot(n, n), 0)), And(*same(of.half_turn(n, p), away))
    )
    rotates = Implies(Ne(dot(n, n), 0), And(*same(of.half_turn(n, n), n), *proper.parts))
    return And(ForAll((*p, *q), apart), ForAll((*p, *n), opposite), ForAll(n, rotates))


def space(of: Stabilisers) -> Prop:
    n = vector("n")
    parts = []
    for size in (2, 3):
        p, q = vector("p", size), vector("q", size)
        middle = half(plus(p, q))
        across = minus(p, middle)
        if size == 2:  # the third axis
            image = of.half_turn((Integer(0), Integer(0), Integer(1)), (*across, Integer(0)))[:2]
            parts.append(ForAll((*p, *q), And(*same(plus(middle, image), q))))
        else:
            premise = And(Eq(dot(n, minus(p, q)), 0), Ne(dot(n, n), 0))
            goal = And(*same(plus(middle, of.half_turn(n, across)), q))
            parts.append(ForAll((*p, *q, *n), Implies(premise, goal)))
    return And(*parts)


def line(of: Stabilisers) -> Prop:
    about = of.mirrored(i + 1, i)
    return ForAll(i, Implies(Eq(f(about), f(i)), Eq(f(i + 2), f(i))))


def odd_polygon(of: Stabilisers) -> Prop:
    n = 2 * m + 1
    about = of.mirrored(i + m + 1, i)
    premise = And(Eq(f(about), f(i)), Eq(f(i + 1 + n), f(i + 1)))
    return ForAll((i, m), Implies(premise, Eq(f(i + 1), f(i))))


def even_polygon(of: Stabilisers) -> Prop:
    sign = of.alternating
    return ForAll(
        (i, y, m),
        And(
            Eq(sign(of.mirrored(y, i)), sign(i)),
            Eq(sign(i + 2 * m), sign(i)),
            Eq(sign(i + 1), -sign(i)),
            Eq(sign(Integer(0)), 1),
        ),
    )


def constant_exactly(act: Action, label: Callable[[Point], Any]) -> Prop:
    """f(x) = f(g x) for every g that fixes a point, if and only if f is a function of the label."""
    first: dict[Any, int] = {}
    for place, point in enumerate(act.points):
        first.setdefault(label(point), place)
    by_label = ((p, first[label(point)]) for p, point in enumerate(act.points))
    return Iff(all_equal(act.identified()), all_equal(tuple(by_label)))


def all_equal(pairs: tuple[tuple[int, int], ...]) -> Prop:
    """f(p) = f(q) for all pairs, as one equation of columns."""
    left, right = (Matrix([f(pair[side]) for pair in pairs]) for side in (0, 1))
    return Eq(left, right)


def classes(act: Action, label: Callable[[Point], Any]) -> int:
    return len({label(point) for point in act.points})


CUBE_CLASSES = {"face": 1, "vertex": 2, "edge": 1, "generic": 24}
GRID_CLASSES = {"quarter_6": 2, "half_6": 4, "quarter_5": 1}


def cube(of: Stabilisers) -> Prop:
    parts: list[Prop] = []
    for kind, count in CUBE_CLASSES.items():
        act = cube_action(SEEDS[kind], of.rotations())
        label = partial(of.cube_label, kind)
        parts += [constant_exactly(act, label), Eq(Integer(classes(act, label)), count)]
    return And(*parts)


def grid(of: Stabilisers) -> Prop:
    parts: list[Prop] = []
    for kind, count in GRID_CLASSES.items():
        act = grid_action(*GRIDS[kind])
        label = partial(of.grid_label, kind)
        parts += [constant_exactly(act, label), Eq(Integer(classes(act, label)), count)]
    return And(*parts)


def free(of: Stabilisers) -> Prop:
    premise = And(Eq(g @ x_place, x_place), of.undone(x_back, x_place))
    return ForAll((g, x_place, x_back), Implies(premise, Eq(g, UNIT)))


def zonal(of: Stabilisers) -> Prop:
    """One column a token: x* g* g y = x* y, and the score of e_1 differs with e_1 and e_2."""
    kept = Eq(of.score(x_place @ g_back, g @ y_place), of.score(x_place, y_place))
    first, second = (1, 0, 0), (0, 1, 0)
    return And(
        ForAll((g, g_back, x_place, y_place), Implies(of.undone(g, g_back), kept)),
        Ne(dot(first, first), dot(first, second)),
    )


def pairwise(of: Stabilisers) -> Prop:
    (c,) = variables("c", Real)
    turn = of.by_distance(c)
    inside = And(Le(-1, c), Le(c, 1))
    return ForAll(c, Implies(inside, Eq(turn.T * turn, ImmutableMatrix(sympy.eye(2)))))


def restricted(of: Stabilisers) -> Prop:
    (phi,) = variables("phi", Real)
    u, v, t = vector("u", 2), vector("v", 2), vector("t", 2)

    def carried(p: Vector) -> Vector:
        c, s = cos(phi), sin(phi)
        return plus((c * p[0] - s * p[1], s * p[0] + c * p[1]), t)

    query, key = (dot(u, u), 1, -2 * u[0], -2 * u[1]), (1, dot(v, v), v[0], v[1])
    return ForAll(
        (phi, *u, *v, *t),
        And(
            Eq(dot(query, key), of.separation(u, v)),
            Eq(of.separation(carried(u), carried(v)), of.separation(u, v)),
        ),
    )


STABILISER_NO_GO = Claim(
    id="spherical.stabiliser_no_go",
    title="Invariance forgets what a stabiliser moves",
    kind="classification",
    definitions=Stabilisers(),
    hypotheses=(
        "the same q and k before and after, for all q and k: K(x, y) = A(x)* B(y)",
        "B(y) is onto for every y",
    ),
    clauses=(
        Clause(
            "fixed_point",
            r"A(gx)^*B(y) = A(x)^*B(y),\ B(y)C = I \implies A(gx) = A(x) \quad (gy = y)",
            fixed_point,
        ),
        Clause(
            "conjugates",
            r"gy = y \implies (hgh^{-1})\,hy = hy",
            conjugates,
        ),
        Clause(
            "sphere",
            r"Hv = \tfrac{2\,n\cdot v}{n\cdot n}\,n - v \in SO(3),\ Hn = n; \quad "
            r"n = x + x' \Rightarrow Hx = x'\ (|x| = |x'|); \quad n \perp x \Rightarrow Hx = -x",
            sphere,
        ),
        Clause(
            "space",
            r"\tfrac{x+x'}2 + H\bigl(x - \tfrac{x+x'}2\bigr) = x' \quad "
            r"\text{in } \mathbb{R}^2 \text{ and, for } n \perp x - x', \text{ in } \mathbb{R}^3",
            space,
        ),
        Clause(
            "line",
            r"f(2y-i) = f(i) \text{ at } y = i+1 \implies f(i+2) = f(i) \quad (i \in \mathbb{Z})",
            line,
        ),
        Clause(
            "odd_polygon",
            r"n = 2m+1,\ f(j+n) = f(j),\ f(2y-i) = f(i) \implies f(i+1) = f(i)",
            odd_polygon,
        ),
        Clause(
            "even_polygon",
            r"\varepsilon(i) = \cos\pi i:\quad \varepsilon(2y-i) = \varepsilon(i),\quad "
            r"\varepsilon(i+2m) = \varepsilon(i),\quad \varepsilon(i+1) = -\varepsilon(i) \ne 0",
            even_polygon,
        ),
        Clause(
            "cube",
            r"f(gx) = f(x) \text{ whenever } gy = y \iff f \text{ is constant on } "
            r"\text{1 class of faces, 2 of vertices } (x_1x_2x_3 = \pm1), "
            r"\text{ 1 of edges, 24 of generic points}",
            cube,
        ),
        Clause(
            "grid",
            r"\text{translations with quarter turns: 1 class on } \mathbb{Z}_5^2, "
            r"\text{ 2 on } \mathbb{Z}_6^2; \quad "
            r"\text{with half turns: 4 on } \mathbb{Z}_6^2",
            grid,
        ),
        Clause(
            "free",
            r"gx = x,\ xx^{-1} = 1 \implies g = 1",
            free,
        ),
        Clause(
            "zonal",
            r"g^*g = I \implies (gx)^*(gy) = x^*y, \quad e_1\cdot e_1 \ne e_1\cdot e_2",
            zonal,
        ),
        Clause(
            "pairwise",
            r"c = x\cdot y,\ |c| \le 1:\quad "
            r"K = \begin{pmatrix} c & -\sqrt{1-c^2} \\ \sqrt{1-c^2} & c \end{pmatrix},\ "
            r"K^{\mathsf T}K = I",
            pairwise,
        ),
        Clause(
            "restricted",
            r"(|x|^2, 1, -2x)\cdot(1, |y|^2, y) = |x-y|^2 = |gx-gy|^2 \quad (g \in SE(2))",
            restricted,
        ),
    ),
)
