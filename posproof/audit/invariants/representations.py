"""Rotations in three dimensions: Wigner matrices, Euler angles, exponentials, round trips.

Main definitions
----------------
wigner_matrices, wigner_certificate, wigner_order, euler_round_trip, exponentials, transforms
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posproof.audit.calls import Array, Broken, Inapplicable, as_array, called, raw
from posproof.audit.findings import Finding, by_design, fault, precondition
from posproof.audit.invariants import Audit, invariant
from posproof.audit.protocol import Encoding
from posproof.numerics.formats import FORMATS

DEGREES = (0, 1, 2, 3, 4, 8, 16, 30)
#: Colatitudes at the poles, at both sides of the thresholds libraries branch at, and between.
COLATITUDES = (0.0, 1e-8, 1e-7, 1e-6, 1e-4, 0.3, pi / 3, pi / 2, 2.5, pi - 1e-4, pi - 1e-8, pi)
AZIMUTHS = ((0.0, 0.0), (0.7, -1.1), (0.3, -0.7), (-2.9, 3.0))


def turn(axis: int, angle: float) -> Array:
    """The rotation about a coordinate axis, active, right-handed."""
    first, second = ((1, 2), (2, 0), (0, 1))[axis]
    result = np.eye(3)
    result[first, first] = result[second, second] = np.cos(angle)
    result[second, first], result[first, second] = np.sin(angle), -np.sin(angle)
    return result


def rotations() -> Iterator[tuple[str, Array]]:
    """Named rotations: the identity, poles, their neighbourhoods, half-turns, general ones."""
    yield "the identity", np.eye(3)
    for beta in COLATITUDES:
        for alpha, gamma in AZIMUTHS:
            name = f"Rz({alpha:g}) Ry({beta:.9g}) Rz({gamma:g})"
            yield name, turn(2, alpha) @ turn(1, beta) @ turn(2, gamma)
    for first, second in ((1, 0), (0, 1)):  # the poles of libraries with another polar axis
        for beta in COLATITUDES:
            name = f"R{'xyz'[first]}(0.7) R{'xyz'[second]}({beta:.9g}) R{'xyz'[first]}(-1.1)"
            yield name, turn(first, 0.7) @ turn(second, beta) @ turn(first, -1.1)
    for tilt in (0.0, 0.7, pi / 2, 2.0):
        axis = np.array([np.cos(tilt), np.sin(tilt), 0.0])
        yield (
            f"the half-turn about ({axis[0]:.3g}, {axis[1]:.3g}, 0)",
            2 * np.outer(axis, axis) - np.eye(3),
        )
    for yaw, roll in ((0.3, -0.7), (2.0, 1.0)):
        for pitch in (-pi / 2, pi / 2):
            name = f"Rz({yaw:g}) Ry({pitch:+.9g}) Rx({roll:g})"
            yield name, turn(2, yaw) @ turn(1, pitch) @ turn(0, roll)


def _unit(known: Encoding) -> float:
    return float(FORMATS[known.fact("dtype", "float64")].unit_roundoff)


def wigner_error(degree: int, u: float) -> float:
    """How far a Wigner matrix of float angles may be off in the Frobenius norm.

    Three angles of at most pi are rounded, each of which moves the matrix by l pi u in every
    column; two products of size n = 2 l + 1 add n u a row, and tables 4 u: with the n columns
    together sqrt(n) (3 l pi + 2 n^(3/2) + 12) u, doubled for what is of second order.
    """
    n = 2 * degree + 1
    return 2 * np.sqrt(n) * (3 * degree * pi + 2 * n**1.5 + 12) * u


@invariant(
    "Wigner matrices", family="representation", needs=("wigner",), claim="spherical.group_law"
)
def wigner_matrices(known: Encoding, audit: Audit) -> Iterator[Finding]:
    """Lost digits in high degrees, degenerate angles, a wrong sign where the axis is flipped.

    D of the identity is the identity, D is unitary, its trace is sin((2l+1) w/2)/sin(w/2) for an
    angle w, and the entry m = m' = 0 is the Legendre polynomial of the colatitude: all four hold in
    every basis in which m = 0 stands in the middle.
    """
    method = known.method("wigner")
    assert method is not None
    for degree in DEGREES:
        for name, rotation in rotations():
            given = f"l = {degree}, {name}"
            matrix = _wigner(method, degree, rotation, given)
            allowed = wigner_error(degree, _unit(known))
            n = 2 * degree + 1
            gap = float(np.linalg.norm(matrix @ matrix.conj().T - np.eye(n)))
            if not gap <= 2 * allowed + allowed**2:
                yield fault(
                    "it is not unitary",
                    given=given,
                    observed=gap,
                    right=0.0,
                    bound=f"{2 * allowed:.3g}",
                )
                return
            if name == "the identity" and np.linalg.norm(matrix - np.eye(n)) > allowed:
                yield fault(
                    "the identity is not mapped to the identity",
                    given=given,
                    observed=np.trace(matrix),
                )
                return
            # An entry is an eigenvalue sum; each of its n terms is off by the column's share.
            angle = np.arctan2(_axis_norm(rotation), (np.trace(rotation) - 1) / 2)
            trace = 1 + 2 * np.cos(angle * np.arange(1, degree + 1)).sum()
            found = complex(np.trace(matrix))
            slack = np.sqrt(n) * allowed + 8 * degree * n * 2.0**-53
            if abs(found - trace) > slack:
                yield fault(
                    "the character is wrong",
                    given=given,
                    observed=found,
                    right=trace,
                    bound=f"{slack:.3g}",
                )
                return
            legendre = float(np.polynomial.legendre.Legendre.basis(degree)(rotation[2, 2]))
            middle = complex(matrix[degree, degree])
            if abs(middle - legendre) > allowed + 8 * n * degree * 2.0**-53:
                yield fault(
                    "the middle entry is wrong",
                    given=given,
                    observed=middle,
                    right=legendre,
                    bound=f"{allowed:.3g}",
                )
                return


def _wigner(method: object, degree: int, rotation: Array, given: str) -> NDArray[np.complex128]:
    result = raw(method, degree, rotation, given=given)  # type: ignore[arg-type]
    if hasattr(result, "detach"):
        result = result.detach().cpu().numpy()
    try:
        matrix = np.asarray(result).astype(np.complex128)
    except (TypeError, ValueError):
        matrix = as_array(result, given).astype(np.complex128)
    if matrix.shape != (2 * degree + 1, 2 * degree + 1) or not np.isfinite(matrix).all():
        called(lambda: np.abs(matrix), given=given, shape=(2 * degree + 1, 2 * degree + 1))
    return matrix


def _axis_norm(rotation: Array) -> float:
    skew = rotation - rotation.T
    return float(np.sqrt(skew[0, 1] ** 2 + skew[0, 2] ** 2 + skew[1, 2] ** 2) / 2)


#: Degrees of the certificate, which is evaluated in balls.
CERTIFIED = (1, 2, 4, 8)
#: Where a convention is told from another one.
GENERIC = 0.7


@dataclass(frozen=True)
class Convention:
    """The axis whose rotations have real matrices d^l, and how they are read off."""

    axis: int
    real: bool
    transposed: bool

    def small(self, matrix: NDArray[np.complex128]) -> NDArray[np.complex128]:
        """The matrix in the basis of J_z, orders ascending."""
        from posproof.numerics.wigner import real_basis

        if self.real:
            basis = real_basis(len(matrix) // 2)
            matrix = basis.T @ matrix @ basis.conj()
        return matrix.T if self.transposed else matrix


def _convention(method: Any) -> Convention | None:
    """The one whose matrix of degree 2 is certified at a generic angle."""
    from posproof.numerics.wigner_certificate import certify

    for parts in product((1, 0), (False, True), (False, True)):
        found = Convention(*parts)
        d = found.small(_wigner(method, 2, turn(found.axis, GENERIC), "l = 2"))
        if np.abs(d.imag).max() < 0.01 and certify(d.real, GENERIC).signs:
            return found
    return None


@invariant(
    "Wigner certificate",
    family="representation",
    needs=("wigner",),
    claim="spherical.matrix_certificate",
)
def wigner_certificate(known: Encoding, audit: Audit) -> Iterator[Finding]:
    """Entries that are off while the matrix stays orthogonal: eigenvectors of a known generator.

    Rotations about one axis have real matrices, whose columns are eigenvectors of
    cos(b) J_z + sin(b) J_x.  A matrix that is off by e in the Frobenius norm leaves a residual of
    at most 2 l e in each column, so its certificate stays below (2 sqrt(2) l + 1) e (1 + 2 e).
    """
    from posproof.numerics.wigner_certificate import certify

    method = known.method("wigner")
    assert method is not None
    convention = _convention(method)
    if convention is None:
        raise Inapplicable("its basis is neither that of J_z nor the real one")
    for degree, beta in product(CERTIFIED, COLATITUDES):
        given = f"l = {degree}, R{'xyz'[convention.axis]}({beta:.9g})"
        d = convention.small(_wigner(method, degree, turn(convention.axis, beta), given))
        error = wigner_error(degree, _unit(known))
        allowed = (2 * np.sqrt(2) * degree + 1) * error * (1 + 2 * error)
        finding = certify(d.real, beta)
        bound = max(finding.columns)
        off = float(np.abs(d.imag).max())
        if off > error or not bound <= allowed or not finding.signs:
            yield fault(
                finding.fault or "the columns are not the eigenvectors they should be",
                given=given,
                observed=max(bound, off),
                right=0.0,
                bound=f"{allowed:.3g}",
            )
            return


@invariant(
    "Wigner products", family="representation", needs=("wigner",), claim="spherical.group_law"
)
def wigner_order(known: Encoding, audit: Audit) -> Iterator[Finding]:
    """Exchanged indices, a wrong sign of one angle, a branch that disagrees with the others.

    D(R S) = D(R) D(S) for all pairs, or D(S) D(R) for all: the second is the convention of matrices
    that act on rows.
    """
    method = known.method("wigner")
    assert method is not None
    chosen = list(rotations())
    source = audit.source()
    pairs = [(a, (a + step) % len(chosen)) for step in (1, 7, 19) for a in range(len(chosen))]
    orders: dict[str, list[Finding]] = {"D(R) D(S)": [], "D(S) D(R)": []}
    for degree in (1, 2, 4):
        for a, b in source.permutation(pairs)[:60]:
            (first, r), (second, s) = chosen[a], chosen[b]
            given = f"l = {degree}, R = {first}, S = {second}"
            whole = _wigner(method, degree, r @ s, given)
            left, right = _wigner(method, degree, r, given), _wigner(method, degree, s, given)
            one = wigner_error(degree, _unit(known))
            # The product of the matrices is rounded too, and moves the three angles of R S.
            allowed = 3 * one + one**2 + 8 * (degree + 1) ** 2 * 2.0**-53
            for order, both in (("D(R) D(S)", left @ right), ("D(S) D(R)", right @ left)):
                gap = float(np.linalg.norm(whole - both))
                if gap > allowed:
                    finding = fault(
                        f"D(R S) is not {order}",
                        given=given,
                        observed=gap,
                        right=0.0,
                        bound=f"{allowed:.3g}",
                    )
                    orders[order].append(finding)
    if orders["D(R) D(S)"] and orders["D(S) D(R)"]:
        fewest = min(orders.values(), key=len)
        yield fewest[0]
    elif orders["D(R) D(S)"]:
        yield by_design(
            "it reverses products: its matrices act on rows", given="D(R S) = D(S) D(R)"
        )


@invariant("Euler round trip", family="representation", needs=("angles", "matrix"))
def euler_round_trip(known: Encoding, audit: Audit) -> Iterator[Finding]:
    """Wrong signs at the poles, digits lost by an arc cosine, angles dropped near a pole.

    The matrix of the angles of R is R: three angles of at most pi are rounded (3 pi u), six table
    entries and two products add 8 u: 18 u.  Angles are never compared, for at a pole only one of
    their combinations is determined.  A documented `pole_band` b adds 2 b.
    """
    angles, matrix = known.method("angles"), known.method("matrix")
    assert angles is not None and matrix is not None
    u = _unit(known)
    band = float(known.fact("pole_band", 0.0))
    allowed = 18 * u + 2 * band
    dtype = FORMATS[known.fact("dtype", "float64")].dtype
    worst: tuple[float, str, Array, Array] | None = None
    for name, rotation in rotations():
        given_matrix = rotation.astype(dtype)
        found = raw(angles, given_matrix, given=name)
        back = called(matrix, found, given=name, shape=(3, 3))
        gap = float(np.abs(back - given_matrix.astype(float)).max())
        # A matrix in a narrow format is orthogonal only to 3 u.
        if gap > allowed + 3 * u and (worst is None or gap > worst[0]):
            worst = gap, name, back, rotation
    if worst is not None:
        gap, name, back, rotation = worst
        k = np.unravel_index(np.abs(back - rotation).argmax(), (3, 3))
        yield fault(
            f"matrix(angles(R)) differs from R by {gap:.3g}",
            given=name,
            observed=back[k],
            right=rotation[k],
            bound=f"{allowed:.3g}",
        )
    yield from _improper(known)


def _improper(known: Encoding) -> Iterator[Finding]:
    """A reflection has no angles: refusing it is right, answering silently is worth saying."""
    angles, matrix = known.method("angles"), known.method("matrix")
    assert angles is not None and matrix is not None
    mirror = np.diag([1.0, 1.0, -1.0])
    try:
        back = called(
            matrix, raw(angles, mirror, given="a reflection"), given="a reflection", shape=(3, 3)
        )
    except Broken:  # an assertion says the same as a refusal
        return
    if not np.isfinite(back).all():
        yield precondition("a reflection is no rotation", given="diag(1, 1, -1)")


@invariant(
    "exponential", family="representation", needs=("exponential",), claim="spherical.generators"
)
def exponentials(known: Encoding, audit: Audit) -> Iterator[Finding]:
    """A wrong coefficient on one branch of the norm, single matrices against batches.

    exp(t J) has the entries cos t and sin t.  A rational approximation is a quotient of two sums
    whose terms add up to e^(s/2) each, s = min(t, 5.5), of 16 roundings: 32 e^s u; every halving of
    t before is a squaring after, which doubles the error: t/5.5 times as much.
    """
    method = known.method("exponential")
    assert method is not None
    dtype = FORMATS[known.fact("dtype", "float64")].dtype
    u = _unit(known)
    generator = np.array([[0.0, -1.0], [1.0, 0.0]])
    # 40 norms a decade: a branch of a library spans more than a twentieth of one.
    for t in (0.0, *np.geomspace(1e-6, 30.0, 300)):
        stored = float(np.asarray(t).astype(dtype))
        given = f"t = {stored:.9g}, one 2 x 2 generator"
        found = called(method, (stored * generator).astype(dtype), given=given, shape=(2, 2))
        right = np.array([[np.cos(stored), -np.sin(stored)], [np.sin(stored), np.cos(stored)]])
        allowed = 32 * np.exp(min(stored, 5.5)) * max(1.0, 2 * stored / 5.5) * u
        gap = np.abs(found - right)
        if gap.max() > allowed:
            k = np.unravel_index(gap.argmax(), (2, 2))
            yield fault(
                f"exp(t J) is off by {gap.max():.3g}",
                given=given,
                observed=found[k],
                right=right[k],
                bound=f"{allowed:.3g}",
            )
            return


@invariant("transforms", family="representation", needs=("forward", "backward"))
def transforms(known: Encoding, audit: Audit) -> Iterator[Finding]:
    """Recursions that lose everything at large sizes or weights: forward, then backward.

    A transform of n values that is orthogonal up to scale loses at most n^(3/2) u each way: n u a
    sum, sqrt(n) between the norms.  A stated `tolerance` counts instead.
    """
    forward, backward = known.method("forward"), known.method("backward")
    assert forward is not None and backward is not None
    size = int(known.fact("band_limit", 128))
    values = audit.source().standard_normal(size)
    given = f"{size} random values"
    back = called(backward, raw(forward, values, given=given), given=given, shape=(size,))
    allowed = float(known.fact("tolerance", 2 * size**1.5 * _unit(known)))
    gap = float(np.linalg.norm(back - values) / np.linalg.norm(values))
    if gap > allowed:
        yield fault(
            "backward(forward(x)) is not x",
            given=given,
            observed=gap,
            right=0.0,
            bound=f"{allowed:.3g}",
        )
