r"""Characters in float64 and in balls.

Main definitions
----------------
character        chi_l(omega) in float64
character_ball   the same in balls
lowest_mean      the least value of chi_l / (2l + 1) on [0, pi], in balls
Kernels          what the checks measure; a control replaces one of them

Main claims
-----------
spherical.characters

Conventions
-----------
As in `posproof.theory.spherical.characters`; u = 2^-53, twice = 2l, n = 2l + 1.

Bounds
------
character: 2l + 1 times omega / 2 is rounded once, which moves sin((2l + 1) h) / sin(h) by at most
n h u / sin h <= (pi / 2) n u for h <= pi / 2; two sines (2 u each), a division and the size |chi|
<= n add 5 n u: 8 n u in all.  The sum of n cosines, each off by 2 u and by the rounding of its
angle, l omega u, is rounded once by `fsum`: n (3 + l omega) u.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any

import numpy as np
from flint import acb, arb, fmpz_poly
from numpy.typing import NDArray

from posproof.numerics import wigner
from posproof.numerics.balls import certify, ends, precision
from posproof.numerics.measure import sampled, within
from posproof.numerics.spherical.representations import closest
from posproof.theory.spherical.characters import CHARACTERS, Characters
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control

Complex = NDArray[np.complex128]
U = wigner.U


# ---------------------------------------------------------------------- kernels
def character(twice: int, omega: float) -> float:
    """chi_l(omega) for 0 <= omega <= 2 pi, within `character_bound`.

    The quotient of sines where neither end is near; near 0 and beyond pi the sum.
    """
    if 1e-8 < omega <= math.pi:
        return math.sin((twice + 1) * (omega / 2)) / math.sin(omega / 2)
    return math.fsum(math.cos(order / 2 * omega) for order in range(-twice, twice + 1, 2))


def quotient(twice: int, omega: float) -> float:
    """The quotient of sines; not a number at 0."""
    below = math.sin(omega / 2)
    return math.sin((twice + 1) * (omega / 2)) / below if below else math.nan


def character_bound(twice: int, omega: float) -> Fraction:
    """8 n u, or n (3 + l omega) u for the sum."""
    n = twice + 1
    if 1e-8 < omega <= math.pi:
        return 8 * n * U
    return n * (3 + Fraction(twice, 2) * Fraction(omega)) * U


def character_ball(twice: int, omega: Any) -> arb:
    """chi_l(omega) as U_2l(cos(omega / 2))."""
    return (arb(omega) / 2).cos().chebyshev_u(twice)


def lowest_mean(twice: int, bits: int = 120) -> arb:
    """The least value of chi_l / (2l + 1) on [0, pi]: at an end, or where the derivative vanishes.

    As a function of c = cos(omega / 2) it is a polynomial with integer coefficients; FLINT encloses
    the roots of its derivative and tells the real ones.
    """
    with precision(bits):
        last, now = fmpz_poly([1]), fmpz_poly([0, 2])
        for _ in range(twice):
            last, now = now, fmpz_poly([0, 2]) * now - last
        roots: list[Any] = last.derivative().complex_roots() if twice > 1 else []
        inside = [root.real for root, _ in roots if root.imag == 0 and 0 < root.real < 1]
        values = [c.chebyshev_u(twice) / (twice + 1) for c in (arb(0), arb(1), *inside)]
        return reduce(arb.min, values)


@dataclass(frozen=True)
class Kernels:
    """What the checks measure."""

    matrix: Callable[[int, Any], Complex] = wigner.matrix
    character: Callable[[int, float], float] = character
    density: Callable[[acb], acb] = lambda half: half.sin() ** 2
    dimension: Callable[[int], int] = lambda twice: twice + 1


KERNELS = Kernels()


# ---------------------------------------------------------------------- checks
def _certify(name: str, of: Characters, grid: list[dict[str, Any]], run: Run) -> Evidence:
    return certify(CHARACTERS.clause(name).statement(of), grid, run.digits)


ANGLES = (Fraction(1, 7), Fraction(1), Fraction(-5, 2), Fraction(6))


@control("last_term_left_out", character=lambda degree, angle: _short(degree, angle))
@checked_by(CHARACTERS, "dirichlet", "ball", "2l = 0, 1, 2, 7, 20 at four angles")
def dirichlet_in_balls(of: Characters, run: Run) -> Evidence:
    grid = [{"n": n, "omega": at} for n in (0, 1, 2, 7, 20) for at in ANGLES]
    return _certify("dirichlet", of, grid, run)


def _short(degree: Any, angle: Any) -> Any:
    return Characters().character(degree, angle) - 1


@control("one_degree_more", size=lambda degree: degree + 2)
@checked_by(CHARACTERS, "chebyshev", "ball", "2l = 0, 1, 2, 7, 20 at four angles")
def chebyshev_in_balls(of: Characters, run: Run) -> Evidence:
    grid = [{"n": n, "omega": at} for n in (0, 1, 2, 7, 20) for at in ANGLES]
    return _certify("chebyshev", of, grid, run)


@control("every_spin", part=lambda rest, index: rest + index)
@checked_by(CHARACTERS, "clebsch_gordan", "ball", "j, k <= 5/2 at two angles")
def clebsch_gordan_in_balls(of: Characters, run: Run) -> Evidence:
    grid = [
        {"p": p, "r": r, "omega": at} for p in (0, 1, 3) for r in (0, 1, 2) for at in ANGLES[:2]
    ]
    return _certify("clebsch_gordan", of, grid, run)


@control("without_the_square", measure=lambda half: Fraction(1, 2))
@checked_by(CHARACTERS, "orthogonal", "ball", "2l <= 3, N = 8, 9")
def orthogonal_in_balls(of: Characters, run: Run) -> Evidence:
    grid = [{"n": n, "p": p, "N": N} for n in (0, 1, 2) for p in (0, 2, 3) for N in (8, 9)]
    return _certify("orthogonal", of, grid, run)


@control("without_the_square", density=lambda half: acb(1) / 2)
@checked_by(
    CHARACTERS,
    "integral",
    "ball",
    Scope("2l, 2l' = 0 .. 5", "2l, 2l' = 0 .. 20"),
    definitions=KERNELS,
)
def integral_in_balls(of: Kernels, run: Run) -> Evidence:
    top = 21 if run.profile == "full" else 6
    largest, where = Fraction(0), ""
    with precision(100):
        for first in range(top):
            for second in range(first + 1):

                def integrand(omega: acb, _: bool, a: int = first, b: int = second) -> acb:
                    half = omega / 2
                    c = half.cos()
                    return of.density(half) * c.chebyshev_u(a) * c.chebyshev_u(b)

                value = acb.integral(integrand, 0, 2 * acb.pi()) / acb.pi()
                off = ends(abs(value.real - (first == second)))[1]
                if off >= largest:
                    largest, where = off, f"2l = {first}, 2l' = {second}"
    return within(largest, Bound(Fraction(1, 10**20), "10^-20", {}), witness=where)


@control("one_more", size=lambda degree: degree + 2)
@checked_by(CHARACTERS, "dips", "ball", "2l = 1, 2, 9; x = 4, 9/2, 6")
def dips_in_balls(of: Characters, run: Run) -> Evidence:
    grid = [{"n": n, "x": x} for n in (1, 2, 9) for x in (Fraction(4), Fraction(9, 2), Fraction(6))]
    return _certify("dips", of, grid, run)


@control("spread_of_one", spread=1)
@checked_by(CHARACTERS, "no_lower", "ball", "2l = 3, 4, 9, 30; 24 angles")
def no_lower_in_balls(of: Characters, run: Run) -> Evidence:
    grid = [{"n": n, "omega": Fraction(k, 8)} for n in (3, 4, 9, 30) for k in range(1, 25)]
    return _certify("no_lower", of, grid, run)


@control("too_high", lowest=Fraction(2171, 10000))
@checked_by(CHARACTERS, "sinc", "ball", "x in (0, 20] in steps of 1/8")
def sinc_in_balls(of: Characters, run: Run) -> Evidence:
    return _certify("sinc", of, [{"x": Fraction(k, 8)} for k in range(1, 161)], run)


@control("quotient_everywhere", character=quotient)
@checked_by(
    CHARACTERS,
    "dirichlet",
    "float",
    "2l = 0, 1, 2, 7, 20, 200; omega from 0 to 2 pi",
    definitions=KERNELS,
)
def characters_in_float64(of: Kernels, run: Run) -> Evidence:
    draw = np.random.default_rng(run.seed)
    angles = [0.0, 1e-300, 1e-9, 1e-8, math.pi, 2 * math.pi]
    angles += [float(10**x) for x in draw.uniform(-9, 0.49, 40)]
    angles += list(map(float, draw.uniform(0, 2 * math.pi, 40)))
    found = []
    with precision(200):
        for twice in (0, 1, 2, 7, 20, 200):
            for omega in angles:
                off = abs(float(arb(of.character(twice, omega)) - character_ball(twice, omega)))
                bound = character_bound(twice, omega)
                found.append((off / float(bound), off, bound, f"2l = {twice}, omega = {omega!r}"))
    return closest(found, "8 n u, or n (3 + l omega) u")


@control("one_dimension_less", dimension=lambda twice: twice)
@checked_by(
    CHARACTERS,
    "mean_score",
    "sampled",
    Scope("l = 1, 20,000 vectors", "l = 1, 200,000 vectors"),
    definitions=KERNELS,
)
def mean_of_scores(of: Kernels, run: Run) -> Evidence:
    twice, omega = 2, 1.0
    count = 200_000 if run.profile == "full" else 20_000
    draw = np.random.default_rng(run.seed)
    q = draw.normal(size=(count, twice + 1)) + 1j * draw.normal(size=(count, twice + 1))
    q /= np.linalg.norm(q, axis=1)[:, None]
    axis = np.array([2.0, 3.0, 6.0]) / 7
    turn = np.append(math.cos(omega / 2), axis * math.sin(omega / 2))
    D = of.matrix(twice, wigner.angles_of_quaternions(turn))
    scores = np.einsum("ij,jk,ik->i", q.conj(), D, q).real
    return sampled(scores, character(twice, omega) / of.dimension(twice), Fraction(2))
