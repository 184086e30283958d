"""Linear biases in floating point: recomputed thresholds, and weights cast to real formats.

Main definitions
----------------
Weights    what the checks compute; a control replaces one of them

Conventions
-----------
Thresholds are those of `alibi_distances`.  Weights are float64 exponentials cast by NumPy and
ml_dtypes.  A float64 exponential of -m d, m d < 2^10, is within 2^-40 of itself, and no weight the
casts are asked about is as near to 2^(-T) as that: `_apart` certifies it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any

import numpy as np
from flint import arb
from numpy.typing import NDArray

from posproof.numerics.alibi_distances import (
    dead_pairs,
    dead_triples,
    exponents,
    first_dead,
    first_dead_probability,
    power_of_two,
    vanishing,
)
from posproof.numerics.balls import ends, exact, precision
from posproof.numerics.formats import FORMATS, Format, round_exact
from posproof.numerics.hunt import hunt
from posproof.numerics.measure import within
from posproof.theory.kernels import alibi as theory
from posproof.theory.kernels.alibi import ALIBI_UNDERFLOW
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, Trust, checked_by, control

Array = NDArray[np.float64]

LIBRARY = frozenset({Trust("software", "NumPy's float64 exp is within 2^-40 of the result")})
BITS = 256
NAMES = ("float32", "bfloat16", "float16", "float8_e4m3fn", "float8_e5m2")
HEADS = (8, 12, 16, 32)


def _cast(weights: Array, form: Format) -> Array:
    """Float64 values as the format's own NumPy type stores them."""
    with np.errstate(under="ignore"):
        return weights.astype(form.dtype).astype(np.float64)


@dataclass(frozen=True)
class Weights:
    """What the checks compute: thresholds, slopes, the exponent of a weight, and casts."""

    vanishing: Callable[..., int] = vanishing
    recipe: Callable[[int], tuple[Fraction, ...]] = exponents
    drop: Callable[[arb, int], arb] = lambda m, d: m * d
    spread: int = 2
    cast: Callable[[Array, Format], Array] = _cast
    first: Callable[..., int] = first_dead
    probability: Callable[..., int] = first_dead_probability
    pairs: Callable[..., Fraction] = dead_pairs
    triples: Callable[..., Fraction] = dead_triples


WEIGHTS = Weights()


def _one_less(form: Format, flushed: bool = False) -> int:
    return vanishing(form, flushed) - 1


def _cells(of: Weights, heads: tuple[int, ...] = HEADS) -> Iterator[tuple[str, int, Fraction, int]]:
    """Format, number of heads, exponent of the slope and first dead distance."""
    for name in NAMES:
        T = of.vanishing(FORMATS[name])
        for count in heads:
            for x in of.recipe(count):
                yield name, count, x, of.first(power_of_two(x), T)


def _stored(weight: arb, form: Format) -> Fraction | None:
    """The number of the format nearest to every number of a ball; None if there are two."""
    low, high = (round_exact(end, form) for end in ends(weight))
    return low if low == high else None


# ---------------------------------------------------------------------- certified
@control("half_way_rule_forgotten", vanishing=_one_less)
@checked_by(
    ALIBI_UNDERFLOW,
    "rounding",
    "ball",
    "five formats, 0, 2^-T and its neighbours 2^-T (1 +- 2^-20), exactly",
    definitions=WEIGHTS,
)
def smallest_weights(of: Weights, run: Run) -> Evidence:
    """Rational weights on both sides of half the smallest number, rounded exactly."""
    for name in NAMES:
        form, T = FORMATS[name], of.vanishing(FORMATS[name])
        half = Fraction(1, 2**T)
        for factor, lost in ((0, True), (1 - Fraction(1, 2**20), True), (1, True), (2, False)):
            if (round_exact(half * factor, form) == 0) is not lost:
                return Evidence("refuted", witness=f"{name}: {factor} 2^-{T}")
        if round_exact(half * (1 + Fraction(1, 2**20)), form) == 0:
            return Evidence("refuted", witness=f"{name}: a little more than 2^-{T}")
    return Evidence("holds", note=f"{5 * len(NAMES)} weights")


EVERY = "five formats, every head of 8, 12, 16 and 32, the last living and the first dead distance"


def _ends_of_life(of: Weights) -> Evidence:
    """e^(-m d), enclosed and rounded, is 0 from the ceiling on and not before."""
    count = 0
    with precision(BITS):
        for name, heads, x, delta in _cells(of):
            form, m = FORMATS[name], power_of_two(x)()
            for d, lost in ((delta - 1, False), (delta, True), (2 * delta, True)):
                count += 1
                found = _stored((-of.drop(m, d)).exp(), form)
                if found is None:
                    return Evidence("undecided", note=f"{name}, m = 2^-({x}), d = {d}")
                if (found == 0) is not lost:
                    return Evidence(
                        "refuted", witness=f"{name}, H = {heads}, m = 2^-({x}), d = {d}"
                    )
    return Evidence("holds", note=f"{count} weights")


