r"""The rules that rescale a rotary ladder for longer contexts, and what each of them keeps.

Main definitions
----------------
Rules          every formula below; a control replaces one of them
clipped        what it means that gamma is a number clipped to [0, 1]
zoned          what it means that a frequency is scaled zone by zone, as llama3 does

Main claims
-----------
scaling.interpolation, scaling.ntk, scaling.yarn, scaling.dynamic_ntk, scaling.longrope,
scaling.llama3

Conventions
-----------
m planes, head dimension d = 2 m; theta_i = b^(-i / m) with b = e^x.  L is the original context, s
the factor, r = L theta / (2 pi) the number of turns of a plane in the original context.  gamma is
the share of the old frequency that is kept.  Scores are sums of a_i cos - b_i sin of theta_i times
the offset.

References
----------
chen2023interpolation, peng2023yarn, ding2024longrope
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy
from sympy import Max, Rational, cos, exp, floor, log, pi, sin, sqrt

from posproof.theory.rotary import Pair, turned
from posproof.theory.symbols import Variable, sequence, total, variables
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

i = Variable("i", Int(0))
m = Variable("m", Int(2))
k = Variable("k", Int(0))
planes = Variable("m", Int(0))
x, y, D, p, n, t, r, R, alpha, beta, gamma, delta, v, w = variables(
    "x y D p n t r R alpha beta gamma delta v w", Real
)
s, theta, phi, L, low, high, lam, mu, g = variables("s theta phi L l h lambda mu g", Positive)
a, b, c = (sequence(name) for name in "abc")
frequency, factor = sequence("theta", Positive), sequence("lambda", Positive)


# ---------------------------------------------------------------------- definitions
def clipped(value: Any, gamma: Any) -> Prop:
    """gamma is the value, at least 0 and at most 1."""
    inside = Implies(And(Le(0, value), Le(value, 1)), Eq(gamma, value))
    return And(Implies(Le(value, 0), Eq(gamma, 0)), inside, Implies(Le(1, value), Eq(gamma, 1)))


def blended(theta: Any, gamma: Any, s: Any) -> Any:
    """theta ((1 - gamma) / s + gamma)."""
    return theta * ((1 - gamma) / s + gamma)


def turning_plane(turns: float, context: int, base: int, planes: int) -> Any:
    """The plane, as a real number, that turns so often in the original context."""
    return planes * log(context / (2 * pi * turns)) / log(base)


@dataclass(frozen=True)
class Rules:
    """The definitions of this topic; a control replaces one of them."""

    interpolated: Callable[[Any, Any], Any] = lambda theta, s: theta / s
    position: Callable[[Any, Any], Any] = lambda D, s: D / s
    rebased: Callable[[Any, Any, Any], Any] = lambda x, y, m: x + y * m / (m - 1)
    growth: Callable[[Any, Any, Any], Any] = lambda length, context, s: s * length / context - s + 1
    blended: Callable[[Any, Any, Any], Any] = blended
    turns: Callable[[Any, Any], Any] = lambda theta, L: L * theta / (2 * pi)
    kept: Callable[[Any, Any, Any], Any] = lambda r, low, high: (r - low) / (high - low)
    kept_by_plane: Callable[[Any, Any, Any], Any] = lambda i, low, high: (high - i) / (high - low)
    turning_plane: Callable[..., Any] = turning_plane
    temperature: Callable[[Any], Any] = lambda s: 1 + log(s) / 10
    turned: Callable[[Any, Any, Any], Pair] = turned
    cached: Callable[[Any, Any], Any] = lambda theta, phi: phi
    divided: Callable[[Any, Any], Any] = lambda theta, lam: theta / lam
    attention: Callable[[Any, Any], Any] = lambda s, L: sqrt(1 + log(s) / log(L))
    beyond: Callable[[Any, Any], Prop] = lambda length, context: Lt(context, length)

    def plane(self, i: Any, x: Any, m: Any) -> Any:
        """theta_i of the base e^x."""
        return exp(-i * x / m)

    def score(self, frequency: Callable[[Any], Any], D: Any) -> Any:
        angle = frequency(i) * D
        return total(i, planes, a(i) * cos(angle) - b(i) * sin(angle))

    def zoned(self, theta: Any, value: Any) -> Prop:
        """value is what llama3 makes of theta."""
        turns = self.turns(theta, L)
        inside = self.blended(theta, self.kept(turns, low, high), s)
        return And(
            Implies(Lt(turns, low), Eq(value, theta / s)),
            Implies(And(Le(low, turns), Le(turns, high)), Eq(value, inside)),
            Implies(Lt(high, turns), Eq(value, theta)),
        )

    def switched(self, length: Any, value: Any) -> Prop:
        """value is longrope's frequency: lambda up to the context L, mu beyond."""
        longer = self.beyond(length, L)
        return And(
            Implies(Not(longer), Eq(value, self.divided(theta, lam))),
            Implies(longer, Eq(value, self.divided(theta, mu))),
        )


