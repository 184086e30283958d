"""Powers of two with an unknown exponent, as integers of their own.

Main definitions
----------------
two         2^e
named       remove the hypothesis N = 2^e about an integer N: there is one
at_least_one   1 <= 2^q
grows       i <= e |- 2^i <= 2^e
doubles     i < e |- 2 2^i <= 2^e
same_power  i = e |- 2^i = 2^e
multiple_between   two numbers below 2^n are on the two sides of a multiple of 2^h, h < n

Conventions
-----------
Exponents are natural numbers.  The kernel compares integers, and takes 2^e for a real number: a
proof names it, and what algebra knows of 2^(p + j) it applies to the names too.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import (
    Eq,
    Exists,
    Int,
    Le,
    Lt,
    Node,
    num,
    power,
    substitute,
    variable,
)
from posproof.proofs_check.search import prove_identity, prove_nonneg, prove_order

node = T.node


def two(exponent: Any) -> Node:
    return power(2, node(exponent))


@lru_cache
def whole() -> Theorem:
    """for all natural e there is an integer N >= 1 with N = 2^e."""
    e, size, one = T.natural("e"), variable("N", Int(1)), variable("N'", Int(1))
    goal = Exists(size, Eq(size, two(e)))
    base = T.exists(substitute(goal, {e: num(0)}), num(1), prove_identity)
    given = T.body_of(goal, one)
    grown = T.exists(
        substitute(goal, {e: e + 1}), 2 * one, lambda fact: prove_identity(fact, [given])
    )
    step = T.obtain(kernel.assume(goal), one, grown)
    return kernel.induct(e, goal, base, step)


def named(theorem: Theorem, *names: tuple[Node, Any]) -> Theorem:
    """Remove the hypotheses N = 2^e: there is such an integer."""
    e = T.natural("e")
    for name, exponent in names:
        if any(kernel.same(Eq(name, two(exponent)), fact) for fact in theorem.hypotheses):
            theorem = T.obtain(kernel.specialise(whole(), {e: node(exponent)}), name, theorem)
    return theorem


@lru_cache
def _at_least_one() -> Theorem:
    """1 <= 2^q for natural q."""
    q = T.natural("q")
    least = Le(1, two(q))
    step = prove_nonneg(Le(1, two(q + 1)), 2 * T.margin(least) + 1, [least])
    return kernel.induct(q, least, prove_order(Le(1, two(0))), step)


def at_least_one(exponent: Any, *known: Node) -> Theorem:
    """known |- 1 <= 2^exponent, where `known` says that the exponent is natural."""
    weaker = kernel.weaken(_at_least_one(), list(known)) if known else _at_least_one()
    return kernel.specialise(weaker, {T.natural("q"): node(exponent)})


@lru_cache
def _grows() -> Theorem:
    """i <= e |- 2^i <= 2^e for natural numbers."""
    i, e = T.natural("i"), T.natural("e")
    below = Le(0, e - i)
    apart = at_least_one(e - i, below)
    fact = apart.conclusion
    proof = T.discharge(prove_nonneg(Le(two(i), two(e)), two(i) * T.margin(fact), [fact]), apart)
    return T.discharge(proof, prove_order(below, [Le(i, e)]))


def grows(low: Any, high: Any) -> Theorem:
    """low <= high |- 2^low <= 2^high."""
    return kernel.specialise(_grows(), {T.natural("i"): node(low), T.natural("e"): node(high)})


def doubles(low: Node, high: Node) -> Theorem:
    """low < high |- 2 2^low <= 2^high."""
    grown = grows(low + 1, high)
    fact = grown.conclusion
    proof = prove_nonneg(Le(2 * two(low), two(high)), T.margin(fact), [fact])
    return T.discharge(proof, T.discharge(grown, kernel.integer_step(T.assume(Lt(low, high)))))


def same_power(first: Node, second: Node) -> Theorem:
    """j = k |- 2^j = 2^k."""
    return T.rewrite(
        Eq(two(first), two(second)), first, second, prove_identity(Eq(two(second), two(second)))
    )


def multiple_between(statement: Node) -> Theorem:
    """For all n, i, j: j < i < 2^n => for some h < n and m, m - 1 = j // 2^h and m = i // 2^h.

    Both floors are written as inequalities.  Halve both numbers until they agree; the last step
    before that has the multiple.
    """
    n, i, j = T.outer(statement)
    every = statement.args[1]  # for all i, j

    def at(count: Node) -> Node:
        return substitute(every, {n: count})

    apart = T.one_apart(j, i)
    small = Lt(i, two(num(0)))
    never = T.discharge(T.contradict([apart.conclusion, small], degree=1), apart)
    base_premise, base_goal = T.inner(at(num(0))).args
    base = T.generalise(T.closed(T.ex_falso(never, base_goal), base_premise), i, j)

    left, right = T.integer("i'"), T.integer("j'")
    halves = [T.euclid(i, 2), T.euclid(j, 2)]
    quotients = [T.body(half, name) for half, name in zip(halves, (left, right), strict=True)]
    facts = [side for part in quotients for side in part.args]
    wanted_premise, wanted = T.inner(at(n + 1)).args
    order, below = wanted_premise.args

    # The halves differ: their multiple, one level up.
    naturals = []
    for name, part in zip((left, right), quotients, strict=True):
        low = kernel.integer_step(prove_order(Lt(num(-1), name), list(part.args), degree=1))
        natural = prove_order(Le(0, name), [low.conclusion], degree=1)
        naturals.append(T.discharge(natural, low))
    smaller = prove_order(Lt(left, two(n)), [below, *quotients[0].args], degree=1)
    differ = Lt(right, left)
    known = kernel.assume(at(n))
    for value, natural in zip((left, right), naturals, strict=True):
        known = kernel.instantiate(kernel.weaken(known, [natural.conclusion]), value)
    known = kernel.modus(known, T.both(kernel.assume(differ), smaller))
    known = T.discharge(known, *naturals)
    h, m, size = T.natural("h"), T.natural("m"), T.natural("N", 1)
    level = T.body_of(known.conclusion, h)
    deep, reference = level.args
    inside = T.body_of(reference, m)
    equal = Eq(size, two(h))
    steps = []
    for part in T.conjuncts(inside):
        sides = [T.replaced(side, two(h), size) for side in part.args]
        shown = Node(part.head, tuple(sides))
        proof = prove_nonneg(shown, T.margin(part), [part, equal])
        steps.append(kernel.integer_step(proof) if part.head == "lt" else proof)
    plain = [step.conclusion for step in steps]
    room, higher = T.body_of(wanted, h + 1).args
    up = T.body_of(higher, m)
    proofs = [prove_order(part, [*plain, *facts, equal], degree=1) for part in T.conjuncts(up)]
    lifted = T.discharge(T.gathered(up, proofs), *steps)
    lifted = named(lifted, (size, h))
    lifted = kernel.choose(reference, m, T.unpack_all(T.exists(higher, m, lifted), inside))
    lifted = T.both(prove_order(room, [deep], degree=1), lifted)
    lifted = T.unpack(T.exists(wanted, h + 1, lifted), level)
    lifted = T.obtain(known, h, lifted)

    # They agree: the numbers are neighbours.
    agree = Le(left, right)
    close = kernel.integer_step(prove_order(Lt(i - 2, j), [*facts, agree], degree=1))
    same_facts = [close.conclusion, order]
    first, nearest = T.body_of(wanted, num(0)).args
    last = T.body_of(nearest, i)
    ends = [prove_order(part, same_facts, degree=1) for part in T.conjuncts(last)]
    neighbours = T.discharge(T.gathered(last, ends), close)
    neighbours = T.both(prove_order(first), T.exists(nearest, i, neighbours))
    neighbours = T.exists(wanted, num(0), neighbours)

    step = T.compare(right, left, lifted, neighbours)
    for half, name, part in zip(halves, (left, right), quotients, strict=True):
        step = T.obtain(half, name, T.unpack(step, part))
    step = T.generalise(T.closed(step, wanted_premise), i, j)
    return T.generalise(kernel.induct(n, every, base, step), n)
