r"""Zonal scores against Legendre polynomials, sums over grids, and the flat limit.

Main definitions
----------------
zonal_series       sum (-1)^k C(l, k)^2 A^(l - k) B^k of numbers of any kind
zonal_scores       sum_m conj(D_m0(x)) D_m0(y) of points
gauss_grid         Gauss-Legendre latitudes and equally spaced longitudes, with weights
equal_grid, sine_grid   equidistant latitudes, weighted alike or by the sine of the polar angle
grid_sums          sum_j w_j f(x.y_j)
entry_of_small     d^l_(m' m)(beta) in balls

Main claims
-----------
spherical.addition_theorem, spherical.quadrature, spherical.flat_limit

Conventions
-----------
Points are polar angles and longitudes, shape `(..., 2)`, as in `posproof.numerics.spherical.gauge`.
u = 2^-53.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any, NamedTuple

import numpy as np
from flint import arb, fmpq
from numpy.typing import ArrayLike, NDArray

from posproof.numerics import wigner
from posproof.numerics.balls import ends, precision
from posproof.numerics.hunt import hunt
from posproof.numerics.measure import within
from posproof.numerics.spherical.gauge import distance, lift, place, random_places
from posproof.theory.spherical import harmonics as theory
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]
U = wigner.U


# ---------------------------------------------------------------------- addition_theorem
@dataclass(frozen=True)
class Zonal:
    """The numerical definitions of `addition_theorem`; a control replaces one of them."""

    power: int = 2
    middle: Callable[[int], int] = lambda ell: 2 * ell + 3
    conjugate: Callable[[Complex], Complex] = np.conjugate

    def series(self, degree: int, A: Any, B: Any) -> Any:
        """S_l of A = |a|^2 and B = |b|^2."""
        total = A * 0
        for k in range(degree + 1):
            sign = 1 - 2 * (k % 2)
            total = total + A ** (degree - k) * B**k * (sign * comb(degree, k) ** self.power)
        return total

    def scores(self, degree: int, x: ArrayLike, y: ArrayLike) -> Complex:
        """sum_m conj(D_m0(x)) D_m0(y), shape `(...)`."""
        left, right = (wigner.matrix(2 * degree, lift(at))[..., degree] for at in (x, y))
        return np.asarray((self.conjugate(left) * right).sum(axis=-1))


ZONAL = Zonal()
zonal_series, zonal_scores = ZONAL.series, ZONAL.scores


@control("binomials_not_squared", power=1)
@control("middle_coefficient", middle=lambda ell: 2 * ell + 1)
@checked_by(
    theory.ADDITION_THEOREM,
    "recurrence",
    "property",
    Scope("100 triples of l <= 40 and rational A, B", "2000 triples of l <= 40 and rational A, B"),
    definitions=ZONAL,
)
def recurrence_of_rationals(of: Zonal, run: Run) -> Evidence:
    """Exact, also where A is 0."""
    from hypothesis import strategies as st

    def predicate(degree: int, numbers: tuple[int, int, int]) -> bool:
        above, below, under = numbers
        A, B = fmpq(above, under), fmpq(below, under)
        first, second, third = (of.series(degree + step, A, B) for step in range(3))
        middle = of.middle(degree) * (A - B) * second
        return bool((degree + 2) * third - middle + (degree + 1) * (A + B) ** 2 * first == 0)

    numbers = st.tuples(st.integers(-9, 9), st.integers(-9, 9), st.integers(1, 9))
    axes = {"degree": st.integers(0, 40), "numbers": numbers}
    return hunt(predicate, axes, run, first={"degree": 0, "numbers": (2, 1, 1)})


@control("binomials_not_squared", power=1)
@checked_by(
    theory.ADDITION_THEOREM, "degrees", "ball", "l = 0, .., 64 at five angles", definitions=ZONAL
)
def series_in_balls(of: Zonal, run: Run) -> Evidence:
    """S_l(cos^2(beta / 2), sin^2(beta / 2)) against FLINT's Legendre polynomials."""
    largest = Fraction(0)
    with precision(512):
        for beta in (fmpq(1, 1000), fmpq(1, 10), fmpq(7, 10), fmpq(31, 20), fmpq(29, 10)):
            c, s = (arb(beta) / 2).cos(), (arb(beta) / 2).sin()
            for degree in range(65):
                gap = of.series(degree, c**2, s**2) - arb(beta).cos().legendre_p(degree)
                if not gap.contains(0):
                    where = f"l = {degree}, beta = {beta}"
                    return Evidence("refuted", witness=f"{where}: the difference is {gap.str(8)}")
                low, high = ends(gap)
                largest = max(largest, high - low)
    return Evidence("holds", float(largest), note="325 differences; the largest ball")


