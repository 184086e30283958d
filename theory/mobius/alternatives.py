r"""Ladders that do not return to -I: periodic, algebraic, aperiodic in the band, decimal.

Main definitions
----------------
periodic_kernel         the matched control of holonomy +1, with or without the zero frequency
standard_frequency      b^(-2 i / d), the usual ladder
geometric_frequency     a geometric ladder in the band pi / N .. (2 m - 1) pi / N
jittered_frequency      the anti-periodic ladder moved by golden-ratio fractions
operator_distance       the largest 2 |cos(theta_i D / 2)|, the distance of R(D) to -I

Main claims
-----------
mobius.periodic_control, mobius.algebraic_ladders, mobius.aperiodic_distance, mobius.decimal_bases

Conventions
-----------
As in `ladder`.  Distances are operator norms of R(D) + I over the planes of one head.

References
----------
bae2026mobius
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy
from sympy import Rational, cos, pi, sin, sqrt

from posproof.theory.mobius.ladder import IDENTITY, frequency, rotation
from posproof.theory.symbols import Variable, sequence, total, variables
from posproof.theory.vocabulary import (
    And,
    Box,
    Claim,
    Clause,
    Eq,
    Exists,
    Finite,
    ForAll,
    Implies,
    Int,
    Integer,
    Le,
    Lt,
    Ne,
    Not,
    Or,
    Positive,
    Predicate,
    Prop,
    Real,
)
from posproof.theory.vocabulary import Rational as Rationals

i, r = variables("i r", Int(0))
m, N, half, d = variables("m N h d", Int(1))
j, k, offset = variables("j k E", Integer)
D, theta, phi = variables("D theta phi", Real)
epsilon, root, scale = variables("epsilon rho theta", Positive)
base = Variable("b", Rationals)

omega = sequence("theta", Real)

#: The comparison of the table: context, planes, base.
WINDOW, PLANES, BASE = 512, 32, 10_000


def periodic_frequency(i: Any, N: Any, shift: int) -> Any:
    """The periodic control; `shift` 0 keeps the zero frequency, 1 leaves it out."""
    return 2 * pi * (i + shift) / N


def closed_periodic(m: Any, N: Any, D: Any, shift: int) -> Any:
    """The closed form of the periodic kernel, for sin(pi D / N) != 0."""
    middle = pi * (m - 1 + 2 * shift) * D / N
    return cos(middle) * sin(pi * m * D / N) / sin(pi * D / N)


def standard_frequency(i: int, m: int) -> Any:
    """b^(-2 i / d) with the base of the table and d = 2 m."""
    return sympy.Integer(BASE) ** Rational(-i, m)


def geometric_frequency(i: int, m: int) -> Any:
    """The geometric ladder from pi / N to (2 m - 1) pi / N."""
    return pi / WINDOW * sympy.Integer(2 * m - 1) ** Rational(i, m - 1)


def jittered_frequency(i: int, m: int) -> Any:
    """The anti-periodic ladder moved by frac((i + 1) golden) - 1/2 of a half step."""
    turns = (i + 1) * (1 + sqrt(5)) / 2
    return pi * (2 * i + 1 + turns - sympy.floor(turns) - Rational(1, 2)) / WINDOW


def mobius_frequency(i: int, m: int) -> Any:
    """The anti-periodic ladder at the table's context."""
    return frequency(sympy.Integer(i), sympy.Integer(WINDOW))


def periodic_table_frequency(i: int, m: int) -> Any:
    """The periodic control without the zero frequency, at the table's context."""
    return periodic_frequency(sympy.Integer(i), sympy.Integer(WINDOW), 1)


def decade_bound(n: Any) -> Any:
    """sin(pi / (2 (n + 1))): half the distance two planes of even ratio n keep from -I."""
    return sin(pi / (2 * (n + 1)))


def chord(phi: Any) -> Any:
    """How far the rotation by `phi` is from -I, up to sign."""
    return 2 * cos(phi / 2)


