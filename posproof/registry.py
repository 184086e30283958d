"""Finds claims, checks and controls by importing the subject modules.

Main definitions
----------------
Floors      the three packages searched; plain names, so a worker process can search the same ones
Subject     what one subject's modules define, or why they do not import
Registry    loads subjects when they are first asked for

Conventions
-----------
A subject is a module or package of the theory floor whose name is not one of `SHARED`; the modules
of the same name on the other two floors carry its checks.  Ids are `subject.name`, so loading one
claim imports one subject.  There is no central list.
"""

from __future__ import annotations

import fnmatch
import importlib
import importlib.util
import pkgutil
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, TypeVar

from posproof.errors import BadInput, suggest
from posproof.theory.vocabulary import Check, Claim

#: Modules of the theory floor that every subject shares; they state nothing themselves.
SHARED = frozenset({"vocabulary", "symbols", "trusted"})


Record = TypeVar("Record", Claim, Check)


@dataclass(frozen=True)
class Floors:
    """The package names searched for subjects, exact proofs and numerical checks."""

    theory: str = "posproof.theory"
    proofs: str = "posproof.proofs_check"
    numerics: str = "posproof.numerics"

    @property
    def names(self) -> tuple[str, str, str]:
        return (self.theory, self.proofs, self.numerics)


@dataclass(frozen=True)
class Subject:
    """One subject: its claims and checks in the order written, or the cause of a failed import.

    `duplicates` are ids defined twice; `strays` are ids whose first part is not the subject.
    """

    name: str
    claims: tuple[Claim, ...] = ()
    checks: tuple[Check, ...] = ()
    modules: tuple[str, ...] = ()
    failure: str | None = None
    duplicates: tuple[str, ...] = ()
    strays: tuple[str, ...] = ()

    def checks_of(self, claim_id: str) -> tuple[Check, ...]:
        return tuple(check for check in self.checks if check.claim.id == claim_id)


