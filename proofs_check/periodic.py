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
    And,
    Eq,
    ForAll,
    Implies,
    Int,
    Le,
    Lt,
    Node,
    Not,
    Real,
    num,
    sequence,
    substitute,
    total,
    variable,
)
from posproof.proofs_check.search import (
    prove_by_induction,
    prove_identity,
    prove_nonneg,
    prove_order,
)
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


def everywhere(lemma: Theorem, function: Callable[[Any], Any], *values: Any) -> Theorem:
    """A lemma at a function, with premises about all x that algebra proves."""
    found = at(lemma, function, *values)
    while found.conclusion.head == "implies":
        bound, goal = found.conclusion.args[0].args
        proof = prove_identity(goal) if goal.head == "eq" else prove_nonneg(goal, goal.args[1])
        found = kernel.modus(found, kernel.generalise(proof, bound))
    return found


def below(lemma: Theorem, function: Callable[[Any], Any], proof: Theorem, *values: Any) -> Theorem:
    """A lemma about terms k < n: `proof` shows for one k < n what it asks of f(k).

    What is asked of the other indices stays a hypothesis.
    """
    found = at(lemma, function, *values)
    while found.conclusion.head == "implies":
        premise = found.conclusion.args[0]
        if premise.head == "forall":
            bound, wanted = premise.args
            limits = []
            while wanted.head == "implies":
                limits.append(wanted.args[0])
                wanted = wanted.args[1]
            fact = kernel.specialise(proof, {variable("k", Int(0)): bound})
            if wanted.head == "le":
                each = prove_nonneg(wanted, T.margin(fact.conclusion), [fact.conclusion])
                each = T.discharge(each, fact)
            else:
                each = T.discharge(prove_identity(wanted, [fact.conclusion]), fact)
            found = kernel.modus(found, T.generalise(T.implication(each, *limits), bound))
        else:
            found = kernel.modus(found, kernel.assume(premise))
    return found


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
    end = Eq(total(_r, _M + _N, _f(_r)), total(_r, _M, _f(_r)) + total(_r, _N, _f(_M + _r)))
    joined = T.generalise(prove_by_induction(_N, end), _M)
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


@lru_cache
def term_below() -> Theorem:
    """for all n, j: j < n and 0 <= f(k) for k < n => f(j) <= sum of f(k), k < n."""
    j, k = variable("j", Int(0)), variable("k", Int(0))
    above = _nonnegative(k, _N)
    goal = ForAll(j, Implies(Lt(j, _N), Le(_f(j), total(k, _N, _f(k)))))
    statement = Implies(above, And(Le(num(0), total(k, _N, _f(k))), goal))
    none = T.ex_falso(T.contradict([Lt(j, num(0))]), Le(_f(j), total(k, num(0), _f(k))))
    base = T.both(
        prove_nonneg(Le(num(0), total(k, num(0), _f(k))), num(0)),
        T.generalise(T.implication(none, Lt(j, num(0))), j),
    )
    base = T.implication(base, substitute(above, {_N: num(0)}))

    larger, grown = substitute(statement, {_N: _N + 1}).args
    inside = prove_order(Lt(k, _N + 1), [Lt(k, _N)])
    each = kernel.modus(kernel.instantiate(kernel.assume(larger), k), inside)
    smaller = T.generalise(T.implication(each, Lt(k, _N)), k)
    known = T.parts(kernel.modus(kernel.assume(statement), smaller))
    last = kernel.modus(
        kernel.instantiate(kernel.assume(larger), _N), prove_nonneg(Lt(_N, _N + 1), num(1))
    )
    sums, terms = known
    whole = prove_nonneg(
        grown.args[0], total(k, _N, _f(k)) + _f(_N), [sums.conclusion, last.conclusion]
    )
    whole = T.discharge(whole, sums, last)
    limit, wanted = grown.args[1].args[1].args
    early = kernel.modus(kernel.instantiate(terms, j), kernel.assume(Lt(j, _N)))
    one = T.discharge(
        prove_nonneg(
            wanted, T.margin(early.conclusion) + _f(_N), [early.conclusion, last.conclusion]
        ),
        early,
        last,
    )
    step = kernel.integer_step(kernel.assume(limit))
    same = kernel.antisymmetry(
        T.discharge(prove_order(Le(j, _N), [step.conclusion]), step), kernel.assume(Le(_N, j))
    )
    at_end = substitute(wanted, {j: _N})
    there = T.discharge(prove_nonneg(at_end, total(k, _N, _f(k)), [sums.conclusion]), sums)
    moved = T.transport(wanted, j, same, there)
    found = T.compare(j, _N, one, moved)
    more = T.both(whole, T.generalise(T.implication(found, limit), j))
    step = T.implication(more, larger)
    proof = kernel.induct(_N, statement, base, step)
    inner = kernel.instantiate(kernel.project(kernel.modus(proof, kernel.assume(above)), 1), j)
    return T.generalise(T.implication(inner, above), _N, j)


