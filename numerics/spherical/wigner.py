"""Wigner matrices against balls: entries, products, factorisation, and the certificate itself.

Main definitions
----------------
Kernels    what the checks compute; a control replaces one of them
risbo      d^l by half steps of the degree, an algorithm of its own for the certificate

Main claims
-----------
spherical.half_pi_matrix, spherical.matrix_certificate, spherical.wigner_numerics,
spherical.factorisation

Conventions
-----------
As in `posproof.numerics.wigner`; a float angle is the number it is.  Errors of floats are taken in
balls, so no reference is rounded first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

import numpy as np
from flint import acb, arb
from numpy.typing import NDArray

from posproof.numerics import wigner
from posproof.numerics.balls import ends, precision
from posproof.numerics.balls.wigner import small_matrix
from posproof.numerics.hunt import hunt
from posproof.numerics.measure import within
from posproof.numerics.wigner import Array, Complex, U
from posproof.numerics.wigner_certificate import Finding, certify
from posproof.theory.spherical.wigner import (
    FACTORISATION,
    HALF_PI_MATRIX,
    MATRIX_CERTIFICATE,
    WIGNER_NUMERICS,
)
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, Trust, checked_by, control

LIBRARY = frozenset({Trust("software", "NumPy's float64 cos and sin are within one ulp")})
#: What is never reached for l <= 256, and where something is worth looking at.
ALARM = 16
#: |pi / 2 - its float|, rounded up.
QUARTER_TURN = Fraction(7, 10**17)
#: Radius and size of what is 0 in balls.
NOTHING = Fraction(1, 10**25)


def swapped(first: Complex, second: Complex) -> Complex:
    return second @ first


@dataclass(frozen=True)
class Kernels:
    """What the checks compute; a control replaces one of them."""

    small: Callable[[int, Any], Array] = wigner.small
    half_pi: Callable[[int], Array] = wigner.half_pi_plain
    matrix: Callable[[int, Any], Complex] = wigner.matrix
    product: Callable[[Complex, Complex], Complex] = np.matmul
    apply: Callable[..., Complex] = wigner.apply
    certify: Callable[[Array, float], Finding] = certify
    ladder: Callable[[int, int], int] = lambda twice, at: (twice - at) * (at + 1)
    quarter: Callable[[Any], Any] = lambda m: m * arb.pi() / 2
    sines: int = 1
    weight_of_zero: int = 1


KERNELS = Kernels()


# ---------------------------------------------------------------------- what is compared
def _error(found: Array, reference: Sequence[Sequence[arb]]) -> Fraction:
    """max |found - reference| for columns of balls."""
    worst = arb(0)
    with precision(128):
        for column, balls in zip(found.T.tolist(), reference, strict=True):
            for value, ball in zip(column, balls, strict=True):
                worst = worst.max(abs(arb(value) - ball))
    return ends(worst)[1]


def _column_errors(found: Array, reference: Sequence[Sequence[arb]]) -> list[arb]:
    """The 2-norm of the error of each column, also where it may be 0."""
    errors = []
    with precision(128):
        for column, balls in zip(found.T.tolist(), reference, strict=True):
            gaps = [arb(v) - b for v, b in zip(column, balls, strict=True)]
            square = sum((gap * gap for gap in gaps), arb(0))
            errors.append(square.nonnegative_part().sqrt())
    return errors


@lru_cache(maxsize=256)
def _reference(twice: int, beta: float, columns: tuple[int, ...]) -> list[list[arb]]:
    return small_matrix(twice, beta, columns)


def nine(twice: int) -> tuple[int, ...]:
    """The columns at the ends, in the middle and between, at most nine."""
    return tuple(sorted({twice * at // 8 for at in range(9)}))


#: Angles of every profile: both ends, close to them, and between.
EIGHT = (0.0, 1e-8, 1e-3, 0.7, 1.5707, 2.9, math.pi - 1e-8, math.pi)


def _more_angles(count: int, source: np.random.Generator) -> list[float]:
    """Log-uniform from either end, and uniform."""
    third = count // 3
    near = np.exp(source.uniform(np.log(1e-12), np.log(0.1), 2 * third))
    uniform = source.uniform(0, math.pi, count - 2 * third)
    return [*near[:third].tolist(), *(math.pi - near[third:]).tolist(), *uniform.tolist()]


def _worst_entry(of: Kernels, twice: int, angles: Iterable[float], columns: Any) -> tuple[Any, str]:
    worst, where = Fraction(0), ""
    for beta in angles:
        found = of.small(twice, beta)[:, list(columns)]
        if not np.isfinite(found).all():
            return math.nan, f"l = {twice / 2:g}, beta = {beta!r}"
        error = _error(found, _reference(twice, beta, tuple(columns)))
        if error >= worst:
            worst, where = error, f"l = {twice / 2:g}, beta = {beta!r}"
    return worst, where


# ---------------------------------------------------------------------- spherical.half_pi_matrix
def _mirrored_like_integers(twice: int) -> Array:
    """The upper rows with the sign (-1)^(l + m), which is right for integer l only."""
    found = wigner.half_pi_plain(twice)
    if twice % 2:
        found[twice // 2 + 1 :] *= -1
    return found


def _past_the_middle(twice: int) -> Array:
    """The recursion carried on through the upper rows, where it is unstable."""
    n, k = twice + 1, np.arange(twice + 1)
    found, m = np.zeros((n, n)), k - twice / 2
    ladder = np.sqrt((twice - k[:-1]) * (k[:-1] + 1.0))
    found[: twice // 2 + 1] = wigner.half_pi_plain(twice)[: twice // 2 + 1]
    for row in range(max(1, twice // 2), twice):
        found[row + 1] = (2 * m * found[row] - ladder[row - 1] * found[row - 1]) / ladder[row]
    return found


QUARTERS = Scope("2l = 1 to 9, 20, 33, 64, 65, 128, 256", "2l = 1 to 65, 128, 256, 512")


@control("sign_of_integer_degrees", half_pi=_mirrored_like_integers)
@control("past_the_middle", half_pi=_past_the_middle)
@checked_by(HALF_PI_MATRIX, "recursion", "float", QUARTERS, definitions=KERNELS)
def plain_quarter_turns(of: Kernels, run: Run) -> Evidence:
    """Plain float64 against the correctly rounded matrix, within its own certificate.

    The certificate is about the float next to pi / 2; a matrix moves by at most l times the angle.
    """
    full = run.profile == "full"
    degrees = (*range(1, 66), 128, 256, 512) if full else (*range(1, 10), 20, 33, 64, 65, 128, 256)
    nearest: Evidence | None = None
    largest = 0.0
    for twice in degrees:
        found = of.half_pi(twice)
        error = float(np.abs(found - wigner.half_pi(twice)).max())
        finding = of.certify(found, math.pi / 2)
        if not finding.signs:
            return Evidence("refuted", witness=f"2l = {twice}: {finding.fault}")
        limit = Fraction(max(finding.columns)) + Fraction(twice, 2) * QUARTER_TURN + U
        bound = Bound(limit, "certificate + l |pi/2 - fl(pi/2)| + u", {"2l": twice})
        evidence = within(Fraction(error), bound, witness=f"2l = {twice}")
        if evidence.outcome != "holds":
            return evidence
        if error >= largest:
            largest, nearest = error, evidence
    assert nearest is not None and nearest.bound is not None
    where = f"worst at 2l = {nearest.bound.inputs['2l']}"
    return Evidence("holds", nearest.measured, nearest.bound, note=where)


@control("ladder_without_product", ladder=lambda twice, at: at + 1)
@checked_by(
    HALF_PI_MATRIX,
    "recursion",
    "ball",
    Scope("2l = 9 to 24", "2l = 9 to 64"),
    definitions=KERNELS,
)
def recursion_in_balls(of: Kernels, run: Run) -> Evidence:
    """Columns from powers of linear forms satisfy the recursion."""
    worst, where = Fraction(0), ""
    for twice in range(9, 65 if run.profile == "full" else 25):
        with precision(4 * twice + 256):
            turn = arb.pi() / 2
        for at, column in zip(nine(twice), small_matrix(twice, turn, nine(twice)), strict=True):
            with precision(128):
                c = [arb(of.ladder(twice, row)).sqrt() for row in range(twice)]
                m = arb(2 * at - twice) / 2
                for row in range(twice + 1):
                    up = c[row] * column[row + 1] if row < twice else arb(0)
                    down = c[row - 1] * column[row - 1] if row else arb(0)
                    size = ends(abs((up + down) / 2 - m * column[row]))[1]
                    if size >= worst:
                        worst, where = size, f"2l = {twice}, column {at}, row {row}"
    return within(worst, Bound(NOTHING, "10^-25", {}), witness=where)


def _columns_flipped(twice: int) -> Array:
    found = wigner.half_pi_plain(twice).copy()
    found[:, -1] *= -1
    return found


TO_120 = Scope("2l = 1 to 40", "2l = 1 to 120")


@control("last_column_flipped", half_pi=_columns_flipped)
@checked_by(HALF_PI_MATRIX, "recursion", "property", TO_120, definitions=KERNELS)
def quarter_turns_are_certified(of: Kernels, run: Run) -> Evidence:
    """The certificate accepts every degree, within 60 (2l + 4) u."""
    from hypothesis import strategies

    def accepted(twice: int) -> bool:
        finding = _certified_once(of, twice)
        return finding.signs and Fraction(max(finding.columns)) <= 60 * (twice + 4) * U

    largest = 120 if run.profile == "full" else 40
    return hunt(accepted, {"twice": strategies.integers(1, largest)}, run)


@lru_cache(maxsize=256)
def _certified_once(of: Kernels, twice: int) -> Finding:
    return of.certify(of.half_pi(twice), math.pi / 2)


# --------------------------------------------------------------------- spherical.matrix_certificate
def risbo(twice: int, beta: float) -> Array:
    """d^l(beta) by half steps of the degree, each a product with one more linear factor."""
    c, s = math.cos(beta / 2), math.sin(beta / 2)
    d = np.ones((1, 1))
    for t in range(1, twice + 1):
        row, column = np.meshgrid(np.arange(t), np.arange(t), indexing="ij")
        grown = np.zeros((t + 1, t + 1))
        grown[:-1, :-1] += np.sqrt((t - row) * (t - column)) * d * c
        grown[1:, 1:] += np.sqrt((row + 1) * (column + 1)) * d * c
        grown[1:, :-1] += np.sqrt((row + 1) * (t - column)) * d * -s
        grown[:-1, 1:] += np.sqrt((t - row) * (column + 1)) * d * s
        d = grown / t
    return d


def _shared(share: float) -> Callable[[Array, float], Finding]:
    def smaller(matrix: Array, beta: float) -> Finding:
        finding = certify(matrix, beta)
        return Finding(tuple(share * x for x in finding.columns), finding.signs, finding.fault)

    return smaller


def _tilted(matrix: Array, angle: float) -> Array:
    """Two neighbouring columns turned into each other: the certificate's own worst case."""
    found = matrix.copy()
    c, s = math.cos(angle), math.sin(angle)
    left, right = matrix[:, 0], matrix[:, 1]
    found[:, 0], found[:, 1] = c * left + s * right, c * right - s * left
    return found


