"""A certificate for anybody's Wigner matrix d^l(beta): its error, column by column, in balls.

Main definitions
----------------
certify     bounds of the columns' errors and whether their signs are right, in O(n^2) operations
Finding     what it returned

Conventions
-----------
A matrix V is real, (n, n), n = 2l + 1, rows m' and columns m ascending, as in `numerics.wigner`.
c_k = sqrt((l - k)(l + k + 1)).

The certificate
---------------
d = d^l(beta) has the columns w_m with A w_m = m w_m, A = cos(beta) J_z + sin(beta) J_x, and A is
tridiagonal with spectrum -l .. l.  With rho_j = ||A v_j - m_j v_j|| / ||v_j||,
    min over signs ||v_j -+ w_j|| <= eps_j = sqrt(2) rho_j + | ||v_j|| - 1 |.
B = cos(beta) J_x - sin(beta) J_z has w_(m-1)^T B w_m = c_(m-1) / 2 >= 0 and norm l, so
v_(j-1)^T B v_j is off from plus or minus that by at most l (eps_(j-1) + eps_j + eps_(j-1) eps_j).
Where it is larger than this slack, neighbouring columns have the same sign; and the first column
has the sign of w_(-l), whose entries are sqrt(C(2l, k)) cos^(2l-k)(beta/2) (-sin(beta/2))^k.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import arb
from numpy.typing import NDArray

from posproof.numerics.balls import precision

Array = NDArray[np.float64]

#: Bits: sums of a few thousand terms, each within 2^-120 of a number of size l.
BITS = 128


@dataclass(frozen=True)
class Finding:
    """`columns[j]` bounds how far column j is from d^l(beta), up to its sign unless `signs`.

    `fault` says in words where the signs fail, and is empty where they are right.
    """

    columns: tuple[float, ...]
    signs: bool
    fault: str = ""


def _upward(value: arb) -> float:
    """A float not below the ball; infinite where there is none."""
    if not value.is_finite():
        return math.inf
    return math.nextafter(float(value.upper()), math.inf)


def certify(matrix: Array, beta: float) -> Finding:
    """Bounds for V, shape (n, n), against d^l(beta); any finite beta, taken as the number it is."""
    with precision(BITS):
        V = [[arb(x) for x in column] for column in matrix.T.tolist()]
        turn = arb(beta)
        c, s = turn.cos(), turn.sin()
        bounds, moved = _bounds(V, c, s)
        fault = _first_column(V[0], bounds[0], turn) or _neighbours(V, moved, bounds)
        return Finding(tuple(_upward(bound) for bound in bounds), not fault, fault)


def _ladder(twice: int) -> list[arb]:
    """c_k / 2."""
    return [arb((twice - k) * (k + 1)).sqrt() / 2 for k in range(twice)]


def _bounds(V: list[list[arb]], c: arb, s: arb) -> tuple[list[arb], list[list[arb]]]:
    """eps_j, and B v_j."""
    twice = len(V) - 1
    ladder, orders = _ladder(twice), [arb(2 * k - twice) / 2 for k in range(twice + 1)]
    none, root = arb(0), arb(2).sqrt()
    bounds, moved = [], []
    for m, v in zip(orders, V, strict=True):
        up = [a * x for a, x in zip(ladder, v[1:], strict=True)] + [none]
        down = [none] + [a * x for a, x in zip(ladder, v[:-1], strict=True)]
        J_x = [x + y for x, y in zip(up, down, strict=True)]
        J_z = [x * y for x, y in zip(orders, v, strict=True)]
        residual = [c * z + s * x - m * y for x, z, y in zip(J_x, J_z, v, strict=True)]
        moved.append([c * x - s * z for x, z in zip(J_x, J_z, strict=True)])
        length = sum((x * x for x in v), none).sqrt()
        rho = sum((x * x for x in residual), none).sqrt() / length
        bounds.append(root * rho + abs(length - 1))
    return bounds, moved


def _first_column(v: list[arb], bound: arb, turn: arb) -> str:
    """What is wrong with the sign of column m = -l, in words."""
    twice = len(v) - 1
    at = max(range(twice + 1), key=lambda k: abs(float(v[k])))
    c, s = (turn / 2).cos(), (turn / 2).sin()
    true = c ** (twice - at) * (-s) ** at
    if not (true > 0 or true < 0):
        return f"column 0: its largest entry, in row {at}, should be 0"
    if (v[at] if true > 0 else -v[at]) > bound:
        return ""
    return f"column 0: the entry in row {at} has the wrong sign or is too small for its error"


def _neighbours(V: list[list[arb]], moved: list[list[arb]], bounds: list[arb]) -> str:
    """The first column whose sign does not follow from the one before, in words."""
    l = arb(len(V) - 1) / 2  # noqa: E741
    for j in range(1, len(V)):
        near = sum((x * y for x, y in zip(V[j - 1], moved[j], strict=True)), arb(0))
        e, f = bounds[j - 1], bounds[j]
        if not near > l * (e + f + e * f):
            return f"column {j}: its sign does not follow from the one before"
    return ""


def likely(matrix: Array, beta: float) -> str:
    """Which change of convention makes the certificate pass; "" for none.  Never a verdict."""
    for words, changed in _changes(matrix):
        if certify(changed, beta).signs:
            return words
    return ""


def _changes(matrix: Array) -> list[tuple[str, Any]]:
    signs = 1.0 - 2.0 * (np.arange(len(matrix)) % 2)
    return [
        (
            "the matrix of -beta: transposed, or orders m descend, or signs (-1)^(m' - m)",
            matrix.T,
        ),
        ("one index descends", matrix[::-1]),
        ("columns have the signs (-1)^m", matrix * signs),
        ("the opposite sign", -matrix),
    ]
