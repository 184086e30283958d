"""Finite sums of operators: what the free algebra may do with them, and what it must refuse."""

import random

import pytest
from flint import fmpq, fmpq_mat

from posproof.proofs_check import kernel
from posproof.proofs_check.algebra import Unsupported, free_polynomial, index_normal
from posproof.proofs_check.evaluate import operator as value
from posproof.proofs_check.evaluate import scalar
from posproof.proofs_check.kernel import Rejected
from posproof.proofs_check.language import (
    Eq,
    Int,
    Integer,
    Malformed,
    Node,
    Operator,
    Real,
    num,
    operator,
    sequence,
    sort,
    total,
    unit,
    variable,
)
from posproof.proofs_check.search import Undecided, prove_free

i, j, n, m = (variable(name, Int(0)) for name in "ijnm")
k = variable("k", Integer)
x = variable("x", Real)
A, B = variable("A", Operator), variable("B", Operator)


def X(*at):
    return operator("X", *at)


TRUE = [
    Eq(total(j, n + 1, X(j)), total(j, n, X(j)) + X(n)),
    Eq(total(j, n + 1, X(j)), total(i, 1 + n, X(i))),
    Eq(total(j, num(0), X(j)), unit - unit),
    Eq(total(j, num(-2), X(j)), unit - unit),
    Eq(total(j, num(3), X(j)), X(0) + X(1) + X(2)),
    Eq(total(j, n, A @ X(j) @ B), A @ total(j, n, X(j)) @ B),
    Eq(total(j, n, X(j) + A), total(j, n, X(j)) + total(j, n, unit) @ A),
    Eq(total(i, n, total(j, m, X(i, j))), total(j, n, total(i, m, X(j, i)))),
    Eq(
        total(i, n + 1, total(j, i + 1, X(j))),
        total(i, n, total(j, i + 1, X(j))) + total(j, n, X(j)) + X(n),
    ),
    Eq(total(j, n, X(j) @ A @ X(n)), total(j, n, X(j) @ A) @ X(n)),
]
FALSE = [
    Eq(total(j, n, A @ X(j)), total(j, n, X(j)) @ A),
    Eq(total(j, n + 1, X(j)), total(j, n, X(j)) + X(n + 1)),
    Eq(total(j, n, X(j)), total(j, m, X(j))),
    Eq(total(j, k + 1, X(j)), total(j, k, X(j)) + X(k)),  # wrong for k < 0
    Eq(total(j, n - 1, X(j)) + X(n - 1), total(j, n, X(j))),  # wrong for n = 0
    Eq(total(j, n, X(j) @ X(j)), total(j, n, X(j)) @ total(j, n, X(j))),
    Eq(total(i, n, total(j, m, X(i, j))), total(i, m, total(j, n, X(i, j)))),
    Eq(total(i, n, total(j, i, X(j))), total(i, n, total(j, n, X(j)))),
    Eq(total(j, n, unit), unit),
    Eq(total(j, n, X(i)), total(j, n, X(j))),
    Eq(total(i, n, total(j, m, X(i) @ X(j))), total(j, m, total(i, n, X(j) @ X(i)))),
]


@pytest.mark.parametrize("statement", TRUE, ids=str)
def test_a_true_rearrangement_is_found(statement):
    assert prove_free(statement).conclusion == statement


@pytest.mark.parametrize("statement", FALSE, ids=str)
def test_a_false_rearrangement_is_refused(statement):
    with pytest.raises(Undecided):
        prove_free(statement)
    with pytest.raises(Rejected):
        kernel.free_identity(statement, [], [])


def _point(source):
    def any_matrix(*at):
        rows = random.Random(f"{[a() for a in at]}{source.seed_}")
        return fmpq_mat(2, 2, [rows.randint(-3, 3) for _ in range(4)])

    drawn = {name: fmpq(source.randint(0, 4)) for name in (i, j, n, m)}
    drawn[k] = fmpq(source.randint(-3, 3))
    matrices = {name: fmpq_mat(2, 2, [source.randint(-3, 3) for _ in range(4)]) for name in (A, B)}
    return {**drawn, **matrices, "X": any_matrix, "step": {"a": fmpq_mat(2, 2)}}


def test_true_ones_hold_at_random_points_and_false_ones_fail_somewhere():
    source = random.Random(7)
    points = []
    for seed in range(60):
        source.seed_ = seed
        points.append(_point(source))
    for statement in TRUE:
        assert all(value(statement.args[0], p) == value(statement.args[1], p) for p in points)
    for statement in FALSE:
        assert any(value(statement.args[0], p) != value(statement.args[1], p) for p in points)


def test_the_index_may_not_occur_in_the_limit_or_be_another_kind():
    for bad in (Node("sum", (j, j + 1, X(j))), Node("sum", (k, n, X(k))), Node("sum", (j, n, j))):
        if bad.args[2] == j:
            assert sort(bad) == "scalar"
            continue
        with pytest.raises(Malformed):
            sort(bad)
        with pytest.raises(Unsupported):
            free_polynomial(bad)


def test_a_sum_of_operators_is_no_number():
    assert not kernel.is_scalar(total(j, n, X(j)))
    with pytest.raises(Rejected):
        kernel.trichotomy(total(j, n, X(j)))
    assert kernel.is_scalar(total(j, n, j))


def test_indices_are_equal_exactly_when_their_polynomials_are():
    source = random.Random(3)

    def draw(depth):
        if depth == 0:
            return source.choice([n, m, num(source.randint(-2, 2)), sequence("s", n, Integer)])
        a, b = draw(depth - 1), draw(depth - 1)
        return source.choice([a + b, a - b, a * b])

    for _ in range(300):
        term = draw(3)
        point = {n: fmpq(source.randint(0, 5)), m: fmpq(source.randint(0, 5)), "s": fmpq(3)}
        assert scalar(term, point) == scalar(index_normal(term), point)
    assert index_normal(n + 1) == index_normal(1 + n) != index_normal(n + 2)
    assert index_normal(n * m - m * n) == num(0)
    assert index_normal(sequence("s", n + 1, Integer)) == index_normal(
        sequence("s", 1 + n, Integer)
    )
