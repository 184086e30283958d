"""Dual shears: the positional maps of Sp(2, R), with and without damping."""

from posproof.theory.symplectic.relative import RELATIVE_LAW, Relative
from posproof.theory.symplectic.shears import (
    GENERATION,
    SHEARS,
    SYMMETRIC_COMPOSITION,
    THREE_SHEARS,
    TRACE_CLASSES,
    Shears,
)

__all__ = [
    "GENERATION",
    "RELATIVE_LAW",
    "SHEARS",
    "SYMMETRIC_COMPOSITION",
    "THREE_SHEARS",
    "TRACE_CLASSES",
    "Relative",
    "Shears",
]
