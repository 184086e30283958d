r"""A validated Taylor integrator: balls that contain the flow of an analytic field.

Main definitions
----------------
coefficients   Taylor coefficients of the solution through a box, in balls
enclosure      a box that contains the solution during a whole step
step           one step: Taylor polynomial plus the remainder over that box
integrate      many equal steps, yielding the state after each
circle_field   the angles of rotary attention in one plane, as such a field

Conventions
-----------
A field maps n power series in time to n power series (`flint.arb_series`) and may use +, -, *, /,
sin, cos and exp of them: every polynomial-trigonometric field is one.  A state is a list of n real
balls.  The series precision `flint.ctx.cap` is global; it is set inside and restored.

Implementation notes
--------------------
A solution that starts in X stays in B for times in [0, h] when X + [0, h] f(B) lies inside B,
because f is Lipschitz on B.  On B the derivative of order p + 1 is enclosed, so Taylor's theorem
with Lagrange's remainder gives  x(h) in sum_(k <= p) c_k(X) h^k + c_(p+1)(B) h^(p+1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import flint
from flint import arb, arb_series

from posproof.numerics.balls import exact, precision

State = list[arb]
Field = Callable[[list[arb_series]], list[arb_series]]

#: How often the box of a step is widened before the step counts as too long.
WIDENINGS = 12


class StepTooLong(ArithmeticError):
    """No box was found that the solution cannot leave during the step."""


@contextmanager
def series_length(terms: int) -> Iterator[None]:
    """Work with that many coefficients inside the block."""
    before = flint.ctx.cap
    flint.ctx.cap = terms
    try:
        yield
    finally:
        flint.ctx.cap = before


def coefficients(field: Field, state: Sequence[arb], order: int) -> list[list[arb]]:
    """c_0 .. c_order for every component: each pass of the field settles one order more."""
    known = [[x] for x in state]
    for reached in range(1, order + 1):
        with series_length(reached):
            moved = field([arb_series(component) for component in known])
            for component, speed in zip(known, moved, strict=True):
                component.append(speed[reached - 1] / reached)
    return known


def _speeds(field: Field, box: Sequence[arb]) -> list[arb]:
    with series_length(1):
        return [speed[0] for speed in field([arb_series([x]) for x in box])]


def enclosure(field: Field, state: Sequence[arb], h: arb) -> State:
    """A box that every solution from `state` stays in for times from 0 to h.

    Raises `StepTooLong` when widening does not end.
    """
    during = arb(0).union(h)
    box = [x + during * speed for x, speed in zip(state, _speeds(field, state), strict=True)]
    for _ in range(WIDENINGS):
        wider = [x + arb(0, 1) * (arb(x.rad()) + h / 64) for x in box]
        image = [x + during * speed for x, speed in zip(state, _speeds(field, wider), strict=True)]
        if all(outer.contains_interior(inner) for outer, inner in zip(wider, image, strict=True)):
            return wider
        box = [a.union(b) for a, b in zip(wider, image, strict=True)]
    raise StepTooLong(f"no box was found for a step of {h.str(5)}")


def remainder(field: Field, state: Sequence[arb], h: arb, order: int) -> State:
    """c_(order + 1)(B) h^(order + 1), B a box for the whole step."""
    box = enclosure(field, state, h)
    return [terms[order + 1] * h ** (order + 1) for terms in coefficients(field, box, order + 1)]


def step(
    field: Field,
    state: Sequence[arb],
    h: Fraction,
    order: int,
    remainder: Callable[..., State] = remainder,
) -> State:
    """The state after time h > 0."""
    at = arb(exact(h))
    rests = remainder(field, state, at, order)
    result = []
    for terms, rest in zip(coefficients(field, state, order), rests, strict=True):
        value = arb(0)
        for term in reversed(terms):
            value = value * at + term
        result.append(value + rest)
    return result


def integrate(
    field: Field,
    state: Sequence[Any],
    h: Fraction,
    steps: int,
    order: int,
    bits: int,
    remainder: Callable[..., State] = remainder,
) -> Iterator[State]:
    """The states at times h, 2 h, ..., steps h; each contains the solution at that time."""
    with precision(bits):
        current = [arb(exact(x)) if not isinstance(x, arb) else x for x in state]
    for _ in range(steps):
        with precision(bits):
            current = step(field, current, h, order, remainder)
        yield current


def circle_field(theta: arb, beta: arb, value_turn: int = 0) -> Field:
    """phi_i' = sum_j A_ij sin(phi_j - phi_i + value_turn (j - i) theta)."""

    def field(phi: list[arb_series]) -> list[arb_series]:
        size = len(phi)
        speeds = []
        for i in range(size):
            pulled, mass = arb_series([0]), arb_series([0])
            for j in range(size):
                apart = phi[j] - phi[i]
                turn = arb_series([theta * (j - i)])
                weight = (arb_series([beta]) * (apart + turn).cos()).exp()
                mass = mass + weight
                if i != j:
                    pulled = pulled + weight * (apart + arb_series([value_turn]) * turn).sin()
            speeds.append(pulled / mass)
        return speeds

    return field
