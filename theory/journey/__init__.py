"""Ordered products of operators along paths."""

from posproof.theory.journey.addressing import (
    CONTENT_ADDRESS,
    LINEAR_ATTENTION_LIMIT,
    RELATIVE_LOGITS,
    VALUE_TRANSPORT,
    Addressing,
)
from posproof.theory.journey.certifier import CERTIFIER, Certifier
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
from posproof.theory.journey.holonomy import SO3_HOLONOMY, Rotations
from posproof.theory.journey.layouts import SPECIAL_CASES, Layouts
from posproof.theory.journey.loops import LOOPS, Loops
from posproof.theory.journey.paths import COMMUTATION, FLATNESS, PATH_COUNT, Paths
from posproof.theory.journey.uniqueness import UNIQUENESS, Axioms

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
