"""The dynamics of attention, measured."""

from posproof.numerics.dynamics.spectrum import (
    bessel_spectrum,
    class_sum,
    corridor,
    crossover,
    law,
    ring_gap,
    ring_spectrum,
    ring_weights,
    spectrum_bound,
)

__all__ = [
    "bessel_spectrum",
    "class_sum",
    "corridor",
    "crossover",
    "law",
    "ring_gap",
    "ring_spectrum",
    "ring_weights",
    "spectrum_bound",
]
