"""Transports and addresses, measured: fitting frames, coordinate spread, commutants, exponentials.

Main definitions
----------------
pair_operators       P_ij = A(i)^{-1} A(j) for all pairs of frames
black_box_pairs      the same operators read off a score function of (q, k, i, j)
cocycle_residual     the largest entry of P_ik P_kj - P_ij
frames_of            A(i) = P_oi, what a consistent family determines up to one constant
fit_frames           frames for noisy pairs, from the best approximation of rank d
coordinate_spread    how far a move in one coordinate depends on another one
commutant_dimension  the dimension of all matrices that commute with given ones, exact
exponential          exp of a matrix by its series, scaled and squared
equivariance_defect  P_{(h,0)<-(h,h)} - P_{(0,0)<-(0,h)} for A(x) = exp(x_1 L_1 + x_2 L_2)

Main claims
-----------
journey.cocycle, journey.coordinate_factors, journey.commutant, journey.sum_addresses

Conventions
-----------
Frames are arrays `(n, d, d)`, pairs `(n, n, d, d)` with P[i, j] from the frame of j to that of i.
`U` is the unit roundoff 2^-53, and gamma_d = d U (1 + 2^-20) covers dot products of length d.

The bounds
----------
Cocycles.  Let X_i be the rounded inverse of A_i and K the largest ||X_i||_F ||A_j||_F.  A computed
P_ij is off by gamma_d K, a product of two of them by gamma_d K^2 + 2 gamma_d K^2, and A_k X_k
differs from I by U K, which costs U K^2.  As K >= 1 the residual is at most (4 d + 1) K^2 U.

Coordinate spread.  The factors are rotations of planes, so one plane is a complex number z whose
modulus is 1 up to sqrt(2) U.  In P the other m - 1 factors leave |z|^2, off by 2 sqrt(2) U each;
2 m - 1 products are off by sqrt(5) U each.  A difference of two has twice that, below (17 m) U.

Exponentials.  The series is cut after order 18 at norm at most 1/2: the rest is below U / 100.  Its
Horner scheme has 18 products of length d; the k-th is damped by 2^-k / k!, so all of them move the
result by at most 2 (d + 2) U in norm; each of s squarings doubles that and adds gamma_d d^(1/2).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from posproof.numerics.balls import certify
from posproof.numerics.hunt import hunt
from posproof.numerics.measure import high_precision, within
from posproof.theory.journey import cocycles as theory
from posproof.theory.journey.cocycles import Cocycles
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control

if TYPE_CHECKING:
    from flint import fmpq_mat

Floats = NDArray[np.float64]
Score = Callable[[Floats, Floats, int, int], float]

U = Fraction(1, 2**53)
SLACK = 1 + Fraction(1, 2**20)
SERIES = 18


# ---------------------------------------------------------------------- pairs and frames
def exact_inverse(frame: Floats) -> Floats:
    """The inverse of one float matrix, `(d, d)`, each entry rounded once."""
    from flint import fmpq, fmpq_mat

    size = len(frame)
    entries = [fmpq(*float(x).as_integer_ratio()) for x in frame.ravel()]
    inverse = fmpq_mat(size, size, entries).inv()
    rows = [[float(Fraction(int(x.p), int(x.q))) for x in row] for row in inverse.table()]
    return np.array(rows)


def pair_operators(frames: Floats) -> Floats:
    """P[i, j] = A(i)^{-1} A(j), shape `(n, n, d, d)`, from invertible frames `(n, d, d)`."""
    inverses = np.stack([exact_inverse(frame) for frame in frames])
    products: Floats = np.einsum("iab,jbc->ijac", inverses, frames)
    return products


def black_box_pairs(score: Score, d: int, positions: Sequence[int]) -> Floats:
    """The operators of a bilinear score q^T P_ij k, read off the basis vectors.

    `score(q, k, i, j)` takes vectors `(d,)`.  A score that is not bilinear has no such operators;
    what is returned then is its value on the basis.
    """
    basis = np.eye(d)
    n = len(positions)
    pairs = np.empty((n, n, d, d))
    for row, i in enumerate(positions):
        for column, j in enumerate(positions):
            pairs[row, column] = [[score(q, k, i, j) for k in basis] for q in basis]
    return pairs


def cocycle_differences(pairs: Floats) -> Floats:
    """P_ik P_kj - P_ij for all i, k, j, shape `(n, n, n, d, d)`."""
    differences: Floats = np.einsum("ikab,kjbc->ikjac", pairs, pairs) - pairs[:, None, :]
    return differences


def cocycle_residual(pairs: Floats) -> float:
    """The largest modulus of an entry of P_ik P_kj - P_ij; 0 for a cocycle."""
    return float(np.abs(cocycle_differences(pairs)).max())


def frames_of(pairs: Floats, origin: int = 0) -> Floats:
    """A(i) = P_{o<-i}, shape `(n, d, d)`: the frames of a cocycle with A(o) = I."""
    return pairs[origin].copy()


def gauge(frames: Floats, others: Floats) -> Floats:
    """B(i) A(i)^{-1} for each i, shape `(n, d, d)`: one constant when both give the same pairs."""
    return np.stack([b @ exact_inverse(a) for a, b in zip(frames, others, strict=True)])


def fit_frames(pairs: Floats, origin: int = 0) -> Floats:
    """Frames `(n, d, d)` whose transports approximate noisy pairs, with A(origin) = I.

    All pairs side by side are a matrix of rank d exactly when they are a cocycle of invertible
    operators: U_i W_j^T with W_i^T U_i = I.  The singular value decomposition gives the closest
    matrix of rank d; its right factor is the frames up to one constant.  Raises ValueError when
    the d-th singular value vanishes, so that no invertible frame exists.
    """
    n, _, d, _ = pairs.shape
    flat = pairs.transpose(0, 2, 1, 3).reshape(n * d, n * d)
    _, sizes, right = np.linalg.svd(flat)
    if sizes[d - 1] <= n * d * float(U) * sizes[0]:
        raise ValueError(f"the pairs have rank below d = {d}: no invertible frames")
    columns = right[:d].reshape(d, n, d).transpose(1, 0, 2)
    fitted: Floats = np.linalg.solve(columns[origin], columns)
    return fitted


def cocycle_bound(frames: Floats) -> Bound:
    """(4 d + 1) K^2 U: see the module's derivation."""
    d = frames.shape[-1]
    inverses = np.stack([exact_inverse(frame) for frame in frames])
    norm = np.linalg.norm
    K = Fraction(float(norm(inverses, axis=(1, 2)).max() * norm(frames, axis=(1, 2)).max()))
    return Bound((4 * d + 1) * K**2 * U * SLACK, "(4 d + 1) K^2 u", {"d": d, "K": float(K)})


