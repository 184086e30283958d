"""Additive biases: ALiBi slopes and biases, T5 buckets.

Main definitions
----------------
alibi_slopes, alibi_bias, alibi_resolution, t5_buckets, t5_range, t5_offsets
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from posproof.audit.calls import Array, Inapplicable, called
from posproof.audit.findings import Finding, fault, precondition
from posproof.audit.invariants import Audit, invariant
from posproof.audit.protocol import Encoding
from posproof.numerics.bias_rules import alibi_slopes as exponents
from posproof.numerics.bias_rules import bucket
from posproof.numerics.formats import FORMATS

#: Powers of two, their neighbours, and numbers of heads that checkpoints have.
HEADS = (1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24, 28, 32, 33, 40, 48, 64, 71, 96, 112)
#: Distances around every place where a format or a bucket changes its step.
DISTANCES = tuple(
    sorted({0, 1, 2, 3, 5, 10, 25, 100, *(2**k + j for k in range(2, 17) for j in (-1, 0, 1))})
)
T5_SHAPES = tuple((b, d) for b in (8, 16, 32, 64, 128) for d in (20, 64, 100, 128, 256, 1024))


def _slopes(heads: int) -> Array:
    return np.array([2.0 ** float(e) for e in exponents(heads)])


def _slope_error(heads: int, dtype: str) -> float:
    """A ratio rounded once and raised to at most `heads` is off by heads u, and a power by 4 u."""
    return float((heads + 4) * FORMATS[dtype].unit_roundoff)


@invariant("slopes", family="bias", needs=("slopes",), claim="kernels.alibi_underflow")
def alibi_slopes(known: Encoding, audit: Audit) -> Iterator[Finding]:
    """Slopes of another rule, an exponent off by one, slopes rounded to a narrow format.

    The order of the heads is free: it only has to be the one of the training.
    """
    method = known.method("slopes")
    assert method is not None
    numbers = (known.fact("heads"),) if known.fact("heads") else HEADS
    for heads in numbers:
        given = f"{heads} heads"
        values = called(method, heads, given=given, shape=(heads,))
        right = np.sort(_slopes(heads))[::-1]
        found = np.sort(values)[::-1]
        allowed = _slope_error(heads, known.fact("dtype", "float32"))
        gaps = np.abs(found / right - 1)
        if gaps.max() > allowed:
            k = int(gaps.argmax())
            yield fault(
                f"slope {k + 1} from the largest is off by {gaps[k]:.3g} of itself",
                given=given,
                observed=found[k],
                right=right[k],
                bound=f"{allowed:.3g} relative",
            )
            return


@invariant("bias", family="bias", needs=("bias",), claim="kernels.alibi_underflow")
def alibi_bias(known: Encoding, audit: Audit) -> Iterator[Finding]:
    """A diagonal that is not where query and key meet, a wrong sign, a lost slope.

    Behind a causal mask a constant added to a row changes no weight, so that rows are compared up
    to one.
    """
    method = known.method("bias")
    assert method is not None
    causal = bool(known.fact("causal", True))
    form = FORMATS[known.fact("dtype", "float32")]
    for queries, keys in _blocks():
        given = f"queries at {_range(queries)}, keys at {_range(keys)}"
        values = called(method, queries, keys, given=given, finite=False)
        if values.ndim != 3 or values.shape[1:] != (len(queries), len(keys)):
            wanted = ("heads", len(queries), len(keys))
            yield fault(
                "the result has a wrong shape", given=given, observed=values.shape, right=wanted
            )
            return
        heads = len(values)
        distance = np.abs(queries[:, None] - keys[None, :]).astype(float)
        right = -_slopes(heads)[:, None, None] * distance
        seen = keys[None, :] <= queries[:, None] if causal else np.ones_like(distance, dtype=bool)
        gap = np.where(seen, values - right, np.nan)
        if causal:
            own = np.argmax(np.where(seen, keys[None, :], -1), axis=1)  # the nearest visible key
            gap = gap - np.take_along_axis(
                gap, np.broadcast_to(own[None, :, None], (heads, len(queries), 1)), 2
            )
        # The value, and the one of the diagonal it is compared with, are each rounded.
        size = np.abs(right).max(axis=2, keepdims=True)
        allowed = 2 * _slope_error(heads, form.name) * size + 2 * float(form.smallest_subnormal)
        bad = ~(np.abs(gap) <= allowed) & seen
        if bad.any():
            h, i, j = (int(k) for k in np.argwhere(bad)[0])
            yield fault(
                f"head {h}: query {queries[i]}, key {keys[j]}",
                given=given,
                observed=values[h, i, j],
                right=right[h, i, j],
                bound=f"{float(allowed[h, i, 0]):.3g}"
                + (" up to a constant of the row" if causal else ""),
            )
            return


@invariant("resolution", family="bias", needs=("bias",), claim="kernels.alibi_underflow")
def alibi_resolution(known: Encoding, audit: Audit) -> Iterator[Finding]:
    """Neighbouring distances that get one bias in the working format.

    A format of p bits tells distances below 2^(p-1) apart, whatever the slope: there a slope is
    more than one unit of the last place.  More are asked for up to a declared `max_position`.
    """
    method = known.method("bias")
    assert method is not None
    form = FORMATS[known.fact("dtype", "float32")]
    last = min(known.fact("max_position") or form.last_consecutive_integer // 2, 1 << 17) - 1
    keys = np.arange(last + 1)
    given = f"query at {last}, all keys up to it"
    values = called(method, keys[-1:], keys, given=given)[:, 0, :]
    equal = np.argwhere(~(np.diff(values, axis=1) > 0))
    if len(equal):
        h, k = (int(place) for place in equal[-1])
        yield fault(
            f"head {h}: distances {last - k} and {last - k - 1} are not told apart",
            given=given,
            observed=values[h, k],
            right="a strictly larger bias for the nearer key",
        )


def _blocks() -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Square, rectangular, cached (one query after many keys), and a chunk."""
    yield np.arange(3), np.arange(3)
    yield np.array([3]), np.arange(4)
    yield np.arange(2, 6), np.arange(6)
    yield np.array([2048]), np.arange(2046, 2049)
    yield np.arange(7), np.arange(7)


