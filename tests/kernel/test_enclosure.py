"""enclosure: strict bounds over boxes, and bounds that a point of the box attains."""

from __future__ import annotations

import random
from fractions import Fraction

from posproof.proofs_check import kernel
from posproof.proofs_check.kernel import Rejected
from posproof.proofs_check.language import Lt, Node, Real, cos, num, variables

x, y = variables("x y", Real)
PIECES = 16


def random_surface(source: random.Random) -> list[tuple[Fraction, int, int]]:
    return [
        (Fraction(source.randint(-5, 5), source.randint(1, 3)), *source.choices(range(3), k=2))
        for _ in range(3)
    ]


def term(surface: list[tuple[Fraction, int, int]]) -> Node:
    result: Node = num(0)
    for coefficient, a, b in surface:
        result = result + num(coefficient) * x**a * y**b
    return result


def value(surface: list[tuple[Fraction, int, int]], at: Fraction, other: Fraction) -> Fraction:
    return sum((c * at**a * other**b for c, a, b in surface), Fraction(0))


def random_box(source: random.Random) -> dict[Node, tuple[Fraction, Fraction]]:
    lows = [Fraction(source.randint(-4, 4), 2) for _ in range(2)]
    return {
        name: (low, low + Fraction(source.randint(1, 6), 4))
        for name, low in zip((x, y), lows, strict=True)
    }


def accepted(goal: Node, box: dict[Node, tuple[Fraction, Fraction]]) -> bool:
    try:
        kernel.enclosure(goal, box, PIECES)
    except Rejected:
        return False
    return True


def inside(source: random.Random, ends: tuple[Fraction, Fraction]) -> Fraction:
    return ends[0] + (ends[1] - ends[0]) * Fraction(source.randint(0, 8), 8)


def test_bounds_attained_in_the_box_are_not_accepted(tally) -> None:
    source = random.Random(40)
    while tally.false_fed < 10_000:
        surface, box = random_surface(source), random_box(source)
        at = value(surface, *(inside(source, ends) for ends in box.values()))
        goal = Lt(term(surface), num(at)) if source.random() < 0.5 else Lt(num(at), term(surface))
        tally.false_fed += 1
        if accepted(goal, box):
            tally.false_accepted += 1
            raise AssertionError(f"accepted {goal} on {box}")


def test_bounds_with_room_are_decided(tally) -> None:
    source = random.Random(41)
    good = 0
    for _ in range(300):
        surface, box = random_surface(source), random_box(source)
        size = sum(abs(c) * 6**a * 6**b for c, a, b in surface)
        good += accepted(Lt(term(surface) + cos(x), num(size + 2)), box)
    tally.true_fed += 300
    tally.true_decided += good
    assert good == 300
