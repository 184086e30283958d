"""What a page of the book may ask for: statements, verdicts, proofs, controls, numbers, citations.

Main definitions
----------------
results                              the run every page of one build shares
require                              refuse to go on unless claims are verified
statement, proof, proofs, controls,
tolerances, cite                     one claim, in the order a page answers
status, graph, summary               many claims at a glance
audited, listings                    an audit, and code to read
example, levels, trusts, excerpt     what explains how to read a claim
function, values, numerics, theory   numbers for pictures
axes, picture, cycle                 the house style of pictures (see `posproof.figures`)

Conventions
-----------
Statements come from `theory` and numbers from the run; a page types neither.  What is returned
shows itself as Markdown, so its formulas, links and words are the page's own: they are typeset,
followed and found by the search like any sentence.  A claim's anchor is its id.

Implementation notes
--------------------
The run is a file under `book/_build` whose name carries a digest of everything that can change it.
The first page that needs it computes it; `posproof book build` does so before the first page.
"""

from __future__ import annotations

import contextlib
import fnmatch
import functools
import hashlib
import importlib
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from posproof import __version__
from posproof.figures import INK, PALETTE, Picture, axes, blank, cycle, inline, picture
from posproof.markup import (
    Html,
    Markdown,
    anchor,
    code,
    count,
    display,
    folded,
    link,
    number,
    table,
)
from posproof.theory.vocabulary import POSITIVE, Check, Claim, Clause, Level, Run

__all__ = [
    "INK",
    "PALETTE",
    "ClaimFailed",
    "Markdown",
    "Picture",
    "axes",
    "blank",
    "cite",
    "controls",
    "cycle",
    "example",
    "excerpt",
    "function",
    "graph",
    "levels",
    "number",
    "numerics",
    "picture",
    "proof",
    "proofs",
    "require",
    "results",
    "statement",
    "status",
    "summary",
    "table",
    "theory",
    "tolerances",
    "trusts",
    "values",
]

FLOORS = ("theory", "proofs_check", "numerics", "posproof")
SOURCES = (".py", ".json", ".csv", ".txt", ".gz", ".npz")
#: Modules that show a run and cannot change it.
SHOWS = frozenset({"bookbuild.py", "figures.py", "markup.py", "pages.py"})
#: How bad a verdict is for the reader: it decides the colour, never the word.
MOOD = {
    "verified": "good",
    "refuted": "bad",
    "broken": "bad",
    "partial": "open",
    "undecided": "open",
    "error": "open",
}
STANCE = {
    "as-published": "",
    "sharpened": "Sharpened: a further hypothesis was needed.",
    "corrected": "Corrected: the published sentence, read as stated, fails and is a control here.",
}


class ClaimFailed(AssertionError):
    """A page states a claim that the run did not verify."""


# ---------------------------------------------------------------------- the run
def checkout() -> Path | None:
    """The folder of the checkout this package runs from; None for an installed package."""
    root = Path(__file__).resolve().parent.parent
    return root if (root / "pyproject.toml").is_file() and (root / "book").is_dir() else None


def digest(root: Path) -> str:
    """Sixteen hexadecimal digits that change with any source the run depends on."""
    state = hashlib.sha256(sys.version.encode())
    files = [root / "requirements.lock"]
    for floor in FLOORS:
        files += [path for path in (root / floor).rglob("*") if path.suffix in SOURCES]
    for path in sorted(file for file in files if file.is_file() and file.name not in SHOWS):
        state.update(str(path.relative_to(root)).encode() + b"\0" + path.read_bytes())
    return state.hexdigest()[:16]


@functools.cache
def results() -> Mapping[str, Any]:
    """The `verify --json` document of the quick profile, computed once a build."""
    root = checkout()
    if root is None:
        return _verify()
    path = root / "book" / "_build" / f"run-{digest(root)}.json"
    if path.is_file():
        document: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return document
    document = _verify()
    path.parent.mkdir(parents=True, exist_ok=True)
    # Written aside and renamed: pages may start while another process still writes.
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".partial")
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        json.dump(document, stream, ensure_ascii=False)
    os.replace(name, path)
    return document


def _verify() -> Mapping[str, Any]:
    from posproof.api import verify

    return verify().to_dict()


def _entry(claim_id: str) -> Mapping[str, Any]:
    for entry in results()["claims"]:
        if entry["id"] == claim_id:
            found: Mapping[str, Any] = entry
            return found
    raise ClaimFailed(f"{claim_id}: no such claim in the run")


