"""What tests of a rotary embedding see: the faults run, and the tests attacked.

Main definitions
----------------
Kernels    the battery the checks measure; a control replaces a part of it

Conventions
-----------
Heads have d = 128 components, base 10000, positions are below 4096.  Residuals are per |q| |k| or
|x|.  A fault is visible under a test when its worst float64 residual exceeds what the test allows.

References
----------
su2021roformer
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from sympy import Expr, sin

from posproof.numerics.balls import certify
from posproof.numerics.formats import FORMATS, round_array
from posproof.numerics.measure import within
from posproof.numerics.rope_battery import (
    DESIGNED,
    Array,
    Cases,
    Task,
    allowed,
    designed,
    far,
    matrix,
    missed,
    random_heads,
    residuals,
    taken,
    two_steps,
    visible,
)
from posproof.numerics.tolerances import pipeline
from posproof.theory.precision.checking import BLIND, CHECK_POWER, SEEN, Checking
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control

HEAD_DIM, BASE, LENGTH = 128, Fraction(10_000), 4096
#: Pipelines and formats whose bounds say something at this length.
LINES: tuple[tuple[str, str], ...] = tuple(
    (name, dtype)
    for name, dtypes in {
        "mixed64": "float64 float32 tfloat32 float16 bfloat16 float8_e4m3fn",
        "mixed32": "float32 float16 bfloat16 float8_e4m3fn",
        "fused32": "float16 bfloat16 float8_e4m3fn float8_e5m2",
    }.items()
    for dtype in dtypes.split()
)


def task(dtype: str) -> Task:
    """The setting of every check, for vectors of one format."""
    return Task(LENGTH, HEAD_DIM, BASE, FORMATS[dtype])


@dataclass(frozen=True)
class Kernels:
    """What the checks use: the cases drawn, which faults should be seen, and which is run."""

    cases: Callable[[Task, int], Cases] = designed
    seen: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: SEEN)
    run: Callable[[str], str] = lambda fault: fault


KERNELS = Kernels()
DOUBLE = pipeline("mixed64", "float64")


# ---------------------------------------------------------------------- the matrix
def _without_reference(seen: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(t for t in tests if t != "reference") for name, tests in seen.items()}


def _relative_sees_a_base() -> dict[str, tuple[str, ...]]:
    return {**SEEN, "wrong base": ("relative", "reference")}


@control("relative_identity_sees_a_wrong_base", seen=_relative_sees_a_base())
@control("reference_not_needed", seen=_without_reference(SEEN))
@checked_by(
    CHECK_POWER,
    "any_ladder",
    "float",
    "17 faults, five tests, d = 128, positions below 4096",
    definitions=KERNELS,
)
def matrix_executed(of: Kernels, run: Run) -> Evidence:
    """Every fault is seen by the tests that should see it and by no other."""
    limits, found = allowed(DOUBLE, task("float64")), matrix(task("float64"))
    for fault, row in found.items():
        seen = visible(row, limits)
        if seen != of.seen[fault]:
            words = ", ".join(seen) or "no test"
            return Evidence("refuted", witness=f"{fault}: seen by {words}, not by {of.seen[fault]}")
    worst = Fraction(found["correct"]["relative"])
    bound = Bound(limits["relative"], "tolerance of the relative identity", {"L": LENGTH})
    missed_by_four = sum(tests == ("reference",) for tests in of.seen.values())
    note = f"{len(found)} faults, {missed_by_four} of them seen by the reference alone"
    return within(worst, bound, note=note)


#: The lines a quick run attacks.
QUICK_LINES = (("mixed64", "bfloat16"), ("fused32", "bfloat16"), ("mixed32", "float16"))
ATTACKED = Scope(
    "every visible fault, five tests, 3 pipelines, 2 seeds, 256 cases",
    "every visible fault, five tests, 14 pipelines, 100 seeds, 256 cases",
)


@control("random_heads", cases=random_heads)
@checked_by(CHECK_POWER, "worst_pair", "float", ATTACKED, definitions=KERNELS)
def battery_sees_every_visible_fault(of: Kernels, run: Run) -> Evidence:
    """For every seed one of 4 x 64 cases exceeds what the test allows."""
    lines, count = (LINES, 100) if run.profile == "full" else (QUICK_LINES, 2)
    seeds = range(run.seed, run.seed + count)
    cells = 0
    for name, dtype in lines:
        line, here = pipeline(name, dtype), task(dtype)
        limits = allowed(line, here)
        for fault, row in matrix(task("float64")).items():
            for test in visible(row, limits):
                lost = missed(fault, test, line, here, seeds, of.cases)
                cells += 1
                if lost:
                    witness = f"{fault} under the test {test}, {name} {dtype}, seed {lost[0]}"
                    return Evidence("refuted", witness=f"{witness}: unseen in {len(lost)} runs")
    return Evidence("holds", note=f"{cells} faults, tests and pipelines, {count} seeds each")


@control("random_heads", cases=random_heads)
@checked_by(
    CHECK_POWER,
    "unturned_key",
    "float",
    Scope(
        "keys that forget the slowest pair, bfloat16, 20 seeds of 256 cases",
        "keys that forget the slowest pair, bfloat16, 100 seeds of 256 cases",
    ),
    definitions=KERNELS,
)
def forgotten_pair_is_seen(of: Kernels, run: Run) -> Evidence:
    """The relative identity at bfloat16's tolerance: every seed shows the fault."""
    fault, line = "slowest pair of keys not rotated", pipeline("mixed64", "bfloat16")
    count = 100 if run.profile == "full" else 20
    seeds = range(run.seed, run.seed + count)
    lost = missed(fault, "relative", line, task("bfloat16"), seeds, of.cases)
    if lost:
        return Evidence("refuted", witness=f"seen in {count - len(lost)} of {count} runs")
    return Evidence("holds", note=f"seen in {count} of {count} runs")


