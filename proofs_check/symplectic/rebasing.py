"""Proofs of `theory.symplectic.rebasing`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any

import sympy

from posproof.proofs_check import kernel, powers, rounded, thresholds
from posproof.proofs_check import rounded_channels as channels
from posproof.proofs_check import tactics as T
from posproof.proofs_check.exponentials import exponent_of, outgrows, raised, shifted
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import (
    Eq,
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
)
from posproof.proofs_check.rounded import within
from posproof.proofs_check.rounded_statements import Computed, Grown, converted, results_of
from posproof.proofs_check.search import (
    Undecided,
    prove_by_induction,
    prove_identity,
    prove_nonneg,
    prove_order,
)
from posproof.theory.symplectic import rebasing as statements
from posproof.theory.symplectic.rebasing import REBASING, Execution
from posproof.theory.vocabulary import control, proves

node = T.node
hole = T.real("hole")


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


def _growing_block(r: Any, B: Any, D: Any) -> Any:
    return 1 / statements.block_factor(r, B, D)


def growing_key(r: Any, b: Any, c: Any) -> Any:
    return 1 / statements.key(r, b, c)


def _block_forgotten(fl: Any, q: Any, f: Any, k: Any) -> Any:
    return fl(fl(q) * fl(k))


def _first_order(m: int, u: Any) -> Any:
    return m * u


def _half_slack(u: Any, r: Any, B: Any) -> Any:
    return statements.exponent_slack(u, r, B) / 2


def _gap_too_long(a: Any, b: Any, B: Any, D: Any) -> tuple[Any, Any, Any]:
    return a, B * D, B - 1 - b


def _powers_of_three(h: Any, m: Any) -> Any:
    return m * 3**h


UNIT = Fraction(1, 256)
AT_HOME = {"u": UNIT, "sigma": Fraction(1, 64), "Omega": 2**20, "r": 0, "R": 0, "B": 1, "D": 0}
AT_HOME |= {"a": 0, "b": 0, "k": 1, "q1": 2, "q2": 1, "k1": 2, "k2": 1, "i": 1, "j": 0, "h": 0}
AT_HOME |= {"m": 1}


def _weight_point() -> dict[str, Any]:
    grown, one = Grown(UNIT), sympy.Integer(1)
    statements.folded(grown, one, one, one)
    return AT_HOME | grown.point()


def _score_point(computed: Any, factors: int) -> dict[str, Any]:
    """All decays are 1; V is H, q = k = (2, 1)."""
    grown, root = Grown(UNIT), 1 / sympy.sqrt(2)
    vector = (sympy.Integer(2), sympy.Integer(1))
    pairs = [(root, root), (root, -root)] * 2
    xs = [statements.projection(grown, pair, vector) for pair in pairs]
    ones = [sympy.Integer(1)] * factors
    terms = [computed(grown, xs[s], xs[2 + s], *ones) for s in (0, 1)]
    grown(terms[0] + terms[1])
    return AT_HOME | grown.point()


THREE_TO_POWERS = {"p": 1, "e": 1, "w": 1, "J": 1, "n": 1}
LONG_BLOCK = {"T": Fraction(1, 100), "w": 1, "m": 4, "B": 5}
FAR_CORNER = {"r": 1, "R": 1, "B": 3, "D": 1, "a": 0, "b": 2}
LONG_CORNER = {"u": Fraction(1, 1000), "r": Fraction(1, 10), "B": 101, "D": 1, "a": 0, "b": 100}
LONG_CORNER |= {"f": Fraction(1, 1000), "d": Fraction(-1, 1000), "s": Fraction(1, 1000)}
ONE_STEP = {"n": 1, "gamma": 0, "mu": 1, "k": 2, "q1": 1, "q2": 1, "k1": 1, "k2": 2}
FAR_BLOCK = AT_HOME | {"z1": 1, "z2": 1, "z3": 1, "r": 1, "D": 1}
GROWING = {"gamma": 0, "mu": 1, "B": 1, "D": 1, "C": 1}


def _named(names: str) -> list[Node]:
    return [node(getattr(statements, name)) for name in names.split()]


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
    return T.closed(T.discharge(found, prove_nonneg(below, factor)), premise)


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
@control("largest_finite_number", THREE_TO_POWERS, overflowing=_largest_finite)
@control("smallest_number", THREE_TO_POWERS, vanishing=_smallest)
@control("rounded_down", THREE_TO_POWERS, ceiling=_rounded_down)
@proves(REBASING, "positions")
def positions(of: Execution) -> Theorem:
    """Take logarithms; the first integer at or above a number is its ceiling."""
    found = []
    p, e, w = _named("p e w")
    least = powers.at_least_one(p)
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
        proof = thresholds.crossing(level, w, first, crossing, positive)
        found.append(T.generalise(T.closed(proof, first), *names))
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
    (w,) = _named("w")
    crossing = thresholds.crossing(level, w, first, lost, positive)
    proof = T.both(crossing, prove_identity(weight))
    return T.generalise(T.closed(proof, first), *names)


@control("rounded_up", LONG_BLOCK, floor=_rounded_up)
@control("block_start", LONG_BLOCK, centre=_block_start)
@proves(REBASING, "safe")
def safe(of: Execution) -> Theorem:
    """Take logarithms; the last integer at or below a number is its floor."""
    names, claim = T.unquantified(statements.safe(of))
    longest, goal = claim.args
    fits, _ = goal.args
    w, m, B, top = _named("w m B T")
    logarithm = num(-1) * Node("log", (top,))
    counted = kernel.modus(thresholds.last_integer(w, logarithm, m, B), kernel.assume(longest))
    exponent = counted.conclusion.args[0].args[0]
    wanted = Eq(fits.args[0], top * exp(exponent))
    pattern = Node("iff", (Le(hole, 1), counted.conclusion.args[0]))
    inverted = T.apply(thresholds.inverted(), [top, exponent])
    inside = T.transport(pattern, hole, prove_identity(wanted), inverted)
    return T.generalise(T.closed(T.chained(inside, counted), longest), *names)


# ---------------------------------------------------------------------- factors
def _factor_bounds(goals: Sequence[Node], *given: Node) -> list[Theorem]:
    """0 < f by its shape, the other bounds by the order of exponents, equations by algebra."""
    found = []
    for goal in goals:
        if goal.head == "eq":
            found.append(prove_identity(goal))
        elif goal.head == "lt" and goal.args[0] == num(0):
            found.append(prove_nonneg(goal, goal.args[1]))
        else:
            found.append(raised(goal, *given, degree=3 if goal.args[1] == num(1) else 2))
    return found


@control("block_start", FAR_CORNER, centre=_block_start)
@control("one_block_less", FAR_CORNER, block=_one_block_less)
@proves(REBASING, "centred")
def centred(of: Execution) -> Theorem:
    """Exponents add up, and the largest belongs to an end of the block."""
    statement = statements.centred(of)
    premise, given, goal = T.taken(statement)
    proof = T.gathered(goal, _factor_bounds(T.conjuncts(goal), *given))
    return T.generalise(T.closed(proof, premise), *T.outer(statement))


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
@control("growing_key", FAR_CORNER, key=growing_key)
@proves(REBASING, "corner")
def corner(of: Execution) -> Theorem:
    shrinks, reached = node(statements.corner(of)).args
    names, claim = T.unquantified(shrinks)
    premise, goal = claim.args
    positive, short = goal.args
    step = short.args[0]
    exponent = exponent_of(step)
    small = raised(Le(exp(exponent), num(1)), premise, degree=3)
    equal = prove_identity(Eq(step, exp(exponent)))
    short = T.transport(Le(hole, 1), hole, equal, small)
    proof = T.implication(T.both(prove_nonneg(positive, step), short), premise)
    return T.both(
        T.generalise(proof, *names),
        T.generalise(prove_identity(T.inner(reached)), *T.outer(reached)),
    )


@control("gap_too_long", FAR_CORNER, separated=_gap_too_long)
@proves(REBASING, "separating")
def separating(of: Execution) -> Theorem:
    """The distance between the blocks pays for both ends."""
    statement = statements.separating(of)
    premise, given, goal = T.taken(statement)
    found = []
    for part in T.conjuncts(goal):
        if part.head == "le" and part.args[0] == num(0):
            found.append(prove_order(part, given))
        else:
            found += _factor_bounds([part], *given)
    return T.generalise(T.closed(T.gathered(goal, found), premise), *T.outer(statement))


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
    found = [T.generalise(T.closed(proof, premise), *names)]
    names, claim = T.unquantified(passes)
    premise, goal = claim.args
    gamma, mu, B = _named("gamma mu B")
    rate = (mu - gamma) * B
    positive = prove_nonneg(Lt(0, rate), T.margin(premise) * B, [premise])
    found.append(T.generalise(T.closed(outgrows(goal, rate, positive), premise), *names))
    return T.both(*found)


@control("half_of_it", LONG_CORNER, exponent_slack=_half_slack)
@proves(REBASING, "rounded_exponents")
def rounded_exponents(of: Execution) -> Theorem:
    """The exponents are off by u (2 r (B - 1) + r n) in all; 1 + x <= e^x does the rest."""
    absolute, relative = node(statements.rounded_exponents(of)).args
    names, claim = T.unquantified(absolute)
    premise, goal = claim.args
    given = T.conjuncts(premise)
    u, r, B, D, a, b = _named("u r B D a b")
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
    found = T.discharge(shifted(length, slack, u, off), *sides, *signs)
    visible = [T.discharge(prove_order(Lt(0, x), given, degree=1)) for x in _denominators(goal)]
    proofs = []
    for side, fact in zip(goal.args, T.parts(found), strict=True):
        facts = [*given, fact.conclusion, *(v.conclusion for v in visible)]
        proofs.append(T.discharge(prove_nonneg(side, T.margin(fact.conclusion), facts), fact))
    proof = T.discharge(T.both(*proofs), *visible)
    parts = [T.generalise(T.closed(proof, premise), *names)]
    names, claim = T.unquantified(relative)
    premise, goal = claim.args
    rate = u * r
    positive = prove_nonneg(Lt(0, rate), rate, T.conjuncts(premise))
    parts.append(T.generalise(T.closed(outgrows(goal, rate, positive), premise), *names))
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
        found.append(T.generalise(T.closed(_geometric(goal, positive, small), premise), *names))
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
@control("powers_of_three", {"n": 2, "i": 2, "j": 0}, below=_powers_of_three)
@proves(REBASING, "dyadic")
def dyadic(of: Execution) -> Theorem:
    found, split = node(statements.dyadic(of)).args
    names, claim = T.unquantified(split)
    premise, goal = claim.args
    given = T.conjuncts(premise)
    proofs = _factor_bounds(T.conjuncts(goal), *given)
    proof = T.closed(T.gathered(goal, proofs), premise)
    return T.both(powers.multiple_between(found), T.generalise(proof, *names))


# ---------------------------------------------------------------------- rounding
def factor_limits(of: Execution, r: Any, given: Sequence[Node], *rates: Node) -> list[Theorem]:
    """What `rounded_channels.FACTORS` asks of the factors of a block, for a rate up to the largest.

    `given` ends with a, b <= B - 1, b <= D B + a and omega e^(R (B - 1)) <= 1; `rates` order rates.
    """
    first, second, causal, fits = given[-4:]
    sigma, B, D, a, b = _named("sigma B D a b")
    R = next(rate for rate in _named("R r") if _mentions(fits, rate))
    query, block, key = (node(part) for part in statements.three_factors(of, r))
    reach = exp(R * (B - 1) / 2)
    one = num(1)
    square = prove_nonneg(Le((sigma * reach) ** 2, one**2), T.margin(fits), [fits])
    short = T.discharge(rounded.root(sigma * reach, one), square, prove_order(Le(0, one)))
    near = short.conclusion
    found = [raised(Le(block, num(1)), *rates, degree=3)]
    for factor, place in ((query, first), (key, second)):
        low = raised(Le(exp(num(0) - R * (B - 1) / 2), factor), place, *rates)
        high = raised(Le(factor, reach), place, *rates)
        form = T.margin(low.conclusion) + T.margin(near) / reach
        above = prove_nonneg(Le(sigma, factor), form, [near, low.conclusion])
        form = T.margin(near) + sigma * T.margin(high.conclusion)
        positive = Lt(0, sigma)
        below = prove_nonneg(Le(sigma * factor, 1), form, [near, high.conclusion, positive])
        found += [T.discharge(above, low, short), T.discharge(below, high, short)]
    whole = query * block * key
    rate = node(r)
    decay = exp(num(-1) * rate * (D * B + a - b))
    small = raised(Le(decay, num(1)), causal, *rates)
    equal = prove_identity(Eq(whole, decay))
    return [*found, T.transport(Le(hole, 1), hole, equal, small)]


def _mentions(term: Node, name: Node) -> bool:
    return name in free_variables(term)


@control("half_of_it", _weight_point(), weight=4)
@control("block_factor_forgotten", FAR_BLOCK, folded=_block_forgotten)
@proves(REBASING, "weights")
def weights(of: Execution) -> Theorem:
    """Three roundings, two products, and what underflow adds after it is amplified."""
    told = Computed(statements.weights(of))
    query, block, key = (node(part) for part in statements.three_factors(of, statements.r))
    lemmas = converted(channels.FORMAT, told.given)
    lemmas += factor_limits(of, statements.r, told.given, told.given[-5])
    found = told.used(channels.weight(), 0, *lemmas, Q=query, F=block, K=key)
    return told.proved(rounded.restated(told.goal, found), *lemmas)


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
    (k,) = _named("k")
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
    found = rounded.root(product, norms)
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
    facts = [_moduli(values["v0"], sizes[0]), _moduli(values["v1"], sizes[1])]
    facts += [rounded.absolute(q) for q in (q0, q1)]
    return values, [part for fact in facts for part in T.parts(fact)]


def _moderate(told: Computed) -> list[Theorem]:
    """Entries and coordinates have sizes between sigma and 1 / sigma."""
    (sigma,) = _named("sigma")
    low, high = _entries()
    sizes = _coordinate_sizes()
    wanted = [Le(sigma, size) for size in (low, high, *sizes)]
    found = converted([*wanted, *(Le(sigma * size, 1) for size in sizes)], told.given)
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


def _format(told: Computed) -> list[Theorem]:
    """The premises about the format."""
    quiet = told.given[3]
    half = prove_order(channels.FORMAT[3], [quiet], degree=1)
    others = (*channels.FORMAT[:3], channels.FORMAT[4], channels.QUIET)
    return [half, *converted(others, told.given)]


def _two_coordinates(
    of: Execution, told: Computed, theorem: Theorem, lemmas: Sequence[Theorem]
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
    told: Computed,
    coordinate: Theorem,
    channel: Theorem,
    factors: Sequence[dict[str, Node]],
    lemmas: Sequence[Theorem],
) -> list[tuple[Node, Node, list[Theorem]]]:
    """Computed and exact channel, and what is proved of it: slow, then fast."""
    coordinates = _two_coordinates(of, told, coordinate, lemmas)
    X, Y = _coordinate_sizes()
    steps = len(results_of(channel))
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


def _total(
    told: Computed,
    channels_found: Sequence[tuple[Node, Node, list[Theorem]]],
    total: Theorem,
    lemmas: Sequence[Theorem],
    **values: Node,
) -> Theorem:
    """What a theorem on sums says of the two channels."""
    (x, s, near_x), (y, t, near_y) = channels_found
    last = len(told.results) - 1
    return told.used(total, last, *near_x, *near_y, *lemmas, x=x, s=s, y=y, t=t, **values)


def rate_factors(of: Execution, rate: Any) -> dict[str, Node]:
    """The factors of a block, by their names in `rounded_channels`."""
    return dict(zip("QFK", map(node, statements.three_factors(of, rate)), strict=True))


def _rate_parts(of: Execution) -> list[dict[str, Node]]:
    """The factors of a block for the slow and the fast rate."""
    return [rate_factors(of, rate) for rate in (statements.r, statements.R)]


def _score_proof(
    of: Execution,
    told: Computed,
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


@control("six_roundings", _score_point(statements.channel, 3), roundings=6)
@proves(REBASING, "scores")
def scores(of: Execution) -> Theorem:
    """Coordinates, channels, their sum: 17 roundings, three of which pay for what underflows."""
    told = Computed(statements.scores(of))
    rates, lemmas = told.given[-6:-4], []
    for rate in (statements.r, statements.R):
        lemmas += factor_limits(of, rate, told.given, *rates)
    total = channels.added(13, channels.REBASED)
    return _score_proof(of, told, channels.rebased(), total, 17, _rate_parts(of), lemmas)


@control("six_roundings", _score_point(statements.channel, 3), normal_roundings=6)
@proves(REBASING, "normal_scores")
def normal_scores(of: Execution) -> Theorem:
    """The same without underflow: 14 roundings, and the fast channel decays no slower."""
    told = Computed(statements.normal_scores(of))
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
    later = raised(Le(fast, slow), rates, distance)
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
    told = Computed(statements.dyadic_scores(of))
    *_, slow, order, low, below, above, high = told.given
    reference = of.below(statements.h, statements.m)
    i, j = statements.i, statements.j
    factors, lemmas = [], []
    for rate in (statements.r, statements.R):
        halves = (sympy.exp(-rate * (i - reference)), sympy.exp(-rate * (reference - j)))
        first, second = map(node, halves)
        factors.append({"G": first, "H": second})
        facts = (below, above, slow, order)
        lemmas += [raised(Le(factor, num(1)), *facts) for factor in (first, second)]
    total = channels.added(11, channels.DYADIC)
    return _score_proof(of, told, channels.dyadic(), total, 13, factors, lemmas)
