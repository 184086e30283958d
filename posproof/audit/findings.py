"""What an audit says: findings, and the verdict they add up to.

Main definitions
----------------
Finding    one thing an invariant found, with the smallest input that shows it
Row        one invariant: its findings, or none
Report     every row of a target, the verdict and the exit code
fault, by_design, precondition    make findings

Conventions
-----------
Four verdicts.  `fault`: a value is wrong.  `precondition`: the input is not what the claim needs.
`by-design`: the rule itself breaks the property, and `reason` says so.  `clean`: nothing was found.
A report takes the first of these that occurs.  Numbers are text, as they were computed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

VERDICTS = ("fault", "precondition", "by-design", "clean")
SCHEMA = 1


@dataclass(frozen=True)
class Finding:
    """`given` is the input, `observed` and `right` the values, `bound` what may separate them.

    `claim` is the id of the claim that a fault breaks, empty where no claim of ours states it.
    """

    verdict: str
    reason: str
    given: str = ""
    observed: str = ""
    right: str = ""
    bound: str = ""
    claim: str = ""

    def lines(self) -> list[str]:
        """The finding as it is printed, one fact a line."""
        facts = {
            "input": self.given,
            "observed": self.observed,
            "right": self.right,
            "bound": self.bound,
            "claim": self.claim,
        }
        return [self.reason, *(f"{name}: {value}" for name, value in facts.items() if value)]


def fault(
    reason: str,
    *,
    given: Any = "",
    observed: Any = "",
    right: Any = "",
    bound: Any = "",
    claim: str = "",
) -> Finding:
    """A wrong value; numbers are printed with as many digits as tell them apart.

    The claim is that of the invariant unless told.
    """
    seen, found, wanted, limit = (_shown(value) for value in (given, observed, right, bound))
    return Finding("fault", reason, seen, found, wanted, limit, claim)


def by_design(reason: str, *, given: Any = "", observed: Any = "", right: Any = "") -> Finding:
    """A property that the encoding's own rule breaks."""
    return Finding("by-design", reason, _shown(given), _shown(observed), _shown(right))


def precondition(reason: str, *, given: Any = "") -> Finding:
    """Something a claim needs and the input does not have."""
    return Finding("precondition", reason, _shown(given))


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return value
    if hasattr(value, "str"):  # a ball
        return str(value.str(20, radius=False))
    return repr(
        value.item() if hasattr(value, "item") and getattr(value, "size", 1) == 1 else value
    )


@dataclass(frozen=True)
class Row:
    """An invariant on this target."""

    invariant: str
    family: str
    claim: str
    findings: tuple[Finding, ...]
    seconds: float = 0.0

    @property
    def verdict(self) -> str:
        return worst(finding.verdict for finding in self.findings)


@dataclass(frozen=True)
class Report:
    """The audit of one target; `facts` are declared or detected, `run` seed and limits."""

    target: str
    rows: tuple[Row, ...]
    facts: Mapping[str, str] = field(default_factory=dict)
    run: Mapping[str, Any] = field(default_factory=dict)
    environment: Mapping[str, Any] = field(default_factory=dict)
    stopped: str = ""

    @property
    def verdict(self) -> str:
        found = worst(row.verdict for row in self.rows)
        return "no answer" if self.stopped and found != "fault" else found

    @property
    def exit_code(self) -> int:
        """1 for a fault, else 3 for a failed precondition or no answer, else 0."""
        return {"fault": 1, "precondition": 3, "no answer": 3}.get(self.verdict, 0)

    def to_dict(self) -> dict[str, Any]:
        """The document `posproof audit --json` writes."""
        from posproof import __version__

        rows = [
            {
                "invariant": row.invariant,
                "family": row.family,
                "claim": row.claim,
                "verdict": row.verdict,
                "seconds": row.seconds,
                "findings": [asdict(finding) for finding in row.findings],
            }
            for row in self.rows
        ]
        return {
            "schema": SCHEMA,
            "posproof": __version__,
            "target": self.target,
            "verdict": self.verdict,
            "facts": dict(self.facts),
            "run": dict(self.run),
            "environment": dict(self.environment),
            "stopped": self.stopped,
            "invariants": rows,
        }

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False) + "\n"


def worst(verdicts: Any) -> str:
    """The gravest of some verdicts; `clean` for none."""
    found = set(verdicts)
    return next((verdict for verdict in VERDICTS if verdict in found), "clean")
