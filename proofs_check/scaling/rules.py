"""Proofs of `theory.scaling.rules`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from sympy import cos, log, pi, sin

from posproof.proofs_check import kernel, language
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Node, num, substitute
from posproof.proofs_check.search import (
    prove_by_induction,
    prove_contradiction,
    prove_each,
    prove_identity,
    prove_nonneg,
    prove_order,
)
from posproof.theory.scaling import rules as statements
from posproof.theory.scaling.rules import (
    DYNAMIC_NTK,
    INTERPOLATION,
    LLAMA3,
    LONGROPE,
    NTK,
    YARN,
    Rules,
    planes,
)
from posproof.theory.vocabulary import Le, control, proves

node = T.node
hole = T.real("hole")


# ---------------------------------------------------------------------- scaling.interpolation
@control("stretched_the_other_way", interpolated=lambda theta, s: theta * s)
@control("positions_left_alone", position=lambda D, s: D)
@proves(INTERPOLATION, "score")
def interpolated_score(of: Rules) -> Theorem:
    """Plane by plane."""
    return prove_by_induction(planes, T.inner(statements.interpolated_score(of)))


@control("stretched_the_other_way", interpolated=lambda theta, s: theta * s)
@control("positions_left_alone", position=lambda D, s: D)
@proves(INTERPOLATION, "phases")
def phases(of: Rules) -> Theorem:
    """Multiplying by s > 0."""
    onto, angles = T.inner(statements.phases(of)).args
    same, back = onto.args
    s = node(statements.s)

    def scaled(given: Node, wanted: Node, by: Node) -> Theorem:
        proofs = [
            prove_nonneg(goal, by * T.margin(fact), [fact])
            for fact, goal in zip(given.args, wanted.args, strict=True)
        ]
        return T.unpack(T.both(*proofs), given)

    new, old = same.args
    both_ways = T.iff(new, old, scaled(new, old, 1 / s), scaled(old, new, s))
    return T.both(T.both(both_ways, prove_identity(back)), prove_identity(angles))


@lru_cache
def wave_is_lipschitz() -> Theorem:
    """0 <= y - x, 0 <= c, c^2 = a^2 + b^2: a cos - b sin moves by at most c (y - x) from x to y."""
    a, b, c, x, y = (T.real(name) for name in "abcxy")
    given = language.And(language.Le(0, y - x), language.Le(0, c), language.Eq(c**2, a**2 + b**2))
    ahead, _, modulus = given.args
    half, middle = (y - x) / 2, (y + x) / 2
    wave = a * language.sin(middle) + b * language.cos(middle)
    other = a * language.cos(middle) - b * language.sin(middle)
    sides = (wave, num(0) - wave)
    squares = [prove_nonneg(language.Le(v**2, c**2), other**2, [modulus]) for v in sides]
    forward = prove_order(language.Le(0, half), [ahead])
    lemmas = [
        T.apply(T.sine_above_minus(), [half], forward),
        T.apply(kernel.meaning("sine_below_line"), [half], forward),
        *(T.discharge(_below(value, c), *squares) for value in sides),
    ]
    facts = [lemma.conclusion for lemma in lemmas]
    up, down, over, under = (T.margin(fact) for fact in facts)  # half +- sin, c -+ wave
    step = a * language.cos(y) - b * language.sin(y) - (a * language.cos(x) - b * language.sin(x))
    bounds = [
        prove_nonneg(language.Le(step, c * (y - x)), down * over + up * under, facts),
        prove_nonneg(language.Le(num(0) - c * (y - x), step), up * over + down * under, facts),
    ]
    proof = T.discharge(T.both(*bounds), *lemmas)
    return T.generalise(T.implication(T.unpack(proof, given), given), a, b, c, x, y)


def _below(value: Node, c: Node) -> Theorem:
    """value^2 <= c^2, 0 <= c |- value <= c."""
    goal = language.Le(value, c)
    square = language.Le(value**2, c**2)
    clash = T.contradict([square, language.Le(0, c), language.Lt(c, value)])
    return T.compare(c, value, T.ex_falso(clash, goal), T.assume(goal))


@control("stretched_the_other_way", interpolated=lambda theta, s: theta * s)
@proves(INTERPOLATION, "resolution")
def resolution(of: Rules) -> Theorem:
    """Plane by plane: a wave moves by at most its modulus times the angle."""
    given, goal = T.inner(statements.resolution(of)).args
    s, D, end, r = (node(v) for v in (statements.s, statements.D, planes, T.natural("r")))
    claim = substitute(goal, {end: r})

    def step(wanted: Node, told: Sequence[Theorem]) -> Theorem:
        a, b, c, theta = (node(f(statements.i)) for f in _SEQUENCES)
        here = [substitute(part, {node(statements.i): r}) for part in (a, b, c)]
        turn = substitute(
            node(of.interpolated(statements.frequency(statements.i), statements.s)),
            {node(statements.i): r},
        )
        places = [turn * D, turn * (D + 1)]
        ahead = prove_nonneg(language.Le(0, places[1] - places[0]), turn)
        wave = T.parts(T.apply(wave_is_lipschitz(), [*here, *places], T.both(ahead, *told)))
        facts = [*claim.args, *(lemma.conclusion for lemma in wave)]
        proofs = [
            prove_nonneg(bound, T.margin(claim.args[k]) + T.margin(wave[k].conclusion), facts)
            for k, bound in enumerate(wanted.args)
        ]
        return T.discharge(T.both(*proofs), *wave)

    def start(wanted: Node) -> Theorem:
        return prove_each(wanted, lambda bound: prove_nonneg(bound, num(0)))

    return T.implication(T.recursion(r, claim, end, given, start, step), given)


_SEQUENCES = (statements.a, statements.b, statements.c, statements.frequency)


# ---------------------------------------------------------------------- exponentials
def _factors(product: Node) -> list[Node]:
    if product.head == "mul":
        return [factor for side in product.args for factor in _factors(side)]
    return [product]


def _exponent(factor: Node) -> Node:
    return num(0) if factor == num(1) else factor.args[0]


@lru_cache
def _product_of_exponentials() -> Theorem:
    """for all u, v: exp(u + v) = exp u exp v."""
    u, v = T.real("u"), T.real("v")
    law = language.Eq(language.exp(u + v), language.exp(u) * language.exp(v))
    return T.generalise(prove_identity(law), u, v)


@lru_cache
def _exponential_is_injective() -> Theorem:
    """for all u, v: exp u = exp v => u = v."""
    u, v = T.real("u"), T.real("v")
    equal, goal = language.Eq(language.exp(u), language.exp(v)), language.Eq(u, v)

    def excluded(low: Node, high: Node) -> Theorem:
        strict = T.parts(T.apply(T.exponential_rises(), [low, high]))[0]
        rises = kernel.modus(strict, T.assume(language.Lt(low, high)))
        clash = T.contradict([rises.conclusion, equal])
        return T.ex_falso(T.discharge(clash, rises), goal)

    proof = T.three_ways(u, v, excluded(u, v), T.assume(goal), excluded(v, u))
    return T.generalise(T.implication(proof, equal), u, v)


def _joined(product: Node) -> Theorem:
    """exp(b + c + ...) = exp b exp c ..."""
    first, *others = (_exponent(factor) for factor in _factors(product))
    whole, lemmas = first, []
    for other in others:
        lemmas.append(T.apply(_product_of_exponentials(), [whole, other]))
        whole = whole + other
    goal = language.Eq(language.exp(whole), product)
    return T.discharge(prove_identity(goal, [lemma.conclusion for lemma in lemmas]), *lemmas)


def _exponentials(goal: Node) -> Theorem:
    """exp a = exp b exp c ..., where algebra proves a = b + c + ..."""
    left, right = goal.args
    if left.head != "exp":
        return prove_identity(goal)
    joined = _joined(right)
    whole = _exponent(joined.conclusion.args[0])
    equal = prove_identity(language.Eq(_exponent(left), whole))
    pattern = language.Eq(language.exp(hole), right)
    return T.transport(pattern, hole, equal, joined)


def _equal_exponents(equation: Node) -> Theorem:
    """exp a = exp b exp c ... |- a = b + c + ..."""
    left, right = equation.args
    if left.head != "exp":
        left, right = right, left
    joined = _joined(right)
    whole = _exponent(joined.conclusion.args[0])
    same = language.Eq(left, language.exp(whole))
    known = T.discharge(prove_identity(same, [equation, joined.conclusion]), joined)
    return T.apply(_exponential_is_injective(), [_exponent(left), whole], known)


def _without_zeros(theorem: Theorem, *facts: Node) -> Theorem:
    """The hypotheses that some value is not zero removed: the facts exclude it."""
    zeros = [h.args[0] for h in theorem.hypotheses if h.head == "not" and h.args[0].head == "eq"]
    if any(fact.head == "not" for fact in facts):
        excluded = [prove_contradiction([zero, *facts]) for zero in zeros]
    else:
        excluded = [T.contradict([zero, *facts]) for zero in zeros]
    lemmas = [T.conclude_not(no, zero) for no, zero in zip(excluded, zeros, strict=True)]
    return T.discharge(theorem, *lemmas)


# ---------------------------------------------------------------------- scaling.ntk
def _times_the_factor(x: Any, y: Any, m: Any) -> Any:
    return x + y


def _one_less(x: Any, y: Any, m: Any) -> Any:
    """The exponent d / (d - 1)."""
    return x + y * 2 * m / (2 * m - 1)


@control("base_times_the_factor", rebased=_times_the_factor)
@control("exponent_of_d_minus_one", rebased=_one_less)
@proves(NTK, "ladder")
def ntk_ladder(of: Rules) -> Theorem:
    """The exponents agree."""
    return _without_zeros(_exponentials(T.inner(statements.ntk_ladder(of))))


@control("base_times_the_factor", rebased=_times_the_factor)
@control("exponent_of_d_minus_one", rebased=_one_less)
@proves(NTK, "ends")
def ntk_ends(of: Rules) -> Theorem:
    """The exponents agree at i = 0 and i = m - 1."""
    return _ends_of(of)


def _ends_of(of: Rules) -> Theorem:
    return _without_zeros(prove_each(T.inner(statements.ntk_ends(of)), _exponentials))


@control("base_divided", rebased=lambda x, y, m: x - y * m / (m - 1))
@proves(NTK, "falls")
def ntk_falls(of: Rules) -> Theorem:
    """The exponent falls by (x + y m / (m - 1)) / m."""
    given, goal = T.inner(statements.ntk_falls(of)).args
    x, y, m = (node(name) for name in (statements.x, statements.y, statements.m))
    low, high = (_exponent(side) for side in goal.args)
    below = prove_nonneg(language.Lt(low, high), x / m + y / (m - 1), list(given.args))
    rises = T.parts(T.apply(T.exponential_rises(), [low, high]))[0]
    return T.implication(T.unpack(_without_zeros(kernel.modus(rises, below)), given), given)


@control(
    "base_times_the_factor",
    {"m": 3, "i": 1, "x": 0, "y": 1, "alpha": 0, "beta": Fraction(1, 2)},
    rebased=_times_the_factor,
)
@proves(NTK, "unique")
def ntk_unique(of: Rules) -> Theorem:
    """Equal exponentials have equal exponents; two points of a line are the line."""
    given, goal = T.inner(statements.ntk_unique(of)).args
    ends = [_equal_exponents(end) for end in given.args]
    left, right = goal.args
    line = prove_identity(
        language.Eq(_exponent(left), _exponent(right)), [end.conclusion for end in ends]
    )
    pattern = language.Eq(language.exp(hole), right)
    same = T.transport(pattern, hole, T.discharge(line, *ends), prove_identity(_itself(right)))
    return T.implication(T.unpack(_without_zeros(same), given), given)


def _itself(term: Node) -> Node:
    return language.Eq(term, term)


# ---------------------------------------------------------------------- scaling.yarn
def _no_factor(theta: Any, gamma: Any, s: Any) -> Any:
    """The share that is not kept is not divided."""
    return theta * ((1 - gamma) + gamma * s)


def _exchanged(theta: Any, gamma: Any, s: Any) -> Any:
    return theta * (gamma / s + 1 - gamma)


@control("multiplied_by_the_factor", blended=_no_factor)
@proves(YARN, "bracket")
def yarn_bracket(of: Rules) -> Theorem:
    """theta' - theta / s = theta gamma (s - 1) / s, theta - theta' the same with 1 - gamma."""
    given, goal = T.inner(statements.yarn_bracket(of)).args
    facts = T.conjuncts(given)
    theta, gamma, s = (node(n) for n in (statements.theta, statements.gamma, statements.s))
    below, above = goal.args
    proofs = [
        prove_nonneg(below, theta * gamma * (s - 1) / s, facts),
        prove_nonneg(above, theta * (1 - gamma) * (s - 1) / s, facts),
    ]
    return T.implication(T.unpack_all(T.both(*proofs), given), given)


@control("shares_exchanged", blended=_exchanged)
@proves(YARN, "fixed_points")
def yarn_fixed(of: Rules) -> Theorem:
    """By algebra."""
    return prove_each(T.inner(statements.yarn_fixed(of)), prove_identity)


@control(
    "shares_exchanged",
    {"theta": 2, "phi": 1, "gamma": 1, "delta": Fraction(1, 2), "s": 4},
    blended=_exchanged,
)
@proves(YARN, "falls")
def yarn_falls(of: Rules) -> Theorem:
    """(theta - phi)(1 + delta (s - 1)) / s + theta (gamma - delta)(s - 1) / s."""
    given, goal = T.inner(statements.yarn_falls(of)).args
    names = (statements.theta, statements.phi, statements.gamma, statements.delta, statements.s)
    theta, phi, gamma, delta, s = (node(name) for name in names)
    form = (theta - phi) * (1 / s + delta * (s - 1) / s) + theta * (gamma - delta) * (s - 1) / s
    proof = prove_nonneg(goal, form, T.conjuncts(given))
    return T.implication(T.unpack_all(proof, given), given)


@lru_cache
def clipped_shares() -> Theorem:
    """for all v, V, c, C: v <= V, c and C clipped from them => 0 <= c <= C <= 1."""
    v, V, c, C = (T.real(name) for name in ("v", "V", "c", "C"))
    given = language.And(
        language.Le(v, V), node(statements.clipped(v, c)), node(statements.clipped(V, C))
    )
    ordered, low, high = given.args
    goals = [language.Le(0, c), language.Le(c, C), language.Le(C, 1)]

    def known(share: Node, which: int) -> Theorem:
        return T.parts(T.assume(share))[which]

    def concluded(facts: Sequence[Node], *equations: Theorem) -> Theorem:
        known = [ordered, *facts, *(e.conclusion for e in equations)]
        return T.discharge(T.both(*(prove_order(goal, known) for goal in goals)), *equations)

    def by_sides(
        value: Node, share: Node, then: Callable[[list[Node], Theorem], Theorem]
    ) -> Theorem:
        below, above = language.Lt(value, num(0)), language.Lt(num(1), value)
        inside = [language.Le(num(0), value), language.Le(value, num(1))]
        weak = [prove_order(language.Le(*bound.args), [bound]) for bound in (below, above)]
        at_zero = then([below], kernel.modus(known(share, 0), weak[0]))
        between = then(inside, kernel.modus(known(share, 1), T.both(*map(T.assume, inside))))
        at_one = then([above], kernel.modus(known(share, 2), weak[1]))
        return T.compare(value, num(0), at_zero, T.compare(num(1), value, at_one, between))

    proof = by_sides(
        v,
        low,
        lambda facts, first: by_sides(
            V, high, lambda more, second: concluded([*facts, *more], first, second)
        ),
    )
    return T.generalise(T.implication(T.unpack(proof, given), given), v, V, c, C)


def _shares(goal: Node, order: Theorem) -> Theorem:
    """The clipped shares of two values, from the order of the values."""
    given, _ = goal.args
    low, high = given.args
    values = [_clipped_value(share) for share in (low, high)]
    whole = T.both(order, T.assume(low), T.assume(high))
    lemma = T.apply(
        clipped_shares(), [values[0][0], values[1][0], values[0][1], values[1][1]], whole
    )
    return T.implication(T.unpack(lemma, given), given)


def _clipped_value(share: Node) -> tuple[Node, Node]:
    """v and c of `c is v clipped`."""
    premise, conclusion = share.args[0].args
    return premise.args[0], conclusion.args[0]


def _end(goal: Node, which: int, beyond: Callable[[Node], Node], facts: Sequence[Node]) -> Theorem:
    """Where the share is 0 (which = 0) or 1 (which = 2)."""
    given, _ = goal.args
    place, share = given.args
    rule = T.parts(T.assume(share))[which]
    bound = rule.conclusion.args[0]
    there = prove_nonneg(bound, beyond(place), [place, *facts])
    return T.implication(T.unpack(kernel.modus(rule, there), given), given)


def _falling_in_turns(r: Any, low: Any, high: Any) -> Any:
    return (high - r) / (high - low)


@control("falling_in_turns", kept=_falling_in_turns)
@proves(YARN, "paper_ramp")
def paper_ramp(of: Rules) -> Theorem:
    """Linear between its ends."""
    given, goal = T.inner(statements.paper_ramp(of)).args
    facts = list(given.args)
    width = node(statements.high) - node(statements.low)
    full, none, shares = goal.args
    values = [_clipped_value(share)[0] for share in shares.args[0].args]
    order = prove_nonneg(
        language.Le(*values), (node(statements.R) - node(statements.r)) / width, facts
    )
    proof = T.both(
        _end(full, 2, lambda place: T.margin(place) / width, facts),
        _end(none, 0, lambda place: T.margin(place) / width, facts),
        _shares(shares, order),
    )
    proof = _without_zeros(proof, facts[0])
    return T.implication(T.unpack(proof, given), given)


@control("rising_in_planes", kept_by_plane=lambda i, low, high: (i - low) / (high - low))
@proves(YARN, "code_ramp")
def code_ramp(of: Rules) -> Theorem:
    """Linear between its ends."""
    given, goal = T.inner(statements.code_ramp(of)).args
    width = node(statements.w) - node(statements.v)
    full, none, shares = goal.args
    values = [_clipped_value(share)[0] for share in shares.args[0].args]
    order = prove_nonneg(language.Le(*values), node(statements.k) / width, [given])
    proof = T.both(
        _end(full, 2, lambda place: T.margin(place) / width, [given]),
        _end(none, 0, lambda place: T.margin(place) / width, [given]),
        _shares(shares, order),
    )
    return T.implication(_without_zeros(proof, given), given)


@control("without_the_one", temperature=lambda s: log(s) / 10)
@proves(YARN, "temperature")
def yarn_temperature(of: Rules) -> Theorem:
    """Were ln s < 0, then s = e^(ln s) < 1."""
    at_one, above = node(statements.yarn_temperature(of)).args
    given, goal = T.inner(above).args
    low = language.Lt(node(log(statements.s)), num(0))
    strict = T.parts(T.apply(T.exponential_rises(), list(low.args)))[0]
    rises = kernel.modus(strict, T.assume(low))
    clash = T.discharge(T.contradict([rises.conclusion, given]), rises)
    value, zero = low.args
    above_zero = T.compare(
        value, zero, T.ex_falso(clash, goal), prove_order(goal, [language.Le(zero, value)])
    )
    return T.both(
        prove_identity(at_one), T.generalise(T.implication(above_zero, given), statements.s)
    )


# ---------------------------------------------------------------------- scaling.dynamic_ntk
def _nominal(length: Any, context: Any, s: Any) -> Any:
    """The plain quotient of the lengths, times the factor."""
    return s * length / context


@control("plain_quotient", growth=_nominal)
@proves(DYNAMIC_NTK, "start")
def dynamic_start(of: Rules) -> Theorem:
    """By algebra."""
    return prove_identity(T.inner(statements.dynamic_start(of)))


@control("plain_quotient", growth=_nominal)
@proves(DYNAMIC_NTK, "nominal")
def dynamic_nominal(of: Rules) -> Theorem:
    """s^2 - s + 1 - s = (s - 1)^2."""
    equal, more = T.inner(statements.dynamic_nominal(of)).args
    given, goal = more.args
    above = prove_nonneg(goal, (node(statements.s) - 1) ** 2, [given])
    return T.both(prove_each(equal, prove_identity), T.implication(above, given))


@control("without_the_factor", growth=lambda length, context, s: length / context)
@proves(DYNAMIC_NTK, "grows")
def dynamic_grows(of: Rules) -> Theorem:
    """Linear in the length."""
    step, rises = T.inner(statements.dynamic_grows(of)).args
    given, goal = rises.args
    slope = node(statements.s) / node(statements.L)
    above = prove_nonneg(goal, slope * T.margin(given), [given])
    return T.both(prove_identity(step), T.implication(above, given))


@control(
    "base_times_the_factor",
    {"m": 2, "x": 0, "y": log(2), "n": 2, "L": 1, "s": 1},
    rebased=_times_the_factor,
)
@proves(DYNAMIC_NTK, "last_plane")
def dynamic_last(of: Rules) -> Theorem:
    """The last plane of the NTK-aware base, with f for its factor."""
    given, goal = T.inner(statements.dynamic_last(of)).args
    ends = T.parts(_ends_of(of))[1]
    proof = prove_identity(goal, [given, ends.conclusion])
    return T.implication(_without_zeros(T.discharge(proof, ends)), given)


@control("one_ladder", cached=lambda theta, phi: theta)
@proves(DYNAMIC_NTK, "cache")
def dynamic_cache(of: Rules) -> Theorem:
    """At t = pi / (theta - phi) the two vectors are opposite."""
    opposite, start, together = T.inner(statements.dynamic_cache(of)).args
    apart, goal = opposite.args
    theta, phi = apart.args[0].args
    time = language.pi / (theta - phi)
    half = prove_identity(language.Eq(theta * time, phi * time + language.pi), [apart])
    w = T.real("w")

    def score(u: Node, w: Node) -> Node:
        product = language.cos(u) * language.cos(w) + language.sin(u) * language.sin(w)
        return language.Eq(product, num(-1))

    law = T.generalise(prove_identity(score(w + language.pi, w)), w)
    turned = T.transport(score(hole, phi * time), hole, half, T.apply(law, [phi * time]))
    away = T.discharge(prove_identity(goal, [turned.conclusion]), turned)
    same, value = together.args
    return T.both(
        T.implication(_without_zeros(away, apart), apart),
        prove_identity(start),
        T.implication(T.prove_at(value, phi, theta), same),
    )


# ---------------------------------------------------------------------- scaling.longrope
def _wrong_sign(x: Any, y: Any, phi: Any) -> tuple[Any, Any]:
    return x * cos(phi) + y * sin(phi), x * sin(phi) + y * cos(phi)


@control("multiplied", divided=lambda theta, lam: theta * lam)
@proves(LONGROPE, "order")
def longrope_order(of: Rules) -> Theorem:
    """Multiplying by mu / theta, and back."""
    falls, slower = T.inner(statements.longrope_order(of)).args
    theta, mu = node(statements.theta), node(statements.mu)
    forward = prove_nonneg(slower, T.margin(falls) * mu / theta, [falls])
    backward = prove_nonneg(falls, T.margin(slower) * theta / mu, [slower])
    return T.iff(falls, slower, forward, backward)


@control("one_wrong_sign", turned=_wrong_sign)
@proves(LONGROPE, "relative")
def longrope_relative(of: Rules) -> Theorem:
    """Plane by plane."""
    return prove_by_induction(planes, T.inner(statements.longrope_relative(of)))


@control("without_the_one", attention=lambda s, L: log(s) / log(L))
@proves(LONGROPE, "attention")
def longrope_attention(of: Rules) -> Theorem:
    """ln 1 = 0."""
    return prove_identity(T.inner(statements.longrope_attention(of)))


@control(
    "switched_at_the_context",
    {"theta": 1, "lambda": 1, "mu": 2, "L": 1, "v": Fraction(1, 2), "w": Fraction(1, 2)},
    beyond=lambda length, context: Le(context, length),
)
@proves(LONGROPE, "switch")
def longrope_switch(of: Rules) -> Theorem:
    """L is not beyond L, and L + 1 is."""
    given, goal = T.inner(statements.longrope_switch(of)).args
    at_context, after = (T.parts(T.assume(rule)) for rule in given.args)
    own = at_context[0].conclusion.args[0]
    inside = own.args[0]
    here = T.conclude_not(T.contradict([inside]), inside)
    values = [
        kernel.modus(at_context[0], here),
        kernel.modus(after[1], prove_order(after[1].conclusion.args[0])),
    ]
    facts = [value.conclusion for value in values]
    same, lists = goal.args[1].args
    forward = T.discharge(prove_identity(lists, [same, *facts]), *values)
    backward = T.discharge(prove_identity(same, [lists, *facts]), *values)
    proof = T.both(T.both(*values), T.iff(same, lists, forward, backward))
    return T.implication(T.unpack(proof, given), given)


# ---------------------------------------------------------------------- scaling.llama3
@control("edges_exchanged", kept=_falling_in_turns)
@proves(LLAMA3, "edges")
def llama3_edges(of: Rules) -> Theorem:
    """The share is 1 and 0 there."""
    given, goal = T.inner(statements.llama3_edges(of)).args
    apart = T.conclude_not(
        T.contradict([given, language.Eq(*given.args)]), language.Eq(*given.args)
    )
    proof = prove_each(goal, lambda edge: prove_identity(edge, [apart.conclusion]))
    return T.implication(T.discharge(proof, apart), given)


def _zone(rule: Node, which: int, *place: Theorem) -> Theorem:
    """What a frequency becomes in one of the three zones."""
    part = T.parts(T.assume(rule))[which]
    return kernel.modus(part, place[0] if len(place) == 1 else T.both(*place))


def _within(theta: Any, value: Any, of: Rules) -> Theorem:
    """l < h, 1 <= s, the rule |- theta / s <= value <= theta."""
    zones, rule = node(statements.ZONES), node(of.zoned(theta, value))
    apart, large = zones.args
    low, high, s = (node(name) for name in (statements.low, statements.high, statements.s))
    at, new, turns = node(theta), node(value), node(of.turns(theta, statements.L))
    goals = [language.Le(at / s, new), language.Le(new, at)]
    width = high - low
    shares = {
        0: (num(0), num(1)),
        1: ((turns - low) / width, (high - turns) / width),
        2: (num(1), num(0)),
    }
    zone = [
        [language.Lt(turns, low)],
        [language.Le(low, turns), language.Le(turns, high)],
        [language.Lt(high, turns)],
    ]

    def branch(which: int) -> Theorem:
        known = _zone(rule, which, *(T.assume(place) for place in zone[which]))
        facts = [known.conclusion, apart, large, *zone[which]]
        proofs = [
            prove_nonneg(goal, at * share * (s - 1) / s, facts)
            for goal, share in zip(goals, shares[which], strict=True)
        ]
        return T.discharge(T.both(*proofs), known)

    above = T.compare(high, turns, branch(2), branch(1))
    return _without_zeros(T.compare(turns, low, branch(0), above), apart)


@control(
    "multiplied_by_the_factor",
    {"theta": 3, "L": 2 * pi, "l": 2, "h": 4, "s": 2, "v": Fraction(9, 2)},
    blended=_no_factor,
)
@proves(LLAMA3, "bracket")
def llama3_bracket(of: Rules) -> Theorem:
    """theta' - theta / s = theta gamma (s - 1) / s, and 1 - gamma for the other side."""
    given = T.inner(statements.llama3_bracket(of)).args[0]
    proof = _within(statements.theta, statements.v, of)
    return T.implication(T.unpack(T.unpack(proof, given.args[0]), given), given)


