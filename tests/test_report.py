"""Every report carries the same verdicts, and its readers accept it."""

from __future__ import annotations

import io
import json
import re
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import jsonschema
import junitparser
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent / "app_fixtures"))

from houses import FAULTY, SOUND, run

import posproof
from posproof.report import terminal
from posproof.report.html import claim_box, result_box
from posproof.report.junit import junit_xml
from posproof.report.terminal import show_result
from posproof.report.words import SIGNS
from posproof.result import ClaimResult, Result
from posproof.tasks import Finding
from posproof.verdict import VERDICTS

SCHEMA = json.loads(
    (Path(posproof.__file__).parent / "schema" / "verify-1.json").read_text(encoding="utf-8")
)
EVERY_VERDICT = ["refuted", "uncaught", "raises", "unsure", "bare", "unimportable", "above"]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(scope="module")
def good() -> Result:
    return run(SOUND)


@pytest.fixture(scope="module")
def bad() -> Result:
    return run(FAULTY, *EVERY_VERDICT)


@pytest.fixture(params=["good", "bad", "partial"], scope="module")
def result(request: pytest.FixtureRequest, good: Result, bad: Result) -> Result:
    return {"good": good, "bad": bad, "partial": run(SOUND, levels=["float"])}[request.param]


# ---------------------------------------------------------------------- JSON
def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_json_obeys_the_schema(result: Result) -> None:
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(result.to_json()))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda d: d.pop("summary"),
        lambda d: d["claims"][0].update(verdict="fine"),
        lambda d: d["claims"][1]["checks"][0].update(bound=0.5),
        lambda d: d["run"].update(levels=[]),
        lambda d: d["summary"].update(verified=-1),
        lambda d: d.update(extra=1),
        lambda d: d["environment"].update(lock="none"),
    ],
)
def test_the_schema_notices_what_is_wrong(good: Result, spoil: Any) -> None:
    document = json.loads(good.to_json())
    spoil(document)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(SCHEMA).validate(document)


def test_the_summary_counts_claims(result: Result) -> None:
    counts = json.loads(result.to_json())["summary"]
    assert sum(counts[verdict] for verdict in VERDICTS) == len(result.claims)
    assert counts["conditional"] == sum(claim.conditional for claim in result.claims)


def test_a_bound_is_printed_rounded_up(good: Result) -> None:
    expansion = json.loads(good.to_json())["claims"][1]
    (floats,) = [check for check in expansion["checks"] if check["level"] == "float"]
    # 2^-50 / 3 = 2.96059...e-16
    assert (floats["bound"], floats["formula"]) == ("2.96060E-16", "2^-50 / 3")
    assert floats["measured"] == 0.0


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [
        ([], 0),
        (["verified", "partial"], 0),
        (["verified", "undecided"], 3),
        (["error"], 3),
        (["broken", "error"], 1),
        (["refuted", "undecided"], 1),
    ],
)
def test_the_exit_code_follows_the_worst_claim(verdicts: list[str], code: int) -> None:
    claims = tuple(ClaimResult(f"a.{i}", "", verdict) for i, verdict in enumerate(verdicts))
    assert Result(claims).exit_code == code


def test_the_sentence_counts_distinct_assumptions() -> None:
    cited, argued = ("cited", "niven"), ("argued", "limits may be exchanged")
    claims = (
        ClaimResult("a.1", "", "verified", trusts=(cited, ("software", "FLINT"))),
        ClaimResult("a.2", "", "verified", trusts=(argued, cited)),
        ClaimResult("a.3", "", "verified"),
        ClaimResult("a.4", "", "undecided", trusts=(("cited", "kronecker"),)),
    )
    assert Result(claims).sentence() == (
        "3 verified (2 conditional on 1 cited theorem, 1 argued), 1 undecided"
    )
    assert Result(()).sentence() == "no claims"


# ---------------------------------------------------------------------- JUnit
def test_junit_is_read_by_a_parser_and_counts_agree(result: Result, tmp_path: Path) -> None:
    path = tmp_path / "report.xml"
    path.write_text(junit_xml(result), encoding="utf-8")
    suites = list(junitparser.JUnitXml.fromfile(str(path)))
    assert [suite.name for suite in suites] == [claim.id for claim in result.claims]
    for suite, claim in zip(suites, result.claims, strict=True):
        cases = [entry for case in suite for entry in case.result]
        failures = [entry for entry in cases if isinstance(entry, junitparser.Failure)]
        errors = [entry for entry in cases if isinstance(entry, junitparser.Error)]
        assert (suite.failures, suite.errors) == (len(failures), len(errors))
        assert bool(failures) == (claim.verdict in ("refuted", "broken"))
        assert bool(failures or errors) == (claim.verdict not in ("verified", "partial"))


