"""What a run found, as records that every report is made from.

Main definitions
----------------
Result, ClaimResult, ClauseResult    a run, one claim of it, one clause of that
claim_result, import_failure         one claim's record; the row of a subject that does not import
Result.to_dict                       the document `posproof verify --json` writes
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from posproof.report.words import counted
from posproof.tasks import Finding
from posproof.theory.vocabulary import Check
from posproof.verdict import (
    VERDICTS,
    ClaimFindings,
    claim_verdict,
    clause_verdict,
    control_passed,
)

SCHEMA = 1


@dataclass(frozen=True)
class ClauseResult:
    """One clause: its verdict, its statement, and the levels of the checks that were run."""

    name: str
    verdict: str
    latex: str
    levels: tuple[str, ...]


@dataclass(frozen=True)
class CheckResult:
    """A check with the scope it covered and what it found."""

    check: Check
    scope: str
    finding: Finding

    def to_dict(self) -> dict[str, Any]:
        found = self.finding
        return {
            "id": self.check.id,
            "clause": self.check.clause,
            "level": self.check.level,
            "verdict": found.verdict,
            "engine": self.check.engine,
            "seconds": found.seconds,
            "scope": self.scope,
            "measured": found.measured,
            "bound": found.bound,
            "formula": found.formula,
            "witness": found.witness,
            "reason": found.reason,
        }


@dataclass(frozen=True)
class ClaimResult:
    """The verdict of one claim and what it rests on; `reason` says why a row is an error."""

    id: str
    title: str
    verdict: str
    revision: int = 1
    stance: str = "as-published"
    trusts: tuple[tuple[str, str], ...] = ()
    clauses: tuple[ClauseResult, ...] = ()
    checks: tuple[CheckResult, ...] = ()
    controls: tuple[Finding, ...] = ()
    reason: str = ""

    @property
    def conditional(self) -> bool:
        """Whether the verdict rests on a cited theorem or an argued step."""
        return any(tier in ("cited", "argued") for tier, _ in self.trusts)

    @property
    def seconds(self) -> float:
        """Seconds spent on the claim, over all workers."""
        findings = (*(check.finding for check in self.checks), *self.controls)
        return sum(finding.seconds for finding in findings)

    def causes(self) -> tuple[str, ...]:
        """Why the claim is not verified: one line for each check or control responsible."""
        lines = [self.reason] if self.reason else []
        for check in self.checks:
            if check.finding.verdict in ("refuted", "error", "undecided"):
                lines.append(_sentence(check.finding))
        lines.extend(_sentence(found) for found in self.controls if not control_passed(found))
        if self.verdict == "undecided":
            lines.extend(
                f"clause {clause.name} has no evidence"
                for clause in self.clauses
                if clause.verdict == "undecided"
                and not any(check.check.clause == clause.name for check in self.checks)
            )
        return tuple(lines)

    def to_dict(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "title": self.title,
            "revision": self.revision,
            "stance": self.stance,
            "verdict": self.verdict,
            "conditional": self.conditional,
            "reason": self.reason,
            "trusts": [{"tier": tier, "name": name} for tier, name in self.trusts],
            "clauses": [{"name": c.name, "verdict": c.verdict} for c in self.clauses],
            "checks": [check.to_dict() for check in self.checks],
            "controls": [
                {
                    "check": found.check,
                    "name": found.control,
                    "verdict": found.verdict,
                    "witness": found.witness,
                    "reason": found.reason,
                }
                for found in self.controls
            ],
        }

    def _repr_html_(self) -> str:
        from posproof.report.html import claim_box

        return claim_box(self)


def _sentence(found: Finding) -> str:
    """One check or control and what it did, witness included."""
    subject = f"check {found.check}"
    if found.control is not None:
        subject = f"control {found.control!r} of {found.check}"
        if found.verdict not in ("refuted", "undecided", "error"):
            return f"{subject} was not caught: the altered statement came back {found.verdict}"
        if found.verdict == "refuted":
            return f"{subject} was refuted without a witness"
    ending = f": {found.witness}" if found.verdict == "refuted" and found.witness else ""
    because = f" ({found.reason})" if found.reason else ""
    return f"{subject} is {found.verdict}{ending}{because}"


@dataclass(frozen=True)
class Result:
    """Everything one run of `verify` found.

    `run` holds profile, levels, seed, digits, started and seconds; `environment` the versions.
    """

    claims: tuple[ClaimResult, ...]
    run: Mapping[str, Any] = field(default_factory=dict)
    environment: Mapping[str, Any] = field(default_factory=dict)

    def claim(self, claim_id: str) -> ClaimResult:
        """The result of one claim; KeyError when it was not part of the run."""
        for claim in self.claims:
            if claim.id == claim_id:
                return claim
        raise KeyError(claim_id)

    @cached_property
    def summary(self) -> dict[str, int]:
        """Claims by verdict and conditional ones; distinct cited theorems and argued steps."""
        counts = {word: sum(c.verdict == word for c in self.claims) for word in VERDICTS}
        trusts = {trust for claim in self.claims for trust in claim.trusts}
        counts["conditional"] = sum(claim.conditional for claim in self.claims)
        counts["cited"] = sum(tier == "cited" for tier, _ in trusts)
        counts["argued"] = sum(tier == "argued" for tier, _ in trusts)
        return counts

    @property
    def exit_code(self) -> int:
        """1 when a claim is refuted or broken, else 3 when one has no answer, else 0."""
        if self.summary["refuted"] or self.summary["broken"]:
            return 1
        return 3 if self.summary["error"] or self.summary["undecided"] else 0

    def sentence(self) -> str:
        """The run in one line, such as `13 verified (4 conditional on 6 cited theorems, 2 argued)`.

        The conditions are those of the verified claims.
        """
        counts = self.summary
        parts = [f"{counts[word]} {word}" for word in reversed(VERDICTS) if counts[word]]
        conditional = [c for c in self.claims if c.verdict == "verified" and c.conditional]
        if conditional:
            parts[0] += f" ({_conditions(conditional)})"
        return ", ".join(parts) or "no claims"

    def to_dict(self) -> dict[str, Any]:
        """The JSON document, schema 1."""
        from posproof import __version__

        return {
            "schema": SCHEMA,
            "posproof": __version__,
            "run": dict(self.run),
            "environment": dict(self.environment),
            "claims": [claim.to_dict() for claim in self.claims],
            "summary": self.summary,
        }

    def to_json(self) -> str:
        """The JSON document as text, ending in a newline."""
        text = json.dumps(self.to_dict(), indent=2, ensure_ascii=False, allow_nan=False)
        return text + "\n"

    def to_markdown(self) -> str:
        """The run as a Markdown table with the causes of what is not verified."""
        from posproof.report.markdown import markdown_table

        return markdown_table(self)

    def _repr_html_(self) -> str:
        from posproof.report.html import result_box

        return result_box(self)


def _conditions(claims: list[ClaimResult]) -> str:
    trusts = {trust for claim in claims for trust in claim.trusts}
    cited = sum(tier == "cited" for tier, _ in trusts)
    argued = sum(tier == "argued" for tier, _ in trusts)
    theorems = [counted(cited, "cited theorem")] if cited else []
    steps = [f"{argued} argued"] if argued else []
    return f"{len(claims)} conditional on {', '.join(theorems + steps)}"


# ---------------------------------------------------------------------- assembling
def claim_result(known: ClaimFindings, scopes: Mapping[str, str]) -> ClaimResult:
    """One claim's record from its findings; `scopes` maps check ids to the scope covered."""
    claim = known.claim
    found = {finding.check: finding for finding in known.findings if finding.control is None}
    ran = [check for check in known.checks if check.id in found]
    trusts = {trust for finding in found.values() for trust in finding.trusts}
    clauses = tuple(
        ClauseResult(
            clause.name,
            clause_verdict(known, clause.name),
            clause.latex,
            tuple(dict.fromkeys(check.level for check in ran if check.clause == clause.name)),
        )
        for clause in claim.clauses
    )
    return ClaimResult(
        claim.id,
        claim.title,
        claim_verdict(known),
        claim.revision,
        claim.stance,
        tuple(sorted(trusts)),
        clauses,
        tuple(CheckResult(check, scopes[check.id], found[check.id]) for check in ran),
        tuple(finding for finding in known.findings if finding.control is not None),
        "; ".join(known.faults),
    )


def import_failure(subject: str, cause: str) -> ClaimResult:
    """The one row of a subject whose modules do not import."""
    return ClaimResult(subject, "does not import", "error", reason=cause)
