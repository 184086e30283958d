"""Searches and measurements return what they saw."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from posproof.numerics.hunt import hunt, rationals
from posproof.numerics.measure import high_precision, hoeffding, sampled, within, worst
from posproof.theory.vocabulary import Bound, Run


def test_search_survives_a_true_statement_and_counts_examples() -> None:
    evidence = hunt(lambda x: x * x >= 0, {"x": st.integers()}, Run(seed=7))
    assert evidence.outcome == "holds"
    assert evidence.note == "100 examples, seed 7"


def test_search_prints_the_shrunk_counterexample() -> None:
    evidence = hunt(lambda x, y: x + y < 100, {"x": st.integers(0), "y": st.integers(0)}, Run())
    assert evidence.outcome == "refuted"
    shrunk = dict(part.split(" = ") for part in evidence.witness.split(":")[0].split(", "))
    assert sum(map(int, shrunk.values())) == 100


def test_search_keeps_the_message_of_an_assertion() -> None:
    def predicate(x: int) -> None:
        assert x < 5, f"{x} is not below 5"

    assert "5 is not below 5" in hunt(predicate, {"x": st.integers()}, Run()).witness


def test_search_passes_errors_on() -> None:
    with pytest.raises(ZeroDivisionError):
        hunt(lambda x: x < 1 / 0, {"x": st.integers()}, Run())
    with pytest.raises(TypeError):
        hunt(lambda x: "yes", {"x": st.integers()}, Run())


def test_search_tries_the_printed_example_first() -> None:
    evidence = hunt(lambda x: x != 123456, {"x": st.integers()}, Run(), first={"x": 123456})
    assert evidence.outcome == "refuted"
    assert "123456" in evidence.witness


def test_same_seed_same_examples() -> None:
    def examples(seed: int) -> list[int]:
        seen: list[int] = []
        hunt(lambda x: seen.append(x), {"x": st.integers()}, Run(seed=seed))
        return seen

    assert examples(3) == examples(3)
    assert examples(3) != examples(4)


def test_rejected_examples_do_not_count() -> None:
    def predicate(x: int) -> bool:
        assume(x % 2 == 0)
        return x % 2 == 0

    evidence = hunt(predicate, {"x": st.integers(0, 9)}, Run())
    assert int(evidence.note.split()[0]) <= 10


LIMIT = Bound(Fraction(1, 10), "1/10")


@given(st.floats())
def test_within_compares_exactly(value: float) -> None:
    inside = math.isfinite(value) and abs(Fraction(value)) <= Fraction(1, 10)
    assert within(value, LIMIT).outcome == ("holds" if inside else "refuted")


def test_float_one_tenth_is_above_one_tenth() -> None:
    assert within(0.1, LIMIT).outcome == "refuted"
    assert within(np.float32(0.1), LIMIT).outcome == "refuted"
    assert within(Fraction(1, 10), LIMIT).outcome == "holds"


def test_nan_is_refuted_and_reported() -> None:
    evidence = within(math.nan, LIMIT, witness="D = 3")
    assert evidence.outcome == "refuted"
    assert evidence.witness.startswith("D = 3: measured nan")


def test_worst_prefers_nan_and_names_its_place() -> None:
    errors = np.array([[0.1, -5.0], [np.nan, 1.0]])
    size, where = worst(errors, {"D": np.array([10, 20])})
    assert math.isnan(size)
    assert where == "D = 20"
    assert worst(errors[:1], {"D": np.array([10])}) == (5.0, "D = 10")


def test_high_precision_uses_the_digits_it_is_given() -> None:
    bound = Bound(Fraction(1, 10**45), "10^-45")
    points = [{"x": k} for k in range(1, 20)]
    residual = lambda x: mpmath.sin(x) ** 2 + mpmath.cos(x) ** 2 - 1  # noqa: E731
    assert high_precision(residual, points, 50, bound).outcome == "holds"
    wrong = lambda x: residual(x) + mpmath.mpf(10) ** -40  # noqa: E731
    refuted = high_precision(wrong, points, 50, bound)
    assert refuted.outcome == "refuted"
    assert "x = " in refuted.witness
    assert high_precision(residual, [], 50, bound).outcome == "undecided"


@given(
    st.fractions(-3, 3, max_denominator=30),
    st.fractions(0, 3, max_denominator=30),
    st.integers(1, 40),
    st.data(),
)
def test_rationals_lie_in_their_range(
    low: Fraction, width: Fraction, largest: int, data: st.DataObject
) -> None:
    value = data.draw(rationals(low, low + width, largest))
    assert low <= value <= low + width
    assert value == low or value.denominator <= largest


def test_rationals_reach_every_fraction_and_shrink_towards_zero() -> None:
    every = {Fraction(n, d) for d in range(1, 5) for n in range(-d, 2 * d + 1)}
    seen: set[Fraction] = set()
    hunt(lambda x: seen.add(x), {"x": rationals(-1, 2, 4)}, Run("full"))
    assert seen == every
    refuted = hunt(lambda x: x == 0, {"x": rationals(-5, 5, 50)}, Run())
    assert refuted.outcome == "refuted"
    assert refuted.witness.startswith("x = Fraction(1, ")


@given(n=st.integers(1, 10**9), span=st.fractions(Fraction(1, 100), 100))
def test_hoeffding_is_rounded_up(n: int, span: Fraction) -> None:
    deviation = hoeffding(n, span).value
    exponent = 2 * n * (deviation / span) ** 2
    with mpmath.workdps(40):
        tail = 2 * mpmath.exp(-mpmath.mpf(exponent.numerator) / exponent.denominator)
        assert tail <= mpmath.mpf(10) ** -9


def test_sampled_mean_refutes_a_wrong_expectation() -> None:
    values = np.random.default_rng(0).uniform(0, 1, 100_000)
    assert sampled(values, Fraction(1, 2), Fraction(1)).outcome == "holds"
    assert sampled(values, Fraction(13, 25), Fraction(1)).outcome == "refuted"
