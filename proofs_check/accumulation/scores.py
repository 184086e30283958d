"""Proofs of `theory.accumulation.scores`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import sympy
from sympy import cos, exp, sin

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Node
from posproof.proofs_check.search import (
    prove_by_induction,
    prove_by_substitution,
    prove_identity,
    prove_nonneg,
    prove_order,
)
from posproof.theory.accumulation import scores as statements
from posproof.theory.accumulation.scores import (
    FAR_MASS,
    ROTATED_VALUES,
    SUM,
    WINDOW_TRADEOFF,
    B,
    FarMass,
    J,
    RotatedValues,
    Tradeoff,
    d,
    factorial,
    far,
    j,
    n,
    psi,
    rho,
    s,
    slope,
    theta,
    width,
    x0,
    x1,
)
from posproof.theory.accumulation.windows import FIRST, MEAN, SECOND, M, N, a, b, mu
from posproof.theory.symbols import Variable, total
from posproof.theory.vocabulary import And, Eq, Int, Le, Lt, control, proves

node = T.node
at = Variable("at", Int(0))


# ---------------------------------------------------------------------- window_tradeoff
@lru_cache
def _inside() -> Theorem:
    """for all x, w: -w <= x <= w and w <= pi => cos w <= cos x."""
    x, w = T.real("x"), T.real("w")
    premise = T.And(T.Le(-w, x), T.Le(x, w), T.Le(w, T.pi))
    low, high, below = premise.args
    zero, hole = T.num(0), T.real("H")

    def falls(angle: Node) -> Theorem:
        inside = prove_order(T.Le(angle, w), [low, high])
        order = T.both(T.assume(T.Le(zero, angle)), inside, T.assume(below))
        return T.apply(T.cosine_falls(), [angle, w], order)

    left = -x
    mirrored = T.discharge(falls(left), prove_order(T.Le(zero, left), [T.Lt(x, zero)]))
    same = prove_identity(T.Eq(T.cos(x), T.cos(left)))
    mirrored = T.transport(T.Le(T.cos(w), hole), hole, same, mirrored)
    proof = T.compare(x, 0, mirrored, falls(x))
    return T.generalise(T.implication(T.unpack(proof, premise), premise), x, w)


#: Angles 2 and 0, a width of 3: two steps of it nearly close the circle.
FAR_ROUND = {"n": 2, "width": 3, "theta": (2, 0), "x0": 1, "x1": 0}
#: Half the weight at either end of an arc, which is longer than a half circle, or is not.
OPPOSITE = {"N": 2, "w": (Fraction(1, 2), Fraction(1, 2)), "x": (2, -2), "width": 3, "mu": 0}
ENDS = OPPOSITE | {"x": (1, -1), "width": 1}


@control("twice_as_far", FAR_ROUND, farthest=2 * sympy.pi)
@proves(WINDOW_TRADEOFF, "near_signal")
def near_signal(of: Tradeoff) -> Theorem:
    """The accumulated angle stays within n times the width, where the cosine falls."""
    names, goal = T.unquantified(statements.near_signal(of))
    premise, conclusion = goal.args
    some, near, narrow = premise.args

    def angle(count: Any) -> Any:
        return total(a, count, theta(a))

    here = node(And(Le(-at * width, angle(at)), Le(angle(at), at * width)))

    def first(claim: Node) -> Theorem:
        return T.both(*(prove_order(part) for part in claim.args))

    def later(claim: Node, told: Sequence[Theorem]) -> Theorem:
        facts = [*(fact.conclusion for fact in told), *here.args]
        return T.both(*(prove_order(part, facts) for part in claim.args))

    low, high = T.parts(T.recursion(at, here, n, narrow, first, later))
    inside = T.apply(_inside(), [angle(n), n * width])
    wanted = inside.conclusion.args[0].args
    facts = [low.conclusion, high.conclusion, near]
    order = T.both(*(prove_order(part, facts) for part in wanted))
    falls = kernel.modus(inside, T.discharge(order, low, high))
    form = node(x0**2 + x1**2) * T.margin(falls.conclusion)
    proof = T.discharge(prove_nonneg(conclusion, form, [falls.conclusion]), falls)
    proof = kernel.weaken(proof, [some])
    return T.generalise(T.implication(T.unpack(proof, premise), premise), *names)


@control("half_circle", OPPOSITE, half_width=sympy.pi)
@control("half_width_in_the_cosine", ENDS, floor=lambda angle: cos(angle / 2))
@proves(WINDOW_TRADEOFF, "resultant_floor")
def resultant_floor(of: Tradeoff) -> Theorem:
    """The mean cosine about the middle of the arc is at least the cosine at its end."""
    names, goal = T.unquantified(statements.resultant_floor(of))
    premise, conclusion = goal.args
    whole, some, narrow, each = premise.args
    weight, low, high = T.parts(T.apply(T.assume(each), [a], T.assume(Lt(a, N))))
    middle = FIRST.angle(a) - mu
    below = prove_order(Le(width, sympy.pi), [narrow])
    inside = T.apply(_inside(), [middle, width], T.both(low, high, below))
    scaled = node(FIRST.weight(a)) * T.margin(inside.conclusion)
    each_term = Le(FIRST.weight(a) * cos(width), FIRST.weight(a) * cos(middle))
    facts = [weight.conclusion, inside.conclusion]
    term = T.discharge(prove_nonneg(each_term, scaled, facts), weight, inside)
    summed = kernel.sum_congruence(term, node(a), node(N))
    real, imag = FIRST.mean(cos), FIRST.mean(sin)
    along, across = real * cos(mu) + imag * sin(mu), imag * cos(mu) - real * sin(mu)
    reached = prove_nonneg(
        Le(cos(width), along), T.margin(summed.conclusion), [summed.conclusion, whole]
    )
    reached = T.discharge(reached, summed)
    half = T.apply(
        T.cosine_falls(),
        [width, sympy.pi / 2],
        T.both(T.assume(some), T.assume(narrow), prove_order(Le(sympy.pi / 2, sympy.pi))),
    )
    positive = T.discharge(
        prove_nonneg(Le(0, cos(width)), T.margin(half.conclusion), [half.conclusion]), half
    )
    gap = T.margin(reached.conclusion)
    form = gap * (gap + 2 * node(cos(width))) + node(across**2)
    proof = prove_nonneg(conclusion, form, [reached.conclusion, positive.conclusion])
    proof = T.discharge(proof, reached, positive)
    return T.generalise(T.implication(T.unpack(proof, premise), premise), *names)


@control("half_the_steps", needed=lambda decay, steps: decay * steps / 2)
@proves(WINDOW_TRADEOFF, "window_floor")
def window_floor(of: Tradeoff) -> Theorem:
    """The exponential is increasing."""
    names, goal = T.unquantified(statements.window_floor(of))
    premise, conclusion = goal.args
    slower, fallen = premise.args
    after, target = (side.args[0] for side in fallen.args)
    short = T.Lt(conclusion.args[1], conclusion.args[0])
    gap = prove_order(T.Lt(target, after), [short, slower])
    strict = T.parts(T.apply(T.exponential_rises(), [target, after]))[0]
    still = kernel.not_less(kernel.modus(strict, gap))
    never = kernel.clash(kernel.assume(fallen), still)
    proof = kernel.not_less(T.conclude_not(never, short))
    return T.generalise(T.implication(T.unpack(proof, premise), premise), *names)


# ---------------------------------------------------------------------- far_mass
GROWN = {"J": 2, "y": 1, "f": (1, Fraction(1, 2), Fraction(1, 2))}


@control("factorials_halved", GROWN, growth=lambda index, value: (index + 1) * value / 2)
@proves(FAR_MASS, "coefficients")
def coefficients(of: FarMass) -> Theorem:
    """Factorials are at least 1, so dividing by one more makes a term smaller."""
    names, goal = T.unquantified(statements.coefficients(of))
    premise, conclusion = goal.args
    some, one, grows = premise.args
    index, here = node(j), node(Le(1, factorial(at)))

    def later(claim: Node, told: Sequence[Theorem]) -> Theorem:
        return prove_order(claim, [here, told[0].conclusion], [node(at) * T.margin(here)])

    least = T.along(at, here, J, grows, lambda claim: prove_order(claim, [one]), later)
    inside = prove_order(Le(index, J), [Lt(index, J)])
    least = kernel.modus(kernel.specialise(least, {node(at): index}), inside)
    small, large = (side.args[2] for side in conclusion.args)
    term = small.args[0] * T.margin(least.conclusion) / node(factorial(j)) ** 2
    positive = T.discharge(prove_order(Lt(0, factorial(j)), [least.conclusion]), least)
    known = [some, least.conclusion, positive.conclusion]
    below = T.discharge(prove_nonneg(T.Le(small, large), term, known), least, positive)
    summed = kernel.sum_congruence(below, index, node(J))
    return T.generalise(T.implication(T.unpack(summed, premise), premise), *names)


@control("twice_the_best", best=lambda u, spread: 4 * u / spread)
@control("half_the_tail", tail=lambda u, spread: -(u**2) / spread / 2)
@proves(FAR_MASS, "chernoff")
def chernoff(of: FarMass) -> Theorem:
    """A parabola in t with its vertex at 2 u / V."""
    least, shared = node(statements.chernoff(of)).args
    names, goal = T.unquantified(least)
    attained, below = goal.args
    spread, t, u = (node(x) for x in (statements.spread, statements.t, statements.u))
    square = spread * (t - 2 * u / spread) ** 2 / 4
    proof = T.generalise(T.both(prove_identity(attained), prove_nonneg(below, square)), *names)
    names, goal = T.unquantified(shared)
    return T.both(proof, T.generalise(prove_identity(goal), *names))


#: One value below u, counted twice over.
COUNTED = {"N": 1, "t": 1, "u": 0, "w": (1,), "x": (0,), "I": (2,)}


@control("indicators_up_to_two", COUNTED, most=2)
@proves(FAR_MASS, "markov_bound")
def markov_bound(of: FarMass) -> Theorem:
    """exp(z) - I = exp(z) (1 - I) + I (exp(z) - 1 - z) + I z, and z = t (x - u)."""
    names, goal = T.unquantified(statements.markov_bound(of))
    premise, conclusion = goal.args
    some, each = premise.args
    told = T.parts(T.apply(T.assume(each), [a], T.assume(Lt(a, N))))
    weight, low, high, tail = (fact.conclusion for fact in told)
    z = node(statements.t * (FIRST.angle(a) - statements.u))
    line = kernel.instantiate(kernel.meaning("exponential_above_line"), z)
    event = node(statements.indicator(a))
    form = (
        T.exp(z) * T.margin(high)
        + event * T.margin(line.conclusion)
        + node(statements.t) * T.margin(tail)
    )
    small, large = (side.args[2] for side in conclusion.args)
    facts = [some, weight, low, high, tail, line.conclusion]
    term = prove_nonneg(T.Le(small, large), node(FIRST.weight(a)) * form, facts)
    summed = kernel.sum_congruence(T.discharge(term, line, *told), node(a), node(N))
    return T.generalise(T.implication(T.unpack(summed, premise), premise), *names)


ONE_AND_ONE = {"N": 1, "M": 1, "w": (1,), "x": (1,), "v": (1,), "y": (1,), "t": 1}


@control("difference_for_sum", ONE_AND_ONE, both=lambda x, y: x - y)
@proves(FAR_MASS, "independent")
def independent(of: FarMass) -> Theorem:
    """The exponential of a sum is a product."""
    names, goal = T.unquantified(statements.independent(of))
    moments = [law.mean(lambda x: exp(statements.t * x)) for law in (FIRST, SECOND)]
    body = FIRST.weight(a) * exp(statements.t * FIRST.angle(a))
    out = T.taken_out(a, N, body, moments[1])
    return T.generalise(T.discharge(prove_identity(goal, [out.conclusion]), out), *names)


ONE_PLANE = {"m": 1, "t": 2, "r": (1,), "I": (3,), "g": (1, 3)}


@control("twice_the_exponent", ONE_PLANE, bound=lambda z: exp(z**2 / 2))
@proves(FAR_MASS, "many_planes")
def many_planes(of: FarMass) -> Theorem:
    """One plane after the other: g I <= e^A e^B from g <= e^A and I <= e^B."""
    names, goal = T.unquantified(statements.many_planes(of))
    premise, conclusion = goal.args
    one, grows = premise.args

    def most(at: Any) -> Any:
        return exp(statements.t**2 * total(a, at, statements.sizes(a) ** 2) / 4)

    here = node(And(Le(0, statements.so_far(at)), Le(statements.so_far(at), most(at))))
    low, high = here.args

    def first(claim: Node) -> Theorem:
        return T.both(
            *(
                prove_nonneg(part, form, [one])
                for part, form in zip(claim.args, (T.num(1), T.num(0)), strict=True)
            )
        )

    def later(claim: Node, told: Sequence[Theorem]) -> Theorem:
        step, positive, below = (fact.conclusion for fact in told)
        plane = node(statements.indicator(at))
        forms = (
            node(statements.so_far(at)) * plane,
            node(most(at)) * T.margin(below) + plane * T.margin(high),
        )
        facts = [step, positive, below, low, high]
        return T.both(
            *(prove_nonneg(part, form, facts) for part, form in zip(claim.args, forms, strict=True))
        )

    whole = T.parts(T.recursion(at, here, statements.planes, grows, first, later))[1]
    return T.generalise(T.implication(T.unpack(whole, premise), premise), *names)


TWO_SIGMA = {"u": 2, "V": 1}


@control(
    "half_the_best", TWO_SIGMA | {"x0": Fraction(1, 30), "x1": 2}, best=lambda u, spread: u / spread
)
@control(
    "twice_the_tail",
    TWO_SIGMA | {"x0": Fraction(1, 100), "x1": 54},
    tail=lambda u, spread: -2 * u**2 / spread,
)
@proves(FAR_MASS, "tail")
def tail(of: FarMass) -> Theorem:
    """The exponent at the vertex of its parabola."""
    names, goal = T.unquantified(statements.tail(of))
    premise, conclusion = goal.args
    probability, moment = premise.args
    best = of.best(statements.u, statements.spread)
    form = T.margin(probability) + node(exp(-best * statements.u)) * T.margin(moment)
    proof = T.unpack(prove_nonneg(conclusion, form, [probability, moment]), premise)
    return T.generalise(T.implication(proof, premise), *names)


LONGER = {"n": 1, "B": 1, "q": (1,), "k": (1,), "y": (2,)}


@control("twice_as_long", LONGER, norm=4)
@proves(FAR_MASS, "bounded_scores")
def bounded_scores(of: FarMass) -> Theorem:
    """Lagrange: |q|^2 |y|^2 - (q . y)^2 is half the sum of the squares (q_i y_j - q_j y_i)^2."""
    names, goal = T.unquantified(statements.bounded_scores(of))
    premise, conclusion = goal.args
    shorter, bounded = premise.args
    query, moved = statements.query, statements.moved

    def product(left: Any, right: Any) -> Any:
        return total(j, n, left(j) * right(j))

    squares = total(d, n, total(j, n, (query(d) * moved(j) - query(j) * moved(d)) ** 2))
    out = [
        T.taken_out(d, n, query(d) ** 2, product(moved, moved)),
        T.taken_out(d, n, moved(d) ** 2, product(query, query)),
        T.taken_out(d, n, query(d) * moved(d), product(query, moved)),
    ]
    form = node(squares) / 2 + node(product(query, query)) * T.margin(shorter)
    form = form + T.margin(bounded)
    facts = [shorter, bounded, *(fact.conclusion for fact in out)]
    proof = T.discharge(prove_nonneg(conclusion, form, facts), *out)
    return T.generalise(T.implication(T.unpack(proof, premise), premise), *names)


@control("one_token_fewer", {"n": 1, "s": 0, "V": 1}, excess=1)
@proves(FAR_MASS, "crossover")
def crossover(of: FarMass) -> Theorem:
    """Divide by g > 0."""
    names, goal = T.unquantified(statements.crossover(of))
    over, enough = goal.args
    g = node(statements.spread)
    forward = prove_nonneg(enough, T.margin(over) / g, [over])
    backward = prove_nonneg(over, T.margin(enough) * g, [enough])
    return T.generalise(T.iff(over, enough, forward, backward), *names)


def _exponentials(low: Any, high: Any, order: Theorem) -> Theorem:
    """exp(low) <= exp(high), from a proof of low <= high."""
    return kernel.modus(T.parts(T.apply(T.exponential_rises(), [low, high]))[1], order)


@control("one_bound_for_two", {"N": 1, "B": 1, "s": 1, "z": (-1,)}, range=1)
@proves(FAR_MASS, "ceiling")
def ceiling(of: FarMass) -> Theorem:
    """Every far exponential is at least exp(-B), the near one at most exp(B)."""
    below, attained = node(statements.ceiling(of)).args
    names, goal = T.unquantified(below)
    premise, conclusion = goal.args
    most, each = premise.args
    least = T.apply(T.assume(each), [j], T.assume(Lt(j, N)))
    term = _exponentials(-B, far(j), least)
    mass = kernel.sum_congruence(term, node(j), node(N))
    near = _exponentials(s, B, T.assume(most))
    e = node(exp(s))
    down = node(exp(-B))
    total_mass = mass.conclusion.args[1]
    gap = T.margin(mass.conclusion) + node(N) * down * down * T.margin(near.conclusion)
    form = gap / ((e + total_mass) * (1 + node(N) * down * down))
    proof = prove_nonneg(conclusion, form, [mass.conclusion, near.conclusion])
    proof = T.discharge(proof, mass, near)
    proof = T.generalise(T.implication(T.unpack(proof, premise), premise), *names)
    names, goal = T.unquantified(attained)
    return T.both(proof, T.generalise(prove_identity(goal), *names))


@control("one_bound_for_two", {"N": 1, "B": 1, "s": -1, "slope": 5, "z": (-4,)}, range=1)
@proves(FAR_MASS, "bias_floor")
def bias_floor(of: FarMass) -> Theorem:
    """The far exponentials are below a geometric series, whose sum does not depend on N."""
    names, goal = T.unquantified(statements.bias_floor(of))
    premise, conclusion = goal.args
    least, each = premise.args
    high = T.apply(T.assume(each), [j], T.assume(Lt(j, N)))
    term = _exponentials(far(j), B - slope * (j + 1), high)
    mass = kernel.sum_congruence(term, node(j), node(N))
    series = node(total(j, n, exp(-slope * (j + 1))))
    ratio = node(exp(slope) - 1)
    geometric = prove_by_induction(n, T.Eq(series * ratio, 1 - node(exp(-slope * n))))
    geometric = kernel.specialise(geometric, {node(n): node(N)})
    line = kernel.instantiate(kernel.meaning("exponential_above_line"), node(slope))
    positive = prove_nonneg(
        T.Lt(T.num(0), ratio), T.margin(line.conclusion) + node(slope), [line.conclusion]
    )
    positive = T.discharge(positive, line)
    near = _exponentials(-B, s, T.assume(least))
    e, up, total_mass = node(exp(s)), node(exp(B)), mass.conclusion.args[0]
    # e^s e^2B - S (e^slope - 1) >= e^2B (e^s - e^-B) + e^B e^(-slope N) + (geometric - S) ratio
    gap = up * up * T.margin(near.conclusion) + up * node(exp(-slope * N))
    gap = gap + T.margin(mass.conclusion) * ratio
    form = gap / ((e + total_mass) * (ratio + up * up))
    facts = [geometric.conclusion, positive.conclusion, near.conclusion, mass.conclusion]
    proof = prove_nonneg(conclusion, form, facts)
    proof = T.discharge(proof, geometric, positive, near, mass)
    return T.generalise(T.implication(T.unpack(proof, premise), premise), *names)


# ---------------------------------------------------------------------- rotated_values
@control("values_not_rotated", rotate=lambda angle: 0 * angle)
@proves(ROTATED_VALUES, "pairs")
def pairs(of: RotatedValues) -> Theorem:
    """|C + i S|^2 for the sums C and S of cosines and sines."""
    names, goal = T.unquantified(statements.pairs(of))
    out = []
    for wave in (cos, sin):
        out.append(T.taken_out(a, N, wave(theta(a)), total(d, N, wave(theta(d)))))
    return T.generalise(
        T.discharge(prove_identity(goal, [fact.conclusion for fact in out]), *out), *names
    )


#: One step of angle 0 before the sum z = 1: |1 + z|^2 = 4.
ONE_STEP = {"N": 1, "M": 1, "w": (1,), "x": (0,), "v": (1,), "p": (1,), "q": (0,)}


@control("cross_term_once", ONE_STEP, cross=1)
@proves(ROTATED_VALUES, "prepended")
def prepended(of: RotatedValues) -> Theorem:
    """|e^(i theta)| = 1; what does not depend on an index comes out of its sum."""

    def mean(value: Any) -> Any:
        return total(b, M, SECOND.weight(b) * value)

    names, goal = T.unquantified(statements.prepended(of))
    premise, conclusion = goal.args
    p, q = (part(b) for part in SUM)
    weight, angle = FIRST.weight(a), FIRST.angle(a)
    bodies = (weight, weight * cos(angle), weight * sin(angle))
    out = [T.taken_out(a, N, body, mean(value)) for body in bodies for value in (1, p, q)]
    out += [T.taken_out(a, N, weight, mean(value)) for value in (p**2, q**2)]
    facts = [*premise.args, *(fact.conclusion for fact in out)]
    proof = T.both(*(prove_identity(part, facts) for part in conclusion.args))
    proof = T.unpack(T.discharge(proof, *out), premise)
    return T.generalise(T.implication(proof, premise), *names)


#: Two steps of angle 0: |z_2|^2 = 4.
TWO_STEPS = {"n": 2, "rho": 1, "psi": 0, "c": (0, 1, 2), "s": (0, 0, 0), "E": (0, 1, 3)}


@control("cross_term_once", TWO_STEPS, cross=1)
@proves(ROTATED_VALUES, "recursion")
def recursion(of: RotatedValues) -> Theorem:
    """E z_k is the sum of the first k powers of phi."""
    names, goal = T.unquantified(statements.recursion(of))
    premise, conclusion = goal.args
    *start, grows = premise.args
    real, imag = MEAN

    def powers(wave: Any, count: Any) -> Any:
        return total(d, count, of.correlation(d + 1) * wave((d + 1) * psi))

    # phi (1 + the first n powers) are the first n + 1 powers.
    lemmas = []
    for k, wave in enumerate((cos, sin)):
        by = (of.correlation(1) * cos(psi), of.correlation(1) * sin(psi))
        after = of.later((powers(cos, n), powers(sin, n)), by)[k]
        lemma = prove_by_induction(n, Eq(after, powers(wave, n + 1)))
        lemmas.append(kernel.specialise(lemma, {node(n): node(at)}))
    hole = T.real("H")
    here = T.And(
        node(Eq(real(at), powers(cos, at))),
        node(Eq(imag(at), powers(sin, at))),
        T.instance(conclusion, n, at),
    )

    def first(claim: Node) -> Theorem:
        return T.both(*(prove_identity(part, start) for part in claim.args))

    def later(claim: Node, told: Sequence[Theorem]) -> Theorem:
        facts = [*(fact.conclusion for fact in told), *here.args]
        proofs = []
        for part, lemma in zip(claim.args, lemmas, strict=False):
            value = prove_by_substitution(T.Eq(part.args[0], lemma.conclusion.args[0]), facts)
            reached = T.transport(T.Eq(hole, part.args[1]), hole, value, lemma)
            proofs.append(reached)
        proofs.append(prove_by_substitution(claim.args[2], facts))
        return T.both(*proofs)

    whole = T.parts(T.recursion(at, here, n, grows, first, later))[2]
    return T.generalise(T.implication(T.unpack(whole, premise), premise), *names)


def _doubled(distance: Any) -> Any:
    return rho ** (2 * distance)


@control("correlation_squared", correlation=_doubled)
@proves(ROTATED_VALUES, "closed")
def closed(of: RotatedValues) -> Theorem:
    """Induction, with the geometric series inside."""
    names, goal = T.unquantified(statements.closed(of))
    apart, conclusion = goal.args
    inner = total(d, n, of.correlation(d + 1))
    series = prove_by_induction(n, Eq((1 - rho) * inner, rho * (1 - rho**n)))
    clause = T.instance(conclusion, N, n)
    zero = node(Eq(1 - rho, 0))
    equal = prove_identity(apart.args[0], [zero])
    nonzero = T.conclude_not(kernel.clash(equal, kernel.assume(apart)), zero)
    base = prove_identity(T.instance(clause, n, 0), [nonzero.conclusion])
    facts = [nonzero.conclusion, series.conclusion, clause]
    step = prove_identity(T.instance(clause, n, node(n) + 1), facts)
    base, step = T.discharge(base, nonzero), T.discharge(step, series, nonzero)
    whole = kernel.specialise(kernel.induct(node(n), clause, base, step), {node(n): node(N)})
    return T.generalise(T.implication(whole, apart), *names)


@control("correlation_squared", correlation=_doubled)
@proves(ROTATED_VALUES, "complex_mean")
def complex_mean(of: RotatedValues) -> Theorem:
    """Induction: one more token adds each distance once."""
    names, goal = T.unquantified(statements.complex_mean(of))
    clause = T.instance(goal, N, n)
    whole = prove_by_induction(n, clause)
    return T.generalise(kernel.specialise(whole, {node(n): node(N)}), *names)


@control("correlation_of_two", correlation=lambda distance: 2)
@proves(ROTATED_VALUES, "unrotated")
def unrotated(of: RotatedValues) -> Theorem:
    """Induction."""
    names, goal = T.unquantified(statements.unrotated(of))
    whole = prove_by_induction(n, T.instance(goal, N, n))
    return T.generalise(kernel.specialise(whole, {node(n): node(N)}), *names)
