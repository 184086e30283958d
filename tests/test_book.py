"""The book says what theory says and what the run found, and does not build when a claim fails."""

from __future__ import annotations

import copy
import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import bibtexparser
import pytest
import yaml

from posproof import markup, pages
from posproof.registry import Registry

ROOT = Path(__file__).resolve().parent.parent
BOOK = ROOT / "book"
CLAIMS = {claim.id: claim for claim in Registry().claims()}
SECTIONS = [
    "What is claimed",
    "What it means",
    "Why it is true",
    "How close machines get",
    "What breaks it",
    "How to cite",
]


def listed() -> list[str]:
    """The pages of the table of contents, in its order."""
    toc = yaml.safe_load((BOOK / "_toc.yml").read_text(encoding="utf-8"))

    def files(node: Any) -> list[str]:
        if isinstance(node, list):
            return [name for part in node for name in files(part)]
        if not isinstance(node, dict):
            return []
        own = [node[key] for key in ("root", "file") if key in node]
        return own + [name for value in node.values() for name in files(value)]

    return files(toc)


def text_of(page: str) -> str:
    return (BOOK / f"{page}.md").read_text(encoding="utf-8")


def stated_on(page: str) -> list[str]:
    return re.findall(r'^pages\.statement\("([^"]+)"\)$', text_of(page), re.MULTILINE)


STATING = [page for page in listed() if stated_on(page)]


# ---------------------------------------------------------------------- the sources
def test_every_page_is_in_the_table_of_contents() -> None:
    written = {
        path.relative_to(BOOK).with_suffix("").as_posix()
        for path in BOOK.rglob("*.md")
        if "_build" not in path.parts
    }
    assert written == set(listed())


@pytest.mark.parametrize("claim_id", CLAIMS)
def test_a_claim_is_stated_once_on_the_page_named_after_its_module(claim_id: str) -> None:
    assert [page for page in listed() if claim_id in stated_on(page)] == [pages.page_of(claim_id)]


@pytest.mark.parametrize("page", STATING)
def test_a_page_requires_every_claim_it_states(page: str) -> None:
    required = re.search(r"^pages\.require\((.*)\)$", text_of(page), re.MULTILINE)
    assert required is not None
    patterns = re.findall(r'"([^"]+)"', required[1])
    matched = {
        name for name in CLAIMS for p in patterns if re.fullmatch(p.replace("*", ".*"), name)
    }
    assert set(stated_on(page)) <= matched


@pytest.mark.parametrize("page", STATING)
def test_a_page_answers_in_order_with_a_picture(page: str) -> None:
    assert re.findall(r"^## (.+)$", text_of(page), re.MULTILINE) == SECTIONS
    meaning = text_of(page).split("## What it means")[1].split("## Why it is true")[0]
    assert "pages.picture(" in meaning


@pytest.mark.parametrize("page", listed())
def test_no_statement_is_typed_again(page: str) -> None:
    latex = [clause.latex for claim in CLAIMS.values() for clause in claim.clauses]
    assert not [formula for formula in latex if len(formula) > 40 and formula in text_of(page)]


def test_every_source_has_an_entry_with_authors_title_and_year() -> None:
    library = bibtexparser.parse_string(
        (ROOT / "theory" / "references.bib").read_text(encoding="utf-8")
    )
    assert not library.failed_blocks
    entries = {entry.key: entry.fields_dict for entry in library.entries}
    needed = {key for claim in CLAIMS.values() for key in claim.source}
    assert needed <= set(entries)
    assert all({"author", "title", "year"} <= set(entries[key]) for key in needed)
    assert not [key for key in needed if "unverified" in str(entries[key].get("keywords", ""))]


# ---------------------------------------------------------------------- what a page may say
@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    """A run of the rotary claims: enough to spoil."""
    from posproof.api import verify

    return verify("rotary", jobs=1).to_dict()


