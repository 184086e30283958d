"""Which numbers are rounded to a given one: its class.

Main definitions
----------------
between_powers   the class of t 2^k for 2^(p - 1) < t < 2^p, odd or even
power_of_two     the class of 2^(p - 1 + k)
power_at         the class of 2^p at one of its two members

Conventions
-----------
Those of `nearest_even`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import (
    Eq,
    Int,
    Le,
    Lt,
    Node,
    num,
    substitute,
    variable,
)
from posproof.proofs_check.nearest_even import (
    CLASS,
    HALF,
    HIGH,
    LEAST,
    LOW,
    PARITY,
    QUARTER,
    STEP,
    STORED,
    STRICT_HIGH,
    STRICT_LOW,
    TIE,
    D,
    E,
    G,
    H,
    bounded_below,
    g,
    h,
    j,
    k,
    n,
    p,
    s,
    scaled,
    significand_high,
    significand_low,
    step_is,
    stepped,
)
from posproof.proofs_check.powers import doubles, named, same_power, two
from posproof.proofs_check.search import (
    prove_each,
    prove_identity,
    prove_nonneg,
    prove_order,
)
from posproof.theory.precision import positions as statements

node = T.node


def _matches(t: Node, inside: Sequence[Node], strict: bool) -> Theorem:
    """|n - t E| within reach, D = E |- s = t; for an even t the rule of ties decides."""
    facts = [LOW, HIGH, *inside, STEP, CLASS, Eq(D, E)]
    if strict:
        return T.equal_integers(s, t, facts)
    half = t.args[1]
    near = [STRICT_LOW, STRICT_HIGH, *facts[2:]]
    untied = T.unpack(T.equal_integers(s, t, near), TIE.args[1])
    parity = Eq(s, 2 * g)
    halves = T.equal_integers(g, half, [*facts, parity])
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
        T.three_ways(j, k, T.ex_falso(short, goal), T.assume(goal), T.ex_falso(long, goal)), linked
    )


def between_powers(statement: Any, t: Node, odd: bool) -> Theorem:
    """One class of a number between two powers of two."""
    premise, found = T.inner(statement).args
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
    met = T.discharge(T.equal_integers(s, t, [value, STEP, CLASS, Eq(D, E)]), equal)
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


# ---------------------------------------------------------------------- powers of two
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
    return T.discharge(T.three_ways(j, k, short, here, long), linked)


def power_of_two(statement: Any) -> Theorem:
    """Above a power of two the step is twice what it is below."""
    premise, found = T.inner(statement).args
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
def first_power() -> Theorem:
    """The class of 2^p, whose members are 2^p and 2^p + 1."""
    whole = power_of_two(statements.power_class(statements.Collisions()))
    return kernel.specialise(whole, {k: num(1)})


def power_at(number: Node, goal: Node) -> Theorem:
    """n = 2^p or n = 2^p + 1, stored |- s 2^j = 2^p."""
    whole = first_power()
    whole = kernel.modus(whole, kernel.assume(whole.conclusion.args[0]))
    reached = kernel.project(kernel.project(whole, 0), 1)
    inside = reached.conclusion.args[0]
    range_ = prove_each(inside, lambda part: prove_order(part, [number], (), 1))
    met = kernel.modus(reached, range_)
    return T.unpack_all(T.discharge(prove_identity(goal, [met.conclusion]), met), STORED)
