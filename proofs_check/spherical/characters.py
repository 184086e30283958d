"""Proofs of `theory.spherical.characters`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import sympy
from sympy import Integer as Whole
from sympy import Rational

from posproof.proofs_check import kernel
from posproof.proofs_check import language as Lang
from posproof.proofs_check import tactics as T
from posproof.proofs_check.binomials import as_written
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Node, substitute
from posproof.proofs_check.search import (
    prove_identity,
    prove_nonneg,
    prove_order,
)
from posproof.proofs_check.translate import node
from posproof.theory.spherical import characters as statements
from posproof.theory.spherical.characters import CHARACTERS, Characters
from posproof.theory.symbols import total
from posproof.theory.vocabulary import Eq, Ne, control, proves


def _two_steps(name: Any, claims: Callable[[Any], Sequence[Any]]) -> list[Theorem]:
    """claims(n) for every n, each from what the same claim says at n and n + 1."""
    n = node(name)

    def both_of(at: Any) -> Node:
        return Lang.And(*(node(part) for x in (at, at + 1) for part in claims(x)))

    shape = both_of(name)
    base = T.both(
        *(prove_identity(part) for part in substitute(shape, {n: Lang.num(n.args[1].lower)}).args)
    )
    known = shape.args
    count = len(known) // 2
    grown = [kernel.assume(part) for part in known[count:]]
    for index, goal in enumerate(substitute(shape, {n: n + 1}).args[count:]):
        grown.append(prove_identity(goal, [known[index], known[count + index]]))
    wanted = substitute(shape, {n: n + 1}).args
    step = T.both(
        *(
            found
            if kernel.same(found.conclusion, want)
            else T.discharge(prove_identity(want, [found.conclusion]), found)
            for found, want in zip(grown, wanted, strict=True)
        )
    )
    whole = kernel.induct(n, shape, base, T.unpack(step, shape))
    return T.parts(whole)[:count]


def _four_terms(degree: Any, angle: Any) -> Any:
    """The character without its last term."""
    k = statements.k
    return total(k, degree, sympy.cos((k - degree / 2) * angle))


@control("last_term_left_out", character=_four_terms)
@proves(CHARACTERS, "dirichlet", "every l and omega")
def dirichlet(of: Characters) -> Theorem:
    """The sums for 2l, 2l + 1 and 2l + 2 are joined by the recurrence of the sine."""
    n = statements.n
    whole = stated(statements.dirichlet(of))
    return T.both(*_two_steps(n, lambda at: whole(n, at)))


def stated(statement: Any) -> Callable[[Any, Any], Sequence[Node]]:
    """The parts of a statement at another value of a variable."""
    goal = T.inner(statement)

    def at(name: Any, value: Any) -> Sequence[Node]:
        moved = substitute(goal, {node(name): node(value)})
        return moved.args if moved.head == "and" else [moved]

    return at


def _chebyshev(of: Characters) -> Theorem:
    """chi_n(omega) = U_n(cos(omega / 2))."""
    whole = stated(statements.chebyshev(of))
    (found,) = _two_steps(statements.n, lambda at: whole(statements.n, at))
    return found


@control("one_degree_more", size=lambda degree: degree + 2)
@proves(CHARACTERS, "chebyshev", "every l and omega")
def chebyshev(of: Characters) -> Theorem:
    """Both sides obey f(n + 2) = 2 cos(omega / 2) f(n + 1) - f(n)."""
    return _chebyshev(of)


def _product_rule() -> Theorem:
    """U_(m + q + 2) = U_(m + 1) U_(q + 1) - U_m U_q at cos(omega / 2)."""
    at, q = sympy.cos(statements.omega / 2), statements.j

    def U(index: Any) -> Node:
        return node(sympy.chebyshevu(index, at))

    def claim(m: Any) -> list[Node]:
        return [Lang.Eq(U(m + q + 2), U(m + 1) * U(q + 1) - U(m) * U(q))]

    whole = stated(claim(statements.n)[0])
    (found,) = _two_steps(statements.n, lambda m: whole(statements.n, m))
    return found


@control("every_spin", part=lambda rest, index: rest + index)
@proves(CHARACTERS, "clebsch_gordan", "every j, k and omega")
def clebsch_gordan(of: Characters) -> Theorem:
    """The same for U: with p grows by one term, U_(2p + r + 2)."""
    p, r, j = statements.p, statements.r, statements.j
    goal = T.inner(statements.clebsch_gordan(of))
    at = sympy.cos(statements.omega / 2)

    def U(index: Any) -> Node:
        return node(sympy.chebyshevu(index, at))

    def sum_of(term: Callable[[Any], Node]) -> Node:
        return Lang.total(node(j), node(p + 1), term(of.part(r, j)))

    polynomial = Lang.Eq(U(p + r) * U(p), sum_of(U))
    rule = kernel.specialise(
        _product_rule(), {node(statements.n): node(p), node(statements.j): node(p + r)}
    )
    inductive = T.induction(p, polynomial, rule)
    character = _chebyshev(of)

    def equal(index: Any) -> Theorem:
        return kernel.specialise(character, {node(statements.n): node(index)})

    terms = kernel.sum_congruence(equal(of.part(r, j)), node(j), node(p + 1))
    facts = [equal(p + r), equal(p), terms, inductive]
    return _carried_over(facts, goal)


def _carried_over(facts: Sequence[Theorem], goal: Node) -> Theorem:
    """A B = C from A = a, B = b, C = c and a b = c, whatever they are."""
    names = [T.real(name) for name in ("A", "B", "C", "a", "b", "c")]
    A, B, C, a, b, c = names
    given = [Lang.Eq(A, a), Lang.Eq(B, b), Lang.Eq(C, c), Lang.Eq(a * b, c)]
    lemma = prove_identity(Lang.Eq(A * B, C), given)
    left = [fact.conclusion.args[0] for fact in facts[:3]]
    right = [fact.conclusion.args[1] for fact in facts[:3]]
    found = kernel.specialise(lemma, dict(zip(names, [*left, *right], strict=True)))
    return as_written(T.discharge(found, *facts), goal)


def _no_multiple(value: Any, given: Sequence[Any], unequal: Any) -> Theorem:
    """value is no multiple of N: |value| < N by what is given, and it is not 0."""
    number, size = node(value), node(statements.N)
    q = T.integer("q")
    exists = Lang.Exists(q, Lang.Eq(number, size * q))
    instance = Lang.Eq(number, size * q)
    facts = [node(h) for h in given]
    cover = T.apply(kernel.meaning("integers_apart"), [q])
    low, zero, high = cover.conclusion.args
    bottom = T.contradict([*facts, instance, low], degree=2)
    top = T.contradict([*facts, instance, high], degree=2)
    none = prove_identity(Lang.Eq(number, Lang.num(0)), [instance, zero])
    middle = kernel.clash(none, kernel.assume(node(unequal)))
    found = kernel.cases(cover, bottom, middle, top)
    found = kernel.choose(exists, q, found)
    return T.conclude_not(found, exists)


@control("without_the_square", measure=lambda half: Whole(1) / 2)
@proves(CHARACTERS, "orthogonal", "every l, l' and N")
def orthogonal(of: Characters) -> Theorem:
    """sin^2 chi chi' is half a difference of two cosines, each of which sums to 0 over a circle."""
    first, second = node(statements.orthogonal(of)).args
    n, p, N, i = statements.n, statements.p, statements.N, statements.i
    sine = T.parts(T.both(*_two_steps(n, lambda at: stated(statements.dirichlet(of))(n, at))))[0]
    angle = node(4 * sympy.pi * i / N)

    def wave(degree: Any) -> Theorem:
        return kernel.specialise(sine, {node(n): node(degree), node(statements.omega): angle})

    def cosines(order: Any) -> Node:
        return node(sympy.cos(2 * sympy.pi * order * i / N))

    def summed(goal: Node, one: Any, other: Any, sums: Sequence[Theorem]) -> Theorem:
        inside = node(statements.inner(of, one, other))
        index, upper, body = inside.args
        facts = [wave(one), wave(other)]
        halves = (cosines(one - other) - cosines(one + other + 2)) / 2
        term = prove_identity(Lang.Eq(body, halves), [fact.conclusion for fact in facts])
        total_of = kernel.sum_congruence(T.discharge(term, *facts), index, upper)
        given = [total_of, *sums]
        return T.discharge(prove_identity(goal, [fact.conclusion for fact in given]), *given)

    def vanishing(order: Any, given: Sequence[Any], unequal: Any, *lemmas: Theorem) -> Theorem:
        lemma = T.apply(T.period_sums(), [order, N], _no_multiple(order, given, unequal))
        cosine, _ = T.parts(lemma)
        index = node(statements.i)
        renamed = Lang.total(index, node(N), cosines(order))
        moved = prove_identity(Lang.Eq(renamed, Lang.num(0)), [cosine.conclusion])
        return T.discharge(T.discharge(moved, cosine), *lemmas)

    def positive(order: Any) -> tuple[Any, Theorem]:
        unequal = Ne(order, 0)
        zero = Eq(order, 0)
        return unequal, T.conclude_not(T.contradict([zero]), zero)

    def outer_sum(order: Any, below: Any) -> Theorem:
        unequal, lemma = positive(order)
        return vanishing(order, [below], unequal, lemma)

    below, apart = T.inner(first).args
    different, goal = apart.args
    shifted = Ne(n - p, 0)
    same = Eq(n - p, 0)
    equal = prove_identity(Eq(n, p), [same])
    moved = T.conclude_not(kernel.clash(equal, kernel.assume(different)), same)
    inner_sum = vanishing(n - p, [below], shifted, moved)
    one = summed(goal, n, p, [inner_sum, outer_sum(n + p + 2, below)])
    one = T.implication(T.implication(one, different), below)

    below, goal = T.inner(second).args
    other = summed(goal, n, n, [outer_sum(2 * n + 2, below)])
    other = T.implication(other, below)
    return T.both(T.generalise(one, n, p, N), T.generalise(other, n, N))


