"""Assertions for your own rotary code and Wigner matrices, at tolerances that are proved.

Main definitions
----------------
assert_rope                       all of the following
assert_relative                   two scores of one offset agree
assert_group_law                  rotating by i and then by s is rotating by i + s
assert_norm_preserving            rotated vectors keep their norms
assert_zero_position_identity     position 0 changes nothing
assert_matches_reference          rotated vectors are those of the frequencies base^(-2 i / d)
assert_path_independent           many small steps end where one large step ends
assert_equivariant                Wigner matrices multiply like the rotations they stand for
assert_clean                      every invariant of `posproof audit` that applies to an object
assert_triangle_phase             scores of points around a triangle have the phase of its area
Setting                           what every assertion is told

Conventions
-----------
`rotate(x, positions)` takes vectors `(n, d)` of the activation format's NumPy type and integer
positions `(n,)`, and returns the rotated vectors `(n, d)` as anything NumPy reads.  Keys are
rotated by `rotate_key` where an assertion takes it, queries by `rotate` (and keys too unless told).
`layout` says which components form pair i: "half" (i and i + d/2) or "interleaved" (2 i and
2 i + 1).

Every pair is tried by itself, both ends of the ladder first, with inputs that show each known fault
at its worst and at the largest shifts, then at positions where an angle has just changed its
binade, and at random ones: a fault of one slow pair is lost in random vectors.  A failure prints
the worst input, the error there, the bound, and what is likely wrong.

`wigner(degree, alpha, beta, gamma)` is told what its rotation is: z-y-z Euler angles in radians,
R_z(alpha) R_y(beta) R_z(gamma), scalars of the format.

`score(degree, channel, x, y)` gets two points as arrays `(3,)` of the format, of length 1 up to
their rounding, and returns a complex number.  How it lifts points to rotations is its own affair.

Only the reference knows the frequencies you meant: a wrong base rotates consistently and passes all
other assertions.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from posproof.errors import BadInput
from posproof.numerics.euler_angles import Angles, Product, products_to_try
from posproof.numerics.formats import FORMATS, Format
from posproof.numerics.rope_battery import (
    TESTS,
    Cases,
    Rotation,
    Task,
    battery,
    far,
    norms,
    repeated,
    two_steps,
)
from posproof.numerics.rope_faults import LAYOUTS
from posproof.numerics.triangles import triangle_value, triangles_to_try
from posproof.tolerance_names import TOLERANCES
from posproof.tolerances import NoTolerance, Tolerance, printable, tolerance

if TYPE_CHECKING:
    from posproof.audit.findings import Report

Array = NDArray[np.float64]
Matrix = NDArray[np.complex128]
Rotate = Callable[[NDArray[Any], NDArray[np.int64]], Any]
#: The user's function of a degree and three angles, and what the assertions make of it.
Wigner = Callable[..., Any]
Turned = Callable[[Angles], Matrix]
#: The user's function of a degree, a channel and two points.
Score = Callable[..., Any]

#: The tolerance of each test of the battery.
TOLERANCE_OF = {
    "relative": "rope.relative",
    "group law": "rope.group_law",
    "norm": "rope.norm",
    "position 0": "rope.apply",
    "reference": "rope.apply",
}


class Setting(TypedDict, total=False):
    """What every assertion is told: format, pipeline and shape, and optionally layout and seed."""

    dtype: str
    pipeline: str
    max_position: int
    head_dim: int
    base: int | float
    layout: str
    seed: int


def assert_rope(
    rotate: Rotate, *, rotate_key: Rotate | None = None, **setting: Unpack[Setting]
) -> None:
    """Relative identity, group law, norms, position 0 and reference, for queries and keys.

    Raises one AssertionError that tells of every assertion that fails; BadInput for a setting that
    lacks something; NoTolerance where nothing is guaranteed.
    """
    asked = _asked(setting)
    failures = [
        failure
        for test in TESTS
        if (failure := _failure(test, rotate, rotate_key or rotate, asked)) is not None
    ]
    if failures:
        raise AssertionError("\n\n".join(failures))


def assert_clean(encoding: Any, **how: Any) -> Report:
    """Every invariant of `posproof.audit` on an object; keywords as in `posproof.audit.audit`.

    Returns the report.  Raises AssertionError with the findings of a fault or of a failed
    precondition, and BadInput for an object that is no encoding.
    """
    from posproof.audit import audit
    from posproof.audit.report import show

    report = audit(encoding, **how)
    if report.exit_code:
        text = io.StringIO()
        show(report, text)
        raise AssertionError(text.getvalue())
    return report


def assert_relative(
    rotate: Rotate, *, rotate_key: Rotate | None = None, **setting: Unpack[Setting]
) -> None:
    """Scores of a query at i and a key at j do not change when both move by s.

    Raises AssertionError beyond the tolerance `rope.relative`, and NoTolerance where there is none.
    """
    _assert("relative", rotate, rotate_key, setting)


def assert_group_law(rotate: Rotate, **setting: Unpack[Setting]) -> None:
    """R_s R_i x = R_{i+s} x within the tolerance `rope.group_law`."""
    _assert("group law", rotate, None, setting)


def assert_norm_preserving(rotate: Rotate, **setting: Unpack[Setting]) -> None:
    """|R x| = |x| within the tolerance `rope.norm`, which no position and no base can change."""
    _assert("norm", rotate, None, setting)


def assert_zero_position_identity(rotate: Rotate, **setting: Unpack[Setting]) -> None:
    """R_0 x = x within the tolerance `rope.apply` for the single position 0."""
    setting["max_position"] = 1
    _assert("position 0", rotate, None, setting)


def assert_matches_reference(rotate: Rotate, **setting: Unpack[Setting]) -> None:
    """R_p x against the exact rotation, within the tolerance `rope.apply`.

    The exact rotation turns pair i by p base^(-2 i / d), evaluated to 12 float64 roundings.  The
    tolerance has room for frequencies computed in float32 by the usual formula.
    """
    _assert("reference", rotate, None, setting)


def assert_path_independent(rotate: Rotate, *, steps: int = 4, **setting: Unpack[Setting]) -> None:
    """R_{s_n} ... R_{s_1} x = R_{s_1 + ... + s_n} x, the steps in ascending and descending order.

    With eta for the error of one rotation, n of them are off by at most (1 + eta)^n - 1 and the
    single one by eta more.
    """
    if not isinstance(steps, int) or not 2 <= steps <= 64:
        raise BadInput("steps is a number from 2 to 64", "steps")
    asked = _asked(setting)
    kind = _tolerance("rope.group_law", asked)
    vector = _stored_vector(kind)
    bound = repeated(vector, steps) + vector
    cases = asked.cases
    turn = asked.adapted(rotate)
    last = np.maximum(cases.i, cases.i + cases.shift)
    weights = np.arange(1, steps + 1)
    cuts = np.floor(last[:, None] * np.cumsum(weights) / weights.sum())
    ways = np.diff(cuts, axis=1, prepend=0.0)
    whole = turn(cases.query, last)
    gaps = np.zeros(len(cases))
    for order in (range(steps), reversed(range(steps))):
        moved = cases.query
        for step in order:
            moved = turn(moved, ways[:, step])
        gaps = np.maximum(gaps, norms(moved - whole) / norms(cases.query))
    failure = _judged(f"{steps} rotations", kind, bound, gaps, asked)
    if failure is not None:
        raise AssertionError(failure)


# ---------------------------------------------------------------------- Wigner matrices
def assert_equivariant(wigner: Wigner, *, dtype: str, degree: int, seed: int = 0) -> None:
    """D(R_1) D(R_2) = D(R_1 R_2) within the tolerance `wignerd.homomorphism`, Frobenius norm.

    `wigner(degree, alpha, beta, gamma)` returns D of R_z(alpha) R_y(beta) R_z(gamma), shape
    `(2 degree + 1, 2 degree + 1)`, real or complex, in any orthonormal basis.  It gets scalars of
    `dtype`, 0 <= beta, of modulus at most pi rounded to it.  All ordered pairs of rotations at and
    near both poles and at half and quarter turns are tried, and random ones.  The angles of
    R_1 R_2 are computed in balls and rounded to `dtype`; at the pole beta = 0, where only
    alpha + gamma is defined, gamma is 0.

    The tolerance is proved for D = A V B V* G: diagonal phases A, B, G from cosines and sines of
    the library, correctly rounded eigenvectors V of J_y, complex products and sums one after the
    other in `dtype`.  Another algorithm may need more, and a correct one of that accuracy passes.
    Every representation satisfies the law, also one of another degree or the identity: it tells
    that matrices fit together, not which rotations they mean.

    Raises AssertionError beyond the tolerance, BadInput for an unknown format or another shape, and
    NoTolerance where none says anything.
    """
    kind = tolerance("wignerd.homomorphism", dtype=dtype, degree=degree)
    if not isinstance(seed, int) or seed < 0:
        raise BadInput("seed is a whole number, at least 0", "seed")
    if dtype == "tfloat32":
        raise BadInput("no array has the type tfloat32", "dtype")
    failure = _wigner_failure(_called(wigner, dtype, degree), kind, seed)
    if failure is not None:
        raise AssertionError(failure)


def assert_triangle_phase(
    score: Score, *, dtype: str, degree: int, channel: int, seed: int = 0
) -> None:
    """s(x, y) s(y, z) s(z, x) = d_mm d_mm d_mm e^(i m area) for points of the sphere.

    `score(degree, channel, x, y)` is D^l_mm(sigma_x^-1 sigma_y), what a query and a key with a
    single 1 in channel m score when they are lifted by D^l = exp(-i alpha J_z) exp(-i beta J_y)
    exp(-i gamma J_z).  Phases of the lifts cancel around a triangle, so any lift passes, smooth or
    not, as long as it depends on the point alone; scores that know distances only do not, unless
    m = 0.  Triangles of both orientations are tried, corners at least 1/16 from the axis.

    The tolerance lets each score be off by `wignerd.homomorphism` and by 128 l u for the angles of
    its two points, and multiplies three of them.

    Raises AssertionError beyond it, BadInput for a channel that the degree does not have or a
    result that is no number, and NoTolerance where none says anything.
    """
    kind = tolerance("wignerd.homomorphism", dtype=dtype, degree=degree)
    if not isinstance(channel, int) or abs(channel) > degree:
        raise BadInput(f"channel is a whole number from {-degree} to {degree}", "channel")
    if not isinstance(seed, int) or seed < 0:
        raise BadInput("seed is a whole number, at least 0", "seed")
    if dtype == "tfloat32":
        raise BadInput("no array has the type tfloat32", "dtype")
    form = FORMATS[dtype]
    each = kind.bound + 128 * degree * form.unit_roundoff
    bound = (1 + each) ** 3 - 1
    allowed = float(bound + Fraction(1, 2**48))  # products and references in complex128
    cases = triangles_to_try(form, seed)
    found = np.array([_around(score, degree, channel, corners, form) for corners in cases])
    exact = np.array([triangle_value(degree, channel, *corners) for corners in cases])
    gaps = np.abs(found - exact)
    gaps = np.where(np.isnan(gaps), np.inf, gaps)
    if not (gaps > allowed).any():
        return
    worst = int(gaps.argmax())
    raise AssertionError(
        f"triangle phase, degree {degree}, channel {channel}: off by {gaps[worst]:.3g}, the bound "
        f"is {printable(bound, 3)} ({form.name})\n"
        f"  worst for x, y, z = {', '.join(map(str, cases[worst]))}: "
        f"{found[worst]:.6g} instead of {exact[worst]:.6g}\n"
        f"  likely: {_triangle_fault(found, exact, allowed, channel)}"
    )


def _around(
    score: Score, degree: int, channel: int, corners: Sequence[Sequence[float]], form: Format
) -> complex:
    """The product of the scores around a triangle."""
    points = [np.array(corner, dtype=form.dtype) for corner in corners]
    product = 1.0 + 0.0j
    for first in range(3):
        value = np.asarray(score(degree, channel, points[first], points[(first + 1) % 3]))
        if value.shape not in ((), (1,)):
            raise BadInput(f"score returned the shape {value.shape}, not a number", "score")
        product *= complex(value.reshape(()).astype(np.complex128))
    return product


def _triangle_fault(found: Matrix, exact: Matrix, allowed: float, channel: int) -> str:
    """What the products of all triangles suggest; never more than a suggestion."""
    if not np.isfinite(found).all():
        return "a division by zero or an overflow: some scores are not finite"
    sizes = np.abs(np.abs(found) - np.abs(exact)).max()
    if np.abs(found - exact.conj()).max() <= allowed:
        return f"the opposite sign of all phases, or channel {-channel} for channel {channel}"
    if np.abs(found.imag).max() <= allowed and sizes <= allowed:
        return "no curvature: scores that know distances, or distances and a phase for each token"
    if sizes > allowed:
        return "another d_mm: angles, degree, channel or length of the features"
    return "lifts that depend on more than the point, or another multiple of the area"


def _called(wigner: Wigner, dtype: str, degree: int) -> Turned:
    """The user's function of three floats; its matrix as complex128."""
    scalar, n = FORMATS[dtype].dtype.type, 2 * degree + 1

    @cache  # every rotation occurs in many pairs
    def turned(angles: Angles) -> Matrix:
        result = np.asarray(wigner(degree, *(scalar(angle) for angle in angles)))
        if result.shape != (n, n):
            raise BadInput(f"wigner returned the shape {result.shape}, not {(n, n)}", "wigner")
        return result.astype(np.complex128)

    return turned


