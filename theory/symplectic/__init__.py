"""Dual shears: the positional maps of Sp(2, R), with and without damping."""

from posproof.theory.symplectic.shears import (
    GENERATION,
    SHEARS,
    SYMMETRIC_COMPOSITION,
    THREE_SHEARS,
    Shears,
)

__all__ = ["GENERATION", "SHEARS", "SYMMETRIC_COMPOSITION", "THREE_SHEARS", "Shears"]