def zonal_bound(degree: int) -> Bound:
    """How far `zonal_scores` may be from P_l of the points' cosine.

    Columns of unit length, each entry off by e = matrix_bound: 2 e sqrt(n) + n e^2; a sum of n
    complex products loses sqrt(2) (n + 2) u.
    """
    n, error = 2 * degree + 1, wigner.matrix_bound(2 * degree)
    root = Fraction(float(np.sqrt(n))) * (1 + 4 * U)
    value = 2 * error * root + n * error**2 + Fraction(3, 2) * (n + 2) * U
    formula = "2 e sqrt(n) + n e^2 + 1.5 (n + 2) u"
    return Bound(value, formula, {"degree": degree, "u": "2^-53"})


def cosine_of_places(x: Array, y: Array) -> arb:
    """x.y of two points as given, a ball."""
    (theta, phi), (other, shift) = ((arb(float(part)) for part in at) for at in (x, y))
    apart = (arb(phi) - arb(shift)).cos()
    return theta.cos() * other.cos() + theta.sin() * other.sin() * apart


@control("conjugate_dropped", conjugate=np.positive)
@checked_by(
    theory.ADDITION_THEOREM,
    "cosine",
    "float",
    Scope("l = 1, 2, 5, 10, 32, 64, 20 pairs each", "l = 1, 2, 5, 10, 32, 64, 500 pairs each"),
    definitions=ZONAL,
)
def scores_in_floats(of: Zonal, run: Run) -> Evidence:
    """Random pairs of points against P_l in balls."""
    source = np.random.default_rng(run.seed)
    ratio, size, bound, where = -1.0, 0.0, zonal_bound(1), ""
    for degree in (1, 2, 5, 10, 32, 64):
        pairs = random_places(source, 1000 if run.profile == "full" else 40).reshape(-1, 2, 2)
        allowed = zonal_bound(degree)
        found = of.scores(degree, pairs[:, 0], pairs[:, 1])
        with precision(128):
            exact = [float(cosine_of_places(x, y).legendre_p(degree)) for x, y in pairs]
        gaps = np.abs(found - np.array(exact))
        worst = int(gaps.argmax())
        if gaps[worst] / float(allowed.value) > ratio:
            ratio, size, bound = gaps[worst] / float(allowed.value), float(gaps[worst]), allowed
            where = f"l = {degree}, points {pairs[worst].tolist()}"
    return within(size, bound, witness=where)


# ---------------------------------------------------------------------- quadrature
class Grid(NamedTuple):
    """Weights, shape `(count,)`, and unit vectors, shape `(count, 3)`."""

    weights: Array
    points: Array


def _grid(rows: Array, longitudes: int) -> Grid:
    """From rows (weight, sine, cosine) of latitudes; every longitude of a row has its weight."""
    angle = 2 * np.pi * np.arange(longitudes) / longitudes
    weight, sine, cosine = np.repeat(rows, longitudes, axis=0).T
    around = np.tile(np.stack([np.cos(angle), np.sin(angle)], axis=-1), (len(rows), 1))
    return Grid(weight, np.stack([sine * around[:, 0], sine * around[:, 1], cosine], axis=-1))


@lru_cache(maxsize=64)
def gauss_rows(n: int) -> Array:
    """Weights, sines and cosines of n Gauss-Legendre latitudes, `(n, 3)`, each rounded once."""
    rows = []
    with precision(128):
        for k in range(n):
            cosine, weight = arb.legendre_p_root(n, k, weight=True)
            rows.append([float(weight), float((1 - cosine**2).sqrt()), float(cosine)])
    return np.array(rows)


