"""Proofs of `theory.mobius.ladder`: one function a clause, named after it."""

from __future__ import annotations

from typing import Any

import sympy
from sympy import cos, pi, sin

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.mobius.kernel import telescoped
from posproof.proofs_check.search import prove_each, prove_identity, prove_nonneg, prove_order
from posproof.theory.mobius.ladder import (
    BUNDLE,
    HOLONOMY,
    IDENTITY,
    OTHER_INVARIANTS,
    D,
    Ladder,
    N,
    i,
    k,
    m,
    n,
    offset,
    periodic_frequency,
    rate,
    rotation,
    s,
    t,
    theta,
    x,
)
from posproof.theory.symbols import Variable, variables
from posproof.theory.vocabulary import (
    And,
    Eq,
    Exists,
    ForAll,
    Int,
    Integer,
    Le,
    Lt,
    Or,
    control,
    proves,
)

q = Variable("q", Integer)


def _off_by_one(i: Any, N: Any) -> Any:
    return pi * (2 * i + 1) / (N + 1)


# ---------------------------------------------------------------------- mobius.holonomy
@control("periodic_ladder", frequency=periodic_frequency)
@control("window_off_by_one", frequency=_off_by_one)
@proves(HOLONOMY, "antiperiodic")
def antiperiodic(of: Ladder) -> Theorem:
    """The phase is pi (2 i + 1), an odd multiple of pi."""
    return prove_identity(Eq(of.plane(i, N, N), of.holonomy()))


@control("periodic_ladder", {"theta": 0, "N": 1, "k": 0}, frequency=periodic_frequency)
@proves(HOLONOMY, "only_this_ladder")
def only_this_ladder(of: Ladder) -> Theorem:
    """cos x = -1 only at odd multiples of pi; then divide by N."""
    holonomy = Eq(of.rotation(theta * N), of.holonomy())
    in_ladder = Exists(k, Eq(theta, of.frequency(k, N)))

    odd = T.apply(T.odd_turns(), [theta * N], prove_identity(Eq(cos(theta * N), -1), [holonomy]))
    divided = prove_identity(Eq(theta, of.frequency(k, N)), [T.body(odd, k)])
    forward = T.obtain(odd, k, T.exists(in_ladder, k, divided))

    moved = T.prove_at(holonomy, theta, of.frequency(k, N))
    backward = T.obtain(T.assume(in_ladder), k, moved)
    return T.iff(holonomy, in_ladder, forward, backward)


@control("window_off_by_one", frequency=_off_by_one)
@proves(HOLONOMY, "representatives")
def representatives(of: Ladder) -> Theorem:
    """Divide k by N; the remainder r serves when 2 r + 1 <= N, and N - 1 - r otherwise."""
    division = T.euclid(k, N)
    inside = T.body(division, q)
    low, high = inside.args
    r = T.node(k) - T.node(N) * T.node(q)

    goal = T.stated(HOLONOMY, "representatives", of).body

    def chosen(index: Any, turns: Any, which: int, given: list[Any]) -> Theorem:
        def alternatives(required: Any) -> Theorem:
            return T.alternative(prove_identity(required.args[which]), required)

        def instance(required: Any) -> Theorem:
            size, turned = required.args
            found = T.both(prove_order(size, given), T.exists(turned, turns, alternatives))
            return kernel.weaken(found, [natural.conclusion])

        natural = prove_order(Le(0, index), given)
        return T.discharge(T.exists(goal, index, instance), natural)

    small, large = Le(2 * r + 1, N), Lt(N, 2 * r + 1)
    proof = T.compare(
        N,
        2 * r + 1,
        chosen(T.node(N) - 1 - r, q + 1, 1, [low, high, T.one_apart(r, N).conclusion, large]),
        chosen(r, q, 0, [low, small]),
    )
    proof = T.discharge(proof, T.one_apart(r, N))
    return T.obtain(division, q, T.unpack(proof, inside))


def _doubled(i: Any, N: Any) -> Any:
    return 2 * pi * (2 * i + 1) / N


