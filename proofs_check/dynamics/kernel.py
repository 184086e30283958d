"""Proofs of `theory.dynamics.kernel`: one function a clause, named after it."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

from sympy import Integer as Whole
from sympy import Matrix, cos, exp, log, sin

from posproof.proofs_check import gram, kernel, periodic
from posproof.proofs_check import language as L
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Node
from posproof.proofs_check.search import (
    Undecided,
    prove_each,
    prove_identity,
    prove_nonneg,
    prove_order,
    prove_same,
)
from posproof.theory.dynamics import kernel as theory
from posproof.theory.dynamics.kernel import (
    FLOORS,
    REVERSIBLE,
    SPECTRAL_BOUND,
    Attention,
    Reversible,
    c,
    d,
    s,
    y,
    z,
)
from posproof.theory.symbols import total
from posproof.theory.vocabulary import Positive, control, proves

_n, _i, _j, _k = L.variable("n", L.Int(2)), *(L.variable(x, L.Int(0)) for x in "ijk")


def _score(at: Node) -> Node:
    return L.sequence("s", at)


# ---------------------------------------------------------------------- exponentials and rows
@lru_cache
def exp_rises() -> Theorem:
    """for all x <= y: exp(x) <= exp(y)."""
    x, y = L.variable("x", L.Real), L.variable("y", L.Real)
    below = L.Le(x, y)
    line = kernel.instantiate(kernel.meaning("exponential_above_line"), y - x)
    form = L.exp(x) * (T.margin(line.conclusion) + (y - x))
    goal = prove_nonneg(L.Le(L.exp(x), L.exp(y)), form, [line.conclusion, below])
    return T.generalise(T.implication(T.discharge(goal, line), below), x, y)


@lru_cache
def exp_reflects() -> Theorem:
    """for all x, y: exp(x) <= exp(y) => x <= y."""
    x, y = L.variable("x", L.Real), L.variable("y", L.Real)
    given, goal = L.Le(L.exp(x), L.exp(y)), L.Le(x, y)
    line = kernel.instantiate(kernel.meaning("exponential_above_line"), x - y)
    form = T.margin(given) + L.exp(y) * T.margin(line.conclusion)
    # exp(x) >= exp(y) (1 + x - y), so (x - y) exp(y) <= exp(x) - exp(y) <= 0
    product = L.Le(0, (y - x) * L.exp(y))
    bounded = T.discharge(prove_nonneg(product, form, [given, line.conclusion]), line)
    divided = prove_nonneg(goal, (y - x) * L.exp(y) / L.exp(y), [product])
    return T.generalise(T.implication(T.discharge(divided, bounded), given), x, y)


class Row:
    """What the hypotheses say of a row of scores at inverse temperature `beta`."""

    def __init__(self, of: Attention, beta: Any) -> None:
        self.beta = T.node(beta)
        self.given = T.node(of.row(theory.i, beta))
        self.bounded, self.inside, self.own = self.given.args
        self.hot, self.cold = L.exp(self.beta), L.exp(-1 * self.beta)
        self.sum = L.total(_k, _n, L.exp(_score(_k)))

    def limits(self, at: Node) -> tuple[Theorem, Theorem]:
        """exp(-beta) <= exp(s(at)) and exp(s(at)) <= exp(beta), under at < n."""
        low, high = self.scores(at)
        sides = (low.conclusion.args, high.conclusion.args)
        first = T.apply(exp_rises(), list(sides[0]), low)
        second = T.apply(exp_rises(), list(sides[1]), high)
        return first, second

    def scores(self, at: Node) -> list[Theorem]:
        """-beta <= s(at) and s(at) <= beta, under at < n."""
        pair = kernel.instantiate(kernel.assume(self.bounded), at)
        return T.parts(kernel.modus(pair, kernel.assume(L.Lt(at, _n))))

    def own_weight(self) -> Theorem:
        """exp(s(i)) = exp(beta)."""
        hole = L.variable("hole", L.Real)
        pattern = L.Eq(L.exp(hole), self.hot)
        reflexive = prove_identity(L.Eq(self.hot, self.hot))
        return T.transport(pattern, hole, kernel.assume(self.own), reflexive)

    def positive(self) -> Theorem:
        """0 < the sum of the row's weights."""
        found = periodic.everywhere(periodic.positive(), lambda x: exp(s(x)), _n)
        value = found.conclusion.args[1]
        return T.discharge(prove_nonneg(L.Lt(0, self.sum), value, [found.conclusion]), found)

    def denominators(self, goal: Node) -> list[Theorem]:
        """0 < what the goal divides by."""
        hot, cold, one = self.hot, self.cold, L.num(1)
        forms = (one + (_n - 1) * hot**2, one + (_n - 1) * cold**2, 2 + (_n - 2) * cold**2)
        return [self._positive(value, forms) for value in divisors(goal) if value != self.sum]

    def _positive(self, value: Node, forms: tuple[Node, ...]) -> Theorem:
        for form in forms:
            try:
                return prove_nonneg(L.Lt(0, value), form)
            except Undecided:
                continue
        raise Undecided(f"no sign for {value}")


@control("inner_products_doubled", score=lambda beta, inner: 2 * beta * inner)
@proves(FLOORS, "scores")
def scores(of: Attention) -> Theorem:
    """|y - z|^2 = 2 - 2 <y, z> and |y + z|^2 = 2 + 2 <y, z>; a sum of squares is 0 term by term."""
    statement = T.inner(T.stated(FLOORS, "scores", of))
    unit, (within, equal) = statement.args[0], statement.args[1].args
    lengths, size = list(unit.args), T.node(d)
    warm = within.args[1].args[1]
    proofs = []
    for side, sign in zip(within.args, (1, -1), strict=True):
        gap = L.total(T.node(c), size, T.node((y(c) + sign * z(c)) ** 2))
        form = warm * gap / 2
        proofs.append(prove_nonneg(side, form, lengths))
    cases = []
    for claim, sign in zip(equal.args, (-1, 1), strict=True):
        reached, agree = claim.args
        gap = L.total(T.node(c), size, T.node((y(c) + sign * z(c)) ** 2))
        zero = prove_identity(L.Eq(gap, 0), [reached, *lengths])
        square = periodic.at(periodic.term_below(), _squares(sign), size, c)
        while square.conclusion.head == "implies":
            premise = square.conclusion.args[0]
            if premise.head == "forall":
                bound, (limit, wanted) = premise.args[0], premise.args[1].args
                each = T.implication(prove_nonneg(wanted, wanted.args[1]), limit)
                square = kernel.modus(square, kernel.generalise(each, bound))
            else:
                square = kernel.modus(square, kernel.assume(premise))
        bound, (limit, meets) = agree.args[0], agree.args[1].args
        difference = T.node(y(c)) + sign * T.node(z(c))
        small = prove_nonneg(
            L.Le(difference**2, 0),
            T.margin(square.conclusion),
            [square.conclusion, zero.conclusion],
        )
        small = T.discharge(small, square, zero)
        nothing = kernel.antisymmetry(small, prove_nonneg(L.Le(0, difference**2), difference**2))
        forward = T.discharge(from_square(meets, nothing), nothing)
        forward = T.generalise(T.implication(forward, limit), bound)
        each = kernel.modus(kernel.instantiate(kernel.assume(agree), bound), kernel.assume(limit))
        product = T.discharge(
            prove_identity(L.Eq(T.node(y(c) * z(c)), -sign * T.node(z(c) ** 2)), [each.conclusion]),
            each,
        )
        summed = kernel.sum_congruence(product, bound, size)
        backward = prove_identity(reached, [summed.conclusion, *lengths])
        cases.append(T.iff(reached, agree, forward, T.discharge(backward, summed)))
    proof = T.both(T.both(*proofs), T.both(*cases))
    return T.implication(T.unpack(proof, unit), unit)


