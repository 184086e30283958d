"""Tolerances people can cite: a proven bound, what was measured, and how to test with it.

Main definitions
----------------
tolerance     the bound of one name for one set of inputs; raises `NoTolerance` where there is none
Tolerance     the answer: bound, terms, assumptions, measurements, what it sees, lines to paste
table         every committed cell of `rope.relative`

Conventions
-----------
`max_position` is the number of positions L: the bound holds for 0 .. L - 1.  Bounds are fractions
and every printed decimal is rounded up.  Scores are bounded per |q| |k|, vectors per norm.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from posproof.errors import BadInput, suggest
from posproof.tolerance_names import ROPE, TOLERANCES, Evaluated, Name, line_of, rotary_errors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from posproof.numerics.tolerances import Pipeline

#: Significant digits of a printed bound; `bound_exact` has them all.
DIGITS = 6
#: The test of the mutation matrix that a tolerance is for.
TEST_OF = {
    "rope.relative": "relative",
    "rope.group_law": "group law",
    "rope.norm": "norm",
    "rope.apply": "reference",
}
ROUNDINGS = ("nearest", "truncate", "flush")


class NoTolerance(BadInput):
    """No bound exists for these inputs, or the one that does says nothing."""


@dataclass(frozen=True)
class Tolerance:
    """A proven tolerance.

    `bound` is exact and `float(tolerance)` rounds it up.  `measured` and `typical` are residuals
    found by the committed search and by random inputs at the same pipeline, never bounds; None
    where nothing was measured.
    """

    name: str
    claim: str
    inputs: Mapping[str, Any]
    bound: Fraction
    formula: str
    terms: Mapping[str, Fraction]
    measured: Mapping[str, Any] | None
    typical: Mapping[str, Any] | None
    assumptions: tuple[str, ...]
    cite: str
    asserted: Fraction
    floor: Fraction = Fraction(0)
    rtol: float = 0.0
    vacuous: bool = False

    def __float__(self) -> float:
        """The smallest float64 that is not below the bound."""
        from math import inf, nextafter

        near = float(self.bound)
        return near if Fraction(near) >= self.bound else nextafter(near, inf)

    def printed(self, value: Fraction, digits: int = DIGITS) -> str:
        """A decimal rounded up, or a whole number of positions."""
        whole = TOLERANCES[self.name].whole
        return str(value.numerator) if whole else printable(value, digits)

    @property
    def dominated_by(self) -> str:
        """The stage that adds most."""
        return max(self.terms, key=lambda stage: self.terms[stage])

    def atol(self, q: ArrayLike, k: ArrayLike) -> NDArray[np.float64]:
        """bound |q| |k| for queries `(..., n, d)` and keys `(..., m, d)`, shape `(..., n, m)`.

        Only for scores.  Norms below 1 enlarge the part of the bound that underflows.
        """
        import numpy as np

        if not self.name.endswith((".relative", ".score")):
            raise BadInput(f"{self.name} is no tolerance of scores", "atol")
        # d squares and sums and a root, all in float64.
        slack = 1 + (int(self.inputs["head_dim"]) + 2) * 2.0**-53
        norms = [np.linalg.norm(np.asarray(x, np.float64), axis=-1) * slack for x in (q, k)]
        smallest = min(float(norm[norm > 0].min(initial=1.0)) for norm in norms)
        value = float(self if smallest >= 1 else self._at_norm(Fraction(smallest)))
        return value * norms[0][..., :, None] * norms[1][..., None, :] * (1 + 2.0**-50)

    def pair_atol(self, x: ArrayLike, layout: str = "half") -> NDArray[np.float64]:
        """The tolerance of every component of the rotated vectors `x`, shape `(..., d)`.

        Tighter than `bound |x|`: eta_0 times the size of the component's own pair, and what
        underflows in one pair.  Only for `rope.apply`.
        """
        import numpy as np

        from posproof.numerics.rope_faults import components

        if self.name != "rope.apply":
            raise BadInput(f"{self.name} is no tolerance of vectors", "pair_atol")
        found = rotary_errors(self.inputs, exact=True)
        wide = np.asarray(x, np.float64)
        flat = wide.reshape(-1, wide.shape[-1])
        first, second = components(flat, layout)
        # A hypotenuse, a product and a sum in float64.
        sizes = (np.hypot(first, second) * float(found.pair) + float(found.underflow)) * (
            1 + 2.0**-50
        )
        result = np.empty_like(flat)
        for half in components(result, layout):
            half[:] = sizes
        return result.reshape(wide.shape)

    def _at_norm(self, smallest: Fraction) -> Fraction:
        """The bound where norms may be as small as that."""
        return TOLERANCES[self.name].evaluate(self.inputs, smallest).bound

    @property
    def lines(self) -> tuple[str, str]:
        """Assertions to paste: NumPy's and PyTorch's."""
        name = TOLERANCES[self.name]
        slack = name.slack(self.inputs, self.asserted)
        floor = printable(self.floor) if self.floor else "0"
        return name.test.lines(self.printed(self.asserted + slack), floor)

    # ------------------------------------------------------------------ what it sees
    @cached_property
    def faults(self) -> Mapping[str, float]:
        """The worst residual of every known fault under the test this tolerance is for.

        Found in float64 at the same positions, head and base; empty where no test is attached.
        """
        from posproof.numerics.formats import FORMATS
        from posproof.numerics.rope_battery import Task, matrix

        if self.name not in TEST_OF:
            return {}
        length, width, base = (self.inputs[key] for key in ("max_position", "head_dim", "base"))
        rows = matrix(Task(length, width, Fraction(base), FORMATS["float64"]))
        found = {fault: row[TEST_OF[self.name]] for fault, row in rows.items()}
        return {fault: size for fault, size in found.items() if fault != "correct"}

    @property
    def detects(self) -> Mapping[str, float]:
        """The faults that exceed the bound, with their worst residuals."""
        return {fault: size for fault, size in self.faults.items() if size > self.bound}

    @cached_property
    def min_shift_to_see_all_pairs(self) -> int | None:
        """The smallest shift at which a fault of any one pair could exceed the bound.

        None where no shift will do, or the tolerance is not about shifts.
        """
        from posproof.numerics.rope_battery import least_shift

        if self.name != "rope.relative":
            return None
        length, width, base = (self.inputs[key] for key in ("max_position", "head_dim", "base"))
        return least_shift(self.bound, width, Fraction(base), length)

    def undetected(self, limit: float) -> tuple[str, ...]:
        """The known faults that a test with another limit cannot see.

        Raises NoTolerance for a limit below what correct code was measured to need, and warns for
        one below the proven bound.
        """
        if self.measured is not None and limit < Fraction(self.measured["value"]):
            raise NoTolerance(
                f"{limit:g} rejects correct code: {self.measured['value']} was measured", "limit"
            )
        if limit < self.bound:
            said = f"{limit:g} is below the proven bound {printable(self.bound)}"
            warnings.warn(f"{said}: correct code may exceed it", stacklevel=2)
        return tuple(fault for fault, size in self.faults.items() if size <= limit)


def tolerance(
    name: str,
    *,
    dtype: str | None = None,
    pipeline: str | None = None,
    max_position: int | None = None,
    head_dim: int | None = None,
    base: int | float | None = None,
    acc: str = "float64",
    score: str | None = None,
    fma: bool | None = None,
    rounding: str = "nearest",
    count: int | None = None,
    degree: int | None = None,
    gap: float | None = None,
    norms: float | None = None,
    heads: int | None = None,
    slope: float | None = None,
    strict: bool = False,
) -> Tolerance:
    """The proven tolerance `name`; `TOLERANCES` says what each name needs.

    `acc` is the format in which a score is summed, `score` the one it is stored in.  The bound
    covers rotations with and without FMA; `fma=True` gives the smaller one of code that always
    fuses.  `rounding="truncate"` is for arithmetic that cuts digits off, and "flush" for
    exponentials that are 0 below the smallest normal number.
    Raises BadInput for what is missing or unknown, and its kind NoTolerance where no bound exists
    or it says nothing; with `strict` also where a test at this tolerance is blind to some pair at
    every shift.

    >>> float(tolerance("rope.relative", dtype="bfloat16", pipeline="fused32",
    ...                 max_position=131072, head_dim=128, base=10000)) < 0.0315
    True
    """
    given = dict(locals())
    asked = {key: value for key, value in given.items() if key not in ("name", "strict")}
    kind = _checked(name, asked)
    wanted = (*kind.needs, *kind.either)
    unused = [key for key in OPTIONAL if key not in wanted and asked[key] is not None]
    if unused:
        raise BadInput(f"{name} has no use for {_words(unused[0])}", _option(unused[0]))
    if rounding not in kind.roundings:
        known = " or ".join(kind.roundings[1:])
        raise BadInput(
            f"{name} is proved for rounding to nearest{known and f' (or {known})'}", "--rounding"
        )
    if not kind.rotary and fma:
        raise BadInput(f"{name} has one bound, with and without FMA", "--fma")
    inputs = {key: value for key, value in asked.items() if key in (*kind.needs, *ALWAYS)}
    inputs |= {key: asked[key] for key in kind.either if asked[key] is not None}
    answer = _answer(name, kind, inputs)
    if answer.vacuous:
        raise NoTolerance(
            f"{name} would be {printable(answer.bound)}, which guarantees nothing: "
            f"{answer.dominated_by} alone adds {printable(answer.terms[answer.dominated_by])}; "
            f"use {'another pipeline' if kind.rotary else 'fewer factors'} or a wider format",
            "--pipeline" if kind.rotary else "--dtype",
        )
    if strict and name == "rope.relative" and answer.min_shift_to_see_all_pairs is None:
        raise NoTolerance(
            f"{name} is {printable(answer.bound)}: at every shift some pair could fail unseen",
            "--strict",
        )
    return answer


#: Inputs that only some names need; the rest have defaults and are always printed.
OPTIONAL = (*ROPE, "count", "degree", "gap", "norms", "heads", "slope")
ALWAYS = ("acc", "score", "fma", "rounding")


def _checked(name: str, asked: Mapping[str, Any]) -> Name:
    """The kind of a name; BadInput for the first argument unknown, missing or out of range."""
    from posproof.numerics.formats import FORMATS
    from posproof.numerics.tolerances import PIPELINES

    if name not in TOLERANCES:
        near = suggest(name, TOLERANCES)
        raise BadInput(f"unknown tolerance {name!r}{near}; --list names them", "NAME")
    kind = TOLERANCES[name]
    for argument in kind.needs:
        if asked[argument] is None:
            raise BadInput(f"{name} needs {_words(argument)}", _option(argument))
    chosen = [argument for argument in kind.either if asked[argument] is not None]
    if kind.either and len(chosen) != 1:
        options = " or ".join(map(_option, kind.either))
        how = "not both" if chosen else "neither is given"
        raise BadInput(f"{name} needs {options}, {how}", _option(kind.either[0]))
    formats, pipelines = tuple(FORMATS), tuple(PIPELINES)
    choices = {"dtype": formats, "acc": formats, "score": formats, "pipeline": pipelines}
    for argument, known in {**choices, "rounding": ROUNDINGS}.items():
        value = asked[argument]
        if value is not None and value not in known:
            near = suggest(str(value), known) or f"; known: {', '.join(known)}"
            raise BadInput(f"unknown {_words(argument)} {value!r}{near}", _option(argument))
    for argument, (fits, words) in RANGES.items():
        if asked[argument] is not None and not fits(asked[argument]):
            raise BadInput(f"{_words(argument)} is {words}", _option(argument))
    return kind


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


#: What a number must satisfy, and how that is said.
RANGES = {
    "max_position": (
        lambda n: _whole(n) and 1 <= n <= 2**53,
        "a number of positions, at least 1",
    ),
    "head_dim": (
        lambda n: _whole(n) and n % 2 == 0 and 2 <= n <= 4096,
        "an even number from 2 to 4096",
    ),
    "base": (lambda x: 1 < x < 10**30, "a number above 1 and below 1e30"),
    "count": (lambda n: _whole(n) and 1 <= n <= 10**7, "a number of factors or terms, 1 to 1e7"),
    "degree": (lambda n: _whole(n) and 1 <= n <= 16, "a degree from 1 to 16"),
    "gap": (lambda x: 0 <= x < 10**6, "a number from 0 to 1e6"),
    "norms": (lambda x: 0 < x < 10**12, "a positive number below 1e12"),
    "heads": (lambda n: _whole(n) and 1 <= n <= 1024, "a number of heads from 1 to 1024"),
    "slope": (lambda x: 10**-9 <= x <= 10**6, "a positive slope from 1e-9 to 1e6"),
}


def _words(argument: str) -> str:
    return {"acc": "accumulator", "score": "score format"}.get(argument, argument)


def _option(argument: str) -> str:
    return "--" + argument.replace("_", "-")


def _answer(name: str, kind: Name, inputs: Mapping[str, Any]) -> Tolerance:
    from posproof.api import claim
    from posproof.cite import text
    from posproof.numerics.tolerances import NoBound

    try:
        found: Evaluated = kind.evaluate(inputs, Fraction(1))
    except (NoBound, ValueError) as reason:
        where = "--max-position" if kind.rotary else "--dtype"
        raise NoTolerance(f"no {name} tolerance exists: {reason}", where) from reason
    measured, typical = _measured(inputs) if name == "rope.relative" else (None, None)
    return Tolerance(
        name=name,
        claim=kind.claim,
        inputs=dict(inputs),
        bound=found.bound,
        formula=kind.formula,
        terms={stage: value for stage, value in found.shares.items() if value},
        measured=measured,
        typical=typical,
        assumptions=_assumptions(name, kind, inputs),
        cite=text(claim(kind.claim)),
        asserted=found.bound if found.asserted is None else found.asserted,
        floor=found.floor,
        vacuous=found.vacuous,
    )


def _measured(asked: Mapping[str, Any]) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    """The committed residuals that lie within the range asked for: lower bounds of its worst."""
    from posproof.numerics import worst_cases

    def covered(cell: worst_cases.Cell) -> bool:
        same = (cell.pipeline, cell.dtype) == (asked["pipeline"], asked["dtype"])
        return same and cell.base == asked["base"] and cell.length <= asked["max_position"]

    if asked["rounding"] != "nearest" or asked["fma"]:  # the search emulates neither
        return None, None
    cells = [cell for cell in worst_cases.saved() if cell.case is not None and covered(cell)]
    if not cells or asked["head_dim"] != worst_cases.HEAD_DIM:
        return None, None
    worst = max(cells, key=lambda cell: cell.measured or 0.0)
    usual = cells[-1]
    case = worst.case
    assert case is not None and worst.measured is not None and usual.typical is not None
    found = {
        "value": printable(Fraction(worst.measured)),
        "max_position": worst.length,
        "pair": case.pair,
        "i": case.i,
        "j": case.j,
        "shift": case.shift,
        "seed": worst_cases.SEED,
        "draws": worst_cases.DRAWS,
        "scores": "summed exactly",
        "script": "python -m posproof.numerics.worst_cases",
    }
    random = {
        "value": printable(Fraction(usual.typical)),
        "max_position": usual.length,
        "seed": worst_cases.SEED,
        "draws": worst_cases.TYPICAL_DRAWS,
        "scores": "summed in float64",
    }
    return found, random


def _assumptions(name: str, kind: Name, inputs: Mapping[str, Any]) -> tuple[str, ...]:
    """The model a bound holds in."""
    way = "rounded to nearest" if inputs["rounding"] == "nearest" else "cut off towards zero"
    fused = "every rotation by FMA" if inputs["fma"] else "with or without FMA"
    model = f"IEEE operations {way}, {fused}, in any order; no overflow"
    if kind.whole:
        return OTHER_ASSUMPTIONS[name]
    if not kind.rotary:
        return (model, *OTHER_ASSUMPTIONS[name])
    return (model, *_of_pipeline(line_of(inputs), name), *OTHER_ASSUMPTIONS.get(name, ()))


OTHER_ASSUMPTIONS = {
    "attention.tv": (
        "scores divided by sqrt(d); both rows by a softmax in float64, so a softmax in the dtype "
        "adds softmax.log_relative",
    ),
    "rotation.product": (
        "entries are correctly rounded cosines and sines; factors are multiplied one after another",
    ),
    "shear.product": (
        "products of [[1, a], [0, 1]] are recursive sums: steps 2^-m freeze after 2^p of them",
    ),
    "wignerd.homomorphism": (
        "angles of modulus at most pi, given exactly; eigenvectors of J_y correctly rounded",
        "valid and conservative: computed products come to a twentieth of it and less",
    ),
    "alibi.alive_distance": (
        "content logits of one row are equal; if they differ by at most D, a head loses at most "
        "D / m positions, rounded up",
        "the exponent is exact and the exponential rounded once, ties to even; a probability is a "
        "weight divided by the sum of its row, and may be 0 earlier",
        "flushed to zero is every exponential below the smallest normal number",
        "--heads: slopes 2^(-8 h / H) for a power of two H, otherwise those of the largest power K "
        "below H and every second one of 2 K",
    ),
    "softmax.log_relative": (
        "shifted softmax, recursive sum, logits given exactly; no term underflows",
        "exponentials within 1 ulp in float64, 2 in float32, correctly rounded elsewhere",
    ),
}


def _of_pipeline(line: Pipeline, name: str) -> tuple[str, ...]:
    from posproof.numerics.tolerances import CORRECTLY_ROUNDED, LIBRARY_ULPS, PIPELINES

    ulps = LIBRARY_ULPS.get(line.angle.name, CORRECTLY_ROUNDED)
    table = f"{float(ulps):g} ulp" if line.angle.name in LIBRARY_ULPS else "correctly rounded"
    stored = line.score.name if line.score is not None else "not rounded again"
    wide = "float64" if line.frequency.name == "float64" else "float32"
    frequencies = (
        f"frequencies 1 / base^(2 i / d) computed in {wide}, the power within "
        f"{float(LIBRARY_ULPS[wide]):g} ulp, and stored in {line.frequency.name}"
        if name in ("rope.apply", "rope.score", "attention.tv")
        else f"frequencies base^(-2 i / d) correctly rounded to {line.frequency.name}"
    )
    return (
        f"pipeline {line.name}: {PIPELINES[line.name]}",
        frequencies,
        f"cos and sin in {line.angle.name}: {table}; fast intrinsics are outside the model",
        f"scores summed in {line.accumulator.name}, off by at most d u sum |q_i k_i| in any order, "
        f"no underflow; stored score: {stored}",
        "vectors of norm at least 1",
        "measured on an emulation of every rounding in NumPy; no GPU kernel was measured",
    )


def printable(value: Fraction, digits: int = DIGITS) -> str:
    """A decimal rounded up."""
    from posproof.numerics.balls import upward

    return upward(value, digits)


# ---------------------------------------------------------------------- the table
def table() -> list[dict[str, Any]]:
    """Bound, worst case found and random inputs for every committed cell of `rope.relative`.

    Decimals are rounded up; `bound` is None where the positions overflow, and `vacuous` says that
    a bound guarantees nothing.
    """
    from posproof.numerics.tolerances import NoBound, errors
    from posproof.numerics.worst_cases import HEAD_DIM, saved

    rows = []
    for cell in saved():
        row: dict[str, Any] = {
            "pipeline": cell.pipeline,
            "dtype": cell.dtype,
            "base": cell.base,
            "max_position": cell.length,
            "head_dim": HEAD_DIM,
            "acc": cell.line.accumulator.name,
            "score": "",
        }
        try:
            found = errors(cell.line, cell.length, HEAD_DIM, Fraction(cell.base))
        except NoBound:
            rows.append(row | dict.fromkeys(("bound", "measured", "typical", "vacuous")))
            continue
        rows.append(
            row
            | {
                "bound": printable(found.relative),
                "measured": printable(Fraction(cell.measured or 0)),
                "typical": printable(Fraction(cell.typical or 0)),
                "vacuous": found.vacuous,
            }
        )
    return rows
