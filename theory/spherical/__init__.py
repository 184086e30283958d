"""SO(3) representations as positional encodings of the sphere."""

from posproof.theory.spherical.representations import (
    GROUP_LAW,
    POLYNOMIAL_ENTRIES,
    Forms,
    Wigner,
)
from posproof.theory.spherical.torus import (
    CHARACTERS,
    GENERATORS,
    MAXIMAL_TORUS,
    Characters,
    Generators,
    Torus,
)

__all__ = [
    "CHARACTERS",
    "GENERATORS",
    "GROUP_LAW",
    "MAXIMAL_TORUS",
    "POLYNOMIAL_ENTRIES",
    "Characters",
    "Forms",
    "Generators",
    "Torus",
    "Wigner",
]