# ---------------------------------------------------------------------- residuals
def _follows(
    of: Kernels,
    run: Run,
    fault: str,
    test: str,
    predicted: Callable[[Cases, Array], Array],
    aligned: int | None = None,
) -> Evidence:
    """Measured residuals against the exact ones of their cases.

    Three rotations of one vector, or four of two, each off by at most `reference` of its length,
    which the fault may stretch by half; `aligned` picks the designed case that attains a maximum.
    """
    here = task("float64")
    cases = designed(here, run.seed)
    if aligned is not None:
        cases = taken(cases, slice(aligned, None, DESIGNED))
    gaps = residuals(of.run(fault), DOUBLE, here, cases, [test])[test]
    exact = predicted(cases, here.theta[cases.pair])
    apart = np.abs(gaps - exact)
    worst = int(apart.argmax())
    bound = Bound(6 * allowed(DOUBLE, here)["reference"], "6 eta", {"L": LENGTH, "d": HEAD_DIM})
    where = f"pair {cases.pair[worst]}, residual {gaps[worst]:.6g}, exactly {exact[worst]:.6g}"
    return within(apart[worst], bound, witness=where, note=f"{len(cases)} cases, {test}")


RESIDUALS = "the designed cases of 64 pairs, float64"


def _no_fault(fault: str) -> str:
    return "correct"


