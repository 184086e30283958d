"""Proofs of `theory.journey.loops`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import sympy
from flint import fmpq_mat
from sympy import pi

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import (
    Eq,
    Int,
    Integer,
    Le,
    Node,
    num,
    operator,
    sequence,
    substitute,
    unit,
    variable,
)
from posproof.proofs_check.language import cos as cosine
from posproof.proofs_check.search import (
    Listed,
    prove_identity,
    prove_order,
    prove_same,
)
from posproof.theory.journey import loops as statements
from posproof.theory.journey.loops import LOOPS, Loops
from posproof.theory.operators import UNIT, ZERO
from posproof.theory.vocabulary import control, proves

node = T.node


ONE, SHEAR, BACK = (fmpq_mat(2, 2, [1, shift, 0, 1]) for shift in (0, 1, -1))
SWAP = fmpq_mat(2, 2, [0, 1, 1, 0])


class Onwards:
    """The sequence whose t-th value is t."""

    def __call__(self, index: Any) -> Any:
        return index

    def __str__(self) -> str:
        return "t at t"


def _turned_round(back: Any, edge: Any, out: Any) -> Any:
    return out @ edge @ back


def _edge_alone(back: Any, edge: Any, out: Any) -> Any:
    return edge


@control(
    "walked_backwards",
    {"g_x": SWAP, "g_y": SHEAR, "h_y": BACK, "T": SHEAR * SWAP},
    holonomy=_turned_round,
)
@proves(LOOPS, "fundamental_loop")
def fundamental_loop(of: Loops) -> Theorem:
    """Multiply by g_y or by its inverse."""
    (left, right), claim = T.opened(statements.fundamental_loop(of))
    closes, equal = claim.args
    back, forth = kernel.assume(left), kernel.assume(right)
    hy, gy, walked = left.args[0].args[0], node(statements.head), equal.args[0]
    forward = T.combined(equal, (-1, unit, forth, walked), (1, gy, kernel.assume(closes), unit))
    backward = T.combined(closes, (1, hy, kernel.assume(equal), unit), (1, unit, back, unit))
    return T.iff(closes, equal, forward, backward)


APART = {"n": 1, "x": Onwards(), "J": Listed(ONE), "S": Listed(ONE)}


@control(
    "edge_alone", APART | {"g": Listed(ONE, SHEAR), "h": Listed(ONE, BACK)}, holonomy=_edge_alone
)
@proves(LOOPS, "walks")
def walks(of: Loops) -> Theorem:
    """Each step carries g from one vertex to the next, so the product telescopes."""
    (right, left, start, moves, trivial), claim = T.opened(statements.walks(of))
    reached, closed = claim.args
    r, n = variable("r", Int(0)), node(statements.n)

    def vertex(t: Node) -> Node:
        return node(statements.place(0)) if t == num(0) else sequence("x", t, Integer)

    def claim_at(t: Node) -> Node:
        back = operator("h", vertex(num(0)))
        return Eq(operator("J", t), operator("g", vertex(t)) @ back)

    def unit_at(fact: Node, t: Node, inside: Theorem) -> Theorem:
        return kernel.modus(T.at(fact, t), inside)

    origin = unit_at(right, num(0), prove_order(Le(num(0), n)))
    base = T.combined(
        claim_at(num(0)), (1, unit, kernel.assume(start), unit), (-1, unit, origin, unit)
    )

    def step(inside: Theorem) -> Theorem:
        ahead = unit_at(right, r + 1, kernel.integer_step(inside))
        around = kernel.modus(T.at(trivial, r), inside)
        moved = kernel.modus(T.at(moves, r), inside)
        here, there = operator("g", vertex(r)), operator("g", vertex(r + 1))
        walked = operator("S", r) @ here
        carried = T.combined(Eq(walked, there), (-1, unit, ahead, walked), (1, there, around, unit))
        return T.combined(
            claim_at(r + 1),
            (1, unit, moved, unit),
            (1, operator("S", r), kernel.assume(claim_at(r)), unit),
            (1, unit, carried, operator("h", vertex(num(0)))),
        )

    whole = T.up_to(n, claim_at(r), r, base, step)
    meets = closed.args[0]
    hole = variable("z", Integer)
    turned = T.discharge(prove_same(Eq(meets.args[1], meets.args[0]), meets), kernel.assume(meets))
    pattern = Eq(operator("J", n), operator("g", hole) @ operator("h", vertex(num(0))))
    moved = kernel.leibniz(whole, pattern, hole, turned.conclusion)
    moved = T.discharge(moved, turned)
    around = T.combined(closed.args[1], (1, unit, moved, unit), (1, unit, origin, unit))
    return T.both(whole, T.implication(around, meets))


@control(
    "anti_periodic",
    {"T": ONE, "N": 1, "P": Listed(ONE)},
    after_one_turn=ZERO - UNIT,
)
@proves(LOOPS, "descends")
def descends(of: Loops) -> Theorem:
    """P(x + N) = P(x) by induction on x, from x = 0."""
    (zero, onwards), claim = T.opened(statements.descends(of))
    periodic, closes = claim.args
    r, N = variable("r", Int(0)), node(statements.N)

    def claim_at(x: Node) -> Node:
        return T.at(periodic, x).conclusion

    forward = T.follows(closes, T.at(periodic, num(0)), kernel.assume(zero))
    base = T.follows(claim_at(num(0)), kernel.assume(closes), kernel.assume(zero))
    step = T.follows(
        claim_at(r + 1), T.at(onwards, r + N), T.at(onwards, r), kernel.assume(claim_at(r))
    )
    whole = kernel.induct(r, claim_at(r), base, step)
    whole = kernel.specialise(whole, {r: node(statements.i)})
    return T.iff(periodic, closes, forward, T.generalise(whole, statements.i))


@control("half_the_frequency", frequency=lambda s, N: pi * s / N)
@control("one_step_too_few", frequency=lambda s, N: 2 * pi * s / (N + 1))
@proves(LOOPS, "block_periods")
def block_periods(of: Loops) -> Theorem:
    """cos x = 1 only at whole turns."""
    closes, listed = T.opened(statements.block_periods(of))[1].args
    theta, N, s = (node(name) for name in (statements.theta, statements.N, statements.s))
    turns = T.apply(
        kernel.meaning("full_turns"),
        [theta * N],
        prove_identity(Eq(cosine(theta * N), 1), [closes]),
    )
    divided = prove_identity(T.body_of(listed, s), [T.body(turns, s)])
    forward = T.obtain(turns, s, T.exists(listed, s, divided))
    value = of.frequency(statements.s, statements.N)
    backward = T.prove_at(closes, statements.theta, value)
    return T.iff(closes, listed, forward, T.obtain(kernel.assume(listed), s, backward))


@control("periodic_ladder", half_frequency=lambda i, N: 2 * pi * i / N)
@proves(LOOPS, "antiperiodic")
def antiperiodic(of: Loops) -> Theorem:
    """An odd multiple of pi."""
    return prove_identity(T.opened(statements.antiperiodic(of))[1])


def _torus_counts(sides: Sequence[Any], dimension: int) -> Any:
    return sympy.binomial(len(sides), dimension) * sympy.prod(sides)


@control("sides_joined", counts=_torus_counts)
@proves(LOOPS, "box_counts")
def box_counts(of: Loops) -> Theorem:
    """Polynomials in the numbers of vertices."""
    return T.prove_tree(statements.box_counts(of))


@control("sides_joined", {"n": 1, "c": 1}, outer=lambda first: 0 * first)
@proves(LOOPS, "independent")
def independent(of: Loops) -> Theorem:
    """From the outer edge inwards."""
    (outer, inner), goal = T.opened(statements.independent(of))
    r, n = variable("r", Int(0)), node(statements.n)

    def claim_at(t: Node) -> Node:
        return substitute(goal, {n: t})

    def step(inside: Theorem) -> Theorem:
        equal = kernel.modus(T.at(inner, r), inside)
        return T.discharge(prove_identity(claim_at(r + 1), [claim_at(r), equal.conclusion]), equal)

    return T.up_to(n, claim_at(r), r, prove_identity(claim_at(num(0)), [outer]), step)


def _unsigned_faces(shape: Sequence[int], **more: Any) -> Any:
    whole = statements.grid(shape, **more)
    return replace(whole, third=whole.third.applyfunc(abs))


@control("faces_without_signs", grid=_unsigned_faces)
@proves(LOOPS, "bianchi", "one cube, all values on its edges")
def bianchi(of: Loops) -> Theorem:
    """Every edge of a cube lies on two faces, with opposite signs."""
    return prove_identity(T.opened(statements.bianchi(of))[1])


def _joined(shape: Sequence[int], **more: Any) -> Any:
    """The sides of a plane box joined."""
    return statements.grid(shape, wraps=len(shape) == 2)


@control("sides_joined", grid=_joined)
@proves(LOOPS, "boxes", "3 x 4, 2 x 2 x 2 and 3 x 3 x 3 vertices")
def boxes(of: Loops) -> Theorem:
    """Integer matrices multiplied out."""
    return kernel.ground(node(statements.boxes(of)))


@control("centre_filled", grid=lambda shape, **more: statements.grid(shape))
@proves(LOOPS, "hole", "3 x 3 vertices without the centre")
def hole(of: Loops) -> Theorem:
    """One cycle of eight edges, and no square."""
    return kernel.ground(node(statements.hole(of)))


@control("sides_apart", grid=lambda shape, **more: statements.grid(shape))
@proves(LOOPS, "torus", "4 x 4 vertices")
def torus(of: Loops) -> Theorem:
    """Integer matrices multiplied out."""
    return kernel.ground(node(statements.torus(of)))


def _disc(side: int) -> Any:
    return statements.grid((side + 1, side + 1))


@control("boundary_not_joined", antipodal=_disc)
@proves(LOOPS, "projective_plane", "3 x 3 cells")
def projective_plane(of: Loops) -> Theorem:
    """Integer matrices multiplied out."""
    return kernel.ground(node(statements.projective_plane(of)))


@control("boundary_not_joined", antipodal=_disc)
@proves(LOOPS, "signs", "3 x 3 cells")
def signs(of: Loops) -> Theorem:
    """A row of U that the squares meet evenly and a loop meets oddly."""
    return kernel.ground(node(statements.signs(of)))


def _earliest_leftmost(steps: Sequence[Any]) -> Any:
    return statements.latest_leftmost(list(steps)[::-1])


@control("earliest_leftmost", walk=_earliest_leftmost)
@proves(LOOPS, "alternating_group", "six cycles of K_5")
def alternating_group(of: Loops) -> Theorem:
    """Permutation matrices multiplied out, and a determinant of 6 x 6 integers."""
    return kernel.ground(node(statements.alternating_group(of)))
