"""Proofs of `theory.spherical.sections`: one function a clause, named after it."""

from __future__ import annotations

from typing import Any

from flint import fmpq_mat

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Eq, Node, sequence, substitute, total
from posproof.proofs_check.search import (
    prove_by_induction,
    prove_each,
    prove_free,
    prove_identity,
    prove_nonneg,
)
from posproof.theory.spherical import sections as statements
from posproof.theory.spherical.sections import RELATIVE_SCORE, Relative
from posproof.theory.vocabulary import control, proves

node = T.node


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
