"""Proofs of `theory.dynamics.consensus`: one function a clause, named after it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from sympy import cos, exp, log, pi

from posproof.proofs_check import kernel
from posproof.proofs_check import language as L
from posproof.proofs_check import tactics as T
from posproof.proofs_check.dynamics import kernel as entries
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Node
from posproof.proofs_check.search import prove_each, prove_identity, prove_nonneg
from posproof.theory.dynamics import kernel as bound
from posproof.theory.dynamics.consensus import (
    CONSENSUS,
    Consensus,
    a,
    agreed,
    b,
    c,
    d,
    e,
    i,
    j,
    m,
    n,
    share,
    theta,
    w,
    warm,
    x,
    xi,
)
from posproof.theory.symbols import total
from posproof.theory.vocabulary import Eq, control, proves


def _positive(whole: Node) -> Theorem:
    """0 < a sum of visibly positive weights over n terms, by induction on n."""
    index, _, weight = whole.args
    statement = L.Lt(0, whole)
    first, more = (L.substitute(weight, {index: end}) for end in (L.num(0), T.node(n)))
    base = prove_nonneg(T.instance(statement, n, 1), first)
    step = prove_nonneg(T.instance(statement, n, T.node(n) + 1), whole + more, [statement])
    return kernel.induct(T.node(n), statement, base, step)


def _nonzero(positive: Theorem) -> Theorem:
    """t != 0 from 0 < t."""
    value = T.real("t")
    apart = T.conclude_not(T.contradict([L.Lt(0, value), L.Eq(value, 0)]), L.Eq(value, 0))
    return T.discharge(kernel.specialise(apart, {value: positive.conclusion.args[1]}), positive)


def _by_the_offset(gap: Any, theta: Any) -> Any:
    return gap * theta


@control("keys_not_turned", key_turn=lambda gap, theta: 0 * theta)
@control("energy_of_one_coordinate", energy=lambda x, y: x**2)
@proves(CONSENSUS, "energies")
def energies(of: Consensus) -> Theorem:
    """Rotations of one plane add their angles."""
    return prove_each(T.stated(CONSENSUS, "energies", of), prove_identity)


@control("values_rotated", value_turn=_by_the_offset)
@control("projected_twice", radial=lambda inner, x: 2 * inner * x)
@proves(CONSENSUS, "equilibrium")
def equilibrium(of: Consensus) -> Theorem:
    """The mean of equal values is that value, which the projection removes."""
    unit, still = T.inner(T.stated(CONSENSUS, "equilibrium", of)).args
    whole = total(j, n, of.weight(i, j, agreed))
    mass = _nonzero(_positive(T.node(whole)))
    outside = T.taken_out(c, m, of.energy(a(c), b(c)), whole)
    given = [unit, outside.conclusion, mass.conclusion]
    proofs = [T.discharge(prove_identity(part, given), outside, mass) for part in still.args]
    return T.implication(T.both(*proofs), unit)


@control("values_rotated", value_turn=_by_the_offset)
@control("operator_for_generator", change=lambda there, here: there)
@proves(CONSENSUS, "plane")
def plane(of: Consensus) -> Theorem:
    """The sines vanish at consensus, so only their own derivative is left."""
    return _divided(prove_identity(T.inner(T.stated(CONSENSUS, "plane", of))))


def _divided(theorem: Theorem) -> Theorem:
    """Discharge that sums of exponentials, and their squares, are not zero."""
    for fact in theorem.hypotheses:
        value = fact.args[0].args[0] if fact.head == "not" else fact
        whole = value.args[0] if value.head == "pow" else value
        if whole.head == "sum":
            above = _positive(whole)
            if value != whole:
                square = prove_nonneg(L.Lt(0, value), value, [above.conclusion])
                above = T.discharge(square, above)
            theorem = T.discharge(theorem, _nonzero(above))
    return theorem


def _at(quantified: Node, *indices: Any) -> Theorem:
    """An instance of a statement about indices below a limit, under index < limit."""
    found = kernel.assume(quantified)
    for index in indices:
        found = kernel.instantiate(found, T.node(index))
        found = kernel.modus(found, kernel.assume(found.conclusion.args[0]))
    return found


_ONE = {"n": 1, "d": 2, "i": 0, "k": 1, "a": (1, 0), "xi": (0, 1), "w": 1, "z": 0}


@control("operator_for_generator", _ONE, change=lambda there, here: there)
@control(
    "projected_twice",
    _ONE,
    radial=lambda inner, x: 2 * inner * x,
)
@proves(CONSENSUS, "linearisation")
def linearisation(of: Consensus) -> Theorem:
    """The weights' change multiplies one vector, and its sum is divided out."""
    given, goal = T.inner(T.stated(CONSENSUS, "linearisation", of)).args
    unit, limit, tangents = given.args

    def across(token: Any) -> Any:
        return a(c) * xi(d * token + c)

    mass = total(j, n, w(j))
    lifts = [T.taken_out(c, d, body, mass) for body in (a(c) ** 2, across(i))]
    inside = L.total(T.node(j), T.node(n), T.node(w(j) * across(j)))
    swapped = kernel.exchange(L.total(T.node(c), T.node(d), inside))
    here, there = (_at(tangents, token) for token in (i, j))
    row = L.Eq(swapped.conclusion.args[1].args[2], 0)
    row = T.discharge(prove_identity(row, [there.conclusion]), there)
    rows = kernel.sum_congruence(row, T.node(j), T.node(n))
    facts = [*lifts, swapped, rows, here, _nonzero(_positive(T.node(mass)))]
    proof = prove_identity(goal, [unit, *(fact.conclusion for fact in facts)])
    return T.implication(T.unpack(T.discharge(proof, *facts), given), given)


