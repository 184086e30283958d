r"""Orbits of points under all motions that fix some point.

Main definitions
----------------
cyclic, dihedral   groups acting on the corners of a regular polygon
permuted           a group of integer matrices acting on integer points
grid               translations and turns of a periodic square grid
classes            which points are joined by motions with a fixed point
score              q* D(R_i)* D(R_j) k of unit vectors
score_bound        how far a computed score is from the true one

Main claims
-----------
spherical.stabiliser_no_go, spherical.head_sizes

Conventions
-----------
An action is an integer array `(elements, points)`: row g holds the places to which g moves the
points; what is said about actions is exact.  Rotations are quaternions (w, x, y, z), twice = 2l.

The bound
---------
u = 2^-53.  By `numerics.wigner` an entry of D is within e = matrix_bound, and its Euler angles
stand for a rotation within delta = 80 u, so in the 2-norm D is within E = n e + l delta of a
unitary matrix.  A product of n complex numbers with a row is off by sqrt(2) (2 n + 2) u of the
sizes: with ||D||_F = sqrt(n) two products of matrices and vectors and one of vectors are off by
sqrt(2) (2 n + 2) (2 sqrt(n) + 1) u, and 2 in place of sqrt(2) pays for second orders and for q and
k that are of length one up to rounding.  So a score is within
2 E + E^2 + 2 (2 n + 2) (2 sqrt(n) + 1) u.

References
----------
Derived here; no publication is quoted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from posproof.numerics import wigner
from posproof.numerics.hunt import hunt
from posproof.theory.spherical.stabilisers import HEAD_SIZES, STABILISER_NO_GO
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control

Integers = NDArray[np.int64]

#: The corners of the polygons that are tried.
CORNERS = (3, 30)


# ---------------------------------------------------------------------- kernels
def cyclic(n: int) -> Integers:
    """The n rotations of the corners 0 .. n - 1, shape `(n, n)`."""
    shift, corner = np.ogrid[:n, :n]
    return (corner + shift) % n


def dihedral(n: int) -> Integers:
    """Rotations and mirrors of the corners, shape `(2 n, n)`."""
    shift, corner = np.ogrid[:n, :n]
    return np.concatenate([cyclic(n), (shift - corner) % n])


def permuted(points: Integers, matrices: Integers) -> Integers:
    """Integer matrices `(g, d, d)` acting on points `(n, d)` that they permute, shape `(g, n)`."""
    images = points @ np.swapaxes(matrices, 1, 2)
    equal = (images[:, :, None, :] == points[None, None]).all(axis=-1)
    if not (equal.sum(axis=-1) == 1).all():
        raise ValueError("the matrices do not permute the points")
    return np.argmax(equal, axis=-1)


def cube_group() -> Integers:
    """The 24 rotations of the cube, shape `(24, 3, 3)`."""
    identity = np.eye(3, dtype=np.int64)
    quarter = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    cycle = identity[[2, 0, 1]]
    found = {identity.tobytes(): identity}
    queue = [identity]
    while queue:
        here = queue.pop()
        for step in (quarter @ here, cycle @ here):
            if step.tobytes() not in found:
                found[step.tobytes()] = step
                queue.append(step)
    return np.stack(list(found.values()))


def orbit(seed: tuple[int, ...], matrices: Integers) -> Integers:
    """The images of a point without repetition, shape `(n, d)`."""
    return np.unique(matrices @ np.array(seed), axis=0)


def grid(side: int, turns: tuple[int, ...]) -> Integers:
    """Quarter turns to the powers `turns`, then translations, of Z_side x Z_side."""
    u, v = (part.ravel() for part in np.indices((side, side)))
    moves = []
    for turn in turns:
        c, s = ((1, 0), (0, 1), (-1, 0), (0, -1))[turn]
        turned = c * u - s * v, s * u + c * v
        for du, dv in zip(u, v, strict=True):
            moves.append((turned[0] + du) % side * side + (turned[1] + dv) % side)
    return np.stack(moves)


def fixing(moves: Integers) -> Integers:
    """The motions that fix at least one point."""
    return moves[(moves == np.arange(moves.shape[1])).any(axis=1)]


def every(moves: Integers) -> Integers:
    """All motions."""
    return moves


def classes(moves: Integers, kept: Callable[[Integers], Integers] = fixing) -> Integers:
    """A label for each point, `(n,)`: equal when motions with fixed points join the points.

    >>> classes(dihedral(6)).tolist()
    [0, 1, 0, 1, 0, 1]
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    moves = kept(moves)
    start = np.broadcast_to(np.arange(moves.shape[1]), moves.shape)
    edges = np.ones(moves.size, dtype=np.int8), (start.ravel(), moves.ravel())
    joined = coo_array(edges, shape=(moves.shape[1],) * 2)
    return connected_components(joined, directed=False)[1]


def count(moves: Integers, kept: Callable[[Integers], Integers] = fixing) -> int:
    """The number of classes."""
    return int(classes(moves, kept).max()) + 1


