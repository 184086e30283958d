"""Proofs of `theory.accumulation.windows`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import sympy
from sympy import cos, exp, sin

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Node, substitute
from posproof.proofs_check.search import (
    prove_by_induction,
    prove_by_substitution,
    prove_identity,
    prove_nonneg,
    prove_order,
)
from posproof.theory.accumulation import windows as statements
from posproof.theory.accumulation.windows import (
    FIRST,
    INCOHERENCE_LIMITS,
    RANDOM_MEAN,
    SECOND,
    K,
    Law,
    Limits,
    M,
    N,
    RandomMean,
    a,
    b,
    n,
)
from posproof.theory.symbols import Variable, total
from posproof.theory.vocabulary import Int, Le, Lt, control, proves

node = T.node
at = Variable("at", Int(0))


# ---------------------------------------------------------------------- random_mean
def _conjugate_factor(z: tuple[Any, Any], by: tuple[Any, Any]) -> tuple[Any, Any]:
    return statements.turned(z, (by[0], -by[1]))


def _waves(law: Law) -> list[tuple[Any, Any]]:
    """Terms of a law's mean cosine and sine, with the means."""
    return [(law.weight(a) * wave(law.angle(a)), law.mean(wave)) for wave in (cos, sin)]


@control("second_angle_subtracted", turned=_conjugate_factor)
@proves(RANDOM_MEAN, "independence")
def independence(of: RandomMean) -> Theorem:
    """Addition theorems inside, and what does not depend on an index comes out of its sum."""
    names, goal = T.unquantified(statements.independence(of))
    out = [T.taken_out(a, N, body, mean) for body, _ in _waves(FIRST) for _, mean in _waves(SECOND)]
    facts = [fact.conclusion for fact in out]
    proof = T.both(*(prove_identity(part, facts) for part in goal.args))
    return T.generalise(T.discharge(proof, *out), *names)


#: One step by the factor 2.
TWICE = {"n": 1, "rho": 2, "psi": 0, "c": (1, 3), "s": (0, 0)}
#: The angles 0 and 1 with equal weights.
TWO_ANGLES = {"N": 2, "w": (Fraction(1, 2), Fraction(1, 2)), "x": (0, 1)}


def _added(z: tuple[Any, Any], by: tuple[Any, Any]) -> tuple[Any, Any]:
    return z[0] + by[0], z[1] + by[1]


def _multiplied_up(statement: Any) -> Theorem:
    """A mean that is multiplied by a known number at every step."""
    names, goal = T.unquantified(statement)
    premise, conclusion = goal.args
    *start, grows = premise.args
    here = T.instance(conclusion, n, at)

    def first(claim: Node) -> Theorem:
        return T.both(*(prove_identity(part, start) for part in claim.args))

    def later(claim: Node, told: Sequence[Theorem]) -> Theorem:
        facts = [*(fact.conclusion for fact in told), *here.args]
        return T.both(*(prove_by_substitution(part, facts) for part in claim.args))

    proof = T.recursion(at, here, n, grows, first, later)
    return T.generalise(T.implication(T.unpack(proof, premise), premise), *names)


@control("numbers_added", TWICE, turned=_added)
@proves(RANDOM_MEAN, "power")
def power(of: RandomMean) -> Theorem:
    """Induction: multiply by phi once more."""
    return _multiplied_up(statements.power(of))


STILL = {"n": 1, "l": (0,), "psi": (0,), "c": (1, 2), "s": (0, 0)}


@control("numbers_added", STILL, turned=_added)
@proves(RANDOM_MEAN, "different_laws")
def different_laws(of: RandomMean) -> Theorem:
    """Induction: logarithms of the moduli and angles add up."""
    return _multiplied_up(statements.different_laws(of))


