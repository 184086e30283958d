"""Property checks: a Hypothesis search reported as evidence.

Main definitions
----------------
hunt    look for a counterexample of a predicate; survived, or refuted with the shrunk example

Conventions
-----------
The number of examples and the seed come from the `Run`.  A predicate refutes by returning False or
raising AssertionError; any other exception is an error of the check and is passed on.  Examples the
predicate rejects by `hypothesis.assume` do not count as tried.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from posproof.theory.vocabulary import Evidence, Run

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

Predicate = Callable[..., bool | None]


class _Counterexample(AssertionError):
    """The predicate failed; Hypothesis shrinks towards the smallest such example."""


def hunt(
    predicate: Predicate,
    strategies: Mapping[str, SearchStrategy[Any]],
    run: Run,
    *,
    first: Mapping[str, Any] | None = None,
) -> Evidence:
    """Search for keyword arguments drawn from `strategies` that refute `predicate`.

    `first` is an example tried before the random ones (a counterexample the specification prints).
    The same seed and profile give the same examples.
    """
    import hypothesis
    import numpy as np

    tried = 0
    failing: dict[str, Any] | None = None
    why = ""

    def attempt(**example: Any) -> None:
        nonlocal tried, failing, why
        try:
            answer, reason = predicate(**example), "the predicate is false"
        except AssertionError as error:
            answer, reason = False, str(error) or "the predicate is false"
        tried += 1
        if not isinstance(answer, (bool, np.bool_, type(None))):
            raise TypeError(f"the predicate returned {type(answer).__name__}, not a truth value")
        if answer is not None and not answer:
            # Hypothesis replays its smallest failing example last, so the last one is kept.
            failing, why = example, reason
            raise _Counterexample(reason)

    search = hypothesis.given(**strategies)(attempt)
    if first is not None:
        search = hypothesis.example(**first)(search)
    search = hypothesis.seed(run.seed)(search)
    search = hypothesis.settings(
        max_examples=run.examples,
        deadline=None,
        database=None,
        print_blob=False,
        report_multiple_bugs=False,
        # Which parts of a counterexample do not matter is not told, so it is not worth a search.
        phases=[phase for phase in hypothesis.Phase if phase is not hypothesis.Phase.explain],
        verbosity=hypothesis.Verbosity.quiet,
        # A slow machine is no fault of the statement; too many rejected examples is one.
        suppress_health_check=[
            hypothesis.HealthCheck.too_slow,
            hypothesis.HealthCheck.data_too_large,
        ],
    )(search)
    try:
        search()
    except _Counterexample:
        example = ", ".join(f"{name} = {value!r}" for name, value in (failing or {}).items())
        return Evidence("refuted", witness=f"{example}: {why}", note=f"seed {run.seed}")
    if tried == 0:
        return Evidence("undecided", note="no example satisfied the assumptions")
    return Evidence("holds", note=f"{tried} examples, seed {run.seed}")
