"""Lemmas on Gram forms and class sums: what they say, and that no premise is left over."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from posproof.proofs_check import class_sums, gram
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import establishes
from posproof.proofs_check.language import ForAll, Implies, Le, Lt, num


def test_exponentials_of_gram_matrices_rest_on_nothing() -> None:
    beta = T.real("beta")
    found = gram.exponential_form(beta)
    assert not found.trusts
    goal = Le(num(0), gram.form(gram.weights(beta)))
    premises = Implies(Le(num(0), beta), Implies(gram.units(), goal))
    assert establishes(found, ForAll((gram.SIZE, gram.DIMENSION, beta), premises))
    shifted = Le(num(1), gram.form(gram.weights(beta)))
    assert not establishes(found, Implies(Le(num(0), beta), Implies(gram.units(), shifted)))


def test_schur_powers_need_no_lengths() -> None:
    found = gram.schur_power()
    assert {str(h) for h in found.hypotheses} == {"0 <= s", "0 <= t"}


def test_class_sums_fall_and_are_positive_without_premises() -> None:
    assert not class_sums.positive().hypotheses
    assert not class_sums.falling().hypotheses
    assert not class_sums.doubled().hypotheses
    b, q = T.real("beta"), class_sums.Q
    room = Le(2 * q + 2, class_sums.RING)
    here = class_sums.fall(lambda mode: class_sums.transform(b, mode), q)
    goal = Implies(Lt(num(0), b), Implies(room, Lt(num(0), here)))
    assert establishes(class_sums.falling(), ForAll((class_sums.RING, q, b), goal))
    further = Implies(Lt(num(0), b), Implies(Le(2 * q + 1, class_sums.RING), Lt(num(0), here)))
    assert not establishes(class_sums.falling(), ForAll((class_sums.RING, q, b), further))


@given(st.integers(1, 14), st.floats(0.01, 6), st.integers(1, 60))
def test_finite_steps_fall_towards_the_far_side(n: int, beta: float, steps: int) -> None:
    x = 2 * math.pi * np.arange(n) / n
    weight = (1 + beta / steps * (1 + np.cos(x))) ** steps
    values = [float((weight * np.cos(q * x)).sum()) for q in range(n // 2 + 1)]
    slack = 64 * n * 2.0**-53 * values[0] * (1 + steps)
    assert all(b <= a + slack for a, b in zip(values, values[1:], strict=False))
    assert values[-1] >= -slack
