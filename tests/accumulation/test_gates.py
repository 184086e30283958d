"""Gated rotations: proofs, products against closed forms, reference values."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics.accumulation import gates as measured
from posproof.proofs_check import tactics as T
from posproof.proofs_check.language import ForAll, Implies, Int, Le, Lt, num, sequence, variable
from posproof.theory.accumulation.gates import GATED_ROTATIONS

CLAIMS = [GATED_ROTATIONS]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


# ---------------------------------------------------------------------- reference values
def test_mean_and_variance_at_squared_distance_two():
    import mpmath

    with mpmath.workdps(40):
        mean, variance = mpmath.exp(-1), (1 - mpmath.exp(-2)) ** 2 / 2
        assert abs(mean - mpmath.mpf("0.367879441171442321595523770161")) < mpmath.mpf(10) ** -29
        assert (
            abs(variance - mpmath.mpf("0.373822536207754398252859515664")) < mpmath.mpf(10) ** -29
        )


@given(
    st.lists(st.tuples(st.floats(-1, 1), st.floats(-7, 7)), min_size=1, max_size=20),
    st.integers(0, 20),
    st.integers(0, 20),
)
def test_transports_compose(steps, first, second):
    """P(t, i) P(i, j) = P(t, j): quotients of prefix products."""
    gates, angles = np.array(steps).T
    prefix = measured.transports(gates, angles)
    j, i = sorted((first % len(prefix), second % len(prefix)))
    t = len(prefix) - 1
    whole = prefix[t] / prefix[j]
    composed = (prefix[t] / prefix[i]) * (prefix[i] / prefix[j])
    # Four complex divisions and a product, each off by a few units in the last place.
    assert abs(composed - whole) <= 32 * 2.0**-53 * abs(whole)


@given(st.lists(st.floats(-0.7, 0.7), min_size=4, max_size=4), st.integers(0, 2**32))
def test_softmax_weight_is_a_gaussian_of_the_distance(q, seed):
    """exp(q . k) = exp((|q|^2 + |k|^2) / 2) exp(-|q - k|^2 / 2) in floats, |q|, |k| <= 1.5."""
    q, key = np.array(q), np.random.default_rng(seed).uniform(-0.7, 0.7, 4)
    left = math.exp(float(q @ key))
    right = math.exp(float(q @ q + key @ key) / 2) * math.exp(-float((q - key) @ (q - key)) / 2)
    # Exponents of at most 8 with a dozen roundings each.
    assert abs(left - right) <= 8 * 12 * 2.0**-53 * left


# ---------------------------------------------------------------------- the general additions
def test_a_sum_of_nonnegative_terms_bounds_each():
    k, upper = variable("k", Int(0)), variable("N", Int(0))
    body = sequence("f", k)
    theorem = T.term_below_sum(body, k, upper)
    positive = ForAll(k, Implies(Lt(k, upper), Le(num(0), body)))
    assert theorem.hypotheses == (positive,)
    assert theorem.conclusion.args[1].args[1].args[1].head == "le"


def test_what_is_taken_out_of_a_sum_may_be_a_sum():
    k, upper = variable("k", Int(0)), variable("N", Int(0))
    factor = T.total(k, upper, sequence("g", k))
    theorem = T.taken_out(k, upper, sequence("f", k), factor)
    assert not theorem.hypotheses
    assert theorem.conclusion.args[1] == factor * T.total(k, upper, sequence("f", k))


def test_listed_sequences_may_hold_fractions():
    from posproof.proofs_check.evaluate import at_precision, truth
    from posproof.proofs_check.render import point_text

    half = (Fraction(1, 2), Fraction(3))
    with at_precision():
        assert truth(Le(sequence("f", 0), num(Fraction(1, 2))), {"f": half}) is True
        assert truth(Lt(sequence("f", 0), num(Fraction(1, 2))), {"f": half}) is False
    assert point_text({"f": half}) == "f = (1/2, 3)"
