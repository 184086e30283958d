"""Evidence for closed clauses: quantifiers over intervals and finite sets, without sample points.

Main definitions
----------------
certify_over    a clause whose quantifiers range over boxes and finite sets
points          the product of some axes, as points for `certify`

Conventions
-----------
"For all in a box" is proved by bisection, each part as one ball.  "There is one in a box" with an
equation is proved by a certain change of sign, and the rest of the body on the whole root ball;
without an equation, by a rational point.  A false statement is refuted by the part, or by showing
that its negation holds on every part.

Implementation notes
--------------------
`a < Max(x, y, ...)` holds as soon as one argument is larger, so the arguments are tried one by one,
the last successful one first: neighbouring boxes are settled by the same plane of a ladder.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import flint
import sympy
from flint import arb

from posproof.numerics.balls.intervals import isolate_root
from posproof.numerics.balls.propositions import Judgement, judge
from posproof.numerics.balls.terms import (
    Undefined,
    ball,
    bits_for,
    enclose,
    exact,
    precision,
    show,
    spanning,
    upward,
    value_at,
)
from posproof.theory.vocabulary import And, Bound, Eq, Evidence, Exists, ForAll, Le, Lt, Not, Prop

#: Bisections of one box; 2^-40 of its width is far below anything the clauses state.
DEPTH = 40
#: Boxes settled before a statement is given up; a certificate that needs more wants a better form.
MAX_BOXES = 20_000
#: The search for a witness zooms this often, with so many parts: the width shrinks by 8 each time.
ZOOMS, ZOOM_POINTS = 14, 16


def points(**axes: Iterable[Any]) -> Iterator[dict[str, Any]]:
    """All combinations of the axes' values: `points(N=(2, 3), D=range(4))`."""
    names = list(axes)
    for values in product(*axes.values()):
        yield dict(zip(names, values, strict=True))


def certify_over(statement: Prop, digits: int = 30) -> Evidence:
    """Evidence for a clause whose quantifiers range over boxes and finite sets only.

    Equations outside an existence are accepted when the ball of left - right contains 0 with radius
    below 10^-digits; the evidence's note counts the boxes and instances that were settled.
    """
    limit = Fraction(1, 10**digits)
    bound = Bound(limit, "10^-digits", {"digits": digits})
    slack, settled = Fraction(0), 0
    for part in _conjuncts(statement):
        verdict, count = _over(part, bits_for(digits), limit)
        settled += count
        slack = max(slack, verdict.slack)
        if verdict.truth is False:
            return Evidence("refuted", bound=bound, witness=verdict.reason)
        if verdict.truth is None:
            return Evidence("undecided", upward(slack), bound, note=verdict.reason)
    return Evidence("holds", upward(slack), bound, note=f"{settled} boxes and instances")


def _conjuncts(statement: Prop) -> Iterator[Prop]:
    if isinstance(statement, And):
        for part in statement.parts:
            yield from _conjuncts(part)
    else:
        yield statement


def _over(part: Prop, bits: int, limit: Fraction) -> tuple[Judgement, int]:
    """One conjunct, and the number of boxes or instances it took."""
    match part:
        case ForAll(variables=(variable,), body=body) if variable.domain.kind == "box":
            low, high = variable.domain.values
            return _everywhere(_settler(_alternatives(body), variable.name, bits), low, high)
        case ForAll(variables=(variable,), body=body) if variable.domain.kind == "finite":
            return _each(_settler(_alternatives(body), variable.name, bits), variable.domain.values)
        case Exists(variables=(variable,), body=body) if variable.domain.kind == "box":
            low, high = variable.domain.values
            return _somewhere(body, variable.name, low, high, bits), 1
    return judge(part, {}, bits, limit, touching=False), 1


Settler = Callable[[Any], Judgement]


def _settler(alternatives: list[Prop], name: str, bits: int) -> Settler:
    """The judgement, with one variable set to a ball, that one of the alternatives holds."""

    def settle(value: Any) -> Judgement:
        verdict, undecided = Judgement(False), False
        for index, alternative in enumerate(alternatives):
            verdict = judge(alternative, {name: value}, bits, Fraction(0), touching=False)
            if verdict.truth is None and isinstance(value, arb):
                verdict = _by_taylor(alternative, name, value, bits) or verdict
            if verdict.truth:
                alternatives.insert(0, alternatives.pop(index))
                return verdict
            undecided |= verdict.truth is None
        return Judgement(None if undecided else False, reason=verdict.reason)

    return settle


def _by_taylor(body: Prop, name: str, x: arb, bits: int) -> Judgement | None:
    """An inequality on a ball from f(mid) + f'(mid) h + f''(ball)/2 h^2; None if it cannot tell.

    Plain balls overestimate by their width times the slopes of the parts, which near an extremum
    costs thousands of boxes; this form overestimates by the square of the width.
    """
    if not isinstance(body, (Lt, Le)):
        return None
    try:
        with precision(bits):
            middle, offset = x.mid(), x - x.mid()
            at_middle, on_ball = (
                value_at(body.right, {name: here}) - value_at(body.left, {name: here})
                for here in (flint.arb_series([middle, 1], 3), flint.arb_series([x, 1], 3))
            )
            gap = at_middle[0] + at_middle[1] * offset + on_ball[2] * offset * offset
    except (TypeError, AttributeError, Undefined):  # a rule that cannot take a power series
        return None
    if gap > 0:
        return Judgement(True, reason=f"difference {show(gap)}")
    if gap < 0:
        return Judgement(False, reason=f"difference {show(gap)}")
    return None


