"""Relative scores and norms in floating point: derived bounds, and what was measured.

Main definitions
----------------
Pipeline      the formats of angles, tables and vectors, and the largest position
tables        cosines and sines of stored angles
rotated       interleaved vectors turned by their tables
Kernels       the definitions the checks measure; a control replaces one of them
score_bound   how far a computed score may lie from the exact one, per |q| |k|

Conventions
-----------
Vectors have the interleaved layout, shape `(n, d)`; tables have shape `(n, d/2)`; one row is one
position.  Angles are in radians.  The ladder is the one that is stored: its frequencies are the
rounded base^(-2 i / d), and they are taken as exact, since the identity holds for every ladder.

The bound
---------
u is a unit roundoff, P the largest position, an integer of the angle format.  The product theta p
is rounded once, by at most half a unit in the last place of the largest product: angle error
a = u_angle 2^floor(log2(P max theta)), 0 for a theta that is a power of two.  A table entry is
computed in float64 from the stored angle (library error at most one ulp, 2 u64) and rounded once:
relative error t = (1 + 2 u64)(1 + u_table) - 1, so the turned vector moves by at most
a + sqrt(2) t.  A turned component is a rounded sum of two rounded products, g2 = 2 u / (1 - 2 u),
and off by at most sqrt(2) g2 (1 + t) of the vector.  With e = a + sqrt(2) (t + g2 (1 + t)) each
rotated vector is off by at most e of its norm, and the scalar product of d terms, accumulated in
float64, adds g_d.  So |computed - exact| is at most ((1 + e)^2 (1 + g_d) - 1) |q| |k|, in which
sqrt(2) is replaced by 3/2.

References
----------
su2021roformer, peng2023yarn
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from flint import arb
from numpy.typing import NDArray

from posproof.numerics.balls import precision
from posproof.numerics.formats import FORMATS, Format, exponent_of, round_array
from posproof.numerics.hunt import hunt
from posproof.numerics.measure import within
from posproof.theory.rotary import LAYOUTS, NORM, RELATIVE
from posproof.theory.vocabulary import (
    Bound,
    Evidence,
    Run,
    Scope,
    Trust,
    checked_by,
    control,
)

Array = NDArray[np.float64]
U64 = FORMATS["float64"].unit_roundoff
#: More than the square root of 2.
ROOT_TWO = Fraction(3, 2)
#: The error of the library's cosine and sine in float64.
LIBRARY = frozenset({Trust("software", "NumPy's float64 cos and sin are within one ulp")})


@dataclass(frozen=True)
class Pipeline:
    """The formats of angles, tables and vectors, and the largest position."""

    name: str
    angle: Format
    table: Format
    vector: Format
    positions: int


def uniform(name: str, positions: int) -> Pipeline:
    """Everything in one format."""
    form = FORMATS[name]
    return Pipeline(name, form, form, form, positions)


DOUBLE = uniform("float64", 2**17)
SINGLE = uniform("float32", 2**17)
BRAIN = Pipeline("bfloat16", FORMATS["float32"], FORMATS["bfloat16"], FORMATS["bfloat16"], 2**17)


def ladder(planes: int, base: float, form: Format) -> Array:
    """The stored frequencies base^(-i / planes), shape `(planes,)`."""
    return round_array(base ** (-np.arange(planes) / planes), form)


def tables(positions: Array, frequencies: Array, line: Pipeline) -> tuple[Array, Array]:
    """Cosines and sines of the stored angles, each `(n, planes)`."""
    angles = round_array(positions[:, None] * frequencies, line.angle)
    return round_array(np.cos(angles), line.table), round_array(np.sin(angles), line.table)


def rotated(vectors: Array, cosines: Array, sines: Array, form: Format) -> Array:
    """Interleaved vectors `(n, d)` turned plane by plane; products and sums rounded to `form`."""
    x, y = vectors[:, 0::2], vectors[:, 1::2]

    def combined(a: Array, b: Array) -> Array:
        return round_array(round_array(a, form) + round_array(b, form), form)

    turned = np.empty_like(vectors)
    turned[:, 0::2] = combined(x * cosines, -y * sines)
    turned[:, 1::2] = combined(x * sines, y * cosines)
    return turned


def attention_scaled(cosines: Array, sines: Array, factor: float) -> tuple[Array, Array]:
    """Both tables times an attention factor."""
    return factor * cosines, factor * sines


def half_split_order(planes: int) -> NDArray[np.int64]:
    """P as an index: component r of the half-split order is this one of the interleaved order."""
    return np.arange(2 * planes).reshape(planes, 2).T.ravel()


def rotated_halves(vectors: Array, cosines: Array, sines: Array) -> Array:
    """Half-split vectors `(n, d)` turned plane by plane, in float64."""
    x, y = np.split(vectors, 2, axis=1)
    return np.hstack([x * cosines - y * sines, x * sines + y * cosines])


@dataclass(frozen=True)
class Kernels:
    """What the checks measure; `angle_share` is the part of the angle error a bound counts."""

    rotated: Callable[[Array, Array, Array, Format], Array] = rotated
    scaled: Callable[[Array, Array, float], tuple[Array, Array]] = attention_scaled
    order: Callable[[int], NDArray[np.int64]] = half_split_order
    key_direction: int = 1
    angle_share: Fraction = Fraction(1)
    table_share: Fraction = Fraction(1)


KERNELS = Kernels()


# ---------------------------------------------------------------------- bounds
def gamma(roundings: int, u: Fraction) -> Fraction:
    """The relative error of that many roundings."""
    return roundings * u / (1 - roundings * u)


def table_error(line: Pipeline) -> Fraction:
    """The relative error of a table entry."""
    return (1 + 2 * U64) * (1 + line.table.unit_roundoff) - 1


def angle_error(frequencies: Array, line: Pipeline) -> Fraction:
    """The absolute error of a stored angle, in radians."""
    inexact = [f for f in frequencies.tolist() if np.frexp(f)[0] != 0.5]
    if not inexact:
        return Fraction(0)
    largest = Fraction(max(inexact)) * line.positions
    return line.angle.unit_roundoff * Fraction(2) ** exponent_of(largest)


def vector_error(frequencies: Array, line: Pipeline, of: Kernels = KERNELS) -> Fraction:
    """How far a rotated vector may lie from the exact rotation, per norm."""
    table = table_error(line)
    arithmetic = gamma(2, line.vector.unit_roundoff) * (1 + table)
    turned = ROOT_TWO * (of.table_share * table + arithmetic)
    return of.angle_share * angle_error(frequencies, line) + turned


def score_bound(frequencies: Array, line: Pipeline, of: Kernels = KERNELS) -> Bound:
    """How far a computed score may lie from the exact one, per |q| |k|."""
    error = vector_error(frequencies, line, of)
    summed = gamma(2 * len(frequencies), U64)
    return Bound(
        (1 + error) ** 2 * (1 + summed) - 1,
        "(1 + a + 3/2 (t + g2 (1 + t)))^2 (1 + g_d) - 1",
        {"format": line.name, "positions": line.positions, "head_dim": 2 * len(frequencies)},
    )


def norm_bound(line: Pipeline, of: Kernels = KERNELS) -> Bound:
    """How far |R x| / |x| may lie from 1: the table scales by sqrt(cos^2 + sin^2)."""
    table = table_error(line)
    value = of.table_share * table + ROOT_TWO * gamma(2, line.vector.unit_roundoff) * (1 + table)
    return Bound(value, "t + 3/2 g2 (1 + t)", {"format": line.name})


# ---------------------------------------------------------------------- measurements
PLANES, BASE = 64, 10_000.0


def heads(count: int, form: Format, seed: int) -> Array:
    """Random vectors of the format, shape `(count, 2 PLANES)`."""
    draw = np.random.default_rng(seed).standard_normal((count, 2 * PLANES))
    return round_array(draw, form)


def sizes(vectors: Array) -> Array:
    """Euclidean norms `(n,)`, in float64."""
    return np.sqrt((vectors**2).sum(axis=1))


def computed_scores(
    of: Kernels, query: Array, key: Array, at: Array, to: Array, line: Pipeline
) -> Array:
    """Scores `(n,)` of queries at positions `at` and keys at positions `to`."""
    frequencies = ladder(PLANES, BASE, line.angle)
    left = of.rotated(query, *tables(at, frequencies, line), line.vector)
    right = of.rotated(key, *tables(of.key_direction * to, frequencies, line), line.vector)
    return (left * right).sum(axis=1)


def exact_scores(query: Array, key: Array, offsets: Array, line: Pipeline) -> list[arb]:
    """The scores of the stored ladder, as balls."""
    frequencies = [arb(f) for f in ladder(PLANES, BASE, line.angle).tolist()]
    scores = []
    for q, k, offset in zip(query.tolist(), key.tolist(), offsets.tolist(), strict=True):
        total = arb(0)
        for plane, theta in enumerate(frequencies):
            x, y, u, v = q[2 * plane], q[2 * plane + 1], k[2 * plane], k[2 * plane + 1]
            sine, cosine = (theta * arb(offset)).sin_cos()
            a, b = arb(x) * u + arb(y) * v, arb(x) * v - arb(y) * u
            total += a * cosine - b * sine
        scores.append(total)
    return scores


def _drawn(run: Run, line: Pipeline) -> tuple[Array, Array, Array, Array]:
    """Queries, keys and their positions below the largest; the ends of the range are included."""
    count = 4000 if run.profile == "full" else 200
    source = np.random.default_rng(run.seed)
    at, to = (source.integers(0, line.positions + 1, count).astype(float) for _ in "pn")
    at[:2], to[:2] = (line.positions, 0), (line.positions - 1, line.positions)
    query, key = (heads(count, line.vector, run.seed + s) for s in (1, 2))
    return query, key, at, to


def _score_error(of: Kernels, run: Run, line: Pipeline) -> Evidence:
    query, key, at, to = _drawn(run, line)
    computed = computed_scores(of, query, key, at, to, line).tolist()
    with precision(128):
        exact = exact_scores(query, key, to - at, line)
        errors = [
            float((abs(arb(c) - e) / (_norm(q) * _norm(k))).upper())
            for c, e, q, k in zip(computed, exact, query.tolist(), key.tolist(), strict=True)
        ]
    worst = int(np.argmax(errors))
    bound = score_bound(ladder(PLANES, BASE, line.angle), line, of)
    where = f"p = {at[worst]:.0f}, n = {to[worst]:.0f}"
    evidence = within(errors[worst], bound, witness=where, note=f"{len(errors)} scores")
    return Evidence(
        evidence.outcome,
        evidence.measured,
        evidence.bound,
        evidence.witness,
        evidence.note,
        LIBRARY,
    )


SCORES = Scope("200 random scores, d = 128, positions to 131072", "4000 random scores")


@control("key_turned_backwards", key_direction=-1)
@control("angle_roundings_forgotten", angle_share=Fraction(0))
@checked_by(RELATIVE, "relative_score", "float", SCORES, definitions=KERNELS)
def scores_in_float64(of: Kernels, run: Run) -> Evidence:
    return _score_error(of, run, DOUBLE)


@control("key_turned_backwards", key_direction=-1)
@control("angle_roundings_forgotten", angle_share=Fraction(0))
@checked_by(RELATIVE, "relative_score", "float", SCORES, definitions=KERNELS)
def scores_in_float32(of: Kernels, run: Run) -> Evidence:
    return _score_error(of, run, SINGLE)


@control("key_turned_backwards", key_direction=-1)
@checked_by(RELATIVE, "relative_score", "float", SCORES, definitions=KERNELS)
def scores_in_bfloat16(of: Kernels, run: Run) -> Evidence:
    return _score_error(of, run, BRAIN)


@control("key_turned_backwards", key_direction=-1)
@checked_by(
    RELATIVE,
    "shift_invariance",
    "property",
    "float64, positions and shift in [-4096, 4096]",
    definitions=KERNELS,
)
def shifts_in_float64(of: Kernels, run: Run) -> Evidence:
    """Both scores are within the bound of the same exact one."""
    from hypothesis import strategies

    line = uniform("float64", 2**13)
    # The norms are evaluated in float64: a sum of d squares and a root each.
    slack = 1 + gamma(4 * PLANES + 4, U64)
    bound = 2 * score_bound(ladder(PLANES, BASE, line.angle), line).value * slack

    def invariant(p: int, n: int, shift: int, seed: int) -> bool:
        query, key = heads(1, line.vector, seed), heads(1, line.vector, seed + 1)
        here, there = (
            computed_scores(of, query, key, np.array([p + s * 1.0]), np.array([n + s * 1.0]), line)
            for s in (0, shift)
        )
        size = float(sizes(query)[0] * sizes(key)[0])
        return bool(abs(here[0] - there[0]) <= bound * Fraction(size))

    position = strategies.integers(-4096, 4096)
    drawn = {"p": position, "n": position, "shift": position, "seed": strategies.integers(0, 2**32)}
    return hunt(invariant, drawn, run)


# ---------------------------------------------------------------------- rotary.norm
def _norm_error(of: Kernels, run: Run, line: Pipeline) -> Evidence:
    """| |R x| / |x| - 1 | with both norms in balls."""
    vectors, _, at, _ = _drawn(run, line)
    cosines, sines = of.scaled(*tables(at, ladder(PLANES, BASE, line.angle), line), 1.0)
    turned = of.rotated(vectors, cosines, sines, line.vector)
    with precision(128):
        errors = [
            float(abs(_norm(after) / _norm(before) - 1).upper())
            for before, after in zip(vectors.tolist(), turned.tolist(), strict=True)
        ]
    worst = int(np.argmax(errors))
    return within(errors[worst], norm_bound(line, of), witness=f"p = {at[worst]:.0f}")


def _norm(vector: list[float]) -> arb:
    return sum((arb(x) * x for x in vector), arb(0)).sqrt()


def _only_cosines(cosines: Array, sines: Array, factor: float) -> tuple[Array, Array]:
    """An attention factor that reaches the cosines only; YaRN's at a scale of 4."""
    return (0.1 * np.log(4) + 1) * cosines, factor * sines


