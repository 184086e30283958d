r"""Lorentz boosts as positional maps: the symmetric hyperbolic case, and when its scores decay.

Main definitions
----------------
boosted           B(x)
sum_of_rates      A exp(-r_slow t) + C exp(-r_fast t), the score of a damped boost
complex_product   products of complex matrices given by real and imaginary part

Main claims
-----------
symplectic.lorentz_boost

Conventions
-----------
As in `posproof.theory.symplectic.shears`.  r_slow = gamma - mu and r_fast = gamma + mu are the
rates; n counts steps, t is a real time.  The m-th difference of a score at n is stored as a
sequence at 2^m 3^n, which is different for different pairs.

References
----------
Derived here.  The abstract of HoPE (hyperbolic rotary positional encoding) speaks of Lorentz
boosts, of RoPE as a special case and of attention weights that decay monotonically with distance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import ImmutableMatrix, cos, cosh, exp, log, sin, sinh, sqrt

from posproof.theory.symbols import Variable, sequence, variables
from posproof.theory.symplectic.powers import IDENTITY, norm
from posproof.theory.symplectic.shears import boost, composed, rotation
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
    Positive,
    Prop,
    Real,
)

t, h, gamma, x, alpha, beta, theta, i, j = variables("t h gamma x a b theta i j", Real)
QUERY, KEY = (ImmutableMatrix(variables(names, Real)) for names in ("q1 q2", "k1 k2"))
(mu,) = variables("mu", Positive)
m, n = Variable("m", Int(0)), Variable("n", Int(0))
A, C, T = variables("A C T", Real)
differences = sequence("g")
METRIC = ImmutableMatrix([[1, 0], [0, -1]])
ZERO = ImmutableMatrix([[0, 0], [0, 0]])
Matrices = tuple[ImmutableMatrix, ImmutableMatrix]


@dataclass(frozen=True)
class Boosts:
    """The definitions of `symplectic.lorentz_boost`; a control replaces one of them."""

    composed: Callable[[Any, Any], ImmutableMatrix] = composed
    boost: Callable[[Any, Any], ImmutableMatrix] = boost
    rotation: Callable[[Any, Any], ImmutableMatrix] = rotation
    metric: ImmutableMatrix = METRIC
    symmetric: Callable[[Any, Any], Prop] = lambda a, b: Eq(a, b * (1 + a * b / 4))
    one_way: Callable[[Any, Any], Prop] = lambda a, b: Le(0, a * b)
    slow: Callable[[Any, Any], Any] = lambda gamma, mu: gamma - mu
    fast: Callable[[Any, Any], Any] = lambda gamma, mu: gamma + mu
    first: Callable[..., Any] = lambda q, k: (q[0] + q[1]) * (k[0] + k[1]) / 2
    second: Callable[..., Any] = lambda q, k: (q[0] - q[1]) * (k[0] - k[1]) / 2
    steps_down: Callable[..., Prop] = lambda A, C, slow, fast: And(
        Le(0, A), Le(0, A * (1 - exp(-slow)) + C * (1 - exp(-fast)))
    )
    flows_down: Callable[..., Prop] = lambda A, C, slow, fast: And(
        Le(0, A), Le(0, slow * A + fast * C)
    )
    turning: Callable[[Any, Any], Any] = lambda gamma, mu: (gamma - mu) / (gamma + mu)


def boosted(of: Boosts, angle: Any) -> ImmutableMatrix:
    """B(angle)."""
    return of.boost(cosh(angle), sinh(angle))


def sum_of_rates(of: Boosts, time: Any) -> Any:
    """A exp(-r_slow time) + C exp(-r_fast time)."""
    return A * exp(-of.slow(gamma, mu) * time) + C * exp(-of.fast(gamma, mu) * time)


def symmetric_case(of: Boosts) -> Prop:
    """The angle of the boost is x."""
    a, b = alpha, beta
    found, half_trace = of.composed(a, b), 1 + a * b / 2
    forward = Implies(Eq(found, boosted(of, x)), And(of.one_way(a, b), of.symmetric(a, b)))
    given = And(of.one_way(a, b), of.symmetric(a, b), Eq(x, log(half_trace + a)))
    below = And(Lt(a * b, -4), of.symmetric(a, b), Eq(x, log(-half_trace - a)))
    return And(
        ForAll((a, b, x), forward),
        ForAll((a, b, x), Implies(given, Eq(found, boosted(of, x)))),
        ForAll((a, b, x), Implies(below, Eq(found, -boosted(of, x)))),
    )


def envelope(of: Boosts) -> Prop:
    """At real times t >= 0; mu > 0."""
    value = exp(-of.slow(gamma, mu) * t)
    later = exp(-of.slow(gamma, mu) * (t + h))
    matrix = exp(-gamma * t) * boosted(of, mu * t)
    forward = And(Le(0, t), Lt(0, h))
    falls = ForAll((t, h), Implies(forward, Le(later, value)))
    strictly = ForAll((t, h), Implies(forward, Lt(later, value)))
    return And(
        ForAll((gamma, mu, t), Implies(Le(0, t), norm(matrix, value))),
        ForAll((gamma, mu), And(Iff(falls, Le(mu, gamma)), Iff(strictly, Lt(mu, gamma)))),
    )


def two_rates(of: Boosts) -> Prop:
    """The score of a damped boost is a sum of two exponentials; without damping it grows."""
    score = (QUERY.T * (exp(-gamma * t) * boosted(of, mu * t)) * KEY)[0, 0]
    plain = (QUERY.T * boosted(of, mu * t) * KEY)[0, 0]
    given = And(Eq(A, of.first(QUERY, KEY)), Eq(C, of.second(QUERY, KEY)))
    goal = And(Eq(score, sum_of_rates(of, t)), Eq(plain - A * exp(mu * t), C * exp(-mu * t)))
    return ForAll((gamma, mu, t, *QUERY, *KEY, A, C), Implies(given, goal))


def monotone(of: Boosts) -> Prop:
    """On the integers and on the reals."""
    slow, fast = of.slow(gamma, mu), of.fast(gamma, mu)
    on_integers = ForAll(n, Le(sum_of_rates(of, n + 1), sum_of_rates(of, n)))
    forward = And(Le(0, t), Le(0, h))
    on_reals = ForAll((t, h), Implies(forward, Le(sum_of_rates(of, t + h), sum_of_rates(of, t))))
    return ForAll(
        (gamma, mu, A, C),
        Implies(
            Lt(mu, gamma),
            And(
                Iff(on_integers, of.steps_down(A, C, slow, fast)),
                Iff(on_reals, of.flows_down(A, C, slow, fast)),
            ),
        ),
    )


def completely_monotone(of: Boosts) -> Prop:
    """g(2^m 3^n) is the m-th difference at n: g(m + 1, n) = g(m, n) - g(m, n + 1)."""

    def difference(order: Any, at: Any) -> Any:
        return differences(2**order * 3**at)

    starts = ForAll(n, Eq(difference(0, n), sum_of_rates(of, n)))
    rule = Eq(difference(m + 1, n), difference(m, n) - difference(m, n + 1))
    given = And(Lt(mu, gamma), Le(0, A), Le(0, C), starts, ForAll((m, n), rule))
    same = And(Le(0, of.first(QUERY, QUERY)), Le(0, of.second(QUERY, QUERY)))
    return And(
        ForAll((gamma, mu, A, C), Implies(given, ForAll((m, n), Le(0, difference(m, n))))),
        ForAll(tuple(QUERY), same),
    )


def rising_score(of: Boosts) -> Prop:
    """q = (1, 0) and k = (0, 1): A = 1/2 and C = -1/2, and the peak is at time T."""
    one, zero = sympy.Integer(1), sympy.Integer(0)
    weights = [coefficient((one, zero), (zero, one)) for coefficient in (of.first, of.second)]
    given = And(
        Lt(mu, gamma),
        Eq(A, weights[0]),
        Eq(C, weights[1]),
        Eq(2 * mu * T, -log(of.turning(gamma, mu))),
    )

    def score(time: Any) -> Any:
        return exp(-gamma * time) * sinh(mu * time)

    slope = Eq(mu * cosh(mu * T), gamma * sinh(mu * T))
    value = mu / sqrt(gamma**2 - mu**2) * of.turning(gamma, mu) ** (gamma / (2 * mu))
    rising = Implies(And(Le(0, t), Lt(0, h), Le(t + h, T)), Lt(score(t), score(t + h)))
    falling = Implies(And(Le(T, t), Lt(0, h)), Lt(score(t + h), score(t)))
    parts = And(
        ForAll(t, Eq(sum_of_rates(of, t), score(t))),
        slope,
        Eq(score(T), value),
        ForAll((t, h), And(rising, falling)),
    )
    return ForAll((gamma, mu, A, C, T), Implies(given, parts))


def eventually_rising(of: Boosts) -> Prop:
    """A < 0: from some time on the score is negative and rises; it tends to 0 from below."""
    slow, fast = of.slow(gamma, mu), of.fast(gamma, mu)
    late = Lt(fast * C, -slow * A * (1 + 2 * mu * t))
    rises = And(Lt(sum_of_rates(of, t), 0), Lt(sum_of_rates(of, t), sum_of_rates(of, t + h)))
    small = Le(sympy.Abs(sum_of_rates(of, t)), (sympy.Abs(A) + sympy.Abs(C)) * exp(-slow * t))
    given = And(Lt(mu, gamma), Lt(A, 0), Le(0, t))
    return And(
        ForAll((gamma, mu, A, C, t, h), Implies(And(given, Lt(0, h), late), rises)),
        ForAll((gamma, mu, A, C, t), Implies(given, small)),
    )


def complex_product(left: Matrices, right: Matrices) -> Matrices:
    """The product of complex matrices given by their real and imaginary part."""
    return (
        left[0] * right[0] - left[1] * right[1],
        left[0] * right[1] + left[1] * right[0],
    )


def real_forms(of: Boosts) -> Prop:
    """cos(i x) = cosh x and sin(i x) = i sinh x; P = diag(1, i)."""
    zero = sympy.Integer(0)
    turned = of.rotation(cosh(x), zero), of.rotation(zero, sinh(x))
    corner, other = ImmutableMatrix([[1, 0], [0, 0]]), ImmutableMatrix([[0, 0], [0, 1]])
    real, imaginary = complex_product(complex_product((corner, -other), turned), (corner, other))
    rotated = of.rotation(cos(theta), sin(theta))
    meet = And(Eq(boosted(of, x), IDENTITY), Eq(rotated, IDENTITY))
    return And(
        ForAll(x, And(Eq(real, boosted(of, x)), Eq(imaginary, ZERO))),
        ForAll((x, theta), Implies(Eq(boosted(of, x), rotated), meet)),
        ForAll(x, Le(2, boosted(of, x).trace())),
        ForAll(theta, Le(rotated.trace(), 2)),
    )


def minkowski(of: Boosts) -> Prop:
    """Boosts keep the form; scores in it are relative, at real positions i and j."""
    kept = Eq(boosted(of, x).T * of.metric * boosted(of, x), of.metric)
    here = ((boosted(of, mu * i) * QUERY).T * of.metric * (boosted(of, mu * j) * KEY))[0, 0]
    apart = (QUERY.T * of.metric * boosted(of, mu * (j - i)) * KEY)[0, 0]
    return And(ForAll(x, kept), ForAll((mu, i, j, *QUERY, *KEY), Eq(here, apart)))


LORENTZ_BOOST = Claim(
    id="symplectic.lorentz_boost",
    title="The boost is the symmetric hyperbolic case, and when its scores decay",
    kind="equivalence",
    definitions=Boosts(),
    depends=("symplectic.powers",),
    stance="corrected",
    reading=(
        "'Monotone decay of attention weights with distance' is read of the score "
        "q^T exp(-gamma n) B(n mu) k, and 'RoPE is a special case' of real matrices. The envelope "
        "decays; a score does if and only if its two coefficients satisfy two inequalities. The "
        "real families meet at the identity alone."
    ),
    clauses=(
        Clause(
            "symmetric_case",
            r"S(a,b) = B(x) \iff ab \ge 0,\ a = b(1 + \tfrac{ab}{4}), \quad "
            r"x = \ln(1 + \tfrac{ab}{2} + a); "
            r"\quad ab < -4,\ a = b(1 + \tfrac{ab}{4}) \implies S(a,b) = -B(x),\ "
            r"x = \ln(-1 - \tfrac{ab}{2} - a)",
            symmetric_case,
        ),
        Clause(
            "envelope",
            r"\lVert e^{-\gamma t}B(\mu t)\rVert = e^{-(\gamma-\mu)t}\ (t \ge 0): \quad "
            r"\text{non-increasing} \iff \gamma \ge \mu, \quad \text{decreasing} \iff \gamma > \mu",
            envelope,
        ),
        Clause(
            "two_rates",
            r"f(t) = q^\top e^{-\gamma t}B(\mu t)k = A e^{-(\gamma-\mu)t} + C e^{-(\gamma+\mu)t}, "
            r"\quad "
            r"A = \tfrac{(q_1+q_2)(k_1+k_2)}{2},\ C = \tfrac{(q_1-q_2)(k_1-k_2)}{2}; \quad "
            r"q^\top B(\mu t)k - A e^{\mu t} = C e^{-\mu t}",
            two_rates,
        ),
        Clause(
            "monotone",
            r"0 < \mu < \gamma,\ r_\pm = \gamma \mp \mu: \quad f(n+1) \le f(n)\ (n = 0, 1, \dots) "
            r"\iff A \ge 0,\ A(1 - e^{-r_+}) + C(1 - e^{-r_-}) \ge 0; \quad "
            r"f(t+h) \le f(t)\ (t, h \ge 0) \iff A \ge 0,\ r_+A + r_-C \ge 0",
            monotone,
        ),
        Clause(
            "completely_monotone",
            r"A, C \ge 0,\ \mu < \gamma \implies (-1)^m\,\Delta^m f(n) \ge 0 \quad (m, n \ge 0); "
            r"\quad q = k \implies A, C \ge 0",
            completely_monotone,
        ),
        Clause(
            "rising_score",
            r"q = e_1,\ k = e_2,\ \mu < \gamma,\ \tanh\mu T = \tfrac{\mu}{\gamma}: \quad "
            r"f(t) = e^{-\gamma t}\sinh\mu t, \quad "
            r"f(t) < f(t+h) \quad (0 \le t,\ h > 0,\ t + h \le T), \quad "
            r"f(t+h) < f(t) \quad (T \le t,\ h > 0), \quad "
            r"f(T) = \frac{\mu}{\sqrt{\gamma^2-\mu^2}}"
            r"\Bigl(\frac{\gamma-\mu}{\gamma+\mu}\Bigr)^{\gamma/2\mu}",
            rising_score,
        ),
        Clause(
            "eventually_rising",
            r"A < 0,\ \mu < \gamma,\ t \ge 0,\ r_-C < -r_+A\,(1 + 2\mu t) \implies f(t) < 0,\ "
            r"f(t) < f(t+h)\ (h > 0); \quad |f(t)| \le (|A| + |C|)\,e^{-r_+t}",
            eventually_rising,
        ),
        Clause(
            "real_forms",
            r"P^{-1}R(ix)P = B(x),\ P = \operatorname{diag}(1, i); \quad "
            r"B(x) = R(\theta) \implies B(x) = R(\theta) = I; \quad "
            r"\operatorname{tr} R(\theta) \le 2 \le \operatorname{tr} B(x)",
            real_forms,
        ),
        Clause(
            "minkowski",
            r"\eta = \operatorname{diag}(1, -1): \quad B^\top\eta B = \eta, \quad "
            r"(B(i\mu)q)^\top\eta\,(B(j\mu)k) = q^\top\eta\,B((j-i)\mu)k",
            minkowski,
        ),
    ),
)
