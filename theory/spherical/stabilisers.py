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
from functools import lru_cache, partial
from itertools import permutations, product
from typing import Any

import sympy
from sympy import ImmutableMatrix as Matrix
from sympy import Integer, cos, expand, pi, sin, sqrt

from posproof.theory.operators import UNIT, unknowns
from posproof.theory.spherical.representations import action, quaternion
from posproof.theory.symbols import Variable, sequence, total, variables
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
    Not,
    Prop,
    Real,
)
from posproof.theory.vocabulary import Integer as Whole

Vector = tuple[Any, ...]
Point = tuple[int, ...]
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
    return Matrix(size, size, lambda row, column: columns[column][row])


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

    def most_fixed(self) -> int:
        """How many points an element other than the identity may fix."""
        fixed = (sum(p == q for p, q in enumerate(move)) for move in self.moves)
        return max(number for number in fixed if number < len(self.points))


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
    #: An entry of v, of both mirrors' normals, the inner products of these with v and themselves.
    reflected: Callable[..., Any] = lambda v, normals, inner, squares: (
        v - sum(2 * c / square * n for n, c, square in zip(normals, inner, squares, strict=True))
    )
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
    by_distance: Callable[[Any], Matrix] = lambda c: Matrix(
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
    proper = And(Eq(turn.T * turn, Matrix(sympy.eye(3))), Eq(turn.det(), 1))
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


x_entry, y_entry, w_entry, v_entry = (sequence(name) for name in ("x", "y", "w", "v"))
entry = Variable("s", Int(0))


def sum_of(body: Any) -> Any:
    """The sum over the coordinates s < d."""
    return total(entry, d, body)


def every_dimension(of: Stabilisers) -> Prop:
    """Reflections in p = x - y and in w across it: about (x + y)/2 they carry x to y."""
    p, w = x_entry(entry) - y_entry(entry), w_entry(entry)
    squares = sum_of(p**2), sum_of(w**2)

    def image(v: Any) -> Any:
        return of.reflected(v, (p, w), (sum_of(p * v), sum_of(w * v)), squares)

    middle = (x_entry(entry) + y_entry(entry)) / 2
    moved = ForAll(entry, Eq(middle + image(x_entry(entry) - middle), y_entry(entry)))
    kept = Eq(sum_of(image(v_entry(entry)) ** 2), sum_of(v_entry(entry) ** 2))
    premise = And(Eq(sum_of(p * w), 0), Ne(squares[0], 0), Ne(squares[1], 0))
    return ForAll(d, Implies(premise, And(moved, kept)))


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
    turned = grid_action(*GRIDS["quarter_5"])
    return And(*parts, Eq(Integer(turned.most_fixed()), 1))


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
    return ForAll(c, Implies(inside, Eq(turn.T * turn, Matrix(sympy.eye(2)))))


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
            r"A(gx)^*B(y) \quad = A(x)^*B(y),\ B(y)C = I \implies \quad A(gx) = A(x) \quad "
            r"(gy = y)",
            fixed_point,
        ),
        Clause(
            "conjugates",
            r"gy = y \implies (hgh^{-1})\,hy = hy",
            conjugates,
        ),
        Clause(
            "sphere",
            r"Hv = \tfrac{2\,n\cdot v}{n\cdot n}\,n - v \in SO(3), \quad Hn = n; \quad "
            r"n = x + x',\ |x| = |x'|:\ Hx = x'; \quad n \perp x:\ Hx = -x",
            sphere,
        ),
        Clause(
            "space",
            r"\tfrac{x+x'}2 + H\bigl(x - \tfrac{x+x'}2\bigr) = x' \quad "
            r"\text{in } \mathbb{R}^2 \text{ and } \mathbb{R}^3 \ (n \perp x - x')",
            space,
        ),
        Clause(
            "every_dimension",
            r"Hv = v - \tfrac{2\,p\cdot v}{p\cdot p}\,p \quad "
            r"- \tfrac{2\,w\cdot v}{w\cdot w}\,w, \quad "
            r"p = x - x',\ p\cdot w = 0: \quad "
            r"\tfrac{x+x'}2 + H\bigl(x - \tfrac{x+x'}2\bigr) = x', \quad |Hv| = |v| "
            r"\quad (x, x' \in \mathbb{R}^d)",
            every_dimension,
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
            r"\varepsilon(i+2m) = \varepsilon(i),\quad \varepsilon(i+1) = -\varepsilon(i), \quad "
            r"\varepsilon(0) = 1",
            even_polygon,
        ),
        Clause(
            "cube",
            r"f(gx) = f(x) \text{ whenever } gy = y \text{ for some } y \iff f \text{ is constant "
            r"on }"
            r"\text{ 1 class of faces, 2 of vertices, 1 of edges, 24 of generic points; } "
            r"\text{the classes of vertices are } x_1x_2x_3 = \pm1",
            cube,
        ),
        Clause(
            "grid",
            r"\text{with translations and quarter turns: 1 class on } \mathbb{Z}_5^2 "
            r"\text{ (a turn fixes one point) and 2 on } \mathbb{Z}_6^2 "
            r"\text{; with half turns: 4 on } \mathbb{Z}_6^2",
            grid,
        ),
        Clause(
            "free",
            r"gx = x,\ xx^{-1} = 1 \implies g = 1",
            free,
        ),
        Clause(
            "zonal",
            r"g^*g = I \implies \quad (gx)^*(gy) = x^*y, \quad e_1\cdot e_1 \ne e_1\cdot e_2",
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
            r"(|x|^2, 1, -2x)\cdot(1, |y|^2, y) \quad = |x-y|^2 = |gx-gy|^2 \quad (g \in SE(2))",
            restricted,
        ),
    ),
)


