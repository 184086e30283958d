"""A control refuted without a witness."""

from faulty_house.making import claim

CLAIM = claim("witnessless.one")