def power_relation(theta: Any, base: Any, d: Any, i: Any) -> Prop:
    """theta^d b^(2 i) = 1, which for theta > 0 says theta = b^(-2 i / d)."""
    return Eq(theta**d * base ** (2 * i), 1)


def decimal_frequency(i: Any, d: Any) -> Any:
    """10^4^(-2 i / d), written as a power of ten."""
    return sympy.Integer(10) ** (-8 * i / d)


def extremal_angle(n: Any) -> Any:
    """Where two planes of even ratio n are equally far from -I, and as near as they get."""
    return pi * (n + 2) / (n + 1)


@dataclass(frozen=True)
class Alternatives:
    """The definitions of this topic; a control replaces one of them."""

    frequency: Callable[[Any, Any], Any] = frequency
    periodic_frequency: Callable[[Any, Any, int], Any] = periodic_frequency
    closed_periodic: Callable[[Any, Any, Any, int], Any] = closed_periodic
    standard_frequency: Callable[[int, int], Any] = standard_frequency
    geometric_frequency: Callable[[int, int], Any] = geometric_frequency
    jittered_frequency: Callable[[int, int], Any] = jittered_frequency
    rotation: Callable[[Any], sympy.ImmutableMatrix] = rotation
    chord: Callable[[Any], Any] = chord
    decade_bound: Callable[[Any], Any] = decade_bound
    decimal_frequency: Callable[[Any, Any], Any] = decimal_frequency
    extremal_angle: Callable[[Any], Any] = extremal_angle
    power_relation: Callable[[Any, Any, Any, Any], Prop] = power_relation
    algebraic: Callable[[Any], Prop] = lambda value: Predicate("algebraic", (value,))
    band_edge: Callable[[Any], Any] = lambda N: pi / N
    end_sign: int = 1
    mean_sign: int = 1
    ratio_step: int = 2
    ratio_offset: int = 0
    odd_offset: int = 1
    fewest_planes: int = 3

    def periodic_kernel(self, m: Any, N: Any, D: Any, shift: int) -> Any:
        """The sum of cos(2 pi (i + shift) D / N) over m planes."""
        return total(i, m, cos(self.periodic_frequency(i, N, shift) * D))

    def operator_distance(self, planes: Sequence[Any], D: Any) -> Any:
        """max over planes of 2 |cos(theta_i D / 2)|."""
        # unevaluated: SymPy would ask for the sign of every cosine, which takes most of the time
        halves = (cos(theta * D / 2) for theta in planes)
        return sympy.Max(*(2 * sympy.Abs(half, evaluate=False) for half in halves), evaluate=False)

    def ladder(self, name: str, m: int = PLANES) -> list[Any]:
        """The frequencies of one ladder of the table."""
        return [getattr(self, f"{name}_frequency")(q, m) for q in range(m)]

    def even_ratio(self, half: Any) -> Any:
        """The ratio 2 h (h >= 1) of the two planes of `decimal_bases`."""
        return self.ratio_step * half + self.ratio_offset


# ---------------------------------------------------------------------- mobius.periodic_control
def periodic_closed_form(of: Alternatives) -> Prop:
    def at(shift: int) -> Prop:
        return Eq(of.periodic_kernel(m, N, D, shift), of.closed_periodic(m, N, D, shift))

    return ForAll((m, N, D), Implies(Ne(sin(pi * D / N), 0), And(at(0), at(1))))


def periodic_second_form(of: Alternatives) -> Prop:
    angle = pi * D / N
    second = (sin((2 * m + 1) * angle) / sin(angle) - 1) / 2
    equation = Eq(of.periodic_kernel(m, N, D, 1), second)
    return ForAll((m, N, D), Implies(Ne(sin(angle), 0), equation))


