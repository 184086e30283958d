"""An identity matrix does not factor through fewer dimensions: the rule and attacks on it."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq, fmpq_mat

from posproof.proofs_check import kernel
from posproof.proofs_check.evaluate import at_precision, truth
from posproof.proofs_check.kernel import Rejected
from posproof.proofs_check.language import Int, Node, Real, free_variables, num, variable

d, k = variable("d", Int(0)), variable("k", Int(0))


def entries(matrix: fmpq_mat) -> tuple[Fraction, ...]:
    return tuple(Fraction(int(x.p), int(x.q)) for x in matrix.entries())


def random_matrix(source: random.Random, rows: int, columns: int) -> fmpq_mat:
    return fmpq_mat(rows, columns, [source.randint(-2, 2) for _ in range(rows * columns)])


def parts(size: int, count: int, left: fmpq_mat, right: fmpq_mat) -> tuple[Any, Any]:
    """Truth of the premise and of the whole rule at two matrices."""
    whole = kernel.dimension("A", "B", d, k).conclusion
    point = {d: fmpq(size), k: fmpq(count), "A": entries(left), "B": entries(right)}
    with at_precision():
        return truth(whole.args[0], point), truth(whole, point)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_matrix_and_its_inverse_meet_the_premise(size: int) -> None:
    source = random.Random(size)
    for _ in range(20):
        left = random_matrix(source, size, size)
        if left.det() != 0:
            assert parts(size, size, left, left.inv()) == (True, True)


def test_wider_factors_meet_the_premise() -> None:
    left = fmpq_mat(2, 3, [1, 0, 5, 0, 1, 7])
    right = fmpq_mat(3, 2, [1, 0, 0, 1, 0, 0])
    assert parts(2, 3, left, right) == (True, True)


def test_no_product_through_fewer_dimensions_is_an_identity() -> None:
    source = random.Random(0)
    for _ in range(300):
        size, count = source.choice(((1, 0), (2, 0), (2, 1), (3, 1), (3, 2)))
        left, right = random_matrix(source, size, count), random_matrix(source, count, size)
        premise, whole = parts(size, count, left, right)
        assert premise is False
        assert whole is True


def test_the_product_of_the_rule_is_the_product_of_matrices() -> None:
    source = random.Random(1)
    for _ in range(100):
        size, count = source.randint(1, 3), source.randint(1, 3)
        left, right = random_matrix(source, size, count), random_matrix(source, count, size)
        identity = fmpq_mat(size, size, [int(i == j) for i in range(size) for j in range(size)])
        assert parts(size, count, left, right)[0] == (left * right == identity)


@pytest.mark.parametrize("bad", [num(Fraction(1, 2)), variable("x", Real), d / 2])
def test_sizes_are_integers(bad: Node) -> None:
    with pytest.raises(Rejected):
        kernel.dimension("A", "B", bad, k)
    with pytest.raises(Rejected):
        kernel.dimension("A", "B", d, bad)


def test_sizes_named_like_the_indices_are_not_captured() -> None:
    i, j, s = (variable(name, Int(0)) for name in "ijs")
    theorem = kernel.dimension("A", "B", i + j, s)
    assert {i, j, s} <= free_variables(theorem.conclusion)
    plain = kernel.dimension("A", "B", d + k, variable("n", Int(0)))
    renamed = kernel.specialise(plain, {d: i, k: j, variable("n", Int(0)): s})
    assert kernel.same(renamed.conclusion, theorem.conclusion)


def test_a_negative_count_is_excluded() -> None:
    whole = kernel.dimension("A", "B", num(0), num(-1)).conclusion
    with at_precision():
        assert truth(whole, {"A": (), "B": ()}) is True
