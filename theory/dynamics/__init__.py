"""Attention with rotary scores as a flow on the sphere."""

from posproof.theory.dynamics.energy import ENERGY, Energy
from posproof.theory.dynamics.spectrum import BESSEL_SPECTRUM, Ring
from posproof.theory.dynamics.twists import ODD_ANTIPODAL, STABLE_TWISTS, Twists

__all__ = [
    "BESSEL_SPECTRUM",
    "ENERGY",
    "ODD_ANTIPODAL",
    "STABLE_TWISTS",
    "Energy",
    "Ring",
    "Twists",
]
