"""The examples in docstrings print what they say they print."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TREES = {
    "theory": "posproof.theory",
    "proofs_check": "posproof.proofs_check",
    "numerics": "posproof.numerics",
    "posproof": "posproof",
}


def module_names() -> list[str]:
    """Import names of all our modules that hold an example."""
    names = []
    for tree, package in TREES.items():
        for path in sorted((ROOT / tree).rglob("*.py")):
            if ">>> " in path.read_text(encoding="utf-8"):
                inside = path.relative_to(ROOT / tree).with_suffix("").parts
                names.append(".".join([package, *(part for part in inside if part != "__init__")]))
    return names


@pytest.mark.parametrize("name", module_names())
def test_examples_print_what_they_say(name: str) -> None:
    done = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert done.attempted > 0
    assert done.failed == 0
