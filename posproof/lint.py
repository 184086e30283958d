"""What is wrong with a registry before anything runs.

Main definitions
----------------
Problem     one fault: the claim it belongs to, and what it is
problems    every fault of some subjects

Implementation notes
--------------------
A claim with a fault is never run to a good verdict: the runner turns a fault into `error`, and a
clause without evidence into `undecided`.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from posproof.errors import suggest
from posproof.registry import Registry, Subject
from posproof.theory.vocabulary import Claim


@dataclass(frozen=True)
class Problem:
    """A fault of one claim; `fatal` ones make its verdict `error`."""

    claim: str
    text: str
    fatal: bool = True


def problems(registry: Registry, subjects: Iterable[Subject]) -> tuple[Problem, ...]:
    """Faults of these subjects, in the order of their claims.

    The subjects that a claim depends on are imported too, to know their ids.
    """
    found: list[Problem] = []
    for subject in subjects:
        found.extend(_identity_faults(registry, subject))
        for claim in subject.claims:
            found.extend(_dependency_faults(registry, claim))
            found.extend(_evidence_faults(subject, claim))
    return tuple(found)


def _identity_faults(registry: Registry, subject: Subject) -> Iterable[Problem]:
    for name in subject.duplicates:
        yield Problem(name.split("/", 1)[0], f"{name} is defined twice")
    for name in subject.strays:
        home = name.split(".", 1)[0]
        known = registry.subject(home).claims if home in registry.names else ()
        if name not in {claim.id for claim in known}:
            yield Problem(subject.name, f"{name} is not named after its subject {subject.name}")
    for check in subject.checks:
        if check.claim not in subject.claims and check.claim.id not in {
            claim.id for claim in subject.claims
        }:
            yield Problem(check.claim.id, f"{check.id} serves a claim that is not registered")


def _dependency_faults(registry: Registry, claim: Claim) -> Iterable[Problem]:
    for needed in claim.depends:
        if _lookup(registry, needed) is None:
            yield Problem(claim.id, f"depends on the unknown claim {needed}")
    cycle = _cycle(registry, claim)
    if cycle:
        yield Problem(claim.id, f"depends on itself: {' -> '.join(cycle)}")


def _lookup(registry: Registry, claim_id: str) -> Claim | None:
    home = claim_id.split(".", 1)[0]
    if home not in registry.names:
        return None
    return next((c for c in registry.subject(home).claims if c.id == claim_id), None)


def _cycle(registry: Registry, start: Claim) -> tuple[str, ...]:
    """A chain of dependencies that leads from a claim back to it, empty when there is none."""
    stack: list[tuple[Claim, tuple[str, ...]]] = [(start, (start.id,))]
    seen: set[str] = set()
    while stack:
        claim, path = stack.pop()
        for needed in claim.depends:
            if needed == start.id:
                return (*path, needed)
            target = _lookup(registry, needed)
            if target is not None and needed not in seen:
                seen.add(needed)
                stack.append((target, (*path, needed)))
    return ()


def _evidence_faults(subject: Subject, claim: Claim) -> Iterable[Problem]:
    checks = subject.checks_of(claim.id)
    for clause in claim.clauses:
        if not any(check.clause == clause.name for check in checks):
            yield Problem(claim.id, f"clause {clause.name} has no evidence", fatal=False)
    for check in checks:
        if check.level in ("exact", "ball") and not check.controls:
            yield Problem(claim.id, f"{check.id} has no control")
        names = [control.name for control in check.controls]
        for name in sorted({name for name in names if names.count(name) > 1}):
            yield Problem(claim.id, f"{check.id} has two controls named {name}")


def unknown_trust(trusts: Iterable[tuple[str, str]], known: Mapping[str, object]) -> list[str]:
    """Why some (tier, name) assumptions cannot be accepted: not in the list of cited theorems."""
    reasons = []
    for tier, name in trusts:
        if tier == "cited" and name not in known:
            reasons.append(f"cites the unknown theorem {name!r}{suggest(name, known)}")
        elif tier == "argued" and len(name.split()) < 2:
            reasons.append(f"argues {name!r}, which is not said in full words")
    return reasons


def cited_theorems(theory: str) -> Mapping[str, object]:
    """The closed list of theorems of a theory floor, empty where the floor has none."""
    name = f"{theory}.trusted"
    if importlib.util.find_spec(name) is None:
        return {}
    listed: Mapping[str, object] = importlib.import_module(name).CITED
    return listed
