r"""The gauge of points on the sphere: its phase, its curvature, and what the scores encode.

Main definitions
----------------
Rotation          a, a', b, b' of U = [[a, -b'], [b, a']], up to length
Gauge             the definitions below; a control replaces one of them
factor            j(g, zeta) = a - b' zeta, the factor of automorphy
numerator         b + a' zeta; g takes zeta to numerator / factor
weight            j^k j'^(2l - k), what row k of a feature is multiplied by

Main claims
-----------
spherical.gauge_phase

Conventions
-----------
zeta is the stereographic coordinate of a point: (x, y, z) = (2 Re zeta, 2 Im zeta, 1 - |zeta|^2) /
(1 + |zeta|^2), the north pole is 0.  The north gauge lifts it to U(1, zeta), up to length.  A prime
is the complex conjugate.  Where a letter and its primed one occur they may be any two numbers: the
equations are identities of polynomials with rational coefficients (after multiplication by their
denominators), so they hold for real numbers and for complex ones alike.

References
----------
su2021roformer is the planar case.  The statements are derived here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import sympy
from sympy import ImmutableMatrix, cos, pi, sin

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
    Lt,
    Ne,
    Positive,
    Prop,
    Real,
)

k, h, n = variables("k h n", Int(0))
zeta, zeta_bar, eta, eta_bar = variables("zeta zeta' eta eta'", Real)
(rho,) = variables("rho", Positive)
u, v, x, z, r, chi, j, j_bar = variables("u v x z r chi j j'", Real)
a, a_bar, b, b_bar = variables("a a' b b'", Real)
p, q = variables("p q", Real)
c, c_bar, d, d_bar = variables("c c' d d'", Real)

#: 2l for which whole matrices are compared.
TWICE = (1, 2, 3, 4)


class Rotation(NamedTuple):
    """The numbers a, a', b, b' of a quaternion."""

    a: Any
    a_bar: Any
    b: Any
    b_bar: Any

    @property
    def bar(self) -> Rotation:
        """The complex conjugate."""
        return Rotation(self.a_bar, self.a, self.b_bar, self.b)

    @property
    def inverse(self) -> Rotation:
        """The adjoint, which is the inverse up to length."""
        return Rotation(self.a_bar, self.a, -self.b, -self.b_bar)


g, other = Rotation(a, a_bar, b, b_bar), Rotation(c, c_bar, d, d_bar)


def factor(g: Rotation, zeta: Any) -> Any:
    """j(g, zeta) = a - b' zeta."""
    return g.a - g.b_bar * zeta


def numerator(g: Rotation, zeta: Any) -> Any:
    """What stands above the factor in g zeta."""
    return g.b + g.a_bar * zeta


def weight(k: Any, twice: Any, j: Any, j_bar: Any) -> Any:
    """j^k j'^(2l - k)."""
    return j**k * j_bar ** (twice - k)


def turned(w: Any, x: Any, y: Any, z: Any) -> ImmutableMatrix:
    """|q|^2 R of the rotation R by q = (w, x, y, z); a = w - i z, b = y - i x."""
    return ImmutableMatrix(
        [
            [w**2 + x**2 - y**2 - z**2, 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), w**2 - x**2 + y**2 - z**2, 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), w**2 - x**2 - y**2 + z**2],
        ]
    )


def about_z(angle: Any) -> ImmutableMatrix:
    """R_z, the rotation by an angle about the axis through the north pole."""
    return ImmutableMatrix([[cos(angle), -sin(angle), 0], [sin(angle), cos(angle), 0], [0, 0, 1]])


def about_y(angle: Any) -> ImmutableMatrix:
    """R_y, the rotation by an angle about the y axis."""
    return ImmutableMatrix([[cos(angle), 0, sin(angle)], [0, 1, 0], [-sin(angle), 0, cos(angle)]])


def point(p: Any, q: Any) -> ImmutableMatrix:
    """The point with zeta = p + i q, times 1 + |zeta|^2."""
    return ImmutableMatrix([2 * p, 2 * q, 1 - p**2 - q**2])


def volume(x: ImmutableMatrix, y: ImmutableMatrix, z: ImmutableMatrix) -> Any:
    """det[x, y, z] of three columns."""
    return sympy.Determinant(ImmutableMatrix.hstack(x, y, z))


def difference(zeta: Any, eta: Any) -> Any:
    """eta - zeta, the spherical difference up to length."""
    return eta - zeta


