"""Scores of a sequence by tiles in three formats, and masks that select or multiply.

Main definitions
----------------
Kernels         what the checks measure; a control replaces one of them
Case            a format, a block and the format of products and sums
tile_errors     how far scores by tiles are off

Conventions
-----------
Channel pairs are drawn by seed with gamma in [0.02, 0.3], queries and keys from a normal law.  The
reference is summed term by term in extended precision.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from posproof.numerics import shear_powers as kernels
from posproof.numerics.formats import FORMATS
from posproof.numerics.hunt import hunt
from posproof.numerics.measure import Findings, within
from posproof.numerics.shear_powers import Floats, Storage, Tiling
from posproof.theory.symplectic.tiles import TILES
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control


@dataclass(frozen=True)
class Kernels:
    """What the checks measure; `share` scales every bound."""

    tiling: Tiling = kernels.TILING
    share: Fraction = Fraction(1)


KERNELS = Kernels()


# ---------------------------------------------------------------------- sequences and their errors
@lru_cache
def channels(seed: int) -> tuple[Fraction, ...]:
    """The rates of 8 channel pairs, slow and fast in turn: gamma in [0.02, 0.3]."""
    source = np.random.default_rng(seed)
    gamma = source.uniform(0.02, 0.3, 8)
    mu = gamma * source.uniform(0.1, 0.95, 8)
    rates = np.stack([gamma - mu, gamma + mu], axis=1).ravel()
    return tuple(Fraction(x) for x in rates.tolist())


@dataclass(frozen=True)
class Case:
    """A sequence, its rates and how it is stored; products and sums are those of `sums`."""

    name: str
    block: int
    sums: str


CASES = (
    Case("float32", 32, "float32"),
    Case("float32", 64, "float32"),
    Case("float32", 128, "float32"),
    Case("float64", 64, "float64"),
    Case("bfloat16", 64, "float32"),
)


def _entry_limit(case: Case, count: int) -> Fraction:
    """(1 + u)^3 for the stored factors, the rest of the roundings in the format of the sums."""
    own, sums = FORMATS[case.name].unit_roundoff, FORMATS[case.sums].unit_roundoff
    return (1 + own) ** 3 * (1 + sums) ** (count + 3) - 1


@lru_cache(maxsize=8)
def sequence(
    name: str, length: int, pairs_of_channels: int, seed: int
) -> tuple[tuple[Fraction, ...], Floats, Floats, NDArray[np.longdouble], Floats]:
    """Rates, queries and keys in a format, exact scores and the sums of |x| |y| e^(-r n)."""
    rates = channels(seed)[: 2 * pairs_of_channels]
    source = np.random.default_rng((seed, 1))
    x, y = Storage(FORMATS[name]).round(source.standard_normal((2, length, len(rates))))
    wanted, size = kernels.dense_scores(x, y, rates)
    return rates, x, y, wanted, size.astype(np.float64)


@lru_cache(maxsize=8)
def tile_errors(
    tiling: Tiling, case: Case, length: int, pairs_of_channels: int, seed: int
) -> tuple[Floats, Floats, tuple[Fraction, ...], float]:
    """Errors of all causal entries, their sizes, the rates, and the largest input.

    Errors and sizes are `(length, length)`, 0 above the diagonal.
    """
    rates, x, y, wanted, size = sequence(case.name, length, pairs_of_channels, seed)
    store, sums = Storage(FORMATS[case.name]), FORMATS[case.sums].dtype
    found = kernels.tile_scores(x, y, rates, case.block, store, sums, tiling)
    with np.errstate(invalid="ignore"):
        errors = np.tril(np.abs(found - wanted).astype(np.float64))
    return np.where(np.isnan(errors), np.inf, errors), size, rates, float(np.abs([x, y]).max())


def _place(shares: Floats) -> tuple[float, str]:
    """The largest entry and where it is."""
    i, j = np.unravel_index(int(shares.argmax()), shares.shape)
    return float(shares[i, j]), f"(i, j) = ({i}, {j})"


# ---------------------------------------------------------------------- controls
def _no_block_factor(factors: Floats) -> Floats:
    return np.ones_like(factors)


def _slow_factor(factors: Floats) -> float:
    """The block factor of the slowest channel, for the whole tile."""
    return float(factors.max())


def _multiplied(tile: Floats, kept: NDArray[np.bool_]) -> Floats:
    return tile * kept.astype(tile.dtype)


LATE = replace(kernels.TILING, rows=_no_block_factor, late=_slow_factor)
DROPPED = replace(kernels.TILING, rows=_no_block_factor)
MULTIPLIED = replace(kernels.TILING, masked=_multiplied)


# ---------------------------------------------------------------------- symplectic.tiles
SEQUENCE = Scope(
    "L = 256, 8 channel pairs, float32 at B = 32, 64, 128, float64 and bfloat16 factors at 64",
    "L = 1024, 8 channel pairs, the same formats and blocks",
)


@control("one_factor_for_the_tile", tiling=LATE)
@control("block_factor_dropped", tiling=DROPPED)
@control("a_thirtieth_of_it", share=Fraction(1, 30))
@checked_by(TILES, "entries", "float", SEQUENCE, definitions=KERNELS)
def entries_by_tiles(of: Kernels, run: Run) -> Evidence:
    """Entries whose factors are normal numbers, per sum of |x| |y| e^(-r n).

    The reference has 64 bits: 2^-58 of the size is added to the bound.
    """
    length, found = (1024 if run.profile == "full" else 256), Findings()
    n = np.subtract.outer(np.arange(length), np.arange(length))
    for case in CASES:
        errors, size, rates, _ = tile_errors(of.tiling, case, length, 8, run.seed)
        reach = -math.log(float(FORMATS[case.name].smallest_normal)) / float(max(rates))
        near = (n >= 0) & (n + case.block < reach)
        unit = FORMATS[case.name].unit_roundoff
        worst, where = _place(np.where(near, errors / np.where(near, size, 1), 0) / float(unit))
        bound = of.share * (_entry_limit(case, len(rates)) + Fraction(1, 2**58)) / unit
        what, inputs = f"{case.name} at B = {case.block}", {"format": case.name}
        limit = Bound(bound, "(1 + u)^(2 P + 6) - 1, in units of u", inputs)
        evidence = within(worst, limit, witness=f"{what}, {where}")
        if not found.add(evidence, worst, bound, what):
            return found.best
    return found.result()


def _underflow_limit(case: Case, count: int, largest: Fraction) -> tuple[Fraction, Fraction]:
    """e and c of e A + c: (1 + u)^(2 P + 6) (A + 2 P (1 + 5 sigma) u M^2) - A."""
    form = FORMATS[case.name]
    root = Fraction(math.isqrt(int(form.smallest_normal * 2**2200)) + 1, 2**1100)
    grown = _entry_limit(case, count) + 1
    unit = form.unit_roundoff
    return grown - 1, grown * count * (1 + 5 * root) * unit * largest**2


@control("one_factor_for_the_tile", tiling=LATE)
@control("block_factor_dropped", tiling=DROPPED)
@checked_by(TILES, "underflow", "float", SEQUENCE, definitions=KERNELS)
def every_entry(of: Kernels, run: Run) -> Evidence:
    """All entries, however small, against the bound that pays for underflow."""
    length, notes, worst = (1024 if run.profile == "full" else 256), list[str](), -1.0
    nearest = Evidence("undecided")
    for case in CASES:
        errors, size, rates, largest = tile_errors(of.tiling, case, length, 8, run.seed)
        relative, added = _underflow_limit(case, len(rates), max(Fraction(largest), Fraction(1)))
        share, where = _place(errors / (float(relative) * size + float(added)))
        bound = Bound(of.share, "shares of the bound", {"format": case.name})
        what = f"{case.name} at B = {case.block}"
        evidence = within(share, bound, witness=f"{what}, {where}")
        if evidence.outcome != "holds":
            return evidence
        overall = errors.max() / size.max() / float(FORMATS[case.name].unit_roundoff)
        notes.append(f"{overall:.2g} u of the largest size in {what}")
        if share > worst:
            nearest, worst = evidence, share
    return replace(nearest, note="; ".join(notes))


@control("mask_multiplies", tiling=MULTIPLIED)
@checked_by(
    TILES, "mask", "float", "float32, rate 2, B = 44, L = 88, inputs of 100", definitions=KERNELS
)
def masked_tiles(of: Kernels, run: Run) -> Evidence:
    """10^4 e^(2 (B - 1)) overflows above the diagonal; below it nothing may notice."""
    inputs, store = np.full((88, 1), 100.0), Storage(FORMATS["float32"])
    rates = (Fraction(2),)
    found = kernels.tile_scores(inputs, inputs, rates, 44, store, of=of.tiling)
    wanted, _ = kernels.dense_scores(inputs, inputs, rates)
    errors = np.abs(found - wanted).astype(np.float64)
    share, where = _place(np.where(np.isnan(errors), np.inf, errors) / 10**4)
    bound = Bound(kernels.score_bound(store.form, 8), "(1 + u)^8 - 1", {"format": "float32"})
    return within(share, bound, witness=where)


def _cases(full: bool) -> Iterator[int]:
    yield from (8, 16, 32, 64, 128) if full else (8, 16)


@control("block_factor_dropped", tiling=DROPPED)
@checked_by(
    TILES,
    "underflow",
    "property",
    Scope("1 to 8 channel pairs, B = 8 or 16, L = 4 B", "B = 8, 16, 32, 64, 128, L = 4 B"),
    definitions=KERNELS,
)
def tiles_of_any_shape(of: Kernels, run: Run) -> Evidence:
    """Random rates and vectors in float32."""
    from hypothesis import strategies as st

    def holds(count: int, block: int, seed: int) -> bool:
        case = Case("float32", block, "float32")
        errors, size, rates, largest = tile_errors(of.tiling, case, 4 * block, count, seed)
        relative, added = _underflow_limit(case, len(rates), max(Fraction(largest), Fraction(1)))
        return bool((errors <= float(relative) * size + float(added)).all())

    shapes = {
        "count": st.integers(1, 8),
        "block": st.sampled_from(list(_cases(run.profile == "full"))),
        "seed": st.integers(0, 7),
    }
    return hunt(holds, shapes, run, first={"count": 1, "block": 8, "seed": 0})