def _sine(of: Characters, degree: Any, angle: Any) -> Theorem:
    """sin(angle / 2) chi(angle) = sin((2l + 1) angle / 2)."""
    whole = stated(statements.dirichlet(of))
    found, _ = _two_steps(statements.n, lambda at: whole(statements.n, at))
    return kernel.specialise(
        found, {node(statements.n): node(degree), node(statements.omega): node(angle)}
    )


@control("one_more", {"n": 1, "x": Rational(9, 2)}, size=lambda degree: degree + 2)
@proves(CHARACTERS, "dips", "every l >= 1/2 and every x that is allowed")
def dips(of: Characters) -> Theorem:
    """sin(h) chi = sin(x) with h = x / (2l + 1), and sin(h) <= h."""
    n, x = statements.degree, statements.x0
    premise, goal = T.inner(statements.dips(of)).args
    inside, below = premise.args
    size = node(of.size(n))
    h = node(x / of.size(n))
    wave = _sine(of, n, 2 * x / of.size(n))
    S = Lang.sin(h)
    positive = prove_nonneg(Lang.Lt(0, h), h)
    under = prove_nonneg(Lang.Lt(h, Lang.pi), T.margin(inside) / size, [inside])
    high = kernel.modus(
        kernel.instantiate(kernel.meaning("sine_positive"), h), T.both(positive, under)
    )
    line = kernel.modus(
        kernel.instantiate(kernel.meaning("sine_below_line"), h),
        prove_nonneg(Lang.Le(0, h), h),
    )
    form = T.margin(below) * (size * T.margin(line.conclusion)) / S
    nonzero = prove_nonneg(Lang.Lt(0, S), S, [high.conclusion])
    facts = [high.conclusion, line.conclusion, wave.conclusion, below]
    found = prove_nonneg(goal, form, facts)
    found = T.discharge(found, nonzero, high, line, wave)
    return T.implication(T.unpack(found, premise), premise)


