"""Numerical evidence for bare."""

from faulty_house.theory.bare import CLAIM
from posproof.theory.vocabulary import Evidence, checked_by


@checked_by(CLAIM, "one", "float")
def compare(of, run):
    return Evidence("holds")
