"""Sums of an arbitrary function over whole numbers: splitting, shifting and folding them.

Main definitions
----------------
front, blocks      the first term, or equal blocks, split off
shifted            over one period the start does not matter
odd_vanishes       over one period an odd function sums to 0
positive           a sum of positive terms is positive
below              a sum is monotone in its terms
at                 any of these for a given function

Conventions
-----------
Each lemma is proved once for a sequence f of reals and then put to a function; what it needs of the
function is a premise, for all real x.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import (
    Eq,
    ForAll,
    Int,
    Lt,
    Node,
    Real,
    num,
    sequence,
    total,
    variable,
)
from posproof.proofs_check.search import prove_by_induction, prove_identity, prove_nonneg
from posproof.theory.symbols import Variable

_x = variable("x", Real)
_r, _t = variable("r", Int(0)), variable("t", Int(0))
_b, _M, _N = variable("b", Int(0)), variable("M", Int(0)), variable("N", Int(0))
_n = variable("n", Int(1))


def _f(at: Any) -> Node:
    return sequence("f", at)


def at(lemma: Theorem, function: Callable[[Any], Any], *values: Any) -> Theorem:
    """A lemma about every f for one function, its outer variables at `values`."""
    argument = Variable("x", Real)
    value = T.node(function(argument))
    return T.apply(kernel.realise(lemma, "f", T.node(argument), value), values)


def periodic(of: Callable[[Any], Any] = _f) -> Node:
    return ForAll(_x, Eq(of(_x + _n), of(_x)))


@lru_cache
def front() -> Theorem:
    """for all N: sum of f over N + 1 terms = f(0) + sum of f(r + 1) over N terms."""
    goal = Eq(total(_r, _N + 1, _f(_r)), _f(num(0)) + total(_r, _N, _f(_r + 1)))
    return T.generalise(prove_by_induction(_N, goal), _N)


@lru_cache
def blocks() -> Theorem:
    """for all M, N: sum over M N terms = sum over t < M of the sums of f(t N + r), r < N."""
    joined = Eq(total(_r, _M + _N, _f(_r)), total(_r, _M, _f(_r)) + total(_r, _N, _f(_M + _r)))
    joined = T.generalise(prove_by_induction(_N, joined), _M)
    goal = Eq(total(_r, _M * _N, _f(_r)), total(_t, _M, total(_r, _N, _f(_t * _N + _r))))
    more = kernel.instantiate(joined, _M * _N)
    base = prove_identity(T.instance(goal, _M, 0))
    step = prove_identity(T.instance(goal, _M, _M + 1), [goal, more.conclusion])
    found = kernel.induct(_M, goal, base, T.discharge(step, more))
    return T.generalise(found, _M, _N)


@lru_cache
def shifted() -> Theorem:
    """for all n, b: f of period n => sum of f(r - b), r < n, is that of f(r)."""

    def back(b: Any, upper: Node) -> Node:
        return total(_r, upper, _f(_r - b))

    ends = _f(num(0) - _b - 1) - _f(_N - _b - 1)
    neighbours = prove_by_induction(_N, Eq(back(_b + 1, _N), back(_b, _N) + ends))
    here = kernel.specialise(neighbours, {_N: _n})
    same = kernel.instantiate(kernel.assume(periodic()), num(0) - _b - 1)
    goal = Eq(back(_b, _n), total(_r, _n, _f(_r)))
    base = prove_identity(T.instance(goal, _b, 0))
    step = prove_identity(T.instance(goal, _b, _b + 1), [goal, here.conclusion, same.conclusion])
    found = kernel.induct(_b, goal, base, T.discharge(step, here, same))
    return T.generalise(T.implication(found, periodic()), _n, _b)


@lru_cache
def odd_vanishes() -> Theorem:
    """for all n: f odd and of period n => its sum over r < n is 0."""
    odd = ForAll(_x, Eq(_f(num(0) - _x), num(0) - _f(_x)))

    def back(b: Any, upper: Node) -> Node:
        return total(_r, upper, _f(_r - b))

    # sum of f(r - N + 1) over r < N runs through f(-r): it is minus the sum of f.
    goal = Eq(back(_N - 1, _N), num(0) - total(_r, _N, _f(_r)))
    neighbours = Eq(back(_b, _N), back(_b - 1, _N) + _f(num(0) - _b) - _f(_N - _b))
    here = kernel.specialise(prove_by_induction(_N, neighbours), {_b: _N})
    mirror = kernel.instantiate(kernel.assume(odd), _N)
    base = prove_identity(T.instance(goal, _N, 0))
    facts = [here, mirror]
    step = prove_identity(
        T.instance(goal, _N, _N + 1), [goal, *(fact.conclusion for fact in facts)]
    )
    folded = kernel.specialise(kernel.induct(_N, goal, base, T.discharge(step, *facts)), {_N: _n})
    # one period further on the same terms are f(r + 1), which are f(r) but for the ends.
    same = kernel.instantiate(kernel.assume(periodic()), _r - _n + 1)
    turned = T.discharge(prove_identity(Eq(_f(_r - (_n - 1)), _f(_r + 1)), [same.conclusion]), same)
    moved = kernel.sum_congruence(turned, _r, _n)
    start = Eq(total(_r, _N, _f(_r + 1)), total(_r, _N, _f(_r)) + _f(_N) - _f(num(0)))
    ends = kernel.specialise(prove_by_induction(_N, start), {_N: _n})
    whole = kernel.instantiate(kernel.assume(periodic()), num(0))
    facts = [folded, moved, ends, whole]
    zero = prove_identity(Eq(total(_r, _n, _f(_r)), num(0)), [f.conclusion for f in facts])
    proof = T.implication(T.discharge(zero, *facts), periodic(), odd)
    return T.generalise(proof, _n)


@lru_cache
def positive() -> Theorem:
    """for all n: 0 < f(x) for all x => 0 < sum of f(r), r < n."""
    above = ForAll(_x, Lt(num(0), _f(_x)))
    goal = Lt(num(0), total(_r, _n, _f(_r)))

    def one(index: Node) -> Theorem:
        return kernel.instantiate(kernel.assume(above), index)

    first, last = one(num(0)), one(_n)
    base = prove_nonneg(T.instance(goal, _n, 1), _f(num(0)), [first.conclusion])
    form = _f(_n) + total(_r, _n, _f(_r))
    step = prove_nonneg(T.instance(goal, _n, _n + 1), form, [goal, last.conclusion])
    found = kernel.induct(_n, goal, T.discharge(base, first), T.discharge(step, last))
    return T.generalise(T.implication(found, above), _n)
