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
from posproof.theory.journey.uniqueness import (
    CERTIFIER,
    SPECIAL_CASES,
    UNIQUENESS,
    Axioms,
    Certifier,
    Layouts,
)

__all__ = [
    "CERTIFIER",
    "COCYCLE",
    "COMMUTANT",
    "CONTENT_ADDRESS",
    "COORDINATE_FACTORS",
    "LINEAR_ATTENTION_LIMIT",
    "RELATIVE_LOGITS",
    "SPECIAL_CASES",
    "SUM_ADDRESSES",
    "UNIQUENESS",
    "VALUE_TRANSPORT",
    "Addressing",
    "Axioms",
    "Certifier",
    "Cocycles",
    "Layouts",
]
