"""A clause without evidence."""

from faulty_house.making import claim

CLAIM = claim("bare.one", "one", "other")
