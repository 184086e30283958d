"""Depends on a claim that does not exist."""

from faulty_house.making import claim

CLAIM = claim("dangling.one", depends=("refuted.two",))
