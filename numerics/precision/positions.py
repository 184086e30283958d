"""Positions that a format cannot tell apart, integer phases, and library defaults: measured.

Main definitions
----------------
Collided   what the checks of collisions measure; a control replaces one of them
Turned     the same for integer phases
Judged     the same for the tolerances of test libraries

Conventions
-----------
Casts are those of ml_dtypes and NumPy, from float32, which holds every integer below 2^24.  A row
is the cosines and sines of one position.  Whatever is compared with a bound is exact, or the bound
has room for its float64 evaluation, which the docstring then says.

References
----------
su2021roformer
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb
from numpy.typing import NDArray

from posproof.numerics import integer_phases
from posproof.numerics.balls import precision
from posproof.numerics.formats import (
    FORMATS,
    Format,
    correctly_rounded,
    round_array,
    round_exact,
)
from posproof.numerics.hunt import hunt
from posproof.numerics.measure import within
from posproof.numerics.positions import (
    Class,
    collision_class,
    distinct_values,
    first_collision,
    stored,
)
from posproof.numerics.precision.rounding import LIBRARY, U64
from posproof.numerics.tolerances import (
    CONSTANTS,
    Constants,
    Pipeline,
    errors,
    frequencies,
    pipeline,
)
from posproof.numerics.worst_cases import HEAD_DIM, turned, waves
from posproof.theory.precision.positions import (
    COLLISIONS,
    EARLY,
    FIRST,
    GAP,
    INTEGER_PHASE,
    LATE,
    LIBRARY_DEFAULTS,
)
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control

BASE = Fraction(10_000)
BFLOAT16, FLOAT32 = FORMATS["bfloat16"], FORMATS["float32"]
#: Exponents m below whose powers positions are tried one by one; in float32 they are all exact.
QUICK = {"bfloat16": 20, "float16": 15, "float8_e5m2": 15, "float8_e4m3fn": 8}
FULL = QUICK | {"bfloat16": 22}

Array = NDArray[np.float64]
Whole = NDArray[np.int64]


# ---------------------------------------------------------------------- position_collisions
def cast(positions: Whole, form: Format) -> Array:
    """What the library's own conversion makes of positions."""
    with np.errstate(over="ignore"):
        return positions.astype(np.float32).astype(form.dtype).astype(np.float64)


@dataclass(frozen=True)
class Collided:
    """What the checks measure."""

    cast: Callable[[Whole, Format], Array] = cast
    stored: Callable[[Whole, Format], Whole] = stored
    class_of: Callable[[int, Format], Class] = collision_class
    count: Callable[[Format, int], int] = distinct_values
    naive: Pipeline = pipeline("naive", "bfloat16")
    mixed: str = "mixed64"
    lost: int = FIRST - 1
    single_pair_rows: int = 967
    length: int | None = None


COLLIDED = Collided()


def half_away(positions: Whole, form: Format) -> Whole:
    """Halves away from zero, the rule most people know."""
    exponent = np.maximum(np.frexp(positions.astype(np.float64))[1] - form.significand, 0)
    step = np.int64(1) << exponent.astype(np.int64)
    return (2 * positions + step) // (2 * step) * step


def cast_half_away(positions: Whole, form: Format) -> Array:
    return half_away(positions, form).astype(np.float64)


def toward_zero(positions: Whole, form: Format) -> Array:
    exponent = np.maximum(np.frexp(positions.astype(np.float64))[1] - form.significand, 0)
    return (positions >> exponent << exponent).astype(np.float64)


def _exponents(run: Run) -> dict[str, int]:
    return FULL if run.profile == "full" else QUICK


CASTS = Scope(
    "every position below 2^20 (bfloat16), 2^15 (float16, float8_e5m2), 2^8 (float8_e4m3fn)",
    "every position below 2^22 (bfloat16), 2^15 (float16, float8_e5m2), 2^8 (float8_e4m3fn)",
)


