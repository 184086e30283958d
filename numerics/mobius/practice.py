"""Hybrid heads and the floating-point floor, measured against derived bounds.

Main definitions
----------------
chain_angles         the angles theta_i D of one format: pi, 2 i + 1, 1 / N, D in this order
angle_errors         their errors in radians, exact to the last few bits
pi_chain_bound       the relative error of such an angle in one format
by_table, natively, by_integer_phase, by_cast_table
                     cosines and sines of the ladder by four routes
float_floor          one row of the table of errors; `floor_table` gives all of them
folded_bound         4 u: the error of a cosine whose phase was reduced in integers

Main claims
-----------
mobius.hybrid_heads, mobius.float_floor

Conventions
-----------
As in `ladder`; N is a power of two.  Values of narrow formats are held as float64.  `u64` is the
unit roundoff of float64.  A cosine of the library is within one ulp in float64 and within two ulps
in float32; a narrow format's cosine is the float64 one of the rounded angle, rounded once.

The bounds
----------
Dividing by a power of two is exact, so an angle carries the rounding of pi, which is a known number
e of the format, and those of two products: relative error B = (1 + |e|)(1 + u)^2 - 1, at most
(1 + u)^3 - 1.  A position that the format does not contain adds a fourth rounding.  A cosine is off
by at most B theta_i D plus t, its own relative error; over i < m and D <= N the first part is at
most B pi (2 m - 1), and pi m B in the mean.  A mean of m computed cosines adds m - 1 roundings of
its format.

A phase reduced in integers is an angle x of at most pi / 4 that carries three roundings (pi, the
quotient, the product).  It moves the result by at most ((1 + u)^3 - 1) x max(sin x, cos x), which
for u <= 2^-8 is below 3.02 u * 0.58 < 1.8 u, and the result rounds once, below 1.1 u: 4 u is ample,
whatever N, m and D.

References
----------
bae2026mobius
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posproof.numerics.balls import certify, certify_over, ends, points, precision
from posproof.numerics.formats import FORMATS as ALL_FORMATS
from posproof.numerics.formats import Format, round_array, round_exact
from posproof.numerics.hunt import hunt, rationals
from posproof.numerics.measure import within, worst
from posproof.numerics.mobius.kernel import kernel, score
from posproof.numerics.mobius.ladder import PI_ABOVE, U, even_frequency, fold_phase, odd_multiple
from posproof.theory import mobius as theory
from posproof.theory.mobius.practice import Practice
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, Trust, checked_by, control

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Route = Callable[[int, int, Integers, Format], tuple[Floats, Floats]]

#: The formats of the table: those in which whole heads are computed.
FORMATS = {name: ALL_FORMATS[name] for name in ("float64", "float32", "float16", "bfloat16")}
SINGLE, BRAIN = FORMATS["float32"], FORMATS["bfloat16"]
#: Windows and planes of the table.
WINDOWS = ((512, 32), (2048, 32), (131072, 64))
#: Offsets of a window are all of them up to this one, then every N / 4096-th.
FIRST_OFFSETS = 300

LIBRARY = frozenset({Trust("software", "NumPy's float64 cos and sin are within one ulp")})
LIBRARIES = LIBRARY | {Trust("software", "NumPy's float32 cos is within two ulps")}


# ---------------------------------------------------------------------- angles
@lru_cache(maxsize=1)
def pi_parts() -> tuple[float, float, float]:
    """pi as a sum of three floats; the first two have 27 bits at most, their products are exact."""
    from flint import arb

    head = math.ldexp(math.floor(math.ldexp(math.pi, 25)), -25)
    with precision(200):
        rest = float((arb.pi() - arb(math.pi)).mid())
    return head, math.pi - head, rest


@lru_cache(maxsize=1)
def pi_between() -> tuple[Fraction, Fraction]:
    """Rationals on both sides of pi, 2^-190 apart."""
    from flint import arb

    with precision(200):
        return ends(arb.pi())


def table_offsets(N: int) -> Integers:
    """The offsets of a window that are measured: 0 and N included, at most 4396 of them."""
    steps = np.arange(0, N + 1, max(1, N // 4096))
    return np.unique(np.concatenate([steps, np.arange(min(N, FIRST_OFFSETS)), [N - 1, N]]))


def representable(D: Integers, form: Format) -> Integers:
    """Those of the offsets that are numbers of the format."""
    return D[round_array(D.astype(np.float64), form) == D]


def chain_angles(m: int, N: int, D: Integers, form: Format) -> Floats:
    """fl(D fl(fl(pi (2 i + 1)) / N)) in one format, shape `(len(D), m)`."""
    odd = (2 * np.arange(m) + 1).astype(np.float64)
    # Products of two numbers of a narrow format are exact in float64, so each rounds once.
    theta = round_array(round_array(round_array(np.asarray(np.pi), form) * odd, form) / N, form)
    position = round_array(D.astype(np.float64), form)
    with np.errstate(over="ignore", invalid="ignore"):
        return round_array(position[:, None] * theta[None, :], form)


def half_turns(m: int, N: int, D: Integers) -> Floats:
    """theta_i D / pi, exact for N a power of two and D below 2^40, shape `(len(D), m)`."""
    return (2 * np.arange(m) + 1)[None, :] * D[:, None] / N


def angle_errors(angles: Floats, m: int, N: int, D: Integers) -> Floats:
    """Computed minus exact angles in radians, shape `(len(D), m)`.

    pi q is subtracted in three parts: the first two products are exact, the first two differences
    are so by Sterbenz' lemma.  The last product is below 2^-54 of the angle and rounds twice, so
    the result is off by at most 2 u64 of itself plus 2^-104 of the angle.
    """
    head, middle, rest = pi_parts()
    q = half_turns(m, N, D)
    return ((angles - head * q) - middle * q) - rest * q


def pi_chain_bound(form: Format) -> Fraction:
    """(1 + |e|)(1 + u)^2 - 1 with the format's own relative rounding e of pi."""
    low, high = pi_between()
    stored, u = round_exact(Fraction(math.pi), form), form.unit_roundoff
    assert stored is not None
    rounding = max(abs(stored - low), abs(stored - high)) / low
    return (1 + rounding) * (1 + u) ** 2 - 1


