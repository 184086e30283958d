"""Proofs of `theory.symplectic.tiles`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import sympy

from posproof.proofs_check import kernel, rounded
from posproof.proofs_check import rounded_channels as channels
from posproof.proofs_check import tactics as T
from posproof.proofs_check.exponentials import exponent_of, raised, strictly_ordered
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import (
    And,
    Eq,
    ForAll,
    Implies,
    Int,
    Le,
    Lt,
    Node,
    exp,
    num,
    power,
    substitute,
    variable,
)
from posproof.proofs_check.rounded import Carried, plus, within
from posproof.proofs_check.rounded_statements import Grown, converted, is_rounding
from posproof.proofs_check.search import prove_identity, prove_nonneg, prove_order
from posproof.proofs_check.symplectic.rebasing import (
    AT_HOME,
    FAR_CORNER,
    UNIT,
    factor_limits,
    growing_key,
    rate_factors,
)
from posproof.theory.symbols import sequence
from posproof.theory.symplectic import rebasing
from posproof.theory.symplectic import tiles as statements
from posproof.theory.symplectic.rebasing import Execution
from posproof.theory.symplectic.tiles import TILES
from posproof.theory.vocabulary import control, proves

node = T.node
hole = T.real("hole")


# ---------------------------------------------------------------------- controls
def _rate_forgotten(r: Any, B: Any, D: Any) -> Any:
    return rebasing.block_factor(1, B, D)


def _entry_point() -> dict[str, Any]:
    """A tile entry that is one product of ones."""
    grown, one = Grown(UNIT), sympy.Integer(1)
    rebasing.channel(grown, one, one, one, one, one)
    entry: dict[str, Any] = {"n": 1, "N": 1, "i": 0, "M": 1, "x": 1, "y": 1, "s": 1, "A": 1, "c": 1}
    entry |= {"v": Fraction(str(grown.results[-1])), "left": 0, "right": 0}
    results = {name: Fraction(str(value)) for name, value in grown.point().items()}
    return AT_HOME | results | entry


ONE_ENTRY = {"n": 1, "B": 3, "D": 1, "a": 0, "b": 2, "x": 1, "y": 1, "r": 1}
ONE_FOR_BOTH = {"r": 1, "R": 2, "B": 1, "D": 1, "a": 0, "b": 0, "g": sympy.exp(-1)}


# ---------------------------------------------------------------------- products of tiles
@control("growing_key", ONE_ENTRY, key=growing_key)
@proves(TILES, "tile")
def tile(of: Execution) -> Theorem:
    statement = statements.tile(of)
    return T.generalise(prove_identity(T.inner(statement)), *T.outer(statement))


@control("rate_forgotten", ONE_FOR_BOTH, block=_rate_forgotten)
@proves(TILES, "folding")
def folding(of: Execution) -> Theorem:
    """The number would be both block factors, and the exponential is increasing."""
    names, claim = T.unquantified(statements.folding(of))
    premise, goal = claim.args
    apart, first, second = premise.args
    of_factors = (rebasing.r, rebasing.R, rebasing.B, rebasing.D, statements.g)
    r, R, B, D, g = map(node, of_factors)
    factors = [exp(num(-1) * B * D * rate) for rate in (r, R)]
    equal = [
        prove_identity(Eq(g, factor), [fact])
        for factor, fact in zip(factors, (first, second), strict=True)
    ]
    branches = []
    for small, large in ((r, R), (R, r)):
        given = Lt(small, large)
        rises = raised(
            Lt(exp(num(-1) * B * D * large), exp(num(-1) * B * D * small)), given, apart, degree=3
        )
        same = T.discharge(
            prove_identity(Eq(*rises.conclusion.args), [e.conclusion for e in equal]), *equal
        )
        pair = [rises.conclusion, same.conclusion]
        clash = prove_nonneg(Lt(0, num(0)), T.margin(pair[0]), pair)
        branches.append(T.ex_falso(T.discharge(clash, rises, same), goal))
    proof = T.three_ways(r, R, branches[0], T.assume(goal), branches[1])
    return T.generalise(T.closed(proof, premise), *names)


@control("growing_key", FAR_CORNER | {"b": 0}, key=growing_key)
@proves(TILES, "diagonal")
def diagonal(of: Execution) -> Theorem:
    inside, last, finite = node(statements.diagonal(of)).args
    names, claim = T.unquantified(inside)
    premise, goal = claim.args
    most, causal = goal.args
    given = T.conjuncts(premise)
    proofs = []
    for bound, facts in ((most, given), (causal.args[1], [*given, causal.args[0]])):
        product, limit = bound.args
        exponent = exponent_of(product)
        small = raised(Le(exp(exponent), limit), *facts)
        equal = prove_identity(Eq(product, exp(exponent)))
        proofs.append(T.transport(Le(hole, limit), hole, equal, small))
    proofs[1] = T.implication(proofs[1], causal.args[0])
    found = [T.generalise(T.closed(T.both(*proofs), premise), *names)]
    found.append(T.generalise(prove_identity(T.inner(last)), *T.outer(last)))
    names, claim = T.unquantified(finite)
    below, order = claim.args
    # Both sides say e^(sum) < e^(log T).
    exponent, logarithm = order.args
    image = Lt(exp(exponent), exp(logarithm))
    even = _same_strict(below, image)
    rises = T.apply(strictly_ordered(), [exponent, logarithm])
    found.append(T.generalise(T.chained(even, T.turned(rises)), *names))
    return T.both(*found)


def _same_strict(left: Node, right: Node) -> Theorem:
    """Two inequalities with equal sides."""
    forward = prove_nonneg(right, T.margin(left), [left])
    return T.iff(left, right, forward, prove_nonneg(left, T.margin(right), [right]))


# ---------------------------------------------------------------------- sums in any order
class _Program:
    """A tile entry as a list of nodes: n products, then sums of earlier nodes."""

    def __init__(self, statement: Any, model: rounded.Model, underflow: Node, less: Node) -> None:
        self.names, claim = T.unquantified(statement)
        self.premise, self.goal = claim.args
        self.model, self.underflow, self.less = model, underflow, less
        parts = T.conjuncts(self.premise)
        self.products, self.additions = (part for part in parts if part.head == "forall")
        self.given = [part for part in parts if part.head != "forall"]
        self.format = [channels.FORMAT[0]] if model.omega is None else list(channels.FORMAT)
        self.i = node(rebasing.i)

    def value(self, term: Any, at: Node) -> Node:
        return T.instance(term(rebasing.i), rebasing.i, at)

    def reach(self, at: Node, count: Node) -> Node:
        """(1 + u)^(c + 6) (A + c U) - u omega."""
        size = self.value(statements.A, at) + count * self.underflow
        return power(1 + channels.u, count + 6) * size - self.less

    def bound(self, at: Node, count: Node) -> Node:
        exact, size = self.value(statements.S, at), self.value(statements.A, at)
        gap = self.value(statements.V, at) - exact
        return And(within(gap, self.reach(at, count) - size), within(exact, size))

    def claim(self, at: Node) -> Node:
        return self.bound(at, self.value(statements.count, at))

    def at_count(self, at: Node, equation: Theorem, proof: Theorem) -> Theorem:
        """The claim from its proof with the number of leaves written otherwise."""
        leaves = variable("leaves", Int(1))
        return T.transport(self.bound(at, leaves), leaves, equation, proof)

    def carried(self, at: Node, known: Theorem) -> Carried:
        near, sized = T.parts(known)
        count = self.value(statements.count, at)
        exact, size = self.value(statements.S, at), self.value(statements.A, at)
        return Carried(
            self.value(statements.V, at), exact, size, self.reach(at, count), near, sized
        )

    def product(
        self, entry: Theorem, lemmas: Sequence[Theorem], factors: dict[str, Node]
    ) -> Theorem:
        """i < n |- the claim for a product."""
        i = self.i
        told = T.apply(T.assume(self.products), [i], T.assume(self.products.args[1].args[0]))
        parts = T.parts(told)
        roundings, own = parts[:7], parts[7:]
        values: dict[Node, Node] = {}
        facts = [*lemmas, *own]
        for name, term in (("x", statements.X), ("y", statements.Y)):
            number = self.value(term, i)
            size = Node("abs", (number,))
            values |= {getattr(channels, name): number, getattr(channels, name.upper()): size}
            facts += T.parts(rounded.absolute(number))
        values |= {getattr(channels, name): factor for name, factor in factors.items()}
        values |= {
            z: self.value(sequence(f"z{place}"), i)
            for place, z in enumerate(channels.RESULTS, start=1)
        }
        found = T.discharge(kernel.specialise(entry, values), *facts)
        for fact, said in zip(
            _in_order(found.hypotheses, list(values.values())[-7:]), roundings, strict=True
        ):
            found = T.discharge(found, rounded.restated(fact, said))
        goal = self.bound(i, num(1))
        equations = [fact for fact in own if fact.conclusion.head == "eq"]
        known = [fact.conclusion for fact in equations]
        sides = []
        for side, near in zip(T.conjuncts(goal), T.all_parts(found), strict=True):
            form = T.margin(near.conclusion)
            proof = prove_nonneg(side, form, [*known, near.conclusion])
            sides.append(T.discharge(proof, near, *equations))
        return self.at_count(i, equations[3], T.gathered(goal, sides))

    def addition(self, known: Theorem) -> Theorem:
        """n <= i, i < N, i <= m |- the claim for a sum, from the claim for all i < m."""
        i, N = self.i, node(statements.nodes)
        m = known.conclusion.args[1].args[0].args[1]
        told = T.apply(T.assume(self.additions), [i], T.assume(self.additions.args[1].args[0]))
        first, second, stored, *equations = T.parts(told)
        equations, room = equations[:3], equations[3:]
        before, counts = [], []
        for earlier, term in ((first, statements.left), (second, statements.right)):
            at = self.value(term, i)
            near = [earlier.conclusion, Le(i, m), Lt(i, N)]
            inside = (prove_order(Lt(at, limit), near, degree=1) for limit in (m, N))
            claim = T.apply(known, [at], *(T.discharge(proof, earlier) for proof in inside))
            before.append(self.carried(at, claim))
            counts.append(self.value(statements.count, at))
        # (1 + u)(P H + P' H') <= P'' (H + H') where P'' has both exponents.
        grown, sizes = [_grows(count) for count in counts], [_not_negative(x) for x in before]
        lemmas = [*grown, *sizes]
        form = num(2) * channels.u * self.less
        for number, count, other in zip(before, counts, reversed(grown), strict=True):
            weight = power(1 + channels.u, count + 6)
            size = number.size + count * self.underflow
            form = form + weight * size * T.margin(other.conclusion)
        known_facts = [*self.format, *(x.conclusion for x in lemmas)]
        total, z = plus(*before), self.value(statements.V, i)
        limits = self.limits(before, total, counts, grown, known_facts, [*equations, *room])
        limits = [T.discharge(limit, *lemmas, *equations, *room) for limit in limits]
        found = rounded.rounded(total, z, self.model, limits, below=bool(room))
        rule = rounded.rounds(self.model, z, total.value)
        carried = T.discharge(T.both(found.near, found.sized), rounded.restated(rule, stored))
        goal, sides = self.bound(i, counts[0] + counts[1]), []
        for place, (side, fact) in enumerate(
            zip(T.conjuncts(goal), T.all_parts(carried), strict=True)
        ):
            whole = T.margin(fact.conclusion) + (form if place < 2 else num(0))
            facts = [*(e.conclusion for e in equations[:2]), fact.conclusion, *known_facts]
            proof = prove_nonneg(side, whole, facts)
            sides.append(T.discharge(proof, fact, *lemmas, *equations))
        return self.at_count(i, equations[2], T.gathered(goal, sides))

    def limits(
        self,
        before: Sequence[Carried],
        total: Carried,
        counts: Sequence[Node],
        grown: Sequence[Theorem],
        known: Sequence[Node],
        told: Sequence[Theorem],
    ) -> list[Theorem]:
        """omega <= H + H' + omega <= Omega, where the model asks for it."""
        omega, Omega = self.model.omega, self.model.Omega
        if omega is None or Omega is None:
            return []
        size, near = total.reach + omega, T.all_parts(total.near)
        facts = [fact.conclusion for fact in near]
        sign = prove_order(Le(0, total.reach - total.size), facts, degree=1)
        form = T.margin(sign.conclusion) + total.size
        normal = prove_nonneg(Le(omega, size), form, [*known, sign.conclusion])
        normal = T.discharge(normal, T.discharge(sign, *near))

        equation, fits = told[2], told[3]
        leaves = variable("leaves", Int(1))
        whole = self.value(statements.A, self.i)

        def room(count: Node) -> Node:
            reach = power(1 + channels.u, count + 6) * (whole + count * self.underflow)
            return Le(reach + omega, Omega)

        turned = prove_identity(Eq(*reversed(equation.conclusion.args)), [equation.conclusion])
        restated = rounded.restated(room(equation.conclusion.args[0]), fits)
        fits = T.transport(room(leaves), leaves, T.discharge(turned, equation), restated)
        form = T.margin(fits.conclusion) + num(2) * self.less
        for number, count, other in zip(before, counts, reversed(grown), strict=True):
            weight = power(1 + channels.u, count + 6) * (T.margin(other.conclusion) + channels.u)
            form = form + weight * (number.size + count * self.underflow)
        facts = [*known, fits.conclusion, told[1].conclusion]
        large = prove_nonneg(Le(size, Omega), form, facts)
        return [normal, T.discharge(large, fits)]

    def proof(self, product: Theorem) -> Theorem:
        """Every node, by induction over the nodes before it."""
        i, m, N = self.i, T.natural("m'"), node(statements.nodes)

        def earlier(limit: Node) -> Node:
            return ForAll(i, Implies(Lt(i, limit), Implies(Lt(i, N), self.claim(i))))

        inside, before = Lt(i, N), Lt(i, m + 1)
        step = kernel.integer_step(T.assume(before))
        close = T.discharge(prove_order(Le(i, m), [step.conclusion], degree=1), step)
        late = self.addition(T.assume(earlier(m)))
        n = node(rebasing.n)
        late = T.discharge(late, T.both(T.assume(Le(n, i)), T.assume(inside)))
        whole = T.discharge(T.compare(i, n, product, late), close)
        whole = T.generalise(T.implication(whole, before, inside), i)
        none = T.contradict([Lt(i, num(0))], degree=1)
        none = T.implication(T.ex_falso(none, self.claim(i)), Lt(i, num(0)), inside)
        every = kernel.induct(m, earlier(m), T.generalise(none, i), whole)
        every = kernel.specialise(every, {m: N})
        at = T.parts(T.apply(every, [i], T.assume(inside), T.assume(inside)))[0]
        sides = []
        for side, fact in zip(T.inner(self.goal).args[1].args, T.parts(at), strict=True):
            form = T.margin(fact.conclusion) + self.less
            proof = prove_nonneg(side, form, [*self.format, fact.conclusion])
            sides.append(T.discharge(proof, fact))
        at = T.discharge(T.both(*sides), *converted(self.format, self.given))
        at = T.implication(at, inside)
        found = T.closed(T.generalise(at, i), self.premise)
        return T.generalise(found, *self.names)


