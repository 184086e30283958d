"""Proofs of `theory.mobius.alternatives`: one function a clause, named after it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sympy
from sympy import cos, pi, sin

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Node, num, substitute
from posproof.proofs_check.search import (
    prove_by_induction,
    prove_each,
    prove_identity,
    prove_nonneg,
    prove_order,
)
from posproof.theory.mobius.alternatives import (
    ALGEBRAIC_LADDERS,
    APERIODIC_DISTANCE,
    DECIMAL_BASES,
    PERIODIC_CONTROL,
    Alternatives,
    D,
    N,
    m,
    omega,
)
from posproof.theory.mobius.ladder import frequency
from posproof.theory.symbols import Variable, variables
from posproof.theory.vocabulary import (
    And,
    Eq,
    Exists,
    Int,
    Integer,
    Le,
    Lt,
    Ne,
    Or,
    Positive,
    Real,
    control,
    proves,
)

count = Variable("m", Int(0))
half = Variable("h", Int(1))
a, y, phi, theta = variables("a y phi theta", Real)
j, k, offset, p = variables("j k E p", Integer)
epsilon, root, scale = variables("epsilon rho theta", Positive)


def _clause(claim: Any, name: str, of: Alternatives) -> Node:
    """The clause without its outer quantifiers."""
    goal = T.node(claim.clause(name).statement(of))
    while goal.head == "forall":
        goal = goal.args[1]
    return goal


# ---------------------------------------------------------------------- mobius.periodic_control
def _mobius(i: Any, N: Any, shift: int) -> Any:
    return frequency(i, N)


def _other_middle(m: Any, N: Any, D: Any, shift: int) -> Any:
    middle = pi * (m + 2 * shift) * D / N
    return cos(middle) * sin(pi * m * D / N) / sin(pi * D / N)


def _telescoped(of: Alternatives, shift: int) -> Theorem:
    """sin(x) K(D) = cos((m - 1 + 2 o) x) sin(m x) with x = pi D / N, for every m >= 1."""
    x = pi * D / N
    kernel_sum = of.periodic_kernel(count, N, D, shift)
    cleared = Eq(sin(x) * kernel_sum, cos((count - 1 + 2 * shift) * x) * sin(count * x))
    return kernel.specialise(prove_by_induction(count, cleared), {T.node(count): T.node(m)})


@control("mobius_ladder", periodic_frequency=_mobius)
@control("other_middle", closed_periodic=_other_middle)
@proves(PERIODIC_CONTROL, "periodic_closed_form")
def periodic_closed_form(of: Alternatives) -> Theorem:
    """The sum telescopes after multiplication by sin(pi D / N); then divide."""
    premise, goal = _clause(PERIODIC_CONTROL, "periodic_closed_form", of).args

    def divided(part: Node, shift: int) -> Theorem:
        cleared = _telescoped(of, shift)
        return T.discharge(prove_identity(part, [premise, cleared.conclusion]), cleared)

    return T.implication(T.both(divided(goal.args[0], 0), divided(goal.args[1], 1)), premise)


@control("mobius_ladder", periodic_frequency=_mobius)
@proves(PERIODIC_CONTROL, "periodic_second_form")
def periodic_second_form(of: Alternatives) -> Theorem:
    """2 cos((m + 1) x) sin(m x) = sin((2 m + 1) x) - sin(x)."""
    premise, goal = _clause(PERIODIC_CONTROL, "periodic_second_form", of).args
    cleared = _telescoped(of, 1)
    divided = T.discharge(prove_identity(goal, [premise, cleared.conclusion]), cleared)
    return T.implication(divided, premise)


_AT_ZERO = {"m": 1, "N": 1, "D": 0}


@control("mobius_ladder", periodic_frequency=_mobius)
@control("mobius_symmetry", _AT_ZERO, end_sign=-1)
@proves(PERIODIC_CONTROL, "periodic_symmetries")
def periodic_symmetries(of: Alternatives) -> Theorem:
    """Whole turns do not change a cosine, and the cosine is even."""
    parts = _clause(PERIODIC_CONTROL, "periodic_symmetries", of).args
    return T.both(*(prove_each(part, prove_identity) for part in parts))


@control("mobius_ladder", periodic_frequency=_mobius)
@proves(PERIODIC_CONTROL, "periodic_holonomy")
def periodic_holonomy(of: Alternatives) -> Theorem:
    """The phase is an even multiple of pi."""
    return prove_each(_clause(PERIODIC_CONTROL, "periodic_holonomy", of), prove_identity)


@control("no_half_bin", frequency=lambda i, N: 2 * pi * i / N)
@proves(PERIODIC_CONTROL, "half_bin")
def half_bin(of: Alternatives) -> Theorem:
    """pi (2 i + 1) D / N = pi D / N + 2 pi i D / N."""
    return prove_identity(_clause(PERIODIC_CONTROL, "half_bin", of))


# ---------------------------------------------------------------------- mobius.algebraic_ladders
