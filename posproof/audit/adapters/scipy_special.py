"""Rotations, exponentials and Bessel functions of SciPy.

Main definitions
----------------
Euler, Exponential, Bessel
"""

from __future__ import annotations

from typing import Any

from scipy.linalg import expm
from scipy.spatial.transform import Rotation
from scipy.special import iv, kv, spherical_jn


class Euler:
    """Rotation.as_euler and back; the third angle is documented to be 0 within 1e-7 of a pole."""

    facts = {"pole_band": 1e-7}

    def angles(self, matrix: Any) -> Any:
        return Rotation.from_matrix(matrix).as_euler("ZYZ")

    def matrix(self, angles: Any) -> Any:
        return Rotation.from_euler("ZYZ", angles).as_matrix()


class Exponential:
    """scipy.linalg.expm."""

    def exponential(self, generator: Any) -> Any:
        return expm(generator)


class Bessel:
    """iv, kv and spherical_jn."""

    def bessel_i(self, order: float, x: float) -> Any:
        return iv(order, x)

    def bessel_k(self, order: float, x: float) -> Any:
        return kv(order, x)

    def spherical_j(self, order: float, x: float) -> Any:
        return spherical_jn(int(order), x)
