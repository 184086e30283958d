"""A check that eats memory."""

from faulty_house.making import claim

CLAIM = claim("eats.one")
