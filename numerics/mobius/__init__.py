"""Anti-periodic (Moebius) rotary ladders, measured."""

from posproof.numerics.mobius.ladder import (
    cosine_sine,
    fold_phase,
    frequencies,
    ladder_order,
    naive_cosine_sine,
    signed_cycle,
)

__all__ = [
    "cosine_sine",
    "fold_phase",
    "frequencies",
    "ladder_order",
    "naive_cosine_sine",
    "signed_cycle",
]
