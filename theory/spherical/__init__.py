"""SO(3) representations as positional encodings of the sphere."""

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
    "FACTORISATION",
    "HALF_PI_MATRIX",
    "MATRIX_CERTIFICATE",
    "WIGNER_NUMERICS",
    "Certificate",
    "Degrees",
    "Factors",
    "Rounding",
]
