"""Property checks: a Hypothesis search reported as evidence.

Main definitions
----------------
hunt        look for a counterexample of a predicate; survived, or refuted with the shrunk example
rationals   a strategy of fractions, four times as fast to draw from as Hypothesis' own

Conventions
-----------
The number of examples and the seed come from the `Run`.  A predicate refutes by returning False or
raising AssertionError; any other exception is an error of the check and is passed on.  Examples the
predicate rejects by `hypothesis.assume` do not count as tried.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import ceil, floor
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


def rationals(
    low: int | Fraction, high: int | Fraction, max_denominator: int
) -> SearchStrategy[Fraction]:
    """Fractions from `low` to `high` of denominators up to the given one; they shrink towards 0.

    Two integers are drawn, whatever their values: `hypothesis.strategies.fractions` makes a new
    strategy for each denominator, which takes longer than most predicates.  `low` has to be among
    them; it stands for the denominators that have no fraction in the range.
    """
    from hypothesis import strategies

    def at(numerator: int, denominator: int) -> Fraction:
        first, last = ceil(low * denominator), floor(high * denominator)
        if first > last:
            return Fraction(low)
        if not first <= numerator <= last:
            numerator = first + numerator % (last - first + 1)
        return Fraction(numerator, denominator)

    numerators = strategies.integers(floor(low * max_denominator), floor(high * max_denominator))
    return strategies.builds(at, numerators, strategies.integers(1, max_denominator))
