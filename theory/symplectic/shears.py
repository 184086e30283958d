r"""Shears of the plane, what they compose to, and which matrices they generate.

Main definitions
----------------
upper, lower    the shears U(a) = [[1, a], [0, 1]] and L(b) = [[1, 0], [b, 1]]
composed        S(a, b) = L(b / 2) U(a) L(b / 2)
alternate       S'(a, b) = U(a / 2) L(b) U(a / 2)
rotation        [[c, -s], [s, c]], with c = cos t and s = sin t
boost           [[c, s], [s, c]], with c = cosh m and s = sinh m
squeeze         diag(1 / k, k); D(rho) has k = sqrt(rho)
FORM            the symplectic form J of the plane
Shears          the definitions of this topic; a control replaces one of them

Main claims
-----------
symplectic.shears, symplectic.generation, symplectic.trace_classes,
symplectic.symmetric_composition, symplectic.three_shears

Conventions
-----------
Column vectors.  The symplectic form is J = [[0, 1], [-1, 0]], minus the quarter turn of the subject
journey.  A matrix M has the entries p, q in its first row and r, s in its second; tau = p + s is
its trace.  Angles are in radians.

References
----------
Derived here; the abstract of "HySPE: Positional Encoding via Symplectic Dual Shears" asks the
question.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import ImmutableMatrix, Rational, cos, cosh, exp, log, pi, sin, sinh, sqrt
from sympy import Integer as Whole

from posproof.theory.symbols import Variable, variables
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
    Or,
    Positive,
    Prop,
    Real,
)


def upper(a: Any) -> ImmutableMatrix:
    """U(a) = [[1, a], [0, 1]]."""
    return ImmutableMatrix([[1, a], [0, 1]])


def lower(b: Any) -> ImmutableMatrix:
    """L(b) = [[1, 0], [b, 1]]."""
    return ImmutableMatrix([[1, 0], [b, 1]])


def composed(a: Any, b: Any) -> ImmutableMatrix:
    """S(a, b) = L(b / 2) U(a) L(b / 2)."""
    return lower(b / 2) * upper(a) * lower(b / 2)


def alternate(a: Any, b: Any) -> ImmutableMatrix:
    """S'(a, b) = U(a / 2) L(b) U(a / 2)."""
    return upper(a / 2) * lower(b) * upper(a / 2)


def rotation(c: Any, s: Any) -> ImmutableMatrix:
    """R(t) for c = cos t and s = sin t."""
    return ImmutableMatrix([[c, -s], [s, c]])


def boost(c: Any, s: Any) -> ImmutableMatrix:
    """B(m) for c = cosh m and s = sinh m."""
    return ImmutableMatrix([[c, s], [s, c]])


def squeeze(k: Any) -> ImmutableMatrix:
    """diag(1 / k, k)."""
    return ImmutableMatrix([[1 / k, 0], [0, k]])


#: The symplectic form J of one plane, and the mirror diag(1, -1).
FORM = ImmutableMatrix([[0, 1], [-1, 0]])
MIRROR = ImmutableMatrix([[1, 0], [0, -1]])
IDENTITY = ImmutableMatrix([[1, 0], [0, 1]])

p, q, r, s = variables("p q r s", Real)
a, b, c, d = variables("a b c d", Real)
x, y, z = variables("x y z", Real)
theta, mu = variables("theta mu", Real)
rate, rho, k = variables("mu rho k", Positive)
sigma, n = Variable("sigma", Real), Variable("n", Int(0))
growth = Variable("lambda", Positive)
M = ImmutableMatrix([[p, q], [r, s]])
ENTRIES = (p, q, r, s)


def times(*factors: Any) -> Any:
    """A product of matrices that SymPy leaves alone."""
    return sympy.MatMul(*factors, evaluate=False)


def det(m: Any) -> Any:
    return sympy.Determinant(m)


def diagonal(*cells: Any) -> ImmutableMatrix:
    return ImmutableMatrix(sympy.diag(*cells))


def half_tangent(t: Any) -> Any:
    """tan(t / 2)."""
    return sin(t / 2) / cos(t / 2)


def half_hyperbolic_tangent(m: Any) -> Any:
    """tanh(m / 2)."""
    return sinh(m / 2) / cosh(m / 2)


def preserved(m: ImmutableMatrix, form: ImmutableMatrix) -> Prop:
    """m is symplectic: m^T J m = J."""
    return Eq(times(m.T, form, m), form)


def corner(a: Any, b: Any) -> Any:
    """c = b (1 + a b / 4), the lower left entry of S(a, b)."""
    return b * (1 + a * b / 4)


def asinh_rate(ab: Any) -> Any:
    """2 arsinh(sqrt(ab) / 2)."""
    return 2 * log(sqrt(ab) / 2 + sqrt(1 + ab / 4))


def acosh_rate(ab: Any) -> Any:
    """2 arcosh(sqrt(ab) / 2)."""
    return 2 * log(sqrt(ab) / 2 + sqrt(ab / 4 - 1))


def parameters(mu: Any, rho: Any) -> tuple[Any, Any]:
    """(a, b) of the rate mu and the anisotropy rho."""
    return sinh(mu) / rho, 2 * rho * half_hyperbolic_tangent(mu)


def turning_frame(p: Any, r: Any, s: Any, sine: Any, k: Any) -> ImmutableMatrix:
    """The frame in which a matrix of trace below 2 is a rotation; k^2 = r sine."""
    return ImmutableMatrix([[sine / k, (p - s) / (2 * k)], [0, r / k]])


def shearing_frame(x: Any, y: Any) -> ImmutableMatrix:
    """The frame (v | v' / |v|^2) of v = (x, y) and its quarter turn v'."""
    return ImmutableMatrix([[x, -y / (x**2 + y**2)], [y, x / (x**2 + y**2)]])


