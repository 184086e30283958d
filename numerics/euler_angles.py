"""Euler angles of a product of rotations, in balls, rounded to a format.

Main definitions
----------------
Angles            alpha, beta, gamma of R = R_z(alpha) R_y(beta) R_z(gamma), in radians
angles_of_product the angles of R_1 R_2, each rounded to a format
products_to_try   pairs of rotations at both poles, near them, at half turns, and at random

Conventions
-----------
Angles are numbers of the format, of modulus at most pi rounded to it, and 0 <= beta.  A rotation is
the unitary matrix [[a, -b*], [b, a*]] of SU(2), up to its sign:
a = cos(beta / 2) e^(-i (alpha + gamma) / 2),  b = sin(beta / 2) e^(i (alpha - gamma) / 2).
Hence beta = 2 arg(|a| + i |b|), alpha = arg b - arg a and gamma = -arg a - arg b, modulo 2 pi.  At
the pole b = 0 only alpha + gamma is defined, and gamma is taken to be 0.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import product

import numpy as np
from flint import acb, arb

from posproof.numerics.balls import Undefined, ends, exact, precision
from posproof.numerics.formats import Format, round_exact

Angles = tuple[float, float, float]
#: R_1, R_2 and the rounded R_1 R_2.
Product = tuple[Angles, Angles, Angles]

#: Bits for two rotations of a format: angles of its smallest subnormal cancel once.
BITS = 512
#: Thicker balls than this, relative to 1, do not tell an angle.
THIN = Fraction(1, 2**256)


def angles_of_product(first: Angles, second: Angles, form: Format) -> Angles:
    """The angles of R_1 R_2, nearest in the format; a tie may go either way.

    Raises Undefined where no ball tells the product from a rotation about z or from a half turn of
    it; unless beta is 0 in both no angles of a format come there.
    """
    with precision(BITS):
        a1, b1 = _unitary(first)
        a2, b2 = _unitary(second)
        a, b = a1 * a2 - b1.conjugate() * b2, b1 * a2 + a1.conjugate() * b2
        if b.real.is_zero() and b.imag.is_zero():
            alpha, beta, gamma = -2 * _argument(a), arb(0), arb(0)
        else:
            to_a, to_b = _argument(a), _argument(b)
            alpha, beta, gamma = to_b - to_a, 2 * arb.atan2(abs(b), abs(a)), -to_a - to_b
        last, lift, earliest = (_nearest(_reduced(angle), form) for angle in (alpha, beta, gamma))
    return last, lift, earliest


def _unitary(angles: Angles) -> tuple[acb, acb]:
    """a and b of a rotation."""
    alpha, beta, gamma = (arb(exact(Fraction(angle))) / 2 for angle in angles)
    a, b = beta.cos(), beta.sin()
    turned, lifted = alpha + gamma, alpha - gamma
    return (
        acb(a * turned.cos(), -a * turned.sin()),
        acb(b * lifted.cos(), b * lifted.sin()),
    )


def _argument(z: acb) -> arb:
    """An argument of z, thin also at the negative axis, where it may be pi or a little more."""
    x, y = z.real, z.imag
    if x > 0:
        return (y / x).atan()
    if x < 0:
        return (y / x).atan() + arb.pi()
    quarter: arb = arb.pi() / 2
    if y > 0:
        return quarter - (x / y).atan()
    if y < 0:
        return -quarter - (x / y).atan()
    raise Undefined("no ball tells the direction of an entry that may be 0")


def _reduced(angle: arb) -> arb:
    """The same direction in -pi .. pi, up to the thickness of the ball."""
    while angle > arb.pi():
        angle = angle - 2 * arb.pi()
    while angle < -arb.pi():
        angle = angle + 2 * arb.pi()
    return angle


def _nearest(angle: arb, form: Format) -> float:
    low, high = ends(angle)
    if high - low > THIN:
        raise Undefined(f"{BITS} bits do not tell an angle")
    rounded = round_exact(low, form)
    assert rounded is not None  # pi is far below the largest number of every format
    return float(rounded)


# ---------------------------------------------------------------------- what is tried
#: Pairs of random rotations.
RANDOM = 32


@lru_cache(maxsize=8)
def products_to_try(form: Format, seed: int) -> tuple[Product, ...]:
    """Ordered pairs of rotations with their products.

    Poles, half and quarter turns and their neighbours against each other, and random ones.
    """
    source = np.random.default_rng(seed)
    half, quarter = (_nearest_to_pi(form, parts) for parts in (1, 2))
    below = half - 4 * float(form.unit_roundoff)  # its neighbour towards 0
    near = float(form.unit_roundoff)

    def drawn(low: float, high: float) -> float:
        value = round_exact(Fraction(source.uniform(low, high)), form)
        assert value is not None
        return float(value)

    def random() -> Angles:
        return drawn(-half, half), drawn(0, half), drawn(-half, half)

    alpha, beta, gamma = random()
    special: list[Angles] = [
        (0.0, 0.0, 0.0),
        (alpha, 0.0, gamma),
        (half, 0.0, 0.0),
        (0.0, quarter, 0.0),
        (0.0, 0.0, quarter),
        (0.0, half, 0.0),
        (alpha, half, gamma),
        (half, half, -half),
        (alpha, near, gamma),
        (-gamma, below, alpha),
        (alpha, beta, gamma),
        (-half, beta, quarter),
    ]
    pairs = [*product(special, special), *((random(), random()) for _ in range(RANDOM))]
    return tuple((one, two, angles_of_product(one, two, form)) for one, two in pairs)


def _nearest_to_pi(form: Format, parts: int) -> float:
    with precision(BITS):
        return _nearest(arb.pi() / parts, form)
