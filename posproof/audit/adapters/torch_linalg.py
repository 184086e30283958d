"""Matrix exponentials of PyTorch.

Main definitions
----------------
Exponential64, Exponential32
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch


class Exponential64:
    """torch.linalg.matrix_exp of one small matrix in float64."""

    dtype = "float64"

    def exponential(self, generator: Any) -> Any:
        return torch.linalg.matrix_exp(torch.from_numpy(np.ascontiguousarray(generator)))


class Exponential32(Exponential64):
    """torch.linalg.matrix_exp of one small matrix in float32."""

    dtype = "float32"
