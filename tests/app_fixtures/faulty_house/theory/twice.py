"""One id for two claims."""

from faulty_house.making import claim

CLAIM = claim("twice.one")
AGAIN = claim("twice.one", "one", "more")