def pushing_frames(
    p: Any, q: Any, r: Any, s: Any, mu: Any
) -> tuple[ImmutableMatrix, ImmutableMatrix]:
    """The frames in which a matrix of trace above 2 is diagonal, for r != 0 and for q != 0."""
    grow, fall, width = exp(mu), exp(-mu), 2 * sinh(mu)
    below = ImmutableMatrix([[grow - s, (fall - s) / (r * width)], [r, 1 / width]])
    above = ImmutableMatrix([[q, -1 / width], [grow - p, -(fall - p) / (q * width)]])
    return below, above


def pivot_first(p: Any, r: Any, s: Any) -> tuple[Any, Any, Any]:
    """The parameters of U L U for a matrix with r != 0, and of L U L with q in its place."""
    return (p - 1) / r, r, (s - 1) / r


def four_for_diagonal(p: Any) -> tuple[Any, Any, Any, Any]:
    """The parameters of L U L U for diag(p, 1 / p)."""
    return Whole(-1), (p - 1) / p, p, (1 - p) / p**2


def rotation_shears(t: Any) -> tuple[Any, Any, Any]:
    """The parameters of U L U for R(t)."""
    return -half_tangent(t), sin(t), -half_tangent(t)


def boost_shears(m: Any) -> tuple[Any, Any, Any]:
    """The parameters of L U L for B(m)."""
    return half_hyperbolic_tangent(m), sinh(m), half_hyperbolic_tangent(m)


@dataclass(frozen=True)
class Shears:
    """The definitions of this topic; a control replaces one of them."""

    form: ImmutableMatrix = FORM
    mirror: ImmutableMatrix = MIRROR
    upper: Callable[[Any], ImmutableMatrix] = upper
    lower: Callable[[Any], ImmutableMatrix] = lower
    composed: Callable[[Any, Any], ImmutableMatrix] = composed
    alternate: Callable[[Any, Any], ImmutableMatrix] = alternate
    rotation: Callable[[Any, Any], ImmutableMatrix] = rotation
    boost: Callable[[Any, Any], ImmutableMatrix] = boost
    corner: Callable[[Any, Any], Any] = corner
    squeeze: Callable[[Any], ImmutableMatrix] = squeeze
    rate: Callable[[Any], Any] = asinh_rate
    far_rate: Callable[[Any], Any] = acosh_rate
    parameters: Callable[[Any, Any], tuple[Any, Any]] = parameters
    correction: Any = Rational(1, 24)
    discriminant: Callable[[Any], Any] = lambda tau: tau**2 - 4
    parity: Callable[[Any], Any] = lambda n: (-1) ** n
    turning_frame: Callable[..., ImmutableMatrix] = turning_frame
    shearing_frame: Callable[[Any, Any], ImmutableMatrix] = shearing_frame
    pushing_frames: Callable[..., tuple[ImmutableMatrix, ImmutableMatrix]] = pushing_frames
    preserved: Callable[[ImmutableMatrix, ImmutableMatrix], Prop] = preserved
    pivot_first: Callable[[Any, Any, Any], tuple[Any, Any, Any]] = pivot_first
    four_for_diagonal: Callable[[Any], tuple[Any, Any, Any, Any]] = four_for_diagonal
    rotation_shears: Callable[[Any], tuple[Any, Any, Any]] = rotation_shears
    boost_shears: Callable[[Any], tuple[Any, Any, Any]] = boost_shears

    def upper_lower_upper(self, x: Any, y: Any, z: Any) -> Any:
        """U(x) L(y) U(z)."""
        return times(self.upper(x), self.lower(y), self.upper(z))

    def lower_upper_lower(self, x: Any, y: Any, z: Any) -> Any:
        """L(x) U(y) L(z)."""
        return times(self.lower(x), self.upper(y), self.lower(z))

    def four(self, w: Any, x: Any, y: Any, z: Any) -> Any:
        """L(w) U(x) L(y) U(z)."""
        return times(self.lower(w), self.upper(x), self.lower(y), self.upper(z))

    def turn(self, t: Any) -> ImmutableMatrix:
        """R(t)."""
        return self.rotation(cos(t), sin(t))

    def push(self, m: Any) -> ImmutableMatrix:
        """B(m)."""
        return self.boost(cosh(m), sinh(m))


SHEARS_OF = Shears()


# ---------------------------------------------------------------------- symplectic.shears
def form_scales(of: Shears) -> Prop:
    return ForAll(ENTRIES, Eq(times(M.T, of.form, M), det(M) * of.form))


def one_group(of: Shears) -> Prop:
    return ForAll(ENTRIES, Iff(of.preserved(M, of.form), Eq(det(M), 1)))


def one_parameter(of: Shears) -> Prop:
    return ForAll(
        (a, b),
        And(
            Eq(times(of.upper(a), of.upper(b)), of.upper(a + b)),
            Eq(times(of.lower(a), of.lower(b)), of.lower(a + b)),
            Eq(det(of.upper(a)), 1),
            Eq(det(of.lower(b)), 1),
        ),
    )


def turned(of: Shears) -> Prop:
    inverse = Eq(times(of.form, -of.form), IDENTITY)
    return And(inverse, ForAll(a, Eq(times(of.form, of.upper(a), -of.form), of.lower(-a))))


def commutator(of: Shears) -> Prop:
    one, other = times(of.upper(a), of.lower(b)), times(of.lower(b), of.upper(a))
    defect = Eq(sympy.MatAdd(one, times(-IDENTITY, other), evaluate=False), a * b * of.mirror)
    return ForAll((a, b), And(defect, Iff(Eq(one, other), Eq(a * b, 0))))


