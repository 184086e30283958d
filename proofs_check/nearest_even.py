"""Rounding to p bits, ties to even: lemmas about fl(n) = s 2^j.

Main definitions
----------------
SHAPE, EVEN            j is the step's exponent, s its multiple; BELOW .. TIE are their parts
step_is                two steps of one number are one
significand_low, significand_high    2^(p - 1) <= s where j > 0, and s <= 2^p
some_rounding, one_rounding          every number has exactly one

Conventions
-----------
Variables are those of `theory.precision.positions`.  H, D, E stand for 2^(p - 1), 2^j, 2^k under
the hypotheses HALF, STEP, CLASS, which `named` removes at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import (
    FALSUM,
    And,
    Eq,
    Exists,
    Int,
    Le,
    Lt,
    Node,
    num,
    substitute,
    variable,
)
from posproof.proofs_check.powers import doubles, grows, named, same_power, two
from posproof.proofs_check.search import (
    Undecided,
    prove_each,
    prove_identity,
    prove_nonneg,
    prove_order,
)
from posproof.theory.precision import positions as statements

node = T.node
p, k, m, n, j, s, t, h, r = (
    node(getattr(statements, name)) for name in ("p", "k", "m", "n", "j", "s", "t", "h", "r")
)
g, n_, j_, s_ = (node(getattr(statements, name)) for name in ("g", "n_", "j_", "s_"))
#: 2^(p - 2), 2^(p - 1), 2^j, 2^j', 2^k, 2^m: integers by `named`.
G, H, D, D_, E, M = (variable(name, Int(1)) for name in ("G", "H", "D", "D'", "E", "M"))

SHAPE = node(statements.scale(statements.p, statements.n, statements.j))
BELOW, LEAST = SHAPE.args
EVEN = node(statements.ties_to_even(statements.n, statements.s, 2**statements.j))
(LOW, HIGH), TIE = EVEN.args[0].args, EVEN.args[1]
PARITY, (STRICT_LOW, STRICT_HIGH) = TIE.args[0], TIE.args[1].args
STORED = And(SHAPE, EVEN)
HALF, STEP, CLASS = Eq(H, two(p - 1)), Eq(D, two(j)), Eq(E, two(k))
QUARTER = Eq(G, two(p - 2))


def only_ties_to_even(of: statements.Collisions) -> None:
    """The proofs below are about one rule of rounding."""
    rule = node(of.rounding(statements.n, statements.s, 2**statements.j))
    if not kernel.same(rule, EVEN):
        raise Undecided("the rule of rounding is another one")


def scaled(number: Node, exponent: Node) -> Node:
    """scale(n, j) at other terms."""
    return substitute(SHAPE, {n: number, j: exponent})


@lru_cache
def smaller_step() -> Theorem:
    """n < 2^(p + j), and j' = 0 or 2^(p + j' - 1) <= n |- j' <= j."""
    above, below = BELOW, scaled(n, j_).args[1]
    goal = Le(j_, j)
    zero = prove_order(goal, [below.args[0]])
    grown = doubles(j, j_)
    facts = [above, below.args[1], grown.conclusion]
    form = T.margin(facts[0]) + T.margin(facts[1]) + two(p - 1) * T.margin(facts[2])
    excluded = T.discharge(prove_nonneg(FALSUM, form, facts), grown)
    far = T.compare(j, j_, T.ex_falso(excluded, goal), T.assume(goal))
    return kernel.cases(T.assume(below), zero, far)


def step_is(number: Node, other: Node, *lemmas: Theorem) -> Theorem:
    """scale(n, j) |- j = other, the lemmas proving both parts of scale(n, other)."""
    first = kernel.specialise(smaller_step(), {n: number, j_: j, j: other})
    second = kernel.specialise(smaller_step(), {n: number, j_: other})
    return T.discharge(kernel.antisymmetry(first, second), *lemmas)


def bounded_below(number: Node, other: Node, theorem: Theorem) -> Theorem:
    """The second part of scale(n, other) from 2^(p + other - 1) <= n."""
    goal = scaled(number, other).args[1]
    if goal.args[1] != theorem.conclusion:
        fact = theorem.conclusion
        theorem = T.discharge(prove_nonneg(goal.args[1], T.margin(fact), [fact]), theorem)
    return T.alternative(theorem, goal)


@lru_cache
def significand_low() -> Theorem:
    """H = 2^(p - 1), D = 2^j, H D <= n, n - s D <= D / 2 |- H <= s."""
    here, goal, over = LEAST.args[1], Le(H, s), Lt(s, H)
    close = kernel.integer_step(T.assume(over))
    facts = [HIGH, here, close.conclusion, HALF, STEP]
    form = T.margin(HIGH) + 2 * T.margin(here) + 2 * D * T.margin(close.conclusion) + D
    excluded = T.discharge(prove_nonneg(FALSUM, form, facts), close)
    return T.compare(s, H, T.ex_falso(excluded, goal), T.assume(goal))


