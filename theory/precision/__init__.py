"""What rounding adds to rotary embeddings."""

from posproof.theory.precision.checking import CHECK_POWER, Checking
from posproof.theory.precision.composition import PRODUCTS, SOFTMAX, WIGNER, Composition
from posproof.theory.precision.rounding import ANGLES, NORM, RELATIVE, Rounding

__all__ = [
    "ANGLES",
    "CHECK_POWER",
    "NORM",
    "PRODUCTS",
    "RELATIVE",
    "SOFTMAX",
    "WIGNER",
    "Checking",
    "Composition",
    "Rounding",
]