def exact_cocycle_residual(frames: Sequence[fmpq_mat], gate: Callable[..., Any]) -> bool:
    """Whether `gate(A_i, A_j)` is a cocycle with P_ii = I on rational frames, exactly."""
    pairs = [[gate(a, b) for b in frames] for a in frames]
    n = range(len(frames))
    law = all(pairs[i][k] * pairs[k][j] == pairs[i][j] for i in n for k in n for j in n)
    return law and all(frames[i] * pairs[i][i] == frames[i] for i in n)


@dataclass(frozen=True)
class Fitting:
    """The numerical definitions of this topic; a control replaces one of them."""

    pairs: Callable[[Floats], Floats] = pair_operators
    transport: Callable[[Any, Any], Any] = lambda a, b: a.inv() * b
    canonical: Callable[[list[list[Any]], int], Any] = lambda pairs, i: pairs[0][i]
    factors: Callable[[Sequence[Floats]], Floats] = lambda tables: address_grid(tables)
    second: Callable[[Floats], Floats] = lambda table: table
    distinct: Callable[[Any, Any], bool] = lambda first, other: first[0] == other[0]
    fixed: Callable[[Any], bool] = lambda angle: angle[1] == 0
    generators: Callable[[Floats, Floats], tuple[Floats, Floats]] = lambda first, other: (
        first,
        other,
    )
    coefficient: float = 0.5


