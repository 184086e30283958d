"""The base bound: the table recomputed and certified, the published column measured against it.

Main definitions
----------------
infimum_1k ...       no smaller base is admissible, and this one is
supremum_1k ...      every larger base is admissible
printed_...          the published two-digit bases, taken literally

Conventions
-----------
As in `base_balls`, which says why a cover is a proof.  The covers of the rows up to 8k are
committed; the others are searched when the full profile runs.

References
----------
xu2024base
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction

import numpy as np
from flint import arb

from posproof.numerics.balls import precision
from posproof.numerics.base_balls import (
    BITS,
    CRITERION,
    ROOT_BITS,
    Criterion,
    Edge,
    all_values,
    clear,
    decimal,
    derivative,
    infimum_of,
    killed,
    logarithm,
    past_edge,
    plane_values,
    point,
    refined,
    stays_positive,
    supremum_of,
    unit_above,
    unit_below,
    value,
    violation_after,
    window_end_of,
)
from posproof.numerics.base_search import (
    UNIT_BITS,
    Cover,
    frequencies,
    offsets_values,
    saved,
)
from posproof.numerics.hunt import hunt
from posproof.theory.scaling.base import BASE_BOUND, ROBUST, ROWS, WINDOWS, Row
from posproof.theory.vocabulary import Evidence, Run, Scope, checked_by, control

SHORT, MIDDLE, LONG = ROWS[:4], ROWS[4:7], ROWS[7:]
BY_LABEL = {row.label: row for row in ROWS}


# ---------------------------------------------------------------------- controls' definitions
def bisected(row: Row) -> Edge:
    """What bisection on the base finds, as if admissible bases were a half-line."""
    low, high = 2.0, 1e3 * row.context
    while high - low > 1e-9 * high:
        middle = (low + high) / 2
        if offsets_values(row.context, math.log(middle)).min() < 0:
            low = middle
        else:
            high = middle
    scale = 10**6
    found = Fraction(math.floor(low * scale), scale)
    offset = int(offsets_values(row.context, math.log(low)).argmin())
    # Ten units wide, because a float base is right to 1e-9 only.
    return Edge(found - Fraction(5, scale), found + Fraction(5, scale), offset)


def just_above(edge: Edge) -> Fraction:
    """A base a millionth above an edge."""
    return edge.high * Fraction(10**6 + 1, 10**6)


# ---------------------------------------------------------------------- the infimum
def _infimum(of: Criterion, row: Row, *, covered: bool = True) -> Evidence:
    """Everything below the root is violated (when `covered`), and the root itself is admissible."""
    claimed = of.infimum(row)
    root = refined(of, claimed)
    with precision(BITS):
        cover = saved(row.context) if covered else None
        intervals = 0 if cover is None else len(cover.steps)
        if root is not None and _admissible_at(of, row.context, root):
            below = cover is None or (
                all(killed(of, cover, row.context)) and _reaches(of, cover, root)
            )
            if below:
                note = f"{intervals} intervals" if covered else "no cover in this profile"
                return Evidence("holds", decimal(root.low), note=note)
        return _smaller_admissible(of, row, claimed, cover)


def _admissible_at(of: Criterion, context: int, root: Edge) -> bool:
    """All offsets but the root's own are positive on the ball around the root."""
    values = all_values(of, context, logarithm(root.low, root.high))
    return root.offset % of.stride == 0 and clear(values, arb(0), of.stride, root.offset)


def _reaches(of: Criterion, cover: Cover, root: Edge) -> bool:
    """Whether B(root.offset, .) rises from the cover's end to the root, so is negative between."""
    end, goal = point(cover.starts[-1]), logarithm(root.low, root.high)
    return bool(end < goal) and bool(derivative(of, root.offset, end.union(goal)) > 0)


