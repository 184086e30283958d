r"""Points of the sphere are not rotations: scores of lifts, of points, and of their mirror images.

Main definitions
----------------
score(left, right)    left* right, what stands between q* and k
turn_x, turn_y, turn_z   rotations of space
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
from sympy import ImmutableMatrix, Integer, Rational, binomial, cos, sin

from posproof.theory.operators import UNIT, unknowns
from posproof.theory.spherical.representations import action, quaternion
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
    Prop,
    Real,
)

Matrix = ImmutableMatrix

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


def turn_x(angle: Any) -> Matrix:
    c, s = cos(angle), sin(angle)
    return Matrix([[1, 0, 0], [0, c, -s], [0, s, c]])


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
            r"D(R_i)^\dagger D(R_j) = D(R_i^{-1}R_j): \quad "
            r"T_i^\dagger W^{-1}T_j = W^{-1}\,T(U_i^\dagger U_j), \quad "
            r"D = W^{-1/2}\,T\,W^{1/2} \quad (2l = 1, \dots, 4)",
            relative,
        ),
        Clause(
            "left_invariant",
            r"G^\dagger G = I \implies q^\dagger (GD_i)^\dagger(GD_j)\,k = "
            r"q^\dagger D_i^\dagger D_j\,k",
            left_invariant,
        ),
        Clause(
            "right_action",
            r"q^\dagger (D_iG)^\dagger(D_jG)\,k = (Gq)^\dagger D_i^\dagger D_j\,(Gk); \quad "
            r"R_i = R_z(\tfrac35, \tfrac45),\ R_j = I,\ q = k = e_1: \quad \tfrac35 \to 1",
            right_action,
        ),
        Clause(
            "factorised",
            r"\mathrm{Re}\,\tilde q^\dagger\tilde k = "
            r"(\mathrm{Re}\,\tilde q, \mathrm{Im}\,\tilde q)"
            r"\cdot(\mathrm{Re}\,\tilde k, \mathrm{Im}\,\tilde k), \quad "
            r"\mathrm{Im}\,\tilde q^\dagger\tilde k = "
            r"(\mathrm{Re}\,\tilde q, \mathrm{Im}\,\tilde q)"
            r"\cdot(\mathrm{Im}\,\tilde k, -\mathrm{Re}\,\tilde k)",
            factorised,
        ),
        Clause(
            "bounded",
            r"|\tilde q^\dagger\tilde k|^2 \le \|\tilde q\|^2\,\|\tilde k\|^2 "
            r"\quad (\tilde q \ne 0)",
            bounded,
        ),
    ),
)