@control("rounding_half_away", stored=half_away)
@checked_by(COLLISIONS, "rounding", "float", CASTS, definitions=COLLIDED)
def casts_of_positions(of: Collided, run: Run) -> Evidence:
    """Integer arithmetic against the library's conversion, bit by bit."""
    count = 0
    for name, exponent in _exponents(run).items():
        positions, form = np.arange(2**exponent), FORMATS[name]
        theirs, ours = of.cast(positions, form), of.stored(positions, form)
        wrong = np.flatnonzero(theirs != ours)
        if wrong.size:
            n = int(wrong[0])
            where = f"{name}: {n} is cast to {theirs[n]:.0f}, and is {ours[n]} here"
            return Evidence("refuted", witness=where)
        count += positions.size
    return Evidence("holds", note=f"{count} positions")


@control("rounding_half_away", stored=half_away)
@checked_by(COLLISIONS, "rounding", "property", "positions below 2^24", definitions=COLLIDED)
def casts_of_any_position(of: Collided, run: Run) -> Evidence:
    from hypothesis import assume, strategies

    def invariant(form: str, position: int) -> bool:
        kind, at = FORMATS[form], np.array([position])
        theirs = of.cast(at, kind)
        assume(np.isfinite(theirs[0]))
        known = collision_class(position, kind)
        inside = known.first <= position <= known.last and known.value == theirs[0]
        return bool(of.stored(at, kind)[0] == theirs[0]) and inside

    drawn = {
        "form": strategies.sampled_from(sorted(QUICK)),
        "position": strategies.integers(0, 24).flatmap(
            lambda bits: strategies.integers(0, 2**bits - 1)
        ),
    }
    return hunt(invariant, drawn, run)


def _kind(value: int, form: Format) -> str:
    """Which of the three kinds of classes a stored position above 2^p has."""
    significand = value >> (value.bit_length() - form.significand)
    if significand == 2 ** (form.significand - 1):
        return "power"
    return "odd" if significand % 2 else "even"


def _classes(of: Collided, run: Run, kind: str) -> Evidence:
    """Ends of every class among the casts; the last one is cut off by the limit and left out."""
    count = 0
    for name, exponent in _exponents(run).items():
        form = FORMATS[name]
        theirs = of.cast(np.arange(2**exponent), form)
        values, first, size = np.unique(theirs, return_index=True, return_counts=True)
        for value, low, members in zip(values[:-1], first, size, strict=False):
            v = int(value)
            if v < 2**form.significand or _kind(v, form) != kind:
                continue
            seen, known = Class(v, int(low), int(low + members - 1)), of.class_of(v, form)
            if seen != known:
                where = f"{name}: cast to {v} are {seen.first} .. {seen.last}"
                return Evidence("refuted", witness=f"{where}, not {known.first} .. {known.last}")
            count += 1
    return Evidence("holds", note=f"{count} classes")


def _without_ties(value: int, form: Format) -> Class:
    known = collision_class(value, form)
    return Class(value, known.first + 1, known.last - 1) if known.size > 1 else known


def _symmetric(value: int, form: Format) -> Class:
    known = collision_class(value, form)
    return Class(value, 2 * value - known.last, known.last)


@control("rounding_half_away", cast=cast_half_away)
@control("rounding_toward_zero", cast=toward_zero)
@checked_by(COLLISIONS, "odd_class", "float", CASTS, definitions=COLLIDED)
def odd_classes_of_casts(of: Collided, run: Run) -> Evidence:
    return _classes(of, run, "odd")


@control("rounding_half_away", cast=cast_half_away)
@control("ties_excluded", class_of=_without_ties)
@checked_by(COLLISIONS, "even_class", "float", CASTS, definitions=COLLIDED)
def even_classes_of_casts(of: Collided, run: Run) -> Evidence:
    return _classes(of, run, "even")


@control("as_wide_below_as_above", class_of=_symmetric)
@control("rounding_toward_zero", cast=toward_zero)
@checked_by(COLLISIONS, "power_class", "float", CASTS, definitions=COLLIDED)
def power_classes_of_casts(of: Collided, run: Run) -> Evidence:
    return _classes(of, run, "power")


