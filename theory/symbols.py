"""SymPy symbols that carry their domain, and arbitrary sequences.

Main definitions
----------------
Variable    a symbol with a `theory.vocabulary` domain
variables   several of one domain
sequence    an arbitrary function of one number, real- or integer-valued
total       a finite sum over index = 0 .. upper - 1
joined      a word from letters and words, in reading order
Journey     the operator of a word
same_content   two words are rearrangements of each other

Conventions
-----------
SymPy is told nothing about a variable (no `positive=True`): its constructors then evaluate as
little as possible, and what is known is used only by the kernel, where it is recorded.

A variable of the domain `Letter` does not commute.  In a term it stands for the operator stored for
that letter: a square matrix of any size over any field, or an element of any associative algebra.
`1` in an equation of operators is the unit.  Operators have no inverse; an inverse is a letter of
its own with the equations that make it one.
"""

from __future__ import annotations

from typing import Any

import sympy
from sympy.core.function import AppliedUndef, UndefinedFunction

from posproof.theory.vocabulary import Domain, Letter, Predicate, Prop, Real


class Variable(sympy.Symbol):
    """A symbol that ranges over `domain`; equal only to a variable of the same name and domain."""

    __slots__ = ("domain",)
    domain: Domain

    def __new__(cls, name: str, domain: Domain) -> Variable:
        self = sympy.Symbol.__xnew__(cls, name, commutative=domain != Letter)
        self.domain = domain
        return self

    def __getnewargs_ex__(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        return (self.name, self.domain), {}

    def _hashable_content(self) -> tuple[Any, ...]:
        return (*super()._hashable_content(), str(self.domain))


def variables(names: str, domain: Domain) -> tuple[Variable, ...]:
    """Variables of one domain, from a blank-separated list of names."""
    return tuple(Variable(name, domain) for name in names.split())


class Sequence(UndefinedFunction):
    """The class of `sequence`s; equal only to a sequence of the same name and domain.

    SymPy keeps the values of a function it has built: were sequences of one name equal, a value
    of one could come back as a value of the other.
    """

    domain: Domain

    def __hash__(cls) -> int:
        return hash((super().__hash__(), cls.domain))

    def __eq__(cls, other: object) -> bool:
        return super().__eq__(other) and cls.domain == getattr(other, "domain", None)


class Member(AppliedUndef):
    """A value of a sequence; like a variable, it is ordered by its domain among its namesakes."""

    domain: Domain

    def _hashable_content(self) -> tuple[Any, ...]:
        return (*super()._hashable_content(), str(self.domain))


def sequence(name: str, domain: Domain = Real) -> Sequence:
    """An arbitrary function of one number with values in `domain`; apply it to an index.

    >>> a = sequence("a")
    >>> a(3)
    a(3)
    """
    return Sequence(name, bases=(Member,), __dict__={"domain": domain})


def total(index: Variable, upper: Any, body: Any) -> sympy.Sum:
    """The sum of `body` over index = 0 .. upper - 1; 0 when upper <= 0.

    >>> from posproof.theory.vocabulary import Int
    >>> i, m = Variable("i", Int(0)), Variable("m", Int(0))
    >>> total(i, m, i)
    Sum(i, (i, 0, m - 1))
    """
    return sympy.Sum(body, (index, 0, upper - 1))


class Joined(sympy.Function):
    """A word: letters and words written one after another."""

    nargs = None


class Journey(sympy.Function):
    """J(w), the ordered product of the operators of a word; the latest step is leftmost.

    >>> from posproof.theory.vocabulary import Letter
    >>> a, b = variables("a b", Letter)
    >>> Journey(joined(a, b)).is_commutative
    False
    """

    nargs = 1

    def _eval_is_commutative(self) -> bool:
        return False


def joined(*parts: Any) -> sympy.Expr:
    """The word that reads `parts`, each a letter or a word; the empty word when there is none."""
    return Joined(*parts)


def same_content(left: Any, right: Any) -> Prop:
    """The words are rearrangements of each other: each letter occurs equally often in both."""
    return Predicate("same_content", (left, right))