COLUMNS = Scope(
    "2l = 1, 2, 3, 10, 65 at 3 angles, also with two columns tilted or stretched",
    "2l = 1, 2, 3, 10, 65, 128, 256 at 8 angles, also with two columns tilted or stretched",
)


@control("smaller_by_root_2", certify=_shared(0.7071))
@control("half_of_it", certify=_shared(0.5))
@checked_by(MATRIX_CERTIFICATE, "column", "ball", COLUMNS, definitions=KERNELS)
def certificates_hold(of: Kernels, run: Run) -> Evidence:
    """The true error of every column, in balls, against its bound."""
    full = run.profile == "full"
    degrees = (1, 2, 3, 10, 65, 128, 256) if full else (1, 2, 3, 10, 65)
    closest, where = Fraction(0), ""
    for twice in degrees:
        for beta in EIGHT if full else (1e-6, 0.7, 3.1415):
            columns = tuple(range(twice + 1)) if twice <= 65 else nine(twice)
            reference = _reference(twice, beta, columns)
            plain = of.small(twice, beta)
            for tried in (plain, _tilted(plain, 0.01), plain * 1.01):
                bounds = of.certify(tried, beta).columns
                errors = _column_errors(tried[:, list(columns)], reference)
                for at, error in zip(columns, errors, strict=True):
                    ratio = ends(error)[1] / Fraction(bounds[at]) if bounds[at] else Fraction(0)
                    if ratio >= closest:
                        closest, where = ratio, f"2l = {twice}, beta = {beta!r}, column {at}"
    bound = Bound(Fraction(1), "||v - w|| / (sqrt(2) rho + | ||v|| - 1 |)", {})
    return within(closest, bound, witness=where)