FITTING = Fitting()


def turned_once(frames: Floats) -> Floats:
    """All pairs, and then one of them turned by 0.1 in its first plane."""
    pairs = pair_operators(frames)
    turn = np.eye(frames.shape[-1])
    turn[:2, :2] = rotation(0.1)
    pairs[1, 2] = turn @ pairs[1, 2]
    return pairs


def rotation(phi: float) -> Floats:
    """The rotation of one plane by phi radians, `(2, 2)`."""
    return np.array([[math.cos(phi), -math.sin(phi)], [math.sin(phi), math.cos(phi)]])


def random_frames(source: np.random.Generator, n: int, d: int, condition: float) -> Floats:
    """Frames Q D Q' with singular values spread over [1, condition], shape `(n, d, d)`."""
    left, right = (np.linalg.qr(source.normal(size=(n, d, d)))[0] for _ in range(2))
    sizes = condition ** source.uniform(0, 1, size=(n, d))
    frames: Floats = left * sizes[:, None, :] @ right
    return frames


FRAMES = Scope("20 families of 5 frames, d <= 8, condition <= 1000", "400 such families")


# ---------------------------------------------------------------------- journey.cocycle
@control("one_operator_turned", pairs=turned_once)
@control("wrong_side", pairs=lambda frames: np.einsum("iab,jbc->ijac", frames, frames))
@checked_by(theory.COCYCLE, "consistent", "float", FRAMES, definitions=FITTING)
def transports_compose(of: Fitting, run: Run) -> Evidence:
    """P_ik P_kj = P_ij for frames of moderate condition."""
    source = np.random.default_rng(run.seed)
    worst_ratio, evidence = -1.0, Evidence("undecided")
    for trial in range(400 if run.profile == "full" else 20):
        d = 2 + trial % 7
        frames = random_frames(source, 5, d, 10 ** source.uniform(0, 3))
        bound = cocycle_bound(frames)
        residual = cocycle_residual(of.pairs(frames))
        ratio = residual / float(bound.value)
        if ratio > worst_ratio:
            worst_ratio = ratio
            evidence = within(residual, bound, witness=f"family {trial}")
    return evidence


def _rational_frames(entries: Sequence[Sequence[int]], d: int) -> list[fmpq_mat]:
    """Lower triangles with 1 on the diagonal times upper ones: determinant 1 and any entries."""
    from flint import fmpq_mat

    frames = []
    for numbers in entries:
        values = iter(numbers)
        low = [
            [1 if a == b else (next(values) if b < a else 0) for b in range(d)] for a in range(d)
        ]
        high = [
            [1 if a == b else (next(values) if b > a else 0) for b in range(d)] for a in range(d)
        ]
        frames.append(fmpq_mat(low) * fmpq_mat(high))
    return frames


#: Two frames that differ, tried before the random ones.
FIRST_FRAMES = [[0] * 6, [0, 1, 0, 0, 0, 2]]


def _frame_lists(d: int) -> Any:
    from hypothesis import strategies as st

    size = d * (d - 1)
    frame = st.lists(st.integers(-4, 4), min_size=size, max_size=size)
    return st.lists(frame, min_size=2, max_size=6)


@control("three_factors", transport=lambda a, b: a * b.inv() * a)
@checked_by(
    theory.COCYCLE,
    "consistent",
    "property",
    Scope("100 families of at most 6 rational frames, d = 3", "2000 such families"),
    definitions=FITTING,
)
def rational_transports_compose(of: Fitting, run: Run) -> Evidence:
    """Every triple and every P_ii, exactly."""

    def predicate(entries: list[list[int]]) -> bool:
        return exact_cocycle_residual(_rational_frames(entries, 3), of.transport)

    return hunt(predicate, {"entries": _frame_lists(3)}, run, first={"entries": FIRST_FRAMES})


