"""Content addresses, relative kernels and transported values, measured.

Main definitions
----------------
unit_address         C R^l, the address of a token, exact
document_logits      all logits of a document of units under an addressing rule, exact
rotary_score         q turned to i against k turned to j
relative_kernel      sum of a_c cos(omega_c D + b_c)
toeplitz_rank        the exact rank of [kappa(j - i)] for rational rotations
window_matrix        values of the 2 m waves at consecutive places, exact
solvable             whether a kernel can be 1 at one offset and 0 at all others, exact
ladder_kernel        the only such kernel of the full anti-periodic ladder
target_weight        softmax weight of one logit among others
transport_values     o_i = A(i)^{-1} sum_j alpha_ij A(j) v_j for all i, in linear cost

Main claims
-----------
journey.content_address, journey.relative_logits, journey.linear_attention_limit,
journey.value_transport

Conventions
-----------
Exact operators are FLINT matrices of rationals; rational rotations have the cosine
(1 - t^2) / (1 + t^2) and the sine 2 t / (1 + t^2).  Frequencies are radians per position.  `U` is
2^-53.

The bounds
----------
Local rotations.  C is a rational orthogonal matrix rounded once, R^l has a phase that is off by
U omega l and entries off by U more; products have two terms in A = C R^l and d in A^T A'.  With the
Frobenius norms of C and R at most d^(1/2) every entry of A^T A' - R^(l' - l) is below
(d^(1/2) (14 + 3 omega l) + d) U.

Shifts.  Turning a vector costs U omega |i| for the phase and 5 U for its products; the dot product
of two turned vectors of length d costs d U.  Two scores differ by at most
(20 + 2 d + omega (|i| + |j| + |i + h| + |j + h|)) U |q| |k|.

Ladder.  The mean of m cosines of angles below x carries U x for the phase, two roundings of the
frequency, one of the cosine, and m - 1 additions: (3 x + m + 1) U.

Values.  Every sum has 2 d + N terms and every factor |A_i^T| |A_j| |v_j| is at most d^(1/2) |v|, so
the two routes differ by at most 2 (2 d + N + 1) d^(1/2) U max |v|.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from posproof.numerics.hunt import hunt, rationals
from posproof.numerics.journey.cocycles import U, rational_rotations
from posproof.numerics.measure import within
from posproof.theory.journey import addressing as theory
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control

if TYPE_CHECKING:
    from flint import fmpq_mat

Floats = NDArray[np.float64]
#: A unit: the key of its content and its number of tokens.
Unit = tuple[int, int]
#: (content, inverse) of the units before, of the own unit, and the local index, to an address.
Rule = Callable[[Sequence[int], int, int, int], Any]


# ---------------------------------------------------------------------- exact addresses
def tangent(t: Fraction) -> tuple[Any, Any]:
    """The rational (cosine, sine) of the angle 2 arctan t."""
    from flint import fmpq

    square = 1 + t * t
    pair = ((1 - t * t) / square, 2 * t / square)
    return fmpq(*pair[0].as_integer_ratio()), fmpq(*pair[1].as_integer_ratio())


def turn(tangents: Sequence[Fraction]) -> fmpq_mat:
    """A rational rotation of each plane, `(2 m, 2 m)`."""
    from flint import fmpq_mat

    return fmpq_mat(rational_rotations([tangent(t) for t in tangents]))


def power(rotation: fmpq_mat, exponent: int) -> fmpq_mat:
    """R^n for n >= 0."""
    from flint import fmpq_mat

    size = rotation.nrows()
    one = fmpq_mat(size, size, [int(i == j) for i in range(size) for j in range(size)])
    for _ in range(exponent):
        one = one * rotation
    return one


@lru_cache(maxsize=512)
def content(key: int, d: int = 4) -> fmpq_mat:
    """A rational orthogonal matrix that stands for a content, by Cayley's transform of the key."""
    from flint import fmpq_mat

    source = np.random.default_rng(key)
    skew = np.tril(source.integers(-3, 4, size=(d, d)), -1)
    skew = skew - skew.T
    one = np.eye(d, dtype=int)
    return fmpq_mat((one - skew).tolist()) * fmpq_mat((one + skew).tolist()).inv()


