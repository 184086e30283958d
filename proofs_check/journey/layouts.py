"""Proofs of `theory.journey.layouts`: one function a clause, named after it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from sympy import ImmutableMatrix as Matrix

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.circle import cosine_at_most_one
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.search import (
    prove_by_induction,
    prove_identity,
    prove_nonneg,
    prove_order,
)
from posproof.theory.journey import layouts as statements
from posproof.theory.journey.layouts import SPECIAL_CASES, Layouts
from posproof.theory.journey.uniqueness import rotation
from posproof.theory.symbols import variables
from posproof.theory.vocabulary import (
    And,
    Eq,
    Implies,
    Int,
    Integer,
    Le,
    Lt,
    Not,
    Real,
    control,
    proves,
)

node = T.node


def _open(statement: Any) -> Any:
    """A statement without its outer universal quantifier."""
    return statement.body


def _identity(claim_clause: str, of: Layouts) -> Theorem:
    return T.prove_tree(T.stated(SPECIAL_CASES, claim_clause, of))


def _forward_step(omega: Any) -> Matrix:
    return rotation(omega)


@control("step_with_the_sign_of_the_address", scan_step=_forward_step)
@proves(SPECIAL_CASES, "recurrence")
def recurrence(of: Layouts) -> Theorem:
    """By induction on the number of steps."""
    return prove_by_induction(statements.steps, _open(T.stated(SPECIAL_CASES, "recurrence", of)))


def _squared_positions(frequency: Any, position: Any, axes: Any) -> Any:
    return statements.inner(frequency, lambda axis: position(axis) ** 2, axes)


@control("squares_of_positions", inner=_squared_positions)
@proves(SPECIAL_CASES, "mixed_axes", "any number of axes")
def mixed_axes(of: Layouts) -> Theorem:
    """The scalar product is linear, and angles add."""
    return prove_identity(_open(T.stated(SPECIAL_CASES, "mixed_axes", of)))


def _same_frequencies(theta: Any, width: Any) -> tuple[Any, Any]:
    return theta, theta


@control("width_ignored", flattened_frequencies=_same_frequencies)
@proves(SPECIAL_CASES, "flattened", "every width")
def flattened(of: Layouts) -> Theorem:
    """theta (W r + c) is the scalar product with (W theta, theta)."""
    return _identity("flattened", of)


def _squared_angle(phi: Any) -> Matrix:
    return rotation(phi**2)


@control("squared_angles", rotation=_squared_angle)
@proves(SPECIAL_CASES, "levels")
def levels(of: Layouts) -> Theorem:
    """Each plane sees a difference of one coordinate."""
    return _identity("levels", of)


def _flat(p: int) -> tuple[int, int]:
    return 0, p


@control("equivariant_in_the_flat_position", hierarchical=_flat)
@proves(SPECIAL_CASES, "boundary", "units of seven, rational rotations")
def boundary(of: Layouts) -> Theorem:
    """Positions 5 and 8 lie in different units."""
    return kernel.ground(node(T.stated(SPECIAL_CASES, "boundary", of)))


def _row_too(theta: Any, row: Any, column: Any) -> Any:
    return theta * (row + column)


@control("rows_turn_the_plane_too", column_angle=_row_too)
@proves(SPECIAL_CASES, "column_copy")
def column_copy(of: Layouts) -> Theorem:
    """No row occurs in the angle."""
    return _identity("column_copy", of)


@control("base_of_a_hundred", base=100)
@proves(SPECIAL_CASES, "smallest_margin", "W = 64, m = 8")
def smallest_margin(of: Layouts) -> Theorem:
    """Balls decide the strict inequalities."""
    return _identity("smallest_margin", of)


def _shifted_axes(frequency: Any, position: Any, axes: Any) -> Any:
    return statements.inner(lambda axis: frequency(axis + 1), position, axes)


ONE_AXIS = {"n": 1, "r": 0, "omega": {1: 1}, "x": 1}


@control("frequencies_of_the_next_axis", ONE_AXIS, inner=_shifted_axes)
@proves(SPECIAL_CASES, "axial", "any number of axes")
def axial(of: Layouts) -> Theorem:
    """One term of the sum is left."""
    row, axes, steps = statements.row, statements.n, statements.steps
    premise = _open(T.stated(SPECIAL_CASES, "axial", of)).premise
    inside, only = premise.parts

    def partial(upper: Any) -> Any:
        return of.inner(statements.omegas, statements.place, upper)

    value = statements.omegas(row) * statements.place(row)
    law = T.apply(T.assume(only), [steps])
    near, other = law.conclusion.args[0].args
    below = prove_order(near, [Le(node(steps) + 1, axes)])
    apart = kernel.modus(law, T.both(below, T.assume(other)))
    term = statements.omegas(steps) * statements.place(steps)
    meets = T.prove_at(Eq(term, value), steps, row)
    chosen = T.selection(steps, partial, row, value, axes, apart, [meets])
    whole = kernel.specialise(chosen, {node(steps): node(axes)})
    _, late = T.parts(kernel.modus(whole, prove_order(Le(axes, axes))))
    below = prove_order(Lt(row, axes), [inside])
    equal = kernel.modus(late, below)
    hole = variables("H", Real)[0]
    same = prove_identity(Eq(of.rotation(value), of.rotation(value)))
    turned = T.transport(Eq(of.rotation(hole), of.rotation(value)), hole, equal, same)
    return T.generalise(T.implication(T.unpack(turned, premise), premise), axes, row)


@lru_cache
def _two_levels() -> Theorem:
    """for n >= 1 and integers: n h + l = n h' + l', 0 <= l, l' < n => h = h' and l = l'."""
    n, h, l, h2, l2 = (statements.n, *variables("h l h' l'", Integer))  # noqa: E741
    ranges = [Le(0, l), Le(l + 1, n), Le(0, l2), Le(l2 + 1, n)]
    equal = Eq(n * h + l, n * h2 + l2)
    apart = T.no_integer_inside(h - h2, [*ranges, equal])
    first = T.discharge(prove_identity(Eq(h, h2), [apart.conclusion]), apart)
    second = T.discharge(prove_identity(Eq(l, l2), [equal, apart.conclusion]), apart)
    premise = And(*ranges, equal)
    proof = T.unpack(T.both(first, second), premise)
    return T.generalise(T.implication(proof, premise), n, h, l, h2, l2)


