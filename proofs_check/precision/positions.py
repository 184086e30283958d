"""Proofs of `theory.precision.positions`: one function a clause, named after it.

Powers of two with an unknown exponent are introduced as integers of their own (`named`), because
the kernel compares integers; what algebra knows of 2^(p + j) it applies to those too.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import sympy

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
    cos,
    num,
    pi,
    power,
    sin,
    substitute,
    variable,
)
from posproof.proofs_check.precision import rounding as rounding_proofs
from posproof.proofs_check.search import (
    Undecided,
    prove_each,
    prove_identity,
    prove_nonneg,
    prove_order,
)
from posproof.proofs_check.search.points import Indicator
from posproof.theory import vocabulary
from posproof.theory.precision import positions as statements
from posproof.theory.precision import rounding as statements_of_rounding
from posproof.theory.precision.positions import (
    COLLISIONS,
    FIRST,
    INTEGER_PHASE,
    LIBRARY_DEFAULTS,
    Collisions,
    Defaults,
    Phases,
)
from posproof.theory.vocabulary import control, proves

node = T.node
p, k, m, n, j, s, t, h, r = (
    node(getattr(statements, name)) for name in ("p", "k", "m", "n", "j", "s", "t", "h", "r")
)
g, n_, j_, s_ = (node(getattr(statements, name)) for name in ("g", "n_", "j_", "s_"))
#: 2^(p - 2), 2^(p - 1), 2^j, 2^j', 2^k, 2^m: integers by `named`.
G, H, D, D_, E, M = (variable(name, Int(1)) for name in ("G", "H", "D", "D'", "E", "M"))


def two(exponent: Any) -> Node:
    return power(2, node(exponent))


# ---------------------------------------------------------------------- controls
def _away(n: Any, s: Any, step: Any) -> Any:
    """Ties away from zero."""
    gap = 2 * n - 2 * s * step
    return vocabulary.And(vocabulary.Le(-step, gap), vocabulary.Lt(gap, step))


def _toward_zero(n: Any, s: Any, step: Any) -> Any:
    return vocabulary.And(vocabulary.Le(0, n - s * step), vocabulary.Lt(n - s * step, step))


# ---------------------------------------------------------------------- powers of two
@lru_cache
def _whole() -> Theorem:
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
            theorem = T.obtain(kernel.specialise(_whole(), {e: node(exponent)}), name, theorem)
    return theorem


@lru_cache
def _grows() -> Theorem:
    """i <= e |- 2^i <= 2^e for natural numbers."""
    i, e, q = T.natural("i"), T.natural("e"), T.natural("q")
    least = Le(1, two(q))
    step = prove_nonneg(Le(1, two(q + 1)), 2 * T.margin(least) + 1, [least])
    one = kernel.induct(q, least, prove_order(Le(1, two(0))), step)
    below = Le(0, e - i)
    apart = kernel.specialise(kernel.weaken(one, [below]), {q: e - i})
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


# ---------------------------------------------------------------------- the step
_SHAPE = node(statements.scale(statements.p, statements.n, statements.j))
BELOW, LEAST = _SHAPE.args
_EVEN = node(statements.ties_to_even(statements.n, statements.s, 2**statements.j))
(LOW, HIGH), TIE = _EVEN.args[0].args, _EVEN.args[1]
PARITY, (STRICT_LOW, STRICT_HIGH) = TIE.args[0], TIE.args[1].args
STORED = And(_SHAPE, _EVEN)
HALF, STEP, CLASS = Eq(H, two(p - 1)), Eq(D, two(j)), Eq(E, two(k))
QUARTER = Eq(G, two(p - 2))


def _nearest_even(of: Collisions) -> None:
    """The proofs below are about one rule of rounding."""
    rule = node(of.rounding(statements.n, statements.s, 2**statements.j))
    if not kernel.same(rule, _EVEN):
        raise Undecided("the rule of rounding is another one")


def scaled(number: Node, exponent: Node) -> Node:
    """scale(n, j) at other terms."""
    return substitute(_SHAPE, {n: number, j: exponent})


@lru_cache
def _smaller_step() -> Theorem:
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
    first = kernel.specialise(_smaller_step(), {n: number, j_: j, j: other})
    second = kernel.specialise(_smaller_step(), {n: number, j_: other})
    return T.discharge(kernel.antisymmetry(first, second), *lemmas)


def bounded_below(number: Node, other: Node, theorem: Theorem) -> Theorem:
    """The second part of scale(n, other) from 2^(p + other - 1) <= n."""
    goal = scaled(number, other).args[1]
    if goal.args[1] != theorem.conclusion:
        fact = theorem.conclusion
        theorem = T.discharge(prove_nonneg(goal.args[1], T.margin(fact), [fact]), theorem)
    return T.alternative(theorem, goal)


def same_power(first: Node, second: Node) -> Theorem:
    """j = k |- 2^j = 2^k."""
    return T.rewrite(
        Eq(two(first), two(second)), first, second, prove_identity(Eq(two(second), two(second)))
    )


def three(a: Node, b: Node, less: Theorem, equal: Theorem, more: Theorem) -> Theorem:
    """By cases a < b, a = b, b < a."""
    same = kernel.antisymmetry(T.assume(Le(a, b)), T.assume(Le(b, a)))
    return T.compare(a, b, less, T.compare(b, a, more, T.discharge(equal, same)))


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


def stepped(later: Node) -> Theorem:
    """j > 0 because of `later`, and j = 0 or 2^(p + j - 1) <= n |- 2^(p + j - 1) <= n."""
    here = LEAST.args[1]
    none = T.contradict([LEAST.args[0], later])
    return kernel.cases(T.assume(LEAST), T.ex_falso(none, here), T.assume(here))


def equal_integers(a: Node, b: Node, facts: Sequence[Node]) -> Theorem:
    """facts |- a = b, when they exclude a + 1 <= b and b + 1 <= a."""
    apart = T.no_integer_inside(a - b, facts)
    fact = apart.conclusion
    return T.discharge(prove_identity(Eq(a, b), [fact]), apart)


# ---------------------------------------------------------------------- classes
def _matches(t: Node, inside: Sequence[Node], strict: bool) -> Theorem:
    """|n - t E| within reach, D = E |- s = t; for an even t the rule of ties decides."""
    facts = [LOW, HIGH, *inside, STEP, CLASS, Eq(D, E)]
    if strict:
        return equal_integers(s, t, facts)
    half = t.args[1]
    near = [STRICT_LOW, STRICT_HIGH, *facts[2:]]
    untied = T.unpack(equal_integers(s, t, near), TIE.args[1])
    parity = Eq(s, 2 * g)
    halves = equal_integers(g, half, [*facts, parity])
    even = prove_identity(Eq(s, t), [parity, halves.conclusion])
    even = kernel.choose(PARITY, g, T.discharge(even, halves))
    return kernel.cases(T.assume(TIE), even, untied)


def _equal_steps(t: Node, value: Node, size: Sequence[Node]) -> Theorem:
    """s D = t E, H < t < 2 H |- j = k, since s would leave its range otherwise."""
    equation = Eq(s * D, t * E)
    linked = prove_identity(equation, [value, STEP, CLASS])
    known = [equation, *size, HALF, STEP, CLASS]
    wider = doubles(j, k)
    short = T.contradict([*known, wider.conclusion, significand_high().conclusion])
    short = T.discharge(short, wider, significand_high())
    finer = doubles(k, j)
    low = T.discharge(significand_low(), stepped(Lt(k, j)))
    long = T.contradict([*known, finer.conclusion, low.conclusion])
    long = T.discharge(long, finer, low)
    goal = Eq(j, k)
    return T.discharge(
        three(j, k, T.ex_falso(short, goal), T.assume(goal), T.ex_falso(long, goal)), linked
    )


def _class(of: Collisions, statement: Any, t: Node, odd: bool) -> Theorem:
    """One class of a number between two powers of two."""
    _nearest_even(of)
    premise, found = _inner(statement).args
    value, inside = found.args[0].args
    above, below = premise.args[1:]
    low, high = inside.args
    # from the distance to the value
    facts = [low, high, above, below, HALF, CLASS]
    more = kernel.integer_step(T.discharge(_lifted(Lt(t, 2 * H), below), T.assume(below)))
    less = kernel.integer_step(T.discharge(_lifted(Lt(H, t), above), T.assume(above)))
    sizes = [more.conclusion, less.conclusion]
    top, bottom = scaled(n, k).args[0], scaled(n, k).args[1].args[1]
    hints = [E * T.margin(fact) for fact in sizes] + [E]
    fits = prove_order(top, [*facts, *sizes], hints, 1)
    reaches = prove_order(bottom, [*facts, *sizes], hints, 1)
    scale = [T.discharge(x, more, less) for x in (fits, reaches)]
    same = step_is(n, k, scale[0], bounded_below(n, k, scale[1]))
    equal = T.discharge(
        prove_identity(Eq(D, E), [STEP, CLASS, same_power(j, k).conclusion]),
        T.discharge(same_power(j, k), same),
    )
    met = T.discharge(_matches(t, [low, high], odd), equal)
    forward = prove_identity(value, [met.conclusion, equal.conclusion, STEP, CLASS])
    forward = T.unpack(T.discharge(forward, met, equal), inside)
    # from the value to the distance
    steps = T.discharge(_equal_steps(t, value, sizes), more, less)
    equal = T.discharge(
        prove_identity(Eq(D, E), [STEP, CLASS, same_power(j, k).conclusion]),
        T.discharge(same_power(j, k), steps),
    )
    met = T.discharge(equal_integers(s, t, [value, STEP, CLASS, Eq(D, E)]), equal)
    known = [met.conclusion, Eq(D, E), STEP, CLASS]
    if odd:
        back = _strictly_inside(t, inside, known)
    else:
        back = T.both(*(prove_order(part, [LOW, HIGH, *known], (), 1) for part in inside.args))
    back = T.discharge(back, met, equal)
    both = T.both(T.iff(value, inside, back, forward), prove_identity(found.args[1]))
    both = named(both, (H, p - 1), (D, j), (E, k))
    return T.implication(T.unpack_all(both, premise), premise)


def _lifted(goal: Node, fact: Node) -> Theorem:
    """The same comparison with H for 2^(p - 1)."""
    return prove_nonneg(goal, T.margin(fact), [fact, HALF])


def _strictly_inside(t: Node, inside: Node, known: Sequence[Node]) -> Theorem:
    """s = t odd is no tie, and |n - t E| < E / 2 leaves E / 2 - 1 at most."""
    F = variable("F", Int(1))
    half = Eq(F, two(k - 1))
    close = []
    for fact, goal in ((STRICT_LOW, Lt(t * E - n, F)), (STRICT_HIGH, Lt(n - t * E, F))):
        step = kernel.integer_step(prove_order(goal, [fact, *known, half], (), 1))
        close.append(step)
    parts = [
        prove_order(part, [step.conclusion, *known, half], (), 1)
        for part, step in zip(inside.args, close, strict=True)
    ]
    untied = T.unpack(T.discharge(T.both(*parts), *close), TIE.args[1])
    untied = named(untied, (F, k - 1))
    parity = Eq(s, 2 * g)
    never = T.no_integer_inside(g - h, [parity, *known])
    clash = T.discharge(T.contradict([parity, *known, never.conclusion]), never)
    even = kernel.choose(PARITY, g, T.ex_falso(clash, inside))
    return kernel.cases(T.assume(TIE), even, untied)


def _even_power() -> Theorem:
    """G = 2^(p - 2), H = 2^(p - 1) |- H = 2 G."""
    return prove_identity(Eq(H, 2 * G), [HALF, QUARTER])


def _tied_away(goal: Node, odd: Node, half: Node, known: Sequence[Node]) -> Theorem:
    """s = odd = 2 half + 1 or so can only be a tie, which the rule gives to an even s."""
    untied = T.contradict([STRICT_LOW, STRICT_HIGH, *known, Eq(s, odd)])
    untied = T.unpack(T.ex_falso(untied, goal), TIE.args[1])
    parity = Eq(s, 2 * g)
    facts = [parity, Eq(s, odd), Eq(H, 2 * G)]
    never = T.no_integer_inside(g - half, facts)
    clash = T.discharge(T.contradict([*facts, never.conclusion]), never)
    even = kernel.choose(PARITY, g, T.ex_falso(clash, goal))
    return T.discharge(kernel.cases(T.assume(TIE), even, untied), _even_power())


def _at_power_above(inside: Sequence[Node]) -> Theorem:
    """H E <= n <= H E + E / 2 |- s = H and D = E."""
    goal, above = Eq(s, H), Le(H * E, n)
    facts = [*inside, above, HALF, CLASS]
    fits = prove_order(scaled(n, k).args[0], facts, [(H - 1) * E, E], 1)
    reaches = prove_order(scaled(n, k).args[1].args[1], facts, (), 1)
    same = step_is(n, k, fits, bounded_below(n, k, reaches))
    equal = T.discharge(same_power(j, k), same)
    equal = T.discharge(prove_identity(Eq(D, E), [STEP, CLASS, equal.conclusion]), equal)
    known = [LOW, HIGH, *facts, STEP, Eq(D, E)]
    # s >= H, and s >= H + 2 is too far
    over = kernel.integer_step(T.assume(Lt(H, s)))
    far = kernel.integer_step(T.assume(Lt(H + 1, s)))
    distant = T.discharge(T.contradict([*known, far.conclusion]), far)
    next_one = kernel.antisymmetry(T.assume(Le(s, H + 1)), over)
    tied = T.discharge(_tied_away(goal, H + 1, G, known), next_one)
    beyond = T.compare(H + 1, s, T.ex_falso(distant, goal), tied)
    low = T.discharge(significand_low(), _here(reaches, same))
    met = kernel.antisymmetry(T.assume(Le(s, H)), low)
    return T.discharge(T.both(T.compare(H, s, beyond, met), equal), equal)


def _here(reaches: Theorem, same: Theorem) -> Theorem:
    """2^(p + j - 1) <= n, from the same at the step that j was shown to be."""
    goal, at = LEAST.args[1], same.conclusion.args[1]
    wanted = substitute(goal, {j: at})
    fact = reaches.conclusion
    there = T.discharge(prove_nonneg(wanted, T.margin(fact), [fact]), reaches)
    return T.transport(goal, j, same, there)


def _at_power_below(inside: Sequence[Node]) -> Theorem:
    """H E - E / 4 <= n < H E |- s = 2 H and 2 D = E."""
    goal, below = Eq(s, 2 * H), Lt(n, H * E)
    facts = [*inside, below, HALF, CLASS]
    finer = scaled(n, k - 1)
    fits = prove_order(finer.args[0], facts, (), 1)
    reaches = prove_order(finer.args[1].args[1], facts, [(H - 1) * E, E], 1)
    same = step_is(n, k - 1, fits, bounded_below(n, k - 1, reaches))
    equal = T.discharge(same_power(j, k - 1), same)
    equal = T.discharge(prove_identity(Eq(2 * D, E), [STEP, CLASS, equal.conclusion]), equal)
    known = [LOW, HIGH, *facts, STEP, Eq(2 * D, E)]
    under = kernel.integer_step(T.assume(Lt(s, 2 * H)))
    far = kernel.integer_step(T.assume(Lt(s + 1, 2 * H)))
    distant = T.discharge(T.contradict([*known, far.conclusion]), far)
    next_one = kernel.antisymmetry(T.assume(Le(2 * H, s + 1)), under)
    tied = _tied_away(goal, 2 * H - 1, H - 1, known)
    last = prove_identity(Eq(s, 2 * H - 1), [Eq(2 * H, s + 1)])
    tied = T.discharge(tied, T.discharge(last, next_one))
    beyond = T.compare(s + 1, 2 * H, T.ex_falso(distant, goal), tied)
    met = kernel.antisymmetry(significand_high(), T.assume(Le(2 * H, s)))
    return T.discharge(T.both(T.compare(s, 2 * H, beyond, met), equal), equal)


def _from_power(value: Node, inside: Node) -> Theorem:
    """s D = H E |- H E - E / 4 <= n <= H E + E / 2."""
    equation = Eq(s * D, H * E)
    known = [equation, HALF, STEP, CLASS]

    def each(facts: Sequence[Node]) -> Theorem:
        return prove_each(inside, lambda part: prove_order(part, facts, [E, D], 1))

    finer, low = doubles(k, j), T.discharge(significand_low(), stepped(Lt(k, j)))
    long = T.contradict([*known, finer.conclusion, low.conclusion])
    long = T.ex_falso(T.discharge(long, finer, low), inside)
    equal = same_power(j, k)
    equal = T.discharge(prove_identity(Eq(D, E), [STEP, CLASS, equal.conclusion]), equal)
    reaches = stepped(Eq(j, k))
    here = each([LOW, HIGH, *known, Eq(D, E), reaches.conclusion])
    here = T.discharge(here, equal, reaches)
    wider = doubles(j, k)
    short = T.discharge(each([LOW, HIGH, *known, wider.conclusion]), wider)
    linked = prove_identity(equation, [value, HALF, STEP, CLASS])
    return T.discharge(three(j, k, short, here, long), linked)


@control(
    "nearest_only",
    {"p": 3, "k": 2, "n": 14, "j": 1, "s": 7},
    reach_below_power=lambda k: 2 ** (k - 1),
)
@control(
    "half_of_it_below",
    {"p": 3, "k": 3, "n": 30, "j": 2, "s": 8},
    reach_below_power=lambda k: 2 ** (k - 3),
)
@control("rounding_half_away", {"p": 3, "k": 1, "n": 9, "j": 1, "s": 5}, rounding=_away)
@proves(COLLISIONS, "power_class")
def power_class(of: Collisions) -> Theorem:
    """Above a power of two the step is twice what it is below."""
    _nearest_even(of)
    goal = _inner(statements.power_class(of))
    premise, found = goal.args
    value, inside = found.args[0].args
    facts = [STEP, CLASS, HALF]
    above, below = _at_power_above(inside.args), _at_power_below(inside.args)
    branches = []
    for branch in (below, above):
        known = T.parts(branch)
        proof = prove_identity(value, [*facts, *(fact.conclusion for fact in known)])
        branches.append(T.discharge(proof, *known))
    forward = T.unpack(T.compare(n, H * E, *branches), inside)
    both = T.both(
        T.iff(value, inside, _from_power(value, inside), forward), prove_identity(found.args[1])
    )
    both = named(both, (G, p - 2), (H, p - 1), (D, j), (E, k))
    return T.implication(T.unpack_all(both, premise), premise)


@lru_cache
def _first_power() -> Theorem:
    """The class of 2^p, whose members are 2^p and 2^p + 1."""
    return kernel.specialise(power_class.run(Collisions()), {k: num(1)})


def _power_at(number: Node, goal: Node) -> Theorem:
    """n = 2^p or n = 2^p + 1, stored |- s 2^j = 2^p."""
    whole = _first_power()
    whole = kernel.modus(whole, kernel.assume(whole.conclusion.args[0]))
    reached = kernel.project(kernel.project(whole, 0), 1)
    inside = reached.conclusion.args[0]
    range_ = prove_each(inside, lambda part: prove_order(part, [number], (), 1))
    met = kernel.modus(reached, range_)
    return T.unpack_all(T.discharge(prove_identity(goal, [met.conclusion]), met), STORED)


@control("rounding_half_away", {"p": 8, "n": 257, "j": 1, "s": 129}, rounding=_away)
@proves(COLLISIONS, "first_collision")
def first_collision(of: Collisions) -> Theorem:
    """Both numbers belong to the class of the power of two, whose step is 2."""
    _nearest_even(of)
    premise, goal = _inner(statements.first_collision(of)).args
    either = premise.args[1]
    cover = kernel.cases(T.assume(either), *(_power_at(part, goal) for part in either.args))
    return T.implication(T.unpack(cover, premise), premise)


def _inner(statement: Any) -> Node:
    """A statement without its outer universal quantifiers."""
    goal = node(statement)
    while goal.head == "forall":
        goal = goal.args[1]
    return goal


@lru_cache
def _below_first_power() -> Theorem:
    """n < 2^p, stored |- s = n and j = 0."""
    small = Lt(n, two(p))
    top = scaled(n, num(0)).args
    fits = prove_nonneg(top[0], T.margin(small), [small])
    start = T.alternative(prove_identity(Eq(num(0), num(0))), top[1])
    same = step_is(n, num(0), fits, start)
    one = T.discharge(same_power(j, num(0)), same)
    facts = [LOW, HIGH, one.conclusion]
    met = T.discharge(equal_integers(s, n, facts), one)
    return T.both(met, same)


@control(
    "rounding_toward_zero_at_a_step_of_two",
    {"p": 2, "n": 3, "j": 0, "s": 2},
    rounding=lambda n, s, step: _toward_zero(n, s, 2 * step),
)
@proves(COLLISIONS, "exact")
def exact(of: Collisions) -> Theorem:
    """Below 2^p the step is 1, and 2^p is a number of one bit."""
    _nearest_even(of)
    premise, goal = _inner(statements.exact(of)).args
    last = _power_at(Eq(n, two(p)), Eq(s * two(j), two(p)))
    met, start = T.parts(_below_first_power())
    one = T.discharge(same_power(j, num(0)), start)
    early = T.discharge(prove_identity(goal, [met.conclusion, one.conclusion]), met, one)
    at = T.discharge(
        prove_identity(goal, [last.conclusion, Eq(n, two(p))]), T.unpack_all(last, STORED)
    )
    same = kernel.antisymmetry(T.assume(Le(n, two(p))), T.assume(Le(two(p), n)))
    late = T.discharge(at, same)
    proof = T.compare(n, two(p), T.unpack_all(early, STORED), late)
    return T.implication(T.unpack(proof, premise), premise)


@control(
    "rounding_toward_zero", {"p": 3, "k": 1, "h": 2, "n": 11, "j": 1, "s": 5}, rounding=_toward_zero
)
@control(
    "ties_included",
    {"p": 3, "k": 1, "h": 2, "n": 9, "j": 1, "s": 4},
    odd_reach=lambda k: 2 ** (k - 1),
)
@proves(COLLISIONS, "odd_class")
def odd_class(of: Collisions) -> Theorem:
    return _class(of, statements.odd_class(of), 2 * h + 1, True)


@control("rounding_half_away", {"p": 3, "k": 1, "h": 3, "n": 13, "j": 1, "s": 7}, rounding=_away)
@control(
    "ties_excluded",
    {"p": 3, "k": 1, "h": 3, "n": 13, "j": 1, "s": 6},
    even_reach=lambda k: 2 ** (k - 1) - 1,
)
@proves(COLLISIONS, "even_class")
def even_class(of: Collisions) -> Theorem:
    return _class(of, statements.even_class(of), 2 * h, False)


# ---------------------------------------------------------------------- one rounding a number
def _untied(n: Any, s: Any, step: Any) -> Any:
    """Nearest, without a rule for ties."""
    return statements.within(2 * n - 2 * s * step, step)


@lru_cache
def _some_step() -> Theorem:
    """Every n has a step, by induction."""
    goal = Exists(j, _SHAPE)
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
    return kernel.induct(n, goal, base, T.obtain(kernel.assume(goal), j, T.unpack(step, _SHAPE)))


@lru_cache
def _some_multiple() -> Theorem:
    """D = 2^j |- a multiple of D is nearest to n, with the rule of ties."""
    q, e = T.integer("c"), T.integer("e")
    goal = Exists(s, _EVEN)
    division = T.euclid(n, D)
    inside = T.body(division, q)
    facts = [*inside.args, STEP]

    def chosen(value: Node, more: Sequence[Node], tie: Theorem | None = None) -> Theorem:
        wanted = substitute(_EVEN, {s: value})
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
    even = substitute(_EVEN, {s: q}).args[1].args[0]
    odd = substitute(_EVEN, {s: q + 1}).args[1].args[0]
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
def _one_multiple() -> Theorem:
    """D = 2^j, two multiples of D nearest to n by the rule |- s = s'."""
    other = substitute(_EVEN, {s: s_})
    near = [LOW, HIGH, *other.args[0].args, STEP]
    goal = Eq(s, s_)
    tie = other.args[1]
    strict = T.unpack(equal_integers(s, s_, [*near, *TIE.args[1].args]), TIE.args[1])
    strict_ = T.unpack(equal_integers(s, s_, [*near, *tie.args[1].args]), tie.args[1])
    e = T.integer("e")
    parity, parity_ = Eq(s, 2 * g), Eq(s_, 2 * e)
    halves = equal_integers(g, e, [*near, parity, parity_])
    even = T.discharge(prove_identity(goal, [parity, parity_, halves.conclusion]), halves)
    even = kernel.choose(tie.args[0], e, kernel.choose(PARITY, g, even))
    inner = kernel.cases(T.assume(tie), even, strict_)
    return T.unpack_all(kernel.cases(T.assume(TIE), inner, strict), other)