@control("operator_for_generator", change=lambda there, here: there)
@proves(CONSENSUS, "tangent")
def tangent(of: Consensus) -> Theorem:
    """The sum of x_i ((A - I) x)_i D_i is minus half of a sum of squares."""
    constant, only = T.inner(T.stated(CONSENSUS, "tangent", of)).args
    still, same = only.args
    weight = T.node(of.kernel_weight(i, j))
    square = weight * T.node((x(j) - x(i)) ** 2)
    row, column, size = T.node(i), T.node(j), T.node(n)
    each = kernel.modus(T.at(still, row), kernel.assume(L.Lt(row, size)))
    whole = L.Eq(T.node(x(i)) * each.conclusion.args[0], 0)
    whole = T.discharge(prove_identity(whole, [each.conclusion]), each)
    whole = kernel.sum_congruence(whole, row, size)
    inside = L.total(column, size, weight * T.node(x(j) ** 2))
    swapped = kernel.exchange(L.total(row, size, inside))
    squares = L.total(row, size, L.total(column, size, square))
    facts = [whole, swapped]
    zero = prove_identity(L.Eq(squares, 0), [fact.conclusion for fact in facts])
    zero = T.discharge(zero, *facts)

    above = prove_nonneg(L.Le(0, square), square)
    inner = T.term_below_sum(square, column, size)
    inner = T.discharge(inner, _all(above, column, size))
    outer = T.term_below_sum(inside_of(squares), row, size)
    outer = T.discharge(outer, _all(kernel.project(inner, 0), row, size))
    first = kernel.modus(T.apply(kernel.project(outer, 1), [row]), kernel.assume(L.Lt(row, size)))
    second = kernel.project(inner, 1)
    second = kernel.modus(T.apply(second, [column]), kernel.assume(L.Lt(column, size)))
    small = L.Le(T.node((x(i) - x(j)) ** 2), 0)
    known = [first, second, zero]
    form = T.margin(first.conclusion) + T.margin(second.conclusion)
    small = prove_nonneg(small, form / weight, [fact.conclusion for fact in known])
    small = T.discharge(small, *known)
    gap = T.node((x(i) - x(j)) ** 2)
    nothing = kernel.antisymmetry(small, prove_nonneg(L.Le(0, gap), gap))
    equal = T.discharge(entries.from_square(T.node(Eq(x(i), x(j))), nothing), nothing)
    equal = T.implication(equal, L.Lt(column, size))
    equal = T.implication(T.generalise(equal, column), L.Lt(row, size))
    equal = T.implication(T.generalise(equal, row), still)
    level = T.generalise(prove_identity(T.inner(constant)), *T.outer(constant))
    return T.both(level, equal)


def inside_of(double: Node) -> Node:
    return double.args[2]


def _all(theorem: Theorem, index: Node, upper: Node) -> Theorem:
    return T.generalise(T.implication(theorem, L.Lt(index, upper)), index)


