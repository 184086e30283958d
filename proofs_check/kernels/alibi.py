"""Proofs of `theory.kernels.alibi`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from sympy import exp, log

from posproof.proofs_check import kernel, language
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import (
    And,
    Eq,
    Exists,
    Int,
    Integer,
    Le,
    Lt,
    Node,
    Or,
    Real,
    num,
    power,
    substitute,
    variable,
)
from posproof.proofs_check.search import (
    Undecided,
    prove_by_induction,
    prove_each,
    prove_identity,
    prove_nonneg,
    prove_order,
)
from posproof.theory import vocabulary
from posproof.theory.kernels import alibi as statements
from posproof.theory.kernels.alibi import ALIBI_UNDERFLOW, Underflow
from posproof.theory.vocabulary import Positive, control, proves

node = T.node
w, y, omega = variable("w", Real), variable("y", Real), variable("omega", Positive)
n, g = variable("n", Integer), variable("g", Integer)
k, j, t, K = (variable(name, Int(0)) for name in "kjtK")
m = variable("m", Positive)
LN2 = node(log(2))
ZERO = num(0)


# ---------------------------------------------------------------------- rounding to nothing
EVEN = Exists(g, Eq(n, 2 * g))
LOW, HIGH = Le(-2 * omega, 2 * w - 4 * omega * n), Le(2 * w - 4 * omega * n, 2 * omega)
STRICT = And(*(Lt(*side.args) for side in (LOW, HIGH)))


@lru_cache
def _kept_is_small() -> Theorem:
    """n = 0 |- w <= omega for a weight stored as n 2 omega."""
    return prove_nonneg(Le(w, omega), T.margin(HIGH) / 2, [HIGH, Eq(n, 0)])


@lru_cache
def _small_is_lost() -> Theorem:
    """0 <= w <= omega |- n = 0: the tie w = omega goes to the even multiple."""
    small, positive, goal = Le(w, omega), Le(0, w), Eq(n, 0)
    negative = T.contradict([HIGH, positive, Le(n, -1)])
    between = T.unpack(T.contradict([STRICT.args[0], small, Le(1, n)]), STRICT)
    even = Eq(n, 2 * g)
    half = kernel.integer_step(prove_order(Lt(0, g), [even, Le(1, n)]))
    two = T.discharge(prove_order(Le(2, n), [even, half.conclusion]), half)
    far = T.discharge(T.contradict([LOW, small, two.conclusion]), two)
    tied = kernel.choose(EVEN, g, far)
    above = kernel.cases(T.assume(Or(EVEN, STRICT)), tied, between)
    cover = kernel.instantiate(kernel.meaning("integers_apart"), n)
    return kernel.cases(cover, T.ex_falso(negative, goal), T.assume(goal), T.ex_falso(above, goal))


def _storage(premises: Sequence[Node], weight: Any, half: Any) -> tuple[Theorem, Theorem]:
    """Both lemmas about a weight and 2 omega as a statement writes them.

    `premises` are the statement's two bounds and its rule for ties.
    """
    if len(premises) != 3 or premises[2].head != "or":
        raise Undecided("another rule of rounding")
    low, high, ties = premises
    names = {w: node(weight), omega: node(half)}

    def same(wanted: Node, known: Node) -> Theorem:
        return prove_nonneg(wanted, T.margin(known), [known])

    sides = [
        same(substitute(wanted, names), known)
        for wanted, known in zip((LOW, HIGH), (low, high), strict=True)
    ]
    even, strict = ties.args
    wanted = substitute(Or(EVEN, STRICT), names)
    between = [
        same(goal, known) for goal, known in zip(wanted.args[1].args, strict.args, strict=True)
    ]
    rule = kernel.cases(
        T.assume(ties),
        T.alternative(T.assume(even), wanted),
        T.alternative(T.unpack(T.both(*between), strict), wanted),
    )
    lemmas = (kernel.specialise(lemma(), names) for lemma in (_kept_is_small, _small_is_lost))
    kept, lost = (T.discharge(lemma, *sides, rule) for lemma in lemmas)
    return kept, lost


def _later_tie(value: Any, s: Any, step: Any) -> Any:
    """Ties away from zero."""
    gap = 2 * value - 2 * s * step
    return vocabulary.And(vocabulary.Le(-step, gap), vocabulary.Lt(gap, step))


@control("ties_away_from_zero", {"p": 2, "e": 0, "w": Fraction(1, 4), "n": 1}, rounding=_later_tie)
@control(
    "half_way_rule_forgotten",
    {"p": 2, "e": 0, "w": Fraction(3, 8), "n": 1},
    threshold=lambda p, e: p - e - 1,
)
@proves(ALIBI_UNDERFLOW, "rounding")
def rounding(of: Underflow) -> Theorem:
    """The weight is at most half a step, and a half step is rounded to the even multiple."""
    premise, goal = T.inner(statements.rounding(of)).args
    positive, *stored = T.conjuncts(premise)
    kept, lost = _storage(stored, w, goal.args[1].args[1])
    return T.implication(
        T.unpack_all(T.iff(goal.args[0], goal.args[1], kept, lost), premise), premise
    )


# ---------------------------------------------------------------------- exponentials
@lru_cache
def _contrary(relation: str) -> Theorem:
    """a <= b (or a = b) and b < a exclude each other."""
    first = Node(relation, (y, w))
    return T.contradict([first, Lt(w, y)])


def _excluded(first: Theorem, second: Theorem) -> Theorem:
    """From a <= b or a = b, and b < a, of terms that need no algebra."""
    a, b = first.conclusion.args
    lemma = kernel.specialise(_contrary(first.conclusion.head), {y: a, w: b})
    return T.discharge(lemma, first, second)


@lru_cache
def _powers() -> Theorem:
    """e^(k ln 2) = 2^k."""
    return prove_by_induction(k, Eq(language.exp(k * LN2), power(2, k)))


def _line(value: Node) -> Theorem:
    """1 + value <= e^value."""
    return kernel.instantiate(kernel.meaning("exponential_above_line"), value)


@lru_cache
def _decayed(strict: bool) -> Theorem:
    """k ln 2 <= y |- e^(-y) <= 2^(-k), and the same with <."""
    order = Lt if strict else Le
    given, excess = order(k * LN2, y), y - k * LN2
    line, equal = _line(excess), _powers()
    form = language.exp(-y) * (excess + T.margin(line.conclusion))
    goal = order(language.exp(-y), power(2, -k))
    facts = [given, line.conclusion, equal.conclusion]
    return T.discharge(prove_nonneg(goal, form, facts), line, equal)


@lru_cache
def _left(strict: bool) -> Theorem:
    """y <= k ln 2 |- 2^(-k) <= e^(-y), and the same with <."""
    order = Lt if strict else Le
    given, missing = order(y, k * LN2), k * LN2 - y
    line, equal = _line(missing), _powers()
    form = power(2, -k) * (missing + T.margin(line.conclusion))
    goal = order(power(2, -k), language.exp(-y))
    facts = [given, line.conclusion, equal.conclusion]
    return T.discharge(prove_nonneg(goal, form, facts), line, equal)


def _at(lemma: Theorem, value: Any, exponent: Any, *given: Node) -> Theorem:
    """A lemma about e^(-y) and 2^(-k) at y = value and k = exponent."""
    lifted = kernel.weaken(lemma, [Le(0, node(exponent))])
    found = kernel.specialise(lifted, {y: node(value), k: node(exponent)})
    return T.discharge(found, prove_order(Le(0, node(exponent)), given))


def _as(goal: Node, theorem: Theorem) -> Theorem:
    """An inequality as a statement writes it."""
    return T.discharge(
        prove_nonneg(goal, T.margin(theorem.conclusion), [theorem.conclusion]), theorem
    )


def _zero_test(stored: Sequence[Node], weight: Any, drop: Any, T_: Any) -> tuple[Theorem, Theorem]:
    """n = 0 |- T ln 2 <= drop, and T ln 2 <= drop |- n = 0, for the weight e^(-drop)."""
    whole, half = node(weight), power(2, -node(T_))
    kept, lost = _storage(stored, whole, half)
    goal = Le(node(T_) * LN2, node(drop))
    alive = _as(Lt(half, whole), _at(_left(True), drop, T_))
    clash = _excluded(kept, alive)
    forward = T.compare(drop, goal.args[0], T.ex_falso(clash, goal), T.assume(goal))
    dead = _as(Le(whole, half), _at(_decayed(False), drop, T_))
    backward = T.discharge(lost, dead, prove_nonneg(Le(0, whole), whole))
    return forward, backward


def _half_as_steep(m: Any, d: Any) -> Any:
    return exp(-m * d / 2)


@control("half_the_slope", {"m": 1, "d": 1, "T": 1, "n": 1}, weight=_half_as_steep)
@proves(ALIBI_UNDERFLOW, "weight")
def weight(of: Underflow) -> Theorem:
    """e^(-y) <= 2^(-T) exactly where y >= T ln 2, because 1 + y <= e^y."""
    premise, goal = T.inner(statements.weight(of)).args
    found = of.weight(statements.m, statements.d)
    tests = _zero_test(T.conjuncts(premise), found, DROP, statements.T)
    return T.implication(
        T.unpack_all(T.iff(goal.args[0], goal.args[1], tests[0], tests[1]), premise), premise
    )


#: m d, as statements write it.
DROP = node(statements.m * statements.d)


@control("half_the_slope", {"m": 1, "d": 1, "T": 1, "n": 1, "delta": 1}, weight=_half_as_steep)
@proves(ALIBI_UNDERFLOW, "distance")
def distance(of: Underflow) -> Theorem:
    """T ln 2 <= m d forces delta - 1 < d, and integers that are less are less by 1."""
    premise, goal = T.inner(statements.distance(of)).args
    early, late, *stored = T.conjuncts(premise)
    found = of.weight(statements.m, statements.d)
    forward, backward = _zero_test(stored, found, DROP, statements.T)
    reached = forward.conclusion
    forward = T.discharge(_first(goal.args[1], early, reached), forward)
    there = prove_order(reached, [late, goal.args[1]])
    proof = T.iff(goal.args[0], goal.args[1], forward, T.discharge(backward, there))
    return T.implication(T.unpack_all(proof, premise), premise)


def _first(goal: Node, early: Node, reached: Node) -> Theorem:
    """delta <= d, when m (delta - 1) falls short of what m d reaches."""
    delta, d = goal.args
    excluded = T.contradict([early, reached, Le(d, delta - 1)])
    step = T.compare(
        delta - 1, d, T.assume(Lt(delta - 1, d)), T.ex_falso(excluded, Lt(delta - 1, d))
    )
    close = kernel.integer_step(step)
    return T.discharge(prove_order(goal, [close.conclusion]), close)


@control(
    "transcendental_slope",
    {"m": log(2), "d": 1, "T": 1, "N": 1, "x": 0},
    slopes=lambda m, N, x: vocabulary.Eq(m, N * log(2)),
)
@proves(ALIBI_UNDERFLOW, "no_ties")
def no_ties(of: Underflow) -> Theorem:
    """A tie is m d = T ln 2 with an algebraic m, and ln 2 is transcendental."""
    premise, goal = T.inner(statements.no_ties(of)).args
    least, slope = premise.args
    equal, product = goal.args[0], node(statements.T) * LN2
    T_ = statements.T

    tie, (found, half) = T.assume(equal), equal.args
    turned = prove_identity(Eq(half, found), [equal])
    below = _excluded(tie, _as(Lt(half, found), _at(_left(True), DROP, T_)))
    above = _excluded(turned, _as(Lt(found, half), _at(_decayed(True), DROP, T_)))
    equality = kernel.antisymmetry(
        T.compare(product, DROP, T.ex_falso(above, Le(DROP, product)), T.assume(Le(DROP, product))),
        T.compare(DROP, product, T.ex_falso(below, Le(product, DROP)), T.assume(Le(product, DROP))),
    )
    root = kernel.algebraic(node(statements.m), T.assume(slope))
    cited = T.apply(kernel.cite("logarithm_of_two_is_transcendental"), [statements.m], root)
    nonzero = [
        T.conclude_not(T.contradict([Le(1, value), Eq(value, ZERO)]), Eq(value, ZERO))
        for value in (node(statements.d), node(T_))
    ]
    positive = prove_order(Le(1, node(T_)))
    never = T.apply(
        cited, [statements.d, T_], T.both(nonzero[0], T.discharge(nonzero[1], positive))
    )
    wanted = never.conclusion.args[0]
    met = T.discharge(prove_identity(wanted, [equality.conclusion]), equality)
    proof = T.conclude_not(kernel.clash(met, never), equal)
    return T.implication(T.unpack(proof, premise), premise)


@control("one_power_later", {"m": 1, "d": 1, "e": -1, "delta": 2}, flush=lambda e: 1 - e)
@control("half_the_slope", {"m": 1, "d": 1, "e": -1, "delta": 1}, weight=_half_as_steep)
@proves(ALIBI_UNDERFLOW, "flushed")
def flushed(of: Underflow) -> Theorem:
    """The same with the smallest normal number, and strictly."""
    premise, goal = T.inner(statements.flushed(of)).args
    sign, early, late = T.conjuncts(premise)
    dead, there = goal.args
    drop, exponent = DROP, -node(statements.e)
    limit = exponent * LN2
    alive = _as(Le(dead.args[1], dead.args[0]), _at(_left(False), drop, exponent, sign))
    clash = _excluded(alive, T.assume(dead))
    reached = T.compare(limit, drop, T.assume(Lt(limit, drop)), T.ex_falso(clash, Lt(limit, drop)))
    forward = T.discharge(_first(there, early, reached.conclusion), reached)
    beyond = prove_order(Lt(limit, drop), [late, there])
    lost = _as(dead, _at(_decayed(True), drop, exponent, sign))
    proof = T.iff(dead, there, forward, T.discharge(lost, beyond))
    return T.implication(T.unpack_all(proof, premise), premise)


@control(
    "half_the_spread", {"m": 2, "d": 1, "T": 1, "n": 1, "C": 1, "s": 1, "M": -1}, spread=lambda C: C
)
@proves(ALIBI_UNDERFLOW, "content")
def content(of: Underflow) -> Theorem:
    """A content logit and the largest of its row lie within 2 C of each other."""
    premise, goal = T.inner(statements.content(of)).args
    *sizes, low, high, ties = T.conjuncts(premise)
    whole = exp(statements.s - statements.m * statements.d - statements.M)
    drop = node(statements.m * statements.d + statements.M - statements.s)
    forward, backward = _zero_test([low, high, ties], whole, drop, statements.T)
    reached = forward.conclusion
    far, zero = goal.args[0].args
    dead = T.discharge(backward, prove_order(reached, [far, *sizes]))
    near, nonzero = goal.args[1].args
    clash = T.discharge(T.contradict([reached, near, *sizes]), forward)
    alive = T.conclude_not(clash, nonzero.args[0])
    proof = T.both(T.implication(dead, far), T.implication(alive, near))
    return T.implication(T.unpack_all(proof, premise), premise)


# ---------------------------------------------------------------------- rows
@lru_cache
def _row() -> Theorem:
    """(1 - e^(-m)) times the sum of e^(-m j), j < k, is 1 - e^(-m k)."""
    terms = language.total(j, k, language.exp(-m * j))
    step = 1 - language.exp(-m)
    return prove_by_induction(k, Eq(step * terms, 1 - language.exp(-m * k)))


@lru_cache
def _decays() -> Theorem:
    """0 < y |- e^(-y) < 1."""
    line = _line(y)
    form = language.exp(-y) * (y + T.margin(line.conclusion))
    return T.discharge(
        prove_nonneg(Lt(language.exp(-y), 1), form, [Lt(0, y), line.conclusion]), line
    )


def _endless(m: Any, L: Any) -> Any:
    return 1 / (1 - exp(-m))


@control(
    "row_without_an_end",
    {"m": Fraction(1, 2), "d": 0, "T": 1, "n": 1, "L": 1},
    row_sum=_endless,
)
@proves(ALIBI_UNDERFLOW, "probability")
def probability(of: Underflow) -> Theorem:
    """The sum of the row is geometric, and both sides are divided by it."""
    premise, goal = T.inner(statements.probability(of)).args
    stored = T.conjuncts(premise)
    m_, L = node(statements.m), statements.L
    weight = of.weight(statements.m, statements.d)
    whole = node(statements.total(statements.j, L, of.weight(statements.m, statements.j)))
    share = node(weight) / whole
    half = power(2, -node(statements.T))
    kept, lost = _storage(stored, share, half)

    row = kernel.specialise(kernel.weaken(_row(), [Le(0, node(L))]), {m: m_, k: node(L)})
    row = T.discharge(row, prove_order(Le(0, node(L))))
    step = kernel.specialise(_decays(), {y: m_})
    step = T.discharge(step, prove_nonneg(Lt(0, m_), m_))
    rest = kernel.specialise(_decays(), {y: m_ * node(L)})
    rest = T.discharge(rest, prove_nonneg(Lt(0, m_ * node(L)), m_ * node(L)))
    gaps = [T.margin(fact.conclusion) for fact in (step, rest)]
    positive = prove_nonneg(
        Lt(0, whole), gaps[1] / gaps[0], [step.conclusion, rest.conclusion, row.conclusion]
    )
    facts = [row, step, rest, T.discharge(positive, row, step, rest)]
    known = [fact.conclusion for fact in facts]

    zero, small = goal.args
    below = prove_nonneg(small, whole * T.margin(kept.conclusion), [*known, kept.conclusion])
    forward = T.discharge(below, *facts, kept)
    wanted = Le(share, half)
    above = prove_nonneg(wanted, T.margin(small) / whole, [*known, small])
    never = T.discharge(prove_nonneg(Le(0, share), share, known), *facts)
    backward = T.discharge(lost, T.discharge(above, *facts), never)
    below_bar = node(2**statements.T) * node(1 - of.weight(statements.m, 1))
    denominators = [
        _nonzero(facts[-1]),
        _nonzero(
            T.discharge(
                prove_nonneg(Lt(0, below_bar), node(2**statements.T) * gaps[0], [step.conclusion]),
                step,
            )
        ),
    ]
    proof = T.discharge(T.iff(zero, small, forward, backward), *denominators)
    return T.implication(T.unpack_all(proof, premise), premise)


def _nonzero(positive: Theorem) -> Theorem:
    """a != 0 from 0 < a."""
    lemma = T.conclude_not(T.contradict([Lt(0, y), Eq(y, 0)]), Eq(y, ZERO))
    found = kernel.specialise(lemma, {y: positive.conclusion.args[1]})
    return T.discharge(found, positive)


# ---------------------------------------------------------------------- numbers
def _decided(statement: Any) -> Theorem:
    """A conjunction of comparisons of closed terms, each by its balls."""
    return prove_each(statement, _comparison)


def _comparison(part: Node) -> Theorem:
    if part.head == "and":
        return kernel.conjunction(*map(_comparison, part.args))
    return prove_identity(part) if part.head == "eq" else kernel.ground(part)


def _one_less(p: Any, e: Any) -> Any:
    return p - e - 1


@control("half_way_rule_forgotten", threshold=_one_less)
@proves(ALIBI_UNDERFLOW, "eight_heads", "eight heads, four formats")
def eight_heads(of: Underflow) -> Theorem:
    return _decided(statements.eight_heads(of))


@control("smallest_subnormal", flush=lambda e: 1 - e)
@proves(ALIBI_UNDERFLOW, "eight_heads_flushed", "eight heads, three formats")
def eight_heads_flushed(of: Underflow) -> Theorem:
    return _decided(statements.eight_heads_flushed(of))


@control("geometric_for_every_number", recipe=statements.geometric)
@control("half_way_rule_forgotten", threshold=_one_less)
@proves(ALIBI_UNDERFLOW, "twelve_heads", "twelve heads, float32, both recipes")
def twelve_heads(of: Underflow) -> Theorem:
    return _decided(statements.twelve_heads(of))


@control("half_way_rule_forgotten", threshold=_one_less)
@control("not_divided", row_sum=lambda m, L: 1)
@proves(ALIBI_UNDERFLOW, "eight_heads_probability", "eight heads, three formats")
def eight_heads_probability(of: Underflow) -> Theorem:
    return _decided(statements.eight_heads_probability(of))


@control("last_pair_counted_twice", {"D": 1, "t": 1, "K": 2}, pairs_at=lambda K, d: K - d + 1)
@proves(ALIBI_UNDERFLOW, "counts")
def counts(of: Underflow) -> Theorem:
    """A sum of falling numbers, by induction over how many there are."""
    premise, goal = T.inner(statements.counts(of)).args
    i = variable("i", Int(0))
    falling = Eq(2 * language.total(i, k, K - i), 2 * k * K - k * (k - 1))
    whole = prove_by_induction(k, falling)
    dead, every = goal.args
    first = kernel.specialise(whole, {k: node(statements.t), K: node(statements.t)})
    second = kernel.specialise(whole, {k: node(statements.K), K: node(statements.K)})
    proofs = [
        T.discharge(prove_identity(dead, [premise, first.conclusion]), first),
        T.discharge(prove_identity(every, [second.conclusion]), second),
    ]
    return T.implication(T.both(*proofs), premise)


def _all_pairs(L: int, first: list[Any]) -> Any:
    """Pairs of a key with itself left out."""
    return statements.pairs_share(L, [delta + 1 for delta in first])


def _all_triples(L: int, first: list[Any]) -> Any:
    return statements.triples_share(L, [delta + 1 for delta in first])


@control("first_distance_alive", pairs_share=_all_pairs)
@control("first_distance_alive_in_triples", triples_share=_all_triples)
@control("geometric_for_every_number", recipe=statements.geometric)
@control("half_way_rule_forgotten", threshold=_one_less)
@proves(ALIBI_UNDERFLOW, "shares", "float32, four numbers of heads, two lengths")
def shares(of: Underflow) -> Theorem:
    return _decided(statements.shares(of))
