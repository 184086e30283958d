"""What every correct encoding satisfies, one module for each family of encodings.

Main definitions
----------------
Invariant      a property, the methods it needs, the claim it belongs to, the faults it can see
invariant      registers a generator of findings as one
Audit          what an invariant may use besides the encoding: seed and random source
invariants     every one, found by importing the modules of this package
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from posproof.audit.findings import Finding
from posproof.audit.protocol import Encoding


@dataclass(frozen=True)
class Audit:
    """How an audit is run; `shared` keeps what one invariant measured for the others."""

    seed: int = 0
    shared: dict[str, Any] = field(default_factory=dict)

    def source(self) -> np.random.Generator:
        return np.random.default_rng(self.seed)


Check = Callable[[Encoding, Audit], Iterator[Finding]]


@dataclass(frozen=True)
class Invariant:
    """A property; `check` yields what breaks it, and `sees` says which faults it answers for."""

    name: str
    family: str
    needs: tuple[str, ...]
    claim: str
    sees: str
    check: Check


def invariant(
    name: str, *, family: str, needs: tuple[str, ...], claim: str = ""
) -> Callable[[Check], Invariant]:
    """Register a check; the first line of its docstring says which faults it can see."""

    def register(check: Check) -> Invariant:
        lines = (check.__doc__ or "").strip().splitlines()
        return Invariant(name, family, needs, claim, lines[0] if lines else "", check)

    return register


@lru_cache(maxsize=1)
def invariants() -> tuple[Invariant, ...]:
    """Every invariant, in the order of modules and of writing."""
    found: list[Invariant] = []
    for module in sorted(info.name for info in pkgutil.iter_modules(__path__)):
        members = vars(importlib.import_module(f"{__name__}.{module}")).values()
        found += [member for member in members if isinstance(member, Invariant)]
    return tuple(found)


def families() -> tuple[str, ...]:
    return tuple(dict.fromkeys(known.family for known in invariants()))
