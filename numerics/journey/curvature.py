"""Curved and flat fields of operators, items placed on a lattice, and areas between paths.

Main definitions
----------------
cells_between         the cells between two staircase paths, with sign
curvatures            angles around all cells of an angle field; staircase_angle along one path
placed_cells          what is left around one cell for every placement of items
commutators_at        what is often tested in place of a square
rectangle_defects     how far the two outer paths of squares differ, and the bound

Main claims
-----------
journey.content_dependence, journey.stokes

Conventions
-----------
As in `posproof.numerics.journey.paths`.  Angle fields of the plane are arrays: theta_1 of shape
`(p, q + 1)` for the edges along the first axis, theta_2 of shape `(p + 1, q)`.  u = 2^-53.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posproof.numerics.balls import certify, points
from posproof.numerics.hunt import hunt
from posproof.numerics.journey.paths import (
    Array,
    Integers,
    U,
    block_rotations,
    field_journeys,
    gamma,
    plaquettes,
    reordering_bound,
    spectral_norms,
    square_corners,
)
from posproof.numerics.measure import within
from posproof.theory.journey import curvature as theory
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control


def near_rotations(
    source: np.random.Generator, shape: tuple[int, ...], d: int, size: float
) -> Array:
    """Cayley rotations (I - K)^-1 (I + K), K = size (A - A^T) with Gaussian A, `(*shape, d, d)`."""
    gaussian = size * source.standard_normal((*shape, d, d))
    skew = gaussian - np.swapaxes(gaussian, -1, -2)
    return np.asarray(np.linalg.solve(np.eye(d) - skew, np.eye(d) + skew), dtype=np.float64)


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


@dataclass(frozen=True)
class Fields:
    """The numerical definitions of this topic; a control replaces one of them."""

    plaquettes: Callable[[Array, int, int], Array] = plaquettes
    curvatures: Callable[[NDArray[Any], NDArray[Any]], NDArray[Any]] = curvatures
    field: Callable[[np.random.Generator, int, int, float], Array] = lambda source, p, q, size: (
        near_rotations(source, (2, p + 1, q + 1), 3, size)
    )
    disturb: float = 0.0
    share: Fraction = Fraction(1)


FIELDS = Fields()


# ---------------------------------------------------------------------- journey.content_dependence
def commutators_at(field: Array, a: int, b: int) -> Array:
    """T_b(x) T_a(x) - T_a(x) T_b(x), both read at x: what is often tested, and is not the square.

    Shapes as for `plaquettes`.  It vanishes on curved fields and not on flat ones.
    """
    here = square_corners(field.ndim - 3, a, b, None)
    return field[b][here] @ field[a][here] - field[a][here] @ field[b][here]


def curved_field(side: int) -> Array:
    """T_1(x) = R^(x_2), T_2 = I with R = R(arctan 4/3) on a square box, shape `(2, s, s, 2, 2)`."""
    field = np.zeros((2, side + 1, side + 1, 2, 2))
    field[1] = np.eye(2)
    rows = np.arange(side + 1, dtype=np.float64)
    field[0] = block_rotations(math.atan2(4, 3) * rows[:, None])[None, :]
    return field


@control("both_read_at_departure", plaquettes=commutators_at)
@checked_by(
    theory.CONTENT_DEPENDENCE,
    "commuting_but_curved",
    "float",
    Scope("a box of side 8", "a box of side 100"),
    definitions=FIELDS,
)
def commuting_field_is_seen_to_be_curved(of: Fields, run: Run) -> Evidence:
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
    definitions=FIELDS,
)
def content_shows_in_some_placement(of: Fields, run: Run) -> Evidence:
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
    definitions=FIELDS,
)
def constant_operators_are_flat(of: Fields, run: Run) -> Evidence:
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
    definitions=FIELDS,
)
def areas_of_integers(of: Fields, run: Run) -> Evidence:
    """Two staircase paths in an integer angle field: exactly the signed cells between them."""
    from hypothesis import strategies as st

    def predicate(p: int, q: int, seed: int) -> bool:
        source = np.random.default_rng(seed)
        theta1 = source.integers(-50, 50, (p, q + 1))
        theta2 = source.integers(-50, 50, (p + 1, q))
        letters = np.repeat([0, 1], [p, q])
        low, high = source.permutation(letters), source.permutation(letters)
        angles = [int(staircase_angle(theta1, theta2, word.tolist())) for word in (low, high)]
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
    definitions=FIELDS,
)
def difference_is_below_the_squares(of: Fields, run: Run) -> Evidence:
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
    return spectral_norms(np.array(defects)), one * np.arange(1.0, sides + 1) ** 2


@control("half_the_bound", share=Fraction(1, 2))
@checked_by(
    theory.STOKES,
    "rectangle",
    "float",
    "R_x(0.1), R_z(0.1), squares of side 1..31",
    definitions=FIELDS,
)
def rectangles_in_space(of: Fields, run: Run) -> Evidence:
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
def circle_in_balls(of: theory.Curvature, run: Run) -> Evidence:
    """sin^2(f n / 2) <= n^2 sin^2(f / 2), strict where n >= 2 and f is no multiple of 2 pi."""
    last = 60 if run.profile == "full" else 12
    grid = points(n=range(2, last + 1), f=[Fraction(k, 5) for k in range(1, 17)])
    return certify(theory.STOKES.clause("constant_curvature").statement(of), grid, run.digits)
