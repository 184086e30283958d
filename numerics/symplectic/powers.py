"""Powers of S(a, b) in closed form: in floating point, in balls, and exactly.

Main definitions
----------------
rate, anisotropy    mu = 2 arsinh(sqrt(a b) / 2) and rho = sqrt(b (1 + a b / 4) / a)
closed_power        the entries of S(a, b)^n in float64
growth_bound        how far they can be off, relative to themselves
exact_power         a power of a matrix of fractions by squaring
stretch             the norm of a matrix of determinant 1, as a ball
Kernels             the definitions the checks measure; a control replaces one of them

Conventions
-----------
a, b > 0.  Matrices of fractions are tuples of rows.  u = 2^-53; a library function is within one
ulp, 2 u.

The bound
---------
The product a b is rounded, which its root halves; with the root and arsinh (of condition at most 1)
mu is within (1/2 + 1 + 2) u of the truth, relatively, and n mu within 9/2 u.  The hyperbolic cosine
turns a relative error e of its argument x into at most x e, the sine into (x + 1) e.  rho collects
3 u: four roundings of which the root halves the sum, and its own.

References
----------
Derived here; no publication is quoted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, arb_mat, fmpq, fmpz, fmpz_mat
from numpy.typing import NDArray

from posproof.numerics.balls import ends, exact, precision, show, upward
from posproof.numerics.formats import FORMATS
from posproof.numerics.hunt import hunt, rationals
from posproof.numerics.measure import within
from posproof.theory.symplectic.powers import DECOMPOSITIONS, POWERS
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control

Floats = NDArray[np.float64]
Matrix = tuple[tuple[Any, Any], tuple[Any, Any]]
U = FORMATS["float64"].unit_roundoff
ONE: Matrix = ((Fraction(1), Fraction(0)), (Fraction(0), Fraction(1)))


# ---------------------------------------------------------------------- kernels
def rate(a: Any, b: Any) -> Any:
    """mu of S(a, b), without cancellation for small a b."""
    return 2 * np.arcsinh(np.sqrt(a * b) / 2)


def anisotropy(a: Any, b: Any) -> Any:
    """rho of S(a, b)."""
    return np.sqrt(b * (1 + a * b / 4) / a)


def closed_power(a: Floats, b: Floats, n: Floats) -> Floats:
    """S(a, b)^n for arrays of one shape, as matrices of shape `(..., 2, 2)`."""
    x, rho = n * rate(a, b), anisotropy(a, b)
    c, s = np.cosh(x), np.sinh(x)
    return np.stack((np.stack((c, s / rho), -1), np.stack((rho * s, c), -1)), -2)


def times(left: Matrix, right: Matrix) -> Matrix:
    """The product of two matrices of exact numbers."""
    (p, q), (r, s) = left
    (x, y), (z, w) = right
    return (p * x + q * z, p * y + q * w), (r * x + s * z, r * y + s * w)


def exact_power(matrix: Matrix, n: int) -> Matrix:
    """The n-th power, n >= 0."""
    result = ONE
    while n:
        if n & 1:
            result = times(result, matrix)
        matrix, n = times(matrix, matrix), n >> 1
    return result


def symmetric(a: Any, b: Any) -> Matrix:
    """S(a, b) = L(b / 2) U(a) L(b / 2)."""
    return (1 + a * b / 2, a), (b * (1 + a * b / 4), 1 + a * b / 2)


def shear(kind: str, a: Any) -> Matrix:
    """U(a) or L(a)."""
    one, zero = Fraction(1), Fraction(0)
    return ((one, a), (zero, one)) if kind == "U" else ((one, zero), (a, one))


def combination(matrix: Matrix, det: Any, one: Any, zero: Any) -> Matrix:
    """one M - det zero I."""
    (p, q), (r, s) = matrix
    return (one * p - det * zero, one * q), (one * r, one * s - det * zero)


def stretch(matrix: Matrix) -> arb:
    """The norm of a matrix of fractions with determinant 1."""
    square = sum((x * x for row in matrix for x in row), Fraction(0)) - 2
    w = arb(exact(square)).sqrt() / 2
    return w + (1 + w * w).sqrt()


@dataclass(frozen=True)
class Kernels:
    """What the checks measure."""

    closed: Callable[[Floats, Floats, Floats], Floats] = closed_power
    ball_rate: Callable[[arb], arb] = lambda product: 2 * (product.sqrt() / 2).asinh()
    combination: Callable[..., Matrix] = combination
    following: Callable[..., Any] = lambda trace, det, one, zero: trace * one - det * zero
    lower: Callable[[Any], Matrix] = lambda a: shear("L", a)
    half: Fraction = Fraction(1, 2)


KERNELS = Kernels()


# ---------------------------------------------------------------------- symplectic.powers
def growth_bound(n: int, mu: float) -> Bound:
    """The relative error of every entry of `closed_power`: (9/2 n mu + 12) u.

    9/2 (n mu + 1) from the argument, 2 from the library, 3 from rho and 1 for multiplying or
    dividing by it: (9/2 n mu + 21/2) u; the rest covers products of errors while n mu <= 300.
    """
    value = (Fraction(9, 2) * n * Fraction(mu) + 12) * U
    return Bound(value, "(9/2 n mu + 12) u", {"n": n, "mu": mu, "u": "2^-53"})


def true_power(a: float, b: float, n: int) -> list[arb]:
    """The entries of S(a, b)^n by multiplication in balls, row by row."""
    x, y = arb(a), arb(b)
    matrix = arb_mat([[1 + x * y / 2, x], [y * (1 + x * y / 4), 1 + x * y / 2]]) ** n
    return [matrix[i, j] for i in range(2) for j in range(2)]


def _cancelling(a: Floats, b: Floats, n: Floats) -> Floats:
    """The rate from arcosh(1 + a b / 2), which forgets half the digits of a small product."""
    x, rho = n * np.arccosh(1 + a * b / 2), anisotropy(a, b)
    c, s = np.cosh(x), np.sinh(x)
    return np.stack((np.stack((c, s / rho), -1), np.stack((rho * s, c), -1)), -2)


@control("rate_by_arcosh", closed=_cancelling)
@control("one_step_more", closed=lambda a, b, n: closed_power(a, b, n + 1))
@checked_by(
    POWERS,
    "hyperbolic",
    "float",
    Scope("200 draws of a, b in [1e-6, 4], n mu <= 300", "3000 draws"),
    definitions=KERNELS,
)
def closed_form_in_float64(of: Kernels, run: Run) -> Evidence:
    """Each entry against a power in balls, in units of its own bound."""
    source = np.random.default_rng(run.seed)
    count = 3000 if run.profile == "full" else 200
    a, b = (10.0 ** source.uniform(-6, 0.6, count) for _ in range(2))
    largest = np.minimum(300 / rate(a, b), 10.0**6)
    n = np.floor(1 + source.uniform(0, 1, count) * (largest - 1))
    found = of.closed(a, b, n).reshape(count, 4)
    ratio, shown = Fraction(-1), (0.0, growth_bound(1, 0.0), "")
    with precision(300):
        for index in range(count):
            truth = true_power(float(a[index]), float(b[index]), int(n[index]))
            off = max(
                float(abs(arb(float(x)) / y - 1).upper())
                for x, y in zip(found[index], truth, strict=True)
            )
            bound = growth_bound(int(n[index]), float(rate(a[index], b[index])))
            if Fraction(off) / bound.value > ratio:
                where = f"a = {a[index]:.17g}, b = {b[index]:.17g}, n = {int(n[index])}"
                ratio, shown = Fraction(off) / bound.value, (off, bound, where)
    return within(shown[0], shown[1], witness=shown[2])


@control("half_forgotten", ball_rate=lambda product: 2 * product.sqrt().asinh())
@checked_by(
    POWERS,
    "hyperbolic",
    "ball",
    "a = 3/10, b = 1/5, n = 10^6",
    definitions=KERNELS,
)
def a_million_steps_in_balls(of: Kernels, run: Run) -> Evidence:
    """The power by squaring and the closed form overlap and agree to 200 bits."""
    n, limit = 10**6, Fraction(1, 2**200)
    bound = Bound(limit, "2^-200, relative")
    with precision(256):
        a, b = arb(fmpq(3, 10)), arb(fmpq(1, 5))
        mu = of.ball_rate(a * b)
        rho = (b * (1 + a * b / 4) / a).sqrt()
        c, s = (n * mu).cosh(), (n * mu).sinh()
        matrix = arb_mat([[1 + a * b / 2, a], [b * (1 + a * b / 4), 1 + a * b / 2]]) ** n
        largest = Fraction(0)
        for i, j, closed in ((0, 0, c), (0, 1, s / rho), (1, 0, rho * s), (1, 1, c)):
            entry = matrix[i, j]
            if not entry.overlaps(closed):
                witness = f"entry ({i}, {j}): {show(entry)} is not {show(closed)}"
                return Evidence("refuted", bound=bound, witness=witness)
            low, high = ends(entry / closed - 1)
            largest = max(largest, -low, high)
    return Evidence("holds" if largest < limit else "undecided", upward(largest), bound)


@control("shears_of_one_kind", lower=lambda a: shear("U", a))
@checked_by(
    POWERS,
    "fibonacci",
    "ball",
    Scope("n = 100000", "n = 100000, 1000003"),
    definitions=KERNELS,
)
def large_fibonacci_numbers(of: Kernels, run: Run) -> Evidence:
    """Exact integers: a power by squaring against the library's Fibonacci numbers."""
    sizes = (100_000, 1_000_003) if run.profile == "full" else (100_000,)
    product = times(shear("U", Fraction(1)), of.lower(Fraction(1)))
    for n in sizes:
        found = fmpz_mat([[int(x) for x in row] for row in product]) ** n
        above, middle, under = (fmpz.fib_ui(fmpz(2 * n + k)) for k in (1, 0, -1))
        if found != fmpz_mat([[above, middle], [middle, under]]):
            return Evidence("refuted", witness=f"n = {n}: entry (0, 1) is not F_{2 * n}")
    return Evidence("holds", measured=f"{middle.bit_length()} bits")


