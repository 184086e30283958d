"""Ordered products of operators along paths."""

from posproof.theory.journey.composition import (
    AFFINE_COMPOSITION,
    INTERCHANGE,
    SCAN,
    Affine,
    Grid,
    Scan,
)
from posproof.theory.journey.holonomy import LOOPS, SO3_HOLONOMY, Loops, Rotations

__all__ = [
    "AFFINE_COMPOSITION",
    "INTERCHANGE",
    "LOOPS",
    "SCAN",
    "SO3_HOLONOMY",
    "Affine",
    "Grid",
    "Loops",
    "Rotations",
    "Scan",
]
