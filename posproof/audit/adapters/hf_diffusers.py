"""Rotary helpers of diffusers.

Main definitions
----------------
Repeated, Concatenated, Mixed
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from diffusers.models.embeddings import apply_rotary_emb, get_1d_rotary_pos_embed


def _turned(x: Any, positions: Any, interleaved: bool, dim: int) -> Any:
    vectors = torch.from_numpy(np.ascontiguousarray(x, dtype=np.float32))
    table = get_1d_rotary_pos_embed(
        vectors.shape[-1],
        torch.as_tensor(np.asarray(positions)),
        use_real=True,
        repeat_interleave_real=interleaved,
    )
    batch = vectors.reshape(1, -1, *vectors.shape[-2:])
    return apply_rotary_emb(batch, table, use_real_unbind_dim=dim).reshape(vectors.shape)


class Repeated:
    """Tables repeated for interleaved pairs, applied to interleaved pairs."""

    facts = {"head_dim": 32, "dtype": "float32", "base": 10_000, "layout": "interleaved"}

    def rotate(self, x: Any, positions: Any) -> Any:
        return _turned(x, positions, True, -1)


class Concatenated:
    """Tables concatenated for half-split pairs, applied to half-split pairs."""

    facts = {"head_dim": 32, "dtype": "float32", "base": 10_000, "layout": "half"}

    def rotate(self, x: Any, positions: Any) -> Any:
        return _turned(x, positions, False, -2)


class Mixed:
    """Tables for half-split pairs, applied to interleaved ones: both options can be set so."""

    facts = {"head_dim": 32, "dtype": "float32"}

    def rotate(self, x: Any, positions: Any) -> Any:
        return _turned(x, positions, False, -1)