def blocks(form: ImmutableMatrix, count: int) -> ImmutableMatrix:
    """diag(J, ..., J)."""
    return ImmutableMatrix(sympy.diag(*[form] * count))


def arbitrary(size: int) -> tuple[tuple[Variable, ...], ImmutableMatrix]:
    """A matrix of variables m00, m01, ..., and the variables."""
    names = variables(" ".join(f"m{i}{j}" for i in range(size) for j in range(size)), Real)
    return names, ImmutableMatrix(size, size, names)


def higher(of: Shears) -> Prop:
    parts: list[Prop] = []
    half = Rational(1, 2)
    for count in (2, 3):
        form, rest = blocks(of.form, count), [1] * (2 * count - 4)
        inside, outside = diagonal(2, half, 1, 1, *rest), diagonal(2, 1, half, 1, *rest)
        names, m = arbitrary(2 * count)
        parts += [
            ForAll(names, Implies(of.preserved(m, form), Eq(det(m), 1))),
            of.preserved(inside, form),
            And(Eq(det(outside), 1), Not(of.preserved(outside, form))),
        ]
    return And(*parts)


SHEARS = Claim(
    id="symplectic.shears",
    title="Shears are symplectic, and in the plane symplectic means of determinant one",
    kind="identity",
    definitions=SHEARS_OF,
    clauses=(
        Clause(
            "form_scales",
            r"M^\top J M = \det(M)\,J \quad (M \in \mathbb{R}^{2 \times 2}), \quad "
            r"J = \begin{pmatrix} 0 & 1 \\ -1 & 0 \end{pmatrix}",
            form_scales,
        ),
        Clause(
            "one_group",
            r"M^\top J M = J \iff \det M = 1: \quad "
            r"\mathrm{Sp}(2, \mathbb{R}) = \mathrm{SL}(2, \mathbb{R})",
            one_group,
        ),
        Clause(
            "one_parameter",
            r"U(a)\,U(b) = U(a + b),\quad L(a)\,L(b) = L(a + b),\quad \det U(a) = \det L(b) = 1",
            one_parameter,
        ),
        Clause(
            "turned",
            r"J^{-1} = -J,\quad J\,U(a)\,J^{-1} = L(-a)",
            turned,
        ),
        Clause(
            "commutator",
            r"U(a)\,L(b) - L(b)\,U(a) = ab\,\mathrm{diag}(1, -1),\quad "
            r"U(a)\,L(b) = L(b)\,U(a) \iff ab = 0",
            commutator,
        ),
        Clause(
            "higher",
            r"m = 2, 3,\ J_m = \mathrm{diag}(J, \dots, J):\quad "
            r"M^\top J_m M = J_m \implies \det M = 1;\quad "
            r"\mathrm{diag}(2, \tfrac12, 1, 1, \dots) \in \mathrm{Sp}(2m),\quad "
            r"\mathrm{diag}(2, 1, \tfrac12, 1, \dots) \in "
            r"\mathrm{SL}(2m) \setminus \mathrm{Sp}(2m)",
            higher,
        ),
    ),
)


# ---------------------------------------------------------------------- symplectic.generation
SPECIAL = Eq(p * s - q * r, 1)


def _only(parameters: tuple[Any, ...]) -> Prop:
    return And(*(Eq(name, value) for name, value in zip((x, y, z), parameters, strict=True)))


def three_upper(of: Shears) -> Prop:
    product = Eq(of.upper_lower_upper(x, y, z), M)
    found = Iff(product, _only(of.pivot_first(p, r, s)))
    return ForAll((*ENTRIES, x, y, z), Implies(And(SPECIAL, Ne(r, 0)), found))


def three_lower(of: Shears) -> Prop:
    product = Eq(of.lower_upper_lower(x, y, z), M)
    found = Iff(product, _only(of.pivot_first(s, q, p)))
    return ForAll((*ENTRIES, x, y, z), Implies(And(SPECIAL, Ne(q, 0)), found))


def no_three(of: Shears) -> Prop:
    target = diagonal(p, s)
    never = And(
        Not(Eq(of.upper_lower_upper(x, y, z), target)),
        Not(Eq(of.lower_upper_lower(x, y, z), target)),
    )
    return ForAll((p, s, x, y, z), Implies(And(Eq(p * s, 1), Ne(p, 1)), never))


def four_shears(of: Shears) -> Prop:
    product = Eq(of.four(*of.four_for_diagonal(p)), diagonal(p, 1 / p))
    half_turn = Eq(of.four(-1, 2, -1, 2), -IDENTITY)
    return And(ForAll(p, Implies(Ne(p, 0), product)), half_turn)


GENERATION = Claim(
    id="symplectic.generation",
    title="Three shears make a matrix with an off-diagonal entry, four make every other",
    kind="classification",
    definitions=SHEARS_OF,
    depends=("symplectic.shears",),
    clauses=(
        Clause(
            "three_upper",
            r"M = \begin{pmatrix} p & q \\ r & s \end{pmatrix},\ \det M = 1,\ r \ne 0:\quad "
            r"U(x)\,L(y)\,U(z) = M \iff x = \tfrac{p - 1}{r},\ y = r,\ z = \tfrac{s - 1}{r}",
            three_upper,
        ),
        Clause(
            "three_lower",
            r"\det M = 1,\ q \ne 0:\quad "
            r"L(x)\,U(y)\,L(z) = M \iff x = \tfrac{s - 1}{q},\ y = q,\ z = \tfrac{p - 1}{q}",
            three_lower,
        ),
        Clause(
            "no_three",
            r"ps = 1,\ p \ne 1:\quad "
            r"U(x)\,L(y)\,U(z) \ne \mathrm{diag}(p, s) \ne L(x)\,U(y)\,L(z)"
            r"\quad \text{for all } x, y, z",
            no_three,
        ),
        Clause(
            "four_shears",
            r"\mathrm{diag}(p, \tfrac1p) = "
            r"L(-1)\,U(\tfrac{p - 1}{p})\,L(p)\,U(\tfrac{1 - p}{p^2}) \quad (p \ne 0),"
            r"\quad -I = L(-1)\,U(2)\,L(-1)\,U(2)",
            four_shears,
        ),
    ),
)

