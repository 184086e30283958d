"""Ordered products of operators along paths."""

from posproof.theory.journey.paths import (
    COMMUTATION,
    CONTENT_DEPENDENCE,
    FLATNESS,
    PATH_COUNT,
    STOKES,
    Paths,
)

__all__ = [
    "COMMUTATION",
    "CONTENT_DEPENDENCE",
    "FLATNESS",
    "PATH_COUNT",
    "STOKES",
    "Paths",
]
