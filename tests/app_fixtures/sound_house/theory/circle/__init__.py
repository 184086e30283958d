"""A subject that is a package of topics."""

from sound_house.theory.circle.turns import TURN

__all__ = ["TURN"]