def _squares(sign: int) -> Any:
    return lambda x: (y(x) + sign * z(x)) ** 2


def from_square(goal: Node, square: Theorem) -> Theorem:
    """a = b from (a - b)^2 = 0."""
    a, b = goal.args
    sides = []
    for small, large in ((a, b), (b, a)):
        never = T.contradict([L.Lt(large, small), square.conclusion])
        claim = L.Le(small, large)
        sides.append(T.compare(large, small, T.ex_falso(never, claim), kernel.assume(claim)))
    return kernel.antisymmetry(*sides)


# ---------------------------------------------------------------------- floors
def divisors(goal: Node) -> list[Node]:
    found = []
    if goal.head == "div":
        value = goal.args[1]
        found.append(value.args[0] if value.head == "pow" else value)
    for inner in goal.args:
        if isinstance(inner, Node):
            found += divisors(inner)
    return [value for value in dict.fromkeys(found) if value.head not in ("num", "var")]


def _over(row: Row, goal: Node, above: Node, below: Node, facts: list[Theorem]) -> Theorem:
    """`goal` because its difference is above / sum / below."""
    known = [row.positive(), *row.denominators(goal), *facts]
    form = above / row.sum / below
    return T.discharge(prove_nonneg(goal, form, [f.conclusion for f in known]), *known)


def _terms(row: Row, lemma: Theorem, upper: bool, *names: Node) -> Theorem:
    """The lemma for the terms exp(beta) - exp(s), or for exp(s) - exp(-beta)."""
    low, high = row.limits(_k)
    beta = _beta(row)
    if upper:
        return periodic.below(lemma, lambda x: exp(beta) - exp(s(x)), high, _n, *names)
    return periodic.below(lemma, lambda x: exp(s(x)) - exp(-beta), low, _n, *names)


def _beta(row: Row) -> Any:
    return next(name for name in (theory.beta, theory.warm) if T.node(name) == row.beta)


def _half(n: Any, beta: Any) -> Any:
    return 1 / (1 + (n - 1) * exp(beta))


@control(
    "floor_at_half_the_range",
    {"n": 2, "i": 0, "j": 1, "beta": 1, "s": {0: 1, 1: -1}},
    floor=_half,
)
@control("ceiling_of_the_diagonal", ceiling=lambda n, beta: 1 / (3 + (n - 2) * exp(-2 * beta)))
@proves(FLOORS, "off_diagonal")
def off_diagonal(of: Attention) -> Theorem:
    """Replace the other weights by their extremes; the difference is visibly non-negative."""
    statement = T.inner(T.stated(FLOORS, "off_diagonal", of))
    given, bounds = statement.args
    least, most, half = bounds.args
    row = Row(of, theory.beta)
    E, e = row.hot, row.cold
    low, high = row.limits(_j)
    many, others = _n - 1, _n - 2
    shares = _terms(row, periodic.term_below(), True, _j)
    below = 1 + many * E**2
    above = many * E**2 * T.margin(low.conclusion) + T.margin(shares.conclusion)
    first = _over(row, least, above, below, [low, shares])

    own = row.own_weight()
    pair = _terms(row, periodic.pair_below(), False, _i, _j)
    below = 2 + others * e**2
    above = T.margin(pair.conclusion) + (1 + others * e**2) * T.margin(high.conclusion)
    second = _over(row, most, above, below, [high, pair, own])
    known = row.denominators(half)
    third = prove_nonneg(half, others * e**2 / 2 / below, [f.conclusion for f in known])
    third = T.discharge(third, *known)
    proof = T.both(first, second, third)
    return T.implication(T.unpack_all(proof, given), given)


@control("own_score_lowest", own_score=lambda beta: -beta)
@control("diagonal_floor_doubled", diagonal_floor=lambda n: 2 / n)
@control("sign_of_beta", diagonal_ceiling=lambda n, beta: 1 / (1 + (n - 1) * exp(2 * beta)))
@proves(FLOORS, "diagonal")
def diagonal(of: Attention) -> Theorem:
    """The own weight is exp(beta), the largest of the row."""
    statement = T.inner(T.stated(FLOORS, "diagonal", of))
    given, bounds = statement.args
    least, most, order = bounds.args
    row = Row(of, theory.beta)
    e, own = row.cold, row.own_weight()
    every = kernel.sum_congruence(row.limits(_k)[1], _k, _n)
    first = _over(row, least, T.margin(every.conclusion), _n, [every, own])
    shares = _terms(row, periodic.term_below(), False, _i)
    below = 1 + (_n - 1) * e**2
    second = _over(row, most, T.margin(shares.conclusion), below, [shares, own])
    high = row.limits(_j)[1]
    third = _over(row, order, T.margin(high.conclusion), L.num(1), [high, own])
    proof = T.both(first, second, third)
    return T.implication(T.unpack_all(proof, given), given)


@control("rotated_back_twice", rotation=lambda angle: _reflection(angle))
@proves(FLOORS, "every_angle")
def every_angle(of: Attention) -> Theorem:
    """Rotations by opposite angles cancel, and keep lengths."""
    return prove_each(T.stated(FLOORS, "every_angle", of), prove_identity)


def _reflection(angle: Any) -> Any:
    return Matrix([[cos(angle), sin(angle)], [-sin(angle), 2 * cos(angle)]]).as_immutable()


@control("one_token_too_many", floor=lambda n, beta: 1 / (1 + n * exp(2 * beta)))
@proves(FLOORS, "cold")
def cold(of: Attention) -> Theorem:
    """All scores lie between -0 and 0."""
    statement = T.inner(T.stated(FLOORS, "cold", of))
    given, level = statement.args
    bounded = given.args[0].args[0]

    def one(at: Node) -> Theorem:
        pair = kernel.instantiate(kernel.assume(bounded), at)
        low, high = T.parts(kernel.modus(pair, kernel.assume(L.Lt(at, _n))))
        least = T.discharge(prove_order(L.Le(0, _score(at)), [low.conclusion]), low)
        return _weight_from(kernel.antisymmetry(high, least))

    ones = kernel.sum_congruence(one(_k), _k, _n)
    row = Row(of, Whole(0))
    facts = [ones, one(_j), row.positive()]
    proofs = []
    for part in level.args:
        known = [*facts, _nonzero(facts[2])]
        proofs.append(T.discharge(prove_identity(part, [f.conclusion for f in known]), *known))
    return T.implication(T.unpack_all(T.both(*proofs), given), given)


