"""Numerical evidence for eats."""

from faulty_house.theory.eats import CLAIM
from posproof.theory.vocabulary import Evidence, checked_by


@checked_by(CLAIM, "one", "float")
def quick_one(of, run):
    return Evidence("holds")


@checked_by(CLAIM, "one", "float")
def bad_one(of, run):
    hoard = []
    while True:
        hoard.append(bytearray(1 << 24))


@checked_by(CLAIM, "one", "float")
def last_one(of, run):
    return Evidence("holds")
