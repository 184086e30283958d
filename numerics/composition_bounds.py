r"""Rounding error of what is composed: products, Wigner matrices, softmax.  Bounds as fractions.

Main definitions
----------------
Counted                                how much of each error a bound counts; controls alter it
rotation_product                       a product of n rounded rotations, as complex numbers
shear_product, frozen_after            a product of n shears, and the step at which it freezes
orthogonal_product                     a product of n stored orthogonal matrices, Frobenius norm
wigner_matrix, wigner_homomorphism     one Wigner matrix, and the product of two, Frobenius norm
mean_gap                               the largest mean gap of a softmax row, W_0((n - 1) / e)
softmax_log, softmax_relative          the error of a softmax entry, of its logarithm and relative
log_sum_exp                            the absolute error of a logarithm of a sum of exponentials
total_variation, attention             what errors of the scores do to a row of probabilities

Conventions
-----------
u is a unit roundoff, omega half a smallest subnormal, kappa = (1 + sqrt 2) u + sqrt(2) u^2 the
rounding error of a complex product.  A library function of K ulp has the relative error 2 K u.
Every bound is evaluated in balls and its upper end returned, so it is a fraction that is never
below the real number the formula stands for.

The bounds
----------
rotations   Every entry is off by at most eps and every product adds kappa of its size and w below
            the normal numbers: (1 + eps)^n (1 + kappa)^(n-1) - 1 + w (r^(n-1) - 1) / (r - 1),
            r = (1 + eps)(1 + kappa).
shears      The corner entry is a recursive sum: (n - 1) u per sum of |a_k|, without restriction
            on n.  Equal steps 2^-m stop changing it after 2^p of them.
orthogonal  Factors of 2-norm at most 1 + delta, delta = 1.01 u sqrt(d), and inner products of d
            terms with gamma = d u / (1 - d u): sqrt(d) [((1 + delta)(1 + gamma sqrt d))^n - 1].
Wigner      D = A V B V* G with diagonal phases A, B, G and the eigenvectors V of J_y, n = 2 l + 1.
            A phase is off by eps = l pi (1 + u) u + tau, a stored eigenvector by u, an inner
            product of n terms by mu = (1 + kappa)(1 + u)^(n-1) - 1 of the sum of the moduli, M is
            the Frobenius norm of |V| |V|^T, v = (1 + u)(1 + u sqrt n) bounds norms of stored V:
            e_D = sqrt(n) [(1 + eps)^3 (1 + kappa)^2 (1 + 2 u + u^2 sqrt(n) + kappa v) - 1]
                  + mu (1 + u)^2 (1 + eps)^3 (1 + kappa)^3 M.
            Two of them multiplied, against the one of the rounded Euler angles of the product:
            mu (sqrt(n) + e_D)^2 + 3 e_D + e_D^2 + 3 pi (1 + u) u sqrt(l (l + 1)(2 l + 1) / 3).
softmax     With gaps w_j = max x - x_j: u w_j + u W / (1 - u) - a ln(1 - u) - 2 ln(1 - 2 K u),
            W = W_0((n - 1) / e) <= ln n, and a = n for a recursive sum and ceil(log2 n) + 1 for a
            pairwise one.  Nothing underflows.
logsumexp   s = u W / (1 - u) - (n - 1) ln(1 - u) - ln(1 - 2 K u) for the logarithm of the sum, then
            e = s + 2 K u (|ln S| + s) for the computed logarithm and e (1 + u) + u |lse| in all.
rows        Scores off by at most Delta each move a row by tanh(Delta / 2) in total variation.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb, factorial

from flint import arb

from posproof.numerics.balls import ends, exact, precision
from posproof.numerics.formats import Format
from posproof.numerics.tolerances import CORRECTLY_ROUNDED, half_subnormal, library_error

#: Bits in which the bounds are evaluated.
BITS = 192


@dataclass(frozen=True)
class Counted:
    """How much of each error a bound counts: 1 is what the derivation gives."""

    entry: Fraction = Fraction(1)
    product: Fraction = Fraction(1)
    sum: Fraction = Fraction(1)
    gap: Fraction = Fraction(1)
    library: Fraction = Fraction(1)


COUNTED = Counted()


def _ball(value: Fraction | int) -> arb:
    return arb(exact(Fraction(value)))


def _upper(value: arb) -> Fraction:
    return ends(value)[1]


def _product_error(u: arb) -> arb:
    """kappa of a complex product."""
    return (1 + arb(2).sqrt()) * u + arb(2).sqrt() * u**2


# ---------------------------------------------------------------------- products
def rounded_entry(form: Format) -> Fraction:
    """The error of a cosine and a sine that were rounded correctly, as one complex number."""
    with precision(BITS):
        below = arb(2).sqrt() * _ball(half_subnormal(form))
        return _upper(_ball(form.unit_roundoff) + below)


def rotation_product(
    steps: int, form: Format, entry: Fraction | None = None, of: Counted = COUNTED
) -> Fraction:
    """The error of a product of `steps` >= 1 rounded rotations, multiplied one after the other.

    `entry` bounds the error of each factor; correctly rounded ones unless told.
    """
    if entry is None:
        entry = rounded_entry(form)
    with precision(BITS):
        u, root = _ball(form.unit_roundoff), arb(2).sqrt()
        grown = 1 + _ball(of.entry * entry)
        factor = grown * (1 + _ball(of.product) * _product_error(u))
        below = 2 * root * (1 + u) * _ball(half_subnormal(form))
        whole = factor ** (steps - 1)
        tail = below * (whole - 1) / (factor - 1) if factor > 1 else below * (steps - 1)
        return _upper(whole * grown - 1 + tail)


def shear_product(steps: int, form: Format, of: Counted = COUNTED) -> Fraction:
    """The error of the corner entry of `steps` shears, per sum of the moduli of their entries."""
    return of.sum * (steps - 1) * form.unit_roundoff


def frozen_after(form: Format) -> int:
    """The number of equal steps, a power of two each, after which a sum of them stays as it is."""
    return int(2**form.significand)


def inner_product_error(terms: int, form: Format) -> Fraction:
    """gamma = n u / (1 - n u); ValueError where n u is 1 or more."""
    u = form.unit_roundoff
    if terms * u >= 1:
        raise ValueError(f"{terms} roundings of {form.name} have no bound of this form")
    return terms * u / (1 - terms * u)


#: By how much a stored matrix may exceed an orthogonal one, in units of u sqrt(d): the entries'
#: own rounding is 1, and a hundredth pays for the entries below the normal numbers.
STORED = Fraction(101, 100)


def orthogonal_product(steps: int, dimension: int, form: Format, of: Counted = COUNTED) -> Fraction:
    """The error of a product of `steps` stored orthogonal matrices, (d, d), in Frobenius norm.

    The exact product is that of the stored factors.  Guaranteed and very conservative: products of
    Householder matrices come to a hundredth of it and less.
    """
    gamma = of.product * inner_product_error(dimension, form)
    with precision(BITS):
        root = arb(dimension).sqrt()
        stored = of.entry * STORED * form.unit_roundoff
        factor = (1 + _ball(stored) * root) * (1 + _ball(gamma) * root)
        return _upper(root * (factor**steps - 1))


# ---------------------------------------------------------------------- Wigner matrices
@lru_cache
def eigenvector_squares(degree: int) -> tuple[tuple[Fraction, ...], ...]:
    """|V_mk|^2 with the sign of d_mk(pi/2), rows m and columns k from -l to l.

    V_mk = (-i)^m d_mk(pi/2) are the eigenvectors of J_y, and d_mk(pi/2)^2 is rational.
    """
    orders = range(-degree, degree + 1)
    return tuple(tuple(_quarter_turn(degree, m, k) for k in orders) for m in orders)


def _quarter_turn(degree: int, m: int, k: int) -> Fraction:
    """sign(d) d^2 for Wigner's small d_mk at a quarter turn, by its sum over binomials."""
    signed = sum(
        (-1) ** (m - k + s) * comb(degree + k, s) * comb(degree - k, degree - m - s)
        for s in range(max(0, k - m), min(degree + k, degree - m) + 1)
    )
    weight = Fraction(
        factorial(degree + m) * factorial(degree - m),
        factorial(degree + k) * factorial(degree - k),
    )
    return weight * signed * abs(signed) / 4**degree


