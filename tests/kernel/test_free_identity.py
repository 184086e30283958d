"""free_identity: operators that do not commute, rewritten by hypotheses."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from flint import fmpq_mat

from posproof.proofs_check import kernel
from posproof.proofs_check.evaluate import truth
from posproof.proofs_check.kernel import Rejected, establishes
from posproof.proofs_check.language import Eq, Implies, Letter, Node, num, step, variable
from posproof.proofs_check.search import Undecided, prove_free

a, b, c = (variable(name, Letter) for name in "abc")
A, B, C = step(a), step(b), step(c)
COMMUTE = Eq(A @ B, B @ A)


def word(source: random.Random, letters: tuple[Node, ...], length: int) -> Node:
    result = source.choice(letters)
    for _ in range(length - 1):
        result = result @ source.choice(letters)
    return result


def accepted(goal: Node, facts: tuple[Node, ...]) -> bool:
    try:
        theorem = prove_free(goal, facts)
    except (Undecided, Rejected):
        return False
    statement = goal
    for fact in facts:
        statement = Implies(fact, statement)
    return establishes(theorem, statement)


def model(source: random.Random) -> dict:
    """A and B are polynomials in one matrix, so they commute; C is anything."""
    base = fmpq_mat(2, 2, [source.randint(-3, 3) for _ in range(4)])
    one = fmpq_mat(2, 2, [1, 0, 0, 1])
    matrices = {
        "a": base + source.randint(-2, 2) * one,
        "b": base * base + source.randint(1, 3) * base,
        "c": fmpq_mat(2, 2, [source.randint(-3, 3) for _ in range(4)]),
    }
    return {"step": matrices, a: "a", b: "b", c: "c"}


def test_words_of_operators_that_do_not_commute_are_told_apart(tally) -> None:
    source = random.Random(1)
    while tally.false_fed < 10_000:
        length = source.randint(1, 4)
        goal = Eq(word(source, (A, B, C), length), word(source, (A, B, C), length))
        point = model(source)
        if truth(goal, point) is not False or truth(COMMUTE, point) is not True:
            continue
        tally.false_fed += 1
        if accepted(goal, (COMMUTE,)):
            tally.false_accepted += 1
            pytest.fail(f"accepted: {goal}")


def test_words_in_commuting_letters_are_equal(tally) -> None:
    source = random.Random(2)
    for _ in range(300):
        letters = [source.choice((A, B)) for _ in range(source.randint(1, 5))]
        shuffled = source.sample(letters, len(letters))
        left, right = letters[0], shuffled[0]
        for one, other in zip(letters[1:], shuffled[1:], strict=True):
            left, right = left @ one, right @ other
        tally.true_fed += 1
        tally.true_decided += accepted(Eq(left, right), (COMMUTE,))
    assert tally.true_decided > 0.9 * tally.true_fed


@pytest.mark.parametrize("factor", [Fraction(-1), Fraction(1), Fraction(2)])
def test_altered_traces_are_rejected(factor: Fraction) -> None:
    goal = Eq(C @ (A @ B), C @ (B @ A))
    good = (Fraction(1), (C,), 0, ())
    assert kernel.free_identity(goal, [COMMUTE], [good]).conclusion == goal
    for wrong in ((Fraction(1) + factor, (C,), 0, ()), (Fraction(1), (), 0, (C,))):
        with pytest.raises(Rejected):
            kernel.free_identity(goal, [COMMUTE], [wrong])
    assert accepted(Eq(num(2) * A - A, A), ())
