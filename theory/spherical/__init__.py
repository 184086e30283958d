"""SO(3) representations as positional encodings of the sphere."""

from posproof.theory.spherical.gauge import BEARINGS, CURVATURE, GAUGE_PHASE, Gauge
from posproof.theory.spherical.harmonics import ADDITION_THEOREM, QUADRATURE, Harmonics

__all__ = [
    "ADDITION_THEOREM",
    "BEARINGS",
    "CURVATURE",
    "GAUGE_PHASE",
    "Gauge",
    "Harmonics",
    "QUADRATURE",
]
