"""Proofs of `theory.dynamics.consensus`: one function a clause, named after it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from sympy import Integer as Whole
from sympy import Rational, cos, exp, log, pi

from posproof.proofs_check import class_sums, kernel
from posproof.proofs_check import language as L
from posproof.proofs_check import tactics as T
from posproof.proofs_check.dynamics import kernel as entries
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Node
from posproof.proofs_check.search import prove_each, prove_identity, prove_nonneg
from posproof.theory.dynamics import kernel as bound
from posproof.theory.dynamics.consensus import (
    CONSENSUS,
    FREQUENCY_ALLOCATION,
    Allocation,
    Consensus,
    a,
    agreed,
    b,
    c,
    d,
    e,
    first,
    greater,
    i,
    j,
    lesser,
    m,
    n,
    second,
    share,
    theta,
    third,
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


# ---------------------------------------------------------------------- frequency_allocation
_half = Rational(1, 2)
_other_angle = (pi / 3, pi)


@control("another_angle", angles=_other_angle)
@control("keys_turned_one_way", key_turn=lambda gap, theta: (1 + gap) * theta)
@proves(FREQUENCY_ALLOCATION, "four_modes")
def four_modes(of: Allocation) -> Theorem:
    """Sums of four exponentials."""
    return prove_each(T.stated(FREQUENCY_ALLOCATION, "four_modes", of), prove_identity)


class Shares:
    """E, a, b and Z as terms, and how a and b move with the share of the first plane."""

    def __init__(self, of: Allocation, share: Any) -> None:
        self.E, self.a, self.b, self.Z = (T.node(value) for value in of.values(share))

    def moves(self, other: Shares, premise: Node) -> tuple[Theorem, Theorem]:
        """b < b' and a' < a for a larger share, because of the premise share < share'."""
        rise = T.node(warm) * T.margin(premise)
        return (
            _exponential(self.b, other.b, rise, premise),
            _exponential(other.a, self.a, 2 * rise, premise),
        )


def _exponential(small: Node, large: Node, form: Node, premise: Node) -> Theorem:
    """exp(s) < exp(t), because t - s is a form that the premise makes positive."""
    low, high = small.args[0], large.args[0]
    below = prove_nonneg(L.Lt(low, high), form, [premise])
    return kernel.modus(kernel.project(T.apply(T.exponential_rises(), [low, high]), 0), below)


@control("best_share_one_half", best=_half)
@proves(FREQUENCY_ALLOCATION, "kink")
def kink(of: Allocation) -> Theorem:
    """a / b = exp(beta (2 - 3 e))."""
    apart, same, order = T.inner(T.stated(FREQUENCY_ALLOCATION, "kink", of)).args
    share, best, at = T.node(first), T.node(of.best), Shares(of, first)
    fast, slow = same.args[0].args
    hot = T.node(warm)
    below, above = L.Lt(share, best), L.Lt(best, share)
    left = _exponential(at.b, at.a, 3 * hot * T.margin(below), below)
    right = _exponential(at.a, at.b, 3 * hot * T.margin(above), above)

    def compared(small: Node, large: Node, gap: Theorem) -> Theorem:
        form = 2 * T.margin(gap.conclusion) / at.Z
        return T.discharge(prove_nonneg(L.Lt(small, large), form, [gap.conclusion]), gap)

    smaller, larger = compared(fast, slow, left), compared(slow, fast, right)
    level = T.prove_at(same.args[0], share, best)
    here = L.Eq(share, best)

    x, y = T.real("x"), T.real("y")

    def excluded(fact: Theorem, given: Node, goal: Node) -> Theorem:
        """The goal from two comparisons of the same two numbers that exclude each other."""
        names = {x: fast, y: slow}
        pair = [_spoken(p, fast, slow, x, y) for p in (fact.conclusion, given)]
        never = kernel.specialise(T.contradict(pair), names)
        return T.ex_falso(T.discharge(never, fact), goal)

    given = same.args[0]
    forward = T.three_ways(
        share,
        best,
        excluded(smaller, given, here),
        kernel.assume(here),
        excluded(larger, given, here),
    )
    equal = T.iff(*same.args, forward, level)
    given = order.args[0]
    forward = T.three_ways(
        share,
        best,
        kernel.assume(below),
        excluded(level, given, below),
        excluded(larger, given, below),
    )
    return T.both(prove_identity(apart), equal, T.iff(*order.args, forward, smaller))


