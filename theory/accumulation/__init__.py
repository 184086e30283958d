"""Rotations and reflections accumulated along a text."""

from posproof.theory.accumulation.gates import GATED_ROTATIONS, Gates
from posproof.theory.accumulation.windows import (
    INCOHERENCE_LIMITS,
    RANDOM_MEAN,
    Law,
    Limits,
    RandomMean,
)

__all__ = [
    "GATED_ROTATIONS",
    "INCOHERENCE_LIMITS",
    "RANDOM_MEAN",
    "Gates",
    "Law",
    "Limits",
    "RandomMean",
]
