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
A score is within `stabilisers.score_bound` of the score of the rotations it was given.

References
----------
Derived here; no publication is quoted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posproof.numerics import wigner
from posproof.numerics.measure import within
from posproof.numerics.spherical.stabilisers import (
    random_quaternions,
    score,
    score_bound,
    spins,
    unit_rows,
)
from posproof.theory.spherical.sections import RELATIVE_SCORE
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
    score: Callable[[Complex, Complex, Complex, Complex], Complex] = score
    real_score: Callable[[Floats, Floats, Floats, Floats], Floats] = lambda left, right, q, k: (
        np.einsum("sij,sj,sik,sk->s", left, q, right, k)
    )


def in_the_other_order(left: Complex, right: Complex, q: Complex, k: Complex) -> Complex:
    """q* (right left*) k."""
    return np.einsum("si,sij,skj,sk->s", q.conj(), right, left.conj(), k)


LIFTS = Lifts()


@control("rotated_on_the_right", moved=lambda g, r: wigner.quaternion_product(r, g))
@control("product_in_the_other_order", score=in_the_other_order)
@checked_by(RELATIVE_SCORE, "left_invariant", "float", MEASURED, definitions=LIFTS)
def common_rotations_of_lifts(of: Lifts, run: Run) -> Evidence:
    """s(R R_i, R R_j) - s(R_i, R_j): two scores, each within its bound."""
    source = np.random.default_rng(run.seed)

    def differences(twice: int) -> Complex:
        count = samples(run)
        here, there, common = (random_quaternions(source, count) for _ in range(3))
        q, k = (unit_rows(source, count, twice + 1) for _ in range(2))
        before = of.score(spins(twice, here), spins(twice, there), q, k)
        left, right = (spins(twice, of.moved(common, r)) for r in (here, there))
        return of.score(left, right, q, k) - before

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
