"""Linear biases: the distances at which weights become 0, by unique ceilings of balls.

Main definitions
----------------
exponents               x of the slopes 2^(-x) of a number of heads
vanishing               T: a weight of at most 2^(-T) is stored as 0
first_dead              the least distance at which a weight is stored as 0
first_dead_probability  the same for a probability of a long row
dead_pairs, dead_triples  shares of what is dead in a sequence of L

Conventions
-----------
A slope is a function that encloses it at the working precision; `power_of_two` and `given` make
one.  Content logits are equal: the weight at distance d is e^(-m d) of the one at distance 0.
Flushing to zero loses every number below the smallest normal one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache

from flint import arb

from posproof.numerics.balls import Undefined, exact, precision
from posproof.numerics.formats import MAX_BITS, Format

Slope = Callable[[], arb]


def exponents(heads: int) -> tuple[Fraction, ...]:
    """8 h / H for a power of two H; otherwise those of the largest one K below, then 1st, 3rd, ...
    of 2 K.
    """
    whole = 2 ** (heads.bit_length() - 1)
    first = [Fraction(8 * h, whole) for h in range(1, whole + 1)]
    return (*first, *(Fraction(4 * h, whole) for h in range(1, 2 * (heads - whole), 2)))


def power_of_two(exponent: Fraction) -> Slope:
    """The slope 2^(-exponent)."""
    return lambda: arb(2) ** -arb(exact(exponent))


def given(slope: Fraction) -> Slope:
    return lambda: arb(exact(slope))


def vanishing(form: Format, flushed: bool = False) -> int:
    """T of a format: half its smallest number, or its smallest normal one, is 2^(-T)."""
    return -form.min_exponent if flushed else form.significand - form.min_exponent


def _ceiling(enclosure: Callable[[], arb]) -> int:
    """The least integer above; Undefined where no precision tells."""
    bits = 128
    while bits <= MAX_BITS:
        with precision(bits):
            below = enclosure().floor().unique_fmpz()
        if below is not None:
            return int(below) + 1
        bits *= 2
    raise Undefined(f"{MAX_BITS} bits do not tell the ceiling")


def first_dead(slope: Slope, T: int) -> int:
    """ceil(T ln 2 / m): no integer m d is T ln 2 for an algebraic m."""
    return _ceiling(lambda: T * arb.const_log2() / slope())


def first_dead_probability(slope: Slope, T: int) -> int:
    """ceil((T ln 2 + ln(1 - e^(-m))) / m), at least 0, for rows without an end."""

    def enclosure() -> arb:
        m: arb = slope()
        return (T * arb.const_log2() + (-(-m).expm1()).log()) / m

    return max(0, _ceiling(enclosure))


@lru_cache
def heads_dead(heads: int, T: int) -> tuple[int, ...]:
    """First dead distances of every head, by the usual recipe."""
    return tuple(first_dead(power_of_two(x), T) for x in exponents(heads))


def dead_pairs(first: Sequence[int], length: int) -> Fraction:
    """The share of (head, distance) pairs, distances below `length`, with a weight of 0."""
    return Fraction(sum(max(0, length - delta) for delta in first), len(first) * length)


def dead_triples(first: Sequence[int], length: int) -> Fraction:
    """The share of causal (query, key, head) triples with a weight of 0."""
    dead = (max(0, length - delta) for delta in first)
    return Fraction(sum(t * (t + 1) for t in dead), len(first) * length * (length + 1))


def dead_heads(first: Sequence[int], length: int) -> int:
    """Heads that have a dead distance below `length`."""
    return sum(delta < length for delta in first)
