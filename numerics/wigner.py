r"""Wigner matrices in float64 to l = 256 and beyond, with a priori bounds.

Main definitions
----------------
half_pi           d^l(pi / 2), every entry rounded correctly
small             d^l(beta), by table for l <= 32 and by folding above
matrix            D^l(alpha, beta, gamma), complex
real_matrix       the same in the basis of real harmonics, l an integer
apply, apply_real D x through three diagonal matrices and two fixed ones; D is never formed
angles_of_quaternions, angles_of_rotations      what turns other rotations into Euler angles
real_basis        C, the complex harmonics to the real ones
entry_bound, matrix_bound, unitarity_bound, homomorphism_bound, apply_bound     a priori, fractions

Conventions
-----------
twice = 2l, n = 2l + 1, indices m', m = -l .. l ascending, J_y = (J_+ - J_-) / (2 i);
D = exp(-i alpha J_z) exp(-i beta J_y) exp(-i gamma J_z), the matrix of the active rotation
R_z(alpha) R_y(beta) R_z(gamma).  Angles are radians, of any size; a batch of Euler angles has the
shape (..., 3) and its matrices (..., n, n).  A quaternion is (w, x, y, z), scalar first, of any
length but 0.  At half-integer l a quaternion and its opposite have opposite matrices, and a 3 x 3
matrix is given the quaternion with w >= 0.

Algorithm
---------
With Delta = d^l(pi / 2), d = Delta diag(e^(-i mu beta)) Delta^T up to quarter turns, that is
    d_(m'm) = (-1)^((m - m') / 2)     sum_mu w_mu Delta_(m' mu) Delta_(m mu) cos(mu beta)
or  d_(m'm) = (-1)^((m - m' - 1) / 2) sum_mu w_mu Delta_(m' mu) Delta_(m mu) sin(mu beta)
for even and odd m' - m, over mu >= 0 with w = 2 and w = 1 at mu = 0.  Rows of even and of odd
l + m' are kept apart, so three products of half-size matrices do.  For l <= 32 the products of two
Delta are stored, and d is one product of the phases with that table.

An angle is split into 23 bits and the rest.  mu times either part is exact, so the phase of mu beta
does not lose the l beta u that a rounded product would.

Bounds
------
u = 2^-53; cosine and sine of the library are within 2 u of their own size (one ulp).  By
|cos cos| + |sin sin| <= 1 a cosine of mu beta put together from four of them is off by at most
(2 + 2 + 1) u + u = 6 u, to first order, and as a complex number e^(-i mu beta) by
5 sqrt(2) u + u < 9 u.  Two roundings of Delta, one of a product, h = ceil(n / 2) of a sum in any
order, with or without fused operations, all multiply sum |Delta| |Delta| <= 1 (Cauchy-Schwarz):
    entry_bound  eps = (h + 11) u, in which 8 u for the phase pay for all second orders.
    matrix_bound       eps + 22 u: two phases, a complex product, a real factor.
    unitarity_bound    2 e sqrt(n) + n e^2 + sqrt(2) (2 n + 2) u, for fl(D D*) against 1
    homomorphism_bound e (1 + 2 sqrt(n)) + n e^2 + sqrt(2) (2 n + 2) u + l delta
with e the bound of an entry of D and a complex sum of n products off by sqrt(2) 2 n u of its size;
delta bounds what the angles of three rotations and the product of two quaternions are off by, as
a rotation; no algorithm avoids that term, for ||D(R) - D(R')|| can be 2 sin(l delta / 2).
Entries below the normal numbers add less than n 2^-1072.  These bounds are about entries; the
tolerance `wignerd.homomorphism` is about a Frobenius norm, any format, and another algorithm.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from typing import Any, NamedTuple

import numpy as np
from flint import arb, fmpz
from numpy.typing import ArrayLike, NDArray

from posproof.numerics.balls import precision
from posproof.numerics.balls.wigner import binomials, half_pi_entries

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

#: Unit roundoff of float64.
U = Fraction(1, 2**53)
#: Largest 2l that is worth a table: (2l + 2)(2l + 1)^2 numbers, 2.2 MB.
TABLED = 64
#: Largest 2l for which the bounds are claimed.
LARGEST = 2048
#: Numbers that a slice of a batch may take between two products, so that they stay in a cache.
SLICE = 2**18
#: 2 atan2 of rounded lengths, sums of two angles, one product of quaternions: see `rotation_error`.
ANGLES = 80
SPLIT = 2.0**30


# ---------------------------------------------------------------------- the fixed matrix
def _check_degree(twice: int) -> None:
    if isinstance(twice, bool) or not isinstance(twice, (int, np.integer)) or twice < 0:
        raise ValueError("twice = 2l is a whole number, at least 0")
    if twice > LARGEST:
        raise ValueError(f"l = {twice / 2:g} is beyond the largest degree, {LARGEST // 2}")


def _nearest(value: arb, square: Callable[[], Fraction]) -> float:
    """The float next to what a ball encloses; `square` is its exact square.

    A number half-way between two floats is rational, and then its square tells it.
    """
    low, high = float(value.lower()), float(value.upper())
    if low == high:
        return low
    parts = square().as_integer_ratio()
    roots = [isqrt(part) for part in parts]
    if [root**2 for root in roots] != list(parts):
        raise ArithmeticError("128 bits do not tell how an entry of Delta is rounded")
    return float(Fraction(*roots)) * (-1 if low < 0 else 1)


@lru_cache(maxsize=16)
def half_pi(twice: int) -> Array:
    """Delta = d^l(pi / 2), (n, n), rows m' and columns m, rounded correctly; read-only.

    From exact integers, once: 0.2 s at l = 256.
    """
    _check_degree(twice)
    n = twice + 1
    found = np.empty((n, n))
    rows = n // 2 + n % 2  # m' <= 0
    weights = binomials(twice)
    with precision(128):
        roots = [arb(x).sqrt() for x in weights]
        inverse = [(1 / root) * arb(2).sqrt() ** (-twice) for root in roots[:rows]]
        for k in range(twice // 2, n):  # m >= 0, or m = -1/2 with it
            for row, entry in zip(range(rows), half_pi_entries(twice, k), strict=False):

                def square(row: int = row, k: int = k, entry: fmpz = entry) -> Fraction:
                    whole = int(entry**2 * weights[k])
                    return Fraction(whole, int(weights[row]) * 2**twice)

                value = entry * inverse[row] * roots[k]
                found[row, k] = _nearest(value, square) if entry else 0.0
    # d_(m', -m) = (-1)^(l + m') d_(m' m) and d_(-m', m) = (-1)^(l - m) d_(m' m), at pi / 2
    at = np.arange(n)
    left = n - 1 - at[: twice // 2]
    found[:rows, : twice // 2] = found[:rows, left] * _signs(at[:rows])[:, None]
    found[rows:] = found[n - 1 - at[rows:]] * _signs(twice - at)
    found.setflags(write=False)
    return found


def half_pi_plain(twice: int) -> Array:
    """Delta in plain float64, by the recursion in m' that grows from the forbidden region.

    Row m' = -l holds 2^-l sqrt(C(2l, l + m)) as a mantissa and an exponent; then
    (c_m' x_(m'+1) + c_(m'-1) x_(m'-1)) / 2 = m x_m' up to m' = 0, and the other rows by symmetry.
    """
    _check_degree(twice)
    n, k = twice + 1, np.arange(twice + 1)
    ladder = np.sqrt((twice - k[:-1]) * (k[:-1] + 1.0))
    now, exponent = _first_row(twice)
    before, m = np.zeros(n), k - twice / 2
    found = np.empty((n, n))
    found[0] = np.ldexp(now, exponent)
    for row in range(twice // 2):
        below = ladder[row - 1] * before if row else 0.0
        before, now = now, (2 * m * now - below) / ladder[row]
        large = np.abs(now) > 1e100
        shift = np.where(large, 300, 0)
        now, before, exponent = np.ldexp(now, -shift), np.ldexp(before, -shift), exponent + shift
        found[row + 1] = np.ldexp(now, exponent)
    upper = np.arange(twice // 2 + 1, n)
    found[upper] = found[twice - upper] * _signs(twice - k)
    return found


def _first_row(twice: int) -> tuple[Array, NDArray[np.int64]]:
    """2^-l sqrt(C(2l, k)) as mantissas and exponents, from integers."""
    mantissas, exponents = [], []
    for binomial in binomials(twice):
        # shifted to 106 or 107 bits, the integer square root has the 53 bits of a mantissa or more
        shift = int(binomial).bit_length() - 128
        shift -= (shift - twice) % 2
        whole = int(binomial) >> shift if shift >= 0 else int(binomial) << -shift
        mantissas.append(float(isqrt(whole)))
        exponents.append((shift - twice) // 2)
    return np.array(mantissas), np.array(exponents)


def _signs(k: NDArray[np.integer]) -> Array:
    """(-1)^k."""
    return np.where(k % 2 == 0, 1.0, -1.0)


# ---------------------------------------------------------------------- phases
def phases(orders: Array, angle: Array) -> tuple[Array, Array]:
    """cos(mu angle) and sin(mu angle), shape (..., len(orders)), within 8 u each.

    `orders` are multiples of 1/2 of modulus at most 1024; see the module for how an angle is split.
    """
    parts = np.empty((2, *angle.shape, 1))
    angle = angle[..., None]
    scaled = angle * SPLIT
    np.subtract(scaled + angle, scaled, out=parts[0])
    np.subtract(angle, parts[0], out=parts[1])
    turns = parts * orders
    (c, c_rest), (s, s_rest) = np.cos(turns), np.sin(turns)
    return c * c_rest - s * s_rest, s * c_rest + c * s_rest


def rounded_phases(orders: Array, angle: Array) -> tuple[Array, Array]:
    """The same from mu times angle as it is rounded: off by up to l |angle| u more."""
    turn = orders * angle[..., None]
    return np.cos(turn), np.sin(turn)


Phases = Callable[[Array, Array], tuple[Array, Array]]


def _orders(twice: int) -> Array:
    """mu >= 0."""
    return np.arange(twice % 2, twice + 1, 2) / 2


# ---------------------------------------------------------------------- small d
class Halves(NamedTuple):
    """Rows of even and of odd l + m', mu >= 0, with the signs of the fold: (rows, h)."""

    even: Array
    odd: Array
    weights: Array


