"""Proofs of `theory.dynamics.spectrum`: one function a clause, named after it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from sympy import cos, pi, sin

from posproof.proofs_check import kernel, periodic
from posproof.proofs_check import language as L
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Node, num
from posproof.proofs_check.search import prove_each, prove_identity, prove_nonneg
from posproof.theory.dynamics.spectrum import (
    BESSEL_SPECTRUM,
    K,
    N,
    Ring,
    a,
    bessel,
    g,
    i,
    k,
    k0,
    m,
    n,
    p,
    r,
    step,
    t,
    u,
    v,
    warm,
)
from posproof.theory.symbols import Variable, total
from posproof.theory.vocabulary import (
    Eq,
    Exists,
    Int,
    Integer,
    Ne,
    Real,
    control,
    proves,
)


def _half_turn(p: Any, r: Any, n: Any) -> Any:
    return pi * p * r / n


def _nonzero(positive: Theorem) -> Theorem:
    """x != 0 from 0 < x."""
    zero = Node("eq", (positive.conclusion.args[1], num(0)))
    excluded = T.contradict([positive.conclusion, zero])
    return T.discharge(T.conclude_not(excluded, zero), positive)


@control("half_the_angle", {"n": 2, "p": 1, "m": 1, "i": 1, "beta": 1}, phase=_half_turn)
@proves(BESSEL_SPECTRUM, "circulant")
def circulant(of: Ring) -> Theorem:
    """Shift the row to start at 0 and expand the wave; the odd part of an even row vanishes."""

    def row(x: Any) -> Any:
        return of.weight(p, x, n)

    def weighted(wave: Any) -> Any:
        return lambda x: row(x) * wave(of.phase(m, x, n))

    whole = _nonzero(periodic.everywhere(periodic.positive(), row, n))
    moved = periodic.everywhere(periodic.shifted(), row, n, i)
    same = Eq(total(r, n, row(r - i)), total(r, n, row(r)))
    moved = T.discharge(prove_identity(same, [moved.conclusion]), moved)
    stays = T.transport(Ne(hole, 0), hole, moved, whole)
    turned = [periodic.everywhere(periodic.shifted(), weighted(wave), n, i) for wave in (cos, sin)]
    odd = periodic.everywhere(periodic.odd_vanishes(), weighted(sin), n)
    facts = [moved, whole, stays, odd, *turned]
    given = [fact.conclusion for fact in facts]
    goal = T.inner(T.stated(BESSEL_SPECTRUM, "circulant", of))
    return T.both(*(T.discharge(prove_identity(part, given), *facts) for part in goal.args))


hole, w = Variable("hole", Real), Variable("w", Integer)


@control("half_the_angle", {"a": 1, "n": 2}, phase=_half_turn)
@proves(BESSEL_SPECTRUM, "sums_over_roots")
def sums_over_roots(of: Ring) -> Theorem:
    """Each term is 1 if n divides a; else 2 sin(pi a / n) times the sum telescopes to 0."""
    goal = T.inner(T.stated(BESSEL_SPECTRUM, "sums_over_roots", of))
    (divides, whole), (apart, zero) = (part.args for part in goal.args)
    one = T.prove_at(Eq(cos(of.phase(a, r, n)), 1), a, n * t)
    ones = kernel.sum_congruence(one, T.node(r), T.node(n))
    counted = T.discharge(prove_identity(whole, [ones.conclusion]), ones)
    forward = T.obtain(T.assume(divides), t, counted)
    vanishing = kernel.project(T.apply(T.period_sums(), [a, n], T.assume(apart)), 0)
    nothing = T.discharge(prove_identity(zero, [vanishing.conclusion]), vanishing)
    return T.both(T.implication(forward, divides), T.implication(nothing, apart))


@control("residue_ignores_p", residue=lambda k, p, m: k - m)
@control("sine_score", score=sin)
@proves(BESSEL_SPECTRUM, "coefficients")
def coefficients(of: Ring) -> Theorem:
    """2 cos x cos y = cos(y - x) + cos(y + x), under the sum."""
    return prove_each(T.stated(BESSEL_SPECTRUM, "coefficients", of), prove_identity)


@control("residue_ignores_p", residue=lambda k, p, m: k - m)
@proves(BESSEL_SPECTRUM, "binomial", "j = 0, 1, 2, 3, 5, 8, 13, 24; all n, p, m")
def binomial(of: Ring) -> Theorem:
    """Both sides are one polynomial in the cosines and sines of two angles, under the sum."""
    return prove_each(T.stated(BESSEL_SPECTRUM, "binomial", of), prove_identity)


@control("residue_ignores_p", {"n": 3, "p": 2, "m": 1, "K": 2}, residue=lambda k, p, m: k - m)
@proves(BESSEL_SPECTRUM, "aliasing")
def aliasing(of: Ring) -> Theorem:
    """Exchange the sums over tokens and orders; 2 cos x cos y = cos(x - y) + cos(x + y)."""
    wave = cos((k0 + 1) * of.phase(p, r, n)) * cos(of.phase(m, r, n))
    swapped = kernel.exchange(T.node(total(k0, K, total(r, n, bessel(k0 + 1) * wave))))
    goal = T.inner(T.stated(BESSEL_SPECTRUM, "aliasing", of))
    return T.discharge(prove_identity(goal, [swapped.conclusion]), swapped)


@control("modes_of_another_ring", {"g": 2, "N": 2, "p": 1, "m": 1, "beta": 1}, turns=lambda m, g: m)
@proves(BESSEL_SPECTRUM, "zero_modes")
def zero_modes(of: Ring) -> Theorem:
    """Token t N + s has the weight of token s; over t the waves of mode m cancel."""
    goal = T.inner(T.stated(BESSEL_SPECTRUM, "zero_modes", of))
    apart, zero = goal.args
    split = _blocks(of, m)
    s, b = Variable("r", Int(0)), Variable("t", Int(0))
    waves = T.apply(T.period_sums(), [m, g], T.assume(apart))
    cosines, sines = T.parts(waves)
    weight = of.weight(of.turns(p, g), s, of.turns(N, g))
    inner = total(b, g, weight * cos(of.phase(m, s + b * N, of.turns(N, g))))
    gone = prove_identity(Eq(inner, 0), [cosines.conclusion, sines.conclusion])
    gone = kernel.sum_congruence(T.discharge(gone, cosines, sines), T.node(s), T.node(N))
    swapped = kernel.exchange(T.node(total(b, g, total(s, N, inner.function))))
    facts = [split, swapped, gone]
    proof = T.discharge(prove_identity(zero, [f.conclusion for f in facts]), *facts)
    return T.implication(proof, apart)


def _blocks(of: Ring, mode: Any) -> Theorem:
    """The amplitude on the ring of g N tokens as g blocks of N."""
    size = of.turns(N, g)
    return periodic.at(
        periodic.blocks(),
        lambda x: of.weight(of.turns(p, g), x, size) * cos(of.phase(mode, x, size)),
        g,
        N,
    )


@control("residue_ignores_the_ring", turns=lambda m, g: m)
@proves(BESSEL_SPECTRUM, "reduction")
def reduction(of: Ring) -> Theorem:
    """Every block of N tokens repeats the first."""
    split = _blocks(of, of.turns(m, g))
    goal = T.inner(T.stated(BESSEL_SPECTRUM, "reduction", of))
    return T.discharge(prove_identity(goal, [split.conclusion]), split)


@control(
    "class_by_p", {"g": 1, "N": 5, "p": 2, "u": 3, "v": 1, "m": 1, "k": 3}, reduced=lambda u, m: m
)
@control("residue_ignores_p", residue=lambda k, p, m: k - m)
@proves(BESSEL_SPECTRUM, "classes")
def classes(of: Ring) -> Theorem:
    """From k p - m = n t: m = g (k p' - N t), and u p' = 1 + v N inverts the rest."""
    statement = T.inner(T.stated(BESSEL_SPECTRUM, "classes", of))
    inverse, (meets, reached) = statement.args[0], statement.args[1].args
    here = T.body_of(meets, w)
    mode = k * p - N * w
    landed = Exists(t, Eq(k - of.reduced(u, mode), N * t))
    turned = T.exists(landed, u * w - v * k, lambda goal: prove_identity(goal, [inverse]))
    multiple = prove_identity(Eq(m, g * mode), [here])
    found = T.exists(reached, mode, T.both(multiple, turned))
    forward = T.obtain(T.assume(meets), w, found)
    inside = T.body_of(reached, a)
    equal, whole = inside.args
    there = T.body_of(whole, w)
    given = [equal, there, inverse]
    back = T.exists(meets, p * w + a * v, lambda goal: prove_identity(goal, given))
    back = T.obtain(T.assume(whole), w, back)
    backward = T.obtain(T.assume(reached), a, T.unpack(back, inside))
    return T.implication(T.iff(meets, reached, forward, backward), inverse)


@control("half_the_angle", phase=_half_turn)
@control("sine_score", score=sin)
@proves(BESSEL_SPECTRUM, "closed_forms")
def closed_forms(of: Ring) -> Theorem:
    """Sums of at most six exponentials whose cosines are 0, 1/2 or 1 up to sign."""
    return prove_each(T.stated(BESSEL_SPECTRUM, "closed_forms", of), prove_identity)


# ---------------------------------------------------------------------- the gap against beta
@lru_cache
def _ordered_pair() -> Theorem:
    """for all y < x: 0 < (x - y) (exp(delta x) - exp(delta y))."""
    x, y, d = L.variable("x", L.Real), L.variable("y", L.Real), T.node(step)
    line = kernel.instantiate(kernel.meaning("exponential_above_line"), d * (x - y))
    above = L.Lt(y, x)
    # exp(d x) = exp(d y) exp(d (x - y)) >= exp(d y) (1 + d (x - y))
    form = (x - y) * (L.exp(d * y) * (T.margin(line.conclusion) + d * (x - y)))
    goal = L.Lt(0, (x - y) * (L.exp(d * x) - L.exp(d * y)))
    strict = prove_nonneg(goal, form, [above, line.conclusion])
    return T.generalise(T.implication(T.discharge(strict, line), above), x, y)


@lru_cache
def _any_pair() -> Theorem:
    """for all x, y: 0 <= (x - y) (exp(delta x) - exp(delta y))."""
    x, y, d = L.variable("x", L.Real), L.variable("y", L.Real), T.node(step)
    goal = L.Le(0, (x - y) * (L.exp(d * x) - L.exp(d * y)))

    def ordered(large: Node, small: Node) -> Theorem:
        strict = T.apply(_ordered_pair(), [large, small], kernel.assume(L.Lt(small, large)))
        form = strict.conclusion.args[1]
        return T.discharge(prove_nonneg(goal, form, [strict.conclusion]), strict)

    same = kernel.antisymmetry(kernel.assume(L.Le(x, y)), kernel.assume(L.Le(y, x)))
    level = T.transport(goal, x, same, prove_nonneg(L.substitute(goal, {x: y}), L.num(0)))
    proof = T.compare(y, x, ordered(x, y), T.compare(x, y, ordered(y, x), level))
    return T.generalise(proof, x, y)


def _negated(x: Any) -> Any:
    return -cos(x)


@control("repelling_scores", score=_negated)
@proves(BESSEL_SPECTRUM, "gap_falls")
def gap_falls(of: Ring) -> Theorem:
    """C(b + d) Z(b) - C(b) Z(b + d) is half the sum of w_r w_s (c_r - c_s) (e_r - e_s) > 0."""
    size = Variable("M", Int(2))
    M, x, y = T.node(size), L.variable("x", L.Real), L.variable("y", L.Real)
    row, column = L.variable("r", L.Int(0)), L.variable("s", L.Int(0))

    def cosine(at: Node) -> Node:
        return L.substitute(T.node(of.score(of.phase(1, hole, size))), {T.node(hole): at})

    def weight(at: Node) -> Node:
        return L.exp(T.node(warm) * cosine(at))

    def grown(at: Node) -> Node:
        return L.exp(T.node(step) * cosine(at))

    def term(a: Node, b: Node) -> Node:
        return weight(a) * weight(b) * ((cosine(a) - cosine(b)) * (grown(a) - grown(b)))

    def over(part: Any) -> Node:
        return L.total(row, M, part(row))

    pair = T.apply(_any_pair(), [cosine(x), cosine(y)])
    form = weight(x) * weight(y) * pair.conclusion.args[1]
    each = T.discharge(prove_nonneg(L.Le(0, term(x, y)), form, [pair.conclusion]), pair)

    # the term of r = 0, s = 1 is positive
    angle = 2 * L.pi / M
    inside = T.both(
        prove_nonneg(L.Le(0, L.num(0)), L.num(0)),
        prove_nonneg(L.Lt(0, angle), angle),
        prove_nonneg(L.Le(angle, L.pi), L.pi * (M - 2) / M),
    )
    falls = T.apply(T.cosine_decreases(), [L.num(0), angle], inside)
    first, second = L.num(0), L.num(1)
    apart = L.Lt(cosine(second), cosine(first))
    below = T.discharge(prove_nonneg(apart, T.margin(falls.conclusion), [falls.conclusion]), falls)
    strict = T.apply(_ordered_pair(), [cosine(first), cosine(second)], below)
    form = weight(first) * weight(second) * strict.conclusion.args[1]
    goal = L.Lt(0, term(first, second))
    strict = T.discharge(prove_nonneg(goal, form, [strict.conclusion]), strict)

    def selected(function: Node, at: Node, proof: Theorem) -> Theorem:
        lemma = kernel.realise(periodic.term_below(), "f", x, function)
        lemma = T.apply(lemma, [M, at])
        bound, (limit, wanted) = (
            lemma.conclusion.args[0].args[0],
            lemma.conclusion.args[0].args[1].args,
        )
        fact = kernel.specialise(proof, {x: bound})
        fact = T.discharge(prove_nonneg(wanted, fact.conclusion.args[1], [fact.conclusion]), fact)
        lemma = kernel.modus(lemma, T.generalise(T.implication(fact, limit), bound))
        inside = lemma.conclusion.args[0]
        return kernel.modus(lemma, prove_nonneg(inside, M - at))

    names = {
        L.variable("Z", L.Real): over(weight),
        L.variable("Zd", L.Real): over(lambda at: weight(at) * grown(at)),
        L.variable("C", L.Real): over(lambda at: weight(at) * cosine(at)),
        L.variable("Cd", L.Real): over(lambda at: weight(at) * grown(at) * cosine(at)),
    }
    Z, Zd, C, Cd = names
    called = [kernel.assume(L.Eq(whole, name)) for name, whole in names.items()]
    given = [fact.conclusion for fact in called]

    def line(at: Node) -> Node:
        cooled = weight(at) * grown(at)
        return cooled * (cosine(at) * Z - C) + weight(at) * (Cd - cosine(at) * Zd)

    first_row = kernel.specialise(each, {x: first, y: x})
    at_first = selected(term(first, x), second, first_row)
    some = prove_nonneg(
        L.Lt(0, line(first)),
        T.margin(at_first.conclusion) + strict.conclusion.args[1],
        [at_first.conclusion, strict.conclusion, *given],
    )
    some = T.discharge(some, at_first, strict)
    columns = kernel.sum_congruence(kernel.specialise(each, {y: column}), column, M)
    none = prove_identity(L.Eq(columns.conclusion.args[0], 0))
    level = prove_nonneg(
        L.Le(0, line(x)),
        T.margin(columns.conclusion),
        [columns.conclusion, none.conclusion, *given],
    )
    level = T.discharge(level, columns, none)
    rows = selected(line(x), first, level)
    total_form = T.margin(rows.conclusion) + line(first)
    value = L.Lt(0, Cd * Z - C * Zd)
    positive = prove_nonneg(value, total_form / 2, [rows.conclusion, some.conclusion, *given])
    positive = T.discharge(positive, rows, some)
    positive = kernel.specialise(positive, names)
    positive = T.discharge(
        positive, *(prove_identity(L.Eq(whole, whole)) for whole in names.values())
    )
    sizes = [
        _positive(names[Z], weight, M),
        _positive(names[Zd], lambda at: weight(at) * grown(at), M),
    ]
    here = {M: T.node(n) + 1}
    facts = [kernel.specialise(fact, here) for fact in (positive, *sizes)]
    goal = T.inner(T.stated(BESSEL_SPECTRUM, "gap_falls", of))
    above, *divisors = (fact.conclusion.args[1] for fact in facts)
    pairs = zip(_divisors(goal), (facts[2], facts[1]), strict=True)
    facts = [*facts, *(_as_written(side, fact) for side, fact in pairs)]
    form = above / divisors[0] / divisors[1]
    return T.discharge(prove_nonneg(goal, form, [f.conclusion for f in facts]), *facts)


def _positive(value: Node, body: Any, size: Node) -> Theorem:
    """0 < the sum of a visibly positive body."""
    x = L.variable("x", L.Real)
    found = kernel.instantiate(kernel.realise(periodic.positive(), "f", x, body(x)), size)
    bound, goal = found.conclusion.args[0].args
    every = T.generalise(prove_nonneg(goal, goal.args[1]), bound)
    found = kernel.modus(found, every)
    form = found.conclusion.args[1]
    return T.discharge(prove_nonneg(L.Lt(0, value), form, [found.conclusion]), found)


def _divisors(goal: Node) -> list[Node]:
    """What the two sides of `1 - C/Z < 1 - C'/Z'` divide by, left to right."""
    found = []
    if goal.head == "div":
        value = goal.args[1]
        found.append(value.args[0] if value.head == "pow" else value)
    for inner in goal.args:
        if isinstance(inner, Node):
            found += _divisors(inner)
    return [value for value in dict.fromkeys(found) if value.head == "sum"]


def _as_written(side: Node, fact: Theorem) -> Theorem:
    """0 < side, for a sum that is the one of the fact, written in another order."""
    form = fact.conclusion.args[1]
    return T.discharge(prove_nonneg(L.Lt(0, side), form, [fact.conclusion]), fact)
