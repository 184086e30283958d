r"""Rounding error of rotary embeddings: bounds in exact rationals.

Main definitions
----------------
Pipeline        the formats of every stage from the stored frequency to the score
pipeline        the pipelines people run, by name and activation format
frequencies     the stored frequencies of a head
Errors, errors  the error of every stage, and the tolerances they add up to
exact_errors    the same against exact frequencies: what rounding them adds as well
Constants       the constants of the derivation; controls alter them

Conventions
-----------
A head has d components, d/2 pairs; positions are 0 .. L - 1.  u is a unit roundoff, omega half a
smallest subnormal, ufp(x) = 2^floor(log2 |x|).  Errors of vectors are per norm of the vector, which
is at least `smallest_norm` (1 unless told), errors of scores per product of the two norms.  The
square root of 2 is replaced by a rational above it, so that every bound is a fraction.

The bounds
----------
angle       The product of a position (itself rounded beyond 2^p) and a stored frequency is rounded
            once: A = max over the pairs of e theta + u ufp((L - 1 + e) theta), e = u ufp(L - 1) for
            rounded positions and 0 otherwise.  Scaling by a power of two is exact.
table       Cosine and sine have a relative library error tau = 2 K u for K ulp and are rounded to
            the table's format: e0 = (1 + tau)(1 + u) - 1 + sqrt(2) omega, and the entry is off by
            at most min(A, 2) + e0 as a complex number.
arithmetic  Two products and a sum a component: kappa = (1 + sqrt 2) u + sqrt(2) u^2 of the exact
            result, and 2 sqrt(2) (1 + u) omega a pair.  With FMA kappa = 2 u + u^2.
norm        nu = (1 + e0)(1 + kappa)(1 + u_out) - 1, and what underflows: positions do not enter.
vector      eta = (e + kappa (1 + e))(1 + u_out) + u_out with e = min(A, 2) + e0, and the same.
score       G = (1 + eta)^2 (1 + d u_acc)(1 + u_score) - 1.
relative    min(2 G, 2 (1 + nu)^2 (1 + d u_acc)(1 + u_score)): two scores of one offset.
frequency   1 / base^(2 i / d) in float32 (or float64, where that is stored), then rounded to the
            format it is stored in: the power is off by 2 K u, the division by u, and an exponent
            that is no dyadic fraction by u of itself, which changes the power by the factor
            exp(u (2 i / d) ln base).  A relative error E adds (L - 1) theta E to an angle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from typing import Any

from flint import arb

from posproof.numerics.balls import ends, precision
from posproof.numerics.formats import FORMATS, Format, correctly_rounded, exponent_of, round_exact

#: The square root of 2, rounded up to 16 decimals.
ROOT_TWO = Fraction(isqrt(2 * 10**32) + 1, 10**16)
#: Ulps by which the cosine and sine of a library may be off; narrower formats round a wider result.
LIBRARY_ULPS = {"float64": Fraction(1), "float32": Fraction(2)}
CORRECTLY_ROUNDED = Fraction(1, 2)


@dataclass(frozen=True)
class Pipeline:
    """The format of every stage; None for exact positions and for a score that is not rounded.

    `arithmetic` rounds the products and sums of a rotation, `output` its components, `accumulator`
    the terms of a scalar product, `score` what is stored of it.  `fused` is for rotations whose
    sums are fused with one of their products.
    """

    name: str
    frequency: Format
    position: Format | None
    angle: Format
    table: Format
    arithmetic: Format
    output: Format
    accumulator: Format = FORMATS["float64"]
    score: Format | None = None
    fused: bool = False


def _stages(name: str, dtype: Format) -> Pipeline:
    f64, f32, tf32 = FORMATS["float64"], FORMATS["float32"], FORMATS["tfloat32"]
    return {
        "mixed64": Pipeline(name, f64, None, f64, dtype, dtype, dtype),
        "mixed32": Pipeline(name, f32, f32, f32, dtype, dtype, dtype),
        "fused32": Pipeline(name, f32, f32, f32, f32, f32, dtype),
        "naive": Pipeline(name, dtype, dtype, dtype, dtype, dtype, dtype),
        "tf32angle": Pipeline(name, tf32, tf32, f32, dtype, dtype, dtype),
    }[name]


#: What each pipeline is, in words.
PIPELINES = {
    "mixed64": "float64 angles, tables rounded to the dtype, rotation in the dtype",
    "mixed32": "float32 angles, tables rounded to the dtype, rotation in the dtype",
    "fused32": "float32 angles, tables and rotation, one final rounding to the dtype",
    "naive": "everything in the dtype, positions included",
    "tf32angle": "positions and frequencies in TF32, angles in float32, the rest in the dtype",
}


def pipeline(
    name: str, dtype: str, accumulator: str = "float64", score: str | None = None
) -> Pipeline:
    """A pipeline of `PIPELINES` for an activation format.  KeyError for an unknown name."""
    stored = FORMATS[score] if score is not None else None
    return replace(_stages(name, FORMATS[dtype]), accumulator=FORMATS[accumulator], score=stored)


def truncated(line: Pipeline) -> Pipeline:
    """The same pipeline on hardware that cuts digits off; the stored frequencies stay nearest."""
    stages = {entry.name: getattr(line, entry.name) for entry in fields(line)}
    cut: dict[str, Any] = {
        name: replace(form, truncates=True)
        for name, form in stages.items()
        if isinstance(form, Format) and name != "frequency"
    }
    return replace(line, **cut)


@dataclass(frozen=True)
class Constants:
    """How much of each error a bound counts: 1 is what the derivation gives."""

    angle: Fraction = Fraction(1)
    library: Fraction = Fraction(1)
    arithmetic: Fraction = Fraction(1)
    output: Fraction = Fraction(1)
    exponent: Fraction = Fraction(1)


CONSTANTS = Constants()


class NoBound(ValueError):
    """Nothing can be guaranteed; the message says why."""


@lru_cache
def frequencies(head_dim: int, base: Fraction, form: Format) -> tuple[Fraction, ...]:
    """The stored frequencies: base^(-2 i / d) correctly rounded, i < d / 2."""

    def stored(pair: int) -> Fraction:
        def enclosure(bits: int) -> arb:
            return (arb(base.numerator) / base.denominator) ** (arb(-2 * pair) / head_dim)

        value = correctly_rounded(enclosure, form)
        if value is None or value == 0:
            raise NoBound(f"the frequency of pair {pair} is no {form.name} number")
        return value

    return tuple(stored(pair) for pair in range(head_dim // 2))


def ufp(value: Fraction) -> Fraction:
    """The power of two at the head of a positive number."""
    return Fraction(2) ** exponent_of(value)


def half_subnormal(form: Format) -> Fraction:
    """The largest error of a rounding below the normal numbers; twice that where digits are cut."""
    return form.smallest_subnormal * (1 + form.truncates) / 2


def accumulation_error(terms: int, form: Format) -> Fraction:
    """The error of a scalar product of n terms per sum |q_i k_i|, in any order of summation.

    n u for rounding to nearest; the classical n u / (1 - n u) where digits are cut off.
    """
    total = terms * form.unit_roundoff
    if not form.truncates:
        return total
    if total >= 1:
        raise NoBound(f"{terms} truncations of {form.name} lose every digit of a sum")
    return total / (1 - total)


def _power_of_two(value: Fraction) -> bool:
    return ufp(value) == value


def position_error(length: int, form: Format | None) -> Fraction:
    """How far a stored position may lie from the integer it stands for; `NoBound` on overflow."""
    last = length - 1
    if form is None:
        return Fraction(0)
    if last > form.largest:
        raise NoBound(
            f"positions up to {last} overflow {form.name}, whose largest number is "
            f"{float(form.largest):.6g}"
        )
    if last <= 2**form.significand:
        return Fraction(0)
    return form.unit_roundoff * ufp(Fraction(last))


def angle_error(
    length: int, theta: Fraction, line: Pipeline, of: Constants = CONSTANTS
) -> Fraction:
    """The largest error of an angle of one pair over the positions 0 .. length - 1, in radians."""
    moved = position_error(length, line.position)
    top = length - 1 + moved
    if line.position is not None:  # what is stored is finite, since the last position is
        top = min(top, line.position.largest)
    top *= theta
    if top > line.angle.largest:
        raise NoBound(f"angles up to {float(top):.6g} overflow {line.angle.name}")
    if top == 0:
        return Fraction(0)
    # The stored positions are numbers of the angle's format: all integers up to 2^p, and rounded
    # ones if the positions' format is no wider.
    narrower = line.position is not None and line.position.significand <= line.angle.significand
    stored = length - 1 <= 2**line.angle.significand or narrower
    rounding = (
        Fraction(0) if _power_of_two(theta) and stored else line.angle.unit_roundoff * ufp(top)
    )
    return moved * theta + of.angle * rounding


@dataclass(frozen=True)
class Errors:
    """The error of every stage and the tolerances; `angles` holds one entry a pair.

    A rotated pair is off by at most `pair` of its size and `underflow` besides.
    """

    angles: tuple[Fraction, ...]
    library: Fraction
    table_rounding: Fraction
    table: Fraction
    arithmetic: Fraction
    output: Fraction
    accumulation: Fraction
    score_rounding: Fraction
    norm: Fraction
    vector: Fraction
    score: Fraction
    relative: Fraction
    pair: Fraction
    underflow: Fraction
    frequency: Fraction = Fraction(0)

    @property
    def angle(self) -> Fraction:
        return max(self.angles)

    @property
    def vacuous(self) -> bool:
        """Whether the tolerance says no more than the Cauchy-Schwarz inequality."""
        return 2 * self.score >= 2

    @property
    def stages(self) -> dict[str, Fraction]:
        """What every stage adds to a rotated vector, and to a score, to first order."""
        return {
            "angle": min(self.angle, Fraction(2)),
            "stored frequency": min(self.frequency, Fraction(2)),
            "cos and sin": self.library,
            "table rounding": self.table_rounding,
            "rotation": self.arithmetic,
            "output rounding": self.output,
            "accumulation": self.accumulation,
            "score rounding": self.score_rounding,
        }


def library_error(form: Format) -> Fraction:
    """The relative error of cosine and sine in a format: K ulp are 2 K u."""
    return 2 * LIBRARY_ULPS.get(form.name, CORRECTLY_ROUNDED) * form.unit_roundoff


def errors(
    line: Pipeline,
    length: int,
    head_dim: int,
    base: Fraction,
    *,
    smallest_norm: Fraction = Fraction(1),
    of: Constants = CONSTANTS,
) -> Errors:
    """Every error of a pipeline for positions 0 .. length - 1.  `NoBound` where there is none."""
    stored = frequencies(head_dim, base, line.frequency)
    angles = tuple(angle_error(length, theta, line, of) for theta in stored)
    return combined(line, angles, head_dim, smallest_norm, of)


def combined(
    line: Pipeline,
    angles: Sequence[Fraction],
    head_dim: int,
    smallest_norm: Fraction = Fraction(1),
    of: Constants = CONSTANTS,
) -> Errors:
    """The tolerances that given angle errors and a pipeline's formats add up to."""
    cast = line.table != line.angle
    library = of.library * library_error(line.angle)
    table_rounding = line.table.unit_roundoff if cast else Fraction(0)
    below = ROOT_TWO * half_subnormal(line.table) if cast else Fraction(0)
    entry = (1 + library) * (1 + table_rounding) - 1 + below

    u = line.arithmetic.unit_roundoff
    plain = (1 + ROOT_TWO) * u + ROOT_TWO * u**2
    kappa = of.arithmetic * (2 * u + u**2 if line.fused else plain)
    rounds = line.output != line.arithmetic
    output = of.output * line.output.unit_roundoff if rounds else Fraction(0)
    pair = 2 * ROOT_TWO * (1 + u) * half_subnormal(line.arithmetic) * (1 + output)
    pair += ROOT_TWO * half_subnormal(line.output) if rounds else 0
    subnormal = pair * (isqrt(head_dim // 2) + 1) / smallest_norm

    norm = (1 + entry) * (1 + kappa) * (1 + output) - 1 + subnormal
    table = min(max(angles), Fraction(2)) + entry
    of_pair = (table + kappa * (1 + table)) * (1 + output) + output
    vector = of_pair + subnormal
    accumulation = accumulation_error(head_dim, line.accumulator)
    stored = line.score.unit_roundoff if line.score is not None else Fraction(0)
    after = (1 + accumulation) * (1 + stored)
    score = (1 + vector) ** 2 * after - 1
    return Errors(
        angles=tuple(angles),
        library=library,
        table_rounding=table_rounding,
        table=table,
        arithmetic=kappa,
        output=output,
        accumulation=accumulation,
        score_rounding=stored,
        norm=norm,
        vector=vector,
        score=score,
        relative=min(2 * score, 2 * (1 + norm) ** 2 * after),
        pair=of_pair,
        underflow=pair,
    )


# ---------------------------------------------------------------------- exact frequencies
def _exponential(x: Fraction) -> Fraction:
    """e^x - 1 from above, for 0 <= x < 1."""
    return x / (1 - x)


def frequency_error(
    pair: int, head_dim: int, base: Fraction, form: Format, of: Constants = CONSTANTS
) -> Fraction:
    """The relative error of a stored frequency, as people compute it."""
    if pair == 0:  # a power with exponent 0 is 1, exactly
        return Fraction(0)
    wide = form if form.name == "float64" else FORMATS["float32"]
    u = wide.unit_roundoff
    power = of.library * library_error(wide)
    with precision(128):
        exponent = arb(2 * pair) / head_dim
        slope = ends(exponent * (arb(base.numerator) / base.denominator).log())[1]
        theta = ends((arb(base.numerator) / base.denominator) ** -exponent)[0]
    dyadic = head_dim & (head_dim - 1) == 0
    moved = Fraction(0) if dyadic else of.exponent * u * slope
    rounded_base = Fraction(0) if round_exact(base, wide) == base else u
    error = (1 + power / (1 - power)) * (1 + u) * (1 + _exponential(moved))
    error *= 1 + rounded_base / (1 - rounded_base)
    if form != wide:
        error *= 1 + max(form.unit_roundoff, half_subnormal(form) / theta)
    return error - 1


@lru_cache
def _frequency_errors(
    head_dim: int, base: Fraction, form: Format, of: Constants
) -> tuple[tuple[Fraction, Fraction], ...]:
    """Exact frequency, rounded up, and relative error of every pair."""
    result = []
    for pair in range(head_dim // 2):
        with precision(128):
            ball = (arb(base.numerator) / base.denominator) ** (arb(-2 * pair) / head_dim)
            theta = ends(ball)[1]
        result.append((theta, frequency_error(pair, head_dim, base, form, of)))
    return tuple(result)


def exact_errors(
    line: Pipeline,
    length: int,
    head_dim: int,
    base: Fraction,
    *,
    smallest_norm: Fraction = Fraction(1),
    of: Constants = CONSTANTS,
) -> Errors:
    """As `errors`, with vectors and scores against those of the exact frequencies.

    The frequencies may be computed by the formula; they need not be correctly rounded.
    """
    frequencies(head_dim, base, line.frequency)  # refuses what no format can store
    known = _frequency_errors(head_dim, base, line.frequency, of)
    stored = [theta * (1 + error) for theta, error in known]
    angles = tuple(angle_error(length, theta, line, of) for theta in stored)
    drift = [(length - 1) * theta * error for theta, error in known]
    together = [a + b for a, b in zip(angles, drift, strict=True)]
    found = combined(line, together, head_dim, smallest_norm, of)
    return replace(found, angles=angles, frequency=max(drift))
