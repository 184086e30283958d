"""SO(3) representations as positional encodings of the sphere."""

from posproof.theory.spherical.characters import (
    CHARACTERS,
    Characters,
)
from posproof.theory.spherical.gauge import (
    BEARINGS,
    CURVATURE,
    GAUGE_PHASE,
    Gauge,
)
from posproof.theory.spherical.harmonics import (
    ADDITION_THEOREM,
    FLAT_LIMIT,
    QUADRATURE,
    Harmonics,
)
from posproof.theory.spherical.representations import (
    ALL_DEGREES,
    GROUP_LAW,
    POLYNOMIAL_ENTRIES,
    AllDegrees,
    Forms,
    Wigner,
)
from posproof.theory.spherical.sections import (
    MIRRORS,
    RELATIVE_SCORE,
    SECTIONS,
    Mirrors,
    Relative,
    Sections,
)
from posproof.theory.spherical.stabilisers import (
    HEAD_SIZES,
    STABILISER_NO_GO,
    Heads,
    Stabilisers,
)
from posproof.theory.spherical.torus import (
    GENERATORS,
    MAXIMAL_TORUS,
    Generators,
    Torus,
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
    "ALL_DEGREES",
    "AllDegrees",
    "BEARINGS",
    "CHARACTERS",
    "CURVATURE",
    "Certificate",
    "Characters",
    "Degrees",
    "FACTORISATION",
    "FLAT_LIMIT",
    "Factors",
    "Forms",
    "GAUGE_PHASE",
    "GENERATORS",
    "GROUP_LAW",
    "Gauge",
    "Generators",
    "HALF_PI_MATRIX",
    "HEAD_SIZES",
    "Harmonics",
    "Heads",
    "MATRIX_CERTIFICATE",
    "MAXIMAL_TORUS",
    "MIRRORS",
    "Mirrors",
    "POLYNOMIAL_ENTRIES",
    "QUADRATURE",
    "RELATIVE_SCORE",
    "Relative",
    "Rounding",
    "SECTIONS",
    "STABILISER_NO_GO",
    "Sections",
    "Stabilisers",
    "Torus",
    "WIGNER_NUMERICS",
    "Wigner",
]
