r"""One axis in floating point and in balls: frequencies and generators.

Main definitions
----------------
frequencies, decompose, peeled   spins to frequencies and back, the way back by two routes
exponential                      exp(-i omega n . J) by its Taylor series
Kernels                          what the checks measure; a control replaces one of them

Main claims
-----------
spherical.maximal_torus, spherical.generators

Conventions
-----------
As in `posproof.theory.spherical.torus`; u = 2^-53, n = 2l + 1.  Multisets of frequencies are
counted by twice the frequency, an integer: {2m: how often}; spins by 2l.

Bounds
------
A matrix whose entries are off by e is off by at most n e in norm.

exponential: the product of A = omega |n . J| with a vector of length 1 loses (n + 4) u |A|; the
k-th term of the series carries k of these, and sum k a^k / k! = a e^a with a = || |A| ||, at most
omega times (|n_z| + |n_x| + |n_y|) l.  Adding K terms loses K u e^a, leaving out the rest at most
a^K / K! e^a: (((n + 4) a + K) u + a^K / K!) e^a.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, fmpq
from numpy.typing import NDArray

from posproof.numerics import wigner
from posproof.numerics.balls import certify, precision
from posproof.numerics.hunt import hunt
from posproof.numerics.measure import within, worst
from posproof.numerics.spherical.representations import angle_error, closest, unit_quaternions
from posproof.theory.spherical.torus import (
    GENERATORS,
    MAXIMAL_TORUS,
    Generators,
    Torus,
)
from posproof.theory.vocabulary import Bound, Claim, Evidence, Run, checked_by, control

Complex = NDArray[np.complex128]
Floats = NDArray[np.float64]
U = wigner.U
TERMS = 60


# ---------------------------------------------------------------------- frequencies
def frequencies(spins: Mapping[int, int]) -> Counter[int]:
    """How often 2m occurs in the representation with `spins[2l]` copies of spin l."""
    found: Counter[int] = Counter()
    for twice, copies in spins.items():
        for order in range(-twice, twice + 1, 2):
            found[order] += copies
    return +found


def decompose(mu: Mapping[int, int]) -> dict[int, int] | None:
    """The spins a multiset of frequencies comes from, or None: mu(l) - mu(l + 1) copies each.

    >>> decompose({-2: 1, 2: 1}) is None
    True
    """
    if any(mu.get(-order, 0) != copies for order, copies in mu.items()):
        return None
    found = {}
    for order in range(max(mu, default=0) + 1):
        copies = mu.get(order, 0) - mu.get(order + 2, 0)
        if copies < 0:
            return None
        if copies:
            found[order] = copies
    return found


def peeled(mu: Mapping[int, int]) -> dict[int, int] | None:
    """The same by taking away the string of the largest frequency until nothing is left."""
    left = Counter(mu)
    found: Counter[int] = Counter()
    while left := +left:
        top = max(left, key=abs)
        for order in range(-abs(top), abs(top) + 1, 2):
            if not left[order]:
                return None
            left[order] -= 1
        found[abs(top)] += 1
    return dict(found)


# ---------------------------------------------------------------------- generators
def angular(twice: int) -> tuple[Complex, Complex, Complex]:
    """J_x, J_y, J_z, `(n, n)` each."""
    k = np.arange(twice)
    raise_ = np.diag(np.sqrt((twice - k) * (k + 1.0)), -1).astype(np.complex128)
    lower = raise_.T
    return (raise_ + lower) / 2, (raise_ - lower) / 2j, np.diag(np.arange(-twice, twice + 1, 2) / 2)


def exponential(twice: int, omega: float, axis: Floats) -> Complex:
    """exp(-i omega axis . J) by `TERMS` terms of its series."""
    x, y, z = angular(twice)
    A = -1j * omega * (axis[0] * x + axis[1] * y + axis[2] * z)
    term = found = np.eye(twice + 1, dtype=np.complex128)
    for k in range(1, TERMS):
        term = term @ A / k
        found = found + term
    return found


def exponential_bound(twice: int, omega: float, axis: Floats) -> Fraction:
    """How far `exponential` is from D, with the float kernel's own bound; see the module."""
    a = math.ceil(float(np.abs(axis).sum() * omega) * twice * 2**20) / 2**21
    rest = Fraction(a) ** TERMS / math.factorial(TERMS)
    growth = Fraction(math.exp(a)) * (1 + 4 * U)
    series = (((twice + 5) * Fraction(a) + TERMS) * U + rest) * growth
    return series + wigner.matrix_bound(twice) + 2 * angle_error(twice)


