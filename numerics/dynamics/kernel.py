"""The attention matrix of rotated tokens in any dimension, its floors and its gap.

Main definitions
----------------
rotate             y_i = R^i x_i, plane by plane
attention          softmax of beta <y_i, y_j>, scores shifted by -beta
entry_bound        relative rounding of one entry
floor, ceiling, diagonal_ceiling   the extremes of an entry
lowest, highest    configurations that reach them, as rotated tokens
weights            W with queries and keys rotated separately, scores shifted by -beta
exact_weights      the same in balls, for rational tokens and rotations
eigenvalues        of a reversible attention matrix, by a symmetric solver
gap_bound          rounding of those

Main claims
-----------
dynamics.floors, dynamics.spectral_bound, dynamics.reversible

Conventions
-----------
Tokens are rows of `(n, d)` arrays, d = 2 m; plane k holds the coordinates 2 k and 2 k + 1 and turns
by theta_k (radians) per position.  u = 2^-53.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, arb_mat, fmpq
from numpy.typing import NDArray

from posproof.numerics.attention import Planes, turned
from posproof.numerics.attention import attention as attention_of_planes
from posproof.numerics.balls import certify, points, precision, show
from posproof.numerics.balls.terms import bits_for
from posproof.numerics.formats import FORMATS
from posproof.numerics.hunt import hunt
from posproof.numerics.measure import within
from posproof.theory.dynamics.kernel import FLOORS, REVERSIBLE, SPECTRAL_BOUND, Attention
from posproof.theory.vocabulary import (
    Bound,
    Evidence,
    Outcome,
    Run,
    Scope,
    checked_by,
    control,
)

Floats = NDArray[np.float64]
U = FORMATS["float64"].unit_roundoff


# ---------------------------------------------------------------------- float64
def planes(X: Floats) -> Planes:
    """Coordinates `(n, 2 m)` as complex numbers `(n, m)`, one a plane."""
    return X[:, 0::2] + 1j * X[:, 1::2]


def rotate(X: Floats, theta: Floats) -> Floats:
    """y_i = R^i x_i; `X` is `(n, 2 m)`, `theta` is `(m,)` in radians."""
    found = turned(planes(X), theta)
    Y = np.empty_like(X)
    Y[:, 0::2], Y[:, 1::2] = found.real, found.imag
    return Y


def attention(X: Floats, theta: Floats, beta: float) -> Floats:
    """A_ij of tokens `X` on the unit sphere, shape `(n, n)`."""
    return attention_of_planes(planes(X), theta, beta)


def floor(n: int, beta: float) -> float:
    return 1 / (1 + (n - 1) * math.exp(2 * beta))


def ceiling(n: int, beta: float) -> float:
    return 1 / (2 + (n - 2) * math.exp(-2 * beta))


def diagonal_ceiling(n: int, beta: float) -> float:
    return 1 / (1 + (n - 1) * math.exp(-2 * beta))


def entry_bound(n: int, d: int, beta: float) -> Bound:
    """Relative error of an attention entry, and of a bound it is compared with.

    Tokens are unit to within (d + 2) u and a rotated coordinate is off by 4 u of its plane, so an
    inner product of d terms is off by (3 d + 12) u; the shift and the product with beta add 4 u
    to a score that has at most 2 beta.  A weight is off by beta (3 d + 16) u + u, a row sum of n
    of them by n u more, an entry by twice that and 2 u; the compared bound by (2 beta + 6) u.
    """
    b = Fraction(beta)
    value = (2 * (b * (3 * d + 16) + n + 1) + 2 + 2 * b + 6) * U
    formula = "(2 (beta (3 d + 16) + n + 1) + 2 beta + 8) u"
    return Bound(value, formula, {"n": n, "d": d, "beta": beta, "u": "2^-53"})


def tokens(n: int, m: int, seed: int) -> Floats:
    """Random tokens on the unit sphere of R^(2 m), shape `(n, 2 m)`."""
    X = np.random.default_rng(seed).standard_normal((n, 2 * m))
    return X / np.linalg.norm(X, axis=1, keepdims=True)


def lowest(n: int, y: Any) -> list[Any]:
    """Rotated tokens for which A_0j is at its floor for j = n - 1: all y but the last, -y."""
    return [y] * (n - 1) + [[-x for x in y]]


def highest(n: int, y: Any) -> list[Any]:
    """Rotated tokens for which A_01 is at its ceiling: y, y, and -y for all others."""
    return [y] * 2 + [[-x for x in y]] * (n - 2)


def eigenvalues(A: Floats) -> Floats:
    """The eigenvalues of a reversible stochastic matrix, ascending, shape `(n,)`.

    With weights W = D A symmetric, D^(1/2) A D^(-1/2) is symmetric and similar to A; its entries
    are sqrt(A_ij A_ji).
    """
    return np.linalg.eigvalsh(np.sqrt(A * A.T))


def gap_bound(n: int, entry: Bound) -> Bound:
    """Absolute error of an eigenvalue: entries off by `entry`, and a backward stable solver.

    A symmetric n x n matrix of norm 1 with relative errors e of non-negative entries moves its
    eigenvalues by at most e (Perron); the solver adds 8 n u.
    """
    value = entry.value + 2 * U + 8 * n * U
    return Bound(value, f"{entry.formula} + (8 n + 2) u", entry.inputs)


def from_spectrum(n: int, low: float) -> float:
    """The gap that a floor `low` under all entries guarantees."""
    return n * low


@dataclass(frozen=True)
class Entries:
    """The numerical definitions of this topic; a control replaces one of them."""

    floor: Callable[[int, float], float] = floor
    ceiling: Callable[[int, float], float] = ceiling
    exact_floor: Callable[[int, arb], arb] = lambda n, beta: 1 / (1 + (n - 1) * (2 * beta).exp())
    rotate: Callable[[Floats, Floats], Floats] = rotate
    gap: Callable[[int, float], float] = from_spectrum


ENTRIES = Entries()


# ---------------------------------------------------------------------- floors
def _half_range(n: int, beta: float) -> float:
    return 1 / (1 + (n - 1) * math.exp(beta))


@control("floor_at_half_the_range", floor=_half_range)
@control("ceiling_of_three", ceiling=lambda n, beta: 1 / (3 + (n - 2) * math.exp(-2 * beta)))
@checked_by(
    FLOORS,
    "attained",
    "float",
    Scope("n = 2..16, beta = 1/4 .. 6, any theta", "n = 2..64, beta = 1/4 .. 6, any theta"),
    definitions=ENTRIES,
)
def extremes_in_float(of: Entries, run: Run) -> Evidence:
    """The extremal configurations, unrotated, rotated back and measured against the closed forms.

    The floor comes out to a few units of the last digit, whatever theta.
    """
    theta = np.array([0.7, 2.9])
    y = np.array([0.6, 0.0, 0.0, 0.8])
    share = 0.0
    for n in range(2, 65 if run.profile == "full" else 17):
        for beta in (0.25, 1.0, 1.5, 6.0):
            limit = float(entry_bound(n, 4, beta).value)
            for make, column, value in (
                (lowest, n - 1, of.floor(n, beta)),
                (highest, 1, of.ceiling(n, beta)),
            ):
                X = rotate(np.array(make(n, y.tolist())), -theta)
                entry = attention(X, theta, beta)[0, column]
                share = max(share, abs(entry / value - 1) / limit)
    inputs = entry_bound(16, 4, 6.0)
    return within(share, Bound(Fraction(1), f"1, the share of {inputs.formula}", inputs.inputs))


@control("floor_at_half_the_range", floor=_half_range)
@checked_by(
    FLOORS,
    "off_diagonal",
    "property",
    Scope("100 systems: n 2..7, d 2..6, beta 0..6", "2000 systems: n 2..7, d 2..6, beta 0..6"),
    definitions=ENTRIES,
)
def entries_stay_inside(of: Entries, run: Run) -> Evidence:
    """Every entry of the attention of random tokens against floors and ceilings."""
    from hypothesis import strategies as st

    def predicate(n: int, m: int, beta: float, angle: float, seed: int, extreme: bool) -> bool:
        theta = np.linspace(0.3, 1, m) * angle
        X = tokens(n, m, seed)
        if extreme:
            X = rotate(np.array(lowest(n, X[0].tolist())), -theta)
        A = attention(X, theta, beta)
        slack = float(entry_bound(n, 2 * m, beta).value)
        own = np.diag(A)
        off = A[~np.eye(n, dtype=bool)]
        return bool(
            off.min() >= of.floor(n, beta) * (1 - slack)
            and off.max() <= of.ceiling(n, beta) * (1 + slack)
            and own.min() >= (1 - slack) / n
            and own.max() <= diagonal_ceiling(n, beta) * (1 + slack)
            and (own[:, None] * (1 + slack) >= A).all()
        )

    axes = {
        "n": st.integers(2, 7),
        "m": st.integers(1, 3),
        "beta": st.floats(0, 6),
        "angle": st.floats(0, math.pi),
        "seed": st.integers(0, 2**32 - 1),
        "extreme": st.booleans(),
    }
    first = {"n": 5, "m": 2, "beta": 1.5, "angle": 1.0, "seed": 0, "extreme": True}
    return hunt(predicate, axes, run, first=first)


def rational_point(rng: np.random.Generator) -> list[fmpq]:
    """A rational point of the unit sphere of R^4 by stereographic projection."""
    above, below = rng.integers(-9, 10, 3).tolist(), rng.integers(1, 9, 3).tolist()
    t = [fmpq(a, b) for a, b in zip(above, below, strict=True)]
    square = sum((x * x for x in t), fmpq(0))
    return [2 * x / (square + 1) for x in t] + [(square - 1) / (square + 1)]


def exact_row(points: list[list[fmpq]], i: int, beta: arb) -> list[arb]:
    """Row i of the attention of rotated tokens with rational coordinates."""
    inner = [sum((a * b for a, b in zip(points[i], y, strict=True)), fmpq(0)) for y in points]
    weights = [(beta * x).exp() for x in inner]
    whole = sum(weights, arb(0))
    return [w / whole for w in weights]


@control(
    "floor_at_half_the_range",
    exact_floor=lambda n, beta: 1 / (1 + (n - 1) * beta.exp()),
)
@control("lax_floor_is_not_reached", exact_floor=lambda n, beta: 1 / (n * (2 * beta).exp()))
@control(
    "floor_above",
    exact_floor=lambda n, beta: 1 / (fmpq(999, 1000) + (n - 1) * (2 * beta).exp()),
)
@checked_by(
    FLOORS,
    "off_diagonal",
    "ball",
    Scope("20 rational configurations on S^3, n = 2..6", "200 rational configurations, n = 2..9"),
    definitions=ENTRIES,
)
def floors_in_balls(of: Entries, run: Run) -> Evidence:
    """No entry lies below the floor, and the extremal configuration's ball overlaps it."""
    rng = np.random.default_rng(run.seed)
    full = run.profile == "full"
    with precision(bits_for(run.digits)):
        for trial in range(200 if full else 20):
            n = 2 + trial % (8 if full else 5)
            beta = arb(fmpq(1 + trial % 6, 2))
            bottom = of.exact_floor(n, beta)
            configuration = [rational_point(rng) for _ in range(n)]
            for i in range(n):
                for j, entry in enumerate(exact_row(configuration, i, beta)):
                    if entry < bottom:
                        where = f"n = {n}, beta = {show(beta)}, i = {i}, j = {j}"
                        return Evidence(
                            "refuted", witness=f"{where}: {show(entry)} < {show(bottom)}"
                        )
            reached = exact_row(lowest(n, configuration[0]), 0, beta)[n - 1]
            if not reached.overlaps(bottom):
                where = f"n = {n}, beta = {show(beta)}, extremal"
                return Evidence("refuted", witness=f"{where}: {show(reached)}, {show(bottom)}")
    return Evidence("holds", note="20 configurations and as many extremal ones")