def three_rounding_bound(form: Format) -> Fraction:
    """(1 + u)^3 - 1, the bound of the claim."""
    return (1 + form.unit_roundoff) ** 3 - 1


# ---------------------------------------------------------------------- cosines by four routes
def by_table(m: int, N: int, D: Integers, form: Format) -> tuple[Floats, Floats]:
    """Frequencies computed in float64 and rounded once; position, angle and results rounded."""
    theta = round_array(np.pi * (2 * np.arange(m) + 1) / N, form)
    with np.errstate(over="ignore", invalid="ignore"):
        angle = round_array(round_array(D.astype(np.float64), form)[:, None] * theta, form)
        return round_array(np.cos(angle), form), round_array(np.sin(angle), form)


def natively(m: int, N: int, D: Integers, form: Format) -> tuple[Floats, Floats]:
    """The chain and the library's cosine in NumPy's own arithmetic of the format."""
    kind = form.dtype.type
    theta = kind(np.pi) * (2 * np.arange(m) + 1).astype(kind) / kind(N)
    angle = D.astype(kind)[:, None] * theta[None, :]
    return np.cos(angle).astype(np.float64), np.sin(angle).astype(np.float64)


def by_integer_phase(m: int, N: int, D: Integers, form: Format) -> tuple[Floats, Floats]:
    """Phases reduced and folded in integers, then pi times the quotient in the format."""
    odd = (2 * np.arange(m) + 1)[None, :]
    r, cosine_sign, sine_sign = fold_phase(odd, np.asarray(D)[:, None], N)
    low = 4 * r <= N
    quotient = round_array(np.where(low, 2 * r, N - 2 * r) / (2 * N), form)
    x = round_array(round_array(np.asarray(np.pi), form) * quotient, form)
    near, far = round_array(np.cos(x), form), round_array(np.sin(x), form)
    return cosine_sign * np.where(low, near, far), sine_sign * np.where(low, far, near)


def by_cast_table(m: int, N: int, D: Integers, form: Format) -> tuple[Floats, Floats]:
    """Float32 angles; cosines and sines cast to the format."""
    angle = chain_angles(m, N, D, SINGLE)
    return round_array(np.cos(angle), form), round_array(np.sin(angle), form)


ROUTES: dict[str, Route] = {
    "table": by_table,
    "native": natively,
    "integer phase": by_integer_phase,
    "cast table": by_cast_table,
}
#: The rows of the table for each window: route and format.
COLUMNS = (
    *(("table", name) for name in FORMATS),
    ("native", "float32"),
    ("cast table", "bfloat16"),
    *(("integer phase", name) for name in FORMATS),
)