@control("ties_undecided", {"p": 2, "n": 5, "j": 1, "s": 2, "j'": 1, "s'": 3}, rounding=_untied)
@proves(COLLISIONS, "rounding")
def rounding(of: Collisions) -> Theorem:
    """Steps by induction, multiples by division with remainder; two even ones are 2 D apart."""
    _nearest_even(of)
    some, one = node(statements.rounding(of)).args
    goal = _inner(some)
    body = goal.args[1]
    multiple = named(_some_multiple(), (D, j))
    met = T.exists(body, s, T.both(T.assume(_SHAPE), T.assume(_EVEN)))
    found = T.exists(goal, j, T.obtain(multiple, s, met))
    found = T.generalise(T.obtain(_some_step(), j, found), p, n)

    premise, equal = _inner(one).args
    steps = step_is(n, j_)
    powers = T.discharge(same_power(j_, j), kernel.antisymmetry(*_both_ways()))
    second = substitute(_EVEN, {s: s_, j: j_})
    here = substitute(_EVEN, {s: s_})
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
    same = T.discharge(named(_one_multiple(), (D, j)), whole)
    unique = T.implication(T.unpack_all(T.both(steps, same), premise), premise)
    return T.both(found, T.generalise(unique, *_bound(one)))


def _both_ways() -> tuple[Theorem, Theorem]:
    """j' <= j and j <= j', for two steps of one number."""
    first = kernel.specialise(_smaller_step(), {j_: j, j: j_})
    return _smaller_step(), first


