"""Closed terms at points: absolute values, powers of balls around 0, equations read again."""

from fractions import Fraction

import pytest

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.evaluate import at_precision, scalar, truth
from posproof.proofs_check.kernel import Rejected
from posproof.proofs_check.language import (
    Eq,
    Int,
    Lt,
    Node,
    Operator,
    Real,
    cos,
    num,
    operator,
    pi,
    sin,
    unit,
    variable,
)
from posproof.proofs_check.search import Undecided, prove_same

x, y = variable("x", Real), variable("y", Real)


def absolute(term: Node) -> Node:
    return Node("abs", (term,))


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        (absolute(sin(pi / 6)), num(Fraction(1, 2)), True),
        (absolute(sin(pi * Fraction(7, 6))), num(Fraction(1, 2)), True),
        (absolute(sin(pi * Fraction(7, 6))), num(Fraction(-1, 2)), False),
        (absolute(cos(pi / 2)), num(0), True),
        (absolute(cos(pi / 2)), num(1), False),
        (absolute(absolute(sin(pi / 6)) - 1), num(Fraction(1, 2)), True),
        (absolute(cos(pi / 5)), cos(pi / 5), True),
        (absolute(cos(pi * Fraction(3, 5))), cos(pi * Fraction(3, 5)), False),
    ],
)
def test_absolute_values_of_closed_terms(left, right, expected):
    with at_precision():
        assert truth(Eq(left, right), {}) is expected


def test_a_power_of_a_ball_around_zero_has_a_value():
    nothing = sin(pi / 3) - sin(pi / 3)
    with at_precision():
        for k in (2, 3, 4):
            ball = scalar(nothing**k, {})
            assert ball.is_finite() and ball.contains(0)
        assert truth(Eq(nothing**2, num(1)), {}) is False
        assert scalar(sin(pi / 4) ** 5, {}).overlaps(scalar(sin(pi / 4) * Fraction(1, 4), {}))


def test_an_equation_is_read_again_up_to_order_and_sign():
    given = Eq(x * y + 2 * x, y)
    for wanted in (Eq(2 * x + y * x, y), Eq(y, x * (y + 2)), Eq(y - x * y, x + x)):
        assert prove_same(wanted, given).conclusion == wanted
    for other in (Eq(x * y + 2 * x, num(0) - y), Eq(2 * x * y + 4 * x, 2 * y), Eq(x, y)):
        with pytest.raises(Undecided):
            prove_same(other, given)


def test_a_wrong_combination_is_rejected():
    a, b = variable("a", Operator), variable("b", Operator)
    fact = kernel.assume(Eq(a @ b, unit))
    assert T.combined(Eq(b @ a @ b, b), (1, b, fact, unit)).conclusion == Eq(b @ a @ b, b)
    for coefficient, left, right in ((2, b, unit), (1, unit, b), (1, a, unit)):
        with pytest.raises(Rejected):
            T.combined(Eq(b @ a @ b, b), (coefficient, left, fact, right))
    with pytest.raises(Rejected):
        T.combined(Eq(b @ a, unit), (1, unit, fact, unit))


def test_an_induction_below_a_limit_needs_its_step_and_its_start():
    n, r = variable("n", Int(0)), variable("r", Int(0))

    def claim(t: Node) -> Node:
        return Eq(operator("J", t), unit)

    start = kernel.assume(claim(num(0)))

    def step(inside):
        assert inside.conclusion == Lt(r, n)
        return kernel.weaken(kernel.assume(claim(r + 1)), inside.hypotheses)

    with pytest.raises(Rejected):  # the assumed step is about r
        T.up_to(n, claim(r), r, start, step)
    with pytest.raises(Rejected):  # the start is about 1
        T.up_to(n, claim(r), r, kernel.assume(claim(num(1))), lambda _: kernel.assume(claim(r)))
