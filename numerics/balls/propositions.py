"""What balls decide about a proposition, and evidence for a clause.

Main definitions
----------------
decide    a proposition at a point: True, False, or None when the balls cannot tell
residual  the enclosures of left - right of an equation
judge     decide, accepting an equation whose difference is a small ball around 0
certify   one clause over many points, as `Evidence`

Conventions
-----------
Truth follows Kleene's rules: an equation of two overlapping balls is None, and so is a term that
has no value.  Only `judge` and `certify` accept small differences, only in places where more truth
makes the clause truer, and they say how small.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import acb, fmpq

from posproof.numerics.balls.terms import (
    Point,
    Undefined,
    Unsupported,
    Value,
    as_fraction,
    ball,
    bits_for,
    describe,
    environment,
    exact,
    precision,
    radius,
    show,
    upward,
    value_at,
)
from posproof.theory.vocabulary import (
    And,
    Bound,
    Domain,
    Eq,
    Evidence,
    Exists,
    ForAll,
    Iff,
    Implies,
    Informal,
    Le,
    Lt,
    Not,
    Opaque,
    Or,
    Predicate,
    Prop,
)

#: `certify` doubles the precision at most this often before it gives up.
DOUBLINGS = 4


@dataclass(frozen=True)
class Judgement:
    """What the balls say about a proposition at one point.

    `truth` is None when they cannot tell.  `slack` is the largest radius of a difference that was
    accepted as zero although its ball is not exact.  `reason` prints the deciding atom.
    `vacuous` says that the truth is owed to a false premise.
    """

    truth: bool | None
    slack: Fraction = Fraction(0)
    reason: str = ""
    vacuous: bool = False


def decide(prop: Prop, point: Point | None = None, bits: int = 128) -> bool | None:
    """Whether `prop` holds at the point, by Kleene's rules; None when the balls cannot tell.

    Equations count as True only when both sides are exact.  A quantifier over a finite set is
    worked off; one over another domain can only be decided by the instance the point gives.
    """
    with precision(bits):
        return _judge(prop, environment(point), None, True, False).truth


def residual(prop: Prop, point: Point | None = None, bits: int = 128) -> list[Value]:
    """For an equation (or a conjunction of some) the enclosures of left - right.

    Quantifiers whose variables the point gives are opened; a premise is not looked at.
    """
    with precision(bits):
        return list(_residuals(prop, environment(point)))


def _residuals(prop: Prop, env: dict[str, Any]) -> Iterator[Value]:
    match prop:
        case ForAll(body=body):
            yield from _residuals(body, env)
        case Implies(conclusion=conclusion):
            yield from _residuals(conclusion, env)
        case And(parts=parts):
            for part in parts:
                yield from _residuals(part, env)
        case Eq(left=left, right=right):
            yield from _difference(value_at(left, env), value_at(right, env))
        case _:
            raise Unsupported(f"no residual for {type(prop).__name__}")


def _difference(left: Value, right: Value) -> list[Value]:
    if isinstance(left, tuple) != isinstance(right, tuple):
        raise Unsupported("an equation between a matrix and a number")
    if not isinstance(left, tuple):
        return [left - right]
    if (len(left), len(left[0])) != (len(right), len(right[0])):
        raise Unsupported("an equation between matrices of different shapes")
    return [x - y for a, b in zip(left, right, strict=True) for x, y in zip(a, b, strict=True)]


def judge(prop: Prop, point: Point, bits: int, limit: Fraction, *, touching: bool) -> Judgement:
    """`decide` in residual mode.

    In a positive place an equation whose difference ball contains 0 with a radius below `limit` is
    accepted; with `touching` a non-strict inequality is too.
    """
    with precision(bits):
        return _judge(prop, environment(point), limit, True, touching)


def _judge(
    prop: Prop, env: dict[str, Any], limit: Fraction | None, positive: bool, touching: bool
) -> Judgement:
    """Kleene evaluation; `limit` applies only where `positive`, so a premise must be definite."""

    def inner(part: Prop, sign: bool = positive) -> Judgement:
        return _judge(part, env, limit, sign, touching)

    match prop:
        case Eq() | Le() | Lt():
            return _judge_atom(prop, env, limit if positive else None, touching)
        case Not(body=body):
            below = inner(body, not positive)
            truth = None if below.truth is None else not below.truth
            return Judgement(truth, reason=f"not ({below.reason})" if below.reason else "")
        case And(parts=parts):
            return _all_of(inner(part) for part in parts)
        case Or(parts=parts):
            return _any_of(inner(part) for part in parts)
        case Implies(premise=premise, conclusion=conclusion):
            before = inner(premise, not positive)
            if before.truth is False:
                return Judgement(True, vacuous=True)
            after = inner(conclusion)
            if after.truth or before.truth:
                return after
            return Judgement(None, reason=f"premise undecided: {before.reason}")
        case Iff(left=left, right=right):
            return _judge_equivalence(left, right, env)
        case ForAll() | Exists():
            return _judge_quantifier(prop, env, limit, positive, touching)
        case Predicate(name=name):
            return Judgement(None, reason=f"no ball decides {name}")
        case Opaque() | Informal():
            return Judgement(None, reason="not formal")
    raise Unsupported(f"no rule for {type(prop).__name__}")


def _judge_atom(
    prop: Eq | Le | Lt, env: dict[str, Any], limit: Fraction | None, touching: bool
) -> Judgement:
    try:
        left, right = value_at(prop.left, env), value_at(prop.right, env)
        if isinstance(prop, Eq):
            return _judge_equation(left, right, limit)
        return _judge_order(prop, left, right, limit if touching else None)
    except Undefined as error:
        return Judgement(None, reason=f"undefined: {error}")


def _judge_equation(left: Value, right: Value, limit: Fraction | None) -> Judgement:
    slack, undecided = Fraction(0), False
    for difference in _difference(left, right):
        if not ball(difference).contains(0):
            return Judgement(False, reason=f"{show(left)} is not {show(right)}")
        size = radius(difference)
        slack = max(slack, size)
        undecided |= size > 0 and (limit is None or size >= limit)
    if undecided:
        return Judgement(None, slack, f"{show(left)} and {show(right)} overlap")
    return Judgement(True, slack, f"{show(left)} equals {show(right)}")


def _judge_order(prop: Le | Lt, left: Value, right: Value, limit: Fraction | None) -> Judgement:
    strict = isinstance(prop, Lt)
    sign = "<" if strict else "<="
    difference = right - left
    if isinstance(difference, acb):
        raise Unsupported("an inequality between complex numbers")
    if difference > 0 or (not strict and difference >= 0):
        return Judgement(True, reason=f"{show(left)} {sign} {show(right)}")
    if difference < 0 or (strict and difference <= 0):
        return Judgement(False, reason=f"{show(left)} {sign} {show(right)} fails")
    size = radius(difference)
    if not strict and limit is not None and size < limit:
        return Judgement(True, size, f"{show(left)} touches {show(right)}")
    return Judgement(None, size, f"{show(left)} and {show(right)} overlap")


def _all_of(parts: Iterable[Judgement]) -> Judgement:
    slack, open_part, last, vacuous = Fraction(0), None, Judgement(True), []
    for part in parts:
        if part.truth is False:
            return part
        slack = max(slack, part.slack)
        vacuous.append(part.vacuous)
        if part.truth is None:
            open_part = open_part or part
        elif not part.vacuous:
            last = part
    if open_part is not None:
        return Judgement(None, slack, open_part.reason)
    return Judgement(True, slack, last.reason, bool(vacuous) and all(vacuous))


def _any_of(parts: Iterable[Judgement]) -> Judgement:
    reasons, undecided = [], False
    for part in parts:
        if part.truth:
            return part
        undecided |= part.truth is None
        reasons.append(part.reason)
    return Judgement(None if undecided else False, reason="; ".join(reasons))


def _judge_equivalence(left: Prop, right: Prop, env: dict[str, Any]) -> Judgement:
    """Both sides stand in a positive and a negative place: only definite answers count."""
    first = _judge(left, env, None, True, False)
    second = _judge(right, env, None, True, False)
    reason = f"left {first.truth} ({first.reason}), right {second.truth} ({second.reason})"
    if first.truth is None or second.truth is None:
        return Judgement(None, reason=reason)
    return Judgement(first.truth == second.truth, reason=reason)


def _judge_quantifier(
    prop: ForAll | Exists,
    env: dict[str, Any],
    limit: Fraction | None,
    positive: bool,
    touching: bool,
) -> Judgement:
    """Finite domains are worked off; else the point's instance refutes (or proves) at most."""
    universal = isinstance(prop, ForAll)
    variable, *rest = prop.variables
    body = type(prop)(tuple(rest), prop.body) if rest else prop.body
    if variable.name in env and member(env[variable.name], variable.domain) is False:
        raise ValueError(f"{variable.name} = {show(env[variable.name])} is outside its domain")
    if variable.name not in env:
        if variable.domain.kind != "finite":
            return Judgement(None, reason=f"no instance of {variable.name}")
        instances = (
            _judge(body, {**env, variable.name: exact(value)}, limit, positive, touching)
            for value in variable.domain.values
        )
        return _all_of(instances) if universal else _any_of(instances)
    instance = _judge(body, env, limit, positive, touching)
    if instance.truth is (not universal):
        return instance
    return Judgement(None, instance.slack, f"one instance only: {instance.reason}")


