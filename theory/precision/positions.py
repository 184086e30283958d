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

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sympy import Abs, Integer, Rational, cos, sin

from posproof.theory.precision.rounding import (
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
    source=("su2021roformer",),
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
