"""A rational number one of whose powers is an integer is an integer itself.

Main definitions
----------------
integral_root      the theorem
integer_power      a natural power of an integer is an integer, for the kernel a theorem too
equal_parts        a + b sqrt(2) with integers a and b determines b: sqrt(2) is irrational

Implementation notes
--------------------
Descent.  Let x^n = c, and call Q a denominator if Q x^j is an integer for every j < n.  If k <= x
is the floor of x and x is not k, then Q (x - k) is a smaller positive denominator.  A rational
x = v / u has the denominator u^n, so x is its floor.
"""

from __future__ import annotations

from functools import lru_cache

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import (
    And,
    Eq,
    Exists,
    ForAll,
    Implies,
    Int,
    Integer,
    Le,
    Lt,
    Node,
    Real,
    num,
    power,
    sqrt,
    variable,
)
from posproof.proofs_check.search import (
    prove_by_induction,
    prove_contradiction,
    prove_identity,
    prove_order,
)

x = variable("x", Real)
n, j, s, bound = variable("n", Int(1)), *(variable(v, Int(0)) for v in "jsB")
c, k, t, u, v, Q = (variable(name, Integer) for name in ("c", "k", "t", "u", "v", "Q"))
before, after = variable("t0", Integer), variable("t1", Integer)
value = variable("w", Integer)

ROOT = Eq(power(x, n), c)


@lru_cache
def integer_power() -> Theorem:
    """for all integers u and s >= 0 there is an integer t with u^s = t, and 1 <= t if 1 <= u."""

    def statement(exponent: Node) -> Node:
        return Exists(t, And(Eq(power(u, exponent), t), Implies(Le(1, u), Le(1, t))))

    def found(exponent: Node, at: Node, equal: Theorem, large: Theorem) -> Theorem:
        return T.exists(statement(exponent), at, T.both(equal, T.implication(large, Le(1, u))))

    unit = kernel.weaken(prove_order(Le(1, num(1))), [Le(1, u)])
    base = found(num(0), num(1), prove_identity(Eq(power(u, 0), num(1))), unit)
    known = T.body_of(statement(s), t)
    equal, large = known.args
    grown = prove_identity(Eq(power(u, s + 1), t * u), [equal])
    larger = T.apply(T.assume(large), [], T.assume(Le(1, u)))
    product = T.discharge(prove_order(Le(1, t * u), [Le(1, u), larger.conclusion]), larger)
    step = T.obtain(T.assume(statement(s)), t, T.unpack(found(s + 1, t * u, grown, product), known))
    return T.generalise(kernel.induct(s, statement(s), base, step), u, s)


def _integer(term: Node) -> Node:
    return Exists(value, Eq(term, value))


def _denominator(q: Node) -> Node:
    """q x^j is an integer for every j < n."""
    return ForAll(j, Implies(Le(j + 1, n), _integer(q * power(x, j))))


def _next_power() -> Theorem:
    """Q x^(j+1) is an integer when j + 1 <= n, for a denominator Q."""
    goal = _integer(Q * power(x, j + 1))
    inside = kernel.integer_step(kernel.assume(Lt(j + 1, n)))
    smaller = T.apply(T.assume(_denominator(Q)), [j + 1], inside)
    last = kernel.antisymmetry(kernel.assume(Le(j + 1, n)), kernel.assume(Le(n, j + 1)))
    z = variable("z", Integer)
    reached = T.transport(Eq(power(x, z), c), z, last, kernel.assume(ROOT))
    whole = T.exists(goal, Q * c, lambda part: prove_identity(part, [reached.conclusion]))
    return T.compare(j + 1, n, smaller, T.discharge(whole, reached))


def _smaller_denominator(small: Node) -> Theorem:
    """`small` = t - k Q is a denominator when Q is one and Q x = t."""
    here = T.apply(T.assume(_denominator(Q)), [j], T.assume(Le(j + 1, n)))
    ahead = _next_power()
    facts = [Eq(Q * x, t), Eq(Q * power(x, j), before), Eq(Q * power(x, j + 1), after)]
    found = T.exists(
        _integer(small * power(x, j)),
        after - k * before,
        lambda part: prove_identity(part, facts),
    )
    found = T.obtain(ahead, after, T.obtain(here, before, found))
    return T.generalise(T.implication(found, Le(j + 1, n)), j)


@lru_cache
def _descent() -> Theorem:
    """x is an integer if it has a denominator between 1 and B; given x^n = c."""
    goal = _integer(x)

    def below(limit: Node) -> Node:
        return ForAll(Q, Implies(And(Le(1, Q), Le(Q, limit), _denominator(Q)), goal))

    def premise(q: Node, limit: Node) -> Node:
        return And(Le(1, q), Le(q, limit), _denominator(q))

    start = T.ex_falso(T.contradict([Le(1, Q), Le(Q, num(0))]), goal)
    start = T.implication(T.unpack(start, premise(Q, num(0))), premise(Q, num(0)))
    base = kernel.weaken(T.generalise(start, Q), [ROOT])

    floor = T.apply(kernel.meaning("floor"), [x])
    low, high = T.body(floor, k).args
    equal = kernel.antisymmetry(kernel.assume(Le(x, k)), kernel.assume(low))
    done = T.exists(goal, k, equal)

    small, product = t - k * Q, Eq(Q * x, t)
    gap, positive = Lt(k, x), Le(1, Q)
    above = kernel.integer_step(prove_order(Lt(num(0), small), [product, gap, positive]))
    under = kernel.integer_step(prove_order(Lt(small, Q), [product, high, positive]))
    least = T.discharge(prove_order(Le(1, small), [above.conclusion]), above)
    limit = Le(Q, bound + 1)
    most = T.discharge(prove_order(Le(small, bound), [under.conclusion, limit]), under)
    inner = T.both(least, most, _smaller_denominator(small))
    smaller = T.apply(T.assume(below(bound)), [small], inner)
    first = T.discharge(
        kernel.specialise(_next_power(), {j: num(0)}), prove_order(Le(num(0) + 1, n))
    )
    turned = T.body(first, t)
    times = T.discharge(prove_identity(product, [turned]), kernel.assume(turned))
    smaller = T.obtain(first, t, T.discharge(smaller, times))

    proof = T.compare(k, x, smaller, done)
    proof = T.obtain(floor, k, T.unpack(proof, T.body(floor, k)))
    proof = T.unpack(proof, premise(Q, bound + 1))
    step = T.generalise(T.implication(proof, premise(Q, bound + 1)), Q)
    return kernel.induct(bound, below(bound), base, step)


