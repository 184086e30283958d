"""Words of unitary tokens in integers: their products, and the longest sentences of a code.

Main definitions
----------------
letters            the quaternions of unit vectors
quaternion_words   all products of integer quaternions of one length
separation         the smallest distance between the products of two words
longest_sentence   how many tokens a code of n^2 numbers can tell apart
Kernels            the definitions the checks measure; a control replaces one of them

Main claims
-----------
unitary.free_words, unitary.capacity

Conventions
-----------
Quaternions are rows `(a, b, c, d)` of int64; the first letter of a word is the leftmost factor.

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
from posproof.theory.unitary.words import CAPACITY, FREE_WORDS, LONGEST, VOCABULARY, WIDTH
from posproof.theory.vocabulary import Evidence, Run, Scope, checked_by, control

Integers = NDArray[np.int64]


# ---------------------------------------------------------------------- kernels
def quaternion_product(p: Integers, q: Integers) -> Integers:
    """The Hamilton product of quaternions `(..., 4)`; exact while the entries fit in 63 bits."""
    a, b, c, d = np.moveaxis(p, -1, 0)
    e, f, g, h = np.moveaxis(q, -1, 0)
    return np.stack(
        [
            a * e - b * f - c * g - d * h,
            a * f + b * e + c * h - d * g,
            a * g - b * h + c * e + d * f,
            a * h + b * g - c * f + d * e,
        ],
        axis=-1,
    )


def letters(axes: Integers) -> Integers:
    """The quaternions 1 + 2 e of unit vectors `(V, 3)`, shape `(V, 4)`."""
    return np.concatenate([np.ones((len(axes), 1), dtype=np.int64), 2 * axes], axis=1)


def quaternion_words(tokens: Integers, length: int) -> Integers:
    """The products of all words of that length, shape `(V^L, 4)`, in lexicographic order."""
    words = np.array([[1, 0, 0, 0]], dtype=np.int64)
    for _ in range(length):
        words = quaternion_product(words[:, None], tokens[None]).reshape(-1, 4)
    return words


def longest_sentence(vocabulary: int, numbers: int, bits: int) -> int:
    """The largest L with vocabulary^L <= 2^(numbers * bits), in integers.

    >>> longest_sentence(2, 1, 8)
    8
    """
    states, length, words = 2 ** (numbers * bits), 0, vocabulary
    while words <= states:
        length, words = length + 1, words * vocabulary
    return length


@dataclass(frozen=True)
class Kernels:
    """What the checks measure."""

    axes: tuple[tuple[int, int, int], ...] = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    quaternion_product: Callable[[Integers, Integers], Integers] = quaternion_product
    numbers: int = WIDTH**2


KERNELS = Kernels()


# ---------------------------------------------------------------------- unitary.free_words
def _words_of(of: Kernels, count: int, length: int) -> Integers:
    tokens, words = letters(np.array(of.axes[:count], dtype=np.int64)), np.array([[1, 0, 0, 0]])
    for _ in range(length):
        words = of.quaternion_product(words[:, None], tokens[None]).reshape(-1, 4)
    return words


@control("commuting_tokens", axes=((1, 0, 0), (1, 0, 0), (1, 0, 0)))
@checked_by(
    FREE_WORDS,
    "distinct",
    "ball",
    Scope("all 32766 words of two letters, length <= 14", "and all of three letters, length <= 10"),
    definitions=KERNELS,
    engine="numpy, exact integers",
)
def all_short_words(of: Kernels, run: Run) -> Evidence:
    """Products up to sign are distinct at every length; lengths differ by their norm 5^L."""
    cases = [(2, 14), (3, 10)] if run.profile == "full" else [(2, 14)]
    seen = 0
    for count, longest in cases:
        for length in range(1, longest + 1):
            words = _words_of(of, count, length)
            first = np.argmax(words != 0, axis=1)
            signs = np.sign(words[np.arange(len(words)), first])
            up_to_sign = words * signs[:, None]
            if not ((words**2).sum(axis=1) == 5**length).all():
                return Evidence("refuted", witness=f"a word of length {length} has another norm")
            distinct = len(np.unique(up_to_sign, axis=0))
            if distinct != count**length:
                return Evidence(
                    "refuted",
                    witness=f"length {length}: {count**length} words, {distinct} products",
                )
            seen += distinct
    return Evidence("holds", measured=f"{seen} distinct products")


@control("commuting_tokens", axes=((1, 0, 0), (1, 0, 0), (1, 0, 0)))
@checked_by(
    FREE_WORDS, "free_group", "property", "reduced words of length <= 25", definitions=KERNELS
)
def reduced_words(of: Kernels, run: Run) -> Evidence:
    """Random reduced words over the six letters, in Python's integers."""
    from hypothesis import assume, strategies

    tokens = [(1, *(2 * sign * x for x in axis)) for axis in of.axes for sign in (1, -1)]

    def not_the_identity(word: list[int]) -> bool:
        assume(all(a ^ 1 != b for a, b in zip(word, word[1:], strict=False)))
        product = np.array([1, 0, 0, 0], dtype=object)
        for letter in word:
            product = of.quaternion_product(product, np.array(tokens[letter], dtype=object))
        multiple = all(part % 5 == 0 for part in product.tolist())
        return not multiple and any(product[1:].tolist())

    word = strategies.lists(strategies.integers(0, 5), min_size=1, max_size=25)
    return hunt(not_the_identity, {"word": word}, run, first={"word": [0, 3]})


def separation(words: Integers, length: int) -> Fraction:
    """The smallest squared chordal distance 2 - 2 |<p, q>| / 5^L of two different words."""
    gram = np.abs(words @ words.T)
    np.fill_diagonal(gram, 0)
    return 2 - Fraction(2 * int(gram.max()), 5**length)


# ---------------------------------------------------------------------- unitary.capacity
@control("one_number_fewer", numbers=WIDTH**2 - 1)
@checked_by(CAPACITY, "longest", "ball", "n = 8, b = 16, 32, 64", definitions=KERNELS,
            engine="exact integers")  # fmt: skip
def longest_sentences(of: Kernels, run: Run) -> Evidence:
    """Counted up in integers, one token at a time."""
    found = {bits: longest_sentence(VOCABULARY, of.numbers, bits) for bits in LONGEST}
    if found == LONGEST:
        return Evidence("holds", measured=", ".join(f"{b} bits: {n}" for b, n in found.items()))
    return Evidence("refuted", witness=f"longest sentences {found}")


@checked_by(
    CAPACITY, "pigeonhole", "property", "V <= 100000, n <= 12, b <= 64", definitions=KERNELS
)
def capacity_is_the_last_length(of: Kernels, run: Run) -> Evidence:
    """The longest sentence fits, one token more does not, and a logarithm agrees nearly."""
    from hypothesis import strategies

    def tight(vocabulary: int, n: int, bits: int) -> bool:
        length, states = longest_sentence(vocabulary, n * n, bits), 2 ** (n * n * bits)
        near = n * n * bits / math.log2(vocabulary)
        fits = vocabulary**length <= states < vocabulary ** (length + 1)
        return fits and abs(length - near) <= 1

    drawn = {
        "vocabulary": strategies.integers(2, 100_000),
        "n": strategies.integers(1, 12),
        "bits": strategies.integers(1, 64),
    }
    return hunt(tight, drawn, run)
