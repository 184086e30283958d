"""Results on disk while they arrive: one JSON line each, and picked up again by `--resume`.

Main definitions
----------------
Stream        appends findings to a run file, each line flushed to the disk before going on
open_stream   opens or creates a run file and reads the findings that still count

Conventions
-----------
The first line names the format.  A finding counts again only when its check id, the digests of its
sources and of the lock, the profile, the digits and the seed agree; one that gave no answer
(`error`) is tried again.  A last line that was cut off is dropped.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from posproof.errors import BadInput
from posproof.tasks import Finding, Task
from posproof.theory.vocabulary import Run

HEADER = {"posproof": "run", "schema": 1}
ARGUMENT = "--resume"


@dataclass(frozen=True)
class Stream:
    """An open run file; `known` maps tasks to findings that need not be run again."""

    file: BinaryIO
    key_of: Callable[[str], dict[str, Any]]
    known: dict[Task, Finding]

    def append(self, finding: Finding) -> None:
        """Write one finding and wait until it is on the disk."""
        _write_line(self.file, {"key": self.key_of(finding.check), "finding": finding.to_dict()})

    def close(self) -> None:
        self.file.close()


def run_key(run: Run, sources: str, lock: str) -> dict[str, Any]:
    """What must agree for a finding to count again, besides its check id."""
    return {
        "sources": sources,
        "lock": lock,
        "profile": run.profile,
        "digits": run.digits,
        "seed": run.seed,
    }


def open_stream(path: Path, key_of: Callable[[str], dict[str, Any]]) -> Stream:
    """Open a run file to continue it, or create it in an existing folder.

    `key_of` gives the key of a check id and raises KeyError for one that no longer exists.
    Raises BadInput when the file is not a run file or cannot be read or written.
    """
    try:
        if not path.exists():
            file = open(path, "x+b")  # noqa: SIM115  the stream owns it
            _write_line(file, HEADER)
            return Stream(file, key_of, {})
        file = open(path, "r+b")  # noqa: SIM115  the stream owns it
    except OSError as cause:
        raise BadInput(f"cannot use {path}: {cause.strerror}", ARGUMENT) from cause
    try:
        known = _read(file, path, key_of)
    except BaseException:
        file.close()
        raise
    return Stream(file, key_of, known)


def _read(
    file: BinaryIO, path: Path, key_of: Callable[[str], dict[str, Any]]
) -> dict[Task, Finding]:
    """Findings that count, leaving the file positioned after its last whole line."""
    try:
        whole, _, _ = (b"\n" + file.read()).rpartition(b"\n")
        lines = [json.loads(line) for line in whole.splitlines() if line]
        foreign = bool(lines) and lines[0] != HEADER
        entries = [(line["key"], Finding.from_dict(line["finding"])) for line in lines[1:]]
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        foreign = True
    if foreign or (not lines and os.fstat(file.fileno()).st_size):
        raise BadInput(f"{path} is not a run file of posproof", ARGUMENT)
    file.seek(max(0, len(whole)))
    file.truncate()
    if not lines:
        _write_line(file, HEADER)
    return {finding.task: finding for key, finding in entries if _counts(key, finding, key_of)}


def _counts(key: Any, finding: Finding, key_of: Callable[[str], dict[str, Any]]) -> bool:
    if finding.verdict == "error":
        return False
    try:
        return bool(key == key_of(finding.check))
    except KeyError:
        return False


def _write_line(file: BinaryIO, data: dict[str, Any]) -> None:
    file.write(json.dumps(data, ensure_ascii=False).encode() + b"\n")
    file.flush()
    os.fsync(file.fileno())
