r"""Choosing the base of a rotary ladder for a context: a criterion and its published table.

Main definitions
----------------
exponent(i, m)        the i-th frequency is base^(-i / m), m planes
ROWS                  the table: context, certified brackets, published and recomputed bases
floor(reach)          what the cosine of an angle in [0, reach] cannot fall below

Main claims
-----------
scaling.base_bound

Conventions
-----------
A context of L tokens has the offsets n = 0 .. L - 1.  B(n, b) is the sum of cos(n b^(-i/m)) over
the planes i < m; a base b > 1 is *admissible* for L when B(n, b) >= 0 at every offset.  The table
has m = 64 planes (head dimension 128).  A bracket is a pair of decimals one unit of the last digit
apart; more digits lie with the numerical checks.  "1k" is 1024.
The clauses on covers write b = e^(-y), so that no exponential has a negative sign, and g for 1/m.

References
----------
xu2024base
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy
from sympy import Rational, cos, exp, sin

from posproof.theory.symbols import Variable, sequence, total, variables
from posproof.theory.vocabulary import (
    And,
    Box,
    Claim,
    Clause,
    Eq,
    Exists,
    ForAll,
    Implies,
    Int,
    Le,
    Lt,
    Positive,
    Prop,
    Real,
)

#: Rotation planes of the published table (head dimension 128).
PLANES = 64

i, j, n, m, r = variables("i j n m r", Int(0))
y, D, mu, nu, sigma = variables("y D mu nu sigma", Real)
h, g, L = variables("h g L", Positive)
theta = sequence("theta")


@dataclass(frozen=True)
class Row:
    """One context of the table; decimals as strings, brackets by their lower end.

    `published` and `rerun` are the two-digit bases of the published table and of a second,
    brute-force search; `printed_fails_at` is the first offset where the published base violates
    the criterion, None when there is none.
    """

    context: int
    label: str
    infimum: str
    infimum_offset: int
    window_end: str
    window_offset: int
    supremum: str
    supremum_offset: int
    published: int
    rerun: int
    printed_fails_at: int | None


def bracket(lower: str) -> tuple[Fraction, Fraction]:
    """The decimal and the next one of as many digits.

    >>> bracket("4.5")
    (Fraction(9, 2), Fraction(23, 5))
    """
    places = len(lower.partition(".")[2])
    return Fraction(lower), Fraction(lower) + Fraction(1, 10**places)


ROWS = (
    Row(1024, "1k", "4293.437569", 1009, "4330.323314", 950, "6018.280857", 903,
        4300, 4300, None),
    Row(2048, "2k", "11587.24430", 1788, "11649.35278", 1837, "22764.30379", 1946,
        16000, 12000, None),
    Row(4096, "4k", "26952.33922", 4012, "26973.08335", 4080, "58789.50415", 4000,
        27000, 27000, 4079),
    Row(8192, "8k", "83763.84101", 8172, "84469.69054", 7234, "394327.9045", 7626,
        84000, 84000, None),
    Row(16384, "16k", "231643.6468", 15643, "231721.7981", 16339, "1321077.957", 16333,
        310000, 230000, 12223),
    Row(32768, "32k", "629978.2628", 30704, "630983.5780", 26976, "3325751.031", 32323,
        640000, 630000, 27685),
    Row(65536, "64k", "2090179.674", 60076, "2091381.930", 61314, "14949413.92", 63137,
        2100000, 2100000, None),
    Row(131072, "128k", "4869104.370", 124837, "4872527.177", 124749, "42273617.46", 129569,
        7800000, 4900000, 128915),
    Row(262144, "256k", "23662397.03", 227688, "23663285.18", 227077, "269364728.5", 258745,
        36000000, 24000000, 207455),
    Row(524288, "512k", "58496173.80", 479857, "58496422.55", 492239, "1298576133.", 396698,
        64000000, 58000000, 511210),
    Row(1048576, "1M", "65374955.14", 935093, "65375271.83", 976366, "3914047850.", 904329,
        510000000, 65000000, 874868),
)  # fmt: skip


def exponent(i: Any, m: Any) -> Any:
    """Minus the logarithm of frequency i in units of the base's: theta_i = b^(-i / m)."""
    return i / m


