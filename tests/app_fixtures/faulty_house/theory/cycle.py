"""Two claims that depend on each other."""

from faulty_house.making import claim

CLAIM = claim("cycle.one", depends=("cycle.two",))
OTHER = claim("cycle.two", depends=("cycle.one",))
