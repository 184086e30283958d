"""Unitary tokens: what products of them store, and the coordinates they are stored in."""

from posproof.theory.unitary.coordinates import DIMENSION, Coordinates
from posproof.theory.unitary.words import (
    ANTISYMMETRIC_SCORE,
    ASSOCIATIVITY,
    BLIND_SPOTS,
    CAPACITY,
    FREE_WORDS,
    SENSITIVITY,
    Associativity,
    BlindSpots,
    Capacity,
    FreeWords,
    Score,
    Sensitivity,
)

__all__ = [
    "ANTISYMMETRIC_SCORE",
    "ASSOCIATIVITY",
    "BLIND_SPOTS",
    "CAPACITY",
    "DIMENSION",
    "FREE_WORDS",
    "SENSITIVITY",
    "Associativity",
    "BlindSpots",
    "Capacity",
    "Coordinates",
    "FreeWords",
    "Score",
    "Sensitivity",
]