def member(value: Value, domain: Domain) -> bool | None:
    """Whether a value lies in a domain; None when its ball cannot tell."""
    is_rational = isinstance(value, fmpq)
    match domain.kind:
        case "real":
            return not isinstance(value, (tuple, acb))
        case "positive":
            return True if value > 0 else False if value <= 0 else None
        case "rational":
            return True if is_rational else None
        case "integer":
            if not is_rational:
                return None
            return value.q == 1 and (domain.lower is None or value >= domain.lower)
        case "finite":
            return as_fraction(value) in domain.values if is_rational else None
        case "box":
            low, high = (exact(end) for end in domain.values)
            return True if low <= value <= high else False if value < low or value > high else None
    raise Unsupported(f"a point cannot lie in the domain {domain.kind}")


# ---------------------------------------------------------------------- certificates
def instantiate(statement: Prop, names: Iterable[str]) -> Prop:
    """`statement` with the universal quantifiers over `names` opened in positive places.

    What is left is the instance a point speaks about: its truth is what the clause says there.
    """
    known = frozenset(names)
    match statement:
        case ForAll(variables=variables, body=body):
            kept = tuple(v for v in variables if v.name not in known)
            inside = instantiate(body, known)
            return ForAll(kept, inside) if kept else inside
        case And(parts=parts):
            return And(*[instantiate(part, known) for part in parts])
        case Implies(premise=premise, conclusion=conclusion):
            return Implies(premise, instantiate(conclusion, known))
    return statement