def periodic_symmetries(of: Alternatives) -> Prop:
    def at(shift: int) -> Prop:
        here = of.periodic_kernel(m, N, D, shift)
        return And(
            Eq(of.periodic_kernel(m, N, 0, shift), m),
            Eq(of.periodic_kernel(m, N, N, shift), of.end_sign * m),
            Eq(of.periodic_kernel(m, N, N - D, shift), of.end_sign * here),
            Eq(of.periodic_kernel(m, N, D + N, shift), of.end_sign * here),
        )

    return ForAll((m, N, D), And(at(0), at(1)))


def periodic_holonomy(of: Alternatives) -> Prop:
    def at(shift: int) -> Prop:
        return Eq(of.rotation(of.periodic_frequency(i, N, shift) * N), IDENTITY)

    return ForAll((i, N), And(at(0), at(1)))


def half_bin(of: Alternatives) -> Prop:
    moved = of.rotation(pi * D / N) * of.rotation(of.periodic_frequency(i, N, 0) * D)
    return ForAll((i, N, D), Eq(of.rotation(of.frequency(i, N) * D), moved))


PERIODIC_CONTROL = Claim(
    id="mobius.periodic_control",
    title="The matched periodic ladder has two positive poles and holonomy +1",
    kind="identity",
    source=("bae2026mobius",),
    definitions=Alternatives(),
    depends=("mobius.dipole",),
    clauses=(
        Clause(
            "periodic_closed_form",
            r"\sum_{i<m}\cos\tfrac{2\pi(i+o)D}{N} = "
            r"\frac{\cos(\pi(m-1+2o)D/N)\,\sin(\pi mD/N)}{\sin(\pi D/N)} \quad (o = 0, 1)",
            periodic_closed_form,
        ),
        Clause(
            "periodic_second_form",
            r"o = 1:\quad K(D) = \tfrac12\Bigl(\frac{\sin((2m+1)\pi D/N)}{\sin(\pi D/N)} - 1\Bigr)",
            periodic_second_form,
        ),
        Clause(
            "periodic_symmetries",
            r"K(0) = K(N) = m,\quad K(N-D) = K(D),\quad K(D+N) = K(D)",
            periodic_symmetries,
        ),
        Clause("periodic_holonomy", r"R(\tfrac{2\pi(i+o)}{N}\,N) = +I", periodic_holonomy),
        Clause(
            "half_bin",
            r"R(\theta_i D) = R(\tfrac{\pi D}{N})\,R(\tfrac{2\pi i D}{N})",
            half_bin,
        ),
    ),
)


# ---------------------------------------------------------------------- mobius.algebraic_ladders
def never_returns(of: Alternatives) -> Prop:
    reaches = And(Ne(cos(theta * offset), -1), Ne(cos(theta * offset), 1))
    given = And(of.algebraic(theta), Ne(theta, 0), Ne(offset, 0))
    return ForAll((theta, offset), Implies(given, reaches))


def conventional_ladder(of: Alternatives) -> Prop:
    given = And(Lt(0, base), of.power_relation(scale, base, d, i))
    return ForAll((scale, base, d, i), Implies(given, of.algebraic(scale)))


def conventional_never_returns(of: Alternatives) -> Prop:
    given = And(Lt(0, base), of.power_relation(scale, base, d, i), Ne(offset, 0))
    apart = And(Ne(cos(scale * offset), -1), Ne(cos(scale * offset), 1))
    return ForAll((scale, base, d, i, offset), Implies(given, apart))


def band_needs_odd_ratio(of: Alternatives) -> Prop:
    first, second = of.band_edge(N) * D, of.band_edge(N) * root * D
    both = And(Eq(of.rotation(first), -IDENTITY), Eq(of.rotation(second), -IDENTITY))
    odd = And(Exists(j, Eq(D, N * (2 * j + 1))), Exists(k, Eq(D * root, N * (2 * k + 1))))
    return ForAll((N, D, root), Implies(both, odd))