@control(
    "determinant_forgotten", combination=lambda m, det, one, zero: combination(m, 1, one, zero)
)
@control("index_shifted", combination=lambda m, det, one, zero: combination(m, det, zero, one))
@checked_by(
    POWERS,
    "cayley_hamilton",
    "property",
    "fractions a, b in [-5, 5], scaled by fractions in (0, 1], n <= 25",
    definitions=KERNELS,
)
def powers_of_fractions(of: Kernels, run: Run) -> Evidence:
    """M^n = u_n M - det u_(n-1) I exactly, and the form diag(c, -a) is kept by S^n."""
    from hypothesis import strategies

    def agrees(a: Fraction, b: Fraction, scale: Fraction, n: int) -> bool:
        (p, q), (r, s) = symmetric(a, b)
        matrix = ((scale * p, scale * q), (scale * r, scale * s))
        trace, det = 2 * scale * p, scale * scale
        zero, one = Fraction(0), Fraction(1)
        for _ in range(n - 1):
            zero, one = one, of.following(trace, det, one, zero)
        direct = exact_power(matrix, n)
        (p, q), (r, s) = direct
        form, factor = (symmetric(a, b)[1][0], -a), scale ** (2 * n)
        kept = (
            form[0] * p * p + form[1] * r * r == factor * form[0]
            and form[0] * p * q + form[1] * r * s == 0
            and form[0] * q * q + form[1] * s * s == factor * form[1]
        )
        return kept and direct == of.combination(matrix, det, one, zero)

    parts = rationals(-5, 5, 50)
    scales = rationals(Fraction(1, 10), 1, 10)
    drawn = {"a": parts, "b": parts, "scale": scales, "n": strategies.integers(1, 25)}
    first = {"a": Fraction(1), "b": Fraction(1), "scale": Fraction(1, 2), "n": 2}
    return hunt(agrees, drawn, run, first=first)


# ---------------------------------------------------------------------- symplectic.decompositions
@control("quarter_of_the_angle", half=Fraction(1, 4))
@checked_by(
    DECOMPOSITIONS,
    "product_of_shears",
    "property",
    "up to 12 shears of either kind, fractions in [-5, 5]",
    definitions=KERNELS,
)
def products_of_fractions(of: Kernels, run: Run) -> Evidence:
    """The norm of the product against the product of the norms, both as balls."""
    from hypothesis import strategies

    def below(shears: list[tuple[str, Fraction]]) -> bool:
        product, limit = ONE, arb(1)
        with precision(160):
            for kind, a in shears:
                product = times(shear(kind, a), product)
                w = arb(exact(of.half * abs(a)))
                limit *= w + (1 + w * w).sqrt()
            return not bool(stretch(product) > limit)

    one = strategies.tuples(strategies.sampled_from("UL"), rationals(-5, 5, 20))
    drawn = {"shears": strategies.lists(one, min_size=1, max_size=12)}
    first = {"shears": [("U", Fraction(1)), ("L", Fraction(1))]}
    return hunt(below, drawn, run, first=first)
