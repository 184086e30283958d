"""Proofs of `theory.dynamics.baseline`: one function a clause, named after it."""

from __future__ import annotations

from typing import Any

from sympy import cos, sin

from posproof.proofs_check import kernel
from posproof.proofs_check import language as L
from posproof.proofs_check import tactics as T
from posproof.proofs_check.circle import sine_subadditive
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.search import prove_each, prove_identity, prove_nonneg, prove_order
from posproof.theory.dynamics.baseline import (
    UNIFORM_BASELINE,
    Baseline,
    D,
    beta,
    c,
    chord,
    d,
    i,
    j,
    n,
    sigma,
    x,
    xi,
)
from posproof.theory.symbols import total
from posproof.theory.vocabulary import control, proves


def _one_too_many(n: Any) -> Any:
    return 1 / (n + 1)


@control("one_token_too_many", weight=_one_too_many)
@control("temperature_kept", inverse_temperature=lambda beta: beta + 1)
@proves(UNIFORM_BASELINE, "uniform")
def uniform(of: Baseline) -> Theorem:
    """Every exponential is exp(0)."""
    goal = T.inner(T.stated(UNIFORM_BASELINE, "uniform", of))
    cold, row = goal.args
    found = T.prove_at(row, beta, 0)
    whole = next(h.args[0] for h in found.hypotheses if h.head == "not")
    none = L.Eq(whole.args[0], 0)
    counted = prove_identity(L.Eq(T.node(n), 0), [none])
    excluded = T.discharge(T.contradict([counted.conclusion]), counted)
    return T.implication(T.discharge(found, T.conclude_not(excluded, none)), cold)


@control("potential_not_halved", potential=lambda square, n: square / n)
@control("one_token_too_many", weight=_one_too_many)
@proves(UNIFORM_BASELINE, "gradient")
def gradient(of: Baseline) -> Theorem:
    """A square expands; the cross terms are sums in the other order."""
    goal = T.inner(T.stated(UNIFORM_BASELINE, "gradient", of))
    mean, tangents = of.mean(lambda j: x(d * j + c)), xi(d * i + c)
    swapped = kernel.exchange(T.node(total(i, n, total(c, d, tangents * mean))))
    factor = L.variable("y", L.Real)
    inner = L.total(T.node(i), T.node(n), T.node(tangents) * factor)
    taken = prove_identity(L.Eq(inner, factor * T.node(total(i, n, tangents))))
    taken = kernel.specialise(taken, {factor: T.node(mean)})
    taken = kernel.sum_congruence(taken, T.node(c), T.node(d))
    facts = [swapped, taken]
    return T.discharge(prove_identity(goal, [f.conclusion for f in facts]), *facts)


@control("radial_part_kept", radial=lambda inner, x: 0)
@control("radial_part_doubled", radial=lambda inner, x: 2 * inner * x)
@proves(UNIFORM_BASELINE, "consensus_rate")
def consensus_rate(of: Baseline) -> Theorem:
    """<y + e xi_i, y + e mean> = 1 + e^2 <xi_i, mean>, because tangents are orthogonal to y."""
    return T.prove_tree(T.stated(UNIFORM_BASELINE, "consensus_rate", of))


@control("drawn_away", pull=lambda a, b, phi: a * sin(phi) - b * cos(phi))
@proves(UNIFORM_BASELINE, "riccati")
def riccati(of: Baseline) -> Theorem:
    """The addition theorem, under the sum."""
    return prove_each(T.stated(UNIFORM_BASELINE, "riccati", of), prove_identity)


def _pair_ratio(first: Any, second: Any, third: Any, fourth: Any) -> Any:
    return chord(first, second) / (chord(first, third) * chord(second, fourth))


@control("second_harmonic", pull=lambda a, b, phi: b * cos(2 * phi) - a * sin(phi))
@control("a_chord_missing", cross_ratio=_pair_ratio)
@proves(UNIFORM_BASELINE, "conserved")
def conserved(of: Baseline) -> Theorem:
    """Each chord changes at the rate -(c_k + c_l)/2, c = a cos + b sin; the four rates cancel."""
    return T.prove_tree(T.stated(UNIFORM_BASELINE, "conserved", of))


@control("twice_the_rate", rate=lambda D: 2 * sin(D))
@control("rate_of_the_angle", rate=lambda D: D)
@proves(UNIFORM_BASELINE, "contraction")
def contraction(of: Baseline) -> Theorem:
    """Each token pulls the ends together by sin u + sin v >= sin D, u + v = D."""
    goal = T.inner(T.stated(UNIFORM_BASELINE, "contraction", of))
    inside, shrinks = goal.args
    after = T.node(D * sin(sigma(j)) ** 2)
    before = T.node(D) - after
    low, high = inside.args
    fits = prove_order(L.Le(before + after, L.pi), [high])
    premises = (
        prove_nonneg(L.Le(0, before), T.node(D * cos(sigma(j)) ** 2), [low]),
        prove_nonneg(L.Le(0, after), after, [low]),
        fits,
    )
    each = T.apply(sine_subadditive(), [before, after], *premises)
    summed = kernel.sum_congruence(each, T.node(j), T.node(n))
    form = T.margin(summed.conclusion) / T.node(n)
    proof = T.discharge(prove_nonneg(shrinks, form, [summed.conclusion]), summed)
    return T.implication(T.unpack(proof, inside), inside)
