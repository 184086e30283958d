"""Relative scores in fractions and in floating point, and scores that drift.

Main definitions
----------------
power             the n-th power of a matrix, also for negative n
with_key_factor   q^T M^i M^-j k
with_form         (S^i q)^T Q (S^j k)
sum_not_distance  (B(i mu) q)^T (B(j mu) k): both sides boosted, Euclidean product
encoding          F(n) = G Phi^n of an arbitrary relative encoding
Kernels           the definitions the checks measure; a control replaces one of them

Main claims
-----------
symplectic.relative_law

Conventions
-----------
As in `posproof.numerics.symplectic.shears`: matrices of shape `(..., 2, 2)`, float64 or object;
u = 2^-53.  Vectors have shape `(2,)`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import sympy
from numpy.typing import NDArray

from posproof.numerics.balls import certify, points
from posproof.numerics.hunt import hunt, rationals
from posproof.numerics.measure import within
from posproof.numerics.symplectic.shears import (
    SECOND_ORDER,
    U,
    boost,
    composed,
    lower,
    upper,
)
from posproof.theory.symplectic import relative as theory
from posproof.theory.symplectic.relative import RELATIVE_LAW, Relative
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control

Array = NDArray[Any]
J: Array = np.array([[0, 1], [-1, 0]], dtype=object)


# ---------------------------------------------------------------------- kernels
def inverse(m: Array) -> Array:
    """J^-1 M^T J, the inverse of a matrix of determinant one."""
    return -J @ m.T @ J


def power(m: Array, n: int) -> Array:
    """M^n for a matrix of determinant one and any integer n, by squaring."""
    square, left = (m if n >= 0 else inverse(m)), abs(n)
    result: Array = np.array([[1, 0], [0, 1]], dtype=object)
    while left:
        if left % 2:
            result = result @ square
        square, left = square @ square, left // 2
    return result


def with_key_factor(m: Array, i: int, j: int, q: Array, k: Array) -> Any:
    """<(M^T)^i q, M^-j k>."""
    return (power(m.T, i) @ q) @ (power(m, -j) @ k)


def with_form(m: Array, form: Array, i: int, j: int, q: Array, k: Array) -> Any:
    """(M^i q)^T Q (M^j k)."""
    return (power(m, i) @ q) @ form @ (power(m, j) @ k)


def alternate(a: Any, b: Any) -> Array:
    """S'(a, b) = U(a / 2) L(b) U(a / 2)."""
    half = upper(a / 2)
    return half @ lower(b) @ half


def kept_by_composed(a: Any, b: Any) -> Array:
    """diag(c, -a)."""
    return np.array([[b * (1 + a * b / 4), 0], [0, -a]], dtype=object)


def kept_by_alternate(a: Any, b: Any) -> Array:
    """diag(b, -a (1 + ab / 4))."""
    return np.array([[b, 0], [0, -a * (1 + a * b / 4)]], dtype=object)


def sum_not_distance(mu: float, i: int, j: int, q: Array, k: Array) -> float:
    """(B(i mu) q)^T (B(j mu) k), which depends on i + j."""
    return float((boost(np.array(i * mu)) @ q) @ (boost(np.array(j * mu)) @ k))


def with_mirror(mu: float, i: int, j: int, q: Array, k: Array) -> float:
    """(B(i mu) q)^T eta (B(j mu) k), which depends on j - i."""
    eta = np.diag([1.0, -1.0])
    return float((boost(np.array(i * mu)) @ q) @ eta @ (boost(np.array(j * mu)) @ k))


def encoding(G: Array, phi: Array, n: int) -> Array:
    """F(n) = G Phi^n in float64, n >= 0."""
    result = G
    for _ in range(n):
        result = result @ phi
    return result


def composed_law(F: Callable[[int], Array], m: int, n: int) -> Array:
    """F(m) F(0)^-1 F(n)."""
    return F(m) @ np.linalg.solve(F(0), F(n))


def score(amplitudes: Array, frequencies: Array, n: Array) -> Array:
    """sum of u_k cos(n omega_k) + v_k sin(n omega_k); amplitudes `(2, d)`, positions `(m,)`."""
    angles = n[:, None] * frequencies[None, :]
    return (amplitudes[0] * np.cos(angles) + amplitudes[1] * np.sin(angles)).sum(axis=1)