def _spoken(relation: Node, left: Node, right: Node, x: Node, y: Node) -> Node:
    """A comparison of two terms as one of two names."""
    names = {left: x, right: y}
    return Node(relation.head, tuple(names[side] for side in relation.args))


@control("best_share_one_half", best=_half)
@control("slope_without_the_square", falls=lambda E, a, b: E * (b - 2 * a) - 3 * b)
@proves(FREQUENCY_ALLOCATION, "slopes")
def slopes(of: Allocation) -> Theorem:
    """Differentiate; a = b at 2/3."""
    up, positive, down, last = T.inner(T.stated(FREQUENCY_ALLOCATION, "slopes", of)).args
    sign = prove_nonneg(positive, positive.args[1])
    return T.both(prove_identity(up), sign, prove_identity(down), prove_identity(last))


def _above_one(exponent: Node, premise: Node) -> Theorem:
    """1 < exp(t), under the premise that makes t positive."""
    line = kernel.instantiate(kernel.meaning("exponential_above_line"), exponent)
    positive = prove_nonneg(L.Lt(0, exponent), T.node(warm) * T.margin(premise), [premise])
    facts = [line, positive]
    form = T.margin(line.conclusion) + exponent
    goal = L.Lt(1, L.exp(exponent))
    return T.discharge(prove_nonneg(goal, form, [f.conclusion for f in facts]), *facts)


@control("best_share_one_half", best=_half)
@proves(FREQUENCY_ALLOCATION, "interior_maximum")
def interior_maximum(of: Allocation) -> Theorem:
    """With x = exp(beta (e - 2/3)) the difference has the sign of K (x-1)(x+1-x^2) + x^3 - 1."""
    level, rises, falls = T.inner(T.stated(FREQUENCY_ALLOCATION, "interior_maximum", of)).args
    premise, goal = rises.args
    here, there = Shares(of, first), Shares(of, second)
    growth, decay = here.moves(there, premise)
    up, down = T.margin(growth.conclusion), T.margin(decay.conclusion)
    form = 4 * ((here.E + here.a) * up + here.b * down) / here.Z / there.Z
    facts = [growth, decay]
    rising = T.discharge(prove_nonneg(goal, form, [f.conclusion for f in facts]), *facts)

    near, goal = falls.args
    beyond, golden = near.args
    x = golden.args[1].args[0] if golden.args[1].args[0].head == "exp" else golden.args[1].args[1]
    one = _above_one(x.args[0], beyond)
    K = L.exp(4 * T.node(warm) / 3)
    top = K * T.margin(one.conclusion) * T.margin(golden) + T.margin(one.conclusion) * (
        x**2 + x + 1
    )
    form = 2 * top / x**2 / (K + 3) / (K + 2 * x + 1 / x**2)
    falling = prove_nonneg(goal, form, [one.conclusion, golden])
    falling = T.implication(T.unpack(T.discharge(falling, one), near), near)
    return T.both(prove_identity(level), T.implication(rising, premise), falling)


def _larger_than_one(value: Any) -> Theorem:
    """1 < exp(t) for a positive multiple t of beta."""
    exponent = T.node(value).args[0]
    line = kernel.instantiate(kernel.meaning("exponential_above_line"), exponent)
    form = T.margin(line.conclusion) + exponent
    goal = L.Lt(1, T.node(value))
    return T.discharge(prove_nonneg(goal, form, [line.conclusion]), line)


