"""Numerical evidence for uncaught."""

from faulty_house.theory.uncaught import CLAIM
from posproof.theory.vocabulary import Evidence, checked_by, control


@control("two", value=2)
@checked_by(CLAIM, "one", "ball")
def careless(of, run):
    return Evidence("holds")