OF = Rules()


# ---------------------------------------------------------------------- scaling.interpolation
def _stretched(of: Rules) -> Callable[[Any], Any]:
    return lambda i: of.interpolated(frequency(i), s)


def interpolated_score(of: Rules) -> Prop:
    equal = Eq(of.score(_stretched(of), D), of.score(frequency, of.position(D, s)))
    return ForAll((planes, s, D), equal)


def phases(of: Rules) -> Prop:
    def within(at: Any, end: Any) -> Prop:
        return And(Le(0, at), Le(at, end))

    old = of.position(D, s)
    onto = And(Iff(within(D, s * L), within(old, L)), Eq(of.position(s * p, s), p))
    return ForAll((s, L, D, p, theta), And(onto, Eq(of.interpolated(theta, s) * D, theta * old)))


def resolution(of: Rules) -> Prop:
    """c_i is the modulus of a_i + 1j b_i."""
    modulus = And(Le(0, c(i)), Eq(c(i) ** 2, a(i) ** 2 + b(i) ** 2))
    step = of.score(_stretched(of), D + 1) - of.score(_stretched(of), D)
    steepest = total(i, planes, frequency(i) * c(i)) / s
    inside = And(Le(step, steepest), Le(-steepest, step))
    given = ForAll(i, Implies(Lt(i, planes), modulus))
    return ForAll((planes, s, D), Implies(given, inside))


INTERPOLATION = Claim(
    id="scaling.interpolation",
    title="Position interpolation plays the old scores slower",
    kind="identity",
    source=("chen2023interpolation",),
    definitions=OF,
    clauses=(
        Clause(
            "score",
            r"\theta'_i = \theta_i / s:\quad S'(D) = S(D / s)",
            interpolated_score,
        ),
        Clause(
            "phases",
            r"D \in [0, sL] \iff D/s \in [0, L],\quad \theta'_i D = \theta_i (D/s)",
            phases,
        ),
        Clause(
            "resolution",
            r"|S'(D + 1) - S'(D)| \le \frac1s \sum_{i<m} \theta_i |c_i| \quad "
            r"(c_i = a_i + \mathrm{i}\, b_i)",
            resolution,
        ),
    ),
)


# ---------------------------------------------------------------------- scaling.ntk
def _rebased_plane(of: Rules, i: Any) -> Any:
    return of.plane(i, of.rebased(x, y, m), m)


def ntk_ladder(of: Rules) -> Prop:
    slower = exp(-i * y / (m - 1))
    return ForAll((m, i, x, y), Eq(_rebased_plane(of, i), of.plane(i, x, m) * slower))


def ntk_ends(of: Rules) -> Prop:
    first = Eq(_rebased_plane(of, 0), of.plane(0, x, m))
    last = Eq(_rebased_plane(of, m - 1), of.plane(m - 1, x, m) * exp(-y))
    return ForAll((m, x, y), And(first, last))


def ntk_falls(of: Rules) -> Prop:
    falls = Lt(_rebased_plane(of, i + 1), _rebased_plane(of, i))
    return ForAll((m, i, x, y), Implies(And(Lt(0, x), Le(0, y)), falls))


def ntk_unique(of: Rules) -> Prop:
    def other(i: Any) -> Any:
        return exp(alpha - i * beta)

    first = Eq(other(sympy.Integer(0)), of.plane(0, x, m))
    last = Eq(other(m - 1), of.plane(m - 1, x, m) * exp(-y))
    same = Eq(other(i), _rebased_plane(of, i))
    return ForAll((m, i, x, y, alpha, beta), Implies(And(first, last), same))