def _crowded(n: Any, a: Any, b: Any, c: Any) -> Any:
    return n * a + n * b + c


CROWDED = {"n": 2, "a": 1, "b": 0, "c": 0, "a'": 0, "b'": 1, "c'": 0}


@control("two_levels_of_one_weight", CROWDED, digits=_crowded)
@proves(SPECIAL_CASES, "addresses", "three levels of any range n")
def addresses(of: Layouts) -> Theorem:
    """The last digit is a remainder, and what is left has two digits."""
    statement = _open(T.stated(SPECIAL_CASES, "addresses", of))
    premise, goal = statement.premise, statement.conclusion
    *ranges, equal = premise.parts
    (a, b, c), (a2, b2, c2) = variables("a b c", Integer), variables("a' b' c'", Integer)
    n = statements.n
    b_low, c_low, b2_low, c2_low = ranges

    def split(high: Any, low: Any, low_range: Any, high2: Any, low2: Any, range2: Any) -> Any:
        law = T.apply(_two_levels(), [n, high, low, high2, low2])
        *limits, sums = law.conclusion.args[0].args
        facts = [*T.parts(T.assume(low_range)), *T.parts(T.assume(range2))]
        return law, limits, sums, facts

    law, _, sums, facts = split(n * a + b, c, c_low, n * a2 + b2, c2, c2_low)
    outer = kernel.modus(law, T.both(*facts, prove_identity(sums, [equal])))
    upper, last = T.parts(outer)
    law, _, sums, facts = split(a, b, b_low, a2, b2, b2_low)
    inner = kernel.modus(law, T.both(*facts, T.by_algebra(sums, upper)))
    first, middle = T.parts(inner)
    proof = T.both(first, middle, last)
    assert proof.conclusion == node(goal)
    proof = T.implication(T.unpack(proof, premise), premise)
    return T.generalise(proof, n, a, b, c, a2, b2, c2)