# ---------------------------------------------------------------------- symplectic.trace_classes
TRACE = p + s


def conjugates(m: Any, frame: ImmutableMatrix, target: Any) -> Prop:
    """m = g target g^-1 with g in SL(2, R)."""
    return And(Eq(times(m, frame), times(frame, target)), Eq(det(frame), 1))


def discriminant(of: Shears) -> Prop:
    shifted = det(ImmutableMatrix([[x - p, -q], [-r, x - s]]))
    square = (x - TRACE / 2) ** 2 - of.discriminant(TRACE) / 4
    negative = -M
    found = And(
        Eq(shifted, x**2 - TRACE * x + 1),
        Eq(shifted, square),
        Eq(det(negative), 1),
        Eq(negative[0, 0] + negative[1, 1], -TRACE),
    )
    return ForAll((*ENTRIES, x), Implies(SPECIAL, found))


def turning(of: Shears) -> Prop:
    window = And(SPECIAL, Lt(-2, TRACE), Lt(TRACE, 2))
    sine = sigma * sin(theta)
    premise = And(
        SPECIAL, Eq(cos(theta), TRACE / 2), Lt(0, theta), Lt(theta, pi),
        Eq(sigma**2, 1), Lt(0, sigma * r), Eq(k**2, sine * r),
    )  # fmt: skip
    found = conjugates(M, of.turning_frame(p, r, s, sine, k), of.rotation(cos(theta), sine))
    return And(
        ForAll(ENTRIES, Implies(window, Ne(r, 0))),
        ForAll((*ENTRIES, theta, sigma, k), Implies(premise, found)),
    )


def opposite_turns(of: Shears) -> Prop:
    there, back = of.turn(theta), of.turn(-theta)
    never = Implies(SPECIAL, Not(Eq(times(there, M), times(M, back))))
    mirrored = Eq(times(of.mirror, there, of.mirror), back)
    inside = And(Lt(0, theta), Lt(theta, pi))
    return ForAll((theta, *ENTRIES), Implies(inside, And(never, mirrored)))


def _line(of: Shears, epsilon: Any, v: ImmutableMatrix) -> Any:
    """I + epsilon v v^T J."""
    return sympy.MatAdd(IDENTITY, times(epsilon * v, v.T, of.form), evaluate=False)


def shearing(of: Shears) -> Prop:
    below = ImmutableMatrix([[sigma * (p - 1) / k], [k]])
    above = ImmutableMatrix([[k], [0]])
    trace = And(SPECIAL, Eq(TRACE, 2))
    signed = And(trace, Eq(sigma**2, 1))
    lower_entry = And(signed, Eq(k**2, sigma * r))
    upper_entry = And(signed, Eq(r, 0), Eq(k**2, sigma * q))
    return And(
        ForAll((*ENTRIES, sigma, k), Implies(lower_entry, Eq(M, _line(of, -sigma, below)))),
        ForAll((*ENTRIES, sigma, k), Implies(upper_entry, Eq(M, _line(of, sigma, above)))),
        ForAll(ENTRIES, Implies(And(trace, Eq(q, 0), Eq(r, 0)), Eq(M, IDENTITY))),
    )


def shear_frame(of: Shears) -> Prop:
    v = ImmutableMatrix([[x], [y]])
    frame = conjugates(_line(of, a, v), of.shearing_frame(x, y), of.upper(a))
    return ForAll((a, x, y), Implies(Ne(x**2 + y**2, 0), frame))


def four_shear_classes(of: Shears) -> Prop:
    signs = And(*(Eq(name**2, 1) for name in (x, y, a, b)))
    moved = Eq(times(x * of.upper(a), M), times(M, y * of.upper(b)))
    same = And(Eq(x, y), Eq(a, b))
    return ForAll((*ENTRIES, x, y, a, b), Implies(And(SPECIAL, signs, moved), same))


def pushing(of: Shears) -> Prop:
    grow, fall = exp(rate), exp(-rate)
    target = diagonal(grow, fall)
    premise = And(SPECIAL, Eq(TRACE, 2 * cosh(rate)))
    below, above = of.pushing_frames(p, q, r, s, rate)
    either = Or(Eq(M, target), conjugates(M, of.form, target))
    names = (*ENTRIES, rate)
    return And(
        ForAll(names, Implies(And(premise, Ne(r, 0)), conjugates(M, below, target))),
        ForAll(names, Implies(And(premise, Ne(q, 0)), conjugates(M, above, target))),
        ForAll(names, Implies(And(premise, Eq(q, 0), Eq(r, 0)), either)),
    )


def alternating(of: Shears) -> Prop:
    v, power = ImmutableMatrix([[a], [b]]), sympy.MatPow(M, n, evaluate=False)
    premise = Eq(times(M, v), -growth * v)
    found = Eq(times(power, v), of.parity(n) * growth**n * v)
    return ForAll((*ENTRIES, a, b, growth, n), Implies(premise, found))