def own_moment(mu: Any, sigma: Any, same: bool) -> Any:
    """E[q_a k'_b] for k' = q + independent noise of mean 0; `same` says whether a = b."""
    return sigma**2 + mu**2 if same else mu**2


def other_moment(mu: Any, nu: Any) -> Any:
    """E[q_a k_b] for an independent key of mean nu."""
    return mu * nu


def key_mean(mu: Any, nu: Any) -> Any:
    """The mean of the independent key: the query's own."""
    return mu


def slope(w: Any, theta: Any) -> Any:
    """What a plane adds to the bound on |dB / dx|, before the factor n."""
    return w * theta


def floor(reach: Any) -> Any:
    """A number below the cosine of every angle in [0, reach]."""
    return 1 - reach**2 / 2


def published(row: Row) -> int:
    """The two-digit base of the published table."""
    return row.published


@dataclass(frozen=True)
class Base:
    """The definitions of this subject; a control replaces one of them."""

    exponent: Callable[[Any, Any], Any] = exponent
    own_moment: Callable[[Any, Any, bool], Any] = own_moment
    other_moment: Callable[[Any, Any], Any] = other_moment
    key_mean: Callable[[Any, Any], Any] = key_mean
    slope: Callable[[Any, Any], Any] = slope
    floor: Callable[[Any], Any] = floor
    published: Callable[[Row], int] = published

    def criterion(self, n: Any, b: Any) -> Any:
        """B(n, b) of the table's ladder."""
        planes = sympy.Integer(PLANES)
        return total(i, planes, cos(n * b ** (-self.exponent(i, planes))))

    def expected_score(self, moment: Callable[[bool], Any]) -> Any:
        """E[q^T R(D) k] from the second moments E[q_a k_b] of a pair of components."""
        turn, cross = theta(i) * D, moment(False) - moment(False)
        return total(i, m, 2 * moment(True) * cos(turn) - cross * sin(turn))

    def gap(self, nu: Any) -> Any:
        """Expected score of the key that resembles the query minus that of an independent one."""
        own = self.expected_score(lambda same: self.own_moment(mu, sigma, same))
        return own - self.expected_score(lambda same: self.other_moment(mu, nu))

    def curve(self, planes: Any, y: Any) -> Any:
        """B(n, e^-y) on a ladder of that many planes, theta_i = e^(y g i)."""
        return total(i, planes, cos(n * exp(y * g * i)))

    def steepness(self, y: Any) -> Any:
        """Lambda(n, e^-y), which bounds |dB / dy| at this base and every larger one."""
        return n * total(i, m, self.slope(g * i, exp(y * g * i)))


def _rational(value: Fraction | int) -> Any:
    return Rational(Fraction(value).numerator, Fraction(value).denominator)


def _admissible(of: Base, b: Any, context: int) -> Prop:
    return ForAll(n, Implies(Lt(n, context), Le(0, of.criterion(n, b))))


def _violates(of: Base, offset: int, b: Fraction | int) -> Prop:
    return Lt(of.criterion(sympy.Integer(offset), _rational(b)), 0)


# ---------------------------------------------------------------------- where B comes from
def expected_gap(of: Base) -> Prop:
    kernel = total(i, m, cos(theta(i) * D))
    factor = 2 * (sigma**2 + mu * (mu - nu))
    return ForAll((m, D, mu, nu, sigma), Eq(of.gap(nu), factor * kernel))


def equal_means(of: Base) -> Prop:
    kernel = total(i, m, cos(theta(i) * D))
    return ForAll((m, D, mu, nu, sigma), Eq(of.gap(of.key_mean(mu, nu)), 2 * sigma**2 * kernel))


# ---------------------------------------------------------------------- why a cover is a proof
def step(of: Base) -> Prop:
    here, there, reach = of.curve(m, y), of.curve(m, y - h), h * of.steepness(y)
    return ForAll((m, n, y, h, g), And(Le(there, here + reach), Le(here - reach, there)))


