"""Rounding errors of rotary embeddings: what was measured against the bounds of `tolerances`.

Main definitions
----------------
Kernels    the definitions the checks measure; a control replaces one of them

Conventions
-----------
Bounds are fractions; every comparison with one is exact, or the bound has room for the float64
evaluation of what is measured, which the docstring then says.  A length L stands for the positions
0 .. L - 1, heads have d = 128 components.

References
----------
su2021roformer
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

import numpy as np
from flint import arb

from posproof.numerics.balls import precision, upward
from posproof.numerics.formats import FORMATS, Format, round_array
from posproof.numerics.hunt import hunt
from posproof.numerics.measure import within
from posproof.numerics.rope_battery import exact_frequencies
from posproof.numerics.tolerances import (
    CONSTANTS,
    Constants,
    NoBound,
    Pipeline,
    angle_error,
    errors,
    frequencies,
    frequency_error,
    pipeline,
)
from posproof.numerics.worst_cases import (
    HEAD_DIM,
    Array,
    Case,
    Cell,
    defects,
    residual,
    saved,
    search,
    turned,
    waves,
)
from posproof.theory.precision.rounding import ANGLES, CROSSING, NORM, RELATIVE
from posproof.theory.vocabulary import (
    Bound,
    Evidence,
    Run,
    Scope,
    Trust,
    checked_by,
    control,
)

#: A bound that is more than five times what was found helps nobody.
FAIR = Fraction(1, 5)
BASE = Fraction(10_000)
U64 = FORMATS["float64"].unit_roundoff
#: What the tables rest on.
LIBRARY = frozenset(
    {
        Trust("software", "NumPy's float64 cos and sin are within one ulp"),
        Trust("software", "NumPy's float32 cos and sin are within two ulp"),
    }
)
POWERS = frozenset({Trust("software", "NumPy's float32 powers are within two ulp")})


@dataclass(frozen=True)
class Kernels:
    """What the checks measure: the constants of the bounds, and the pipeline that is run."""

    constants: Constants = CONSTANTS
    run: Callable[[Pipeline], Pipeline] = lambda line: line
    crossing: int = CROSSING
    key_direction: int = 1


KERNELS = Kernels()


def _bound(value: Fraction, formula: str, line: Pipeline, length: int) -> Bound:
    inputs = {"pipeline": line.name, "format": line.output.name, "L": length, "d": HEAD_DIM}
    return Bound(value, formula, inputs)


# ---------------------------------------------------------------------- precision.angles
@control("half_a_rounding", constants=Constants(angle=Fraction(1, 2)))
@checked_by(
    ANGLES,
    "product",
    "float",
    Scope("every position below 2^15, every pair, float32", "every position below 2^20"),
    definitions=KERNELS,
)
def angles_in_float32(of: Kernels, run: Run) -> Evidence:
    """Position times frequency has at most 44 bits: float64 holds it and the error exactly."""
    length = 2**20 if run.profile == "full" else 2**15
    line = pipeline("mixed32", "float32")
    positions = np.arange(length, dtype=np.float64)
    ratios = []
    for theta in frequencies(HEAD_DIM, BASE, line.frequency):
        exact = positions * float(theta)
        lost = np.abs(round_array(exact, line.angle) - exact)
        allowed = angle_error(length, theta, line, of.constants)
        worst = int(lost.argmax())
        measured = Fraction(float(lost[worst]))
        if measured > allowed:
            return within(
                measured,
                _bound(allowed, "u ufp((L - 1) theta)", line, length),
                witness=f"p = {worst}, theta = {float(theta):.9g}",
            )
        ratios.append((measured, allowed))
    measured, allowed = max(ratios, key=lambda pair: pair[0])
    return within(measured, _bound(allowed, "max u ufp((L - 1) theta)", line, length))


def _formula(head_dim: int, base: int) -> Array:
    """The frequencies as model code computes them, float32 throughout, `(d / 2,)`."""
    exponent = np.arange(0, head_dim, 2, dtype=np.float32) / np.float32(head_dim)
    return (np.float32(1) / np.float32(base) ** exponent).astype(np.float64)


@control("library_forgotten", constants=Constants(library=Fraction(0)))
@control("exponent_rounding_forgotten", constants=Constants(exponent=Fraction(0)))
@checked_by(
    ANGLES,
    "frequency",
    "float",
    "float32 frequencies by the formula, d = 64, 80, 96, 128, bases 10000 and 500000",
    definitions=KERNELS,
)
def frequencies_by_the_formula(of: Kernels, run: Run) -> Evidence:
    """Against the exact frequencies in two float64 parts, which are off by less than u64."""
    nearest: tuple[Fraction, Evidence] | None = None
    for head_dim in (64, 80, 96, 128):
        for base in (10_000, 500_000):
            high, _ = exact_frequencies(head_dim, Fraction(base))
            gaps = np.abs(_formula(head_dim, base) / high - 1)
            for pair, gap in enumerate(gaps.tolist()):
                stored = FORMATS["float32"]
                value = frequency_error(pair, head_dim, Fraction(base), stored, of.constants)
                bound = Bound(value + 3 * U64, "E", {"d": head_dim, "base": base, "pair": pair})
                where = f"d = {head_dim}, base {base}, pair {pair}"
                evidence = within(gap, bound, witness=where)
                if evidence.outcome != "holds":
                    return evidence
                ratio = Fraction(gap) / bound.value
                if nearest is None or ratio > nearest[0]:
                    nearest = ratio, replace(evidence, note=f"nearest to its bound: {where}")
    assert nearest is not None
    return replace(nearest[1], trusts=POWERS)


def _table_gap(of: Kernels, line: Pipeline, length: int, dtype: str) -> Evidence:
    """The defect is evaluated in float64, to within 16 u64: the phase is split without error."""
    theta = frequencies(HEAD_DIM, BASE, line.frequency)[3]
    gap = np.abs(defects(length, float(theta), line))
    worst = int(gap.argmax())
    value = errors(line, length, HEAD_DIM, BASE, of=of.constants).table + 16 * U64
    bound = _bound(value, "min(A, 2) + e0", line, length)
    evidence = within(gap[worst], bound, witness=f"p = {worst}, pair 3", note=dtype)
    return _resting_on_the_library(evidence)


def _resting_on_the_library(evidence: Evidence) -> Evidence:
    return Evidence(
        evidence.outcome,
        evidence.measured,
        evidence.bound,
        evidence.witness,
        evidence.note,
        LIBRARY,
    )


TABLES = Scope("every position below 2^17 of the fourth pair", "every position below 2^20")


def _table_length(run: Run) -> int:
    return 2**20 if run.profile == "full" else 2**17


@control("half_a_rounding", constants=Constants(angle=Fraction(1, 2)))
@control("angle_roundings_forgotten", constants=Constants(angle=Fraction(0)))
@checked_by(ANGLES, "table", "float", TABLES, definitions=KERNELS)
def tables_in_float32(of: Kernels, run: Run) -> Evidence:
    return _table_gap(of, pipeline("mixed32", "float32"), _table_length(run), "float32")


def _angles_in_the_format(line: Pipeline) -> Pipeline:
    """The same pipeline with positions, frequencies and angles in the table's format."""
    return replace(line, frequency=line.table, position=line.table, angle=line.table)


