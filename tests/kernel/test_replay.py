"""Proofs exported as JSON are replayed by a second engine, SymPy's polynomial rings."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from sympy import QQ
from sympy.polys.rings import PolyElement, ring

from posproof.proofs_check.decide import decide
from posproof.proofs_check.export import proof_json
from posproof.proofs_check.mobius import kernel, ladder
from posproof.theory.vocabulary import Check

TERM = re.compile(r"([+-]?)\s*([^+-]+)")
CHECKS = (ladder.order, ladder.negative_lobe, kernel.closed_form, kernel.sinc_limit, kernel.zeros)


def polynomial(text: str, domain: Any) -> PolyElement:
    """A polynomial such as `2*g0^2*g3 - 1/2*g1` in the ring of the step."""
    result = domain(0)
    for sign, body in TERM.findall(text):
        term = domain(-1 if sign == "-" else 1)
        for factor in body.strip().split("*"):
            if factor.startswith("g"):
                name, _, power = factor.partition("^")
                term *= domain.gens[int(name[1:])] ** int(power or 1)
            else:
                above, _, below = factor.partition("/")
                term *= domain(QQ(int(above), int(below or 1)))
        result += term
    return result


def replays(step: dict[str, Any]) -> bool:
    """Whether every target of a polynomial step follows from its relations."""
    algebra = step["algebra"]
    names = [f"g{k}" for k in range(max(len(algebra["generators"]), 1))]
    domain = ring(names, QQ)[0]
    relations = [polynomial(r, domain) for r in algebra["relations"]]
    nonzero = [polynomial(p, domain) for p in algebra["nonzero"]]
    for target in algebra["targets"]:
        left = polynomial(target["target"], domain)
        for factor, power in zip(nonzero, target["powers"], strict=True):
            left *= factor**power
        right = domain(0)
        for cofactor, relation in zip(target["cofactors"], relations, strict=True):
            right += polynomial(cofactor, domain) * relation
        if left != right:
            return False
    return True


def exported(check: Check) -> dict[str, Any]:
    theorem = decide(check, check.definitions).theorem
    assert theorem is not None
    return json.loads(json.dumps(proof_json(theorem)))


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.clause)
def test_a_second_engine_replays_every_polynomial_step(check: Check) -> None:
    algebraic = [step for step in exported(check)["steps"] if "algebra" in step]
    assert algebraic
    assert all(replays(step) for step in algebraic)


def test_the_replay_notices_an_altered_certificate() -> None:
    steps = [step for step in exported(kernel.closed_form)["steps"] if "algebra" in step]
    altered = next(s for s in steps if any(t["target"] != "0" for t in s["algebra"]["targets"]))
    altered["algebra"]["targets"][0]["target"] += " + 1"
    assert not replays(altered)


def test_premises_come_before_the_steps_that_use_them() -> None:
    steps = exported(kernel.zeros)["steps"]
    assert all(p < step["number"] for step in steps for p in step["premises"])
    assert steps[-1]["conclusion"] == exported(kernel.zeros)["conclusion"]