def _in_order(facts: Sequence[Node], results: Sequence[Node]) -> list[Node]:
    """The premises on roundings, in the order of their results."""
    own = [fact for fact in facts if is_rounding(fact)]
    return sorted(own, key=lambda fact: max(k for k, z in enumerate(results) if _holds(fact, z)))


def _holds(term: Node, part: Node) -> bool:
    return term == part or any(_holds(a, part) for a in term.args if isinstance(a, Node))


@lru_cache
def _power_grows() -> Theorem:
    """0 < u |- 1 + u <= (1 + u)^c for integers c >= 1."""
    c, u = T.natural("c", 1), channels.u
    claim, positive = Le(1 + u, power(1 + u, c)), Lt(0, u)
    base = kernel.weaken(prove_nonneg(substitute(claim, {c: num(1)}), num(0)), [positive])
    form = T.margin(claim) + u * (T.margin(claim) + (1 + u))
    step = prove_nonneg(substitute(claim, {c: c + 1}), form, [claim, positive])
    return kernel.induct(c, claim, base, step)


def _grows(count: Node) -> Theorem:
    return kernel.specialise(_power_grows(), {T.natural("c", 1): count})


def _not_negative(number: Carried) -> Theorem:
    """0 <= size, from -size <= exact <= size."""
    low, high = T.parts(number.sized)
    proof = prove_order(Le(0, number.size), [low.conclusion, high.conclusion], degree=1)
    return T.discharge(proof, low, high)