@control("angles_in_bfloat16", run=_angles_in_the_format)
@checked_by(ANGLES, "table", "float", TABLES, definitions=KERNELS)
def tables_in_bfloat16(of: Kernels, run: Run) -> Evidence:
    """A table of float64 angles rounded to bfloat16, against the bound of that."""
    line, length = pipeline("mixed64", "bfloat16"), _table_length(run)
    theta = frequencies(HEAD_DIM, BASE, line.frequency)[3]
    positions = np.arange(length, dtype=np.float64)
    cosines, sines = waves(positions, float(theta), of.run(line))
    exact = defects(length, float(theta), pipeline("mixed64", "float64"))
    reference = waves(positions, float(theta), pipeline("mixed64", "float64"))
    gap = np.hypot(cosines - reference[0], sines - reference[1])
    worst = int(gap.argmax())
    value = errors(line, length, HEAD_DIM, BASE).table + Fraction(float(np.abs(exact).max()))
    bound = _bound(value + 4 * U64, "min(A, 2) + e0 and the error of the reference", line, length)
    return _resting_on_the_library(within(gap[worst], bound, witness=f"p = {worst}, pair 3"))


@control("one_position_earlier", crossing=CROSSING - 1)
@checked_by(ANGLES, "crossing", "ball", "d = 128, base 10000", definitions=KERNELS)
def float32_angles_reach_a_bfloat16_rounding(of: Kernels, run: Run) -> Evidence:
    """n theta_1 in balls on both sides of 2^16, and the bound 2^-8 first beyond."""
    with precision(128):
        theta = arb(10_000) ** (arb(-1) / 64)
        here, before = of.crossing * theta - 2**16, (of.crossing - 1) * theta - 2**16
    if not (here > 0 and before < 0):
        return Evidence("refuted", witness=f"n theta_1 - 2^16 = {here.str(8)} at n = {of.crossing}")
    line = pipeline("mixed32", "bfloat16")
    largest = [
        max(errors(line, length, HEAD_DIM, BASE).angles)
        for length in (of.crossing, of.crossing + 1)
    ]
    if largest != [Fraction(1, 2**9), Fraction(1, 2**8)]:
        return Evidence("refuted", witness=f"A = {largest[0]}, then {largest[1]}")
    return Evidence("holds", note=f"n theta_1 - 2^16 = {here.str(8)}")


