"""Stands for the kernel: a proof is a table of points and two sides that must agree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from posproof.theory.vocabulary import Check, Run, Trust


@dataclass(frozen=True)
class Decision:
    outcome: str
    trusts: frozenset[Trust] = frozenset()
    witness: str | None = None
    reason: str = ""
    theorem: Any = None


def decide(check: Check, of: Any, run: Run, point: Mapping[str, Any] | None = None) -> Decision:
    """Compare the two sides at every point of the table that the check returns."""
    table, trusts = check.run(of)
    for x, left, right in table:
        if left != right:
            return Decision("refuted", witness=f"x = {x}: {left} is not {right}")
    return Decision("holds", frozenset(trusts), theorem=table)
