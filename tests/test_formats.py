"""Float formats against exact rational arithmetic."""

import math
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from posproof.numerics.balls import Undefined, exact
from posproof.numerics.formats import (
    FORMATS,
    correctly_rounded,
    format_named,
    round_array,
    round_exact,
)

EVERY = pytest.mark.parametrize("name", FORMATS)
NATIVE = pytest.mark.parametrize("name", ["float64", "float32", "float16"])


@NATIVE
def test_limits_agree_with_numpy(name: str) -> None:
    form, info = FORMATS[name], np.finfo(name)
    assert form.unit_roundoff == Fraction(float(info.eps)) / 2
    assert form.largest == Fraction(float(info.max))
    assert form.smallest_normal == Fraction(float(info.tiny))
    assert form.smallest_subnormal == Fraction(float(info.smallest_subnormal))


def test_limits_of_bfloat16_agree_with_ml_dtypes() -> None:
    import ml_dtypes

    form, info = FORMATS["bfloat16"], ml_dtypes.finfo(ml_dtypes.bfloat16)
    assert form.unit_roundoff == Fraction(float(info.eps)) / 2
    assert form.largest == Fraction(float(info.max))
    assert form.smallest_normal == Fraction(float(info.tiny))


@EVERY
def test_last_consecutive_integer(name: str) -> None:
    form = FORMATS[name]
    last = form.last_consecutive_integer
    assert form.contains(Fraction(last))
    assert not form.contains(Fraction(last + 1))


def test_first_inexact_positions_are_257_and_2049() -> None:
    assert FORMATS["bfloat16"].last_consecutive_integer == 256
    assert FORMATS["float16"].last_consecutive_integer == 2048
    assert FORMATS["float16"].largest == 65504


@EVERY
@settings(max_examples=300, deadline=None)
@given(value=st.floats(allow_nan=False))
def test_array_rounding_is_the_exact_rounding(name: str, value: float) -> None:
    form = FORMATS[name]
    rounded = round_array(np.array([value]), form)[0]
    if math.isinf(value):
        assert rounded == value
        return
    expected = round_exact(Fraction(value), form)
    assert rounded == (math.copysign(math.inf, value) if expected is None else float(expected))
    assert math.copysign(1, rounded) == math.copysign(1, value)


@EVERY
@settings(max_examples=200, deadline=None)
@given(k=st.integers(2**7, 2**8 - 1), offset=st.integers(-3, 3), scale=st.integers(-30, 14))
def test_near_ties_round_once(name: str, k: int, offset: int, scale: int) -> None:
    """Numbers next to a tie of the narrowest format, where rounding twice goes wrong."""
    value = math.ldexp(k + 0.5, scale) * (1 + offset * 2.0**-40)
    rounded = round_array(np.array([value]), FORMATS[name])[0]
    expected = round_exact(Fraction(value), FORMATS[name])
    assert rounded == (math.inf if expected is None else float(expected))


@EVERY
@given(value=st.fractions(-60000, 60000))
def test_rounding_error_is_at_most_one_unit_roundoff(name: str, value: Fraction) -> None:
    form = FORMATS[name]
    assume(abs(value) <= form.largest)
    error = abs(round_exact(value, form) - value)
    assert error <= max(form.unit_roundoff * abs(value), form.smallest_subnormal / 2)


@EVERY
def test_nan_and_overflow(name: str) -> None:
    form = FORMATS[name]
    assert np.isnan(round_array(np.array([np.nan]), form)[0])
    assert round_exact(form.largest * 2, form) is None
    assert round_exact(form.largest, form) == form.largest


@settings(max_examples=100, deadline=None)
@given(x=st.fractions(-20, 20, max_denominator=1000))
@EVERY
def test_correctly_rounded_cosine(name: str, x: Fraction) -> None:
    form = FORMATS[name]
    nearest = correctly_rounded(lambda bits: arb(exact(x)).cos(), form)
    # libm sees x rounded to float64, which moves the cosine by at most |x| 2^-53
    argument = Fraction(abs(x), 2**53)
    assert abs(nearest - Fraction(math.cos(x))) <= 2 * form.unit_roundoff + argument
    assert form.contains(nearest)


def test_a_tie_hidden_in_balls_is_not_guessed() -> None:
    tie = lambda bits: arb(fmpq(257)) + 0 * arb.pi() + arb(0, 1) * 0 + (arb.pi() - arb.pi())  # noqa: E731
    with pytest.raises(Undefined):
        correctly_rounded(tie, FORMATS["bfloat16"])


def test_unknown_format_is_named() -> None:
    with pytest.raises(ValueError, match="float8"):
        format_named("float8")