@lru_cache
def positive_not_zero() -> Theorem:
    """for all x > 0: x != 0."""
    x = L.variable("x", L.Real)
    positive, zero = L.Lt(0, x), L.Eq(x, 0)
    unlike = T.conclude_not(T.contradict([positive, zero]), zero)
    return T.generalise(T.implication(unlike, positive), x)


def _nonzero(positive: Theorem) -> Theorem:
    return T.apply(positive_not_zero(), [positive.conclusion.args[1]], positive)


def _weight_from(equal: Theorem) -> Theorem:
    """exp(a) = exp(b) from a = b."""
    a, b = equal.conclusion.args
    hole = L.variable("hole", L.Real)
    pattern = L.Eq(L.exp(hole), L.exp(b))
    return T.transport(pattern, hole, equal, prove_identity(L.Eq(L.exp(b), L.exp(b))))


@control(
    "floor_at_half_the_range",
    {"n": 2, "i": 0, "j": 1, "beta": 1, "s": {0: 1, 1: -1}},
    floor=_half,
)
@control(
    "diagonal_floor_doubled",
    {"n": 2, "i": 0, "j": 1, "beta": 1, "s": {0: 1, 1: 1}},
    diagonal_floor=lambda n: 2 / n,
)
@proves(FLOORS, "attained")
def attained(of: Attention) -> Theorem:
    """Where the difference of entry and bound vanishes, each of its non-negative parts does."""
    statement = T.inner(T.stated(FLOORS, "attained", of))
    given, claims = statement.args
    row = Row(of, theory.warm)
    lowest, highest, least, most = claims.args
    proof = T.both(
        _lowest(row, lowest), _highest(row, highest), _least(row, least), _most(row, most)
    )
    return T.implication(T.unpack_all(proof, given), given)


def _reaches_top(row: Row, at: Node, form: Node, facts: list[Theorem]) -> Theorem:
    """s(at) = beta, because exp(s(at)) - exp(beta) is the form, which is non-negative."""
    weight = L.exp(_score(at))
    above = prove_nonneg(L.Le(row.hot, weight), form, [f.conclusion for f in facts])
    above = T.apply(exp_reflects(), [row.beta, _score(at)], T.discharge(above, *facts))
    return kernel.antisymmetry(row.scores(at)[1], above)


def _reaches_bottom(row: Row, at: Node, form: Node, facts: list[Theorem]) -> Theorem:
    """s(at) = -beta, because exp(-beta) - exp(s(at)) is the form, which is non-negative."""
    low, weight = row.scores(at)[0], L.exp(_score(at))
    least = low.conclusion.args[0]
    below = prove_nonneg(L.Le(weight, L.exp(least)), form, [f.conclusion for f in facts])
    below = T.apply(exp_reflects(), [_score(at), least], T.discharge(below, *facts))
    return kernel.antisymmetry(below, low)


def _vanishing(row: Row, claim: Node, rest: Node, facts: list[Theorem]) -> Theorem:
    """rest = 0 from an entry that equals its bound."""
    known = [_nonzero(row.positive()), *(_nonzero(d) for d in row.denominators(claim)), *facts]
    given = [claim, *(f.conclusion for f in known)]
    return T.discharge(prove_identity(L.Eq(rest, 0), given), *known)


def _bound_met(row: Row, claim: Node, facts: list[Theorem]) -> Theorem:
    known = [_nonzero(row.positive()), *(_nonzero(d) for d in row.denominators(claim)), *facts]
    return T.discharge(prove_identity(claim, [f.conclusion for f in known]), *known)


def _for_all_but(quantified: Node, proof: Theorem) -> Theorem:
    """A statement about every k < n (but some) from a proof about one k."""
    bound, body = quantified.args
    premises = []
    while body.head == "implies":
        premises.append(body.args[0])
        body = body.args[1]
    renamed = kernel.specialise(proof, {_k: bound})
    return T.generalise(T.implication(renamed, *premises), bound)


def _each(quantified: Node, at: Node) -> Theorem:
    """The statement about one k, under k < n and what it excludes."""
    found = kernel.instantiate(kernel.assume(quantified), at)
    while found.conclusion.head == "implies":
        found = kernel.modus(found, kernel.assume(found.conclusion.args[0]))
    return found


def _only(function: Any, proof: Theorem, at: Node) -> Theorem:
    return periodic.below(periodic.only_term(), function, proof, _n, at)


def _lowest(row: Row, claim: Node) -> Theorem:
    reached, (own, others) = claim.args[0], claim.args[1].args
    E, many = row.hot, _n - 1
    low, high = row.limits(_j)[0], _terms(row, periodic.term_below(), True, _j)
    rest = many * E**2 * T.margin(low.conclusion) + T.margin(high.conclusion)
    zero = _vanishing(row, reached, rest, [])
    first = _reaches_bottom(row, _j, T.margin(high.conclusion) / (many * E**2), [zero, high])
    pair = _terms(row, periodic.pair_below(), True, _k, _j)
    form = T.margin(pair.conclusion) + many * E**2 * T.margin(low.conclusion)
    second = _for_all_but(others, _reaches_top(row, _k, form, [zero, low, pair]))
    forward = T.both(first, second)

    hot = _weight_from(_each(others, _k))
    gone = prove_identity(L.Eq(E - L.exp(_score(_k)), 0), [hot.conclusion])
    gone = T.discharge(gone, hot)
    alone = _only(lambda x: exp(_beta(row)) - exp(s(x)), gone, _j)
    cold = _weight_from(kernel.assume(own))
    backward = T.unpack(_bound_met(row, reached, [alone, cold]), claim.args[1])
    return T.iff(reached, claim.args[1], forward, backward)


def _highest(row: Row, claim: Node) -> Theorem:
    reached, (own, others) = claim.args[0], claim.args[1].args
    E, e, share = row.hot, row.cold, 1 + (_n - 2) * row.cold**2
    first_weight = row.own_weight()
    high, pair = row.limits(_j)[1], _terms(row, periodic.pair_below(), False, _i, _j)
    rest = T.margin(pair.conclusion) + share * T.margin(high.conclusion)
    zero = _vanishing(row, reached, rest, [first_weight])
    first = _reaches_top(row, _j, T.margin(pair.conclusion) / share, [zero, pair])
    triple = _terms(row, periodic.triple_below(), False, _k, _i, _j)
    form = T.margin(triple.conclusion) + share * T.margin(high.conclusion)
    second = _for_all_but(others, _reaches_bottom(row, _k, form, [zero, high, triple]))
    forward = T.both(first, second)

    # (k - i) g(k) and (k - j) g(k) have one term each; their difference is (j - i) g(k).
    beta = _beta(row)
    cold = _weight_from(_each(others, _k))
    sums = []
    for kept, dropped in ((_j, _i), (_i, _j)):
        nothing = L.Eq((L.exp(_score(_k)) - e) * (_k - dropped), 0)
        other = L.Eq(_k, dropped)
        gone = T.discharge(prove_identity(nothing, [cold.conclusion]), cold)
        alone = T.split(other, prove_identity(nothing, [other]), gone)
        name = _names()[dropped]
        sums.append(_only(lambda x, name=name: (exp(s(x)) - exp(-beta)) * (x - name), alone, kept))
    hot = _weight_from(kernel.assume(own))
    distinct = kernel.assume(L.Ne(_i, _j))
    whole = L.Eq(row.sum, E + L.exp(_score(_j)) + (_n - 2) * e)
    facts = [*sums, first_weight, distinct]
    summed = T.discharge(prove_identity(whole, [f.conclusion for f in facts]), *facts)
    backward = T.unpack(_bound_met(row, reached, [summed, hot]), claim.args[1])
    return T.iff(reached, claim.args[1], forward, backward)