# ---------------------------------------------------------------------- spectral_bound
@control("one_token_more", gap=lambda n, low: (n + 1) * low)
@checked_by(
    SPECTRAL_BOUND,
    "eigenvalue",
    "property",
    Scope("100 systems: n 2..7, d 2..6, beta 0..6", "2000 systems: n 2..7, d 2..6, beta 0..6"),
    definitions=ENTRIES,
)
def gap_above_the_smallest_entry(of: Entries, run: Run) -> Evidence:
    """1 - lambda_2 >= n min A_ij for the attention of random and of extremal tokens."""
    from hypothesis import strategies as st

    def predicate(n: int, m: int, beta: float, angle: float, seed: int, extreme: bool) -> bool:
        theta = np.linspace(0.3, 1, m) * angle
        X = tokens(n, m, seed)
        if extreme:
            X = rotate(np.array(lowest(n, X[0].tolist())), -theta)
        A = attention(X, theta, beta)
        slack = float(gap_bound(n, entry_bound(n, 2 * m, beta)).value)
        return bool(1 - eigenvalues(A)[-2] >= of.gap(n, float(A.min())) - slack)

    axes = {
        "n": st.integers(2, 7),
        "m": st.integers(1, 3),
        "beta": st.floats(0, 6),
        "angle": st.floats(0, math.pi),
        "seed": st.integers(0, 2**32 - 1),
        "extreme": st.booleans(),
    }
    first = {"n": 2, "m": 1, "beta": 1.0, "angle": math.pi, "seed": 0, "extreme": True}
    return hunt(predicate, axes, run, first=first)


