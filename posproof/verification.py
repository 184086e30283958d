"""The whole of `verify`: choose claims, run their checks and controls, decide the verdicts.

Main definitions
----------------
Options    how to run, validated by `options`
verify     run and return a `Result`
plan       the checks selected for a claim, and the tasks they make

Conventions
-----------
A check whose scope is empty for a profile is left out of that profile.
"""

from __future__ import annotations

import math
import platform
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from posproof.errors import BadInput, suggest
from posproof.limits import refuse_memory_limit
from posproof.lint import cited_theorems, problems, unknown_trust
from posproof.registry import Floors, Registry, Subject
from posproof.result import ClaimResult, Result, claim_result, import_failure
from posproof.runner import Chunk, Limits, default_jobs, run_locally
from posproof.sources import installed_versions, lock_digest, source_digest
from posproof.stream import Stream, open_stream, run_key
from posproof.tasks import Finding, Task
from posproof.theory.vocabulary import LEVELS, PROFILES, Check, Claim, Run
from posproof.verdict import ClaimFindings

#: Fewer digits than a double has would not be high precision; more than this no check was timed at.
DIGITS = (15, 1000)
#: Seconds a single check may take by profile: thirty times what a quick check should.
TIME_LIMIT = {"quick": 60.0, "full": 900.0}
MEMORY_LIMIT_MIB = 2048
MAX_JOBS = 1024

Progress = Callable[[int, int, Finding], None]


@dataclass(frozen=True)
class Options:
    """How to run; made by `options`, which refuses what cannot be run."""

    run: Run
    levels: tuple[str, ...]
    limits: Limits
    resume: Path | None = None
    scheduler: str | None = None
    floors: Floors = field(default_factory=Floors)


def options(
    *,
    profile: str = "quick",
    levels: str | Iterable[str] | None = None,
    digits: int = 50,
    jobs: int | None = None,
    seed: int = 0,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    resume: str | Path | None = None,
    scheduler: str | None = None,
    floors: Floors | None = None,
) -> Options:
    """Validated options; seconds and MiB for the limits.  Raises BadInput naming the argument."""
    if profile not in PROFILES:
        raise BadInput(f"unknown profile {profile!r}{suggest(profile, PROFILES)}", "--profile")
    if not DIGITS[0] <= digits <= DIGITS[1]:
        raise BadInput(f"digits must be {DIGITS[0]} to {DIGITS[1]}, not {digits}", "--digits")
    if jobs is not None and not 1 <= jobs <= MAX_JOBS:
        raise BadInput(f"jobs must be 1 to {MAX_JOBS}, not {jobs}", "--jobs")
    if not 0 <= seed < 2**32:
        raise BadInput(f"the seed must be 0 to 2^32 - 1, not {seed}", "--seed")
    seconds = TIME_LIMIT[profile] if time_limit is None else time_limit
    if not (seconds > 0 and math.isfinite(seconds)):
        raise BadInput(f"the time limit must be positive, not {seconds:g}", "--time-limit")
    run = Run("full" if profile == "full" else "quick", digits, seed)
    limits = Limits(jobs or default_jobs(), seconds, _memory_mib(memory_limit))
    where = None if resume is None else Path(resume)
    return Options(run, _levels(levels), limits, where, scheduler, floors or Floors())


def _memory_mib(asked: int | None) -> int | None:
    refusal = refuse_memory_limit()
    if asked is None:
        return None if refusal else MEMORY_LIMIT_MIB
    if refusal:
        raise BadInput(refusal, "--memory-limit")
    if asked < 1:
        raise BadInput(f"the memory limit must be at least 1 MiB, not {asked}", "--memory-limit")
    return asked


def _levels(levels: str | Iterable[str] | None) -> tuple[str, ...]:
    """Levels in their order, from names or from one comma-separated string."""
    if levels is None:
        return LEVELS
    names = levels.split(",") if isinstance(levels, str) else levels
    asked = tuple(name.strip() for name in names)
    for level in asked:
        if level not in LEVELS:
            raise BadInput(f"unknown level {level!r}{suggest(level, LEVELS)}", "--level")
    if not asked:
        raise BadInput("no level given", "--level")
    return tuple(level for level in LEVELS if level in asked)


