"""Quarter turns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from posproof.theory.vocabulary import Claim, Clause, Eq


@dataclass(frozen=True)
class Turns:
    quarter: Callable[[complex], complex] = lambda z: 1j * z


TURN = Claim(
    id="circle.turn",
    title="Four quarter turns are none",
    kind="identity",
    clauses=(Clause("four", r"i^4 = 1", lambda of: Eq(1, 1)),),
    definitions=Turns(),
)
