"""Proofs of `theory.spherical.harmonics`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any

import sympy
from flint import fmpq

from posproof.proofs_check import kernel
from posproof.proofs_check import language as L
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Rejected, Theorem
from posproof.proofs_check.search import (
    Undecided,
    prove_by_substitution,
    prove_each,
    prove_identity,
    prove_nonneg,
    prove_order,
    prove_same,
)
from posproof.proofs_check.search.points import Values
from posproof.theory.spherical.gauge import turned
from posproof.theory.spherical.harmonics import (
    ADDITION_THEOREM,
    AT,
    FLAT_LIMIT,
    QUADRATURE,
    A,
    B,
    C,
    Harmonics,
    Latitude,
    P,
    bessel,
    binomials,
    c,
    channels,
    correction,
    count,
    ell,
    gauss,
    half,
    i,
    imaginary,
    j,
    k,
    m,
    r,
    real,
    row_start,
    s,
    size,
    t,
    top,
    turns,
    u,
    v,
    value,
)
from posproof.theory.spherical.representations import quaternion
from posproof.theory.symbols import Variable, sequence, total
from posproof.theory.vocabulary import Eq, ForAll, Implies, Lt, Real, control, proves

END = T.node(ell)
INDEX = T.node(k)
PLACE = T.natural("q")
COUNT = T.node(j)


def _ratio(row: Any, end: Any, at: L.Node, below: Theorem) -> Theorem:
    """C(l, k + 1) = (l - k) C(l, k) / (k + 1) at an index below l, by the rule of the row."""
    rule = T.apply(T.assume(T.node(binomials(row, end).parts[1])), [at], below)
    name = row.__name__
    value = (T.node(end) - at) * L.sequence(name, at) / (at + 1)
    goal = L.Eq(L.sequence(name, at + 1), value)
    return T.discharge(prove_identity(goal, [rule.conclusion]), rule)


def _below(at: L.Node, end: L.Node, known: L.Node) -> Theorem:
    return prove_order(L.Lt(at, end), [known])


@lru_cache
def _columns() -> tuple[Theorem, Theorem]:
    """q <= l |- (l + 1 - q) C(l + 1, q) = (l + 1) C(l, q), and the same one row further."""
    return _column(r, s, ell), _column(s, t, ell + 1)


def _column(first: Any, second: Any, last: Any) -> Theorem:
    end, inside_row = T.node(last), L.Le(PLACE, T.node(last))

    def claim(at: Any) -> L.Node:
        left = (end + 1 - at) * L.sequence(second.__name__, at)
        return L.Eq(left, (end + 1) * L.sequence(first.__name__, at))

    starts = [T.node(Eq(row(0), 1)) for row in (first, second)]
    base = prove_identity(claim(L.num(0)), starts)

    def step(known: Theorem, inside: Theorem) -> Theorem:
        facts = [inside.conclusion, inside_row]
        low, high = (
            _ratio(row, at, INDEX, T.discharge(prove_order(L.Lt(INDEX, T.node(at)), facts), inside))
            for row, at in ((first, last), (second, last + 1))
        )
        told = [known.conclusion, low.conclusion, high.conclusion]
        return T.discharge(prove_identity(claim(INDEX + 1), told), known, low, high)

    return T.induct_upto(INDEX, PLACE, claim, base, step)


# ---------------------------------------------------------------------- the recurrence
def _listed(*values: int) -> Values:
    return Values(tuple((fmpq(at), fmpq(value)) for at, value in enumerate(values)))


def _row(degree: int) -> Any:
    """The row of binomial coefficients of a degree, for a point."""
    return _listed(*(comb(degree, k) for k in range(degree + 1)))


def _antidifference(at: Any) -> Any:
    """G: the summand of the recurrence is G(k + 1) - G(k), written with the longest row."""
    first = at**2 - 4 * at * ell - 6 * at + 4 * ell**2 + 13 * ell + 10
    second = at**2 - 2 * at * ell - 4 * at + ell**2 + 4 * ell + 4
    shape = (-1) ** at * t(at) ** 2 * A ** (ell + 1) * (B / A) ** at
    return -(at**2) * (A * first + B * second) * shape / ((ell + 1) * (ell + 2) ** 2)


def _combined(of: Harmonics, parts: Any) -> Any:
    """The recurrence's combination of something of each row, the longest last."""
    first, second, third = parts
    middle = of.middle(ell) * (A - B) * second
    return (ell + 2) * third - middle + (ell + 1) * (A + B) ** 2 * first


