"""contradiction: systems with a solution never yield 0 < 0; systems without one mostly do."""

from __future__ import annotations

import random
from fractions import Fraction

from posproof.proofs_check.kernel import Rejected
from posproof.proofs_check.language import Eq, Ne, Node, Real, num, variables
from posproof.proofs_check.search import Undecided, prove_contradiction

NAMES = variables("x y", Real)


def random_polynomial(source: random.Random) -> list[tuple[Fraction, tuple[int, ...]]]:
    return [
        (Fraction(source.randint(-4, 4) or 1), tuple(source.randint(0, 1) for _ in NAMES))
        for _ in range(source.randint(1, 3))
    ]


def term(polynomial: list[tuple[Fraction, tuple[int, ...]]]) -> Node:
    result: Node = num(0)
    for coefficient, exponents in polynomial:
        part: Node = num(coefficient)
        for name, exponent in zip(NAMES, exponents, strict=True):
            part = part * name**exponent
        result = result + part
    return result


def value(polynomial, point: tuple[Fraction, ...]) -> Fraction:
    total = Fraction(0)
    for coefficient, exponents in polynomial:
        for x, exponent in zip(point, exponents, strict=True):
            coefficient = coefficient * x**exponent
        total += coefficient
    return total


def accepted(given: list[Node]) -> bool:
    try:
        prove_contradiction(given)
    except (Undecided, Rejected):
        return False
    return True


def test_systems_with_a_solution_are_not_contradictory(tally) -> None:
    source = random.Random(30)
    while tally.false_fed < 10_000:
        point = tuple(Fraction(source.randint(-3, 3), source.randint(1, 3)) for _ in NAMES)
        given: list[Node] = []
        for _ in range(source.randint(1, 2)):
            polynomial = random_polynomial(source)
            at = value(polynomial, point)
            given.append(Eq(term(polynomial), num(at)))
            if at and source.random() < 0.4:
                given.append(Ne(term(polynomial), 0))
        tally.false_fed += 1
        if accepted(given):
            tally.false_accepted += 1
            raise AssertionError(f"contradiction from {[str(g) for g in given]} at {point}")


def test_two_values_of_one_polynomial_are_contradictory(tally) -> None:
    source = random.Random(31)
    good = 0
    for _ in range(500):
        polynomial = random_polynomial(source)
        good += accepted([Eq(term(polynomial), 1), Eq(term(polynomial), 2)])
    tally.true_fed += 500
    tally.true_decided += good
    assert good == 500
