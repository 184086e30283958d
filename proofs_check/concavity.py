"""How the norm of a hyperbolic flow bends: its logarithm is concave in time.

Main definitions
----------------
below_mean, cosh_below_root, root_above   cosh y <= sqrt(1 + w^2) <= kappa cosh y and w <= the root
ahead, behind   the envelope lies below its tangent, on either side of the point of contact
slope           that there is a slope at a point, and 1 <= slope <= kappa
turns           on which side of the peak the slope exceeds the damping
sinh_rises      the hyperbolic sine is increasing
root_of_one     the root of 1 is 1

Conventions
-----------
The flow has the anisotropy rho, kappa = (rho + 1 / rho) / 2 and w(y) = kappa sinh y; the norm is
E(y) = w + sqrt(1 + w^2) = exp arsinh w.  Lemmas about a point y, a step h and a slope m have these
as free variables (`POINT`, `STEP`, `SLOPE`) and their premises as hypotheses.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import sympy
from sympy import sqrt

from posproof.proofs_check import exponentials, kernel, language
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import FALSUM, Node, num
from posproof.proofs_check.search import prove_identity, prove_nonneg
from posproof.theory.symbols import variables
from posproof.theory.vocabulary import Positive, Real

node = T.node
SLOPE, POINT, STEP = (T.real(name) for name in ("m", "y", "h"))
_x, _y = variables("x y", Real)
(rho,) = variables("rho", Positive)


def mean(rho: Any) -> Any:
    """kappa = (rho + 1 / rho) / 2."""
    return (rho + 1 / rho) / 2


def anisotropic_excess(rho: Any) -> Any:
    """kappa^2 - 1 = (rho - 1 / rho)^2 / 4."""
    return (rho - 1 / rho) ** 2 / 4


def mean_excess(rho: Any) -> Node:
    """kappa - 1 = (rho - 1)^2 / (2 rho)."""
    return (node(rho) - 1) ** 2 / (2 * node(rho))


def below_mean(w: Any, kappa: Any, y: Any, excess: Any) -> Theorem:
    """sqrt(1 + w^2) <= kappa cosh y for w = kappa sinh y; kappa^2 - 1 equals `excess` >= 0."""
    root, wide = node(sqrt(1 + w**2)), node(kappa) * language.cosh(node(y))
    over = language.Lt(wide, root)
    goal = language.Le(root, wide)
    no = prove_nonneg(FALSUM, T.margin(over) * (root + wide) + node(excess), [over])
    return T.compare(wide, root, T.ex_falso(no, goal), kernel.assume(goal))


def cosh_below_root(w: Any, y: Any, sides: Sequence[Node] = ()) -> Theorem:
    """cosh y <= sqrt(1 + w^2) for w = kappa sinh y."""
    root, cosine = node(sqrt(1 + w**2)), language.cosh(node(y))
    short, goal = language.Lt(root, cosine), language.Le(cosine, root)
    excess = node(anisotropic_excess(rho)) * language.sinh(node(y)) ** 2
    no = prove_nonneg(FALSUM, T.margin(short) * (root + cosine) + excess, [short])
    return T.compare(root, cosine, T.ex_falso(no, goal), kernel.assume(goal))


def root_above(w: Any) -> Theorem:
    """w <= sqrt(1 + w^2)."""
    width, root = node(w), node(sqrt(1 + w**2))
    goal = language.Le(width, root)
    no = prove_nonneg(
        FALSUM,
        T.margin(language.Lt(root, width)) * (T.margin(language.Lt(root, width)) + 2 * root) + 1,
        [language.Lt(root, width)],
    )
    return T.compare(root, width, T.ex_falso(no, goal), kernel.assume(goal))


@lru_cache
def root_of_one() -> Theorem:
    """The root of 1 is 1."""
    root = language.sqrt(num(1))
    zero = language.Eq(root + 1, num(0))
    apart = T.conclude_not(prove_nonneg(FALSUM, root + 1, [zero]), zero)
    return T.discharge(prove_identity(language.Eq(root, num(1)), [apart.conclusion]), apart)


def _cosh_gap(m: Node, h: Node) -> Node:
    """cosh m h - cosh h as a product."""
    return 2 * language.sinh((m + 1) * h / 2) * language.sinh((m - 1) * h / 2)


def _widths(y: Any) -> tuple[Node, Node]:
    """kappa sinh y and its root, kappa the mean of rho and 1 / rho."""
    w = mean(rho) * sympy.sinh(y)
    return node(w), node(sqrt(1 + w**2))


@lru_cache
def _by_width() -> Theorem:
    """for all w >= 0 and r, S > 0, W: r^2 = 1 + w^2, S^2 - 2 W S = 1, w <= W => w + r <= S."""
    w, W = (T.real(name) for name in ("w", "W"))
    r, S = (language.variable(name, Positive) for name in ("r", "S"))
    given = [
        language.Le(num(0), w),
        language.Eq(r**2, 1 + w**2),
        language.Eq(S**2 - 2 * W * S, num(1)),
        language.Le(w, W),
    ]
    form = 2 * T.margin(given[3]) / (1 + 1 / ((w + r) * S))
    proof = prove_nonneg(language.Le(w + r, S), form, given)
    premise = language.And(*given)
    return T.generalise(T.implication(T.unpack(proof, premise), premise), w, r, S, W)


def by_width(
    w: Node,
    r: Node,
    size: Node,
    width: Node,
    wider: Theorem,
    signs: Sequence[Node],
    shown: Node | None = None,
) -> Theorem:
    """w + r <= size, r = sqrt(1 + w^2), from w <= width = sinh log size.

    `signs` make w and the size positive; `shown` equals w and shows its sign.
    """
    lemma = kernel.weaken(_by_width(), signs)
    for value in (w, r, size, width):
        lemma = kernel.instantiate(lemma, value)
    low, root, quadratic, _ = lemma.conclusion.args[0].args
    proofs = [prove_nonneg(low, shown or w, signs), prove_identity(root), prove_identity(quadratic)]
    return kernel.modus(lemma, T.both(*proofs, wider))


def _slope_facts(w0: Node, r0: Node) -> list[Node]:
    kappa = node(mean(rho))
    return [
        language.Le(num(0), POINT),
        language.Le(num(0), STEP),
        language.Le(num(1), SLOPE),
        language.Eq(SLOPE * r0, kappa * language.cosh(POINT)),
    ]


def _half_angles(given: Sequence[Node]) -> list[Theorem]:
    """Both half angles of `_cosh_gap` are not negative."""
    angles = ((SLOPE + 1) * STEP / 2, ((SLOPE - 1) + 2) * STEP / 2), ((SLOPE - 1) * STEP / 2,) * 2
    return [
        prove_nonneg(language.Le(num(0), language.sinh(x)), language.sinh(shown), given)
        for x, shown in angles
    ]


@lru_cache
def ahead() -> Theorem:
    """0 <= y, 0 <= h, 1 <= m, m sqrt(1 + w(y)^2) = kappa cosh y |- E(y + h) <= E(y) exp(m h).

    E is exp arsinh w for w(y) = kappa sinh y: its logarithm is concave, with slope m at y.
    """
    y, h = variables("y h", Real)
    (w0, r0), (w1, r1) = _widths(y), _widths(y + h)
    given = _slope_facts(w0, r0)
    chord = T.apply(
        exponentials.sinh_of_multiple(), [STEP, SLOPE], T.both(*map(kernel.assume, given[1:3]))
    )
    grown = (w0 + r0) * language.exp(SLOPE * STEP)
    form = w0 * _cosh_gap(SLOPE, STEP) + r0 * T.margin(chord.conclusion)
    signs = _half_angles(given)
    facts = [*given, chord.conclusion, *(s.conclusion for s in signs)]
    far = w0 * language.cosh(SLOPE * STEP) + r0 * language.sinh(SLOPE * STEP)
    wider = prove_nonneg(language.Le(w1, far), form, facts)
    wider = T.discharge(T.discharge(wider, chord), *signs)
    return by_width(w1, r1, grown, far, wider, given[:2])


@lru_cache
def behind() -> Theorem:
    """0 <= h <= y, 1 <= m, m sqrt(1 + w(y)^2) = kappa cosh y |- E(y - h) <= E(y) exp(-m h).

    With y = h + e the difference of the widths is kappa / m times P cosh e + Q sinh e, where
    P = m sinh h cosh m h - cosh h sinh m h and
    Q = (m - 1)(cosh h cosh m h - 1) + cosh((m - 1) h) - 1.
    """
    y, h = variables("y h", Real)
    (w0, r0), (w1, r1) = _widths(y), _widths(y - h)
    reach = language.Le(STEP, POINT)
    low, positive, steep, slope = _slope_facts(w0, r0)
    given = [positive, reach, steep, slope]
    step, rest = SLOPE * STEP, POINT - STEP
    chord = T.apply(
        exponentials.tanh_of_multiple(),
        [STEP, SLOPE],
        T.both(kernel.assume(positive), kernel.assume(steep)),
    )
    cosines = [
        kernel.instantiate(exponentials.one_below_cosh(), x)
        for x in (STEP, step, (SLOPE - 1) * STEP)
    ]
    one, other, gap = (T.margin(fact.conclusion) for fact in cosines)
    product = one * other + one + other  # cosh h cosh m h - 1
    Q = (SLOPE - 1) * product + gap
    # kappa / m = sqrt(1 + w^2) / cosh y
    inner = T.margin(chord.conclusion) * language.cosh(rest) + Q * language.sinh(rest)
    form = r0 / language.cosh(POINT) * inner
    far = w0 * language.cosh(step) - r0 * language.sinh(step)
    facts = [*given, chord.conclusion, *(fact.conclusion for fact in cosines)]
    ahead = prove_nonneg(language.Le(num(0), language.sinh(rest)), language.sinh(rest), [reach])
    wider = prove_nonneg(language.Le(w1, far), form, [*facts, ahead.conclusion])
    wider = T.discharge(wider, chord, ahead, *cosines)
    shrunk = (w0 + r0) * language.exp(num(-1) * step)
    back = node(mean(rho)) * language.sinh(rest)
    return by_width(w1, r1, shrunk, far, wider, [low, reach], back)


@lru_cache
def slope(y: Any) -> tuple[Node, Theorem, Theorem, Theorem]:
    """m r = kappa cosh y: the equation, that there is such an m, and 1 <= m <= kappa from it."""
    kappa, cosine = node(mean(rho)), language.cosh(node(y))
    w = mean(rho) * sympy.sinh(y)
    root = node(sqrt(1 + w**2))
    equation = language.Eq(SLOPE * root, kappa * cosine)
    existence = T.exists(
        language.Exists(SLOPE, equation), kappa * cosine / root, lambda goal: prove_identity(goal)
    )
    above_it = below_mean(w, mean(rho), y, anisotropic_excess(rho))
    above = cosh_below_root(w, y)
    gentle, steep = language.Lt(SLOPE, num(1)), language.Lt(kappa, SLOPE)
    low, high = language.Le(num(1), SLOPE), language.Le(SLOPE, kappa)
    no = prove_nonneg(
        FALSUM,
        T.margin(gentle) * root + T.margin(above_it.conclusion),
        [gentle, equation, above_it.conclusion],
    )
    least = T.compare(SLOPE, 1, T.ex_falso(T.discharge(no, above_it), low), kernel.assume(low))
    no = prove_nonneg(
        FALSUM,
        T.margin(steep) * root + kappa * T.margin(above.conclusion),
        [steep, equation, above.conclusion],
    )
    most = T.compare(kappa, SLOPE, T.ex_falso(T.discharge(no, above), high), kernel.assume(high))
    return equation, existence, least, most


@lru_cache
def sinh_rises() -> Theorem:
    """for all x, y: x <= y => sinh x <= sinh y."""
    x, y = node(_x), node(_y)
    order = language.Le(x, y)
    form = 2 * language.cosh((x + y) / 2) * language.sinh((y - x) / 2)
    proof = prove_nonneg(language.Le(language.sinh(x), language.sinh(y)), form, [order])
    return T.generalise(T.implication(proof, order), _x, _y)


@lru_cache
def turns(before: bool) -> Theorem:
    """The slope m mu passes gamma where sinh(mu t) passes S: m mu >= gamma before, <= after.

    m r = k c, c^2 = 1 + s^2, r^2 = 1 + k^2 s^2, k^2 (gamma^2 - mu^2) S^2 = mu^2 k^2 - gamma^2.
    """
    m, c, s, S, damping = (T.real(name) for name in ("m", "c", "s", "S", "gamma"))
    r, k, rate = (language.variable(name, rho.domain) for name in ("r", "k", "mu"))
    order = language.Le(s, S) if before else language.Le(S, s)
    given = [
        language.Eq(m * r, k * c),
        language.Eq(c**2, 1 + s**2),
        language.Eq(r**2, 1 + k**2 * s**2),
        language.Eq(k**2 * (damping**2 - rate**2) * S**2, rate**2 * k**2 - damping**2),
        order,
        language.Le(num(0), s),
        language.Le(num(0), S),
        language.Lt(rate, damping),
        language.Le(num(1), m),
    ]
    slow = T.margin(given[7])
    rest = k**2 * slow * (slow + 2 * rate) * T.margin(order) * (s + S) / r**2
    if before:
        goal = language.Le(damping, m * rate)
        over = language.Lt(m * rate, damping)
        form = T.margin(over) * ((slow + rate) + ((m - 1) + 1) * rate) + rest
    else:
        goal = language.Le(m * rate, damping)
        over = language.Lt(damping, m * rate)
        form = T.margin(over) * (T.margin(over) + 2 * (slow + rate)) + rest
    no = prove_nonneg(FALSUM, form, [*given, over])
    below, above = over.args
    proof = T.compare(below, above, T.ex_falso(no, goal), kernel.assume(goal))
    premise = language.And(*given)
    names = (m, c, s, S, damping, r, k, rate)
    return T.generalise(T.implication(T.unpack(proof, premise), premise), *names)