def _gap(turned: Turned, first: Angles, second: Angles, both: Angles) -> float:
    """The Frobenius norm of D_1 D_2 - D_12; NaN beyond every bound."""
    one, two = turned(first), turned(second)
    product = np.zeros_like(one)
    for k in range(len(one)):  # term after term, as the tolerance has it
        product += one[:, k, None] * two[None, k, :]
    gap = float(np.linalg.norm(product - turned(both)))
    return np.inf if np.isnan(gap) else gap


def _wigner_failure(turned: Turned, kind: Tolerance, seed: int) -> str | None:
    """The worst pair in words if it exceeds the bound."""
    form = FORMATS[kind.inputs["dtype"]]
    cases = products_to_try(form, seed)
    allowed = float(kind.bound + TOLERANCES[kind.name].slack(kind.inputs, kind.bound))
    gaps = np.array([_gap(turned, *case) for case in cases])
    if not (gaps > allowed).any():
        return None
    worst = int(gaps.argmax())
    first, second, both = cases[worst]
    return (
        f"{kind.name}, degree {kind.inputs['degree']}: off by {gaps[worst]:.3g}, the bound is "
        f"{printable(kind.bound, 3)} ({form.name})\n"
        f"  worst for R_1 = {first}, R_2 = {second}, R_1 R_2 = {both}\n"
        f"  likely: {_wigner_fault(turned, kind, cases, gaps > allowed, allowed)}"
    )


