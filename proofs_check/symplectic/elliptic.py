"""Proofs of `theory.symplectic.elliptic`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import sympy
from sympy import ImmutableMatrix, log, sqrt

from posproof.proofs_check import kernel, language
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import FALSUM, Node, num
from posproof.proofs_check.search import prove_identity, prove_nonneg, prove_same
from posproof.proofs_check.symplectic.powers import named_instead, norm_is, stretch_at
from posproof.theory.symplectic import elliptic as statements
from posproof.theory.symplectic.elliptic import (
    ELLIPTIC_BRANCH,
    Elliptic,
    n,
    p,
    q,
    r,
    s,
    theta,
    x,
    y,
)
from posproof.theory.symplectic.powers import sigma
from posproof.theory.symplectic.shears import rotation
from posproof.theory.vocabulary import control, proves

node = T.node


# ---------------------------------------------------------------------- symplectic.elliptic_branch
def _both_ways(statement: Any, prove: Callable[[int, Node, Node], Theorem]) -> Theorem:
    """For r > 0 and r < 0, from `prove(sign, premise, goal)` under parts of the premise."""
    parts = []
    for sign, part in zip((1, -1), node(statement).args, strict=True):
        premise, goal = T.inner(part).args
        proof = T.unpack(prove(sign, premise, goal), premise)
        parts.append(T.generalise(T.implication(proof, premise), *T.outer(part)))
    return T.both(*parts)


def _basics(premise: Node, sign: int) -> list[Theorem]:
    """r x + s = cos, r x = p - cos, r y = +- sin and q = -r (x^2 + y^2), from the definitions."""
    det, trace, side, shift, height = premise.args
    P, Q, R, S, X, Y = (node(z) for z in (p, q, r, s, x, y))
    cosine, sine = language.cos(node(theta)), language.sin(node(theta))
    zero = language.Eq(R, num(0))
    apart = T.conclude_not(prove_nonneg(FALSUM, T.margin(side), [zero, side]), zero)
    fact = apart.conclusion
    doubled = T.discharge(prove_identity(language.Eq(2 * R * X, P - S), [shift, fact]), apart)
    known = doubled.conclusion
    lower = prove_identity(language.Eq(R * X + S, cosine), [known, trace])
    upper = prove_identity(language.Eq(P - R * X, cosine), [known, trace])
    high = prove_identity(language.Eq(R * Y, num(sign) * sine), [height])
    facts = [lower.conclusion, upper.conclusion, high.conclusion, det, fact]
    corner = prove_identity(language.Eq(Q, num(0) - R * (X**2 + Y**2)), facts)
    found = [T.discharge(lower, doubled), T.discharge(upper, doubled), high]
    return [*found, T.discharge(T.discharge(corner, *found), apart)]


#: A quarter turn with y = 4, and the point below that turns the other way.
QUARTER = {"p": 0, "q": -4, "r": Fraction(1, 4), "s": 0, "theta": sympy.pi / 2, "x": 0, "y": 4}
LOWER = QUARTER | {"theta": -sympy.pi / 2}


@control("lower_half_plane", LOWER, height=lambda y, r: -y * r)
@control("turned_back", QUARTER, rotation=lambda c, s: rotation(c, -s))
@proves(ELLIPTIC_BRANCH, "conjugation", "all elliptic matrices, both signs of r")
def conjugation(of: Elliptic) -> Theorem:
    """M N' = N' R for N' = [[y, x], [0, 1]]."""

    def prove(sign: int, premise: Node, goal: Node) -> Theorem:
        lemmas = _basics(premise, sign)
        facts = [lemma.conclusion for lemma in lemmas]
        turned, inverse, det = goal.args
        proof = T.both(prove_identity(turned, facts), prove_identity(inverse), prove_identity(det))
        return T.discharge(proof, *lemmas)

    return _both_ways(statements.conjugation(of), prove)


DIAGONAL = QUARTER | {"n1": 2, "n2": 0, "n3": 0, "n4": Fraction(1, 2)}