ROTATION = (Fraction(1, 2), Fraction(1, 7))


@lru_cache(maxsize=256)
def local_turn(index: int) -> fmpq_mat:
    """R^l for the rotation of all exact documents."""
    return power(turn(ROTATION), index)


def unit_address(before: Sequence[int], key: int, local: int, place: int) -> fmpq_mat:
    """C_u R^l: the content of the own unit on the left of the local rotation."""
    return content(key) * local_turn(local)


def address_on_the_right(before: Sequence[int], key: int, local: int, place: int) -> fmpq_mat:
    """R^l C_u."""
    return local_turn(local) * content(key)


def running_address(before: Sequence[int], key: int, local: int, place: int) -> fmpq_mat:
    """The contents of all units so far, then the local rotation."""
    product = local_turn(0)
    for earlier in before:
        product = product * content(earlier)
    return product * content(key) * local_turn(local)


def global_rotary(before: Sequence[int], key: int, local: int, place: int) -> fmpq_mat:
    """R^p for the place p in the document: plain rotary positions."""
    return local_turn(place)


def tokens(document: Sequence[Unit], rule: Rule) -> dict[tuple[int, int], Any]:
    """The address of every token, by (content key, local index)."""
    found: dict[tuple[int, int], Any] = {}
    place = 0
    before: list[int] = []
    for key, length in document:
        for local in range(length):
            found[key, local] = rule(before, key, local, place)
            place += 1
        before.append(key)
    return found


@lru_cache(maxsize=2048)
def vector(key: int, local: int, role: int) -> fmpq_mat:
    """The fixed query (role 0) or key (role 1) of a token, a column of small integers."""
    from flint import fmpq_mat

    numbers = np.random.default_rng((key, local, role)).integers(-4, 5, size=4)
    return fmpq_mat([[int(x)] for x in numbers])


def document_logits(document: Sequence[Unit], rule: Rule) -> dict[Any, Any]:
    """q^T A(i)^{-1} A(j) k for all pairs of tokens, by their names, exact."""
    addresses = tokens(document, rule)
    rows = {name: vector(*name, 0).transpose() * frame.inv() for name, frame in addresses.items()}
    columns = {name: frame * vector(*name, 1) for name, frame in addresses.items()}
    return {(i, j): (rows[i] * columns[j])[0, 0] for i in rows for j in columns}


def changed_logits(first: Sequence[Unit], second: Sequence[Unit], rule: Rule) -> list[Any]:
    """The pairs of tokens of the first document whose logit the second one alters."""
    before, after = document_logits(first, rule), document_logits(second, rule)
    return [pair for pair, value in before.items() if after[pair] != value]


def local_logits_agree(document: Sequence[Unit], rule: Rule) -> bool:
    """Whether logits inside every unit are those of rotary positions of the local index."""
    logits = document_logits(document, rule)
    rotary = document_logits(document, lambda before, key, local, place: local_turn(local))
    return all(logits[i, j] == rotary[i, j] for i, j in logits if i[0] == j[0])