ROWS = ((r, ell), (s, ell + 1), (t, ell + 2))


def _unsquared(binomial: Any, ell: Any, k: Any, A: Any, B: Any) -> Any:
    return (-1) ** k * binomial * A**ell * (B / A) ** k


THREE_ROWS = {
    **{"l": 0, "A": 2, "B": 1},
    **{name: _row(degree) for degree, name in enumerate("rst")},
}


@control("binomials_not_squared", THREE_ROWS, term=_unsquared)
@control("middle_coefficient", THREE_ROWS, middle=lambda ell: 2 * ell + 1)
@proves(ADDITION_THEOREM, "recurrence")
def recurrence(of: Harmonics) -> Theorem:
    """The partial sums up to k <= l are G(k); the three terms beyond l cancel G(l + 1)."""
    _, goal = T.opened(T.stated(ADDITION_THEOREM, "recurrence", of))

    def partial(at: Any) -> L.Node:
        return T.node(Eq(_combined(of, _sums(of, at)), _antidifference(at)))

    def claim(at: L.Node) -> L.Node:
        return L.substitute(partial(j), {COUNT: at})

    base = prove_identity(claim(L.num(0)))
    telescopes = _summand(of)

    def step(known: Theorem, inside: Theorem) -> Theorem:
        proof = prove_identity(claim(COUNT + 1), [known.conclusion, telescopes.conclusion])
        return T.discharge(proof, known, T.discharge(telescopes, _reach(inside)))

    summed = T.induct_upto(COUNT, END + 1, claim, base, step)
    ends = _last_terms()
    proof = prove_identity(goal, [summed.conclusion, *(end.conclusion for end in ends)])
    return T.discharge(proof, summed, *ends)


def _sums(of: Harmonics, upper: Any) -> list[Any]:
    return [total(k, upper, of.term(row(k), last, k, A, B)) for row, last in ROWS]


def _reach(inside: Theorem) -> Theorem:
    """j <= l from j < l + 1."""
    below = kernel.integer_step(inside)  # j + 1 <= l + 1
    return T.discharge(prove_order(L.Le(COUNT, END), [below.conclusion]), below)


def _summand(of: Harmonics) -> Theorem:
    """j <= l |- the combination of the terms at j is G(j + 1) - G(j)."""
    tau = Variable("tau", Real)
    terms = [of.term(row(j), last, j, A, B) for row, last in ROWS]
    goal = Eq(_combined(of, terms), _antidifference(j + 1) - _antidifference(j))
    values = (
        Eq(t(j), (ell + 1) * (ell + 2) * (j + 1) * tau),
        Eq(r(j), (ell + 1 - j) * (ell + 2 - j) * (j + 1) * tau),
        Eq(s(j), (ell + 2 - j) * (ell + 1) * (j + 1) * tau),
        Eq(t(j + 1), (ell + 2 - j) * (ell + 1) * (ell + 2) * tau),
    )
    lemma = prove_by_substitution(goal, values)
    at = {T.node(tau): T.node(t(j) / ((ell + 1) * (ell + 2) * (j + 1)))}
    lemma = kernel.specialise(lemma, at)
    low, high = (kernel.specialise(column, {PLACE: COUNT}) for column in _columns())
    high = T.discharge(high, prove_order(L.Le(COUNT, T.node(ell + 1)), [L.Le(COUNT, END)]))
    below = prove_order(L.Lt(COUNT, T.node(ell + 2)), [L.Le(COUNT, END)])
    facts = [low, high, _ratio(t, ell + 2, COUNT, below)]
    given = [fact.conclusion for fact in facts]
    known = [prove_identity(L.substitute(T.node(value), at), given) for value in values]
    return T.discharge(T.discharge(lemma, *known), *facts)


def _last_terms() -> list[Theorem]:
    """s(l + 1) = t(l + 1) / (l + 2) and t(l + 2) = t(l + 1) / (l + 2)."""
    place = T.node(ell + 1)
    column = kernel.specialise(_columns()[1], {PLACE: place})
    column = T.discharge(column, prove_order(L.Le(place, place)))
    value = T.node(t(ell + 1) / (ell + 2))
    first = prove_identity(L.Eq(T.node(s(ell + 1)), value), [column.conclusion])
    ratio = _ratio(t, ell + 2, place, prove_order(L.Lt(place, T.node(ell + 2))))
    second = prove_identity(L.Eq(T.node(t(ell + 2)), value), [ratio.conclusion])
    return [T.discharge(first, column), T.discharge(second, ratio)]


