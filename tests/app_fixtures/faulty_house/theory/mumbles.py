"""A check that returns something else."""

from faulty_house.making import claim

CLAIM = claim("mumbles.one")
