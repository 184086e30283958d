"""induct: closed forms of sums, and the same with one coefficient, sign or exponent altered."""

from __future__ import annotations

import random
from fractions import Fraction

from posproof.proofs_check.kernel import Rejected, establishes
from posproof.proofs_check.language import Eq, Int, Node, num, total, variable
from posproof.proofs_check.search import Undecided, prove_by_induction

i, m = variable("i", Int(0)), variable("m", Int(0))
#: Sums of 1, i, i^2, i^3 over i < m, by powers of m: Faulhaber's formulas.
SUMS = (
    (0, 1),
    (0, Fraction(-1, 2), Fraction(1, 2)),
    (0, Fraction(1, 6), Fraction(-1, 2), Fraction(1, 3)),
    (0, 0, Fraction(1, 4), Fraction(-1, 2), Fraction(1, 4)),
)


def polynomial(coefficients: list[Fraction], at: Node) -> Node:
    result: Node = num(0)
    for power, coefficient in enumerate(coefficients):
        result = result + num(coefficient) * at**power
    return result


def closed(coefficients: list[Fraction]) -> list[Fraction]:
    """The sum over i < m of a polynomial in i, as coefficients of powers of m."""
    result = [Fraction(0)] * 5
    for coefficient, powers in zip(coefficients, SUMS, strict=False):
        for power, value in enumerate(powers):
            result[power] += coefficient * value
    return result


def value(coefficients: list[Fraction], at: int) -> Fraction:
    return sum((c * at**k for k, c in enumerate(coefficients)), Fraction(0))


def accepted(terms: list[Fraction], right: list[Fraction]) -> bool:
    goal = Eq(total(i, m, polynomial(terms, i)), polynomial(right, m))
    try:
        return establishes(prove_by_induction(m, goal), goal)
    except (Undecided, Rejected):
        return False


def random_terms(source: random.Random) -> list[Fraction]:
    return [Fraction(source.randint(-6, 6), source.randint(1, 4)) for _ in range(4)]


def altered(source: random.Random, right: list[Fraction]) -> list[Fraction]:
    result = list(right)
    k = source.randrange(5)
    how = source.randrange(3)
    if how == 0:
        result[k] += Fraction(source.choice((-1, 1)), source.randint(1, 9))
    elif how == 1:
        result[k] = -result[k]
    else:
        j = source.randrange(5)
        result[k], result[j] = result[j], result[k]
    return result


def test_altered_closed_forms_are_not_accepted(tally) -> None:
    source = random.Random(20)
    while tally.false_fed < 10_000:
        terms = random_terms(source)
        right = altered(source, closed(terms))
        sums = (sum((value(terms, k) for k in range(n)), Fraction(0)) for n in range(6))
        if all(left == value(right, n) for n, left in enumerate(sums)):
            continue  # altered into itself
        tally.false_fed += 1
        if accepted(terms, right):
            tally.false_accepted += 1
            raise AssertionError(f"accepted {terms} -> {right}")


def test_closed_forms_are_decided(tally) -> None:
    source = random.Random(21)
    good = 0
    for _ in range(500):
        terms = random_terms(source)
        good += accepted(terms, closed(terms))
    tally.true_fed += 500
    tally.true_decided += good
    assert good == 500