@lru_cache
def moduli_product(degree: int) -> Fraction:
    """M: the Frobenius norm of |V| |V|^T, at most n."""
    with precision(BITS):
        rows = [[abs(_ball(x)).sqrt() for x in row] for row in eigenvector_squares(degree)]
        square = arb(0)
        for row in rows:
            for other in rows:
                square += sum((x * y for x, y in zip(row, other, strict=True)), arb(0)) ** 2
        return _upper(square.sqrt())


def _inner(terms: int, u: arb, of: Counted) -> arb:
    """mu: complex inner products of n terms, the products first."""
    return _ball(of.product) * ((1 + _product_error(u)) * (1 + u) ** (terms - 1) - 1)


def wigner_matrix(degree: int, form: Format, of: Counted = COUNTED) -> Fraction:
    """The error of a computed Wigner matrix D^l for angles of modulus at most pi, given exactly.

    Or rounded correctly from such: then the bound is about the rounded angles.
    """
    with precision(BITS):
        u, n = _ball(form.unit_roundoff), 2 * degree + 1
        root, kappa = arb(n).sqrt(), _product_error(u)
        library = of.library * library_error(form)
        phase = 1 + degree * arb.pi() * (1 + u) * u + _ball(library)
        turned = 1 + 2 * u + u**2 * root + kappa * (1 + u) * (1 + u * root)
        phases = phase**3 * (1 + kappa) ** 2 * turned - 1
        sums = _inner(n, u, of) * (1 + u) ** 2 * phase**3 * (1 + kappa) ** 3
        return _upper(root * phases + sums * _ball(moduli_product(degree)))


