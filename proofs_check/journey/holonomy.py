"""Proofs of `theory.journey.holonomy`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import sympy
from sympy import Abs, cos, pi, sin

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.circle import modulus_of_sine, same_cosine, sine_nonnegative
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import (
    Eq,
    Le,
    Lt,
    Ne,
    Node,
    Real,
    matrix,
    num,
    substitute,
    variable,
)
from posproof.proofs_check.language import cos as cosine
from posproof.proofs_check.language import entry as kernel_entry
from posproof.proofs_check.language import pi as half_turn
from posproof.proofs_check.language import sin as sine
from posproof.proofs_check.search import (
    prove_identity,
    prove_nonneg,
    prove_order,
    prove_same,
)
from posproof.proofs_check.squares import equal_squares, null_product, null_square
from posproof.theory.journey import holonomy as statements
from posproof.theory.journey.holonomy import (
    AXES,
    SO3_HOLONOMY,
    Quaternion,
    Rotations,
    Vector,
    a,
    alpha,
    b,
    beta,
    dot,
    gamma,
    k,
    phi,
    psi,
    steps,
    u,
    x,
    y,
)
from posproof.theory.vocabulary import control, proves

node = T.node
_t = variable("t", Real)


def _opened(statement: Any) -> tuple[list[Node], list[Node]]:
    """Premises and conclusions of a universal implication between conjunctions."""
    facts, goal = T.opened(statement)
    return facts, list(goal.args) if goal.head == "and" else [goal]


def _by_algebra(statement: Any, *needed: slice) -> Theorem:
    """Every equation of the conclusion lies in the ideal of the premises it needs."""
    facts, goals = _opened(statement)
    given = [facts[part] for part in needed] or [facts] * len(goals)
    proofs = [prove_identity(*pair) for pair in zip(goals, given, strict=True)]
    return T.both(*proofs) if len(proofs) > 1 else proofs[0]


#: Places of the premises of two turning axes: the unit axes, their angle, the angle psi.
BARE, ANGLED, WHOLE = slice(0, 2), slice(0, 3), slice(0, 6)


# ---------------------------------------------------------------------- controls
ALONG_X, ALONG_Z = {"u1": 1, "u2": 0, "u3": 0}, {"v1": 0, "v2": 0, "v3": 1}
HALF_TURNS = {"a": pi, "b": pi}
#: Two half turns about one axis: they commute, whatever the formula without sin gamma says.
PARALLEL = {**ALONG_X, "v1": 1, "v2": 0, "v3": 0, **HALF_TURNS, "gamma": 0, "psi": 2 * pi}
#: The same axis, and an angle psi of 2 pi / 3 by that formula.
ALIKE = {**PARALLEL, "b": pi / 3, "psi": 2 * pi / 3}
#: Two half turns about axes at right angles: the holonomy angle is 2 pi, and no half of it.
CROSSED = {**ALONG_X, **ALONG_Z, **HALF_TURNS, "gamma": pi / 2}


def _without_the_angle(a: Any, b: Any, gamma: Any) -> Any:
    return Abs(sin(a / 2) * sin(b / 2))


def _two_signs(axis: Vector, angle: Any) -> sympy.ImmutableMatrix:
    turn = statements.cross_matrix(axis)
    return sympy.eye(3).as_immutable() + sin(angle) * turn - (1 - cos(angle)) * turn * turn


def _first_order(axis: Vector, angle: Any) -> sympy.ImmutableMatrix:
    return sympy.eye(3).as_immutable() + sin(angle) * statements.cross_matrix(axis)


def _commutative(p: Quaternion, q: Quaternion) -> Quaternion:
    """The product without its cross product."""
    scalar, *_ = statements.multiply(p, q)
    rest = (p[0] * q[i] + p[i] * q[0] for i in (1, 2, 3))
    return (scalar, *rest)


def _cosine_of_the_angle(a: Any, b: Any, gamma: Any) -> Any:
    return Abs(sin(a / 2) * sin(b / 2) * cos(gamma))


def _whole_angle(axis: Vector, angle: Any) -> Quaternion:
    return statements.lift(axis, 2 * angle)


def _parallel_axes_alone(a: Any, b: Any, gamma: Any) -> Any:
    """The fourth way to commute narrowed until the third contains it."""
    *three, (first, second, _) = _ways(a, b, gamma)
    return statements.Or(*three, statements.And(first, second, statements.Eq(sin(gamma), 0)))


def _ways(a: Any, b: Any, gamma: Any) -> list[Any]:
    *three, crossed = statements.commuting(a, b, gamma).parts
    assert isinstance(crossed, statements.And)
    return [*three, crossed.parts]


# ---------------------------------------------------------------------- journey.so3_holonomy
def _cosine_of_half(of: Rotations, angle: Any, first: Any, second: Any) -> Theorem:
    """cos(psi / 2) = 1 - 2 S^2, S the quarter sine, for the holonomy angle psi."""
    given = of.angle(angle, first, second, gamma).parts[2]
    square = of.quarter_sine(first, second, gamma) ** 2
    return prove_identity(statements.Eq(cos(angle / 2), 1 - 2 * square), [given])


@control("two_arc_sines", {"a": 0, "b": 0, "gamma": 0, "psi": 0, "phi": 2 * pi}, parts=2)
@proves(SO3_HOLONOMY, "well_defined")
def well_defined(of: Rotations) -> Theorem:
    """psi is twice the arc whose cosine is 1 - 2 S^2, and the cosine is injective up to pi."""
    claim = T.stated(SO3_HOLONOMY, "well_defined", of)
    quarter = node(of.quarter_sine(a, b, gamma))
    value = 1 - 2 * quarter**2
    sa, sb, sg = (node(sin(t)) for t in (a / 2, b / 2, gamma))
    ca, cb, cg = (node(cos(t)) for t in (a / 2, b / 2, gamma))
    room = 2 * (ca**2 + sa**2 * cb**2 + sa**2 * sb**2 * cg**2)
    ends = T.both(
        prove_nonneg(Le(num(-1), value), room), prove_nonneg(Le(value, num(1)), 2 * quarter**2)
    )
    arc = T.apply(kernel.meaning("arc_cosine"), [value], ends)
    low, high, named = T.body(arc, _t).args
    bound = [kernel.meaning("pi_above_three").conclusion]
    below = T.discharge(
        prove_order(Le(_t / 2, half_turn), [high, *bound]), kernel.meaning("pi_above_three")
    )
    half = T.apply(sine_nonnegative(), [_t / 2], prove_order(Le(num(0), _t / 2), [low]), below)
    square = prove_identity(Eq(sine(_t / 2) ** 2, quarter**2), [named])
    positive = prove_nonneg(Le(num(0), quarter), quarter)
    same = T.apply(equal_squares(), [sine(_t / 2), quarter], half, positive, square)

    def found(goal: Node) -> Theorem:
        above, under, equation = goal.args
        equal = T.discharge(prove_identity(equation, [same.conclusion]), same)
        return T.both(prove_order(above, [low]), prove_order(under, [high]), equal)

    existence = claim.parts[0]
    proof = T.unpack(T.exists(existence.body, 2 * _t, found), T.body(arc, _t))
    exists = T.generalise(T.obtain(arc, _t, proof), a, b, gamma)

    both = claim.parts[1].body.premise
    first, second = (_cosine_of_half(of, angle, a, b) for angle in (psi, phi))
    halves = [node(psi / 2), node(phi / 2)]
    equal = prove_identity(
        Eq(cosine(halves[0]), cosine(halves[1])), [first.conclusion, second.conclusion]
    )
    inside = [
        prove_order(goal, [node(p) for p in both.parts])
        for half in halves
        for goal in (Le(num(0), half), Le(half, half_turn))
    ]
    once = T.apply(same_cosine(), halves, *inside, T.discharge(equal, first, second))
    whole = T.discharge(prove_identity(Eq(node(psi), node(phi)), [once.conclusion]), once)
    unique = T.implication(T.unpack(whole, both), both)
    return T.both(exists, T.generalise(unique, a, b, gamma, psi, phi))


@control("without_sine_of_the_angle", PARALLEL, quarter_sine=_without_the_angle)
@control("two_arc_sines", {**CROSSED, "psi": pi}, parts=2)
@control("commutative_product", {**CROSSED, "psi": 2 * pi}, multiply=_commutative)
@proves(SO3_HOLONOMY, "lifted")
def lifted(of: Rotations) -> Theorem:
    """The scalar part reduces modulo the unit circles, the unit spheres and u.v = cos gamma."""
    return _by_algebra(T.stated(SO3_HOLONOMY, "lifted", of), ANGLED, WHOLE)


@control("without_sine_of_the_angle", ALIKE, quarter_sine=_without_the_angle)
@control("two_arc_sines", {**CROSSED, "psi": pi}, parts=2)
@control("one_wrong_sign", {**CROSSED, "psi": 2 * pi}, rotation=_two_signs)
@proves(SO3_HOLONOMY, "holonomy")
def holonomy(of: Rotations) -> Theorem:
    """The rotation of a product is the product of the rotations, entry by entry."""
    return _by_algebra(T.stated(SO3_HOLONOMY, "holonomy", of), BARE, BARE, WHOLE)


def _mirrored(q: Quaternion) -> sympy.ImmutableMatrix:
    return sympy.ImmutableMatrix(3, 3, lambda i, j: (-1) ** i * statements.euler_rodrigues(q)[i, j])


@control("mirrored", {"k0": 1, "k1": 0, "k2": 0, "k3": 0}, matrix=_mirrored)
@proves(SO3_HOLONOMY, "special_orthogonal")
def special_orthogonal(of: Rotations) -> Theorem:
    """Polynomial identities on the unit sphere of quaternions."""
    return _by_algebra(T.stated(SO3_HOLONOMY, "special_orthogonal", of))


@control("two_arc_sines", {**CROSSED, "psi": pi, "phi": 0}, parts=2)
@control("without_sine_of_the_angle", {**ALIKE, "phi": 0}, quarter_sine=_without_the_angle)
@proves(SO3_HOLONOMY, "turning_angle")
def turning_angle(of: Rotations) -> Theorem:
    """cos phi = cos psi, and the cosine is injective up to pi."""
    claim = T.stated(SO3_HOLONOMY, "turning_angle", of)
    facts, (short, long) = _opened(claim)
    trace = prove_identity(statements.Eq(of.trace(), 1 + 2 * cos(psi)), facts[:6])
    equal = T.discharge(
        prove_identity(statements.Eq(cos(phi), cos(psi)), [facts[-1], trace.conclusion]), trace
    )

    def folded(half: Node, angle: Any) -> Theorem:
        premise, conclusion = half.args
        ends = [
            prove_order(goal, [*facts[3:5], *facts[6:8], premise])
            for t in (phi, angle)
            for goal in (Le(num(0), node(t)), Le(node(t), half_turn))
        ]
        turned = prove_identity(Eq(cosine(node(phi)), cosine(node(angle))), [equal.conclusion])
        proof = T.apply(same_cosine(), [phi, angle], *ends, T.discharge(turned, equal))
        return T.implication(proof, premise)

    return T.both(folded(short, psi), folded(long, 2 * pi - psi))


@control("without_sine_of_the_angle", ALIKE, quarter_sine=_without_the_angle)
@control("two_arc_sines", {**CROSSED, "psi": pi}, parts=2)
@proves(SO3_HOLONOMY, "spectrum")
def spectrum(of: Rotations) -> Theorem:
    """n is the vector part of the lift of A^-1 B^-1 A B; the rest is reduction."""
    return _by_algebra(T.stated(SO3_HOLONOMY, "spectrum", of), WHOLE, WHOLE, BARE)


@lru_cache
def perpendicular() -> Theorem:
    """For all n there is y with y . y > 0 and n . y = 0."""
    n = [variable(f"n{i}", Real) for i in (1, 2, 3)]
    zero: Any = Eq(_dot(n, y), num(0))
    goal = statements.Exists(y, statements.And(statements.Lt(0, dot(y, y)), zero))
    flat = Eq(n[0] ** 2 + n[1] ** 2, num(0))
    square = n[0] ** 2 + n[1] ** 2

    def found(vector: Sequence[Node], positive: Theorem, given: Sequence[Node]) -> Theorem:
        orthogonal = prove_identity(Eq(_dot(n, vector), num(0)), given)
        return _exist(goal, vector, T.both(positive, orthogonal))

    zeros = [
        T.discharge(T.apply(null_square(), [n[i]], below), below)
        for i in (0, 1)
        for below in [prove_nonneg(Le(n[i] ** 2, num(0)), n[1 - i] ** 2, [flat])]
    ]
    straight = [num(1), num(0), num(0)]
    first = found(
        straight, prove_order(Lt(num(0), _dot(straight, straight))), [z.conclusion for z in zeros]
    )
    across = [num(0) - n[1], n[0], num(0)]
    apart = Lt(num(0), square)
    longer = prove_nonneg(Lt(num(0), _dot(across, across)), square, [apart])
    second = found(across, longer, [])
    same = kernel.antisymmetry(
        kernel.assume(Le(square, num(0))), prove_nonneg(Le(num(0), square), square)
    )
    proof = T.compare(0, square, second, T.discharge(T.discharge(first, *zeros), same))
    return T.generalise(proof, *n)


def _dot(p: Sequence[Any], q: Sequence[Any]) -> Node:
    first, *rest = (node(s) * node(t) for s, t in zip(p, q, strict=True))
    for term in rest:
        first = first + term
    return first


def _exist(goal: Any, values: Sequence[Node], instance: Theorem) -> Theorem:
    """Nested existence from one instance of all its variables."""
    claims = [node(goal)]
    for value in values:
        bound, inner = claims[-1].args
        claims.append(substitute(inner, {bound: value}))
    if not kernel.same(instance.conclusion, claims[-1]):
        parts = zip(T.parts(instance), claims[-1].args, strict=True)
        instance = T.both(*(_restated(part, wanted) for part, wanted in parts))
    for claim, value in zip(reversed(claims[:-1]), reversed(values), strict=True):
        instance = kernel.witness(claim, value, instance)
    return instance


def _restated(theorem: Theorem, wanted: Node) -> Theorem:
    """An equation or inequality between equal terms."""
    if kernel.same(theorem.conclusion, wanted):
        return theorem
    have = theorem.conclusion
    if wanted.head == "eq":
        return T.discharge(prove_identity(wanted, [have]), theorem)
    return T.discharge(prove_nonneg(wanted, T.margin(have), [have]), theorem)


@control("without_sine_of_the_angle", ALIKE, quarter_sine=_without_the_angle)
@control("two_arc_sines", {**CROSSED, "psi": pi}, parts=2)
@proves(SO3_HOLONOMY, "norms")
def norms(of: Rotations) -> Theorem:
    """4 sin^2(psi/2) |x|^2 - |(AB - BA) x|^2 = 4 (n.x)^2, and some x is orthogonal to n."""
    facts, (frobenius, above, attained) = _opened(T.stated(SO3_HOLONOMY, "norms", of))
    whole = prove_identity(frobenius, facts)
    normal = [node(part) for part in of.normal()]
    inside = above
    while inside.head == "forall":
        inside = inside.args[1]
    gap = 4 * _dot(normal, x) ** 2
    below = T.generalise(prove_nonneg(inside, gap, facts), *x)

    chosen = [variable(f"y{i}", Real) for i in (1, 2, 3)]
    orthogonal = T.apply(perpendicular(), normal)
    _, equal = _innermost(attained).args
    moved, height = equal.args
    away = variable("z", Real)
    split = prove_identity(Eq(moved + 4 * _dot(normal, chosen) ** 2, height), facts)
    within = Eq(_dot(normal, chosen), num(0))
    zero = T.discharge(prove_same(Eq(num(0), within.args[0]), within), kernel.assume(within))
    split = T.transport(Eq(moved + 4 * away**2, height), away, zero, split)
    reached = T.discharge(prove_same(equal, split.conclusion), split)
    first = orthogonal.conclusion
    for name in chosen:
        first = T.body_of(first, name)
    long, within = first.args
    instance = T.both(_restated(kernel.assume(long), _innermost(attained).args[0]), reached)
    proof = T.unpack(_exist(attained, chosen, instance), first)
    return T.both(whole, below, _obtained(orthogonal, chosen, proof))


def _filled(pattern: Node, holes: Sequence[Node], values: Sequence[Node]) -> Node:
    return substitute(pattern, dict(zip(holes, values, strict=True)))


def _innermost(existence: Node) -> Node:
    while existence.head == "exists":
        existence = existence.args[1]
    return existence


def _obtained(existence: Theorem, names: Sequence[Node], theorem: Theorem) -> Theorem:
    """Use a nested existence theorem under the names of its witnesses."""
    claims = [existence.conclusion]
    for name in names[:-1]:
        claims.append(T.body_of(claims[-1], name))
    for claim, name in zip(reversed(claims), reversed(names), strict=True):
        theorem = kernel.choose(claim, name, theorem)
    return kernel.cut(existence, theorem)


@control("first_order_rotation", {**ALONG_X, "a": pi / 2, "p": 2}, rotation=_first_order)
@proves(SO3_HOLONOMY, "repeated")
def repeated(of: Rotations) -> Theorem:
    """By induction: one more step adds the angle, by the addition theorems."""
    facts, (claim,) = _opened(T.stated(SO3_HOLONOMY, "repeated", of))
    name = node(steps)
    base = prove_identity(T.instance(claim, name, 0), facts)
    goal = T.instance(claim, name, name + 1)
    first, reached = node(of.rotation(u, a)), node(of.rotation(u, steps * a))
    holes = [variable(f"h{i}", Real) for i in range(9)]
    pattern = Eq(first @ _square_of(holes), goal.args[1])
    ahead = prove_identity(_filled(pattern, holes, reached.args[1:]), facts)
    power = claim.args[0]
    for i, hole in enumerate(holes):
        entry = prove_same(Eq(kernel_entry(power, *divmod(i, 3)), reached.args[1 + i]), claim)
        done = [kernel_entry(power, *divmod(j, 3)) for j in range(i)]
        rest = [hole, *reached.args[2 + i :]]
        ahead = T.transport(_filled(pattern, holes, [*done, *rest]), hole, entry, ahead)
    return kernel.induct(name, claim, base, T.discharge(prove_same(goal, ahead.conclusion), ahead))


@lru_cache
def near_area() -> Theorem:
    """The inequalities of `small_angles` in A = |a|, B = |b|, G = |sin gamma|, w = psi / 4."""
    A, B, G, X, Y, w = (variable(name, Real) for name in "ABGXYw")
    product, size = X * Y * G, A * B * (A**2 + B**2) / 24
    unit = [
        Le(num(0), A),
        Le(A, num(1)),
        Le(num(0), B),
        Le(B, num(1)),
        Le(num(0), G),
        Le(G, num(1)),
    ]
    low_x, low_y = (t / 2 - (t / 2) ** 3 / 6 for t in (A, B))
    sines = [Le(num(0), X), Le(X, A / 2), Le(low_x, X), Le(num(0), Y), Le(Y, B / 2), Le(low_y, Y)]
    arc = [Le(num(0), w), Le(w, num(Fraction(11, 7))), Le(product, w), Le(w - w**3 / 6, product)]
    given = [*unit, *sines, *arc]
    x_above, x_below, y_above, y_below = (T.margin(sines[i]) for i in (1, 2, 4, 5))
    rest_a, rest_b, rest_g = ((1 - t) for t in (A, B, G))
    line, cubic = T.margin(arc[2]), T.margin(arc[3])
    shrink = A / 2 * (rest_a * (1 + A) + num(Fraction(23, 24)) * A**2)  # low_x = A/2 (1 - A^2/24)
    short = 4 * (line + G * (x_below * Y + shrink * y_below))
    short = short + A * B * (rest_g * (A**2 + B**2) / 24 + G * (A**2 * B**2) / 576)
    below = prove_nonneg(Le(A * B * G - 4 * w, size), short, given)

    slope = Fraction(173, 294)  # 1 - (11/7)^2 / 6
    steep = cubic + w * (T.margin(arc[1]) * (num(Fraction(11, 7)) + w)) / 6
    area = G * (x_above * (B / 2) + X * y_above)  # A B G / 4 - X Y G
    reach = num(1 / slope / 4) * (A * B)
    longer = num(1 / slope) * (steep + area + A * B * rest_g / 4)
    bounded = prove_nonneg(Le(w, reach), longer, given)
    more = T.margin(bounded.conclusion) * (reach**2 + reach * w + w**2)
    cubes = prove_nonneg(Le(w**3, reach**3), more, [*given, bounded.conclusion])
    left = num(Fraction(1, 12) - Fraction(2, 3) / (4 * slope) ** 3) * (A**2 * B**2)
    corner = (A**2 * (rest_b * (1 + B)) + B**2 * (rest_a * (1 + A))) / 24
    long = 4 * (cubic + area) + num(Fraction(2, 3)) * T.margin(cubes.conclusion)
    long = long + A * B * (corner + left)
    above = prove_nonneg(Le(4 * w - A * B * G, size), long, [*given, cubes.conclusion])
    above = T.discharge(above, T.discharge(cubes, bounded))
    proof = T.implication(T.both(above, below), *given)
    return T.generalise(proof, A, B, G, X, Y, w)


@lru_cache
def box_modulus(name: Any) -> Theorem:
    """|t| <= 1 for t in [-1, 1]."""
    t, modulus = node(name), node(Abs(name))
    square = prove_nonneg(Le(modulus**2, num(1)), (1 - t) * (t - num(-1)))
    over = T.discharge(T.contradict([Lt(num(1), modulus), square.conclusion]), square)
    goal = Le(modulus, num(1))
    return T.compare(1, modulus, T.ex_falso(over, goal), kernel.assume(goal))


@control(
    "cosine_of_the_angle",
    {"a": 1, "b": 1, "gamma": pi / 2, "psi": 0},
    quarter_sine=_cosine_of_the_angle,
)
@control("two_arc_sines", {"a": 0, "b": 0, "gamma": 0, "psi": 2 * pi}, parts=2)
@proves(SO3_HOLONOMY, "small_angles")
def small_angles(of: Rotations) -> Theorem:
    """x - x^3/6 <= sin x <= x at the half angles and at psi / 4."""
    facts, (above, below) = _opened(T.stated(SO3_HOLONOMY, "small_angles", of))
    A, B = node(Abs(alpha)), node(Abs(beta))
    sines = [node(Abs(sin(t))) for t in (alpha / 2, beta / 2, gamma)]
    X, Y, G = sines
    w = node(psi / 4)

    def visible(term: Node) -> Theorem:
        return prove_nonneg(Le(num(0), term), term)

    def bounds(angle: Any, modulus: Node, height: Node) -> list[Theorem]:
        half = modulus / 2
        top = box_modulus(angle)
        inside = [
            visible(half),
            T.discharge(prove_order(Le(half, num(1)), [top.conclusion]), top),
            prove_identity(Eq(half**2, node(angle / 2) ** 2)),
            visible(height),
            prove_identity(Eq(height**2, node(sin(angle / 2)) ** 2)),
        ]
        t = node(angle / 2)
        return [visible(height), *T.parts(T.apply(modulus_of_sine(), [half, height, t], *inside))]

    unit = prove_nonneg(Le(G**2, num(1)), node(cos(gamma) ** 2))
    over = T.discharge(T.contradict([Lt(num(1), G), unit.conclusion]), unit)
    at_most = Le(G, num(1))
    flat = T.compare(1, G, T.ex_falso(over, at_most), kernel.assume(at_most))

    low, high, named = facts
    start = prove_order(Le(num(0), w), [low])
    quarter = kernel.meaning("pi_below_22_7")
    end = prove_order(Le(w, num(Fraction(11, 7))), [high, quarter.conclusion])
    whole = node(of.quarter_sine(alpha, beta, gamma))
    product = _equal(whole, X * Y * G)
    line = T.apply(kernel.meaning("sine_below_line"), [w], start)
    cubic = T.apply(kernel.meaning("sine_above_cubic"), [w], start)
    link = [named, product.conclusion]
    arc = [
        T.discharge(_follow(Le(X * Y * G, w), line, link), product),
        T.discharge(_follow(Le(w - w**3 / 6, X * Y * G), cubic, link), product),
    ]
    premises: list[Theorem] = [
        visible(A), box_modulus(alpha), visible(B), box_modulus(beta), visible(G), flat,
        *bounds(alpha, A, X), *bounds(beta, B, Y), start, T.discharge(end, quarter), *arc,
    ]  # fmt: skip
    found = T.parts(T.apply(near_area(), [A, B, G, X, Y, w], *premises))
    area = _equal(node(Abs(alpha * beta * sin(gamma))), A * B * G)
    size = _equal(node(Abs(alpha * beta)), A * B)
    links = [area.conclusion, size.conclusion]
    return T.both(
        *(
            T.discharge(_follow(goal, part, links), area, size)
            for goal, part in zip((above, below), found, strict=True)
        )
    )


def _equal(left: Node, right: Node) -> Theorem:
    """Two visibly non-negative terms with equal squares."""
    signs = [prove_nonneg(Le(num(0), term), term) for term in (left, right)]
    return T.apply(equal_squares(), [left, right], *signs, prove_identity(Eq(left**2, right**2)))


def _follow(goal: Node, theorem: Theorem, links: Sequence[Node]) -> Theorem:
    """An inequality that equals a proved one under equations."""
    given = [theorem.conclusion, *links]
    return T.discharge(prove_nonneg(goal, T.margin(theorem.conclusion), given), theorem)


# ---------------------------------------------------------------------- when they commute
_left, _right = ([variable(f"{name}{i}", Real) for i in range(9)] for name in "gh")


def _square_of(entries: Sequence[Node]) -> Node:
    return matrix([list(entries[0:3]), list(entries[3:6]), list(entries[6:9])])


@lru_cache
def equal_matrices() -> tuple[Theorem, Theorem]:
    """G = H gives sum (g - h)^2 = 0, and back."""
    differences = [g - h for g, h in zip(_left, _right, strict=True)]
    distance = _dot(differences, differences)
    same, none = Eq(_square_of(_left), _square_of(_right)), Eq(distance, num(0))
    names = (*_left, *_right)
    forward = T.generalise(T.implication(prove_identity(none, [same]), same), *names)
    entries = []
    for i, difference in enumerate(differences):
        others = [d for j, d in enumerate(differences) if j != i]
        below = prove_nonneg(Le(difference**2, num(0)), _dot(others, others), [none])
        entries.append(T.discharge(T.apply(null_square(), [difference], below), below))
    back = T.discharge(prove_identity(same, [e.conclusion for e in entries]), *entries)
    return forward, T.generalise(T.implication(back, none), *names)


def _cases(product: Node, zero: Node, turns: Node) -> Theorem:
    """32 S^2 (1 - S^2) = 0 |- one of the four ways to commute."""
    sa, sb, sg = (node(sin(t)) for t in (a / 2, b / 2, gamma))
    at_a, at_b, parallel, crossed = turns.args

    def turn(sine_zero: Node, angle: Any, goal: Node) -> Theorem:
        whole = T.apply(T.zero_of_sine(), [angle], kernel.assume(sine_zero))
        twice = prove_identity(T.body_of(goal, k), [T.body(whole, k)])
        return T.obtain(whole, k, T.exists(goal, k, twice))

    def alternative(theorem: Theorem) -> Theorem:
        return T.alternative(theorem, turns)

    branches = [
        alternative(turn(Eq(sa, num(0)), a / 2, at_a)),
        alternative(turn(Eq(sb, num(0)), b / 2, at_b)),
        alternative(kernel.assume(parallel)),
    ]
    none = Eq(product, num(0))
    pair = T.apply(null_product(), [sa * sb, sg], prove_same(Eq(sa * sb * sg, num(0)), none))
    inner = T.apply(null_product(), [sa, sb], kernel.assume(Eq(sa * sb, num(0))))
    vanishing = kernel.cases(pair, kernel.cases(inner, *branches[:2]), branches[2])

    full = prove_identity(Eq(product**2, num(1)), [zero, Ne(product, num(0))])
    given = full.conclusion

    def right(angle: Any, s: Any, t: Any) -> Theorem:
        """cos(angle) = 0, because its sine squared is at least S^2 = 1."""
        room = node(sin(angle) ** 2 * (cos(s) ** 2 + sin(s) ** 2 * cos(t) ** 2))
        below = prove_nonneg(Le(node(cos(angle) ** 2), num(0)), room, [given])
        return T.discharge(T.apply(null_square(), [cos(angle)], below), below)

    def half(angle: Any, s: Any, goal: Node) -> Theorem:
        zero = right(angle / 2, s / 2, gamma)
        minus = prove_identity(Eq(node(cos(angle)), num(-1)), [zero.conclusion])
        whole = T.apply(T.odd_turns(), [angle], T.discharge(minus, zero))
        return _renamed(whole, goal)

    cross = T.both(
        half(a, b, crossed.args[0]), half(b, a, crossed.args[1]), right(gamma, a / 2, b / 2)
    )
    crossing = T.discharge(alternative(cross), full)
    return T.split(none, vanishing, crossing)


def _renamed(existence: Theorem, goal: Node) -> Theorem:
    """The same existence in other words."""
    same = T.exists(goal, k, lambda wanted: prove_identity(wanted, [T.body(existence, k)]))
    return T.obtain(existence, k, same)


def _vanishes(product: Node, none: Node, turns: Node) -> Theorem:
    """Each of the four ways to commute |- 32 S^2 (1 - S^2) = 0."""
    at_a, at_b, parallel, crossed = turns.args

    def whole(existence: Node, angle: Any) -> Theorem:
        turned = prove_identity(Eq(node(sin(pi * k)), num(0)))
        same = prove_identity(Eq(node(angle / 2), node(pi * k)), [T.body_of(existence, k)])
        hole = variable("z", Real)
        zero = T.transport(Eq(sine(hole), num(0)), hole, same, turned)
        proof = T.discharge(prove_identity(none, [zero.conclusion]), zero)
        return T.obtain(kernel.assume(existence), k, proof)

    def odd(existence: Node, angle: Any) -> Theorem:
        turned = prove_identity(Eq(node(cos(pi * (2 * k + 1))), num(-1)))
        hole = variable("z", Real)
        same = kernel.assume(T.body_of(existence, k))
        minus = T.transport(Eq(cosine(hole), num(-1)), hole, same, turned)
        square = prove_identity(Eq(node(cos(angle / 2) ** 2), num(0)), [minus.conclusion])
        return T.obtain(kernel.assume(existence), k, T.discharge(square, minus))

    first, second = odd(crossed.args[0], a), odd(crossed.args[1], b)
    given = [first.conclusion, second.conclusion, crossed.args[2]]
    right = T.discharge(prove_identity(none, given), first, second)
    flat = prove_identity(none, [parallel])
    branches = (whole(at_a, a), whole(at_b, b), flat, T.unpack(right, crossed))
    return kernel.cases(kernel.assume(turns), *branches)


@control("parallel_axes_alone", CROSSED, commuting=_parallel_axes_alone)
@proves(SO3_HOLONOMY, "commutes")
def commutes(of: Rotations) -> Theorem:
    """|AB - BA|^2 = 32 S^2 (1 - S^2), S the product of the sines: zero iff S = 0 or S^2 = 1."""
    first, second = (node(way) for way in of.ways())
    same, turns = Eq(first, second), node(of.commuting(a, b, gamma))
    entries = [*first.args[1:], *second.args[1:]]
    distance = _dot(*[[g - h for g, h in zip(first.args[1:], second.args[1:], strict=True)]] * 2)
    product = sin(a / 2) * sin(b / 2) * sin(gamma)
    S = node(product)
    size = 32 * (S**2 * (1 - S**2))
    axes = [node(part) for part in AXES.parts]
    measured = prove_identity(Eq(distance, size), axes)
    hole = variable("z", Real)
    pattern = Eq(hole, num(0))

    # A B = B A makes S^2 (1 - S^2) zero.
    apart = T.apply(equal_matrices()[0], entries, kernel.assume(same))
    turned = T.discharge(prove_same(Eq(size, distance), measured.conclusion), measured)
    small = T.transport(pattern, hole, turned, apart)
    forward = T.discharge(_cases(S, small.conclusion, turns), small)

    # Each case makes it zero again.
    none = Eq(size, num(0))
    back = T.transport(pattern, hole, measured, kernel.assume(none))
    equal = T.apply(equal_matrices()[1], entries, back)
    backward = T.discharge(equal, _vanishes(S, none, turns))
    proof = T.iff(same, turns, forward, backward)
    return T.implication(T.unpack(proof, AXES), AXES)


@control("whole_angle_in_the_lift", {**ALONG_X, **ALONG_Z, **HALF_TURNS}, lift=_whole_angle)
@proves(SO3_HOLONOMY, "anticommute")
def anticommute(of: Rotations) -> Theorem:
    """Two half turns lift to vectors at right angles, whose product is their cross product."""
    return _by_algebra(T.stated(SO3_HOLONOMY, "anticommute", of))
