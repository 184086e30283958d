"""The integers at which an exponential crosses a level, and powers of two with their multiples."""

from __future__ import annotations

import pytest

from posproof.proofs_check import kernel, powers, thresholds
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Rejected
from posproof.proofs_check.language import Int, Le, Lt, Node, exp, num, variable
from posproof.proofs_check.search import prove_nonneg
from posproof.theory.vocabulary import Positive

w, top = variable("w", Positive), variable("T", Positive)
n, m = T.natural("n"), T.natural("m")
J, B = variable("J", Int(1)), variable("B", Int(1))
t = T.real("t")


def test_first_and_last_integers_are_proved_of_any_terms():
    first = thresholds.first_integer(w, t + 1, J, n + 2)
    assert not first.hypotheses and not first.trusts
    assert first.conclusion.args[1] == Node("iff", (Le(t + 1, w * (n + 2)), Le(J, n + 2)))
    last = thresholds.last_integer(w, 2 * t, m, B)
    assert not last.hypotheses and not last.trusts
    assert last.conclusion.args[1] == Node("iff", (Le(w * (B - 1), 2 * t), Le(B, 1 + m)))


def test_a_rate_that_may_be_negative_is_refused():
    with pytest.raises(Rejected):
        thresholds.first_integer(T.real("r"), t, J, n)


def test_a_level_is_crossed_from_the_first_integer_on():
    logarithm = Node("log", (top,))
    first = thresholds.first_integer(w, logarithm, J, n).conclusion.args[0]
    claim = Node("iff", (Le(top, exp(w * n)), Le(J, n)))
    found = thresholds.crossing(top, w, first, claim, prove_nonneg(Lt(0, top), top))
    assert kernel.same(found.conclusion, claim)
    assert found.hypotheses == (first,)


def test_a_power_of_two_is_at_least_one():
    assert powers.at_least_one(m).conclusion == Le(1, powers.two(m))
    below = Le(0, m - n)
    assert powers.at_least_one(m - n, below).hypotheses == (below,)
    with pytest.raises(Rejected):
        powers.at_least_one(num(-1))