@control("no_fault", run=_no_fault)
@checked_by(CHECK_POWER, "reference", "float", RESIDUALS, definitions=KERNELS)
def wrong_base_against_a_reference(of: Kernels, run: Run) -> Evidence:
    def chord(cases: Cases, theta: Array) -> Array:
        other = theta * 50.0 ** (-cases.pair / (HEAD_DIM // 2))
        return np.abs(2 * np.sin((other - theta) * far(cases) / 2))

    return _follows(of, run, "wrong base", "reference", chord)


@control("no_fault", run=_no_fault)
@checked_by(CHECK_POWER, "opposite_key", "float", RESIDUALS, definitions=KERNELS)
def keys_turned_backwards(of: Kernels, run: Run) -> Evidence:
    def chord(cases: Cases, theta: Array) -> Array:
        return np.abs(2 * np.sin(theta * cases.shift))

    return _follows(of, run, "opposite sense on keys", "relative", chord, aligned=2)


@control("no_fault", run=_no_fault)
@checked_by(CHECK_POWER, "offset_key", "float", RESIDUALS, definitions=KERNELS)
def offset_under_the_group_law(of: Kernels, run: Run) -> Evidence:
    def chord(cases: Cases, theta: Array) -> Array:
        return np.abs(2 * np.sin(theta / 2))

    return _follows(of, run, "offset by one", "group law", chord)


@control("no_fault", run=_no_fault)
@checked_by(CHECK_POWER, "scaled", "float", RESIDUALS, definitions=KERNELS)
def scale_under_the_group_law(of: Kernels, run: Run) -> Evidence:
    def gain(cases: Cases, theta: Array) -> Array:
        return np.full(len(cases), 1.1**2 - 1.1)

    return _follows(of, run, "scaled by 1.1", "group law", gain)


@control("no_fault", run=_no_fault)
@checked_by(CHECK_POWER, "growing", "float", RESIDUALS, definitions=KERNELS)
def growth_under_the_group_law(of: Kernels, run: Run) -> Evidence:
    def gain(cases: Cases, theta: Array) -> Array:
        first, then = two_steps(cases)
        return (1e-4) ** 2 * first * then

    return _follows(of, run, "length grows with the position", "group law", gain)


@control("no_fault", run=_no_fault)
@checked_by(CHECK_POWER, "lost_sign", "float", RESIDUALS, definitions=KERNELS)
def lost_sign_under_the_group_law(of: Kernels, run: Run) -> Evidence:
    def product(cases: Cases, theta: Array) -> Array:
        first, then = two_steps(cases)
        return np.abs(2 * np.sin(theta * first) * np.sin(theta * then))

    return _follows(of, run, "sign of the sine lost", "group law", product)


@control("no_fault", run=_no_fault)
@checked_by(CHECK_POWER, "moved_positions", "float", RESIDUALS, definitions=KERNELS)
def bfloat16_positions_under_the_group_law(of: Kernels, run: Run) -> Evidence:
    def chord(cases: Cases, theta: Array) -> Array:
        first, then = two_steps(cases)
        start, way, end = (round_array(x, FORMATS["bfloat16"]) for x in (first, then, far(cases)))
        return np.abs(2 * np.sin(theta * (start + way - end) / 2))

    return _follows(of, run, "positions in bfloat16", "group law", chord)


# ---------------------------------------------------------------------- several rotations
def _errors_added(eta: Fraction, v: int) -> Fraction:
    return eta * v


@control("errors_added", accumulated=_errors_added)
@checked_by(CHECK_POWER, "many_turns", "ball", "up to 20 rotations, errors 1/3 and 1/256")
def turns_in_rationals(of: Checking, run: Run) -> Evidence:
    """The recursion E -> (1 + eta) E + eta worked off in exact fractions."""
    for eta in (Fraction(1, 3), Fraction(1, 256)):
        reached = Fraction(0)
        for v in range(20):
            allowed_here = of.accumulated(eta, v)
            if reached > allowed_here:
                where = f"v = {v}, eta = {eta}"
                return Evidence("refuted", witness=f"{where}: {reached} > {allowed_here}")
            reached = (1 + eta) * reached + eta
    return Evidence("holds", note="40 steps")


# ---------------------------------------------------------------------- blind pairs
def _one_pair_fewer() -> tuple[tuple[Fraction, int, int], ...]:
    (tolerance, shift, count), *others = BLIND
    return ((tolerance, shift, count - 1), *others)


def _half_chord(angle: Expr) -> Expr:
    return sin(angle / 2)


@control("half_the_chord", chord=_half_chord)
@control("one_pair_fewer", blind=_one_pair_fewer())
@checked_by(CHECK_POWER, "blind_pairs", "ball", "64 pairs, six tolerances and shifts")
def blind_pairs(of: Checking, run: Run) -> Evidence:
    """Every chord on its side of the tolerance."""
    return certify(CHECK_POWER.clause("blind_pairs").statement(of), [{}], run.digits)
