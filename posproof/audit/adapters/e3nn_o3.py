"""Rotations and Wigner matrices of e3nn.

Main definitions
----------------
Wigner, Euler64, Euler32
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from e3nn import o3


def _angles(matrix: Any) -> Any:
    return o3.matrix_to_angles(torch.from_numpy(np.ascontiguousarray(matrix)))


class Wigner:
    """o3.wigner_D in float64, with the angles of o3.matrix_to_angles."""

    dtype = "float64"

    def wigner(self, degree: int, rotation: Any) -> Any:
        if degree > 11:
            raise NotImplementedError("tables end at degree 11")
        return o3.wigner_D(degree, *_angles(rotation))


class Euler64:
    """matrix_to_angles and back in float64."""

    dtype = "float64"

    def angles(self, matrix: Any) -> Any:
        return _angles(matrix)

    def matrix(self, angles: Any) -> Any:
        return o3.angles_to_matrix(*angles)


class Euler32(Euler64):
    """matrix_to_angles and back in float32."""

    dtype = "float32"
