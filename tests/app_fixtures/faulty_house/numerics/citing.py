"""Numerical evidence for citing."""

from posproof.theory.vocabulary import Evidence, Trust, checked_by
from faulty_house.theory.citing import CLAIM


@checked_by(CLAIM, "one", "float")
def compare(of, run):
    return Evidence("holds", trusts=frozenset({Trust("cited", "folklore")}))
