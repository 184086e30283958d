"""Lemmas about sums of an arbitrary function: what they say, and functions that do not qualify."""

from __future__ import annotations

import pytest
from sympy import cos, exp, pi, sin

from posproof.proofs_check import kernel, periodic
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Rejected
from posproof.proofs_check.language import Int, Le, Node, num, variable
from posproof.proofs_check.search import Undecided, prove_identity, prove_nonneg
from posproof.theory.symbols import Variable, sequence, total
from posproof.theory.vocabulary import Int as Whole

LEMMAS = (
    periodic.front,
    periodic.blocks,
    periodic.shifted,
    periodic.odd_vanishes,
    periodic.positive,
    periodic.term_below,
    periodic.pair_below,
    periodic.triple_below,
    periodic.only_term,
)
n, k = Variable("n", Whole(1)), Variable("k", Whole(0))


@pytest.mark.parametrize("lemma", LEMMAS, ids=lambda f: f.__name__)
def test_a_lemma_needs_nothing_and_trusts_nothing(lemma) -> None:
    theorem = lemma()
    assert not theorem.hypotheses
    assert not theorem.trusts


def test_a_wave_may_start_anywhere() -> None:
    found = periodic.everywhere(periodic.shifted(), lambda x: cos(2 * pi * x / n) ** 3, n, 5)
    r = Variable("r", Whole(0))
    wanted = total(r, n, cos(2 * pi * (r - 5) / n) ** 3), total(r, n, cos(2 * pi * r / n) ** 3)
    for side, expected in zip(found.conclusion.args, wanted, strict=True):
        assert prove_identity(Node("eq", (side, T.node(expected))))


def test_a_function_without_the_period_is_refused() -> None:
    with pytest.raises(Undecided):
        periodic.everywhere(periodic.shifted(), lambda x: cos(2 * pi * x / (n + 1)), n, 1)


def test_an_even_function_does_not_vanish() -> None:
    assert periodic.everywhere(periodic.odd_vanishes(), lambda x: sin(2 * pi * x / n), n)
    with pytest.raises(Undecided):
        periodic.everywhere(periodic.odd_vanishes(), lambda x: cos(2 * pi * x / n), n)


def test_a_sum_that_may_be_negative_is_not_positive() -> None:
    assert periodic.everywhere(periodic.positive(), lambda x: exp(-x), n)
    with pytest.raises((Undecided, Rejected)):
        periodic.everywhere(periodic.positive(), lambda x: x, n)


def test_two_squares_are_below_the_sum_of_all() -> None:
    f = sequence("g")
    i, j = variable("i", Int(0)), variable("j", Int(0))
    square = prove_nonneg(Le(num(0), T.node(f(k)) ** 2), T.node(f(k)) ** 2)
    found = periodic.below(periodic.pair_below(), lambda x: f(x) ** 2, square, n, i, j)
    assert {str(h) for h in found.hypotheses} == {"i < n", "j < n", "i != j"}


def test_distinct_names_are_needed() -> None:
    """f = 1 at one index: f(0) + f(0) is not below the sum."""
    premise = [h for h in _premises(periodic.pair_below()) if h.head == "not"]
    assert len(premise) == 1
    assert len([h for h in _premises(periodic.triple_below()) if h.head == "not"]) == 3


def _premises(theorem: kernel.Theorem) -> list[Node]:
    goal, found = theorem.conclusion, []
    while goal.head in ("forall", "implies"):
        if goal.head == "implies":
            found.append(goal.args[0])
        goal = goal.args[1]
    return found


@pytest.mark.parametrize(("blocks", "size"), [(0, 3), (3, 0), (2, 5)])
def test_blocks_cover_the_sum(blocks: int, size: int) -> None:
    def values(count: int) -> list[int]:
        return [r * r - 7 * r for r in range(count)]

    whole = sum(values(blocks * size))
    parts = sum(values(blocks * size)[t * size + r] for t in range(blocks) for r in range(size))
    assert whole == parts
    goal = periodic.at(periodic.blocks(), lambda x: x**2 - 7 * x, blocks, size).conclusion
    assert kernel.ground(goal)
