"""Proofs of `theory.journey.certifier`: one function a clause, named after it."""

from __future__ import annotations

from sympy import ImmutableMatrix as Matrix

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.journey.uniqueness import reflection
from posproof.proofs_check.kernel import Theorem
from posproof.theory.journey import certifier as statements
from posproof.theory.journey.certifier import CERTIFIER, Certifier
from posproof.theory.vocabulary import control, proves

node = T.node


@control("layout_taken_for_the_other", half_split=statements.interleaved)
@proves(CERTIFIER, "correct", "two planes, positions 0, 1, 4")
def correct(of: Certifier) -> Theorem:
    """Products of rational matrices, compared entry by entry."""
    return kernel.ground(node(T.stated(CERTIFIER, "correct", of)))


@control("sign_repaired", opposite_sign=statements.interleaved)
@control("one_layout", mixed_layouts=statements.half_split)
@proves(CERTIFIER, "wrong_turns", "two planes, positions 0, 1, 4")
def wrong_turns(of: Certifier) -> Theorem:
    """Products of rational matrices, compared entry by entry."""
    return kernel.ground(node(T.stated(CERTIFIER, "wrong_turns", of)))


@control("counted_alike", off_by_one=statements.interleaved)
@control("not_clipped", clipped=statements.interleaved)
@proves(CERTIFIER, "wrong_positions", "two planes, positions 0, 1, 4")
def wrong_positions(of: Certifier) -> Theorem:
    """Products of rational matrices, compared entry by entry."""
    return kernel.ground(node(T.stated(CERTIFIER, "wrong_positions", of)))


@control("not_scaled", scaled=statements.interleaved)
@control("not_damped", decayed=statements.interleaved)
@proves(CERTIFIER, "linear_variants", "two planes, positions 0, 1, 4")
def linear_variants(of: Certifier) -> Theorem:
    """Products of rational matrices, compared entry by entry."""
    return kernel.ground(node(T.stated(CERTIFIER, "linear_variants", of)))


@control("no_bias", linear_bias=statements.as_score(statements.interleaved))
@control("lengths_kept", normalised=statements.as_score(statements.interleaved))
@proves(CERTIFIER, "other_variants", "two planes, positions 0, 1, 4")
def other_variants(of: Certifier) -> Theorem:
    """Products of rational matrices, compared entry by entry."""
    return kernel.ground(node(T.stated(CERTIFIER, "other_variants", of)))


def _off_by_two(i: int, j: int) -> Matrix:
    return statements.interleaved(i + 2, j)


@control("off_by_two", off_by_one=_off_by_two)
@proves(CERTIFIER, "implementations", "one value of each")
def implementations(of: Certifier) -> Theorem:
    """Powers of rational matrices."""
    return kernel.ground(node(T.stated(CERTIFIER, "implementations", of)))


@control("reflection_for_rotation", rotation=reflection)
@proves(CERTIFIER, "shifted_query")
def shifted_query(of: Certifier) -> Theorem:
    """2 - 2 cos phi = 4 sin^2(phi / 2)."""
    return T.prove_tree(T.stated(CERTIFIER, "shifted_query", of))
