"""SO(3) representations as positional encodings of the sphere."""

from posproof.theory.spherical.representations import (
    GROUP_LAW,
    POLYNOMIAL_ENTRIES,
    Forms,
    Wigner,
)

__all__ = [
    "GROUP_LAW",
    "POLYNOMIAL_ENTRIES",
    "Forms",
    "Wigner",
]
