"""Counts of what the kernel was fed: printed at the end of the run, whatever was captured."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

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


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if TALLIES:
        terminalreporter.section("kernel under attack")
        for tally in TALLIES.values():
            terminalreporter.write_line(str(tally))