@dataclass(frozen=True)
class Gauge:
    """The definitions of this topic; a control replaces one of them."""

    quaternion: Callable[..., ImmutableMatrix] = quaternion
    action: Callable[[int, ImmutableMatrix], ImmutableMatrix] = action
    factor: Callable[[Rotation, Any], Any] = factor
    numerator: Callable[[Rotation, Any], Any] = numerator
    weight: Callable[[Any, Any, Any, Any], Any] = weight
    difference: Callable[[Any, Any], Any] = difference
    inner: Callable[[Any, Any], Any] = lambda zeta_bar, eta: 1 + zeta_bar * eta
    half: Callable[[Any], Any] = lambda chi: chi / 2
    turned: Callable[..., ImmutableMatrix] = turned
    about_z: Callable[[Any], ImmutableMatrix] = about_z
    about_y: Callable[[Any], ImmutableMatrix] = about_y
    point: Callable[[Any, Any], ImmutableMatrix] = point
    volume: Callable[..., Any] = volume
    share: Callable[[Any, int], Any] = lambda unit, twice_m: unit**twice_m
    undone: Callable[[Any, Any], tuple[Any, Any]] = lambda e, e_bar: (e_bar, e)
    outer_angles: Callable[[Any, Any], tuple[Any, Any]] = lambda out, back: (pi - out, back)
    sign: Callable[[int], int] = lambda m: 1 - 2 * (m % 2)

    def lifted(self, zeta: Any, zeta_bar: Any) -> Rotation:
        """The north gauge of a point."""
        return Rotation(sympy.Integer(1), sympy.Integer(1), zeta, zeta_bar)

    def moved(self, g: Rotation, zeta: Any) -> Any:
        """g zeta."""
        return self.numerator(g, zeta) / self.factor(g, zeta)

    def relative(self, zeta: Any, zeta_bar: Any, eta: Any, eta_bar: Any) -> Rotation:
        """U(1, zeta)^* U(1, eta), by the inner product and the difference."""
        return Rotation(
            self.inner(zeta_bar, eta),
            self.inner(zeta, eta_bar),
            self.difference(zeta, eta),
            self.difference(zeta_bar, eta_bar),
        )

    def section(self, theta: Any, phi: Any) -> ImmutableMatrix:
        """The lift R_z(phi) R_y(theta) of the point at polar angle theta and longitude phi."""
        return self.about_z(phi) * self.about_y(theta)

    def matrix(self, g: Rotation) -> ImmutableMatrix:
        """U(g)."""
        return self.quaternion(*g)

    def defined(self, g: Rotation, zeta: Any, zeta_bar: Any) -> Prop:
        """g does not take the point to the south pole."""
        return And(Ne(self.factor(g, zeta), 0), Ne(self.factor(g.bar, zeta_bar), 0))

    def carried(self) -> tuple[Any, Rotation, Rotation]:
        """What the sections of zeta and of g zeta say: j and j', the lifts before and after."""
        both = self.factor(g, zeta), self.factor(g.bar, zeta_bar)
        after = self.lifted(self.moved(g, zeta), self.moved(g.bar, zeta_bar))
        return both, self.lifted(zeta, zeta_bar), after


def on_forms(matrix: ImmutableMatrix, x: Any, z: Any) -> tuple[Any, Any]:
    """Coefficients of the image of x u + z v, u -> p u + q v, v -> r u + s v."""
    image = matrix * ImmutableMatrix([[x], [z]])
    return image[0], image[1]


# ---------------------------------------------------------------------- gauge_phase
AT = (*g, zeta, zeta_bar)


def automorphy(of: Gauge) -> Prop:
    (j, j_bar), before, after = of.carried()
    diagonal = ImmutableMatrix([[j, 0], [0, j_bar]])
    moved = Eq(of.matrix(g) * of.matrix(before), of.matrix(after) * diagonal)
    return ForAll(AT, Implies(of.defined(g, zeta, zeta_bar), moved))


def degrees(of: Gauge) -> Prop:
    (j, j_bar), before, after = of.carried()

    def at(twice: int) -> Prop:
        diagonal = ImmutableMatrix.diag(*(of.weight(k, twice, j, j_bar) for k in range(twice + 1)))
        first, second = (of.action(twice, of.matrix(lift)) for lift in (g, before))
        return Eq(first * second, of.action(twice, of.matrix(after)) * diagonal)

    return ForAll(AT, Implies(of.defined(g, zeta, zeta_bar), And(*(at(t) for t in TWICE))))


