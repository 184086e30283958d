"""What rounding adds to rotary embeddings."""

from posproof.theory.precision.rounding import ANGLES, NORM, RELATIVE, Rounding

__all__ = ["ANGLES", "NORM", "RELATIVE", "Rounding"]
