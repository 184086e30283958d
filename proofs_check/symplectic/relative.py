"""Proofs of `theory.symplectic.relative`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from flint import fmpq_mat
from sympy import cosh, sinh

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import (
    And,
    Eq,
    Implies,
    Integer,
    Le,
    Lt,
    Node,
    Real,
    cos,
    num,
    operator,
    pi,
    sequence,
    sin,
    substitute,
    total,
    unit,
    variable,
)
from posproof.proofs_check.recurrence import returns
from posproof.proofs_check.search import (
    Listed,
    prove_by_induction,
    prove_identity,
    prove_nonneg,
    prove_order,
)
from posproof.proofs_check.symplectic.shears import zero_square
from posproof.proofs_check.translate import node
from posproof.theory.symplectic import relative as theory
from posproof.theory.symplectic.relative import RELATIVE_LAW, Relative
from posproof.theory.vocabulary import Positive, control, proves

i, j, k, n, L = map(node, (theory.i, theory.j, theory.k, theory.n, theory.L))
d, N, epsilon = map(node, (theory.d, theory.N, theory.epsilon))


def P(at: Any) -> Node:
    return operator("P", at)


def _bounded(
    name: Node,
    premise: Node,
    equation: Node,
    start: Sequence[Theorem],
    grown: Callable[[Sequence[Node]], Sequence[Theorem]],
    given: Sequence[Node] = (),
) -> Theorem:
    """premise => equation for every natural `name`, by rewriting in base and step.

    `grown` proves what the step needs from the premise at name + 1 and from `given`; the step may
    use the equation, whose premise has to follow from the same.
    """
    statement = Implies(premise, equation)
    ahead = substitute(premise, {name: name + 1})
    facts = [*T.conjuncts(ahead), *given]
    parts = [prove_order(part, facts) for part in T.conjuncts(premise)]
    known = kernel.modus(kernel.assume(statement), T.both(*parts) if len(parts) > 1 else parts[0])
    step = T.follows(substitute(equation, {name: name + 1}), *grown(facts), known)
    zero = {name: num(0)}
    base = T.implication(T.follows(substitute(equation, zero), *start), substitute(premise, zero))
    step = T.implication(T.unpack_all(step, ahead), ahead)
    return kernel.induct(name, statement, base, step)


def _at(theorem: Theorem, name: Node, value: Node, natural: Theorem) -> Theorem:
    """A statement for all natural numbers at an integer that is one."""
    theorem = kernel.weaken(theorem, [natural.conclusion])
    return T.discharge(kernel.specialise(theorem, {name: value}), natural)


def _met(theorem: Theorem, facts: Sequence[Node]) -> Theorem:
    """The conclusion of an implication whose premise is a matter of order."""
    parts = [prove_order(part, facts) for part in T.conjuncts(theorem.conclusion.args[0])]
    return kernel.modus(theorem, T.both(*parts) if len(parts) > 1 else parts[0])


def _grows(fact: Node, at: Node, facts: Sequence[Node]) -> Theorem:
    """An assumed recursion at a place inside its range."""
    return _met(kernel.instantiate(kernel.assume(fact), at), facts)


# ---------------------------------------------------------------------- one matrix
class Powers:
    """The powers of a matrix, at every integer."""

    def __init__(self, base: fmpq_mat) -> None:
        self.base = base

    def __call__(self, at: Callable[[], Any]) -> fmpq_mat:
        exponent = int(at().p)
        base = self.base if exponent >= 0 else self.base.inv()
        result = fmpq_mat(2, 2, [1, 0, 0, 1])
        for _ in range(abs(exponent)):
            result = result * base
        return result

    def __str__(self) -> str:
        return f"powers of {self.base.tolist()}"


FIBONACCI = fmpq_mat(2, 2, [2, 1, 1, 1])
POWERS = {
    "L": 4, "i": 1, "j": 2, "P": Powers(FIBONACCI), "m": FIBONACCI, "inverse": FIBONACCI.inv(),
}  # fmt: skip


@control("the_sum", POWERS, apart=lambda i, j: i + j)
@proves(RELATIVE_LAW, "key_factor")
def key_factor(of: Relative) -> Theorem:
    """M^(i +- n) = M^i M^(+-n) by induction on the steps n in either direction."""
    statement = theory.key_factor(of)
    premise, found = T.inner(statement).args
    facts = T.conjuncts(premise)
    inverses, start, recursion = [*map(kernel.assume, facts[:2])], kernel.assume(facts[2]), facts[3]
    inside, goal = T.inner(found).args
    range_ = T.conjuncts(inside)
    back = node(theory.inverse)

    def up(ahead: Sequence[Node]) -> list[Theorem]:
        return [_grows(recursion, i + n, ahead), _grows(recursion, n, ahead)]

    def down(ahead: Sequence[Node]) -> list[Theorem]:
        steps = []
        for place in (i - n - 1, num(-1) * n - 1):
            grown = _grows(recursion, place, ahead)
            steps.append(T.follows(Eq(P(place), P(place + 1) @ back), grown, *inverses))
        return steps

    above = And(Le(i + n, L), Le(n, L))
    raised = _bounded(n, above, Eq(P(i + n), P(i) @ P(n)), [start], up, range_[:2])
    below = And(Le(num(-1) * L, i - n), Le(n, L))
    lowered = _bounded(n, below, Eq(P(i - n), P(i) @ P(num(-1) * n)), [start], down, range_[:2])

    negative, natural = Lt(j, num(0)), Le(num(0), j)
    opposite = num(-1) * j
    sign = prove_order(Le(num(0), opposite), [negative])
    first = _met(_at(raised, n, opposite, sign), [negative, *range_])
    second = _met(_at(lowered, n, j, kernel.assume(natural)), [natural, *range_])
    law = T.compare(j, 0, T.follows(goal, first), T.follows(goal, second))
    law = T.generalise(T.implication(T.unpack_all(law, inside), inside), i, j)
    law = T.implication(T.unpack_all(law, premise), premise)
    return T.generalise(law, *T.outer(statement))


@control(
    "mirror_for_form", {"p": 1, "q": 1, "r": 0, "s": 1, "gamma": 0, "n": 0}, form=theory.MIRROR
)
@proves(RELATIVE_LAW, "without_inverse")
def without_inverse(of: Relative) -> Theorem:
    """J^-1 M^T J is the adjugate, and conjugation passes through powers."""
    statement = theory.without_inverse(of)
    premise, goal = T.inner(statement).args
    *inverses, powered = goal.args
    proofs = [prove_identity(part, [premise]) for part in inverses]
    found = T.both(*proofs, prove_by_induction(theory.n, powered))
    return T.generalise(T.implication(found, premise), *T.outer(statement))


#: Powers of a shear that keeps the identity in no way: t = 1, m = U(1).
ONE = fmpq_mat(2, 2, [1, 0, 0, 1])
SHEAR = fmpq_mat(2, 2, [1, 1, 0, 1])
UNKEPT = {
    "L": 1, "k": 1, "n": 0, "t": ONE, "Q": ONE, "m": SHEAR, "inverse": SHEAR.inv(),
    "P": Listed(ONE, SHEAR), "T": Listed(ONE), "R": Listed(ONE, SHEAR.inv()),
}  # fmt: skip


@control("not_kept", UNKEPT, kept=lambda t, Q, m: Q)
@proves(RELATIVE_LAW, "shared_form")
def shared_form(of: Relative) -> Theorem:
    """t^(k+1) Q m^(k+1+n) = t^k (t Q m) m^(k+n), and t Q = Q m^-1."""
    statement = theory.shared_form(of)
    premise, found = T.inner(statement).args
    kept, undone, p_zero, p_grows, t_zero, t_grows, r_zero, r_grows = T.conjuncts(premise)
    inside, goal = T.inner(found).args
    later, earlier = goal.args
    known = kernel.assume(kept)
    t, Q, m, back = map(node, (theory.t, theory.Q, theory.m, theory.inverse))
    inverse = kernel.assume(undone)
    turned = T.combined(Eq(t @ Q, Q @ back), (1, unit, known, back), (-1, t @ Q, inverse, unit))

    def both(ahead: Sequence[Node]) -> list[Theorem]:
        return [_grows(p_grows, k + n, ahead), _grows(t_grows, k, ahead), known]

    def left(ahead: Sequence[Node]) -> list[Theorem]:
        return [_grows(p_grows, k, ahead), _grows(t_grows, k + n, ahead), known]

    starts = [kernel.assume(fact) for fact in (p_zero, t_zero, r_zero)]
    first = _bounded(k, inside, later, starts, both)
    alone = Eq(operator("T", n) @ Q, Q @ operator("R", n))
    reached = _bounded(
        n,
        Le(n, L),
        alone,
        starts,
        lambda ahead: [_grows(t_grows, n, ahead), _grows(r_grows, n, ahead), turned],
    )
    reached = _met(reached, [substitute(inside, {k: num(0)})])
    second = _bounded(k, inside, earlier, [reached, *starts], left)
    law = T.both(*(kernel.modus(part, kernel.assume(inside)) for part in (first, second)))
    law = T.generalise(T.implication(law, inside), k, n)
    law = T.implication(T.unpack_all(law, premise), premise)
    return T.generalise(law, *T.outer(statement))


@control("without_correction", corner=lambda a, b: b)
@control("mirror_for_form", form=theory.MIRROR)
@proves(RELATIVE_LAW, "invariant_forms")
def invariant_forms(of: Relative) -> Theorem:
    """Three linear equations for u, v, w; S J-products written out for the rest."""
    first, second, last = node(theory.invariant_forms(of)).args
    premise, goal = T.inner(last).args
    generic, kept = premise.args
    cases = []
    for apart in generic.args:
        proofs = [prove_identity(part, [kept, apart]) for part in goal.args]
        cases.append(T.both(*proofs))
    found = kernel.cases(kernel.assume(generic), *cases)
    found = T.generalise(T.implication(T.unpack(found, premise), premise), *T.outer(last))
    return T.both(_each(first), _each(second), found)


def _each(statement: Node, given: Sequence[Node] = ()) -> Theorem:
    """Equations under a premise, by algebra."""
    goal = T.inner(statement)
    premise, goal = goal.args if goal.head == "implies" else (None, goal)
    facts = [] if premise is None else T.conjuncts(premise)
    proofs = [prove_identity(part, facts) for part in T.conjuncts(goal)]
    found = T.both(*proofs) if len(proofs) > 1 else proofs[0]
    if premise is not None:
        found = T.implication(T.unpack_all(found, premise), premise)
    return T.generalise(found, *T.outer(statement))


def _untraced(m: Any) -> Any:
    return theory.ImmutableMatrix(theory.FORM * m)


@control("with_the_trace", invariant=_untraced)
@proves(RELATIVE_LAW, "general_form")
def general_form(of: Relative) -> Theorem:
    """Entry by entry."""
    return _each(node(theory.general_form(of)))


#: A sixth of a turn.
SIXTH = {"p": 1, "q": -1, "r": 1, "s": 0, "x": 0, "y": 1}


@control("negated", SIXTH, invariant=lambda m: -theory.invariant(m))
@proves(RELATIVE_LAW, "form_types")
def form_types(of: Relative) -> Theorem:
    """r Q(x) = (r x_1 + (s - p) x_2 / 2)^2 + det(Q) x_2^2, and explicit vectors for the rest."""
    definite, both_signs, degenerate = node(theory.form_types(of)).args
    return T.both(_definite(definite), _both_signs(both_signs), _degenerate(degenerate))


ZERO = num(0)
p, q, r, s, x, y = map(node, (*theory.ENTRIES, theory.x, theory.y))


def _closed(found: Theorem, statement: Node) -> Theorem:
    """The statement from a proof of its conclusion under parts of its premise."""
    premise = T.inner(statement).args[0]
    found = T.implication(T.unpack_all(found, premise), premise)
    return T.generalise(found, *T.outer(statement))


def _definite(statement: Node) -> Theorem:
    premise, goal = T.inner(statement).args
    facts = T.conjuncts(premise)
    special, low, high, apart = facts
    level = Eq(y, ZERO)
    square = (r * x + (s - p) * y / 2) ** 2
    window = T.margin(low) * T.margin(high) / 4
    raised = prove_nonneg(goal, square + window * y**2, [*facts, T.negation(level)])
    corner, start = Eq(r, ZERO), Eq(x, ZERO)
    clash = T.contradict([special, low, high, corner], [(p - s) ** 2])
    slanted = T.conclude_not(clash, corner)
    moved = T.conclude_not(T.contradict([apart, level, start]), start)
    flat = prove_nonneg(goal, r**2 * x**2, [level, slanted.conclusion, moved.conclusion])
    return _closed(T.split(level, T.discharge(flat, slanted, moved), raised), statement)


def _shown(goal: Node, values: Sequence[Node], prove: Callable[[Node], Theorem]) -> Theorem:
    """A nested existence from its witnesses."""
    stages, claim = [], goal
    for value in values:
        stages.append((claim, value))
        bound, inside = claim.args
        claim = substitute(inside, {bound: value})
    found = prove(claim)
    for stage, value in reversed(stages):
        found = kernel.witness(stage, value, found)
    return found


def _both_signs(statement: Node) -> Theorem:
    premise, goal = T.inner(statement).args
    facts = T.conjuncts(premise)
    large, one = T.margin(facts[1]), num(1)
    corner, other = Eq(r, ZERO), Eq(q, ZERO)

    def case(values: Sequence[Node], form: Node, *given: Node) -> Theorem:
        return _shown(goal, values, lambda claim: prove_nonneg(claim, form, [*facts, *given]))

    below = case((one, ZERO, (p - s) / 2, r), r**2 * large / 4, T.negation(corner))
    above = case((ZERO, one, q, (s - p) / 2), q**2 * large / 4, T.negation(other))
    crossed = case((one, one, one, num(-1)), large, corner, other)
    return _closed(T.split(corner, T.split(other, crossed, above), below), statement)


def _degenerate(statement: Node) -> Theorem:
    premise, goal = T.inner(statement).args
    facts = T.conjuncts(premise)
    corner = Eq(r, ZERO)

    def case(values: Sequence[Node], length: Node, *given: Node) -> Theorem:
        def prove(claim: Node) -> Theorem:
            isotropic, apart = claim.args
            known = [*facts, *given]
            return T.both(prove_identity(isotropic, known), prove_nonneg(apart, length, given))

        return _shown(goal, values, prove)

    slanted = case(((p - s) / 2, r), ((p - s) / 2) ** 2 + r**2, T.negation(corner))
    same = zero_square(s - p, [*facts, corner])
    level = case((num(1), ZERO), num(1), corner, same.conclusion)
    return _closed(T.split(corner, T.discharge(level, same), slanted), statement)


@control("without_correction", corner=lambda a, b: b)
@control("identity_for_mirror", mirror=theory.IDENTITY)
@proves(RELATIVE_LAW, "unit_anisotropy")
def unit_anisotropy(of: Relative) -> Theorem:
    """The corner of S is minus a for a turn and a for a push."""
    return T.both(*map(_each, node(theory.unit_anisotropy(of)).args))


# ---------------------------------------------------------------------- every encoding
LOWER = fmpq_mat(2, 2, [1, 0, 1, 1])
#: One upper and one lower shear, whatever the place.
CONSTANT = {
    "L": Listed(SHEAR), "C": Listed(LOWER), "F": Listed(SHEAR * LOWER),
    "l": SHEAR.inv(), "c": LOWER.inv(), "i": 0, "j": 0,
}  # fmt: skip


@control("order_of_the_inverse", CONSTANT, origin=lambda right, left: left @ right)
@proves(RELATIVE_LAW, "homomorphism")
def homomorphism(of: Relative) -> Theorem:
    """F(i) = A(-i)^T C(0), F(j) = A(0)^T C(j), and F(0)^-1 stands between."""
    statement = theory.homomorphism(of)
    premise, goal = T.inner(statement).args
    law, *inverses = T.conjuncts(premise)
    known = [kernel.assume(fact) for fact in inverses]
    first, second, added = goal.args

    def written(left: Node, right: Node) -> Theorem:
        fact = T.apply(kernel.assume(law), [left, right])
        word, value = fact.conclusion.args
        return T.follows(Eq(value, word), fact)

    zero = num(0)
    origin = written(zero, zero)
    pair = T.inner(added)
    factors = [written(num(-1) * i, zero), written(zero, j), written(num(-1) * i, j)]
    found = T.both(
        T.follows(first, origin, *known),
        T.follows(second, origin, *known),
        T.generalise(T.follows(pair, *factors, *known), i, j),
    )
    found = T.implication(T.unpack_all(found, premise), premise)
    return T.generalise(found, *T.outer(statement))


def _reversed(fact: Theorem) -> Theorem:
    """The equation read from right to left."""
    left, right = fact.conclusion.args
    return T.follows(Eq(right, left), fact)


#: One shear, whatever the distance.
STUCK = {
    "L": 0, "k": 0, "c": ONE, "l": SHEAR.inv(), "F": Listed(SHEAR), "P": Listed(ONE),
    "R": Listed(ONE),
}  # fmt: skip


@control("without_the_origin", STUCK, rebuilt=lambda start, power: power)
@proves(RELATIVE_LAW, "matrix_powers")
def matrix_powers(of: Relative) -> Theorem:
    """F(k + 1) = F(k) F(0)^-1 F(1), by induction on k in either direction."""
    statement = theory.matrix_powers(of)
    premise, goal = T.inner(statement).args
    first, second, law, p_zero, p_grows, r_zero, r_grows = T.conjuncts(premise)
    origins = [kernel.assume(first), kernel.assume(second)]

    def added(left: Any, right: Any) -> Theorem:
        return T.apply(kernel.assume(law), [left, right])

    one, back = num(1), num(-1)
    inverse, found = goal.args
    cancelled = [_reversed(added(one, back)), _reversed(added(back, one))]
    inverses = T.both(
        *(
            T.follows(part, cancel, *origins)
            for part, cancel in zip(inverse.args, cancelled, strict=True)
        )
    )
    inside, equations = T.inner(found).args
    forward, backward = equations.args
    up = _bounded(
        k, inside, forward, [kernel.assume(p_zero)],
        lambda ahead: [added(k, one), _grows(p_grows, k, ahead)],
    )  # fmt: skip
    down = _bounded(
        k, inside, backward, [kernel.assume(r_zero)],
        lambda ahead: [added(back * k, back), _grows(r_grows, k, ahead)],
    )  # fmt: skip
    both = T.both(*(kernel.modus(part, kernel.assume(inside)) for part in (up, down)))
    every = T.generalise(T.implication(both, inside), k)
    return _closed(T.both(inverses, every), node(statement))


#: A(i) = 2 and F = 4, whatever the place.
TWO, FOUR = fmpq_mat(2, 2, [2, 0, 0, 2]), fmpq_mat(2, 2, [4, 0, 0, 4])
DOUBLED = {
    "C": Listed(TWO), "L": Listed(TWO), "F": Listed(FOUR), "g": TWO, "h": TWO.inv(), "i": 0, "j": 0,
}  # fmt: skip


@control("without_the_root", DOUBLED, normal=lambda A, h: A)
@proves(RELATIVE_LAW, "same_side")
def same_side(of: Relative) -> Theorem:
    """O_i^T O_j = h A(i)^T A(j) h = h F(j - i) h, and F(0)^-1 = h^2 stands in every product."""
    statement = theory.same_side(of)
    premise, goal = T.inner(statement).args
    law, square, *rest = T.conjuncts(premise)
    known = [_reversed(kernel.assume(square)), *map(kernel.assume, rest)]
    here, pair, product = goal.args

    def at(left: Any, right: Any) -> Theorem:
        return T.apply(kernel.assume(law), [left, right])

    orthogonal, *others = T.inner(here).args
    first = T.both(
        T.follows(orthogonal, at(i, i), *known), *(T.follows(part, *known) for part in others)
    )
    zero, opposite = num(0), num(-1) * i
    written = [_reversed(at(*place)) for place in ((opposite, zero), (zero, j), (opposite, j))]
    found = T.both(
        T.generalise(first, i),
        T.generalise(T.follows(T.inner(pair), at(i, j)), i, j),
        T.generalise(T.follows(T.inner(product), *written, *known[1:]), i, j),
    )
    return _closed(found, node(statement))


# ---------------------------------------------------------------------- no decay
X, A, D = variable("X", Real), variable("A", Real), variable("D", Positive)


@lru_cache
def _below_modulus() -> Theorem:
    """X <= |X| and -X <= |X|."""
    size = Node("abs", (X,))
    sign = prove_nonneg(Le(ZERO, size), size)
    found = []
    for side in (X, num(-1) * X):
        clash = T.discharge(T.contradict([Lt(size, side), sign.conclusion]), sign)
        goal = Le(side, size)
        found.append(T.compare(size, side, T.ex_falso(clash, goal), kernel.assume(goal)))
    return T.both(*found)


@lru_cache
def _modulus_below() -> Theorem:
    """X <= A, -X <= A |- |X| <= A."""
    size, goal = Node("abs", (X,)), Le(Node("abs", (X,)), A)
    clash = T.contradict([Le(X, A), Le(num(-1) * X, A), Lt(A, size)])
    return T.compare(A, size, T.ex_falso(clash, goal), kernel.assume(goal))


def _modulus(x: Node) -> list[Theorem]:
    """x <= |x| and -x <= |x|."""
    return T.parts(kernel.specialise(_below_modulus(), {X: x}))


def _circle(angle: Node) -> list[Theorem]:
    """cos and sin are at most 1 in modulus."""
    c, s = cos(angle), sin(angle)
    facts = []
    for wave, other in ((c, s), (s, c)):
        facts.append(prove_nonneg(Le(wave, num(1)), ((1 - wave) ** 2 + other**2) / 2))
        facts.append(prove_nonneg(Le(num(-1), wave), ((1 + wave) ** 2 + other**2) / 2))
    return facts


def _weighted(weight: Node, wave: Node, limit: Node, facts: Sequence[Theorem]) -> Theorem:
    """|wave| <= limit gives weight * wave <= |weight| limit and the opposite."""
    moduli = _modulus(weight)
    size = Node("abs", (weight,))
    up, down = facts
    over, under = T.margin(up.conclusion), T.margin(down.conclusion)
    plus, minus = (T.margin(fact.conclusion) for fact in reversed(moduli))
    given = [fact.conclusion for fact in (*moduli, up, down)]
    goals = (
        Le(weight * wave, size * limit), (minus * under + plus * over) / 2,
        Le(num(-1) * (size * limit), weight * wave), (plus * under + minus * over) / 2,
    )  # fmt: skip
    found = [prove_nonneg(goals[at], goals[at + 1], given) for at in (0, 2)]
    return T.discharge(T.both(*found), *moduli, up, down)


SIZES = Le(D, num(1))
U, V = (sequence(name, k) for name in "uv")
SIZE = Node("abs", (U,)) + Node("abs", (V,))


def _term(first: Node, second: Node, limit: Node, facts: Sequence[Theorem]) -> list[Theorem]:
    """U first + V second lies within limit (|U| + |V|), from bounds of the two factors."""
    pair = [_weighted(U, first, limit, facts[:2]), _weighted(V, second, limit, facts[2:])]
    (up, down), (over, under) = map(T.parts, pair)
    whole = U * first + V * second
    goals = (Le(whole, limit * SIZE), up, over), (Le(num(-1) * (limit * SIZE), whole), down, under)
    found = []
    for goal, one, other in goals:
        given = [one.conclusion, other.conclusion]
        form = T.margin(given[0]) + T.margin(given[1])
        found.append(T.discharge(prove_nonneg(goal, form, given), one, other))
    return found


def _bounded_score(statement: Node) -> Theorem:
    """Term by term."""
    goal = T.inner(statement)
    angle = n * sequence("omega", k)
    terms = _term(cos(angle), sin(angle), num(1), _circle(angle))
    sums = [kernel.sum_congruence(term, k, d) for term in reversed(terms)]
    proofs = []
    for part, summed in zip(goal.args, sums, strict=True):
        fact = summed.conclusion
        proofs.append(T.discharge(prove_nonneg(part, T.margin(fact), [fact]), summed))
    return T.generalise(T.both(*proofs), *T.outer(statement))


@lru_cache
def _small_sine() -> Theorem:
    """-D <= X <= D |- -D <= sin X <= D."""
    low, high = Le(num(-1) * D, X), Le(X, D)
    goals = Le(num(-1) * D, sin(X)), Le(sin(X), D)
    branches = []
    for sign, side in ((num(1), Le(ZERO, X)), (num(-1), Lt(X, ZERO))):
        at = sign * X
        natural = prove_order(Le(ZERO, at), [side])
        line = T.apply(kernel.meaning("sine_below_line"), [at], natural)
        opposite = T.apply(T.sine_above_minus(), [at], natural)
        facts = [line.conclusion, opposite.conclusion, low, high]
        both = T.both(*(prove_order(goal, facts) for goal in goals))
        branches.append(T.discharge(both, line, opposite))
    return T.compare(X, 0, branches[1], branches[0])


@lru_cache
def _small_cosine() -> Theorem:
    """-D <= X <= D, 0 <= D <= 1 |- -2 D <= cos X - 1 <= 2 D."""
    low, high, sizes = Le(num(-1) * D, X), Le(X, D), T.conjuncts(SIZES)
    parabola = kernel.instantiate(kernel.meaning("cosine_above_parabola"), X)
    one = _circle(X)[0]
    facts = [low, high, *sizes, parabola.conclusion, one.conclusion]
    goals = Le(num(-2) * D, cos(X) - 1), Le(cos(X) - 1, num(2) * D)
    return T.discharge(T.both(*(prove_order(goal, facts) for goal in goals)), parabola, one)


def _returning(near: Node) -> list[Theorem]:
    """k < d, 0 <= D <= 1 |- the term of k at n is within 2 D (|u| + |v|) of that at 0.

    `near` says that n omega_k / (2 pi) is within D / 7 of an integer, for every k < d.
    """
    inside = Lt(k, d)
    existence = kernel.modus(kernel.instantiate(kernel.assume(near), k), kernel.assume(inside))
    whole = variable("p", Integer)
    below, above = T.conjuncts(T.body(existence, whole))
    angle = n * sequence("omega", k)
    place = angle - 2 * pi * whole
    turn = kernel.meaning("pi_below_22_7")
    room = D * (2 * T.margin(turn.conclusion) + num(Fraction(5, 7))) / 7
    given = [below, above, turn.conclusion, *T.conjuncts(SIZES)]
    ends = [
        prove_nonneg(Le(num(-1) * D, place), 2 * pi * T.margin(below) + room, given),
        prove_nonneg(Le(place, D), 2 * pi * T.margin(above) + room, given),
    ]
    ends = [T.discharge(end, turn) for end in ends]
    sine, cosine = (
        T.parts(T.discharge(kernel.specialise(lemma, {X: place}), *ends))
        for lemma in (_small_sine(), _small_cosine())
    )
    facts = []
    waves = (cosine, cos(angle) - 1, num(0)), (sine, sin(angle), D)
    for (low, high), wave, spare in waves:
        for end, relation in (high, Le(wave, 2 * D)), (low, Le(num(-2) * D, wave)):
            fact = end.conclusion
            proof = prove_nonneg(relation, T.margin(fact) + spare, [fact])
            facts.append(T.discharge(proof, end))
    terms = _term(cos(angle) - 1, sin(angle), 2 * D, facts)
    return [
        T.obtain(existence, whole, T.unpack_all(term, T.body(existence, whole))) for term in terms
    ]


def _returns(statement: Node) -> Theorem:
    """Dirichlet's theorem brings every angle back, so the score comes back to where it began."""
    goal = T.inner(statement)
    bound, claim = goal.args
    start, later = claim.args[1].args[0].args[1], claim.args[1].args[1]
    first, score = (side.args[0] for side in (start, later))
    width, place = total(k, d, SIZE), variable("t", Real)
    dirichlet = kernel.realise(returns(), "alpha", place, sequence("omega", place) / (2 * pi))
    near = T.conjuncts(T.body(T.apply(dirichlet, [d, N, D / 7]), n))[1]
    up, down = (kernel.sum_congruence(term, k, d) for term in _returning(near))
    lost = 2 * D * width
    moduli = _modulus(score)
    given = [up.conclusion, down.conclusion, *(fact.conclusion for fact in moduli)]
    rise, fall, plus, minus = map(T.margin, given)
    ends = [
        prove_nonneg(Le(first, later + lost), fall + plus, given),
        prove_nonneg(Le(num(-1) * first, later + lost), rise + minus, given),
    ]
    ends = [T.discharge(end, up, down, *moduli) for end in ends]
    close = T.discharge(kernel.specialise(_modulus_below(), {X: first, A: later + lost}), *ends)

    room = 2 * width + epsilon + 1
    tolerance = epsilon / room
    small = prove_nonneg(Le(tolerance, num(1)), (2 * width + 1) / room)
    close = T.discharge(kernel.specialise(close, {D: tolerance}), small)
    found = T.apply(dirichlet, [d, N, tolerance / 7])
    after, _ = T.conjuncts(T.body(found, n))
    fact = close.conclusion
    form = T.margin(fact) + epsilon * (epsilon + 1) / room
    reached = T.discharge(prove_nonneg(claim.args[1], form, [fact]), close)
    instance = T.exists(goal, n, T.both(kernel.assume(after), reached))
    whole = T.obtain(found, n, T.unpack_all(instance, T.body(found, n)))
    return T.generalise(whole, *T.outer(statement))


@control("hyperbolic_score", cosine=cosh, sine=sinh)
@proves(RELATIVE_LAW, "no_decay")
def no_decay(of: Relative) -> Theorem:
    """|cos| and |sin| are at most 1; and every angle returns as close to 0 as one likes."""
    bounded, reached = node(theory.no_decay(of)).args
    return T.both(_bounded_score(bounded), _returns(reached))
