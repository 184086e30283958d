"""What a rotation does to unit vectors: its matrices, layout, width and frequencies.

Main definitions
----------------
Response       the matrices of an encoding at some positions, with how they were called
measure        rotates every unit vector at every position
on_axes        positions in the shape the encoding takes
Layout         which components form which plane, detected from the matrices
layout_of      detects it
positions_to_try    the positions at which implementations change their mind

Conventions
-----------
Matrix p has the rotated unit vectors as columns: `matrices[p] @ x` is x rotated by `positions[p]`.
Unit vectors are exact in every format, so that an error in a column is one of the rotation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posproof.audit.calls import Array, called
from posproof.audit.protocol import Encoding
from posproof.numerics.formats import FORMATS

#: Head dimension of an encoding that does not say one.
HEAD_DIM = 64
#: Positions of an encoding that does not say how many it has.
POSITIONS = 1 << 17
_EDGES = (
    *(0, 1, 2, 3, 4, 7, 31, 63, 95, 127, 128, 129, 255, 256, 257, 258, 511, 512, 513),
    *(1000, 1023, 1024, 1025, 2047, 2048, 2049, 2050, 4095, 4096, 4097, 8191, 8192, 8193),
    *(16_384, 32_767, 32_768, 65_503, 65_504, 65_505, 65_519, 65_520, 65_535, 65_536, 65_537),
    *(100_000, 131_071, 131_072, 1_048_575, 1 << 24, (1 << 24) + 1),
)


def positions_to_try(known: Encoding, source: np.random.Generator) -> NDArray[np.int64]:
    """Ends of binades, both sides of the original context, the last position, and random ones."""
    last = limit_of(known) - 1
    settings = known.fact("parameters") or {}
    context = settings.get("original_max_position_embeddings", 0)
    around = [context - 1, context, context + 1] if context else []
    chosen = {p for p in (*_EDGES, *around, last - 1, last) if 0 <= p <= last}
    chosen |= {int(p) for p in source.integers(0, last + 1, 6)}
    return np.array(sorted(chosen))


def limit_of(known: Encoding) -> int:
    """How many positions an encoding has: declared, or up to where it stops answering."""
    declared = known.fact("max_position")
    if declared is not None:
        return int(declared)
    return _answering(known)


def _answering(known: Encoding) -> int:
    """A table that ends is no fault: the largest power of two the encoding still answers at."""
    method = known.method("rotate")
    if method is None:
        return POSITIONS
    x = np.zeros((1, int(known.fact("head_dim", HEAD_DIM))), dtype=_dtype(known))
    size = POSITIONS
    while size > 2:
        try:
            method(x, on_axes(known, np.array([size - 1])))
        except (IndexError, ValueError):
            size //= 2
        except Exception:
            return size  # that is for the invariants to report
        else:
            return size
    return size


@dataclass(frozen=True)
class Response:
    """`matrices` is (n, d, d); `method` the name it was measured with."""

    method: str
    positions: NDArray[np.int64]
    matrices: Array

    @property
    def width(self) -> int:
        return self.matrices.shape[1]

    @property
    def finite(self) -> NDArray[np.bool_]:
        """Which matrices are finite, (n,)."""
        return np.asarray(np.isfinite(self.matrices).all(axis=(1, 2)))

    def at(self, position: int) -> Array:
        """The matrix at a position that was measured."""
        return self.matrices[int(np.flatnonzero(self.positions == position)[0])]


def measure(
    known: Encoding, positions: Sequence[int] | NDArray[np.int64], name: str = "rotate"
) -> Response:
    """The matrices of a fresh copy, perhaps not all finite; Broken where a call gives no values."""
    method = known.method(name, known.fresh())
    assert method is not None
    width = int(known.fact("head_dim", HEAD_DIM))
    places = np.asarray(positions, dtype=np.int64)
    rows = np.tile(np.eye(width), (len(places), 1)).astype(_dtype(known))
    indices = on_axes(known, np.repeat(places, width))
    given = f"unit vectors ({len(rows)}, {width}) at positions {places[0]}..{places[-1]}"
    values = called(method, rows, indices, given=given, shape=rows.shape, finite=False)
    return Response(name, places, values.reshape(len(places), width, width).swapaxes(1, 2))


def on_axes(known: Encoding, places: NDArray[np.int64]) -> NDArray[np.int64]:
    """Positions as the encoding takes them: `(n, axes)` on the diagonal, where it has axes."""
    sections = known.fact("sections")
    return places if sections is None else np.repeat(places[:, None], len(sections), axis=1)


def _dtype(known: Encoding) -> np.dtype[Any]:
    name = known.fact("dtype", "float64")
    return FORMATS["float32" if name == "tfloat32" else name].dtype


# ---------------------------------------------------------------------- layout
@dataclass(frozen=True)
class Layout:
    """Planes as pairs of components in the order of their frequencies; `fixed` are not rotated."""

    planes: tuple[tuple[int, int], ...]
    fixed: tuple[int, ...]

    @property
    def rotary_dim(self) -> int:
        return 2 * len(self.planes)

    @property
    def name(self) -> str:
        """half, interleaved, or the pairs themselves; partial where components stay fixed."""
        count = len(self.planes)
        if not count:
            return "nothing rotates"
        partial = (
            f", {self.rotary_dim} of {self.rotary_dim + len(self.fixed)}" if self.fixed else ""
        )
        distances = {second - first for first, second in self.planes}
        if self.planes == tuple((2 * i, 2 * i + 1) for i in range(count)):
            return f"interleaved{partial}"
        if len(distances) == 1 and [p[0] for p in self.planes] == list(range(count)):
            distance = distances.pop()
            return f"half{partial}" if distance == count else f"pairs {distance} apart{partial}"
        return f"pairs {', '.join(map(str, self.planes[:4]))}, ...{partial}"


def layout_of(matrices: Array) -> Layout | None:
    """The planes that matrices leave invariant, from which components mix; None for no pairs.

    Component k is fixed when no matrix moves it; two components form a plane when they mix with
    each other alone.
    """
    width = matrices.shape[1]
    size = np.abs(matrices).max(axis=0)
    np.fill_diagonal(size, 0)
    mixed = np.maximum(size, size.T) > 0
    planes = []
    for k in range(width):
        partners = np.flatnonzero(mixed[k])
        if len(partners) > 1:
            return None
        if len(partners) == 1 and k < partners[0]:
            planes.append((k, int(partners[0])))
    turned = {k for plane in planes for k in plane}
    return Layout(tuple(planes), tuple(k for k in range(width) if k not in turned))
