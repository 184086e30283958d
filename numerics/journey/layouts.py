"""Layouts of rotary positions in exact arithmetic, in float64 and as linear programmes.

Main definitions
----------------
rational_point, raised, exact_score   one plane turned by powers of a rational point
layout_kernel      the sum of cosines of a layout at an offset
one_kernel_copies  whether one kernel on one axis copies at several lengths: a linear programme
Layouts            the layouts of the claim; a control replaces one

Main claims
-----------
journey.special_cases

Conventions
-----------
Complex numbers of modulus 1 are pairs of fractions.  Angles are in radians, positions are integers.

References
----------
none
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from posproof.numerics.axioms import Array, V, gamma, interleaved_frame, ladder, rotated
from posproof.numerics.balls import certify_over
from posproof.numerics.hunt import hunt, rationals
from posproof.numerics.measure import within
from posproof.theory.journey.layouts import SPECIAL_CASES
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control

Exact = tuple[Fraction, Fraction]


def rational_point(t: Fraction) -> Exact:
    """The point (1 - t^2, 2 t) / (1 + t^2) of the circle, as a complex number."""
    return (1 - t**2) / (1 + t**2), 2 * t / (1 + t**2)


def times(a: Exact, b: Exact) -> Exact:
    return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]


def raised(a: Exact, exponent: int) -> Exact:
    """An integer power of a complex number of modulus 1, by squaring."""
    base, result = (a if exponent >= 0 else (a[0], -a[1])), (Fraction(1), Fraction(0))
    for bit in f"{abs(exponent):b}":
        result = times(result, result)
        if bit == "1":
            result = times(result, base)
    return result


def exact_score(q: Exact, k: Exact, query_turn: Exact, key_turn: Exact) -> Fraction:
    """The score of one plane: Re conj(q turned) (k turned)."""
    left, right = times(q, query_turn), times(k, key_turn)
    return left[0] * right[0] + left[1] * right[1]


def hierarchical(p: int, width: int) -> tuple[int, int]:
    """Unit and place inside the unit."""
    return divmod(p, width)


def layout_kernel(frequencies: Array, offsets: Array) -> Array:
    """Sum over the planes of cos<omega_c, D>; shapes `(m, n)`, `(..., n)` and `(...)`."""
    return np.cos(offsets @ frequencies.T).sum(axis=-1)


def one_kernel_copies(lengths: Sequence[int], reach: Callable[[int], int] = int) -> bool:
    """Whether some kernel of the offset is largest at L for every query L .. 2 L - 1, by 1.

    A linear programme over the kernel's values at the offsets 0 .. 2 max(L) - 1, which lie in
    [-1000, 1000]; offsets 0 .. query are seen, and `reach` is what a control changes.
    """
    from scipy.optimize import linprog

    size = 2 * max(lengths)
    rows = []
    for length in lengths:
        for query in range(length, 2 * length):
            for seen in range(min(reach(query) + 1, size)):
                if seen != length:
                    row = np.zeros(size)
                    row[seen], row[length] = 1, -1
                    rows.append(row)
    found = linprog(np.zeros(size), np.array(rows), -np.ones(len(rows)), bounds=(-1000, 1000))
    if found.status not in (0, 2):
        raise RuntimeError(f"the linear programme ended with status {found.status}")
    return bool(found.status == 0)


@dataclass(frozen=True)
class Layouts:
    """The layouts of `journey.special_cases`; a control replaces one."""

    flat_frequencies: Callable[[Exact, int], tuple[Exact, Exact]] = lambda z, width: (
        raised(z, width),
        z,
    )
    relative: Callable[[int, int], int] = lambda i, j: j - i
    hierarchical: Callable[[int, int], tuple[int, int]] = hierarchical
    column_of: Callable[[int, int], int] = lambda row, column: column
    reach: Callable[[int], int] = int
    angle_share: int = 1


LAYOUTS = Layouts()


@control("key_to_query", relative=lambda i, j: i - j)
@checked_by(
    SPECIAL_CASES,
    "recurrence",
    "property",
    Scope("100 rational planes, exact", "2000 rational planes, exact"),
    definitions=LAYOUTS,
)
def absolute_is_relative(of: Layouts, run: Run) -> Evidence:
    """Scores by addresses equal scores by offsets, in exact arithmetic."""
    from hypothesis import strategies as st

    def equal(t: Fraction, i: int, j: int, q: list[int], k: list[int]) -> bool:
        z = rational_point(t)
        query, key = (Fraction(q[0]), Fraction(q[1])), (Fraction(k[0]), Fraction(k[1]))
        still = (Fraction(1), Fraction(0))
        by_address = exact_score(query, key, raised(z, i), raised(z, j))
        return by_address == exact_score(query, key, still, raised(z, of.relative(i, j)))

    pair = st.lists(st.integers(-9, 9), min_size=2, max_size=2)
    place = st.integers(-24, 24)
    drawn = {"t": _ratios(), "i": place, "j": place, "q": pair, "k": pair}
    first = {"t": Fraction(1, 2), "i": 0, "j": 1, "q": [1, 0], "k": [0, 1]}
    return hunt(equal, drawn, run, first=first)


def _ratios() -> Any:
    return rationals(-9, 9, 9)


def _without_width(z: Exact, width: int) -> tuple[Exact, Exact]:
    return z, z


@control("width_ignored", flat_frequencies=_without_width)
@checked_by(
    SPECIAL_CASES,
    "flattened",
    "property",
    Scope("100 rational planes, exact", "2000 rational planes, exact"),
    definitions=LAYOUTS,
)
def flattened_is_mixed(of: Layouts, run: Run) -> Evidence:
    """The flat index turns a plane as two axes do, in exact arithmetic."""
    from hypothesis import strategies as st

    def equal(t: Fraction, width: int, row: int, column: int) -> bool:
        z = rational_point(t)
        down, right = of.flat_frequencies(z, width)
        return raised(z, width * row + column) == times(raised(down, row), raised(right, column))

    place = st.integers(-6, 6)
    drawn = {"t": _ratios(), "width": st.integers(1, 9), "row": place, "column": place}
    first = {"t": Fraction(1, 2), "width": 7, "row": 1, "column": 0}
    return hunt(equal, drawn, run, first=first)


@control("angle_errors_forgotten", angle_share=0)
@checked_by(
    SPECIAL_CASES,
    "mixed_axes",
    "float",
    Scope("2000 pairs, one to three axes, 8 planes", "20000 pairs, one to three axes, 8 planes"),
    definitions=LAYOUTS,
)
def mixed_axes_in_float64(of: Layouts, run: Run) -> Evidence:
    """|score by addresses - score by offset| <= 8 n u |q| |k| (1 + A) + g |q| |k|.

    A bounds sum_a |omega_a x_a| over the three angles.  Each is computed within n u A; two of them
    meet one, 3 n u A in all.  Three turned vectors and two sums of d = 16 terms are within
    3 (2 u + 3/2 g_2) + 2 g_16 of the exact ones, per size; second orders fit below 8 n u (1 + A).
    """
    pairs = 20_000 if run.profile == "full" else 2000
    source, worst, where = np.random.default_rng(run.seed), Fraction(0), ""
    planes = 8
    for axes in (1, 2, 3):
        w = source.uniform(-np.pi, np.pi, (planes, axes))
        x, y = (source.integers(-50, 51, (pairs, axes)).astype(np.float64) for _ in "xy")
        q, k = (source.standard_normal((pairs, 2 * planes)) for _ in "qk")
        frame = interleaved_frame(2 * planes)
        by_address = (rotated(q, x @ w.T, frame) * rotated(k, y @ w.T, frame)).sum(axis=-1)
        by_offset = (q * rotated(k, (y - x) @ w.T, frame)).sum(axis=-1)
        size = np.sqrt((q * q).sum(axis=-1) * (k * k).sum(axis=-1))
        reach = max(float((np.abs(p) @ np.abs(w).T).max()) for p in (x, y, y - x))
        rest = 3 * (2 * V + Fraction(3, 2) * gamma(2, V)) + 2 * gamma(2 * planes, V)
        allowed = of.angle_share * 8 * axes * V * (1 + Fraction(reach)) + rest
        error = np.abs(by_address - by_offset) / size
        at = int(error.argmax())
        if Fraction(float(error[at])) / allowed >= worst:
            worst = Fraction(float(error[at])) / allowed
            where = f"{axes} axes, x = {x[at].tolist()}, y = {y[at].tolist()}"
    return within(worst, Bound(Fraction(1), "residual / (8 n u (1 + A) + rest)"), witness=where)


@control("flat_positions", hierarchical=lambda p, width: (0, p))
@checked_by(
    SPECIAL_CASES, "boundary", "float", "units of seven, all p, r < 21", definitions=LAYOUTS
)
def units_break_translation(of: Layouts, run: Run) -> Evidence:
    """Moving both positions by 1 keeps a score of two planes exactly within the units."""
    z, other = rational_point(Fraction(1, 2)), rational_point(Fraction(2, 3))
    one = (Fraction(1), Fraction(0))

    def score(p: int, r: int) -> Fraction:
        (h, l), (h2, l2) = of.hierarchical(p, 7), of.hierarchical(r, 7)  # noqa: E741
        return exact_score(one, one, raised(z, h), raised(z, h2)) + exact_score(
            one, one, raised(other, l), raised(other, l2)
        )

    wrong = 0
    for p, r in product(range(20), repeat=2):
        crosses = ((p + 1) % 7 == 0) != ((r + 1) % 7 == 0)
        wrong += (score(p, r) == score(p + 1, r + 1)) == crosses
    bound = Bound(Fraction(0), "pairs where exactly one position enters a new unit lose the score")
    return within(wrong, bound, witness="a pair keeps its score across a unit")


@control("base_of_a_hundred", base=100)
@checked_by(SPECIAL_CASES, "smallest_margin", "ball", "W = 64, m = 8")
def smallest_margin_in_balls(of: Any, run: Run) -> Evidence:
    """The margin at every column offset, as balls."""
    return certify_over(SPECIAL_CASES.clause("smallest_margin").statement(of), run.digits)


@control("rows_turn_too", column_of=lambda row, column: column + row)
@checked_by(
    SPECIAL_CASES,
    "column_copy",
    "property",
    Scope("100 tables, rows inserted and shuffled", "2000 tables, rows inserted and shuffled"),
    definitions=LAYOUTS,
)
def rows_may_be_shuffled(of: Layouts, run: Run) -> Evidence:
    """Scores of a head driven by columns stay, to the bit, when rows move."""
    from hypothesis import strategies as st

    theta = ladder(8)
    frame = interleaved_frame(16)

    def unchanged(seed: int, rows: list[int]) -> bool:
        source = np.random.default_rng(seed)
        cells = source.standard_normal((len(rows), 5, 16))

        def scores(places: Sequence[int]) -> Array:
            turned = np.array(
                [
                    [rotated(cells[r, c], theta * of.column_of(place, c), frame) for c in range(5)]
                    for r, place in enumerate(places)
                ]
            ).reshape(-1, 16)
            return turned @ turned.T

        return np.array_equal(scores(range(len(rows))), scores(rows))

    rows = st.lists(st.integers(0, 30), min_size=2, max_size=4, unique=True)
    drawn = {"seed": st.integers(0, 2**32 - 1), "rows": rows}
    return hunt(unchanged, drawn, run, first={"seed": 0, "rows": [1, 5]})


#: Sets of lengths, and whether one kernel on one axis copies at all of them.
COPYING: tuple[tuple[tuple[int, ...], bool], ...] = (
    ((4,), True),
    ((4, 5), False),
    ((4, 7), False),
    ((4, 8), True),
    ((2, 4, 8), True),
    ((3, 5, 10), False),
)


@control("the_query_sees_less", reach=lambda query: query - 3)
@checked_by(
    SPECIAL_CASES,
    "one_axis",
    "float",
    "six sets of lengths up to 10, a linear programme each",
    definitions=LAYOUTS,
)
def copying_as_linear_programmes(of: Layouts, run: Run) -> Evidence:
    """Feasible exactly when every length is at least twice the one before."""
    wrong = [lengths for lengths, can in COPYING if one_kernel_copies(lengths, of.reach) != can]
    return within(
        len(wrong),
        Bound(Fraction(0), "sets that come out the other way"),
        witness=f"lengths {wrong[0] if wrong else ()}",
    )


@control("the_query_sees_less", reach=lambda query: query - 3)
@checked_by(
    SPECIAL_CASES,
    "threshold",
    "property",
    Scope("100 pairs of lengths up to 12", "2000 pairs of lengths up to 12"),
    definitions=LAYOUTS,
)
def twice_as_long_is_enough(of: Layouts, run: Run) -> Evidence:
    """Two lengths L < M admit one kernel exactly when M >= 2 L."""
    from hypothesis import strategies as st

    def decided(L: int, more: int) -> bool:
        return one_kernel_copies((L, L + more), of.reach) == (more >= L)

    drawn = {"L": st.integers(1, 6), "more": st.integers(1, 6)}
    return hunt(decided, drawn, run, first={"L": 4, "more": 3})