def _bound(statement: Any) -> list[Node]:
    """The variables of the outer universal quantifiers."""
    goal, names = node(statement), []
    while goal.head == "forall":
        names.append(goal.args[0])
        goal = goal.args[1]
    return names


# ---------------------------------------------------------------------- how many values
def _without_last(p: Any, m: Any) -> Any:
    return statements.distinct_values(p, m) - 1


_OTHER = substitute(STORED, {n: n_, j: j_, s: s_})
OTHER_STEP = Eq(D_, two(j_))
#: j and s, of the two numbers changed over.
_SWAP = {n: n_, n_: n, j: j_, j_: j, s: s_, s_: s, D: D_, D_: D}


def _neighbours(equation: Node, goal: Node) -> Theorem:
    """j < j', s 2^j and s' 2^j' equal, or their ranks |- the other: s = 2 H, s' = H, j' = j + 1."""
    high = significand_high()
    low = kernel.specialise(T.discharge(significand_low(), stepped(Lt(j_, j))), _SWAP)
    wider = doubles(j, j_)
    known = [equation, high.conclusion, low.conclusion, HALF, STEP, OTHER_STEP]
    later = kernel.integer_step(T.assume(Lt(j, j_)))
    far = Lt(j + 1, j_)
    finer = doubles(j + 1, j_)
    gap = kernel.integer_step(T.assume(far))
    hints = [
        H * T.margin(gap.conclusion),
        *(D * T.margin(fact) for fact in (high.conclusion, low.conclusion)),
        *(node(x) * T.margin(finer.conclusion) for x in (H, s_ - H)),
        H * D,
        H,
    ]
    facts = [*known, gap.conclusion, finer.conclusion]
    distant = T.discharge(prove_order(FALSUM, facts, hints, 1), gap, finer)
    beside = kernel.antisymmetry(T.assume(Le(j_, j + 1)), later)
    step = T.discharge(same_power(j_, j + 1), beside)
    step = T.discharge(prove_identity(Eq(D_, 2 * D), [STEP, OTHER_STEP, step.conclusion]), step)
    known = [*known, step.conclusion, beside.conclusion]
    first = Le(2 * H, s)
    # s = 2 s' from the values, s = s' + H from the ranks
    link = T.contradict([*known, kernel.integer_step(T.assume(Lt(s, 2 * H))).conclusion])
    link = T.discharge(link, kernel.integer_step(T.assume(Lt(s, 2 * H))))
    whole = T.compare(s, 2 * H, T.ex_falso(link, first), T.assume(first))
    top = kernel.antisymmetry(high, whole)
    facts = [*known, top.conclusion]
    second = T.no_integer_inside(s_ - H, facts)
    done = prove_identity(goal, [*facts, second.conclusion])
    done = T.discharge(T.discharge(done, second), top, step, beside, wider)
    done = T.compare(j + 1, j_, T.ex_falso(distant, goal), done)
    return T.discharge(done, high, low)