@dataclass
class Registry:
    """Subjects of three floors, imported one by one when needed."""

    floors: Floors = field(default_factory=Floors)
    _loaded: dict[str, Subject] = field(default_factory=dict, repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        """The names a subject can have, without importing any."""
        package = importlib.import_module(self.floors.theory)
        found = (module.name for module in pkgutil.iter_modules(package.__path__))
        return tuple(
            sorted(name for name in found if name not in SHARED and not name.startswith("_"))
        )

    def subject(self, name: str) -> Subject:
        """Import one subject from every floor; a failed import is recorded, not raised."""
        if name not in self._loaded:
            self._loaded[name] = _load(name, self.floors)
        return self._loaded[name]

    def subjects(self) -> tuple[Subject, ...]:
        """Every subject that states a claim or does not import."""
        found = (self.subject(name) for name in self.names)
        return tuple(subject for subject in found if subject.claims or subject.failure)

    def claims(self) -> tuple[Claim, ...]:
        return tuple(claim for subject in self.subjects() for claim in subject.claims)

    def claim(self, claim_id: str) -> Claim:
        """The claim with this id; BadInput when there is none."""
        subject = self._home(claim_id)
        for claim in subject.claims:
            if claim.id == claim_id:
                return claim
        if subject.failure:
            raise BadInput(f"{subject.name!r} does not import: {subject.failure}", claim_id)
        known = [claim.id for claim in subject.claims]
        raise BadInput(f"unknown claim {claim_id!r}{suggest(claim_id, known)}", "ID")

    def check(self, check_id: str) -> Check:
        """The check with this id; KeyError when there is none."""
        for check in self.subject(check_id.split(".", 1)[0]).checks:
            if check.id == check_id:
                return check
        raise KeyError(check_id)

    def select(self, patterns: Iterable[str]) -> tuple[Subject, ...]:
        """Subjects narrowed to the claims that ids, subject names or globs ask for; all for none.

        Raises BadInput, with a near name where one exists, when a pattern matches nothing.
        """
        wanted: dict[str, set[str] | None] = {}
        for pattern in patterns:
            for name, claim_id in self._matches(pattern):
                if claim_id is None:
                    wanted[name] = None
                elif wanted.setdefault(name, set()) is not None:
                    wanted[name].add(claim_id)  # type: ignore[union-attr]
        if not wanted:
            return self.subjects()
        return tuple(_narrow(self.subject(name), wanted[name]) for name in sorted(wanted))

    def _matches(self, pattern: str) -> list[tuple[str, str | None]]:
        """(subject, claim id) pairs for one pattern; a claim id of None is the whole subject."""
        if any(sign in pattern for sign in "*?["):
            return self._glob(pattern)
        if "." not in pattern:
            if pattern in self.names and self._states_something(pattern):
                return [(pattern, None)]
            raise BadInput(f"unknown subject {pattern!r}{suggest(pattern, self.names)}", "ID")
        subject = self._home(pattern)
        if not subject.failure:
            self.claim(pattern)
        return [(subject.name, pattern)]

    def _glob(self, pattern: str) -> list[tuple[str, str | None]]:
        head, dot, _ = pattern.partition(".")
        names = fnmatch.filter(self.names, head)
        found: list[tuple[str, str | None]] = []
        for subject in filter(None, (self.subject(name) for name in names)):
            if subject.failure or (not dot and subject.claims):
                found.append((subject.name, None))
            elif dot:
                ids = fnmatch.filter([claim.id for claim in subject.claims], pattern)
                found.extend((subject.name, claim_id) for claim_id in ids)
        if not found:
            raise BadInput(f"no claim matches {pattern!r}", "ID")
        return found

    def _home(self, claim_id: str) -> Subject:
        name = claim_id.split(".", 1)[0]
        if name in self.names and self._states_something(name):
            return self.subject(name)
        known = self.names if "." not in claim_id else [claim.id for claim in self.claims()]
        raise BadInput(f"unknown claim {claim_id!r}{suggest(claim_id, known)}", "ID")

    def _states_something(self, name: str) -> bool:
        subject = self.subject(name)
        return bool(subject.claims or subject.failure)


def _narrow(subject: Subject, ids: set[str] | None) -> Subject:
    """A subject that keeps only some of its claims, with their checks."""
    if ids is None or subject.failure:
        return subject
    return Subject(
        subject.name,
        tuple(claim for claim in subject.claims if claim.id in ids),
        tuple(check for check in subject.checks if check.claim.id in ids),
        subject.modules,
        None,
        subject.duplicates,
        subject.strays,
    )


# ---------------------------------------------------------------------- importing
def _load(name: str, floors: Floors) -> Subject:
    modules: list[ModuleType] = []
    try:
        for floor in floors.names:
            modules.extend(_import_tree(floor, name))
    except _ImportFailed as failed:
        return Subject(name, failure=str(failed))
    theory = [m for m in modules if m.__name__.startswith(f"{floors.theory}.")]
    claims, claim_duplicates = _collect(theory, Claim)
    checks, check_duplicates = _collect(modules, Check)
    # A subject may import another's claims and checks; they are counted where they live.
    own_checks = tuple(c for c in checks if _subject_of(c.claim.id) == name)
    return Subject(
        name,
        tuple(claim for claim in claims if _subject_of(claim.id) == name),
        own_checks,
        tuple(module.__name__ for module in modules),
        None,
        (*claim_duplicates, *check_duplicates),
        tuple(claim.id for claim in claims if _subject_of(claim.id) != name),
    )


def _subject_of(claim_id: str) -> str:
    return claim_id.split(".", 1)[0]


class _ImportFailed(Exception):
    pass


def _import_tree(floor: str, name: str) -> Iterator[ModuleType]:
    """A subject's module on one floor and, for a package, its topics; nothing when absent."""
    full = f"{floor}.{name}"
    if _guarded(importlib.util.find_spec, full) is None:
        return
    module: ModuleType = _guarded(importlib.import_module, full)
    yield module
    for topic in pkgutil.iter_modules(getattr(module, "__path__", ())):
        yield _guarded(importlib.import_module, f"{full}.{topic.name}")


def _guarded(step: Any, module: str) -> Any:
    """Run an import step; whatever the module raises becomes one line."""
    try:
        return step(module)
    except KeyboardInterrupt:
        raise
    except BaseException as cause:  # a module may raise anything, SystemExit included
        raise _ImportFailed(f"{module}: {one_line(cause)}") from cause


def one_line(cause: BaseException) -> str:
    """An exception as `Type: first line of its message`."""
    if isinstance(cause, SyntaxError):
        return f"{type(cause).__name__}: {cause.msg} at line {cause.lineno}"
    return "".join(traceback.format_exception_only(cause)).strip().splitlines()[0]


def _collect(modules: Iterable[ModuleType], kind: type[Record]) -> tuple[list[Record], list[str]]:
    """Module attributes of a kind, the first of each id, and the ids of further distinct ones."""
    found: dict[str, Record] = {}
    duplicates = []
    for module in modules:
        for value in vars(module).values():
            if isinstance(value, kind) and found.setdefault(value.id, value) is not value:
                duplicates.append(value.id)
    return list(found.values()), duplicates