@control("half_the_slope", drop=lambda m, d: m * d / 2)
@control("half_way_rule_forgotten", vanishing=_one_less)
@checked_by(ALIBI_UNDERFLOW, "weight", "ball", EVERY, definitions=WEIGHTS)
def weights_in_balls(of: Weights, run: Run) -> Evidence:
    return _ends_of_life(of)


@control("rounded_down", first=lambda m, T: first_dead(m, T) - 1)
@checked_by(ALIBI_UNDERFLOW, "distance", "ball", EVERY, definitions=WEIGHTS)
def distances_in_balls(of: Weights, run: Run) -> Evidence:
    return _ends_of_life(of)


@control("transcendental_drop", drop=lambda m, d: 10 * arb.const_log2())
@checked_by(
    ALIBI_UNDERFLOW,
    "no_ties",
    "ball",
    Scope("H = 1 .. 16, five formats, distances next to a tie", "H = 1 .. 64, five formats"),
    definitions=WEIGHTS,
)
def no_ties_in_balls(of: Weights, run: Run) -> Evidence:
    """m d and T ln 2 have disjoint balls at the two distances where they are nearest."""
    nearest, where = arb(10), ""
    with precision(BITS):
        for heads in range(1, 65 if run.profile == "full" else 17):
            for x in of.recipe(heads):
                m = power_of_two(x)()
                for name in NAMES:
                    T = of.vanishing(FORMATS[name])
                    delta = of.first(power_of_two(x), T)
                    for d in (delta - 1, delta):
                        gap = abs(of.drop(m, d) - T * arb.const_log2())
                        if gap.contains(0):
                            return Evidence("refuted", witness=f"T = {T}, m = 2^-({x}), d = {d}")
                        if gap < nearest:
                            nearest, where = gap, f"{name}, H = {heads}, d = {d}"
    return Evidence("holds", measured=nearest.str(4, radius=False), note=f"nearest at {where}")


@control("smallest_subnormal", vanishing=lambda form, flushed: vanishing(form))
@checked_by(ALIBI_UNDERFLOW, "flushed", "ball", EVERY, definitions=WEIGHTS)
def flushed_in_balls(of: Weights, run: Run) -> Evidence:
    """Below the smallest normal number from the ceiling on and not before."""
    with precision(BITS):
        for name in NAMES:
            form = FORMATS[name]
            least = arb(exact(form.smallest_normal))
            for heads in HEADS:
                for x in of.recipe(heads):
                    m, delta = (
                        power_of_two(x)(),
                        of.first(power_of_two(x), of.vanishing(form, True)),
                    )
                    alive, dead = ((-of.drop(m, d)).exp() for d in (delta - 1, delta))
                    if not (alive >= least and dead < least):
                        return Evidence("refuted", witness=f"{name}, H = {heads}, m = 2^-({x})")
    return Evidence("holds")


def _floor(value: arb) -> int:
    low, high = (floor(end) for end in ends(value))
    assert low == high  # 256 bits tell it
    return low


#: Content logits up to 10, slope 1/2, float32: alive up to here, dead from there.
ALIVE, DEAD = 167, 248


@control("one_spread_only", spread=1)
@checked_by(
    ALIBI_UNDERFLOW,
    "content",
    "ball",
    "C = 10, m = 1/2, float32: d = 167 and 248",
    definitions=WEIGHTS,
)
def content_in_balls(of: Weights, run: Run) -> Evidence:
    """The extreme logits at the last distance that is certainly alive, the first certainly dead."""
    form = FORMATS["float32"]
    with precision(BITS):
        limit, moved = of.vanishing(form) * arb.const_log2(), arb(10 * of.spread)
        alive = _floor(2 * (limit - moved))
        dead = _floor(2 * (limit + moved)) + 1
        last = _stored((arb(-20) - arb(alive) / 2).exp(), form)
        first = _stored((arb(20) - arb(dead) / 2).exp(), form)
    if not last or first != 0 or (alive, dead) != (ALIVE, DEAD):
        return Evidence("refuted", witness=f"alive up to {alive}, dead from {dead}")
    return Evidence("holds", note=f"alive up to {alive}, dead from {dead}")


