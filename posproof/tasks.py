"""What a worker process does: run one check, or one control, and say what came of it.

Main definitions
----------------
Task       a check id, perhaps with the name of one of its controls
Finding    what running a task gave, as plain data
run_task   runs one task in this process
run_chunk  runs several until a time budget is used up

Conventions
-----------
Tasks and findings hold only strings, numbers and tuples, so that any transport can carry them.
Seconds are wall-clock seconds.
"""

from __future__ import annotations

import importlib
import time
import traceback
from dataclasses import asdict, dataclass, replace
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

from posproof.limits import memory_limited
from posproof.registry import Floors, Registry, one_line
from posproof.theory.vocabulary import POSITIVE, Bound, Check, Control, Evidence, Level, Run

#: A chunk stops starting new tasks after this many seconds, so that little is lost with a kill.
CHUNK_SECONDS = 0.5

#: The witness of a false statement without variables: there is no point to choose.
CLOSED = "the statement has no variables and is false as it stands"


@dataclass(frozen=True)
class Task:
    """One thing to run; `control` is None for the check itself."""

    check: str
    control: str | None = None

    @property
    def label(self) -> str:
        return self.check if self.control is None else f"{self.check} under {self.control}"


@dataclass(frozen=True)
class Finding:
    """What a task gave: the level's positive word, `refuted`, `undecided` or `error`.

    `bound` is a decimal string rounded up; `trusts` are (tier, name) pairs.
    """

    check: str
    control: str | None
    verdict: str
    seconds: float = 0.0
    reason: str = ""
    witness: str | None = None
    measured: float | str | None = None
    bound: str | None = None
    formula: str | None = None
    trusts: tuple[tuple[str, str], ...] = ()

    @property
    def task(self) -> Task:
        return Task(self.check, self.control)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @staticmethod
    def from_dict(data: dict[str, Any]) -> Finding:
        """The finding `to_dict` described; TypeError or ValueError for anything else."""
        trusts = tuple((str(tier), str(name)) for tier, name in data["trusts"])
        return Finding(**{**data, "trusts": trusts})


def failure(task: Task, reason: str, seconds: float = 0.0) -> Finding:
    """The finding of a task that gave no answer."""
    return Finding(task.check, task.control, "error", seconds, reason)


# ---------------------------------------------------------------------- in the worker
@lru_cache(maxsize=8)
def _registry(floors: Floors) -> Registry:
    return Registry(floors)


def run_chunk(
    tasks: tuple[Task, ...], floors: Floors, run: Run, memory_mib: int | None
) -> tuple[Finding, ...]:
    """Run tasks in order; at least one, and no new one after `CHUNK_SECONDS`."""
    started = time.perf_counter()
    findings: list[Finding] = []
    for task in tasks:
        findings.append(run_task(task, floors, run, memory_mib))
        if time.perf_counter() - started > CHUNK_SECONDS:
            break
    return tuple(findings)


def run_task(task: Task, floors: Floors, run: Run, memory_mib: int | None) -> Finding:
    """Run one task; anything a check raises becomes an `error` finding."""
    started = time.perf_counter()
    try:
        check = _registry(floors).check(task.check)
        altered = _control(check, task.control)
        of = replace(check.definitions, **altered.changes) if altered else check.definitions
        point = altered.point if altered else None
        with memory_limited(memory_mib):
            finding = _answer(check, of, run, point, floors)
    except KeyboardInterrupt:
        raise
    except MemoryError:
        limit = "" if memory_mib is None else f" (limit {memory_mib} MiB)"
        finding = failure(task, f"ran out of memory{limit}")
    except BaseException as cause:  # a check may raise anything, SystemExit included
        finding = failure(task, f"{one_line(cause)}{_where(cause)}")
    seconds = round(time.perf_counter() - started, 6)
    return replace(finding, check=task.check, control=task.control, seconds=seconds)


def _control(check: Check, name: str | None) -> Control | None:
    if name is None:
        return None
    return next(control for control in check.controls if control.name == name)


def _answer(check: Check, of: Any, run: Run, point: Any, floors: Floors) -> Finding:
    if check.level == "exact":
        decided = importlib.import_module(f"{floors.proofs}.decide").decide(check, of, run, point)
        return Finding(
            check.id,
            None,
            _verdict(decided.outcome, check.level),
            reason=decided.reason,
            witness=CLOSED if decided.witness == "" else decided.witness,
            trusts=_trusts(decided.trusts),
        )
    evidence = check.run(of, run)
    if not isinstance(evidence, Evidence):
        raise TypeError(f"returned {type(evidence).__name__} instead of Evidence")
    _refuse_measured_above_bound(evidence)
    return Finding(
        check.id,
        None,
        _verdict(evidence.outcome, check.level),
        reason=evidence.note,
        witness=evidence.witness,
        measured=_plain_number(evidence.measured),
        bound=None if evidence.bound is None else rounded_up(evidence.bound),
        formula=None if evidence.bound is None else evidence.bound.formula,
        trusts=_trusts(evidence.trusts),
    )


def _verdict(outcome: str, level: Level) -> str:
    if outcome == "holds":
        return POSITIVE[level]
    if outcome in ("refuted", "undecided"):
        return outcome
    raise ValueError(f"unknown outcome {outcome!r}")


def _trusts(trusts: Any) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((trust.tier, trust.name) for trust in trusts))


def _plain_number(value: Any) -> float | str | None:
    return value if value is None or isinstance(value, str) else float(value)


def _refuse_measured_above_bound(evidence: Evidence) -> None:
    """A check must not call good what exceeds the bound it prints."""
    if evidence.outcome != "holds" or evidence.bound is None or evidence.measured is None:
        return
    measured = Decimal(str(evidence.measured))
    if not measured.is_finite() or Fraction(measured) > evidence.bound.value:
        raise ValueError(f"holds although {measured} exceeds {rounded_up(evidence.bound)}")


def rounded_up(bound: Bound, digits: int = 6) -> str:
    """A bound as a decimal string of so many significant digits, never below its value.

    >>> rounded_up(Bound(Fraction(1, 3), "1/3"))
    '0.333334'
    """
    context = Context(prec=digits, rounding=ROUND_CEILING)
    value = Fraction(bound.value)
    return str(context.divide(Decimal(value.numerator), Decimal(value.denominator)))


def _where(cause: BaseException) -> str:
    """The innermost source line of a traceback, as ` at file:line`."""
    frames = traceback.extract_tb(cause.__traceback__)
    outside = [frame for frame in frames if Path(frame.filename) != Path(__file__)]
    if not outside:
        return ""
    return f" at {Path(outside[-1].filename).name}:{outside[-1].lineno}"
