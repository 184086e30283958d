"""Ordered products along lattice paths and closed squares, for arrays of operators.

Main definitions
----------------
journeys            products of fixed operators along many words at once
field_journeys      products of operators stored on the edges of a box, along many words
plaquettes          what is left around every square of a plane of such a field
gauge_field         the flat field g(x + e_a) g(x)^-1 of a potential g
words, inversions   all words of given letter counts, and pairs of letters in different order
square_distances    least numbers of squares from one word to all others

Main claims
-----------
journey.commutation, journey.path_count, journey.flatness

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

from posproof.numerics.balls import precision
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
    here, beyond_a, beyond_b = (square_corners(field.ndim - 3, a, b, to) for to in (None, a, b))
    first = field[b][beyond_a] @ field[a][here]
    return first - field[a][beyond_b] @ field[b][here]


def square_corners(axes: int, a: int, b: int, moved: int | None) -> tuple[slice, ...]:
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


def spectral_norms(matrices: Array) -> Array:
    """Largest singular values, shape `(...)`."""
    return np.asarray(np.linalg.norm(matrices, 2, axis=(-2, -1)), dtype=np.float64)


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
    chord: Callable[[float], float] = lambda turn: 2 * math.sin(turn / 2)
    disturb: float = 0.0


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
        planes, axes, length = source.integers([1, 2, 0], [5, 4, 41]).tolist()
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
