"""Proofs of `theory.symplectic.powers`: one function a clause, named after it.

Main definitions
----------------
largest_stretch   the spectral norm of a 2 x 2 matrix from its squares and its determinant
stretch_at        the same for given entries
norm_is           the same for the matrix and the number that a statement names
stretch_norm      the same where the norm is scale exp arsinh w
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import sympy
from sympy import ImmutableMatrix, log, sqrt

from posproof.proofs_check import kernel, language
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import FALSUM, Node, num
from posproof.proofs_check.search import (
    Undecided,
    prove_contradiction,
    prove_identity,
    prove_nonneg,
    prove_order,
    prove_same,
)
from posproof.theory.symbols import variables
from posproof.theory.symplectic import powers as statements
from posproof.theory.symplectic.powers import (
    DECOMPOSITIONS,
    ENTRIES,
    GENERIC,
    IDENTITY,
    NAMED,
    POWERS,
    Decompositions,
    Powers,
    alpha,
    is_norm,
    k,
    n,
    sigma,
    squares,
    v1,
    v2,
)
from posproof.theory.vocabulary import Eq, Le, Real, control, proves

node = T.node
Point = dict[str, Any]
(_t,) = variables("t", Real)


# ---------------------------------------------------------------------- the spectral norm
def _measured() -> list[Node]:
    """0 <= sigma, t^2 <= sigma^2, |M|_F^2 = sigma^2 + t^2 and (det M)^2 = sigma^2 t^2."""
    m11, m12, m21, m22 = ENTRIES
    return [
        node(Le(0, sigma)),
        node(Le(_t**2, sigma**2)),
        node(Eq(m11**2 + m12**2 + m21**2 + m22**2, sigma**2 + _t**2)),
        node(Eq((m11 * m22 - m12 * m21) ** 2, sigma**2 * _t**2)),
    ]


@lru_cache
def largest_stretch() -> Theorem:
    """For all entries, sigma and t: the four facts of `_measured` => sigma is the norm.

    [[A, B], [B, C]] = sigma^2 - M^T M has determinant 0 and trace sigma^2 - t^2 >= 0.
    """
    m11, m12, m21, m22 = (node(x) for x in ENTRIES)
    x, y, size = node(v1), node(v2), node(sigma)
    _, order, square, determinant = facts = _measured()
    trace = T.margin(order)
    A = size**2 - (m11**2 + m21**2)
    B = num(0) - (m11 * m12 + m21 * m22)
    C = size**2 - (m12**2 + m22**2)
    algebra = [square, determinant]

    def corner(entry: Node) -> Theorem:
        """A diagonal entry is not negative: else A (A + C) < 0 <= A^2 + B^2."""
        negative = language.Lt(entry, num(0))
        depth = num(0) - entry
        form = depth * trace + depth**2 + B**2
        excluded = prove_nonneg(FALSUM, form, [*algebra, order, negative])
        return T.compare(
            entry, 0, T.ex_falso(excluded, language.Le(num(0), entry)), T.assume(Le(0, entry))
        )

    low, high = corner(A), corner(C)
    _, under, found = node(is_norm(NAMED, sigma)).args
    less = under.args[1].args[1]

    # A > 0: A (A x^2 + 2 B x y + C y^2) = (A x + B y)^2, and it vanishes at (-B, A).
    plus = language.Lt(num(0), A)
    steep = prove_nonneg(less, (A * x + B * y) ** 2 / A, [*algebra, plus])
    at = _attained(found, num(0) - B, A, A**2 + B**2, [*algebra, plus])

    # A = 0: then B = 0, and only C y^2 is left; it vanishes at (1, 0).
    none = kernel.antisymmetry(T.assume(Le(A, 0)), low)
    zero = none.conclusion
    apart = language.Ne(B, num(0))
    equal = language.Eq(B, num(0))
    clash = prove_contradiction([*algebra, zero, apart], equal)
    flat = T.split(equal, T.assume(equal), clash)
    above = high.conclusion
    gentle = prove_nonneg(less, C * y**2, [*algebra, zero, equal, above])
    gentle = T.discharge(gentle, flat, high)
    here = T.discharge(_attained(found, num(1), num(0), num(1), [zero]), none)
    gentle = T.discharge(gentle, none)

    goals = []
    for rising, level in ((T.generalise(steep, v1, v2), T.generalise(gentle, v1, v2)), (at, here)):
        goals.append(T.compare(0, A, rising, level))
    proof = T.both(T.assume(facts[0]), *goals)
    premise = language.And(*facts)
    proof = T.unpack(proof, premise)
    return T.generalise(T.implication(proof, premise), *ENTRIES, sigma, _t)


def _attained(found: Node, x: Node, y: Node, length: Node, given: Sequence[Node]) -> Theorem:
    """The vector (x, y), of squared length `length` > 0, is stretched by sigma."""

    def instance(goal: Node) -> Theorem:
        def inner(goal: Node) -> Theorem:
            some, equal = goal.args
            equations = [h for h in given if h.head == "eq"]
            return T.both(prove_nonneg(some, length, given), prove_identity(equal, equations))

        return T.exists(goal, y, inner)

    return T.exists(found, x, instance)


def stretch_at(
    cells: Sequence[Node],
    value: Node,
    small: Node,
    order: Theorem,
    positive: Theorem,
    given: Sequence[Theorem] = (),
) -> Theorem:
    """`value` is the norm of the matrix of these cells, and `small` its other singular value.

    `order` proves small^2 <= value^2 and `positive` 0 <= value; `given` is what algebra may use for
    the sum of squares and the determinant, or their proofs.
    """
    lemma = largest_stretch()
    for term in (*cells, value, small):
        lemma = kernel.instantiate(lemma, term)
    _, _, *equations = lemma.conclusion.args[0].args
    known = [fact.conclusion for fact in given]

    def shown(equation: Node) -> Theorem:
        for fact in given:
            try:
                return T.discharge(prove_same(equation, fact.conclusion), fact)
            except Undecided:
                continue
        return T.discharge(prove_identity(equation, known), *given)

    return kernel.modus(lemma, T.both(positive, order, *map(shown, equations)))


def norm_is(
    statement: Any,
    cells: Sequence[Node],
    small: Node,
    order: Theorem,
    positive: Theorem,
    closed: Sequence[Theorem] = (),
    given: Sequence[Theorem] = (),
) -> Theorem:
    """`theory.symplectic.powers.norm`: the matrix and its norm are named by equations.

    `cells` are the entries in closed form, which `closed` proves of the matrix that is named.  See
    `stretch_at` for the rest.
    """
    names, _ = T.inner(statement).args
    value = names.args[1].args[1]
    whole = stretch_at(cells, value, small, order, positive, given)
    whole = named_instead(whole, is_norm(NAMED, sigma), names, cells, closed)
    return T.generalise(T.implication(T.unpack(whole, names), names), *T.outer(statement))


def named_instead(
    theorem: Theorem, shape: Any, names: Node, cells: Sequence[Node], closed: Sequence[Theorem]
) -> Theorem:
    """A theorem about cells and a value, said of the names that stand for them."""
    named, valued = names.args
    pattern = node(shape)
    values = dict(zip((node(entry) for entry in ENTRIES), cells, strict=True))
    values[node(sigma)] = valued.args[1]
    for place, name in enumerate(list(values)):
        others = {x: term for x, term in values.items() if x != name}
        if name == node(sigma):
            equal = kernel.assume(valued)
        else:
            equal = _entry_named(named, place, values[name], closed)
        here = language.substitute(pattern, others)
        theorem = T.discharge(kernel.leibniz(theorem, here, name, equal.conclusion), equal)
        values[name] = name
    return theorem


def _entry_named(named: Node, place: int, cell: Node, closed: Sequence[Theorem]) -> Theorem:
    """The name of an entry equals its cell, through the entry of the matrix that is named."""
    name = named.args[0].args[1 + place]
    if not closed:
        return prove_identity(language.Eq(name, cell), [named])
    own = language.entry(named.args[1], *divmod(place, 2))
    goal = language.Eq(own, cell)
    told = [fact for fact in closed if kernel.same(fact.conclusion, goal)]
    if not told:
        known = [fact.conclusion for fact in closed]
        told = [T.discharge(prove_identity(goal, known), *closed)]
    first = prove_identity(language.Eq(name, own), [named])
    pattern = language.Eq(name, cell)
    proof = kernel.leibniz(told[0], pattern, name, first.conclusion)
    return T.discharge(proof, first)


def stretch_norm(
    statement: Any,
    w: Any,
    signed: Theorem,
    cells: Sequence[Node] | None = None,
    closed: Sequence[Theorem] = (),
    given: Sequence[Theorem] = (),
    scale: Any = 1,
) -> Theorem:
    """A norm scale (w + sqrt(1 + w^2)); `signed` proves 0 <= w, and `scale` is visibly positive.

    The other singular value is scale (sqrt(1 + w^2) - w).  Without `cells` the matrix is explicit.
    """
    named, valued = T.inner(statement).args[0].args
    entries = named.args[1].args[1:] if cells is None else cells
    small, order, positive = two_stretches(valued.args[1], w, signed, scale)
    return norm_is(statement, entries, small, order, positive, closed, given)


def two_stretches(
    value: Node, w: Any, signed: Theorem, scale: Any = 1
) -> tuple[Node, Theorem, Theorem]:
    """The smaller singular value, its square is at most the larger one's, and 0 <= the larger."""
    width, root, factor = node(w), node(sqrt(1 + w**2)), node(scale)
    assert kernel.same(signed.conclusion, language.Le(num(0), width))
    small = factor * (root - width)
    known = [signed.conclusion]
    order = prove_nonneg(language.Le(small**2, value**2), 4 * factor**2 * width * root, known)
    positive = prove_nonneg(language.Le(num(0), value), factor * (width + root), known)
    return small, T.discharge(order, signed), T.discharge(positive, signed)


