"""SO(3) representations as positional encodings of the sphere."""

from posproof.theory.spherical.gauge import (
    BEARINGS,
    CURVATURE,
    GAUGE_PHASE,
    Gauge,
)
from posproof.theory.spherical.harmonics import (
    ADDITION_THEOREM,
    Harmonics,
)
from posproof.theory.spherical.representations import (
    GROUP_LAW,
    POLYNOMIAL_ENTRIES,
    Forms,
    Wigner,
)
from posproof.theory.spherical.sections import (
    RELATIVE_SCORE,
    Relative,
)
from posproof.theory.spherical.stabilisers import (
    HEAD_SIZES,
    STABILISER_NO_GO,
    Heads,
    Stabilisers,
)
from posproof.theory.spherical.wigner import (
    FACTORISATION,
    HALF_PI_MATRIX,
    MATRIX_CERTIFICATE,
    WIGNER_NUMERICS,
    Certificate,
    Degrees,
    Factors,
    Rounding,
)

__all__ = [
    "ADDITION_THEOREM",
    "BEARINGS",
    "CURVATURE",
    "Certificate",
    "Degrees",
    "FACTORISATION",
    "Factors",
    "Forms",
    "GAUGE_PHASE",
    "GROUP_LAW",
    "Gauge",
    "HALF_PI_MATRIX",
    "HEAD_SIZES",
    "Harmonics",
    "Heads",
    "MATRIX_CERTIFICATE",
    "POLYNOMIAL_ENTRIES",
    "RELATIVE_SCORE",
    "Relative",
    "Rounding",
    "STABILISER_NO_GO",
    "Stabilisers",
    "WIGNER_NUMERICS",
    "Wigner",
]
