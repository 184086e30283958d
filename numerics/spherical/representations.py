r"""Wigner matrices: polynomials in FLINT, integer quaternions exactly, float64 against them.

Main definitions
----------------
forms             T(M) by multiplying polynomials, over any ring
gaussian          T of an integer quaternion, a matrix of Gaussian integers
rounded_wigner    D^l of an integer quaternion, every entry rounded correctly
small_entry       d^l_(m' m) in balls, from the explicit sum
Kernels, Floats   what the checks measure; a control replaces one of them

Main claims
-----------
spherical.polynomial_entries, spherical.group_law, spherical.all_degrees

Conventions
-----------
As in `posproof.theory.spherical.representations`; u = 2^-53, n = 2l + 1.  Integers that a ball
holds exactly stay exact: `BITS` is more than any of them needs.

Bounds
------
A float kernel takes Euler angles, and three angles of a float quaternion are off by less than
80 u of rotation; since ||D(R) - D(R')|| <= l delta that is 80 l u on top of `matrix_bound`.
For the real basis the four entries of D that meet have squares that add up to at most 2, so their
moduli add up to at most 2 sqrt 2; weighed by 1/2, rounded once each and added pairwise they lose
(1/2) 2 sqrt(2) 3 u < 5 u.  In row and column 0 two entries with factors 1/sqrt 2 lose
(1/sqrt 2) sqrt(2) 4 u < 5 u.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
from flint import Ordering, acb, acb_mat, arb, fmpq, fmpq_mpoly_ctx
from numpy.typing import NDArray

from posproof.numerics import wigner
from posproof.numerics.balls import certify, precision
from posproof.numerics.hunt import hunt
from posproof.numerics.measure import within, worst
from posproof.theory.spherical.representations import (
    ALL_DEGREES,
    GROUP_LAW,
    POLYNOMIAL_ENTRIES,
    Forms,
)
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control

Complex = NDArray[np.complex128]
Rows = list[list[Any]]
Quaternion = tuple[int, int, int, int]
U = wigner.U
BITS = 512


# ---------------------------------------------------------------------- exact kernels
def forms(twice: int, p: Any, q: Any, r: Any, s: Any, one: Any = 1) -> Rows:
    """The rows of T([[p, r], [q, s]]): column k holds (p u + q v)^k (r u + s v)^(2l - k)."""
    columns = []
    for k in range(twice + 1):
        image = [one]
        for a, b in [(p, q)] * k + [(r, s)] * (twice - k):
            low, high = [b * x for x in image], [a * x for x in image]
            image = [low[0], *(x + y for x, y in zip(low[1:], high, strict=False)), high[-1]]
        columns.append(image)
    return [list(row) for row in zip(*columns, strict=True)]


def cells(q: Quaternion) -> tuple[acb, acb, acb, acb]:
    """a, b, -b', a' of a quaternion, in the order `forms` takes them."""
    w, x, y, z = q
    return acb(w, -z), acb(y, -x), acb(-y, -x), acb(w, z)


def gaussian(twice: int, q: Quaternion) -> acb_mat:
    """T of an integer quaternion: Gaussian integers, exactly."""
    return acb_mat(forms(twice, *cells(q), one=acb(1)))


def times(p: Quaternion, q: Quaternion) -> Quaternion:
    """The product of two integer quaternions."""
    a, b, c, d = p
    e, f, g, h = q
    return (
        a * e - b * f - c * g - d * h,
        a * f + b * e + c * h - d * g,
        a * g - b * h + c * e + d * f,
        a * h + b * g - c * f + d * e,
    )


def length(q: Quaternion) -> int:
    """|q|^2."""
    return sum(part * part for part in q)


def rounded_wigner(twice: int, q: Quaternion) -> Complex:
    """D^l of q / |q|, `(n, n)`: real and imaginary parts within u of their size."""
    n = twice + 1
    found = np.empty((n, n), dtype=np.complex128)
    with precision(BITS):
        form = gaussian(twice, q)
        for i in range(n):
            for j in range(n):
                square = fmpq(comb(twice, j), comb(twice, i) * length(q) ** twice)
                value = form[i, j] * arb(square).sqrt()
                found[i, j] = complex(float(value.real.mid()), float(value.imag.mid()))
    return found


def small_entry(twice: int, row: int, column: int, beta: Any, bits: int = BITS) -> arb:
    """d^l_(m' m)(beta) with row l + m' and column l + m, from the explicit sum, in balls."""
    with precision(bits):
        half = arb(beta) / 2
        c, s = half.cos(), half.sin()
        total = arb(0)
        for i in range(max(0, row + column - twice), min(row, column) + 1):
            count = comb(column, i) * comb(twice - column, row - i)
            sign = -1 if (row - i) % 2 else 1
            power = c ** (twice - column - row + 2 * i) * s ** (column + row - 2 * i)
            total += sign * count * power
        return total * arb(fmpq(comb(twice, column), comb(twice, row))).sqrt()


def integer_quaternions(count: int, seed: int, size: int = 30) -> list[Quaternion]:
    """Quaternions with integer components of modulus at most `size`, none of them 0."""
    draw = np.random.default_rng(seed)
    found: list[Quaternion] = []
    while len(found) < count:
        w, x, y, z = (int(part) for part in draw.integers(-size, size + 1, 4))
        if any((w, x, y, z)):
            found.append((w, x, y, z))
    return found


# ---------------------------------------------------------------------- polynomials in FLINT
Matrix = Callable[[Any, Any, Any, Any], tuple[Any, Any, Any, Any]]


def _quaternion(a: Any, a_bar: Any, b: Any, b_bar: Any) -> tuple[Any, Any, Any, Any]:
    return a, b, -b_bar, a_bar


def _adjoint(a: Any, a_bar: Any, b: Any, b_bar: Any) -> tuple[Any, Any, Any, Any]:
    return a_bar, -b, b_bar, a


@dataclass(frozen=True)
class Kernels:
    """What the checks of polynomials measure; matrices are p, q, r, s of [[p, r], [q, s]]."""

    forms: Callable[..., Rows] = forms
    quaternion: Matrix = _quaternion
    adjoint: Matrix = _adjoint
    weight: Callable[[int, int], int] = comb
    swapped: bool = False
    sign: int = -1


KERNELS = Kernels()
POLYNOMIALS = Scope("2l = 1 .. 8, polynomials in FLINT", "2l = 1 .. 16, polynomials in FLINT")


def _degrees(run: Run) -> range:
    return range(1, 17 if run.profile == "full" else 9)


def _product(left: Rows, right: Rows) -> Rows:
    columns = list(zip(*right, strict=True))
    return [
        [sum((x * y for x, y in zip(row, column, strict=True)), 0) for column in columns]
        for row in left
    ]


def _ring(names: str) -> tuple[Any, ...]:
    """The constant 1 and generators of polynomials over Q."""
    context = fmpq_mpoly_ctx.get(names.split(), Ordering.degrevlex)
    return context.constant(1), *context.gens()


def _identical(pairs: Iterator[tuple[int, Rows, Rows]], run: Run) -> Evidence:
    """Equality of matrices of polynomials; the first entry that differs is the witness."""
    count = 0
    for twice, left, right in pairs:
        for i, (one, other) in enumerate(zip(left, right, strict=True)):
            for j, (x, y) in enumerate(zip(one, other, strict=True)):
                if x != y:
                    return Evidence("refuted", witness=f"2l = {twice}, entry {i}, {j}: {x - y}")
                count += 1
    return Evidence("holds", note=f"{count} entries, equal as polynomials")


@control("order_swapped", swapped=True)
@checked_by(POLYNOMIAL_ENTRIES, "multiplicative", "ball", POLYNOMIALS, definitions=KERNELS)
def multiplicative_in_flint(of: Kernels, run: Run) -> Evidence:
    one, *entries = _ring("p q r s P Q R S")

    def pairs() -> Iterator[tuple[int, Rows, Rows]]:
        (p, q, r, s), (P, Q, R, S) = entries[:4], entries[4:]
        first = [[p, r], [q, s]]
        second = [[P, R], [Q, S]]
        whole = _product(second, first) if of.swapped else _product(first, second)
        for twice in _degrees(run):
            together = of.forms(twice, whole[0][0], whole[1][0], whole[0][1], whole[1][1], one)
            apart = _product(of.forms(twice, p, q, r, s, one), of.forms(twice, P, Q, R, S, one))
            yield twice, together, apart

    return _identical(pairs(), run)


def _sign_dropped(a: Any, a_bar: Any, b: Any, b_bar: Any) -> tuple[Any, Any, Any, Any]:
    return a, b, b_bar, a_bar


@control("sign_of_b_dropped", quaternion=_sign_dropped)
@checked_by(POLYNOMIAL_ENTRIES, "isometric", "ball", POLYNOMIALS, definitions=KERNELS)
def isometric_in_flint(of: Kernels, run: Run) -> Evidence:
    one, *names = _ring("a abar b bbar")
    a, a_bar, b, b_bar = names

    def pairs() -> Iterator[tuple[int, Rows, Rows]]:
        for twice in _degrees(run):
            form, other = (of.forms(twice, *m(*names), one) for m in (of.quaternion, of.adjoint))
            value = (a * a_bar + b * b_bar) ** twice
            unit = [
                [value if i == j else 0 * one for j in range(twice + 1)] for i in range(twice + 1)
            ]
            yield twice, _product(other, form), unit

    return _identical(pairs(), run)


@control("unweighed", weight=lambda twice, k: 1)
@checked_by(POLYNOMIAL_ENTRIES, "adjoint_form", "ball", POLYNOMIALS, definitions=KERNELS)
def adjoint_form_in_flint(of: Kernels, run: Run) -> Evidence:
    one, *names = _ring("a abar b bbar")
    a, a_bar, b, b_bar = names

    def pairs() -> Iterator[tuple[int, Rows, Rows]]:
        for twice in _degrees(run):
            w = [of.weight(twice, k) for k in range(twice + 1)]
            conjugated = of.forms(twice, *of.quaternion(a_bar, a, b_bar, b), one)
            other = zip(*of.forms(twice, *of.adjoint(*names), one), strict=True)
            left = [[x * y for x, y in zip(row, w, strict=True)] for row in conjugated]
            right = [[x * y for x in row] for row, y in zip(other, w, strict=True)]
            yield twice, left, right

    return _identical(pairs(), run)


@control("no_sign", sign=1)
@checked_by(POLYNOMIAL_ENTRIES, "double_cover", "ball", POLYNOMIALS, definitions=KERNELS)
def double_cover_in_flint(of: Kernels, run: Run) -> Evidence:
    one, *names = _ring("a abar b bbar")

    def pairs() -> Iterator[tuple[int, Rows, Rows]]:
        for twice in _degrees(run):
            form = of.forms(twice, *of.quaternion(*names), one)
            negative = of.forms(twice, *of.quaternion(*(-x for x in names)), one)
            yield twice, negative, [[of.sign**twice * x for x in row] for row in form]

    return _identical(pairs(), run)


@control("half_a_turn", full_turn=3)
@checked_by(POLYNOMIAL_ENTRIES, "full_turn", "ball", "2l = 1 .. 6 at seven angles")
def full_turn_in_balls(of: Forms, run: Run) -> Evidence:
    grid = [{"phi": Fraction(k, 3)} for k in (-7, -2, 0, 1, 4, 9, 20)]
    return certify(POLYNOMIAL_ENTRIES.clause("full_turn").statement(of), grid, run.digits)


# ---------------------------------------------------------------------- integer quaternions
@dataclass(frozen=True)
class Whole:
    """What the searches over integer quaternions measure."""

    gaussian: Callable[[int, Quaternion], acb_mat] = gaussian
    times: Callable[[Quaternion, Quaternion], Quaternion] = times
    sign: int = -1
    weight: Callable[[int, int], int] = comb


WHOLE = Whole()


def _strategies() -> dict[str, Any]:
    from hypothesis import strategies as st

    part = st.integers(-30, 30)
    quaternion = st.tuples(part, part, part, part)
    return {"twice": st.integers(1, 6), "p": quaternion, "q": quaternion}


def _with_sign_dropped(twice: int, q: Quaternion) -> acb_mat:
    a, b, _, d = cells(q)
    return acb_mat(forms(twice, a, b, acb(q[2], q[1]), d, one=acb(1)))


FIRST_CASE = {"twice": 1, "p": (1, 2, 0, 0), "q": (1, 0, 3, 0)}


@control("order_swapped", times=lambda p, q: times(q, p))
@checked_by(
    GROUP_LAW, "quaternion_product", "property", "2l = 1 .. 6, integers to 30", definitions=WHOLE
)
def products_of_integers(of: Whole, run: Run) -> Evidence:
    def holds(twice: int, p: Quaternion, q: Quaternion) -> bool:
        with precision(BITS):
            return of.gaussian(twice, of.times(p, q)) == of.gaussian(twice, p) * of.gaussian(
                twice, q
            )

    return hunt(holds, _strategies(), run, first=FIRST_CASE)


@control("no_sign", sign=1)
@checked_by(
    POLYNOMIAL_ENTRIES, "double_cover", "property", "2l = 1 .. 6, integers to 30", definitions=WHOLE
)
def sign_of_integers(of: Whole, run: Run) -> Evidence:
    def holds(twice: int, p: Quaternion, q: Quaternion) -> bool:
        w, x, y, z = p
        with precision(BITS):
            return of.gaussian(twice, (-w, -x, -y, -z)) == of.gaussian(twice, p) * of.sign**twice

    return hunt(holds, _strategies(), run, first=FIRST_CASE)


@control("sign_of_b_dropped", gaussian=_with_sign_dropped)
@control("unweighed", weight=lambda twice, k: 1)
@checked_by(
    POLYNOMIAL_ENTRIES, "isometric", "property", "2l = 1 .. 6, integers to 30", definitions=WHOLE
)
def product_of_integers_kept(of: Whole, run: Run) -> Evidence:
    """T(g a)^H W T(g b) = |g|^(4l) T(a)^H W T(b) with W = diag(1 / C(2l, k)) and g = p, a = 1."""

    def holds(twice: int, p: Quaternion, q: Quaternion) -> bool:
        whole = math.lcm(*(of.weight(twice, k) for k in range(twice + 1)))
        scale = [whole // of.weight(twice, k) for k in range(twice + 1)]
        with precision(BITS):
            W = acb_mat(
                [[s if i == j else 0 for j, s in enumerate(scale)] for i in range(twice + 1)]
            )
            turned, here = of.gaussian(twice, p), of.gaussian(twice, q)
            left = adjoint(turned * here) * W * (turned * here)
            return left == adjoint(here) * W * here * acb(length(p) ** twice)

    case = {"twice": 2, "p": (1, 2, 0, 0), "q": (1, 0, 3, 0)}
    return hunt(holds, _strategies(), run, first=case)


def adjoint(m: acb_mat) -> acb_mat:
    """The conjugate transpose."""
    return acb_mat([[x.conjugate() for x in row] for row in m.transpose().tolist()])


def _degrees_and_vectors() -> dict[str, Any]:
    from hypothesis import strategies as st

    part = st.integers(-9, 9)
    quaternion = st.tuples(part, part, part, part)
    return {"twice": st.integers(1, 12), "p": quaternion, "q": quaternion, "x": part, "z": part}


@control("order_swapped", times=lambda p, q: times(q, p))
@checked_by(
    ALL_DEGREES, "composition", "property", "2l = 1 .. 12, integers to 9", definitions=WHOLE
)
def powers_of_linear_forms_moved(of: Whole, run: Run) -> Evidence:
    """T(p) T(q) takes the coefficients of (x u + z v)^(2l) where T(p q) does."""

    def holds(twice: int, p: Quaternion, q: Quaternion, x: int, z: int) -> bool:
        power = [[comb(twice, k) * x**k * z ** (twice - k)] for k in range(twice + 1)]
        with precision(BITS):
            linear = acb_mat(power)
            apart = of.gaussian(twice, p) * (of.gaussian(twice, q) * linear)
            return of.gaussian(twice, of.times(p, q)) * linear == apart

    return hunt(
        holds, _degrees_and_vectors(), run, first={**FIRST_CASE, "q": (1, 0, 3, 1), "x": 1, "z": 2}
    )


@control("unweighed", weight=lambda twice, k: 1)
@checked_by(
    ALL_DEGREES, "bracket_of_powers", "property", "2l = 1 .. 12, integers to 9", definitions=WHOLE
)
def bracket_of_integers(of: Whole, run: Run) -> Evidence:
    """In rational numbers, with the binomials of Python."""

    def holds(twice: int, p: Quaternion, q: Quaternion, x: int, z: int) -> bool:
        y, w = p[:2]
        total = sum(
            Fraction(comb(twice, k) ** 2 * (x * y) ** k * (z * w) ** (twice - k))
            / of.weight(twice, k)
            for k in range(twice + 1)
        )
        return total == (x * y + z * w) ** twice

    case = {"twice": 2, "p": (1, 1, 0, 0), "q": (1, 0, 0, 0), "x": 1, "z": 1}
    return hunt(holds, _degrees_and_vectors(), run, first=case)


# ---------------------------------------------------------------------- float64
@dataclass(frozen=True)
class Floats:
    """What the checks in float64 measure."""

    matrix: Callable[[int, Any], Complex] = wigner.matrix
    real_basis: Callable[[int], Complex] = wigner.real_basis
    times: Callable[[Any, Any], Any] = wigner.quaternion_product
    inverse: Callable[[Any], Any] = lambda q: q * np.array([1.0, -1, -1, -1])
    order: tuple[int, int, int] = (1, 2, 0)


FLOATS = Floats()


def unit_quaternions(count: int, seed: int) -> NDArray[np.float64]:
    """Half of them uniform, half of them with log-uniform small angles, `(count, 4)`."""
    draw = np.random.default_rng(seed)
    q = draw.normal(size=(count, 4))
    small = slice(0, count // 2)
    q[small, 1:] *= (10 ** draw.uniform(-6, 0, count // 2) / np.linalg.norm(q[small, 1:], axis=1))[
        :, None
    ]
    q[small, 0] = 1.0
    return q / np.linalg.norm(q, axis=1)[:, None]


def angle_error(twice: int) -> Fraction:
    """80 l u: what the angles of a float quaternion cost."""
    return Fraction(twice, 2) * wigner.ANGLES * U


def _sizes(run: Run) -> Sequence[int]:
    return (1, 2, 3, 4, 10, 64) if run.profile == "full" else (1, 2, 3, 4, 10, 21)


SIZES = Scope("2l = 1, 2, 3, 4, 10, 21; 20 pairs each", "2l = 1, 2, 3, 4, 10, 64; 20 pairs each")


def transposed(twice: int, angles: Any) -> Complex:
    return wigner.matrix(twice, angles).swapaxes(-1, -2)


@control("transposed", matrix=transposed)
@checked_by(
    POLYNOMIAL_ENTRIES,
    "entries",
    "float",
    Scope("2l = 1, 2, 3, 4, 10; integer quaternions", "2l = 1, 2, 3, 4, 10, 20, 64"),
    definitions=FLOATS,
)
def entries_in_float64(of: Floats, run: Run) -> Evidence:
    """The float kernel against T of integer quaternions, scaled and rounded."""
    sizes = (1, 2, 3, 4, 10, 20, 64) if run.profile == "full" else (1, 2, 3, 4, 10)
    ratios = []
    for twice in sizes:
        bound = wigner.matrix_bound(twice) + angle_error(twice) + 2 * U
        for q in integer_quaternions(4 if twice > 10 else 10, run.seed):
            angles = wigner.angles_of_quaternions(np.array(q, dtype=np.float64))
            off = np.abs(of.matrix(twice, angles) - rounded_wigner(twice, q)).max()
            ratios.append((off / float(bound), off, bound, f"2l = {twice}, q = {q}"))
    return closest(ratios, "(h + 33) u + 80 l u + 2 u")


def closest(found: list[tuple[float, float, Fraction, str]], formula: str) -> Evidence:
    """The case that comes closest to its bound, a NaN first.

    Each case is its ratio to the bound, what was measured, the bound, and where.
    """
    _, off, bound, where = max(found, key=lambda case: np.inf if np.isnan(case[0]) else case[0])
    return within(off, Bound(bound, formula, {"case": where}), witness=where)


def _pairs(of: Floats, run: Run) -> Iterator[tuple[int, Any, Any]]:
    for twice in _sizes(run):
        yield twice, unit_quaternions(20, run.seed), unit_quaternions(20, run.seed + 1)


def _matrices(of: Floats, twice: int, q: Any) -> Complex:
    return of.matrix(twice, wigner.angles_of_quaternions(q))


@control("order_swapped", times=lambda p, q: wigner.quaternion_product(q, p))
@checked_by(GROUP_LAW, "group_law", "float", SIZES, definitions=FLOATS)
def products_in_float64(of: Floats, run: Run) -> Evidence:
    found = []
    for twice, p, q in _pairs(of, run):
        apart = _matrices(of, twice, p) @ _matrices(of, twice, q)
        off, where = worst(np.abs(apart - _matrices(of, twice, of.times(p, q))))
        bound = wigner.homomorphism_bound(twice)
        found.append((off / float(bound), off, bound, f"2l = {twice} {where}"))
    return closest(found, "e (1 + 2 sqrt n) + n e^2 + sqrt(2) (2n + 2) u + 80 l u")


def _conjugate_halved(twice: int, angles: Any) -> Complex:
    """A matrix whose entries above the diagonal are conjugated."""
    found = wigner.matrix(twice, angles)
    return np.where(np.tri(twice + 1, dtype=bool), found, found.conj())


@control("half_conjugated", matrix=_conjugate_halved)
@checked_by(GROUP_LAW, "unitary", "float", SIZES, definitions=FLOATS)
def unitary_in_float64(of: Floats, run: Run) -> Evidence:
    found = []
    for twice, p, _ in _pairs(of, run):
        D = _matrices(of, twice, p)
        off, where = worst(np.abs(D @ D.conj().swapaxes(-1, -2) - np.eye(twice + 1)))
        bound = wigner.unitarity_bound(twice)
        found.append((off / float(bound), off, bound, f"2l = {twice} {where}"))
    return closest(found, "2 e sqrt n + n e^2 + sqrt(2) (2n + 2) u")


@control("one_axis_kept", inverse=lambda q: q * np.array([1.0, -1, -1, 1]))
@checked_by(GROUP_LAW, "inverse", "float", SIZES, definitions=FLOATS)
def inverse_in_float64(of: Floats, run: Run) -> Evidence:
    found = []
    for twice, p, _ in _pairs(of, run):
        back = _matrices(of, twice, of.inverse(p))
        off, where = worst(np.abs(back - _matrices(of, twice, p).conj().swapaxes(-1, -2)))
        bound = 2 * (wigner.matrix_bound(twice) + angle_error(twice)) + U
        found.append((off / float(bound), off, bound, f"2l = {twice} {where}"))
    return closest(found, "2 (e + 80 l u) + u")


def _basis_without_signs(degree: int) -> Complex:
    basis = wigner.real_basis(degree)
    return np.where(np.abs(basis.real) > 0, np.abs(basis), basis)


REAL = Scope("l = 1, 2, 5, 10", "l = 1, 2, 5, 10, 32, 64")


@control("signs_dropped", real_basis=_basis_without_signs)
@checked_by(GROUP_LAW, "real", "float", REAL, definitions=FLOATS)
def real_in_float64(of: Floats, run: Run) -> Evidence:
    """The imaginary part of conj(C) D C^T."""
    found = []
    for degree in (1, 2, 5, 10, 32, 64) if run.profile == "full" else (1, 2, 5, 10):
        C = of.real_basis(degree)
        D = _matrices(of, 2 * degree, unit_quaternions(20, run.seed))
        off, where = worst((C.conj() @ D @ C.T).imag)
        # the entries of D are off by e in modulus, which the basis at most doubles
        bound = 2 * wigner.matrix_bound(2 * degree) + 5 * U
        found.append((off / float(bound), off, bound, f"l = {degree} {where}"))
    return closest(found, "2 e + 5 u")


@control("x_y_z", order=(0, 1, 2))
@checked_by(GROUP_LAW, "vector", "float", "100 rotations", definitions=FLOATS)
def vector_in_float64(of: Floats, run: Run) -> Evidence:
    q = unit_quaternions(100, run.seed)
    angles = wigner.angles_of_quaternions(q)
    C = of.real_basis(1)
    turned = (C.conj() @ of.matrix(2, angles) @ C.T).real
    R = wigner.rotations_of_angles(angles)[:, of.order][:, :, of.order]
    off, where = worst(turned - R)
    # entries of R: three sines or cosines, products and one sum: below 12 u
    bound = 2 * wigner.matrix_bound(2) + 17 * U
    return within(off, Bound(bound, "2 e + 5 u + 12 u", {}), witness=where)
