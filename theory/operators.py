"""Terms for operators, letters and words, which SymPy does not have.

Main definitions
----------------
unknowns                        variables over the operators
append, concat, back, EMPTY     words of letters; `back(a)` is the step that undoes a
step, journey                   fixed operators T_a and their ordered product along a word
summed                          a finite sum of operators over index = 0 .. upper - 1
operators, transport            operators stored at places, and their ordered product along a word
Norm, isometry                  a seminorm of operators, and the operators that keep it
same_place                     words that lead to the same place

Conventions
-----------
Operators are elements of any ring, matrices of any size among them.  The latest step is leftmost,
and a step uses the operator stored where it departs.  Letters and words are
`theory.symbols.Variable`s over `Letter` and `Word`.  Where only letters are multiplied, SymPy's own
products of letters (see `theory.symbols`) say the same with less.  A word that is an argument of an
operator-valued function stands for its displacement.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Any

import sympy

from posproof.theory.symbols import Variable
from posproof.theory.vocabulary import Domain, Operator, Predicate, Prop


@dataclass(frozen=True)
class Term:
    """A term that is not a number: `head` names it, `args` are terms, variables or names."""

    head: str
    args: tuple[Any, ...] = ()

    def __matmul__(self, other: Any) -> Term:
        return Term("compose", (self, other))

    def __rmatmul__(self, other: Any) -> Term:
        return Term("compose", (other, self))

    def __add__(self, other: Any) -> Term:
        return Term("add", (self, other))

    def __radd__(self, other: Any) -> Term:
        return Term("add", (other, self))

    def __sub__(self, other: Any) -> Term:
        return Term("sub", (self, other))

    def __rsub__(self, other: Any) -> Term:
        return Term("sub", (other, self))


class Unknown(Variable):
    """A variable over the operators, with the arithmetic of `Term`."""

    __slots__ = ()

    def __new__(cls, name: str, domain: Domain = Operator) -> Unknown:
        return super().__new__(cls, name, domain)

    def __matmul__(self, other: Any) -> Term:
        return Term("compose", (self, other))

    def __rmatmul__(self, other: Any) -> Term:
        return Term("compose", (other, self))

    def __add__(self, other: Any) -> Term:
        return Term("add", (self, other))

    def __sub__(self, other: Any) -> Term:
        return Term("sub", (self, other))


def unknowns(names: str) -> tuple[Unknown, ...]:
    """Variables over the operators, from a blank-separated list of names."""
    return tuple(Unknown(name) for name in names.split())


EMPTY, UNIT = Term("empty"), Term("unit")
ZERO = UNIT - UNIT


def append(word: Any, *letters: Any) -> Any:
    """The word followed by letters."""
    return reduce(lambda w, a: Term("append", (w, a)), letters, word)


def concat(left: Any, right: Any) -> Term:
    """One word after the other."""
    return Term("concat", (left, right))


def spelled(*letters: Any) -> Any:
    """The word of the given letters."""
    return append(EMPTY, *letters)


def back(letter: Any) -> Term:
    """The letter of the step that undoes `letter`."""
    return Term("back", (letter,))


def step(letter: Any) -> Term:
    """The fixed operator T_a of a letter."""
    return Term("step", (letter,))


def journey(word: Any) -> Term:
    """J(empty) = 1, J(w a) = T_a J(w)."""
    return Term("journey", (word,))


def operators(name: str) -> Callable[..., Term]:
    """An arbitrary operator-valued function of letters, words and numbers."""
    return lambda *at: Term("operator", (name, *at))


def summed(index: Any, upper: Any, body: Any) -> Term:
    """The sum of the operators `body` over index = 0 .. upper - 1; 0 when upper <= 0."""
    return Term("sum", (index, upper, body))


def transport(name: str) -> Callable[..., Term]:
    """The ordered product along a word of the operators `name(letter, place)`, from a place.

    J(empty; x) = 1 and J(w a; x) = name(a, x w) J(w; x).
    """
    return lambda word, start=EMPTY: Term("transport", (name, word, start))


class Norm(sympy.Symbol):
    """The seminorm of an operator, as a number SymPy can add up."""

    __slots__ = ("inside",)
    inside: Any

    def __new__(cls, inside: Any) -> Norm:
        self = sympy.Symbol.__xnew__(cls, f"norm({inside})")
        self.inside = inside
        return self

    def __getnewargs_ex__(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        return (self.inside,), {}

    def _hashable_content(self) -> tuple[Any, ...]:
        return (*super()._hashable_content(), str(hash(self.inside)))


def isometry(x: Any) -> Prop:
    """The operator keeps the seminorm of whatever it multiplies, from either side."""
    return Predicate("isometry", (x,))


def same_place(left: Any, right: Any) -> Prop:
    """The two words have the same displacement; a letter and its back cancel."""
    return Predicate("same_place", (left, right))
