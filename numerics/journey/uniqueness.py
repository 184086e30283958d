"""The families that drop one axiom of a score, measured; and block rotations in float64.

Main definitions
----------------
block_rotation     planes turned by their own angles
Families           the families of the claim as scores
dropped_axioms     which axioms each of them fails

Main claims
-----------
journey.uniqueness

Conventions
-----------
As in `posproof.numerics.axioms`, which measures the axioms.  Angles are in radians.

References
----------
none
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from posproof.numerics.axioms import (
    Array,
    Findings,
    Model,
    Score,
    V,
    commutators,
    gamma,
    interleaved_frame,
    measure,
    rope,
)
from posproof.numerics.hunt import hunt
from posproof.numerics.measure import within
from posproof.theory.journey.uniqueness import UNIQUENESS
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control


def block_rotation(angles: Array) -> Array:
    """Planes (2 c, 2 c + 1) turned by the angles; shapes `(..., m)` and `(..., 2 m, 2 m)`."""
    m = angles.shape[-1]
    blocks = np.zeros((*angles.shape[:-1], 2 * m, 2 * m))
    even = 2 * np.arange(m)
    cosine, sine = np.cos(angles), np.sin(angles)
    blocks[..., even, even], blocks[..., even + 1, even + 1] = cosine, cosine
    blocks[..., even + 1, even], blocks[..., even, even + 1] = sine, -sine
    return blocks


def phase_of(frequencies: Array, x: Array) -> Array:
    """The angles <omega_c, x>, shapes `(m, n)` and `(n,)`, in the order of their arguments."""
    return frequencies @ x


def mirror() -> Array:
    """A reflection of the plane."""
    return np.diag([1.0, -1.0])


def tilt() -> Array:
    """An orthonormal frame that is not made of the planes (0, 1) and (2, 3)."""
    return np.array([[1, 2, 2, 0], [2, 1, -2, 0], [2, -2, 1, 0], [0, 0, 0, 3]]) / 3


@dataclass(frozen=True)
class Families:
    """The families of `journey.uniqueness` as scores; a control puts the axiom back."""

    phase_of: Callable[[Array, Array], Array] = phase_of
    block_rotation: Callable[[Array], Array] = block_rotation
    load: Callable[[Array], float] = lambda k: float(k @ k)
    damping: float = 0.9
    mirror: Callable[[], Array] = mirror
    tilt: Callable[[], Array] = tilt
    quadratic: Callable[[int, int], int] = lambda i, j: (j - i) ** 2
    absolute: Callable[[int, int], int] = lambda i, j: j**2 - i**2


FAMILIES = Families()
ANGLE, OTHER_ANGLE = math.atan2(4, 3), math.atan2(12, 5)
FEW = (0, 1, 2, 3)


def _plane(angle: float) -> Array:
    return block_rotation(np.array([angle]))


def _of_matrix(matrix: Callable[[int, int], Array]) -> Score:
    return lambda q, k, i, j: float(q @ matrix(i, j) @ k)


def loaded(of: Families) -> Score:
    """Rotations whose angle grows with the squared length of the key."""
    return lambda q, k, i, j: float(q @ _plane(ANGLE * (j - i) * of.load(k)) @ k)


def damped(of: Families) -> Score:
    return _of_matrix(lambda i, j: of.damping ** (j - i) * _plane(ANGLE * (j - i)))


def parity(of: Families) -> Score:
    return _of_matrix(lambda i, j: np.linalg.matrix_power(of.mirror(), (j - i) % 2))


def tilted(of: Families) -> Score:
    angles, frame = np.array([ANGLE, OTHER_ANGLE]), of.tilt()
    return _of_matrix(lambda i, j: frame @ block_rotation(angles * (j - i)) @ frame.T)


def quadratic(of: Families) -> Score:
    return _of_matrix(lambda i, j: _plane(ANGLE * of.quadratic(i, j)))


def absolute(of: Families) -> Score:
    return _of_matrix(lambda i, j: _plane(ANGLE * of.absolute(i, j)))


#: Score, head dimension, and the largest angle in radians.  22 is more than |k|^2 of the vectors
#: tried; the products with the tilt round like a vector turned by 8 radians more.
DROPPED: dict[str, tuple[Callable[[Families], Score], int, float]] = {
    "loaded": (loaded, 2, 3 * ANGLE * 22),
    "damped": (damped, 2, 3 * ANGLE),
    "parity": (parity, 2, 0.0),
    "tilted": (tilted, 4, 3 * OTHER_ANGLE + 8),
    "quadratic": (quadratic, 2, 9 * ANGLE),
    "absolute": (absolute, 2, 9 * ANGLE),
}


def dropped_axioms(of: Families = FAMILIES) -> dict[str, Findings]:
    """What the certifier finds in RoPE and in the family for each axiom that is dropped."""
    plain = partial(rope, theta=np.array([ANGLE]), frame=interleaved_frame(2))
    found = {"RoPE": measure(plain, FEW, interleaved_frame(2), Model(2, V, Fraction(3 * ANGLE)))}
    return found | {name: _findings(of, name) for name in DROPPED}


def _findings(of: Families, name: str) -> Findings:
    score, d, angle = DROPPED[name]
    return measure(score(of), FEW, interleaved_frame(d), Model(d, V, Fraction(angle)))


def _fails_exactly(of: Families, dropped: str, *names: str) -> Evidence:
    """Every family fails the dropped axiom and no other."""
    largest = Fraction(0)
    for name in names:
        for finding in _findings(of, name):
            if finding.holds == (finding.axiom == dropped):
                state = "holds" if finding.holds else "fails"
                size = f"residual {finding.residual:.3g} at {finding.witness}"
                return Evidence("refuted", witness=f"{name}: {finding.axiom} {state}, {size}")
            if finding.holds:
                largest = max(largest, Fraction(finding.residual) / finding.bound.value)
    share = Bound(Fraction(1), "residual / bound, the largest over the axioms that hold")
    return within(largest, share, note=f"{dropped} fails, the others hold")


@control("linear_after_all", load=lambda k: 1.0)
@checked_by(UNIQUENESS, "drop_bilinear", "float", "positions 0..3", definitions=FAMILIES)
def loaded_rotations(of: Families, run: Run) -> Evidence:
    return _fails_exactly(of, "bilinear", "loaded")


@control("norms_kept", damping=1.0)
@checked_by(UNIQUENESS, "drop_norm", "float", "positions 0..3", definitions=FAMILIES)
def damped_rotations(of: Families, run: Run) -> Evidence:
    return _fails_exactly(of, "norm", "damped")


@control("a_rotation_for_the_flip", mirror=lambda: -np.eye(2))
@control("the_frame_itself", tilt=lambda: np.eye(4))
@checked_by(UNIQUENESS, "drop_toral", "float", "positions 0..3", definitions=FAMILIES)
def parity_and_tilt(of: Families, run: Run) -> Evidence:
    return _fails_exactly(of, "toral", "parity", "tilted")


@control("angle_of_the_offset", quadratic=lambda i, j: j - i)
@checked_by(UNIQUENESS, "drop_cocycle", "float", "positions 0..3", definitions=FAMILIES)
def quadratic_phases(of: Families, run: Run) -> Evidence:
    return _fails_exactly(of, "cocycle", "quadratic")


@control("angle_of_the_offset", absolute=lambda i, j: j - i)
@checked_by(UNIQUENESS, "drop_equivariance", "float", "positions 0..3", definitions=FAMILIES)
def absolute_phases(of: Families, run: Run) -> Evidence:
    return _fails_exactly(of, "translation", "absolute")


def _reflections(angles: Array) -> Array:
    flipped = block_rotation(angles)
    flipped[..., :, 1::2] *= -1
    return flipped


@control("reflection_for_rotation", block_rotation=_reflections)
@checked_by(
    UNIQUENESS,
    "sufficient",
    "property",
    Scope("100 block rotations, m = 1..4", "2000 block rotations, m = 1..4"),
    definitions=FAMILIES,
)
def block_rotations_pass(of: Families, run: Run) -> Evidence:
    """P commutes exactly with every J_c, and |P^T P - I| is the rounding of cos and sin."""
    from hypothesis import strategies as st

    def passes(angles: list[float]) -> bool:
        P = of.block_rotation(np.array(angles))
        d = len(P)
        commutes = not commutators(P[None, None], interleaved_frame(d)).any()
        # entries within 2 u, products and sums within g_d: |cos^2 + sin^2 - 1| <= (1 + 2 u)^2 - 1
        allowed = (1 + 2 * V) ** 2 * (1 + gamma(d, V)) - 1
        return commutes and Fraction(float(np.abs(P.T @ P - np.eye(d)).max())) <= allowed

    angle = st.floats(-1000, 1000)
    drawn = {"angles": st.lists(angle, min_size=1, max_size=4)}
    return hunt(passes, drawn, run, first={"angles": [1.0]})


@control("squares_of_offsets", phase_of=lambda w, x: w @ (x * np.abs(x)))
@checked_by(
    UNIQUENESS,
    "linear",
    "property",
    Scope("100 frequency matrices, positions in [-50, 50]^n", "2000 frequency matrices"),
    definitions=FAMILIES,
)
def linear_phases_compose(of: Families, run: Run) -> Evidence:
    """A(i)^T A(j) = P(j - i), P(k - i) P(j - k) = P(j - i), within 64 u (1 + max |<omega, x>|).

    An angle <omega, x> is computed within n u of the sum of its terms' sizes, of which
    `largest` is a bound; three rotations meet, their entries are within 2 u, and each product of
    two rounds by at most g_2: (3 n + 2 n) u largest + 6 u + 3 u < 64 u (1 + largest), n <= 3.
    """
    from hypothesis import strategies as st

    def composes(places: list[list[int]], seed: int, m: int) -> bool:
        i, k, j = (np.array(place, dtype=np.float64) for place in places)
        w = np.random.default_rng(seed).uniform(-np.pi, np.pi, (m, len(i)))

        def P(x: Array) -> Array:
            return of.block_rotation(of.phase_of(w, x))

        gaps = (P(i).T @ P(j) - P(j - i), P(k - i) @ P(j - k) - P(j - i))
        largest = max(float((np.abs(w) @ np.abs(x)).max()) for x in (i, k, j, j - i, k - i, j - k))
        worst = max(float(np.abs(gap).max()) for gap in gaps)
        return Fraction(worst) <= 64 * V * (1 + Fraction(largest))

    def box(n: int) -> Any:
        place = st.lists(st.integers(-50, 50), min_size=n, max_size=n)
        return st.lists(place, min_size=3, max_size=3)

    drawn = {
        "places": st.integers(1, 3).flatmap(box),
        "seed": st.integers(0, 2**32 - 1),
        "m": st.integers(1, 4),
    }
    first = {"places": [[0], [1], [-1]], "seed": 0, "m": 1}
    return hunt(composes, drawn, run, first=first)