# ---------------------------------------------------------------------- precision.norm
def _mantissas(source: np.random.Generator, count: int, form: Format) -> Array:
    """Numbers of the format near 1 and near the square root of 2, where products round badly."""
    near = source.choice((1.0, 2**0.5), count)
    return round_array(source.uniform(0.5, 1, count) * near, form)


def _product_error(of: Kernels, run: Run, name: str) -> Evidence:
    """The exact product is evaluated in float64, to within 4 u64 of its modulus."""
    count = 2_000_000 if run.profile == "full" else 200_000
    line, source = pipeline("mixed64", name), np.random.default_rng(run.seed)
    a, b, c, s = (_mantissas(source, count, line.output) for _ in "abcs")
    x, y = turned((a, b), (c, s), line)
    size = np.hypot(a, b) * np.hypot(c, s)
    gap = np.hypot(x - (a * c - b * s), y - (a * s + b * c)) / size
    worst = int(gap.argmax())
    kappa = errors(line, 2, HEAD_DIM, BASE, of=of.constants).arithmetic
    where = f"x = ({a[worst]:.9g}, {b[worst]:.9g}), z = ({c[worst]:.9g}, {s[worst]:.9g})"
    bound = Bound(kappa + 4 * U64, "(1 + sqrt 2) u + sqrt(2) u^2", {"format": name})
    return within(gap[worst], bound, witness=where, note=f"{count} products")


PRODUCTS = Scope("200000 random products", "2000000 random products")


@control("kappa_halved", constants=Constants(arithmetic=Fraction(1, 2)))
@checked_by(NORM, "rotation", "float", PRODUCTS, definitions=KERNELS)
def products_in_float32(of: Kernels, run: Run) -> Evidence:
    return _product_error(of, run, "float32")


@control("kappa_halved", constants=Constants(arithmetic=Fraction(1, 2)))
@checked_by(NORM, "rotation", "float", PRODUCTS, definitions=KERNELS)
def products_in_float16(of: Kernels, run: Run) -> Evidence:
    return _product_error(of, run, "float16")


@control("kappa_halved", constants=Constants(arithmetic=Fraction(1, 2)))
@checked_by(NORM, "rotation", "float", PRODUCTS, definitions=KERNELS)
def products_in_bfloat16(of: Kernels, run: Run) -> Evidence:
    return _product_error(of, run, "bfloat16")


@control("kappa_halved", constants=Constants(arithmetic=Fraction(1, 2)))
@checked_by(NORM, "fused_rotation", "float", PRODUCTS, definitions=KERNELS)
def fused_products_in_bfloat16(of: Kernels, run: Run) -> Evidence:
    """Products of bfloat16 numbers and their sums are exact in float64, so one rounding is left."""
    count = 2_000_000 if run.profile == "full" else 200_000
    line = replace(pipeline("mixed64", "bfloat16"), fused=True)
    source, form = np.random.default_rng(run.seed), line.output
    a, b, c, s = (_mantissas(source, count, form) for _ in "abcs")
    x = round_array(a * c - round_array(b * s, form), form)
    y = round_array(a * s + round_array(b * c, form), form)
    gap = np.hypot(x - (a * c - b * s), y - (a * s + b * c))
    gap /= np.hypot(a, b) * np.hypot(c, s)
    worst = int(gap.argmax())
    kappa = errors(line, 2, HEAD_DIM, BASE, of=of.constants).arithmetic
    where = f"x = ({a[worst]:.9g}, {b[worst]:.9g}), z = ({c[worst]:.9g}, {s[worst]:.9g})"
    bound = Bound(kappa + 4 * U64, "2 u + u^2", {"format": form.name})
    return within(gap[worst], bound, witness=where, note=f"{count} products")


