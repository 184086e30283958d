"""Checkpoint settings of a rotary ladder, in every spelling they come in.

Main definitions
----------------
rule_of       the `Rule` that a dictionary of settings means
spellings     the same settings written flat, nested, with None, and with defaults left out

Conventions
-----------
The names are those of published configuration files: rope_type (or type), rope_theta, head_dim,
partial_rotary_factor, factor, original_max_position_embeddings, max_position_embeddings,
attention_factor, beta_fast, beta_slow, truncate, mscale, mscale_all_dim, low_freq_factor,
high_freq_factor, short_factor, long_factor; flat, or inside rope_parameters or rope_scaling, there
perhaps by layer type.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from posproof.errors import BadInput, suggest
from posproof.numerics.frequency_rules import Number, Rule

NAMES = {
    *("rope_type", "type", "rope_theta", "head_dim", "partial_rotary_factor", "factor"),
    *("original_max_position_embeddings", "max_position_embeddings", "attention_factor"),
    *("beta_fast", "beta_slow", "truncate", "mscale", "mscale_all_dim"),
    *("low_freq_factor", "high_freq_factor", "short_factor", "long_factor"),
}
NESTS = ("rope_parameters", "rope_scaling")
LAYERS = ("full_attention", "sliding_attention")
#: What a setting that is absent or None means.
DEFAULTS: dict[str, Any] = {
    "rope_type": "default",
    "rope_theta": 10_000,
    "partial_rotary_factor": 1,
    "factor": 1,
    "beta_fast": 32,
    "beta_slow": 1,
    "truncate": True,
}


def flat(settings: Mapping[str, Any], layer: str = LAYERS[0]) -> dict[str, Any]:
    """The settings of one layer type without nesting or Nones; BadInput for an unknown name."""
    plain = {key: value for key, value in settings.items() if key not in NESTS}
    for nest in NESTS:
        inner = settings.get(nest) or {}
        plain.update(inner.get(layer, inner) if isinstance(inner, Mapping) else {})
    if "type" in plain:
        plain.setdefault("rope_type", plain.pop("type"))
    unknown = next((key for key in plain if key not in NAMES), None)
    if unknown is not None:
        raise BadInput(f"unknown setting {unknown!r}{suggest(unknown, NAMES)}", "parameters")
    return {key: value for key, value in plain.items() if value is not None}


def rule_of(settings: Mapping[str, Any], head_dim: int | None = None) -> Rule:
    """The ladder that settings mean; `head_dim` where they do not say it.

    Raises BadInput for unknown names and for a missing head_dim.
    """
    known = {**DEFAULTS, **flat(settings)}
    width = known.get("head_dim", head_dim)
    if width is None:
        raise BadInput("the settings name no head_dim", "parameters")
    context = known.get("original_max_position_embeddings") or known.get("max_position_embeddings")
    return Rule(
        name=str(known["rope_type"]),
        head_dim=int(width),
        base=_number(known["rope_theta"]),
        rotary_dim=int(int(width) * _number(known["partial_rotary_factor"])),
        factor=_number(known["factor"]),
        context=None if context is None else int(context),
        stretched=_stretched(known),
        attention_factor=_optional(known.get("attention_factor")),
        beta_fast=_number(known["beta_fast"]),
        beta_slow=_number(known["beta_slow"]),
        truncate=bool(known["truncate"]),
        mscale=_optional(known.get("mscale")),
        mscale_all_dim=_optional(known.get("mscale_all_dim")),
        low_freq_factor=_optional(known.get("low_freq_factor")),
        high_freq_factor=_optional(known.get("high_freq_factor")),
        short_factor=tuple(_number(value) for value in known.get("short_factor", ())),
        long_factor=tuple(_number(value) for value in known.get("long_factor", ())),
    )


def _stretched(known: Mapping[str, Any]) -> int | None:
    """The longest sequence, where it differs from the original context and no factor is given."""
    longest = known.get("max_position_embeddings")
    if longest is None or "original_max_position_embeddings" not in known or known["factor"] != 1:
        return None
    return int(longest)


def _number(value: Any) -> Number:
    """A setting as the decimal it was written as."""
    return Fraction(str(value)) if isinstance(value, float) else Fraction(value)


def _optional(value: Any) -> Number | None:
    return None if value is None else _number(value)


def spellings(settings: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Other ways of writing flat settings; all of them mean the same ladder."""
    outside = {k: v for k, v in settings.items() if k in ("head_dim", "max_position_embeddings")}
    inside = {k: v for k, v in settings.items() if k not in outside}
    yield "flat", dict(settings)
    for nest in NESTS:
        yield f"inside {nest}", {**outside, nest: inside}
    yield "by layer type", {**outside, NESTS[0]: {layer: dict(inside) for layer in LAYERS}}
    absent = {name: None for name in NAMES - {"type", *settings} if name not in outside}
    yield "with None for what is not set", {**absent, **settings}
    spare = {k: v for k, v in settings.items() if k not in DEFAULTS or v != DEFAULTS[k]}
    yield "without what is the default", spare
    full = {**{k: v for k, v in DEFAULTS.items() if k not in ("factor",)}, **settings}
    yield "with every default written out", full