def gauss_grid(n: int) -> Grid:
    """n Gauss-Legendre latitudes with 2n longitudes; the weights add up to 4n."""
    return _grid(gauss_rows(n), 2 * n)


def short_grid(n: int) -> Grid:
    """The same with 2n - 1 longitudes, which take mode 2n - 1 for a constant."""
    return _grid(gauss_rows(n), 2 * n - 1)


def _equidistant(n: int, weight: Callable[[Array], Array]) -> Grid:
    theta = (np.arange(n) + 0.5) * np.pi / n
    return _grid(np.stack([weight(theta), np.sin(theta), np.cos(theta)], axis=-1), 2 * n)


def equal_grid(n: int) -> Grid:
    """n equidistant latitudes with 2n longitudes, all weights 1."""
    return _equidistant(n, np.ones_like)


def sine_grid(n: int) -> Grid:
    """n equidistant latitudes with 2n longitudes, weighted by the sine of the polar angle."""
    return _equidistant(n, np.sin)


def grid_sums(grid: Grid, x: ArrayLike, kernel: Callable[[Array], Array]) -> Array:
    """sum_j w_j f(x.y_j) for unit vectors x, shape `(..., 3)` -> `(...)`."""
    cosines = np.asarray(x, dtype=np.float64) @ grid.points.T
    return np.asarray((kernel(cosines) * grid.weights).sum(axis=-1))


@dataclass(frozen=True)
class Rules:
    """The numerical definitions of `quadrature`; a control replaces one of them."""

    grid: Callable[[int], Grid] = gauss_grid


RULES = Rules()


def legendre(degree: int, beta: Array) -> Array:
    """P_l(cos beta), shape of beta, within entry_bound: d_00 from one row of Delta."""
    row = wigner.half_pi(2 * degree)[degree, degree:]
    weights = 2 * row**2
    weights[0] /= 2
    cosines, _ = wigner.phases(np.arange(degree + 1.0), np.asarray(beta, dtype=np.float64))
    return np.asarray(cosines @ weights)


def legendre_sum_bound(n: int, degree: int) -> Fraction:
    """How far a computed sum_j w_j P_l(x.y_j) may be from 0 for the Gauss rule.

    P_l is an entry of d^l at the distance of two vectors.  Each is off by 4 u, their distance by
    24 u, and d by l times that and entry_bound.  A weight is off by u of itself and
    its products by 2 u; the 2 n^2 terms are added in pairs, with less than 32 u of loss each.  The
    weights add up to 4 n.
    """
    each = wigner.entry_bound(2 * degree) + 24 * degree * U + 35 * U
    return 4 * n * each * (1 + Fraction(1, 2**20))


@control("equal_weights", grid=equal_grid)
@control("one_longitude_less", grid=short_grid)
@checked_by(
    theory.QUADRATURE,
    "every_size",
    "property",
    Scope("100 triples of n = 2..12, l < 2n and x", "2000 triples of n = 2..12, l < 2n and x"),
    definitions=RULES,
)
def legendre_sums(of: Rules, run: Run) -> Evidence:
    """Sums of one Legendre polynomial over the grid."""
    from hypothesis import strategies as st

    def predicate(n: int, below: int, at: tuple[float, float]) -> bool:
        degree = 2 * n - 1 - below % (2 * n - 1)
        x, grid = place(at), of.grid(n)
        total = float((legendre(degree, distance(grid.points, x)) * grid.weights).sum())
        return abs(total) <= float(legendre_sum_bound(n, degree))

    axes = {
        "n": st.integers(2, 12),
        "below": st.integers(0, 22),
        "at": st.tuples(st.floats(0, 3.14), st.floats(-3.14, 3.14)),
    }
    return hunt(predicate, axes, run, first={"n": 2, "below": 1, "at": (0.0, 0.0)})


