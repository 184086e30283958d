"""A subject whose checks do not import."""

from faulty_house.making import claim

CLAIM = claim("unimportable.one")
