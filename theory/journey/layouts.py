r"""Layouts of rotary positions: rows and columns, hierarchies, recurrences, and what copies.

Main definitions
----------------
inner(omega, x, n)       <omega, x>, the angle of a plane on n axes
scan_step                one step of the recurrence that RoPE is
flattened_frequencies    the two frequencies of a table read row by row
hierarchical, digits     addresses with several levels
copy_kernel              a kernel of the offset that copies at two lengths
Layouts.exact_score(p, r)    the score of a hierarchical layout at rational rotations
Layouts.margin(theta, m, D)  what a head that columns drive loses at the offset D

Main claims
-----------
journey.special_cases

Conventions
-----------
Positions are integers or vectors of integers, angles are radians.  A head copies at length L when
its kernel is largest at the offset L, for every query L .. 2 L - 1.

References
----------
none
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import ImmutableMatrix as Matrix
from sympy import Rational, cos

from posproof.theory.journey.uniqueness import (
    OTHER_TURN,
    TURN,
    direct_sum,
    omega,
    power,
    rotation,
)
from posproof.theory.symbols import sequence, total, variables
from posproof.theory.vocabulary import (
    And,
    Claim,
    Clause,
    Eq,
    ForAll,
    Iff,
    Implies,
    Int,
    Integer,
    Le,
    Lt,
    Not,
    Prop,
    Real,
)

n, width, first_length, second_length = variables("n W L M", Int(1))
steps, c, planes, row = variables("e c m r", Int(0))
start, h, l, h2, l2 = variables("j h l h' l'", Integer)  # noqa: E741
theta, offset = variables("theta D", Real)
omegas, place, other_place, thetas = (sequence(name) for name in ("omega", "x", "y", "theta"))
kernel = sequence("kappa")
QUERY = KEY = Matrix([1, 0, 1, 0])
COLUMNS, COLUMN_PLANES = 64, 8


def scan_step(omega: Any) -> Matrix:
    """The operator of one step of the recurrence s_t = T s_(t-1) + k_t v_t^T."""
    return rotation(-omega)


def inner(frequency: Callable[[Any], Any], position: Callable[[Any], Any], axes: Any) -> Any:
    """<omega, x> over the axes."""
    return total(c, axes, frequency(c) * position(c))


def flattened_frequencies(theta: Any, width: Any) -> tuple[Any, Any]:
    """The frequencies along rows and columns of a plane of frequency theta on the flat index."""
    return width * theta, theta


def hierarchical(p: int) -> tuple[int, int]:
    """The unit of a position, and its place inside: units of seven."""
    return divmod(p, 7)


def column_angle(theta: Any, row: Any, column: Any) -> Any:
    """The angle of a plane that columns drive."""
    return theta * column


def loss(angle: Any) -> Any:
    """What a plane turned by an angle takes from the score of equal vectors."""
    return 1 - cos(angle)


def digits(n: Any, a: Any, b: Any, c: Any) -> Any:
    """The address with three levels of range n."""
    return n**2 * a + n * b + c


def free_from(L: Any) -> Any:
    """The first length beyond L at which one kernel can copy as well as at L."""
    return 2 * L


def copy_kernel(L: Any, M: Any, D: Any) -> Any:
    """A kernel on one axis that copies at the lengths L and M >= 2 L, by the offset D."""
    return D / (2 * M) - (D - L) ** 2 * (D - M) ** 2


@dataclass(frozen=True)
class Layouts:
    """The definitions of `journey.special_cases`."""

    rotation: Callable[[Any], Matrix] = rotation
    scan_step: Callable[[Any], Matrix] = scan_step
    inner: Callable[..., Any] = inner
    flattened_frequencies: Callable[[Any, Any], tuple[Any, Any]] = flattened_frequencies
    hierarchical: Callable[[int], tuple[int, int]] = hierarchical
    column_angle: Callable[[Any, Any, Any], Any] = column_angle
    digits: Callable[[Any, Any, Any, Any], Any] = digits
    copy_kernel: Callable[[Any, Any, Any], Any] = copy_kernel
    free_from: Callable[[Any], Any] = free_from
    loss: Callable[[Any], Any] = loss
    base: int = 10_000

    def two_levels(self, h: Any, l: Any) -> Matrix:  # noqa: E741
        """A(h, l): one plane turned by the unit, one by the place inside it."""
        return direct_sum([self.rotation(omega * h), self.rotation(theta * l)])

    def exact_score(self, p: int, r: int) -> Any:
        """The score of QUERY at p and KEY at r, the two planes turning at rational points."""
        turned = []
        for position, vector in ((p, QUERY), (r, KEY)):
            unit_of, inside = self.hierarchical(position)
            turned.append(direct_sum([power(TURN, unit_of), power(OTHER_TURN, inside)]) * vector)
        return (turned[0].T * turned[1])[0]

    def margin(self, frequency: Callable[[Any], Any], planes: Any, offset: Any) -> Any:
        """The sum over the planes of 1 - cos(theta_c D)."""
        return total(c, planes, self.loss(frequency(c) * offset))

    def column_margin(self, offset: int) -> Any:
        """The same for the frequencies base^(-c / 8), c < 8."""
        exponents = (Rational(-e, COLUMN_PLANES) for e in range(COLUMN_PLANES))
        ladder = (sympy.Integer(self.base) ** exponent for exponent in exponents)
        return sum((self.loss(angle * offset) for angle in ladder), sympy.Integer(0))


def recurrence(of: Layouts) -> Prop:
    jump = sympy.MatPow(of.scan_step(omega), steps, evaluate=False)
    query, at_key = of.rotation(omega * (start + steps)), of.rotation(omega * start)
    return ForAll((omega, start, steps), Eq(jump, query.T * at_key))


def mixed_axes(of: Layouts) -> Prop:
    here, there = of.inner(omegas, place, n), of.inner(omegas, other_place, n)
    between = of.inner(omegas, lambda axis: other_place(axis) - place(axis), n)
    return ForAll(n, Eq(of.rotation(here).T * of.rotation(there), of.rotation(between)))


def axial(of: Layouts) -> Prop:
    other = And(Le(c + 1, n), Not(Eq(c, row)))
    only = ForAll(c, Implies(other, Eq(omegas(c), 0)))
    angle = of.inner(omegas, place, n)
    alone = Eq(of.rotation(angle), of.rotation(omegas(row) * place(row)))
    return ForAll((n, row), Implies(And(Le(row + 1, n), only), alone))


def flattened(of: Layouts) -> Prop:
    r1, c1, r2, c2 = variables("r1 c1 r2 c2", Integer)
    down, right = of.flattened_frequencies(theta, width)
    flat = of.rotation(theta * (width * r1 + c1)).T * of.rotation(theta * (width * r2 + c2))
    mixed = of.rotation(down * (r2 - r1) + right * (c2 - c1))
    return ForAll((theta, width, r1, c1, r2, c2), Eq(flat, mixed))


def levels(of: Layouts) -> Prop:
    s1, s2 = variables("s t", Integer)
    still = of.two_levels(h, l).T * of.two_levels(h2, l2)
    moved = of.two_levels(h + s1, l + s2).T * of.two_levels(h2 + s1, l2 + s2)
    return ForAll((omega, theta, h, l, h2, l2, s1, s2), Eq(moved, still))


def boundary(of: Layouts) -> Prop:
    score = of.exact_score
    same_unit = And(Eq(score(1, 4), score(8, 11)), Eq(score(0, 6), score(7, 13)))
    return And(same_unit, Not(Eq(score(1, 4), score(5, 8))))


def addresses(of: Layouts) -> Prop:
    first, second = variables("a b c", Integer), variables("a' b' c'", Integer)
    ranges = [And(Le(0, digit), Le(digit + 1, n)) for digit in (*first[1:], *second[1:])]
    equal = Eq(of.digits(n, *first), of.digits(n, *second))
    same = And(*(Eq(x, y) for x, y in zip(first, second, strict=True)))
    return ForAll((n, *first, *second), Implies(And(*ranges, equal), same))


def column_copy(of: Layouts) -> Prop:
    rows = variables("r1 r2 s1 s2", Integer)
    c1, c2 = variables("c1 c2", Integer)

    def between(row: Any, other: Any) -> Matrix:
        query = of.rotation(of.column_angle(theta, row, c1))
        return query.T * of.rotation(of.column_angle(theta, other, c2))

    return ForAll((theta, *rows, c1, c2), Eq(between(*rows[:2]), between(*rows[2:])))


def margin_vanishes(of: Layouts) -> Prop:
    gap = of.margin(thetas, planes, offset)
    still = Implies(Le(c + 1, planes), Eq(cos(thetas(c) * offset), 1))
    return ForAll((planes, offset), And(Le(0, gap), Iff(Eq(gap, 0), ForAll(c, still))))


def smallest_margin(of: Layouts) -> Prop:
    low, high = Rational(5148, 10_000), Rational(5149, 10_000)
    farther = (Lt(high, of.column_margin(D)) for D in range(2, COLUMNS))
    return And(Lt(low, of.column_margin(1)), Lt(of.column_margin(1), high), *farther)


def copies(value: Callable[[Any], Any], length: Any) -> Prop:
    """The kernel is largest, and strictly, at the offset `length`.

    The queries are length .. 2 length - 1; the last one sees the offsets 0 .. 2 length - 1.
    """
    seen = And(Le(steps + 1, 2 * length), Not(Eq(steps, length)))
    return ForAll(steps, Implies(seen, Lt(value(steps), value(length))))


def one_axis(of: Layouts) -> Prop:
    L, M = first_length, second_length
    both = And(copies(kernel, L), copies(kernel, M))
    return ForAll((L, M), Implies(And(Le(L + 1, M), Le(M + 1, of.free_from(L))), Not(both)))


def threshold(of: Layouts) -> Prop:
    L, M = first_length, second_length

    def value(D: Any) -> Any:
        return of.copy_kernel(L, M, D)

    both = And(copies(value, L), copies(value, M))
    return ForAll((L, M), Implies(Le(of.free_from(L), M), both))


SPECIAL_CASES = Claim(
    id="journey.special_cases",
    title="RoPE, axial, mixed-axis, flattened, hierarchical and column layouts as special cases",
    kind="classification",
    definitions=Layouts(),
    depends=("journey.uniqueness",),
    hypotheses=(
        "layouts are stated for one plane, or for the two planes of a hierarchy",
        "a kernel on one axis depends on the offset alone, not on content",
    ),
    clauses=(
        Clause(
            "recurrence",
            r"R(-\omega)^{t-j} = A(t)^\top A(j),\quad A(i) = R(\omega i) \quad (t \ge j)",
            recurrence,
        ),
        Clause(
            "mixed_axes",
            r"A(x) = R(\langle\omega,x\rangle):\quad A(x)^\top A(y) = "
            r"R(\langle\omega, y-x\rangle) \quad (\omega, x, y \in \mathbb{R}^n)",
            mixed_axes,
        ),
        Clause(
            "axial",
            r"\omega_c = 0\ \forall c \ne r \implies R(\langle\omega,x\rangle) = R(\omega_r x_r)",
            axial,
        ),
        Clause(
            "flattened",
            r"R(\theta(Wr_1+c_1))^\top R(\theta(Wr_2+c_2)) = "
            r"R(\langle(W\theta,\theta),(r_2-r_1,c_2-c_1)\rangle)",
            flattened,
        ),
        Clause(
            "levels",
            r"A(h,l) = R(\omega h)\oplus R(\theta l):\quad "
            r"A(h+s,l+t)^\top A(h'+s,l'+t) = A(h,l)^\top A(h',l')",
            levels,
        ),
        Clause(
            "boundary",
            r"(h,l) = (\lfloor p/7\rfloor, p \bmod 7):\quad "
            r"s(0,6) = s(7,13),\quad s(1,4) = s(8,11) \ne s(5,8)",
            boundary,
        ),
        Clause(
            "addresses",
            r"n^2a+nb+c = n^2a'+nb'+c',\ 0\le b,c,b',c'<n \implies (a,b,c) = (a',b',c')",
            addresses,
        ),
        Clause(
            "column_copy",
            r"A(r,c) = R(\theta c):\quad A(r_1,c_1)^\top A(r_2,c_2) = A(s_1,c_1)^\top A(s_2,c_2)",
            column_copy,
        ),
        Clause(
            "margin_vanishes",
            r"\mu_D = \textstyle\sum_{c<m}(1-\cos\theta_cD) \ge 0,\quad "
            r"\mu_D = 0 \iff \cos\theta_cD = 1\ \forall c<m",
            margin_vanishes,
        ),
        Clause(
            "smallest_margin",
            r"\theta_c = 10000^{-c/8},\ m = 8:\quad 0.5148 < \mu_1 < 0.5149 < \mu_D"
            r"\ (1 < D < 64)",
            smallest_margin,
        ),
        Clause(
            "one_axis",
            r"L < M < 2L \implies \text{no } \kappa \text{ has both}\quad "
            r"\kappa(D) < \kappa(L)\ (D < 2L,\ D\ne L)\quad \text{and } "
            r"\kappa(D) < \kappa(M)\ (D < 2M,\ D \ne M)",
            one_axis,
        ),
        Clause(
            "threshold",
            r"2L \le M \implies \kappa(D) = \tfrac{D}{2M} - (D-L)^2(D-M)^2 \text{ has both}",
            threshold,
        ),
    ),
)