def exponential_bound(n: int, kappa: int) -> Bound:
    """How far the Gauss mean of exp(kappa x.y) may be from sinh(kappa) / kappa, relatively.

    exp(kappa t) = sum (2l + 1) i_l(kappa) P_l(t); the rule is exact below degree 2n and its weights
    are positive, so it is off by the tail at most; the tail's terms fall at least by half where it
    is cut off.  A cosine is off by 9 u, so a term by
    9 kappa u of itself and 4 u; the sum in pairs by 32 u.
    """
    with precision(256):
        k, tail = arb(kappa), arb(0)
        root = (arb.pi() / (2 * k)).sqrt()
        for degree in range(2 * n, 2 * n + 80):
            last = (2 * degree + 1) * root * k.bessel_i(arb(2 * degree + 1) / 2)
            tail += last
        _, high = ends((tail + last) * k / k.sinh())
    value = high * (1 + Fraction(1, 2**60)) + (9 * kappa + 40) * U
    formula = "sum_{l >= 2n} (2l + 1) i_l(kappa) kappa / sinh(kappa) + (9 kappa + 40) u"
    return Bound(value, formula, {"n": n, "kappa": kappa})


def exponential_defect(grid: Grid, kappa: int, x: Array) -> float:
    """The largest relative difference of the grid's mean of exp(kappa x.y) from the sphere's."""
    mean = grid_sums(grid, x, lambda t: np.exp(kappa * t)) / grid.weights.sum()
    return float(np.abs(mean / (np.sinh(kappa) / kappa) - 1).max())


def random_vectors(source: np.random.Generator, count: int) -> Array:
    """Unit vectors, the pole and e_1 first, shape `(count, 3)`."""
    x = place(random_places(source, count))
    x[:2] = [[0, 0, 1], [1, 0, 0]]
    return x


@control("equal_weights", grid=equal_grid)
@control("sine_weights", grid=sine_grid)
@checked_by(
    theory.QUADRATURE,
    "every_size",
    "float",
    Scope("n = 8, 16, 32, kappa = 1 and 8, 200 points", "the same with 2000 points"),
    definitions=RULES,
)
def exponential_means(of: Rules, run: Run) -> Evidence:
    """exp(kappa x.y) is what a softmax over zonal scores sums."""
    x = random_vectors(np.random.default_rng(run.seed), 2000 if run.profile == "full" else 200)
    ratio, size, bound, where = -1.0, 0.0, exponential_bound(8, 1), ""
    for n in (8, 16, 32):
        for kappa in (1, 8):
            found, allowed = exponential_defect(of.grid(n), kappa, x), exponential_bound(n, kappa)
            if found / float(allowed.value) > ratio:
                ratio, size, bound = found / float(allowed.value), found, allowed
                where = f"n = {n}, kappa = {kappa}"
    return within(size, bound, witness=where)


# ---------------------------------------------------------------------- flat limit
def entry_of_small(twice: int, row: int, column: int, beta: arb) -> arb:
    """d^l_(m' m)(beta) as a ball, m' = row - l and m = column - l, from its polynomial.

    The terms cancel to about 2^-l of their size, so the precision has to be some 4 l bits more
    than what is asked for.
    """
    c, s = (beta / 2).cos(), (beta / 2).sin()
    total = arb(0)
    for i in range(max(0, row + column - twice), min(row, column) + 1):
        size = comb(column, i) * comb(twice - column, row - i)
        sign = 1 - 2 * ((row - i) % 2)
        sines = row + column - 2 * i
        total += size * sign * c ** (twice - sines) * s**sines
    return total * (arb(comb(twice, column)) / comb(twice, row)).sqrt()


@dataclass(frozen=True)
class Flat:
    """The numerical definitions of `flat_limit`; a control replaces one of them."""

    shift: Fraction = Fraction(1, 2)
    order: Callable[[int, int], int] = lambda row, column: column - row
    halves: int = 2

    def scaled(self, degree: int, row: int, column: int, r: Fraction) -> arb:
        """lambda^2 (d_(m' m)(r / lambda) - J_(m - m')(r)), m' = row and m = column."""
        length = _ball(Fraction(degree) + self.shift)
        radius = _ball(r)
        entry = entry_of_small(2 * degree, degree + row, degree + column, radius / length)
        return (entry - bessel(self.order(row, column), radius)) * length**2

    def correction(self, r: Fraction) -> arb:
        """r^2 J_0(r) / 12 - r J_1(r) / 24."""
        radius = _ball(r)
        return radius**2 * bessel(0, radius) / 12 - radius * bessel(1, radius) / (12 * self.halves)


