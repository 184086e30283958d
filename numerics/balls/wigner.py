"""Wigner matrices in balls, and exactly at integer quaternions: references for float kernels.

Main definitions
----------------
small_column      one column of d^l(beta)
small_matrix      d^l(beta), all columns or some
half_pi_entries   d^l(pi / 2) up to square roots: integers and binomials
integer_action    T at an integer quaternion, a matrix of Gaussian integers

Conventions
-----------
twice = 2l, n = 2l + 1, index k = l + m with m = -l .. l ascending;
D = exp(-i alpha J_z) exp(-i beta J_y) exp(-i gamma J_z).  A quaternion is (w, x, y, z), scalar
first.

Implementation notes
--------------------
Column k of T(U) holds the coefficients of (a u + b v)^k (-b' u + a' v)^(2l - k).  For d the linear
forms are (c, s) and (-s, c), half the angle, and d_(k' k) is the coefficient times
sqrt(C(2l, k) / C(2l, k')).  Coefficients of products are below (|c| + |s|)^(2l) <= 2^l in size and
the root is at most 2^l, so 2l bits are lost at most.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from flint import arb, arb_poly, fmpz, fmpz_poly

from posproof.numerics.balls.terms import exact, precision

#: A column of balls wider than this is computed again with twice the bits.
THIN = arb(2) ** -100
#: Bits beyond those that cancellation takes.
SPARE = 224


def binomials(twice: int) -> list[fmpz]:
    """C(2l, k), k = 0 .. 2l."""
    row = [fmpz(1)]
    for k in range(twice):
        row.append(row[-1] * (twice - k) // (k + 1))
    return row


def _columns(twice: int, beta: Any, columns: Sequence[int]) -> list[list[arb]]:
    angle = arb(beta) if isinstance(beta, (int, float, arb)) else arb(exact(beta))
    c, s = (angle / 2).cos(), (angle / 2).sin()
    rising, falling = arb_poly([s, c]), arb_poly([c, -s])
    roots = [arb(x).sqrt() for x in binomials(twice)]
    found = []
    for k in columns:
        product = rising**k * falling ** (twice - k)
        column = [product[row] * roots[k] / roots[row] for row in range(twice + 1)]
        column[k] = product[k]  # so that d(0), the identity, is exact
        found.append(column)
    return found


def small_matrix(
    twice: int, beta: float | Fraction | arb, columns: Iterable[int] | None = None
) -> list[list[arb]]:
    """The columns k of d^l(beta), each a list of 2l + 1 balls of radius below 2^-100.

    A float `beta` is taken as the number it is; a ball has to be thin.  ValueError where it is not.
    """
    wanted = list(range(twice + 1) if columns is None else columns)
    bits = twice + SPARE
    for _ in range(3):
        with precision(bits):
            found = _columns(twice, beta, wanted)
            if all(x.rad() < THIN for column in found for x in column):
                return found
        bits *= 2
    raise ValueError("beta is a ball too wide for entries to within 2^-100")


def small_column(twice: int, beta: float | Fraction | arb, column: int) -> list[arb]:
    """Column k = l + m of d^l(beta)."""
    return small_matrix(twice, beta, (column,))[0]


def half_pi_entries(twice: int, column: int) -> Iterator[fmpz]:
    """Coefficients p_k' of (1 + t)^k (1 - t)^(2l - k), integers.

    d^l(pi / 2)_(k' k) = 2^-l p_k' sqrt(C(2l, k) / C(2l, k')).  They satisfy
    (k' + 1) p_(k'+1) = (2k - 2l) p_k' - (2l - k' + 1) p_(k'-1).
    """
    before, now = fmpz(0), fmpz(1)
    for row in range(twice + 1):
        yield now
        ahead = (2 * column - twice) * now - (twice - row + 1) * before
        before, now = now, ahead // (row + 1)


# ---------------------------------------------------------------------- integer quaternions
Gaussian = tuple[fmpz_poly, fmpz_poly]


def _times(left: Gaussian, right: Gaussian) -> Gaussian:
    (a, b), (c, d) = left, right
    return a * c - b * d, a * d + b * c


def _powers(form: Gaussian, highest: int) -> list[Gaussian]:
    powers = [(fmpz_poly([1]), fmpz_poly([0]))]
    for _ in range(highest):
        powers.append(_times(powers[-1], form))
    return powers


def integer_action(
    twice: int, quaternion: tuple[int, int, int, int]
) -> tuple[list[list[fmpz]], list[list[fmpz]]]:
    """Real and imaginary part of T at w + x i + y j + z k, of shape (2l + 1, 2l + 1).

    T(p) T(q) = T(p q), and D = T sqrt(C(2l, k) / C(2l, k')) / |q|^(2l): see `theory.spherical`.
    """
    w, x, y, z = quaternion
    # U = [[a, -b'], [b, a']] with a = w - i z, b = y - i x; u is the variable t, v is 1
    first = (fmpz_poly([y, w]), fmpz_poly([-x, -z]))
    second = (fmpz_poly([w, -y]), fmpz_poly([z, -x]))
    rising, falling = _powers(first, twice), _powers(second, twice)
    columns = [_times(rising[k], falling[twice - k]) for k in range(twice + 1)]
    real, imaginary = (
        [[column[part][row] for column in columns] for row in range(twice + 1)] for part in (0, 1)
    )
    return real, imaginary
