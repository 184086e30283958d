"""Finding counterexamples.  Nothing here is trusted: the kernel checks the point.

Main definitions
----------------
counterexample   a point where a statement fails
Listed           operators at 0, 1, ... for a point that a control brings
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import fmpq, fmpq_mat

from posproof.proofs_check.evaluate import NoValue, at_precision, falsifies, in_domain, scalar
from posproof.proofs_check.language import (
    CONNECTIVES,
    Node,
    num,
    operator_names,
    pi,
    sequence_names,
)

SHEARS = {"a": fmpq_mat(2, 2, [1, 1, 0, 1]), "b": fmpq_mat(2, 2, [1, 0, 1, 1])}


def counterexample(
    prop: Node, first: Mapping[str, Any] | None = None, attempts: int = 400, seed: int = 0
) -> dict[Any, Any] | None:
    """The point `first`, then small points, then random ones.

    `first` maps names to rationals, closed terms, words, and sequences to values at some indices.

    None if no point was found, which says nothing.
    """
    with at_precision():
        for part in conjuncts(prop):
            names = list(dict.fromkeys(_bound(part)))
            for point in _points(part, names, first, attempts, seed):
                if falsifies(part, point):
                    return point
    return None


def conjuncts(prop: Node) -> Iterator[Node]:
    """The parts of a conjunction, each of which may fail on its own."""
    if prop.head == "and":
        for part in prop.args:
            yield from conjuncts(part)
    else:
        yield prop


def _points(
    prop: Node, names: list[Node], first: Mapping[str, Any] | None, attempts: int, seed: int
) -> Iterator[dict[Any, Any]]:
    sequences = sorted(sequence_names(prop))
    defining = {name: _defining(name, prop) for name in names}
    source = random.Random(seed)
    if first is not None:
        given: dict[Any, Any] = {n: _lifted(first[n.args[0]]) for n in names if n.args[0] in first}
        given |= {s: _lifted(first[s]) for s in sequences if s in first}
        steps = {"step": _operators(first["step"])} if "step" in first else {}
        # What the specification leaves open is filled in like any other point.
        attempts_at_first = range(min(attempts, 60)) if len(given) < len(names) else range(1)
        for attempt in attempts_at_first:
            yield _point(prop, defining, sequences, source, attempt) | given | steps
    closed = not names and not sequences
    for attempt in range(1 if closed else attempts):
        yield _point(prop, defining, sequences, source, attempt)


def _point(
    prop: Node,
    defining: Mapping[Node, Sequence[Node]],
    sequences: list[str],
    source: random.Random,
    attempt: int,
) -> dict[Any, Any]:
    point: dict[Any, Any] = {n: _value(n, source, attempt) for n in defining}
    operators = operator_names(prop)
    for s in sequences:
        if s in operators:
            point[s] = RandomOperators(source.randint(0, 1 << 30))
        else:
            point[s] = _sequence(source, attempt)
    point["step"] = SHEARS
    for n, terms in defining.items():
        point[n] = _solved(n, terms, point)
    return point


def _operators(rows: Mapping[str, Any]) -> dict[str, fmpq_mat]:
    """Letters to matrices, each given as one or by its rows of rationals."""
    return {
        letter: matrix
        if isinstance(matrix, fmpq_mat)
        else fmpq_mat([[_lifted(x) for x in row] for row in matrix])
        for letter, matrix in rows.items()
    }


def _lifted(value: Any) -> Any:
    if isinstance(value, (int, Fraction)):
        return fmpq(Fraction(value).numerator, Fraction(value).denominator)
    if isinstance(value, (str, tuple, fmpq_mat, Node)) or callable(value):
        return value
    if isinstance(value, Mapping):
        return Values(tuple((_lifted(at), _lifted(height)) for at, height in value.items()))
    from posproof.proofs_check.translate import node

    return node(value)


def _sequence(source: random.Random, attempt: int) -> Any:
    """A constant integer sequence, or one that is 1 at a single index: both suit any domain."""
    if source.random() < 0.5:
        return fmpq(source.randint(-2, 2))
    at = source.randint(0, 2 + attempt // 40)
    return Indicator(at, source.choice((-1, 1, 2)))


@dataclass(frozen=True)
class Indicator:
    """The sequence that is `height` at one index and 0 elsewhere."""

    at: int
    height: int

    def __call__(self, index: Any) -> fmpq:
        return fmpq(self.height if index == self.at else 0)

    def __str__(self) -> str:
        return f"{self.height} at {self.at}, else 0"


@dataclass(frozen=True)
class RandomOperators:
    """A function of letters, places and numbers whose values are small random matrices."""

    seed: int

    def __call__(self, *at: Callable[[], Any]) -> fmpq_mat:
        source = random.Random(f"{self.seed}:{[argument() for argument in at]}")
        return fmpq_mat(2, 2, [source.randint(-2, 2) for _ in range(4)])

    def __str__(self) -> str:
        return f"random 2 x 2 matrices from seed {self.seed}"


class Listed:
    """An operator-valued function of a number, given by values; the last one goes on for ever."""

    def __init__(self, *values: fmpq_mat) -> None:
        self.values = values

    def __call__(self, *places: Callable[[], Any]) -> fmpq_mat:
        if len(self.values) == 1:  # whatever the place
            return self.values[0]
        return self.values[min(int(places[0]().p), len(self.values) - 1)]

    def __str__(self) -> str:
        return ", ".join(str(value.tolist()) for value in self.values)


@dataclass(frozen=True)
class Values:
    """The sequence with the given values at some indices, and 0 elsewhere."""

    pairs: tuple[tuple[Any, Any], ...]

    def __call__(self, index: Any) -> Any:
        return next((height for at, height in self.pairs if at == index), fmpq(0))

    def __str__(self) -> str:
        return ", ".join(f"{height} at {at}" for at, height in self.pairs) + ", else 0"


def _bound(prop: Node) -> Iterator[Node]:
    if prop.head in ("forall", "exists"):
        yield prop.args[0]
    for part in prop.args:
        if isinstance(part, Node) and part.head in (*CONNECTIVES, "eq", "le", "lt"):
            yield from _bound(part)


def _defining(name: Node, prop: Node) -> list[Node]:
    """The terms t of hypotheses that read `name = t`."""
    return [
        part.args[1 - part.args.index(name)]
        for h in _premises(prop)
        for part in (h.args if h.head == "and" else (h,))
        if part.head == "eq" and name in part.args
    ]


def _solved(name: Node, terms: Sequence[Node], point: dict[Any, Any]) -> Any:
    """The value of the first of its defining terms that has one, if it lies in the domain."""
    for term in terms:
        try:
            value = scalar(term, point)
        except NoValue:
            continue
        return value if in_domain(name, value) else point[name]
    return point[name]


def _premises(prop: Node) -> Iterator[Node]:
    if prop.head == "forall":
        yield from _premises(prop.args[1])
    elif prop.head == "implies":
        yield prop.args[0]
        yield from _premises(prop.args[1])


def _value(name: Node, source: random.Random, attempt: int) -> Any:
    domain = name.args[1]
    spread = 1 + attempt // 40
    match domain.kind:
        case "operator":
            return fmpq_mat(2, 2, [source.randint(-2, 2) for _ in range(4)])
        case "letter":
            return source.choice("ab")
        case "word":
            return tuple(source.choice("ab") for _ in range(source.randint(0, 3)))
        case "integer":
            low = -spread if domain.lower is None else domain.lower
            return fmpq(source.randint(low, low + spread))
        case "finite":
            value = source.choice(domain.values)
            return fmpq(value.numerator, value.denominator)
        case "positive":
            return abs(_rational(source, attempt)) or fmpq(1)
        case "rational":
            return _rational(source, attempt)
        case "box":
            low, high = domain.values
            part = Fraction(source.randint(0, 4 * spread), 4 * spread)
            value = low + (high - low) * part
            return fmpq(value.numerator, value.denominator)
    if source.random() < 0.3:  # angles: rational multiples of pi
        turn = _rational(source, attempt)
        return pi * num(Fraction(int(turn.p), int(turn.q)))
    return _rational(source, attempt)


def _rational(source: random.Random, attempt: int) -> fmpq:
    spread = 2 + attempt // 40
    return fmpq(source.randint(-spread, spread), source.choice((1, 1, 2, 3, 5)))