@lru_cache
def integral_root() -> Theorem:
    """for all reals x, integers u >= 1, v, c and n >= 1: u x = v and x^n = c => x is an integer."""
    given = And(Le(1, u), Eq(u * x, v), ROOT)
    fraction = given.args[1]
    # u^(j+s) x^j = u^s v^j
    cleared = prove_by_induction(j, Eq(power(u, j) * power(x, j), power(v, j)), [fraction])
    first = T.apply(integer_power(), [v, j])
    second = T.apply(integer_power(), [u, s])
    facts = [T.body(first, before).args[0], T.body(second, after).args[0]]
    z = variable("z", Integer)

    def whole(exponent: Node) -> Node:
        return _integer(power(u, exponent) * power(x, j))

    found = T.exists(
        whole(j + s),
        before * after,
        lambda part: prove_identity(part, [cleared.conclusion, *facts]),
    )
    found = T.discharge(found, cleared)
    found = T.obtain(first, before, T.unpack(found, T.body(first, before)))
    found = T.obtain(second, after, T.unpack(found, T.body(second, after)))
    rest = n - j
    found = kernel.specialise(kernel.weaken(found, [Le(num(0), s)]), {s: rest})
    found = T.discharge(found, prove_order(Le(num(0), rest), [Le(j + 1, n)]))
    found = T.transport(whole(z), z, prove_identity(Eq(n, j + rest)), found)

    size = T.apply(integer_power(), [u, n])
    named = T.body(size, Q)
    equal, large = named.args
    scaled = T.obtain(
        found, t, T.exists(_integer(Q * power(x, j)), t, _renamed(equal, power(u, n)))
    )
    denominator = T.generalise(T.implication(scaled, Le(j + 1, n)), j)
    least = T.apply(T.assume(large), [], T.assume(Le(1, u)))
    natural = prove_order(Le(num(0), Q), [least.conclusion])
    descent = kernel.specialise(kernel.weaken(_descent(), [Le(num(0), bound)]), {bound: Q})
    descent = T.discharge(descent, T.discharge(natural, least))
    proof = T.apply(descent, [Q], T.both(least, prove_order(Le(Q, Q)), denominator))
    proof = T.obtain(size, Q, T.unpack(proof, named))
    proof = T.unpack(proof, given)
    return T.generalise(T.implication(proof, given), x, u, v, c, n)


def _renamed(equal: Node, term: Node) -> Theorem:
    """Q x^j = t from u^n = Q and u^n x^j = t."""
    return prove_identity(Eq(Q * power(x, j), t), [equal, Eq(term * power(x, j), t)])


@lru_cache
def equal_parts() -> Theorem:
    """for integers: a1 + b1 sqrt(2) = a2 + b2 sqrt(2) => b1 = b2."""
    a1, b1, a2, b2 = (variable(name, Integer) for name in ("a1", "b1", "a2", "b2"))
    root = sqrt(num(2))
    equal, goal = Eq(a1 + b1 * root, a2 + b2 * root), Eq(b1, b2)
    spread = kernel.instantiate(kernel.meaning("integers_apart"), b1 - b2)
    below, zero, above = spread.conclusion.args
    same = prove_identity(goal, [zero])
    branches = (
        T.ex_falso(_fraction_of_root(b2 - b1, a1 - a2, equal, below), goal),
        same,
        T.ex_falso(_fraction_of_root(b1 - b2, a2 - a1, equal, above), goal),
    )
    proof = kernel.cases(spread, *branches)
    return T.generalise(T.implication(proof, equal), a1, b1, a2, b2)


def _fraction_of_root(denominator: Node, numerator: Node, equal: Node, sign: Node) -> Theorem:
    """0 < 0, if denominator * sqrt(2) = numerator, which follows from `equal`."""
    root = sqrt(num(2))
    law = T.apply(integral_root(), [root, denominator, numerator, 2, 2])
    positive, fraction, square = law.conclusion.args[0].args
    facts = (
        prove_order(positive, [sign]),
        prove_identity(fraction, [equal]),
        prove_identity(square),
    )
    whole = kernel.modus(law, T.both(*facts))
    named = T.body(whole, value)  # sqrt(2) = w
    two = prove_identity(Eq(value * value, 2), [named])
    low, high = Le(value - 1, num(-1)), Le(num(1), value - 1)
    goal = Eq(value - 1, num(0))
    spread = kernel.instantiate(kernel.meaning("integers_apart"), value - 1)
    negative = T.discharge(T.contradict([low, named, two.conclusion], [root]), two)
    large = T.discharge(T.contradict([high, two.conclusion]), two)
    one = kernel.cases(spread, T.ex_falso(negative, goal), T.assume(goal), T.ex_falso(large, goal))
    clash = T.discharge(prove_contradiction([one.conclusion, two.conclusion]), one, two)
    return T.obtain(whole, value, clash)
