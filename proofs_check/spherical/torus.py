"""Proofs of `theory.spherical.torus`: one function a clause, named after it."""

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
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Node, substitute
from posproof.proofs_check.search import (
    prove_by_induction,
    prove_identity,
    prove_nonneg,
    prove_order,
)
from posproof.proofs_check.translate import node
from posproof.theory.spherical import torus as statements
from posproof.theory.spherical.representations import Complex, Quaternion
from posproof.theory.spherical.torus import (
    CHARACTERS,
    GENERATORS,
    MAXIMAL_TORUS,
    Characters,
    Generators,
    Torus,
)
from posproof.theory.symbols import total
from posproof.theory.vocabulary import Eq, Le, Ne, control, proves


# ---------------------------------------------------------------------- spherical.maximal_torus
def _half_speed(angle: Any) -> Quaternion:
    return statements.around(angle / 2)


@control("half_speed", around=_half_speed)
@proves(MAXIMAL_TORUS, "restriction", "2l = 1 .. 6")
def restriction(of: Torus) -> Theorem:
    """b = 0 leaves the diagonal a^k a'^(2l - k)."""
    return T.prove_tree(statements.restriction(of))


def _opposite_wave(twice: int, angle: Any) -> Complex:
    return statements.waves(twice, -angle)


@control("opposite_frequencies", waves=_opposite_wave)
@proves(MAXIMAL_TORUS, "latitude", "l = 1/2, 1; arbitrary complex queries and keys")
def latitude(of: Torus) -> Theorem:
    """Both sides expanded."""
    return T.prove_tree(statements.latitude(of))


def _shifted() -> Theorem:
    """The sum of c(m + j) over j <= r is c(m) and the sum of c(m + 1 + j) over j < r."""
    m, r, j, c = statements.m, statements.r, statements.j, statements.spin
    whole = Eq(total(j, r + 1, c(m + j)), c(m) + total(j, r, c(m + 1 + j)))
    return prove_by_induction(r, whole)


def _one_more(spin: Any, top: Any, order: Any) -> Any:
    return total(statements.j, top - order, spin(order + statements.j))


@control("last_spin_left_out", spins=_one_more)
@proves(MAXIMAL_TORUS, "occurring", "integer or half-integer spins, every l and L")
def occurring(of: Torus) -> Theorem:
    """The sums for m and m + 1 differ by their first term."""
    falls, first = T.inner(statements.occurring(of)).args
    shifted = _shifted()
    fact = shifted.conclusion
    low = prove_nonneg(falls, statements.spin(statements.m), [fact])
    return T.discharge(T.both(low, prove_identity(first, [fact])), shifted)


def _difference_of_two(weights: Any, spin: Any) -> Any:
    return weights(spin) - weights(spin + 2)


@control(
    "a_step_of_two", {"m": 0, "r": 1, "k": 0, "mu": (2, 1, 0, 0)}, multiplicity=_difference_of_two
)
@proves(MAXIMAL_TORUS, "realised", "every mu that falls outwards and ends")
def realised(of: Torus) -> Theorem:
    """The sum telescopes."""
    m, r, j, mu = statements.m, statements.r, statements.j, statements.weights
    premise, goal = T.inner(statements.realised(of)).args
    falls, ends = premise.args
    low, whole = goal.args
    here = T.apply(kernel.assume(falls), [m], prove_order(Le(m, m + r)))
    sum_of = total(j, r + 1, of.multiplicity(mu, m + j))
    telescope = prove_by_induction(r, Eq(sum_of, mu(m) - mu(m + r + 1)))
    found = T.both(
        T.discharge(prove_order(low, [here.conclusion]), here),
        T.discharge(prove_identity(whole, [telescope.conclusion, ends]), telescope),
    )
    return T.implication(T.unpack(found, premise), premise)


