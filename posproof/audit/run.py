"""Runs an audit in a process of its own, within limits.

Main definitions
----------------
audit           audit an object of this process, or a target by name; returns a Report
audit_object    every invariant on an encoding, here and now

Implementation notes
--------------------
A target by name is imported in the worker, so that what it does to its process stays there.  Rows
arrive one by one, and a target that never returns costs only the rows still missing.
"""

from __future__ import annotations

import multiprocessing
import os
import platform
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from posproof import __version__
from posproof.audit.calls import Broken, Inapplicable
from posproof.audit.findings import Finding, Report, Row
from posproof.audit.invariants import Audit, Invariant, families, invariants
from posproof.audit.protocol import Encoding, encoding, load
from posproof.errors import BadInput, suggest

#: Seconds an audit may take unless told otherwise.
TIME_LIMIT = 60.0
#: How many different findings of one invariant are worth reading.
FINDINGS = 3
Update = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Limits:
    """Seconds of one audit, and MiB it may allocate (None: no limit)."""

    seconds: float = TIME_LIMIT
    memory_mib: int | None = None


def audit(
    target: Any,
    *,
    family: str | None = None,
    dtype: str | None = None,
    seed: int = 0,
    time_limit: float = TIME_LIMIT,
    memory_limit: int | None = None,
    update: Update | None = None,
) -> Report:
    """Hold an encoding against every invariant that it offers the methods for.

    `target` is an object (see `posproof.audit.protocol`) or the text `package.module:object`.
    Raises BadInput when it cannot be used.

    >>> audit(lambda x, positions: 2 * x).verdict
    'fault'
    """
    if family is not None and family not in families():
        raise BadInput(f"unknown family {family!r}{suggest(family, families())}", "--family")
    if dtype is not None:
        from posproof.numerics.formats import FORMATS

        if dtype not in FORMATS:
            raise BadInput(f"unknown format {dtype!r}{suggest(dtype, FORMATS)}", "--dtype")
    if not time_limit > 0:
        raise BadInput(f"{time_limit:g} is no time", "--time-limit")
    if memory_limit is not None and memory_limit < 1:
        raise BadInput(f"{memory_limit} MiB is no memory", "--memory-limit")
    limits = Limits(time_limit, memory_limit)
    if isinstance(target, str):
        return _in_worker(target, family, dtype, seed, limits, update)
    known = _with_format(encoding(target), dtype)
    rows = tuple(audit_object(known, family, seed, update))
    return _report(known.name, rows, facts_of(known), seed, limits)


def audit_object(
    known: Encoding, family: str | None = None, seed: int = 0, update: Update | None = None
) -> Iterator[Row]:
    """Run what applies, row by row."""
    chosen = [i for i in applicable(known) if family in (None, i.family)]
    how, broken = Audit(seed), set[Finding]()
    for index, rule in enumerate(chosen):
        if update is not None:
            update(rule.name, index + 1, len(chosen))
        started = time.perf_counter()
        try:
            found = _findings(rule, known, how)
        except Inapplicable:
            continue
        if found and found[-1] in broken:
            continue  # the same call failed before and has been reported
        broken |= set(found)
        seconds = round(time.perf_counter() - started, 6)
        yield Row(rule.name, rule.family, rule.claim, _named(found, rule.claim), seconds)


def facts_of(known: Encoding) -> dict[str, Any]:
    """What an encoding says about itself, and the layout its unit vectors show."""
    from posproof.audit.response import layout_of, measure

    said = dict(known.declared)
    if known.offers("rotate"):
        try:
            found = layout_of(measure(known, [0, 1, 2, 3]).matrices)
        except Broken:
            return said
        said["layout found"] = "components do not mix in pairs" if found is None else found.name
    return said


def applicable(known: Encoding) -> tuple[Invariant, ...]:
    """The invariants whose methods an encoding offers."""
    return tuple(rule for rule in invariants() if known.offers(*rule.needs))