@control("one_token_more", contraction=lambda n, low: 1 - (n + 1) * low)
@checked_by(SPECTRAL_BOUND, "sharp", "ball", "beta = 1/10, 1, 5; n = 2..6")
def sharp_in_balls(of: Attention, run: Run) -> Evidence:
    """Two opposite rotated tokens, and beta = 0."""
    grid = points(beta=(Fraction(1), Fraction(1, 10), Fraction(5)), n=range(2, 7))
    return certify(SPECTRAL_BOUND.clause("sharp").statement(of), grid, run.digits)


# ---------------------------------------------------------------------- reversible
Turn = Callable[[Floats, Floats], Floats]


def not_rotated(X: Floats, theta: Floats) -> Floats:
    """Keys left as they are."""
    return X


def rotated_back(X: Floats, theta: Floats) -> Floats:
    """R^(-i) x_i, the sign bug."""
    return rotate(X, -theta)


def weights(
    X: Floats, theta: Floats, beta: float, query: Turn = rotate, key: Turn = rotate
) -> Floats:
    """exp(beta (<query_i, key_j> - 1)), shape `(n, n)`."""
    return np.exp(beta * (query(X, theta) @ key(X, theta).T - 1))


def weight_bound(d: int, beta: float) -> Bound:
    """Relative error of a weight: a score off by beta (3 d + 16) u and one ulp (`entry_bound`)."""
    value = (Fraction(beta) * (3 * d + 16) + 2) * U
    return Bound(value, "(beta (3 d + 16) + 2) u", {"d": d, "beta": beta, "u": "2^-53"})


