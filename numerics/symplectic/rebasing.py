"""Damped shear powers executed in four formats: positions, blocks, weights and scores.

Main definitions
----------------
Kernels         what the checks measure; a control replaces one of them
pairs           positions of queries and keys: corners of neighbouring blocks, and random ones
weight_errors   how far stored weights are off
vectors         queries and keys of moderate size

Conventions
-----------
The shear has gamma = 1/10, mu = 3/50 and rho = 1/2, so the rates are 1/25 and 4/25.  Errors are
compared with bounds in balls.  Corner pairs put the query first and the key last in their blocks:
there the product of their factors is largest, and random pairs alone miss what goes wrong.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb

from posproof.numerics import shear_powers as kernels
from posproof.numerics.balls import certify, ends, exact, precision
from posproof.numerics.formats import FORMATS, Format
from posproof.numerics.hunt import hunt
from posproof.numerics.measure import Findings, within
from posproof.numerics.shear_powers import Floats, Ints, Shear, Storage
from posproof.theory.symplectic.rebasing import REBASING, Execution
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control

SHEAR = Shear(Fraction(1, 10), Fraction(3, 50), Fraction(1, 2))
GROWING = Shear(Fraction(3, 50), Fraction(1, 10), Fraction(1, 2))
FAST = SHEAR.rates[1]
NAMES = ("float16", "bfloat16", "float32", "float64")
LENGTH = 10**6


def _safe(rate: Fraction, store: Storage) -> int:
    return kernels.safe_block(rate, store)


@dataclass(frozen=True)
class Kernels:
    """What the checks measure; `share` scales every bound."""

    shear: Shear = SHEAR
    block: Callable[[Fraction, Storage], int] = _safe
    reference: Callable[[Ints, Ints], Ints] = kernels.dyadic_reference
    overflow: Callable[[Fraction, Format], int] = kernels.overflow_at
    vanishing: Callable[[Fraction, Format], int] = kernels.vanishing_at
    failing: Callable[[Fraction, Format], int] = kernels.failing_block
    exponents: Callable[[str], str] = lambda name: name
    share: Fraction = Fraction(1)


KERNELS = Kernels()


# ---------------------------------------------------------------------- positions of pairs
def pairs(source: np.random.Generator, block: int, length: int, count: int) -> tuple[Ints, Ints]:
    """Corner pairs of blocks 1, 2 and 3 apart, near 0 and far out, then `count` random pairs.

    i and j, each `(corners + count,)`, with 0 <= j <= i < length where the blocks fit.
    """
    corners = []
    last = max(length // block - 4, 0)
    for start in {0, last // 2, last}:
        for apart in (1, 2, 3):
            for a, b in ((0, block - 1), (1, block - 1), (0, block - 2), (block // 2, block - 1)):
                corners.append(((start + apart) * block + a, start * block + max(b, 0)))
    i = source.integers(0, length, count)
    reach = np.array([8, 200, length])[source.integers(0, 3, count)]
    j = i - np.minimum(i, (source.random(count) * reach).astype(np.int64))
    first, second = np.array(corners, dtype=np.int64).T
    return np.concatenate([first, i]), np.concatenate([second, j])


def vectors(source: np.random.Generator, count: int, store: Storage) -> tuple[Floats, Floats]:
    """Queries and keys of moderate size, in the format; shape `(count, 2)` each."""
    signs = source.choice([-1.0, 1.0], (2, count, 2))
    q, k = store.round(signs * source.uniform(0.25, 3, (2, count, 2)))
    return q, k


def _excess(values: Floats, exact_values: Sequence[arb], limits: Sequence[Fraction]) -> list[Any]:
    """|value - exact| / limit, rounded up; infinity where the value is not finite."""
    found: list[Any] = []
    for value, wanted, limit in zip(values.tolist(), exact_values, limits, strict=True):
        if not math.isfinite(value):
            found.append(math.inf)
        else:
            found.append(ends(abs(arb(value) - wanted) / exact(limit))[1])
    return found


def _worst(
    errors: Sequence[Any], unit: Format, bound: Fraction, formula: str, i: Ints, j: Ints, what: str
) -> tuple[Evidence, float]:
    """The largest of errors in units of u, against a bound in those units."""
    place = max(range(len(errors)), key=lambda at: errors[at])
    where = f"{what}, (i, j) = ({i[place]}, {j[place]})"
    size, limit = errors[place], Bound(bound, formula, {"format": unit.name})
    if size == math.inf:
        return Evidence("refuted", "inf", limit, witness=f"{where}: not finite"), math.inf
    return within(size, limit, witness=where), float(size)


# ---------------------------------------------------------------------- controls
def _rounded_positions(rate: Fraction, form: Format) -> int:
    return kernels.overflow_at(rate, form) - 1


def _one_earlier(rate: Fraction, form: Format) -> int:
    return kernels.vanishing_at(rate, form) - 1


def _three_fifths_longer(rate: Fraction, store: Storage) -> int:
    return 8 * kernels.safe_block(rate, store) // 5


def _twice_as_long(rate: Fraction, store: Storage) -> int:
    """What the range of the stored factors alone allows."""
    return 2 * kernels.safe_block(rate, store)


def _of_128(rate: Fraction, store: Storage) -> int:
    return 128


def _gradual(rate: Fraction, store: Storage) -> int:
    """The block that is safe without flush to zero."""
    return kernels.safe_block(rate, Storage(store.form))


def _common_bits(i: Ints, j: Ints) -> Ints:
    return i & j


def _bfloat16(name: str) -> str:
    return "bfloat16"


def _backwards(c: Any, s: Any) -> Any:
    from sympy import ImmutableMatrix

    return ImmutableMatrix([[c, s], [-s, c]])


def _largest_finite(p: Any, e: Any) -> Any:
    return 2**e * (2 - 2 / 2**p)


def _block_start(B: Any) -> Any:
    return 0 * B


THIRTIETH = Fraction(1, 30)


# ---------------------------------------------------------------------- symplectic.rebasing
DISTANCES = (1, 10, 100, 8192)


@control("not_hyperbolic", boost=_backwards)
@checked_by(REBASING, "spectral", "ball", "n = 1, 10, 100 for two anisotropies, 8192 for one")
def powers_of_a_step(of: Execution, run: Run) -> Evidence:
    """M^n multiplied out in balls."""
    places = {"gamma": SHEAR.gamma, "mu": SHEAR.mu, "q1": 1, "q2": 1, "k1": 1, "k2": -3}
    points = [places | {"n": n, "k": Fraction(1, 2)} for n in DISTANCES]
    points += [places | {"n": n, "k": Fraction(3, 2)} for n in DISTANCES[:3]]
    return certify(REBASING.clause("spectral").statement(of), points, run.digits)


FORM_BITS = {name: (FORMATS[name].significand, FORMATS[name].max_exponent) for name in NAMES}


@control("largest_finite_number", overflowing=_largest_finite)
@checked_by(REBASING, "positions", "ball", "rate 4/25, four formats, around the positions")
def first_positions(of: Execution, run: Run) -> Evidence:
    points = []
    for name, (p, e) in FORM_BITS.items():
        form = FORMATS[name]
        for first in (kernels.overflow_at(FAST, form), kernels.vanishing_at(FAST, form)):
            for n in (first - 1, first):
                points.append({"p": p, "e": e, "w": FAST, "J": first, "n": n})
    return certify(REBASING.clause("positions").statement(of), points, run.digits)


@control("overflow_one_earlier", overflow=_rounded_positions)
@control("zero_one_earlier", vanishing=_one_earlier)
@checked_by(
    REBASING,
    "positions",
    "float",
    "rates 1/25 and 4/25, four formats, the position and the one before it",
    definitions=KERNELS,
)
def naive_factors(of: Kernels, run: Run) -> Evidence:
    """e^(r j) is stored as a number before its position and as infinity there; e^(-r i) as 0."""
    seen = []
    for name in NAMES:
        store = Storage(FORMATS[name])
        for rate in of.shear.rates:
            top, bottom = of.overflow(rate, store.form), of.vanishing(rate, store.form)
            i, j = np.array([bottom - 1, bottom]), np.array([top - 1, top])
            found = kernels.naive(rate, i, j, store)
            finite, zero = np.isfinite(found.key), found.query == 0
            if list(finite) != [True, False] or list(zero) != [False, True]:
                where = f"{name}, rate {rate}"
                witness = f"{where}: keys {found.key.tolist()}, queries {found.query.tolist()}"
                return Evidence("refuted", witness=witness)
            seen.append(f"{top} and {bottom} in {name}")
    return Evidence("holds", note=", ".join(seen))


@control("block_start", centre=_block_start)
@checked_by(REBASING, "safe", "ball", "rate 4/25, four formats, with and without flush to zero")
def longest_blocks(of: Execution, run: Run) -> Evidence:
    points = []
    for name in NAMES:
        for flush in (False, True):
            store = Storage(FORMATS[name], flush)
            last = kernels.safe_block(FAST, store) - 1
            for B in (last + 1, last + 2):
                points.append({"T": store.omega, "w": FAST, "m": last, "B": B})
    return certify(REBASING.clause("safe").statement(of), points, run.digits)


@control("one_shorter", failing=_one_earlier)
@checked_by(REBASING, "neighbours", "float", "rate 4/25, four formats", definitions=KERNELS)
def lost_neighbours(of: Kernels, run: Run) -> Evidence:
    """At B_fail the weight e^(-4/25) of two neighbours is stored as 0."""
    notes = []
    for name in NAMES:
        store = Storage(FORMATS[name])
        block = of.failing(FAST, store.form)
        i, j = np.array([block]), np.array([block - 1])
        value = float(kernels.weights(kernels.rebased(block)(FAST, i, j, store), store)[0])
        if value != 0:
            return Evidence("refuted", witness=f"{name}, B = {block}: the weight is {value!r}")
        notes.append(f"{block} in {name}")
    return Evidence("holds", note=f"B_fail: {', '.join(notes)}")


def weight_errors(method: kernels.Method, store: Storage, i: Ints, j: Ints) -> list[Any]:
    """|stored - e^(-r n)| in units of u for the fast rate, rounded up from balls."""
    with precision(200):
        stored = kernels.weights(method(FAST, i, j, store), store)
        wanted = [arb(exact(-FAST * n)).exp() for n in (i - j).tolist()]
        return _excess(stored, wanted, [store.form.unit_roundoff] * len(i))


def _weights(of: Kernels, run: Run, count: int, *, flush: bool) -> Evidence:
    """Every format at its own block, and at a shorter one."""
    source, found = np.random.default_rng(run.seed), Findings()
    for name in NAMES:
        store = Storage(FORMATS[name], flush)
        longest = of.block(FAST, store)
        for block in sorted({longest, max(2, min(longest, 64) * 3 // 4)}):
            i, j = pairs(source, block, LENGTH, count)
            errors = weight_errors(kernels.rebased(block), store, i, j)
            bound, what = 8 * of.share, f"{name} at B = {block}"
            evidence, size = _worst(errors, store.form, bound, "8, in units of u", i, j, what)
            if not found.add(evidence, size, bound, what):
                return found.best
    return found.result()


PAIRS = Scope(
    "four formats, L = 10^6, 36 corner pairs and 24 random ones a block, two blocks a format",
    "four formats, L = 10^6, 36 corner pairs and 400 random ones a block, two blocks a format",
)


@control("block_of_128", block=_of_128)
@control("twice_as_long", block=_twice_as_long)
@control("three_fifths_longer", block=_three_fifths_longer)
@control("a_sixteenth_of_it", share=Fraction(1, 16))
@checked_by(REBASING, "weights", "ball", PAIRS, definitions=KERNELS)
def weights_in_balls(of: Kernels, run: Run) -> Evidence:
    """Stored numbers are exact, so the inequality is decided rigorously."""
    return _weights(of, run, 400 if run.profile == "full" else 24, flush=False)


@control("gradual_block", block=_gradual)
@checked_by(REBASING, "weights", "float", PAIRS, definitions=KERNELS)
def weights_with_flush(of: Kernels, run: Run) -> Evidence:
    """Flush to zero: omega is the smallest normal number over u."""
    return _weights(of, run, 400 if run.profile == "full" else 24, flush=True)


def _score_errors(
    shear: Shear,
    store: Storage,
    method: kernels.Method,
    source: np.random.Generator,
    i: Ints,
    j: Ints,
) -> tuple[list[Any], Floats]:
    """|computed - exact| per (rho + 1 / rho) |q| |k|, in units of u, and the norms' product."""
    q, k = vectors(source, len(i), store)
    computed = kernels.scores(shear, q, k, i, j, store, method)
    norms = np.linalg.norm(q, axis=1) * np.linalg.norm(k, axis=1)
    unit = store.form.unit_roundoff * shear.conditioning
    with precision(kernels.BITS):
        wanted = kernels.exact_scores(shear, q, k, (i - j).tolist())
        # Norms are rounded: one part in 2^50 less.
        limits = [unit * Fraction(x) * (1 - Fraction(1, 2**50)) for x in norms.tolist()]
        return _excess(computed, wanted, limits), norms