def _signs_ignored(matrix: Array, beta: float) -> Finding:
    return Finding(certify(matrix, beta).columns, True)


def _only_neighbours(matrix: Array, beta: float) -> Finding:
    """The first column's sign is not looked at."""
    finding = certify(matrix, beta)
    return Finding(finding.columns, not finding.fault or finding.fault.startswith("column 0:"))


def _impostors(d: Array) -> dict[str, Array]:
    """Matrices that are not d^10(0.7)."""
    flipped, swapped_ = d.copy(), d.copy()
    flipped[:, 5] *= -1
    swapped_[:, [4, 5]] = d[:, [5, 4]]
    return {
        "one column flipped": flipped,
        "the opposite sign": -d,
        "transposed": d.T,
        "both indices reversed": d[::-1, ::-1],
        "two columns swapped": swapped_,
        "zero": np.zeros_like(d),
    }


@control("signs_ignored", certify=_signs_ignored)
@checked_by(MATRIX_CERTIFICATE, "signs", "ball", "six impostors of d^10(0.7)", definitions=KERNELS)
def impostors_are_rejected(of: Kernels, run: Run) -> Evidence:
    """None is certified to within 1; the matrix itself is, and so is one with a small error."""
    d = of.small(20, 0.7)
    for name, matrix in _impostors(d).items():
        finding = of.certify(matrix, 0.7)
        if finding.signs and max(finding.columns) < 1:
            return Evidence("refuted", witness=f"{name}: accepted")
    right = of.certify(d, 0.7)
    if not right.signs:
        return Evidence("refuted", witness=f"d^10(0.7) rejected: {right.fault}")
    bound = Bound(60 * 24 * U, "60 (2l + 4) u", {"2l": 20})
    return within(Fraction(max(right.columns)), bound, witness="d^10(0.7)")


