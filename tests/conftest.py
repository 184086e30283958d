"""Settings shared by all tests.

`make test` must give the same answer twice, so Hypothesis is derandomised here; a search with fresh
seeds is `pytest --hypothesis-profile=search`.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Generator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from flint import arb
from hypothesis import settings

import posproof
from posproof.numerics.balls import ball, ends, precision
from posproof.theory.vocabulary import Claim

pytest_plugins = ["pytester"]

ROOT = Path(__file__).resolve().parent.parent

settings.register_profile("reproducible", deadline=None, derandomize=True, database=None)
settings.register_profile("search", deadline=None, print_blob=True)
settings.load_profile("reproducible")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The file that builds the book comes first: no other takes so long, and one worker builds."""
    items.sort(key=lambda item: item.path.name != "test_browser.py")


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of a Chromium program; skips where there is none (see the hook below)."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    pytest.skip("Chromium is not installed: the browser tests did not run")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A skipped browser test is a failure where the browser is promised (.ci/run)."""
    report = yield
    promised = os.environ.get("POSPROOF_REQUIRE_BROWSER") == "1"
    if promised and report.skipped and item.get_closest_marker("browser"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped, and POSPROOF_REQUIRE_BROWSER=1 forbids that"
    return report


def _agrees(value: Any, printed: str) -> bool:
    """Equal to the last printed digit, one unit up or down, for every number in a ball."""
    number = Decimal(printed)
    unit = Fraction(10) ** int(number.as_tuple().exponent)
    if hasattr(value, "_mpf_"):
        with precision(400):
            value = arb(str(value))
    low, high = ends(ball(value)) if isinstance(value, arb) else (Fraction(value),) * 2
    return abs(low - Fraction(number)) <= unit and abs(high - Fraction(number)) <= unit


@pytest.fixture(scope="session")
def agrees() -> Callable[[Any, str], bool]:
    return _agrees


@pytest.fixture(scope="module")
def found(request: pytest.FixtureRequest) -> dict[str, Any]:
    """What the quick profile finds of the `CLAIMS` of a test module, by id."""
    ids = [claim.id for claim in request.module.CLAIMS]
    return {result.id: result for result in posproof.verify(*ids, jobs=2).claims}


@pytest.fixture
def stands(found: dict[str, Any], request: pytest.FixtureRequest) -> Callable[[Claim], None]:
    """Fails unless a claim is verified, and each clause has a refuted control.

    It may rest on what the `CITED` of the test module lists by claim, and on no other trust.
    """
    listed = getattr(request.module, "CITED", {})

    def check(claim: Claim) -> None:
        result = found[claim.id]
        assert result.verdict == "verified", result.causes()
        rests_on = {name for tier, name in result.trusts if tier in ("cited", "argued")}
        assert rests_on == listed.get(claim.id, set())
        assert {clause.name for clause in result.clauses} == {c.name for c in claim.clauses}
        controlled = {row.check.clause for row in result.checks if row.check.controls}
        assert controlled == {clause.name for clause in claim.clauses}
        attacks = sum(len(row.check.controls) for row in result.checks)
        assert [finding.verdict for finding in result.controls] == ["refuted"] * attacks

    return check