@control("growing", {"b": 2, "t": 1}, power=lambda b, t: sympy.exp(t * sympy.log(b)))
@proves(MAXIMAL_TORUS, "vanilla", "every base b > 1 and t > 0")
def vanilla(of: Torus) -> Theorem:
    """log b > 0, because b = exp(log b) would be at most exp(0) = 1 otherwise."""
    t = node(statements.t)
    premise, goal = T.inner(statements.vanilla(of)).args
    positive, small = goal.args
    exponent, log = node(-statements.t * sympy.log(statements.b)), node(sympy.log(statements.b))
    above = Lang.Lt(0, log)
    strict, _ = T.parts(T.apply(T.exponential_rises(), [exponent, 0]))
    _, weak = T.parts(T.apply(T.exponential_rises(), [log, 0]))
    low = Lang.Le(log, 0)
    fall = kernel.modus(weak, kernel.assume(low))
    excluded = T.discharge(T.contradict([premise, fall.conclusion]), fall)
    rises = T.compare(0, log, kernel.assume(above), T.ex_falso(excluded, above))
    negative = prove_nonneg(Lang.Lt(exponent, 0), t * log, [above])
    below = kernel.modus(strict, T.discharge(negative, rises))
    found = T.both(
        prove_nonneg(positive, positive.args[1]),
        T.discharge(prove_nonneg(small, T.margin(below.conclusion), [below.conclusion]), below),
    )
    return T.implication(found, premise)


# ---------------------------------------------------------------------- spherical.generators
def _y_reversed(twice: int) -> tuple[Complex, Complex, Complex]:
    x, y, z = statements.axes(twice)
    return x, Complex(y.real, -y.imag), z


@control("y_reversed", axes=_y_reversed)
@proves(GENERATORS, "commutators", "l = 1/2, 1, 3/2, 2, 3")
def commutators(of: Generators) -> Theorem:
    """Matrices with square roots of integers, multiplied."""
    return T.prove_tree(statements.commutators(of))


@control("l_squared", casimir=lambda spin: spin**2)
@proves(GENERATORS, "casimir", "l = 1/2, 1, 3/2, 2, 3")
def casimir(of: Generators) -> Theorem:
    """Matrices with square roots of integers, multiplied."""
    return T.prove_tree(statements.casimir(of))


def _flat_ladder(twice: int, n_z: Any, n_plus: Any, n_minus: Any) -> Any:
    """n . J with every step of the ladder 1."""
    found = statements.generator(twice, n_z, n_plus, n_minus).as_mutable()
    for i in range(twice):
        found[i + 1, i], found[i, i + 1] = n_minus / 2, n_plus / 2
    return found.as_immutable()


@control("flat_ladder", generator=_flat_ladder)
@proves(GENERATORS, "characteristic", "l = 1/2, 1, 3/2, 2; every n")
def characteristic(of: Generators) -> Theorem:
    """The determinant by minors."""
    return T.prove_tree(statements.characteristic(of))


def _negative_slope(twice: int, p: Any, q: Any, r: Any, s: Any) -> Any:
    """a = w + i z in place of w - i z."""
    return statements.linearised(twice, -p, -q, -r, -s)


@control("a_conjugated", linearised=_negative_slope)
@proves(GENERATORS, "linear_term", "l = 1/2, 1, 3/2, 2, 3; every n")
def linear_term(of: Generators) -> Theorem:
    """T in numbers with e^2 = 0."""
    return T.prove_tree(statements.linear_term(of))


def _not_inverted(a: Any, a_bar: Any, b: Any, b_bar: Any) -> Any:
    return statements.quaternion(a, a_bar, b, b_bar)


@control("not_inverted", adjoint=_not_inverted)
@proves(GENERATORS, "axis_angle", "l = 1/2, 1, 3/2, 2, 3; a, a', b, b' independent")
def axis_angle(of: Generators) -> Theorem:
    """Both sides expanded."""
    return T.prove_tree(statements.axis_angle(of))


