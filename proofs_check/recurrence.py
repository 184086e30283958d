"""Dirichlet's theorem: the multiples of finitely many numbers come close to integers together.

Main definitions
----------------
one_number    some k <= K has k x within 1 / Q of an integer; K depends on Q alone
returns       for all d, N, delta > 0: some n >= N has every n alpha_i, i < d, within delta of one

Conventions
-----------
`alpha` is an arbitrary real sequence; other sequences are put in its place by `kernel.realise`.
Closeness to an integer p is written without division, -1 <= Q (n x - p) <= 1.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import (
    And,
    Exists,
    ForAll,
    Implies,
    Int,
    Integer,
    Le,
    Lt,
    Node,
    Real,
    num,
    sequence,
    substitute,
    variable,
)
from posproof.proofs_check.search import prove_nonneg, prove_order
from posproof.theory.vocabulary import Positive

k, n, K, Q = (variable(name, Int(1)) for name in ("k", "n", "K", "Q"))
d, i, m, N = (variable(name, Int(0)) for name in ("d", "i", "m", "N"))
p, j = variable("p", Integer), variable("j", Integer)
x, z, delta = variable("x", Real), variable("z", Real), variable("delta", Positive)
ONE = num(1)


def near(scale: Node, place: Node) -> Node:
    """-1 <= scale (place - p) <= 1 for some integer p."""
    gap = scale * (place - p)
    return Exists(p, And(Le(num(-1), gap), Le(gap, ONE)))


def _close(goal: Node, whole: Node, low: Theorem, high: Theorem) -> Theorem:
    """near(...) at the integer `whole`, from bounds that read the same as polynomials."""

    def prove(claim: Node) -> Theorem:
        parts = zip(claim.args, (low, high), strict=True)
        return T.both(
            *(
                T.discharge(prove_nonneg(part, T.margin(fact.conclusion), [fact.conclusion]), fact)
                for part, fact in parts
            )
        )

    return T.exists(goal, whole, prove)


# ---------------------------------------------------------------------- one number
def _within(limit: Node, scale: Node) -> Node:
    """for all x: some k <= limit has k x close to an integer."""
    return ForAll(x, Exists(k, And(Le(k, limit), near(scale, k * x))))


LARGE, SMALL = Lt(ONE, (Q + 1) * z), Le(Q * z, ONE)


@lru_cache
def _nearest() -> Theorem:
    """1 / (Q + 1) < z <= 1 / Q |- some integer j, 1 <= j <= Q + 1, has |(Q + 1)(j z - 1)| <= 1.

    j is the integer nearest to 1 / z, so |j z - 1| <= z / 2 <= 1 / (2 Q) <= 1 / (Q + 1).
    """
    zero = num(0)
    above = Lt(zero, z)
    clash = T.contradict([LARGE, Le(z, zero)])
    positive = T.compare(0, z, kernel.assume(above), T.ex_falso(clash, above))
    floor = T.apply(kernel.meaning("floor"), [1 / z + num(Fraction(1, 2))])
    inside = T.body(floor, j)
    low, high = inside.args
    below = prove_nonneg(Le(j * z, 1 + z / 2), z * T.margin(low), [low, above])
    over = prove_nonneg(Lt(1 + z / 2, (j + 1) * z), z * T.margin(high), [high, above])
    facts = [LARGE, SMALL, above, below.conclusion, over.conclusion]
    off = (Q + 1) * (j * z - 1)
    goals = Le(ONE, j), Le(j, Q + 1), Le(num(-1), off), Le(off, ONE)
    bounds = []
    for goal, outside in zip(goals[:2], (Lt(j, ONE), Lt(Q + 1, j)), strict=True):
        further = kernel.integer_step(kernel.assume(outside))
        absurd = T.discharge(T.contradict([*facts, further.conclusion]), further)
        left, right = outside.args
        bounds.append(T.compare(left, right, T.ex_falso(absurd, goal), kernel.assume(goal)))
    bounds += [prove_order(goal, facts) for goal in goals[2:]]
    found = T.discharge(T.both(*bounds), below, over)
    existence = T.exists(Exists(j, found.conclusion), j, found)
    return T.discharge(T.obtain(floor, j, T.unpack(existence, inside)), positive)


def _side(sign: int) -> Node:
    return num(sign) * (k * x - p)


def _multiplied(goal: Node, sign: int, known: list[Node]) -> Theorem:
    """The case s (Q + 1)(k x - p) > 1: j k in place of k, and j p + s in place of p."""
    side = _side(sign)
    at = kernel.specialise(_nearest(), {z: side})
    small = prove_order(substitute(SMALL, {z: side}), known)
    chosen = T.body(at, j)
    first, last, low, high = map(kernel.assume, T.conjuncts(chosen))
    ends = (low, high) if sign > 0 else (high, low)
    bound, claim = goal.args
    claim = substitute(claim, {bound: j * k})
    facts = [known[0], first.conclusion, last.conclusion]
    bounded = prove_nonneg(
        claim.args[0], T.margin(facts[0]) * (Q + 1) + k * T.margin(facts[2]), facts
    )
    natural = prove_order(Le(ONE, j * k), facts[1:2])
    instance = T.both(bounded, _close(claim.args[1], j * p + num(sign), *ends))
    instance = kernel.weaken(instance, [natural.conclusion])
    shown = T.discharge(kernel.witness(goal, j * k, instance), natural)
    return T.discharge(T.obtain(at, j, T.unpack(shown, chosen)), small)


@lru_cache
def one_number() -> Theorem:
    """for all Q >= 1: some K >= 1 has, for all x, a k <= K with k x within 1 / Q of an integer."""

    def statement(scale: Node) -> Node:
        return Exists(K, _within(K, scale))

    floor = T.apply(kernel.meaning("floor"), [x])
    inside = T.body(floor, p)
    low, high = inside.args
    first = T.inner(_within(ONE, ONE))
    claim = substitute(first.args[1], {k: ONE})
    gap = ONE * (ONE * x - p)
    ends = [prove_order(Le(num(-1), gap), [low]), prove_order(Le(gap, ONE), [high])]
    shown = T.obtain(floor, p, T.unpack(_close(claim.args[1], p, *ends), inside))
    base = T.generalise(T.exists(first, ONE, T.both(prove_order(claim.args[0]), shown)), x)

    goal = T.inner(_within(K * (Q + 1), Q + 1))
    at = T.apply(kernel.assume(_within(K, Q)), [x])
    chosen = T.body(at, k)
    bounded, existence = chosen.args
    pair = T.body_of(existence, p)
    known = [bounded, *pair.args]
    claim = substitute(goal.args[1], {goal.args[0]: k})
    ends = [kernel.assume(Le((Q + 1) * _side(sign), ONE)) for sign in (-1, 1)]
    size = prove_nonneg(claim.args[0], T.margin(bounded) + K * Q, [bounded])
    stays = T.exists(goal, k, T.both(size, _close(claim.args[1], p, *ends)))
    for sign in (-1, 1):
        moved = _multiplied(goal, sign, known)
        stays = T.compare(ONE, (Q + 1) * _side(sign), moved, stays)
    grown = T.obtain(kernel.assume(existence), p, T.unpack(stays, pair))
    grown = T.generalise(T.obtain(at, k, T.unpack(grown, chosen)), x)
    grown = T.exists(statement(Q + 1), K * (Q + 1), grown)
    step = T.obtain(kernel.assume(statement(Q)), K, grown)
    return kernel.induct(Q, statement(Q), T.exists(statement(ONE), ONE, base), step)


# ---------------------------------------------------------------------- several numbers
def alpha(at: Node) -> Node:
    return sequence("alpha", at)


def _all_near(count: Node, scale: Node, multiple: Node) -> Node:
    return ForAll(i, Implies(Lt(i, count), near(scale, multiple * alpha(i))))


@lru_cache
def together() -> Theorem:
    """for all d, Q >= 1: some n >= 1 has every n alpha_i, i < d, within 1 / Q of an integer.

    With K of `one_number`, let n bring the first d numbers within 1 / (Q K) and k <= K the number
    n alpha_d within 1 / Q: then k n serves all of them.
    """

    def statement(count: Node) -> Node:
        return ForAll(Q, Exists(n, _all_near(count, Q, n)))

    zero = num(0)
    first = _all_near(zero, Q, ONE)
    none = T.ex_falso(T.contradict([Lt(i, zero)]), T.inner(first).args[1])
    empty = T.generalise(T.implication(none, Lt(i, zero)), i)
    base = T.generalise(T.exists(Exists(n, _all_near(zero, Q, n)), ONE, empty), Q)

    before = T.apply(kernel.assume(statement(d)), [Q * K])
    held = T.body(before, n)
    within = _within(K, Q)
    last = T.apply(kernel.assume(within), [n * alpha(d)])
    chosen = T.body(last, k)
    bounded, newest = chosen.args

    goal = Exists(n, _all_near(d + 1, Q, n))
    claim = substitute(goal.args[1], {n: k * n})
    wanted = T.inner(claim).args[1]

    here = kernel.instantiate(kernel.assume(held), i)
    here = kernel.modus(here, kernel.assume(Lt(i, d)))
    pair = T.body(here, p)
    low, high = pair.args
    facts = [bounded, low, high]
    gap = Q * (k * n * alpha(i) - k * p)
    ends = [
        prove_nonneg(relation, (T.margin(bounded) + k * T.margin(fact)) / K, facts)
        for relation, fact in ((Le(num(-1), gap), low), (Le(gap, ONE), high))
    ]
    older = T.obtain(here, p, T.unpack(_close(wanted, k * p, *ends), pair))

    pair = T.body_of(newest, p)
    shown = T.unpack(_close(substitute(wanted, {i: d}), p, *map(kernel.assume, pair.args)), pair)
    shown = T.obtain(kernel.assume(newest), p, shown)
    close = T.one_apart(i, d + 1)
    under = T.discharge(prove_order(Le(i, d), [close.conclusion]), close)
    same = kernel.antisymmetry(under, kernel.assume(Le(d, i)))
    itself = T.transport(wanted, i, same, shown)
    every = T.compare(i, d, older, itself)
    every = T.generalise(T.implication(every, Lt(i, d + 1)), i)
    found = T.obtain(last, k, T.unpack(T.exists(goal, k * n, every), chosen))
    found = T.obtain(before, n, found)
    found = T.generalise(T.obtain(one_number(), K, found), Q)
    return kernel.induct(d, statement(d), base, found)


@lru_cache
def _fine_enough() -> Theorem:
    """for all delta > 0: some Q >= 1 has 1 <= delta Q."""
    floor = T.apply(kernel.meaning("floor"), [1 / delta])
    inside = T.body(floor, j)
    high = inside.args[1]
    positive = prove_nonneg(Lt(num(0), j + 1), T.margin(high) + 1 / delta, [high])
    whole = kernel.integer_step(positive)
    natural = T.discharge(prove_order(Le(ONE, j + 1), [whole.conclusion]), whole)
    large = prove_nonneg(Le(ONE, delta * (j + 1)), delta * T.margin(high), [high])
    goal = Exists(Q, Le(ONE, delta * Q))
    shown = kernel.witness(goal, j + 1, kernel.weaken(large, [natural.conclusion]))
    return T.obtain(floor, j, T.unpack(T.discharge(shown, natural), inside))


@lru_cache
def returns() -> Theorem:
    """for all d, N, delta > 0: some n >= N has every n alpha_i, i < d, within delta of an integer.

    N + 1 times a multiple that serves Q (N + 1), for an integer Q >= 1 / delta.
    """
    fine = Le(ONE, delta * Q)
    at = T.apply(together(), [Q * (N + 1)])
    held = T.body(at, n)
    here = kernel.modus(kernel.instantiate(kernel.assume(held), i), kernel.assume(Lt(i, d)))
    pair = T.body(here, p)
    multiple = (N + 1) * n
    gap = multiple * alpha(i) - p
    close = Exists(p, And(Le(num(-1) * delta, gap), Le(gap, delta)))

    def prove(claim: Node) -> Theorem:
        proofs = [
            prove_nonneg(part, (T.margin(fact) + T.margin(fine)) / Q, [fact, fine])
            for part, fact in zip(claim.args, pair.args, strict=True)
        ]
        return T.both(*proofs)

    shown = T.obtain(here, p, T.unpack(T.exists(close, (N + 1) * p, prove), pair))
    every = T.generalise(T.implication(shown, Lt(i, d)), i)
    reached = prove_nonneg(Le(N, multiple), N * (n - 1) + n)
    gap = m * alpha(i) - p
    close = Exists(p, And(Le(num(-1) * delta, gap), Le(gap, delta)))
    goal = Exists(m, And(Le(N, m), ForAll(i, Implies(Lt(i, d), close))))
    found = T.obtain(at, n, T.exists(goal, multiple, T.both(reached, every)))
    return T.generalise(T.obtain(_fine_enough(), Q, found), d, N, delta)