@control("first_column_not_looked_at", certify=_only_neighbours)
@checked_by(
    MATRIX_CERTIFICATE,
    "first_column",
    "ball",
    "the opposite of d^l, 2l = 1, 2, 10, 33, six angles of either sign",
    definitions=KERNELS,
)
def opposite_matrices_are_rejected(of: Kernels, run: Run) -> Evidence:
    for twice in (1, 2, 10, 33):
        for beta in (-2.5, -0.7, -1e-7, 1e-7, 0.7, 2.5):
            d = of.small(twice, beta)
            if not of.certify(d, beta).signs:
                return Evidence("refuted", witness=f"2l = {twice}, beta = {beta}: rejected")
            if of.certify(-d, beta).signs:
                return Evidence("refuted", witness=f"2l = {twice}, beta = {beta}: -d accepted")
    return Evidence("holds", note="24 matrices and their opposites")


@control("ladder_without_product", ladder=lambda twice, at: at + 1)
@checked_by(
    MATRIX_CERTIFICATE,
    "eigenvectors",
    "ball",
    Scope("2l = 7 to 20, 3 angles", "2l = 7 to 64, 3 angles"),
    definitions=KERNELS,
)
def eigenvectors_in_balls(of: Kernels, run: Run) -> Evidence:
    return _generator(of, run, turned=False)


@control("ladder_without_product", ladder=lambda twice, at: at + 1)
@checked_by(
    MATRIX_CERTIFICATE,
    "neighbours",
    "ball",
    Scope("2l = 7 to 20, 3 angles", "2l = 7 to 64, 3 angles"),
    definitions=KERNELS,
)
def neighbours_in_balls(of: Kernels, run: Run) -> Evidence:
    return _generator(of, run, turned=True)


def _generator(of: Kernels, run: Run, turned: bool) -> Evidence:
    """(cos J_z + sin J_x) d - d J_z, or (cos J_x - sin J_z) d - d J_x, in balls."""
    worst, where = Fraction(0), ""
    for twice in range(7, 65 if run.profile == "full" else 21):
        for beta in (0.001, 0.7, 3.0):
            d = small_matrix(twice, beta)
            with precision(192):
                gap = list(_gap(of, d, twice, arb(beta), turned))
            size, at = max((ends(abs(x))[1], j) for j, x in gap)
            if size >= worst:
                worst, where = size, f"2l = {twice}, beta = {beta}, column {at}"
    return within(worst, Bound(NOTHING, "10^-25", {}), witness=where)


def _gap(of: Kernels, d: Any, twice: int, beta: arb, turned: bool) -> Iterable[tuple[int, arb]]:
    c, s = beta.cos(), beta.sin()
    half = [arb(of.ladder(twice, at)).sqrt() / 2 for at in range(twice)]
    m = [arb(2 * at - twice) / 2 for at in range(twice + 1)]

    def J_x(v: Sequence[arb], row: int) -> arb:
        up = half[row] * v[row + 1] if row < twice else arb(0)
        return up + (half[row - 1] * v[row - 1] if row else arb(0))

    for j in range(twice + 1):
        for row in range(twice + 1):
            x, z = J_x(d[j], row), m[row] * d[j][row]
            if turned:
                yield j, c * x - s * z - J_x([column[row] for column in d], j)
            else:
                yield j, c * z + s * x - m[j] * d[j][row]


@control("one_column_flipped", small=lambda twice, beta: _flipped_risbo(twice, beta))
@checked_by(
    MATRIX_CERTIFICATE,
    "column",
    "property",
    Scope("2l = 1 to 12, 10^-9 <= beta <= pi - 10^-9", "2l = 1 to 40, 10^-9 <= beta <= pi - 10^-9"),
    definitions=Kernels(small=risbo),
)
def other_algorithms_are_certified(of: Kernels, run: Run) -> Evidence:
    """Half steps of the degree are certified within 60 (2l + 4) u; with a column flipped never."""
    from hypothesis import strategies

    def judged(twice: int, beta: float, flip: int) -> bool:
        d = of.small(twice, beta)
        right = of.certify(d, beta)
        wrong = d.copy()
        wrong[:, flip % (twice + 1)] *= -1
        accepted = right.signs and Fraction(max(right.columns)) <= 60 * (twice + 4) * U
        return accepted and not of.certify(wrong, beta).signs

    inputs = {
        "twice": strategies.integers(1, 40 if run.profile == "full" else 12),
        "beta": strategies.floats(1e-9, math.pi - 1e-9),
        "flip": strategies.integers(0, 40),
    }
    return hunt(judged, inputs, run)


def _flipped_risbo(twice: int, beta: float) -> Array:
    found = risbo(twice, beta)
    found[:, -1] *= -1
    return found


