"""exhaust: one theorem for each value, and lists in which one value is missing or false."""

from __future__ import annotations

import random
from fractions import Fraction

from posproof.proofs_check import kernel
from posproof.proofs_check.kernel import Rejected, Theorem
from posproof.proofs_check.language import ForAll, Le, Node, num, substitute, variable
from posproof.theory.vocabulary import Finite


def statement(source: random.Random) -> tuple[Node, Node, list[Fraction], Fraction]:
    """(goal, name, values, bound): name^2 + shift <= bound over random values."""
    values = sorted({Fraction(source.randint(-6, 6), source.randint(1, 3)) for _ in range(4)})
    name = variable("n", Finite(values))
    shift, bound = Fraction(source.randint(-3, 3)), Fraction(source.randint(-3, 40))
    return ForAll(name, Le(name**2 + num(shift), num(bound))), name, values, bound - shift


def instances(goal: Node, values: list[Fraction]) -> list[Theorem]:
    """Theorems for the values at which the statement is true."""
    name, inner = goal.args
    found = []
    for value in values:
        try:
            found.append(kernel.ground(substitute(inner, {name: num(value)})))
        except Rejected:
            continue
    return found


def accepted(goal: Node, theorems: list[Theorem]) -> bool:
    try:
        kernel.exhaust(goal, theorems)
    except Rejected:
        return False
    return True


def test_a_false_value_is_never_papered_over(tally) -> None:
    source = random.Random(50)
    while tally.false_fed < 10_000:
        goal, _, values, room = statement(source)
        if all(v * v <= room for v in values):
            continue
        theorems = instances(goal, values)
        if theorems:  # make the count right with theorems about other values
            theorems += source.choices(theorems, k=len(values) - len(theorems))
            source.shuffle(theorems)
        tally.false_fed += 1
        if accepted(goal, theorems):
            tally.false_accepted += 1
            raise AssertionError(f"accepted {goal}")


def test_true_statements_are_decided(tally) -> None:
    source = random.Random(51)
    good = fed = 0
    while fed < 500:
        goal, _, values, room = statement(source)
        if all(v * v <= room for v in values):
            fed += 1
            good += accepted(goal, instances(goal, values))
    tally.true_fed += fed
    tally.true_decided += good
    assert good == fed
