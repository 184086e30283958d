"""Numerical evidence for citing."""

from faulty_house.theory.citing import CLAIM
from posproof.theory.vocabulary import Evidence, Trust, checked_by


@checked_by(CLAIM, "one", "float")
def compare(of, run):
    return Evidence("holds", trusts=frozenset({Trust("cited", "folklore")}))
