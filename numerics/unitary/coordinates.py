"""The n^2 coordinates of a unitary matrix in floating point, and in balls where they jump.

Main definitions
----------------
encode     n^2 real numbers of a unitary matrix, column by column from the last
decode     the matrix of such numbers
coset      the unitary matrix with a given last column
pivots     the moduli that encoding divides by
Kernels    the definitions the checks measure; a control replaces one of them

Conventions
-----------
Matrices are complex128 of shape `(n, n)`.  Coordinates are float64 of shape `(n^2,)`: for a column
of length k its 2 (k - 1) numbers Re x, Im x, then the angle in radians, for k = n, n - 1, ..., 1.
Norms are Frobenius norms.

The bound
---------
u = 2^-53.  At size k let d bound ||U* U - I|| (measured, with the error of measuring it) and z be
the pivot.  The stored angle is off by 8 u, its cosine and sine by 2 u each, a product of two
complex numbers by 4 u: the stored x times the stored phase differs from the column by at most
24 u.  The height y = sqrt(1 - |x|^2) is recomputed, so a = (2 k + 6) u bounds |y^2 + |x|^2 - 1|
and eta = d + a + 30 u bounds |y^2 - |z|^2|; hence | y - |z| | <= m = min(eta / |z|, sqrt(eta)): a
small pivot spoils the height, and with it the column.  Omega is unitary up to 4 a.  Its entries
and one product of matrices add (3 k^2 + k + 8) u when encoding and again when decoding, so

    E_k <= (1 + 2 a) E_(k-1) + 2 m + d + (7 k^2 + 3 k + 100 + (8 k + 24) sqrt(k)) u.

References
----------
Derived here; no publication is quoted.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posproof.numerics.hunt import hunt
from posproof.numerics.measure import within
from posproof.numerics.unitary_matrices import U64, Matrices, defect, growth, haar, norms
from posproof.theory.unitary.coordinates import DIMENSION
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control

Numbers = NDArray[np.float64]


# ---------------------------------------------------------------------- kernels
def coset(x: NDArray[np.complex128], y: float | None = None) -> Matrices:
    """The unitary `(k + 1, k + 1)` matrix with last column (x, y), y = sqrt(1 - |x|^2) unless told.

    x has shape `(k,)`.
    """
    k = len(x)
    if y is None:
        y = math.sqrt(max(0.0, 1 - float((x.real**2 + x.imag**2).sum())))
    omega = np.empty((k + 1, k + 1), dtype=np.complex128)
    omega[:k, :k] = np.eye(k) - np.outer(x, x.conj() / (1 + y))
    omega[:k, k], omega[k, :k], omega[k, k] = x, -x.conj(), y
    return omega


def _levels(U: Matrices) -> list[tuple[Matrices, NDArray[np.complex128], float]]:
    """The matrix, x and the angle at each size, from the largest down to 1."""
    found = []
    for k in range(len(U) - 1, -1, -1):
        z = U[k, k]
        angle = math.atan2(z.imag, z.real)
        x = U[:k, k] * complex(math.cos(angle), -math.sin(angle))
        found.append((U, x, angle))
        U = (coset(x).conj().T @ U)[:k, :k]
    return found


def encode(U: Matrices) -> Numbers:
    """The n^2 coordinates of a unitary matrix.

    >>> encode(np.array([[1j]])) == np.array([np.pi / 2])
    array([ True])
    """
    parts = [np.append(np.ascontiguousarray(x).view(np.float64), at) for _, x, at in _levels(U)]
    return np.concatenate(parts)


def decode(coordinates: Numbers) -> Matrices:
    """The unitary matrix of n^2 coordinates.

    >>> decode(np.array([0.0]))
    array([[1.+0.j]])
    """
    n = math.isqrt(len(coordinates))
    if n * n != len(coordinates):
        raise ValueError(f"{len(coordinates)} numbers are no square (coordinates)")
    U = np.zeros((0, 0), dtype=np.complex128)
    end = len(coordinates)
    for k in range(n):
        begin = end - (2 * k + 1)
        x = np.ascontiguousarray(coordinates[begin : end - 1]).view(np.complex128)
        wider = np.zeros((k + 1, k + 1), dtype=np.complex128)
        wider[:k, :k] = U
        wider[k, k] = complex(math.cos(coordinates[end - 1]), math.sin(coordinates[end - 1]))
        U, end = coset(x) @ wider, begin
    return U


def pivots(U: Matrices) -> Numbers:
    """The moduli of the pivots, shape `(n,)`, from the last column to the first."""
    return np.array([abs(m[-1, -1]) for m, _, _ in _levels(U)])


@dataclass(frozen=True)
class Kernels:
    """What the checks measure."""

    encode: Callable[[Matrices], Numbers] = encode
    decode: Callable[[Numbers], Matrices] = decode
    signs: tuple[int, int] = (1, -1)


KERNELS = Kernels()


# ---------------------------------------------------------------------- bounds
def root_above(square: Fraction) -> Fraction:
    """An upper bound of a square root, a short fraction."""
    scale = 2**120
    return Fraction(math.isqrt(math.ceil(square * scale**2)) + 1, scale)


def round_trip_bound(U: Matrices) -> Bound:
    """How far decode(encode(U)) may lie from U; see the head of the module."""
    error, largest = Fraction(0), Fraction(0)
    for m, _, _ in reversed(_levels(U)):
        k = len(m)
        d, a = defect(m[None]), (2 * k + 6) * U64
        eta = d + a + 30 * U64
        # The modulus of a complex number is rounded by 2 u at most.
        pivot = Fraction(float(abs(m[-1, -1]))) * (1 - 4 * U64)
        small = root_above(eta) if pivot <= root_above(eta) else eta / pivot
        fixed = 7 * k * k + 3 * k + 100 + (8 * k + 24) * (math.isqrt(k - 1) + 1)
        error = (1 + 2 * a) * error + 2 * small + d + fixed * U64
        largest = max(largest, small)
    formula = "sum over k of 2 min(eta / |U_kk|, sqrt(eta)) + d + (7 k^2 + ... + 100) u"
    # Measuring the distance rounds it by 2 n^2 + 4 roundings.
    return Bound(
        error * growth(2 * len(U) ** 2 + 4, U64), formula, {"n": len(U), "height": largest}
    )


# ---------------------------------------------------------------------- unitary.dimension
def _phase_kept(U: Matrices) -> Numbers:
    """Coordinates whose x still carries the phase of the pivot."""
    parts, n = [], len(U)
    for k in range(n - 1, -1, -1):
        z, x = U[k, k], U[:k, k]
        angle = math.atan2(z.imag, z.real)
        parts.append(np.append(np.ascontiguousarray(x).view(np.float64), angle))
        U = (coset(x * complex(math.cos(angle), -math.sin(angle))).conj().T @ U)[:k, :k]
    return np.concatenate(parts)


@control("phase_kept", encode=_phase_kept)
@checked_by(
    DIMENSION,
    "reconstruction",
    "float",
    Scope("50 Haar tokens of U(8), and pivots of 1e-4 .. 1e-14", "2000 Haar tokens"),
    definitions=KERNELS,
)
def round_trips(of: Kernels, run: Run) -> Evidence:
    """The error of the worst token in units of its own bound, which depends on its pivots."""
    source = np.random.default_rng(run.seed)
    tokens = list(haar(8, 2000 if run.profile == "full" else 50, source))
    tokens += [small_pivot(8, 10.0**-power, source) for power in (4, 6, 8, 10, 14)]
    ratio, shown = Fraction(-1), (0.0, round_trip_bound(tokens[0]), "")
    for index, U in enumerate(tokens):
        stored = of.encode(U)
        if stored.shape != (64,):
            return Evidence("refuted", witness=f"{stored.shape} numbers for a token of U(8)")
        error, bound = float(norms(of.decode(stored) - U)), round_trip_bound(U)
        if Fraction(error) / bound.value > ratio:
            ratio, shown = Fraction(error) / bound.value, (error, bound, f"token {index}")
    return within(shown[0], shown[1], witness=shown[2])


def small_pivot(n: int, modulus: float, source: np.random.Generator) -> Matrices:
    """A unitary matrix of size n whose last entry has about that modulus."""
    x = source.standard_normal(n - 1) + 1j * source.standard_normal(n - 1)
    x *= math.sqrt(1 - modulus**2) / np.sqrt((np.abs(x) ** 2).sum())
    wider = np.eye(n, dtype=np.complex128)
    wider[:-1, :-1], wider[-1, -1] = haar(n - 1, 1, source)[0], np.exp(1j * source.uniform(-3, 3))
    return coset(x, modulus) @ wider


@control("phase_kept", encode=_phase_kept)
@checked_by(DIMENSION, "reconstruction", "property", "Haar tokens, n <= 8", definitions=KERNELS)
def haar_round_trips(of: Kernels, run: Run) -> Evidence:
    """Reconstructions are close; coordinates need not be."""
    from hypothesis import strategies

    def comes_back(n: int, seed: int) -> bool:
        U = haar(n, 1, np.random.default_rng(seed))[0]
        error = float(norms(of.decode(of.encode(U)) - U))
        return Fraction(error) <= round_trip_bound(U).value

    drawn = {"n": strategies.integers(1, 8), "seed": strategies.integers(0, 2**32)}
    return hunt(comes_back, drawn, run, first={"n": 2, "seed": 0})


EPSILON = Fraction(1, 10**12)


@control("both_pivots_positive", signs=(1, 1))
@checked_by(
    DIMENSION, "jump", "ball", "epsilon = 10^-12", definitions=KERNELS, engine="python-flint"
)
def readouts_apart(of: Kernels, run: Run) -> Evidence:
    """Matrices at spectral distance 2 epsilon whose (Re x, Im x, angle) are more than 2 apart."""
    from flint import acb, arb, fmpq

    from posproof.numerics.balls import precision

    with precision(256):
        small = arb(fmpq(EPSILON.numerator, EPSILON.denominator))
        r = (1 - small**2).sqrt()
        read: list[tuple[Any, Any]] = []
        for sign in of.signs:
            pivot = acb(sign * small)
            read.append((acb(r) * pivot.conjugate() / abs(pivot), pivot.arg()))
        (x, angle), (other, turned) = read
        steps = ((x - other).real, (x - other).imag, angle - turned)
        square = sum((step * step for step in steps), arb(0))
        if square > 4:
            apart = square.sqrt().str(8, radius=False)
            return Evidence("holds", measured=f"{apart} at distance 2e-12")
        return Evidence("refuted", witness=f"the squared distance of the readouts is {square}")
