"""Proofs of `theory.dynamics.spectrum`: one function a clause, named after it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from sympy import Integer as Whole
from sympy import cos, pi, sin

from posproof.proofs_check import class_sums, kernel, periodic
from posproof.proofs_check import language as L
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Node, num
from posproof.proofs_check.search import (
    prove_each,
    prove_identity,
    prove_nonneg,
    prove_order,
    prove_same,
)
from posproof.theory.dynamics.spectrum import (
    BESSEL_SPECTRUM,
    LARGE_BETA,
    K,
    LargeBeta,
    N,
    Ring,
    a,
    bessel,
    beta,
    g,
    i,
    k,
    k0,
    large,
    m,
    n,
    p,
    q,
    r,
    rho,
    size,
    step,
    t,
    u,
    v,
    warm,
)
from posproof.theory.dynamics.spectrum import x as ring_angle
from posproof.theory.symbols import Variable, sequence, total
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
    x = T.real("x")
    excluded = T.conclude_not(T.contradict([L.Lt(0, x), L.Eq(x, 0)]), L.Eq(x, 0))
    return T.discharge(kernel.specialise(excluded, {x: positive.conclusion.args[1]}), positive)


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


def _negative_cosine(x: Any) -> Any:
    return -cos(x)


@control("repelling_scores", score=_negative_cosine)
@proves(BESSEL_SPECTRUM, "unimodal")
def unimodal(of: Ring) -> Theorem:
    """Lazy steps of a walk keep class sums falling; exp(beta (1 + cos)) is a limit of them."""
    falls, positive = T.inner(T.stated(BESSEL_SPECTRUM, "unimodal", of)).args
    room, goal = falls.args
    hot = T.node(warm)
    heated = prove_nonneg(L.Lt(0, hot), hot)
    fall = T.apply(class_sums.falling(), [hot], heated)
    fall = kernel.modus(fall, prove_order(fall.conclusion.args[0], [room]))
    scale = L.exp(hot)
    form = fall.conclusion.args[1] / scale
    fall = T.discharge(prove_nonneg(goal, form, [fall.conclusion]), fall)
    above = T.apply(class_sums.positive(), [hot], heated)
    form = above.conclusion.args[1] / scale
    above = T.discharge(prove_nonneg(positive, form, [above.conclusion]), above)
    return T.both(T.implication(fall, room), above)


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


@control("half_the_angle_of_the_score", score=lambda x: cos(x) / 2)
@proves(BESSEL_SPECTRUM, "variance")
def variance(of: Ring) -> Theorem:
    """The quotient rule; the sum of the weights is not zero."""
    goal = T.inner(T.stated(BESSEL_SPECTRUM, "variance", of))
    found = periodic.everywhere(periodic.positive(), lambda at: of.weight(1, at, n), n)
    whole = T.node(total(r, n, of.weight(1, r, n)))
    form = found.conclusion.args[1]
    mass = T.discharge(prove_nonneg(L.Lt(0, whole), form, [found.conclusion]), found)
    square = T.discharge(prove_nonneg(L.Lt(0, whole**2), whole**2, [mass.conclusion]), mass)
    facts = [_nonzero(mass), _nonzero(square)]
    proof = prove_identity(goal, [fact.conclusion for fact in facts])
    return T.discharge(proof, *facts)


# ---------------------------------------------------------------------- large beta
@lru_cache
def chords() -> Theorem:
    """for all i, x: 1 - cos(i x) <= i^2 (1 - cos x)."""
    turns, angle = T.node(i), T.real("x")
    half = angle / 2
    s, c = L.sin(half), L.cos(half)
    S, C = L.sin((turns + 1) * half), L.cos((turns + 1) * half)
    claim = L.Le(S**2, (turns + 1) ** 2 * s**2)
    base = prove_nonneg(T.instance(claim, turns, 0), num(0))
    count = turns + 1
    # (S c + C s)^2 <= (1 + 1/k) S^2 + (1 + k) s^2 for k = i + 1
    form = (S * c - count * C * s) ** 2 / count
    form = form + (1 + 1 / count) * (S**2 * s**2) + (1 + count) * (s**2 * S**2)
    form = form + (1 + 1 / count) * T.margin(claim)
    step = prove_nonneg(T.instance(claim, turns, turns + 1), form, [claim])
    squares = kernel.induct(turns, claim, base, step)
    goal = L.Le(1 - L.cos(turns * angle), turns**2 * (1 - L.cos(angle)))
    first = prove_nonneg(T.instance(goal, turns, 0), num(0))
    wanted = T.instance(goal, turns, turns + 1)
    later = prove_nonneg(wanted, 2 * T.margin(squares.conclusion), [squares.conclusion])
    found = kernel.induct(turns, goal, first, T.discharge(later, squares))
    return T.generalise(found, turns, angle)


@control("first_power", square=lambda r: r)
@proves(LARGE_BETA, "chord")
def chord(of: LargeBeta) -> Theorem:
    """|sin((k + 1) t)| <= |sin k t| + |sin t|, by induction."""
    goal = T.inner(T.stated(LARGE_BETA, "chord", of))
    found = T.apply(chords(), [i, ring_angle])
    return T.discharge(prove_nonneg(goal, T.margin(found.conclusion), [found.conclusion]), found)


N0, order = Variable("M", Int(0)), Variable("j", Int(0))


def _copies(n: Any) -> Any:
    """One neighbour instead of two."""
    return Whole(1)


@lru_cache
def without_ends() -> Theorem:
    """for all n >= 3: the sum of f over r < n is f(0) + f(1) + f(n - 1) and that of f(r + 2)."""
    f = sequence("f")
    last = Eq(total(r, N0 + 1, f(r + 2)), total(r, N0, f(r + 2)) + f(N0 + 2))
    facts = [
        periodic.at(periodic.front(), f, size - 1),
        periodic.at(periodic.front(), lambda at: f(at + 1), size - 2),
        kernel.specialise(prove_identity(last), {T.node(N0): T.node(size) - 3}),
    ]
    inner = total(r, size - 3, f(r + 2))
    goal = Eq(total(r, size, f(r)), f(0) + f(1) + f(size - 1) + inner)
    proof = prove_identity(goal, [fact.conclusion for fact in facts])
    return T.generalise(T.discharge(proof, *facts), size)


class Offsets:
    """The sums over a ring of `ring` >= 3 tokens, at mode q and any beta."""

    def __init__(self, of: LargeBeta, ring: Any) -> None:
        self.of, self.ring = of, ring
        self.count = T.node(ring)
        self.first = T.node(2 * pi * q / ring)
        self.turned = 1 - L.cos(self.first)
        self.square = (self.turned**2 + L.sin(self.first) ** 2) / 2
        self.near = T.node(of.score(of.phase(1, 1, ring)))
        self.whole = T.node(of.amplitude(1, 0, ring, beta))

    def weight(self, at: Any) -> Any:
        return self.of.weight(1, at, self.ring, beta)

    def bent(self, at: Any) -> Any:
        """The weight times 1 - cos(2 pi q at / n)."""
        return self.weight(at) * (1 - cos(self.of.phase(q, at, self.ring)))

    def positive(self) -> Theorem:
        """0 < the sum of the weights."""
        found = periodic.everywhere(periodic.positive(), self.weight, self.ring)
        goal = L.Lt(0, self.whole)
        value = found.conclusion.args[1]
        return T.discharge(prove_nonneg(goal, value, [found.conclusion]), found)

    def above_first(self) -> Theorem:
        """The weight at offset 0 is at most the sum."""
        return self.selected(periodic.term_below(), self.weight, Whole(0))

    def selected(self, lemma: Theorem, function: Any, *names: Any) -> Theorem:
        """Terms of a visibly non-negative function below its sum."""
        found = periodic.at(lemma, function, self.ring, *names)
        while found.conclusion.head == "implies":
            premise = found.conclusion.args[0]
            if premise.head == "forall":
                bound, (limit, goal) = premise.args[0], premise.args[1].args
                each = T.generalise(T.implication(self.sign(goal), limit), bound)
                found = kernel.modus(found, each)
            elif premise.head == "not":
                same = premise.args[0]
                apart = T.conclude_not(T.contradict([same]), same)
                found = kernel.modus(found, apart)
            else:
                found = kernel.modus(found, prove_order(premise))
        return found

    def sign(self, goal: Node) -> Theorem:
        """0 <= weight, or 0 <= weight (1 - cos)."""
        value = goal.args[1]
        if value.head == "exp":
            return prove_nonneg(goal, value)
        weight, turned = value.args if value.args[0].head == "exp" else reversed(value.args)
        angle = next(a for a in _cosines(turned))
        form = weight * ((1 - L.cos(angle)) ** 2 + L.sin(angle) ** 2) / 2
        return prove_nonneg(goal, form)


def _cosines(term: Node) -> list[Node]:
    """The arguments of the cosines of a term."""
    inner = [x for part in term.args if isinstance(part, Node) for x in _cosines(part)]
    return [term.args[0], *inner] if term.head == "cos" else inner


@control("three_neighbours", copies=lambda n: Whole(3))
@control("half_the_angle", phase=_half_turn)
@proves(LARGE_BETA, "lower")
def lower(of: LargeBeta) -> Theorem:
    """Keep offsets 1 and n - 1 of a sum of non-negative terms."""
    goal = T.inner(T.stated(LARGE_BETA, "lower", of))
    ring = Offsets(of, size)
    pair = ring.selected(periodic.pair_below(), ring.bent, Whole(1), size - 1)
    mass = ring.positive()
    whole = _scaled(mass, of, size)
    facts = [pair, mass, whole]
    form = T.margin(pair.conclusion) / ring.whole
    proof = prove_nonneg(goal, form, [fact.conclusion for fact in facts])
    return T.discharge(proof, *facts)


def _scaled(mass: Theorem, of: LargeBeta, ring: Any) -> Theorem:
    """0 < Z, which is the sum of the weights over exp(beta)."""
    goal = L.Lt(0, T.node(of.mass(ring, beta)))
    form = mass.conclusion.args[1] / L.exp(T.node(beta))
    return T.discharge(prove_nonneg(goal, form, [mass.conclusion]), mass)


@control(
    "every_chord_alike",
    {"n": 40, "q": 1, "beta": 0, "rho": tuple(range(40))},
    square=lambda r: Whole(1),
)
@control("one_neighbour", {"n": 3, "q": 1, "beta": 2, "rho": (0, 1, 1)}, copies=_copies)
@proves(LARGE_BETA, "upper")
def upper(of: LargeBeta) -> Theorem:
    """Z >= 1, and each chord is at most rho chords of the first offset."""
    given, goal = T.inner(T.stated(LARGE_BETA, "upper", of)).args
    ring = Offsets(of, size)
    far, few, one_more = T.node(r), T.node(size) - 3, T.node(r) + 2
    inside = L.Lt(far, few)
    choices = kernel.instantiate(kernel.assume(given), one_more)
    chosen = kernel.modus(choices, prove_order(choices.conclusion.args[0], [inside]))
    share, weight = T.node(rho(r + 2)), T.node(ring.weight(r + 2))
    goal_here = L.Le(T.node(ring.bent(r + 2)), weight * share**2 * ring.turned)
    branches = []
    for choice, turns in zip(
        chosen.conclusion.args, (one_more, ring.count - one_more), strict=True
    ):
        early = L.Le(0, turns)
        lemma = kernel.instantiate(kernel.weaken(chords(), [early]), turns)
        lemma = T.apply(lemma, [ring.first])
        form = weight * T.margin(lemma.conclusion)
        known = T.discharge(prove_nonneg(goal_here, form, [lemma.conclusion, choice]), lemma)
        branches.append(T.discharge(known, prove_order(early, [inside])))
    each = kernel.cases(chosen, *branches)
    rest = kernel.sum_congruence(each, far, few)
    ends = periodic.at(without_ends(), ring.bent, size)
    mass, first = ring.positive(), ring.above_first()
    sums = L.total(far, few, share**2 * weight) / T.node(ring.weight(1))
    high = 2 * L.exp(T.node(beta) * (ring.near - 1)) * ring.square * (1 + sums / 2)
    form = (high * T.margin(first.conclusion) + T.margin(rest.conclusion)) / ring.whole
    facts = [rest, ends, mass, first]
    proof = prove_nonneg(goal, form, [fact.conclusion for fact in facts])
    return T.implication(T.discharge(proof, *facts), given)


@control("two_copies", single=lambda n: Whole(2))
@control("sine_score", score=sin)
@proves(LARGE_BETA, "two_tokens")
def two_tokens(of: LargeBeta) -> Theorem:
    """Two exponentials."""
    return prove_each(T.stated(LARGE_BETA, "two_tokens", of), prove_identity)


class Nearest:
    """Cosines of offsets k <= r <= n - k are at most that of offset k, on a ring of n >= 4."""

    def __init__(self, of: LargeBeta) -> None:
        self.of, self.count, self.at = of, T.node(large), T.node(r)

    def angle(self, offset: Any) -> Node:
        return 2 * L.pi * T.node(offset) / self.count

    def cosine(self, k: int) -> Theorem:
        """cos(2 pi r / n) <= cos(2 pi k / n), under k <= r and r + k <= n."""
        near, far = L.num(k), self.count - k
        inside = [L.Le(near, self.at), L.Le(self.at, far)]
        goal = L.Le(L.cos(self.angle(r)), L.cos(self.angle(k)))
        branches = []
        for offset, half in (
            (self.at, L.Le(2 * self.at, self.count)),
            (self.count - self.at, L.Lt(self.count, 2 * self.at)),
        ):
            low, high = self.angle(k), 2 * L.pi * offset / self.count
            beyond = inside[0] if offset == self.at else inside[1]
            premises = T.both(
                prove_nonneg(L.Le(0, low), low),
                prove_nonneg(L.Le(low, high), 2 * L.pi * T.margin(beyond) / self.count, [beyond]),
                prove_nonneg(L.Le(high, L.pi), L.pi * T.margin(half) / self.count, [half]),
            )
            falls = T.apply(T.cosine_falls(), [low, high], premises)
            form = T.margin(falls.conclusion)
            branches.append(T.discharge(prove_nonneg(goal, form, [falls.conclusion]), falls))
        return T.compare(self.count, 2 * self.at, branches[1], branches[0])

    def weights(self, k: int) -> Theorem:
        """w_r <= w_k, under k <= r, r <= n - k and 0 <= beta."""
        below = self.cosine(k)
        hot = T.node(beta)
        small, great = (hot * side for side in below.conclusion.args)
        warmer = L.Le(0, hot)
        order = prove_nonneg(
            L.Le(small, great), hot * T.margin(below.conclusion), [warmer, below.conclusion]
        )
        order = T.discharge(order, below)
        return kernel.modus(
            kernel.project(T.apply(T.exponential_rises(), [small, great]), 1), order
        )


@control("constant_of_one", copies=_copies)
@control("half_the_angle", phase=_half_turn)
@proves(LARGE_BETA, "error")
def error(of: LargeBeta) -> Theorem:
    """1/Z >= 1 - (Z - 1) with Z - 1 <= (n - 1) w_1, and w_r <= w_2 for the other offsets."""
    warmer, goals = T.inner(T.stated(LARGE_BETA, "error", of)).args
    low, high = goals.args
    nearest, ring = Nearest(of), Offsets(of, large)
    least = _first_error(of, nearest, ring, low)
    most = _second_error(of, nearest, ring, high)
    mass = ring.positive()
    sums = [_nonzero(mass), _nonzero(_scaled(mass, of, large))]
    return T.implication(T.discharge(T.both(least, most), *sums), warmer)


def _counted(count: Node) -> Theorem:
    """The sum of 1 over r < count is the count."""
    ones = prove_identity(Eq(total(r, N0, Whole(1)), N0))
    return kernel.specialise(ones, {T.node(N0): count})


def _first_error(of: LargeBeta, nearest: Nearest, ring: Offsets, goal: Node) -> Theorem:
    pair = kernel.specialise(lower.run(of), {T.node(size): ring.count})
    mass = ring.positive()
    front = periodic.at(periodic.front(), ring.weight, large - 1)
    place, count = T.node(r) + 1, ring.count - 1
    known = kernel.specialise(nearest.weights(1), {T.node(r): place})
    inside = [
        prove_nonneg(L.Le(1, place), T.node(r)),
        prove_order(L.Le(place, ring.count - 1), [L.Le(place, count)]),
    ]
    each = T.discharge(known, *inside)
    others = kernel.sum_congruence(each, T.node(r), count)
    first = L.exp(T.node(beta) * (ring.near - 1))
    # Z - 1 <= (n - 1) w_1 / w_0
    spread = L.Le(ring.whole, L.exp(T.node(beta)) * (1 + count * first))
    facts = [others, front, _counted(count)]
    spread = T.discharge(
        prove_nonneg(spread, T.margin(others.conclusion), [f.conclusion for f in facts]), *facts
    )
    # 1/Z - (1 - m) = (m - (Z - 1) + (Z - 1) m) / Z
    one = ring.above_first()
    slack = T.margin(spread.conclusion) + T.margin(one.conclusion) * (count * first)
    form = T.margin(pair.conclusion) + 2 * first * ring.square * slack / ring.whole
    facts = [pair, mass, spread, one]
    return T.discharge(prove_nonneg(goal, form, [f.conclusion for f in facts]), *facts)


def _second_error(of: LargeBeta, nearest: Nearest, ring: Offsets, goal: Node) -> Theorem:
    point = T.real("x")
    law = kernel.realise(upper.run(of), "rho", point, point)
    law = kernel.specialise(law, {T.node(size): ring.count})
    premise = law.conclusion.args[0]
    bound, (limit, choice) = premise.args[0], premise.args[1].args
    itself = T.alternative(prove_identity(choice.args[0]), choice)
    law = kernel.modus(law, T.generalise(T.implication(itself, limit), bound))
    far, few, place = T.node(r), ring.count - 3, T.node(r) + 2
    known = kernel.specialise(nearest.weights(2), {far: place})
    inside = [
        prove_nonneg(L.Le(2, place), far),
        prove_order(L.Le(place, ring.count - 2), [L.Le(far + 1, few)]),
    ]
    known = T.discharge(known, *inside)
    weight = known.conclusion.args[0]
    second = known.conclusion.args[1]
    # the square of the representative r + 2 is at most n^2
    short = prove_order(L.Le(place, ring.count), [L.Le(far + 1, few)])
    room = ring.count - place
    goal_here = L.Le(place**2 * weight, ring.count**2 * second)
    form = place**2 * T.margin(known.conclusion) + room * (ring.count + place) * second
    each = prove_nonneg(goal_here, form, [known.conclusion, short.conclusion])
    each = T.discharge(each, known, short)
    rest = kernel.sum_congruence(each, far, few)
    # L_q (n - 3) n^2 / 2 <= L_q n^3
    near = L.exp(T.node(beta) * ring.near)
    leading = 2 * near / L.exp(T.node(beta)) * ring.square
    slack = (ring.count + 3) * ring.count**2 * second / 2
    form = T.margin(law.conclusion) + leading / near * (T.margin(rest.conclusion) / 2 + slack)
    facts = [law, rest, _counted(few)]
    return T.discharge(prove_nonneg(goal, form, [f.conclusion for f in facts]), *facts)


# ---------------------------------------------------------------------- small beta
def _power(of: LargeBeta, j: Any, m: Any, ring: Any = n) -> Any:
    return of.power(j, 1, m, ring)


@lru_cache
def _recurrence(of: LargeBeta) -> Theorem:
    """2 b_(j + 1)(m) = b_j(m - 1) + b_j(m + 1)."""
    after = _power(of, order, m - 1) + _power(of, order, m + 1)
    return prove_identity(Eq(2 * _power(of, order + 1, m), after))


@lru_cache
def _early(of: LargeBeta) -> Theorem:
    """for all m: j < m < n - j => b_j(m) = 0, by induction on j."""
    j, mode, count = T.node(order), T.node(m), T.node(n)

    def claim(at: Node) -> Node:
        inside = L.And(L.Lt(at, mode), L.Lt(mode + at, count))
        return L.Implies(inside, L.substitute(T.node(Eq(_power(of, order, m), 0)), {j: at}))

    inside, zero = claim(num(0)).args
    some = T.node(k)
    multiple = L.Eq(mode, count * some)
    excluded = [L.Lt(0, mode), L.Lt(mode, count), multiple]
    close = T.one_apart(some, num(1))
    few = T.discharge(T.contradict([*excluded, close.conclusion]), close)
    never = T.compare(some, 1, few, T.contradict([*excluded, L.Le(1, some)]))
    existence = L.Exists(some, multiple)
    apart = T.conclude_not(T.obtain(kernel.assume(existence), k, never), existence)
    waves = kernel.project(T.apply(T.period_sums(), [m, n], apart), 0)
    base = T.discharge(prove_identity(zero, [waves.conclusion]), waves)
    first = [prove_order(part, inside.args) for part in excluded[:2]]
    base = T.implication(T.unpack(T.discharge(base, *first), inside), inside)

    statement = L.ForAll(mode, claim(j))
    inside, zero = claim(j + 1).args
    facts = [_recurrence(of)]
    for side in (mode - 1, mode + 1):
        known = kernel.instantiate(kernel.assume(statement), side)
        room = [prove_order(part, inside.args) for part in known.conclusion.args[0].args]
        facts.append(kernel.modus(known, T.both(*room)))
    step = T.discharge(prove_identity(zero, [f.conclusion for f in facts]), *facts)
    step = T.implication(T.unpack(step, inside), inside)
    return kernel.induct(j, statement, T.generalise(base, mode), T.generalise(step, mode))


@lru_cache
def _first(of: LargeBeta) -> Theorem:
    """2 q < n => 2^q b_q(q) = n, by induction on q."""
    mode, count = T.node(q), T.node(n)
    statement = L.Implies(L.Lt(2 * mode, count), T.node(Eq(2**q * _power(of, q, q), n)))
    base = T.instance(statement, mode, 0)
    base = T.implication(prove_identity(base.args[1]), base.args[0])
    room, goal = T.instance(statement, mode, mode + 1).args
    here = kernel.modus(kernel.assume(statement), prove_order(L.Lt(2 * mode, count), [room]))
    facts = [here, *_neighbours(of, [room])]
    step = T.discharge(prove_identity(goal, [f.conclusion for f in facts]), *facts)
    return kernel.induct(mode, statement, base, T.implication(step, room))


def _neighbours(of: LargeBeta, room: list[Node]) -> list[Theorem]:
    """2 b_(q + 1)(q + 1) = b_q(q) + b_q(q + 2), and that the last is 0 where there is room."""
    mode = T.node(q)
    twice = kernel.specialise(_recurrence(of), {T.node(order): mode, T.node(m): mode + 1})
    beyond = kernel.instantiate(kernel.specialise(_early(of), {T.node(order): mode}), mode + 2)
    inside = [prove_order(part, room) for part in beyond.conclusion.args[0].args]
    return [twice, kernel.modus(beyond, T.both(*inside))]


@control("half_the_angle", phase=_half_turn)
@control("sine_score", score=sin)
@proves(LARGE_BETA, "orders")
def orders(of: LargeBeta) -> Theorem:
    """One power more reaches one mode further on both sides."""
    early, first = T.inner(T.stated(LARGE_BETA, "orders", of)).args
    bound, body = early.args
    known = kernel.specialise(_early(of), {T.node(order): bound})
    known = kernel.instantiate(known, T.node(q))
    inside, zero = body.args
    room = [prove_order(part, inside.args) for part in known.conclusion.args[0].args]
    found = kernel.modus(known, T.both(*room))
    found = T.discharge(prove_identity(zero, [found.conclusion]), found)
    found = T.implication(T.unpack(found, inside), inside)
    return T.both(T.generalise(found, bound), _first(of))


@control("half_the_angle", phase=_half_turn)
@control("sine_score", score=sin)
@proves(LARGE_BETA, "middle_order")
def middle_order(of: LargeBeta) -> Theorem:
    """Modes q and q + 2 are mirror images on the ring of 2 (q + 1) tokens."""
    goal = T.inner(T.stated(LARGE_BETA, "middle_order", of))
    mode = T.node(q)
    ring = {T.node(n): 2 * (mode + 1)}
    twice = kernel.specialise(_recurrence(of), {T.node(order): mode, T.node(m): mode + 1})
    twice = kernel.specialise(twice, ring)
    here = kernel.specialise(_first(of), ring)
    here = kernel.modus(here, prove_order(here.conclusion.args[0]))
    mirror = prove_identity(Eq(_power(of, order, n - m), _power(of, order, m)))
    mirror = kernel.specialise(mirror, {**ring, T.node(order): mode, T.node(m): mode})
    # the three equations with names for the three sums
    A, B, C = (T.real(name) for name in "ABC")
    power, size = L.power(L.num(2), mode), 2 * (mode + 1)
    given = [L.Eq(2 * A, B + C), L.Eq(C, B), L.Eq(power * B, size)]
    above, whole = goal.args
    lemma = prove_identity(L.Eq(above.args[0] * A, whole), given)
    sums = {A: above.args[1], B: mirror.conclusion.args[1], C: mirror.conclusion.args[0]}
    found = kernel.specialise(lemma, sums)
    twice = T.discharge(prove_same(found.hypotheses[0], twice.conclusion), twice)
    return T.discharge(found, twice, mirror, here)