def _ball(x: Fraction) -> arb:
    return arb(fmpq(x.numerator, x.denominator))


def bessel(order: int, r: arb) -> arb:
    """J_m(r) for an integer m."""
    value = r.bessel_j(arb(abs(order)))
    return value if order >= 0 or order % 2 == 0 else -value


FLAT = Flat()
#: lambda^2 times the error, |m|, |m'| <= 2, stays below this.
ALLOWED = 5
ORDERS = range(-2, 3)


@control("opposite_order", order=lambda row, column: row - column)
@control("l_for_l_plus_a_half", shift=Fraction(0))
@checked_by(
    theory.FLAT_LIMIT,
    "limit",
    "ball",
    Scope("l = 16, 64 and r = 1/10, 1, 2, .., 6", "l = 16, 24, .., 64 and r = 1/10, 1/2, 1, .., 6"),
    definitions=FLAT,
)
def flat_in_balls(of: Flat, run: Run) -> Evidence:
    """lambda^2 times the difference, all |m|, |m'| <= 2."""
    full = run.profile == "full"
    degrees = range(16, 65, 8) if full else (16, 64)
    radii = [
        Fraction(1, 10),
        *(Fraction(k, 2) for k in range(1 if full else 2, 13, 1 + (not full))),
    ]
    worst, where = Fraction(0), ""
    with precision(512):
        for degree in degrees:
            for r in radii:
                for row in ORDERS:
                    for column in ORDERS:
                        low, high = ends(of.scaled(degree, row, column, r))
                        size = max(abs(low), abs(high))
                        if size > worst:
                            worst, where = size, f"l = {degree}, m' = {row}, m = {column}, r = {r}"
    return within(worst, Bound(Fraction(ALLOWED), "the bound of the clause"), witness=where)


@control("opposite_order", order=lambda row, column: row - column)
@checked_by(
    theory.FLAT_LIMIT,
    "limit",
    "property",
    Scope("100 choices of l = 16..64, m', m and r", "2000 choices of l = 16..64, m', m and r"),
    definitions=FLAT,
)
def flat_anywhere(of: Flat, run: Run) -> Evidence:
    """lambda^2 times the difference is at most 5, decided by balls."""
    from hypothesis import strategies as st

    def predicate(degree: int, row: int, column: int, r: int) -> bool:
        with precision(384):
            return bool(abs(of.scaled(degree, row, column, Fraction(r, 100))) <= ALLOWED)

    axes = {
        "degree": st.integers(16, 64),
        "row": st.integers(-2, 2),
        "column": st.integers(-2, 2),
        "r": st.integers(10, 600),
    }
    return hunt(predicate, axes, run, first={"degree": 64, "row": 1, "column": 0, "r": 300})


#: lambda^2 times the distance of lambda^2 (P_l - J_0) from its limit stays below this.
REST = 2


@control("l_for_l_plus_a_half", shift=Fraction(0))
@control("another_correction", halves=1)
@checked_by(
    theory.FLAT_LIMIT,
    "correction",
    "ball",
    Scope("l = 8, 32, 128 and r = 1, .., 6", "l = 8, 16, .., 256 and r = 1/2, 1, .., 6"),
    definitions=FLAT,
)
def correction_in_balls(of: Flat, run: Run) -> Evidence:
    """lambda^2 times the difference of lambda^2 (P_l(cos(r / lambda)) - J_0(r)) and its limit."""
    full = run.profile == "full"
    degrees = (8, 16, 32, 64, 128, 256) if full else (8, 32, 128)
    radii = [Fraction(k, 2) for k in range(1 if full else 2, 13, 1 if full else 2)]
    worst, where = Fraction(0), ""
    for degree in degrees:
        with precision(8 * degree + 256):
            for r in radii:
                gap = of.scaled(degree, 0, 0, r) - of.correction(r)
                low, high = ends(gap * _ball(Fraction(2 * degree + 1, 2) ** 2))
                size = max(abs(low), abs(high))
                if size > worst:
                    worst, where = size, f"l = {degree}, r = {r}"
    return within(worst, Bound(Fraction(REST), "the bound of the clause"), witness=where)
