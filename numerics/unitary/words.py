"""Words of unitary matrices in integers and in floating point.

Main definitions
----------------
haar               random unitary matrices, Haar distributed
word_product       the ordered product of a stack of matrices
word_products      the products of all words of one length
quaternion_words   all products of integer quaternions of one length
score              Im tr(U* V) / n of stacks of matrices
longest_sentence   how many tokens a code of n^2 numbers can tell apart
Kernels            the definitions the checks measure; a control replaces one of them

Conventions
-----------
A stack of matrices has shape `(..., n, n)`, dtype complex128; the first token of a word is the
leftmost factor.  Quaternions are rows `(a, b, c, d)` of int64.  Norms are Frobenius norms.

The bounds
----------
u = 2^-53.  A complex product of two n x n matrices is, in each real component of each entry, a sum
of 2 n products, so whatever the order of summation and with or without fused operations it is off
by at most g = 2 n u / (1 - 2 n u) times the sum of the moduli; the two components together and all
entries give ||fl(A B) - A B|| <= sqrt(2) g ||A|| ||B||, and ||A|| <= sqrt(n) (1 + d) for a stored
token that is unitary up to a relative d.  One product of a word therefore moves it by at most
e = 3/2 g n of its size, and a word of L tokens by ((1 + e)^L (1 + d)^L - 1) sqrt(n), where
(1 + x)^L <= 1 / (1 - L x).  The defect d of a stored token is measured, with the error of measuring
it added.

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
from numpy.typing import NDArray

from posproof.numerics.hunt import hunt
from posproof.numerics.measure import within
from posproof.theory.unitary.words import (
    ANTISYMMETRIC_SCORE,
    ASSOCIATIVITY,
    BLIND_SPOTS,
    CAPACITY,
    FREE_WORDS,
    LONGEST,
    SENSITIVITY,
    VOCABULARY,
    WIDTH,
)
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control

Matrices = NDArray[np.complex128]
Integers = NDArray[np.int64]
U64 = Fraction(1, 2**53)
#: More than the square root of 2.
ROOT_TWO = Fraction(3, 2)


# ---------------------------------------------------------------------- kernels
def haar(n: int, count: int, source: np.random.Generator) -> Matrices:
    """Haar distributed unitary matrices, shape `(count, n, n)`.

    The diagonal of R is turned to be positive: QR alone is not Haar distributed.
    """
    gauss = source.standard_normal((2, count, n, n))
    q, r = np.linalg.qr(gauss[0] + 1j * gauss[1])
    diagonal = np.diagonal(r, axis1=-2, axis2=-1)
    return q * (diagonal / np.abs(diagonal))[:, None, :]


def word_product(tokens: Matrices) -> Matrices:
    """The ordered product `(n, n)` of a word `(L, n, n)`, the first token leftmost.

    >>> word_product(np.array([[[2.0 + 0j]], [[3.0 + 0j]]]))
    array([[6.+0.j]])
    """
    product = np.eye(tokens.shape[-1], dtype=tokens.dtype)
    for token in tokens:
        product = product @ token
    return product


def word_products(tokens: Matrices, length: int) -> Matrices:
    """The products of all words of that length over V tokens `(V, n, n)`, shape `(V^L, n, n)`.

    Words are in lexicographic order; the work is one batched product for each length.
    """
    n = tokens.shape[-1]
    products = np.eye(n, dtype=tokens.dtype)[None]
    for _ in range(length):
        products = (products[:, None] @ tokens[None]).reshape(-1, n, n)
    return products


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


def score(left: Matrices, right: Matrices) -> NDArray[np.float64]:
    """Im tr(U* V) / n of stacks `(..., n, n)`."""
    turned = left.real * right.imag - left.imag * right.real
    return turned.sum(axis=(-2, -1)) / left.shape[-1]


def longest_sentence(vocabulary: int, numbers: int, bits: int) -> int:
    """The largest L with vocabulary^L <= 2^(numbers * bits), in integers.

    >>> longest_sentence(2, 1, 8)
    8
    """
    states, length, words = 2 ** (numbers * bits), 0, vocabulary
    while words <= states:
        length, words = length + 1, words * vocabulary
    return length


def embedded(tokens: Matrices) -> Matrices:
    """U + 1 for a stack `(L, n, n)`: shape `(L, n + 1, n + 1)`."""
    n = tokens.shape[-1]
    wider = np.zeros((len(tokens), n + 1, n + 1), dtype=tokens.dtype)
    wider[:, :n, :n] = tokens
    wider[:, n, n] = 1
    return wider


def norms(stack: Matrices) -> NDArray[np.float64]:
    """Frobenius norms of a stack `(..., n, n)`."""
    return np.sqrt((stack.real**2 + stack.imag**2).sum(axis=(-2, -1)))


@dataclass(frozen=True)
class Kernels:
    """What the checks measure."""

    tokens: Callable[[int, int, np.random.Generator], Matrices] = haar
    word_product: Callable[[Matrices], Matrices] = word_product
    axes: tuple[tuple[int, int, int], ...] = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    quaternion_product: Callable[[Integers, Integers], Integers] = quaternion_product
    score: Callable[[Matrices, Matrices], NDArray[np.float64]] = score
    numbers: int = WIDTH**2
    embedded: Callable[[Matrices], Matrices] = embedded
    readout: Callable[[Any], Any] = lambda matrix: matrix.det()
    rotated: Callable[[Matrices, int], Matrices] = lambda tokens, by: np.roll(tokens, by, axis=0)
    letters: int = 2


KERNELS = Kernels()


# ---------------------------------------------------------------------- bounds
def gamma(roundings: int) -> Fraction:
    """The relative error of that many roundings."""
    return roundings * U64 / (1 - roundings * U64)


def growth(count: int, relative: Fraction) -> Fraction:
    """More than (1 + relative)^count, by Bernoulli's inequality for its inverse."""
    return 1 / (1 - count * relative)


