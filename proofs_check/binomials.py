"""Sums of powers: the binomial theorem, and polynomials that vanish.

Main definitions
----------------
shifted            the first term of a sum taken out
power_rules        what makes a sequence the powers of a number
as_powers          remove those rules: there are powers
power_of_product   (x y)^n = x^n y^n
binomial           the binomial theorem with factorials given by their recursion
no_coefficients    a polynomial that vanishes for all t > 0 has coefficients 0

Conventions
-----------
Proofs keep the powers of a number as a sequence of their own: algebra would take y^(n - k) apart
and ask whether y is 0.  Names free or bound in the theorems: n, k, N, m, i for natural numbers,
x, y, c, B for real ones, t for a positive one.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import (
    FALSUM,
    And,
    Eq,
    ForAll,
    Implies,
    Le,
    Lt,
    Node,
    num,
    power,
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
from posproof.theory.vocabulary import Positive

n, k, i, j, m, N = (T.natural(name) for name in ("n", "k", "i", "j", "m", "N"))
x, y, at = T.real("x"), T.real("y"), T.real("at")
t = variable("t", Positive)


# ---------------------------------------------------------------------- sums and powers
@lru_cache
def _shift() -> Theorem:
    """The sum of g(k) over k < N + 1 is g(0) and the sum of g(k + 1) over k < N."""

    def g(place: Node) -> Node:
        return sequence("g", place)

    whole = Eq(total(k, N + 1, g(k)), g(num(0)) + total(k, N, g(k + 1)))
    return prove_by_induction(N, whole)


def shifted(term: Callable[[Node], Node], size: Node) -> Theorem:
    """The sum of a term over k < size + 1 is its value at 0 and the sum of the next ones."""
    return kernel.specialise(kernel.realise(_shift(), "g", at, term(at)), {N: size})


def power_rules(name: str, base: Node) -> tuple[Node, Node]:
    """S(0) = 1, and S(j + 1) = base S(j) for all j."""
    start = Eq(sequence(name, num(0)), num(1))
    return start, ForAll(j, Eq(sequence(name, j + 1), base * sequence(name, j)))


def as_powers(theorem: Theorem, name: str, base: Node) -> Theorem:
    """The theorem for the powers of the base in place of a sequence with the rules of powers."""
    found = kernel.realise(theorem, name, at, power(base, at))
    start = prove_identity(Eq(power(base, num(0)), num(1)))
    step = prove_identity(Eq(power(base, j + 1), base * power(base, j)))
    return T.discharge(found, start, T.generalise(step, j))


@lru_cache
def power_of_product() -> Theorem:
    """(x y)^n = x^n y^n."""
    return prove_by_induction(n, Eq(power(x * y, n), power(x, n) * power(y, n)))


# ---------------------------------------------------------------------- the binomial theorem
@lru_cache
def binomial(begin: Node, grow: Node, limit: Node) -> Theorem:
    """begin, grow, rules of X and Y |- f(d) sum X(k) Y(d - k) / (f(k) f(d - k)) = (x + y)^d.

    `begin` reads f(0) = 1 and `grow`: for all j < d, f(j + 1) = (j + 1) f(j), with f a sequence of
    positive numbers; `limit` is d.  X and Y are the powers of x and y, see `power_rules`; the sum
    runs over k < d + 1.
    """
    name, domain, _ = begin.args[0].args
    more = Le(n + 1, limit)

    def f(place: Node) -> Node:
        return sequence(name, place, domain)

    def claim(size: Node) -> Node:
        return Eq(f(size) * total(k, size + 1, _share(f, size, k)), power(x + y, size))

    starts = [begin, power_rules("X", x)[0], power_rules("Y", y)[0]]
    base = T.implication(prove_identity(claim(num(0)), starts), Le(num(0), limit))
    held = Implies(Le(n, limit), claim(n))
    known = kernel.modus(kernel.assume(held), prove_order(Le(n, limit), [more]))
    grown = _one_degree_more(f, grow, limit)
    step = as_written(grown, substitute(claim(n), {n: n + 1}))
    whole = kernel.induct(n, held, base, T.implication(T.discharge(step, known), more))
    return kernel.modus(kernel.specialise(whole, {n: limit}), prove_order(Le(limit, limit)))


def _share(f: Callable[[Node], Node], size: Node, place: Node) -> Node:
    """X(k) Y(n - k) / (f(k) f(n - k))."""
    return sequence("X", place) * sequence("Y", size - place) / (f(place) * f(size - place))


def _one_degree_more(f: Callable[[Node], Node], grow: Node, limit: Node) -> Theorem:
    """The claim for n + 1 <= d: (n + 1) e is k e and (n + 1 - k) e, which sum to x E and y E."""
    down = total(k, n + 2, k * _share(f, n + 1, k))
    up = total(k, n + 2, (n + 1 - k) * _share(f, n + 1, k))
    small, large = total(k, n + 1, _share(f, n, k)), total(k, n + 2, _share(f, n + 1, k))
    parts = prove_identity(Eq(down + up, (n + 1) * large))
    rising = _times_index(f, grow, limit, Eq(down, x * small))
    falling = _times_rest(f, grow, limit, Eq(up, y * small))
    inside = prove_order(Lt(n, limit), [Le(n + 1, limit)])
    factor = as_written(T.apply(kernel.assume(grow), [n], inside), Eq(f(n + 1), (n + 1) * f(n)))

    names = [T.real(name) for name in ("A", "B", "C", "D", "P", "F", "G")]
    A, B, C, D, P, F, G = names
    given = [Eq(B + C, (n + 1) * A), Eq(B, x * D), Eq(C, y * D), Eq(F * D, P), Eq(G, (n + 1) * F)]
    joined = prove_identity(Eq(G * A, (x + y) * P), given)
    values = [large, down, up, small, power(x + y, n), f(n), f(n + 1)]
    found = kernel.specialise(joined, dict(zip(names, values, strict=True)))
    found = T.discharge(found, parts, rising, falling, factor)
    raised = prove_identity(Eq(power(x + y, n + 1), (x + y) * power(x + y, n)))
    pattern = Eq(found.conclusion.args[0], P)
    return T.discharge(kernel.leibniz(found, pattern, P, raised.conclusion), raised)


def _times_index(f: Callable[[Node], Node], grow: Node, limit: Node, goal: Node) -> Theorem:
    """The sum of k e(n + 1, k) is x times the sum of e(n, k)."""
    inside = prove_order(Lt(k, limit), [Lt(k, n + 1), Le(n + 1, limit)])
    facts = [
        T.apply(kernel.assume(power_rules("X", x)[1]), [k]),
        T.apply(kernel.assume(grow), [k], inside),
    ]
    term = Eq((k + 1) * _share(f, n + 1, k + 1), x * _share(f, n, k))
    terms = T.discharge(prove_identity(term, [h.conclusion for h in facts]), *facts)
    below = [
        shifted(lambda place: place * _share(f, n + 1, place), n + 1),
        kernel.sum_congruence(terms, k, n + 1),
    ]
    return T.discharge(prove_identity(goal, [h.conclusion for h in below]), *below)


def _times_rest(f: Callable[[Node], Node], grow: Node, limit: Node, goal: Node) -> Theorem:
    """The sum of (n + 1 - k) e(n + 1, k), whose last term is 0, is y times the sum of e(n, k)."""
    close = T.one_apart(k, n + 1)
    room = T.discharge(prove_order(Le(num(0), n - k), [close.conclusion]), close)

    def told(rule: Node) -> Theorem:
        weak = kernel.weaken(kernel.assume(rule), [room.conclusion])
        return T.discharge(kernel.instantiate(weak, n - k), room)

    inside = prove_order(Lt(n - k, limit), [Le(n + 1, limit)], hints=[k])
    facts = [told(power_rules("Y", y)[1]), kernel.modus(told(grow), inside)]
    term = Eq((n + 1 - k) * _share(f, n + 1, k), y * _share(f, n, k))
    terms = T.discharge(prove_identity(term, [h.conclusion for h in facts]), *facts)
    summed = kernel.sum_congruence(terms, k, n + 1)
    last = prove_identity(Eq(goal.args[0], summed.conclusion.args[0]))
    given = [last, summed]
    return T.discharge(prove_identity(goal, [h.conclusion for h in given]), *given)


def as_written(found: Theorem, goal: Node) -> Theorem:
    """The theorem as the goal writes it."""
    if kernel.same(found.conclusion, goal):
        return found
    return T.discharge(prove_identity(goal, [found.conclusion]), found)


# ---------------------------------------------------------------------- coefficients
def polynomial(name: str, size: Node, start: Node, place: Node) -> Node:
    """The sum of c(k + start) place^k over k < size is 0, with c the sequence of that name."""
    return Eq(total(k, size, sequence(name, k + start) * power(place, k)), 0)


@lru_cache
def no_coefficients(name: str) -> Theorem:
    """For all m, if the polynomial c(m), .., c(m + N - 1) is 0 for t > 0, so is each of them.

    What is left of it near t = 0 is c(m); the rest divided by t is a shorter one.
    """

    def c(place: Node) -> Node:
        return sequence(name, place)

    def claim(size: Node) -> Node:
        nothing = ForAll(i, Implies(Lt(i, size), Eq(c(i + m), 0)))
        return ForAll(m, Implies(ForAll(t, polynomial(name, size, m, t)), nothing))

    none = T.ex_falso(T.contradict([Lt(i, num(0))]), Eq(c(i + m), 0))
    none = T.generalise(T.implication(none, Lt(i, num(0))), i)
    base = T.implication(none, ForAll(t, polynomial(name, num(0), m, t)))

    whole = ForAll(t, polynomial(name, N + 1, m, t))
    rest = polynomial(name, N, m + 1, t).args[0]
    first = shifted(lambda place: c(place + m) * power(t, place), N)
    now = T.apply(kernel.assume(whole), [t])
    split = prove_identity(Eq(c(m) + t * rest, 0), [first.conclusion, now.conclusion])
    split = T.generalise(T.discharge(split, first, now), t)
    start = _lowest(c(m), c(k + (m + 1)), rest, split)

    here = T.apply(split, [t])
    left = prove_identity(Eq(rest, 0), [here.conclusion, start.conclusion])
    left = T.generalise(T.discharge(left, here, start), t)
    later = T.apply(kernel.assume(claim(N)), [m + 1], left)
    each = _from_both(Eq(c(i + m), 0), start, later)
    step = T.generalise(T.implication(each, Lt(i, N + 1)), i)
    step = T.implication(step, whole)
    return kernel.induct(N, claim(N), T.generalise(base, m), T.generalise(step, m))


def _from_both(wanted: Node, start: Theorem, later: Theorem) -> Theorem:
    """i < N + 1 |- the equation at i, from that at 0 and those of the sequence from 1 on."""
    close = kernel.integer_step(kernel.assume(Lt(i, num(1))))
    low = T.discharge(prove_order(Le(i, num(0)), [close.conclusion]), close)
    zero = kernel.antisymmetry(low, prove_nonneg(Le(num(0), i), i))
    initial = T.transport(wanted, i, zero, as_written(start, substitute(wanted, {i: num(0)})))
    before = Le(num(0), i - 1)
    inside = prove_order(Lt(i - 1, N), [Lt(i, N + 1)])
    member = kernel.modus(kernel.instantiate(kernel.weaken(later, [before]), i - 1), inside)
    member = T.discharge(member, prove_order(before, [Le(num(1), i)]))
    return T.compare(i, num(1), initial, as_written(member, wanted))


def _lowest(lowest: Node, other: Node, rest: Node, split: Theorem) -> Theorem:
    """c = 0, from c + t S(t) = 0 with S a sum over k < N of `other` times t^k.

    |S(t)| is at most the sum of 1 + other^2 for t <= 1.
    """
    square = 1 + other**2
    limit = total(k, N, square)
    small = Le(t, num(1))
    low, high = T.parts(kernel.specialise(_power_below_one(), {n: k}))
    margin = T.margin(high.conclusion) * (1 + power(t, k)) / 4 + Fraction(3, 4)
    sums = []
    for sign in (-1, 1):
        term = Le(sign * other * power(t, k), square)
        form = (other - Fraction(sign, 2) * power(t, k)) ** 2 + margin
        found = prove_nonneg(term, form, [low.conclusion, high.conclusion])
        sums.append(kernel.sum_congruence(T.discharge(found, low, high), k, N))
    between = T.both(
        prove_order(Le(-1 * limit, rest), [sums[0].conclusion]),
        prove_order(Le(rest, limit), [sums[1].conclusion]),
    )
    between = T.generalise(T.implication(T.discharge(between, *sums), small), t)
    found = kernel.specialise(_squeezed(), {T.real("c"): lowest, T.real("B"): limit})
    found = kernel.realise(found, "S", at, substitute(rest, {t: at}))
    return T.discharge(found, split, between, prove_nonneg(Le(num(0), limit), limit))


@lru_cache
def _power_below_one() -> Theorem:
    """t <= 1 |- 0 <= t^n and t^n <= 1."""
    small = Le(t, num(1))
    claim = And(Le(num(0), power(t, n)), Le(power(t, n), num(1)))
    base = T.both(
        prove_nonneg(Le(num(0), power(t, num(0))), num(1)),
        prove_nonneg(Le(power(t, num(0)), num(1)), num(0)),
    )
    low, high = claim.args
    more = power(t, n + 1)
    step = T.both(
        prove_nonneg(Le(num(0), more), t * power(t, n), [low]),
        prove_nonneg(Le(more, num(1)), T.margin(small) + t * T.margin(high), [small, high]),
    )
    return kernel.induct(n, claim, base, T.unpack(step, claim))


@lru_cache
def _squeezed() -> Theorem:
    """c = 0 if c + t S(t) = 0 for all t > 0, and -B <= S(t) <= B for t <= 1.

    Else t = |c| / (|c| + B + 1) makes |t S(t)| smaller than |c|.
    """
    c, bound = T.real("c"), T.real("B")
    rest = sequence("S", t)
    vanishes = ForAll(t, Eq(c + t * rest, 0))
    between = And(Le(-1 * bound, rest), Le(rest, bound))
    bounded = ForAll(t, Implies(Le(t, num(1)), between))
    positive = Le(num(0), bound)
    branches = []
    for which, side in ((1, Lt(c, num(0))), (0, Lt(num(0), c))):
        size = T.margin(side)
        above = size + bound + 1
        place, facts = size / above, [side, positive]
        inside = prove_nonneg(Lt(num(0), place), place, facts)
        small = prove_nonneg(Le(place, num(1)), (bound + 1) / above, facts)
        zero, limits = (
            T.discharge(
                kernel.instantiate(kernel.weaken(kernel.assume(h), [inside.conclusion]), place),
                inside,
            )
            for h in (vanishes, bounded)
        )
        limit = T.parts(kernel.modus(limits, small))[which]
        form = place * T.margin(limit.conclusion) + size * (size + 1) / above
        given = [zero.conclusion, limit.conclusion, *facts]
        excluded = T.discharge(prove_nonneg(FALSUM, form, given), zero, limit)
        branches.append(T.ex_falso(excluded, Eq(c, 0)))
    below, above_zero = branches
    return kernel.cases(kernel.trichotomy(c), below, kernel.assume(Eq(c, 0)), above_zero)