def _names() -> dict[Node, Any]:
    return {T.node(name): name for name in (theory.i, theory.j)}


def _least(row: Row, claim: Node) -> Theorem:
    reached, every = claim.args
    E, own = row.hot, row.own_weight()
    share = _terms(row, periodic.term_below(), True, _k)
    zero = _vanishing(row, reached, row.sum - _n * E, [own])
    up = _reaches_top(row, _k, T.margin(share.conclusion), [share, zero])
    forward = _for_all_but(every, up)
    hot = _weight_from(_each(every, _k))
    summed = kernel.sum_congruence(hot, _k, _n)
    return T.iff(reached, every, forward, _bound_met(row, reached, [summed, own]))


def _most(row: Row, claim: Node) -> Theorem:
    reached, others = claim.args
    E, e, own = row.hot, row.cold, row.own_weight()
    whole = row.sum - E - (_n - 1) * e
    zero = _vanishing(row, reached, whole, [own])
    pair = _terms(row, periodic.pair_below(), False, _k, _i)
    form = T.margin(pair.conclusion)
    forward = _for_all_but(others, _reaches_bottom(row, _k, form, [pair, zero, own]))
    cold = _weight_from(_each(others, _k))
    gone = T.discharge(prove_identity(L.Eq(L.exp(_score(_k)) - e, 0), [cold.conclusion]), cold)
    beta = _beta(row)
    alone = _only(lambda x: exp(s(x)) - exp(-beta), gone, _i)
    return T.iff(reached, others, forward, _bound_met(row, reached, [alone, own]))


# ---------------------------------------------------------------------- spectral_bound
def _at(quantified: Node, *indices: Node) -> Theorem:
    """An instance of a statement about indices < n, under index < n."""
    found = kernel.assume(quantified)
    for index in indices:
        found = kernel.instantiate(found, index)
        found = kernel.modus(found, kernel.assume(L.Lt(index, _n)))
    return found


class Pair:
    """A farthest pair p, q of entries of z = v + 1j w, and what two rows of weights make of them.

    Sums inside sums are called by names (P and Q for the row sums, X and Y for the sums of z); at
    the end each name becomes its sum again.
    """

    def __init__(self, given: Node) -> None:
        self.positive, self.floor, self.eigen, far = given.args
        self.largest = far.args[0]
        self.p, self.q = far.args[1].args[0], far.args[2].args[0]
        self.apart = far.args[3]
        self.width = self.apart.args[1]
        self.low, self.mu, self.nu = (L.variable(x, L.Real) for x in ("alpha", "mu", "nu"))
        self.s = 1 - _n * self.low
        dv, dw = self.v(self.p) - self.v(self.q), self.w(self.p) - self.w(self.q)
        self.e = (self.mu * dv - self.nu * dw, self.nu * dv + self.mu * dw)
        self.names = {
            _real("P"): self.row_sum(self.p),
            _real("Q"): self.row_sum(self.q),
            _real("X"): L.total(_k, _n, self.v(_k)),
            _real("Y"): L.total(_k, _n, self.w(_k)),
        }
        self.called = [kernel.assume(L.Eq(whole, x)) for x, whole in self.names.items()]
        self.size = {self.p: _real("P"), self.q: _real("Q")}

    def v(self, at: Node) -> Node:
        return L.sequence("v", at)

    def w(self, at: Node) -> Node:
        return L.sequence("w", at)

    def row_sum(self, row: Node) -> Node:
        return _at(self.positive, row).conclusion.args[1]

    def positive_size(self, row: Node) -> Theorem:
        fact = _at(self.positive, row)
        goal = L.Lt(0, self.size[row])
        return self._with(prove_nonneg(goal, fact.conclusion.args[1], self._facts(fact)), fact)

    def excess(self, row: Node, column: Node) -> tuple[Node, Theorem]:
        """W_ij - alpha D_i, and that it is not negative."""
        fact = _at(self.floor, row, column)
        goal = L.Le(self.low * self.size[row], fact.conclusion.args[1])
        found = self._with(prove_nonneg(goal, T.margin(fact.conclusion), self._facts(fact)), fact)
        return T.margin(goal), found

    def _facts(self, *facts: Theorem) -> list[Node]:
        return [fact.conclusion for fact in (*facts, *self.called)]

    def _with(self, theorem: Theorem, *facts: Theorem) -> Theorem:
        return T.discharge(theorem, *facts)

    def row(self, at: Node) -> list[Theorem]:
        """The images of v and w under a row, and what the names stand for."""
        return [*T.parts(_at(self.eigen, at)), *self.called]

    def image(self, row: Node) -> list[Node]:
        """Coordinates of lambda z_row."""
        v, w = self.v(row), self.w(row)
        return [self.mu * v - self.nu * w, self.nu * v + self.mu * w]

    def length(self) -> Node:
        return self.e[0] ** 2 + self.e[1] ** 2

    def along(self, j: Node, k: Node) -> Node:
        """<e, z_j - z_k>."""
        return self.e[0] * (self.v(j) - self.v(k)) + self.e[1] * (self.w(j) - self.w(k))

    def spelt_out(self, theorem: Theorem) -> Theorem:
        """The names replaced by their sums."""
        theorem = kernel.specialise(theorem, self.names)
        return T.discharge(
            theorem, *(prove_identity(L.Eq(whole, whole)) for whole in self.names.values())
        )


def _real(name: str) -> Node:
    return L.variable(name, L.Real)


def _summed(inequality: Theorem, index: Node, value: Node, rows: list[Theorem]) -> Theorem:
    """0 <= value, the sum of the right sides of `inequality` over index < n."""
    whole = kernel.sum_congruence(inequality, index, _n)
    nothing, form = whole.conclusion.args
    zero = prove_identity(L.Eq(nothing, 0))
    above = prove_nonneg(L.Le(0, form), form - nothing, [whole.conclusion, zero.conclusion])
    above = T.discharge(above, whole, zero)
    facts = [above, *rows]
    return T.discharge(prove_nonneg(L.Le(0, value), form, [f.conclusion for f in facts]), *facts)


