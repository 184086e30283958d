"""Proofs of `theory.precision`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from sympy import cos, sin, sqrt

from posproof.proofs_check import kernel, language
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Node
from posproof.proofs_check.plane import square, sum_of
from posproof.proofs_check.search import (
    prove_by_induction,
    prove_each,
    prove_nonneg,
    prove_order,
)
from posproof.theory.precision import rounding as statements
from posproof.theory.precision.rounding import (
    ANGLES,
    NORM,
    RELATIVE,
    A,
    B,
    K,
    M,
    Q,
    Rounding,
    a,
    b,
    c,
    d1,
    d2,
    d3,
    d4,
    d5,
    d6,
    e1,
    e2,
    e3,
    e4,
    eta,
    f,
    g,
    i,
    kappa,
    m,
    n,
    omega,
    phi,
    psi,
    s,
    summed,
    u,
)
from posproof.theory.symbols import variables
from posproof.theory.vocabulary import Eq, Le, Real, control, proves

node = T.node


def _conditional(statement: Any, degree: int = 2, hints: Sequence[Any] = ()) -> Theorem:
    """premises => inequalities, each a combination of products of the premises."""
    premise, goal = T.inner(statement).args

    def prove(part: Node) -> Theorem:
        if part.head == "and":
            return T.both(*map(prove, part.args))
        return prove_order(part, T.conjuncts(premise), hints, degree)

    proof = prove(goal)
    return T.implication(T.unpack_all(proof, premise), premise)


# ---------------------------------------------------------------------- lemmas
def _shortened(goal: Any, shorter: Theorem) -> Theorem:
    """A goal whose two sides differ as those of a theorem do."""
    fact = shorter.conclusion
    return T.discharge(prove_nonneg(goal, T.margin(fact), [fact]), shorter)


def _sides(value: Any, bound: Any) -> list[Node]:
    """The hypotheses -bound <= value and value <= bound."""
    return list(node(statements.within(value, bound)).args)


def _gaps(value: Any, bound: Any) -> tuple[Node, Node]:
    """bound + value and bound - value, as the hypotheses make them non-negative."""
    low, high = _sides(value, bound)
    return T.margin(low), T.margin(high)


def _product(factors: Sequence[Any]) -> Node:
    result, *others = (node(x) for x in factors)
    for other in others:
        result = result * other
    return result


# ---------------------------------------------------------------------- controls
def _rounding_only(moved: Any, theta: Any, rounding: Any) -> Any:
    return rounding


def _half_arc(angle: Any) -> Any:
    return angle / 2


def _half_drift(last: Any, theta: Any, relative: Any) -> Any:
    return statements.drift(last, theta, relative) / 2


def _cast_only(library: Any, cast: Any) -> Any:
    return cast


def _one_rounding(u: Any) -> Any:
    return u


def _half_error(u: Any) -> Any:
    return statements.relative_error(u) / 2


def _half_subnormal(u: Any, omega: Any) -> Any:
    return statements.subnormal_error(u, omega) / 2


def _added(entry: Any, product: Any, output: Any) -> Any:
    return entry + product + output


def _half_norm(entry: Any, product: Any, output: Any) -> Any:
    return statements.norm_error(entry, product, output) / 2


def _first_order(eta: Any) -> Any:
    return 2 * eta


def _half_composed(vector: Any, accumulation: Any, storage: Any) -> Any:
    return statements.composed(vector, accumulation, storage) / 2


def _without_accumulation(vector: Any, accumulation: Any, storage: Any) -> Any:
    return (1 + vector) ** 2 * (1 + storage) - 1


# ---------------------------------------------------------------------- precision.angles
EARLIER = statements.CROSSING - 1


@control("position_error_forgotten", product_angle=_rounding_only)
@proves(ANGLES, "product")
def product(of: Rounding) -> Theorem:
    """The rounding of the product, and theta times the error of the position."""
    return _conditional(statements.product(of))


#: A frequency stored as twice itself, at the last position.
STORED_TWICE = {"p": 1, "L": 1, "theta": 1, "t": 2, "E": 1, "phi": 2, "A": 0}


@control("drift_halved", STORED_TWICE, drift=_half_drift)
@proves(ANGLES, "frequency")
def frequency(of: Rounding) -> Theorem:
    """N theta E - p (t - theta) = p (E theta - (t - theta)) + (N - p) theta E, both signs."""
    premise, goal = T.inner(statements.frequency(of)).args
    p, last, theta, stored, error, angle, near = (
        getattr(statements, name)
        for name in ("p", "last", "theta", "kept_theta", "wide", "angle", "A")
    )
    facts = T.conjuncts(premise)
    far = T.margin(node(Le(p, last))) * node(theta) * node(error)
    parts = []
    for side, frequency_gap, angle_gap in zip(
        goal.args,
        _gaps(stored - theta, error * theta),
        _gaps(angle - p * stored, near),
        strict=True,
    ):
        parts.append(prove_nonneg(side, angle_gap + node(p) * frequency_gap + far, facts))
    return T.implication(T.unpack_all(T.both(*parts), premise), premise)


@control("half_the_arc", chord=_half_arc)
@proves(ANGLES, "chord_below_arc")
def chord_below_arc(of: Rounding) -> Theorem:
    """The squared chord is 2 - 2 cos of the difference, and cos x >= 1 - x^2 / 2."""
    arc, four = T.inner(statements.chord_below_arc(of)).args
    parabola = kernel.instantiate(kernel.meaning("cosine_above_parabola"), node(phi - psi))
    fact = parabola.conclusion
    below = T.discharge(prove_nonneg(arc, 2 * T.margin(fact), [fact]), parabola)
    apart = square(cos(phi) + cos(psi), sin(phi) + sin(psi))
    return T.both(below, prove_nonneg(four, apart))


NO_LIBRARY = {"c": 1, "s": 0, "u": 0, "kappa": 1, "omega": 0, "d1": 1, "d2": 0, "d3": 0, "d4": 0}


@control("library_forgotten", NO_LIBRARY | {"e1": 0, "e2": 0}, library_and_cast=_cast_only)
@proves(ANGLES, "table")
def table(of: Rounding) -> Theorem:
    """Relative errors of both components move a point of the disc by their largest."""
    premise, goal = T.inner(statements.table(of)).args
    facts = T.conjuncts(premise)
    relative = [(1 + d1) * (1 + d3) - 1, (1 + d2) * (1 + d4) - 1]
    largest = node(of.library_and_cast(kappa, u))
    signs = []
    for value in relative:
        signs += [prove_order(side, facts) for side in _sides(value, largest)]
    known = [theorem.conclusion for theorem in signs]
    low, high, below, above = (T.margin(fact) for fact in known)
    disc = T.margin(node(Le(c**2 + s**2, 1)))
    form = largest**2 * disc + node(c) ** 2 * low * high + node(s) ** 2 * below * above
    moved = square(c * relative[0], s * relative[1])
    proportional = prove_nonneg(language.Le(moved, largest**2), form, [*facts, *known])
    size = prove_order(language.Le(0, largest), facts)

    reach = node(sqrt(2) * omega)
    gaps = [_gaps(e, omega) for e in (e1, e2)]
    room = gaps[0][0] * gaps[0][1] + gaps[1][0] * gaps[1][1]
    absolute = prove_nonneg(language.Le(square(e1, e2), reach**2), room, facts)
    positive = prove_nonneg(language.Le(0, reach), reach, facts)
    whole = sum_of(
        T.discharge(proportional, *signs), absolute, [T.discharge(size, *signs), positive]
    )
    return T.implication(T.unpack_all(_shortened(goal, whole), premise), premise)


@control("one_position_earlier", {"n": EARLIER}, crossing=EARLIER)
@proves(ANGLES, "crossing", "d = 128, base 10000")
def crossing(of: Rounding) -> Theorem:
    """Two comparisons of integers."""
    here, goal = node(n), node(statements.reaches())
    at = kernel.substitute(goal, {here: node(of.crossing)})
    proof = T.rewrite(goal, here, of.crossing, prove_each(at, kernel.ground))
    return T.implication(proof, statements.crossing_premise(of))


# ---------------------------------------------------------------------- precision.norm
def _exact_product() -> list[Any]:
    return [a * c - b * s, a * s + b * c]


def _relative_parts() -> list[Any]:
    return [a * c * d1 - b * s * d2, a * s * d3 + b * c * d4]


def _products(facts: Sequence[Node]) -> Theorem:
    """The roundings of the four products move the result by at most sqrt(2) u M."""
    first, second = _relative_parts()
    room = T.margin(node(Le((a**2 + b**2) * (c**2 + s**2), M**2)))
    form = 2 * node(u) ** 2 * room
    for delta, factors in ((d1, a * c), (d2, b * s), (d3, a * s), (d4, b * c)):
        low, high = _gaps(delta, u)
        form = form + 2 * low * high * node(factors) ** 2
    other = square(a * c * d1 + b * s * d2, a * s * d3 - b * c * d4)
    goal = language.Le(square(first, second), node(sqrt(2) * u * M) ** 2)
    return prove_nonneg(goal, form + other, facts)


def _sums(rounded: Theorem, facts: Sequence[Node]) -> Theorem:
    """The roundings of the two sums: u of what is summed, without what underflowed."""
    left, right = rounded.conclusion.args
    first, second = (square.args[0] for square in left.args)
    form = node(u) ** 2 * T.margin(rounded.conclusion)
    for delta, part in ((d5, first), (d6, second)):
        low, high = _gaps(delta, u)
        form = form + low * high * part**2
    goal = language.Le(square(node(d5) * first, node(d6) * second), (node(u) * right.args[0]) ** 2)
    return T.discharge(prove_nonneg(goal, form, [*facts, rounded.conclusion]), rounded)


def _underflow(facts: Sequence[Node]) -> Theorem:
    """What underflowed in the products, times the rounding of the sum."""
    bound = node(2 * sqrt(2) * (1 + u) * omega)
    form, parts = node(0), []
    for delta, first, second, sign in ((d5, e1, e2, -1), (d6, e3, e4, 1)):
        step = first + sign * second
        (low, high), ends = _gaps(delta, u), [_gaps(e, omega) for e in (first, second)]
        room = 2 * ends[0][0] * ends[0][1] + 2 * ends[1][0] * ends[1][1]
        room = room + node(first - sign * second) ** 2
        form = form + node(1 + u) ** 2 * room + high * (2 + low) * node(step) ** 2
        parts.append((1 + delta) * step)
    return prove_nonneg(language.Le(square(*parts), bound**2), form, facts)


EIGHTH = Fraction(1, 8)
#: Every product is rounded away from the exact one, and both sums.
WORST_PRODUCT = {
    **dict.fromkeys("abcs", 1),
    **{"M": 2, "u": EIGHTH, "omega": 0, "d1": EIGHTH, "d2": -EIGHTH, "d5": EIGHTH},
    **{"d3": EIGHTH, "d4": EIGHTH, "d6": EIGHTH, "e1": 0, "e2": 0, "e3": 0, "e4": 0},
}
#: Everything underflows.
WORST_UNDERFLOW = {
    **dict.fromkeys("abcsM", 0),
    **{"u": EIGHTH, "omega": 1, "e1": 1, "e2": -1, "e3": 1, "e4": 1},
    **dict.fromkeys(("d1", "d2", "d3", "d4"), 0),
    **{"d5": EIGHTH, "d6": EIGHTH},
}


#: A pair with a small first component: the rounded products carry all of its size.
WORST_FUSED = WORST_PRODUCT | {"a": 0, "M": 2, "b": 1, "d2": -EIGHTH, "d4": EIGHTH}


@control("underflow_halved", WORST_UNDERFLOW, subnormal_error=_half_subnormal)
@control("kappa_halved", WORST_PRODUCT, relative_error=_half_error)
@control("one_rounding_in_all", WORST_PRODUCT, relative_error=_one_rounding)
@proves(NORM, "rotation")
def rotation(of: Rounding) -> Theorem:
    """Products, sums and underflow move the result by a vector each: three triangles."""
    premise, goal = T.inner(statements.rotation(of)).args
    facts = T.conjuncts(premise)
    products = _products(facts)
    room = T.margin(node(Le((a**2 + b**2) * (c**2 + s**2), M**2)))
    exact = prove_nonneg(language.Le(square(*_exact_product()), node(M) ** 2), room, facts)
    unit, modulus = node(u), node(M)

    def positive(term: Node) -> Theorem:
        return prove_nonneg(language.Le(0, term), term, facts)

    error = node(sqrt(2) * u * M)
    rounded = sum_of(exact, products, [positive(modulus), positive(error)])
    sums = _sums(rounded, facts)
    sizes = [positive(error), positive(sums.conclusion.args[1].args[0])]
    together = sum_of(products, sums, sizes)
    below = _underflow(facts)
    sizes = [positive(error + unit * (modulus + error)), positive(below.conclusion.args[1].args[0])]
    whole = sum_of(together, below, sizes)
    return T.implication(T.unpack_all(_shortened(goal, whole), premise), premise)


def _fused_products(facts: Sequence[Node]) -> Theorem:
    """One product of each component is rounded: the result moves by at most u M."""
    room = T.margin(node(Le((a**2 + b**2) * (c**2 + s**2), M**2)))
    form = node(u) ** 2 * room + node(u) ** 2 * node(a) ** 2 * square(c, s)
    for delta, factors in ((d2, b * s), (d4, b * c)):
        low, high = _gaps(delta, u)
        form = form + low * high * node(factors) ** 2
    goal = language.Le(square(-b * s * d2, b * c * d4), node(u * M) ** 2)
    return prove_nonneg(goal, form, facts)


def _fused_underflow(facts: Sequence[Node]) -> Theorem:
    """(x - y)^2 <= 2 x^2 + 2 y^2 for the residues of the fused and of the rounded product."""
    bound = node(2 * sqrt(2) * (1 + u) * omega)
    form, parts = node(0), []
    for delta, outer, inner, sign in ((d5, e1, e2, -1), (d6, e3, e4, 1)):
        (low, high), ends = _gaps(delta, u), [_gaps(e, omega) for e in (outer, inner)]
        carried = node((1 + delta) * inner)
        form = form + (node(outer) - sign * carried) ** 2 + 2 * ends[0][0] * ends[0][1]
        form = form + 2 * node(1 + u) ** 2 * ends[1][0] * ends[1][1]
        form = form + 2 * high * (2 + low) * node(inner) ** 2
        form = form + 2 * node(2 * u + u**2) * node(omega) ** 2
        parts.append(sign * (1 + delta) * inner + outer)
    return prove_nonneg(language.Le(square(*parts), bound**2), form, facts)


@control("underflow_halved", WORST_UNDERFLOW, subnormal_error=_half_subnormal)
@control("one_rounding_in_all", WORST_FUSED, fused_error=_one_rounding)
@proves(NORM, "fused_rotation")
def fused_rotation(of: Rounding) -> Theorem:
    """As `rotation`, with one rounded product a component."""
    premise, goal = T.inner(statements.fused_rotation(of)).args
    facts = T.conjuncts(premise)
    products = _fused_products(facts)
    room = T.margin(node(Le((a**2 + b**2) * (c**2 + s**2), M**2)))
    exact = prove_nonneg(language.Le(square(*_exact_product()), node(M) ** 2), room, facts)

    def positive(term: Node) -> Theorem:
        return prove_nonneg(language.Le(0, term), term, facts)

    unit, modulus, error = node(u), node(M), node(u * M)
    rounded = sum_of(exact, products, [positive(modulus), positive(error)])
    sums = _sums(rounded, facts)
    sizes = [positive(error), positive(sums.conclusion.args[1].args[0])]
    together = sum_of(products, sums, sizes)
    below = _fused_underflow(facts)
    sizes = [positive(error + unit * (modulus + error)), positive(below.conclusion.args[1].args[0])]
    whole = sum_of(together, below, sizes)
    return T.implication(T.unpack_all(_shortened(goal, whole), premise), premise)


#: Everything one and a half times as large as it should be.
GROWING = {
    "X": 1,
    "Z": Fraction(3, 2),
    "Y": Fraction(9, 4),
    "O": Fraction(27, 8),
    "w": 0,
    "v": 0,
} | dict.fromkeys(("epsilon", "kappa", "rho"), Fraction(1, 2))


@control("half_of_it", GROWING, norm_error=_half_norm)
@control("cross_terms_dropped", GROWING, norm_error=_added)
@proves(NORM, "norm")
def norm(of: Rounding) -> Theorem:
    """From entry to product to output, upwards and downwards."""
    X, Y, Z, O, w, v, epsilon, rho = (  # noqa: E741
        getattr(statements, name) for name in ["X", "Y", "Z", "O", "w", "v", "epsilon", "rho"]
    )
    premise, goal = T.inner(statements.norm(of)).args
    facts = T.conjuncts(premise)
    down, up = goal.args
    entry_low, entry_high = _gaps(Z - 1, epsilon)
    product_low, product_high = _gaps(Y - Z * X, kappa * Z * X + w)
    output_low, output_high = _gaps(O - Y, rho * Y + v)
    grown = node(1 + rho), node(1 + kappa), node(X)
    upper = output_high + grown[0] * product_high + _product(grown) * entry_high
    shrunk = T.margin(node(Le(rho, 1))), T.margin(node(Le(kappa, 1))), node(X)
    lower = output_low + shrunk[0] * product_low + _product(shrunk) * entry_low
    crossed = 2 * node(X) * node(rho * kappa + rho * epsilon + kappa * epsilon)
    lower = lower + 2 * node(rho) * node(w) + crossed
    proof = T.both(prove_nonneg(down, lower, facts), prove_nonneg(up, upper, facts))
    return T.implication(T.unpack_all(proof, premise), premise)


# ---------------------------------------------------------------------- precision.relative
WORST_VECTOR = {"epsilon": 1, "kappa": 1, "rho": 1, "X": 1, "O": 1, "Y": 2, "Z": 4, "C": 7}


@control("cross_terms_dropped", WORST_VECTOR, vector_error=_added)
@proves(RELATIVE, "vector")
def vector(of: Rounding) -> Theorem:
    """The three errors one after the other, each of what the last one left."""
    X, Y, Z, O, C, epsilon, rho = (  # noqa: E741
        getattr(statements, name) for name in ["X", "Y", "Z", "O", "C", "epsilon", "rho"]
    )
    premise, goal = T.inner(statements.vector(of)).args
    entry, arithmetic, output, whole = (
        T.margin(node(fact))
        for fact in (
            Le(O, epsilon * X),
            Le(Y, kappa * (1 + epsilon) * X),
            Le(Z, rho * (X + O + Y)),
            Le(statements.C, O + Y + Z),
        )
    )
    grown = node(1 + rho)
    form = whole + output + grown * entry + grown * arithmetic
    proof = prove_nonneg(goal, form, T.conjuncts(premise))
    return T.implication(T.unpack_all(proof, premise), premise)


def _nonnegative_sum(term: Any, summand: Any) -> Theorem:
    """0 <= a sum whose summands are squares, by induction on their number."""
    goal, name = language.Le(0, node(term)), node(m)
    base = prove_order(kernel.substitute(goal, {name: T.num(0)}))
    step = prove_nonneg(
        kernel.substitute(goal, {name: name + 1}), node(term) + node(summand), [goal]
    )
    return kernel.induct(name, goal, base, step)


def _modulus() -> Theorem:
    """x Q - 2 S x y + K y^2 >= 0 at two places, Q <= A^2, K <= B^2 give S <= A B."""
    S, q, k, alpha, beta = (node(v) for v in variables("S q k alpha beta", Real))
    form = [q * x**2 - 2 * S * x * y + k * y**2 for x, y in ((S, q), (k + 1, S))]
    at = [language.Le(0, value) for value in form]
    sizes = [language.Le(0, value) for value in (q, k, alpha, beta)]
    below = [language.Le(q, alpha**2), language.Le(k, beta**2)]
    goal, over = language.Le(S, alpha * beta), language.Lt(alpha * beta, S)
    facts = [*at, *sizes, *below, over]
    excess = T.margin(over)
    positive = language.Lt(0, q)
    # S^2 > A^2 B^2 >= q k, and q (q k - S^2) >= 0.
    crossed = excess**2 + 2 * alpha * beta * excess
    crossed = crossed + T.margin(below[0]) * beta**2 + q * T.margin(below[1])
    strict = prove_nonneg(language.Lt(0, 0), q * crossed + form[0], [*facts, positive])
    empty = kernel.antisymmetry(T.assume(language.Le(q, 0)), T.assume(language.Le(0, q)))
    # With q = 0 the second place gives -(k + 2) S^2 >= 0.
    half = form[1] + (k + 2) * (excess**2 + 2 * alpha * beta * excess + alpha**2 * beta**2)
    vanishing = prove_nonneg(language.Lt(0, 0), half, [*facts, empty.conclusion])
    excluded = T.compare(0, q, strict, T.discharge(vanishing, empty))
    return T.compare(alpha * beta, S, T.ex_falso(excluded, goal), T.assume(goal))


def _scalar_product(x: Any, y: Any, alpha: Any, beta: Any, sign: int) -> Theorem:
    """sign <x, y> <= A B from |x|^2 <= A^2, |y|^2 <= B^2 and 0 <= A, B."""
    X, Y = variables("X Y", Real)
    inner = sign * summed(x(i), y(i)) if sign < 0 else summed(x(i), y(i))
    q, k = summed(x(i), x(i)), summed(y(i), y(i))
    form = node(q) * node(X) ** 2 - 2 * node(inner) * node(X) * node(Y) + node(k) * node(Y) ** 2
    squares = _nonnegative_sum(form, (X * x(m) - sign * Y * y(m)) ** 2)
    at_score = kernel.specialise(squares, {node(X): node(inner), node(Y): node(q)})
    at_key = kernel.specialise(squares, {node(X): node(k) + 1, node(Y): node(inner)})
    names = [node(v) for v in variables("S q k alpha beta", Real)]
    at = dict(zip(names, (node(v) for v in (inner, q, k, alpha, beta)), strict=True))
    signs = [_nonnegative_sum(q, x(m) ** 2), _nonnegative_sum(k, y(m) ** 2)]
    return T.discharge(kernel.specialise(_modulus(), at), at_score, at_key, *signs)


def _margin_of(error: Any, size: Any) -> Node:
    """What a premise on an error vector makes non-negative, as the premise is written."""
    return T.margin(node(Le(summed(error(i), error(i)), (eta * size) ** 2)))


#: One component, both vectors off in the same direction.
ALIGNED = {"m": 1, "A": 1, "B": 1, "eta": 1, "Q": 1, "K": 1, "f": 1, "g": 1}


@control("second_order_dropped", ALIGNED, vector_growth=_first_order)
@proves(RELATIVE, "moved_product")
def moved_product(of: Rounding) -> Theorem:
    """Bilinearity, and the Cauchy-Schwarz inequality for the three cross terms."""
    premise, goal = T.inner(statements.moved_product(of)).args
    facts = T.conjuncts(premise)
    expanded = Eq(
        statements.total(i, m, (Q(i) + f(i)) * (K(i) + g(i))),
        summed(Q(i), K(i)) + summed(Q(i), g(i)) + summed(f(i), K(i)) + summed(f(i), g(i)),
    )
    bilinear = prove_by_induction(m, expanded)
    sizes = [prove_nonneg(Le(0, eta * x), node(eta * x), facts) for x in (A, B)]
    bounds = []
    for x, y, alpha, beta in ((Q, g, A, eta * B), (f, K, eta * A, B), (f, g, eta * A, eta * B)):
        bounds += [
            T.discharge(_scalar_product(x, y, alpha, beta, sign), *sizes) for sign in (1, -1)
        ]
    squares = [
        prove_nonneg(language.Le(node(summed(x(i), x(i))), node(eta * size) ** 2), margin, facts)
        for x, size, margin in ((f, A, _margin_of(f, A)), (g, B, _margin_of(g, B)))
    ]
    known = [bilinear.conclusion, *(bound.conclusion for bound in bounds)]
    proof = prove_each(goal, lambda part: prove_order(part, known, (), 1))
    proof = T.discharge(T.discharge(proof, bilinear, *bounds), *squares)
    return T.implication(T.unpack_all(proof, premise), premise)


WORST_SCORE = {"M": 1, "S": 1, "eta": 1, "gamma": 1, "rho": 1, "D": 4, "T": 8, "R": 16}


@control("half_of_it", WORST_SCORE, composed=_half_composed)
@control("accumulation_forgotten", WORST_SCORE, composed=_without_accumulation)
@proves(RELATIVE, "stored_score")
def stored_score(of: Rounding) -> Theorem:
    """The errors of vectors, accumulation and storage add up to G."""
    return _conditional(statements.stored_score(of), degree=1)


@control("half_of_it", {"M": 1, "G": 1, "C": 1, "S": 0, "T": 1, "R": -1}, shifted=1)
@proves(RELATIVE, "shift")
def shift(of: Rounding) -> Theorem:
    """Both scores lie within G M of the same exact one, and within C M of zero."""
    return _conditional(statements.shift(of), degree=1)