@dataclass(frozen=True)
class Kernels:
    """What the checks measure."""

    matrix: Callable[[int, Any], Complex] = wigner.matrix
    frequencies: Callable[[Mapping[int, int]], Counter[int]] = frequencies
    decompose: Callable[[Mapping[int, int]], dict[int, int] | None] = decompose
    exponential: Callable[[int, float, Floats], Complex] = exponential
    sign: int = -1


KERNELS = Kernels()


# ---------------------------------------------------------------------- spherical.maximal_torus
def _backwards(twice: int, angles: Any) -> Complex:
    return wigner.matrix(twice, -np.asarray(angles))


@control("opposite_frequencies", matrix=_backwards)
@checked_by(
    MAXIMAL_TORUS, "restriction", "float", "2l = 1, 2, 5, 10, 64; 40 angles", definitions=KERNELS
)
def restriction_in_float64(of: Kernels, run: Run) -> Evidence:
    draw = np.random.default_rng(run.seed)
    found = []
    for twice in (1, 2, 5, 10, 64):
        phi = draw.uniform(-np.pi, np.pi, 40)
        D = of.matrix(twice, np.stack([phi, 0 * phi, 0 * phi], axis=-1))
        exact = np.zeros_like(D)
        m = np.arange(twice + 1)
        with precision(100):
            for row, at in enumerate(phi):
                for index in m:
                    angle = arb(float(at)) * fmpq(2 * int(index) - twice, 2)
                    exact[row, index, index] = complex(float(angle.cos()), -float(angle.sin()))
        off, where = worst(np.abs(D - exact))
        bound = wigner.matrix_bound(twice) + 2 * U
        found.append((off / float(bound), off, bound, f"2l = {twice} {where}"))
    return closest(found, "(h + 33) u + 2 u")


@control("half_speed", around=lambda angle: Torus().around(angle / 2))
@checked_by(MAXIMAL_TORUS, "restriction", "ball", "2l = 1 .. 6 at five angles")
def restriction_in_balls(of: Torus, run: Run) -> Evidence:
    return _certify(
        MAXIMAL_TORUS, "restriction", of, [{"phi": Fraction(k, 3)} for k in (-8, 0, 1, 5, 11)], run
    )


def _certify(claim: Claim, name: str, of: Any, grid: list[dict[str, Any]], run: Run) -> Evidence:
    return certify(claim.clause(name).statement(of), grid, run.digits)


@control("half_angle_forgotten", turning=lambda angle: Torus().turning(2 * angle))
@checked_by(MAXIMAL_TORUS, "every_degree", "ball", "k, j = 0, 1, 4, 9")
def every_degree_in_balls(of: Torus, run: Run) -> Evidence:
    numbers = {"a": Fraction(2, 3), "a'": Fraction(-1, 2), "u": 3, "v": Fraction(5, 7)}
    grid = [
        {"k": k, "j": j, "phi": Fraction(5, 3), **numbers}
        for k in (0, 1, 4, 9)
        for j in (0, 1, 4, 9)
    ]
    return _certify(MAXIMAL_TORUS, "every_degree", of, grid, run)


def latitude_bound(twice: int) -> Fraction:
    """For unit q, k: four matrices off by n e in norm, sums of n products 8 n u, phases 9 u."""
    n = twice + 1
    return 4 * n * wigner.matrix_bound(twice) * (1 + n * U) + (8 * n + 9) * U * n


@control("opposite_phase", sign=1)
@checked_by(MAXIMAL_TORUS, "latitude", "float", "l = 5, theta = 1.1; 50 pairs", definitions=KERNELS)
def latitude_in_float64(of: Kernels, run: Run) -> Evidence:
    twice, theta, count = 10, 1.1, 50
    draw = np.random.default_rng(run.seed)
    q, k = draw.normal(size=(2, twice + 1)) + 1j * draw.normal(size=(2, twice + 1))
    q, k = q / np.linalg.norm(q), k / np.linalg.norm(k)
    phi = draw.uniform(0, 2 * np.pi, (2, count))
    zero = np.zeros(count)
    here, there = (of.matrix(twice, np.stack([at, zero + theta, zero], axis=-1)) for at in phi)
    score = np.einsum("ij,ij->i", (here @ q).conj(), there @ k)
    d = wigner.small(twice, theta)
    m = np.arange(-twice, twice + 1, 2) / 2
    c0, s0 = wigner.phases(m, phi[0])
    c1, s1 = wigner.phases(m, phi[1])
    turns = (c1 + of.sign * 1j * s1) * (c0 - of.sign * 1j * s0)
    rotary = turns @ ((d @ q).conj() * (d @ k))
    off, where = worst(np.abs(score - rotary))
    return within(off, Bound(latitude_bound(twice), "4 n e + (8 n + 9) n u", {}), witness=where)


