"""Positions while tokens arrive: caches, evictions, and the positions of images and videos.

Main definitions
----------------
bookkeeping, padding, segment_positions, segments_in_chunks
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from operator import methodcaller
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posproof.audit.calls import Array, Inapplicable, as_array, called, raw
from posproof.audit.findings import Finding, fault
from posproof.audit.invariants import Audit, invariant
from posproof.audit.protocol import Encoding

Segment = tuple[Any, ...]
#: What can happen to a cache; sequences of these are tried, short ones first.
EVENTS = (("append", 1), ("append", 6), ("append", 24), ("evict", 3))
LONGEST = 5


@invariant("bookkeeping", family="session", needs=("session",), claim="rotary.relative")
def bookkeeping(known: Encoding, audit: Audit) -> Iterator[Finding]:
    """A cached step at another position than in a full pass: doubled offsets, eviction, aliasing.

    Token number t stands at position t, however the tokens arrived and whatever was forgotten; its
    query and its key stand at one position.
    """
    if known.offers("positions"):
        raise Inapplicable("the session takes segments")
    method = known.method("session")
    assert method is not None
    for length in range(1, LONGEST + 1):
        for events in product(EVENTS, repeat=length):
            kept, possible = 0, True
            for name, count in events:
                kept += count if name == "append" else -count
                possible = possible and kept >= 0
            if not possible:
                continue
            found = _followed(method, events)
            if found is not None:
                yield found
                return


def _followed(method: Any, events: Sequence[tuple[str, int]]) -> Finding | None:
    given = ", ".join(f"{name} {count}" for name, count in events)
    cache, seen = raw(method, given=given), 0
    for name, count in events:
        if name == "evict":
            raw(methodcaller("evict", count), cache, given=given)
            continue
        result = raw(methodcaller("append", count), cache, given=given)
        pair = result if isinstance(result, tuple) and len(result) == 2 else (result, result)
        queries, keys = (as_array(side, given) for side in pair)
        right = np.arange(seen, seen + count)
        for side, values in (("query", queries), ("key", keys)):
            if values.shape != right.shape or (values != right).any():
                return fault(
                    f"{side} positions of token {seen} and on",
                    given=given,
                    observed=_listed(values),
                    right=_listed(right),
                    bound="exact",
                )
        seen += count
    return None


def _listed(values: NDArray[Any]) -> str:
    flat = [f"{value:g}" for value in np.asarray(values, dtype=float).reshape(-1)]
    return ", ".join(flat[:6]) + (", ..." if len(flat) > 6 else "")


# ---------------------------------------------------------------------- padding
#: Padding nowhere, on the left, on the right, on both sides, between tokens, and all but one.
MASKS = ("11111111", "00011111", "11111000", "01111100", "11000111", "00000001", "10011001")


@invariant("padding", family="session", needs=("padded",), claim="rotary.relative")
def padding(known: Encoding, audit: Audit) -> Iterator[Finding]:
    """Padding that is counted as tokens: a sequence that stands elsewhere in a padded batch.

    The tokens of a row stand one position apart, in order, whatever lies between them; where the
    first one stands is free, since scores depend on differences only.
    """
    method = known.method("padded")
    assert method is not None
    whole = np.array([[int(cell) for cell in mask] for mask in MASKS])
    for masks, given in ((whole, "one batch"), *((whole[k : k + 1], "alone") for k in (0, 1, 4))):
        values = called(method, masks, given=f"masks {given}", shape=masks.shape)
        for mask, row in zip(masks, values, strict=True):
            tokens = row[mask == 1]
            right = tokens[0] + np.arange(len(tokens))
            if (tokens != right).any():
                yield fault(
                    "the tokens of a padded row are not one position apart",
                    given=f"mask {''.join(map(str, mask))}, {given}",
                    observed=_listed(tokens),
                    right=_listed(right),
                    bound="exact",
                )
                return


# ---------------------------------------------------------------------- images and videos
def _scenes(merge: int) -> Iterator[list[Segment]]:
    """Text with images and videos of equal, unequal and single axes; time longer than space."""
    cell = merge
    yield [("text", 3)]
    yield [("text", 5), ("image", 2 * cell, 2 * cell), ("text", 3)]
    yield [("text", 2), ("image", 4, 4), ("text", 3)] if merge in (1, 2, 4) else [("text", 1)]
    yield [("text", 1), ("image", 3 * cell, 5 * cell), ("text", 2)]
    yield [("image", cell, cell), ("text", 2)]
    yield [("text", 5), ("video", 2, 3 * cell, 2 * cell), ("text", 2)]
    yield [
        ("text", 1),
        ("video", 7, 2 * cell, 2 * cell),
        ("text", 4),
        ("image", cell, 6 * cell),
        ("text", 1),
    ]
    yield [("text", 4), ("image", cell, 9 * cell), ("text", 1), ("image", 9 * cell, cell)]


def _tokens(segment: Segment, merge: int) -> int:
    kind, *sizes = segment
    if kind == "text":
        return int(sizes[0])
    frames, height, width = (1, *sizes)[-3:]
    return int(frames * (height // merge) * (width // merge))


def _named(segments: Sequence[Segment]) -> str:
    return ", ".join(f"{kind} {'x'.join(map(str, sizes))}" for kind, *sizes in segments)


@invariant("segments", family="session", needs=("positions",), claim="rotary.relative")
def segment_positions(known: Encoding, audit: Audit) -> Iterator[Finding]:
    """Pixel counts for cells, a still image that moves in time, text that runs into an image.

    Text takes one step on every axis; an image or video begins where the last token ended, its
    rows and columns count up from there, a still image stays at one time, and what follows begins
    beyond every axis of it.
    """
    method = known.method("positions")
    assert method is not None
    merge = int(known.fact("merge", 1))
    for segments in _scenes(merge):
        given = _named(segments)
        counts = [_tokens(segment, merge) for segment in segments]
        values = called(method, segments, given=given)
        if values.ndim != 2 or len(values) != sum(counts):
            yield fault(
                "the number of tokens is wrong",
                given=given,
                observed=values.shape,
                right=sum(counts),
            )
            return
        start, begin = 0, 0.0
        for segment, count in zip(segments, counts, strict=True):
            found = _misplaced(values[start : start + count], segment, begin, merge, given)
            if found is not None:
                yield found
                return
            begin = float(values[: start + count].max()) + 1
            start += count


def _misplaced(
    block: Array, segment: Segment, begin: float, merge: int, given: str
) -> Finding | None:
    kind, *sizes = segment
    where = f"{kind} {'x'.join(map(str, sizes))}"
    if block.min() != begin:
        return fault(
            f"where the {where} begins",
            given=given,
            observed=block.min(),
            right=begin,
            bound="exact",
        )
    if kind == "text":
        right = begin + np.arange(len(block))[:, None] + np.zeros(block.shape[1])
        if (block != right).any():
            return fault(
                f"positions of the {where}",
                given=given,
                observed=_listed(block),
                right=_listed(right),
            )
        return None
    frames, height, width = (1, *sizes)[-3:]
    rows, columns = height // merge, width // merge
    grid = block.reshape(frames, rows, columns, -1)
    if kind == "image" and block.shape[1] > 2 and np.ptp(grid[..., 0]) != 0:
        return fault(
            f"the {where} moves in time", given=given, observed=_listed(grid[..., 0]), right=begin
        )
    if kind == "image" and block.shape[1] > 2 and grid[0, 0, 0, 0] != begin:
        return fault(
            f"the time of the {where}", given=given, observed=grid[0, 0, 0, 0], right=begin
        )
    for axis, size, name in ((1, rows, "rows"), (2, columns, "columns")):
        along = np.moveaxis(grid[..., axis - 3], axis, 0)
        right = begin + np.arange(size)
        if (along != right.reshape(-1, 1, 1)).any():
            return fault(
                f"{name} of the {where}",
                given=given,
                observed=_listed(along[:, 0, 0]),
                right=_listed(right),
                bound="exact",
            )
    if frames > 1 and (np.diff(grid[:, 0, 0, 0]) <= 0).any():
        return fault(
            f"frames of the {where} do not move on", given=given, observed=_listed(grid[:, 0, 0, 0])
        )
    return None


@invariant(
    "segments in chunks",
    family="session",
    needs=("positions", "session"),
    claim="rotary.relative",
)
def segments_in_chunks(known: Encoding, audit: Audit) -> Iterator[Finding]:
    """A cached pass that stands elsewhere than the full one: an offset taken from a part."""
    whole, method = known.method("positions"), known.method("session")
    assert whole is not None and method is not None
    merge = int(known.fact("merge", 1))
    for segments in _scenes(merge):
        longer = [*segments, ("text", 1), ("text", 1)]
        right = called(whole, longer, given=_named(longer))
        for cut in range(1, len(longer)):
            parts = [longer[:cut], *([piece] for piece in longer[cut:])]
            given = " | ".join(_named(part) for part in parts)
            cache = raw(method, given=given)
            pieces = [called(methodcaller("append", part), cache, given=given) for part in parts]
            values = (
                np.concatenate(pieces) if len({p.shape[1:] for p in pieces}) == 1 else np.zeros(0)
            )
            if values.shape != right.shape or (values != right).any():
                yield fault(
                    "positions depend on how the tokens arrive",
                    given=given,
                    observed=_listed(values[-2:]),
                    right=_listed(right[-2:]),
                    bound="exact",
                )
                return
