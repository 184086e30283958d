"""Numerical evidence for exits."""

import os

from faulty_house.theory.exits import CLAIM
from posproof.theory.vocabulary import Evidence, checked_by


@checked_by(CLAIM, "one", "float")
def quick_one(of, run):
    return Evidence("holds")


@checked_by(CLAIM, "one", "float")
def bad_one(of, run):
    os._exit(7)


@checked_by(CLAIM, "one", "float")
def last_one(of, run):
    return Evidence("holds")
