"""What rounding adds to rotary embeddings."""

from posproof.theory.precision.checking import CHECK_POWER, Checking
from posproof.theory.precision.composition import PRODUCTS, SOFTMAX, WIGNER, Composition
from posproof.theory.precision.positions import (
    COLLISIONS,
    INTEGER_PHASE,
    LIBRARY_DEFAULTS,
    Collisions,
    Defaults,
    Phases,
)
from posproof.theory.precision.rounding import ANGLES, NORM, RELATIVE, Rounding

__all__ = [
    "ANGLES",
    "CHECK_POWER",
    "COLLISIONS",
    "INTEGER_PHASE",
    "LIBRARY_DEFAULTS",
    "NORM",
    "PRODUCTS",
    "RELATIVE",
    "SOFTMAX",
    "WIGNER",
    "Checking",
    "Collisions",
    "Composition",
    "Defaults",
    "Phases",
    "Rounding",
]
