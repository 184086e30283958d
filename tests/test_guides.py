"""What the guides show is what the code says, and their links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
GUIDES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "ERRATA.md")


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def excerpts() -> list[tuple[str, str]]:
    """File and text of every excerpt in CONTRIBUTING.md; `...` stands for what is left out."""
    blocks = re.findall(r"```python\n# (\S+)\n(.*?)```", text_of("CONTRIBUTING.md"), re.DOTALL)
    return [(file, part) for file, body in blocks for part in body.split("...\n")]


def test_contributing_is_short_and_shows_three_rooms() -> None:
    assert len(text_of("CONTRIBUTING.md").splitlines()) < 60
    assert {file.split("/")[0] for file, _ in excerpts()} == {"theory", "proofs_check", "numerics"}


@pytest.mark.parametrize(("file", "excerpt"), excerpts())
def test_an_excerpt_is_the_code(file: str, excerpt: str) -> None:
    assert excerpt in text_of(file)


@pytest.mark.parametrize("guide", GUIDES)
def test_links_lead_somewhere(guide: str) -> None:
    targets = re.findall(r"\]\(([^)#:\s]+)\)", text_of(guide))
    assert not [target for target in targets if not (ROOT / target).exists()]


def test_the_commands_shown_exist() -> None:
    shown = {
        target
        for guide in GUIDES
        for target in re.findall(r"(?:^|`)make (\w+)", text_of(guide), re.MULTILINE)
    }
    assert {"verify", "test"} <= shown
    assert not [name for name in shown if not re.search(rf"^{name}:", text_of("Makefile"), re.M)]


def test_readme_shows_a_run() -> None:
    """The block under the two commands is output of the program, summary line included."""
    assert re.search(r"```text\n.*^\d+ verified.*```", text_of("README.md"), re.DOTALL | re.M)
