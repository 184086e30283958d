"""Ordered products of operators along paths."""

from posproof.theory.journey.curvature import CONTENT_DEPENDENCE, STOKES, Curvature
from posproof.theory.journey.paths import COMMUTATION, FLATNESS, PATH_COUNT, Paths

__all__ = [
    "COMMUTATION",
    "CONTENT_DEPENDENCE",
    "FLATNESS",
    "PATH_COUNT",
    "STOKES",
    "Curvature",
    "Paths",
]
