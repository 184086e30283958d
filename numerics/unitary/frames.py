"""Words with one place altered, and the antisymmetric score, in float64.

Main definitions
----------------
score               Im tr(U* V) / n of stacks of matrices
sensitivity_bound   how far the measured change of a word may lie from that of its place
Kernels             the definitions the checks measure; a control replaces one of them

Main claims
-----------
unitary.sensitivity, unitary.antisymmetric_score

Conventions
-----------
As in `posproof.numerics.unitary_matrices`, with its bounds.

References
----------
Derived here; no publication is quoted.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from posproof.numerics.hunt import hunt
from posproof.numerics.measure import within
from posproof.numerics.unitary_matrices import (
    Matrices,
    defect,
    gamma,
    growth,
    haar,
    norms,
    product_error,
    special_unitary,
    word_bound,
    word_product,
)
from posproof.theory.unitary.frames import ANTISYMMETRIC_SCORE, SENSITIVITY
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control


# ---------------------------------------------------------------------- kernels
def score(left: Matrices, right: Matrices) -> NDArray[np.float64]:
    """Im tr(U* V) / n of stacks `(..., n, n)`."""
    turned = left.real * right.imag - left.imag * right.real
    return turned.sum(axis=(-2, -1)) / left.shape[-1]


@dataclass(frozen=True)
class Kernels:
    """What the checks measure."""

    tokens: Callable[[int, int, np.random.Generator], Matrices] = haar
    word_product: Callable[[Matrices], Matrices] = word_product
    score: Callable[[Matrices, Matrices], NDArray[np.float64]] = score


KERNELS = Kernels()


# ---------------------------------------------------------------------- unitary.sensitivity
def _swap_deviation(tokens: Matrices, product: Callable[[Matrices], Matrices]) -> tuple[float, int]:
    """The largest | ||change by a swap|| - ||[U_i, U_i+1]|| | over the swaps, and where."""
    whole = product(tokens)
    worst, where = 0.0, 0
    for index in range(len(tokens) - 1):
        swapped = tokens.copy()
        swapped[[index, index + 1]] = tokens[[index + 1, index]]
        a, b = tokens[index], tokens[index + 1]
        moved = abs(float(norms(product(swapped) - whole) - norms(a @ b - b @ a)))
        if moved > worst:
            worst, where = moved, index
    return worst, where


def sensitivity_bound(n: int, length: int, deviation: Fraction) -> Bound:
    """Two words, a commutator and the stretch of the frames around it, and evaluating norms.

    The frames are products of at most L stored tokens, so they scale the commutator, of norm at
    most 2 sqrt(n) (1 + d)^2, by (1 + d)^L at most; a norm of n^2 entries adds g of 2 n^2 + 2.
    """
    word = word_bound(n, length, deviation).value
    root = math.isqrt(n - 1) + 1
    frames = (growth(length, deviation) - 1) * 3 * root
    evaluated = 4 * gamma(2 * n * n + 4) * root + 2 * product_error(n) * root
    value = 2 * word + frames + evaluated
    return Bound(
        value,
        "(2 / ((1 - L e) (1 - L d)) - 2 + 3 / (1 - L d) - 3 + 4 g + 2 e) sqrt(n)",
        {"n": n, "length": length, "defect": deviation},
    )


def _shrunk(n: int, count: int, source: np.random.Generator) -> Matrices:
    """Tokens that are not unitary."""
    return 0.9 * haar(n, count, source)


@control("tokens_not_unitary", tokens=_shrunk)
@checked_by(
    SENSITIVITY,
    "swap",
    "float",
    Scope("20 words of 12 tokens in U(8), all 11 swaps", "400 words"),
    definitions=KERNELS,
)
def swaps_in_float64(of: Kernels, run: Run) -> Evidence:
    source = np.random.default_rng(run.seed)
    worst, at, deviation = 0.0, "", Fraction(0)
    for index in range(400 if run.profile == "full" else 20):
        tokens = of.tokens(8, 12, source)
        deviation = max(deviation, _unitary_defect(of, tokens))
        moved, where = _swap_deviation(tokens, of.word_product)
        if moved >= worst:
            worst, at = moved, f"word {index}, swap {where}"
    return within(worst, sensitivity_bound(8, 12, deviation), witness=at)


def _unitary_defect(of: Kernels, tokens: Matrices) -> Fraction:
    """The defect of our own tokens; altered ones are held to the bound of unitary ones."""
    return defect(tokens) if of.tokens is haar else Fraction(1, 2**45)


@control("tokens_not_unitary", tokens=_shrunk)
@checked_by(
    SENSITIVITY,
    "replacement",
    "property",
    "Haar tokens, n <= 8, words of at most 30 tokens",
    definitions=KERNELS,
)
def replacements(of: Kernels, run: Run) -> Evidence:
    """Replacing a token anywhere moves the word by the distance of the two tokens."""
    from hypothesis import strategies

    def position_free(n: int, length: int, at: int, seed: int) -> bool:
        source = np.random.default_rng(seed)
        tokens, other = of.tokens(n, length, source), of.tokens(n, 1, source)[0]
        changed = tokens.copy()
        changed[at % length] = other
        moved = norms(of.word_product(changed) - of.word_product(tokens))
        deviation = _unitary_defect(of, np.concatenate([tokens, other[None]]))
        error = abs(float(moved - norms(other - tokens[at % length])))
        return Fraction(error) <= sensitivity_bound(n, length, deviation).value

    whole = strategies.integers(0, 2**32)
    drawn = {
        "n": strategies.integers(1, 8),
        "length": strategies.integers(1, 30),
        "at": strategies.integers(0, 29),
        "seed": whole,
    }
    return hunt(position_free, drawn, run, first={"n": 2, "length": 3, "at": 0, "seed": 0})


# ---------------------------------------------------------------------- unitary.antisymmetric_score
def _real_part(left: Matrices, right: Matrices) -> NDArray[np.float64]:
    return (left.real * right.real + left.imag * right.imag).sum(axis=(-2, -1)) / left.shape[-1]


@control("real_part", score=_real_part)
@checked_by(
    ANTISYMMETRIC_SCORE,
    "antisymmetric",
    "property",
    "Haar tokens, n <= 6",
    definitions=KERNELS,
)
def scores_change_sign(of: Kernels, run: Run) -> Evidence:
    """Exactly, bit for bit: the two sums have opposite terms in the same order."""
    from hypothesis import strategies

    def opposite(n: int, seed: int) -> bool:
        U, V = of.tokens(n, 2, np.random.default_rng(seed))
        return bool(of.score(U, V) == -of.score(V, U) and of.score(U, U) == 0)

    drawn = {"n": strategies.integers(1, 6), "seed": strategies.integers(0, 2**32)}
    return hunt(opposite, drawn, run)


@control("real_part", score=_real_part)
@checked_by(
    ANTISYMMETRIC_SCORE,
    "degenerate",
    "float",
    Scope("10000 pairs in SU(2)", "1000000 pairs"),
    definitions=KERNELS,
)
def scores_in_su2(of: Kernels, run: Run) -> Evidence:
    """Eight products in a sum: off by at most g of 8 times the sum of moduli, at most 2."""
    source = np.random.default_rng(run.seed)
    count = 1_000_000 if run.profile == "full" else 10_000
    left, right = special_unitary(count, source), special_unitary(count, source)
    found = np.abs(of.score(left, right))
    # Rounded entries may make a norm exceed 1 by a few units in the last place.
    bound = Bound(gamma(9) * (1 + gamma(20)), "g9 (1 + g20)", {"n": 2})
    worst = int(found.argmax())
    return within(found[worst], bound, witness=f"pair {worst}")


@control("tokens_not_unitary", tokens=lambda n, count, source: 2 * haar(n, count, source))
@checked_by(
    ANTISYMMETRIC_SCORE,
    "bounded",
    "property",
    "Haar tokens, n <= 8",
    definitions=KERNELS,
)
def scores_are_bounded(of: Kernels, run: Run) -> Evidence:
    """|s| <= 1, attained by V = i U."""
    from hypothesis import strategies

    def inside(n: int, seed: int) -> bool:
        U, V = of.tokens(n, 2, np.random.default_rng(seed))
        allowed = (1 + Fraction(1, 2**40)) ** 2 * (1 + gamma(2 * n * n + 2))
        largest = max(abs(float(of.score(U, V))), abs(float(of.score(U, 1j * U))))
        return Fraction(largest) <= allowed

    drawn = {"n": strategies.integers(1, 8), "seed": strategies.integers(0, 2**32)}
    return hunt(inside, drawn, run)