def _spread(of: RandomMean, law: Law) -> Theorem:
    """whole |- 1 - |phi|^2 = the double sum."""
    weights = total(a, law.size, law.weight(a))
    terms = [(law.weight(a), weights), *_waves(law)]
    out = [T.taken_out(a, law.size, body, mean) for body, mean in terms]
    goal = T.unquantified(statements.spread(of))[1].args[1]
    proof = prove_identity(goal, [*(fact.conclusion for fact in out), law.whole])
    return T.discharge(proof, *out)


@control("angles_added", apart=lambda x, y: x + y)
@proves(RANDOM_MEAN, "spread")
def spread(of: RandomMean) -> Theorem:
    """Both sides are double sums of the same terms."""
    return T.generalise(T.implication(_spread(of, FIRST), FIRST.whole), N)


def _pair_is_positive(term: Node, positive: Node) -> Theorem:
    """positive |- a, b < N => 0 <= term = w_a w_b (1 - cos(x_a - x_b))."""
    weights = [T.apply(T.assume(positive), [at], T.assume(Lt(at, N))) for at in (a, b)]
    angle = node(FIRST.angle(a) - FIRST.angle(b))
    square = ((1 - T.cos(angle)) ** 2 + T.sin(angle) ** 2) / 2
    form = node(FIRST.weight(a)) * node(FIRST.weight(b)) * square
    known = [weight.conclusion for weight in weights]
    return T.discharge(prove_nonneg(T.Le(T.num(0), term), form, known), *weights)


@control("no_difference", TWO_ANGLES, apart=lambda x, y: x - x)
@proves(RANDOM_MEAN, "constant")
def constant(of: RandomMean) -> Theorem:
    """The double sum of terms >= 0 vanishes when each of them does."""
    premise, goal = T.unquantified(statements.constant(of))[1].args
    whole, positive = premise.args
    at_most, equivalence = goal.args
    one, everywhere = equivalence.args
    law = _spread(of, FIRST)
    double = law.conclusion.args[1]
    inner = substitute(double.args[2], {double.args[0]: node(a)})
    term = substitute(inner.args[2], {inner.args[0]: node(b)})

    pair = _pair_is_positive(term, positive)
    row = T.term_below_sum(term, node(b), node(N))
    row = T.discharge(row, T.generalise(T.implication(pair, Lt(b, N)), b))
    low, row_terms = T.parts(row)
    everything = T.term_below_sum(inner, node(a), node(N))
    everything = T.discharge(everything, T.generalise(T.implication(low, Lt(a, N)), a))
    above, rows = T.parts(everything)
    bounded = prove_order(at_most, [law.conclusion, above.conclusion])
    bounded = T.discharge(bounded, law, above)

    here, there = T.assume(Lt(a, N)), T.assume(Lt(b, N))
    chain = [T.apply(row_terms, [b], there), T.apply(rows, [a], here), law]
    facts = [*(fact.conclusion for fact in chain), one]
    below = T.discharge(prove_order(T.Le(term, T.num(0)), facts), *chain)
    vanishes = kernel.antisymmetry(below, pair)
    forward = T.generalise(T.implication(vanishes, Lt(b, N)), b)
    forward = T.generalise(T.implication(forward, Lt(a, N)), a)

    zero = T.apply(T.apply(T.assume(everywhere), [a], here), [b], there)
    for index in (b, a):
        summed = kernel.sum_congruence(zero, node(index), node(N))
        flat = prove_identity(T.Eq(summed.conclusion.args[0], T.num(0)), [summed.conclusion])
        zero = T.discharge(flat, summed)
    backward = prove_identity(one, [law.conclusion, zero.conclusion])
    backward = T.discharge(backward, law, zero)

    proof = T.both(bounded, T.iff(one, everywhere, forward, backward))
    return T.generalise(T.implication(T.unpack(proof, premise), premise), N)