def _wide(pair: Pair) -> Theorem:
    """0 <= s^2 (s^2 width - |e|^2): sum |e - s (z_j - z_k)|^2 >= 0 with weights of rows p and q."""
    s, p, q, length = pair.s, pair.p, pair.q, pair.length()
    (first, up), (second, down) = pair.excess(p, _j), pair.excess(q, _k)
    spread = _at(pair.largest, _j, _k)
    x, y = pair.v(_j) - pair.v(_k), pair.w(_j) - pair.w(_k)
    square = (pair.e[0] - s * x) ** 2 + (pair.e[1] - s * y) ** 2
    form = first * second * (square + s**2 * T.margin(spread.conclusion))
    whole = length + s**2 * pair.width
    body = first * second * (whole - 2 * s * pair.along(_j, _k))
    facts = [up, down, spread]
    each = prove_nonneg(L.Le(0, body), form, [f.conclusion for f in facts])
    each = T.discharge(each, *facts)
    image, size = pair.image(q), pair.size[q]
    ahead = pair.e[0] * (s * pair.v(_j) - image[0] + pair.low * _real("X"))
    ahead = ahead + pair.e[1] * (s * pair.w(_j) - image[1] + pair.low * _real("Y"))
    inner = _summed(each, _k, first * size * (s * whole - 2 * s * ahead), pair.row(q))
    value = pair.size[p] * size * (s**2 * (s**2 * pair.width - length))
    return _summed(inner, _j, value, pair.row(p))


def _narrow(pair: Pair) -> list[Theorem]:
    """0 <= D (s (|e|^2 + width) -+ 2 <e, drift>): single weights, for rows p and q."""
    s, p, q, length = pair.s, pair.p, pair.q, pair.length()
    spread = _at(pair.largest, _j, q)
    x, y = pair.v(_j) - pair.v(q), pair.w(_j) - pair.w(q)
    ends = []
    for row, sign in ((p, 1), (q, -1)):
        weight, fact = pair.excess(row, _j)
        square = (pair.e[0] - sign * x) ** 2 + (pair.e[1] - sign * y) ** 2
        form = weight * (square + T.margin(spread.conclusion))
        body = weight * (length + pair.width - 2 * sign * pair.along(_j, q))
        facts = [fact, spread]
        each = prove_nonneg(L.Le(0, body), form, [f.conclusion for f in facts])
        image = pair.image(row)
        drift = pair.e[0] * (image[0] - pair.low * _real("X") - s * pair.v(q))
        drift = drift + pair.e[1] * (image[1] - pair.low * _real("Y") - s * pair.w(q))
        value = pair.size[row] * (s * (length + pair.width) - 2 * sign * drift)
        ends.append(_summed(T.discharge(each, *facts), _j, value, pair.row(row)))
    return ends


_QUARTERS = {
    "n": 2,
    "p": 0,
    "q": 1,
    "alpha": Fraction(1, 4),
    "mu": Fraction(1, 2),
    "nu": 0,
    "W": {0: 3, 1: 1, 2: 1, 3: 3},
    "v": {0: 1, 1: -1},
    "w": 0,
}


@control("one_token_more", _QUARTERS, contraction=lambda n, low: 1 - (n + 1) * low)
@proves(SPECTRAL_BOUND, "eigenvalue")
def eigenvalue(of: Attention) -> Theorem:
    """|e|^2 = |lambda|^2 width for e = lambda (z_p - z_q), a difference of two means of z."""
    statement = T.inner(T.stated(SPECTRAL_BOUND, "eigenvalue", of))
    given, bound = statement.args
    pair = Pair(given)
    zero = L.Eq(pair.s, 0)
    sizes = [pair.positive_size(row) for row in (pair.p, pair.q)]
    P, Q = (pair.size[row] for row in (pair.p, pair.q))
    wide = _wide(pair)
    form = wide.conclusion.args[1] / P / Q / pair.s**2 / pair.width
    known = [wide.conclusion, pair.apart, L.Not(zero), *(f.conclusion for f in sizes)]
    some = T.discharge(prove_nonneg(bound, form, known), wide, *sizes)
    ends = _narrow(pair)
    values = [end.conclusion.args[1] / size for end, size in zip(ends, (P, Q), strict=True)]
    form = (values[0] + values[1]) / 2 / pair.width
    known = [pair.apart, zero, *(f.conclusion for f in (*ends, *sizes))]
    none = T.discharge(prove_nonneg(bound, form, known), *ends, *sizes)
    proof = pair.spelt_out(T.split(zero, none, some))
    return T.implication(T.unpack_all(proof, given), given)


_TWO = {
    "n": 2,
    "p": 0,
    "q": 1,
    "E": 2,
    "mu": Fraction(3, 5),
    "nu": 0,
    "W": {0: 2, 1: Fraction(1, 2), 2: Fraction(1, 2), 3: 2},
    "v": {0: 1, 1: -1},
    "w": 0,
}


@control("one_token_more", _TWO, contraction=lambda n, low: 1 - (n + 1) * low)
@control("floor_at_half_the_range", _TWO, floor=_half)
@proves(SPECTRAL_BOUND, "attention")
def attention(of: Attention) -> Theorem:
    """The floor of a row of weights between 1/E and E, and the bound for weights."""
    statement = T.inner(T.stated(SPECTRAL_BOUND, "attention", of))
    given, goal = statement.args
    limits, eigen, far = given.args
    E, floor = T.node(theory.E), T.node(of.floor(theory.n, log(theory.E)))
    bound = kernel.specialise(eigenvalue.run(of), {_real("alpha"): floor})
    positive, floors = bound.conclusion.args[0].args[:2]

    low, high = T.parts(_at(limits, _i, _j))
    whole = positive.args[1].args[1].args[1]
    least = kernel.sum_congruence(low, _j, _n)
    above = T.discharge(
        prove_nonneg(L.Lt(0, whole), T.margin(least.conclusion) + _n / E, [least.conclusion]),
        least,
    )
    sums = T.generalise(T.implication(above, L.Lt(_i, _n)), _i)

    x = _real("x")
    shares = kernel.realise(periodic.term_below(), "f", x, E - L.sequence("W", _i * _n + x))
    shares = T.apply(shares, [_n, _j])
    bound_name, (limit, wanted) = (
        shares.conclusion.args[0].args[0],
        shares.conclusion.args[0].args[1].args,
    )
    top = kernel.specialise(high, {_j: bound_name})
    each = T.discharge(prove_nonneg(wanted, T.margin(top.conclusion), [top.conclusion]), top)
    shares = kernel.modus(shares, T.generalise(T.implication(each, limit), bound_name))
    shares = kernel.modus(shares, kernel.assume(L.Lt(_j, _n)))

    scaled = floors.args[1].args[1].args[1].args[1]
    denominator = next(value for value in divisors(floor))
    below = prove_nonneg(L.Lt(0, denominator), 1 + (_n - 1) * E**2)
    form = (_n - 1) * E**2 * T.margin(low.conclusion) + T.margin(shares.conclusion)
    facts = [low, shares, below]
    entry = prove_nonneg(scaled, form / denominator, [f.conclusion for f in facts])
    entry = T.discharge(entry, *facts)
    entry = T.generalise(T.implication(entry, L.Lt(_j, _n)), _j)
    entry = T.generalise(T.implication(entry, L.Lt(_i, _n)), _i)
    premises = T.both(sums, entry, kernel.assume(eigen), kernel.assume(far))
    found = kernel.modus(bound, premises)
    facts = [found, below]
    form = T.margin(found.conclusion)
    proof = T.discharge(prove_nonneg(goal, form, [f.conclusion for f in facts]), *facts)
    return T.implication(T.unpack(proof, given), given)