def signs_shown(theorem: Theorem, form: Any, given: Sequence[Any] = ()) -> Theorem:
    """Discharge hypotheses 0 <= t, t the radicand of a root: t equals the form under `given`."""
    for fact in theorem.hypotheses:
        if fact.head == "le" and fact.args[0] == num(0):
            try:
                theorem = kernel.cut(prove_nonneg(fact, form, given), theorem)
            except Undecided:
                continue
    return theorem


# ---------------------------------------------------------------------- symplectic.powers
def _closed(statement: Any, prove: Any) -> Theorem:
    """for all names: premise => goal, from `prove(premise, goal)` under parts of the premise."""
    premise, goal = T.inner(statement).args
    proof = T.unpack_all(prove(premise, goal), premise)
    return T.generalise(T.implication(proof, premise), *T.outer(statement))


_i = T.natural("i")


def _recursion(premise: Node, claims: Sequence[Node], extra: Sequence[Node] = ()) -> list[Theorem]:
    """Equations about i, at i = n: the premise ends with a rule for every k < n.

    The base may use the other parts of the premise, the step those in `extra`.
    """
    *starts, rule = premise.args
    start = [T.assume(part) for part in starts]
    told = [fact.conclusion for fact in start]
    whole = language.And(*claims)

    def step(inside: Theorem) -> Theorem:
        found = T.apply(kernel.assume(rule), [_i], inside)
        facts = [*claims, *extra, *T.conjuncts(found.conclusion)]
        grown = [prove_identity(language.substitute(c, {_i: _i + 1}), facts) for c in claims]
        proof = T.discharge(T.unpack_all(T.both(*grown), found.conclusion), found)
        return T.unpack_all(proof, whole)

    base = T.both(*(prove_identity(language.substitute(c, {_i: num(0)}), told) for c in claims))
    reached = T.up_to(n, whole, _i, base, step)
    return T.parts(reached) if len(claims) > 1 else [reached]