def _findings(rule: Invariant, known: Encoding, how: Audit) -> tuple[Finding, ...]:
    found: list[Finding] = []
    try:
        for finding in rule.check(replace(known, target=known.fresh()), how):
            if finding not in found:
                found.append(finding)
            if len(found) == FINDINGS:
                break
    except Broken as broken:
        found.append(broken.finding)
    return tuple(found)


def _named(found: tuple[Finding, ...], claim: str) -> tuple[Finding, ...]:
    """The claim of the invariant on every fault that does not name its own."""
    return tuple(
        replace(finding, claim=finding.claim or claim) if finding.verdict == "fault" else finding
        for finding in found
    )


def _with_format(known: Encoding, dtype: str | None) -> Encoding:
    return known if dtype is None else replace(known, declared={**known.declared, "dtype": dtype})


def _report(
    name: str, rows: tuple[Row, ...], facts: Any, seed: int, limits: Limits, stopped: str = ""
) -> Report:
    return Report(
        name,
        rows,
        {key: str(value) for key, value in facts.items()},
        {"seed": seed, "time_limit": limits.seconds, "memory_limit": limits.memory_mib},
        {
            "python": platform.python_version(),
            "platform": platform.system(),
            "posproof": __version__,
        },
        stopped,
    )


# ---------------------------------------------------------------------- in a worker
def _in_worker(
    spec: str,
    family: str | None,
    dtype: str | None,
    seed: int,
    limits: Limits,
    update: Update | None,
) -> Report:
    from posproof.runner import START_METHOD

    context: Any = multiprocessing.get_context(START_METHOD)
    here, there = context.Pipe(duplex=False)
    work = context.Process(
        target=_serve, args=(there, spec, family, dtype, seed, limits.memory_mib)
    )
    work.start()
    there.close()
    try:
        return _collect(here, work, spec, seed, limits, update)
    finally:
        if work.is_alive():
            work.kill()
        work.join()


def _collect(
    here: Any, work: Any, spec: str, seed: int, limits: Limits, update: Update | None
) -> Report:
    from posproof.runner import death

    rows: list[Row] = []
    facts: dict[str, Any] = {}
    ends = time.monotonic() + limits.seconds
    while True:
        if not here.poll(max(0.0, ends - time.monotonic())):
            stopped = f"no answer within {limits.seconds:g} s"
            break
        try:
            kind, value = here.recv()
        except EOFError:
            work.join()
            stopped = death(work.exitcode, limits.memory_mib)
            break
        if kind == "bad":
            raise BadInput(*value)
        if kind == "done":
            stopped = value
            break
        if kind == "facts":
            facts = value
        elif kind == "row":
            rows.append(value)
        elif update is not None:
            update(*value)
    return _report(spec, tuple(rows), facts, seed, limits, stopped)


def _serve(
    there: Any, spec: str, family: str | None, dtype: str | None, seed: int, memory: int | None
) -> None:
    """Import and audit; what the target prints goes nowhere."""
    from posproof.limits import memory_limited

    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    try:
        known = _with_format(load(spec), dtype)
        with memory_limited(memory):
            there.send(("facts", facts_of(known)))
            for row in audit_object(known, family, seed, _telling(there)):
                there.send(("row", row))
        there.send(("done", ""))
    except BadInput as bad:
        there.send(("bad", (bad.what, bad.argument)))
    except MemoryError:
        there.send(("done", f"ran out of memory (limit {memory} MiB)"))
    except BaseException as cause:
        there.send(("done", f"the audit itself failed: {type(cause).__name__}: {cause}"))
    os._exit(0)  # threads of the target may still run


def _telling(there: Any) -> Update:
    def update(name: str, done: int, total: int) -> None:
        there.send(("progress", (name, done, total)))

    return update


__all__ = [
    "FINDINGS",
    "TIME_LIMIT",
    "Limits",
    "applicable",
    "audit",
    "audit_object",
]
