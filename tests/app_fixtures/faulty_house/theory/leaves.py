"""A check that calls sys.exit."""

from faulty_house.making import claim

CLAIM = claim("leaves.one")