def _at_i(goal: Node) -> Node:
    return language.substitute(goal, {node(n): _i})


#: A damped matrix: its determinant is not 1.
HALVED: Point = {"p": Fraction(1, 2), "q": 0, "r": 0, "s": Fraction(1, 2), "n": 1}
HALVED |= {"u": {0: 0, 1: 1, 2: 1, 3: Fraction(3, 4), -1: -4}}
SHEARED = {"p": 2, "q": 1, "r": 1, "s": 1, "n": 1, "u": {0: 0, 1: 1, 2: 3, 3: 8, -1: -1, -2: -3}}

#: What the recursion with the wrong sign makes of the same matrix.
SUMMED = SHEARED | {"n": 2, "u": {0: 0, 1: 1, 2: 3, 3: 10}}


@control(
    "determinant_forgotten", HALVED, combined=lambda M, det, one, zero: one * M - zero * IDENTITY
)
@control(
    "index_shifted", SHEARED, combined=lambda M, det, one, zero: zero * M - det * one * IDENTITY
)
@control("sum_of_neighbours", SUMMED, following=lambda t, d, one, zero: t * one + d * zero)
@proves(POWERS, "cayley_hamilton", "all real 2 x 2 matrices, all n")
def cayley_hamilton(of: Powers) -> Theorem:
    """M (u_n M - det u_(n-1)) = (trace u_n - det u_(n-1)) M - det u_n."""
    forward, zero = node(statements.cayley_hamilton(of)).args

    def powers(premise: Node, goal: Node) -> Theorem:
        return _recursion(premise, [_at_i(goal)])[0]

    def at_zero(premise: Node, goal: Node) -> Theorem:
        return prove_identity(goal, premise.args)

    return T.both(_closed(forward, powers), _closed(zero, at_zero))


