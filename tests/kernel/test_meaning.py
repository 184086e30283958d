"""The facts that define the symbols: each holds at thousands of points, no altered copy does."""

from __future__ import annotations

import random
from fractions import Fraction

import mpmath
import pytest
from statements import perturbed
from values import Undefined, real, true, value

from posproof.proofs_check import kernel
from posproof.proofs_check.kernel import MEANING, Rejected
from posproof.proofs_check.language import Node

WITNESS = {
    "full_turns": lambda t: mpmath.nint(real(t) / (2 * mpmath.pi)),
    "arc_cosine": lambda t: mpmath.acos(real(t)),
    "floor": lambda t: mpmath.floor(real(t)),
}


def holds(fact: Node, at: Fraction, witness: object) -> bool | None:
    """Truth of a fact at one value of its outer variable and one of what is said to exist."""
    point: dict = {}
    while fact.head in ("forall", "implies", "exists"):
        if fact.head == "implies":
            if true(fact.args[0], point) is not True:
                return None
            fact = fact.args[1]
            continue
        bound, body = fact.args
        point[bound] = at if fact.head == "forall" else witness(at)
        fact = body
    return true(fact, point)


def values_for(name: str, source: random.Random) -> Fraction:
    if name == "integers_apart":
        return Fraction(source.randint(-50, 50))
    if name == "arc_cosine":
        return Fraction(source.randint(-1000, 1000), 1000)
    return Fraction(source.randint(-12_000, 12_000), source.choice((7, 100, 1000, 5000)))


@pytest.mark.parametrize("name", sorted(MEANING))
def test_every_defining_fact_holds_at_random_points(name: str) -> None:
    source = random.Random(name)
    fact = kernel.meaning(name).conclusion
    for _ in range(2000):
        assert holds(fact, values_for(name, source), WITNESS.get(name)) is not False


@pytest.mark.parametrize("name", sorted(set(MEANING) - {"full_turns", "arc_cosine", "floor"}))
def test_altered_facts_are_noticed(name: str) -> None:
    """Of thirty copies with one change, some fail at the same points."""
    source = random.Random(name)
    noticed = 0
    for _ in range(30):
        copy = perturbed(MEANING[name], source)
        try:
            points = [values_for(name, source) for _ in range(300)]
            noticed += any(holds(copy, at, None) is False for at in points)
        except (Undefined, OverflowError, TypeError, KeyError):  # or speaks of another name
            continue
    assert noticed > 0


@pytest.mark.parametrize("turns", [-3, -1, 0, 1, 7])
def test_full_turns_are_where_the_cosine_is_one(turns: int) -> None:
    at = 2 * mpmath.pi * turns
    assert abs(mpmath.cos(at) - 1) < mpmath.mpf(10) ** -30
    assert WITNESS["full_turns"](at) == turns


def test_other_names_are_no_facts() -> None:
    with pytest.raises(Rejected):
        kernel.meaning("two is three")


def test_values_agree_with_what_they_are_called() -> None:
    assert value(MEANING["pi_above_three"].args[1], {}) == mpmath.pi