@control("frame_of_the_other_end", canonical=lambda pairs, i: pairs[i][0])
@checked_by(
    theory.COCYCLE,
    "gauge_unique",
    "property",
    Scope("100 families of at most 6 rational frames, d = 3", "2000 such families"),
    definitions=FITTING,
)
def recovered_frames_differ_by_a_constant(of: Fitting, run: Run) -> Evidence:
    """P_{o<-i} A(i)^{-1} is A(o)^{-1} for every i, exactly."""

    def predicate(entries: list[list[int]]) -> bool:
        frames = _rational_frames(entries, 3)
        pairs = [[of.transport(a, b) for b in frames] for a in frames]
        constants = [of.canonical(pairs, i) * a.inv() for i, a in enumerate(frames)]
        return all(constant == frames[0].inv() for constant in constants)

    return hunt(predicate, {"entries": _frame_lists(3)}, run, first={"entries": FIRST_FRAMES})


# ---------------------------------------------------------------------- journey.coordinate_factors
def address_grid(tables: Sequence[Floats]) -> Floats:
    """A(i) = A_1(i_1) ... A_m(i_m) on the whole grid, shape `(n_1, ..., n_m, d, d)`.

    `tables[c]` holds the factors of coordinate c, shape `(n_c, d, d)`; the product is ordered.
    """
    result = tables[0]
    for table in tables[1:]:
        result = result[..., None, :, :] @ table
    return result


def moves(grid: Floats, c: int) -> Floats:
    """P along coordinate c of an orthogonal address, shape `(n_c, n_c, others, d, d)`."""
    d = grid.shape[-1]
    lines = np.moveaxis(grid, c, 0).reshape(grid.shape[c], -1, d, d)
    products: Floats = np.einsum("srba,trbc->strac", lines, lines)
    return products


def coordinate_spread(grid: Floats) -> Floats:
    """How much a move along c changes when coordinate b does, shape `(m, m)`, zero diagonal.

    `grid` holds orthogonal addresses, shape `(n_1, ..., n_m, d, d)`; entry [c, b] is the largest
    difference of two transports along c whose ends differ in coordinate b alone.
    """
    m, d = grid.ndim - 2, grid.shape[-1]
    spread = np.zeros((m, m))
    for c in range(m):
        shape = [n for axis, n in enumerate(grid.shape[:m]) if axis != c]
        along = moves(grid, c).reshape(grid.shape[c], grid.shape[c], *shape, d, d)
        for b in (axis for axis in range(m) if axis != c):
            place = 2 + (b if b < c else b - 1)
            others = np.moveaxis(along, place, 0)
            spread[c, b] = np.abs(others[:, None] - others[None, :]).max()
    return spread


def plane_tables(angles: Sequence[Floats]) -> list[Floats]:
    """Rotation tables from angles in radians: `(n_c, planes)` to `(n_c, 2 planes, 2 planes)`."""
    tables = []
    for table in angles:
        n, planes = table.shape
        blocks = np.zeros((n, 2 * planes, 2 * planes))
        for c in range(planes):
            for row, phi in enumerate(table[:, c]):
                blocks[row, 2 * c : 2 * c + 2, 2 * c : 2 * c + 2] = rotation(float(phi))
        tables.append(blocks)
    return tables


def spread_bound(m: int) -> Bound:
    """17 m U: see the module's derivation."""
    return Bound(17 * m * U, "17 m u", {"m": m})


def _angle_tables(numbers: Sequence[Sequence[float]], planes: int) -> list[Floats]:
    return [np.array(table).reshape(-1, planes) for table in numbers]


def _angles(planes: int) -> Any:
    from hypothesis import strategies as st

    table = st.lists(st.floats(-3.2, 3.2), min_size=2 * planes, max_size=2 * planes)
    return st.tuples(table, table, table)


def conjugated(table: Floats) -> Floats:
    """The factors in another frame: the first and third axis change places, half turned."""
    d = table.shape[-1]
    turn = np.eye(d)
    turn[np.ix_([0, 2], [0, 2])] = np.array([[0.6, -0.8], [0.8, 0.6]])
    result: Floats = turn @ table @ turn.T
    return result


