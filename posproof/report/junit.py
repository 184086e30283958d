"""A run as JUnit XML, for the dashboards of continuous integration.

Main definitions
----------------
junit_xml    the document as text

Conventions
-----------
A claim is a suite; a check, a control and a clause without evidence is a case.  Refuted checks and
controls that were not caught are failures, everything without an answer is an error.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree as xml

from posproof.report.words import tier_sentence
from posproof.result import ClaimResult, Result
from posproof.tasks import Finding
from posproof.verdict import control_missed, control_passed

_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def junit_xml(result: Result) -> str:
    """The run as a JUnit document."""
    root = xml.Element("testsuites", name="posproof", time=f"{result.run['seconds']:.3f}")
    suites = [_suite(claim, result.run["started"]) for claim in result.claims]
    root.extend(suites)
    for count in ("tests", "failures", "errors"):
        root.set(count, str(sum(int(suite.get(count, "0")) for suite in suites)))
    xml.indent(root)
    return xml.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _suite(claim: ClaimResult, started: str) -> xml.Element:
    suite = xml.Element("testsuite", name=claim.id, timestamp=started)
    suite.set("time", f"{claim.seconds:.6f}")
    if claim.trusts:
        properties = xml.SubElement(suite, "properties")
        for tier, name in claim.trusts:
            value = _printable(tier_sentence(tier, name))
            xml.SubElement(properties, "property", name="trusts", value=value)
    if claim.reason:
        _ended(_case(suite, claim.id, "registration", 0.0), "error", "error", claim.reason)
    for check in claim.checks:
        found = check.finding
        _judge_check(_case(suite, claim.id, _short(found), found.seconds), found)
    for found in claim.controls:
        name = f"{_short(found)} under {found.control}"
        _judge_control(_case(suite, claim.id, name, found.seconds), found)
    for clause in claim.clauses:
        if clause.verdict == "undecided" and not clause.levels:
            case = _case(suite, claim.id, clause.name, 0.0)
            _ended(case, "error", "undecided", "the clause has no evidence")
    for count, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
        suite.set(count, str(len(list(suite.iter(tag)))))
    return suite


def _short(found: Finding) -> str:
    """A check's name within its claim."""
    return found.check.split("/", 1)[1]


def _case(suite: xml.Element, claim_id: str, name: str, seconds: float) -> xml.Element:
    attributes = {"classname": claim_id, "name": _printable(name), "time": f"{seconds:.6f}"}
    return xml.SubElement(suite, "testcase", attributes)


def _judge_check(case: xml.Element, found: Finding) -> None:
    if found.verdict == "refuted":
        _ended(case, "failure", "refuted", found.witness or found.reason)
    elif found.verdict in ("error", "undecided"):
        _ended(case, "error", found.verdict, found.reason)


def _judge_control(case: xml.Element, found: Finding) -> None:
    if control_missed(found):
        _ended(case, "failure", "broken", f"not caught: came back {found.verdict}")
    elif not control_passed(found):
        _ended(case, "error", found.verdict, found.reason or "refuted without a witness")


def _ended(case: xml.Element, tag: str, kind: str, message: str) -> None:
    xml.SubElement(case, tag, type=kind, message=_printable(message))


def _printable(text: str) -> str:
    """Text without the characters XML cannot carry."""
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)
