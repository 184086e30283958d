"""The claims as a list, without running anything.

Main definitions
----------------
as_text, as_json    the list for people and for programs
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from posproof.registry import Subject


def as_text(subjects: Iterable[Subject]) -> str:
    """One line a claim, subject by subject; a subject that does not import gives its cause."""
    subjects = tuple(subjects)
    width = max((len(claim.id) for s in subjects for claim in s.claims), default=0)
    lines = []
    for subject in subjects:
        if subject.failure:
            lines.append(f"{subject.name:{width}}  does not import: {subject.failure}")
        for claim in subject.claims:
            stance = "" if claim.stance == "as-published" else f" ({claim.stance})"
            lines.append(f"{claim.id:{width}}  {claim.title}{stance}")
    return "\n".join(lines)


def as_json(subjects: Iterable[Subject]) -> str:
    """`{"claims": [...], "failed": [{"subject", "cause"}]}`."""
    subjects = tuple(subjects)
    claims = [
        {
            "id": claim.id,
            "revision": claim.revision,
            "title": claim.title,
            "kind": claim.kind,
            "stance": claim.stance,
            "clauses": [clause.name for clause in claim.clauses],
            "levels": sorted({check.level for check in subject.checks_of(claim.id)}),
            "depends": list(claim.depends),
            "source": list(claim.source),
        }
        for subject in subjects
        for claim in subject.claims
    ]
    failed = [{"subject": s.name, "cause": s.failure} for s in subjects if s.failure]
    return json.dumps({"claims": claims, "failed": failed}, indent=2, ensure_ascii=False)
