"""SO(3) representations as positional encodings of the sphere."""

from posproof.theory.spherical.stabilisers import (
    HEAD_SIZES,
    STABILISER_NO_GO,
    Heads,
    Stabilisers,
)

__all__ = ["HEAD_SIZES", "STABILISER_NO_GO", "Heads", "Stabilisers"]
