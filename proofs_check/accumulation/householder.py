"""Proofs of `theory.accumulation.householder`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Node
from posproof.proofs_check.search import (
    prove_by_induction,
    prove_contradiction,
    prove_identity,
    prove_nonneg,
)
from posproof.theory.accumulation import householder as statements
from posproof.theory.accumulation.householder import (
    BETAS,
    HOUSEHOLDER,
    Householder,
    Vector,
    W,
    beta,
    d,
    dot,
    i,
    n,
    w,
    x,
    z,
)
from posproof.theory.symbols import Variable
from posproof.theory.vocabulary import Eq, Int, control, proves

node = T.node
at = Variable("at", Int(0))


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


@control("beta_three", {"n": 1, "D": (1, -2)}, largest=3)
@proves(HOUSEHOLDER, "parity")
def parity(of: Householder) -> Theorem:
    """Each factor changes the sign."""

    def prove(facts: Sequence[Node], conclusion: Node) -> Theorem:
        start, grows = facts
        here = T.instance(conclusion, n, at)

        def later(claim: Node, told: Sequence[Theorem]) -> Theorem:
            return prove_identity(claim, [told[0].conclusion, here])

        return T.recursion(at, here, n, grows, lambda c: prove_identity(c, [start]), later)

    return _implied(statements.parity(of), prove)


#: Two factors that do not commute, and T for the other order.
TRIANGLE = {"d": 2, "a": 1, "beta1": 1, "beta2": 1, "beta3": 0, "w1": (1, 0), "w2": (1, 1)}
TRIANGLE |= {"w3": (0, 0), "x": (1, 0), "t11": 1, "t12": 0, "t13": 0, "t21": -1, "t22": 1}
TRIANGLE |= {"t23": 0, "t31": 0, "t32": 0, "t33": 0}
TURN = {"w0": 1, "w1": 0, "beta": 3, "n": 1}


@control("twice_as_fast", TURN, left_over=lambda beta, steps: (1 - beta) ** (2 * steps))
@proves(HOUSEHOLDER, "constant", "d = 2, 3")
def constant(of: Householder) -> Theorem:
    """Induction: the part along w is multiplied by 1 - beta."""

    def prove(facts: Sequence[Node], conclusion: Node) -> Theorem:
        return prove_by_induction(n, conclusion, facts)

    return T.both(*(_implied(part, prove) for part in node(statements.constant(of)).args))


@control("sign_changed", factor=_added)
@proves(HOUSEHOLDER, "rank_one", "d = 2, 3")
def rank_one(of: Householder) -> Theorem:
    """P H = P - beta (P w) w^T."""
    done = []
    for part in node(statements.rank_one(of)).args:
        names, goal = T.unquantified(part)
        done.append(T.generalise(T.both(*(prove_identity(cell) for cell in goal.args)), *names))
    return T.both(*done)


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


def _named(where: Node, names: dict[Node, Node]) -> Node:
    """A term or proposition with names for some of its parts, the first ones first."""
    for part, name in names.items():
        where = _replaced(where, part, name)
    return where


def _replaced(where: Node, old: Node, new: Node) -> Node:
    if where == old:
        return new
    args = (_replaced(part, old, new) if isinstance(part, Node) else part for part in where.args)
    return Node(where.head, tuple(args))


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