NTK = Claim(
    id="scaling.ntk",
    title="The NTK-aware base keeps the first frequency and divides the last by the factor",
    kind="identity",
    source=("peng2023yarn",),
    definitions=OF,
    clauses=(
        Clause(
            "ladder",
            r"b' = b\,s^{d/(d-2)}:\quad \theta'_i = b'^{-2i/d} = \theta_i\, s^{-2i/(d-2)} \quad "
            r"(d = 2m,\ m \ge 2,\ b = e^x,\ s = e^y)",
            ntk_ladder,
        ),
        Clause(
            "ends",
            r"\theta'_0 = \theta_0,\quad \theta'_{m-1} = \theta_{m-1} / s",
            ntk_ends,
        ),
        Clause("falls", r"b > 1,\ s \ge 1 \implies \theta'_{i+1} < \theta'_i", ntk_falls),
        Clause(
            "unique",
            r"\varphi_i = e^{\alpha - i\beta},\ \varphi_0 = \theta_0,\ "
            r"\varphi_{m-1} = \theta_{m-1}/s \implies \varphi_i = \theta'_i",
            ntk_unique,
        ),
    ),
)


# ---------------------------------------------------------------------- scaling.yarn
SHARE = And(Le(0, gamma), Le(gamma, 1))


def yarn_bracket(of: Rules) -> Prop:
    value = of.blended(theta, gamma, s)
    inside = And(Le(theta / s, value), Le(value, theta))
    return ForAll((theta, gamma, s), Implies(And(SHARE, Le(1, s)), inside))


def yarn_fixed(of: Rules) -> Prop:
    kept = Eq(of.blended(theta, sympy.Integer(1), s), theta)
    return ForAll((theta, s), And(kept, Eq(of.blended(theta, sympy.Integer(0), s), theta / s)))


def yarn_falls(of: Rules) -> Prop:
    given = And(SHARE, Le(0, delta), Le(delta, gamma), Lt(phi, theta), Le(1, s))
    falls = Lt(of.blended(phi, delta, s), of.blended(theta, gamma, s))
    return ForAll((theta, phi, gamma, delta, s), Implies(given, falls))


def _ramp(first: Any, second: Any) -> Prop:
    """The clipped shares of two values: in [0, 1], the first not above the second."""
    given = And(clipped(first, gamma), clipped(second, delta))
    return Implies(given, And(Le(0, gamma), Le(gamma, delta), Le(delta, 1)))


def _ends(full: Prop, none: Prop, value: Any, gamma: Any) -> tuple[Prop, Prop]:
    """Where the share is 1 and where it is 0."""
    share = clipped(value, gamma)
    return Implies(And(full, share), Eq(gamma, 1)), Implies(And(none, share), Eq(gamma, 0))


def paper_ramp(of: Rules) -> Prop:
    first, second = of.kept(r, low, high), of.kept(R, low, high)
    ends = _ends(Le(high, r), Le(r, low), first, gamma)
    whole = Implies(And(Lt(low, high), Le(r, R)), And(*ends, _ramp(first, second)))
    return ForAll((low, high, r, R, gamma, delta), whole)


def code_ramp(of: Rules) -> Prop:
    first, second = of.kept_by_plane(i + k, v, w), of.kept_by_plane(i, v, w)
    ends = _ends(Le(i + k, v), Le(w, i + k), first, gamma)
    whole = Implies(Lt(v, w), And(*ends, _ramp(first, second)))
    return ForAll((v, w, i, k, gamma, delta), whole)


#: The example of the two ramps: base, planes, original context, factor; turns of the ramp's ends.
BASE, PLANES, CONTEXT, FACTOR = 10_000, 64, 4096, 4
FAST, SLOW = 32, 1
#: The smallest and the largest quotient of the two ladders: plane, and brackets of three digits.
EXTREMES = ((34, "0.577"), (21, "1.023"))


def clip(value: Any) -> Any:
    """A number clipped to [0, 1], written with maxima."""
    return Max(0, 1 - Max(0, 1 - value))


def _quotient(of: Rules, plane: int) -> Any:
    """The published formula's frequency over that of the code."""
    angle = sympy.Integer(BASE) ** -Rational(plane, PLANES)
    by_turns = clip(of.kept(of.turns(angle, CONTEXT), SLOW, FAST))
    first = floor(of.turning_plane(FAST, CONTEXT, BASE, PLANES))
    last = -floor(-of.turning_plane(SLOW, CONTEXT, BASE, PLANES))
    by_plane = clip(of.kept_by_plane(plane, first, last))
    return of.blended(angle, by_turns, FACTOR) / of.blended(angle, by_plane, FACTOR)


