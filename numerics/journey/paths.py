"""Ordered products along lattice paths, closed squares and areas, for arrays of operators.

Main definitions
----------------
journeys            products of fixed operators along many words at once
field_journeys      products of operators stored on the edges of a box, along many words
plaquettes          what is left around every square of a plane of such a field
gauge_field         the flat field g(x + e_a) g(x)^-1 of a potential g
cells_between       the cells between two staircase paths, with sign
curvatures          angles around all cells of an angle field; staircase_angle along one path
words, inversions   all words of given letter counts, and pairs of letters in different order
square_distances    least numbers of squares from one word to all others

Main claims
-----------
journey.commutation, journey.path_count, journey.flatness, journey.content_dependence,
journey.stokes

Conventions
-----------
As in `posproof.theory.journey.paths`: columns, the latest step leftmost, a step out of x uses the
operator stored at x.  Letters are axis numbers 0 .. n - 1; a word is a row of letters.  A field on
a box with sides N_0 .. N_{n-1} is one array of shape `(n, N_0 + 1, ..., N_{n-1} + 1, d, d)`; the
entries of edges that leave the box are never read.  Angles are in radians; u = 2^-53.

Rounding
--------
g_d = d u / (1 - d u).  A product of two d x d matrices is off by at most g_d |A|_F |B|_F in the
Frobenius norm, which is d g_d for orthogonal factors.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from posproof.numerics.balls import certify, points, precision
from posproof.numerics.formats import FORMATS
from posproof.numerics.hunt import hunt
from posproof.numerics.measure import within
from posproof.theory.journey import paths as theory
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control

if TYPE_CHECKING:
    from flint import arb_mat, fmpq

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
Word = tuple[int, ...]

U = FORMATS["float64"].unit_roundoff


# ---------------------------------------------------------------------- products along words
def journeys(steps: Array, words: Integers) -> Array:
    """J(w) for each row of `words`, shape `(m, L)`, from fixed operators `(n, d, d)`.

    Returns shape `(m, d, d)`; the identity where L = 0.  Raises IndexError for a letter without an
    operator.
    """
    steps, words = np.asarray(steps), np.atleast_2d(words)
    ends = np.broadcast_to(np.eye(steps.shape[-1]), (len(words), *steps.shape[1:])).copy()
    for letters in words.T:
        ends = steps[letters] @ ends
    return ends


def field_journeys(field: Array, words: Integers, start: Sequence[int] = ()) -> Array:
    """J(w; start) for each row of `words`, shape `(m, L)`, through a field on a box.

    `start` defaults to the origin.  Returns shape `(m, d, d)`.  Raises IndexError when a path
    leaves the box.
    """
    words = np.atleast_2d(words)
    axes, *corners = field.shape[:-2]
    places = np.tile(np.array(start or (0,) * axes, dtype=np.int64), (len(words), 1))
    rows = np.arange(len(words))
    ends = np.broadcast_to(np.eye(field.shape[-1]), (len(words), *field.shape[-2:])).copy()
    for letters in words.T:
        ends = field[(letters, *places.T)] @ ends
        places[rows, letters] += 1
        if (places >= corners).any():
            raise IndexError("a path leaves the box")
    return ends


def plaquettes(field: Array, a: int, b: int) -> Array:
    """F_ab(x) = T_b(x + e_a) T_a(x) - T_a(x + e_b) T_b(x) for every square of the plane a, b.

    Returns an array over the corners x of the squares: the sides a and b are one shorter than the
    box has corners, the other axes are whole; then `(d, d)`.
    """
    here, beyond_a, beyond_b = (_corners(field.ndim - 3, a, b, to) for to in (None, a, b))
    first = field[b][beyond_a] @ field[a][here]
    return first - field[a][beyond_b] @ field[b][here]


def _corners(axes: int, a: int, b: int, moved: int | None) -> tuple[slice, ...]:
    """The corners x of all squares in the plane a, b, moved one step along an axis."""
    whole, low, high = slice(None), slice(0, -1), slice(1, None)
    return tuple(
        (high if axis == moved else low) if axis in (a, b) else whole for axis in range(axes)
    )


def gauge_field(g: Array) -> Array:
    """T_a(x) = g(x + e_a) g(x)^-1 for orthogonal g, shape `(N_0 + 1, ..., d, d)`.

    Entries of edges that leave the box are 0.  Returns shape `(n, N_0 + 1, ..., d, d)`.
    """
    axes = g.ndim - 2
    back = np.swapaxes(g, -1, -2)
    field = np.zeros((axes, *g.shape))
    for a in range(axes):
        low = tuple(slice(0, -1) if axis == a else slice(None) for axis in range(axes))
        high = tuple(slice(1, None) if axis == a else slice(None) for axis in range(axes))
        field[a][low] = g[high] @ back[low]
    return field


def random_rotations(source: np.random.Generator, shape: tuple[int, ...], d: int) -> Array:
    """Orthogonal matrices with independent Haar distribution, shape `(*shape, d, d)`."""
    q, r = np.linalg.qr(source.standard_normal((*shape, d, d)))
    return q * np.sign(np.einsum("...ii->...i", r))[..., None, :]


def near_rotations(
    source: np.random.Generator, shape: tuple[int, ...], d: int, size: float
) -> Array:
    """Cayley rotations (I - K)^-1 (I + K), K = size (A - A^T) with Gaussian A, `(*shape, d, d)`."""
    gaussian = size * source.standard_normal((*shape, d, d))
    skew = gaussian - np.swapaxes(gaussian, -1, -2)
    return np.linalg.solve(np.eye(d) - skew, np.eye(d) + skew)


# ---------------------------------------------------------------------- counting words
def words(counts: Sequence[int]) -> Integers:
    """All words with `counts[a]` letters a, in lexicographic order, shape `(m, L)`.

    The number of words is the multinomial coefficient: keep the counts small.
    """
    length = sum(counts)
    found = np.zeros((1, length), dtype=np.int64) - 1
    for letter, count in enumerate(counts):
        grown = []
        for row in found:
            free = np.flatnonzero(row < 0)
            for places in combinations(free.tolist(), count):
                word = row.copy()
                word[list(places)] = letter
                grown.append(word)
        found = np.array(grown, dtype=np.int64).reshape(len(grown), length)
    return found[np.lexsort(found.T[::-1])] if length else found


def multinomial(counts: Sequence[int]) -> int:
    """(sum of the counts)! / product of their factorials."""
    return math.factorial(sum(counts)) // math.prod(map(math.factorial, counts))


def inversions(word: Sequence[int], other: Sequence[int]) -> int:
    """Pairs of letters that the two words have in different order; equal letters keep theirs."""
    places: dict[int, list[int]] = {}
    for place, letter in enumerate(other):
        places.setdefault(letter, []).append(place)
    order = [places[letter].pop(0) for letter in word]
    return sum(x > y for x, y in combinations(order, 2))


def adjacent_swaps(word: Word) -> Iterator[Word]:
    """The words one square away."""
    for k in range(len(word) - 1):
        if word[k] != word[k + 1]:
            yield (*word[:k], word[k + 1], word[k], *word[k + 2 :])


def distant_swaps(word: Word) -> Iterator[Word]:
    """What is not one square: any two different letters exchanged."""
    for j, k in combinations(range(len(word)), 2):
        if word[j] != word[k]:
            swapped = list(word)
            swapped[j], swapped[k] = word[k], word[j]
            yield tuple(swapped)


def square_distances(
    word: Word, neighbours: Callable[[Word], Iterator[Word]] = adjacent_swaps
) -> dict[Word, int]:
    """The least number of moves from a word to each word that can be reached."""
    found, todo = {word: 0}, deque([word])
    while todo:
        here = todo.popleft()
        for there in neighbours(here):
            if there not in found:
                found[there] = found[here] + 1
                todo.append(there)
    return found


# ---------------------------------------------------------------------- areas
def heights(word: Sequence[int]) -> Integers:
    """The height at which a staircase path (0 along, 1 up) crosses each column."""
    up = np.cumsum(np.asarray(word) == 1)
    return up[np.asarray(word) == 0]


def cells_between(low: Sequence[int], high: Sequence[int]) -> Integers:
    """The cells (column, row) from one path up to another of the same content, with sign.

    Returns an integer array `(columns, rows)`: 1 where `low` runs below `high`, -1 where above.
    """
    rows = np.arange(int(np.count_nonzero(np.asarray(low) == 1)))
    below, above = (rows[None, :] < heights(word)[:, None] for word in (low, high))
    return above.astype(np.int64) - below.astype(np.int64)


def curvatures(theta1: NDArray[Any], theta2: NDArray[Any]) -> NDArray[Any]:
    """theta_1(x) + theta_2(x + e_1) - theta_1(x + e_2) - theta_2(x) for all cells.

    theta_1 has shape `(p, q + 1)`, theta_2 has shape `(p + 1, q)`; returns shape `(p, q)`.
    """
    return theta1[:, :-1] + theta2[1:, :] - theta1[:, 1:] - theta2[:-1, :]


def staircase_angle(theta1: NDArray[Any], theta2: NDArray[Any], word: Sequence[int]) -> Any:
    """The sum of the angles along a staircase path from the origin."""
    i = t = 0
    angle = theta1.dtype.type(0)
    for letter in word:
        if letter == 0:
            angle, i = angle + theta1[i, t], i + 1
        else:
            angle, t = angle + theta2[i, t], t + 1
    return angle


def spectral_norms(matrices: Array) -> Array:
    """Largest singular values, shape `(...)`."""
    return np.linalg.norm(matrices, 2, axis=(-2, -1))


# ---------------------------------------------------------------------- bounds
def gamma(d: int) -> Fraction:
    """g_d, the relative error of a scalar product of d terms."""
    return d * U / (1 - d * U)


def reordering_bound(length: int) -> Bound:
    """Entries of two products of the same `length` commuting plane rotations, in two orders.

    The stored blocks c + i s commute exactly, so only rounding tells the orders apart.  A complex
    product has components of two rounded products and one rounded sum: it is off by at most
    2 sqrt(2) u (1 + u) of its modulus, and a stored factor has modulus at most 1 + 2 u.  Two
    products of L factors differ by less than 2 * 2.9 u L (1 + 5 u)^L < 8 u (L + 1) for L < 10^12.
    """
    return Bound(8 * U * (length + 1), "8 u (L + 1)", {"L": length, "u": "2^-53"})


def flat_bound(length: int, d: int, defect: Fraction) -> Bound:
    """Two paths of `length` steps through a float gauge field of nearly orthogonal potentials.

    `defect` bounds the spectral norm of g^T g - I over the box.  A stored step g(y) g(x)^T is
    rounded (d g_d), its product with the path so far is rounded (d g_d), and the g(x)^T g(x) in
    between is off by the defect: L (2 d g_d + defect) a path to first order, twice that for two;
    the factor 101/100 covers what is of higher order while L (2 d g_d + defect) < 1/250.
    """
    step = 2 * d * gamma(d) + defect
    if length * step >= Fraction(1, 250):
        raise ValueError("length: too long for a first-order bound")
    value = 2 * length * step * Fraction(101, 100)
    formula = "2.02 L (2 d g_d + |g^T g - I|)"
    return Bound(value, formula, {"L": length, "d": d, "defect": float(defect)})


def above(size: float) -> Fraction:
    """A float64 norm of a small matrix, rounded up past the error of computing it.

    LAPACK's singular values and the products before them are off by less than 64 u of the
    largest one for d <= 8, which the factor 1 + 2^-40 exceeds.
    """
    return Fraction(size) * (1 + Fraction(1, 2**40)) + Fraction(1, 2**60)


def rotation_block(cosine: Any, sine: Any) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """The rows of one plane rotation, in any number type."""
    return (cosine, -sine), (sine, cosine)


def reflection_block(cosine: Any, sine: Any) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """The rows of a reflection: two of them do not commute."""
    return (cosine, sine), (sine, -cosine)


def block_rotations(angles: Array, block: Callable[[Any, Any], Any] = rotation_block) -> Array:
    """Direct sums of 2 x 2 blocks: angles `(..., m)` to matrices `(..., 2 m, 2 m)`."""
    angles = np.asarray(angles, dtype=np.float64)
    planes = angles.shape[-1]
    result = np.zeros((*angles.shape[:-1], 2 * planes, 2 * planes))
    even = np.arange(0, 2 * planes, 2)
    rows = block(np.cos(angles), np.sin(angles))
    for r, row in enumerate(rows):
        for c, entry in enumerate(row):
            result[..., even + r, even + c] = entry
    return result


@dataclass(frozen=True)
class Walks:
    """The numerical definitions of this topic; a control replaces one of them."""

    block: Callable[[Any, Any], Any] = rotation_block
    plaquettes: Callable[[Array, int, int], Array] = plaquettes
    neighbours: Callable[[Word], Iterator[Word]] = adjacent_swaps
    multinomial: Callable[[Sequence[int]], int] = multinomial
    curvatures: Callable[[NDArray[Any], NDArray[Any]], NDArray[Any]] = curvatures
    chord: Callable[[float], float] = lambda turn: 2 * math.sin(turn / 2)
    field: Callable[[np.random.Generator, int, int, float], Array] = lambda source, p, q, size: (
        near_rotations(source, (2, p + 1, q + 1), 3, size)
    )
    disturb: float = 0.0
    share: Fraction = Fraction(1)


WALKS = Walks()


# ---------------------------------------------------------------------- journey.commutation
def shuffled(source: np.random.Generator, axes: int, length: int) -> Integers:
    """A random word and a rearrangement of it, shape `(2, length)`."""
    word = source.integers(0, axes, length)
    return np.stack([word, source.permutation(word)])


@control("reflections", block=reflection_block)
@checked_by(
    theory.COMMUTATION,
    "commuting",
    "float",
    Scope("200 pairs of words, L <= 40, 1..4 planes", "5000 pairs of words, L <= 40, 1..4 planes"),
    definitions=WALKS,
)
def rearranged_in_float(of: Walks, run: Run) -> Evidence:
    """Two orders of the same block rotations, relative to 8 u (L + 1)."""
    source = np.random.default_rng(run.seed)
    worst, where = Fraction(0), ""
    for _ in range(5000 if run.profile == "full" else 200):
        planes, axes, length = source.integers(1, 5), source.integers(2, 4), source.integers(0, 41)
        steps = block_rotations(source.uniform(-3.2, 3.2, (axes, planes)), of.block)
        first, second = journeys(steps, shuffled(source, axes, length))
        error = Fraction(float(np.abs(first - second).max())) / (length + 1)
        if error >= worst:
            worst, where = error, f"{planes} planes, {axes} axes, L = {length}"
    bound = reordering_bound(0)
    return within(
        worst, Bound(bound.value, "8 u per step: 8 u (L + 1)", bound.inputs), witness=where
    )


@control("reflections", block=reflection_block)
@checked_by(
    theory.COMMUTATION,
    "commuting",
    "property",
    Scope("100 pairs of words, L <= 40", "2000 pairs of words, L <= 40"),
    definitions=WALKS,
)
def rearranged_by_search(of: Walks, run: Run) -> Evidence:
    """Angles, words and rearrangements drawn by Hypothesis."""
    from hypothesis import strategies as st

    def predicate(angles: list[list[float]], word: list[int], seed: int) -> None:
        planes = min(map(len, angles))
        steps = block_rotations(np.array([row[:planes] for row in angles]), of.block)
        letters = np.array(word, dtype=np.int64) % len(angles)
        other = np.random.default_rng(seed).permutation(letters)
        first, second = journeys(steps, np.stack([letters, other]))
        error = float(np.abs(first - second).max())
        assert Fraction(error) <= reordering_bound(len(word)).value, f"off by {error:.3g}"

    angle = st.floats(-3.2, 3.2)
    axes = {
        "angles": st.lists(st.lists(angle, min_size=1, max_size=4), min_size=2, max_size=3),
        "word": st.lists(st.integers(0, 2), max_size=40),
        "seed": st.integers(0, 2**32 - 1),
    }
    first = {"angles": [[0.1, 1.0], [0.2, -2.0]], "word": [0, 0, 1, 1], "seed": 1}
    return hunt(predicate, axes, run, first=first)


def walked(blocks: Sequence[Any], word: Sequence[int], one: Any) -> Any:
    """The product of 2 x 2 matrices of any number type along a word."""
    result = one
    for letter in word:
        result = blocks[letter] * result
    return result


#: Angles per axis in units of 1/7, and word lengths, of the high-precision and the ball check.
PARAMETERS = ((3, -11), (5, 2), (-8, 13))
LENGTHS = (2, 10, 40)


@control("reflections", block=reflection_block)
@checked_by(
    theory.COMMUTATION,
    "commuting",
    "high",
    Scope("2 planes, 3 axes, 8 rearrangements of L = 40", "200 rearrangements of L = 40"),
    definitions=WALKS,
)
def rearranged_in_high_precision(of: Walks, run: Run) -> Evidence:
    """Two orders at `digits` digits, below 8 u (L + 1) with that precision's u."""
    import mpmath

    source = np.random.default_rng(run.seed)
    length, largest, where = 40, mpmath.mpf(0), ""
    with mpmath.workdps(run.digits):
        bits = mpmath.mp.prec
        angles = [[mpmath.mpf(p) / 7 for p in plane] for plane in zip(*PARAMETERS, strict=True)]
        planes = [
            [mpmath.matrix(of.block(mpmath.cos(x), mpmath.sin(x))) for x in plane]
            for plane in angles
        ]
        for trial in range(200 if run.profile == "full" else 8):
            word, other = shuffled(source, len(PARAMETERS), length).tolist()
            for blocks in planes:
                gap = walked(blocks, word, mpmath.eye(2)) - walked(blocks, other, mpmath.eye(2))
                size = max(abs(entry) for entry in gap)
                if size >= largest:
                    largest, where = size, f"pair {trial}"
    bound = Bound(Fraction(8 * (length + 1), 2**bits), "8 2^-p (L + 1)", {"L": length, "p": bits})
    return within(largest, bound, witness=where)


