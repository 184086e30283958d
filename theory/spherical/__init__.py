"""SO(3) representations as positional encodings of the sphere."""

from posproof.theory.spherical.stabilisers import (
    STABILISER_NO_GO,
    Stabilisers,
)

__all__ = ["STABILISER_NO_GO", "Stabilisers"]