# ---------------------------------------------------------------------- margins and copying
def _gain(angle: Any) -> Any:
    return statements.cos(angle) - 1


@control("gain_for_loss", {"m": 1, "D": 1, "theta": 1}, loss=_gain)
@proves(SPECIAL_CASES, "margin_vanishes", "any number of planes")
def margin_vanishes(of: Layouts) -> Theorem:
    """A sum of terms that are not negative vanishes only if each does."""
    m, D, c = statements.planes, statements.offset, statements.c
    nonnegative, vanishing = _open(T.stated(SPECIAL_CASES, "margin_vanishes", of)).parts

    def gap(planes: Any) -> Any:
        return of.margin(statements.thetas, planes, D)

    def cosine(plane: Any) -> Any:
        return statements.cos(statements.thetas(plane) * D)

    term = T.apply(cosine_at_most_one(), [statements.thetas(m) * D])
    base = prove_order(T.instance(nonnegative, m, 0))
    grown = T.instance(nonnegative, m, node(m) + 1)
    step = T.discharge(prove_order(grown, [nonnegative, term.conclusion]), term)
    positive = kernel.induct(node(m), node(nonnegative), base, step)

    each = vanishing.right
    falls = Implies(Le(gap(m), 0), each)
    start = T.instance(falls, m, 0)
    nothing = start.args[1].args[1]
    never = T.ex_falso(T.contradict([nothing.args[0]]), nothing.args[1])
    empty = T.generalise(T.implication(never, nothing.args[0]), c)
    empty = T.implication(kernel.weaken(empty, [start.args[0]]), start.args[0])
    more = T.instance(falls, m, node(m) + 1)
    small = more.args[0]
    facts = [positive.conclusion, term.conclusion, small]
    before = T.discharge(prove_order(Le(gap(m), 0), facts), positive, term)
    low = T.discharge(prove_order(Le(1, cosine(m)), facts), positive, term)
    last = kernel.antisymmetry(term, low)
    earlier = kernel.modus(T.assume(falls), before)
    inside = more.args[1].args[1].args[0]
    ahead = kernel.integer_step(T.assume(Lt(c, m)))
    below = T.discharge(prove_order(Le(c + 1, m), [ahead.conclusion]), ahead)
    already = T.apply(earlier, [c], below)
    same = kernel.antisymmetry(prove_order(Le(c, m), [inside]), kernel.assume(node(Le(m, c))))
    hole = variables("k", Int(0))[0]
    itself = T.transport(Eq(cosine(hole), 1), hole, same, last)
    found = T.compare(c, m, already, itself)
    larger = T.generalise(T.implication(found, inside), c)
    forward = kernel.induct(node(m), node(falls), empty, T.implication(larger, small))
    zero = prove_order(Le(gap(m), 0), [vanishing.left])
    forward = kernel.modus(forward, zero)

    one = T.apply(T.assume(each), [c], prove_order(Le(c + 1, m), [Le(node(c) + 1, m)]))
    nought = T.by_algebra(Eq(of.loss(statements.thetas(c) * D), 0), one)
    summed = kernel.sum_congruence(nought, node(c), node(m))
    backward = T.by_algebra(vanishing.left, summed)
    equivalent = T.iff(vanishing.left, each, forward, backward)
    return T.generalise(T.both(positive, equivalent), m, D)


def _twice_and_one(L: Any) -> Any:
    return 2 * L + 1


LATE = {"L": 1, "M": 2, "kappa": {1: 1, 2: 2}}