def _nonnegative(k: Node, upper: Node) -> Node:
    return ForAll(k, Implies(Lt(k, upper), Le(num(0), _f(k))))


def _bounded(theorem: Theorem, limit: Node, name: Node) -> Theorem:
    return T.generalise(T.implication(theorem, limit), name)


def _growing(
    names: tuple[Node, ...], fewer: Callable[[Node, tuple[Node, ...]], Theorem]
) -> Theorem:
    """for all N and distinct names < N: the sum of f over the names is at most that over k < N.

    `fewer(upper, others)` proves the same, below `upper`, with one name less.
    """
    k = variable("k", Int(0))
    above = _nonnegative(k, _N)
    apart = [Not(Eq(a, b)) for place, a in enumerate(names) for b in names[place + 1 :]]
    below = [Lt(name, _N) for name in names]

    def claim(upper: Node) -> Node:
        whole: Node = _f(names[0])
        for name in names[1:]:
            whole = whole + _f(name)
        return Le(whole, total(k, upper, _f(k)))

    premise = And(above, *below)
    statement = Implies(premise, claim(_N))
    first = Lt(names[0], num(0))
    base = T.implication(
        T.unpack(
            T.ex_falso(T.contradict([first]), claim(num(0))), substitute(premise, {_N: num(0)})
        ),
        substitute(premise, {_N: num(0)}),
    )

    larger = substitute(premise, {_N: _N + 1})
    each = kernel.modus(
        kernel.instantiate(kernel.assume(larger.args[0]), k),
        prove_order(Lt(k, _N + 1), [Lt(k, _N)]),
    )
    smaller = _bounded(each, Lt(k, _N), k)
    last = kernel.modus(
        kernel.instantiate(kernel.assume(larger.args[0]), _N),
        prove_nonneg(Lt(_N, _N + 1), num(1)),
    )
    goal = claim(_N + 1)
    known = kernel.modus(
        kernel.assume(statement), T.both(smaller, *(kernel.assume(b) for b in below))
    )
    found = T.discharge(
        prove_nonneg(
            goal, T.margin(known.conclusion) + _f(_N), [known.conclusion, last.conclusion]
        ),
        known,
        last,
    )
    for place, name in enumerate(names):
        others = tuple(other for other in names if other != name)
        rest = T.discharge(fewer(_N, others), smaller)
        for other in others:
            rest = T.discharge(rest, _below_too(other, name, apart))
        step = kernel.integer_step(kernel.assume(larger.args[1 + place]))
        at_end = kernel.antisymmetry(
            T.discharge(prove_order(Le(name, _N), [step.conclusion]), step),
            kernel.assume(Le(_N, name)),
        )
        wanted = substitute(goal, {name: _N})
        moved = prove_nonneg(wanted, T.margin(rest.conclusion), [rest.conclusion])
        moved = T.transport(goal, name, at_end, T.discharge(moved, rest))
        found = T.compare(name, _N, found, moved)
    step = T.implication(T.unpack(found, larger), larger)
    proof = kernel.induct(_N, statement, base, step)
    proof = kernel.modus(proof, T.both(*(kernel.assume(h) for h in premise.args)))
    return T.generalise(T.implication(proof, above, *below, *apart), _N, *names)


def _below_too(other: Node, name: Node, apart: list[Node]) -> Theorem:
    """other < N, if N <= name and both are different and below N + 1."""
    distinct = next(p for p in apart if set(p.args[0].args) == {name, other})
    steps = [kernel.integer_step(kernel.assume(Lt(x, _N + 1))) for x in (other, name)]
    beyond = [Le(_N, other), Le(_N, name), *(step.conclusion for step in steps)]
    equal = kernel.antisymmetry(
        *(
            T.discharge(prove_order(Le(a, b), beyond), *steps)
            for a, b in (distinct.args[0].args, reversed(distinct.args[0].args))
        )
    )
    never = T.ex_falso(kernel.clash(equal, kernel.assume(distinct)), Lt(other, _N))
    return T.compare(other, _N, kernel.assume(Lt(other, _N)), never)