def _wigner_fault(
    turned: Turned,
    kind: Tolerance,
    cases: Sequence[Product],
    bad: NDArray[np.bool_],
    allowed: float,
) -> str:
    """The first alteration that makes the law hold, or a pattern of failures; a suggestion."""
    failing = [case for case, fails in zip(cases, bad, strict=True) if fails]
    matrices = [turned(angles) for case in cases for angles in case]
    if not all(np.isfinite(matrix).all() for matrix in matrices):
        return "a division by zero or an overflow: some matrices are not finite"
    unit = np.eye(len(matrices[0]))
    defects = [float(np.linalg.norm(D @ D.conj().T - unit)) for D in matrices]
    if min(defects) > max(2 * allowed, max(defects) / 2):
        return "a scale: every matrix is a multiple of a unitary one"
    for words, repaired in REPAIRS:
        if all(_gap(partial(repaired, turned), *case) <= allowed for case in cases):
            return words
    if all(_gap(turned, *case) < SMALL * np.sqrt(len(unit)) for case in failing):
        return "rounding: angles, phases or eigenvectors of a narrower format, or an unstable sum"
    if all(any(np.sin(angles[1]) < NEAR_POLE for angles in case) for case in failing):
        return "the poles: angles near beta = 0 or beta = pi are treated apart"
    if max(defects) > SMALL:
        return "a lost phase or entry: the matrices are not unitary"
    return FAULTS_OF["equivariance"]


