"""Exact evidence for the claims about squares."""

from posproof.theory.vocabulary import Trust, control, proves
from sound_house.theory.squares import EXPANSION

ARCHIMEDES = Trust("cited", "integers_are_archimedean")


@control("wrong_power", square=lambda x: x * x * x)
@proves(EXPANSION, "successor")
def successor(of):
    points = range(-3, 4)
    return [(x, of.square(x + 1), of.square(x) + 2 * x + 1) for x in points], {ARCHIMEDES}


@control("negated", square=lambda x: -x * x)
@proves(EXPANSION, "positive")
def positive(of):
    return [(x, of.square(x) >= 0, True) for x in range(-3, 4)], ()
