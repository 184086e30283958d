"""What depends on what: the claims as a graph.

Main definitions
----------------
FORMATS    the graph as DOT, Mermaid or JSON text, by format name

Conventions
-----------
An arrow goes from a claim to one that depends on it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

from posproof.theory.vocabulary import Claim


def dot(claims: Iterable[Claim]) -> str:
    """The graph in the DOT language of Graphviz, one cluster a subject."""
    claims = tuple(claims)
    lines = ["digraph posproof {", "  rankdir=LR;", "  node [shape=box];"]
    for subject in dict.fromkeys(_subject(claim) for claim in claims):
        lines += [
            f"  subgraph {_quoted(f'cluster_{subject}')} {{",
            f"    label={_quoted(subject)};",
        ]
        for claim in claims:
            if _subject(claim) == subject:
                lines.append(f"    {_quoted(claim.id)} [tooltip={_quoted(claim.title)}];")
        lines.append("  }")
    lines += [f"  {_quoted(a)} -> {_quoted(b)};" for a, b in _arrows(claims)]
    return "\n".join([*lines, "}"])


def mermaid(claims: Iterable[Claim]) -> str:
    """The graph as a Mermaid flowchart."""
    claims = tuple(claims)
    lines = ["flowchart LR"]
    lines += [f'  {_node(claim.id)}["{claim.id}"]' for claim in claims]
    lines += [f"  {_node(a)} --> {_node(b)}" for a, b in _arrows(claims)]
    return "\n".join(lines)


def as_json(claims: Iterable[Claim]) -> str:
    """The graph as `{"nodes": [...], "edges": [[from, to], ...]}`."""
    claims = tuple(claims)
    nodes = [
        {"id": c.id, "title": c.title, "kind": c.kind, "stance": c.stance, "revision": c.revision}
        for c in claims
    ]
    edges = [list(arrow) for arrow in _arrows(claims)]
    return json.dumps({"nodes": nodes, "edges": edges}, indent=2, ensure_ascii=False)


FORMATS: dict[str, Callable[[Iterable[Claim]], str]] = {
    "dot": dot,
    "mermaid": mermaid,
    "json": as_json,
}


def _arrows(claims: tuple[Claim, ...]) -> list[tuple[str, str]]:
    return [(needed, claim.id) for claim in claims for needed in claim.depends]


def _subject(claim: Claim) -> str:
    return claim.id.split(".", 1)[0]


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _node(claim_id: str) -> str:
    """An id Mermaid accepts; dots would split it."""
    return claim_id.replace(".", "_")