# ---------------------------------------------------------------------- what is tried
@dataclass(frozen=True)
class _Asked:
    """A setting, the task it describes, and the cases of its seed."""

    setting: dict[str, Any]
    task: Task
    cases: Cases

    def adapted(self, rotate: Rotate) -> Rotation:
        """The user's function on the format's own type; its result as float64."""
        name = self.task.form.name
        kind = FORMATS["float32" if name == "tfloat32" else name].dtype

        def turn(x: Array, positions: Array) -> Array:
            result = np.asarray(rotate(x.astype(kind), positions.astype(np.int64)))
            if result.shape != x.shape:
                raise BadInput(f"rotate returned the shape {result.shape}, not {x.shape}", "rotate")
            return result.astype(np.float64)

        return turn


def _asked(setting: Setting) -> _Asked:
    layout, seed = setting.get("layout", "half"), setting.get("seed", 0)
    if layout not in LAYOUTS:
        raise BadInput(f"unknown layout {layout!r}; known: {', '.join(LAYOUTS)}", "layout")
    known: dict[str, Any] = {
        key: value for key, value in setting.items() if key not in ("layout", "seed")
    }
    unknown = set(known) - set(Setting.__annotations__)
    if unknown:
        raise BadInput(f"unknown setting {min(unknown)!r}", min(unknown))
    inputs = tolerance("rope.norm", **known).inputs  # names what is missing or out of range
    task = Task(
        inputs["max_position"],
        inputs["head_dim"],
        Fraction(inputs["base"]),
        FORMATS[inputs["dtype"]],
        layout,
    )
    return _Asked(known, task, battery(task, seed))


