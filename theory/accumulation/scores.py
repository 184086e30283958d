r"""What accumulated rotations do to scores: near signal, far mass, and sums of rotated values.

Main definitions
----------------
near_weight     the softmax weight of one token against the exponentials of all others
FarMass         ceiling and floor of that weight, and the Chernoff exponent
RotatedValues   the energy of a sum of rotated values by pairs of tokens

Main claims
-----------
accumulation.window_tradeoff, accumulation.far_mass, accumulation.rotated_values

Conventions
-----------
Angles are in radians; phi = E exp(i theta) of one step.  A score is a logit before softmax.  Far
tokens have indices 0 .. N - 1, the near one none; distances of far tokens are 1 .. N.

References
----------
Derived here; no publication is quoted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import cos, exp, sin

from posproof.theory.accumulation.windows import (
    FIRST,
    MEAN,
    SECOND,
    Law,
    M,
    N,
    a,
    b,
    mu,
    turned,
    x0,
    x1,
)
from posproof.theory.symbols import Variable, sequence, total, variables
from posproof.theory.vocabulary import (
    And,
    Claim,
    Clause,
    Eq,
    ForAll,
    Iff,
    Implies,
    Informal,
    Int,
    Le,
    Lt,
    Ne,
    Positive,
    Prop,
    Real,
)

theta = sequence("theta")
n, J = Variable("n", Int(0)), Variable("J", Int(0))
j, d = Variable("j", Int(0)), Variable("d", Int(0))
width, rate, B, s, t, u = variables("width r B s t u", Real)
decay, depth, slope, spread = variables("lambda eta slope V", Positive)
rho, psi = variables("rho psi", Real)
energy = sequence("E")

#: The two parts of a random complex number with M values.
SUM = (sequence("p"), sequence("q"))


# ---------------------------------------------------------------------- window_tradeoff
@dataclass(frozen=True)
class Tradeoff:
    """The definitions of `accumulation.window_tradeoff`; a control replaces one of them."""

    farthest: Any = sympy.pi
    half_width: Any = sympy.pi / 2
    floor: Callable[[Any], Any] = cos
    needed: Callable[[Any, Any], Any] = lambda decay, steps: decay * steps


def near_signal(of: Tradeoff) -> Prop:
    angle = total(a, n, theta(a))
    narrow = ForAll(a, Implies(Lt(a, n), And(Le(-width, theta(a)), Le(theta(a), width))))
    turned = x0 * (cos(angle) * x0 - sin(angle) * x1) + x1 * (sin(angle) * x0 + cos(angle) * x1)
    kept = Le((x0**2 + x1**2) * of.floor(n * width), turned)
    premise = And(Le(0, width), Le(n * width, of.farthest), narrow)
    return ForAll((n, width, x0, x1), Implies(premise, kept))


def resultant_floor(of: Tradeoff) -> Prop:
    inside = And(Le(-width, FIRST.angle(a) - mu), Le(FIRST.angle(a) - mu, width))
    each = ForAll(a, Implies(Lt(a, N), And(Le(0, FIRST.weight(a)), *inside.parts)))
    premise = And(FIRST.whole, Le(0, width), Le(width, of.half_width), each)
    phi = FIRST.mean(cos) ** 2 + FIRST.mean(sin) ** 2
    return ForAll((N, width, mu), Implies(premise, Le(of.floor(width) ** 2, phi)))


def window_floor(of: Tradeoff) -> Prop:
    # rho = exp(-r) >= cos(width) = exp(-lambda), epsilon = exp(-eta).
    premise = And(Le(rate, decay), Le(exp(-rate * n), exp(-depth)))
    return ForAll((decay, depth, rate, n), Implies(premise, Le(depth, of.needed(decay, n))))


WINDOW_TRADEOFF = Claim(
    id="accumulation.window_tradeoff",
    title="A short window costs near signal",
    kind="bound",
    definitions=Tradeoff(),
    depends=("accumulation.random_mean",),
    stance="sharpened",
    reading=(
        "'Near transport preserves the signal', read of angles bounded by a width: it does over "
        "a distance of pi over the width, and the same width bounds the window from below."
    ),
    clauses=(
        Clause(
            "near_signal",
            r"|\theta_s| \le \theta_{\max},\ n\,\theta_{\max} \le \pi \implies "
            r"q^\top R(S_n)\, q \ge |q|^2 \cos(n\,\theta_{\max})",
            near_signal,
        ),
        Clause(
            "resultant_floor",
            r"|\theta - \mu| \le \theta_{\max} \le \tfrac{\pi}{2} \text{ always} \implies "
            r"|\varphi|^2 \ge \cos^2\theta_{\max}",
            resultant_floor,
        ),
        Clause(
            "window_floor",
            r"\rho \ge \cos\theta_{\max} > 0,\ \rho^n \le \varepsilon \implies "
            r"n \ge \frac{\ln(1/\varepsilon)}{\ln(1/\cos\theta_{\max})}",
            window_floor,
        ),
    ),
)


# ---------------------------------------------------------------------- far_mass
factorial, far, indicator = sequence("f"), sequence("z"), sequence("I")
sizes, so_far = sequence("r"), sequence("g")
query, key, moved = sequence("q"), sequence("k"), sequence("y")
power_of = Variable("y", Real)
planes = Variable("m", Int(1))


def near_weight(near: Any, mass: Any) -> Any:
    """The softmax weight of a score against the exponentials of all others."""
    return exp(near) / (exp(near) + mass)


@dataclass(frozen=True)
class FarMass:
    """The definitions of `accumulation.far_mass`; a control replaces one of them."""

    growth: Callable[[Any, Any], Any] = lambda index, value: (index + 1) * value
    both: Callable[[Any, Any], Any] = lambda x, y: x + y
    bound: Callable[[Any], Any] = lambda z: exp(z**2 / 4)
    norm: Any = 1
    best: Callable[[Any, Any], Any] = lambda u, spread: 2 * u / spread
    tail: Callable[[Any, Any], Any] = lambda u, spread: -(u**2) / spread
    range: Any = 2
    most: Any = 1
    excess: Any = 0
    weight: Callable[[Any, Any], Any] = near_weight

    def ceiling(self, bound: Any) -> Any:
        """The largest weight of one token against N others when all scores lie in [-B, B]."""
        return 1 / (1 + N * exp(-self.range * bound))

    def floor(self, bound: Any, slope: Any) -> Any:
        """The least weight of the nearest token under the bias -slope times the distance."""
        return 1 / (1 + exp(self.range * bound) / (exp(slope) - 1))


def coefficients(of: FarMass) -> Prop:
    # y = (r / 2)^2; the factorials are given by their recursion.
    grows = ForAll(j, Implies(Lt(j, J), Eq(factorial(j + 1), of.growth(j, factorial(j)))))
    bessel = total(j, J, power_of**j / factorial(j) ** 2)
    normal = total(j, J, power_of**j / factorial(j))
    premise = And(Le(0, power_of), Eq(factorial(0), 1), grows)
    return ForAll((J, power_of), Implies(premise, Le(bessel, normal)))


def chernoff(of: FarMass) -> Prop:
    def exponent(t: Any) -> Any:
        return -t * u + t**2 * spread / 4

    least = And(
        Eq(exponent(of.best(u, spread)), of.tail(u, spread)),
        Le(of.tail(u, spread), exponent(t)),
    )
    # m planes of size B / m each, and u = eta B.
    shared = Eq(of.tail(depth * slope, planes * (slope / planes) ** 2), -(depth**2) * planes)
    return And(ForAll((u, spread, t), least), ForAll((depth, slope, planes), shared))


def markov_bound(of: FarMass) -> Prop:
    # I(a) is 1 where x(a) >= u and 0 elsewhere; only what is used of that is assumed.
    weight, value = FIRST.weight(a), FIRST.angle(a)
    each = And(
        Le(0, weight),
        Le(0, indicator(a)),
        Le(indicator(a), of.most),
        Le(0, indicator(a) * (value - u)),
    )
    premise = And(Le(0, t), ForAll(a, Implies(Lt(a, N), each)))
    probability = total(a, N, weight * indicator(a))
    moment = total(a, N, weight * exp(t * (value - u)))
    return ForAll((N, t, u), Implies(premise, Le(probability, moment)))


def moment(of: FarMass) -> Prop:
    return Informal("E exp(z cos psi) = I_0(z) <= exp(z^2 / 4) for a uniform angle psi")


def independent(of: FarMass) -> Prop:
    def moment(law: Law) -> Any:
        return law.mean(lambda x: exp(t * x))

    summed = of.both(FIRST.angle(a), SECOND.angle(b))
    inner = total(b, M, SECOND.weight(b) * exp(t * summed))
    joint = total(a, N, FIRST.weight(a) * inner)
    return ForAll((N, M, t), Eq(joint, moment(FIRST) * moment(SECOND)))


def many_planes(of: FarMass) -> Prop:
    # I(c) is the moment of plane c of size r(c), g(c) that of the sum of the first c planes.
    one = And(Le(0, indicator(a)), Le(indicator(a), of.bound(t * sizes(a))))
    grows = ForAll(
        a, Implies(Lt(a, planes), And(Eq(so_far(a + 1), so_far(a) * indicator(a)), *one.parts))
    )
    squares = total(a, planes, sizes(a) ** 2)
    goal = Le(so_far(planes), exp(t**2 * squares / 4))
    return ForAll((planes, t), Implies(And(Eq(so_far(0), 1), grows), goal))


def tail(of: FarMass) -> Prop:
    # x0 is the probability, x1 the moment at the best t, V the sum of the squared sizes.
    best = of.best(u, spread)
    premise = And(Le(x0, exp(-best * u) * x1), Le(x1, exp(best**2 * spread / 4)))
    return ForAll((u, spread, x0, x1), Implies(premise, Le(x0, exp(of.tail(u, spread)))))


def bounded_scores(of: FarMass) -> Prop:
    # The transported key y = P k is not longer than the key k.
    def product(left: Any, right: Any) -> Any:
        return total(j, n, left(j) * right(j))

    shorter = Le(product(moved, moved), of.norm * product(key, key))
    premise = And(shorter, Le(product(query, query) * product(key, key), B**2))
    return ForAll((n, B), Implies(premise, Le(product(query, moved) ** 2, B**2)))


def crossover(of: FarMass) -> Prop:
    least = exp(s) / spread - of.excess
    return ForAll((n, s, spread), Iff(Le(exp(s), n * spread), Le(least, n)))


def ceiling(of: FarMass) -> Prop:
    mass = total(j, N, exp(far(j)))
    premise = And(Le(s, B), ForAll(j, Implies(Lt(j, N), Le(-B, far(j)))))
    below = Implies(premise, Le(of.weight(s, mass), of.ceiling(B)))
    attained = Eq(of.weight(B, total(j, N, exp(-B))), of.ceiling(B))
    return And(ForAll((N, B, s), below), ForAll((N, B), attained))


def bias_floor(of: FarMass) -> Prop:
    mass = total(j, N, exp(far(j)))
    each = ForAll(j, Implies(Lt(j, N), Le(far(j), B - slope * (j + 1))))
    premise = And(Le(-B, s), each)
    goal = Le(of.floor(B, slope), of.weight(s, mass))
    return ForAll((N, B, s, slope), Implies(premise, goal))


FAR_MASS = Claim(
    id="accumulation.far_mass",
    title="Far tokens: concentration, mean mass, and what no rotation can avoid",
    kind="bound",
    definitions=FarMass(),
    stance="sharpened",
    reading=(
        "'Concentration gives a score gap', read of independent uniform angles in many planes; "
        "and whatever the rotations, bounded scores lose one token among enough others, while a "
        "linear bias does not."
    ),
    clauses=(
        Clause(
            "coefficients",
            r"\sum_{j<J} \frac{(r/2)^{2j}}{j!^2} \le \sum_{j<J} \frac{(r^2/4)^j}{j!}",
            coefficients,
        ),
        Clause(
            "moment",
            r"\mathbb{E}\, e^{z\cos\psi} = I_0(z) \le e^{z^2/4} \quad (\psi \text{ uniform})",
            moment,
        ),
        Clause(
            "chernoff",
            r"\min_t\,(-tu + \tfrac{t^2}{4} V) = -u^2/V,\ \text{ reached at } t = 2u/V;\quad "
            r"u = \eta B,\ V = m (B/m)^2 \implies -u^2/V = -\eta^2 m",
            chernoff,
        ),
        Clause(
            "markov_bound",
            r"\Pr(X \ge u) \le \mathbb{E}\, e^{t(X - u)} \quad (t \ge 0)",
            markov_bound,
        ),
        Clause(
            "independent",
            r"\mathbb{E}\, e^{t(X+Y)} = \mathbb{E}\, e^{tX}\; \mathbb{E}\, e^{tY} \quad "
            r"(X, Y \text{ independent, with any finite number of values})",
            independent,
        ),
        Clause(
            "many_planes",
            r"0 \le I_c \le e^{t^2 r_c^2/4} \implies "
            r"\prod_{c<m} I_c \le e^{t^2 V/4}, \quad V = \sum_{c<m} r_c^2",
            many_planes,
        ),
        Clause(
            "tail",
            r"\Pr(X \ge u) \le e^{-tu}\,\mathbb{E}\, e^{tX},\ \mathbb{E}\, e^{tX} \le e^{t^2 V/4}"
            r" \text{ at } t = 2u/V \implies \Pr(X \ge u) \le e^{-u^2/V}",
            tail,
        ),
        Clause(
            "crossover",
            r"N g \ge e^{s} \iff N \ge e^{s}/g, \quad g = \prod_c I_0(r_c)",
            crossover,
        ),
        Clause(
            "bounded_scores",
            r"|Pk| \le |k|,\ |q|\,|k| \le B \implies (q \cdot Pk)^2 \le B^2",
            bounded_scores,
        ),
        Clause(
            "ceiling",
            r"s_0 \le B,\ s_j \ge -B\ (1 \le j \le N) \implies "
            r"w_0 = \frac{e^{s_0}}{\sum_j e^{s_j}} \le \frac{1}{1 + N e^{-2B}}, \text{ attained}",
            ceiling,
        ),
        Clause(
            "bias_floor",
            r"s_0 \ge -B,\ s_j \le B - \lambda j\ (1 \le j \le N) \implies "
            r"w_0 \ge \frac{1}{1 + e^{2B}/(e^{\lambda} - 1)}, \text{ whatever } N",
            bias_floor,
        ),
    ),
)


# ---------------------------------------------------------------------- rotated_values
@dataclass(frozen=True)
class RotatedValues:
    """The definitions of `accumulation.rotated_values`; a control replaces one of them."""

    rotate: Callable[[Any], Any] = lambda angle: angle
    correlation: Callable[[Any], Any] = lambda distance: rho**distance
    cross: Any = 2

    def energy(self, count: Any, correlation: Callable[[Any], Any]) -> Any:
        """N + 2 sum over pairs j > l of the correlation at distance j - l, per |v|^2."""
        return count + 2 * total(j, count, total(d, j, correlation(d + 1)))

    def later(self, z: tuple[Any, Any], by: tuple[Any, Any]) -> tuple[Any, Any]:
        """The sum of rotated values after one more step in front: by (1 + z)."""
        return turned((1 + z[0], z[1]), by)

    def grown(self, energy: Any, real: Any) -> Any:
        """The mean energy after one more step in front."""
        return energy + self.cross * real + 1


def pairs(of: RotatedValues) -> Prop:
    turned = [
        total(a, N, cos(of.rotate(theta(a))) * x0 - sin(of.rotate(theta(a))) * x1),
        total(a, N, sin(of.rotate(theta(a))) * x0 + cos(of.rotate(theta(a))) * x1),
    ]
    inner = total(d, N, cos(theta(a) - theta(d)))
    whole = (x0**2 + x1**2) * total(a, N, inner)
    return ForAll((N, x0, x1), Eq(turned[0] ** 2 + turned[1] ** 2, whole))


def prepended(of: RotatedValues) -> Prop:
    # z is any random complex number independent of the step: here, the sum over the later tokens.
    def both(value: Callable[[Any, Any, Any], Any]) -> Any:
        inner = SECOND.weight(b) * value(of.rotate(FIRST.angle(a)), *(part(b) for part in SUM))
        return total(a, N, FIRST.weight(a) * total(b, M, inner))

    def mean(value: Callable[[Any, Any], Any]) -> Any:
        return total(b, M, SECOND.weight(b) * value(*(part(b) for part in SUM)))

    def walked(x: Any, p: Any, q: Any) -> tuple[Any, Any]:
        return of.later((p, q), (cos(x), sin(x)))

    means = (mean(lambda p, q: p), mean(lambda p, q: q))
    after = of.later(means, (FIRST.mean(cos), FIRST.mean(sin)))
    sums = tuple(Eq(both(lambda *z, k=k: walked(*z)[k]), after[k]) for k in range(2))
    energy = both(lambda *z: sum(part**2 for part in walked(*z)))
    more = of.grown(mean(lambda p, q: p**2 + q**2), means[0])
    return ForAll((N, M), Implies(And(FIRST.whole, SECOND.whole), And(*sums, Eq(energy, more))))


def recursion(of: RotatedValues) -> Prop:
    real, imag = MEAN

    def wave(distance: Any) -> Any:
        return of.correlation(distance) * cos(distance * psi)

    after = of.later((real(a), imag(a)), (rho * cos(psi), rho * sin(psi)))
    step = (
        Eq(real(a + 1), after[0]),
        Eq(imag(a + 1), after[1]),
        Eq(energy(a + 1), of.grown(energy(a), real(a))),
    )
    start = (Eq(real(0), 0), Eq(imag(0), 0), Eq(energy(0), 0))
    premise = And(*start, ForAll(a, Implies(Lt(a, n), And(*step))))
    return ForAll((n, rho, psi), Implies(premise, Eq(energy(n), of.energy(n, wave))))


def closed(of: RotatedValues) -> Prop:
    value = N * (1 + rho) / (1 - rho) - 2 * rho * (1 - rho**N) / (1 - rho) ** 2
    return ForAll((N, rho), Implies(Ne(rho, 1), Eq(of.energy(N, of.correlation), value)))


def complex_mean(of: RotatedValues) -> Prop:
    def wave(distance: Any) -> Any:
        return of.correlation(distance) * cos(distance * psi)

    by_distance = N + 2 * total(d, N, (N - 1 - d) * rho ** (d + 1) * cos((d + 1) * psi))
    return ForAll((N, rho, psi), Eq(of.energy(N, wave), by_distance))


def unrotated(of: RotatedValues) -> Prop:
    one = of.correlation(0)
    return ForAll(N, Eq(of.energy(N, lambda distance: one), N**2))


ROTATED_VALUES = Claim(
    id="accumulation.rotated_values",
    title="Rotated values add up like a random walk",
    kind="identity",
    definitions=RotatedValues(),
    depends=("accumulation.random_mean",),
    stance="sharpened",
    reading=(
        "'Rotating the values makes far contributions combine incoherently', read of equal "
        "weights and values: the mean energy is linear in their number, with a constant that "
        "grows as the angles become constant."
    ),
    clauses=(
        Clause(
            "pairs",
            r"\Bigl|\sum_{a<N} R(\theta_a)\, v\Bigr|^2 = "
            r"|v|^2 \sum_{a, b < N} \cos(\theta_a - \theta_b)",
            pairs,
        ),
        Clause(
            "prepended",
            r"\mathbb{E}\, e^{i\theta}(1 + z) = \varphi\,(1 + \mathbb{E} z), \quad "
            r"\mathbb{E}\, |e^{i\theta}(1 + z)|^2 = 1 + 2 \operatorname{Re} \mathbb{E} z "
            r"+ \mathbb{E} |z|^2 \quad (\theta, z \text{ independent, finitely many values})",
            prepended,
        ),
        Clause(
            "recursion",
            r"z_0 = 0,\ \mathbb{E} z_{k+1} = \varphi\,(1 + \mathbb{E} z_k),\ "
            r"\mathbb{E}|z_{k+1}|^2 = 1 + 2\operatorname{Re}\mathbb{E} z_k + \mathbb{E}|z_k|^2 "
            r"\implies \mathbb{E}|z_N|^2 = N + "
            r"2\operatorname{Re}\sum_{j<N}\sum_{d=1}^{j} \varphi^d",
            recursion,
        ),
        Clause(
            "closed",
            r"N + 2\sum_{j<N} \sum_{d=1}^{j} \rho^d = N\,\frac{1+\rho}{1-\rho} - "
            r"\frac{2\rho(1 - \rho^N)}{(1-\rho)^2} \quad (\rho \ne 1)",
            closed,
        ),
        Clause(
            "complex_mean",
            r"N + 2\operatorname{Re}\sum_{j<N} \sum_{d=1}^{j} \varphi^d = "
            r"N + 2\operatorname{Re}\sum_{d=1}^{N} (N - d)\,\varphi^d",
            complex_mean,
        ),
        Clause("unrotated", r"N + 2\sum_{j<N} \sum_{d=1}^{j} 1 = N^2", unrotated),
    ),
)
