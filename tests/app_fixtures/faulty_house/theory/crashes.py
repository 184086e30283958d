"""A check that is killed by a signal."""

from faulty_house.making import claim

CLAIM = claim("crashes.one")
