"""A check that never answers."""

from faulty_house.making import claim

CLAIM = claim("hangs.one")