@control("height_forgotten", DIAGONAL, change_back=lambda x, y: ImmutableMatrix([[1, -x], [0, 1]]))
@proves(ELLIPTIC_BRANCH, "uniqueness", "all elliptic matrices, all N'")
def uniqueness(of: Elliptic) -> Theorem:
    """The lower row of M N' = N' R gives the upper row of N' from its lower one."""

    def prove(sign: int, premise: Node, goal: Node) -> Theorem:
        given, found = goal.args
        same, det = given.args
        lemmas = _basics(premise, sign)
        lower, _, high, _ = (lemma.conclusion for lemma in lemmas)
        Y, X = node(y), node(x)
        n1, n2, n3, n4 = (node(z) for z in statements.OTHER)
        side = premise.args[2]
        zero = language.Eq(node(r), num(0))
        apart = T.conclude_not(prove_nonneg(FALSUM, T.margin(side), [zero, side]), zero)
        columns = []
        values = (X * n3 + Y * n4, X * n4 - Y * n3)
        for entry, value, row in zip((n1, n2), values, _rows(same)[2:], strict=True):
            known = [row, lower, high, apart.conclusion]
            columns.append(prove_identity(language.Eq(entry, value), known))
        facts = [det, *(column.conclusion for column in columns)]
        proof = T.both(*(prove_identity(part, facts) for part in found.args))
        proof = T.discharge(T.discharge(proof, *columns), *lemmas, apart)
        proof = T.discharge(proof, *(prove_same(row, same) for row in _rows(same)))
        return T.implication(T.unpack(proof, given), given)

    return _both_ways(statements.uniqueness(of), prove)


def _rows(equation: Node) -> list[Node]:
    """The four scalar equations of a matrix equation."""
    left, right = (side.args[1:] for side in equation.args)
    return [language.Eq(a, b) for a, b in zip(left, right, strict=True)]


@control("centre_shifted", QUARTER | {"x": 1}, shift=lambda p, r, s: (p - s) / (2 * r) + 1)
@proves(ELLIPTIC_BRANCH, "fixed_point", "all elliptic matrices")
def fixed_point(of: Elliptic) -> Theorem:
    """q = -r (x^2 + y^2) and p - s = 2 r x."""

    def prove(sign: int, premise: Node, goal: Node) -> Theorem:
        lemmas = _basics(premise, sign)
        facts = [lemma.conclusion for lemma in lemmas]
        return T.discharge(T.both(*(prove_identity(part, facts) for part in goal.args)), *lemmas)

    return _both_ways(statements.fixed_point(of), prove)


def _change_norm(statement: Node, given: Sequence[Node]) -> Theorem:
    """The norm of N or of its inverse is exp(d / 2)."""
    named, valued = T.inner(statement).args[0].args
    half = language.exp(node(statements.d) / 2)
    value, small = valued.args[1], 1 / half
    positive = prove_nonneg(language.Le(num(0), value), half)
    wide = language.sinh(node(statements.d))
    order = prove_nonneg(language.Le(small**2, value**2), 2 * wide, given)
    told = [kernel.assume(given[1])]
    return norm_is(statement, named.args[1].args[1:], small, order, positive, [], told)


HIGH = {"x": 0, "y": 4, "d": log(4), "sigma": language.exp(node(log(4)) / 2)}
HIGH |= {"M11": 4, "M12": 0, "M21": 0, "M22": 1, "v1": 1, "v2": 0}


@control("height_forgotten", HIGH, change=lambda x, y: ImmutableMatrix([[y, x], [0, 1]]))
@proves(ELLIPTIC_BRANCH, "condition_number", "all x, y > 0")
def condition_number(of: Elliptic) -> Theorem:
    """|N|_F^2 = (x^2 + y^2 + 1) / y = 2 cosh d."""
    statement = statements.condition_number(of)
    premise, goal = T.inner(statement).args
    proof = T.both(*(_change_norm(part, premise.args) for part in goal.args))
    proof = T.unpack(proof, premise)
    return T.generalise(T.implication(proof, premise), *T.outer(statement))


@control("sine_doubled", QUARTER | {"n": 1}, rotation=lambda c, s: rotation(c, 2 * s))
@proves(ELLIPTIC_BRANCH, "powers_are_rotations", "all elliptic matrices, all n")
def powers_are_rotations(of: Elliptic) -> Theorem:
    """One rotation after another, between N and its inverse."""

    def prove(sign: int, premise: Node, goal: Node) -> Theorem:
        equal, score, last = goal.args
        power, closed = equal.args
        at = node(n)
        lemmas = _basics(premise, sign)
        facts = [lemma.conclusion for lemma in lemmas]
        claims = _rows_of_power(power, closed)
        step = _rotated_once(power, closed, claims, facts, at, sign)
        start = [prove_identity(language.substitute(c, {at: num(0)})) for c in claims]
        whole = language.And(*claims)
        reached = kernel.induct(
            at, whole, T.both(*start), T.unpack(T.discharge(T.both(*step), *lemmas), whole)
        )
        entries = T.parts(reached)
        first = T.discharge(prove_identity(equal, claims), *entries)

        names, told = T.inner(score).args[0], T.inner(score).args[1]
        named = [
            T.discharge(prove_identity(language.Eq(entry, cell), [names, claim.conclusion]), claim)
            for entry, cell, claim in zip(
                names.args[0].args[1:], closed.args[1:], entries, strict=True
            )
        ]
        known = [x.conclusion for x in named]
        mapped = T.discharge(prove_identity(told, known), *named)
        second = T.generalise(T.implication(mapped, names), *T.outer(score))
        away, limit = last.args
        third = T.implication(
            T.unpack(_bounded(of, limit, away, closed, entries, sign), away), away
        )
        return T.both(first, second, third)

    return _both_ways(statements.powers_are_rotations(of), prove)