# ---------------------------------------------------------------------- every degree
def _triangle(at: Any, shift: Any) -> Any:
    return C(row_start(at) + shift)


def _in_triangle(of: Harmonics) -> Theorem:
    """`recurrence` with rows l, l + 1 and l + 2 of the triangle for r, s and t."""
    theorem = recurrence.run(of)
    x = Variable("x", Real)
    for row, at in ROWS:
        value = T.node(_triangle(at, x))
        theorem = kernel.realise(theorem, row.__name__, T.node(x), value)
    return theorem


#: Rows 0 to 2 read one after another, n = 2, A = 2, B = 1.
ROWS_TO_TWO = {
    **{"n": 2, "A": 2, "B": 1},
    **{"C": _listed(1, 1, 1, 1, 2, 1), "P": _listed(1, 1, -3)},
}


@control("binomials_not_squared", ROWS_TO_TWO, term=_unsquared)
@control(
    "middle_coefficient", ROWS_TO_TWO | {"P": _listed(1, 1, -4)}, middle=lambda ell: 2 * ell + 1
)
@proves(ADDITION_THEOREM, "every_degree")
def every_degree(of: Harmonics) -> Theorem:
    """Two neighbouring degrees by induction; the next one by the recurrence."""
    premises, goal = T.opened(T.stated(ADDITION_THEOREM, "every_degree", of))
    _, rows, _, _, bonnet = premises
    limit = T.node(top)

    def row(at: Any) -> tuple[Theorem, Theorem]:
        """C(l, 0) = 1 and the rule of row l <= n."""
        known = T.apply(T.assume(rows), [T.node(at)], T.assume(L.Le(T.node(at), limit)))
        first, second = T.parts(known)
        return first, second

    def equal(at: Any) -> L.Node:
        sums = total(k, at + 1, of.term(_triangle(at, k), at, k, A, B))
        return T.node(Eq(sums, P(at)))

    def part(at: Any) -> L.Node:
        return L.Implies(L.Le(T.node(at), limit), equal(at))

    statement = L.And(part(ell), part(ell + 1))
    # degrees 0 and 1
    zero, one = sympy.Integer(0), sympy.Integer(1)
    first, (unit, rule) = row(zero)[0], row(one)
    next_one = T.apply(rule, [L.num(0)], prove_order(L.Lt(L.num(0), L.num(1))))
    starts = premises[2], premises[3]
    low = T.discharge(prove_identity(equal(zero), [first.conclusion, starts[0]]), first)
    told = [unit.conclusion, next_one.conclusion, starts[1], premises[0]]
    high = T.discharge(prove_identity(equal(one), told), unit, next_one)
    base = _instance(statement, L.num(0), (low, high))
    # the next degree
    more = L.Le(T.node(ell + 2), limit)
    halves = T.parts(T.assume(statement))
    within = [prove_order(L.Le(T.node(at), limit), [more]) for at in (ell, ell + 1)]
    known = [kernel.modus(half_of, fact) for half_of, fact in zip(halves, within, strict=True)]
    before = prove_order(L.Lt(END, T.node(top - 1)), [more])
    law = T.apply(T.assume(bonnet), [END], before)
    theorem = _in_triangle(of)
    for step_on in range(3):
        inside = prove_order(L.Le(T.node(ell + step_on), limit), [more])
        unit, rule = (T.discharge(fact, inside) for fact in row(ell + step_on))
        theorem = T.discharge(theorem, *_restated(theorem, unit, rule))
    values: dict[str, L.Node] = {}
    for degree in range(3):
        values[f"S{degree}"], values[f"P{degree}"] = equal(ell + degree).args
    values["m"] = T.node(of.middle(ell) * (A - B))
    grown = _next_equal(values, [theorem, law, *known])
    after = kernel.modus(halves[1], T.assume(L.Le(T.node(ell + 1), limit)))
    step = _instance(statement, END + 1, (after, grown))
    whole = kernel.specialise(kernel.induct(END, statement, base, step), {END: limit})
    return kernel.modus(kernel.project(whole, 0), prove_order(L.Le(limit, limit)))


