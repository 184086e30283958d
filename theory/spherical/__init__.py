"""SO(3) representations as positional encodings of the sphere."""

from posproof.theory.spherical.characters import CHARACTERS, Characters
from posproof.theory.spherical.representations import (
    ALL_DEGREES,
    GROUP_LAW,
    POLYNOMIAL_ENTRIES,
    AllDegrees,
    Forms,
    Wigner,
)
from posproof.theory.spherical.torus import GENERATORS, MAXIMAL_TORUS, Generators, Torus

__all__ = [
    "ALL_DEGREES",
    "CHARACTERS",
    "GENERATORS",
    "GROUP_LAW",
    "MAXIMAL_TORUS",
    "POLYNOMIAL_ENTRIES",
    "AllDegrees",
    "Characters",
    "Forms",
    "Generators",
    "Torus",
    "Wigner",
]