def _spins() -> Any:
    from hypothesis import strategies as st

    copies = st.dictionaries(st.integers(0, 8), st.integers(1, 3), max_size=5)
    parity = st.integers(0, 1)
    return st.builds(lambda d, odd: {2 * spin + odd: c for spin, c in d.items()}, copies, parity)


def _weights_alone(mu: Mapping[int, int]) -> dict[int, int]:
    return {order: copies for order, copies in mu.items() if order >= 0}


@control("weights_alone", decompose=_weights_alone)
@checked_by(MAXIMAL_TORUS, "occurring", "property", "spins to 17/2", definitions=KERNELS)
def spins_from_frequencies(of: Kernels, run: Run) -> Evidence:
    def holds(spins: dict[int, int]) -> bool:
        mu = of.frequencies(spins)
        falls = all(mu[order] >= mu[order + 2] for order in mu if order >= 0)
        return falls and of.decompose(mu) == spins

    return hunt(holds, {"spins": _spins()}, run, first={"spins": {2: 1}})


def _whatever_falls(mu: Mapping[int, int]) -> dict[int, int]:
    """Without the test that the multiplicities fall outwards."""
    return {o: mu.get(o, 0) - mu.get(o + 2, 0) for o in range(max(mu, default=0) + 1)}


@control("rises_allowed", decompose=_whatever_falls)
@checked_by(MAXIMAL_TORUS, "realised", "property", "frequencies to 9/2", definitions=KERNELS)
def frequencies_that_occur(of: Kernels, run: Run) -> Evidence:
    """Against taking strings away one after the other."""
    from hypothesis import strategies as st

    def holds(half: dict[int, int], odd: int) -> bool:
        mu = {sign * (2 * m + odd): c for m, c in half.items() for sign in (-1, 1)}
        return of.decompose(mu) == peeled(mu)

    half = st.dictionaries(st.integers(0, 4), st.integers(1, 3), max_size=4)
    case = {"half": {1: 1}, "odd": 0}
    return hunt(holds, {"half": half, "odd": st.integers(0, 1)}, run, first=case)


def _growing(b: Any, t: Any) -> Any:
    import sympy

    return sympy.exp(t * sympy.log(b))