def regions(of: Shears) -> Prop:
    m, unit = of.composed(a, b), of.upper(Whole(1)) * of.lower(x)
    trace, near = m[0, 0] + m[1, 1], unit[0, 0] + unit[1, 1]
    inside = And(Eq(near, 2 + x), Eq(of.discriminant(near), x * (4 + x)))
    return And(
        ForAll((a, b), Eq(of.discriminant(trace), a * b * (a * b + 4))),
        ForAll(x, inside),
        ForAll(x, Implies(Lt(0, x), Lt(0, of.discriminant(near)))),
        ForAll(x, Implies(And(Lt(-4, x), Lt(x, 0)), Lt(of.discriminant(near), 0))),
    )


TRACE_CLASSES = Claim(
    id="symplectic.trace_classes",
    title="The trace tells turns, shears, pushes, and pushes that alternate",
    kind="classification",
    definitions=SHEARS_OF,
    depends=("symplectic.shears", "symplectic.symmetric_composition"),
    stance="sharpened",
    reading=(
        "'An elliptic and a hyperbolic branch', read of all of SL(2, R): a trace below -2 is a "
        "branch of its own, whose powers alternate in sign."
    ),
    clauses=(
        Clause(
            "discriminant",
            r"\det M = 1,\ \tau = \mathrm{tr} M:\quad \det(xI - M) = x^2 - \tau x + 1 = "
            r"(x - \tfrac\tau2)^2 - \tfrac{\tau^2 - 4}4,\quad "
            r"\det(-M) = 1,\ \mathrm{tr}(-M) = -\tau",
            discriminant,
        ),
        Clause(
            "turning",
            r"|\tau| < 2 \implies r \ne 0;\quad \cos\theta = \tfrac\tau2,\ 0 < \theta < \pi,\ "
            r"\sigma = \mathrm{sign}(r):\quad M = g\,R(\sigma\theta)\,g^{-1},\ \det g = 1,\quad "
            r"g = \frac1{\sqrt{|r| \sin\theta}} \begin{pmatrix} "
            r"\sigma\sin\theta & \frac{p - s}2 \\ 0 & r \end{pmatrix}",
            turning,
        ),
        Clause(
            "opposite_turns",
            r"0 < \theta < \pi,\ \det g = 1:\quad R(\theta)\,g \ne g\,R(-\theta);\quad "
            r"\eta\,R(\theta)\,\eta = R(-\theta),\ \eta = \mathrm{diag}(1, -1)",
            opposite_turns,
        ),
        Clause(
            "shearing",
            r"\tau = 2:\quad r \ne 0,\ \sigma = \mathrm{sign}(r) \implies "
            r"M = I - \sigma v v^\top J,\ v = \tbinom{\sigma(p - 1)/\sqrt{|r|}}{\sqrt{|r|}};\quad "
            r"r = 0 \ne q,\ \sigma = \mathrm{sign}(q) \implies "
            r"M = I + \sigma v v^\top J,\ v = \tbinom{\sqrt{|q|}}0;\quad "
            r"q = r = 0 \implies M = I",
            shearing,
        ),
        Clause(
            "shear_frame",
            r"v \ne 0:\quad I + a v v^\top J = g\,U(a)\,g^{-1},\ \det g = 1,\quad "
            r"g = \Bigl(v \Bigm| \tfrac1{|v|^2} \tbinom{-v_2}{v_1}\Bigr)",
            shear_frame,
        ),
        Clause(
            "four_shear_classes",
            r"t, t', \varepsilon, \varepsilon' = \pm1,\ \det g = 1:\quad "
            r"t\,U(\varepsilon)\,g = t'\,g\,U(\varepsilon') "
            r"\implies t = t',\ \varepsilon = \varepsilon'",
            four_shear_classes,
        ),
        Clause(
            "pushing",
            r"\tau = 2\cosh\mu,\ \mu > 0:\quad "
            r"M = g\,\mathrm{diag}(e^\mu, e^{-\mu})\,g^{-1},\ \det g = 1,\quad "
            r"g = \begin{pmatrix} e^\mu - s & \frac{e^{-\mu} - s}{2r\sinh\mu} \\ "
            r"r & \frac1{2\sinh\mu} \end{pmatrix}\ (r \ne 0),\quad "
            r"g = \begin{pmatrix} q & -\frac1{2\sinh\mu} \\ "
            r"e^\mu - p & -\frac{e^{-\mu} - p}{2q\sinh\mu} \end{pmatrix}\ (q \ne 0),\quad "
            r"g = I \text{ or } J\ (q = r = 0)",
            pushing,
        ),
        Clause(
            "alternating",
            r"M v = -\lambda v,\ \lambda > 0 \implies M^n v = (-1)^n \lambda^n v",
            alternating,
        ),
        Clause(
            "regions",
            r"(\mathrm{tr}\,S(a, b))^2 - 4 = ab(ab + 4);\quad "
            r"\tau = \mathrm{tr}\,U(1)L(x) = 2 + x,\quad \tau^2 - 4 = x(4 + x) "
            r"\text{ is positive for } x > 0 \text{ and negative for } -4 < x < 0",
            regions,
        ),
    ),
)


# ---------------------------------------------------------------------- symmetric_composition
HALF_TRACE = 1 + a * b / 2


def entries(of: Shears) -> Prop:
    corner = of.corner(a, b)
    first = ImmutableMatrix([[HALF_TRACE, a], [corner, HALF_TRACE]])
    other = ImmutableMatrix([[HALF_TRACE, of.corner(b, a)], [b, HALF_TRACE]])
    return ForAll((a, b), And(Eq(of.composed(a, b), first), Eq(of.alternate(a, b), other)))


