"""Ordered products of operators along paths."""

from posproof.theory.journey.addressing import (
    CONTENT_ADDRESS,
    LINEAR_ATTENTION_LIMIT,
    RELATIVE_LOGITS,
    VALUE_TRANSPORT,
    Addressing,
)
from posproof.theory.journey.cocycles import (
    COCYCLE,
    COMMUTANT,
    COORDINATE_FACTORS,
    SUM_ADDRESSES,
    Cocycles,
)

__all__ = [
    "COCYCLE",
    "COMMUTANT",
    "CONTENT_ADDRESS",
    "COORDINATE_FACTORS",
    "LINEAR_ATTENTION_LIMIT",
    "RELATIVE_LOGITS",
    "SUM_ADDRESSES",
    "VALUE_TRANSPORT",
    "Addressing",
    "Cocycles",
]
