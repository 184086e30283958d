"""Deciding one exact check: prove the clause, or find a point where it fails.

Main definitions
----------------
decide     the outcome of an exact check on given definitions
Decision   outcome, what it rests on, witness, theorem
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from posproof.proofs_check.kernel import Rejected, Theorem, establishes, refute
from posproof.proofs_check.render import point_text
from posproof.proofs_check.search import Undecided, counterexample
from posproof.proofs_check.translate import node
from posproof.theory.vocabulary import Check, Informal, Outcome, Run, Trust


@dataclass(frozen=True)
class Decision:
    """What deciding returned; `theorem` is the clause, or its negation when refuted."""

    outcome: Outcome
    trusts: frozenset[Trust] = frozenset()
    witness: str | None = None
    reason: str = ""
    theorem: Theorem | None = None


def decide(
    check: Check, of: Any, run: Run | None = None, point: Mapping[str, Any] | None = None
) -> Decision:
    """Prove the clause stated with `of`; where that fails look for a counterexample.

    `point` (names to values) is tried first.
    """
    stated = check.claim.clause(check.clause).statement(of)
    if isinstance(stated, Informal):
        raise TypeError(f"{check.id} claims to prove an informal clause")
    statement = node(stated)
    try:
        theorem: Theorem = check.run(of)
    except (Undecided, Rejected) as reason:
        found = counterexample(statement, point, seed=run.seed if run else 0)
        if found is None:
            return Decision("undecided", reason=str(reason))
        return Decision("refuted", witness=point_text(found), theorem=refute(statement, found))
    if not establishes(theorem, statement):
        return Decision("undecided", reason="the theorem says something else", theorem=theorem)
    return Decision("holds", theorem.trusts, theorem=theorem)