# ---------------------------------------------------------------------- running
def verify(ids: Iterable[str], how: Options, progress: Progress | None = None) -> Result:
    """Run the checks and controls of the claims asked for (all when none).

    `progress` is called with (tasks done, tasks in all, the finding that arrived).
    """
    started, clock = datetime.now(UTC), time.perf_counter()
    registry = Registry(how.floors)
    subjects = registry.select(ids)
    faults = _faults(registry, subjects)
    selected = {check.id: check for subject in subjects for check in _selected(subject, how)}
    findings = _run(registry, selected, _chunks(subjects, selected), how, progress)
    claims = tuple(_rows(subjects, selected, findings, faults, how))
    run = {
        "profile": how.run.profile,
        "levels": list(how.levels),
        "seed": how.run.seed,
        "digits": how.run.digits,
        "started": started.isoformat(timespec="seconds"),
        "seconds": round(time.perf_counter() - clock, 3),
    }
    return Result(claims, run, environment())


def environment() -> dict[str, Any]:
    """What the run was made with: interpreter, platform, engines, and the digest of the lock."""
    return {
        "python": platform.python_version(),
        "platform": sys.platform,
        "machine": platform.machine(),
        "versions": installed_versions(),
        "lock": lock_digest(),
    }


def _faults(registry: Registry, subjects: Iterable[Subject]) -> dict[str, tuple[str, ...]]:
    """Fatal faults by claim id; a fault of a whole subject is listed under its name."""
    found: dict[str, tuple[str, ...]] = {}
    for problem in problems(registry, subjects):
        if problem.fatal:
            found[problem.claim] = (*found.get(problem.claim, ()), problem.text)
    return found


def _selected(subject: Subject, how: Options) -> Iterator[Check]:
    for check in subject.checks:
        if check.level in how.levels and check.scope.of(how.run.profile):
            yield check


def _tasks(check: Check) -> tuple[Task, ...]:
    return (Task(check.id), *(Task(check.id, control.name) for control in check.controls))


def _chunks(subjects: Iterable[Subject], selected: dict[str, Check]) -> list[Chunk]:
    """One chunk of tasks for each claim."""
    return [
        tuple(
            task
            for check in subject.checks_of(claim.id)
            if check.id in selected
            for task in _tasks(check)
        )
        for subject in subjects
        for claim in subject.claims
    ]


def _run(
    registry: Registry,
    selected: dict[str, Check],
    chunks: list[Chunk],
    how: Options,
    progress: Progress | None,
) -> dict[Task, Finding]:
    """Findings of every task, those a run file already holds included."""

    def key_of(check_id: str) -> dict[str, Any]:
        return run_key(how.run, source_digest(selected[check_id], how.floors), lock_digest())

    stream = None if how.resume is None else open_stream(how.resume, key_of)
    found: dict[Task, Finding] = {} if stream is None else dict(stream.known)
    total = sum(len(chunk) for chunk in chunks)
    missing = [tuple(task for task in chunk if task not in found) for chunk in chunks]
    found = {task: found[task] for chunk in chunks for task in chunk if task in found}

    def emit(finding: Finding) -> None:
        found[finding.task] = finding
        _keep(stream, finding)
        if progress is not None:
            progress(len(found), total, finding)

    try:
        if how.scheduler is None:
            run_locally(missing, how.floors, how.run, how.limits, emit)
        else:
            from posproof.remote import run_on_dask

            run_on_dask(how.scheduler, missing, how.floors, how.run, how.limits, emit)
    finally:
        if stream is not None:
            stream.close()
    return found


def _keep(stream: Stream | None, finding: Finding) -> None:
    if stream is not None:
        stream.append(finding)


# ---------------------------------------------------------------------- deciding
def _rows(
    subjects: Iterable[Subject],
    selected: dict[str, Check],
    findings: dict[Task, Finding],
    faults: dict[str, tuple[str, ...]],
    how: Options,
) -> Iterator[ClaimResult]:
    for subject in subjects:
        if subject.failure is not None:
            yield import_failure(subject.name, subject.failure)
            continue
        for claim in subject.claims:
            mine = (*faults.get(claim.id, ()), *faults.get(subject.name, ()))
            yield _row(subject, claim, selected, findings, mine, how)


def _row(
    subject: Subject,
    claim: Claim,
    selected: dict[str, Check],
    findings: dict[Task, Finding],
    faults: tuple[str, ...],
    how: Options,
) -> ClaimResult:
    checks = subject.checks_of(claim.id)
    tasks = [task for check in checks if check.id in selected for task in _tasks(check)]
    mine = tuple(findings[task] for task in tasks)
    trusts = {trust for finding in mine for trust in finding.trusts}
    unknown = unknown_trust(sorted(trusts), cited_theorems(how.floors.theory)) if trusts else []
    ids = frozenset(check.id for check in checks if check.id in selected)
    known = ClaimFindings(claim, checks, ids, mine, (*faults, *unknown))
    return claim_result(known, {check.id: check.scope.of(how.run.profile) for check in checks})