def two_ramps(of: Rules) -> Prop:
    (least, small), (most, large) = ((at, Fraction(digits)) for at, digits in EXTREMES)
    unit = Fraction(1, 1000)

    def between(low: Fraction, value: Any, high: Fraction) -> Prop:
        return And(
            Lt(Rational(low.numerator, low.denominator), value),
            Lt(value, Rational(high.numerator, high.denominator)),
        )

    ends = [
        between(small, _quotient(of, least), small + unit),
        between(large, _quotient(of, most), large + unit),
    ]
    others = [between(small, _quotient(of, at), large + unit) for at in range(PLANES)]
    return And(*ends, *others)


def yarn_temperature(of: Rules) -> Prop:
    at_one = Eq(of.temperature(sympy.Integer(1)), 1)
    return And(at_one, ForAll(s, Implies(Le(1, s), Le(1, of.temperature(s)))))


YARN = Claim(
    id="scaling.yarn",
    title="YaRN has two ramps: the published one is linear in turns, the code's in planes",
    kind="identity",
    source=("peng2023yarn",),
    definitions=OF,
    stance="corrected",
    reading=(
        "'YaRN', read as one rule. The published ramp is linear in the number of turns of a plane, "
        "the one in the released code is linear in the plane's index, that is in the logarithm of "
        "the turns. Both keep fast planes, divide slow ones by the factor and fall in between; in "
        "between they differ by up to 42 per cent."
    ),
    clauses=(
        Clause(
            "bracket",
            r"\theta' = \theta\bigl((1-\gamma)/s + \gamma\bigr),\ 0 \le \gamma \le 1,\ s \ge 1 "
            r"\implies \theta/s \le \theta' \le \theta",
            yarn_bracket,
        ),
        Clause(
            "fixed_points",
            r"\gamma = 1 \implies \theta' = \theta,\qquad \gamma = 0 \implies \theta' = \theta/s",
            yarn_fixed,
        ),
        Clause(
            "falls",
            r"\varphi < \theta,\ 0 \le \delta \le \gamma \le 1,\ s \ge 1 \implies "
            r"\varphi\bigl((1-\delta)/s + \delta\bigr) < \theta\bigl((1-\gamma)/s + \gamma\bigr)",
            yarn_falls,
        ),
        Clause(
            "paper_ramp",
            r"\gamma(r) = \operatorname{clip}_{[0,1]} \frac{r - \alpha}{\beta - \alpha}:\ "
            r"1 \text{ for } r \ge \beta,\ 0 \text{ for } r \le \alpha,\ "
            r"\text{in } [0, 1] \text{ and rising}",
            paper_ramp,
        ),
        Clause(
            "code_ramp",
            r"\gamma_i = \operatorname{clip}_{[0,1]} \frac{h - i}{h - l}:\ "
            r"1 \text{ for } i \le l,\ 0 \text{ for } i \ge h,\ \text{in } [0, 1] \text{ and "
            r"falling}",
            code_ramp,
        ),
        Clause(
            "two_ramps",
            r"b = 10^4,\ d = 128,\ L = 4096,\ s = 4:\ "
            r"\text{the published frequency over that of the code is } 0.577\ldots "
            r"\text{ at plane } 34,\ 1.023\ldots \text{ at } 21,\ "
            r"\text{and between these at every plane}",
            two_ramps,
        ),
        Clause(
            "temperature",
            r"a(s) = 1 + \tfrac1{10}\ln s:\quad a(1) = 1,\ a(s) \ge 1 \text{ for } s \ge 1",
            yarn_temperature,
        ),
    ),
)


# ---------------------------------------------------------------------- scaling.dynamic_ntk
def dynamic_start(of: Rules) -> Prop:
    return ForAll((L, s), Eq(of.growth(L, L, s), 1))


def dynamic_nominal(of: Rules) -> Prop:
    value = of.growth(s * L, L, s)
    more = And(Eq(value, s**2 - s + 1), Eq(value, s + (s - 1) ** 2))
    return ForAll((L, s), And(more, Implies(Lt(1, s), Lt(s, value))))


