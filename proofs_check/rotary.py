"""Proofs of `theory.rotary`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sympy import ImmutableMatrix, cos, sin

from posproof.proofs_check import kernel, language
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Node
from posproof.proofs_check.search import (
    prove_by_induction,
    prove_each,
    prove_identity,
    prove_nonneg,
    prove_order,
)
from posproof.theory import rotary as statements
from posproof.theory.rotary import (
    LAYOUTS,
    NORM,
    RELATIVE,
    D,
    Pair,
    Rotary,
    k,
    l,
    m,
    q,
    r,
    squares,
    theta,
)
from posproof.theory.symbols import variables
from posproof.theory.vocabulary import Le, Lt, Real, control, proves

node = T.node


def _body(statement: Any) -> Node:
    """A statement without its outer universal quantifiers."""
    goal = node(statement)
    while goal.head == "forall":
        goal = goal.args[1]
    return goal


def _by_induction(statement: Any) -> Theorem:
    """Every equation of a statement about m planes: the step adds one plane."""
    return prove_each(_body(statement), lambda goal: prove_by_induction(m, goal))


# ---------------------------------------------------------------------- controls
def _backwards(theta: Any, n: Any) -> Any:
    return -theta * n


def _query_minus_key(p: Any, n: Any) -> Any:
    return p - n


def _reflection(phi: Any) -> ImmutableMatrix:
    return ImmutableMatrix([[cos(phi), sin(phi)], [sin(phi), -cos(phi)]])


def _wrong_sign(x: Any, y: Any, phi: Any) -> Pair:
    return x * cos(phi) + y * sin(phi), x * sin(phi) + y * cos(phi)


def _only_the_cosines(x: Any, y: Any, phi: Any, a: Any) -> Pair:
    return a * x * cos(phi) - y * sin(phi), x * sin(phi) + a * y * cos(phi)


# ---------------------------------------------------------------------- rotary.relative
@control("key_turned_backwards", key_angle=_backwards)
@control("offset_with_the_wrong_sign", offset=_query_minus_key)
@control("reflection_for_rotation", rotation=_reflection)
@proves(RELATIVE, "plane")
def plane(of: Rotary) -> Theorem:
    """The addition theorems of cosine and sine."""
    return prove_identity(_body(statements.plane(of)))


@control("key_turned_backwards", key_angle=_backwards)
@control("offset_with_the_wrong_sign", offset=_query_minus_key)
@control("one_wrong_sign", turned=_wrong_sign)
@proves(RELATIVE, "relative_score")
def relative_score(of: Rotary) -> Theorem:
    """Plane by plane, by induction on their number."""
    return _by_induction(statements.relative_score(of))


@control("key_turned_backwards", key_angle=_backwards)
@control("one_wrong_sign", turned=_wrong_sign)
@proves(RELATIVE, "shift_invariance")
def shift_invariance(of: Rotary) -> Theorem:
    """Plane by plane, by induction on their number."""
    return _by_induction(statements.shift_invariance(of))


PROJECTION = ImmutableMatrix([[1, 0], [0, 0]])
CONSTANT_PROJECTION = {"A00": 1, "A01": 0, "A10": 0, "A11": 0}


@control("projection_at_zero", CONSTANT_PROJECTION, at_zero=PROJECTION)
@proves(RELATIVE, "converse")
def converse(of: Rotary) -> Theorem:
    """A^T A = I makes A A^T = I, and A(p) A(n) = A(p) A(p)^T A(p + n)."""
    premise = node(statements.converse_premise(of))
    start, here, onwards = (part.conclusion for part in T.parts(kernel.assume(premise)))
    orthogonal, group_law = node(statements.converse_conclusion()).args
    first = prove_identity(orthogonal, [start, here])
    at = node(statements.family(statements.p))
    other_side = prove_identity(
        language.Eq(at @ language.transpose(at), node(statements.IDENTITY)), [orthogonal]
    )
    moved = prove_identity(group_law, [other_side.conclusion, onwards])
    proved = T.discharge(T.both(first, moved), other_side, first)
    return T.implication(T.unpack(proved, premise), premise)


# ---------------------------------------------------------------------- rotary.norm
@control("reflection_for_rotation", rotation=_reflection)
@proves(NORM, "orthogonal")
def orthogonal(of: Rotary) -> Theorem:
    """cos^2 + sin^2 = 1."""
    return prove_each(_body(statements.orthogonal(of)), prove_identity)


@control("one_wrong_sign", turned=_wrong_sign)
@proves(NORM, "plane_norm")
def plane_norm(of: Rotary) -> Theorem:
    """cos^2 + sin^2 = 1."""
    return prove_identity(_body(statements.plane_norm(of)))


@control("one_wrong_sign", turned=_wrong_sign)
@proves(NORM, "norm")
def norm(of: Rotary) -> Theorem:
    """Plane by plane, by induction on their number."""
    return _by_induction(statements.norm(of))


def _halved(product: Any) -> Any:
    return product / 2


def _form(*values: Any) -> Node:
    """|X q - Y R(D) k|^2 for the score S and the squared norms Q and K."""
    S, Q, K, X, Y = (node(value) for value in values)
    return Q * X**2 - 2 * S * X * Y + K * Y**2


def _discriminant(ceiling: Callable[[Any], Any]) -> Theorem:
    """0 <= Q, K and two values of the form give S^2 <= Q K, for any numbers S, Q, K."""
    S, Q, K = variables("S Q K", Real)
    goal, whole = Le(S**2, ceiling(Q * K)), Lt(ceiling(Q * K), S**2)
    at_score, at_key = (language.Le(0, _form(S, Q, K, *at)) for at in ((S, Q), (node(K) + 1, S)))
    excluded = T.contradict([Lt(0, Q), whole, at_score])
    positive = T.compare(ceiling(Q * K), S**2, T.ex_falso(excluded, goal), T.assume(goal))
    vanishing = kernel.antisymmetry(T.assume(Le(Q, 0)), T.assume(Le(0, Q)))
    facts = [vanishing.conclusion, at_key, Le(0, K)]
    zero = T.discharge(prove_order(goal, facts, [S**2]), vanishing)
    return T.compare(0, Q, positive, zero)


def _nonnegative(term: Any, summand: Any) -> Theorem:
    """0 <= a sum over the planes whose summands are sums of squares."""
    goal, name = language.Le(0, node(term)), node(m)
    base = prove_order(kernel.substitute(goal, {name: T.num(0)}))
    step = prove_nonneg(
        kernel.substitute(goal, {name: name + 1}), node(term) + node(summand), [goal]
    )
    return kernel.induct(name, goal, base, step)


@control("half_of_it", ceiling=_halved)
@proves(NORM, "score_bound")
def score_bound(of: Rotary) -> Theorem:
    """|X q - Y R(D) k|^2 >= 0 for all X and Y, at two of them, leaves S^2 <= |q|^2 |k|^2."""
    score, query, key = of.score_of_offset(D), squares(q, r), squares(k, l)
    X, Y, S, Q, K = variables("X Y S Q K", Real)
    angle = theta(m) * D
    turned = statements.turned(k(m), l(m), angle)
    summand = (X * q(m) - Y * turned[0]) ** 2 + (X * r(m) - Y * turned[1]) ** 2
    form = _nonnegative(_form(score, query, key, X, Y), summand)
    at_score = kernel.specialise(form, {node(X): node(score), node(Y): node(query)})
    at_key = kernel.specialise(form, {node(X): node(key) + 1, node(Y): node(score)})
    lemma = kernel.specialise(
        _discriminant(of.ceiling), {node(S): node(score), node(Q): node(query), node(K): node(key)}
    )
    query_norm = _nonnegative(query, q(m) ** 2 + r(m) ** 2)
    key_norm = _nonnegative(key, k(m) ** 2 + l(m) ** 2)
    return T.discharge(lemma, at_score, at_key, query_norm, key_norm)


@control("only_the_cosines", scaled_turn=_only_the_cosines)
@proves(NORM, "attention_factor")
def attention_factor(of: Rotary) -> Theorem:
    """Plane by plane, by induction on their number."""
    return _by_induction(statements.attention_factor(of))


# ---------------------------------------------------------------------- rotary.layouts
def _transposed(i: int, m: int) -> int:
    """P^T in place of P, which differs from three planes on."""
    return 2 * (i % m) + i // m


@control("transposed", {f"phi{i}": i + 1 for i in range(statements.LARGEST)}, place=_transposed)
@proves(LAYOUTS, "agree")
def layouts_agree(of: Rotary) -> Theorem:
    """Entry by entry, size by size."""
    sizes = node(statements.layouts_agree(of)).args
    proofs = []
    for size in sizes:
        names, equation = T.unquantified(size)
        proofs.append(T.generalise(prove_identity(equation), *names))
    return T.both(*proofs)


def _no_permutation(i: int, m: int) -> int:
    return i


@control("key_in_the_layout_of_the_query", place=_no_permutation)
@proves(LAYOUTS, "mixed")
def mixed_scores(of: Rotary) -> Theorem:
    """Rational arithmetic."""
    return prove_each(node(statements.mixed_scores(of)), prove_identity)