@control("one_family_conjugated", second=conjugated)
@checked_by(
    theory.COORDINATE_FACTORS,
    "one_coordinate",
    "property",
    Scope("100 triples of angle tables, two planes", "2000 triples of angle tables"),
    definitions=FITTING,
)
def commuting_factors_spread_nothing(of: Fitting, run: Run) -> Evidence:
    """Block rotations with any angle for any value of any coordinate."""

    def predicate(numbers: tuple[list[float], ...]) -> bool:
        first, second, third = plane_tables(_angle_tables(numbers, 2))
        grid = of.factors([first, of.second(second), third])
        return bool(coordinate_spread(grid).max() <= float(spread_bound(3).value))

    first_tables = ([0.5, 1.0, -1.0, 2.0], [1.0, 0.3, 2.0, -0.7], [0.0, 0.0, 1.0, 3.0])
    return hunt(predicate, {"numbers": _angles(2)}, run, first={"numbers": first_tables})


@control("one_family_conjugated", second=conjugated)
@checked_by(
    theory.COORDINATE_FACTORS,
    "one_coordinate",
    "float",
    Scope("2 to 4 coordinates of 3 values, 4 planes", "2 to 6 coordinates of 3 values, 4 planes"),
    definitions=FITTING,
)
def spread_of_block_rotations(of: Fitting, run: Run) -> Evidence:
    """The largest entry of the spread matrix."""
    source = np.random.default_rng(run.seed)
    evidence = Evidence("undecided")
    for m in range(2, 7 if run.profile == "full" else 5):
        tables = plane_tables([source.uniform(-3.2, 3.2, size=(3, 4)) for _ in range(m)])
        tables[1] = of.second(tables[1])
        evidence = within(coordinate_spread(of.factors(tables)).max(), spread_bound(m))
        if evidence.outcome != "holds":
            break
    return evidence


# ---------------------------------------------------------------------- journey.commutant
def commutant_dimension(matrices: Sequence[Sequence[Sequence[Any]]]) -> int:
    """The dimension of {X : X M = M X for every M}, exact, from square matrices of rationals.

    X M - M X = 0 is n^2 linear equations for each M: the dimension is n^2 minus their rank over Q.
    """
    from flint import fmpq, fmpq_mat

    n = len(matrices[0])
    rows = []
    for matrix in matrices:
        for i in range(n):
            for j in range(n):
                row = [fmpq(0)] * (n * n)
                for k in range(n):
                    row[i * n + k] += fmpq(matrix[k][j])
                    row[k * n + j] -= fmpq(matrix[i][k])
                rows.append(row)
    return n * n - fmpq_mat(rows).rank()


def plane_generator(m: int, c: int) -> list[list[int]]:
    """J in plane c of m planes and 0 elsewhere, `(2 m, 2 m)`."""
    rows = [[0] * (2 * m) for _ in range(2 * m)]
    rows[2 * c][2 * c + 1], rows[2 * c + 1][2 * c] = -1, 1
    return rows


def rational_rotations(angles: Sequence[tuple[Any, Any]]) -> list[list[Any]]:
    """One rotation of all planes from (cosine, sine) pairs of rationals, `(2 m, 2 m)`."""
    m = len(angles)
    rows = [[angles[0][0] * 0] * (2 * m) for _ in range(2 * m)]
    for c, (cosine, sine) in enumerate(angles):
        rows[2 * c][2 * c], rows[2 * c][2 * c + 1] = cosine, -sine
        rows[2 * c + 1][2 * c], rows[2 * c + 1][2 * c + 1] = sine, cosine
    return rows


def predicted_dimension(of: Any, angles: Sequence[tuple[Any, Any]], fitting: Fitting) -> Any:
    """The sum over distinct cosines of 2 k^2, or (2 k)^2 for planes that do not turn."""
    groups: list[list[Any]] = []
    for angle in angles:
        for group in groups:
            if fitting.distinct(group[0], angle):
                group.append(angle)
                break
        else:
            groups.append([angle])
    return sum(
        (of.fixed_dimension if fitting.fixed(group[0]) else of.dimension)(len(group))
        for group in groups
    )