@control("two_roundings", _entry_point(), entry_roundings=2)
@proves(TILES, "entries")
def entries(of: Execution) -> Theorem:
    """Seven roundings a product, and one for each sum above it: at most as many as leaves."""
    told = _Program(statements.entries(of), channels.STANDARD, num(0), num(0))
    positives = []
    for term in (statements.X, statements.Y):
        size = Node("abs", (told.value(term, told.i),))
        positives.append(prove_nonneg(Le(0, size), size))
    rate = statements.rate(rebasing.i)
    product = told.product(channels.normal_entry(), positives, rate_factors(of, rate))
    return told.proof(product)


@control("two_roundings", _entry_point(), entry_roundings=2)
@proves(TILES, "underflow")
def underflow(of: Execution) -> Theorem:
    """The same, with what each product and each sum may lose below the normal numbers."""
    u, omega = channels.u, channels.omega
    told = _Program(statements.underflow(of), channels.ROUNDED, channels.UNDERFLOW, u * omega)
    M = node(statements.M)
    i = told.i
    one, room = converted(channels.INPUTS[:2], told.given)
    positive = prove_nonneg(Lt(0, M), T.margin(one.conclusion) + 1, [one.conclusion])
    own = T.parts(T.apply(T.assume(told.products), [i], T.assume(told.products.args[1].args[0])))
    lemmas = [one, room, T.discharge(positive, one), *converted(channels.FORMAT, told.given)]
    for place, term in ((13, statements.X), (15, statements.Y)):
        number = told.value(term, i)
        size = Node("abs", (number,))
        bound = rounded.absolute_at_most(number, M)
        lemmas += [prove_nonneg(Le(0, size), size), T.discharge(bound, *own[place : place + 2])]
    rate = statements.rate(rebasing.i)
    rates = [fact.conclusion for fact in own[11:13]]
    lemmas += [
        T.discharge(lemma, *own[11:13]) for lemma in factor_limits(of, rate, told.given, *rates)
    ]
    product = told.product(channels.entry(), lemmas, rate_factors(of, rate))
    return told.proof(T.discharge(product, *lemmas))
