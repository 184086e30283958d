"""Which axioms an attention score satisfies, seen from outside: from its values alone.

Main definitions
----------------
probe              the matrices of a score at pairs of basis vectors, for all pairs of positions
measure            the largest residual of each axiom, where it was seen, and its bound
Findings, Finding  what `measure` returns
bounds             how large each residual may be for exact block rotations computed in a format
rotated            vectors turned plane by plane, in a given frame
rope, ladder       the score of RoPE, and its frequencies

Conventions
-----------
A score is a function of a query `(d,)`, a key `(d,)` and two integer positions i, j.  Its matrix is
B_ij[a, b] = score(e_a, e_b, i, j).  A frame is an integer array `(m, 2)`: the two components of
each plane.  Angles are in radians; A is the largest angle a position is turned by.

The bounds
----------
u is the unit roundoff of the format, v = 2^-53 that of the residuals.  A stored angle is rounded
once, by at most u A; a table entry is within 2 u of the cosine or sine of the stored angle, per
size.  A turned basis vector consists of table entries, so it is off by e0 = u (A + 2); a score of
two of them has two products that are not zero, so a probe is off by
p = (1 + e0)^2 (1 + g2) - 1, with g_n = n u / (1 - n u).  The frequencies are those that are stored:
the axioms hold for every ladder.  Let s be at least the square root of d.  If B = Q + E with Q
orthogonal and |E_ab| <= p, a column of E has length at most s p, and

    |B^T B - I|, entry by entry     <= 2 s p + d p^2 + g
    |B B' - B''|                    <= 2 s p + d p^2 + p + g, and |B_ii - I| <= p
    |B - B'|, |B J - J B|           <= 2 p + 2 v (1 + p)

where g = (1 + s p)^2 d v / (1 - d v) is the rounding of our own products.  A vector with more
components is also rounded, e = u (A + 2) + 3/2 g2 (1 + 2 u), and its score by the accumulation;
the probes are off by d p together, and our own q^T B k by h = 2 d v / (1 - 2 d v) s (1 + s p), for
|B| is no longer than the s (1 + s p) of its entries.  So a score is off from q^T B k by at most
(1 + e)^2 (1 + g_d) - 1 + d p + h, per |q| |k|.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posproof.numerics.formats import FORMATS
from posproof.theory.vocabulary import Bound

Array = NDArray[np.float64]
Frame = NDArray[np.int64]
Score = Callable[[Array, Array, int, int], Any]

#: The axioms in the order they are reported.
AXIOMS = ("bilinear", "norm", "toral", "cocycle", "translation")
V = FORMATS["float64"].unit_roundoff
#: Random pairs of vectors that bilinearity is tried on.
TRIALS = 20


# ---------------------------------------------------------------------- frames
def interleaved_frame(d: int) -> Frame:
    """Planes (2 c, 2 c + 1), shape `(d / 2, 2)`."""
    return np.arange(d).reshape(-1, 2)


def half_frame(d: int) -> Frame:
    """Planes (c, c + d / 2), shape `(d / 2, 2)`."""
    return np.arange(d).reshape(2, -1).T.copy()


FRAMES: dict[str, Callable[[int], Frame]] = {"interleaved": interleaved_frame, "half": half_frame}


def rotated(x: Array, angles: Array, frame: Frame) -> Array:
    """Plane c of vectors `(..., d)` turned by `angles[c]` radians, in float64."""
    a, b = x[..., frame[:, 0]], x[..., frame[:, 1]]
    turned = np.empty_like(x)
    turned[..., frame[:, 0]] = np.cos(angles) * a - np.sin(angles) * b
    turned[..., frame[:, 1]] = np.sin(angles) * a + np.cos(angles) * b
    return turned


# ---------------------------------------------------------------------- bounds
@dataclass(frozen=True)
class Model:
    """How a score is taken to be computed; `share` scales the bounds, and only a control does."""

    d: int
    unit_roundoff: Fraction
    largest_angle: Fraction
    share: Fraction = Fraction(1)


def gamma(n: int, u: Fraction) -> Fraction:
    """The relative error of n roundings; infinite ones are refused by the caller."""
    return n * u / (1 - n * u)


def probe_error(model: Model) -> Fraction:
    """How far an entry of B may lie from that of the exact block rotation."""
    u = model.unit_roundoff
    turned = u * (model.largest_angle + 2)
    return (1 + turned) ** 2 * (1 + gamma(2, u)) - 1


def bounds(model: Model) -> dict[str, Bound]:
    """The largest residual of each axiom for exact block rotations, `bilinear` per |q| |k|."""
    d, u, p = model.d, model.unit_roundoff, probe_error(model)
    s = math.isqrt(d - 1) + 1  # at least the square root of d
    own = (1 + s * p) ** 2 * gamma(d, V)
    orthogonal = 2 * s * p + d * p**2 + own
    apart = 2 * p + 2 * V * (1 + p)
    turned = u * (model.largest_angle + 2) + Fraction(3, 2) * gamma(2, u) * (1 + 2 * u)
    vector = (1 + turned) ** 2 * (1 + gamma(d, u)) - 1
    values = {
        "bilinear": (
            vector + d * p + gamma(2 * d, V) * s * (1 + s * p),
            "(1 + e)^2 (1 + g_d) - 1 + d p + own",
        ),
        "norm": (orthogonal, "2 s p + d p^2 + own"),
        "toral": (apart, "2 p + own"),
        "cocycle": (orthogonal + p, "2 s p + d p^2 + p + own"),
        "translation": (apart, "2 p + own"),
    }
    inputs = {"d": d, "u": u, "A": model.largest_angle}
    return {name: Bound(model.share * v, formula, inputs) for name, (v, formula) in values.items()}


# ---------------------------------------------------------------------- what is measured
@dataclass(frozen=True)
class Finding:
    """One axiom: the largest residual, its bound, and where the residual was seen."""

    axiom: str
    holds: bool
    residual: float
    bound: Bound
    witness: str


Findings = tuple[Finding, ...]


def probe(score: Score, d: int, positions: Sequence[int]) -> Array:
    """B, shape `(n, n, d, d)`: `B[r, s, a, b]` is the score of e_a at r and e_b at s."""
    basis, n = np.eye(d), len(positions)
    values = np.empty((n, n, d, d))
    for (r, i), (s, j) in product(enumerate(positions), repeat=2):
        for a in range(d):
            for b in range(d):
                # the caller may keep or change what it is given
                values[r, s, a, b] = float(score(basis[a].copy(), basis[b].copy(), i, j))
    return values


def probe_at_once(score: Score, d: int, positions: Sequence[int]) -> Array:
    """The same for a score that broadcasts over leading axes of its vectors."""
    basis = np.eye(d)
    rows = [[score(basis[:, None], basis[None], i, j) for j in positions] for i in positions]
    return np.array(rows, dtype=np.float64)


def measure(
    score: Score,
    positions: Sequence[int],
    frame: Frame,
    model: Model,
    seed: int = 0,
    probe: Callable[[Score, int, Sequence[int]], Array] = probe,
) -> Findings:
    """The residual of every axiom against its bound; a NaN is larger than every bound."""
    d = model.d
    B, limits = probe(score, d, positions), bounds(model)
    places = np.asarray(positions)

    def finding(axiom: str, residual: Array, where: Callable[..., str]) -> Finding:
        sizes = np.where(np.isnan(residual), np.inf, np.abs(residual))
        at = np.unravel_index(int(np.argmax(sizes)), sizes.shape)
        size = float(residual[at]) if np.isnan(residual[at]) else float(sizes[at])
        allowed = limits[axiom]
        holds = math.isfinite(size) and Fraction(size) <= allowed.value
        return Finding(axiom, holds, size, allowed, where(*(int(place) for place in at)))

    def at_pair(r: int, s: int, a: int, b: int) -> str:
        return f"i = {places[r]}, j = {places[s]}, entry ({a}, {b})"

    with np.errstate(invalid="ignore", over="ignore"):
        gram = np.swapaxes(B, -1, -2) @ B - np.eye(d)
        turns = commutators(B, frame)
        triples = np.einsum("rkab,ksbc->rksac", B, B) - B[:, None, :, :, :]
        starts = B[np.arange(len(places)), np.arange(len(places))] - np.eye(d)
        shifts, origin = _shifts(B, places)
    return (
        _bilinear(score, B, d, places, limits["bilinear"], seed),
        finding("norm", gram, at_pair),
        finding("toral", turns, lambda c, r, s, a, b: f"plane {c}, {at_pair(r, s, a, b)}"),
        _larger(
            finding(
                "cocycle",
                triples,
                lambda r, k, s, a, b: f"k = {places[k]}, {at_pair(r, s, a, b)}",
            ),
            finding("cocycle", starts, lambda r, a, b: f"i = k = {at_pair(r, r, a, b)[4:]}"),
        ),
        finding(
            "translation",
            shifts,
            lambda r, s, a, b: f"{at_pair(r, s, a, b)}, against i = {origin[r, s]}",
        ),
    )


def commutators(B: Array, frame: Frame) -> Array:
    """B J_c - J_c B for every plane, shape `(m, n, n, d, d)`."""
    d = B.shape[-1]
    found = []
    for x, y in frame:
        J = np.zeros((d, d))
        J[y, x], J[x, y] = 1, -1
        found.append(B @ J - J @ B)
    return np.array(found)


def _shifts(B: Array, places: NDArray[np.int64]) -> tuple[Array, NDArray[np.int64]]:
    """B_ij - B_i'j' for the first pair i' <= j' of the same offset, i <= j; and that i'."""
    n = len(places)
    first: dict[int, tuple[int, int]] = {}
    residual, origin = np.zeros_like(B), np.zeros((n, n), dtype=np.int64)
    for r, s in product(range(n), repeat=2):
        offset = int(places[s] - places[r])
        if offset >= 0:
            base = first.setdefault(offset, (r, s))
            residual[r, s], origin[r, s] = B[r, s] - B[base], places[base[0]]
    return residual, origin


