"""Inequalities of the exponential and the hyperbolic functions beyond the tangent line at 0.

Main definitions
----------------
exponential_above_cubic   1 + x + x^2 / 2 + x^3 / 6 <= exp x for all x
one_below_cosh            1 <= cosh x for all x
sinh_above_line           x <= sinh x for x >= 0
sinh_below_tangent        sinh x <= x cosh x for x >= 0
sinh_of_multiple          k sinh x <= sinh k x for k >= 1 and x >= 0
tanh_of_multiple          sinh k x cosh x <= k sinh x cosh k x for k >= 1 and x >= 0
exponential_one           exp x = 1 gives x <= 0
rises                     x <= y gives exp x <= exp y, and the same for <

Conventions
-----------
Lemmas are universal implications; `T.apply` uses them.
"""

from __future__ import annotations

from functools import lru_cache

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import (
    FALSUM,
    And,
    Eq,
    Int,
    Le,
    Lt,
    Node,
    Real,
    cosh,
    exp,
    num,
    sinh,
    substitute,
    variable,
)
from posproof.proofs_check.search import prove_nonneg, prove_order

_x, _z, _m = variable("x", Real), variable("z", Real), variable("m", Real)
_n, _k = variable("N", Int(2)), T.integer("k")


def _cubic(x: Node) -> Node:
    return 1 + x + x**2 / 2 + x**3 / 6


@lru_cache
def _binomial() -> Theorem:
    """-1 <= z |- the first four terms of (1 + z)^N are at most exp(N z), N >= 2."""
    line = kernel.instantiate(kernel.meaning("exponential_above_line"), _z)
    margin = T.margin(line.conclusion)
    low = Le(num(0), 1 + _z)
    goal = Le(
        1 + _n * _z + _n * (_n - 1) / 2 * _z**2 + _n * (_n - 1) * (_n - 2) / 6 * _z**3,
        exp(_n * _z),
    )
    known = [line.conclusion, low]
    base = prove_nonneg(substitute(goal, {_n: num(2)}), margin * (margin + 2 * (1 + _z)), known)
    form = (
        exp(_n * _z) * margin
        + T.margin(goal) * (1 + _z)
        + _n * (_n - 1) * (_n - 2) / 6 * (_z**2) ** 2
    )
    step = prove_nonneg(substitute(goal, {_n: _n + 1}), form, [*known, goal])
    return T.discharge(kernel.induct(_n, goal, T.discharge(base, line), T.discharge(step, line)))


@lru_cache
def exponential_above_cubic() -> Theorem:
    """for all x: 1 + x + x^2 / 2 + x^3 / 6 <= exp x.

    (1 + x / N)^N <= exp x has these terms up to K / N; if exp x were smaller by d, some N > K / d
    would contradict that.
    """
    below = Lt(exp(_x), _cubic(_x))
    goal = Le(_cubic(_x), exp(_x))
    gap = T.margin(below)
    size = _k + 1
    branches = []
    for above in (False, True):
        side = Le(num(0), _x) if above else Lt(_x, num(0))
        length = _x if above else num(0) - _x
        K = _x**2 / 2 + (_x**3 / 2 if above else num(0))
        enough = K / gap + 2 + length
        floor = T.apply(kernel.meaning("floor"), [enough])
        inside = T.body(floor, _k)
        high = inside.args[1]
        over = T.margin(high)
        two = prove_nonneg(Lt(num(1), size), over + K / gap + 1 + length, [below, side, high])
        two_fact = two.conclusion
        many = kernel.weaken(_binomial(), [Lt(num(1), _n)])
        terms = kernel.specialise(many, {_z: _x / _n})
        terms = kernel.specialise(terms, {_n: size})
        count = (size - 1) + 1
        flat = Le(num(0), 1 + _x / size)
        ratio = 1 + _x / count if above else (over + K / gap + 2) / count
        fits = prove_nonneg(flat, ratio, [below, side, high, two_fact])
        bound = terms.conclusion
        rest = _x**3 / 3 if above else (3 * (size - 1) + 1) / 6 * length**3
        form = count**2 * T.margin(bound) + count * gap * (over + 2 + length) + rest
        clash = prove_nonneg(FALSUM, form, [below, side, high, two_fact, bound])
        clash = T.discharge(clash, terms)
        zero = Eq(size, num(0))
        nonzero = T.conclude_not(prove_nonneg(FALSUM, count, [zero, two_fact]), zero)
        clash = T.discharge(T.discharge(clash, fits), nonzero)
        clash = T.discharge(clash, two)
        branches.append(T.obtain(floor, _k, T.unpack(clash, inside)))
    excluded = T.compare(_x, 0, *branches)
    proof = T.compare(exp(_x), _cubic(_x), T.ex_falso(excluded, goal), T.assume(goal))
    return kernel.generalise(proof, _x)


@lru_cache
def rises() -> Theorem:
    """for all x, y: (x < y => exp x < exp y) and (x <= y => exp x <= exp y)."""
    return T.exponential_rises()


