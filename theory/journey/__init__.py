"""Ordered products of operators along paths."""

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
    "COORDINATE_FACTORS",
    "SUM_ADDRESSES",
    "Cocycles",
]
