"""One claim in words: what is stated, where it was checked, what attacks it, what it rests on.

Main definitions
----------------
claim_text     the claim for a reader
claim_dict     the same as plain data
proof_text     the kernel proofs of its exact checks, step by step

Implementation notes
--------------------
What a claim rests on is known only once its checks have run, so `show` runs the quick profile of
that one claim.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Mapping
from typing import Any

from posproof.lint import cited_theorems
from posproof.registry import Floors, Registry, one_line
from posproof.report.words import TIERS
from posproof.result import ClaimResult
from posproof.theory.vocabulary import Check, Claim, Clause, Informal, Opaque, Run
from posproof.verification import options, verify

STANCES = {
    "as-published": "as published",
    "sharpened": "sharpened: a further hypothesis was needed",
    "corrected": "corrected: the published sentence, read as stated, fails",
}


def claim_dict(claim: Claim, checks: tuple[Check, ...], found: ClaimResult, floors: Floors) -> Any:
    """The claim as plain data, with the verdict of its quick run."""
    theorems = cited_theorems(floors.theory)
    return {
        "id": claim.id,
        "revision": claim.revision,
        "title": claim.title,
        "kind": claim.kind,
        "stance": claim.stance,
        "reading": claim.reading,
        "hypotheses": list(claim.hypotheses),
        "source": list(claim.source),
        "depends": list(claim.depends),
        "verdict": found.verdict,
        "conditional": found.conditional,
        "clauses": [
            {"name": c.name, "latex": c.latex, "proposition": proposition(c, claim, floors)}
            for c in claim.clauses
        ],
        "checks": [
            {
                "id": check.id,
                "level": check.level,
                "engine": check.engine,
                "scope": {"quick": check.scope.quick, "full": check.scope.full},
                "controls": [control.name for control in check.controls],
            }
            for check in checks
        ],
        "trusts": [
            {"tier": tier, "name": name, "reference": _reference(tier, name, theorems)}
            for tier, name in found.trusts
        ],
    }


def claim_text(data: Any) -> str:
    """What `claim_dict` holds, laid out for a reader."""
    lines = [f"{data['id']}@{data['revision']}  {data['title']}"]
    verdict = f"{data['verdict']}, conditional" if data["conditional"] else data["verdict"]
    lines += [f"{verdict} (quick profile)", "", f"Stance: {STANCES[data['stance']]}"]
    if data["reading"]:
        lines.append(f"Reading: {data['reading']}")
    for title, key in (("Hypotheses", "hypotheses"), ("Source", "source"), ("Needs", "depends")):
        if data[key]:
            lines.append(f"{title}: {'; '.join(data[key])}")
    for clause in data["clauses"]:
        lines += ["", f"Clause {clause['name']}", f"  {clause['latex']}"]
        lines.append(f"  formally: {clause['proposition']}")
        lines += _evidence_lines(data, clause["name"])
    if data["trusts"]:
        lines += ["", "Rests on"]
        lines += [f"  {_trust_line(trust)}" for trust in data["trusts"]]
    return "\n".join(lines)


def _evidence_lines(data: Any, clause: str) -> list[str]:
    lines = []
    for check in data["checks"]:
        _, at, level, name = check["id"].split("/", 3)
        if at != clause:
            continue
        lines.append(f"  {level:8} {name}, by {check['engine']}, for {_scope(check['scope'])}")
        lines += [f"           attacked by {control}" for control in check["controls"]]
    return lines or ["  no evidence"]


def _scope(scope: Mapping[str, str]) -> str:
    quick, full = scope["quick"], scope["full"]
    if quick == full:
        return quick
    return f"{full} (quick: {quick})" if quick else f"{full} (full profile only)"


def _trust_line(trust: Mapping[str, str]) -> str:
    ending = f" ({trust['reference']})" if trust["reference"] else ""
    return f"{TIERS[trust['tier']]} {trust['name']}{ending}"


def _reference(tier: str, name: str, theorems: Mapping[str, object]) -> str:
    return str(getattr(theorems.get(name), "reference", "")) if tier == "cited" else ""


def proposition(clause: Clause, claim: Claim, floors: Floors) -> str:
    """The formal proposition of a clause as text."""
    try:
        stated = clause.statement(claim.definitions)
        if isinstance(stated, Informal):
            return f"not formalised: {stated.text}"
        if isinstance(stated, Opaque):
            return f"not formalised: {stated.name}"
        translate = importlib.import_module(f"{floors.proofs}.translate")
        render = importlib.import_module(f"{floors.proofs}.render")
        return str(render.text(translate.node(stated)))
    except Exception as cause:  # a reader still wants the rest of the claim
        return f"cannot be shown ({one_line(cause)})"


def proofs(registry: Registry, claim: Claim) -> list[tuple[Check, Any]]:
    """The exact checks of a claim, each with what deciding it returned; runs in this process."""
    decide = importlib.import_module(f"{registry.floors.proofs}.decide").decide
    subject = registry.subject(claim.id.split(".", 1)[0])
    exact = [check for check in subject.checks_of(claim.id) if check.level == "exact"]
    return [(check, decide(check, check.definitions, Run())) for check in exact]


def proof_text(registry: Registry, claim: Claim) -> str:
    """The proofs of a claim's exact checks, step by step."""
    render = importlib.import_module(f"{registry.floors.proofs}.render")
    parts = []
    for check, decided in proofs(registry, claim):
        heading = f"Proof of {check.clause} ({check.name})"
        if decided.theorem is None:
            parts.append(f"{heading}\n  none: {decided.outcome} {decided.reason}".rstrip())
        else:
            parts.append(f"{heading}\n{render.proof_text(decided.theorem)}")
    return "\n\n".join(parts) or "no exact checks, so no proofs"


def proof_data(registry: Registry, claim: Claim) -> list[dict[str, Any]]:
    """The same with every polynomial certificate, for a program that replays them."""
    export = importlib.import_module(f"{registry.floors.proofs}.export")
    return [
        {"check": check.id, "clause": check.clause, "outcome": decided.outcome}
        | ({} if decided.theorem is None else export.proof_json(decided.theorem))
        for check, decided in proofs(registry, claim)
    ]


def page(registry: Registry, claim_id: str, *, proof: bool, as_json: bool) -> str:
    """What `posproof show` prints; BadInput for an unknown claim."""
    claim = registry.claim(claim_id)
    found = verify([claim_id], options(floors=registry.floors)).claim(claim_id)
    subject = registry.subject(claim_id.split(".", 1)[0])
    data = claim_dict(claim, subject.checks_of(claim_id), found, registry.floors)
    if as_json:
        extra = {"proofs": proof_data(registry, claim)} if proof else {}
        return json.dumps(data | extra, indent=2, ensure_ascii=False)
    steps = proof_text(registry, claim) if proof else None
    return "\n\n".join(filter(None, (claim_text(data), steps)))