def large_base(of: Base) -> Prop:
    smallest = total(i, r, of.floor(L * exp(y * g * (j + i)))) - j
    bounded = Le(smallest, of.curve(j + r, y - h))
    return ForAll((j, r, n, L, y, h, g), Implies(Le(n, L), bounded))


# ---------------------------------------------------------------------- the table
def infimum(of: Base) -> Prop:
    return And(*(_infimum(of, row) for row in ROWS))


def _infimum(of: Base, row: Row) -> Prop:
    low, high = bracket(row.infimum)
    below, at = Variable("b", Box(1, low)), Variable("b", Box(low, high))
    violated = Exists(n, And(Lt(n, row.context), Lt(of.criterion(n, below), 0)))
    return And(ForAll(below, violated), Exists(at, _admissible(of, at, row.context)))


def not_a_threshold(of: Base) -> Prop:
    return And(*(_not_a_threshold(of, row) for row in ROWS))


def _not_a_threshold(of: Base, row: Row) -> Prop:
    lower = Variable("b", Box(*bracket(row.infimum)))
    larger = bracket(row.window_end)[1]
    admissible = Exists(lower, _admissible(of, lower, row.context))
    return And(admissible, _violates(of, row.window_offset, larger))


#: Contexts whose first window is walked through from end to end.
WINDOWS = ROWS[:8]


def first_window(of: Base) -> Prop:
    return And(*(_first_window(of, row) for row in WINDOWS))


def _first_window(of: Base, row: Row) -> Prop:
    end, beyond = bracket(row.window_end)
    inside = Variable("b", Box(bracket(row.infimum)[1], end))
    admissible = ForAll(inside, _admissible(of, inside, row.context))
    return And(admissible, _violates(of, row.window_offset, beyond))


#: Contexts whose robust threshold is proved from both sides.
ROBUST = ROWS[:5]


def supremum(of: Base) -> Prop:
    return And(*(_supremum(of, row) for row in ROBUST))


def _supremum(of: Base, row: Row) -> Prop:
    low, high = bracket(row.supremum)
    b = Variable("b", Positive)
    above = ForAll(b, Implies(Le(_rational(high), b), _admissible(of, b, row.context)))
    return And(_violates(of, row.supremum_offset, low), above)


def supremum_from_below(of: Base) -> Prop:
    lower_ends = ((row, bracket(row.supremum)[0]) for row in ROWS)
    return And(*(_violates(of, row.supremum_offset, low) for row, low in lower_ends))


# ---------------------------------------------------------------------- the published numbers
def printed_bases(of: Base) -> Prop:
    return And(*(_printed(of, row) for row in ROWS))


def _printed(of: Base, row: Row) -> Prop:
    b = _rational(of.published(row))
    if row.printed_fails_at is None:
        return _admissible(of, b, row.context)
    earlier = _admissible(of, b, row.printed_fails_at)
    return And(earlier, _violates(of, row.printed_fails_at, of.published(row)))


#: Rows whose published base is b_inf to its two digits.
EQUAL = ("1k", "4k", "8k", "64k")


def agreement(of: Base) -> Prop:
    return And(*(_agreement(of, row) for row in ROWS))


def _agreement(of: Base, row: Row) -> Prop:
    low, high = bracket(row.infimum)
    rerun = _rounds_to(low, high, row.rerun)
    if row.label in EQUAL:
        return And(rerun, _rounds_to(low, high, of.published(row)))
    return And(rerun, Lt(_rational(high), of.published(row)))


def _rounds_to(low: Fraction, high: Fraction, value: int) -> Prop:
    """Everything from `low` to `high` becomes `value` when rounded to two digits."""
    half = Fraction(10 ** (len(str(value)) - 2), 2)
    return And(
        Le(_rational(value - half), _rational(low)), Lt(_rational(high), _rational(value + half))
    )


