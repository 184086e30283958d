r"""What each test of a rotary embedding can see, and what it cannot.

Main definitions
----------------
Checking     the correct rotation and its faults; a control replaces one of them
chord        the largest change of a score when the angle of one pair changes
SEEN         which tests see which fault, in exact arithmetic
BLIND        how many pairs a shift leaves unseen

Main claims
-----------
precision.check_power

Conventions
-----------
Five tests are spoken of: the relative identity (two scores of one offset agree), the group law
(R_t R_p x = R_{p+t} x), norms, position 0, and a reference.  A fault changes the angle or the
length of one pair (x, y); theta is its frequency in radians per position, any real number.  p and n
are the positions of query (q, r) and key (k, l), both moved by t.  A residual is what a test
measures, per |q| |k| or |x|.

References
----------
su2021roformer
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sympy import Abs, Integer, Rational, cos, sin

from posproof.theory.symbols import Variable, sequence, total, variables
from posproof.theory.vocabulary import (
    And,
    Claim,
    Clause,
    Eq,
    Exists,
    Finite,
    ForAll,
    Iff,
    Implies,
    Int,
    Le,
    Lt,
    Prop,
    Real,
)

i, m, v = (Variable(name, Int(0)) for name in "imv")
x, y, q, r, k, l = variables("x y q r k l", Real)  # noqa: E741
alpha, beta, theta, phi, p, n, t, g, e, eta, X, Y, tau = variables(
    "alpha beta theta phi p n t g e eta X Y tau", Real
)
ladder, Q, R, K, L, f = (sequence(name) for name in ("h", "Q", "R", "K", "L", "f"))
Pair = tuple[Any, Any]


def turned(x: Any, y: Any, phi: Any) -> Pair:
    """The pair (x, y) rotated by `phi` radians."""
    return x * cos(phi) - y * sin(phi), x * sin(phi) + y * cos(phi)


def sign_lost(x: Any, y: Any, phi: Any) -> Pair:
    """The same with the minus sign forgotten."""
    return x * cos(phi) + y * sin(phi), x * sin(phi) + y * cos(phi)


def chord(angle: Any) -> Any:
    """The distance of two points of the unit circle that are `angle` apart, with a sign."""
    return 2 * sin(angle / 2)


def key_backwards(theta: Any, n: Any) -> Any:
    """The angle of a key that turns the opposite way."""
    return -theta * n


def key_unturned(theta: Any, n: Any) -> Any:
    """The angle of a key whose pair is not rotated."""
    return Integer(0)


def offset_by_one(theta: Any, n: Any) -> Any:
    """The angle where positions start at 1."""
    return theta * (n + 1)


def growth(e: Any, p: Any) -> Any:
    """A length that grows with the position."""
    return 1 + e * p


def rescaled(g: Any) -> Any:
    """The group-law residual of a rotation whose output is scaled by g."""
    return g**2 - g


def accumulated(eta: Any, v: Any) -> Any:
    """How far v rotations, each off by eta of its input, may end from the exact one."""
    return (1 + eta) ** v - 1


TESTS = ("relative", "group law", "norm", "position 0", "reference")
#: Which tests see a fault in exact arithmetic (d = 128, base 10000, positions below 4096).
SEEN: Mapping[str, tuple[str, ...]] = {
    "correct": (),
    "positions in bfloat16": ("relative", "group law", "reference"),
    "positions in tfloat32": ("relative", "group law", "reference"),
    "frequencies in bfloat16": ("reference",),
    "wrong base": ("reference",),
    "opposite sense": ("reference",),
    "opposite sense on keys": ("relative", "reference"),
    "other layout": ("reference",),
    "other layout on keys": ("relative", "reference"),
    "keys offset by one": ("group law", "position 0", "reference"),
    "offset by one": ("group law", "position 0", "reference"),
    "scaled by 1.1": ("group law", "norm", "position 0", "reference"),
    "slowest pair not rotated": ("reference",),
    "fastest pair not rotated": ("reference",),
    "slowest pair of keys not rotated": ("relative", "reference"),
    "sign of the sine lost": ("relative", "group law", "norm", "reference"),
    "length grows with the position": ("relative", "group law", "norm", "reference"),
}

PAIRS, BASE = 64, 10_000
#: (tolerance, shift, pairs that the relative identity cannot see): tolerances of bfloat16.
BLIND: tuple[tuple[Fraction, int, int], ...] = (
    (Fraction(54, 1000), 1, 43),
    (Fraction(54, 1000), 64, 14),
    (Fraction(54, 1000), 1024, 0),
    (Fraction(157, 10_000), 1, 35),
    (Fraction(157, 10_000), 64, 6),
    (Fraction(157, 10_000), 1024, 0),
)


@dataclass(frozen=True)
class Checking:
    """The definitions of this topic; a control replaces one of them."""

    turned: Callable[[Any, Any, Any], Pair] = turned
    sign_lost: Callable[[Any, Any, Any], Pair] = sign_lost
    chord: Callable[[Any], Any] = chord
    key_backwards: Callable[[Any, Any], Any] = key_backwards
    key_unturned: Callable[[Any, Any], Any] = key_unturned
    offset_by_one: Callable[[Any, Any], Any] = offset_by_one
    growth: Callable[[Any, Any], Any] = growth
    rescaled: Callable[[Any], Any] = rescaled
    accumulated: Callable[[Any, Any], Any] = accumulated
    blind: tuple[tuple[Fraction, int, int], ...] = BLIND

    def score(self, query_angle: Any, key_angle: Any) -> Any:
        """The scalar product of one pair of the query and one of the key, both turned."""
        query, key = self.turned(q, r, query_angle), self.turned(k, l, key_angle)
        return query[0] * key[0] + query[1] * key[1]

    def gap(self, first: Pair, second: Pair) -> Any:
        """The squared distance of two pairs."""
        return (first[0] - second[0]) ** 2 + (first[1] - second[1]) ** 2

    def twice(self, first: Any, second: Any) -> Pair:
        """The pair (x, y) turned by one angle and then by another."""
        return self.turned(*self.turned(x, y, first), second)


SIZE = x**2 + y**2
SIZES = (q**2 + r**2) * (k**2 + l**2)
HEAD = (q, r, k, l)


def worst_at(moved: Any, middle: Any) -> Any:
    """A change of scores for q = (1, 0) and k = (sin middle, cos middle)."""
    worst = {q: Integer(1), r: Integer(0), k: sin(middle), l: cos(middle)}
    return moved.subs(worst, simultaneous=True)


def relative(of: Checking, key_angle: Callable[[Any, Any], Any], change: Any, middle: Any) -> Prop:
    """Queries turn by theta p, keys by `key_angle`: how far a score moves, at most and somewhere.

    The relative angle, key minus query, has decreased by `change` after the shift; `middle` is the
    mean of the two.
    """
    before = of.score(theta * p, key_angle(theta, n))
    after = of.score(theta * (p + t), key_angle(theta, n + t))
    most = Le((after - before) ** 2, of.chord(change) ** 2 * SIZES)
    attained = Eq(worst_at(after - before, middle), of.chord(change))
    return ForAll((theta, p, n, t, *HEAD), And(most, attained))


def worst_pair(of: Checking) -> Prop:
    """At relative angles alpha and beta: an upper bound, and a query and key that attain it."""
    moved = of.score(0, beta) - of.score(0, alpha)
    most = Le(moved**2, of.chord(beta - alpha) ** 2 * SIZES)
    attained = Eq(worst_at(moved, (alpha + beta) / 2), -of.chord(beta - alpha))
    return And(ForAll((alpha, beta, *HEAD), most), ForAll((alpha, beta), attained))


def visible_instance(of: Checking) -> Prop:
    """Unit vectors whose score moves by at least |tau| between the angles alpha and beta."""
    moved = of.score(0, beta) - of.score(0, alpha)
    return And(Eq(q**2 + r**2, 1), Eq(k**2 + l**2, 1), Le(tau**2, moved**2))


def visible(of: Checking) -> Prop:
    """Both directions: no such vectors for a shorter chord, and some for any other."""
    shown, far_enough = visible_instance(of), Le(tau**2, of.chord(beta - alpha) ** 2)
    only = ForAll((alpha, beta, tau, *HEAD), Implies(shown, far_enough))
    return And(only, ForAll((alpha, beta, tau), Implies(far_enough, Exists(HEAD, shown))))


def any_ladder(of: Checking) -> Prop:
    """m pairs, any two of the components making a pair, with any frequencies."""

    def score(p: Any, n: Any) -> Any:
        query = of.turned(Q(i), R(i), ladder(i) * p)
        key = of.turned(K(i), L(i), ladder(i) * n)
        return total(i, m, query[0] * key[0] + query[1] * key[1])

    return ForAll((m, p, n, t), Eq(score(p + t, n + t), score(p, n)))


def any_frequency(of: Checking) -> Prop:
    """Group law, norm and position 0 of one pair, whatever its frequency."""
    here, whole = of.turned(x, y, theta * p), of.turned(x, y, theta * (p + t))
    twice, start = of.twice(theta * p, theta * t), of.turned(x, y, 0)
    equations = (
        *(Eq(a, b) for a, b in zip(twice, whole, strict=True)),
        Eq(here[0] ** 2 + here[1] ** 2, SIZE),
        *(Eq(a, b) for a, b in zip(start, (x, y), strict=True)),
    )
    return ForAll((x, y, theta, p, t), And(*equations))


def reference(of: Checking) -> Prop:
    """One pair at the frequency phi instead of theta, against a reference."""
    gap = of.gap(of.turned(x, y, phi * p), of.turned(x, y, theta * p))
    return ForAll((x, y, theta, phi, p), Eq(gap, of.chord((phi - theta) * p) ** 2 * SIZE))


def opposite_key(of: Checking) -> Prop:
    return relative(of, of.key_backwards, 2 * theta * t, -theta * (p + n + t))


def unturned_key(of: Checking) -> Prop:
    return relative(of, of.key_unturned, theta * t, -theta * (2 * p + t) / 2)


def offset_key(of: Checking) -> Prop:
    """Scores keep their differences; three of the other tests are off by the chord of theta."""
    step = of.chord(theta) ** 2 * SIZE

    def at(p: Any) -> Any:
        return of.offset_by_one(theta, p)

    before, after = of.score(theta * p, at(n)), of.score(theta * (p + t), at(n + t))
    whole = of.turned(x, y, at(p + t))
    start = zip(of.turned(x, y, at(0)), of.turned(x, y, theta), strict=True)
    equations = (
        Eq(after, before),
        *(Eq(shifted, first) for shifted, first in start),
        Eq(of.gap(of.twice(at(p), at(t)), whole), step),
        Eq(of.gap(of.turned(x, y, at(0)), (x, y)), step),
        Eq(of.gap(of.turned(x, y, at(p)), of.turned(x, y, theta * p)), step),
    )
    return ForAll((theta, p, n, t, *HEAD, x, y), And(*equations))


def scaled(of: Checking) -> Prop:
    """Queries and keys scaled by g: no two scores of one offset differ, all else is seen."""

    def turn(x: Any, y: Any, phi: Any) -> Pair:
        first, second = of.turned(x, y, phi)
        return g * first, g * second

    query, key = turn(q, r, theta * p), turn(k, l, theta * n)
    shifted = turn(q, r, theta * (p + t)), turn(k, l, theta * (n + t))
    before, after = (a[0] * b[0] + a[1] * b[1] for a, b in ((query, key), shifted))
    here = turn(x, y, theta * p)
    twice, whole = turn(*here, theta * t), turn(x, y, theta * (p + t))
    equations = (
        Eq(after, before),
        Eq(of.gap(twice, whole), of.rescaled(g) ** 2 * SIZE),
        Eq(here[0] ** 2 + here[1] ** 2, g**2 * SIZE),
        Eq(of.gap(turn(x, y, 0), (x, y)), (g - 1) ** 2 * SIZE),
        Eq(of.gap(here, of.turned(x, y, theta * p)), (g - 1) ** 2 * SIZE),
    )
    return ForAll((g, theta, p, n, t, *HEAD, x, y), And(*equations))


def growing(of: Checking) -> Prop:
    """Lengths that grow by e a position: the group law is off by e^2 p t."""

    def turn(x: Any, y: Any, p: Any) -> Pair:
        first, second = of.turned(x, y, theta * p)
        return of.growth(e, p) * first, of.growth(e, p) * second

    here = turn(x, y, p)
    start = turn(q, r, 0), turn(q, r, 0)
    moved = turn(q, r, t), turn(q, r, t)
    scores = [a[0] * b[0] + a[1] * b[1] for a, b in (start, moved)]
    size = q**2 + r**2
    equations = (
        Eq(of.gap(turn(*here, t), turn(x, y, p + t)), (e**2 * p * t) ** 2 * SIZE),
        Eq(here[0] ** 2 + here[1] ** 2, (1 + e * p) ** 2 * SIZE),
        Eq(scores[1] - scores[0], (2 * e * t + (e * t) ** 2) * size),
        Eq(of.gap(turn(x, y, 0), (x, y)), 0),
    )
    return ForAll((e, theta, p, t, q, r, x, y), And(*equations))


def lost_sign(of: Checking) -> Prop:
    """The minus sign forgotten: only position 0 keeps its value."""
    here = of.sign_lost(x, y, theta * p)
    twice, whole = of.sign_lost(*here, theta * t), of.sign_lost(x, y, theta * (p + t))

    def score(p: Any, n: Any) -> Any:
        query, key = of.sign_lost(q, r, theta * p), of.sign_lost(k, l, theta * n)
        return query[0] * key[0] + query[1] * key[1]

    difference = (q * l + r * k) * (sin(theta * (p + n + 2 * t)) - sin(theta * (p + n)))
    equations = (
        Eq(score(p + t, n + t) - score(p, n), difference),
        Eq(of.gap(twice, whole), (2 * sin(theta * p) * sin(theta * t)) ** 2 * SIZE),
        Eq(here[0] ** 2 + here[1] ** 2, SIZE + 2 * x * y * sin(2 * theta * p)),
        Eq(of.gap(of.sign_lost(x, y, 0), (x, y)), 0),
    )
    return ForAll((theta, p, n, t, *HEAD, x, y), And(*equations))


def moved_positions(of: Checking) -> Prop:
    """Positions replaced by f(p), as a narrow format does; norms do not change."""
    before = of.score(theta * f(p), theta * f(n))
    after = of.score(theta * f(p + t), theta * f(n + t))
    change = theta * (f(n + t) - f(p + t) - f(n) + f(p))
    most = Le((after - before) ** 2, of.chord(change) ** 2 * SIZES)
    twice, whole = of.twice(theta * f(p), theta * f(t)), of.turned(x, y, theta * f(p + t))
    here = of.turned(x, y, theta * f(p))
    angle = theta * (f(p) + f(t) - f(p + t))
    law = Eq(of.gap(twice, whole), of.chord(angle) ** 2 * SIZE)
    kept = Eq(here[0] ** 2 + here[1] ** 2, SIZE)
    return ForAll((theta, p, n, t, *HEAD, x, y), And(most, law, kept))


def many_turns(of: Checking) -> Prop:
    """X: the error after v rotations per norm of the first vector; Y: after one more."""
    given = And(Le(0, eta), Le(X, of.accumulated(eta, v)), Le(Y, (1 + eta) * X + eta))
    step = ForAll((v, eta, X, Y), Implies(given, Le(Y, of.accumulated(eta, v + 1))))
    return And(ForAll(eta, Eq(of.accumulated(eta, 0), 0)), step)


def blind_pairs(of: Checking) -> Prop:
    """Pair i is unseen at shift s exactly when it is one of the slowest."""
    pair = Variable("i", Finite(range(PAIRS)))
    frequency = Integer(BASE) ** (-pair / Integer(PAIRS))
    rows = []
    for tolerance, s, count in of.blind:
        seen = Abs(of.chord(s * frequency))
        level = Rational(tolerance.numerator, tolerance.denominator)
        rows.append(ForAll(pair, Iff(Lt(seen, level), Le(PAIRS - count, pair))))
    return And(*rows)


CHECK_POWER = Claim(
    id="precision.check_power",
    title="The relative identity misses most faults of a rotary embedding",
    kind="classification",
    source=("su2021roformer",),
    definitions=Checking(),
    depends=("rotary.relative", "precision.relative"),
    clauses=(
        Clause(
            "worst_pair",
            r"\bigl(q^\top R(\beta)k - q^\top R(\alpha)k\bigr)^2 \le "
            r"4\sin^2\tfrac{\beta-\alpha}{2}\,|q|^2|k|^2,\ \text{with equality for } "
            r"q = (1, 0),\ k = (\sin\tfrac{\alpha+\beta}{2}, \cos\tfrac{\alpha+\beta}{2})",
            worst_pair,
        ),
        Clause(
            "visible",
            r"\exists\, |q| = |k| = 1:\ |q^\top R(\beta)k - q^\top R(\alpha)k| \ge |\tau| "
            r"\iff |2\sin\tfrac{\beta-\alpha}{2}| \ge |\tau|",
            visible,
        ),
        Clause(
            "any_ladder",
            r"\sum_{i<m} (R(h_i(p+t))q_i)^\top (R(h_i(n+t))k_i) = "
            r"\sum_{i<m} (R(h_i p)q_i)^\top (R(h_i n)k_i)\quad(h_i \in \mathbb{R})",
            any_ladder,
        ),
        Clause(
            "any_frequency",
            r"R(\theta t)R(\theta p)x = R(\theta(p+t))x,\ |R(\theta p)x| = |x|,\ R(0)x = x "
            r"\quad(\theta \in \mathbb{R})",
            any_frequency,
        ),
        Clause(
            "reference",
            r"|R(\varphi p)x - R(\theta p)x|^2 = 4\sin^2\tfrac{(\varphi-\theta)p}{2}\,|x|^2",
            reference,
        ),
        Clause(
            "opposite_key",
            r"\text{key angle } {-\theta n}:\ (s(p+t, n+t) - s(p, n))^2 \le "
            r"4\sin^2(\theta t)\,|q|^2|k|^2,\ \text{with } 2\sin(\theta t) \text{ for } "
            r"q = (1, 0),\ k = (\sin\mu, \cos\mu),\ \mu = -\theta(p+n+t)",
            opposite_key,
        ),
        Clause(
            "unturned_key",
            r"\text{key angle } 0:\ (s(p+t, n+t) - s(p, n))^2 \le "
            r"4\sin^2\tfrac{\theta t}{2}\,|q|^2|k|^2,\ \text{with } 2\sin\tfrac{\theta t}{2} "
            r"\text{ for } q = (1, 0),\ k = (\sin\mu, \cos\mu),\ \mu = -\theta(p+\tfrac t2)",
            unturned_key,
        ),
        Clause(
            "offset_key",
            r"R'_n = R(\theta(n+1)):\ s(p+t, n+t) = s(p, n),\ R'_0x = R(\theta)x,\ "
            r"|R'_tR'_px - R'_{p+t}x|^2 = |R'_0x - x|^2 = |R'_px - R(\theta p)x|^2 = "
            r"4\sin^2\tfrac{\theta}{2}\,|x|^2",
            offset_key,
        ),
        Clause(
            "scaled",
            r"R'_p = g R(\theta p):\ s(p+t, n+t) = s(p, n),\ "
            r"|R'_tR'_px - R'_{p+t}x|^2 = (g^2-g)^2|x|^2,\ |R'_px|^2 = g^2|x|^2,\ "
            r"|R'_0x - x|^2 = |R'_px - R(\theta p)x|^2 = (g-1)^2|x|^2",
            scaled,
        ),
        Clause(
            "growing",
            r"R'_p = (1+ep)R(\theta p):\ |R'_tR'_px - R'_{p+t}x|^2 = (e^2pt)^2|x|^2,\ "
            r"|R'_px|^2 = (1+ep)^2|x|^2,\ "
            r"(R'_tq)^\top(R'_tq) - (R'_0q)^\top(R'_0q) = (2et + e^2t^2)|q|^2,\ R'_0x = x",
            growing,
        ),
        Clause(
            "lost_sign",
            r"R'_p = \begin{pmatrix}\cos\theta p&\sin\theta p\\ \sin\theta p&\cos\theta p"
            r"\end{pmatrix}:\ s(p+t,n+t) - s(p,n) = (q_1k_2+q_2k_1)(\sin\theta(p+n+2t) - "
            r"\sin\theta(p+n)),\ |R'_tR'_px - R'_{p+t}x|^2\quad = 4\sin^2(\theta p)\sin^2(\theta t)"
            r"|x|^2,\ |R'_px|^2 = |x|^2 + 2x_1x_2\sin 2\theta p,\ R'_0x = x",
            lost_sign,
        ),
        Clause(
            "moved_positions",
            r"R'_p = R(\theta f(p)):\quad (s(p+t,n+t) - s(p,n))^2\quad \le "
            r"4\sin^2\tfrac{\theta(f(n+t)-f(p+t)-f(n)+f(p))}{2}|q|^2|k|^2,\ "
            r"|R'_tR'_px - R'_{p+t}x|^2 = 4\sin^2\tfrac{\theta(f(p)+f(t)-f(p+t))}{2}|x|^2,\ "
            r"|R'_px| = |x|",
            moved_positions,
        ),
        Clause(
            "many_turns",
            r"E_0 = 0,\ E_v = (1+\eta)^v - 1:\ \eta \ge 0,\ X \le E_v,\ "
            r"Y \le (1+\eta)X + \eta \implies Y \le E_{v+1}",
            many_turns,
        ),
        Clause(
            "blind_pairs",
            r"\theta_i = 10000^{-i/64}:\ |2\sin\tfrac{s\theta_i}{2}| < \tau \iff i \ge 64 - c,\ "
            r"(\tau, s, c) = (0.054, 1, 43),\ (0.054, 64, 14),\ (0.054, 1024, 0),\ "
            r"(0.0157, 1, 35),\ (0.0157, 64, 6),\ (0.0157, 1024, 0)",
            blind_pairs,
        ),
    ),
)