def _norm_defect(of: Kernels, run: Run, line: Pipeline) -> Evidence:
    """Pairs of norm at least 1 at random positions; float64 adds at most 8 u64 to the measure."""
    count = 400_000 if run.profile == "full" else 40_000
    length, source = 2**20, np.random.default_rng(run.seed)
    angle, size = source.uniform(0, 2 * np.pi, count), 2.0 ** source.uniform(0, 1, count)
    x, y = (round_array(size * wave(angle), line.output) for wave in (np.cos, np.sin))
    theta = float(frequencies(HEAD_DIM, BASE, line.frequency)[3])
    at = source.integers(0, length, count).astype(np.float64)
    before = np.hypot(x, y)
    after = np.hypot(*turned((x, y), waves(at, theta, line), line))
    kept = before >= 1
    gap = np.where(kept, np.abs(after / np.where(kept, before, 1) - 1), 0)
    worst = int(gap.argmax())
    value = errors(line, length, HEAD_DIM, BASE, of=of.constants).norm + 8 * U64
    bound = _bound(value, "(1 + e0)(1 + kappa)(1 + u_out) - 1 and what underflows", line, length)
    where = f"x = ({x[worst]:.9g}, {y[worst]:.9g}), p = {at[worst]:.0f}"
    return _resting_on_the_library(within(gap[worst], bound, witness=where, note=f"{count} pairs"))


NORMS = Scope("40000 random pairs, positions below 2^20", "400000 random pairs")


@control("rotation_roundings_forgotten", constants=Constants(arithmetic=Fraction(0)))
@checked_by(NORM, "norm", "float", NORMS, definitions=KERNELS)
def norms_of_mixed_bfloat16(of: Kernels, run: Run) -> Evidence:
    return _norm_defect(of, run, pipeline("mixed64", "bfloat16"))


@control("half_an_output_rounding", constants=Constants(output=Fraction(1, 2)))
@checked_by(NORM, "norm", "float", NORMS, definitions=KERNELS)
def norms_of_fused_bfloat16(of: Kernels, run: Run) -> Evidence:
    return _norm_defect(of, run, pipeline("fused32", "bfloat16"))


@control("half_an_output_rounding", constants=Constants(output=Fraction(1, 2)))
@checked_by(NORM, "norm", "float", NORMS, definitions=KERNELS)
def norms_of_fused_float16(of: Kernels, run: Run) -> Evidence:
    return _norm_defect(of, run, pipeline("fused32", "float16"))


# ---------------------------------------------------------------------- precision.relative
def _replayed(of: Kernels, cell: Cell) -> tuple[Fraction, Fraction] | str:
    """The squares of residual and bound of one cell, or what is wrong with it."""
    base = Fraction(cell.base)
    try:
        found = errors(cell.line, cell.length, HEAD_DIM, base, of=of.constants)
    except NoBound as reason:
        return "" if cell.case is None else f"a case, and yet {reason}"
    if cell.case is None:
        return f"the bound {upward(found.relative)} where none exists"
    gap, size = residual(cell.case, of.run(cell.line), cell.base)
    allowed = found.relative**2
    if gap > allowed * size:
        ratio = float(gap / (allowed * size)) ** 0.5
        return f"residual {ratio:.4g} times the bound {upward(found.relative)}"
    if not found.vacuous and gap < FAIR**2 * allowed * size:
        return f"the bound {upward(found.relative)} is more than five times the residual"
    return gap / size, allowed


def _replay(of: Kernels, cells: tuple[Cell, ...]) -> Evidence:
    """The case nearest to its bound; the first residual above its bound, or another fault."""
    outcomes = [(cell, _replayed(of, cell)) for cell in cells]
    faults = [(cell, fault) for cell, fault in outcomes if isinstance(fault, str) and fault]
    if faults:
        cell, fault = next((f for f in faults if f[1].startswith("residual")), faults[0])
        name = f"{cell.pipeline} {cell.dtype} base {cell.base} L = {cell.length}"
        return Evidence("refuted", witness=f"{name} at {_place(cell.case)}: {fault}")
    found = [(cell, squares) for cell, squares in outcomes if not isinstance(squares, str)]
    if not found:
        return Evidence("undecided", note="no cell has a bound")
    cell, (square, allowed) = max(found, key=lambda pair: pair[1][0] / pair[1][1])
    value = errors(cell.line, cell.length, HEAD_DIM, Fraction(cell.base), of=of.constants).relative
    formula = "min(2 G, 2 (1 + nu)^2 (1 + d u_acc)(1 + u_score))"
    refused = len(cells) - len(found)
    name = f"{cell.pipeline} {cell.dtype} base {cell.base}"
    note = f"{len(cells)} cells, {refused} of them refused; nearest to its bound: {name}"
    # The root in float64 is within 2^-50 of the exact one, which was compared by its square.
    measured = min(Fraction(float(square) ** 0.5), value)
    bound = _bound(value, formula, cell.line, cell.length)
    return _resting_on_the_library(within(measured, bound, note=note))


