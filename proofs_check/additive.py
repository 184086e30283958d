"""Cauchy's functional equation near 0: additive and bounded there, a function is linear there.

Main definitions
----------------
Nearby          a function on [-delta, delta], with proofs that it is additive and at most 1 in size
at_zero         its value at 0 is 0
proportional    delta phi(x) = phi(delta) x for 0 <= x <= delta
archimedes      X <= 0, if n X <= c for every n >= 1

Implementation notes
--------------------
Let n h = delta and x = m h + r with 0 <= r < h.  The gap delta phi(x) - phi(delta) x is that at r,
and n phi(r) = phi(n r) is at most 1 in size: n times the gap is at most 2 delta.
The theorems are about the variable x; m, n, r, h, q and k are bound or replaced on the way, so phi
and delta are written without these names.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import num
from posproof.proofs_check.search import prove_identity, prove_nonneg, prove_order
from posproof.theory.symbols import variables
from posproof.theory.vocabulary import Eq, ForAll, Implies, Int, Integer, Le, Lt, Positive, Real

node = T.node
x, _r = variables("x r", Real)
_m, _n, _h = variables("m", Int(0))[0], variables("n", Int(1))[0], variables("h", Positive)[0]


@dataclass(frozen=True)
class Nearby:
    """A function phi of reals on [-delta, delta], delta > 0, and what was proved of it there.

    `bounded`: for all t in [-delta, delta], -1 <= phi(t) <= 1.  `adds`: for all s and t with s, t
    and s + t in [-delta, delta], phi(s + t) = phi(s) + phi(t).
    """

    phi: Callable[[Any], Any]
    delta: Any
    bounded: Theorem
    adds: Theorem

    def sizes(self, place: Any, given: Sequence[Any]) -> list[Theorem]:
        """-1 <= phi(place) and phi(place) <= 1, where order shows that the place is near 0."""
        bound = kernel.instantiate(self.bounded, node(place))
        close = [prove_order(part, given) for part in bound.conclusion.args[0].args]
        return T.parts(kernel.modus(bound, T.both(*close)))

    def sum(self, s: Any, t: Any, given: Sequence[Any]) -> Theorem:
        """phi(s + t) = phi(s) + phi(t), where order shows that all three are near 0."""
        law = T.apply(self.adds, [s, t])
        near = [prove_order(part, given) for part in law.conclusion.args[0].args]
        return kernel.modus(law, T.both(*near))


def at_zero(near: Nearby) -> Theorem:
    """phi(0) = 0."""
    return T.by_algebra(Eq(near.phi(0), 0), near.sum(0, 0, []))


def _multiples(near: Nearby) -> Theorem:
    """0 <= r |- m r <= delta => phi(m r) = m phi(r), for every natural m."""
    m, r, phi, delta = _m, _r, near.phi, near.delta
    statement = Implies(Le(m * r, delta), Eq(phi(m * r), m * phi(r)))
    first, more = (T.instance(statement, m, value).args for value in (0, node(m) + 1))
    start = T.by_algebra(first[1], at_zero(near))
    base = T.implication(kernel.weaken(start, [first[0]]), first[0])
    given = [Le(0, r), more[0]]
    earlier = prove_order(Le(m * r, delta), given)
    before = kernel.modus(T.assume(statement), earlier)
    step = T.by_algebra(more[1], before, near.sum(m * r, r, given))
    step = T.discharge(step, earlier)
    return kernel.induct(node(m), node(statement), base, T.implication(step, more[0]))


def proportional(near: Nearby) -> Theorem:
    """0 <= x <= delta |- delta phi(x) = phi(delta) x: n times the gap is at most 2 delta."""
    phi, delta = near.phi, near.delta
    n, q, h = _n, variables("q", Integer)[0], _h
    gap = delta * phi(x) - phi(delta) * x
    division = T.euclid(x, h)
    low, high = T.body(division, q).args
    below = kernel.integer_step(T.assume(Lt(q, 0)))
    never = T.discharge(T.contradict([below.conclusion, high, Le(0, x)]), below)
    natural = T.compare(q, 0, T.ex_falso(never, Le(0, q)), T.assume(Le(0, q)))

    cell = kernel.weaken(_cell(near), [node(Le(0, q))])
    cell = kernel.specialise(cell, {node(_m): node(q), node(_r): node(x - h * q)})
    facts = [natural]
    for wanted in cell.hypotheses:
        if wanted.head == "le" and not kernel.same(wanted, node(Le(0, q))):
            facts.append(prove_order(wanted, [low, high, Le(0, x), Le(x, delta)]))
    sides = []
    for side, goal in zip(
        T.parts(cell), (Le(-2 * delta, n * gap), Le(n * gap, 2 * delta)), strict=True
    ):
        shown = prove_nonneg(goal, T.margin(side.conclusion), [side.conclusion])
        sides.append(T.discharge(shown, side))
    found = T.discharge(T.both(*sides), *facts)
    found = T.obtain(division, q, T.unpack(found, T.body(division, q)))
    found = kernel.specialise(found, {node(h): node(delta / n)})
    found = T.discharge(found, prove_identity(T.instance(Eq(n * h, delta), h, delta / n)))
    ends = []
    for side, sign in zip(T.parts(found), (-1, 1), strict=True):
        goal = Le(n * (sign * gap), 2 * delta)
        turned = T.discharge(prove_nonneg(goal, T.margin(side.conclusion), [side.conclusion]), side)
        limit = T.apply(archimedes(), [sign * gap, 2 * delta], T.generalise(turned, n))
        goal = Le(gap, 0) if sign > 0 else Le(0, gap)
        ends.append(T.discharge(prove_order(goal, [limit.conclusion]), limit))
    none = kernel.antisymmetry(ends[1], ends[0])
    return T.by_algebra(Eq(delta * phi(x), phi(delta) * x), none)


def _cell(near: Nearby) -> Theorem:
    """n h = delta, 0 <= r <= h, m h + r <= delta |- |n (delta phi(y) - phi(delta) y)| <= 2 delta.

    Here y = m h + r; the gap is delta phi(r) - phi(delta) r, and n phi(r) and phi(delta) are at
    most 1 in size.
    """
    phi, delta, m, n, r, h = near.phi, near.delta, _m, _n, _r, _h
    y, multiples = m * h + r, _multiples(near)
    whole, given = Eq(n * h, delta), [Le(0, r), Le(r, h), Le(y, delta)]

    def times(count: Any, size: Any, known: Sequence[Any]) -> Theorem:
        """phi(count size) = count phi(size)."""
        law = kernel.specialise(multiples, {node(m): node(count), node(r): node(size)})
        law = T.discharge(law, prove_order(Le(0, size), known))
        return kernel.modus(law, prove_order(law.conclusion.args[0], known))

    order = [*given, whole]
    end = times(n, h, [whole])
    hole = variables("H", Real)[0]
    back = prove_identity(Eq(delta, n * h), [whole])
    end = T.transport(Eq(phi(hole), n * phi(h)), hole, back, end)
    start, rest = times(m, h, order), times(n, r, order)
    sums = near.sum(m * h, r, order)
    low_rest, high_rest = near.sizes(n * r, order)
    low_end, high_end = near.sizes(delta, [])
    room = prove_order(Le(n * r, delta), order)

    gap = n * (delta * phi(y) - phi(delta) * y)
    proved = [end, start, rest, sums, low_rest, high_rest, low_end, high_end, room]
    facts = [*(fact.conclusion for fact in proved), *given, whole]
    delta_n, turned = node(delta), node(n * r)
    shape = delta_n * T.margin(high_rest.conclusion) + T.margin(room.conclusion)
    upper = shape + turned * T.margin(low_end.conclusion)
    shape = delta_n * T.margin(low_rest.conclusion) + T.margin(room.conclusion)
    lower = shape + turned * T.margin(high_end.conclusion)
    both = T.both(
        prove_nonneg(Le(-2 * delta, gap), lower, facts),
        prove_nonneg(Le(gap, 2 * delta), upper, facts),
    )
    return T.discharge(both, *proved)


@lru_cache
def archimedes() -> Theorem:
    """for all reals X and c > 0: n X <= c for every n >= 1 => X <= 0."""
    X, c = variables("X", Real)[0], variables("c", Positive)[0]
    n, whole = variables("n", Int(1))[0], variables("k", Integer)[0]
    always, positive = ForAll(n, Le(n * X, c)), Lt(0, X)
    floor = T.apply(kernel.meaning("floor"), [c / X])
    _, high = T.body(floor, whole).args
    count = node(whole) + 1
    above = prove_nonneg(Lt(c, count * node(X)), node(X) * T.margin(high), [high, positive])
    small = T.contradict([Le(count, num(0)), above.conclusion, positive])
    first = T.compare(0, count, T.assume(Lt(num(0), count)), T.ex_falso(small, Lt(num(0), count)))
    at = kernel.instantiate(kernel.weaken(T.assume(always), [node(Lt(num(0), count))]), count)
    clash = T.contradict([at.conclusion, above.conclusion])
    clash = T.discharge(clash, T.discharge(at, first), above)
    clash = T.obtain(floor, whole, T.unpack(T.discharge(clash, above), T.body(floor, whole)))
    proof = T.compare(0, X, T.ex_falso(clash, Le(X, 0)), T.assume(Le(X, 0)))
    return T.generalise(T.implication(proof, always), X, c)