def _unit_trace(m: ImmutableMatrix, difference: Any) -> list[Prop]:
    """Trace 2 + a b, determinant 1, and the difference of the diagonal entries."""
    return [
        Eq(m[0, 0] + m[1, 1], 2 + a * b),
        Eq(det(m), 1),
        Eq(m[0, 0] - m[1, 1], difference),
    ]


def invariants(of: Shears) -> Prop:
    one_sided = of.upper(a) * of.lower(b)
    both = (*_unit_trace(of.composed(a, b), 0), *_unit_trace(of.alternate(a, b), 0))
    return ForAll((a, b), And(*both, *_unit_trace(one_sided, a * b)))


def reversible(of: Shears) -> Prop:
    def undone(m: Any) -> Prop:
        return Eq(times(of.mirror, m, of.mirror, m), IDENTITY)

    one_sided = times(of.upper(a), of.lower(b))
    both = And(undone(of.composed(a, b)), undone(of.alternate(a, b)))
    return ForAll((a, b), And(both, Iff(undone(one_sided), Eq(a * b, 0))))


def similar(of: Shears) -> Prop:
    frame = of.upper(a / 2) * of.lower(b / 2)
    moved = Eq(times(of.alternate(a, b), frame), times(frame, of.composed(a, b)))
    square = Eq(a * of.corner(a, b), HALF_TRACE**2 - 1)
    return ForAll((a, b), And(moved, Eq(det(frame), 1), square))


def rates(of: Shears) -> Prop:
    """mu = 2 arsinh(sqrt(ab) / 2) and mu = 2 arcosh(sqrt(-ab) / 2) as logarithms."""
    near, far = of.rate(a * b), of.far_rate(-a * b)
    hyperbolic = And(Lt(0, near), Eq(cosh(near), HALF_TRACE))
    beyond = And(Lt(0, far), Eq(cosh(far), -HALF_TRACE))
    half = And(Le(0, -a * b), Eq(sin(theta / 2), sqrt(-a * b) / 2))
    return ForAll(
        (a, b),
        And(
            Implies(Lt(0, a * b), hyperbolic),
            Implies(Lt(4, -a * b), beyond),
            ForAll(theta, Implies(half, Eq(cos(theta), HALF_TRACE))),
        ),
    )


def _conjugated(of: Shears, inside: ImmutableMatrix) -> Any:
    """D(rho) m D(rho)^-1."""
    return times(of.squeeze(k), inside, of.squeeze(1 / k))


def _branch(of: Shears, sign: int, *shape: Prop) -> Prop:
    """sigma = sign(a), rho = sqrt(+-c / a), k = sqrt(rho), and what tells the branch."""
    anisotropy = Eq(a * rho**2, sign * of.corner(a, b))
    return And(*shape, Lt(0, sigma * a), Eq(sigma**2, 1), anisotropy, Eq(k**2, rho))


def hyperbolic(of: Shears) -> Prop:
    m, c_mu, s_mu = of.composed(a, b), cosh(rate), sigma * sinh(rate)
    plus, minus = (ImmutableMatrix([[1], [sign * sigma * rho]]) for sign in (1, -1))
    premise = _branch(of, 1, Lt(0, a * b), Eq(c_mu, HALF_TRACE))
    found = And(
        Eq(m, _conjugated(of, of.boost(c_mu, s_mu))),
        Eq(m, ImmutableMatrix([[c_mu, s_mu / rho], [rho * s_mu, c_mu]])),
        Eq(times(m, plus), exp(rate) * plus),
        Eq(times(m, minus), exp(-rate) * minus),
    )
    return ForAll((a, b, sigma, rate, rho, k), Implies(premise, found))


def elliptic(of: Shears) -> Prop:
    window = (Lt(-4, a * b), Lt(a * b, 0), Lt(0, theta), Lt(theta, pi))
    premise = _branch(of, -1, *window, Eq(cos(theta), HALF_TRACE))
    turn = of.rotation(cos(theta), -sigma * sin(theta))
    found = Eq(of.composed(a, b), _conjugated(of, turn))
    return ForAll((a, b, sigma, theta, rho, k), Implies(premise, found))


def boundary(of: Shears) -> Prop:
    zero = And(Eq(of.composed(a, Whole(0)), of.upper(a)), Eq(of.composed(Whole(0), b), of.lower(b)))
    edge, other = of.composed(a, -4 / a), of.alternate(-4 / b, b)
    shapes = (
        Implies(Ne(a, 0), Eq(edge, ImmutableMatrix([[-1, a], [0, -1]]))),
        Implies(Ne(b, 0), Eq(other, ImmutableMatrix([[-1, 0], [b, -1]]))),
    )
    return And(ForAll((a, b), zero), ForAll(a, shapes[0]), ForAll(b, shapes[1]))


def not_diagonalisable(of: Shears) -> Prop:
    def only_singular(m: ImmutableMatrix) -> Prop:
        return Implies(Eq(times(m, M), times(M, diagonal(x, y))), Eq(det(M), 0))

    def grows(m: ImmutableMatrix, shear: ImmutableMatrix) -> Prop:
        return Eq(sympy.MatPow(m, n, evaluate=False), (-1) ** n * shear)

    edge, other = of.composed(a, -4 / a), of.alternate(-4 / b, b)
    return And(
        ForAll((a, *ENTRIES, x, y), Implies(Ne(a, 0), only_singular(edge))),
        ForAll((b, *ENTRIES, x, y), Implies(Ne(b, 0), only_singular(other))),
        ForAll((a, n), Implies(Ne(a, 0), grows(edge, of.upper(-n * a)))),
        ForAll((b, n), Implies(Ne(b, 0), grows(other, of.lower(-n * b)))),
    )


