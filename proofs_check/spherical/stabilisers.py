"""Proofs of `theory.spherical.stabilisers`: one function a clause, named after it."""

from __future__ import annotations

from collections import deque
from typing import Any

import sympy
from flint import fmpq_mat
from sympy import Integer

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.algebra import ONE as CONSTANT_ONE
from posproof.proofs_check.algebra import matrix_entries
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Eq, Lt, Node, num, substitute, total, unit
from posproof.proofs_check.search import (
    Undecided,
    prove_by_induction,
    prove_by_substitution,
    prove_each,
    prove_free,
    prove_identity,
    prove_nonneg,
)
from posproof.theory.operators import UNIT
from posproof.theory.spherical import stabilisers as statements
from posproof.theory.spherical.stabilisers import (
    HEAD_SIZES,
    STABILISER_NO_GO,
    Heads,
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


def _halfway(v: Any, normals: Any, inner: Any, squares: Any) -> Any:
    """Projections to both mirrors."""
    pairs = zip(normals, inner, squares, strict=True)
    return v - sum(c / square * n for n, c, square in pairs)


ACROSS_TWO = {"d": 2, "x": {0: 1}, "y": {0: -1}, "w": {1: 1}, "v": {0: 1}, "s": 0}


@control("projections_for_reflections", ACROSS_TWO, reflected=_halfway)
@proves(STABILISER_NO_GO, "every_dimension", "all d")
def every_dimension(of: Stabilisers) -> Theorem:
    """p.(x - m) = p.p / 2 and w.(x - m) = 0; a square expands to sums that cancel."""
    premise, goal = T.inner(statements.every_dimension(of)).args
    moved, kept = goal.args
    s, d = node(statements.entry), node(statements.d)
    p = node(statements.x_entry(statements.entry) - statements.y_entry(statements.entry))
    w, v = (node(name(statements.entry)) for name in (statements.w_entry, statements.v_entry))
    A, B = T.real("A"), T.real("B")

    def over(body: Node) -> Node:
        return total(s, d, body)

    reflected = (v - A * p - B * w) ** 2
    expanded = over(v**2) - 2 * A * over(p * v) - 2 * B * over(w * v)
    expanded = expanded + A**2 * over(p**2) + B**2 * over(w**2) + 2 * A * B * over(p * w)
    values = {A: 2 * over(p * v) / over(p**2), B: 2 * over(w * v) / over(w**2)}
    lemma = kernel.specialise(prove_identity(Eq(over(reflected), expanded)), values)
    body = substitute(reflected, values)
    same = prove_identity(Eq(kept.args[0].args[2], body), premise.args[1:])
    same = kernel.sum_congruence(same, s, d)
    sums = [same.conclusion, lemma.conclusion, *premise.args]
    length = T.discharge(prove_identity(kept, sums), same, lemma)
    places = T.generalise(prove_identity(T.inner(moved), premise.args), s)
    return T.implication(T.unpack(T.both(places, length), premise), premise)


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
    return statements.Matrix([[c, -(1 - c**2)], [1 - c**2, c]])


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


# ---------------------------------------------------------------------- spherical.head_sizes
def _each(statement: Any) -> Theorem:
    return prove_each(statement, prove_identity)


@control("even_sizes", {"mu": {0: 1}, "L": 1, "d": 1}, size=lambda spin: 2 * spin)
@control("a_plane_for_every_order", {"mu": {0: 1}, "L": 1, "d": 1}, planes=lambda spin: spin + 1)
@proves(HEAD_SIZES, "dimension", "all multiplicities of l = 0 .. L - 1")
def dimension(of: Heads) -> Theorem:
    """Sums are linear: 2 l + 1 is two for every plane and one that stays."""
    return _each(statements.dimension(of))


def _summed(goal: Node, length: Node) -> Theorem:
    return prove_by_induction(length, goal)


@control("even_sizes", size=lambda spin: 2 * spin)
@control("a_plane_for_every_order", planes=lambda spin: spin + 1)
@proves(HEAD_SIZES, "ladder", "all L >= 0")
def ladder(of: Heads) -> Theorem:
    """By induction over L."""
    L = node(statements.L)
    return prove_each(statements.ladder(of), lambda part: _summed(part, L))


@control("one_more_channel", size=lambda spin: 2 * spin + 2)
@proves(HEAD_SIZES, "multiple_of_eight", "all L >= 0")
def multiple_of_eight(of: Heads) -> Theorem:
    """The square of 4 r + s + 1 from the sum over all l < n."""
    n, spin = T.natural("n"), node(statements.spin)
    sizes = T.generalise(_summed(Eq(total(spin, n, node(of.size(statements.spin))), n**2), n), n)

    def line(part: Node) -> Theorem:
        upper = part.args[0].args[1]
        square = kernel.instantiate(sizes, upper)
        return T.discharge(prove_identity(part, [square.conclusion]), square)

    return prove_each(statements.multiple_of_eight(of), line)


def _conjugated(q: Vector) -> Any:
    w, x, y, z = q
    return statements.of_quaternion((w, -x, -y, -z))


def _other_order(p: Vector, q: Vector) -> Vector:
    return statements.hamilton(q, p)


@control("order_of_the_product", hamilton=_other_order)
@control("unweighted", weight=lambda twice, k: Integer(1))
@control("one_channel_for_each_order", channels=lambda twice: twice + 1)
@control("lower_left_conjugate_kept", quaternion=lambda q: statements.quaternion(*_signless(q)))
@proves(HEAD_SIZES, "stacked", "products at 2l = 1, the form at 2l = 1 and 3")
def stacked(of: Heads) -> Theorem:
    """Both sides expand to the same polynomials in eight variables."""
    return _each(statements.stacked(of))


def _signless(q: Vector) -> tuple[Any, ...]:
    """-b* becomes b*: the matrix is no longer a multiple of a unitary one."""
    w, x, y, z = q
    i = sympy.I
    return w - i * z, w + i * z, y - i * x, -(y + i * x)


REFLECTIONS = {"a": 1, "b": 0, "c": 0, "d": -1, "e": 0, "f": 1, "g": 1, "h": 0}


@control("roots_of_one", REFLECTIONS, sign=lambda twice: 1)
@proves(HEAD_SIZES, "no_real_plane", "all real 2 x 2 matrices")
def no_real_plane(of: Heads) -> Theorem:
    """Both are traceless, so (b e - a f)^2 + b^2 + f^2 = 0 with the entries of first rows."""
    premise = T.inner(statements.no_real_plane(of)).args[0]
    first, second, across = premise.args
    a, b, c, d, e, f, g, h = (node(name) for name in T.outer(statements.no_real_plane(of)))

    falsum = Lt(num(0), num(0))

    def nowhere(corner: Node, entry: Node, square: Node) -> Theorem:
        """The corner is not 0: the square of the entry would be -1."""
        vanishes = Eq(corner, num(0))
        root = prove_identity(Eq(entry**2, num(-1)), [square, vanishes])
        absurd = T.discharge(prove_nonneg(falsum, entry**2 + 1, [root.conclusion]), root)
        return T.conclude_not(absurd, vanishes)

    apart = nowhere(b, a, first), nowhere(f, e, second)
    traces = (
        prove_identity(Eq(d, -a), [first, apart[0].conclusion]),
        prove_identity(Eq(h, -e), [second, apart[1].conclusion]),
    )
    squares = (b * e - a * f) ** 2 + b**2 + f**2
    known = [first, second, across, *(trace.conclusion for trace in traces)]
    nothing = prove_identity(Eq(squares, num(0)), known)
    absurd = prove_nonneg(falsum, squares, [nothing.conclusion, apart[0].conclusion])
    proof = T.discharge(T.discharge(T.discharge(absurd, nothing), *traces), *apart)
    return T.conclude_not(T.unpack(proof, premise), premise)


@control("without_sign", sign=lambda twice: 1)
@proves(HEAD_SIZES, "sign_flips", "2l = 1 .. 6, all 2 x 2 matrices")
def sign_flips(of: Heads) -> Theorem:
    """T is homogeneous of degree 2l in the entries."""
    return _each(statements.sign_flips(of))


# ---------------------------------------------------------------------- kernel of a representation
P, Q = T.real("P"), T.real("Q")


def _lemma(n: int) -> tuple[Theorem, Theorem]:
    """From a^(n - 1) = P + i Q: what a^n = 1 and a^(n - 1) b = 0 leave of x, y, and then of z."""
    w, x, y, z = (node(name) for name in statements.twist)
    power = [Eq(P * w + Q * z, num(1)), Eq(Q * w - P * z, num(0))]
    across = [Eq(P * y + Q * x, num(0)), Eq(Q * y - P * x, num(0))]
    flat = T.both(*(prove_identity(Eq(v, num(0)), [*power, *across]) for v in (x, y)))
    mixed = [Eq(P * w - Q * z, num(1)), Eq(Q * w + P * z, num(0))]
    return flat, prove_identity(Eq(z, num(0)), [*power, *mixed])


def _alone(twice: int, claim: Node, length: Node) -> Theorem:
    """|q| = 1 and T(U) = I leave q = 1, and q = -1 if 2l is even; and back."""
    identity, alone = claim.args
    size = twice + 1
    w, x, y, z = (node(name) for name in statements.twist)
    entry = {
        (part, k): identity.args[part * size**2 + k] for part in (0, 1) for k in range(size**2)
    }
    corner, above, beside = size**2 - 1, size * twice - 1, size * (twice - 1) + twice - 1
    a = statements.twist[0] - sympy.I * statements.twist[3]
    power = statements.real_parts(sympy.ImmutableMatrix([[a ** (twice - 1)]]))
    values = {P: node(power[0][0]), Q: node(power[1][0])}
    flat, last = (kernel.specialise(lemma, values) for lemma in _lemma(twice))

    column = [entry[part, place] for place in (corner, above) for part in (0, 1)]
    given = [_linear(h, column) for h in flat.hypotheses]
    zeros = T.parts(T.discharge(flat, *given))
    facts = [*column, *(entry[part, beside] for part in (0, 1))]
    known = [zero.conclusion for zero in zeros]
    flattened = [_linear(h, facts, known) for h in last.hypotheses]
    none = T.discharge(T.discharge(last, *flattened), *zeros)
    known.append(none.conclusion)
    end = alone.args[3]
    square = prove_identity(Eq(w**2, num(1)), [*known, length])
    if twice % 2:
        odd = prove_identity(Eq(w**twice, num(1)), [*known, entry[0, corner]])
        goal = prove_identity(end, [square.conclusion, odd.conclusion])
        found = T.discharge(goal, square, odd)
    else:
        found = square
    forward = T.both(*zeros, none, T.discharge(T.discharge(found, none), *zeros))

    zero_facts, rule = list(alone.args[:3]), alone.args[3]
    entries = (prove_by_substitution(part, zero_facts, [rule]) for part in identity.args)
    backward = T.unpack(T.both(*entries), alone)
    return T.iff(identity, alone, T.unpack(forward, identity), backward)


def _linear(goal: Node, facts: list[Node], zeros: list[Node] | None = None) -> Theorem:
    """An equation that is a multiple of one of the facts where some variables are 0."""
    for fact in facts:
        try:
            return prove_identity(goal, [*(zeros or []), fact])
        except Undecided:
            continue
    raise Undecided("no entry says this")


FULL_TURN = {"w": -1, "x": 0, "y": 0, "z": 0}


@control("signs_forgotten", FULL_TURN, sign=lambda twice: 1)
@proves(HEAD_SIZES, "separates", "2l = 1 .. 4")
def separates(of: Heads) -> Theorem:
    """Three entries of T suffice: a^2l = 1, 2l a^(2l-1) b = 0 and a^(2l-1) a* = 1 once b = 0."""
    statement = node(statements.separates(of))
    proofs = []
    for twice, part in zip(statements.SEPARATED_DEGREES, T.inner(statement).args, strict=True):
        length, claim = part.args
        proofs.append(T.implication(_alone(twice, claim, length), length))
    return T.both(*proofs)


def _unconjugated(q: Vector) -> Any:
    """b in both corners."""
    w, x, y, z = q
    i = sympy.I
    return statements.quaternion(w - i * z, w + i * z, y - i * x, y - i * x)


ACROSS = {f"{name}{k}": int(k == place) for name, place in (("p", 1), ("q", 2)) for k in range(4)}


@control("conjugate_dropped", ACROSS, quaternion=_unconjugated)
@proves(HEAD_SIZES, "distances", "l = 1, 2, 3, all quaternions")
def distances(of: Heads) -> Theorem:
    """The middle entry is a polynomial in |a|^2 and |b|^2."""
    premise, goal = T.inner(statements.distances(of)).args
    known = list(premise.args)
    proof = prove_each(goal, lambda part: prove_by_substitution(part, [], known))
    return T.implication(T.unpack(proof, premise), premise)