def band_misses(of: Alternatives) -> Prop:
    # n = m - 1, and rho^n = 2 m - 1: theta_1 = (pi / N) (2 m - 1)^(1 / (m - 1)).
    n = Variable("n", Int(of.fewest_planes - 1))
    first, second = of.band_edge(N) * D, of.band_edge(N) * root * D
    both = And(Eq(of.rotation(first), -IDENTITY), Eq(of.rotation(second), -IDENTITY))
    return ForAll((n, N, D, root), Implies(Eq(root**n, 2 * n + 1), Not(both)))


ALGEBRAIC_LADDERS = Claim(
    id="mobius.algebraic_ladders",
    title="No plane of an algebraic ladder ever reaches -I, nor returns to +I",
    kind="classification",
    source=("bae2026mobius",),
    definitions=Alternatives(),
    depends=("mobius.holonomy",),
    clauses=(
        Clause(
            "never_returns",
            r"\theta \ne 0 \text{ algebraic},\ E \in \mathbb{Z}\setminus 0 \implies "
            r"e^{i\theta E} \ne \pm 1",
            never_returns,
        ),
        Clause(
            "conventional_ladder",
            r"b \in \mathbb{Q}_{>0} \implies b^{-2i/d} \text{ is algebraic}",
            conventional_ladder,
        ),
        Clause(
            "conventional_never_returns",
            r"b \in \mathbb{Q}_{>0},\ E \in \mathbb{Z}\setminus 0 \implies "
            r"e^{i\theta_i E} \ne \pm 1 \text{ for } \theta_i = b^{-2i/d}",
            conventional_never_returns,
        ),
        Clause(
            "band_needs_odd_ratio",
            r"R(\tfrac{\pi}{N}D) = R(\tfrac{\pi}{N}\rho D) = -I \implies "
            r"\tfrac DN \text{ and } \rho\tfrac DN \text{ are odd integers}",
            band_needs_odd_ratio,
        ),
        Clause(
            "band_misses",
            r"\theta_i = \tfrac{\pi}{N}(2m-1)^{i/(m-1)},\ m \ge 3:\quad "
            r"R(\theta_0 D),\ R(\theta_1 D) \text{ are not both } -I,\ D \in \mathbb{R}",
            band_misses,
        ),
    ),
)


# ---------------------------------------------------------------------- mobius.aperiodic_distance
def plane_distance(of: Alternatives) -> Prop:
    moved = of.rotation(phi) + IDENTITY
    return ForAll(phi, Eq(moved.T * moved, of.chord(phi) ** 2 * IDENTITY))


def rms_distance(of: Alternatives) -> Prop:
    def squared(q: Any) -> Any:
        return (1 + cos(omega(q) * D)) ** 2 + sin(omega(q) * D) ** 2

    cosines = total(i, m, cos(omega(i) * D))
    mean = 2 + of.mean_sign * 2 * cosines / m
    return ForAll((m, D), Eq(total(i, m, squared(i)) / m, mean))


#: Certified lower bounds of the operator distance in units of 10^-5:
#: over integers 1 .. 1024, and over reals in [1/2, 1024].
DISTANCES = {
    "standard": (199534, 198500),
    "geometric": (196182, 195400),
    "jittered": (136614, 134300),
}
DISTANCE_UNIT = Fraction(1, 10**5)


def integer_distance(of: Alternatives) -> Prop:
    at = Variable("D", Finite(range(1, 2 * WINDOW + 1)))
    return And(
        *(
            ForAll(at, Lt(_distance(bound), of.operator_distance(of.ladder(name), at)))
            for name, (bound, _) in DISTANCES.items()
        )
    )


def real_distance(of: Alternatives) -> Prop:
    at = Variable("D", Box(Fraction(1, 2), 2 * WINDOW))
    return And(
        *(
            ForAll(at, Lt(_distance(bound), of.operator_distance(of.ladder(name), at)))
            for name, (_, bound) in DISTANCES.items()
        )
    )


def _distance(units: int) -> Any:
    return Rational(units * DISTANCE_UNIT.numerator, DISTANCE_UNIT.denominator)