def every_degree(of: Gauge) -> Prop:
    (j, j_bar), before, after = of.carried()
    inside = on_forms(of.matrix(g), *on_forms(of.matrix(before), x, z))
    outside = on_forms(of.matrix(after), x * j, z * j_bar)
    equal = Eq((inside[0] * u + inside[1] * v) ** n, (outside[0] * u + outside[1] * v) ** n)
    return ForAll((n, x, z, u, v, *AT), Implies(of.defined(g, zeta, zeta_bar), equal))


def phase(of: Gauge) -> Prop:
    """Powers of j and its conjugate as a power of the length and one of the phase."""
    given = And(Eq(j * j_bar, rho**2), Ne(j, 0))
    unit = j / rho
    equal = Eq(of.weight(k, k + h, j, j_bar) * unit**h, rho ** (k + h) * unit**k)
    return ForAll((k, h, j, j_bar, rho), Implies(given, equal))


def angle(of: Gauge) -> Prop:
    """j = r exp(-i chi / 2), as the quaternion (w, 0, 0, z) with j = w - i z."""
    w, z = r * cos(of.half(chi)), r * sin(of.half(chi))
    return ForAll((r, chi), Eq(of.turned(w, 0, 0, z), r**2 * of.about_z(chi)))


def lift(of: Gauge) -> Prop:
    """zeta = p + i q is the quaternion (1, -q, p, 0)."""
    points = Eq(of.turned(1, -q, p, 0) * ImmutableMatrix([0, 0, 1]), of.point(p, q))
    w, x, y, z = quaternions = variables("w x y z", Real)
    rotation = of.turned(*quaternions)
    square = w**2 + x**2 + y**2 + z**2
    orthogonal = Eq(rotation.T * rotation, square**2 * ImmutableMatrix.eye(3))
    return And(ForAll((p, q), points), ForAll(quaternions, orthogonal))


def product_of(first: Rotation, second: Rotation) -> Rotation:
    """The quaternion of the product of two."""

    def above(p: Rotation, q: Rotation) -> Any:
        return p.a * q.a - p.b_bar * q.b

    def below(p: Rotation, q: Rotation) -> Any:
        return p.b * q.a + p.a_bar * q.b

    return Rotation(
        above(first, second),
        above(first.bar, second.bar),
        below(first, second),
        below(first.bar, second.bar),
    )


def cocycle(of: Gauge) -> Prop:
    both = product_of(g, other)
    matrices = Eq(of.matrix(g) * of.matrix(other), of.matrix(both))
    factors = Eq(
        of.factor(both, zeta), of.factor(g, of.moved(other, zeta)) * of.factor(other, zeta)
    )
    defined = Ne(of.factor(other, zeta), 0)
    return ForAll((*g, *other, zeta), And(matrices, Implies(defined, factors)))


POINTS = (zeta, zeta_bar, eta, eta_bar)


def relative(of: Gauge) -> Prop:
    here, there = of.lifted(zeta, zeta_bar).inverse, of.lifted(eta, eta_bar)
    apart = of.relative(*POINTS)
    return ForAll(POINTS, Eq(of.matrix(here) * of.matrix(there), of.matrix(apart)))


def score(of: Gauge) -> Prop:
    here, there = of.lifted(zeta, zeta_bar).inverse, of.lifted(eta, eta_bar)
    apart = of.relative(*POINTS)

    def at(twice: int) -> Prop:
        left, right, both = (of.action(twice, of.matrix(lift)) for lift in (here, there, apart))
        return Eq(left * right, both)

    return ForAll(POINTS, And(*(at(twice) for twice in TWICE)))


def coherent(of: Gauge) -> Prop:
    here, there = of.lifted(zeta, zeta_bar).inverse, of.lifted(eta, eta_bar)
    length = sympy.sqrt((1 + zeta * zeta_bar) * (1 + eta * eta_bar))
    positive = And(Lt(0, 1 + zeta * zeta_bar), Lt(0, 1 + eta * eta_bar))
    image = on_forms(of.matrix(here), *on_forms(of.matrix(there), 1, 0))
    top = Eq((image[0] / length) ** n, (of.inner(zeta_bar, eta) / length) ** n)
    entries = (
        Eq(
            of.action(twice, of.matrix(of.relative(*POINTS)))[twice, twice],
            of.inner(zeta_bar, eta) ** twice,
        )
        for twice in TWICE
    )
    return ForAll((n, *POINTS), Implies(positive, And(top, *entries)))


