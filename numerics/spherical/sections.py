r"""Scores of lifts, of points and of mirror images in float64.

Main definitions
----------------
angles, lifts       polar angle and azimuth of points; the Euler angles of their section
rotated             points moved by a quaternion
gauge               the angle chi of a rotation at a point
worst_case          the degree at which a difference comes closest to its bound

Main claims
-----------
spherical.relative_score, spherical.sections, spherical.mirrors

Conventions
-----------
Points are unit vectors `(..., 3)`, rotations quaternions `(..., 4)`, vectors of features complex
`(..., n)` of length one; twice = 2l.  The section of a point is R_z(phi) R_y(theta).

The bounds
----------
A score is within `stabilisers.score_bound` of the score of the rotations it was given, and the
angles of a point are off by less than the 80 u that bound allows for.  Where points are rotated,
u = 2^-53: entries of R are within 8 u, so an image is within 20 u of R x as a direction; the
product section(R x)^T R section(x) is within 100 u in the 2-norm and its last column within 20 u of
e_z, so the gauge angle is within 170 u of one for which both sides of its definition agree up to
200 u.  Rotations that differ by delta have D within l delta, for each of two points, and the phases
e^(-i m chi) add less than l pi u + 4 u: 512 l u in all, on top of two scores.

References
----------
Derived here; no publication is quoted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posproof.numerics import wigner
from posproof.numerics.hunt import hunt
from posproof.numerics.measure import within
from posproof.numerics.spherical.stabilisers import (
    random_quaternions,
    score,
    score_bound,
    spins,
    unit_rows,
)
from posproof.theory.spherical.sections import MIRRORS, RELATIVE_SCORE, SECTIONS
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control

Floats = NDArray[np.float64]
Complex = NDArray[np.complex128]

#: 2l of the degrees that are measured, and how many random samples each gets.
DEGREES = (2, 4, 10, 20)
MEASURED = Scope("l = 1, 2, 5, 10, 100 samples each", "l = 1, 2, 5, 10, 2000 samples each")


def samples(run: Run) -> int:
    """How many random samples each degree gets."""
    return run.examples


# ---------------------------------------------------------------------- measured differences
def worst_case(
    differences: Callable[[int], NDArray[Any]],
    bound: Callable[[int], Bound],
    degrees: Iterable[int],
) -> Evidence:
    """The largest difference at the degree where it comes closest to the bound, as evidence."""
    found = []
    for twice in degrees:
        allowed = bound(twice)
        size = np.abs(differences(twice))
        measured = float(size.max()) if np.isfinite(size).all() else float("nan")
        share = measured / float(allowed.value)
        found.append((np.inf if np.isnan(share) else share, twice, measured, allowed))
    _, twice, measured, allowed = max(found, key=lambda entry: entry[0])
    return within(measured, allowed, witness=f"2l = {twice}")


def times(factor: int, twice: int) -> Bound:
    """A multiple of the bound of one score."""
    one = score_bound(twice)
    return Bound(factor * one.value, f"{factor} ({one.formula})", one.inputs)


# ---------------------------------------------------------------------- spherical.relative_score
@dataclass(frozen=True)
class Lifts:
    """How a common rotation moves lifts, and how they score; a control replaces one of them."""

    moved: Callable[[Floats, Floats], Floats] = wigner.quaternion_product
    paired: Callable[[Complex, Complex, Complex, Complex], Complex] = score
    real_score: Callable[[Floats, Floats, Floats, Floats], Floats] = lambda left, right, q, k: (
        np.einsum("sij,sj,sik,sk->s", left, q, right, k)
    )


def in_the_other_order(left: Complex, right: Complex, q: Complex, k: Complex) -> Complex:
    """q* (right left*) k."""
    return np.einsum("si,sij,skj,sk->s", q.conj(), right, left.conj(), k)


LIFTS = Lifts()


@control("rotated_on_the_right", moved=lambda g, r: wigner.quaternion_product(r, g))
@control("product_in_the_other_order", paired=in_the_other_order)
@checked_by(RELATIVE_SCORE, "left_invariant", "float", MEASURED, definitions=LIFTS)
def common_rotations_of_lifts(of: Lifts, run: Run) -> Evidence:
    """s(R R_i, R R_j) - s(R_i, R_j): two scores, each within its bound."""
    source = np.random.default_rng(run.seed)

    def differences(twice: int) -> Complex:
        count = samples(run)
        here, there, common = (random_quaternions(source, count) for _ in range(3))
        q, k = (unit_rows(source, count, twice + 1) for _ in range(2))
        before = of.paired(spins(twice, here), spins(twice, there), q, k)
        left, right = (spins(twice, of.moved(common, r)) for r in (here, there))
        return of.paired(left, right, q, k) - before

    return worst_case(differences, lambda twice: times(2, twice), DEGREES)


@control(
    "transposed",
    real_score=lambda left, right, q, k: np.einsum("sji,sj,ski,sk->s", left, q, right, k),
)
@checked_by(RELATIVE_SCORE, "factorised", "float", MEASURED, definitions=LIFTS)
def real_heads_of_integer_spin(of: Lifts, run: Run) -> Evidence:
    """(D_R q) . (D_R k) against q . D_R(R_i^-1 R_j) k; the real basis at most doubles the error."""
    source = np.random.default_rng(run.seed)

    def differences(twice: int) -> Floats:
        count = samples(run)
        here, there = (random_quaternions(source, count) for _ in range(2))
        q, k = (unit_rows(source, count, twice + 1).real for _ in range(2))
        relative = wigner.quaternion_product(here * [1, -1, -1, -1], there)
        left, right, both = (
            wigner.real_matrix(twice // 2, wigner.angles_of_quaternions(r))
            for r in (here, there, relative)
        )
        return of.real_score(left, right, q, k) - np.einsum("si,sij,sj->s", q, both, k)

    return worst_case(differences, lambda twice: times(4, twice), DEGREES)


# ---------------------------------------------------------------------- points
def random_points(source: np.random.Generator, count: int) -> Floats:
    """Uniform on the sphere, shape `(count, 3)`."""
    rows = source.standard_normal((count, 3))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def lifts(points: Floats) -> Floats:
    """The Euler angles (phi, theta, 0) of the section, shape `(..., 3)`; the length is free."""
    x, y, z = np.moveaxis(points, -1, 0)
    theta, phi = np.arctan2(np.hypot(x, y), z), np.arctan2(y, x)
    return np.stack([phi, theta, np.zeros_like(theta)], axis=-1)


def space_rotations(quaternions: Floats) -> Floats:
    """The 3 x 3 matrices of quaternions of any length, shape `(..., 3, 3)`."""
    w, x, y, z = np.moveaxis(quaternions, -1, 0)
    rows = [
        [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
    ]
    square = (quaternions**2).sum(axis=-1)[..., None, None]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2) / square


def gauge(rotations: Floats, points: Floats, images: Floats) -> Floats:
    """The angle chi of R section(x) = section(R x) R_z(chi), radians, shape `(...)`."""
    here, there = (wigner.rotations_of_angles(lifts(p)) for p in (points, images))
    turn = np.swapaxes(there, -1, -2) @ rotations @ here
    return np.arctan2(turn[..., 1, 0], turn[..., 0, 0])


def orders(twice: int) -> Floats:
    """m = -l .. l."""
    return np.arange(-twice, twice + 1, 2) / 2


def transported(twice: int, chi: Floats, vectors: Complex) -> Complex:
    """q_m to e^(-i m chi) q_m: features that turn with the points."""
    return np.exp(-1j * np.multiply.outer(chi, orders(twice))) * vectors


def kept(twice: int, chi: Floats, vectors: Complex) -> Complex:
    """Features that do not turn."""
    return vectors


def point_score(twice: int, x: Floats, y: Floats, q: Complex, k: Complex) -> Complex:
    """s(x, y) of points."""
    left, right = (wigner.matrix(twice, lifts(p)) for p in (x, y))
    return score(left, right, q, k)


def transported_bound(twice: int) -> Bound:
    """Two scores, and what gauges and images of both points are off by; see the module."""
    one = score_bound(twice)
    value = 2 * one.value + 256 * twice * wigner.U
    return Bound(value, f"2 ({one.formula}) + 512 l u", one.inputs)


# ---------------------------------------------------------------------- spherical.mirrors
def equatorial(points: Floats) -> Floats:
    return points * np.array([1.0, 1.0, -1.0])


def meridional(points: Floats) -> Floats:
    return points * np.array([1.0, -1.0, 1.0])


def reversed_orders(twice: int, vectors: Complex) -> Complex:
    """(F q)_m = q_(-m)."""
    return vectors[..., ::-1]


def signed_orders(twice: int, vectors: Complex) -> Complex:
    """(G q)_m = (-1)^(l - m) q_(-m)."""
    return vectors[..., ::-1] * (-1.0) ** np.arange(twice, -1, -1)


Images = tuple[tuple[Callable[[Floats], Floats], Callable[[int, Complex], Complex]], ...]


@dataclass(frozen=True)
class MirrorImages:
    """Mirrors of points with what they do to features; a control replaces one of them."""

    mirrors: Images = ((equatorial, reversed_orders), (meridional, signed_orders))
    #: Signs of the eigenspaces of F or G that q and k are projected to.
    signs: tuple[int, int] = (1, 1)

    def differences(self, twice: int, count: int, source: np.random.Generator) -> Complex:
        """s(M x, M y; q, k) - s(x, y; F q, F k) of random points and features."""
        x, y = (random_points(source, count) for _ in range(2))
        q, k = (unit_rows(source, count, twice + 1) for _ in range(2))
        return np.concatenate(
            [
                point_score(twice, mirror(x), mirror(y), q, k)
                - point_score(twice, x, y, reflect(twice, q), reflect(twice, k))
                for mirror, reflect in self.mirrors
            ]
        )

    def projected(self, twice: int, count: int, source: np.random.Generator) -> Complex:
        """s(M x, M y) - s(x, y) for q and k in eigenspaces."""
        x, y = (random_points(source, count) for _ in range(2))
        found = []
        for mirror, reflect in self.mirrors:
            q, k = (
                (v + sign * reflect(twice, v)) / 2
                for v, sign in zip(
                    (unit_rows(source, count, twice + 1) for _ in range(2)), self.signs, strict=True
                )
            )
            there = point_score(twice, mirror(x), mirror(y), q, k)
            found.append(there - point_score(twice, x, y, q, k))
        return np.concatenate(found)


IMAGES = MirrorImages()


@control("orders_not_reversed", mirrors=((equatorial, lambda twice, v: v),))
@control("signs_forgotten", mirrors=((meridional, reversed_orders),))
@checked_by(MIRRORS, "mirrored_score", "float", MEASURED, definitions=IMAGES)
def scores_of_mirror_images(of: MirrorImages, run: Run) -> Evidence:
    """Two scores, each within its bound; a mirror image of a point is exact."""
    source = np.random.default_rng(run.seed)
    return worst_case(
        lambda twice: of.differences(twice, samples(run), source),
        lambda twice: times(2, twice),
        DEGREES,
    )


@control("odd_q_and_even_k", signs=(-1, 1))
@checked_by(MIRRORS, "eigenspaces", "float", MEASURED, definitions=IMAGES)
def features_of_one_eigenspace(of: MirrorImages, run: Run) -> Evidence:
    """Scores do not change when q and k have the same parity."""
    source = np.random.default_rng(run.seed)
    return worst_case(
        lambda twice: of.projected(twice, samples(run), source),
        lambda twice: times(2, twice),
        DEGREES,
    )


@control("orders_not_reversed", mirrors=((equatorial, lambda twice, v: v),))
@checked_by(
    MIRRORS,
    "mirrored_score",
    "property",
    Scope("l = 1 .. 6, 100 examples", "l = 1 .. 6, 2000 examples"),
    definitions=IMAGES,
)
def mirrors_of_random_points(of: MirrorImages, run: Run) -> Evidence:
    """One pair of random points at a time."""
    from hypothesis import strategies as st

    def agrees(l: int, seed: int) -> bool:  # noqa: E741
        off = of.differences(2 * l, 1, np.random.default_rng(seed))
        assert np.abs(off).max() <= float(times(2, 2 * l).value), f"off by {np.abs(off).max():.2g}"
        return True

    return hunt(agrees, {"l": st.integers(1, 6), "seed": st.integers(0, 2**32 - 1)}, run)


# ---------------------------------------------------------------------- spherical.sections
@dataclass(frozen=True)
class Points:
    """How features follow rotations of points, and what they are; a control replaces one."""

    follow: Callable[[int, Floats, Complex], Complex] = transported
    channel: int = 0
    #: The quaternion of the half-turn that graded features survive, and the step of their orders.
    half_turn: tuple[float, float, float, float] = (0.0, 1.0, 0.0, 0.0)
    step: int = 2
    turn: Callable[[Floats], Floats] = lambda angle: np.stack(
        [np.cos(angle / 2), 0 * angle, 0 * angle, np.sin(angle / 2)], axis=-1
    )
    distance: Callable[[Floats, Floats], Floats] = lambda x, y: np.arctan2(
        np.linalg.norm(np.cross(x, y), axis=-1), (x * y).sum(axis=-1)
    )

    def defect(
        self, twice: int, g: Floats, x: Floats, y: Floats, q: Complex, k: Complex
    ) -> Complex:
        """s(R x, R y) with features that follow, less s(x, y)."""
        R = space_rotations(g)
        x_after, y_after = ((R @ p[..., None])[..., 0] for p in (x, y))
        turned_q = self.follow(twice, gauge(R, x, x_after), q)
        turned_k = self.follow(twice, gauge(R, y, y_after), k)
        after = point_score(twice, x_after, y_after, turned_q, turned_k)
        return after - point_score(twice, x, y, q, k)


POINTS = Points()


def _drawn(source: np.random.Generator, count: int, twice: int) -> tuple[Any, ...]:
    """Two rows of points and two of features."""
    points = (random_points(source, count) for _ in range(2))
    return (*points, *(unit_rows(source, count, twice + 1) for _ in range(2)))


@control("features_kept", follow=kept)
@control("turned_the_other_way", follow=lambda twice, chi, v: transported(twice, -chi, v))
@checked_by(SECTIONS, "gauge", "float", MEASURED, definitions=POINTS)
def features_that_turn_with_the_points(of: Points, run: Run) -> Evidence:
    """Points rotated, lifts recomputed, features turned by the gauge."""
    source = np.random.default_rng(run.seed)

    def differences(twice: int) -> Complex:
        g = random_quaternions(source, samples(run))
        return of.defect(twice, g, *_drawn(source, samples(run), twice))

    return worst_case(differences, transported_bound, DEGREES)


@control("first_order", channel=1)
@checked_by(SECTIONS, "phases", "float", MEASURED, definitions=POINTS)
def zonal_features_that_do_not_turn(of: Points, run: Run) -> Evidence:
    """q = k = e_0."""
    source = np.random.default_rng(run.seed)

    def differences(twice: int) -> Complex:
        g = random_quaternions(source, samples(run))
        x, y, _, _ = _drawn(source, samples(run), twice)
        zonal = np.zeros((samples(run), twice + 1), dtype=np.complex128)
        zonal[:, twice // 2 + of.channel] = 1
        return Points(follow=kept).defect(twice, g, x, y, zonal, zonal)

    return worst_case(differences, transported_bound, DEGREES)


@control(
    "about_x",
    turn=lambda angle: np.stack(
        [np.cos(angle / 2), np.sin(angle / 2), 0 * angle, 0 * angle], axis=-1
    ),
)
@checked_by(SECTIONS, "symmetric_turns", "float", MEASURED, definitions=POINTS)
def rotations_about_the_polar_axis(of: Points, run: Run) -> Evidence:
    """Features kept, z-rotations by any angle."""
    source = np.random.default_rng(run.seed)

    def differences(twice: int) -> Complex:
        g = of.turn(source.uniform(-np.pi, np.pi, samples(run)))
        return Points(follow=kept).defect(twice, g, *_drawn(source, samples(run), twice))

    return worst_case(differences, transported_bound, DEGREES)


@control("orders_of_both_parities", step=1)
@control("another_half_turn", half_turn=(0.0, 0.6, 0.0, 0.8))
@checked_by(SECTIONS, "parity", "float", MEASURED, definitions=POINTS)
def graded_features_under_a_half_turn(of: Points, run: Run) -> Evidence:
    """R_x(pi) and features on orders m of one parity."""
    source = np.random.default_rng(run.seed)

    def differences(twice: int) -> Complex:
        x, y, q, k = _drawn(source, samples(run), twice)
        graded = (orders(twice) % of.step == 0).astype(np.float64)
        g = np.tile(np.array(of.half_turn), (samples(run), 1))
        return Points(follow=kept).defect(twice, g, x, y, q * graded, k * graded)

    return worst_case(differences, transported_bound, DEGREES)


@control("half_the_distance", distance=lambda x, y: POINTS.distance(x, y) / 2)
@checked_by(SECTIONS, "modulus", "float", MEASURED, definitions=POINTS)
def modulus_of_a_channel(of: Points, run: Run) -> Evidence:
    """|D_mm| of the relative section against |d_mm| of the distance, for every m."""
    source = np.random.default_rng(run.seed)

    def differences(twice: int) -> Floats:
        x, y = (random_points(source, samples(run)) for _ in range(2))
        here, there = (wigner.matrix(twice, lifts(p)) for p in (x, y))
        channels = np.abs((here.conj() * there).sum(axis=-2))
        known = np.abs(np.diagonal(wigner.small(twice, of.distance(x, y)), axis1=-2, axis2=-1))
        return channels - known

    return worst_case(differences, transported_bound, DEGREES)


def rational_section(t: Fraction, s: Fraction) -> list[list[Fraction]]:
    """R_z(phi) R_y(theta) from the tangents of half of phi and of half of theta."""
    c, d = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)
    e, f = (1 - s * s) / (1 + s * s), 2 * s / (1 + s * s)
    return [[c * e, -d, c * f], [d * e, c, d * f], [-f, Fraction(0), e]]


def added(t: Fraction, u: Fraction) -> Fraction | None:
    """The tangent of a sum of two half angles; None at half a turn."""
    return (t + u) / (1 - t * u) if t * u != 1 else None


def _complexity(t: Fraction) -> tuple[int, bool]:
    return t.denominator + abs(t.numerator), t < 0


@dataclass(frozen=True)
class RationalTurns:
    """How a z-rotation moves a longitude; a control replaces it."""

    moved: Callable[[Fraction, Fraction], Fraction | None] = added


@control("tangents_added", moved=lambda t, u: t + u)
@checked_by(
    SECTIONS,
    "symmetric_turns",
    "property",
    Scope("rational points, 100 examples", "rational points, 2000 examples"),
    definitions=RationalTurns(),
)
def rational_turns_about_the_polar_axis(of: RationalTurns, run: Run) -> Evidence:
    """All nine scores of l = 1 are equal fractions before and after."""
    from hypothesis import strategies as st

    # from the simplest on, so that a counterexample shrinks fast
    tangents = st.sampled_from(
        sorted({Fraction(n, d) for n in range(-9, 10) for d in range(1, 8)}, key=_complexity)
    )

    def invariant(t: Fraction, s: Fraction, u: Fraction, v: Fraction, turn: Fraction) -> bool:
        here, there = of.moved(t, turn), of.moved(u, turn)
        if here is None or there is None:
            return True
        before = _products(rational_section(t, s), rational_section(u, v))
        return before == _products(rational_section(here, s), rational_section(there, v))

    return hunt(invariant, dict.fromkeys(("t", "s", "u", "v", "turn"), tangents), run)


def _products(x: list[list[Fraction]], y: list[list[Fraction]]) -> list[list[Fraction]]:
    """x^T y."""
    return [
        [sum((x[r][i] * y[r][j] for r in range(3)), Fraction(0)) for j in range(3)]
        for i in range(3)
    ]


@control("features_kept", follow=kept)
@checked_by(
    SECTIONS,
    "gauge",
    "property",
    Scope("l = 1 .. 6, 100 examples", "l = 1 .. 6, 2000 examples"),
    definitions=POINTS,
)
def random_rotations_of_points(of: Points, run: Run) -> Evidence:
    """One rotation and one pair of points at a time."""
    from hypothesis import strategies as st

    def agrees(l: int, seed: int) -> bool:  # noqa: E741
        source = np.random.default_rng(seed)
        g = random_quaternions(source, 1)
        off = float(np.abs(of.defect(2 * l, g, *_drawn(source, 1, 2 * l))).max())
        assert off <= float(transported_bound(2 * l).value), f"off by {off:.2g}"
        return True

    return hunt(agrees, {"l": st.integers(1, 6), "seed": st.integers(0, 2**32 - 1)}, run)
