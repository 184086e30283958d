"""Proofs of `theory.accumulation.householder`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import sympy
from sympy import cos

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Node
from posproof.proofs_check.search import (
    prove_by_induction,
    prove_by_substitution,
    prove_contradiction,
    prove_identity,
    prove_nonneg,
    prove_order,
)
from posproof.theory.accumulation import householder as statements
from posproof.theory.accumulation.householder import (
    BETAS,
    HOUSEHOLDER,
    Householder,
    Vector,
    W,
    axes,
    before,
    beta,
    c,
    d,
    dot,
    everywhere,
    half,
    i,
    j,
    m,
    n,
    place,
    states,
    stored,
    taken,
    theta,
    w,
    x,
    z,
)
from posproof.theory.symbols import Variable, total
from posproof.theory.vocabulary import Eq, Int, Lt, Prop, control, proves

node = T.node
at = Variable("r", Int(0))


def _out(left: Vector, right: Vector, factor: Any) -> Theorem:
    """sum of left right factor = factor (left . right)."""
    return T.taken_out(i, d, left(i) * right(i), factor)


def _implied(statement: Any, prove: Any) -> Theorem:
    """A universal implication from `prove(parts of the premise, conclusion)`."""
    names, goal = T.unquantified(statement)
    premise, conclusion = goal.args
    facts = premise.args if premise.head == "and" else (premise,)
    proof = prove(facts, conclusion)
    if premise.head == "and":
        proof = T.unpack(proof, premise)
    return T.generalise(T.implication(proof, premise), *names)


def _sign_changed(beta: Any, w: Vector, x: Vector) -> Vector:
    return lambda at: x(at) + beta * w(at) * dot(w, x)


def _added(beta: Any, w: Any) -> Any:
    return statements.factor(-beta, w)


def _only_the_part_along(beta: Any, w: Vector, x: Vector) -> Vector:
    return lambda at: x(at) - beta * w(at) * dot(w, x) - x(at)


#: A vector across the axis.
PLANE = {"d": 2, "w": (1, 0), "x": (0, 1), "beta": 2, "a": 1}

#: One axis in one dimension.
LINE = {"d": 1, "w": (1,), "x": (1,), "z": (1,), "beta": 2, "a": 0}


def _image_dot(beta: Any, first: Vector, second: Vector) -> list[Theorem]:
    """Factors that come out of <H first, H second>."""
    p, q = dot(w, first), dot(w, second)
    return [
        _out(w, first, q),
        _out(w, second, p),
        _out(w, w, p * q),
        _out(first, w, q),
        _out(second, w, p),
    ]


@control("sign_changed", LINE, reflected=_sign_changed)
@control("beta_minus_one", LINE | {"beta": 1}, largest=1)
@proves(HOUSEHOLDER, "gram")
def gram(of: Householder) -> Theorem:
    """w^T w = 1 leaves beta^2 - 2 beta."""
    out = _image_dot(beta, x, z)

    def prove(facts: Sequence[Node], conclusion: Node) -> Theorem:
        known = [*facts, *(fact.conclusion for fact in out)]
        return T.discharge(prove_identity(conclusion, known), *out)

    return _implied(statements.gram(of), prove)


@control("beta_up_to_three", LINE | {"beta": 3}, largest=3)
@proves(HOUSEHOLDER, "contraction")
def contraction(of: Householder) -> Theorem:
    """|Hx|^2 = |x|^2 - beta (2 - beta) (w . x)^2, and (w . x)^2 <= |x|^2."""
    out = [*_image_dot(beta, x, x)]
    along = dot(w, x)

    def prove(facts: Sequence[Node], conclusion: Node) -> Theorem:
        whole, low, high = facts
        image = conclusion.args[0].args[0]
        length = node(dot(x, x))
        equal = T.Eq(image, length + node(beta * (beta - 2) * along**2))
        value = prove_identity(equal, [whole, *(fact.conclusion for fact in out)])
        value = T.discharge(value, *out)
        # |x|^2 - (w . x)^2 is the square of what is across w.
        rest = node(dot(lambda at: x(at) - w(at) * along, lambda at: x(at) - w(at) * along))
        square = node(along**2)
        pieces = [_out(w, x, along), _out(w, w, along**2)]
        across = prove_identity(
            T.Eq(length - square, rest), [whole, *(fact.conclusion for fact in pieces)]
        )
        known = [value.conclusion, across.conclusion]
        below = prove_nonneg(
            conclusion.args[0], node(beta) * T.margin(high) * square, [low, high, *known]
        )
        above = prove_nonneg(
            conclusion.args[1], node(beta) * T.margin(high) * rest, [low, high, *known]
        )
        return T.discharge(T.both(below, above), value, T.discharge(across, *pieces))

    return _implied(statements.contraction(of), prove)


@control("sign_changed", LINE, reflected=_sign_changed)
@proves(HOUSEHOLDER, "fixed")
def fixed(of: Householder) -> Theorem:
    """w . w = 1, and w . x = 0."""

    def prove(facts: Sequence[Node], conclusion: Node) -> Theorem:
        along, across = conclusion.args
        still = T.implication(prove_identity(across.args[1], [across.args[0]]), across.args[0])
        return T.both(prove_identity(along, facts), still)

    return _implied(statements.fixed(of), prove)


@control("sign_changed", LINE | {"beta": 2}, reflected=_sign_changed)
@proves(HOUSEHOLDER, "inverse")
def inverse(of: Householder) -> Theorem:
    """beta + gamma = beta gamma for gamma = beta / (beta - 1)."""
    along = _out(w, w, dot(w, x))

    def prove(facts: Sequence[Node], conclusion: Node) -> Theorem:
        whole, other = facts
        zero = node(Eq(beta - 1, 0))
        equal = prove_identity(other.args[0], [zero])
        nonzero = T.conclude_not(kernel.clash(equal, kernel.assume(other)), zero)
        known = [whole, nonzero.conclusion, along.conclusion]
        return T.discharge(prove_identity(conclusion, known), nonzero, along)

    return _implied(statements.inverse(of), prove)


@control("beta_one", LINE | {"beta": 1}, largest=1)
@proves(HOUSEHOLDER, "orthogonal")
def orthogonal(of: Householder) -> Theorem:
    """beta (beta - 2) is what a product of lengths changes by; along w nothing else is left."""
    out, along = _image_dot(beta, x, z), _image_dot(beta, w, w)

    def prove(facts: Sequence[Node], conclusion: Node) -> Theorem:
        kept, only = conclusion.args
        ends, equal = kept.args
        known = [*facts, *(fact.conclusion for fact in out)]
        each = [T.discharge(prove_identity(equal, [end, *known]), *out) for end in ends.args]
        same = kernel.cases(kernel.assume(ends), *each)
        length, either = only.args
        first, last = either.args
        known = [*facts, length, T.negation(first), *(fact.conclusion for fact in along)]
        other = T.discharge(prove_identity(last, known), *along)
        other = T.alternative(other, either)
        done = T.split(first, T.alternative(kernel.assume(first), either), other)
        return T.both(T.implication(same, ends), T.implication(done, length))

    return _implied(statements.orthogonal(of), prove)


@control("sign_changed", LINE | {"beta": 1}, reflected=_sign_changed)
@proves(HOUSEHOLDER, "singular")
def singular(of: Householder) -> Theorem:
    """|Hw| = |1 - beta|, and (x^T H) w = (1 - beta) x . w."""
    out = [*_image_dot(beta, w, w), _out(w, w, dot(w, x))]

    def prove(facts: Sequence[Node], conclusion: Node) -> Theorem:
        gone, never = conclusion.args
        left, right = gone.args
        known = [*facts, *(fact.conclusion for fact in out)]
        zero, backward, image = (
            T.discharge(prove_identity(goal, [*known, *given]), *out)
            for goal, given in (
                (right, (left, T.negation(right))),
                (left, (right,)),
                (never.args[1], (never.args[0],)),
            )
        )
        forward = T.split(right, kernel.assume(right), zero)
        return T.both(T.iff(left, right, forward, backward), T.implication(image, never.args[0]))

    return _implied(statements.singular(of), prove)


@control("sign_changed", {"w0": 1, "beta": 1}, factor=_added)
@control("identity_left_out", PLANE, reflected=_only_the_part_along)
@proves(HOUSEHOLDER, "norm")
def norm(of: Householder) -> Theorem:
    """w . y = 0."""
    along = dot(w, x)
    out = [_out(w, w, along), _out(w, x, along), _out(w, w, along**2)]

    def prove(facts: Sequence[Node], conclusion: Node) -> Theorem:
        known = [*facts, *(fact.conclusion for fact in out)]
        proofs = (prove_identity(part, known) for part in conclusion.args)
        return T.discharge(T.both(*proofs), *out)

    general, line = node(statements.norm(of)).args
    scaled = _implied(line, lambda facts, goal: prove_identity(goal, facts))
    return T.both(_implied(general, prove), scaled)


def _each_size(statement: Any) -> Theorem:
    """A conjunction over sizes, each part by algebra from its premise."""

    def prove(facts: Sequence[Node], conclusion: Node) -> Theorem:
        return prove_identity(conclusion, facts)

    return T.both(*(_implied(part, prove) for part in node(statement).args))


@control("sign_changed", {"w0": 1, "P00": 1, "beta": 1}, factor=_added)
@proves(HOUSEHOLDER, "determinant", "d = 1, 2, 3")
def determinant(of: Householder) -> Theorem:
    """The determinant of a product of matrices, and of one factor."""
    return _each_size(statements.determinant(of))


#: One factor of a plane, and what it makes of the identity: for beta = 2, and for beta = 3.
MIRROR = {"w0": (1,), "w1": (0,), "P00": (1, -1), "P01": (0, 0), "P10": (0, 0), "P11": (1, 1)}
BEYOND = MIRROR | {"P00": (1, -2)}


def _signed(premise: Node, conclusion: Node, length: Any) -> Theorem:
    """The determinant of a product of reflections, from the product of the first ones on."""
    *start, grows = premise.args
    here = T.instance(conclusion, n, at)

    def later(claim: Node, told: Sequence[Theorem]) -> Theorem:
        whole, *entries = (fact.conclusion for fact in told)
        return prove_by_substitution(claim, entries, [whole, here])

    def first(claim: Node) -> Theorem:
        return prove_identity(claim, start)

    return T.recursion(at, here, length, grows, first, later)


@control("beta_three", {"n": 1} | BEYOND, largest=3)
@proves(HOUSEHOLDER, "parity", "d = 2, 3")
def parity(of: Householder) -> Theorem:
    """Each factor changes the sign of the determinant."""
    done = []
    for part in node(statements.parity(of)).args:
        names, goal = T.unquantified(part)
        premise, conclusion = goal.args
        proof = T.unpack(_signed(premise, conclusion, n), premise)
        done.append(T.generalise(T.implication(proof, premise), *names))
    return T.both(*done)


#: Two factors that do not commute, and T for the other order.
TRIANGLE = {"d": 2, "a": 1, "beta1": 1, "beta2": 1, "beta3": 0, "w1": (1, 0), "w2": (1, 1)}
TRIANGLE |= {"w3": (0, 0), "x": (1, 0), "t11": 1, "t12": 0, "t13": 0, "t21": -1, "t22": 1}
TRIANGLE |= {"t23": 0, "t31": 0, "t32": 0, "t33": 0}
TURN = {"w0": 1, "w1": 0, "beta": 3, "n": 1}


@control("no_rotation", {"h": 0, "theta": 0} | MIRROR, rotation=lambda angle: sympy.diag(-1, 1))
@proves(HOUSEHOLDER, "odd_distance", "d = 2")
def odd_distance(of: Householder) -> Theorem:
    """A determinant of -1, and cos^2 + sin^2 = 1."""
    names, goal = T.unquantified(statements.odd_distance(of))
    premise, never = goal.args
    same, odd = never.args[0], node(2 * half + 1)
    determinant = node(statements.parity(of)).args[0].args[1].args[1]
    value = _signed(premise, determinant, odd)
    clash = prove_contradiction([*same.args, value.conclusion])
    never_same = T.conclude_not(T.unpack(T.discharge(clash, value), same), same)
    proof = T.unpack(never_same, premise)
    return T.generalise(T.implication(proof, premise), *names)


# ---------------------------------------------------------------------- any number of factors
#: One factor on a line: w = 1, x = 1, and what it makes of x.
ROW = {"d": 1, "n": 1, "j": 0, "w": (1,), "x": (1,), "b": (2,), "beta": 2}


def _each_component(proof: Theorem) -> Theorem:
    """for all j < d, from a proof under j < d."""
    return T.generalise(T.implication(proof, Lt(j, d)), j)


def _along_rows(
    premise: Node,
    claim: Callable[[Any, Any], Prop],
    given: Callable[[Theorem], Sequence[Theorem]],
) -> Theorem:
    """A claim about component j of every row y_s, at s = n: from x and from one row to the next.

    `given` proves what the step needs about the product w_s . y_s from the claim at s.
    """
    start, grows = premise.args[:2] if premise.args[0].head == "forall" else premise.args[1:3]
    here = node(everywhere(lambda index: claim(at, index)))
    inside = T.assume(Lt(j, d))

    def proved(goal: Node, told: Sequence[Theorem]) -> Theorem:
        known = [fact.conclusion for fact in told]
        return _each_component(T.discharge(prove_identity(goal.args[1].args[1], known), *told))

    def first(goal: Node) -> Theorem:
        return proved(goal, [T.apply(T.assume(start), [j], inside)])

    def later(goal: Node, told: Sequence[Theorem]) -> Theorem:
        row, held = T.apply(told[0], [j], inside), T.apply(T.assume(here), [j], inside)
        return proved(goal, [row, held, *given(held)])

    whole = T.recursion(at, here, n, grows, first, later)
    return T.apply(whole, [j], inside)


def _now(everything: Node) -> Theorem:
    """What a premise about every step s < n says of the present one."""
    more = T.Le(node(at) + 1, node(n))
    return T.apply(T.assume(everything), [at], prove_order(Lt(at, n), [more]))


def _product_with(axis: Vector, held: Theorem, value: Any) -> Theorem:
    """w . y_s = w . (what the claim says of y_s)."""
    product = Eq(axis(j) * stored(states, at)(j), axis(j) * value)
    term = T.discharge(prove_identity(product, [held.conclusion]), held)
    return kernel.sum_congruence(term, node(j), node(d))


def _rows(
    statement: Any,
    claim: Callable[[Any, Any], Any],
    given: Callable[[Node, Theorem], Sequence[Theorem]],
) -> Theorem:
    names, goal = T.unquantified(statement)
    premise, conclusion = goal.args
    whole = _along_rows(premise, claim, lambda held: given(premise, held))
    last = prove_identity(conclusion.args[1].args[1], [whole.conclusion])
    proof = _each_component(T.discharge(last, whole))
    return T.generalise(T.implication(T.unpack(proof, premise), premise), *names)


@control(
    "twice_as_fast",
    ROW | {"beta": 3, "y": (1, -2)},
    left_over=lambda beta, steps: (1 - beta) ** (2 * steps),
)
@control("sign_changed", ROW | {"y": (1, 3)}, reflected=_sign_changed)
@proves(HOUSEHOLDER, "constant")
def constant(of: Householder) -> Theorem:
    """w . y_s = (1 - beta)^s w . x."""

    def value(step: Any, index: Any) -> Any:
        return x(index) - (1 - of.left_over(beta, step)) * dot(w, x) * w(index)

    def given(premise: Node, held: Theorem) -> list[Theorem]:
        length = T.assume(statements.unit(w))
        scale = (1 - of.left_over(beta, at)) * dot(w, x)
        return [_product_with(w, held, value(at, j)), _out(w, w, scale), length]

    def claim(step: Any, index: Any) -> Prop:
        return Eq(stored(states, step)(index), value(step, index))

    return _rows(statements.constant(of), claim, given)


@control("twice_as_fast", TURN, left_over=lambda beta, steps: (1 - beta) ** (2 * steps))
@proves(HOUSEHOLDER, "powers", "d = 2, 3")
def powers(of: Householder) -> Theorem:
    """Induction: the part along w is multiplied by 1 - beta."""

    def prove(facts: Sequence[Node], conclusion: Node) -> Theorem:
        return prove_by_induction(n, conclusion, facts)

    return T.both(*(_implied(part, prove) for part in node(statements.powers(of)).args))


@control("sign_changed", ROW | {"y": (1, 3), "c": (2,)}, reflected=_sign_changed)
@proves(HOUSEHOLDER, "rank")
def rank(of: Householder) -> Theorem:
    """Every factor takes a multiple of its own vector away."""

    def claim(step: Any, index: Any) -> Prop:
        spanned = total(before, step, taken(before) * stored(axes, before)(index))
        return Eq(x(index) - stored(states, step)(index), spanned)

    return _rows(statements.rank(of), claim, lambda premise, held: [_now(premise.args[2])])


#: The line without a factor: L (I - 1) = 0 is not 1; with one, and beta = 1, it is.
ONE_FACTOR = {"d": 1, "n": 1, "p": 0, "w": (1,), "b": (1,), "y": (1, 0), "c": (1,)}


@control("one_factor_fewer", ONE_FACTOR, most=lambda count: count - 1)
@proves(HOUSEHOLDER, "too_few")
def too_few(of: Householder) -> Theorem:
    """L - L H_1 .. H_k = C W, a product through k dimensions."""
    names, goal = T.unquantified(statements.too_few(of))
    premise, conclusion = goal.args
    steps, amounts, one, zero = premise.args
    row, inside = T.assume(Lt(place, d)), T.assume(Lt(j, d))
    steps, amounts = (T.apply(T.assume(fact), [place], row) for fact in (steps, amounts))

    def at_step(step: Any, index: Any) -> Any:
        return stored(states, (n + 1) * place + step)(index)

    def claim(index: Any) -> Prop:
        spanned = total(before, at, taken(n * place + before) * stored(axes, before)(index))
        return Eq(at_step(0, index) - at_step(at, index), spanned)

    here = node(everywhere(claim))

    def first(goal: Node) -> Theorem:
        return _each_component(prove_identity(goal.args[1].args[1]))

    def later(goal: Node, told: Sequence[Theorem]) -> Theorem:
        facts = [T.apply(told[0], [j], inside), T.apply(T.assume(here), [j], inside)]
        facts.append(T.discharge(_now(amounts.conclusion), amounts))
        known = [fact.conclusion for fact in facts]
        proof = prove_identity(goal.args[1].args[1], known)
        return _each_component(T.discharge(proof, *facts))

    whole = T.recursion(at, here, n, steps.conclusion, first, later)
    whole = T.discharge(whole, steps)
    whole = T.generalise(T.implication(whole, Lt(place, d)), place)

    def entry(goal: Node, row: Node, column: Node, *told: Theorem) -> Theorem:
        within = [T.assume(T.Lt(at, node(d))) for at in (row, column)]
        spanned = T.apply(T.apply(whole, [row], within[0]), [column], within[1])
        facts = [spanned, *told]
        return T.discharge(prove_identity(goal, [fact.conclusion for fact in facts]), *facts)

    theorem = kernel.dimension("c", "w", node(d), node(n))
    some, diagonal, rest = theorem.conclusion.args[0].args
    p, (within, goal) = diagonal.args[0], diagonal.args[1].args
    told = T.apply(T.assume(one), [p], T.assume(within))
    ones = T.generalise(T.implication(entry(goal, p, p, told), within), p)
    p, (within, others) = rest.args[0], rest.args[1].args
    q, (elsewhere, goal) = others.args[0], others.args[1].args
    told = T.apply(T.assume(zero), [p], T.assume(within))
    told = T.apply(told, [q], T.assume(elsewhere))
    zeros = T.unpack(entry(goal, p, q, told), elsewhere)
    zeros = T.generalise(T.implication(zeros, elsewhere), q)
    zeros = T.generalise(T.implication(zeros, within), p)
    proof = kernel.modus(theorem, T.both(prove_order(some), ones, zeros))
    proof = T.discharge(prove_order(conclusion, [proof.conclusion]), proof)
    return T.generalise(T.implication(T.unpack(proof, premise), premise), *names)


@control("no_rotation", {"theta": 3}, rotation=lambda angle: sympy.eye(2))
@proves(HOUSEHOLDER, "step_inverse")
def step_inverse(of: Householder) -> Theorem:
    """det(I - R) = 2 (1 - cos theta)."""
    names, goal = T.unquantified(statements.step_inverse(of))
    other, conclusion = goal.args
    zero = node(Eq(2 * (1 - cos(theta)), 0))
    equal = prove_identity(other.args[0], [zero])
    nonzero = T.conclude_not(kernel.clash(equal, kernel.assume(other)), zero)
    cells = [prove_identity(cell, [nonzero.conclusion]) for cell in conclusion.args]
    proof = T.discharge(T.both(*cells), nonzero)
    return T.generalise(T.implication(proof, other), *names)


def _left_alone(premise: Node, held: Theorem) -> list[Theorem]:
    return [_product_with(stored(axes, at), held, x(j)), _now(premise.args[2])]


def _still_x(step: Any, index: Any) -> Prop:
    return Eq(stored(states, step)(index), x(index))


@control("identity_left_out", ROW | {"w": (0,), "y": (1, 0)}, reflected=_only_the_part_along)
@proves(HOUSEHOLDER, "unmoved")
def unmoved(of: Householder) -> Theorem:
    """Nothing is along any of the vectors."""
    return _rows(statements.unmoved(of), _still_x, _left_alone)


#: One plane that is not turned, and a factor of a zero vector.
STILL = {"d": 2, "m": 1, "n": 1, "c": 0, "theta": (3,), "x": (1, 0), "w": (0, 0), "b": (1,)}


@control("no_rotation", STILL | {"y": (1, 0, 1, 0)}, rotation=lambda angle: sympy.eye(2))
@proves(HOUSEHOLDER, "spans")
def spans(of: Householder) -> Theorem:
    """The product leaves x alone, a rotation of every plane does not."""
    names, goal = T.unquantified(statements.spans(of))
    premise, conclusion = goal.args
    even, rotary = premise.args[3:]
    same = _along_rows(premise, _still_x, lambda held: _left_alone(premise, held))
    same = T.generalise(T.implication(same, Lt(j, d)), j)
    inside = Lt(c, m)
    turned = T.parts(T.apply(T.assume(rotary), [c], T.assume(inside)))
    close = T.one_apart(node(c), node(m))
    known = []
    for component in (node(2 * c), node(2 * c + 1)):
        within = prove_order(T.Lt(component, node(d)), [close.conclusion, even])
        known.append(T.apply(same, [component], T.discharge(within, close)))
    facts = [*turned, *known]
    zero = [
        T.discharge(prove_identity(cell, [fact.conclusion for fact in facts]), *facts)
        for cell in conclusion.args[1].args[1].args
    ]
    proof = T.generalise(T.implication(T.both(*zero), inside), c)
    return T.generalise(T.implication(T.unpack(proof, premise), premise), *names)


@control("no_rotation", rotation=lambda angle: sympy.eye(2))
@proves(HOUSEHOLDER, "no_fixed_vector")
def no_fixed_vector(of: Householder) -> Theorem:
    """det(R - I) = 2 (1 - cos theta)."""

    def prove(facts: Sequence[Node], conclusion: Node) -> Theorem:
        return T.both(*(prove_identity(part, facts) for part in conclusion.args))

    return _implied(statements.no_fixed_vector(of), prove)


@control("two_parameters", factor=lambda beta, w: statements.rotation(beta))
@proves(HOUSEHOLDER, "never_one_factor")
def never_one_factor(of: Householder) -> Theorem:
    """A factor is symmetric and fixes a vector; a rotation that does is the identity."""

    def prove(facts: Sequence[Node], conclusion: Node) -> Theorem:
        same = conclusion.args[0]
        never = T.unpack(prove_contradiction([*facts, *same.args]), same)
        return T.conclude_not(never, same)

    return _implied(statements.never_one_factor(of), prove)


@control("angle_not_doubled", doubled=1)
@proves(HOUSEHOLDER, "two_reflections")
def two_reflections(of: Householder) -> Theorem:
    """The addition theorems."""
    names, goal = T.unquantified(statements.two_reflections(of))
    return T.generalise(T.both(*(prove_identity(part) for part in goal.args)), *names)


@control(
    "diagonal_too", ROW | {"b": (1,), "c": (Fraction(1, 2),), "y": (1, 0)}, earlier=lambda s: s + 1
)
@control("sign_changed", ROW | {"y": (1, 3), "c": (2,)}, reflected=_sign_changed)
@proves(HOUSEHOLDER, "triangular")
def triangular(of: Householder) -> Theorem:
    """By the equation of c_s, w_s . y_s = w_s . x - sum of c_t w_t . w_s over the t before s."""
    present = stored(axes, at)

    def removed(step: Any, index: Any) -> Any:
        return total(before, step, taken(before) * stored(axes, before)(index))

    def claim(step: Any, index: Any) -> Prop:
        return Eq(stored(states, step)(index), x(index) - removed(step, index))

    def given(premise: Node, held: Theorem) -> list[Theorem]:
        product = _product_with(present, held, x(j) - removed(at, j))
        # sum over j of w_s sum over t = sum over t of c_t sum over j of w_t w_s
        one = T.taken_out(before, at, taken(before) * stored(axes, before)(j), present(j))
        inward = kernel.sum_congruence(one, node(j), node(d))
        swapped = kernel.exchange(inward.conclusion.args[0])
        two = T.taken_out(j, d, stored(axes, before)(j) * present(j), taken(before))
        outward = kernel.sum_congruence(two, node(before), node(at))
        return [product, inward, swapped, outward, _now(premise.args[2])]

    return _rows(statements.triangular(of), claim, given)


def _named(where: Node, names: dict[Node, Node]) -> Node:
    """A term or proposition with names for some of its parts, the first ones first."""
    for part, name in names.items():
        where = T.replaced(where, part, name)
    return where


@control("lower_triangle", TRIANGLE, above=lambda row, column: row > column)
@proves(HOUSEHOLDER, "compact", "three factors, any dimension")
def compact(of: Householder) -> Theorem:
    """From the right: what a factor takes away is a combination of the vectors so far."""
    one, two, three = W
    b1, b2, b3 = BETAS
    image_three = of.reflected(b3, three, x)
    image_two = of.reflected(b2, two, image_three)
    last, middle, front = dot(three, x), dot(two, image_three), dot(one, image_two)
    told = [
        (middle, dot(two, x) - b3 * dot(two, three) * last),
        (front, dot(one, x) - b3 * dot(one, three) * last - b2 * dot(one, two) * middle),
    ]
    out = [_out(two, three, last), _out(one, three, last), _out(one, two, middle)]
    facts = [fact.conclusion for fact in out]
    values = [T.discharge(prove_identity(Eq(*pair), facts), *out) for pair in told]

    pairs = [(one, two), (one, three), (two, three), (one, x), (two, x), (three, x)]
    sums = [front, middle, *(dot(*pair) for pair in pairs)]
    names = {node(part): T.real(f"S{index}") for index, part in enumerate(sums)}

    def prove(facts: Sequence[Node], conclusion: Node) -> Theorem:
        known = [_named(fact, names) for fact in (*facts, *(value.conclusion for value in values))]
        solved = [fact for fact in known if fact.args[0].head == "var"]
        others = [fact for fact in known if fact not in solved]
        goal = _named(conclusion, names)
        proof = prove_identity(goal, [*solved, *others])
        proof = kernel.specialise(proof, {name: part for part, name in names.items()})
        return T.discharge(proof, *values)

    return _implied(statements.compact(of), prove)


@control("share_of_one", share=lambda d: 1)
@proves(HOUSEHOLDER, "isotropic", "any law with any number of values; the axes for d <= 5")
def isotropic(of: Householder) -> Theorem:
    """The mean is linear."""
    general, axes = node(statements.isotropic(of)).args

    def prove(facts: Sequence[Node], conclusion: Node) -> Theorem:
        return T.both(*(prove_identity(part, facts) for part in conclusion.args))

    names, goal = T.unquantified(axes)
    averages = T.generalise(T.both(*(prove_identity(cell) for cell in goal.args)), *names)
    return T.both(_implied(general, prove), averages)