def covariance(of: Gauge) -> Prop:
    moved = of.inner(of.moved(g.bar, zeta_bar), of.moved(g, eta))
    factors = of.factor(g.bar, zeta_bar) * of.factor(g, eta)
    square = a * a_bar + b * b_bar
    defined = And(Ne(of.factor(g.bar, zeta_bar), 0), Ne(of.factor(g, eta), 0))
    equal = Eq(moved * factors, square * of.inner(zeta_bar, eta))
    return ForAll((*g, zeta_bar, eta), Implies(defined, equal))


GAUGE_PHASE = Claim(
    id="spherical.gauge_phase",
    title="The gauge angle is the phase of a factor of automorphy",
    kind="identity",
    definitions=Gauge(),
    hypotheses=(
        "$g = (a, b)$ acts by $g\\zeta = (b + a'\\zeta)/j(g, \\zeta)$ with "
        "$j(g, \\zeta) = a - b'\\zeta \\ne 0$; a prime is the complex conjugate",
        "$U(a, b) = \\begin{pmatrix} a & -b' \\\\ b & a' \\end{pmatrix}$, and $T(M)$ substitutes "
        "$u \\mapsto M_{00}u + M_{10}v$, $v \\mapsto M_{01}u + M_{11}v$ in forms of degree $2l$",
        "as identities of polynomials they hold for any two numbers $\\zeta, \\zeta'$, and so on",
    ),
    clauses=(
        Clause(
            "automorphy",
            r"U(g)\,U(1, \zeta) = U(1, g\zeta)\operatorname{diag}(j, j')",
            automorphy,
        ),
        Clause(
            "degrees",
            r"T(g)\,T(1, \zeta) = T(1, g\zeta)\operatorname{diag}(j^k j'^{\,2l-k})_{k = 0..2l}"
            r"\quad (2l = 1, \ldots, 4)",
            degrees,
        ),
        Clause(
            "every_degree",
            r"T(g)\,T(1, \zeta)\,(xu + zv)^n = T(1, g\zeta)\,(x\,j\,u + z\,j'v)^n"
            r"\quad (n = 2l \ge 0)",
            every_degree,
        ),
        Clause(
            "phase",
            r"e = j/|j|: \quad j^k j'^h e^h = |j|^{k+h} e^k \quad "
            r"(k = l + m,\ h = l - m:\ \text{channel } m \text{ gets } e^{2m})",
            phase,
        ),
        Clause(
            "angle",
            r"j = r e^{-i\chi/2}: \quad R\bigl(\operatorname{diag}(j, j')\bigr) = r^2 R_z(\chi)"
            r"\quad (\text{so } \chi = -2\arg j)",
            angle,
        ),
        Clause(
            "lift",
            r"R(1, \zeta)\,e_z = (2\operatorname{Re}\zeta,\ 2\operatorname{Im}\zeta,\ "
            r"1 - |\zeta|^2), \quad R(q)^T R(q) = |q|^4 I",
            lift,
        ),
        Clause("cocycle", r"j(gh, \zeta) = j(g, h\zeta)\,j(h, \zeta)", cocycle),
        Clause(
            "relative",
            r"U(1, \zeta)^* U(1, \eta) = U(1 + \zeta'\eta,\ \eta - \zeta)",
            relative,
        ),
        Clause(
            "score",
            r"T(U(1, \zeta)^*)\,T(1, \eta) = T(1 + \zeta'\eta,\ \eta - \zeta)"
            r"\quad (2l = 1, \ldots, 4)",
            score,
        ),
        Clause(
            "coherent",
            r"s_{m=l} = \Bigl[\frac{1 + \zeta'\eta}{\sqrt{(1 + |\zeta|^2)(1 + |\eta|^2)}}"
            r"\Bigr]^{2l}",
            coherent,
        ),
        Clause(
            "covariance",
            r"\bigl(1 + (g\zeta)'\,g\eta\bigr)\,j(g, \zeta)'\,j(g, \eta) = "
            r"(|a|^2 + |b|^2)(1 + \zeta'\eta)",
            covariance,
        ),
    ),
)


