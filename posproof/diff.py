"""Two runs compared: which verdicts changed, and which got worse.

Main definitions
----------------
load_run    the (verdict, revision) of each claim in a `verify --json` file
changes     what differs between two such runs
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from posproof.errors import BadInput
from posproof.result import SCHEMA
from posproof.verdict import VERDICTS

ABSENT = "absent"
#: Verdicts from worst to best; a claim that disappears is as bad as one without an answer.
_RANK = {verdict: rank for rank, verdict in enumerate(VERDICTS)} | {ABSENT: 3}


@dataclass(frozen=True)
class State:
    """What a run said of a claim."""

    verdict: str
    revision: int
    conditional: bool

    def words(self) -> str:
        condition = ", conditional" if self.conditional else ""
        return f"{self.verdict}{condition} (@{self.revision})" if self.revision else self.verdict


_NOWHERE = State(ABSENT, 0, False)


@dataclass(frozen=True)
class Change:
    """A claim that two runs do not agree on."""

    claim: str
    before: State
    after: State

    @property
    def worse(self) -> bool:
        """Whether the verdict got worse; a claim that is gone counts, a new one does not."""
        if self.before.verdict == ABSENT:
            return False
        return _RANK[self.after.verdict] < _RANK[self.before.verdict]


def load_run(path: Path, argument: str) -> dict[str, State]:
    """Claims of a `verify --json` document; BadInput when the file is not one."""
    try:
        document: Any = json.loads(path.read_text(encoding="utf-8"))
    except OSError as cause:
        raise BadInput(f"cannot read {path}: {cause.strerror}", argument) from cause
    except (ValueError, RecursionError) as cause:
        raise BadInput(f"{path} is not JSON", argument) from cause
    try:
        if document["schema"] != SCHEMA:
            raise BadInput(f"{path} has schema {document['schema']!r}, not {SCHEMA}", argument)
        return {str(claim["id"]): _state(claim) for claim in document["claims"]}
    except (TypeError, KeyError, AttributeError, ValueError) as cause:
        if isinstance(cause, BadInput):
            raise
        raise BadInput(f"{path} is not a run written by verify --json", argument) from cause


def _state(claim: Any) -> State:
    if claim["verdict"] not in VERDICTS:
        raise ValueError(claim["verdict"])
    return State(claim["verdict"], int(claim["revision"]), bool(claim["conditional"]))


def changes(before: dict[str, State], after: dict[str, State]) -> tuple[Change, ...]:
    """Claims whose state differs, worse ones first, then by id."""
    ids = sorted({*before, *after})
    found = (Change(name, before.get(name, _NOWHERE), after.get(name, _NOWHERE)) for name in ids)
    return tuple(sorted((c for c in found if c.before != c.after), key=lambda c: not c.worse))


def table(found: tuple[Change, ...]) -> str:
    """The changes as aligned lines; one sentence when there is none."""
    if not found:
        return "no verdict changed"
    width = max(len(change.claim) for change in found)
    return "\n".join(
        f"{'worse' if change.worse else '     '}  {change.claim:{width}}  "
        f"{change.before.words()} -> {change.after.words()}"
        for change in found
    )