#: What the ball check has to tell apart, and how narrow its balls have to be.
DETECTABLE, NARROW = Fraction(1, 10**40), Fraction(1, 10**60)


@control("reflections", block=reflection_block)
@checked_by(
    theory.COMMUTATION,
    "commuting",
    "ball",
    "4 planes, 3 axes, L = 2, 10, 40, 256 bits; an angle moved by 1e-40 is told apart",
    definitions=WALKS,
)
def rearranged_in_balls(of: Walks, run: Run) -> Evidence:
    """The difference contains 0, is narrower than 1e-60, and excludes 0 after a tiny change."""
    from flint import arb, arb_mat, fmpq

    source = np.random.default_rng(run.seed)
    widest = arb(0)
    with precision(256):

        def blocks(plane: int, moved: fmpq) -> list[arb_mat]:
            angles = [arb(fmpq(row[plane % 2] + plane, 7)) for row in PARAMETERS]
            angles[0] += arb(moved)
            return [arb_mat(of.block(x.cos(), x.sin())) for x in angles]

        one = arb_mat([[1, 0], [0, 1]])
        tiny = fmpq(DETECTABLE.numerator, DETECTABLE.denominator)
        told_apart = True
        for length in LENGTHS:
            word = np.arange(length) % len(PARAMETERS)
            other = source.permutation(word).tolist()
            for plane in range(4):
                first = walked(blocks(plane, fmpq(0)), word.tolist(), one)
                gap = (first - walked(blocks(plane, fmpq(0)), other, one)).entries()
                if not all(entry.contains(0) for entry in gap):
                    return Evidence("refuted", witness=f"L = {length}, plane {plane}: balls apart")
                widest = max([widest, *(arb(entry.rad()) for entry in gap)], key=float)
                moved = (first - walked(blocks(plane, tiny), other, one)).entries()
                told_apart &= not all(entry.contains(0) for entry in moved)
    if not told_apart:
        return Evidence("undecided", note="a change of 1e-40 is not seen")
    return within(_fraction(widest), Bound(NARROW, "10^-60: the radius of a ball", {"bits": 256}))


