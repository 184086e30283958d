"""Wigner matrices through polynomials: every entry expanded.

Main definitions
----------------
one check a clause

Implementation notes
--------------------
T has integer coefficients, so a clause about it is an identity of polynomials over Q; the only
roots are those of the binomial weights, and they stand outside of T as diagonal matrices.
"""

from __future__ import annotations

from typing import Any

from flint import fmpq_mat
from sympy import ImmutableMatrix

from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.search import prove_free
from posproof.theory.spherical import representations as statements
from posproof.theory.spherical.representations import (
    GROUP_LAW,
    POLYNOMIAL_ENTRIES,
    Complex,
    Forms,
    Number,
    Wigner,
)
from posproof.theory.vocabulary import control, proves


# ------------------------------------------------------------- spherical.polynomial_entries
def _later_first(m: ImmutableMatrix, n: ImmutableMatrix) -> ImmutableMatrix:
    return n * m


@control("order_swapped", product=_later_first)
@proves(POLYNOMIAL_ENTRIES, "multiplicative", "2l = 1 .. 6, matrices with eight free entries")
def multiplicative(of: Forms) -> Theorem:
    """Both sides expanded."""
    return T.prove_tree(statements.multiplicative(of))


def _sign_dropped(a: Any, a_bar: Any, b: Any, b_bar: Any) -> ImmutableMatrix:
    return ImmutableMatrix([[a, b_bar], [b, a_bar]])


@control("sign_of_b_dropped", quaternion=_sign_dropped)
@proves(POLYNOMIAL_ENTRIES, "isometric", "2l = 1 .. 6; a, a', b, b' independent")
def isometric(of: Forms) -> Theorem:
    """Both sides expanded."""
    return T.prove_tree(statements.isometric(of))


@control("unweighed", weight=lambda twice, k: 1)
@proves(POLYNOMIAL_ENTRIES, "adjoint_form", "2l = 1 .. 6; a, a', b, b' independent")
def adjoint_form(of: Forms) -> Theorem:
    """Both sides expanded."""
    return T.prove_tree(statements.adjoint_form(of))


@control("no_sign", sign=lambda twice: 1)
@proves(POLYNOMIAL_ENTRIES, "double_cover", "2l = 1 .. 6")
def double_cover(of: Forms) -> Theorem:
    """T is homogeneous of degree 2l."""
    return T.prove_tree(statements.double_cover(of))


@control("half_a_turn", full_turn=statements.sympy.pi)
@proves(POLYNOMIAL_ENTRIES, "full_turn", "2l = 1 .. 6")
def full_turn(of: Forms) -> Theorem:
    """The half angle grows by pi: the quaternion changes its sign."""
    return T.prove_tree(statements.full_turn(of))


@control("upside_down", scale=lambda twice, row, column: statements.scale(twice, column, row))
@proves(POLYNOMIAL_ENTRIES, "entries", "quaternions of any length")
def entries(of: Forms) -> Theorem:
    """Entry by entry."""
    return T.prove_tree(statements.entries(of))


# ---------------------------------------------------------------------- spherical.group_law
@control("order_swapped", times=lambda p, q: statements.times(q, p))
@proves(GROUP_LAW, "quaternion_product", "l = 1/2, 1; quaternions of any length")
def quaternion_product(of: Wigner) -> Theorem:
    """Real and imaginary parts expanded."""
    return T.prove_tree(statements.quaternion_product(of))


@control("order_swapped", product=_later_first)
@proves(GROUP_LAW, "group_law", "l = 1/2, 1, 3/2, 2, 3; matrices with eight free entries")
def group_law(of: Wigner) -> Theorem:
    """Both sides expanded."""
    return T.prove_tree(statements.group_law(of))


@control("sign_of_b_dropped", quaternion=_sign_dropped)
@proves(GROUP_LAW, "unitary", "l = 1/2, 1, 3/2, 2, 3; a, a', b, b' independent")
def unitary(of: Wigner) -> Theorem:
    """Both sides expanded."""
    return T.prove_tree(statements.unitary(of))


@control(
    "not_conjugated", adjoint=lambda a, a_bar, b, b_bar: statements.adjoint(a_bar, a, b_bar, b)
)
@proves(GROUP_LAW, "inverse", "l = 1/2, 1, 3/2, 2, 3; a, a', b, b' independent")
def inverse(of: Wigner) -> Theorem:
    """Entry by entry."""
    return T.prove_tree(statements.inverse(of))


def _without_signs(l: int) -> Complex:  # noqa: E741
    """The basis without the signs (-1)^m."""
    rows = [[Number(0, 0)] * (2 * l + 1) for _ in range(2 * l + 1)]
    rows[l][l] = Number(1, 0)
    half = 1 / statements.sqrt(2)
    for m in range(1, l + 1):
        rows[l + m][l - m], rows[l + m][l + m] = Number(half, 0), Number(half, 0)
        rows[l - m][l - m], rows[l - m][l + m] = Number(0, half), Number(0, -half)
    return statements.collected(rows)


@control("signs_dropped", real_basis=_without_signs)
@proves(GROUP_LAW, "real", "l = 1, 2, 3; a, a', b, b' independent")
def real(of: Wigner) -> Theorem:
    """Entry by entry: the imaginary part is the zero polynomial."""
    return T.prove_tree(statements.real(of))


def _unsigned(l: int) -> Complex:  # noqa: E741
    """The moduli of the entries."""
    basis = statements.real_basis(l)
    return Complex(basis.real.applyfunc(abs), basis.imag.applyfunc(abs))


@control("signs_forgotten", real_basis=_unsigned)
@proves(GROUP_LAW, "basis_unitary", "l = 1, 2, 3")
def basis_unitary(of: Wigner) -> Theorem:
    """Evaluated exactly."""
    return T.prove_tree(statements.basis_unitary(of))


ONE, QUARTER = fmpq_mat(2, 2, [1, 0, 0, 1]), fmpq_mat(2, 2, [0, -1, 1, 0])
#: A quarter turn of the plane, with C = 1.
PLANE = dict.fromkeys(("C", "C^H", "C*", "C^T"), ONE) | {
    "D": QUARTER,
    "D*": QUARTER,
    "D^T": QUARTER.transpose(),
}


@control("not_transposed", PLANE, gram=lambda transposed, matrix: matrix @ matrix)
@proves(GROUP_LAW, "orthogonal", "matrices of every size")
def orthogonal(of: Wigner) -> Theorem:
    """C D^T C^H C D* C^H."""
    premise, goal = T.inner(statements.orthogonal(of)).args
    found = prove_free(goal, premise.args)
    return T.implication(T.unpack(found, premise), premise)


def _other_side(basis: Complex, matrix: Complex) -> Complex:
    """C D C^H: real, orthogonal and multiplicative too."""
    return basis @ matrix @ basis.adjoint


@control("the_other_basis", changed=_other_side)
@proves(GROUP_LAW, "vector", "quaternions of any length")
def vector(of: Wigner) -> Theorem:
    """Entry by entry."""
    return T.prove_tree(statements.vector(of))
