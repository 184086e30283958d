"""Rotary modules of torchtune, from their own files: its package imports far more than they need.

Main definitions
----------------
Rotary, Llama3Scaled
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from importlib.metadata import distribution
from typing import Any

import numpy as np
import torch

from posproof.audit.parameters import flat

HEAD_DIM, LENGTH = 64, 4096


def _module(place: str) -> Any:
    """A file of the installed distribution as a module of its own."""
    spec = importlib.util.spec_from_file_location(
        place.replace("/", "_"), str(distribution("torchtune").locate_file(f"torchtune/{place}.py"))
    )
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PLAIN = _module("modules/position_embeddings").RotaryPositionalEmbeddings
LLAMA3 = _module("models/llama3_1/_position_embeddings").Llama3ScaledRoPE


class Rotary:
    """The rotary module, its cache for 4096 positions in float32."""

    facts = {
        "head_dim": HEAD_DIM,
        "base": 10_000,
        "dtype": "float32",
        "layout": "interleaved",
        "max_position": LENGTH,
    }

    def __init__(self) -> None:
        self.module = PLAIN(HEAD_DIM, LENGTH)

    def rotate(self, x: Any, positions: Any) -> Any:
        vectors = torch.from_numpy(np.ascontiguousarray(x, dtype=np.float32))
        batch = vectors.reshape(-1, *vectors.shape[-2:])[:, :, None, :]
        places = torch.as_tensor(np.asarray(positions))[None].expand(len(batch), -1)
        return self.module(batch, input_pos=places).reshape(vectors.shape)

    def rotate_from(self, x: Any, offset: int) -> Any:
        return self.rotate(x, np.arange(offset, offset + np.shape(x)[-2]))


class Llama3Scaled:
    """The ladder of the module that rescales frequencies as llama3 does."""

    dtype = "float32"

    def ladder(self, parameters: Mapping[str, Any], length: int | None) -> Any:
        known = flat(parameters)
        if known.get("rope_type") != "llama3":
            raise NotImplementedError("llama3 only")
        return LLAMA3(
            known["head_dim"],
            max_seq_len=1,
            base=known["rope_theta"],
            scale_factor=known["factor"],
            low_freq_factor=known["low_freq_factor"],
            high_freq_factor=known["high_freq_factor"],
            old_context_len=known["original_max_position_embeddings"],
        ).theta