def halves(delta: Array) -> Halves:
    """What folding needs of a matrix Delta, (n, n)."""
    n = len(delta)
    right = delta[:, n // 2 :]
    weights = np.full(right.shape[1], 2.0)
    if n % 2:
        weights[0] = 1.0
    even, odd = (
        np.ascontiguousarray(rows * _signs(np.arange(len(rows)))[:, None])
        for rows in (right[0::2], right[1::2])
    )
    return Halves(even, odd, weights)


@lru_cache(maxsize=16)
def _folded(twice: int) -> Halves:
    return halves(half_pi(twice))


def fold(cosines: Array, sines: Array, parts: Halves) -> Array:
    """d^l from the phases of mu beta, mu >= 0, each (batch, h), and halves of Delta."""
    even, odd, weights = parts
    batch, n = len(cosines), len(even) + len(odd)
    cosines, sines = cosines * weights, sines * weights
    out = np.empty((batch, n, n))
    step = max(1, SLICE // (len(even) * len(weights)))
    for start in range(0, batch, step):
        c, s = cosines[start : start + step, None, :], sines[start : start + step, None, :]
        to = out[start : start + step]
        to[:, 0::2, 0::2] = _product(even * c, even)
        to[:, 1::2, 1::2] = _product(odd * c, odd)
        mixed = _product(even * s, odd)
        to[:, 0::2, 1::2] = mixed
        np.negative(mixed.swapaxes(1, 2), out=to[:, 1::2, 0::2])
    return out


def _product(left: Array, right: Array) -> Array:
    """left[b] @ right.T for every b, as one matrix product."""
    batch, rows, inner = left.shape
    return (left.reshape(batch * rows, inner) @ right.T).reshape(batch, rows, len(right))


def _folded_table(parts: Halves, n: int) -> Array:
    """(2 h, n n): d = [cosines, sines] @ table."""
    even, odd, weights = parts
    h = len(weights)
    table = np.zeros((2, h, n, n))
    for rows, first in ((even, 0), (odd, 1)):
        square = rows.T[:, :, None] * rows.T[:, None, :] * weights[:, None, None]
        table[0, :, first::2, first::2] = square
    mixed = even.T[:, :, None] * odd.T[:, None, :] * weights[:, None, None]
    table[1, :, 0::2, 1::2] = mixed
    table[1, :, 1::2, 0::2] = -mixed.swapaxes(1, 2)
    return table.reshape(2 * h, n * n)


@lru_cache(maxsize=TABLED + 1)
def _table(twice: int) -> Array:
    return _folded_table(_folded(twice), twice + 1)


def tabled(cosines: Array, sines: Array, table: Array) -> Array:
    """d^l from the phases of mu beta, mu >= 0, each (batch, h), and the table."""
    n = isqrt(table.shape[1])
    return (np.concatenate([cosines, sines], axis=1) @ table).reshape(len(cosines), n, n)


def _small(twice: int, cosines: Array, sines: Array) -> Array:
    if twice <= TABLED:
        return tabled(cosines, sines, _table(twice))
    return fold(cosines, sines, _folded(twice))


def small(twice: int, beta: ArrayLike) -> Array:
    """d^l(beta), shape (..., n, n), every entry within `entry_bound`; beta has the shape (...)."""
    _check_degree(twice)
    angle = np.asarray(beta, dtype=np.float64)
    if not np.isfinite(angle).all():
        raise ValueError("beta is not finite")
    found = _small(twice, *phases(_orders(twice), angle.reshape(-1)))
    return found.reshape(*angle.shape, twice + 1, twice + 1)


# ---------------------------------------------------------------------- rotations
def _angles(angles: ArrayLike) -> Array:
    euler = np.asarray(angles, dtype=np.float64)
    if euler.ndim == 0 or euler.shape[-1] != 3:
        raise ValueError(f"Euler angles have the shape (..., 3), not {euler.shape}")
    if not np.isfinite(euler).all():
        raise ValueError("Euler angles are not finite")
    return euler


def angles_of_quaternions(quaternions: ArrayLike) -> Array:
    """alpha, beta, gamma of (w, x, y, z), shape (..., 4) -> (..., 3), 0 <= beta <= pi.

    The length does not matter and is not divided by.  alpha + gamma and alpha - gamma are twice the
    angles of (w, z) and of (-x, y): what a pole leaves undetermined then does not matter.
    """
    q = np.asarray(quaternions, dtype=np.float64)
    if q.ndim == 0 or q.shape[-1] != 4:
        raise ValueError(f"quaternions have the shape (..., 4), not {q.shape}")
    w, x, y, z = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    along, across = np.hypot(w, z), np.hypot(x, y)
    length = along + across
    if not ((length > 0) & (length < np.inf)).all():
        raise ValueError("a quaternion is 0 or not finite")
    half_sum, half_difference = np.arctan2(z, w), np.arctan2(-x, y)
    angles = np.empty((*q.shape[:-1], 3))
    angles[..., 0], angles[..., 2] = half_sum + half_difference, half_sum - half_difference
    angles[..., 1] = 2 * np.arctan2(across, along)
    return angles


def quaternions_of_rotations(rotations: ArrayLike) -> Array:
    """(w, x, y, z), not normalised, of 3 x 3 matrices (..., 3, 3); w >= 0.

    4 q q^T, whose entries are sums of entries of R, has q as every column; the largest is taken.
    """
    R = np.asarray(rotations, dtype=np.float64)
    if R.ndim < 2 or R.shape[-2:] != (3, 3):
        raise ValueError(f"rotations have the shape (..., 3, 3), not {R.shape}")
    defect = np.abs(R @ R.swapaxes(-1, -2) - np.eye(3)).max(initial=0.0)
    if not defect < 1e-6 or (np.linalg.det(R) < 0).any():  # not rounding: another kind of matrix
        raise ValueError("a matrix is not a rotation")
    trace = np.trace(R, axis1=-2, axis2=-1)
    square = np.empty((*R.shape[:-2], 4, 4))
    square[..., 0, 0] = 1 + trace
    square[..., 1:, 1:] = R + R.swapaxes(-1, -2)
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        square[..., i + 1, i + 1] = 1 - trace + 2 * R[..., i, i]
        square[..., 0, i + 1] = square[..., i + 1, 0] = R[..., k, j] - R[..., j, k]
    best = np.diagonal(square, axis1=-2, axis2=-1).argmax(axis=-1)
    q = np.take_along_axis(square, best[..., None, None], axis=-1)[..., 0]
    return np.where(q[..., :1] < 0, -q, q)


def angles_of_rotations(rotations: ArrayLike) -> Array:
    """alpha, beta, gamma of 3 x 3 matrices, shape (..., 3, 3) -> (..., 3)."""
    return angles_of_quaternions(quaternions_of_rotations(rotations))


def rotations_of_angles(angles: ArrayLike) -> Array:
    """R_z(alpha) R_y(beta) R_z(gamma), shape (..., 3) -> (..., 3, 3)."""
    euler = _angles(angles)
    (ca, cb, cg), (sa, sb, sg) = (np.moveaxis(f(euler), -1, 0) for f in (np.cos, np.sin))
    rows = [
        [ca * cb * cg - sa * sg, -ca * cb * sg - sa * cg, ca * sb],
        [sa * cb * cg + ca * sg, -sa * cb * sg + ca * cg, sa * sb],
        [-sb * cg, sb * sg, cb],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def quaternion_product(left: ArrayLike, right: ArrayLike) -> Array:
    """The quaternion of the rotation `right` followed by `left`, shape (..., 4)."""
    a, b, c, d = np.moveaxis(np.asarray(left, dtype=np.float64), -1, 0)
    w, x, y, z = np.moveaxis(np.asarray(right, dtype=np.float64), -1, 0)
    return np.stack(
        [
            a * w - b * x - c * y - d * z,
            a * x + b * w + c * z - d * y,
            a * y - b * z + c * w + d * x,
            a * z + b * y - c * x + d * w,
        ],
        axis=-1,
    )


def pairs_to_try(count: int, source: np.random.Generator) -> tuple[Array, Array]:
    """Pairs of unit quaternions, (count, 4) each, half of them with angles close to 0 or pi.

    In turn: two uniform rotations; one turned by a log-uniform angle from 1e-9 to 1; two about the
    y axis by one such angle; one by pi less such an angle.  Uniform rotations alone miss errors
    that occur at small angles only.
    """
    first, second = (
        q / np.linalg.norm(q, axis=1)[:, None] for q in source.normal(size=(2, count, 4))
    )
    kind = np.arange(count) % 4
    angle = np.exp(source.uniform(np.log(1e-9), 0, count))
    half = np.where(kind == 3, np.pi - angle, angle) / 2
    axis = source.normal(size=(count, 3))
    axis /= np.linalg.norm(axis, axis=1)[:, None]
    axis[kind == 2] = (0, 1, 0)
    turned = np.concatenate([np.cos(half)[:, None], np.sin(half)[:, None] * axis], axis=1)
    first = np.where((kind > 0)[:, None], turned, first)
    return first, np.where((kind == 2)[:, None], first, second)


# ---------------------------------------------------------------------- D
def _turns(cosines: Array, sines: Array, n: int) -> Complex:
    """e^(-i m angle), m = -l .. l, shape (..., n), from cosines and sines at m >= 0, (..., h)."""
    found = np.empty((*cosines.shape[:-1], n), dtype=np.complex128)
    upper, lower = found[..., n // 2 :], found[..., : n // 2]
    upper.real = cosines
    np.negative(sines, out=upper.imag)
    np.conjugate(upper[..., n % 2 :][..., ::-1], out=lower)
    return found


def _check_vectors(twice: int, x: NDArray[np.inexact]) -> None:
    if x.ndim == 0 or x.shape[-1] != twice + 1:
        raise ValueError(f"vectors have the shape (..., {twice + 1}), not {x.shape}")


def matrix(twice: int, angles: ArrayLike) -> Complex:
    """D^l, shape (..., n, n), every entry within `matrix_bound`; angles have the shape (..., 3)."""
    _check_degree(twice)
    euler, n = _angles(angles), twice + 1
    c, s = phases(_orders(twice), euler.reshape(-1, 3))
    turns = _turns(c[:, ::2], s[:, ::2], n)
    D = turns[:, 0, :, None] * turns[:, 1, None, :]
    D *= _small(twice, c[:, 1], s[:, 1])
    return D.reshape(*euler.shape[:-1], n, n)


def _degree(degree: int) -> int:
    _check_degree(degree)
    return 2 * degree


def real_basis(degree: int) -> Complex:
    """C, (n, n): rows the real harmonics m = -l .. l, columns the complex ones; unitary.

    Real m > 0 is (Y_-m + (-1)^m Y_m) / sqrt 2, real -m is i (Y_-m - (-1)^m Y_m) / sqrt 2.
    """
    n, root = _degree(degree) + 1, np.sqrt(0.5)
    C = np.zeros((n, n), dtype=np.complex128)
    C[degree, degree] = 1
    m = np.arange(1, degree + 1)
    plus, minus, sign = degree + m, degree - m, _signs(m)
    C[plus, minus], C[plus, plus] = root, sign * root
    C[minus, minus], C[minus, plus] = 1j * root, -1j * sign * root
    return C


def real_matrix(degree: int, angles: ArrayLike) -> Array:
    """conj(C) D C^T, real orthogonal, (..., n, n); for l = 1 it is R in the order y, z, x.

    By D_(-m', -m) = (-1)^(m' - m) conj(D_(m' m)) each entry is a sum of two parts of D.
    """
    D = matrix(_degree(degree), angles)
    l, n = degree, 2 * degree + 1  # noqa: E741
    sign = _signs(np.arange(1, l + 1))
    up, down = slice(l + 1, n), slice(l - 1, None, -1) if l else slice(0, 0)
    same = D[..., up, up] * (sign[:, None] * sign)
    other = D[..., up, down] * sign[:, None]
    R = np.empty(D.shape)
    R[..., up, up], R[..., down, down] = same.real + other.real, same.real - other.real
    R[..., up, down], R[..., down, up] = same.imag - other.imag, -(same.imag + other.imag)
    R[..., l, l] = D[..., l, l].real
    row, column = D[..., l, up] * (np.sqrt(2) * sign), D[..., up, l] * (np.sqrt(2) * sign)
    R[..., l, up], R[..., l, down] = row.real, row.imag
    R[..., up, l], R[..., down, l] = column.real, -column.imag
    return R


# ---------------------------------------------------------------------- D x
def _powers_of_minus_i(twice: int) -> Complex:
    """(-i)^floor(m), exactly."""
    return np.array([1, -1j, -1, 1j])[np.arange(-(twice // 2) - twice % 2, twice // 2 + 1) % 4]


def apply(twice: int, angles: ArrayLike, vectors: ArrayLike) -> Any:
    """D x, shape (..., n), for angles (..., 3) and vectors (..., n), which broadcast.

    D = e^(-i (alpha + pi/2) J_z) Delta e^(-i beta J_z) Delta^T e^(-i (gamma - pi/2) J_z): two
    products with one fixed matrix for all vectors together, and D is never formed.  The quarter
    turns are powers of i; at half-integer l the eighth turns of both sides cancel.  Vectors of
    float32 or complex64 give complex64; phases are computed in float64 all the same.
    """
    _check_degree(twice)
    euler, x = _angles(angles), np.asarray(vectors)
    _check_vectors(twice, x)
    kind = np.complex64 if x.dtype in (np.float32, np.complex64) else np.complex128
    delta, quarter = _half_pi_in(twice, kind), _powers_of_minus_i(twice)
    turns = _turns(*phases(_orders(twice), euler), twice + 1)
    first, last = turns[..., 2, :] * quarter.conj(), turns[..., 0, :] * quarter
    x = _mixed(x * first.astype(kind), delta)
    return _mixed(x * turns[..., 1, :].astype(kind), delta.T) * last.astype(kind)


@lru_cache(maxsize=16)
def _half_pi_in(twice: int, kind: type[np.complexfloating]) -> NDArray[np.floating]:
    """Delta in the format of a complex type's parts."""
    return half_pi(twice).astype(np.empty(0, kind).real.dtype, copy=False)


def _mixed(x: NDArray[np.complexfloating], fixed: NDArray[np.floating]) -> Any:
    """x @ fixed with the real and imaginary parts as rows of one real product."""
    rows = np.concatenate([x.real.reshape(-1, len(fixed)), x.imag.reshape(-1, len(fixed))])
    product = rows @ fixed
    found = np.empty(x.shape, dtype=x.dtype)
    half = len(product) // 2
    found.real, found.imag = product[:half].reshape(x.shape), product[half:].reshape(x.shape)
    return found


def apply_real(degree: int, angles: ArrayLike, vectors: ArrayLike) -> Array:
    """D_R x for real vectors (..., n) in the basis of real harmonics; D is never formed."""
    twice = _degree(degree)
    x = np.asarray(vectors, dtype=np.float64)
    _check_vectors(twice, x)
    m = np.arange(1, degree + 1)
    plus, minus, sign, root = degree + m, degree - m, _signs(m), np.sqrt(0.5)
    complex_x = np.zeros(x.shape, dtype=np.complex128)
    complex_x[..., degree] = x[..., degree]
    complex_x[..., minus] = (x[..., plus] + 1j * x[..., minus]) * root
    complex_x[..., plus] = complex_x[..., minus].conj() * sign
    y = apply(twice, angles, complex_x)
    found = np.empty(y.shape)
    found[..., degree] = y[..., degree].real
    # the result is real: y_m = (-1)^m conj(y_-m), so each pair is told by one of the two
    found[..., plus], found[..., minus] = (
        np.sqrt(2) * sign * y[..., plus].real,
        -np.sqrt(2) * sign * y[..., plus].imag,
    )
    return found


# ---------------------------------------------------------------------- bounds
def _root(value: Fraction | int) -> Fraction:
    """A square root, rounded up in the 60th bit."""
    value = Fraction(value) * 4**60
    return Fraction(isqrt(-(-value.numerator // value.denominator)) + 1, 2**60)


def entry_bound(twice: int) -> Fraction:
    """(h + 11) u, h = ceil(n / 2): how far an entry of `small` is from d^l(beta)."""
    _check_degree(twice)
    return (twice // 2 + 12) * U


def matrix_bound(twice: int) -> Fraction:
    """(h + 33) u: how far an entry of `matrix` is from D^l of the angles as given."""
    return entry_bound(twice) + 22 * U


def unitarity_bound(twice: int) -> Fraction:
    """max |fl(D D*) - 1| for `matrix`, and for `small`."""
    n, error = twice + 1, matrix_bound(twice)
    return 2 * error * _root(n) + n * error**2 + _root(2) * (2 * n + 2) * U


def homomorphism_bound(twice: int, angle_error: Fraction = ANGLES * U) -> Fraction:
    """max |fl(D_1 D_2) - D_12|, the angles of all three within `angle_error`, radians, in all."""
    n, error = twice + 1, matrix_bound(twice)
    product = _root(2) * (2 * n + 2) * U
    return error * (1 + 2 * _root(n)) + n * error**2 + product + Fraction(twice, 2) * angle_error


def apply_bound(twice: int) -> Fraction:
    """||fl(D x) - D x|| per ||x|| for `apply`: 2 (n + 2) sqrt(n) u and 40 u.

    Each product with Delta loses n u and u of | |Delta| |x| | <= sqrt(n) ||x||, each of three
    phases 9 u and (1 + sqrt 2) u of a complex product.
    """
    n = twice + 1
    return 2 * (n + 2) * _root(n) * U + 40 * U
