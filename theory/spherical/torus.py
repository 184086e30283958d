r"""What the representations are on one axis: rotary frequencies and generators.

Main definitions
----------------
around          the rotation by an angle about z
generator       n . J for a vector n given by n_z, n_+ = n_x + i n_y and n_- = n_x - i n_y
Dual            a number and its derivative: what is left of e when e^2 = 0

Main claims
-----------
spherical.maximal_torus, spherical.generators

Conventions
-----------
As in `posproof.theory.spherical.representations`.  J_z = diag(m) and
(J_+)_(m+1, m) = sqrt((l - m)(l + m + 1)), with m ascending; with k = l + m the root is that of
(2l - k)(k + 1), an integer.  Angles are in radians.  n_+ and n_- are conjugates of each other for a
real vector; identities of polynomials hold for independent ones.

References
----------
Derived here; no publication is quoted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import ImmutableMatrix, MatAdd, MatMul, Rational, cos, sin, sqrt

from posproof.theory.spherical.representations import (
    CAYLEY,
    DEGREES,
    ENTRYWISE,
    Complex,
    Pair,
    Quaternion,
    action,
    adjoint,
    around,
    coefficients,
    equal,
    norm,
    quaternion,
    rotation,
    scalar,
    scale,
)
from posproof.theory.symbols import Variable, sequence, total, variables
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
    Positive,
    Prop,
    Real,
)

phi, theta, delta = variables("phi theta delta", Real)
first_angle, second_angle = variables("phi_i phi_j", Real)
k, m, n, r, j = variables("k m n r j", Int(0))


def orders(twice: int) -> tuple[Any, ...]:
    """m = -l .. l."""
    return tuple(Rational(2 * index - twice, 2) for index in range(twice + 1))


# ---------------------------------------------------------------------- spherical.maximal_torus
def waves(twice: int, angle: Any) -> Complex:
    """diag(e^(-i m angle)): rotary position encoding with the frequencies -l .. l."""
    size = twice + 1
    at = orders(twice)
    return Complex(
        ImmutableMatrix(size, size, lambda i, j: cos(at[i] * angle) if i == j else 0),
        ImmutableMatrix(size, size, lambda i, j: -sin(at[i] * angle) if i == j else 0),
    )


def turning(angle: Any) -> ImmutableMatrix:
    """e^(-i angle) as a real matrix: multiplication of x + i y by it."""
    return ImmutableMatrix([[cos(angle), sin(angle)], [-sin(angle), cos(angle)]])


def tilt(angle: Any) -> Quaternion:
    """The quaternion of the rotation about y."""
    return cos(angle / 2), 0, sin(angle / 2), 0


def place(polar: Any, longitude: Any) -> Quaternion:
    """R_z(longitude) R_y(polar)."""
    c, s = cos(longitude / 2), sin(longitude / 2)
    w, _, y, _ = tilt(polar)
    return c * w, -s * y, c * y, s * w


def spins(spin: Callable[[Any], Any], top: Any, order: Any) -> Any:
    """How often the frequency `order` >= 0 occurs among spin(l) copies of -l .. l, l <= top."""
    return total(j, top + 1 - order, spin(order + j))


def multiplicity(weights: Callable[[Any], Any], spin: Any) -> Any:
    """How often the spin-l part occurs: mu(l) - mu(l + 1)."""
    return weights(spin) - weights(spin + 1)


@dataclass(frozen=True)
class Torus:
    """The definitions of `spherical.maximal_torus`; a control replaces one of them."""

    rotation: Callable[[int, Quaternion], Complex] = rotation
    around: Callable[[Any], Quaternion] = around
    tilt: Callable[[Any], Quaternion] = tilt
    place: Callable[[Any, Any], Quaternion] = place
    waves: Callable[[int, Any], Complex] = waves
    turning: Callable[[Any], ImmutableMatrix] = turning
    spins: Callable[[Any, Any, Any], Any] = spins
    multiplicity: Callable[[Any, Any], Any] = multiplicity
    power: Callable[[Any, Any], Any] = lambda b, t: sympy.exp(-t * sympy.log(b))


def restriction(of: Torus) -> Prop:
    parts = (equal(of.rotation(d, of.around(phi)), of.waves(d, phi)) for d in DEGREES)
    return ForAll(phi, And(*parts))


a, a_bar, u, v = variables("a a' u v", Real)


def every_degree(of: Torus) -> Prop:
    """What diag(a, a') does to u^k v^j with k + j = 2l, and a^k a'^j at a = e^(-i phi / 2)."""
    image = Eq((a * u) ** k * (a_bar * v) ** j, a**k * a_bar**j * (u**k * v**j))
    half, order = of.turning(phi / 2), (k - j) / 2
    powers = MatMul(sympy.MatPow(half, k), sympy.MatPow(half.T, j))
    c, s = cos(order * phi), sin(order * phi)
    return And(
        ForAll((k, j, a, a_bar, u, v), image),
        ForAll((k, j, phi), Eq(powers, ImmutableMatrix([[c, s], [-s, c]]))),
    )


def column(name: str, size: int) -> Complex:
    """A vector of arbitrary complex numbers."""
    parts = ([Variable(f"{name}{kind}{i}", Real) for i in range(size)] for kind in "ri")
    real, imag = (ImmutableMatrix(size, 1, part) for part in parts)
    return Complex(real, imag)


def latitude(of: Torus) -> Prop:
    """With T for D and weights for the Hermitian product, which is the same product."""
    parts = []
    for twice in (1, 2):
        size = twice + 1
        q, key = column("q", size), column("k", size)
        weights = ImmutableMatrix(sympy.diag(*(1 / sympy.binomial(twice, i) for i in range(size))))
        one = Complex(weights, scalar(size, 0))
        here, there = (
            of.rotation(twice, of.place(theta, at)) for at in (first_angle, second_angle)
        )
        left = (here @ q).adjoint @ one @ (there @ key)
        tilted = of.rotation(twice, of.tilt(theta))
        turn = of.waves(twice, second_angle - first_angle)
        right = (tilted @ q).adjoint @ one @ turn @ (tilted @ key)
        names = (*q.real, *q.imag, *key.real, *key.imag)
        parts.append(ForAll(names, equal(left, right)))
    return ForAll((theta, first_angle, second_angle), And(*parts))


spin, weights = sequence("c", Int(0)), sequence("mu", Int(0))


def occurring(of: Torus) -> Prop:
    """From spins to frequencies: never more often further out, and the spins can be read off."""

    def mu(order: Any) -> Any:
        return of.spins(spin, m + r, order)

    def copies(order: Any) -> Any:
        return of.multiplicity(mu, order)

    return ForAll((m, r), And(Le(mu(m + 1), mu(m)), Eq(copies(m), spin(m))))


def realised(of: Torus) -> Prop:
    """From frequencies to spins."""
    falls = ForAll(k, Implies(Le(k, m + r), Le(weights(k + 1), weights(k))))
    premise = And(falls, Eq(weights(m + r + 1), 0))

    def copies(order: Any) -> Any:
        return of.multiplicity(weights, order)

    goal = And(Le(0, copies(m)), Eq(of.spins(copies, m + r, m), weights(m)))
    return ForAll((m, r), Implies(premise, goal))


b, t = variables("b t", Positive)


def vanilla(of: Torus) -> Prop:
    """b^-t for b > 1 lies strictly between two integers; so does no m, and 0 never occurs."""
    frequency = of.power(b, t)
    return ForAll((b, t), Implies(Lt(1, b), And(Lt(0, frequency), Lt(frequency, 1))))


MAXIMAL_TORUS = Claim(
    id="spherical.maximal_torus",
    title="On one axis a representation is RoPE with integer frequencies, and which ones occur",
    kind="classification",
    definitions=Torus(),
    stance="sharpened",
    reading=(
        "'Vanilla RoPE as a special case', read of the rotations about one axis: the frequencies "
        "are -l .. l. A finite multiset of frequencies occurs exactly when it is symmetric and "
        "falls outwards; the geometric ladder of vanilla RoPE does not."
    ),
    depends=("spherical.polynomial_entries",),
    clauses=(
        Clause(
            "restriction",
            r"D^l(R_z(\varphi)) = \operatorname{diag}(e^{-im\varphi})_{m = -l, \dots, l} "
            r"\quad (2l = 1, \dots, 6)",
            restriction,
        ),
        Clause(
            "every_degree",
            r"(au)^k (a'v)^j = a^k a'^j\, u^k v^j, \quad "
            r"(e^{-i\varphi/2})^k\,(e^{i\varphi/2})^j = e^{-im\varphi},\ "
            r"m = \tfrac{k - j}2 = k - l \quad (k + j = 2l, \text{ all } l)",
            every_degree,
        ),
        Clause(
            "latitude",
            r"\langle D(\sigma_i) q, D(\sigma_j) k \rangle = "
            r"\sum_m \overline{(d(\theta) q)_m}\,(d(\theta) k)_m\, e^{-im(\varphi_j - \varphi_i)}, "
            r"\quad \sigma = R_z(\varphi) R_y(\theta) \quad (l = \tfrac12, 1)",
            latitude,
        ),
        Clause(
            "occurring",
            r"\mu(m) = \sum_{l=m}^{L} c(l) \quad\implies\quad \mu(m+1) \le \mu(m),\ "
            r"\mu(m) - \mu(m+1) = c(m) \quad (m \le L)",
            occurring,
        ),
        Clause(
            "realised",
            r"\mu(k+1) \le \mu(k) \text{ for } k \le L,\ \mu(L+1) = 0 \quad\implies\quad "
            r"c(l) = \mu(l) - \mu(l+1) \ge 0,\ \sum_{l=m}^{L} c(l) = \mu(m) \quad (m \le L)",
            realised,
        ),
        Clause(
            "vanilla",
            r"b > 1,\ t > 0 \implies 0 < b^{-t} < 1: \text{ no integer}",
            vanilla,
        ),
    ),
)


# ---------------------------------------------------------------------- spherical.generators
def ladder(twice: int, index: int) -> Any:
    """sqrt((l - m)(l + m + 1)) at index = l + m."""
    return sqrt((twice - index) * (index + 1))


def generator(twice: int, n_z: Any, n_plus: Any, n_minus: Any) -> ImmutableMatrix:
    """n . J = n_z J_z + (n_- J_+ + n_+ J_-) / 2."""
    at = orders(twice)

    def cell(row: int, col: int) -> Any:
        if row == col:
            return at[row] * n_z
        if row == col + 1:
            return n_minus * ladder(twice, col) / 2
        return n_plus * ladder(twice, row) / 2 if col == row + 1 else 0

    return ImmutableMatrix(twice + 1, twice + 1, cell)


def axes(twice: int) -> tuple[Complex, Complex, Complex]:
    """J_x, J_y, J_z."""
    zero = scalar(twice + 1, 0)
    return (
        Complex(generator(twice, 0, 1, 1), zero),
        Complex(zero, generator(twice, 0, 1, -1)),
        Complex(generator(twice, 1, 0, 0), zero),
    )


class Dual(Pair):
    """value + slope e with e^2 = 0."""

    def squared(self, other: Pair) -> Any:
        return 0

    @property
    def value(self) -> Any:
        return self.first

    @property
    def slope(self) -> Any:
        return self.second


def linearised(twice: int, p: Any, q: Any, r: Any, s: Any) -> list[list[Dual]]:
    """T(1 + e [[p, r], [q, s]]) up to the first order in e."""
    entries = (Dual(1, p), Dual(0, q), Dual(0, r), Dual(1, s))
    return [
        [cell if isinstance(cell, Dual) else Dual(cell, 0) for cell in row]
        for row in coefficients(twice, *entries)
    ]


@dataclass(frozen=True)
class Generators:
    """The definitions of `spherical.generators`; a control replaces one of them."""

    axes: Callable[[int], tuple[Complex, Complex, Complex]] = axes
    generator: Callable[[int, Any, Any, Any], ImmutableMatrix] = generator
    linearised: Callable[..., list[list[Dual]]] = linearised
    action: Callable[[int, ImmutableMatrix], ImmutableMatrix] = action
    quaternion: Callable[[Any, Any, Any, Any], ImmutableMatrix] = quaternion
    adjoint: Callable[[Any, Any, Any, Any], ImmutableMatrix] = adjoint
    scale: Callable[[int, int, int], Any] = scale
    casimir: Callable[[Any], Any] = lambda spin: spin * (spin + 1)
    steepest: Callable[[Any], Any] = lambda twice: twice / 2


def difference(left: Complex, right: Complex) -> Complex:
    return Complex(
        MatAdd(left.real, MatMul(-1, right.real)), MatAdd(left.imag, MatMul(-1, right.imag))
    )


def commutators(of: Generators) -> Prop:
    parts = []
    for twice in ENTRYWISE:
        J = of.axes(twice)
        for index in range(3):
            a, b, c = (J[(index + shift) % 3] for shift in range(3))
            turned = Complex(MatMul(-1, c.imag), c.real)
            parts.append(equal(difference(a @ b, b @ a), turned))
    return And(*parts)


def casimir(of: Generators) -> Prop:
    parts = []
    for twice in ENTRYWISE:
        squares = [a @ a for a in of.axes(twice)]
        value = of.casimir(Rational(twice, 2))
        parts.append(Eq(MatAdd(*(s.real for s in squares)), scalar(twice + 1, value)))
        parts.append(Eq(MatAdd(*(s.imag for s in squares)), scalar(twice + 1, 0)))
    return And(*parts)


VECTOR = variables("n_z n_+ n_-", Real)
(lam,) = variables("lambda", Real)


def characteristic(of: Generators) -> Prop:
    n_z, n_plus, n_minus = VECTOR
    square = n_z**2 + n_plus * n_minus
    parts = []
    for twice in (1, 2, 3, 4):
        matrix = scalar(twice + 1, lam) - of.generator(twice, *VECTOR)
        roots = [lam**2 - order**2 * square for order in orders(twice) if order > 0]
        alone = lam if twice % 2 == 0 else 1
        parts.append(Eq(sympy.Determinant(matrix), alone * sympy.Mul(*roots)))
    return ForAll((lam, *VECTOR), And(*parts))


def linear_term(of: Generators) -> Prop:
    """The slope of T at 1 in the direction (1/2) [[n_z, n_-], [n_+, -n_z]], scaled as D is."""
    n_z, n_plus, n_minus = (part / 2 for part in VECTOR)
    parts = []
    for twice in ENTRYWISE:
        form = of.linearised(twice, n_z, n_plus, n_minus, -n_z)
        size = twice + 1
        values = ImmutableMatrix(size, size, lambda i, j, form=form: form[i][j].value)
        slopes = ImmutableMatrix(
            size, size, lambda i, j, form=form, d=twice: form[i][j].slope * of.scale(d, i, j)
        )
        parts += [Eq(values, scalar(size, 1)), Eq(slopes, of.generator(twice, *VECTOR))]
    return ForAll(VECTOR, And(*parts))


def axis(a: Any, a_bar: Any, b: Any, b_bar: Any) -> tuple[Any, Any, Any]:
    """n_z, n_+ and n_- of |q|^2 times the axis that U turns z to."""
    return a * a_bar - b * b_bar, 2 * a_bar * b, 2 * a * b_bar


E_PAIR = variables("e e'", Real)


def axis_angle(of: Generators) -> Prop:
    """U diag(e, e') U^H and what T of it does to J_z."""
    e, e_bar = E_PAIR
    one, other = of.quaternion(*CAYLEY), of.adjoint(*CAYLEY)
    length, direction = norm(*CAYLEY), axis(*CAYLEY)
    n_z, n_plus, n_minus = direction
    turned = ImmutableMatrix([[n_z, n_minus], [n_plus, -n_z]])
    middle = ImmutableMatrix([[e, 0], [0, e_bar]])
    whole = MatAdd(scalar(2, (e + e_bar) * length / 2), MatMul((e - e_bar) / 2, turned))
    parts: list[Prop] = [ForAll(E_PAIR, Eq(MatMul(one, middle, other), whole))]
    for twice in ENTRYWISE:
        size = twice + 1
        here, back = of.action(twice, one), of.action(twice, other)
        moved = here * of.generator(twice, 1, 0, 0) * back
        scaled = ImmutableMatrix(
            size, size, lambda i, j, moved=moved, d=twice: moved[i, j] * of.scale(d, i, j)
        )
        expected = of.generator(twice, *direction) * length ** (twice - 1)
        parts.append(Eq(scaled, expected))
    return ForAll(CAYLEY, And(*parts))


x, y = sequence("x"), sequence("y")


def lipschitz(of: Generators) -> Prop:
    """|(D(R_z(delta)) - 1) v|^2, of components x + i y, for every degree n = 2l."""
    order = k - n / 2
    moved = (cos(order * delta) - 1) ** 2 + sin(order * delta) ** 2
    eigenvalue = Eq(moved, 4 * sin(order * delta / 2) ** 2)
    before = total(k, n + 1, x(k) ** 2 + y(k) ** 2)
    after = total(k, n + 1, moved * (x(k) ** 2 + y(k) ** 2))
    bound = Le(after, (of.steepest(n) * delta) ** 2 * before)
    return And(ForAll((n, k, delta), eigenvalue), ForAll((n, delta), bound))


GENERATORS = Claim(
    id="spherical.generators",
    title="The generators: commutators, spectrum, axis and angle, and how fast D turns",
    kind="identity",
    definitions=Generators(),
    depends=("spherical.polynomial_entries", "spherical.group_law"),
    clauses=(
        Clause(
            "commutators",
            r"[J_x, J_y] = i J_z,\ [J_y, J_z] = i J_x,\ [J_z, J_x] = i J_y "
            r"\quad (l = \tfrac12, 1, \tfrac32, 2, 3)",
            commutators,
        ),
        Clause(
            "casimir",
            r"J_x^2 + J_y^2 + J_z^2 = l(l+1)\, I \quad (l = \tfrac12, 1, \tfrac32, 2, 3)",
            casimir,
        ),
        Clause(
            "characteristic",
            r"\det(\lambda - n \cdot J) = \prod_{m=-l}^{l} (\lambda - m |n|), \quad "
            r"|n|^2 = n_z^2 + n_+ n_- \quad (l = \tfrac12, 1, \tfrac32, 2)",
            characteristic,
        ),
        Clause(
            "linear_term",
            r"D^l\!\left(1 + \tfrac{\varepsilon}{2} n \cdot \sigma\right) = "
            r"1 + \varepsilon\, n \cdot J + O(\varepsilon^2) "
            r"\quad (l = \tfrac12, 1, \tfrac32, 2, 3)",
            linear_term,
        ),
        Clause(
            "axis_angle",
            r"U \operatorname{diag}(e, e')\, U^\dagger = "
            r"|q|^2\,\tfrac{e + e'}2 + \tfrac{e - e'}2\, n \cdot \sigma, \quad "
            r"D^l(U)\, J_z\, D^l(U^\dagger) = |q|^{4l-2}\, n \cdot J, \quad "
            r"n_z = aa' - bb',\ n_+ = 2a'b,\ n_- = 2ab' "
            r"\quad (l = \tfrac12, 1, \tfrac32, 2, 3)",
            axis_angle,
        ),
        Clause(
            "lipschitz",
            r"|e^{-im\delta} - 1|^2 = 4 \sin^2 \tfrac{m\delta}2, \quad "
            r"\sum_m |e^{-im\delta} - 1|^2 |v_m|^2 \le (l\delta)^2 \sum_m |v_m|^2 "
            r"\quad \text{for all } l",
            lipschitz,
        ),
    ),
)
