"""Digests of what a result depends on, so that an old result is reused only when nothing changed.

Main definitions
----------------
lock_digest     the locked dependencies, or the installed ones where there is no lock
source_digest   the modules a check runs through, with the data files beside them

Implementation notes
--------------------
Modules are found by reading import statements, functions' own imports included, from the check's
module on; only modules of the three floors count, since the lock fixes everything else.  Imports
computed at run time are not seen.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.metadata
import importlib.util
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from posproof.registry import Floors
from posproof.theory.vocabulary import Check

#: Distributions whose version can change a result.
ENGINES = ("sympy", "mpmath", "python-flint", "numpy", "ml_dtypes", "hypothesis")


def installed_versions() -> dict[str, str]:
    """Versions of the engines that are installed."""
    versions = {}
    for name in ENGINES:
        try:
            versions[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return versions


@lru_cache(maxsize=1)
def lock_digest() -> str:
    """SHA-256 of `requirements.lock` in a checkout with the installed engine versions."""
    lock = Path(__file__).resolve().parent.parent / "requirements.lock"
    digest = hashlib.sha256(lock.read_bytes() if lock.is_file() else b"")
    digest.update(repr(sorted(installed_versions().items())).encode())
    return digest.hexdigest()


def source_digest(check: Check, floors: Floors) -> str:
    """SHA-256 over the floors' modules a check reaches through imports, and their data files."""
    start = [check.run.__module__, f"{floors.theory}.{check.claim.id.split('.', 1)[0]}"]
    if check.level == "exact":
        start.append(f"{floors.proofs}.decide")
    return _digest_from(tuple(start), floors)


@lru_cache(maxsize=1024)
def _digest_from(start: tuple[str, ...], floors: Floors) -> str:
    digest = hashlib.sha256()
    for path in sorted(_reachable(start, floors)):
        digest.update(path.name.encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _reachable(start: tuple[str, ...], floors: Floors) -> set[Path]:
    waiting, seen, files = list(start), set(start), set[Path]()
    while waiting:
        path = _file_of(waiting.pop())
        if path is None:
            continue
        files.update({path}, _data_beside(path))
        for name in _imports(path):
            if name not in seen and name.startswith(tuple(f"{f}." for f in floors.names)):
                seen.add(name)
                waiting.append(name)
    return files


def _data_beside(module: Path) -> Iterator[Path]:
    for path in module.parent.iterdir():
        if path.is_file() and path.suffix not in (".py", ".pyc"):
            yield path


def _file_of(name: str) -> Path | None:
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, AttributeError):  # `from module import function`: not a module
        return None
    origin = None if spec is None else spec.origin
    return Path(origin) if origin and origin.endswith(".py") else None


@lru_cache(maxsize=1024)
def _imports(path: Path) -> tuple[str, ...]:
    """Absolute names a file imports; `from a import b` gives both `a` and `a.b`."""
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names.extend(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.append(node.module)
            names.extend(f"{node.module}.{alias.name}" for alias in node.names)
    return tuple(names)
