"""Proofs of `theory.spherical.stabilisers`: one function a clause, named after it."""

from __future__ import annotations

from collections import deque
from typing import Any

from flint import fmpq_mat

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.algebra import ONE as CONSTANT_ONE
from posproof.proofs_check.algebra import matrix_entries
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Node, unit
from posproof.proofs_check.search import (
    Undecided,
    prove_each,
    prove_free,
    prove_identity,
    prove_nonneg,
)
from posproof.theory.operators import UNIT
from posproof.theory.spherical import stabilisers as statements
from posproof.theory.spherical.stabilisers import (
    STABILISER_NO_GO,
    Stabilisers,
    Vector,
    dot,
    minus,
)
from posproof.theory.vocabulary import Prop, control, proves

node = T.node


# ---------------------------------------------------------------------- controls
ONE, NONE = fmpq_mat(2, 2, [1, 0, 0, 1]), fmpq_mat(2, 2)
COLUMN = fmpq_mat(2, 2, [1, 0, 0, 0])


def _no_condition(first: Any, second: Any) -> Prop:
    return statements.Eq(UNIT, UNIT)


def _half_of_the_turn(n: Vector, v: Vector) -> Vector:
    """The projection onto n doubled is forgotten: (n.v) / (n.n) n - v."""
    scale = dot(n, v) / dot(n, n)
    return minus(tuple(scale * s for s in n), v)


def _reflection(n: Vector, v: Vector) -> Vector:
    """v - 2 (n.v) / (n.n) n."""
    scale = 2 * dot(n, v) / dot(n, n)
    return minus(v, tuple(scale * s for s in n))


def _tetrahedral() -> tuple[tuple[tuple[int, ...], ...], ...]:
    """The 12 rotations that permute the axes cyclically."""
    turns = statements.cube_rotations()
    return tuple(rows for rows in turns if any(abs(rows[0][j] * rows[1][j - 2]) for j in range(3)))


def _sheared(u: Vector, v: Vector) -> Any:
    """A squared distance in a skew basis."""
    x, y = minus(u, v)
    return x**2 + x * y + y**2


# ---------------------------------------------------------------------- spherical.stabiliser_no_go
ZONAL = {"a": NONE, "moved": fmpq_mat(2, 2, [0, 1, 0, 0]), "b": COLUMN, "c": ONE}


@control("one_column", ZONAL, onto=_no_condition)
@control("not_onto", ZONAL, onto=lambda b, c: statements.Eq(b @ c, b))
@proves(STABILISER_NO_GO, "fixed_point", "matrices of every size")
def fixed_point(of: Stabilisers) -> Theorem:
    """(moved - a) = (moved - a) B C, because moved B = a B."""
    premise, goal = T.inner(statements.fixed_point(of)).args
    invariant, onto = premise.args
    a, moved, inverse = node(statements.a), node(statements.moved), node(statements.inverse)
    proof = T.combined(
        goal,
        (1, unit, kernel.assume(invariant), inverse),
        (-1, moved - a, kernel.assume(onto), unit),
    )
    return T.implication(T.unpack(proof, premise), premise)


SHEARED = {
    "g": fmpq_mat(2, 2, [1, 0, 0, 0]),
    "y": COLUMN,
    "h": fmpq_mat(2, 2, [1, 1, 0, 1]),
    "h'": NONE,
}


@control("without_inverse", SHEARED, undone=_no_condition)
@proves(STABILISER_NO_GO, "conjugates", "elements of every group")
def conjugates(of: Stabilisers) -> Theorem:
    """h g h' h y = h g y = h y."""
    premise, goal = T.inner(statements.conjugates(of)).args
    proof = prove_free(goal, premise.args)
    return T.implication(T.unpack(proof, premise), premise)


def _implied(statement: Node, facts: list[Node]) -> Theorem:
    """Each equation of the conclusion by algebra."""
    premise, goal = statement.args
    proof = prove_each(goal, lambda part: prove_identity(part, facts))
    return T.implication(T.unpack(proof, premise), premise)


