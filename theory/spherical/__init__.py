"""SO(3) representations as positional encodings of the sphere."""

from posproof.theory.spherical.gauge import BEARINGS, CURVATURE, GAUGE_PHASE, Gauge

__all__ = [
    "BEARINGS",
    "CURVATURE",
    "GAUGE_PHASE",
    "Gauge",
]