@lru_cache
def significand_high() -> Theorem:
    """H = 2^(p - 1), D = 2^j, n < 2 H D, s D - n <= D / 2 |- s <= 2 H."""
    goal, over = Le(s, 2 * H), Lt(2 * H, s)
    close = kernel.integer_step(T.assume(over))
    facts = [LOW, BELOW, close.conclusion, HALF, STEP]
    form = T.margin(LOW) + 2 * T.margin(BELOW) + 2 * D * T.margin(close.conclusion) + D
    excluded = T.discharge(prove_nonneg(FALSUM, form, facts), close)
    return T.compare(2 * H, s, T.ex_falso(excluded, goal), T.assume(goal))


def significand_positive() -> Theorem:
    """n >= 0, s D - n >= -D / 2 |- 0 <= s."""
    goal = Le(0, s)
    under = kernel.integer_step(T.assume(Lt(s, num(0))))
    excluded = T.contradict([HIGH, STEP, under.conclusion], [D])
    excluded = T.discharge(excluded, under)
    return T.compare(s, 0, T.ex_falso(excluded, goal), T.assume(goal))


def stepped(later: Node) -> Theorem:
    """j > 0 because of `later`, and j = 0 or 2^(p + j - 1) <= n |- 2^(p + j - 1) <= n."""
    here = LEAST.args[1]
    none = T.contradict([LEAST.args[0], later])
    return kernel.cases(T.assume(LEAST), T.ex_falso(none, here), T.assume(here))


@lru_cache
def below_first_power() -> Theorem:
    """n < 2^p, stored |- s = n and j = 0."""
    small = Lt(n, two(p))
    top = scaled(n, num(0)).args
    fits = prove_nonneg(top[0], T.margin(small), [small])
    start = T.alternative(prove_identity(Eq(num(0), num(0))), top[1])
    same = step_is(n, num(0), fits, start)
    one = T.discharge(same_power(j, num(0)), same)
    facts = [LOW, HIGH, one.conclusion]
    met = T.discharge(T.equal_integers(s, n, facts), one)
    return T.both(met, same)


# ---------------------------------------------------------------------- one for each number
@lru_cache
def some_step() -> Theorem:
    """Every n has a step, by induction."""
    goal = Exists(j, SHAPE)
    first = scaled(num(0), num(0))
    start = T.both(
        prove_nonneg(first.args[0], two(p)),
        T.alternative(prove_identity(first.args[1].args[0]), first.args[1]),
    )
    base = T.exists(substitute(goal, {n: num(0)}), num(0), start)
    more = n + 1
    inside, grown = Lt(more, two(p + j)), substitute(goal, {n: more})
    same = scaled(more, j)
    here = LEAST.args[1]
    keeps = kernel.cases(
        T.assume(LEAST),
        T.alternative(T.assume(LEAST.args[0]), same.args[1]),
        T.alternative(prove_order(same.args[1].args[1], [here], (), 1), same.args[1]),
    )
    stays = T.both(prove_nonneg(same.args[0], T.margin(inside), [inside]), keeps)
    over, next_one = Le(two(p + j), more), scaled(more, j + 1)
    one = grows(num(0), p + j)
    fits = prove_order(next_one.args[0], [BELOW, one.conclusion], (), 1)
    reaches = prove_nonneg(next_one.args[1].args[1], T.margin(over), [over])
    moves = T.both(T.discharge(fits, one), T.alternative(reaches, next_one.args[1]))
    moves = T.discharge(moves, prove_order(Le(0, p + j)))
    step = T.compare(more, two(p + j), T.exists(grown, j, stays), T.exists(grown, j + 1, moves))
    return kernel.induct(n, goal, base, T.obtain(kernel.assume(goal), j, T.unpack(step, SHAPE)))


