r"""Five tests of a rotary embedding: the inputs they try, what they measure, what they allow.

Main definitions
----------------
Cases          queries, keys, positions and shifts
designed       four cases on every pair, both ends of the ladder first, that show each known fault
searching      further cases: corners, places where an angle changes its binade, random ones
random_heads   what most test suites try: Gaussian heads at random positions
TESTS          the residual of each case, by test
allowed        the largest residual of correct code, by test
matrix         the worst residual of every fault under every test
missed         the seeds at which a fault goes unseen
least_shift    the smallest shift at which the relative identity sees every pair

Conventions
-----------
A rotation takes float64 vectors `(n, d)` and positions `(n,)`.  theta is the exact frequency of a
pair, base^(-2 i / d).  Residuals are per |q| |k| or |x|.

The designed cases
------------------
Write alpha for the relative angle of a score before the shift and beta for it after.  A score moves
by 2 sin((beta - alpha) / 2) at most, and does so when the key is ahead of the query by
pi / 2 - (alpha + beta) / 2.  The four cases aim at
growth     position 0 and the largest shift, query and key aligned;
one pair that keys forget      beta - alpha = -theta s with theta s near an odd multiple of pi, or
                               the largest shift where the pair is too slow for that;
keys that turn backwards       beta - alpha = -2 theta s in the same way, from the middle;
rounded positions              h and 3 h moved by a power of two: a format that cannot tell h there
                               rounds them apart (to 4 h) or together (to 0), pairs take turns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import lru_cache

import numpy as np
from flint import arb
from numpy.typing import NDArray

from posproof.numerics.balls import precision
from posproof.numerics.formats import FORMATS, Format, round_array
from posproof.numerics.rope_faults import FAULTS, components, correct, faulty
from posproof.numerics.tolerances import Pipeline, errors, exact_errors, pipeline

Array = NDArray[np.float64]
Rotation = Callable[[Array, Array], Array]

#: Designed cases a pair.
DESIGNED = 4
#: Searching cases a pair, and on vectors that fill the head.
SEARCHING = 24


@dataclass(frozen=True)
class Task:
    """What is tested: positions 0 .. length - 1, d components, and the format of vectors."""

    length: int
    head_dim: int
    base: Fraction
    form: Format
    layout: str = "half"

    @property
    def pairs(self) -> int:
        return self.head_dim // 2

    @property
    def theta(self) -> Array:
        """The frequencies in float64, `(d / 2,)`."""
        return exact_frequencies(self.head_dim, self.base)[0]


@dataclass(frozen=True)
class Cases:
    """Queries, keys `(n, d)` in the format, positions `(n,)`; pair -1 fills the head."""

    pair: NDArray[np.int64]
    query: Array
    key: Array
    i: Array
    j: Array
    shift: Array

    def __len__(self) -> int:
        return len(self.pair)


def joined(*parts: Cases) -> Cases:
    """All cases, one part after the other."""
    names = (entry.name for entry in fields(Cases))
    return Cases(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def taken(cases: Cases, rows: NDArray[np.int64] | slice) -> Cases:
    """Some of the cases."""
    return Cases(*(getattr(cases, entry.name)[rows] for entry in fields(Cases)))


# ---------------------------------------------------------------------- cases
def _ends_first(pairs: int) -> NDArray[np.int64]:
    order = [0, pairs - 1, *range(1, pairs - 1)] if pairs > 1 else [0]
    return np.array(order)


def _on_pairs(task: Task, pair: NDArray[np.int64], angle: Array, size: Array) -> Array:
    """Vectors `(n, d)` of one pair each, rounded to the format."""
    plain = np.zeros((len(pair), task.head_dim))
    first, second = components(plain, task.layout)
    rows = np.arange(len(pair))
    first[rows, pair], second[rows, pair] = size * np.cos(angle), size * np.sin(angle)
    return round_array(plain, task.form)


def _sizes(source: np.random.Generator, count: int) -> Array:
    """Norms of at least 2, so that one rotation leaves them above 1."""
    return 2.5 * 1.5 ** source.uniform(0, 1, count)


def _odd_half_turns(theta: Array, most: int) -> Array:
    """The largest shift up to `most` that turns a pair by an odd multiple of pi, or `most`."""
    turns = np.floor((most * theta / np.pi - 1) / 2)
    return np.where(turns < 0, most, np.clip(np.rint((2 * turns + 1) * np.pi / theta), 0, most))


def designed(task: Task, seed: int) -> Cases:
    """Four cases on every pair, pair by pair; the seed turns and scales them."""
    source = np.random.default_rng(seed)
    order, last = _ends_first(task.pairs), task.length - 1
    theta, zero = task.theta[order], np.zeros(task.pairs)
    half = task.length // 2
    straight = _odd_half_turns(theta, last)
    backwards = _odd_half_turns(2 * theta, last - half)
    top = 2 ** max(0, last.bit_length() - 1)
    tie = 2.0 ** np.floor(np.log2(np.maximum(1.5 / theta, 1)))
    tie = np.clip(tie, 1, max(1, top // 4))
    fits = 3 * tie + top <= last
    rounded = [np.where(fits, value, 0.0) for value in (tie, 3 * tie, np.full_like(tie, top))]
    middle = np.full_like(theta, half)
    near = np.minimum(middle, source.integers(0, 2, task.pairs))
    quarter = np.pi / 2
    rounding = np.where(np.arange(task.pairs) % 2, 1.0, 3.0)
    rows = (  # i, j, shift, how far the key is ahead of the query
        (zero, zero, zero + last, zero),
        (zero, zero, straight, quarter + theta * straight / 2),
        (middle, middle - near, backwards, quarter + theta * (2 * middle - near + backwards)),
        (*rounded, quarter - rounding * theta * tie),
    )
    places = [np.stack([row[column] for row in rows], axis=1).ravel() for column in range(4)]
    pair = np.repeat(order, DESIGNED)
    angle = source.uniform(0, 2 * np.pi, len(pair))
    query = _on_pairs(task, pair, angle, _sizes(source, len(pair)))
    key = _on_pairs(task, pair, angle + places[3], _sizes(source, len(pair)))
    return Cases(pair, query, key, *places[:3])


def searching(task: Task, seed: int) -> Cases:
    """A third at the largest shifts, a third at binade ends of the pair's angle, a third random."""
    source = np.random.default_rng(seed)
    pair = np.repeat([*_ends_first(task.pairs), -1], SEARCHING)
    count = len(pair)

    def vectors() -> Array:
        angle = source.uniform(0, 2 * np.pi, count)
        plain = _on_pairs(task, np.maximum(pair, 0), angle, _sizes(source, count))
        full = source.standard_normal((count, task.head_dim))
        full *= 4 / np.sqrt((full**2).sum(axis=1, keepdims=True))
        return np.where((pair < 0)[:, None], round_array(full, task.form), plain)

    query, key = vectors(), vectors()
    length, theta = task.length, task.theta[np.maximum(pair, 0)]
    binade = 2.0 ** source.integers(0, max(1, length.bit_length()), (3, count))
    changes = np.ceil(binade / theta) - source.integers(0, 3, (3, count))
    corner = source.integers(0, max(1, length // 64 + 1), (3, count))
    corner[2] = length - 1 - corner[2]
    anywhere = source.integers(0, length, (3, count))
    kind = np.arange(count) % 3
    chosen = np.where(kind == 0, corner, np.where(kind == 1, changes, anywhere))
    i, j, there = np.clip(chosen, 0, length - 1).astype(np.float64)
    shift = np.minimum(there, length - 1 - np.maximum(j - i, 0)) - i
    return Cases(pair, query, key, i, j, np.where(j + shift >= 0, shift, 0))


def battery(task: Task, seed: int) -> Cases:
    """The designed cases, then the searching ones."""
    return joined(designed(task, seed), searching(task, seed))


def random_heads(task: Task, seed: int) -> Cases:
    """As many Gaussian heads at random positions and shifts as there are designed cases."""
    source, count = np.random.default_rng(seed), DESIGNED * task.pairs
    query, key = (
        round_array(source.standard_normal((count, task.head_dim)), task.form) for _ in "qk"
    )
    shift = source.integers(0, task.length, count)
    i, j = (source.integers(0, task.length - shift).astype(np.float64) for _ in "ij")
    return Cases(np.full(count, -1), query, key, i, j, shift.astype(np.float64))


# ---------------------------------------------------------------------- the exact rotation
@lru_cache
def exact_frequencies(head_dim: int, base: Fraction) -> tuple[Array, Array]:
    """base^(-2 i / d) as sums of two float64 numbers, off by less than u^2 of themselves."""
    high, low = [], []
    with precision(160):
        for pair in range(head_dim // 2):
            ball = (arb(base.numerator) / base.denominator) ** (arb(-2 * pair) / head_dim)
            high.append(float(ball))
            low.append(float(ball - high[-1]))
    return np.array(high), np.array(low)


def _halves(x: Array) -> tuple[Array, Array]:
    """A float64 number as two of 26 bits."""
    scaled = (2.0**27 + 1) * x
    head = scaled - (scaled - x)
    return head, x - head


def exact_waves(positions: Array, pair: NDArray[np.int64], task: Task) -> tuple[Array, Array]:
    """cos(p theta) and sin(p theta), together off by at most 8 u64 as a complex number.

    The product p theta is split without error into its float64 value and a remainder: what is left
    out is below L u^2.  Each of four library values is within an ulp, the remainder turns by an
    angle known to u of itself, and a complex product adds 2.5 u.
    """
    high, low = (part[pair] for part in exact_frequencies(task.head_dim, task.base))
    product = positions * high
    (a, b), (c, d) = _halves(positions), _halves(high)
    lost = ((a * c - product) + a * d + b * c) + b * d + positions * low
    turn = np.exp(1j * product) * np.exp(1j * lost)
    return turn.real, turn.imag


def exactly_turned(x: Array, positions: Array, task: Task) -> Array:
    """The vectors turned by the exact frequencies, to within 12 u64 of their norms."""
    first, second = components(x, task.layout)
    rows, pairs = np.nonzero((first != 0) | (second != 0))
    a, b = first[rows, pairs], second[rows, pairs]
    cosines, sines = exact_waves(positions[rows], pairs, task)
    result = np.zeros_like(x)
    into = components(result, task.layout)
    into[0][rows, pairs], into[1][rows, pairs] = a * cosines - b * sines, a * sines + b * cosines
    return result


# ---------------------------------------------------------------------- the tests
def norms(x: Array) -> Array:
    return np.sqrt((x**2).sum(axis=1))


def far(cases: Cases) -> Array:
    """The later position of the query."""
    return np.maximum(cases.i, cases.i + cases.shift)


def two_steps(cases: Cases) -> tuple[Array, Array]:
    """The query's earlier position and the way to the later one; from 0, half the way twice."""
    first = np.minimum(cases.i, cases.i + cases.shift)
    first = np.where(first == 0, np.floor(far(cases) / 2), first)
    return first, far(cases) - first


def relative(rotate: Rotation, rotate_key: Rotation, cases: Cases, task: Task) -> Array:
    """|S(i, j) - S(i + s, j + s)| / (|q| |k|)."""
    scores = []
    for step in (np.zeros_like(cases.shift), cases.shift):
        query, key = rotate(cases.query, cases.i + step), rotate_key(cases.key, cases.j + step)
        scores.append((query * key).sum(axis=1))
    return np.abs(scores[0] - scores[1]) / (norms(cases.query) * norms(cases.key))


def group_law(rotate: Rotation, rotate_key: Rotation, cases: Cases, task: Task) -> Array:
    """|R_s R_i x - R_{i+s} x| / |x|, for queries and for keys."""
    first, then = two_steps(cases)

    def law(turn: Rotation, x: Array) -> Array:
        twice = turn(turn(x, first), then)
        return norms(twice - turn(x, first + then)) / norms(x)

    return _of_both(law, rotate, rotate_key, cases)


def norm(rotate: Rotation, rotate_key: Rotation, cases: Cases, task: Task) -> Array:
    """||R_p x| / |x| - 1|, for queries and for keys."""

    def kept(turn: Rotation, x: Array) -> Array:
        return np.abs(norms(turn(x, far(cases))) / norms(x) - 1)

    return _of_both(kept, rotate, rotate_key, cases)


def position_zero(rotate: Rotation, rotate_key: Rotation, cases: Cases, task: Task) -> Array:
    """|R_0 x - x| / |x|, for queries and for keys."""

    def moved(turn: Rotation, x: Array) -> Array:
        return norms(turn(x, np.zeros(len(x))) - x) / norms(x)

    return _of_both(moved, rotate, rotate_key, cases)


def reference(rotate: Rotation, rotate_key: Rotation, cases: Cases, task: Task) -> Array:
    """The distance to the exact rotation by the frequencies base^(-2 i / d), per |x|."""

    def apart(turn: Rotation, x: Array) -> Array:
        at = far(cases)
        return norms(turn(x, at) - exactly_turned(x, at, task)) / norms(x)

    return _of_both(apart, rotate, rotate_key, cases)


def _of_both(
    measure: Callable[[Rotation, Array], Array],
    rotate: Rotation,
    rotate_key: Rotation,
    cases: Cases,
) -> Array:
    """The larger of what queries and keys show; a NaN is larger than everything."""
    of_query = measure(rotate, cases.query)
    return (
        of_query if rotate_key is rotate else np.maximum(of_query, measure(rotate_key, cases.key))
    )


Test = Callable[[Rotation, Rotation, Cases, Task], Array]
TESTS: dict[str, Test] = {
    "relative": relative,
    "group law": group_law,
    "norm": norm,
    "position 0": position_zero,
    "reference": reference,
}


def repeated(vector: Fraction, times: int) -> Fraction:
    """The error of several rotations one after the other, each off by `vector` of its input."""
    return (1 + vector) ** times - 1


def allowed(line: Pipeline, task: Task) -> dict[str, Fraction]:
    """The largest residual of correct code under each test.  `NoBound` where there is none."""
    found = errors(line, task.length, task.head_dim, task.base)
    start = errors(line, 1, task.head_dim, task.base)
    return {
        "relative": found.relative,
        "group law": repeated(found.vector, 2) + found.vector,
        "norm": found.norm,
        "position 0": start.vector,
        "reference": exact_errors(line, task.length, task.head_dim, task.base).vector,
    }


# ---------------------------------------------------------------------- faults
#: Cases of a seed that are tried before the next ones.
CHUNK = 32


def residuals(
    name: str, line: Pipeline, task: Task, cases: Cases, tests: Iterable[str] = TESTS
) -> dict[str, Array]:
    """What every test measures of one fault, case by case."""
    query, key = faulty(name, correct(line, task.head_dim, task.base, task.layout))
    rotate = query.rotate
    rotate_key = rotate if key is query else key.rotate
    return {test: TESTS[test](rotate, rotate_key, cases, task) for test in tests}


@lru_cache
def matrix(task: Task, seeds: int = 3) -> dict[str, dict[str, float]]:
    """The worst residual of every fault under every test, in float64, over the designed cases."""
    wide = replace(task, form=FORMATS["float64"])
    cases = joined(*(designed(wide, seed) for seed in range(seeds)))
    line = pipeline("mixed64", "float64")
    return {
        name: {test: float(gaps.max()) for test, gaps in residuals(name, line, wide, cases).items()}
        for name in FAULTS
    }


def visible(found: Mapping[str, float], limits: Mapping[str, Fraction]) -> tuple[str, ...]:
    """The tests whose limit a fault exceeds; a NaN exceeds every limit."""
    return tuple(test for test in TESTS if not found[test] <= limits[test])


@lru_cache(128)
def _drawn(draw: Callable[[Task, int], Cases], task: Task, seed: int) -> Cases:
    return draw(task, seed)


def missed(
    name: str,
    test: str,
    line: Pipeline,
    task: Task,
    seeds: Iterable[int],
    draw: Callable[[Task, int], Cases] = designed,
) -> list[int]:
    """The seeds whose cases do not show a fault, that is, exceed the limit nowhere."""
    limit = allowed(line, task)[test]
    drawn = {seed: _drawn(draw, task, seed) for seed in seeds}
    size = max((len(cases) for cases in drawn.values()), default=0)
    for start in range(0, size, CHUNK):
        if not drawn:
            break
        parts = [taken(cases, slice(start, start + CHUNK)) for cases in drawn.values()]
        gaps = residuals(name, line, task, joined(*parts), [test])[test]
        found = np.split(gaps, np.cumsum([len(part) for part in parts])[:-1])
        shown = {
            seed
            for seed, mine in zip(drawn, found, strict=True)
            if not (mine <= float(limit)).all()  # a NaN exceeds every limit
        }
        drawn = {seed: cases for seed, cases in drawn.items() if seed not in shown}
    return list(drawn)


# ---------------------------------------------------------------------- shifts
#: Shifts that `least_shift` tries.
SHIFTS = 2**17
#: Shifts tried at once.
BLOCK = 2048


def chords(shifts: Array, head_dim: int, base: Fraction) -> Array:
    """|2 sin(s theta / 2)| for every shift and pair, `(n, d / 2)`, to within 10 u64."""
    task = Task(1, head_dim, base, FORMATS["float64"])
    rows, pairs = np.meshgrid(np.arange(len(shifts)), np.arange(task.pairs), indexing="ij")
    cosines, sines = exact_waves(shifts[rows.ravel()], pairs.ravel(), task)
    return np.hypot(cosines - 1, sines).reshape(rows.shape)


def least_shift(tolerance: Fraction, head_dim: int, base: Fraction, length: int) -> int | None:
    """The smallest shift s < length with |2 sin(s theta / 2)| >= tolerance for every pair.

    None where no shift up to `SHIFTS` will do.  A chord that float64 cannot tell from the tolerance
    counts as unseen.
    """
    level = float(tolerance) + 16 * float(FORMATS["float64"].unit_roundoff)
    if level > 2:
        return None
    slowest = float(exact_frequencies(head_dim, base)[0][-1])
    # A slower turn than this leaves the slowest pair below the level.
    first = max(1, int(2 * np.arcsin(level / 2) / slowest * (1 - 1e-6)))  # room for rounding
    last = min(length, SHIFTS)
    for start in range(first, last, BLOCK):
        shifts = np.arange(start, min(start + BLOCK, last), dtype=np.float64)
        good = np.flatnonzero((chords(shifts, head_dim, base) >= level).all(axis=1))
        if len(good):
            return int(shifts[good[0]])
    return None


def unseen_pairs(tolerance: Fraction, shift: int, head_dim: int, base: Fraction) -> int:
    """How many pairs the relative identity cannot see at one shift."""
    seen = chords(np.array([float(shift)]), head_dim, base)[0] >= float(tolerance)
    return int((~seen).sum())