# ---------------------------------------------------------------------- spherical.head_sizes
count, twist = sequence("mu"), variables("w x y z", Real)
spin = Variable("l", Int(0))
#: 2l for which a clause about D^l is proved.
DEGREES, SEPARATED_DEGREES = (1, 2, 3, 4, 5, 6), (1, 2, 3, 4)
ZONAL_DEGREES, STACKED_DEGREES = (2, 4, 6), (1, 3)


@lru_cache(maxsize=64)
def real_parts(matrix: Matrix) -> tuple[Matrix, Matrix]:
    """Real and imaginary part of a matrix of polynomials in real variables over Q(i)."""
    expanded = matrix.applyfunc(expand)
    return (
        expanded.applyfunc(lambda entry: entry.coeff(sympy.I, 0)),
        expanded.applyfunc(lambda entry: entry.coeff(sympy.I, 1)),
    )


def of_quaternion(q: Vector) -> Matrix:
    """U of (w, x, y, z): a = w - i z, b = y - i x."""
    w, x, y, z = q
    i = sympy.I
    return quaternion(w - i * z, w + i * z, y - i * x, y + i * x)


def hamilton(p: Vector, q: Vector) -> Vector:
    """The product of two quaternions."""
    (a, b, c, d), (e, f, g, h) = p, q
    return (
        a * e - b * f - c * g - d * h,
        a * f + b * e + c * h - d * g,
        a * g - b * h + c * e + d * f,
        a * h + b * g - c * f + d * e,
    )


def channels(twice: int) -> int:
    """Real channels that one copy of a spin takes."""
    return twice + 1 if twice % 2 == 0 else 2 * (twice + 1)


@dataclass(frozen=True)
class Heads:
    """The definitions of `spherical.head_sizes`; a control replaces one of them."""

    action: Callable[[int, Matrix], Matrix] = action
    quaternion: Callable[[Vector], Matrix] = of_quaternion
    hamilton: Callable[[Vector, Vector], Vector] = hamilton
    channels: Callable[[int], int] = channels
    size: Callable[[Any], Any] = lambda spin: 2 * spin + 1
    planes: Callable[[Any], Any] = lambda spin: spin
    sign: Callable[[int], int] = lambda twice: (-1) ** twice
    weight: Callable[[int, int], Any] = lambda twice, k: 1 / sympy.binomial(twice, k)

    def parts(self, twice: int, q: Vector) -> tuple[Matrix, Matrix]:
        """Real and imaginary part of T(U)."""
        return real_parts(self.action(twice, self.quaternion(q)))

    def stacked(self, twice: int, q: Vector) -> Matrix:
        """T(U) on real and imaginary parts, one above the other."""
        real, imag = self.parts(twice, q)
        return Matrix(sympy.BlockMatrix([[real, -imag], [imag, real]]).as_explicit())


def dimension(of: Heads) -> Prop:
    """Sizes against planes: every copy of a spin leaves one channel fixed."""
    whole = total(spin, L, count(spin) * of.size(spin))
    planes = total(spin, L, count(spin) * of.planes(spin))
    fills = Eq(d * of.size(Integer(0)), d)
    return ForAll((L, d), And(Eq(whole, 2 * planes + total(spin, L, count(spin))), fills))


def ladder(of: Heads) -> Prop:
    sizes, planes = total(spin, L + 1, of.size(spin)), total(spin, L + 1, of.planes(spin))
    return ForAll(L, And(Eq(sizes, (L + 1) ** 2), Eq(2 * planes, L * (L + 1))))


def multiple_of_eight(of: Heads) -> Prop:
    """(L + 1)^2 = 8 k + 1, 4, 1, 0 for L = 4 r, ..., 4 r + 3."""
    quotients = (2 * r**2 + r, 2 * r**2 + 2 * r, 2 * r**2 + 3 * r + 1, 2 * (r + 1) ** 2)
    rest = (1, 4, 1, 0)
    sizes = (total(spin, 4 * r + s + 1, of.size(spin)) for s in range(4))
    lines = zip(sizes, quotients, rest, strict=True)
    return ForAll(r, And(*(Eq(size, 8 * k + left) for size, k, left in lines)))


def stacked(of: Heads) -> Prop:
    p, q = vector("p", 4), vector("q", 4)
    first, second, both = (of.stacked(1, r) for r in (p, q, of.hamilton(p, q)))
    parts: list[Prop] = [Eq(first * second, both)]
    for twice in STACKED_DEGREES:
        left = of.stacked(twice, p)
        weights = [of.weight(twice, k) for k in range(twice + 1)]
        form = Matrix(sympy.diag(*weights, *weights))
        parts.append(Eq(left.T * form * left, dot(p, p) ** twice * form))
        parts.append(Eq(Integer(left.rows), of.channels(twice)))
    return ForAll((*p, *q), And(*parts))