def _exchanged(equation: Node, goal: Node) -> Theorem:
    """The same for j' < j."""
    turned = (substitute(side, _SWAP) for side in (equation, goal))
    return kernel.specialise(_neighbours(*turned), _SWAP)


@control(
    "last_value_forgotten", {"p": 2, "m": 3, "n": 7, "j": 1, "s": 4}, distinct_values=_without_last
)
@control(
    "largest_number_forgotten",
    {"p": 2, "m": 3, "Omega": 7, "r": 6},
    fits=lambda m, largest: vocabulary.Le(2 ** (m - 1), largest),
)
@proves(COLLISIONS, "count")
def count(of: Collisions) -> Theorem:
    _nearest_even(of)
    inside, onto, apart = node(statements.count(of)).args
    proofs = [_ranks_below(inside), _ranks_reached(onto), _ranks_apart(apart)]
    bound = zip(proofs, (inside, onto, apart), strict=True)
    return T.both(*(T.generalise(proof, *_bound(part)) for proof, part in bound))


def _ranks_below(statement: Node) -> Theorem:
    premise, goal = _inner(statement).args
    more, few = premise.args[:2]
    here = LEAST.args[1]
    last = Le(j, m - p)
    over = kernel.integer_step(T.assume(Lt(m, p + j)))
    grown = grows(m, p + j - 1)
    facts = [here, few, grown.conclusion]
    excluded = T.discharge(prove_order(FALSUM, facts, (), 1), grown)
    excluded = T.discharge(excluded, prove_order(Le(m, p + j - 1), [over.conclusion], (), 1), over)
    under = prove_order(last, [Le(p + j, m)], (), 1)
    late = T.compare(m, p + j, T.ex_falso(excluded, last), under)
    early = prove_order(last, [LEAST.args[0], more], (), 1)
    steps = kernel.cases(T.assume(LEAST), early, late)
    high = significand_high()
    facts = [steps.conclusion, high.conclusion, HALF]
    hints = [H * T.margin(steps.conclusion), H]
    below = prove_order(goal.args[1], facts, hints, 1)
    significand = _significand_positive()
    above = prove_order(goal.args[0], [significand.conclusion, HALF], [j * H], 1)
    proof = T.discharge(T.both(above, below), steps, high, significand)
    return T.implication(T.unpack_all(named(proof, (H, p - 1), (D, j)), premise), premise)


