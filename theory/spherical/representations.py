r"""The representations of SU(2) on homogeneous polynomials, and of SO(3) through them.

Main definitions
----------------
quaternion      U = [[a, -b'], [b, a']] of a = w - i z and b = y - i x; a', b' are the conjugates
action          T(M): how a 2x2 matrix acts on the forms u^k v^(2l - k)

Conventions
-----------
twice = 2l.  Index k = l + m runs from 0 to 2l, so m = -l .. l ascends.  A matrix [[p, r], [q, s]]
takes u to p u + q v and v to r u + s v; column k of T(M) holds the coefficients of the image of
u^k v^(2l - k).  The Wigner matrix is D_(m' m) = T_(k' k) sqrt(k'! (2l - k')! / (k! (2l - k)!)).
"""

from __future__ import annotations

from typing import Any

from sympy import ImmutableMatrix, binomial


def quaternion(a: Any, a_bar: Any, b: Any, b_bar: Any) -> ImmutableMatrix:
    """U = [[a, -b'], [b, a']]; of length one it is a rotation, up to its sign."""
    return ImmutableMatrix([[a, -b_bar], [b, a_bar]])


def action(twice: int, matrix: ImmutableMatrix) -> ImmutableMatrix:
    """T(M), of shape (twice + 1, twice + 1)."""
    (p, r), (q, s) = matrix.tolist()

    def entry(row: int, column: int) -> Any:
        return sum(
            binomial(column, i)
            * binomial(twice - column, row - i)
            * (p**i * q ** (column - i) * r ** (row - i) * s ** (twice - column - row + i))
            for i in range(max(0, row + column - twice), min(row, column) + 1)
        )

    return ImmutableMatrix(twice + 1, twice + 1, entry)
