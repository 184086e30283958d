"""Composition measured: affine steps, blocks of a grid, and three ways to run a linear recurrence.

Main definitions
----------------
recurrence         s_t = T_t s_(t-1) + b_t, one step after the other
attention          the same numbers as masked attention with journey operators
compose, compose_diagonal   the associative product of affine steps, for matrices and for diagonals
parallel_scan      all prefixes in log2(L) rounds; any associative product
chunked_scan       chunk by chunk: inside a chunk from 0, then once with the state that enters
phase_scan         unit factors as differences of accumulated phases
block_value, bracketed      a grid of cells as one closed sum, and by any order of joining
closure_defect     (T_a - 1) v_b - (T_b - 1) v_a

Main claims
-----------
journey.affine_composition, journey.interchange, journey.scan

Conventions
-----------
As in `posproof.theory.journey.composition`; the time axis is axis 0, so step t of the recurrence
is row t - 1.  A plane of rotations is a complex number of modulus 1.  u = 2^-53; a complex product
is within sqrt(5) u of the truth, a sum within u.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posproof.numerics.balls import certify_over
from posproof.numerics.formats import FORMATS
from posproof.numerics.hunt import hunt
from posproof.numerics.measure import within, worst
from posproof.theory.journey.composition import (
    AFFINE_COMPOSITION,
    INTERCHANGE,
    SCAN,
    Affine,
    rotation,
)
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control

Array = NDArray[Any]
Complex = NDArray[np.complex128]
Floats = NDArray[np.float64]
Steps = tuple[Array, Array]

U = FORMATS["float64"].unit_roundoff
U32 = FORMATS["float32"].unit_roundoff
#: A rational above the square root of 5.
ROOT_5 = Fraction(2237, 1000)


# ---------------------------------------------------------------------- recurrences
def compose(later: Steps, earlier: Steps) -> Steps:
    """(A_2 A_1, A_2 b_1 + b_2) for matrices `(..., d, d)` and inputs `(..., d, p)`."""
    return later[0] @ earlier[0], later[0] @ earlier[1] + later[1]


def compose_diagonal(later: Steps, earlier: Steps) -> Steps:
    """The same for diagonal operators, kept as arrays of their entries."""
    return later[0] * earlier[0], later[0] * earlier[1] + later[1]


def recurrence(T: Array, b: Array) -> Array:
    """States s_1, ..., s_L from s_0 = 0: T of shape `(L, d, d)`, b and the states `(L, d, p)`."""
    states = np.empty_like(b)
    state = b[0] * 0
    for t, (operator, added) in enumerate(zip(T, b, strict=True)):
        state = operator @ state + added
        states[t] = state
    return states


def diagonal_recurrence(z: Array, b: Array) -> Array:
    """The same for diagonal operators: z and b of shape `(L, ...)`."""
    states = np.empty_like(b)
    state = b[0] * 0
    for t, (factor, added) in enumerate(zip(z, b, strict=True)):
        state = factor * state + added
        states[t] = state
    return states


def attention(q: Array, k: Array, v: Array, T: Array) -> Array:
    """out_t = sum over j <= t of (q_t . P_{t<-j} k_j) v_j, with P_{t<-j} = T_t ... T_{j+1}.

    q, k of shape `(L, d)`, v `(L, p)`, T `(L, d, d)`; any dtype NumPy can multiply, `object` too.
    """
    length = len(T)
    carried = np.empty_like(k)  # P_{t<-j} k_j for the current t
    out = np.empty((length, v.shape[1]), dtype=v.dtype)
    for t in range(length):
        carried[:t] = np.matmul(T[t], carried[:t, :, None])[..., 0]
        carried[t] = k[t]
        out[t] = (carried[: t + 1] @ q[t]) @ v[: t + 1]
    return out


def parallel_scan(
    T: Array, b: Array, product: Callable[[Steps, Steps], Steps] = compose_diagonal
) -> Steps:
    """All prefixes (P_{t<-0}, s_t) of affine steps in ceil(log2 L) rounds (Hillis and Steele).

    `product(later, earlier)` is any associative product that works along axis 0.
    """
    operators, added = T.copy(), b.copy()
    reach = 1
    while reach < len(T):
        later = operators[reach:], added[reach:]
        earlier = operators[:-reach], added[:-reach]
        joined = product(later, earlier)
        operators = np.concatenate([operators[:reach], joined[0]])
        added = np.concatenate([added[:reach], joined[1]])
        reach *= 2
    return operators, added


def chunked_scan(
    T: Array,
    b: Array,
    chunk: int,
    product: Callable[[Steps, Steps], Steps] = compose,
    unit: Array | None = None,
) -> Array:
    """The states of the recurrence, chunk by chunk; `chunk` is any size >= 1.

    Inside a chunk the steps are composed from the unit; the state that enters is used once a row.
    ValueError for a chunk size below 1.
    """
    if chunk < 1:
        raise ValueError(f"a chunk has at least one step, not {chunk}")
    states = np.empty_like(b)
    one = _unit_like(T[0]) if unit is None else unit
    state = b[0] * 0
    for start in range(0, len(T), chunk):
        total = one, b[0] * 0
        entering = state
        for t in range(start, min(start + chunk, len(T))):
            total = product((T[t], b[t]), total)
            state = product(total, (one, entering))[1]
            states[t] = state
    return states


def _unit_like(operator: Array) -> Array:
    """The identity matrix, in the arithmetic of the operator."""
    one = operator * 0
    one[np.diag_indices(len(operator))] += 1
    return one


def phase_scan(theta: Floats, b: Complex) -> Complex:
    """e^(i S_t) times the sum of e^(-i S_j) b_j, S the accumulated phases; shapes `(L, ...)`."""
    phase = np.cumsum(theta, axis=0)
    states: Complex = np.exp(1j * phase) * np.cumsum(np.exp(-1j * phase) * b, axis=0)
    return states


def scan_bound(length: int) -> Bound:
    """|error| <= this times the sum of |b_j|, j <= t, between two orders of evaluation.

    Each of the at most L factors that meet b_j costs sqrt(5) u for the product, u for its own
    rounding and u for the sum; both orders are that far from the exact states.
    """
    value = 2 * (ROOT_5 + 2) * length * U
    return Bound(value, "2 (sqrt(5) + 2) L u", {"L": length, "u": "2^-53"})


@dataclass(frozen=True)
class Evaluation:
    """The numerical definitions of a recurrence; a control replaces one of them."""

    product: Callable[[Steps, Steps], Steps] = compose
    diagonal: Callable[[Steps, Steps], Steps] = compose_diagonal
    attention: Callable[[Array, Array, Array, Array], Array] = attention
    phases: Callable[[Floats, Complex], Complex] = phase_scan
    phase_type: type[np.floating] = np.float32


EVALUATION = Evaluation()


def _wrong_order(later: Steps, earlier: Steps) -> Steps:
    return earlier[0] @ later[0], later[0] @ earlier[1] + later[1]


def _inputs_exchanged(later: Steps, earlier: Steps) -> Steps:
    return later[0] @ earlier[0], earlier[0] @ later[1] + earlier[1]


def _diagonal_exchanged(later: Steps, earlier: Steps) -> Steps:
    return later[0] * earlier[0], earlier[0] * later[1] + earlier[1]


def _steps(length: int, width: int, seed: int) -> tuple[Floats, Complex]:
    source = np.random.default_rng(seed)
    theta = source.uniform(-np.pi, np.pi, (length, width))
    real, imaginary = source.standard_normal((2, length, width))
    return theta, real + 1j * imaginary


def _relative(found: Complex, states: Complex, b: Complex) -> Floats:
    """Errors in units of the sum of |b_j| up to each step, the worst of each row."""
    size: Floats = np.abs(found - states) / np.cumsum(np.abs(b), axis=0)
    return size.max(axis=1)


LENGTHS = Scope("L = 4096, 8 planes", "L = 65536, 8 planes")


@control("inputs_exchanged", diagonal=_diagonal_exchanged)
@checked_by(SCAN, "associative", "float", LENGTHS, definitions=EVALUATION)
def parallel_against_sequential(of: Evaluation, run: Run) -> Evidence:
    """Unit complex factors: prefixes in log2(L) rounds against one step after the other."""
    length = 65536 if run.profile == "full" else 4096
    theta, b = _steps(length, 8, run.seed)
    z = np.exp(1j * theta)
    errors = _relative(parallel_scan(z, b, of.diagonal)[1], diagonal_recurrence(z, b), b)
    size, where = worst(errors, {"t": np.arange(1, length + 1)})
    return within(size, scan_bound(length), witness=where)


def phase_bound(theta: Floats) -> Bound:
    """The same with accumulated phases: S_t is off by at most u times the sum of |S_k|, twice."""
    travelled = Fraction(float(np.abs(np.cumsum(theta, axis=0)).sum(axis=0).max()))
    value = 2 * U * travelled + scan_bound(len(theta)).value
    formula = "2 u sum |S_k| + 2 (sqrt(5) + 2) L u"
    return Bound(value, formula, {"L": len(theta), "u": "2^-53"})


@control("phases_added_twice", phases=lambda theta, b: phase_scan(2 * theta, b))
@checked_by(SCAN, "attention", "float", LENGTHS, definitions=EVALUATION)
def phases_against_sequential(of: Evaluation, run: Run) -> Evidence:
    """e^(i S_t) sum e^(-i S_j) b_j: attention whose journeys are differences of phases."""
    length = 65536 if run.profile == "full" else 4096
    theta, b = _steps(length, 8, run.seed)
    errors = _relative(of.phases(theta, b), diagonal_recurrence(np.exp(1j * theta), b), b)
    size, where = worst(errors, {"t": np.arange(1, length + 1)})
    return within(size, phase_bound(theta), witness=where)


def phase_drift(
    step: float, length: int, dtype: type[np.floating] = np.float32
) -> tuple[float, Fraction]:
    """The largest error of phases accumulated step by step, and 2^-24 times the sum of |S_t|.

    Radians; the step is rounded to float32 first, so only the accumulation is measured.
    """
    start = np.float32(step)
    with np.errstate(over="ignore"):
        phases = np.cumsum(np.full(length, start), dtype=dtype).astype(np.float64)
    exact = np.arange(1, length + 1) * np.float64(start)
    return float(np.abs(phases - exact).max()), U32 * Fraction(float(exact.sum()))


@control("accumulated_in_half_precision", phase_type=np.float16)
@checked_by(
    SCAN, "attention", "float", "float32 phases, step 0.7, L = 65536", definitions=EVALUATION
)
def float32_phases_drift(of: Evaluation, run: Run) -> Evidence:
    """Accumulated phases in float32 lose whole turns: reduce them or keep them in float64."""
    drift, limit = phase_drift(0.7, 65536, of.phase_type)
    bound = Bound(limit, "2^-24 sum |S_t|", {"L": 65536})
    return within(drift, bound, note="radians: a few turns at L = 65536")


@control("inputs_exchanged", diagonal=_diagonal_exchanged)
@checked_by(
    SCAN,
    "chunked",
    "property",
    Scope("100 scans, L and chunk up to 40", "2000 scans, L and chunk up to 40"),
    definitions=EVALUATION,
)
def chunks_against_sequential(of: Evaluation, run: Run) -> Evidence:
    """Unit complex factors in chunks of any size, within `scan_bound`."""
    from hypothesis import strategies as st

    def predicate(length: int, chunk: int, seed: int) -> bool:
        theta, b = _steps(length, 2, seed)
        z = np.exp(1j * theta)
        found = chunked_scan(z, b, chunk, of.diagonal, np.ones_like(z[0]))
        error = _relative(found, diagonal_recurrence(z, b), b).max()
        return bool(Fraction(float(error)) <= scan_bound(length).value)

    axes = {
        "length": st.integers(2, 40),
        "chunk": st.integers(1, 40),
        "seed": st.integers(0, 2**32 - 1),
    }
    return hunt(predicate, axes, run, first={"length": 7, "chunk": 3, "seed": 0})


def exact_steps(length: int, d: int, p: int, seed: int, singular: Sequence[int] = ()) -> Any:
    """Random rational q, k, v, T as object arrays; T vanishes at the listed steps."""
    source = np.random.default_rng(seed)

    def drawn(*shape: int) -> Array:
        top, below = source.integers(-5, 6, shape), source.integers(1, 5, shape)
        return np.vectorize(lambda x, y: Fraction(int(x), int(y)), otypes=[object])(top, below)

    q, k, v, T = drawn(length, d), drawn(length, d), drawn(length, p), drawn(length, d, d)
    for step in singular:
        T[step] = T[step] * 0
    return q, k, v, T


def _reversed_journeys(q: Array, k: Array, v: Array, T: Array) -> Array:
    """Each journey multiplied in reading order, the earliest step leftmost."""
    out = np.empty((len(T), v.shape[1]), dtype=v.dtype)
    for t in range(len(T)):
        out[t] = v[0] * 0
        for j in range(t + 1):
            carried = k[j]
            for between in range(t, j, -1):
                carried = T[between] @ carried
            out[t] = out[t] + (q[t] @ carried) * v[j]
    return out


@control("earliest_leftmost", attention=_reversed_journeys)
@checked_by(
    SCAN,
    "attention",
    "property",
    Scope("100 recurrences over the rationals", "2000 recurrences over the rationals"),
    definitions=EVALUATION,
)
def recurrence_is_attention(of: Evaluation, run: Run) -> Evidence:
    """Exactly equal for random rational steps, some of them singular."""
    from hypothesis import strategies as st

    def predicate(length: int, d: int, zero: int, seed: int) -> bool:
        q, k, v, T = exact_steps(length, d, 2, seed, [zero] if zero < length else [])
        states = recurrence(T, k[:, :, None] * v[:, None, :])
        read = np.matmul(q[:, None, :], states)[:, 0]
        return bool((read == of.attention(q, k, v, T)).all())

    axes = {
        "length": st.integers(1, 5),
        "d": st.integers(1, 3),
        "zero": st.integers(0, 9),
        "seed": st.integers(0, 2**32 - 1),
    }
    return hunt(predicate, axes, run, first={"length": 4, "d": 2, "zero": 9, "seed": 1})


@control("operators_in_the_wrong_order", product=_wrong_order)
@control("inputs_exchanged", product=_inputs_exchanged)
@checked_by(
    SCAN,
    "chunked",
    "property",
    Scope("100 recurrences over the rationals", "2000 recurrences over the rationals"),
    definitions=EVALUATION,
)
def chunks_are_exact(of: Evaluation, run: Run) -> Evidence:
    """Over the rationals a chunk of any size gives the same states, entry by entry."""
    from hypothesis import strategies as st

    def predicate(length: int, chunk: int, seed: int) -> bool:
        _, k, v, T = exact_steps(length, 2, 1, seed, [length // 2])
        b = k[:, :, None] * v[:, None, :]
        return bool((chunked_scan(T, b, chunk, of.product) == recurrence(T, b)).all())

    axes = {
        "length": st.integers(2, 7),
        "chunk": st.integers(1, 7),
        "seed": st.integers(0, 2**32 - 1),
    }
    return hunt(predicate, axes, run, first={"length": 7, "chunk": 2, "seed": 1})


# ---------------------------------------------------------------------- blocks of a grid
def block_value(v: Complex, first: complex, second: complex) -> complex:
    """The sum of T_1^x T_2^y v over a grid of cells, v of shape `(N_1, N_2)`."""
    across, down = _powers(first, v.shape[0]), _powers(second, v.shape[1])
    return complex((across[:, None] * (down[None, :] * v)).sum())


def _powers(factor: complex, count: int) -> Complex:
    """1, T, T^2, ... by repeated products, shape `(count,)`."""
    return np.cumprod(np.concatenate([[1.0 + 0j], np.full(count - 1, factor)]))


def bracketed(
    v: Complex,
    first: complex,
    second: complex,
    cut: Callable[[int, int], tuple[int, int]],
    beside: Callable[[Any, Any, Any], Any] = lambda v, T, w: v + T * w,
) -> complex:
    """The same by joining blocks; `cut(width, height)` names the axis to cut and where."""
    width, height = v.shape
    if width == height == 1:
        return complex(v[0, 0])
    axis, at = cut(width, height)
    if axis == 0:
        factor = _powers(first, at + 1)[-1]
        parts = v[:at], v[at:]
    else:
        factor = _powers(second, at + 1)[-1]
        parts = v[:, :at], v[:, at:]
    near, far = (bracketed(part, first, second, cut, beside) for part in parts)
    joined: complex = beside(near, factor, far)
    return joined


def random_cut(source: np.random.Generator) -> Callable[[int, int], tuple[int, int]]:
    """A rule that cuts a block at a random place across a random axis."""

    def cut(width: int, height: int) -> tuple[int, int]:
        axis = int(source.integers(2)) if width > 1 and height > 1 else int(width == 1)
        return axis, int(source.integers(1, (width, height)[axis]))

    return cut


@dataclass(frozen=True)
class Joining:
    """The numerical definitions of joining blocks; a control replaces one of them."""

    beside: Callable[[Any, Any, Any], Any] = lambda v, T, w: v + T * w
    below_right: Callable[[Any], Any] = lambda angle: 0 * angle


JOINING = Joining()


@control("operator_left_out", beside=lambda v, T, w: v + w)
@control("operator_on_the_near_block", beside=lambda v, T, w: T * v + w)
@checked_by(
    INTERCHANGE,
    "above_another",
    "property",
    Scope("100 bracketings, up to 6 x 6 cells", "2000 bracketings, up to 6 x 6 cells"),
    definitions=JOINING,
)
def bracketings_agree(of: Joining, run: Run) -> Evidence:
    """Random orders of joining against the closed sum, within 8 u N_1 N_2 sum |v|.

    A cell meets powers that add up to its coordinates, sqrt(5) u each in either evaluation, one sum
    a join and N_1 N_2 - 1 sums in the closed form: (N_1 + N_2 - 2)(2 sqrt(5) + 1) + N_1 N_2 - 1
    roundings, which is below 8 N_1 N_2.
    """
    from hypothesis import strategies as st

    def predicate(width: int, height: int, a: float, b: float, seed: int) -> bool:
        source = np.random.default_rng(seed)
        real, imaginary = source.standard_normal((2, width, height))
        v = real + 1j * imaginary
        first, second = complex(np.exp(1j * a)), complex(np.exp(1j * b))
        found = bracketed(v, first, second, random_cut(source), of.beside)
        gap = abs(found - block_value(v, first, second))
        limit = 8 * U * width * height * Fraction(float(np.abs(v).sum()))
        return Fraction(gap) <= limit

    turn, side = st.floats(-3.2, 3.2), st.integers(1, 6)
    axes = {"width": side, "height": side, "a": turn, "b": turn, "seed": st.integers(0, 2**32 - 1)}
    return hunt(
        predicate, axes, run, first={"width": 3, "height": 2, "a": 0.7, "b": 1.1, "seed": 0}
    )


@control("angles_by_content", below_right=lambda angle: angle)
@checked_by(
    INTERCHANGE,
    "flat_square",
    "float",
    Scope("1000 squares of planes", "100000 squares of planes"),
    definitions=JOINING,
)
def flat_squares_agree(of: Joining, run: Run) -> Evidence:
    """Rows first against columns first where the angles of the four operators close.

    The angle of the last operator is the sum of two minus a third (two roundings of at most 2 pi,
    so 13 u); eight products and sums of four values of modulus 1 add 8 (sqrt(5) + 2) u.
    """
    count = 100_000 if run.profile == "full" else 1000
    source = np.random.default_rng(run.seed)
    a1, a2, b2 = source.uniform(-np.pi, np.pi, (3, count))
    c1 = a1 + b2 - a2 + of.below_right(source.uniform(-1, 1, count))
    T1A, T2A, T2B, T1C = (np.exp(1j * angle) for angle in (a1, a2, b2, c1))
    vA, vB, vC, vD = np.exp(1j * source.uniform(-np.pi, np.pi, (4, count)))
    rows = of.beside(of.beside(vA, T1A, vB), T2A, of.beside(vC, T1C, vD))
    columns = of.beside(of.beside(vA, T2A, vC), T1A, of.beside(vB, T2B, vD))
    bound = Bound((13 + 8 * (ROOT_5 + 2)) * U, "(13 + 8 (sqrt(5) + 2)) u", {"u": "2^-53"})
    size, where = worst(np.abs(rows - columns), {"a1": a1, "a2": a2, "b2": b2, "c1": c1})
    return within(size, bound, witness=where)


# ---------------------------------------------------------------------- affine steps
def plane_rotations(angles: Floats) -> Floats:
    """Rotation matrices of shape `(..., 2, 2)` by angles `(...)` in radians."""
    cosine, sine = np.cos(angles), np.sin(angles)
    rows: Floats = np.stack([cosine, -sine, sine, cosine], axis=-1).reshape(*np.shape(angles), 2, 2)
    return rows


def moves_origin(T: Floats, u: Floats) -> Floats:
    """(T - 1) u for planes: T `(..., m, 2, 2)`, u `(..., m, 2)`."""
    moved: Floats = np.matmul(T - np.eye(2), u[..., None])[..., 0]
    return moved


def closure_defect(Ta: Floats, Tb: Floats, va: Floats, vb: Floats) -> Floats:
    """(T_a - 1) v_b - (T_b - 1) v_a, plane by plane; 0 exactly when the affine steps commute."""
    return moves_origin(Ta, vb) - moves_origin(Tb, va)


def end_states(words: Sequence[Sequence[int]], T: Floats, v: Floats) -> Floats:
    """States after each word from 0: T `(n, m, 2, 2)`, v `(n, m, 2)`, result `(words, m, 2)`."""
    states = np.zeros((len(words), *v.shape[1:]))
    for row, word in enumerate(words):
        for a in word:
            states[row] = np.matmul(T[a], states[row][..., None])[..., 0] + v[a]
    return states


@dataclass(frozen=True)
class AffineSteps:
    """The numerical definitions of affine steps; a control replaces one of them."""

    moves_origin: Callable[[Floats, Floats], Floats] = moves_origin
    defect: Callable[[Floats, Floats, Floats, Floats], Floats] = closure_defect


AFFINE_STEPS = AffineSteps()


def _norms(vectors: Floats) -> Floats:
    """Euclidean norms over planes and coordinates, shape `(...)` from `(..., m, 2)`."""
    norms: Floats = np.sqrt((vectors**2).sum(axis=(-2, -1)))
    return norms


@control("unit_input", moves_origin=lambda T, u: u)
@control(
    "plus_for_minus", defect=lambda Ta, Tb, va, vb: moves_origin(Ta, vb) + moves_origin(Tb, va)
)
@checked_by(
    AFFINE_COMPOSITION,
    "coboundary",
    "float",
    Scope("1000 pairs of axes, 8 planes", "100000 pairs of axes, 8 planes"),
    definitions=AFFINE_STEPS,
)
def coboundaries_close(of: AffineSteps, run: Run) -> Evidence:
    """The defect of v = (T - 1) u per |v_a| + |v_b|.

    In a plane the float operators commute exactly.  T - 1 and its product with a vector cost
    at most sqrt(13) u, and twice that reaches the defect through an operator of norm at most 2:
    4 sqrt(13) u = 14.5 u, below 16 u with the last difference.
    """
    count = 100_000 if run.profile == "full" else 1000
    source = np.random.default_rng(run.seed)
    angles = source.uniform(-np.pi, np.pi, (2, count, 8))
    Ta, Tb = plane_rotations(angles)
    origin = source.standard_normal((count, 8, 2))
    va, vb = of.moves_origin(Ta, origin), of.moves_origin(Tb, origin)
    errors = _norms(of.defect(Ta, Tb, va, vb)) / (_norms(va) + _norms(vb))
    size, where = worst(errors, {"pair": np.arange(count)})
    return within(size, Bound(16 * U, "16 u", {"u": "2^-53"}), witness=where)


def _shuffled(word: Sequence[int], seed: int) -> list[int]:
    return np.random.default_rng(seed).permutation(list(word)).tolist()


@control("unit_input", moves_origin=lambda T, u: u)
@checked_by(
    AFFINE_COMPOSITION,
    "path_state",
    "property",
    Scope("100 words of up to 40 steps", "2000 words of up to 40 steps"),
    definitions=AFFINE_STEPS,
)
def coboundary_states_agree(of: AffineSteps, run: Run) -> Evidence:
    """Two orders of the same steps end in one state, within 32 u L |u|.

    The float operators of a plane commute exactly and the exact states are J u - u; each step costs
    (sqrt(5) + 1 + sqrt(13)) u times at most 2 |u|, in both words.
    """
    from hypothesis import strategies as st

    def predicate(turns: list[float], word: list[int], seed: int) -> bool:
        T = plane_rotations(np.array(turns).reshape(2, 1))
        origin = np.random.default_rng(seed).standard_normal((1, 2))
        v = np.stack([of.moves_origin(T[a], origin) for a in (0, 1)])
        first, second = end_states([word, _shuffled(word, seed)], T, v)
        limit = 32 * U * len(word) * Fraction(float(np.linalg.norm(origin)))
        return Fraction(float(np.linalg.norm(first - second))) <= limit

    turn = st.floats(1e-3, 2 * np.pi - 1e-3)
    axes = {
        "turns": st.lists(turn, min_size=2, max_size=2),
        "word": st.lists(st.integers(0, 1), max_size=40),
        "seed": st.integers(0, 2**32 - 1),
    }
    first = {"turns": [0.7, 1.1], "word": [0, 0, 1, 1], "seed": 3}
    return hunt(predicate, axes, run, first=first)


@control(
    "plus_for_minus", defect=lambda Ta, Tb, va, vb: moves_origin(Ta, vb) + moves_origin(Tb, va)
)
@checked_by(
    AFFINE_COMPOSITION,
    "commutator",
    "property",
    Scope("100 pairs of steps", "2000 pairs of steps"),
    definitions=AFFINE_STEPS,
)
def orders_differ_by_the_defect(of: AffineSteps, run: Run) -> Evidence:
    """Free inputs: the two orders of two steps differ by the defect, which is not small.

    Both sides take at most 16 u (|v_a| + |v_b|) of rounding.
    """
    from hypothesis import assume
    from hypothesis import strategies as st

    def predicate(turns: list[float], seed: int) -> bool:
        T = plane_rotations(np.array(turns).reshape(2, 1))
        v = np.random.default_rng(seed).standard_normal((2, 1, 2))
        ends = end_states([(1, 0), (0, 1)], T, v)
        defect = of.defect(T[0], T[1], v[0], v[1])
        scale = Fraction(float(_norms(v).sum()))
        assume(np.linalg.norm(closure_defect(T[0], T[1], v[0], v[1])) > 1e-6)
        gap = Fraction(float(np.linalg.norm(ends[0] - ends[1] - defect)))
        return gap <= 32 * U * scale

    turn = st.floats(1e-3, 2 * np.pi - 1e-3)
    axes = {"turns": st.lists(turn, min_size=2, max_size=2), "seed": st.integers(0, 2**32 - 1)}
    return hunt(predicate, axes, run, first={"turns": [0.7, 1.1], "seed": 3})


def _quarter_turn(phi: Any) -> Any:
    import sympy

    return rotation(sympy.pi / 2)


@control("equal_operators", rotation=_quarter_turn)
@checked_by(AFFINE_COMPOSITION, "six_states", "ball", "angles 0.7 and 1.1")
def six_states_in_balls(of: Affine, run: Run) -> Evidence:
    """Fifteen squared distances, each away from 0."""
    return certify_over(AFFINE_COMPOSITION.clause("six_states").statement(of), run.digits)


@control("angles_halved", rotation=lambda phi: rotation(phi / 2))
@checked_by(AFFINE_COMPOSITION, "one_state", "ball", "angles pi/2 and -pi/2")
def one_state_in_balls(of: Affine, run: Run) -> Evidence:
    """Five end states against the sixth."""
    return certify_over(AFFINE_COMPOSITION.clause("one_state").statement(of), run.digits)


@control("without_the_fixed_vectors", dimension=lambda d, f, n: d - f + f)
@checked_by(AFFINE_COMPOSITION, "dimensions", "ball", "six families of operators, d up to 6")
def dimensions_in_balls(of: Affine, run: Run) -> Evidence:
    """The same matrix equations by FLINT's rationals."""
    return certify_over(AFFINE_COMPOSITION.clause("dimensions").statement(of), run.digits)
