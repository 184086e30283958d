"""Bessel functions of mpmath.

Main definitions
----------------
Bessel
"""

from __future__ import annotations

from typing import Any

import mpmath


class Bessel:
    """besseli and besselk at 15 digits."""

    def bessel_i(self, order: float, x: float) -> Any:
        return float(mpmath.besseli(order, x))

    def bessel_k(self, order: float, x: float) -> Any:
        return float(mpmath.besselk(order, x))
