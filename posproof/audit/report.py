"""An audit as a person reads it, and as a dashboard does.

Main definitions
----------------
show        a report on a terminal
junit_xml   a report as JUnit XML: an invariant is a case
listing     the invariants, what they need, and the faults they answer for
"""

from __future__ import annotations

import textwrap
from typing import TextIO
from xml.etree import ElementTree as xml

from posproof.audit.findings import Finding, Report, Row
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
            for line in _lines(row, finding):
                print(line, file=out)
    print(_sentence(report), file=out)


def _lines(row: Row, finding: Finding) -> list[str]:
    said = finding.lines()
    if row.claim and finding.verdict == "fault":
        said.append(f"claim: {row.claim}")
    lines = []
    for text in said:
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


def junit_xml(report: Report) -> str:
    """The report as a JUnit document: faults are failures, failed preconditions are skipped."""
    root = xml.Element("testsuites", name="posproof audit")
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
    for element in (root, suite):
        element.set("failures", str(failures))
        element.set("errors", str(int(bool(report.stopped))))
    xml.indent(root)
    return xml.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


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
