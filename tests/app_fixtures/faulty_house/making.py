"""Makes the one-clause claims that the faulty subjects need."""

from __future__ import annotations

from dataclasses import dataclass

from posproof.theory.vocabulary import Claim, Clause, Eq


@dataclass(frozen=True)
class Number:
    value: int = 1


def claim(claim_id: str, *clauses: str, depends: tuple[str, ...] = ()) -> Claim:
    """A claim whose clauses all say that the number is 1."""
    made = tuple(Clause(name, "x = 1", lambda of: Eq(of.value, 1)) for name in clauses or ("one",))
    return Claim(claim_id, f"About {claim_id}", "identity", made, Number(), depends=depends)