@control(
    "tetranacci",
    {"beta": Fraction(19, 10)},
    tribonacci=lambda u: u**4 - u**3 - u**2 - u - 1,
)
@control("best_share_one_half", best=_half)
@proves(FREQUENCY_ALLOCATION, "endpoints")
def endpoints(of: Allocation) -> Theorem:
    """The difference is a fraction with numerator -2 (u - 1)(u^3 - u^2 - u - 1)."""
    values, wins = T.inner(T.stated(FREQUENCY_ALLOCATION, "endpoints", of)).args
    less, sign = wins.args
    u, one = T.node(third), _larger_than_one(third)
    above = T.margin(one.conclusion)
    whole = (u**4 + 3) * (u**3 + 1)
    known = [one.conclusion]
    forward = prove_nonneg(sign, T.margin(less) * whole / 2 / above, [less, *known])
    backward = prove_nonneg(less, 2 * above * (0 - sign.args[0]) / whole, [sign, *known])
    proofs = [prove_identity(part) for part in values.args]
    both = T.iff(less, sign, T.discharge(forward, one), T.discharge(backward, one))
    return T.both(T.both(*proofs), both)


@control("tetranacci", tribonacci=lambda u: u**4 - u**3 - u**2 - u - 1)
@proves(FREQUENCY_ALLOCATION, "threshold")
def threshold(of: Allocation) -> Theorem:
    """Two evaluations."""
    return prove_each(T.stated(FREQUENCY_ALLOCATION, "threshold", of), kernel.ground)


@control("best_share_one_half", best=Rational(9, 10))
@control("slope_without_the_square", falls=lambda E, a, b: E * (b - 2 * a) - 3 * b)
@proves(FREQUENCY_ALLOCATION, "far_side")
def far_side(of: Allocation) -> Theorem:
    """E/a and E/b are exponentials of opposite direction; F(1) - 3 = (E - 3)(E + 1)."""
    sign, grows, start, end = T.inner(T.stated(FREQUENCY_ALLOCATION, "far_side", of)).args
    premise, goal = grows.args
    here, there = Shares(of, first), Shares(of, second)
    growth, decay = here.moves(there, premise)
    form = here.E * T.margin(decay.conclusion) / here.a / there.a
    form = form + 2 * here.E * T.margin(growth.conclusion) / here.b / there.b
    facts = [growth, decay]
    rising = T.discharge(prove_nonneg(goal, form, [f.conclusion for f in facts]), *facts)
    low = prove_nonneg(start, L.exp(4 * T.node(warm) / 3) + 3)
    last, hot = end.args
    forward = prove_nonneg(hot, T.margin(last) / (here.E + 1), [last])
    backward = prove_nonneg(last, T.margin(hot) * (here.E + 1), [hot])
    return T.both(
        prove_identity(sign),
        T.implication(rising, premise),
        low,
        T.iff(*end.args, forward, backward),
    )


@control("keys_not_turned", key_turn=lambda gap, theta: 0 * theta)
@proves(FREQUENCY_ALLOCATION, "three_tokens")
def three_tokens(of: Allocation) -> Theorem:
    """The symmetric eigenvector is orthogonal to the constant one under the row sums."""
    *modes, order = T.inner(T.stated(FREQUENCY_ALLOCATION, "three_tokens", of)).args
    E, one = T.node(exp(warm)), _larger_than_one(exp(warm))
    form = 2 * T.margin(one.conclusion) * (E + 1) / (E + 2) / (E**2 + E + 1)
    larger = T.discharge(prove_nonneg(order, form, [one.conclusion]), one)
    return T.both(*(prove_identity(mode) for mode in modes), larger)


@control("sign_of_u", crossing=lambda u: u**4 - 2 * u**3 + u - 1)
@proves(FREQUENCY_ALLOCATION, "flip")
def flip(of: Allocation) -> Theorem:
    """P(u) / u^3 = u - 2 - 1/u^2 - 1/u^3."""
    value, once, place = T.node(T.stated(FREQUENCY_ALLOCATION, "flip", of)).args
    premise, goal = T.inner(once).args
    u, v = T.node(lesser), T.node(greater)
    form = T.margin(premise) * (u**3 * v**3 + u * v * (u + v) + u**2 + u * v + v**2)
    rises = T.implication(prove_nonneg(goal, form, [premise]), premise)
    return T.both(
        T.generalise(prove_identity(T.inner(value)), *T.outer(value)),
        T.generalise(rises, *T.outer(once)),
        T.both(*(kernel.ground(part) for part in place.args)),
    )


