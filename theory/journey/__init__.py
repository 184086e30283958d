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
from posproof.theory.journey.curvature import CONTENT_DEPENDENCE, STOKES, Curvature
from posproof.theory.journey.paths import COMMUTATION, FLATNESS, PATH_COUNT, Paths

__all__ = [
    "COCYCLE",
    "COMMUTANT",
    "COMMUTATION",
    "CONTENT_ADDRESS",
    "CONTENT_DEPENDENCE",
    "COORDINATE_FACTORS",
    "FLATNESS",
    "LINEAR_ATTENTION_LIMIT",
    "PATH_COUNT",
    "RELATIVE_LOGITS",
    "STOKES",
    "SUM_ADDRESSES",
    "VALUE_TRANSPORT",
    "Addressing",
    "Cocycles",
    "Curvature",
    "Paths",
]
