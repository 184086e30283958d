"""A rational root of an integer is an integer: the theorem, and uses with false premises."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.language import (
    Eq,
    ForAll,
    Implies,
    Integer,
    Le,
    num,
    power,
    sqrt,
    variable,
)
from posproof.proofs_check.rationals import equal_parts, integer_power, integral_root
from posproof.proofs_check.search import prove_identity, prove_order


def test_the_theorems_rest_on_nothing() -> None:
    for theorem in (integer_power(), integral_root(), equal_parts()):
        assert not theorem.hypotheses
        assert not theorem.trusts


@given(st.integers(-9, 9), st.integers(1, 9), st.integers(1, 5))
def test_a_rational_root_is_an_integer(root: int, below: int, degree: int) -> None:
    value = num(root)
    premises = T.both(
        prove_order(Le(1, num(below))),
        prove_identity(Eq(num(below) * value, num(below * root))),
        prove_identity(Eq(power(value, num(degree)), num(root**degree))),
    )
    numbers = [value, num(below), num(below * root), num(root**degree), num(degree)]
    found = T.apply(integral_root(), numbers, premises)
    assert found.conclusion.head == "exists"


def test_a_denominator_below_one_is_refused() -> None:
    at_zero = T.apply(integral_root(), [num(2), num(0), num(0), num(4), num(2)])
    premise = at_zero.conclusion.args[0]
    with pytest.raises(kernel.Rejected):
        kernel.ground(premise)


def test_a_root_that_is_no_root_is_refused() -> None:
    half_of_three = num(3) / 2
    wrong = T.apply(integral_root(), [half_of_three, num(2), num(3), num(2), num(2)])
    with pytest.raises(kernel.Rejected):
        kernel.ground(wrong.conclusion.args[0])


def test_the_integer_beside_root_two_is_determined() -> None:
    a1, b1, a2, b2 = (variable(name, Integer) for name in ("a1", "b1", "a2", "b2"))
    equal = Eq(a1 + b1 * sqrt(num(2)), a2 + b2 * sqrt(num(2)))
    said = ForAll((a1, b1, a2, b2), Implies(equal, Eq(b1, b2)))
    assert kernel.same(equal_parts().conclusion, said)
