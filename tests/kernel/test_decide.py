"""Deciding a clause: how often its statement is built, and what can never be proved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from posproof.proofs_check.decide import decide
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.search import prove_identity
from posproof.proofs_check.tactics import generalise, inner, outer
from posproof.theory.symbols import variables
from posproof.theory.vocabulary import Claim, Clause, Eq, ForAll, Informal, Real, proves


@dataclass(frozen=True)
class Square:
    scale: int = 1


BUILT: list[Square] = []
(X,) = variables("x", Real)


def squares(of: Square) -> Any:
    BUILT.append(of)
    return ForAll((X,), Eq(of.scale * X * X, X**2))


CLAIM = Claim(
    "test.square",
    "A square",
    "identity",
    (
        Clause("square", "x x = x^2", squares),
        Clause("words", "squares are nice", lambda of: Informal("squares are nice")),
    ),
    Square(),
)


@proves(CLAIM, "square")
def square(of: Square) -> Theorem:
    stated = CLAIM.clause("square").statement(of)
    return generalise(prove_identity(inner(stated)), *outer(stated))


@proves(CLAIM, "words")
def words(of: Square) -> Theorem:
    return prove_identity(Eq(X, X))


def test_a_statement_is_built_once_for_each_definitions() -> None:
    BUILT.clear()
    assert decide(square, square.definitions).outcome == "holds"
    assert decide(square, Square(2)).outcome == "refuted"
    assert [Square(1), Square(2)] == BUILT


def test_an_informal_clause_cannot_be_proved() -> None:
    with pytest.raises(TypeError, match="test.square/words/exact/words claims to prove an inform"):
        decide(words, words.definitions)
