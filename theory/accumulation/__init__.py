"""Rotations and reflections accumulated along a text."""

from posproof.theory.accumulation.gates import GATED_ROTATIONS, Gates
from posproof.theory.accumulation.householder import HOUSEHOLDER, Householder
from posproof.theory.accumulation.scores import (
    FAR_MASS,
    ROTATED_VALUES,
    WINDOW_TRADEOFF,
    FarMass,
    RotatedValues,
    Tradeoff,
)
from posproof.theory.accumulation.windows import (
    INCOHERENCE_LIMITS,
    RANDOM_MEAN,
    Law,
    Limits,
    RandomMean,
)

__all__ = [
    "FAR_MASS",
    "GATED_ROTATIONS",
    "HOUSEHOLDER",
    "INCOHERENCE_LIMITS",
    "RANDOM_MEAN",
    "ROTATED_VALUES",
    "WINDOW_TRADEOFF",
    "FarMass",
    "Gates",
    "Householder",
    "Law",
    "Limits",
    "RandomMean",
    "RotatedValues",
    "Tradeoff",
]