@control("not_divided", probability=first_dead)
@control("half_way_rule_forgotten", vanishing=_one_less)
@checked_by(
    ALIBI_UNDERFLOW,
    "probability",
    "ball",
    "float32, bfloat16 and float16, 8 heads, rows of delta' + 1 and of 2^17 keys",
    definitions=WEIGHTS,
)
def probabilities_in_balls(of: Weights, run: Run) -> Evidence:
    """e^(-m d) divided by the sum of its row, rounded."""
    with precision(BITS):
        for name in ("float32", "bfloat16", "float16"):
            form = FORMATS[name]
            for x in of.recipe(8):
                m, delta = power_of_two(x)(), of.probability(power_of_two(x), of.vanishing(form))
                for length in (delta + 1, 2**17):
                    whole = (-m * length).expm1() / (-m).expm1()
                    for d, lost in ((delta - 1, False), (delta, True)):
                        found = _stored((-of.drop(m, d)).exp() / whole, form)
                        if found is None or (found == 0) is not lost:
                            where = f"{name}, m = 2^-{x}, L = {length}, d = {d}"
                            return Evidence("refuted", witness=where)
    return Evidence("holds")


# ---------------------------------------------------------------------- recomputed lists
Lists = Mapping[str, tuple[int, ...]]


def _agree(found: Lists, stated: Lists) -> Evidence:
    for name, numbers in stated.items():
        if found[name] != numbers:
            return Evidence("refuted", witness=f"{name}: {found[name]}")
    return Evidence("holds", note=f"{sum(map(len, stated.values()))} distances")


def _list(of: Weights, heads: int, T: int, ceiling: Callable[..., int]) -> tuple[int, ...]:
    return tuple(ceiling(power_of_two(x), T) for x in of.recipe(heads))


EIGHT = "eight heads, from unique ceilings"


@control("half_way_rule_forgotten", vanishing=_one_less)
@checked_by(ALIBI_UNDERFLOW, "eight_heads", "ball", EIGHT, definitions=WEIGHTS)
def list_of_eight(of: Weights, run: Run) -> Evidence:
    stated = theory.FIRST_DEAD
    found = {name: _list(of, 8, of.vanishing(FORMATS[name]), of.first) for name in stated}
    return _agree(found, stated)


@control("smallest_subnormal", vanishing=lambda form, flushed: vanishing(form))
@checked_by(ALIBI_UNDERFLOW, "eight_heads_flushed", "ball", EIGHT, definitions=WEIGHTS)
def list_of_eight_flushed(of: Weights, run: Run) -> Evidence:
    stated = theory.FIRST_FLUSHED
    found = {name: _list(of, 8, of.vanishing(FORMATS[name], True), of.first) for name in stated}
    return _agree(found, stated)


@control("geometric_for_every_number", recipe=theory.geometric)
@checked_by(ALIBI_UNDERFLOW, "twelve_heads", "ball", "both recipes", definitions=WEIGHTS)
def lists_of_twelve(of: Weights, run: Run) -> Evidence:
    T = of.vanishing(FORMATS["float32"])
    even = tuple(of.first(power_of_two(Fraction(2 * h, 3)), T) for h in range(1, 13))
    stated = {"recipe": theory.TWELVE, "geometric": theory.TWELVE_GEOMETRIC}
    return _agree({"recipe": _list(of, 12, T, of.first), "geometric": even}, stated)


@control("not_divided", probability=first_dead)
@checked_by(ALIBI_UNDERFLOW, "eight_heads_probability", "ball", EIGHT, definitions=WEIGHTS)
def list_of_probabilities(of: Weights, run: Run) -> Evidence:
    stated = theory.FIRST_DEAD_PROBABILITY
    found = {name: _list(of, 8, of.vanishing(FORMATS[name]), of.probability) for name in stated}
    return _agree(found, stated)


@control("first_distance_alive", pairs=lambda first, L: dead_pairs([d + 1 for d in first], L))
@control("half_way_rule_forgotten", vanishing=_one_less)
@checked_by(
    ALIBI_UNDERFLOW, "shares", "ball", "four numbers of heads, two lengths", definitions=WEIGHTS
)
def shares_recomputed(of: Weights, run: Run) -> Evidence:
    T = of.vanishing(FORMATS["float32"])
    for heads, length, pairs, triples in theory.SHARES:
        first = _list(of, heads, T, of.first)
        if of.pairs(first, length) != pairs:
            return Evidence(
                "refuted", witness=f"H = {heads}, L = {length}: {of.pairs(first, length)}"
            )
        if triples is not None and of.triples(first, length) != triples:
            where = f"H = {heads}, L = {length}: {of.triples(first, length)}"
            return Evidence("refuted", witness=where)
    return Evidence("holds", note=f"{len(theory.SHARES)} rows")