def dynamic_grows(of: Rules) -> Prop:
    step = Eq(of.growth(n + p, L, s) - of.growth(n, L, s), s * p / L)
    rises = Implies(Lt(n, p), Lt(of.growth(n, L, s), of.growth(p, L, s)))
    return ForAll((L, s, n, p), And(step, rises))


def dynamic_last(of: Rules) -> Prop:
    """y is the logarithm of the growth at length n."""
    last = _rebased_plane(of, m - 1)
    grown = Eq(last * of.growth(n, L, s), of.plane(m - 1, x, m))
    return ForAll((m, x, y, n, L, s), Implies(Eq(exp(y), of.growth(n, L, s)), grown))


def dynamic_cache(of: Rules) -> Prop:
    """The score of a unit query and an equal unit key that was rotated by another ladder."""

    def score(p: Any, n: Any) -> Any:
        query = of.turned(1, 0, theta * p)
        key = of.turned(1, 0, of.cached(theta, phi) * n)
        return query[0] * key[0] + query[1] * key[1]

    away = pi / (theta - phi)
    opposite = Implies(Ne(theta, phi), Eq(score(away, away), -1))
    together = Implies(Eq(of.cached(theta, phi), theta), Eq(score(t, t), 1))
    return ForAll((theta, phi, t), And(opposite, Eq(score(0, 0), 1), together))


DYNAMIC_NTK = Claim(
    id="scaling.dynamic_ntk",
    title="Dynamic NTK starts gently and ends further out than its nominal factor",
    kind="identity",
    source=("peng2023yarn",),
    definitions=OF,
    depends=("scaling.ntk",),
    clauses=(
        Clause("start", r"f(n) = s\,n/L - s + 1:\quad f(L) = 1", dynamic_start),
        Clause(
            "nominal",
            r"f(sL) = s^2 - s + 1 = s + (s-1)^2,\quad > s \text{ for } s > 1",
            dynamic_nominal,
        ),
        Clause(
            "grows",
            r"f(n + p) - f(n) = s\,p/L,\quad n < p \implies f(n) < f(p)",
            dynamic_grows,
        ),
        Clause(
            "last_plane",
            r"b' = b\,f^{d/(d-2)} \implies \theta'_{m-1} = \theta_{m-1}/f",
            dynamic_last,
        ),
        Clause(
            "cache",
            r"s(p, n) = \cos(\theta p)\cos(\varphi n) + \sin(\theta p)\sin(\varphi n):\quad "
            r"\theta \ne \varphi \implies s(t, t) = -1 \text{ at } t = \pi/(\theta - \varphi),\ "
            r"s(0, 0) = 1;\quad \theta = \varphi \implies s(t, t) = 1",
            dynamic_cache,
        ),
    ),
)


# ---------------------------------------------------------------------- scaling.longrope
def _own(of: Rules) -> Callable[[Any], Any]:
    return lambda i: of.divided(frequency(i), factor(i))


def longrope_relative(of: Rules) -> Prop:
    """The pairs (q, u) of the query and (k, l) of the key; c = conj(q + 1j u)(k + 1j l)."""
    q, u, key, l = (sequence(name) for name in "qukl")  # noqa: E741
    query = of.turned(q(i), u(i), _own(of)(i) * p)
    turned = of.turned(key(i), l(i), _own(of)(i) * n)
    score = total(i, planes, query[0] * turned[0] + query[1] * turned[1])
    angle = _own(of)(i) * (n - p)
    real, imaginary = q(i) * key(i) + u(i) * l(i), q(i) * l(i) - u(i) * key(i)
    offset = total(i, planes, real * cos(angle) - imaginary * sin(angle))
    return ForAll((planes, p, n), Eq(score, offset))


def longrope_order(of: Rules) -> Prop:
    """g is the quotient b^(-2/d) of neighbouring frequencies; lambda and mu are neighbours."""
    falls = Lt(of.divided(theta * g, mu), of.divided(theta, lam))
    return ForAll((theta, g, lam, mu), Iff(falls, Lt(g, mu / lam)))


def longrope_attention(of: Rules) -> Prop:
    return ForAll(L, Eq(of.attention(sympy.Integer(1), L), 1))


