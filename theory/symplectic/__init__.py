"""Dual shears: the positional maps of Sp(2, R), with and without damping."""

from posproof.theory.symplectic.boosts import (
    LORENTZ_BOOST,
    Boosts,
)
from posproof.theory.symplectic.branches import (
    DAMPING,
    Damping,
)
from posproof.theory.symplectic.elliptic import (
    ELLIPTIC_BRANCH,
    Elliptic,
)
from posproof.theory.symplectic.norms import (
    OPERATOR_NORM,
    Norms,
)
from posproof.theory.symplectic.powers import (
    DECOMPOSITIONS,
    POWERS,
    Decompositions,
    Powers,
)
from posproof.theory.symplectic.rebasing import (
    REBASING,
    Execution,
)
from posproof.theory.symplectic.relative import (
    RELATIVE_LAW,
    Relative,
)
from posproof.theory.symplectic.shears import (
    GENERATION,
    SHEARS,
    SYMMETRIC_COMPOSITION,
    THREE_SHEARS,
    TRACE_CLASSES,
    Shears,
)
from posproof.theory.symplectic.tiles import (
    TILES,
)

__all__ = [
    "Boosts",
    "DAMPING",
    "DECOMPOSITIONS",
    "Damping",
    "Decompositions",
    "ELLIPTIC_BRANCH",
    "Elliptic",
    "Execution",
    "GENERATION",
    "LORENTZ_BOOST",
    "Norms",
    "OPERATOR_NORM",
    "POWERS",
    "Powers",
    "REBASING",
    "RELATIVE_LAW",
    "Relative",
    "SHEARS",
    "SYMMETRIC_COMPOSITION",
    "Shears",
    "THREE_SHEARS",
    "TILES",
    "TRACE_CLASSES",
]