def aperiodic_pole(of: Alternatives) -> Prop:
    ladder = of.ladder("jittered")
    kernel = sum(cos(theta * WINDOW) for theta in ladder) / PLANES
    return And(Lt(-Rational(64621, 10**5), kernel), Lt(kernel, -Rational(6462, 10**4)))


APERIODIC_DISTANCE = Claim(
    id="mobius.aperiodic_distance",
    title="How far concrete aperiodic ladders stay from -I over a window",
    kind="bound",
    source=("bae2026mobius",),
    definitions=Alternatives(),
    stance="sharpened",
    reading=(
        "'An aperiodic ladder in the same band reproduces none of the effect', read for every "
        "aperiodic ladder in the band: the distance to -I has to be stated, since an aperiodic "
        "ladder with K(N)/m = -0.646 lies in the band."
    ),
    clauses=(
        Clause(
            "plane_distance",
            r"(R(\phi) + I)^\top (R(\phi) + I) = \bigl(2\cos\tfrac\phi2\bigr)^2 I",
            plane_distance,
        ),
        Clause(
            "rms_distance",
            r"\tfrac1m\sum_{i<m}|e^{i\theta_i D} + 1|^2 = 2 + \tfrac2m K(D)",
            rms_distance,
        ),
        Clause(
            "integer_distance",
            r"\|R(D) + I\| > 1.99534,\ 1.96182,\ 1.36614 \quad (1 \le D \le 1024,\ N = 512,\ "
            r"m = 32;\ \text{standard, geometric, jittered})",
            integer_distance,
        ),
        Clause(
            "real_distance",
            r"\|R(D) + I\| > 1.985,\ 1.954,\ 1.343 \quad (D \in [\tfrac12, 1024])",
            real_distance,
        ),
        Clause(
            "aperiodic_pole",
            r"\tfrac1m K_{\text{jittered}}(N) \in (-0.64621,\ -0.6462)",
            aperiodic_pole,
        ),
    ),
)


# ---------------------------------------------------------------------- mobius.decimal_bases
def _near(of: Alternatives, n: Any, angle: Any) -> tuple[Prop, Prop]:
    """Each of two planes of ratio n far enough from -I, in squares of half the distance."""
    low = of.decade_bound(n) ** 2
    return Le(low, cos(angle / 2) ** 2), Le(low, cos(n * angle / 2) ** 2)


def even_ratio_bound(of: Alternatives) -> Prop:
    return ForAll((half, phi), Or(*_near(of, of.even_ratio(half), phi)))


def even_ratio_attained(of: Alternatives) -> Prop:
    n = of.even_ratio(half)
    low, angle = of.decade_bound(n) ** 2, of.extremal_angle(n)
    return ForAll(half, And(Eq(cos(angle / 2) ** 2, low), Eq(cos(n * angle / 2) ** 2, low)))


def odd_ratio(of: Alternatives) -> Prop:
    angle, n = pi * (2 * k + 1), 2 * j + of.odd_offset
    return ForAll((j, k), And(Eq(cos(angle / 2), 0), Eq(cos(n * angle / 2), 0)))


def decades(of: Alternatives) -> Prop:
    here, later = of.decimal_frequency(i, 8 * half), of.decimal_frequency(i + half, 8 * half)
    return ForAll((i, half), Eq(here, of.even_ratio(5) * later))


def bounded_away(of: Alternatives) -> Prop:
    # Two planes of the ladder, d = 8 h, at every real offset.
    here, later = of.decimal_frequency(i, 8 * half), of.decimal_frequency(i + half, 8 * half)
    low = (2 * of.decade_bound(10)) ** 2
    far = Or(Le(low, of.chord(here * D) ** 2), Le(low, of.chord(later * D) ** 2))
    return ForAll((i, half, D), far)


#: How far down a chain of decades a plane lies.
link = Variable("q", Int(0))


