"""Numerical evidence for raises."""

from faulty_house.theory.raises import CLAIM
from posproof.theory.vocabulary import Evidence, checked_by


@checked_by(CLAIM, "one", "float")
def quick_one(of, run):
    return Evidence("holds")


@checked_by(CLAIM, "one", "float")
def bad_one(of, run):
    return 1 / (of.value - 1)


@checked_by(CLAIM, "one", "float")
def last_one(of, run):
    return Evidence("holds")
