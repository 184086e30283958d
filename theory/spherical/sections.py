r"""Points of the sphere are not rotations: scores of lifts, of points, and of their mirror images.

Main definitions
----------------
score(left, right)    left* right, what stands between q* and k
turn_y, turn_z        rotations of space, HALF_X a half-turn
section(theta, phi)   R_z(phi) R_y(theta), which carries the north pole to a point
north, south          sections that are regular except at one pole
reversed_index        (F q)_m = q_(-m)

Main claims
-----------
spherical.relative_score, spherical.sections, spherical.mirrors

Conventions
-----------
R_x, R_y, R_z are active rotations; a point has polar angle theta from the north pole and azimuth
phi.  The gauge angle chi of R at x is defined by R section(x) = section(R x) R_z(chi).  Operators
are elements of any ring, matrices of every size padded by zeros among them; D stands for the matrix
of a rotation in any unitary representation, D' for its adjoint.  twice = 2 l, k = l + m, and
D = W^(-1/2) T W^(1/2) with W_k = binomial(2l, k) and T of `theory.spherical.representations`, where
a, a*, b, b* are written as four variables: each statement is one between polynomials.

References
----------
Derived here; no publication is quoted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import ImmutableMatrix as Matrix
from sympy import Integer, Rational, binomial, cos, pi, sin

from posproof.theory.operators import UNIT, unknowns
from posproof.theory.spherical.representations import action, quaternion
from posproof.theory.symbols import Variable, sequence, total, variables
from posproof.theory.vocabulary import (
    And,
    Claim,
    Clause,
    Eq,
    Exists,
    ForAll,
    Iff,
    Implies,
    Int,
    Le,
    Lt,
    Ne,
    Or,
    Prop,
    Real,
)
from posproof.theory.vocabulary import Integer as Whole

theta, phi, alpha = variables("theta phi alpha", Real)
n, at = Variable("n", Int(0)), Variable("s", Int(0))
q_row, k_column, left, left_adjoint, right = unknowns("q' k D_i D_i' D_j")
right_adjoint, common, common_adjoint = unknowns("D_j' G G'")
#: 2l for which a clause about D^l is proved.
DEGREES = (1, 2, 3, 4)


# ---------------------------------------------------------------------- rotations of space
def turn_z(angle: Any) -> Matrix:
    c, s = cos(angle), sin(angle)
    return Matrix([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def turn_y(angle: Any) -> Matrix:
    c, s = cos(angle), sin(angle)
    return Matrix([[c, 0, s], [0, 1, 0], [-s, 0, c]])


#: R_x(pi).
HALF_X = Matrix(sympy.diag(1, -1, -1))


def section(theta: Any, phi: Any) -> Matrix:
    """R_z(phi) R_y(theta): its last column is the point."""
    return turn_z(phi) * turn_y(theta)


def rational_turn(cosine: Any, sine: Any, first: int, second: int) -> Matrix:
    """The rotation of the plane of two axes with a given cosine and sine."""
    rows = sympy.eye(3)
    rows[first, first] = rows[second, second] = cosine
    rows[first, second], rows[second, first] = -sine, sine
    return Matrix(rows)


# ---------------------------------------------------------------------- spherical.relative_score
@dataclass(frozen=True)
class Relative:
    """The definitions of `spherical.relative_score`; a control replaces one of them."""

    action: Callable[[int, Matrix], Matrix] = action
    quaternion: Callable[..., Matrix] = quaternion
    #: Of a rotation, its adjoint, and of another rotation with its adjoint.
    score: Callable[[Any, Any, Any, Any], Any] = lambda left, left_adjoint, right, right_adjoint: (
        left_adjoint @ right
    )
    moved: Callable[[Any, Any], Any] = lambda common, rotation: common @ rotation
    moved_adjoint: Callable[[Any, Any], Any] = lambda common, rotation: rotation @ common
    weight: Callable[[int, int], Any] = lambda twice, k: 1 / binomial(twice, k)
    product: Callable[[Any, Any, Any, Any], tuple[Any, Any]] = lambda a, b, c, d: (
        a * c + b * d,
        a * d - b * c,
    )


def relative(of: Relative) -> Prop:
    """T_i* W^(-1) T_j = W^(-1) T(U_i* U_j), entry by entry of a, a*, b, b*."""
    one, other = variables("a a' b b'", Real), variables("c c' d d'", Real)
    a, a_bar, b, b_bar = one
    first, second = of.quaternion(*one), of.quaternion(*other)
    conjugate = of.quaternion(a_bar, a, -b, -b_bar)
    parts = []
    for twice in DEGREES:
        form = Matrix(sympy.diag(*(of.weight(twice, k) for k in range(twice + 1))))
        starred = Matrix(of.action(twice, of.quaternion(a_bar, a, b_bar, b)).T)
        whole = starred * form * of.action(twice, second)
        parts.append(Eq(whole, form * of.action(twice, conjugate * second)))
    parts.append(Eq(conjugate * first, (a * a_bar + b * b_bar) * Matrix(sympy.eye(2))))
    return ForAll((*one, *other), And(*parts))


def left_invariant(of: Relative) -> Prop:
    before = of.score(left, left_adjoint, right, right_adjoint)
    after = of.score(
        of.moved(common, left),
        of.moved_adjoint(common_adjoint, left_adjoint),
        of.moved(common, right),
        of.moved_adjoint(common_adjoint, right_adjoint),
    )
    names = (
        q_row,
        k_column,
        left,
        left_adjoint,
        right,
        right_adjoint,
        common,
        common_adjoint,
    )
    goal = Eq((q_row @ after) @ k_column, (q_row @ before) @ k_column)
    return ForAll(names, Implies(Eq(common_adjoint @ common, UNIT), goal))


def right_action(of: Relative) -> Prop:
    """On the right a rotation has to be absorbed by q and k; with e_1 it shows."""
    before = of.score(left, left_adjoint, right, right_adjoint)
    after = of.score(
        left @ common, common_adjoint @ left_adjoint, right @ common, common_adjoint @ right_adjoint
    )
    absorbed = Eq(
        (q_row @ after) @ k_column, ((q_row @ common_adjoint) @ before) @ (common @ k_column)
    )
    names = (q_row, k_column, left, left_adjoint, right, right_adjoint, common, common_adjoint)
    here = rational_turn(Rational(3, 5), Rational(4, 5), 0, 1)
    quarter = rational_turn(Integer(0), Integer(1), 0, 2)
    turned = here * quarter
    return And(
        ForAll(names, absorbed),
        Eq(here.T[0, 0], Rational(3, 5)),
        Eq((turned.T * quarter)[0, 0], 1),
    )


q_real, q_imag, k_real, k_imag, stacked_q, stacked_k = (
    sequence(name) for name in ("qr", "qi", "kr", "ki", "x", "y")
)


def score_parts(of: Relative) -> tuple[Any, Any]:
    """Real and imaginary part of the sum of conj(q) k over s < n."""
    real, imag = of.product(q_real(at), q_imag(at), k_real(at), k_imag(at))
    return total(at, n, real), total(at, n, imag)


def factorised(of: Relative) -> Prop:
    """Real and imaginary parts stacked: one real product of dimension 2 n for each part."""
    i = Variable("i", Int(0))
    real, imag = score_parts(of)
    placed = And(
        Eq(stacked_q(i), q_real(i)),
        Eq(stacked_q(n + i), q_imag(i)),
    )
    for_real = And(Eq(stacked_k(i), k_real(i)), Eq(stacked_k(n + i), k_imag(i)))
    for_imag = And(Eq(stacked_k(i), k_imag(i)), Eq(stacked_k(n + i), -k_real(i)))
    whole = total(at, 2 * n, stacked_q(at) * stacked_k(at))
    inside = Lt(i, n)
    return And(
        *(
            ForAll(n, Implies(ForAll(i, Implies(inside, And(placed, key))), Eq(whole, part)))
            for key, part in ((for_real, real), (for_imag, imag))
        )
    )


def squared_lengths() -> tuple[Any, Any]:
    """Of q and of k."""
    query = total(at, n, q_real(at) ** 2 + q_imag(at) ** 2)
    return query, total(at, n, k_real(at) ** 2 + k_imag(at) ** 2)


def bounded(of: Relative) -> Prop:
    real, imag = score_parts(of)
    query, key = squared_lengths()
    return ForAll(n, Implies(Lt(0, query), Le(real**2 + imag**2, query * key)))


RELATIVE_SCORE = Claim(
    id="spherical.relative_score",
    title="Scores of rotations depend on the relative rotation",
    kind="identity",
    definitions=Relative(),
    clauses=(
        Clause(
            "relative",
            r"D_i^\dagger D_j = D(R_i^{-1}R_j): \quad "
            r"T_i^\dagger W^{-1}T_j = W^{-1}\,T(U_i^\dagger U_j), \quad "
            r"D = W^{-1/2}\,T\,W^{1/2} \quad (2l = 1, \dots, 4)",
            relative,
        ),
        Clause(
            "left_invariant",
            r"G^\dagger G = I \implies \quad "
            r"q^\dagger (GD_i)^\dagger(GD_j)\,k \quad = q^\dagger D_i^\dagger D_j\,k",
            left_invariant,
        ),
        Clause(
            "right_action",
            r"q^\dagger (D_iG)^\dagger(D_jG)\,k \quad = (Gq)^\dagger D_i^\dagger D_j\,(Gk); \quad "
            r"R_i = R_z(\tfrac35, \tfrac45),\ R_j = I, \quad q = k = e_1: \quad \tfrac35 \to 1",
            right_action,
        ),
        Clause(
            "factorised",
            r"\mathrm{Re}\,q^\dagger k \quad "
            r"= (\mathrm{Re}\,q, \mathrm{Im}\,q)\cdot(\mathrm{Re}\,k, \mathrm{Im}\,k), \quad "
            r"\mathrm{Im}\,q^\dagger k \quad "
            r"= (\mathrm{Re}\,q, \mathrm{Im}\,q)\cdot(\mathrm{Im}\,k, -\mathrm{Re}\,k)",
            factorised,
        ),
        Clause(
            "bounded",
            r"|q^\dagger k|^2 \le \|q\|^2\,\|k\|^2 \quad (q \ne 0)",
            bounded,
        ),
    ),
)


# ---------------------------------------------------------------------- spherical.mirrors
centre, left_mirror, left_back = Variable("c", Int(0)), *unknowns("Z Z'")
feature, feature_adjoint = unknowns("F F'")
low, high = variables("i j", Whole)
FLIPPED_DEGREES = (1, 2, 3, 4, 5, 6)


def axes_block(block: Matrix) -> Matrix:
    """A 2 x 2 block about the z axis, with 1 in the corner."""
    return Matrix(sympy.BlockDiagMatrix(block, Matrix([[1]])).as_explicit())


@dataclass(frozen=True)
class Mirrors:
    """The definitions of `spherical.mirrors`; a control replaces one of them."""

    section: Callable[[Any, Any], Matrix] = section
    equatorial: Matrix = Matrix(sympy.diag(1, 1, -1))
    meridional: Matrix = Matrix(sympy.diag(1, -1, 1))
    half_x: Callable[[], Matrix] = lambda: HALF_X
    half_y: Callable[[], Matrix] = lambda: turn_y(pi)
    half_z: Callable[[], Matrix] = lambda: turn_z(pi)
    action: Callable[[int, Matrix], Matrix] = action
    quaternion: Callable[..., Matrix] = quaternion
    sign_of_meridian: Callable[[int, int], int] = lambda twice, k: (-1) ** (twice - k)
    score: Callable[[Any, Any], Any] = lambda left_adjoint, right: left_adjoint @ right
    reversed_index: Callable[[Any, Any], Any] = lambda centre, i: centre - i
    #: Signs of the eigenspaces of q and of k.
    eigenspaces: tuple[tuple[int, int], ...] = ((1, 1), (-1, -1))
    pseudovector: Callable[[Matrix, Matrix], Matrix] = lambda R, omega: R.det() * R * omega


def equator(of: Mirrors) -> Prop:
    here, there = of.section(theta, phi), of.section(pi - theta, phi)
    return ForAll(
        (theta, phi),
        And(
            Eq(there[:, 2], of.equatorial * here[:, 2]),
            Eq(there, of.half_z() * here * of.half_x()),
        ),
    )


def meridian(of: Mirrors) -> Prop:
    here, there = of.section(theta, phi), of.section(theta, -phi)
    return ForAll(
        (theta, phi),
        And(
            Eq(there[:, 2], of.meridional * here[:, 2]),
            Eq(there, of.half_y().T * here * of.half_y()),
        ),
    )


def flips(of: Mirrors) -> Prop:
    """U of R_x(pi) is -i [[0, 1], [1, 0]] and U of R_y(pi) has b = 1; T is homogeneous."""
    scale, *entries = variables("c p q r s", Real)
    exchange = Matrix([[0, 1], [1, 0]])
    whole = Matrix(2, 2, entries)
    parts: list[Prop] = []
    for twice in FLIPPED_DEGREES:
        size = twice + 1
        reverse = Matrix(size, size, lambda row, column, n=twice: int(row + column == n))
        signs = sympy.diag(*(of.sign_of_meridian(twice, k) for k in range(size)))
        parts += [
            Eq(of.action(twice, exchange), reverse),
            Eq(of.action(twice, of.quaternion(0, 0, 1, 1)), Matrix(reverse * signs)),
            Eq(of.action(twice, scale * whole), scale**twice * of.action(twice, whole)),
        ]
    return ForAll((scale, *entries), And(*parts))


def mirrored_score(of: Mirrors) -> Prop:
    """(Z D F)* (Z E F) = F* D* E F: only what stands behind the section is left."""
    names = (left_mirror, left_back, feature, feature_adjoint, left_adjoint, right)
    premise = Eq(left_back @ left_mirror, UNIT)
    after = of.score((feature_adjoint @ left_adjoint) @ left_back, (left_mirror @ right) @ feature)
    goal = Eq(after, (feature_adjoint @ of.score(left_adjoint, right)) @ feature)
    return ForAll(names, Implies(premise, goal))


def inside(i: Any) -> Prop:
    return And(Le(0, i), Le(i, centre))


def products_agree(of: Mirrors, i: Any, j: Any) -> tuple[Prop, ...]:
    """conj(q_(F i)) k_(F j) = conj(q_i) k_j, real and imaginary part."""

    def product(i: Any, j: Any) -> tuple[Any, Any]:
        a, b, c, d = q_real(i), q_imag(i), k_real(j), k_imag(j)
        return a * c + b * d, a * d - b * c

    there = product(of.reversed_index(centre, i), of.reversed_index(centre, j))
    return tuple(Eq(x, y) for x, y in zip(there, product(i, j), strict=True))


def somewhere(real: Any, imag: Any) -> Prop:
    return Exists(low, And(inside(low), Ne(real(low) ** 2 + imag(low) ** 2, 0)))


def eigen(of: Mirrors, signs: tuple[int, int]) -> Prop:
    """F q = sign q and F k = sign k."""
    place = of.reversed_index(centre, low)
    of_q, of_k = signs
    parts = [Eq(part(place), of_q * part(low)) for part in (q_real, q_imag)]
    parts += [Eq(part(place), of_k * part(low)) for part in (k_real, k_imag)]
    return ForAll(low, Implies(inside(low), And(*parts)))


def eigenspaces(of: Mirrors) -> Prop:
    agree = ForAll(
        low,
        Implies(
            inside(low),
            ForAll(high, Implies(inside(high), And(*products_agree(of, low, high)))),
        ),
    )
    same = Or(*(eigen(of, signs) for signs in of.eigenspaces))
    premise = And(somewhere(q_real, q_imag), somewhere(k_real, k_imag))
    return ForAll(centre, Implies(premise, Iff(agree, same)))


def spanned(of: Mirrors) -> Prop:
    """Every matrix unit is half the sum of two rotations; the rotations are relative sections."""
    cycle = Matrix([[0, 1, 0], [0, 0, 1], [1, 0, 0]])
    half_turns = (of.half_x(), of.half_y(), of.half_z())
    parts: list[Prop] = []
    for row in range(3):
        for power in range(3):
            turn = cycle**power
            unit = sympy.zeros(3, 3)
            unit[row, (row + power) % 3] = 1
            parts.append(Eq((turn + half_turns[row] * turn) / 2, Matrix(unit)))
    parts.append(And(Eq(cycle.T * cycle, Matrix(sympy.eye(3))), Eq(cycle.det(), 1)))
    euler = Eq(
        of.section(theta, 0).T * of.section(alpha, phi),
        turn_y(-theta) * turn_z(phi) * turn_y(alpha),
    )
    return And(*parts, ForAll((theta, phi, alpha), euler))


def pseudovector(of: Mirrors) -> Prop:
    cells = variables("r0 r1 r2 r3 r4 r5 r6 r7 r8", Real)
    R = Matrix(3, 3, cells)
    pole = Matrix([0, 0, 1])
    isometry = And(
        Eq(R.T * R, Matrix(sympy.eye(3))),
        Eq(R * R.T, Matrix(sympy.eye(3))),
    )
    about = And(
        *(Eq(R[place], 0) for place in ((0, 2), (1, 2), (2, 0), (2, 1))),
        Eq(R[0, 0], R[1, 1]),
        Eq(R[0, 1], -R[1, 0]),
        Eq(R[2, 2] ** 2, 1),
    )
    kept = Eq(of.pseudovector(R, pole), pole)
    values = (
        Eq(of.pseudovector(of.equatorial, pole), pole),
        Eq(of.pseudovector(of.meridional, pole), -pole),
        Eq(of.pseudovector(of.half_x(), pole), -pole),
    )
    return And(ForAll(cells, Implies(isometry, Iff(kept, about))), *values)


MIRRORS = Claim(
    id="spherical.mirrors",
    title="Mirrors, and what a rotating sphere asks for",
    kind="classification",
    definitions=Mirrors(),
    hypotheses=("integer l where q and k are compared with their mirror images",),
    clauses=(
        Clause(
            "equator",
            r"M_z = \mathrm{diag}(1,1,-1):\quad "
            r"\sigma(M_zx) = \quad R_z(\pi)\,\sigma(x)\,R_x(\pi)",
            equator,
        ),
        Clause(
            "meridian",
            r"M_y = \mathrm{diag}(1,-1,1):\quad "
            r"\sigma(M_yx) = \quad R_y(\pi)^{-1}\,\sigma(x)\,R_y(\pi)",
            meridian,
        ),
        Clause(
            "flips",
            r"D(R_x(\pi)) = (-i)^{2l}F, \quad (Fq)_m = q_{-m}; \quad "
            r"D(R_y(\pi))_{m'm} \quad = (-1)^{l-m}\,\delta_{m',-m} \quad (2l = 1, \dots, 6)",
            flips,
        ),
        Clause(
            "mirrored_score",
            r"Z^\dagger Z = I \implies \quad "
            r"(ZD_xF)^\dagger(ZD_yF) \quad = F^\dagger D_x^\dagger D_y F",
            mirrored_score,
        ),
        Clause(
            "eigenspaces",
            r"\overline{q_{-i}}\,k_{-j} = \overline{q_i}\,k_j \quad (|i|, |j| \le l) \iff \quad "
            r"Fq = q,\ Fk = k \ \text{ or } \quad Fq = -q,\ Fk = -k \quad (q, k \ne 0)",
            eigenspaces,
        ),
        Clause(
            "spanned",
            r"E_{rs} = \tfrac12(P + HP), \quad P, HP \in SO(3); \quad "
            r"\sigma(x)^{-1}\sigma(y) \quad = R_y(-\theta)\,R_z(\phi)\,R_y(\theta')",
            spanned,
        ),
        Clause(
            "pseudovector",
            r"R^{\mathsf T}R = I:\quad \det(R)\,Re_z = e_z \iff \quad R = R_z(\alpha) "
            r"\text{ or } R_z(\alpha)\,M_z; \quad M_y, R_x(\pi):\ e_z \mapsto -e_z",
            pseudovector,
        ),
    ),
)


# ---------------------------------------------------------------------- spherical.sections
frame_x, frame_y, frame_x_adjoint, frame_y_adjoint = unknowns("h_x h_y h_x' h_y'")
carried_x, carried_x_adjoint, carried_y = unknowns("E_x E_x' E_y")
content_q, content_k = unknowns("Q' K")
epsilon = Variable("epsilon", Real)
order, other_order, apart = variables("m m' r", Whole)
COUNTER = Rational(3, 5), Rational(4, 5)


def north_formula(p: Any) -> Matrix:
    """I + K + K^2 / (1 + z) of a point (x, y, z): regular except at the south pole."""
    x, y, z = p
    K = Matrix([[0, 0, x], [0, 0, y], [-x, -y, 0]])
    return Matrix(sympy.eye(3)) + K + K * K / (1 + z)


def north(theta: Any, phi: Any) -> Matrix:
    return section(theta, phi) * turn_z(-phi)


def south(theta: Any, phi: Any) -> Matrix:
    return section(theta, phi) * turn_z(phi)


@dataclass(frozen=True)
class Sections:
    """The definitions of `spherical.sections`; a control replaces one of them."""

    section: Callable[[Any, Any], Matrix] = section
    north: Callable[[Any, Any], Matrix] = north
    south: Callable[[Any, Any], Matrix] = south
    north_formula: Callable[[Any], Matrix] = north_formula
    action: Callable[[int, Matrix], Matrix] = action
    quaternion: Callable[..., Matrix] = quaternion
    score: Callable[[Any, Any], Any] = lambda left_adjoint, right: left_adjoint @ right
    #: The frame at the rotated point from the rotation, the old frame and the inverse gauge.
    carried: Callable[[Any, Any, Any], Any] = lambda common, lift, gauge_inverse: (
        (common @ lift) @ gauge_inverse
    )
    phase: Callable[[int, int], int] = lambda twice, k: 2 * k - twice
    half_turn_gauge: Any = pi
    parity_difference: Callable[[Any], Any] = lambda r: 2 * r
    winding: int = 2
    gauge_wave: Callable[[Any], Any] = cos
    channel: int = 0
    broken_score: Any = Rational(3, 5)

    def point(self, theta: Any, phi: Any) -> Matrix:
        """The last column of the section."""
        return self.section(theta, phi)[:, 2]

    def from_sines(self, c: Any, s: Any, e: Any, f: Any) -> Matrix:
        """The section from cosine and sine of phi, then of theta, all rational."""
        return rational_turn(c, s, 0, 1) * rational_turn(e, -f, 0, 2)

    def channel_score(self, left: Matrix, right: Matrix) -> Any:
        return (left.T * right)[self.channel, self.channel]


def gauge(of: Sections) -> Prop:
    """R section(x) = section(R x) h_x, and R* R = 1."""
    after = of.score(
        ((frame_x @ left_adjoint) @ common_adjoint), of.carried(common, right, frame_y)
    )
    before = of.score(left_adjoint, right)
    goal = Eq((q_row @ after) @ k_column, ((q_row @ frame_x) @ before) @ (frame_y @ k_column))
    names = (
        q_row, k_column, left_adjoint, right, common, common_adjoint, frame_x, frame_y,
    )  # fmt: skip
    return ForAll(names, Implies(Eq(common_adjoint @ common, UNIT), goal))


def phases(of: Sections) -> Prop:
    """T of R_z is diagonal: a^k a*^(2l - k), that is (a/|a|)^(2 m) at |a| = 1."""
    a, a_bar = variables("a a'", Real)
    parts = []
    for twice in FLIPPED_DEGREES:
        diagonal = sympy.zeros(twice + 1, twice + 1)
        for k in range(twice + 1):
            m_twice = of.phase(twice, k)
            diagonal[k, k] = a ** ((twice + m_twice) // 2) * a_bar ** ((twice - m_twice) // 2)
        parts.append(Eq(of.action(twice, of.quaternion(a, a_bar, 0, 0)), Matrix(diagonal)))
    return ForAll((a, a_bar), And(*parts))


def symmetric_turns(of: Sections) -> Prop:
    """z-rotations have gauge 0, R_x(pi) has gauge pi."""
    here = of.section(theta, phi)
    point = Matrix([sin(theta) * cos(phi), sin(theta) * sin(phi), cos(theta)])
    return ForAll(
        (theta, phi, alpha),
        And(
            Eq(of.point(theta, phi), point),
            Eq(turn_z(alpha) * here, of.section(theta, phi + alpha)),
            Eq(HALF_X * here, of.section(pi - theta, -phi) * turn_z(of.half_turn_gauge)),
        ),
    )


def parity(of: Sections) -> Prop:
    """Phases e^(i m pi) and e^(-i m' pi) of two orders of one parity cancel."""
    both = cos(order * pi) * cos((order + of.parity_difference(apart)) * pi)
    return ForAll((order, apart), Eq(both, 1))


def modulus(of: Sections) -> Prop:
    """|T_kk|^2 is a polynomial in |a|^2 and |b|^2, and (section* section)_33 = x . y."""
    a, a_bar, b, b_bar, c, c_bar, d, d_bar = variables("a a' b b' c c' d d'", Real)
    same = And(Eq(a * a_bar, c * c_bar), Eq(b * b_bar, d * d_bar))
    parts: list[Prop] = []
    for twice in DEGREES:
        squares = []
        for entries in ((a, a_bar, b, b_bar), (c, c_bar, d, d_bar)):
            here, bar = (
                of.action(twice, of.quaternion(*place))
                for place in (entries, (entries[1], entries[0], entries[3], entries[2]))
            )
            squares.append([here[k, k] * bar[k, k] for k in range(twice + 1)])
        parts += [Eq(x, y) for x, y in zip(*squares, strict=True)]
    psi, chi = variables("psi chi", Real)
    here, there = of.section(theta, phi), of.section(psi, chi)
    distance = Eq((here.T * there)[2, 2], (of.point(theta, phi).T * of.point(psi, chi))[0])
    names = (a, a_bar, b, b_bar, c, c_bar, d, d_bar)
    return And(ForAll(names, Implies(same, And(*parts))), ForAll((theta, phi, psi, chi), distance))


def law_of_cosines(of: Sections) -> Prop:
    """R section(x) = section(x') R_z(chi) leaves one entry of R that does not see the azimuths."""
    theta_after, phi_after, chi = variables("theta' phi' chi", Real)
    R = of.section(theta_after, phi_after) * turn_z(chi) * of.section(theta, phi).T
    sides = cos(theta) * cos(theta_after) + sin(theta) * sin(theta_after) * of.gauge_wave(chi)
    return ForAll((theta, phi, theta_after, phi_after, chi), Eq(R[2, 2], sides))


def cross(u: Any, v: Any) -> Matrix:
    return Matrix(sympy.Matrix(u).cross(sympy.Matrix(v)))


omega, eta, tau, sigma = variables("omega eta tau sigma", Real)
steps = Variable("m", Int(1))


def gauge_varies(of: Sections) -> Prop:
    """R_y(omega) has gauge 2 eta at (-sigma s, tau, sigma c) where c tau sin eta = s cos eta.

    sin(theta)^2 cos(chi) and sin(theta)^2 sin(chi) are products of e_z x R x and of its quarter
    turn about R x with R (e_z x x); c, s are cosine and sine of omega / 2.
    """
    c, s = cos(omega / 2), sin(omega / 2)
    turn, pole = turn_y(omega), Matrix([0, 0, 1])
    x = Matrix([-sigma * s, tau, sigma * c])
    after = turn * x
    east = turn * cross(pole, x)
    south_after = after[2] * after - pole
    length = x[0] ** 2 + x[1] ** 2
    placed = And(Eq(c * tau * sin(eta), s * cos(eta)), Eq(sigma**2 + tau**2, 1))
    found = And(
        Eq((cross(pole, after).T * east)[0], length * of.gauge_wave(2 * eta)),
        Eq(-(south_after.T * east)[0], length * sin(2 * eta)),
        Eq(after[0] ** 2 + after[1] ** 2, length),
    )
    exists = And(Le(0, s * cos(eta)), Le(s * cos(eta), c * sin(eta)))
    between = And(Lt(0, omega), Lt(omega / 2, eta), Lt(eta, pi / 2))
    step = (pi - omega) / (steps + 1)
    return And(
        ForAll((omega, eta, tau, sigma), Implies(placed, found)),
        ForAll((omega, eta), Implies(between, exists)),
        ForAll(
            (omega, steps),
            Implies(And(Lt(0, omega), Lt(omega, pi)), Lt(cos(steps * step), 1)),
        ),
    )


def counterexample(of: Sections) -> Prop:
    """x = (1, 0, 0), y = (0, 1, 0) and R_y with cosine 3/5."""
    one, zero = Integer(1), Integer(0)
    c, s = COUNTER
    x, y = of.from_sines(one, zero, zero, one), of.from_sines(zero, one, zero, one)
    turn = rational_turn(c, -s, 0, 2)
    x_after, y_after = of.from_sines(one, zero, -s, c), y
    h_x, h_y = x_after.T * turn * x, y_after.T * turn * y
    return And(
        Eq(x[:, 2], Matrix([1, 0, 0])),
        Eq(y[:, 2], Matrix([0, 1, 0])),
        Eq(x_after[:, 2], Matrix([c, 0, -s])),
        Eq(x_after[:, 2], turn * x[:, 2]),
        Eq(y_after[:, 2], turn * y[:, 2]),
        Eq(of.channel_score(x, y), 1),
        Eq(of.channel_score(x_after, y_after), of.broken_score),
        Eq(of.channel_score(x_after * h_x, y_after * h_y), 1),
        Eq(h_x, Matrix(sympy.eye(3))),
        Eq(h_y, rational_turn(c, s, 0, 1)),
        Eq((x.T * y)[2, 2], 0),
        Eq((x_after.T * y_after)[2, 2], 0),
    )


def pole(of: Sections) -> Prop:
    """Across the pole -cos(2 epsilon); along the equator 1 at every distance."""
    here, there = of.section(epsilon, Integer(0)), of.section(epsilon, pi)
    along = of.channel_score(of.section(pi / 2, Integer(0)), of.section(pi / 2, 2 * epsilon))
    across = of.channel_score(here, there)
    angle = (of.point(epsilon, Integer(0)).T * of.point(epsilon, pi))[0]
    return ForAll(
        epsilon,
        And(
            Eq(across, -cos(2 * epsilon)),
            Eq(along, 1),
            Eq(angle, cos(2 * epsilon)),
            Le(2 - 2 * epsilon**2, along - across),
        ),
    )


def regular(of: Sections) -> Prop:
    """The two regular sections, and by how much they differ."""
    here = of.point(theta, phi)
    p = tuple(here)
    upper = Implies(Ne(1 + p[2], 0), Eq(of.north(theta, phi), of.north_formula(p)))
    lower = Implies(
        Ne(1 - p[2], 0),
        Eq(of.south(theta, phi), of.north_formula(tuple(-x for x in p)) * turn_y(pi)),
    )
    change = Eq(of.south(theta, phi), of.north(theta, phi) * turn_z(of.winding * phi))
    return ForAll((theta, phi), And(upper, lower, change))


def ambient(of: Sections) -> Prop:
    """q_i = D_i* Q_i: the rotations cancel and no position is left."""
    score = of.score((content_q @ left) @ left_adjoint, right @ (right_adjoint @ content_k))
    names = (content_q, content_k, left, left_adjoint, right, right_adjoint)
    premise = And(Eq(left @ left_adjoint, UNIT), Eq(right @ right_adjoint, UNIT))
    return ForAll(names, Implies(premise, Eq(score, content_q @ content_k)))


SECTIONS = Claim(
    id="spherical.sections",
    title="Points of the sphere are not rotations",
    kind="classification",
    definitions=Sections(),
    stance="sharpened",
    reading="tokens are points of the sphere, lifted to rotations by latitude and longitude",
    hypotheses=(
        "no point or its image is a pole where a gauge angle is named",
        "integer l where a longitude goes once round",
    ),
    clauses=(
        Clause(
            "gauge",
            r"R\,\sigma_x = \sigma_{Rx}h_x:\quad "
            r"q^\dagger D_{Rx}^\dagger D_{Ry}\,k \quad = "
            r"(h_x^{-1}q)^\dagger D_x^\dagger D_y\,(h_y^{-1}k)",
            gauge,
        ),
        Clause(
            "phases",
            r"D(R_z(\chi)) \quad = \mathrm{diag}(e^{-im\chi}): \quad "
            r"T(a, 0) = \mathrm{diag}(a^k\,\bar a^{\,2l-k}), \quad k = l+m \quad "
            r"(2l = 1, \dots, 6)",
            phases,
        ),
        Clause(
            "symmetric_turns",
            r"\sigma(\theta, \phi)\,e_z = x, \quad "
            r"R_z(\alpha)\,\sigma(\theta, \phi) = \sigma(\theta, \phi+\alpha), \quad "
            r"R_x(\pi)\,\sigma(\theta, \phi) \quad = \sigma(\pi-\theta, -\phi)\,R_z(\pi)",
            symmetric_turns,
        ),
        Clause(
            "parity",
            r"m - m' = 2r \implies e^{im\pi}\,e^{-im'\pi} = 1",
            parity,
        ),
        Clause(
            "modulus",
            r"|a| = |a'|,\ |b| = |b'| \implies \quad |T_{kk}| = |T'_{kk}| \quad "
            r"(2l = 1, \dots, 4), \quad "
            r"(\sigma_x^{-1}\sigma_y)_{33} = x\cdot y",
            modulus,
        ),
        Clause(
            "law_of_cosines",
            r"R\,\sigma(\theta, \phi) \quad = \sigma(\theta', \phi')\,R_z(\chi) \implies \quad "
            r"R_{33} = \cos\theta\cos\theta' \quad + \sin\theta\sin\theta'\cos\chi",
            law_of_cosines,
        ),
        Clause(
            "gauge_varies",
            r"R = R_y(\omega),\ s, c = \sin\tfrac\omega2, \cos\tfrac\omega2, \quad "
            r"x = (-\sigma s, \tau, \sigma c),\ |x| = 1: \quad "
            r"c\,\tau\sin\eta = s\cos\eta \implies \quad \chi(R, x) = 2\eta; \quad "
            r"0 < \tfrac\omega2 < \eta < \tfrac\pi2 \implies \quad "
            r"0 \le s\cos\eta \le c\sin\eta; \quad "
            r"0 < \omega < \pi \implies \quad \cos\tfrac{m(\pi-\omega)}{m+1} < 1",
            gauge_varies,
        ),
        Clause(
            "counterexample",
            r"x = e_1,\ y = e_2, \quad R = R_y(\tfrac35, \tfrac45),\ q = k = e_\theta: \quad "
            r"s(x, y) = 1,\ s(Rx, Ry) = \tfrac35; \quad h_x = I,\ h_y = R_z(\tfrac35, \tfrac45)",
            counterexample,
        ),
        Clause(
            "pole",
            r"q = k = e_\theta: \quad "
            r"s\bigl((\varepsilon, 0), (\varepsilon, \pi)\bigr) = -\cos2\varepsilon, \quad "
            r"s\bigl((\tfrac\pi2, 0), (\tfrac\pi2, 2\varepsilon)\bigr) = 1, \quad "
            r"1 + \cos2\varepsilon \ge 2 - 2\varepsilon^2",
            pole,
        ),
        Clause(
            "regular",
            r"R_z(\phi)R_y(\theta)R_z(-\phi) \quad = I + K + \tfrac{K^2}{1+z} = N(x), \quad "
            r"S(x) = N(-x)\,R_y(\pi) \quad = N(x)\,R_z(2\phi)",
            regular,
        ),
        Clause(
            "ambient",
            r"q = D_x^\dagger Q,\ k = D_y^\dagger K \implies \quad "
            r"(D_xq)^\dagger(D_yk) = Q^\dagger K",
            ambient,
        ),
    ),
)