# ---------------------------------------------------------------------- spherical.wigner_numerics
def explicit_sum(twice: int, beta: float) -> Array:
    """The textbook sum in float64: terms of size 2^l cancel."""
    from scipy.special import gammaln

    n, c, s = twice + 1, math.cos(beta / 2), math.sin(beta / 2)
    log = gammaln(np.arange(n) + 1.0)
    row, column = np.ogrid[:n, :n]
    weight = (log[row] + log[twice - row] + log[column] + log[twice - column]) / 2
    total = np.zeros((n, n))
    for at in range(n):
        powers = np.broadcast_arrays(column - at, row - column + at, twice - row - at)
        inside = (powers[0] >= 0) & (powers[1] >= 0) & (powers[2] >= 0)
        a, b, rest = (np.where(inside, power, 0) for power in powers)
        size = np.exp(weight - log[a] - log[at] - log[b] - log[rest])
        turned = c ** np.where(inside, a + rest, 0) * s ** np.where(inside, at + b, 0)
        total += np.where(inside, (1.0 - 2.0 * (b % 2)) * size * turned, 0)
    return total


def _plain_phases(twice: int, beta: Any) -> Array:
    """The fold with m beta rounded before its cosine is taken."""
    orders = np.arange(twice % 2, twice + 1, 2) / 2
    phases = wigner.rounded_phases(orders, np.atleast_1d(np.asarray(beta, dtype=np.float64)))
    found = wigner.fold(*phases, wigner.halves(wigner.half_pi(twice)))
    return found.reshape(*np.shape(beta), twice + 1, twice + 1)


def _eigenvector_flipped(twice: int, beta: Any) -> Array:
    """The fold with one column of Delta of the opposite sign in the rows of even l + m'."""
    orders = np.arange(twice % 2, twice + 1, 2) / 2
    phases = wigner.phases(orders, np.atleast_1d(np.asarray(beta, dtype=np.float64)))
    delta = wigner.half_pi(twice).copy()
    delta[::2, -1] *= -1
    found = wigner.fold(*phases, wigner.halves(delta))
    return found.reshape(*np.shape(beta), twice + 1, twice + 1)


def _eigenvector_dropped(twice: int, beta: Any) -> Array:
    """The fold without its last eigenvector."""
    orders = np.arange(twice % 2, twice + 1, 2) / 2
    phases = wigner.phases(orders, np.atleast_1d(np.asarray(beta, dtype=np.float64)))
    delta = wigner.half_pi(twice).copy()
    delta[:, -1] = 0
    found = wigner.fold(*phases, wigner.halves(delta))
    return found.reshape(*np.shape(beta), twice + 1, twice + 1)


def _angles_of(run: Run) -> tuple[float, ...]:
    if run.profile != "full":
        return EIGHT
    return (*EIGHT, *_more_angles(192, np.random.default_rng(run.seed)))


def _stated(ours: Fraction, stated: Any) -> Fraction:
    """A bound of the layer, which is that of the clause but for the rounding of square roots."""
    if abs(float(ours) / float(stated) - 1) > 2.0**-40:
        raise ValueError(f"the layer's bound {float(ours)!r} is not the stated {float(stated)!r}")
    return ours


