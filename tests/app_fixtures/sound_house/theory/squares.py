"""Two small claims about squares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from posproof.theory.vocabulary import Claim, Clause, Eq, Informal, Le


@dataclass(frozen=True)
class Squares:
    square: Callable[[int], int] = lambda x: x * x


SQUARES = Squares()

EXPANSION = Claim(
    id="squares.expansion",
    title="The square of a successor",
    kind="identity",
    clauses=(
        Clause("successor", r"(x + 1)^2 = x^2 + 2x + 1", lambda of: Eq(of.square, of.square)),
        Clause("positive", r"0 \le x^2", lambda of: Le(0, of.square)),
    ),
    definitions=SQUARES,
    hypotheses=("x is an integer",),
    source=("euclid",),
)

GROWTH = Claim(
    id="squares.growth",
    title="Squares outgrow every line",
    kind="bound",
    clauses=(Clause("above", r"x^2 \ge 2x - 1", lambda of: Informal("squares outgrow lines")),),
    definitions=SQUARES,
    depends=("squares.expansion",),
    stance="sharpened",
    reading="the sentence speaks of integers",
    revision=2,
)
