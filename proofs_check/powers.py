"""Powers of two with an unknown exponent, as integers of their own.

Main definitions
----------------
two         2^e
named       remove the hypothesis N = 2^e about an integer N: there is one
grows       i <= e |- 2^i <= 2^e
doubles     i < e |- 2 2^i <= 2^e
same_power  i = e |- 2^i = 2^e

Conventions
-----------
Exponents are natural numbers.  The kernel compares integers, and takes 2^e for a real number: a
proof names it, and what algebra knows of 2^(p + j) it applies to the names too.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import (
    Eq,
    Exists,
    Int,
    Le,
    Lt,
    Node,
    num,
    power,
    substitute,
    variable,
)
from posproof.proofs_check.search import prove_identity, prove_nonneg, prove_order

node = T.node


def two(exponent: Any) -> Node:
    return power(2, node(exponent))


@lru_cache
def whole() -> Theorem:
    """for all natural e there is an integer N >= 1 with N = 2^e."""
    e, size, one = T.natural("e"), variable("N", Int(1)), variable("N'", Int(1))
    goal = Exists(size, Eq(size, two(e)))
    base = T.exists(substitute(goal, {e: num(0)}), num(1), prove_identity)
    given = T.body_of(goal, one)
    grown = T.exists(
        substitute(goal, {e: e + 1}), 2 * one, lambda fact: prove_identity(fact, [given])
    )
    step = T.obtain(kernel.assume(goal), one, grown)
    return kernel.induct(e, goal, base, step)


def named(theorem: Theorem, *names: tuple[Node, Any]) -> Theorem:
    """Remove the hypotheses N = 2^e: there is such an integer."""
    e = T.natural("e")
    for name, exponent in names:
        if any(kernel.same(Eq(name, two(exponent)), fact) for fact in theorem.hypotheses):
            theorem = T.obtain(kernel.specialise(whole(), {e: node(exponent)}), name, theorem)
    return theorem


@lru_cache
def _grows() -> Theorem:
    """i <= e |- 2^i <= 2^e for natural numbers."""
    i, e, q = T.natural("i"), T.natural("e"), T.natural("q")
    least = Le(1, two(q))
    step = prove_nonneg(Le(1, two(q + 1)), 2 * T.margin(least) + 1, [least])
    one = kernel.induct(q, least, prove_order(Le(1, two(0))), step)
    below = Le(0, e - i)
    apart = kernel.specialise(kernel.weaken(one, [below]), {q: e - i})
    fact = apart.conclusion
    proof = T.discharge(prove_nonneg(Le(two(i), two(e)), two(i) * T.margin(fact), [fact]), apart)
    return T.discharge(proof, prove_order(below, [Le(i, e)]))


def grows(low: Any, high: Any) -> Theorem:
    """low <= high |- 2^low <= 2^high."""
    return kernel.specialise(_grows(), {T.natural("i"): node(low), T.natural("e"): node(high)})


def doubles(low: Node, high: Node) -> Theorem:
    """low < high |- 2 2^low <= 2^high."""
    grown = grows(low + 1, high)
    fact = grown.conclusion
    proof = prove_nonneg(Le(2 * two(low), two(high)), T.margin(fact), [fact])
    return T.discharge(proof, T.discharge(grown, kernel.integer_step(T.assume(Lt(low, high)))))


def same_power(first: Node, second: Node) -> Theorem:
    """j = k |- 2^j = 2^k."""
    return T.rewrite(
        Eq(two(first), two(second)), first, second, prove_identity(Eq(two(second), two(second)))
    )