@control("one_pair_more", triples=lambda first, L: dead_triples([d - 1 for d in first], L))
@checked_by(
    ALIBI_UNDERFLOW, "counts", "float", "every causal pair of 1 to 64 tokens", definitions=WEIGHTS
)
def pairs_counted(of: Weights, run: Run) -> Evidence:
    """The share of one head, against counting its pairs; integers, so nothing is rounded."""
    worst, where = Fraction(0), ""
    for length in range(1, 65):
        i, k = np.tril_indices(length)
        for delta in range(1, length + 1):
            counted = Fraction(int(((i - k) >= delta).sum()), len(i))
            gap = abs(of.triples([delta], length) - counted)
            if gap > worst:
                worst, where = gap, f"L = {length}, delta = {delta}"
    return within(worst, Bound(Fraction(0), "t (t + 1) / (L (L + 1))"), witness=where)


# ---------------------------------------------------------------------- real casts
def _apart(x: Fraction, d: int, T: int) -> bool:
    """Whether m d is farther from T ln 2 than a float64 exponential can be off."""
    with precision(BITS):
        return bool(abs(power_of_two(x)() * d - T * arb.const_log2()) > arb(2) ** -40)


def _narrowed(weights: Array, form: Format) -> Array:
    """Casts that flush to zero."""
    stored = _cast(weights, form)
    return np.where(stored < float(form.smallest_normal), 0.0, stored)


@control("half_way_rule_forgotten", vanishing=_one_less)
@control("casts_that_flush", cast=_narrowed)
@checked_by(
    ALIBI_UNDERFLOW,
    "distance",
    "float",
    "five formats, every head of 8, 12, 16 and 32, 64 distances around the first dead one",
    definitions=WEIGHTS,
)
def casts_around_the_threshold(of: Weights, run: Run) -> Evidence:
    """How far the first distance that a cast stores as 0 is from the ceiling."""
    worst, where, count = 0, "", 0
    for name, heads, x, delta in _cells(of):
        d = np.arange(max(0, delta - 32), delta + 32)
        if not (
            _apart(x, delta, vanishing(FORMATS[name]))
            and _apart(x, delta - 1, vanishing(FORMATS[name]))
        ):
            continue
        stored = of.cast(np.exp(-(2.0 ** -float(x)) * d), FORMATS[name])
        dead = d[stored == 0]
        first = int(dead.min()) if len(dead) else int(d[-1]) + 1
        count += len(d)
        if abs(first - delta) > worst:
            worst, where = abs(first - delta), f"{name}, H = {heads}, m = 2^-({x}): {first}"
    found = within(worst, Bound(Fraction(0), "ceil(T ln 2 / m)"), witness=where)
    return Evidence(
        found.outcome, found.measured, found.bound, found.witness, f"{count} casts", LIBRARY
    )


@control("casts_that_flush", cast=_narrowed)
@checked_by(
    ALIBI_UNDERFLOW,
    "shares",
    "float",
    Scope("float32, 8 and 12 heads, L = 4096", "float32, 8, 12, 16 and 32 heads, L = 4096"),
    definitions=WEIGHTS,
)
def zeros_counted(of: Weights, run: Run) -> Evidence:
    """NumPy's float32 zeros among all heads and distances, against the exact share."""
    d, form, worst, where = np.arange(4096), FORMATS["float32"], Fraction(0), ""
    for heads, length, pairs, _ in theory.SHARES[: 4 if run.profile == "full" else 2]:
        slopes = 2.0 ** -np.array([float(x) for x in of.recipe(heads)])
        zeros = int((of.cast(np.exp(-np.outer(slopes, d)), form) == 0).sum())
        gap = abs(Fraction(zeros, heads * length) - pairs)
        if gap > worst:
            worst, where = gap, f"H = {heads}: {zeros} of {heads * length}"
    found = within(worst, Bound(Fraction(0), "sum of max(0, L - delta) / (H L)"), witness=where)
    return Evidence(found.outcome, found.measured, found.bound, found.witness, "", LIBRARY)


@control("half_way_rule_forgotten", vanishing=_one_less)
@checked_by(
    ALIBI_UNDERFLOW,
    "distance",
    "property",
    "H = 1 .. 64, five formats, distances within 40 of the first dead one",
    definitions=WEIGHTS,
)
def casts_of_any_head(of: Weights, run: Run) -> Evidence:
    from hypothesis import strategies as st

    def invariant(heads: int, name: str, head: int, step: int) -> bool | None:
        form, x = FORMATS[name], of.recipe(heads)[head % heads]
        delta = of.first(power_of_two(x), of.vanishing(form))
        d = max(0, delta + step)
        if not _apart(x, d, vanishing(form)):
            return None
        stored: Any = of.cast(np.exp(np.array([-(2.0 ** -float(x)) * d])), form)[0]
        return bool((stored == 0) == (d >= delta))

    drawn = {
        "heads": st.integers(1, 64),
        "name": st.sampled_from(NAMES),
        "head": st.integers(0, 63),
        "step": st.integers(-40, 40),
    }
    first = {"heads": 8, "name": "float32", "head": 0, "step": 0}
    return hunt(invariant, drawn, run, first=first)