@control(
    "index_shifted", SHEARED, combined=lambda M, det, one, zero: zero * M - det * one * IDENTITY
)
@proves(POWERS, "inverse_powers", "all real 2 x 2 matrices of determinant 1, all n")
def inverse_powers(of: Powers) -> Theorem:
    """The recursion read backwards: u is odd, and the inverse has trace minus the matrix."""

    def prove(premise: Node, goal: Node) -> Theorem:
        odd, back = goal.args
        second = node(Eq(statements.u(-n - 1), -statements.u(n + 1)))
        return T.both(
            *_recursion(premise, [_at_i(c) for c in (odd, back, second)], premise.args[:1])[:2]
        )

    return _closed(statements.inverse_powers(of), prove)


@control("degree_not_lowered", degree=lambda n: n)
@proves(POWERS, "chebyshev", "all tau, all n")
def chebyshev(of: Powers) -> Theorem:
    """Both sides follow one recursion from 0 and 1."""

    def prove(premise: Node, goal: Node) -> Theorem:
        after = language.substitute(_at_i(goal), {_i: _i + 1})
        return _recursion(premise, [_at_i(goal), after])[0]

    return _closed(statements.chebyshev(of), prove)


#: cosh mu = 5 / 4; the second point has a b = 1 / 4, the third a rho^2 = b.
DOUBLED = {"a": Fraction(1, 2), "b": 1, "mu": log(2), "rho": Fraction(3, 2), "n": 1}
QUARTER = DOUBLED | {"b": Fraction(1, 2), "rho": sqrt(17) / 4}
PLAIN = DOUBLED | {"rho": sqrt(2)}


@control("rate_of_the_whole_product", QUARTER, cosine=lambda a, b: 1 + a * b)
@control("corner_of_two_shears", PLAIN, corner=lambda a, b: b)
@control("anisotropy_inverted", DOUBLED, orbit=lambda mu, rho, n: statements.orbit(mu, 1 / rho, n))
@proves(POWERS, "hyperbolic", "all a, b > 0, all n")
def hyperbolic(of: Powers) -> Theorem:
    """sinh^2 mu = (rho a)^2 and both are positive; then the addition theorems."""

    def prove(premise: Node, goal: Node) -> Theorem:
        rate = sine_of_rate(premise.args)
        facts = [*premise.args, rate.conclusion]
        base = prove_identity(language.substitute(goal, {node(n): num(0)}), facts)
        grown = prove_identity(language.substitute(goal, {node(n): node(n) + 1}), [*facts, goal])
        return T.discharge(kernel.induct(node(n), goal, base, grown), rate)

    return _closed(statements.hyperbolic(of), prove)