@control("doubled_frequency", {"a": 0, "b": 1, "N": 4, "t": 1}, frequency=_doubled)
@proves(HOLONOMY, "inequivalent")
def inequivalent(of: Ladder) -> Theorem:
    """The sum and the difference of 2 a + 1 and 2 b + 1 stay below 2 N, unless both are N."""
    a, b = variables("a b", Int(0))
    left, right = of.frequency(a, N), of.frequency(b, N)
    low, high = Le(2 * a + 1, N), Le(2 * b + 1, N)
    turned = Eq(left, right + 2 * pi * t)
    mirrored = Eq(left, -right + 2 * pi * t)

    # 2 a + 1 = 2 b + 1 + 2 N t forces t = 0.
    counted = prove_identity(Eq(a, b + N * t), [turned])
    no_turn = T.discharge(T.no_integer_inside(t, [low, high, counted.conclusion]), counted)
    first = T.discharge(
        prove_identity(Eq(a, b), [counted.conclusion, no_turn.conclusion]), counted, no_turn
    )
    # 2 a + 1 + 2 b + 1 = 2 N t forces t = 1, and then both are N.
    added = prove_identity(Eq(a + b + 1, N * t), [mirrored])
    one_turn = T.discharge(
        T.no_integer_inside(t - 1, [low, high, added.conclusion], degree=3), added
    )
    closed = [added.conclusion, one_turn.conclusion]
    below = T.discharge(prove_order(Le(a, b), [low, high, *closed]), added, one_turn)
    above = T.discharge(prove_order(Le(b, a), [low, high, *closed]), added, one_turn)
    second = kernel.antisymmetry(below, above)

    proof = kernel.cases(T.assume(Or(turned, mirrored)), first, second)
    premise = And(low, high, Or(turned, mirrored))
    return T.implication(T.unpack(proof, premise), premise)


@control("window_off_by_one", frequency=_off_by_one)
@proves(HOLONOMY, "capacity")
def capacity(of: Ladder) -> Theorem:
    """Divide by pi and use that i and m are integers."""
    m, m0 = Variable("m", Int(1)), Variable("m", Int(0))

    def counted(window: Any, bound: Any, limit: Any) -> Theorem:
        # theta_i <= pi <=> i + 1 <= limit + 1, the last index being `limit`.
        angle, index = Le(of.frequency(i, window), pi), bound
        scaled = prove_nonneg(
            Le(2 * i + 1, window), T.node(window) / T.node(pi) * T.margin(angle), [angle]
        )
        close = T.discharge(prove_order(Lt(i, limit + 1), [scaled.conclusion]), scaled)
        step = T.one_apart(i, limit + 1)
        forward = T.discharge(prove_order(index, [step.conclusion]), T.discharge(step, close))
        inside = prove_order(Le(2 * i + 1, window), [index])
        scale = T.node(pi) / T.node(window) * T.margin(inside.conclusion)
        backward = T.discharge(prove_nonneg(angle, scale, [inside.conclusion]), inside)
        return T.iff(angle, index, forward, backward)

    even = T.generalise(counted(2 * m, Le(i + 1, m), m - 1), i, m)
    odd = T.generalise(counted(2 * m0 + 1, Le(i, m0), m0), i, m0)
    return T.both(even, odd)


@control("window_off_by_one", frequency=_off_by_one)
@proves(HOLONOMY, "period")
def period(of: Ladder) -> Theorem:
    """theta_i 2 N is a multiple of 2 pi."""
    return prove_identity(Eq(of.plane(i, N, D + 2 * N), of.plane(i, N, D)))


@control("window_off_by_one", frequency=_off_by_one)
@proves(HOLONOMY, "faithful")
def faithful(of: Ladder) -> Theorem:
    """cos x = 1 only at even multiples of pi; then divide by the frequency."""
    returns = Eq(of.plane(0, N, offset), IDENTITY)
    multiple = Exists(t, Eq(offset, 2 * N * t))
    angle = of.frequency(0, N) * offset
    turns = T.apply(
        kernel.meaning("full_turns"), [angle], prove_identity(Eq(cos(angle), 1), [returns])
    )
    divided = prove_identity(Eq(offset, 2 * N * k), [T.body(turns, k)])
    forward = T.obtain(turns, k, T.exists(multiple, k, divided))
    backward = T.obtain(T.assume(multiple), t, T.prove_at(returns, offset, 2 * N * t))
    return T.iff(returns, multiple, forward, backward)