@control("half_the_decay", decayed=lambda rate, steps: exp(-rate * steps / 2))
@proves(RANDOM_MEAN, "window")
def window(of: RandomMean) -> Theorem:
    """The exponential is increasing, and K - 1 steps are too few."""
    names, goal = T.unquantified(statements.window(of))
    premise, equivalence = goal.args
    fallen, enough = equivalence.args
    few, many = premise.args
    after, target = (side.args[0] for side in fallen.args)

    less = Lt(n, K)
    close = T.one_apart(n, K)
    # lambda n <= lambda (K - 1) < eta
    gap = prove_order(Lt(target, after), [few, close.conclusion])
    strict, weak = T.parts(T.apply(T.exponential_rises(), [target, after]))
    still = kernel.modus(strict, T.discharge(gap, close))
    never = kernel.clash(kernel.assume(fallen), kernel.not_less(still))
    late = kernel.not_less(T.conclude_not(never, less))

    order = prove_order(Le(after, target), [many, enough])
    weak = T.parts(T.apply(T.exponential_rises(), [after, target]))[1]
    down = kernel.modus(weak, order)
    proof = T.unpack(T.iff(fallen, enough, late, down), premise)
    return T.generalise(T.implication(proof, premise), *names)


@control("sine_for_cosine", two_point=sin)
@proves(RANDOM_MEAN, "two_point")
def two_point(of: RandomMean) -> Theorem:
    """The odd parts cancel."""
    names, goal = T.unquantified(node(statements.two_point(of)).args[0])
    gone = node(statements.two_point(of)).args[1]
    cancelled = T.both(*(prove_identity(part) for part in goal.args))
    return T.both(T.generalise(cancelled, *names), prove_identity(gone))


# ---------------------------------------------------------------------- incoherence_limits
def _each(statement: Any) -> Theorem:
    """A universal implication whose conclusions follow from its premise by algebra."""
    names, goal = T.unquantified(statement)
    facts: Sequence[Node] = ()
    premise = None
    if goal.head == "implies":
        premise, goal = goal.args
        facts = premise.args if premise.head == "and" else (premise,)
    parts = goal.args if goal.head == "and" else (goal,)
    proofs = [prove_identity(part, facts) for part in parts]
    proof = T.both(*proofs) if len(proofs) > 1 else proofs[0]
    if premise is not None:
        proof = T.implication(T.unpack(proof, premise) if len(facts) > 1 else proof, premise)
    return T.generalise(proof, *names)


def _boosted(x: Any, q0: Any, q1: Any) -> tuple[Any, Any]:
    """A hyperbolic turn in disguise: one sign changed."""
    return cos(x) * q0 + sin(x) * q1, sin(x) * q0 + cos(x) * q1


@control("sign_of_sine", rotated=_boosted)
@proves(INCOHERENCE_LIMITS, "pathwise")
def pathwise(of: Limits) -> Theorem:
    """cos^2 + sin^2 = 1."""
    return _each(statements.pathwise(of))


@control("first_harmonic", harmonic=1)
@proves(INCOHERENCE_LIMITS, "second_moment")
def second_moment(of: Limits) -> Theorem:
    """cos^2 = (1 + cos of the double angle) / 2 under a sum."""
    return _each(statements.second_moment(of))


@control("quarter_turns", full_turn=sympy.pi)
@proves(INCOHERENCE_LIMITS, "lattice")
def lattice(of: Limits) -> Theorem:
    """Whole multiples of pi have cosine 1 or -1."""
    first, second, never = node(statements.lattice(of)).args
    return T.both(prove_identity(first), prove_identity(second), _each(never))


@control("half_turns", full_turn=sympy.pi)
@proves(INCOHERENCE_LIMITS, "coset")
def coset(of: Limits) -> Theorem:
    """Full turns do not move the h-th harmonic."""
    return _each(statements.coset(of))


#: States that alternate, each turning by a quarter: c = 0, s = 1.
ALTERNATING = {"n": 0, "p": 1, "c": 0, "s": 1, "a": (1, 0, 1), "b": (0, 0, 0), "u": (0, 0, 0)}
ALTERNATING |= {"v": (0, -1, 0)}