def sine_of_rate(given: Sequence[Node]) -> Theorem:
    """cosh mu = 1 + a b / 2 and a rho^2 = b (1 + a b / 4) |- sinh mu = rho a, all positive."""
    a, mu, rho = (node(x) for x in (statements.a, statements.mu, statements.rho))
    sine, width = language.sinh(mu), rho * a
    product = prove_identity(language.Eq((sine - width) * (sine + width), num(0)), given)
    apart = language.Ne(sine - width, num(0))
    goal = language.Eq(sine, width)
    clash = prove_contradiction([product.conclusion, apart, _nonzero(sine + width)], goal)
    clash = T.discharge(clash, product, _positive_sum(sine + width))
    same = prove_identity(goal, [language.Eq(sine - width, num(0))])
    return T.split(language.Eq(sine - width, num(0)), same, clash)


def _nonzero(term: Node) -> Node:
    return language.Ne(term, num(0))


def _positive_sum(term: Node) -> Theorem:
    """term != 0 for a visibly positive term."""
    zero = language.Eq(term, num(0))
    clash = prove_nonneg(FALSUM, term, [zero])
    return T.conclude_not(clash, zero)


@control("sign_not_alternating", {"n": 2, "u": {0: 0, 1: 1, 2: -2, 3: 3}}, parabolic=lambda n: n)
@control(
    "sum_of_neighbours",
    {"n": 3, "u": {0: 0, 1: 1, 2: 2, 3: 5, 4: 12}},
    following=lambda t, d, one, zero: t * one + d * zero,
)
@proves(POWERS, "parabolic", "all n")
def parabolic(of: Powers) -> Theorem:
    """Linear growth, with a sign that alternates when the trace is -2."""

    def prove(premise: Node, goal: Node) -> Theorem:
        after = language.substitute(_at_i(goal), {_i: _i + 1})
        return _recursion(premise, [_at_i(goal), after])[0]

    return T.both(*(_closed(part, prove) for part in node(statements.parabolic(of)).args))


FIRST_NUMBERS = {"n": 1, "F": {-1: 1, 0: 0, 1: 1, 2: 1, 3: 2}}


@control("shears_of_one_kind", FIRST_NUMBERS, lower=statements.upper)
@proves(POWERS, "fibonacci", "all n")
def fibonacci(of: Powers) -> Theorem:
    """Two steps of the recursion are one product."""

    def prove(premise: Node, goal: Node) -> Theorem:
        *starts, rule = premise.args
        claim = _at_i(goal)
        size = node(n)

        def step(inside: Theorem) -> Theorem:
            facts = []
            for at in (2 * _i, 2 * _i + 1, 2 * _i + 2):
                near = prove_order(language.Le(at, 2 * size), [language.Le(_i + 1, size)])
                near = T.discharge(near, kernel.integer_step(inside))
                facts.append(T.apply(kernel.assume(rule), [at], near))
            known = [claim, *(fact.conclusion for fact in facts)]
            return T.discharge(
                prove_identity(language.substitute(claim, {_i: _i + 1}), known), *facts
            )

        base = prove_identity(language.substitute(claim, {_i: num(0)}), starts)
        return T.up_to(n, claim, _i, base, step)

    return _closed(statements.fibonacci(of), prove)


# ---------------------------------------------------------------------- symplectic.decompositions
UNIT_SHEAR = {"p": 1, "q": 1, "r": 0, "s": 1, "N": 1}
QUARTER_TURN = {"p": 0, "q": -1, "r": 1, "s": 0, "N": 1}


