"""Which axioms of a rotary score your own attention score satisfies, from its values alone.

Main definitions
----------------
certify_axioms    a score of (q, k, i, j) judged by five axioms, at tolerances that are derived
AxiomReport       the answer: a verdict for each axiom; prints as a table
AxiomVerdict      one axiom: residual, tolerance, and where the residual was seen

Conventions
-----------
B_ij is the matrix of the score of a query at i and a key at j: B_ij[a, b] = score(e_a, e_b, i, j).

    bilinear       score(q, k, i, j) = q^T B_ij k
    norm           B_ij keeps norms
    toral          B_ij commutes with the quarter turn of every plane of the frame
    cocycle        B_ik B_kj = B_ij and B_ii = I
    translation    B_ij depends on j - i alone, where i <= j

All five hold exactly when every plane is turned by an angle proportional to j - i: the claim
`journey.uniqueness`.  Each usual bug fails its own set: `journey.axiom_certifier`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from posproof.errors import BadInput, suggest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from posproof.numerics.axioms import Finding, Model

FRAMES = ("interleaved", "half")
#: Larger heads would need more than a million scores.
LARGEST_HEAD = 256

#: What each set of failing axioms is the mark of, the toral frame being the right one.
LIKELY: dict[frozenset[str], str] = {
    frozenset(): "rotations by angles proportional to j - i, in the planes of the frame",
    frozenset({"toral"}): "rotations in other planes than those of the frame: the other layout?",
    frozenset({"cocycle"}): "queries and keys count their positions from different origins",
    frozenset({"translation"}): "rotations by absolute positions, such as clipped ones",
    frozenset({"norm"}): "rotations with a decay that depends on j - i",
    frozenset({"norm", "cocycle"}): "rotations whose scores are scaled by a constant",
    frozenset({"cocycle", "translation"}): "queries are turned the wrong way",
    frozenset({"toral", "cocycle", "translation"}): "queries and keys use different layouts",
    frozenset({"bilinear"}): "queries or keys are normalised inside the score",
    frozenset({"bilinear", "norm", "toral", "cocycle"}): "a bias is added to the scores",
}


@dataclass(frozen=True)
class AxiomVerdict:
    """One axiom; a `bilinear` residual is per |q| |k|, `witness` is where the largest was seen."""

    axiom: str
    holds: bool
    residual: float
    tolerance: Fraction
    formula: str
    witness: str


@dataclass(frozen=True)
class AxiomReport:
    """What `certify_axioms` found; `report["norm"]` is one verdict, `print(report)` all of them."""

    verdicts: tuple[AxiomVerdict, ...]
    head_dim: int
    positions: tuple[int, ...]
    frame: str
    dtype: str
    largest_angle: Fraction

    def __getitem__(self, axiom: str) -> AxiomVerdict:
        for verdict in self.verdicts:
            if verdict.axiom == axiom:
                return verdict
        known = ", ".join(verdict.axiom for verdict in self.verdicts)
        raise KeyError(f"no axiom {axiom!r}; known: {known}")

    @property
    def failed(self) -> tuple[str, ...]:
        """The axioms that do not hold, in the order of the table."""
        return tuple(verdict.axiom for verdict in self.verdicts if not verdict.holds)

    @property
    def rotary(self) -> bool:
        """Whether every axiom holds: block rotations by angles proportional to j - i."""
        return not self.failed

    @property
    def likely(self) -> str:
        """What the failing axioms suggest; never more than a suggestion."""
        unknown = "no single usual cause fails exactly these axioms"
        return LIKELY.get(frozenset(self.failed), unknown)

    def __str__(self) -> str:
        from posproof.tolerances import printable

        places = ", ".join(map(str, self.positions))
        lines = [
            f"d = {self.head_dim}, {self.frame} frame, {self.dtype}, positions {places}",
            f"{'axiom':12}{'verdict':9}{'residual':>10}{'tolerance':>11}  largest residual at",
        ]
        for v in self.verdicts:
            word, limit = "holds" if v.holds else "FAILS", printable(v.tolerance, 3)
            lines.append(f"{v.axiom:12}{word:9}{v.residual:>10.3g}{limit:>11}  {v.witness}")
        return "\n".join([*lines, f"likely: {self.likely}"])


def certify_axioms(
    score: Callable[[NDArray[np.float64], NDArray[np.float64], int, int], Any],
    head_dim: int,
    *,
    positions: Sequence[int] = range(6),
    frame: str | ArrayLike = "interleaved",
    dtype: str = "float64",
    largest_angle: float | Fraction | None = None,
    seed: int = 0,
) -> AxiomReport:
    """Judge `score(q, k, i, j)`, a function of two vectors `(head_dim,)` and two integers.

    Vectors arrive as float64 and hold small integers, exact in every format; `dtype` names the
    format the score is computed in.  `frame` is "interleaved", "half", or an integer array
    `(head_dim / 2, 2)` with the two components of each plane.  `largest_angle` bounds the angle, in
    radians, that any position is turned by; unless told it is one radian a position, the fastest
    plane of RoPE, counted one position beyond the largest.  The score is called
    head_dim^2 len(positions)^2 times.  Raises BadInput for arguments that cannot be used, and for a
    score that does not take them or does not return a number.

    >>> import numpy as np
    >>> def rope(x, position):
    ...     c, s = np.cos(position), np.sin(position)
    ...     return np.array([c * x[0] - s * x[1], s * x[0] + c * x[1]])
    >>> certify_axioms(lambda q, k, i, j: rope(q, i) @ rope(k, j), 2).rotary
    True
    >>> certify_axioms(lambda q, k, i, j: rope(q, i + 1) @ rope(k, j), 2).failed
    ('cocycle',)
    """
    from posproof.numerics.axioms import measure
    from posproof.numerics.formats import FORMATS

    _check_head(head_dim)
    places = _places(positions)
    planes, name = _planes(frame, head_dim)
    if dtype not in FORMATS:
        near = suggest(str(dtype), FORMATS)
        raise BadInput(f"unknown format {dtype!r}{near}; known: {', '.join(FORMATS)}", "dtype")
    angle = _angle(largest_angle, places)
    model = _model(head_dim, dtype, angle)
    findings = measure(_guarded(score), places, planes, model, seed)
    verdicts = tuple(_verdict(finding) for finding in findings)
    return AxiomReport(verdicts, head_dim, places, name, dtype, angle)


def _verdict(finding: Finding) -> AxiomVerdict:
    bound = finding.bound
    return AxiomVerdict(
        finding.axiom, finding.holds, finding.residual, bound.value, bound.formula, finding.witness
    )


# ---------------------------------------------------------------------- arguments
def _whole(value: Any) -> bool:
    import numpy as np

    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _check_head(head_dim: int) -> None:
    if not _whole(head_dim) or head_dim < 2 or head_dim % 2 or head_dim > LARGEST_HEAD:
        what = f"{head_dim!r} is not an even number from 2 to {LARGEST_HEAD}"
        raise BadInput(what, "head_dim")


def _places(positions: Sequence[int]) -> tuple[int, ...]:
    """The positions in order; at least two pairs of them have to share an offset."""
    found = list(positions)
    if not all(_whole(place) for place in found):
        raise BadInput("positions are integers", "positions")
    places = tuple(sorted({int(place) for place in found}))
    offsets = [b - a for a in places for b in places if a < b]
    if len(set(offsets)) == len(offsets):
        what = f"no two pairs of {places} are equally far apart, so translation cannot be seen"
        raise BadInput(what, "positions")
    return places


def _planes(frame: str | ArrayLike, head_dim: int) -> tuple[NDArray[np.int64], str]:
    import numpy as np

    from posproof.numerics.axioms import FRAMES as MAKERS

    if isinstance(frame, str):
        if frame not in MAKERS:
            near = suggest(frame, MAKERS)
            raise BadInput(f"unknown frame {frame!r}{near}; known: {', '.join(MAKERS)}", "frame")
        return MAKERS[frame](head_dim), frame
    planes = np.asarray(frame)
    whole = planes.shape == (head_dim // 2, 2) and np.issubdtype(planes.dtype, np.integer)
    if not whole or sorted(planes.ravel().tolist()) != list(range(head_dim)):
        what = f"a frame names each of the {head_dim} components once, two in a row"
        raise BadInput(what, "frame")
    return planes.astype(np.int64), "given"


def _angle(largest_angle: float | Fraction | None, places: tuple[int, ...]) -> Fraction:
    if largest_angle is None:
        return Fraction(max(abs(place) for place in places) + 1)
    try:
        angle = Fraction(largest_angle)
    except (TypeError, ValueError, OverflowError) as reason:
        raise BadInput(f"{largest_angle!r} is not a number of radians", "largest_angle") from reason
    if angle < 0:
        raise BadInput("an angle bound is not negative", "largest_angle")
    return angle


def _model(head_dim: int, dtype: str, angle: Fraction) -> Model:
    """The model of the format; BadInput where its tolerances are no smaller than a matrix entry."""
    from posproof.numerics.axioms import Model, bounds
    from posproof.numerics.formats import FORMATS

    model = Model(head_dim, FORMATS[dtype].unit_roundoff, angle)
    if 4 * head_dim * model.unit_roundoff >= 1:
        raise BadInput(f"{dtype} cannot add {head_dim} products", "dtype")
    limits = bounds(model)
    if max(limits[axiom].value for axiom in ("norm", "toral", "cocycle", "translation")) >= 1:
        what = f"in {dtype} angles up to {float(angle):g} leave tolerances that accept anything"
        raise BadInput(what, "largest_angle")
    return model


def _guarded(score: Any) -> Callable[..., float]:
    """The score with its result as a float; BadInput when it cannot be called or has none."""
    import numpy as np

    if not callable(score):
        raise BadInput(f"{type(score).__name__} is not callable", "score")

    def value(q: NDArray[np.float64], k: NDArray[np.float64], i: int, j: int) -> float:
        try:
            found = score(q, k, i, j)
        except Exception as reason:
            what = f"score(q, k, {i}, {j}) raised {type(reason).__name__}: {reason}"
            raise BadInput(what, "score") from reason
        try:
            number = np.asarray(found, dtype=np.float64)
        except (TypeError, ValueError) as reason:
            raise BadInput(f"score returned {type(found).__name__}, no number", "score") from reason
        if number.size != 1:
            raise BadInput(f"score returned the shape {number.shape}, not one number", "score")
        return float(number.reshape(()))

    return value