@control("growing", power=_growing)
@checked_by(MAXIMAL_TORUS, "vanilla", "ball", "three bases, dimensions 64 and 128")
def vanilla_in_balls(of: Torus, run: Run) -> Evidence:
    grid = [
        {"b": b, "t": Fraction(2 * k, d)}
        for b in (2, 10_000, 500_000)
        for d in (64, 128)
        for k in (1, 7, d // 2 - 1)
    ]
    return _certify(MAXIMAL_TORUS, "vanilla", of, grid, run)


# ---------------------------------------------------------------------- spherical.generators
def _y_reversed(twice: int) -> Any:
    x, y, z = Generators().axes(twice)
    return x, type(y)(y.real, -y.imag), z


@control("y_reversed", axes=_y_reversed)
@checked_by(GENERATORS, "commutators", "ball", "l = 1/2, 1, 3/2, 2, 3")
def commutators_in_balls(of: Generators, run: Run) -> Evidence:
    return _certify(GENERATORS, "commutators", of, [{}], run)


@control("l_squared", casimir=lambda spin: spin**2)
@checked_by(GENERATORS, "casimir", "ball", "l = 1/2, 1, 3/2, 2, 3")
def casimir_in_balls(of: Generators, run: Run) -> Evidence:
    return _certify(GENERATORS, "casimir", of, [{}], run)


def _vectors() -> list[dict[str, Any]]:
    return [
        {"n_z": Fraction(a, 3), "n_+": Fraction(b, 2), "n_-": c, "lambda": Fraction(d, 5)}
        for a, b, c, d in ((1, -2, 3, 4), (0, 5, 1, -2), (-7, 1, 2, 9))
    ]


def _unit_steps(twice: int, n_z: Any, n_plus: Any, n_minus: Any) -> Any:
    found = Generators().generator(twice, n_z, n_plus, n_minus).as_mutable()
    for i in range(twice):
        found[i + 1, i], found[i, i + 1] = n_minus / 2, n_plus / 2
    return found.as_immutable()


@control("flat_ladder", generator=_unit_steps)
@checked_by(GENERATORS, "characteristic", "ball", "l = 1/2, 1, 3/2, 2 at three vectors")
def characteristic_in_balls(of: Generators, run: Run) -> Evidence:
    return _certify(GENERATORS, "characteristic", of, _vectors(), run)


def _negative(twice: int, p: Any, q: Any, r: Any, s: Any) -> Any:
    return Generators().linearised(twice, -p, -q, -r, -s)


@control("a_conjugated", linearised=_negative)
@checked_by(GENERATORS, "linear_term", "ball", "l = 1/2, 1, 3/2, 2, 3 at three vectors")
def linear_term_in_balls(of: Generators, run: Run) -> Evidence:
    grid = [{name: v for name, v in point.items() if name != "lambda"} for point in _vectors()]
    return _certify(GENERATORS, "linear_term", of, grid, run)


def _opposite_series(twice: int, omega: float, axis: Floats) -> Complex:
    """J_y with the opposite sign."""
    return exponential(twice, omega, axis * np.array([1.0, -1.0, 1.0]))


@control("y_reversed", exponential=_opposite_series)
@checked_by(
    GENERATORS, "axis_angle", "float", "2l = 1 .. 7, ten rotations each", definitions=KERNELS
)
def exponential_in_float64(of: Kernels, run: Run) -> Evidence:
    """exp(-i omega n . J) by its series against the float kernel."""
    draw = np.random.default_rng(run.seed)
    found = []
    for twice in range(1, 8):
        for _ in range(10):
            axis = draw.normal(size=3)
            axis /= np.linalg.norm(axis)
            omega = float(draw.uniform(0, 2))
            q = np.append(math.cos(omega / 2), axis * math.sin(omega / 2))
            D = wigner.matrix(twice, wigner.angles_of_quaternions(q))
            off = float(np.abs(of.exponential(twice, omega, axis) - D).max())
            bound = exponential_bound(twice, omega, axis)
            found.append((off / float(bound), off, bound, f"2l = {twice}, omega = {omega!r}"))
    return closest(found, "(((n + 4) a + K) u + a^K / K!) e^a + (h + 33) u + 160 l u")


def _half_turned(twice: int, angles: Any) -> Complex:
    return wigner.matrix(twice, np.asarray(angles) / 2)


@control("half_the_angle", matrix=_half_turned)
@checked_by(
    GENERATORS, "lipschitz", "float", "2l = 1, 2, 7, 20, 64; 20 pairs each", definitions=KERNELS
)
def distance_in_float64(of: Kernels, run: Run) -> Evidence:
    """The Frobenius norm of D(R) - D(R'), whose square is the sum of 4 sin^2(m delta / 2).

    Both matrices are off by n e in that norm; the square root of the sum of 4 sin^2 by 6 n u.
    """
    draw = np.random.default_rng(run.seed)
    found = []
    for twice in (1, 2, 7, 20, 64):
        q = unit_quaternions(20, run.seed)
        delta = draw.uniform(0, np.pi, 20)
        axis = draw.normal(size=(20, 3))
        axis /= np.linalg.norm(axis, axis=1)[:, None]
        turn = np.concatenate([np.cos(delta / 2)[:, None], axis * np.sin(delta / 2)[:, None]], 1)
        here = of.matrix(twice, wigner.angles_of_quaternions(q))
        there = of.matrix(twice, wigner.angles_of_quaternions(wigner.quaternion_product(q, turn)))
        m = np.arange(-twice, twice + 1, 2) / 2
        exact = np.sqrt((4 * np.sin(np.outer(delta, m) / 2) ** 2).sum(axis=1))
        off, where = worst(np.linalg.norm(here - there, axis=(1, 2)) - exact)
        n = twice + 1
        bound = n * (2 * wigner.matrix_bound(twice) + 2 * angle_error(twice) + 6 * U)
        bound += n * Fraction(twice, 2) * 4 * U
        found.append((off / float(bound), off, bound, f"2l = {twice} {where}"))
    return closest(found, "n (2 e + 160 l u + 6 u + 4 l u)")


@control("half_of_l", steepest=lambda twice: twice / 4)
@checked_by(GENERATORS, "lipschitz", "ball", "2l = 1, 4, 9")
def lipschitz_in_balls(of: Generators, run: Run) -> Evidence:
    grid = [
        {
            "n": n,
            "k": k,
            "delta": Fraction(1, 7),
            "x": [1] + [0] * (n - 1) + [1],
            "y": [0] * (n + 1),
        }
        for n in (1, 4, 9)
        for k in (0, n)
    ]
    return _certify(GENERATORS, "lipschitz", of, grid, run)
