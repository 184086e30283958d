"""An audit as a person reads it, and as a dashboard does.

Main definitions
----------------
show        a report on a terminal
junit_xml   reports as JUnit XML: an encoding is a suite, an invariant is a case
installed   the adapters that can be run here
listing     the invariants, what they need, and the faults they answer for
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence
from datetime import date
from typing import TextIO
from xml.etree import ElementTree as xml

from posproof import __version__
from posproof.audit.findings import SCHEMA, Finding, Report
from posproof.errors import BadInput
from posproof.report.words import SIGNS, counted

WIDTH = 100


def show(report: Report, out: TextIO) -> None:
    """Print facts, one line for each invariant, each finding in full, and the verdict."""
    for name, value in report.facts.items():
        print(f"{name}: {value}", file=out)
    wide = max((len(row.invariant) for row in report.rows), default=0)
    for row in report.rows:
        sign = SIGNS[row.verdict]
        print(f"{sign} {row.invariant:{wide}}  {row.verdict:12} {row.seconds:6.2f} s", file=out)
        for finding in row.findings:
            for line in _lines(finding):
                print(line, file=out)
    print(_sentence(report), file=out)


def _lines(finding: Finding) -> list[str]:
    lines = []
    for text in finding.lines():
        lines += textwrap.wrap(text, WIDTH, initial_indent="    ", subsequent_indent="      ")
    return lines


def _sentence(report: Report) -> str:
    found = [finding for row in report.rows for finding in row.findings]
    faults = sum(finding.verdict == "fault" for finding in found)
    words = {
        "fault": f"{counted(faults, 'fault')} in {counted(len(report.rows), 'invariant')}",
        "precondition": "the input is not what the claims need",
        "by-design": "no fault; what its own rule breaks is listed above",
        "clean": f"{counted(len(report.rows), 'invariant')} hold",
        "no answer": report.stopped,
    }[report.verdict]
    stopped = f" ({report.stopped})" if report.stopped and report.verdict == "fault" else ""
    return f"{SIGNS[report.verdict]} {report.target}: {report.verdict}, {words}{stopped}"


def exit_code(reports: Sequence[Report]) -> int:
    """The exit code of several audits: the gravest."""
    codes = {report.exit_code for report in reports}
    return next((code for code in (1, 3) if code in codes), 0)


def installed(err: TextIO) -> list[str]:
    """The adapters whose libraries are there; says on `err` which are not.  BadInput for none."""
    from posproof.audit.adapters import shipped

    missing = sorted({one.library for one in shipped() if one.installed is None})
    if missing:
        print(f"not installed, so left out: {', '.join(missing)}", file=err)
    found = [one.target for one in shipped() if one.installed is not None]
    if not found:
        raise BadInput("no library is installed; the extra posproof[audit] has them", "--all")
    return found


def collected(reports: Sequence[Report]) -> str:
    """Several reports as one JSON document."""
    from posproof.audit.adapters import shipped

    document = {
        "schema": SCHEMA,
        "posproof": __version__,
        "audited": date.today().isoformat(),
        "releases": {one.library: one.installed for one in shipped() if one.installed},
        "reports": [report.to_dict() for report in reports],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def junit_xml(*reports: Report) -> str:
    """Reports as a JUnit document: faults are failures, failed preconditions are skipped."""
    root = xml.Element("testsuites", name="posproof audit")
    for report in reports:
        _suite(root, report)
    for count in ("failures", "errors"):
        root.set(count, str(sum(int(suite.get(count, "0")) for suite in root)))
    xml.indent(root)
    return xml.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _suite(root: xml.Element, report: Report) -> None:
    suite = xml.SubElement(root, "testsuite", name=report.target, tests=str(len(report.rows)))
    failures = 0
    for row in report.rows:
        attributes = {
            "classname": report.target,
            "name": row.invariant,
            "time": f"{row.seconds:.6f}",
        }
        case = xml.SubElement(suite, "testcase", attributes)
        for finding in row.findings:
            kind = "failure" if finding.verdict == "fault" else "skipped"
            failures += kind == "failure"
            xml.SubElement(case, kind, type=finding.verdict, message="\n".join(finding.lines()))
    if report.stopped:
        case = xml.SubElement(suite, "testcase", classname=report.target, name="the audit")
        xml.SubElement(case, "error", type="no answer", message=report.stopped)
    suite.set("failures", str(failures))
    suite.set("errors", str(int(bool(report.stopped))))


def listing() -> str:
    """What an encoding may offer, and the invariants with the faults they answer for."""
    from posproof.audit.invariants import invariants
    from posproof.audit.protocol import CAPABILITIES, FACTS

    lines = ["An encoding offers any of these:"]
    for name, (arguments, returns) in CAPABILITIES.items():
        lines.append(f"  {name}({', '.join(arguments)}): {returns}")
    lines += ["", "and says any of these about itself:"]
    for name, (types, words) in FACTS.items():
        lines.append(f"  {name} ({' or '.join(kind.__name__ for kind in types)}): {words}")
    family = ""
    for known in invariants():
        if known.family != family:
            family = known.family
            lines += ["", f"{family}:"]
        needs = f" [{', '.join(known.needs)}]" if known.needs else ""
        lines += textwrap.wrap(
            f"{known.name}{needs}: {known.sees}",
            WIDTH,
            initial_indent="  ",
            subsequent_indent="    ",
        )
    return "\n".join(lines)