def wigner_homomorphism(degree: int, form: Format, of: Counted = COUNTED) -> Fraction:
    """The error of fl(D(R_1) D(R_2)) against D of the rounded Euler angles of R_1 R_2."""
    with precision(BITS):
        u, n = _ball(form.unit_roundoff), 2 * degree + 1
        one = _ball(wigner_matrix(degree, form, of))
        steepness = (arb(degree * (degree + 1) * (2 * degree + 1)) / 3).sqrt()
        angles = 3 * arb.pi() * (1 + u) * u * steepness
        product = _inner(n, u, of) * (arb(n).sqrt() + one) ** 2
        return _upper(product + 3 * one + one**2 + angles)


# ---------------------------------------------------------------------- softmax
@lru_cache
def mean_gap(terms: int) -> Fraction:
    """The largest sum of g_j w_j over rows of n terms with a zero gap: W_0((n - 1) / e)."""
    with precision(BITS):
        return _upper((arb(terms - 1) * arb(-1).exp()).lambertw())


def additions(terms: int, pairwise: bool = False) -> int:
    """The most additions that a term of a sum of n goes through."""
    return (terms - 1).bit_length() if pairwise else terms - 1


def _lost(value: Fraction) -> arb:
    """-ln(1 - x): what a relative error of x is worth in logarithms, either way."""
    if value >= 1:
        raise ValueError("a relative error of 1 or more has no bound")
    return -(1 - _ball(value)).log()


def _sum_error(terms: int, form: Format, ulps: Fraction, pairwise: bool, of: Counted) -> arb:
    """What the logarithm of the computed sum of exponentials is off by."""
    u = form.unit_roundoff
    spread = _ball(of.gap * u * mean_gap(terms) / (1 - u))
    rounded = _ball(of.sum) * additions(terms, pairwise) * _lost(u)
    return spread + rounded + _lost(of.library * 2 * ulps * u)


def softmax_log(
    terms: int,
    gap: Fraction,
    form: Format,
    *,
    ulps: Fraction = CORRECTLY_ROUNDED,
    pairwise: bool = False,
    of: Counted = COUNTED,
) -> Fraction:
    """The error of the logarithm of a shifted softmax entry whose logit is `gap` below the largest.

    Every stage works in `form`, the exponential within `ulps` ulp, and nothing underflows.
    """
    u = form.unit_roundoff
    with precision(BITS):
        own = _ball(of.gap * u * gap) + _lost(of.library * 2 * ulps * u) + _lost(u)
        return _upper(own + _sum_error(terms, form, ulps, pairwise, of))


def softmax_relative(
    terms: int,
    gap: Fraction,
    form: Format,
    *,
    ulps: Fraction = CORRECTLY_ROUNDED,
    pairwise: bool = False,
) -> Fraction:
    """The relative error of the same entry: exp(b) - 1 for a bound b of its logarithm."""
    bound = softmax_log(terms, gap, form, ulps=ulps, pairwise=pairwise)
    with precision(BITS):
        return _upper(_ball(bound).expm1())


def log_sum_exp(
    terms: int,
    value: Fraction,
    log_sum: Fraction,
    form: Format,
    *,
    ulps: Fraction = CORRECTLY_ROUNDED,
    pairwise: bool = False,
    of: Counted = COUNTED,
) -> Fraction:
    """The absolute error of m + ln(sum of exp(x_j - m)), m the largest of n logits.

    `value` bounds the modulus of the result, `log_sum` the exact ln of the sum, at most ln n;
    exponential and logarithm are within `ulps` ulp.
    """
    u = form.unit_roundoff
    with precision(BITS):
        logarithm = _sum_error(terms, form, ulps, pairwise, of)
        library = _ball(of.library * 2 * ulps * u)
        before = logarithm + library * (_ball(log_sum) + logarithm)
        return _upper(before * (1 + _ball(u)) + _ball(u * value))


def total_variation(score_error: Fraction) -> Fraction:
    """How far two softmax rows may lie apart whose scores differ by at most `score_error` each."""
    with precision(BITS):
        return _upper((_ball(score_error) / 2).tanh())


def attention(score: Fraction, norms: Fraction, head_dim: int) -> Fraction:
    """The same for scores within `score` of |q| |k| <= `norms`, divided by the root of head_dim."""
    with precision(BITS):
        scaled = _ball(score * norms) / (2 * arb(head_dim).sqrt())
        return _upper(scaled.tanh())