def _entry_bound(twice: int) -> Fraction:
    """(h + 11) u."""
    stated = WIGNER_NUMERICS.definitions.entry_bound(twice // 2 + 1, U)
    return _stated(wigner.entry_bound(twice), stated)


def _entries(of: Kernels, run: Run, twice: int, limit: Fraction, formula: str) -> Evidence:
    """Nine columns at every angle; in the full profile all columns at eight."""
    worst, where = _worst_entry(of, twice, _angles_of(run), nine(twice))
    if run.profile == "full" and worst is not math.nan:
        every, at = _worst_entry(of, twice, EIGHT, range(twice + 1))
        worst, where = (every, at) if every is math.nan or every > worst else (worst, where)
    bound = Bound(limit, formula, {"2l": twice})
    found = within(worst, bound, witness=where)
    return Evidence(
        found.outcome, found.measured, found.bound, found.witness, where, trusts=LIBRARY
    )


NINE_COLUMNS = Scope("8 angles, nine columns", "200 angles, nine columns; 8 angles, all columns")


@control("opposite_eigenvector", small=_eigenvector_flipped)
@checked_by(WIGNER_NUMERICS, "entries", "float", NINE_COLUMNS, definitions=KERNELS)
def entries_at_128(of: Kernels, run: Run) -> Evidence:
    return _entries(of, run, 256, _entry_bound(256), "(h + 11) u")


@control("opposite_eigenvector", small=_eigenvector_flipped)
@checked_by(WIGNER_NUMERICS, "entries", "float", NINE_COLUMNS, definitions=KERNELS)
def entries_at_256(of: Kernels, run: Run) -> Evidence:
    return _entries(of, run, 512, _entry_bound(512), "(h + 11) u")


SMALL_DEGREES = (1, 2, 3, 4, 10, 20, 21, 32, 64, 65)


@control("explicit_sum", small=explicit_sum)
@checked_by(
    WIGNER_NUMERICS,
    "entries",
    "float",
    Scope("2l = 1 to 65, 8 angles", "2l = 1 to 65, 200 angles"),
    definitions=KERNELS,
)
def entries_of_small_degrees(of: Kernels, run: Run) -> Evidence:
    """The degree that comes closest to its bound is reported."""
    reported: Evidence | None = None
    share = Fraction(-1)
    for twice in SMALL_DEGREES:
        worst, where = _worst_entry(of, twice, _angles_of(run), nine(twice))
        limit = _entry_bound(twice)
        evidence = within(worst, Bound(limit, "(h + 11) u", {"2l": twice}), witness=where)
        if evidence.outcome != "holds":
            return evidence
        if worst / limit > share:
            share = worst / limit
            reported = Evidence(
                "holds", evidence.measured, evidence.bound, note=where, trusts=LIBRARY
            )
    assert reported is not None
    return reported


@control("plain_phases", small=_plain_phases)
@checked_by(WIGNER_NUMERICS, "entries", "float", NINE_COLUMNS, definitions=KERNELS)
def alarm_at_256(of: Kernels, run: Run) -> Evidence:
    """Nothing is proved about 16 u; more has not been seen up to l = 256."""
    return _entries(of, run, 512, ALARM * U, "16 u, an alarm")


@control("sines_negated", sines=-1)
@control("weight_of_zero_doubled", weight_of_zero=2)
@checked_by(
    WIGNER_NUMERICS,
    "fold",
    "ball",
    Scope("2l = 7 to 20, nine columns, 3 angles", "2l = 7 to 64, nine columns, 3 angles"),
    definitions=KERNELS,
)
def fold_in_balls(of: Kernels, run: Run) -> Evidence:
    """Half the sum with its weights, against powers of linear forms."""

    def folded(delta: Any, twice: int, beta: arb, at: int) -> list[arb]:
        phases = []
        for order in range(twice % 2, twice + 1, 2):
            weight = 2 if order else of.weight_of_zero
            angle = order * beta / 2
            phases.append((weight * angle.cos(), weight * of.sines * angle.sin()))
        middle = (twice + 1) // 2
        found = []
        for row in range(twice + 1):
            odd = (at - row) % 2
            terms = (
                delta[mu][row] * delta[mu][at] * phases[mu - middle][odd]
                for mu in range(middle, twice + 1)
            )
            found.append((-1) ** ((at - row) // 2) * sum(terms, arb(0)))
        return found

    return _against_powers(run, folded)


def _against_powers(run: Run, column: Callable[..., Sequence[Any]]) -> Evidence:
    """column(delta, twice, beta, k), delta a list of columns, against d^l(beta)."""
    worst, where = Fraction(0), ""
    for twice in range(7, 65 if run.profile == "full" else 21):
        with precision(4 * twice + 256):
            turn = arb.pi() / 2
        delta, columns = small_matrix(twice, turn), nine(twice)
        for beta in (0.001, 0.7, 3.0):
            for at, expected in zip(columns, small_matrix(twice, beta, columns), strict=True):
                with precision(192):
                    found = column(delta, twice, arb(beta), at)
                    size = max(ends(abs(x - y))[1] for x, y in zip(found, expected, strict=True))
                if size >= worst:
                    worst, where = size, f"2l = {twice}, beta = {beta}, column {at}"
    return within(worst, Bound(NOTHING, "10^-25", {}), witness=where)


def _column(of: Kernels, delta: Any, twice: int, beta: arb, at: int) -> list[acb]:
    """One column of the five factors at alpha = gamma = 0; delta is a list of columns."""
    m = [arb(2 * k - twice) / 2 for k in range(twice + 1)]
    turned = [
        delta[mu][at] * acb(0, of.quarter(m[at]) - m[mu] * beta).exp() for mu in range(twice + 1)
    ]
    return [
        sum((delta[mu][row] * turned[mu] for mu in range(twice + 1)), acb(0))
        * acb(0, -of.quarter(m[row])).exp()
        for row in range(twice + 1)
    ]


def _small_turns_off(twice: int, angles: Any) -> Complex:
    """Right but for a relative error of 10^-10 in a band of small angles."""
    euler = np.array(angles, dtype=np.float64)
    band = (euler[..., 1] > 0) & (euler[..., 1] < 0.1 / twice)
    euler[..., 1] = np.where(band, euler[..., 1] * (1 + 1e-10), euler[..., 1]) + np.where(
        band, 1e-11, 0
    )
    return wigner.matrix(twice, euler)


PAIRS = Scope(
    "2l = 1, 4, 10, 64, 128, 256; 200 to 4 pairs",
    "2l = 1, 4, 10, 64, 128, 256, 512; 4000 to 40 pairs",
)


def _pairs_of(run: Run) -> list[tuple[int, int]]:
    counts = [(1, 200), (4, 200), (10, 100), (64, 20), (128, 8), (256, 4)]
    if run.profile == "full":
        return [(twice, 20 * count) for twice, count in counts] + [(512, 40)]
    return counts


@control("swapped_order", product=swapped)
@control("wrong_in_a_band_of_small_angles", matrix=_small_turns_off)
@checked_by(WIGNER_NUMERICS, "homomorphism", "float", PAIRS, definitions=KERNELS)
def products_of_matrices(of: Kernels, run: Run) -> Evidence:
    """D_1 D_2 against D of the product of two float quaternions, small and large angles."""

    def defect(twice: int, p: Array, q: Array) -> Array:
        both = wigner.quaternion_product(p, q)
        one, two, product = (
            of.matrix(twice, wigner.angles_of_quaternions(x)) for x in (p, q, both)
        )
        return np.abs(of.product(one, two) - product).max(axis=(1, 2))

    return _over_pairs(run, defect, wigner.homomorphism_bound)


def _not_normalised(twice: int, angles: Any) -> Complex:
    return wigner.matrix(twice, angles) * (1 + 1e-11)


@control("longer_by_1e-11", matrix=_not_normalised)
@checked_by(WIGNER_NUMERICS, "unitarity", "float", PAIRS, definitions=KERNELS)
def unitarity_of_matrices(of: Kernels, run: Run) -> Evidence:
    """D D* against 1."""

    def defect(twice: int, p: Array, q: Array) -> Array:
        D = of.matrix(twice, wigner.angles_of_quaternions(wigner.quaternion_product(p, q)))
        return np.abs(D @ D.conj().swapaxes(1, 2) - np.eye(twice + 1)).max(axis=(1, 2))

    return _over_pairs(run, defect, wigner.unitarity_bound)


def _over_pairs(run: Run, defect: Any, bound: Callable[[int], Fraction]) -> Evidence:
    source = np.random.default_rng(run.seed)
    reported: Evidence | None = None
    share = Fraction(-1)
    for twice, count in _pairs_of(run):
        p, q = wigner.pairs_to_try(count, source)
        gaps = defect(twice, p, q)
        worst = int(np.argmax(gaps))
        where = f"2l = {twice}, p = {p[worst].tolist()}, q = {q[worst].tolist()}"
        limit = bound(twice)
        evidence = within(gaps[worst], Bound(limit, bound.__name__, {"2l": twice}), witness=where)
        if evidence.outcome != "holds":
            return evidence
        if Fraction(float(gaps[worst])) / limit > share:
            share = Fraction(float(gaps[worst])) / limit
            reported = Evidence(
                "holds", evidence.measured, evidence.bound, note=f"2l = {twice}", trusts=LIBRARY
            )
    assert reported is not None
    return reported


@control("eigenvector_dropped", small=_eigenvector_dropped)
@checked_by(
    WIGNER_NUMERICS,
    "unitarity",
    "property",
    "2l = 1 to 24, 0 <= beta <= pi",
    definitions=KERNELS,
)
def orthogonal_everywhere(of: Kernels, run: Run) -> Evidence:
    """d d^T against 1 within the bound."""
    from hypothesis import strategies

    def kept(twice: int, beta: float) -> bool:
        d = of.small(twice, beta)
        gap = float(np.abs(d @ d.T - np.eye(twice + 1)).max())
        return Fraction(gap) <= wigner.unitarity_bound(twice)

    inputs = {"twice": strategies.integers(1, 24), "beta": strategies.floats(0, math.pi)}
    return hunt(kept, inputs, run)


# ---------------------------------------------------------------------- spherical.factorisation
@control("quarter_turn_of_a_third", quarter=lambda m: m * arb.pi() / 3)
@checked_by(
    FACTORISATION,
    "factorisation",
    "ball",
    Scope("2l = 7 to 20, nine columns, 3 angles", "2l = 7 to 64, nine columns, 3 angles"),
    definitions=KERNELS,
)
def factors_in_balls(of: Kernels, run: Run) -> Evidence:
    """At alpha = gamma = 0; the outer phases are the same on both sides."""
    return _against_powers(run, partial(_column, of))


def _quarter_turns_forgotten(twice: int, angles: Any, vectors: Any) -> Complex:
    """What the factorisation is without its quarter turns: exp(-i beta J_x) in the middle."""
    shifted = np.asarray(angles, dtype=np.float64) - [math.pi / 2, 0, -math.pi / 2]
    return wigner.apply(twice, shifted, vectors)


TOKENS = Scope("16 tokens at l = 10, 64; 2 at l = 256", "64 tokens at l = 10, 64; 8 at l = 256")


@control("quarter_turns_forgotten", apply=_quarter_turns_forgotten)
@checked_by(FACTORISATION, "apply", "float", TOKENS, definitions=KERNELS)
def vectors_in_complex128(of: Kernels, run: Run) -> Evidence:
    """Unit vectors on nine components, so that nine columns of balls tell the result."""
    return _applied(of, run, np.complex128, _apply_bound, "2 (n + 2) sqrt(n) u + 40 u")


def _apply_bound(twice: int) -> Fraction:
    stated = FACTORISATION.definitions.apply_bound(math.sqrt(twice + 1), float(U))
    return _stated(wigner.apply_bound(twice), stated)


def _sixteen_single(twice: int) -> Fraction:
    return Fraction(ALARM, 2**24)


@control("quarter_turns_forgotten", apply=_quarter_turns_forgotten)
@checked_by(FACTORISATION, "apply", "float", TOKENS, definitions=KERNELS)
def vectors_in_complex64(of: Kernels, run: Run) -> Evidence:
    """Vectors and products in complex64, phases in float64: 16 u, an alarm as for entries."""
    return _applied(of, run, np.complex64, _sixteen_single, "16 u of float32, an alarm")


def _applied(
    of: Kernels, run: Run, dtype: Any, bound: Callable[[int], Fraction], formula: str
) -> Evidence:
    source, full = np.random.default_rng(run.seed), run.profile == "full"
    reported: Evidence | None = None
    share = Fraction(-1)
    for twice, count in (
        ((20, 64), (128, 64), (512, 8)) if full else ((20, 16), (128, 16), (512, 2))
    ):
        angles = source.uniform(-math.pi, math.pi, (count, 3))
        x = np.zeros((count, twice + 1), dtype=np.complex128)
        at = list(nine(twice))
        x[:, at] = source.normal(size=(count, len(at))) + 1j * source.normal(size=(count, len(at)))
        x = (x / np.linalg.norm(x, axis=1)[:, None]).astype(dtype)
        found = of.apply(twice, angles, x)
        errors = [_vector_error(found[row], twice, angles[row], x[row], at) for row in range(count)]
        worst = max(errors)
        where = f"2l = {twice}, angles {angles[errors.index(worst)].tolist()}"
        limit = bound(twice)
        evidence = within(worst, Bound(limit, formula, {"2l": twice}), witness=where)
        if evidence.outcome != "holds":
            return evidence
        if worst / limit > share:
            share = worst / limit
            reported = Evidence(
                "holds", evidence.measured, evidence.bound, note=where, trusts=LIBRARY
            )
    assert reported is not None
    return reported


def _vector_error(
    found: NDArray[np.complexfloating], twice: int, angles: Array, x: Any, at: Sequence[int]
) -> Fraction:
    """||found - D x||, D x from columns of balls; ||x|| is 1 up to rounding."""
    alpha, beta, gamma = angles.tolist()
    columns = small_matrix(twice, beta, at)
    with precision(128):
        turns = [acb(0, -arb(2 * k - twice) / 2 * arb(gamma)).exp() for k in at]
        weights = [acb(*_parts(x[k])) * turn for k, turn in zip(at, turns, strict=True)]
        square = arb(0)
        for row in range(twice + 1):
            value = sum((w * c[row] for w, c in zip(weights, columns, strict=True)), acb(0))
            value *= acb(0, -arb(2 * row - twice) / 2 * arb(alpha)).exp()
            square += abs(acb(*_parts(found[row])) - value) ** 2
        length = sum((abs(acb(*_parts(x[k]))) ** 2 for k in at), arb(0))
        return ends((square / length).sqrt())[1]


def _parts(z: Any) -> tuple[float, float]:
    return float(z.real), float(z.imag)


@control("quarter_turns_forgotten", apply=_quarter_turns_forgotten)
@checked_by(
    FACTORISATION,
    "apply",
    "property",
    "2l = 1 to 24, hundredths of a radian from -7 to 7",
    definitions=KERNELS,
)
def vectors_like_matrices(of: Kernels, run: Run) -> Evidence:
    """`apply` against the matrix, within both bounds."""
    from hypothesis import strategies

    def agrees(twice: int, hundredths: tuple[int, int, int], seed: int) -> bool:
        source, n = np.random.default_rng(seed), twice + 1
        angles = np.array(hundredths) / 100
        x = source.normal(size=n) + 1j * source.normal(size=n)
        x /= np.linalg.norm(x)
        gap = np.linalg.norm(of.apply(twice, angles, x) - wigner.matrix(twice, angles) @ x)
        slack = n * wigner.matrix_bound(twice) + (2 * n + 4) * n * U
        return Fraction(float(gap)) <= wigner.apply_bound(twice) + slack

    inputs = {
        "twice": strategies.integers(1, 24),
        "hundredths": strategies.tuples(*[strategies.integers(-700, 700)] * 3),
        "seed": strategies.integers(0, 2**16),
    }
    return hunt(agrees, inputs, run)
