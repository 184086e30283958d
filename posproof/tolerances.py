"""Tolerances people can cite: a proven bound, what was measured, and how to test with it.

Main definitions
----------------
tolerance     the bound of one name for one pipeline; raises `NoTolerance` where there is none
Tolerance     the answer: bound, terms, assumptions, measurements, lines to paste
TOLERANCES    what can be asked for, by name
as_text, as_dict, listing    the answer and the list as the command prints them
table         every committed cell of `rope.relative`

Conventions
-----------
`max_position` is the number of positions L: the bound holds for 0 .. L - 1.  Bounds are fractions
and every printed decimal is rounded up.  Scores are bounded per |q| |k|, vectors per norm.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from posproof import __version__
from posproof.errors import BadInput, suggest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from posproof.numerics.tolerances import Errors, Pipeline

#: Significant digits of a printed bound; `bound_exact` has them all.
DIGITS = 6


class NoTolerance(BadInput):
    """No bound exists for these inputs, or the one that does says nothing."""


@dataclass(frozen=True)
class Name:
    """One kind of tolerance.  `weights` say how often each stage enters, to first order."""

    bounds: str
    unit: str
    claim: str
    formula: str
    field: str
    weights: Mapping[str, int]
    numpy: str
    torch: str


_TABLE = {"angle": 1, "cos and sin": 1, "table rounding": 1}
_NORM = {"cos and sin": 1, "table rounding": 1, "rotation": 1, "output rounding": 1}
_VECTOR = {"angle": 1, **_NORM}
_SCORE = {**dict.fromkeys(_VECTOR, 2), "accumulation": 1, "score rounding": 1}

TOLERANCES: dict[str, Name] = {
    "rope.angle": Name(
        bounds="a computed angle against position times stored frequency",
        unit="radians",
        claim="precision.angles",
        formula="A = max_i (e theta_i + u_angle ufp((L - 1 + e) theta_i))",
        field="angle",
        weights={"angle": 1},
        numpy="np.testing.assert_allclose(angles, exact_angles, rtol=0, atol={bound})",
        torch="torch.testing.assert_close(angles, exact_angles, rtol=0, atol={bound})",
    ),
    "rope.table": Name(
        bounds="a stored cosine and sine, as one complex number, against the exact ones",
        unit="1",
        claim="precision.angles",
        formula="epsilon = min(A, 2) + (1 + tau)(1 + u_table) - 1 + sqrt(2) omega_table",
        field="table",
        weights=_TABLE,
        numpy="np.testing.assert_allclose(cos, exact_cos, rtol=0, atol={bound})",
        torch="torch.testing.assert_close(cos, exact_cos, rtol=0, atol={bound})",
    ),
    "rope.apply": Name(
        bounds="a rotated vector against its exact rotation by the stored frequencies",
        unit="|x|",
        claim="precision.relative",
        formula="eta = (epsilon + kappa (1 + epsilon))(1 + u_out) + u_out + underflow",
        field="vector",
        weights=_VECTOR,
        numpy="np.testing.assert_allclose(rotated / norm_x, exact / norm_x, rtol=0, atol={bound})",
        torch="torch.testing.assert_close("
        "rotated.double() / norm_x, exact / norm_x, rtol=0, atol={bound})",
    ),
    "rope.norm": Name(
        bounds="the norm of a rotated vector against the norm before",
        unit="|x|",
        claim="precision.norm",
        formula="nu = (1 + epsilon_0)(1 + kappa)(1 + u_out) - 1 + underflow",
        field="norm",
        weights=_NORM,
        numpy="np.testing.assert_allclose(norm_after, norm_before, rtol={bound}, atol=0)",
        torch="torch.testing.assert_close(norm_after, norm_before, rtol={bound}, atol=0)",
    ),
    "rope.score": Name(
        bounds="a computed score against the exact one at the stored frequencies",
        unit="|q| |k|",
        claim="precision.relative",
        formula="G = (1 + eta)^2 (1 + d u_acc)(1 + u_score) - 1",
        field="score",
        weights=_SCORE,
        numpy="np.testing.assert_allclose(score / norms, exact / norms, rtol=0, atol={bound})",
        torch="torch.testing.assert_close("
        "score.double() / norms, exact / norms, rtol=0, atol={bound})",
    ),
    "rope.relative": Name(
        bounds="two computed scores of one offset against each other",
        unit="|q| |k|",
        claim="precision.relative",
        formula="min(2 G, 2 (1 + nu)^2 (1 + d u_acc)(1 + u_score)), "
        "G = (1 + eta)^2 (1 + d u_acc)(1 + u_score) - 1",
        field="relative",
        weights={stage: 2 * weight for stage, weight in _SCORE.items()},
        numpy="np.testing.assert_allclose(shifted / norms, score / norms, rtol=0, atol={bound})",
        torch="torch.testing.assert_close("
        "shifted.double() / norms, score.double() / norms, rtol=0, atol={bound})",
    ),
}
#: Every name needs all of them: a tolerance without its range of positions would be a guess.
NEEDED = ("dtype", "pipeline", "max_position", "head_dim", "base")


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
    rtol: float = 0.0

    def __float__(self) -> float:
        """The smallest float64 that is not below the bound."""
        from math import inf, nextafter

        near = float(self.bound)
        return near if Fraction(near) >= self.bound else nextafter(near, inf)

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
        value = float(self if smallest >= 1 else _at_norm(self, Fraction(smallest)))
        return value * norms[0][..., :, None] * norms[1][..., None, :] * (1 + 2.0**-50)

    @property
    def _evaluation(self) -> Fraction:
        """What a test adds that takes its norms and quotients in float64.

        A norm of d components is off by (d + 4) u of itself, a quotient by one rounding more, and
        a score or component over the norms is at most 1 + bound.
        """
        u, norm = Fraction(1, 2**53), int(self.inputs["head_dim"]) + 4
        if self.name == "rope.norm":
            return 2 * norm * u * (1 + self.bound)
        if self.name in ("rope.angle", "rope.table"):
            return Fraction(0)
        return 2 * norm * u * self.bound + 4 * u * (1 + self.bound)

    @property
    def lines(self) -> tuple[str, str]:
        """Assertions to paste: NumPy's and PyTorch's."""
        name = TOLERANCES[self.name]
        printed = printable(self.bound + self._evaluation)
        return name.numpy.format(bound=printed), name.torch.format(bound=printed)


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
) -> Tolerance:
    """The proven tolerance `name` of a rotary pipeline at positions 0 .. max_position - 1.

    `acc` is the format in which a score is summed, `score` the one it is stored in.  `fma` changes
    nothing: the bound covers both.  Raises BadInput for what is missing or unknown, and its kind
    NoTolerance where no bound exists or it says no more than the Cauchy-Schwarz inequality.

    >>> float(tolerance("rope.relative", dtype="bfloat16", pipeline="fused32",
    ...                 max_position=131072, head_dim=128, base=10000)) < 0.0315
    True
    """
    from posproof.numerics.tolerances import NoBound, errors
    from posproof.numerics.tolerances import pipeline as line_of

    asked = {
        "dtype": dtype,
        "pipeline": pipeline,
        "max_position": max_position,
        "head_dim": head_dim,
        "base": base,
        "acc": acc,
        "score": score,
    }
    _check(name, asked)
    line = line_of(str(pipeline), str(dtype), acc, score)
    try:
        found = errors(line, int(max_position or 0), int(head_dim or 0), Fraction(base or 0))
    except NoBound as reason:
        raise NoTolerance(f"no {name} tolerance exists: {reason}", "--max-position") from reason
    answer = _answer(name, asked, line, found)
    if found.vacuous and name not in ("rope.norm", "rope.angle"):
        raise NoTolerance(
            f"{name} would be {printable(answer.bound)}, which guarantees nothing: "
            f"{answer.dominated_by} alone adds {printable(answer.terms[answer.dominated_by])}; "
            f"use another pipeline or a wider format",
            "--pipeline",
        )
    return answer


def _check(name: str, asked: Mapping[str, Any]) -> None:
    """BadInput for the first argument that is unknown, missing or out of range."""
    from posproof.numerics.formats import FORMATS
    from posproof.numerics.tolerances import PIPELINES

    if name not in TOLERANCES:
        near = suggest(name, TOLERANCES)
        raise BadInput(f"unknown tolerance {name!r}{near}; --list names them", "NAME")
    for argument in NEEDED:
        if asked[argument] is None:
            raise BadInput(f"{name} needs {_words(argument)}", _option(argument))
    formats, pipelines = tuple(FORMATS), tuple(PIPELINES)
    choices = {"dtype": formats, "acc": formats, "score": formats, "pipeline": pipelines}
    for argument, known in choices.items():
        value = asked[argument]
        if value is not None and value not in known:
            near = suggest(str(value), known) or f"; known: {', '.join(known)}"
            raise BadInput(f"unknown {_words(argument)} {value!r}{near}", _option(argument))
    length, width, base = (asked[key] for key in ("max_position", "head_dim", "base"))
    if not _whole(length) or not 1 <= length <= 2**53:
        raise BadInput("max_position is a number of positions, at least 1", "--max-position")
    if not _whole(width) or width % 2 or not 2 <= width <= 4096:
        raise BadInput("head_dim is an even number from 2 to 4096", "--head-dim")
    if not 1 < base < 10**30:
        raise BadInput("base is a number above 1 and below 1e30", "--base")


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _words(argument: str) -> str:
    return {"acc": "accumulator", "score": "score format"}.get(argument, argument)


def _option(argument: str) -> str:
    return "--" + argument.replace("_", "-")


def _answer(name: str, asked: Mapping[str, Any], line: Pipeline, found: Errors) -> Tolerance:
    from posproof.api import claim
    from posproof.cite import text

    kind = TOLERANCES[name]
    stages = found.stages
    terms = {stage: weight * stages[stage] for stage, weight in kind.weights.items()}
    measured, typical = _measured(asked) if name == "rope.relative" else (None, None)
    return Tolerance(
        name=name,
        claim=kind.claim,
        inputs=dict(asked),
        bound=getattr(found, kind.field),
        formula=kind.formula,
        terms={stage: value for stage, value in terms.items() if value},
        measured=measured,
        typical=typical,
        assumptions=_assumptions(line),
        cite=text(claim(kind.claim)),
    )


def _at_norm(asked: Tolerance, smallest: Fraction) -> Fraction:
    """The bound where norms may be as small as that."""
    from posproof.numerics.tolerances import errors, pipeline

    inputs = asked.inputs
    line = pipeline(inputs["pipeline"], inputs["dtype"], inputs["acc"], inputs["score"])
    found = errors(
        line,
        inputs["max_position"],
        inputs["head_dim"],
        Fraction(inputs["base"]),
        smallest_norm=smallest,
    )
    return getattr(found, TOLERANCES[asked.name].field)


def _measured(asked: Mapping[str, Any]) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    """The committed residuals that lie within the range asked for: lower bounds of its worst."""
    from posproof.numerics import worst_cases

    def covered(cell: worst_cases.Cell) -> bool:
        same = (cell.pipeline, cell.dtype) == (asked["pipeline"], asked["dtype"])
        return same and cell.base == asked["base"] and cell.length <= asked["max_position"]

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
    }
    random = {
        "value": printable(Fraction(usual.typical)),
        "max_position": usual.length,
        "seed": worst_cases.SEED,
        "draws": worst_cases.TYPICAL_DRAWS,
        "scores": "summed in float64",
    }
    return found, random


def _assumptions(line: Pipeline) -> tuple[str, ...]:
    """The model a bound holds in."""
    from posproof.numerics.tolerances import CORRECTLY_ROUNDED, LIBRARY_ULPS, PIPELINES

    ulps = LIBRARY_ULPS.get(line.angle.name, CORRECTLY_ROUNDED)
    table = f"{float(ulps):g} ulp" if line.angle.name in LIBRARY_ULPS else "correctly rounded"
    stored = line.score.name if line.score is not None else "not rounded again"
    return (
        f"pipeline {line.name}: {PIPELINES[line.name]}",
        "IEEE operations rounded to nearest, with or without FMA, in any order; no overflow",
        f"frequencies base^(-2 i / d) correctly rounded to {line.frequency.name}",
        f"cos and sin in {line.angle.name}: {table}; fast intrinsics are outside the model",
        f"scores summed in {line.accumulator.name}, off by at most d u sum |q_i k_i| in any order, "
        f"no underflow; stored score: {stored}",
        "vectors of norm at least 1",
        "measured on an emulation of every rounding in NumPy; no GPU kernel was measured",
    )


# ---------------------------------------------------------------------- printing
def printable(value: Fraction, digits: int = DIGITS) -> str:
    """A decimal rounded up."""
    from posproof.numerics.balls import upward

    return upward(value, digits)


def as_dict(answer: Tolerance) -> dict[str, Any]:
    """The answer as `posproof tolerance --json` prints it."""
    return {
        "schema": 1,
        "posproof": __version__,
        "name": answer.name,
        "claim": answer.claim,
        "inputs": dict(answer.inputs),
        "unit": TOLERANCES[answer.name].unit,
        "bound": printable(answer.bound),
        "bound_exact": str(answer.bound),
        "measured": answer.measured,
        "typical": answer.typical,
        "formula": answer.formula,
        "terms": {stage: printable(value) for stage, value in answer.terms.items()},
        "vacuous": False,
        "refused": None,
        "assumptions": list(answer.assumptions),
        "lines": list(answer.lines),
        "cite": answer.cite,
    }


def refusal(name: str, reason: BadInput) -> dict[str, Any]:
    """What `--json` prints where there is no tolerance."""
    return {"schema": 1, "posproof": __version__, "name": name, "bound": None} | {
        "refused": reason.what
    }


def as_text(answer: Tolerance) -> str:
    """The answer as the command prints it."""
    kind, inputs = TOLERANCES[answer.name], answer.inputs
    lines = [
        f"{answer.name}: {kind.bounds}",
        f"  {inputs['dtype']}, {inputs['pipeline']}, positions 0 .. {inputs['max_position'] - 1}, "
        f"head_dim {inputs['head_dim']}, base {inputs['base']}, acc {inputs['acc']}, "
        f"score {inputs['score'] or 'not rounded'}",
        "",
        f"bound     {printable(answer.bound)}  in units of {kind.unit}  (proven, rounded up)",
        *_found(answer),
        "",
        f"formula   {answer.formula}",
        *_shares(answer),
        "",
        "assumes",
        *(f"  {assumption}" for assumption in answer.assumptions),
        "",
        f"test with{_names(answer)}",
        *(f"  {line}" for line in answer.lines),
        "",
        f"claim     {answer.claim}  (posproof show {answer.claim} --proof)",
        f"cite      posproof cite {answer.name}",
    ]
    return "\n".join(lines)


def _found(answer: Tolerance) -> list[str]:
    measured, typical = answer.measured, answer.typical
    if measured is None or typical is None:
        return ["measured  nothing committed for these inputs"]
    return [
        f"measured  {measured['value']}  adversarial search below position "
        f"{measured['max_position']}, seed {measured['seed']}, {measured['draws']} draws a place, "
        f"scores {measured['scores']}: pair {measured['pair']}, (i, j, s) = "
        f"({measured['i']}, {measured['j']}, {measured['shift']})",
        f"typical   {typical['value']}  largest of {typical['draws']} random heads below position "
        f"{typical['max_position']}, seed {typical['seed']}, scores {typical['scores']}; "
        f"not a bound",
    ]


def _names(answer: Tolerance) -> str:
    """What the lines to paste call by which name."""
    if answer.name in ("rope.angle", "rope.table"):
        return ""
    named = {"|x|": "norm_x = |x|", "|q| |k|": "norms = |q| |k|"}[TOLERANCES[answer.name].unit]
    words = "norm_before = |x|" if answer.name == "rope.norm" else named
    return f" ({words}, in float64; NumPy and PyTorch want a scalar atol)"


def _shares(answer: Tolerance) -> list[str]:
    width = max(map(len, answer.terms), default=0)
    return [
        f"  {stage:<{width}}  {printable(value, 3)}" for stage, value in answer.terms.items()
    ] + ["  (to first order)"]


def listing() -> str:
    """Every name: what it bounds, in which unit, and the claim it rests on."""
    lines = [f"every tolerance needs {', '.join(map(_option, NEEDED))}", ""]
    width = max(map(len, TOLERANCES))
    for name, kind in TOLERANCES.items():
        lines.append(f"{name:<{width}}  {kind.bounds}")
        lines.append(f"{'':<{width}}  in units of {kind.unit}; claim {kind.claim}")
    return "\n".join(lines)


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
