"""Numerical evidence for uncontrolled."""

from posproof.theory.vocabulary import Evidence, checked_by
from faulty_house.theory.uncontrolled import CLAIM


@checked_by(CLAIM, "one", "ball")
def compare(of, run):
    return Evidence("holds")
