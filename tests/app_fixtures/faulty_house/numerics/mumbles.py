"""Numerical evidence for mumbles."""

from faulty_house.theory.mumbles import CLAIM
from posproof.theory.vocabulary import Evidence, checked_by


@checked_by(CLAIM, "one", "float")
def quick_one(of, run):
    return Evidence("holds")


@checked_by(CLAIM, "one", "float")
def bad_one(of, run):
    return True


@checked_by(CLAIM, "one", "float")
def last_one(of, run):
    return Evidence("holds")
