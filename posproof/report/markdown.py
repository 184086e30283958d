"""A run as a Markdown table.

Main definitions
----------------
markdown_table    one row a claim, then the causes and the summary
"""

from __future__ import annotations

from posproof.report.words import SIGNS
from posproof.result import Result


def markdown_table(result: Result) -> str:
    """The run as Markdown text."""
    lines = ["| claim | verdict | clauses | time |", "|---|---|---|---:|"]
    for claim in result.claims:
        condition = ", conditional" if claim.conditional else ""
        clauses = ", ".join(f"{clause.name} ({clause.verdict})" for clause in claim.clauses)
        verdict = f"{SIGNS[claim.verdict]} {claim.verdict}{condition}"
        lines.append(f"| `{claim.id}` | {verdict} | {_cell(clauses)} | {claim.seconds:.2f} s |")
    for claim in result.claims:
        if claim.verdict not in ("verified", "partial"):
            lines += ["", f"`{claim.id}` is {claim.verdict}:", ""]
            lines += [f"- {cause}" for cause in claim.causes()]
    return "\n".join([*lines, "", result.sentence(), ""])


def _cell(text: str) -> str:
    return text.replace("|", r"\|")
