"""Rounding errors of products, Wigner matrices and softmax rows, measured against their bounds.

Main definitions
----------------
Kernels    what the checks measure; a control replaces one of them

Conventions
-----------
Bounds are those of `composition_bounds`.  Roundings are emulated operation by operation: products
and sums of complex numbers by their parts, inner products one term after the other.  What float64
adds to a measurement is added to its bound, and the docstring says how much.

References
----------
su2021roformer
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from flint import acb, acb_mat, arb
from numpy.typing import NDArray

from posproof.numerics.balls import ends, exact, isolate_root, precision
from posproof.numerics.composition_bounds import (
    COUNTED,
    Counted,
    attention,
    eigenvector_squares,
    frozen_after,
    log_sum_exp,
    mean_gap,
    orthogonal_product,
    rotation_product,
    rounded_entry,
    shear_product,
    softmax_log,
    total_variation,
    wigner_homomorphism,
    wigner_matrix,
)
from posproof.numerics.formats import FORMATS, Format, round_array, round_exact
from posproof.numerics.measure import within
from posproof.numerics.tolerances import errors, frequencies, pipeline
from posproof.numerics.worst_cases import turned, waves
from posproof.theory.precision.composition import PRODUCTS, SOFTMAX, WIGNER
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, Trust, checked_by, control

Array = NDArray[np.float64]
Pair = tuple[Array, Array]

U64 = FORMATS["float64"].unit_roundoff
LIBRARY = frozenset(
    {
        Trust("software", "NumPy's float64 cos and sin are within one ulp"),
        Trust("software", "NumPy's float32 cos and sin are within two ulp"),
    }
)
EXPONENTIALS = frozenset({Trust("software", "NumPy's float64 exp and log are within one ulp")})


def _same(value: Any) -> Any:
    return value


def _shear(a: Array) -> list[list[Array]]:
    one = np.ones_like(a)
    return [[one, a], [0 * one, one]]


def _shifted(x: Array, form: Format) -> Array:
    """Logits minus the largest of their row."""
    return round_array(x - x.max(axis=-1, keepdims=True), form)


@dataclass(frozen=True)
class Kernels:
    """What the checks measure: how much a bound counts, and what is computed."""

    counted: Counted = COUNTED
    stored: Callable[[Format], Format] = _same
    shear: Callable[[Array], list[list[Array]]] = _shear
    step: Fraction = Fraction(1, 2)
    freezes: Callable[[Format], int] = frozen_after
    last_sign: int = -1
    eigenvectors: Callable[[int], Any] = eigenvector_squares
    scale: Fraction = Fraction(1)
    shift: Callable[[Array, Format], Array] = _shifted


KERNELS = Kernels()


def _narrow(form: Format) -> Format:
    return FORMATS["bfloat16"]


# ---------------------------------------------------------------------- precision.products
def times(left: Pair, right: Pair, form: Format) -> Pair:
    """Two complex numbers, every product and sum rounded."""

    def rounded(value: Array) -> Array:
        return round_array(value, form)

    (a, b), (c, d) = left, right
    real = rounded(rounded(a * c) - rounded(b * d))
    return real, rounded(rounded(a * d) + rounded(b * c))


#: Angles are whole multiples of a turn over this, so that their sums are known exactly.
TURN = 2**20


def rotation_errors(steps: Array, form: Format, stored: Format) -> Array:
    """The error of each product of `steps`, (n, trials) angles, in units of a turn over TURN."""
    angles = steps * (2 * np.pi / TURN)
    entries = round_array(np.cos(angles), stored), round_array(np.sin(angles), stored)
    product = entries[0][0], entries[1][0]
    for c, s in zip(entries[0][1:], entries[1][1:], strict=True):
        product = times(product, (c, s), form)
    whole = np.mod(steps.sum(axis=0), TURN) * (2 * np.pi / TURN)
    return np.hypot(product[0] - np.cos(whole), product[1] - np.sin(whole))


class _Nearest:
    """The evidence closest to its bound, and how close each case came."""

    def __init__(self) -> None:
        self.share, self.evidence, self.notes = -1.0, Evidence("undecided"), list[str]()

    def add(self, evidence: Evidence, share: float, case: str) -> None:
        self.notes.append(f"{share:.2g} at {case}")
        if share > self.share:
            self.share, self.evidence = share, evidence

    def result(self, trusts: frozenset[Trust] = frozenset()) -> Evidence:
        note = f"of the bound: {', '.join(self.notes)}"
        return replace(self.evidence, note=note, trusts=trusts)


def _rotation_product(of: Kernels, run: Run, name: str, lengths: tuple[int, ...]) -> Evidence:
    """400 products of random rotations, and 400 powers of one; float64 adds 16 u64 a factor."""
    form, source, nearest = FORMATS[name], np.random.default_rng(run.seed), _Nearest()
    for n in lengths:
        once = source.integers(0, TURN, (1, 400)).astype(np.float64)
        many = source.integers(0, TURN, (n, 400)).astype(np.float64)
        steps = np.concatenate([many, np.repeat(once, n, axis=0)], axis=1)
        entry = rounded_entry(form) + 16 * U64
        value = rotation_product(n, form, entry, of.counted) + 16 * U64
        formula = "(1 + eps)^n (1 + kappa)^(n - 1) - 1 and what underflows"
        bound = Bound(value, formula, {"format": name, "n": n})
        gap = rotation_errors(steps, form, of.stored(form))
        worst = int(gap.argmax())
        kind = "different" if worst < 400 else "equal"
        where = f"{n} {kind} rotations, the first by {steps[0, worst]:.0f} / {TURN} of a turn"
        evidence = within(gap[worst], bound, witness=where)
        if evidence.outcome != "holds":
            return evidence
        nearest.add(evidence, gap[worst] / float(value), f"n = {n}")
    return nearest.result(LIBRARY)


THIRD = Counted(entry=Fraction(1, 3), product=Fraction(1, 3))
ROTATIONS = Scope("800 products of 2 to 128 factors", "800 products of 2 to 4096 factors")


@control("a_third_of_it", counted=THIRD)
@control("entries_in_bfloat16", stored=_narrow)
@checked_by(PRODUCTS, "rotations", "float", ROTATIONS, definitions=KERNELS)
def rotations_in_float32(of: Kernels, run: Run) -> Evidence:
    longest = (512, 4096) if run.profile == "full" else ()
    return _rotation_product(of, run, "float32", (2, 8, 32, 128, *longest))


@control("a_third_of_it", counted=THIRD)
@control("entries_in_bfloat16", stored=_narrow)
@checked_by(PRODUCTS, "rotations", "float", "800 products of 2 to 128 factors", definitions=KERNELS)
def rotations_in_float16(of: Kernels, run: Run) -> Evidence:
    return _rotation_product(of, run, "float16", (2, 8, 32, 128))


@control("a_third_of_it", counted=THIRD)
@checked_by(PRODUCTS, "rotations", "float", "800 products of 2 to 32 factors", definitions=KERNELS)
def rotations_in_bfloat16(of: Kernels, run: Run) -> Evidence:
    """Beyond a few dozen factors the bound exceeds 1 and says nothing."""
    return _rotation_product(of, run, "bfloat16", (2, 8, 32))


def _multiplied(
    left: list[list[Array]], right: list[list[Array]], form: Format
) -> list[list[Array]]:
    def rounded(value: Array) -> Array:
        return round_array(value, form)

    return [
        [
            rounded(rounded(left[i][0] * right[0][j]) + rounded(left[i][1] * right[1][j]))
            for j in (0, 1)
        ]
        for i in (0, 1)
    ]


def _not_unipotent(a: Array) -> list[list[Array]]:
    one = np.ones_like(a)
    return [[one, a], [0 * one, -one]]


NARROW = ("float16", "bfloat16", "float8_e4m3fn", "float8_e5m2")


@control("not_unipotent", shear=_not_unipotent)
@checked_by(
    PRODUCTS,
    "shears",
    "float",
    Scope("200 products of 40 shears in four formats", "2000 products"),
    definitions=KERNELS,
)
def shears_are_recursive_sums(of: Kernels, run: Run) -> Evidence:
    """Bit for bit, and the rest of the matrix stays as it is."""
    count, n = (2000 if run.profile == "full" else 200), 40
    source = np.random.default_rng(run.seed)
    for name in NARROW:
        form = FORMATS[name]
        entries = round_array(source.uniform(-1, 1, (n, count)), form)
        product, summed = of.shear(entries[0]), entries[0]
        for a in entries[1:]:
            product = _multiplied(product, of.shear(a), form)
            summed = round_array(summed + a, form)
        one, nothing = np.ones(count), np.zeros(count)
        wanted = [[one, summed], [nothing, one]]
        for i in (0, 1):
            for j in (0, 1):
                gap = np.abs(product[i][j] - wanted[i][j])
                if gap.any():
                    at = int(gap.argmax())
                    where = f"{name}, entry ({i + 1}, {j + 1})"
                    found = f"{product[i][j][at]:.9g} for {wanted[i][j][at]:.9g}"
                    return Evidence("refuted", witness=f"{where}: {found}")
    return Evidence("holds", note=f"{count} products of {n} shears in {len(NARROW)} formats")


@control("half_of_it", counted=Counted(sum=Fraction(1, 2)))
@checked_by(
    PRODUCTS,
    "recursive_sum",
    "float",
    Scope("300 sums of 64 terms in four formats, and one that loses every term", "3000 sums"),
    definitions=KERNELS,
)
def sums_in_narrow_formats(of: Kernels, run: Run) -> Evidence:
    """1 and then halves of its last place: ties go to even, and every one of them is lost.

    The terms of narrow formats are summed exactly in float64.
    """
    count, n = (3000 if run.profile == "full" else 300), 64
    source, nearest = np.random.default_rng(run.seed), _Nearest()
    for name in ("float32", "float16", "bfloat16", "float8_e4m3fn"):
        form = FORMATS[name]
        random = source.uniform(-1, 1, (n, count)) * 2.0 ** source.integers(-4, 1, (n, count))
        terms = round_array(random / n, form)
        terms[:, 0] = float(form.unit_roundoff)
        terms[0, 0] = 1
        total = terms[0]
        for a in terms[1:]:
            total = round_array(total + a, form)
        exact_sums = np.array([math.fsum(column) for column in terms.T])
        gap = np.abs(total - exact_sums)
        size = np.abs(terms).sum(axis=0)
        ratios = gap / size
        worst = int(ratios.argmax())
        value = shear_product(n, form, of.counted) + 8 * U64
        bound = Bound(value, "(n - 1) u per sum of moduli", {"format": name, "n": n})
        evidence = within(ratios[worst], bound, witness=f"{name}, sum {worst}")
        if evidence.outcome != "holds":
            return evidence
        nearest.add(evidence, ratios[worst] / float(value), name)
    return nearest.result()


def _first_fault(of: Kernels, form: Format, a: Fraction) -> str:
    """Where a sum of equal steps leaves min(n, N) a, or the premises of the clause fail."""
    N = of.freezes(form)
    first, last = (0, N + N // 2) if N <= 2**11 else (N - 64, N + 64)
    total = first * a
    for n in range(first, last):
        wanted = min(n, N) * a
        if total != wanted:
            return f"{float(total):.9g} for {float(wanted):.9g} after {n} steps"
        total = round_exact(total + a, form) or Fraction(0)
    for n in (1, 2, 3, N // 2, N - 1, N):
        if round_exact(n * a, form) != n * a:
            return f"{n} steps are not stored"
    return "" if round_exact((N + 1) * a, form) == N * a else f"{N + 1} steps are not rounded down"


@control("steps_of_three_tenths", step=Fraction(3, 10))
@control("one_step_later", freezes=lambda form: frozen_after(form) + 1)
@checked_by(
    PRODUCTS,
    "freezing",
    "float",
    Scope("steps 1/2 and 1/8 in every format; float32 step by step to 3 2^23", "the same"),
    definitions=KERNELS,
)
def equal_steps_freeze(of: Kernels, run: Run) -> Evidence:
    """Exact rationals; wide formats are followed near the end, float32 all the way besides."""
    for name in ("bfloat16", *(name for name in FORMATS if name != "bfloat16")):
        for step in (of.step, of.step / 4):
            stored = round_exact(step, FORMATS[name])
            assert stored is not None
            fault = _first_fault(of, FORMATS[name], stored)
            if fault:
                return Evidence("refuted", witness=f"{name}, steps of {float(stored):.9g}: {fault}")
    fault = _walked(of)
    if fault:
        return Evidence("refuted", witness=f"float32: {fault}")
    return Evidence("holds", note=f"{len(FORMATS)} formats, frozen after 2^p steps")


def _walked(of: Kernels) -> str:
    """Every float32 sum of equal steps up to one and a half times 2^24, in blocks."""
    N, block = of.freezes(FORMATS["float32"]), 2**20
    steps, total = np.full(block + 1, 0.5, dtype=np.float32), np.float32(0)
    for start in range(0, N + N // 2, block):
        steps[0] = total
        sums = np.add.accumulate(steps)
        # Half-integers up to 2^23 and integers up to 2^24 are float32 numbers themselves.
        wanted = np.minimum(np.arange(start, start + block + 1), N).astype(np.float32) / 2
        if (sums != wanted).any():
            return f"wrong within {block} steps from {start}"
        total = sums[-1]
    return ""


def householder(source: np.random.Generator, d: int) -> NDArray[np.float32]:
    """A reflection of R^d, (d, d), stored in float32."""
    v = source.standard_normal(d)
    v /= np.linalg.norm(v)
    return (np.eye(d) - 2 * np.outer(v, v)).astype(np.float32)


@control("factors_in_bfloat16", stored=_narrow)
@checked_by(
    PRODUCTS,
    "orthogonal",
    "float",
    Scope("products of up to 128 Householder matrices, d = 16, float32", "of up to 1024"),
    definitions=KERNELS,
)
def householder_products(of: Kernels, run: Run) -> Evidence:
    """Against float64, whose own error is below 16 n d u64.  Very far below the bound."""
    d, form, source = 16, FORMATS["float32"], np.random.default_rng(run.seed)
    lengths = (2, 16, 128, 1024) if run.profile == "full" else (2, 16, 128)
    nearest = _Nearest()
    for n in lengths:
        gap = 0.0
        for _ in range(10 if n < 1000 else 3):
            computed, reference = np.eye(d, dtype=np.float32), np.eye(d)
            for _ in range(n):
                factor = householder(source, d)
                used = round_array(factor.astype(np.float64), of.stored(form)).astype(np.float32)
                computed, reference = computed @ used, reference @ factor.astype(np.float64)
            gap = max(gap, float(np.linalg.norm(computed - reference)))
        value = orthogonal_product(n, d, form, of.counted) + 16 * n * d * U64
        formula = "sqrt(d) [((1 + delta)(1 + gamma sqrt d))^n - 1]"
        bound = Bound(value, formula, {"format": "float32", "n": n, "d": d})
        evidence = within(gap, bound, witness=f"n = {n}")
        if evidence.outcome != "holds":
            return evidence
        nearest.add(evidence, gap / float(value), f"n = {n}")
    return nearest.result()


# ---------------------------------------------------------------------- precision.wigner
Angles = tuple[arb, arb, arb]
BITS = 200
DEGREES = (1, 2, 4, 8)


def _acb(x: Fraction | int) -> acb:
    return acb(arb(exact(Fraction(x))))


@lru_cache
def _eigenvectors(squares: tuple[tuple[Fraction, ...], ...]) -> acb_mat:
    """V_mk = (-1j)^m d_mk in balls, from the signed squares of d."""
    degree = len(squares) // 2
    phases = {0: acb(1), 1: acb(0, -1), 2: acb(-1), 3: acb(0, 1)}
    rows = []
    for m, row in zip(range(-degree, degree + 1), squares, strict=True):
        roots = [(abs(_acb(x)).sqrt() * (1 if x >= 0 else -1)) for x in row]
        rows.append([phases[m % 4] * root for root in roots])
    return acb_mat(rows)


def _phases(degree: int, angle: arb) -> list[acb]:
    return [acb(0, -m * angle).exp() for m in range(-degree, degree + 1)]


def wigner_ball(squares: tuple[tuple[Fraction, ...], ...], angles: Angles) -> acb_mat:
    """D = A V B V* G in balls."""
    degree = len(squares) // 2
    V = _eigenvectors(squares)
    A, B, G = (_phases(degree, angle) for angle in angles)
    n = 2 * degree + 1
    turned_ = acb_mat([[V[m, j] * B[j] for j in range(n)] for m in range(n)])
    middle = turned_ * V.conjugate().transpose()
    return acb_mat([[A[m] * middle[m, j] * G[j] for j in range(n)] for m in range(n)])


def _rotation(angles: Angles) -> list[list[arb]]:
    """R_z(alpha) R_y(beta) R_z(gamma), (3, 3)."""
    (ca, sa), (cb, sb), (cg, sg) = ((x.cos(), x.sin()) for x in angles)
    return [
        [ca * cb * cg - sa * sg, -ca * cb * sg - sa * cg, ca * sb],
        [sa * cb * cg + ca * sg, -sa * cb * sg + ca * cg, sa * sb],
        [-sb * cg, sb * sg, cb],
    ]


def euler_product(first: Angles, second: Angles) -> Angles:
    """The Euler angles of R_1 R_2, away from beta = 0 and pi."""
    left, right = _rotation(first), _rotation(second)
    R = [
        [sum((left[i][k] * right[k][j] for k in range(3)), arb(0)) for j in range(3)]
        for i in range(3)
    ]
    return arb.atan2(R[1][2], R[0][2]), R[2][2].acos(), arb.atan2(R[2][1], -R[2][0])


def _stored(value: arb, form: Format) -> float:
    """A real rounded to a format; the ball is far thinner than half an ulp."""
    low, high = (round_exact(end, form) for end in ends(value))
    if low is None or low != high:
        raise ValueError("the ball does not tell which number is nearest")
    return float(low)


def _float_phases(degree: int, angle: float, real: Any) -> tuple[Any, Any]:
    m = np.arange(-degree, degree + 1).astype(real)
    turn = m * real(angle)
    return np.cos(turn), -np.sin(turn)


def _times(left: Any, right: Any) -> tuple[Any, Any]:
    """Complex arrays by their parts, in the format they are in."""
    (a, b), (c, d) = left, right
    return a * c - b * d, a * d + b * c


def _matrices(left: Any, right: Any) -> tuple[Any, Any]:
    """(n, n) times (n, n): complex products summed one after the other."""
    total = None
    for k in range(left[0].shape[1]):
        column = tuple(part[:, k, None] for part in left)
        row = tuple(part[None, k, :] for part in right)
        term = _times(column, row)
        total = term if total is None else (total[0] + term[0], total[1] + term[1])
    assert total is not None
    return total


@lru_cache
def _float_eigenvectors(squares: Any, form: Format) -> tuple[Any, Any]:
    """Real and imaginary part of V, rounded correctly."""
    with precision(BITS):
        rows = _eigenvectors(squares).tolist()
        real, imaginary = (
            np.array([[_stored(getattr(x, part), form) for x in row] for row in rows], form.dtype)
            for part in ("real", "imag")
        )
    return real, imaginary


def wigner_float(squares: Any, angles: tuple[float, ...], real: Any) -> tuple[Any, Any]:
    """D in float32 or float64, real and imaginary part, from correctly rounded eigenvectors."""
    degree, form = len(squares) // 2, FORMATS[np.dtype(real).name]
    parts = _float_eigenvectors(squares, form)
    A, B, G = (_float_phases(degree, angle, real) for angle in angles)
    turned_ = _times(parts, tuple(part[None, :] for part in B))
    middle = _matrices(turned_, (parts[0].T, -parts[1].T))
    rows = _times(tuple(part[:, None] for part in A), middle)
    return _times(rows, tuple(part[None, :] for part in G))


def _distance(computed: tuple[Any, Any], reference: acb_mat) -> float:
    """The Frobenius norm of a difference, to within a few u64 of itself."""
    n = len(computed[0])
    square = arb(0)
    for i in range(n):
        for j in range(n):
            x, y = (arb(float(part[i, j])) for part in computed)
            square += abs(acb(x, y) - reference[i, j]) ** 2
    return float(square.sqrt().upper())


def _draw(source: np.random.Generator, real: Any) -> tuple[float, ...]:
    """Euler angles of the format, the middle one not negative."""
    alpha, beta, gamma = (float(real(x)) for x in source.uniform(-3, 3, 3))
    return alpha, abs(beta), gamma


def _arbs(angles: tuple[float, ...]) -> Angles:
    alpha, beta, gamma = (arb(x) for x in angles)
    return alpha, beta, gamma


def _turned_back(degree: int) -> tuple[tuple[Fraction, ...], ...]:
    """The matrix of the opposite quarter turn."""
    return tuple(zip(*eigenvector_squares(degree), strict=True))


def _wigner(of: Kernels, run: Run, real: Any, homomorphism: bool) -> Evidence:
    """Random rotations of every degree; the distance is evaluated in balls."""
    name = np.dtype(real).name
    form, source, nearest = FORMATS[name], np.random.default_rng(run.seed), _Nearest()
    trials = 12 if run.profile == "full" else 4
    for degree in DEGREES:
        squares = eigenvector_squares(degree)
        tried = of.eigenvectors(degree)
        measure = wigner_homomorphism if homomorphism else wigner_matrix
        bound = Bound(
            measure(degree, form, of.counted),
            "mu (sqrt(n) + e)^2 + 3 e + e^2 + 3 pi u lambda" if homomorphism else "e_D",
            {"format": name, "l": degree},
        )
        worst, where = 0.0, ""
        for _ in range(trials):
            first, second = _draw(source, real), _draw(source, real)
            with precision(BITS):
                if homomorphism:
                    gap = _defect(of, squares, (first, second), real, form)
                else:
                    computed = wigner_float(tried, first, real)
                    gap = _distance(computed, wigner_ball(squares, _arbs(first)))
            if gap >= worst:
                worst, where = gap, f"l = {degree}, angles {first} and {second}"
        evidence = within(worst, bound, witness=where)
        if evidence.outcome != "holds":
            return evidence
        nearest.add(evidence, worst / float(bound.value), f"l = {degree}")
    return nearest.result(LIBRARY)


def _defect(of: Kernels, squares: Any, pair: Any, real: Any, form: Format) -> float:
    """The distance of fl(D_1 D_2) from the computed D of the rounded Euler angles."""
    product = euler_product(*(_arbs(angles) for angles in pair))
    rounded = tuple(_stored(angle, form) for angle in product)
    rounded = (*rounded[:2], -of.last_sign * rounded[2])
    one, two, both = (wigner_float(squares, angles, real) for angles in (*pair, rounded))
    found = _matrices(one, two)
    parts = (np.asarray(x, dtype=np.float64) - y for x, y in zip(found, both, strict=True))
    return float(np.sqrt(sum((part**2).sum() for part in parts)))


MATRICES = Scope("4 random rotations of degree 1, 2, 4 and 8", "12 of degree 1, 2, 4 and 8")
PRODUCTS_OF_TWO = Scope("4 random pairs of degree 1, 2, 4 and 8", "12 of degree 1, 2, 4 and 8")


@control("eigenvectors_of_the_opposite_turn", eigenvectors=_turned_back)
@checked_by(WIGNER, "matrix", "float", MATRICES, definitions=KERNELS)
def matrices_in_complex64(of: Kernels, run: Run) -> Evidence:
    return _wigner(of, run, np.float32, homomorphism=False)


@control("eigenvectors_of_the_opposite_turn", eigenvectors=_turned_back)
@checked_by(WIGNER, "matrix", "float", MATRICES, definitions=KERNELS)
def matrices_in_complex128(of: Kernels, run: Run) -> Evidence:
    return _wigner(of, run, np.float64, homomorphism=False)


@control("wrong_sign_of_gamma", last_sign=1)
@checked_by(WIGNER, "homomorphism", "float", PRODUCTS_OF_TWO, definitions=KERNELS)
def products_in_complex64(of: Kernels, run: Run) -> Evidence:
    return _wigner(of, run, np.float32, homomorphism=True)


@control("wrong_sign_of_gamma", last_sign=1)
@checked_by(WIGNER, "homomorphism", "float", PRODUCTS_OF_TWO, definitions=KERNELS)
def products_in_complex128(of: Kernels, run: Run) -> Evidence:
    return _wigner(of, run, np.float64, homomorphism=True)


#: Digits to which the exact homomorphism is certified, four units in the last one.
FORTY = Fraction(4, 10**40)


@control("wrong_sign_of_gamma", last_sign=1)
@checked_by(
    WIGNER,
    "homomorphism",
    "ball",
    Scope("6 pairs of rotations, l = 1 and 2", "40 pairs of rotations, l = 1 to 4"),
    definitions=KERNELS,
)
def exact_products(of: Kernels, run: Run) -> Evidence:
    """Without rounding the product is the matrix of the product, to forty digits."""
    pairs, degrees = (40, (1, 2, 3, 4)) if run.profile == "full" else (6, (1, 2))
    source, worst, where = np.random.default_rng(run.seed), Fraction(0), ""
    with precision(BITS):
        for degree in degrees:
            squares = eigenvector_squares(degree)
            for _ in range(pairs):
                first, second = (_draw(source, np.float64) for _ in "12")
                alpha, beta, gamma = euler_product(_arbs(first), _arbs(second))
                product = alpha, beta, -of.last_sign * gamma
                one, two = (wigner_ball(squares, _arbs(angles)) for angles in (first, second))
                gap = one * two - wigner_ball(squares, product)
                square = sum((abs(x) ** 2 for row in gap.tolist() for x in row), arb(0))
                size = ends(arb(square.upper()).sqrt())[1]
                if size >= worst:
                    worst, where = size, f"l = {degree}, angles {first} and {second}"
    bound = Bound(FORTY, "four units in the fortieth digit", {"bits": BITS})
    return within(worst, bound, witness=where, note=f"{pairs} pairs, l up to {degrees[-1]}")


@control("eigenvectors_of_the_opposite_turn", eigenvectors=_turned_back)
@checked_by(
    WIGNER,
    "eigenvectors",
    "ball",
    Scope("l = 1 to 6", "l = 1 to 16"),
    definitions=KERNELS,
)
def eigenvectors_in_balls(of: Kernels, run: Run) -> Evidence:
    """J_y V - V J_z and V V* - 1 to forty digits."""
    worst, where = Fraction(0), ""
    with precision(BITS):
        for degree in range(1, 17 if run.profile == "full" else 7):
            V, orders = _eigenvectors(of.eigenvectors(degree)), range(-degree, degree + 1)
            n = len(orders)
            half = [arb(degree * (degree + 1) - m * (m + 1)).sqrt() / 2 for m in orders]
            J = acb_mat(n, n)
            for at in range(n - 1):
                J[at + 1, at], J[at, at + 1] = acb(0, -half[at]), acb(0, half[at])
            Z = acb_mat([[acb(m if i == j else 0) for j in range(n)] for i, m in enumerate(orders)])
            one = acb_mat([[acb(int(i == j)) for j in range(n)] for i in range(n)])
            for gap in (J * V - V * Z, V * V.conjugate().transpose() - one):
                size = max(ends(abs(x))[1] for row in gap.tolist() for x in row)
                if size >= worst:
                    worst, where = size, f"l = {degree}"
    bound = Bound(FORTY, "four units in the fortieth digit", {"bits": BITS})
    return within(worst, bound, witness=where)


@control("half_of_it", scale=Fraction(1, 2))
@checked_by(
    WIGNER,
    "lipschitz",
    "ball",
    "l = 1 to 12, angles 2^-20, 1/8, 1 and 3",
    definitions=KERNELS,
)
def steepness_of_a_turn(of: Kernels, run: Run) -> Evidence:
    """The sum over the eigenvalues below its bound, and within delta^2 of it for small delta."""
    nearest = Fraction(0)
    with precision(BITS):
        for degree in range(1, 13):
            square = of.scale * degree * (degree + 1) * (2 * degree + 1) / 3
            for delta in (Fraction(1, 2**20), Fraction(1, 8), Fraction(1), Fraction(3)):
                angle, size = arb(exact(delta)), arb(exact(square * delta**2))
                moved = sum((2 - 2 * (m * angle).cos() for m in range(-degree, degree + 1)), arb(0))
                if not moved < size:
                    where = f"l = {degree}, delta = {delta}"
                    return Evidence("refuted", witness=f"{where}: {moved.str(8)}")
                nearest = max(nearest, ends(moved / size)[1])
    return Evidence("holds", note=f"{float(nearest):.9f} of the bound at the smallest angle")


# ---------------------------------------------------------------------- precision.softmax
#: NumPy's exponential and logarithm of float64 are within an ulp, and rounded once more.
ULPS = Fraction(1, 2) + Fraction(1, 2**16)
SHAPES = ((8, 1), (8, 5), (64, 3), (512, 2))


def _summed(terms: Array, form: Format, pairwise: bool = False) -> Array:
    """Sums of rows, (rows, n), rounded after every addition."""
    if not pairwise:
        total = terms[:, 0]
        for column in terms[:, 1:].T:
            total = round_array(total + column, form)
        return total
    while terms.shape[1] > 1:
        half = terms.shape[1] // 2
        joined = round_array(terms[:, 0 : 2 * half : 2] + terms[:, 1 : 2 * half : 2], form)
        terms = np.concatenate([joined, terms[:, 2 * half :]], axis=1)
    return terms[:, 0]


def softmax_rows(x: Array, form: Format, of: Kernels, pairwise: bool = False) -> Array:
    """Softmax of rows of logits, (rows, n), every operation rounded."""
    with np.errstate(over="ignore", invalid="ignore"):
        exponentials = round_array(np.exp(of.shift(x, form)), form)
        total = _summed(exponentials, form, pairwise)
        return round_array(exponentials / total[:, None], form)


def _logits(
    source: np.random.Generator, shape: tuple[int, int], scale: float, form: Format
) -> Array:
    """Random rows, and one whose largest logit is 100: its exponential overflows."""
    x = round_array(source.standard_normal(shape) * scale, form)
    x[0] += 100 - x[0].max()
    return round_array(x, form)


def _log_error(of: Kernels, run: Run, name: str, pairwise: bool = False) -> Evidence:
    """Entries in the normal range; the reference adds 8 u64 and as much a unit of the gap."""
    form, source, nearest = FORMATS[name], np.random.default_rng(run.seed), _Nearest()
    safe = float(form.smallest_normal)
    rows = 200 if run.profile == "full" else 60
    for n, scale in ((128, 2),) if pairwise else SHAPES:
        x = _logits(source, (rows, n), scale, form)
        found = softmax_rows(x, form, of, pairwise)
        gaps = x.max(axis=1, keepdims=True) - x
        log_exact = -gaps - np.log(np.exp(-gaps).sum(axis=1))[:, None]
        normal = np.exp(log_exact - 1) > safe
        with np.errstate(divide="ignore", invalid="ignore"):
            error = np.where(normal, np.abs(np.log(found) - log_exact), 0)
        zero, one = (
            softmax_log(n, Fraction(gap), form, ulps=ULPS, pairwise=pairwise, of=of.counted)
            for gap in (0, 1)
        )
        slope = one - zero
        allowed = float(zero) + gaps * float(slope) + 8 * float(U64) * (1 + gaps)
        ratios = np.where(np.isnan(error), np.inf, error / allowed)
        row, column = np.unravel_index(int(ratios.argmax()), ratios.shape)
        gap = Fraction(float(gaps[row, column]))
        value = zero + gap * slope + 16 * U64 * (1 + gap)
        formula = "u w + u W / (1 - u) - a ln(1 - u) - 2 ln(1 - 2 K u)"
        bound = Bound(value, formula, {"format": name, "n": n, "w": gap})
        where = f"{name}, n = {n}, scale {scale}, gap {float(gap):.6g}"
        evidence = within(error[row, column], bound, witness=where)
        if evidence.outcome != "holds":
            return evidence
        nearest.add(evidence, ratios[row, column], f"n = {n}, scale {scale}")
    return nearest.result(EXPONENTIALS)


def _unshifted(x: Array, form: Format) -> Array:
    return x


ROWS = Scope("60 rows of 8, 64 and 512 logits", "200 rows of 8, 64 and 512 logits")
WITHOUT_GAPS = Counted(gap=Fraction(0))


@control("gaps_forgotten", counted=WITHOUT_GAPS)
@control("not_shifted", shift=_unshifted)
@checked_by(SOFTMAX, "entry", "float", ROWS, definitions=KERNELS)
def softmax_in_float32(of: Kernels, run: Run) -> Evidence:
    return _log_error(of, run, "float32")


@control("not_shifted", shift=_unshifted)
@checked_by(SOFTMAX, "entry", "float", ROWS, definitions=KERNELS)
def softmax_in_float16(of: Kernels, run: Run) -> Evidence:
    return _log_error(of, run, "float16")


@control("gaps_forgotten", counted=WITHOUT_GAPS)
@control("not_shifted", shift=_unshifted)
@checked_by(SOFTMAX, "entry", "float", ROWS, definitions=KERNELS)
def softmax_in_bfloat16(of: Kernels, run: Run) -> Evidence:
    return _log_error(of, run, "bfloat16")


@control("not_shifted", shift=_unshifted)
@checked_by(
    SOFTMAX, "entry", "float", Scope("60 rows of 128 logits", "200 rows"), definitions=KERNELS
)
def softmax_summed_in_pairs(of: Kernels, run: Run) -> Evidence:
    """ceil(log2 n) additions a term instead of n - 1."""
    return _log_error(of, run, "bfloat16", pairwise=True)


def _log_sum(of: Kernels, run: Run, name: str) -> Evidence:
    """Random rows; the reference is float64, to within 256 u64: no size that occurs exceeds 32."""
    form, source, nearest = FORMATS[name], np.random.default_rng(run.seed), _Nearest()
    rows = 3000 if run.profile == "full" else 300
    for n in (8, 64):
        x = source.standard_normal((rows, n)) * 3 + source.uniform(-5, 5, (rows, 1))
        x = round_array(x, form)
        largest = x.max(axis=1)
        exponentials = round_array(np.exp(of.shift(x, form)), form)
        total = _summed(exponentials, form)
        found = round_array(largest + round_array(np.log(total), form), form)
        log_sum = np.log(np.exp(x - largest[:, None]).sum(axis=1))
        size = np.abs(largest + log_sum)
        error = np.abs(found - largest - log_sum)

        # The bound is affine in the two sizes.
        corners = [
            log_sum_exp(n, Fraction(a), Fraction(b), form, ulps=ULPS, of=of.counted)
            for a, b in ((0, 0), (1, 0), (0, 1))
        ]
        per_size, per_log = corners[1] - corners[0], corners[2] - corners[0]
        ratios = error / (float(corners[0]) + float(per_size) * size + float(per_log) * log_sum)
        at = int(np.where(np.isnan(ratios), np.inf, ratios).argmax())
        value = corners[0] + per_size * Fraction(float(size[at]))
        value += per_log * Fraction(float(log_sum[at])) + 256 * U64
        bound = Bound(value, "e (1 + u) + u |lse|", {"format": name, "n": n})
        evidence = within(error[at], bound, witness=f"{name}, n = {n}, row {at}")
        if evidence.outcome != "holds":
            return evidence
        nearest.add(evidence, ratios[at], f"n = {n}")
    return nearest.result(EXPONENTIALS)


SUMS = Scope("300 rows of 8 and of 64 logits", "3000 rows of 8 and of 64 logits")


@control("not_shifted", shift=_unshifted)
@checked_by(SOFTMAX, "logsumexp", "float", SUMS, definitions=KERNELS)
def log_sums_in_float32(of: Kernels, run: Run) -> Evidence:
    return _log_sum(of, run, "float32")


@control("not_shifted", shift=_unshifted)
@checked_by(SOFTMAX, "logsumexp", "float", SUMS, definitions=KERNELS)
def log_sums_in_float16(of: Kernels, run: Run) -> Evidence:
    return _log_sum(of, run, "float16")


@control("not_shifted", shift=_unshifted)
@checked_by(SOFTMAX, "logsumexp", "float", SUMS, definitions=KERNELS)
def log_sums_in_bfloat16(of: Kernels, run: Run) -> Evidence:
    return _log_sum(of, run, "bfloat16")


def _largest_mean(n: int) -> arb:
    """The zero of x e^(1 + x) - (n - 1), by bisection."""

    def excess(x: arb) -> arb:
        return x * (1 + x).exp() - (n - 1)

    return isolate_root(excess, Fraction(0), Fraction(n))


@control("half_of_it", scale=Fraction(1, 2))
@checked_by(
    SOFTMAX,
    "mean_gap",
    "ball",
    Scope("rows of 2, 10, 1000 and 131072 terms", "the same"),
    definitions=KERNELS,
)
def largest_mean_gaps(of: Kernels, run: Run) -> Evidence:
    """W e^(1 + W) = n - 1 by bisection, the row that attains it, random rows, and ln n above."""
    source = np.random.default_rng(run.seed)
    for n in (2, 10, 1000, 131_072):
        with precision(160):
            W = _largest_mean(n)
            bound = W * exact(of.scale)
            weight = (n - 1) * (-(1 + W)).exp()
            reached = (1 + W) * weight / (1 + weight)
            gap = ends(abs(reached - bound))[1]
        if gap > Fraction(1, 2**96):
            return Evidence("refuted", witness=f"n = {n}: equal gaps reach {reached.str(12)}")
        if not (bound < arb(n).log() and abs(ends(W)[1] - mean_gap(n)) < Fraction(1, 2**96)):
            return Evidence("refuted", witness=f"n = {n}: W = {W.str(12)}, ln n below it")
        rows = np.abs(source.standard_normal((50, min(n, 2000)))) * (1 + float(W.mid()))
        rows[:, 0] = 0
        weights = np.exp(-rows)
        largest = float(((weights * rows).sum(axis=1) / weights.sum(axis=1)).max())
        if largest > float(mean_gap(rows.shape[1])):
            return Evidence("refuted", witness=f"n = {n}: a random row reaches {largest:.9g}")
    return Evidence("holds", note="n = 2, 10, 1000, 131072")


@control("half_of_it", scale=Fraction(1, 2))
@checked_by(
    SOFTMAX,
    "rows",
    "float",
    Scope("20000 pairs of random rows, and the pair that attains the bound", "200000 pairs"),
    definitions=KERNELS,
)
def rows_of_shifted_logits(of: Kernels, run: Run) -> Evidence:
    """Logits moved by Delta up or down; float64 adds 64 u64 to a total variation."""
    count = 200_000 if run.profile == "full" else 20_000
    source, nearest = np.random.default_rng(run.seed), _Nearest()
    for n in (2, 3, 4, 5):
        rows = count // 4
        x = source.standard_normal((rows, n)) * 2
        delta = source.uniform(0.01, 2, (rows, 1))
        signs = source.choice((-1.0, 1.0), (rows, n))
        if n == 2:  # odds of e^-Delta become odds of e^Delta
            x[0], delta[0], signs[0] = (-1, 0), 1, (1, -1)
        before, after = (np.exp(z) for z in (x, x + delta * signs))
        apart = before / before.sum(axis=1, keepdims=True) - after / after.sum(
            axis=1, keepdims=True
        )
        distance = np.abs(apart).sum(axis=1) / 2
        ratios = distance / np.tanh(delta[:, 0] / 2)
        at = int(ratios.argmax())
        size = Fraction(float(delta[at, 0]))
        value = of.scale * total_variation(size) + 64 * U64
        bound = Bound(value, "tanh(Delta / 2)", {"n": n, "Delta": size})
        where = f"x = {x[at].tolist()}, Delta = {float(size):.9g}, signs {signs[at].tolist()}"
        evidence = within(distance[at], bound, witness=where)
        if evidence.outcome != "holds":
            return evidence
        nearest.add(evidence, ratios[at], f"n = {n}")
    return nearest.result()


ATTENDED, LENGTH, HEAD = 64, 4096, 128


def _attention_scores(of: Kernels, rows: int, seed: int) -> tuple[Array, Array, Array]:
    """Scores of `rows` queries and 64 keys each, rounded and exact, and |q| max |k| of each row.

    The exact ones come from float64 angles of the stored ladder.
    """
    line, reference = pipeline("fused32", "bfloat16"), pipeline("mixed64", "float64")
    source, position = np.random.default_rng(seed), of.stored(FORMATS["float64"])
    shapes = (rows, 1), (rows, ATTENDED)
    places = [source.integers(0, LENGTH, shape).astype(np.float64) for shape in shapes]
    stored = [round_array(place, position) for place in places]
    computed, wanted = np.zeros(shapes[1]), np.zeros(shapes[1])
    squares = [np.zeros(shape) for shape in shapes]
    for theta in frequencies(HEAD, Fraction(10_000), line.frequency):
        pairs: list[Pair] = []
        for square, shape in zip(squares, shapes, strict=True):
            x, y = (round_array(3 * source.standard_normal(shape), line.output) for _ in "xy")
            square += x**2 + y**2
            pairs.append((x, y))
        for total, how, at in ((computed, line, stored), (wanted, reference, places)):
            u, v = (
                turned(pair, waves(place, float(theta), how), how)
                for pair, place in zip(pairs, at, strict=True)
            )
            total += u[0] * v[0] + u[1] * v[1]
    return computed, wanted, np.sqrt(squares[0][:, 0] * squares[1].max(axis=1))


@control("positions_in_bfloat16", stored=_narrow)
@checked_by(
    SOFTMAX,
    "rows",
    "float",
    Scope("10 rows of 64 keys, d = 128, L = 4096, fused32 in bfloat16", "100 rows"),
    definitions=KERNELS,
)
def attention_rows(of: Kernels, run: Run) -> Evidence:
    """What the rounding of a rotation does to a row: tanh(G |q| max |k| / (2 sqrt d)).

    The reference is within 2^-30 of a score.
    """
    rows = 100 if run.profile == "full" else 10
    computed, wanted, norms = _attention_scores(of, rows, run.seed)
    probabilities = []
    for scores in (computed, wanted):
        logits = scores / math.sqrt(HEAD)
        weights = np.exp(logits - logits.max(axis=1, keepdims=True))
        probabilities.append(weights / weights.sum(axis=1, keepdims=True))
    distance = np.abs(probabilities[0] - probabilities[1]).sum(axis=1) / 2
    score = errors(pipeline("fused32", "bfloat16"), LENGTH, HEAD, Fraction(10_000)).score
    worst = int((distance / np.tanh(float(score) * norms / (2 * math.sqrt(HEAD)))).argmax())
    value = attention(score, Fraction(float(norms[worst])), HEAD) + Fraction(1, 2**30)
    bound = Bound(value, "tanh(G |q| max |k| / (2 sqrt d))", {"d": HEAD, "L": LENGTH})
    evidence = within(distance[worst], bound, witness=f"row {worst}", note=f"{rows} rows")
    return replace(evidence, trusts=LIBRARY)
