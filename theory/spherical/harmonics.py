r"""Zonal scores: the addition theorem, sums over grids, and the flat limit.

Main definitions
----------------
Harmonics         the definitions below; a control replaces one of them
term              (-1)^k C(l, k)^2 A^(l - k) B^k, the k-th term of D_00
legendre          homogeneous Legendre polynomials by their recursion
binomials         the rule that makes a sequence the row C(l, 0), .., C(l, l)

Main claims
-----------
spherical.addition_theorem, spherical.quadrature, spherical.flat_limit

Conventions
-----------
As in `gauge`.  A = |a|^2 and B = |b|^2 of the relative element, z = A - B = x.y, and N = A + B is 1
for rotations.  D_(m 0) is sqrt(4 pi / (2 l + 1)) times the complex conjugate of Y_lm.

References
----------
The statements are derived here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import comb, factorial
from typing import Any, NamedTuple

import sympy
from sympy import ImmutableMatrix, Rational, cos, pi, sin, sqrt

from posproof.theory.spherical.gauge import Rotation, turned
from posproof.theory.spherical.representations import action, quaternion
from posproof.theory.symbols import Variable, sequence, total, variables
from posproof.theory.vocabulary import (
    And,
    Claim,
    Clause,
    Eq,
    ForAll,
    Iff,
    Implies,
    Informal,
    Int,
    Le,
    Lt,
    Ne,
    Prop,
    Real,
)

ell, k, i, j, m = variables("l k i j m", Int(0))
count, channels, top = variables("N M n", Int(0))
A, B = variables("A B", Real)
r, s, t, P = sequence("r"), sequence("s"), sequence("t"), sequence("P")
C, u, v, c = sequence("C"), sequence("u"), sequence("v"), sequence("c")
a, a_bar, b, b_bar = variables("a a' b b'", Real)
real, imaginary, value = sequence("p"), sequence("q"), Variable("v", Real)

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


class Latitude(NamedTuple):
    """The weight of its points, and the sine and cosine of its polar angle."""

    weight: Any
    sine: Any
    cosine: Any


def gauss(count: int) -> tuple[Latitude, ...]:
    """The Gauss-Legendre rule of one to three latitudes."""
    if count == 1:
        return (Latitude(sympy.Integer(2), sympy.Integer(1), sympy.Integer(0)),)
    if count == 2:
        return tuple(
            Latitude(sympy.Integer(1), sqrt(Rational(2, 3)), sign / sqrt(3)) for sign in (1, -1)
        )
    outer = (
        Latitude(Rational(5, 9), sqrt(Rational(2, 5)), sign * sqrt(Rational(3, 5)))
        for sign in (1, -1)
    )
    return (Latitude(Rational(8, 9), sympy.Integer(1), sympy.Integer(0)), *outer)


def summed(grid: Iterable[tuple[Any, Any]], x: Any, power: int) -> Any:
    """sum_j w_j (x.y_j)^power."""
    return sum(w * sum(p * q for p, q in zip(x, y, strict=True)) ** power for w, y in grid)


def sine_power(k: int, p: int) -> Any:
    """The coefficient of h^(2 p) in sin(h / 2)^(2 k), from its cosines of multiples of h."""
    constant = comb(2 * k, k) if p == 0 else 0
    waves = sum(2 * (-1) ** j * comb(2 * k, k - j) * j ** (2 * p) for j in range(1, k + 1))
    return Rational(constant * factorial(2 * p) + (-1) ** p * waves, 4**k * factorial(2 * p))


def bessel(p: int) -> Any:
    """The coefficient of r^(2 p) in J_0(r)."""
    return Rational((-1) ** p, 4**p * factorial(p) ** 2)


def correction(p: int) -> Any:
    """The coefficient of r^(2 p) in r^2 J_0(r) / 12 - r J_1(r) / 24."""
    if p == 0:
        return sympy.Integer(0)
    first = Rational((-1) ** (p - 1), 2 ** (2 * p - 1) * factorial(p - 1) * factorial(p))
    return bessel(p - 1) / 12 - first / 24


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
    zonal_index: Callable[[Any], Any] = lambda ell: ell
    square: Callable[[Any, Any], Any] = lambda u, v: u**2 + v**2
    latitudes: Callable[[int], tuple[Latitude, ...]] = gauss
    integral: Callable[[int], Any] = lambda p: Rational((p + 1) % 2, p + 1)
    node: Callable[[Any, Any], Any] = lambda i, count: pi * (2 * i + 1) / (2 * count)
    longitude: Callable[[Any, Any], Any] = lambda j, count: 2 * pi * j / count
    mixed_moment: int = 0
    shift: Any = Rational(1, 2)
    bessel: Callable[[int], Any] = bessel
    correction: Callable[[int], Any] = correction

    def grid(self, latitudes: Iterable[Latitude], longitudes: int) -> list[tuple[Any, Any]]:
        """Weights and points of a grid of latitudes and equally spaced longitudes."""
        found = []
        for weight, sine, cosine in latitudes:
            for j in range(longitudes):
                angle = self.longitude(sympy.Integer(j), longitudes)
                found.append((weight, (sine * cos(angle), sine * sin(angle), cosine)))
        return found

    def rising(self, k: int, epsilon: Any) -> Any:
        """(-l)_k (l + 1)_k / lambda^(2 k) for lambda = l + 1/2 and epsilon = 1 / lambda^2."""
        factors = (((i + self.shift) ** 2 * epsilon - 1) for i in range(k))
        return sympy.prod(factors, start=sympy.Integer(1))

    def expansion(self, p: int, epsilon: Any) -> Any:
        """The coefficient of r^(2 p) in P_l(cos(r / lambda)), a polynomial in epsilon."""
        terms = (
            self.rising(k, epsilon) * sine_power(k, p) * epsilon ** (p - k) / factorial(k) ** 2
            for k in range(p + 1)
        )
        return sum(terms, sympy.Integer(0))

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


def row_start(ell: Any) -> Any:
    """Where row l starts when the triangle C(l, k), k <= l, is read row after row."""
    return ell * (ell + 1) / 2


def every_degree(of: Harmonics) -> Prop:
    """The triangle up to row n as one sequence C, and P from its recursion up to n."""
    shifted = row_start(ell)
    ratio = Eq((k + 1) * C(shifted + k + 1), (ell - k) * C(shifted + k))
    row = And(Eq(C(shifted), 1), ForAll(k, Implies(Lt(k, ell), ratio)))
    last, before = P(ell + 1), P(ell)
    step = (
        (ell + 2) * P(ell + 2) - of.middle(ell) * (A - B) * last + (ell + 1) * (A + B) ** 2 * before
    )
    given = And(
        Ne(A, 0),
        ForAll(ell, Implies(Le(ell, top), row)),
        Eq(P(0), 1),
        Eq(P(1), A - B),
        ForAll(ell, Implies(Lt(ell, top - 1), Eq(step, 0))),
    )
    sums = total(k, top + 1, of.term(C(row_start(top) + k), top, k, A, B))
    return ForAll((top, A, B), Implies(given, Eq(sums, P(top))))


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


def unique(of: Harmonics) -> Prop:
    """Turns by whole multiples of 2 pi / N, N = 2 l + 1, are told apart by indices k = l + m.

    The real part; the imaginary part is the real part of -i times the same.
    """
    width = 2 * ell + 1
    here, there = of.longitude(i, width), of.longitude(j, width)
    angle = (k - ell) * here - (m - ell) * there
    body = real(width * k + m) * cos(angle) - imaginary(width * k + m) * sin(angle)
    same = Eq(total(k, width, total(m, width, body)), value)
    turned = ForAll(i, Implies(Lt(i, width), ForAll(j, Implies(Lt(j, width), same))))
    zonal = real(width * of.zonal_index(ell) + of.zonal_index(ell))
    return ForAll((ell, value), Implies(turned, Eq(value, zonal)))


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
            "every_degree",
            r"S_l = P_l \text{ for all } l \ge 0 \quad (A \ne 0)",
            every_degree,
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
            "unique",
            r"\sum_{m'm} c_{m'm}\,e^{i(m'\chi - m\chi')} \text{ the same for all } "
            r"\chi, \chi' \in \tfrac{2\pi}{2l+1}\mathbb{Z} \implies \text{it is } c_{00}: \quad "
            r"\text{a score that no lift changes is } \bar q_0k_0P_l",
            unique,
        ),
        Clause(
            "positive",
            r"K_{ij} = \sum_m \overline{D_{m0}(x_i)}\,D_{m0}(x_j): \quad "
            r"\sum_{ij} c_ic_jK_{ij} = \sum_m \bigl|\sum_i c_iD_{m0}(x_i)\bigr|^2 \ge 0",
            positive,
        ),
    ),
)


# ---------------------------------------------------------------------- quadrature
AT = variables("x_1 x_2 x_3", Real)
ON_SPHERE = Eq(sum(part**2 for part in AT), 1)
EAST, POLE = (sympy.Integer(1), sympy.Integer(0), sympy.Integer(0)), (0, 0, sympy.Integer(1))
size, turns = variables("n M", Int(2))
half = Variable("n", Int(1))
constant, diagonal = Variable("c", Real), Variable("s", Real)
w, y = sequence("w"), tuple(sequence(f"y_{axis}") for axis in (1, 2, 3))


def gauss_rule(of: Harmonics) -> Prop:
    """All powers of x.y up to 2 n - 1, for n latitudes and 2 n longitudes."""
    equations = []
    for n in (1, 2, 3):
        grid = of.grid(of.latitudes(n), 2 * n)
        for p in range(2 * n):
            equations.append(Eq(summed(grid, AT, p), 4 * n * of.integral(p)))
    return ForAll(AT, Implies(ON_SPHERE, And(*equations)))


GAUSS = Informal(
    "n Gauss-Legendre latitudes with 2n longitudes integrate every polynomial of degree at most "
    "2n - 1 exactly: sum_j w_j P_l(x.y_j) = 0 for every x and 1 <= l <= 2n - 1."
)


def degree_two(of: Harmonics) -> Prop:
    """Any finite set of points and weights."""

    def moment(a: int, b: int) -> Any:
        return total(j, count, w(j) * y[a](j) * y[b](j))

    along = sum(part * axis(j) for part, axis in zip(AT, y, strict=True))
    same = ForAll(AT, Implies(ON_SPHERE, Eq(total(j, count, w(j) * along**2), constant)))
    squares = (Eq(moment(a, a), constant) for a in range(3))
    mixed = (Eq(moment(a, b), of.mixed_moment) for a, b in ((0, 1), (0, 2), (1, 2)))
    return ForAll((count, constant), Iff(same, And(*squares, *mixed)))


def equal_weights(of: Harmonics) -> Prop:
    """Latitudes with rational sines and cosines, all weights 1."""
    fifth = Rational(1, 5)
    rows = [(3 * fifth, 4 * fifth), (3 * fifth, -4 * fifth), (sympy.Integer(1), sympy.Integer(0))]
    grid = of.grid((Latitude(sympy.Integer(1), *row) for row in rows), 4)
    at_pole, at_east = summed(grid, POLE, 2), summed(grid, EAST, 2)
    return And(Eq(at_pole, Rational(128, 25)), Eq(at_east, Rational(86, 25)))


def accident(of: Harmonics) -> Prop:
    """c is the sine and the cosine of pi / 4, up to a common sign."""
    rows = [(diagonal, diagonal), (sympy.Integer(1), sympy.Integer(0)), (diagonal, -diagonal)]
    grid = of.grid((Latitude(sympy.Integer(1), *row) for row in rows), 4)
    both = And(Eq(summed(grid, POLE, 2), 4), Eq(summed(grid, EAST, 2), 4))
    return ForAll(diagonal, Implies(Eq(2 * diagonal**2, 1), both))


def longitudes(of: Harmonics) -> Prop:
    """Every mode below the number of longitudes sums to zero."""
    angle = m * of.longitude(j, 2 * half)
    inside = And(Lt(0, m), Lt(m, 2 * half))
    both = And(*(Eq(total(j, 2 * half, wave(angle)), 0) for wave in (cos, sin)))
    return ForAll((half, m), Implies(inside, both))


def aliasing(of: Harmonics) -> Prop:
    """M longitudes take mode M for a constant; two latitudes and three longitudes show it."""
    mode = total(j, half, cos(half * of.longitude(j, half)))
    grid = of.grid(of.latitudes(2), 3)
    seen = And(Eq(summed(grid, POLE, 3), 0), Eq(summed(grid, EAST, 3), sqrt(Rational(2, 3))))
    return And(ForAll(half, Eq(mode, half)), *seen.parts)


def refinement(of: Harmonics) -> Prop:
    """n equidistant latitudes and M longitudes with equal weights: the mean of (x.y)^2."""
    polar, along = of.node(i, size), of.longitude(j, turns + 1)

    def mean(value: Any) -> Any:
        return total(i, size, total(j, turns + 1, value)) / (size * (turns + 1))

    at_pole, at_east = mean(cos(polar) ** 2), mean((sin(polar) * cos(along)) ** 2)
    mirrored = Eq(of.node(m, size) + of.node(size - 1 - m, size), pi)
    means = Eq(at_pole, Rational(1, 2)), Eq(at_east, Rational(1, 4))
    return ForAll((size, turns), And(*means, ForAll(m, mirrored)))


QUADRATURE = Claim(
    id="spherical.quadrature",
    title="Sums over a grid turn with it only under quadrature weights",
    kind="classification",
    definitions=Harmonics(),
    depends=("spherical.addition_theorem",),
    hypotheses=(
        "$Z_f(x) = \\sum_j w_j f(x\\cdot y_j)$ for unit vectors $x$, and points $y_j$ with weights "
        "$w_j$: what attention sums with a zonal score",
    ),
    clauses=(
        Clause(
            "gauss_rule",
            r"n \text{ Gauss-Legendre latitudes, } 2n \text{ longitudes}: \quad "
            r"Z_{t^p}(x) = 4n\cdot\tfrac12\int_{-1}^1 t^p\,dt \quad "
            r"(p = 0, \ldots, 2n - 1;\ n = 1, 2, 3)",
            gauss_rule,
        ),
        Clause(
            "every_size",
            r"\sum_j w_j P_l(x\cdot y_j) = 0 \quad (1 \le l \le 2n - 1)",
            lambda of: GAUSS,
        ),
        Clause(
            "degree_two",
            r"Z_{t^2}(x) = c \text{ for all } |x| = 1 \iff \sum_j w_j\,y_jy_j^T = c\,I",
            degree_two,
        ),
        Clause(
            "longitudes",
            r"\sum_{j<2n} e^{2\pi i m j/2n} = 0 \quad (0 < m < 2n)",
            longitudes,
        ),
        Clause(
            "aliasing",
            r"M \text{ longitudes}: \sum_{j<M} \cos(M\varphi_j) = M; \quad "
            r"n = 2,\ M = 3: \ Z_{t^3}(e_3) = 0,\ Z_{t^3}(e_1) = \sqrt{2/3}",
            aliasing,
        ),
        Clause(
            "equal_weights",
            r"(\sin\theta, \cos\theta) = (\tfrac35, \pm\tfrac45), (1, 0),\ 4 "
            r"\text{ longitudes},\ w = 1: \quad Z_{t^2}(e_3) = \tfrac{128}{25},\ "
            r"Z_{t^2}(e_1) = \tfrac{86}{25}",
            equal_weights,
        ),
        Clause(
            "accident",
            r"\theta = \tfrac\pi4, \tfrac\pi2, \tfrac{3\pi}4,\ 4 \text{ longitudes},\ w = 1: "
            r"\quad Z_{t^2}(e_3) = Z_{t^2}(e_1) = 4",
            accident,
        ),
        Clause(
            "refinement",
            r"\theta_i = \tfrac{(2i+1)\pi}{2n},\ M \text{ longitudes},\ w = \tfrac1{nM}: \quad "
            r"Z_{t^2}(e_3) = \tfrac12,\ Z_{t^2}(e_1) = \tfrac14,\ "
            r"\theta_i + \theta_{n-1-i} = \pi \quad (n \ge 2,\ M \ge 3)",
            refinement,
        ),
    ),
)


# ---------------------------------------------------------------------- flat limit
epsilon, X_HALF = variables("epsilon X", Real)

FLAT = Informal(
    "For fixed m' and m, d^l_{m'm}(r / (l + 1/2)) = J_{m-m'}(r) + O(l^-2); with |m|, |m'| <= 2, "
    "16 <= l <= 64 and 1/10 <= r <= 6 the difference is at most 5 / (l + 1/2)^2."
)
CORRECTED = Informal(
    "(l + 1/2)^2 (P_l(cos(r / (l + 1/2))) - J_0(r)) tends to "
    "r^2 J_0(r) / 12 - r J_1(r) / 24; for 8 <= l <= 256 and 0 < r <= 6 the difference is at most "
    "2 / (l + 1/2)^2."
)
#: Powers of r^2 and degrees that are compared.
POWERS, LOW_DEGREES = 8, 6


def hypergeometric(of: Harmonics) -> Prop:
    """P_l(1 - 2 X) with X = sin(beta / 2)^2, written with lambda = l + 1/2."""

    def at(degree: int) -> Prop:
        length = sympy.Integer(degree) + of.shift
        terms = (
            of.rising(k, 1 / length**2) * length ** (2 * k) * X_HALF**k / factorial(k) ** 2
            for k in range(degree + 1)
        )
        return Eq(sum(terms), of.legendre(degree, 1 - 2 * X_HALF, sympy.Integer(1)))

    return ForAll(X_HALF, And(*(at(degree) for degree in range(1, LOW_DEGREES + 1))))


def expansion(of: Harmonics) -> Prop:
    """What is left of each coefficient is epsilon^2 times a polynomial."""

    def at(p: int) -> Prop:
        coefficient = of.expansion(p, epsilon)
        every = sympy.Poly(coefficient, epsilon).all_coeffs()[::-1]
        rest = sum((value * epsilon**d for d, value in enumerate(every[2:])), sympy.Integer(0))
        leading = of.bessel(p) + of.correction(p) * epsilon
        return Eq(coefficient, leading + epsilon**2 * rest)

    return ForAll(epsilon, And(*(at(p) for p in range(POWERS + 1))))


def planar(of: Harmonics) -> Prop:
    """The mean over 2 p + 1 directions of the coefficient of r^(2 p) in cos(r cos(phi))."""

    def at(p: int) -> Prop:
        count = 2 * p + 1
        waves = (cos(of.longitude(sympy.Integer(k), count)) ** (2 * p) for k in range(count))
        return Eq(Rational((-1) ** p, factorial(2 * p)) * sum(waves) / count, of.bessel(p))

    return And(*(at(p) for p in range(1, POWERS + 1)))


FLAT_LIMIT = Claim(
    id="spherical.flat_limit",
    title="The flat limit: nearby points are scored by Bessel functions",
    kind="asymptotic",
    definitions=Harmonics(),
    depends=("spherical.addition_theorem",),
    hypotheses=("$\\lambda = l + \\tfrac12$, and $r$ is fixed: it may not grow like $l$",),
    clauses=(
        Clause(
            "limit",
            r"d^l_{m'm}\bigl(\tfrac r\lambda\bigr) = J_{m-m'}(r) + O(l^{-2}); \quad "
            r"\lambda^2\,\bigl|d^l_{m'm}(\tfrac r\lambda) - J_{m-m'}(r)\bigr| \le 5 \quad "
            r"(|m|, |m'| \le 2,\ 16 \le l \le 64,\ \tfrac1{10} \le r \le 6)",
            lambda of: FLAT,
        ),
        Clause(
            "correction",
            r"\lambda^2\bigl[P_l(\cos\tfrac r\lambda) - J_0(r)\bigr] \to "
            r"\tfrac{r^2}{12}J_0(r) - \tfrac r{24}J_1(r), \quad "
            r"\text{within } 2\lambda^{-2} \text{ for } 8 \le l \le 256,\ r \le 6",
            lambda of: CORRECTED,
        ),
        Clause(
            "hypergeometric",
            r"P_l(1 - 2X) = \sum_k \frac{X^k}{k!^2}\prod_{i<k}\bigl((i + \tfrac12)^2 - "
            r"\lambda^2\bigr) \quad (l = 1, \ldots, 6)",
            hypergeometric,
        ),
        Clause(
            "expansion",
            r"[r^{2p}]\,P_l(\cos\tfrac r\lambda) = [r^{2p}]\bigl(J_0(r) + \lambda^{-2}"
            r"(\tfrac{r^2}{12}J_0(r) - \tfrac r{24}J_1(r))\bigr) + \lambda^{-4}\,q_p(\lambda^{-2})"
            r"\quad (p \le 8,\ q_p \text{ polynomials})",
            expansion,
        ),
        Clause(
            "planar",
            r"[r^{2p}]\,J_0(r) = [r^{2p}]\,\tfrac1N\sum_{k<N}\cos\bigl(r\cos\tfrac{2\pi k}N\bigr)"
            r"\quad (N = 2p + 1,\ 1 \le p \le 8)",
            planar,
        ),
    ),
)
