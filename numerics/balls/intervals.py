"""Statements about whole intervals, by subdivision.

Main definitions
----------------
subdivide     a ball predicate at every point of an interval, by adaptive bisection
isolate_root  a zero of a continuous function between two points of opposite sign
largest       a ball around a maximum

Conventions
-----------
Interval ends are exact fractions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

from flint import arb

from posproof.numerics.balls.terms import GUARD_BITS, Undefined, exact, precision, spanning


@dataclass(frozen=True)
class Cover:
    """The result of a subdivision: the number of boxes, or the box that could not be settled."""

    boxes: int
    failed: tuple[Fraction, Fraction] | None = None


def subdivide(
    holds: Callable[[arb], bool],
    low: Fraction,
    high: Fraction,
    *,
    boxes: int = 1,
    depth: int = 30,
) -> Cover:
    """Check a ball predicate on every point of [low, high] by bisection.

    `holds(x)` must be True only if the statement holds for every real in the ball x.  The interval
    is cut into `boxes` equal parts first; a part that cannot be settled after `depth` bisections is
    returned, so a statement with a false or touching point inside never passes.
    """
    step = (high - low) / boxes
    stack = [(low + k * step, low + (k + 1) * step, 0) for k in reversed(range(boxes))]
    settled = 0
    while stack:
        left, right, level = stack.pop()
        if holds(spanning(left, right)):
            settled += 1
            continue
        if level == depth:
            return Cover(settled, (left, right))
        middle = (left + right) / 2
        stack += [(middle, right, level + 1), (left, middle, level + 1)]
    return Cover(settled)


def isolate_root(
    function: Callable[[arb], arb], low: Fraction, high: Fraction, bits: int = 128
) -> arb:
    """A ball of radius about 2^-bits that contains a zero of a continuous function.

    The signs at both ends must be certainly opposite (ValueError otherwise); uniqueness is the
    caller's to argue.  `Undefined` if the sign at a midpoint cannot be told.
    """
    with precision(bits + GUARD_BITS):
        sign = _definite_sign(function(arb(exact(low))))
        if sign * _definite_sign(function(arb(exact(high)))) != -1:
            raise ValueError("no certain change of sign between the two ends")
        width = Fraction(1, 2**bits)
        while high - low > width:
            middle = (low + high) / 2
            here = _definite_sign(function(arb(exact(middle))))
            if here == 0:
                third = (high - low) / 3
                low, high = _shrink(function, low + third, high - third, low, high, sign)
                continue
            low, high = (middle, high) if here == sign else (low, middle)
        return spanning(low, high)


def _shrink(
    function: Callable[[arb], arb],
    left: Fraction,
    right: Fraction,
    low: Fraction,
    high: Fraction,
    sign: int,
) -> tuple[Fraction, Fraction]:
    """One step past a midpoint of unknown sign: cut off an outer third of known sign."""
    if _definite_sign(function(arb(exact(left)))) == sign:
        return left, high
    if _definite_sign(function(arb(exact(right)))) == -sign:
        return low, right
    raise Undefined("the sign cannot be told at this precision")


def _definite_sign(value: arb) -> int:
    return 1 if value > 0 else -1 if value < 0 else 0


def largest(values: Sequence[arb]) -> arb:
    """A ball that contains the maximum of finitely many reals."""
    return reduce(lambda a, b: a.max(b), values)
