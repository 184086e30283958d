"""Eigenvalues of symmetric matrices of balls.

Main definitions
----------------
largest_eigenvalue   a ball that contains it, whatever the other eigenvalues are

Implementation notes
--------------------
FLINT encloses all eigenvalues at once and gives up where some of them nearly agree.  Here one is
enclosed from both sides: a Rayleigh quotient is not above the largest eigenvalue, and a number t is
above it where t I - A has positive pivots (Sylvester's law of inertia).  The vector of the quotient
comes from mpmath; how good it is decides about the radius alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import mpmath
from flint import arb, ctx

from posproof.numerics.balls.terms import Undefined, dyadic

Rows = Sequence[Sequence[arb]]


def largest_eigenvalue(rows: Rows) -> arb:
    """The largest eigenvalue of a symmetric (n, n) matrix, n >= 1, at the working precision.

    Raises Undefined where an entry is an unbounded ball.
    """
    if not all(x.is_finite() for row in rows for x in row):
        raise Undefined("an entry of the matrix is unbounded")
    size = len(rows)
    vector = _approximate(rows)
    moved = [sum((a * x for a, x in zip(row, vector, strict=True)), arb(0)) for row in rows]
    squares = sum((x * x for x in vector), arb(0))
    quotient = sum((x * y for x, y in zip(vector, moved, strict=True)), arb(0)) / squares
    scale = 1 + size * max(abs(x).upper() for row in rows for x in row)  # t may be beyond 0
    bits = 3 * ctx.prec // 4
    while True:
        above = quotient.upper() + scale * arb(2) ** -bits
        if positive_definite(
            [[above * (i == j) - rows[i][j] for j in range(size)] for i in range(size)]
        ):
            return quotient.lower().union(above)
        bits -= 8


def positive_definite(rows: Rows) -> bool:
    """Whether elimination without exchanges gives pivots that are all certainly positive."""
    left = [list(row) for row in rows]
    while left:
        pivot, *rest = left[0]
        if not pivot > 0:
            return False
        left = [
            [entry - row[0] / pivot * above for entry, above in zip(row[1:], rest, strict=True)]
            for row in left[1:]
        ]
    return True


def _approximate(rows: Rows) -> list[arb]:
    """An approximate eigenvector of the largest eigenvalue."""
    with mpmath.workprec(ctx.prec):
        middle = mpmath.matrix([[_number(x) for x in row] for row in rows])
        values, vectors = mpmath.eigsy(middle)
        best = max(range(len(rows)), key=lambda k: values[k])
        return [arb(vectors[i, best]) for i in range(len(rows))]


def _number(x: arb) -> mpmath.mpf:
    middle = dyadic(x.mid())
    return mpmath.mpf(middle.numerator) / middle.denominator
