"""Proofs of `theory.spherical.harmonics`: one function a clause, named after it."""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import Any

from flint import fmpq

from posproof.proofs_check import kernel
from posproof.proofs_check import language as L
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.search import (
    prove_by_substitution,
    prove_each,
    prove_identity,
    prove_nonneg,
    prove_order,
)
from posproof.proofs_check.search.points import Values
from posproof.theory.spherical.gauge import turned
from posproof.theory.spherical.harmonics import (
    ADDITION_THEOREM,
    A,
    B,
    Harmonics,
    binomials,
    c,
    channels,
    count,
    ell,
    i,
    j,
    k,
    m,
    r,
    s,
    t,
    u,
    v,
)
from posproof.theory.spherical.representations import quaternion
from posproof.theory.symbols import Variable, total
from posproof.theory.vocabulary import Eq, Real, control, proves

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
def _row(degree: int) -> Any:
    """The row of binomial coefficients of a degree, for a point."""
    return Values(tuple((fmpq(k), fmpq(comb(degree, k))) for k in range(degree + 1)))


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