@dataclass(frozen=True)
class Kernels:
    """What the checks measure."""

    with_key_factor: Callable[..., Any] = with_key_factor
    kept_by_composed: Callable[[Any, Any], Array] = kept_by_composed
    kept_by_alternate: Callable[[Any, Any], Array] = kept_by_alternate
    shared: Callable[..., float] = with_mirror
    law: Callable[..., Array] = composed_law
    score: Callable[[Array, Array, Array], Array] = score


KERNELS = Kernels()


# ---------------------------------------------------------------------- one matrix, in fractions
def _drawn() -> dict[str, Any]:
    """Strategies for a, b, two places and a common shift."""
    from hypothesis import strategies as st

    number, place = rationals(-5, 5, 20), st.integers(0, 12)
    return {"a": number, "b": number} | dict.fromkeys(("i", "j", "t"), place)


FIRST = {"a": Fraction(3, 10), "b": Fraction(1, 5), "i": 3, "j": 1, "t": 10}
QUERY: Array = np.array([Fraction(1), Fraction(2)], dtype=object)
KEY: Array = np.array([Fraction(1, 2), Fraction(-1)], dtype=object)


def _matrix(maker: Callable[[Any, Any], Array], a: Fraction, b: Fraction) -> Array:
    return maker(np.array(a, dtype=object), np.array(b, dtype=object))


def _power_on_the_key(m: Array, i: int, j: int, q: Array, k: Array) -> Any:
    """The same power on both sides, with the Euclidean product."""
    return (power(m, i) @ q) @ (power(m, j) @ k)


@control("same_side", with_key_factor=_power_on_the_key)
@checked_by(
    RELATIVE_LAW,
    "key_factor",
    "property",
    "fractions a, b, |.| <= 5, places and shifts 0..12",
    definitions=KERNELS,
)
def shifted_scores(of: Kernels, run: Run) -> Evidence:
    """The score does not change when both places move, and is q^T S^(i - j) k."""

    def same(a: Fraction, b: Fraction, i: int, j: int, t: int) -> bool:
        m = _matrix(composed, a, b)
        here = of.with_key_factor(m, i, j, QUERY, KEY)
        there = of.with_key_factor(m, i + t, j + t, QUERY, KEY)
        return bool(here == there == QUERY @ power(m, i - j) @ KEY)

    return hunt(same, _drawn(), run, first=FIRST)


@control("euclidean_sign", kept_by_composed=lambda a, b: np.abs(kept_by_composed(a, b)))
@control("unprimed", kept_by_alternate=kept_by_composed)
@checked_by(
    RELATIVE_LAW,
    "invariant_forms",
    "property",
    "fractions a, b, |.| <= 5, places and shifts 0..12",
    definitions=KERNELS,
)
def shifted_forms(of: Kernels, run: Run) -> Evidence:
    """The same map on both sides, with Q and with J, for S and for S'."""

    def same(a: Fraction, b: Fraction, i: int, j: int, t: int) -> bool:
        pairs = (composed, of.kept_by_composed), (alternate, of.kept_by_alternate)
        for maker, kept in pairs:
            m = _matrix(maker, a, b)
            for form in (kept(a, b), J):
                here = with_form(m, form, i, j, QUERY, KEY)
                there = with_form(m, form, i + t, j + t, QUERY, KEY)
                if not here == there == QUERY @ form @ power(m, j - i) @ KEY:
                    return False
        return True

    return hunt(same, _drawn(), run, first=FIRST)


@control("with_the_trace", invariant=lambda m: theory.ImmutableMatrix(theory.FORM * m))
@checked_by(RELATIVE_LAW, "general_form", "ball", "six matrices of determinant one")
def general_form_in_balls(of: Relative, run: Run) -> Evidence:
    root, turn = sympy.sqrt(2), sympy.pi / 7
    grid = [
        {"p": 2, "q": 1, "r": 1, "s": 1},
        {"p": root, "q": 1, "r": 1, "s": root},
        {"p": sympy.pi, "q": 0, "r": 3, "s": 1 / sympy.pi},
        {"p": 1, "q": Fraction(-1, 3), "r": 0, "s": 1},
        {"p": 0, "q": -root, "r": 1 / root, "s": Fraction(1, 5)},
        {"p": turn, "q": -1, "r": 1, "s": 0},
    ]
    return certify(_without_premise(theory.general_form(of)), grid, run.digits)


