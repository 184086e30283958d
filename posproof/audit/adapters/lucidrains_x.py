"""x-transformers.

Main definitions
----------------
Rotary, Xpos, Alibi
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from x_transformers.x_transformers import (
    AlibiPositionalBias,
    RotaryEmbedding,
    apply_rotary_pos_emb,
)


def _tensor(x: Any) -> torch.Tensor:
    return torch.from_numpy(np.ascontiguousarray(x, dtype=np.float32))


class Rotary:
    """Interleaved pairs in float32."""

    facts = {"head_dim": 32, "dtype": "float32", "base": 10_000}

    def __init__(self) -> None:
        self.module = RotaryEmbedding(32)

    def rotate(self, x: Any, positions: Any) -> Any:
        angles, scale = self.module(torch.as_tensor(np.asarray(positions)))
        vectors = _tensor(x)
        turned = apply_rotary_pos_emb(vectors.reshape(1, -1, *vectors.shape[-2:]), angles, scale)
        return turned.reshape(vectors.shape)


class Xpos:
    """xPos at a hundred thousand positions."""

    facts = {"head_dim": 32, "dtype": "float32", "max_position": 100_000}

    def __init__(self) -> None:
        self.module = RotaryEmbedding(32, use_xpos=True)

    def rotate_pair(self, queries: Any, keys: Any) -> Any:
        angles, scale = self.module(torch.arange(len(keys)))
        turned = [
            apply_rotary_pos_emb(_tensor(side)[None, None], angles, part)[0, 0]
            for side, part in ((queries, scale), (keys, scale**-1))
        ]
        return turned[0], turned[1]


class Alibi:
    """The ALiBi bias at given positions."""

    dtype = "float32"

    def slopes(self, heads: int) -> Any:
        return AlibiPositionalBias(heads).slopes.reshape(heads)

    def bias(self, query_positions: Any, key_positions: Any) -> Any:
        places = (torch.as_tensor(np.asarray(side)) for side in (query_positions, key_positions))
        return AlibiPositionalBias(8).forward_custom_pos(*places)
