"""Assertions for your own rotary code, at tolerances that are proved.

Main definitions
----------------
assert_relative                   two scores of one offset agree
assert_norm_preserving            rotated vectors keep their norms
assert_zero_position_identity     position 0 changes nothing
assert_group_law                  rotating by i and then by s is rotating by i + s

Conventions
-----------
`rotate(x, positions)` takes vectors `(n, d)` of the activation format's NumPy type and integer
positions `(n,)`, and returns the rotated vectors `(n, d)` as anything NumPy reads.  `layout` says
which components form pair i: "half" (i and i + d/2) or "interleaved" (2 i and 2 i + 1).

Every pair is tried by itself, both ends of the ladder first, at the largest shifts, at positions
where an angle has just changed its binade, and at random ones: a fault of one slow pair is lost in
random vectors.  A failure prints the worst input, the error there, the bound, and what is likely
wrong.

No check here knows the frequencies you meant: a wrong base rotates consistently and passes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posproof.errors import BadInput
from posproof.tolerances import NoTolerance, Tolerance, printable, tolerance

Array = NDArray[np.float64]
Rotate = Callable[[NDArray[Any], NDArray[np.int64]], Any]

#: Cases on each pair, and on vectors that fill the head.
CASES = 24
LAYOUTS = ("half", "interleaved")


@dataclass(frozen=True)
class _Cases:
    """Queries, keys `(n, d)` in the format, positions `(n,)`; pair -1 fills the head."""

    pair: NDArray[np.int64]
    query: Array
    key: Array
    i: NDArray[np.int64]
    j: NDArray[np.int64]
    shift: NDArray[np.int64]


def assert_relative(
    rotate: Rotate,
    *,
    dtype: str,
    pipeline: str,
    max_position: int,
    head_dim: int,
    base: int | float,
    rotate_key: Rotate | None = None,
    layout: str = "half",
    seed: int = 0,
) -> None:
    """Scores of a query at i and a key at j do not change when both move by s.

    Keys are rotated by `rotate_key`, queries by `rotate` (and keys too unless told).  Raises
    AssertionError beyond the tolerance `rope.relative`, and NoTolerance where there is none.
    """
    asked = _asked("rope.relative", dtype, pipeline, max_position, head_dim, base)
    cases = _cases(asked, layout, seed)
    scores = []
    for step in (0, cases.shift):
        query = _rotated(rotate, cases.query, cases.i + step, asked)
        key = _rotated(rotate_key or rotate, cases.key, cases.j + step, asked)
        scores.append((query * key).sum(axis=1))
    sizes = _norms(cases.query) * _norms(cases.key)
    largest = np.maximum(cases.i, cases.j) + np.maximum(cases.shift, 0)
    _judge(asked, np.abs(scores[0] - scores[1]) / sizes, cases, largest)


def assert_norm_preserving(
    rotate: Rotate,
    *,
    dtype: str,
    pipeline: str,
    max_position: int,
    head_dim: int,
    base: int | float,
    layout: str = "half",
    seed: int = 0,
) -> None:
    """|R x| = |x| within the tolerance `rope.norm`, which no position and no base can change."""
    asked = _asked("rope.norm", dtype, pipeline, max_position, head_dim, base)
    cases = _cases(asked, layout, seed)
    after = _norms(_rotated(rotate, cases.query, cases.i, asked))
    _judge(asked, np.abs(after / _norms(cases.query) - 1), cases, cases.i)


def assert_zero_position_identity(
    rotate: Rotate,
    *,
    dtype: str,
    pipeline: str,
    head_dim: int,
    base: int | float,
    layout: str = "half",
    seed: int = 0,
) -> None:
    """R_0 x = x within the tolerance `rope.apply` for the single position 0."""
    asked = _asked("rope.apply", dtype, pipeline, 1, head_dim, base)
    cases = _cases(asked, layout, seed)
    gap = _norms(_rotated(rotate, cases.query, cases.i, asked) - cases.query)
    _judge(asked, gap / _norms(cases.query), cases, cases.i)


def assert_group_law(
    rotate: Rotate,
    *,
    dtype: str,
    pipeline: str,
    max_position: int,
    head_dim: int,
    base: int | float,
    layout: str = "half",
    seed: int = 0,
) -> None:
    """R_s R_i x = R_{i+s} x: three rotations, of which one starts from a rounded vector.

    With eta and nu for the tolerances of one rotation the bound is eta (1 + nu) + 2 eta.
    """
    asked = _asked("rope.apply", dtype, pipeline, max_position, head_dim, base)
    norm = _asked("rope.norm", dtype, pipeline, max_position, head_dim, base)
    cases = _cases(asked, layout, seed)
    last, first = np.maximum(cases.i, cases.i + cases.shift), np.minimum(cases.i, max_position - 1)
    start = np.minimum(first, last - first)
    once = _rotated(rotate, cases.query, start, asked)
    twice = _rotated(rotate, once, last - start, asked)
    whole = _rotated(rotate, cases.query, last, asked)
    bound = asked.bound * (1 + norm.bound) + 2 * asked.bound
    _judge(asked, _norms(twice - whole) / _norms(cases.query), cases, last, bound)


# ---------------------------------------------------------------------- cases
def _asked(
    name: str, dtype: str, pipeline: str, max_position: int, head_dim: int, base: int | float
) -> Tolerance:
    """The tolerance, and the inputs of the test; scores are summed here, in float64."""
    return tolerance(
        name,
        dtype=dtype,
        pipeline=pipeline,
        max_position=max_position,
        head_dim=head_dim,
        base=base,
    )


def _cases(asked: Tolerance, layout: str, seed: int) -> _Cases:
    from posproof.numerics.formats import FORMATS, round_array

    if layout not in LAYOUTS:
        raise BadInput(f"unknown layout {layout!r}; known: {', '.join(LAYOUTS)}", "layout")
    width, source = int(asked.inputs["head_dim"]), np.random.default_rng(seed)
    form = FORMATS[asked.inputs["dtype"]]
    pairs = width // 2
    ends = [*range(pairs)][:: pairs - 1] if pairs > 1 else [0]
    order = [*ends, *(pair for pair in range(pairs) if pair not in ends), -1]
    pair = np.repeat(order, CASES)

    def vectors() -> Array:
        """Norms of at least 2, so that one rotation leaves them above 1."""
        plain = np.zeros((len(pair), width))
        angle = source.uniform(0, 2 * np.pi, len(pair))
        size = 2.5 * 1.5 ** source.uniform(0, 1, len(pair))
        first = pair if layout == "half" else 2 * pair
        second = pair + pairs if layout == "half" else 2 * pair + 1
        rows = np.arange(len(pair))
        plain[rows, first], plain[rows, second] = size * np.cos(angle), size * np.sin(angle)
        full = source.standard_normal((len(pair), width))
        full *= 4 / np.sqrt((full**2).sum(axis=1, keepdims=True))
        return round_array(np.where((pair < 0)[:, None], full, plain), form)

    query, key = vectors(), vectors()
    i, j, shift = _positions(asked, pair, source)
    return _Cases(pair, query, key, i, j, shift)


def _positions(
    asked: Tolerance, pair: NDArray[np.int64], source: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """A third at the largest shifts, a third at binade ends of the pair's angle, a third random."""
    length, count = int(asked.inputs["max_position"]), len(pair)
    base, pairs = float(asked.inputs["base"]), int(asked.inputs["head_dim"]) // 2
    theta = base ** (-np.maximum(pair, 0) / pairs)
    binade = 2.0 ** source.integers(0, max(1, length.bit_length()), (3, count))
    ends = np.ceil(binade / theta) - source.integers(0, 3, (3, count))
    corner = source.integers(0, max(1, length // 64 + 1), (3, count))
    corner[2] = length - 1 - corner[2]
    anywhere = source.integers(0, length, (3, count))
    kind = np.arange(count) % 3
    i, j, there = np.where(kind == 0, corner, np.where(kind == 1, ends, anywhere)).astype(np.int64)
    i, j, there = (np.clip(place, 0, length - 1) for place in (i, j, there))
    shift = np.minimum(there, length - 1 - np.maximum(j - i, 0)) - i
    return i, j, np.where(j + shift >= 0, shift, 0)


def _rotated(rotate: Rotate, x: Array, positions: NDArray[np.int64], asked: Tolerance) -> Array:
    """The user's function on the format's own type; its result as float64."""
    from posproof.numerics.formats import FORMATS

    name = asked.inputs["dtype"]
    form = FORMATS["float32" if name == "tfloat32" else name]
    result = np.asarray(rotate(x.astype(form.dtype), positions)).astype(np.float64)
    if result.shape != x.shape:
        raise BadInput(f"rotate returned the shape {result.shape}, not {x.shape}", "rotate")
    return result


def _norms(x: Array) -> Array:
    return np.sqrt((x**2).sum(axis=1))


# ---------------------------------------------------------------------- verdict
def _judge(
    asked: Tolerance,
    gaps: Array,
    cases: _Cases,
    largest: NDArray[np.int64],
    bound: Fraction | None = None,
) -> None:
    """Raise at the worst case if it exceeds the bound; a NaN exceeds every bound."""
    proved = asked.bound if bound is None else bound
    # Norms, differences and sums are taken in float64 here.
    room = 8 * (int(asked.inputs["head_dim"]) + 4) * Fraction(1, 2**53) * (1 + proved)
    allowed = float(proved + room)
    sizes = np.where(np.isnan(gaps), np.inf, gaps)
    if not (sizes > allowed).any():
        return
    worst = int(sizes.argmax())
    pair = int(cases.pair[worst])
    where = "all pairs" if pair < 0 else f"pair {pair}"
    raise AssertionError(
        f"{asked.name}: off by {gaps[worst]:.3g}, the bound is {printable(proved, 3)} "
        f"({asked.inputs['dtype']}, {asked.inputs['pipeline']})\n"
        f"  worst at {where}, i = {cases.i[worst]}, j = {cases.j[worst]}, "
        f"s = {cases.shift[worst]}\n"
        f"  query {_nonzero(cases.query[worst])}, key {_nonzero(cases.key[worst])}\n"
        f"  likely: {_fault(cases.pair, largest, sizes > allowed)}"
    )


def _nonzero(x: Array) -> str:
    """The components of a vector on one pair; only the norm of a full one."""
    filled = np.flatnonzero(x)
    if len(filled) > 2:
        return f"of norm {float(np.sqrt((x**2).sum())):.6g}"
    return ", ".join(f"x[{k}] = {float(x[k])!r}" for k in filled)


def _fault(pair: NDArray[np.int64], largest: NDArray[np.int64], bad: NDArray[np.bool_]) -> str:
    """What the pattern of failures suggests; never more than a suggestion."""
    from posproof.numerics.formats import FORMATS

    failing = set(pair[bad & (pair >= 0)].tolist())
    alone = len(failing) <= 2 and len(set(pair.tolist())) > 4
    if alone:
        return f"pair {', '.join(map(str, sorted(failing)))} is rotated differently"
    start = int(largest[bad].min())
    for name in ("float16", "bfloat16"):
        exact = FORMATS[name].last_consecutive_integer
        if start > exact:
            return f"positions or angles are rounded to {name}: all is well up to {exact}"
    return "rotation by unequal angles, a wrong layout, or a lost sign"


__all__ = [
    "NoTolerance",
    "assert_group_law",
    "assert_norm_preserving",
    "assert_relative",
    "assert_zero_position_identity",
]
