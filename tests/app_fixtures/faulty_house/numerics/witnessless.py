"""Numerical evidence for witnessless."""

from faulty_house.theory.witnessless import CLAIM
from posproof.theory.vocabulary import Evidence, checked_by, control


@control("two", value=2)
@checked_by(CLAIM, "one", "ball")
def careless(of, run):
    return Evidence("holds" if of.value == 1 else "refuted")