def _fraction(ball: Any) -> Fraction:
    """The midpoint of a ball, a dyadic number."""
    mantissa, exponent = ball.mid().man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


# ---------------------------------------------------------------------- journey.path_count
CONTENTS = ((2, 2), (3, 2), (2, 1, 2), (1, 1, 1), (2, 2, 2), (1, 1, 1, 1), (3, 3), (4, 1), (0, 3))


@lru_cache
def _words(counts: tuple[int, ...]) -> tuple[Word, ...]:
    return tuple(map(tuple, words(counts).tolist()))


@control("any_two_letters_exchanged", neighbours=distant_swaps)
@checked_by(
    theory.PATH_COUNT,
    "distance",
    "property",
    Scope("100 words of 9 contents", "2000 words of 9 contents"),
    definitions=WALKS,
)
def distances_by_search(of: Walks, run: Run) -> Evidence:
    """Breadth-first distances from a word are inversions; the farthest is at sum x_a x_b."""
    from hypothesis import strategies as st

    @lru_cache
    def distances(word: Word) -> dict[Word, int]:
        return square_distances(word, of.neighbours)

    def predicate(counts: tuple[int, ...], which: int) -> bool:
        every = _words(counts)
        word = every[which % len(every)]
        found = distances(word)
        if set(found) != set(every):
            return False
        largest = max(distances(every[0]).values())
        in_order = all(found[other] == inversions(other, word) for other in every)
        return in_order and largest == sum(x * y for x, y in combinations(counts, 2))

    axes = {"counts": st.sampled_from(CONTENTS), "which": st.integers(0, 89)}
    return hunt(predicate, axes, run, first={"counts": (2, 2, 2), "which": 0})


