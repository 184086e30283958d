"""Measured quantities against derived bounds.

Main definitions
----------------
within          one measured size against a bound, as `Evidence`
worst           the largest entry of a measured array and where it is
high_precision  residuals at `digits` digits with mpmath, against a bound
hoeffding       how far a mean of bounded independent samples may stray
sampled         a Monte-Carlo mean against its deviation bound
Findings        several findings in one: the first that is refuted, else the nearest to its bound

Conventions
-----------
Comparisons are exact: a measured float is taken at its dyadic value.  A NaN is larger than every
bound.  Failure probability of a sampled check: 1e-9 (`FAILURE`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from posproof.numerics.balls import describe, upward
from posproof.theory.vocabulary import Bound, Evidence

if TYPE_CHECKING:
    import mpmath
    import numpy as np
    from numpy.typing import NDArray

#: The probability with which a sampled check of a true statement may fail.
FAILURE = Fraction(1, 10**9)


def as_size(measured: Any) -> Fraction | None:
    """A measured size as an exact fraction; None for a NaN or an infinity."""
    if isinstance(measured, (int, Fraction)):
        return Fraction(measured)
    if hasattr(measured, "_mpf_"):
        sign, man, exp, _ = measured._mpf_
        if not man and exp:
            return None
        return (-1) ** sign * Fraction(int(man)) * Fraction(2) ** int(exp)
    measured = float(measured)
    return Fraction(*measured.as_integer_ratio()) if math.isfinite(measured) else None


def within(measured: Any, bound: Bound, *, witness: str = "", note: str = "") -> Evidence:
    """Holds when |measured| <= bound; else refuted, with where it was seen.

    `measured` is an int, Fraction, float, NumPy scalar or mpmath number; the evidence prints it
    rounded up to three digits, or to as many as keep it below a bound that is nearly attained.
    """
    size = as_size(measured)
    printed = "nan" if size is None else _below(abs(size), bound.value)
    if size is not None and abs(size) <= bound.value:
        return Evidence("holds", printed, bound, note=note)
    where = f"{witness}: " if witness else ""
    return Evidence(
        "refuted",
        printed,
        bound,
        witness=f"{where}measured {printed}, bound {upward(bound.value)}",
        note=note,
    )


def _below(size: Fraction, bound: Fraction) -> str:
    """The shortest decimal that rounds a size up and, if the size does, stays within the bound."""
    for digits in (3, 6, 12, 24, 48):
        printed = upward(size, digits)
        if size > bound or Fraction(printed) <= bound:
            return printed
    return printed


def worst(
    errors: NDArray[np.floating], labels: Mapping[str, NDArray[Any]] | None = None
) -> tuple[float, str]:
    """The entry of largest modulus (a NaN beats all) and the labels of its place along axis 0."""
    import numpy as np

    errors = np.abs(np.asarray(errors, dtype=np.float64))
    flat = int(np.argmax(np.where(np.isnan(errors), np.inf, errors)))
    row = np.unravel_index(flat, errors.shape)[0]
    return float(errors.flat[flat]), describe({k: v[row] for k, v in (labels or {}).items()})


def high_precision(
    residual: Callable[..., mpmath.mpf],
    points: Iterable[Mapping[str, Any]],
    digits: int,
    bound: Bound,
) -> Evidence:
    """The largest |residual(**point)| over the points, at `digits` digits, against a bound."""
    import mpmath

    largest, where, count = Fraction(0), "", 0
    with mpmath.workdps(digits):
        for point in points:
            size = as_size(abs(residual(**point)))
            count += 1
            if size is None:
                return within(math.nan, bound, witness=describe(point))
            if size >= largest:
                largest, where = size, describe(point)
    if not count:
        return Evidence("undecided", bound=bound, note="no point")
    return within(largest, bound, witness=where, note=f"{count} points at {digits} digits")


def hoeffding(samples: int, span: Fraction, failure: Fraction = FAILURE) -> Bound:
    """Deviation of a mean that is exceeded with probability at most `failure`.

    For independent samples in an interval of length `span`, Hoeffding's inequality gives
    P(|mean - expectation| > t) <= 2 exp(-2 n t^2 / span^2); the bound is that t, rounded up.
    """
    if samples < 1:
        raise ValueError("a mean needs at least one sample")
    # log(2/failure) rounded up: one float ulp is far below the 2^-40 added
    log_term = Fraction(math.log(2 / failure)) + Fraction(1, 2**40)
    square = span**2 * log_term / (2 * samples)
    scale = 2**80
    root = Fraction(math.isqrt(math.ceil(square * scale**2)) + 1, scale)
    return Bound(
        root,
        "span sqrt(log(2 / failure) / (2 samples))",
        {"samples": samples, "span": span, "failure": failure},
    )


def sampled(
    values: NDArray[np.floating], expected: float | Fraction, span: Fraction, *, note: str = ""
) -> Evidence:
    """A mean of independent bounded samples, shape `(n,)`, against its expectation."""
    mean = math.fsum(values.tolist()) / len(values)
    bound = hoeffding(len(values), span)
    return within(Fraction(mean) - Fraction(expected), bound, note=note, witness=f"mean {mean!r}")


class Findings:
    """One finding after the other: the first that is refuted, else the one nearest its bound.

    Sizes and bounds are in units of the unit roundoff u.
    """

    def __init__(self) -> None:
        self.best, self.share, self.notes = Evidence("undecided"), -1.0, list[str]()

    def add(self, evidence: Evidence, size: float, bound: Fraction, what: str) -> bool:
        """Whether to go on."""
        share = size / float(bound)
        if evidence.outcome != "holds" or share > self.share:
            self.best, self.share = evidence, share
        self.notes.append(f"{size:.2g} u in {what}")
        return evidence.outcome == "holds"

    def result(self) -> Evidence:
        return replace(self.best, note="; ".join(self.notes))
