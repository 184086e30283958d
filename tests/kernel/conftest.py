"""Counts of what the kernel was fed: printed at the end of the run, whatever was captured."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))  # for statements.py and values.py


@dataclass
class Tally:
    """How one rule fared; `false_accepted` has to stay 0."""

    rule: str
    true_fed: int = 0
    true_decided: int = 0
    false_fed: int = 0
    false_accepted: int = 0

    def add(self, counts: dict[str, Any]) -> None:
        self.true_fed += counts["true_fed"]
        self.true_decided += counts["true_decided"]
        self.false_fed += counts["false_fed"]
        self.false_accepted += counts["false_accepted"]

    def __str__(self) -> str:
        line = f"{self.rule}: {self.false_accepted:,} of {self.false_fed:,} false accepted"
        if not self.true_fed:
            return line
        share = 100 * self.true_decided / self.true_fed
        return f"{line}; {share:.1f} % of {self.true_fed:,} true decided"


TALLIES: dict[str, Tally] = {}


@pytest.fixture
def tally(request: pytest.FixtureRequest) -> Tally:
    """The tally of the rule a test file is named after: `test_nonneg.py` attacks `nonneg`."""
    rule = request.path.stem.removeprefix("test_")
    return TALLIES.setdefault(rule, Tally(rule))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A parallel run counts in its workers; they hand their tallies over when they end."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["tallies"] = [asdict(tally) for tally in TALLIES.values()]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    for counts in getattr(node, "workeroutput", {}).get("tallies", ()):
        TALLIES.setdefault(counts["rule"], Tally(counts["rule"])).add(counts)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if TALLIES:
        terminalreporter.section("kernel under attack")
        for tally in TALLIES.values():
            terminalreporter.write_line(str(tally))
