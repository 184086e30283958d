"""Dual shears: the positional maps of Sp(2, R), with and without damping."""

from posproof.theory.symplectic.boosts import LORENTZ_BOOST, Boosts
from posproof.theory.symplectic.branches import DAMPING, Damping
from posproof.theory.symplectic.lorentz import ELLIPTIC_BRANCH, Elliptic
from posproof.theory.symplectic.norms import OPERATOR_NORM, Norms
from posproof.theory.symplectic.powers import (
    DECOMPOSITIONS,
    POWERS,
    Decompositions,
    Powers,
)

__all__ = [
    "DAMPING",
    "DECOMPOSITIONS",
    "ELLIPTIC_BRANCH",
    "LORENTZ_BOOST",
    "OPERATOR_NORM",
    "POWERS",
    "Boosts",
    "Damping",
    "Decompositions",
    "Elliptic",
    "Norms",
    "Powers",
]