def _place(case: Case | None) -> str:
    return "no position" if case is None else f"(i, j, s) = ({case.i}, {case.j}, {case.shift})"


def _positions_in_bfloat16(line: Pipeline) -> Pipeline:
    """The best-known fault: positions are stored in the activation format."""
    return replace(line, position=FORMATS["bfloat16"])


TABLE = Scope("the 190 committed cases of the table, replayed", "the same")


@control("half_an_angle_rounding", constants=Constants(angle=Fraction(1, 2)))
@control("half_an_output_rounding", constants=Constants(output=Fraction(1, 2)))
@control("positions_in_bfloat16", run=_positions_in_bfloat16)
@checked_by(RELATIVE, "shift", "float", TABLE, definitions=KERNELS)
def table_replayed(of: Kernels, run: Run) -> Evidence:
    """Every case within its bound and a fifth of it, every overflow without one."""
    return _replay(of, saved())


@control("half_an_angle_rounding", constants=Constants(angle=Fraction(1, 2)))
@checked_by(
    RELATIVE,
    "shift",
    "float",
    Scope("one row searched anew: mixed32, float32, base 10000", "every row searched anew"),
    definitions=KERNELS,
)
def table_searched(of: Kernels, run: Run) -> Evidence:
    """The adversarial search from the run's seed, judged like the committed cases."""
    from posproof.numerics.worst_cases import BASES, LENGTHS, ROWS

    if run.profile != "full":
        lengths = LENGTHS[:3]
        return _replay(of, tuple(search("mixed32", "float32", 10_000, run.seed, lengths, (0, 3))))
    rows = [(*row, base) for row in ROWS for base in BASES]
    return _replay(of, tuple(cell for row in rows for cell in search(*row, run.seed)))


