"""Shears in floating point: products, factorisations and classes, each with a derived bound.

Main definitions
----------------
rate, angle, anisotropy    the eigen-data of S(a, b)
eigenvalues                those of any matrix, from trace and determinant
exact_class, guarded_class turn, shear, push or flip by the trace; the second may be undecided
upper, lower, composed     the shears U(a), L(b) and S(a, b) as arrays
form_residual              M^T J M - det(M) J
three_shears               the parameters of three shears that make a matrix; refuses diagonal ones
rotation_by_shears         U L U for R(theta); `rotation_reduced` turns by at most a quarter
boost_by_shears            L U L for B(mu)
Kernels                    the definitions the checks measure; a control replaces one of them

Main claims
-----------
symplectic.shears, symplectic.generation, symplectic.trace_classes,
symplectic.symmetric_composition, symplectic.three_shears

Conventions
-----------
Matrices are arrays of shape `(..., 2, 2)`, entries p, q, r, s.  The dtype is float64, or object for
fractions, mpmath numbers and balls.  u = 2^-53 is the unit roundoff.  Of the library functions sin
and cos are within one ulp, a relative error of 2 u, the others within two, 4 u.  Products of errors
are covered by the factor 1 + 2^-40 in every bound.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import sympy
from flint import acb, arb
from numpy.typing import NDArray

from posproof.numerics.balls import certify, points, precision
from posproof.numerics.formats import FORMATS
from posproof.numerics.hunt import hunt, rationals
from posproof.numerics.measure import high_precision, within
from posproof.theory.symplectic import shears as theory
from posproof.theory.symplectic.shears import (
    GENERATION,
    SHEARS,
    SYMMETRIC_COMPOSITION,
    THREE_SHEARS,
    TRACE_CLASSES,
    Shears,
)
from posproof.theory.vocabulary import (
    And,
    Bound,
    Eq,
    Evidence,
    ForAll,
    Implies,
    Lt,
    Run,
    Scope,
    Trust,
    checked_by,
    control,
)

Array = NDArray[Any]
U = FORMATS["float64"].unit_roundoff
#: Covers products of at most a thousand rounding errors.
SECOND_ORDER = 1 + Fraction(1, 2**40)
LIBRARY = frozenset(
    {
        Trust("software", "NumPy's float64 cos and sin are within one ulp"),
        Trust("software", "NumPy's float64 tan and hyperbolic functions are within two ulps"),
    }
)
Rows = tuple[tuple[int, int], tuple[int, int]]
FORM: Rows = ((0, 1), (-1, 0))


# ---------------------------------------------------------------------- kernels
def upper(a: Any) -> Array:
    """U(a), shape `(..., 2, 2)` for `a` of shape `(...)`."""
    return _shear(a, (0, 1))


def lower(b: Any) -> Array:
    """L(b), shape `(..., 2, 2)` for `b` of shape `(...)`."""
    return _shear(b, (1, 0))


def _shear(value: Any, place: tuple[int, int]) -> Array:
    entries = np.asarray(value)
    if entries.dtype != object:
        entries = entries.astype(np.float64)
    m = np.zeros((*entries.shape, 2, 2), dtype=entries.dtype)
    m[..., 0, 0], m[..., 1, 1] = 1, 1
    m[(..., *place)] = entries
    return m


def composed(a: Any, b: Any) -> Array:
    """S(a, b) = L(b / 2) U(a) L(b / 2)."""
    half = lower(b / 2)
    return half @ upper(a) @ half


def matrices(p: Any, q: Any, r: Any, s: Any) -> Array:
    """[[p, q], [r, s]], entry by entry, shape `(..., 2, 2)`."""
    cells = np.stack([np.asarray(x) for x in (p, q, r, s)], axis=-1)
    return cells.reshape(*cells.shape[:-1], 2, 2)


def determinant(m: Array) -> Array:
    return m[..., 0, 0] * m[..., 1, 1] - m[..., 0, 1] * m[..., 1, 0]


def form_residual(m: Array, form: Rows = FORM) -> Array:
    """M^T J M - det(M) J."""
    J = np.array(form, dtype=m.dtype)
    scale = np.asarray(determinant(m), dtype=m.dtype)[..., None, None]
    return m.swapaxes(-1, -2) @ (J @ m) - scale * J


def largest(m: Array) -> Array:
    """The largest modulus of an entry, shape `(...)`."""
    return np.asarray(np.abs(m).max(axis=(-2, -1)))


def three_shears(m: Array) -> tuple[str, Any, Any, Any]:
    """`ULU` or `LUL` and the three parameters whose product is the matrix, of determinant one.

    The larger off-diagonal entry is the pivot.  ValueError for a diagonal matrix other than I: no
    three shears make it.
    """
    p, q, r, s = m.reshape(4)
    if q == 0 and r == 0:
        if p == 1 and s == 1:
            return "ULU", 0 * p, 0 * p, 0 * p
        raise ValueError(f"no three shears make diag({p}, {s}); four do")
    if abs(r) >= abs(q):
        return "ULU", (p - 1) / r, r, (s - 1) / r
    return "LUL", (s - 1) / q, q, (p - 1) / q


def shear_product(kind: str, *parameters: Any) -> Array:
    """The product of shears named by the letters U and L, leftmost first."""
    shears = {"U": upper, "L": lower}
    first, *others = (shears[k](x) for k, x in zip(kind, parameters, strict=True))
    for other in others:
        first = first @ other
    return first


def rotation_by_shears(theta: Array) -> Array:
    """U(-t) L(sin theta) U(-t) with t = tan(theta / 2)."""
    t = np.tan(theta / 2)
    return upper(-t) @ lower(np.sin(theta)) @ upper(-t)


def rotation_reduced(theta: Array) -> Array:
    """The same for |theta| <= pi, as -R(theta -+ pi) beyond a quarter turn."""
    beyond = np.abs(theta) > np.pi / 2
    near = np.where(beyond, theta - np.copysign(np.pi, theta), theta)
    return np.where(beyond, -1.0, 1.0)[..., None, None] * rotation_by_shears(near)


def rotation(theta: Array) -> Array:
    """R(theta)."""
    c, s = np.cos(theta), np.sin(theta)
    return matrices(c, -s, s, c)


def boost_by_shears(mu: Array) -> Array:
    """L(t) U(sinh mu) L(t) with t = tanh(mu / 2)."""
    t = np.tanh(mu / 2)
    return lower(t) @ upper(np.sinh(mu)) @ lower(t)


def boost(mu: Array) -> Array:
    """B(mu)."""
    c, s = np.cosh(mu), np.sinh(mu)
    return matrices(c, s, s, c)


def rate(a: Any, b: Any) -> Any:
    """mu = 2 arsinh(sqrt(ab) / 2) for ab > 0."""
    return 2 * np.arcsinh(np.sqrt(a * b) / 2)


def rate_by_trace(a: Any, b: Any) -> Any:
    """The same as arcosh(1 + ab / 2): it forgets ab below u."""
    return np.arccosh(1 + a * b / 2)


def angle(a: Any, b: Any) -> Any:
    """theta = 2 arcsin(sqrt(-ab) / 2) in radians, for -4 < ab < 0."""
    return 2 * np.arcsin(np.sqrt(-a * b) / 2)


def far_rate(a: Any, b: Any) -> Any:
    """mu = 2 arcosh(sqrt(-ab) / 2) for ab < -4."""
    return 2 * np.arccosh(np.sqrt(-a * b) / 2)


def anisotropy(a: Any, b: Any) -> Any:
    """rho = sqrt(|c / a|) with c = b (1 + ab / 4)."""
    return np.sqrt(np.abs(b * (1 + a * b / 4) / a))


def eigenvalues(m: Array) -> Array:
    """tau / 2 +- sqrt((tau / 2)^2 - det), complex, shape `(..., 2)`."""
    half = (m[..., 0, 0] + m[..., 1, 1]) / 2
    root = np.sqrt((half * half - determinant(m)).astype(complex))
    return np.stack([half + root, half - root], axis=-1)


def exact_class(tau: Fraction) -> str:
    """turn, shear, push or flip: |tau| < 2, |tau| = 2, tau > 2, tau < -2."""
    if abs(tau) < 2:
        return "turn"
    if abs(tau) == 2:
        return "shear"
    return "push" if tau > 0 else "flip"


def trace_slack(tau: float) -> Fraction:
    """How far the float64 trace of S(a, b), or of U(a) L(b), may be off.

    S has twice the entry 1 + w, w = ab / 2: the product carries u |w|, the sum u |1 + w|, and
    adding the two entries u |tau|; with |w| <= |tau| / 2 + 1 that is (3 |tau| + 2) u.
    """
    return (3 * abs(Fraction(tau)) + 2) * U * SECOND_ORDER


def guarded_class(tau: float) -> str:
    """The class that a float64 trace of S(a, b) allows to name, or `undecided`."""
    near = abs(abs(Fraction(tau)) - 2) <= trace_slack(tau)
    return "undecided" if near else exact_class(Fraction(tau))


@dataclass(frozen=True)
class Kernels:
    """What the checks measure."""

    form: Rows = FORM
    lower: Callable[[Any], Array] = lower
    composed: Callable[[Any, Any], Array] = composed
    determinant: Callable[[Array], Array] = determinant
    rate: Callable[[Any, Any], Any] = rate
    anisotropy: Callable[[Any, Any], Any] = anisotropy
    eigenvalues: Callable[[Array], Array] = eigenvalues
    named: Callable[[float], str] = guarded_class
    factors: Callable[[Array], tuple[str, Any, Any, Any]] = three_shears
    rotated: Callable[[Array], Array] = rotation_by_shears
    reduced: Callable[[Array], Array] = rotation_reduced
    boosted: Callable[[Array], Array] = boost_by_shears


KERNELS = Kernels()


# ---------------------------------------------------------------------- symplectic.shears
def form_bound() -> Bound:
    """Rounding of M^T J M - det(M) J for entries in [-1, 1].

    J M is exact.  An entry of M^T (J M), and the determinant, is a difference of two products of
    modulus at most 1: u for each product and u (2 + 2 u) for the difference, 4 u together.  The
    last difference is rounded by u of what is left, 8 u: second order.
    """
    return Bound(8 * U * SECOND_ORDER, "8 u (1 + 2^-40)", {"u": "2^-53"})


SYMMETRIC: Rows = ((0, 1), (1, 0))


@control("symmetric_form", form=SYMMETRIC)
@checked_by(
    SHEARS,
    "form_scales",
    "float",
    Scope("20000 matrices with entries in [-1, 1]", "200000 matrices with entries in [-1, 1]"),
    definitions=KERNELS,
)
def form_in_float64(of: Kernels, run: Run) -> Evidence:
    """The largest entry of M^T J M - det(M) J."""
    count = 200_000 if run.profile == "full" else 20_000
    m = np.random.default_rng(run.seed).uniform(-1, 1, (count, 2, 2))
    errors = largest(form_residual(m, of.form))
    worst = int(errors.argmax())
    return within(float(errors[worst]), form_bound(), witness=f"M = {m[worst].tolist()}")


@control("symmetric_form", form=SYMMETRIC)
@checked_by(
    SHEARS, "form_scales", "high", "100 matrices with entries in [-1, 1]", definitions=KERNELS
)
def form_at_high_precision(of: Kernels, run: Run) -> Evidence:
    """The same with mpmath, the bound of float64 with u = 10^(1 - digits)."""
    import mpmath

    def residual(p: float, q: float, r: float, s: float) -> Any:
        m = matrices(*(np.array(mpmath.mpf(x), dtype=object) for x in (p, q, r, s)))
        return largest(form_residual(m, of.form))[()]

    draws = np.random.default_rng(run.seed).uniform(-1, 1, (100, 4)).tolist()
    grid = (dict(zip("pqrs", row, strict=True)) for row in draws)
    bound = Bound(
        8 * Fraction(10) ** (1 - run.digits), "8 * 10^(1 - digits)", {"digits": run.digits}
    )
    return high_precision(residual, grid, run.digits, bound)


@control("symmetric_form", form=theory.ImmutableMatrix([[0, 1], [1, 0]]))
@checked_by(SHEARS, "form_scales", "ball", "81 matrices with entries 0, sqrt(2), -pi / 3")
def form_in_balls(of: Shears, run: Run) -> Evidence:
    axis = (0, theory.sqrt(2), -theory.pi / 3)
    return certify(theory.form_scales(of), points(p=axis, q=axis, r=axis, s=axis), run.digits)


@control("symmetric_form", form=SYMMETRIC)
@checked_by(
    SHEARS, "form_scales", "property", "fractions p, q, r, s, |.| <= 50", definitions=KERNELS
)
def form_of_fractions(of: Kernels, run: Run) -> Evidence:
    """M^T J M = det(M) J exactly."""

    number = rationals(-50, 50, 50)

    def exact(p: Fraction, q: Fraction, r: Fraction, s: Fraction) -> bool:
        m = matrices(*(np.array(x, dtype=object) for x in (p, q, r, s)))
        return not form_residual(m, of.form).any()

    first = {"p": Fraction(2), "q": Fraction(1), "r": Fraction(1), "s": Fraction(1)}
    return hunt(exact, dict.fromkeys("pqrs", number), run, first=first)


def agreement_bound(largest: float) -> Bound:
    """How far | det M - 1 | and the largest entry of M^T J M - J may differ in float64.

    With e the largest modulus of an entry, each is a difference of two products, 4 u e^2, and a
    difference from 1, u (2 e^2 + 1): 6 u e^2 + u for each of the two.
    """
    e = Fraction(largest)
    return Bound((12 * e**2 + 2) * U * SECOND_ORDER, "(12 e^2 + 2) u (1 + 2^-40)", {"e": largest})


def _permanent(m: Array) -> Array:
    return m[..., 0, 0] * m[..., 1, 1] + m[..., 0, 1] * m[..., 1, 0]


@control("permanent", determinant=_permanent)
@checked_by(
    SHEARS, "one_group", "property", "float64 matrices with entries in [-100, 100]",
    definitions=KERNELS,
)  # fmt: skip
def one_group_in_float64(of: Kernels, run: Run) -> Evidence:
    """Two tests of a 2 x 2 map agree: its determinant is 1, and it keeps the symplectic form."""
    from hypothesis import strategies as st

    number = st.floats(-100, 100)

    def agree(p: float, q: float, r: float, s: float) -> bool:
        m = np.array([[p, q], [r, s]])
        J = np.array(of.form, dtype=np.float64)
        by_form = float(largest(m.T @ (J @ m) - J))
        by_determinant = abs(float(of.determinant(m)) - 1)
        apart = abs(Fraction(by_form) - Fraction(by_determinant))
        return apart <= agreement_bound(float(largest(m))).value

    first = {"p": 2.0, "q": 1.0, "r": 1.0, "s": 1.0}
    return hunt(agree, dict.fromkeys("pqrs", number), run, first=first)


# ---------------------------------------------------------------------- symplectic.generation
def reconstruction_bound(m: Array, x: float, z: float) -> Bound:
    """How far U(x) L(r) U(z) in float64 may be from M, with x = (p - 1) / r, z = (s - 1) / r.

    x and z carry 2 u each.  The corner 1 + x r is p up to (3 |p - 1| + |p|) u, the other diagonal
    entry is s up to the same with s, and r is exact.  The last entry (1 + x r) z + x has the errors
    of p and z and three roundings, |z| (3 |p - 1| + 5 |p|) u + 3 |x| u; in exact arithmetic it is
    (p s - 1) / r, off from q by (det M - 1) / r, which is added as it is.  L U L is the same with
    rows and columns exchanged.
    """
    p, q, r, s = (Fraction(float(e)) for e in m.reshape(4))
    outer, last = abs(Fraction(float(x))), abs(Fraction(float(z)))
    pivot = max(abs(q), abs(r))
    defect = abs(p * s - q * r - 1) / pivot
    corner = 3 * abs(p - 1) + abs(p)
    other = 3 * abs(s - 1) + abs(s)
    last = last * (3 * max(abs(p - 1), abs(s - 1)) + 5 * max(abs(p), abs(s))) + 3 * outer
    value = max(corner, other, last) * U * SECOND_ORDER + defect
    return Bound(
        value, "max of the entries' rounding errors + |det M - 1| / pivot", {"pivot": pivot}
    )


def _smaller_pivot(m: Array) -> tuple[str, Any, Any, Any]:
    """The same with the parameters of the outer shears exchanged."""
    kind, x, y, z = three_shears(m)
    return kind, z, y, x


def special(count: int, source: np.random.Generator) -> Array:
    """Random float64 matrices with p, q, r in [-3, 3], |p| >= 1/10, of determinant nearly one."""
    p, q, r = source.uniform(-3, 3, (3, count))
    p = np.copysign(np.maximum(np.abs(p), 0.1), p)
    return matrices(p, q, r, (1 + q * r) / p)


def _reconstructed(of: Kernels, run: Run, kind: str) -> Evidence:
    """The worst matrix with its pivot below the diagonal (ULU) or above it (LUL)."""
    count = 20_000 if run.profile == "full" else 1_000
    ratio, shown = Fraction(-1), None
    for m in special(count, np.random.default_rng(run.seed)):
        if (abs(m[1, 0]) >= abs(m[0, 1])) != (kind == "ULU"):
            continue
        used, *parameters = of.factors(m)
        error = float(largest(shear_product(used, *parameters) - m))
        bound = reconstruction_bound(m, parameters[0], parameters[2])
        if Fraction(error) / bound.value > ratio:
            ratio, shown = Fraction(error) / bound.value, (error, bound, m)
    assert shown is not None
    error, bound, m = shown
    return within(error, bound, witness=f"M = {m.tolist()}")


@control("outer_parameters_swapped", factors=_smaller_pivot)
@checked_by(
    GENERATION,
    "three_upper",
    "float",
    Scope("1000 matrices, |p|, |q|, |r| <= 3, pivot r", "20000 matrices"),
    definitions=KERNELS,
)
def below_the_diagonal(of: Kernels, run: Run) -> Evidence:
    """U L U in float64."""
    return _reconstructed(of, run, "ULU")


@control("outer_parameters_swapped", factors=_smaller_pivot)
@checked_by(
    GENERATION,
    "three_lower",
    "float",
    Scope("1000 matrices, |p|, |q|, |r| <= 3, pivot q", "20000 matrices"),
    definitions=KERNELS,
)
def above_the_diagonal(of: Kernels, run: Run) -> Evidence:
    """L U L in float64."""
    return _reconstructed(of, run, "LUL")


def _exactly(of: Kernels, run: Run, kind: str) -> Evidence:

    number = rationals(-20, 20, 20)

    def rebuilt(p: Fraction, pivot: Fraction, part: Fraction) -> bool:
        other = pivot * part
        q, r = (other, pivot) if kind == "ULU" else (pivot, other)
        m = matrices(*(np.array(e, dtype=object) for e in (p, q, r, (1 + q * r) / p)))
        used, *parameters = of.factors(m)
        cells = [np.array(e, dtype=object) for e in parameters]
        return bool(used == kind and (shear_product(used, *cells) == m).all())

    axes = {
        "p": number.filter(bool),
        "pivot": number.filter(bool),
        "part": rationals(Fraction(-19, 20), Fraction(19, 20), 20),
    }
    first = {"p": Fraction(2), "pivot": Fraction(1), "part": Fraction(1, 2)}
    return hunt(rebuilt, axes, run, first=first)


@control("outer_parameters_swapped", factors=_smaller_pivot)
@checked_by(GENERATION, "three_upper", "property", "fractions, |r| > |q|", definitions=KERNELS)
def exactly_below(of: Kernels, run: Run) -> Evidence:
    """U L U in fractions is the matrix."""
    return _exactly(of, run, "ULU")


@control("outer_parameters_swapped", factors=_smaller_pivot)
@checked_by(GENERATION, "three_lower", "property", "fractions, |q| > |r|", definitions=KERNELS)
def exactly_above(of: Kernels, run: Run) -> Evidence:
    """L U L in fractions is the matrix."""
    return _exactly(of, run, "LUL")


def _unguarded(m: Array) -> tuple[str, Any, Any, Any]:
    """Divides by whatever stands below the diagonal."""
    p, _, r, s = m.reshape(4)
    with np.errstate(divide="ignore"):
        return "ULU", np.float64(p - 1) / r, r, np.float64(s - 1) / r


@control("divides_by_zero", factors=_unguarded)
@checked_by(
    GENERATION, "no_three", "property", "float64, 1/1000 <= |p| <= 1000", definitions=KERNELS
)
def refused(of: Kernels, run: Run) -> Evidence:
    """The routine refuses every diagonal matrix but I, and never returns an infinity."""
    from hypothesis import strategies as st

    def refuses(p: float) -> bool:
        try:
            _, *parameters = of.factors(np.diag([p, 1 / p]))
        except ValueError:
            return p != 1
        return p == 1 and not any(parameters)

    size = st.floats(1 / 1000, 1000)
    return hunt(refuses, {"p": st.one_of(size, size.map(float.__neg__))}, run, first={"p": 2.0})


@control("opposite_sign", lower=lambda b: lower(-b))
@checked_by(GENERATION, "four_shears", "property", "fractions p != 0", definitions=KERNELS)
def four_for_fractions(of: Kernels, run: Run) -> Evidence:
    """L(-1) U((p - 1) / p) L(p) U((1 - p) / p^2) = diag(p, 1 / p) exactly."""

    def makes(p: Fraction) -> bool:
        one, *cells = (
            np.array(x, dtype=object) for x in (Fraction(-1), (p - 1) / p, p, (1 - p) / p**2)
        )
        product = of.lower(one) @ upper(cells[0]) @ of.lower(cells[1]) @ upper(cells[2])
        return bool((product == np.array([[p, 0], [0, 1 / p]], dtype=object)).all())

    number = rationals(-50, 50, 50).filter(bool)
    return hunt(makes, {"p": number}, run, first={"p": Fraction(2)})


# ---------------------------------------------------------------------- symplectic.trace_classes
def root_above(square: Fraction) -> Fraction:
    """An upper bound of a square root."""
    scale = 2**120
    return Fraction(math.isqrt(math.ceil(square * scale**2)) + 1, scale)


def eigenvalue_bound(m: Array) -> Bound:
    """How far the eigenvalues tau / 2 +- sqrt(d), d = (tau / 2)^2 - det, are off in float64.

    tau carries u, its square 3 u, the determinant two products and a difference: d is off by at
    most e = (tau^2 + 3 (|p s| + |q r|)) u.  The square root of what is off by e is off by at most
    sqrt(e), whatever the signs: near a double eigenvalue half of the digits are lost.  The root,
    tau / 2 and their sum add 3 u (|tau| / 2 + sqrt(|d|)).
    """
    p, q, r, s = (Fraction(float(x)) for x in m.reshape(4))
    tau, products = abs(p + s), abs(p * s) + abs(q * r)
    lost = (tau**2 + 3 * products) * U * SECOND_ORDER
    size = tau / 2 + root_above(tau**2 / 4 + products)
    value = root_above(lost) + 3 * size * U * SECOND_ORDER
    return Bound(value, "sqrt((tau^2 + 3 |ps| + 3 |qr|) u) + 3 u |lambda|", {"tau": tau})


def near_double(count: int, source: np.random.Generator) -> Array:
    """Float64 matrices U(1) L(e) with |e| from 1 down to 1e-17, and random ones."""
    e = np.copysign(10 ** source.uniform(-17, 0, count), source.uniform(-1, 1, count))
    close = matrices(1 + e, np.ones(count), e, np.ones(count))
    return np.concatenate([close, source.uniform(-3, 3, (count, 2, 2))])


def _exact_eigenvalues(m: Array) -> tuple[acb, acb]:
    """The eigenvalues of the stored matrix in balls."""
    p, q, r, s = (arb(float(x)) for x in m.reshape(4))
    half = (p + s) / 2
    root = acb(half * half - p * s + q * r).sqrt()
    return acb(half) + root, acb(half) - root


def _without_determinant(m: Array) -> Array:
    """Eigenvalues that take the determinant for 1."""
    half = (m[..., 0, 0] + m[..., 1, 1]) / 2
    root = np.sqrt((half * half - 1).astype(complex))
    return np.stack([half + root, half - root], axis=-1)


@control("determinant_taken_for_one", eigenvalues=_without_determinant)
@checked_by(
    TRACE_CLASSES,
    "discriminant",
    "float",
    Scope("500 matrices near trace 2 and 500 others", "5000 matrices near trace 2, 5000 others"),
    definitions=KERNELS,
)
def eigenvalues_in_float64(of: Kernels, run: Run) -> Evidence:
    """The larger error of the two eigenvalues, in units of the bound of its own matrix."""
    count = 5_000 if run.profile == "full" else 500
    stack = near_double(count, np.random.default_rng(run.seed))
    ratio, shown = Fraction(-1), None
    with precision(200):
        for m, found in zip(stack, of.eigenvalues(stack), strict=True):
            pairs = zip(found.tolist(), _exact_eigenvalues(m), strict=True)
            error = max(float(abs(acb(x.real, x.imag) - exact).upper()) for x, exact in pairs)
            bound = eigenvalue_bound(m)
            if Fraction(error) / bound.value > ratio:
                ratio, shown = Fraction(error) / bound.value, (error, bound, m)
    assert shown is not None
    error, bound, m = shown
    return within(error, bound, witness=f"M = {m.tolist()}")


def _unguarded_class(tau: float) -> str:
    return exact_class(Fraction(tau))


def pairs(count: int, source: np.random.Generator) -> Array:
    """Pairs a, b, shape `(2 count, 2)`: in [-5, 5]^2, and with ab close to 0 or to -4."""
    anywhere = source.uniform(-5, 5, (count, 2))
    e = np.copysign(10 ** source.uniform(-18, -1, count), source.uniform(-1, 1, count))
    a = source.choice([-2.0, -1.0, 0.5, 1.0, 4.0], count)
    edge = source.choice([0.0, -4.0], count)
    return np.concatenate([anywhere, np.stack([a, (edge + e) / a], axis=-1)])


@control("no_margin", named=_unguarded_class)
@checked_by(
    TRACE_CLASSES,
    "regions",
    "float",
    Scope("2000 pairs, half of them near a boundary", "20000 pairs, half near a boundary"),
    definitions=KERNELS,
)
def classes_in_float64(of: Kernels, run: Run) -> Evidence:
    """A class that is named is the exact one; what cannot be told is `undecided`."""
    count = 10_000 if run.profile == "full" else 1_000
    drawn = pairs(count, np.random.default_rng(run.seed))
    m = composed(drawn[:, 0], drawn[:, 1])
    open_cases = 0
    for (a, b), tau in zip(drawn.tolist(), (m[:, 0, 0] + m[:, 1, 1]).tolist(), strict=True):
        named = of.named(tau)
        exact = exact_class(2 + Fraction(a) * Fraction(b))
        if named == "undecided":
            open_cases += 1
        elif named != exact:
            where = f"a = {a!r}, b = {b!r}: named {named}, is {exact}"
            return Evidence("refuted", witness=where)
    return Evidence("holds", note=f"{open_cases} of {len(drawn)} undecided")


TINY = Fraction(1, 10**16)


@control("plus_four", discriminant=lambda tau: tau**2 + 4)
@checked_by(TRACE_CLASSES, "regions", "ball", "x = +-1e-16, +-1/7, 3; six pairs a, b")
def regions_in_balls(of: Shears, run: Run) -> Evidence:
    """Exact traces tell a push from a turn at a distance no float64 trace can see."""
    grid = points(
        a=[Fraction(3, 10), theory.sqrt(2)],
        b=[Fraction(1, 5), Fraction(-5), theory.pi],
        x=[TINY, -TINY, Fraction(1, 7), Fraction(-1, 7), Fraction(3)],
    )
    return certify(theory.regions(of), grid, run.digits)


def _half_of_b(a: Any, b: Any) -> Array:
    """L(b) U(a) L(b / 2)."""
    return lower(b) @ upper(a) @ lower(b / 2)


@control("unhalved_on_one_side", composed=_half_of_b)
@checked_by(TRACE_CLASSES, "regions", "property", "fractions a, b, |.| <= 5", definitions=KERNELS)
def signs_of_fractions(of: Kernels, run: Run) -> Evidence:
    """The sign of ab (ab + 4) is that of tau^2 - 4."""

    def same(a: Fraction, b: Fraction) -> bool:
        m = of.composed(np.array(a, dtype=object), np.array(b, dtype=object))
        told, tau = a * b * (a * b + 4), m[0, 0] + m[1, 1]
        return (told > 0) - (told < 0) == (tau**2 > 4) - (tau**2 < 4)

    number = rationals(-5, 5, 50)
    first = {"a": Fraction(1), "b": Fraction(-3)}
    return hunt(same, {"a": number, "b": number}, run, first=first)


# ---------------------------------------------------------------------- symmetric_composition
def rate_bound() -> Bound:
    """Relative error of 2 arsinh(sqrt(ab) / 2).

    The product carries u, which the root halves, and the root u; arsinh has a condition number of
    at most 1, and the library adds 4 u: 11/2 u.
    """
    return Bound(Fraction(11, 2) * U * SECOND_ORDER, "11/2 u", {"u": "2^-53"})


def _reference_rate(a: float, b: float) -> arb:
    """2 arsinh(sqrt(ab) / 2) of the stored numbers, in balls."""
    return 2 * ((arb(a) * arb(b)).sqrt() / 2).asinh()


@control("by_the_trace", rate=rate_by_trace)
@checked_by(
    SYMMETRIC_COMPOSITION,
    "rates",
    "float",
    Scope("1000 pairs, ab in [1e-14, 1000]", "20000 pairs, ab in [1e-14, 1000]"),
    definitions=KERNELS,
)
def rate_in_float64(of: Kernels, run: Run) -> Evidence:
    """The relative error of mu against balls of 200 bits."""
    count = 20_000 if run.profile == "full" else 1_000
    source = np.random.default_rng(run.seed)
    product, share = 10 ** source.uniform(-14, 3, count), 10 ** source.uniform(-2, 2, count)
    a, b = share, product / share
    found = of.rate(a, b)
    errors = []
    with precision(200):
        for mu, x, y in zip(found.tolist(), a.tolist(), b.tolist(), strict=True):
            exact = _reference_rate(x, y)
            errors.append(float(abs(arb(mu) / exact - 1).upper()))
    worst = int(np.argmax(errors))
    where = f"a = {float(a[worst])!r}, b = {float(b[worst])!r}"
    evidence = within(errors[worst], rate_bound(), witness=where)
    return replace(evidence, trusts=LIBRARY)


def _mp_rate(a: Any, b: Any) -> Any:
    import mpmath

    return 2 * mpmath.asinh(mpmath.sqrt(a * b) / 2)


@dataclass(frozen=True)
class Decimals:
    """The rate in mpmath."""

    rate: Callable[[Any, Any], Any] = _mp_rate


@control("without_the_half", rate=lambda a, b: _mp_rate(2 * a, 2 * b))
@checked_by(SYMMETRIC_COMPOSITION, "rates", "high", "ab = 1/400, ..., 100", definitions=Decimals())
def rates_agree(of: Decimals, run: Run) -> Evidence:
    """2 arsinh(sqrt(ab) / 2) = arcosh(1 + ab / 2).

    With e = 10^(1 - digits) above every rounding: 1 + ab / 2 carries 3 e, arcosh turns that into
    3 e coth(mu) with mu >= 1/20, so 61 e, and both functions add at most 6 e mu, mu < 5.
    """
    import mpmath

    def residual(a: Fraction, b: Fraction) -> Any:
        x, y = (mpmath.mpf(v.numerator) / v.denominator for v in (a, b))
        return of.rate(x, y) - mpmath.acosh(1 + x * y / 2)

    grid = points(
        a=[Fraction(1, 20), Fraction(3, 10), Fraction(10)],
        b=[Fraction(1, 20), Fraction(1, 5), Fraction(10)],
    )
    bound = Bound(
        100 * Fraction(10) ** (1 - run.digits), "100 * 10^(1 - digits)", {"digits": run.digits}
    )
    return high_precision(residual, grid, run.digits, bound)


#: Both signs of a, and products on either side of -4 and 0.
PAIRS = tuple(
    {"a": Fraction(a), "b": Fraction(b)}
    for a, b in (("3/10", "1/5"), ("-3/10", "-1/5"), ("3", "7/2"), ("-1/1000", "-1/7"))
)
TURNS = tuple(
    {"a": Fraction(a), "b": Fraction(b)}
    for a, b in (("3/10", "-1/5"), ("-3/10", "1/5"), ("39/10", "-1"), ("1", "-3999/1000"))
)
FAR = tuple(
    {"a": Fraction(a), "b": Fraction(b)}
    for a, b in (("41/10", "-1"), ("-41/10", "1"), ("5", "-5"), ("-1/1000", "4001"))
)


def _squeezed(of: Shears, inside: Any, rho: Any) -> Any:
    """D(rho) m D(rho)^-1."""
    k = sympy.sqrt(rho)
    return theory.times(of.squeeze(k), inside, of.squeeze(1 / k))


def _ratio(of: Shears) -> Any:
    """c / a."""
    return of.corner(theory.a, theory.b) / theory.a


@control("without_the_half", rate=lambda ab: theory.asinh_rate(4 * ab))
@checked_by(SYMMETRIC_COMPOSITION, "rates", "ball", "four pairs with ab > 0, four with ab < -4")
def rates_in_balls(of: Shears, run: Run) -> Evidence:
    """The logarithms are arcosh(1 + ab / 2) and arcosh(-1 - ab / 2)."""
    ab = theory.a * theory.b
    near = Implies(Lt(0, ab), Eq(of.rate(ab), sympy.acosh(1 + ab / 2)))
    far = Implies(Lt(ab, -4), Eq(of.far_rate(-ab), sympy.acosh(-1 - ab / 2)))
    return certify(ForAll((theory.a, theory.b), And(near, far)), (*PAIRS, *FAR), run.digits)


@control("rotation_for_boost", boost=theory.rotation)
@checked_by(SYMMETRIC_COMPOSITION, "hyperbolic", "ball", "four pairs with ab > 0")
def boosts_in_balls(of: Shears, run: Run) -> Evidence:
    """mu and rho computed from a and b, and the product D B D^-1."""
    sign, mu = sympy.sign(theory.a), of.rate(theory.a * theory.b)
    inside = of.boost(sympy.cosh(mu), sign * sympy.sinh(mu))
    product = _squeezed(of, inside, sympy.sqrt(_ratio(of)))
    equal = Eq(of.composed(theory.a, theory.b), product)
    return certify(ForAll((theory.a, theory.b), equal), PAIRS, run.digits)


@control("opposite_turn", rotation=lambda c, s: theory.rotation(c, -s))
@checked_by(SYMMETRIC_COMPOSITION, "elliptic", "ball", "four pairs with -4 < ab < 0")
def turns_in_balls(of: Shears, run: Run) -> Evidence:
    """theta and rho computed from a and b, and the product D R D^-1."""
    theta = 2 * sympy.asin(sympy.sqrt(-theory.a * theory.b) / 2)
    inside = of.rotation(sympy.cos(theta), -sympy.sign(theory.a) * sympy.sin(theta))
    product = _squeezed(of, inside, sympy.sqrt(-_ratio(of)))
    equal = Eq(of.composed(theory.a, theory.b), product)
    return certify(ForAll((theory.a, theory.b), equal), TURNS, run.digits)


@control("rotation_for_boost", boost=theory.rotation)
@checked_by(SYMMETRIC_COMPOSITION, "beyond", "ball", "four pairs with ab < -4")
def flips_in_balls(of: Shears, run: Run) -> Evidence:
    """mu and rho computed from a and b, and the product -D B D^-1."""
    sign, mu = sympy.sign(theory.a), of.far_rate(-theory.a * theory.b)
    inside = -of.boost(sympy.cosh(mu), -sign * sympy.sinh(mu))
    product = _squeezed(of, inside, sympy.sqrt(_ratio(of)))
    equal = Eq(of.composed(theory.a, theory.b), product)
    return certify(ForAll((theory.a, theory.b), equal), FAR, run.digits)


@control("unhalved_on_one_side", composed=_half_of_b)
@checked_by(
    SYMMETRIC_COMPOSITION, "reversible", "property", "fractions a, b, |.| <= 5", definitions=KERNELS
)
def reversible_fractions(of: Kernels, run: Run) -> Evidence:
    """Trace 2 + ab, determinant 1, equal diagonal entries, and the mirror gives the inverse."""

    mirror = np.array([[1, 0], [0, -1]], dtype=object)

    def exact(a: Fraction, b: Fraction) -> bool:
        m = of.composed(np.array(a, dtype=object), np.array(b, dtype=object))
        undone = mirror @ m @ mirror @ m
        diagonal = m[0, 0] == m[1, 1] and m[0, 0] + m[1, 1] == 2 + a * b
        return bool(diagonal and of.determinant(m) == 1 and (undone == np.eye(2, dtype=int)).all())

    number = rationals(-5, 5, 50)
    return hunt(
        exact, {"a": number, "b": number}, run, first={"a": Fraction(3, 10), "b": Fraction(1, 5)}
    )


def eigen_bound(mu: float, rho: float) -> Bound:
    """Rounding of S V - V diag(e^mu, e^-mu), V = [[1, 1], [s rho, -s rho]], for ab > 0.

    |S| (1, rho) = e^mu (1, rho) bounds every product.  An entry of S carries 4 u (two products and
    two sums of terms of one sign), rho 3 u on either side, S v two roundings; mu carries 11/2 u,
    so e^mu carries (11/2 mu + 4) u, its product with v u, and the difference 2 u: below
    (20 + 6 mu) u in all.
    """
    size = (
        Fraction(math.exp(mu))
        * max(Fraction(1), Fraction(rho))
        * (1 + 16 * U * (1 + math.ceil(mu)))
    )
    value = (20 + 6 * Fraction(mu)) * size * U * SECOND_ORDER
    return Bound(value, "(20 + 6 mu) u e^mu max(1, rho)", {"mu": mu, "rho": rho})


@control("by_the_entry_b", anisotropy=lambda a, b: np.sqrt(np.abs(b / a)))
@checked_by(
    SYMMETRIC_COMPOSITION,
    "hyperbolic",
    "property",
    "float64, ab in [1e-10, 1000], both signs",
    definitions=KERNELS,
)
def eigenvectors_survive(of: Kernels, run: Run) -> Evidence:
    """S (1, +-s rho) = e^(+-mu) (1, +-s rho) in float64, s the sign of a."""
    from hypothesis import strategies as st

    def close(product: float, share: float, sign: int) -> bool:
        a, b = sign * 10**share, sign * 10**product / 10**share
        mu, rho = float(of.rate(a, b)), float(of.anisotropy(a, b))
        frame = np.array([[1.0, 1.0], [sign * rho, -sign * rho]])
        moved = of.composed(np.float64(a), np.float64(b)) @ frame
        error = float(largest(moved - frame * np.array([math.exp(mu), math.exp(-mu)])))
        return error <= eigen_bound(mu, rho).value

    axes = {
        "product": st.floats(-10, 3),
        "share": st.floats(-2, 2),
        "sign": st.sampled_from((1, -1)),
    }
    return hunt(close, axes, run, first={"product": 1.0, "share": 0.0, "sign": 1})


# ---------------------------------------------------------------------- symplectic.three_shears
def rotation_bound(theta: float) -> Bound:
    """Rounding of U(-t) L(sin theta) U(-t) against R(theta), t = tan(theta / 2).

    w = t sin theta = 1 - cos theta lies in [0, 2] and is below |t|.  The corner 1 - w has 4 u from
    t, 2 u from the sine, u from the product and u from the difference: (7 w + 1) u.  The entry
    -t (1 - w) - t = -sin theta repeats t, whose 4 u count once: 4 u + |t| (7 w + 1) u, then |t| u
    from the product and u from the sum.  The compared cosine and sine add 2 u: (7 + 16 |t|) u.
    """
    t = abs(Fraction(math.tan(theta / 2))) * (1 + 4 * U)
    return Bound((7 + 16 * t) * U * SECOND_ORDER, "(7 + 16 |tan(theta / 2)|) u", {"theta": theta})


def reduced_bound() -> Bound:
    """The same at angles reduced to a quarter turn, |t| <= 1.

    The stored pi is off by less than 2 u, and the difference is rounded by 2 u: 23 u + 4 u.
    """
    return Bound(27 * U * SECOND_ORDER, "27 u", {"u": "2^-53"})


def boost_bound(mu: float) -> Bound:
    """Rounding of L(t) U(sinh mu) L(t) against B(mu), t = tanh(mu / 2).

    w = t sinh mu = cosh mu - 1.  The diagonal 1 + w has 4 u from each factor, u from the product
    and u from the sum: 10 u cosh mu.  The entry t (1 + w) + t = sinh mu has 4 u from t, that of the
    diagonal, and u from product and sum: 16 u cosh mu.  The compared functions add 4 u.
    """
    size = Fraction(math.cosh(mu)) * (1 + 4 * U)
    return Bound(20 * size * U * SECOND_ORDER, "20 u cosh(mu)", {"mu": mu})


def _worst(errors: Array, bounds: list[Bound], at: Array, name: str) -> Evidence:
    """The value whose error is largest in units of its own bound."""
    ratios = [Fraction(float(e)) / b.value for e, b in zip(errors, bounds, strict=True)]
    index = max(range(len(ratios)), key=ratios.__getitem__)
    where = f"{name} = {float(at[index])!r}"
    return replace(within(float(errors[index]), bounds[index], witness=where), trusts=LIBRARY)


def near_half_turn(count: int, source: np.random.Generator) -> Array:
    """Angles of both signs whose distance to a half turn is 1.5 down to 1e-8."""
    distance = 10 ** source.uniform(-8, math.log10(1.5), count)
    return np.copysign(np.pi - distance, source.uniform(-1, 1, count))


def _positive_tangent(theta: Array) -> Array:
    t = np.tan(theta / 2)
    return upper(t) @ lower(np.sin(theta)) @ upper(t)


@control("positive_tangent", rotated=_positive_tangent)
@checked_by(
    THREE_SHEARS,
    "rotation_lifted",
    "float",
    Scope("2000 angles, half of them near a half turn", "20000 angles"),
    definitions=KERNELS,
)
def rotation_in_float64(of: Kernels, run: Run) -> Evidence:
    """U L U against cos and sin."""
    count = 10_000 if run.profile == "full" else 1_000
    source = np.random.default_rng(run.seed)
    near = near_half_turn(count, source)
    theta = np.concatenate([source.uniform(-np.pi / 2, np.pi / 2, count), near])
    errors = largest(of.rotated(theta) - rotation(theta))
    return _worst(errors, [rotation_bound(t) for t in theta.tolist()], theta, "theta")


@control("not_reduced", reduced=rotation_by_shears)
@checked_by(
    THREE_SHEARS,
    "rotation_lifted",
    "float",
    Scope("2001 angles in [-pi, pi], and pi -+ 1e-8", "20001 angles in [-pi, pi]"),
    definitions=KERNELS,
)
def reduced_rotation_in_float64(of: Kernels, run: Run) -> Evidence:
    """Reduced by a half turn, the error has one bound for all angles."""
    count = 20_001 if run.profile == "full" else 2_001
    edge = math.pi - 1 / 10**8
    theta = np.concatenate([np.linspace(-np.pi, np.pi, count), [edge, -edge]])
    errors = largest(of.reduced(theta) - rotation(theta))
    return _worst(errors, [reduced_bound()] * len(theta), theta, "theta")


def _circular(mu: Array) -> Array:
    t = np.tan(mu / 2)
    return lower(t) @ upper(np.sinh(mu)) @ lower(t)


@control("circular_tangent", boosted=_circular)
@checked_by(
    THREE_SHEARS,
    "boost_lifted",
    "float",
    Scope("2000 values, |mu| <= 8", "20000 values, |mu| <= 8"),
    definitions=KERNELS,
)
def boost_in_float64(of: Kernels, run: Run) -> Evidence:
    """L U L against cosh and sinh."""
    mu = np.random.default_rng(run.seed).uniform(-8, 8, 20_000 if run.profile == "full" else 2_000)
    errors = largest(of.boosted(mu) - boost(mu))
    return _worst(errors, [boost_bound(m) for m in mu.tolist()], mu, "mu")


@control("positive_tangent", rotated=_positive_tangent)
@checked_by(
    THREE_SHEARS, "rotation_lifted", "property", "|theta| <= pi - 1e-8", definitions=KERNELS
)
def rotations_survive(of: Kernels, run: Run) -> Evidence:
    """Every angle keeps its own bound, and the reduced form the uniform one."""
    from hypothesis import strategies as st

    def close(theta: float) -> bool:
        at = np.array(theta)
        plain = float(largest(of.rotated(at) - rotation(at)))
        reduced = float(largest(of.reduced(at) - rotation(at)))
        return plain <= rotation_bound(theta).value and reduced <= reduced_bound().value

    edge = math.pi - 1 / 10**8
    axis = st.one_of(st.floats(-math.pi / 2, math.pi / 2), st.floats(-edge, edge))
    return hunt(close, {"theta": axis}, run, first={"theta": 1.0})


@control("circular_tangent", boosted=_circular)
@checked_by(THREE_SHEARS, "boost_lifted", "property", "|mu| <= 8", definitions=KERNELS)
def boosts_survive(of: Kernels, run: Run) -> Evidence:
    """Every rate keeps its bound."""
    from hypothesis import strategies as st

    def close(mu: float) -> bool:
        at = np.array(mu)
        return float(largest(of.boosted(at) - boost(at))) <= boost_bound(mu).value

    return hunt(close, {"mu": st.floats(-8, 8)}, run, first={"mu": 1.0})


@control("opposite_turn", rotation=lambda c, s: theory.rotation(c, -s))
@checked_by(THREE_SHEARS, "rotation_lifted", "ball", "theta = k / 7, |k| <= 21")
def rotation_in_balls(of: Shears, run: Run) -> Evidence:
    angles = [Fraction(k, 7) for k in range(-21, 22)]
    return certify(theory.rotation_lifted(of), points(theta=angles), run.digits)


@control("rotation_for_boost", boost=theory.rotation)
@checked_by(THREE_SHEARS, "boost_lifted", "ball", "mu = k / 3, |k| <= 24")
def boost_in_balls(of: Shears, run: Run) -> Evidence:
    return certify(
        theory.boost_lifted(of), points(mu=[Fraction(k, 3) for k in range(-24, 25)]), run.digits
    )