def _significand_positive() -> Theorem:
    """n >= 0, s D - n >= -D / 2 |- 0 <= s."""
    goal = Le(0, s)
    under = kernel.integer_step(T.assume(Lt(s, num(0))))
    excluded = T.contradict([HIGH, STEP, under.conclusion], [D])
    excluded = T.discharge(excluded, under)
    return T.compare(s, 0, T.ex_falso(excluded, goal), T.assume(goal))


def _ranks_apart(statement: Node) -> Theorem:
    premise, goal = _inner(statement).args
    value, ranks = goal.args
    same = same_power(j, j_)
    same = T.discharge(prove_identity(Eq(D, D_), [STEP, OTHER_STEP, same.conclusion]), same)
    directions = []
    for given, wanted in ((value, ranks), (ranks, value)):
        facts = [given, Eq(D, D_), Eq(j, j_), STEP, OTHER_STEP, HALF]
        met = equal_integers(s, s_, facts)
        equal = T.discharge(prove_identity(wanted, [*facts, met.conclusion]), met, same)
        three_ways = three(j, j_, _neighbours(given, wanted), equal, _exchanged(given, wanted))
        directions.append(three_ways)
    backward = T.iff(value, ranks, *directions)
    proof = named(backward, (H, p - 1), (D, j), (D_, j_))
    return T.implication(T.unpack_all(proof, premise), premise)


def _attained(
    goal: Node,
    place: tuple[Node, Node, Node],
    known: Sequence[Node],
    hints: Sequence[Node],
    half: Node | None = None,
) -> Theorem:
    """fl(n) = s 2^j with the rank r for n, j, s, from what is known of them.

    `half` is s / 2 where n is rounded; elsewhere n = s 2^j.
    """
    equations = [fact for fact in known if fact.head == "eq"]
    number, step, significand = place

    def prove(part: Node) -> Theorem:
        match part.head:
            case "and":
                return T.both(*map(prove, part.args))
            case "eq":
                return prove_identity(part, equations)
            case "or":
                return T.alternative(choose(*part.args), part)
        return prove_order(part, known, hints, 1)

    def choose(first: Node, second: Node) -> Theorem:
        if first.head == "exists":
            return prove(second) if half is None else T.exists(first, half, prove)
        return prove(first if step == num(0) else second)

    def bounded(at: Node) -> Theorem:
        limit, rest = at.args
        return T.both(prove(limit), T.exists(rest, significand, prove))

    def below(at: Node) -> Theorem:
        limit, rest = at.args
        proof = T.both(prove(limit), T.exists(rest, step, bounded))
        return kernel.weaken(proof, [Le(0, number)])

    return T.exists(goal, number, below)


