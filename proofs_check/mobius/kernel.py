"""Proofs of `theory.mobius.kernel`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sympy import pi, sin

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.search import prove_by_induction
from posproof.theory.mobius.kernel import D, N, m, m0
from posproof.theory.vocabulary import Eq


def telescoped(of_kernel: Callable[[Any, Any, Any], Any]) -> Theorem:
    """2 sin(x) K(D) = sin(2 m x) with x = pi D / N, for every m >= 1: the sum telescopes."""
    x = pi * D / N
    cleared = Eq(2 * sin(x) * of_kernel(m0, N, D), sin(2 * m0 * x))
    return kernel.specialise(prove_by_induction(m0, cleared), {T.node(m0): T.node(m)})