def _without_premise(statement: Any) -> Any:
    """The conclusion for all entries; balls cannot decide det M = 1, which the points satisfy."""
    return theory.ForAll(statement.variables, statement.body.conclusion)


@control("identity_for_mirror", mirror=theory.IDENTITY)
@checked_by(RELATIVE_LAW, "unit_anisotropy", "ball", "theta = k / 3, mu = k / 2, |k| <= 8")
def unit_anisotropy_in_balls(of: Relative, run: Run) -> Evidence:
    grid = points(
        theta=[Fraction(k, 3) for k in range(-8, 9)], mu=[Fraction(k, 2) for k in range(-8, 9)]
    )
    return certify(theory.unit_anisotropy(of), grid, run.digits)


# ---------------------------------------------------------------------- floating point
def shared_bound(mu: float, i: int, j: int, q: Array, k: Array) -> Bound:
    """Rounding of (B(i mu) q)^T eta (B(j mu) k).

    The argument i mu carries u, so its exponential carries i mu u, and cosh and sinh 4 u more; a
    component of B q has two products and a sum, the score two more products and a sum.  With
    |B(i mu)| at most e^(i mu) in every row sum: (16 + (i + j) mu) u e^((i + j) mu) |q|_1 |k|_1.
    """
    reach = (i + j) * abs(mu)
    size = Fraction(math.exp(reach)) * (1 + 8 * U * (1 + math.ceil(reach)))
    norms = sum(abs(Fraction(float(x))) for x in q) * sum(abs(Fraction(float(x))) for x in k)
    value = (16 + Fraction(reach)) * size * norms * U * SECOND_ORDER
    return Bound(value, "(16 + (i + j) mu) u e^((i + j) mu) |q| |k|", {"mu": mu, "i": i, "j": j})


@control("euclidean_product", shared=sum_not_distance)
@checked_by(
    RELATIVE_LAW,
    "unit_anisotropy",
    "float",
    Scope("mu = 1/20, places 3 and 1, shifts 0..40", "mu = 1/20, places 3 and 1, shifts 0..400"),
    definitions=KERNELS,
)
def lorentz_scores(of: Kernels, run: Run) -> Evidence:
    """The shift whose score is farthest from that of no shift, in units of the two bounds."""
    q, k = np.array([1.0, 2.0]), np.array([0.5, -1.0])
    mu, start = 0.05, of.shared(0.05, 3, 1, q, k)
    ratio, shown = Fraction(-1), None
    for t in range(401 if run.profile == "full" else 41):
        error = abs(Fraction(of.shared(mu, 3 + t, 1 + t, q, k)) - Fraction(start))
        parts = shared_bound(mu, 3 + t, 1 + t, q, k), shared_bound(mu, 3, 1, q, k)
        bound = Bound(parts[0].value + parts[1].value, f"{parts[0].formula}, at both places")
        if error / bound.value > ratio:
            ratio, shown = error / bound.value, (error, bound, t)
    assert shown is not None
    error, bound, t = shown
    return within(error, bound, witness=f"shift {t}")


def law_bound(G: Array, phi: Array, m: int, n: int) -> Bound:
    """Rounding of F(m + n) - F(m) F(0)^-1 F(n) for 3 x 3 matrices, in the Frobenius norm.

    One product adds 3 u of the norms, so F(n) = G Phi^n is off by 3 n u |G| |Phi|^n.  Elimination
    with pivots solves a system off by 9 u times the sizes of its factors, at most 36 |G|: 324 u.
    With c = |G| |G^-1| and P = |G| |Phi|^(m + n) that is (3 (m + n)(1 + c) + 324 c^2 + 3 c) u P;
    the computed inverse is taken at twice its norm.
    """
    size, step = (Fraction(float(np.linalg.norm(x))) * (1 + 16 * U) for x in (G, phi))
    condition = 2 * size * Fraction(float(np.linalg.norm(np.linalg.inv(G))))
    factor = 3 * (m + n) * (1 + condition) + 324 * condition**2 + 3 * condition
    value = factor * size * step ** (m + n) * U * SECOND_ORDER
    return Bound(value, "(3 (m + n)(1 + c) + 324 c^2 + 3 c) u |G| |Phi|^(m + n)", {"m": m, "n": n})


