"""Numerical evidence for unsure."""

from posproof.theory.vocabulary import Evidence, checked_by, control
from faulty_house.theory.unsure import CLAIM


@control("two", value=2)
@checked_by(CLAIM, "one", "ball")
def unsure(of, run):
    return Evidence("undecided", note="the balls overlap")
