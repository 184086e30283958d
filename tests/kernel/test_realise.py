"""An arbitrary sequence replaced by a function: what follows, and what must not."""

from __future__ import annotations

import pytest
from flint import fmpq

from posproof.proofs_check import kernel
from posproof.proofs_check.kernel import Rejected, establishes
from posproof.proofs_check.language import (
    Eq,
    Exists,
    ForAll,
    Int,
    Integer,
    Le,
    Lt,
    Node,
    Real,
    cos,
    exp,
    free_variables,
    num,
    pi,
    sequence,
    total,
    variable,
)
from posproof.proofs_check.search import prove_by_induction, prove_identity

x, y = variable("x", Real), variable("y", Real)
r, n = variable("r", Int(0)), variable("n", Int(0))


def s(at: Node) -> Node:
    return sequence("s", at)


def test_a_sum_of_any_sequence_is_the_sum_of_a_function() -> None:
    goal = Eq(total(r, n, s(r + 1) - s(r)), s(n) - s(num(0)))
    found = kernel.realise(prove_by_induction(n, goal), "s", x, cos(x * y))
    wanted = Eq(total(r, n, cos((r + 1) * y) - cos(r * y)), cos(n * y) - cos(num(0) * y))
    assert establishes(found, ForAll((n, y), wanted))


def test_hypotheses_are_replaced_too() -> None:
    given = Eq(s(x), num(1))
    found = kernel.realise(prove_identity(Eq(s(x) ** 2, num(1)), [given]), "s", x, cos(x))
    assert found.hypotheses == (Eq(cos(x), num(1)),)


def test_an_index_that_mentions_the_sequence_is_replaced_inside() -> None:
    nested = kernel.assume(Eq(s(s(x)), num(0)))
    found = kernel.realise(nested, "s", y, y + 1)
    assert found.conclusion == Eq(x + 1 + 1, num(0))


@pytest.mark.parametrize("quantifier", [ForAll, Exists])
def test_a_bound_variable_does_not_capture(quantifier: object) -> None:
    """(Q x) s(x) = 0 at s = x - y and at s = (the free) x: the bound x stays another variable."""
    theorem = kernel.assume(quantifier(x, Eq(s(num(0)), x)))  # type: ignore[operator]
    found = kernel.realise(theorem, "s", y, x + y)
    assert free_variables(found.conclusion) == {x}
    bound, body = found.conclusion.args
    assert bound != x
    assert body == Eq(x + num(0), bound)


def test_a_summation_index_does_not_capture() -> None:
    theorem = prove_identity(Eq(total(r, num(2), s(r)), s(num(0)) + s(num(1))))
    found = kernel.realise(theorem, "s", x, x * r)
    assert kernel.same(found.conclusion.args[1], num(0) * r + num(1) * r)
    index, _, body = found.conclusion.args[0].args
    assert index != r
    assert body == index * r


def test_the_fresh_name_is_free_nowhere() -> None:
    primed = variable("x'", Real)
    theorem = kernel.assume(ForAll(x, Eq(s(primed), x)))
    found = kernel.realise(theorem, "s", y, x + y)
    assert free_variables(found.conclusion) == {x, primed}


def test_another_sequence_stays() -> None:
    theorem = kernel.assume(Eq(s(x), sequence("t", x)))
    assert kernel.realise(theorem, "t", y, y).conclusion == Eq(s(x), x)


def test_a_sequence_of_integers_is_not_replaced() -> None:
    theorem = kernel.assume(Le(sequence("s", x, Integer), num(0)))
    with pytest.raises(Rejected, match="not real"):
        kernel.realise(theorem, "s", y, pi)


def test_a_function_of_an_integer_is_refused() -> None:
    k = variable("k", Integer)
    with pytest.raises(Rejected, match="real variable"):
        kernel.realise(kernel.assume(Lt(s(x), num(1))), "s", k, exp(k))


def test_a_refutation_for_one_sequence_says_nothing_about_another() -> None:
    """The choice of the sequence is an opaque hypothesis, which a replacement would detach."""
    refuted = kernel.refute(Eq(s(n), num(0)), {n: fmpq(1), "s": lambda at: fmpq(2)})
    with pytest.raises(Rejected, match="choice"):
        kernel.realise(refuted, "s", x, num(0))


def test_a_proposition_is_no_value() -> None:
    with pytest.raises(Rejected, match="scalar"):
        kernel.realise(kernel.assume(Lt(s(x), num(1))), "s", y, Eq(y, num(1)))
