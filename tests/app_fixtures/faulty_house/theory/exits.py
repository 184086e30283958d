"""A check that ends its interpreter."""

from faulty_house.making import claim

CLAIM = claim("exits.one")