def _split_rank() -> Theorem:
    """2 H <= r |- r = j H + s with natural j and H <= s < 2 H."""
    q = T.integer("c")
    division = T.euclid(r, H)
    inside = T.body(division, q)
    goal = Exists(j, Exists(s, And(Le(H, s), Lt(s, 2 * H), Eq(j * H + s, r))))
    many = Le(2 * H, r)
    over = kernel.integer_step(T.assume(Lt(q, num(1))))
    excluded = T.contradict([many, *inside.args, over.conclusion], [H])
    above = T.discharge(T.ex_falso(excluded, Le(1, q)), over)
    positive = T.compare(q, 1, above, T.assume(Le(1, q)))
    natural = T.discharge(prove_order(Le(0, q - 1), [Le(1, q)], (), 1), positive)

    def each(fact: Node) -> Theorem:
        if fact.head == "and":
            return T.both(*map(each, fact.args))
        if fact.head == "eq":
            return prove_identity(fact)
        return prove_order(fact, inside.args, (), 1)

    def place(part: Node) -> Theorem:
        found = T.exists(part, H + (r - H * q), each)
        return kernel.weaken(found, [Le(0, q - 1)])

    found = T.discharge(T.exists(goal, q - 1, place), natural)
    return T.obtain(division, q, T.unpack(found, inside))


def _ranks_reached(statement: Node) -> Theorem:
    """Ranks below 2^p by n = r, the last one by 2^m - 1, the others by n = s 2^j."""
    premise, goal = _inner(statement).args
    more, fits, positive, many = premise.args
    room = T.discharge(grows(p, m), prove_order(Le(p, m), [more], (), 1))
    small, last = Lt(r, two(p)), two(p) + (m - p) * two(p - 1)
    known = [small, positive, more, fits, room.conclusion]
    first = T.discharge(_attained(goal, (r, num(0), r), known, ()), room)

    split = _split_rank()
    inside = T.body_of(T.body(split, j), s)
    limits = [*inside.args, Lt(r, last), HALF]
    far = kernel.integer_step(T.assume(Lt(m - p, j)))
    excluded = T.contradict([*limits, far.conclusion], [H])
    fit = T.ex_falso(T.discharge(excluded, far), Le(j, m - p))
    fit = T.compare(m - p, j, fit, T.assume(Le(j, m - p)))
    grown = T.discharge(grows(p + j, m), prove_order(Le(p + j, m), [fit.conclusion], (), 1))
    known = [*inside.args, fit.conclusion, grown.conclusion, fits, HALF, STEP]
    hints = [D * T.margin(fact) for fact in inside.args[:2]] + [D]
    middle = _attained(goal, (s * D, j, s), known, hints)
    size = prove_order(Le(0, s * D), inside.args[:2], [H * D, *hints], 1)
    middle = named(T.discharge(middle, size, grown, fit), (D, j))
    middle = T.unpack(middle, inside)
    middle = T.obtain(split, j, kernel.choose(T.body(split, j), s, middle))
    lifted = prove_nonneg(Le(2 * H, r), T.margin(Le(two(p), r)), [Le(two(p), r), HALF])
    middle = T.discharge(middle, lifted)

    longer = Eq(m, p + k)
    exists = Exists(k, longer)
    one = prove_order(Le(1, m - p), [kernel.integer_step(T.assume(more)).conclusion], (), 1)
    one = T.discharge(one, kernel.integer_step(T.assume(more)))
    some = T.discharge(
        T.exists(exists, m - p, lambda part: kernel.weaken(prove_identity(part), [one.conclusion])),
        one,
    )
    powers, two_at_least = same_power(m, p + k), grows(num(1), k)
    two_at_least = T.discharge(two_at_least, prove_order(Le(1, k), ()))
    top = equal_integers(r, 2 * H + (m - p) * H, [many, Le(last, r), HALF])
    whole = Eq(M, two(m))
    known = [longer, powers.conclusion, two_at_least.conclusion, fits, HALF, CLASS, whole]
    known.append(top.conclusion)
    final = _attained(goal, (M - 1, k, 2 * H), known, [(H - 1) * E, E], H)
    final = T.discharge(final, powers, two_at_least, top, prove_order(Le(0, M - 1), ()))
    final = T.obtain(some, k, named(final, (M, m), (E, k)))

    large = T.compare(r, last, middle, final)
    proof = named(T.compare(r, two(p), first, large), (H, p - 1))
    return T.implication(T.unpack(proof, premise), premise)


# ---------------------------------------------------------------------- what a collision costs
@control(
    "positions_exact",
    {"p": 2, "n": 4, "j": 1, "s": 2, "n'": 5, "j'": 1, "s'": 2, "f": Indicator(4, 1)},
    position=lambda n, j, s: n,
)
@proves(COLLISIONS, "rows")
def rows(of: Collisions) -> Theorem:
    """Equals have equal images."""
    premise, goal = _inner(statements.rows(of)).args
    equation = premise.args[2]
    left, right = (side.args[2] for side in goal.args)
    same = prove_identity(Eq(left, right), [equation])
    image = node(statements.row(statements.a))
    pattern = Eq(image, substitute(image, {node(statements.a): right}))
    at = prove_identity(substitute(pattern, {node(statements.a): right}))
    proof = T.transport(pattern, node(statements.a), same, at)
    return T.implication(T.unpack(proof, premise), premise)


@control(
    "half_of_it",
    {"a": 1, "b": 0, "c": 0, "d": -1, "theta": 1, "P": Fraction(1, 2)},
    damage=lambda theta: sympy.sin(theta / 2),
)
@control("positions_exact", {"theta": 1, "P": 0}, lost=lambda P: P)
@proves(COLLISIONS, "damage")
def damage(of: Collisions) -> Theorem:
    """The two turned keys lie a chord of the angle theta apart."""
    below, attained = node(statements.damage(of)).args
    goal = _inner(below)
    a, b, c, d = (node(getattr(statements, name)) for name in "abcd")
    theta, P = node(statements.theta), node(statements.P)
    middle = theta * P - theta / 2
    # conj(q) k = x + i y: the gap is -2 sin(theta / 2) (x sin(middle) + y cos(middle))
    x, y = a * c + b * d, a * d - b * c
    across = x * cos(middle) - y * sin(middle)
    form = node(of.damage(statements.theta)) ** 2 * across**2
    proof = prove_nonneg(goal, form)
    equal = prove_identity(_inner(attained))
    return T.both(T.generalise(proof, *_bound(below)), T.generalise(equal, *_bound(attained)))


@control("positions_exact", {"n": FIRST}, lost=lambda P: P)
@control("one_position_further", {"n": FIRST}, lost=lambda P: P - 2)
@proves(COLLISIONS, "gap", "d = 128, base 10000")
def gap(of: Collisions) -> Theorem:
    """Two comparisons of sums of 64 cosines, in balls."""
    premise, goal = _inner(statements.gap(of)).args
    at = prove_each(substitute(goal, {n: num(FIRST)}), kernel.ground)
    return T.implication(T.rewrite(goal, n, FIRST, at), premise)


# ---------------------------------------------------------------------- precision.integer_phase
def _saturated(x: Any, r: Any, W: Any) -> Any:
    """What saturating arithmetic keeps instead of x mod W."""
    below = vocabulary.And(vocabulary.Lt(x, 0), vocabulary.Eq(r, 0))
    inside = vocabulary.And(vocabulary.Le(0, x), vocabulary.Lt(x, W), vocabulary.Eq(r, x))
    above = vocabulary.And(vocabulary.Le(W, x), vocabulary.Eq(r, W - 1))
    return vocabulary.Or(below, inside, above)


