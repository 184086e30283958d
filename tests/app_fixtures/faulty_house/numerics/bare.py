"""Numerical evidence for bare."""

from posproof.theory.vocabulary import Evidence, checked_by
from faulty_house.theory.bare import CLAIM


@checked_by(CLAIM, "one", "float")
def compare(of, run):
    return Evidence("holds")
