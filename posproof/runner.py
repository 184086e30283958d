"""Runs tasks in worker processes with a time and a memory limit for each.

Main definitions
----------------
Limits        how many workers, and what each task may use
run_locally   runs chunks of tasks in a pool of processes on this machine

Implementation notes
--------------------
A task often takes a millisecond, so tasks travel in chunks; a chunk hands back what it finished
after `CHUNK_SECONDS` and the rest is scheduled again.  When a chunk's process has to be killed or
dies, its members run again one by one, so that only the offender is reported.

On Linux workers are forked: they inherit the imported subjects and start in milliseconds, also
when a killed one is replaced.  Elsewhere forking is unsafe and they start from a fork server.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, wait
from dataclasses import dataclass
from typing import Any

from posproof.limits import OUT_OF_MEMORY
from posproof.registry import Floors
from posproof.tasks import CHUNK_SECONDS, Finding, Task, failure, run_chunk
from posproof.theory.vocabulary import Run

#: How worker processes start on this platform.
START_METHOD = "fork" if sys.platform == "linux" else "forkserver"
#: A pool that breaks is replaced so often before its tasks are given up.
_POOLS = 3

Chunk = tuple[Task, ...]
Emit = Callable[[Finding], None]


@dataclass(frozen=True)
class Limits:
    """Worker processes, seconds per task, and MiB a task may allocate (None: no limit)."""

    jobs: int
    seconds: float
    memory_mib: int | None


def default_jobs() -> int:
    """The processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_locally(
    chunks: Iterable[Chunk], floors: Floors, run: Run, limits: Limits, emit: Emit
) -> None:
    """Run every task and hand each finding to `emit` as it arrives, in no fixed order."""
    waiting = [chunk for chunk in chunks if chunk]
    for _ in range(_POOLS):
        if not waiting:
            return
        waiting = _run_pool(waiting, floors, run, limits, emit)
    for task in (task for chunk in waiting for task in chunk):
        emit(failure(task, "the worker pool broke"))


def _run_pool(
    chunks: list[Chunk], floors: Floors, run: Run, limits: Limits, emit: Emit
) -> list[Chunk]:
    """Run chunks in one pool; returns what is left when the pool itself breaks."""
    from pebble import ProcessPool

    context = multiprocessing.get_context(START_METHOD)
    pool = ProcessPool(min(limits.jobs, len(chunks)), initializer=_settle_in, context=context)
    waiting, pending = list(chunks), dict[Any, Chunk]()
    try:
        while waiting or pending:
            while waiting:
                future = _schedule(pool, waiting[-1], floors, run, limits)
                pending[future] = waiting.pop()
            for future in wait(pending, return_when=FIRST_COMPLETED).done:
                waiting.extend(_settle(future, pending[future], limits, emit))
                del pending[future]
        return []
    except BrokenExecutor:
        return [(task,) for chunk in (*waiting, *pending.values()) for task in chunk]
    finally:
        pool.stop()
        pool.join()


def _schedule(pool: Any, chunk: Chunk, floors: Floors, run: Run, limits: Limits) -> Any:
    slack = CHUNK_SECONDS if len(chunk) > 1 else 0.0
    arguments = (chunk, floors, run, limits.memory_mib)
    try:
        return pool.schedule(run_chunk, args=arguments, timeout=limits.seconds + slack)
    except RuntimeError as broken:  # pebble's word for a pool that broke meanwhile
        raise BrokenExecutor(str(broken)) from broken


def _settle(future: Any, chunk: Chunk, limits: Limits, emit: Emit) -> list[Chunk]:
    """Emit what a finished chunk gave; returns the chunks still to be run."""
    from pebble import ProcessExpired

    try:
        findings = future.result()
    except TimeoutError:
        reason = f"no answer within {limits.seconds:g} s"
    except ProcessExpired as expired:
        reason = death(expired.exitcode, limits.memory_mib)
    else:
        for finding in findings:
            emit(finding)
        return [chunk[len(findings) :]] if len(findings) < len(chunk) else []
    if len(chunk) > 1:
        return [(task,) for task in chunk]
    seconds = limits.seconds if reason.startswith("no answer") else 0.0
    emit(failure(chunk[0], reason, seconds))
    return []


def death(exitcode: int | None, memory_mib: int | None) -> str:
    """Why a worker is gone, in words."""
    if exitcode == OUT_OF_MEMORY and memory_mib is not None:
        return f"ran out of memory (limit {memory_mib} MiB)"
    if exitcode is not None and exitcode < 0:
        return f"its process was killed by {signal.Signals(-exitcode).name}"
    return f"its process ended with exit code {exitcode}"


def _settle_in() -> None:
    """Prepare a worker: checks print nowhere, Ctrl-C is the parent's, and no orphan lives on."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    os.close(nowhere)
    threading.Thread(target=_follow, args=(os.getppid(),), daemon=True).start()


def _follow(parent: int) -> None:
    """End this process soon after its parent is gone, whatever the parent died of."""
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)
