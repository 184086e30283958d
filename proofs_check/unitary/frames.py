"""Proofs of `theory.unitary.frames`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sympy import Rational

from posproof.proofs_check import language
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.search import (
    prove_by_substitution,
    prove_each,
    prove_identity,
    prove_nonneg,
)
from posproof.theory.unitary import frames as statements
from posproof.theory.unitary.frames import (
    ANTISYMMETRIC_SCORE,
    SENSITIVITY,
    Complex,
    N,
    Number,
    Score,
    Sensitivity,
)
from posproof.theory.vocabulary import (
    Eq,
    Prop,
    control,
    proves,
)

node = T.node


# ---------------------------------------------------------------------- unitary frames
Form = Callable[[Complex, Complex], Any]


def _kept(
    goal: Any, form: Form, pair: tuple[Complex, Complex], isometric: Callable[[Complex], Any]
) -> Theorem:
    """goal, which says form(P A S, P B S) = form(A, B), at a pair A, B.

    First P is taken away, then S: P* P = I and S S* = I rewrite products of two entries.
    """
    P, S, A, B = (statements.matrix(name, pair[0].size) for name in "PSAB")
    left, right = isometric(P), isometric(S.adjoint)
    outer = prove_by_substitution(Eq(form(P @ A, P @ B), form(A, B)), [], left)
    inner = prove_by_substitution(Eq(form(A @ S, B @ S), form(A, B)), [], right)
    names = statements.entries(A, B)
    used = [name for name in names if node(name) in language.free_variables(outer.conclusion)]
    after = dict(zip(names, statements.entries(pair[0] @ S, pair[1] @ S), strict=True))
    before = dict(zip(names, statements.entries(*pair), strict=True))
    outer = T.specialised(outer, used, [after[name] for name in used])
    inner = T.specialised(inner, used, [before[name] for name in used])
    proof = prove_by_substitution(goal, [], [outer.conclusion, inner.conclusion])
    return T.discharge(proof, outer, inner)


def _norm(a: Complex, _: Complex) -> Any:
    return a.squares


def _between(
    statement: Any, form: Form, pair: tuple[Complex, Complex], isometric: Callable[[Complex], Any]
) -> Theorem:
    """One implication of a clause: its premise makes the frames unitary."""
    names, goal = T.unquantified(statement)
    premise, conclusion = goal.args
    proof = T.unpack(_kept(conclusion, form, pair, isometric), premise)
    return T.generalise(T.implication(proof, premise), *names)


def _anticommutator(a: Complex, b: Complex) -> Complex:
    return (a @ b) - Complex(-(b @ a).real, -(b @ a).imag)


def _no_condition(_: Complex) -> tuple[Prop, ...]:
    return (Eq(0, 0),)


def _sum_of(a: Complex, b: Complex) -> Complex:
    return a - Complex(-b.real, -b.imag)


@control("frames_not_unitary", isometric=_no_condition)
@proves(SENSITIVITY, "isometry", "complex n x n matrices, n = 1, 2")
def isometry(of: Sensitivity) -> Theorem:
    """P* P = I and S S* = I, used one after the other."""
    parts = node(statements.isometry(of)).args
    X = [statements.matrix("X", size) for size in (1, 2)]
    return T.both(
        *(_between(part, _norm, (x, x), of.isometric) for part, x in zip(parts, X, strict=True))
    )


UNIT_FRAMES = {"Pr00": 1, "Pr11": 1, "Sr00": 1, "Sr11": 1} | {
    f"{m}{kind}{i}{j}": 0 for m in "PS" for kind, i, j in ("r01", "r10", "i00", "i01", "i10", "i11")
}


@control("anticommutator", UNIT_FRAMES, commutator=_anticommutator)
@proves(SENSITIVITY, "swap", "complex 2 x 2 matrices")
def swap(of: Sensitivity) -> Theorem:
    """P AB S - P BA S = P (AB - BA) S, and unitary frames keep the norm."""
    A, B = statements.matrix("A", 2), statements.matrix("B", 2)
    moved = (A @ B) - (B @ A)
    return _between(statements.swap(of), _norm, (moved, moved), of.isometric)


@control("sum_for_difference", UNIT_FRAMES, difference=_sum_of)
@proves(SENSITIVITY, "replacement", "complex 2 x 2 matrices")
def replacement(of: Sensitivity) -> Theorem:
    """P A S - P B S = P (A - B) S, and unitary frames keep the norm."""
    moved = statements.matrix("A", 2) - statements.matrix("B", 2)
    return _between(statements.replacement(of), _norm, (moved, moved), of.isometric)


# ---------------------------------------------------------------------- unitary.antisymmetric_score
def _real_part(u: Number, v: Number) -> Any:
    return u[0] * v[0] + u[1] * v[1]


def _without_conjugation(u: Number, v: Number) -> Any:
    return u[0] * v[1] + u[1] * v[0]


def _negated(b: Number) -> Number:
    return -b[0], -b[1]


@control("real_part", turn=_real_part)
@proves(ANTISYMMETRIC_SCORE, "antisymmetric")
def antisymmetric(of: Score) -> Theorem:
    """Term by term."""
    return prove_each(statements.antisymmetric(of), prove_identity)


@control(
    "half_the_bound",
    {"n": 1, "u_re": 1, "u_im": 0, "v_re": 0, "v_im": 1},
    ceiling=Rational(1, 2),
)
@proves(ANTISYMMETRIC_SCORE, "bounded")
def bounded(of: Score) -> Theorem:
    """The sums of |u + i v|^2 and |u - i v|^2 are 2 n (1 -+ s)."""
    premise, goal = T.inner(statements.bounded(of)).args
    k = statements.k
    (a, b), (c, d) = statements.entry("u", k), statements.entry("v", k)
    above = statements.total(k, N**2, (a - d) ** 2 + (b + c) ** 2) / (2 * N)
    below = statements.total(k, N**2, (a + d) ** 2 + (b - c) ** 2) / (2 * N)
    low, high = goal.args
    found = T.both(prove_nonneg(low, below, premise.args), prove_nonneg(high, above, premise.args))
    return T.implication(T.unpack(found, premise), premise)


QUARTER_TURN = {
    "Pr00": 0,
    "Pi00": 1,
    "Sr00": 1,
    "Si00": 0,
    "Ar00": 1,
    "Ai00": 0,
    "Br00": 0,
    "Bi00": 1,
}


@control("without_conjugation", QUARTER_TURN, turn=_without_conjugation)
@proves(ANTISYMMETRIC_SCORE, "invariant", "complex n x n matrices, n = 1, 2")
def invariant(of: Score) -> Theorem:
    """tr((P U S)* P V S) = tr(U* V)."""
    parts = node(statements.invariant(of)).args
    pairs = [(statements.matrix("A", size), statements.matrix("B", size)) for size in (1, 2)]
    return T.both(
        *(
            _between(part, of.inner, pair, statements.isometric)
            for part, pair in zip(parts, pairs, strict=True)
        )
    )


@control("corner_not_conjugated", corner=_negated)
@proves(ANTISYMMETRIC_SCORE, "degenerate")
def degenerate(of: Score) -> Theorem:
    """Each term meets its conjugate."""
    return prove_each(statements.degenerate(of), prove_identity)
