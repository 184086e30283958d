"""Cauchy's equation near 0, for a function that is assumed to be additive and bounded there."""

from __future__ import annotations

import pytest

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.additive import Nearby, archimedes, at_zero, proportional
from posproof.proofs_check.search import Undecided
from posproof.theory.symbols import sequence, variables
from posproof.theory.vocabulary import And, Eq, ForAll, Implies, Le, Positive, Real

s, t, x, width = *variables("s t x", Real), variables("w", Positive)[0]
f = sequence("f")


def assumed(reach: object = width) -> Nearby:
    """f on [-w, w], bounded on [-reach, reach]."""

    def close(place: object, end: object) -> tuple[Le, Le]:
        return Le(-end, place), Le(place, end)

    bounded = ForAll(t, Implies(And(*close(t, reach)), And(Le(-1, f(t)), Le(f(t), 1))))
    inside = And(*(limit for place in (s, t, s + t) for limit in close(place, width)))
    adds = ForAll((s, t), Implies(inside, Eq(f(s + t), f(s) + f(t))))
    return Nearby(f, width, T.assume(bounded), T.assume(adds))


def test_an_additive_function_vanishes_at_zero() -> None:
    near = assumed()
    theorem = at_zero(near)
    assert theorem.conclusion == T.node(Eq(f(0), 0))
    assert theorem.hypotheses == near.adds.hypotheses


def test_it_is_proportional_up_to_the_end() -> None:
    near = assumed()
    theorem = proportional(near)
    assert theorem.conclusion == T.node(Eq(width * f(x), f(width) * x))
    allowed = {near.adds.conclusion, near.bounded.conclusion}
    allowed |= {T.node(Le(0, x)), T.node(Le(x, width))}
    assert set(theorem.hypotheses) <= allowed
    assert not theorem.trusts


def test_a_bound_on_half_the_interval_does_not_reach_its_end() -> None:
    with pytest.raises(Undecided):
        proportional(assumed(width / 2))


def test_archimedes_rests_on_nothing() -> None:
    theorem = archimedes()
    assert not theorem.hypotheses and not theorem.trusts
    with pytest.raises(kernel.Rejected):
        kernel.modus(T.apply(theorem, [1, 1]), T.assume(Le(0, x)))
