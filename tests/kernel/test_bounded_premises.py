"""A universal statement whose premise bounds an integer is decided by trying the integers."""

from __future__ import annotations

from flint import fmpq

from posproof.proofs_check.evaluate import at_precision, truth
from posproof.proofs_check.language import (
    ForAll,
    Implies,
    Int,
    Integer,
    Le,
    Node,
    Real,
    num,
    sequence,
    variable,
)

i, k, m = variable("i", Int(0)), variable("k", Integer), variable("m", Int(0))


def _below(name: Node) -> Node:
    return Implies(Le(name + 1, m), Le(sequence("a", name, Real), num(1)))


def _truth(prop: Node, **point: object) -> bool | None:
    names = {"m": m}
    with at_precision():
        return truth(prop, {names.get(n, n): value for n, value in point.items()})


def test_every_index_below_the_bound_is_tried() -> None:
    at_two = lambda index: fmpq(5 if index == 2 else 0)  # noqa: E731
    assert _truth(ForAll(i, _below(i)), m=fmpq(2), a=at_two) is True
    assert _truth(ForAll(i, _below(i)), m=fmpq(3), a=at_two) is False


def test_no_index_below_zero_makes_it_true() -> None:
    assert _truth(ForAll(i, _below(i)), m=fmpq(0), a=lambda index: fmpq(9)) is True


def test_an_unbounded_premise_decides_nothing() -> None:
    assert _truth(ForAll(k, _below(k)), m=fmpq(2), a=lambda index: fmpq(0)) is None