@control("one_token_more", contraction=lambda n, low: 1 - (n + 1) * low)
@control("floor_at_half_the_range", floor=_half)
@proves(SPECTRAL_BOUND, "sharp")
def sharp(of: Attention) -> Theorem:
    """Clear denominators."""
    two, cold = T.node(theory.sharp(of)).args
    return T.both(
        T.generalise(prove_identity(T.inner(two)), *T.outer(two)),
        T.generalise(prove_identity(T.inner(cold)), *T.outer(cold)),
    )


# ---------------------------------------------------------------------- reversible
def _unturned(j: Any, theta: Any) -> Any:
    return 0 * theta


def _backwards(j: Any, theta: Any) -> Any:
    return -j * theta


@control("keys_unrotated", key_turn=_unturned)
@control("keys_rotated_backwards", key_turn=_backwards)
@proves(REVERSIBLE, "relative")
def relative(of: Reversible) -> Theorem:
    """Rotations of one plane add their angles, and keep lengths."""
    offset, symmetric, own = T.inner(T.stated(REVERSIBLE, "relative", of)).args
    unit, goal = own.args
    alone = T.implication(prove_identity(goal, [unit]), unit)
    return T.both(prove_identity(offset), prove_identity(symmetric), alone)


@control("own_score_lowest", own_score=lambda beta: -beta)
@proves(REVERSIBLE, "largest")
def largest(of: Reversible) -> Theorem:
    """|y_i - y_j|^2 = 2 - 2 <y_i, y_j>."""
    given, (own, most) = _opened(T.inner(T.stated(REVERSIBLE, "largest", of)))
    warmer, units, first, second = given.args
    facts = [_at(units, name) for name in (_i, _j)]
    equal = T.discharge(prove_identity(own, [facts[0].conclusion]), facts[0])
    high = gram.between(_i, _j)[1]
    high = kernel.specialise(high, _sizes())
    form = T.node(theory.beta) * T.margin(high.conclusion)
    below = T.discharge(prove_nonneg(most, form, [high.conclusion, warmer]), high)
    return T.implication(T.unpack(T.both(equal, below), given), given)


def _opened(implication: Node) -> tuple[Node, tuple[Node, ...]]:
    return implication.args[0], implication.args[1].args


def _sizes() -> dict[Node, Node]:
    """The variables of the lemmas on Gram matrices, by the names of this topic."""
    return {gram.SIZE: _n, gram.DIMENSION: T.node(d)}


def sum_positive(whole: Node) -> Theorem:
    """0 < a sum over n terms of exponentials, or of such sums."""
    index, upper, body = whole.args
    inner = []
    if body.head == "sum":
        inner = [sum_positive(body)]
    size = T.natural("N", 1)
    statement = L.Lt(0, L.total(index, size, body))
    ends = [L.substitute(body, {index: end}) for end in (L.num(0), size)]
    told = [kernel.specialise(fact, {index: end}) for fact in inner for end in (L.num(0), size)]
    base = prove_nonneg(T.instance(statement, size, 1), ends[0], [f.conclusion for f in told[:1]])
    base = T.discharge(base, *told[:1])
    grown = statement.args[1] + ends[1]
    known = [statement, *(f.conclusion for f in told[1:])]
    step = T.discharge(prove_nonneg(T.instance(statement, size, size + 1), grown, known), *told[1:])
    return kernel.specialise(kernel.induct(size, statement, base, step), {size: upper})


@control(
    "product_of_one_side",
    {
        "n": 2,
        "d": 1,
        "beta": log(2),
        "y": (0, 1),
        "A": (Fraction(1, 2),) * 4,
        "pi": (Fraction(1, 3), Fraction(2, 3)),
    },
    product=lambda near, far: near,
)
@proves(REVERSIBLE, "balance")
def balance(of: Reversible) -> Theorem:
    """The flux from i to j is W_ij over the sum of all weights, and W is symmetric."""
    given, goals = T.inner(T.stated(REVERSIBLE, "balance", of)).args
    entries, shares = given.args
    whole = T.node(total(theory.i, theory.n, of.mass(theory.i)))
    positive = sum_positive(whole)

    def flux(start: Node, end: Node) -> Theorem:
        """pi_start A_(start end) S = W_(start end)."""
        told = [_at(entries, start, end), _at(shares, start)]
        mass = told[1].conclusion.args[1]
        P, a, S, D, W = (T.real(name) for name in "PaSDW")
        entry = next(x for x in told[0].conclusion.args[0].args if x != mass)
        names = {L.sequence("pi", start): P, entry: a, whole: S, mass: D}
        left, right = (_spelt(fact.conclusion.args[0], names) for fact in told)
        lemma = prove_identity(L.Eq(a * P * S, W), [L.Eq(left, W), L.Eq(right, D)])
        terms = {name: term for term, name in names.items()} | {W: told[0].conclusion.args[1]}
        return T.discharge(kernel.specialise(lemma, terms), *told)

    there, back = flux(_i, _j), flux(_j, _i)
    alike = prove_identity(L.Eq(there.conclusion.args[1], back.conclusion.args[1]))
    p, q, S, W, V = (T.real(name) for name in "pqSWV")
    named = [L.Eq(p * S, W), L.Eq(q * S, V), L.Eq(W, V), L.Lt(0, S)]
    lemma = T.discharge(
        prove_identity(L.Eq(p, q), [*named[:3], L.Ne(S, 0)]),
        T.apply(positive_not_zero(), [S], kernel.assume(named[3])),
    )
    sides = [side.conclusion.args[0].args[0] for side in (there, back)]
    names = {p: sides[0], q: sides[1], S: whole}
    names = {**names, W: there.conclusion.args[1], V: back.conclusion.args[1]}
    facts = [there, back, alike, positive]
    even = T.discharge(kernel.specialise(lemma, names), *facts)

    # the sum over j of pi_j A_ji S is the sum of W_ji, which is D_i
    column = kernel.sum_congruence(back, _j, _n)
    weight = back.conclusion.args[1]
    summed = prove_identity(L.Eq(L.total(_j, _n, weight), T.node(of.mass(theory.i))))
    outside = T.taken_out(_j, _n, sides[1], whole)
    share = _at(shares, _i)
    x, f, w, D = (T.real(name) for name in "xfwD")
    mass = share.conclusion.args[1]
    product = _spelt(share.conclusion.args[0], {L.sequence("pi", _i): p, whole: S})
    equations = [L.Eq(f, w), L.Eq(w, D), L.Eq(f, S * x), L.Eq(product, D)]
    lemma = T.discharge(
        prove_identity(L.Eq(x, p), [*equations, L.Ne(S, 0)]),
        T.apply(positive_not_zero(), [S], kernel.assume(named[3])),
    )
    names = {x: L.total(_j, _n, sides[1]), p: L.sequence("pi", _i), S: whole}
    names = {**names, f: column.conclusion.args[0], w: column.conclusion.args[1]}
    names[D] = mass
    facts = [column, summed, outside, share, positive]
    kept = T.discharge(kernel.specialise(lemma, names), *facts)
    inside = T.both(_bounded(even, _j), kept)
    proof = _bounded(inside, _i)
    return T.implication(T.unpack(proof, given), given)


