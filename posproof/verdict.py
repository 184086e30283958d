"""From findings to verdicts: the rules, as pure functions.

Main definitions
----------------
control_passed   whether a control did what it must
clause_verdict   the verdict of one clause
claim_verdict    the verdict of one claim, by the first rule that applies
ClaimFindings    everything the rules look at

Conventions
-----------
The order of the rules is refuted, broken, error, undecided, partial, verified.
"""

from __future__ import annotations

from dataclasses import dataclass

from posproof.tasks import Finding
from posproof.theory.vocabulary import POSITIVE, Check, Claim

#: Claim verdicts, worst first.
VERDICTS = ("refuted", "broken", "error", "undecided", "partial", "verified")
#: What a clause is called whose checks were all left out by --level or --profile.
LEFT_OUT = "left-out"
_STRENGTH = tuple(dict.fromkeys(POSITIVE.values()))


@dataclass(frozen=True)
class ClaimFindings:
    """One claim with its checks, those of them that were selected, and what running gave."""

    claim: Claim
    checks: tuple[Check, ...]
    selected: frozenset[str]
    findings: tuple[Finding, ...]
    faults: tuple[str, ...] = ()

    def of_clause(self, clause: str) -> ClaimFindings:
        """The same, narrowed to one clause and without the claim's own faults."""
        checks = tuple(check for check in self.checks if check.clause == clause)
        ids = {check.id for check in checks}
        findings = tuple(finding for finding in self.findings if finding.check in ids)
        return ClaimFindings(self.claim, checks, self.selected & ids, findings)


def control_passed(finding: Finding) -> bool:
    """A control passes only when its check comes back refuted with a witness."""
    return finding.verdict == "refuted" and bool(finding.witness)


def control_missed(finding: Finding) -> bool:
    """A control that finished with a positive answer: the check cannot tell right from wrong."""
    return finding.verdict in _STRENGTH


def _answered(known: ClaimFindings) -> str | None:
    """The first rule that a check or control of these triggers; None when all are positive."""
    checks = [f for f in known.findings if f.control is None]
    controls = [f for f in known.findings if f.control is not None]
    if any(f.verdict == "refuted" for f in checks):
        return "refuted"
    if any(control_missed(f) for f in controls):
        return "broken"
    if known.faults or any(f.verdict == "error" for f in known.findings):
        return "error"
    if any(f.verdict == "undecided" for f in checks):
        return "undecided"
    if not all(control_passed(f) for f in controls):
        return "undecided"
    return None


def clause_verdict(known: ClaimFindings, clause: str) -> str:
    """A clause's failure if it has one, else the strongest positive word it earned."""
    mine = known.of_clause(clause)
    failure = _answered(mine)
    if failure is not None:
        return failure
    words = {finding.verdict for finding in mine.findings if finding.control is None}
    for word in _STRENGTH:
        if word in words:
            return word
    return LEFT_OUT if mine.checks else "undecided"


def claim_verdict(known: ClaimFindings) -> str:
    """The verdict of a claim, by the first rule that applies."""
    failure = _answered(known)
    if failure in ("refuted", "broken", "error"):
        return failure
    clauses = {clause.name: clause_verdict(known, clause.name) for clause in known.claim.clauses}
    if failure or not clauses or "undecided" in clauses.values():
        return "undecided"
    if LEFT_OUT in clauses.values() or _rigour_left_out(known):
        return "partial"
    return "verified"


def _rigour_left_out(known: ClaimFindings) -> bool:
    return any(
        check.level in ("exact", "ball") and check.id not in known.selected
        for check in known.checks
    )
