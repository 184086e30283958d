"""Proofs of `theory.mobius.kernel`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sympy import Rational, chebyshevt, chebyshevu, cos, pi, sin, sqrt

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Node
from posproof.proofs_check.search import (
    prove_by_induction,
    prove_contradiction,
    prove_each,
    prove_identity,
    prove_nonneg,
    prove_order,
)
from posproof.theory.mobius import kernel as statements
from posproof.theory.mobius.kernel import (
    DELTA,
    DIPOLE,
    LOBES,
    SYMMETRIES,
    D,
    Kernel,
    N,
    b,
    e,
    f,
    half,
    i,
    k,
    kappa,
    m,
    m0,
    offset,
    p,
    r,
    t,
    u,
)
from posproof.theory.mobius.ladder import periodic_frequency
from posproof.theory.symbols import Variable, total, variables
from posproof.theory.vocabulary import (
    And,
    Eq,
    Exists,
    ForAll,
    Implies,
    Int,
    Integer,
    Le,
    Lt,
    Ne,
    Not,
    control,
    proves,
)

node = T.node
n = Variable("n", Int(0))


def telescoped(of_kernel: Callable[[Any, Any, Any], Any]) -> Theorem:
    """2 sin(x) K(D) = sin(2 m x) with x = pi D / N, for every m >= 1: the sum telescopes."""
    angle = pi * D / N
    cleared = Eq(2 * sin(angle) * of_kernel(m0, N, D), sin(2 * m0 * angle))
    return kernel.specialise(prove_by_induction(m0, cleared), {node(m0): node(m)})


def _for_positive(theorem: Theorem) -> Theorem:
    """A theorem for every m >= 0 at m >= 1."""
    return kernel.specialise(theorem, {node(m0): node(m)})


def _off_by_one(i: Any, N: Any) -> Any:
    return pi * (2 * i + 1) / (N + 1)


def _doubled(i: Any, N: Any) -> Any:
    return 2 * pi * (2 * i + 1) / N


# ---------------------------------------------------------------------- mobius.dipole
def _without_two(m: Any, N: Any, D: Any) -> Any:
    return sin(2 * pi * m * D / N) / sin(pi * D / N)


def _one_plane_more(m: Any, N: Any, D: Any) -> Any:
    return statements.closed_kernel(m + 1, N, D)


@control("without_factor_two", closed_kernel=_without_two)
@control("even_frequencies", frequency=periodic_frequency)
@control("one_plane_more", closed_kernel=_one_plane_more)
@proves(DIPOLE, "closed_form")
def closed_form(of: Kernel) -> Theorem:
    """2 sin(x) K telescopes; then divide."""
    nonzero, cleared = Ne(sin(pi * D / N), 0), telescoped(of.kernel)
    goal = Eq(of.kernel(m, N, D), of.closed_kernel(m, N, D))
    divided = prove_identity(goal, [cleared.conclusion, nonzero])
    return T.implication(T.discharge(divided, cleared), nonzero)


def _pair_induction(first: Any, second: Any) -> Theorem:
    """for all n >= 0: first and second, where second is first at n + 1."""
    name, pair = node(n), node(And(first, second))
    base = prove_each(kernel.substitute(pair, {name: T.num(0)}), prove_identity)
    later = kernel.substitute(pair, {name: name + 1})
    step = prove_each(later, lambda goal: prove_identity(goal, pair.args))
    return kernel.induct(name, pair, base, T.unpack(step, pair))


def _first_kind(angle: Any) -> Theorem:
    """T_n(cos x) = cos(n x) for every n >= 0."""
    pair = (Eq(chebyshevt(n + q, cos(angle)), cos((n + q) * angle)) for q in (0, 1))
    return kernel.project(_pair_induction(*pair), 0)


def _second_kind(angle: Any) -> Theorem:
    """U_{n+1}(cos x) - U_{n-1}(cos x) = 2 cos((n + 1) x) for every n >= 0."""

    def at(q: int) -> Any:
        ends = chebyshevu(n + 1 + q, cos(angle)) - chebyshevu(n - 1 + q, cos(angle))
        return Eq(ends, 2 * cos((n + 1 + q) * angle))

    return kernel.project(_pair_induction(at(0), at(1)), 0)


def _one_degree_more(m: Any, N: Any, D: Any) -> Any:
    return chebyshevu(2 * m, cos(pi * D / N)) / 2


@control("one_degree_more", chebyshev_kernel=_one_degree_more)
@control("even_frequencies", frequency=periodic_frequency)
@proves(DIPOLE, "chebyshev_form")
def chebyshev_form(of: Kernel) -> Theorem:
    """U_{2m+1} - U_{2m-1} = 2 cos((2m+1) x) is the term that the next plane adds."""
    added = kernel.specialise(_second_kind(pi * D / N), {node(n): node(2 * m0)})
    statement = Eq(of.kernel(m0, N, D), of.chebyshev_kernel(m0, N, D))
    return _for_positive(T.induction(m0, statement, added))


@control("even_frequencies", frequency=periodic_frequency)
@proves(DIPOLE, "chebyshev_sum")
def chebyshev_sum(of: Kernel) -> Theorem:
    """T_{2i+1}(cos x) = cos((2i+1) x), term by term."""
    angle = pi * D / N
    added = kernel.specialise(_first_kind(angle), {node(n): node(2 * m0 + 1)})
    series = total(i, m0, chebyshevt(2 * i + 1, cos(angle)))
    return _for_positive(T.induction(m0, Eq(of.kernel(m0, N, D), series), added))


@control("even_frequencies", frequency=periodic_frequency)
@proves(DIPOLE, "removable_points")
def removable_points(of: Kernel) -> Theorem:
    """Every plane is at an even (odd) multiple of pi."""
    even = prove_by_induction(m0, Eq(of.kernel(m0, N, 2 * t * N), m0))
    odd = prove_by_induction(m0, Eq(of.kernel(m0, N, (2 * t + 1) * N), -m0))
    return T.both(_for_positive(even), _for_positive(odd))


# ---------------------------------------------------------------------- mobius.symmetries
@control("periodic_ladder", frequency=periodic_frequency)
@proves(SYMMETRIES, "kernel_symmetries")
def kernel_symmetries(of: Kernel) -> Theorem:
    """Plane by plane: pi (2 kappa + 1) is an odd multiple of pi."""
    return prove_each(
        T.stated(SYMMETRIES, "kernel_symmetries", of),
        lambda equation: prove_by_induction(m0, equation),
    )


@control("periodic_ladder", frequency=periodic_frequency)
@proves(SYMMETRIES, "head_antiperiod")
def head_antiperiod(of: Kernel) -> Theorem:
    """Every plane changes sign."""
    return prove_by_induction(m0, Eq(of.score(m0, N, D + N), -of.score(m0, N, D)))


def _no_defect(b: Any, angle: Any) -> Any:
    return 0 * b


def _half_defect(b: Any, angle: Any) -> Any:
    return -b * sin(angle)


@control(
    "reflection_for_every_head",
    {"m": 1, "N": 8, "D": 2, "a": 0, "b": 1, "kappa": 0},
    reflection_defect=_no_defect,
)
@control("half_the_defect", reflection_defect=_half_defect)
@proves(SYMMETRIES, "head_reflection")
def head_reflection(of: Kernel) -> Theorem:
    """The cosine parts cancel and the sine parts add."""
    defect = total(i, m0, of.reflection_defect(b(i), of.frequency(kappa(i), N) * D))
    return prove_by_induction(m0, Eq(of.score(m0, N, N - D) + of.score(m0, N, D), defect))


def _sums_vanish(value: Any, excluded: Theorem) -> list[Theorem]:
    """The two period sums at r = value, `excluded` saying that N does not divide it."""
    return T.parts(T.apply(T.period_sums(), [value, N], excluded))


def _not_divisible(value: Any, given: list[Any], quotient: int, unless: Any = None) -> Theorem:
    """given |- N does not divide value: its quotient could only be `quotient`.

    `unless` is the denial, among `given`, of what that quotient says; None when the inequalities
    exclude that quotient too.
    """
    multiple = Exists(t, Eq(value, N * t))
    equation = Eq(value, N * t)
    orders = [q for q in given if not isinstance(q, Not)]
    only = T.no_integer_inside(node(t) - quotient, [*orders, equation], degree=3)
    if unless is None:
        clash = T.contradict([*orders, equation, only.conclusion], degree=3)
    else:
        same = prove_identity(unless.body, [equation, only.conclusion])
        clash = kernel.clash(same, T.assume(unless))
    clash = T.discharge(clash, only)
    return T.conclude_not(T.obtain(T.assume(multiple), t, clash), multiple)


def _row(of: Kernel, wave: Any, left: Any, right: Any) -> Any:
    """The product of two rows of the ladder, summed over one window."""
    return total(e, N, wave(of.frequency(left, N) * e) * wave(of.frequency(right, N) * e))


def _apart(of: Kernel, wave: Any, left: Any, right: Any, given: list[Any]) -> Theorem:
    """given, left != right |- the rows are orthogonal; given: 0 < left + right + 1 < N."""
    unlike = Ne(left, right)
    sums = [
        _sums_vanish(left - right, _not_divisible(left - right, [*given, unlike], 0, unlike))[0],
        _sums_vanish(left + right + 1, _not_divisible(left + right + 1, given, 0))[0],
    ]
    zero = prove_identity(Eq(_row(of, wave, left, right), 0), [s.conclusion for s in sums])
    return T.discharge(zero, *sums)


def _alone(of: Kernel, wave: Any, row: Any, given: list[Any]) -> Theorem:
    """given |- a row with itself is N / 2; given: 0 < 2 row + 1 < N."""
    twice = _sums_vanish(2 * row + 1, _not_divisible(2 * row + 1, given, 0))[0]
    norm = prove_identity(Eq(_row(of, wave, row, row), N / 2), [twice.conclusion])
    return T.discharge(norm, twice)


@control("even_frequencies", frequency=periodic_frequency)
@proves(SYMMETRIES, "reflection_needs_phase")
def reflection_needs_phase(of: Kernel) -> Theorem:
    """The defect is a sine sum; its sine coefficients are recovered by orthogonality."""
    small = Le(2 * m, N)
    mirrored = of.ladder_score(m, N, N - offset) + of.ladder_score(m, N, offset)
    always, aligned = (
        ForAll(offset, Eq(mirrored, 0)),
        ForAll(p, Implies(Lt(p, m), Eq(b(p), 0))),
    )

    def sines(count: Any, at: Any) -> Any:
        return total(i, count, b(i) * sin(of.frequency(i, N) * at))

    defect = prove_by_induction(
        m0,
        Eq(
            of.ladder_score(m0, N, N - offset) + of.ladder_score(m0, N, offset),
            -2 * sines(m0, offset),
        ),
    )
    defect = _for_positive(defect)

    # Aligned content: every term of the sine sum vanishes.
    index = node(i)
    term = kernel.modus(kernel.instantiate(T.assume(aligned), index), T.assume(Lt(i, m)))
    zero_term = T.discharge(
        prove_identity(Eq(b(i) * sin(of.frequency(i, N) * offset), 0), [term.conclusion]), term
    )
    zero_sum = kernel.sum_congruence(zero_term, index, node(m))
    backward = T.discharge(
        prove_identity(Eq(mirrored, 0), [zero_sum.conclusion, defect.conclusion]), zero_sum, defect
    )
    backward = T.generalise(backward, offset)

    # The projection on row p of the first q planes.
    q = Variable("q", Int(0))

    def projection(count: Any) -> Any:
        return total(e, N, sin(of.frequency(p, N) * e) * sines(count, e))

    inside = [T.instance(Le(q, m), q, node(q) + 1), small, Lt(p, m)]
    within, same = T.one_apart(p, m), T.assume(Eq(q, p))
    norm = T.discharge(_alone(of, sin, p, [small, within.conclusion]), within)
    meets = (
        T.transport(Eq(_row(of, sin, q, p), N / 2), q, same, norm),
        T.transport(Eq(b(q), b(p)), q, same, prove_identity(Eq(b(p), b(p)))),
    )
    projected = T.selection(q, projection, p, b(p) * N / 2, m, _apart(of, sin, q, p, inside), meets)

    # At q = m the projection is b(p) N / 2, and it vanishes because the sine sum does.
    at_m = kernel.specialise(projected, {node(q): node(m)})
    ready = kernel.modus(at_m, prove_order(Le(m, m)))
    whole = kernel.modus(kernel.project(ready, 1), T.assume(Lt(p, m)))
    everywhere = kernel.instantiate(T.assume(always), node(e))
    defect_at = kernel.specialise(defect, {node(offset): node(e)})
    sine_sum = T.discharge(
        prove_identity(
            Eq(sin(of.frequency(p, N) * e) * sines(m, e), 0),
            [everywhere.conclusion, defect_at.conclusion],
        ),
        everywhere,
        defect_at,
    )
    vanishing = kernel.sum_congruence(sine_sum, node(e), node(N))
    coefficient = T.discharge(
        prove_identity(Eq(b(p), 0), [whole.conclusion, vanishing.conclusion]), whole, vanishing
    )
    forward = T.generalise(T.implication(coefficient, Lt(p, m)), p)
    return T.implication(T.iff(always, aligned, forward, backward), small)


def _two_windows(N: Any) -> Any:
    return 2 * N


@control("two_windows", window=_two_windows)
@proves(SYMMETRIES, "causal_window")
def causal_window(of: Kernel) -> Theorem:
    """E + N is past the window, and E - N before it."""
    statement = T.stated(SYMMETRIES, "causal_window", of).body
    realised, linked = statement.premise, statement.conclusion.body
    given = list(realised.parts)
    branches = []
    for linked_to in linked.parts:
        facts = list(linked_to.parts) if isinstance(linked_to, And) else [linked_to]
        branches.append(T.unpack(T.contradict([*given, *facts]), linked_to))
    clash = kernel.cases(T.assume(linked), *branches)
    return T.implication(T.unpack(T.conclude_not(clash, linked), realised), realised)


# ---------------------------------------------------------------------- mobius.lobes
def _pole(of: Kernel, at: Any) -> Theorem:
    """K(at N) = m cos(pi at) for an integer `at`."""
    return _for_positive(prove_by_induction(m0, Eq(of.kernel(m0, N, at * N), m0 * cos(pi * at))))


def _one_period(k: Any, m: Any, N: Any) -> Any:
    return k * N / m


@control("factor_two_forgotten", {"m": 1, "N": 1, "D": Rational(1, 2), "k": 1}, zero=_one_period)
@control(
    "even_frequencies", {"m": 1, "N": 1, "D": Rational(1, 2), "k": 1}, frequency=periodic_frequency
)
@proves(LOBES, "zeros")
def zeros(of: Kernel) -> Theorem:
    """2 sin(x) K = sin(2 m x); where sin(x) = 0 the kernel is m or -m."""
    angle = pi * D / N
    vanishes, flat = Eq(of.kernel(m, N, D), 0), Eq(sin(angle), 0)
    divisible = Exists(t, Eq(k, 2 * m * t))
    chosen = And(Eq(D, of.zero(k, m, N)), Not(divisible))
    listed = Exists(k, chosen)
    cleared = telescoped(of.kernel)

    # At a pole K is not 0.
    turned = T.apply(T.zero_of_sine(), [angle], T.assume(flat))
    whole = prove_identity(Eq(D, k * N), [T.body(turned, k)])
    pole = T.transport(Eq(of.kernel(m, N, D), m * cos(pi * k)), D, whole, _pole(of, k))
    at_pole = T.discharge(prove_contradiction([vanishes, pole.conclusion]), pole)
    at_pole = T.ex_falso(T.obtain(turned, k, at_pole), listed)

    # Elsewhere sin(2 m x) = 0.
    numerator = T.discharge(
        prove_identity(Eq(sin(2 * m * angle), 0), [vanishes, cleared.conclusion]), cleared
    )
    turns = T.apply(T.zero_of_sine(), [2 * m * angle], numerator)
    value = prove_identity(Eq(D, of.zero(k, m, N)), [T.body(turns, k)])
    back = prove_identity(Eq(D, t * N), [value.conclusion, Eq(k, 2 * m * t)])
    no_sine = T.transport(flat, D, back, prove_identity(Eq(sin(pi * (t * N) / N), 0)))
    clash = kernel.clash(no_sine, T.assume(Not(flat)))
    outside = T.conclude_not(T.obtain(T.assume(divisible), t, clash), divisible)
    outside = T.discharge(outside, value)
    regular = T.obtain(turns, k, T.exists(listed, k, T.both(value, outside)))
    forward = T.split(flat, at_pole, regular)

    backward = T.obtain(T.assume(listed), k, T.unpack(_zero_at(of, D), chosen))
    return T.iff(vanishes, listed, forward, backward)


def _zero_at(of: Kernel, at: Any) -> Theorem:
    """at = zero(k), k no multiple of 2 m |- K(at) = 0."""
    value = of.zero(k, m, N)
    angle = pi * value / N
    flat, divisible = Eq(sin(angle), 0), Exists(t, Eq(k, 2 * m * t))
    turned = T.apply(T.zero_of_sine(), [angle], T.assume(flat))
    multiple = prove_identity(Eq(k, 2 * m * t), [T.body(turned, t)])
    there = T.obtain(turned, t, T.exists(divisible, t, multiple))
    regular = T.conclude_not(kernel.clash(there, T.assume(Not(divisible))), flat)
    cleared = kernel.specialise(telescoped(of.kernel), {node(D): node(value)})
    zero = prove_identity(Eq(of.kernel(m, N, value), 0), [cleared.conclusion, regular.conclusion])
    zero = T.discharge(zero, cleared, regular)
    return T.rewrite(Eq(of.kernel(m, N, at), 0), at, value, zero)


@control(
    "window_off_by_one",
    {"m": 1, "N": 1, "g": 1, "n": 1, "q": 2, "c": 1, "d": 0, "E": 1},
    frequency=_off_by_one,
)
@control(
    "even_frequencies",
    {"m": 1, "N": 2, "g": 2, "n": 1, "q": 1, "c": 1, "d": 0, "E": 1},
    frequency=periodic_frequency,
)
@proves(LOBES, "integer_zeros")
def integer_zeros(of: Kernel) -> Theorem:
    """E = k N / 2m with N = g n, 2m = g q, c n + d q = 1 gives E = n (c E + d k)."""
    g, size, double = variables("g n q", Int(1))
    c, d = variables("c d", Integer)
    gcd_of = And(Eq(N, g * size), Eq(2 * m, g * double), Eq(c * size + d * double, 1))
    vanishes = Eq(of.kernel(m, N, offset), 0)
    stepped, whole = Exists(t, Eq(offset, size * t)), Exists(t, Eq(offset, N * t))
    divisible = Exists(t, Eq(k, 2 * m * t))
    listed = And(Eq(offset, of.zero(k, m, N)), Not(divisible))
    candidates = Exists(k, listed)

    known = kernel.specialise(zeros.run(of), {node(D): node(offset)})
    to_zero = kernel.modus(kernel.project(known, 0), T.assume(vanishes))
    value, outside = T.parts(T.assume(listed))

    step = prove_identity(Eq(double * offset, k * size), [value.conclusion, *gcd_of.parts[:2]])
    quotient = c * offset + d * k
    reached = T.exists(
        stepped,
        quotient,
        lambda goal: prove_identity(goal, [step.conclusion, gcd_of.parts[2]]),
    )
    reached = T.discharge(reached, step, value)
    same = T.exists(
        divisible,
        t,
        lambda goal: prove_identity(goal, [value.conclusion, Eq(offset, N * t)]),
    )
    clash = T.obtain(T.assume(whole), t, kernel.clash(T.discharge(same, value), outside))
    forward = T.both(reached, T.conclude_not(clash, whole))
    forward = T.obtain(to_zero, k, forward)

    # E = n t: then k = q t is the number of the zero.
    target = And(stepped, Not(whole))
    there, never = T.parts(T.assume(target))
    from_t = Eq(offset, size * t)
    s = Variable("s", Integer)

    def listed_at(goal: Node) -> Theorem:
        equation, denial = goal.args
        at = prove_identity(equation, [from_t, *gcd_of.parts[:2]])
        inner = denial.args[0]
        back = T.exists(
            whole,
            s,
            lambda found: prove_identity(found, [from_t, T.body_of(inner, s), *gcd_of.parts]),
        )
        closed = T.obtain(T.assume(inner), s, kernel.clash(back, T.assume(Not(whole))))
        return T.both(at, T.conclude_not(closed, inner))

    found = T.exists(candidates, double * t, listed_at)
    found = T.discharge(found, never)
    backward = kernel.modus(kernel.project(known, 1), T.obtain(there, t, found))
    proof = T.iff(vanishes, target, forward, backward)
    return T.implication(T.unpack(proof, gcd_of), gcd_of)


def _half_envelope(N: Any, D: Any) -> Any:
    return 1 / (16 * sin(pi * D / N) ** 2)


@control("half_the_envelope", envelope=_half_envelope)
@control("even_frequencies", frequency=periodic_frequency)
@proves(LOBES, "enveloped")
def enveloped(of: Kernel) -> Theorem:
    """1 - (2 sin(x) K)^2 = 1 - sin(2 m x)^2 = cos(2 m x)^2."""
    angle = pi * D / N
    nonzero, cleared = Ne(sin(angle), 0), telescoped(of.kernel)
    goal = Le(of.kernel(m, N, D) ** 2, of.envelope(N, D))
    form = node(cos(2 * m * angle)) ** 2 / (4 * node(sin(angle)) ** 2)
    bounded = prove_nonneg(goal, form, [cleared.conclusion, nonzero])
    return T.implication(T.discharge(bounded, cleared), nonzero)


@control("even_frequencies", frequency=periodic_frequency)
@proves(LOBES, "above_half", "N = 512, m = 32")
def above_half(of: Kernel) -> Theorem:
    """A ball at 252; at 256 every plane is at an odd multiple of pi / 2."""
    return T.prove_tree(T.stated(LOBES, "above_half", of))


def _drifting(m: Any, N: Any, D: Any) -> Any:
    return sin(2 * pi * m * D / N) / (2 * sin(pi * D / N)) + 1


@control("without_factor_two", closed_kernel=_without_two)
@control("offset_kernel", closed_kernel=_drifting)
@proves(LOBES, "sinc_limit")
def sinc_limit(of: Kernel) -> Theorem:
    """With v = u / 2m <= 1/2: 0 <= v - sin v and 5 (v - sin v) <= v^2 sin v."""
    small, y = Le(u, m), Variable("v", statements.Positive)
    tiny = Le(y, Rational(1, 2))
    below = T.apply(kernel.meaning("sine_below_line"), [y], prove_order(Le(0, y)))
    cubic = T.apply(kernel.meaning("sine_above_cubic"), [y], prove_order(Le(0, y)))
    sharp = prove_order(
        Le(5 * (y - sin(y)), y**2 * sin(y)), [tiny, cubic.conclusion], [y**3], degree=3
    )
    sharp = T.discharge(sharp, cubic)
    above = prove_order(Lt(0, sin(y)), [tiny, cubic.conclusion], degree=3)
    above = T.discharge(above, cubic)

    angle = node(u / (2 * m))
    half_bound = prove_nonneg(Le(angle, Rational(1, 2)), T.margin(small) / (2 * node(m)), [small])

    def at_angle(theorem: Theorem) -> Theorem:
        return T.discharge(kernel.specialise(theorem, {node(y): angle}), half_bound)

    below, sharp, above = (at_angle(theorem) for theorem in (below, sharp, above))
    goal = T.stated(LOBES, "sinc_limit", of).body.conclusion
    sine = Node("sin", (angle,))
    scale = 5 * angle * sine
    lower = T.margin(sharp.conclusion) / scale
    upper = (angle**2 * sine + 5 * T.margin(below.conclusion)) / scale
    form = (node(sin(u)) / (2 * node(m))) ** 2 * (lower * upper)
    facts = [below.conclusion, sharp.conclusion, above.conclusion]
    return T.implication(T.discharge(prove_nonneg(goal, form, facts), below, sharp, above), small)


@control("doubled_frequency", {"D": 4}, frequency=_doubled)
@proves(LOBES, "first_lobe_of_two", "m = 2")
def first_lobe_of_two(of: Kernel) -> Theorem:
    """K / 2 = 2 c^3 - c with c = cos(pi D / 8), and 2 c^3 - c + 4 r^3 = 2 (c - r)^2 (c + 2 r)."""
    bounded, attained = T.stated(LOBES, "first_lobe_of_two", of).parts
    inside, bound = bounded.body.premise, bounded.body.conclusion
    angle, root = pi * D / 8, sqrt(6) / 6
    low, high = inside.parts

    # cos(pi D / 8) >= 0 up to D = 4.
    before = Lt(D, 4)
    step = node(pi) / 8
    ends = T.both(
        prove_nonneg(Le(0, angle), step * T.margin(low), [low]),
        prove_nonneg(Lt(angle, pi / 2), step * T.margin(before), [before]),
        prove_order(Le(pi / 2, pi)),
    )
    positive = T.apply(T.cosine_decreases(), [angle, pi / 2], ends)
    cosine = Le(0, cos(angle))
    strictly = T.discharge(prove_order(cosine, [positive.conclusion]), positive)
    last = kernel.antisymmetry(T.assume(high), T.assume(Le(4, D)))
    at_end = T.discharge(T.prove_at(Eq(cos(angle), 0), D, 4), last)
    closing = T.discharge(prove_order(cosine, [at_end.conclusion]), at_end)
    sign = T.compare(D, 4, strictly, closing)

    c, third = node(cos(angle)), node(root)
    form = 2 * (c - third) ** 2 * (c + 2 * third)
    lowest = T.discharge(prove_nonneg(bound, form, [sign.conclusion]), sign)
    whole = T.generalise(T.implication(T.unpack(lowest, inside), inside), D)

    # arccos(1 / sqrt 6) lies before pi / 2.
    y = Variable("y", statements.Real)
    ground = T.both(kernel.ground(node(Le(-1, root))), kernel.ground(node(Le(root, 1))))
    arc = T.apply(kernel.meaning("arc_cosine"), [root], ground)
    about = T.body(arc, y)
    start, end, equation = about.args
    past = Lt(pi / 2, y)
    drop = T.apply(
        T.cosine_decreases(),
        [pi / 2, y],
        T.both(prove_order(Le(0, pi / 2)), T.assume(past), T.assume(end)),
    )
    value = kernel.ground(node(Lt(0, root)))
    clash = T.contradict([drop.conclusion, equation, value.conclusion])
    clash = T.discharge(clash, drop, value)
    early = kernel.not_less(T.conclude_not(clash, past))
    scale = 8 / node(pi)
    place = scale * node(y)

    def at_arc(required: Node) -> Theorem:
        within, equal = required.args
        above = prove_nonneg(within.args[0], scale * T.margin(start), [start])
        below = prove_nonneg(within.args[1], scale * T.margin(early.conclusion), [early.conclusion])
        return T.both(T.both(above, T.discharge(below, early)), prove_identity(equal, [equation]))

    found = T.obtain(arc, y, T.unpack(T.exists(attained, place, at_arc), about))
    return T.both(whole, found)


def _double_energy(m: Any, N: Any) -> Any:
    return N * m


@control("double_energy", energy=_double_energy)
@control("even_frequencies", frequency=periodic_frequency)
@proves(LOBES, "window_energy")
def window_energy(of: Kernel) -> Theorem:
    """Each plane adds N / 2: its row is orthogonal to those before it."""
    q = Variable("q", Int(0))

    def cross(count: Any) -> Any:
        return total(e, N, of.kernel(count, N, e) * cos(of.frequency(p, N) * e))

    room = Le(2 * p + 2, N)
    before = Le(q, p)
    earlier = Implies(before, Eq(cross(q), 0))
    step_inside = [T.instance(before, q, node(q) + 1), room]
    known = kernel.modus(T.assume(earlier), prove_order(before, step_inside[:1]))
    differ = T.conclude_not(T.contradict([Eq(q, p), step_inside[0]]), Eq(q, p))
    orthogonal = T.discharge(_apart(of, cos, q, p, step_inside), differ)
    next_one, crossed = T.instance(earlier, q, node(q) + 1).args
    stepped = prove_identity(crossed, [known.conclusion, orthogonal.conclusion])
    stepped = T.implication(T.discharge(stepped, known, orthogonal), next_one)
    premise, conclusion = T.instance(earlier, q, 0).args
    base = T.implication(prove_identity(conclusion), premise)
    orthogonal_so_far = kernel.induct(node(q), node(earlier), base, stepped)
    at_p = kernel.specialise(orthogonal_so_far, {node(q): node(p)})
    at_p = kernel.modus(at_p, prove_order(Le(p, p)))

    def energy(count: Any) -> Any:
        return total(e, N, of.kernel(count, N, e) ** 2)

    fits = Le(2 * m0, N)
    statement = Implies(fits, Eq(energy(m0), of.energy(m0, N)))
    more, larger = T.instance(statement, m0, node(m0) + 1).args
    so_far = kernel.modus(T.assume(statement), prove_order(fits, [more]))
    at_m = {node(p): node(m0)}
    has_room = prove_order(Le(2 * m0 + 2, N), [more])
    crossed = T.discharge(kernel.specialise(at_p, at_m), has_room)
    norm = T.discharge(_alone(of, cos, m0, [has_room.conclusion]), has_room)
    step = prove_identity(
        larger,
        [so_far.conclusion, crossed.conclusion, norm.conclusion],
    )
    step = T.implication(T.discharge(step, so_far, crossed, norm), more)
    premise, conclusion = T.instance(statement, m0, 0).args
    start = T.implication(prove_identity(conclusion), premise)
    return _for_positive(kernel.induct(node(m0), node(statement), start, step))


# ---------------------------------------------------------------------- mobius.delta
def _third_frequency(i: Any, N: Any) -> Any:
    return pi * (3 * i + 1) / N


@control("other_spacing", {"i": 1, "p": 0, "N": 3}, frequency=_third_frequency)
@proves(DELTA, "characters")
def characters(of: Kernel) -> Theorem:
    """A geometric sum over one period; the ratio is 1 exactly when N divides i - p."""
    gap = of.frequency(i, N) - of.frequency(p, N)
    waves = [total(e, N, wave(gap * e)) for wave in (cos, sin)]
    same = Exists(t, Eq(i - p, N * t))

    def values(first: Any, facts: list[Any]) -> Theorem:
        goals = (Eq(waves[0], first), Eq(waves[1], 0))
        return T.both(*(prove_identity(goal, facts) for goal in goals))

    # N divides i - p: every term is 1, or 0.
    phi, turns = Variable("phi", statements.Real), Eq(i - p, N * t)
    whole = prove_identity(Eq(gap * e, 2 * pi * t * e), [turns])
    terms = [
        T.transport(
            Eq(wave(phi), value), phi, whole, prove_identity(Eq(wave(2 * pi * t * e), value))
        )
        for wave, value in ((cos, 1), (sin, 0))
    ]
    summed = [kernel.sum_congruence(term, node(e), node(N)) for term in terms]
    full = T.discharge(values(N, [theorem.conclusion for theorem in summed]), *summed)
    full = T.implication(T.obtain(T.assume(same), t, full), same)

    sums = _sums_vanish(i - p, T.assume(Not(same)))
    none = T.discharge(values(0, [theorem.conclusion for theorem in sums]), *sums)
    return T.both(full, T.implication(none, Not(same)))


@control("other_spacing", {"i": 0, "p": 1, "N": 3}, frequency=_third_frequency)
@control("even_frequencies", {"i": 0, "p": 0, "N": 3}, frequency=periodic_frequency)
@proves(DELTA, "cosine_rows")
def cosine_rows(of: Kernel) -> Theorem:
    """The product of two rows is half the sum of two characters, i - p and i + p + 1."""
    inside = And(Lt(i, N), Lt(p, N))
    steps = [T.one_apart(q, N) for q in (i, p)]
    apart, alias = Ne(i, p), Eq(i + p + 1, N)
    near = [step.conclusion for step in steps]
    minus = _sums_vanish(i - p, _not_divisible(i - p, [*near, apart], 0, apart))[0]
    unlike = Not(alias)
    plus = _sums_vanish(i + p + 1, _not_divisible(i + p + 1, [*near, unlike], 1, unlike))[0]

    # Where a character is trivial its sum is N.
    phi = Variable("phi", statements.Real)

    def trivial(value: Any, turns: int, given: Any) -> Theorem:
        angle = 2 * pi * value * e / N
        whole = prove_identity(Eq(angle, 2 * pi * turns * e), [given])
        one = prove_identity(Eq(cos(2 * pi * turns * e), 1))
        term = T.transport(Eq(cos(phi), 1), phi, whole, one)
        return kernel.sum_congruence(term, node(e), node(N))

    equal, folded = trivial(i - p, 0, Eq(i, p)), trivial(i + p + 1, 1, alias)
    parts = []
    for premise, conclusion, facts in (
        (And(apart, unlike), 0, (minus, plus)),
        (And(Eq(i, p), unlike), N / 2, (equal, plus)),
        (And(apart, alias), N / 2, (minus, folded)),
        (And(Eq(i, p), alias), N, (equal, folded)),
    ):
        value = prove_identity(
            Eq(_row(of, cos, i, p), conclusion), [fact.conclusion for fact in facts]
        )
        value = T.discharge(T.discharge(value, *facts), *steps)
        parts.append(T.implication(T.unpack(value, premise), premise))
    return T.implication(T.unpack(T.both(*parts), inside), inside)


def _pole_values(of: Kernel) -> list[Theorem]:
    """K(0) = m and K(N) = -m."""
    equations = (Eq(of.kernel(m0, N, 0), m0), Eq(of.kernel(m0, N, N), -m0))
    return [_for_positive(prove_by_induction(m0, equation)) for equation in equations]


def _regular(angle: Any, size: Any) -> Theorem:
    """not (size divides E) |- sin(angle) != 0, for angle = pi E / size."""
    multiple, flat = Exists(t, Eq(offset, size * t)), Eq(sin(angle), 0)
    turned = T.apply(T.zero_of_sine(), [angle], T.assume(flat))
    divided = T.exists(multiple, t, prove_identity(Eq(offset, size * t), [T.body(turned, t)]))
    found = T.obtain(turned, t, divided)
    return T.conclude_not(kernel.clash(found, T.assume(Not(multiple))), flat)


@control("even_frequencies", frequency=periodic_frequency)
@proves(DELTA, "full_ladder")
def full_ladder(of: Kernel) -> Theorem:
    """2 sin(x) K = sin(pi E) = 0 with x = pi E / N."""
    return _full(of, 2 * half, "full_ladder")


@control("even_frequencies", frequency=periodic_frequency)
@proves(DELTA, "odd_full_ladder")
def odd_full_ladder(of: Kernel) -> Theorem:
    """2 sin(x) K = sin(pi E - x) = -cos(pi E) sin(x): the self-conjugate plane counts half."""
    return _full(of, 2 * half + 1, "odd_full_ladder")


def _full(of: Kernel, size: Any, clause: str) -> Theorem:
    first, last, elsewhere = _flat_parts(T.stated(DELTA, clause, of).body)
    at = {node(m): node(half), node(N): node(size)}
    poles = [kernel.specialise(theorem, at) for theorem in _pole_values(of)]
    ends = [
        T.discharge(prove_identity(goal, [pole.conclusion]), pole)
        for goal, pole in zip((first, last), poles, strict=True)
    ]
    angle = pi * offset / size
    regular = _regular(angle, size)
    cleared = kernel.specialise(telescoped(of.kernel), {**at, node(D): node(offset)})
    phi, psi = variables("phi psi", statements.Real)
    remainder = (size - 2 * half) * angle
    folded = prove_identity(Eq(2 * half * pi * offset / size, pi * offset - remainder))
    numerator = T.transport(
        Eq(sin(phi), -cos(pi * offset) * sin(remainder)),
        phi,
        folded,
        kernel.specialise(
            prove_identity(Eq(sin(pi * offset - psi), -cos(pi * offset) * sin(psi))),
            {node(psi): node(remainder)},
        ),
    )
    facts = (cleared, regular, numerator)
    zero = prove_identity(elsewhere.conclusion, [fact.conclusion for fact in facts])
    zero = T.implication(T.discharge(zero, *facts), elsewhere.premise)
    if clause == "full_ladder":
        return T.both(*ends, zero)
    return T.both(T.both(*ends), zero)


def _flat_parts(statement: Any) -> list[Any]:
    parts: list[Any] = []
    for part in statement.parts:
        parts += part.parts if isinstance(part, And) else [part]
    return parts


@control("periodic_extension", wrap=1)
@proves(DELTA, "odd_bins")
def odd_bins(of: Kernel) -> Theorem:
    """The even bins are the transform of f(D) + f(D + N), which vanishes with all of them."""
    statement = T.stated(DELTA, "odd_bins", of).body
    antiperiodic, even_bins = statement.left, statement.right
    g = Variable("g", Int(0))  # a shift of the second half

    def half_sum(wave: Any, at: Any) -> Any:
        return total(e, N, (f(e) + f(e + N)) * wave(2 * pi * at * e / N))

    # Split the window of 2 N positions in two halves.
    folded = []
    for wave in (cos, sin):

        def term(at: Any, wave: Any = wave) -> Any:
            return f(at) * wave(2 * pi * k * at / N)

        halves = prove_by_induction(
            g, Eq(total(e, N + g, term(e)), total(e, N, term(e)) + total(e, g, term(N + e)))
        )
        halves = kernel.specialise(halves, {node(g): node(N)})
        folded.append(halves)

    # Anti-periodic: the halves cancel.
    opposite = kernel.modus(kernel.instantiate(T.assume(antiperiodic), node(e)), T.assume(Lt(e, N)))
    bins = []
    for wave, halves, goal in zip((cos, sin), folded, even_bins.body.parts, strict=True):
        cancels = prove_identity(
            Eq(f(N + e) * wave(2 * pi * k * (N + e) / N), -f(e) * wave(2 * pi * k * e / N)),
            [opposite.conclusion],
        )
        cancels = kernel.sum_congruence(T.discharge(cancels, opposite), node(e), node(N))
        bins.append(
            T.discharge(
                prove_identity(goal, [halves.conclusion, cancels.conclusion]), halves, cancels
            )
        )
    forward = T.generalise(T.both(*bins), k)

    # All even bins vanish: transform back at position r.
    given = kernel.instantiate(T.assume(even_bins), node(k))
    transforms = []
    for wave, halves, fact in zip((cos, sin), folded, T.parts(given), strict=True):
        moved = prove_identity(Eq(half_sum(wave, k), 0), [halves.conclusion, fact.conclusion])
        transforms.append(T.discharge(moved, halves, fact))
    c = Variable("c", Int(0))  # the bin number as a summation index
    double_term = (f(e) + f(e + N)) * cos(2 * pi * c * (e - r) / N)
    inner = Eq(total(e, N, double_term), 0)
    at_bin = [kernel.specialise(transform, {node(k): node(c)}) for transform in transforms]
    inner_zero = T.discharge(
        prove_identity(inner, [theorem.conclusion for theorem in at_bin]), *at_bin
    )
    outer_zero = kernel.sum_congruence(inner_zero, node(c), node(N))
    double = outer_zero.conclusion.args[0]
    swapped = kernel.exchange(double)

    # After the exchange the inner sum selects e = r.
    q = Variable("q", Int(0))

    def partial(count: Any) -> Any:
        return total(e, count, total(c, N, double_term))

    limits = [T.instance(Le(q, N), q, node(q) + 1), Lt(r, N)]
    step = T.one_apart(r, N)
    unlike = Ne(q, r)
    period = _sums_vanish(
        q - r, _not_divisible(q - r, [limits[0], step.conclusion, unlike], 0, unlike)
    )
    period = [T.discharge(theorem, step) for theorem in period]
    same = T.assume(Eq(q, r))
    meets = (
        T.transport(
            Eq(total(c, N, cos(2 * pi * c * (q - r) / N)), N),
            q,
            same,
            prove_identity(Eq(total(c, N, cos(2 * pi * c * (r - r) / N)), N)),
        ),
        T.transport(
            Eq(f(q) + f(q + N), f(r) + f(r + N)),
            q,
            same,
            prove_identity(Eq(f(r) + f(r + N), f(r) + f(r + N))),
        ),
    )
    selected = T.selection(q, partial, r, (f(r) + f(r + N)) * N, N, period[0], meets)
    at_end = kernel.specialise(selected, {node(q): node(N)})
    whole = kernel.project(kernel.modus(at_end, prove_order(Le(N, N))), 1)
    whole = kernel.modus(whole, T.assume(Lt(r, N)))
    facts = (outer_zero, swapped, whole)
    value = prove_identity(Eq(f(r + N), of.wrap * f(r)), [fact.conclusion for fact in facts])
    value = T.implication(T.discharge(value, *facts), Lt(r, N))
    return T.iff(antiperiodic, even_bins, forward, T.generalise(value, r))


@control("not_a_sign", wrap=2)
@proves(DELTA, "dimension", "N = 1..8")
def dimension(of: Kernel) -> Theorem:
    """Matrices of 0, 1 and halves; the trace of a projector is its rank."""
    return T.prove_tree(T.stated(DELTA, "dimension", of))


@control("cyclic_wrap", wrap=1)
@control("even_frequencies", frequency=periodic_frequency)
@proves(DELTA, "negacyclic_shift")
def negacyclic_shift(of: Kernel) -> Theorem:
    """The last term moves to the front with the sign of exp(1j theta_i N) = -1."""
    statement = T.stated(DELTA, "negacyclic_shift", of).body
    shorter = {node(N): node(n) + 1}
    at = [prove_identity(kernel.substitute(node(goal), shorter)) for goal in statement.parts]
    back = [kernel.specialise(theorem, {node(n): node(N) - 1}) for theorem in at]
    return T.both(
        *(
            T.discharge(prove_identity(goal, [theorem.conclusion]), theorem)
            for goal, theorem in zip(statement.parts, back, strict=True)
        )
    )


@control("cyclic_wrap", wrap=1)
@proves(DELTA, "negacyclic_product", "N = 2, 3, 4, 6, 7, 8, 12; first two odd powers")
def negacyclic_product(of: Kernel) -> Theorem:
    """A polynomial identity modulo the cyclotomic polynomial, in 2 N free coefficients."""
    return T.prove_tree(T.stated(DELTA, "negacyclic_product", of))
