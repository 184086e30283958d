"""Dual shears: the positional maps of Sp(2, R), with and without damping."""

from posproof.theory.symplectic.branches import (
    DAMPING,
    Damping,
)
from posproof.theory.symplectic.execution import (
    REBASING,
    TILES,
    Execution,
)
from posproof.theory.symplectic.powers import (
    DECOMPOSITIONS,
    POWERS,
    Decompositions,
    Powers,
)
from posproof.theory.symplectic.shears import (
    GENERATION,
    SHEARS,
    SYMMETRIC_COMPOSITION,
    THREE_SHEARS,
    TRACE_CLASSES,
    Shears,
)

__all__ = [
    "DAMPING",
    "DECOMPOSITIONS",
    "Damping",
    "Decompositions",
    "Execution",
    "GENERATION",
    "POWERS",
    "Powers",
    "REBASING",
    "SHEARS",
    "SYMMETRIC_COMPOSITION",
    "Shears",
    "TILES",
    "THREE_SHEARS",
    "TRACE_CLASSES",
]