def _smaller_admissible(of: Criterion, row: Row, claimed: Edge, cover: Cover | None) -> Evidence:
    """Look for an admissible base below the claimed infimum; the ball decides, floats propose."""
    goal = math.floor(math.log(claimed.low) * 2**UNIT_BITS)
    starts = cover.starts if cover else []
    near = [goal - 2**k for k in range(UNIT_BITS // 2, UNIT_BITS)]
    between = range(goal, starts[-1], -GRID) if starts else ()
    for units in [*near, *between, *reversed(starts[-FINE:])]:
        x = units / 2**UNIT_BITS
        values = offsets_values(row.context, x, float(of.ratio))[:: of.stride]
        if units >= goal or values.min() <= 0:
            continue
        balls = all_values(of, row.context, point(units))
        if clear(balls, arb(0), of.stride):
            least = int(values.argmin()) * of.stride
            return Evidence(
                "refuted",
                witness=f"b = {math.exp(x):.9g} (ln b = {units} / 2^{UNIT_BITS}) is below "
                f"{decimal(claimed.low, 9)} and admissible: the least value over the offsets "
                f"tried is B({least}, b) = {balls[least].str(6)}",
            )
    return Evidence("undecided", note="the cover fails, and no smaller admissible base was found")


#: Where a counterexample to an infimum is looked for: cover points, and steps in ln b beyond them.
FINE, GRID = 2000, 2 ** (UNIT_BITS - 11)
TEN = {"stride": 10}
#: What the quick profile shows of the rows whose covers are not committed.
UPPER_ONLY = (
    "this base is admissible (an upper bound on the infimum; the cover below it only in the full "
    "profile)"
)


@control("offsets_in_steps_of_ten", **TEN)
@control("one_plane_less_in_the_exponent", ratio=Fraction(1, 63))
@control("bisection", infimum=bisected)
@checked_by(BASE_BOUND, "infimum", "ball", "L = 1k", definitions=CRITERION)
def infimum_1k(of: Criterion, run: Run) -> Evidence:
    return _infimum(of, BY_LABEL["1k"])


@control("offsets_in_steps_of_ten", **TEN)
@checked_by(BASE_BOUND, "infimum", "ball", "L = 2k", definitions=CRITERION)
def infimum_2k(of: Criterion, run: Run) -> Evidence:
    return _infimum(of, BY_LABEL["2k"])


@control("offsets_in_steps_of_ten", **TEN)
@checked_by(BASE_BOUND, "infimum", "ball", "L = 4k", definitions=CRITERION)
def infimum_4k(of: Criterion, run: Run) -> Evidence:
    return _infimum(of, BY_LABEL["4k"])


@control("offsets_in_steps_of_ten", **TEN)
@checked_by(BASE_BOUND, "infimum", "ball", "L = 8k", definitions=CRITERION)
def infimum_8k(of: Criterion, run: Run) -> Evidence:
    return _infimum(of, BY_LABEL["8k"])


@control("offsets_in_steps_of_ten", **TEN)
@checked_by(
    BASE_BOUND,
    "infimum",
    "ball",
    Scope(
        f"L = 16k, 32k, 64k: {UPPER_ONLY}",
        "L = 16k, 32k, 64k",
    ),
    definitions=CRITERION,
)
def infimum_to_64k(of: Criterion, run: Run) -> Evidence:
    return _each(MIDDLE, lambda row: _infimum(of, row, covered=run.profile == "full"))


def _each(rows: Iterable[Row], check: Callable[[Row], Evidence]) -> Evidence:
    """The first row that does not hold, else all of them in one evidence."""
    measured, notes = [], []
    for row in rows:
        evidence = check(row)
        if evidence.outcome != "holds":
            where = f"L = {row.context}: "
            return Evidence(
                evidence.outcome,
                witness=where + evidence.witness if evidence.witness else None,
                note=where + evidence.note,
            )
        measured.append(str(evidence.measured))
        notes.append(f"{row.label}: {evidence.note}")
    return Evidence("holds", ", ".join(measured), note="; ".join(notes))


@control("offsets_in_steps_of_ten", **TEN)
@checked_by(
    BASE_BOUND,
    "infimum",
    "ball",
    Scope(f"L = 128k, 256k: {UPPER_ONLY}", "L = 128k, 256k"),
    definitions=CRITERION,
)
def infimum_to_256k(of: Criterion, run: Run) -> Evidence:
    return _each(LONG[:2], lambda row: _infimum(of, row, covered=run.profile == "full"))


@control("offsets_in_steps_of_ten", **TEN)
@checked_by(
    BASE_BOUND,
    "infimum",
    "ball",
    Scope(f"L = 512k: {UPPER_ONLY}", "L = 512k"),
    definitions=CRITERION,
)
def infimum_512k(of: Criterion, run: Run) -> Evidence:
    return _infimum(of, BY_LABEL["512k"], covered=run.profile == "full")


@control("offsets_in_steps_of_ten", **TEN)
@checked_by(
    BASE_BOUND,
    "infimum",
    "ball",
    Scope(f"L = 1M: {UPPER_ONLY}", "L = 1M"),
    definitions=CRITERION,
)
def infimum_1m(of: Criterion, run: Run) -> Evidence:
    return _infimum(of, BY_LABEL["1M"], covered=run.profile == "full")


# ---------------------------------------------------------------------- windows
def _sign(of: Criterion, offset: int, base: Fraction) -> arb:
    """B(offset, base), to the digits of a root."""
    with precision(ROOT_BITS):
        return value(of, offset, logarithm(base, base))[0]


def _not_a_threshold(of: Criterion, row: Row) -> Evidence:
    root, (offset, larger) = refined(of, of.infimum(row)), of.larger(row)
    if root is None:
        return Evidence("undecided", note="no root in the bracket")
    there = _sign(of, offset, larger)
    if there > 0:
        where = f"B({offset}, {decimal(larger, 9)}) = {there.str(6)} is not negative"
        return Evidence("refuted", witness=where)
    with precision(BITS):
        admissible = larger > root.high and _admissible_at(of, row.context, root)
    note = f"{decimal(root.low, 9)} is admissible, {decimal(larger, 9)} is not"
    return Evidence("holds" if admissible and there < 0 else "undecided", str(offset), note=note)


def robust_base(row: Row) -> tuple[int, Fraction]:
    """A base beyond the supremum, where no offset fails."""
    return row.window_offset, just_above(supremum_of(row))


@control("beyond_the_supremum", larger=robust_base)
@checked_by(BASE_BOUND, "not_a_threshold", "ball", "L = 1k ... 64k", definitions=CRITERION)
def windows_to_64k(of: Criterion, run: Run) -> Evidence:
    return _each(ROWS[:7], lambda row: _not_a_threshold(of, row))


@control("beyond_the_supremum", larger=robust_base)
@checked_by(
    BASE_BOUND,
    "not_a_threshold",
    "ball",
    Scope("L = 128k, 256k", "L = 128k, 256k, 512k, 1M"),
    definitions=CRITERION,
)
def windows_to_1m(of: Criterion, run: Run) -> Evidence:
    rows = LONG if run.profile == "full" else LONG[:2]
    return _each(rows, lambda row: _not_a_threshold(of, row))


def _first_window(of: Criterion, row: Row) -> Evidence:
    """Walk from the root of the infimum to that of the window's end."""
    root, end = refined(of, of.infimum(row)), refined(of, of.window_end(row))
    if root is None or end is None:
        return Evidence("undecided", note="no root in a bracket")
    with precision(BITS):
        left, right = logarithm(root.low, root.high), logarithm(end.low, end.high)
        start, stop = unit_above(left) + _margin(row), unit_below(right) - _margin(row)
        walk = stays_positive(of, row.context, start, stop)
        if walk.violated_at is not None:
            return _violation(of, walk.violated_at, walk.at)
        opens = past_edge(of, row.context, root.offset, left, point(start), +1)
        closes = past_edge(of, row.context, end.offset, point(stop), right, -1)
    holds = walk.arrived and opens and closes
    note = f"admissible from {decimal(root.low, 9)} on, {walk.steps} steps"
    return Evidence("holds" if holds else "undecided", decimal(end.low), note=note)


def _margin(row: Row) -> int:
    """How far from a root its derivative is used instead of the Lipschitz bound, in units."""
    return 2**UNIT_BITS // (256 * row.context)


def _violation(of: Criterion, offset: int, units: int) -> Evidence:
    ball = value(of, offset, point(units))[0].str(6)
    base = f"b = {math.exp(units / 2**UNIT_BITS):.9g} (ln b = {units} / 2^{UNIT_BITS})"
    return Evidence("refuted", witness=f"{base} is not admissible: B({offset}, b) = {ball}")


@control("window_up_to_the_supremum", window_end=supremum_of)
@checked_by(BASE_BOUND, "first_window", "ball", "L = 1k", definitions=CRITERION)
def first_window_1k(of: Criterion, run: Run) -> Evidence:
    return _first_window(of, BY_LABEL["1k"])


@control("window_up_to_the_supremum", window_end=supremum_of)
@checked_by(
    BASE_BOUND,
    "first_window",
    "ball",
    Scope("L = 2k; the rows beyond it only in the full profile", "L = 2k ... 128k"),
    definitions=CRITERION,
)
def first_window_to_128k(of: Criterion, run: Run) -> Evidence:
    rows = WINDOWS[1:] if run.profile == "full" else WINDOWS[1:2]
    return _each(rows, lambda row: _first_window(of, row))


# ---------------------------------------------------------------------- every larger base
def floor_value(of: Criterion, context: int, x: arb) -> arb:
    """G(L, e^x), below which no B(n, b) with n <= L and b > e^x falls.

    Clause `large_base`, at the j for which its planes take the larger of the two numbers.
    """
    least = arb(0)
    for theta in plane_values(of, x):
        least += (1 - (theta * context) ** 2 / 2).max(arb(-1))
    return least


def floor_positive_from(context: int) -> int:
    """A point (in units) from which `floor_value` seems positive, by bisection in floats."""
    low, high = 0.0, 4 * math.log(context)
    while high - low > 2**-20:
        middle = (low + high) / 2
        reach = context * frequencies(middle)
        positive = np.maximum(1 - reach**2 / 2, -1).sum() > 2**-10
        low, high = (low, middle) if positive else (middle, high)
    return math.ceil(high * 2**UNIT_BITS)


def _supremum(of: Criterion, row: Row) -> Evidence:
    """Walk from the root of the supremum to where the floor takes over."""
    claimed = of.supremum(row)
    root = refined(of, claimed)
    with precision(BITS):
        last = floor_positive_from(row.context)
        left = logarithm(*((root.low, root.high) if root else (claimed.low, claimed.high)))
        start = unit_above(left) + (_margin(row) if root else 0)
        walk = stays_positive(of, row.context, start, last)
        if walk.violated_at is not None:
            return _violation(of, walk.violated_at, walk.at)
        rising = root is not None and past_edge(
            of, row.context, root.offset, left, point(start), +1
        )
        floored = floor_value(of, row.context, point(last)) > 0
    if root is None or not (walk.arrived and rising and floored):
        return Evidence("undecided", note=f"{walk.steps} steps")
    beyond = f"the floor from b_G = {math.exp(last / 2**UNIT_BITS):.9g} on"
    return Evidence("holds", decimal(root.low), note=f"{walk.steps} steps, {beyond}")


@control("infimum_is_a_threshold", supremum=infimum_of)
@control("published_base_is_a_threshold", supremum=lambda row: _printed_edge(row))
@checked_by(BASE_BOUND, "supremum", "ball", "L = 1k", definitions=CRITERION)
def supremum_1k(of: Criterion, run: Run) -> Evidence:
    return _supremum(of, BY_LABEL["1k"])


def _printed_edge(row: Row) -> Edge:
    return Edge(Fraction(row.published), Fraction(row.published), row.supremum_offset)


def _floored(of: Criterion, row: Row) -> Evidence:
    """The part of `_supremum` that needs no walk: every base from b_G on, and the edge itself."""
    root = refined(of, of.supremum(row))
    with precision(BITS):
        last = floor_positive_from(row.context)
        if root is None or not floor_value(of, row.context, point(last)) > 0:
            return Evidence("undecided", note="no root in the bracket, or no floor")
        left = logarithm(root.low, root.high)
        start = unit_above(left) + _margin(row)
        violated_at = violation_after(of, row.context, start, start)[1]
        if violated_at is not None:
            return _violation(of, violated_at, start)
        rising = past_edge(of, row.context, root.offset, left, point(start), +1)
    note = f"every base from {math.exp(last / 2**UNIT_BITS):.9g} on, and just above the root"
    return Evidence("holds" if rising else "undecided", decimal(root.low), note=note)


@control("end_of_the_first_window", supremum=window_end_of)
@checked_by(
    BASE_BOUND,
    "supremum",
    "ball",
    Scope(
        "L = 2k ... 16k: every base from about L^2 on, and just above b_sup (the bases between "
        "only in the full profile)",
        "L = 2k ... 16k",
    ),
    definitions=CRITERION,
)
def supremum_to_16k(of: Criterion, run: Run) -> Evidence:
    check = _supremum if run.profile == "full" else _floored
    return _each(ROBUST[1:], lambda row: check(of, row))


def _above_supremum(row: Row) -> Edge:
    base = just_above(supremum_of(row))
    return Edge(base, base, row.supremum_offset)


@control("just_above_it", supremum=_above_supremum)
@checked_by(BASE_BOUND, "supremum_from_below", "ball", "L = 1k ... 1M", definitions=CRITERION)
def violated_below_the_supremum(of: Criterion, run: Run) -> Evidence:
    """For the rows beyond 16k this is all that is certified here: a lower bound."""

    def violated(row: Row) -> Evidence:
        edge = of.supremum(row)
        there = _sign(of, edge.offset, edge.low)
        text = f"B({edge.offset}, {decimal(edge.low, 10)}) = {there.str(6)}"
        if there > 0:
            return Evidence("refuted", witness=text)
        return Evidence("holds" if there < 0 else "undecided", decimal(edge.low, 10), note=text)

    return _each(ROWS, violated)


# ---------------------------------------------------------------------- the published column
def _printed(of: Criterion, row: Row) -> Evidence:
    """The first offset where the printed base violates the criterion, or that there is none."""
    base = of.published(row)
    with precision(BITS):
        values = all_values(of, row.context, logarithm(base, base))
    expected = row.printed_fails_at
    first = next((n for n, entry in enumerate(values) if not entry > 0), None)
    where = f"b = {decimal(base, 9)}"
    if first is None:
        found = f"{where} violates nowhere below {row.context}"
    elif values[first] < 0:
        found = f"{where} violates first at n = {first}: {values[first].str(6)}"
    else:
        return Evidence("undecided", note=f"{where}: the ball at n = {first} contains 0")
    if first != expected:
        return Evidence("refuted", witness=found)
    return Evidence("holds", "none" if first is None else str(first), note=found)


def certified_base(row: Row) -> Fraction:
    """A base a hair above the certified infimum, which satisfies the criterion."""
    return infimum_of(row).high


@control("certified_base_instead", published=certified_base)
@checked_by(BASE_BOUND, "printed_bases", "ball", "L = 1k ... 128k", definitions=CRITERION)
def printed_to_128k(of: Criterion, run: Run) -> Evidence:
    return _each(ROWS[:8], lambda row: _printed(of, row))


@control("certified_base_instead", published=certified_base)
@checked_by(BASE_BOUND, "printed_bases", "ball", "L = 256k, 512k", definitions=CRITERION)
def printed_to_512k(of: Criterion, run: Run) -> Evidence:
    return _each(ROWS[8:10], lambda row: _printed(of, row))


@control("certified_base_instead", published=certified_base)
@checked_by(BASE_BOUND, "printed_bases", "ball", "L = 1M", definitions=CRITERION)
def printed_1m(of: Criterion, run: Run) -> Evidence:
    return _printed(of, BY_LABEL["1M"])


# ---------------------------------------------------------------------- searches
#: A float value of B is trusted about its sign beyond this: 64 planes, offsets below 2^13, angles
#: below 2^13 with a relative error below 16 u.
SIGN_MARGIN = 64 * 2**13 * 16 * 2.0**-53


@control("offsets_in_steps_of_ten", **TEN)
@checked_by(
    BASE_BOUND,
    "infimum",
    "property",
    "L = 1k ... 8k, ln b uniform in (ln 2, ln b_inf)",
    definitions=CRITERION,
)
def bases_below_are_violated(of: Criterion, run: Run) -> Evidence:
    from hypothesis import assume, strategies

    def violated(row: Row, share: float) -> bool:
        low, high = math.log(2), math.log(infimum_of(row).low)
        x = low + share * (high - low)
        least = offsets_values(row.context, x, float(of.ratio))[:: of.stride].min()
        assume(abs(least) > SIGN_MARGIN)
        return bool(least < 0)

    drawn = {"row": strategies.sampled_from(SHORT), "share": strategies.floats(0, 1)}
    return hunt(violated, drawn, run)


@control("window_up_to_the_supremum", window_end=supremum_of)
@checked_by(
    BASE_BOUND,
    "first_window",
    "property",
    "L = 1k ... 8k, b in the first window",
    definitions=CRITERION,
)
def bases_in_the_window_are_admissible(of: Criterion, run: Run) -> Evidence:
    from hypothesis import assume, strategies

    def admissible(row: Row, share: float) -> bool:
        low, high = of.infimum(row).high, of.window_end(row).low
        x = math.log(float(low) + share * float(high - low))
        least = offsets_values(row.context, x, float(of.ratio))[:: of.stride].min()
        assume(abs(least) > SIGN_MARGIN)
        return bool(least > 0)

    drawn = {"row": strategies.sampled_from(SHORT), "share": strategies.floats(0, 1)}
    return hunt(admissible, drawn, run)
