"""Chunks of a word multiplied on their own, and words in a wider code, in float64.

Main definitions
----------------
embedded   matrices with one more coordinate that they leave alone
chunked    a word multiplied chunk by chunk
Kernels    the definitions the checks measure; a control replaces one of them

Main claims
-----------
unitary.associativity

Conventions
-----------
As in `posproof.numerics.unitary_matrices`, with its bounds.

References
----------
Derived here; no publication is quoted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from posproof.numerics.hunt import hunt
from posproof.numerics.measure import within
from posproof.numerics.unitary_matrices import (
    Matrices,
    defect,
    gamma,
    haar,
    norms,
    word_bound,
    word_product,
)
from posproof.theory.unitary.chunks import ASSOCIATIVITY
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control


def embedded(tokens: Matrices) -> Matrices:
    """U + 1 for a stack `(L, n, n)`: shape `(L, n + 1, n + 1)`."""
    n = tokens.shape[-1]
    wider = np.zeros((len(tokens), n + 1, n + 1), dtype=tokens.dtype)
    wider[:, :n, :n] = tokens
    wider[:, n, n] = 1
    return wider


@dataclass(frozen=True)
class Kernels:
    """What the checks measure."""

    tokens: Callable[[int, int, np.random.Generator], Matrices] = haar
    word_product: Callable[[Matrices], Matrices] = word_product
    embedded: Callable[[Matrices], Matrices] = embedded


KERNELS = Kernels()


def _last_first(tokens: Matrices) -> Matrices:
    return word_product(tokens[::-1])


def chunked(tokens: Matrices, size: int, product: Callable[[Matrices], Matrices]) -> Matrices:
    """Chunks of `size` tokens multiplied on their own, then together."""
    chunks = [product(tokens[at : at + size]) for at in range(0, len(tokens), size)]
    return word_product(np.stack(chunks))


@control("last_token_leftmost", word_product=_last_first)
@checked_by(
    ASSOCIATIVITY,
    "chunks",
    "property",
    "Haar tokens, n <= 8, words of at most 50 tokens",
    definitions=KERNELS,
)
def chunked_words(of: Kernels, run: Run) -> Evidence:
    """Two orders of evaluation are both within the bound of the exact product."""
    from hypothesis import strategies

    def same(n: int, length: int, size: int, seed: int) -> bool:
        tokens = of.tokens(n, length, np.random.default_rng(seed))
        error = norms(chunked(tokens, size, of.word_product) - of.word_product(tokens))
        allowed = 2 * word_bound(n, length, defect(tokens), 2 * length).value
        return Fraction(float(error)) <= allowed * (1 + gamma(2 * n * n + 4))

    drawn = {
        "n": strategies.integers(1, 8),
        "length": strategies.integers(1, 50),
        "size": strategies.integers(1, 50),
        "seed": strategies.integers(0, 2**32),
    }
    return hunt(same, drawn, run, first={"n": 2, "length": 4, "size": 2, "seed": 0})


def _minus_one(tokens: Matrices) -> Matrices:
    wider = embedded(tokens)
    wider[:, -1, -1] = -1
    return wider


@control("extended_by_minus_one", embedded=_minus_one)
@checked_by(
    ASSOCIATIVITY,
    "nested",
    "float",
    Scope("words of 101 tokens, U(8) in U(9), 5 words", "100 words"),
    definitions=KERNELS,
)
def nested_words(of: Kernels, run: Run) -> Evidence:
    """The product of embedded tokens against the embedded product."""
    source = np.random.default_rng(run.seed)
    worst, deviation = 0.0, Fraction(0)
    for _ in range(100 if run.profile == "full" else 5):
        tokens = haar(8, 101, source)
        deviation = max(deviation, defect(tokens))
        wide = word_product(of.embedded(tokens))
        narrow = embedded(word_product(tokens)[None])[0]
        worst = max(worst, float(norms(wide - narrow)))
    bound = word_bound(9, 101, deviation)
    return within(worst, Bound(2 * bound.value, f"2 {bound.formula}", bound.inputs))