def probe_table() -> dict[str, list[tuple[Any, Any]]]:
    """Single probes of three planes, as exact (cosine, sine) pairs."""
    from flint import fmpq

    a, b, c = ((fmpq(3, 5), fmpq(4, 5)), (fmpq(5, 13), fmpq(12, 13)), (fmpq(8, 17), fmpq(15, 17)))
    zero, half = (fmpq(1), fmpq(0)), (fmpq(-1), fmpq(0))
    opposite = (a[0], -a[1])
    return {
        "distinct": [a, b, c],
        "equal pair": [a, a, b],
        "opposite pair": [a, opposite, b],
        "one zero": [a, b, zero],
        "two zeros": [a, zero, zero],
        "zero and half turn": [a, zero, half],
        "all equal": [a, a, a],
    }


@control("angles_instead_of_cosines", distinct=lambda first, other: first == other)
@control("no_plane_is_fixed", fixed=lambda angle: False)
@checked_by(
    theory.COMMUTANT,
    "suffices",
    "ball",
    "seven single probes of three planes, exact ranks over Q",
    definitions=FITTING,
    engine="python-flint",
)
def probes_have_the_predicted_commutant(of: Fitting, run: Run) -> Evidence:
    """Exact ranks against the formula, which uses cosines."""
    formulas = theory.COMMUTANT.definitions
    for name, angles in probe_table().items():
        found = commutant_dimension([rational_rotations(angles)])
        predicted = int(predicted_dimension(formulas, angles, of))
        if found != predicted:
            return Evidence("refuted", witness=f"{name}: dimension {found}, formula {predicted}")
    return Evidence("holds", note="dimensions are integers and equal")


def float_commutant_dimension(angles: Floats, gap: float) -> int:
    """The dimension for one rotation of all planes, from singular values below gap / 2.

    The equations have the singular values |e^{i a} - e^{+-i b}|, twice, for all pairs of planes.  A
    product of two of them is 2 |cos a - cos b|; none is above 2, so what is not 0 is at least
    `gap`, the least distance of two cosines (and of cosines from 1 and -1).
    """
    matrix = np.zeros((2 * len(angles), 2 * len(angles)))
    for c, phi in enumerate(angles):
        matrix[2 * c : 2 * c + 2, 2 * c : 2 * c + 2] = rotation(float(phi))
    one = np.eye(len(matrix))
    sizes = np.linalg.svd(np.kron(matrix.T, one) - np.kron(one, matrix), compute_uv=False)
    return int(np.count_nonzero(sizes < gap / 2))


GAP = 0.01


@control(
    "first_two_planes_opposite", second=lambda angles: np.r_[angles[0], -angles[0], angles[2:]]
)
@checked_by(
    theory.COMMUTANT,
    "suffices",
    "property",
    Scope("100 probes of 2 or 3 planes, cosines 0.01 apart", "2000 such probes"),
    definitions=FITTING,
)
def distinct_cosines_suffice(of: Fitting, run: Run) -> Evidence:
    """A rotation whose cosines are apart from each other and from 1 and -1 leaves dimension 2 m."""
    from hypothesis import strategies as st

    def predicate(places: list[int], shift: float, sign: int) -> bool:
        cosines = (np.array(places) + shift) * 2 * GAP - 1
        angles = np.arccos(cosines) * float(sign) ** np.arange(len(places))
        return float_commutant_dimension(of.second(angles), GAP) == 2 * len(places)

    axes = {
        "places": st.lists(st.integers(1, 99), min_size=2, max_size=3, unique=True),
        "shift": st.floats(-0.25, 0.25),
        "sign": st.sampled_from((1, -1)),
    }
    return hunt(predicate, axes, run, first={"places": [20, 60], "shift": 0.0, "sign": 1})