@lru_cache(maxsize=4)
def true_cosines(N: int) -> tuple[Floats, Floats]:
    """cos(pi r / N) for 0 <= r <= N / 2 as sums of two floats, shapes `(N // 2 + 1,)`."""
    from flint import arb, fmpq

    with precision(128):
        balls = [arb(fmpq(r, N)).cos_pi() for r in range(N // 2 + 1)]
        high = [float(x.mid()) for x in balls]
        low = [float((x - arb(h)).mid()) for x, h in zip(balls, high, strict=True)]
    return np.array(high), np.array(low)


def cosine_errors(cosines: Floats, m: int, N: int, D: Integers) -> Floats:
    """Computed minus true cosines of the ladder, shape `(len(D), m)`."""
    r, sign, _ = fold_phase((2 * np.arange(m) + 1)[None, :], np.asarray(D)[:, None], N)
    high, low = true_cosines(N)
    return (cosines - sign * high[r]) - sign * low[r]


def kernel_errors(
    cosines: Floats, m: int, N: int, D: Integers, kind: type[np.floating[Any]] = np.float64
) -> Floats:
    """(K computed - K) / m, summed in the type `kind`, shape `(len(D),)`."""
    computed = cosines.astype(kind).sum(axis=1, dtype=kind).astype(np.float64)
    total, carry = np.zeros(len(D)), np.zeros(len(D))
    for column in cosines.T:  # the exact sum: each addition and what it rounded off
        after = total + column
        back = after - total
        carry += (total - (after - back)) + (column - back)
        total = after
    from_cosines = cosine_errors(cosines, m, N, D).sum(axis=1)
    return (((computed - total) - carry) + from_cosines) / m


# ---------------------------------------------------------------------- bounds
def gamma(additions: int, u: Fraction) -> Fraction:
    """The relative error of a sum after so many additions, in any order."""
    return additions * u / (1 - additions * u)


def cosine_rounding(route: str, form: Format) -> Fraction:
    """The relative error of a cosine that its angle does not explain."""
    if route == "native":
        return 4 * form.unit_roundoff
    if form.name == "float64":
        return 2 * U
    return (1 + 2 * U) * (1 + form.unit_roundoff) - 1


def angle_bound(route: str, m: int, form: Format) -> Fraction:
    """The largest error of an angle in radians, i < m and 0 <= D <= N."""
    relative = three_rounding_bound(SINGLE if route == "cast table" else form)
    largest = Fraction(1, 4) if route == "integer phase" else 2 * m - 1
    return relative * PI_ABOVE * largest


def folded_bound(form: Format) -> Bound:
    """4 u, for every window, plane and offset; see the module's derivation."""
    return Bound(4 * form.unit_roundoff, "4 u", {"format": form.name})


def cosine_bound(route: str, m: int, form: Format) -> Fraction:
    """|computed - true cosine| for i < m and 0 <= D <= N."""
    if route == "integer phase":
        return folded_bound(form).value
    return angle_bound(route, m, form) + cosine_rounding(route, form)


def kernel_bound(route: str, m: int, form: Format) -> Fraction:
    """|computed - true kernel| / m for 0 <= D <= N."""
    summed = gamma(m - 1, form.unit_roundoff if route == "native" else U)
    if route == "integer phase":
        return folded_bound(form).value + summed * (1 + folded_bound(form).value)
    relative = three_rounding_bound(SINGLE if route == "cast table" else form)
    own = cosine_rounding(route, form)
    return mean_bound(relative, own, m) + summed * (1 + own)


def mean_bound(angle: Fraction, cosine: Fraction, m: int) -> Fraction:
    """pi m times the angles' relative error, plus the cosines' own."""
    return angle * PI_ABOVE * m + cosine


# ---------------------------------------------------------------------- the table
@dataclass(frozen=True)
class Row:
    """Errors of one window, route and format.

    `max_cosine`, `max_kernel` and `rms_kernel` are absolute, kernels divided by m; `holonomy_*` are
    the largest |cos + 1| and |sin| at D = N.  Bounds are exact rationals and hold where
    `unrepresentable`, the first measured offset that the format does not contain, is None (always
    for an integer phase).  Everything measured is nan where a position overflows.
    """

    window: int
    planes: int
    route: str
    form: str
    max_cosine: float
    max_kernel: float
    rms_kernel: float
    holonomy_cosine: float
    holonomy_sine: float
    angle_bound: Fraction
    cosine_bound: Fraction
    kernel_bound: Fraction
    unrepresentable: int | None

    @property
    def overflows(self) -> bool:
        return math.isnan(self.max_kernel)


def float_floor(N: int, m: int, route: str, form_name: str, D: Integers | None = None) -> Row:
    """Measure one row over the offsets D (`table_offsets(N)` if none are given).

    ValueError for a window that is no power of two or an unknown route or format.
    """
    if N < 2 or N & (N - 1):
        raise ValueError(f"the bounds need a power of two as the window, not {N}")
    if route not in ROUTES or form_name not in FORMATS:
        raise ValueError(f"unknown route or format: {route!r}, {form_name!r}")
    form = FORMATS[form_name]
    offsets = table_offsets(N) if D is None else np.asarray(D)
    cosines, _ = ROUTES[route](m, N, offsets, form)
    kind = form.dtype.type if route == "native" else np.float64
    errors = kernel_errors(cosines, m, N, offsets, kind)
    cosine, sine = ROUTES[route](m, N, np.array([N]), form)
    positions = SINGLE if route == "cast table" else form
    inside = representable(offsets, positions)
    missing = np.setdiff1d(offsets, inside)
    refused = route != "integer phase" and len(missing) > 0
    return Row(
        N,
        m,
        route,
        form_name,
        float(np.abs(cosine_errors(cosines, m, N, offsets)).max()),
        float(np.abs(errors).max()),
        float(np.sqrt((errors**2).mean())),
        float(np.abs(cosine + 1).max()),
        float(np.abs(sine).max()),
        angle_bound(route, m, form),
        cosine_bound(route, m, form),
        kernel_bound(route, m, form),
        int(missing[0]) if refused else None,
    )


def floor_table() -> tuple[Row, ...]:
    """All rows: three windows, ten routes and formats each."""
    return tuple(float_floor(N, m, route, form) for N, m in WINDOWS for route, form in COLUMNS)


# ---------------------------------------------------------------------- what the checks measure
@dataclass(frozen=True)
class Rounding:
    """The numerical definitions of this topic; a control replaces one of them."""

    angles: Callable[[int, int, Integers, Format], Floats] = chain_angles
    offsets: Callable[[Integers, Format], Integers] = representable
    windows: Callable[[Format], tuple[tuple[int, int], ...]] = lambda form: _windows(form)
    angle_bound: Callable[[Format], Fraction] = pi_chain_bound
    relative_bound: Callable[[Fraction, int], Fraction] = lambda u, count: (1 + u) ** count - 1
    mean_bound: Callable[[Fraction, Fraction, int], Fraction] = mean_bound
    folded: Route = by_integer_phase
    folded_bound: Callable[[Format], Bound] = folded_bound
    cosine: Callable[[Floats], Floats] = lambda error: 2 * np.sin(error / 2) ** 2
    sine: Callable[[Floats], Floats] = lambda error: -np.sin(error)
    other_share: Callable[[int, int], Fraction] = lambda ours, others: Fraction(
        others, ours + others
    )
    multiple: Callable[[Any], Any] = odd_multiple


ROUNDING = Rounding()


def _windows(form: Format) -> tuple[tuple[int, int], ...]:
    """The windows of the table whose frequencies are normal numbers of the format."""
    return tuple((N, m) for N, m in WINDOWS if math.pi / N >= float(form.smallest_normal))


def _halved(form: Format) -> Fraction:
    return pi_chain_bound(form) / 2


def _one_product(form: Format) -> Fraction:
    """The bound of a chain that multiplies once: pi's own rounding is forgotten."""
    return (1 + form.unit_roundoff) ** 2 - 1


def _everything(D: Integers, form: Format) -> Integers:
    return D


def _nearest(cases: list[tuple[float, Bound, str]], note: str, trusts: Any = LIBRARY) -> Evidence:
    """The case that comes nearest to its bound, or the first one beyond it."""
    shares = [size / float(bound.value) for size, bound, _ in cases]
    order = np.argmax(np.where(np.isnan(shares), np.inf, shares))
    size, bound, where = cases[int(order)]
    evidence = within(size, bound, witness=where, note=note)
    return Evidence(
        evidence.outcome, evidence.measured, bound, evidence.witness, evidence.note, trusts
    )


TABLE_SCOPE = Scope(
    "4 formats, N = 512, 2048, 131072: up to 4396 offsets of each that the format contains",
    "4 formats, N = 512, 2048, 131072: every offset that the format contains",
)


def _offsets(N: int, run: Run) -> Integers:
    return np.arange(N + 1) if run.profile == "full" else table_offsets(N)


# ---------------------------------------------------------------------- mobius.float_floor
@control("bound_halved", angle_bound=_halved)
@control("rounding_of_pi_forgotten", angle_bound=_one_product)
@control("offset_not_representable", offsets=_everything)
@control("position_overflows", offsets=_everything, windows=lambda form: WINDOWS)
@checked_by(theory.FLOAT_FLOOR, "ladder_error", "float", TABLE_SCOPE, definitions=ROUNDING)
def angles_of_the_chain(of: Rounding, run: Run) -> Evidence:
    """Relative error of every angle against (1 + |e|)(1 + u)^2 - 1, sharper than the claim's bound.

    The errors are known to 2 u64 of their size plus 2^-104 of the angle, and their quotients round
    three times: the bound is raised by as much.
    """
    cases = []
    for form in FORMATS.values():
        bound = Bound(
            of.angle_bound(form) * (1 + 8 * U) + Fraction(1, 2**104),
            "(1 + |e|)(1 + u)^2 - 1",
            {"format": form.name},
        )
        for N, m in of.windows(form):
            every = _offsets(N, run)[1:]
            D = of.offsets(every, form)
            angles = of.angles(m, N, D, form)
            with np.errstate(invalid="ignore"):
                relative = angle_errors(angles, m, N, D) / (np.pi * half_turns(m, N, D))
            size, where = worst(relative, {"D": D})
            cases.append((size, bound, _label(form, N, m, where, D)))
    return _nearest(cases, f"{len(cases)} windows and formats", frozenset())


def _label(form: Format, N: int, m: int, where: str, D: Integers) -> str:
    """Where it was, and the hypothesis that fails there."""
    label = f"{form.name}, N = {N}, m = {m}, {where}"
    missing = np.setdiff1d(D, representable(D, form))
    if len(missing):
        label += f", hypothesis 'offset representable' fails from {int(missing[0])} on"
    return label


@control("bound_halved", relative_bound=lambda u, count: ((1 + u) ** count - 1) / 2)
@control("rounding_forgotten", relative_bound=lambda u, count: (1 + u) ** (count - 1) - 1)
@checked_by(
    theory.FLOAT_FLOOR,
    "ladder_error",
    "property",
    Scope("100 angles, N <= 2^17 a power of two, i < 64", "2000 angles, N <= 2^17, i < 64"),
    definitions=ROUNDING,
)
def angle_at_random(of: Rounding, run: Run) -> Evidence:
    """One angle in exact rational arithmetic, rounding after every operation, in four formats.

    D runs over all integers below N and is rounded down to a number of the format first.
    """
    from hypothesis import strategies as st

    low, high = pi_between()

    def predicate(name: str, log: int, i: int, D: int) -> bool:
        form = FORMATS[name]
        if form.name == "float16":
            log = min(log, 15)  # beyond, pi / N is subnormal
        N, steps = 2**log, form.significand
        D = D % (N + 1)
        D -= D % 2 ** max(0, D.bit_length() - steps)
        angle = rounded_angle(i, N, D, form)
        exact = Fraction((2 * i + 1) * D, N)
        allowed = of.relative_bound(form.unit_roundoff, 3) * exact * low
        return abs(angle - exact * low) <= allowed and abs(angle - exact * high) <= allowed

    axes = {
        "name": st.sampled_from(tuple(FORMATS)),
        "log": st.integers(0, 17),
        "i": st.integers(0, 63),
        "D": st.integers(0, 2**17),
    }
    return hunt(predicate, axes, run, first={"name": "float16", "log": 11, "i": 6, "D": 1663})


def rounded_angle(i: int, N: int, D: int, form: Format) -> Fraction:
    """fl(D fl(fl(pi (2 i + 1)) / N)), every step exact and then rounded."""
    value = Fraction(math.pi)
    for step in (Fraction(1), Fraction(2 * i + 1), Fraction(1, N), Fraction(D)):
        rounded = round_exact(value * step, form)
        if rounded is None:
            raise OverflowError(f"{form.name} overflows at i = {i}, N = {N}, D = {D}")
        value = rounded
    return value


@control("angle_error_forgotten", mean_bound=lambda angle, cosine, m: cosine)
@control(
    "mean_angle_of_one_plane", mean_bound=lambda angle, cosine, m: mean_bound(angle, cosine, 1)
)
@control("position_overflows", offsets=_everything, windows=lambda form: WINDOWS)
@checked_by(theory.FLOAT_FLOOR, "kernel_error", "float", TABLE_SCOPE, definitions=ROUNDING)
def kernels_by_every_route(of: Rounding, run: Run) -> Evidence:
    """The normalised kernel against pi m B + t, by tables, natively and by a cast table."""
    cases = []
    for N, m in WINDOWS:
        every = table_offsets(N)
        for route, name in COLUMNS:
            form = FORMATS[name]
            positions = SINGLE if route == "cast table" else form
            if route == "integer phase" or (N, m) not in of.windows(positions):
                continue
            D = of.offsets(every, positions)
            cosines, _ = ROUTES[route](m, N, D, form)
            native = route == "native"
            errors = kernel_errors(cosines, m, N, D, form.dtype.type if native else np.float64)
            own = cosine_rounding(route, form)
            summed = gamma(m - 1, form.unit_roundoff if native else U) * (1 + own)
            value = of.mean_bound(three_rounding_bound(positions), own, m) + summed
            bound = Bound(value, "pi m ((1+u)^3 - 1) + t + sum", {"route": route, "format": name})
            size, where = worst(errors, {"D": D})
            cases.append((size, bound, f"{route}, {_label(positions, N, m, where, D)}"))
    return _nearest(cases, f"{len(cases)} windows and routes", LIBRARIES)


def _reduced_modulo_the_window(m: int, N: int, D: Integers, form: Format) -> Any:
    return by_integer_phase(m, N, np.asarray(D) % N, form)


@control("not_reduced", folded=by_table)
@control("reduced_modulo_N", folded=_reduced_modulo_the_window)
@control(
    "bound_of_half_a_rounding",
    folded_bound=lambda form: Bound(form.unit_roundoff / 2, "u / 2", {"format": form.name}),
)
@checked_by(
    theory.FLOAT_FLOOR,
    "phase_reduction",
    "float",
    Scope(
        "4 formats, N = 512, 2048, 131072: up to 4396 offsets of each",
        "4 formats, N = 512, 2048, 131072: every offset",
    ),
    definitions=ROUNDING,
)
def integer_phase_below_four_roundings(of: Rounding, run: Run) -> Evidence:
    """Cosines from integer phases, offsets the format cannot even hold included."""
    cases = []
    for form in FORMATS.values():
        for N, m in WINDOWS:
            D = _offsets(N, run) if N <= 2048 else table_offsets(N)
            cosines, _ = of.folded(m, N, D, form)
            size, where = worst(cosine_errors(cosines, m, N, D), {"D": D})
            cases.append((size, of.folded_bound(form), f"{form.name}, N = {N}, m = {m}, {where}"))
    return _nearest(cases, f"{len(cases)} windows and formats")


@control("not_reduced", folded=by_table)
@control("reduced_modulo_N", folded=_reduced_modulo_the_window)
@checked_by(
    theory.FLOAT_FLOOR,
    "phase_reduction",
    "property",
    Scope("100 offsets, |D| <= 2^30, N <= 2^17", "2000 offsets, |D| <= 2^30, N <= 2^17"),
    definitions=ROUNDING,
)
def integer_phase_at_random(of: Rounding, run: Run) -> Evidence:
    """Cosine and sine of one plane against balls, in four formats, far beyond the window."""
    from hypothesis import strategies as st

    def predicate(name: str, log: int, m: int, D: int) -> bool:
        from flint import arb, fmpq

        form, N = FORMATS[name], 2**log
        cosines, sines = of.folded(m, N, np.array([D]), form)
        bound = float(of.folded_bound(form).value)
        with precision(128):
            turn = arb(fmpq((2 * m - 1) * D, N))
            off = (turn.cos_pi() - float(cosines[0, -1]), turn.sin_pi() - float(sines[0, -1]))
            return all(abs(error) <= bound for error in off)

    axes = {
        "name": st.sampled_from(tuple(FORMATS)),
        "log": st.integers(1, 17),
        "m": st.integers(1, 64),
        "D": st.integers(-(2**30), 2**30),
    }
    return hunt(predicate, axes, run, first={"name": "float32", "log": 9, "m": 32, "D": 1021})


@control("sine_of_second_order", sine=lambda error: -(error**2) / 2)
@control("cosine_of_first_order", cosine=np.abs)
@checked_by(
    theory.FLOAT_FLOOR,
    "second_order",
    "float",
    "4 formats, D = N = 512, 2048",
    definitions=ROUNDING,
)
def sine_shows_what_the_cosine_hides(of: Rounding, run: Run) -> Evidence:
    """At D = N, from the known error of each angle: cos + 1 = 2 sin(eps/2)^2 and sin = -sin(eps).

    Both sides are float64 values of numbers of modulus at most 1: two ulps each, and eps itself is
    known to a few u64.  8 u64 in all.
    """
    bound = Bound(8 * U, "8 u64", {"u64": "2^-53"})
    cases, largest = [], 0.0
    for form in FORMATS.values():
        for N, m in WINDOWS[:2]:
            D = np.array([N])
            angle = of.angles(m, N, D, form)
            error = angle_errors(angle, m, N, D)
            cosine = np.cos(angle) + 1 - of.cosine(error)
            sine = np.sin(angle) - of.sine(error)
            largest = max(largest, float(np.abs(np.cos(angle) + 1).max()))
            size = float(max(np.abs(cosine).max(), np.abs(sine).max()))
            cases.append((size, bound, f"{form.name}, N = {N}, m = {m}"))
    return _nearest(cases, f"largest cos + 1: {largest:.3g}")


def _relative_errors() -> Any:
    from hypothesis import strategies as st

    share = rationals(-1, 1, 2**20)
    return {"u": st.fractions(Fraction(1, 2**60), 1), "shares": st.lists(share, min_size=4)}


ROUNDINGS = Scope("100 sets of roundings", "2000 sets of roundings")
_ALL_UP = {"u": Fraction(1, 2**24), "shares": [Fraction(1)] * 4}


def _products(of: Rounding, run: Run, count: int) -> Evidence:
    def predicate(u: Fraction, shares: list[Fraction]) -> bool:
        product = math.prod((1 + u * share for share in shares[:count]), start=Fraction(1))
        return abs(product - 1) <= of.relative_bound(u, count)

    return hunt(predicate, _relative_errors(), run, first=_ALL_UP)


@control("bound_halved", relative_bound=lambda u, count: ((1 + u) ** count - 1) / 2)
@control("first_order_only", relative_bound=lambda u, count: count * u)
@checked_by(theory.FLOAT_FLOOR, "three_roundings", "property", ROUNDINGS, definitions=ROUNDING)
def three_roundings_at_random(of: Rounding, run: Run) -> Evidence:
    """Products of three relative errors in exact arithmetic, all of them up included."""
    return _products(of, run, 3)


@control("rounding_forgotten", relative_bound=lambda u, count: (1 + u) ** (count - 1) - 1)
@control("first_order_only", relative_bound=lambda u, count: count * u)
@checked_by(theory.FLOAT_FLOOR, "four_roundings", "property", ROUNDINGS, definitions=ROUNDING)
def four_roundings_at_random(of: Rounding, run: Run) -> Evidence:
    """The same with four."""
    return _products(of, run, 4)


@control("factor_two_dropped", linear_bound=lambda u: 3 * u * (1 + u))
@checked_by(theory.FLOAT_FLOOR, "linearised", "ball", "u = 2^-53 .. 1, 60 values")
def linearised_in_balls(of: Practice, run: Run) -> Evidence:
    """The linear bound for the unit roundoffs in use and up to 1, where its gap is least."""
    statement = theory.FLOAT_FLOOR.clause("linearised").statement(of)
    u = [Fraction(1, 2**q) for q in range(54)] + [Fraction(q, 7) for q in range(1, 7)]
    return certify(statement, points(u=u), run.digits)


@control("periodic_ladder", frequency=even_frequency)
@checked_by(theory.FLOAT_FLOOR, "mean_angle", "ball", Scope("m = 1..12", "m = 1..64"))
def mean_angle_in_balls(of: Practice, run: Run) -> Evidence:
    """The mean of the angles is pi m D / N."""
    last = 65 if run.profile == "full" else 13
    grid = points(m=range(1, last), N=(1, 7, 512), D=(Fraction(-3, 2), 1, 511))
    statement = theory.FLOAT_FLOOR.clause("mean_angle").statement(of)
    return certify(statement, grid, run.digits)


# ---------------------------------------------------------------------- mobius.hybrid_heads
@control("all_heads_assumed_mobius", other_share=lambda ours, others: Fraction(0))
@control("periodic_ladder", multiple=lambda i: 2 * i)
@checked_by(
    theory.HYBRID_HEADS,
    "averaged",
    "property",
    Scope("100 splits of up to 64 heads", "2000 splits of up to 64 heads"),
    definitions=ROUNDING,
)
def average_at_random(of: Rounding, run: Run) -> Evidence:
    """K(D + N) + K(D) of the head average, with any kernel in the other heads.

    The anti-periodic kernels cancel bit by bit.  Each average rounds three times (products, sum,
    quotient), their sum and the share's product and sum three times more: below 8 u of the terms'
    sizes.
    """
    from hypothesis import strategies as st

    def predicate(N: int, D: int, split: tuple[int, int], theirs: tuple[float, float]) -> bool:
        ours, others = split
        m = max(1, N // 4)
        first, second = kernel(m, N, np.array([D, D + N]), of.multiple)
        heads = ours + others
        here = (ours * first + others * theirs[0]) / heads
        later = (ours * second + others * theirs[1]) / heads
        share = float(of.other_share(ours, others)) * (theirs[0] + theirs[1])
        size = 2 * ours * abs(first) + others * (abs(theirs[0]) + abs(theirs[1]))
        return abs(later + here - share) <= float(8 * U) * size / heads

    value = st.floats(-64, 64, width=32)
    axes = {
        "N": st.integers(1, 1024),
        "D": st.integers(-4096, 4096),
        "split": st.tuples(st.integers(1, 32), st.integers(0, 32)),
        "theirs": st.tuples(value, value),
    }
    first = {"N": 512, "D": 1, "split": (1, 3), "theirs": (27.5, 9.25)}
    return hunt(predicate, axes, run, first=first)


@control("periodic_ladder", multiple=lambda i: 2 * i)
@checked_by(
    theory.HYBRID_HEADS,
    "plane_wise",
    "property",
    Scope("100 heads of up to 16 planes", "2000 heads of up to 16 planes"),
    definitions=ROUNDING,
)
def planes_at_random(of: Rounding, run: Run) -> Evidence:
    """A head with some anti-periodic planes keeps s_S(D + N) + s_S(D), whatever s_S is.

    The anti-periodic parts at D and D + N are equal up to sign bit by bit; adding s_S rounds twice
    and the two sums once each: below 4 u of the sizes.
    """
    from hypothesis import strategies as st

    def predicate(N: int, D: int, c: list[tuple[float, float]], rest: tuple[float, float]) -> bool:
        content = np.array([complex(re, im) for re, im in c])
        here, later = score(content, N, np.array([D, D + N]), of.multiple)
        residual = (later + rest[1]) + (here + rest[0]) - (rest[0] + rest[1])
        size = 2 * float(np.abs(content).sum()) + abs(rest[0]) + abs(rest[1])
        return abs(residual) <= float(8 * U) * size

    part = st.floats(-10, 10, width=32)
    axes = {
        "N": st.integers(2, 512),
        "D": st.integers(-1000, 1000),
        "c": st.lists(st.tuples(part, part), min_size=1, max_size=16),
        "rest": st.tuples(part, part),
    }
    first = {"N": 8, "D": 1, "c": [(1.0, 0.0)], "rest": (0.5, 0.25)}
    return hunt(predicate, axes, run, first=first)


def mobius_frequency(q: int) -> Any:
    """The anti-periodic ladder in the other heads."""
    import sympy

    return sympy.pi * (2 * q + 1) / theory.practice.CONTEXT


@control("all_heads_assumed_mobius", other_frequency=mobius_frequency)
@control("periodic_ladder", frequency=even_frequency)
@checked_by(theory.HYBRID_HEADS, "quarter_hybrid", "ball", "N = 512, m = 32")
def quarter_hybrid_in_balls(of: Practice, run: Run) -> Evidence:
    """The head average at N and what is left of its anti-period, to ten decimals."""
    return certify_over(theory.HYBRID_HEADS.clause("quarter_hybrid").statement(of), run.digits)


@control("all_heads_assumed_mobius", other_frequency=mobius_frequency)
@checked_by(theory.HYBRID_HEADS, "layer_distance", "ball", "N = 512, b = 10^4, d = 64")
def layer_distance_in_balls(of: Practice, run: Run) -> Evidence:
    """The layer's distance to -I at N is the other heads' own, to ten decimals."""
    return certify_over(theory.HYBRID_HEADS.clause("layer_distance").statement(of), run.digits)


@control("periodic_ladder", frequency=even_frequency)
@checked_by(theory.HYBRID_HEADS, "layer_holonomy", "ball", "8 planes, 4 windows, 5 angles")
def layer_holonomy_in_balls(of: Practice, run: Run) -> Evidence:
    """The anti-periodic block of the layer plus I vanishes, the other one remains."""
    grid = points(i=range(8), N=(1, 2, 9, 512), phi=[Fraction(q, 2) for q in range(-2, 3)])
    return certify(theory.HYBRID_HEADS.clause("layer_holonomy").statement(of), grid, run.digits)
