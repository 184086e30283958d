"""Which axioms an attention score satisfies, seen from outside; and rotary layouts in float64.

Main definitions
----------------
probe              the matrices of a score at pairs of basis vectors, for all pairs of positions
measure            the largest residual of each axiom, where it was seen, and its bound
Findings, Finding  what `measure` returns
bounds             how large each residual may be for exact block rotations computed in a format
rotated            vectors turned plane by plane, in a given frame
implementations    correct rotary scores, the usual bugs, and variants that are meant
layout_kernel      the sum of cosines of a layout at an offset
one_kernel_copies  whether one kernel on one axis copies at several lengths: a linear programme

Main claims
-----------
journey.uniqueness, journey.axiom_certifier, journey.special_cases

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

References
----------
none
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posproof.numerics.balls import certify_over
from posproof.numerics.formats import FORMATS
from posproof.numerics.hunt import hunt, rationals
from posproof.numerics.measure import within
from posproof.theory import journey as theory
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control

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


def _gamma(n: int, u: Fraction) -> Fraction:
    """The relative error of n roundings; infinite ones are refused by the caller."""
    return n * u / (1 - n * u)


def probe_error(model: Model) -> Fraction:
    """How far an entry of B may lie from that of the exact block rotation."""
    u = model.unit_roundoff
    turned = u * (model.largest_angle + 2)
    return (1 + turned) ** 2 * (1 + _gamma(2, u)) - 1


def bounds(model: Model) -> dict[str, Bound]:
    """The largest residual of each axiom for exact block rotations, `bilinear` per |q| |k|."""
    d, u, p = model.d, model.unit_roundoff, probe_error(model)
    s = math.isqrt(d - 1) + 1  # at least the square root of d
    own = (1 + s * p) ** 2 * _gamma(d, V)
    orthogonal = 2 * s * p + d * p**2 + own
    apart = 2 * p + 2 * V * (1 + p)
    turned = u * (model.largest_angle + 2) + Fraction(3, 2) * _gamma(2, u) * (1 + 2 * u)
    vector = (1 + turned) ** 2 * (1 + _gamma(d, u)) - 1
    values = {
        "bilinear": (
            vector + d * p + _gamma(2 * d, V) * s * (1 + s * p),
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
        turns = _commutators(B, frame)
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


def _commutators(B: Array, frame: Frame) -> Array:
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


# ---------------------------------------------------------------------- implementations
def _rope(
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


def normalised(score: Score) -> Score:
    """Queries and keys of length one."""

    def value(q: Array, k: Array, i: int, j: int) -> Array:
        return score(q, k, i, j) / np.sqrt((q * q).sum(axis=-1) * (k * k).sum(axis=-1))

    return value


@dataclass(frozen=True)
class Rows:
    """What the table of signatures is made of; a control repairs one of the bugs."""

    query_sign: int = -1
    query_offset: int = 1
    clip: int = 3
    scale: float = 1.1
    slope: float = 0.1
    decay: float = 0.9
    key_frame: Callable[[int], Frame] = half_frame
    normalised: Callable[[Score], Score] = normalised
    share: Fraction = Fraction(1)


ROWS = Rows()

#: Columns that fail, by implementation: the axioms, with the toral frame named.
SIGNATURES: dict[str, frozenset[str]] = {
    "interleaved": frozenset({"half"}),
    "half": frozenset({"interleaved"}),
    "opposite sign": frozenset({"cocycle", "translation", "half"}),
    "mixed layouts": frozenset({"cocycle", "translation", "interleaved", "half"}),
    "off by one": frozenset({"cocycle", "half"}),
    "clipped": frozenset({"translation", "half"}),
    "scaled": frozenset({"norm", "cocycle", "half"}),
    "linear bias": frozenset({"bilinear", "norm", "cocycle", "interleaved", "half"}),
    "normalised": frozenset({"bilinear", "half"}),
    "damped": frozenset({"norm", "half"}),
}


def implementations(theta: Array, of: Rows = ROWS) -> dict[str, Score]:
    """Scores on len(theta) planes: two correct ones, four bugs, four variants."""
    d = 2 * len(theta)
    plain = partial(_rope, theta=theta, frame=interleaved_frame(d))

    def held(i: int) -> int:
        return min(i, of.clip)

    return {
        "interleaved": plain,
        "half": partial(_rope, theta=theta, frame=half_frame(d)),
        "opposite sign": partial(plain, query=lambda i: of.query_sign * i),
        "mixed layouts": partial(plain, key_frame=of.key_frame(d)),
        "off by one": partial(plain, query=lambda i: i + of.query_offset),
        "clipped": partial(plain, query=held, key=held),
        "scaled": lambda q, k, i, j: of.scale * plain(q, k, i, j),
        "linear bias": lambda q, k, i, j: (q * k).sum(axis=-1) - of.slope * abs(i - j),
        "normalised": of.normalised(plain),
        "damped": lambda q, k, i, j: of.decay ** (i - j) * plain(q, k, i, j),
    }


def failures(
    score: Score,
    model: Model,
    positions: Sequence[int],
    frames: Mapping[str, Frame],
    seed: int = 0,
) -> tuple[frozenset[str], dict[str, Finding]]:
    """Which columns fail, the toral axiom once for each frame; and every finding by column."""
    found: dict[str, Finding] = {}
    for name, frame in frames.items():
        for finding in measure(score, positions, frame, model, seed, probe_at_once):
            found[name if finding.axiom == "toral" else finding.axiom] = finding
    return frozenset(name for name, f in found.items() if not f.holds), found


def ladder(planes: int) -> Array:
    """The frequencies 10000^(-c / planes)."""
    return 10_000.0 ** (-np.arange(planes) / planes)


# ---------------------------------------------------------------------- journey.uniqueness
def block_rotation(angles: Array) -> Array:
    """Planes (2 c, 2 c + 1) turned by the angles; shapes `(..., m)` and `(..., 2 m, 2 m)`."""
    m = angles.shape[-1]
    blocks = np.zeros((*angles.shape[:-1], 2 * m, 2 * m))
    even = 2 * np.arange(m)
    cosine, sine = np.cos(angles), np.sin(angles)
    blocks[..., even, even], blocks[..., even + 1, even + 1] = cosine, cosine
    blocks[..., even + 1, even], blocks[..., even, even + 1] = sine, -sine
    return blocks


def phase_of(frequencies: Array, x: Array) -> Array:
    """The angles <omega_c, x>, shapes `(m, n)` and `(n,)`, in the order of their arguments."""
    return frequencies @ x


def mirror() -> Array:
    """A reflection of the plane."""
    return np.diag([1.0, -1.0])


def tilt() -> Array:
    """An orthonormal frame that is not made of the planes (0, 1) and (2, 3)."""
    return np.array([[1, 2, 2, 0], [2, 1, -2, 0], [2, -2, 1, 0], [0, 0, 0, 3]]) / 3


@dataclass(frozen=True)
class Families:
    """The families of `journey.uniqueness` as scores; a control puts the axiom back."""

    phase_of: Callable[[Array, Array], Array] = phase_of
    block_rotation: Callable[[Array], Array] = block_rotation
    load: Callable[[Array], float] = lambda k: float(k @ k)
    damping: float = 0.9
    mirror: Callable[[], Array] = mirror
    tilt: Callable[[], Array] = tilt
    quadratic: Callable[[int, int], int] = lambda i, j: (j - i) ** 2
    absolute: Callable[[int, int], int] = lambda i, j: j**2 - i**2


FAMILIES = Families()
ANGLE, OTHER_ANGLE = math.atan2(4, 3), math.atan2(12, 5)
FEW = (0, 1, 2, 3)


def _plane(angle: float) -> Array:
    return block_rotation(np.array([angle]))


def _of_matrix(matrix: Callable[[int, int], Array]) -> Score:
    return lambda q, k, i, j: float(q @ matrix(i, j) @ k)


def loaded(of: Families) -> Score:
    """Rotations whose angle grows with the squared length of the key."""
    return lambda q, k, i, j: float(q @ _plane(ANGLE * (j - i) * of.load(k)) @ k)


def damped(of: Families) -> Score:
    return _of_matrix(lambda i, j: of.damping ** (j - i) * _plane(ANGLE * (j - i)))


def parity(of: Families) -> Score:
    return _of_matrix(lambda i, j: np.linalg.matrix_power(of.mirror(), (j - i) % 2))


def tilted(of: Families) -> Score:
    angles, frame = np.array([ANGLE, OTHER_ANGLE]), of.tilt()
    return _of_matrix(lambda i, j: frame @ block_rotation(angles * (j - i)) @ frame.T)


def quadratic(of: Families) -> Score:
    return _of_matrix(lambda i, j: _plane(ANGLE * of.quadratic(i, j)))


def absolute(of: Families) -> Score:
    return _of_matrix(lambda i, j: _plane(ANGLE * of.absolute(i, j)))


#: Score, head dimension, and the largest angle in radians.  22 is more than |k|^2 of the vectors
#: tried; the products with the tilt round like a vector turned by 8 radians more.
DROPPED: dict[str, tuple[Callable[[Families], Score], int, float]] = {
    "loaded": (loaded, 2, 3 * ANGLE * 22),
    "damped": (damped, 2, 3 * ANGLE),
    "parity": (parity, 2, 0.0),
    "tilted": (tilted, 4, 3 * OTHER_ANGLE + 8),
    "quadratic": (quadratic, 2, 9 * ANGLE),
    "absolute": (absolute, 2, 9 * ANGLE),
}


def dropped_axioms(of: Families = FAMILIES) -> dict[str, Findings]:
    """What the certifier finds in RoPE and in the family for each axiom that is dropped."""
    rope = partial(_rope, theta=np.array([ANGLE]), frame=interleaved_frame(2))
    found = {"RoPE": measure(rope, FEW, interleaved_frame(2), Model(2, V, Fraction(3 * ANGLE)))}
    return found | {name: _findings(of, name) for name in DROPPED}


def _findings(of: Families, name: str) -> Findings:
    score, d, angle = DROPPED[name]
    return measure(score(of), FEW, interleaved_frame(d), Model(d, V, Fraction(angle)))


def _fails_exactly(of: Families, dropped: str, *names: str) -> Evidence:
    """Every family fails the dropped axiom and no other."""
    largest = Fraction(0)
    for name in names:
        for finding in _findings(of, name):
            if finding.holds == (finding.axiom == dropped):
                state = "holds" if finding.holds else "fails"
                size = f"residual {finding.residual:.3g} at {finding.witness}"
                return Evidence("refuted", witness=f"{name}: {finding.axiom} {state}, {size}")
            if finding.holds:
                largest = max(largest, Fraction(finding.residual) / finding.bound.value)
    share = Bound(Fraction(1), "residual / bound, the largest over the axioms that hold")
    return within(largest, share, note=f"{dropped} fails, the others hold")


@control("linear_after_all", load=lambda k: 1.0)
@checked_by(theory.UNIQUENESS, "drop_bilinear", "float", "positions 0..3", definitions=FAMILIES)
def loaded_rotations(of: Families, run: Run) -> Evidence:
    return _fails_exactly(of, "bilinear", "loaded")


@control("norms_kept", damping=1.0)
@checked_by(theory.UNIQUENESS, "drop_norm", "float", "positions 0..3", definitions=FAMILIES)
def damped_rotations(of: Families, run: Run) -> Evidence:
    return _fails_exactly(of, "norm", "damped")


@control("a_rotation_for_the_flip", mirror=lambda: -np.eye(2))
@control("the_frame_itself", tilt=lambda: np.eye(4))
@checked_by(theory.UNIQUENESS, "drop_toral", "float", "positions 0..3", definitions=FAMILIES)
def parity_and_tilt(of: Families, run: Run) -> Evidence:
    return _fails_exactly(of, "toral", "parity", "tilted")


@control("angle_of_the_offset", quadratic=lambda i, j: j - i)
@checked_by(theory.UNIQUENESS, "drop_cocycle", "float", "positions 0..3", definitions=FAMILIES)
def quadratic_phases(of: Families, run: Run) -> Evidence:
    return _fails_exactly(of, "cocycle", "quadratic")


@control("angle_of_the_offset", absolute=lambda i, j: j - i)
@checked_by(theory.UNIQUENESS, "drop_equivariance", "float", "positions 0..3", definitions=FAMILIES)
def absolute_phases(of: Families, run: Run) -> Evidence:
    return _fails_exactly(of, "translation", "absolute")


def _reflections(angles: Array) -> Array:
    flipped = block_rotation(angles)
    flipped[..., :, 1::2] *= -1
    return flipped


@control("reflection_for_rotation", block_rotation=_reflections)
@checked_by(
    theory.UNIQUENESS,
    "sufficient",
    "property",
    Scope("100 block rotations, m = 1..4", "2000 block rotations, m = 1..4"),
    definitions=FAMILIES,
)
def block_rotations_pass(of: Families, run: Run) -> Evidence:
    """P commutes exactly with every J_c, and |P^T P - I| is the rounding of cos and sin."""
    from hypothesis import strategies as st

    def passes(angles: list[float]) -> bool:
        P = of.block_rotation(np.array(angles))
        d = len(P)
        commutes = not _commutators(P[None, None], interleaved_frame(d)).any()
        # entries within 2 u, products and sums within g_d: |cos^2 + sin^2 - 1| <= (1 + 2 u)^2 - 1
        allowed = (1 + 2 * V) ** 2 * (1 + _gamma(d, V)) - 1
        return commutes and Fraction(float(np.abs(P.T @ P - np.eye(d)).max())) <= allowed

    angle = st.floats(-1000, 1000)
    drawn = {"angles": st.lists(angle, min_size=1, max_size=4)}
    return hunt(passes, drawn, run, first={"angles": [1.0]})


@control("squares_of_offsets", phase_of=lambda w, x: w @ (x * np.abs(x)))
@checked_by(
    theory.UNIQUENESS,
    "linear",
    "property",
    Scope("100 frequency matrices, positions in [-50, 50]^n", "2000 frequency matrices"),
    definitions=FAMILIES,
)
def linear_phases_compose(of: Families, run: Run) -> Evidence:
    """A(i)^T A(j) = P(j - i), P(k - i) P(j - k) = P(j - i), within 64 u (1 + max |<omega, x>|).

    An angle <omega, x> is computed within n u of the sum of its terms' sizes, of which
    `largest` is a bound; three rotations meet, their entries are within 2 u, and each product of
    two rounds by at most g_2: (3 n + 2 n) u largest + 6 u + 3 u < 64 u (1 + largest), n <= 3.
    """
    from hypothesis import strategies as st

    def composes(places: list[list[int]], seed: int, m: int) -> bool:
        i, k, j = (np.array(place, dtype=np.float64) for place in places)
        w = np.random.default_rng(seed).uniform(-np.pi, np.pi, (m, len(i)))

        def P(x: Array) -> Array:
            return of.block_rotation(of.phase_of(w, x))

        gaps = (P(i).T @ P(j) - P(j - i), P(k - i) @ P(j - k) - P(j - i))
        largest = max(float((np.abs(w) @ np.abs(x)).max()) for x in (i, k, j, j - i, k - i, j - k))
        worst = max(float(np.abs(gap).max()) for gap in gaps)
        return Fraction(worst) <= 64 * V * (1 + Fraction(largest))

    def box(n: int) -> Any:
        place = st.lists(st.integers(-50, 50), min_size=n, max_size=n)
        return st.lists(place, min_size=3, max_size=3)

    drawn = {
        "places": st.integers(1, 3).flatmap(box),
        "seed": st.integers(0, 2**32 - 1),
        "m": st.integers(1, 4),
    }
    first = {"places": [[0], [1], [-1]], "seed": 0, "m": 1}
    return hunt(composes, drawn, run, first=first)


# ---------------------------------------------------------------------- journey.axiom_certifier
POSITIONS = tuple(range(6))
TABLE = Scope("d = 8, positions 0..5, float64", "d = 16, positions 0..5, float64")


def _table(of: Rows, run: Run, names: Sequence[str]) -> Evidence:
    """Whether each implementation fails exactly the columns of its row."""
    planes = 8 if run.profile == "full" else 4
    d = 2 * planes
    model = Model(d, V, Fraction(POSITIONS[-1] + 1), of.share)
    frames = {name: frame(d) for name, frame in FRAMES.items()}
    scores = implementations(ladder(planes), of)
    closest = Fraction(0)
    for name in names:
        failed, found = failures(scores[name], model, POSITIONS, frames, run.seed)
        if failed != SIGNATURES[name]:
            wrong = ", ".join(sorted(failed ^ SIGNATURES[name]))
            return Evidence("refuted", witness=f"{name}: {wrong} came out the other way")
        for column, finding in found.items():
            if column not in failed:
                closest = max(closest, Fraction(finding.residual) / finding.bound.value)
    share = Bound(Fraction(1), "residual / bound, the largest over the columns that hold")
    return within(closest, share, note=f"{len(names)} implementations, {len(found)} columns")


@control("a_64th_of_the_bound", share=Fraction(1, 64))
@checked_by(theory.CERTIFIER, "correct", "float", TABLE, definitions=ROWS)
def correct_scores(of: Rows, run: Run) -> Evidence:
    """Both layouts pass, each in its own frame; the measure is the share of the bound used."""
    return _table(of, run, ("interleaved", "half"))


@control("sign_repaired", query_sign=1)
@control("one_layout", key_frame=interleaved_frame)
@checked_by(theory.CERTIFIER, "wrong_turns", "float", TABLE, definitions=ROWS)
def wrong_turns_seen(of: Rows, run: Run) -> Evidence:
    return _table(of, run, ("opposite sign", "mixed layouts"))


@control("counted_alike", query_offset=0)
@control("not_clipped", clip=5)
@checked_by(theory.CERTIFIER, "wrong_positions", "float", TABLE, definitions=ROWS)
def wrong_positions_seen(of: Rows, run: Run) -> Evidence:
    return _table(of, run, ("off by one", "clipped"))


@control("not_scaled", scale=1.0)
@control("not_damped", decay=1.0)
@checked_by(theory.CERTIFIER, "linear_variants", "float", TABLE, definitions=ROWS)
def linear_variants_seen(of: Rows, run: Run) -> Evidence:
    return _table(of, run, ("scaled", "damped"))


@control("no_bias", slope=0.0)
@control("lengths_kept", normalised=lambda score: score)
@checked_by(theory.CERTIFIER, "other_variants", "float", TABLE, definitions=ROWS)
def other_variants_seen(of: Rows, run: Run) -> Evidence:
    return _table(of, run, ("linear bias", "normalised"))


#: Bugs that a random implementation is given, and the columns each must fail.
MUTATIONS = (
    "opposite sign",
    "off by one",
    "clipped",
    "scaled",
    "linear bias",
    "normalised",
    "damped",
)


@control("counted_alike", query_offset=0)
@checked_by(
    theory.CERTIFIER,
    "wrong_positions",
    "property",
    Scope("100 implementations, d = 2, 4, 8, 16", "2000 implementations, d = 2, 4, 8, 16"),
    definitions=ROWS,
)
def mutations_fail_their_columns(of: Rows, run: Run) -> Evidence:
    """Random frequencies in a random frame: RoPE passes, a mutated one fails what it must."""
    from hypothesis import strategies as st

    def told_apart(half: int, seed: int, mutation: str) -> bool:
        source = np.random.default_rng(seed)
        theta = source.uniform(0.2, 1.2, half)
        order = source.permutation(2 * half)
        frame = order[interleaved_frame(2 * half)]

        def permuted(score: Score) -> Score:
            # component order[a] of a vector is component a of the interleaved implementation
            return lambda q, k, i, j: score(q[..., order], k[..., order], i, j)

        scores = implementations(theta, of)
        model = Model(2 * half, V, Fraction(6 * 6, 5))
        right, _ = failures(permuted(scores["interleaved"]), model, (0, 1, 2, 4), {"frame": frame})
        wrong, _ = failures(permuted(scores[mutation]), model, (0, 1, 2, 4), {"frame": frame})
        listed = {"frame" if name == "interleaved" else name for name in SIGNATURES[mutation]}
        return not right and wrong == listed - {"half"}

    drawn = {
        "half": st.sampled_from((1, 2, 4, 8)),
        "seed": st.integers(0, 2**32 - 1),
        "mutation": st.sampled_from(MUTATIONS),
    }
    return hunt(told_apart, drawn, run, first={"half": 2, "seed": 0, "mutation": "off by one"})


# ---------------------------------------------------------------------- journey.special_cases
Exact = tuple[Fraction, Fraction]


def rational_point(t: Fraction) -> Exact:
    """The point (1 - t^2, 2 t) / (1 + t^2) of the circle, as a complex number."""
    return (1 - t**2) / (1 + t**2), 2 * t / (1 + t**2)


def times(a: Exact, b: Exact) -> Exact:
    return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]


def raised(a: Exact, exponent: int) -> Exact:
    """An integer power of a complex number of modulus 1, by squaring."""
    base, result = (a if exponent >= 0 else (a[0], -a[1])), (Fraction(1), Fraction(0))
    for bit in f"{abs(exponent):b}":
        result = times(result, result)
        if bit == "1":
            result = times(result, base)
    return result


def exact_score(q: Exact, k: Exact, query_turn: Exact, key_turn: Exact) -> Fraction:
    """The score of one plane: Re conj(q turned) (k turned)."""
    left, right = times(q, query_turn), times(k, key_turn)
    return left[0] * right[0] + left[1] * right[1]


def hierarchical(p: int, width: int) -> tuple[int, int]:
    """Unit and place inside the unit."""
    return divmod(p, width)


def layout_kernel(frequencies: Array, offsets: Array) -> Array:
    """Sum over the planes of cos<omega_c, D>; shapes `(m, n)`, `(..., n)` and `(...)`."""
    return np.cos(offsets @ frequencies.T).sum(axis=-1)


def one_kernel_copies(lengths: Sequence[int], reach: Callable[[int], int] = int) -> bool:
    """Whether some kernel of the offset is largest at L for every query L .. 2 L - 1, by 1.

    A linear programme over the kernel's values at the offsets 0 .. 2 max(L) - 1, which lie in
    [-1000, 1000]; offsets 0 .. query are seen, and `reach` is what a control changes.
    """
    from scipy.optimize import linprog

    size = 2 * max(lengths)
    rows = []
    for length in lengths:
        for query in range(length, 2 * length):
            for seen in range(min(reach(query) + 1, size)):
                if seen != length:
                    row = np.zeros(size)
                    row[seen], row[length] = 1, -1
                    rows.append(row)
    found = linprog(np.zeros(size), np.array(rows), -np.ones(len(rows)), bounds=(-1000, 1000))
    if found.status not in (0, 2):
        raise RuntimeError(f"the linear programme ended with status {found.status}")
    return bool(found.status == 0)


@dataclass(frozen=True)
class Layouts:
    """The layouts of `journey.special_cases`; a control replaces one."""

    flat_frequencies: Callable[[Exact, int], tuple[Exact, Exact]] = lambda z, width: (
        raised(z, width),
        z,
    )
    relative: Callable[[int, int], int] = lambda i, j: j - i
    hierarchical: Callable[[int, int], tuple[int, int]] = hierarchical
    column_of: Callable[[int, int], int] = lambda row, column: column
    reach: Callable[[int], int] = int
    angle_share: int = 1


LAYOUTS = Layouts()


@control("key_to_query", relative=lambda i, j: i - j)
@checked_by(
    theory.SPECIAL_CASES,
    "recurrence",
    "property",
    Scope("100 rational planes, exact", "2000 rational planes, exact"),
    definitions=LAYOUTS,
)
def absolute_is_relative(of: Layouts, run: Run) -> Evidence:
    """Scores by addresses equal scores by offsets, in exact arithmetic."""
    from hypothesis import strategies as st

    def equal(t: Fraction, i: int, j: int, q: list[int], k: list[int]) -> bool:
        z = rational_point(t)
        query, key = (Fraction(q[0]), Fraction(q[1])), (Fraction(k[0]), Fraction(k[1]))
        still = (Fraction(1), Fraction(0))
        by_address = exact_score(query, key, raised(z, i), raised(z, j))
        return by_address == exact_score(query, key, still, raised(z, of.relative(i, j)))

    pair = st.lists(st.integers(-9, 9), min_size=2, max_size=2)
    place = st.integers(-24, 24)
    drawn = {"t": _ratios(), "i": place, "j": place, "q": pair, "k": pair}
    first = {"t": Fraction(1, 2), "i": 0, "j": 1, "q": [1, 0], "k": [0, 1]}
    return hunt(equal, drawn, run, first=first)


def _ratios() -> Any:

    return rationals(-9, 9, 9)


def _without_width(z: Exact, width: int) -> tuple[Exact, Exact]:
    return z, z


@control("width_ignored", flat_frequencies=_without_width)
@checked_by(
    theory.SPECIAL_CASES,
    "flattened",
    "property",
    Scope("100 rational planes, exact", "2000 rational planes, exact"),
    definitions=LAYOUTS,
)
def flattened_is_mixed(of: Layouts, run: Run) -> Evidence:
    """The flat index turns a plane as two axes do, in exact arithmetic."""
    from hypothesis import strategies as st

    def equal(t: Fraction, width: int, row: int, column: int) -> bool:
        z = rational_point(t)
        down, right = of.flat_frequencies(z, width)
        return raised(z, width * row + column) == times(raised(down, row), raised(right, column))

    place = st.integers(-6, 6)
    drawn = {"t": _ratios(), "width": st.integers(1, 9), "row": place, "column": place}
    first = {"t": Fraction(1, 2), "width": 7, "row": 1, "column": 0}
    return hunt(equal, drawn, run, first=first)


@control("angle_errors_forgotten", angle_share=0)
@checked_by(
    theory.SPECIAL_CASES,
    "mixed_axes",
    "float",
    Scope("2000 pairs, one to three axes, 8 planes", "20000 pairs, one to three axes, 8 planes"),
    definitions=LAYOUTS,
)
def mixed_axes_in_float64(of: Layouts, run: Run) -> Evidence:
    """|score by addresses - score by offset| <= 8 n u |q| |k| (1 + A) + g |q| |k|.

    A bounds sum_a |omega_a x_a| over the three angles.  Each is computed within n u A; two of them
    meet one, 3 n u A in all.  Three turned vectors and two sums of d = 16 terms are within
    3 (2 u + 3/2 g_2) + 2 g_16 of the exact ones, per size; second orders fit below 8 n u (1 + A).
    """
    pairs = 20_000 if run.profile == "full" else 2000
    source, worst, where = np.random.default_rng(run.seed), Fraction(0), ""
    planes = 8
    for axes in (1, 2, 3):
        w = source.uniform(-np.pi, np.pi, (planes, axes))
        x, y = (source.integers(-50, 51, (pairs, axes)).astype(np.float64) for _ in "xy")
        q, k = (source.standard_normal((pairs, 2 * planes)) for _ in "qk")
        frame = interleaved_frame(2 * planes)
        by_address = (rotated(q, x @ w.T, frame) * rotated(k, y @ w.T, frame)).sum(axis=-1)
        by_offset = (q * rotated(k, (y - x) @ w.T, frame)).sum(axis=-1)
        size = np.sqrt((q * q).sum(axis=-1) * (k * k).sum(axis=-1))
        reach = max(float((np.abs(p) @ np.abs(w).T).max()) for p in (x, y, y - x))
        rest = 3 * (2 * V + Fraction(3, 2) * _gamma(2, V)) + 2 * _gamma(2 * planes, V)
        allowed = of.angle_share * 8 * axes * V * (1 + Fraction(reach)) + rest
        error = np.abs(by_address - by_offset) / size
        at = int(error.argmax())
        if Fraction(float(error[at])) / allowed >= worst:
            worst = Fraction(float(error[at])) / allowed
            where = f"{axes} axes, x = {x[at].tolist()}, y = {y[at].tolist()}"
    return within(worst, Bound(Fraction(1), "residual / (8 n u (1 + A) + rest)"), witness=where)


@control("flat_positions", hierarchical=lambda p, width: (0, p))
@checked_by(
    theory.SPECIAL_CASES, "boundary", "float", "units of seven, all p, r < 21", definitions=LAYOUTS
)
def units_break_translation(of: Layouts, run: Run) -> Evidence:
    """Moving both positions by 1 keeps a score of two planes exactly within the units."""
    z, other = rational_point(Fraction(1, 2)), rational_point(Fraction(2, 3))
    one = (Fraction(1), Fraction(0))

    def score(p: int, r: int) -> Fraction:
        (h, l), (h2, l2) = of.hierarchical(p, 7), of.hierarchical(r, 7)  # noqa: E741
        return exact_score(one, one, raised(z, h), raised(z, h2)) + exact_score(
            one, one, raised(other, l), raised(other, l2)
        )

    wrong = 0
    for p, r in product(range(20), repeat=2):
        crosses = ((p + 1) % 7 == 0) != ((r + 1) % 7 == 0)
        wrong += (score(p, r) == score(p + 1, r + 1)) == crosses
    bound = Bound(Fraction(0), "pairs where exactly one position enters a new unit lose the score")
    return within(wrong, bound, witness="a pair keeps its score across a unit")


@control("base_of_a_hundred", base=100)
@checked_by(theory.SPECIAL_CASES, "smallest_margin", "ball", "W = 64, m = 8")
def smallest_margin_in_balls(of: Any, run: Run) -> Evidence:
    """The margin at every column offset, as balls."""
    return certify_over(theory.SPECIAL_CASES.clause("smallest_margin").statement(of), run.digits)


@control("rows_turn_too", column_of=lambda row, column: column + row)
@checked_by(
    theory.SPECIAL_CASES,
    "column_copy",
    "property",
    Scope("100 tables, rows inserted and shuffled", "2000 tables, rows inserted and shuffled"),
    definitions=LAYOUTS,
)
def rows_may_be_shuffled(of: Layouts, run: Run) -> Evidence:
    """Scores of a head driven by columns stay, to the bit, when rows move."""
    from hypothesis import strategies as st

    theta = ladder(8)
    frame = interleaved_frame(16)

    def unchanged(seed: int, rows: list[int]) -> bool:
        source = np.random.default_rng(seed)
        cells = source.standard_normal((len(rows), 5, 16))

        def scores(places: Sequence[int]) -> Array:
            turned = np.array(
                [
                    [rotated(cells[r, c], theta * of.column_of(place, c), frame) for c in range(5)]
                    for r, place in enumerate(places)
                ]
            ).reshape(-1, 16)
            return turned @ turned.T

        return np.array_equal(scores(range(len(rows))), scores(rows))

    rows = st.lists(st.integers(0, 30), min_size=2, max_size=4, unique=True)
    drawn = {"seed": st.integers(0, 2**32 - 1), "rows": rows}
    return hunt(unchanged, drawn, run, first={"seed": 0, "rows": [1, 5]})


#: Sets of lengths, and whether one kernel on one axis copies at all of them.
COPYING: tuple[tuple[tuple[int, ...], bool], ...] = (
    ((4,), True),
    ((4, 5), False),
    ((4, 7), False),
    ((4, 8), True),
    ((2, 4, 8), True),
    ((3, 5, 10), False),
)


@control("the_query_sees_less", reach=lambda query: query - 3)
@checked_by(
    theory.SPECIAL_CASES,
    "one_axis",
    "float",
    "six sets of lengths up to 10, a linear programme each",
    definitions=LAYOUTS,
)
def copying_as_linear_programmes(of: Layouts, run: Run) -> Evidence:
    """Feasible exactly when every length is at least twice the one before."""
    wrong = [lengths for lengths, can in COPYING if one_kernel_copies(lengths, of.reach) != can]
    return within(
        len(wrong),
        Bound(Fraction(0), "sets that come out the other way"),
        witness=f"lengths {wrong[0] if wrong else ()}",
    )


@control("the_query_sees_less", reach=lambda query: query - 3)
@checked_by(
    theory.SPECIAL_CASES,
    "threshold",
    "property",
    Scope("100 pairs of lengths up to 12", "2000 pairs of lengths up to 12"),
    definitions=LAYOUTS,
)
def twice_as_long_is_enough(of: Layouts, run: Run) -> Evidence:
    """Two lengths L < M admit one kernel exactly when M >= 2 L."""
    from hypothesis import strategies as st

    def decided(L: int, more: int) -> bool:
        return one_kernel_copies((L, L + more), of.reach) == (more >= L)

    drawn = {"L": st.integers(1, 6), "more": st.integers(1, 6)}
    return hunt(decided, drawn, run, first={"L": 4, "more": 3})
