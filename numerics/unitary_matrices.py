"""Random unitary matrices, their ordered products, and how far rounding moves these.

Main definitions
----------------
haar, special_unitary   random matrices of U(n) and of SU(2), Haar distributed
word_product            the ordered product of a stack of matrices
word_products           the products of all words of one length
norms                   Frobenius norms of a stack
defect                  how far stored matrices are from unitary ones
word_bound              how far a computed product may lie from that of the stored matrices

Conventions
-----------
A stack of matrices has shape `(..., n, n)`, dtype complex128; the first token of a word is the
leftmost factor.  Norms are Frobenius norms.

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
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from posproof.theory.vocabulary import Bound

Matrices = NDArray[np.complex128]
U64 = Fraction(1, 2**53)
#: More than the square root of 2.
ROOT_TWO = Fraction(3, 2)


# ---------------------------------------------------------------------- matrices and words
def haar(n: int, count: int, source: np.random.Generator) -> Matrices:
    """Haar distributed unitary matrices, shape `(count, n, n)`.

    The diagonal of R is turned to be positive: QR alone is not Haar distributed.
    """
    gauss = source.standard_normal((2, count, n, n))
    q, r = np.linalg.qr(gauss[0] + 1j * gauss[1])
    diagonal = np.diagonal(r, axis1=-2, axis2=-1)
    return q * (diagonal / np.abs(diagonal))[:, None, :]


def special_unitary(count: int, source: np.random.Generator) -> Matrices:
    """Haar distributed matrices of SU(2), shape `(count, 2, 2)`: unit quaternions."""
    q = source.standard_normal((count, 4))
    a, b, c, d = (q / np.sqrt((q**2).sum(axis=1))[:, None]).T
    return np.stack([a + 1j * b, -c + 1j * d, c + 1j * d, a - 1j * b], axis=-1).reshape(-1, 2, 2)


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


def norms(stack: Matrices) -> NDArray[np.float64]:
    """Frobenius norms of a stack `(..., n, n)`."""
    return np.sqrt((stack.real**2 + stack.imag**2).sum(axis=(-2, -1)))


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
