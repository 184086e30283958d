r"""Worst cases of the relative identity: searched for adversarially, replayed exactly.

Main definitions
----------------
CELLS, Cell       the pipelines, formats, bases and lengths of the committed table
Case              one bad input: a pair, two positions, a shift, a query and a key
residual          what a pipeline makes of a case, as exact squares
search            the worst case found in one row of the table
saved, save       the committed cases and how they are made again

Conventions
-----------
A case lives on one pair k of a head with d = 128: positions i of the query and j of the key, both
moved by s.  Components are numbers of the activation format.  The residual is
|S(i, j) - S(i + s, j + s)| / (|q| |k|), the scalar products being summed exactly.

Implementation notes
--------------------
Write z_p for the stored table entry, e_p = z_p exp(-1j p theta) - 1 = rho_p + 1j psi_p for its
defect.  To first order the residual is as large as the defects at the four positions differ, so the
search takes the positions of extreme psi, rho and psi + rho, finds for each shift the best pair of
them, and joins the best of s with the best of -s.  Then it draws queries and keys at random.  It is
a lower bound on the worst case, and trusted by nobody: a replay evaluates a case by itself.

`python -m posproof.numerics.worst_cases` makes the committed file again (minutes).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from posproof.numerics.formats import FORMATS, Format, round_array
from posproof.numerics.tolerances import NoBound, Pipeline, errors, frequencies, pipeline

Array = NDArray[np.float64]
#: First and second components of pairs: two arrays `(n,)`, or one `(2, n)`.
Vector = tuple[Array, Array] | Array

HEAD_DIM = 128
BASES = (10_000, 500_000)
LENGTHS = (512, 4096, 32768, 131072, 1048576)
#: Pairs searched: the fastest, where angles are largest, and two slow ones.
PAIRS = (0, 1, 2, 3, 5, 16, 40)
ROWS: tuple[tuple[str, str], ...] = tuple(
    (name, dtype)
    for name, dtypes in {
        "mixed64": "float64 float32 tfloat32 float16 bfloat16 float8_e4m3fn float8_e5m2",
        "mixed32": "float32 float16 bfloat16 float8_e4m3fn",
        "fused32": "float16 bfloat16 float8_e4m3fn float8_e5m2",
        "naive": "tfloat32 float16 bfloat16",
        "tf32angle": "bfloat16",
    }.items()
    for dtype in dtypes.split()
)
#: Extreme positions kept, and queries and keys drawn for each candidate.
EXTREMES, DRAWS, TYPICAL_DRAWS = 300, 10_000, 1000
#: The seed of the committed search.
SEED = 0
CASES = Path(__file__).parent / "data" / "rope_worst_cases.json"


@dataclass(frozen=True)
class Case:
    """A query and a key on pair `pair`, at positions i and j, and both moved by `shift`."""

    pair: int
    i: int
    j: int
    shift: int
    query: tuple[float, float]
    key: tuple[float, float]


@dataclass(frozen=True)
class Cell:
    """One cell of the table; `case` is None where the pipeline has no bound (overflow).

    `typical` is the largest residual of random Gaussian queries and keys at random positions.
    """

    pipeline: str
    dtype: str
    base: int
    length: int
    case: Case | None
    measured: float | None
    typical: float | None

    @property
    def line(self) -> Pipeline:
        return pipeline(self.pipeline, self.dtype)


# ---------------------------------------------------------------------- the emulated pipeline
def waves(positions: Array, theta: float | Array, line: Pipeline) -> tuple[Array, Array]:
    """The stored cosines and sines at integer positions `(n,)` of one pair, or one pair each."""
    stored = positions if line.position is None else round_array(positions, line.position)
    with np.errstate(invalid="ignore", over="ignore"):
        angles = round_array(stored * theta, line.angle)
        if line.angle.name == "float32":
            single = angles.astype(np.float32)
            cosines, sines = (f(single).astype(np.float64) for f in (np.cos, np.sin))
        else:
            cosines, sines = (round_array(f(angles), line.angle) for f in (np.cos, np.sin))
        return round_array(cosines, line.table), round_array(sines, line.table)


def turned(vector: Vector, entry: tuple[Array, Array], line: Pipeline) -> tuple[Array, Array]:
    """Pairs (x, y) times entries (cosine, sine), every product, sum and output rounded."""
    (x, y), (cosine, sine), form = vector, entry, line.arithmetic

    def summed(a: Array, b: Array) -> Array:
        both = round_array(round_array(a, form) + round_array(b, form), form)
        return both if line.output == form else round_array(both, line.output)

    return summed(x * cosine, -(y * sine)), summed(x * sine, y * cosine)


def residual(case: Case, line: Pipeline, base: int) -> tuple[Fraction, Fraction]:
    """(S(i, j) - S(i + s, j + s))^2 and |q|^2 |k|^2, exactly."""
    theta = float(frequencies(HEAD_DIM, Fraction(base), line.frequency)[case.pair])
    places = np.array([case.i, case.j, case.i + case.shift, case.j + case.shift], dtype=np.float64)
    cosines, sines = waves(places, theta, line)
    x, y = np.array([case.query, case.key, case.query, case.key]).T
    parts = np.stack(turned((x, y), (cosines, sines), line), axis=1)
    vectors = [[Fraction(v) for v in pair] for pair in parts.tolist()]
    here, there = (
        sum((a * b for a, b in zip(vectors[n], vectors[n + 1], strict=True)), Fraction(0))
        for n in (0, 2)
    )
    sizes = [Fraction(x) ** 2 + Fraction(y) ** 2 for x, y in (case.query, case.key)]
    return (here - there) ** 2, sizes[0] * sizes[1]


# ---------------------------------------------------------------------- the search
def defects(length: int, theta: float, line: Pipeline) -> NDArray[np.complex128]:
    """z_p exp(-1j p theta) - 1 for every position, shape `(length,)`."""
    positions = np.arange(length, dtype=np.float64)
    cosines, sines = waves(positions, theta, line)
    product = positions * theta
    # The remainder of the product, from halves short enough to multiply exactly.
    head = float(np.float32(theta))
    tail = theta - head
    lost = (positions * head - product) + positions * tail
    exact = np.exp(-1j * product) * np.exp(-1j * lost)
    return (cosines + 1j * sines) * exact - 1


def _best(value: Array) -> tuple[int, int, int] | None:
    """i, j, s with value[i + s] - value[i] + value[j] - value[j + s] as large as it gets."""
    length, kept = len(value), min(EXTREMES, len(value))
    high = np.argpartition(value, length - kept)[length - kept :]
    low = np.argpartition(value, kept - 1)[:kept]
    steps = high[None, :] - low[:, None]
    gains = value[high][None, :] - value[low][:, None]
    best = np.full(2 * length + 1, -np.inf)
    np.maximum.at(best, (steps + length).ravel(), gains.ravel())
    together = best + best[::-1]
    at = int(together.argmax())
    if not np.isfinite(together[at]):
        return None
    shift = at - length
    rising = np.argwhere((steps == shift) & (gains == best[at]))[0]
    falling = np.argwhere((steps == -shift) & (gains == best[2 * length - at]))[0]
    i, top = int(low[rising[0]]), int(low[falling[0]])
    return i, top - shift, shift


def _candidates(
    defect: NDArray[np.complex128], source: np.random.Generator
) -> Iterator[tuple[int, int, int]]:
    length = len(defect)
    for value in (defect.imag, defect.real, defect.imag + defect.real):
        found = _best(value)
        if found is not None:
            yield found
    i, j, there = source.integers(0, length, (3, 4000))
    inside = (j + there - i >= 0) & (j + there - i < length)
    i, j, shift = i[inside], j[inside], (there - i)[inside]
    table = 1 + defect
    gap = np.abs(np.conj(table[i]) * table[j] - np.conj(table[i + shift]) * table[j + shift])
    for at in np.argsort(gap)[-3:]:
        yield int(i[at]), int(j[at]), int(shift[at])


def _drawn(source: np.random.Generator, form: Format) -> tuple[Array, Array]:
    """Random pairs of norms between 1 and 2, in the format."""
    angle, size = source.uniform(0, 2 * np.pi, DRAWS), 2.0 ** source.uniform(0, 1, DRAWS)
    return round_array(size * np.cos(angle), form), round_array(size * np.sin(angle), form)


def _attack(
    place: tuple[int, int, int],
    entries: tuple[Array, Array],
    pair: int,
    cell: tuple[Pipeline, Format],
    source: np.random.Generator,
) -> tuple[float, Case]:
    """The worst of many random queries and keys at one place."""
    (i, j, shift), (cosines, sines), (line, form) = place, entries, cell
    query, key = _drawn(source, form), _drawn(source, form)
    scores = []
    for a, b in ((i, j), (i + shift, j + shift)):
        u = turned(query, (cosines[a], sines[a]), line)
        v = turned(key, (cosines[b], sines[b]), line)
        scores.append(u[0] * v[0] + u[1] * v[1])
    sizes = np.hypot(*query) * np.hypot(*key)
    gaps = np.abs(scores[0] - scores[1]) / sizes
    at = int(gaps.argmax())
    worst_query, worst_key = ((float(v[0][at]), float(v[1][at])) for v in (query, key))
    return float(gaps[at]), Case(pair, i, j, shift, worst_query, worst_key)


def typical(line: Pipeline, form: Format, base: int, length: int, seed: int) -> float:
    """The largest residual of random Gaussian heads at random positions and shifts."""
    source = np.random.default_rng(seed)
    stored = [float(f) for f in frequencies(HEAD_DIM, Fraction(base), line.frequency)]
    shift = source.integers(1, length, TYPICAL_DRAWS)
    i, j = (source.integers(0, length - shift) for _ in "ij")
    scores, sizes = np.zeros((2, TYPICAL_DRAWS)), np.zeros((2, TYPICAL_DRAWS))
    for theta in stored:
        q, k = (round_array(source.standard_normal((2, TYPICAL_DRAWS)), form) for _ in "qk")
        sizes += np.stack([(q**2).sum(axis=0), (k**2).sum(axis=0)])
        for n, step in enumerate((np.zeros_like(shift), shift)):
            u = turned(q, waves((i + step).astype(float), theta, line), line)
            v = turned(k, waves((j + step).astype(float), theta, line), line)
            scores[n] += u[0] * v[0] + u[1] * v[1]
    return float((np.abs(scores[0] - scores[1]) / np.sqrt(sizes[0] * sizes[1])).max())


def search(
    name: str,
    dtype: str,
    base: int,
    seed: int = SEED,
    lengths: Sequence[int] = LENGTHS,
    pairs: Sequence[int] = PAIRS,
) -> list[Cell]:
    """The worst case found for every length of one row."""
    line, form = pipeline(name, dtype), FORMATS[dtype]
    source = np.random.default_rng(seed)
    stored = frequencies(HEAD_DIM, Fraction(base), line.frequency)
    bounded = [length for length in lengths if _has_bound(line, base, length)]
    worst: dict[int, tuple[float, Case | None]] = dict.fromkeys(lengths, (-1.0, None))
    for pair in pairs:
        theta = float(stored[pair])
        entries = waves(np.arange(bounded[-1], dtype=np.float64), theta, line)
        defect = defects(bounded[-1], theta, line)
        for length in bounded:
            for place in _candidates(defect[:length], source):
                i, j, shift = place
                if not all(0 <= p < length for p in (i, j, i + shift, j + shift)):
                    continue
                found = _attack(place, entries, pair, (line, form), source)
                worst[length] = max(worst[length], found, key=lambda pair: pair[0])
    cells = []
    for length, (_, case) in worst.items():
        if case is None:
            cells.append(Cell(name, dtype, base, length, None, None, None))
            continue
        gap, size = residual(case, line, base)
        usual = typical(line, form, base, length, seed)
        measured = float(gap / size) ** 0.5
        cells.append(Cell(name, dtype, base, length, case, measured, usual))
    return cells


def _has_bound(line: Pipeline, base: int, length: int) -> bool:
    try:
        errors(line, length, HEAD_DIM, Fraction(base))
    except NoBound:
        return False
    return True


# ---------------------------------------------------------------------- the committed file
@lru_cache
def saved() -> tuple[Cell, ...]:
    """The committed cells, in the order of the table."""
    stored = json.loads(CASES.read_text(encoding="utf-8"))
    return tuple(Cell(**{**cell, "case": _case(cell["case"])}) for cell in stored["cells"])


def _case(stored: dict | None) -> Case | None:
    if stored is None:
        return None
    pairs = {name: tuple(stored[name]) for name in ("query", "key")}
    return Case(**{**stored, **pairs})


def save(cells: Sequence[Cell], seed: int) -> None:
    """Write the committed file, one cell a line."""
    lines = ",\n".join(json.dumps(asdict(cell)) for cell in cells)
    head = f'{{"schema": 1, "seed": {seed}, "head_dim": {HEAD_DIM}, "draws": {DRAWS}, '
    CASES.write_text(f'{head}"typical_draws": {TYPICAL_DRAWS}, "cells": [\n{lines}\n]}}\n')


def main(seed: int = SEED) -> None:
    """Search every row, on all cores, and write the committed file."""
    from concurrent.futures import ProcessPoolExecutor

    rows = [(*row, base, seed) for row in ROWS for base in BASES]
    with ProcessPoolExecutor() as pool:
        save([cell for cells in pool.map(search, *zip(*rows, strict=True)) for cell in cells], seed)


if __name__ == "__main__":
    main()
