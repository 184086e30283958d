"""SO(3) representations as positional encodings of the sphere."""

from posproof.theory.spherical.sections import (
    MIRRORS,
    RELATIVE_SCORE,
    SECTIONS,
    Mirrors,
    Relative,
    Sections,
)
from posproof.theory.spherical.stabilisers import (
    HEAD_SIZES,
    STABILISER_NO_GO,
    Heads,
    Stabilisers,
)

__all__ = [
    "HEAD_SIZES",
    "MIRRORS",
    "RELATIVE_SCORE",
    "SECTIONS",
    "STABILISER_NO_GO",
    "Heads",
    "Mirrors",
    "Relative",
    "Sections",
    "Stabilisers",
]