# ---------------------------------------------------------------------- curvature
#: 2l and k = l + m of the channels that are compared.
CHANNELS = tuple((twice, k) for twice in (1, 2, 3, 4) for k in range(twice + 1))
PLANE = variables("p_x q_x p_y q_y p_z q_z", Real)
LENGTHS = variables("r_1 t_1 r_2 t_2 r_3 t_3", Real)
PAIRS = tuple(LENGTHS[i : i + 2] for i in (0, 2, 4))
SIDES = tuple(Rotation(*variables(f"a_{i} a'_{i} b_{i} b'_{i}", Real)) for i in (1, 2, 3))
PHASES = variables("e_x e'_x e_y e'_y e_z e'_z", Real)
w = sequence("w")
(half_side,) = variables("c", Positive)
(area_angle,) = variables("Omega", Real)
THIRD = variables("f_x f_y f_z", Real)
HEIGHTS = variables("g_1 g_2 g_3", Real)


def corners(of: Gauge) -> tuple[list[ImmutableMatrix], list[Any]]:
    """Three points times their 1 + |zeta|^2, and these lengths."""
    pairs = [PLANE[i : i + 2] for i in (0, 2, 4)]
    return [of.point(*pair) for pair in pairs], [1 + p**2 + q**2 for p, q in pairs]


def area(of: Gauge) -> Prop:
    """Real and imaginary part; the product of the inner products is multiplied out by hand."""
    pairs = [PLANE[i : i + 2] for i in (0, 2, 4)]
    points, lengths = corners(of)
    x, y, z = (point / length for point, length in zip(points, lengths, strict=True))
    real, imaginary = sympy.Integer(1), sympy.Integer(0)
    for first in range(3):
        (p, q), (s, t) = pairs[first], pairs[(first + 1) % 3]
        # 1 + (p - i q)(s + i t)
        up, across = 1 + p * s + q * t, p * t - q * s
        real, imaginary = real * up - imaginary * across, real * across + imaginary * up
    whole = lengths[0] * lengths[1] * lengths[2]
    cosines = 1 + (x.T * y)[0] + (y.T * z)[0] + (z.T * x)[0]
    both = And(Eq(4 * real / whole, cosines), Eq(4 * imaginary / whole, of.volume(x, y, z)))
    return ForAll(PLANE, both)


def channel(of: Gauge, twice: int, k: int, side: Rotation) -> Any:
    """T_kk of a rotation, up to length: the score of the channel m = k - l."""
    return of.action(twice, of.matrix(side))[k, k]


def unsigned(of: Gauge, twice: int, k: int, r: Any, t: Any) -> Any:
    """r^(2l) d_mm for the moduli r = |a| and t = |b|."""
    return channel(of, twice, k, Rotation(r, r, t, t))


def phased(of: Gauge, twice: int, k: int, inner: tuple[Any, Any], length: Any) -> tuple[Any, Any]:
    """length^|2m| and the power of the phase of a that goes with it."""
    a, a_bar = inner
    twice_m = 2 * k - twice
    return length ** abs(twice_m), of.share(a if twice_m >= 0 else a_bar, abs(twice_m))


def moduli(side: Rotation, r: Any, t: Any) -> And:
    """r = |a| and t = |b|, up to sign."""
    return And(Eq(r**2, side.a * side.a_bar), Eq(t**2, side.b * side.b_bar))


def diagonal(of: Gauge) -> Prop:
    r, t = LENGTHS[:2]

    def at(twice: int, k: int) -> Prop:
        scale, phase = phased(of, twice, k, (g.a, g.a_bar), r)
        return Eq(channel(of, twice, k, g) * scale, phase * unsigned(of, twice, k, r, t))

    every = And(*(at(*channel) for channel in CHANNELS))
    return ForAll((*g, r, t), Implies(moduli(g, r, t), every))


def every_channel(of: Gauge) -> Prop:
    """With k = 2m + h and s below h + 1: a^(2m + s) a'^s for whatever stands before it."""
    index, degree = k, h
    terms = w(index) * a ** (n + index) * a_bar**index
    lengths = w(index) * rho ** (n + 2 * index)
    left = total(index, degree + 1, terms) * rho**n
    right = of.share(a, n) * total(index, degree + 1, lengths)
    return ForAll((n, h, a, a_bar, rho), Implies(Eq(rho**2, a * a_bar), Eq(left, right)))


def cycle(of: Gauge) -> Prop:
    sides = zip(SIDES, PAIRS, strict=True)
    given = And(*(fact for side, pair in sides for fact in moduli(side, *pair).parts))
    inner = sympy.prod(side.a for side in SIDES), sympy.prod(side.a_bar for side in SIDES)
    length = sympy.prod(r for r, _ in PAIRS)

    def at(twice: int, k: int) -> Prop:
        scale, phase = phased(of, twice, k, inner, length)
        scores = sympy.prod(channel(of, twice, k, side) for side in SIDES)
        cosines = sympy.prod(unsigned(of, twice, k, *pair) for pair in PAIRS)
        return Eq(scores * scale, phase * cosines)

    names = tuple(name for side in SIDES for name in side)
    every = And(*(at(*channel) for channel in CHANNELS))
    return ForAll((*names, *LENGTHS), Implies(given, every))