Rational = list[fmpq]


def exact_turn(point: Rational, cosine: fmpq, sine: fmpq, times: int) -> Rational:
    """A point of R^4, both planes rotated `times` times by (cosine, sine)."""
    turned = list(point)
    for _ in range(abs(times)):
        s = sine if times > 0 else -sine
        for even in (0, 2):
            x, y = turned[even], turned[even + 1]
            turned[even], turned[even + 1] = cosine * x - s * y, s * x + cosine * y
    return turned


def exact_weights(
    points: list[Rational], beta: arb, key_turn: Callable[[int], int] = lambda j: j
) -> arb_mat:
    """exp(beta <R^i x_i, R^key_turn(j) x_j>), R by (3/5, 4/5) in both planes."""
    c, s = fmpq(3, 5), fmpq(4, 5)
    queries = [exact_turn(x, c, s, i) for i, x in enumerate(points)]
    keys = [exact_turn(x, c, s, key_turn(j)) for j, x in enumerate(points)]
    rows = [
        [(beta * sum((a * b for a, b in zip(q, k, strict=True)), fmpq(0))).exp() for k in keys]
        for q in queries
    ]
    return arb_mat(rows)


@dataclass(frozen=True)
class Turns:
    """The numerical definitions of `dynamics.reversible`; a control replaces one of them."""

    key: Turn = rotate
    key_turn: Callable[[int], int] = lambda j: j
    sign: int = 1