@control("a_length_too_far", LATE, free_from=_twice_and_one)
@proves(SPECIAL_CASES, "one_axis", "every kernel, all lengths")
def one_axis(of: Layouts) -> Theorem:
    """At length L the last query sees offset M, at length M the first one sees offset L."""
    L, M = statements.first_length, statements.second_length
    statement = _open(T.stated(SPECIAL_CASES, "one_axis", of))
    premise, both = statement.premise, statement.conclusion.body

    def beaten(law: Any, offset: Any, length: Any) -> Theorem:
        bound = kernel.instantiate(T.assume(law), node(offset))
        seen, apart = bound.conclusion.args[0].args
        near = prove_order(seen, premise.parts)
        equal = Eq(offset, length)
        distinct = T.conclude_not(T.contradict([equal, *premise.parts]), equal)
        assert distinct.conclusion == apart
        return kernel.modus(bound, T.both(near, distinct))

    lower, higher = beaten(both.parts[0], M, L), beaten(both.parts[1], L, M)
    clash = T.discharge(T.contradict([lower.conclusion, higher.conclusion]), lower, higher)
    never = T.conclude_not(T.unpack(clash, both), both)
    return T.generalise(T.implication(T.unpack(never, premise), premise), L, M)


def _one_short(L: Any) -> Any:
    return 2 * L - 1


@control("a_length_too_near", {"L": 2, "M": 3, "e": 3}, free_from=_one_short)
@proves(SPECIAL_CASES, "threshold", "all lengths")
def threshold(of: Layouts) -> Theorem:
    """Off L and M the product of the squares is at least 1, and D / (2 M) below 1."""
    L, M, D = statements.first_length, statements.second_length, statements.steps
    statement = _open(T.stated(SPECIAL_CASES, "threshold", of))
    apart, both = statement.premise, statement.conclusion
    first, second = both.parts
    Mn, Dn, Ln = node(M), node(D), node(L)

    # at L: kappa(L) - kappa(D) = (2 M - D + L + 2 M (p^2 q^2 - 1)) / (2 M)
    seen, other = first.body.premise.parts
    goal = first.body.conclusion
    below = prove_order(Lt(D, 2 * M), [seen, apart])
    square = _square_at_least_one(D, L, other)
    behind = prove_order(Le(1, M - D), [seen, apart])
    q, p = T.margin(behind.conclusion), T.margin(square.conclusion)
    excess = p * (Mn - Dn) ** 2 + q * (q + 2)
    form = (T.margin(below.conclusion) + Ln + 2 * Mn * excess) / (2 * Mn)
    facts = [below.conclusion, square.conclusion, behind.conclusion]
    low = T.discharge(prove_nonneg(goal, form, facts), below, square, behind)
    low = T.implication(T.unpack(low, first.body.premise), first.body.premise)

    # at M: (M - L) / (2 M) at the offset L, and (2 M - D + M + 2 M (p^2 q^2 - 1)) / (2 M) elsewhere
    seen, other = second.body.premise.parts
    goal = second.body.conclusion
    between = prove_order(Lt(L, M), [apart])
    at_first = prove_nonneg(
        T.instance(goal, D, L), T.margin(between.conclusion) / (2 * Mn), [between.conclusion]
    )
    here = T.rewrite(goal, D, L, T.discharge(at_first, between))
    below = prove_order(Lt(D, 2 * M), [seen])
    squares = [_square_at_least_one(D, end, Not(Eq(D, end))) for end in (L, M)]
    p, q = (T.margin(square.conclusion) for square in squares)
    excess = p * (Dn - Mn) ** 2 + q
    form = (T.margin(below.conclusion) + Mn + 2 * Mn * excess) / (2 * Mn)
    facts = [below.conclusion, *(square.conclusion for square in squares)]
    elsewhere = T.discharge(prove_nonneg(goal, form, facts), below, *squares)
    high = T.split(Eq(D, L), here, elsewhere)
    high = T.implication(T.unpack(high, second.body.premise), second.body.premise)

    proof = T.both(T.generalise(low, D), T.generalise(high, D))
    return T.generalise(T.implication(proof, apart), L, M)


def _square_at_least_one(a: Any, b: Any, apart: Any) -> Theorem:
    """a != b |- 1 <= (a - b)^2 for integers."""
    goal = Le(1, (a - b) ** 2)
    spread = kernel.instantiate(kernel.meaning("integers_apart"), node(a - b))
    low, zero, high = spread.conclusion.args
    equal = prove_identity(Eq(a, b), [zero])
    never = kernel.clash(equal, T.assume(apart))
    return kernel.cases(
        spread, prove_order(goal, [low]), T.ex_falso(never, goal), prove_order(goal, [high])
    )
