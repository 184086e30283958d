r"""Scores of points of the sphere around triangles, under moves, and by bearings.

Main definitions
----------------
Gaussian            a complex number with rational parts, exact
form_action         T(M) of numbers of any kind
solid_angle         of triangles, signed
triangle_scores     s_m around triangles of points, from Wigner matrices of their lifts
triangle_values     the same from distances and the area alone
bearings            of points seen from points, from north towards east
score, score_by_bearings     q^* D(sigma_x)^* D(sigma_y) k from the lifts, and from bearings

Main claims
-----------
spherical.gauge_phase, spherical.curvature, spherical.bearings

Conventions
-----------
A point is its polar angle and longitude, shape `(..., 2)`, radians, or its unit vector, shape
`(..., 3)`; twice = 2l and indices m = -l .. l ascend, as in `posproof.numerics.wigner`.  The lift
of a point is R_z(longitude) R_y(polar angle).  u = 2^-53.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
from flint import acb, acb_mat, fmpq
from numpy.typing import ArrayLike, NDArray

from posproof.numerics import wigner
from posproof.numerics.balls import describe, precision
from posproof.numerics.hunt import hunt
from posproof.numerics.measure import within
from posproof.theory.spherical import gauge as theory
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]
U = wigner.U


# ---------------------------------------------------------------------- exact numbers
@dataclass(frozen=True)
class Gaussian:
    """real + i imag with rational parts."""

    real: fmpq
    imag: fmpq

    def __add__(self, other: Gaussian) -> Gaussian:
        return Gaussian(self.real + other.real, self.imag + other.imag)

    def __sub__(self, other: Gaussian) -> Gaussian:
        return Gaussian(self.real - other.real, self.imag - other.imag)

    def __neg__(self) -> Gaussian:
        return Gaussian(-self.real, -self.imag)

    def __mul__(self, other: Gaussian | int) -> Gaussian:
        if isinstance(other, int):
            return Gaussian(self.real * other, self.imag * other)
        real = self.real * other.real - self.imag * other.imag
        return Gaussian(real, self.real * other.imag + self.imag * other.real)

    def __truediv__(self, other: Gaussian) -> Gaussian:
        size = other.square()
        quotient = self * other.conjugate()
        return Gaussian(quotient.real / size, quotient.imag / size)

    def __pow__(self, exponent: int) -> Gaussian:
        power = ONE
        for _ in range(exponent):
            power = power * self
        return power

    def conjugate(self) -> Gaussian:
        return Gaussian(self.real, -self.imag)

    def square(self) -> fmpq:
        """|self|^2."""
        return self.real**2 + self.imag**2


def gaussian(real: Fraction | int, imag: Fraction | int = 0) -> Gaussian:
    """real + i imag of two rationals."""
    parts = (Fraction(part) for part in (real, imag))
    return Gaussian(*(fmpq(part.numerator, part.denominator) for part in parts))


ONE = gaussian(1)


def gaussian_rationals() -> Any:
    """A strategy: Gaussian integers up to 9 over one of 1 .. 9."""
    from hypothesis import strategies as st

    def number(real: int, imag: int, below: int) -> Gaussian:
        return Gaussian(fmpq(real, below), fmpq(imag, below))

    return st.builds(number, st.integers(-9, 9), st.integers(-9, 9), st.integers(1, 9))


def unitary(a: Any, b: Any) -> list[list[Any]]:
    """U = [[a, -b'], [b, a']]."""
    return [[a, -b.conjugate()], [b, a.conjugate()]]


def form_action(twice: int, matrix: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """T(M): column k holds the coefficients of (p u + q v)^k (r u + s v)^(2l - k)."""
    (p, r), (q, s) = matrix

    def power(base: tuple[Any, Any], degree: int) -> list[Any]:
        """Coefficients of (x u + y v)^degree, u to the power 0 first."""
        x, y = base
        return [x**k * y ** (degree - k) * comb(degree, k) for k in range(degree + 1)]

    columns = []
    for k in range(twice + 1):
        left, right = power((p, q), k), power((r, s), twice - k)
        column: list[Any] = [None] * (twice + 1)
        for i, x in enumerate(left):
            for j, y in enumerate(right):
                term = x * y
                column[i + j] = term if column[i + j] is None else column[i + j] + term
        columns.append(column)
    return [list(row) for row in zip(*columns, strict=True)]


def times(left: Sequence[Sequence[Any]], right: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """A product of matrices of numbers of any kind."""
    rows = []
    for row in left:
        products = []
        for column in zip(*right, strict=True):
            first, *others = (x * y for x, y in zip(row, column, strict=True))
            for other in others:
                first = first + other
            products.append(first)
        rows.append(products)
    return rows


@dataclass(frozen=True)
class Moves:
    """The numerical definitions of `gauge_phase`; a control replaces one of them."""

    factor: Callable[[Any, Any, Any], Any] = lambda a, b, zeta: a - b.conjugate() * zeta
    weight: Callable[[int, int, Any], Any] = lambda k, twice, j: j**k * j.conjugate() ** (twice - k)
    gauge_angle: Callable[[Any], Any] = lambda j: -2 * np.angle(j)

    def carried(self, twice: int, a: Any, b: Any, zeta: Any, one: Any) -> tuple[Any, Any]:
        """T(g) T(1, zeta) and T(1, g zeta) diag(weights)."""
        j = self.factor(a, b, zeta)
        moved = (b + a.conjugate() * zeta) / j
        before = times(form_action(twice, unitary(a, b)), form_action(twice, unitary(one, zeta)))
        after = form_action(twice, unitary(one, moved))
        weights = [self.weight(k, twice, j) for k in range(twice + 1)]
        return before, [[x * w for x, w in zip(row, weights, strict=True)] for row in after]


MOVES = Moves()


# ---------------------------------------------------------------------- spherical.gauge_phase
def _one_factor(k: int, twice: int, j: Any) -> Any:
    return j**twice


def _opposite_sign(a: Any, b: Any, zeta: Any) -> Any:
    return a + b.conjugate() * zeta


@control("one_factor_for_all_rows", weight=_one_factor)
@control("sign_of_the_factor", factor=_opposite_sign)
@checked_by(
    theory.GAUGE_PHASE,
    "degrees",
    "property",
    Scope("100 moves of Gaussian rationals, 2l = 1..5", "2000 moves of Gaussian rationals"),
    definitions=MOVES,
)
def moves_of_gaussian_rationals(of: Moves, run: Run) -> Evidence:
    """Both sides as matrices of exact numbers."""
    from hypothesis import assume
    from hypothesis import strategies as st

    number = gaussian_rationals()

    def predicate(twice: int, a: Gaussian, b: Gaussian, zeta: Gaussian) -> bool:
        assume(of.factor(a, b, zeta).square() != 0)
        before, after = of.carried(twice, a, b, zeta, ONE)
        return before == after

    axes = {"twice": st.integers(1, 5), "a": number, "b": number, "zeta": number}
    zeta = gaussian(Fraction(1, 2), Fraction(1, 3))
    first = {"twice": 3, "a": gaussian(1, -3), "b": gaussian(-1, -2), "zeta": zeta}
    return hunt(predicate, axes, run, first=first)


#: Quaternions (w, x, y, z) and points for balls.
BALL_CASES = (
    ((1, 2, -1, 3), (Fraction(1, 2), Fraction(1, 3))),
    ((3, -1, 4, 1), (Fraction(-1, 4), Fraction(1, 5))),
)


def _ball(real: Fraction | int, imag: Fraction | int = 0) -> acb:
    number = gaussian(real, imag)
    return acb(number.real, number.imag)


@control("one_factor_for_all_rows", weight=_one_factor)
@control("sign_of_the_factor", factor=_opposite_sign)
@checked_by(theory.GAUGE_PHASE, "every_degree", "ball", "2l = 1..20, two moves", definitions=MOVES)
def moves_in_balls(of: Moves, run: Run) -> Evidence:
    """Entries of T(g) T(1, zeta) - T(1, g zeta) diag(weights), complex balls."""
    largest = Fraction(0)
    with precision(256):
        for (w, x, y, z), zeta in BALL_CASES:
            a, b, point = _ball(w, -z), _ball(y, -x), _ball(*zeta)
            for twice in range(1, 21):
                before, after = of.carried(twice, a, b, point, acb(1))
                gap = acb_mat(before) - acb_mat(after)
                for entry in gap.entries():
                    if not entry.contains(0):
                        where = describe({"q": (w, x, y, z), "2l": twice})
                        return Evidence("refuted", witness=f"{where}: the difference is {entry}")
                    size = abs(entry).upper()
                    largest = max(largest, Fraction(float(size)))
    return Evidence("holds", float(largest), note="40 matrices; the largest radius")


def lift_of_plane(zeta: Complex) -> Array:
    """The quaternion (1, -Im zeta, Re zeta, 0) of the north gauge, shape `(..., 4)`."""
    one, zero = np.ones(zeta.shape), np.zeros(zeta.shape)
    return np.stack([one, -zeta.imag, zeta.real, zero], axis=-1)


def _matrices(twice: int, quaternions: Array) -> Complex:
    return wigner.matrix(twice, wigner.angles_of_quaternions(quaternions))


def gauge_bound(twice: int) -> Bound:
    """How far D(g) D(sigma) and D(sigma') diag(e^(-i m chi)) may be apart.

    The matrices are those of `homomorphism_bound`, to which errors of angles are added.  Where |j|
    is at least a quarter of its largest value, j is off by 11 u of itself and g zeta by
    10 u + 16 u |g zeta|, which turns its lift by at most 32 u; chi is off by 24 u and 8 u for its
    arc tangent, and m chi by 2 pi l u for the product.  A phase and its product lose 6 u.
    """
    value = wigner.homomorphism_bound(twice, (wigner.ANGLES + 72) * U) + 6 * U
    return Bound(value, "homomorphism_bound(2l, 152 u) + 6 u", {"twice": twice, "u": "2^-53"})


def _moved_scores(of: Moves, twice: int, source: np.random.Generator, count: int) -> float:
    """The largest entry of the difference for random moves that stay away from the south pole."""
    q = source.standard_normal((count, 4))
    zeta = source.standard_normal(count) + 1j * source.standard_normal(count)
    a, b = q[:, 0] - 1j * q[:, 3], q[:, 2] - 1j * q[:, 1]
    scale = np.sqrt((np.abs(a) ** 2 + np.abs(b) ** 2) * (1 + np.abs(zeta) ** 2))
    safe = np.abs(a - b.conj() * zeta) > scale / 4
    q, zeta, a, b = q[safe], zeta[safe], a[safe], b[safe]
    j = of.factor(a, b, zeta)
    moved = (b + a.conj() * zeta) / j
    m = np.arange(-twice, twice + 1, 2) / 2
    phases = np.exp(-1j * m * of.gauge_angle(j)[:, None])
    # a quaternion and its opposite have the same matrix at integer l
    left = _matrices(twice, q) @ _matrices(twice, lift_of_plane(zeta))
    right = _matrices(twice, lift_of_plane(moved)) * phases[:, None, :]
    return float(np.abs(left - right).max())


@control("sign_of_the_angle", gauge_angle=lambda j: 2 * np.angle(j))
@control("half_the_angle", gauge_angle=lambda j: -np.angle(j))
@control("sign_of_the_factor", factor=_opposite_sign)
@checked_by(
    theory.GAUGE_PHASE,
    "every_degree",
    "float",
    Scope("l = 1, .., 10, 50 random moves each", "l = 1, .., 10, 1000 random moves each"),
    definitions=MOVES,
)
def moves_in_floats(of: Moves, run: Run) -> Evidence:
    """Wigner matrices of moves with |j| at least a quarter of its largest value."""
    source = np.random.default_rng(run.seed)
    count = 1000 if run.profile == "full" else 50
    worst = [(_moved_scores(of, twice, source, count), twice) for twice in range(2, 21, 2)]
    size, twice = max(worst, key=lambda case: case[0] / float(gauge_bound(case[1]).value))
    return within(size, gauge_bound(twice), witness=f"2l = {twice}")


# ---------------------------------------------------------------------- points
def place(at: ArrayLike) -> Array:
    """The unit vector of polar angle and longitude, shape `(..., 2)` -> `(..., 3)`."""
    theta, phi = np.moveaxis(np.asarray(at, dtype=np.float64), -1, 0)
    return np.stack([np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta)], -1)


def lift(at: ArrayLike) -> Array:
    """Euler angles of R_z(longitude) R_y(polar angle), shape `(..., 2)` -> `(..., 3)`."""
    theta, phi = np.moveaxis(np.asarray(at, dtype=np.float64), -1, 0)
    return np.stack([phi, theta, np.zeros(theta.shape)], axis=-1)


def random_places(source: np.random.Generator, count: int) -> Array:
    """Polar angles and longitudes of points uniform on the sphere, shape `(count, 2)`."""
    theta = np.arccos(source.uniform(-1, 1, count))
    return np.stack([theta, source.uniform(-np.pi, np.pi, count)], axis=-1)


def distance(x: Array, y: Array) -> Array:
    """The angle between unit vectors, accurate at both ends.

    Vectors that are off by 4 u each give 8 u, sine and cosine 8 u together, the arc tangent 4 u:
    within 24 u.
    """
    return np.arctan2(np.linalg.norm(np.cross(x, y), axis=-1), (x * y).sum(axis=-1))


# ---------------------------------------------------------------------- spherical.curvature
def triangle(x: Array, y: Array, z: Array) -> tuple[Array, Array]:
    """1 + x.y + y.z + z.x and det[x, y, z]: cosine and sine of half the solid angle, up to size."""
    cosines = 1 + (x * y).sum(axis=-1) + (y * z).sum(axis=-1) + (z * x).sum(axis=-1)
    return cosines, (x * np.cross(y, z)).sum(axis=-1)


def solid_angle(x: Array, y: Array, z: Array) -> Array:
    """The signed area of the triangle, in (-2 pi, 2 pi]."""
    cosines, volume = triangle(x, y, z)
    return 2 * np.arctan2(volume, cosines)


def triangle_scores(twice: int, corners: Array) -> Complex:
    """s_m(x, y) s_m(y, z) s_m(z, x), all m, for corners of shape `(count, 3, 2)`."""
    lifts = wigner.matrix(twice, lift(corners))
    product = np.ones((len(corners), twice + 1), dtype=np.complex128)
    for first in range(3):
        left, right = lifts[:, first], lifts[:, (first + 1) % 3]
        product *= (left.conj() * right).sum(axis=1)
    return product


@dataclass(frozen=True)
class Triangles:
    """The numerical definitions of `curvature`; a control replaces one of them."""

    area: Callable[[Array, Array, Array], Array] = solid_angle
    volume: Callable[[fmpq], fmpq] = lambda volume: volume
    share: Callable[[Any, int], Any] = lambda unit, power: unit**power

    def values(self, twice: int, corners: Array) -> Complex:
        """d_mm d_mm d_mm e^(i m area), all m."""
        x, y, z = np.moveaxis(place(corners), 1, 0)
        m = np.arange(-twice, twice + 1, 2) / 2
        product = np.exp(1j * m * self.area(x, y, z)[:, None])
        for first, second in ((x, y), (y, z), (z, x)):
            d = wigner.small(twice, distance(first, second))
            product = product * np.diagonal(d, axis1=1, axis2=2)
        return product


TRIANGLES = Triangles()
triangle_values = TRIANGLES.values
#: Triangles of |1 + x.y + y.z + z.x + i det| at least this are tried: their area is well defined.
OPEN = 0.5


def triangle_bound(twice: int) -> Bound:
    """How far `triangle_scores` and `triangle_values` may be apart, where |..| >= OPEN.

    A score is an entry of D* D with both factors off by e = matrix_bound: 2 e sqrt(n) + n e^2, and
    sqrt(2) n u of the sum.  A unit vector is off by 4 u, so a distance by 24 u in all (see
    `distance`), and d_mm by l times that and entry_bound.  The two sums of `triangle` are off by
    48 u together, the area by 96 u / OPEN and 8 u for its arc tangent, m times it by 2 pi l u more,
    and e^(i m area) by l times that and 4 u.  Each of three factors is at most 1; six products lose
    3 u each.
    """
    n, error, degree = twice + 1, wigner.matrix_bound(twice), Fraction(twice, 2)
    root = Fraction(float(np.sqrt(n))) * (1 + 4 * U)
    score = 2 * error * root + n * error**2 + Fraction(3, 2) * n * U
    cosine = wigner.entry_bound(twice) + 24 * degree * U
    phase = degree * (96 / Fraction(OPEN) + 16) * U + 4 * U
    value = (3 * score + 3 * cosine + phase + 18 * U) * (1 + Fraction(1, 2**20))
    formula = "3 (2 e sqrt(n) + n e^2 + 1.5 n u) + 3 (entry + 24 l u) + 208 l u + 22 u"
    return Bound(value, formula, {"twice": twice, "u": "2^-53"})


@control("sign_of_the_area", area=lambda x, y, z: -solid_angle(x, y, z))
@control("phase_omitted", area=lambda x, y, z: 0 * solid_angle(x, y, z))
@checked_by(
    theory.CURVATURE,
    "cycle",
    "float",
    Scope("l = 1/2, 1, 2, 5, 10, 60 triangles each", "l = 1/2, 1, 2, 5, 10, 2000 triangles each"),
    definitions=TRIANGLES,
)
def triangles_in_floats(of: Triangles, run: Run) -> Evidence:
    """Scores in the section by polar angle and longitude, against distances and area."""
    source = np.random.default_rng(run.seed)
    worst = (0.0, 1)
    for twice in (1, 2, 4, 10, 20):
        count = 2000 if run.profile == "full" else 60
        corners = random_places(source, 3 * count).reshape(count, 3, 2)
        kept = np.hypot(*triangle(*np.moveaxis(place(corners), 1, 0))) >= OPEN
        corners = corners[kept]
        gap = np.abs(triangle_scores(twice, corners) - of.values(twice, corners))
        size = float(gap.max())
        scale = float(triangle_bound(twice).value)
        if size / scale >= worst[0] / float(triangle_bound(worst[1]).value):
            worst = size, twice
    return within(worst[0], triangle_bound(worst[1]), witness=f"2l = {worst[1]}")


def vector(zeta: Gaussian) -> tuple[fmpq, fmpq, fmpq]:
    """The exact point of a stereographic coordinate."""
    size = zeta.square()
    return 2 * zeta.real / (1 + size), 2 * zeta.imag / (1 + size), (1 - size) / (1 + size)


def _dot(x: Sequence[fmpq], y: Sequence[fmpq]) -> fmpq:
    return sum((a * b for a, b in zip(x, y, strict=True)), fmpq(0))


def _volume(x: Sequence[fmpq], y: Sequence[fmpq], z: Sequence[fmpq]) -> fmpq:
    (a, b, c), (d, e, f), (g, h, i) = x, y, z
    return a * (e * i - f * h) + b * (f * g - d * i) + c * (d * h - e * g)


def unsigned(twice: int, k: int, A: fmpq, B: fmpq) -> fmpq:
    """|a|^(-|2m|) T_kk for |a|^2 = A, |b|^2 = B and arg a = 0, with 2m = 2k - 2l."""
    low, high = sorted((k, twice - k))
    terms = (
        (-1) ** t * comb(high, t) * comb(low, t) * A ** (low - t) * B**t for t in range(low + 1)
    )
    return sum(terms, fmpq(0))


@control("sign_of_the_volume", volume=lambda volume: -volume)
@control("phase_omitted", share=lambda unit, power: ONE)
@checked_by(
    theory.CURVATURE,
    "cycle",
    "property",
    Scope("100 triples of Gaussian rationals, 2l = 1..5", "2000 triples of Gaussian rationals"),
    definitions=TRIANGLES,
)
def triangles_of_gaussian_rationals(of: Triangles, run: Run) -> Evidence:
    """Exact: T_kk of the three sides against vectors, their dot products and their volume."""
    from hypothesis import strategies as st

    def predicate(twice: int, k: int, zetas: list[Gaussian]) -> bool:
        k = k % (twice + 1)
        product, cosines, length = ONE, fmpq(1), fmpq(1)
        for first in range(3):
            zeta, eta = zetas[first], zetas[(first + 1) % 3]
            a, b = ONE + zeta.conjugate() * eta, eta - zeta
            product = product * form_action(twice, unitary(a, b))[k][k]
            cosines *= unsigned(twice, k, a.square(), b.square())
            length *= 1 + zeta.square()
        x, y, z = (vector(zeta) for zeta in zetas)
        corner = Gaussian(1 + _dot(x, y) + _dot(y, z) + _dot(z, x), of.volume(_volume(x, y, z)))
        kappa = corner * Gaussian(length / 4, fmpq(0))
        unit = kappa if 2 * k >= twice else kappa.conjugate()
        return product == of.share(unit, abs(2 * k - twice)) * Gaussian(cosines, fmpq(0))

    axes = {
        "twice": st.integers(1, 5),
        "k": st.integers(0, 5),
        "zetas": st.lists(gaussian_rationals(), min_size=3, max_size=3),
    }
    octant = {"twice": 2, "k": 2, "zetas": [gaussian(1), gaussian(0, 1), gaussian(0)]}
    return hunt(predicate, axes, run, first=octant)


# ---------------------------------------------------------------------- spherical.bearings
def bearings(at: ArrayLike, seen: ArrayLike) -> Array:
    """The bearing of points seen from points, from north towards east, in (-pi, pi]."""
    theta, phi = np.moveaxis(np.asarray(at, dtype=np.float64), -1, 0)
    c, s, cp, sp = np.cos(theta), np.sin(theta), np.cos(phi), np.sin(phi)
    x, y, z = np.moveaxis(place(seen), -1, 0)
    north = -c * cp * x - c * sp * y + s * z
    return np.arctan2(-sp * x + cp * y, north)


def score(twice: int, x: ArrayLike, y: ArrayLike, query: Complex, key: Complex) -> Any:
    """q^* D(sigma_x)^* D(sigma_y) k of points `(..., 2)`, through their lifts; shape `(...)`."""
    left, right = (wigner.matrix(twice, lift(at)) for at in (x, y))
    return ((left @ query).conj() * (right @ key)).sum(axis=-1)


@dataclass(frozen=True)
class Seen:
    """The numerical definitions of `bearings`; a control replaces one of them."""

    outer: Callable[[Any, Any], tuple[Any, Any]] = lambda out, back: (out, back)
    sign: Callable[[NDArray[Any]], NDArray[Any]] = lambda m: (-1.0) ** m

    def score(self, twice: int, x: ArrayLike, y: ArrayLike, query: Complex, key: Complex) -> Any:
        """The same from the distance and the two bearings; l is an integer."""
        out, back = self.outer(bearings(x, y), bearings(y, x))
        m = np.arange(-(twice // 2), twice // 2 + 1)
        d = wigner.small(twice, distance(place(x), place(y)))
        left = query.conj() * self.sign(m) * np.exp(1j * m * np.asarray(out)[..., None])
        right = np.exp(-1j * m * np.asarray(back)[..., None]) * key
        return (left * (d @ right[..., None])[..., 0]).sum(axis=-1)


SEEN = Seen()
score_by_bearings = SEEN.score


def bearings_bound(twice: int, sine: float) -> Bound:
    """How far the two scores of unit vectors may be apart at the sine of the distance.

    Through the lifts: twice matrix_bound and the rounding of two products, on n entries.  A point
    is off by 4 u and its components along north and east by 12 u together, each bearing then by
    12 u / sine and 4 u, m times it by pi l u more, the distance by 24 u: the rotation by
    24 u / sine + 40 u.  Entries of d and phases add entry_bound and 16 u on n entries.
    """
    n, degree = twice + 1, Fraction(twice, 2)
    lifted = n * (2 * wigner.matrix_bound(twice) + 4 * n * U)
    turned = degree * (24 / Fraction(sine) + 40) * U
    matrix = n * (wigner.entry_bound(twice) + 16 * U + 2 * n * U)
    formula = "n (2 e + 4 n u) + l (24 u / sin(beta) + 40 u) + n (entry + 16 u + 2 n u)"
    return Bound(lifted + turned + matrix, formula, {"twice": twice, "sine": sine})


def _unit(values: Array) -> Complex:
    vector = values[0] + 1j * values[1]
    return np.asarray(vector / np.linalg.norm(vector))


def _exchange(out: Any, back: Any) -> tuple[Any, Any]:
    return back, out


@control("bearings_exchanged", outer=_exchange)
@control("sign_lost", sign=lambda m: 1.0 + 0 * m)
@checked_by(
    theory.BEARINGS,
    "score",
    "float",
    Scope("l = 1, 2, 5, 10, 60 pairs each", "l = 1, 2, 5, 10, 2000 pairs each"),
    definitions=SEEN,
)
def bearings_in_floats(of: Seen, run: Run) -> Evidence:
    """Random points at least 1/16 apart and from being opposite, random unit queries and keys."""
    source = np.random.default_rng(run.seed)
    ratio, size, bound, where = -1.0, 0.0, bearings_bound(2, 1.0), ""
    for twice in (2, 4, 10, 20):
        for x, y in random_places(source, 4000 if run.profile == "full" else 120).reshape(-1, 2, 2):
            sine = float(np.sin(distance(place(x), place(y))))
            if sine < 1 / 16:
                continue
            query, key = (_unit(source.standard_normal((2, twice + 1))) for _ in range(2))
            gap = abs(score(twice, x, y, query, key) - of.score(twice, x, y, query, key))
            allowed = bearings_bound(twice, sine)
            if gap / float(allowed.value) > ratio:
                ratio, size, bound = gap / float(allowed.value), float(gap), allowed
                where = f"2l = {twice}, x = {x.tolist()}, y = {y.tolist()}"
    return within(size, bound, witness=where)


@control("bearings_exchanged", outer=_exchange)
@checked_by(
    theory.BEARINGS,
    "angles",
    "property",
    Scope("100 pairs of points 10^-3 to pi - 10^-3 apart", "2000 pairs of points"),
    definitions=SEEN,
)
def rotations_of_bearings(of: Seen, run: Run) -> Evidence:
    """sigma(x)^T sigma(y) against R_z(pi - B) R_y(beta) R_z(B'), 3 x 3 matrices of floats.

    Entries are sums of products of cosines: 16 u each side beyond what the angles are off by.
    """
    from hypothesis import assume
    from hypothesis import strategies as st

    def predicate(x: tuple[float, float], y: tuple[float, float]) -> bool:
        apart = float(distance(place(x), place(y)))
        assume(1e-3 <= apart <= np.pi - 1e-3)
        out, back = of.outer(bearings(x, y), bearings(y, x))
        left, right = wigner.rotations_of_angles(lift([x, y]))
        euler = wigner.rotations_of_angles([np.pi - out, apart, back])
        limit = (24 / np.sin(apart) + 40 + 32) * 2.0**-53
        return bool(np.abs(left.T @ right - euler).max() <= limit)

    at = st.tuples(st.floats(0, 3.14), st.floats(-3.14, 3.14))
    return hunt(predicate, {"x": at, "y": at}, run, first={"x": (0.7, 0.1), "y": (1.1, 2.0)})