#: A position, its opposite, and their sum, the phases saturated: 1 + 0 is not 0.
_OPPOSITE = {"W": 4, "kappa": 1, "i": 1, "s": -1, "a": 1, "b": 0, "c": 0}


@control("saturating_arithmetic", _OPPOSITE, kept=_saturated)
@proves(INTEGER_PHASE, "homomorphism")
def homomorphism(of: Phases) -> Theorem:
    """The quotients of the three products add up."""
    premise, goal = _inner(statements.homomorphism(of)).args
    facts = T.conjuncts(premise)
    quotients = [fact for fact in facts if fact.head == "exists"]
    _require(len(quotients) == 3 and goal.head == "and" and len(goal.args) == 3)
    names = ("g1", "g2", "g3")
    known = [T.body_of(fact, T.integer(n)) for fact, n in zip(quotients, names, strict=True)]
    g1, g2, g3 = (T.integer(name) for name in names)
    found = T.exists(goal.args[2], g3 - g1 - g2, lambda fact: prove_identity(fact, known))
    for fact, name in zip(quotients, names, strict=True):
        found = kernel.choose(fact, T.integer(name), found)
    proof = T.both(*(kernel.assume(part) for part in goal.args[:2]), found)
    return T.implication(T.unpack_all(proof, premise), premise)


def _require(condition: bool) -> None:
    if not condition:
        raise Undecided("the definitions have another shape")


def _representatives(
    goal: Node, congruences: Sequence[Node], phases: Sequence[tuple[Any, Any]]
) -> Theorem:
    """A goal about phases (a, x) for which x - a is known to be a multiple g W of W."""
    names = [node(a) for a, _ in phases]
    multiples = [T.integer(f"g{number}") for number in range(len(names))]
    values = {
        name: node(x) - g * node(statements.W)
        for name, (_, x), g in zip(names, phases, multiples, strict=True)
    }
    proof = prove_each(substitute(goal, values), prove_identity)
    for number in reversed(range(len(names))):
        name, fact, multiple = names[number], congruences[number], multiples[number]
        pattern = substitute(goal, {other: values[other] for other in names[:number]})
        proof = T.rewrite(pattern, name, values[name], proof)
        known = T.body_of(fact, multiple)
        proof = T.discharge(proof, prove_identity(Eq(name, values[name]), [known]))
        proof = kernel.choose(fact, multiple, proof)
    return proof


@control(
    "half_a_turn",
    {"W": 4, "kappa": 1, "i": 1, "a": 1, "g": 0},
    angle=lambda x, W: sympy.pi * x / W,
)
@proves(INTEGER_PHASE, "rotation")
def rotation(of: Phases) -> Theorem:
    """A multiple of W is a whole number of turns."""
    premise, goal = _inner(statements.rotation(of)).args
    proof = _representatives(goal, [premise], [(statements.first, statements.i * statements.kappa)])
    return T.implication(proof, premise)


_FOUR = {"W": 4, "kappa": 1, "i": 0, "j": 1, "s": 1, "a": 0, "b": 1, "c": 1, "d": 2}


@control(
    "phase_squared",
    _FOUR | {"q1": 1, "q2": 0, "k1": 0, "k2": 1},
    angle=lambda x, W: 2 * sympy.pi * x**2 / W,
)
@proves(INTEGER_PHASE, "scores")
def scores(of: Phases) -> Theorem:
    """Each phase turns like its position, and the shift cancels."""
    premise, goal = _inner(statements.scores(of)).args
    i, j, shift = statements.i, statements.j0, statements.shift
    places = [at * statements.kappa for at in (i, j, i + shift, j + shift)]
    phases = list(zip(statements.phases, places, strict=True))
    proof = _representatives(goal, premise.args, phases)
    return T.implication(T.unpack(proof, premise), premise)


def _bounded_product(
    goal: Any, first: tuple[Node, Node], second: tuple[Node, Node], facts: Sequence[Node]
) -> Theorem:
    """-b <= x y <= b from x and y between -+ their bounds; margins (bound + x, bound - x)."""
    down, up = node(goal).args
    (x_low, x_high), (y_low, y_high) = first, second
    half = Fraction(1, 2)
    same = half * (x_high * y_high) + half * (x_low * y_low)
    crossed = half * (x_high * y_low) + half * (x_low * y_high)
    return T.both(prove_nonneg(down, same, facts), prove_nonneg(up, crossed, facts))


def _margins(value: Any, bound: Any) -> tuple[Node, Node]:
    low, high = node(statements.within(value, bound)).args
    return T.margin(low), T.margin(high)


#: The largest phase, every operation rounded up.
_ROUNDED_UP = {"W": 2, "x": 1, "u": Fraction(1, 2)} | dict.fromkeys(
    ("d1", "d2", "d3"), Fraction(1, 2)
)


@control("one_rounding_of_three", _ROUNDED_UP, rounding=lambda u: sympy.pi * u)
@control("half_of_it", _ROUNDED_UP, rounding=lambda u: statements.phase_rounding(u) / 2)
@control("a_turn_twice", {**_ROUNDED_UP}, angle=lambda x, W: 4 * sympy.pi * x / W)
@proves(INTEGER_PHASE, "angle")
def angle(of: Phases) -> Theorem:
    """Half a turn at most, times what three roundings multiply it by."""
    premise, goal = _inner(statements.angle(of)).args
    facts = T.conjuncts(premise)
    u = node(statements.u)
    roundings = [node(d) for d in (statements.d1, statements.d2, statements.d3)]
    margins = [_margins(d, statements.u) for d in roundings]
    small = T.margin(node(vocabulary.Le(statements.u, 1)))
    growth = (1 + u) ** 3 - 1
    product = (1 + roundings[0]) * (1 + roundings[1]) * (1 + roundings[2]) - 1
    sizes = [low + small for low, _ in margins]  # 1 + d, visibly non-negative
    up = (
        margins[0][1] * (1 + u) ** 2
        + sizes[0] * margins[1][1] * (1 + u)
        + sizes[0] * sizes[1] * margins[2][1]
    )
    down = (
        margins[0][0] * small**2
        + sizes[0] * margins[1][0] * small
        + sizes[0] * sizes[1] * margins[2][0]
        + 6 * u**2
    )
    high = prove_nonneg(Le(product, growth), up, facts)
    low = prove_nonneg(Le(num(0) - growth, product), down, facts)
    exact_angle = node(of.angle(statements.x, statements.W))
    share = pi / node(statements.W)
    below, above = (T.margin(fact) for fact in facts[:2])
    turn = [
        prove_nonneg(Le(num(0) - pi, exact_angle), share * below, facts),
        prove_nonneg(Le(exact_angle, pi), share * above, facts),
    ]
    known = [*facts, *(fact.conclusion for fact in (low, high, *turn))]
    first = tuple(T.margin(fact.conclusion) for fact in turn)
    second = tuple(T.margin(fact.conclusion) for fact in (low, high))
    proof = _bounded_product(goal, first, second, known)
    proof = T.discharge(proof, low, high, *turn)
    return T.implication(T.unpack_all(proof, premise), premise)


