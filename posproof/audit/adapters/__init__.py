"""Encodings of published libraries, as an audit takes them.

Main definitions
----------------
Shipped      one encoding of a library: where its adapter stands, and which release it was read with
shipped      every one, in the order of libraries
recorded     what the releases of requirements-audit.txt gave, as the book shows it

Conventions
-----------
A module is one library; each public class of it is an encoding that is made without arguments and
uses the library's own functions.  Nothing here is imported until it is audited: the libraries are
the optional extra `posproof[audit]`.
"""

from __future__ import annotations

import ast
import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path

#: module: (distribution, the release its adapters were written for)
LIBRARIES = {
    "hf_transformers": ("transformers", "5.24.0"),
    "lucidrains_rotary": ("rotary-embedding-torch", "0.9.1"),
    "lucidrains_x": ("x-transformers", "2.31.10"),
    "torchtune_files": ("torchtune", "0.6.1"),
    "hf_diffusers": ("diffusers", "0.42.1"),
    "torch_linalg": ("torch", "2.13.0"),
    "e3nn_o3": ("e3nn", "0.6.0"),
    "scipy_special": ("scipy", "1.17.1"),
    "sympy_functions": ("sympy", "1.14.0"),
    "mpmath_functions": ("mpmath", "1.3.0"),
}


@dataclass(frozen=True)
class Shipped:
    """`target` is what `posproof audit` takes; `installed` is None where the library is missing."""

    name: str
    library: str
    target: str
    about: str
    written_for: str
    installed: str | None


@lru_cache(maxsize=1)
def shipped() -> tuple[Shipped, ...]:
    """Every adapter, found without importing a library."""
    return tuple(_found())


def _found() -> Iterator[Shipped]:
    for module, (distribution, release) in LIBRARIES.items():
        tree = ast.parse((Path(__file__).parent / f"{module}.py").read_text(encoding="utf-8"))
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                about = (ast.get_docstring(node) or "").splitlines()[0]
                target = f"{__name__}.{module}:{node.name}"
                yield Shipped(
                    node.name, distribution, target, about, release, _version(distribution)
                )


@dataclass(frozen=True)
class Recorded:
    """One encoding in the committed run: its first finding, and how to see it without posproof."""

    about: str
    library: str
    release: str
    verdict: str
    finding: str
    reproduction: str


@dataclass(frozen=True)
class Record:
    """The committed run, which `make audit-record` makes anew."""

    audited: str
    rows: tuple[Recorded, ...]


def recorded() -> Record:
    """The committed run of every adapter."""
    data = files("posproof") / "data"
    run = json.loads((data / "shipped.json").read_text(encoding="utf-8"))
    codes = tomllib.loads((data / "reproductions.toml").read_text(encoding="utf-8"))
    known = {one.target: one for one in shipped()}
    rows = []
    for report in run["reports"]:
        one = known[report["target"]]
        findings = [finding for row in report["invariants"] for finding in row["findings"]]
        said = findings[0] if findings else {"reason": "", "given": ""}
        short = one.target.rsplit(".", 1)[1]
        rows.append(
            Recorded(
                one.about,
                one.library,
                run["releases"][one.library],
                report["verdict"],
                "; ".join(text for text in (said["reason"], said["given"]) if text),
                codes.get(short, {"code": ""})["code"].strip(),
            )
        )
    return Record(run["audited"], tuple(rows))


def _version(distribution: str) -> str | None:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None