def require(*patterns: str) -> Markdown:
    """Say that the claims are verified, or stop the page.

    `patterns` are ids or globs.  Raises ClaimFailed when one matches nothing or a claim it matches
    is not verified.
    """
    chosen = [entry for pattern in patterns for entry in _matching(pattern)]
    failed = [f"{entry['id']} is {entry['verdict']}" for entry in chosen if not _good(entry)]
    if failed:
        raise ClaimFailed("; ".join(failed))
    which = "The claim of this page was" if len(chosen) == 1 else f"{len(chosen)} claims were"
    return Markdown(
        f"{which} verified by the run that built this page "
        f"(posproof {__version__}, profile `{results()['run']['profile']}`)."
    )


def _good(entry: Mapping[str, Any]) -> bool:
    return MOOD[entry["verdict"]] == "good"


def _stated(entry: Mapping[str, Any]) -> bool:
    """Whether the row is a claim, not a subject whose modules do not import."""
    return "." in entry["id"]


def _matching(pattern: str) -> list[Mapping[str, Any]]:
    found = [e for e in results()["claims"] if fnmatch.fnmatchcase(e["id"], pattern)]
    if not found:
        raise ClaimFailed(f"no claim matches {pattern!r}")
    return found


# ---------------------------------------------------------------------- the claims themselves
@functools.cache
def _registry() -> Any:
    from posproof.registry import Registry

    return Registry()


def _claim(claim_id: str) -> Claim:
    found: Claim = _registry().claim(claim_id)
    return found


@functools.cache
def page_of(claim_id: str) -> str:
    """The page of a claim, from the module that states it: `mobius/ladder` or `rotary`."""
    claim, subject = _claim(claim_id), claim_id.split(".", 1)[0]
    homes = []
    for name in _registry().subject(subject).modules:
        if not name.startswith("posproof.theory."):
            continue
        if any(value is claim for value in vars(sys.modules[name]).values()):
            homes.append(name.removeprefix("posproof.theory.").replace(".", "/"))
    return max(homes, key=len)


def numerics(subject: str) -> Any:
    """The functions that measure a subject, for its pictures: `posproof.numerics.SUBJECT`."""
    return importlib.import_module(f"posproof.numerics.{subject}")


def theory(subject: str) -> Any:
    """The tables a subject states, for its pictures: `posproof.theory.SUBJECT`."""
    return importlib.import_module(f"posproof.theory.{subject}")


# ---------------------------------------------------------------------- one claim
def statement(claim_id: str) -> Markdown:
    """The claim as it is stated and what each clause rests on.  The anchor is the id."""
    return Markdown(f"({claim_id})=\n\n{example(claim_id).text}")


def example(claim_id: str) -> Markdown:
    """`statement` without the anchor, for a page that explains how to read one."""
    claim, entry = _claim(claim_id), _entry(claim_id)
    head = [f"::::{{container}} claim {entry['verdict']}"]
    if claim.stance != "as-published":
        head.append(f"*{STANCE[claim.stance]}* {claim.reading}\n")
    head.append(
        f"**{claim.title}** &ensp; {_verdict(entry)}\n\n"
        f"`{claim_id}@{claim.revision}` {_conditional(entry)}"
    )
    if claim.hypotheses:
        head.append("\nAssume " + "; ".join(claim.hypotheses) + ".")
    body = [_clause(clause, entry) for clause in claim.clauses]
    return Markdown("\n".join([*head, "", *body, "::::"]))


def _verdict(entry: Mapping[str, Any]) -> str:
    return f"[{entry['verdict']}]{{.verdict .{MOOD[entry['verdict']]}}}"


def _conditional(entry: Mapping[str, Any]) -> str:
    names = [f"{t['tier']}: {t['name']}" for t in entry["trusts"] if t["tier"] != "software"]
    return f"— conditional on {'; '.join(names)}" if entry["conditional"] else ""


def _clause(clause: Clause, entry: Mapping[str, Any]) -> str:
    badges = " ".join(_badge(check) for check in entry["checks"] if check["clause"] == clause.name)
    return "\n".join(
        [":::{container} clause", f"`{clause.name}` {badges}", "", display(clause.latex), ":::", ""]
    )


def _badge(check: Mapping[str, Any]) -> str:
    mood = "good" if check["verdict"] not in MOOD or _good(check) else MOOD[check["verdict"]]
    scope = f"[{check['scope']}]{{.scope}}" if check.get("scope") else ""
    return f"[{check['verdict']}]{{.verdict .{mood}}} {scope}"