@control("half_of_the_turn", half_turn=_half_of_the_turn)
@control("reflection_for_half_turn", half_turn=_reflection)
@proves(STABILISER_NO_GO, "sphere", "all points of all spheres about 0")
def sphere(of: Stabilisers) -> Theorem:
    """Through x + x' the half-turn exchanges x and x'; about an axis across x it reverses x."""
    apart, opposite, rotates = node(statements.sphere(of)).args
    length, somewhere = T.inner(apart).args[0].args
    axis = statements.plus(statements.vector("p"), statements.vector("q"))
    doubled = statements.Eq(2 * dot(axis, statements.vector("p")), dot(axis, axis))
    lemma = prove_identity(doubled, [length])
    joins = T.discharge(
        prove_each(T.inner(apart).args[1], lambda p: prove_identity(p, [doubled, somewhere])), lemma
    )
    joins = T.implication(T.unpack(joins, T.inner(apart).args[0]), T.inner(apart).args[0])
    reverses = _implied(T.inner(opposite), list(T.inner(opposite).args[0].args))
    somewhere, goal = T.inner(rotates).args
    turns = T.implication(prove_each(goal, lambda p: prove_identity(p, [somewhere])), somewhere)
    proofs = zip((joins, reverses, turns), (apart, opposite, rotates), strict=True)
    return T.both(*(T.generalise(proof, *T.outer(part)) for proof, part in proofs))


@control("reflection_for_half_turn", half_turn=_reflection)
@proves(STABILISER_NO_GO, "space", "d = 2 and d = 3")
def space(of: Stabilisers) -> Theorem:
    """x - m is across the axis, so the half-turn about m reverses it."""
    flat, solid = node(statements.space(of)).args
    plane = prove_each(T.inner(flat), prove_identity)
    inside = T.inner(solid)
    return T.both(
        T.generalise(plane, *T.outer(flat)),
        T.generalise(_implied(inside, list(inside.args[0].args)), *T.outer(solid)),
    )


@control("every_second_mirror", mirrored=lambda y, i: 4 * y - 3 * i)
@proves(STABILISER_NO_GO, "line", "all places of a lattice line")
def line(of: Stabilisers) -> Theorem:
    """The mirror about i + 1 carries i to i + 2."""
    premise, goal = T.inner(statements.line(of)).args
    return T.implication(prove_identity(goal, [premise]), premise)


@control("every_second_mirror", {"f": {4: 1, 0: 1, 1: 0}}, mirrored=lambda y, i: 4 * y - i)
@proves(STABILISER_NO_GO, "odd_polygon", "all odd n")
def odd_polygon(of: Stabilisers) -> Theorem:
    """The mirror about i + m + 1 carries i to i + 1 + n."""
    premise, goal = T.inner(statements.odd_polygon(of)).args
    proof = prove_identity(goal, premise.args)
    return T.implication(T.unpack(proof, premise), premise)


@control("mirrors_between_points", mirrored=lambda y, i: y - i)
@control("half_the_frequency", alternating=lambda i: statements.cos(statements.pi * i / 2))
@proves(STABILISER_NO_GO, "even_polygon", "all even n")
def even_polygon(of: Stabilisers) -> Theorem:
    """The cosine of whole multiples of pi."""
    return prove_each(statements.even_polygon(of), prove_identity)


Edges = list[tuple[Node, Node]]


def _edges(columns: Node) -> Edges:
    """The equations between values that one equation of columns makes."""
    rows = [matrix_entries(side) for side in columns.args]
    return [(left[0], right[0]) for left, right in zip(*rows, strict=True)]


def _chain(start: Node, end: Node, edges: Edges) -> dict[int, int] | None:
    """Which edges lead from start to end, each with the sign of its direction."""
    came: dict[Node, tuple[Node, int, int] | None] = {start: None}
    queue = deque([start])
    while queue and end not in came:
        here = queue.popleft()
        for number, (p, q) in enumerate(edges):
            for there, sign in ((q, 1),) * (p == here) + ((p, -1),) * (q == here):
                if there not in came:
                    came[there] = (here, number, sign)
                    queue.append(there)
    if end not in came:
        return None
    chain: dict[int, int] = {}
    at = came[end]
    while at is not None:
        here, number, sign = at
        chain[number] = sign
        at = came[here]
    return chain