def _sine_rises() -> Theorem:
    """for all u, v: 0 <= u <= v <= pi / 2 => sin u <= sin v."""
    u, v = T.real("u"), T.real("v")
    premise = Lang.And(Lang.Le(0, u), Lang.Le(u, v), Lang.Le(2 * v, Lang.pi))
    low, apart, high = premise.args
    quarter = Lang.pi / 2
    falls = T.apply(
        T.cosine_falls(),
        [quarter - v, quarter - u],
        T.both(
            prove_nonneg(Lang.Le(0, quarter - v), T.margin(high) / 2, [high]),
            prove_nonneg(Lang.Le(quarter - v, quarter - u), T.margin(apart), [apart]),
            prove_nonneg(Lang.Le(quarter - u, Lang.pi), u + quarter, [low]),
        ),
    )
    fact = falls.conclusion
    rises = prove_nonneg(Lang.Le(Lang.sin(u), Lang.sin(v)), T.margin(fact), [fact])
    found = T.implication(T.unpack(T.discharge(rises, falls), premise), premise)
    return T.generalise(found, u, v)


@control("spread_of_one", {"n": 3, "omega": Rational(11, 5)}, spread=1)
@proves(CHARACTERS, "no_lower", "every l >= 3/2, omega in (0, pi]")
def no_lower(of: Characters) -> Theorem:
    """By cases x = (2l + 1) omega / 2 <= 22 / 3, where sin h >= h - h^3 / 6, and above."""
    n, omega = statements.large, statements.omega
    premise, goal = T.inner(statements.no_lower(of)).args
    above_zero, to_pi = premise.args
    size, half = node(of.size(n)), node(omega / 2)
    pi_positive = prove_nonneg(Lang.Lt(0, Lang.pi), Lang.pi)
    under = prove_order(Lang.Lt(half, Lang.pi), [to_pi, pi_positive.conclusion])
    inside = T.both(
        prove_nonneg(Lang.Lt(0, half), T.margin(above_zero) / 2, [above_zero]),
        T.discharge(under, pi_positive),
    )
    high = kernel.modus(kernel.instantiate(kernel.meaning("sine_positive"), half), inside)
    less = size - 3  # 1 - 9 / size^2 = (size - 3)(size + 3) / size^2
    facts = [
        _sine(of, n, omega),
        high,
        prove_nonneg(Lang.Lt(0, Lang.sin(half)), Lang.sin(half), [high.conclusion]),
        prove_nonneg(Lang.Le(0, less), node(n) - 2),
    ]
    factor = less * (size + 3) / size**2
    near = _near(of, goal, size, half, factor, facts, above_zero)
    far = _far(of, goal, size, half, factor, facts, to_pi)
    found = kernel.cases(kernel.ordered(TURN, size * half), far, near)
    return T.implication(T.unpack(found, premise), premise)


