"""Ordered products of operators along paths."""

from posproof.theory.journey.addressing import (
    CONTENT_ADDRESS,
    LINEAR_ATTENTION_LIMIT,
    RELATIVE_LOGITS,
    VALUE_TRANSPORT,
    Addressing,
)
from posproof.theory.journey.cocycles import (
    COCYCLE,
    COMMUTANT,
    COORDINATE_FACTORS,
    SUM_ADDRESSES,
    Cocycles,
)
from posproof.theory.journey.composition import (
    AFFINE_COMPOSITION,
    INTERCHANGE,
    SCAN,
    Affine,
    Grid,
    Scan,
)
from posproof.theory.journey.curvature import CONTENT_DEPENDENCE, STOKES, Curvature
from posproof.theory.journey.holonomy import LOOPS, SO3_HOLONOMY, Loops, Rotations
from posproof.theory.journey.paths import COMMUTATION, FLATNESS, PATH_COUNT, Paths
from posproof.theory.journey.uniqueness import (
    CERTIFIER,
    SPECIAL_CASES,
    UNIQUENESS,
    Axioms,
    Certifier,
    Layouts,
)

__all__ = [
    "AFFINE_COMPOSITION",
    "CERTIFIER",
    "COCYCLE",
    "COMMUTANT",
    "COMMUTATION",
    "CONTENT_ADDRESS",
    "CONTENT_DEPENDENCE",
    "COORDINATE_FACTORS",
    "FLATNESS",
    "INTERCHANGE",
    "LINEAR_ATTENTION_LIMIT",
    "LOOPS",
    "PATH_COUNT",
    "RELATIVE_LOGITS",
    "SCAN",
    "SO3_HOLONOMY",
    "SPECIAL_CASES",
    "STOKES",
    "SUM_ADDRESSES",
    "UNIQUENESS",
    "VALUE_TRANSPORT",
    "Addressing",
    "Affine",
    "Axioms",
    "Certifier",
    "Cocycles",
    "Curvature",
    "Grid",
    "Layouts",
    "Loops",
    "Paths",
    "Rotations",
    "Scan",
]