@lru_cache
def some_multiple() -> Theorem:
    """D = 2^j |- a multiple of D is nearest to n, with the rule of ties."""
    q, e = T.integer("c"), T.integer("e")
    goal = Exists(s, EVEN)
    division = T.euclid(n, D)
    inside = T.body(division, q)
    facts = [*inside.args, STEP]

    def chosen(value: Node, more: Sequence[Node], tie: Theorem | None = None) -> Theorem:
        wanted = substitute(EVEN, {s: value})
        known = [*facts, *more]
        close = prove_each(wanted.args[0], lambda part: prove_order(part, known, (), 1))
        if tie is None:
            strict = wanted.args[1].args[1]
            tie = prove_each(strict, lambda part: prove_order(part, known, (), 1))
        return T.exists(goal, value, T.both(close, T.alternative(tie, wanted.args[1])))

    twice = 2 * (n - D * q)
    low, high, tied = Lt(twice, D), Lt(D, twice), Eq(twice, D)
    parity = T.euclid(q, num(2))
    halved = T.body(parity, e)
    even = substitute(EVEN, {s: q}).args[1].args[0]
    odd = substitute(EVEN, {s: q + 1}).args[1].args[0]
    is_even, is_odd = Eq(q, 2 * e), Eq(q, 2 * e + 1)
    down = chosen(q, [tied], T.exists(even, e, T.assume(is_even)))
    up = prove_identity(Eq(q + 1, 2 * (e + 1)), [is_odd])
    up = chosen(q + 1, [tied], T.exists(odd, e + 1, up))
    small = Lt(q, 2 * e + 1)
    below = kernel.integer_step(T.assume(small))
    zero = kernel.antisymmetry(
        T.discharge(prove_order(Le(q, 2 * e), [below.conclusion], (), 1), below),
        prove_order(Le(2 * e, q), halved.args, (), 1),
    )
    above = kernel.integer_step(prove_order(Lt(q, 2 * e + 2), halved.args, (), 1))
    one = kernel.antisymmetry(
        T.discharge(prove_order(Le(q, 2 * e + 1), [above.conclusion], (), 1), above),
        T.assume(Le(2 * e + 1, q)),
    )
    both = T.compare(q, 2 * e + 1, T.discharge(down, zero), T.discharge(up, one))
    both = T.obtain(parity, e, T.unpack(both, halved))
    met = kernel.antisymmetry(T.assume(Le(twice, D)), T.assume(Le(D, twice)))
    upper = T.compare(D, twice, chosen(q + 1, [high]), T.discharge(both, met))
    lower = T.compare(twice, D, chosen(q, [low]), upper)
    return T.obtain(division, q, T.unpack(lower, inside))


@lru_cache
def one_multiple() -> Theorem:
    """D = 2^j, two multiples of D nearest to n by the rule |- s = s'."""
    other = substitute(EVEN, {s: s_})
    near = [LOW, HIGH, *other.args[0].args, STEP]
    goal = Eq(s, s_)
    tie = other.args[1]
    strict = T.unpack(T.equal_integers(s, s_, [*near, *TIE.args[1].args]), TIE.args[1])
    strict_ = T.unpack(T.equal_integers(s, s_, [*near, *tie.args[1].args]), tie.args[1])
    e = T.integer("e")
    parity, parity_ = Eq(s, 2 * g), Eq(s_, 2 * e)
    halves = T.equal_integers(g, e, [*near, parity, parity_])
    even = T.discharge(prove_identity(goal, [parity, parity_, halves.conclusion]), halves)
    even = kernel.choose(tie.args[0], e, kernel.choose(PARITY, g, even))
    inner = kernel.cases(T.assume(tie), even, strict_)
    return T.unpack_all(kernel.cases(T.assume(TIE), inner, strict), other)


def some_rounding(statement: Node) -> Theorem:
    """There are j and s."""
    goal = T.inner(statement)
    body = goal.args[1]
    multiple = named(some_multiple(), (D, j))
    met = T.exists(body, s, T.both(T.assume(SHAPE), T.assume(EVEN)))
    found = T.exists(goal, j, T.obtain(multiple, s, met))
    return T.generalise(T.obtain(some_step(), j, found), p, n)


def one_rounding(statement: Node) -> Theorem:
    """Two of them are equal."""
    premise, equal = T.inner(statement).args
    steps = step_is(n, j_)
    powers = T.discharge(same_power(j_, j), kernel.antisymmetry(*_both_ways()))
    second = substitute(EVEN, {s: s_, j: j_})
    here = substitute(EVEN, {s: s_})
    gaps = [
        prove_order(fact, [*second.args[0].args, powers.conclusion], (), 1)
        for fact in here.args[0].args
    ]
    gaps = [T.discharge(gap, powers) for gap in gaps]
    strict = [
        T.discharge(prove_order(fact, [*second.args[1].args[1].args, powers.conclusion]), powers)
        for fact in here.args[1].args[1].args
    ]
    ties = kernel.cases(
        T.assume(second.args[1]),
        T.alternative(T.assume(second.args[1].args[0]), here.args[1]),
        T.unpack(T.alternative(T.both(*strict), here.args[1]), second.args[1].args[1]),
    )
    whole = T.both(T.both(*gaps), ties)
    same = T.discharge(named(one_multiple(), (D, j)), whole)
    unique = T.implication(T.unpack_all(T.both(steps, same), premise), premise)
    return T.generalise(unique, *T.outer(statement))


def _both_ways() -> tuple[Theorem, Theorem]:
    """j' <= j and j <= j', for two steps of one number."""
    first = kernel.specialise(smaller_step(), {j_: j, j: j_})
    return smaller_step(), first
