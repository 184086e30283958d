"""Numerical values of SymPy's functions.

Main definitions
----------------
SphericalBessel
"""

from __future__ import annotations

from typing import Any

import sympy


class SphericalBessel:
    """sympy.jn, unevaluated, then evalf."""

    def spherical_j(self, order: float, x: float) -> Any:
        return complex(
            sympy.jn(sympy.Integer(int(order)), sympy.Float(x), evaluate=False).evalf()
        ).real