# ---------------------------------------------------------------------- journey.sum_addresses
def exponential(generator: Floats) -> Floats:
    """exp(L), shape `(d, d)`, by the series of L / 2^s, squared s times."""
    norm = float(np.linalg.norm(generator))
    squarings = max(0, math.ceil(math.log2(2 * norm))) if norm > 0.5 else 0
    small = generator / 2**squarings
    one = np.eye(len(generator))
    result = one
    for k in range(SERIES, 0, -1):
        result = one + small @ result / k
    for _ in range(squarings):
        result = result @ result
    return result


def sum_address(generators: Sequence[Floats], x: Sequence[float]) -> Floats:
    """A(x) = exp(sum of x_a L_a), shape `(d, d)`, at real coordinates x."""
    total = sum(
        (t * generator for t, generator in zip(x, generators, strict=True)), 0 * generators[0]
    )
    return exponential(np.asarray(total))


def equivariance_defect(first: Floats, second: Floats, h: float) -> Floats:
    """P_{(h,0)<-(h,h)} - P_{(0,0)<-(0,h)} for skew generators, shape `(d, d)`."""
    both = (first, second)
    moved = sum_address(both, (h, 0)).T @ sum_address(both, (h, h))
    difference: Floats = moved - sum_address(both, (0, h))
    return difference


def exponential_bound(d: int, norm: float) -> Fraction:
    """How far an exponential of a skew matrix may be off in Frobenius norm."""
    squarings = max(0, math.ceil(math.log2(2 * norm))) if norm > 0.5 else 0
    root = Fraction(math.isqrt(d) + 1)
    return (2 * (d + 2) * 2**squarings + (2**squarings - 1) * d * root) * root * U * SLACK


def so3_generators() -> tuple[Floats, Floats]:
    """The generators of the turns about the first and the third axis."""
    about_x = np.array([[0.0, 0, 0], [0, 0, -1], [0, 1, 0]])
    about_z = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 0]])
    return about_x, about_z


def _skew(numbers: Sequence[float], d: int) -> Floats:
    matrix = np.zeros((d, d))
    matrix[np.triu_indices(d, 1)] = numbers
    return matrix - matrix.T


def _skew_pairs() -> Any:
    from hypothesis import strategies as st

    def of_size(d: int) -> Any:
        count = d * (d - 1) // 2
        entries = st.lists(st.floats(-3 / d, 3 / d), min_size=count, max_size=count)
        return st.tuples(st.just(d), entries, entries)

    return st.integers(3, 6).flatmap(of_size)


SMALL_STEP = 1e-3


@control("coefficient_one", coefficient=1.0)
@checked_by(
    theory.SUM_ADDRESSES,
    "second_order",
    "property",
    Scope("100 pairs of skew matrices, d = 3..6, eps = 0.001", "2000 such pairs"),
    definitions=FITTING,
)
def defect_is_half_the_commutator(of: Fitting, run: Run) -> Evidence:
    """|defect / eps^2 - ||[L_1, L_2]||_F / 2| <= eps (||L_1|| + ||L_2||)^3 and the rounding."""

    def predicate(pair: tuple[int, list[float], list[float]]) -> bool:
        d, *entries = pair
        first, second = (_skew(numbers, d) for numbers in entries)
        defect = np.linalg.norm(equivariance_defect(first, second, SMALL_STEP)) / SMALL_STEP**2
        half = of.coefficient * np.linalg.norm(first @ second - second @ first)
        norms = np.linalg.norm(first) + np.linalg.norm(second)
        rounding = 4 * d * float(exponential_bound(d, 0.5)) / SMALL_STEP**2
        rest = float(theory.SUM_ADDRESSES.definitions.remainder(SMALL_STEP)) / SMALL_STEP**2
        return bool(abs(defect - half) <= rest * norms**3 + rounding)

    return hunt(
        predicate,
        {"pair": _skew_pairs()},
        run,
        first={"pair": (3, [0.0, 0.0, -1.0], [-1.0, 0.0, 0.0])},
    )