def _instance(statement: L.Node, at: L.Node, proofs: Sequence[Theorem]) -> Theorem:
    """Two implications at a value of l, from proofs of their equations in other words."""
    found = []
    for wanted, proof in zip(L.substitute(statement, {END: at}).args, proofs, strict=True):
        premise, equation = wanted.args
        restated = T.discharge(prove_same(equation, proof.conclusion), proof)
        inside = [h for h in restated.hypotheses if h.head == "le"]
        facts = [prove_order(h, [premise]) for h in inside]
        found.append(T.implication(T.discharge(restated, *facts), premise))
    return T.both(*found)


def _next_equal(values: dict[str, L.Node], facts: Sequence[Theorem]) -> Theorem:
    """S_2 = P_2 where both satisfy one recurrence and agree before; the facts are in that order."""
    names = {name: T.real(name) for name in values}
    rest = T.node((ell + 1) * (A + B) ** 2)

    def law(series: str) -> L.Node:
        first, second, third = (names[f"{series}{degree}"] for degree in range(3))
        combination = T.node(ell + 2) * third - names["m"] * second + rest * first
        return L.Eq(combination, L.num(0))

    laws = [law("S"), law("P")]
    solved = [
        prove_identity(
            L.Eq(names[f"{series}2"], names[f"{series}2"] - equation.args[0] / T.node(ell + 2)),
            [equation],
        )
        for series, equation in zip("SP", laws, strict=True)
    ]
    agree = [L.Eq(names[f"S{degree}"], names[f"P{degree}"]) for degree in range(2)]
    goal = L.Eq(names["S2"], names["P2"])
    lemma = prove_identity(goal, [*(fact.conclusion for fact in solved), *agree])
    lemma = T.discharge(lemma, *solved)
    lemma = kernel.specialise(lemma, {names[name]: value for name, value in values.items()})
    at = {names[name]: value for name, value in values.items()}
    wanted = [L.substitute(fact, at) for fact in (*laws, *agree)]
    said = [
        T.discharge(prove_same(fact, known.conclusion), known)
        for fact, known in zip(wanted, facts, strict=True)
    ]
    return T.discharge(lemma, *said)


def _restated(theorem: Theorem, unit: Theorem, rule: Theorem) -> list[Theorem]:
    """The row's facts in the words of the theorem's hypotheses, where they say the same."""
    found = []
    for wanted in theorem.hypotheses:
        for fact in (unit, rule):
            try:
                found.append(_said_as(wanted, fact))
            except (Undecided, Rejected):
                continue
    return found


def _said_as(wanted: L.Node, fact: Theorem) -> Theorem:
    if wanted.head != fact.conclusion.head or wanted.head not in ("eq", "forall"):
        raise Undecided("another kind of fact")
    if wanted.head == "eq":
        return T.discharge(prove_same(wanted, fact.conclusion), fact)
    name, body = wanted.args
    premise, equation = body.args
    inside = T.apply(fact, [name], prove_order(fact.conclusion.args[1].args[0], [premise]))
    again = T.discharge(prove_same(equation, inside.conclusion), inside)
    return T.generalise(T.implication(again, premise), name)


# ---------------------------------------------------------------------- each degree
def _by_algebra(clause: str, of: Harmonics) -> Theorem:
    return prove_each(T.stated(ADDITION_THEOREM, clause, of), prove_identity)


@control("binomials_not_squared", term=_unsquared)
@proves(ADDITION_THEOREM, "degrees", "l = 0, .., 16")
def degrees(of: Harmonics) -> Theorem:
    """Homogeneous polynomials of two variables."""
    return _by_algebra("degrees", of)


def _unconjugated(a: Any, a_bar: Any, b: Any, b_bar: Any) -> Any:
    return quaternion(a, a_bar, b, -b_bar)


@control("sign_dropped", quaternion=_unconjugated)
@proves(ADDITION_THEOREM, "zonal", "l = 0, .., 4")
def zonal(of: Harmonics) -> Theorem:
    """Polynomials of four variables."""
    return _by_algebra("zonal", of)


@control("conjugate_dropped", conjugate=lambda g: g)
@control("entries_not_weighted", weight=lambda degree, k: 1)
@proves(ADDITION_THEOREM, "addition", "l = 1, 2, 3")
def addition(of: Harmonics) -> Theorem:
    """Polynomials of eight variables."""
    return _by_algebra("addition", of)


@control("inverse_rotation", turned=lambda w, x, y, z: turned(-w, x, y, z))
@proves(ADDITION_THEOREM, "cosine")
def cosine(of: Harmonics) -> Theorem:
    """A polynomial of eight real variables."""
    return _by_algebra("cosine", of)


