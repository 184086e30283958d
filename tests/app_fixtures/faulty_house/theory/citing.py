"""A check that cites a theorem nobody listed."""

from faulty_house.making import claim

CLAIM = claim("citing.one")
