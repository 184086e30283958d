"""The report on a terminal, and as plain lines elsewhere.

Main definitions
----------------
show_result     the claim table, then what broke and why, then the summary
progress        counts the tasks of a run on stderr
counting        counts anything else there

Conventions
-----------
A stream that is a terminal gets a Rich table and a live bar; any other one gets plain lines, and
at most one progress line every `PLAIN_SECONDS`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from posproof.report.words import SIGNS, counted, tier_sentence
from posproof.result import ClaimResult, ClauseResult, Result
from posproof.tasks import Finding
from posproof.verification import Progress

PLAIN_SECONDS = 10.0

STYLES = {
    "verified": "bold green",
    "partial": "bold yellow",
    "undecided": "bold yellow",
    "error": "bold magenta",
    "broken": "bold red",
    "refuted": "bold red",
}


def show_result(result: Result, out: TextIO) -> None:
    """Print the table, the causes of every claim that is not verified, and the summary."""
    (_rich_table if out.isatty() else _plain_lines)(result, out)
    show_causes(result, out)
    for tier, name in sorted({t for c in result.claims for t in c.trusts if t[0] != "software"}):
        print(tier_sentence(tier, name), file=out)
    print(_closing(result), file=out)


def show_causes(result: Result, out: TextIO) -> None:
    """Name the claims that are not verified, with the check or control responsible."""
    for claim in result.claims:
        if claim.verdict in ("verified", "partial"):
            continue
        print(f"{claim.id} is {claim.verdict}", file=out)
        for line in claim.causes():
            print(f"  {line}", file=out)


def _closing(result: Result) -> str:
    run = result.run
    how = f"profile {run['profile']}, {run['digits']} digits, seed {run['seed']}"
    return f"{result.sentence()} in {run['seconds']:.1f} s ({how})"


def _verdict_words(claim: ClaimResult) -> str:
    condition = ", conditional" if claim.conditional else ""
    return f"{SIGNS[claim.verdict]} {claim.verdict}{condition}"


def _clause_words(clause: ClauseResult) -> str:
    """A clause with the levels that speak for it, its verdict first when it is not good."""
    levels = ", ".join(clause.levels) or "no evidence"
    bad = clause.verdict in STYLES or clause.verdict == "left-out"
    return f"{clause.name}: {clause.verdict + ', ' if bad else ''}{levels}"


def _plain_lines(result: Result, out: TextIO) -> None:
    width = max((len(claim.id) for claim in result.claims), default=0)
    word = max((len(_verdict_words(claim)) for claim in result.claims), default=0)
    for claim in result.claims:
        clauses = "; ".join(_clause_words(clause) for clause in claim.clauses) or claim.reason
        verdict = f"{_verdict_words(claim):{word}}"
        print(f"{verdict}  {claim.id:{width}}  {claim.seconds:6.2f} s  {clauses}", file=out)


def _rich_table(result: Result, out: TextIO) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("claim", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    table.add_column("clauses and their evidence")
    table.add_column("time", justify="right", no_wrap=True)
    for claim in result.claims:
        clauses = "\n".join(_clause_words(clause) for clause in claim.clauses) or claim.reason
        verdict = Text(_verdict_words(claim), style=STYLES[claim.verdict])
        table.add_row(claim.id, verdict, Text(clauses), f"{claim.seconds:.2f} s")
    Console(file=out).print(table)


# ---------------------------------------------------------------------- progress
#: Called with what is being done, how many are done, and how many there are.
Counting = Callable[[str, int, int], None]


@contextmanager
def progress(err: TextIO) -> Iterator[Progress]:
    """A callback that reports the tasks done on `err` while the block runs."""
    with counting(err, "check") as count:

        def update(done: int, total: int, finding: Finding) -> None:
            count(finding.check.split("/", 1)[0], done, total)

        yield update


@contextmanager
def counting(err: TextIO, noun: str) -> Iterator[Counting]:
    """A callback that counts things on `err` while the block runs."""
    if err.isatty():
        with _live_bar(err, noun) as update:
            yield update
    else:
        yield _plain_updates(err, noun)


@contextmanager
def _live_bar(err: TextIO, noun: str) -> Iterator[Counting]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[c]}"),
    )
    with Bar(*columns, console=Console(file=err), transient=True) as bar:
        task = bar.add_task(f"{noun}s", total=None, c="")

        def update(name: str, done: int, total: int) -> None:
            bar.update(task, completed=done, total=total, c=name)

        yield update


def _plain_updates(err: TextIO, noun: str) -> Counting:
    last = time.monotonic()

    def update(name: str, done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last > PLAIN_SECONDS:
            last = time.monotonic()
            print(f"{done} of {counted(total, noun)} done", file=err, flush=True)

    return update