# ---------------------------------------------------------------------- polygons
@dataclass(frozen=True)
class Polygons:
    """Which motions join points; a control replaces one definition."""

    cyclic: Callable[[int], Integers] = cyclic
    dihedral: Callable[[int], Integers] = dihedral
    kept: Callable[[Integers], Integers] = fixing

    def classes(self, moves: Integers) -> int:
        return count(moves, self.kept)


POLYGONS = Polygons()
TRIED = Scope("n in 3 .. 30, 100 examples", "n in 3 .. 30, 2000 examples")


@control("rotations_alone", dihedral=cyclic)
@checked_by(STABILISER_NO_GO, "odd_polygon", "property", TRIED, definitions=POLYGONS)
def one_class_of_odd_polygons(of: Polygons, run: Run) -> Evidence:
    """Mirrors through the corners of an n-gon with odd n join all corners."""
    from hypothesis import strategies as st

    low, high = CORNERS
    odd = st.integers(low // 2, (high - 1) // 2).map(lambda half: 2 * half + 1)
    return hunt(lambda n: of.classes(of.dihedral(n)) == 1, {"n": odd}, run)


@control("mirrors_between_corners_too", kept=every)
@checked_by(STABILISER_NO_GO, "even_polygon", "property", TRIED, definitions=POLYGONS)
def two_classes_of_even_polygons(of: Polygons, run: Run) -> Evidence:
    """The alternating sign survives when n is even, and nothing else does."""
    from hypothesis import strategies as st

    low, high = CORNERS
    even = st.integers((low + 1) // 2, high // 2).map(lambda half: 2 * half)
    return hunt(lambda n: of.classes(of.dihedral(n)) == 2, {"n": even}, run)


@control("every_motion_joins", kept=every)
@checked_by(STABILISER_NO_GO, "free", "property", TRIED, definitions=POLYGONS)
def rotations_of_a_polygon_join_nothing(of: Polygons, run: Run) -> Evidence:
    """A rotation that fixes a corner fixes all: n classes remain."""
    from hypothesis import strategies as st

    return hunt(lambda n: of.classes(of.cyclic(n)) == n, {"n": st.integers(*CORNERS)}, run)


# ---------------------------------------------------------------------- scores
Floats = NDArray[np.float64]
Complex = NDArray[np.complex128]


def spins(twice: int, rotations: Floats) -> Complex:
    """D^l of quaternions `(..., 4)`, shape `(..., n, n)`."""
    return wigner.matrix(twice, wigner.angles_of_quaternions(rotations))


def score(left: Complex, right: Complex, q: Complex, k: Complex) -> Complex:
    """(left q)* (right k), for matrices `(..., n, n)` and vectors `(..., n)`."""
    query, key = ((D @ v[..., None])[..., 0] for D, v in ((left, q), (right, k)))
    return (query.conj() * key).sum(axis=-1)


def score_bound(twice: int) -> Bound:
    """How far a computed score of unit vectors may be from the true one; see the module."""
    n = twice + 1
    root = Fraction(int(np.sqrt(n)) + 1)
    off = n * wigner.matrix_bound(twice) + Fraction(twice, 2) * wigner.ANGLES * wigner.U
    value = 2 * off + off**2 + 2 * (2 * n + 2) * (2 * root + 1) * wigner.U
    return Bound(value, "2 E + E^2 + 2 (2 n + 2) (2 sqrt(n) + 1) u", {"2l": twice})


def unit_rows(source: np.random.Generator, count: int, n: int) -> Complex:
    """Complex unit vectors, shape `(count, n)`."""
    rows = source.standard_normal((count, n)) + 1j * source.standard_normal((count, n))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def random_quaternions(source: np.random.Generator, count: int) -> Floats:
    """Haar distributed, shape `(count, 4)`."""
    rows = source.standard_normal((count, 4))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@dataclass(frozen=True)
class Flips:
    """What a change of sign of one quaternion does to a score; a control replaces it."""

    sign: Callable[[int], int] = lambda twice: (-1) ** twice


FLIPS = Flips()


@control("no_sign_at_half_integers", sign=lambda twice: 1)
@checked_by(
    HEAD_SIZES,
    "sign_flips",
    "property",
    Scope("2l = 1 .. 4, 100 examples", "2l = 1 .. 4, 2000 examples"),
    definitions=FLIPS,
)
def random_signs_of_quaternions(of: Flips, run: Run) -> Evidence:
    """s(-q_i, q_j) = (-1)^2l s(q_i, q_j), and both signs together change nothing."""
    from hypothesis import strategies as st

    def unchanged(twice: int, seed: int) -> bool:
        source = np.random.default_rng(seed)
        rotations = random_quaternions(source, 2)
        q, k = unit_rows(source, 2, twice + 1)
        (here, there), (back, away) = (spins(twice, sign * rotations) for sign in (1, -1))
        before = score(here, there, q, k)
        one = score(back, there, q, k) - of.sign(twice) * before
        both = score(back, away, q, k) - before
        allowed = 2 * float(score_bound(twice).value)
        assert abs(one) <= allowed, f"one sign changes the score by {abs(one):.2g}"
        assert abs(both) <= allowed, f"two signs change the score by {abs(both):.2g}"
        return True

    drawn = {"twice": st.integers(1, 4), "seed": st.integers(0, 2**32 - 1)}
    return hunt(unchanged, drawn, run)
