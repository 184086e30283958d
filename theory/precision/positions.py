r"""Positions that a format cannot tell apart, phases that it can, and defaults that fail on both.

Main definitions
----------------
stored           an integer position rounded to p bits, ties to even
Collisions       which positions become one, and what that costs
Phases           positions times a whole number, kept modulo a power of two
Defaults         a float32 rotary embedding against the tolerances of test libraries

Main claims
-----------
precision.position_collisions, precision.integer_phase, precision.library_defaults

Conventions
-----------
fl(n) = s 2^j: the step 2^j is the least with n < 2^(p + j), and s 2^j is its multiple nearest to
n, with s even in a tie.  So a position is a number of p bits, exponents are unbounded upwards, and
a format's largest number Omega enters where it matters.  Phases are integers modulo W (2^32 or
2^64); a step kappa stands for the frequency 2 pi kappa / W.  Pairs (a, b) and (c, d) are the
components of a query and a key that one frequency turns.

References
----------
su2021roformer
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import frexp
from typing import Any

from sympy import Abs, Integer, Rational, cos, pi, sin, sqrt

from posproof.theory.precision.rounding import (
    close,
    composed,
    library_and_cast,
    relative_error,
    subnormal_error,
    vector_error,
    within,
)
from posproof.theory.symbols import Variable, sequence, total, variables
from posproof.theory.vocabulary import (
    And,
    Claim,
    Clause,
    Eq,
    Exists,
    ForAll,
    Iff,
    Implies,
    Informal,
    Int,
    Le,
    Lt,
    Or,
    Prop,
    Real,
)
from posproof.theory.vocabulary import Integer as Integers

p = Variable("p", Int(2))
k = Variable("k", Int(1))
n, m, j, n_, j_ = variables("n m j n' j'", Int(0))
s, t, h, g, r, s_ = variables("s t h g r s'", Integers)
a, b, c, d, P, theta, Omega = variables("a b c d P theta Omega", Real)
row = sequence("f")


# ---------------------------------------------------------------------- position_collisions
def ties_to_even(value: Any, s: Any, step: Any) -> Prop:
    """s step is the multiple of the step nearest to the value, s even in a tie."""
    gap = 2 * value - 2 * s * step
    return And(within(gap, step), Or(Exists(g, Eq(s, 2 * g)), And(Lt(-step, gap), Lt(gap, step))))


def distinct_values(p: Any, m: Any) -> Any:
    """How many values fl(n) has for 0 <= n < 2^m, m > p."""
    return 2**p + (m - p) * 2 ** (p - 1) + 1


def rank(p: Any, j: Any, s: Any) -> Any:
    """The place of s 2^j among the numbers of p bits, 0 being the first."""
    return j * 2 ** (p - 1) + s


def turned_score(offset: Any) -> Any:
    """The score of (a, b) and (c, d) when the key is turned ahead by an angle."""
    return (a * c + b * d) * cos(offset) - (a * d - b * c) * sin(offset)


@dataclass(frozen=True)
class Collisions:
    """The definitions of `precision.position_collisions`.

    Members of the class of v = t 2^k are at most a reach from v; `position` is what a pipeline
    reads of a position, `lost` the offset at which it scores (1, P + 1), P + 1 being stored as P.
    """

    rounding: Callable[[Any, Any, Any], Prop] = ties_to_even
    odd_reach: Callable[[Any], Any] = lambda k: 2 ** (k - 1) - 1
    even_reach: Callable[[Any], Any] = lambda k: 2 ** (k - 1)
    reach_below_power: Callable[[Any], Any] = lambda k: 2 ** (k - 2)
    distinct_values: Callable[[Any, Any], Any] = distinct_values
    fits: Callable[[Any, Any], Prop] = lambda m, largest: Le(2**m, largest)
    position: Callable[[Any, Any, Any], Any] = lambda n, j, s: s * 2**j
    lost: Callable[[Any], Any] = lambda P: P - 1
    damage: Callable[[Any], Any] = lambda theta: 2 * sin(theta / 2)


def scale(p: Any, n: Any, j: Any) -> Prop:
    """j is the least natural number with n < 2^(p + j)."""
    return And(Lt(n, 2 ** (p + j)), Or(Eq(j, 0), Le(2 ** (p + j - 1), n)))


def stored(of: Collisions, n: Any, j: Any, s: Any) -> Prop:
    """fl(n) = s 2^j."""
    return And(scale(p, n, j), of.rounding(n, s, 2**j))


def rounding(of: Collisions) -> Prop:
    some = Exists(j, Exists(s, stored(of, n, j, s)))
    twice = And(stored(of, n, j, s), stored(of, n, j_, s_))
    one = Implies(twice, And(Eq(j, j_), Eq(s, s_)))
    return And(ForAll((p, n), some), ForAll((p, n, j, s, j_, s_), one))


def exact(of: Collisions) -> Prop:
    given = And(stored(of, n, j, s), Le(n, 2**p))
    return ForAll((p, n, j, s), Implies(given, Eq(s * 2**j, n)))


def first_collision(of: Collisions) -> Prop:
    given = And(stored(of, n, j, s), Or(Eq(n, 2**p), Eq(n, 2**p + 1)))
    return ForAll((p, n, j, s), Implies(given, Eq(s * 2**j, 2**p)))


def members(of: Collisions, v: Any, below: Any, above: Any) -> Prop:
    """fl(n) = v if and only if v - below <= n <= v + above."""
    return Iff(Eq(s * 2**j, v), And(Le(v - below, n), Le(n, v + above)))


def class_of(of: Collisions, t: Any, reach: Any, size: Any) -> Prop:
    inside = And(stored(of, n, j, s), Lt(2 ** (p - 1), t), Lt(t, 2**p))
    found = And(members(of, t * 2**k, reach, reach), Eq(2 * reach + 1, size))
    return ForAll((p, k, h, n, j, s), Implies(inside, found))


def odd_class(of: Collisions) -> Prop:
    return class_of(of, 2 * h + 1, of.odd_reach(k), 2**k - 1)


def even_class(of: Collisions) -> Prop:
    return class_of(of, 2 * h, of.even_reach(k), 2**k + 1)


def power_class(of: Collisions) -> Prop:
    below, above = of.reach_below_power(k), 2 ** (k - 1)
    found = members(of, 2 ** (p + k - 1), below, above)
    size = Eq(below + above + 1, 3 * 2 ** (k - 2) + 1)
    return ForAll((p, k, n, j, s), Implies(stored(of, n, j, s), And(found, size)))


def count(of: Collisions) -> Prop:
    """`rank` maps the values of fl(n), n < 2^m, one to one onto 0 .. C - 1."""
    many = of.distinct_values(p, m)
    within_range = Implies(
        And(Lt(p, m), Lt(n, 2**m), stored(of, n, j, s)),
        And(Le(0, rank(p, j, s)), Lt(rank(p, j, s), many)),
    )
    found = And(stored(of, n, j, s), Le(s * 2**j, Omega), Eq(rank(p, j, s), r))
    reached = Exists(n, And(Lt(n, 2**m), Exists(j, And(Le(j, m - p), Exists(s, found)))))
    onto = Implies(And(Lt(p, m), of.fits(m, Omega), Le(0, r), Lt(r, many)), reached)
    same = Iff(Eq(s * 2**j, s_ * 2**j_), Eq(rank(p, j, s), rank(p, j_, s_)))
    one_to_one = Implies(And(stored(of, n, j, s), stored(of, n_, j_, s_)), same)
    return And(
        ForAll((p, m, n, j, s), within_range),
        ForAll((p, m, Omega, r), onto),
        ForAll((p, n, j, s, n_, j_, s_), one_to_one),
    )


def rows(of: Collisions) -> Prop:
    both = And(stored(of, n, j, s), stored(of, n_, j_, s_), Eq(s * 2**j, s_ * 2**j_))
    equal = Eq(row(of.position(n, j, s)), row(of.position(n_, j_, s_)))
    return ForAll((p, n, j, s, n_, j_, s_), Implies(both, equal))


def damage(of: Collisions) -> Prop:
    """(0, P) has the offset P; (1, P + 1) has it too, and is scored at another one."""
    gap = turned_score(theta * P) - turned_score(theta * of.lost(P))
    sizes = (a**2 + b**2) * (c**2 + d**2)
    middle = theta * (P - Rational(1, 2))
    worst = gap.subs({a: 1, b: 0, c: -sin(middle), d: -cos(middle)}, simultaneous=True)
    return And(
        ForAll((a, b, c, d, theta, P), Le(gap**2, of.damage(theta) ** 2 * sizes)),
        ForAll((theta, P), Eq(worst, of.damage(theta))),
    )


PAIRS = 64
#: The first position of bfloat16 that another one is stored as.
FIRST = 256
#: The gap of all-ones scores in millionths, between two whole numbers of them.
GAP = 327_403


def gap(of: Collisions) -> Prop:
    """q = k = (1, ..., 1), d = 128, base 10000, bfloat16: (0, 256) against (1, 257)."""
    i = Variable("i", Int(0))
    angle = Integer(10_000) ** (-i / Integer(PAIRS))
    lost = 2 * total(i, PAIRS, cos(of.lost(n) * angle) - cos(n * angle))
    low, high = (Rational(GAP + more, 10**6) for more in (0, 1))
    between = And(Lt(low, Abs(lost)), Lt(Abs(lost), high))
    return ForAll(n, Implies(Eq(n, FIRST), between))


DISTINCT_ROWS = Informal(
    "For d = 4, 8, 16, 32, 64, 128 and the bases 10000 and 500000, in the naive pipeline in "
    "bfloat16: positions below 2^17 have the same row of cosines and sines only if their stored "
    "positions are equal.  For d = 2 they have 967 rows, from 1409 stored positions."
)
MIXED_ROWS = Informal(
    "With angles in float64, d = 128 and base 10000, the rows of cosines and sines of any two "
    "positions below 2^20 differ, in bfloat16, float16, float8_e4m3fn and float8_e5m2."
)

COLLISIONS = Claim(
    id="precision.position_collisions",
    title="Positions above 2^p collide: the classes, their sizes and their number",
    kind="classification",
    definitions=Collisions(),
    depends=("rotary.relative",),
    hypotheses=(
        "a position has $p \\ge 2$ bits",
        "$\\mathrm{fl}(n) = s\\,2^j$ with the least $j \\ge 0$ for which $n < 2^{p+j}$",
        "$s\\,2^j$ is the multiple of $2^j$ nearest to $n$, $s$ even in a tie",
    ),
    clauses=(
        Clause(
            "rounding", r"\mathrm{fl}(n) = s\,2^j \text{ for exactly one pair } (j, s)", rounding
        ),
        Clause("exact", r"0 \le n \le 2^p \implies \mathrm{fl}(n) = n", exact),
        Clause(
            "first_collision",
            r"\mathrm{fl}(2^p) = \mathrm{fl}(2^p + 1) = 2^p",
            first_collision,
        ),
        Clause(
            "odd_class",
            r"v = t\,2^k,\ k \ge 1,\ 2^{p-1} < t < 2^p,\ t \text{ odd}: \quad "
            r"\mathrm{fl}(n) = v \iff |n - v| \le 2^{k-1} - 1 \quad (2^k - 1 \text{ integers})",
            odd_class,
        ),
        Clause(
            "even_class",
            r"v = t\,2^k,\ k \ge 1,\ 2^{p-1} < t < 2^p,\ t \text{ even}: \quad "
            r"\mathrm{fl}(n) = v \iff |n - v| \le 2^{k-1} \quad (2^k + 1 \text{ integers})",
            even_class,
        ),
        Clause(
            "power_class",
            r"v = 2^{p-1+k},\ k \ge 1: \quad \mathrm{fl}(n) = v \iff "
            r"v - 2^{k-2} \le n \le v + 2^{k-1} \quad (3 \cdot 2^{k-2} + 1 \text{ integers, two "
            r"for } k = 1)",
            power_class,
        ),
        Clause(
            "count",
            r"\#\{\mathrm{fl}(n) : 0 \le n < 2^m\} = C = 2^p + (m-p)\,2^{p-1} + 1 \text{ for } "
            r"m > p, \text{ all of them } \le \Omega \text{ if } 2^m \le \Omega: \text{ the rank } "
            r"j\,2^{p-1} + s \text{ maps them one to one onto } 0, \ldots, C - 1",
            count,
        ),
        Clause(
            "rows",
            r"\mathrm{fl}(n) = \mathrm{fl}(n') \implies "
            r"f(\mathrm{fl}(n)) = f(\mathrm{fl}(n')) \text{ for every table } f",
            rows,
        ),
        Clause("distinct_rows", rf"\text{{{DISTINCT_ROWS.text}}}", lambda of: DISTINCT_ROWS),
        Clause("mixed_rows", rf"\text{{{MIXED_ROWS.text}}}", lambda of: MIXED_ROWS),
        Clause(
            "damage",
            r"P + 1 \text{ stored as } P: \quad |\tilde S(0, P) - \tilde S(1, P+1)| \le "
            r"2\,|\sin(\theta/2)|\,|q|\,|k|, \text{ equal for } q = 1,\ "
            r"k = -\sin\theta(P - \tfrac12) - i\cos\theta(P - \tfrac12)",
            damage,
        ),
        Clause(
            "gap",
            r"q = k = (1, \ldots, 1),\ d = 128,\ \text{base } 10^4: \quad "
            r"0.327403 < |\tilde S(0, 256) - \tilde S(1, 257)| < 0.327404",
            gap,
        ),
    ),
)


# ---------------------------------------------------------------------- integer_phase
W = Variable("W", Int(2))
x, kappa = variables("x kappa", Integers)
i, j0, shift = variables("i j s", Integers)
first, second, third, fourth = phases = variables("a b c d", Integers)
q1, q2, k1, k2 = variables("q1 q2 k1 k2", Real)
u, u_c, omega, tau, phi, L = variables("u v omega tau phi L", Real)
d1, d2, d3, d4, d5, d6, d7 = deltas = variables("d1 d2 d3 d4 d5 d6 d7", Real)
e1, e2 = variables("e1 e2", Real)


def wrapped(x: Any, r: Any, W: Any) -> Prop:
    """r = x mod W, in 0 .. W - 1: what unsigned arithmetic keeps of a product or a sum."""
    return And(Le(0, r), Lt(r, W), Exists(g, Eq(x - r, g * W)))


def phase_rounding(u: Any) -> Any:
    """The error of an angle from three roundings: of the phase, of 2 pi / W, of the product."""
    return pi * ((1 + u) ** 3 - 1)


@dataclass(frozen=True)
class Phases:
    """The definitions of `precision.integer_phase`; a control replaces one of them.

    `angle` is the angle of a phase, `residue` how far the step may lie from W theta / (2 pi).
    """

    kept: Callable[[Any, Any, Any], Prop] = wrapped
    angle: Callable[[Any, Any], Any] = lambda x, W: 2 * pi * x / W
    rounding: Callable[[Any], Any] = phase_rounding
    entry: Callable[[Any, Any], Any] = library_and_cast
    residue: Any = Rational(1, 2)


def homomorphism(of: Phases) -> Prop:
    """The phases a, b of i and s, added, are the phase c of i + s."""
    given = And(
        of.kept(i * kappa, first, W),
        of.kept(shift * kappa, second, W),
        of.kept((i + shift) * kappa, third, W),
    )
    names = (W, kappa, i, shift, first, second, third)
    return ForAll(names, Implies(given, of.kept(first + second, third, W)))


def congruent(x: Any, a: Any) -> Prop:
    """x and a differ by a multiple of W."""
    return Exists(g, Eq(x - a, g * W))


def rotation(of: Phases) -> Prop:
    """Any representative a of the phase of i, signed or not, turns like i theta."""
    turned, wanted = of.angle(first, W), i * (2 * pi * kappa / W)
    equal = And(Eq(cos(turned), cos(wanted)), Eq(sin(turned), sin(wanted)))
    return ForAll((W, kappa, i, first), Implies(congruent(i * kappa, first), equal))


def score_at(here: Any, there: Any) -> Any:
    """The score of a query turned by one angle and a key turned by another."""
    query = (q1 * cos(here) - q2 * sin(here), q1 * sin(here) + q2 * cos(here))
    key = (k1 * cos(there) - k2 * sin(there), k1 * sin(there) + k2 * cos(there))
    return query[0] * key[0] + query[1] * key[1]


def scores(of: Phases) -> Prop:
    positions = (i, j0, i + shift, j0 + shift)
    given = And(*(congruent(at * kappa, a) for at, a in zip(positions, phases, strict=True)))
    here, there = (
        score_at(of.angle(a, W), of.angle(b, W)) for a, b in ((first, second), (third, fourth))
    )
    names = (W, kappa, i, j0, shift, *phases, q1, q2, k1, k2)
    return ForAll(names, Implies(given, Eq(here, there)))


def signed_phase() -> Prop:
    """A phase in -W / 2 .. W / 2, and three relative errors of at most u."""
    sizes = (Le(-W, 2 * x), Le(2 * x, W), Le(0, u), Le(u, 1))
    return And(*sizes, *(within(d, u) for d in (d1, d2, d3)))


def computed_angle(of: Phases) -> Any:
    """The angle of a phase, each of its three operations rounded."""
    return of.angle(x, W) * (1 + d1) * (1 + d2) * (1 + d3)


def angle(of: Phases) -> Prop:
    gap = close(computed_angle(of), of.angle(x, W), of.rounding(u))
    return ForAll((W, x, u, d1, d2, d3), Implies(signed_phase(), gap))


def entries(of: Phases) -> Prop:
    """phi is a computed angle, at most e from the exact one; the library and a cast follow."""
    e, exact_angle = of.rounding(u), of.angle(x, W)
    known = (Le(0, u), Le(0, u_c), Le(0, omega), Le(0, tau), close(phi, exact_angle, e))
    small = (*(within(d, tau) for d in (d4, d5)), *(within(d, u_c) for d in (d6, d7)))
    tiny = (within(r, omega) for r in (e1, e2))
    cosine = cos(phi) * (1 + d4) * (1 + d6) + e1
    sine = sin(phi) * (1 + d5) * (1 + d7) + e2
    bound = e + of.entry(tau, u_c) + sqrt(2) * omega
    gap = (cosine - cos(exact_angle)) ** 2 + (sine - sin(exact_angle)) ** 2
    names = (W, x, phi, u, u_c, omega, tau, d4, d5, d6, d7, e1, e2)
    return ForAll(names, Implies(And(*known, *small, *tiny), Le(gap, bound**2)))


def frequency(of: Phases) -> Prop:
    """The step is nearest to W theta / (2 pi); the phase error grows with the position."""
    given = And(within(W * theta / (2 * pi) - kappa, of.residue), within(P, L))
    kept = 2 * pi * kappa / W
    found = And(close(kept, theta, pi / W), close(P * kept, P * theta, L * pi / W))
    return ForAll((W, kappa, theta, P, L), Implies(given, found))


INTEGER_PHASE = Claim(
    id="precision.integer_phase",
    title="Phases in integers are exact at every position, on any hardware",
    kind="identity",
    definitions=Phases(),
    depends=("rotary.relative", "precision.angles"),
    hypotheses=(
        "phases are kept modulo $W$ ($2^{32}$ or $2^{64}$), a step is an integer $\\kappa$",
        "positions are any integers, negative ones included",
    ),
    clauses=(
        Clause(
            "homomorphism",
            r"a = i\kappa \bmod W,\ b = s\kappa \bmod W \implies "
            r"(a + b) \bmod W = (i + s)\kappa \bmod W",
            homomorphism,
        ),
        Clause(
            "rotation",
            r"a \equiv i\kappa \pmod W \implies e^{2\pi\mathrm{i} a/W} = "
            r"e^{\mathrm{i}\,i\hat\theta},\quad \hat\theta = 2\pi\kappa/W",
            rotation,
        ),
        Clause(
            "scores",
            r"\text{with phases of } i,\ j,\ i + s,\ j + s: \quad S(i, j) = S(i + s, j + s)",
            scores,
        ),
        Clause(
            "angle",
            r"|x| \le W/2,\ |\delta_{1,2,3}| \le u \le 1 \implies \Bigl|\frac{2\pi x}{W}"
            r"(1+\delta_1)(1+\delta_2)(1+\delta_3) - \frac{2\pi x}{W}\Bigr| \le \pi((1+u)^3 - 1)",
            angle,
        ),
        Clause(
            "table",
            r"\Bigl|\varphi - \frac{2\pi x}{W}\Bigr| \le e = \pi((1+u)^3-1),\ "
            r"\tilde c = \cos\varphi\,(1+\delta_4)(1+\delta_6) + e_1,\ "
            r"\tilde s = \sin\varphi\,(1+\delta_5)(1+\delta_7) + e_2,\ |\delta_{4,5}| \le \tau,\ "
            r"|\delta_{6,7}| \le v,\ |e_{1,2}| \le \omega \implies "
            r"|\tilde z - e^{2\pi\mathrm{i} x/W}| \le e + (1+\tau)(1+v) - 1 + \sqrt2\,\omega",
            entries,
        ),
        Clause(
            "frequency",
            r"\Bigl|\frac{W\theta}{2\pi} - \kappa\Bigr| \le \frac12 \implies "
            r"|\hat\theta - \theta| \le \frac{\pi}{W},\quad "
            r"|P\hat\theta - P\theta| \le \frac{\pi L}{W} \text{ for } |P| \le L",
            frequency,
        ),
    ),
)


# ---------------------------------------------------------------------- library_defaults
#: Angle, cosine and sine of the second pair at eight positions, d = 128 and base 10000: each is the
#: float32 number nearest to what it stands for.
ENTRIES: dict[int, tuple[str, str, str]] = {
    1: ("0x1.bb5faep-1", "0x1.4bba5p-1", "0x1.860038p-1"),
    4: ("0x1.bb5faep+1", "-0x1.e5a47cp-1", "-0x1.445114p-2"),
    10: ("0x1.151bccp+3", "-0x1.714ccap-1", "0x1.62a0f4p-1"),
    13: ("0x1.683dbep+3", "0x1.09313p-2", "-0x1.ee884ap-1"),
    71: ("0x1.ebde26p+5", "0x1.c3c20ep-3", "-0x1.f36368p-1"),
    80: ("0x1.151bccp+6", "0x1.f94992p-1", "0x1.4a8b02p-3"),
    83: ("0x1.1f800ap+6", "-0x1.db2c56p-1", "0x1.7d563ap-2"),
    92: ("0x1.3eacc6p+6", "-0x1.b5e934p-2", "-0x1.ced1f6p-1"),
}
#: The stored frequency of that pair.
THETA = "0x1.bb5faep-1"
#: The places i, j and i + s, j + s of the two examples.
EARLY, LATE = (1, 10, 4, 13), (71, 80, 83, 92)
SINGLE, DOUBLE = 24, 53


@dataclass(frozen=True)
class Defaults:
    """The definitions of `precision.library_defaults`; a control replaces one of them.

    `entries` are angles and table entries by position, `bits` the significand of an angle; `vector`
    bounds what a rotation adds, `score` a score; a test accepts two numbers that differ by at most
    `absolute` + `relative` times the size of either.
    """

    entries: Mapping[int, tuple[str, str, str]] = field(default_factory=lambda: ENTRIES)
    bits: int = SINGLE
    torch: tuple[Any, Any] = (Rational(1, 10**5), Rational(13, 10**7))
    allclose: tuple[Any, Any] = (Rational(1, 10**8), Rational(1, 10**5))
    assert_allclose: tuple[Any, Any] = (Integer(0), Rational(1, 10**7))
    vector: Callable[[Any, Any, Any], Any] = vector_error
    score: Callable[[Any, Any, Any], Any] = composed
    length: int = 75


def exactly(number: str) -> Any:
    """The rational a hexadecimal float stands for."""
    return Rational(*float.fromhex(number).as_integer_ratio())


def nearest(value: Any, number: str, bits: int) -> Prop:
    """A number of so many bits, and less than half a unit in its last place from the value."""
    kept = float.fromhex(number)
    unit = Rational(2) ** (frexp(kept)[1] - bits)
    digits = Abs(exactly(number)) / unit
    size = And(Le(2 ** (bits - 1), digits), Lt(digits, 2**bits))
    return And(size, within(2 * (value - exactly(number)), unit))


def violation(of: Defaults, places: tuple[int, ...], tests: tuple[tuple[Any, Any], ...]) -> Prop:
    """q = k = (1, 0) on the second pair: a score is cos cos + sin sin, summed exactly."""
    theta = Integer(10_000) ** (-1 / Integer(PAIRS))
    rounded: list[Prop] = [nearest(theta, THETA, SINGLE)]
    for position in places:
        angle, cosine, sine = of.entries[position]
        product = (n + position - places[0]) * exactly(THETA)
        rounded.append(nearest(product, angle, of.bits))
        rounded.append(nearest(cos(exactly(angle)), cosine, SINGLE))
        rounded.append(nearest(sin(exactly(angle)), sine, SINGLE))
    table = [[exactly(number) for number in of.entries[position][1:]] for position in places]
    here, there = (sum(u * v for u, v in zip(*table[e : e + 2], strict=True)) for e in (0, 2))
    gap = Abs(here - there)
    missed = [
        Lt(absolute + relative * Abs(size), gap)
        for absolute, relative in tests
        for size in (here, there)
    ]
    return ForAll(n, Implies(Eq(n, places[0]), And(*rounded, *missed)))


def torch_violated(of: Defaults) -> Prop:
    return violation(of, LATE, (of.torch,))


def numpy_violated(of: Defaults) -> Prop:
    return violation(of, EARLY, (of.allclose, of.assert_allclose))


def residual_bound(of: Defaults, angle: Any) -> Any:
    """2 G for float32 tables and rotations, scores summed in float64, d = 128."""
    u, below = Rational(1, 2**SINGLE), Rational(1, 2**150)
    table = angle + library_and_cast(4 * u, 0)
    pairs = 9 * subnormal_error(u, below)
    eta = of.vector(table, relative_error(u), 0) + pairs
    return 2 * of.score(eta, 128 * Rational(1, 2**DOUBLE), 0)


def guaranteed(of: Defaults) -> Prop:
    """n is the first length at which an angle reaches 64 and its error 2^-18."""
    theta, allowed = exactly(THETA), of.torch[0]
    short, long = (residual_bound(of, Rational(1, 2**e)) for e in (19, 18))
    reached = And(Lt((n - 2) * theta, 64), Le(64, (n - 1) * theta))
    return ForAll(n, Implies(Eq(n, of.length), And(reached, Lt(short, allowed), Lt(allowed, long))))


LIBRARY_DEFAULTS = Claim(
    id="precision.library_defaults",
    title="Default tolerances reject a correct float32 rotary embedding",
    kind="counterexample",
    definitions=Defaults(),
    depends=("precision.relative",),
    hypotheses=(
        "$d = 128$, base $10^4$",
        "everything in float32 and correctly rounded, scores summed exactly",
    ),
    clauses=(
        Clause(
            "torch",
            r"q = k = e_1 \text{ of pair } 1: \quad |S(71, 80) - S(83, 92)| > "
            r"10^{-5} + 1.3 \cdot 10^{-6} \max(|S(71, 80)|,\ |S(83, 92)|)",
            torch_violated,
        ),
        Clause(
            "numpy",
            r"q = k = e_1 \text{ of pair } 1: \quad |S(1, 10) - S(4, 13)| > "
            r"\max(10^{-8} + 10^{-5}M,\ 10^{-7}M), \quad M = \max(|S(1, 10)|,\ |S(4, 13)|)",
            numpy_violated,
        ),
        Clause(
            "guaranteed",
            r"73\,\hat\theta_1 < 64 \le 74\,\hat\theta_1, \quad "
            r"2G(A = 2^{-19}) < 10^{-5} < 2G(A = 2^{-18}): \text{ the first length without a "
            r"guarantee is } 75",
            guaranteed,
        ),
    ),
)