def _chained(goal: Node, given: Node) -> Theorem:
    """Every equation of the goal as the sum of a chain of the given ones."""
    edges = _edges(given)
    certificates = []
    for start, end in _edges(goal):
        chain = _chain(start, end, edges)
        if chain is None:
            raise Undecided("no chain of fixed points joins two values")
        line = tuple(chain.get(number, 0) * CONSTANT_ONE for number in range(len(edges)))
        certificates.append(kernel.Certificate((), line))
    return kernel.identity(goal, [given], certificates)


def _equivalent(statement: Node) -> Theorem:
    left, right = statement.args
    return T.iff(left, right, _chained(right, left), _chained(left, right))


def _counted(statement: Node) -> Theorem:
    return T.both(
        *(_equivalent(p) if p.head == "iff" else kernel.ground(p) for p in statement.args)
    )


VERTICES = {"f": {place: bin(place).count("1") % 2 for place in range(8)}}


#: Faces come in the order -e_1, -e_2, -e_3, e_3, e_2, e_1.
AXIS = {"f": {0: 1, 5: 1}}


@control("tetrahedral_rotations", AXIS, rotations=_tetrahedral)
@control("vertices_all_alike", VERTICES, cube_label=lambda kind, p: 0 if kind != "generic" else p)
@proves(STABILISER_NO_GO, "cube", "6 faces, 8 vertices, 12 edges, 24 generic points")
def cube(of: Stabilisers) -> Theorem:
    """Chains of rotations with a fixed point join exactly the points of one class."""
    return _counted(node(statements.cube(of)))


CHECKERED = {"f": {6 * u + v: (u + v) % 2 for u in range(6) for v in range(6)}}


@control("no_checkerboard", CHECKERED, grid_label=lambda kind, p: 0)
@proves(STABILISER_NO_GO, "grid", "grids of 5 x 5 and of 6 x 6 points")
def grid(of: Stabilisers) -> Theorem:
    """The same for turns of a periodic grid about each of its points."""
    return _counted(node(statements.grid(of)))


@control("no_inverse", {"g": ONE, "x": NONE, "x'": NONE}, undone=_no_condition)
@proves(STABILISER_NO_GO, "free", "a group acting on itself")
def free(of: Stabilisers) -> Theorem:
    """g = g x x' = x x' = 1."""
    premise, goal = T.inner(statements.free(of)).args
    fixes, onto = premise.args
    g, x_back = node(statements.g), node(statements.x_back)
    proof = T.combined(
        goal,
        (1, unit, kernel.assume(fixes), x_back),
        (-1, g - unit, kernel.assume(onto), unit),
    )
    return T.implication(T.unpack(proof, premise), premise)


@control("without_adjoint", undone=_no_condition)
@proves(STABILISER_NO_GO, "zonal", "isometries of every dimension")
def zonal(of: Stabilisers) -> Theorem:
    """x* g* g y = x* y."""
    kept, differ = node(statements.zonal(of)).args
    premise, goal = T.inner(kept).args
    proof = T.implication(prove_free(goal, [premise]), premise)
    return T.both(T.generalise(proof, *T.outer(kept)), kernel.ground(differ))


def _without_root(c: Any) -> Any:
    return statements.ImmutableMatrix([[c, -(1 - c**2)], [1 - c**2, c]])


@control("sine_squared", by_distance=_without_root)
@proves(STABILISER_NO_GO, "pairwise", "-1 <= c <= 1")
def pairwise(of: Stabilisers) -> Theorem:
    """The square of the root, where it is real."""
    premise, goal = T.inner(statements.pairwise(of)).args
    proof = prove_identity(goal)
    low, high = premise.args
    inside = [
        prove_nonneg(h, T.margin(low) * T.margin(high), premise.args) for h in proof.hypotheses
    ]
    return T.implication(T.unpack(T.discharge(proof, *inside), premise), premise)


@control("skew_distance", separation=_sheared)
@proves(STABILISER_NO_GO, "restricted", "all motions of the plane")
def restricted(of: Stabilisers) -> Theorem:
    """Both sides expand to the same polynomial in the cosine and the sine."""
    return prove_each(statements.restricted(of), prove_identity)
