"""A check that raises."""

from faulty_house.making import claim

CLAIM = claim("raises.one")
