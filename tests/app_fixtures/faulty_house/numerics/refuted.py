"""Numerical evidence for refuted."""

from faulty_house.theory.refuted import CLAIM
from posproof.theory.vocabulary import Evidence, checked_by


@checked_by(CLAIM, "one", "float")
def compare(of, run):
    return Evidence("refuted", witness="x = 2: 2 is not 1")