@control("left_for_kept", ALTERNATING, stay=lambda p: 1 - p)
@proves(INCOHERENCE_LIMITS, "markov")
def markov(of: Limits) -> Theorem:
    """A matrix of size 2 satisfies its characteristic equation."""
    names, goal = T.unquantified(statements.markov(of))
    premise, recurrence = goal.args
    unit, *steps = premise.args
    definitions = [*steps[4:], *steps[:4]]
    proofs = [prove_by_substitution(part, definitions, [unit]) for part in recurrence.args]
    return T.generalise(T.implication(T.unpack(T.both(*proofs), premise), premise), *names)


@control("left_for_kept", {"p": 1, "c": 0, "x": 0, "y": 1}, stay=lambda p: 1 - p)
@proves(INCOHERENCE_LIMITS, "no_window")
def no_window(of: Limits) -> Theorem:
    """The product of the two roots is 2 p - 1, and they are conjugate."""
    return _each(statements.no_window(of))


@control("left_for_kept", {"p": 1, "c": 1, "y": 0}, stay=lambda p: 1 - p)
@proves(INCOHERENCE_LIMITS, "real_roots")
def real_roots(of: Limits) -> Theorem:
    """Half the sum of the roots is p cos a."""
    return _each(statements.real_roots(of))


HARDLY_KEPT = {"p": Fraction(3, 8), "c": 0, "y": Fraction(1, 2)}


@control("half_the_loss", HARDLY_KEPT, stay=lambda p: p / 2)
@proves(INCOHERENCE_LIMITS, "alternating")
def alternating(of: Limits) -> Theorem:
    """The square is 1 - 2 p and twice p c times the root."""
    names, goal = T.unquantified(statements.alternating(of))
    premise, conclusion = goal.args
    square, root, middle = premise.args
    along = middle.args[1]
    form = 2 * along * along + 2 * along * root.args[1]
    proof = prove_nonneg(conclusion, form, [square, root, middle])
    return T.generalise(T.implication(T.unpack(proof, premise), premise), *names)


TWO_STEPS = {"n": 2, "mu": 0, "g": (0, 0, 1)}


@control("last_state_forgotten", TWO_STEPS, ends=lambda last, first: first)
@proves(INCOHERENCE_LIMITS, "coboundary")
def coboundary(of: Limits) -> Theorem:
    """The sum telescopes."""
    names, goal = T.unquantified(statements.coboundary(of))
    walked, ends = (side.args[0] for side in goal.args)
    flat = prove_by_induction(n, T.Eq(walked, ends))
    angle, wave = T.real("X"), goal.args[1]
    moved = T.transport(T.Eq(T.cos(angle), wave), angle, flat, prove_identity(T.Eq(wave, wave)))
    return T.generalise(moved, *names)


ORDER = {"N": 1, "M": 1, "w": 1, "v": 1, "A00": 0, "A01": 1, "A10": 0, "A11": 0, "B00": 0}
ORDER |= {"B01": 0, "B10": 1, "B11": 0}


@control("factors_exchanged", ORDER, product=lambda left, right: right * left)
@proves(INCOHERENCE_LIMITS, "products", "2 x 2 matrices, any finite laws")
def products(of: Limits) -> Theorem:
    """Entry by entry, what does not depend on an index comes out of its sum."""
    names, goal = T.unquantified(statements.products(of))
    out = [
        T.taken_out(a, N, FIRST.weight(a) * part(a), total(a, M, SECOND.weight(a) * other(a)))
        for part in statements.LETTER
        for other in statements.OTHER
    ]
    facts = [fact.conclusion for fact in out]
    proof = T.both(*(prove_identity(part, facts) for part in goal.args))
    return T.generalise(T.discharge(proof, *out), *names)
