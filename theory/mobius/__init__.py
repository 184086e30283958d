"""Anti-periodic (Moebius) rotary ladders."""

from posproof.theory.mobius.alternatives import (
    ALGEBRAIC_LADDERS,
    APERIODIC_DISTANCE,
    DECIMAL_BASES,
    PERIODIC_CONTROL,
    Alternatives,
)
from posproof.theory.mobius.kernel import DELTA, DIPOLE, LOBES, SYMMETRIES, Kernel
from posproof.theory.mobius.ladder import BUNDLE, HOLONOMY, OTHER_INVARIANTS, Ladder
from posproof.theory.mobius.practice import FLOAT_FLOOR, HYBRID_HEADS, Practice

__all__ = [
    "ALGEBRAIC_LADDERS",
    "APERIODIC_DISTANCE",
    "BUNDLE",
    "DECIMAL_BASES",
    "DELTA",
    "DIPOLE",
    "FLOAT_FLOOR",
    "HOLONOMY",
    "HYBRID_HEADS",
    "LOBES",
    "OTHER_INVARIANTS",
    "PERIODIC_CONTROL",
    "SYMMETRIES",
    "Alternatives",
    "Kernel",
    "Ladder",
    "Practice",
]