def _origin_last(F: Callable[[int], Array], m: int, n: int) -> Array:
    """F(m) F(n) F(0)^-1."""
    return F(m) @ F(n) @ np.linalg.inv(F(0))


@control("origin_last", law=_origin_last)
@checked_by(
    RELATIVE_LAW,
    "homomorphism",
    "float",
    Scope("100 encodings of size 3, distances 2 and 3", "2000 encodings of size 3"),
    definitions=KERNELS,
)
def law_in_float64(of: Kernels, run: Run) -> Evidence:
    """|F(5) - F(2) F(0)^-1 F(3)| for the encoding with the largest error in units of its bound."""
    source = np.random.default_rng(run.seed)
    ratio, shown = Fraction(-1), None
    for index in range(2000 if run.profile == "full" else 100):
        G, phi = np.eye(3) + source.uniform(-0.3, 0.3, (3, 3)), source.uniform(-1, 1, (3, 3))

        def F(at: int, G: Array = G, phi: Array = phi) -> Array:
            return encoding(G, phi, at)

        error = float(np.linalg.norm(F(5) - of.law(F, 2, 3)))
        bound = law_bound(G, phi, 2, 3)
        if Fraction(error) / bound.value > ratio:
            ratio, shown = Fraction(error) / bound.value, (error, bound, index)
    assert shown is not None
    error, bound, index = shown
    return within(error, bound, witness=f"encoding {index}")


#: Dirichlet: two angles return within 2 pi / 40 for some n <= 40^2.
PARTS, SPAN = 40, 40**2


def return_slack(amplitudes: Array, frequencies: Array) -> float:
    """How far the best |s(n)|, 1 <= n <= 1600, may stay below |s(0)| in float64.

    Some n has both n omega_k within d = 2 pi / 40 of a multiple of 2 pi; then every term is off by
    at most (d + d^2 / 2) (|u| + |v|).  The angle n omega is rounded by u n |omega|, and 16 u cover
    cosine, sine, products and sums of two terms.
    """
    d = 2 * math.pi / PARTS
    size = float(np.abs(amplitudes).sum())
    rounding = float(U) * (16 + 2 * SPAN * float(np.abs(frequencies).max()))
    return (d + d * d / 2 + rounding) * size * (1 + 1 / 2**20)


def _damped(amplitudes: Array, frequencies: Array, n: Array) -> Array:
    return np.exp(-n) * score(amplitudes, frequencies, n)


@control("damped", score=_damped)
@checked_by(RELATIVE_LAW, "no_decay", "property", "two planes, n <= 1600", definitions=KERNELS)
def scores_return(of: Kernels, run: Run) -> Evidence:
    """Some |s(n)| with 1 <= n <= 1600 nearly reaches |s(0)|."""
    from hypothesis import strategies as st

    place = np.arange(1, SPAN + 1, dtype=np.float64)

    def returns(u: tuple[float, ...], v: tuple[float, ...], omega: tuple[float, ...]) -> bool:
        amplitudes, frequencies = np.array([u, v]), np.array(omega)
        best = np.abs(of.score(amplitudes, frequencies, place)).max()
        start = abs(float(np.sum(amplitudes[0])))
        return bool(best >= start - return_slack(amplitudes, frequencies))

    pair = st.tuples(st.floats(-1, 1), st.floats(-1, 1))
    axes = {"u": pair, "v": pair, "omega": st.tuples(st.floats(0, 4), st.floats(0, 4))}
    first = {"u": (1.0, 1.0), "v": (0.0, 0.0), "omega": (1.0, 0.1)}
    return hunt(returns, axes, run, first=first)
