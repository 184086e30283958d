"""Proofs of `theory.symplectic.boosts`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import sympy
from sympy import ImmutableMatrix, log

from posproof.proofs_check import exponentials, kernel, language
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import FALSUM, Node, num
from posproof.proofs_check.search import Undecided, prove_identity, prove_nonneg
from posproof.proofs_check.symplectic.branches import tangent_line
from posproof.proofs_check.symplectic.norms import nonzero_shown
from posproof.proofs_check.symplectic.powers import norm_is, signs_shown
from posproof.theory.symplectic import boosts as statements
from posproof.theory.symplectic.boosts import (
    LORENTZ_BOOST,
    A,
    Boosts,
    C,
    alpha,
    beta,
    gamma,
    h,
    m,
    mu,
    n,
    t,
    x,
)
from posproof.theory.vocabulary import And, Eq, Le, Lt, Prop, control, proves

node = T.node
RATE, DAMPING = node(mu), node(gamma)
SLOW, FAST = DAMPING - RATE, DAMPING + RATE
FIRST, SECOND = node(A), node(C)
TIME, STEP = node(t), node(h)
FASTER = language.Lt(RATE, DAMPING)


def decay(rate: Node, time: Node | int = 1) -> Node:
    """exp(-rate time)."""
    return language.exp(num(-1) * (rate * time))


def _closed(statement: Any, prove: Any) -> Theorem:
    """for all names: premise => goal, from `prove(premise, goal)` under parts of the premise."""
    premise, goal = T.inner(statement).args
    proof = T.unpack_all(prove(premise, goal), premise)
    return T.generalise(T.implication(proof, premise), *T.outer(statement))


# ---------------------------------------------------------------------- the symmetric case
def _named_exponential(named: Node, given: Sequence[Node], form: Node) -> Theorem:
    """x = log E |- exp x = E, where E equals a visibly positive form."""
    angle, value = named.args
    inside = value.args[0]
    hole = T.real("hole")
    pattern = language.Eq(language.exp(hole), inside)
    at = prove_identity(language.substitute(pattern, {hole: value}))
    at = nonzero_shown(signs_shown(at, form, given), form, given)
    return kernel.leibniz(at, pattern, hole, named)


def _positive(term: Node, given: Sequence[Node], cosine: Node) -> Theorem:
    """0 < term, where term (2 cosine - term) = 1 and the cosine is visibly positive."""
    against = language.Le(term, num(0))
    form = (num(0) - term) * (2 * cosine) + term**2 + 1
    no = prove_nonneg(FALSUM, form, [*given, against])
    goal = language.Lt(num(0), term)
    return T.compare(num(0), term, kernel.assume(goal), T.ex_falso(no, goal))


ALTERNATING = {"a": Fraction(4, 3), "b": -4, "x": log(3)}


@control("one_branch", ALTERNATING | {"x": -log(3)}, one_way=lambda a, b: Lt(a * b, -4))
@control(
    "equal_shears", {"a": 1, "b": 1, "x": log(Fraction(5, 2))}, symmetric=lambda a, b: Eq(a, b)
)
@proves(LORENTZ_BOOST, "symmetric_case", "all shears")
def symmetric_case(of: Boosts) -> Theorem:
    """(1 + a b / 2)^2 - a^2 = 1 where the matrix is symmetric."""
    forward, backward, below = node(statements.symmetric_case(of)).args
    premise, goal = T.inner(forward).args
    wide = kernel.instantiate(exponentials.one_below_cosh(), node(x))
    same_way, same = goal.args
    above = prove_nonneg(same_way, 2 * T.margin(wide.conclusion), [premise, wide.conclusion])
    first = T.both(T.discharge(above, wide), prove_identity(same, [premise]))
    parts = [T.generalise(T.implication(first, premise), *T.outer(forward))]
    cosine = 1 + node(alpha) * node(beta) / 2
    for statement, sign in ((backward, 1), (below, -1)):
        premise, goal = T.inner(statement).args
        side, same, named = premise.args
        visible = 1 + T.margin(side) / 2 if sign > 0 else T.margin(side) / 2 + 1
        inside = num(sign) * cosine + num(sign) * node(alpha)
        size = _positive(inside, [side, same], visible)
        fact = size.conclusion
        power = _named_exponential(named, [fact], inside)
        proof = prove_identity(goal, [power.conclusion, same])
        proof = T.discharge(T.discharge(proof, power), size)
        proof = T.implication(T.unpack(proof, premise), premise)
        parts.append(T.generalise(proof, *T.outer(statement)))
    return T.both(*parts)


# ---------------------------------------------------------------------- decay
def _falls(rate: Node, time: Node, visible: Node, given: Sequence[Node]) -> tuple[Node, Theorem]:
    """A form of 1 - exp(-rate time) with visible sign, and the tangent line it uses."""
    line = tangent_line(rate * time)
    return decay(rate, time) * (T.margin(line.conclusion) + visible), line


DAMPED = {"gamma": 1, "mu": Fraction(1, 2), "t": 0, "h": 1}


@control("sign_of_the_rate", DAMPED, slow=lambda gamma, mu: mu - gamma)
@proves(LORENTZ_BOOST, "envelope", "all dampings, all mu > 0, all real times t >= 0")
def envelope(of: Boosts) -> Theorem:
    """B is symmetric with eigenvalues exp mu and exp -mu."""
    norm, monotone = node(statements.envelope(of)).args
    premise, goal = T.inner(norm).args[0], norm.args[1].args[1].args[1].args[1]
    premise = norm.args[1].args[1].args[1].args[0]
    named, valued = T.inner(goal).args[0].args
    value, small = valued.args[1], decay(FAST, TIME)
    positive = prove_nonneg(language.Le(num(0), value), decay(SLOW, TIME))
    gap = language.exp(num(-2) * (DAMPING * TIME)) * 2 * language.sinh(2 * (RATE * TIME))
    order = prove_nonneg(language.Le(small**2, value**2), gap, [premise])
    proof = norm_is(goal, named.args[1].args[1:], small, order, positive)
    first = T.generalise(T.implication(proof, premise), gamma, mu, t)

    parts = []
    for claim, strict in zip(T.inner(monotone).args, (False, True), strict=True):
        left, right = claim.args
        one = prove_nonneg(Lt(0, 1), num(1))
        fact = T.apply(
            kernel.assume(left), [num(0), num(1)], T.both(prove_nonneg(Le(0, 0), num(0)), one)
        )
        against = language.Lt(DAMPING, RATE) if not strict else language.Le(DAMPING, RATE)
        line = tangent_line(RATE - DAMPING)
        form = T.margin(fact.conclusion) + T.margin(line.conclusion) + T.margin(against)
        no = prove_nonneg(FALSUM, form, [fact.conclusion, line.conclusion, against])
        no = T.ex_falso(T.discharge(no, fact, line), right)
        forward = (
            T.compare(DAMPING, RATE, no, kernel.assume(right))
            if not strict
            else T.compare(RATE, DAMPING, kernel.assume(right), no)
        )
        side, goal = T.inner(left).args
        drop, line = _falls(SLOW, STEP, T.margin(right) * STEP, [right])
        known = [right, *side.args, line.conclusion]
        less = T.discharge(prove_nonneg(goal, decay(SLOW, TIME) * drop, known), line)
        backward = T.generalise(T.implication(T.unpack(less, side), side), t, h)
        parts.append(T.iff(left, right, forward, backward))
    return T.both(first, T.generalise(T.both(*parts), gamma, mu))


SUMS = {"gamma": 1, "mu": 1, "t": 0, "q1": 1, "q2": 0, "k1": 1, "k2": 0, "A": Fraction(1, 2)}


@control("rates_exchanged", SUMS | {"C": Fraction(1, 2), "t": 1}, slow=lambda gamma, mu: gamma + mu)
@control(
    "second_coefficient_negated",
    SUMS | {"C": Fraction(-1, 2)},
    second=lambda q, k: -(q[0] - q[1]) * (k[0] - k[1]) / 2,
)
@proves(LORENTZ_BOOST, "two_rates", "all queries, keys, dampings and times")
def two_rates(of: Boosts) -> Theorem:
    """Partial fractions in exp mu t."""

    def prove(premise: Node, goal: Node) -> Theorem:
        return T.both(*(prove_identity(part, premise.args) for part in goal.args))

    return _closed(statements.two_rates(of), prove)


# ---------------------------------------------------------------------- monotone scores
def _drops(time: Node) -> tuple[Node, Node, list[Theorem]]:
    """1 - exp(-r_slow time) and 1 - exp(-r_fast time) with visible signs under mu < gamma."""
    gap = T.margin(FASTER)
    first, line = _falls(SLOW, time, gap * time, [FASTER])
    second, other = _falls(FAST, time, (gap + 2 * RATE) * time, [FASTER])
    return first, second, [line, other]


def chord(time: Node, strict: bool, given: Sequence[Node]) -> tuple[Node, list[Theorem]]:
    """A visibly positive form of r_fast (1 - exp(-r_slow time)) - r_slow (1 - exp(-r_fast time)).

    The exponential lies above its tangent line at -r_slow time, at 0 and at -r_fast time.
    """
    gap = T.margin(FASTER)
    here, far = SLOW * time, 2 * RATE * time
    if strict:
        line = kernel.instantiate(exponentials.exponential_above_cubic(), here)
        shown = gap * time
        bend = T.margin(line.conclusion) + shown**2 / 2 + shown**3 / 6
    else:
        line = tangent_line(here)
        bend = T.margin(line.conclusion)
    other = tangent_line(num(0) - far)
    form = decay(SLOW, time) * (2 * RATE * bend + gap * T.margin(other.conclusion))
    return form, [line, other]


def _later(ahead: Node) -> tuple[Node, Theorem]:
    """A form of 1 - exp(-2 mu time) with visible sign."""
    return _falls(2 * RATE, ahead, 2 * RATE * ahead, [])


MIXED = {"gamma": 2, "mu": 1, "A": 1, "C": Fraction(-2, 3), "t": 0, "h": Fraction(1, 10), "n": 0}
SLOWLY = MIXED | {"A": -1, "C": 10, "n": 5}


def _first_step(A: Any, C: Any, slow: Any, fast: Any) -> Prop:
    return Le(0, A * (1 - sympy.exp(-slow)) + C * (1 - sympy.exp(-fast)))


@control(
    "slow_part_alone",
    MIXED | {"C": -5},
    steps_down=lambda A, C, slow, fast: And(Le(0, A), Le(0, 2 * A)),
)
@control(
    "first_step_alone",
    SLOWLY,
    steps_down=lambda *rates: And(_first_step(*rates), _first_step(*rates)),
)
@control(
    "sum_of_the_coefficients",
    MIXED,
    flows_down=lambda A, C, slow, fast: And(Le(0, A), Le(0, A + C)),
)
@proves(LORENTZ_BOOST, "monotone", "all A, C and 0 < mu < gamma")
def monotone(of: Boosts) -> Theorem:
    """The decrement is exp(-r_slow n) (a + c exp(-2 mu n)), which is monotone in n."""

    def prove(premise: Node, goal: Node) -> Theorem:
        integers, reals = goal.args
        return T.both(_on_integers(*integers.args), _on_reals(reals, integers))

    statement = statements.monotone(of)
    return _closed(statement, prove)


def _on_integers(left: Node, right: Node) -> Theorem:
    low, first_step = right.args
    drop, fall, lines = _drops(num(1))
    facts = [FASTER, *(line.conclusion for line in lines)]
    start = kernel.instantiate(kernel.assume(left), num(0))
    begin = T.discharge(
        prove_nonneg(first_step, T.margin(start.conclusion), [start.conclusion]), start
    )
    slow_part = _slow_part(left, low, drop, fall, facts)
    forward = T.both(T.discharge(slow_part, *lines), begin)

    name, claim = left.args
    at = node(n)
    up, down = language.Le(num(0), SECOND), language.Lt(SECOND, num(0))
    known = [*facts, low, first_step]
    plus = decay(SLOW, at) * FIRST * drop + decay(FAST, at) * SECOND * fall
    rising = prove_nonneg(claim, plus, [*known, up])
    ratio, line = _later(at)
    total = first_step.args[1]
    minus = decay(SLOW, at) * (total + (num(0) - SECOND) * fall * ratio)
    falling = prove_nonneg(claim, minus, [*known, down, line.conclusion])
    proof = T.compare(SECOND, 0, T.discharge(falling, line), rising)
    backward = kernel.generalise(T.discharge(proof, *lines), name)
    backward = T.unpack(backward, right)
    return T.iff(left, right, forward, backward)


def _slow_part(left: Node, low: Node, drop: Node, fall: Node, facts: Sequence[Node]) -> Theorem:
    """A >= 0: else the slow part wins after c / (2 mu |a|) steps."""
    against = language.Lt(FIRST, num(0))
    down, up = language.Le(SECOND, num(0)), language.Lt(num(0), SECOND)
    depth = T.margin(against) * drop
    start = kernel.instantiate(kernel.assume(left), num(0))
    form = T.margin(start.conclusion) + depth + (num(0) - SECOND) * fall
    early = prove_nonneg(FALSUM, form, [*facts, against, down, start.conclusion])
    early = T.discharge(early, start)

    k = T.integer("k")
    enough = SECOND * fall / (2 * RATE * depth)
    floor = T.apply(kernel.meaning("floor"), [enough])
    inside = T.body(floor, k)
    high = inside.args[1]
    over, count = T.margin(high), k + 1
    known = [*facts, against, up, high]
    natural = prove_nonneg(language.Le(num(0), count), over + enough, known)
    later = kernel.instantiate(kernel.weaken(kernel.assume(left), [natural.conclusion]), count)
    line = tangent_line(2 * RATE * count)
    ratio = decay(2 * RATE, count)
    steps = 1 + 2 * RATE * (over + enough)
    form = (
        T.margin(later.conclusion) * language.exp(SLOW * count) * steps
        + SECOND * fall * ratio * T.margin(line.conclusion)
        + depth
        + 2 * RATE * depth * over
    )
    late = prove_nonneg(FALSUM, form, [*known, later.conclusion, line.conclusion])
    late = T.discharge(T.discharge(late, later, line), natural)
    late = T.obtain(floor, k, T.unpack(late, inside))
    no = T.compare(0, SECOND, late, early)
    return T.compare(FIRST, 0, T.ex_falso(no, low), kernel.assume(low))


def _on_reals(claim: Node, integers: Node) -> Theorem:
    left, right = claim.args
    low, slope = right.args
    side, goal = T.inner(left).args
    at = node(n)
    stepped, steps_right = integers.args
    one = prove_nonneg(Le(0, 1), num(1))
    step = T.apply(kernel.assume(left), [at, num(1)], T.both(prove_nonneg(Le(0, n), at), one))
    name, each = stepped.args
    step = T.discharge(prove_nonneg(each, T.margin(step.conclusion), [step.conclusion]), step)
    stepped_down = kernel.generalise(step, name)
    whole = kernel.modus(kernel.project(_on_integers(stepped, steps_right), 0), stepped_down)
    above = T.parts(whole)[0]
    forward = T.both(above, T.discharge(_slope(left, slope, low), above))

    drop, fall, lines = _drops(STEP)
    facts = [FASTER, low, slope, *side.args, *(line.conclusion for line in lines)]
    up, down = language.Le(num(0), SECOND), language.Lt(SECOND, num(0))
    plus = decay(SLOW, TIME) * FIRST * drop + decay(FAST, TIME) * SECOND * fall
    rising = prove_nonneg(goal, plus, [*facts, up])
    ratio, line = _later(TIME)
    bend, more = chord(STEP, False, [FASTER])
    both = (FIRST * bend + slope.args[1] * fall) / (T.margin(FASTER) + 2 * RATE)
    minus = decay(SLOW, TIME) * (both + (num(0) - SECOND) * fall * ratio)
    extra = [line, *more]
    falling = prove_nonneg(goal, minus, [*facts, down, *(e.conclusion for e in extra)])
    proof = T.compare(SECOND, 0, T.discharge(falling, *extra), rising)
    proof = T.unpack(T.discharge(proof, *lines), side)
    backward = T.generalise(T.implication(proof, side), t, h)
    return T.iff(left, right, forward, T.unpack(backward, right))


def _slope(left: Node, slope: Node, low: Node) -> Theorem:
    """A >= 0 and no rise |- r_slow A + r_fast C >= 0, from small times."""
    total = slope.args[1]
    against = language.Lt(total, num(0))
    gap = T.margin(FASTER)
    fast = gap + 2 * RATE
    up, down = language.Le(num(0), SECOND), language.Lt(SECOND, num(0))
    plainly = prove_nonneg(
        FALSUM, T.margin(against) + gap * FIRST + fast * SECOND, [FASTER, low, up, against]
    )
    # For every time h > 0: 0 <= r_slow A (1 + r_fast h) + r_fast C.
    positive = language.Lt(num(0), STEP)
    later = prove_nonneg(language.Le(num(0), STEP), STEP, [positive])
    fact = T.apply(
        kernel.assume(left), [num(0), STEP], T.both(prove_nonneg(Le(0, 0), num(0)), later)
    )
    line, other = tangent_line(num(0) - SLOW * STEP), tangent_line(FAST * STEP)
    wide = 1 + fast * STEP
    form = (
        T.margin(fact.conclusion) * wide
        + FIRST * T.margin(line.conclusion) * wide
        + (num(0) - SECOND) * decay(FAST, STEP) * T.margin(other.conclusion)
    ) / STEP
    bound = language.Le(num(0), SLOW * FIRST * (1 + FAST * STEP) + FAST * SECOND)
    known = [FASTER, low, down, positive, fact.conclusion, line.conclusion, other.conclusion]
    each = T.discharge(prove_nonneg(bound, form, known), fact, line, other)
    each = T.discharge(each, later)
    each = kernel.generalise(T.implication(each, positive), STEP)
    curve = FIRST * gap * fast
    depth = T.margin(against)
    chosen = depth / (1 + 2 * curve)
    facts = [FASTER, low, against]
    small = prove_nonneg(language.Lt(num(0), chosen), chosen, facts)
    reached = T.apply(each, [chosen], small)
    told = reached.conclusion
    form = T.margin(told) + depth * (1 + curve) / (1 + 2 * curve)
    no = prove_nonneg(FALSUM, form, [*facts, told])
    curved = T.discharge(no, reached)
    excluded = T.compare(SECOND, 0, curved, plainly)
    return T.compare(total, 0, T.ex_falso(excluded, slope), kernel.assume(slope))


# ---------------------------------------------------------------------- differences
@control(
    "difference_forwards",
    {"gamma": 1, "mu": Fraction(1, 2), "A": 0, "C": 1, "q1": 1, "q2": 2},
    second=lambda q, k: (q[0] - q[1]) * (k[0] + k[1]) / 2,
)
@proves(LORENTZ_BOOST, "completely_monotone", "all A, C >= 0 and 0 < mu < gamma, all orders")
def completely_monotone(of: Boosts) -> Theorem:
    """The m-th difference is A e^(-r_slow n) (1 - e^-r_slow)^m plus the same of the fast rate."""
    each, same = node(statements.completely_monotone(of)).args
    premise, goal = T.inner(each).args
    *sides, starts, rule = T.conjuncts(premise)
    drop, fall, lines = _drops(num(1))
    order, at = node(m), node(n)
    stored = T.inner(goal).args[1]
    value = decay(SLOW, at) * FIRST * language.power(drop, order) + decay(
        FAST, at
    ) * SECOND * language.power(fall, order)
    equal = language.Eq(stored, value)
    claim = language.ForAll(at, equal)

    begin = T.apply(kernel.assume(starts), [at])
    first = language.substitute(equal, {order: num(0)})
    base = T.discharge(prove_identity(first, [begin.conclusion]), begin)
    base = kernel.generalise(base, at)
    here = T.apply(kernel.assume(claim), [at])
    after = T.apply(kernel.assume(claim), [at + 1])
    told = T.apply(kernel.assume(rule), [order, at])
    grown = prove_identity(
        language.substitute(equal, {order: order + 1}),
        [here.conclusion, after.conclusion, told.conclusion],
    )
    grown = kernel.generalise(T.discharge(grown, here, after, told), at)
    closed = kernel.instantiate(kernel.induct(order, claim, base, grown), at)
    facts = [*sides, closed.conclusion, *(line.conclusion for line in lines)]
    positive = prove_nonneg(language.Le(num(0), stored), value, facts)
    positive = T.discharge(T.discharge(positive, closed), *lines)
    proof = T.generalise(positive, order, at)
    proof = T.implication(T.unpack_all(proof, premise), premise)
    squares = []
    q1, q2 = (node(q) for q in statements.QUERY)
    for part, form in zip(T.inner(same).args, (q1 + q2, q1 - q2), strict=True):
        squares.append(prove_nonneg(part, form**2 / 2))
    return T.both(
        T.generalise(proof, *T.outer(each)),
        T.generalise(T.both(*squares), *T.outer(same)),
    )


# ---------------------------------------------------------------------- a score that rises
THIRD, NINTH = (Node("log", (num(Fraction(1, k)),)) for k in (3, 9))
RISING = {"gamma": 2, "mu": 1, "A": Fraction(1, 2), "C": Fraction(-1, 2), "t": 0, "h": 1}


@control(
    "one_coefficient_twice",
    RISING | {"C": Fraction(1, 2), "T": num(-1) * THIRD / 2},
    second=lambda q, k: (q[0] + q[1]) * (k[0] + k[1]) / 2,
)
@control(
    "peak_too_late",
    RISING | {"T": num(-1) * NINTH / 2},
    turning=lambda gamma, mu: ((gamma - mu) / (gamma + mu)) ** 2,
)
@proves(LORENTZ_BOOST, "rising_score", "all 0 < mu < gamma")
def rising_score(of: Boosts) -> Theorem:
    """exp(2 mu T) = r_fast / r_slow, and the exponential is strictly convex."""

    def prove(premise: Node, goal: Node) -> Theorem:
        _, first, second, named = premise.args
        score, slope, value, moves = goal.args
        end = node(statements.T)
        gap = T.margin(FASTER)
        ratio = gap / (gap + 2 * RATE)
        logarithm = named.args[1]
        hole = T.real("hole")
        wide = (gap + 2 * RATE) / gap
        pattern = language.Eq(language.exp(hole), wide)
        at = prove_identity(language.substitute(pattern, {hole: logarithm}))
        reached = _conditions(kernel.leibniz(at, pattern, hole, named), ratio, gap)
        peak = reached.conclusion

        split = T.inner(score)
        scored = T.generalise(prove_identity(split, [first, second]), t)
        turned = prove_identity(slope, [peak])
        turned = _conditions(turned, ratio, gap)
        top = T.discharge(_peak_value(of, value, named, slope, peak, ratio, gap), turned)
        legs = _legs(T.inner(moves), peak, end)
        proof = T.both(scored, turned, top, legs)
        proof = _conditions(T.discharge(proof, reached), ratio, gap)
        return _conditions(proof, ratio, gap)

    return _closed(statements.rising_score(of), prove)


def _conditions(theorem: Theorem, ratio: Node, gap: Node) -> Theorem:
    """Discharge the conditions of a logarithm, a root and denominators under mu < gamma."""
    for form in (ratio, gap, gap + 2 * RATE, gap * (gap + 2 * RATE)):
        theorem = signs_shown(theorem, form, [FASTER])
        for fact in theorem.hypotheses:
            if fact.head == "not" and fact.args[0].head == "eq":
                zero = fact.args[0]
                try:
                    no = prove_nonneg(FALSUM, form, [zero, FASTER])
                except Undecided:
                    continue
                theorem = T.discharge(theorem, T.conclude_not(no, zero))
    return theorem


def _peak_value(
    of: Boosts, value: Node, named: Node, slope: Node, peak: Node, ratio: Node, gap: Node
) -> Theorem:
    """f(T) = exp(-gamma T) sinh(mu T): sinh = mu / root, and exp(-gamma T) is a power."""
    end = node(statements.T)
    sine = language.sinh(node(statements.mu * statements.T))
    root = node(sympy.sqrt(gamma**2 - mu**2))
    product = prove_identity(
        language.Eq((sine * root - RATE) * (sine * root + RATE), num(0)), [slope]
    )
    grown = language.exp(node(statements.mu * statements.T))
    above = prove_nonneg(language.Lt(num(0), sine), 2 * RATE / gap / (2 * grown), [peak, FASTER])
    zero = language.Eq(sine * root + RATE, num(0))
    apart = prove_nonneg(FALSUM, sine * root + RATE, [zero, above.conclusion])
    apart = T.conclude_not(T.discharge(apart, above), zero)
    arm = prove_identity(language.Eq(sine * root, RATE), [product.conclusion, apart.conclusion])
    arm = T.discharge(arm, product, apart)

    power = node(of.turning(gamma, mu) ** (gamma / (2 * mu)))
    hole = T.real("hole")
    timed = named.args[1] / (2 * RATE)
    pattern = language.Eq(language.exp(num(-1) * (DAMPING * hole)), power)
    at = prove_identity(language.substitute(pattern, {hole: timed}))
    placed = prove_identity(language.Eq(end, timed), [named])
    powered = T.discharge(kernel.leibniz(at, pattern, hole, placed.conclusion), placed)
    proof = prove_identity(value, [arm.conclusion, powered.conclusion])
    proof = T.discharge(proof, arm, powered)
    proof = _conditions(proof, ratio, gap)
    return _conditions(proof, ratio, gap)


def _legs(moves: Node, peak: Node, end: Node) -> Theorem:
    """f(t) < f(t + h) before T, f(t + h) < f(t) after."""
    gap = T.margin(FASTER)
    found = []
    for part, before in zip(moves.args, (True, False), strict=True):
        side, claim = part.args
        sides = side.args
        base = TIME + STEP if before else TIME
        near, far = (
            (2 * RATE * base, 2 * RATE * end) if before else (2 * RATE * end, 2 * RATE * base)
        )
        order = prove_nonneg(
            language.Le(near, far), 2 * RATE * T.margin(sides[-1] if before else sides[0]), sides
        )
        rise = T.parts(T.apply(exponentials.rises(), [near, far]))[1]
        rise = kernel.modus(rise, order)
        if before:
            bend, extra = _chord_up(STEP)
            line = tangent_line(SLOW * STEP)
            growth = T.margin(line.conclusion) + gap * STEP
            form = decay(FAST, base) / 2 * (bend / gap + T.margin(rise.conclusion) * growth)
        else:
            bend, extra = chord(STEP, True, [FASTER])
            drop, line = _falls(SLOW, STEP, gap * STEP, [FASTER])
            form = decay(FAST, base) / 2 * (bend / gap + T.margin(rise.conclusion) * drop)
        lemmas = [rise, line, *extra]
        facts = [FASTER, peak, *sides, *(lemma.conclusion for lemma in lemmas)]
        proof = T.discharge(prove_nonneg(claim, form, facts), *lemmas)
        found.append(T.implication(T.unpack(proof, side), side))
    return T.generalise(T.both(*found), t, h)


def _chord_up(time: Node) -> tuple[Node, list[Theorem]]:
    """A positive form of r_slow (exp(r_fast time) - 1) - r_fast (exp(r_slow time) - 1)."""
    gap = T.margin(FASTER)
    here, far = SLOW * time, 2 * RATE * time
    line = tangent_line(num(0) - here)
    other = kernel.instantiate(exponentials.exponential_above_cubic(), far)
    bend = T.margin(other.conclusion) + far**2 / 2 + far**3 / 6
    form = language.exp(here) * (2 * RATE * T.margin(line.conclusion) + gap * bend)
    return form, [line, other]


@control(
    "early",
    {"gamma": 2, "mu": 1, "A": -1, "C": 5, "t": 0, "h": 1},
    fast=lambda gamma, mu: (gamma + mu) / 4,
)
@proves(LORENTZ_BOOST, "eventually_rising", "all A < 0, all C, all 0 < mu < gamma")
def eventually_rising(of: Boosts) -> Theorem:
    """exp(-2 mu t) <= 1 / (1 + 2 mu t), and the chords of the exponential."""
    late, small = node(statements.eventually_rising(of)).args
    premise, goal = T.inner(late).args
    conditions = T.conjuncts(premise)
    _, low, later, step, enough = conditions
    gap = T.margin(FASTER)
    fast = gap + 2 * RATE
    depth, steps = T.margin(low), 1 + 2 * RATE * TIME
    up, down = language.Le(num(0), SECOND), language.Lt(SECOND, num(0))
    line = tangent_line(2 * RATE * TIME)
    ratio = decay(2 * RATE, TIME)
    drop, fall, lines = _drops(STEP)
    bend, more = chord(STEP, False, [FASTER])
    extra = [line, *lines, *more]
    facts = [*conditions, *(lemma.conclusion for lemma in extra)]
    # C r_fast exp(-2 mu t) (1 + 2 mu t) <= C r_fast < -r_slow A (1 + 2 mu t)
    spare = (T.margin(enough) + fast * SECOND * ratio * T.margin(line.conclusion)) / steps
    negative, rising = goal.args
    plus = [
        decay(SLOW, TIME) * (spare + 2 * RATE * depth) / fast,
        decay(SLOW, TIME) * (spare * drop / gap + SECOND * ratio * bend / gap),
    ]
    minus = [
        decay(SLOW, TIME) * (depth + (num(0) - SECOND) * ratio),
        decay(SLOW, TIME) * (depth * drop + (num(0) - SECOND) * ratio * fall),
    ]
    parts = []
    for claim, above, below in zip((negative, rising), plus, minus, strict=True):
        first = prove_nonneg(claim, above, [*facts, up])
        second = prove_nonneg(claim, below, [*facts, down])
        parts.append(T.discharge(T.compare(SECOND, 0, second, first), *extra))
    whole = T.implication(T.unpack_all(T.both(*parts), premise), premise)
    return T.both(T.generalise(whole, *T.outer(late)), _vanishing(small))


def _modulus_of_negative(term: Node, low: Node) -> Theorem:
    """term < 0 |- |term| = -term."""
    size = Node("abs", (term,))
    product = prove_identity(language.Eq((size + term) * (size - term), num(0)))
    zero = language.Eq(size - term, num(0))
    apart = T.conclude_not(prove_nonneg(FALSUM, size + T.margin(low), [zero, low]), zero)
    goal = language.Eq(size, num(0) - term)
    proof = prove_identity(goal, [product.conclusion, apart.conclusion])
    return T.discharge(proof, product, apart)


def _vanishing(statement: Node) -> Theorem:
    """|f| <= (|A| + |C|) exp(-r_slow t), by squares."""
    premise, goal = T.inner(statement).args
    _, low, side = T.conjuncts(premise)
    size, limit = goal.args
    ratio, line = _later(TIME)
    shrunk, scale = decay(2 * RATE, TIME), decay(SLOW, TIME)
    over = language.Lt(limit, size)
    gap = T.margin(over)
    first, second = (node(sympy.Abs(c)) for c in (A, C))
    whole = scale * (first + second)
    squares = gap * (gap + 2 * whole)
    up, down = language.Le(num(0), SECOND), language.Lt(SECOND, num(0))
    negative, other = _modulus_of_negative(FIRST, low), _modulus_of_negative(SECOND, down)
    branches = []
    for case, mixed, extra in (
        (down, (num(0) - SECOND) * ratio, [negative, other]),
        (up, second + SECOND * shrunk, [negative]),
    ):
        # (|A| + |C|)^2 - (A + C e)^2 = 2 |A| (|C| + C e) + C^2 (1 - e)(1 + e)
        rest = 2 * T.margin(low) * mixed + SECOND**2 * ratio * (1 + shrunk)
        facts = [case, low, side, over, line.conclusion, *(e.conclusion for e in extra)]
        no = prove_nonneg(FALSUM, squares + scale**2 * rest, facts)
        branches.append(T.discharge(no, line, *extra))
    excluded = T.compare(SECOND, 0, *branches)
    proof = T.compare(limit, size, T.ex_falso(excluded, goal), kernel.assume(goal))
    proof = T.implication(T.unpack_all(proof, premise), premise)
    return T.generalise(proof, *T.outer(statement))


@control("quarter_turn_of_one_axis", rotation=lambda c, s: ImmutableMatrix([[c, s], [s, c]]))
@control("boost_backwards", boost=lambda c, s: statements.boost(c, -s))
@proves(LORENTZ_BOOST, "real_forms", "all angles")
def real_forms(of: Boosts) -> Theorem:
    """A matrix that is a boost and a rotation has sinh x = 0."""
    complexified, meet, above, below = node(statements.real_forms(of)).args
    name, pair = complexified.args
    first = kernel.generalise(T.both(*(prove_identity(part) for part in pair.args)), name)
    premise, goal = T.inner(meet).args
    wide, sine = language.cosh(node(x)), language.sinh(node(x))
    zero = language.Eq(wide + 1, num(0))
    apart = T.conclude_not(prove_nonneg(FALSUM, wide + 1, [zero]), zero)
    flat = prove_identity(language.Eq(sine, num(0)), [premise])
    one = prove_identity(language.Eq(wide, num(1)), [flat.conclusion, apart.conclusion])
    facts = [premise, flat.conclusion, one.conclusion]
    both = T.both(*(prove_identity(part, facts) for part in goal.args))
    both = T.discharge(T.discharge(both, one), flat, apart)
    second = T.generalise(T.implication(both, premise), *T.outer(meet))
    least = kernel.instantiate(exponentials.one_below_cosh(), node(x))
    third = prove_nonneg(T.inner(above), 2 * T.margin(least.conclusion), [least.conclusion])
    third = T.generalise(T.discharge(third, least), *T.outer(above))
    goal = T.inner(below)
    trace = goal.args[0]
    angle = T.outer(below)[0]
    sine = language.sin(angle)
    over = language.Lt(num(2), trace)
    form = T.margin(over) * (T.margin(over) + 4) + 4 * sine**2
    no = prove_nonneg(FALSUM, form, [over])
    fourth = T.compare(2, trace, T.ex_falso(no, goal), kernel.assume(goal))
    return T.both(first, second, third, T.generalise(fourth, angle))


@control("euclidean_form", metric=ImmutableMatrix([[1, 0], [0, 1]]))
@proves(LORENTZ_BOOST, "minkowski", "all angles, positions, queries and keys")
def minkowski(of: Boosts) -> Theorem:
    """The addition theorems of the hyperbolic functions."""
    return T.prove_tree(statements.minkowski(of))
