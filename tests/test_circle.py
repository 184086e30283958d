"""Lemmas about the circle and about squares say what their names say, and hold at points."""

from __future__ import annotations

import pytest
from flint import fmpq

from posproof.proofs_check import circle, squares
from posproof.proofs_check.evaluate import at_precision, falsifies

LEMMAS = {
    "angle_of_unit": (
        "for all a, b real: (a^2 + b^2 = 1) => exists t real: cos(t) = a and sin(t) = b"
    ),
    "cosine_at_most_one": "for all x real: cos(x) <= 1",
    "same_cosine": (
        "for all s, t real: (0 <= s) => (s <= pi) => (0 <= t) => (t <= pi) => "
        "(cos(s) = cos(t)) => s = t"
    ),
    "sine_nonnegative": "for all s real: (0 <= s) => (s <= pi) => 0 <= sin(s)",
    "sine_subadditive": (
        "for all s, t real: (0 <= s) => (0 <= t) => (s + t <= pi) => sin(s + t) <= sin(s) + sin(t)"
    ),
    "modulus_of_sine": (
        "for all r, s, t real: (0 <= r) => (r <= 1) => (r^2 = t^2) => (0 <= s) => "
        "(s^2 = sin(t)^2) => (s <= r and r - r^3/6 <= s)"
    ),
    "equal_squares": "for all s, t real: (0 <= s) => (0 <= t) => (s^2 = t^2) => s = t",
    "null_square": "for all s real: (s^2 <= 0) => s = 0",
    "null_product": "for all s, t real: (s t = 0) => (s = 0 or t = 0)",
}
BOUNDS = ("cosine_at_most_one", "sine_nonnegative")


@pytest.mark.parametrize("name", LEMMAS)
def test_a_lemma_is_proved_without_hypotheses_or_citations(name: str) -> None:
    theorem = getattr(circle if hasattr(circle, name) else squares, name)()
    assert not theorem.hypotheses and not theorem.trusts
    assert str(theorem.conclusion) == LEMMAS[name]


@pytest.mark.parametrize("name", BOUNDS)
@pytest.mark.parametrize("x", [-4, -1, 0, 1, 3])
def test_no_small_point_falsifies_a_bound(name: str, x: int) -> None:
    statement = getattr(circle, name)().conclusion
    with at_precision():
        assert not falsifies(statement, {statement.args[0]: fmpq(x)})
