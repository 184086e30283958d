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
from posproof.theory.journey.paths import (
    COMMUTATION,
    CONTENT_DEPENDENCE,
    FLATNESS,
    PATH_COUNT,
    STOKES,
    Paths,
)

__all__ = [
    "AFFINE_COMPOSITION",
    "COMMUTATION",
    "CONTENT_DEPENDENCE",
    "FLATNESS",
    "INTERCHANGE",
    "LOOPS",
    "PATH_COUNT",
    "SCAN",
    "SO3_HOLONOMY",
    "STOKES",
    "Affine",
    "Grid",
    "Loops",
    "Paths",
    "Rotations",
    "Scan",
]
