"""Tolerances in print: the answer as text and as JSON, the list of names, and a refusal.

Main definitions
----------------
as_text, as_dict    an answer
listing             every name
refusal             what is printed where there is no tolerance
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from posproof import __version__
from posproof.errors import BadInput
from posproof.tolerance_names import TOLERANCES
from posproof.tolerances import Tolerance


def as_dict(answer: Tolerance) -> dict[str, Any]:
    """The answer as `posproof tolerance --json` prints it."""
    return {
        "schema": 1,
        "posproof": __version__,
        "name": answer.name,
        "claim": answer.claim,
        "inputs": dict(answer.inputs),
        "unit": TOLERANCES[answer.name].unit,
        "bound": answer.printed(answer.bound),
        "bound_exact": str(answer.bound),
        "measured": answer.measured,
        "typical": answer.typical,
        "formula": answer.formula,
        "terms": {stage: answer.printed(value) for stage, value in answer.terms.items()},
        "vacuous": answer.vacuous,
        "refused": None,
        "assumptions": list(answer.assumptions),
        "sees": sorted(answer.detects),
        "misses": sorted(set(answer.faults) - set(answer.detects)),
        "min_shift_to_see_all_pairs": answer.min_shift_to_see_all_pairs,
        "lines": list(answer.lines),
        "cite": answer.cite,
    }


def refusal(name: str, reason: BadInput) -> dict[str, Any]:
    """What `--json` prints where there is no tolerance."""
    return {"schema": 1, "posproof": __version__, "name": name, "bound": None} | {
        "refused": reason.what
    }


def as_text(answer: Tolerance) -> str:
    """The answer as the command prints it."""
    kind, inputs = TOLERANCES[answer.name], answer.inputs
    lines = [
        f"{answer.name}: {kind.bounds}",
        f"  {_setting(inputs)}",
        "",
        f"bound     {answer.printed(answer.bound)}  in units of {kind.unit}  "
        f"(proven, {'exact' if kind.whole else 'rounded up'})",
        *_found(answer),
        "",
        f"formula   {answer.formula}",
        *_shares(answer),
        "",
        "assumes",
        *(f"  {assumption}" for assumption in answer.assumptions),
        *_sight(answer),
        "",
        f"test with{f' ({kind.test.where})' if kind.test.where else ''}",
        *(f"  {line}" for line in answer.lines),
        "",
        f"claim     {answer.claim}  (posproof show {answer.claim} --proof)",
        f"cite      posproof cite {answer.name}",
    ]
    return "\n".join(lines)


def _found(answer: Tolerance) -> list[str]:
    measured, typical = answer.measured, answer.typical
    if measured is None or typical is None:
        return ["measured  nothing committed for these inputs"]
    return [
        f"measured  {measured['value']}  adversarial search below position "
        f"{measured['max_position']}, seed {measured['seed']}, {measured['draws']} draws a place, "
        f"scores {measured['scores']}: pair {measured['pair']}, (i, j, s) = "
        f"({measured['i']}, {measured['j']}, {measured['shift']})",
        f"typical   {typical['value']}  largest of {typical['draws']} random heads below position "
        f"{typical['max_position']}, seed {typical['seed']}, scores {typical['scores']}; "
        f"not a bound",
    ]


ROUNDINGS = {
    "nearest": "rounded to nearest",
    "truncate": "truncated",
    "flush": "flushed to zero below the normal numbers",
}


def _setting(inputs: Mapping[str, Any]) -> str:
    """The inputs in words, those of every name last."""
    words = []
    for key, value in inputs.items():
        if key == "max_position":
            words.append(f"positions 0 .. {value - 1}")
        elif key == "score":
            words.append(f"score {value or 'not rounded'}")
        elif key == "fma":
            words += ["FMA"] if value else []
        elif key == "rounding":
            words.append(ROUNDINGS[value])
        else:
            words.append(str(value) if key in ("dtype", "pipeline") else f"{key} {value}")
    return ", ".join(words)


def _sight(answer: Tolerance) -> list[str]:
    """Which known faults a test at this tolerance can see."""
    if not answer.faults:
        return []
    seen = answer.detects
    largest = sorted(seen, key=lambda fault: -seen[fault])
    lines = ["", "a test at this tolerance can see"]
    lines += [f"  {fault}  (up to {seen[fault]:.2g})" for fault in largest] or ["  nothing"]
    lines += ["and never sees"]
    lines += [f"  {fault}" for fault in answer.faults if fault not in seen] or ["  nothing"]
    if answer.name == "rope.relative":
        shift = answer.min_shift_to_see_all_pairs
        words = (
            f"the smallest shift that shows every pair is {shift}"
            if shift
            else "no shift shows every pair"
        )
        lines += [f"{words}; posproof.testing tries the largest"]
    return lines


def _shares(answer: Tolerance) -> list[str]:
    width = max(map(len, answer.terms), default=0)
    return [
        f"  {stage:<{width}}  {answer.printed(value, 3)}" for stage, value in answer.terms.items()
    ] + ["  (exact)" if TOLERANCES[answer.name].whole else "  (to first order)"]


def listing() -> str:
    """Every name: what it bounds, in which unit, the claim it rests on, and what it needs."""
    lines, width = [], max(map(len, TOLERANCES))
    for name, kind in TOLERANCES.items():
        options = " ".join("--" + argument.replace("_", "-") for argument in kind.needs)
        lines.append(f"{name:<{width}}  {kind.bounds}")
        lines.append(f"{'':<{width}}  in units of {kind.unit}; claim {kind.claim}")
        either = " or ".join("--" + argument for argument in kind.either)
        lines.append(f"{'':<{width}}  needs {options}{either and f' and {either}'}")
    return "\n".join(lines)