def beyond(of: Shears) -> Prop:
    c_mu, s_mu = cosh(rate), -sigma * sinh(rate)
    premise = _branch(of, 1, Lt(a * b, -4), Eq(c_mu, -HALF_TRACE))
    found = Eq(of.composed(a, b), _conjugated(of, -of.boost(c_mu, s_mu)))
    return ForAll((a, b, sigma, rate, rho, k), Implies(premise, found))


def inverse(of: Shears) -> Prop:
    at, back = of.parameters(rate, rho)
    found = And(
        Lt(0, at),
        Lt(0, at * back),
        Eq(cosh(rate), 1 + at * back / 2),
        Eq(at * rho**2, of.corner(at, back)),
        Eq(of.composed(at, back), _conjugated(of, of.boost(cosh(rate), sinh(rate)))),
    )
    return ForAll((rate, rho, k), Implies(Eq(k**2, rho), found))


def small_rate(of: Shears) -> Prop:
    step = 2 * sinh(rate / 2)
    low = step - of.correction * step**3
    return ForAll(rate, And(Le(low, rate), Le(rate, low + Rational(3, 640) * step**5)))


def small_angle(of: Shears) -> Prop:
    step = 2 * sin(theta / 2)
    low = step + of.correction * step**3
    inside = And(Lt(0, theta), Lt(theta, pi))
    bounds = And(Le(low, theta), Le(theta, low + step**5 / 16))
    return ForAll(theta, Implies(inside, bounds))


SYMMETRIC_COMPOSITION = Claim(
    id="symplectic.symmetric_composition",
    title="The symmetric composition is a squeezed boost, a squeezed rotation, or neither",
    kind="identity",
    definitions=SHEARS_OF,
    depends=("symplectic.shears",),
    stance="sharpened",
    reading=(
        "'Elliptic and hyperbolic branches', read of the matrices S(a, b): there is a third "
        "region, ab < -4, where S is minus a squeezed boost, and two boundaries where S has one "
        "eigenvector."
    ),
    clauses=(
        Clause(
            "entries",
            r"S(a, b) = \begin{pmatrix} 1 + \frac{ab}2 & a \\ c & 1 + \frac{ab}2 \end{pmatrix},"
            r"\quad "
            r"S'(a, b) = \begin{pmatrix} 1 + \frac{ab}2 & a(1 + \frac{ab}4) \\ "
            r"b & 1 + \frac{ab}2 \end{pmatrix},\quad c = b(1 + \tfrac{ab}4)",
            entries,
        ),
        Clause(
            "invariants",
            r"\mathrm{tr} = 2 + ab,\ \det = 1 \text{ for } S, S' \text{ and } U(a)L(b);\quad "
            r"S, S' \text{ have equal diagonal entries, } U(a)L(b) \text{ has difference } ab",
            invariants,
        ),
        Clause(
            "reversible",
            r"\eta = \mathrm{diag}(1, -1):\quad \eta S \eta = S^{-1},\ \eta S' \eta = S'^{-1};"
            r"\quad "
            r"\eta\,U(a)L(b)\,\eta = (U(a)L(b))^{-1} \iff ab = 0",
            reversible,
        ),
        Clause(
            "similar",
            r"X = U(\tfrac a2)\,L(\tfrac b2):\quad S' X = X S,\ \det X = 1;\quad "
            r"ac = (1 + \tfrac{ab}2)^2 - 1",
            similar,
        ),
        Clause(
            "rates",
            r"ab > 0,\ \mu = 2\,\mathrm{arsinh}\tfrac{\sqrt{ab}}2 \implies \mu > 0,\ "
            r"\cosh\mu = 1 + \tfrac{ab}2;\quad "
            r"ab < -4,\ \mu = 2\,\mathrm{arcosh}\tfrac{\sqrt{-ab}}2 \implies \mu > 0,\ "
            r"\cosh\mu = -1 - \tfrac{ab}2;\quad "
            r"ab \le 0,\ \sin\tfrac\theta2 = \tfrac{\sqrt{-ab}}2 \implies "
            r"\cos\theta = 1 + \tfrac{ab}2",
            rates,
        ),
        Clause(
            "hyperbolic",
            r"ab > 0,\ \sigma = \mathrm{sign}(a),\ \cosh\mu = 1 + \tfrac{ab}2,\ \mu > 0,\ "
            r"\rho = \sqrt{c/a}:\quad S = D(\rho)\,B(\sigma\mu)\,D(\rho)^{-1} = "
            r"\begin{pmatrix} \cosh\mu & \sigma\sinh\mu/\rho \\ "
            r"\sigma\rho\sinh\mu & \cosh\mu \end{pmatrix},\quad "
            r"S \binom1{\pm\sigma\rho} = e^{\pm\mu} \binom1{\pm\sigma\rho}",
            hyperbolic,
        ),
        Clause(
            "elliptic",
            r"-4 < ab < 0,\ \cos\theta = 1 + \tfrac{ab}2,\ \theta \in (0, \pi),\ "
            r"\rho = \sqrt{-c/a}:\quad "
            r"S = D(\rho)\,R(-\mathrm{sign}(a)\,\theta)\,D(\rho)^{-1}",
            elliptic,
        ),
        Clause(
            "boundary",
            r"S(a, 0) = U(a),\ S(0, b) = L(b);\quad ab = -4:\ "
            r"S = \begin{pmatrix} -1 & a \\ 0 & -1 \end{pmatrix},\ "
            r"S' = \begin{pmatrix} -1 & 0 \\ b & -1 \end{pmatrix}",
            boundary,
        ),
        Clause(
            "not_diagonalisable",
            r"ab = -4:\quad S X = X\,\mathrm{diag}(x, y) \implies \det X = 0, "
            r"\text{ and the same for } S';\quad "
            r"S^n = (-1)^n\,U(-na),\ S'^n = (-1)^n\,L(-nb)",
            not_diagonalisable,
        ),
        Clause(
            "beyond",
            r"ab < -4,\ \cosh\mu = -1 - \tfrac{ab}2,\ \mu > 0,\ \rho = \sqrt{c/a}:\quad "
            r"S = -D(\rho)\,B(-\mathrm{sign}(a)\,\mu)\,D(\rho)^{-1}",
            beyond,
        ),
        Clause(
            "inverse",
            r"\mu, \rho > 0,\ a = \sinh\mu/\rho,\ b = 2\rho\tanh\tfrac\mu2 \implies a, b > 0,\ "
            r"\cosh\mu = 1 + \tfrac{ab}2,\ \rho = \sqrt{c/a},\ "
            r"S(a, b) = D(\rho)\,B(\mu)\,D(\rho)^{-1}",
            inverse,
        ),
        Clause(
            "small_rate",
            r"x = \sqrt{ab} = 2\sinh\tfrac\mu2:\quad "
            r"x - \tfrac{x^3}{24} \le \mu \le x - \tfrac{x^3}{24} + \tfrac{3 x^5}{640} "
            r"\quad (\mu > 0)",
            small_rate,
        ),
        Clause(
            "small_angle",
            r"x = \sqrt{-ab} = 2\sin\tfrac\theta2:\quad x + \tfrac{x^3}{24} \le \theta \le "
            r"x + \tfrac{x^3}{24} + \tfrac{x^5}{16} \quad (0 < \theta < \pi)",
            small_angle,
        ),
    ),
)


