"""The circle: every unit vector has an angle; how large sine and cosine are, and who shares them.

Main definitions
----------------
angle_of_unit         a^2 + b^2 = 1 gives a = cos t and b = sin t for some t
cosine_at_most_one    cos x <= 1 for all x
same_cosine           angles in [0, pi] with the same cosine are equal
sine_nonnegative      0 <= sin s for 0 <= s <= pi
sine_subadditive      sin(s + t) <= sin s + sin t for s, t >= 0 with s + t <= pi
modulus_of_sine       r - r^3/6 <= |sin t| <= r for r = |t| <= 1

Conventions
-----------
Angles are in radians.  Lemmas are universal implications; `T.apply` uses them.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import (
    FALSUM,
    And,
    Eq,
    Exists,
    Le,
    Lt,
    Ne,
    Node,
    Real,
    cos,
    num,
    pi,
    sin,
    variable,
)
from posproof.proofs_check.search import prove_identity, prove_nonneg, prove_order
from posproof.proofs_check.squares import equal_squares

_a, _b, _r, _s, _t, _x = (variable(name, Real) for name in "abrstx")


@lru_cache
def angle_of_unit() -> Theorem:
    """for all a, b: a^2 + b^2 = 1 => a = cos t and b = sin t for some t."""
    on_circle = Eq(_a**2 + _b**2, num(1))
    goal = Exists(_t, And(Eq(cos(_t), _a), Eq(sin(_t), _b)))
    low, high = (_not_beyond(end, on_circle) for end in (Le(num(-1), _a), Le(_a, num(1))))
    found = T.apply(kernel.meaning("arc_cosine"), [_a], T.both(low, high))
    named = T.body(found, _x)
    cosine = named.args[2]

    def at(angle: Node, sign: Node) -> Theorem:
        def instance(part: Node) -> Theorem:
            return T.both(*(prove_identity(p, [cosine, sign]) for p in part.args))

        return T.exists(goal, angle, instance)

    same = Eq(sin(_x), _b)
    opposite = prove_identity(Eq(sin(_x), -_b), [cosine, on_circle, Ne(sin(_x), _b)])
    other = T.discharge(at(-_x, opposite.conclusion), opposite)
    proof = T.split(same, at(_x, same), other)
    proof = T.obtain(found, _x, T.unpack(proof, named))
    return T.generalise(T.implication(proof, on_circle), _a, _b)


def _not_beyond(end: Node, on_circle: Node) -> Theorem:
    """-1 <= a or a <= 1, because beyond it a^2 + b^2 - 1 = m^2 + 2 m + b^2 > 0 for the excess m."""
    small, large = end.args
    outside = Lt(large, small)
    excess = T.margin(outside)
    excluded = prove_nonneg(FALSUM, excess**2 + 2 * excess + _b**2, [outside, on_circle])
    return T.compare(large, small, T.ex_falso(excluded, end), T.assume(end))


@lru_cache
def cosine_at_most_one() -> Theorem:
    """for all x: cos x <= 1, because cos^2 x <= 1."""
    goal, beyond = Le(cos(_x), num(1)), Lt(num(1), cos(_x))
    excess = T.margin(beyond)
    excluded = prove_nonneg(FALSUM, excess**2 + 2 * excess + sin(_x) ** 2, [beyond])
    proof = T.compare(1, cos(_x), T.ex_falso(excluded, goal), T.assume(goal))
    return T.generalise(proof, _x)


@lru_cache
def same_cosine() -> Theorem:
    """for all s, t in [0, pi]: cos s = cos t => s = t."""
    low, high = Le(num(0), _s), Le(_s, pi)
    under, over = Le(num(0), _t), Le(_t, pi)
    given = Eq(cos(_s), cos(_t))
    goal = Eq(_s, _t)

    def apart(small: Node, large: Node, start: Node, end: Node) -> Theorem:
        order = Lt(small, large)
        inside = T.both(*(kernel.assume(p) for p in (start, order, end)))
        falls = T.apply(T.cosine_decreases(), [small, large], inside)
        return T.ex_falso(T.discharge(T.contradict([falls.conclusion, given]), falls), goal)

    equal = kernel.antisymmetry(kernel.assume(Le(_s, _t)), kernel.assume(Le(_t, _s)))
    rest = T.compare(_t, _s, apart(_t, _s, under, high), equal)
    proof = T.compare(_s, _t, apart(_s, _t, low, over), rest)
    return T.generalise(T.implication(proof, low, high, under, over, given), _s, _t)


@lru_cache
def sine_nonnegative() -> Theorem:
    """for all s: 0 <= s => s <= pi => 0 <= sin s."""
    low, high, goal = Le(num(0), _s), Le(_s, pi), Le(num(0), sin(_s))
    inside = T.both(kernel.assume(Lt(num(0), _s)), kernel.assume(Lt(_s, pi)))
    positive = T.apply(kernel.meaning("sine_positive"), [_s], inside)
    middle = T.discharge(prove_nonneg(goal, sin(_s), [positive.conclusion]), positive)

    def end(value: Node, below: Theorem, above: Theorem) -> Theorem:
        same = kernel.antisymmetry(below, above)
        return T.transport(goal, _s, same, prove_nonneg(Le(num(0), sin(value)), num(0)))

    last = end(pi, kernel.assume(high), kernel.assume(Le(pi, _s)))
    first = end(num(0), kernel.assume(Le(_s, num(0))), kernel.assume(low))
    proof = T.compare(0, _s, T.compare(_s, pi, middle, last), first)
    return T.generalise(T.implication(proof, low, high), _s)


@lru_cache
def sine_subadditive() -> Theorem:
    """for all s, t: 0 <= s => 0 <= t => s + t <= pi => sin(s + t) <= sin s + sin t."""
    given = Le(num(0), _s), Le(num(0), _t), Le(_s + _t, pi)
    halves = []
    for angle in (_s / 2, _t / 2, (_s + _t) / 2):
        ends = prove_order(Le(num(0), angle), given), prove_order(Le(angle, pi), given)
        halves.append(T.apply(sine_nonnegative(), [angle], *ends))
    form = 4 * sin(_s / 2) * sin(_t / 2) * sin((_s + _t) / 2)
    goal = Le(sin(_s + _t), sin(_s) + sin(_t))
    proof = prove_nonneg(goal, form, [fact.conclusion for fact in halves])
    return T.generalise(T.implication(T.discharge(proof, *halves), *given), _s, _t)


@lru_cache
def modulus_of_sine() -> Theorem:
    """For 0 <= r <= 1, r^2 = t^2, 0 <= s, s^2 = sin^2 t: s <= r and r - r^3/6 <= s."""
    low, high, moduli = Le(num(0), _r), Le(_r, num(1)), Eq(_r**2, _t**2)
    positive, square = Le(num(0), _s), Eq(_s**2, sin(_t) ** 2)
    line = T.apply(kernel.meaning("sine_below_line"), [_r], kernel.assume(low))
    cubic = T.apply(kernel.meaning("sine_above_cubic"), [_r], kernel.assume(low))
    room = T.margin(cubic.conclusion) + _r * ((1 - _r) * (1 + _r) / 6 + num(Fraction(5, 6)))
    above = prove_nonneg(Le(num(0), sin(_r)), room, [low, high, cubic.conclusion])
    above = T.discharge(above, cubic)
    here = Eq(_s**2, sin(_r) ** 2)
    same = T.apply(
        equal_squares(), [_s, sin(_r)], kernel.assume(positive), above, kernel.assume(here)
    )
    goal = And(Le(_s, _r), Le(_r - _r**3 / 6, _s))
    bounds = [
        T.discharge(prove_nonneg(g, T.margin(f.conclusion), [f.conclusion, same.conclusion]), f)
        for g, f in zip(goal.args, (line, cubic), strict=True)
    ]
    proof = T.discharge(T.both(*bounds), same)

    # r is t or -t, and the square of the sine is even.
    hole = variable("z", Real)
    pattern = Eq(_s**2, sin(hole) ** 2)
    plus = T.apply(
        equal_squares(),
        [_r, _t],
        kernel.assume(low),
        kernel.assume(Le(num(0), _t)),
        kernel.assume(moduli),
    )
    turned = num(-1) * _t
    minus = T.apply(
        equal_squares(),
        [_r, turned],
        kernel.assume(low),
        prove_order(Le(num(0), turned), [Lt(_t, num(0))]),
        prove_identity(Eq(_r**2, turned**2), [moduli]),
    )
    even = prove_identity(Eq(_s**2, sin(turned) ** 2), [square])
    first = T.discharge(proof, T.transport(pattern, hole, plus, kernel.assume(square)))
    second = T.discharge(proof, T.transport(pattern, hole, minus, even))
    proof = T.compare(_t, 0, second, first)
    return T.generalise(T.implication(proof, low, high, moduli, positive, square), _r, _s, _t)