def proof(claim_id: str, clause: str) -> Markdown:
    """The kernel's proof of a clause, step by step, as it was found just now; long steps are cut.

    Raises ClaimFailed when the clause has no exact check or the run did not prove it.
    """
    from posproof.proofs_check.decide import decide
    from posproof.proofs_check.render import steps, text

    check = _exact(claim_id, clause)
    theorem = decide(check, check.definitions, Run()).theorem
    if theorem is None:
        raise ClaimFailed(f"{claim_id}: the proof of {clause!r} was not found again")
    order = steps(theorem)
    place = {id(step): row for row, step in enumerate(order, 1)}
    rows = []
    for row, step in enumerate(order, 1):
        used = ", ".join(str(place[id(premise)]) for premise in step.premises)
        given = "; ".join(text(hypothesis) for hypothesis in step.hypotheses)
        shown = f"{given} |- {text(step.conclusion)}" if given else text(step.conclusion)
        rows.append([str(row), code(cut(shown)), f"{step.rule.replace('_', ' ')} {used}".strip()])
    body = table(["step", "statement", "by"], rows).text
    return folded(f"`{clause}`: {len(rows)} step{'s' * (len(rows) > 1)}", body, len(rows))


#: Characters of a statement that a page shows; `posproof show --proof` prints all of them.
LONGEST = 1500


def cut(statement: str) -> str:
    """A statement, its end left out where it is too long to be read on a page."""
    if len(statement) <= LONGEST:
        return statement
    return f"{statement[:LONGEST]} ... ({len(statement):,} characters in all)"


def proofs(claim_id: str) -> Markdown:
    """The proofs of every clause of a claim that the run proved."""
    named = dict.fromkeys(c["clause"] for c in _entry(claim_id)["checks"] if c["level"] == "exact")
    return Markdown("\n\n".join(proof(claim_id, clause).text for clause in named))


def _exact(claim_id: str, clause: str) -> Check:
    proved = {c["clause"] for c in _entry(claim_id)["checks"] if c["verdict"] == "proved"}
    for check in _registry().subject(claim_id.split(".", 1)[0]).checks_of(claim_id):
        if check.level == "exact" and check.clause == clause and clause in proved:
            found: Check = check
            return found
    raise ClaimFailed(f"{claim_id}: clause {clause!r} is not proved by the run")


def controls(*patterns: str) -> Markdown:
    """What breaks the claims: each altered definition, and the witness that caught it."""
    rows, caught = [], 0
    for entry in (e for pattern in patterns for e in _matching(pattern)):
        for control in entry["controls"]:
            caught += _caught(control)
            rows.append(
                [
                    f"{link(entry['id'])}, `{control['check'].split('/')[1]}`",
                    control["name"].replace("_", " "),
                    _outcome(control),
                    code(control.get("witness") or ""),
                ]
            )
    body = table(["clause", "what was altered", "outcome", "witness"], rows).text
    return folded(f"{caught} of {len(rows)} altered definitions were caught", body, len(rows))


def _outcome(control: Mapping[str, Any]) -> str:
    return f"[{control['verdict']}]{{.verdict .{'good' if _caught(control) else 'bad'}}}"


def _caught(control: Mapping[str, Any]) -> bool:
    return control["verdict"] == "refuted" and bool(control["witness"])


def tolerances(*patterns: str) -> Markdown:
    """How close machines get: measured values beside their derived bounds, then enclosures."""
    measured, enclosed = [], []
    for entry in (e for pattern in patterns for e in _matching(pattern)):
        for check in entry["checks"]:
            named = check["id"].rpartition("/")[2].replace("_", " ")
            where = [f"{link(entry['id'])}, `{check['clause']}`", f"{named}: {check['scope']}"]
            value = number(check["measured"])
            limit = [number(check["bound"], up=True), code(check["formula"] or "")]
            if check["level"] == "ball":
                enclosed.append([*where, value, limit[0]])
            elif check["bound"] is not None:
                measured.append([*where, f"{check['level']}, {check['engine']}", value, *limit])
    heads = ["clause", "check and where", "by", "measured", "bound", "formula of the bound"]
    parts = ["No clause of these claims is measured against a rounding bound."]
    if measured:
        parts = [table(heads, measured).text]
    if enclosed:
        body = table(["clause", "check and where", "found", "limit"], enclosed).text
        title = f"{len(enclosed)} check{'s' * (len(enclosed) > 1)} by balls, rounding included"
        parts.append(folded(title, body, len(enclosed)).text)
    return Markdown("\n\n".join(parts))