@control("turn_reversed", QUARTER_TURN, turn=lambda p, r: ImmutableMatrix([[p, r], [-r, p]]))
@control("shear_of_the_rows", UNIT_SHEAR, shear=lambda p, q, r, s, n: (p * r + q * s) / n + q)
@control("length_of_the_row", {"p": 1, "q": 1, "r": 0, "s": 1}, length=lambda p, r: p**2 + r**2 + 1)
@proves(DECOMPOSITIONS, "iwasawa", "all real matrices of determinant 1")
def iwasawa(of: Decompositions) -> Theorem:
    """Gram and Schmidt on the columns."""

    def prove(premise: Node, goal: Node) -> Theorem:
        return T.both(*(prove_identity(part, premise.args) for part in T.conjuncts(goal)))

    return _closed(statements.iwasawa(of), prove)


@lru_cache
def root_above_one(w: Any) -> Theorem:
    """1 <= sqrt(1 + w^2)."""
    width, root = node(w), node(sqrt(1 + w**2))
    less = language.Lt(root, num(1))
    clash = prove_nonneg(FALSUM, (1 - root) * (1 + root) + width**2, [less])
    return T.compare(
        root,
        1,
        T.ex_falso(clash, language.Le(num(1), root)),
        T.assume(language.Le(num(1), root)),
    )


#: Both controls find sigma = 2 for these matrices; the characteristic polynomial tells at x = 1.
TOO_LONG = {"p": Fraction(1, 2), "q": 1, "r": -1, "s": 0, "x": 1, "sigma": 2}
TOO_WIDE = TOO_LONG | {"p": Fraction(3, 4)}


@control("norm_of_frobenius", TOO_LONG, excess=lambda matrix: sqrt(squares(matrix)))
@control("half_forgotten", TOO_WIDE, half=sympy.Integer(1))
@proves(DECOMPOSITIONS, "singular_values", "all real matrices of determinant 1")
def singular_values(of: Decompositions) -> Theorem:
    """The squares of the entries are the sum of the squared singular values, whose product is 1."""
    excess = of.excess(GENERIC)
    w = of.half * excess
    p, q, r, s = (node(x) for x in statements.GENERIC)

    def prove(premise: Node, goal: Node) -> Theorem:
        det = premise
        named, (low, apart, _, factors) = goal.args[0], goal.args[1].args
        value, root, width = node(sigma), node(sqrt(1 + w**2)), node(w)
        above = root_above_one(w)
        over = prove_nonneg(low, T.margin(above.conclusion) + width, [named, above.conclusion])
        over = T.discharge(over, above)
        away = _above_zero(value, low)
        equations = [det, named, away.conclusion]
        difference = prove_identity(apart, equations)
        small = value - node(excess)
        order = prove_nonneg(language.Le(small**2, value**2), 2 * node(excess) * root, [named])
        facts = language.And(*_measured())
        premises = language.substitute(facts, {**_generic(), node(_t): small}).args
        positive = prove_nonneg(premises[0], T.margin(low) + 1, [low])
        proofs = [
            positive,
            order,
            *(prove_identity(fact, [det, named]) for fact in premises[2:]),
        ]
        largest = kernel.specialise(_opened_stretch(), {**_generic(), node(_t): small})
        largest = kernel.modus(largest, T.both(*proofs))
        name, equation = factors.args
        split = kernel.generalise(prove_identity(equation, equations), name)
        whole = T.both(over, difference, largest, split)
        whole = T.discharge(whole, away, over)
        whole = signs_shown(whole, (p - s) ** 2 + (q + r) ** 2, [det])
        return T.implication(whole, named)

    return _closed(statements.singular_values(of), prove)


def _generic() -> dict[Node, Node]:
    """The names of a matrix stand for p, q, r, s."""
    return {node(name): node(entry) for name, entry in zip(ENTRIES, GENERIC, strict=True)}


@lru_cache
def _opened_stretch() -> Theorem:
    """`largest_stretch` without its quantifiers."""
    return T.apply(largest_stretch(), [*ENTRIES, sigma, _t])


