"""Bessel functions, which averages of rotations are made of.

Main definitions
----------------
modified_i, modified_k, spherical
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from flint import arb, fmpq

from posproof.audit.calls import Array, called
from posproof.audit.findings import Finding, fault
from posproof.audit.invariants import Audit, invariant
from posproof.audit.protocol import Encoding
from posproof.numerics.balls import precision

#: What a function in float64 is asked for unless it states another relative error: 12 digits.
RELATIVE_ERROR = Fraction(1, 2**40)
ORDERS: tuple[float, ...] = (0, 1, 2, 3, 10, 31, 64, 127, 0.5, 2.5, 91.5)
ARGUMENTS: tuple[float, ...] = (
    0.0,
    1e-8,
    1e-4,
    0.3,
    1.0,
    1.3,
    2.0,
    3.14159,
    10.0,
    24.7708,
    50.0,
    300.0,
)
#: Between these a double holds a value to full precision.
SMALLEST, LARGEST = Fraction(1, 2**1022), Fraction(2**1023)


@invariant("modified Bessel I", family="special", needs=("bessel_i",))
def modified_i(known: Encoding, audit: Audit) -> Iterator[Finding]:
    """Lost digits, negative integer orders (I of -n is I of n), wrong signs, the point 0."""
    orders = (*ORDERS, -1, -2, -64, -127)
    yield from _compared(known, "bessel_i", orders, ARGUMENTS, lambda n, x: x.bessel_i(n))


@invariant("modified Bessel K", family="special", needs=("bessel_k",))
def modified_k(known: Encoding, audit: Audit) -> Iterator[Finding]:
    """Lost digits at large arguments, wrong signs: K is positive."""
    positive = tuple(x for x in ARGUMENTS if x > 0)
    yield from _compared(known, "bessel_k", ORDERS, positive, lambda n, x: x.bessel_k(n))


@invariant("spherical Bessel j", family="special", needs=("spherical_j",))
def spherical(known: Encoding, audit: Audit) -> Iterator[Finding]:
    """The parity in x, the removable singularity at 0, lost digits."""
    orders = tuple(n for n in ORDERS if n == int(n) and n < 64)
    both = (*ARGUMENTS, *(-x for x in ARGUMENTS if x > 0))
    yield from _compared(known, "spherical_j", orders, both, _spherical)


def _spherical(order: arb, x: arb) -> arb:
    if x == 0:
        return arb(int(order == 0))
    size = abs(x)
    value = (arb.pi() / (2 * size)).sqrt() * size.bessel_j(order + arb(fmpq(1, 2)))
    odd = round(float(order)) % 2
    return -value if odd and x < 0 else value


def _compared(
    known: Encoding,
    name: str,
    orders: tuple[float, ...],
    arguments: tuple[float, ...],
    exact: Callable[[arb, arb], arb],
) -> Iterator[Finding]:
    method = known.method(name)
    assert method is not None
    relative = Fraction(known.fact("tolerance", RELATIVE_ERROR))
    for order in orders:
        for x in arguments:
            with precision(256):
                right = exact(arb(order), arb(x))
            if not right.is_finite() or abs(right) > _ball(LARGEST):
                continue
            if right != 0 and abs(right) < _ball(SMALLEST):
                continue
            given = f"order {order:g}, x = {x:g}"
            value = called(method, order, x, given=given, finite=False)
            waves = arb(0) if name != "spherical_j" or abs(x) <= order + 1 else 1 / abs(arb(x))
            if _off(value, right, relative, waves):
                yield fault(
                    "the value is wrong",
                    given=given,
                    observed=value,
                    right=right,
                    bound=f"{float(relative):.3g} relative",
                )


def _off(value: Array, right: arb, relative: Fraction, waves: arb) -> bool:
    """Near a zero only the absolute error counts, against the size of the waves around it."""
    if value.size != 1:
        return True
    allowed = _ball(relative) * abs(right).max(waves)
    return not bool(abs(arb(float(value)) - right) <= allowed)


def _ball(value: Fraction) -> arb:
    return arb(fmpq(value.numerator, value.denominator))