def _tolerance(name: str, asked: _Asked) -> Tolerance:
    return tolerance(name, **asked.setting)


def _stored_vector(kind: Tolerance) -> Fraction:
    """The error of one rotation by the stored frequencies."""
    from posproof.tolerance_names import rotary_errors

    return rotary_errors(kind.inputs, exact=False).vector


def _assert(test: str, rotate: Rotate, rotate_key: Rotate | None, setting: Setting) -> None:
    failure = _failure(test, rotate, rotate_key or rotate, _asked(setting))
    if failure is not None:
        raise AssertionError(failure)


def _failure(test: str, rotate: Rotate, rotate_key: Rotate, asked: _Asked) -> str | None:
    """What one test of the battery finds wrong, in words."""
    inputs = {**asked.setting, "max_position": 1} if test == "position 0" else asked.setting
    kind = tolerance(TOLERANCE_OF[test], **inputs)
    turn = asked.adapted(rotate)
    turn_key = turn if rotate_key is rotate else asked.adapted(rotate_key)
    gaps = TESTS[test](turn, turn_key, asked.cases, asked.task)
    return _judged(test, kind, kind.bound, gaps, asked)


# ---------------------------------------------------------------------- verdict
def _judged(test: str, kind: Tolerance, bound: Fraction, gaps: Array, asked: _Asked) -> str | None:
    """The worst case in words if it exceeds the bound; a NaN exceeds every bound."""
    cases = asked.cases
    # Norms, differences, sums and the reference are taken in float64 here.
    room = 8 * (asked.task.head_dim + 4) * Fraction(1, 2**53) * (1 + bound)
    allowed = float(bound + room)
    sizes = np.where(np.isnan(gaps), np.inf, gaps)
    if not (sizes > allowed).any():
        return None
    worst = int(sizes.argmax())
    pair = int(cases.pair[worst])
    where = "all pairs" if pair < 0 else f"pair {pair}"
    return (
        f"{kind.name}, {test}: off by {gaps[worst]:.3g}, the bound is {printable(bound, 3)} "
        f"({asked.setting['dtype']}, {asked.setting['pipeline']})\n"
        f"  worst at {where}, {_place(test, cases, worst)}\n"
        f"  query {_nonzero(cases.query[worst])}, key {_nonzero(cases.key[worst])}\n"
        f"  likely: {_fault(test, cases, sizes > allowed, asked.task)}"
    )