# ---------------------------------------------------------------------- what no lift changes
#: l = 1, the coefficient 1 at m' = m = 0 alone.
ZONAL_ALONE = {"l": 1, "v": 1, "p": Values(((fmpq(4), fmpq(1)),)), "q": 0}


@lru_cache
def _one_term() -> Theorem:
    """g(k) = 0 for k < 2 l + 1 other than l, g(l) = V |- the sum over k < 2 l + 1 is V."""
    size, term_value, index = T.node(2 * ell + 1), T.real("V"), INDEX

    def g(at: L.Node) -> L.Node:
        return L.sequence("g", at)

    inside, different = L.Le(index + 1, size), L.Not(L.Eq(index, END))
    rule = L.ForAll(index, L.Implies(inside, L.Implies(different, L.Eq(g(index), L.num(0)))))
    here = L.Le(PLACE + 1, size), L.Not(L.Eq(PLACE, END))
    apart = T.apply(T.assume(rule), [PLACE], *(T.assume(fact) for fact in here))
    at_end = T.assume(L.Eq(g(END), term_value))
    met = T.rewrite(L.Eq(g(PLACE), term_value), PLACE, END, at_end)

    def partial(upper: Any) -> L.Node:
        return L.total(index, T.node(upper), g(index))

    chosen = T.selection(PLACE, partial, END, term_value, size, apart, [met])
    chosen = kernel.specialise(chosen, {PLACE: size})
    picked = kernel.modus(chosen, prove_order(L.Le(size, size)))
    return kernel.modus(kernel.project(picked, 1), prove_order(L.Lt(END, size)))


@lru_cache
def _mean_value() -> Theorem:
    """If sum_k (a_k cos + b_k sin)((k - l) 2 pi e / N) = v for every e < N = 2 l + 1, v = a_l."""
    width, first, second = 2 * ell + 1, sequence("a"), sequence("b")
    angle = (k - ell) * (2 * sympy.pi * i / width)
    body = first(k) * sympy.cos(angle) + second(k) * sympy.sin(angle)
    size, turn, index = T.node(width), T.node(i), T.node(k)
    same = T.node(ForAll(i, Implies(Lt(i, width), Eq(total(k, width, body), value))))
    at = T.apply(T.assume(same), [turn], T.assume(L.Lt(turn, size)))
    rows = kernel.sum_congruence(at, turn, size)
    swapped = kernel.exchange(rows.conclusion.args[0])
    inner = swapped.conclusion.args[1].args[2]
    # away from k = l the sums of cosines and of sines vanish
    order, turns_k = index - END, T.integer("k")
    multiple, inside = L.Eq(order, size * turns_k), L.Le(index + 1, size)
    none = T.no_integer_inside(turns_k, [multiple, inside])
    zero = T.discharge(prove_identity(L.Eq(index, END), [multiple, none.conclusion]), none)
    different = L.Not(L.Eq(index, END))
    exists = L.Exists(turns_k, multiple)
    clash = kernel.clash(zero, T.assume(different))
    apart = T.conclude_not(T.obtain(T.assume(exists), turns_k, clash), exists)
    sums = T.parts(T.apply(T.period_sums(), [order, size], apart))
    told = [fact.conclusion for fact in sums]
    empty = T.discharge(prove_identity(L.Eq(inner, L.num(0)), told), *sums)
    empty = T.generalise(T.implication(empty, inside, different), index)
    whole = T.node(first(ell)) * size
    met = prove_identity(L.Eq(L.substitute(inner, {index: END}), whole))
    x = T.real("x")
    picked = kernel.realise(_one_term(), "g", x, L.substitute(inner, {index: x}))
    picked = T.discharge(kernel.specialise(picked, {T.real("V"): whole}), empty, met)
    facts = [rows, swapped, picked]
    scaled = prove_identity(L.Eq(T.node(value) * size, whole), [fact.conclusion for fact in facts])
    scaled = T.discharge(scaled, *facts)
    goal = L.Eq(T.node(value), scaled.conclusion.args[1] / size)
    solved = T.discharge(prove_identity(goal, [scaled.conclusion]), scaled)
    return T.discharge(
        prove_identity(L.Eq(T.node(value), T.node(first(ell))), [solved.conclusion]), solved
    )


