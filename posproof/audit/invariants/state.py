"""Memory: what an encoding returns must not depend on what it was asked before.

Main definitions
----------------
any_sequence    a state machine that calls one object in any order, against a fresh one each time
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from posproof.audit.calls import Array, Broken, Inapplicable, as_array
from posproof.audit.findings import Finding, fault
from posproof.audit.invariants import Audit, invariant
from posproof.audit.protocol import Encoding
from posproof.audit.response import HEAD_DIM, limit_of, on_axes
from posproof.numerics.formats import FORMATS

#: Sequences tried, and calls in each.
SEQUENCES, CALLS = 40, 8
#: Lengths and offsets on both sides of powers of two, of caches and of contexts.
SIZES = (1, 2, 3, 4, 8, 16, 31, 32, 33, 64, 100, 256, 257)
OFFSETS = (0, 1, 5, 31, 32, 33, 100, 255, 256, 1000)


class _Different(AssertionError):
    """Two answers differ; Hypothesis shrinks the sequence of calls."""


@invariant("any sequence", family="state", needs=())
def any_sequence(known: Encoding, audit: Audit) -> Iterator[Finding]:
    """Caches that are not keyed by offset, length or format, and tables that only ever grow.

    Calls of `rotate`, `rotate_from` and `frequencies` with any lengths, offsets and formats, and of
    `to` and `reset` where they exist, are compared bit for bit with that call on a fresh object.
    """
    offered = [name for name in ("rotate", "rotate_from", "frequencies") if known.offers(name)]
    if not offered:
        raise Inapplicable("nothing can be called in sequence")
    import hypothesis
    from hypothesis import strategies as st
    from hypothesis.stateful import (
        RuleBasedStateMachine,
        initialize,
        rule,
        run_state_machine_as_test,
    )

    found: list[Finding] = []
    limit = limit_of(known)
    sizes = st.sampled_from([size for size in SIZES if size <= limit] or [1])
    places = st.sampled_from([offset for offset in OFFSETS if offset < limit] or [0])

    class Calls(RuleBasedStateMachine):
        @initialize()
        def begin(self) -> None:
            self.used, self.said = known.fresh(), list[str]()

        def compare(self, name: str, *arguments: Any, said: str) -> None:
            self.said.append(said)
            given = ", then ".join(self.said)
            used, alone = (known.method(name, of) for of in (self.used, known.fresh()))
            values, right = (_answer(method, arguments, given) for method in (used, alone))
            if values.shape != right.shape or not np.array_equal(values, right, equal_nan=True):
                found[:] = [_apart(values, right, given)]
                raise _Different

        if "rotate" in offered:

            @rule(size=sizes, offset=places)
            def rotate(self, size: int, offset: int) -> None:
                size = min(size, limit - offset)
                x = _vectors(known, size)
                where = on_axes(known, np.arange(offset, offset + size))
                self.compare(
                    "rotate", x, where, said=f"rotate positions {offset}..{offset + size - 1}"
                )

        if "rotate_from" in offered:

            @rule(size=sizes, offset=places)
            def rotate_from(self, size: int, offset: int) -> None:
                x = _vectors(known, size)
                self.compare("rotate_from", x, offset, said=f"rotate {size} rows from {offset}")

        if "frequencies" in offered:

            @rule(size=sizes, times=st.sampled_from((1, 16, 128)))
            def frequencies(self, size: int, times: int) -> None:
                self.compare("frequencies", size * times, said=f"frequencies at {size * times}")

        if callable(getattr(known.target, "reset", None)):

            @rule()
            def reset(self) -> None:
                self.said.append("reset")
                self.used.reset()

        if callable(getattr(known.target, "to", None)):

            @rule(name=st.sampled_from(("float32", "bfloat16", "float64")))
            def cast(self, name: str) -> None:
                self.said.append(f"to {name} and back")
                self.used.to(name)
                self.used.to(str(known.fact("dtype", "float64")))

    Calls.TestCase.settings = hypothesis.settings()
    settings = hypothesis.settings(
        max_examples=SEQUENCES,
        stateful_step_count=CALLS,
        deadline=None,
        database=None,
        print_blob=False,
        report_multiple_bugs=False,
        verbosity=hypothesis.Verbosity.quiet,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    hypothesis.seed(audit.seed)(Calls)
    try:
        run_state_machine_as_test(Calls, settings=settings)
    except _Different:
        yield found[0]
    except Broken as broken:
        yield broken.finding


def _answer(method: Any, arguments: tuple[Any, ...], given: str) -> Array:
    try:
        result = method(*arguments)
    except Exception as cause:
        said = " ".join(str(cause).split())
        raise Broken(fault(f"it raises {type(cause).__name__}: {said}", given=given)) from cause
    return as_array(result[0] if isinstance(result, tuple) else result, given)


def _apart(values: Array, right: Array, given: str) -> Finding:
    if values.shape != right.shape:
        return fault(
            "an earlier call changes the shape",
            given=given,
            observed=values.shape,
            right=right.shape,
        )
    place = tuple(
        int(k) for k in np.argwhere(~((values == right) | (np.isnan(values) & np.isnan(right))))[0]
    )
    return fault(
        f"an earlier call changes the result at {place}",
        given=given,
        observed=values[place],
        right=f"{float(right[place])!r}, as a fresh object gives",
        bound="exact",
    )


def _vectors(known: Encoding, size: int) -> Array:
    width = int(known.fact("head_dim", HEAD_DIM))
    dtype = FORMATS[known.fact("dtype", "float64")].dtype
    return np.random.default_rng(size).standard_normal((size, width)).astype(dtype)