@lru_cache
def exponential_one() -> Theorem:
    """for all x: exp x = 1 => x <= 0."""
    above = kernel.instantiate(kernel.meaning("exponential_above_line"), _x)
    level, goal = Eq(exp(_x), num(1)), Le(_x, num(0))
    proof = T.discharge(prove_order(goal, [above.conclusion, level]), above)
    return kernel.generalise(T.implication(proof, level), _x)


@lru_cache
def one_below_cosh() -> Theorem:
    """for all x: 1 <= cosh x."""
    half = exp(_x / 2) - 1 / exp(_x / 2)
    return kernel.generalise(prove_nonneg(Le(num(1), cosh(_x)), half**2 / 2), _x)


@lru_cache
def sinh_above_line() -> Theorem:
    """for all x >= 0: x <= sinh x, because (exp x - x)^2 >= 1 + x^2."""
    side = Le(num(0), _x)
    cubic = kernel.instantiate(exponential_above_cubic(), _x)
    over = T.margin(cubic.conclusion)
    extra = over + _x**2 / 2 + _x**3 / 6  # exp x - 1 - x
    form = (extra**2 + 2 * over + _x**3 / 3) / (2 * exp(_x))
    proof = prove_nonneg(Le(_x, sinh(_x)), form, [side, cubic.conclusion])
    proof = T.discharge(proof, cubic)
    return kernel.generalise(T.implication(proof, side), _x)


@lru_cache
def sinh_below_tangent() -> Theorem:
    """for all x >= 0: sinh x <= x cosh x.

    For x <= 1 the claim is (1 + x) exp(-2 x) >= 1 - x, and the cubic suffices.
    """
    side, goal = Le(num(0), _x), Le(sinh(_x), _x * cosh(_x))
    cubic = kernel.instantiate(exponential_above_cubic(), num(0) - _x)
    over, near = T.margin(cubic.conclusion), Le(_x, num(1))
    value = (1 - _x) + _x**2 / 6 * (1 - _x) + _x**2 / 3  # the cubic at -x
    rest = (
        num(1) * 5 / 18 * (_x - num(1) * 27 / 20) ** 2
        + num(1) * 77 / 480
        + num(1) * 5 / 36 * _x**2 * (1 - _x)
        + _x**4 / 36
    )
    form = ((over**2 + 2 * value * over) * (1 + _x) + _x**3 * rest) * exp(_x) / 2
    small = prove_nonneg(goal, form, [side, near, cubic.conclusion])
    far = Lt(num(1), _x)
    large = prove_nonneg(goal, (_x - 1) * cosh(_x) + 1 / exp(_x), [far])
    proof = T.compare(1, _x, large, T.discharge(small, cubic))
    return kernel.generalise(T.implication(proof, side), _x)


def _at_least_zero(x: Node, k: Node) -> list[Node]:
    return [Le(num(0), x), Le(num(1), k)]


@lru_cache
def sinh_of_multiple() -> Theorem:
    """for all x >= 0 and k >= 1: k sinh x <= sinh k x."""
    given = _at_least_zero(_x, _m)
    step = (_m - 1) * _x
    longer = prove_nonneg(Le(num(0), step), step, given)
    facts = [
        kernel.instantiate(one_below_cosh(), step),
        T.apply(sinh_above_line(), [step], longer),
        T.apply(sinh_below_tangent(), [_x], kernel.assume(given[0])),
    ]
    wide, line, tangent = (T.margin(fact.conclusion) for fact in facts)
    form = sinh(_x) * wide + cosh(_x) * line + (_m - 1) * tangent
    goal = Le(_m * sinh(_x), sinh(_m * _x))
    known = [*given, *(fact.conclusion for fact in facts)]
    proof = T.discharge(prove_nonneg(goal, form, known), *facts)
    premise = And(*given)
    return T.generalise(T.implication(T.unpack(proof, premise), premise), _x, _m)


@lru_cache
def tanh_of_multiple() -> Theorem:
    """for all x >= 0 and k >= 1: sinh(k x) cosh x <= k sinh x cosh k x."""
    given = _at_least_zero(_x, _m)
    step, whole = (_m - 1) * _x, _m * _x
    longer = prove_nonneg(Le(num(0), step), step, given)
    product = prove_nonneg(Le(num(0), sinh(step)), sinh(step), [longer.conclusion])
    product = T.discharge(product, longer)
    facts = [
        T.apply(sinh_below_tangent(), [step], longer),
        T.apply(sinh_above_line(), [_x], kernel.assume(given[0])),
        product,
    ]
    tangent, line = (T.margin(fact.conclusion) for fact in facts[:2])
    # cosh(k x) = cosh x cosh step + sinh x sinh step >= cosh step, as cosh x >= 1
    wide = kernel.instantiate(one_below_cosh(), _x)
    facts.append(wide)
    more = T.margin(wide.conclusion) * cosh(step) + sinh(_x) * sinh(step)
    form = (_m - 1) * line * cosh(whole) + step * more + tangent
    goal = Le(sinh(whole) * cosh(_x), _m * sinh(_x) * cosh(whole))
    known = [*given, *(fact.conclusion for fact in facts)]
    proof = T.discharge(prove_nonneg(goal, form, known), *facts)
    premise = And(*given)
    return T.generalise(T.implication(T.unpack(proof, premise), premise), _x, _m)