@control("half_of_l", steepest=lambda twice: twice / 4)
@proves(GENERATORS, "lipschitz", "every l and delta")
def lipschitz(of: Generators) -> Theorem:
    """2 - 2 cos(m delta) <= (m delta)^2 and m^2 <= l^2, term by term."""
    first, second = node(statements.lipschitz(of)).args
    eigenvalue, bound = T.inner(first), T.inner(second)
    after, limit = bound.args
    index, upper, moved = after.args
    n, delta = node(statements.n), node(statements.delta)
    order = index - n / 2
    square = node(statements.x(statements.k) ** 2 + statements.y(statements.k) ** 2)
    parabola = T.apply(kernel.meaning("cosine_above_parabola"), [order * delta])
    inside = Lang.Le(index, n)
    slope = node(of.steepest(statements.n)) * delta
    form = square * (2 * T.margin(parabola.conclusion) + index * (n - index) * delta**2)
    term = prove_nonneg(Lang.Le(moved, slope**2 * square), form, [parabola.conclusion, inside])
    term = T.discharge(term, parabola)
    close = T.one_apart(index, upper)
    term = T.discharge(term, T.discharge(prove_order(inside, [close.conclusion]), close))
    summed = kernel.sum_congruence(term, index, upper)
    found = T.discharge(prove_order(bound, [summed.conclusion]), summed)
    return T.both(
        T.generalise(prove_identity(eigenvalue), statements.n, statements.k, statements.delta),
        T.generalise(found, statements.n, statements.delta),
    )


# ---------------------------------------------------------------------- spherical.characters
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

    whole = stated(claim(statements.m)[0])
    (found,) = _two_steps(statements.m, lambda m: whole(statements.m, m))
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
        _product_rule(), {node(statements.m): node(p), node(statements.j): node(p + r)}
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
    found = T.discharge(found, *facts)
    return (
        T.discharge(prove_identity(goal, [found.conclusion]), found)
        if not kernel.same(found.conclusion, goal)
        else found
    )


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
    size, K = node(of.size(n)), node(of.lowest)
    _, above = T.parts(_sinc(of))
    h = node(omega / 2)
    x = size * h
    S = Lang.sin(h)
    wave = _sine(of, n, omega)
    positive = prove_nonneg(Lang.Lt(0, h), T.margin(above_zero) / 2, [above_zero])
    under = prove_order(Lang.Lt(h, Lang.pi), [to_pi, Lang.Lt(0, Lang.pi)])
    under = T.discharge(under, prove_nonneg(Lang.Lt(0, Lang.pi), Lang.pi))
    high = kernel.modus(
        kernel.instantiate(kernel.meaning("sine_positive"), h), T.both(positive, under)
    )
    weak = prove_nonneg(Lang.Le(0, h), T.margin(above_zero) / 2, [above_zero])
    low_x = prove_nonneg(Lang.Le(0, x), size * (T.margin(above_zero) / 2), [above_zero])
    limit = Lang.num(Fraction(22, 3))
    near, far = Lang.Le(x, limit), Lang.Lt(limit, x)
    less = size - 3  # c = (size - 3)(size + 3) / size^2
    factor = less * (size + 3) / size**2

    # x <= 22 / 3
    value = kernel.modus(kernel.instantiate(above, x), low_x)
    cubic = kernel.modus(kernel.instantiate(kernel.meaning("sine_above_cubic"), h), weak)
    inner_gap = (limit - x) * (limit + x) + Fraction(2, 9)
    spare = size * T.margin(cubic.conclusion) + x * inner_gap / (6 * size**2)
    form = (factor * T.margin(value.conclusion) + K * spare) / S
    signs = [
        T.discharge(prove_order(Lang.Le(0, limit + x), [low_x.conclusion]), low_x),
        prove_nonneg(Lang.Lt(0, S), S, [high.conclusion]),
        prove_nonneg(Lang.Le(0, less), node(n) - 2),
    ]
    facts = [f.conclusion for f in (value, cubic, wave, high, low_x, *signs)] + [near]
    first = T.discharge(prove_nonneg(goal, form, facts), *signs, value, cubic, wave, high, low_x)

    # x > 22 / 3
    start = limit / size
    order = T.both(
        prove_nonneg(Lang.Le(0, start), start),
        prove_nonneg(Lang.Le(start, h), T.margin(far) / size, [far]),
        prove_nonneg(Lang.Le(2 * h, Lang.pi), T.margin(to_pi), [to_pi]),
    )
    rising = T.apply(_sine_rises(), [start, h], order)
    cubic = kernel.modus(
        kernel.instantiate(kernel.meaning("sine_above_cubic"), start),
        prove_nonneg(Lang.Le(0, start), start),
    )
    bottom = Lang.Le(-1, Lang.sin(x))
    lowest = prove_nonneg(bottom, (Lang.cos(x) ** 2 + (1 + Lang.sin(x)) ** 2) / 2)
    spare = size * T.margin(rising.conclusion) + size * T.margin(cubic.conclusion)
    spare = spare + limit * Fraction(2, 9) / (6 * size**2)
    rest = factor * (Fraction(22, 3) * Fraction(int(of.lowest.p), int(of.lowest.q)) - 1)
    form = (factor * T.margin(lowest.conclusion) + K * spare + rest) / S
    signs = signs[1:]
    facts = [f.conclusion for f in (lowest, rising, cubic, wave, high, *signs)]
    second = prove_nonneg(goal, form, facts)
    second = T.discharge(second, *signs, lowest, rising, cubic, wave, high)
    found = kernel.cases(kernel.ordered(limit, x), second, first)
    return T.implication(T.unpack(found, premise), premise)


