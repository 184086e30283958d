"""Finding inequality certificates by linear programming.  Nothing here is trusted.

Main definitions
----------------
order_form   `large - small` as a combination of products of known non-negative terms
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from flint import fmpq, fmpq_mat

from posproof.proofs_check.algebra import (
    ONE,
    Poly,
    Translation,
    Unsupported,
    _Refine,
    is_integral,
    lowest,
)
from posproof.proofs_check.language import Node, num, pi
from posproof.proofs_check.search.ideals import Basis, Undecided

Exponents = tuple[int, ...]


def order_form(goal: Node, given: Sequence[Node], degree: int, hints: Sequence[Node]) -> Node:
    """A term equal to large - small, with visible sign.  Raises `Undecided`."""
    small, large = goal.args
    terms = [num(1), *_products([*_known(goal, given), *hints], degree)]
    polynomials = _reduced([large - small, *terms], given)
    target, columns = polynomials[0], polynomials[1:]
    weights = _combination(target, columns, terms, given, goal.head == "lt")
    chosen = [num(w) * t for w, t in zip(weights, terms, strict=True) if w]
    if not chosen:
        return num(0)
    form, *others = chosen
    for other in others:
        form = form + other
    return form


def _known(goal: Node, given: Sequence[Node]) -> list[Node]:
    """Terms that the hypotheses and the domains of the variables make non-negative."""
    terms = []
    for fact in given:
        if fact.head in ("le", "lt"):
            a, b = fact.args
            terms.append(b if a == num(0) else b - a)
    names = set().union(*(_variables(p) for p in (goal, *given)))
    for name in sorted(names, key=str):
        domain = name.args[1]
        low = lowest(domain)
        if domain.kind == "positive":
            terms.append(name)
        elif low is not None:
            terms.append(name - num(low) if low else name)
        if domain.kind in ("box", "finite") and (domain.kind == "box" or is_integral(domain)):
            terms.append(num(max(domain.values)) - name)
    if any(_mentions_pi(p) for p in (goal, *given)):
        terms.append(pi)
    return list(dict.fromkeys(terms))


def _variables(node: Node) -> frozenset[Node]:
    """Every variable with a place in the order, bound indices of sums left out."""
    from posproof.proofs_check.language import free_variables

    return frozenset(v for v in free_variables(node) if v.args[1].kind not in ("letter", "word"))


def _mentions_pi(node: Node) -> bool:
    return node == pi or any(_mentions_pi(a) for a in node.args if isinstance(a, Node))


def _products(factors: Sequence[Node], degree: int) -> Iterable[Node]:
    for size in range(1, degree + 1):
        for choice in itertools.combinations_with_replacement(factors, size):
            product, *others = choice
            for other in others:
                product = product * other
            yield product


def _reduced(terms: Sequence[Node], given: Sequence[Node]) -> list[Poly]:
    """The terms as polynomials in normal form modulo the equations."""
    bases: dict[object, int | Fraction] = {}
    while True:
        t = Translation(bases)
        try:
            facts = [t.quotient(h.args[0] - h.args[1])[0] for h in given if h.head == "eq"]
            pairs = [t.quotient(term) for term in terms]
        except _Refine:
            continue
        except Unsupported as reason:
            raise Undecided(str(reason)) from reason
        if any(d != ONE and not d.is_constant() for _, d in pairs):
            raise Undecided("an inequality of fractions: clear the denominators first")
        basis = Basis([*t.relations, *facts])
        return [basis.reduce(n / d.leading_coefficient())[0] for n, d in pairs]


def _combination(
    target: Poly,
    columns: Sequence[Poly],
    terms: Sequence[Node],
    given: Sequence[Node],
    strict: bool,
) -> list[Fraction]:
    """Non-negative rational weights with sum(weight * column) = target."""
    from posproof.proofs_check.kernel import sign

    rows: dict[Exponents, int] = {}
    for p in (target, *columns):
        for e in p.monoms():
            rows.setdefault(tuple(map(int, e)), len(rows))
    positive = [all(sign(term, given)) for term in terms]
    weights = _weights(target, columns, rows, positive if strict else None)
    if weights is not None:
        return weights
    raise Undecided("no combination of products of the hypotheses was found")


def _weights(
    target: Poly,
    columns: Sequence[Poly],
    rows: dict[Exponents, int],
    positive: Sequence[bool] | None,
) -> list[Fraction] | None:
    """A basic solution; None if there is none.

    With `positive`, the strictly positive terms weigh at least 1/100 together: a slack column
    makes that an equation.
    """
    slack = positive is not None
    width, height = len(columns) + slack + 1, len(rows) + slack
    entries: list[Any] = [fmpq(0)] * (height * width)
    for j, p in [*enumerate(columns), (width - 1, target)]:
        for e, c in p.terms():
            entries[rows[tuple(map(int, e))] * width + j] = c
    if positive is not None:
        for j, strictly in enumerate(positive):
            entries[len(rows) * width + j] = fmpq(int(strictly))
        entries[-2:] = [fmpq(-1), fmpq(1, 100)]
    exact = fmpq_mat(height, width, entries)
    reduced, rank = exact.rref()
    weights = _basic(reduced, rank, width)
    if weights is None:
        return None
    if min(weights, default=Fraction(0)) < 0:
        weights = _vertex(exact, reduced, rank)
    return None if weights is None else weights[: len(columns)]


def _vertex(exact: fmpq_mat, reduced: fmpq_mat, rank: int) -> list[Fraction] | None:
    """The non-negative solution of least sum, found in floats and made exact; None without one."""
    from scipy.optimize import linprog

    width = exact.ncols()
    table = [[float(_fraction(reduced[r, c])) for c in range(width)] for r in range(rank)]
    found = linprog(
        [1.0] * (width - 1),
        A_eq=[row[:-1] for row in table],
        b_eq=[row[-1] for row in table],
        bounds=(0, None),
        method="highs-ds",
    )
    if found.status != 0:
        return None
    support = [j for j, w in enumerate(found.x) if w > 1e-9]
    return _exact(exact, support, width)


def _exact(system: fmpq_mat, support: Sequence[int], width: int) -> list[Fraction] | None:
    """The exact solution that uses only the columns of the support; None if it is not one."""
    kept = [*support, width - 1]
    entries = [system[r, c] for r in range(system.nrows()) for c in kept]
    reduced, rank = fmpq_mat(system.nrows(), len(kept), entries).rref()
    found = _basic(reduced, rank, len(kept))
    if found is None:
        return None
    weights = [Fraction(0)] * (width - 1)
    for j, w in zip(support, found, strict=True):
        weights[j] = w
    return weights if min(weights, default=Fraction(0)) >= 0 else None


def _basic(reduced: fmpq_mat, rank: int, width: int) -> list[Fraction] | None:
    """The solution of a reduced system that uses its pivots alone; None if there is none."""
    weights = [Fraction(0)] * (width - 1)
    for r in range(rank):
        pivot = next(j for j in range(width) if reduced[r, j] != 0)
        if pivot == width - 1:
            return None
        weights[pivot] = _fraction(reduced[r, width - 1])
    return weights


def _fraction(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))
