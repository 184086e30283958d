"""SO(3) representations as positional encodings of the sphere."""

from posproof.theory.spherical.sections import RELATIVE_SCORE, Relative
from posproof.theory.spherical.stabilisers import (
    HEAD_SIZES,
    STABILISER_NO_GO,
    Heads,
    Stabilisers,
)

__all__ = ["HEAD_SIZES", "RELATIVE_SCORE", "STABILISER_NO_GO", "Heads", "Relative", "Stabilisers"]
