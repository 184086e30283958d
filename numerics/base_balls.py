"""Balls for the base bound: covers, positivity at every offset, roots to 25 digits.

Main definitions
----------------
Criterion        what the verifier evaluates, and the numbers it is asked to confirm
plane_values     theta_i as balls
value            B(n, e^x) and Lambda(n, x) / n
all_values       B(n, e^x) at every offset, by two ball matrix products
killed           whether one interval of a cover is violated throughout
stays_positive   whether every base of an interval is admissible
refined          a root to 25 digits, by the signs at two decimals

Conventions
-----------
As in `base_search`: x = ln b, points in units of 2^-48, exact as balls.  Everything that counts
here is a ball; `base_search` only proposes where to look.

Why it is a proof
-----------------
|dB/dx| <= Lambda(n, x) from x upwards (clause `step`).  So B(n, e^x) + h Lambda(n, x) < 0 kills all
of [x, x + h], and B(n, e^c) > Lambda(n, x) h / 2 at the middle c for every n keeps all of it.  At a
root the sign of dB/dx on a ball around it replaces the Lipschitz bound.  Beyond b_G the clause
`large_base` takes over.

References
----------
xu2024base
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, arb_mat

from posproof.numerics.balls import dyadic, ends, exact, precision, spanning
from posproof.numerics.base_search import (
    EDGE,
    PLANES,
    UNIT_BITS,
    Cover,
    admissible_step,
)
from posproof.theory.scaling.base import Row, bracket

#: Bits of the covers: offsets have 20, so 40 and more are left for a value of size 1.
BITS = 64
#: Bits of the roots: 25 digits and the offset's 20 bits, with a margin.
ROOT_BITS = 192
ROOT_DIGITS = 25


@dataclass(frozen=True)
class Edge:
    """A base where B(offset, .) changes sign, between `low` and `high`."""

    low: Fraction
    high: Fraction
    offset: int


def infimum_of(row: Row) -> Edge:
    """Where the table says the admissible bases begin."""
    return Edge(*bracket(row.infimum), row.infimum_offset)


def window_end_of(row: Row) -> Edge:
    """Where the table says the first window of admissible bases ends."""
    return Edge(*bracket(row.window_end), row.window_offset)


def beyond_window_of(row: Row) -> tuple[int, Fraction]:
    """An offset and a base larger than an admissible one, where the criterion fails."""
    return row.window_offset, bracket(row.window_end)[1]


def supremum_of(row: Row) -> Edge:
    """Where the table says the last inadmissible base lies."""
    return Edge(*bracket(row.supremum), row.supremum_offset)


def published_of(row: Row) -> Fraction:
    """The base printed for the row."""
    return Fraction(row.published)


@dataclass(frozen=True)
class Criterion:
    """theta_i = b^(-ratio i), i < 64; offsets are the multiples of `stride` below the context."""

    ratio: Fraction = Fraction(1, PLANES)
    stride: int = 1
    infimum: Callable[[Row], Edge] = infimum_of
    window_end: Callable[[Row], Edge] = window_end_of
    supremum: Callable[[Row], Edge] = supremum_of
    larger: Callable[[Row], tuple[int, Fraction]] = beyond_window_of
    published: Callable[[Row], Fraction] = published_of


CRITERION = Criterion()


# ---------------------------------------------------------------------- balls
def point(units: int) -> arb:
    """A point of a cover, exactly."""
    return arb(units) * arb(2) ** -UNIT_BITS


def plane_values(of: Criterion, x: arb) -> list[arb]:
    """theta_i = e^(-x ratio i)."""
    factor = (-x * exact(of.ratio)).exp()
    theta = [arb(1)]
    for _ in range(PLANES - 1):
        theta.append(theta[-1] * factor)
    return theta


def value(of: Criterion, offset: int, x: arb) -> tuple[arb, arb]:
    """B(offset, e^x), and Lambda(offset, x) / offset."""
    kernel, slope = arb(0), arb(0)
    for i, theta in enumerate(plane_values(of, x)):
        kernel += (theta * offset).cos()
        slope += theta * i
    return kernel, slope * exact(of.ratio)


def derivative(of: Criterion, offset: int, x: arb) -> arb:
    """dB(offset, e^x)/dx."""
    total = arb(0)
    for i, theta in enumerate(plane_values(of, x)):
        total += (theta * offset).sin() * theta * i
    return total * offset * exact(of.ratio)


def all_values(of: Criterion, context: int, x: arb) -> list[arb]:
    """B(n, e^x) for n = 0 .. context - 1.

    With n = K r +- a the addition theorem gives all of them from two matrix products.
    """
    theta = plane_values(of, x)
    half = max(math.isqrt(2 * context) // 2, 1)
    blocks = context // (2 * half) + 2
    fine = [[(t * a).sin_cos() for t in theta] for a in range(half + 1)]
    coarse = [[(t * (2 * half * r)).sin_cos() for t in theta] for r in range(blocks)]
    sines = _table(coarse, 0) * _table(fine, 0).transpose()
    cosines = _table(coarse, 1) * _table(fine, 1).transpose()
    ahead, behind, width = (cosines - sines).entries(), (cosines + sines).entries(), half + 1
    values: list[arb] = []
    for r in range(blocks):
        if r:
            values.extend(reversed(behind[r * width + 1 : r * width + half]))
        values.extend(ahead[r * width : (r + 1) * width])
    return values[:context]


def _table(rows: list[list[tuple[arb, arb]]], which: int) -> arb_mat:
    return arb_mat([[pair[which] for pair in row] for row in rows])


def logarithm(low: Fraction, high: Fraction) -> arb:
    """A ball that contains ln b for every b from `low` to `high`."""
    return spanning(low, high).log()


# ---------------------------------------------------------------------- intervals
def killed(of: Criterion, cover: Cover, context: int) -> Iterator[bool]:
    """For each interval of a cover: is B(n_k, .) < 0 on all of it, with n_k an allowed offset?"""
    starts, steps, witnesses = cover.starts, cover.steps.tolist(), cover.witnesses.tolist()
    for start, step, witness in zip(starts, steps, witnesses, strict=False):
        if not 0 < witness < context or witness % of.stride:
            yield False
            continue
        kernel, slope = value(of, witness, point(start))
        yield bool(kernel + slope * witness * point(step) < 0)


def clear(values: list[arb], margin: arb, stride: int, skip: int | None = None) -> bool:
    """Whether values[n] > n margin at every allowed offset other than `skip`."""
    highest = margin * len(values)
    return all(
        entry > highest or n == skip or entry > margin * n
        for n, entry in enumerate(values)
        if n % stride == 0
    )


def past_edge(of: Criterion, context: int, offset: int, left: arb, right: arb, sign: int) -> bool:
    """Whether dB(offset, .)/dx has `sign` between two points and the others stay positive."""
    slope = derivative(of, offset, left.union(right)) * sign
    values = all_values(of, context, left)
    margin = value(of, 0, left)[1] * (right - left)
    return bool(slope > 0) and clear(values, margin, of.stride, offset)


@dataclass(frozen=True)
class Walk:
    """How a walk over bases ended: at its aim, at a violation, or stuck."""

    steps: int
    arrived: bool
    at: int
    violated_at: int | None = None


def violation_after(of: Criterion, context: int, at: int, stop: int) -> tuple[int, int | None]:
    """A point between two with a negative value and its offset; (at, None) when none is found."""
    ahead = (at + EDGE * 2**k for k in range(UNIT_BITS - EDGE.bit_length()))
    for here in (at, *(units for units in ahead if units <= stop)):
        values = all_values(of, context, point(here))
        negative = next((n for n in range(0, context, of.stride) if values[n] < 0), None)
        if negative is not None:
            return here, negative
    return at, None


def stays_positive(of: Criterion, context: int, start: int, stop: int) -> Walk:
    """Whether every base from `start` to `stop` (in units) is admissible."""
    at, steps = start, 0
    while at < stop:
        step = admissible_step(context, at, stop - at)
        while step >= min(EDGE, stop - at):
            middle = all_values(of, context, point(2 * at + step) / 2)
            if clear(middle, value(of, 0, point(at))[1] * point(step) / 2, of.stride):
                break
            step //= 2
        else:
            return Walk(steps, False, *violation_after(of, context, at, stop))
        at, steps = at + step, steps + 1
    return Walk(steps, True, at)


def unit_below(x: arb) -> int:
    """The last unit certainly below a ball."""
    return math.ceil(ends(x)[0] * 2**UNIT_BITS) - 1


def unit_above(x: arb) -> int:
    """The first unit certainly above a ball."""
    return math.floor(ends(x)[1] * 2**UNIT_BITS) + 1


# ---------------------------------------------------------------------- roots
def refined(of: Criterion, edge: Edge, digits: int = ROOT_DIGITS) -> Edge | None:
    """The sign change inside a bracket to `digits` digits; None when the balls show none.

    Newton's iteration proposes; the signs at the two decimals around it decide.
    """
    with precision(ROOT_BITS):
        x = logarithm(edge.low, edge.low)
        for _ in range(8):
            step = value(of, edge.offset, x)[0] / derivative(of, edge.offset, x)
            x = (x - step).mid()
        base = x.exp()
        if not base.is_finite() or not base > 1:
            return None
        whole = len(str(int(edge.low)))
        unit = Fraction(1, 10 ** (digits - whole))
        low = dyadic(base.mid()) // unit * unit
        narrow = Edge(low, low + unit, edge.offset)
        ends = [value(of, edge.offset, logarithm(b, b))[0] for b in (narrow.low, narrow.high)]
        inside = edge.low <= narrow.low and narrow.high <= edge.high
        changes = bool(ends[0] * ends[1] < 0)
    return narrow if inside and changes else None


def decimal(value: Fraction, digits: int = ROOT_DIGITS) -> str:
    """A positive fraction cut (not rounded) to `digits` significant decimals."""
    whole = int(value)
    places = digits - len(str(whole))
    return f"{whole}.{int((value - whole) * 10**places):0{places}d}" if places > 0 else str(whole)
