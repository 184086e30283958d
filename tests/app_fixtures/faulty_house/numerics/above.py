"""Numerical evidence for above."""

from fractions import Fraction

from faulty_house.theory.above import CLAIM
from posproof.theory.vocabulary import Bound, Evidence, checked_by


@checked_by(CLAIM, "one", "float")
def compare(of, run):
    return Evidence("holds", 0.5, Bound(Fraction(1, 4), "1/4"))
