"""Numerical evidence for witnessless."""

from posproof.theory.vocabulary import Evidence, checked_by, control
from faulty_house.theory.witnessless import CLAIM


@control("two", value=2)
@checked_by(CLAIM, "one", "ball")
def careless(of, run):
    return Evidence("holds" if of.value == 1 else "refuted")
