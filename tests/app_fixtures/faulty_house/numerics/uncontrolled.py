"""Numerical evidence for uncontrolled."""

from faulty_house.theory.uncontrolled import CLAIM
from posproof.theory.vocabulary import Evidence, checked_by


@checked_by(CLAIM, "one", "ball")
def compare(of, run):
    return Evidence("holds")
