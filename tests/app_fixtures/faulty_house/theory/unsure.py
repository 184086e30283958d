"""A check that cannot decide."""

from faulty_house.making import claim

CLAIM = claim("unsure.one")
