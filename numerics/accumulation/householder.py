"""Products of Householder-like factors: kernels, compact form, ranks, singular values.

Main definitions
----------------
factors             the matrices I - beta w w^T of a sequence of vectors
householder_product their product in reading order
compact_form        the same product as I - W^T T W, by one triangular solve
rank_of_rotation    the rank of I - R for rational rotations, exactly
Kernels             the definitions the checks measure; a control replaces one of them

Conventions
-----------
Vectors are the rows of W, shape `(k, d)`; beta has shape `(k,)`.  The first row is the leftmost
factor.  Exact matrices are python-flint's `fmpq_mat`.

The bound
---------
u = 2^-53 and g(m) = m u / (1 - m u).  Multiplying P by a factor, P - beta (P w) w^T, is off by at
most g(2 d + 4) (|P| + |beta| |P| |w| |w|^T), entry by entry.  The compact form forms G = W W^T up
to g(d) |W| |W|^T and solves the unit upper triangular system L T = B, L = I + B striu(G), up to
g(3 k) |L^-1| |L| |T|; two more products add g(2 k + 2).  Absolute values of the stored matrices
bound all of this, and a factor 2 stands for the products of errors.

References
----------
Derived here; no publication is quoted.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posproof.numerics.accumulation.windows import ceiling_window
from posproof.numerics.hunt import hunt
from posproof.numerics.measure import sampled
from posproof.theory.accumulation.householder import HOUSEHOLDER
from posproof.theory.vocabulary import Evidence, Run, Scope, checked_by, control

Numbers = NDArray[np.float64]
U = 2.0**-53


# ---------------------------------------------------------------------- kernels
def factors(beta: Numbers, W: Numbers) -> Numbers:
    """I - beta w w^T for each row w, shape `(k, d, d)`."""
    return np.eye(W.shape[1]) - beta[:, None, None] * W[:, :, None] * W[:, None, :]


def householder_product(beta: Numbers, W: Numbers) -> Numbers:
    """H_1 H_2 .. H_k, shape `(d, d)`, by k rank-one updates.

    >>> householder_product(np.array([1.0]), np.array([[1.0, 0.0]]))
    array([[0., 0.],
           [0., 1.]])
    """
    P = np.eye(W.shape[1])
    for scale, w in zip(beta, W, strict=True):
        P = P - scale * np.outer(P @ w, w)
    return P


def triangle(beta: Numbers, W: Numbers) -> Numbers:
    """T of the compact form, shape `(k, k)`: it solves (I + B striu(W W^T)) T = B."""
    # Elimination finds nothing below the diagonal, so this is back substitution.
    L = np.eye(len(W)) + beta[:, None] * np.triu(W @ W.T, 1)
    return np.asarray(np.linalg.solve(L, np.diag(beta)), dtype=np.float64)


def compact_form(beta: Numbers, W: Numbers) -> Numbers:
    """I - W^T T W, shape `(d, d)`: the product for vectors of any length."""
    return np.eye(W.shape[1]) - W.T @ triangle(beta, W) @ W


def exact_product(beta: Sequence[Fraction], W: Sequence[Sequence[Fraction]]) -> Any:
    """The product of the factors as an fmpq_mat."""
    from flint import fmpq, fmpq_mat

    d = len(W[0])
    P = _identity(d)
    for scale, w in zip(beta, W, strict=True):
        row = fmpq_mat(1, d, [fmpq(part.numerator, part.denominator) for part in w])
        P = P - P * row.transpose() * row * fmpq(scale.numerator, scale.denominator)
    return P


def _identity(d: int) -> Any:
    from flint import fmpq_mat

    return fmpq_mat(d, d, [int(i == j) for i in range(d) for j in range(d)])


def exact_compact(
    beta: Sequence[Fraction], W: Sequence[Sequence[Fraction]], upper: bool = True
) -> Any:
    """I - W^T T W as an fmpq_mat; `upper` False takes the other triangle of W W^T."""
    from flint import fmpq, fmpq_mat

    k, d = len(W), len(W[0])
    rows = fmpq_mat(k, d, [fmpq(part.numerator, part.denominator) for w in W for part in w])
    scales = [fmpq(scale.numerator, scale.denominator) for scale in beta]
    gram = rows * rows.transpose()
    B = fmpq_mat(k, k, [scales[i] if i == j else fmpq(0) for i in range(k) for j in range(k)])
    kept = [
        gram[i, j] if (i < j if upper else i > j) else fmpq(0) for i in range(k) for j in range(k)
    ]
    T = (_identity(k) + B * fmpq_mat(k, k, kept)).inv() * B
    return _identity(d) - rows.transpose() * T * rows


def rational_unit(parts: Sequence[Fraction]) -> list[Fraction]:
    """A rational unit vector of length len(parts) + 1, by stereographic projection."""
    square = sum((part * part for part in parts), Fraction(0))
    return [2 * part / (1 + square) for part in parts] + [(1 - square) / (1 + square)]


def rank_of_rotation(planes: int) -> int:
    """The rank of I - R for rational rotations of that many planes, none by a full turn."""
    from flint import fmpq, fmpq_mat

    size = 2 * planes
    entries = [fmpq(0)] * (size * size)
    for c in range(planes):
        t = fmpq(1, c + 2)
        cosine, sine = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)
        corner = 2 * c * size + 2 * c
        entries[corner], entries[corner + size + 1] = 1 - cosine, 1 - cosine
        entries[corner + 1], entries[corner + size] = sine, -sine
    return int(fmpq_mat(size, size, entries).rank())


def product_bound(beta: Numbers, W: Numbers) -> float:
    """How far the two float forms of a product may lie apart, entry by entry; see above."""
    k, d = W.shape

    def g(m: int) -> float:
        return m * U / (1 - m * U)

    size, A = np.abs(W), np.eye(d)
    error = np.zeros((d, d))
    for scale, w in zip(np.abs(beta), size, strict=True):
        grown = A + scale * np.outer(A @ w, w)
        error = error + scale * np.outer(error @ w, w) + g(2 * d + 4) * grown
        A = grown
    L = np.eye(k) + beta[:, None] * np.triu(W @ W.T, 1)
    T = np.abs(triangle(beta, W))
    back = np.abs(np.linalg.inv(L))
    gram = np.abs(beta)[:, None] * np.triu(size @ size.T, 1)
    moved = g(3 * k) * back @ np.abs(L) @ T + g(d + 2) * back @ gram @ T
    compact = size.T @ (moved + g(2 * k + 4) * T) @ size
    return float(2 * (error + compact).max() + 2 * U)


@dataclass(frozen=True)
class Kernels:
    """What the checks measure."""

    product: Callable[[Numbers, Numbers], Numbers] = householder_product
    upper: bool = True
    extra: int = 0
    along: Callable[[Fraction], Fraction] = lambda beta: 1 - beta
    betas: tuple[Fraction, Fraction] = (Fraction(0), Fraction(2))
    lowest: Callable[[Fraction], Fraction] = lambda beta: (1 - beta) ** 2
    share: Callable[[int], Fraction] = lambda d: Fraction(1, d)


KERNELS = Kernels()


# ---------------------------------------------------------------------- householder
def _reversed(beta: Numbers, W: Numbers) -> Numbers:
    return householder_product(beta[::-1], W[::-1])


@control("last_factor_leftmost", product=_reversed)
@checked_by(
    HOUSEHOLDER,
    "compact",
    "property",
    "unit vectors, d <= 8, at most 7 factors, beta in [0, 2]",
    definitions=KERNELS,
)
def compact_forms(of: Kernels, run: Run) -> Evidence:
    """The product against its compact form in float64."""
    from hypothesis import strategies

    def same(d: int, k: int, seed: int) -> bool:
        source = np.random.default_rng(seed)
        W = source.standard_normal((k, d))
        W /= np.sqrt((W**2).sum(axis=1))[:, None]
        beta = source.uniform(0, 2, k)
        error = np.abs(of.product(beta, W) - compact_form(beta, W)).max()
        return float(error) <= product_bound(beta, W)

    drawn = {
        "d": strategies.integers(1, 8),
        "k": strategies.integers(1, 7),
        "seed": strategies.integers(0, 2**32),
    }
    return hunt(same, drawn, run, first={"d": 3, "k": 3, "seed": 0})


@control("lower_triangle", upper=False)
@checked_by(
    HOUSEHOLDER,
    "compact",
    "ball",
    Scope("integer vectors in dimension 6, 1 to 6 factors, 3 of each", "50 of each"),
    definitions=KERNELS,
    engine="python-flint, exact rationals",
)
def compact_forms_exactly(of: Kernels, run: Run) -> Evidence:
    """Vectors of any length, and beta in quarters."""
    source = np.random.default_rng(run.seed)
    count = 0
    for k in range(1, 7):
        for _ in range(50 if run.profile == "full" else 3):
            W = [[Fraction(int(v)) for v in row] for row in source.integers(-3, 4, (k, 6))]
            beta = [Fraction(int(v), 4) for v in source.integers(1, 9, k)]
            if exact_compact(beta, W, of.upper) != exact_product(beta, W):
                return Evidence("refuted", witness=f"{k} factors, vectors {W}")
            count += 1
    return Evidence("holds", measured=f"{count} products")


@control("sign_changed", along=lambda beta: 1 + beta)
@checked_by(
    HOUSEHOLDER,
    "determinant",
    "property",
    "rational unit vectors, d <= 6, at most 6 factors",
    definitions=KERNELS,
    engine="hypothesis, exact rationals",
)
def determinants_of_products(of: Kernels, run: Run) -> Evidence:
    """The determinant of a product against the product of 1 - beta, in more dimensions."""
    from flint import fmpq
    from hypothesis import strategies

    def equal(beta: list[Fraction], parts: list[list[Fraction]], d: int) -> bool:
        W = [rational_unit((list(row) + [Fraction(1)] * d)[: d - 1]) for row in parts[: len(beta)]]
        beta = beta[: len(W)]
        found = exact_product(beta, W).det() if W else fmpq(1)
        return Fraction(int(found.p), int(found.q)) == math.prod(map(of.along, beta))

    part = strategies.integers(-6, 6).map(lambda k: Fraction(k, 3))
    drawn = {
        "beta": strategies.lists(
            strategies.integers(0, 8).map(lambda k: Fraction(k, 4)), max_size=6
        ),
        "parts": strategies.lists(strategies.lists(part, max_size=5), max_size=6),
        "d": strategies.integers(1, 6),
    }
    first = {"beta": [Fraction(2)], "parts": [[Fraction(1)]], "d": 2}
    return hunt(equal, drawn, run, first=first)


@control("one_factor_more", extra=1)
@checked_by(
    HOUSEHOLDER,
    "rank",
    "ball",
    Scope("integer vectors in dimension 6, 0 to 5 factors, 3 of each", "50 of each"),
    definitions=KERNELS,
    engine="python-flint, exact rationals",
)
def ranks_of_products(of: Kernels, run: Run) -> Evidence:
    """Every factor adds at most one to the rank of I minus the product."""
    source = np.random.default_rng(run.seed)
    largest = []
    for k in range(6):
        for _ in range(50 if run.profile == "full" else 3):
            rows = source.integers(-3, 4, (k + of.extra, 6))
            rows[:, 0] = 1  # no vector is zero
            W = [[Fraction(int(v)) for v in row] for row in rows]
            beta = [Fraction(1, 2)] * len(W)
            rank = int((_identity(6) - exact_product(beta, W)).rank()) if W else 0
            if rank > k:
                return Evidence("refuted", witness=f"rank {rank}, at most {k} expected, of {W}")
            largest.append(rank)
    return Evidence("holds", measured=f"ranks up to {max(largest)}")


@control("as_many_factors_as_dimensions", extra=1)
@checked_by(
    HOUSEHOLDER,
    "too_few",
    "ball",
    "m = 1, 2, 3, 4 planes, 2 m - 1 rational factors",
    definitions=KERNELS,
    engine="python-flint, exact rationals",
)
def too_few_factors(of: Kernels, run: Run) -> Evidence:
    """I minus a product has at most the rank of its number of factors, I minus a rotation 2 m."""
    source = np.random.default_rng(run.seed)
    ranks = []
    for planes in range(1, 5):
        k, d = 2 * planes - 1 + of.extra, 2 * planes
        W = [
            rational_unit([Fraction(int(v), 3) for v in source.integers(-4, 5, d - 1)])
            for _ in range(k)
        ]
        rank = int((_identity(d) - exact_product([Fraction(2)] * k, W)).rank())
        if rank > k or rank >= rank_of_rotation(planes):
            return Evidence("refuted", witness=f"{k} factors reach rank {rank} in dimension {d}")
        ranks.append(f"{rank} < {rank_of_rotation(planes)}")
    return Evidence("holds", measured=", ".join(ranks))


@control("norm_preserving", lowest=lambda beta: Fraction(1))
@checked_by(
    HOUSEHOLDER,
    "contraction",
    "property",
    "rational unit vectors, d <= 5, beta in [0, 2]",
    definitions=KERNELS,
)
def contractions(of: Kernels, run: Run) -> Evidence:
    """(1 - beta)^2 |x|^2 <= |H x|^2 <= |x|^2, exactly; beta = 7/10 along w gives 3/10."""
    from hypothesis import strategies

    def inside(beta: Fraction, parts: list[Fraction], x: list[Fraction]) -> bool:
        w = rational_unit(parts)
        vector = (x * len(w))[: len(w)] if x else w
        along = sum((a * b for a, b in zip(w, vector, strict=True)), Fraction(0))
        image = [b - beta * a * along for a, b in zip(w, vector, strict=True)]
        size, moved = (sum(part * part for part in v) for v in (vector, image))
        return of.lowest(beta) * size <= moved <= size

    part = strategies.integers(-9, 9).map(lambda k: Fraction(k, 3))
    drawn = {
        "beta": strategies.integers(0, 20).map(lambda k: Fraction(k, 10)),
        "parts": strategies.lists(part, min_size=1, max_size=4),
        "x": strategies.lists(part, max_size=5),
    }
    return hunt(
        inside, drawn, run, first={"beta": Fraction(7, 10), "parts": [Fraction(1)], "x": []}
    )


#: Steps to one percent for beta = 2, by dimension.
WINDOWS = {2: 1, 3: 5, 8: 17, 64: 146, 128: 293}


@control("twice_the_share", share=lambda d: Fraction(2, d))
@checked_by(
    HOUSEHOLDER,
    "isotropic",
    "ball",
    "beta = 2, d = 2, 3, 8, 64, 128",
    definitions=KERNELS,
    engine="python-flint",
)
def windows_by_dimension(of: Kernels, run: Run) -> Evidence:
    """Steps until |1 - beta / d|^k falls to 1/100: about d ln 10."""
    from flint import arb, fmpq

    from posproof.numerics.balls import precision

    found = {}
    with precision(128):
        for d in WINDOWS:
            rate = abs(1 - 2 * of.share(d))
            ball = arb(fmpq(rate.numerator, rate.denominator)) if rate else 0
            if rate == 1:
                return Evidence("refuted", witness=f"d = {d}: no decay")
            found[d] = ceiling_window(ball, Fraction(1, 100))
    if found != WINDOWS:
        return Evidence("refuted", witness=f"windows {found}")
    return Evidence("holds", measured=", ".join(f"{k} at d = {d}" for d, k in found.items()))


@control("twice_the_share", share=lambda d: Fraction(2, d))
@checked_by(
    HOUSEHOLDER,
    "isotropic",
    "sampled",
    Scope("beta = 2, d = 8, 5 factors, 40000 products", "d = 2, 3, 8, 16"),
    definitions=KERNELS,
)
def sampled_products(of: Kernels, run: Run) -> Evidence:
    """The first entry of a product of random reflections, which lies in [-1, 1]."""
    source = np.random.default_rng(run.seed)
    evidence = Evidence("undecided")
    for d in (2, 3, 8, 16) if run.profile == "full" else (8,):
        rows = np.zeros((40_000, d))
        rows[:, 0] = 1
        for _ in range(5):
            w = source.standard_normal((40_000, d))
            w /= np.sqrt((w**2).sum(axis=1))[:, None]
            rows = rows - 2 * (rows * w).sum(axis=1)[:, None] * w
        expected = (1 - 2 * of.share(d)) ** 5
        evidence = sampled(rows[:, 0], expected, Fraction(2))
        if evidence.outcome != "holds":
            break
    return evidence
