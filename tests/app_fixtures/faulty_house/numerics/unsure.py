"""Numerical evidence for unsure."""

from faulty_house.theory.unsure import CLAIM
from posproof.theory.vocabulary import Evidence, checked_by, control


@control("two", value=2)
@checked_by(CLAIM, "one", "ball")
def unsure(of, run):
    return Evidence("undecided", note="the balls overlap")