@control("letters_told_apart", multinomial=lambda counts: math.factorial(sum(counts)))
@checked_by(
    theory.PATH_COUNT,
    "counted",
    "property",
    Scope("100 contents of up to 8 letters", "2000 contents of up to 8 letters"),
    definitions=WALKS,
)
def words_listed(of: Walks, run: Run) -> Evidence:
    """All words written down, and counted."""
    from hypothesis import strategies as st

    def predicate(counts: tuple[int, ...]) -> bool:
        listed = _words(counts)
        expected = set(permutations([a for a, count in enumerate(counts) for _ in range(count)]))
        return len(listed) == of.multinomial(counts) and set(listed) == expected

    counts = st.lists(st.integers(0, 3), min_size=1, max_size=4).map(tuple)
    small = counts.filter(lambda x: sum(x) <= 7)
    return hunt(predicate, {"counts": small}, run, first={"counts": (2, 1, 2)})


# ---------------------------------------------------------------------- journey.flatness
def disturbed(field: Array, turn: float) -> Array:
    """The field with T_0 at the origin followed on the right by a rotation of the first plane."""
    dimension = field.shape[-1]
    factor = np.eye(dimension)
    factor[:2, :2] = block_rotations(np.array([turn]))
    result = field.copy()
    origin = (0,) * field.ndim
    edge = (0, *origin[3:])
    result[edge] = result[edge] @ factor
    return result


