"""Exact evidence for quarter turns."""

from posproof.theory.vocabulary import control, proves
from sound_house.theory.circle import TURN


@control("eighth_turn", quarter=lambda z: (1 + 1j) * z)
@proves(TURN, "four")
def four(of):
    def around(z):
        return of.quarter(of.quarter(of.quarter(of.quarter(z))))

    return [(z, around(z), z) for z in (1, 1j, 2 - 3j)], ()