@lru_cache
def pair_below() -> Theorem:
    """for all n, i != j below n, f >= 0 on k < n: f(i) + f(j) <= sum of f(k), k < n."""
    i, j = variable("i", Int(0)), variable("j", Int(0))

    def one(upper: Node, others: tuple[Node, ...]) -> Theorem:
        (name,) = others
        found = T.apply(term_below(), [upper, name])
        for premise in (_nonnegative(variable("k", Int(0)), upper), Lt(name, upper)):
            found = kernel.modus(found, kernel.assume(premise))
        return found

    return _growing((i, j), one)


@lru_cache
def triple_below() -> Theorem:
    """for all n, distinct i, j, l below n, f >= 0 on k < n: f(i) + f(j) + f(l) <= sum of f(k)."""
    i, j, last = variable("i", Int(0)), variable("j", Int(0)), variable("l", Int(0))

    def two(upper: Node, others: tuple[Node, ...]) -> Theorem:
        found = T.apply(pair_below(), [upper, *others])
        while found.conclusion.head == "implies":
            found = kernel.modus(found, kernel.assume(found.conclusion.args[0]))
        return found

    return _growing((i, j, last), two)


@lru_cache
def only_term() -> Theorem:
    """for all n, j: j < n and f(k) = 0 for the other k < n => the sum of f(k), k < n, is f(j)."""
    j, k = variable("j", Int(0)), variable("k", Int(0))

    def vanishing(upper: Node) -> Node:
        return ForAll(k, Implies(Lt(k, upper), Implies(Not(Eq(k, j)), Eq(_f(k), num(0)))))

    def summed(upper: Node) -> Node:
        whole = total(k, upper, _f(k))
        nothing = Implies(Le(upper, j), Eq(whole, num(0)))
        return Implies(vanishing(upper), And(nothing, Implies(Lt(j, upper), Eq(whole, _f(j)))))

    statement, grown = summed(_N), summed(_N + 1)
    start = summed(num(0))
    none = start.args[1].args[1]
    base = T.both(
        T.implication(prove_identity(start.args[1].args[0].args[1]), start.args[1].args[0].args[0]),
        T.implication(T.ex_falso(T.contradict([none.args[0]]), none.args[1]), none.args[0]),
    )
    base = T.implication(base, start.args[0])

    larger = grown.args[0]
    inside = prove_order(Lt(k, _N + 1), [Lt(k, _N)])
    each = kernel.modus(kernel.instantiate(kernel.assume(larger), k), inside)
    smaller = _bounded(each, Lt(k, _N), k)
    nothing, reached = T.parts(kernel.modus(kernel.assume(statement), smaller))
    last = kernel.modus(
        kernel.instantiate(kernel.assume(larger), _N), prove_nonneg(Lt(_N, _N + 1), num(1))
    )

    def apart(given: Node) -> Theorem:
        same = Eq(_N, j)
        return kernel.modus(last, T.conclude_not(T.contradict([same, given]), same))

    ahead, zero = grown.args[1].args[0].args
    before = kernel.modus(nothing, prove_order(Le(_N, j), [ahead]))
    gone = apart(ahead)
    waiting = T.discharge(prove_identity(zero, [before.conclusion, gone.conclusion]), before, gone)
    past, value = grown.args[1].args[1].args
    here = kernel.modus(reached, kernel.assume(Lt(j, _N)))
    gone = apart(Lt(j, _N))
    early = T.discharge(prove_identity(value, [here.conclusion, gone.conclusion]), here, gone)
    before = kernel.modus(nothing, kernel.assume(Le(_N, j)))
    step = kernel.integer_step(kernel.assume(past))
    below = T.discharge(prove_order(Le(j, _N), [step.conclusion]), step)
    same = kernel.antisymmetry(below, kernel.assume(Le(_N, j)))
    at_end = prove_identity(substitute(value, {j: _N}), [before.conclusion])
    late = T.transport(value, j, same, T.discharge(at_end, before))
    arrived = T.compare(j, _N, early, late)
    step = T.implication(
        T.both(T.implication(waiting, ahead), T.implication(arrived, past)), larger
    )
    proof = kernel.induct(_N, statement, base, step)
    found = kernel.project(kernel.modus(proof, kernel.assume(vanishing(_N))), 1)
    return T.generalise(T.implication(found, vanishing(_N)), _N, j)