def orthogonality_defect(g: Array) -> Fraction:
    """The largest spectral norm of g^T g - I, rounded up."""
    return above(float(spectral_norms(np.swapaxes(g, -1, -2) @ g - np.eye(g.shape[-1])).max()))


@control("one_edge_turned_by_a_millionth", disturb=1e-6)
@checked_by(
    theory.FLATNESS,
    "gauge_field",
    "float",
    Scope("20 potentials on 3 x 3 x 2 boxes, d = 2..4", "500 potentials, d = 2..6"),
    definitions=WALKS,
)
def gauge_fields_are_flat(of: Walks, run: Run) -> Evidence:
    """The largest plaquette of g(x + e_a) g(x)^T relative to its bound for L = 2."""
    source = np.random.default_rng(run.seed)
    full = run.profile == "full"
    worst, where, bound = Fraction(0), "", flat_bound(2, 2, Fraction(0))
    for trial in range(500 if full else 20):
        d = int(source.integers(2, 7 if full else 5))
        g = random_rotations(source, (4, 4, 3), d)
        field = disturbed(gauge_field(g), of.disturb)
        sizes = [
            spectral_norms(of.plaquettes(field, a, b)).max() for a, b in combinations(range(3), 2)
        ]
        limit = flat_bound(2, d, orthogonality_defect(g))
        size = Fraction(float(max(sizes)))
        if size / limit.value >= worst:
            worst, where, bound = size / limit.value, f"potential {trial}, d = {d}", limit
    return within(worst * bound.value, bound, witness=where)


