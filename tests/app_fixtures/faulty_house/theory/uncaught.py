"""A control that its check does not catch."""

from faulty_house.making import claim

CLAIM = claim("uncaught.one")