def no_real_plane(of: Heads) -> Prop:
    """Half-turns about two axes across would be anticommuting roots of -1."""
    one, other = (Matrix(2, 2, variables(names, Real)) for names in ("a b c d", "e f g h"))
    eye = Matrix(sympy.eye(2))
    square = of.sign(1) * eye
    premise = And(Eq(one * one, square), Eq(other * other, square), Eq(one * other, -(other * one)))
    return ForAll((*one, *other), Not(premise))


def sign_flips(of: Heads) -> Prop:
    entries = vector("m", 4)
    here = Matrix(2, 2, entries)
    return ForAll(
        entries,
        And(*(Eq(of.action(t, -here), of.sign(t) * of.action(t, here)) for t in DEGREES)),
    )


def separates(of: Heads) -> Prop:
    w, x, y, z = twist
    parts: list[Prop] = []
    for twice in SEPARATED_DEGREES:
        real, imag = of.parts(twice, twist)
        places = [(row, column) for row in range(twice + 1) for column in range(twice + 1)]
        identity = And(
            *(Eq(real[place], int(place[0] == place[1])) for place in places),
            *(Eq(imag[place], 0) for place in places),
        )
        end = Eq(w, 1) if of.sign(twice) == -1 else Eq(w**2, 1)
        alone = And(Eq(x, 0), Eq(y, 0), Eq(z, 0), end)
        parts.append(Implies(Eq(dot(twist, twist), 1), Iff(identity, alone)))
    return ForAll(twist, And(*parts))


def distances(of: Heads) -> Prop:
    p, q = vector("p", 4), vector("q", 4)
    same_distance = And(
        Eq(p[0] ** 2 + p[3] ** 2, q[0] ** 2 + q[3] ** 2),
        Eq(p[1] ** 2 + p[2] ** 2, q[1] ** 2 + q[2] ** 2),
    )
    parts: list[Prop] = []
    for twice in ZONAL_DEGREES:
        middle = slice(twice // 2, twice // 2 + 1)
        (real, imag), (other, _) = (
            real_parts(of.action(twice, of.quaternion(r))[middle, middle]) for r in (p, q)
        )
        parts += [Eq(imag[0], 0), Eq(real[0], other[0])]
    return ForAll((*p, *q), Implies(same_distance, And(*parts)))


HEAD_SIZES = Claim(
    id="spherical.head_sizes",
    title="What a head of a given size can carry",
    kind="classification",
    definitions=Heads(),
    clauses=(
        Clause(
            "dimension",
            r"\sum_{l<L} \mu_l(2l+1) \quad = 2\sum_{l<L} \mu_l\,l + \sum_{l<L}\mu_l, \quad "
            r"d\cdot(2\cdot 0+1) = d",
            dimension,
        ),
        Clause(
            "ladder",
            r"\sum_{l=0}^{L} (2l+1) = (L+1)^2, \quad 2\sum_{l=0}^{L} l = L(L+1)",
            ladder,
        ),
        Clause(
            "multiple_of_eight",
            r"(L+1)^2 \equiv 1, 4, 1, 0 \pmod 8 \quad \text{for } L \equiv 0, 1, 2, 3 \pmod 4",
            multiple_of_eight,
        ),
        Clause(
            "stacked",
            r"\rho = \begin{pmatrix} \mathrm{Re}\,T & -\mathrm{Im}\,T \\ "
            r"\mathrm{Im}\,T & \mathrm{Re}\,T \end{pmatrix}:\quad "
            r"\rho(p)\rho(q) = \rho(pq) \quad (2l = 1), \quad "
            r"\rho^{\mathsf T}W\rho = |q|^{4l}\,W \quad \text{on } 2(2l+1) \text{ channels} "
            r"\quad (2l = 1, 3;\ W_k = 1/\tbinom{2l}{k})",
            stacked,
        ),
        Clause(
            "no_real_plane",
            r"I^2 = J^2 = -1,\ IJ = -JI \quad \text{has no solution in real } 2\times2 "
            r"\text{ matrices}",
            no_real_plane,
        ),
        Clause(
            "sign_flips",
            r"T^l(-M) = (-1)^{2l}\,T^l(M) \quad (2l = 1, \dots, 6)",
            sign_flips,
        ),
        Clause(
            "separates",
            r"|q| = 1: \quad D^l(q) = I \iff q = \pm1 \quad (l = 1, 2), \quad "
            r"D^l(q) = I \iff q = 1 \quad (l = \tfrac12, \tfrac32)",
            separates,
        ),
        Clause(
            "distances",
            r"|a| = |a'|,\ |b| = |b'| \implies \quad T^l_{00}(q) = T^l_{00}(q') \in \mathbb{R} "
            r"\quad (l = 1, 2, 3)",
            distances,
        ),
    ),
)
