"""Statements about rounded computations, taken apart for a proof and evaluated for a control.

Main definitions
----------------
Computed      a statement whose results z1, z2, ... are those of roundings, and what it promises
converted     premises of a theorem on rounding from those of a statement
is_rounding   whether a premise says what a rounding does
results_of    the results of roundings that a theorem of `rounded_channels` speaks of
Grown         rounds away from 0 by almost as much as the model allows

Conventions
-----------
A statement of theory is a universal implication.  Its premises begin with one for each rounding, in
the order of the results; theorems of `rounded_channels` speak of z1', z2', ... and of a channel
alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import sympy

from posproof.proofs_check import kernel, rounded
from posproof.proofs_check import rounded_channels as channels
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Node, free_variables
from posproof.proofs_check.search import Undecided, prove_nonneg


def converted(wanted: Sequence[Node], given: Sequence[Node]) -> list[Theorem]:
    """Premises of a theorem on rounding from those of a statement, which SymPy wrote otherwise."""
    found = []
    for goal in wanted:
        same = [fact for fact in given if fact.head == goal.head]
        found.append(next(proof for fact in same if (proof := _as(goal, fact))))
    return found


def _as(goal: Node, fact: Node) -> Theorem | None:
    """The goal from a fact that differs from it in the order of its terms."""
    try:
        return prove_nonneg(goal, T.margin(fact), [fact])
    except Undecided:
        return None


def _results(names: Sequence[Node]) -> list[Node]:
    """The variables that are results of roundings, in order."""
    return [name for name in names if name.args[0][0] == "z" and name.args[0][1:].isdigit()]


class Computed:
    """A statement about a computation: its premises, those on roundings by their result."""

    def __init__(self, statement: Any) -> None:
        self.names, claim = T.unquantified(statement)
        self.premise, self.goal = claim.args
        self.results = _results(self.names)
        conjuncts = T.conjuncts(self.premise)
        count = len(self.results)
        self.roundings = dict(zip(self.results, conjuncts[:count], strict=True))
        self.given = conjuncts[count:]

    def used(self, theorem: Theorem, first: int, *lemmas: Theorem, **values: Any) -> Theorem:
        """A theorem of `rounded_channels` whose roundings are those from number `first` on."""
        places = {getattr(channels, name): T.node(value) for name, value in values.items()}
        for offset, z in enumerate(channels.RESULTS):
            if first + offset < len(self.results):
                places[z] = self.results[first + offset]
        found = T.discharge(kernel.specialise(theorem, places), *lemmas)
        for fact in found.hypotheses:
            latest = [z for z in self.results if z in free_variables(fact)]
            if latest and is_rounding(fact):
                said = kernel.assume(self.roundings[latest[-1]])
                found = T.discharge(found, rounded.restated(fact, said))
        return found

    def proved(self, theorem: Theorem, *lemmas: Theorem) -> Theorem:
        proof = T.closed(T.discharge(theorem, *lemmas), self.premise)
        return T.generalise(proof, *self.names)


def is_rounding(fact: Node) -> bool:
    """A premise on a rounding: an implication, or in the standard model (z - x)^2 <= (u x)^2."""
    if fact.head == "implies":
        return True
    return fact.head == "le" and fact.args[0].head == fact.args[1].head == "pow"


def results_of(theorem: Theorem) -> list[Node]:
    """The results of roundings that the premises of a theorem speak of."""
    used = set().union(*(free_variables(fact) for fact in theorem.hypotheses))
    return [z for z in channels.RESULTS if z in used]


class Grown:
    """Rounds away from 0 by almost as much as the model allows, and keeps the results."""

    def __init__(self, unit: Fraction) -> None:
        self.factor = 1 + Fraction(49, 50) * unit
        self.results: list[Any] = []

    def __call__(self, value: Any) -> Any:
        coefficient, root = sympy.expand(value).as_coeff_Mul()
        grown = Fraction(coefficient.p, coefficient.q) * self.factor
        self.results.append(sympy.Rational(grown.limit_denominator(9999)) * root)
        return self.results[-1]

    def point(self) -> dict[str, Any]:
        return {f"z{place}": value for place, value in enumerate(self.results, start=1)}