def _bilinear(
    score: Score, B: Array, d: int, places: NDArray[np.int64], allowed: Bound, seed: int
) -> Finding:
    """Scores of small integer vectors, which every format holds, against q^T B k, per |q| |k|."""
    source, n = np.random.default_rng(seed), len(places)
    gaps, tried = np.empty(TRIALS), []
    for trial in range(TRIALS):
        q, k = (source.integers(-3, 4, d).astype(np.float64) for _ in "qk")
        q[0], k[-1] = 3, -2  # never zero
        r, s = (int(place) for place in source.integers(0, n, 2))
        value = float(score(q.copy(), k.copy(), int(places[r]), int(places[s])))
        gaps[trial] = abs(value - float(q @ B[r, s] @ k)) / math.sqrt(float(q @ q) * float(k @ k))
        tried.append(f"i = {places[r]}, j = {places[s]}, q = {_text(q)}, k = {_text(k)}")
    worst = int(np.argmax(np.where(np.isnan(gaps), np.inf, gaps)))
    size = float(gaps[worst])
    holds = math.isfinite(size) and Fraction(size) <= allowed.value
    return Finding("bilinear", holds, size, allowed, tried[worst])


def _text(vector: Array) -> str:
    shown = [f"{x:g}" for x in vector[:4]]
    return f"({', '.join(shown)}{', ...' if len(vector) > 4 else ''})"


def _larger(first: Finding, second: Finding) -> Finding:
    """The worse of two findings about one axiom."""
    if math.isnan(first.residual) or first.residual >= second.residual:
        return first
    return second


# ---------------------------------------------------------------------- RoPE
def rope(
    q: Array,
    k: Array,
    i: int,
    j: int,
    *,
    theta: Array,
    frame: Frame,
    key_frame: Frame | None = None,
    query: Callable[[int], int] = int,
    key: Callable[[int], int] = int,
) -> Array:
    """Scores of queries and keys `(..., d)` whose leading axes broadcast."""
    left = rotated(q, theta * query(i), frame)
    right = rotated(k, theta * key(j), frame if key_frame is None else key_frame)
    return (left * right).sum(axis=-1)


def ladder(planes: int) -> Array:
    """The frequencies 10000^(-c / planes)."""
    return 10_000.0 ** (-np.arange(planes) / planes)
