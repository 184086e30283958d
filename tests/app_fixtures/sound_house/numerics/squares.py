"""Numerical evidence for the claims about squares."""

from fractions import Fraction

from posproof.theory.vocabulary import Bound, Evidence, Scope, Trust, checked_by, control
from sound_house.theory.squares import EXPANSION, GROWTH

PENCIL = Trust("argued", "completing the square by hand")


@control("halved", square=lambda x: x)
@checked_by(GROWTH, "above", "ball", Scope("x = -9 .. 9", "x = -99 .. 99"))
def above(of, run):
    reach = 99 if run.profile == "full" else 9
    for x in range(-reach, reach + 1):
        if of.square(x) < 2 * x - 1:
            return Evidence("refuted", witness=f"x = {x}")
    return Evidence("holds", trusts=frozenset({PENCIL}))


@checked_by(EXPANSION, "successor", "float", "x = 0 .. 9")
def successor_in_floats(of, run):
    print("a check may print without spoiling the report")
    worst = max(abs(float(of.square(x + 1)) - of.square(x) - 2 * x - 1) for x in range(10))
    return Evidence("holds", worst, Bound(Fraction(1, 3 * 2**50), "2^-50 / 3"))


@checked_by(EXPANSION, "successor", "property", Scope("", "random integers"))
def only_in_full(of, run):
    return Evidence("holds", note=f"{run.examples} examples")