def audited(report: Any) -> Markdown:
    """An audit: one line for each invariant, with its first finding, then the verdict."""
    rows = []
    for row in report.rows:
        first = row.findings[0] if row.findings else None
        seen = "" if first is None else f"{first.reason}; {first.given}"
        values = "" if first is None else f"{first.observed} / {first.right}"
        good = "bad" if row.verdict == "fault" else "good"
        rows.append([row.invariant, f"[{row.verdict}]{{.verdict .{good}}}", seen, code(values)])
    body = table(["invariant", "verdict", "first finding", "observed / right"], rows).text
    return Markdown(f"{body}\n\n**{report.verdict}**")


def listings(named: Mapping[str, str]) -> Markdown:
    """Python listings under their names."""
    parts = [f"{name}\n\n```python\n{text}\n```" for name, text in named.items()]
    return folded(f"{len(parts)} listings", "\n\n".join(parts), len(parts))


def cite(*patterns: str) -> Markdown:
    """How to cite the claims: the sentence that names id and revision, and the sources."""
    entries = [e for pattern in patterns for e in _matching(pattern)]
    ids = ", ".join(f"`{e['id']}@{e['revision']}`" for e in entries)
    keys = sorted({key for e in entries for key in _claim(e["id"]).source})
    sources = "; ".join(f"{{cite:t}}`{key}`" for key in keys)
    lines = [f"Name the id with its revision, and the version that checked it: {ids}, posproof"]
    lines[0] += f" {__version__}. `posproof cite ID` prints the entry for your bibliography."
    if sources:
        lines += ["", f"The claims come from {sources}."]
    return Markdown("\n".join(lines))


# ---------------------------------------------------------------------- many claims
def status(*patterns: str) -> Markdown:
    """The status table of the claims that match (all of them by default).

    The columns of `EVIDENCE` count the checks that came out well, `of` all where some did not.
    """
    rows = []
    for entry in (e for pattern in patterns or ("*",) for e in _matching(pattern)):
        caught = sum(map(_caught, entry["controls"]))
        rows.append(
            [
                f"[{entry['id']}](#{entry['id']})" if _stated(entry) else entry["id"],
                _verdict(entry) + (" conditional" if entry["conditional"] else ""),
                "" if entry["stance"] == "as-published" else entry["stance"],
                *(_passed(entry["checks"], levels) for levels in EVIDENCE.values()),
                count(caught, len(entry["controls"])),
            ]
        )
    return table(["claim", "verdict", "stance", *EVIDENCE, "controls"], rows)


#: Columns of the status table, and the levels that each of them counts.
EVIDENCE: dict[str, tuple[Level, ...]] = {
    "exact": ("exact",),
    "ball": ("ball",),
    "float": ("high", "float"),
    "random": ("property", "sampled"),
}


def _passed(checks: Iterable[Mapping[str, Any]], levels: Sequence[Level]) -> str:
    mine = [check for check in checks if check["level"] in levels]
    return count(sum(check["verdict"] == POSITIVE[check["level"]] for check in mine), len(mine))


def graph(*patterns: str) -> Html:
    """The claims and what they depend on; a node carries its verdict and links to its page."""
    import pygraphviz

    found = [e for pattern in patterns or ("*",) for e in _matching(pattern)]
    entries = {entry["id"]: entry for entry in found if _stated(entry)}
    drawing = pygraphviz.AGraph(directed=True, rankdir="LR", bgcolor="transparent", ranksep="0.35")
    drawing.node_attr.update(
        shape="box", style="rounded", fontname="Helvetica", fontsize="11", height="0.3"
    )
    for subject in sorted({name.split(".")[0] for name in entries}):
        for name in (n for n in entries if n.startswith(f"{subject}.")):
            label = name + ("" if _good(entries[name]) else f"\n{entries[name]['verdict']}")
            drawing.add_node(
                name,
                label=label,
                URL=f"{page_of(name)}.html#{anchor(name)}",
                target="_top",
                tooltip=f"{_claim(name).title}: {entries[name]['verdict']}",
                **{"class": entries[name]["verdict"]},
            )
    for name in entries:
        for needed in _claim(name).depends:
            if needed in entries:
                drawing.add_edge(needed, name)
    alt = f"Dependencies of {len(entries)} claims; every node carries its verdict"
    with _quiet_libraries():
        svg = inline(drawing.draw(format="svg", prog="dot").decode(), alt, "graph")
    return Html(f'<div class="graph">{svg}</div>')


