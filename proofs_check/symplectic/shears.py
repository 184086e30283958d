"""Proofs of `theory.symplectic.shears`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import (
    Eq,
    Node,
    Real,
    entry,
    free_variables,
    pi,
    substitute,
    variable,
)
from posproof.proofs_check.search import (
    Undecided,
    prove_contradiction,
    prove_identity,
    prove_same,
)
from posproof.proofs_check.translate import node
from posproof.theory.symplectic import shears as theory
from posproof.theory.symplectic.shears import (
    GENERATION,
    SHEARS,
    THREE_SHEARS,
    Shears,
)
from posproof.theory.vocabulary import control, proves


def _by_algebra(statement: Any) -> Theorem:
    """Nested conjunctions, quantifiers, premises and equivalences of equations."""
    goal = node(statement)
    match goal.head:
        case "and":
            return kernel.conjunction(*(_by_algebra(part) for part in goal.args))
        case "forall":
            return kernel.generalise(_by_algebra(goal.args[1]), goal.args[0])
        case "implies":
            premise, conclusion = goal.args
            return T.implication(T.unpack_all(_follows(conclusion, premise), premise), premise)
        case "not" if not free_variables(goal):
            return kernel.ground(goal)
    return _follows(goal)


def _follows(goal: Node, *premises: Node) -> Theorem:
    """An equation, a denial, a conjunction or an equivalence of such from the premises."""
    facts = [fact for premise in premises for fact in T.conjuncts(premise)]
    match goal.head:
        case "and":
            return kernel.conjunction(*(_follows(part, *premises) for part in goal.args))
        case "not":
            excluded = prove_contradiction([*facts, *T.conjuncts(goal.args[0])])
            return T.conclude_not(excluded, goal.args[0])
        case "iff":
            left, right = goal.args
            forward, backward = _follows(right, *premises, left), _follows(left, *premises, right)
            return T.iff(left, right, T.unpack_all(forward, left), T.unpack_all(backward, right))
    return prove_identity(goal, facts)


def _with_unit_form(m: Any, form: Any) -> Any:
    """Only the determinant is looked at."""
    return theory.Eq(theory.det(m), 1)


# ---------------------------------------------------------------------- symplectic.shears
@control("symmetric_form", form=theory.ImmutableMatrix([[0, 1], [1, 0]]))
@proves(SHEARS, "form_scales")
def form_scales(of: Shears) -> Theorem:
    """Entry by entry."""
    return _by_algebra(theory.form_scales(of))


def _orthogonal(m: Any, form: Any) -> Any:
    return theory.Eq(theory.times(m.T, m), theory.IDENTITY)


@control("orthogonal", preserved=_orthogonal)
@control("symmetric_form", form=theory.ImmutableMatrix([[0, 1], [1, 0]]))
@proves(SHEARS, "one_group")
def one_group(of: Shears) -> Theorem:
    """The off-diagonal entry of M^T J M is the determinant, the diagonal is 0."""
    return _by_algebra(theory.one_group(of))


def _not_a_shear(b: Any) -> Any:
    return theory.ImmutableMatrix([[1 + b, 0], [b, 1]])


@control("scaled", lower=_not_a_shear)
@control("quadratic", upper=lambda a: theory.upper(a**2))
@proves(SHEARS, "one_parameter")
def one_parameter(of: Shears) -> Theorem:
    """Entry by entry."""
    return _by_algebra(theory.one_parameter(of))


@control("opposite_sign", lower=lambda b: theory.lower(-b))
@control("mirror_for_form", form=theory.MIRROR)
@proves(SHEARS, "turned")
def turned(of: Shears) -> Theorem:
    """Entry by entry."""
    return _by_algebra(theory.turned(of))


@control("identity_for_mirror", mirror=theory.IDENTITY)
@control("one_direction", lower=theory.upper)
@proves(SHEARS, "commutator")
def commutator(of: Shears) -> Theorem:
    """The defect is a b diag(1, -1)."""
    return _by_algebra(theory.commutator(of))


def _pfaffian(cells: Callable[[int, int], Node], places: Sequence[int]) -> Node:
    """The Pfaffian of an alternating matrix, expanded along its first row."""
    first, *others = places
    if len(others) == 1:
        return cells(first, others[0])
    total: Node | None = None
    for index, other in enumerate(others):
        rest = [place for place in others if place != other]
        term = (-1) ** index * cells(first, other) * _pfaffian(cells, rest)
        total = term if total is None else total + term
    assert total is not None
    return total


def _determinant_is_one(statement: Node) -> Theorem:
    """det M is the Pfaffian of M^T J M, whose entries the premise gives."""
    premise, goal = T.inner(statement).args
    moved, form = premise.args
    if form.head != "matrix":
        raise Undecided("the premise is not M^T J M = J")
    size = form.args[0]
    pairs = [(i, j) for i in range(size) for j in range(i + 1, size)]
    holes = {pair: variable(f"h{pair[0]}{pair[1]}", Real) for pair in pairs}
    shape = Eq(goal.args[0], _pfaffian(lambda i, j: holes[i, j], range(size)))
    cells = {pair: entry(moved, *pair) for pair in pairs}
    at = {pair: cells[pair] for pair in pairs}
    found = prove_identity(substitute(shape, {holes[pair]: at[pair] for pair in pairs}))
    for pair in pairs:
        value = form.args[1 + pair[0] * size + pair[1]]
        known = prove_same(Eq(value, cells[pair]), premise)
        others = {holes[other]: at[other] for other in pairs if other != pair}
        found = kernel.leibniz(found, substitute(shape, others), holes[pair], known.conclusion)
        found = T.discharge(found, known)
        at[pair] = value
    one = T.discharge(prove_same(goal, found.conclusion), found)
    return T.generalise(T.implication(one, premise), *T.outer(statement))


@control("determinant_alone", preserved=_with_unit_form)
@proves(SHEARS, "higher", "m = 2, 3")
def higher(of: Shears) -> Theorem:
    """det M is the Pfaffian of M^T J M; two diagonal matrices decide the rest."""
    parts = node(theory.higher(of)).args
    proofs = []
    for part in parts:
        decided = kernel.ground if part.head != "forall" else _determinant_is_one
        proofs.append(decided(part))
    return T.both(*proofs)


# ---------------------------------------------------------------------- symplectic.generation
def _swapped(p: Any, r: Any, s: Any) -> Any:
    return theory.pivot_first(s, r, p)


def _halved(p: Any, r: Any, s: Any) -> Any:
    x, y, z = theory.pivot_first(p, r, s)
    return x, y / 2, z


#: [[2, 1], [1, 1]] = U(1) L(1) U(0) = L(0) U(1) L(1).
FIBONACCI = {"p": 2, "q": 1, "r": 1, "s": 1}
SHEARED = FIBONACCI | {"x": 1, "y": 1, "z": 0}
LIFTED = FIBONACCI | {"x": 0, "y": 1, "z": 1}


@control("outer_parameters_swapped", SHEARED, pivot_first=_swapped)
@control("middle_halved", SHEARED, pivot_first=_halved)
@proves(GENERATION, "three_upper")
def three_upper(of: Shears) -> Theorem:
    """The lower left entry is y, and then the diagonal gives x and z."""
    return _by_algebra(theory.three_upper(of))


@control("outer_parameters_swapped", LIFTED, pivot_first=_swapped)
@control("middle_halved", LIFTED, pivot_first=_halved)
@proves(GENERATION, "three_lower")
def three_lower(of: Shears) -> Theorem:
    """The same with rows and columns exchanged."""
    return _by_algebra(theory.three_lower(of))


def _squeezes(b: Any) -> Any:
    return theory.squeeze(1 / (1 + b))


@control(
    "squeezes_allowed",
    {"p": 2, "s": Fraction(1, 2), "x": 0, "y": 1, "z": 0},
    lower=_squeezes,
)
@proves(GENERATION, "no_three")
def no_three(of: Shears) -> Theorem:
    """An off-diagonal entry that is 0 makes the middle shear trivial, so p = 1."""
    return _by_algebra(theory.no_three(of))


def _without_square(p: Any) -> Any:
    w, x, y, z = theory.four_for_diagonal(p)
    return w, x, y, z * p


@control("not_squared", four_for_diagonal=_without_square)
@control("opposite_sign", lower=lambda b: theory.lower(-b))
@proves(GENERATION, "four_shears")
def four_shears(of: Shears) -> Theorem:
    """Entry by entry."""
    return _by_algebra(theory.four_shears(of))


# ---------------------------------------------------------------------- symplectic.three_shears
def _wrong_sign(t: Any) -> Any:
    outer, middle, last = theory.rotation_shears(t)
    return -outer, middle, -last


def _full_tangent(t: Any) -> Any:
    outer, middle, last = theory.rotation_shears(2 * t)
    return outer, theory.sin(t), last


@control("positive_tangent", rotation_shears=_wrong_sign)
@control("tangent_of_the_whole_angle", rotation_shears=_full_tangent)
@control("opposite_turn", rotation=lambda c, s: theory.rotation(c, -s))
@proves(THREE_SHEARS, "rotation_lifted")
def rotation_lifted(of: Shears) -> Theorem:
    """Rational identities in cos and sin of half the angle."""
    return _by_algebra(theory.rotation_lifted(of))


@control(
    "positive_tangent", {"theta": pi / 2, "x": -1, "y": 1, "z": -1}, rotation_shears=_wrong_sign
)
@proves(THREE_SHEARS, "rotation_only")
def rotation_only(of: Shears) -> Theorem:
    """The middle parameter is the lower left entry; the diagonal gives the outer ones."""
    half = node(theory.Eq(theory.cos(theory.theta / 2), 0))
    turning = T.negation(theory.Eq(theory.sin(theory.theta), 0))
    apart = T.conclude_not(prove_contradiction([half, turning]), half)
    statement = node(theory.rotation_only(of))
    premise, goal = T.inner(statement).args
    found = T.discharge(_follows(goal, premise, apart.conclusion), apart)
    return T.generalise(T.implication(found, premise), *T.outer(statement))


@control("mirror_for_rotation", rotation=lambda c, s: theory.ImmutableMatrix([[-c, s], [s, -c]]))
@proves(THREE_SHEARS, "half_turn")
def half_turn(of: Shears) -> Theorem:
    """-I has no off-diagonal entry: the middle shear would be trivial."""
    return _by_algebra(theory.half_turn(of))


def _tangents(m: Any) -> Any:
    t = theory.half_tangent(m)
    return t, theory.sinh(m), t


@control("circular_tangent", boost_shears=_tangents)
@control("rotation_for_boost", boost=theory.rotation)
@proves(THREE_SHEARS, "boost_lifted")
def boost_lifted(of: Shears) -> Theorem:
    """Rational identities in exp(mu / 2), and cosh never vanishes."""
    return _by_algebra(theory.boost_lifted(of))


def _one_sided(a: Any, b: Any) -> Any:
    return theory.lower(b) * theory.upper(a)


@control("one_sided", composed=_one_sided)
@control("without_correction", corner=lambda a, b: b)
@proves(THREE_SHEARS, "lifted_parameters")
def lifted_parameters(of: Shears) -> Theorem:
    """S(a, b) is L(b / 2) U(a) L(b / 2)."""
    return _by_algebra(theory.lifted_parameters(of))