def _alternatives(body: Prop) -> list[Prop]:
    """Propositions of which one must hold: a < Max(x, y) is a < x or a < y."""
    if isinstance(body, (Lt, Le)) and isinstance(body.right, sympy.Max):
        return [type(body)(body.left, argument) for argument in body.right.args]
    return [body]


def _everywhere(settle: Settler, low: Fraction, high: Fraction) -> tuple[Judgement, int]:
    """Bisect until every part is settled; a part that is certainly false refutes."""
    stack, settled = [(low, high, 0)], 0
    while stack:
        left, right, level = stack.pop()
        verdict = settle(spanning(left, right))
        where = f"on [{float(left)}, {float(right)}]: {verdict.reason}"
        if verdict.truth is False:
            return Judgement(False, reason=where), settled
        if verdict.truth:
            settled += 1
        elif level == DEPTH or settled == MAX_BOXES:
            return Judgement(None, reason=where), settled
        else:
            middle = (left + right) / 2
            here = settle(exact(middle))
            if here.truth is False:
                return Judgement(False, reason=f"at {float(middle)}: {here.reason}"), settled
            stack += [(middle, right, level + 1), (left, middle, level + 1)]
    return Judgement(True), settled


def _each(settle: Settler, values: tuple[Fraction, ...]) -> tuple[Judgement, int]:
    open_value = None
    for value in values:
        verdict = settle(exact(value))
        if verdict.truth is False:
            return Judgement(False, reason=f"at {value}: {verdict.reason}"), len(values)
        if verdict.truth is None:
            open_value = open_value or Judgement(None, reason=f"at {value}: {verdict.reason}")
    return open_value or Judgement(True), len(values)


def _somewhere(body: Prop, name: str, low: Fraction, high: Fraction, bits: int) -> Judgement:
    equations = [part for part in _conjuncts(body) if isinstance(part, Eq)]
    others = And(*(part for part in _conjuncts(body) if not isinstance(part, Eq)))
    if len(equations) > 1:
        return Judgement(None, reason="two equations for one variable")
    if equations:
        return _root(equations[0], others, name, low, high, bits)
    for value in _candidates(others, name, low, high, bits):
        verdict = judge(others, {name: value}, bits, Fraction(0), touching=False)
        if verdict.truth:
            return Judgement(True, reason=f"{name} = {value}: {verdict.reason}")
    return _nowhere(others, name, low, high, bits)


def _candidates(
    body: And, name: str, low: Fraction, high: Fraction, bits: int
) -> Iterator[Fraction]:
    """Rational points, zooming in on where the inequalities fail by least."""
    for _ in range(ZOOMS):
        step = (high - low) / ZOOM_POINTS
        tried = [low + k * step for k in range(1, ZOOM_POINTS)]
        yield from tried
        best = max(tried, key=lambda value: _margin(body, {name: value}, bits))
        low, high = max(low, best - step), min(high, best + step)


def _margin(body: And, point: dict[str, Any], bits: int) -> float:
    """The smallest right - left over the inequalities, to lead the search; -inf if unknown."""
    margins = [0.0]
    for part in body.parts:
        if not isinstance(part, (Lt, Le)):
            continue
        try:
            gap = enclose(part.right, point, bits) - enclose(part.left, point, bits)
            margins.append(float(_real(gap).mid()))
        except Undefined:
            return -math.inf
    return min(margins)


def _real(value: Any) -> arb:
    """A value as a real ball; `Undefined` if it is complex."""
    found = ball(value)
    if isinstance(found, arb):
        return found
    raise Undefined("a complex value where a real one is compared")


def _root(
    equation: Eq, others: And, name: str, low: Fraction, high: Fraction, bits: int
) -> Judgement:
    def difference(x: arb) -> arb:
        return _real(value_at(equation.left, {name: x}) - value_at(equation.right, {name: x}))

    try:
        root = isolate_root(difference, low, high, bits)
    except (ValueError, Undefined):
        return _nowhere(equation, name, low, high, bits)
    verdict = judge(others, {name: root}, bits, Fraction(0), touching=False)
    if verdict.truth:
        return Judgement(True, reason=f"{name} = {root.str(20)}")
    # Another root may do, so a failure at this one says nothing yet.
    return Judgement(None, reason=f"at the root {root.str(20)}: {verdict.reason}")


def _nowhere(body: Prop, name: str, low: Fraction, high: Fraction, bits: int) -> Judgement:
    """Refute an existence by its negation on every part of the box."""
    settle = _settler([_negation(part) for part in _conjuncts(body)], name, bits)
    verdict, count = _everywhere(settle, low, high)
    if verdict.truth:
        return Judgement(False, reason=f"no {name} in [{low}, {high}]: {count} boxes exclude it")
    return Judgement(None, reason=f"no witness found for {name}")


def _negation(part: Prop) -> Prop:
    """Not(part), an inequality turned round so that it stays one."""
    if isinstance(part, Lt):
        return Le(part.right, part.left)
    if isinstance(part, Le):
        return Lt(part.right, part.left)
    return Not(part)