# ---------------------------------------------------------------------- symplectic.three_shears
def rotation_lifted(of: Shears) -> Prop:
    t, back = half_tangent(theta), of.rotation_shears(theta)
    factored = And(
        Eq(of.upper_lower_upper(*back), of.turn(theta)),
        Eq(of.lower_upper_lower(t, -sin(theta), t), of.turn(theta)),
    )
    trivial = And(*(Eq(value, 0) for value in of.rotation_shears(Whole(0))))
    return And(ForAll(theta, Implies(Ne(cos(theta / 2), 0), factored)), trivial)


def rotation_only(of: Shears) -> Prop:
    product = Eq(of.upper_lower_upper(x, y, z), of.turn(theta))
    found = Iff(product, _only(of.rotation_shears(theta)))
    return ForAll((theta, x, y, z), Implies(Ne(sin(theta), 0), found))


def half_turn(of: Shears) -> Prop:
    target = of.turn(pi)
    never = And(
        Not(Eq(of.upper_lower_upper(x, y, z), target)),
        Not(Eq(of.lower_upper_lower(x, y, z), target)),
    )
    return And(ForAll((x, y, z), never), Eq(of.four(-1, 2, -1, 2), target))


def boost_lifted(of: Shears) -> Prop:
    outer, middle, last = of.boost_shears(mu)
    factored = And(
        Eq(of.lower_upper_lower(outer, middle, last), of.push(mu)),
        Eq(of.upper_lower_upper(outer, middle, last), of.push(mu)),
    )
    return ForAll(mu, factored)


def lifted_parameters(of: Shears) -> Prop:
    turning = (-sin(theta), 2 * half_tangent(theta))
    pushing = (sinh(mu), 2 * half_hyperbolic_tangent(mu))
    turn = And(Eq(of.composed(*turning), of.turn(theta)), Eq(of.corner(*turning), -turning[0]))
    push = And(Eq(of.composed(*pushing), of.push(mu)), Eq(of.corner(*pushing), pushing[0]))
    return And(ForAll(theta, Implies(Ne(cos(theta / 2), 0), turn)), ForAll(mu, push))


THREE_SHEARS = Claim(
    id="symplectic.three_shears",
    title="A rotation is three shears unless it is a half turn; a boost always is",
    kind="identity",
    definitions=SHEARS_OF,
    depends=("symplectic.generation",),
    clauses=(
        Clause(
            "rotation_lifted",
            r"\cos\tfrac\theta2 \ne 0,\ t = \tan\tfrac\theta2:\quad "
            r"R(\theta) = U(-t)\,L(\sin\theta)\,U(-t) = L(t)\,U(-\sin\theta)\,L(t),\quad "
            r"\tan 0 = \sin 0 = 0",
            rotation_lifted,
        ),
        Clause(
            "rotation_only",
            r"\sin\theta \ne 0:\quad U(x)\,L(y)\,U(z) = R(\theta) \iff "
            r"x = z = -\tan\tfrac\theta2,\ y = \sin\theta",
            rotation_only,
        ),
        Clause(
            "half_turn",
            r"U(x)\,L(y)\,U(z) \ne R(\pi) \ne L(x)\,U(y)\,L(z) \text{ for all } x, y, z,"
            r"\quad R(\pi) = L(-1)\,U(2)\,L(-1)\,U(2)",
            half_turn,
        ),
        Clause(
            "boost_lifted",
            r"t = \tanh\tfrac\mu2:\quad "
            r"B(\mu) = L(t)\,U(\sinh\mu)\,L(t) = U(t)\,L(\sinh\mu)\,U(t) "
            r"\quad (\mu \in \mathbb{R})",
            boost_lifted,
        ),
        Clause(
            "lifted_parameters",
            r"R(\theta) = S(-\sin\theta, 2\tan\tfrac\theta2),\ c = -a;\quad "
            r"B(\mu) = S(\sinh\mu, 2\tanh\tfrac\mu2),\ c = a;\quad "
            r"c = b(1 + \tfrac{ab}4)",
            lifted_parameters,
        ),
    ),
)