@control("another_channel", ZONAL_ALONE, zonal_index=lambda ell: 0 * ell)
@proves(ADDITION_THEOREM, "unique", "every l")
def unique(of: Harmonics) -> Theorem:
    """The mean over the turns of one point leaves m' = 0, that over the other's leaves m = 0."""
    premises, goal = T.opened(T.stated(ADDITION_THEOREM, "unique", of))
    width = 2 * ell + 1
    size, turn, other, x = T.node(width), T.node(i), T.node(j), T.real("x")
    spin = (m - ell) * of.longitude(j, width)
    c, s = sympy.cos(spin), sympy.sin(spin)
    at = Variable("x", Real)

    def values(place: Any) -> tuple[Any, Any]:
        """What multiplies the cosine and the sine of the first point's turn."""
        p, q = real(width * place + m), imaginary(width * place + m)
        return total(m, width, p * c + q * s), total(m, width, p * s - q * c)

    turned = T.apply(T.assume(premises[0]), [turn], T.assume(L.Lt(turn, size)))
    turned = T.apply(turned, [other], T.assume(L.Lt(other, size)))
    lemma = _mean_value()
    for name, amount in zip("ab", values(at), strict=True):
        lemma = kernel.realise(lemma, name, x, T.node(amount))
    wanted = next(h for h in lemma.hypotheses if h.head == "forall")
    rows = L.substitute(wanted.args[1].args[1], {wanted.args[0]: turn})
    index, _, body = rows.args[0].args
    double = turned.conclusion.args[0]
    inner = L.substitute(double.args[2], {double.args[0]: index})
    summed = kernel.sum_congruence(prove_identity(L.Eq(body, inner)), index, size)
    hole = T.real("H")
    single = T.transport(L.Eq(hole, T.node(value)), hole, summed, turned)
    first = _over_turns(lemma, single, turn)
    # once more, over the turns of the second point
    lemma = _mean_value()
    for name, row in (("a", real), ("b", imaginary)):
        lemma = kernel.realise(lemma, name, x, T.node(row(width * ell + at)))
    wanted = next(h for h in lemma.hypotheses if h.head == "forall")
    equation = L.substitute(wanted.args[1].args[1], {wanted.args[0]: other})
    sides = L.Eq(first.conclusion.args[1], first.conclusion.args[0])
    flipped = T.discharge(prove_same(sides, first.conclusion), first)
    again = T.discharge(prove_same(equation, flipped.conclusion), flipped)
    last = _over_turns(lemma, again, other)
    return T.discharge(prove_same(goal, last.conclusion), last)


def _over_turns(lemma: Theorem, equation: Theorem, turn: L.Node) -> Theorem:
    """The lemma with its premise discharged by an equation for every turn below N."""
    below = L.Lt(turn, T.node(2 * ell + 1))
    return T.discharge(lemma, T.generalise(T.implication(equation, below), turn))


# ---------------------------------------------------------------------- positive kernels
@control("squares_of_the_sum", square=lambda u, v: (u + v) ** 2)
@proves(ADDITION_THEOREM, "positive")
def positive(of: Harmonics) -> Theorem:
    """The sums over tokens change places with the sum over channels; what is left are squares."""
    equal, _ = T.inner(T.stated(ADDITION_THEOREM, "positive", of)).args
    squares = equal.args[1]
    families = [_squared(parts) for parts in (u, v)]
    facts = [family.conclusion for family in families]
    proof = T.discharge(prove_identity(equal, facts), *families)
    hole, sign = T.real("form"), prove_nonneg(L.Le(L.num(0), squares), squares)
    sign = T.transport(L.Le(L.num(0), hole), hole, proof, sign)
    return T.both(proof, sign)


def _squared(parts: Any) -> Theorem:
    """sum_ij c_i c_j sum_m u_m(i) u_m(j) = sum_m (sum_i c_i u_m(i))^2."""
    size, depth = T.node(count), T.node(channels)
    first, second, channel = T.node(i), T.node(j), T.node(m)
    alone = c(i) * parts(channels * i + m)
    entry = T.node(alone * c(j) * parts(channels * j + m))
    amplitude = total(i, count, alone)
    inner = kernel.exchange(L.total(second, size, L.total(channel, depth, entry)))
    turned = kernel.sum_congruence(inner, first, size)
    outer = kernel.exchange(turned.conclusion.args[1])
    # within a channel: the sum over j is a factor, and what multiplies it sums to the same
    whole = T.node(amplitude)
    product = prove_identity(L.Eq(L.total(second, size, entry), T.node(alone) * whole))
    summed = kernel.sum_congruence(product, first, size)
    taken = T.taken_out(first, size, T.node(alone), whole)
    known = [summed.conclusion, taken.conclusion]
    channelled = prove_identity(L.Eq(summed.conclusion.args[0], whole**2), known)
    squares = kernel.sum_congruence(T.discharge(channelled, summed, taken), channel, depth)
    start = L.Eq(turned.conclusion.args[0], T.node(total(m, channels, amplitude**2)))
    facts = [turned.conclusion, outer.conclusion, squares.conclusion]
    return T.discharge(prove_identity(start, facts), turned, outer, squares)