@control("one_edge_turned_by_a_millionth", disturb=1e-6)
@checked_by(
    theory.FLATNESS,
    "flat_squares",
    "property",
    Scope("100 pairs of paths, sides <= 4", "2000 pairs of paths, sides <= 4"),
    definitions=WALKS,
)
def paths_agree_in_gauge_fields(of: Walks, run: Run) -> Evidence:
    """Random orthogonal potentials, random pairs of words: the products agree."""
    from hypothesis import strategies as st

    def predicate(counts: tuple[int, ...], d: int, seed: int) -> None:
        source = np.random.default_rng(seed)
        g = random_rotations(source, tuple(count + 1 for count in counts), d)
        field = disturbed(gauge_field(g), of.disturb)
        letters = np.repeat(np.arange(len(counts)), counts)
        pair = np.stack([letters, source.permutation(letters)])
        first, second = field_journeys(field, pair)
        error = float(spectral_norms(first - second))
        bound = flat_bound(len(letters), d, orthogonality_defect(g))
        assert Fraction(error) <= bound.value, f"off by {error:.3g}"

    axes = {
        "counts": st.lists(st.integers(1, 4), min_size=2, max_size=3).map(tuple),
        "d": st.integers(2, 4),
        "seed": st.integers(0, 2**32 - 1),
    }
    return hunt(predicate, axes, run, first={"counts": (1, 1), "d": 2, "seed": 1})


@control("angle_in_place_of_chord", chord=lambda turn: turn)
@checked_by(
    theory.FLATNESS,
    "one_edge",
    "property",
    Scope("100 turns in [1e-6, 1]", "2000 turns in [1e-6, 1]"),
    definitions=WALKS,
)
def turned_edge_shows_its_chord(of: Walks, run: Run) -> Evidence:
    """|J' - J| = |P - I| = 2 sin(epsilon / 2) in the spectral norm, for a path through the edge.

    The two float paths differ from the exact ones by what `flat_bound` says, and the stored
    rotation by 4 u.
    """
    from hypothesis import strategies as st

    def predicate(turn: float, d: int, seed: int) -> None:
        source = np.random.default_rng(seed)
        g = random_rotations(source, (3, 3), d)
        field = disturbed(gauge_field(g), turn)
        pair = np.array([[0, 0, 1, 1], [1, 1, 0, 0]])
        through, around = field_journeys(field, pair)
        error = abs(float(spectral_norms(through - around)) - of.chord(turn))
        bound = flat_bound(5, d, orthogonality_defect(g)).value + 4 * U
        assert Fraction(error) <= bound, f"off by {error:.3g}"

    axes = {
        "turn": st.floats(1e-6, 1.0),
        "d": st.integers(2, 4),
        "seed": st.integers(0, 2**32 - 1),
    }
    return hunt(predicate, axes, run, first={"turn": 1.0, "d": 2, "seed": 1})


# ---------------------------------------------------------------------- journey.content_dependence
def commutators_at(field: Array, a: int, b: int) -> Array:
    """T_b(x) T_a(x) - T_a(x) T_b(x), both read at x: what is often tested, and is not the square.

    Shapes as for `plaquettes`.  It vanishes on curved fields and not on flat ones.
    """
    here = _corners(field.ndim - 3, a, b, None)
    return field[b][here] @ field[a][here] - field[a][here] @ field[b][here]


def curved_field(side: int) -> Array:
    """T_1(x) = R^(x_2), T_2 = I with R = R(arctan 4/3) on a square box, shape `(2, s, s, 2, 2)`."""
    field = np.zeros((2, side + 1, side + 1, 2, 2))
    field[1] = np.eye(2)
    field[0] = block_rotations(np.arange(side + 1)[:, None] * math.atan2(4, 3))[None, :]
    return field


@control("both_read_at_departure", plaquettes=commutators_at)
@checked_by(
    theory.CONTENT_DEPENDENCE,
    "commuting_but_curved",
    "float",
    Scope("a box of side 8", "a box of side 100"),
    definitions=WALKS,
)
def commuting_field_is_seen_to_be_curved(of: Walks, run: Run) -> Evidence:
    """Every square of T_1(x) = R^(x_2) has the norm |R - I| = sqrt(4/5).

    An angle k arctan(4/3) carries two roundings, (2 u + u^2) pi k, its cosine and sine one ulp
    each; two such blocks are subtracted: (4 pi k + 8) u, and 8 u more for the norm.
    """
    side = 100 if run.profile == "full" else 8
    sizes = spectral_norms(of.plaquettes(curved_field(side), 0, 1))
    error = float(np.abs(sizes - math.sqrt(0.8)).max())
    value = (4 * Fraction(22, 7) * side + 16) * U
    return within(error, Bound(value, "(4 pi k + 16) u", {"k": side, "u": "2^-53"}))