#: Where the cases part: (22 / 3)^2 < 54, and sin x >= -1 will do beyond.
TURN = Lang.num(Fraction(22, 3))


def _near(
    of: Characters,
    goal: Node,
    size: Node,
    half: Node,
    factor: Node,
    facts: Sequence[Theorem],
    above_zero: Node,
) -> Theorem:
    """size h <= 22 / 3 |- the goal, because size sin h >= (1 - 9 / size^2) x."""
    x, sine = size * half, Lang.sin(half)
    low = prove_nonneg(Lang.Le(0, x), size * (T.margin(above_zero) / 2), [above_zero])
    weak = prove_nonneg(Lang.Le(0, half), T.margin(above_zero) / 2, [above_zero])
    _, sinc_above = T.parts(_sinc(of))
    value = kernel.modus(kernel.instantiate(sinc_above, x), low)
    cubic = kernel.modus(kernel.instantiate(kernel.meaning("sine_above_cubic"), half), weak)
    both = T.discharge(prove_order(Lang.Le(0, TURN + x), [low.conclusion]), low)
    gap = (TURN - x) * (TURN + x) + Fraction(2, 9)  # 54 - x^2
    spare = size * T.margin(cubic.conclusion) + x * gap / (6 * size**2)
    form = (factor * T.margin(value.conclusion) + node(of.lowest) * spare) / sine
    known = [value, cubic, low, both, *facts]
    given = [*(f.conclusion for f in known), Lang.Le(x, TURN)]
    return T.discharge(prove_nonneg(goal, form, given), both, *known)


