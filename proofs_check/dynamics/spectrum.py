"""Proofs of `theory.dynamics.spectrum`: one function a clause, named after it."""

from __future__ import annotations

from typing import Any

from sympy import cos, pi, sin

from posproof.proofs_check import kernel, periodic
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Node, num
from posproof.proofs_check.search import prove_each, prove_identity
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
    t,
    u,
    v,
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
