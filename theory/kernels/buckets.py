r"""The buckets of T5 biases, decided in integers.

Main definitions
----------------
Buckets.begins      what it means that a distance has reached logarithmic bucket k
STARTS              the first distance of each bucket, for usual shapes

Main claims
-----------
kernels.t5_buckets

Conventions
-----------
A causal side has b buckets up to the distance D: e = b / 2 exact ones, for the distances below e,
and n = b - e logarithmic ones.  The published rule puts d >= e into bucket
e + min(n - 1, floor(n ln(d / e) / ln(D / e))).  A side of a two-sided bias has half the buckets.

References
----------
raffel2020t5
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sympy import Integer, log

from posproof.theory.symbols import variables
from posproof.theory.vocabulary import (
    And,
    Claim,
    Clause,
    Eq,
    ForAll,
    Iff,
    Implies,
    Int,
    Le,
    Lt,
    Prop,
)

d, t, e, D = variables("d t e D", Int(1))
n, k = variables("n k", Int(0))

#: (buckets, furthest distance) of a side: the first distances of its logarithmic buckets.
STARTS: dict[tuple[int, int], tuple[int, ...]] = {
    (32, 128): (16, 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113),
    (16, 128): (8, 12, 16, 23, 32, 46, 64, 91),
    (32, 1024): (16, 21, 27, 35, 46, 59, 77, 99, 128, 166, 216, 280, 363, 470, 609, 790),
    (16, 64): (8, 11, 14, 18, 23, 30, 39, 50),
}
#: Where a distance meets the start of its bucket exactly, so that a rounded logarithm may miss it.
TIES = {(32, 128): (16,), (16, 128): (8, 16, 32, 64)}


def begins(d: Any, e: Any, n: Any, D: Any, k: Any) -> Prop:
    """d has reached logarithmic bucket k: (d / e)^n >= (D / e)^k, without fractions."""
    return Le(e**n * D**k, d**n * e**k)


@dataclass(frozen=True)
class Buckets:
    """The definitions of this topic; a control replaces one of them."""

    begins: Callable[[Any, Any, Any, Any, Any], Prop] = begins
    starts: Callable[[tuple[int, int]], tuple[int, ...]] = STARTS.__getitem__
    ties: Callable[[tuple[int, int]], tuple[int, ...]] = TIES.__getitem__


def integer_rule(of: Buckets) -> Prop:
    published = Le(k * (log(D) - log(e)), n * (log(d) - log(e)))
    return ForAll((d, e, n, D, k), Iff(published, of.begins(d, e, n, D, k)))


def rises(of: Buckets) -> Prop:
    given = And(Le(d, t), of.begins(d, e, n, D, k))
    return ForAll((d, t, e, n, D, k), Implies(given, of.begins(t, e, n, D, k)))


def nested(of: Buckets) -> Prop:
    given = And(Le(e, D), of.begins(d, e, n, D, k + 1))
    return ForAll((d, e, n, D, k), Implies(given, of.begins(d, e, n, D, k)))


def _sides(shape: tuple[int, int]) -> tuple[Any, Any, Any]:
    buckets, furthest = shape
    return Integer(buckets // 2), Integer(buckets - buckets // 2), Integer(furthest)


def starts(of: Buckets) -> Prop:
    facts: list[Prop] = []
    for shape in STARTS:
        exact, wide, furthest = _sides(shape)
        for bucket, first in enumerate(of.starts(shape)):
            side = Integer(bucket)
            before = of.begins(Integer(first - 1), exact, wide, furthest, side)
            facts += [of.begins(Integer(first), exact, wide, furthest, side)]
            facts += [Lt(before.right, before.left)]  # type: ignore[attr-defined]
    return And(*facts)


def exact_ties(of: Buckets) -> Prop:
    facts: list[Prop] = []
    for shape in TIES:
        exact, wide, furthest = _sides(shape)
        for bucket, first in enumerate(STARTS[shape]):
            here = of.begins(Integer(first), exact, wide, furthest, Integer(bucket))
            relation = Eq if first in of.ties(shape) else Lt
            facts.append(relation(here.left, here.right))  # type: ignore[attr-defined]
    return And(*facts)


T5_BUCKETS = Claim(
    id="kernels.t5_buckets",
    title="T5 buckets are decided by integers, and a rounded logarithm can miss a tie",
    kind="identity",
    source=("raffel2020t5",),
    definitions=Buckets(),
    clauses=(
        Clause(
            "integer_rule",
            r"k \le n\,\frac{\ln(d/e)}{\ln(D/e)} \iff e^n D^k \le d^n e^k \quad "
            r"(D > e,\ \text{written without the quotient})",
            integer_rule,
        ),
        Clause("rises", r"d \le d' \text{ and } d \text{ has reached } k \implies d' \text{ has}",
               rises),
        Clause("nested", r"e \le D \text{ and } d \text{ has reached } k + 1 \implies d \text{ has "
               r"reached } k", nested),
        Clause(
            "starts",
            r"b = 32,\ D = 128:\ 0, \ldots, 15,\quad 16, 19, 21, 24, 27, 31, 35, 40,\quad "
            r"46, 52, 59, 67, 77, 87, 99, 113;\quad b = 16,\ D = 128:\ 8, 12, 16, 23, 32, 46, 64, "
            r"91;\quad \text{two more shapes}",
            starts,
        ),
        Clause(
            "ties",
            r"e^n D^k = d^n e^k \text{ where bucket } k \text{ starts}:\ b = 16:\ d = 8, 16, 32, "
            r"64;\quad b = 32:\ d = 16 \text{ alone} \quad (D = 128)",
            exact_ties,
        ),
    ),
)  # fmt: skip
