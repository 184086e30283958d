"""Finding certificates of ideal membership.  Nothing here is trusted.

Main definitions
----------------
Basis           a Groebner basis that remembers where its elements come from
certificates    one certificate for each target of a problem
divided         the same by division alone, without completing the relations to a basis
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from flint import fmpq

from posproof.proofs_check.algebra import CONTEXT, GENERATORS, ONE, ZERO, Poly, Problem
from posproof.proofs_check.kernel import Certificate

LARGEST_BASIS = 60
HIGHEST_POWER = 3


class Undecided(Exception):
    """No proof was found; this says nothing about the truth."""


#: A combination of the given relations: the cofactors that are not 0, by the relation's number.
Combination = dict[int, Poly]


class Basis:
    """A Groebner basis that remembers each element as a combination of the given relations."""

    def __init__(self, relations: Sequence[Poly]) -> None:
        self.elements: list[Poly] = []
        self.leads: list[list[int]] = []
        self.origins: list[Combination] = []
        self.count = len(relations)
        for i, r in enumerate(relations):
            self._add(r, {i: ONE})
        pairs = list(itertools.combinations(range(len(self.elements)), 2))
        while pairs:
            i, j = pairs.pop(0)
            f, g = self.elements[i], self.elements[j]
            a, b = self.leads[i], self.leads[j]
            common = [max(x, y) for x, y in zip(a, b, strict=True)]
            if common == [x + y for x, y in zip(a, b, strict=True)]:
                continue  # coprime leading monomials reduce to zero
            u = _monomial([x - y for x, y in zip(common, a, strict=True)]) / f.leading_coefficient()
            v = _monomial([x - y for x, y in zip(common, b, strict=True)]) / g.leading_coefficient()
            origin: Combination = {}
            _accumulate(origin, u, self.origins[i])
            _accumulate(origin, -v, self.origins[j])
            before = len(self.elements)
            self._add(u * f - v * g, origin)
            if len(self.elements) > LARGEST_BASIS:
                raise Undecided("the Groebner basis is too large")
            if len(self.elements) > before:
                pairs += [(k, before) for k in range(before)]

    def _add(self, p: Poly, origin: Combination) -> None:
        remainder, used = self._reduced(p)
        if remainder != 0:
            self.elements.append(remainder)
            self.leads.append([int(e) for e in remainder.monomial(0)])
            _accumulate(origin, -ONE, used)
            self.origins.append(origin)

    def reduce(self, p: Poly) -> tuple[Poly, list[Poly]]:
        """Remainder, and the combination of the original relations that was subtracted."""
        remainder, used = self._reduced(p)
        return remainder, [used.get(i, ZERO) for i in range(self.count)]

    def _reduced(self, p: Poly) -> tuple[Poly, Combination]:
        used: Combination = {}
        changed = True
        while changed and p != 0:
            changed = False
            for g, origin in zip(self.elements, self.origins, strict=True):
                quotient, remainder = divmod(p, g)
                if quotient != 0:
                    _accumulate(used, quotient, origin)
                    p, changed = remainder, True
        return p, used


def _accumulate(total: Combination, factor: Poly, more: Combination) -> None:
    """Add factor * more to the total."""
    for i, cofactor in more.items():
        total[i] = total.get(i, ZERO) + factor * cofactor


def _monomial(exponents: Sequence[int]) -> Poly:
    return CONTEXT.from_dict({tuple(exponents): fmpq(1)})


def certificates(p: Problem) -> list[Certificate]:
    """One certificate for each target, or Undecided."""
    basis = Basis(p.relations)
    return [_certificate(t, p, basis) for t in p.targets]


def divided(p: Problem, definitions: int = 0) -> list[Certificate]:
    """One certificate for each target without completing the relations to a basis, or Undecided.

    The relations are rewriting rules: the last `definitions` of them define their generator of
    lowest index, which is replaced in that order; then the others divide what is left.
    """
    split = len(p.relations) - definitions
    found = []
    for target in p.targets:
        used = [ZERO] * len(p.relations)
        for j in range(split, len(p.relations)):
            replaced = _replace(target, p.relations[j])
            used[j] = (target - replaced) / p.relations[j]
            target = replaced
        changed = True
        while changed and target != 0:
            changed = False
            for j, relation in enumerate(p.relations[:split]):
                quotient, remainder = divmod(target, relation) if relation != 0 else (ZERO, target)
                if quotient != 0:
                    used[j] += quotient
                    target, changed = remainder, True
        if target != 0:
            raise Undecided("division by the relations leaves a remainder")
        found.append(Certificate((0,) * len(p.nonzero), tuple(used)))
    return found


def _replace(target: Poly, definition: Poly) -> Poly:
    """The target with the generator that the definition gives replaced by what it equals."""
    used = sorted({i for e in definition.monoms() for i, k in enumerate(e) if k})
    for i in used:
        alone = [c for e, c in definition.terms() if e[i]]
        g = GENERATORS[i]
        rest = definition - alone[0] * g
        if len(alone) == 1 and all(not e[i] for e in rest.monoms()):
            values = list(GENERATORS)
            values[i] = -rest / alone[0]
            return target.compose(*values)
    raise Undecided("a definition defines nothing")


def _certificate(target: Poly, p: Problem, basis: Basis) -> Certificate:
    for power in range(HIGHEST_POWER + 1 if p.nonzero else 1):
        powers = (power,) * len(p.nonzero)
        left = target
        for factor in p.nonzero:
            left = left * factor**power
        remainder, used = basis.reduce(left)
        if remainder == 0:
            return Certificate(powers, tuple(used))
    raise Undecided("no combination of the relations was found")
