"""Proofs of `theory.precision.positions`: one function a clause, named after it.

Powers of two with an unknown exponent are introduced as integers of their own (`named`), because
the kernel compares integers; what algebra knows of 2^(p + j) it applies to those too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import (
    FALSUM,
    And,
    Eq,
    Exists,
    Implies,
    Int,
    Integer,
    Le,
    Lt,
    Node,
    Or,
    num,
    power,
    substitute,
    variable,
)
from posproof.proofs_check.search import Undecided, prove_identity, prove_nonneg, prove_order
from posproof.theory.precision import positions as statements
from posproof.theory.precision.positions import COLLISIONS, Collisions
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
            theorem = T.obtain(
                kernel.specialise(_whole(), {e: node(exponent)}), name, theorem
            )
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


def stepped(exponent: Node) -> Theorem:
    """k < j, k >= 0, and j = 0 or 2^(p + j - 1) <= n |- 2^(p + j - 1) <= n."""
    here = LEAST.args[1]
    none = T.contradict([LEAST.args[0], Lt(exponent, j)])
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
    low = T.discharge(significand_low(), stepped(k))
    long = T.contradict([*known, finer.conclusion, low.conclusion])
    long = T.discharge(long, finer, low)
    goal = Eq(j, k)
    return T.discharge(
        three(j, k, T.ex_falso(short, goal), T.assume(goal), T.ex_falso(long, goal)), linked
    )


def _class(of: Collisions, statement: Any, t: Node, odd: bool) -> Theorem:
    """One class of a number between two powers of two."""
    _nearest_even(of)
    goal = node(statement)
    while goal.head == "forall":
        goal = goal.args[1]
    premise, found = goal.args
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
    equal = T.discharge(prove_identity(Eq(D, E), [STEP, CLASS, same_power(j, k).conclusion]),
                        T.discharge(same_power(j, k), same))
    met = T.discharge(_matches(t, [low, high], odd), equal)
    forward = prove_identity(value, [met.conclusion, equal.conclusion, STEP, CLASS])
    forward = T.unpack(T.discharge(forward, met, equal), inside)
    # from the value to the distance
    steps = T.discharge(_equal_steps(t, value, sizes), more, less)
    equal = T.discharge(prove_identity(Eq(D, E), [STEP, CLASS, same_power(j, k).conclusion]),
                        T.discharge(same_power(j, k), steps))
    met = T.discharge(
        equal_integers(s, t, [value, STEP, CLASS, Eq(D, E)]), equal
    )
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


def _away(n: Any, s: Any, step: Any) -> Any:
    """Ties away from zero."""
    from posproof.theory.vocabulary import And, Le, Lt

    gap = 2 * n - 2 * s * step
    return And(Le(-step, gap), Lt(gap, step))


def _toward_zero(n: Any, s: Any, step: Any) -> Any:
    from posproof.theory.vocabulary import And, Le, Lt

    return And(Le(0, n - s * step), Lt(n - s * step, step))


@control("rounding_toward_zero", {"p": 3, "k": 1, "h": 2, "n": 11, "j": 1, "s": 5},
         rounding=_toward_zero)
@control("ties_included", {"p": 3, "k": 1, "h": 2, "n": 9, "j": 1, "s": 4},
         odd_reach=lambda k: 2 ** (k - 1))
@proves(COLLISIONS, "odd_class")
def odd_class(of: Collisions) -> Theorem:
    return _class(of, statements.odd_class(of), 2 * h + 1, True)


@control("rounding_half_away", {"p": 3, "k": 1, "h": 3, "n": 13, "j": 1, "s": 7}, rounding=_away)
@control("ties_excluded", {"p": 3, "k": 1, "h": 3, "n": 13, "j": 1, "s": 6},
         even_reach=lambda k: 2 ** (k - 1) - 1)
@proves(COLLISIONS, "even_class")
def even_class(of: Collisions) -> Theorem:
    return _class(of, statements.even_class(of), 2 * h, False)
