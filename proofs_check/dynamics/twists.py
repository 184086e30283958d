"""Proofs of `theory.dynamics.twists`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sympy import Integer as Whole
from sympy import Rational, cos, exp, pi, sin

from posproof.proofs_check import kernel, periodic
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Eq as Equal
from posproof.proofs_check.language import Node, num, substitute
from posproof.proofs_check.search import (
    prove_by_induction,
    prove_contradiction,
    prove_each,
    prove_identity,
    prove_nonneg,
    prove_order,
)
from posproof.theory.dynamics.twists import (
    ODD_ANTIPODAL,
    STABLE_TWISTS,
    TWISTED_BRANCH,
    Twists,
    beta,
    e,
    even,
    i,
    j,
    k,
    l,
    m,
    n,
    odd,
    p,
    phase,
    q,
    r,
    t,
    theta,
    tokens,
    weight,
    x,
)
from posproof.theory.symbols import Variable, sequence, total
from posproof.theory.vocabulary import Eq, Exists, ForAll, Int, Lt, Ne, Real, control, proves

whole, half = Variable("a", Real), Variable("b", Real)
g = sequence("g")


def _holds(lemma: Theorem, function: Callable[[Any], Any], *values: Any) -> Theorem:
    """A lemma of `periodic` for a function, its premises by algebra."""
    found = periodic.at(lemma, function, *values)
    while found.conclusion.head == "implies":
        bound, goal = found.conclusion.args[0].args
        form = goal.args[1]
        each = prove_identity(goal) if goal.head == "eq" else prove_nonneg(goal, form)
        found = kernel.modus(found, kernel.generalise(each, bound))
    return found


def _nonzero(positive: Theorem) -> Theorem:
    """t != 0 from 0 < t."""
    zero = Equal(positive.conclusion.args[1], num(0))
    return T.discharge(T.conclude_not(T.contradict([positive.conclusion, zero]), zero), positive)


def _rows(theorem: Theorem) -> Theorem:
    """Discharge that sums of exponentials are not zero."""
    for fact in theorem.hypotheses:
        value = fact.args[0].args[0] if fact.head == "not" else fact
        power = value.args[1] if value.head == "pow" else 1
        value = value.args[0] if value.head == "pow" else value
        if value.head != "sum":
            continue
        index, upper, term = value.args
        hole = T.variable("at", Real)
        value = substitute(term, {index: hole})
        lemma = kernel.realise(periodic.positive(), "f", hole, value)
        found = T.apply(lemma, [upper])
        bound, goal = found.conclusion.args[0].args
        each = kernel.generalise(prove_nonneg(goal, goal.args[1]), bound)
        above = kernel.modus(found, each)
        if power != 1:
            raised = above.conclusion.args[1] ** power
            above = T.discharge(prove_nonneg(Lt(0, raised), raised, [above.conclusion]), above)
        theorem = T.discharge(theorem, _nonzero(above))
    return theorem


# ---------------------------------------------------------------------- dynamics.twisted_branch
def wrong_way(i: Any, theta: Any) -> Any:
    return i * theta


@control(
    "wrong_way",
    {"d": 1, "i": 0, "j": 1, "alpha": (0,), "theta": (1,), "e": (1,)},
    branch_turn=wrong_way,
)
@proves(TWISTED_BRANCH, "flat")
def flat(of: Twists) -> Theorem:
    """Every angle between rotated tokens is 0."""
    premise, goal = T.inner(T.stated(TWISTED_BRANCH, "flat", of)).args
    return T.implication(prove_identity(goal, [premise]), premise)


@control("wrong_way", branch_turn=wrong_way)
@proves(TWISTED_BRANCH, "uniform")
def uniform(of: Twists) -> Theorem:
    """Every weight is exp(beta)."""
    return _rows(prove_identity(T.inner(T.stated(TWISTED_BRANCH, "uniform", of))))


def _geometric(size: Any) -> tuple[Theorem, Theorem]:
    """(z - 1) times the sum of z^j over j < size is z^size - 1, z = exp(i theta)."""
    count = Variable("M", Int(0))
    waves = [total(j, count, wave(j * theta)) for wave in (cos, sin)]
    c, s = cos(theta) - 1, sin(theta)
    real = Eq(c * waves[0] - s * waves[1], cos(count * theta) - 1)
    imaginary = Eq(s * waves[0] + c * waves[1], sin(count * theta))
    proofs = (prove_by_induction(count, statement) for statement in (real, imaginary))
    first, second = (kernel.specialise(proof, {T.node(count): T.node(size)}) for proof in proofs)
    return first, second


@control("values_rotated", value_turn=lambda theta: theta)
@proves(TWISTED_BRANCH, "rests")
def rests(of: Twists) -> Theorem:
    """n times the field is sin(i theta) C - cos(i theta) S; tokens 0 and 1 show C and S."""
    still, allowed = T.inner(T.stated(TWISTED_BRANCH, "rests", of)).args
    flat_turn, resonant = allowed.args
    once, apart = resonant.args
    bounded = T.inner(still)
    speed = bounded.args[1].args[0]
    waves = [T.node(total(j, tokens, wave(j * theta))) for wave in (cos, sin)]
    cosines, sines = waves
    here = T.node(i) * T.node(theta)
    spread = Node("sin", (here,)) * cosines - Node("cos", (here,)) * sines
    value = _rows(prove_identity(Equal(speed * T.node(tokens), spread)))
    real, imaginary = _geometric(tokens)

    def at(index: int) -> Theorem:
        zero = kernel.instantiate(kernel.assume(still), num(index))
        inside = prove_order(Lt(index, tokens))
        rest = kernel.modus(zero, inside)
        moved = kernel.specialise(value, {T.node(i): num(index)})
        goal = Equal(moved.conclusion.args[1], num(0))
        proof = _opaque(goal, moved, rest)
        return proof

    first, second = at(0), at(1)
    none = prove_identity(Equal(sines, num(0)), [first.conclusion])
    none = T.discharge(none, first)
    slanted = T.node(Ne(sin(theta), 0))
    empty = prove_identity(Equal(cosines, num(0)), [second.conclusion, none.conclusion, slanted])
    empty = T.discharge(empty, second, none)
    facts = [real.conclusion, none.conclusion, empty.conclusion]
    returns = T.discharge(prove_identity(once, facts), real, none, empty)
    level = apart.args[0]
    differs = T.conclude_not(prove_contradiction([level, slanted]), level)
    right = T.alternative(T.both(returns, differs), allowed)
    left = T.alternative(kernel.assume(flat_turn), allowed)
    forward = T.split(flat_turn, left, right)

    inside = bounded.args[0]
    goal = bounded.args[1]
    backward_flat = _standing(value, speed, waves, [flat_turn], goal)
    crossing = Eq(sin(tokens * theta), 0)
    odd_case = prove_contradiction([once, Ne(sin(tokens * theta), 0)], crossing)
    zero_sine = T.split(crossing, kernel.assume(T.node(crossing)), odd_case)
    known = [real.conclusion, imaginary.conclusion, once, apart, zero_sine.conclusion]
    nothing = [
        T.discharge(prove_identity(Equal(wave, num(0)), known), real, imaginary, zero_sine)
        for wave in waves
    ]
    balanced = _vanishes(value, speed, nothing, goal)
    backward_ring = T.unpack(balanced, resonant)
    rest = kernel.cases(kernel.assume(allowed), backward_flat, backward_ring)
    backward = T.generalise(T.implication(rest, inside), i)
    return T.iff(still, allowed, forward, backward)


def _opaque(goal: Node, moved: Theorem, rest: Theorem) -> Theorem:
    """t = 0 from s n = t and s = 0, whatever s and t are."""
    s, t, u = (T.node(Variable(name, Real)) for name in "stu")
    proof = prove_identity(Equal(t, num(0)), [Equal(s * u, t), Equal(s, num(0))])
    speed, size = moved.conclusion.args[0].args
    values = {s: speed, t: goal.args[0], u: size}
    return T.discharge(kernel.specialise(proof, values), moved, rest)


def _vanishes(value: Theorem, speed: Node, nothing: Sequence[Theorem], goal: Node) -> Theorem:
    """speed = 0 from speed n = a C - b S and C = S = 0."""
    flat_sum = Equal(value.conclusion.args[1], num(0))
    zero = prove_identity(flat_sum, [fact.conclusion for fact in nothing])
    return _divided(value, T.discharge(zero, *nothing))


def _divided(value: Theorem, zero: Theorem) -> Theorem:
    """speed = 0 from speed n = t and t = 0."""
    s, t = (T.node(Variable(name, Real)) for name in "st")
    size = T.node(tokens)
    proof = prove_identity(Equal(s, num(0)), [Equal(s * size, t), Equal(t, num(0))])
    speed = value.conclusion.args[0].args[0]
    values = {s: speed, t: value.conclusion.args[1]}
    return T.discharge(kernel.specialise(proof, values), value, zero)


def _standing(
    value: Theorem, speed: Node, waves: Sequence[Node], given: Sequence[Node], goal: Node
) -> Theorem:
    """sin theta = 0 makes every sine of a multiple vanish, by induction."""
    count = Variable("M", Int(0))
    multiple = Eq(sin(count * theta), 0)
    base = prove_identity(T.instance(multiple, count, 0))
    step = prove_identity(
        T.instance(multiple, count, T.node(count) + 1), [T.node(multiple), *given]
    )
    every = kernel.induct(T.node(count), T.node(multiple), base, step)
    here = kernel.specialise(every, {T.node(count): T.node(i)})
    there = kernel.specialise(every, {T.node(count): T.node(j)})
    summed = kernel.sum_congruence(there, T.node(j), T.node(tokens))
    facts = [here, summed]
    flat_sum = Equal(value.conclusion.args[1], num(0))
    zero = prove_identity(flat_sum, [fact.conclusion for fact in facts])
    return _divided(value, T.discharge(zero, *facts))


@control("half_the_turn", pull=lambda angle: cos(angle / 2))
@control("values_rotated", value_turn=lambda theta: theta)
@proves(TWISTED_BRANCH, "branch_slope")
def branch_slope(of: Twists) -> Theorem:
    """Scores are stationary where every rotated token is the same."""
    return _rows(prove_identity(T.inner(T.stated(TWISTED_BRANCH, "branch_slope", of))))


@control("half_the_turn", pull=lambda angle: cos(angle / 2))
@proves(TWISTED_BRANCH, "branch_modes")
def branch_modes(of: Twists) -> Theorem:
    """Squares of cosines are waves of twice the angle, and both sum to 0 over the ring."""
    resonant, goals = T.inner(T.stated(TWISTED_BRANCH, "branch_modes", of)).args
    twice = kernel.assume(resonant)
    single = T.node(Exists(t, Eq(p, n * t)))
    doubled = T.exists(resonant.args[0], 2 * t, lambda goal: prove_identity(goal, [Eq(p, n * t)]))
    impossible = kernel.clash(T.obtain(kernel.assume(single), t, doubled), twice)
    once = T.conclude_not(impossible, single)
    sums = [
        fact
        for turns, premise in ((p, once), (2 * p, twice))
        for fact in T.parts(T.apply(T.period_sums(), [turns, n], premise))
    ]
    given = [fact.conclusion for fact in sums]
    first, second, rest = goals.args
    across, zero = rest.args
    last = T.discharge(prove_identity(zero, [*given, *across.args]), *sums)
    proofs = [T.discharge(prove_identity(goal, given), *sums) for goal in (first, second)]
    last = T.implication(T.unpack(last, across), across)
    return T.implication(T.both(*proofs, last), resonant)


@control("no_rotation", pull=lambda angle: Whole(1))
@proves(TWISTED_BRANCH, "even_modes")
def even_modes(of: Twists) -> Theorem:
    """Signs square to 1 and sum to 0."""
    signs = prove_by_induction(k, Eq(total(j, 2 * k, cos(pi * j)), 0))
    first, rest = T.inner(T.stated(TWISTED_BRANCH, "even_modes", of)).args
    across, zero = rest.args
    one = T.discharge(prove_identity(first, [signs.conclusion]), signs)
    last = T.discharge(prove_identity(zero, [signs.conclusion, across]), signs)
    return T.both(one, T.implication(last, across))


# ---------------------------------------------------------------------- dynamics.odd_antipodal
def _alternating(of: Twists) -> Theorem:
    """The signs of n = 2 k + 1 tokens sum to 1."""
    statement = Eq(total(j, of.size(k), cos(pi * j)), 1)
    return prove_by_induction(k, statement)


@control("quarter_turn", pull=lambda angle: cos(angle / 2))
@control("values_rotated", value_turn=lambda theta: theta)
@proves(ODD_ANTIPODAL, "antipodal_slope")
def antipodal_slope(of: Twists) -> Theorem:
    """All rotated tokens agree, so scores are stationary and every weight is the same."""
    return _rows(prove_identity(T.inner(T.stated(ODD_ANTIPODAL, "antipodal_slope", of))))


@control("even_number_of_tokens", size=lambda k: 2 * k + 2)
@control("no_rotation", pull=lambda angle: Whole(1))
@proves(ODD_ANTIPODAL, "modes")
def modes(of: Twists) -> Theorem:
    """Signs square to 1 and sum to 1; sums over even and odd tokens are taken out."""
    signs = _alternating(of)
    size = of.size(k)
    sums = [T.node(total(j, size, part(j) * x(j))) for part in (even, odd)]
    goals = T.inner(T.stated(ODD_ANTIPODAL, "modes", of)).args
    return T.both(*(_named(goal, sums, [signs]) for goal in goals))


def _named(goal: Node, sums: Sequence[Node], facts: Sequence[Theorem]) -> Theorem:
    """The goal by algebra, with names for sums that occur in it as constants."""
    names = [T.node(name) for name in (whole, half)][: len(sums)]
    known = [Equal(value, name) for value, name in zip(sums, names, strict=True)]
    shape = _replaced(goal, dict(zip(sums, names, strict=True)))
    proof = prove_identity(shape, [*known, *(fact.conclusion for fact in facts)])
    proof = kernel.specialise(proof, dict(zip(names, sums, strict=True)))
    return T.discharge(proof, *facts, *(prove_identity(Equal(value, value)) for value in sums))


def _replaced(node: Node, values: Mapping[Node, Node]) -> Node:
    if node in values:
        return values[node]
    inner = (_replaced(a, values) if isinstance(a, Node) else a for a in node.args)
    return Node(node.head, tuple(inner))


@control("even_number_of_tokens", size=lambda k: 2 * k + 2)
@proves(ODD_ANTIPODAL, "dimensions")
def dimensions(of: Twists) -> Theorem:
    signs = _alternating(of)
    goals = T.inner(T.stated(ODD_ANTIPODAL, "dimensions", of)).args
    return T.both(*(T.discharge(prove_identity(goal, [signs.conclusion]), signs) for goal in goals))


@control("even_number_of_tokens", size=lambda k: 2 * k + 2)
@proves(ODD_ANTIPODAL, "characteristic", "n = 3, 5, 7; every odd n through its modes")
def characteristic(of: Twists) -> Theorem:
    """The determinant by minors."""
    return prove_each(T.stated(ODD_ANTIPODAL, "characteristic", of), prove_identity)


@control(
    "without_projection",
    {"n": 1, "d": 1, "i": 0, "A": (1,), "e": (1,), "w": (1,)},
    project=lambda value, along: value,
)
@proves(ODD_ANTIPODAL, "polar")
def polar(of: Twists) -> Theorem:
    """The projection of a multiple of w at a unit vector w."""
    unit, goal = T.inner(T.stated(ODD_ANTIPODAL, "polar", of)).args
    mean = T.node(total(j, n, weight(j) * e(j)))
    name = T.node(whole)
    proof = prove_identity(_replaced(goal, {mean: name}), [unit])
    return T.implication(kernel.specialise(proof, {name: mean}), unit)


# ---------------------------------------------------------------------- dynamics.stable_twists
def _twisted_rows(of: Twists) -> list[Theorem]:
    """On a twisted state the pull of the tokens ahead and behind cancel."""

    def pulled(at: Any) -> Any:
        return of.ring_weight(p, q, at, n, beta) * sin(of.phase(q, at, n))

    moved = _holds(periodic.shifted(), pulled, n, i)
    zero = _holds(periodic.odd_vanishes(), pulled, n)
    balance = Eq(total(r, n, pulled(r - i)), 0)
    return [T.discharge(prove_identity(balance, [moved.conclusion, zero.conclusion]), moved, zero)]


@control("half_the_angle", phase=lambda q, r, n: pi * q * r / n)
@proves(STABLE_TWISTS, "equilibrium")
def equilibrium(of: Twists) -> Theorem:
    """The row starts at token i; its weights are even and the sine is odd."""
    facts = _twisted_rows(of)
    goal = T.inner(T.stated(STABLE_TWISTS, "equilibrium", of))
    proof = prove_identity(goal, [fact.conclusion for fact in facts])
    return _rows(T.discharge(proof, *facts))


@control("without_beta", coefficient=lambda beta, turn, gap: cos(turn))
@control(
    "sign_of_beta", coefficient=lambda beta, turn, gap: cos(turn) + beta * sin(turn) * sin(gap)
)
@proves(STABLE_TWISTS, "linearisation")
def linearisation(of: Twists) -> Theorem:
    """The quotient rule; what the row sum contributes has the balanced row as a factor."""
    facts = _twisted_rows(of)
    goal = T.inner(T.stated(STABLE_TWISTS, "linearisation", of))
    proof = prove_identity(goal, [fact.conclusion for fact in facts])
    return _rows(T.discharge(proof, *facts))


def _even_row(wave: Callable[[Any], Any]) -> Theorem:
    """For g even and of period n: sum of g(r - i) (wave(r) - wave(i)) is a multiple of wave(i)."""
    at = Variable("x", Real)
    returns, turns = Eq(g(at + n), g(at)), Eq(g(-at), g(at))
    premises = [T.node(ForAll(at, fact)) for fact in (returns, turns)]

    def holds(lemma: Theorem, function: Callable[[Any], Any], *values: Any) -> Theorem:
        found = periodic.at(lemma, function, *values)
        while found.conclusion.head == "implies":
            bound, goal = found.conclusion.args[0].args
            facts = [kernel.instantiate(kernel.assume(premise), bound) for premise in premises]
            proof = prove_identity(goal, [fact.conclusion for fact in facts])
            found = kernel.modus(found, kernel.generalise(T.discharge(proof, *facts), bound))
        return found

    def weighted(wave: Any) -> Callable[[Any], Any]:
        return lambda at: g(at) * wave(phase(m, at, n))

    facts = [holds(periodic.shifted(), f, n, i) for f in (g, weighted(cos), weighted(sin))]
    facts.append(holds(periodic.odd_vanishes(), weighted(sin), n))
    here = wave(phase(m, i, n))
    image = total(r, n, g(r - i) * (wave(phase(m, r, n)) - here))
    goal = Eq(image, total(r, n, g(r) * (cos(phase(m, r, n)) - 1)) * here)
    proof = T.discharge(prove_identity(goal, [fact.conclusion for fact in facts]), *facts)
    return T.implication(proof, *premises)


def _sums(node: Node) -> list[Node]:
    """The sums that occur in a term, in order."""
    if node.head == "sum":
        return [node]
    return [found for a in node.args if isinstance(a, Node) for found in _sums(a)]


def _same_sum(left: Node, right: Node) -> Theorem:
    """Two sums over the same range whose terms are equal by algebra."""
    index, upper, body = left.args
    other = substitute(right.args[2], {right.args[0]: index})
    return kernel.sum_congruence(prove_identity(Equal(body, other)), index, upper)


@control("half_the_angle", phase=lambda q, r, n: pi * q * r / n)
@proves(STABLE_TWISTS, "circulant")
def circulant(of: Twists) -> Theorem:
    """Shift the row to start at 0 and expand the wave; the odd part of an even row vanishes."""
    at = Variable("x", Real)

    def row(at: Any) -> Any:
        return of.ring_weight(l - q, q, at, n, beta)

    slope = T.node(of.slope(l - q, q, at, n, beta))
    moved = _holds(periodic.shifted(), row, n, i)
    goals = T.inner(T.stated(STABLE_TWISTS, "circulant", of)).args

    def eigen(goal: Node, wave: Callable[[Any], Any]) -> Theorem:
        lemma = kernel.realise(_even_row(wave), "g", T.node(at), slope)
        while lemma.conclusion.head == "implies":
            bound, fact = lemma.conclusion.args[0].args
            lemma = kernel.modus(lemma, kernel.generalise(prove_identity(fact), bound))
        ours, theirs = _sums(goal), _sums(lemma.conclusion)
        image, whole_row, growth, mass = ours
        here = T.node(wave(phase(m, i, n)))
        s, t, u, v, y, z = names = [T.node(Variable(name, Real)) for name in "stuvyz"]
        shape = _replaced(goal, dict(zip(ours, names[:4], strict=True)))
        known = [Equal(s, y), Equal(u, z), Equal(y, z * here), Equal(t, v)]
        proof = prove_identity(shape, [*known, Node("not", (Equal(t, num(0)),))])
        proof = kernel.specialise(proof, dict(zip(names, [*ours, *theirs], strict=True)))
        first, last = moved.conclusion.args
        ends = _same_sum(whole_row, first), moved, _same_sum(last, mass)
        equations = [Equal(s, t), Equal(t, u), Equal(u, v)]
        chain = kernel.specialise(
            prove_identity(Equal(s, v), equations),
            dict(zip((s, t, u, v), (whole_row, first, last, mass), strict=True)),
        )
        facts = _same_sum(image, theirs[0]), _same_sum(growth, theirs[1]), lemma
        return _rows(T.discharge(proof, *facts, T.discharge(chain, *ends)))

    return T.both(*(eigen(goal, wave) for goal, wave in zip(goals, (cos, sin), strict=True)))


@control("without_beta", coefficient=lambda beta, turn, gap: cos(turn))
@proves(STABLE_TWISTS, "three")
def three(of: Twists) -> Theorem:
    """Three terms written out."""
    first, second, stable = T.inner(T.stated(STABLE_TWISTS, "three", of)).args
    falls, above = stable.args
    scale = exp(3 * beta / 2) + 2
    forward = prove_nonneg(above, T.node(4 * scale / 9) * T.margin(falls), [falls])
    backward = prove_nonneg(falls, T.node(Rational(9, 4) / scale) * T.margin(above), [above])
    return T.both(
        _rows(prove_identity(first)),
        _rows(prove_identity(second)),
        T.iff(falls, above, _rows(forward), _rows(backward)),
    )


@control("without_beta", coefficient=lambda beta, turn, gap: cos(turn))
@proves(STABLE_TWISTS, "four")
def four(of: Twists) -> Theorem:
    """Four terms written out."""
    *equations, stable = T.inner(T.stated(STABLE_TWISTS, "four", of)).args
    falls, above = stable.args
    scale = exp(beta) + 2 + exp(-beta)
    forward = prove_nonneg(above, T.node(scale / 2) * T.margin(falls), [falls])
    backward = prove_nonneg(falls, T.node(2 / scale) * T.margin(above), [above])
    return T.both(
        *(_rows(prove_identity(equation)) for equation in equations),
        T.iff(falls, above, _rows(forward), _rows(backward)),
    )


@control("without_beta", coefficient=lambda beta, turn, gap: cos(turn))
@proves(STABLE_TWISTS, "mirror")
def mirror(of: Twists) -> Theorem:
    """p + q = -q: the gap is minus the turn."""
    return prove_identity(T.inner(T.stated(STABLE_TWISTS, "mirror", of)))


@control("without_beta", coefficient=lambda beta, turn, gap: cos(turn))
@proves(STABLE_TWISTS, "class_sums")
def class_sums(of: Twists) -> Theorem:
    """Products of cosines as sums, under the sum."""
    return prove_identity(T.inner(T.stated(STABLE_TWISTS, "class_sums", of)))


@control("without_beta", coefficient=lambda beta, turn, gap: cos(turn))
@proves(STABLE_TWISTS, "signs", "the eight systems printed")
def signs(of: Twists) -> Theorem:
    return prove_each(T.stated(STABLE_TWISTS, "signs", of), kernel.ground)


@control("without_beta", coefficient=lambda beta, turn, gap: cos(turn))
@proves(STABLE_TWISTS, "thresholds", "the seven sizes printed")
def thresholds(of: Twists) -> Theorem:
    return prove_each(T.stated(STABLE_TWISTS, "thresholds", of), kernel.ground)