TURNS = Turns()


@control("keys_unrotated", key=not_rotated)
@control("keys_rotated_backwards", key=rotated_back)
@checked_by(
    REVERSIBLE,
    "balance",
    "property",
    Scope("100 systems: n 2..7, d 2..6, beta 0..6", "2000 systems: n 2..7, d 2..6, beta 0..6"),
    definitions=TURNS,
)
def detailed_balance(of: Turns, run: Run) -> Evidence:
    """D_i A_ij = D_j A_ji, the own score is the largest, and no eigenvalue is negative."""
    from hypothesis import strategies as st

    def predicate(n: int, m: int, beta: float, angle: float, seed: int) -> bool:
        theta = np.linspace(0.3, 1, m) * angle
        X = tokens(n, m, seed)
        W = weights(X, theta, beta, key=of.key)
        error = float(weight_bound(2 * m, beta).value)
        D = W.sum(axis=1, keepdims=True)
        A = W / D
        flux = D * A
        balanced = bool(np.abs(flux - flux.T).max() <= 2 * (error + 4 * float(U)))
        own = np.diag(W)
        first = bool(
            np.abs(own - 1).max() <= 2 * error and (own[:, None] * (1 + 2 * error) >= W).all()
        )
        # entries at most 1 are off by `error`, so eigenvalues by n times it; the solver adds 8 n u
        slack = n * n * float(error + 8 * float(U))
        return balanced and first and float(np.linalg.eigvalsh((W + W.T) / 2).min()) >= -slack

    axes = {
        "n": st.integers(2, 7),
        "m": st.integers(1, 3),
        "beta": st.floats(0, 6),
        "angle": st.floats(0, math.pi),
        "seed": st.integers(0, 2**32 - 1),
    }
    first = {"n": 5, "m": 2, "beta": 1.5, "angle": 2.1, "seed": 0}
    return hunt(predicate, axes, run, first=first)


@control("keys_rotated_backwards", key_turn=lambda j: -j)
@control("scores_negated", sign=-1)
@checked_by(
    REVERSIBLE,
    "definite",
    "ball",
    Scope("20 rational configurations of 5 tokens on S^3", "200 of them, 2 to 8 tokens"),
    definitions=TURNS,
)
def minors_are_positive(of: Turns, run: Run) -> Evidence:
    """All leading principal minors of W, for different rational tokens and a rational rotation."""
    rng = np.random.default_rng(run.seed)
    full = run.profile == "full"
    smallest: arb | None = None
    with precision(bits_for(run.digits) + 150):
        for trial in range(200 if full else 20):
            n = 2 + trial % 7 if full else 5
            configuration = [rational_point(rng) for _ in range(n)]
            beta = of.sign * arb(fmpq(1 + trial % 6, 2))
            W = exact_weights(configuration, beta, of.key_turn)
            for size in range(1, n + 1):
                minor = arb_mat([[W[i, j] for j in range(size)] for i in range(size)]).det()
                if not minor > 0:
                    where = f"configuration {trial}, size {size}"
                    verdict: Outcome = "refuted" if minor < 0 else "undecided"
                    return Evidence(verdict, witness=f"{where}: {show(minor)}")
                smallest = minor if smallest is None else smallest.min(minor)
    assert smallest is not None
    return Evidence("holds", note=f"smallest minor {show(smallest)}")