def _far(
    of: Characters,
    goal: Node,
    size: Node,
    half: Node,
    factor: Node,
    facts: Sequence[Theorem],
    to_pi: Node,
) -> Theorem:
    """22 / 3 < size h |- the goal, because the sine rises to a quarter turn and sin x >= -1."""
    x, sine, start = size * half, Lang.sin(half), TURN / size
    beyond = Lang.Lt(TURN, x)
    from_zero = prove_nonneg(Lang.Le(0, start), start)
    order = T.both(
        from_zero,
        prove_nonneg(Lang.Le(start, half), T.margin(beyond) / size, [beyond]),
        prove_nonneg(Lang.Le(2 * half, Lang.pi), T.margin(to_pi), [to_pi]),
    )
    rising = T.apply(_sine_rises(), [start, half], order)
    cubic = kernel.modus(kernel.instantiate(kernel.meaning("sine_above_cubic"), start), from_zero)
    lowest = _above_minus_one(x)
    spare = size * T.margin(rising.conclusion) + size * T.margin(cubic.conclusion)
    spare = spare + TURN * Fraction(2, 9) / (6 * size**2)
    least = Fraction(int(of.lowest.p), int(of.lowest.q))
    rest = factor * (Fraction(22, 3) * least - 1)
    form = (factor * T.margin(lowest.conclusion) + node(of.lowest) * spare + rest) / sine
    known = [lowest, rising, cubic, *facts]
    found = prove_nonneg(goal, form, [f.conclusion for f in known])
    return T.discharge(found, *known)


def _above_minus_one(x: Node) -> Theorem:
    """-1 <= sin x."""
    square = (Lang.cos(x) ** 2 + (1 + Lang.sin(x)) ** 2) / 2
    return prove_nonneg(Lang.Le(-1, Lang.sin(x)), square)


@control("too_high", lowest=Rational(2171, 10000))
@proves(CHARACTERS, "sinc", "x >= 0")
def sinc(of: Characters) -> Theorem:
    """Positive to 3, in balls to 5, and sin x >= -1 beyond."""
    return _sinc(of)


def _sinc(of: Characters) -> Theorem:
    first, second = node(statements.sinc(of)).args
    x = node(statements.z)
    premise, goal = T.inner(second).args
    sine, three, five = Lang.sin(x), Lang.num(3), Lang.num(5)
    strict = Lang.Lt(-1 * node(of.lowest) * x, sine)
    middle = kernel.enclosure(strict, {x: (Fraction(3), Fraction(5))}, pieces=400)
    middle = T.discharge(prove_order(goal, [middle.conclusion]), middle)
    bottom = _above_minus_one(x)
    late = prove_order(goal, [bottom.conclusion, Lang.Lt(five, x)])
    upper = T.compare(five, x, T.discharge(late, bottom), middle)
    upper = T.discharge(upper, prove_order(Lang.Le(three, x), [Lang.Lt(three, x)]))
    found = T.compare(three, x, upper, _to_three(goal, premise, x, node(of.lowest)))
    return T.both(kernel.ground(first), T.generalise(T.implication(found, premise), x))


def _to_three(goal: Node, premise: Node, x: Node, factor: Node) -> Theorem:
    """0 <= x, x <= 3 |- the goal, because sin x >= 0."""
    zero = Lang.num(0)
    pi_above = kernel.meaning("pi_above_three")
    under = prove_order(Lang.Lt(x, Lang.pi), [Lang.Le(x, 3), pi_above.conclusion])
    inside = T.both(kernel.assume(Lang.Lt(zero, x)), T.discharge(under, pi_above))
    sign = kernel.modus(kernel.instantiate(kernel.meaning("sine_positive"), x), inside)
    form = Lang.sin(x) + factor * x
    early = T.discharge(prove_nonneg(goal, form, [sign.conclusion, premise]), sign)
    nothing = kernel.antisymmetry(kernel.assume(Lang.Le(x, zero)), kernel.assume(premise))
    at_zero = prove_nonneg(substitute(goal, {x: zero}), zero)
    return T.compare(zero, x, early, T.transport(goal, x, nothing, at_zero))