def _outside(statement: Prop, point: Point) -> str | None:
    """The first value of the point that lies outside its variable's domain, in words."""
    match statement:
        case ForAll(variables=variables, body=body):
            for variable in variables:
                if variable.name in point and not member(
                    exact(point[variable.name]), variable.domain
                ):
                    return f"{variable.name} = {point[variable.name]}"
            return _outside(body, point)
        case And(parts=parts):
            return next((bad for part in parts if (bad := _outside(part, point))), None)
        case Implies(conclusion=conclusion):
            return _outside(conclusion, point)
    return None


def certify(
    statement: Prop,
    points: Iterable[Point],
    digits: int = 30,
    *,
    touching: bool = False,
) -> Evidence:
    """Evidence for a clause at level ball: its instances at the points.

    An instance holds when the balls decide it, an equation also when the ball of left - right
    contains 0 with radius below 10^-digits; the precision is raised until that is reached.  The
    first instance that is certainly false refutes, with its point as the witness.  `touching`
    accepts sides of a non-strict inequality that agree to the same radius; say so in the scope.

    Raises ValueError for a point outside the domains of the clause, since it says nothing of it.
    """
    limit = Fraction(1, 10**digits)
    bound = Bound(limit, "10^-digits", {"digits": digits})
    slack, tried, vacuous, undecided = Fraction(0), 0, 0, ""
    for point in points:
        with precision(bits_for(digits)):
            if bad := _outside(statement, point):
                raise ValueError(f"{bad} is outside the domain of the clause")
        instance = instantiate(statement, map(str, point))
        verdict = _settle(instance, point, digits, limit, touching)
        tried += 1
        vacuous += verdict.vacuous
        slack = max(slack, verdict.slack)
        if verdict.truth is False:
            witness = f"{describe(point)}: {verdict.reason}"
            return Evidence("refuted", bound=bound, witness=witness, note=f"instance {tried}")
        if verdict.truth is None:
            undecided = undecided or f"{describe(point)}: {verdict.reason}"
    note = f"{tried} instances" + (f", {vacuous} of them outside the hypotheses" if vacuous else "")
    if undecided:
        return Evidence("undecided", upward(slack), bound, note=f"{note}; {undecided}")
    if tried == vacuous:
        return Evidence("undecided", bound=bound, note="no point satisfies the hypotheses")
    return Evidence("holds", upward(slack), bound, note=note)


def _settle(
    instance: Prop, point: Point, digits: int, limit: Fraction, touching: bool
) -> Judgement:
    """Judge at growing precision until an answer comes, or the precision is exhausted."""
    bits = bits_for(digits)
    for _ in range(DOUBLINGS):
        verdict = judge(instance, point, bits, limit, touching=touching)
        if verdict.truth is not None:
            return verdict
        bits *= 2
    return verdict
