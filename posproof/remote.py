"""Hands tasks to a Dask scheduler.

Main definitions
----------------
run_on_dask     the counterpart of `runner.run_locally`
run_isolated    what a Dask worker does with one chunk

Implementation notes
--------------------
A Dask worker cannot be killed for one bad check without losing its other work, so a chunk runs in a
process of its own (`posproof.worker`), where the limits hold as they do locally.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterable
from typing import Any

from posproof.errors import BadInput
from posproof.registry import Floors
from posproof.runner import Chunk, Emit, Limits, death
from posproof.tasks import Finding, Task, failure
from posproof.theory.vocabulary import Run
from posproof.worker import READY, request

ARGUMENT = "--scheduler"
#: Seconds to wait for a scheduler to answer, and for a worker to import its subjects.
CONNECT_SECONDS = 5.0
IMPORT_SECONDS = 120.0


def run_on_dask(
    address: str, chunks: Iterable[Chunk], floors: Floors, run: Run, limits: Limits, emit: Emit
) -> None:
    """Run every task on the workers of a scheduler; BadInput when it cannot be reached."""
    client = connect(address)
    try:
        from distributed import as_completed

        futures = [
            client.submit(run_isolated, chunk, floors, run, limits, pure=False)
            for chunk in chunks
            if chunk
        ]
        with client.as_current():
            for _, findings in as_completed(futures, with_results=True):
                for finding in findings:
                    emit(finding)
    finally:
        client.close()


def connect(address: str) -> Any:
    """A client of the scheduler at an address such as `tcp://host:8786`."""
    try:
        from distributed import Client
    except ImportError as cause:
        what = "Dask is not installed: pip install 'posproof[dask]'"
        raise BadInput(what, ARGUMENT) from cause
    import logging

    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        return Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, TimeoutError, ValueError, TypeError) as cause:
        raise BadInput(f"no Dask scheduler answers at {address!r}", ARGUMENT) from cause


def run_isolated(tasks: Chunk, floors: Floors, run: Run, limits: Limits) -> list[Finding]:
    """Run tasks one after another in a process of their own, a new one after each casualty."""
    remaining, findings = list(tasks), list[Finding]()
    while remaining:
        answered, reason = _serve(remaining, floors, run, limits)
        findings += answered
        remaining = remaining[len(answered) :]
        if remaining:
            findings.append(failure(remaining.pop(0), reason))
    return findings


def _serve(
    tasks: list[Task], floors: Floors, run: Run, limits: Limits
) -> tuple[list[Finding], str]:
    """What one process answered, and why it stopped before the next task."""
    command = [sys.executable, "-m", "posproof.worker"]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        late = threading.Event()

        def kill() -> None:
            late.set()
            process.kill()

        timer = _started(IMPORT_SECONDS, kill)
        process.stdin.write(request(tasks, floors, run, limits.memory_mib))
        process.stdin.close()
        findings = []
        for line in process.stdout:
            timer.cancel()
            if line.strip() != READY:
                findings.append(Finding.from_dict(json.loads(line)))
            timer = _started(limits.seconds, kill)
        timer.cancel()
        process.wait()
    if late.is_set():
        return findings, f"no answer within {limits.seconds:g} s"
    return findings, death(process.returncode, limits.memory_mib)


def _started(seconds: float, action: Any) -> threading.Timer:
    timer = threading.Timer(seconds, action)
    timer.daemon = True
    timer.start()
    return timer
