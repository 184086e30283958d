"""rotary-embedding-torch.

Main definitions
----------------
Rotary, Offsets, Xpos
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from rotary_embedding_torch import RotaryEmbedding


def _tensor(x: Any) -> torch.Tensor:
    return torch.from_numpy(np.ascontiguousarray(x, dtype=np.float32))


class Rotary:
    """Rotation of queries and keys by an offset, interleaved pairs, in float32."""

    facts = {"head_dim": 32, "dtype": "float32"}

    def __init__(self) -> None:
        self.module = RotaryEmbedding(dim=32)

    def rotate_from(self, x: Any, offset: int) -> Any:
        with torch.no_grad():
            return self.module.rotate_queries_or_keys(_tensor(x)[None, None], offset=offset)[0, 0]


class CachedAngles:
    """The module called with positions and a length, as its own cache expects."""

    facts = {"head_dim": 32, "dtype": "float32"}

    def __init__(self) -> None:
        self.module = RotaryEmbedding(dim=32)

    def rotate_from(self, x: Any, offset: int) -> Any:
        with torch.no_grad():
            vectors = _tensor(x)
            angle = self.module(torch.arange(offset, offset + len(vectors)), seq_len=len(vectors))
            first, second = vectors[..., 0::2], vectors[..., 1::2]
            cosine, sine = angle[..., 0::2].cos(), angle[..., 0::2].sin()
            pairs = (first * cosine - second * sine, first * sine + second * cosine)
            return torch.stack(pairs, dim=-1).flatten(-2)


class Xpos:
    """xPos with cached keys: fewer queries than keys."""

    facts = {"head_dim": 8, "dtype": "float32"}

    def __init__(self) -> None:
        self.module = RotaryEmbedding(dim=8, use_xpos=True)

    def rotate_pair(self, queries: Any, keys: Any) -> Any:
        with torch.no_grad():
            q, k = _tensor(queries)[None, None], _tensor(keys)[None, None]
            turned = self.module.rotate_queries_with_cached_keys(q, k)
            return turned[0][0, 0], turned[1][0, 0]
