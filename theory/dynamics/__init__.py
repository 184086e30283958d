"""Attention with rotary scores as a flow on the sphere."""

from posproof.theory.dynamics.baseline import UNIFORM_BASELINE, Baseline
from posproof.theory.dynamics.consensus import (
    CONSENSUS,
    FREQUENCY_ALLOCATION,
    Allocation,
    Consensus,
)
from posproof.theory.dynamics.contraction import (
    HEMISPHERE,
    NON_OBTUSE,
    SEMICIRCLE,
    TAIL,
    VALIDATED_FLOW,
    Contraction,
)
from posproof.theory.dynamics.energy import ENERGY, Energy
from posproof.theory.dynamics.kernel import (
    FLOORS,
    REVERSIBLE,
    SPECTRAL_BOUND,
    Attention,
    Reversible,
)
from posproof.theory.dynamics.spectrum import BESSEL_SPECTRUM, LARGE_BETA, LargeBeta, Ring
from posproof.theory.dynamics.twists import ODD_ANTIPODAL, STABLE_TWISTS, TWISTED_BRANCH, Twists

__all__ = [
    "BESSEL_SPECTRUM",
    "CONSENSUS",
    "ENERGY",
    "FLOORS",
    "FREQUENCY_ALLOCATION",
    "HEMISPHERE",
    "LARGE_BETA",
    "NON_OBTUSE",
    "ODD_ANTIPODAL",
    "REVERSIBLE",
    "SEMICIRCLE",
    "SPECTRAL_BOUND",
    "STABLE_TWISTS",
    "TAIL",
    "TWISTED_BRANCH",
    "UNIFORM_BASELINE",
    "VALIDATED_FLOW",
    "Allocation",
    "Attention",
    "Baseline",
    "Consensus",
    "Contraction",
    "Energy",
    "LargeBeta",
    "Reversible",
    "Ring",
    "Twists",
]