def _above_zero(term: Node, fact: Node) -> Theorem:
    """1 <= term |- term != 0."""
    zero = language.Eq(term, num(0))
    return T.conclude_not(prove_nonneg(FALSUM, T.margin(fact) + 1, [zero, fact]), zero)


@lru_cache
def shear_norms() -> tuple[Theorem, Theorem]:
    """The norms of U(a) and L(a), for all a."""
    w = Decompositions().half * sympy.Abs(alpha)
    signed = prove_nonneg(Le(0, w), w)
    goal = T.inner(statements.one_shear(Decompositions()))
    first, second = (stretch_norm(part, w, signed) for part in goal.args)
    return T.generalise(first, alpha), T.generalise(second, alpha)


#: U(a) takes (0, 1) to (a, 1).
THREE = {"a": 3, "M11": 1, "M12": 3, "M21": 0, "M22": 1, "sigma": 2, "v1": 0, "v2": 1}
HALF_OF_IT = THREE | {"a": Fraction(3, 2), "M12": Fraction(3, 2), "sigma": Fraction(5, 4)}


@control("quarter_of_the_angle", THREE, half=sympy.Rational(1, 4))
@control("sum_forgotten", HALF_OF_IT, stretch=lambda w: sqrt(1 + w**2))
@proves(DECOMPOSITIONS, "one_shear", "all a")
def one_shear(of: Decompositions) -> Theorem:
    """|U|_F^2 - 2 = a^2."""
    w = of.half * sympy.Abs(alpha)
    signed = prove_nonneg(Le(0, w), w)
    goal = T.inner(statements.one_shear(of))
    return T.generalise(T.both(*(stretch_norm(part, w, signed) for part in goal.args)), alpha)


#: U(1) L(1) U(1) takes (1, 1) to (5, 3).
GROWN = {"N": 3, "a": {0: 1, 1: 1, 2: 1}}
GROWN |= {"x": {0: 1, 1: 2, 2: 2, 3: 5}, "y": {0: 1, 1: 1, 2: 3, 3: 3}}


@control("quarter_of_the_angle", GROWN, half=sympy.Rational(1, 4))
@proves(DECOMPOSITIONS, "product_of_shears", "all numbers of shears, all parameters")
def product_of_shears(of: Decompositions) -> Theorem:
    """Each shear stretches by at most its norm; the logarithms add up."""
    premise, goal = T.inner(statements.product_of_shears(of)).args
    size = node(statements.N)
    claim = language.substitute(goal, {size: _i})
    x, y, turn = (node(f(k)) for f in (statements.x_at, statements.y_at, statements.angle))
    at = {node(k): _i}
    x, y, turn = (language.substitute(f, at) for f in (x, y, turn))
    w = of.half * sympy.Abs(statements.angle(k))
    value = language.substitute(node(of.stretch(w)), at)
    cells = {
        node(name): [language.substitute(node(c), {node(alpha): turn}) for c in shear(alpha)]
        for name, shear in ((0, of.upper), (1, of.lower))
    }

    def step(inside: Theorem) -> Theorem:
        moved = T.apply(kernel.assume(premise), [_i], inside)
        branches = []
        for case, theorem, entries in zip(
            moved.conclusion.args, shear_norms(), cells.values(), strict=True
        ):
            named = T.apply(theorem, [turn, *entries, value])
            equal = T.both(*(prove_identity(e) for e in named.conclusion.args[0].args))
            below = T.apply(T.parts(kernel.modus(named, equal))[1], [x, y])
            fact = below.conclusion
            grown = language.substitute(claim, {_i: _i + 1})
            form = value**2 * T.margin(claim) + T.margin(fact)
            branches.append(T.discharge(prove_nonneg(grown, form, [claim, case, fact]), below))
        return kernel.cases(moved, *branches)

    base = prove_nonneg(language.substitute(claim, {_i: num(0)}), num(0))
    proof = T.up_to(statements.N, claim, _i, base, step)
    return T.generalise(T.implication(proof, premise), statements.N)