def _given(premise: Node, facts: Sequence[Node]) -> Theorem:
    """A conjunction whose parts are among the facts or follow from them."""
    if premise.head == "and":
        return T.both(*(_given(part, facts) for part in premise.args))
    if any(kernel.same(premise, fact) for fact in facts):
        return kernel.assume(premise)
    return prove_nonneg(premise, num(0), facts)


_LIBRARY_OFF = {"W": 2, "x": 0, "phi": 0, "u": 0, "v": 0, "omega": 0, "tau": 1} | {
    "d4": 1,
    "d5": 0,
    "d6": 0,
    "d7": 0,
    "e1": 0,
    "e2": 0,
}


@control("library_forgotten", _LIBRARY_OFF, entry=lambda library, cast: cast)
@control(
    "cast_forgotten",
    {**_LIBRARY_OFF, "tau": 0, "d4": 0, "v": 1, "d6": 1},
    entry=lambda library, cast: library,
)
@proves(INTEGER_PHASE, "table")
def table(of: Phases) -> Theorem:
    """A chord of the angle's error, and what library and cast add to a point of the circle."""
    premise, goal = _inner(statements.entries(of)).args
    facts = T.conjuncts(premise)
    phi, exact_angle = node(statements.phi), node(of.angle(statements.x, statements.W))
    bound = node(of.rounding(statements.u))
    stated = _inner(statements_of_rounding.table(statements_of_rounding.Rounding()))
    renamed = {
        "c": cos(phi),
        "s": sin(phi),
        "u": node(statements.u_c),
        "kappa": node(statements.tau),
        "d1": node(statements.d4),
        "d2": node(statements.d5),
        "d3": node(statements.d6),
        "d4": node(statements.d7),
    }
    at = {node(getattr(statements_of_rounding, name)): value for name, value in renamed.items()}
    whole = kernel.specialise(rounding_proofs.table.run(statements_of_rounding.Rounding()), at)
    entry = kernel.modus(whole, _given(substitute(stated.args[0], at), facts))
    arc = rounding_proofs.chord_below_arc.run(statements_of_rounding.Rounding())
    ends = {node(statements_of_rounding.phi): phi, node(statements_of_rounding.psi): exact_angle}
    chord = kernel.project(kernel.specialise(arc, ends), 0)
    low, high = _margins(
        statements.phi - of.angle(statements.x, statements.W), of.rounding(statements.u)
    )
    moved = chord.conclusion.args[0]
    shorter = prove_nonneg(
        Le(moved, bound**2), T.margin(chord.conclusion) + low * high, [*facts, chord.conclusion]
    )
    shorter = T.discharge(shorter, chord)
    u = node(statements.u)
    tau, cast = node(statements.tau), node(statements.u_c)
    added = tau + cast + tau * cast + node(sympy.sqrt(2) * statements.omega)
    sizes = [
        prove_nonneg(Le(0, entry.conclusion.args[1].args[0]), added, facts),
        prove_nonneg(Le(0, bound), pi * (3 * u + 3 * u**2 + u**3), facts),
    ]
    whole = rounding_proofs.sum_of(entry, shorter, sizes)
    proof = T.discharge(prove_nonneg(goal, T.margin(whole.conclusion), [whole.conclusion]), whole)
    return T.implication(T.unpack_all(proof, premise), premise)


@control(
    "step_not_the_nearest",
    {"W": 2, "kappa": 0, "theta": sympy.pi, "P": 1, "L": 1},
    residue=Fraction(1),
)
@proves(INTEGER_PHASE, "frequency")
def frequency(of: Phases) -> Theorem:
    """W theta / (2 pi) - kappa, in radians a position."""
    premise, goal = _inner(statements.frequency(of)).args
    facts = T.conjuncts(premise)
    below, above = (T.margin(fact) for fact in facts[:2])
    share = 2 * pi / node(statements.W)
    kept, moved = goal.args
    one = T.both(
        prove_nonneg(kept.args[0], share * above, facts),
        prove_nonneg(kept.args[1], share * below, facts),
    )
    sides = [T.margin(part.conclusion) for part in T.parts(one)]
    known = [*facts, *kept.args]
    place = (T.margin(facts[2]), T.margin(facts[3]))
    many = T.discharge(_bounded_product(moved, place, (sides[0], sides[1]), known), *T.parts(one))
    return T.implication(T.unpack_all(T.both(one, many), premise), premise)


# ---------------------------------------------------------------------- precision.library_defaults
#: The late example with angles that were not rounded to float32.
UNROUNDED = {
    71: ("0x1.ebde2508p+5", "0x1.c3c11cp-3", "-0x1.f36374p-1"),
    80: ("0x1.151bcccp+6", "0x1.f94982p-1", "0x1.4a8c7cp-3"),
    83: ("0x1.1f800ad4p+6", "-0x1.db2c7ep-1", "0x1.7d5576p-2"),
    92: ("0x1.3eacc51p+6", "-0x1.b5ea0ep-2", "-0x1.ced1c2p-1"),
}


def _at(statement: Any, position: int) -> Theorem:
    """A statement about one position: comparisons of numbers, decided in rationals and balls."""
    premise, goal = _inner(statement).args

    def prove(part: Node) -> Theorem:
        return T.both(*map(prove, part.args)) if part.head == "and" else kernel.ground(part)

    proof = prove(substitute(goal, {n: num(position)}))
    return T.implication(T.rewrite(goal, n, position, proof), premise)


@control("angles_in_float64", {"n": 71}, entries=UNROUNDED, bits=statements.DOUBLE)
@control("tolerance_doubled", {"n": 71}, torch=(Fraction(2, 10**5), Fraction(13, 10**7)))
@proves(LIBRARY_DEFAULTS, "torch", "positions 71, 80, 83 and 92")
def torch(of: Defaults) -> Theorem:
    """Every number is the nearest one to what it stands for, and the gap is too large."""
    return _at(statements.torch_violated(of), statements.LATE[0])


@control("tolerance_of_torch", {"n": 1}, allclose=statements.Defaults().torch)
@proves(LIBRARY_DEFAULTS, "numpy", "positions 1, 4, 10 and 13")
def numpy(of: Defaults) -> Theorem:
    return _at(statements.numpy_violated(of), statements.EARLY[0])


def _half_score(vector: Any, accumulation: Any, storage: Any) -> Any:
    return statements.composed(vector, accumulation, storage) / 2


@control("one_length_earlier", {"n": 74}, length=74)
@control("half_of_the_bound", {"n": 75}, score=_half_score)
@control("angles_forgotten", {"n": 75}, vector=lambda entry, product, output: product)
@proves(LIBRARY_DEFAULTS, "guaranteed", "d = 128, base 10000")
def guaranteed(of: Defaults) -> Theorem:
    return _at(statements.guaranteed(of), of.length)