@control("positions_in_bfloat16", run=_positions_in_bfloat16)
@checked_by(
    RELATIVE,
    "shift",
    "property",
    Scope(
        "10000 cases, a quarter each at binade ends and corner shifts",
        "1000000 cases, a quarter each at binade ends and corner shifts",
    ),
    definitions=KERNELS,
)
def shifts_of_any_pipeline(of: Kernels, run: Run) -> Evidence:
    """Half of the cases are drawn where an angle changes its binade or at the largest shifts.

    Scores are summed in float64 and their bound counts that; sizes have room for 8 u64.
    """
    from hypothesis import strategies

    batch, nearest = (500 if run.profile == "full" else 100), 0.0
    lines = [("mixed32", "float32"), ("mixed32", "bfloat16"), ("fused32", "bfloat16")]
    lines += [("fused32", "float16"), ("mixed64", "float16"), ("mixed64", "float32")]

    def invariant(row: int, length: int, pair: int, seed: int) -> bool:
        nonlocal nearest
        name, dtype = lines[row]
        line, source = pipeline(name, dtype), np.random.default_rng(seed)
        theta = float(frequencies(HEAD_DIM, BASE, line.frequency)[pair])
        places = _places(source, batch, length, theta)
        x = [*_pairs(source, batch, line.output), *_pairs(source, batch, line.output)]
        sizes = np.hypot(x[0], x[1]) * np.hypot(x[2], x[3])
        scores = []
        for at, to in places:
            u = turned((x[0], x[1]), waves(at, theta, of.run(line)), line)
            v = turned((x[2], x[3]), waves(to, theta, of.run(line)), line)
            scores.append(u[0] * v[0] + u[1] * v[1])
        bound = float(_relative(name, dtype, length))
        ratios = np.abs(scores[0] - scores[1]) / (bound * sizes)
        nearest = max(nearest, float(ratios.max()))
        return bool((ratios <= 1 + 8 * float(U64)).all())

    drawn = {
        "row": strategies.integers(0, len(lines) - 1),
        "length": strategies.sampled_from([512, 4096, 2**15, 2**17, 2**20]),
        "pair": strategies.integers(0, HEAD_DIM // 2 - 1),
        "seed": strategies.integers(0, 2**32),
    }
    evidence = hunt(invariant, drawn, run)
    note = f"{evidence.note}, {batch} cases each; largest residual {nearest:.3f} of its bound"
    return replace(evidence, note=note)


@lru_cache
def _relative(name: str, dtype: str, length: int) -> Fraction:
    return errors(pipeline(name, dtype), length, HEAD_DIM, BASE).relative


def _pairs(source: np.random.Generator, count: int, form: Format) -> tuple[Array, Array]:
    """Random pairs of norm at least 1, in the format: 1.1 leaves room for its rounding."""
    angle, size = source.uniform(0, 2 * np.pi, count), source.uniform(1.1, 2.5, count)
    return round_array(size * np.cos(angle), form), round_array(size * np.sin(angle), form)


def _places(
    source: np.random.Generator, count: int, length: int, theta: float
) -> list[tuple[Array, Array]]:
    """Positions of query and key, then the same shifted; a quarter each at binade ends, at corners.

    A corner has query and key near 0 and goes to the last positions, or comes from there.
    """
    binade = 2.0 ** source.integers(0, int(np.log2(length)) + 1, (3, count))
    ends = np.minimum(np.ceil(binade / theta) - source.integers(0, 3, (3, count)), length - 1)
    corner = source.integers(0, max(1, length // 64), (3, count)).astype(np.float64)
    corner[2] = length - 1 - corner[2]
    corner = np.where(source.random(count) < 0.5, corner, length - 1 - corner)
    anywhere = source.integers(0, length, (3, count)).astype(np.float64)
    kind = source.random(count)
    chosen = np.where(kind < 0.25, np.maximum(ends, 0), np.where(kind < 0.5, corner, anywhere))
    i, j, there = chosen
    moved = np.clip(j + there - i, 0, length - 1)
    i = np.clip(there - (moved - j), 0, length - 1)
    shift = there - i
    fits = (j + shift >= 0) & (j + shift < length)
    shift = np.where(fits, shift, 0)
    return [(i, j), (i + shift, j + shift)]


@control("key_turned_backwards", key_direction=-1)
@checked_by(
    RELATIVE,
    "stored_score",
    "float",
    Scope("100 random scores, d = 128, float32 sums, bfloat16 scores", "1000 random scores"),
    definitions=KERNELS,
)
def stored_scores(of: Kernels, run: Run) -> Evidence:
    """fused32 in bfloat16, summed pair by pair in float32: against balls at the stored ladder."""
    line = pipeline("fused32", "bfloat16", "float32", "bfloat16")
    count, length = (1000 if run.profile == "full" else 100), 2**17
    source = np.random.default_rng(run.seed)
    query, key = (
        round_array(source.standard_normal((count, HEAD_DIM // 2, 2)), line.output) for _ in "qk"
    )
    at, to = source.integers(0, length, (2, count)).astype(np.float64)
    ladder = frequencies(HEAD_DIM, BASE, line.frequency)
    total = np.zeros(count)
    with precision(128):
        exact = [arb(0)] * count
        for pair, theta in enumerate(ladder):
            q, k = query[:, pair].T, key[:, pair].T
            u = turned(q, waves(at, float(theta), line), line)
            cosines, sines = waves(to, float(theta), line)
            v = turned(k, (cosines, of.key_direction * sines), line)
            for x, y in zip(u, v, strict=True):
                total = round_array(total + round_array(x * y, line.accumulator), line.accumulator)
            for n, offset in enumerate((to - at).tolist()):
                sine, cosine = (arb(theta.numerator) / theta.denominator * offset).sin_cos()
                a, b = q[:, n].tolist(), k[:, n].tolist()
                exact[n] += (arb(a[0]) * b[0] + arb(a[1]) * b[1]) * cosine
                exact[n] += (arb(a[1]) * b[0] - arb(a[0]) * b[1]) * sine
        kept = round_array(total, FORMATS["bfloat16"])
        gaps = [
            float((abs(arb(r) - e) / (_norm(q) * _norm(k))).upper())
            for r, e, q, k in zip(kept.tolist(), exact, query, key, strict=True)
        ]
    worst = int(np.argmax(gaps))
    bound = _bound(errors(line, length, HEAD_DIM, BASE).score, "G", line, length)
    where = f"p = {at[worst]:.0f}, n = {to[worst]:.0f}"
    return _resting_on_the_library(
        within(gaps[worst], bound, witness=where, note=f"{count} scores")
    )


def _norm(vector: Array) -> arb:
    return sum((arb(x) * x for x in vector.ravel().tolist()), arb(0)).sqrt()