@pytest.fixture
def spoiled(document: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The same run with the pages reading it, free to be altered by the test."""
    altered = copy.deepcopy(document)
    monkeypatch.setattr(pages, "results", lambda: altered)
    return altered


def test_a_verified_claim_may_be_stated(spoiled: dict[str, Any]) -> None:
    assert "verified" in pages.require("rotary.*").text


@pytest.mark.parametrize("verdict", ["refuted", "broken", "error", "undecided", "partial"])
def test_nothing_less_than_verified_may_be_stated(spoiled: dict[str, Any], verdict: str) -> None:
    spoiled["claims"][0]["verdict"] = verdict
    name = spoiled["claims"][0]["id"]
    with pytest.raises(pages.ClaimFailed, match=f"{name} is {verdict}"):
        pages.require("rotary.*")


def test_a_pattern_without_a_claim_stops_the_page(spoiled: dict[str, Any]) -> None:
    with pytest.raises(pages.ClaimFailed, match="no claim matches"):
        pages.require("rotary.relatve")


def test_a_statement_shows_each_clause_and_the_verdict_of_the_run(spoiled: dict[str, Any]) -> None:
    spoiled["claims"][0]["verdict"] = "undecided"
    claim = CLAIMS[spoiled["claims"][0]["id"]]
    text = pages.statement(claim.id).text
    assert "[undecided]{.verdict .open}" in text
    assert claim.title in text
    assert all(f"`{clause.name}`" in text for clause in claim.clauses)


def test_a_missed_control_is_counted_and_shown(spoiled: dict[str, Any]) -> None:
    controls = spoiled["claims"][0]["controls"]
    controls[0]["verdict"], controls[0]["witness"] = "proved", None
    text = pages.controls(spoiled["claims"][0]["id"]).text
    assert f"{len(controls) - 1} of {len(controls)} altered definitions were caught" in text
    assert "[proved]{.verdict .bad}" in text


def test_a_proof_is_shown_only_when_the_run_found_one(spoiled: dict[str, Any]) -> None:
    claim = CLAIMS["rotary.norm"]
    clause = claim.clauses[0].name
    assert "identity" in pages.proof(claim.id, clause).text
    for entry in spoiled["claims"]:
        for check in entry["checks"]:
            check["verdict"] = "undecided"
    with pytest.raises(pages.ClaimFailed, match="not proved by the run"):
        pages.proof(claim.id, clause)


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=list(CLAIMS))
def test_stance_comes_first(claim: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = {
        "id": claim.id,
        "verdict": "verified",
        "checks": [],
        "trusts": [],
        "conditional": False,
    }
    monkeypatch.setattr(pages, "results", lambda: {"claims": [entry]})
    first = pages.example(claim.id).text.splitlines()[1]
    assert first.startswith("*" + claim.stance.capitalize()) == (claim.stance != "as-published")
    assert claim.stance == "as-published" or claim.reading in first


def test_a_measured_value_is_rounded_to_nearest_and_a_bound_upwards() -> None:
    assert markup.number("1.2341e-6") == "1.23e-6"
    assert markup.number("1.2341e-6", up=True) == "1.24e-6"
    assert markup.number("0.5001", up=True) == "0.501"
    assert markup.number(None) == ""


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=list(CLAIMS))
def test_breaking_a_formula_loses_no_symbol(claim: Any) -> None:
    """What `display` cuts at is white space or put back: nothing else may disappear."""

    def symbols(latex: str) -> str:
        bare = re.sub(r"\$|&|\\begin\{aligned\}|\\end\{aligned\}|\\\\(?=\n)", "", latex)
        words = re.sub(r"\\text\{([^{}]*)\}", r"\1", bare)
        return re.sub(r"\\quad|\\ |\s|,", "", words)

    for clause in claim.clauses:
        assert symbols(markup.display(clause.latex)) == symbols(clause.latex)


def test_a_long_step_of_a_proof_is_cut_and_says_so() -> None:
    assert pages.cut("x = y") == "x = y"
    shown = pages.cut("x" * 200_000)
    assert len(shown) < 2 * pages.LONGEST and shown.endswith("(200,000 characters in all)")


def test_pictures_are_the_same_twice_and_take_the_ink_of_the_page() -> None:
    def drawn() -> str:
        figure, axis = pages.axes()
        axis.plot([0, 1], [0, 1], **pages.cycle(0))
        return pages.picture(figure, "a line")._repr_html_()

    assert drawn() == drawn()
    assert "currentColor" in drawn()
    assert pages.INK not in drawn()
    assert 'aria-label="a line"' in drawn()


def test_the_digest_of_a_run_sees_a_changed_definition(tmp_path: Path) -> None:
    (tmp_path / "theory").mkdir()
    module = tmp_path / "theory" / "rotary.py"
    module.write_text("n - p")
    before = pages.digest(tmp_path)
    module.write_text("p - n")
    assert pages.digest(tmp_path) != before


# ---------------------------------------------------------------------- building
def small_book(folder: Path) -> Path:
    """A copy of the checkout that holds the rotary subject alone, page and references."""
    root = folder / "checkout"
    for floor in pages.FLOORS:
        shutil.copytree(ROOT / floor, root / floor, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(BOOK, root / "book", ignore=shutil.ignore_patterns("_build", "*.md"))
    for page in ("rotary", "references"):
        shutil.copy(BOOK / f"{page}.md", root / "book")
    shutil.copy(ROOT / "pyproject.toml", root)
    for subject in set(Registry().names) - {"rotary"}:
        for floor in pages.FLOORS[:3]:
            shutil.rmtree(root / floor / subject, ignore_errors=True)
            (root / floor / f"{subject}.py").unlink(missing_ok=True)
    toc = {"format": "jb-book", "root": "rotary", "chapters": [{"file": "references"}]}
    (root / "book" / "_toc.yml").write_text(yaml.safe_dump(toc))
    return root


def build_in(root: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "posproof", "book", "build"]
    env = {**os.environ, "PYTHONPATH": str(root)}
    return subprocess.run(command, cwd=root, env=env, capture_output=True, text=True, check=False)


def fingerprints(html: Path) -> dict[str, str]:
    files = (path for path in html.rglob("*") if path.is_file())
    return {
        str(path.relative_to(html)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files
    }


def test_a_small_book_builds_the_same_twice_and_not_when_its_claim_fails(tmp_path: Path) -> None:
    root = small_book(tmp_path)
    html = root / "book" / "_build" / "html"
    built = build_in(root)
    assert built.returncode == 0, built.stderr
    first = fingerprints(html)
    assert "rotary.html" in first

    shutil.rmtree(html)
    assert build_in(root).returncode == 0
    assert fingerprints(html) == first

    shutil.rmtree(html)
    definitions = root / "theory" / "rotary.py"
    text = definitions.read_text()
    assert text.count("return n - p\n") == 1
    definitions.write_text(text.replace("return n - p\n", "return p - n\n"))
    spoiled = build_in(root)
    assert spoiled.returncode != 0
    assert "rotary.relative is refuted" in spoiled.stderr
    assert not (html / "rotary.html").exists()


def test_a_warning_fails_the_build(tmp_path: Path) -> None:
    root = small_book(tmp_path)
    with (root / "book" / "references.md").open("a") as page:
        page.write("\n[nowhere](#no-such-anchor)\n")
    spoiled = build_in(root)
    assert spoiled.returncode != 0
    assert "no-such-anchor" in spoiled.stderr
