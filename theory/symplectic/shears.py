r"""Shears of the plane, what they compose to, and which matrices they generate.

Main definitions
----------------
upper, lower    the shears U(a) = [[1, a], [0, 1]] and L(b) = [[1, 0], [b, 1]]
composed        S(a, b) = L(b / 2) U(a) L(b / 2)
alternate       S'(a, b) = U(a / 2) L(b) U(a / 2)
rotation        [[c, -s], [s, c]], with c = cos t and s = sin t
boost           [[c, s], [s, c]], with c = cosh m and s = sinh m
squeeze         diag(1 / k, k); D(rho) has k = sqrt(rho)

Conventions
-----------
Column vectors.  The symplectic form is J = [[0, 1], [-1, 0]], minus the quarter turn of the subject
journey.
"""

from __future__ import annotations

from typing import Any

from sympy import ImmutableMatrix


def upper(a: Any) -> ImmutableMatrix:
    """U(a) = [[1, a], [0, 1]]."""
    return ImmutableMatrix([[1, a], [0, 1]])


def lower(b: Any) -> ImmutableMatrix:
    """L(b) = [[1, 0], [b, 1]]."""
    return ImmutableMatrix([[1, 0], [b, 1]])


def composed(a: Any, b: Any) -> ImmutableMatrix:
    """S(a, b) = L(b / 2) U(a) L(b / 2)."""
    return lower(b / 2) * upper(a) * lower(b / 2)


def alternate(a: Any, b: Any) -> ImmutableMatrix:
    """S'(a, b) = U(a / 2) L(b) U(a / 2)."""
    return upper(a / 2) * lower(b) * upper(a / 2)


def rotation(c: Any, s: Any) -> ImmutableMatrix:
    """R(t) for c = cos t and s = sin t."""
    return ImmutableMatrix([[c, -s], [s, c]])


def boost(c: Any, s: Any) -> ImmutableMatrix:
    """B(m) for c = cosh m and s = sinh m."""
    return ImmutableMatrix([[c, s], [s, c]])


def squeeze(k: Any) -> ImmutableMatrix:
    """diag(1 / k, k)."""
    return ImmutableMatrix([[1 / k, 0], [0, k]])