def placed_cells(tau1: Array, tau2: Array) -> Array:
    """F for every placement of items on one cell: `tau_a` of shape `(k, d, d)`.

    Returns shape `(k, k, k, d, d)`, indexed by the items at the origin, at e_1 and at e_2.
    """
    first = tau2[None, :] @ tau1[:, None]
    second = tau1[None, :] @ tau2[:, None]
    return first[:, :, None] - second[:, None, :]


@control("more_than_the_spread", share=Fraction(3))
@checked_by(
    theory.CONTENT_DEPENDENCE,
    "no_go",
    "property",
    Scope("100 families of 2 or 3 items in SO(2) or SO(3)", "2000 families"),
    definitions=WALKS,
)
def content_shows_in_some_placement(of: Walks, run: Run) -> Evidence:
    """Some placement leaves at least half of what separates two items.

    tau_2(v') tau_1(w) - tau_2(v'') tau_1(w) is the difference of two plaquettes, and its norm is
    that of tau_2(v') - tau_2(v''): so 2 max |F| is at least the spread of tau_2, and of tau_1.
    Rounding moves each side by less than 100 u for d <= 3.
    """
    from hypothesis import strategies as st

    def predicate(angles: list[list[float]], space: bool) -> None:
        first, second = (turning(np.array(row[:3]), space) for row in angles)
        largest = float(spectral_norms(placed_cells(first, second)).max())
        spread = max(
            float(spectral_norms(tau[:, None] - tau[None, :]).max()) for tau in (first, second)
        )
        needed = of.share * Fraction(spread) / 2 - 100 * U
        assert Fraction(largest) >= needed, f"max |F| = {largest:.3g}, spread {spread:.3g}"

    row = st.lists(st.integers(-3100, 3100).map(lambda x: x / 1000), min_size=3, max_size=3)
    axes = {"angles": st.lists(row, min_size=2, max_size=2), "space": st.booleans()}
    first = {"angles": [[0.0, 1.0, 0.5], [0.0, 0.0, 0.0]], "space": False}
    return hunt(predicate, axes, run, first=first)


def turning(angles: Array, space: bool) -> Array:
    """Rotations of the plane, or of space about axes that differ from item to item."""
    flat = block_rotations(angles[:, None])
    if not space:
        return flat
    result = np.broadcast_to(np.eye(3), (len(angles), 3, 3)).copy()
    for item, turn in enumerate(flat):
        rows = [[0, 1], [1, 2], [0, 2]][item % 3]
        result[item][np.ix_(rows, rows)] = turn
    return result


@control("one_item_turned_further", disturb=1e-6)
@checked_by(
    theory.CONTENT_DEPENDENCE,
    "no_go",
    "float",
    Scope("100 constant families", "5000 constant families"),
    definitions=WALKS,
)
def constant_operators_are_flat(of: Walks, run: Run) -> Evidence:
    """Equal plane rotations for all items: every placement closes up to 24 u (L = 2)."""
    source = np.random.default_rng(run.seed)
    angles = source.uniform(-3.2, 3.2, (5000 if run.profile == "full" else 100, 2))
    worst = 0.0
    for first, second in angles.tolist():
        items = np.array([first, first + of.disturb, first])
        cells = placed_cells(turning(items, False), turning(np.full(3, second), False))
        worst = max(worst, float(np.abs(cells).max()))
    return within(worst, reordering_bound(2))


# ---------------------------------------------------------------------- journey.stokes
def sign_flipped(theta1: NDArray[Any], theta2: NDArray[Any]) -> NDArray[Any]:
    """One wrong sign in the curvature."""
    return theta1[:, :-1] + theta2[1:, :] + theta1[:, 1:] - theta2[:-1, :]


@control("one_wrong_sign", curvatures=sign_flipped)
@checked_by(
    theory.STOKES,
    "between_paths",
    "property",
    Scope("100 pairs of paths, integer angles", "2000 pairs of paths, integer angles"),
    definitions=WALKS,
)
def areas_of_integers(of: Walks, run: Run) -> Evidence:
    """Two staircase paths in an integer angle field: exactly the signed cells between them."""
    from hypothesis import strategies as st

    def predicate(p: int, q: int, seed: int) -> bool:
        source = np.random.default_rng(seed)
        theta1 = source.integers(-50, 50, (p, q + 1))
        theta2 = source.integers(-50, 50, (p + 1, q))
        letters = np.repeat([0, 1], [p, q])
        low, high = source.permutation(letters), source.permutation(letters)
        angles = [int(staircase_angle(theta1, theta2, word)) for word in (low, high)]
        cells = cells_between(low.tolist(), high.tolist())
        return angles[0] - angles[1] == int((cells * of.curvatures(theta1, theta2)).sum())

    axes = {"p": st.integers(1, 4), "q": st.integers(1, 4), "seed": st.integers(0, 2**32 - 1)}
    return hunt(predicate, axes, run)


