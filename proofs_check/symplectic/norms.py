"""Proofs of `theory.symplectic.norms`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import sympy
from sympy import ImmutableMatrix, log, sqrt

from posproof.proofs_check import exponentials, kernel, language
from posproof.proofs_check import tactics as T
from posproof.proofs_check.concavity import (
    POINT,
    SLOPE,
    STEP,
    ahead,
    anisotropic_excess,
    behind,
    below_mean,
    cosh_below_root,
    mean_excess,
    root_above,
    root_of_one,
    sinh_rises,
    slope,
    turns,
)
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import FALSUM, Node, num
from posproof.proofs_check.search import (
    Undecided,
    prove_identity,
    prove_nonneg,
)
from posproof.proofs_check.symplectic.branches import (
    EVEN,
    must_shrink,
    shrinks,
    tangent_line,
)
from posproof.proofs_check.symplectic.powers import (
    norm_is,
    signs_shown,
    sine_of_rate,
    stretch_norm,
)
from posproof.theory.symbols import variables
from posproof.theory.symplectic import norms as statements
from posproof.theory.symplectic import powers
from posproof.theory.symplectic.branches import gamma, mu, n, rho
from posproof.theory.symplectic.norms import OPERATOR_NORM, Norms
from posproof.theory.vocabulary import Le, Lt, Real, control, proves

node = T.node
_x, _y = variables("x y", Real)


def norm_of_closed(
    statement: Any,
    w: Any,
    cells: Sequence[Node],
    closed: Sequence[Theorem] = (),
    given: Sequence[Theorem] = (),
    facts: Sequence[Node] = (),
) -> Theorem:
    """A norm w + sqrt(1 + w^2) of a matrix with cells in closed form, w visibly not negative."""
    signed = prove_nonneg(language.Le(num(0), node(w)), node(w), facts)
    return stretch_norm(statement, w, signed, cells, closed, given)


TWICE = EVEN | {"n": 1, "M11": Fraction(5, 4), "M12": Fraction(1, 2), "M22": Fraction(5, 4)}
TWICE |= {"M21": Fraction(9, 8)}


#: exp arsinh(3 / 4), with the root left standing.
ROUND = {"sigma": language.sqrt(num(Fraction(25, 16))) + Fraction(3, 4), "v1": 1, "v2": 1}


@control("anisotropy_forgotten", TWICE | ROUND, kappa0=lambda rho: 1)
@proves(OPERATOR_NORM, "norm_of_powers", "all a, b > 0, all n, all real times t >= 0")
def norm_of_powers(of: Norms) -> Theorem:
    """The squared entries add up to 2 + (rho + 1 / rho)^2 sinh^2, and the determinant is 1."""
    steps, flow, joined = node(statements.norm_of_powers(of)).args
    premise, goal = steps.args[1].args[1].args[1].args[1].args[1].args
    power = T.inner(goal).args[0].args[0].args[1]
    rate = sine_of_rate(premise.args)
    orbit, at = node(of.orbit(mu, rho, n)), node(n)
    equal = language.Eq(power, orbit)
    facts = [*premise.args, rate.conclusion]
    base = prove_identity(language.substitute(equal, {at: num(0)}), facts)
    grown = prove_identity(language.substitute(equal, {at: at + 1}), [*facts, equal])
    closed = T.discharge(kernel.induct(at, equal, base, grown), rate)
    proof = norm_of_closed(goal, statements.width(of, n), orbit.args[1:], [closed])
    proof = T.implication(T.unpack(proof, premise), premise)
    first = T.generalise(proof, statements.a, statements.b, mu, rho, n)

    time = statements.t
    names = [node(name) for name in (mu, rho, time)]
    premise, goal = flow.args[1].args[1].args[1].args
    cells = node(of.orbit(mu, rho, time)).args[1:]
    proof = norm_of_closed(goal, statements.width(of, time), cells, facts=[premise])
    second = T.generalise(T.implication(proof, premise), *names)
    third = T.generalise(prove_identity(T.inner(joined)), *T.outer(joined))
    return T.both(first, second, third)


@control("half_of_the_constant", kappa0=lambda rho: (rho + 1 / rho) / 4)
@proves(OPERATOR_NORM, "best_constant", "all mu, rho > 0, all real times t >= 0")
def best_constant(of: Norms) -> Theorem:
    """cosh <= sqrt(1 + kappa0^2 sinh^2) <= kappa0 cosh."""
    statement = statements.best_constant(of)
    side, goal = T.inner(statement).args
    low, high, close, wide, narrow = goal.args
    w, y = statements.width(of, statements.t), mu * statements.t
    root = node(sqrt(1 + w**2))
    grown, sine = language.exp(node(y)), language.sinh(node(y))
    above = cosh_below_root(w, y)
    mean = below_mean(w, of.kappa0(rho), y, anisotropic_excess(rho))
    over = root_above(w)
    lower = prove_nonneg(
        low, mean_excess(rho) * sine + T.margin(above.conclusion), [side, above.conclusion]
    )
    upper = prove_nonneg(high, T.margin(mean.conclusion), [mean.conclusion])
    best = prove_nonneg(close, (root - node(w)) / grown, [over.conclusion])
    r = node(rho)
    parts = [T.discharge(lower, above), T.discharge(upper, mean), T.discharge(best, over)]
    for part, form in ((wide, lambda x: (x - 1) * (x + 1)), (narrow, lambda x: (1 - x) * (1 + x))):
        given, claim = part.args
        shown = prove_nonneg(claim, form(r) / (2 * r), [given])
        parts.append(T.implication(shown, given))
    return T.generalise(T.implication(T.both(*parts), side), *T.outer(statement))


#: [[2, 1], [0, 1/2]]: determinant 1 and trace 2 cosh(log 2).
SKEW = {"p": 2, "q": 1, "r": 0, "s": Fraction(1, 2), "mu": log(2), "n": 1}
SKEW |= {"M11": 2, "M12": 1, "M21": 0, "M22": Fraction(1, 2), "v1": 1, "v2": 1}
FLAT = {"sigma": language.sqrt(num(Fraction(25, 16))) + Fraction(3, 4)}


@control("skewness_forgotten", SKEW | FLAT, generic=lambda square, sine: sympy.Integer(1))
@proves(OPERATOR_NORM, "any_hyperbolic", "all M of determinant 1 and trace above 2, all n")
def any_hyperbolic(of: Norms) -> Theorem:
    """M^n = cosh n mu + u_n (M - cosh mu), so |M^n|_F^2 - 2 = u_n^2 (|M|_F^2 - 2)."""
    statement = statements.any_hyperbolic(of)
    premise, goal = T.inner(statement).args
    power = T.inner(goal).args[0].args[0].args[1]
    at, rate = node(n), node(mu)

    p, q, r, s = (node(x) for x in powers.GENERIC)
    sine = language.sinh(rate)
    names = {
        _turn[0]: language.cosh(at * rate),
        _turn[1]: language.sinh(at * rate) / sine,
        _turn[2]: language.cosh(rate),
    }
    cells = [language.substitute(cell, names) for cell in _combined()]
    closed = _combination(power, cells, premise.args)

    wave = prove_identity(language.substitute(_circle(), names))
    squares, det = (
        T.discharge(kernel.specialise(lemma, names), wave, *_halved(premise, rate))
        for lemma in _squares_of_combination()
    )
    w = of.generic(powers.squares(powers.GENERIC), sympy.sinh(mu)) * sympy.sinh(n * mu)
    width, root = node(w), node(sqrt(1 + w**2))
    value, small = T.inner(goal).args[0].args[1].args[1], num(1) * (root - width)
    total, product = squares.conclusion.args[1], det.conclusion.args[1]
    given = [
        same_value(squares, prove_identity(language.Eq(value**2 + small**2, total))),
        same_value(det, prove_identity(language.Eq(value**2 * small**2, product))),
    ]
    signed = prove_nonneg(language.Le(num(0), width), width)
    proof = stretch_norm(goal, w, signed, cells, closed, given)
    proof = signs_shown(proof, 1 + width**2)
    proof = signs_shown(proof, (p - s) ** 2 + (q + r) ** 2, premise.args[:1])
    return T.generalise(T.implication(T.unpack(proof, premise), premise), *T.outer(statement))


def _combination(power: Node, cells: Sequence[Node], given: Sequence[Node]) -> list[Theorem]:
    """Each entry of M^n is its cell, by induction one multiplication at a time."""
    base, at = power.args
    after = language.matrix_power(base, at + 1)
    rows = [base.args[1:3], base.args[3:5]]
    places = [(i, j) for i in range(2) for j in range(2)]
    claims = [
        language.Eq(language.entry(power, i, j), cell)
        for (i, j), cell in zip(places, cells, strict=True)
    ]
    whole = language.And(*claims)
    start = T.both(*(prove_identity(language.substitute(c, {at: num(0)}), given) for c in claims))
    grown = []
    for (i, j), cell in zip(places, cells, strict=True):
        product = rows[i][0] * cells[j] + rows[i][1] * cells[2 + j]
        unfolded = prove_identity(
            language.Eq(language.entry(after, i, j), product), [claims[j], claims[2 + j]]
        )
        closed = prove_identity(
            language.Eq(language.substitute(cell, {at: at + 1}), product), given
        )
        grown.append(same_value(unfolded, closed))
    return T.parts(kernel.induct(at, whole, start, T.unpack(T.both(*grown), whole)))


#: cosh n mu, sinh n mu / sinh mu and cosh mu.
_turn = tuple(T.real(name) for name in ("c", "z", "h"))


def _combined() -> list[Node]:
    """The entries of c I + z (M - h I)."""
    c, z, h = _turn
    p, q, r, s = (node(x) for x in powers.GENERIC)
    return [c + z * (p - h), z * q, z * r, c + z * (s - h)]


def _circle() -> Node:
    c, z, h = _turn
    return language.Eq(c**2, 1 + z**2 * (h**2 - 1))


@lru_cache
def _squares_of_combination() -> tuple[Theorem, Theorem]:
    """Their squares add up to 2 + z^2 (|M|_F^2 - 2), and their determinant squared is 1."""
    _, z, h = _turn
    p, q, r, s = (node(x) for x in powers.GENERIC)
    given = [_circle(), language.Eq(p * s - q * r, num(1)), language.Eq(p + s, 2 * h)]
    first, second, third, fourth = _combined()
    total = first**2 + second**2 + third**2 + fourth**2
    excess = p**2 + q**2 + r**2 + s**2 - 2
    return (
        prove_identity(language.Eq(total, 2 + z**2 * excess), given),
        prove_identity(language.Eq((first * fourth - second * third) ** 2, num(1)), given),
    )


def _halved(premise: Node, rate: Node) -> list[Theorem]:
    """det = 1 and the trace, in the shapes of `_squares_of_combination`."""
    p, q, r, s = (node(x) for x in powers.GENERIC)
    facts = list(premise.args)
    return [
        prove_identity(language.Eq(p * s - q * r, num(1)), facts[:1]),
        prove_identity(language.Eq(p + s, 2 * language.cosh(rate)), facts[1:]),
    ]


def same_value(first: Theorem, second: Theorem) -> Theorem:
    """x = y from proofs of x = t and y = t."""
    left, other = first.conclusion.args[0], second.conclusion
    hole = node(variables("hole", Real)[0])
    return T.discharge(kernel.leibniz(first, language.Eq(left, hole), hole, other), second)


ORTHOGONAL = {"p": 2, "q": 0, "r": 0, "s": Fraction(1, 2), "mu": log(2)}
ORTHOGONAL |= {"x1": 1, "x2": 0, "y1": 0, "y2": 1}


@control("sum_of_squares", ORTHOGONAL, generic=lambda square, sine: sqrt(square) / (2 * sine))
@proves(OPERATOR_NORM, "eigenvector_angle", "all M of determinant 1 and trace above 2")
def eigenvector_angle(of: Norms) -> Theorem:
    """The area times each entry of M is a combination of products of coordinates."""
    statement = statements.eigenvector_angle(of)
    premise, goal = T.inner(statement).args
    facts = list(premise.args)
    p, q, r, s = (node(x) for x in powers.GENERIC)
    x1, x2 = (node(x) for x in statements.SLOW)
    y1, y2 = (node(y) for y in statements.FAST)
    fast, slow = language.exp(num(0) - node(mu)), language.exp(node(mu))
    area = x1 * y2 - x2 * y1
    wanted = (
        (p, slow * x1 * y2 - fast * y1 * x2),
        (q, (fast - slow) * x1 * y1),
        (r, (slow - fast) * x2 * y2),
        (s, fast * x1 * y2 - slow * x2 * y1),
    )
    left = language.Eq(
        (p**2 + q**2 + r**2 + s**2) * area**2, _sum([(entry * area) ** 2 for entry, _ in wanted])
    )
    theorem, terms = prove_identity(left), [(entry * area) ** 2 for entry, _ in wanted]
    hole = node(variables("hole", Real)[0])
    for place, (entry, value) in enumerate(wanted):
        rows = facts[2::2] if place < 2 else facts[3::2]
        linear = prove_identity(language.Eq(entry * area, value), rows)
        square = prove_identity(language.Eq(value**2, terms[place]), [linear.conclusion])
        square = T.discharge(square, linear)
        shape = [*terms[:place], hole, *terms[place + 1 :]]
        pattern = language.Eq(left.args[0], _sum(shape))
        theorem = T.discharge(kernel.leibniz(theorem, pattern, hole, square.conclusion), square)
        terms[place] = value**2
    proof = T.discharge(prove_identity(goal, [theorem.conclusion]), theorem)
    return T.generalise(T.implication(T.unpack(proof, premise), premise), *T.outer(statement))


def _sum(terms: Sequence[Node]) -> Node:
    first, *others = terms
    for term in others:
        first = first + term
    return first


def _equal_rates(
    statement: Any, damping: Node, size: Node, smaller: Node, facts: Sequence[Node], order: Node
) -> Theorem:
    """A norm `size` of an explicit matrix; size^2 - smaller^2 equals `order` >= 0."""
    named, valued = T.inner(statement).args[0].args
    value = valued.args[1]
    positive = prove_nonneg(language.Le(num(0), value), size, facts)
    less = prove_nonneg(language.Le(smaller**2, value**2), order, facts)
    given = [kernel.assume(fact) for fact in facts if fact.head == "eq"]
    return norm_is(statement, named.args[1].args[1:], smaller, less, positive, [], given)


@control(
    "one_eigenvector_twice",
    columns=lambda x, y: ImmutableMatrix([[x, y], [rho * x, rho * y]]) / sqrt(1 + rho**2),
)
@proves(OPERATOR_NORM, "conditioning", "all rho > 0, all scalings")
def conditioning(of: Norms) -> Theorem:
    """(1/x, 1/y) and (1/x, -1/y) have one length, and their images the ratio rho."""
    product, wide, narrow, scaled = node(statements.conditioning(of)).args
    premise, goal = T.inner(product).args
    inverse = T.implication(T.unpack(prove_identity(goal, premise.args), premise), premise)
    r, root = node(rho), node(sqrt(1 + rho**2))
    two = language.sqrt(num(2))
    parts = [T.generalise(inverse, *T.outer(product))]
    for part in (wide, narrow):
        side, norms = T.inner(part).args
        gap = (r - 1) * (r + 1) if part is wide else (1 - r) * (1 + r)
        plain, back = norms.args
        large, small = (
            (two * r / root, two / root) if part is wide else (two / root, two * r / root)
        )
        up, low = (root / two, root / (two * r)) if part is wide else (root / (two * r), root / two)
        first = _equal_rates(plain, r, large, small, [side], 2 * gap / root**2)
        second = _equal_rates(back, r, up, low, [side], root**2 * gap / (2 * r**2))
        proof = T.implication(T.both(first, second), side)
        parts.append(T.generalise(proof, rho))
    return T.both(*parts, _any_scaling(scaled))


def _any_scaling(statement: Node) -> Theorem:
    """rho <= t h and 1 <= rho t h."""
    premise, goal = T.inner(statement).args
    first, second, low, high, forward, backward = premise.args
    x, y = (part.args[0].args[0] for part in (first, second))
    t, h = low.args[1], high.args[1]
    r, root = node(rho), node(sqrt(1 + rho**2))
    proofs = []
    for claim, sign in zip(goal.args, (-1, 1), strict=True):
        source = (1 / x, sign * (1 / y))
        image = (num(0), 2 * r / root) if sign < 0 else (2 / root, num(0))
        # The other combination, of the same length, is the image of the other one.
        other = (2 / root, num(0)) if sign < 0 else (num(0), 2 * r / root)
        there = T.apply(kernel.assume(forward), source)
        back = T.apply(kernel.assume(backward), other)
        length = 1 / x**2 + 1 / y**2
        facts = [there.conclusion, back.conclusion]
        up = prove_nonneg(
            language.Le(image[0] ** 2 + image[1] ** 2, t**2 * length),
            T.margin(facts[0]),
            [facts[0], first, second],
        )
        down = prove_nonneg(
            language.Le(length, h**2 * (other[0] ** 2 + other[1] ** 2)),
            T.margin(facts[1]),
            [facts[1], first, second],
        )
        up, down = T.discharge(up, there), T.discharge(down, back)
        small, large = claim.args
        over = language.Lt(large, small)
        scale = root**2 / 4 if sign < 0 else root**2 / 4
        known = [over, low, high, up.conclusion, down.conclusion, first, second]
        form = (
            T.margin(over) * (T.margin(over) + 2 * large)
            + (T.margin(up.conclusion) + t**2 * T.margin(down.conclusion)) * scale
        )
        no = prove_nonneg(FALSUM, form, known)
        no = T.discharge(T.discharge(no, up, down), there, back)
        proofs.append(T.compare(large, small, T.ex_falso(no, claim), kernel.assume(claim)))
    proof = T.unpack(T.both(*proofs), premise)
    return T.generalise(T.implication(proof, premise), *T.outer(statement))


#: A quarter turn with rho = 2 and norm 2.
TURNED = {"a": Fraction(1, 2), "b": -4, "theta": sympy.pi / 2, "rho": 2, "n": 1}


@control("half_forgotten", TURNED, lean=lambda rho: sympy.Abs(rho - 1 / rho))
@proves(OPERATOR_NORM, "elliptic", "all elliptic S, all n")
def elliptic(of: Norms) -> Theorem:
    """The squared entries add up to 2 + (rho - 1 / rho)^2 sin^2."""
    statement = statements.elliptic(of)
    premise, goal = T.inner(statement).args
    norm, wide, narrow = goal.args
    power = T.inner(norm).args[0].args[0].args[1]
    angle, r = node(statements.theta), node(rho)
    arm = node(statements.alpha) * r
    at = node(n)
    sine = language.sin(angle)
    product = prove_identity(language.Eq((arm - sine) * (arm + sine), num(0)), premise.args)
    w = of.lean(rho) * sympy.Abs(sympy.sin(n * statements.theta))
    cases = []
    for sign in (1, -1):
        side = language.Eq(arm, sign * sine)
        c, s = language.cos(at * angle), sign * language.sin(at * angle)
        cells = [c, s / r, num(0) - r * s, c]
        closed = _stepwise(power, cells, [*premise.args, side])
        cases.append(norm_of_closed(norm, w, cells, closed))
    same = language.Eq(arm - sine, num(0))
    other = prove_identity(
        language.Eq(arm, num(-1) * sine), [product.conclusion, language.Ne(arm - sine, num(0))]
    )
    first = T.discharge(cases[0], prove_identity(language.Eq(arm, 1 * sine), [same]))
    second = T.discharge(T.discharge(cases[1], other), product)
    whole = T.split(same, first, second)
    limits = [_below_anisotropy(part, w) for part in (wide, narrow)]
    proof = T.unpack(T.both(whole, *limits), premise)
    return T.generalise(T.implication(proof, premise), *T.outer(statement))


def _stepwise(power: Node, cells: Sequence[Node], given: Sequence[Node]) -> list[Theorem]:
    """The power in closed form by induction, as one matrix equation."""
    at = power.args[1]
    equal = language.Eq(power, language.matrix([list(cells[:2]), list(cells[2:])]))
    base = prove_identity(language.substitute(equal, {at: num(0)}), given)
    grown = prove_identity(language.substitute(equal, {at: at + 1}), [*given, equal])
    return [kernel.induct(at, equal, base, grown)]


def _below_anisotropy(statement: Node, w: Any) -> Theorem:
    """w + sqrt(1 + w^2) <= rho for rho >= 1, and <= 1 / rho for rho <= 1."""
    side, claim = statement.args
    r = node(rho)
    above = side.args[0] == num(1)
    half = (r - 1 / r) / 2 if above else (1 / r - r) / 2
    shown = (r - 1) * (r + 1) / (2 * r) if above else (1 - r) * (1 + r) / (2 * r)
    mean = (r + 1 / r) / 2
    width, root = node(w), node(sqrt(1 + w**2))
    cosine = language.cos(node(n) * node(statements.theta))
    rest = (r - 1 / r) ** 2 * cosine**2 / 4
    fits = []
    for small, large, sign in ((width, half, shown), (root, mean, mean)):
        over, goal = language.Lt(large, small), language.Le(small, large)
        gap = T.margin(over)
        no = prove_nonneg(FALSUM, gap * (gap + 2 * sign) + rest, [over, side])
        fits.append(T.compare(large, small, T.ex_falso(no, goal), kernel.assume(goal)))
    facts = [fit.conclusion for fit in fits]
    form = T.margin(facts[0]) + T.margin(facts[1])
    return T.implication(T.discharge(prove_nonneg(claim, form, facts), *fits), side)


UNEVEN = {"mu": log(2), "rho": 3, "gamma": log(3)}


@control(
    "spectral_condition",
    UNEVEN,
    contracts=lambda gamma, kappa, mu: Lt(sympy.sinh(mu), sympy.sinh(gamma)),
)
@control("half_of_the_constant", kappa0=lambda rho: (rho + 1 / rho) / 4)
@proves(OPERATOR_NORM, "contraction_of_the_norm", "all dampings, all mu, rho > 0")
def contraction_of_the_norm(of: Norms) -> Theorem:
    """exp arsinh w < exp gamma if and only if w < sinh gamma."""
    statement = statements.contraction_of_the_norm(of)
    both, weaker, between = T.inner(statement).args
    left, right = both.args
    grown, rate = language.exp(node(gamma)), language.exp(node(mu))
    w = of.kappa0(rho) * sympy.sinh(mu)
    width, root = node(w), node(sqrt(1 + w**2))
    largest = width + root
    inside = T.margin(left) * grown * (1 + 1 / (grown * largest)) / 2
    forward = prove_nonneg(right, inside, [left])
    below = 2 * T.margin(right) / (1 + 1 / (grown * largest)) / grown
    backward = prove_nonneg(left, below, [right])
    parts = [T.iff(left, right, forward, backward)]

    against = language.Le(node(gamma), node(mu))
    rise = T.parts(T.apply(exponentials.rises(), [node(gamma), node(mu)]))[1]
    rise = kernel.modus(rise, kernel.assume(against))
    fact = rise.conclusion
    form = (
        T.margin(right)
        + mean_excess(rho) * language.sinh(node(mu))
        + T.margin(fact) * (1 + 1 / (grown * rate)) / 2
    )
    no = T.discharge(prove_nonneg(FALSUM, form, [right, fact]), rise)
    goal = weaker.args[1]
    faster = T.compare(mu, gamma, kernel.assume(goal), T.ex_falso(no, goal))
    parts.append(T.implication(faster, right))

    given, claims = between.args
    apart, named = given.args
    hole, value = node(gamma), named.args[1]
    above = cosh_below_root(w, mu)
    more = prove_nonneg(
        language.Lt(rate, largest),
        mean_excess(rho) * language.sinh(node(mu)) + T.margin(above.conclusion),
        [apart, above.conclusion],
    )
    more = T.discharge(more, above)
    under = language.Le(value, node(mu))
    rise = T.parts(T.apply(exponentials.rises(), [value, node(mu)]))[1]
    rise = kernel.modus(rise, kernel.assume(under))
    facts = [more.conclusion, rise.conclusion]
    no = prove_nonneg(FALSUM, T.margin(facts[0]) + T.margin(facts[1]), facts)
    no = T.discharge(no, more, rise)
    pattern = claims.args[0]
    at_value = language.substitute(pattern, {hole: value})
    first = T.compare(mu, value, kernel.assume(at_value), T.ex_falso(no, at_value))
    second = prove_identity(language.substitute(claims.args[1], {hole: value}))
    moved = [
        kernel.leibniz(proof, claim, hole, named)
        for proof, claim in zip((first, second), claims.args, strict=True)
    ]
    last = T.implication(T.unpack(T.both(*moved), given), given)
    return T.generalise(T.both(*parts, last), *T.outer(statement))


# ---------------------------------------------------------------------- the envelope in time


def _moves(of: Norms, forward: bool, t: Any, h: Any) -> Theorem:
    """E(t + h) <= E(t) where m mu <= gamma, or E(t) <= E(t + h) where gamma <= m mu.

    m is the slope at mu t, or at mu (t + h); 0 <= t, h and 1 <= m are hypotheses.
    """
    base = t if forward else t + h
    lemma = ahead() if forward else behind()
    step = node(mu) * node(h)
    at = {POINT: node(mu * base), STEP: step}
    bound = kernel.specialise(lemma, at)
    sides = [language.Le(num(0), node(t)), language.Le(num(0), node(h))]
    bound = _shown(bound, sides)
    slope = SLOPE * node(mu)
    rate = node(gamma) - slope if forward else slope - node(gamma)
    order = language.Le(slope, node(gamma)) if forward else language.Le(node(gamma), slope)
    line = tangent_line(rate * node(h))
    over = T.margin(line.conclusion)
    decay = language.exp(num(-1) * (rate * node(h)))
    falls = decay * (over + rate * node(h))  # 1 - exp(-rate h)
    early = language.exp(num(0) - node(gamma * t))
    late = language.exp(num(0) - node(gamma * (t + h)))
    size = of.stretch(statements.width(of, base))
    goal = (
        language.Le(node(statements.envelope(of, t + h)), node(statements.envelope(of, t)))
        if forward
        else language.Le(node(statements.envelope(of, t)), node(statements.envelope(of, t + h)))
    )
    scale = late if forward else early
    form = scale * T.margin(bound.conclusion) + (early if forward else late) * node(size) * falls
    facts = [order, *sides, bound.conclusion, line.conclusion]
    reach = prove_nonneg(
        language.Le(num(0), node(base)), node(t) + (num(0) if forward else node(h)), sides
    )
    signs = [reach.conclusion]
    proof = prove_nonneg(goal, form, [*facts, *signs])
    return T.discharge(T.discharge(proof, bound, line), reach)


def _shown(theorem: Theorem, sides: Sequence[Node]) -> Theorem:
    """Discharge hypotheses that are multiples of mu of what the sides say."""
    t, h = (side.args[1] for side in sides)
    rate = node(mu)
    for fact in theorem.hypotheses:
        if fact.head != "le" or fact.args[1] == SLOPE:
            continue
        for form in (rate * t, rate * h, rate * t + rate * h):
            try:
                theorem = kernel.cut(prove_nonneg(fact, form, sides), theorem)
                break
            except Undecided:
                continue
    return theorem


#: The contraction whose 14th power has a norm above 2.
GROWING = {"gamma": Fraction(11, 100), "mu": Fraction(1, 10), "rho": 5, "t": 0, "h": 14}


@control("spectral_threshold", GROWING, settles=lambda gamma, kappa, mu: Le(mu, gamma))
@proves(OPERATOR_NORM, "settling", "all dampings, all mu, rho > 0")
def settling(of: Norms) -> Theorem:
    """The logarithm of the envelope is concave and has the slope kappa0 mu - gamma at 0."""
    statement = statements.settling(of)
    left, right = T.inner(statement).args
    t, h = statements.t, statements.h
    side = T.inner(left).args[0]
    equation, existence, least, most = slope(mu * t)
    falls = _moves(of, True, t, h)
    order = language.Le(SLOPE * node(mu), node(gamma))
    slow = prove_nonneg(
        order,
        T.margin(right) + T.margin(most.conclusion) * node(mu),
        [right, most.conclusion],
    )
    falls = T.discharge(T.discharge(falls, slow, least), most)
    falls = T.discharge(T.discharge(falls, least), most)
    falls = T.unpack(T.obtain(existence, SLOPE, falls), side)
    backward = T.generalise(T.implication(falls, side), t, h)

    def from_zero(time: Any, later: Theorem) -> Theorem:
        inside = T.both(prove_nonneg(Le(0, 0), num(0)), later)
        return T.apply(kernel.assume(left), [num(0), time], inside)

    return T.generalise(
        T.iff(left, right, must_settle(of, from_zero, right), backward), *T.outer(statement)
    )


Start = Callable[[Any, Theorem], Theorem]


def _wider_after(of: Norms, start_at: Start, h: Any, later: Theorem) -> Theorem:
    """kappa0 sinh(mu h) <= sinh(gamma h) from E(h) <= E(0); `later` proves 0 <= h."""
    time = node(h)
    start = start_at(h, later)
    one = root_of_one()
    w = statements.width(of, h)
    width, root = node(w), node(sqrt(1 + w**2))
    grown = language.exp(node(gamma) * time)
    facts = [start.conclusion, one.conclusion, later.conclusion]
    form = grown * T.margin(start.conclusion) * (1 + 1 / (grown * (width + root))) / 2
    goal = language.Le(width, language.sinh(node(gamma) * time))
    return T.discharge(T.discharge(prove_nonneg(goal, form, facts), start, one), later)


def must_settle(of: Norms, start_at: Start, right: Node) -> Theorem:
    """E(h) <= E(0) for all h >= 0 gives kappa0 mu <= gamma; `start_at(h, later)` proves the former.

    Otherwise kappa0 mu h <= kappa0 sinh(mu h) <= sinh(gamma h) <= gamma h cosh(gamma h), and a
    small h contradicts that.
    """
    h = statements.h
    time, damping, rate, kappa = node(h), node(gamma), node(mu), node(of.kappa0(rho))
    above, near = language.Lt(num(0), time), language.Le(damping * time, num(1))
    positive = language.Lt(num(0), damping)
    y = damping * time
    later = prove_nonneg(language.Le(num(0), time), time, [above])
    core = T.discharge(_wider_after(of, start_at, h, later), later)
    angle = prove_nonneg(language.Le(num(0), y), y, [above, positive])
    arc = prove_nonneg(language.Le(num(0), rate * time), rate * time, [above])
    tangent = T.apply(exponentials.sinh_below_tangent(), [y], angle)
    line = T.apply(exponentials.sinh_above_line(), [rate * time], arc)
    decay = tangent_line(num(0) - y)
    facts = [x.conclusion for x in (core, tangent, line, decay)]
    inner = T.margin(facts[1]) + T.margin(facts[0]) + kappa * T.margin(facts[2])
    cap = language.exp(y) * T.margin(facts[3]) + language.sinh(y) * (1 - y)
    form = (inner * (1 - y) + y * cap) / time
    bound = language.Le(kappa * rate * (1 - y), damping)
    sine = prove_nonneg(language.Le(num(0), language.sinh(y)), language.sinh(y), [angle.conclusion])
    proof = prove_nonneg(bound, form, [*facts, above, near, positive, sine.conclusion])
    proof = T.discharge(proof, core, tangent, line, decay)
    proof = T.discharge(T.discharge(proof, sine), angle, arc)
    premise = language.And(above, near)
    each = kernel.generalise(T.implication(T.unpack(proof, premise), premise), time)

    against = language.Lt(damping, kappa * rate)
    gap = T.margin(against)
    chosen = gap / (2 * kappa * rate * damping)
    known = [against, positive]
    inside = T.both(
        prove_nonneg(language.Lt(num(0), chosen), chosen, known),
        prove_nonneg(
            language.Le(damping * chosen, num(1)),
            (kappa * rate + damping) / (2 * kappa * rate),
            known,
        ),
    )
    reached = T.apply(each, [chosen], inside)
    fact = reached.conclusion
    no = prove_nonneg(FALSUM, T.margin(fact) + gap / 2, [fact, *known])
    goal = language.Le(kappa * rate, damping)
    first = T.ex_falso(T.discharge(no, reached), goal)

    flat = language.Le(damping, num(0))
    one = prove_nonneg(Le(0, 1), num(1))
    sooner = _wider_after(of, start_at, sympy.Integer(1), one)
    fact = sooner.conclusion
    width = node(statements.width(of, sympy.Integer(1)))
    no = prove_nonneg(
        FALSUM, T.margin(fact) + width + language.sinh(num(0) - damping), [fact, flat]
    )
    second = T.ex_falso(T.discharge(no, sooner), goal)
    no_less = T.compare(num(0), damping, first, second)
    proof = T.compare(damping, kappa * rate, no_less, kernel.assume(goal))
    return proof if kernel.same(goal, right) else _reshaped(proof, right)


def _reshaped(theorem: Theorem, goal: Node) -> Theorem:
    """The same inequality, its sides written otherwise."""
    fact = theorem.conclusion
    return T.discharge(prove_nonneg(goal, T.margin(fact), [fact]), theorem)


def nonzero_shown(theorem: Theorem, form: Node, given: Sequence[Node]) -> Theorem:
    """Discharge hypotheses t != 0: t equals the form, which is visibly positive under `given`."""
    for fact in theorem.hypotheses:
        if fact.head == "not" and fact.args[0].head == "eq" and fact.args[0].args[1] == num(0):
            zero = fact.args[0]
            apart = T.conclude_not(prove_nonneg(FALSUM, form, [zero, *given]), zero)
            theorem = T.discharge(theorem, apart)
    return theorem


#: With kappa0 forgotten X is 9 / 16, and the peak is said to come at arsinh(3 / 4) = log 2.
LATE = {"gamma": sqrt(34) / 5, "mu": 1, "rho": 2, "X": Fraction(9, 16)}
LATE |= {"t": Fraction(3, 5), "h": Fraction(9, 100)}
LATE["T"] = Node("log", (language.sqrt(num(Fraction(25, 16))) + language.sqrt(LATE["X"]),))


@control(
    "anisotropy_forgotten",
    LATE,
    turning=lambda gamma, kappa, mu: (mu**2 * kappa**2 - gamma**2) / (gamma**2 - mu**2),
)
@proves(OPERATOR_NORM, "transient_peak", "all mu < gamma < kappa0 mu")
def transient_peak(of: Norms) -> Theorem:
    """The slope of the logarithm falls, and is gamma at T alone."""
    statement = statements.transient_peak(of)
    premise, goal = T.inner(statement).args
    low, high, turning, timed = premise.args
    each, equal, above, below, near = goal.args
    t, h, T_ = statements.t, statements.h, statements.at_peak
    damping, rate, kappa, end = (node(x) for x in (gamma, mu, of.kappa0(rho), T_))
    X, rootX = node(statements.peak_root), node(sqrt(statements.peak_root))
    arrival, size = timed.args
    hole = node(variables("hole", Real)[0])
    pattern = language.Eq(language.exp(hole), size.args[0])
    reached = T.transport(
        pattern,
        hole,
        kernel.assume(timed),
        prove_identity(language.substitute(pattern, {hole: size})),
    )
    S = language.sinh(node(mu * T_))
    sine = T.discharge(prove_identity(language.Eq(S, rootX), [reached.conclusion]), reached)
    square = T.discharge(prove_identity(language.Eq(S**2, X), [sine.conclusion]), sine)

    slow = T.margin(low)
    turn = language.Eq(kappa**2 * (damping**2 - rate**2) * S**2, rate**2 * kappa**2 - damping**2)
    balance = prove_identity(turn, [turning, square.conclusion])
    balance = T.discharge(balance, square)
    balance = nonzero_shown(balance, kappa**2 * slow * (slow + 2 * rate), [low])

    def slope_against(base: Any, before: bool, order: Theorem, later: Theorem) -> Theorem:
        """gamma <= m mu at the base before T, m mu <= gamma after; m from `slope(mu base)`."""
        w = statements.width(of, base)
        root, angle = node(sqrt(1 + w**2)), node(mu * base)
        s, c = language.sinh(angle), language.cosh(angle)
        equation, _, least, _ = slope(mu * base)
        rises = T.apply(
            sinh_rises(), [angle, node(mu * T_)] if before else [node(mu * T_), angle], order
        )
        lemma = kernel.weaken(turns(before), [equation])
        for value in (SLOPE, c, s, S, damping, root, kappa, rate):
            lemma = kernel.instantiate(lemma, value)
        facts = lemma.conclusion.args[0].args
        proofs = [
            kernel.assume(equation),
            prove_identity(facts[1]),
            prove_identity(facts[2]),
            balance,
            rises,
            T.discharge(prove_nonneg(facts[5], s, [later.conclusion]), later),
            prove_nonneg(facts[6], S),
            kernel.assume(low),
            least,
        ]
        return kernel.modus(lemma, T.both(*proofs))

    def leg(before: bool, side: Node) -> Theorem:
        base = t + h if before else t
        sides = list(side.args)
        ahead_of = node(t) + node(h) if before else T.margin(sides[0]) + end
        angle = node(mu * base)
        later = prove_nonneg(language.Le(num(0), angle), rate * ahead_of, sides)
        wide = (node(mu * T_), angle) if not before else (angle, node(mu * T_))
        gap = T.margin(sides[-1] if before else sides[0])
        order = prove_nonneg(language.Le(*wide), rate * gap, sides)
        equation, existence, least, _ = slope(mu * base)
        proof = T.discharge(_moves(of, not before, t, h), slope_against(base, before, order, later))
        proof = T.discharge(proof, least)
        start = prove_nonneg(
            language.Le(num(0), node(t)), T.margin(sides[0]) + (num(0) if before else end), sides
        )
        proof = T.discharge(proof, start)
        return T.implication(T.unpack(T.obtain(existence, SLOPE, proof), side), side)

    rising, falling = T.inner(each).args
    legs = T.both(leg(True, rising.args[0]), leg(False, falling.args[0]))
    moves = T.generalise(legs, t, h)
    top = node(statements.envelope(of, T_))

    def at_most_top(time: Any, later: Theorem) -> Theorem:
        """E(time) <= E(T) for time >= 0."""
        here = node(time)
        goal = language.Le(node(statements.envelope(of, time)), top)
        early, late = language.Lt(here, end), language.Le(end, here)
        up = T.parts(T.apply(moves, [here, end - here]))[0]
        inside = up.conclusion.args[0].args
        up = kernel.modus(
            up,
            T.both(
                T.discharge(
                    prove_nonneg(inside[0], T.margin(later.conclusion), [later.conclusion]), later
                ),
                prove_nonneg(inside[1], end - here, [early]),
                prove_nonneg(inside[2], num(0)),
            ),
        )
        down = T.parts(T.apply(moves, [end, here - end]))[1]
        inside = down.conclusion.args[0].args
        down = kernel.modus(
            down,
            T.both(prove_nonneg(inside[0], num(0)), prove_nonneg(inside[1], here - end, [late])),
        )
        return T.compare(here, end, _reshaped(up, goal), _reshaped(down, goal))

    return _peak_parts(of, statement, moves, at_most_top, square)


def _peak_parts(
    of: Norms, statement: Any, moves: Theorem, at_most_top: Start, square: Theorem
) -> Theorem:
    """The value at the peak, and what it lies between."""
    premise, goal = T.inner(statement).args
    low, high, _, _ = premise.args
    _, equal, above, below, near = goal.args
    t, T_ = statements.t, statements.at_peak
    damping, rate, kappa, end = (node(x) for x in (gamma, mu, of.kappa0(rho), T_))
    top = node(statements.envelope(of, T_))
    w = statements.width(of, T_)
    root = node(sqrt(1 + w**2))
    shown = node(sqrt(1 + of.kappa0(rho) ** 2 * statements.peak_root))
    zero = language.Eq(root + shown, num(0))
    apart = T.conclude_not(prove_nonneg(FALSUM, root + shown, [zero]), zero)
    alike = prove_identity(language.Eq(root, shown), [square.conclusion, apart.conclusion])
    alike = T.discharge(T.discharge(alike, apart), square)
    valued = T.discharge(prove_identity(equal, [alike.conclusion]), alike)

    mean = below_mean(w, of.kappa0(rho), mu * T_, anisotropic_excess(rho))
    slow = T.margin(low)
    line = tangent_line(slow * end)
    decay = language.exp(num(-1) * (slow * end))
    form = language.exp(num(0) - damping * end) * T.margin(mean.conclusion) + kappa * decay * (
        T.margin(line.conclusion) + slow * end
    )
    under = T.discharge(
        prove_nonneg(below, form, [low, mean.conclusion, line.conclusion]), mean, line
    )

    short = language.Le(top, num(1))

    def below_one(time: Any, later: Theorem) -> Theorem:
        most = at_most_top(time, later)
        fact = most.conclusion
        return T.discharge(
            prove_nonneg(
                language.Le(fact.args[0], num(1)), T.margin(fact) + T.margin(short), [fact, short]
            ),
            most,
        )

    settled = must_settle(of, below_one, node(Le(of.kappa0(rho) * mu, gamma)))
    fact = settled.conclusion
    no = prove_nonneg(FALSUM, T.margin(high) + T.margin(fact), [high, fact])
    over = T.compare(num(1), top, kernel.assume(above), T.ex_falso(T.discharge(no, settled), above))

    side, claim = T.inner(near).args
    time = node(t)
    here = T.assume(side)
    most = at_most_top(t, here)
    higher = root_above(statements.width(of, t))
    z = slow * time
    falling, growing = tangent_line(num(0) - z), tangent_line(z)
    drop = language.exp(num(0) - z)
    ratio = language.exp(num(-2) * (rate * time))
    facts = [x.conclusion for x in (most, higher, falling, growing)]
    form = (
        T.margin(facts[0])
        + language.exp(num(0) - damping * time) * T.margin(facts[1])
        + kappa * (T.margin(facts[2]) + ratio * drop * (T.margin(facts[3]) + z))
    )
    closer = prove_nonneg(claim, form, [*facts, low, side])
    closer = T.discharge(closer, most, higher, falling, growing)
    closer = kernel.generalise(T.implication(closer, side), time)
    whole = T.unpack(T.both(moves, valued, over, under, closer), premise)
    return T.generalise(T.implication(whole, premise), *T.outer(statement))


@control(
    "rates_exchanged", EVEN | {"K": sqrt(6) / 2, "gamma": 1}, adapted=lambda gamma, mu: mu - gamma
)
@proves(OPERATOR_NORM, "adapted_norm", "all a, b > 0, all dampings")
def adapted_norm(of: Norms) -> Theorem:
    """D^-1 S D is a boost, whose norm is exp mu."""
    statement = statements.adapted_norm(of)
    premise, goal = T.inner(statement).args
    rates, square = premise.args
    sine = sine_of_rate(rates.args)
    norm, contracts = goal.args
    damping, rate = node(gamma), node(mu)
    size, small = language.exp(rate - damping), language.exp(num(0) - rate - damping)
    order = language.exp(num(-2) * damping) * 2 * language.sinh(2 * rate)
    facts = [*rates.args, square, sine.conclusion]
    proof = T.discharge(_equal_rates(norm, damping, size, small, facts, order), sine)
    left, right = contracts.args
    less = shrinks(damping - rate, size, [right], T.margin(right))
    backward = _reshaped(less, left)
    squared = prove_nonneg(language.Lt(size**2, num(1)), T.margin(left) * (1 + size), [left])
    forward = must_shrink(squared, size, rate, damping)
    both = T.both(proof, T.iff(left, right, forward, backward))
    both = T.unpack_all(both, premise)
    return T.generalise(T.implication(both, premise), *T.outer(statement))


@control("anisotropy_forgotten", kappa0=lambda rho: sympy.Integer(1))
@proves(OPERATOR_NORM, "transient_growth", "gamma = 11/100, mu = 1/10, rho = 5, n = 14")
def transient_growth(of: Norms) -> Theorem:
    """Two numbers, in balls."""
    return T.both(*(kernel.ground(part) for part in node(statements.transient_growth(of)).args))
