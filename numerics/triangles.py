"""Triangles of points on the sphere, and what the scores around them multiply to, in balls.

Main definitions
----------------
triangle_value     s_m(x, y) s_m(y, z) s_m(z, x) from distances and the area
triangles_to_try   corners in a format: both orientations, thin and large ones, and random ones

Conventions
-----------
s_m(x, y) = D^l_mm(sigma_x^-1 sigma_y) for any lifts sigma, l and m integers.  With
A = (1 + x.y) / 2 and B = (1 - x.y) / 2 of each side and
k = (1 + x.y + y.z + z.x + i det[x, y, z]) / 4 the product is k^(2m) times the product of
sum_t (-1)^t C(l + m, t) C(l - m, t) A^(l - m - t) B^t for m >= 0, and for m < 0 the complex
conjugate of that for -m.  |k|^2 is the product of the three A, and 2 arg k is the area.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import comb

import numpy as np
from flint import acb, arb
from numpy.typing import NDArray

from posproof.numerics.balls import precision
from posproof.numerics.formats import Format, round_array

Array = NDArray[np.float64]
Vector = tuple[float, float, float]

#: Bits for a triangle; terms of a sum cancel to 2^-l of their size.
BITS = 256
#: Corners keep this far from the axis, where polar angles computed as arc cosines lose digits.
CLEARANCE = 1 / 16
#: Triangles of random points.
RANDOM = 24


def _unit(x: Vector) -> list[arb]:
    parts = [arb(float(part)) for part in x]
    length = sum((part**2 for part in parts), arb(0)).sqrt()
    return [part / length for part in parts]


def _dot(x: Sequence[arb], y: Sequence[arb]) -> arb:
    return sum((a * b for a, b in zip(x, y, strict=True)), arb(0))


def triangle_value(degree: int, channel: int, x: Vector, y: Vector, z: Vector) -> complex:
    """The product of the scores around the directions of three vectors, each part rounded."""
    with precision(BITS + 2 * degree):
        first, second, third = (_unit(point) for point in (x, y, z))
        sides = [_dot(first, second), _dot(second, third), _dot(third, first)]
        cross = [
            second[1] * third[2] - second[2] * third[1],
            second[2] * third[0] - second[0] * third[2],
            second[0] * third[1] - second[1] * third[0],
        ]
        corner = acb(1 + sides[0] + sides[1] + sides[2], _dot(first, cross)) / 4
        m = abs(channel)
        product = corner ** (2 * m)
        for cosine in sides:
            above, below = (1 + cosine) / 2, (1 - cosine) / 2
            terms = (
                (1 - 2 * (t % 2))
                * comb(degree + m, t)
                * comb(degree - m, t)
                * above ** (degree - m - t)
                * below**t
                for t in range(degree - m + 1)
            )
            product *= sum(terms, arb(0))
        value = complex(float(product.real), float(product.imag))
    return value if channel >= 0 else value.conjugate()


def _listed(row: Array) -> Vector:
    x, y, z = row.tolist()
    return x, y, z


@lru_cache(maxsize=8)
def triangles_to_try(form: Format, seed: int) -> tuple[tuple[Vector, Vector, Vector], ...]:
    """Corners as numbers of the format, of length 1 up to their rounding."""
    source = np.random.default_rng(seed)
    octant = np.array([[2, 2, 1], [-2, 1, 2], [1, -2, 2]]) / 3  # at right angles to each other
    thin = np.array([[1, 0, 0.5], [1, 0.01, 0.5], [1, 0, 0.51]])
    large = np.array([[1, 0.1, 0.2], [-0.6, 0.8, -0.1], [-0.5, -0.9, -0.2]])
    dateline = np.array([[-1, 0.01, 0.3], [-1, -0.01, 0.4], [-1, 0.2, -0.1]])
    shapes = [octant, octant[::-1], thin, large, large[::-1], dateline, octant * [1, 1, -1]]
    while len(shapes) < 7 + RANDOM:
        shapes.append(source.standard_normal((3, 3)))
    found: list[tuple[Vector, Vector, Vector]] = []
    for shape in shapes:
        units = shape / np.linalg.norm(shape, axis=1, keepdims=True)
        while np.hypot(units[:, 0], units[:, 1]).min() < CLEARANCE:
            units = source.standard_normal((3, 3))
            units /= np.linalg.norm(units, axis=1, keepdims=True)
        first, second, third = (_listed(row) for row in round_array(units, form))
        found.append((first, second, third))
    return tuple(found)
