"""Numerical evidence for hangs."""

import time

from faulty_house.theory.hangs import CLAIM
from posproof.theory.vocabulary import Evidence, checked_by


@checked_by(CLAIM, "one", "float")
def quick_one(of, run):
    return Evidence("holds")


@checked_by(CLAIM, "one", "float")
def bad_one(of, run):
    while True:
        time.sleep(60)


@checked_by(CLAIM, "one", "float")
def last_one(of, run):
    return Evidence("holds")
