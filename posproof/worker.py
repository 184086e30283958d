"""Runs tasks in a process of its own: a request on stdin, one finding a line on stdout.

Main definitions
----------------
request    the text `python -m posproof.worker` reads
main       serves one request

Implementation notes
--------------------
What checks print goes nowhere: the real stdout is kept for findings only.  The first line says
that the subjects are imported, so that imports do not count against a check's time limit.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Iterable

from posproof.registry import Floors, Registry
from posproof.tasks import Task, run_task
from posproof.theory.vocabulary import Run

READY = "ready"


def request(tasks: Iterable[Task], floors: Floors, run: Run, memory_mib: int | None) -> str:
    """The request for some tasks, as JSON."""
    return json.dumps(
        {
            "tasks": [[task.check, task.control] for task in tasks],
            "floors": list(floors.names),
            "run": [run.profile, run.digits, run.seed],
            "memory": memory_mib,
        }
    )


def main() -> None:
    """Serve the request on stdin."""
    asked = json.load(sys.stdin)
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    floors, run = Floors(*asked["floors"]), Run(*asked["run"])
    registry = Registry(floors)
    for check, _ in asked["tasks"]:
        registry.subject(check.split(".", 1)[0])
    # What is imported stays, and the terms of a proof form no cycles: looking for some is waste.
    gc.freeze()
    gc.set_threshold(200_000, 50, 100)
    print(READY, file=answers, flush=True)
    for check, control in asked["tasks"]:
        finding = run_task(Task(check, control), floors, run, asked["memory"])
        print(json.dumps(finding.to_dict()), file=answers, flush=True)


if __name__ == "__main__":
    main()
