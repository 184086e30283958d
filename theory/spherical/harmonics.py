r"""Zonal scores: the addition theorem, sums over grids, and the flat limit.

Main definitions
----------------
Harmonics         the definitions below; a control replaces one of them
term              (-1)^k C(l, k)^2 A^(l - k) B^k, the k-th term of D_00
legendre          homogeneous Legendre polynomials by their recursion
binomials         the rule that makes a sequence the row C(l, 0), .., C(l, l)

Main claims
-----------
spherical.addition_theorem

Conventions
-----------
As in `gauge`.  A = |a|^2 and B = |b|^2 of the relative element, z = A - B = x.y, and N = A + B is 1
for rotations.  D_(m 0) is sqrt(4 pi / (2 l + 1)) times the complex conjugate of Y_lm.

References
----------
The statements are derived here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import comb
from typing import Any

import sympy
from sympy import ImmutableMatrix, Rational

from posproof.theory.spherical.gauge import Rotation, turned
from posproof.theory.spherical.representations import action, quaternion
from posproof.theory.symbols import sequence, total, variables
from posproof.theory.vocabulary import (
    And,
    Claim,
    Clause,
    Eq,
    ForAll,
    Implies,
    Int,
    Le,
    Lt,
    Ne,
    Prop,
    Real,
)

ell, k, i, j, m = variables("l k i j m", Int(0))
count, channels = variables("N M", Int(0))
A, B = variables("A B", Real)
r, s, t, P = sequence("r"), sequence("s"), sequence("t"), sequence("P")
C, u, v, c = sequence("C"), sequence("u"), sequence("v"), sequence("c")
a, a_bar, b, b_bar = variables("a a' b b'", Real)

#: Degrees whose polynomials are compared one by one.
LARGEST = 16


def term(binomial: Any, ell: Any, k: Any, A: Any, B: Any) -> Any:
    """(-1)^k C(l, k)^2 A^(l - k) B^k, for A != 0 where k is not a literal."""
    return (-1) ** k * binomial**2 * A**ell * (B / A) ** k


def legendre(degree: int, z: Any, norm: Any) -> Any:
    """P_l(z / N) N^l by (k + 1) P_(k+1) = (2 k + 1) z P_k - k N^2 P_(k-1)."""
    before, now = sympy.Integer(0), sympy.Integer(1)
    for k in range(degree):
        before, now = now, ((2 * k + 1) * z * now - k * norm**2 * before) / (k + 1)
    return now


@dataclass(frozen=True)
class Harmonics:
    """The definitions of this topic; a control replaces one of them."""

    quaternion: Callable[..., ImmutableMatrix] = quaternion
    action: Callable[[int, ImmutableMatrix], ImmutableMatrix] = action
    term: Callable[..., Any] = term
    legendre: Callable[[int, Any, Any], Any] = legendre
    middle: Callable[[Any], Any] = lambda ell: 2 * ell + 3
    weight: Callable[[int, int], Any] = lambda degree, k: Rational(
        comb(2 * degree, degree), comb(2 * degree, k)
    )
    conjugate: Callable[[Rotation], Rotation] = lambda g: g.bar
    turned: Callable[..., ImmutableMatrix] = turned
    square: Callable[[Any, Any], Any] = lambda u, v: u**2 + v**2

    def series(self, row: Any, ell: Any) -> Any:
        """S_l, the sum of the terms of the row C(l, 0), .., C(l, l)."""
        return total(k, ell + 1, self.term(row(k), ell, k, A, B))


def binomials(row: Any, ell: Any) -> And:
    """C(l, 0) = 1 and (k + 1) C(l, k + 1) = (l - k) C(l, k) for k < l."""
    ratio = Eq((k + 1) * row(k + 1), (ell - k) * row(k))
    return And(Eq(row(0), 1), ForAll(k, Implies(Lt(k, ell), ratio)))


# ---------------------------------------------------------------------- addition_theorem
def recurrence(of: Harmonics) -> Prop:
    """Three consecutive rows of binomial coefficients."""
    rows = ((r, ell), (s, ell + 1), (t, ell + 2))
    given = And(Ne(A, 0), *(part for row, at in rows for part in binomials(row, at).parts))
    first, second, third = (of.series(row, at) for row, at in rows)
    step = (ell + 2) * third - of.middle(ell) * (A - B) * second + (ell + 1) * (A + B) ** 2 * first
    return ForAll((ell, A, B), Implies(given, Eq(step, 0)))


def degrees(of: Harmonics) -> Prop:
    """The first two are the recursion's start; each term is told by its own binomial."""

    def at(degree: int) -> Prop:
        terms = (of.term(comb(degree, k), degree, k, A, B) for k in range(degree + 1))
        return Eq(sum(terms, sympy.Integer(0)), of.legendre(degree, A - B, A + B))

    return ForAll((A, B), And(*(at(degree) for degree in range(LARGEST + 1))))


def zonal(of: Harmonics) -> Prop:
    """The middle entry of T, whose index is k = l."""

    def at(degree: int) -> Prop:
        middle = of.action(2 * degree, of.quaternion(a, a_bar, b, b_bar))[degree, degree]
        inner, outer = a * a_bar, b * b_bar
        return Eq(middle, of.legendre(degree, inner - outer, inner + outer))

    return ForAll((a, a_bar, b, b_bar), And(*(at(degree) for degree in range(5))))


X = Rotation(*variables("a_x a'_x b_x b'_x", Real))
Y = Rotation(*variables("a_y a'_y b_y b'_y", Real))