@control("cooled_by_the_other_share", cooled=lambda beta, share: share * beta)
@proves(CONSENSUS, "unrotated")
def unrotated(of: Consensus) -> Theorem:
    """The common factor exp(beta s) cancels."""
    scaled, flat = T.inner(T.stated(CONSENSUS, "unrotated", of)).args
    whole, level = flat.args
    first = _divided(prove_identity(scaled))
    second = T.prove_at(level, share, 1)
    return T.both(first, T.implication(_divided(second), whole))


#: Two tokens half a turn apart, angles counted in half turns so that all sequences are rational.
_TWO = {
    "n": 2,
    "m": 1,
    "p": 0,
    "q": 1,
    "beta": log(2),
    "mu": Fraction(3, 5),
    "nu": 0,
    "e": (1,),
    "theta": (1,),
    "W": (2, Fraction(1, 2), Fraction(1, 2), 2),
    "v": (1, -1),
    "w": 0,
}


@control(
    "floor_at_half_the_range",
    _TWO,
    floor=lambda n, beta: 1 / (1 + (n - 1) * exp(beta)),
    key_turn=lambda gap, theta: pi * gap * theta,
)
@proves(CONSENSUS, "gap")
def gap(of: Consensus) -> Theorem:
    """The score is a mean of cosines, so it lies between -beta and beta."""
    given, goal = T.inner(T.stated(CONSENSUS, "gap", of)).args
    weights, split, eigen, far = given.args
    row, column, tokens = (T.node(name) for name in (bound.i, bound.j, bound.n))
    positive, whole = split.args
    plane, energy = T.node(c), T.node(e(c))
    wave = T.node(cos(of.key_turn(bound.j - bound.i, theta(c))))
    each = kernel.modus(T.at(positive, plane), kernel.assume(L.Lt(plane, T.node(m))))
    hot = T.node(warm)
    limits = []
    for sign in (-1, 1):
        goal_here = L.Le(sign * (energy * wave), energy)
        turn = wave.args[0]
        form = energy * ((1 - sign * wave) ** 2 + L.sin(turn) ** 2) / 2
        term = T.discharge(prove_nonneg(goal_here, form, [each.conclusion]), each)
        limits.append(kernel.sum_congruence(term, plane, T.node(m)))
    mean = T.node(total(c, m, e(c) * cos(of.key_turn(bound.j - bound.i, theta(c)))))
    down, up = limits
    least = prove_nonneg(
        L.Le(-1 * hot, hot * mean), hot * T.margin(down.conclusion), [down.conclusion, whole]
    )
    most = prove_nonneg(
        L.Le(hot * mean, hot), hot * T.margin(up.conclusion), [up.conclusion, whole]
    )
    stored = _at(weights, row, column)
    lemma = entries.attention.run(bound.Attention(floor=of.floor))
    lemma = kernel.specialise(lemma, {T.node(bound.E): L.exp(hot)})
    wanted = lemma.conclusion.args[0].args[0]
    sides = []
    for side, proof in zip(
        wanted.args[1].args[1].args[1].args[1].args,
        (T.discharge(least, down), T.discharge(most, up)),
        strict=True,
    ):
        rise = T.apply(entries.exp_rises(), list(proof.conclusion.args), proof)
        facts = [rise, stored]
        form = T.margin(rise.conclusion)
        sides.append(T.discharge(prove_nonneg(side, form, [f.conclusion for f in facts]), *facts))
    inside = _all(_all(T.both(*sides), column, tokens), row, tokens)
    found = kernel.modus(lemma, T.both(inside, kernel.assume(eigen), kernel.assume(far)))
    facts = [found]
    for value in entries.divisors(goal):
        facts.append(_nonzero(prove_nonneg(L.Lt(0, value), 1 + (tokens - 1) * L.exp(hot) ** 2)))
    for value in entries.divisors(found.conclusion):
        facts.append(_nonzero(prove_nonneg(L.Lt(0, value), 1 + (tokens - 1) * L.exp(hot) ** 2)))
    form = T.margin(found.conclusion)
    proof = prove_nonneg(goal, form, [fact.conclusion for fact in facts])
    proof = T.unpack(T.discharge(proof, *facts), split)
    return T.implication(T.unpack(proof, given), given)
