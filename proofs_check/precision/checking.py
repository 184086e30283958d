"""Proofs of `theory.precision.checking`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from sympy import Integer, cos, pi, sin

from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Node
from posproof.proofs_check.search import (
    prove_by_induction,
    prove_each,
    prove_identity,
    prove_nonneg,
)
from posproof.theory.precision import checking as statements
from posproof.theory.precision.checking import (
    CHECK_POWER,
    HEAD,
    Checking,
    X,
    Y,
    alpha,
    beta,
    eta,
    f,
    k,
    l,
    m,
    n,
    p,
    t,
    tau,
    theta,
    v,
)
from posproof.theory.vocabulary import control, proves

node = T.node


# ---------------------------------------------------------------------- controls
def _half_chord(angle: Any) -> Any:
    return sin(angle / 2)


def _plain_angle(theta: Any, n: Any) -> Any:
    return theta * n


def _offset_by_two(theta: Any, n: Any) -> Any:
    return theta * (n + 2)


def _first_order(g: Any) -> Any:
    return g - 1


def _twice_as_long(e: Any, p: Any) -> Any:
    return 1 + 2 * e * p


def _added(eta: Any, v: Any) -> Any:
    return eta * v


def _late_turn(theta: Any, n: Any) -> Any:
    return theta * n / 2


# ---------------------------------------------------------------------- lemmas
def _conjunction(goal: Node, prove: Callable[[Node], Theorem]) -> Theorem:
    """Parts of a conjunction, universal quantifiers of its parts included."""
    if goal.head == "and":
        return T.both(*(_conjunction(part, prove) for part in goal.args))
    if goal.head == "forall":
        names, inner = [], goal
        while inner.head == "forall":
            names.append(inner.args[0])
            inner = inner.args[1]
        return T.generalise(prove(inner), *names)
    return prove(goal)


def _change(of: Checking, before: tuple[Any, Any], after: tuple[Any, Any]) -> Any:
    """How far the score moves for the key turned by a quarter."""
    quarter = {k: -l, l: k}
    scores = [of.score(*angles).subs(quarter, simultaneous=True) for angles in (before, after)]
    return scores[1] - scores[0]


def _at_most_the_chord(goal: Node, other: Any) -> Theorem:
    """The squares of both changes, for a key and for its quarter turn, add up to the bound."""
    return prove_nonneg(goal, node(other) ** 2)


# ---------------------------------------------------------------------- the largest change
@control("half_the_chord", chord=_half_chord)
@control("one_wrong_sign", turned=statements.sign_lost)
@proves(CHECK_POWER, "worst_pair")
def worst_pair(of: Checking) -> Theorem:
    """The changes for a key and for its quarter turn have the squared chord for sum of squares."""
    other = _change(of, (Integer(0), alpha), (Integer(0), beta))

    def prove(goal: Node) -> Theorem:
        return prove_identity(goal) if goal.head == "eq" else _at_most_the_chord(goal, other)

    return _conjunction(node(statements.worst_pair(of)), prove)


#: Half a turn, which moves the score of equal vectors from 1 to -1.
HALF_A_TURN = {"alpha": 0, "beta": pi, "tau": Fraction(3, 2), "q": 1, "r": 0, "k": 1, "l": 0}


@control("half_the_chord", HALF_A_TURN, chord=_half_chord)
@proves(CHECK_POWER, "visible")
def visible(of: Checking) -> Theorem:
    """No pair of unit vectors exceeds the chord, and the worst one attains it."""
    only, always = node(statements.visible(of)).args
    premise, far_enough = T.inner(only).args
    other = _change(of, (Integer(0), alpha), (Integer(0), beta))
    bounded = prove_nonneg(far_enough, node(other) ** 2 + T.margin(premise.args[2]), premise.args)
    names = [node(name) for name in (alpha, beta, tau)]
    forward = T.implication(T.unpack(bounded, premise), premise)
    forward = T.generalise(forward, *names, *(node(name) for name in HEAD))

    def attained(goal: Node) -> Theorem:
        if goal.head == "eq":
            return prove_identity(goal)
        return prove_nonneg(goal, T.margin(far_enough), [far_enough])

    def instance(goal: Node, values: tuple[Any, ...]) -> Theorem:
        if not values:
            return T.both(*map(attained, goal.args))
        return T.exists(goal, values[0], lambda inner: instance(inner, values[1:]))

    middle = (alpha + beta) / 2
    worst = (Integer(1), Integer(0), sin(middle), cos(middle))
    backward = T.implication(instance(T.inner(always).args[1], worst), far_enough)
    return T.both(forward, T.generalise(backward, *names))


def _relative(of: Checking, statement: Any, key_angle: Callable[[Any, Any], Any]) -> Theorem:
    before = theta * p, key_angle(theta, n)
    after = theta * (p + t), key_angle(theta, n + t)
    most, attained = T.inner(statement).args
    below = _at_most_the_chord(most, _change(of, before, after))
    return T.both(below, prove_identity(attained))


@control("key_turned_forwards_and_slower", key_backwards=_late_turn)
@control("key_turned_forwards", key_backwards=_plain_angle)
@control("half_the_chord", chord=_half_chord)
@proves(CHECK_POWER, "opposite_key")
def opposite_key(of: Checking) -> Theorem:
    """The relative angle changes by 2 theta t."""
    return _relative(of, statements.opposite_key(of), of.key_backwards)


@control("key_turned_backwards", key_unturned=statements.key_backwards)
@control("half_the_chord", chord=_half_chord)
@proves(CHECK_POWER, "unturned_key")
def unturned_key(of: Checking) -> Theorem:
    """The relative angle changes by theta t."""
    return _relative(of, statements.unturned_key(of), of.key_unturned)


@control("half_the_chord", chord=_half_chord)
@control("one_wrong_sign", turned=statements.sign_lost)
@proves(CHECK_POWER, "moved_positions")
def moved_positions(of: Checking) -> Theorem:
    """The relative angle changes as f does; equations by the addition theorems."""
    before, after = (theta * f(p), theta * f(n)), (theta * f(p + t), theta * f(n + t))
    other = _change(of, before, after)

    def prove(goal: Node) -> Theorem:
        return prove_identity(goal) if goal.head == "eq" else _at_most_the_chord(goal, other)

    return _conjunction(T.inner(statements.moved_positions(of)), prove)


# ---------------------------------------------------------------------- what passes
@control("one_wrong_sign", turned=statements.sign_lost)
@proves(CHECK_POWER, "any_ladder")
def any_ladder(of: Checking) -> Theorem:
    """Pair by pair, by induction on their number."""
    return prove_by_induction(m, T.inner(statements.any_ladder(of)))


@control("one_wrong_sign", turned=statements.sign_lost)
@proves(CHECK_POWER, "any_frequency")
def any_frequency(of: Checking) -> Theorem:
    """The addition theorems of cosine and sine."""
    return prove_each(T.inner(statements.any_frequency(of)), prove_identity)


# ---------------------------------------------------------------------- exact residuals
@control("half_the_chord", chord=_half_chord)
@control("one_wrong_sign", turned=statements.sign_lost)
@proves(CHECK_POWER, "reference")
def reference(of: Checking) -> Theorem:
    """The squared chord is 2 - 2 cos of the difference."""
    return prove_identity(T.inner(statements.reference(of)))


@control("no_offset", offset_by_one=_plain_angle)
@control("offset_by_two", offset_by_one=_offset_by_two)
@control("half_the_chord", chord=_half_chord)
@proves(CHECK_POWER, "offset_key")
def offset_key(of: Checking) -> Theorem:
    """The addition theorems: two offsets against one leave the chord of theta."""
    return prove_each(T.inner(statements.offset_key(of)), prove_identity)


@control("first_order_in_the_gain", rescaled=_first_order)
@proves(CHECK_POWER, "scaled")
def scaled(of: Checking) -> Theorem:
    """The gain is a factor of every pair."""
    return prove_each(T.inner(statements.scaled(of)), prove_identity)


@control("growth_doubled", growth=_twice_as_long)
@proves(CHECK_POWER, "growing")
def growing(of: Checking) -> Theorem:
    """(1 + e t)(1 + e p) - (1 + e (p + t)) = e^2 p t."""
    return prove_each(T.inner(statements.growing(of)), prove_identity)


@control("sign_not_lost", sign_lost=statements.turned)
@proves(CHECK_POWER, "lost_sign")
def lost_sign(of: Checking) -> Theorem:
    """The addition theorems."""
    return prove_each(T.inner(statements.lost_sign(of)), prove_identity)


# ---------------------------------------------------------------------- several rotations
ONE_MORE = {"v": 1, "eta": 1, "X": 1, "Y": 3}


@control("errors_added", ONE_MORE, accumulated=_added)
@proves(CHECK_POWER, "many_turns")
def many_turns(of: Checking) -> Theorem:
    """(1 + eta) E + eta is one power more, less one."""
    start, step = node(statements.many_turns(of)).args
    premise, goal = T.inner(step).args
    small, before, onwards = facts = premise.args
    grown = T.margin(onwards) + (1 + node(eta)) * T.margin(before)
    proof = T.unpack(prove_nonneg(goal, grown, facts), premise)
    first = T.generalise(prove_identity(T.inner(start)), node(eta))
    names = (node(name) for name in (v, eta, X, Y))
    return T.both(first, T.generalise(T.implication(proof, premise), *names))