def addition(of: Harmonics) -> Prop:
    """The middle columns of two lifts; w_k turns entries of T into those of D."""
    here, there = of.conjugate(X), Y
    inner = X.a_bar * Y.a + X.b_bar * Y.b, X.a * Y.a_bar + X.b * Y.b_bar
    outer = X.a * Y.b - X.b * Y.a, X.a_bar * Y.b_bar - X.b_bar * Y.a_bar
    above, below = inner[0] * inner[1], outer[0] * outer[1]

    def at(degree: int) -> Prop:
        left, right = (
            of.action(2 * degree, of.quaternion(*lift)).col(degree) for lift in (here, there)
        )
        weights = [of.weight(degree, k) for k in range(2 * degree + 1)]
        products = (w * p * q for w, p, q in zip(weights, left, right, strict=True))
        return Eq(sum(products), of.legendre(degree, above - below, above + below))

    return ForAll((*X, *Y), And(*(at(degree) for degree in range(1, 4))))


def cosine(of: Harmonics) -> Prop:
    """A - B of the relative element of two quaternions is the product of their points."""
    first, second = variables("w x y z", Real), variables("w_y x_y y_y z_y", Real)
    axis = ImmutableMatrix([0, 0, 1])
    points = [of.turned(*q) * axis for q in (first, second)]

    def parts(q: Any) -> Any:
        """Real and imaginary parts of a = w - i z and b = y - i x."""
        w, x, y, z = q
        return (w, -z), (y, -x)

    (a, b), (p, q) = parts(first), parts(second)
    # a' p + b' q, and a q - b p
    inner = (
        a[0] * p[0] + a[1] * p[1] + b[0] * q[0] + b[1] * q[1],
        a[0] * p[1] - a[1] * p[0] + b[0] * q[1] - b[1] * q[0],
    )
    outer = (
        a[0] * q[0] - a[1] * q[1] - b[0] * p[0] + b[1] * p[1],
        a[0] * q[1] + a[1] * q[0] - b[0] * p[1] - b[1] * p[0],
    )
    above, below = inner[0] ** 2 + inner[1] ** 2, outer[0] ** 2 + outer[1] ** 2
    product = (points[0].T * points[1])[0]
    return ForAll((*first, *second), Eq(above - below, product))


def positive(of: Harmonics) -> Prop:
    """A kernel sum_m (u_m(i) u_m(j) + v_m(i) v_m(j)), stored token after token."""

    def amplitude(parts: Any) -> Any:
        return total(i, count, c(i) * parts(channels * i + m))

    def entry(parts: Any) -> Any:
        return parts(channels * i + m) * parts(channels * j + m)

    kernel = total(m, channels, entry(u) + entry(v))
    form = total(i, count, total(j, count, c(i) * c(j) * kernel))
    squares = total(m, channels, of.square(amplitude(u), amplitude(v)))
    return ForAll((count, channels), And(Eq(form, squares), Le(0, form)))


ADDITION_THEOREM = Claim(
    id="spherical.addition_theorem",
    title="The addition theorem: a zonal score is a Legendre polynomial of the cosine",
    kind="identity",
    definitions=Harmonics(),
    depends=("spherical.gauge_phase",),
    hypotheses=(
        "$A = |a|^2$ and $B = |b|^2$ of the relative element $\\sigma_x^{-1}\\sigma_y = U(a, b)$; "
        "for rotations $A + B = 1$",
        "$P_l$ is made homogeneous: $(k+1)P_{k+1} = (2k+1)(A - B)P_k - k(A + B)^2 P_{k-1}$, "
        "$P_0 = 1$, $P_1 = A - B$",
        "$S_l = \\sum_k (-1)^k \\binom lk^2 A^{l-k}B^k$",
        "$D_{m0}(\\varphi, \\theta, \\cdot) = \\sqrt{4\\pi/(2l+1)}\\;\\overline{Y_{lm}(\\theta, "
        "\\varphi)}$",
    ),
    clauses=(
        Clause(
            "recurrence",
            r"(l+2)\,S_{l+2} - (2l+3)(A - B)\,S_{l+1} + (l+1)(A + B)^2 S_l = 0 "
            r"\quad (l \ge 0,\ A \ne 0)",
            recurrence,
        ),
        Clause(
            "degrees",
            r"S_l = P_l \quad (l = 0, \ldots, 16)",
            degrees,
        ),
        Clause(
            "zonal",
            r"D^l_{00} = T_{ll}(a, b) = P_l(|a|^2 - |b|^2) \quad (l = 0, \ldots, 4)",
            zonal,
        ),
        Clause(
            "addition",
            r"\sum_m \overline{D_{m0}(x)}\,D_{m0}(y) = P_l \text{ at } a = a_x'a_y + b_x'b_y,\ "
            r"b = a_xb_y - b_xa_y \quad (l = 1, 2, 3)",
            addition,
        ),
        Clause(
            "cosine",
            r"|a|^2 - |b|^2 = x\cdot y, \quad \text{so } "
            r"\tfrac{4\pi}{2l+1}\sum_m Y_{lm}(x)\,\overline{Y_{lm}(y)} = P_l(x\cdot y)",
            cosine,
        ),
        Clause(
            "positive",
            r"K_{ij} = \sum_m \overline{D_{m0}(x_i)}\,D_{m0}(x_j): \quad "
            r"\sum_{ij} c_ic_jK_{ij} = \sum_m \bigl|\sum_i c_iD_{m0}(x_i)\bigr|^2 \ge 0",
            positive,
        ),
    ),
)
