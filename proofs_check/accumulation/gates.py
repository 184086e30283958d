"""Proofs of `theory.accumulation.gates`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy
from sympy import exp

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Node
from posproof.proofs_check.search import (
    prove_by_substitution,
    prove_identity,
    prove_nonneg,
    prove_order,
)
from posproof.theory.accumulation import gates as statements
from posproof.theory.accumulation.gates import (
    GATED_ROTATIONS,
    Gates,
    L,
    cells,
    i,
    j,
    k,
    log_gate,
    n,
)
from posproof.theory.symbols import Variable
from posproof.theory.vocabulary import And, Eq, Int, Le, Lt, control, proves

node = T.node
at = Variable("at", Int(0))


# ---------------------------------------------------------------------- controls
def _other_sense(x: Any) -> sympy.ImmutableMatrix:
    """A reflection: the signs of a rotation, one of them changed."""
    return statements.rotation(x) * sympy.ImmutableMatrix([[1, 0], [0, -1]])


#: Two steps with gate 1 and angle 0 of the reflection diag(1, -1).
TWO_STEPS = {"n": 2, "lambda": (0, 0), "theta": (0, 0), "P00": (1, 1, 1), "P01": (0, 0, 0)}
TWO_STEPS |= {"P10": (0, 0, 0), "P11": (1, -1, 1)}


# ---------------------------------------------------------------------- gated rotations
@control("reflections", TWO_STEPS, rotation=_other_sense)
@proves(GATED_ROTATIONS, "polar")
def polar(of: Gates) -> Theorem:
    """Induction: rotations add their angles and gates their logarithms."""

    names, goal = T.unquantified(statements.polar(of))
    premise, conclusion = goal.args
    *start, grows = premise.args

    def first(claim: Node) -> Theorem:
        return T.both(*(prove_identity(part, start) for part in claim.args))

    def later(claim: Node, told: Sequence[Theorem]) -> Theorem:
        facts = [*(fact.conclusion for fact in told), *here.args]
        return T.both(*(prove_by_substitution(part, facts) for part in claim.args))

    here = T.instance(conclusion, n, at)
    proof = T.recursion(at, here, n, grows, first, later)
    return T.generalise(T.implication(T.unpack(proof, premise), premise), *names)


@control("reflections", rotation=_other_sense)
@proves(GATED_ROTATIONS, "cocycle")
def cocycle(of: Gates) -> Theorem:
    """The addition theorems of exp, cos and sin."""
    names, goal = T.unquantified(statements.cocycle(of))
    return T.generalise(T.both(*(prove_identity(part) for part in goal.args)), *names)


def _equal_halves(square: Theorem, a: Any, b: Any) -> Theorem:
    """a = b for visibly positive a and b with equal squares."""
    apart = prove_nonneg(Lt(0, a + b), a + b)
    nonzero = T.conclude_not(T.contradict([Eq(a + b, 0), apart.conclusion]), Eq(a + b, 0))
    found = prove_identity(Eq(a, b), [square.conclusion, nonzero.conclusion])
    return T.discharge(found, square, T.discharge(nonzero, apart))


def _angles_repeat(k: Any) -> tuple[Any, ...]:
    return statements.repeats(k)[1:]


@control("gates_may_vary", {"L": 2, "lambda": (0, 1), "theta": (0, 0)}, repeats=_angles_repeat)
@proves(GATED_ROTATIONS, "equivariance")
def equivariance(of: Gates) -> Theorem:
    """One way take a single step; the other, move both ends by one step and induct."""
    relative, constant = T.unquantified(statements.equivariance(of))[1].args
    return T.generalise(
        T.iff(relative, constant, _single_steps(relative), _moved_ends(of, constant)), L
    )


def _single_steps(relative: Node) -> Theorem:
    """The transport over the step out of k is that over the first step."""
    inside = Lt(k, L)
    close = T.one_apart(k, L)
    bounds = [
        T.discharge(prove_order(goal, [close.conclusion]), close)
        for goal in (Le(k, L), Le(1 + k, L), Le(k, L))
    ]
    steps = T.assume(relative)
    for value, bound in zip((k, 1, 0), bounds, strict=True):
        steps = T.apply(steps, [value])
        wanted = steps.conclusion.args[0]
        steps = kernel.modus(steps, T.discharge(prove_order(wanted, [bound.conclusion]), bound))
    cosine, _, sine, _ = (fact.conclusion for fact in T.parts(steps))
    here, first = exp(log_gate(k)), exp(log_gate(0))
    squares = prove_identity(Eq(here**2, first**2), [cosine, sine])
    gate = _equal_halves(squares, here, first)
    goals = node(And(*statements.repeats(k)[1:])).args
    turned = [
        prove_identity(goal, [gate.conclusion, sine if index in (1, 2) else cosine])
        for index, goal in enumerate(goals)
    ]
    proof = T.discharge(T.both(gate, *turned), gate, *T.parts(steps))
    return T.generalise(T.implication(proof, inside), k)


def _moved_ends(of: Gates, constant: Node) -> Theorem:
    """Gates and angles of one step more at either end are the same, so they cancel."""
    claim = node(And(*cells(of.transport(i + n, j + n), of.transport(i, j))))
    within = And(Le(i + n, L), Le(j + n, L))
    more = T.instance(within, n, node(n) + 1)
    known = []
    for place, bound in zip((i, j), more.args, strict=True):
        step = T.apply(T.assume(constant), [place + n])
        known += T.parts(kernel.modus(step, prove_order(step.conclusion.args[0], [bound])))
    kept = node(within)
    reached = [prove_order(part, [bound]) for part, bound in zip(kept.args, more.args, strict=True)]
    here = T.parts(kernel.modus(T.assume(T.implies(within, claim)), T.both(*reached)))
    atoms = {fact.conclusion: fact for fact in known if fact.conclusion.args[0].head != "mul"}
    after = T.instance(claim, n, node(n) + 1)
    step = T.both(
        *(
            prove_by_substitution(part, list(atoms), [fact.conclusion for fact in here])
            for part in after.args
        )
    )
    step = T.implication(T.unpack(T.discharge(step, *known, *here), more), more)
    base = T.both(*(prove_identity(part) for part in T.instance(claim, n, 0).args))
    base = T.implication(base, T.instance(within, n, 0))
    whole = kernel.induct(node(n), T.implies(within, claim), base, step)
    ends = kernel.modus(whole, T.both(T.assume(Le(i + n, L)), T.assume(Le(j + n, L))))
    for place in (j, i):
        ends = T.generalise(T.implication(ends, Le(place + n, L)), place)
    return T.generalise(T.implication(kernel.weaken(ends, [node(Le(n, L))]), Le(n, L)), n)


@control("bias", gated=lambda log_gate, score: log_gate + score)
@proves(GATED_ROTATIONS, "common_gate")
def common_gate(of: Gates) -> Theorem:
    """A sum is linear."""
    names, goal = T.unquantified(statements.common_gate(of))
    return T.generalise(T.both(*(prove_identity(part) for part in goal.args)), *names)


@control("logit_zero", logit=0)
@proves(GATED_ROTATIONS, "gate_is_no_bias")
def gate_is_no_bias(of: Gates) -> Theorem:
    """e^x = (e^(x/2))^2 > 1 + x for x = g - 1, which is not 0."""
    names, goal = T.unquantified(statements.gate_is_no_bias(of))
    other, more = goal.args
    g = node(statements.gate)
    line = kernel.instantiate(kernel.meaning("exponential_above_line"), (g - 1) / 2)
    high = line.conclusion.args[1]
    form = T.exp(T.num(1)) * (T.margin(line.conclusion) * (high + (g + 1) / 2) + (g - 1) ** 2 / 4)
    proof = T.discharge(prove_nonneg(more, form, [other, line.conclusion]), line)
    return T.generalise(T.implication(proof, other), *names)


@control("sum_for_difference", frequency=lambda q, k: q + k)
@control("unscaled_frequencies", gaussian_mean=lambda square: exp(-square))
@proves(GATED_ROTATIONS, "softmax")
def softmax(of: Gates) -> Theorem:
    """q . k is half of |q|^2 + |k|^2 - |q - k|^2."""
    names, goal = T.unquantified(statements.softmax(of))
    return T.generalise(prove_identity(goal), *names)


@control("unscaled_frequencies", gaussian_mean=lambda square: exp(-square))
@proves(GATED_ROTATIONS, "variance")
def variance(of: Gates) -> Theorem:
    """g(4 X) = g(X)^4."""
    names, goal = T.unquantified(statements.variance(of))
    return T.generalise(prove_identity(goal), *names)
