"""Rotary modules, scaling rules and biases of transformers.

Main definitions
----------------
DefaultRotary, ScalingRules, DynamicRotary, Bloom, Falcon, Mpt, T5, T5Degenerate, Generation,
QwenPositions, Qwen25Positions
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import torch
from transformers import LlamaConfig
from transformers.generation.utils import GenerationMixin
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
from transformers.models.bloom import modeling_bloom
from transformers.models.falcon import modeling_falcon
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding, apply_rotary_pos_emb
from transformers.models.mpt.modeling_mpt import build_mpt_alibi_tensor
from transformers.models.phi.modeling_phi import PhiRotaryEmbedding
from transformers.models.qwen2_5_vl.modeling_qwen2_5_vl import Qwen2_5_VLModel
from transformers.models.qwen2_vl.modeling_qwen2_vl import Qwen2VLModel
from transformers.models.t5.modeling_t5 import T5Attention

from posproof.audit.parameters import LAYERS, NESTS, flat

HEADS = 4


def _config(settings: Mapping[str, Any], nested: bool = False) -> LlamaConfig:
    """A configuration with these settings where the library looks for them."""
    known = flat(settings)
    if known.get("rope_type") == "ntk":
        raise NotImplementedError("there is no fixed NTK rule")
    width = known.pop("head_dim")
    longest = known.pop("max_position_embeddings", None)
    context = known.get("original_max_position_embeddings")
    longest = longest or int((context or 2048) * known.get("factor", 1))
    if known.get("rope_type") == "dynamic":
        longest = context or longest
    rope = {"rope_theta": 10_000.0, "rope_type": "default", **known}
    rope["rope_theta"] = float(rope["rope_theta"])
    return LlamaConfig(
        hidden_size=width * HEADS,
        num_attention_heads=HEADS,
        num_key_value_heads=HEADS,
        head_dim=width,
        max_position_embeddings=longest,
        rope_parameters={layer: dict(rope) for layer in LAYERS} if nested else rope,
    )


class DefaultRotary:
    """The default rotary module of Llama, in float32."""

    facts = {"head_dim": 64, "base": 10_000, "dtype": "float32", "layout": "half"}

    def __init__(self) -> None:
        settings = {"head_dim": 64, "rope_theta": 10_000, "max_position_embeddings": 131_072}
        self.module = LlamaRotaryEmbedding(_config(settings))

    def rotate(self, x: Any, positions: Any) -> Any:
        vectors = torch.from_numpy(np.ascontiguousarray(x, dtype=np.float32))
        batch = vectors.reshape(1, -1, *vectors.shape[-2:])
        cosine, sine = self.module(batch, torch.as_tensor(np.asarray(positions))[None])
        turned, _ = apply_rotary_pos_emb(batch, batch, cosine, sine)
        return turned.reshape(vectors.shape)


class ScalingRules:
    """The functions that make frequencies from rope_parameters."""

    dtype = "float32"

    def ladder(self, parameters: Mapping[str, Any], length: int | None) -> Any:
        nested = any(
            isinstance(inner, Mapping) and LAYERS[0] in inner
            for inner in (parameters.get(nest) for nest in NESTS)
        )
        config = _config(parameters, nested)
        kind = flat(parameters).get("rope_type", "default")
        if kind == "default":
            if nested:
                raise NotImplementedError("the default rule knows no layer types")
            return PhiRotaryEmbedding.compute_default_rope_parameters(config)
        layer = {"layer_type": LAYERS[0]} if nested else {}
        return ROPE_INIT_FUNCTIONS[kind](config, "cpu", seq_len=length, **layer)


class DynamicRotary:
    """The dynamic NTK module of Llama, called at one length after another."""

    facts: dict[str, Any] = {
        "dtype": "float32",
        "parameters": {
            "rope_type": "dynamic",
            "rope_theta": 10_000,
            "head_dim": 64,
            "factor": 4,
            "original_max_position_embeddings": 16,
        },
    }

    def __init__(self) -> None:
        self.module = LlamaRotaryEmbedding(_config(self.facts["parameters"]))

    def frequencies(self, length: int) -> Any:
        self.module(torch.zeros(1, 1, 64), torch.arange(length)[None])
        return self.module.inv_freq


class Bloom:
    """The ALiBi tensor of Bloom: one row of keys for all queries, behind a causal mask."""

    dtype = "float32"
    build = staticmethod(modeling_bloom.build_alibi_tensor)

    def rows(self, mask: Any, heads: int) -> Any:
        """(batch, heads, n)."""
        tokens = torch.as_tensor(np.asarray(mask))
        rows = self.build(tokens, heads, torch.float32)
        return rows.reshape(len(tokens), heads, tokens.shape[1])

    def slopes(self, heads: int) -> Any:
        return self.rows(np.ones((1, 2), dtype=int), heads)[0, :, 1]

    def bias(self, query_positions: Any, key_positions: Any) -> Any:
        whole = np.ones((1, int(max(*query_positions, *key_positions)) + 1), dtype=int)
        row = self.rows(whole, HEADS)[0][:, np.asarray(key_positions)]
        return row[:, None, :].expand(-1, len(query_positions), -1)

    def padded(self, mask: Any) -> Any:
        return self.rows(mask, 1)[:, 0] / self.slopes(1)[0]


class Falcon(Bloom):
    """The ALiBi tensor of Falcon, asked for in float32."""

    build = staticmethod(modeling_falcon.build_alibi_tensor)


class Mpt:
    """The ALiBi tensor of MPT: one row of keys that ends at the last position."""

    dtype = "float32"

    def slopes(self, heads: int) -> Any:
        return -build_mpt_alibi_tensor(heads, 2)[:, 0, 0]

    def bias(self, query_positions: Any, key_positions: Any) -> Any:
        length = int(max(*query_positions, *key_positions)) + 1
        row = build_mpt_alibi_tensor(HEADS, length)[:, :, np.asarray(key_positions)]
        return row.expand(-1, len(query_positions), -1)


class T5:
    """The relative position buckets of T5, one-sided, 32 up to distance 128."""

    facts = {"bidirectional": False, "buckets": 32, "max_distance": 128}

    def bucket(self, offsets: Any) -> Any:
        return T5Attention._relative_position_bucket(
            torch.as_tensor(np.asarray(offsets)),
            bidirectional=False,
            num_buckets=self.facts["buckets"],
            max_distance=self.facts["max_distance"],
        )


class T5Degenerate(T5):
    """The same rule with a max_distance that its exact buckets already cover."""

    facts = {"bidirectional": False, "buckets": 32, "max_distance": 16}


class Generation:
    """The positions that generation derives from an attention mask."""

    def padded(self, mask: Any) -> Any:
        tokens = torch.as_tensor(np.asarray(mask))
        prepare = GenerationMixin._prepare_position_ids_for_generation
        return prepare(None, tokens, {"attention_mask": tokens})


class QwenPositions:
    """The multi-axis positions of Qwen2-VL, two by two cells merged into a token."""

    facts = {"merge": 2}
    model: Any = Qwen2VLModel

    def positions(self, segments: Any) -> Any:
        kinds, grids = list[int](), {"image": list[Any](), "video": list[Any]()}
        for kind, *sizes in segments:
            if kind == "text":
                kinds += [0] * sizes[0]
                continue
            frames, height, width = (1, *sizes)[-3:]
            grids[kind].append([frames, height, width])
            kinds += [1 if kind == "image" else 2] * (frames * (height // 2) * (width // 2))
        tokens = torch.tensor(kinds)[None]
        images, videos = (torch.tensor(grids[kind]) if grids[kind] else None for kind in grids)
        places, _ = self.model.get_rope_index(
            _Qwen(self.model), tokens, tokens.int(), image_grid_thw=images, video_grid_thw=videos
        )
        return places[:, 0].T

    def padded(self, mask: Any) -> Any:
        tokens = torch.as_tensor(np.asarray(mask))
        places, _ = self.model.get_rope_index(
            _Qwen(self.model), tokens, torch.zeros_like(tokens).int(), attention_mask=tokens
        )
        return places[0]


class Qwen25Positions(QwenPositions):
    """The multi-axis positions of Qwen2.5-VL, two by two cells merged, one second a frame."""

    model = Qwen2_5_VLModel


class _Qwen:
    """What get_rope_index reads of a model, without the model."""

    class config:
        class vision_config:
            spatial_merge_size = 2
            tokens_per_second = 1

    def __init__(self, model: Any) -> None:
        self.get_vision_position_ids = partial(model.get_vision_position_ids, self)