def stokes_slack(length: int, cells: int, d: int, defect: Fraction) -> Fraction:
    """What rounding adds to the difference of two paths, less the sum over the squares.

    With |T^T T - I| <= defect every factor has norm at most 1 + defect / 2, so a term U F V of the
    difference exceeds |F| < 2.1 by at most 1.01 L defect of it.  Each of the 2 L products along
    the two paths and of the 2 products of a cell adds d g_d, to first order; 1.01 covers the rest.
    """
    rounding = (2 * length + 2 * cells) * d * gamma(d)
    return Fraction(101, 100) * (rounding + Fraction(21, 10) * cells * length * defect)


def one_curved_cell(source: np.random.Generator, p: int, q: int, size: float) -> Array:
    """1.1 times the identity everywhere, but for one edge in the corner of the box."""
    field = np.broadcast_to(np.eye(3), (2, p + 1, q + 1, 3, 3)).copy()
    field[0, 0, 0] = near_rotations(source, (), 3, size)
    return 1.1 * field


@control("stretched_by_a_tenth", field=one_curved_cell)
@checked_by(
    theory.STOKES,
    "area_bound",
    "property",
    Scope("100 fields of rotations of space on boxes <= 4 x 4", "2000 fields"),
    definitions=WALKS,
)
def difference_is_below_the_squares(of: Walks, run: Run) -> Evidence:
    """The outermost paths of a box differ by at most the sum of the norms of its squares.

    The Cayley rotations solve systems whose condition number is below 30 here; a stored one is
    orthogonal up to 64 u times that.
    """
    from hypothesis import strategies as st

    def predicate(p: int, q: int, decade: float, seed: int) -> None:
        source = np.random.default_rng(seed)
        field = of.field(source, p, q, 10**decade)
        low = np.repeat([0, 1], [p, q])
        high = np.repeat([1, 0], [q, p])
        first, second = field_journeys(field, np.stack([low, high]))
        defect = float(spectral_norms(first - second))
        squares = float(spectral_norms(of.plaquettes(field, 0, 1)).sum())
        slack = stokes_slack(p + q, p * q, 3, 64 * 30 * U)
        assert Fraction(defect) <= Fraction(squares) + slack, f"{defect:.3g} > {squares:.3g}"

    axes = {
        "p": st.integers(1, 4),
        "q": st.integers(1, 4),
        "decade": st.floats(-3, 0),
        "seed": st.integers(0, 2**32 - 1),
    }
    return hunt(predicate, axes, run, first={"p": 4, "q": 4, "decade": 0.0, "seed": 1})


def turn_in_space(axis: int, angle: float) -> Array:
    """The rotation about the first (0) or third (2) axis by `angle` radians."""
    rows = [1, 2] if axis == 0 else [0, 1]
    result = np.eye(3)
    result[np.ix_(rows, rows)] = block_rotations(np.array([angle]))
    return result


def rectangle_defects(first: Array, second: Array, sides: int) -> tuple[Array, Array]:
    """|T_1^s T_2^s - T_2^s T_1^s| and s^2 |[T_1, T_2]| in the spectral norm, s = 1 .. sides."""
    one = float(spectral_norms(first @ second - second @ first))
    x, y, defects = np.eye(len(first)), np.eye(len(first)), []
    for _ in range(sides):
        x, y = first @ x, second @ y
        defects.append(x @ y - y @ x)
    return spectral_norms(np.array(defects)), one * np.arange(1, sides + 1) ** 2


@control("half_the_bound", share=Fraction(1, 2))
@checked_by(
    theory.STOKES,
    "rectangle",
    "float",
    "R_x(0.1), R_z(0.1), squares of side 1..31",
    definitions=WALKS,
)
def rectangles_in_space(of: Walks, run: Run) -> Evidence:
    """The largest part of the bound that is used: all of it by a single square."""
    defects, bounds = rectangle_defects(turn_in_space(0, 0.1), turn_in_space(2, 0.1), 31)
    ratios = [
        Fraction(d) / Fraction(b) for d, b in zip(defects.tolist(), bounds.tolist(), strict=True)
    ]
    side = max(range(len(ratios)), key=ratios.__getitem__)
    slack = stokes_slack(62, 1, 3, 8 * U) / Fraction(float(bounds[0]))
    bound = Bound(of.share + slack, "1 + rounding", {"sides": 31})
    return within(ratios[side], bound, witness=f"side {side + 1}")


@control("one_cell_forgotten", squares_counted=lambda n: n - 1)
@checked_by(theory.STOKES, "constant_curvature", "ball", Scope("n <= 12, 16 curvatures", "n <= 60"))
def circle_in_balls(of: theory.Paths, run: Run) -> Evidence:
    """sin^2(f n / 2) <= n^2 sin^2(f / 2), strict where n >= 2 and f is no multiple of 2 pi."""
    last = 60 if run.profile == "full" else 12
    grid = points(n=range(2, last + 1), f=[Fraction(k, 5) for k in range(1, 17)])
    return certify(theory.STOKES.clause("constant_curvature").statement(of), grid, run.digits)
