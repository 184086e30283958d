"""Proofs of `theory.symplectic.branches`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import sympy
from sympy import ImmutableMatrix, log, sqrt

from posproof.proofs_check import exponentials, kernel, language
from posproof.proofs_check import tactics as T
from posproof.proofs_check.concavity import anisotropic_excess, below_mean
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import FALSUM, Node, num
from posproof.proofs_check.search import (
    prove_identity,
    prove_nonneg,
)
from posproof.proofs_check.symplectic.powers import (
    named_instead,
    sine_of_rate,
    stretch_at,
    stretch_norm,
    two_stretches,
)
from posproof.theory.symbols import variables
from posproof.theory.symplectic import branches as statements
from posproof.theory.symplectic import powers
from posproof.theory.symplectic.branches import (
    DAMPING,
    Damping,
    gamma,
    mu,
    n,
    rho,
)
from posproof.theory.vocabulary import Le, Lt, Real, control, proves

node = T.node
_x, _y = variables("x y", Real)


# ---------------------------------------------------------------------- exponents
@lru_cache
def exponents_equal() -> Theorem:
    """for all x, y: exp x = exp y => x = y."""
    x, y = node(_x), node(_y)
    equal = language.Eq(language.exp(x), language.exp(y))
    goal = language.Eq(x, y)

    def excluded(small: Node, large: Node) -> Theorem:
        rise = T.parts(T.apply(exponentials.rises(), [small, large]))[0]
        rise = kernel.modus(rise, kernel.assume(language.Lt(small, large)))
        fact = rise.conclusion
        clash = prove_nonneg(FALSUM, T.margin(fact), [equal, fact])
        return T.ex_falso(T.discharge(clash, rise), goal)

    proof = T.three_ways(x, y, excluded(x, y), kernel.assume(goal), excluded(y, x))
    return T.generalise(T.implication(proof, equal), _x, _y)


def same_exponent(first: Any, second: Any, equal: Theorem) -> Theorem:
    """first = second from exp first = exp second."""
    return T.apply(exponents_equal(), [first, second], equal)


# ---------------------------------------------------------------------- symplectic.damping
DOUBLING = {"p": 2, "q": 0, "r": 0, "s": 2}


@control("symmetric_form", form=ImmutableMatrix([[0, 1], [1, 0]]))
@control("half_forgotten", DOUBLING | {"gamma": -log(4)}, rate=lambda det: -log(det))
@proves(DAMPING, "conformally_symplectic", "all shears, all matrices of positive determinant")
def conformally_symplectic(of: Damping) -> Theorem:
    """M^T J M = det(M) J for every 2 x 2 matrix."""
    own, every = node(statements.conformally_symplectic(of)).args
    first = T.generalise(
        T.both(*(prove_identity(part) for part in T.inner(own).args)), *T.outer(own)
    )
    premise, goal = T.inner(every).args
    positive, named = premise.args
    value = named.args[1]
    at_value = language.substitute(goal, {node(gamma): value})
    proof = kernel.leibniz(prove_identity(at_value, [positive]), goal, node(gamma), named)
    proof = T.implication(T.unpack(proof, premise), premise)
    return T.both(first, T.generalise(proof, *T.outer(every)))


def _iff(statement: Any, forward: Any, backward: Any) -> Theorem:
    """for all names: left <=> right."""
    left, right = T.inner(statement).args
    there = T.unpack_all(forward(left, right), left)
    back = T.unpack_all(backward(left, right), right)
    return T.generalise(T.iff(left, right, there, back), *T.outer(statement))


def _same_damping(goal: Node, factors: Node, first: Node, second: Node) -> Theorem:
    """exp(-2 first) = exp(-2 second), from what algebra knows; then first = second."""
    one, two = num(-2) * first, num(-2) * second
    equal = prove_identity(language.Eq(language.exp(one), language.exp(two)), [factors])
    same = same_exponent(one, two, equal)
    fact = same.conclusion
    return T.discharge(prove_identity(goal, [fact]), same)


def _factor_at(second: Node, first: Node, equal: Node, valued: Node) -> Theorem:
    """second = first and c = exp(-2 first) |- c = exp(-2 second)."""
    hole = node(variables("h", Real)[0])
    size = valued.args[0]
    pattern = language.Eq(size, language.exp(num(-2) * hole))
    at_first = prove_identity(language.substitute(pattern, {hole: first}), [valued])
    return T.transport(pattern, hole, kernel.assume(equal), at_first)


UNEQUAL = {"gamma": 0, "gamma'": -log(2) / 2, "c": 1}


@control("dampings_differ", UNEQUAL, equal=lambda one, other: Le(0, (one - other) ** 2))
@proves(DAMPING, "two_pairs", "all pairs of shears, all dampings")
def two_pairs(of: Damping) -> Theorem:
    """Each block has its own factor exp(-2 gamma)."""
    first, second = node(gamma), node(statements.other_gamma)

    def forward(left: Node, right: Node) -> Theorem:
        equal, valued = right.args
        return T.both(_same_damping(equal, left, first, second), prove_identity(valued, [left]))

    def backward(left: Node, right: Node) -> Theorem:
        equal, valued = right.args
        flipped = prove_identity(language.Eq(second, first), [equal])
        other = _factor_at(second, first, flipped.conclusion, valued)
        proof = prove_identity(left, [valued, other.conclusion])
        return T.discharge(T.discharge(proof, other), flipped)

    return _iff(statements.two_pairs(of), forward, backward)


MANY = {"m": 2, "c": 1, "gamma": {0: 0, 1: -log(2)}, "a": {}, "b": {}, "k": 1}


@control("dampings_differ", MANY, equal=lambda one, other: Le(0, (one - other) ** 2))
@proves(DAMPING, "many_pairs", "all numbers of pairs, all shears, all dampings")
def many_pairs(of: Damping) -> Theorem:
    """The first block determines the factor, and every other block has to agree."""
    zero = node(statements.gammas(0))
    inside = prove_nonneg(language.Lt(num(0), node(statements.m)), node(statements.m))

    def forward(left: Node, right: Node) -> Theorem:
        same, valued = right.args
        start = T.apply(kernel.assume(left), [0], inside)
        fact = start.conclusion
        first = T.discharge(prove_identity(valued, [fact]), start)
        index, (bound, equal) = same.args[0], same.args[1].args
        here = T.apply(kernel.assume(left), [index], kernel.assume(bound))
        both = [first.conclusion, here.conclusion]
        own = node(statements.gammas(statements.k))
        one, two = num(-2) * own, num(-2) * zero
        exponents = prove_identity(language.Eq(language.exp(one), language.exp(two)), both)
        alike = same_exponent(one, two, T.discharge(exponents, here, first))
        proof = T.discharge(prove_identity(equal, [alike.conclusion]), alike)
        return T.both(kernel.generalise(T.implication(proof, bound), index), first)

    def backward(left: Node, right: Node) -> Theorem:
        same, valued = right.args
        index, (bound, goal) = left.args[0], left.args[1].args
        alike = T.apply(kernel.assume(same), [index], kernel.assume(bound))
        own = node(statements.gammas(statements.k))
        other = _factor_at(own, zero, alike.conclusion, valued)
        proof = T.discharge(prove_identity(goal, [other.conclusion]), other)
        proof = T.discharge(proof, alike)
        return kernel.generalise(T.implication(proof, bound), index)

    return _iff(statements.many_pairs(of), forward, backward)


#: cosh mu = 5 / 4 and a b = 1 / 2.
RATES = {"a": Fraction(1, 2), "b": 1, "mu": log(2), "gamma": log(2), "x": 1, "y": 0}


@control("rates_exchanged", RATES | {"gamma": 0}, slow=lambda gamma, mu: mu - gamma)
@control("trace_of_two_shears", RATES | {"b": Fraction(1, 2)}, cosine=lambda a, b: 1 + a * b)
@proves(DAMPING, "spectrum", "all shears, all dampings")
def spectrum(of: Damping) -> Theorem:
    """The sum and the product of the roots."""
    parts = []
    for part in node(statements.spectrum(of)).args:
        named, goal = T.inner(part).args
        proof = T.implication(prove_identity(goal, [named]), named)
        parts.append(T.generalise(proof, *T.outer(part)))
    return T.both(*parts)


def tangent_line(at: Node) -> Theorem:
    """1 + t <= exp t."""
    return kernel.instantiate(kernel.meaning("exponential_above_line"), at)


def shrinks(rate: Node, size: Node, given: Sequence[Node], positive: Node) -> Theorem:
    """size = exp(-rate) is below 1; `positive` equals the rate and is visibly positive."""
    line = tangent_line(rate)
    form = size * T.margin(line.conclusion) + size * positive
    return T.discharge(
        prove_nonneg(language.Lt(size, num(1)), form, [*given, line.conclusion]), line
    )


def must_shrink(inside: Theorem, size: Node, low: Node, high: Node) -> Theorem:
    """low < high, from a proof of size^2 < 1 (in other words), size = exp(low - high)."""
    against = language.Le(high, low)
    growth = low - high
    line = tangent_line(growth)
    fact = inside.conclusion
    form = T.margin(fact) + (size + 1) * T.margin(line.conclusion) + (size + 1) * T.margin(against)
    clash = prove_nonneg(FALSUM, form, [fact, line.conclusion, against])
    clash = T.discharge(clash, line, inside)
    goal = language.Lt(low, high)
    return T.compare(low, high, kernel.assume(goal), T.ex_falso(clash, goal))


#: cosh mu = 17 / 8: the slow rate is exp(log 4 - log 2).
WIDER = {"a": 1, "b": Fraction(9, 4), "mu": log(4), "gamma": log(2), "x": 2, "y": 0}


@control("threshold_reached", RATES, contracts=lambda gamma, mu: Le(mu, gamma))
@control("damping_alone", WIDER, contracts=lambda gamma, mu: Lt(0, gamma))
@proves(DAMPING, "contraction_of_the_spectrum", "all shears, all dampings")
def contraction_of_the_spectrum(of: Damping) -> Theorem:
    """Real roots are the two rates; complex ones have the modulus exp(-gamma)."""
    hyperbolic, rest = node(statements.contraction_of_the_spectrum(of)).args
    return T.both(_two_rates(of, hyperbolic), _one_rate(of, rest))


def _two_rates(of: Damping, statement: Node) -> Theorem:
    premise, goal = T.inner(statement).args
    left, right = goal.args
    g, m = node(gamma), node(mu)
    slow, fast = language.exp(m - g), language.exp(num(0) - m - g)
    half = node(
        statements.damped(
            gamma, sympy.ImmutableMatrix([[of.cosine(statements.alpha, statements.beta)]])
        )[0, 0]
    )
    _, y = names = T.outer(left)
    x = names[0]
    both, small = T.inner(left).args
    real, imaginary = both.args
    proofs = []
    for sign, case in zip((1, -1), premise.args, strict=True):
        root, other = sign * slow, sign * fast
        at = {x: root, y: num(0)}
        there = T.apply(
            kernel.assume(left),
            [root, num(0)],
            T.both(*(prove_identity(language.substitute(part, at), [case]) for part in both.args)),
        )
        forward = must_shrink(there, slow, m, g)

        known = [case, real, imaginary]
        flat, upright = language.Eq(y, num(0)), language.Ne(y, num(0))
        middle = prove_identity(language.Eq(x, half), [imaginary, upright])
        form = y**2 + (slow - fast) ** 2 / 4
        no = prove_nonneg(FALSUM, form, [*known, upright, middle.conclusion])
        leaning = T.ex_falso(T.discharge(no, middle), small)

        on_slow = language.Eq(x, root)
        less = shrinks(g - m, slow, [right], T.margin(right))
        lesser = shrinks(g + m, fast, [right], T.margin(right) + 2 * m)
        first = _square_below_one(small, slow, less, [flat, on_slow])
        apart = language.Not(on_slow)
        split = prove_identity(language.Eq((x - root) * (x - other), num(0)), [*known, flat])
        second_root = prove_identity(
            language.Eq(x, other), [split.conclusion, language.Ne(x - root, num(0))]
        )
        second_root = T.discharge(second_root, split, _moved(apart, x, root))
        fact = second_root.conclusion
        second = T.discharge(_square_below_one(small, fast, lesser, [flat, fact]), second_root)
        level = T.split(on_slow, first, second)
        inside = T.unpack(T.split(flat, level, leaning), both)
        backward = T.generalise(T.implication(inside, both), *names)
        proofs.append(T.iff(left, right, forward, backward))
    proof = kernel.cases(kernel.assume(premise), *proofs)
    return T.generalise(T.implication(proof, premise), *T.outer(statement))


def _moved(apart: Node, first: Node, second: Node) -> Theorem:
    """not first = second |- first - second != 0."""
    zero = language.Eq(first - second, num(0))
    same = prove_identity(language.Eq(first, second), [zero])
    return T.conclude_not(kernel.clash(same, kernel.assume(apart)), zero)


def _square_below_one(goal: Node, size: Node, less: Theorem, given: Sequence[Node]) -> Theorem:
    """x^2 + y^2 < 1 where algebra knows that it is size^2, 0 < size < 1."""
    fact = less.conclusion
    form = T.margin(fact) * (1 + size)
    return T.discharge(prove_nonneg(goal, form, [*given, fact]), less)


def _one_rate(of: Damping, statement: Node) -> Theorem:
    premise, goal = T.inner(statement).args
    left, right = goal.args
    g, size = node(gamma), language.exp(num(0) - node(gamma))
    low, high = premise.args
    cosine = high.args[0]
    half = size * cosine
    x, y = names = T.outer(left)
    both, small = T.inner(left).args
    real, imaginary = both.args

    sine = language.sqrt(1 - cosine**2)
    inside = T.margin(low) * T.margin(high)
    at = {x: half, y: size * sine}
    roots = [prove_identity(language.substitute(part, at)) for part in both.args]
    there = T.apply(kernel.assume(left), [half, size * sine], T.both(*roots))
    forward = must_shrink(there, size, num(0), g)
    for fact in forward.hypotheses:
        if fact.head == "le" and fact.args[0] == num(0):
            forward = T.discharge(forward, prove_nonneg(fact, inside, [low, high]))

    less = shrinks(g, size, [right], g)
    flat, upright = language.Eq(y, num(0)), language.Ne(y, num(0))
    middle = prove_identity(language.Eq(x, half), [imaginary, upright])
    fact = middle.conclusion
    leaning = T.discharge(_square_below_one(small, size, less, [real, fact]), middle)

    here = language.Eq(x, half)
    level = _square_below_one(small, size, less, [real, flat, here])
    apart = _moved(language.Not(here), x, half)
    fact = apart.conclusion
    form = (x - half) ** 2 + size**2 * inside
    no = prove_nonneg(FALSUM, form, [real, flat, fact, low, high])
    away = T.ex_falso(T.discharge(no, apart), small)
    proof = T.unpack(T.split(flat, T.split(here, level, away), leaning), both)
    backward = T.generalise(T.implication(proof, both), *names)
    whole = T.unpack(T.iff(left, right, forward, backward), premise)
    return T.generalise(T.implication(whole, premise), *T.outer(statement))


# ---------------------------------------------------------------------- norms of powers
def powers_of_a_shear(power: Node, shear: Node, corner: int) -> list[Theorem]:
    """Equations for the entries of (s exp(-gamma) [[1, s a], [0, 1]])^n, s = 1 or -1.

    `power` is the matrix power and `corner` 1 for an upper shear, 2 for a lower one.
    """
    base, count = power.args
    cells = [language.entry(power, i, j) for i in range(2) for j in range(2)]
    own = base.args[1:]
    ahead = cells[0] * count * shear * (own[0] / language.exp(num(0) - node(gamma)))
    claims = [
        language.Eq(cells[3 - corner], num(0)),
        language.Eq(cells[3], cells[0]),
        language.Eq(cells[corner], ahead),
        language.Eq(cells[0] ** 2, language.exp(num(-2) * count * node(gamma))),
    ]
    whole = language.And(*claims)
    at = node(n)
    start = T.both(*(prove_identity(language.substitute(c, {at: num(0)})) for c in claims))
    grown = T.both(*(prove_identity(language.substitute(c, {at: at + 1}), claims) for c in claims))
    return T.parts(kernel.induct(at, whole, start, T.unpack(grown, whole)))


def closed_cells(power: Node, facts: Sequence[Theorem], corner: int) -> list[Node]:
    """The four entries of that power as multiples of the first."""
    first = language.entry(power, 0, 0)
    cells = [first, num(0), num(0), first]
    cells[corner] = facts[2].conclusion.args[1]
    return cells


@control("half_forgotten", stretch=lambda w: powers.stretch(2 * w))
@proves(DAMPING, "parabolic_norms", "all shears, all dampings, all n")
def parabolic_norms(of: Damping) -> Theorem:
    """A power of a shear is a shear; at a b = -4 it changes sign."""
    *kinds, between = node(statements.parabolic_norms(of)).args
    shears = (statements.alpha, statements.beta, statements.alpha)
    parts = []
    for kind, shear, corner in zip(kinds, shears, (1, 2, 1), strict=True):
        names = T.outer(kind)[:3]
        statement = kind
        for _ in names:
            statement = statement.args[1]
        premise = statement.args[0] if statement.head == "implies" else None
        goal = statement.args[1] if premise is not None else statement
        power = T.inner(goal).args[0].args[0].args[1]
        facts = powers_of_a_shear(power, node(shear), corner)
        w = n * sympy.Abs(shear) / 2
        signed, scale = prove_nonneg(Le(0, w), w), sympy.exp(-n * gamma)
        cells = closed_cells(power, facts, corner)
        proof = stretch_norm(goal, w, signed, cells, facts[:3], facts[3:], scale)
        if premise is not None:
            proof = T.implication(proof, premise)
        parts.append(T.generalise(proof, *names))
    return T.both(*parts, _nearly_twice(between))


def _nearly_twice(statement: Node) -> Theorem:
    """2 w <= w + sqrt(1 + w^2) <= 2 w + 1."""
    low, high = T.inner(statement).args
    w = n * sympy.Abs(statements.alpha) / 2
    width, root = node(w), node(sqrt(1 + w**2))
    short, long = language.Lt(root, width), language.Lt(width + 1, root)
    no = prove_nonneg(FALSUM, T.margin(short) * (width + root) + 1, [short])
    fits = prove_nonneg(low, root - width, [language.Le(width, root)])
    under = T.compare(root, width, T.ex_falso(no, low), fits)
    no = prove_nonneg(FALSUM, T.margin(long) * (width + root + 1) + 2 * width, [long])
    fits = prove_nonneg(high, width + 1 - root, [language.Le(root, width + 1)])
    over = T.compare(width + 1, root, T.ex_falso(no, high), fits)
    return T.generalise(T.both(under, over), *T.outer(statement))


def damped_orbit(power: Node, given: Sequence[Node]) -> Theorem:
    """given |- (exp(-gamma) S)^n = exp(-n gamma) [[cosh n mu, ...], ...]."""
    rate = sine_of_rate(given)
    closed = node(sympy.exp(-n * gamma) * powers.orbit(mu, rho, n))
    goal, at = language.Eq(power, closed), node(n)
    facts = [*given, rate.conclusion]
    base = prove_identity(language.substitute(goal, {at: num(0)}), facts)
    grown = prove_identity(language.substitute(goal, {at: at + 1}), [*facts, goal])
    return T.discharge(kernel.induct(at, goal, base, grown), rate)


EVEN = {"a": Fraction(1, 2), "b": 1, "mu": log(2), "rho": Fraction(3, 2), "gamma": 0, "n": 1}


@control("anisotropy_of_two_shears", EVEN | {"rho": sqrt(2)}, corner=lambda a, b: b)
@control("slow_and_fast_exchanged", EVEN, slow=lambda gamma, mu: gamma + mu)
@proves(DAMPING, "slow_direction", "all a, b > 0, all dampings, all n")
def slow_direction(of: Damping) -> Theorem:
    """(1, rho) and (1, -rho) are eigenvectors of S; the norm of S^n is at most kappa0 exp(n mu)."""
    statement = statements.slow_direction(of)
    premise, goal = T.inner(statement).args
    slow, fast, last = goal.args
    rate = sine_of_rate(premise.args)
    facts = [*premise.args, rate.conclusion]
    vectors = [T.discharge(prove_identity(part, facts), rate) for part in (slow, fast)]

    critical, limit = last.args
    names, bound = T.inner(limit).args
    named, valued = names.args
    positive, under = bound.args
    kappa = of.kappa0(rho)
    w = kappa * sympy.sinh(n * mu)
    size = node(sympy.exp(-n * gamma))
    width, root = node(w), node(sqrt(1 + w**2))
    value = size * (width + root)
    closed = damped_orbit(named.args[1], premise.args)
    cells = closed.conclusion.args[1].args[1:]
    signed = prove_nonneg(language.Le(num(0), width), width)
    small, order, long = two_stretches(value, w, signed, sympy.exp(-n * gamma))
    sized = T.parts(stretch_at(cells, value, small, order, long))[1]
    vector, less = T.outer(under), T.inner(under)
    here = T.apply(sized, vector)
    mean = below_mean(w, kappa, n * mu, anisotropic_excess(rho))
    hole = node(variables("h", Real)[0])
    ratio = language.Eq(language.exp(node(n) * node(mu) - node(n) * hole), num(1))
    one = T.transport(
        ratio,
        hole,
        kernel.assume(critical),
        prove_identity(language.substitute(ratio, {hole: node(mu)})),
    )
    top = node(kappa)
    facts = [one.conclusion, mean.conclusion]
    shorter = prove_nonneg(language.Le(value, top), size * T.margin(facts[1]), facts)
    fact = shorter.conclusion
    length = vector[0] ** 2 + vector[1] ** 2
    fits = language.substitute(less, _cells_and_size(cells, top))
    form = T.margin(here.conclusion) + T.margin(fact) * (top + value) * length
    proof = prove_nonneg(fits, form, [here.conclusion, fact])
    proof = T.discharge(proof, here, T.discharge(T.discharge(shorter, mean), one))
    proof = T.both(prove_nonneg(language.Le(num(0), top), top), T.generalise(proof, *vector))
    whole = named_instead(proof, bound, names, cells, [closed])
    whole = T.generalise(T.implication(T.unpack(whole, names), names), *T.outer(limit))
    whole = T.both(*vectors, T.implication(whole, critical))
    whole = T.implication(T.unpack(whole, premise), premise)
    return T.generalise(whole, *T.outer(statement))


def _cells_and_size(cells: Sequence[Node], size: Node) -> dict[Node, Node]:
    names = [node(name) for name in (*powers.ENTRIES, powers.sigma)]
    return dict(zip(names, (*cells, size), strict=True))
