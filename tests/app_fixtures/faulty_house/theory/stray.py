"""A claim not named after its subject."""

from faulty_house.making import claim

CLAIM = claim("stray.one")
LOST = claim("elsewhere.one")
