"""A check that refutes."""

from faulty_house.making import claim

CLAIM = claim("refuted.one")