def product_error(n: int) -> Fraction:
    """e: how far one rounded product moves a unitary word, relative to its size."""
    return ROOT_TWO * gamma(2 * n) * n


def defect(tokens: Matrices) -> Fraction:
    """An upper bound of max | ||U x|| - 1 | over unit vectors x and the tokens.

    | sigma - 1 | <= |sigma^2 - 1| <= ||U* U - I||, which is measured in float64: its own error is
    at most that of one product of matrices with norms up to sqrt(n) (1 + 2^-20), and of the norm.
    """
    n = tokens.shape[-1]
    gram = np.conj(np.swapaxes(tokens, -1, -2)) @ tokens - np.eye(n)
    largest = Fraction(float(norms(gram).max())) * (1 + gamma(2 * n * n + 2))
    if largest >= Fraction(1, 2**20):
        raise ValueError("the tokens are not unitary up to rounding (tokens)")
    scale = 2**100  # rounded up to a short fraction
    return Fraction(math.ceil((largest + 2 * product_error(n)) * scale), scale)


def word_bound(n: int, length: int, deviation: Fraction, products: int | None = None) -> Bound:
    """How far a computed word may lie from the exact product of the stored tokens."""
    e, count = product_error(n), length if products is None else products
    grown = growth(count, e) * growth(length, deviation)
    value = (grown - 1) * (math.isqrt(n - 1) + 1)
    return Bound(
        value,
        "(1 / ((1 - L e) (1 - L d)) - 1) sqrt(n), e = 3/2 g n",
        {"n": n, "length": length, "defect": deviation},
    )


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


# ---------------------------------------------------------------------- unitary.associativity
def _last_first(tokens: Matrices) -> Matrices:
    return word_product(tokens[::-1])


def _chunked(tokens: Matrices, size: int, product: Callable[[Matrices], Matrices]) -> Matrices:
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
        error = norms(_chunked(tokens, size, of.word_product) - of.word_product(tokens))
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


# ---------------------------------------------------------------------- antisymmetric score
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


def special_unitary(count: int, source: np.random.Generator) -> Matrices:
    """Haar distributed matrices of SU(2), shape `(count, 2, 2)`: unit quaternions."""
    q = source.standard_normal((count, 4))
    a, b, c, d = (q / np.sqrt((q**2).sum(axis=1))[:, None]).T
    return np.stack([a + 1j * b, -c + 1j * d, c + 1j * d, a - 1j * b], axis=-1).reshape(-1, 2, 2)


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


# ---------------------------------------------------------------------- unitary.blind_spots
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
