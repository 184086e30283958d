r"""Rotary embeddings in every rounding of a pipeline, and with the faults people make.

Main definitions
----------------
Turn        one side of an implementation: which pairs turn by which angles, in which formats
correct     a rotation without a fault
FAULTS      every fault, by name: from a correct rotation to those of queries and keys
faulty      queries' and keys' rotations of one fault

Conventions
-----------
`Turn.rotate(x, positions)` takes vectors `(n, d)` and integer positions `(n,)`, both float64, and
returns float64 arrays whose entries are numbers of the output format.  Components that are zero in
both halves of a pair are skipped: a rotation keeps them zero.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from posproof.numerics.formats import FORMATS, round_array
from posproof.numerics.tolerances import Pipeline, frequencies
from posproof.numerics.worst_cases import turned, waves

Array = NDArray[np.float64]
LAYOUTS = ("half", "interleaved")


@dataclass(frozen=True, eq=False)
class Turn:
    """One side of a rotary embedding.

    `theta` holds the stored frequencies `(d / 2,)`.  Positions start at `offset`; the table is
    multiplied by `gain (1 + growth p)`; `sense` is -1 for rotations the opposite way.
    """

    line: Pipeline
    theta: Array = field(repr=False)
    layout: str = "half"
    offset: int = 0
    sense: int = 1
    gain: float = 1.0
    growth: float = 0.0
    sign_lost: bool = False

    def rotate(self, x: Array, positions: Array) -> Array:
        """The vectors `(n, d)` at the positions `(n,)`; what overflows becomes infinite or NaN."""
        with np.errstate(invalid="ignore", over="ignore"):
            return self._rotated(x, positions)

    def _rotated(self, x: Array, positions: Array) -> Array:
        first, second = components(x, self.layout)
        rows, pairs = np.nonzero((first != 0) | (second != 0))
        a, b = first[rows, pairs], second[rows, pairs]
        places = positions[rows] + float(self.offset)
        cosines, sines = waves(places, self.theta[pairs], self.line)
        if self.gain != 1 or self.growth:
            factor = self.gain * (1 + self.growth * places)
            cosines, sines = (round_array(factor * w, self.line.table) for w in (cosines, sines))
        sines = self.sense * sines
        u, v = turned((a, b), (cosines, sines), self.line)
        if self.sign_lost:
            u, _ = turned((a, -b), (cosines, sines), self.line)
        result = np.zeros_like(x)
        into = components(result, self.layout)
        into[0][rows, pairs], into[1][rows, pairs] = u, v
        return result


def components(x: Array, layout: str) -> tuple[Array, Array]:
    """Views `(n, d / 2)` of the first and of the second component of every pair."""
    half = x.shape[1] // 2
    return (x[:, :half], x[:, half:]) if layout == "half" else (x[:, ::2], x[:, 1::2])


def correct(line: Pipeline, head_dim: int, base: Fraction, layout: str = "half") -> Turn:
    """The pipeline's own rotation."""
    stored = frequencies(head_dim, base, line.frequency)
    return Turn(line, np.array([float(theta) for theta in stored]), layout)


Sides = tuple[Turn, Turn]


def _in(name: str) -> Callable[[Turn], Turn]:
    return lambda turn: replace(turn, line=replace(turn.line, position=FORMATS[name]))


def _rounded_frequencies(turn: Turn) -> Turn:
    return replace(turn, theta=round_array(turn.theta, FORMATS["bfloat16"]))


def _other_base(turn: Turn) -> Turn:
    """Frequencies of a base that is 50 times as large."""
    pairs = len(turn.theta)
    theta = turn.theta * 50.0 ** (-np.arange(pairs) / pairs)
    return replace(turn, theta=round_array(theta, turn.line.frequency))


def _stopped(pair: int) -> Callable[[Turn], Turn]:
    def stop(turn: Turn) -> Turn:
        theta = turn.theta.copy()
        theta[pair] = 0
        return replace(turn, theta=theta)

    return stop


def _other_layout(turn: Turn) -> Turn:
    return replace(turn, layout=next(name for name in LAYOUTS if name != turn.layout))


def _backwards(turn: Turn) -> Turn:
    return replace(turn, sense=-1)


def _offset(turn: Turn) -> Turn:
    return replace(turn, offset=1)


def _both(change: Callable[[Turn], Turn]) -> Callable[[Turn], Sides]:
    def sides(turn: Turn) -> Sides:
        side = change(turn)
        return side, side

    return sides


def _keys(change: Callable[[Turn], Turn]) -> Callable[[Turn], Sides]:
    return lambda turn: (turn, change(turn))


FAULTS: dict[str, Callable[[Turn], Sides]] = {
    "correct": _both(lambda turn: turn),
    "positions in bfloat16": _both(_in("bfloat16")),
    "positions in tfloat32": _both(_in("tfloat32")),
    "frequencies in bfloat16": _both(_rounded_frequencies),
    "wrong base": _both(_other_base),
    "opposite sense": _both(_backwards),
    "opposite sense on keys": _keys(_backwards),
    "other layout": _both(_other_layout),
    "other layout on keys": _keys(_other_layout),
    "keys offset by one": _keys(_offset),
    "offset by one": _both(_offset),
    "scaled by 1.1": _both(lambda turn: replace(turn, gain=1.1)),
    "slowest pair not rotated": _both(_stopped(-1)),
    "fastest pair not rotated": _both(_stopped(0)),
    "slowest pair of keys not rotated": _keys(_stopped(-1)),
    "sign of the sine lost": _both(lambda turn: replace(turn, sign_lost=True)),
    "length grows with the position": _both(lambda turn: replace(turn, growth=1e-4)),
}


def faulty(name: str, turn: Turn) -> Sides:
    """The rotations of queries and of keys with one fault.  KeyError for an unknown name."""
    return FAULTS[name](turn)