# ---------------------------------------------------------------------- spherical.quadrature
def _tree(clause: str, of: Harmonics) -> Theorem:
    return _tree_of(QUADRATURE, clause, of)


def _tree_of(claim: Any, clause: str, of: Harmonics) -> Theorem:
    return T.prove_tree(T.stated(claim, clause, of))


def _unweighted(count: int) -> tuple[Latitude, ...]:
    return tuple(row._replace(weight=sympy.Rational(2, count)) for row in gauss(count))


ALONG_AXIS = {"x_1": 1, "x_2": 0, "x_3": 0}


@control("equal_weights", ALONG_AXIS, latitudes=_unweighted)
@control("integral_of_odd_powers", ALONG_AXIS, integral=lambda p: sympy.Rational(1, p + 1))
@proves(QUADRATURE, "gauss_rule", "n = 1, 2, 3")
def gauss_rule(of: Harmonics) -> Theorem:
    """Polynomials of x modulo |x| = 1, with roots of unity and square roots."""
    premises, goal = T.opened(T.stated(QUADRATURE, "gauss_rule", of))
    return prove_each(goal, lambda part: prove_identity(part, premises))


#: One point e_1 of weight 1 and one e_2: the mixed moments vanish.
TWO_POINTS = {
    **{"N": 3, "c": 1, "w": 1},
    **{f"y_{axis + 1}": Values(((fmpq(axis), fmpq(1)),)) for axis in range(3)},
    **{"x_1": 1, "x_2": 0, "x_3": 0},
}


@control("mixed_moment", TWO_POINTS, mixed_moment=1)
@proves(QUADRATURE, "degree_two", "any finite set of points and weights")
def degree_two(of: Harmonics) -> Theorem:
    """Six directions tell six moments, and these tell every direction."""
    same, moments = T.inner(T.stated(QUADRATURE, "degree_two", of)).args
    told = []
    for x in ((1, 0, 0), (0, 1, 0), (0, 0, 1), (3, 4, 0), (3, 0, 4), (0, 3, 4)):
        scale = 5 if sum(x) > 1 else 1
        values = [L.num(Fraction(part, scale)) for part in x]
        rule = T.apply(T.assume(same), values)
        unit = prove_identity(rule.conclusion.args[0])
        told.append(kernel.modus(rule, unit))
    facts = [theorem.conclusion for theorem in told]
    there = T.both(*(T.discharge(prove_identity(part, facts), *told) for part in moments.args))
    names = [T.node(part) for part in AT]
    premise, equation = T.inner(same).args
    spread = T.implication(prove_identity(equation, [*moments.args, premise]), premise)
    back = T.unpack_all(T.generalise(spread, *names), moments)
    return T.iff(same, moments, there, back)


def _vanishing(r: Any, count: Any, given: Sequence[L.Node] = ()) -> list[Theorem]:
    """The sums of cos and sin (2 pi r e / N), e < N, vanish for 0 < r < N."""
    order, limit = T.node(r), T.node(count)
    turn = T.integer("k")
    multiple = L.Eq(order, limit * turn)
    facts = [multiple, L.Lt(0, order), L.Lt(order, limit)]
    none = T.no_integer_inside(turn, facts)
    zero = T.discharge(T.contradict([multiple, facts[1], none.conclusion]), none)
    inside = (prove_order(fact, given) for fact in facts[1:])
    zero = T.obtain(T.assume(L.Exists(turn, multiple)), turn, T.discharge(zero, *inside))
    apart = T.conclude_not(zero, L.Exists(turn, multiple))
    return T.parts(T.apply(T.period_sums(), [order, limit], apart))