@control("not_skew", generators=lambda first, other: (first + np.eye(len(first)), other))
@checked_by(
    theory.SUM_ADDRESSES,
    "orthogonal_cocycle",
    "property",
    Scope("100 pairs of skew matrices, d = 3..6", "2000 such pairs"),
    definitions=FITTING,
)
def sums_give_a_cocycle(of: Fitting, run: Run) -> Evidence:
    """Transports of three positions compose and are orthogonal, up to the rounding."""
    places = ((0.0, 0.0), (0.5, -1.0), (1.0, 0.75))

    def predicate(pair: tuple[int, list[float], list[float]]) -> bool:
        d, *entries = pair
        generators = of.generators(*(_skew(numbers, d) for numbers in entries))
        frames = np.stack([sum_address(generators, x) for x in places])
        pairs = np.einsum("iba,jbc->ijac", frames, frames)
        kept = np.abs(np.einsum("ijba,ijbc->ijac", pairs, pairs) - np.eye(d)).max()
        norm = 2 * sum(float(np.linalg.norm(x)) for x in generators)
        # four exponentials, and three products of length d, in the longest expression
        bound = 4 * exponential_bound(d, norm) + 6 * d * d * U
        return bool(max(cocycle_residual(pairs), kept) <= float(bound))

    return hunt(predicate, {"pair": _skew_pairs()}, run, first={"pair": (3, [0.0] * 3, [0.0] * 3)})


@control("generators_do_not_commute", generators=lambda first, other: so3_generators())
@checked_by(
    theory.SUM_ADDRESSES,
    "planes",
    "float",
    Scope("20 steps from 0.001 to 10", "400 steps from 0.001 to 10"),
    definitions=FITTING,
)
def commuting_generators_are_relative(of: Fitting, run: Run) -> Evidence:
    """Block generators: the defect is rounding at every step."""
    first = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 0]])
    steps = np.geomspace(1e-3, 10, 400 if run.profile == "full" else 20)
    generators = of.generators(first, 0.7 * first)
    largest = max(float(np.abs(equivariance_defect(*generators, h)).max()) for h in steps)
    bound = 3 * exponential_bound(3, 10 * 2.5) + 4 * 3 * U
    return within(largest, Bound(bound, "3 exponentials of norm <= 25 and one product"))


@control("one_axis", about_diagonal=theory.about_x)
@checked_by(theory.SUM_ADDRESSES, "not_equivariant", "ball", "L_x and L_z of so(3), eps = 1")
def defect_in_balls(of: Cocycles, run: Run) -> Evidence:
    """The printed digits of the defect, certified."""
    return certify(theory.not_equivariant(of), [{}], run.digits)


@control("wrong_side", transport=lambda first, second: second * first.T)
@checked_by(
    theory.SUM_ADDRESSES,
    "orthogonal_cocycle",
    "high",
    "three positions, generators L_x and L_z of so(3)",
    definitions=theory.COCYCLE.definitions,
)
def cocycle_in_high_precision(of: Cocycles, run: Run) -> Evidence:
    """P_ik P_kj - P_ij at `digits` digits."""
    import mpmath

    def frame(first: int, second: int) -> Any:
        generator = mpmath.matrix([[0, -second, 0], [second, 0, -first], [0, first, 0]])
        return mpmath.expm(generator / 2)

    def residual(i: tuple[int, int], k: tuple[int, int], j: tuple[int, int]) -> Any:
        a, b, c = frame(*i), frame(*k), frame(*j)
        product = of.transport(a.T, b) * of.transport(b.T, c) - of.transport(a.T, c)
        return max(abs(x) for x in product)

    places = ((0, 1), (1, 2), (-1, 3))
    grid = [{"i": i, "k": k, "j": j} for i in places for k in places for j in places]
    # a few products of length 3 of exponentials of norm below 2: well under 10^3 units
    bound = Bound(Fraction(1000, 10**run.digits), "10^(3 - digits)", {"digits": run.digits})
    return high_precision(residual, grid, run.digits, bound)
