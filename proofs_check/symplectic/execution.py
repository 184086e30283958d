"""Proofs of `theory.symplectic.execution`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any

import sympy

from posproof.proofs_check import kernel, powers, rounded
from posproof.proofs_check import rounded_channels as channels
from posproof.proofs_check import tactics as T
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
    cosh,
    exp,
    free_variables,
    matrix,
    matrix_power,
    num,
    power,
    sinh,
    sqrt,
    substitute,
    variable,
)
from posproof.proofs_check.rounded import Carried, plus, within
from posproof.proofs_check.search import (
    Undecided,
    prove_by_induction,
    prove_identity,
    prove_nonneg,
    prove_order,
)
from posproof.theory.symplectic import execution as statements
from posproof.theory.symplectic.execution import REBASING, TILES, Execution
from posproof.theory.vocabulary import control, proves

node = T.node


# ---------------------------------------------------------------------- controls
def _not_hyperbolic(c: Any, s: Any) -> Any:
    return sympy.ImmutableMatrix([[c, s], [-s, c]])


def _not_symplectic(c: Any, s: Any) -> Any:
    return sympy.ImmutableMatrix([[c, s], [s, 2 * c]])


def _largest_finite(p: Any, e: Any) -> Any:
    return 2**e * (2 - 2 / 2**p)


def _smallest(p: Any, e: Any) -> Any:
    return 2 * statements.vanishing(p, e)


def _rounded_down(value: Any, J: Any) -> Any:
    return statements.floor(value, J)


def _rounded_up(value: Any, m: Any) -> Any:
    return statements.ceiling(value, m)


def _block_start(B: Any) -> Any:
    return 0 * B


def _block_end(B: Any) -> Any:
    return B - 1


def _one_block_less(r: Any, B: Any, D: Any) -> Any:
    return statements.block_factor(r, B, D - 1)


def _rate_forgotten(r: Any, B: Any, D: Any) -> Any:
    return statements.block_factor(1, B, D)


def _growing_block(r: Any, B: Any, D: Any) -> Any:
    return 1 / statements.block_factor(r, B, D)


def _growing_key(r: Any, b: Any, c: Any) -> Any:
    return 1 / statements.key(r, b, c)


def _block_forgotten(fl: Any, q: Any, f: Any, k: Any) -> Any:
    return fl(fl(q) * fl(k))


def _key_forgotten(fl: Any, x: Any, y: Any, q: Any, f: Any, k: Any) -> Any:
    return fl(fl(x * fl(fl(q) * fl(f))) * y)


def _first_order(m: int, u: Any) -> Any:
    return m * u


def _half_slack(u: Any, r: Any, B: Any) -> Any:
    return statements.exponent_slack(u, r, B) / 2


def _gap_too_long(a: Any, b: Any, B: Any, D: Any) -> tuple[Any, Any, Any]:
    return a, B * D, B - 1 - b


def _powers_of_three(h: Any, m: Any) -> Any:
    return m * 3**h


class _Grown:
    """Rounds away from 0 by almost as much as the model allows, and keeps the results."""

    def __init__(self, unit: Fraction) -> None:
        self.factor = 1 + Fraction(49, 50) * unit
        self.results: list[Any] = []

    def __call__(self, value: Any) -> Any:
        coefficient, root = sympy.expand(value).as_coeff_Mul()
        grown = Fraction(coefficient.p, coefficient.q) * self.factor
        self.results.append(sympy.Rational(grown.limit_denominator(9999)) * root)
        return self.results[-1]

    def point(self) -> dict[str, Any]:
        return {f"z{place}": value for place, value in enumerate(self.results, start=1)}


UNIT = Fraction(1, 256)
AT_HOME = {"u": UNIT, "sigma": Fraction(1, 64), "Omega": 2**20, "r": 0, "R": 0, "B": 1, "D": 0}
AT_HOME |= {"a": 0, "b": 0, "k": 1, "q1": 2, "q2": 1, "k1": 2, "k2": 1, "i": 1, "j": 0, "h": 0}
AT_HOME |= {"m": 1}


def _weight_point() -> dict[str, Any]:
    grown, one = _Grown(UNIT), sympy.Integer(1)
    statements.folded(grown, one, one, one)
    return AT_HOME | grown.point()


def _score_point(computed: Any, factors: int) -> dict[str, Any]:
    """All decays are 1; V is H, q = k = (2, 1)."""
    grown, root = _Grown(UNIT), 1 / sympy.sqrt(2)
    vector = (sympy.Integer(2), sympy.Integer(1))
    pairs = [(root, root), (root, -root)] * 2
    xs = [statements.projection(grown, pair, vector) for pair in pairs]
    ones = [sympy.Integer(1)] * factors
    terms = [computed(grown, xs[s], xs[2 + s], *ones) for s in (0, 1)]
    grown(terms[0] + terms[1])
    return AT_HOME | grown.point()


def _entry_point() -> dict[str, Any]:
    """A tile entry that is one product of ones."""
    grown, one = _Grown(UNIT), sympy.Integer(1)
    statements.channel(grown, one, one, one, one, one)
    entry: dict[str, Any] = {"n": 1, "N": 1, "i": 0, "M": 1, "x": 1, "y": 1, "s": 1, "A": 1, "c": 1}
    entry |= {"v": Fraction(str(grown.results[-1])), "left": 0, "right": 0}
    results = {name: Fraction(str(value)) for name, value in grown.point().items()}
    return AT_HOME | results | entry


THREE_TO_POWERS = {"p": 1, "e": 1, "w": 1, "J": 1, "n": 1}
LONG_BLOCK = {"T": Fraction(1, 100), "w": 1, "m": 4, "B": 5}
FAR_CORNER = {"r": 1, "R": 1, "B": 3, "D": 1, "a": 0, "b": 2}
LONG_CORNER = {"u": Fraction(1, 1000), "r": Fraction(1, 10), "B": 101, "D": 1, "a": 0, "b": 100}
LONG_CORNER |= {"f": Fraction(1, 1000), "d": Fraction(-1, 1000), "s": Fraction(1, 1000)}
ONE_STEP = {"n": 1, "gamma": 0, "mu": 1, "k": 2, "q1": 1, "q2": 1, "k1": 1, "k2": 2}
FAR_BLOCK = AT_HOME | {"z1": 1, "z2": 1, "z3": 1, "r": 1, "D": 1}
ONE_ENTRY = {"n": 1, "B": 3, "D": 1, "a": 0, "b": 2, "x": 1, "y": 1, "r": 1}
ONE_FOR_BOTH = {"r": 1, "R": 2, "B": 1, "D": 1, "a": 0, "b": 0, "g": sympy.exp(-1)}
GROWING = {"gamma": 0, "mu": 1, "B": 1, "D": 1, "C": 1}


def _named(names: str) -> list[Node]:
    return [node(getattr(statements, name)) for name in names.split()]


def _taken(statement: Any) -> tuple[Node, list[Node], Node]:
    """Premise, its parts, and goal of a universal implication."""
    premise, goal = T.inner(statement).args
    return premise, T.conjuncts(premise), goal


def _closed(theorem: Theorem, premise: Node) -> Theorem:
    return T.implication(T.unpack_all(theorem, premise), premise)


# ---------------------------------------------------------------------- powers of one step
def _power(matrix_term: Node, closed: Node) -> Theorem:
    """M^n in closed form, by induction."""
    n = node(statements.n)
    return prove_by_induction(n, Eq(matrix_power(matrix_term, n), closed))


def _closed_form(gamma: Node, mu: Node, k: Node) -> Node:
    n = node(statements.n)
    decay = exp(num(0) - gamma * n)
    c, s = decay * cosh(mu * n), decay * sinh(mu * n)
    return matrix([[c, s / k**2], [k**2 * s, c]])


@control("not_hyperbolic", ONE_STEP, boost=_not_hyperbolic)
@proves(REBASING, "spectral")
def spectral(of: Execution) -> Theorem:
    """M^n has the entries of a damped boost by n mu; expand."""
    gamma, mu, k = _named("gamma mu k")
    step = node(statements.damped(of, statements.gamma, statements.mu, statements.k))
    power = _power(step, _closed_form(gamma, mu, k))
    goal = T.inner(statements.spectral(of))
    return T.discharge(prove_identity(goal, [power.conclusion]), power)


@control("not_symplectic", ONE_STEP, boost=_not_symplectic)
@proves(REBASING, "inverse")
def inverse(of: Execution) -> Theorem:
    return T.prove_tree(T.inner(statements.inverse(of)))


@lru_cache
def _norm_bound() -> Theorem:
    """|f v|^2 <= N^2 |v|^2, 0 <= N, 0 < f, 0 < |v|^2 |- f <= N."""
    f, N, v, w = (T.real(name) for name in ("f", "N", "v", "w"))
    length = v**2 + w**2
    short = Le((f * v) ** 2 + (f * w) ** 2, N**2 * length)
    facts = [Lt(N, f), Le(0, N), Lt(0, length)]
    gap = (f - N) * (2 * N + (f - N)) * length
    strict = prove_nonneg(Lt(N**2 * length, (f * v) ** 2 + (f * w) ** 2), gap, facts)
    excluded = T.discharge(T.contradict([strict.conclusion, short], degree=1), strict)
    return T.compare(N, f, T.ex_falso(excluded, Le(f, N)), kernel.assume(Le(f, N)))


def _stretched(claim: Node, power: Theorem, vector: tuple[Node, Node]) -> Theorem:
    """A bound of a norm is at least the factor of an eigenvector."""
    premise, goal = claim.args
    factor = goal.args[0]
    positive, bounded = premise.args
    image = (factor * vector[0], factor * vector[1])
    wanted = T.at(bounded, *vector, *image)
    mapped, _ = wanted.conclusion.args
    short = kernel.modus(wanted, T.discharge(prove_identity(mapped, [power.conclusion]), power))
    f, N, v, w = (T.real(name) for name in ("f", "N", "v", "w"))
    values = {f: factor, N: goal.args[1], v: vector[0], w: vector[1]}
    length = vector[0] ** 2 + vector[1] ** 2
    found = T.discharge(
        kernel.specialise(_norm_bound(), values),
        short,
        prove_nonneg(Lt(0, length), length),
    )
    below = Lt(0, factor)
    return _closed(T.discharge(found, prove_nonneg(below, factor)), premise)


@control("not_hyperbolic", ONE_STEP, boost=_not_hyperbolic)
@proves(REBASING, "growth")
def growth(of: Execution) -> Theorem:
    """The slow eigenvector of M^T, and the fast one of its inverse."""
    gamma, mu, k = _named("gamma mu k")
    there = statements.damped(of, statements.gamma, statements.mu, statements.k)
    back = statements.damped(of, -statements.gamma, -statements.mu, statements.k)
    forms = [_closed_form(gamma, mu, k), _closed_form(num(0) - gamma, num(0) - mu, k)]
    forms[0] = matrix([[forms[0].args[i] for i in pair] for pair in ((1, 3), (2, 4))])
    vectors = [(k**2, num(1)), (num(1), num(0) - k**2)]
    found, parts = [], node(statements.growth(of)).args
    for place, (step, form, vector) in enumerate(zip((there.T, back), forms, vectors, strict=True)):
        power = _power(node(step), form)
        names, equation = T.unquantified(parts[2 * place])
        stretched = T.discharge(prove_identity(equation, [power.conclusion]), power)
        found.append(T.generalise(stretched, *names))
        names, claim = T.unquantified(parts[2 * place + 1])
        found.append(T.generalise(_stretched(claim, power, vector), *names))
    return T.both(*found)


# ---------------------------------------------------------------------- positions
@lru_cache
def _first_integer() -> Theorem:
    """for J, n integers, 0 < w: J - 1 < t / w <= J => (t <= w n <=> J <= n)."""
    J, n, w, t = _named("J n w t")
    low, high = Lt(node(statements.J - 1), t / w), Le(t / w, J)
    reached, later = Le(t, w * n), Le(J, n)
    # J - 1 < t / w <= n, so J <= n
    before = prove_nonneg(Lt(J - 1, n), T.margin(low) + (w * n - t) / w, [low, reached])
    step = kernel.integer_step(before)
    forward = T.discharge(prove_order(later, [step.conclusion], degree=1), step)
    form = w * (J - t / w) + w * (n - J)
    backward = prove_nonneg(reached, form, [high, later])
    found = T.iff(reached, later, forward, backward)
    return _closed(found, And(low, high))


@lru_cache
def _exponential() -> Theorem:
    """for all x, y: x <= y <=> exp x <= exp y."""
    left, right = _named("x y")
    strict, rises = T.parts(T.apply(T.exponential_rises(), [left, right]))
    falls = T.parts(T.apply(T.exponential_rises(), [right, left]))[0]
    weak, image = Le(left, right), Le(exp(left), exp(right))
    below = Lt(right, left)
    higher = kernel.modus(falls, kernel.assume(below))
    clash = T.discharge(T.contradict([higher.conclusion, image], degree=1), higher)
    back = T.compare(right, left, T.ex_falso(clash, weak), kernel.assume(weak))
    forward = kernel.modus(rises, kernel.assume(weak))
    return T.generalise(T.iff(weak, image, forward, back), left, right)


def _chained(*steps: Theorem) -> Theorem:
    """A <=> C from A <=> B and B <=> C."""
    left, right = steps[0].conclusion.args[0], steps[-1].conclusion.args[1]
    forward, backward = kernel.assume(left), kernel.assume(right)
    for step in steps:
        forward = kernel.modus(T.parts(_both_ways(step))[0], forward)
    for step in reversed(steps):
        backward = kernel.modus(T.parts(_both_ways(step))[1], backward)
    return T.iff(left, right, forward, backward)


def _both_ways(equivalence: Theorem) -> Theorem:
    return T.both(*(kernel.project(equivalence, which) for which in (0, 1)))


def _turned(equivalence: Theorem) -> Theorem:
    """B <=> A."""
    forward, backward = T.parts(_both_ways(equivalence))
    return kernel.equivalence(backward, forward)


def _same_order(left: Node, right: Node) -> Theorem:
    """Two inequalities that say the same to algebra."""
    forward, backward = prove_order(right, [left], degree=1), prove_order(left, [right], degree=1)
    return T.iff(left, right, forward, backward)


hole = T.real("hole")


def _crossing(level: Node, first: Node, claim: Node, positive: Theorem) -> Theorem:
    """`claim`: e^(w n) at or above the level, or e^(-w n) at or below it, iff J <= n."""
    n, t = _named("n t")
    image, later = claim.args
    up = image.args[0] == level
    exponent = image.args[1 if up else 0].args[0]
    logarithm, y = Node("log", (level,)), T.real("y")
    at = y if up else num(-1) * y
    middle = Le(y, exponent) if up else Le(exponent, y)
    counted = kernel.specialise(_first_integer(), {t: at, n: later.args[1]})
    even = _same_order(middle, counted.conclusion.args[1].args[0])
    counted = kernel.specialise(counted, {y: logarithm})
    counted = kernel.modus(counted, kernel.assume(first))
    even = kernel.specialise(even, {y: logarithm})
    middle = substitute(middle, {y: logarithm})
    pattern = Le(hole, exp(exponent)) if up else Le(exp(exponent), hole)
    closed = prove_identity(Eq(level, exp(logarithm)), [positive.conclusion])
    raised = T.transport(
        Node("iff", (middle, pattern)),
        hole,
        T.discharge(closed, positive),
        T.apply(_exponential(), middle.args),
    )
    return _chained(_turned(raised), even, counted)


@lru_cache
def _power_above_one() -> Theorem:
    """for natural p: 1 <= 2^p."""
    q = T.natural("q")
    one = Le(1, power(2, q))
    step = prove_nonneg(Le(1, power(2, q + 1)), 2 * T.margin(one) + 1, [one])
    return kernel.induct(q, one, prove_order(Le(1, power(2, 0))), step)


@control("largest_finite_number", THREE_TO_POWERS, overflowing=_largest_finite)
@control("smallest_number", THREE_TO_POWERS, vanishing=_smallest)
@control("rounded_down", THREE_TO_POWERS, ceiling=_rounded_down)
@proves(REBASING, "positions")
def positions(of: Execution) -> Theorem:
    """Take logarithms; the first integer at or above a number is its ceiling."""
    found = []
    p, e = _named("p e")
    least = kernel.specialise(_power_above_one(), {T.natural("q"): p})
    halves, *crossings = node(statements.positions(of)).args
    equations = T.both(*(prove_identity(part) for part in T.inner(halves).args))
    found.append(T.generalise(equations, *T.outer(halves)))
    for part in crossings:
        names, claim = T.unquantified(part)
        first, crossing = claim.args
        image = crossing.args[0]
        up = image.args[1].head == "exp"
        level = image.args[0 if up else 1]
        form = power(2, e) * (1 + T.margin(least.conclusion) / power(2, p)) if up else level
        positive = T.discharge(prove_nonneg(Lt(0, level), form, [least.conclusion]), least)
        proof = _crossing(level, first, crossing, positive)
        found.append(T.generalise(_closed(proof, first), *names))
    return T.both(*found)


@control("rounded_down", THREE_TO_POWERS | {"J": 1, "B": 1}, ceiling=_rounded_down)
@control("growing_block", THREE_TO_POWERS | {"J": 2, "B": 2}, block=_growing_block)
@proves(REBASING, "neighbours")
def neighbours(of: Execution) -> Theorem:
    names, claim = T.unquantified(statements.neighbours(of))
    first, goal = claim.args
    lost, weight = goal.args
    level = lost.args[0].args[1]
    positive = prove_nonneg(Lt(0, level), level)
    proof = T.both(_crossing(level, first, lost, positive), prove_identity(weight))
    return T.generalise(_closed(proof, first), *names)


@lru_cache
def _last_integer() -> Theorem:
    """for m, B integers, 0 < w: m <= t / w < m + 1 => (w (B - 1) <= t <=> B <= 1 + m)."""
    m, B, w, t = _named("m B w t")
    low, high = Le(m, t / w), Lt(t / w, node(1 + statements.m))
    fits, short = Le(w * (B - 1), t), Le(B, node(1 + statements.m))
    form = T.margin(high) + (t - w * (B - 1)) / w
    before = prove_nonneg(Lt(B - 1, m + 1), form, [high, fits])
    step = kernel.integer_step(before)
    forward = T.discharge(prove_order(short, [step.conclusion], degree=1), step)
    form = w * T.margin(low) + w * T.margin(short)
    backward = prove_nonneg(fits, form, [low, short])
    return _closed(T.iff(fits, short, forward, backward), And(low, high))


@lru_cache
def _inverted() -> Theorem:
    """for T > 0, all x: T e^x <= 1 <=> x <= -ln T."""
    top, x = _named("T x")
    logarithm = num(-1) * Node("log", (top,))
    fits, image = Le(top * exp(x), 1), Le(exp(x), exp(logarithm))
    forward = prove_nonneg(image, T.margin(fits) / top, [fits])
    backward = prove_nonneg(fits, top * T.margin(image), [image])
    raised = T.apply(_exponential(), [x, logarithm])
    found = _chained(T.iff(fits, image, forward, backward), _turned(raised))
    return T.generalise(found, top, x)


@control("rounded_up", LONG_BLOCK, floor=_rounded_up)
@control("block_start", LONG_BLOCK, centre=_block_start)
@proves(REBASING, "safe")
def safe(of: Execution) -> Theorem:
    """Take logarithms; the last integer at or below a number is its floor."""
    names, claim = T.unquantified(statements.safe(of))
    longest, goal = claim.args
    fits, _ = goal.args
    w, B, top, t = _named("w B T t")
    logarithm = num(-1) * Node("log", (top,))
    counted = kernel.modus(
        kernel.specialise(_last_integer(), {t: logarithm}), kernel.assume(longest)
    )
    exponent = counted.conclusion.args[0].args[0]
    wanted = Eq(fits.args[0], top * exp(exponent))
    pattern = Node("iff", (Le(hole, 1), counted.conclusion.args[0]))
    inside = T.transport(
        pattern, hole, prove_identity(wanted), T.apply(_inverted(), [top, exponent])
    )
    return T.generalise(_closed(_chained(inside, counted), longest), *names)


# ---------------------------------------------------------------------- factors
def _raised(goal: Node, *given: Node, degree: int = 2) -> Theorem:
    """exp x <= exp y or exp x < exp y from the order of the exponents; 1 is exp 0."""
    left, right = (x.args[0] if x.head == "exp" else num(0) for x in goal.args)
    order = Lt if goal.head == "lt" else Le
    exponents = prove_order(order(left, right), given, degree=degree)
    rises = T.parts(T.apply(T.exponential_rises(), [left, right]))[0 if order is Lt else 1]
    proof = kernel.modus(rises, exponents)
    if kernel.same(goal, proof.conclusion):
        return proof
    image = proof.conclusion
    return T.discharge(prove_nonneg(goal, T.margin(image), [image]), proof)


def _factor_bounds(goals: Sequence[Node], *given: Node) -> list[Theorem]:
    """0 < f by its shape, the other bounds by the order of exponents, equations by algebra."""
    found = []
    for goal in goals:
        if goal.head == "eq":
            found.append(prove_identity(goal))
        elif goal.head == "lt" and goal.args[0] == num(0):
            found.append(prove_nonneg(goal, goal.args[1]))
        else:
            found.append(_raised(goal, *given, degree=3 if goal.args[1] == num(1) else 2))
    return found


def _gathered(goal: Node, proofs: Sequence[Theorem]) -> Theorem:
    """A nested conjunction from proofs of its parts, in order."""
    rest = list(proofs)

    def built(part: Node) -> Theorem:
        if part.head != "and":
            return rest.pop(0)
        return T.both(*(built(inner) for inner in part.args))

    return built(goal)


@control("block_start", FAR_CORNER, centre=_block_start)
@control("one_block_less", FAR_CORNER, block=_one_block_less)
@proves(REBASING, "centred")
def centred(of: Execution) -> Theorem:
    """Exponents add up, and the largest belongs to an end of the block."""
    statement = statements.centred(of)
    premise, given, goal = _taken(statement)
    proof = _gathered(goal, _factor_bounds(T.conjuncts(goal), *given))
    return T.generalise(_closed(proof, premise), *T.outer(statement))


@control("block_start", FAR_CORNER, centre=_block_start)
@control("block_end", FAR_CORNER, centre=_block_end)
@proves(REBASING, "best_centre")
def best_centre(of: Execution) -> Theorem:
    """The two ends of the block are B - 1 apart."""
    far, central, square = node(statements.best_centre(of)).args
    names, claim = T.unquantified(far)
    near, goal = claim.args
    ends = []
    B, a = _named("B a")
    for place in (num(0), B - 1):
        inside = prove_order(Le(place, node(statements.B - 1)))
        ends.append(T.apply(kernel.assume(near), [place], inside))
    facts = [side for end in ends for side in end.conclusion.args]
    half, only = goal.args
    at, same = only.args
    sides = [Le(*same.args), Le(*reversed(same.args))]
    equal = kernel.antisymmetry(*(prove_order(side, [*facts, at], degree=1) for side in sides))
    proof = T.both(prove_order(half, facts, degree=1), T.implication(equal, at))
    proof = T.implication(T.discharge(proof, *(p for end in ends for p in T.parts(end))), near)
    inner_names, centred_claim = T.unquantified(central)
    premise, bounds = centred_claim.args
    within_half = T.both(*(prove_order(side, [premise], degree=1) for side in bounds.args))
    return T.both(
        T.generalise(proof, *names),
        T.generalise(T.implication(within_half, premise), *inner_names),
        T.generalise(prove_identity(T.inner(square)), *T.outer(square)),
    )


@control("one_block_less", FAR_CORNER | {"D": 0}, block=_one_block_less)
@control("growing_key", FAR_CORNER, key=_growing_key)
@proves(REBASING, "corner")
def corner(of: Execution) -> Theorem:
    shrinks, reached = node(statements.corner(of)).args
    names, claim = T.unquantified(shrinks)
    premise, goal = claim.args
    positive, short = goal.args
    step = short.args[0]
    exponent = _exponent_of(step)
    small = _raised(Le(exp(exponent), num(1)), premise, degree=3)
    equal = prove_identity(Eq(step, exp(exponent)))
    short = T.transport(Le(hole, 1), hole, equal, small)
    proof = T.implication(T.both(prove_nonneg(positive, step), short), premise)
    return T.both(
        T.generalise(proof, *names),
        T.generalise(prove_identity(T.inner(reached)), *T.outer(reached)),
    )


def _exponent_of(product: Node) -> Node:
    """x + y for exp x * exp y."""
    if product.head == "exp":
        return product.args[0]
    left, right = product.args
    return _exponent_of(left) + _exponent_of(right)


@control("gap_too_long", FAR_CORNER, separated=_gap_too_long)
@proves(REBASING, "separating")
def separating(of: Execution) -> Theorem:
    """The distance between the blocks pays for both ends."""
    statement = statements.separating(of)
    premise, given, goal = _taken(statement)
    found = []
    for part in T.conjuncts(goal):
        if part.head == "le" and part.args[0] == num(0):
            found.append(prove_order(part, given))
        else:
            found += _factor_bounds([part], *given)
    return T.generalise(_closed(_gathered(goal, found), premise), *T.outer(statement))


def _passes(goal: Node, rate: Node, positive: Theorem) -> Theorem:
    """There is a natural D with C < e^(rate D), and what algebra knows of it.

    1 + x <= e^x, and some multiple of the rate is at least C.
    """
    D, result = goal.args
    first, *others = result.args if result.head == "and" else [result]
    C, large = first.args
    k = T.integer("k")
    floor = T.apply(kernel.meaning("floor"), [C / rate])
    inside = T.body(floor, k)
    high = inside.args[1]

    def at(place: Node, enough: Theorem) -> Theorem:
        """What is claimed of D = place, from C < 1 + rate place."""
        line = T.apply(kernel.meaning("exponential_above_line"), [rate * place])
        facts = [line.conclusion, enough.conclusion]
        form = T.margin(facts[0]) + T.margin(facts[1])
        image = exp(rate * place)
        grown = T.discharge(prove_nonneg(Lt(C, image), form, facts), line, enough)
        equal = prove_identity(Eq(substitute(large, {D: place}), image))
        grown = T.transport(Lt(C, hole), hole, equal, grown)
        rest = [prove_identity(substitute(other, {D: place})) for other in others]
        return T.both(grown, *rest) if rest else grown

    fact = positive.conclusion
    above = prove_nonneg(Lt(C, 1 + rate * (k + 1)), rate * T.margin(high) + 1, [high, fact])
    above = kernel.weaken(at(k + 1, T.discharge(above, positive)), [Le(0, k + 1)])
    below = Lt(k + 1, 0)
    form = rate * (T.margin(high) + (0 - (k + 1))) + 1
    small = prove_nonneg(Lt(C, 1 + rate * num(0)), form, [high, below, fact])
    second = T.exists(goal, num(0), at(num(0), T.discharge(small, positive)))
    proof = T.compare(k + 1, num(0), second, T.exists(goal, k + 1, above))
    return T.obtain(floor, k, T.unpack(proof, inside))


@control("decaying_block", GROWING, block=_growing_block)
@proves(REBASING, "unbounded")
def unbounded(of: Execution) -> Theorem:
    linear, passes = node(statements.unbounded(of)).args
    names, claim = T.unquantified(linear)
    premise, goal = claim.args
    exponent = goal.args[1].args[0]
    line = T.apply(kernel.meaning("exponential_above_line"), [exponent])
    proof = prove_nonneg(goal, T.margin(line.conclusion), [line.conclusion])
    proof = kernel.weaken(T.discharge(proof, line), [premise])
    found = [T.generalise(_closed(proof, premise), *names)]
    names, claim = T.unquantified(passes)
    premise, goal = claim.args
    gamma, mu, B = _named("gamma mu B")
    rate = (mu - gamma) * B
    positive = prove_nonneg(Lt(0, rate), T.margin(premise) * B, [premise])
    found.append(T.generalise(_closed(_passes(goal, rate, positive), premise), *names))
    return T.both(*found)


@lru_cache
def _shifted_exponent() -> Theorem:
    """0 <= N, y, |t| <= y + u N |- |e^(t - N) - e^(-N)| <= e^y (y + u / ((1 - u) e)), u < 1."""
    N, y, u, t = _named("N y u t")
    given = [Le(0, N), Le(0, y), Le(0, u), Lt(u, 1)]
    z, left = y + u * N, (1 - u) * N
    off = within(t, z)
    line = kernel.meaning("exponential_above_line")
    first = T.apply(line, [num(0) - z])
    peak = T.apply(line, [left - 1])
    decays = kernel.modus(
        T.parts(T.apply(T.exponential_rises(), [num(0), left]))[1],
        prove_nonneg(Le(0, left), left, given),
    )
    sides = [
        kernel.modus(T.parts(T.apply(T.exponential_rises(), list(side.args)))[1], T.assume(side))
        for side in (Le(*off.args[0].args), off.args[1])
    ]
    facts = [first, peak, decays, *sides]
    bound = exp(y) * (y + u / ((1 - u) * exp(num(1))))
    small = exp(num(0) - N)
    above = small * exp(z) * T.margin(first.conclusion)
    rest = exp(y) * exp(num(0) - left)
    above = above + rest * y * T.margin(decays.conclusion)
    above = above + rest * (u / (1 - u)) * T.margin(peak.conclusion)
    forms = (
        above + small * T.margin(sides[0].conclusion) + small * exp(num(0) - z) * (exp(z) - 1) ** 2,
        above + small * T.margin(sides[1].conclusion),
    )
    goal = within(exp(t - N) - small, bound)
    known = [*given, *(fact.conclusion for fact in facts)]
    proofs = (prove_nonneg(g, f, known) for g, f in zip(goal.args, forms, strict=True))
    return T.discharge(T.both(*proofs), *facts)


@control("half_of_it", LONG_CORNER, exponent_slack=_half_slack)
@proves(REBASING, "rounded_exponents")
def rounded_exponents(of: Execution) -> Theorem:
    """The exponents are off by u (2 r (B - 1) + r n) in all; 1 + x <= e^x does the rest."""
    absolute, relative = node(statements.rounded_exponents(of)).args
    names, claim = T.unquantified(absolute)
    premise, goal = claim.args
    given = T.conjuncts(premise)
    u, r, B, D, a, b = _named("u r B D a b")
    N, y, t = _named("N y t")
    f, d, s = (T.real(name) for name in "fds")
    length = r * (D * B + a - b)
    slack = 2 * u * r * (B - 1)
    middle = (B - 1) / 2
    off = num(-1) * r * (a - middle) * f - r * B * D * d + r * (b - middle) * s
    early, late, causal = (T.margin(given[place]) for place in (3, 4, 5))
    (f_low, f_high), (d_low, d_high), (s_low, s_high) = (
        (T.margin(given[place]), T.margin(given[place + 1])) for place in (6, 8, 10)
    )
    half = num(1) / 2
    sides = []
    for side, (f_up, f_down), d_up, (s_up, s_down) in zip(
        within(off, slack + u * length).args,
        ((f_high, f_low), (f_low, f_high)),
        (d_high, d_low),
        ((s_low, s_high), (s_high, s_low)),
        strict=True,
    ):
        form = r * half * (a * f_up + early * f_down) + r * B * D * d_up
        form = form + r * half * (b * s_up + late * s_down) + u * r * (late + a)
        sides.append(prove_nonneg(side, form, given))
    signs = [prove_nonneg(Le(0, length), r * causal, given)]
    signs.append(prove_nonneg(Le(0, slack), slack, given))
    found = kernel.specialise(_shifted_exponent(), {N: length, y: slack, t: off})
    found = T.discharge(found, *sides, *signs)
    visible = [T.discharge(prove_order(Lt(0, x), given, degree=1)) for x in _denominators(goal)]
    proofs = []
    for side, fact in zip(goal.args, T.parts(found), strict=True):
        facts = [*given, fact.conclusion, *(v.conclusion for v in visible)]
        proofs.append(T.discharge(prove_nonneg(side, T.margin(fact.conclusion), facts), fact))
    proof = T.discharge(T.both(*proofs), *visible)
    parts = [T.generalise(_closed(proof, premise), *names)]
    names, claim = T.unquantified(relative)
    premise, goal = claim.args
    rate = u * r
    positive = prove_nonneg(Lt(0, rate), rate, T.conjuncts(premise))
    parts.append(T.generalise(_closed(_passes(goal, rate, positive), premise), *names))
    return T.both(*parts)


def _denominators(term: Node) -> list[Node]:
    """What is divided by, apart from numbers."""
    inside = [d for x in term.args if isinstance(x, Node) for d in _denominators(x)]
    own = [term.args[1]] if term.head == "div" and term.args[1].head != "num" else []
    return list(dict.fromkeys([*own, *inside]))


@control("first_order", {"u": Fraction(1, 100)}, accumulated=_first_order)
@proves(REBASING, "counted")
def counted(of: Execution) -> Theorem:
    """m u / (1 - m u) - (1 + u)^m + 1 is u^2 times a polynomial with coefficients >= 0."""
    found = []
    for part in node(statements.counted(of)).args:
        names, claim = T.unquantified(part)
        premise, goal = claim.args
        positive, small = premise.args
        found.append(T.generalise(_closed(_geometric(goal, positive, small), premise), *names))
    return T.both(*found)


def _geometric(goal: Node, positive: Node, small: Node) -> Theorem:
    """(1 + u)^m - 1 <= m u / (1 - m u): the difference has coefficients m C(m, k-1) - C(m, k)."""
    (u,) = _named("u")
    m = int(small.args[0].args[0].args[0])
    room = goal.args[1].args[1]
    visible = prove_order(Lt(0, room), [small], degree=1)
    form = num(0)
    for k in range(2, m + 2):
        form = form + num(m * comb(m, k - 1) - comb(m, k)) * u**k
    facts = [positive, visible.conclusion]
    return T.discharge(prove_nonneg(goal, form / room, facts), visible)


# ---------------------------------------------------------------------- dyadic references
def _reference_exists(statement: Node) -> Theorem:
    """Halve both numbers until they agree; the last step before that has the reference."""
    n, i, j = T.outer(statement)
    every = statement.args[1]  # for all i, j

    def at(count: Node) -> Node:
        return substitute(every, {n: count})

    apart = T.one_apart(j, i)
    small = Lt(i, power(2, num(0)))
    never = T.discharge(T.contradict([apart.conclusion, small], degree=1), apart)
    base_premise, base_goal = T.inner(at(num(0))).args
    base = T.generalise(_closed(T.ex_falso(never, base_goal), base_premise), i, j)

    left, right = T.integer("i'"), T.integer("j'")
    halves = [T.euclid(i, 2), T.euclid(j, 2)]
    named = [T.body(half, name) for half, name in zip(halves, (left, right), strict=True)]
    facts = [side for part in named for side in part.args]
    wanted_premise, wanted = T.inner(at(n + 1)).args
    order, below = wanted_premise.args

    # The halves differ: their reference, one level up.
    naturals = []
    for name, part in zip((left, right), named, strict=True):
        low = kernel.integer_step(prove_order(Lt(num(-1), name), list(part.args), degree=1))
        natural = prove_order(Le(0, name), [low.conclusion], degree=1)
        naturals.append(T.discharge(natural, low))
    smaller = prove_order(Lt(left, power(2, n)), [below, *named[0].args], degree=1)
    differ = Lt(right, left)
    known = kernel.assume(at(n))
    for value, natural in zip((left, right), naturals, strict=True):
        known = kernel.instantiate(kernel.weaken(known, [natural.conclusion]), value)
    known = kernel.modus(known, T.both(kernel.assume(differ), smaller))
    known = T.discharge(known, *naturals)
    h, m, size = T.natural("h"), T.natural("m"), T.natural("N", 1)
    level = T.body_of(known.conclusion, h)
    deep, reference = level.args
    inside = T.body_of(reference, m)
    equal = Eq(size, power(2, h))
    steps = []
    for part in T.conjuncts(inside):
        sides = [_named_power(side, h, size) for side in part.args]
        shown = Node(part.head, tuple(sides))
        proof = prove_nonneg(shown, T.margin(part), [part, equal])
        steps.append(kernel.integer_step(proof) if part.head == "lt" else proof)
    plain = [step.conclusion for step in steps]
    room, higher = T.body_of(wanted, h + 1).args
    up = T.body_of(higher, m)
    proofs = [prove_order(part, [*plain, *facts, equal], degree=1) for part in T.conjuncts(up)]
    lifted = T.discharge(_gathered(up, proofs), *steps)
    lifted = powers.named(lifted, (size, h))
    lifted = kernel.choose(reference, m, T.unpack_all(T.exists(higher, m, lifted), inside))
    lifted = T.both(prove_order(room, [deep], degree=1), lifted)
    lifted = T.unpack(T.exists(wanted, h + 1, lifted), level)
    lifted = T.obtain(known, h, lifted)

    # They agree: the numbers are neighbours.
    agree = Le(left, right)
    close = kernel.integer_step(prove_order(Lt(i - 2, j), [*facts, agree], degree=1))
    same_facts = [close.conclusion, order]
    first, nearest = T.body_of(wanted, num(0)).args
    last = T.body_of(nearest, i)
    ends = [prove_order(part, same_facts, degree=1) for part in T.conjuncts(last)]
    neighbours = T.discharge(_gathered(last, ends), close)
    neighbours = T.both(prove_order(first), T.exists(nearest, i, neighbours))
    neighbours = T.exists(wanted, num(0), neighbours)

    step = T.compare(right, left, lifted, neighbours)
    for half, name, part in zip(halves, (left, right), named, strict=True):
        step = T.obtain(half, name, T.unpack(step, part))
    step = T.generalise(_closed(step, wanted_premise), i, j)
    return T.generalise(kernel.induct(n, every, base, step), n)


def _named_power(term: Node, h: Node, size: Node) -> Node:
    """A term with the power 2^h replaced by its name."""
    if term == power(2, h):
        return size
    inner = (_named_power(x, h, size) if isinstance(x, Node) else x for x in term.args)
    return Node(term.head, tuple(inner))


@control("powers_of_three", {"n": 2, "i": 2, "j": 0}, below=_powers_of_three)
@proves(REBASING, "dyadic")
def dyadic(of: Execution) -> Theorem:
    found, split = node(statements.dyadic(of)).args
    names, claim = T.unquantified(split)
    premise, goal = claim.args
    given = T.conjuncts(premise)
    proofs = _factor_bounds(T.conjuncts(goal), *given)
    proof = _closed(_gathered(goal, proofs), premise)
    return T.both(_reference_exists(found), T.generalise(proof, *names))


# ---------------------------------------------------------------------- rounding
def _converted(wanted: Sequence[Node], given: Sequence[Node]) -> list[Theorem]:
    """Premises of a theorem on rounding from those of a statement, which SymPy wrote otherwise."""
    found = []
    for goal in wanted:
        same = [fact for fact in given if fact.head == goal.head]
        found.append(next(proof for fact in same if (proof := _as(goal, fact))))
    return found


def _as(goal: Node, fact: Node) -> Theorem | None:
    """The goal from a fact that differs from it in the order of its terms."""
    try:
        return prove_nonneg(goal, T.margin(fact), [fact])
    except Undecided:
        return None


@lru_cache
def _root() -> Theorem:
    """z^2 <= 1 |- z <= 1."""
    (z,) = _named("z")
    square, above = Le(z**2, 1), Lt(1, z)
    excluded = T.contradict([square, above])
    return T.compare(1, z, T.ex_falso(excluded, Le(z, 1)), kernel.assume(Le(z, 1)))


def _factors(of: Execution, r: Any, given: Sequence[Node], *rates: Node) -> list[Theorem]:
    """What `rounded_channels.FACTORS` asks of the factors of a block, for a rate up to the largest.

    `given` ends with a, b <= B - 1, b <= D B + a and omega e^(R (B - 1)) <= 1; `rates` order rates.
    """
    first, second, causal, fits = given[-4:]
    sigma, B, D, a, b = _named("sigma B D a b")
    R = next(rate for rate in _named("R r") if _mentions(fits, rate))
    query, block, key = (node(part) for part in statements._parts(of, r))
    reach = exp(R * (B - 1) / 2)
    (z,) = _named("z")
    square = prove_nonneg(Le((sigma * reach) ** 2, 1), T.margin(fits), [fits])
    short = T.discharge(kernel.specialise(_root(), {z: sigma * reach}), square)
    near = short.conclusion
    found = [_raised(Le(block, num(1)), *rates, degree=3)]
    for factor, place in ((query, first), (key, second)):
        low = _raised(Le(exp(num(0) - R * (B - 1) / 2), factor), place, *rates)
        high = _raised(Le(factor, reach), place, *rates)
        form = T.margin(low.conclusion) + T.margin(near) / reach
        above = prove_nonneg(Le(sigma, factor), form, [near, low.conclusion])
        form = T.margin(near) + sigma * T.margin(high.conclusion)
        positive = Lt(0, sigma)
        below = prove_nonneg(Le(sigma * factor, 1), form, [near, high.conclusion, positive])
        found += [T.discharge(above, low, short), T.discharge(below, high, short)]
    whole = query * block * key
    rate = node(r)
    decay = exp(num(-1) * rate * (D * B + a - b))
    small = _raised(Le(decay, num(1)), causal, *rates)
    equal = prove_identity(Eq(whole, decay))
    return [*found, T.transport(Le(hole, 1), hole, equal, small)]


def _mentions(term: Node, name: Node) -> bool:
    return name in free_variables(term)


def _results(names: Sequence[Node]) -> list[Node]:
    """The variables that are results of roundings, in order."""
    return [name for name in names if name.args[0][0] == "z" and name.args[0][1:].isdigit()]


class _Computed:
    """A statement about a computation: its premises, those on roundings by their result."""

    def __init__(self, statement: Any) -> None:
        self.names, claim = T.unquantified(statement)
        self.premise, self.goal = claim.args
        self.results = _results(self.names)
        conjuncts = T.conjuncts(self.premise)
        count = len(self.results)
        self.roundings = dict(zip(self.results, conjuncts[:count], strict=True))
        self.given = conjuncts[count:]

    def used(self, theorem: Theorem, first: int, *lemmas: Theorem, **values: Any) -> Theorem:
        """A theorem of `rounded_channels` whose roundings are those from number `first` on."""
        places = {getattr(channels, name): node(value) for name, value in values.items()}
        for offset, z in enumerate(channels.RESULTS):
            if first + offset < len(self.results):
                places[z] = self.results[first + offset]
        found = T.discharge(kernel.specialise(theorem, places), *lemmas)
        for fact in found.hypotheses:
            latest = [z for z in self.results if z in free_variables(fact)]
            if latest and (fact.head == "implies" or _is_square(fact)):
                said = kernel.assume(self.roundings[latest[-1]])
                found = T.discharge(found, rounded.restated(fact, said))
        return found

    def proved(self, theorem: Theorem, *lemmas: Theorem) -> Theorem:
        proof = _closed(T.discharge(theorem, *lemmas), self.premise)
        return T.generalise(proof, *self.names)


def _is_square(fact: Node) -> bool:
    """A premise of the standard model: (z - x)^2 <= (u x)^2."""
    return fact.head == "le" and fact.args[0].head == fact.args[1].head == "pow"


@control("half_of_it", _weight_point(), weight=4)
@control("block_factor_forgotten", FAR_BLOCK, folded=_block_forgotten)
@proves(REBASING, "weights")
def weights(of: Execution) -> Theorem:
    """Three roundings, two products, and what underflow adds after it is amplified."""
    told = _Computed(statements.weights(of))
    query, block, key = (node(part) for part in statements._parts(of, statements.r))
    lemmas = _converted(channels.FORMAT, told.given)
    lemmas += _factors(of, statements.r, told.given, told.given[-5])
    found = told.used(channels.weight(), 0, *lemmas, Q=query, F=block, K=key)
    return told.proved(rounded.restated(told.goal, found), *lemmas)


@lru_cache
def _absolute() -> Theorem:
    """-|x| <= x <= |x| and 0 <= |x|."""
    (x,) = _named("x")
    size = Node("abs", (x,))
    positive = prove_nonneg(Le(0, size), size)
    sides = []
    for side in within(x, size).args:
        small, large = side.args
        excluded = T.contradict([positive.conclusion, Lt(large, small)])
        excluded = T.discharge(excluded, positive)
        sides.append(T.compare(large, small, T.ex_falso(excluded, side), T.assume(side)))
    return T.both(*sides, positive)


@lru_cache
def _below_root() -> Theorem:
    """x^2 <= y^2, 0 <= y |- x <= y."""
    x, y = _named("x y")
    square, positive, beyond = Le(x**2, y**2), Le(0, y), Lt(y, x)
    excluded = T.contradict([square, positive, beyond])
    return T.compare(y, x, T.ex_falso(excluded, Le(x, y)), T.assume(Le(x, y)))


def _entries() -> tuple[Node, Node]:
    """The moduli of the entries of V: 1 / (k sqrt 2) and k / sqrt 2."""
    k = statements.k
    return node(1 / (k * sympy.sqrt(2))), node(k / sympy.sqrt(2))


def _coordinate_sizes() -> tuple[Node, Node]:
    """X and Y: sums of |v| |q|."""
    low, high = _entries()
    q1, q2, k1, k2 = (Node("abs", (x,)) for x in _named("q1 q2 k1 k2"))
    return low * q1 + high * q2, high * k1 + low * k2


@lru_cache
def _cauchy() -> Theorem:
    """2 X Y <= (rho + 1 / rho) |q| |k|."""
    x, y, k = _named("x y k")
    sizes = _coordinate_sizes()
    weight, halves = k**2 + 1 / k**2, []
    for size, names, (left, right) in zip(
        sizes, ("q1 q2", "k1 k2"), ((k, 1 / k), (1 / k, k)), strict=True
    ):
        first, second = (Node("abs", (v,)) for v in _named(names))
        length = sqrt(sum((v**2 for v in _named(names)[1:]), _named(names)[0] ** 2))
        # weight |q|^2 - 2 X^2 is a square
        form = (left * first - right * second) ** 2
        halves.append(prove_nonneg(Le(2 * size**2, weight * length**2), form))
    first, second = (half.conclusion for half in halves)
    norms = node(statements._norms())
    product = 2 * (sizes[0] * sizes[1])
    form = T.margin(first) * second.args[1] + first.args[0] * T.margin(second)
    square = prove_nonneg(Le(product**2, norms**2), form, [first, second])
    found = kernel.specialise(_below_root(), {x: product, y: norms})
    found = T.discharge(found, square, prove_nonneg(Le(0, norms), norms))
    return T.discharge(found, *halves)


def _moduli(value: Node, size: Node) -> Theorem:
    """|value| <= size for a number that is plus or minus the size."""
    sides = []
    for side in within(value, size).args:
        try:
            sides.append(prove_nonneg(side, num(0)))
        except Undecided:
            sides.append(prove_nonneg(side, 2 * size))
    return T.both(*sides)


def _coordinate_facts(of: Execution, which: int) -> tuple[dict[str, Node], list[Theorem]]:
    """The entries and vector of one of the four coordinates, and what is known of them."""
    (v0, v1), vector = statements._coordinates(of)[which]
    low, high = _entries()
    sizes = (low, high) if which < 2 else (high, low)
    q0, q1 = (node(x) for x in vector)
    values = {"v0": node(v0), "v1": node(v1), "V0": sizes[0], "V1": sizes[1], "q0": q0, "q1": q1}
    values |= {"Q0": Node("abs", (q0,)), "Q1": Node("abs", (q1,))}
    (x,) = _named("x")
    facts = [_moduli(values["v0"], sizes[0]), _moduli(values["v1"], sizes[1])]
    facts += [kernel.specialise(_absolute(), {x: q}) for q in (q0, q1)]
    return values, [part for fact in facts for part in T.parts(fact)]


def _moderate(told: _Computed) -> list[Theorem]:
    """Entries and coordinates have sizes between sigma and 1 / sigma."""
    (sigma,) = _named("sigma")
    low, high = _entries()
    sizes = _coordinate_sizes()
    wanted = [Le(sigma, size) for size in (low, high, *sizes)]
    found = _converted([*wanted, *(Le(sigma * size, 1) for size in sizes)], told.given)
    # The entries multiply to 1/2.
    for entry, other in ((low, high), (high, low)):
        fact = Le(sigma, other)
        half = num(Fraction(1, 2))
        small = prove_nonneg(Le(sigma * entry, 1), entry * T.margin(fact) + half, [fact])
        found.append(small)
    for size in sizes:
        facts = [Le(sigma, size), Lt(0, sigma)]
        found.append(prove_nonneg(Lt(0, size), T.margin(facts[0]) + sigma, facts))
    return found


def _format(told: _Computed) -> list[Theorem]:
    """The premises about the format."""
    quiet = told.given[3]
    half = prove_order(channels.FORMAT[3], [quiet], degree=1)
    others = (*channels.FORMAT[:3], channels.FORMAT[4], channels.QUIET)
    return [half, *_converted(others, told.given)]


def _two_coordinates(
    of: Execution, told: _Computed, theorem: Theorem, lemmas: Sequence[Theorem]
) -> list[tuple[Node, Node, list[Theorem]]]:
    """Computed and exact coordinate, and what is proved of it, for each of the four."""
    found = []
    for which in range(4):
        values, facts = _coordinate_facts(of, which)
        near = told.used(theorem, 5 * which, *facts, *lemmas, **values)
        exact = values["v0"] * values["q0"] + values["v1"] * values["q1"]
        proofs = [part for both in T.parts(near) for part in T.parts(both)]
        found.append((told.results[5 * which + 4], exact, proofs))
    return found


def _two_channels(
    of: Execution,
    told: _Computed,
    coordinate: Theorem,
    channel: Theorem,
    factors: Sequence[dict[str, Node]],
    lemmas: Sequence[Theorem],
) -> list[tuple[Node, Node, list[Theorem]]]:
    """Computed and exact channel, and what is proved of it: slow, then fast."""
    coordinates = _two_coordinates(of, told, coordinate, lemmas)
    X, Y = _coordinate_sizes()
    steps = len(_results_of(channel))
    found = []
    for which, values in enumerate(factors):
        x, s, near_x = coordinates[which]
        y, t, near_y = coordinates[2 + which]
        named = values | {"x": x, "s": s, "y": y, "t": t, "X": X, "Y": Y}
        first = 20 + steps * which
        near = told.used(channel, first, *near_x, *near_y, *lemmas, **named)
        proofs = [part for both in T.parts(near) for part in T.parts(both)]
        exact = T.parts(near)[1].conclusion.args[1].args[0]
        found.append((told.results[first + steps - 1], exact, proofs))
    return found


def _results_of(theorem: Theorem) -> list[Node]:
    used = set().union(*(free_variables(fact) for fact in theorem.hypotheses))
    return [z for z in channels.RESULTS if z in used]


def _total(
    told: _Computed,
    channels_found: Sequence[tuple[Node, Node, list[Theorem]]],
    total: Theorem,
    lemmas: Sequence[Theorem],
    **values: Node,
) -> Theorem:
    """What a theorem on sums says of the two channels."""
    (x, s, near_x), (y, t, near_y) = channels_found
    last = len(told.results) - 1
    return told.used(total, last, *near_x, *near_y, *lemmas, x=x, s=s, y=y, t=t, **values)


def _score_proof(
    of: Execution,
    told: _Computed,
    channel: Theorem,
    total: Theorem,
    count: int,
    factors: Sequence[dict[str, Node]],
    lemmas: Sequence[Theorem],
) -> Theorem:
    """Two channels, their sum, and 2 X Y against the norms."""
    lemmas = [*lemmas, *_format(told), *_moderate(told)]
    found = _two_channels(of, told, channels.coordinate(), channel, factors, lemmas)
    X, Y = _coordinate_sizes()
    near, whole = _total(told, found, total, lemmas, X=X, Y=Y), _cauchy()
    margin = T.margin(whole.conclusion)
    proofs = []
    for side, fact in zip(told.goal.args, T.parts(near), strict=True):
        form = T.margin(fact.conclusion) + channels.surplus(count) * margin
        facts = [fact.conclusion, whole.conclusion, channels.FORMAT[0]]
        proofs.append(T.discharge(prove_nonneg(side, form, facts), fact, whole))
    return told.proved(T.both(*proofs), *lemmas)


def _rate_parts(of: Execution) -> list[dict[str, Node]]:
    """The factors of a block for the slow and the fast rate."""
    parts = (statements._parts(of, rate) for rate in (statements.r, statements.R))
    return [dict(zip("QFK", map(node, three), strict=True)) for three in parts]


@control("six_roundings", _score_point(statements.channel, 3), roundings=6)
@proves(REBASING, "scores")
def scores(of: Execution) -> Theorem:
    """Coordinates, channels, their sum: 17 roundings, three of which pay for what underflows."""
    told = _Computed(statements.scores(of))
    rates, lemmas = told.given[-6:-4], []
    for rate in (statements.r, statements.R):
        lemmas += _factors(of, rate, told.given, *rates)
    total = channels.added(13, channels.REBASED)
    return _score_proof(of, told, channels.rebased(), total, 17, _rate_parts(of), lemmas)


@control("six_roundings", _score_point(statements.channel, 3), normal_roundings=6)
@proves(REBASING, "normal_scores")
def normal_scores(of: Execution) -> Theorem:
    """The same without underflow: 14 roundings, and the fast channel decays no slower."""
    told = _Computed(statements.normal_scores(of))
    positive, rates, distance = told.given
    factors = _rate_parts(of)
    X, Y = _coordinate_sizes()
    sizes = [X * (part["Q"] * part["F"]) * (Y * part["K"]) for part in factors]
    positives = [prove_nonneg(Le(0, abs_), abs_) for abs_ in (X, Y)]
    found = _two_channels(
        of, told, channels.normal_coordinate(), channels.normal_channel(), factors, positives
    )
    near = _total(told, found, channels.normal_sum(13), [], W=sizes[0], Z=sizes[1])
    near = T.parts(near)[0]
    n = distance.args[1]
    slow, fast = (exp(num(-1) * rate * n) for rate in _named("r R"))
    later = _raised(Le(fast, slow), rates, distance)
    whole = _cauchy()
    room = T.margin(whole.conclusion) * slow + X * Y * T.margin(later.conclusion)
    proofs = []
    for side, fact in zip(told.goal.args, T.parts(near), strict=True):
        form = T.margin(fact.conclusion) + channels.surplus(14) * room
        facts = [fact.conclusion, whole.conclusion, later.conclusion, positive]
        proofs.append(T.discharge(prove_nonneg(side, form, facts), fact, whole, later))
    return told.proved(T.both(*proofs))


@control("five_roundings", _score_point(statements.halved, 2), dyadic_roundings=5)
@proves(REBASING, "dyadic_scores")
def dyadic_scores(of: Execution) -> Theorem:
    """Both factors are at most 1, so nothing that underflows is amplified."""
    told = _Computed(statements.dyadic_scores(of))
    *_, slow, order, low, below, above, high = told.given
    reference = of.below(statements.h, statements.m)
    i, j = statements.i, statements.j
    factors, lemmas = [], []
    for rate in (statements.r, statements.R):
        halves = (sympy.exp(-rate * (i - reference)), sympy.exp(-rate * (reference - j)))
        first, second = map(node, halves)
        factors.append({"G": first, "H": second})
        facts = (below, above, slow, order)
        lemmas += [_raised(Le(factor, num(1)), *facts) for factor in (first, second)]
    total = channels.added(11, channels.DYADIC)
    return _score_proof(of, told, channels.dyadic(), total, 13, factors, lemmas)


# ---------------------------------------------------------------------- symplectic.tiles
@control("growing_key", ONE_ENTRY, key=_growing_key)
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
    r, R, B, D, g = _named("r R B D g")
    factors = [exp(num(-1) * B * D * rate) for rate in (r, R)]
    equal = [
        prove_identity(Eq(g, factor), [fact])
        for factor, fact in zip(factors, (first, second), strict=True)
    ]
    branches = []
    for small, large in ((r, R), (R, r)):
        given = Lt(small, large)
        rises = _raised(
            Lt(exp(num(-1) * B * D * large), exp(num(-1) * B * D * small)), given, apart, degree=3
        )
        same = T.discharge(
            prove_identity(Eq(*rises.conclusion.args), [e.conclusion for e in equal]), *equal
        )
        pair = [rises.conclusion, same.conclusion]
        clash = prove_nonneg(Lt(0, num(0)), T.margin(pair[0]), pair)
        branches.append(T.ex_falso(T.discharge(clash, rises, same), goal))
    proof = T.three_ways(r, R, branches[0], T.assume(goal), branches[1])
    return T.generalise(_closed(proof, premise), *names)


@control("growing_key", FAR_CORNER | {"b": 0}, key=_growing_key)
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
        exponent = _exponent_of(product)
        small = _raised(Le(exp(exponent), limit), *facts)
        equal = prove_identity(Eq(product, exp(exponent)))
        proofs.append(T.transport(Le(hole, limit), hole, equal, small))
    proofs[1] = T.implication(proofs[1], causal.args[0])
    found = [T.generalise(_closed(T.both(*proofs), premise), *names)]
    found.append(T.generalise(prove_identity(T.inner(last)), *T.outer(last)))
    names, claim = T.unquantified(finite)
    below, order = claim.args
    # Both sides say e^(sum) < e^(log T).
    exponent, logarithm = order.args
    image = Lt(exp(exponent), exp(logarithm))
    even = _same_strict(below, image)
    found.append(T.generalise(_chained(even, _turned(_strictly(exponent, logarithm))), *names))
    return T.both(*found)


def _same_strict(left: Node, right: Node) -> Theorem:
    """Two inequalities with equal sides."""
    forward = prove_nonneg(right, T.margin(left), [left])
    return T.iff(left, right, forward, prove_nonneg(left, T.margin(right), [right]))


def _strictly(left: Node, right: Node) -> Theorem:
    """x < y <=> exp x < exp y."""
    weak = T.apply(_exponential(), [right, left])
    strict, image = Lt(left, right), Lt(exp(left), exp(right))
    forward = kernel.modus(
        T.parts(T.apply(T.exponential_rises(), [left, right]))[0], kernel.assume(strict)
    )
    back = kernel.modus(T.parts(_both_ways(weak))[0], kernel.assume(Le(right, left)))
    excluded = kernel.clash(back, kernel.not_less(kernel.assume(image)))
    backward = T.compare(left, right, kernel.assume(strict), T.ex_falso(excluded, strict))
    return T.iff(strict, image, forward, backward)


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
        self.i = node(statements.i)

    def value(self, term: Any, at: Node) -> Node:
        return T.instance(term(statements.i), statements.i, at)

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
        (x,) = _named("x")
        values: dict[Node, Node] = {}
        facts = [*lemmas, *own]
        for name, term in (("x", statements.X), ("y", statements.Y)):
            number = self.value(term, i)
            size = Node("abs", (number,))
            values |= {getattr(channels, name): number, getattr(channels, name.upper()): size}
            facts += T.parts(kernel.specialise(_absolute(), {x: number}))
        values |= {getattr(channels, name): factor for name, factor in factors.items()}
        values |= {
            z: self.value(statements.sequence(f"z{place}"), i)
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
        for side, near in zip(T.conjuncts(goal), _flat(found), strict=True):
            form = T.margin(near.conclusion)
            proof = prove_nonneg(side, form, [*known, near.conclusion])
            sides.append(T.discharge(proof, near, *equations))
        return self.at_count(i, equations[3], _gathered(goal, sides))

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
        for place, (side, fact) in enumerate(zip(T.conjuncts(goal), _flat(carried), strict=True)):
            whole = T.margin(fact.conclusion) + (form if place < 2 else num(0))
            facts = [*(e.conclusion for e in equations[:2]), fact.conclusion, *known_facts]
            proof = prove_nonneg(side, whole, facts)
            sides.append(T.discharge(proof, fact, *lemmas, *equations))
        return self.at_count(i, equations[2], _gathered(goal, sides))

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
        size, near = total.reach + omega, _flat(total.near)
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
        n = node(statements.n)
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
        at = T.discharge(T.both(*sides), *_converted(self.format, self.given))
        at = T.implication(at, inside)
        found = _closed(T.generalise(at, i), self.premise)
        return T.generalise(found, *self.names)


def _in_order(facts: Sequence[Node], results: Sequence[Node]) -> list[Node]:
    """The premises on roundings, in the order of their results."""
    own = [fact for fact in facts if fact.head == "implies" or _is_square(fact)]
    return sorted(own, key=lambda fact: max(k for k, z in enumerate(results) if _holds(fact, z)))


def _holds(term: Node, part: Node) -> bool:
    return term == part or any(_holds(a, part) for a in term.args if isinstance(a, Node))


def _flat(theorem: Theorem) -> list[Theorem]:
    if theorem.conclusion.head != "and":
        return [theorem]
    return [part for inner in T.parts(theorem) for part in _flat(inner)]


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


def _rate_factors(of: Execution) -> dict[str, Node]:
    parts = statements._parts(of, statements.rate(statements.i))
    return dict(zip("QFK", map(node, parts), strict=True))


@control("two_roundings", _entry_point(), entry_roundings=2)
@proves(TILES, "entries")
def entries(of: Execution) -> Theorem:
    """Seven roundings a product, and one for each sum above it: at most as many as leaves."""
    told = _Program(statements.entries(of), channels.STANDARD, num(0), num(0))
    positives = []
    for term in (statements.X, statements.Y):
        size = Node("abs", (told.value(term, told.i),))
        positives.append(prove_nonneg(Le(0, size), size))
    product = told.product(channels.normal_entry(), positives, _rate_factors(of))
    return told.proof(product)


@control("two_roundings", _entry_point(), entry_roundings=2)
@proves(TILES, "underflow")
def underflow(of: Execution) -> Theorem:
    """The same, with what each product and each sum may lose below the normal numbers."""
    u, omega = channels.u, channels.omega
    told = _Program(statements.underflow(of), channels.ROUNDED, channels.UNDERFLOW, u * omega)
    (M,) = _named("M")
    i = told.i
    one, room = _converted(channels.INPUTS[:2], told.given)
    positive = prove_nonneg(Lt(0, M), T.margin(one.conclusion) + 1, [one.conclusion])
    own = T.parts(T.apply(T.assume(told.products), [i], T.assume(told.products.args[1].args[0])))
    lemmas = [one, room, T.discharge(positive, one), *_converted(channels.FORMAT, told.given)]
    for place, term in ((13, statements.X), (15, statements.Y)):
        number = told.value(term, i)
        size = Node("abs", (number,))
        (x,) = _named("x")
        bound = kernel.specialise(_absolute_below(), {x: number, node(statements.N): M})
        lemmas += [prove_nonneg(Le(0, size), size), T.discharge(bound, *own[place : place + 2])]
    rate = statements.rate(statements.i)
    rates = [fact.conclusion for fact in own[11:13]]
    lemmas += [T.discharge(lemma, *own[11:13]) for lemma in _factors(of, rate, told.given, *rates)]
    product = told.product(channels.entry(), lemmas, _rate_factors(of))
    return told.proof(T.discharge(product, *lemmas))


@lru_cache
def _absolute_below() -> Theorem:
    """-N <= x <= N |- |x| <= N."""
    x, N = _named("x N")
    size = Node("abs", (x,))
    facts, beyond = list(within(x, N).args), Lt(N, size)
    # |x|^2 = x^2 <= N^2
    excluded = T.contradict([*facts, beyond])
    return T.compare(N, size, T.ex_falso(excluded, Le(size, N)), T.assume(Le(size, N)))