NORMS = Scope("200 random vectors, d = 128, positions to 131072", "4000 random vectors")


@control("only_the_cosines_scaled", scaled=_only_cosines)
@checked_by(NORM, "norm", "float", NORMS, definitions=KERNELS)
def norms_in_float64(of: Kernels, run: Run) -> Evidence:
    return _norm_error(of, run, DOUBLE)


@control("only_the_cosines_scaled", scaled=_only_cosines)
@checked_by(NORM, "norm", "float", NORMS, definitions=KERNELS)
def norms_in_float32(of: Kernels, run: Run) -> Evidence:
    return _norm_error(of, run, SINGLE)


@control("only_the_cosines_scaled", scaled=_only_cosines)
@checked_by(NORM, "norm", "float", NORMS, definitions=KERNELS)
def norms_in_bfloat16(of: Kernels, run: Run) -> Evidence:
    return _norm_error(of, run, BRAIN)


@control("half_a_rounding", table_share=Fraction(1, 2))
@checked_by(
    NORM,
    "orthogonal",
    "float",
    Scope("bfloat16 tables, 200000 angles in [0, 2 pi]", "bfloat16 tables, 2000000 angles"),
    definitions=KERNELS,
)
def table_squares_in_bfloat16(of: Kernels, run: Run) -> Evidence:
    """|cos^2 + sin^2 - 1| of a table: each square is off by at most (1 + t)^2 - 1 of itself."""
    angles = np.linspace(0, 2 * np.pi, 2_000_000 if run.profile == "full" else 200_000)
    cosines, sines = (round_array(wave(angles), BRAIN.table) for wave in (np.cos, np.sin))
    error = of.table_share * table_error(BRAIN)
    # The squares and their sum are evaluated in float64: three roundings.
    value = (1 + error) ** 2 * (1 + gamma(3, U64)) - 1
    residual = np.abs(cosines**2 + sines**2 - 1)
    worst = int(residual.argmax())
    bound = Bound(value, "(1 + t)^2 (1 + g3) - 1", {"format": "bfloat16"})
    return within(residual[worst], bound, witness=f"phi = {angles[worst]:.17g}")


