"""Proofs of `theory.spherical.sections`: one function a clause, named after it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import fmpq_mat

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.algebra import matrix_entries
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Eq, Le, Lt, Node, num, pi, sequence, substitute, total
from posproof.proofs_check.search import (
    prove_by_induction,
    prove_by_substitution,
    prove_each,
    prove_free,
    prove_identity,
    prove_nonneg,
    prove_order,
    prove_same,
)
from posproof.theory.spherical import sections as statements
from posproof.theory.spherical.sections import (
    MIRRORS,
    RELATIVE_SCORE,
    SECTIONS,
    Mirrors,
    Relative,
    Sections,
)
from posproof.theory.vocabulary import control, proves

node, negation = T.node, T.negation


def _free(statement: Any) -> Theorem:
    """An equation of operators from its premises."""
    facts, goal = T.opened(statement)
    premise = T.inner(statement).args[0]
    proof = prove_free(goal, facts)
    return T.implication(T.unpack(proof, premise) if len(facts) > 1 else proof, premise)


# ---------------------------------------------------------------------- spherical.relative_score
def _opposite_corner(a: Any, a_bar: Any, b: Any, b_bar: Any) -> Any:
    """-b* without its sign: not a multiple of a unitary matrix."""
    return statements.Matrix([[a, b_bar], [b, a_bar]])


@control("sign_of_the_corner", quaternion=_opposite_corner)
@control("unweighted", weight=lambda twice, k: statements.Integer(1))
@proves(RELATIVE_SCORE, "relative", "2l = 1 .. 4, all quaternions")
def relative(of: Relative) -> Theorem:
    """Both sides expand to the same polynomials in eight variables."""
    return prove_each(statements.relative(of), prove_identity)


QUARTER = {"G": fmpq_mat(2, 2, [0, -1, 1, 0]), "G'": fmpq_mat(2, 2, [0, 1, -1, 0])}


@control("on_the_right", QUARTER, moved=lambda g, d: d @ g, moved_adjoint=lambda g, d: g @ d)
@control("product_in_the_other_order", QUARTER, score=lambda d, d_star, e, e_star: e @ d_star)
@proves(RELATIVE_SCORE, "left_invariant", "unitary matrices of every size")
def left_invariant(of: Relative) -> Theorem:
    """(G D_i)* G D_j = D_i* G* G D_j."""
    return _free(statements.left_invariant(of))


@control("product_in_the_other_order", score=lambda d, d_star, e, e_star: e @ d_star)
@proves(RELATIVE_SCORE, "right_action", "matrices of every size; one example")
def right_action(of: Relative) -> Theorem:
    """Associativity, and two products of rational rotations."""
    absorbed, *examples = node(statements.right_action(of)).args
    proof = T.generalise(prove_free(T.inner(absorbed)), *T.outer(absorbed))
    return T.both(proof, *(prove_identity(example) for example in examples))


def _halves(body: Node, index: Node, length: Node) -> Theorem:
    """The sum over s < 2 n is the sum over s < n and that of the terms n + s."""
    more = T.natural("m")
    shifted = substitute(body, {index: length + index})
    claim = Eq(
        total(index, length + more, body),
        total(index, length, body) + total(index, more, shifted),
    )
    whole = kernel.specialise(prove_by_induction(more, claim), {more: length})
    goal = Eq(total(index, 2 * length, body), whole.conclusion.args[1])
    return T.discharge(prove_identity(goal, [whole.conclusion]), whole)


@control(
    "transpose_for_adjoint",
    {"n": 1, "qr": {0: 0}, "qi": {0: 1}, "kr": {0: 0}, "ki": {0: 1}, "x": {1: 1}, "y": {1: 1}},
    product=lambda a, b, c, d: (a * c - b * d, a * d + b * c),
)
@proves(RELATIVE_SCORE, "factorised", "vectors of every length")
def factorised(of: Relative) -> Theorem:
    """The sum over both halves, term by term."""
    n, s = node(statements.n), node(statements.at)
    proofs = []
    for part in node(statements.factorised(of)).args:
        premise, goal = T.inner(part).args
        body = sequence("x", s) * sequence("y", s)
        halves = _halves(body, s, n)
        placed = T.apply(kernel.assume(premise), [s], kernel.assume(statements_inside(s, n)))
        known = T.parts(placed)
        facts = [fact.conclusion for both in known for fact in T.parts(both)]
        left, right = (halves.conclusion.args[1].args[side].args[2] for side in (0, 1))
        term = Eq(left + right, goal.args[1].args[2])
        each = T.discharge(
            prove_identity(term, facts), *(fact for both in known for fact in T.parts(both))
        )
        summed = kernel.sum_congruence(each, s, n)
        proof = prove_identity(goal, [halves.conclusion, summed.conclusion])
        proof = T.discharge(proof, halves, summed)
        proofs.append(T.generalise(T.implication(proof, premise), *T.outer(part)))
    return T.both(*proofs)


def statements_inside(index: Node, length: Node) -> Node:
    return node(statements.Lt(index, length))


@control(
    "half_of_it",
    {"n": 1, "qr": {0: 1}, "kr": {0: 1}},
    product=lambda a, b, c, d: (
        2 * (a * c + b * d),
        a * d - b * c,
    ),
)
@proves(RELATIVE_SCORE, "bounded", "vectors of every length")
def bounded(of: Relative) -> Theorem:
    """|q|^2 times the gap is the sum of the squares of |q|^2 k - s q."""
    premise, goal = T.inner(statements.bounded(of)).args
    a, b, c, d = (
        node(f(statements.at))
        for f in (statements.q_real, statements.q_imag, statements.k_real, statements.k_imag)
    )
    s, n = node(statements.at), node(statements.n)
    real, imag = (node(part) for part in statements.score_parts(of))
    query, key = (node(length) for length in statements.squared_lengths())
    N, S, R = T.real("N"), T.real("S"), T.real("R")
    squares = total(s, n, (N * c - S * a + R * b) ** 2 + (N * d - S * b - R * a) ** 2)
    expanded = N**2 * key - 2 * N * (S * real + R * imag) + (S**2 + R**2) * query
    values = {N: query, S: real, R: imag}
    lemma = kernel.specialise(prove_identity(Eq(squares, expanded)), values)
    form = substitute(squares, values) / query
    proof = prove_nonneg(goal, form, [premise, lemma.conclusion])
    return T.implication(T.discharge(proof, lemma), premise)


# ---------------------------------------------------------------------- spherical.mirrors
def _each(statement: Any) -> Theorem:
    return prove_each(statement, prove_identity)


@control("longitude_first", section=lambda t, p: statements.turn_y(t) * statements.turn_z(p))
@control("half_turn_about_y", half_x=lambda: statements.turn_y(statements.pi))
@proves(MIRRORS, "equator", "all points")
def equator(of: Mirrors) -> Theorem:
    """R_y(pi - theta) = R_z(pi) R_y(theta) R_x(pi)."""
    return _each(statements.equator(of))


@control("other_meridian", meridional=statements.Matrix(statements.sympy.diag(-1, 1, 1)))
@control("half_turn_about_x", half_y=lambda: statements.HALF_X)
@proves(MIRRORS, "meridian", "all points")
def meridian(of: Mirrors) -> Theorem:
    """R_y(pi) reverses turns about z."""
    return _each(statements.meridian(of))


@control("signs_from_the_other_end", sign_of_meridian=lambda twice, k: (-1) ** k)
@control("signs_forgotten", sign_of_meridian=lambda twice, k: 1)
@proves(MIRRORS, "flips", "2l = 1 .. 6")
def flips(of: Mirrors) -> Theorem:
    """u and v are exchanged; T is homogeneous of degree 2l."""
    return _each(statements.flips(of))


@control("product_in_the_other_order", score=lambda d_star, e: e @ d_star)
@proves(MIRRORS, "mirrored_score", "unitary matrices of every size")
def mirrored_score(of: Mirrors) -> Theorem:
    """Z* Z = 1 drops out."""
    return _free(statements.mirrored_score(of))


@control("longitude_first", section=lambda t, p: statements.turn_y(t) * statements.turn_z(p))
@control("half_turn_forgotten", half_x=lambda: statements.turn_z(0))
@proves(MIRRORS, "spanned", "l = 1")
def spanned(of: Mirrors) -> Theorem:
    """A half-turn H about an axis has (1 + H) / 2 for its projection."""
    *units, euler = node(statements.spanned(of)).args
    proofs = [prove_each(part, prove_identity) for part in units]
    return T.both(*proofs, T.generalise(prove_identity(T.inner(euler)), *T.outer(euler)))


FALSUM = Lt(num(0), num(0))


def _both_vanish(nothing: Theorem, x: Node, y: Node) -> Theorem:
    """x = 0 and y = 0, from a proof of x^2 + y^2 = 0."""

    def vanishes(part: Node, other: Node) -> Theorem:
        zero = Eq(part, num(0))
        sum_of_squares = part**2 + other**2
        absurd = prove_nonneg(FALSUM, sum_of_squares, [nothing.conclusion, negation(zero)])
        proof = T.split(zero, kernel.assume(zero), T.ex_falso(absurd, zero))
        return T.discharge(proof, nothing)

    return T.both(vanishes(x, y), vanishes(y, x))


Vector = tuple[Node, Node]


def _query(i: Node) -> Vector:
    return sequence("qr", i), sequence("qi", i)


def _key(j: Node) -> Vector:
    return sequence("kr", j), sequence("ki", j)


def _inside(i: Node) -> Node:
    return substitute(node(statements.inside(statements.low)), {node(statements.low): i})


def _mirrored(i: Node) -> Theorem:
    """0 <= i <= c gives 0 <= c - i <= c."""
    low, high = _inside(i).args
    goal_low, goal_high = _inside(node(statements.centre) - i).args
    proof = T.both(prove_order(goal_low, [high]), prove_order(goal_high, [low]))
    return T.unpack(proof, _inside(i))


def _products(agree: Node, i: Node, j: Node, in_i: Theorem, in_j: Theorem) -> list[Theorem]:
    """The two equations at i and j."""
    return T.parts(T.apply(T.apply(kernel.assume(agree), [i], in_i), [j], in_j))


def _nonzero(existence: Node, place: Node) -> Node:
    """What says that a vector does not vanish at the place where it does not."""
    return T.body_of(existence, place).args[1]


def _signed(
    alternative: Node, sign: int, known: list[Theorem], agree: Node, somewhere: list[Node]
) -> Theorem:
    """F q = sign q and F k = sign k everywhere, from q_(c - i0) = sign q_i0."""
    low, c = node(statements.low), node(statements.centre)
    i0, j0 = T.integer("i0"), T.integer("j0")
    here = kernel.assume(_inside(low))

    def everywhere(vector: Any, facts: list[Theorem], nonzero: Node) -> list[Theorem]:
        goals = (Eq(p, num(sign) * q) for p, q in zip(vector(c - low), vector(low), strict=True))
        given = [fact.conclusion for fact in facts]
        return [T.discharge(prove_identity(goal, [*given, nonzero]), *facts) for goal in goals]

    at_query = _products(agree, i0, low, kernel.assume(_inside(i0)), here)
    keys = everywhere(_key, [*at_query, *known], somewhere[0])
    there = [
        T.discharge(kernel.specialise(key, {low: j0}), kernel.assume(_inside(j0))) for key in keys
    ]
    at_key = _products(agree, low, j0, here, kernel.assume(_inside(j0)))
    queries = everywhere(_query, [*at_key, *there], somewhere[1])
    goal = T.inner(alternative).args[1]
    proofs = [
        T.discharge(prove_identity(part, [fact.conclusion]), fact)
        for part, fact in zip(goal.args, [*queries, *keys], strict=True)
    ]
    return T.generalise(T.implication(T.both(*proofs), _inside(low)), low)


def _agreement(agree: Node, alternative: Node) -> Theorem:
    """Both signs cancel."""
    low, high = node(statements.low), node(statements.high)
    given = kernel.assume(alternative)
    facts = []
    for place in (low, high):
        facts += T.parts(T.apply(given, [place], kernel.assume(_inside(place))))
    inner = agree.args[1].args[1]
    goals = inner.args[1].args[1]
    proofs = [
        T.discharge(prove_identity(goal, [fact.conclusion for fact in facts]), *facts)
        for goal in goals.args
    ]
    both = T.generalise(T.implication(T.both(*proofs), _inside(high)), high)
    return T.generalise(T.implication(both, _inside(low)), low)


OPPOSITE = {
    "c": 1,
    "qr": {0: 1, 1: 1},
    "qi": {0: 0},
    "kr": {0: 1, 1: -1},
    "ki": {0: 0},
    "i": 0,
    "j": 0,
}


@control("opposite_eigenspaces", OPPOSITE, eigenspaces=((1, -1), (-1, 1)))
@proves(MIRRORS, "eigenspaces", "every integer l, and all complex q and k")
def eigenspaces(of: Mirrors) -> Theorem:
    """(q_(-i)^2 - q_i^2) k_j = 0 where q_i and k_j are not 0; either sign spreads to all places."""
    premise, claim = T.inner(statements.eigenspaces(of)).args
    agree, same = claim.args
    c, i0, j0 = node(statements.centre), T.integer("i0"), T.integer("j0")
    in_i, in_j = (kernel.assume(_inside(place)) for place in (i0, j0))
    facts = _products(agree, i0, j0, in_i, in_j) + _products(agree, c - i0, j0, _mirrored(i0), in_j)
    (a, b), (e, f) = _query(i0), _query(c - i0)
    somewhere = [_nonzero(part, at) for part, at in zip(premise.args, (i0, j0), strict=True)]
    given = [*(fact.conclusion for fact in facts), somewhere[1]]
    real, imag = (
        T.discharge(prove_identity(goal, given), *facts)
        for goal in (Eq(e**2 - f**2, a**2 - b**2), Eq(e * f, a * b))
    )
    minus, plus = (e - a) ** 2 + (f - b) ** 2, (e + a) ** 2 + (f + b) ** 2
    product = prove_identity(Eq(minus * plus, num(0)), [real.conclusion, imag.conclusion])
    product = T.discharge(product, real, imag)

    def branch(sign: int, nothing: Theorem, alternative: Node) -> Theorem:
        x, y = e - sign * a, f - sign * b
        zeros = T.parts(_both_vanish(nothing, x, y))
        reached = _signed(alternative, sign, zeros, agree, somewhere)
        return T.alternative(reached, same)

    zero = Eq(minus, num(0))
    rest = prove_identity(Eq(plus, num(0)), [product.conclusion, negation(zero)])
    rest = T.discharge(rest, product)
    found = T.split(
        zero, branch(1, kernel.assume(zero), same.args[0]), branch(-1, rest, same.args[1])
    )
    for existence, name in zip(premise.args, (i0, j0), strict=True):
        exists = kernel.assume(existence)
        found = T.obtain(exists, name, T.unpack(found, T.body(exists, name)))
    forward = T.unpack(found, premise)
    backward = kernel.cases(kernel.assume(same), *(_agreement(agree, part) for part in same.args))
    return T.implication(T.iff(agree, same, forward, backward), premise)


def _not_pseudo(R: Any, omega: Any) -> Any:
    """A vector instead of a pseudovector."""
    return R * omega


MERIDIAN = {f"r{place}": value for place, value in enumerate((1, 0, 0, 0, -1, 0, 0, 0, 1))}


@control("a_vector", MERIDIAN, pseudovector=_not_pseudo)
@proves(MIRRORS, "pseudovector", "all isometries of space that fix the origin")
def pseudovector(of: Mirrors) -> Theorem:
    """det(R) R e_z = e_z makes the last row and column those of a turn or of its mirror image."""
    whole, *values = node(statements.pseudovector(of)).args
    premise, claim = T.inner(whole).args
    kept, about = claim.args
    columns, rows = premise.args
    r = [node(cell) for cell in T.outer(whole)]
    zero = num(0)

    def chain(goal: Node, *facts: Theorem) -> Theorem:
        given = [fact.conclusion for fact in facts]
        return T.discharge(prove_identity(goal, given), *facts)

    norms = {(m, k): _entry(m, k, k) for m in (columns, rows) for k in range(3)}
    first = [prove_identity(Eq(r[place], zero), [kept]) for place in (2, 5)]
    edge = chain(Eq(r[8] ** 2, num(1)), norms[columns, 2], *first)
    last = T.parts(
        _both_vanish(chain(Eq(r[6] ** 2 + r[7] ** 2, zero), norms[rows, 2], edge), r[6], r[7])
    )
    corner = r[0] * r[4] - r[1] * r[3]
    proper = chain(Eq(corner * r[8] ** 2, num(1)), _entry(kept, 2, 0), *first, *last)
    proper = chain(Eq(corner, num(1)), proper, edge)
    squares = Eq((r[0] - r[4]) ** 2 + (r[1] + r[3]) ** 2, zero)
    close = chain(squares, norms[rows, 0], norms[rows, 1], proper, *first)
    equal = T.parts(_both_vanish(close, r[0] - r[4], r[1] + r[3]))
    found = [*first, *last, *equal, edge]
    forward = T.both(*(chain(goal, *found) for goal in about.args))

    facts = [*(kernel.assume(part) for part in about.args), norms[columns, 0]]
    backward = T.unpack(chain(kept, *facts), about)
    proof = T.iff(kept, about, forward, backward)
    proof = T.implication(T.unpack(proof, premise), premise)
    return T.both(
        T.generalise(proof, *T.outer(whole)), *(prove_identity(value) for value in values)
    )


def _entry(equation: Node, row: int, column: int) -> Theorem:
    """One entry of an equation of matrices."""
    left, right = (matrix_entries(side) for side in equation.args)
    return prove_same(Eq(left[row][column], right[row][column]), equation)


# ---------------------------------------------------------------------- spherical.sections
@control(
    "gauge_on_the_other_side",
    QUARTER,
    carried=lambda g, lift, inverse: inverse @ (g @ lift),
)
@control("product_in_the_other_order", QUARTER, score=lambda d_star, e: e @ d_star)
@proves(SECTIONS, "gauge", "unitary matrices of every size")
def gauge(of: Sections) -> Theorem:
    """The frame at the image is R section(x) h^(-1)."""
    return _free(statements.gauge(of))


@control("orders_reversed", phase=lambda twice, k: twice - 2 * k)
@proves(SECTIONS, "phases", "2l = 1 .. 6")
def phases(of: Sections) -> Theorem:
    """u and v are multiplied by a and a*."""
    return _each(statements.phases(of))


@control("longitude_first", section=lambda t, p: statements.turn_y(t) * statements.turn_z(p))
@control("no_gauge_at_the_half_turn", half_turn_gauge=statements.Integer(0))
@proves(SECTIONS, "symmetric_turns", "all points and angles")
def symmetric_turns(of: Sections) -> Theorem:
    """Addition of angles."""
    return _each(statements.symmetric_turns(of))


@control("orders_of_both_parities", parity_difference=lambda r: r)
@proves(SECTIONS, "parity", "all integer orders")
def parity(of: Sections) -> Theorem:
    """The square of the cosine of a multiple of pi."""
    return _each(statements.parity(of))


UNLIKE = dict(zip(("a", "a'", "b", "b'", "c", "c'", "d"), (1, 1, 1, 1, 1, 1, 2), strict=True))


@control(
    "conjugate_dropped",
    UNLIKE | {"d'": Fraction(1, 2)},
    quaternion=lambda a, a_bar, b, b_bar: statements.quaternion(a, a_bar, b, b),
)
@proves(SECTIONS, "modulus", "2l = 1 .. 4; all pairs of points")
def modulus(of: Sections) -> Theorem:
    """T_kk is a^(2m) times a polynomial in |a|^2 and |b|^2."""
    whole, distance = node(statements.modulus(of)).args
    premise, goal = T.inner(whole).args
    known = list(premise.args)
    proof = prove_each(goal, lambda part: prove_by_substitution(part, [], known))
    proof = T.implication(T.unpack(proof, premise), premise)
    return T.both(
        T.generalise(proof, *T.outer(whole)),
        T.generalise(prove_identity(T.inner(distance)), *T.outer(distance)),
    )


@control("sine_for_cosine", gauge_wave=statements.sin)
@proves(SECTIONS, "law_of_cosines", "all points and angles")
def law_of_cosines(of: Sections) -> Theorem:
    """The third rows of both sections have no azimuth."""
    return _each(statements.law_of_cosines(of))


NORMAL = {"omega": statements.pi / 2, "eta": statements.pi / 4, "tau": 1, "sigma": 0}


@control("sine_for_cosine", NORMAL, gauge_wave=statements.sin)
@proves(SECTIONS, "gauge_varies", "R_y(omega) and all chi, omega <= chi < pi")
def gauge_varies(of: Sections) -> Theorem:
    """sin(theta)^2 e^(i chi) = (c tau + i s)^2; sin(eta - omega / 2) >= 0; 0 < m delta < pi."""
    placed, between, differ = node(statements.gauge_varies(of)).args
    premise, goal = T.inner(placed).args
    points = prove_each(goal, lambda part: prove_identity(part, premise.args))
    points = T.generalise(T.implication(T.unpack(points, premise), premise), *T.outer(placed))

    premise, goal = T.inner(between).args
    omega, eta, m = (node(name) for name in (statements.omega, statements.eta, statements.steps))
    low, middle, high = premise.args
    sides = [T.margin(side) for side in (low, middle, high)]

    def positive(angle: Node, below: Node, above: Node) -> Theorem:
        """0 < sin(angle), with forms of angle and of pi - angle whose signs are visible."""
        ends = ((Lt(num(0), angle), below), (Lt(angle, pi), above))
        inside = T.both(*(prove_nonneg(end, form, premise.args) for end, form in ends))
        return T.apply(kernel.meaning("sine_positive"), [angle], inside)

    sines = [
        positive(omega / 2, sides[0] / 2, sides[2] + sides[1] + pi / 2),
        positive(pi / 2 - eta, sides[2], sides[1] + sides[0] / 2 + pi / 2),
        positive(eta - omega / 2, sides[1], sides[2] + sides[0] / 2 + pi / 2),
    ]
    waves = [fact.conclusion.args[1] for fact in sines]
    forms = zip(goal.args, (waves[0] * waves[1], waves[2]), strict=True)
    known = [fact.conclusion for fact in sines]
    exists = T.both(*(T.discharge(prove_nonneg(part, f, known), *sines) for part, f in forms))
    exists = T.generalise(T.implication(T.unpack(exists, premise), premise), *T.outer(between))

    premise, goal = T.inner(differ).args
    step = m * (pi - omega) / (m + 1)
    order = (
        prove_nonneg(Le(num(0), num(0)), num(0)),
        prove_nonneg(Lt(num(0), step), step, premise.args),
        prove_nonneg(Le(step, pi), (pi + m * omega) / (m + 1), premise.args),
    )
    falls = T.apply(T.cosine_decreases(), [num(0), step], T.both(*order))
    smaller = prove_nonneg(goal, T.margin(falls.conclusion), [falls.conclusion])
    smaller = T.discharge(smaller, falls)
    smaller = T.generalise(T.implication(T.unpack(smaller, premise), premise), *T.outer(differ))
    return T.both(points, exists, smaller)


@control("claimed_invariant", broken_score=statements.Integer(1))
@control("zonal_channel", channel=2)
@proves(SECTIONS, "counterexample", "one rotation and one pair of points")
def counterexample(of: Sections) -> Theorem:
    """Products of rational matrices."""
    return _each(statements.counterexample(of))


@control("zonal_channel", channel=2)
@proves(SECTIONS, "pole", "all epsilon")
def pole(of: Sections) -> Theorem:
    """1 + cos 2 epsilon >= 2 - 2 epsilon^2."""
    *equations, bound = T.inner(node(statements.pole(of))).args
    e = node(statements.epsilon)
    parabola = kernel.instantiate(kernel.meaning("cosine_above_parabola"), 2 * e)
    form = T.margin(parabola.conclusion)
    proof = T.discharge(prove_nonneg(bound, form, [parabola.conclusion]), parabola)
    return T.both(*(prove_identity(part) for part in equations), proof)


def _first_order(p: Any) -> Any:
    """I + K."""
    x, y, _ = p
    return statements.Matrix([[1, 0, x], [0, 1, y], [-x, -y, 1]])


@control("winding_one", winding=1)
@control("without_the_square", north_formula=_first_order)
@proves(SECTIONS, "regular", "all points but one pole for each section")
def regular(of: Sections) -> Theorem:
    """The sines that 1 + z divides are those of cosines: sin^2 = (1 - z)(1 + z)."""
    proofs = []
    for part in T.inner(node(statements.regular(of))).args:
        if part.head == "implies":
            premise, goal = part.args
            proofs.append(T.implication(prove_identity(goal, [premise]), premise))
        else:
            proofs.append(prove_identity(part))
    return T.both(*proofs)


UNMOVED = dict.fromkeys(("D_i", "D_i'", "D_j", "D_j'"), fmpq_mat(2, 2, [1, 0, 0, 1]))


@control("product_in_the_other_order", UNMOVED, score=lambda d_star, e: e @ d_star)
@proves(SECTIONS, "ambient", "unitary matrices of every size")
def ambient(of: Sections) -> Theorem:
    """D D* = 1 on both sides."""
    return _free(statements.ambient(of))
