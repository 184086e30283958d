"""The scaling rules on real ladders: the reference at 40 digits, and float64 formulas beside it.

Main definitions
----------------
Ladders     the functions under test; a control replaces one of them
rebased     the NTK-aware ladder as it is written in float64
drawn_rule  settings of a rule for Hypothesis

Conventions
-----------
Ladders of `numerics.frequency_rules` are balls of 192 bits: an order of two of them is certified.

References
----------
chen2023interpolation, peng2023yarn, ding2024longrope
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb
from numpy.typing import NDArray

from posproof.numerics.balls import certify, precision
from posproof.numerics.formats import FORMATS
from posproof.numerics.frequency_rules import (
    BITS,
    Ladder,
    Rule,
    ramp_ends,
    relative_error,
    scaled_ladder,
)
from posproof.numerics.hunt import hunt, rationals
from posproof.numerics.measure import within
from posproof.theory.scaling.rules import (
    DYNAMIC_NTK,
    INTERPOLATION,
    LLAMA3,
    LONGROPE,
    NTK,
    YARN,
    Rules,
)
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control

Array = NDArray[np.float64]
U64 = FORMATS["float64"].unit_roundoff


def rebased(base: float, factor: float, width: int) -> Array:
    """base'^(-2 i / d) with base' = base factor^(d / (d - 2)), in float64, shape `(d / 2,)`."""
    grown = base * factor ** (width / (width - 2))
    return 1.0 / grown ** (np.arange(0, width, 2) / width)


@dataclass(frozen=True)
class Ladders:
    """What the checks measure; `position` interpolates, `ladder` is a rule's ladder at a length."""

    rebased: Callable[[float, float, int], Array] = rebased
    position: Callable[[int, Fraction], Fraction] = lambda D, s: Fraction(D) / s
    ladder: Callable[[Rule, int | None], Ladder] = scaled_ladder


LADDERS = Ladders()


def plain(rule: Rule) -> Sequence[arb]:
    """The ladder before scaling."""
    return scaled_ladder(replace(rule, name="default")).frequencies


def falling(frequencies: Sequence[arb]) -> bool:
    """Whether each frequency is certified to be below the one before."""
    pairs = zip(frequencies, frequencies[1:], strict=False)
    return all(bool(low < high) for high, low in pairs)


def bracketed(rule: Rule, frequencies: Sequence[arb], growth: Fraction) -> bool:
    """theta / growth <= theta' <= theta at every plane, where balls do not exclude it."""
    with precision(BITS):
        divisor = _ball(growth)
        return not any(
            bool(new > old) or bool(new < old / divisor)
            for new, old in zip(frequencies, plain(rule), strict=True)
        )


def _ball(value: Fraction | int) -> arb:
    exact = Fraction(value)
    return arb(exact.numerator) / exact.denominator


