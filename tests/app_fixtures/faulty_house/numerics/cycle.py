"""Numerical evidence for cycle."""

from posproof.theory.vocabulary import Evidence, checked_by
from faulty_house.theory.cycle import CLAIM


@checked_by(CLAIM, "one", "float")
def compare(of, run):
    return Evidence("holds")
