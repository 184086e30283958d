"""The Python interface: what `posproof` offers to notebooks and the book.

Main definitions
----------------
verify    run claims and return a `Result`
claims    every claim
claim     one claim by its id
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from posproof.registry import Registry
from posproof.result import Result
from posproof.theory.vocabulary import Claim
from posproof.verification import options
from posproof.verification import verify as run_verify


@lru_cache(maxsize=1)
def _registry() -> Registry:
    return Registry()


def verify(
    *ids: str,
    profile: str = "quick",
    levels: str | Iterable[str] | None = None,
    digits: int = 50,
    jobs: int | None = None,
    seed: int = 0,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    resume: str | Path | None = None,
    scheduler: str | None = None,
) -> Result:
    """Run the claims that ids, subject names or globs ask for; all of them for none.

    `time_limit` is in seconds and `memory_limit` in MiB, both for one check.  Raises BadInput, a
    ValueError, for an argument that cannot be used.

    >>> verify("mobius.holonomy").exit_code
    0
    """
    how = options(
        profile=profile,
        levels=levels,
        digits=digits,
        jobs=jobs,
        seed=seed,
        time_limit=time_limit,
        memory_limit=memory_limit,
        resume=resume,
        scheduler=scheduler,
    )
    return run_verify(ids, how)


def claims() -> tuple[Claim, ...]:
    """Every claim, subject by subject in the order written."""
    return _registry().claims()


def claim(claim_id: str) -> Claim:
    """The claim with this id; raises BadInput, a ValueError, when there is none."""
    return _registry().claim(claim_id)
