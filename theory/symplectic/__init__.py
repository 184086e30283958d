"""Dual shears: the positional maps of Sp(2, R), with and without damping."""

from posproof.theory.symplectic.branches import DAMPING, Damping
from posproof.theory.symplectic.powers import (
    DECOMPOSITIONS,
    POWERS,
    Decompositions,
    Powers,
)

__all__ = [
    "DAMPING",
    "DECOMPOSITIONS",
    "POWERS",
    "Damping",
    "Decompositions",
    "Powers",
]