def longrope_switch(of: Rules) -> Prop:
    given = And(of.switched(L, v), of.switched(L + 1, w))
    sides = And(Eq(v, of.divided(theta, lam)), Eq(w, of.divided(theta, mu)))
    whole = And(sides, Iff(Eq(v, w), Eq(lam, mu)))
    return ForAll((theta, lam, mu, L, v, w), Implies(given, whole))


LONGROPE = Claim(
    id="scaling.longrope",
    title="LongRoPE: relative for each list, falling under a condition, and a jump after L",
    kind="identity",
    source=("ding2024longrope",),
    definitions=OF,
    clauses=(
        Clause(
            "relative",
            r"\theta'_i = \theta_i/\lambda_i:\quad \sum_i (R(\theta'_i p)q_i)^\top "
            r"R(\theta'_i n)k_i = \sum_i \operatorname{Re}\bigl(\bar q_i k_i "
            r"e^{i\theta'_i(n-p)}\bigr)",
            longrope_relative,
        ),
        Clause(
            "order",
            r"\theta_{i+1} = g\,\theta_i:\quad \theta'_{i+1} < \theta'_i \iff "
            r"\lambda_{i+1}/\lambda_i > g = b^{-2/d}",
            longrope_order,
        ),
        Clause(
            "attention", r"a = \sqrt{1 + \ln s / \ln L}:\quad a = 1 \text{ at } s = 1",
            longrope_attention,
        ),
        Clause(
            "switch",
            r"\text{the short list at length } L, \text{ the long one at } L + 1;\ "
            r"\text{both ladders agree iff the lists do}",
            longrope_switch,
        ),
    ),
)  # fmt: skip


# ---------------------------------------------------------------------- scaling.llama3
ZONES = And(Lt(low, high), Le(1, s))


def llama3_edges(of: Rules) -> Prop:
    at_high = Eq(of.blended(theta, of.kept(high, low, high), s), theta)
    at_low = Eq(of.blended(theta, of.kept(low, low, high), s), theta / s)
    return ForAll((theta, low, high, s), Implies(Lt(low, high), And(at_high, at_low)))


def llama3_bracket(of: Rules) -> Prop:
    inside = And(Le(theta / s, v), Le(v, theta))
    return ForAll((theta, low, high, s, L, v), Implies(And(ZONES, of.zoned(theta, v)), inside))


def llama3_rises(of: Rules) -> Prop:
    given = And(ZONES, Lt(phi, theta), of.zoned(phi, w), of.zoned(theta, v))
    return ForAll((theta, phi, low, high, s, L, v, w), Implies(given, Lt(w, v)))


def llama3_slope(of: Rules) -> Prop:
    """A plane with `low` turns has theta = 2 pi low / L; it moves by p."""
    start = 2 * pi * low / L

    def value(theta: Any) -> Any:
        return of.blended(theta, of.kept(of.turns(theta, L), low, high), s)

    slope = (high + (s - 2) * low) / (s * (high - low))
    square = L * (1 - 1 / s) / (2 * pi * (high - low)) * p**2
    near = Eq(value(start + p) - value(start), slope * p + square)
    kink = Implies(And(Lt(low, high), Lt(1, s)), Lt(1 / s, slope))
    return ForAll((low, high, s, L, p), And(Implies(Ne(low, high), near), kink))


LLAMA3 = Claim(
    id="scaling.llama3",
    title="The llama3 rule is continuous and rising, with a kink at each edge",
    kind="identity",
    source=(),
    definitions=OF,
    clauses=(
        Clause(
            "edges",
            r"\theta\bigl((1-\gamma)/s + \gamma\bigr),\ \gamma = \frac{r - l}{h - l}:\quad "
            r"\theta \text{ at } r = h,\ \theta/s \text{ at } r = l",
            llama3_edges,
        ),
        Clause(
            "bracket",
            r"l < h,\ s \ge 1 \implies \theta/s \le \theta' \le \theta \quad "
            r"\text{in every zone}",
            llama3_bracket,
        ),
        Clause("rises", r"l < h,\ s \ge 1,\ \varphi < \theta \implies \varphi' < \theta'",
               llama3_rises),
        Clause(
            "slope",
            r"\text{right slope at } r = l:\ \frac{h + (s-2)l}{s(h - l)} > \frac1s "
            r"\text{ for } s > 1",
            llama3_slope,
        ),
    ),
)  # fmt: skip
