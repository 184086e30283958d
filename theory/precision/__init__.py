"""What rounding adds to rotary embeddings."""

from posproof.theory.precision.composition import PRODUCTS, SOFTMAX, WIGNER, Composition
from posproof.theory.precision.rounding import ANGLES, NORM, RELATIVE, Rounding

__all__ = [
    "ANGLES",
    "NORM",
    "PRODUCTS",
    "RELATIVE",
    "SOFTMAX",
    "WIGNER",
    "Composition",
    "Rounding",
]