# ---------------------------------------------------------------------- rotary.layouts
def _transposed(planes: int) -> NDArray[np.int64]:
    return np.arange(2 * planes).reshape(2, planes).T.ravel()


@control("transposed", order=_transposed)
@checked_by(
    LAYOUTS,
    "agree",
    "property",
    "float64, 3 to 32 planes, W_q and W_k of 3 columns, positions to 4096",
    definitions=KERNELS,
)
def permuted_projections_give_the_same_scores(of: Kernels, run: Run) -> Evidence:
    """Scores of (W_q, W_k) interleaved and of (P W_q, P W_k) half-split: the same roundings."""
    from hypothesis import strategies

    def same(planes: int, p: int, n: int, seed: int) -> bool:
        source = np.random.default_rng(seed)
        maps, x = source.standard_normal((2, 2 * planes, 3)), source.standard_normal((2, 3))
        query, key = (m @ v for m, v in zip(maps, x, strict=True))
        frequencies = ladder(planes, BASE, DOUBLE.angle)
        order = of.order(planes)
        scores, halves = [], []
        for vector, at in ((query, p), (key, n)):
            waves = tables(np.array([float(at)]), frequencies, DOUBLE)
            scores.append(of.rotated(vector[None], *waves, DOUBLE.vector)[0])
            halves.append(rotated_halves(vector[order][None], *waves)[0])
        # Each scalar product is off by at most g_d |q| |k|; its terms are the same numbers.
        size = Fraction(float(np.linalg.norm(query) * np.linalg.norm(key)))
        bound = 2 * gamma(2 * planes + 2, U64) * size
        gap = Fraction(float(scores[0] @ scores[1])) - Fraction(float(halves[0] @ halves[1]))
        return abs(gap) <= bound

    position = strategies.integers(0, 4096)
    drawn = {
        "planes": strategies.integers(3, 32),
        "p": position,
        "n": position,
        "seed": strategies.integers(0, 2**32),
    }
    return hunt(same, drawn, run)