# ---------------------------------------------------------------------- interpolation
def _floored(D: int, s: Fraction) -> Fraction:
    """Integer division of positions."""
    return Fraction(D // s)


@control("positions_floored", position=_floored)
@checked_by(
    INTERPOLATION,
    "score",
    "property",
    "16 planes of base 10^4, offsets to 10^5, s in [1, 64], complex weights",
    definitions=LADDERS,
)
def interpolated_scores_are_old_ones(of: Ladders, run: Run) -> Evidence:
    """S'(D) - S(D / s) at 40 digits: a ball around 0."""
    from hypothesis import strategies as st

    def invariant(D: int, s: Fraction, weights: list[int]) -> bool:
        rule = Rule("linear", 32, 10_000, 32, factor=s)
        new, old = of.ladder(rule, None).frequencies, plain(rule)
        with precision(BITS):
            at = _ball(of.position(D, s))
            gap = sum(
                (
                    a * ((theta * D).cos() - (first * at).cos())
                    - b * ((theta * D).sin() - (first * at).sin())
                    for a, b, theta, first in zip(
                        weights[::2], weights[1::2], new, old, strict=True
                    )
                ),
                arb(0),
            )
            return bool(gap.contains(0))

    drawn = {
        "D": st.integers(0, 10**5),
        "s": rationals(1, 64, 8),
        "weights": st.lists(st.integers(-9, 9), min_size=32, max_size=32),
    }
    first = {"D": 99, "s": Fraction(4), "weights": [1] * 32}
    return hunt(invariant, drawn, run, first=first)


# ---------------------------------------------------------------------- ntk
def _base_times_the_factor(base: float, factor: float, width: int) -> Array:
    return 1.0 / (base * factor) ** (np.arange(0, width, 2) / width)


def _one_less(base: float, factor: float, width: int) -> Array:
    grown = base * factor ** (width / (width - 1))
    return 1.0 / grown ** (np.arange(0, width, 2) / width)


NTK_GRID = Scope("12 ladders to s = 64, b = 10^6", "96 ladders to s = 64, b = 10^6")


@control("base_times_the_factor", rebased=_base_times_the_factor)
@control("exponent_of_d_minus_one", rebased=_one_less)
@checked_by(NTK, "ends", "float", NTK_GRID, definitions=LADDERS)
def last_plane_in_float64(of: Ladders, run: Run) -> Evidence:
    """|theta'_last s / theta_last - 1| of the float64 formula."""
    widths = (4, 64, 96, 128) if run.profile == "full" else (64, 128)
    factors = (2, 3, 4, 8, 16, 64) if run.profile == "full" else (2, 8, 64)
    bases = (100, 10_000, 500_000, 1_000_000) if run.profile == "full" else (10_000, 1_000_000)
    gaps, bounds = {}, {}
    for width in widths:
        for factor in factors:
            for base in bases:
                rule = Rule("ntk", width, base, width, factor=factor)
                with precision(BITS):
                    value = arb(float(of.rebased(float(base), float(factor), width)[-1]))
                    gap = abs(value * factor / plain(rule)[-1] - 1)
                where = f"d = {width}, s = {factor}, b = {base}"
                gaps[where] = float(gap.upper())
                bounds[where] = relative_error(rule, U64)
    worst = max(gaps, key=lambda where: gaps[where] / float(bounds[where]))
    bound = Bound(bounds[worst], "relative_error(ntk)", {"format": "float64"})
    return within(gaps[worst], bound, witness=worst)


# ---------------------------------------------------------------------- yarn
@control("turns_exchanged", kept=lambda r, low, high: (r - high) / (low - high))
@checked_by(YARN, "two_ramps", "ball", "all 64 planes")
def ramps_differ(of: Rules, run: Run) -> Evidence:
    return certify(YARN.clause("two_ramps").statement(of), [{}], run.digits)


def _swapped(rule: Rule, length: int | None) -> Ladder:
    """The two numbers of turns exchanged: shares that rise with the plane."""
    low, high = ramp_ends(rule)
    with precision(BITS):
        ladder = []
        for i, theta in enumerate(plain(rule)):
            share = ((i - low) / (high - low)).max(arb(0)).min(arb(1))
            ladder.append(theta * ((1 - share) / _ball(rule.factor) + share))
        return Ladder(tuple(ladder), arb(1))


def drawn_rule() -> dict[str, Any]:
    """Base, context and factor of a rule."""
    from hypothesis import strategies as st

    return {
        "base": st.integers(100, 10**7),
        "context": st.integers(256, 2**17),
        "factor": rationals(1, 64, 4),
    }


@control("turns_exchanged", ladder=_swapped)
@checked_by(
    YARN, "falls", "property", "32 planes, base to 10^7, context to 2^17, s in [1, 64]",
    definitions=LADDERS,
)  # fmt: skip
def yarn_ladders_fall(of: Ladders, run: Run) -> Evidence:
    """Between theta / s and theta, and falling; the first plane kept, planes beyond divided."""
    from hypothesis import assume

    def invariant(base: int, context: int, factor: Fraction) -> bool:
        rule = Rule("yarn", 64, base, 64, factor=factor, context=context)
        low, high = ramp_ends(rule)
        assume(bool(high > low))
        frequencies = of.ladder(rule, None).frequencies
        return falling(frequencies) and bracketed(rule, frequencies, factor)

    return hunt(invariant, drawn_rule(), run)


# ---------------------------------------------------------------------- dynamic ntk
def _plain_quotient(rule: Rule, length: int | None) -> Ladder:
    """The growth is the factor times the quotient of the lengths."""
    growth = Fraction(rule.factor) * max(length or 1, rule.context or 1) / (rule.context or 1)
    return scaled_ladder(replace(rule, name="ntk", factor=growth))


@control("plain_quotient", ladder=_plain_quotient)
@checked_by(
    DYNAMIC_NTK,
    "start",
    "property",
    "8 planes, base to 10^7, context to 2^17, s in [1, 64], lengths to 16 L",
    definitions=LADDERS,
)
def dynamic_ladders_start_plain(of: Ladders, run: Run) -> Evidence:
    """The plain ladder up to L; beyond, the last plane divided by s n / L - s + 1."""

    def invariant(base: int, context: int, factor: Fraction, length: Fraction) -> bool:
        rule = Rule("dynamic", 16, base, 16, factor=factor, context=context)
        at = int(length * context)
        frequencies = of.ladder(rule, at).frequencies
        growth = max(Fraction(1), factor * at / context - factor + 1)
        with precision(BITS):
            last = frequencies[-1] * _ball(growth) - plain(rule)[-1]
            first = frequencies[0] - plain(rule)[0]
            same = bool(last.contains(0)) and bool(first.contains(0))
        return same and falling(frequencies)

    drawn = {**drawn_rule(), "length": rationals(0, 16, 8)}
    return hunt(invariant, drawn, run)


# ---------------------------------------------------------------------- longrope
def _switched_at_the_context(rule: Rule, length: int | None) -> Ladder:
    """The long list from L on, not after it."""
    return scaled_ladder(rule, None if length is None else length + 1)


@control("switched_at_the_context", ladder=_switched_at_the_context)
@checked_by(
    LONGROPE, "switch", "property", "8 planes, lists of rationals, lengths to 2^18",
    definitions=LADDERS,
)  # fmt: skip
def longrope_switches_after_the_context(of: Ladders, run: Run) -> Evidence:
    """theta / short up to L, theta / long beyond."""
    from hypothesis import strategies as st

    def invariant(context: int, length: int, lists: list[Fraction]) -> bool:
        short, long = tuple(lists[:8]), tuple(lists[8:])
        rule = Rule(
            "longrope", 16, 10_000, 16,
            factor=4, context=context, short_factor=short, long_factor=long,
        )  # fmt: skip
        with precision(BITS):
            chosen = short if length <= context else long
            gaps = [
                new * _ball(by) - old
                for new, old, by in zip(
                    of.ladder(rule, length).frequencies, plain(rule), chosen, strict=True
                )
            ]
        return all(bool(gap.contains(0)) for gap in gaps)

    drawn = {
        "context": st.integers(16, 2**17),
        "length": st.integers(1, 2**18),
        "lists": st.lists(rationals(1, 64, 16), min_size=16, max_size=16),
    }
    lists = [Fraction(1)] * 8 + [Fraction(2)] * 8
    return hunt(invariant, drawn, run, first={"context": 4096, "length": 4096, "lists": lists})


# ---------------------------------------------------------------------- llama3
def _edges_exchanged(rule: Rule, length: int | None) -> Ladder:
    low, high = _ball(rule.low_freq_factor or 1), _ball(rule.high_freq_factor or 1)
    with precision(BITS):
        ladder = []
        for theta in plain(rule):
            turns = (rule.context or 1) * theta / (2 * arb.pi())
            kept = (high - turns) / (high - low)
            if turns < low:
                kept = arb(0)
            if turns > high:
                kept = arb(1)
            ladder.append(theta * ((1 - kept) / _ball(rule.factor) + kept))
        return Ladder(tuple(ladder), arb(1))


@control("edges_exchanged", ladder=_edges_exchanged)
@checked_by(
    LLAMA3, "rises", "property",
    "64 planes, base to 10^7, context to 2^17, s in [1, 64], l in [1/2, 2], h - l in [1/10, 8]",
    definitions=LADDERS,
)  # fmt: skip
def llama3_ladders_fall(of: Ladders, run: Run) -> Evidence:
    """Frequencies keep their order, and stay between theta / s and theta."""

    def invariant(
        base: int, context: int, factor: Fraction, low: Fraction, width: Fraction
    ) -> bool:
        rule = Rule(
            "llama3", 128, base, 128,
            factor=factor, context=context, low_freq_factor=low, high_freq_factor=low + width,
        )  # fmt: skip
        frequencies = of.ladder(rule, None).frequencies
        return falling(frequencies) and bracketed(rule, frequencies, factor)

    drawn = {
        **drawn_rule(),
        "low": rationals(Fraction(1, 2), 2, 8),
        "width": rationals(Fraction(1, 10), 8, 10),
    }
    return hunt(invariant, drawn, run)
