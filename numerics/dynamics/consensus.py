"""Consensus in any dimension: its kernel from energies, and its linearisation measured.

Main definitions
----------------
kernel_matrix      A at consensus from energies and angles, shape `(n, n)`
consensus_tokens   n equal tokens with given energies and phases
difference_jacobian   the Jacobian of the flow on the tangent spaces, by fourth-order differences
difference_bound   how far that can be off
field_bound        what is left of the field at consensus
gap                1 - lambda_2 of a consensus kernel
exact_kernel, exact_gap   the same in balls, through certified eigenvalues
four_token_gap     the gap of four tokens at angles pi/2 and pi, in closed form

Main claims
-----------
dynamics.consensus, dynamics.frequency_allocation

Conventions
-----------
Tokens as in `posproof.numerics.attention`: complex arrays of shape `(n, m)`, plane k turns by
theta_k (radians) per position.  u = 2^-53.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, fmpq
from numpy.typing import NDArray

from posproof.numerics.attention import Planes, attention, tangent, turned, turned_back, velocities
from posproof.numerics.balls import bits_for, certify, describe, points, precision, show
from posproof.numerics.balls.symmetric import largest_eigenvalue
from posproof.numerics.dynamics.kernel import eigenvalues
from posproof.numerics.formats import FORMATS
from posproof.numerics.hunt import hunt
from posproof.numerics.measure import within
from posproof.theory.dynamics.consensus import (
    CONSENSUS,
    FREQUENCY_ALLOCATION,
    Allocation,
    Consensus,
)
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control

Floats = NDArray[np.float64]
U = FORMATS["float64"].unit_roundoff
STEP = 2.0**-12


# ---------------------------------------------------------------------- kernels
def kernel_matrix(n: int, theta: Floats, energy: Floats, beta: float) -> Floats:
    """A_ij proportional to exp(beta sum_c e_c (cos((j - i) theta_c) - 1)), shape `(n, n)`."""
    offset = np.arange(n)
    waves = (np.cos(np.outer(offset, theta)) - 1) @ energy
    W = np.exp(beta * waves)[np.abs(offset[None, :] - offset[:, None])]
    return W / W.sum(axis=1, keepdims=True)


def consensus_tokens(n: int, energy: Floats, phase: Floats) -> Planes:
    """n copies of the token with the given energies (sum 1) and phases, shape `(n, m)`."""
    return np.tile(np.sqrt(energy) * np.exp(1j * phase), (n, 1))


def gap(A: Floats) -> float:
    """1 - lambda_2 of a reversible kernel."""
    return float(1 - eigenvalues(A)[-2])


def orthogonal_directions(x: NDArray[np.complex128]) -> NDArray[np.complex128]:
    """A real orthonormal basis of the tangent space at x, shape `(2 m - 1, m)`."""
    coordinates = np.stack([x.real, x.imag], axis=1).ravel()
    frame, _ = np.linalg.qr(np.column_stack([coordinates, np.eye(len(coordinates))]))
    rest = frame[:, 1 : len(coordinates)].T
    return rest[:, 0::2] + 1j * rest[:, 1::2]


def difference_jacobian(
    X: Planes,
    theta: Floats,
    beta: float,
    field: Callable[[Planes, Floats, float], Planes] = velocities,
    h: float = STEP,
) -> Floats:
    """Columns: moving one token along a great circle; shape `(n (2 m - 1), n (2 m - 1))`."""
    n, m = X.shape
    frames = [orthogonal_directions(x) for x in X]

    def at(token: int, direction: NDArray[np.complex128], angle: float) -> Planes:
        moved = X.copy()
        moved[token] = math.cos(angle) * X[token] + math.sin(angle) * direction
        return field(moved, theta, beta)

    columns = []
    for token in range(n):
        for direction in frames[token]:
            near = at(token, direction, h) - at(token, direction, -h)
            far = at(token, direction, 2 * h) - at(token, direction, -2 * h)
            slope = (8 * near - far) / (12 * h)
            columns.append(
                np.concatenate([(f.conj() @ s).real for f, s in zip(frames, slope, strict=True)])
            )
    return np.array(columns).T


def score_error(m: int, beta: float) -> Fraction:
    """A shifted score of m planes: inner products off by (6 m + 30) u, then times beta."""
    return (Fraction(beta) * (6 * m + 30) + 1) * U


def field_bound(n: int, m: int, beta: float) -> Bound:
    """|velocity| of a token computed in float64, off by at most this in norm.

    Weights are off by a relative `score_error`, a mean of unit vectors by twice that and n + 2
    units; the projection subtracts two vectors of norm at most 1 after 2 m + 4 roundings, and a
    token of norm 1 to within (m + 4) u leaves twice that.
    """
    value = 2 * score_error(m, beta) + (2 * n + 8 * m + 24) * U
    formula = "2 (beta (6 m + 30) + 1) u + (2 n + 8 m + 24) u"
    return Bound(value, formula, {"n": n, "m": m, "beta": beta, "u": "2^-53"})


def difference_bound(n: int, m: int, beta: float, h: float = STEP) -> Bound:
    """An entry of the difference Jacobian against the derivative.

    Rounding: (16 + 2) / (12 h) times that of a velocity.  Truncation: along a great circle the
    velocity extends to complex angles |t| <= r = 1 / (2 beta + 1), where a score moves by at most
    beta (e^r - 1) <= 1/2, a weight by a factor within 0.65 of 1, the mean to norm 6, and the
    projected mean to 14; so its fifth derivative is at most 120 14 / r^5, of which h^4 / 30 counts.
    """
    step = Fraction(h)
    rounding = Fraction(3, 2) * field_bound(n, m, beta).value / step
    truncation = 56 * step**4 * (2 * Fraction(beta) + 1) ** 5
    formula = "3/2 field_bound / h + 56 h^4 (2 beta + 1)^5"
    return Bound(rounding + truncation, formula, {"n": n, "m": m, "beta": beta, "h": h})


# ---------------------------------------------------------------------- dynamics.consensus
def values_rotated(X: Planes, theta: Floats, beta: float) -> Planes:
    """The field of an attention that rotates its values too."""
    drawn = turned_back(attention(X, theta, beta) @ turned(X, theta), theta)
    return tangent(X, drawn)


def generator(A: Floats) -> Floats:
    """A - I, the operator of the transverse linearisation."""
    return A - np.eye(len(A))


@dataclass(frozen=True)
class Linear:
    """The numerical definitions of this topic; a control replaces one of them."""

    field: Callable[[Planes, Floats, float], Planes] = velocities
    operator: Callable[[Floats], Floats] = generator
    energy: Callable[[Planes], Floats] = lambda X: np.abs(X[0]) ** 2


LINEAR = Linear()


@control("operator_for_generator", operator=lambda A: A)
@control("values_rotated", field=values_rotated)
@checked_by(
    CONSENSUS,
    "linearisation",
    "float",
    Scope("six systems, n <= 5, d <= 6, beta <= 2", "60 systems, n <= 7, d <= 8, beta <= 3"),
    definitions=LINEAR,
)
def jacobian_by_differences(of: Linear, run: Run) -> Evidence:
    """Fourth-order differences on tangent spaces against (A - I) in every tangent direction."""
    rng = np.random.default_rng(run.seed)
    full = run.profile == "full"
    share, where = 0.0, ""
    worst = difference_bound(7 if full else 5, 4 if full else 3, 3.0 if full else 2.0)
    for trial in range(60 if full else 6):
        n, m = 2 + trial % (6 if full else 4), 1 + trial % (4 if full else 3)
        beta = float(rng.uniform(0, 3 if full else 2))
        theta, phase = rng.uniform(0, math.pi, m), rng.uniform(0, 2 * math.pi, m)
        X = consensus_tokens(n, rng.dirichlet(np.ones(m)), phase)
        found = difference_jacobian(X, theta, beta, of.field)
        expected = np.kron(
            of.operator(kernel_matrix(n, theta, of.energy(X), beta)), np.eye(2 * m - 1)
        )
        size = float(np.abs(found - expected).max() / difference_bound(n, m, beta).value)
        if size >= share:
            share, where = size, f"n = {n}, m = {m}, beta = {beta!r}"
    bound = Bound(Fraction(1), f"1, the share of {worst.formula}", worst.inputs)
    return within(share, bound, witness=where)


@control("values_rotated", field=values_rotated)
@checked_by(
    CONSENSUS,
    "equilibrium",
    "property",
    Scope("100 systems, n <= 8, d <= 8, beta <= 6", "2000 systems, n <= 8, d <= 8, beta <= 6"),
    definitions=LINEAR,
)
def field_vanishes(of: Linear, run: Run) -> Evidence:
    """The field of equal tokens, whatever they are."""
    from hypothesis import strategies as st

    def predicate(n: int, m: int, beta: float, seed: int) -> bool:
        rng = np.random.default_rng(seed)
        X = consensus_tokens(n, rng.dirichlet(np.ones(m)), rng.uniform(0, 2 * math.pi, m))
        speed = np.linalg.norm(of.field(X, rng.uniform(0, math.pi, m), beta), axis=1)
        return bool(speed.max() <= float(field_bound(n, m, beta).value))

    axes = {
        "n": st.integers(2, 8),
        "m": st.integers(1, 4),
        "beta": st.floats(0, 6),
        "seed": st.integers(0, 2**32 - 1),
    }
    return hunt(predicate, axes, run, first={"n": 5, "m": 2, "beta": 1.5, "seed": 0})


@control("energies_equal", energy=lambda X: np.full(X.shape[1], 1 / X.shape[1]))
@checked_by(
    CONSENSUS,
    "energies",
    "property",
    Scope("100 systems, n <= 8, d <= 8, beta <= 6", "2000 systems, n <= 8, d <= 8, beta <= 6"),
    definitions=LINEAR,
)
def phases_do_not_matter(of: Linear, run: Run) -> Evidence:
    """Attention of equal tokens with random phases against the kernel of their energies."""
    from hypothesis import strategies as st

    def predicate(n: int, m: int, beta: float, seed: int) -> bool:
        rng = np.random.default_rng(seed)
        theta, energy = rng.uniform(0, math.pi, m), rng.dirichlet(np.ones(m))
        X, Y = (consensus_tokens(n, energy, rng.uniform(0, 2 * math.pi, m)) for _ in range(2))
        first, second = attention(X, theta, beta), attention(Y, theta, beta)
        law = kernel_matrix(n, theta, of.energy(X), beta)
        # both sides carry the rounding of scores; i theta_c has an argument off by n pi u
        limit = 4 * float(score_error(m, beta) + (2 * n + 8 + 8 * n * Fraction(beta)) * U)
        return bool(max(np.abs(first - law).max(), np.abs(first - second).max()) <= limit)

    axes = {
        "n": st.integers(2, 8),
        "m": st.integers(1, 4),
        "beta": st.floats(0, 6),
        "seed": st.integers(0, 2**32 - 1),
    }
    return hunt(predicate, axes, run, first={"n": 5, "m": 2, "beta": 1.5, "seed": 1})


@control("cooled_by_the_other_share", cooled=lambda beta, share: share * beta)
@checked_by(CONSENSUS, "unrotated", "ball", Scope("n = 1..4, four shares", "n = 1..9, four shares"))
def unrotated_in_balls(of: Consensus, run: Run) -> Evidence:
    """Three planes and a block that is not rotated, the whole energy included."""
    full = run.profile == "full"
    grid = points(
        n=range(1, 10 if full else 5),
        m=(1, 3),
        i=(0, 2),
        l=(1,),
        beta=(Fraction(3, 2), Fraction(4)),
        s=(Fraction(1, 3), Fraction(0), Fraction(1, 2), Fraction(1)),
        e=([Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)],),
        theta=([Fraction(7, 10), Fraction(2), Fraction(3)],),
    )
    return certify(CONSENSUS.clause("unrotated").statement(of), grid, run.digits)


# ---------------------------------------------------------------------- frequency_allocation
def four_token_gap(share: float, beta: float) -> float:
    """min(2 (a + b), 4 b) / (E + a + 2 b), all divided by E: sums of positive terms."""
    a, b = math.exp(-2 * beta * share), math.exp(-beta * (2 - share))
    return min(2 * (a + b), 4 * b) / (1 + a + 2 * b)


def exact_kernel(n: int, theta: Sequence[arb], energy: Sequence[arb], beta: arb) -> list[list[arb]]:
    """The weights W_ij over exp(beta), as balls."""
    waves = []
    for offset in range(n):
        terms = (e * ((offset * t).cos() - 1) for e, t in zip(energy, theta, strict=True))
        waves.append((beta * sum(terms, arb(0))).exp())
    return [[waves[abs(i - j)] for j in range(n)] for i in range(n)]


def exact_gap(n: int, theta: Sequence[arb], energy: Sequence[arb], beta: arb) -> arb:
    """1 - lambda_2 of D^(-1/2) W D^(-1/2), from which the eigenvector of eigenvalue 1 is taken out.

    That leaves a 0 in its place, below lambda_2: the matrix is positive semidefinite.
    """
    W = exact_kernel(n, theta, energy, beta)
    degrees = [sum(row, arb(0)) for row in W]
    whole, scale = sum(degrees, arb(0)), [degree.rsqrt() for degree in degrees]
    without = [
        [
            w * scale[i] * scale[j] - (degrees[i] * degrees[j]).sqrt() / whole
            for j, w in enumerate(row)
        ]
        for i, row in enumerate(W)
    ]
    return 1 - largest_eigenvalue(without)


def largest_centred(n: int, theta: Sequence[arb], energy: Sequence[arb]) -> arb:
    """The largest eigenvalue of H S H, S_ij = sum_c e_c cos((i - j) theta_c)."""
    pairs = list(zip(energy, theta, strict=True))
    wave = [sum((e * (offset * t).cos() for e, t in pairs), arb(0)) for offset in range(n)]
    S = [[wave[abs(i - j)] for j in range(n)] for i in range(n)]
    means = [sum(row, arb(0)) / n for row in S]
    whole = sum(means, arb(0)) / n
    centred = [[S[i][j] - means[i] - means[j] + whole for j in range(n)] for i in range(n)]
    return largest_eigenvalue(centred)


@dataclass(frozen=True)
class Gaps:
    """The numerical definitions of `dynamics.frequency_allocation`; a control replaces one."""

    gap: Callable[[int, Sequence[arb], Sequence[arb], arb], arb] = exact_gap
    best: float = 2 / 3
    angles: tuple[int, int] = (1, 2)
    slope: Callable[[int, Sequence[arb], Sequence[arb]], arb] = largest_centred


GAPS = Gaps()


@control("one_frequency_twice", angles=(1, 1))
@checked_by(
    FREQUENCY_ALLOCATION,
    "not_resonant",
    "ball",
    "n = 6, beta = 2, theta = (1, 2), e = 0, 1/2, 1",
    definitions=GAPS,
)
def mixture_wins(of: Gaps, run: Run) -> Evidence:
    """Three gaps through certified eigenvalues."""
    theta = [arb(t) for t in of.angles]
    with precision(bits_for(run.digits)):
        values = [
            of.gap(6, theta, [arb(share), arb(1 - share)], arb(2))
            for share in (fmpq(0), fmpq(1, 2), fmpq(1))
        ]
    note = ", ".join(show(value) for value in values)
    if values[1] > values[0] and values[1] > values[2]:
        return Evidence("holds", note=note)
    return Evidence("refuted", witness=f"gaps {note}")


@control("raw_scores", slope=lambda n, theta, energy: arb(n))
@checked_by(
    FREQUENCY_ALLOCATION,
    "expansion",
    "ball",
    Scope("n = 3..6, beta = 10^-1 .. 10^-4", "n = 3..9, beta = 10^-1 .. 10^-8"),
    definitions=GAPS,
)
def small_beta_gap(of: Gaps, run: Run) -> Evidence:
    """|gap - (1 - beta M / n)| <= n beta^2.

    With scores in [-1, 1] the second derivative of a softmax entry is p_j ((s_j - mean)^2 - var),
    of sum of moduli at most 2 var <= 2: A is A_0 + beta A_1 up to beta^2 in each row and entry, so
    up to sqrt(n) beta^2 in the 2-norm; on vectors of sum 0 the first two are (beta / n) H S H,
    which is symmetric.
    """
    full = run.profile == "full"
    theta = [arb(fmpq(7, 10)), arb(2), arb(3)]
    energy = [arb(fmpq(1, 2)), arb(fmpq(1, 3)), arb(fmpq(1, 6))]
    with precision(bits_for(run.digits)):
        for n in range(3, 10 if full else 7):
            M = of.slope(n, theta, energy)
            for power in range(1, 9 if full else 5):
                beta = arb(fmpq(1, 10**power))
                error = abs(exact_gap(n, theta, energy, beta) - (1 - beta * M / n))
                if not error <= n * beta**2:
                    where = describe({"n": n, "beta": f"10^-{power}"})
                    return Evidence("refuted", witness=f"{where}: off by {show(error)}")
    return Evidence("holds")


@control("best_share_one_half", best=Fraction(1, 2))
@checked_by(
    FREQUENCY_ALLOCATION,
    "interior_maximum",
    "ball",
    Scope("shares 1/10 .. 7/10, beta = 1/2, 1, 3", "shares 1/10 .. 7/10, beta = 1/20 .. 6"),
)
def peak_in_balls(of: Allocation, run: Run) -> Evidence:
    """Pairs of shares on both sides of 2/3."""
    full = run.profile == "full"
    grid = points(
        e=(Fraction(1, 10), Fraction(1, 2), Fraction(7, 10)),
        f=(Fraction(3, 5), Fraction(13, 20)),
        beta=(Fraction(1), Fraction(1, 2), Fraction(3), *((Fraction(1, 20), Fraction(6)) * full)),
    )
    return certify(FREQUENCY_ALLOCATION.clause("interior_maximum").statement(of), grid, run.digits)


def _not_closed(p: Any, r: Any, n: Any) -> Any:
    """Tokens on a short arc instead of a ring."""
    import sympy

    return 2 * sympy.pi * p * r / n**2


@control("not_a_ring", phase=_not_closed)
@checked_by(
    FREQUENCY_ALLOCATION,
    "doubling",
    "ball",
    Scope("n' = 1..8, beta = 1/20, 1, 5", "n' = 1..16, beta = 1/20, 1, 5, 30"),
)
def doubling_in_balls(of: Allocation, run: Run) -> Evidence:
    """Rings of n' and 2 n' tokens."""
    full = run.profile == "full"
    grid = points(
        n=range(1, 17 if full else 9),
        beta=(Fraction(1), Fraction(1, 20), Fraction(5), *((Fraction(30),) * full)),
    )
    return certify(FREQUENCY_ALLOCATION.clause("doubling").statement(of), grid, run.digits)


@control("best_share_one_half", best=0.5)
@checked_by(
    FREQUENCY_ALLOCATION,
    "kink",
    "property",
    Scope("100 systems, 0.05 <= beta <= 6", "2000 systems, 0.05 <= beta <= 6"),
    definitions=GAPS,
)
def gap_peaks(of: Gaps, run: Run) -> Evidence:
    """Closed form against a symmetric solver, and the peak against shares around it."""
    from hypothesis import strategies as st

    def predicate(share: float, beta: float, away: float) -> bool:
        theta = np.array([math.pi / 2, math.pi])
        found = gap(kernel_matrix(4, theta, np.array([share, 1 - share]), beta))
        # weights within (16 beta + 4) u, entries twice that and 6 u, a solver 8 n u
        limit = float((2 * (16 * Fraction(beta) + 4) + 6 + 32) * U)
        if abs(found - four_token_gap(share, beta)) > limit:
            return False
        delta = 1e-3 + away * (0.05 * min(1, 1 / beta) - 1e-3)
        peak = four_token_gap(of.best, beta)
        # the slopes are at least 2 beta b / (E + 3 b) nearby: far more than rounding
        return peak > four_token_gap(of.best - delta, beta) and peak > four_token_gap(
            of.best + delta, beta
        )

    axes = {"share": st.floats(0, 1), "beta": st.floats(0.05, 6), "away": st.floats(0, 1)}
    return hunt(predicate, axes, run, first={"share": 0.5, "beta": 1.0, "away": 0.5})
