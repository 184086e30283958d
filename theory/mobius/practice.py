r"""The anti-periodic ladder in practice: hybrid heads and floating point.

Main definitions
----------------
head_average           the mean kernel of H_M anti-periodic and H_S other heads
rounded                the factor by which the roundings of a product change it
angle_bound            the relative error of an angle, (1 + u)^k - 1

Main claims
-----------
mobius.hybrid_heads, mobius.float_floor

Conventions
-----------
u is the unit roundoff of the format: 2^-53, 2^-24, 2^-11, 2^-8 for float64, float32, float16 and
bfloat16.  Rounding is to nearest, each operation correctly rounded: fl(x) = x (1 + delta),
|delta| <= u.  Angles are in radians.

References
----------
bae2026mobius
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Rational, cos, pi, sin

from posproof.theory.mobius.ladder import IDENTITY, frequency, rotation
from posproof.theory.symbols import Variable, sequence, total, variables
from posproof.theory.vocabulary import (
    And,
    Claim,
    Clause,
    Eq,
    ForAll,
    Implies,
    Int,
    Integer,
    Le,
    Lt,
    Positive,
    Prop,
    Real,
)

i, others = variables("i H_S", Int(0))
m, N, planes = variables("m N H_M", Int(1))
D, phi, error = variables("D phi epsilon", Real)
u = Variable("u", Positive)
offset, turns = variables("E t", Integer)
first, second, third, fourth = variables("delta1 delta2 delta3 delta4", Real)

standard = sequence("K_S", Real)
content, sine_content, rest = (sequence(name, Real) for name in ("a", "b", "s_S"))
angle_error, cosine_error = sequence("epsilon", Real), sequence("eta", Real)


def head_average(mobius: Any, other: Any, heads: Any, others: Any) -> Any:
    """The mean kernel of `heads` anti-periodic and `others` other heads."""
    return (heads * mobius + others * other) / (heads + others)


def standard_frequency(q: int) -> Any:
    """10^4^(-2 q / 64): plane q of the other heads of the comparison."""
    return sympy.Integer(10) ** Rational(-q, 8)


def other_share(heads: Any, others: Any) -> Any:
    """The part of the heads that is not anti-periodic."""
    return others / (heads + others)


def rounded(errors: Sequence[Any]) -> Any:
    """The factor a product picks up when every operation has a relative error."""
    return sympy.prod(1 + error for error in errors)


def angle_bound(u: Any, roundings: int) -> Any:
    """The relative error of a product after so many roundings."""
    return (1 + u) ** roundings - 1


def kernel_bound(bound: Any, u: Any, m: Any) -> Any:
    """How far the mean of m cosines is off: the angles' share, and the cosines' own."""
    return bound * pi * m + u


def linear_bound(u: Any) -> Any:
    """A bound of (1 + u)^3 - 1 for u <= 1 that is linear up to a factor."""
    return 3 * u * (1 + 2 * u)


@dataclass(frozen=True)
class Practice:
    """The definitions of this topic; a control replaces one of them."""

    frequency: Callable[[Any, Any], Any] = frequency
    rotation: Callable[[Any], sympy.ImmutableMatrix] = rotation
    head_average: Callable[[Any, Any, Any, Any], Any] = head_average
    other_share: Callable[[Any, Any], Any] = other_share
    rounded: Callable[[Sequence[Any]], Any] = rounded
    angle_bound: Callable[[Any, int], Any] = angle_bound
    linear_bound: Callable[[Any], Any] = linear_bound
    kernel_bound: Callable[[Any, Any, Any], Any] = kernel_bound
    other_frequency: Callable[[int], Any] = standard_frequency
    whole_turn: int = 2

    def kernel(self, m: Any, N: Any, D: Any) -> Any:
        """The sum of cos(theta_i D) over the first m planes."""
        return total(i, m, cos(self.frequency(i, N) * D))

    def average(self, m: Any, N: Any, D: Any) -> Any:
        """The head-averaged kernel with an arbitrary kernel K_S in the other heads."""
        return self.head_average(self.kernel(m, N, D), standard(D), planes, others)

    def planes_score(self, m: Any, N: Any, D: Any) -> Any:
        """A head with m anti-periodic planes and an arbitrary score of the remaining ones."""
        phase = self.frequency(i, N) * D
        return total(i, m, content(i) * cos(phase) - sine_content(i) * sin(phase)) + rest(D)


# ---------------------------------------------------------------------- mobius.hybrid_heads
def averaged(of: Practice) -> Prop:
    residual = of.average(m, N, D + N) + of.average(m, N, D)
    share = of.other_share(planes, others) * (standard(D + N) + standard(D))
    return ForAll((m, N, D, planes, others), Eq(residual, share))


def layer_holonomy(of: Practice) -> Prop:
    # diag(R_M, R_S) + I at D = N: the anti-periodic block vanishes, the other one remains.
    ours = of.rotation(of.frequency(i, N) * N) + IDENTITY
    theirs = of.rotation(phi) + IDENTITY
    block = sympy.BlockDiagMatrix(ours, theirs).as_explicit()
    alone = sympy.BlockDiagMatrix(sympy.zeros(2), theirs).as_explicit()
    return ForAll((i, N, phi), Eq(block.T * block, alone.T * alone))


def plane_wise(of: Practice) -> Prop:
    residual = of.planes_score(m, N, D + N) + of.planes_score(m, N, D)
    return ForAll((m, N, D), Eq(residual, rest(D + N) + rest(D)))


#: The comparison: m, N, and the part of the heads that is anti-periodic.
STANDARD_PLANES, CONTEXT, SHARE = 32, 512, Rational(1, 4)


def _quarter(of: Practice, D: int) -> Any:
    ours = of.kernel(sympy.Integer(STANDARD_PLANES), sympy.Integer(CONTEXT), sympy.Integer(D))
    theirs = sum(cos(of.other_frequency(q) * D) for q in range(STANDARD_PLANES))
    mean = of.head_average(ours, theirs, SHARE, 1 - SHARE)
    return mean / STANDARD_PLANES


def quarter_hybrid(of: Practice) -> Prop:
    unit = Rational(1, 10**10)
    at_window = _quarter(of, CONTEXT)
    broken = _quarter(of, CONTEXT + 1) + _quarter(of, 1)
    return And(
        Lt(-1109734094 * unit, at_window),
        Lt(at_window, -1109734093 * unit),
        Lt(8638398563 * unit, broken),
        Lt(broken, 8638398564 * unit),
    )


def layer_distance(of: Practice) -> Prop:
    # What remains of the layer's distance to -I at N: the other heads' own, in units of 10^-10.
    unit = Rational(1, 10**10)
    chords = [
        2 * sympy.Abs(cos(of.other_frequency(q) * CONTEXT / 2)) for q in range(STANDARD_PLANES)
    ]
    distance = sympy.Max(*chords, evaluate=False)
    return And(Lt(19988346999 * unit, distance), Lt(distance, 19988347000 * unit))


HYBRID_HEADS = Claim(
    id="mobius.hybrid_heads",
    title="Hybrid heads: what survives exactly",
    kind="identity",
    source=("bae2026mobius",),
    definitions=Practice(),
    depends=("mobius.symmetries",),
    stance="sharpened",
    reading=(
        "'Frequencies on 25% of heads', read head-wise: each such head keeps every identity, while "
        "the layer's holonomy and the head-averaged kernel are not anti-periodic."
    ),
    clauses=(
        Clause(
            "averaged",
            r"\bar K(D+N) + \bar K(D) = \tfrac{H_S}{H_M+H_S}\bigl(K_S(D+N) + K_S(D)\bigr)",
            averaged,
        ),
        Clause(
            "layer_holonomy",
            r"\operatorname{diag}(R_M(N), R_S) + I = \operatorname{diag}(0,\,R_S + I) "
            r"\text{ in every singular value}",
            layer_holonomy,
        ),
        Clause(
            "layer_distance",
            r"N = 512,\ b = 10^4,\ d = 64:\quad \|R_S(N) + I\| = 1.9988346999\ldots",
            layer_distance,
        ),
        Clause(
            "plane_wise",
            r"s = s_M + s_S:\quad s(D+N) + s(D) = s_S(D+N) + s_S(D)",
            plane_wise,
        ),
        Clause(
            "quarter_hybrid",
            r"N = 512,\ m = 32,\ \tfrac{H_M}{H} = \tfrac14:\quad "
            r"\tfrac1m\bar K(N) = -0.1109734093\ldots,\quad "
            r"\tfrac1m\bigl(\bar K(N+1) + \bar K(1)\bigr) = 0.8638398563\ldots",
            quarter_hybrid,
        ),
    ),
)


# ---------------------------------------------------------------------- mobius.float_floor
def small(*errors: Any) -> tuple[Prop, ...]:
    """Every relative error is at most u in size, and u at most 1."""
    return (Le(u, 1), *(part for e in errors for part in (Le(-u, e), Le(e, u))))


def _within(value: Any, bound: Any) -> Prop:
    return And(Le(-bound, value), Le(value, bound))


def roundings(of: Practice, errors: Sequence[Any]) -> Prop:
    """The product of 1 + delta_a differs from 1 by at most (1 + u)^k - 1."""
    inside = _within(of.rounded(errors) - 1, of.angle_bound(u, len(errors)))
    return ForAll((u, *errors), Implies(And(*small(*errors)), inside))


def three_roundings(of: Practice) -> Prop:
    return roundings(of, (first, second, third))


def four_roundings(of: Practice) -> Prop:
    return roundings(of, (first, second, third, fourth))


def linearised(of: Practice) -> Prop:
    below = Le(of.angle_bound(u, 3), of.linear_bound(u))
    return ForAll(u, Implies(Le(u, 1), below))


def largest_angle(of: Practice) -> Prop:
    inside = And(Le(i + 1, m), Le(0, D), Le(D, N))
    below = Le(of.frequency(i, N) * D, pi * (2 * m - 1))
    return ForAll((i, m, N, D), Implies(inside, below))


def ladder_error(of: Practice) -> Prop:
    errors = (first, second, third)
    exact = of.frequency(i, N) * D
    inside = And(Le(i + 1, m), Le(0, D), Le(D, N), *small(*errors))
    close = _within(exact * of.rounded(errors) - exact, of.angle_bound(u, 3) * (pi * (2 * m - 1)))
    return ForAll((i, m, N, D, u, *errors), Implies(inside, close))


def kernel_error(of: Practice) -> Prop:
    # Angles off by at most B theta_i D, cosines by a relative error of at most u, sums exact.
    bound, angle = of.angle_bound(u, 3), of.frequency(i, N) * D
    off, cosine = angle_error(i), cosine_error(i)
    small = And(Le(-bound * angle, off), Le(off, bound * angle), Le(-u, cosine), Le(cosine, u))
    close = ForAll(i, Implies(Le(i + 1, m), small))
    computed = total(i, m, cos(angle + off) * (1 + cosine))
    inside = And(Le(0, D), Le(D, N), close)
    within = _within(computed - of.kernel(m, N, D), m * of.kernel_bound(bound, u, m))
    return ForAll((m, N, D, u), Implies(inside, within))


def mean_angle(of: Practice) -> Prop:
    angles = total(i, m, of.frequency(i, N) * D)
    return ForAll((m, N, D), Eq(angles / m, pi * m * D / N))


def phase_reduction(of: Practice) -> Prop:
    # The exact route: reduce (2 i + 1) E modulo 2 N in integers before multiplying by pi / N.
    reduced = pi * ((2 * i + 1) * offset - of.whole_turn * N * turns) / N
    return ForAll(
        (i, N, offset, turns), Eq(of.rotation(of.frequency(i, N) * offset), of.rotation(reduced))
    )


def second_order(of: Practice) -> Prop:
    # At D = N with an error epsilon of the angle.
    angle = of.frequency(i, N) * N + error
    cosine = And(
        Eq(cos(angle) + 1, 2 * sin(error / 2) ** 2),
        Le(cos(angle) + 1, error**2 / 2),
    )
    sine = And(
        Eq(sin(angle), -sin(error)),
        Implies(Le(0, error), Le(error - error**3 / 6, -sin(angle))),
    )
    return ForAll((i, N, error), And(cosine, sine))


FLOAT_FLOOR = Claim(
    id="mobius.float_floor",
    title="The floating-point floor of the ladder, and why 1e-6",
    kind="bound",
    source=("bae2026mobius",),
    definitions=Practice(),
    hypotheses=(
        "each operation correctly rounded to nearest",
        "offsets exactly representable in the format",
        "no operation over- or underflows",
    ),
    depends=("mobius.dipole",),
    clauses=(
        Clause(
            "three_roundings",
            r"|\delta_a| \le u \le 1 \implies "
            r"|(1+\delta_1)(1+\delta_2)(1+\delta_3) - 1| \le (1+u)^3 - 1",
            three_roundings,
        ),
        Clause(
            "four_roundings",
            r"|\delta_a| \le u \le 1 \implies "
            r"|\textstyle\prod_{a\le4}(1+\delta_a) - 1| \le (1+u)^4 - 1",
            four_roundings,
        ),
        Clause("linearised", r"(1+u)^3 - 1 \le 3u(1+2u) \quad (u \le 1)", linearised),
        Clause(
            "largest_angle",
            r"i < m,\ 0 \le D \le N \implies \theta_i D \le \pi(2m-1)",
            largest_angle,
        ),
        Clause(
            "ladder_error",
            r"|\mathrm{fl}(\theta_i D) - \theta_i D| \le \bigl((1+u)^3-1\bigr)\,\pi(2m-1) "
            r"\quad (i < m,\ 0 \le D \le N,\ N \text{ a power of two})",
            ladder_error,
        ),
        Clause(
            "kernel_error",
            r"|\hat\theta - \theta_i D| \le ((1+u)^3-1)\,\theta_i D,\ "
            r"|\eta_i| \le u,\ 0 \le D \le N \implies "
            r"\tfrac1m|\hat K - K| \le \bigl((1+u)^3-1\bigr)\pi m + u",
            kernel_error,
        ),
        Clause("mean_angle", r"\tfrac1m\sum_{i<m}\theta_i D = \pi m D / N", mean_angle),
        Clause(
            "phase_reduction",
            r"R(\theta_i E) = R\bigl(\tfrac{\pi}{N}((2i+1)E - 2Nt)\bigr) "
            r"\quad (E, t \in \mathbb{Z})",
            phase_reduction,
        ),
        Clause(
            "second_order",
            r"\cos(\theta_i N + \epsilon) + 1 = 2\sin^2\tfrac{\epsilon}{2} "
            r"\le \tfrac{\epsilon^2}{2},\quad "
            r"-\sin(\theta_i N + \epsilon) = \sin\epsilon \ge "
            r"\epsilon - \tfrac{\epsilon^3}{6}\ (\epsilon \ge 0)",
            second_order,
        ),
    ),
)
