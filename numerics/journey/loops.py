"""Loops measured: graphs with operators on their edges, and rings.

Main definitions
----------------
tree_transports    operators from a root to every vertex along a spanning tree
loop_holonomies    what each fundamental cycle of a graph leaves behind
smith_factors      the invariant factors of an integer matrix
turned             a rotation repeated N times, plane by plane

Main claims
-----------
journey.loops

Conventions
-----------
As in `posproof.theory.journey.loops`: radians, column vectors, the latest step leftmost; u = 2^-53.
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
from posproof.theory.journey.loops import LOOPS, Loops, latest_leftmost
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control

if TYPE_CHECKING:
    import mpmath

Array = NDArray[Any]

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
