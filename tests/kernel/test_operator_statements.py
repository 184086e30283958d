"""Operators and words in statements: letters that do not commute, translated and evaluated."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest
import sympy
from flint import fmpq, fmpq_mat

from posproof.proofs_check import kernel
from posproof.proofs_check.algebra import Unsupported
from posproof.proofs_check.evaluate import letters, operator, truth
from posproof.proofs_check.language import sort
from posproof.proofs_check.search import counterexample
from posproof.proofs_check.translate import Untranslatable, node
from posproof.theory.symbols import Journey, Variable, joined, same_content, variables
from posproof.theory.vocabulary import Eq, ForAll, Implies, Letter, Real, Word

a, b, c = variables("a b c", Letter)
v, w = variables("v w", Word)
ONE = fmpq_mat(2, 2, [1, 0, 0, 1])


def model(source: random.Random) -> dict[str, fmpq_mat]:
    return {name: fmpq_mat(2, 2, [source.randint(-2, 2) for _ in range(4)]) for name in "abc"}


def grown(source: random.Random, steps: dict[str, fmpq_mat], depth: int) -> tuple[Any, fmpq_mat]:
    """A random expression and, computed beside it, its value."""
    if depth == 0:
        letter = source.choice((a, b, c))
        return letter, steps[letter.name]
    left, one = grown(source, steps, depth - 1)
    right, other = grown(source, steps, depth - 1)
    kind = source.choice(("product", "sum", "difference", "multiple", "unit"))
    if kind == "product":
        return left * right, one * other
    if kind == "sum":
        return left + right, one + other
    if kind == "difference":
        return left - right, one - other
    if kind == "multiple":
        return sympy.Rational(2, 3) * left, one * fmpq(2, 3)
    return left + 1, one + ONE


def test_translated_operators_have_the_value_of_the_expression() -> None:
    source = random.Random(0)
    for _ in range(500):
        steps = model(source)
        expression, value = grown(source, steps, source.randint(1, 3))
        translated = node(Eq(expression, a)).args[0]
        assert sort(translated) == "operator"
        assert (
            operator(translated, {"step": steps, node(a): "a", node(b): "b", node(c): "c"}) == value
        )


def test_numbers_beside_operators_are_multiples_of_the_unit() -> None:
    steps = {"step": {"a": ONE * 3}, node(a): "a"}
    assert truth(node(Eq(a, 3)), steps) is True
    assert truth(node(Eq(0, a)), steps) is False


def test_letters_of_a_word_keep_their_order() -> None:
    point = {node(a): "a", node(b): "b", node(w): ("c", "a")}
    assert letters(node(joined(b, w, a)), point) == ("b", "c", "a", "a")
    assert letters(node(joined()), point) == ()
    assert letters(node(joined(w, w)), point) == ("c", "a", "c", "a")


def test_latest_step_of_a_journey_is_leftmost() -> None:
    source = random.Random(1)
    steps = model(source)
    point = {"step": steps, node(a): "a", node(b): "b"}
    found = operator(node(Eq(Journey(joined(a, b)), a)).args[0], point)
    assert found == steps["b"] * steps["a"]


def test_rearranged_words_have_the_same_content() -> None:
    point = {node(v): ("a", "b"), node(w): ("b", "a")}
    assert truth(node(same_content(v, w)), point) is True


@pytest.mark.parametrize("wrong", [a**-1, sympy.cos(a)])
def test_no_inverse_and_no_function_of_an_operator(wrong: Any) -> None:
    with pytest.raises(Untranslatable):
        node(Eq(wrong, b))


def test_only_rational_multiples_have_an_algebra() -> None:
    statement = node(Eq(a * Variable("x", Real), b))
    with pytest.raises(Unsupported):
        kernel.free_identity(statement, [], [])


def test_a_letter_is_no_number_and_a_number_no_operator() -> None:
    x = Variable("x", Real)
    with pytest.raises((Untranslatable, TypeError)):
        node(Eq(sympy.Add(a, x), b))


FALSE = ForAll((a, b), Implies(Eq(a * a, 1), Eq(a * b, b)))
STEPS = {"s": ((0, 1), (1, 0)), "u": ((1, Fraction(1, 2)), (0, 1))}


def test_a_control_may_bring_its_own_operators() -> None:
    statement = node(FALSE)
    assert counterexample(statement) is None
    point = counterexample(statement, {"step": STEPS, "a": "s", "b": "u"})
    assert point is not None
    assert kernel.refute(statement, point).conclusion.head == "not"


def test_letters_without_an_operator_refute_nothing() -> None:
    statement = node(FALSE)
    assert counterexample(statement, {"step": STEPS, "a": "s", "b": "t"}) is None