@control(
    "periodic_ladder",
    {"i": 0, "N": 1, "g": 1, "a": 1, "b": 2, "u": 1, "v": 0, "E": 1},
    frequency=periodic_frequency,
)
@proves(HOLONOMY, "order")
def order(of: Ladder) -> Theorem:
    """(2 i + 1) E = 2 N k means a E = b k, and u a + v b = 1 gives E = b (u k + v E)."""
    g, b = variables("g b", Int(1))
    a, u, v = variables("a u v", Integer)
    gcd_of = And(Eq(2 * i + 1, g * a), Eq(2 * N, g * b), Eq(u * a + v * b, 1))
    returns = Eq(of.plane(i, N, offset), IDENTITY)
    multiple = Exists(t, Eq(offset, b * t))

    angle = of.frequency(i, N) * offset
    turns = T.apply(
        kernel.meaning("full_turns"), [angle], prove_identity(Eq(cos(angle), 1), [returns])
    )
    counted = prove_identity(Eq((2 * i + 1) * offset, 2 * N * k), [T.body(turns, k)])
    cancelled = T.discharge(
        prove_identity(Eq(a * offset, b * k), [counted.conclusion, *gcd_of.parts[:2]]), counted
    )
    value = u * k + v * offset
    divided = T.exists(
        multiple,
        value,
        lambda goal: prove_identity(goal, [cancelled.conclusion, gcd_of.parts[2]]),
    )
    forward = T.obtain(turns, k, T.discharge(divided, cancelled))

    phi = Variable("phi", theta.domain)
    whole = prove_identity(Eq(of.rotation(2 * pi * a * t), IDENTITY))
    same = prove_identity(Eq(angle, 2 * pi * a * t), [Eq(offset, b * t), *gcd_of.parts[:2]])
    turned = T.transport(Eq(of.rotation(phi), IDENTITY), phi, same, whole)
    backward = T.obtain(T.assume(multiple), t, turned)
    proof = T.iff(returns, multiple, forward, backward)
    return T.implication(T.unpack(proof, gcd_of), gcd_of)


# ---------------------------------------------------------------------- mobius.bundle
def _one_flip(phi: Any) -> sympy.ImmutableMatrix:
    return sympy.ImmutableMatrix([[cos(phi), sin(phi)], [sin(phi), -cos(phi)]])


@control("reflection_holonomy", rotation=_one_flip)
@control("periodic_ladder", frequency=periodic_frequency)
@proves(BUNDLE, "orientable")
def orientable(of: Ladder) -> Theorem:
    """cos of an odd multiple of pi, and the determinant of a rotation."""
    return prove_each(ForAll((i, N), _orientable(of)), prove_identity)


def _orientable(of: Ladder) -> Any:
    line = Eq(cos(of.frequency(i, N) * N), -1)
    return And(line, Eq(sympy.Determinant(of.plane(i, N, N)), 1))


@control("periodic_return", return_sign=1)
@control("reflection_path", rotation=_one_flip)
@proves(BUNDLE, "deformable")
def deformable(of: Ladder) -> Theorem:
    """Each point of the path is a rotation; the ends are I and -I."""
    path = of.rotation(pi * x)
    special = prove_each(
        And(Eq(path.T * path, IDENTITY), Eq(sympy.Determinant(path), 1)), prove_identity
    )
    ends = prove_each(
        And(Eq(of.rotation(0), IDENTITY), Eq(of.rotation(pi), of.holonomy())), prove_identity
    )
    return T.both(T.generalise(special, x), ends)


@control("without_half_bin", frequency=periodic_frequency)
@proves(BUNDLE, "gauge")
def gauge(of: Ladder) -> Theorem:
    """pi (2 i + 1) D / N - pi D / N = 2 pi i D / N, by the addition theorems."""
    connected = of.rotation(-pi * D / N) * of.plane(i, N, D)
    return prove_identity(Eq(connected, of.rotation(of.periodic_frequency(i, N) * D)))


def _swapped(i: Any, N: Any) -> Any:
    return pi * (2 * i + 1) / N


