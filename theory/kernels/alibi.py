r"""Distance kernels and biases: where they reach, and where a format makes them vanish.

Main definitions
----------------
exponents, geometric   the slopes of H heads: a slope is 2^(-x)
Underflow              how a small weight is stored, and what is stored; a control replaces one

Main claims
-----------
kernels.alibi_underflow

Conventions
-----------
A causal row has the keys at distances d = 0 .. L - 1 from its query.  A head of slope m > 0 adds
-m d to the score at distance d, so that key's weight relative to d = 0 is e^(-m d).  A format has p
bits and the smallest normal exponent e: its smallest positive number is 2^(e - p + 1), and a weight
below 2^(e + 1) is stored as n times that number.  T = p - e.

References
----------
press2021alibi
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sympy import Integer, Max, Rational, ceiling, exp, log

from posproof.theory.precision.positions import ties_to_even
from posproof.theory.symbols import Variable, total, variables
from posproof.theory.vocabulary import (
    And,
    Claim,
    Clause,
    Eq,
    ForAll,
    Iff,
    Implies,
    Int,
    Le,
    Lt,
    Ne,
    Not,
    Positive,
    Prop,
    Real,
)
from posproof.theory.vocabulary import Integer as Integers

p, T, L, N = (Variable(name, Int(1)) for name in "pTLN")
d, j, i, t, D, K = (Variable(name, Int(0)) for name in "djitDK")
e, n, x, delta = variables("e n x delta", Integers)
m, C = variables("m C", Positive)
w, s, M = variables("w s M", Real)

#: Bits and smallest normal exponent of the formats the numbers speak of.
FORMATS = {
    "float32": (24, -126),
    "bfloat16": (8, -126),
    "float16": (11, -14),
    "float8_e4m3fn": (4, -6),
}


# ---------------------------------------------------------------------- slopes
def geometric(heads: int) -> tuple[Fraction, ...]:
    """x of the slopes 2^(-x) = 2^(-8 h / H), h = 1 .. H."""
    return tuple(Fraction(8 * h, heads) for h in range(1, heads + 1))


def exponents(heads: int) -> tuple[Fraction, ...]:
    """The usual recipe: geometric for a power of two.

    Otherwise those of the largest power of two K below H, then every second one of 2 K.
    """
    whole = 1 << (heads.bit_length() - 1)
    return (*geometric(whole), *geometric(2 * whole)[::2][: heads - whole])


def slope(x: Fraction) -> Any:
    return Integer(2) ** -Rational(x.numerator, x.denominator)


# ---------------------------------------------------------------------- definitions
def row_sum(m: Any, L: Any) -> Any:
    """The sum of e^(-m d) over a row of L keys."""
    return (1 - exp(-m * L)) / (1 - exp(-m))


def pairs_share(L: int, first: list[Any]) -> Any:
    """The share of dead (head, distance) pairs, distances 0 .. L - 1."""
    return sum((Max(0, L - delta) for delta in first), Integer(0)) / (len(first) * Integer(L))


def triples_share(L: int, first: list[Any]) -> Any:
    """The share of dead (query, key, head) triples of a causal sequence of L."""
    dead = [Max(0, L - delta) for delta in first]
    all_of_them = len(first) * Integer(L) * (L + 1)
    return sum((t * (t + 1) for t in dead), Integer(0)) / all_of_them


@dataclass(frozen=True)
class Underflow:
    """The definitions of `kernels.alibi_underflow`.

    `threshold` is the T, and `flush` the number in its place where numbers below the smallest
    normal one are flushed to zero.  `spread` is how far content logits of modulus at most C move
    the exponent.
    """

    rounding: Callable[[Any, Any, Any], Prop] = ties_to_even
    threshold: Callable[[Any, Any], Any] = lambda p, e: p - e
    flush: Callable[[Any], Any] = lambda e: -e
    weight: Callable[[Any, Any], Any] = lambda m, d: exp(-m * d)
    slopes: Callable[[Any, Any, Any], Prop] = lambda m, N, x: Eq(m**N, 2 ** (-x))
    spread: Callable[[Any], Any] = lambda C: 2 * C
    row_sum: Callable[[Any, Any], Any] = row_sum
    recipe: Callable[[int], tuple[Fraction, ...]] = exponents
    pairs_at: Callable[[Any, Any], Any] = lambda K, d: K - d
    pairs_share: Callable[[int, list[Any]], Any] = pairs_share
    triples_share: Callable[[int, list[Any]], Any] = triples_share

    def stored(self, w: Any, n: Any, T: Any) -> Prop:
        """w is stored as n 2^(1 - T)."""
        return self.rounding(w, n, 2 ** (1 - T))


# ---------------------------------------------------------------------- the threshold
def rounding(of: Underflow) -> Prop:
    given = And(Le(0, w), of.rounding(w, n, 2 ** (e - p + 1)))
    return ForAll((p, e, w, n), Implies(given, Iff(Eq(n, 0), Le(w, 2 ** -of.threshold(p, e)))))


def weight(of: Underflow) -> Prop:
    zero = Iff(Eq(n, 0), Le(T * log(2), m * d))
    return ForAll((m, d, T, n), Implies(of.stored(of.weight(m, d), n, T), zero))


def distance(of: Underflow) -> Prop:
    ceiling_of = And(Lt(m * (delta - 1), T * log(2)), Le(T * log(2), m * delta))
    given = And(ceiling_of, of.stored(of.weight(m, d), n, T))
    return ForAll((m, d, T, n, delta), Implies(given, Iff(Eq(n, 0), Le(delta, d))))


def no_ties(of: Underflow) -> Prop:
    given = And(Le(1, d), of.slopes(m, N, x))
    return ForAll((m, d, T, N, x), Implies(given, Ne(of.weight(m, d), 2 ** (-T))))


def flushed(of: Underflow) -> Prop:
    floor_of = And(Le(m * (delta - 1), of.flush(e) * log(2)), Lt(of.flush(e) * log(2), m * delta))
    dead = Iff(Lt(of.weight(m, d), 2**e), Le(delta, d))
    return ForAll((m, d, e, delta), Implies(And(Le(e, 0), floor_of), dead))


def content(of: Underflow) -> Prop:
    sizes = And(Le(-C, s), Le(s, C), Le(-C, M), Le(M, C))
    given = And(sizes, of.stored(exp(s - m * d - M), n, T))
    dead = Implies(Le(T * log(2) + of.spread(C), m * d), Eq(n, 0))
    alive = Implies(Lt(m * d, T * log(2) - of.spread(C)), Not(Eq(n, 0)))
    return ForAll((m, d, T, n, C, s, M), Implies(given, And(dead, alive)))


def probability(of: Underflow) -> Prop:
    """A weight divided by the sum of its row."""
    whole = total(j, L, of.weight(m, j))
    zero = Le(of.weight(m, d), 2 ** (-T) * of.row_sum(m, L))
    given = of.stored(of.weight(m, d) / whole, n, T)
    return ForAll((m, d, T, n, L), Implies(given, Iff(Eq(n, 0), zero)))


# ---------------------------------------------------------------------- numbers
#: First dead distances of eight heads; the second kind flushes to zero.
FIRST_DEAD = {
    "float32": (208, 416, 832, 1664, 3328, 6655, 13309, 26617),
    "bfloat16": (186, 372, 744, 1487, 2973, 5945, 11889, 23778),
    "float16": (35, 70, 139, 278, 555, 1110, 2219, 4437),
    "float8_e4m3fn": (14, 28, 56, 111, 222, 444, 888, 1775),
}
FIRST_FLUSHED = {
    "float32": (175, 350, 699, 1398, 2795, 5590, 11180, 22359),
    "bfloat16": (175, 350, 699, 1398, 2795, 5590, 11180, 22359),
    "float16": (20, 39, 78, 156, 311, 622, 1243, 2485),
}
#: Twelve heads in float32, by the recipe and geometric.
TWELVE = (208, 416, 832, 1664, 3328, 6655, 13309, 26617, 148, 295, 589, 1177)
TWELVE_GEOMETRIC = (166, 262, 416, 661, 1048, 1664, 2641, 4192, 6655, 10563, 16768, 26617)
#: The same of probabilities, eight heads.
FIRST_DEAD_PROBABILITY = {
    "float32": (207, 410, 815, 1619, 3216, 6388, 12687, 25197),
    "bfloat16": (184, 366, 726, 1442, 2861, 5678, 11268, 22358),
    "float16": (33, 64, 122, 233, 444, 843, 1597, 3017),
}


def between(T: int, x: Fraction, delta: int) -> Prop:
    """m (delta - 1) < T ln 2 < m delta for m = 2^(-x)."""
    product = T * log(2)
    return And(Lt(slope(x) * (delta - 1), product), Lt(product, slope(x) * delta))


def _lists(of: Underflow, T: int, slopes: tuple[Fraction, ...], first: tuple[int, ...]) -> Prop:
    return And(*(between(T, x, delta) for x, delta in zip(slopes, first, strict=True)))


def eight_heads(of: Underflow) -> Prop:
    return And(
        *(
            _lists(of, of.threshold(*FORMATS[name]), of.recipe(8), first)
            for name, first in FIRST_DEAD.items()
        )
    )


def eight_heads_flushed(of: Underflow) -> Prop:
    return And(
        *(
            _lists(of, of.flush(FORMATS[name][1]), of.recipe(8), first)
            for name, first in FIRST_FLUSHED.items()
        )
    )


def twelve_heads(of: Underflow) -> Prop:
    T = of.threshold(*FORMATS["float32"])
    return And(_lists(of, T, of.recipe(12), TWELVE), _lists(of, T, geometric(12), TWELVE_GEOMETRIC))


def eight_heads_probability(of: Underflow) -> Prop:
    """In a row of more than delta keys the last living distance is delta - 1."""

    def cell(T: int, m: Any, delta: int) -> Prop:
        # A longer row has a larger sum.
        shortest, endless = of.row_sum(m, delta + 1), 1 / (1 - exp(-m))
        return And(
            Lt(Integer(2) ** -T * endless, of.weight(m, delta - 1)),
            Lt(of.weight(m, delta), Integer(2) ** -T * shortest),
        )

    return And(
        *(
            cell(of.threshold(*FORMATS[name]), slope(x), delta)
            for name, first in FIRST_DEAD_PROBABILITY.items()
            for x, delta in zip(of.recipe(8), first, strict=True)
        )
    )


#: Dead shares in float32: heads, length, of (head, distance), of (query, key, head).
SHARES = (
    (8, 4096, Fraction(877, 2048), Fraction(2864445, 8390656)),
    (12, 4096, Fraction(28207, 49152), Fraction(16116535, 33562624)),
    (16, 4096, Fraction(14975, 32768), Fraction(49869501, 134250496)),
    (32, 4096, Fraction(61791, 131072), Fraction(51842091, 134250496)),
    (8, 131072, Fraction(995547, 1048576), None),
    (12, 131072, Fraction(758813, 786432), None),
    (16, 131072, Fraction(2006623, 2097152), None),
    (32, 131072, Fraction(15733, 16384), None),
)


def counts(of: Underflow) -> Prop:
    """K = D + t tokens: K - d causal pairs have the distance d, and those from D on are dead."""
    dead, every = total(i, t, of.pairs_at(K, D + i)), total(i, K, of.pairs_at(K, i))
    numbers = And(Eq(2 * dead, t * (t + 1)), Eq(2 * every, K * (K + 1)))
    return ForAll((D, t, K), Implies(Eq(K, D + t), numbers))


def shares(of: Underflow) -> Prop:
    T = of.threshold(*FORMATS["float32"])
    return And(*(_shares(of, T, *row) for row in SHARES))


def _shares(of: Underflow, T: int, heads: int, L: int, pairs: Any, triples: Any) -> Prop:
    slopes = of.recipe(heads)
    first = [ceiling(T * log(2) / slope(x)) for x in slopes]
    cells = [Eq(of.pairs_share(L, first), Rational(pairs))]
    if triples is not None:
        cells.append(Eq(of.triples_share(L, first), Rational(triples)))
    return And(_lists(of, T, slopes, tuple(map(int, first))), *cells)


ALIBI_UNDERFLOW = Claim(
    id="kernels.alibi_underflow",
    title="Linear biases underflow: from which distance on a weight is exactly 0",
    kind="classification",
    definitions=Underflow(),
    hypotheses=(
        "$T = p - e_{\\min}$: a format has $p$ bits, the smallest normal number $2^{e_{\\min}}$ "
        "and the smallest positive one $2^{1-T}$",
        "below $2^{e_{\\min}+1}$ the format has every multiple of that number: "
        "$\\mathrm{fl}(w) = n\\,2^{1-T}$ is the nearest one, $n$ even in a tie; a larger weight is "
        "never stored as 0",
        "slopes $m > 0$ are real, distances $d \\ge 0$ and $T \\ge 1$ integers",
        "the exponential is rounded once; content logits are equal unless the clause names them",
    ),
    clauses=(
        Clause(
            "rounding",
            r"w \ge 0: \quad \mathrm{fl}(w) = 0 \iff w \le 2^{-T},\quad T = p - e_{\min}",
            rounding,
        ),
        Clause(
            "weight",
            r"m > 0,\ d \ge 0: \quad \mathrm{fl}(e^{-md}) = 0 \iff m d \ge T \ln 2",
            weight,
        ),
        Clause(
            "distance",
            r"m(\delta - 1) < T \ln 2 \le m\delta,\ \text{that is } "
            r"\delta = \lceil T \ln 2 / m \rceil: \quad "
            r"\mathrm{fl}(e^{-md}) = 0 \iff d \ge \delta",
            distance,
        ),
        Clause(
            "no_ties",
            r"m^N = 2^{-x} \text{ with integers } N \ge 1,\ x; \ d \ge 1: \quad e^{-md} \ne 2^{-T}",
            no_ties,
        ),
        Clause(
            "flushed",
            r"m(\delta - 1) \le -e_{\min} \ln 2 < m\delta,\ e_{\min} \le 0: \quad "
            r"e^{-md} < 2^{e_{\min}} \text{ (flushed to zero)} \iff d \ge \delta",
            flushed,
        ),
        Clause(
            "content",
            r"|s|, |M| \le C: \quad m d \ge T \ln 2 + 2C \implies \mathrm{fl}(e^{s - md - M}) = 0, "
            r"\quad m d < T \ln 2 - 2C \implies \mathrm{fl}(e^{s - md - M}) \ne 0",
            content,
        ),
        Clause(
            "probability",
            r"\mathrm{fl}\Bigl(e^{-md} \Big/ \sum_{j<L} e^{-mj}\Bigr) = 0 \iff "
            r"e^{-md} \le 2^{-T}\,\frac{1 - e^{-mL}}{1 - e^{-m}}",
            probability,
        ),
        Clause(
            "eight_heads",
            r"m(\delta - 1) < T \ln 2 < m\delta \text{ for } m = 2^{-1}, \ldots, 2^{-8}: "
            r"\quad \delta = 208, 416, 832, 1664, 3328, 6655, 13309, 26617 \text{ (float32)},\ "
            r"186, 372, 744, 1487, 2973, 5945, 11889, 23778 \text{ (bfloat16)},\ "
            r"35, 70, 139, 278, 555, 1110, 2219, 4437 \text{ (float16)},\ "
            r"14, 28, 56, 111, 222, 444, 888, 1775 \text{ (e4m3)}",
            eight_heads,
        ),
        Clause(
            "eight_heads_flushed",
            r"m(\delta - 1) < -e_{\min} \ln 2 < m\delta \text{ for } m = 2^{-1}, \ldots, "
            r"2^{-8}: \quad \delta = "
            r"175, 350, 699, 1398, 2795, 5590, 11180, 22359 \text{ (float32, bfloat16)},\ "
            r"20, 39, 78, 156, 311, 622, 1243, 2485 \text{ (float16)}",
            eight_heads_flushed,
        ),
        Clause(
            "twelve_heads",
            r"m(\delta - 1) < T \ln 2 < m\delta \text{ in float32 for twelve heads}: \quad "
            r"\delta = 208, 416, 832, 1664, 3328, 6655, 13309, 26617, 148, 295, 589, 1177 "
            r"\text{ (by the recipe)},\ 166, 262, 416, 661, 1048, 1664, "
            r"2641, 4192, 6655, 10563, 16768, 26617 \text{ (} m = 2^{-8h/12}\text{)}",
            twelve_heads,
        ),
        Clause(
            "eight_heads_probability",
            r"e^{-m(\delta' - 1)} > \frac{2^{-T}}{1 - e^{-m}},\ "
            r"e^{-m\delta'} < 2^{-T}\,\frac{1 - e^{-m(\delta' + 1)}}{1 - e^{-m}} "
            r"\text{ (so a probability in every row of more than } \delta' \text{ keys is 0 from } "
            r"\delta' \text{ on) for } m = 2^{-1}, \ldots, 2^{-8}: \quad "
            r"\delta' = 207, 410, 815, 1619, 3216, 6388, 12687, 25197 \text{ (float32)},\ "
            r"184, 366, 726, 1442, 2861, 5678, 11268, 22358 \text{ (bfloat16)},\ "
            r"33, 64, 122, 233, 444, 843, 1597, 3017 \text{ (float16)}",
            eight_heads_probability,
        ),
        Clause(
            "counts",
            r"L = \delta + t: \quad 2\sum_{i<t}\bigl(L - (\delta + i)\bigr) = t(t+1) "
            r"\text{ (twice the dead pairs)},\quad 2\sum_{i<L}(L - i) = L(L+1) \text{ (all)}",
            counts,
        ),
        Clause(
            "shares",
            r"\text{float32, } H = 8, 12, 16, 32: \text{ of the (head, distance) pairs } "
            r"\tfrac{877}{2048},\ \tfrac{28207}{49152},\ \tfrac{14975}{32768},\ "
            r"\tfrac{61791}{131072} \text{ are dead at } L = 4096,\ "
            r"\tfrac{995547}{1048576},\ \tfrac{758813}{786432},\ \tfrac{2006623}{2097152},\ "
            r"\tfrac{15733}{16384} \text{ at } L = 131072; \text{ of the (query, key, head) "
            r"triples } \tfrac{2864445}{8390656},\ \tfrac{16116535}{33562624},\ "
            r"\tfrac{49869501}{134250496},\ \tfrac{51842091}{134250496} \text{ at } L = 4096",
            shares,
        ),
    ),
)
