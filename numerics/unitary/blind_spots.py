"""Determinants and traces of words and of the same words in another order.

Main definitions
----------------
trace_bound   how far the traces of two computed words may differ
Kernels       the definitions the checks measure; a control replaces one of them

Main claims
-----------
unitary.blind_spots

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
from typing import Any

import numpy as np

from posproof.numerics.hunt import hunt
from posproof.numerics.measure import within
from posproof.numerics.unitary_matrices import (
    Matrices,
    defect,
    gamma,
    growth,
    haar,
    special_unitary,
    word_bound,
    word_product,
)
from posproof.theory.unitary.blind_spots import BLIND_SPOTS
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control


@dataclass(frozen=True)
class Kernels:
    """What the checks measure."""

    tokens: Callable[[int, int, np.random.Generator], Matrices] = haar
    readout: Callable[[Any], Any] = lambda matrix: matrix.det()
    rotated: Callable[[Matrices, int], Matrices] = lambda tokens, by: np.roll(tokens, by, axis=0)
    letters: int = 2


KERNELS = Kernels()


def _trace(matrix: Any) -> Any:
    return sum((matrix[i, i] for i in range(matrix.nrows())), start=0)


@control("trace_for_determinant", readout=_trace)
@checked_by(
    BLIND_SPOTS,
    "determinants",
    "ball",
    Scope("5 words of 6 tokens near U(8) and a permutation of each", "100 words"),
    definitions=KERNELS,
)
def permuted_determinants(of: Kernels, run: Run) -> Evidence:
    """The stored tokens are taken as exact; only the determinant itself has a radius."""
    from flint import acb, acb_mat

    from posproof.numerics.balls import precision

    source = np.random.default_rng(run.seed)
    largest = Fraction(0)
    with precision(256):
        for index in range(100 if run.profile == "full" else 5):
            stored = haar(8, 6, source)
            tokens = [acb_mat(8, 8, [acb(z.real, z.imag) for z in t.ravel()]) for t in stored]
            order = source.permutation(6).tolist()
            straight, permuted = tokens[0], tokens[order[0]]
            for a, b in zip(range(1, 6), order[1:], strict=True):
                straight, permuted = straight * tokens[a], permuted * tokens[b]
            apart = of.readout(straight) - of.readout(permuted)
            if not (apart.real.contains(0) and apart.imag.contains(0)):
                return Evidence("refuted", witness=f"word {index} in the order {order}: {apart}")
            largest = max(largest, Fraction(float(abs(apart).upper())))
    # 256 bits, less the growth of an elimination of size 8: a radius beyond this is no evidence.
    bound = Bound(Fraction(1, 2**200), "2^-200", {"bits": 256})
    return within(largest, bound)


def trace_bound(n: int, length: int, deviation: Fraction) -> Fraction:
    """Two traces of computed words: each off by sqrt(n) times the word, and by n additions."""
    root = math.isqrt(n - 1) + 1
    word = word_bound(n, length, deviation).value
    return 2 * (root * word + gamma(n + 2) * n * growth(length, deviation))


def _sorted_tokens(tokens: Matrices, _: int) -> Matrices:
    """An order that is no rotation: the first two tokens exchanged."""
    return tokens[[1, 0, *range(2, len(tokens))]]


@control("first_two_tokens_exchanged", rotated=_sorted_tokens)
@checked_by(
    BLIND_SPOTS,
    "cyclic_trace",
    "property",
    "Haar tokens, n <= 8, words of 3 to 30 tokens",
    definitions=KERNELS,
)
def rotated_words(of: Kernels, run: Run) -> Evidence:
    """The trace of a word and of its rotation."""
    from hypothesis import strategies

    def same(n: int, length: int, by: int, seed: int) -> bool:
        tokens = of.tokens(n, length, np.random.default_rng(seed))
        turned = of.rotated(tokens, by)
        error = abs(complex(np.trace(word_product(tokens)) - np.trace(word_product(turned))))
        return Fraction(error) <= trace_bound(n, length, defect(tokens))

    drawn = {
        "n": strategies.integers(1, 8),
        "length": strategies.integers(3, 30),
        "by": strategies.integers(0, 29),
        "seed": strategies.integers(0, 2**32),
    }
    return hunt(same, drawn, run, first={"n": 3, "length": 3, "by": 1, "seed": 0})


@control("three_letters", letters=3)
@checked_by(
    BLIND_SPOTS,
    "two_letters",
    "property",
    "two letters of SU(2), words of at most 30 letters",
    definitions=KERNELS,
)
def reversed_words(of: Kernels, run: Run) -> Evidence:
    """The trace of a word in two letters and of its reverse."""
    from hypothesis import strategies

    def same(word: list[int], seed: int) -> bool:
        tokens = special_unitary(of.letters, np.random.default_rng(seed))[word]
        error = abs(complex(np.trace(word_product(tokens)) - np.trace(word_product(tokens[::-1]))))
        return Fraction(error) <= trace_bound(2, len(word), defect(tokens))

    word = strategies.lists(strategies.integers(0, of.letters - 1), min_size=1, max_size=30)
    first = {"word": list(range(of.letters)), "seed": 0}
    return hunt(same, {"word": word, "seed": strategies.integers(0, 2**32)}, run, first=first)