def _rows_of_power(power: Node, closed: Node) -> list[Node]:
    places = [(i, j) for i in range(2) for j in range(2)]
    return [
        language.Eq(language.entry(power, i, j), cell)
        for (i, j), cell in zip(places, closed.args[1:], strict=True)
    ]


def _rotated_once(
    power: Node, closed: Node, claims: Sequence[Node], facts: Sequence[Node], at: Node, sign: int
) -> list[Theorem]:
    """Each entry after one more multiplication."""
    base = power.args[0]
    rows = [base.args[1:3], base.args[3:5]]
    cells = closed.args[1:]
    after = language.matrix_power(base, at + 1)
    found = []
    for i, row in enumerate(rows):
        for j in range(2):
            product = row[0] * cells[j] + row[1] * cells[2 + j]
            unfolded = prove_identity(
                language.Eq(language.entry(after, i, j), product), [claims[j], claims[2 + j]]
            )
            later = language.substitute(cells[2 * i + j], {at: at + 1})
            same = prove_identity(language.Eq(later, product), facts)
            hole = T.real("hole")
            pattern = language.Eq(unfolded.conclusion.args[0], hole)
            found.append(
                T.discharge(kernel.leibniz(unfolded, pattern, hole, same.conclusion), same)
            )
    return found


def _bounded(
    of: Elliptic, limit: Node, away: Node, closed: Node, entries: Sequence[Theorem], sign: int
) -> Theorem:
    """|N R N^-1 v|^2 <= e^d |R N^-1 v|^2 = e^d |N^-1 v|^2 <= e^2d |v|^2."""
    names, bound = T.inner(limit).args
    positive, under = bound.args
    vector, less = T.outer(under), T.inner(under)
    half = language.exp(node(statements.d) / 2)
    wide = language.sinh(node(statements.d))
    order = prove_nonneg(language.Le((1 / half) ** 2, half**2), 2 * wide, away.args)
    long = prove_nonneg(language.Le(num(0), half), half)
    told = [kernel.assume(away.args[1])]
    below = []
    for matrix in (of.change(x, y), of.change_back(x, y)):
        cells = node(matrix).args[1:]
        below.append(T.parts(stretch_at(cells, half, 1 / half, order, long, told))[1])
    angle = node(n) * node(theta)
    c, s_ = language.cos(angle), num(sign) * language.sin(angle)
    root, X = node(sqrt(y)), node(x)
    inner = (vector[0] / root - X / root * vector[1], root * vector[1])
    middle = (c * inner[0] - s_ * inner[1], s_ * inner[0] + c * inner[1])
    outer = T.apply(below[0], middle)
    last = T.apply(below[1], vector)
    top = language.exp(node(statements.d))
    cells = closed.args[1:]
    places = dict(zip((node(z) for z in statements.ENTRIES), cells, strict=True))
    size = node(sigma)
    goal = language.substitute(less, {**places, size: top})
    facts = [outer.conclusion, last.conclusion]
    form = T.margin(facts[0]) + half**2 * T.margin(facts[1])
    proof = T.discharge(prove_nonneg(goal, form, facts), outer, last)
    whole = T.both(prove_nonneg(language.Le(num(0), top), top), T.generalise(proof, *vector))
    whole = named_instead(whole, bound, names, cells, entries)
    return T.generalise(T.implication(T.unpack(whole, names), names), *T.outer(limit))


@control(
    "tangent_of_the_angle",
    {"theta": sympy.pi / 2},
    composed=lambda a, b: statements.composed(a, 2 * b),
)
@proves(ELLIPTIC_BRANCH, "rotations_among_shears", "all theta that are not odd multiples of pi")
def rotations_among_shears(of: Elliptic) -> Theorem:
    """Half angles."""
    statement = statements.rotations_among_shears(of)
    premise, goal = T.inner(statement).args
    proof = T.implication(prove_identity(goal, [premise]), premise)
    return T.generalise(proof, *T.outer(statement))