def _in_units(form: Format, roundings: int, share: Fraction) -> Fraction:
    return share * kernels.score_bound(form, roundings) / form.unit_roundoff


@control("block_of_128", block=_of_128)
@control("three_fifths_longer", block=_three_fifths_longer)
@control("growing", shear=GROWING)
@control("a_thirtieth_of_it", share=THIRTIETH)
@checked_by(REBASING, "scores", "float", PAIRS, definitions=KERNELS)
def rebased_scores(of: Kernels, run: Run) -> Evidence:
    """Factors e^(r_- (B - 1) / 2) and less; the largest error of corner and random pairs."""
    count = 400 if run.profile == "full" else 24
    source, found = np.random.default_rng(run.seed), Findings()
    for name in NAMES:
        store = Storage(FORMATS[name])
        longest = of.block(FAST, store)
        for block in sorted({longest, max(2, min(longest, 64) * 3 // 4)}):
            i, j = pairs(source, block, LENGTH, count)
            method = kernels.rebased(block)
            errors, _ = _score_errors(of.shear, store, method, source, i, j)
            bound, what = _in_units(store.form, 17, of.share), f"{name} at B = {block}"
            evidence, size = _worst(errors, store.form, bound, "(1 + u)^17 - 1", i, j, what)
            if not found.add(evidence, size, bound, what):
                return found.best
    return found.result()


def _by_reference(reference: Callable[[Ints, Ints], Ints]) -> kernels.Method:
    def factors(rate: Fraction, i: Ints, j: Ints, store: Storage) -> kernels.Factors:
        c = reference(i, j)
        left = kernels.powers(rate, (i - c).tolist(), store)
        return kernels.Factors(left, None, kernels.powers(rate, (c - j).tolist(), store))

    return factors


@control("common_bits", reference=_common_bits)
@control("a_thirtieth_of_it", share=THIRTIETH)
@checked_by(REBASING, "dyadic_scores", "float", PAIRS, definitions=KERNELS)
def dyadic_scores(of: Kernels, run: Run) -> Evidence:
    """The same pairs, corners of blocks of 64 and of 4096 among them; no block enters."""
    count = 400 if run.profile == "full" else 24
    source, found = np.random.default_rng(run.seed), Findings()
    for name in NAMES:
        store = Storage(FORMATS[name])
        for block in (64, 4096):
            i, j = pairs(source, block, LENGTH, count)
            errors, _ = _score_errors(of.shear, store, _by_reference(of.reference), source, i, j)
            bound, what = _in_units(store.form, 13, of.share), f"{name}, corners of {block}"
            evidence, size = _worst(errors, store.form, bound, "(1 + u)^13 - 1", i, j, what)
            if not found.add(evidence, size, bound, what):
                return found.best
    return found.result()


@control("a_thirtieth_of_it", share=THIRTIETH)
@checked_by(
    REBASING,
    "normal_scores",
    "float",
    Scope("60 pairs in float32 and float64, n <= 400", "1000 pairs, n <= 400"),
    definitions=KERNELS,
)
def scores_relative_to_the_decay(of: Kernels, run: Run) -> Evidence:
    """Blocks of 64: every factor and product is a normal number, so the error decays as well."""
    count = 1000 if run.profile == "full" else 60
    source, found = np.random.default_rng(run.seed), Findings()
    for name in ("float32", "float64"):
        store = Storage(FORMATS[name])
        i = source.integers(400, LENGTH, count)
        j = i - source.integers(0, 400, count)
        errors, _ = _score_errors(of.shear, store, kernels.rebased(64), source, i, j)
        slow = of.shear.rates[0]
        with precision(kernels.BITS):
            decays = [arb(exact(slow * n)).exp() for n in (i - j).tolist()]
            errors = [ends(exact(e) * d)[1] for e, d in zip(errors, decays, strict=True)]
        bound, what = _in_units(store.form, 14, of.share), name
        evidence, size = _worst(errors, store.form, bound, "(1 + u)^14 - 1", i, j, what)
        if not found.add(evidence, size, bound, what):
            return found.best
    return found.result()


@control("exponents_in_bfloat16", exponents=_bfloat16)
@checked_by(
    REBASING,
    "rounded_exponents",
    "ball",
    Scope("36 corners and 24 pairs a format", "36 corners and 400 pairs a format"),
    definitions=KERNELS,
)
def exponents_in_the_format(of: Kernels, run: Run) -> Evidence:
    """Exponents are rounded to the format, and nothing else is."""
    count = 400 if run.profile == "full" else 24
    source, found = np.random.default_rng(run.seed), Findings()
    for name in ("float16", "float32", "float64"):
        store = Storage(FORMATS[name])
        unit, block = store.form.unit_roundoff, kernels.safe_block(FAST, store)
        i, j = pairs(source, block, 10**4, count)
        (one, a), (other, b) = np.divmod(i, block), np.divmod(j, block)
        c = kernels.centre(block)
        rows = zip(a.tolist(), b.tolist(), (one - other).tolist(), strict=True)
        rounded = FORMATS[of.exponents(name)]
        errors: list[Any] = []
        with precision(200):
            y = exact(2 * unit * FAST * (block - 1))
            limit = arb(y).exp() * (y + exact(unit / (1 - unit)) / arb(1).exp())
            for (first, second, apart), n in zip(rows, (i - j).tolist(), strict=True):
                parts = (-FAST * (first - c), -FAST * block * apart, FAST * (second - c))
                stored = sum(_rounded_exponent(x, rounded) for x in parts)
                gap = abs(arb(exact(stored)).exp() - arb(exact(-FAST * n)).exp())
                errors.append(ends(gap / limit)[1])
        bound, what = of.share, f"{name} at B = {block}, shares of the bound"
        evidence, size = _worst(errors, store.form, bound, "e^y (y + u / ((1 - u) e))", i, j, what)
        if not found.add(evidence, size, bound, name):
            return found.best
    return replace(found.best, note=found.result().note.replace(" u in", " of the bound in"))


def _rounded_exponent(value: Fraction, form: Format) -> Fraction:
    """The nearest number of the format; every exponent here is within its range."""
    from posproof.numerics.formats import round_exact

    found = round_exact(value, form)
    if found is None:
        raise ValueError(f"{form.name} does not hold {value}")
    return found


@control("common_bits", reference=_common_bits)
@checked_by(
    REBASING, "dyadic", "property", "0 <= j <= 10^6, 1 <= i - j <= 10^6", definitions=KERNELS
)
def references_between(of: Kernels, run: Run) -> Evidence:
    """j < c <= i, and c is the multiple of 2^h that both floors name."""
    from hypothesis import strategies as st

    def holds(j: int, apart: int) -> bool:
        i = j + apart
        c = int(of.reference(np.array([i]), np.array([j]))[0])
        h = (i ^ j).bit_length() - 1
        return j < c <= i and c == (i >> h) << h and c == ((j >> h) + 1) << h

    places = {"j": st.integers(0, LENGTH), "apart": st.integers(1, LENGTH)}
    return hunt(holds, places, run, first={"j": 0, "apart": 1})


@control("twice_as_long", block=_twice_as_long)
@checked_by(
    REBASING,
    "centred",
    "property",
    "float32, gamma = 1/100 .. 1/2, mu <= gamma, B <= 2000, i <= 10^6",
    definitions=KERNELS,
)
def blocks_of_any_shear(of: Kernels, run: Run) -> Evidence:
    """Stored factors stay within e^(r_- (B - 1) / 2), and weights within 8 u, in safe blocks."""
    from hypothesis import strategies as st

    store = Storage(FORMATS["float32"])
    unit = store.form.unit_roundoff

    def holds(gamma: int, part: int, block: int, i: int, apart: int, corner: bool) -> bool:
        fast = Fraction(gamma, 100) * (1 + Fraction(part, 16))
        size = max(2, min(block, of.block(fast, store)))
        j = max(i - apart, 0)
        if corner:
            start = i // size
            i, j = (start + 1 + apart % 3) * size, start * size + size - 1
        found = kernels.rebased(size)(fast, np.array([i]), np.array([j]), store)
        with precision(kernels.BITS):
            reach = arb(exact(fast * (size - 1) / 2)).exp() * (1 + exact(unit))
            if not all(bool(arb(float(x[0])) * reach >= 1) for x in (found.query, found.key)):
                return False
            if not all(bool(arb(float(x[0])) <= reach) for x in (found.query, found.key)):
                return False
            value = float(kernels.weights(found, store)[0])
            wanted = arb(exact(-fast * (i - j))).exp()
            return math.isfinite(value) and bool(abs(arb(value) - wanted) < exact(8 * unit))

    choices = {
        "gamma": st.integers(1, 50),
        "part": st.integers(0, 16),
        "block": st.integers(2, 2000),
        "i": st.integers(0, LENGTH),
        "apart": st.one_of(st.integers(0, 4000), st.integers(0, LENGTH)),
        "corner": st.booleans(),
    }
    corner = {"gamma": 22, "part": 16, "block": 206, "i": 0, "apart": 0, "corner": True}
    return hunt(holds, choices, run, first=corner)
