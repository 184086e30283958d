"""Numerical evidence for dangling."""

from faulty_house.theory.dangling import CLAIM
from posproof.theory.vocabulary import Evidence, checked_by


@checked_by(CLAIM, "one", "float")
def compare(of, run):
    return Evidence("holds")