def sections(of: Gauge) -> Prop:
    """Other lifts U diag(e, e') of the corners, one phase for each."""
    phases = [PHASES[i : i + 2] for i in (0, 2, 4)]
    given = And(*(Eq(e * e_bar, 1) for e, e_bar in phases))

    def at(twice: int, k: int) -> Prop:
        before, after = sympy.Integer(1), sympy.Integer(1)
        for first, side in enumerate(SIDES):
            (e, e_bar), (f, f_bar) = phases[first], phases[(first + 1) % 3]
            left = ImmutableMatrix.diag(*of.undone(e, e_bar))
            right = ImmutableMatrix.diag(f, f_bar)
            before *= channel(of, twice, k, side)
            after *= of.action(twice, left * of.matrix(side) * right)[k, k]
        return Eq(after, before)

    names = tuple(name for side in SIDES for name in side)
    every = And(*(at(*channel) for channel in CHANNELS))
    return ForAll((*names, *PHASES), Implies(given, every))


def flat(of: Gauge) -> Prop:
    """Scores g e^{i (f(y) - f(x))}: the triple product is g_1 g_2 g_3, which is real."""
    real, imaginary = sympy.Integer(1), sympy.Integer(0)
    for first in range(3):
        phase = of.difference(THIRD[first], THIRD[(first + 1) % 3])
        up, across = HEIGHTS[first] * cos(phase), HEIGHTS[first] * sin(phase)
        real, imaginary = real * up - imaginary * across, real * across + imaginary * up
    return ForAll((*THIRD, *HEIGHTS), And(Eq(imaginary, 0), Eq(real, sympy.prod(HEIGHTS))))


#: l, m and the product of the scores around the octant, real and imaginary part.
OCTANT = (
    (2, 2, (0, sympy.Rational(1, 8))),
    (4, 4, (sympy.Rational(-1, 64), 0)),
    (4, 3, (0, sympy.Rational(-1, 8))),
    (4, 2, (sympy.Rational(-1, 8), 0)),
    (1, 1, (sympy.Rational(1, 4), sympy.Rational(1, 4))),
)


def octant(of: Gauge) -> Prop:
    """The corners e_1, e_2, e_3: cos(beta / 2)^2 = (1 + 0) / 2 for each side."""
    x, y, z = (ImmutableMatrix.eye(3).col(i) for i in range(3))
    cosines = 1 + (x.T * y)[0] + (y.T * z)[0] + (z.T * x)[0]
    half = of.half(area_angle)
    given = (
        Eq(2 * half_side**2, 1),
        Eq(rho * cos(half), cosines),
        Eq(rho * sin(half), of.volume(x, y, z)),
    )
    values = []
    for twice, k, (real, imaginary) in OCTANT:
        cosine = unsigned(of, twice, k, half_side, half_side)
        phase = (2 * k - twice) * half
        values += [Eq(cosine**3 * cos(phase), real), Eq(cosine**3 * sin(phase), imaginary)]
    return ForAll((half_side, rho, area_angle), Implies(And(*given), And(*values)))


