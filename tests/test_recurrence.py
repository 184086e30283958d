"""Dirichlet's theorem: what the kernel's version says, and that numbers obey it."""

import math
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from posproof.proofs_check import recurrence
from posproof.proofs_check.kernel import same
from posproof.proofs_check.language import (
    And,
    Exists,
    ForAll,
    Implies,
    Int,
    Integer,
    Le,
    Lt,
    num,
    sequence,
    variable,
)
from posproof.theory.vocabulary import Positive


def test_it_is_proved_without_hypotheses_and_without_trust():
    for theorem in (recurrence.one_number(), recurrence.together(), recurrence.returns()):
        assert not theorem.hypotheses
        assert not theorem.trusts


def test_it_says_what_dirichlet_says():
    d, N, n, i = (variable(name, Int(0)) for name in "dNni")
    p, delta = variable("p", Integer), variable("delta", Positive)
    gap = n * sequence("alpha", i) - p
    close = Exists(p, And(Le(num(-1) * delta, gap), Le(gap, delta)))
    some = Exists(n, And(Le(N, n), ForAll(i, Implies(Lt(i, d), close))))
    assert same(recurrence.returns().conclusion, ForAll((d, N, delta), some))


@given(st.fractions(-10, 10, max_denominator=10**6), st.integers(1, 6))
def test_some_multiple_up_to_the_product_of_the_proof_is_close(x, Q):
    """K(1) = 1 and K(Q + 1) = K(Q)(Q + 1)."""
    gaps = (abs(k * x - round(k * x)) for k in range(1, math.factorial(Q) + 1))
    assert any(gap <= Fraction(1, Q) for gap in gaps)