BASE_BOUND = Claim(
    id="scaling.base_bound",
    title="The lower bound of the rotary base: a certified table, and why it is no threshold",
    kind="reproduction",
    source=("xu2024base",),
    definitions=Base(),
    stance="corrected",
    reading=(
        "'The base of RoPE bounds context length', read as: a context L has a least base, and "
        "every larger base will do. The least admissible base exists and is computed here; the "
        "admissible bases above it form separate windows, so 'every larger base' starts only at a "
        "second, larger number. Of the published two-digit bases, used literally, seven of eleven "
        "violate the criterion."
    ),
    clauses=(
        Clause(
            "expected_gap",
            r"E[q^\top R(D)k'] - E[q^\top R(D)k] = "
            r"2\bigl(\sigma^2 + \mu(\mu-\nu)\bigr)\sum_{i<m}\cos\theta_i D",
            expected_gap,
        ),
        Clause(
            "equal_means",
            r"\nu = \mu:\quad E[q^\top R(D)k'] - E[q^\top R(D)k] = "
            r"2\sigma^2\sum_{i<m}\cos\theta_i D",
            equal_means,
        ),
        Clause(
            "step",
            r"|B(n, e^{-y+h}) - B(n, e^{-y})| \le h\,\Lambda(n, y),\quad "
            r"\Lambda(n, y) = n\sum_{i<m} g i\, e^{y g i} \quad "
            r"(\theta_i = b^{-gi},\ h > 0,\ g > 0)",
            step,
        ),
        Clause(
            "large_base",
            r"0 \le n \le L,\ h > 0 \implies B(n, e^{-y+h}) \ge "
            r"\sum_{i<r}\bigl(1 - \tfrac12(L e^{y g (j+i)})^2\bigr) - j \quad (j + r = m)",
            large_base,
        ),
        Clause(
            "infimum",
            r"b_{\inf}(L) = \min\{b > 1 : B(n, b) \ge 0\ \forall n < L\} = "
            r"4293.43\ldots,\ 11587.2\ldots,\ 26952.3\ldots,\ 83763.8\ldots,\ \ldots,\ "
            r"65374955.1\ldots \quad (L = 1\mathrm{k}, 2\mathrm{k}, 4\mathrm{k}, 8\mathrm{k}, "
            r"\ldots, 1\mathrm{M})",
            infimum,
        ),
        Clause(
            "not_a_threshold",
            r"\text{every row: some } b_1 < b_2 \text{ with } b_1 \text{ admissible and } b_2 "
            r"\text{ not}",
            not_a_threshold,
        ),
        Clause(
            "first_window",
            r"\text{every base from } b_{\inf}(L) \text{ to } 4330.32\ldots,\ 11649.3\ldots,\ "
            r"26973.0\ldots,\ 84469.6\ldots,\ \ldots \text{ is admissible, the next ones are not "
            r"}(L \le 128\mathrm{k})",
            first_window,
        ),
        Clause(
            "supremum",
            r"\text{every base} \ge b_{\sup}(L) = 6018.28\ldots,\ 22764.3\ldots,\ 58789.5\ldots,\ "
            r"394327.9\ldots,\ \ldots \text{ is admissible, some just below are not "
            r"}(L \le 16\mathrm{k})",
            supremum,
        ),
        Clause(
            "supremum_from_below",
            r"b_{\sup}(L) \ge 6018.28\ldots,\ \ldots,\ 3914047850 \quad "
            r"(L = 1\mathrm{k}, \ldots, 1\mathrm{M})",
            supremum_from_below,
        ),
        Clause(
            "printed_bases",
            r"\text{the published bases satisfy the criterion at } 1\mathrm{k}, 2\mathrm{k}, "
            r"8\mathrm{k}, 64\mathrm{k} \text{ and violate it first at } n = 4079,\ 12223,\ "
            r"27685,\ 128915,\ 207455,\ 511210,\ 874868 \text{ in the other rows}",
            printed_bases,
        ),
        Clause(
            "agreement",
            r"\text{to two digits the published base equals } b_{\inf} \text{ at } 1\mathrm{k}, "
            r"4\mathrm{k}, 8\mathrm{k}, 64\mathrm{k} \text{ and exceeds it in the other rows; the "
            r"recomputed column equals it in every row}",
            agreement,
        ),
    ),
)