CURVATURE = Claim(
    id="spherical.curvature",
    title="The scores around a triangle have the phase of its area",
    kind="identity",
    definitions=Gauge(),
    depends=("spherical.gauge_phase",),
    hypotheses=(
        "$s_m(x, y) = D^l_{mm}(\\sigma_x^{-1}\\sigma_y)$ is the score for $q = k = e_m$; "
        "$x, y, z$ have the stereographic coordinates $\\zeta, \\eta, w$",
        "$\\Omega = 2\\operatorname{atan2}(\\det[x, y, z],\\ "
        "1 + x\\cdot y + y\\cdot z + z\\cdot x)$ is the signed area of the triangle: these two are "
        "$\\rho\\sin\\tfrac\\Omega2$ and $\\rho\\cos\\tfrac\\Omega2$ for some $\\rho > 0$",
        "$a_i, b_i$ belong to the three sides: $a_1 = 1 + \\zeta'\\eta$ in the north gauge",
    ),
    clauses=(
        Clause(
            "area",
            r"\frac{4\,(1 + \zeta'\eta)(1 + \eta' w)(1 + w'\zeta)}"
            r"{(1 + |\zeta|^2)(1 + |\eta|^2)(1 + |w|^2)} = "
            r"1 + x\cdot y + y\cdot z + z\cdot x + i\det[x, y, z]",
            area,
        ),
        Clause(
            "diagonal",
            r"T_{kk}(a, b)\,|a|^{2m} = a^{2m}\,T_{kk}(|a|, |b|) \quad "
            r"(m = k - l \ge 0;\ |a|^{-2m},\ a'^{\,-2m} \text{ for } m < 0)",
            diagonal,
        ),
        Clause(
            "every_channel",
            r"|a|^{2m}\sum_{s \le h} w_s\,a^{2m+s}a'^{\,s} = "
            r"a^{2m}\sum_{s \le h} w_s\,|a|^{2m+2s}, \quad "
            r"\text{the form of } T_{kk} \text{ for every } l:\ h = l - m, \quad "
            r"w_s = (-1)^{h-s}\tbinom{l+m}{2m+s}\tbinom{h}{s}|b|^{2(h-s)}",
            every_channel,
        ),
        Clause(
            "cycle",
            r"\kappa = a_1a_2a_3: \quad \prod_i T_{kk}(a_i, b_i) = "
            r"\Bigl(\frac{\kappa}{|\kappa|}\Bigr)^{2m} \prod_i T_{kk}(|a_i|, |b_i|),\quad "
            r"\text{so } s_m s_m s_m = d_{mm}d_{mm}d_{mm}\,e^{im\Omega}",
            cycle,
        ),
        Clause(
            "sections",
            r"\sigma_x \mapsto \sigma_x\operatorname{diag}(e_x, e_x'),\ |e_x| = 1: \quad "
            r"s_m(x, y)\,s_m(y, z)\,s_m(z, x) \text{ stays}",
            sections,
        ),
        Clause(
            "flat",
            r"\prod_{xy,\,yz,\,zx} g_{xy}\,e^{i(f(y) - f(x))} = "
            r"g_{xy}\,g_{yz}\,g_{zx} \in \mathbb{R}",
            flat,
        ),
        Clause(
            "octant",
            r"x, y, z = e_1, e_2, e_3: \quad d_{mm}^3e^{im\Omega} = \tfrac i8\ (l = 1);\quad "
            r"-\tfrac1{64},\ -\tfrac i8,\ -\tfrac18\ (l = 2,\ m = 2, 1, 0);\quad "
            r"\tfrac{1 + i}4\ (l = \tfrac12)",
            octant,
        ),
    ),
)


# ---------------------------------------------------------------------- bearings
theta, phi, theta_y, phi_y = variables("theta phi theta_y phi_y", Real)
alpha, beta, gamma, B, B_y = variables("alpha beta gamma B B_y", Real)
AXIS = ImmutableMatrix([0, 0, 1])


def place(theta: Any, phi: Any) -> ImmutableMatrix:
    """The point at polar angle theta and longitude phi."""
    return ImmutableMatrix([sin(theta) * cos(phi), sin(theta) * sin(phi), cos(theta)])


def north(theta: Any, phi: Any) -> ImmutableMatrix:
    """The unit vector at a point towards the north pole."""
    return ImmutableMatrix([-cos(theta) * cos(phi), -cos(theta) * sin(phi), sin(theta)])


def east(theta: Any, phi: Any) -> ImmutableMatrix:
    """The unit vector at a point towards the east."""
    return ImmutableMatrix([-sin(phi), cos(phi), 0])


def reached(theta: Any, phi: Any, distance: Any, bearing: Any) -> ImmutableMatrix:
    """The point at an angular distance under a bearing, from north towards east."""
    towards = cos(bearing) * north(theta, phi) + sin(bearing) * east(theta, phi)
    return cos(distance) * place(theta, phi) + sin(distance) * towards


def entrywise(left: ImmutableMatrix, right: ImmutableMatrix) -> tuple[Prop, ...]:
    return tuple(Eq(x, y) for x, y in zip(left, right, strict=True))


def frame(of: Gauge) -> Prop:
    columns = ImmutableMatrix.hstack(-north(theta, phi), east(theta, phi), place(theta, phi))
    poleward = And(*entrywise(north(theta, phi), -place(theta, phi).diff(theta)))
    eastward = And(*entrywise(sin(theta) * east(theta, phi), place(theta, phi).diff(phi)))
    return ForAll((theta, phi), And(Eq(of.section(theta, phi), columns), poleward, eastward))


