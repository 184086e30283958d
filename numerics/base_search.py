"""Searching for covers of the base bound: fast, in floats, and trusted by nobody.

Main definitions
----------------
offsets_values   B(n, e^x) for every offset n < L
violated_cover   steps (n_k, h_k) such that B(n_k, .) < 0 on [x_k, x_k + h_k], from x = 0 upwards
admissible_step  how far every offset is likely to stay non-negative
Cover            the integer form of such a cover; the verifier reads nothing else
saved, save      the committed covers and how they are made again

Conventions
-----------
x = ln b.  Points are integers in units of 2^-48, and a step keeps six significant bits, so that the
verifier works at exactly the same points and a cover compresses to a few bytes a step.  The ladder
is theta_i = e^(-x ratio i), i < 64.

Implementation notes
--------------------
B at all offsets is one matrix product: with n = K r + a, cos(n t) = cos(K r t) cos(a t) -
sin(K r t) sin(a t).  Witnesses that worked lately are tried first; a full scan is made only when
none of them gives a fair step.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

#: Points are multiples of 2^-UNIT_BITS.
UNIT_BITS = 48
STEP_BITS = 6
PLANES = 64
#: The table's exponents are i / 64; a control uses another ratio.
RATIO = 1 / PLANES
COVERS = Path(__file__).parent / "data" / "base_bound_covers.npz"
COMMITTED = (1024, 2048, 4096, 8192)
#: Witnesses remembered, and the share of the mean step below which all offsets are scanned.
MEMORY, FAIR = 400, 0.15
#: A search ends when no offset is negative for a further step of this many units.
EDGE = 1 << (UNIT_BITS - 30)


@dataclass(frozen=True)
class Cover:
    """Witness offsets `(k,)` and steps `(k,)` in units of 2^-48, from x = 0."""

    witnesses: NDArray[np.uint32]
    steps: NDArray[np.uint64]

    @property
    def starts(self) -> list[int]:
        """The left end of every interval, and the end of the last one, in units."""
        ends = np.cumsum(self.steps, dtype=np.uint64)
        return [0, *ends.tolist()]


def frequencies(x: float, ratio: float = RATIO) -> NDArray[np.float64]:
    """theta_i = e^(-x ratio i), shape `(64,)`."""
    return np.exp(-x * ratio * np.arange(PLANES))


def steepness(x: float, ratio: float = RATIO) -> float:
    """Lambda(n, x) / n."""
    return float((ratio * np.arange(PLANES) * frequencies(x, ratio)).sum())


def offsets_values(context: int, x: float, ratio: float = RATIO) -> NDArray[np.float64]:
    """B(n, e^x) for n = 0 .. context - 1, shape `(context,)`."""
    theta = frequencies(x, ratio)
    width = math.isqrt(context - 1) + 1
    fine = np.arange(width)[:, None] * theta
    coarse = width * np.arange(-(-context // width))[:, None] * theta
    left = np.hstack([np.cos(coarse), -np.sin(coarse)])
    return (left @ np.hstack([np.cos(fine), np.sin(fine)]).T).ravel()[:context]


def truncated(step: float) -> int:
    """A step in units, rounded down to six significant bits."""
    units = int(step * 2**UNIT_BITS)
    spare = max(units.bit_length() - STEP_BITS, 0)
    return units >> spare << spare


def violated_cover(context: int, start: int = 0) -> Cover:
    """Steps from `start` (in units) up to the first base that seems admissible."""
    witnesses: list[int] = []
    steps: list[int] = []
    memory = np.array([3])
    all_offsets = np.maximum(np.arange(context), 1)
    at = start
    while True:
        x = at / 2**UNIT_BITS
        theta, slope = frequencies(x), steepness(x)
        reach = -np.cos(memory[:, None] * theta).sum(axis=1) / (slope * memory)
        best = int(reach.argmax())
        witness, step = int(memory[best]), float(reach[best])
        memory = np.delete(memory, best)
        if step < FAIR / (slope * context):
            reach = -offsets_values(context, x) / (slope * all_offsets)
            witness = int(reach[1:].argmax()) + 1
            step = float(reach[witness])
        # A little is left for the verifier's radius.
        units = truncated(step * (1 - 2**-10)) if step > 0 else 0
        if units < EDGE:
            return Cover(np.array(witnesses, np.uint32), np.array(steps, np.uint64))
        memory = np.concatenate([[witness], memory[: MEMORY - 1]])
        witnesses.append(witness)
        steps.append(units)
        at += units


def admissible_step(context: int, at: int, limit: int) -> int:
    """Units from `at` for which every offset is likely to stay positive, at most `limit`.

    The verifier evaluates in the middle of the step, so twice the distance at the left end is a
    fair first guess.
    """
    x = at / 2**UNIT_BITS
    n = np.arange(1, context)
    reach = float((offsets_values(context, x)[1:] / (steepness(x) * n)).min())
    return min(truncated(max(reach, 0.0) * 1.9), limit)


def save(path: Path = COVERS) -> None:
    """Make the committed covers again (about two seconds)."""
    arrays: dict[str, NDArray[np.unsignedinteger]] = {}
    for context in COMMITTED:
        cover = violated_cover(context)
        arrays[f"witnesses_{context}"] = cover.witnesses
        arrays[f"steps_{context}"] = cover.steps
    np.savez_compressed(path, allow_pickle=False, **arrays)


def saved(context: int) -> Cover:
    """The committed cover of a context; searched anew for the others."""
    if context not in COMMITTED:
        return violated_cover(context)
    with np.load(COVERS, allow_pickle=False) as covers:
        return Cover(covers[f"witnesses_{context}"], covers[f"steps_{context}"])


if __name__ == "__main__":
    save()
