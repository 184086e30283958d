r"""Zonal scores against Legendre polynomials, sums over grids, and the flat limit.

Main definitions
----------------
zonal_series       sum (-1)^k C(l, k)^2 A^(l - k) B^k of numbers of any kind
zonal_scores       sum_m conj(D_m0(x)) D_m0(y) of points

Main claims
-----------
spherical.addition_theorem

Conventions
-----------
Points are polar angles and longitudes, shape `(..., 2)`, as in `posproof.numerics.spherical.gauge`.
u = 2^-53.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
from flint import arb, fmpq
from numpy.typing import ArrayLike, NDArray

from posproof.numerics import wigner
from posproof.numerics.balls import ends, precision
from posproof.numerics.hunt import hunt
from posproof.numerics.measure import within
from posproof.numerics.spherical.gauge import lift, random_places
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