@control("spectra_swapped", frequency=periodic_frequency, periodic_frequency=_swapped)
@proves(BUNDLE, "spectrum")
def spectrum(of: Ladder) -> Theorem:
    """At x = 0 the boundary condition fixes cos(theta N); conversely insert the frequency."""
    anti = _spectrum(of, -1, of.frequency, T.odd_turns())
    periodic = _spectrum(of, 1, of.periodic_frequency, kernel.meaning("full_turns"))
    return T.both(anti, periodic)


def _spectrum(of: Ladder, sign: int, frequency: Any, turns: Theorem) -> Theorem:
    def at(point: Any) -> Any:
        return Eq(of.rotation(theta * (point + N)), sign * of.rotation(theta * point))

    always = ForAll(x, at(x))
    listed = Exists(k, Eq(theta, frequency(k, N)))
    start = kernel.instantiate(T.assume(always), T.node(0))
    angle = T.discharge(prove_identity(Eq(cos(theta * N), sign), [start.conclusion]), start)
    turned = T.apply(turns, [theta * N], angle)
    divided = prove_identity(Eq(theta, frequency(k, N)), [T.body(turned, k)])
    forward = T.obtain(turned, k, T.exists(listed, k, divided))
    moved = T.generalise(T.prove_at(at(x), theta, frequency(k, N)), x)
    return T.iff(always, listed, forward, T.obtain(T.assume(listed), k, moved))


def _thirds(i: Any, N: Any) -> Any:
    return pi * (3 * i + 1) / (2 * N)


@control("zero_mode", frequency=periodic_frequency)
@control("other_spectrum", frequency=_thirds)
@proves(BUNDLE, "gap")
def gap(of: Ladder) -> Theorem:
    """(2 k + 1)^2 - 1 = 4 k (k + 1), and k (k + 1) >= 0 for integers."""
    product = kernel.instantiate(T.consecutive(), T.node(k))
    step = T.node((pi / N) ** 2)
    goal = Le((pi / N) ** 2, of.frequency(k, N) ** 2)
    form = step * (T.node(4) * T.margin(product.conclusion))
    return T.discharge(prove_nonneg(goal, form, [product.conclusion]), product)


@control("periodic_ladder", frequency=periodic_frequency)
@proves(BUNDLE, "modes")
def modes(of: Ladder) -> Theorem:
    """The addition theorems, and exp(1j theta_i N) = -1."""
    angle = of.frequency(i, N)

    def mode(at: Any) -> sympy.ImmutableMatrix:
        return sympy.ImmutableMatrix([[cos(angle * at)], [sin(angle * at)]])

    inside = Eq(2 * mode(n) - mode(n - 1) - mode(n + 1), (2 - 2 * cos(angle)) * mode(n))
    return prove_each(And(inside, Eq(mode(n + N), -1 * mode(n))), prove_identity)


def _one_sided(signs: Any, diagonal: Any = 2) -> sympy.ImmutableMatrix:
    from posproof.theory.mobius.ladder import laplacian

    matrix = laplacian(signs, diagonal).as_mutable()
    matrix[0, len(signs) - 1] = 0
    return sympy.ImmutableMatrix(matrix)


@control("edge_missing", laplacian=_one_sided)
@proves(BUNDLE, "determinants", "N = 3..12")
def determinants(of: Ladder) -> Theorem:
    """Expansion by minors, each cycle length on its own."""
    return T.prove_tree(T.stated(BUNDLE, "determinants", of))


@control("edge_missing", laplacian=_one_sided)
@proves(BUNDLE, "characteristic", "N = 3..12, all lambda")
def characteristic(of: Ladder) -> Theorem:
    """Expansion by minors and the Chebyshev recurrence, as polynomials in lambda."""
    return T.prove_tree(T.stated(BUNDLE, "characteristic", of))


@control("edge_missing", laplacian=_one_sided)
@proves(BUNDLE, "switching", "N = 3..7, all signs")
def switching(of: Ladder) -> Theorem:
    """The determinant as a polynomial in the signs, reduced by s^2 = 1."""
    return T.prove_tree(T.stated(BUNDLE, "switching", of))


# ---------------------------------------------------------------------- mobius.other_invariants
@control("window_off_by_one", frequency=_off_by_one)
@proves(OTHER_INVARIANTS, "interpolation")
def interpolation(of: Ladder) -> Theorem:
    """Both sides are pi (2 i + 1) / (s N)."""
    return prove_identity(Eq(of.frequency(i, N) / s, of.frequency(i, s * N)))