@control(
    "edges_exchanged",
    {
        **{"theta": Fraction(7, 2), "phi": Fraction(5, 2), "L": 2 * pi, "l": 2, "h": 4, "s": 2},
        **{"v": Fraction(35, 16), "w": Fraction(35, 16)},
    },
    kept=_falling_in_turns,
)
@proves(LLAMA3, "rises")
def llama3_rises(of: Rules) -> Theorem:
    """A slow plane, a fast one, or both in the middle."""
    given, goal = T.inner(statements.llama3_rises(of)).args
    zones, order, slow, fast = given.args
    apart, large = zones.args
    low, high, s, theta, phi, L = (
        node(name)
        for name in (
            statements.low, statements.high, statements.s,
            statements.theta, statements.phi, statements.L,
        )
    )  # fmt: skip
    turns = [node(of.turns(name, statements.L)) for name in (statements.phi, statements.theta)]
    width = high - low

    at_slow = language.Lt(turns[0], low)
    below = _zone(slow, 0, T.assume(at_slow))
    bounds = T.parts(_within(statements.theta, statements.v, of))[0]
    facts = [below.conclusion, bounds.conclusion, order]
    first = prove_nonneg(goal, T.margin(bounds.conclusion) + T.margin(order) / s, facts)
    first = T.discharge(first, below, bounds)

    at_fast = language.Lt(high, turns[1])
    above = _zone(fast, 2, T.assume(at_fast))
    bounds = T.parts(_within(statements.phi, statements.w, of))[1]
    facts = [above.conclusion, bounds.conclusion, order]
    second = prove_nonneg(goal, T.margin(bounds.conclusion) + T.margin(order), facts)
    second = T.discharge(second, above, bounds)

    inside = [language.Le(low, turns[0]), language.Le(turns[1], high)]
    rise = L * T.margin(order) / (2 * language.pi)
    other = [
        prove_nonneg(language.Le(low, turns[1]), T.margin(inside[0]) + rise, [inside[0], order]),
        prove_nonneg(language.Le(turns[0], high), T.margin(inside[1]) + rise, [inside[1], order]),
    ]
    middle = [
        _zone(slow, 1, T.assume(inside[0]), other[1]),
        _zone(fast, 1, other[0], T.assume(inside[1])),
    ]
    share = (turns[0] - low) / width
    form = T.margin(order) * (1 / s + share * (s - 1) / s) + theta * rise / width * (s - 1) / s
    facts = [*(zone.conclusion for zone in middle), order, apart, large, *inside]
    third = T.discharge(prove_nonneg(goal, form, facts), *middle)

    rest = T.compare(high, turns[1], second, third)
    proof = _without_zeros(T.compare(turns[0], low, first, rest), apart)
    return T.implication(T.unpack(T.unpack(proof, zones), given), given)


@control("edges_exchanged", kept=_falling_in_turns)
@proves(LLAMA3, "slope")
def llama3_slope(of: Rules) -> Theorem:
    """The quadratic polynomial that theta ((1 - gamma) / s + gamma) is."""
    near, kink = T.inner(statements.llama3_slope(of)).args
    apart, value = near.args
    given, steeper = kink.args
    low, high, s = (node(name) for name in (statements.low, statements.high, statements.s))
    width = high - low
    first = _without_zeros(prove_identity(value, [apart]), apart)
    above = prove_nonneg(steeper, (s - 1) * low / (s * width), list(given.args))
    above = _without_zeros(above, given.args[0])
    return T.both(T.implication(first, apart), T.implication(T.unpack(above, given), given))