def chain_attains(of: Alternatives) -> Prop:
    angle = of.even_ratio(5) ** link * of.extremal_angle(10)
    return ForAll(link, Eq(cos(angle / 2) ** 2, of.decade_bound(10) ** 2))


#: The ladder b = 10^4, d = 8: theta_q = 10^-q.
SHORT_LADDER = 4


def _short_ladder(of: Alternatives) -> list[Any]:
    return [of.decimal_frequency(q, sympy.Integer(2 * SHORT_LADDER)) for q in range(SHORT_LADDER)]


def infimum(of: Alternatives) -> Prop:
    low = 2 * of.decade_bound(10)
    planes = _short_ladder(of)
    bounded = Or(*(Le(low**2, of.chord(theta * offset) ** 2) for theta in planes))
    near = And(*(Lt(of.chord(theta * offset) ** 2, (low + epsilon) ** 2) for theta in planes))
    return And(ForAll(offset, bounded), ForAll(epsilon, Exists(offset, near)))


def not_attained(of: Alternatives) -> Prop:
    low = (2 * of.decade_bound(10)) ** 2
    reached = And(*(Le(of.chord(theta * offset) ** 2, low) for theta in _short_ladder(of)))
    return ForAll(offset, Not(reached))


DECIMAL_BASES = Claim(
    id="mobius.decimal_bases",
    title="Decimal bases stay 2 sin(pi / 22) away from -I at every position",
    kind="bound",
    source=("bae2026mobius",),
    definitions=Alternatives(),
    depends=("mobius.aperiodic_distance",),
    clauses=(
        Clause(
            "even_ratio_bound",
            r"n \text{ even}:\quad \max\bigl(|\cos\tfrac\phi2|,\,|\cos\tfrac{n\phi}2|\bigr) \ge "
            r"\sin\tfrac{\pi}{2(n+1)} \quad \forall\phi",
            even_ratio_bound,
        ),
        Clause(
            "even_ratio_attained",
            r"n \text{ even},\ \phi = \tfrac{n+2}{n+1}\pi:\quad "
            r"|\cos\tfrac\phi2| = |\cos\tfrac{n\phi}2| = \sin\tfrac{\pi}{2(n+1)}",
            even_ratio_attained,
        ),
        Clause(
            "odd_ratio",
            r"n,\ k \text{ odd},\ \phi = k\pi:\quad \cos\tfrac\phi2 = \cos\tfrac{n\phi}2 = 0",
            odd_ratio,
        ),
        Clause(
            "decades",
            r"b = 10^4,\ 8 \mid d:\quad \theta_i = 10\,\theta_{i+d/8}",
            decades,
        ),
        Clause(
            "bounded_away",
            r"b = 10^4,\ 8 \mid d:\quad \max\bigl(2|\cos\tfrac{\theta_i D}2|,\ "
            r"2|\cos\tfrac{\theta_{i+d/8} D}2|\bigr) \ge 2\sin\tfrac{\pi}{22} "
            r"\quad \forall D \in \mathbb{R}",
            bounded_away,
        ),
        Clause(
            "chain_attains",
            r"\phi = \tfrac{12\pi}{11}:\quad |\cos\tfrac{10^q\phi}{2}| = \sin\tfrac{\pi}{22} "
            r"\quad (q \ge 0)",
            chain_attains,
        ),
        Clause(
            "infimum",
            r"b = 10^4,\ d = 8:\quad \inf_{E\in\mathbb{Z}} \max_i 2|\cos\tfrac{\theta_i E}2| = "
            r"2\sin\tfrac{\pi}{22}",
            infimum,
        ),
        Clause(
            "not_attained",
            r"b = 10^4,\ d = 8,\ E \in \mathbb{Z}:\quad "
            r"\max_i 2|\cos\tfrac{\theta_i E}2| \ne 2\sin\tfrac{\pi}{22} "
            r"\text{ (it is larger)}",
            not_attained,
        ),
    ),
)
