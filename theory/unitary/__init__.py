"""Unitary tokens: what products of them store, and the coordinates they are stored in."""

from posproof.theory.unitary.blind_spots import BLIND_SPOTS, BlindSpots
from posproof.theory.unitary.chunks import ASSOCIATIVITY, Associativity
from posproof.theory.unitary.coordinates import DIMENSION, Coordinates
from posproof.theory.unitary.frames import ANTISYMMETRIC_SCORE, SENSITIVITY, Score, Sensitivity
from posproof.theory.unitary.words import CAPACITY, FREE_WORDS, Capacity, FreeWords

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