@control("too_high", lowest=Rational(2171, 10000))
@proves(CHARACTERS, "sinc", "x >= 0")
def sinc(of: Characters) -> Theorem:
    """Positive to 3, in balls to 5, and sin x >= -1 beyond."""
    return _sinc(of)


def _sinc(of: Characters) -> Theorem:
    first, second = node(statements.sinc(of)).args
    x = node(statements.z)
    premise, goal = T.inner(second).args
    factor = node(of.lowest)
    sine = Lang.sin(x)
    # to 3
    inside = T.both(kernel.assume(Lang.Lt(0, x)), kernel.assume(Lang.Lt(x, Lang.pi)))
    sign = kernel.modus(kernel.instantiate(kernel.meaning("sine_positive"), x), inside)
    below = Lang.Le(x, 3)
    pi_above = kernel.meaning("pi_above_three")
    under = T.discharge(prove_order(Lang.Lt(x, Lang.pi), [below, pi_above.conclusion]), pi_above)
    early = prove_nonneg(goal, sine + factor * x, [sign.conclusion, premise])
    early = T.discharge(T.discharge(early, sign), under)
    start = T.transport(
        goal,
        x,
        T.assume(Lang.Eq(x, Lang.num(0))),
        prove_nonneg(substitute(goal, {x: Lang.num(0)}), Lang.num(0)),
    )
    nothing = Lang.Le(x, 0)
    zero = kernel.antisymmetry(kernel.assume(nothing), kernel.assume(premise))
    start = T.discharge(start, zero)
    early = T.compare(Lang.num(0), x, early, start)
    # to 5
    strict = Lang.Lt(-1 * factor * x, sine)
    middle = kernel.enclosure(strict, {x: (Fraction(3), Fraction(5))})
    middle = T.discharge(prove_order(goal, [middle.conclusion]), middle)
    # beyond
    bottom = prove_nonneg(Lang.Le(-1, sine), (Lang.cos(x) ** 2 + (1 + sine) ** 2) / 2)
    past = Lang.Lt(5, x)
    late = T.discharge(prove_order(goal, [bottom.conclusion, past]), bottom)
    upper = T.compare(Lang.num(5), x, late, middle)
    three = Lang.Lt(3, x)
    weaker = prove_order(Lang.Le(3, x), [three])
    upper = T.discharge(upper, weaker)
    found = T.compare(Lang.num(3), x, upper, early)
    return T.both(kernel.ground(first), T.generalise(T.implication(found, premise), x))