@dataclass(frozen=True)
class Rules:
    """The numerical definitions of this topic; a control replaces one of them."""

    address: Rule = unit_address
    score: Callable[..., float] = lambda q, k, i, j, omega: rotary_score(q, k, i, j, omega)
    frequencies: Callable[[Sequence[Fraction]], Sequence[Fraction]] = lambda tangents: tangents
    ladder: Callable[[int], Floats] = lambda L: np.pi * (2 * np.arange(L // 2) + 1) / L
    collected: Callable[..., Floats] = lambda frames, weights, values: transport_values(
        frames, weights, values
    )
    orthogonal: Callable[[Floats], Floats] = lambda frames: np.linalg.qr(frames)[0]


RULES = Rules()
DOCUMENT: tuple[Unit, ...] = ((1, 3), (2, 4), (3, 2))


# ---------------------------------------------------------------------- journey.content_address
def _documents() -> Any:
    from hypothesis import strategies as st

    unit = st.tuples(st.integers(1, 50), st.integers(1, 3))
    return st.lists(unit, min_size=2, max_size=3, unique_by=lambda u: u[0])


@control("running_state", address=running_address)
@control("global_rotary", address=global_rotary)
@checked_by(
    theory.CONTENT_ADDRESS,
    "insertion",
    "property",
    Scope("100 documents of 2 or 3 units, one unit inserted, units permuted", "2000 documents"),
    definitions=RULES,
)
def logits_do_not_depend_on_other_units(of: Rules, run: Run) -> Evidence:
    """Every logit of the first document is found again, exactly."""
    from hypothesis import strategies as st

    def predicate(document: list[Unit], new: Unit, at: int, order: int) -> bool:
        moved = [document[(order + k) % len(document)] for k in range(len(document))]
        moved.insert(at, new)
        return not changed_logits(document, moved, of.address)

    axes = {
        "document": _documents(),
        "new": st.tuples(st.integers(51, 99), st.integers(1, 2)),
        "at": st.integers(0, 2),
        "order": st.integers(0, 2),
    }
    first = {"document": [(1, 2), (2, 2)], "new": (51, 1), "at": 0, "order": 1}
    return hunt(predicate, axes, run, first=first)


@control("content_on_the_right", address=address_on_the_right)
@checked_by(
    theory.CONTENT_ADDRESS,
    "local_rope",
    "property",
    Scope("100 documents of 2 or 3 units", "2000 documents"),
    definitions=RULES,
)
def units_keep_their_rotary_positions(of: Rules, run: Run) -> Evidence:
    """Logits inside a unit are those of the local index, exactly."""

    def predicate(document: list[Unit]) -> bool:
        return local_logits_agree(document, of.address)

    return hunt(predicate, {"document": _documents()}, run, first={"document": [(1, 2), (2, 3)]})


def _rounded(matrix: fmpq_mat) -> Floats:
    return np.array([[int(x.p) / int(x.q) for x in row] for row in matrix.table()])


def block_rotation(angles: Floats) -> Floats:
    """The rotation of all planes by angles in radians `(m,)`, shape `(2 m, 2 m)`."""
    m = len(angles)
    result = np.zeros((2 * m, 2 * m))
    even, odd = 2 * np.arange(m), 2 * np.arange(m) + 1
    result[even, even] = result[odd, odd] = np.cos(angles)
    result[odd, even] = np.sin(angles)
    result[even, odd] = -result[odd, even]
    return result


def _left(C: Floats, R: Floats) -> Floats:
    product: Floats = C @ R
    return product


@control("content_on_the_right", placed=lambda C, R: R @ C)
@checked_by(
    theory.CONTENT_ADDRESS,
    "local_rope",
    "float",
    Scope("10 contents, d = 4..16, local index < 64", "100 contents, d = 4..16, local index < 64"),
    definitions=theory.CONTENT_ADDRESS.definitions,
)
def local_rotations_in_floats(of: theory.Addressing, run: Run) -> Evidence:
    """A(u, l)^T A(u, l') against R^(l' - l), entry by entry."""
    evidence = Evidence("undecided")
    for key in range(100 if run.profile == "full" else 10):
        m = 2 + key % 7
        omega = 10000.0 ** (-np.arange(m) / m)
        C = _rounded(content(key, 2 * m))
        locals_ = (0, 1, 7, 63)
        frames = [of.placed(_Block(C), _Block(block_rotation(omega * at))).array for at in locals_]
        residual = max(
            float(np.abs(a.T @ b - block_rotation(omega * (l2 - l1))).max())
            for l1, a in zip(locals_, frames, strict=True)
            for l2, b in zip(locals_, frames, strict=True)
        )
        root = Fraction(math.isqrt(2 * m) + 1)
        bound = (root * (14 + 3 * 63) + 2 * m) * U
        evidence = within(residual, Bound(bound, "(d^(1/2) (14 + 3 omega l) + d) u", {"d": 2 * m}))
        if evidence.outcome != "holds":
            break
    return evidence


@dataclass(frozen=True)
class _Block:
    """A float matrix whose `*` is the matrix product, as for the operators of the theory."""

    array: Floats

    def __mul__(self, other: _Block) -> _Block:
        return _Block(self.array @ other.array)

    def __matmul__(self, other: _Block) -> _Block:
        return self * other


# ---------------------------------------------------------------------- journey.relative_logits
def rotated(x: Floats, angles: Floats) -> Floats:
    """Each plane (x_2c, x_2c+1) of a vector `(2 m,)` turned by its angle in radians."""
    cosine, sine = np.cos(angles), np.sin(angles)
    result = np.empty_like(x)
    result[0::2] = cosine * x[0::2] - sine * x[1::2]
    result[1::2] = sine * x[0::2] + cosine * x[1::2]
    return result


def rotary_score(q: Floats, k: Floats, i: int, j: int, omega: Floats) -> float:
    """q turned to position i against k turned to position j."""
    return float(rotated(q, omega * i) @ rotated(k, omega * j))


def clipped_score(q: Floats, k: Floats, i: int, j: int, omega: Floats) -> float:
    """Positions above 300 are treated as 300."""
    return rotary_score(q, k, min(i, 300), min(j, 300), omega)


def table_score(q: Floats, k: Floats, i: int, j: int, omega: Floats) -> float:
    """A learned table: every absolute position adds a vector of its own."""
    table = np.random.default_rng(0).normal(size=(64, len(q)))
    return float((q + table[i % 64]) @ (k + table[j % 61]))


@control("clipped_positions", score=clipped_score)
@control("learned_absolute_table", score=table_score)
@checked_by(
    theory.RELATIVE_LOGITS,
    "equivariant",
    "property",
    Scope("100 heads, i, j < 1000, |h| <= 10^4", "2000 heads, i, j < 1000, |h| <= 10^4"),
    definitions=RULES,
)
def shifts_change_only_the_rounding(of: Rules, run: Run) -> Evidence:
    """S(i + h, j + h) - S(i, j) against the bound of the phases."""
    from hypothesis import strategies as st

    def predicate(omega: list[float], i: int, j: int, h: int, seed: int) -> bool:
        frequencies = np.array(omega)
        d = 2 * len(omega)
        q, k = np.random.default_rng(seed).normal(size=(2, d))
        moved = of.score(q, k, i + h, j + h, frequencies) - of.score(q, k, i, j, frequencies)
        reach = frequencies.max() * (abs(i) + abs(j) + abs(i + h) + abs(j + h))
        bound = (20 + 2 * d + reach) * float(U) * np.linalg.norm(q) * np.linalg.norm(k)
        return bool(abs(moved) <= bound)

    axes = {
        "omega": st.lists(st.floats(0, math.pi), min_size=1, max_size=4),
        "i": st.integers(0, 999),
        "j": st.integers(0, 999),
        "h": st.integers(-(10**4), 10**4),
        "seed": st.integers(0, 99),
    }
    return hunt(predicate, axes, run, first={"omega": [1.0], "i": 290, "j": 5, "h": 20, "seed": 1})


def relative_kernel(amplitudes: Floats, omega: Floats, phases: Floats, D: Any) -> Floats:
    """The sum of a_c cos(omega_c D + b_c) over planes `(m,)`, at offsets of any shape."""
    angles = np.asarray(D)[..., None] * omega + phases
    values: Floats = (amplitudes * np.cos(angles)).sum(axis=-1)
    return values


def target_weight(logit: float, others: Floats) -> float:
    """The softmax weight of one logit among others, without overflow."""
    return 1.0 / (1.0 + float(np.exp(others - logit).sum()))


def waves(tangents: Sequence[Fraction], first: int, last: int) -> list[list[Any]]:
    """cos(omega_c t) and sin(omega_c t) at t = first .. last - 1, one row a place, exact."""
    from flint import fmpq

    pairs = [tangent(x) for x in tangents]
    values = [(fmpq(1), fmpq(0)) for _ in pairs]
    rows = []
    for _ in range(last):
        rows.append([part for value in values for part in value])
        values = [
            (real * c - imaginary * s, real * s + imaginary * c)
            for (real, imaginary), (c, s) in zip(values, pairs, strict=True)
        ]
    return rows[first:]


def toeplitz_rank(tangents: Sequence[Fraction], L: int, phases: Sequence[Fraction] = ()) -> int:
    """The rank over Q of [kappa(j - i)], size L, unit amplitudes, phases from their tangents."""
    from flint import fmpq, fmpq_mat

    values = waves(tangents, 0, L)
    shifts = [tangent(x) for x in phases] or [(fmpq(1), fmpq(0))] * len(tangents)

    def kernel(D: int) -> Any:
        total = fmpq(0)
        for c, (real, imaginary) in enumerate(shifts):
            cosine, sine = values[abs(D)][2 * c], values[abs(D)][2 * c + 1]
            total += cosine * real - (sine if D >= 0 else -sine) * imaginary
        return total

    return fmpq_mat([[kernel(j - i) for j in range(L)] for i in range(L)]).rank()


def usual_tangents(m: int) -> list[Fraction]:
    """1/2, 1/3, ...: m distinct frequencies."""
    return [Fraction(1, c + 2) for c in range(m)]


def first_repeated(tangents: Sequence[Fraction]) -> list[Fraction]:
    return [tangents[0], tangents[0], *tangents[2:]]


@control("repeated_frequency", frequencies=first_repeated)
@checked_by(
    theory.RELATIVE_LOGITS,
    "rank_four",
    "ball",
    "m = 1..4, L = 2m - 1, 2m, 2m + 1, 2m + 6, exact ranks over Q",
    definitions=RULES,
    engine="python-flint",
)
def kernels_have_rank_two_a_plane(of: Rules, run: Run) -> Evidence:
    """2 m - 1, then 2 m for every length."""
    for m in range(1, 5):
        tangents = of.frequencies(usual_tangents(m)) if m > 1 else usual_tangents(m)
        lengths = (2 * m - 1, 2 * m, 2 * m + 1, 2 * m + 6)
        ranks = [toeplitz_rank(tangents, L) for L in lengths]
        if ranks != [2 * m - 1, 2 * m, 2 * m, 2 * m]:
            return Evidence("refuted", witness=f"m = {m}: ranks {ranks} for lengths {lengths}")
    return Evidence("holds", note="ranks are integers and equal")


# ------------------------------------------------------------- journey.linear_attention_limit
def window_matrix(tangents: Sequence[Fraction], first: int) -> fmpq_mat:
    """The 2 m waves at 2 m consecutive places, `(2 m, 2 m)`, exact."""
    from flint import fmpq_mat

    return fmpq_mat(waves(tangents, first, first + 2 * len(tangents)))


def solvable(tangents: Sequence[Fraction], L: int, D: int) -> bool:
    """Whether some kernel of these planes is 1 at D and 0 at the other offsets below L, exact."""
    from flint import fmpq, fmpq_mat

    rows = waves(tangents, 0, L)
    wanted = [[*row, fmpq(int(t == D))] for t, row in enumerate(rows)]
    return bool(fmpq_mat(rows).rank() == fmpq_mat(wanted).rank())


@control("repeated_frequency", frequencies=first_repeated)
@checked_by(
    theory.LINEAR_ATTENTION_LIMIT,
    "no_zeros_four",
    "ball",
    "m = 1..4, ten windows each, exact determinants",
    definitions=RULES,
    engine="python-flint",
)
def windows_are_invertible(of: Rules, run: Run) -> Evidence:
    """No determinant vanishes."""
    for m in range(1, 5):
        tangents = of.frequencies(usual_tangents(m)) if m > 1 else usual_tangents(m)
        for first in range(10):
            if window_matrix(tangents, first).det() == 0:
                return Evidence("refuted", witness=f"m = {m}: the window at {first} is singular")
    return Evidence("holds", note="exact determinants, none of them 0")


@control("repeated_frequency", frequencies=first_repeated)
@checked_by(
    theory.LINEAR_ATTENTION_LIMIT,
    "no_zeros_three",
    "property",
    Scope("100 triples of rational frequencies, starts below 12", "2000 such triples"),
    definitions=RULES,
)
def random_windows_are_invertible(of: Rules, run: Run) -> Evidence:
    """Distinct positive tangents at any start, exact determinants."""
    from hypothesis import strategies as st

    def predicate(tangents: list[Fraction], first: int) -> bool:
        return bool(window_matrix(of.frequencies(tangents), first).det() != 0)

    fraction = rationals(Fraction(1, 9), 9, 9)
    axes = {
        "tangents": st.lists(fraction, min_size=3, max_size=3, unique=True),
        "first": st.integers(0, 11),
    }
    return hunt(predicate, axes, run, first={"tangents": usual_tangents(3), "first": 0})


@control("repeated_frequency", frequencies=first_repeated)
@checked_by(
    theory.LINEAR_ATTENTION_LIMIT,
    "no_peak_three",
    "ball",
    "m = 1, 2, 3, D = 0, 1, L = 2m - 1 .. 2m + 2, exact ranks over Q",
    definitions=RULES,
    engine="python-flint",
)
def retrieval_is_solvable_up_to_two_a_plane(of: Rules, run: Run) -> Evidence:
    """Solvable for L <= 2 m, and not for longer windows."""
    for m in (1, 2, 3):
        tangents = of.frequencies(usual_tangents(m)) if m > 1 else usual_tangents(m)
        for D in (0, 1):
            for L in range(max(2 * m - 1, D + 1), 2 * m + 3):
                if solvable(tangents, L, D) != (2 * m >= L):
                    return Evidence("refuted", witness=f"m = {m}, D = {D}, L = {L}")
    return Evidence("holds", note="ranks are integers")


def ladder_kernel(frequencies: Floats, D: int, offsets: Any) -> Floats:
    """The mean of cos(omega_c (Delta - D)): 1 at D and 0 at all other offsets below L."""
    angles = (np.asarray(offsets) - D)[..., None] * frequencies
    values: Floats = np.cos(angles).mean(axis=-1)
    return values


@control("periodic_ladder", ladder=lambda L: 2 * np.pi * np.arange(L // 2) / L)
@checked_by(
    theory.LINEAR_ATTENTION_LIMIT,
    "aliasing",
    "float",
    Scope("L = 8, 64, D < 8, three windows", "L = 8, 64, 512, D < 8, three windows"),
    definitions=RULES,
)
def ladder_kernel_comes_back(of: Rules, run: Run) -> Evidence:
    """1, -1, 1 at D, D + L, D + 2 L and 0 elsewhere."""
    evidence = Evidence("undecided")
    for L in (8, 64, 512) if run.profile == "full" else (8, 64):
        offsets = np.arange(3 * L)
        residual = 0.0
        for D in range(8):
            wanted = np.zeros(3 * L)
            wanted[[D, D + L, D + 2 * L]] = (1, -1, 1)
            found = ladder_kernel(of.ladder(L), D, offsets)
            residual = max(residual, float(np.abs(found - wanted).max()))
        bound = (3 * Fraction(22, 7) * 3 * L + L // 2 + 1) * U
        evidence = within(residual, Bound(bound, "(3 x + m + 1) u, x = 3 pi L", {"L": L}))
        if evidence.outcome != "holds":
            break
    return evidence


# ---------------------------------------------------------------------- journey.value_transport
def transport_values(frames: Floats, weights: Floats, values: Floats) -> Floats:
    """o_i = A(i)^T sum_j alpha_ij A(j) v_j for orthogonal frames, `(n, d)`, linear in n.

    `frames` is `(n, d, d)`, `weights` `(n, n)` with rows that sum to 1, `values` `(n, d)`.
    """
    moved = np.einsum("jab,jb->ja", frames, values)
    outputs: Floats = np.einsum("iba,ib->ia", frames, weights @ moved)
    return outputs


def global_values(frames: Floats, weights: Floats, values: Floats) -> Floats:
    """The same without the last step back: outputs in the global frame, which a gauge alters."""
    outputs: Floats = weights @ np.einsum("jab,jb->ja", frames, values)
    return outputs


def transported_one_by_one(frames: Floats, weights: Floats, values: Floats) -> Floats:
    """sum_j alpha_ij P_ij v_j with P_ij = A(i)^T A(j), quadratic in n."""
    pairs = np.einsum("iba,jbc->ijac", frames, frames)
    outputs: Floats = np.einsum("ij,ijac,jc->ia", weights, pairs, values)
    return outputs


def values_bound(n: int, d: int, values: Floats) -> Bound:
    """2 (2 d + n + 1) d^(1/2) U max |v|."""
    size = Fraction(float(np.linalg.norm(values, axis=1).max()))
    root = Fraction(math.isqrt(d) + 1)
    return Bound(2 * (2 * d + n + 1) * root * U * size, "2 (2 d + n + 1) d^(1/2) u max |v|")


@control("last_step_dropped", collected=global_values)
@checked_by(
    theory.VALUE_TRANSPORT,
    "factorises",
    "float",
    Scope("20 random heads, d = 4, n = 6", "400 random heads, d = 4, n = 6"),
    definitions=RULES,
)
def one_sum_is_enough(of: Rules, run: Run) -> Evidence:
    """The linear route against the quadratic one."""
    source = np.random.default_rng(run.seed)
    evidence = Evidence("undecided")
    for _ in range(400 if run.profile == "full" else 20):
        frames = np.linalg.qr(source.normal(size=(6, 4, 4)))[0]
        weights = source.dirichlet(np.ones(6), size=6)
        values = source.normal(size=(6, 4))
        gap = of.collected(frames, weights, values) - transported_one_by_one(
            frames, weights, values
        )
        evidence = within(float(np.abs(gap).max()), values_bound(6, 4, values))
        if evidence.outcome != "holds":
            break
    return evidence


@control("last_step_dropped", collected=global_values)
@checked_by(
    theory.VALUE_TRANSPORT,
    "gauge_invariant",
    "property",
    Scope("100 random heads and gauges", "2000 random heads and gauges"),
    definitions=RULES,
)
def gauge_changes_nothing(of: Rules, run: Run) -> Evidence:
    """A -> G A with G a random rotation of four dimensions."""
    from hypothesis import strategies as st

    def predicate(seed: int) -> bool:
        source = np.random.default_rng(seed)
        frames = np.linalg.qr(source.normal(size=(6, 4, 4)))[0]
        gauge = np.linalg.qr(source.normal(size=(4, 4)))[0]
        weights = source.dirichlet(np.ones(6), size=6)
        values = source.normal(size=(6, 4))
        moved = of.collected(gauge @ frames, weights, values)
        gap = np.abs(moved - of.collected(frames, weights, values)).max()
        # G^T G is the identity up to 2 d^2 u, and G A has d roundings more
        return bool(gap <= 4 * float(values_bound(6, 4, values).value))

    return hunt(predicate, {"seed": st.integers(0, 10**6)}, run, first={"seed": 0})


@control("frames_that_stretch", orthogonal=lambda frames: frames)
@checked_by(
    theory.VALUE_TRANSPORT,
    "bounded",
    "property",
    Scope("100 random heads", "2000 random heads"),
    definitions=RULES,
)
def outputs_are_no_longer_than_values(of: Rules, run: Run) -> Evidence:
    """|o_i| <= max |v_j| for orthogonal frames and weights that sum to 1."""
    from hypothesis import strategies as st

    def predicate(seed: int) -> bool:
        source = np.random.default_rng(seed)
        frames = of.orthogonal(source.normal(size=(6, 4, 4)))
        weights = source.dirichlet(np.full(6, 0.2), size=6)
        values = source.normal(size=(6, 4))
        lengths = np.linalg.norm(transport_values(frames, weights, values), axis=1)
        longest = np.linalg.norm(values, axis=1).max()
        return bool(lengths.max() <= longest + 2 * float(values_bound(6, 4, values).value))

    return hunt(predicate, {"seed": st.integers(0, 10**6)}, run, first={"seed": 0})
