"""Distance kernels and biases."""

from posproof.theory.kernels.alibi import ALIBI_UNDERFLOW, Underflow
from posproof.theory.kernels.buckets import T5_BUCKETS, Buckets

__all__ = ["ALIBI_UNDERFLOW", "T5_BUCKETS", "Buckets", "Underflow"]
