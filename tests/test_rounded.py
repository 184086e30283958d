"""Errors carried through roundings: nothing is used that was not proved or assumed."""

from __future__ import annotations

import pytest

from posproof.proofs_check import kernel, rounded, rounded_channels
from posproof.proofs_check import tactics as T
from posproof.proofs_check.language import Le, Real, num, variable
from posproof.proofs_check.search import Undecided


def test_a_rounding_is_not_used_without_the_limits_of_the_format():
    """omega <= M <= Omega stay open where nothing proves them."""
    x, z = variable("x", Real), variable("z", Real)
    model = rounded_channels.ROUNDED
    size = kernel.assume(rounded.within(x, num(1)))
    number = rounded.given(x, num(1), T.both(*T.parts(size)))
    found = rounded.rounded(number, z, model, ())
    assert {Le(model.omega, num(1)), Le(num(1), model.Omega)} <= set(found.near.hypotheses)
    assert rounded.rounds(model, z, x) in found.near.hypotheses


def test_restating_refuses_what_algebra_does_not_equate():
    x = variable("x", Real)
    with pytest.raises(Undecided):
        rounded.restated(Le(x, num(2)), kernel.assume(Le(x, num(1))))