def _range(values: np.ndarray) -> str:
    return f"{values[0]}" if len(values) == 1 else f"{values[0]}..{values[-1]}"


# ---------------------------------------------------------------------- T5
def _shape(known: Encoding) -> tuple[int, int, bool]:
    return (
        int(known.fact("buckets", 32)),
        int(known.fact("max_distance", 128)),
        bool(known.fact("bidirectional", True)),
    )


def _degenerate(buckets: int, max_distance: int, both: bool) -> bool:
    return max_distance <= (buckets // 2 if both else buckets) // 2


@invariant("bucket", family="bias", needs=("bucket",), claim="kernels.t5_buckets")
def t5_buckets(known: Encoding, audit: Audit) -> Iterator[Finding]:
    """Buckets that differ from the integer rule: rounding, the wrong side, narrow formats."""
    method = known.method("bucket")
    assert method is not None
    buckets, furthest, both = _shape(known)
    if _degenerate(buckets, furthest, both):
        raise Inapplicable("the rule does not reach there; `bucket range` still holds")
    sides = (-1, 1)
    offsets = np.array(
        sorted({side * d for d in (*range(4 * furthest), *DISTANCES) for side in sides})
    )
    given = f"{buckets} buckets up to {furthest}, {'both sides' if both else 'causal'}"
    values = called(method, offsets, given=given, shape=offsets.shape)
    right = bucket(offsets, buckets, furthest, both)
    wrong = np.flatnonzero(values != right)
    if len(wrong):
        k = int(wrong[np.abs(offsets[wrong]).argmin()])
        yield fault(
            f"offset {offsets[k]} is in the wrong bucket ({len(wrong)} of {len(offsets)} are)",
            given=given,
            observed=int(values[k]),
            right=int(right[k]),
            bound="exact",
        )


@invariant("bucket range", family="bias", needs=("bucket",), claim="kernels.t5_buckets")
def t5_range(known: Encoding, audit: Audit) -> Iterator[Finding]:
    """Buckets outside the table, and buckets that fall with the distance, for every parameter."""
    method = known.method("bucket")
    assert method is not None
    buckets, furthest, both = _shape(known)
    for side in (-1, 1):
        offsets = side * np.array(sorted({*range(4 * furthest + 8), *DISTANCES}))
        given = f"{buckets} buckets up to {furthest}, offsets 0 to {offsets[-1]}"
        values = called(method, offsets, given=given, shape=offsets.shape)
        outside = np.flatnonzero((values < 0) | (values >= buckets))
        falling = np.flatnonzero(np.diff(values[side * offsets > 0]) < 0)
        if len(outside):
            k = int(outside[0])
            yield fault(
                f"offset {offsets[k]} is in no bucket",
                given=given,
                observed=int(values[k]),
                right=f"0 to {buckets - 1}",
            )
        elif len(falling):
            k = int(falling[0]) + 1
            yield fault(f"the bucket falls after offset {offsets[k]}", given=given)


@invariant("bucket block", family="bias", needs=("buckets",), claim="kernels.t5_buckets")
def t5_offsets(known: Encoding, audit: Audit) -> Iterator[Finding]:
    """A decode step whose query is taken for position 0, blocks that are shifted or transposed."""
    method = known.method("buckets")
    assert method is not None
    buckets, furthest, both = _shape(known)
    if _degenerate(buckets, furthest, both):
        yield precondition(f"max_distance {furthest} does not exceed the exact distances")
        return
    for queries, keys in (*_blocks(), (np.array([50]), np.array([0, 25, 49, 50]))):
        given = f"queries at {_range(queries)}, keys at {_range(keys)}"
        shape = (len(queries), len(keys))
        values = called(method, queries, keys, given=given, shape=shape)
        right = bucket(keys[None, :] - queries[:, None], buckets, furthest, both)
        if (values != right).any():
            i, j = (int(k) for k in np.argwhere(values != right)[0])
            yield fault(
                f"query {queries[i]}, key {keys[j]}",
                given=given,
                observed=int(values[i, j]),
                right=int(right[i, j]),
                bound="exact",
            )
            return
