"""Attention with rotary scores as a flow on the sphere."""

from posproof.theory.dynamics.energy import ENERGY, Energy
from posproof.theory.dynamics.spectrum import BESSEL_SPECTRUM, Ring

__all__ = ["BESSEL_SPECTRUM", "ENERGY", "Energy", "Ring"]