@control("scores_doubled", score=lambda beta, inner: 2 * beta * inner)
@proves(FREQUENCY_ALLOCATION, "first_order")
def first_order(of: Allocation) -> Theorem:
    """The exponentials are 1 at beta = 0."""
    return _divided(prove_identity(T.inner(T.stated(FREQUENCY_ALLOCATION, "first_order", of))))


@control("energy_not_shared", rest=lambda share: Whole(1))
@proves(FREQUENCY_ALLOCATION, "concave")
def concave(of: Allocation) -> Theorem:
    """Sums are linear."""
    return prove_identity(T.inner(T.stated(FREQUENCY_ALLOCATION, "concave", of)))


@control("keys_turned_one_way", key_turn=lambda gap, theta: (1 + gap) * theta)
@proves(FREQUENCY_ALLOCATION, "two_tokens")
def two_tokens(of: Allocation) -> Theorem:
    """2 w / (E + w) = 2 - 2 E / (E + w)."""
    back, eigen, value, grows = T.inner(T.stated(FREQUENCY_ALLOCATION, "two_tokens", of)).args
    premise, goal = grows.args
    u, v, E = T.node(lesser), T.node(greater), T.node(exp(warm))
    rises = prove_nonneg(goal, 2 * E * T.margin(premise) / (E + u) / (E + v), [premise])
    equations = (prove_identity(part) for part in (back, eigen, value))
    return T.both(*equations, T.implication(rises, premise))


def _not_closed(p: Any, r: Any, n: Any) -> Any:
    """Tokens on a short arc instead of a ring."""
    return 2 * pi * p * r / n**2


@control("not_a_ring", {"n": 2, "beta": 1}, phase=_not_closed)
@proves(FREQUENCY_ALLOCATION, "doubling")
def doubling(of: Allocation) -> Theorem:
    """lambda on n' is (F_1 + F_(n'-1)) / (F_0 + F_n') on 2 n', where class sums fall."""
    goal = T.inner(T.stated(FREQUENCY_ALLOCATION, "doubling", of))
    hot = T.node(warm)
    found = T.apply(class_sums.doubled(), [n, warm], prove_nonneg(L.Lt(0, hot), hot))
    # class sums carry another factor exp(beta), which the quotients do not see
    values, equal = {}, []
    names = [T.real(name) for name in ("a", "b", "e", "f")]
    heated = [T.real(name) for name in ("A", "B", "E", "F")]
    scale = T.real("s")
    sums = [side.args[k] for side in goal.args for k in (0, 1)]
    others = [side.args[k] for side in found.conclusion.args for k in (0, 1)]
    for plain, hotter, value, other in zip(names, heated, sums, others, strict=True):
        values |= {plain: value, hotter: other}
        equal.append(prove_identity(L.Eq(other, L.exp(hot) * value)))
    values[scale] = L.exp(hot)
    a, b, e, f = names
    A, B, E, F = heated
    given = [L.Eq(big, scale * small) for big, small in zip(heated, names, strict=True)]
    signs = [L.Lt(0, small) for small in (b, f, scale)]
    large = [
        prove_nonneg(L.Lt(0, big), scale * small, [*given, *signs])
        for big, small in ((B, b), (F, f))
    ]
    order = L.Lt(A / B, E / F)
    known = [*given, *signs, order, *(fact.conclusion for fact in large)]
    lemma = T.discharge(prove_nonneg(L.Lt(a / b, e / f), E / F - A / B, known), *large)
    positive = [prove_nonneg(L.Lt(0, L.exp(hot)), L.exp(hot))]
    positive += [entries.sum_positive(values[name]) for name in (b, f)]
    return T.discharge(kernel.specialise(lemma, values), *equal, *positive, found)