def columns(of: Gauge) -> Prop:
    rotation = of.about_z(alpha) * of.about_y(beta) * of.about_z(gamma)
    image = ImmutableMatrix([sin(beta) * cos(alpha), sin(beta) * sin(alpha), cos(beta)])
    source = ImmutableMatrix([-sin(beta) * cos(gamma), sin(beta) * sin(gamma), cos(beta)])
    return ForAll(
        (alpha, beta, gamma), And(Eq(rotation * AXIS, image), Eq(rotation.T * AXIS, source))
    )


def angles(of: Gauge) -> Prop:
    """Entries of both sides; the bearings are told by where they lead."""
    there = entrywise(place(theta_y, phi_y), reached(theta, phi, beta, B))
    back = entrywise(place(theta, phi), reached(theta_y, phi_y, beta, B_y))
    relative = of.section(theta, phi).T * of.section(theta_y, phi_y)
    first, last = of.outer_angles(B, B_y)
    euler = of.about_z(first) * of.about_y(beta) * of.about_z(last)
    given = And(*there, *back, Ne(sin(beta), 0))
    equal = And(*entrywise(relative, euler))
    return ForAll((theta, phi, theta_y, phi_y, beta, B, B_y), Implies(given, equal))


HALVES = variables("e e' f f'", Real)
SIDE = variables("c s", Real)


def bearing_score(of: Gauge) -> Prop:
    """e = exp(-i (pi - B) / 2) and f = exp(-i B' / 2); exp(i B) = -e^2 and exp(i B') = f'^2."""
    (e, e_bar, f, f_bar), (c, s) = HALVES, SIDE
    given = And(Eq(e * e_bar, 1), Eq(f * f_bar, 1))
    relative = Rotation(e * f * c, e_bar * f_bar * c, e_bar * f * s, e * f_bar * s)
    distance = Rotation(c, c, s, s)

    def turn(m: int, forward: Any, backward: Any) -> Any:
        return forward**m if m >= 0 else backward**-m

    equations = []
    for twice in (2, 4):
        whole, small = (of.action(twice, of.matrix(lift)) for lift in (relative, distance))
        for row in range(twice + 1):
            for column in range(twice + 1):
                out, back = row - twice // 2, column - twice // 2
                phases = turn(out, -(e**2), -(e_bar**2)) * turn(back, f**2, f_bar**2)
                value = of.sign(out) * phases * small[row, column]
                equations.append(Eq(whole[row, column], value))
    return ForAll((*HALVES, *SIDE), Implies(given, And(*equations)))


BEARINGS = Claim(
    id="spherical.bearings",
    title="A score encodes a distance and two bearings",
    kind="identity",
    definitions=Gauge(),
    depends=("spherical.gauge_phase",),
    hypotheses=(
        "$\\sigma(x) = R_z(\\varphi)R_y(\\theta)$ lifts the point $x = x(\\theta, \\varphi)$",
        "$\\beta$ is the angular distance of $x$ and $y$, $B$ the bearing of $y$ seen from $x$ and "
        "$B'$ that of $x$ seen from $y$, from north towards east; $\\sin\\beta \\ne 0$",
    ),
    clauses=(
        Clause(
            "frame",
            r"\sigma(x) = [-\text{north},\ \text{east},\ x], \quad "
            r"\text{north} = -\partial_\theta x,\ \sin\theta\,\text{east} = \partial_\varphi x",
            frame,
        ),
        Clause(
            "columns",
            r"R = R_z(\alpha)R_y(\beta)R_z(\gamma): \quad "
            r"R e_z = (\sin\beta\cos\alpha,\ \sin\beta\sin\alpha,\ \cos\beta),\quad "
            r"R^T e_z = (-\sin\beta\cos\gamma,\ \sin\beta\sin\gamma,\ \cos\beta)",
            columns,
        ),
        Clause(
            "angles",
            r"\sigma(x)^{-1}\sigma(y) = R_z(\pi - B)\,R_y(\beta)\,R_z(B')",
            angles,
        ),
        Clause(
            "score",
            r"D_{m'm}(\pi - B, \beta, B') = (-1)^{m'} e^{im'B}\,d_{m'm}(\beta)\,e^{-imB'}"
            r"\quad (l = 1, 2), \quad \text{so } s = \sum_{m', m} \bar q_{m'}\,(-1)^{m'}"
            r"e^{im'B}\,d^l_{m'm}(\beta)\,e^{-imB'} k_m",
            bearing_score,
        ),
    ),
)
