"""A ball check that nothing attacks."""

from faulty_house.making import claim

CLAIM = claim("uncontrolled.one")
