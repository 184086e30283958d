"""A measured value above the bound it is printed with."""

from faulty_house.making import claim

CLAIM = claim("above.one")
