"""Attention with rotary scores as a flow on the sphere."""

from posproof.theory.dynamics.baseline import UNIFORM_BASELINE, Baseline
from posproof.theory.dynamics.kernel import FLOORS, SPECTRAL_BOUND, Attention
from posproof.theory.dynamics.spectrum import BESSEL_SPECTRUM, Ring

__all__ = [
    "BESSEL_SPECTRUM",
    "FLOORS",
    "SPECTRAL_BOUND",
    "UNIFORM_BASELINE",
    "Attention",
    "Baseline",
    "Ring",
]
