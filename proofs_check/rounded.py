r"""Errors of rounded products and sums, carried from operation to operation.

Main definitions
----------------
Carried            a computed number, the exact one, and theorems that bound both
given, times, plus exact inputs, and products and sums before they are rounded
rounded, underflowing   rounding a number whose size is normal, or may not be
widened            a larger size and reach

Model, rounds           what is known of a rounding, and what it says of a result
restated                a proposition from a proof of one that algebra takes for the same
absolute, absolute_at_most   what is known of |x|, and |x| <= N from -N <= x <= N
root                    x <= y from x^2 <= y^2

Conventions
-----------
A carried number has a size A with |exact| <= A and a reach H with |value - exact| <= H - A: a
product multiplies sizes and reaches, a sum adds them, rounding multiplies the reach by 1 + u, and
where the result may be small adds u omega.  The model: if |x| <= Omega, then |z - x| <= u |x| or
|z - x| <= u omega; without omega and Omega, |z - x| <= u |x|.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import And, Implies, Le, Lt, Node, Or, Real, num, variable
from posproof.proofs_check.search import prove_identity, prove_nonneg, prove_order

p, a, A, H, q, b, B, K, E, w = (
    variable(name, Real) for name in ("p", "a", "A", "H", "q", "b", "B", "K", "E", "w")
)


def within(value: Any, bound: Any) -> Node:
    """|value| <= bound."""
    value, bound = T.node(value), T.node(bound)
    return And(Le(num(-1) * bound, value), Le(value, bound))


@dataclass(frozen=True)
class Carried:
    """`near` proves |value - exact| <= reach - size, `sized` |exact| <= size."""

    value: Node
    exact: Node
    size: Node
    reach: Node
    near: Theorem
    sized: Theorem


@lru_cache
def _products() -> Theorem:
    """|p - a| <= H - A, |a| <= A, |q - b| <= K - B, |b| <= B |- the same of p q, H K and A B."""
    given = [*within(p - a, H - A).args, *within(a, A).args]
    others = [*within(q - b, K - B).args, *within(b, B).args]
    goals = [*within(p * q - a * b, H * K - A * B).args, *within(a * b, A * B).args]
    return T.both(*(prove_order(goal, [*given, *others]) for goal in goals))


@lru_cache
def _sums() -> Theorem:
    """The same for p + q: everything adds up."""
    given = [*within(p - a, H - A).args, *within(a, A).args]
    others = [*within(q - b, K - B).args, *within(b, B).args]
    goals = [*within(p + q - (a + b), H + K - (A + B)).args, *within(a + b, A + B).args]
    return T.both(*(prove_order(goal, [*given, *others], degree=1) for goal in goals))


@lru_cache
def _reached() -> Theorem:
    """|p - a| <= H - A, |a| <= A, H <= E |- |p| <= E."""
    given = [*within(p - a, H - A).args, *within(a, A).args, Le(H, E)]
    return T.both(*(prove_order(goal, given, degree=1) for goal in within(p, E).args))


@lru_cache
def _rounded() -> Theorem:
    """|q - p| <= w, |p - a| <= H - A, H + w <= E |- |q - a| <= E - A."""
    given = [*within(q - p, w).args, *within(p - a, H - A).args, Le(H + w, E)]
    return T.both(*(prove_order(goal, given, degree=1) for goal in within(q - a, E - A).args))


@lru_cache
def _widened() -> Theorem:
    """|p - a| <= H - A, |a| <= A, A <= B, H - A <= K - B |- |p - a| <= K - B and |a| <= B."""
    given = [*within(p - a, H - A).args, *within(a, A).args, Le(A, B), Le(H - A, K - B)]
    goals = [*within(p - a, K - B).args, *within(a, B).args]
    return T.both(*(prove_order(goal, given, degree=1) for goal in goals))


class Model(NamedTuple):
    """Unit roundoff, and where relative errors begin and numbers end; `None`: nowhere."""

    u: Node
    omega: Node | None = None
    Omega: Node | None = None


def rounds(model: Model, z: Node, x: Node) -> Node:
    """z is x rounded; moduli are compared by their squares."""
    relative = Le((z - x) ** 2, (model.u * x) ** 2)
    if model.omega is None or model.Omega is None:
        return relative
    absolute = Le((z - x) ** 2, (model.u * model.omega) ** 2)
    return Implies(Le(x**2, model.Omega**2), Or(relative, absolute))


@lru_cache
def _modulus() -> Theorem:
    """p^2 <= E^2, 0 <= E |- |p| <= E."""
    square, positive = Le(p**2, E**2), Le(0, E)
    sides = []
    for side in within(p, E).args:
        small, large = side.args
        excluded = T.contradict([square, positive, Lt(large, small)])
        sides.append(T.compare(large, small, T.ex_falso(excluded, side), T.assume(side)))
    return T.both(*sides)


def root(x: Node, y: Node) -> Theorem:
    """x^2 <= y^2, 0 <= y |- x <= y."""
    return kernel.specialise(T.parts(_modulus())[1], {p: x, E: y})


@lru_cache
def _absolute() -> Theorem:
    """-|p| <= p <= |p| and 0 <= |p|."""
    size = Node("abs", (p,))
    positive = prove_nonneg(Le(0, size), size)
    sides = []
    for side in within(p, size).args:
        small, large = side.args
        excluded = T.contradict([positive.conclusion, Lt(large, small)])
        excluded = T.discharge(excluded, positive)
        sides.append(T.compare(large, small, T.ex_falso(excluded, side), T.assume(side)))
    return T.both(*sides, positive)


def absolute(x: Node) -> Theorem:
    """-|x| <= x <= |x| and 0 <= |x|."""
    return kernel.specialise(_absolute(), {p: x})


@lru_cache
def _absolute_at_most() -> Theorem:
    """-E <= p <= E |- |p| <= E."""
    size = Node("abs", (p,))
    facts, beyond = list(within(p, E).args), Lt(E, size)
    # |p|^2 = p^2 <= E^2
    excluded = T.contradict([*facts, beyond])
    return T.compare(E, size, T.ex_falso(excluded, Le(size, E)), T.assume(Le(size, E)))


def absolute_at_most(x: Node, bound: Node) -> Theorem:
    """-N <= x <= N |- |x| <= N."""
    return kernel.specialise(_absolute_at_most(), {p: x, E: bound})


@lru_cache
def _close(model: Model) -> Theorem:
    """rounds(q, p), |p| <= E, omega <= E <= Omega |- |q - p| <= u E."""
    u, low, high = model
    inside, positive = within(p, E), Lt(0, u)
    room = prove_order(Le(0, E), inside.args, degree=1)
    reach = u * E
    sign = prove_nonneg(Le(0, reach), reach, [positive, room.conclusion])
    sums = [T.margin(side) for side in inside.args]
    form = sums[0] * sums[1]
    squares = prove_nonneg(Le(p**2, E**2), form, inside.args)

    def modulus(square: Theorem) -> Theorem:
        found = kernel.specialise(_modulus(), {p: q - p, E: reach})
        return T.discharge(found, square, sign, room)

    relative = rounds(Model(u), q, p)
    form = T.margin(relative) + u**2 * T.margin(squares.conclusion)
    facts = [relative, squares.conclusion]
    first = prove_nonneg(Le((q - p) ** 2, reach**2), form, facts)
    first = modulus(T.discharge(first, squares))
    if low is None or high is None:
        return first
    premise, choice = rounds(model, q, p).args
    small = Le(low, E)
    form = T.margin(choice.args[1]) + u**2 * (T.margin(small) * (E + low))
    facts = [choice.args[1], small, room.conclusion]
    second = prove_nonneg(Le((q - p) ** 2, reach**2), form, facts)
    second = modulus(T.discharge(second, room))
    most = Le(E, high)
    form = T.margin(squares.conclusion) + T.margin(most) * (E + (E + T.margin(most)))
    facts = [squares.conclusion, most, room.conclusion]
    bounded = T.discharge(prove_nonneg(premise, form, facts), squares, room)
    either = kernel.modus(kernel.assume(rounds(model, q, p)), bounded)
    return kernel.cases(either, first, second)


def _used(lemma: Theorem, values: dict[Node, Node], *facts: Theorem) -> list[Theorem]:
    """The parts of a lemma at given terms, its hypotheses discharged."""
    found = kernel.specialise(lemma, values)
    for fact in facts:
        found = T.discharge(found, *(T.parts(fact) if fact.conclusion.head == "and" else [fact]))
    return T.parts(found)


def _names(first: Carried, second: Carried) -> dict[Node, Node]:
    left = {p: first.value, a: first.exact, A: first.size, H: first.reach}
    right = {q: second.value, b: second.exact, B: second.size, K: second.reach}
    return left | right


def given(value: Any, size: Any, sized: Theorem) -> Carried:
    """A number that is used as it is; `sized` proves |value| <= size."""
    number, large = T.node(value), T.node(size)
    same = within(number - number, large - large)
    near = T.both(*(prove_nonneg(side, num(0)) for side in same.args))
    return Carried(number, number, large, large, near, sized)


def times(first: Carried, second: Carried) -> Carried:
    """The product, before it is rounded."""
    facts = (first.near, first.sized, second.near, second.sized)
    *near, low, high = _used(_products(), _names(first, second), *facts)
    return Carried(
        first.value * second.value,
        first.exact * second.exact,
        first.size * second.size,
        first.reach * second.reach,
        T.both(*near),
        T.both(low, high),
    )


def plus(first: Carried, second: Carried) -> Carried:
    """The sum, before it is rounded."""
    facts = (first.near, first.sized, second.near, second.sized)
    *near, low, high = _used(_sums(), _names(first, second), *facts)
    return Carried(
        first.value + second.value,
        first.exact + second.exact,
        first.size + second.size,
        first.reach + second.reach,
        T.both(*near),
        T.both(low, high),
    )


def widened(number: Carried, size: Node, reach: Node, larger: Theorem, room: Theorem) -> Carried:
    """A larger size and reach: `larger` proves size <= new, `room` reach - size <= new."""
    values = {p: number.value, a: number.exact, A: number.size, H: number.reach}
    values |= {B: size, K: reach}
    *near, low, high = _used(_widened(), values, number.near, number.sized, larger, room)
    return Carried(number.value, number.exact, size, reach, T.both(*near), T.both(low, high))


def rounded(
    number: Carried, z: Node, model: Model, limits: Sequence[Theorem], below: bool = False
) -> Carried:
    """The result z of rounding a number; `rounds(model, z, value)` becomes a hypothesis.

    The bound M of its modulus is the reach, or with `below` the reach and omega.  `limits` prove
    omega <= M and M <= Omega.
    """
    floor = model.omega if below else None
    most = number.reach if floor is None else number.reach + floor
    values = {p: number.value, a: number.exact, A: number.size, H: number.reach}
    room = prove_nonneg(Le(number.reach, most), num(0) if floor is None else floor)
    inside = T.both(*_used(_reached(), values | {E: most}, number.near, number.sized, room))
    close = kernel.specialise(_close(model), {p: number.value, q: z, E: most})
    close = T.discharge(close, *T.parts(inside), *limits)
    grown = (1 + model.u) * number.reach
    if floor is not None:
        grown = grown + model.u * floor
    exact = prove_nonneg(Le(number.reach + model.u * most, grown), num(0))
    values |= {q: z, w: model.u * most, E: grown}
    near = _used(_rounded(), values, close, number.near, exact)
    return Carried(z, number.exact, number.size, grown, T.both(*near), number.sized)


def restated(goal: Node, theorem: Theorem) -> Theorem:
    """The goal from a proof of a proposition with equal terms, as algebra sees it."""
    said = theorem.conclusion
    if kernel.same(goal, said):
        return theorem
    match goal.head:
        case "and":
            proved = zip(goal.args, T.parts(theorem), strict=True)
            return T.both(*(restated(part, proof) for part, proof in proved))
        case "or":
            pairs = zip(goal.args, said.args, strict=True)
            branches = (
                kernel.either(restated(part, kernel.assume(other)), goal) for part, other in pairs
            )
            return kernel.cases(theorem, *branches)
        case "implies":
            premise = restated(said.args[0], kernel.assume(goal.args[0]))
            proof = restated(goal.args[1], kernel.modus(theorem, premise))
            return kernel.intro(proof, goal.args[0])
        case "le" | "lt":
            return T.discharge(prove_nonneg(goal, T.margin(said), [said]), theorem)
    return T.discharge(prove_identity(goal, [said]), theorem)
