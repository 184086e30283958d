"""Real numbers told by a square or a product: which are equal, and which are 0.

Main definitions
----------------
equal_squares    s^2 = t^2 gives s = t for s, t >= 0
null_square      s^2 <= 0 gives s = 0
null_product     s t = 0 gives s = 0 or t = 0

Conventions
-----------
Lemmas are universal implications; `T.apply` uses them.
"""

from __future__ import annotations

from functools import lru_cache

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Eq, Le, Lt, Ne, Or, Real, num, variable
from posproof.proofs_check.search import prove_identity, prove_nonneg

_s, _t = variable("s", Real), variable("t", Real)


@lru_cache
def equal_squares() -> Theorem:
    """for all s, t >= 0: s^2 = t^2 => s = t."""
    given = [Le(num(0), _s), Le(num(0), _t), Eq(_s**2, _t**2)]
    below = T.ex_falso(T.contradict([Lt(_s, _t), *given]), Eq(_s, _t))
    above = T.ex_falso(T.contradict([Lt(_t, _s), *given]), Eq(_s, _t))
    equal = kernel.antisymmetry(kernel.assume(Le(_s, _t)), kernel.assume(Le(_t, _s)))
    proof = T.compare(_s, _t, below, T.compare(_t, _s, above, equal))
    return T.generalise(T.implication(proof, *given), _s, _t)


@lru_cache
def null_square() -> Theorem:
    """for all s: s^2 <= 0 => s = 0."""
    given = Le(_s**2, num(0))
    none = kernel.antisymmetry(kernel.assume(given), prove_nonneg(Le(num(0), _s**2), _s**2))
    zero = Eq(_s, num(0))
    other = T.discharge(prove_identity(zero, [Eq(_s**2, num(0)), Ne(_s, num(0))]), none)
    proof = T.split(zero, kernel.assume(zero), other)
    return T.generalise(T.implication(proof, given), _s)


@lru_cache
def null_product() -> Theorem:
    """for all s, t: s t = 0 => s = 0 or t = 0."""
    given, first, second = Eq(_s * _t, num(0)), Eq(_s, num(0)), Eq(_t, num(0))
    goal = Or(first, second)
    other = T.alternative(prove_identity(second, [given, Ne(_s, num(0))]), goal)
    proof = T.split(first, T.alternative(kernel.assume(first), goal), other)
    return T.generalise(T.implication(proof, given), _s, _t)