@control("rounding_half_away", cast=cast_half_away)
@checked_by(COLLISIONS, "first_collision", "float", "every narrow format", definitions=COLLIDED)
def first_collisions_of_casts(of: Collided, run: Run) -> Evidence:
    """The first position that is cast like the one before it, and what both become."""
    found = []
    for name in QUICK:
        form = FORMATS[name]
        theirs = of.cast(np.arange(2 ** (form.significand + 1)), form)
        n, value = int(np.flatnonzero(np.diff(theirs) == 0)[0]), first_collision(form)
        if (n, theirs[n]) != (value, value):
            where = f"{name}: {n} and {n + 1} are the first, cast to {theirs[n]:.0f}"
            return Evidence("refuted", witness=where)
        found.append(f"{name} {n} = {n + 1}")
    return Evidence("holds", note=", ".join(found))


@control(
    "rounding_toward_zero_at_a_step_of_two", cast=lambda n, form: toward_zero(n // 2 * 2, form)
)
@checked_by(COLLISIONS, "exact", "float", "every narrow format", definitions=COLLIDED)
def small_positions_are_cast_exactly(of: Collided, run: Run) -> Evidence:
    for name in QUICK:
        positions = np.arange(2 ** FORMATS[name].significand + 1)
        wrong = np.flatnonzero(of.cast(positions, FORMATS[name]) != positions)
        if wrong.size:
            return Evidence("refuted", witness=f"{name}: {wrong[0]} is not cast to itself")
    return Evidence("holds", note=", ".join(QUICK))


def _without_last(form: Format, exponent: int) -> int:
    return distinct_values(form, exponent) - 1


def _by_formula(form: Format, exponent: int) -> int:
    """The count, whether or not the format holds 2^exponent."""
    return distinct_values(replace(form, top=2**exponent), exponent)


@control("last_value_forgotten", count=_without_last)
@checked_by(COLLISIONS, "count", "float", CASTS, definitions=COLLIDED)
def distinct_casts(of: Collided, run: Run) -> Evidence:
    """Every power of two up to the limit that the format holds."""
    for name, limit in _exponents(run).items():
        form = FORMATS[name]
        theirs = of.cast(np.arange(2**limit), form)
        new = np.concatenate([[1], np.diff(theirs) != 0]).cumsum()
        for exponent in range(form.significand + 1, limit + 1):
            seen, known = int(new[2**exponent - 1]), of.count(form, exponent)
            if seen != known:
                where = f"{name}: positions below 2^{exponent} have {seen} casts"
                return Evidence("refuted", witness=f"{where}, not {known}")
    return Evidence("holds", note=", ".join(f"{n} below 2^{m}" for n, m in _exponents(run).items()))


def _distinct_rows(
    columns: Callable[[int, NDArray[np.intp]], tuple[Array, Array]], pairs: int, length: int
) -> int:
    """How many rows differ: rows that agree on the first pairs are compared on the next ones."""
    groups, rows = np.zeros(length, dtype=np.int64), np.arange(length)
    count = 0
    for pair in range(pairs):
        cosines, sines = columns(pair, rows)
        for column in (cosines, sines):
            groups = _refined(groups, column)
        sizes = np.bincount(groups)
        alone = sizes[groups] == 1
        count += int(alone.sum())
        groups, rows = groups[~alone], rows[~alone]
        if not rows.size:
            return count
    return count + len(np.unique(groups))


def _refined(groups: NDArray[np.int64], column: Array) -> NDArray[np.int64]:
    """Numbers of the classes of (group, value)."""
    ranks = np.unique(column, return_inverse=True)[1].astype(np.int64)
    pairs = groups * (ranks.max() + 1) + ranks
    return np.unique(pairs, return_inverse=True)[1].astype(np.int64)


@control("positions_exact", naive=pipeline("mixed64", "bfloat16"))
@checked_by(COLLISIONS, "rows", "float", "bfloat16, d = 128, below 2^17", definitions=COLLIDED)
def rows_of_stored_positions(of: Collided, run: Run) -> Evidence:
    """The naive pipeline at n and at fl(n), for all pairs at 4096 positions, one pair at all."""
    everywhere = np.arange(2**17, dtype=np.float64)
    source = np.random.default_rng(run.seed)
    some = source.integers(0, 2**17, 4096).astype(np.float64)
    ladder = frequencies(HEAD_DIM, BASE, of.naive.frequency)
    for pair, theta in enumerate(ladder):
        positions = everywhere if pair == 1 else some
        here = waves(positions, float(theta), of.naive)
        there = waves(round_array(positions, BFLOAT16), float(theta), of.naive)
        for a, b in zip(here, there, strict=True):
            wrong = np.flatnonzero(a != b)
            if wrong.size:
                n = positions[wrong[0]]
                return Evidence("refuted", witness=f"pair {pair}, n = {n:.0f}: other entries")
    return Evidence("holds", note=f"{len(ladder)} pairs")


@control("as_many_rows_as_positions", single_pair_rows=1409)
@checked_by(COLLISIONS, "distinct_rows", "float", "as stated", definitions=COLLIDED)
def rows_of_the_naive_pipeline(of: Collided, run: Run) -> Evidence:
    values = np.unique(stored(np.arange(2**17), BFLOAT16)).astype(np.float64)
    for base in (10_000, 500_000):
        for d in (2, 4, 8, 16, 32, 64, 128):
            ladder = [float(t) for t in frequencies(d, Fraction(base), of.naive.frequency)]

            def columns(pair: int, rows: Any, ladder: list[float] = ladder) -> tuple[Array, Array]:
                return waves(values[rows], ladder[pair], of.naive)

            seen = _distinct_rows(columns, d // 2, len(values))
            known = len(values) if d > 2 else of.single_pair_rows
            if seen != known:
                where = f"d = {d}, base {base}: {seen} rows of {len(values)} stored positions"
                return Evidence("refuted", witness=f"{where}, not {known}")
    return Evidence("holds", measured=len(values), note="1409 stored positions")


MIXED = Scope(
    "every pair of positions below 2^17, four formats",
    "every pair of positions below 2^20, four formats",
)


@control("positions_in_the_format", mixed="naive", length=4096)
@checked_by(COLLISIONS, "mixed_rows", "float", MIXED, definitions=COLLIDED)
def rows_of_float64_angles(of: Collided, run: Run) -> Evidence:
    """Rows are sorted by their exact values, no hash: as many rows as positions."""
    length = of.length or (2**20 if run.profile == "full" else 2**17)
    for name in ("bfloat16", "float16", "float8_e4m3fn", "float8_e5m2"):
        line = pipeline(of.mixed, name)
        ladder = [float(t) for t in frequencies(HEAD_DIM, BASE, line.frequency)]

        def columns(pair: int, rows: Any, line: Pipeline = line) -> tuple[Array, Array]:
            return waves(rows.astype(np.float64), ladder[pair], line)  # noqa: B023

        seen = _distinct_rows(columns, HEAD_DIM // 2, length)
        if seen != length:
            return Evidence("refuted", witness=f"{name}: {seen} rows of {length} positions")
    return Evidence("holds", measured=length, note="all rows differ")


@control("positions_exact", lost=FIRST)
@checked_by(COLLISIONS, "damage", "ball", "the first collision of bfloat16", definitions=COLLIDED)
def damage_at_the_first_collision(of: Collided, run: Run) -> Evidence:
    """The chord between the two keys' angles is 2 sin(1 / 2), and scores reach it."""
    with precision(256):
        across = arb(FIRST).cos() - arb(of.lost).cos()
        along = arb(FIRST).sin() - arb(of.lost).sin()
        expected = 2 * (arb(1) / 2).sin()
        square = across**2 + along**2
        if not abs(square - expected**2) < arb(2) ** -200:
            return Evidence("refuted", witness=f"the squared chord is {float(square):.6g}")
    return Evidence("holds", measured=expected.str(12, radius=False))


@control("positions_exact", naive=pipeline("mixed64", "bfloat16"))
@checked_by(COLLISIONS, "damage", "float", "naive in bfloat16, first pair", definitions=COLLIDED)
def damage_in_the_naive_pipeline(of: Collided, run: Run) -> Evidence:
    """Equal up to rounding: a score may lose 2 G - 2 A to the other stages, and no more."""
    middle = np.array([FIRST - 0.5])
    query = (np.ones(1), np.zeros(1))
    key = tuple(round_array(-wave(middle), BFLOAT16) for wave in (np.sin, np.cos))
    scores = []
    for i, j in ((0.0, float(FIRST)), (1.0, FIRST + 1.0)):
        u = turned(query, waves(np.array([i]), 1.0, of.naive), of.naive)
        v = turned((key[0], key[1]), waves(np.array([j]), 1.0, of.naive), of.naive)
        scores.append(float(u[0][0] * v[0][0] + u[1][0] * v[1][0]))
    size = float(np.hypot(*key)[0])
    gap = abs(scores[0] - scores[1]) / size
    room = 2 * errors(pipeline("mixed64", "bfloat16"), 2, HEAD_DIM, BASE).score
    full = Fraction(2 * np.sin(0.5)) + 2 * U64
    bound = Bound(full + room, "2 sin(1/2) and the rounding of two scores", {"format": "bfloat16"})
    if Fraction(gap) < full - room:
        return Evidence("refuted", measured=gap, witness=f"the scores differ by {gap:.3g} only")
    return within(gap, bound)


@control("positions_exact", lost=FIRST)
@checked_by(COLLISIONS, "gap", "ball", "d = 128, base 10000", definitions=COLLIDED)
def gap_of_all_ones(of: Collided, run: Run) -> Evidence:
    with precision(128):
        theta = [arb(10_000) ** (arb(-i) / 64) for i in range(HEAD_DIM // 2)]
        terms = ((of.lost * t).cos() - (FIRST * t).cos() for t in theta)
        gap = abs(2 * sum(terms, arb(0))) * 10**6
        if not (gap > GAP and gap < GAP + 1):
            return Evidence("refuted", witness=f"the gap is {(gap / 10**6).str(12)}")
        return Evidence("holds", measured=(gap / 10**6).str(12, radius=False))


# ---------------------------------------------------------------------- integer_phase
def saturated(positions: Any, kappa: integer_phases.Steps) -> integer_phases.Steps:
    """Phases kept at the largest number instead of taken modulo W."""
    exact = np.multiply.outer(np.asarray(positions).astype(object), kappa.astype(object))
    return np.clip(exact, 0, int(np.iinfo(kappa.dtype).max)).astype(kappa.dtype)


@dataclass(frozen=True)
class Turned:
    """What the checks of integer phases measure."""

    phases: Callable[[Any, integer_phases.Steps], integer_phases.Steps] = integer_phases.phases
    angles: Callable[..., NDArray[np.floating]] = integer_phases.angles
    constants: Constants = CONSTANTS
    step_error: int = 0


TURNED = Turned()
#: The pairs the specification measured.
PAIRS = (0, 1, 3, 16)


@control("saturating_arithmetic", phases=saturated)
@checked_by(
    INTEGER_PHASE,
    "homomorphism",
    "property",
    "positions and shifts below 2^40 in modulus, 32 and 64 bits",
    definitions=TURNED,
)
def phases_add_up(of: Turned, run: Run) -> Evidence:
    """NumPy's unsigned arithmetic against Python's integers, and phases against each other."""
    from hypothesis import strategies

    def invariant(bits: int, pair: int, i: int, s: int) -> bool:
        kappa = integer_phases.steps(HEAD_DIM, BASE, bits)[pair : pair + 1]
        places = np.array([i, s, i + s])
        a, b, c = of.phases(places, kappa)[:, 0]
        exact = [n * int(kappa[0]) % 2**bits for n in places.tolist()]
        return bool([int(a), int(b), int(c)] == exact and a + b == c)

    size = 2**40
    drawn = {
        "bits": strategies.sampled_from([32, 64]),
        "pair": strategies.integers(0, HEAD_DIM // 2 - 1),
        "i": strategies.integers(-size, size),
        "s": strategies.integers(-size, size),
    }
    with np.errstate(over="ignore"):
        return hunt(invariant, drawn, run)


@control("saturating_arithmetic", phases=saturated)
@checked_by(
    INTEGER_PHASE, "rotation", "ball", "50 positions below 2^40, 64 pairs", definitions=TURNED
)
def phases_turn_like_positions(of: Turned, run: Run) -> Evidence:
    """e^(2 pi i a / W) and e^(i p theta) at 256 bits."""
    kappa = integer_phases.steps(HEAD_DIM, BASE)
    places = np.random.default_rng(run.seed).integers(-(2**40), 2**40, 50)
    found = of.phases(places, kappa)
    with precision(256):
        for pair, step in enumerate(kappa.tolist()):
            theta = integer_phases.frequency(step)
            for n, phase in zip(places.tolist(), found[:, pair].tolist(), strict=True):
                turn = 2 * arb.pi() * phase / 2**32
                gap = abs(turn.cos() - (n * theta).cos()) + abs(turn.sin() - (n * theta).sin())
                if not gap < arb(2) ** -150:
                    return Evidence("refuted", witness=f"p = {n}, pair {pair}: {gap.str(3)}")
    return Evidence("holds", note=f"{len(kappa) * len(places)} angles")


def _exact_angles(phase: integer_phases.Steps) -> Array:
    """Angles of 32-bit phases in float64: two roundings, 2 pi u64 at most."""
    return phase.view(np.int32).astype(np.float64) * (2 * np.pi * 2.0**-32)


def _twice_rounded(phase: integer_phases.Steps, form: Format = FLOAT32) -> NDArray[np.floating]:
    """Angles that pass through bfloat16 on their way."""
    return integer_phases.angles(phase, form).astype(BFLOAT16.dtype).astype(np.float32)


EVERY = Scope("every position below 2^18, pairs 0, 1, 3, 16", "every position below 2^20")


def _places(run: Run) -> Whole:
    return np.arange(2**20 if run.profile == "full" else 2**18)


@control("half_of_the_bound", constants=Constants(angle=Fraction(1, 2)))
@control("angles_in_bfloat16", angles=_twice_rounded)
@checked_by(INTEGER_PHASE, "angle", "float", EVERY, definitions=TURNED)
def angles_of_phases(of: Turned, run: Run) -> Evidence:
    """The bound has room for 8 u64 of float64."""
    kappa = integer_phases.steps(HEAD_DIM, BASE)[list(PAIRS)]
    found = of.phases(_places(run), kappa)
    gap = np.abs(of.angles(found).astype(np.float64) - _exact_angles(found))
    at, pair = np.unravel_index(int(gap.argmax()), gap.shape)
    value = of.constants.angle * integer_phases.angle_bound() + 8 * U64
    where = f"p = {at}, pair {PAIRS[int(pair)]}"
    return within(
        gap.max(), Bound(value, "pi ((1 + u)^3 - 1)", {"format": "float32"}), witness=where
    )


@control("angles_forgotten", constants=Constants(angle=Fraction(0), library=Fraction(1, 2)))
@control("angles_in_bfloat16", angles=_twice_rounded)
@checked_by(INTEGER_PHASE, "table", "float", EVERY, definitions=TURNED)
def tables_of_phases(of: Turned, run: Run) -> Evidence:
    """Against float64 cosines of float64 angles: room for 16 u64."""
    kappa = integer_phases.steps(HEAD_DIM, BASE)[list(PAIRS)]
    found = of.phases(_places(run), kappa)
    angles, exact = of.angles(found), _exact_angles(found)
    gap = np.hypot(np.cos(angles) - np.cos(exact), np.sin(angles) - np.sin(exact))
    at, pair = np.unravel_index(int(gap.argmax()), gap.shape)
    value = integer_phases.errors("float32", HEAD_DIM, of.constants).table + 16 * U64
    bound = Bound(value, "pi ((1 + u)^3 - 1) + tau", {"format": "float32"})
    where = f"p = {at}, pair {PAIRS[int(pair)]}"
    evidence = within(gap.max(), bound, witness=where)
    return replace(evidence, trusts=LIBRARY)


@control("angles_in_bfloat16", angles=_twice_rounded)
@checked_by(
    INTEGER_PHASE,
    "scores",
    "float",
    Scope("100000 scores, positions below 2^20", "1000000 scores"),
    definitions=TURNED,
)
def scores_of_phases(of: Turned, run: Run) -> Evidence:
    """Two scores of one offset, tables and rotations in float32, summed in float64."""
    count = 1_000_000 if run.profile == "full" else 100_000
    source, line = np.random.default_rng(run.seed), pipeline("mixed32", "float32")
    kappa = integer_phases.steps(HEAD_DIM, BASE)
    shift = source.integers(1, 2**19, count)
    i, j = source.integers(0, 2**19, (2, count))
    pair = source.integers(0, HEAD_DIM // 2, count)
    directions = source.uniform(0, 2 * np.pi, (2, count))
    q, k = (
        np.stack([round_array(2 * wave(at), FLOAT32) for wave in (np.cos, np.sin)])
        for at in directions
    )
    scores = []
    for step in (np.zeros_like(shift), shift):
        entries = []
        for at in (i + step, j + step):
            phase = (at.astype(np.uint32) * kappa[pair])[:, None]
            angle = of.angles(phase)[:, 0]
            entries.append((np.cos(angle).astype(float), np.sin(angle).astype(float)))
        u, v = turned(q, entries[0], line), turned(k, entries[1], line)
        scores.append(u[0] * v[0] + u[1] * v[1])
    gap = np.abs(scores[0] - scores[1]) / (np.hypot(*q) * np.hypot(*k))
    worst = int(gap.argmax())
    value = integer_phases.errors("float32", HEAD_DIM, of.constants).relative + 8 * U64
    where = f"pair {pair[worst]}, (i, j, s) = ({i[worst]}, {j[worst]}, {shift[worst]})"
    evidence = within(gap.max(), Bound(value, "2 G", {"format": "float32"}), witness=where)
    return replace(evidence, trusts=LIBRARY)


@control("step_off_by_one", step_error=1)
@checked_by(
    INTEGER_PHASE,
    "frequency",
    "ball",
    "64 pairs, 2^20 positions, 32 and 64 bits",
    definitions=TURNED,
)
def frequencies_of_steps(of: Turned, run: Run) -> Evidence:
    """|theta - 2 pi kappa / W| <= pi / W for every pair; the largest phase error is printed."""
    largest = arb(0)
    with precision(256):
        for bits in (32, 64):
            for pair, step in enumerate(integer_phases.steps(HEAD_DIM, BASE, bits).tolist()):
                theta = arb(10_000) ** (arb(-pair) / 64)
                gap = abs(integer_phases.frequency(step + of.step_error, bits) - theta)
                if not gap <= arb.pi() / arb(2) ** bits:
                    return Evidence("refuted", witness=f"{bits} bits, pair {pair}: {gap.str(6)}")
                largest = largest.max(gap * 2**20)
    return Evidence("holds", measured=largest.str(6, radius=False))


# ---------------------------------------------------------------------- library_defaults
@dataclass(frozen=True)
class Judged:
    """What the checks of library defaults measure: a pipeline, and the tolerances of a test."""

    line: Pipeline = pipeline("mixed32", "float32")
    torch: tuple[Fraction, Fraction] = (Fraction(1, 10**5), Fraction(13, 10**7))
    allclose: tuple[Fraction, Fraction] = (Fraction(1, 10**8), Fraction(1, 10**5))
    assert_allclose: tuple[Fraction, Fraction] = (Fraction(0), Fraction(1, 10**7))
    constants: Constants = CONSTANTS
    first_length: int = 75


JUDGED = Judged()
MIXED64 = pipeline("mixed64", "float32")


def _entry(position: int, pair: int, line: Pipeline) -> tuple[Fraction, Fraction]:
    """Cosine and sine, correctly rounded from a correctly rounded angle."""
    theta = frequencies(HEAD_DIM, BASE, line.frequency)[pair]
    angle = round_exact(position * theta, line.angle)
    assert angle is not None

    def rounded(wave: str) -> Fraction:
        def enclosure(bits: int) -> arb:
            value: arb = getattr(arb(angle.numerator) / angle.denominator, wave)()
            return value

        found = correctly_rounded(enclosure, line.table)
        assert found is not None
        return found

    return rounded("cos"), rounded("sin")


def _rejected(
    of: Judged, places: tuple[int, ...], tests: tuple[tuple[Fraction, Fraction], ...]
) -> Evidence:
    """Exact scores of q = k = (1, 0) on the second pair, and whether every test rejects them."""
    entries = [_entry(position, 1, of.line) for position in places]
    here, there = (
        sum((a * b for a, b in zip(*entries[e : e + 2], strict=True)), Fraction(0)) for e in (0, 2)
    )
    gap, size = abs(here - there), max(abs(here), abs(there))
    for absolute, relative in tests:
        if gap <= absolute + relative * size:
            allowed = float(absolute + relative * size)
            where = f"the scores differ by {float(gap):.3g}, and {allowed:.3g} is allowed"
            return Evidence("refuted", measured=float(gap), witness=where)
    bound = errors(of.line, max(places) + 1, HEAD_DIM, BASE).relative
    return within(gap, Bound(bound, "2 G", {"L": max(places) + 1}))


@control("angles_in_float64", line=MIXED64)
@control("tolerance_doubled", torch=(Fraction(2, 10**5), Fraction(13, 10**7)))
@checked_by(LIBRARY_DEFAULTS, "torch", "ball", "positions 71 .. 92", definitions=JUDGED)
def torch_rejects(of: Judged, run: Run) -> Evidence:
    return _rejected(of, LATE, (of.torch,))


@control("tolerance_of_torch", allclose=JUDGED.torch)
@checked_by(LIBRARY_DEFAULTS, "numpy", "ball", "positions 1 .. 13", definitions=JUDGED)
def numpy_rejects(of: Judged, run: Run) -> Evidence:
    return _rejected(of, EARLY, (of.allclose, of.assert_allclose))


#: Pair, i, j, s and length of the printed cases.
REPLAYED = ((1, 80, 95, -9, 96), (3, 110, 106, -4, 128))


@control("angles_in_float64", line=MIXED64)
@checked_by(
    LIBRARY_DEFAULTS,
    "torch",
    "float",
    Scope("two cases, 100000 queries and keys each", "the same, 1000000 each"),
    definitions=JUDGED,
)
def torch_rejects_random_vectors(of: Judged, run: Run) -> Evidence:
    """Vectors of norm at most 1 in NumPy's float32: one of them is rejected, none leaves 2 G."""
    count = 1_000_000 if run.profile == "full" else 100_000
    seen = []
    for pair, i, j, s, length in REPLAYED:
        source = np.random.default_rng(run.seed)
        theta = float(frequencies(HEAD_DIM, BASE, of.line.frequency)[pair])
        q, k = (
            np.stack([round_array((1 - 2.0**-20) * wave(at), FLOAT32) for wave in (np.cos, np.sin)])
            for at in source.uniform(0, 2 * np.pi, (2, count))
        )
        scores = []
        for a, b in ((i, j), (i + s, j + s)):
            u, v = (
                turned(x, waves(np.array([float(at)]), theta, of.line), of.line)
                for x, at in ((q, a), (k, b))
            )
            scores.append(u[0] * v[0] + u[1] * v[1])
        gap = np.abs(scores[0] - scores[1])
        absolute, relative = (float(x) for x in of.torch)
        over = gap - absolute - relative * np.maximum(np.abs(scores[0]), np.abs(scores[1]))
        worst = int(over.argmax())
        if over[worst] <= 0:
            where = f"pair {pair}, (i, j, s) = ({i}, {j}, {s}): at most {gap.max():.3g}"
            return Evidence("refuted", measured=float(gap.max()), witness=where)
        sizes = np.hypot(*q) * np.hypot(*k)
        bound = errors(of.line, length, HEAD_DIM, BASE).relative + 8 * U64
        seen.append(within((gap / sizes).max(), Bound(bound, "2 G", {"L": length})))
    worst_one = next((e for e in seen if e.outcome != "holds"), seen[-1])
    return replace(worst_one, trusts=LIBRARY, note=f"{len(seen)} cases, {count} vectors each")


@control("one_length_earlier", first_length=74)
@control("half_an_angle_rounding", constants=Constants(angle=Fraction(1, 2)))
@checked_by(LIBRARY_DEFAULTS, "guaranteed", "ball", "d = 128, base 10000", definitions=JUDGED)
def first_length_without_a_guarantee(of: Judged, run: Run) -> Evidence:
    """The bound of `tolerances` below 10^-5 at 74 positions, above at 75."""
    bounds = [
        errors(of.line, length, HEAD_DIM, BASE, of=of.constants).relative
        for length in (of.first_length - 1, of.first_length)
    ]
    if not bounds[0] < of.torch[0] < bounds[1]:
        return Evidence("refuted", witness=f"2 G = {float(bounds[0]):.4g}, {float(bounds[1]):.4g}")
    return within(bounds[0], Bound(of.torch[0], "the default atol of float32", {"L": 74}))
