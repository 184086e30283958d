"""Proofs as JSON, complete enough for a second program to replay their polynomial steps.

Main definitions
----------------
proof_json   the steps of a theorem, premises first, polynomial steps with their certificates

Conventions
-----------
A polynomial step proves `target * product(nonzero^power) = sum(cofactor * relation)` for each of
its targets.  Polynomials are strings in generators g0, g1, ... over the rationals; `generators`
says what each stands for, in the order of the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from posproof.proofs_check.algebra import ZERO, Problem, problem
from posproof.proofs_check.kernel import Certificate, Theorem
from posproof.proofs_check.language import Eq, Node
from posproof.proofs_check.render import steps, text


def proof_json(theorem: Theorem) -> dict[str, Any]:
    """`{"conclusion", "hypotheses", "trusts", "steps"}` of a theorem, ready for `json.dumps`."""
    order = steps(theorem)
    number = {id(t): k for k, t in enumerate(order, 1)}
    return {
        "conclusion": text(theorem.conclusion),
        "hypotheses": [text(h) for h in theorem.hypotheses],
        "trusts": sorted(f"{t.tier}: {t.name}" for t in theorem.trusts),
        "steps": [_step(t, number) for t in order],
    }


def _step(theorem: Theorem, number: dict[int, int]) -> dict[str, Any]:
    step: dict[str, Any] = {
        "number": number[id(theorem)],
        "rule": theorem.rule,
        "premises": [number[id(p)] for p in theorem.premises],
        "hypotheses": [text(h) for h in theorem.hypotheses],
        "conclusion": text(theorem.conclusion),
    }
    if theorem.rule in ("identity", "contradiction", "nonneg"):
        step["algebra"] = _algebra(theorem)
    return step


def _algebra(theorem: Theorem) -> dict[str, Any]:
    goal: Node | None = theorem.conclusion
    certificates: Sequence[Certificate] = theorem.detail
    if theorem.rule == "nonneg":
        small, large = theorem.conclusion.args
        form, certificates = theorem.detail
        goal = Eq(large - small, form)
    elif theorem.rule == "contradiction":
        goal = None
    found = _problem(goal, theorem.hypotheses, certificates)
    return {
        "generators": list(found.names),
        "relations": [str(r) for r in found.relations],
        "nonzero": [str(p) for p in found.nonzero],
        "targets": [
            {
                "target": str(target),
                "powers": list(certificate.powers),
                "cofactors": [str(q) for q in certificate.cofactors],
            }
            for target, certificate in zip(found.targets, certificates, strict=True)
        ],
    }


def _problem(
    goal: Node | None, hypotheses: Sequence[Node], certificates: Sequence[Certificate]
) -> Problem:
    """The problem the certificates solve: the hypotheses, side conditions among them or not."""
    equations = [h for h in hypotheses if (h.args[0] if h.head == "not" else h).head == "eq"]
    conditions = problem(goal, equations).conditions
    assumed = [h for h in equations if h not in conditions]
    for given in (equations, assumed):
        candidate = problem(goal, given)
        if all(
            _solves(c, t, candidate) for c, t in zip(certificates, candidate.targets, strict=True)
        ):
            return candidate
    raise ValueError("the certificates belong to another problem")


def _solves(certificate: Certificate, target: Any, found: Problem) -> bool:
    if len(certificate.powers) != len(found.nonzero):
        return False
    if len(certificate.cofactors) != len(found.relations):
        return False
    left = target
    for factor, power in zip(found.nonzero, certificate.powers, strict=True):
        left = left * factor**power
    pairs = zip(certificate.cofactors, found.relations, strict=True)
    return bool(left == sum((q * r for q, r in pairs), ZERO))