def _spelt(product: Node, names: dict[Node, Node]) -> Node:
    """A product with names in place of its factors."""
    return Node(product.head, tuple(names[factor] for factor in product.args))


def _bounded(theorem: Theorem, name: Node) -> Theorem:
    return T.generalise(T.implication(theorem, L.Lt(name, _n)), name)


@control(
    "root_not_squared",
    {"n": 2, "d": 1, "beta": 0, "y": 0, "A": Fraction(1, 2), "rho": 2},
    squared=lambda root: root,
)
@proves(REVERSIBLE, "similar")
def similar(of: Reversible) -> Theorem:
    """sqrt(D_i) / D_i = 1 / sqrt(D_i)."""
    given, goals = T.inner(T.stated(REVERSIBLE, "similar", of)).args
    entries, roots = given.args
    told = [_at(entries, _i, _j), _at(roots, _i)]
    a, D, W = (T.real(name) for name in "aDW")
    u, v = L.variable("u", Positive), L.variable("v", Positive)
    lemma = prove_identity(L.Eq(a * u / v, W / (u * v)), [L.Eq(a * D, W), L.Eq(u**2, D)])
    weight, mass = told[0].conclusion.args[1], told[1].conclusion.args[1]
    rho = [L.sequence("rho", at, Positive) for at in (_i, _j)]
    entry = told[0].conclusion.args[0].args[0]
    names = {a: entry, D: mass, W: weight, u: rho[0], v: rho[1]}
    found = T.discharge(kernel.specialise(lemma, names), *told)
    proof = _bounded(_bounded(found, _j), _i)
    return T.implication(T.unpack(proof, given), given)


@control(
    "product_of_one_side",
    {"n": 2, "d": 1, "M": 1, "x": (1, -2), "y": (1, 2)},
    product=lambda near, far: near,
)
@proves(REVERSIBLE, "schur_powers")
def schur_powers(of: Reversible) -> Theorem:
    """Entry by entry a power of G is a Gram matrix of tensor powers of the vectors."""
    goal = T.inner(T.stated(REVERSIBLE, "schur_powers", of))
    found = gram.schur_power()
    found = kernel.specialise(found, {gram.SHIFT: L.num(0), gram.STEP: L.num(1)})
    found = T.discharge(found, *(kernel.ground(h) for h in found.hypotheses))
    found = kernel.specialise(found, _sizes())
    return T.discharge(gram.moved_to(found, goal), found)


def _form_above(of: Reversible, beta: Any, goal: Node) -> Theorem:
    """0 <= beta, unit lengths |- 0 <= the form of W, as the goal writes it."""
    found = kernel.specialise(gram.exponential_form(T.node(beta)), _sizes())
    return T.discharge(gram.moved_to(found, goal), found)


def _negated(beta: Any, inner: Any) -> Any:
    return -beta * inner


#: Two opposite tokens, where exp(-beta G) has the eigenvector (1, -1) of a negative eigenvalue.
_OPPOSITE = {"n": 2, "d": 1, "p": 0, "beta": log(2), "y": (1, -1), "x": (1, -1)}


@control("inner_product_negated", _OPPOSITE, score=_negated)
@proves(REVERSIBLE, "semidefinite")
def semidefinite(of: Reversible) -> Theorem:
    """(1 + t G)^M is one, and exp(beta G) is within 1/M of it for t = beta / M."""
    given, goal = T.inner(T.stated(REVERSIBLE, "semidefinite", of)).args
    found = _form_above(of, theory.beta, goal)
    return T.implication(T.unpack(found, given), given)


def equal_entries(square: Node, size: Node, zero: Theorem) -> Theorem:
    """x_i = x_j under i, j < n, if the sum over i, j of `square` = weight (x_j - x_i)^2 is 0."""
    weight, gap = square.args
    above = prove_nonneg(L.Le(0, square), square)
    inner = T.term_below_sum(square, _j, size)
    inner = T.discharge(inner, _within(above, _j, size))
    outer = T.term_below_sum(L.total(_j, size, square), _i, size)
    outer = T.discharge(outer, _within(kernel.project(inner, 0), _i, size))
    first = kernel.modus(T.apply(kernel.project(outer, 1), [_i]), kernel.assume(L.Lt(_i, size)))
    second = kernel.modus(T.apply(kernel.project(inner, 1), [_j]), kernel.assume(L.Lt(_j, size)))
    known = [first, second, zero]
    form = (T.margin(first.conclusion) + T.margin(second.conclusion)) / weight
    ends = L.sequence("x", _i), L.sequence("x", _j)
    apart = (ends[0] - ends[1]) ** 2
    small = prove_nonneg(L.Le(apart, 0), form, [fact.conclusion for fact in known])
    nothing = kernel.antisymmetry(T.discharge(small, *known), prove_nonneg(L.Le(0, apart), apart))
    return T.discharge(from_square(L.Eq(*ends), nothing), nothing)


def _within(theorem: Theorem, name: Node, size: Node) -> Theorem:
    return T.generalise(T.implication(theorem, L.Lt(name, size)), name)