@control("half_the_angle", {"n": 1, "m": 1}, longitude=lambda j, count: sympy.pi * j / count)
@proves(QUADRATURE, "longitudes", "every n")
def longitudes(of: Harmonics) -> Theorem:
    """m is no multiple of 2 n, so the roots of unity of order 2 n sum to zero."""
    premises, goal = T.opened(T.stated(QUADRATURE, "longitudes", of))
    sums = _vanishing(m, 2 * half, premises)
    facts = [theorem.conclusion for theorem in sums]
    return T.both(*(T.discharge(prove_identity(part, facts), *sums) for part in goal.args))


def _one_meridian(j: Any, count: Any) -> Any:
    return 0 * j


@control("one_meridian", longitude=_one_meridian)
@proves(QUADRATURE, "aliasing")
def aliasing(of: Harmonics) -> Theorem:
    """Whole turns; and two closed sums."""
    return _tree("aliasing", of)


@control("one_meridian", longitude=_one_meridian)
@proves(QUADRATURE, "equal_weights")
def equal_weights(of: Harmonics) -> Theorem:
    """Two sums of twelve rational numbers."""
    return _tree("equal_weights", of)


@control("one_meridian", {"s": L.cos(L.pi * Fraction(1, 4))}, longitude=_one_meridian)
@proves(QUADRATURE, "accident")
def accident(of: Harmonics) -> Theorem:
    """Two sums of twelve terms."""
    premises, goal = T.opened(T.stated(QUADRATURE, "accident", of))
    return prove_each(goal, lambda part: prove_identity(part, premises))


@control("one_meridian", {"n": 2, "M": 2}, longitude=_one_meridian)
@proves(QUADRATURE, "refinement", "every n >= 2 and M >= 3")
def refinement(of: Harmonics) -> Theorem:
    """Double angles sum to zero over the latitudes and over the longitudes."""
    _, goal = T.opened(T.stated(QUADRATURE, "refinement", of))
    polar, along, around = of.node(i, size), of.longitude(j, turns + 1), T.node(turns + 1)
    # cos^2, each angle's double summing to zero
    means = []
    for index, upper, angle, turn in ((i, size, polar, 1), (j, turns + 1, along, 2)):
        sums = _vanishing(turn, upper)
        half_of = L.Eq(T.node(total(index, upper, sympy.cos(angle) ** 2)), T.node(upper) / 2)
        facts = [theorem.conclusion for theorem in sums]
        means.append(T.discharge(prove_identity(half_of, facts), *sums))
    told = [mean.conclusion for mean in means]
    proofs = []
    values = (sympy.cos(polar) ** 2, sympy.sin(polar) ** 2 * sympy.cos(along) ** 2)
    shares = (sympy.cos(polar) ** 2 * (turns + 1), sympy.sin(polar) ** 2 * (turns + 1) / 2)
    *equal, mirrored = goal.args
    for part, term, share in zip(equal, values, shares, strict=True):
        row = L.Eq(L.total(T.node(j), around, T.node(term)), T.node(share))
        rows = kernel.sum_congruence(
            T.discharge(prove_identity(row, told), *means), T.node(i), T.node(size)
        )
        proof = prove_identity(part, [rows.conclusion, *told])
        proofs.append(T.discharge(proof, rows, *means))
    return T.both(*proofs, T.prove_tree(mirrored))


# ---------------------------------------------------------------------- spherical.flat_limit
@control("l_for_l_plus_a_half", {"X": 1}, shift=sympy.Integer(0))
@proves(FLAT_LIMIT, "hypergeometric", "l = 1, .., 6")
def hypergeometric(of: Harmonics) -> Theorem:
    """Polynomials in X."""
    return prove_each(T.stated(FLAT_LIMIT, "hypergeometric", of), prove_identity)


def _half_the_correction(p: int) -> Any:
    return correction(p) / 2


@control("half_the_correction", correction=_half_the_correction)
@control("sign_of_the_argument", bessel=lambda p: abs(bessel(p)))
@proves(FLAT_LIMIT, "expansion", "powers of r up to 16")
def expansion(of: Harmonics) -> Theorem:
    """Polynomials in 1 / lambda^2."""
    return prove_each(T.stated(FLAT_LIMIT, "expansion", of), prove_identity)


@control("one_direction", longitude=_one_meridian)
@proves(FLAT_LIMIT, "planar", "powers of r up to 16")
def planar(of: Harmonics) -> Theorem:
    """Sums of powers of cosines at roots of unity."""
    return _tree_of(FLAT_LIMIT, "planar", of)
