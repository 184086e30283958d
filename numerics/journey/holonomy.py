"""Loops measured: graphs with operators on their edges, rings, the square of two rotations.

Main definitions
----------------
tree_transports    operators from a root to every vertex along a spanning tree
loop_holonomies    what each fundamental cycle of a graph leaves behind
smith_factors      the invariant factors of an integer matrix
turned             a rotation repeated N times, plane by plane
rotations          rotation matrices about unit axes, vectorised
quarter            sine and cosine of a quarter of the holonomy angle, without cancellation
holonomy_angle     psi in [0, 2 pi] of A B A^-1 B^-1
square_holonomy    the operators around every square of a field of orthogonal steps

Main claims
-----------
journey.loops, journey.so3_holonomy

Conventions
-----------
As in `posproof.theory.journey.holonomy`: radians, column vectors, the latest step leftmost;
u = 2^-53.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posproof.numerics.balls import (
    certify,
    certify_over,
    describe,
    points,
    precision,
    radius,
    upward,
)
from posproof.numerics.formats import FORMATS
from posproof.numerics.hunt import hunt
from posproof.numerics.measure import high_precision, within, worst
from posproof.theory.journey.holonomy import LOOPS, SO3_HOLONOMY, Loops, latest_leftmost
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control

if TYPE_CHECKING:
    import mpmath
    from flint import arb

Array = NDArray[Any]
Floats = NDArray[np.float64]

U = FORMATS["float64"].unit_roundoff
#: Bits and radius of the ball checks, and the perturbation they have to notice.
BITS, RADIUS, PERTURBATION = 256, Fraction(1, 10**60), Fraction(1, 10**40)


# ---------------------------------------------------------------------- graphs
def tree_transports(
    edges: NDArray[np.int64], values: Array, vertices: int
) -> tuple[Array, NDArray[np.int64]]:
    """Operators from vertex 0 along a breadth-first tree, and the edges outside that tree.

    `edges` of shape `(E, 2)` lists tails and heads, `values` `(E, d, d)` the operators from tail to
    head; an edge walked backwards uses the inverse.  Returns `(V, d, d)` and indices of edges.
    ValueError when some vertex is not reached.
    """
    edges = np.asarray(edges)
    around: list[list[tuple[int, int, bool]]] = [[] for _ in range(vertices)]
    for e, (tail, head) in enumerate(edges.tolist()):
        around[tail].append((head, e, True))
        around[head].append((tail, e, False))
    reached = np.zeros((vertices, *values.shape[1:]), dtype=values.dtype)
    reached[0] = np.eye(values.shape[-1])
    known, queue, inside = {0}, [0], set()
    for here in queue:
        for there, e, forward in around[here]:
            if there in known:
                continue
            step = values[e] if forward else np.linalg.inv(values[e])
            reached[there] = step @ reached[here]
            known.add(there)
            inside.add(e)
            queue.append(there)
    if len(known) < vertices:
        raise ValueError(f"the graph is not connected: {vertices - len(known)} vertices are apart")
    return reached, np.array([e for e in range(len(edges)) if e not in inside], dtype=np.int64)


def loop_holonomies(edges: NDArray[np.int64], values: Array, vertices: int) -> Array:
    """g_y^-1 T_e g_x for every edge e: x -> y outside a spanning tree, shape `(E - V + 1, d, d)`.

    All of them are the identity exactly when every closed walk is.
    """
    edges = np.asarray(edges)
    reached, outside = tree_transports(edges, values, vertices)
    tails, heads = edges[outside, 0], edges[outside, 1]
    loops: Array = np.linalg.solve(reached[heads], values[outside] @ reached[tails])
    return loops


def smith_factors(matrix: NDArray[np.int64]) -> list[int]:
    """The non-zero invariant factors of an integer matrix, each dividing the next."""
    from flint import fmpz_mat

    matrix = np.asarray(matrix)
    if 0 in matrix.shape:
        return []
    form = fmpz_mat(matrix.astype(int).tolist()).snf()
    diagonal = (abs(int(form[k, k])) for k in range(min(matrix.shape)))
    return [factor for factor in diagonal if factor]


# ---------------------------------------------------------------------- rings
def turned(angle: ArrayLike, N: int) -> NDArray[np.complex128]:
    """exp(i angle) multiplied up N times, the rotation of a plane as a complex number."""
    factor = np.exp(1j * np.asarray(angle, dtype=np.float64))
    result = factor
    for _ in range(N - 1):
        result = result * factor
    return result


def ring_frequency(s: Any, N: Any) -> Any:
    """2 pi s / N in radians."""
    return 2 * np.pi * s / N


def turn_bound(N: int, s: int) -> Fraction:
    """|computed R(2 pi s / N)^N - I| <= (4 N + 16 |s|) u.

    2 pi, its product with s and the quotient move the angle by at most 2.4 u 2 pi |s| < 16 |s| u
    over the whole turn.  Cosine and sine are within one ulp, sqrt(2) u together, in each factor,
    and each complex product is within sqrt(5) u: 3.7 N u, which leaves room for second order.
    """
    return (4 * N + 16 * abs(s)) * U


@dataclass(frozen=True)
class Ring:
    """The numerical definitions of a ring of N steps; a control replaces one of them."""

    frequency: Callable[[Any, Any], Any] = ring_frequency
    chord: Callable[[float], float] = lambda delta: 2 * abs(np.sin(np.pi * delta))
    turn: Fraction = Fraction(2)
    shift: Fraction = Fraction(0)


RING = Ring()


def _arc_tangent(s: Any, N: Any) -> Any:
    """The rational rotation (3 + 4 i) / 5, which closes after no number of steps."""
    return np.arctan2(4.0, 3.0) + 0 * s


def _worst_turn(of: Ring, sizes: range, windings: Callable[[int], NDArray[np.int64]]) -> Any:
    """The largest |T^N - I| in units of its bound, and where."""
    largest, where = 0.0, ""
    for N in sizes:
        s = windings(N)
        gap = np.abs(turned(of.frequency(s, N), N) - 1)
        ratio = gap / ((4 * N + 16 * np.abs(s)) * float(U))
        size, label = worst(ratio, {"s": s})
        if not size <= largest:
            largest, where = size, f"N = {N}, {label}"
    return largest, where


RINGS = Scope("N = 2..64", "N = 2..512")


@control("arc_tangent_of_4_3", frequency=_arc_tangent)
@control("half_the_frequency", frequency=lambda s, N: np.pi * s / N)
@checked_by(LOOPS, "block_periods", "float", RINGS, definitions=RING)
def reduced_turns_close(of: Ring, run: Run) -> Evidence:
    """|R(2 pi s / N)^N - I| for |s| <= N / 2, per 12 N u."""
    last = 512 if run.profile == "full" else 64
    largest, where = Fraction(0), ""
    for N in range(2, last + 1):
        s = np.arange(-(N // 2), N // 2 + 1)
        gap = np.abs(turned(of.frequency(s, N), N) - 1)
        size, label = worst(gap, {"s": s})
        if Fraction(size) / N >= largest:
            largest, where = Fraction(size) / N, f"N = {N}, {label}"
    return within(largest, Bound(12 * U, "12 u per step: 12 N u", {"u": "2^-53"}), witness=where)


@control("arc_tangent_of_4_3", frequency=_arc_tangent)
@checked_by(
    LOOPS, "block_periods", "float", Scope("N = 2..64, |s| <= 20 N", "N = 2..512"), definitions=RING
)
def unreduced_turns_close(of: Ring, run: Run) -> Evidence:
    """The same for s up to 20 turns too many, per (4 N + 16 |s|) u."""
    last = 512 if run.profile == "full" else 64
    sizes = range(2, last + 1)
    largest, where = _worst_turn(of, sizes, lambda N: np.arange(-20 * N, 20 * N + 1, 7))
    bound = Bound(Fraction(1), "(4 N + 16 |s|) u, in units of it", {"u": "2^-53"})
    return within(largest, bound, witness=where)


@control("arc_tangent_of_4_3", frequency=_arc_tangent)
@control("sine_of_twice_the_rest", chord=lambda delta: 2 * abs(np.sin(2 * np.pi * delta)))
@checked_by(
    LOOPS,
    "block_periods",
    "property",
    Scope("100 rings, N = 2..64", "2000 rings, N = 2..64"),
    definitions=RING,
)
def rings_leave_a_chord(of: Ring, run: Run) -> Evidence:
    """s + delta windings leave 2 |sin(pi delta)|: nothing for whole ones, delta 0.01..0.99 else.

    The bound of `turn_bound` with one more winding, 2 pi (|s| + 1) u for the sum s + delta, and 4 u
    for the chord.
    """
    from hypothesis import strategies as st

    def predicate(N: int, s: int, delta: float) -> bool:
        gap = abs(complex(turned(of.frequency(s + delta, N), N)) - 1)
        limit = turn_bound(N, abs(s) + 1) + (8 * (abs(s) + 1) + 4) * U
        return Fraction(abs(gap - of.chord(delta))) <= limit

    axes = {
        "N": st.integers(2, 64),
        "s": st.integers(-200, 200),
        "delta": st.one_of(st.just(0.0), st.floats(0.01, 0.99)),
    }
    return hunt(predicate, axes, run, first={"N": 4, "s": 1, "delta": 0.25})


@control("half_the_frequency", turn=Fraction(1))
@control("frequency_off_by_1e_minus_40", shift=PERTURBATION)
@checked_by(LOOPS, "block_periods", "ball", "N = 2..64, all s, 256 bits", definitions=RING)
def rings_in_balls(of: Ring, run: Run) -> Evidence:
    """R(2 pi s / N)^N - I is a ball around 0 of radius below 1e-60."""
    from flint import acb, arb, fmpq

    bound = Bound(RADIUS, "10^-60 at 256 bits")
    largest = Fraction(0)
    with precision(BITS):
        for N in range(2, 65):
            for s in range(N):
                step = of.turn * Fraction(s, N) + of.shift
                angle = arb(fmpq(step.numerator, step.denominator))
                gap = acb(angle.cos_pi(), angle.sin_pi()) ** N - 1
                for part in (gap.real, gap.imag):
                    if not part.contains(0):
                        where = describe({"N": N, "s": s})
                        return Evidence("refuted", bound=bound, witness=f"{where}: {part.str(5)}")
                    largest = max(largest, radius(part))
    return Evidence("holds" if largest < RADIUS else "undecided", upward(largest), bound)


def _even_ladder(i: Any, N: Any) -> Any:
    import sympy

    return 2 * sympy.pi * i / N


@control("periodic_ladder", half_frequency=_even_ladder)
@checked_by(LOOPS, "antiperiodic", "ball", Scope("N = 2..32, i = 0..7", "N = 2..128, i = 0..31"))
def antiperiodic_in_balls(of: Loops, run: Run) -> Evidence:
    """R(pi (2 i + 1) / N)^N = -I, entry by entry."""
    full = run.profile == "full"
    grid = points(N=range(2, 129 if full else 33), i=range(32 if full else 8))
    return certify(LOOPS.clause("antiperiodic").statement(of), grid, run.digits)


@control("earliest_leftmost", walk=lambda steps: latest_leftmost(list(steps)[::-1]))
@checked_by(LOOPS, "alternating_group", "ball", "six cycles of K_5")
def alternating_group_in_balls(of: Loops, run: Run) -> Evidence:
    """Integer matrices, so the balls are points."""
    return certify_over(LOOPS.clause("alternating_group").statement(of), run.digits)


@control("half_the_frequency", turn=Fraction(1))
@checked_by(LOOPS, "block_periods", "high", "N = 2..64, five s each", definitions=RING)
def rings_in_high_precision(of: Ring, run: Run) -> Evidence:
    """12 N roundings stay below 10^(3 - digits)."""
    import mpmath

    def residual(N: int, s: int) -> mpmath.mpf:
        step = mpmath.expj(of.turn.numerator * mpmath.pi * s / N / of.turn.denominator)
        return abs(step**N - 1)

    grid = ({"N": N, "s": s} for N in range(2, 65) for s in range(1, N, max(1, N // 5)))
    bound = Bound(Fraction(1000, 10**run.digits), "10^(3 - digits)", {"digits": run.digits})
    return high_precision(residual, grid, run.digits, bound)


# ---------------------------------------------------------------------- two turning axes
def rotations(axis: ArrayLike, angle: ArrayLike) -> Floats:
    """Rotation matrices of shape `(..., 3, 3)` from unit axes `(..., 3)` and angles `(...)`."""
    axis, angle = np.asarray(axis, dtype=np.float64), np.asarray(angle, dtype=np.float64)
    x, y, z = np.moveaxis(axis, -1, 0)
    zero = np.zeros_like(x)
    turn = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=-1).reshape(*x.shape, 3, 3)
    sine, versed = np.sin(angle)[..., None, None], (1 - np.cos(angle))[..., None, None]
    whole: Floats = np.eye(3) + sine * turn + versed * (turn @ turn)
    return whole


def quarter(a: ArrayLike, b: ArrayLike, gamma: ArrayLike) -> tuple[Floats, Floats]:
    """Sine and cosine of psi / 4 for rotations by `a` and `b` about axes at the angle `gamma`.

    The cosine is the root of 1 - S^2 written as a sum of squares, so it keeps its relative accuracy
    where S is near 1 (which the arc sine of S does not).
    """
    sa, sb, sg = (np.sin(t) for t in (np.multiply(a, 0.5), np.multiply(b, 0.5), gamma))
    ca, cb, cg = (np.cos(t) for t in (np.multiply(a, 0.5), np.multiply(b, 0.5), gamma))
    return np.abs(sa * sb * sg), np.hypot(ca, sa * np.hypot(cb, sb * cg))


def holonomy_angle(a: ArrayLike, b: ArrayLike, gamma: ArrayLike) -> Floats:
    """psi in [0, 2 pi]: A B A^-1 B^-1 turns by psi; within 60 u of the truth.

    >>> round(float(holonomy_angle(1.0, 1.0, np.pi / 2)), 6)
    0.927689
    """
    sine, cosine = quarter(a, b, gamma)
    angle: Floats = 4 * np.arctan2(sine, cosine)
    return angle


def square_holonomy(first: Floats, second: Floats) -> Floats:
    """What each square of a field of orthogonal steps leaves behind, shape `(p, q, d, d)`.

    `first` holds the steps along axis 1, shape `(p, q + 1, d, d)`, `second` those along axis 2,
    shape `(p + 1, q, d, d)`.  The loop goes out along axis 1 and comes back along axis 2:
    T_2(x)^T T_1(x + e_2)^T T_2(x + e_1) T_1(x).  ValueError when the shapes do not fit.
    """
    p, q = first.shape[0], second.shape[1]
    d = first.shape[-1]
    if first.shape != (p, q + 1, d, d) or second.shape != (p + 1, q, d, d):
        raise ValueError(f"steps of shapes {first.shape} and {second.shape} are not one grid")
    out = second[1:] @ first[:, :-1]
    back = first[:, 1:] @ second[:-1]
    around: Floats = np.swapaxes(back, -1, -2) @ out
    return around


def commutator_norms(
    a: Floats, b: Floats, gamma: Floats, rotation: Callable[..., Floats] = rotations
) -> Floats:
    """Spectral norms of A B - B A, the axes being (1, 0, 0) and (cos gamma, sin gamma, 0)."""
    fixed = np.broadcast_to(np.array([1.0, 0.0, 0.0]), (*np.shape(gamma), 3))
    tilted = np.stack([np.cos(gamma), np.sin(gamma), np.zeros_like(gamma)], axis=-1)
    first, second = rotation(fixed, a), rotation(tilted, b)
    return np.linalg.norm(first @ second - second @ first, ord=2, axis=(-2, -1))


#: |computed norm - computed 2 |sin(psi / 2)|| <= 360 u.  An entry of A is off by at most 6 u and
#: one of B by 28 u (library within 2 u, an axis of two roundings, three sums of terms below 3), so
#: A B - B A is off by 2 (18 + 84) u + 2 * 9 u for the products and 6 u for the difference; singular
#: values by 64 u more (backward stability); psi / 2 by 27 u, so 2 sin(psi / 2) by 60 u.
NORM_BOUND = Bound(360 * U, "360 u", {"u": "2^-53"})


def product_of_sines(a: Any, b: Any, gamma: Any) -> Any:
    """The sine of psi / 4 from sin(a / 2), sin(b / 2) and sin(gamma), in any arithmetic."""
    return abs(a * b * gamma)


@dataclass(frozen=True)
class Turns:
    """The numerical definitions of two turning axes; a control replaces one of them."""

    rotation: Callable[..., Floats] = rotations
    quarter: Callable[..., tuple[Any, Any]] = quarter
    parts: int = 4
    quarter_sine: Callable[[Any, Any, Any], Any] = product_of_sines
    shift: Fraction = Fraction(0)

    def norms(self, a: Floats, b: Floats, gamma: Floats) -> Floats:
        """2 |sin(psi / 2)| from the closed form."""
        sine, cosine = self.quarter(a, b, gamma)
        norms: Floats = 2 * np.abs(np.sin(self.parts / 2 * np.arctan2(sine, cosine)))
        return norms


TURNS = Turns()


def _without_the_angle(a: Any, b: Any, gamma: Any) -> tuple[Any, Any]:
    return quarter(a, b, np.pi / 2 + 0 * np.asarray(gamma))


def _two_sines(a: Any, b: Any, gamma: Any) -> Any:
    return abs(a * b)


def _first_order(axis: Any, angle: Any) -> Floats:
    """The square of the cross product is left out."""
    whole: Floats = np.eye(3) + (rotations(axis, angle) - rotations(axis, -angle)) / 2
    return whole


@control("without_sine_of_the_angle", quarter=_without_the_angle)
@control("two_arc_sines", parts=2)
@control("first_order_rotation", rotation=_first_order)
@checked_by(
    SO3_HOLONOMY,
    "norms",
    "float",
    Scope("16 x 16 x 9 angles, a = b = 1 among them", "64 x 64 x 33 angles"),
    definitions=TURNS,
)
def norms_in_float(of: Turns, run: Run) -> Evidence:
    """Singular values of A B - B A against the closed form, float64."""
    count, tilts = (64, 33) if run.profile == "full" else (16, 9)
    angles = np.concatenate([[1.0], np.linspace(-3.2, 3.2, count - 1)])
    tilt = np.concatenate([[0.3], np.linspace(0, np.pi, tilts - 1)])
    a, b, gamma = (grid.ravel() for grid in np.meshgrid(angles, angles, tilt, indexing="ij"))
    errors = commutator_norms(a, b, gamma, of.rotation) - of.norms(a, b, gamma)
    size, where = worst(errors, {"a": a, "b": b, "gamma": gamma})
    return within(size, NORM_BOUND, witness=where)


@control("without_sine_of_the_angle", quarter=_without_the_angle)
@control("two_arc_sines", parts=2)
@checked_by(
    SO3_HOLONOMY,
    "norms",
    "property",
    Scope("100 triples, |a|, |b| <= 3.2", "2000 triples, |a|, |b| <= 3.2"),
    definitions=TURNS,
)
def norms_of_drawn_angles(of: Turns, run: Run) -> Evidence:
    """The same at angles that Hypothesis draws."""
    from hypothesis import strategies as st

    def predicate(a: float, b: float, gamma: float) -> bool:
        one = (np.array([value]) for value in (a, b, gamma))
        a_, b_, gamma_ = one
        error = commutator_norms(a_, b_, gamma_, of.rotation) - of.norms(a_, b_, gamma_)
        return bool(abs(float(error[0])) <= NORM_BOUND.value)

    turn = st.floats(-3.2, 3.2)
    axes = {"a": turn, "b": turn, "gamma": st.floats(0, float(np.pi))}
    return hunt(predicate, axes, run, first={"a": 1.0, "b": 1.0, "gamma": 0.3})


#: Angles of the checks at many digits: a, b and gamma as fractions, the printed ones first.
PRINTED = [
    ("1", "1", None),
    ("1/10", "1/5", None),
    ("2", "3", None),
    ("1", "1", "3/10"),
    ("-5/2", "7/3", "2"),
    ("1/1000", "1/999", "1/7"),
]


@control("without_sine_of_the_angle", quarter_sine=_two_sines)
@control("two_arc_sines", parts=2)
@control("psi_off_by_1e_minus_40", shift=PERTURBATION)
@checked_by(SO3_HOLONOMY, "norms", "ball", "6 triples of angles, 256 bits", definitions=TURNS)
def frobenius_in_balls(of: Turns, run: Run) -> Evidence:
    """|A B - B A|_F^2 - 8 sin^2(psi / 2): a ball around 0 of radius below 1e-60."""
    bound = Bound(RADIUS, "10^-60 at 256 bits")
    largest = Fraction(0)
    with precision(BITS):
        for a, b, gamma in PRINTED:
            gap = _ball_gap(of, a, b, gamma)
            where = describe({"a": a, "b": b, "gamma": gamma or "pi/2"})
            if not gap.contains(0):
                return Evidence("refuted", bound=bound, witness=f"{where}: {gap.str(5)} is not 0")
            largest = max(largest, radius(gap))
    return Evidence("holds" if largest < RADIUS else "undecided", upward(largest), bound)


def _ball_gap(of: Turns, a: str, b: str, gamma: str | None) -> arb:
    from flint import arb, arb_mat, fmpq

    def number(text: str) -> arb:
        value = Fraction(text)
        return arb(fmpq(value.numerator, value.denominator))

    first, second = number(a), number(b)
    tilt = arb.pi() / 2 if gamma is None else number(gamma)
    unit = arb_mat(3, 3, [int(i == j) for i in range(3) for j in range(3)])

    def turned(x: arb, y: arb, angle: arb) -> arb_mat:
        cross = arb_mat(3, 3, [0, 0, y, 0, 0, -x, -y, x, 0])
        return unit + cross * angle.sin() + cross * cross * (1 - angle.cos())

    A, B = turned(arb(1), arb(0), first), turned(tilt.cos(), tilt.sin(), second)
    defect = A * B - B * A
    size = sum((entry * entry for entry in defect.entries()), arb(0))
    shift = arb(fmpq(of.shift.numerator, of.shift.denominator))
    sine = of.quarter_sine((first / 2).sin(), (second / 2).sin(), tilt.sin())
    psi = of.parts * sine.asin() + shift
    half = (psi / 2).sin()
    return size - 8 * half * half


@control("without_sine_of_the_angle", quarter_sine=_two_sines)
@control("two_arc_sines", parts=2)
@checked_by(SO3_HOLONOMY, "norms", "high", "6 triples of angles", definitions=TURNS)
def norms_in_high_precision(of: Turns, run: Run) -> Evidence:
    """The same norms with mpmath; the 360 roundings of `NORM_BOUND` stay below 10^(2 - digits)."""
    import mpmath

    def number(text: str) -> mpmath.mpf:
        return mpmath.mpf(Fraction(text).numerator) / Fraction(text).denominator

    def residual(a: str, b: str, gamma: str | None) -> mpmath.mpf:
        first, second = number(a), number(b)
        tilt = mpmath.pi / 2 if gamma is None else number(gamma)

        def turned(x: Any, y: Any, angle: Any) -> Any:
            cross = mpmath.matrix([[0, 0, y], [0, 0, -x], [-y, x, 0]])
            return mpmath.eye(3) + mpmath.sin(angle) * cross + (1 - mpmath.cos(angle)) * cross**2

        A, B = turned(1, 0, first), turned(mpmath.cos(tilt), mpmath.sin(tilt), second)
        largest = mpmath.mnorm(A * B - B * A, "f") / mpmath.sqrt(2)
        sine = of.quarter_sine(mpmath.sin(first / 2), mpmath.sin(second / 2), mpmath.sin(tilt))
        return largest - 2 * abs(mpmath.sin(of.parts * mpmath.asin(sine) / 2))

    grid = ({"a": a, "b": b, "gamma": gamma} for a, b, gamma in PRINTED)
    bound = Bound(Fraction(100, 10**run.digits), "10^(2 - digits)", {"digits": run.digits})
    return high_precision(residual, grid, run.digits, bound)
