"""Proofs of `theory.journey.addressing`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from sympy import S, cos, exp, pi, sin

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.journey.cocycles import (
    STEPS,
    _chain,
    _equivalence,
    _facts,
    _rewritten,
)
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Node, Real, empty, num, substitute
from posproof.proofs_check.language import append as longer
from posproof.proofs_check.language import exp as exponential
from posproof.proofs_check.language import total as node_total
from posproof.proofs_check.language import variable as name_of
from posproof.proofs_check.search import (
    prove_contradiction,
    prove_free,
    prove_identity,
    prove_nonneg,
    prove_order,
)
from posproof.theory.journey import addressing as theory
from posproof.theory.journey.addressing import (
    CONTENT_ADDRESS,
    LINEAR_ATTENTION_LIMIT,
    RELATIVE_LOGITS,
    VALUE_TRANSPORT,
    A_i,
    A_j,
    Addressing,
    At_i,
    At_j,
    C,
    D_u,
    Q,
    R_k,
    R_l,
    V_x,
    V_y,
    a_i,
    at_i,
    c_inv,
    gap,
    l1,
    l2,
    logit,
    n,
    offset,
    r_k,
    r_l,
    rest,
    s1,
    s2,
    size,
    target,
    units,
    w_inv,
    word,
    x,
)
from posproof.theory.symbols import Journey, total
from posproof.theory.vocabulary import Claim, Eq, Le, Lt, control, proves


def _statement(claim: Claim, clause: str, of: Addressing) -> Node:
    """The clause without its outer quantifiers."""
    goal = T.node(claim.clause(clause).statement(of))
    while goal.head == "forall":
        goal = goal.args[1]
    return goal


def _point(**letters: Any) -> dict[str, Any]:
    return {"step": STEPS, **letters}


# ---------------------------------------------------------------------- journey.content_address
def _on_the_right(content: Any, local: Any) -> Any:
    return local * content


def _on_the_right_undone(content: Any, local: Any) -> Any:
    return content * local


_UNIT = {"C": "s", "c": "s", "r_l": "1", "R_k": "r"}


@control(
    "content_on_the_right", _point(**_UNIT), placed=_on_the_right, unplaced=_on_the_right_undone
)
@proves(CONTENT_ADDRESS, "local_rope", "all d, all invertible contents")
def local_rope(of: Addressing) -> Theorem:
    """C^{-1} C cancels in the middle."""
    return _rewritten(CONTENT_ADDRESS, "local_rope", of)


@control("quadratic_phase", rotation=lambda phi: theory.rotation(phi**2))
@proves(CONTENT_ADDRESS, "local_offset", "all frequencies and local indices, every plane")
def local_offset(of: Addressing) -> Theorem:
    """The addition theorems."""
    return prove_identity(_statement(CONTENT_ADDRESS, "local_offset", of))


@control(
    "content_on_the_left", _point(**_UNIT), placed=_on_the_right, unplaced=_on_the_right_undone
)
@proves(CONTENT_ADDRESS, "other_side", "all d, all invertible contents")
def other_side(of: Addressing) -> Theorem:
    """Multiply by C."""
    premise, goal = _statement(CONTENT_ADDRESS, "other_side", of).args
    there = [r_l * R_k * C, C * c_inv * r_l * R_k * C, C * r_l * R_k]
    back = [c_inv * r_l * R_k * C, c_inv * C * r_l * R_k, r_l * R_k]
    return _equivalence(goal, premise, there, back)


@control(
    "steps_that_do_not_commute",
    _point(C="r", v=("s",)),
    commute=lambda a, b: Eq(a * b, a * b),
)
@proves(CONTENT_ADDRESS, "powers_commute", "all operators, all products of steps")
def powers_commute(of: Addressing) -> Theorem:
    """Induction over the word."""
    goal = T.node(CONTENT_ADDRESS.clause("powers_commute").statement(of)).args[1]
    premise, conclusion = goal.args
    statement = conclusion.args[1]
    last, letter = T.node(word), T.node(x)
    base = prove_free(substitute(statement, {last: empty}))
    one = kernel.instantiate(T.assume(premise), letter)
    grown = substitute(statement, {last: longer(last, letter)})
    path = [x * Journey(word) * C, x * C * Journey(word), C * x * Journey(word)]
    later = T.discharge(_chain(grown, path, [statement, one.conclusion]), one)
    proof = kernel.induct_words(last, letter, statement, base, later)
    return T.implication(T.generalise(proof, word), premise)


def _running(before: Sequence[Any]) -> Any:
    product = S.One
    for content in before:
        product = product * content
    return product


def _running_undone(before: Sequence[Any]) -> Any:
    return _running(list(before)[::-1])


_DOCUMENT = {
    "C": "r",
    "c": "rr",
    "D": "s",
    "d": "s",
    "W": "u",
    "w": "U",
    "r_l": "1",
    "R_k": "1",
}


@control(
    "running_state",
    _point(**_DOCUMENT),
    context=_running,
    context_inverse=_running_undone,
)
@proves(CONTENT_ADDRESS, "insertion", "all d, all invertible contents, three units")
def insertion(of: Addressing) -> Theorem:
    """The two addresses name their own units only."""
    return _rewritten(CONTENT_ADDRESS, "insertion", of)


@control("linear_weights", weight=lambda logit, others: logit / (exp(logit) + others))
@proves(CONTENT_ADDRESS, "ratio", "all logits")
def ratio(of: Addressing) -> Theorem:
    """The denominators agree."""
    return prove_identity(_statement(CONTENT_ADDRESS, "ratio", of))


@control("not_normalised", weight=lambda logit, others: exp(logit))
@proves(CONTENT_ADDRESS, "weights_shrink", "all logits")
def weights_shrink(of: Addressing) -> Theorem:
    """The difference is e^(s + t) over the product of the denominators."""
    goal = _statement(CONTENT_ADDRESS, "weights_shrink", of)
    e, more, others = T.node(exp(s1)), T.node(exp(s2)), T.node(rest)
    return prove_nonneg(goal, e * more / ((e + others) * (e + (others + more))))


@control("one_too_many", {"ell": 1, "Delta": 1}, largest_offset=lambda length: length)
@control("one_too_few", largest_offset=lambda length: length - 2)
@proves(CONTENT_ADDRESS, "offsets", "all lengths")
def offsets(of: Addressing) -> Theorem:
    """From 0 to Delta, or from -Delta to 0."""
    exists, inside = _statement(CONTENT_ADDRESS, "offsets", of).args
    first, second, shift = T.node(l1), T.node(l2), T.node(offset)
    outer = T.body_of(exists, first)
    low, rest_of = outer.args
    inner = T.body_of(rest_of, second)
    high, equal = inner.args
    steps = [kernel.integer_step(kernel.assume(part)) for part in (low, high)]
    known = [step.conclusion for step in steps]
    bounds = T.both(*(prove_order(part, [*known, equal]) for part in inside.args))
    bounds = T.unpack(T.discharge(bounds, *steps), inner)
    chosen = T.unpack(kernel.choose(rest_of, second, bounds), outer)
    there = kernel.choose(exists, first, chosen)

    def at(start: Node, end: Node, given: Node) -> Theorem:
        short, longer_part = substitute(outer, {first: start}).args
        reached = substitute(inner, {first: start, second: end})
        facts = [*inside.args, given]
        last = T.both(prove_order(reached.args[0], facts), prove_identity(reached.args[1]))
        whole = T.both(prove_order(short, facts), T.exists(longer_part, end, last))
        return T.exists(exists, start, whole)

    ahead, behind = T.node(Le(0, offset)), T.node(Lt(offset, 0))
    turned = prove_order(Le(num(0), num(0) - shift), [behind])
    negative = T.discharge(at(num(0) - shift, num(0), turned.conclusion), turned)
    back = T.compare(shift, num(0), negative, at(num(0), shift, ahead))
    return T.iff(exists, inside, there, T.unpack(back, inside))


@control("shorter_documents", largest_offset=lambda length: -length)
@proves(CONTENT_ADDRESS, "fewer_offsets", "all lengths and numbers of units")
def fewer_offsets(of: Addressing) -> Theorem:
    """U l - l = l (U - 1)."""
    weak, strict = _statement(CONTENT_ADDRESS, "fewer_offsets", of).args
    length, count = T.node(size), T.node(units)
    always = prove_nonneg(weak, length * (count - 1))
    two, larger = strict.args
    proof = prove_nonneg(larger, length * (T.margin(two) + 1), [two])
    return T.both(always, T.implication(proof, two))


_CROSS = {"c": "r", "D": "s", "w": "r", "Q": "s", "R_l": "r", "r_l": "rr", "R_k": "1", "r_k": "1"}


@control("content_forgotten", _point(**_CROSS | {"w": "s"}), unplaced=lambda content, local: local)
@proves(CONTENT_ADDRESS, "cross_unit", "all d, all local rotations")
def cross_unit(of: Addressing) -> Theorem:
    """The local rotations cancel."""
    premise, goal = _statement(CONTENT_ADDRESS, "cross_unit", of).args
    there = [
        c_inv * D_u,
        R_l * r_l * c_inv * D_u,
        R_l * r_l * c_inv * D_u * R_k * r_k,
        R_l * r_l * w_inv * Q * R_k * r_k,
        w_inv * Q * R_k * r_k,
        w_inv * Q,
    ]
    back = [r_l * c_inv * D_u * R_k, r_l * w_inv * Q * R_k]
    return _equivalence(goal, premise, there, back)


# ---------------------------------------------------------------------- journey.relative_logits
@control("quadratic_phase", rotation=lambda phi: theory.rotation(phi**2))
@control("sheared", rotation=lambda phi: theory.Matrix([[1, phi], [0, 1]]))
@proves(RELATIVE_LOGITS, "equivariant", "all numbers of planes, frequencies, positions, vectors")
def equivariant(of: Addressing) -> Theorem:
    """The addition theorems, term by term."""
    return prove_identity(_statement(RELATIVE_LOGITS, "equivariant", of))


def _sine(a: Any, omega: Any, b: Any, D: Any) -> Any:
    return a * sin(omega * D + b)


def _double(a: Any, omega: Any, b: Any, D: Any) -> Any:
    return a * cos(2 * omega * D + b)


@control("double_frequency", carrier=_double)
@control("sine", carrier=_sine)
@proves(RELATIVE_LOGITS, "factored", "all amplitudes, frequencies and phases")
def factored(of: Addressing) -> Theorem:
    """The addition theorems."""
    return prove_identity(_statement(RELATIVE_LOGITS, "factored", of))


@control("double_frequency", carrier=_double)
@proves(RELATIVE_LOGITS, "rank_two", "m = 1, all amplitudes, frequencies and phases")
def rank_two(of: Addressing) -> Theorem:
    """cos(b)^2 - cos(b - omega) cos(b + omega) = sin(omega)^2."""
    return prove_identity(_statement(RELATIVE_LOGITS, "rank_two", of))


@control("angles_instead_of_cosines", separation=lambda first, second: first - second)
@proves(RELATIVE_LOGITS, "rank_four", "m = 2, all amplitudes, frequencies and phases")
def rank_four(of: Addressing) -> Theorem:
    """Expand the determinant by minors."""
    return prove_identity(_statement(RELATIVE_LOGITS, "rank_four", of))


@control("double_frequency", carrier=_double)
@proves(RELATIVE_LOGITS, "merged", "all amplitudes, frequencies and phases")
def merged(of: Addressing) -> Theorem:
    """The addition theorems."""
    return prove_identity(_statement(RELATIVE_LOGITS, "merged", of))


@control("half_frequency", carrier=lambda a, omega, b, D: a * cos(omega * D / 2 + b))
@proves(RELATIVE_LOGITS, "half_turn_plane", "all amplitudes and phases, all integer positions")
def half_turn_plane(of: Addressing) -> Theorem:
    """The sine of a multiple of pi vanishes."""
    goal = _statement(RELATIVE_LOGITS, "half_turn_plane", of)
    return T.both(*(prove_identity(part) for part in goal.args))


@lru_cache
def _exponential_grows() -> tuple[Theorem, Theorem]:
    """for all x, y: x <= y => e^x <= e^y, and x < y => e^x < e^y."""
    low, high = name_of("x", Real), name_of("y", Real)
    line = T.apply(kernel.meaning("exponential_above_line"), [high - low])
    proofs = []
    for relation in (Le, Lt):
        given = T.node(relation(low, high))
        goal = relation(exponential(low), exponential(high))
        form = exponential(low) * (T.margin(line.conclusion) + (high - low))
        proof = T.discharge(prove_nonneg(goal, form, [given, line.conclusion]), line)
        proofs.append(T.generalise(T.implication(proof, given), low, high))
    return proofs[0], proofs[1]


def _few(of: Addressing, behind: Node) -> Theorem:
    """The competitors weigh at most n e^(s0 - g), each being behind by g."""
    index, count = T.node(theory.e), T.node(n)
    inside = T.node(Lt(theory.e, n))
    one = T.apply(T.assume(behind), [index], kernel.assume(inside))
    grows, _ = _exponential_grows()
    larger = T.apply(grows, list(one.conclusion.args), one)
    sums = kernel.sum_congruence(larger, index, count)
    goal = Le(sums.conclusion.args[0], count * T.node(exp(target - gap)))
    return T.discharge(prove_nonneg(goal, T.margin(sums.conclusion), [sums.conclusion]), sums)


_AHEAD = {"n": 1, "s0": 0, "g": 1, "s": -1, "t0": -3}


@control("too_generous", _AHEAD, floor=lambda n, g: 1 / (1 + n * exp(-2 * g)))
@control("one_competitor_forgotten", _AHEAD, floor=lambda n, g: 1 / (1 + (n - 1) * exp(-g)))
@proves(RELATIVE_LOGITS, "dilution", "all numbers of competitors, all logits")
def dilution(of: Addressing) -> Theorem:
    """The sum of the competitors is at most n e^(s0 - g)."""
    behind, goal = _statement(RELATIVE_LOGITS, "dilution", of).args
    few = _few(of, behind)
    e0, small, count = T.node(exp(target)), T.node(exp(-gap)), T.node(n)
    below = (1 + count * small) * (e0 + few.conclusion.args[0])
    return T.implication(
        T.discharge(prove_nonneg(goal, T.margin(few.conclusion) / below, [few.conclusion]), few),
        behind,
    )


@control("too_generous", _AHEAD, floor=lambda n, g: 1 / (1 + n * exp(-2 * g)))
@proves(RELATIVE_LOGITS, "attained", "all numbers of competitors, all logits")
def attained(of: Addressing) -> Theorem:
    """Equal gaps give equality; one larger gap makes the sum smaller."""
    equal, implied = _statement(RELATIVE_LOGITS, "attained", of).args
    known, goal = implied.args
    behind, below_gap = known.args
    few = _few(of, behind)
    _, grows = _exponential_grows()
    less = T.apply(grows, list(below_gap.args), kernel.assume(below_gap))
    e0, small, count = T.node(exp(target)), T.node(exp(-gap)), T.node(n)
    sums, extra = few.conclusion.args[0], less.conclusion.args[0]
    under = (1 + (count + 1) * small) * (e0 + (sums + extra))
    form = (T.margin(few.conclusion) + T.margin(less.conclusion)) / under
    facts = [few.conclusion, less.conclusion]
    proof = T.discharge(prove_nonneg(goal, form, facts), few, less)
    return T.both(prove_identity(equal), T.implication(T.unpack(proof, known), known))


@control("exponential_alone", half_length=lambda g: exp(g))
@control("two_sided", floor=lambda n, g: 1 / (1 + 2 * n * exp(-g)))
@proves(RELATIVE_LOGITS, "half", "all gaps and lengths")
def half(of: Addressing) -> Theorem:
    """Solve for the length."""
    goal = _statement(RELATIVE_LOGITS, "half", of)
    left, right = goal.args
    return T.iff(left, right, prove_identity(right, [left]), prove_identity(left, [right]))


@control("not_normalised", weight=lambda logit, others: exp(logit))
@proves(RELATIVE_LOGITS, "causal_weight", "all logits and positions")
def causal_weight(of: Addressing) -> Theorem:
    """The difference is e^(s + s') over the product of the denominators."""
    goal = _statement(RELATIVE_LOGITS, "causal_weight", of)
    own = T.node(exp(target))
    seen = T.node(theory._competitors(n) + exp(logit(n)))
    new = T.node(exp(logit(n + 1)))
    return prove_nonneg(goal, own * new / ((own + seen) * (own + (seen + new))))


# ------------------------------------------------------------- journey.linear_attention_limit
def _filter(others: Sequence[Any]) -> list[Any]:
    """The coefficients of the product of z^2 - 2 cos(omega_c) z + 1."""
    coefficients: list[Any] = [S.One]
    for w in others:
        padded = [S.Zero, S.Zero, *coefficients, S.Zero, S.Zero]
        coefficients = [
            padded[k + 2] - 2 * cos(w) * padded[k + 1] + padded[k]
            for k in range(len(coefficients) + 2)
        ]
    return coefficients


def _one_wave(of: Addressing, count: int, plane: int, t: Any) -> Theorem:
    """One plane vanishes at t + count - 1: the filter of the other planes leaves it alone."""
    own = theory.omegas[plane]
    chosen_planes = theory.omegas[:count]
    others = [w for n, w in enumerate(chosen_planes) if n != plane]
    pairs = [(w, own) if n < plane else (own, w) for n, w in enumerate(chosen_planes) if n != plane]
    taps = _filter(others)
    wave = of.wave(theory.cosines[plane], theory.sines[plane], own, t + count - 1)
    kappas = [T.node(of.kernel(count, t + k)) for k in range(len(taps))]
    apart = [T.node(of.apart(*pair)) for pair in pairs]
    gain = _product(2 * (T.node(cos(own)) - T.node(cos(w))) for w in others)
    return _only_factor(kappas, [T.node(tap) for tap in taps], gain, T.node(wave), apart)


def _only_factor(
    zeros: Sequence[Node], taps: Sequence[Node], gain: Node, value: Node, nonzero: Sequence[Node]
) -> Theorem:
    """value = 0, from gain * value = sum of taps * zeros, each zero being 0 and the gain not."""
    names = [name_of(f"z{k}", Real) for k in range(len(zeros))]
    nothing = [Eq(z, num(0)) for z in names]
    combined = _sum(tap * z for tap, z in zip(taps, names, strict=True))
    chosen = dict(zip(names, zeros, strict=True))
    flat = kernel.specialise(prove_identity(Eq(combined, num(0)), nothing), chosen)
    last = name_of("z", Real)
    alone = prove_identity(Eq(last, num(0)), [Eq(gain * last, num(0)), *nonzero])
    whole = substitute(combined, chosen)
    equal = prove_identity(Eq(gain * value, whole))
    place = name_of("y", Real)
    product = T.transport(Eq(place, num(0)), place, equal, flat)
    return T.discharge(kernel.specialise(alone, {last: value}), product)


def _product(factors: Any) -> Node:
    result = num(1)
    for factor in factors:
        result = result * factor
    return result


def _sum(terms: Any) -> Node:
    result = num(0)
    for item in terms:
        result = result + item
    return result


@lru_cache(maxsize=16)
def _vanishing(of: Addressing, count: int) -> Theorem:
    """Distinct planes and 2 m zeros from s on |- a_c = 0 and b_c = 0 for every c."""
    real: list[Theorem] = []
    imaginary: list[Theorem] = []
    for plane in range(count):
        own, turning = theory.omegas[plane], T.node(of.turning(theory.omegas[plane]))
        waves = [_one_wave(of, count, plane, theory.start + first) for first in (0, 1)]
        values = [wave.conclusion.args[0] for wave in waves]
        t, sine = theory.start + count - 1, T.node(sin(own))
        for amplitude, wave, signs, found in (
            (theory.cosines[plane], sin, (1, -1), real),
            (theory.sines[plane], cos, (-1, 1), imaginary),
        ):
            taps = [
                num(signs[0]) * T.node(wave(own * (t + 1))),
                num(signs[1]) * T.node(wave(own * t)),
            ]
            zero = _only_factor(values, taps, sine, T.node(amplitude), [turning])
            found.append(T.discharge(zero, *waves))
    return T.both(*real, *imaginary)


def _no_zeros(of: Addressing, clause: str, count: int) -> Theorem:
    known, _ = _statement(LINEAR_ATTENTION_LIMIT, clause, of).args
    return _unpacked(_vanishing(of, count), known)


def _unpacked(theorem: Theorem, premise: Node) -> Theorem:
    return T.unpack(theorem, premise) if premise.head == "and" else theorem


def _no_peak(of: Addressing, clause: str, count: int) -> Theorem:
    """A kernel that vanishes everywhere is not 1 at D."""
    known, denied = _statement(LINEAR_ATTENTION_LIMIT, clause, of).args
    peak = denied.args[0]
    still = T.parts(_vanishing(of, count))
    absurd = prove_contradiction([peak.args[0], *(part.conclusion for part in still)])
    absurd = T.unpack(T.discharge(absurd, *still), peak)
    return _unpacked(T.conclude_not(absurd, peak), known)


def _any_pair(first: Any, second: Any) -> Any:
    return Eq(first, first)


def _any_plane(omega: Any) -> Any:
    return Eq(omega, omega)


#: Two equal planes that cancel; every further plane has amplitude 0.
_REPEATED = {
    **{f"a{k}": 0 for k in (3, 4)},
    **{f"b{k}": 0 for k in (1, 2, 3, 4)},
    **{"a1": 1, "a2": -1, "omega1": 1, "omega2": 1, "omega3": 2, "omega4": Fraction(5, 2)},
    "s": 0,
}
#: A plane that does not turn has no sine.
_STILL = {"a1": 0, "b1": 1, "omega1": 0, "s": 0, "D": 0}
#: A polynomial of degree 8 is 1 at 8 and 0 at 0, ..., 7.
_PEAK = {
    **{f"a{k}": int(k == 1) for k in (1, 2, 3, 4)},
    **{f"b{k}": 0 for k in (1, 2, 3, 4)},
    **{f"omega{k}": k * Fraction(1, 2) for k in (1, 2, 3, 4)},
    "D": 8,
    "s": 0,
}


def _polynomial(a: Any, b: Any, omega: Any, t: Any) -> Any:
    product = a
    for k in range(8):
        product = product * (t - k) / (k + 1)
    return product


@control("still_plane", _STILL, turning=_any_plane)
@proves(LINEAR_ATTENTION_LIMIT, "no_zeros_one", "m = 1, all starts")
def no_zeros_one(of: Addressing) -> Theorem:
    """a sin(omega) is a combination of two consecutive values."""
    return _no_zeros(of, "no_zeros_one", 1)


@control("repeated_frequency", _REPEATED, apart=_any_pair)
@proves(LINEAR_ATTENTION_LIMIT, "no_zeros_two", "m = 2, all starts")
def no_zeros_two(of: Addressing) -> Theorem:
    """The filter z^2 - 2 cos(omega) z + 1 of one plane leaves the other."""
    return _no_zeros(of, "no_zeros_two", 2)


@control("repeated_frequency", _REPEATED, apart=_any_pair)
@proves(LINEAR_ATTENTION_LIMIT, "no_zeros_three", "m = 3, all starts")
def no_zeros_three(of: Addressing) -> Theorem:
    """The filters of two planes leave the third."""
    return _no_zeros(of, "no_zeros_three", 3)


@control("repeated_frequency", _REPEATED, apart=_any_pair)
@proves(LINEAR_ATTENTION_LIMIT, "no_zeros_four", "m = 4, all starts")
def no_zeros_four(of: Addressing) -> Theorem:
    """The filters of three planes leave the fourth."""
    return _no_zeros(of, "no_zeros_four", 4)


@control("polynomial", _PEAK, wave=_polynomial)
@proves(LINEAR_ATTENTION_LIMIT, "no_peak_one", "m = 1, all offsets and starts")
def no_peak_one(of: Addressing) -> Theorem:
    """Two zeros in a row make the kernel vanish."""
    return _no_peak(of, "no_peak_one", 1)


@control("polynomial", _PEAK, wave=_polynomial)
@proves(LINEAR_ATTENTION_LIMIT, "no_peak_two", "m = 2, all offsets and starts")
def no_peak_two(of: Addressing) -> Theorem:
    """Four zeros in a row make the kernel vanish."""
    return _no_peak(of, "no_peak_two", 2)


@control("polynomial", _PEAK, wave=_polynomial)
@proves(LINEAR_ATTENTION_LIMIT, "no_peak_three", "m = 3, all offsets and starts")
def no_peak_three(of: Addressing) -> Theorem:
    """Six zeros in a row make the kernel vanish."""
    return _no_peak(of, "no_peak_three", 3)


@control("polynomial", _PEAK, wave=_polynomial)
@proves(LINEAR_ATTENTION_LIMIT, "no_peak_four", "m = 4, all offsets and starts")
def no_peak_four(of: Addressing) -> Theorem:
    """Eight zeros in a row make the kernel vanish."""
    return _no_peak(of, "no_peak_four", 4)


def _unscaled(omega: Any, start: Any, first: Any, second: Any) -> tuple[Any, Any]:
    return tuple(x * sin(omega) for x in theory.interpolant(omega, start, first, second))


@control("not_divided_by_the_sine", amplitudes=_unscaled)
@proves(LINEAR_ATTENTION_LIMIT, "solvable", "m = 1, all starts and values")
def solvable(of: Addressing) -> Theorem:
    """Cramer's rule; the determinant is sin(omega)."""
    premise, goal = _statement(LINEAR_ATTENTION_LIMIT, "solvable", of).args
    return T.both(*(prove_identity(part, [premise]) for part in goal.args))


@control("ladders_swapped", ladder=theory.periodic, closed_ladder=theory.anti_periodic)
@control("quarter_turn", ladder=lambda c, L: 2 * pi * (c + Fraction(1, 4)) / L)
@proves(LINEAR_ATTENTION_LIMIT, "aliasing", "all numbers of planes, windows, amplitudes, offsets")
def aliasing(of: Addressing) -> Theorem:
    """Every plane has turned by an odd number of half turns."""
    goal = _statement(LINEAR_ATTENTION_LIMIT, "aliasing", of)
    return T.both(*(prove_identity(part) for part in goal.args))


@control("three_times_as_fast", ladder=lambda c, L: 3 * theory.anti_periodic(c, L))
@control("twice_as_fast", closed_ladder=lambda c, L: 2 * theory.periodic(c, L))
@proves(LINEAR_ATTENTION_LIMIT, "inside", "all windows and planes")
def inside(of: Addressing) -> Theorem:
    """L - (2 c + 1) >= 1."""
    fits, goal = _statement(LINEAR_ATTENTION_LIMIT, "inside", of).args
    (above, below), (even_above, even_below) = (pair.args for pair in goal.args)
    plane, turn = T.node(theory.c), T.node(pi) / T.node(size)
    room = T.margin(fits)
    odd = T.both(
        prove_nonneg(above, turn * (2 * plane + 1)), prove_nonneg(below, turn * (room + 1), [fits])
    )
    even = T.both(
        prove_nonneg(even_above, turn * (2 * plane)),
        prove_nonneg(even_below, turn * (room + 2), [fits]),
    )
    return T.implication(T.both(odd, even), fits)


@control("half_speed", wave=lambda a, b, omega, t: theory.wave(a, b, omega / 2, t))
@proves(LINEAR_ATTENTION_LIMIT, "resonant", "the offsets 0, 1, 2, 3")
def resonant(of: Addressing) -> Theorem:
    """Quarter turns."""
    goal = _statement(LINEAR_ATTENTION_LIMIT, "resonant", of)
    return T.both(*(prove_identity(part) for part in goal.args))


@control("amplitudes_squared", wave=lambda a, b, omega, t: theory.wave(a**2, b**2, omega, t))
@proves(LINEAR_ATTENTION_LIMIT, "repeated", "all amplitudes and frequencies")
def repeated(of: Addressing) -> Theorem:
    """The waves are linear in their amplitudes."""
    return prove_identity(_statement(LINEAR_ATTENTION_LIMIT, "repeated", of))


# ---------------------------------------------------------------------- journey.value_transport
_OUTPUT = {"a_i": "r", "A_j": "s", "A_k": "u", "V_x": "1", "V_y": "r", "G": "r", "g": "rr"}


def _global(inverse: Any, collected: Any) -> Any:
    return collected


@control("inverse_dropped", _point(**_OUTPUT), delivered=_global)
@control("wrong_side", _point(**_OUTPUT), transport=lambda inverse, frame: frame * inverse)
@proves(VALUE_TRANSPORT, "by_transports", "all d, two values")
def by_transports(of: Addressing) -> Theorem:
    """The inverse is a common factor on the left."""
    return prove_free(_statement(VALUE_TRANSPORT, "by_transports", of))


@control("inverse_transposed", back=lambda column: column + 1)
@proves(VALUE_TRANSPORT, "factorises", "all d and N, all weights")
def factorises(of: Addressing) -> Theorem:
    """The two sums may be exchanged."""
    goal = _statement(VALUE_TRANSPORT, "factorises", of)
    value = theory.column(theory.e) * theory.array(theory.d * n + theory.e)
    double = T.node(total(n, theory.N, total(theory.e, theory.d, theory.alpha(n) * value)))
    swapped = kernel.exchange(double)
    return T.discharge(prove_identity(goal, [swapped.conclusion]), swapped)


@control("inverse_dropped", _point(**_OUTPUT), delivered=_global)
@proves(VALUE_TRANSPORT, "gauge_invariant", "all d, two values")
def gauge_invariant(of: Addressing) -> Theorem:
    """G^{-1} G cancels."""
    return _rewritten(VALUE_TRANSPORT, "gauge_invariant", of)


@control("gauge_doubled", _point(**_OUTPUT | {"G": "1"}), gauged=lambda G, frame: 2 * frame)
@proves(VALUE_TRANSPORT, "global_frame", "all d, two values")
def global_frame(of: Addressing) -> Theorem:
    """G is a common factor on the left."""
    moved, unchanged = _statement(VALUE_TRANSPORT, "global_frame", of).args
    left, right = unchanged.args
    iff = T.iff(left, right, prove_free(right, [left]), prove_free(left, [right]))
    return T.both(prove_free(moved), iff)


_KEPT = {
    "A_i": "r",
    "a_i": "rr",
    "A_j": "s",
    "A_i'": "rr",
    "a_i'": "r",
    "A_j'": "s",
    "V_x": "1",
    "V_y": "1",
}


@control("inverse_dropped", _point(**_KEPT), transport=lambda inverse, frame: frame)
@proves(VALUE_TRANSPORT, "keeps_norms", "all d, all orthogonal frames")
def keeps_norms(of: Addressing) -> Theorem:
    """The inverse of A(i) is its transpose."""
    path = [
        V_y * At_j * at_i * a_i * A_j * V_x,
        V_y * At_j * at_i * At_i * A_i * a_i * A_j * V_x,
        V_y * At_j * A_i * a_i * A_j * V_x,
        V_y * At_j * A_j * V_x,
        V_y * V_x,
    ]
    premise, goal = _statement(VALUE_TRANSPORT, "keeps_norms", of).args
    return _chain(goal, path, _facts(premise))


_TWICE = {"N": 1, "d": 1, "M": 1, "x": 1, "alpha": 1, "n": 0}


@control(
    "not_normalised", {"N": 2, "d": 1, "M": 1, "x": 1, "alpha": 1, "n": 0}, mixed=lambda w: Eq(w, 2)
)
@proves(VALUE_TRANSPORT, "bounded", "all d and N, all weights and values")
def bounded(of: Addressing) -> Theorem:
    """A square is convex: sum alpha (x - mu)^2 >= 0 in every component, then add the components."""
    known, goal = _statement(VALUE_TRANSPORT, "bounded", of).args
    mixed, small = known.args
    count, width, token, part = (T.node(v) for v in (theory.N, theory.d, n, theory.e))
    weight, value = T.node(theory.alpha(n)), T.node(theory.array(theory.d * n + theory.e))
    mean = node_total(token, count, weight * value)
    squares = node_total(token, count, weight * value**2)
    center = name_of("mu", Real)
    spread = node_total(token, count, weight * (value - center) ** 2)
    generic = prove_nonneg(Le(center**2, squares), spread, [mixed, Eq(mean, center)])
    convex = T.discharge(kernel.specialise(generic, {center: mean}), prove_identity(Eq(mean, mean)))
    whole = kernel.sum_congruence(convex, part, width)
    swapped = kernel.exchange(node_total(part, width, node_total(token, count, weight * value**2)))
    inside = T.node(Lt(n, theory.N))
    one = T.apply(T.assume(small), [token], kernel.assume(inside))
    lengths, bound = one.conclusion.args
    scaled = prove_nonneg(
        Le(weight * lengths, weight * bound), weight * T.margin(one.conclusion), [one.conclusion]
    )
    added = kernel.sum_congruence(T.discharge(scaled, one), token, count)
    facts = [whole.conclusion, swapped.conclusion, added.conclusion, mixed]
    form = T.margin(whole.conclusion) + T.margin(added.conclusion)
    proof = T.discharge(prove_nonneg(goal, form, facts), whole, swapped, added)
    return T.unpack(proof, known)