def _place(test: str, cases: Cases, row: int) -> str:
    """The positions that one case of a test speaks of."""
    if test == "relative":
        i, j, shift = (int(place[row]) for place in (cases.i, cases.j, cases.shift))
        return f"i = {i}, j = {j}, s = {shift}"
    if test == "group law":
        first, then = (int(step[row]) for step in two_steps(cases))
        return f"rotated by {first} and by {then} against {first + then}"
    return f"position {0 if test == 'position 0' else int(far(cases)[row])}"


def _nonzero(x: Array) -> str:
    """The components of a vector on one pair; only the norm of a full one."""
    filled = np.flatnonzero(x)
    if len(filled) > 2:
        return f"of norm {float(np.sqrt((x**2).sum())):.6g}"
    return ", ".join(f"x[{k}] = {float(x[k])!r}" for k in filled)


def _fault(test: str, cases: Cases, bad: NDArray[np.bool_], task: Task) -> str:
    """What the pattern of failures suggests; never more than a suggestion."""
    failing = set(cases.pair[bad & (cases.pair >= 0)].tolist())
    if len(failing) <= max(2, task.pairs // 16) and task.pairs > 4 and test != "group law":
        return f"pair {', '.join(map(str, sorted(failing)))} is rotated differently"
    if test == "position 0":
        return "positions that start at 1, or a scale"
    if test == "norm":
        return "a scale, or a lost sign"
    if test == "relative" and (cases.i == cases.j)[bad].any():
        return FAULTS_OF[test]  # equal positions are rounded alike
    reached = np.maximum(cases.i, cases.j) + np.maximum(cases.shift, 0)
    start = int(reached[bad].min())
    for name in ("tfloat32", "bfloat16"):
        exact = FORMATS[name].last_consecutive_integer
        if start > exact and (reached <= exact).any():
            return f"positions or angles are rounded to {NAMES[name]}: all is well up to {exact}"
    return FAULTS_OF[test]


NAMES = {"tfloat32": "float16 or TF32", "bfloat16": "bfloat16"}
#: What fails a test at every position.
FAULTS_OF = {
    "relative": "unequal angles of queries and keys, another layout, a lost sign, or lengths that "
    "change with the position",
    "group law": "positions that do not start at 0, a scale, or a lost sign",
    "reference": "another base, rounded frequencies, the opposite sense, or another layout",
    "equivariance": "other angles than z-y-z in radians, such as half or double ones, degrees, or "
    "another axis in the middle",
}
#: What is near a pole, by the sine of beta, and which gaps look like rounding, relative to a norm.
NEAR_POLE, SMALL = 1 / 16, 1 / 64


def _transposed(turned: Turned, angles: Angles) -> Matrix:
    return turned(angles).T


def _third_negated(turned: Turned, angles: Angles) -> Matrix:
    alpha, beta, gamma = angles
    return turned((alpha, beta, -gamma))


def _both_altered(turned: Turned, angles: Angles) -> Matrix:
    return _third_negated(turned, angles).T


#: Alterations after which the law holds, and what they say is wrong.
REPAIRS = (
    (
        "exchanged indices, or transposed order: the transposed matrices satisfy the law (rows for "
        "columns, alpha for gamma, or the inverse rotation)",
        _transposed,
    ),
    (
        "wrong sign of the third angle (or of the first): with -gamma the law holds",
        _third_negated,
    ),
    (
        "exchanged indices, and a wrong sign of the first or third angle",
        _both_altered,
    ),
)

__all__ = [
    "NoTolerance",
    "Setting",
    "assert_equivariant",
    "assert_group_law",
    "assert_matches_reference",
    "assert_norm_preserving",
    "assert_path_independent",
    "assert_relative",
    "assert_rope",
    "assert_triangle_phase",
    "assert_zero_position_identity",
]