def test_junit_survives_characters_xml_cannot_carry(bad: Result) -> None:
    found = Finding("a.b/c/float/d", "two\x00", "certified", witness="\x1b[31m & <tag> \ud800")
    claim = replace(bad.claims[0], reason="\x07 & <x>", controls=(found,))
    text = junit_xml(replace(bad, claims=(claim,)))
    junitparser.JUnitXml.fromstring(text.encode("utf-8"))


# ---------------------------------------------------------------------- terminal
@pytest.mark.parametrize("stream", [io.StringIO, Terminal])
def test_the_terminal_names_every_claim_and_its_verdict(result: Result, stream: Any) -> None:
    out = stream()
    show_result(result, out)
    shown = out.getvalue()
    for claim in result.claims:
        line = next(line for line in shown.splitlines() if claim.id in line)
        assert f"{SIGNS[claim.verdict]} {claim.verdict}" in line
        assert ("conditional" in line) == claim.conditional
    assert result.sentence() in shown


def test_plain_output_has_no_escape_codes(result: Result) -> None:
    out = io.StringIO()
    show_result(result, out)
    assert "\x1b" not in out.getvalue()


def test_what_broke_is_named_after_the_table(bad: Result) -> None:
    out = io.StringIO()
    show_result(bad, out)
    shown = out.getvalue()
    for said in (
        "refuted.one is refuted\n  check refuted.one/one/float/compare is refuted: x = 2: 2 is not",
        "uncaught.one is broken\n  control 'two' of uncaught.one/one/ball/careless was not caught",
        "bare.one is undecided\n  clause other has no evidence",
        "unimportable is error\n  faulty_house.numerics.unimportable: ValueError: the table is",
    ):
        assert said in shown


def test_assumptions_are_listed_under_the_table(good: Result) -> None:
    out = io.StringIO()
    show_result(good, out)
    assert "rests on the cited theorem integers_are_archimedean\n" in out.getvalue()
    assert "rests on the argued step completing the square by hand\n" in out.getvalue()


def test_progress_says_nothing_about_a_short_run() -> None:
    err = io.StringIO()
    with terminal.progress(err) as update:
        update(1, 2, Finding("a.b/c/float/d", None, "certified"))
    assert err.getvalue() == ""


def test_progress_is_a_plain_line_where_there_is_no_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(terminal, "PLAIN_SECONDS", -1.0)
    err = io.StringIO()
    with terminal.progress(err) as update:
        update(1, 2, Finding("a.b/c/float/d", None, "certified"))
    assert err.getvalue() == "1 of 2 checks done\n"


def test_progress_on_a_terminal_names_the_claim() -> None:
    err = Terminal()
    with terminal.progress(err) as update:
        update(1, 2, Finding("a.b/c/float/d", None, "certified"))
    assert "1/2" in err.getvalue()
    assert "a.b" in err.getvalue()


# ---------------------------------------------------------------------- Markdown and HTML
def test_markdown_has_one_row_a_claim(result: Result) -> None:
    rows = [line for line in result.to_markdown().splitlines() if line.startswith("| `")]
    assert len(rows) == len(result.claims)
    for row, claim in zip(rows, result.claims, strict=True):
        assert f"`{claim.id}` | {SIGNS[claim.verdict]} {claim.verdict}" in row
        assert len(re.findall(r"(?<!\\)\|", row)) == 5


class Balanced(HTMLParser):
    """Collects text and classes, and refuses tags that do not match."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""
        self.classes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.open.append(tag)
        self.classes.update((dict(attrs).get("class") or "").split())

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def parsed(html: str) -> Balanced:
    reader = Balanced()
    reader.feed(html)
    reader.close()
    assert reader.open == []
    return reader


def test_a_box_says_what_the_run_says(result: Result) -> None:
    box = parsed(result_box(result))
    assert result_box(result) == result._repr_html_()
    for claim in result.claims:
        assert claim.id in box.text
        inner = parsed(claim._repr_html_())
        assert f"{SIGNS[claim.verdict]} {claim.verdict}" in inner.text
        assert all(cause in inner.text for cause in claim.causes())
    assert result.sentence() in box.text


def test_box_classes_are_ours_alone(result: Result) -> None:
    assert all(name.startswith("pp-") for name in parsed(result_box(result)).classes)


def test_a_box_escapes_what_it_shows() -> None:
    claim = ClaimResult("a.b", "<script>", "error", reason="<b>&")
    assert "<script>" not in result_box(Result((claim,)))
    assert "<b>" not in claim_box(claim)
