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
ordered, strictly_ordered   x <= y <=> exp x <= exp y, and the same for <
raised                    an order of exponentials from that of their exponents
outgrows                  exp(r D) passes every bound at some natural D, for r > 0
shifted                   how far exp(t - N) is from exp(-N) for |t| <= y + u N

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
from posproof.proofs_check.rounded import within
from posproof.proofs_check.search import prove_identity, prove_nonneg, prove_order

_x, _z, _m = variable("x", Real), variable("z", Real), variable("m", Real)
_n, _k = variable("N", Int(2)), T.integer("k")
_y, _hole = variable("y", Real), variable("hole", Real)


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


@lru_cache
def ordered() -> Theorem:
    """for all x, y: x <= y <=> exp x <= exp y."""
    left, right = _x, _y
    larger = T.parts(T.apply(rises(), [left, right]))[1]
    falls = T.parts(T.apply(rises(), [right, left]))[0]
    weak, image = Le(left, right), Le(exp(left), exp(right))
    below = Lt(right, left)
    higher = kernel.modus(falls, kernel.assume(below))
    clash = T.discharge(T.contradict([higher.conclusion, image], degree=1), higher)
    back = T.compare(right, left, T.ex_falso(clash, weak), kernel.assume(weak))
    forward = kernel.modus(larger, kernel.assume(weak))
    return T.generalise(T.iff(weak, image, forward, back), left, right)


@lru_cache
def strictly_ordered() -> Theorem:
    """for all x, y: x < y <=> exp x < exp y."""
    left, right = _x, _y
    weak = T.apply(ordered(), [right, left])
    strict, image = Lt(left, right), Lt(exp(left), exp(right))
    forward = kernel.modus(T.parts(T.apply(rises(), [left, right]))[0], kernel.assume(strict))
    back = kernel.modus(T.parts(weak)[0], kernel.assume(Le(right, left)))
    excluded = kernel.clash(back, kernel.not_less(kernel.assume(image)))
    backward = T.compare(left, right, kernel.assume(strict), T.ex_falso(excluded, strict))
    return T.generalise(T.iff(strict, image, forward, backward), left, right)


def raised(goal: Node, *given: Node, degree: int = 2) -> Theorem:
    """exp x <= exp y or exp x < exp y from the order of the exponents; 1 is exp 0."""
    left, right = (x.args[0] if x.head == "exp" else num(0) for x in goal.args)
    order = Lt if goal.head == "lt" else Le
    exponents = prove_order(order(left, right), given, degree=degree)
    larger = T.parts(T.apply(rises(), [left, right]))[0 if order is Lt else 1]
    proof = kernel.modus(larger, exponents)
    if kernel.same(goal, proof.conclusion):
        return proof
    image = proof.conclusion
    return T.discharge(prove_nonneg(goal, T.margin(image), [image]), proof)


def exponent_of(product: Node) -> Node:
    """x + y for exp x * exp y."""
    if product.head == "exp":
        return product.args[0]
    left, right = product.args
    return exponent_of(left) + exponent_of(right)


def outgrows(goal: Node, rate: Node, positive: Theorem) -> Theorem:
    """There is a natural D with C < e^(rate D), and what algebra knows of it.

    1 + x <= e^x, and some multiple of the rate is at least C.
    """
    D, result = goal.args
    first, *others = result.args if result.head == "and" else [result]
    C, large = first.args
    k = T.integer("k")
    floor = T.apply(kernel.meaning("floor"), [C / rate])
    inside = T.body(floor, k)
    high = inside.args[1]

    def at(place: Node, enough: Theorem) -> Theorem:
        """What is claimed of D = place, from C < 1 + rate place."""
        line = T.apply(kernel.meaning("exponential_above_line"), [rate * place])
        facts = [line.conclusion, enough.conclusion]
        form = T.margin(facts[0]) + T.margin(facts[1])
        image = exp(rate * place)
        grown = T.discharge(prove_nonneg(Lt(C, image), form, facts), line, enough)
        equal = prove_identity(Eq(substitute(large, {D: place}), image))
        grown = T.transport(Lt(C, _hole), _hole, equal, grown)
        rest = [prove_identity(substitute(other, {D: place})) for other in others]
        return T.both(grown, *rest) if rest else grown

    fact = positive.conclusion
    above = prove_nonneg(Lt(C, 1 + rate * (k + 1)), rate * T.margin(high) + 1, [high, fact])
    above = kernel.weaken(at(k + 1, T.discharge(above, positive)), [Le(0, k + 1)])
    below = Lt(k + 1, 0)
    form = rate * (T.margin(high) + (0 - (k + 1))) + 1
    small = prove_nonneg(Lt(C, 1 + rate * num(0)), form, [high, below, fact])
    second = T.exists(goal, num(0), at(num(0), T.discharge(small, positive)))
    proof = T.compare(k + 1, num(0), second, T.exists(goal, k + 1, above))
    return T.obtain(floor, k, T.unpack(proof, inside))


@lru_cache
def _shifted() -> Theorem:
    """0 <= N, y, |t| <= y + u N |- |e^(t - N) - e^(-N)| <= e^y (y + u / ((1 - u) e)), u < 1."""
    N, y, u, t = (T.real(name) for name in ("N", "y", "u", "t"))
    given = [Le(0, N), Le(0, y), Le(0, u), Lt(u, 1)]
    z, left = y + u * N, (1 - u) * N
    off = within(t, z)
    line = kernel.meaning("exponential_above_line")
    first = T.apply(line, [num(0) - z])
    peak = T.apply(line, [left - 1])
    decays = kernel.modus(
        T.parts(T.apply(rises(), [num(0), left]))[1],
        prove_nonneg(Le(0, left), left, given),
    )
    sides = [
        kernel.modus(T.parts(T.apply(rises(), list(side.args)))[1], T.assume(side))
        for side in (Le(*off.args[0].args), off.args[1])
    ]
    facts = [first, peak, decays, *sides]
    bound = exp(y) * (y + u / ((1 - u) * exp(num(1))))
    small = exp(num(0) - N)
    above = small * exp(z) * T.margin(first.conclusion)
    rest = exp(y) * exp(num(0) - left)
    above = above + rest * y * T.margin(decays.conclusion)
    above = above + rest * (u / (1 - u)) * T.margin(peak.conclusion)
    forms = (
        above + small * T.margin(sides[0].conclusion) + small * exp(num(0) - z) * (exp(z) - 1) ** 2,
        above + small * T.margin(sides[1].conclusion),
    )
    goal = within(exp(t - N) - small, bound)
    known = [*given, *(fact.conclusion for fact in facts)]
    proofs = (prove_nonneg(g, f, known) for g, f in zip(goal.args, forms, strict=True))
    return T.discharge(T.both(*proofs), *facts)


def shifted(N: Node, y: Node, u: Node, t: Node) -> Theorem:
    """0 <= N, y, |t| <= y + u N |- |e^(t - N) - e^(-N)| <= e^y (y + u / ((1 - u) e)), u < 1."""
    names = (T.real(name) for name in ("N", "y", "u", "t"))
    return kernel.specialise(_shifted(), dict(zip(names, (N, y, u, t), strict=True)))