@control("periodic_ladder", frequency=periodic_frequency)
@proves(OTHER_INVARIANTS, "rescaling")
def rescaling(of: Ladder) -> Theorem:
    """The phase at the new window is pi (2 i + 1) s / rho."""
    j, phi = Variable("j", Integer), Variable("phi", theta.domain)
    angle = of.frequency(i, N) / rate * (s * N)
    returns = Eq(of.rotation(angle), of.holonomy())
    odd = Exists(j, Eq((2 * i + 1) * s / rate, 2 * j + 1))

    turned = T.apply(T.odd_turns(), [angle], prove_identity(Eq(cos(angle), -1), [returns]))
    counted = prove_identity(Eq((2 * i + 1) * s / rate, 2 * j + 1), [T.body(turned, j)])
    forward = T.obtain(turned, j, T.exists(odd, j, counted))

    at_odd = prove_identity(Eq(of.rotation(pi * (2 * j + 1)), of.holonomy()))
    same = prove_identity(Eq(angle, pi * (2 * j + 1)), [Eq((2 * i + 1) * s / rate, 2 * j + 1)])
    moved = T.transport(Eq(of.rotation(phi), of.holonomy()), phi, same, at_odd)
    return T.iff(returns, odd, forward, T.obtain(T.assume(odd), j, moved))


def _keeps_sign(phi: Any) -> sympy.ImmutableMatrix:
    """A plane as it would have to turn if scaling by an even factor kept -I."""
    return -1 * rotation(phi)


@control("ntk_keeps_the_sign", rotation=_keeps_sign)
@control("window_off_by_one", frequency=_off_by_one)
@proves(OTHER_INVARIANTS, "unscaled_plane")
def unscaled_plane(of: Ladder) -> Theorem:
    """An even number of odd multiples of pi is a whole number of turns."""
    j = Variable("j", Integer)
    return prove_identity(Eq(of.plane(i, N, 2 * j * N), IDENTITY))


@control("periodic_ladder", frequency=periodic_frequency)
@proves(OTHER_INVARIANTS, "negative_lobe")
def negative_lobe(of: Ladder) -> Theorem:
    """2 sin(x) K = sin(2 m x) with x = pi D / N: the sine is positive, the other negative."""
    inside = And(Le(2 * m, N), Lt(N / (2 * m), D), Lt(D, N / m))
    angle = pi * D / N
    _, after, before = (T.node(part) for part in inside.parts)
    step, wide = T.node(pi / N), T.node(2 * pi * m / N)
    ahead = T.margin(before) + T.node(N / m) * (T.node(m) - 1)
    positive = _sine_positive(
        angle,
        step * (T.margin(after) + T.node(N / (2 * m))),
        step * ahead,
        [after, before],
    )
    past = 2 * m * angle - pi
    negative = _sine_positive(
        past, wide * T.margin(after), wide * T.margin(before), [after, before]
    )
    cleared = telescoped(of.kernel)
    proof = prove_nonneg(
        Lt(of.kernel(m, N, D), 0),
        T.node(sin(past, evaluate=False) / (2 * sin(angle))),
        [positive.conclusion, negative.conclusion, cleared.conclusion],
    )
    proof = T.discharge(proof, positive, negative, cleared)
    return T.implication(T.unpack(proof, inside), inside)


def _sine_positive(angle: Any, above: Any, below: Any, given: list[Any]) -> Theorem:
    """0 < sin(angle), from forms of angle > 0 and pi - angle > 0."""
    low = prove_nonneg(Lt(0, angle), above, given)
    high = prove_nonneg(Lt(angle, pi), below, given)
    return T.apply(kernel.meaning("sine_positive"), [angle], T.both(low, high))


@control("periodic_ladder", frequency=periodic_frequency)
@proves(OTHER_INVARIANTS, "first_negative", "N = 512, m = 32")
def first_negative(of: Ladder) -> Theorem:
    """Balls decide the strict inequalities; K(8) is a sum of roots of unity that vanishes."""
    return T.prove_tree(T.stated(OTHER_INVARIANTS, "first_negative", of))