def summary() -> Markdown:
    """The run in one sentence."""
    document = results()
    entries, counts = document["claims"], document["summary"]
    words = {entry["verdict"] for entry in entries}
    parts = [f"{counts[word]} {word}" for word in MOOD if word in words]
    checks = sum(len(entry["checks"]) for entry in entries)
    attacks = [control for entry in entries for control in entry["controls"]]
    caught = sum(map(_caught, attacks))
    return Markdown(
        f"**{len(entries)} claims: {', '.join(parts)}.** {checks} checks, and {caught} of "
        f"{len(attacks)} controls caught. Conditional: {counts['conditional']}, on "
        f"{counts['cited']} cited theorems and {counts['argued']} argued steps "
        f"(posproof {__version__}, profile `{document['run']['profile']}`)."
    )


@contextlib.contextmanager
def _quiet_libraries() -> Iterator[None]:
    """Keep what C libraries print about this machine's fonts out of the page."""
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


# ---------------------------------------------------------------------- how to read them
#: What one badge of a level needs and what it leaves open; the words are `vocabulary.POSITIVE`.
NEEDS: dict[Level, str] = {
    "exact": "a theorem of the kernel whose statement is the clause, for all values",
    "ball": "rigorous enclosures: intervals that contain the true value decide the clause",
    "high": "a residual at 50 digits below a stated bound",
    "float": "a residual in a named float format below a derived bound",
    "property": "a random search that tried to break the clause and did not",
    "sampled": "a seeded average below a derived deviation bound (it fails by chance once in 1e9)",
}


def levels() -> Markdown:
    """The levels, their words and how many checks of the run carry each."""
    checks = [check["level"] for entry in results()["claims"] for check in entry["checks"]]
    rows = [
        [level, f"[{word}]{{.verdict .good}}", NEEDS[level], str(checks.count(level))]
        for level, word in POSITIVE.items()
    ]
    return table(["level", "word", "what it needs", "checks in this book"], rows)


def trusts() -> Markdown:
    """What the claims of this book rest on, by tier."""
    users: dict[tuple[str, str], int] = {}
    for entry in results()["claims"]:
        for trust in entry["trusts"]:
            users[trust["tier"], trust["name"]] = users.get((trust["tier"], trust["name"]), 0) + 1
    rows = [[tier, name, str(count)] for (tier, name), count in sorted(users.items())]
    return table(["tier", "rests on", "claims"], rows)


def excerpt(claim_id: str) -> Markdown:
    """One check and one control of a claim as `verify --json` writes them, without the time."""
    entry = _entry(claim_id)
    check = {key: value for key, value in entry["checks"][0].items() if key != "seconds"}
    shown = {"id": entry["id"], "verdict": entry["verdict"], "checks": [check]}
    shown["controls"] = entry["controls"][:1]
    return Markdown(f"```json\n{json.dumps(shown, indent=2, ensure_ascii=False)}\n```")


# ---------------------------------------------------------------------- numbers for pictures
def function(claim_id: str, name: str, **fixed: Any) -> Callable[..., Any]:
    """A definition of a claim as a NumPy function of its remaining arguments, in float64.

    `name` is a field or method of the claim's definitions.  Good for drawing; what is measured at
    stated accuracy comes from `numerics`.

    >>> float(function("mobius.holonomy", "frequency")(0, 2))  # pi / 2
    1.5707963267948966
    """
    import inspect

    import sympy

    from posproof.theory.symbols import Variable

    definition = getattr(_claim(claim_id).definitions, name)
    free = [p for p in inspect.signature(definition).parameters if p not in fixed]
    symbols = {p: sympy.Symbol(p) for p in free}
    expression = definition(**symbols, **fixed)
    # SymPy's code printers go by class name and take our `Variable` for one of their own.
    bound = {a: sympy.Symbol(f"{a.name}_") for a in expression.atoms(Variable)}
    drawn: Callable[..., Any] = sympy.lambdify(
        list(symbols.values()), expression.xreplace(bound), modules="numpy"
    )
    return drawn


def values(claim_id: str, name: str, *arguments: Any) -> Any:
    """A list of numbers that a claim's definitions give, as a float64 array."""
    import numpy as np

    return np.array([float(v) for v in getattr(_claim(claim_id).definitions, name)(*arguments)])
