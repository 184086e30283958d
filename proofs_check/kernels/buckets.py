"""Proofs of `theory.kernels.buckets`: one function a clause, named after it."""

from __future__ import annotations

from typing import Any

from sympy import log

from posproof.proofs_check import kernel, language
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Node, num
from posproof.proofs_check.search import (
    prove_by_induction,
    prove_each,
    prove_identity,
    prove_nonneg,
    prove_order,
)
from posproof.theory.kernels import buckets as statements
from posproof.theory.kernels.buckets import STARTS, T5_BUCKETS, TIES, Buckets
from posproof.theory.vocabulary import Le, Prop, control, proves

node = T.node


def _exponents_exchanged(d: Any, e: Any, n: Any, D: Any, k: Any) -> Prop:
    return Le(e**k * D**n, d**k * e**n)


def _one_late(shape: tuple[int, int]) -> tuple[int, ...]:
    first, *others = STARTS[shape]
    return (first, *(start + 1 for start in others))


def _reversed(d: Any, e: Any, n: Any, D: Any, k: Any) -> Prop:
    return Le(d**n * e**k, e**n * D**k)


def power_of_logarithm(base: Any, exponent: Any) -> Theorem:
    """exp(exponent log base) = base^exponent, by induction on the exponent."""
    b, n = node(base), node(exponent)
    claim = language.Eq(language.exp(n * node(log(base))), language.power(b, n))
    return prove_by_induction(n, claim)


@control(
    "exponents_exchanged", {"d": 8, "e": 4, "n": 1, "D": 16, "k": 0}, begins=_exponents_exchanged
)
@proves(T5_BUCKETS, "integer_rule")
def integer_rule(of: Buckets) -> Theorem:
    """Both sides are exponentials, which rise."""
    published, integers = T.inner(statements.integer_rule(of)).args
    n, k = node(statements.n), node(statements.k)
    d, e, D = (node(log(name)) for name in (statements.d, statements.e, statements.D))
    low, high = n * e + k * D, n * d + k * e
    powers = [
        power_of_logarithm(base, exponent)
        for base, exponent in (
            (statements.e, statements.n),
            (statements.D, statements.k),
            (statements.d, statements.n),
            (statements.e, statements.k),
        )
    ]
    facts = [power.conclusion for power in powers]
    weak = T.parts(T.apply(T.exponential_rises(), [low, high]))[1]
    below = prove_nonneg(language.Le(low, high), T.margin(published), [published])
    rises = kernel.modus(weak, below)
    forward = prove_nonneg(integers, T.margin(rises.conclusion), [rises.conclusion, *facts])
    forward = T.discharge(forward, rises, *powers)
    strict = T.parts(T.apply(T.exponential_rises(), [high, low]))[0]
    above = language.Lt(high, low)
    more = kernel.modus(strict, T.assume(above))
    clash = T.discharge(T.contradict([more.conclusion, integers, *facts]), more, *powers)
    at_most = prove_nonneg(published, T.margin(language.Le(low, high)), [language.Le(low, high)])
    backward = T.compare(high, low, T.ex_falso(clash, published), at_most)
    return T.iff(published, integers, forward, backward)


def power_rises(name: Node, below: Node, above: Node) -> Theorem:
    """below <= above |- below^name <= above^name."""
    ordered = language.Le(below, above)
    claim = language.Le(language.power(below, name), language.power(above, name))
    base = prove_order(language.substitute(claim, {name: num(0)}))
    more = language.substitute(claim, {name: name + 1})
    form = above * T.margin(claim) + language.power(below, name) * T.margin(ordered)
    step = prove_nonneg(more, form, [claim, ordered])
    return kernel.induct(name, claim, base, step)


@control("reversed", {"d": 1, "t": 4, "e": 2, "n": 1, "D": 8, "k": 0}, begins=_reversed)
@proves(T5_BUCKETS, "rises")
def rises(of: Buckets) -> Theorem:
    """Powers rise with their base."""
    given, goal = T.inner(statements.rises(of)).args
    ordered, reached = given.args
    d, t, e = (node(getattr(statements, name)) for name in "dte")
    n, k = node(statements.n), node(statements.k)
    power = power_rises(n, d, t)
    form = T.margin(reached) + T.margin(power.conclusion) * language.power(e, k)
    proof = prove_nonneg(goal, form, [reached, power.conclusion])
    return T.implication(T.unpack(T.discharge(proof, power), given), given)


@control("reversed", {"d": 2, "e": 2, "n": 1, "D": 8, "k": 0}, begins=_reversed)
@proves(T5_BUCKETS, "nested")
def nested(of: Buckets) -> Theorem:
    """e^n D^k e <= e^n D^k D <= d^n e^k e."""
    given, goal = T.inner(statements.nested(of)).args
    ordered, reached = given.args
    e, n, D, k = (node(getattr(statements, name)) for name in "enDk")
    rest = language.power(e, n) * language.power(D, k) * T.margin(ordered)
    proof = prove_nonneg(goal, (T.margin(reached) + rest) / e, [ordered, reached])
    return T.implication(T.unpack(proof, given), given)


@control("one_late", starts=_one_late)
@proves(T5_BUCKETS, "starts")
def starts(of: Buckets) -> Theorem:
    """Arithmetic of integers."""
    return prove_each(node(statements.starts(of)), _integers)


def _integers(goal: Node) -> Theorem:
    """An equation or inequality of two numbers."""
    if goal.head == "eq":
        return prove_identity(goal)
    small, large = (side.args[0] for side in goal.args)
    return prove_nonneg(goal, num(large - small))


@control("no_tie_at_all", ties=lambda shape: TIES[shape][:1])
@proves(T5_BUCKETS, "ties")
def exact_ties(of: Buckets) -> Theorem:
    """Arithmetic of integers."""
    return prove_each(node(statements.exact_ties(of)), _integers)