@control("inner_product_negated", {**_OPPOSITE, "mu": Fraction(-3, 5)}, score=_negated)
@proves(REVERSIBLE, "spectrum")
def spectrum(of: Reversible) -> Theorem:
    """mu sum D x^2 = x^T W x, and sum W_ij (x_i - x_j)^2 is twice (1 - mu) sum D x^2."""
    given, goals = T.inner(T.stated(REVERSIBLE, "spectrum", of)).args
    warmer, units, images, limit, nonzero = given.args
    inside, constant = goals.args
    weight, mass = T.node(of.weight(theory.i, theory.j)), T.node(of.mass(theory.i))
    x, value = lambda at: L.sequence("x", at), T.node(theory.mu)
    square = weight * (x(_j) - x(_i)) ** 2
    term = mass * x(_i) ** 2
    whole = L.total(_i, _n, term)
    form = T.node(of.form(of.weight))
    squares = L.total(_i, _n, L.total(_j, _n, square))

    each = _at(images, _i)
    scaled = L.Eq(x(_i) * each.conclusion.args[0], value * term)
    row = T.discharge(prove_identity(scaled, [each.conclusion]), each)
    summed = kernel.sum_congruence(row, _i, _n)
    energy = L.Eq(form, value * whole)
    energy = T.discharge(prove_identity(energy, [summed.conclusion]), summed)
    swapped = L.total(_i, _n, L.total(_j, _n, weight * x(_j) ** 2))
    swapped = kernel.exchange(swapped)
    split = L.Eq(squares, 2 * whole - 2 * form)
    split = T.discharge(prove_identity(split, [swapped.conclusion]), swapped)

    # 0 < sum D x^2, because of the term of p
    positive = kernel.specialise(sum_positive(mass), {})
    above = T.discharge(prove_nonneg(L.Le(0, term), term, [positive.conclusion]), positive)
    terms = T.discharge(T.term_below_sum(term, _i, _n), _within(above, _i, _n))
    at = T.node(theory.p)
    one = kernel.modus(T.apply(kernel.project(terms, 1), [at]), kernel.assume(limit))
    there = kernel.specialise(positive, {_i: at})
    some = T.margin(one.conclusion) + there.conclusion.args[1] * x(at) ** 2
    facts = [one, there]
    some = prove_nonneg(L.Lt(0, whole), some, [*(f.conclusion for f in facts), nonzero])
    some = T.discharge(some, *facts)

    F, Q, S, mu = (T.real(name) for name in ("F", "Q", "S", "m"))
    names = {F: form, Q: whole, S: squares, mu: value}
    known = [L.Lt(0, Q), L.Eq(F, mu * Q), L.Eq(S, 2 * Q - 2 * F), L.Le(0, F), L.Le(0, S)]
    low = prove_nonneg(L.Le(0, mu), F / Q, known)
    high = prove_nonneg(L.Le(mu, 1), S / Q / 2, known)
    flat = prove_identity(L.Eq(S, 0), [*known[1:3], L.Eq(mu, 1)])
    least = _form_above(of, theory.beta, L.Le(0, form))
    sums = prove_nonneg(L.Le(0, squares), squares)
    lemmas = [some, energy, split, least, sums]
    low, high, flat = (T.discharge(kernel.specialise(f, names), *lemmas) for f in (low, high, flat))
    equal = equal_entries(square, _n, flat)
    equal = _within(_within(equal, _j, _n), _i, _n)
    equal = T.implication(equal, constant.args[0])
    proof = T.both(T.both(low, high), equal)
    return T.implication(T.unpack(proof, given), given)


@control(
    "numbers_of_one_sign",
    {"n": 2, "d": 1, "p": 0, "q": 1, "beta": 1, "y": 1, "v": (1, 1)},
    opposite=1,
)
@proves(REVERSIBLE, "degenerate")
def degenerate(of: Reversible) -> Theorem:
    """W_ij v_j = W_ip v_j for all j, and the sum of v is 0."""
    given, goal = T.inner(T.stated(REVERSIBLE, "degenerate", of)).args
    same, first, second, apart, numbers = given.args
    p, q = T.node(theory.p), T.node(theory.q)
    one, minus, others = numbers.args
    v = lambda at: L.sequence("v", at)  # noqa: E731
    place = T.node(c)
    agree = kernel.modus(T.at(same, place), kernel.assume(L.Lt(place, T.node(d))))
    left, right = (T.node(of.inner(theory.i, at)) for at in (theory.q, theory.p))
    body = L.Eq(left.args[2], right.args[2])
    inner = T.discharge(prove_identity(body, [agree.conclusion]), agree)
    inner = kernel.sum_congruence(inner, place, T.node(d))
    weights = [T.node(of.weight(theory.i, at)) for at in (theory.q, theory.p)]
    hole = T.real("hole")
    beta = T.node(theory.beta)
    reflexive = prove_identity(L.Eq(L.exp(beta * right), weights[1]))
    alike = T.transport(L.Eq(L.exp(beta * hole), weights[1]), hole, inner, reflexive)
    alike = T.discharge(prove_same(L.Eq(weights[0], weights[1]), alike.conclusion), alike)

    here = T.node(of.weight(theory.i, theory.j))
    claim = L.Eq(v(_j) * here, v(_j) * weights[1])
    at_p = T.prove_at(claim, _j, p)
    at_q = kernel.leibniz(
        T.discharge(prove_identity(L.substitute(claim, {_j: q}), [alike.conclusion]), alike),
        claim,
        _j,
        L.Eq(_j, q),
    )
    zero = _elsewhere(others, _j)
    gone = T.discharge(prove_identity(claim, [zero.conclusion]), zero)
    term = T.split(L.Eq(_j, p), at_p, T.split(L.Eq(_j, q), at_q, gone))

    # (k - q) v_k and (k - p) v_k have one term each; their difference is (p - q) v_k
    sums = []
    for kept, dropped in ((p, q), (q, p)):
        nothing = L.Eq((_k - dropped) * v(_k), 0)
        other = L.Eq(_k, dropped)
        zero = _elsewhere(others, _k)
        gone = T.discharge(prove_identity(nothing, [zero.conclusion]), zero)
        alone = T.split(other, prove_identity(nothing, [other]), gone)
        name = {p: theory.p, q: theory.q}[dropped]
        sums.append(_only(lambda at, name=name: (at - name) * theory.v(at), alone, kept))
    count = L.total(_k, _n, v(_k))
    facts = [*sums]
    nothing = prove_identity(L.Eq(count, 0), [*(f.conclusion for f in facts), one, minus, apart])
    nothing = T.discharge(nothing, *facts)
    column = kernel.sum_congruence(term, _j, _n)
    outside = T.taken_out(_j, _n, v(_j), weights[1])
    a, b, w, s = (T.real(name) for name in "abws")
    lemma = prove_identity(L.Eq(a, 0), [L.Eq(a, b), L.Eq(b, w * s), L.Eq(s, 0)])
    names = {a: column.conclusion.args[0], b: column.conclusion.args[1], w: weights[1], s: count}
    row = T.discharge(kernel.specialise(lemma, names), column, outside, nothing)
    inside = goal.args[0].args[2]
    row = T.discharge(prove_identity(L.Eq(inside, 0), [row.conclusion]), row)
    whole = kernel.sum_congruence(row, _i, _n)
    none = prove_identity(L.Eq(whole.conclusion.args[1], 0))
    proof = T.discharge(_chained(whole, none), whole, none)
    return T.implication(T.unpack_all(proof, given), given)


def _chained(first: Theorem, second: Theorem) -> Theorem:
    """a = c from a = b and b = c, by names."""
    a, b, e = (T.real(name) for name in "abe")
    lemma = prove_identity(L.Eq(a, e), [L.Eq(a, b), L.Eq(b, e)])
    values = (*first.conclusion.args, second.conclusion.args[1])
    return kernel.specialise(lemma, dict(zip((a, b, e), values, strict=True)))


def _elsewhere(others: Node, at: Node) -> Theorem:
    """v(at) = 0, under at < n and at being neither p nor q."""
    found = kernel.modus(T.at(others, at), kernel.assume(L.Lt(at, _n)))
    return kernel.modus(found, T.both(*(kernel.assume(x) for x in found.conclusion.args[0].args)))


@control("inner_product_negated", {**_OPPOSITE, "c": 0}, score=_negated)
@proves(REVERSIBLE, "definite")
def definite(of: Reversible) -> Theorem:
    """W is at least a multiple of every Schur power of 1 + G, and those tend to the diagonal."""
    given, goal = T.inner(T.stated(REVERSIBLE, "definite", of)).args
    found = gram.definite_form(T.node(theory.warm), T.node(theory.p))
    found = kernel.specialise(found, _sizes())
    found = T.discharge(gram.moved_to(found, goal), found)
    return T.implication(T.unpack(found, given), given)
