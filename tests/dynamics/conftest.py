"""How a value is compared with a printed one."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from flint import arb

from posproof.numerics.balls import ball, ends, precision


def _agrees(value: Any, printed: str) -> bool:
    """Equal to the last printed digit, one unit up or down, for every number in a ball."""
    number = Decimal(printed)
    unit = Fraction(10) ** int(number.as_tuple().exponent)
    if hasattr(value, "_mpf_"):
        with precision(400):
            value = arb(str(value))
    low, high = ends(ball(value)) if isinstance(value, arb) else (Fraction(value),) * 2
    return abs(low - Fraction(number)) <= unit and abs(high - Fraction(number)) <= unit


@pytest.fixture(scope="session")
def agrees() -> Callable[[Any, str], bool]:
    return _agrees
