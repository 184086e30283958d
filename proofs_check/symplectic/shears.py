"""Proofs of `theory.symplectic.shears`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import (
    Eq,
    ForAll,
    Implies,
    Int,
    Integer,
    Le,
    Lt,
    Node,
    Real,
    cosh,
    entry,
    free_variables,
    num,
    pi,
    power,
    sin,
    sinh,
    sqrt,
    substitute,
    variable,
)
from posproof.proofs_check.search import (
    Undecided,
    prove_by_induction,
    prove_contradiction,
    prove_identity,
    prove_nonneg,
    prove_order,
    prove_same,
)
from posproof.proofs_check.translate import node
from posproof.theory.symplectic import shears as theory
from posproof.theory.symplectic.shears import (
    GENERATION,
    SHEARS,
    SYMMETRIC_COMPOSITION,
    THREE_SHEARS,
    TRACE_CLASSES,
    Shears,
)
from posproof.theory.vocabulary import control, proves


def _by_algebra(statement: Any) -> Theorem:
    """Nested conjunctions, quantifiers, premises and equivalences of equations."""
    goal = node(statement)
    match goal.head:
        case "and":
            return kernel.conjunction(*(_by_algebra(part) for part in goal.args))
        case "forall":
            return kernel.generalise(_by_algebra(goal.args[1]), goal.args[0])
        case "implies":
            premise, conclusion = goal.args
            return T.implication(T.unpack_all(_follows(conclusion, premise), premise), premise)
        case "not" if not free_variables(goal):
            return kernel.ground(goal)
    return _follows(goal)


def _follows(goal: Node, *premises: Node) -> Theorem:
    """An equation, a denial, a conjunction or an equivalence of such from the premises."""
    facts = [fact for premise in premises for fact in T.conjuncts(premise)]
    match goal.head:
        case "and":
            return kernel.conjunction(*(_follows(part, *premises) for part in goal.args))
        case "not":
            excluded = prove_contradiction([*facts, *T.conjuncts(goal.args[0])])
            return T.conclude_not(excluded, goal.args[0])
        case "iff":
            left, right = goal.args
            forward, backward = _follows(right, *premises, left), _follows(left, *premises, right)
            return T.iff(left, right, T.unpack_all(forward, left), T.unpack_all(backward, right))
    return prove_identity(goal, facts)


def _with_unit_form(m: Any, form: Any) -> Any:
    """Only the determinant is looked at."""
    return theory.Eq(theory.det(m), 1)


# ---------------------------------------------------------------------- symplectic.shears
@control("symmetric_form", form=theory.ImmutableMatrix([[0, 1], [1, 0]]))
@proves(SHEARS, "form_scales")
def form_scales(of: Shears) -> Theorem:
    """Entry by entry."""
    return _by_algebra(theory.form_scales(of))


def _orthogonal(m: Any, form: Any) -> Any:
    return theory.Eq(theory.times(m.T, m), theory.IDENTITY)


@control("orthogonal", preserved=_orthogonal)
@control("symmetric_form", form=theory.ImmutableMatrix([[0, 1], [1, 0]]))
@proves(SHEARS, "one_group")
def one_group(of: Shears) -> Theorem:
    """The off-diagonal entry of M^T J M is the determinant, the diagonal is 0."""
    return _by_algebra(theory.one_group(of))


def _not_a_shear(b: Any) -> Any:
    return theory.ImmutableMatrix([[1 + b, 0], [b, 1]])


@control("scaled", lower=_not_a_shear)
@control("quadratic", upper=lambda a: theory.upper(a**2))
@proves(SHEARS, "one_parameter")
def one_parameter(of: Shears) -> Theorem:
    """Entry by entry."""
    return _by_algebra(theory.one_parameter(of))


@control("opposite_sign", lower=lambda b: theory.lower(-b))
@control("mirror_for_form", form=theory.MIRROR)
@proves(SHEARS, "turned")
def turned(of: Shears) -> Theorem:
    """Entry by entry."""
    return _by_algebra(theory.turned(of))


@control("identity_for_mirror", mirror=theory.IDENTITY)
@control("one_direction", lower=theory.upper)
@proves(SHEARS, "commutator")
def commutator(of: Shears) -> Theorem:
    """The defect is a b diag(1, -1)."""
    return _by_algebra(theory.commutator(of))


def _pfaffian(cells: Callable[[int, int], Node], places: Sequence[int]) -> Node:
    """The Pfaffian of an alternating matrix, expanded along its first row."""
    first, *others = places
    if len(others) == 1:
        return cells(first, others[0])
    total: Node | None = None
    for index, other in enumerate(others):
        rest = [place for place in others if place != other]
        term = (-1) ** index * cells(first, other) * _pfaffian(cells, rest)
        total = term if total is None else total + term
    assert total is not None
    return total


def _determinant_is_one(statement: Node) -> Theorem:
    """det M is the Pfaffian of M^T J M, whose entries the premise gives."""
    premise, goal = T.inner(statement).args
    moved, form = premise.args
    if form.head != "matrix":
        raise Undecided("the premise is not M^T J M = J")
    size = form.args[0]
    pairs = [(i, j) for i in range(size) for j in range(i + 1, size)]
    holes = {pair: variable(f"h{pair[0]}{pair[1]}", Real) for pair in pairs}
    shape = Eq(goal.args[0], _pfaffian(lambda i, j: holes[i, j], range(size)))
    cells = {pair: entry(moved, *pair) for pair in pairs}
    at = {pair: cells[pair] for pair in pairs}
    found = prove_identity(substitute(shape, {holes[pair]: at[pair] for pair in pairs}))
    for pair in pairs:
        value = form.args[1 + pair[0] * size + pair[1]]
        known = prove_same(Eq(value, cells[pair]), premise)
        others = {holes[other]: at[other] for other in pairs if other != pair}
        found = kernel.leibniz(found, substitute(shape, others), holes[pair], known.conclusion)
        found = T.discharge(found, known)
        at[pair] = value
    one = T.discharge(prove_same(goal, found.conclusion), found)
    return T.generalise(T.implication(one, premise), *T.outer(statement))


@control("determinant_alone", preserved=_with_unit_form)
@proves(SHEARS, "higher", "m = 2, 3")
def higher(of: Shears) -> Theorem:
    """det M is the Pfaffian of M^T J M; two diagonal matrices decide the rest."""
    parts = node(theory.higher(of)).args
    proofs = []
    for part in parts:
        decided = kernel.ground if part.head != "forall" else _determinant_is_one
        proofs.append(decided(part))
    return T.both(*proofs)


# ---------------------------------------------------------------------- symplectic.generation
def _swapped(p: Any, r: Any, s: Any) -> Any:
    return theory.pivot_first(s, r, p)


def _halved(p: Any, r: Any, s: Any) -> Any:
    x, y, z = theory.pivot_first(p, r, s)
    return x, y / 2, z


#: [[2, 1], [1, 1]] = U(1) L(1) U(0) = L(0) U(1) L(1).
FIBONACCI = {"p": 2, "q": 1, "r": 1, "s": 1}
SHEARED = FIBONACCI | {"x": 1, "y": 1, "z": 0}
LIFTED = FIBONACCI | {"x": 0, "y": 1, "z": 1}


@control("outer_parameters_swapped", SHEARED, pivot_first=_swapped)
@control("middle_halved", SHEARED, pivot_first=_halved)
@proves(GENERATION, "three_upper")
def three_upper(of: Shears) -> Theorem:
    """The lower left entry is y, and then the diagonal gives x and z."""
    return _by_algebra(theory.three_upper(of))


@control("outer_parameters_swapped", LIFTED, pivot_first=_swapped)
@control("middle_halved", LIFTED, pivot_first=_halved)
@proves(GENERATION, "three_lower")
def three_lower(of: Shears) -> Theorem:
    """The same with rows and columns exchanged."""
    return _by_algebra(theory.three_lower(of))


def _squeezes(b: Any) -> Any:
    return theory.squeeze(1 / (1 + b))


@control(
    "squeezes_allowed",
    {"p": 2, "s": Fraction(1, 2), "x": 0, "y": 1, "z": 0},
    lower=_squeezes,
)
@proves(GENERATION, "no_three")
def no_three(of: Shears) -> Theorem:
    """An off-diagonal entry that is 0 makes the middle shear trivial, so p = 1."""
    return _by_algebra(theory.no_three(of))


def _without_square(p: Any) -> Any:
    w, x, y, z = theory.four_for_diagonal(p)
    return w, x, y, z * p


@control("not_squared", four_for_diagonal=_without_square)
@control("opposite_sign", lower=lambda b: theory.lower(-b))
@proves(GENERATION, "four_shears")
def four_shears(of: Shears) -> Theorem:
    """Entry by entry."""
    return _by_algebra(theory.four_shears(of))


# ---------------------------------------------------------------------- symplectic.trace_classes
def _half_of_a(a: Any, b: Any) -> Any:
    return theory.lower(b) * theory.upper(a) * theory.lower(b / 2)


@control("plus_four", discriminant=lambda tau: tau**2 + 4)
@proves(TRACE_CLASSES, "discriminant")
def discriminant(of: Shears) -> Theorem:
    """The determinants expanded."""
    return _by_algebra(theory.discriminant(of))


#: A quarter turn seen in another frame, by its entries and the frame's data.
QUARTER = {"p": 1, "q": -1, "r": 2, "s": -1, "theta": pi / 2, "sigma": 1, "k": sqrt(num(2))}


def _transposed_frame(*data: Any) -> Any:
    return theory.turning_frame(*data).T


@control("transposed_frame", QUARTER, turning_frame=_transposed_frame)
@control("opposite_turn", QUARTER, rotation=lambda c, s: theory.rotation(c, -s))
@proves(TRACE_CLASSES, "turning")
def turning(of: Shears) -> Theorem:
    """With r = 0 the discriminant is (p - s)^2; else the frame is checked entry by entry."""
    first, second = node(theory.turning(of)).args
    premise, goal = T.inner(first).args
    corner = goal.args[0]
    facts = [*premise.args, corner]
    clash = T.contradict(facts, [node((theory.p - theory.s) ** 2)])
    outside = T.implication(T.unpack(T.conclude_not(clash, corner), premise), premise)
    return T.both(T.generalise(outside, *T.outer(first)), _by_algebra(second))


@control(
    "rotations_by_a_half_turn",
    {"theta": pi / 2, "p": 1, "q": 0, "r": 0, "s": 1},
    rotation=lambda c, s: theory.rotation(-s, c),
)
@control("identity_for_mirror", mirror=theory.IDENTITY)
@proves(TRACE_CLASSES, "opposite_turns")
def opposite_turns(of: Shears) -> Theorem:
    """It would have q = r and s = -p, so its determinant -p^2 - q^2 would not be 1."""
    statement = theory.opposite_turns(of)
    inside, goal = T.inner(statement).args
    never, mirrored = goal.args
    special, denied = never.args
    p, q, r, s = map(node, theory.ENTRIES)
    sine = node(theory.sin(theory.theta))
    positive = T.apply(kernel.meaning("sine_positive"), [theory.theta], kernel.assume(inside))
    zero = Eq(sine, num(0))
    turned = T.conclude_not(T.contradict([zero, positive.conclusion]), zero)
    facts = [denied.args[0], turned.conclusion]
    shape = [prove_identity(Eq(r, q), facts), prove_identity(Eq(s, num(-1) * p), facts)]
    found = [part.conclusion for part in shape]
    clash = T.discharge(T.contradict([special, *found], [p**2, q**2]), *shape, turned)
    refused = T.implication(T.conclude_not(T.discharge(clash, positive), denied.args[0]), special)
    both = T.implication(T.both(refused, prove_identity(mirrored)), inside)
    return T.generalise(both, *T.outer(statement))


#: L(1).
LOWER = {"p": 1, "q": 0, "r": 1, "s": 1, "sigma": 1, "k": 1}


@control("mirror_for_form", LOWER, form=theory.MIRROR)
@proves(TRACE_CLASSES, "shearing")
def shearing(of: Shears) -> Theorem:
    """M - I has trace and determinant 0, so its entries are those of a line v."""
    line, *triangular = node(theory.shearing(of)).args

    def unipotent(part: Node) -> Theorem:
        """With r = 0 the diagonal entry p has (p - 1)^2 = 0."""
        premise, goal = T.inner(part).args
        facts = T.conjuncts(premise)
        one = zero_square(node(theory.p - 1), facts)
        found = T.discharge(prove_identity(goal, [*facts, one.conclusion]), one)
        found = T.implication(T.unpack_all(found, premise), premise)
        return T.generalise(found, *T.outer(part))

    return T.both(_by_algebra(line), *map(unipotent, triangular))


@control("not_normalised", shearing_frame=lambda x, y: theory.ImmutableMatrix([[x, -y], [y, x]]))
@control("quadratic", upper=lambda a: theory.upper(a**2))
@proves(TRACE_CLASSES, "shear_frame")
def shear_frame(of: Shears) -> Theorem:
    """J v is orthogonal to v."""
    return _by_algebra(theory.shear_frame(of))


@control(
    "reflections_allowed",
    {"p": 1, "q": 0, "r": 0, "s": 1, "x": 1, "y": 1, "a": 1, "b": -1},
    upper=lambda a: theory.upper(a**2),
)
@proves(TRACE_CLASSES, "four_shear_classes")
def four_shear_classes(of: Shears) -> Theorem:
    """Opposite signs leave no row; then r = 0 and a = p^2 b with p^4 = 1."""
    statement = theory.four_shear_classes(of)
    premise, goal = T.inner(statement).args
    facts = T.conjuncts(premise)
    same, equal = goal.args
    clash = prove_contradiction([*facts, T.negation(same)])
    signs = T.split(same, kernel.assume(same), T.ex_falso(clash, same))
    p, one = node(theory.p), Eq(node(theory.p) ** 2 + 1, num(0))
    apart = T.conclude_not(T.contradict([one], [p**2]), one)
    corner = prove_identity(Eq(node(theory.r), num(0)), [*facts, signs.conclusion])
    given = [*facts, signs.conclusion, corner.conclusion, apart.conclusion]
    found = T.discharge(prove_identity(equal, given), corner, apart)
    both = T.unpack_all(T.discharge(T.both(signs, found), signs), premise)
    return T.generalise(T.implication(both, premise), *T.outer(statement))


#: mu = log 2, trace 5 / 2.
DOUBLED = {"p": 2, "q": 0, "r": 1, "s": Fraction(1, 2), "mu": theory.log(2)}


def _unscaled(*data: Any) -> Any:
    below, above = theory.pushing_frames(*data)
    return below.T, above


@control("transposed_frame", DOUBLED, pushing_frames=_unscaled)
@control(
    "mirror_for_form",
    {"p": Fraction(1, 2), "q": 0, "r": 0, "s": 2, "mu": theory.log(2)},
    form=theory.MIRROR,
)
@proves(TRACE_CLASSES, "pushing")
def pushing(of: Shears) -> Theorem:
    """The eigenvectors, scaled to determinant one; a diagonal matrix is one of two."""
    *framed, last = node(theory.pushing(of)).args
    premise, goal = T.inner(last).args
    facts = T.conjuncts(premise)
    # (p - e^mu)(p - e^-mu) = 0
    p, grow = node(theory.p), node(theory.exp(theory.rate))
    first = Eq(p, grow)
    plain, turned = goal.args
    here = T.alternative(prove_identity(plain, [*facts, first]), goal)
    there = [*facts, T.negation(first)]
    proofs = [prove_identity(part, there) for part in turned.args]
    other = T.alternative(T.both(*proofs), goal)
    found = T.implication(T.unpack_all(T.split(first, here, other), premise), premise)
    return T.both(*map(_by_algebra, framed), T.generalise(found, *T.outer(last)))


#: -diag(2, 1 / 2) doubles the first axis and turns it round.
FLIPPED = {"p": -2, "q": 0, "r": 0, "s": Fraction(-1, 2), "a": 1, "b": 0, "lambda": 2, "n": 1}


@control("without_signs", FLIPPED, parity=lambda n: 1)
@proves(TRACE_CLASSES, "alternating")
def alternating(of: Shears) -> Theorem:
    """By induction on n."""
    statement = theory.alternating(of)
    premise, goal = T.inner(statement).args
    found = T.implication(prove_by_induction(theory.n, goal, [premise]), premise)
    return T.generalise(found, *T.outer(statement))


@control("plus_four", discriminant=lambda tau: tau**2 + 4)
@control("unhalved_on_one_side", composed=_half_of_a)
@proves(TRACE_CLASSES, "regions")
def regions(of: Shears) -> Theorem:
    """tau^2 - 4 = (tau - 2)(tau + 2)."""
    *equations, above, below = node(theory.regions(of)).args

    def ordered(part: Node) -> Theorem:
        premise, goal = T.inner(part).args
        facts = T.conjuncts(premise)
        found = T.unpack_all(prove_order(goal, facts), premise)
        return T.generalise(T.implication(found, premise), theory.x)

    return T.both(*map(_by_algebra, equations), ordered(above), ordered(below))


# ---------------------------------------------------------------------- symmetric_composition
@control("unhalved_on_one_side", composed=_half_of_a)
@control("without_correction", corner=lambda a, b: b)
@proves(SYMMETRIC_COMPOSITION, "entries")
def entries(of: Shears) -> Theorem:
    """The products written out."""
    return _by_algebra(theory.entries(of))


@control("unhalved_on_one_side", composed=_half_of_a)
@control("scaled", lower=_not_a_shear)
@proves(SYMMETRIC_COMPOSITION, "invariants")
def invariants(of: Shears) -> Theorem:
    """The products written out."""
    return _by_algebra(theory.invariants(of))


@control("unhalved_on_one_side", composed=_half_of_a)
@control("identity_for_mirror", mirror=theory.IDENTITY)
@proves(SYMMETRIC_COMPOSITION, "reversible")
def reversible(of: Shears) -> Theorem:
    """The mirror turns U(a) into U(-a), L(b) into L(-b), and a palindrome into its inverse."""
    return _by_algebra(theory.reversible(of))


@control("unhalved_on_one_side", composed=_half_of_a)
@control("without_correction", corner=lambda a, b: b)
@proves(SYMMETRIC_COMPOSITION, "similar")
def similar(of: Shears) -> Theorem:
    """X moves one half shear from the end of the product to its beginning."""
    return _by_algebra(theory.similar(of))


def _roots(term: Node) -> list[Node]:
    """The square roots in a term."""
    if term.head == "root":
        return [term]
    return [root for part in term.args if isinstance(part, Node) for root in _roots(part)]


def _rate(part: Node) -> Theorem:
    """premise => 0 < mu and cosh mu = ..., for mu = 2 log(w), w a sum of two roots, one above 1.

    Were log w <= 0, then w = exp log w <= exp 0 = 1.
    """
    premise, found = part.args
    positive, hyperbolic = found.args
    logarithm = positive.args[1].args[1]
    roots = _roots(logarithm)
    inside = [prove_order(Lt(num(0), root.args[0]), [premise], degree=1) for root in roots]
    facts = [premise, *(fact.conclusion for fact in inside)]
    not_above = Le(logarithm, num(0))
    rises = T.parts(T.apply(T.exponential_rises(), [logarithm, num(0)]))[1]
    small = kernel.modus(rises, kernel.assume(not_above))
    clash = T.discharge(T.contradict([small.conclusion, *facts], roots), small)
    goal = Lt(num(0), logarithm)
    above = T.compare(0, logarithm, kernel.assume(goal), T.ex_falso(clash, goal))
    doubled = prove_nonneg(positive, 2 * logarithm, [above.conclusion, *facts])
    both = T.both(T.discharge(doubled, above), prove_identity(hyperbolic, facts))
    return T.implication(T.discharge(both, *inside), premise)


@control("without_the_half", rate=lambda ab: theory.asinh_rate(4 * ab))
@control("hyperbolic_beyond", far_rate=lambda ab: theory.asinh_rate(ab))
@proves(SYMMETRIC_COMPOSITION, "rates")
def rates(of: Shears) -> Theorem:
    """mu = 2 log w: w^2 and its inverse add up to 2 cosh mu, and w > 1."""
    *parts, turn = T.inner(theory.rates(of)).args
    return T.both(*map(_rate, parts), _by_algebra(turn))


@lru_cache
def _both_positive() -> Theorem:
    """0 < x, 0 < y |- x + y != 0."""
    x, y = variable("x", Real), variable("y", Real)
    together = Eq(x + y, num(0))
    return T.conclude_not(T.contradict([together, Lt(num(0), x), Lt(num(0), y)]), together)


def _scaled_sine(sine: Node, positive: Theorem, facts: Sequence[Node]) -> Theorem:
    """sine = sigma a rho, from the equations of a branch: both are positive, with equal squares."""
    side = node(theory.Lt(0, theory.sigma * theory.a))
    other = node(theory.sigma * theory.a * theory.rho)
    above = prove_nonneg(Lt(num(0), other), T.margin(side) * node(theory.rho), [side])
    x, y = variable("x", Real), variable("y", Real)
    apart = kernel.specialise(_both_positive(), {x: sine, y: other})
    found = prove_identity(Eq(sine, other), [apart.conclusion, *facts])
    return T.discharge(found, T.discharge(apart, positive, above))


def _squeezed(statement: Any, sine: Node, positive: Theorem, *lemmas: Theorem) -> Theorem:
    """The equations of a branch from sine = sigma a rho."""
    premise, goal = T.inner(statement).args
    facts = [fact for fact in T.conjuncts(premise) if fact.head == "eq"]
    facts += [lemma.conclusion for lemma in lemmas]
    scaled = _scaled_sine(sine, positive, facts)
    parts = T.conjuncts(goal)
    proofs = [prove_identity(part, [*facts, scaled.conclusion]) for part in parts]
    found = T.both(*proofs) if len(proofs) > 1 else proofs[0]
    found = T.unpack_all(T.discharge(found, scaled, *lemmas), premise)
    return T.generalise(T.implication(found, premise), *T.outer(statement))


#: ab = 1 / 2: mu = log 2, rho = 3 / 4; and ab = -9 / 2 with the same.
ROOT = sqrt(num(Fraction(3, 4)))
NEAR = {"a": 1, "b": Fraction(1, 2), "sigma": 1, "mu": theory.log(2), "rho": Fraction(3, 4)}
NEAR |= {"k": ROOT}
FAR = NEAR | {"b": Fraction(-9, 2)}
#: ab = -1: a sixth of a turn, rho = sqrt(3) / 2.
SIXTH = {"a": 1, "b": -1, "sigma": 1, "theta": pi / 3, "rho": ROOT, "k": sqrt(ROOT)}


@control("rotation_for_boost", NEAR, boost=theory.rotation)
@control("squeezed_the_other_way", NEAR, squeeze=lambda k: theory.squeeze(1 / k))
@proves(SYMMETRIC_COMPOSITION, "hyperbolic")
def hyperbolic(of: Shears) -> Theorem:
    """sinh^2 mu = a c = (a rho)^2, and both roots have the sign of sigma."""
    sine = node(theory.sinh(theory.rate))
    return _squeezed(theory.hyperbolic(of), sine, prove_nonneg(Lt(num(0), sine), sine))


@control("opposite_turn", SIXTH, rotation=lambda c, s: theory.rotation(c, -s))
@control("squeezed_the_other_way", SIXTH, squeeze=lambda k: theory.squeeze(1 / k))
@proves(SYMMETRIC_COMPOSITION, "elliptic")
def elliptic(of: Shears) -> Theorem:
    """The same with sin theta, which is positive below pi."""
    statement = theory.elliptic(of)
    facts = T.conjuncts(T.inner(statement).args[0])
    angles = T.both(kernel.assume(facts[2]), kernel.assume(facts[3]))
    positive = T.apply(kernel.meaning("sine_positive"), [theory.theta], angles)
    return _squeezed(statement, node(theory.sin(theory.theta)), positive)


@control("unhalved_on_one_side", composed=_half_of_a)
@control("scaled", lower=_not_a_shear)
@proves(SYMMETRIC_COMPOSITION, "boundary")
def boundary(of: Shears) -> Theorem:
    """The entries at the boundary."""
    return _by_algebra(theory.boundary(of))


@control("rotation_for_boost", FAR, boost=theory.rotation)
@control("squeezed_the_other_way", FAR, squeeze=lambda k: theory.squeeze(1 / k))
@proves(SYMMETRIC_COMPOSITION, "beyond")
def beyond(of: Shears) -> Theorem:
    """The same with minus the boost."""
    sine = node(theory.sinh(theory.rate))
    return _squeezed(theory.beyond(of), sine, prove_nonneg(Lt(num(0), sine), sine))


def zero_square(term: Node, facts: Sequence[Node]) -> Theorem:
    """facts |- term = 0, when they make a power of it vanish."""
    zero = Eq(term, num(0))
    clash = prove_contradiction([*facts, T.negation(zero)])
    return T.split(zero, kernel.assume(zero), T.ex_falso(clash, zero))


def _singular(part: Node, below: Sequence[Any]) -> Theorem:
    """Eigenvectors have a vanishing entry `below`, and then the determinant vanishes."""
    nonzero, inside = T.inner(part).args
    premise, goal = inside.args
    facts = [nonzero, premise]
    zeros = [zero_square(node(entry), facts) for entry in below]
    found = prove_identity(goal, [*facts, *(zero.conclusion for zero in zeros)])
    found = T.implication(T.discharge(found, *zeros), nonzero, premise)
    return T.generalise(found, *T.outer(part))


def _power(part: Node) -> Theorem:
    """S^n by induction on n."""
    nonzero, goal = T.inner(part).args
    found = prove_by_induction(theory.n, goal)
    return T.generalise(T.implication(found, nonzero), *T.outer(part))


@control("unhalved_on_one_side", composed=_half_of_a)
@control("without_lower_shears", lower=lambda b: theory.IDENTITY)
@proves(SYMMETRIC_COMPOSITION, "not_diagonalisable")
def not_diagonalisable(of: Shears) -> Theorem:
    """An eigenvector of a shear lies on its axis, and one axis spans no plane."""
    upper, lower, *powers = node(theory.not_diagonalisable(of)).args
    return T.both(
        _singular(upper, (theory.r, theory.s)),
        _singular(lower, (theory.p, theory.q)),
        *map(_power, powers),
    )


def _swapped_parameters(mu: Any, rho: Any) -> Any:
    return theory.parameters(mu, 1 / rho)


@control("other_anisotropy", parameters=_swapped_parameters)
@control("rotation_for_boost", boost=theory.rotation)
@proves(SYMMETRIC_COMPOSITION, "inverse")
def inverse(of: Shears) -> Theorem:
    """Positive factors, and identities in exp(mu / 2)."""
    premise, goal = T.inner(theory.inverse(of)).args

    def prove(part: Node) -> Theorem:
        if part.head == "lt":
            return prove_nonneg(part, part.args[1])
        return prove_identity(part, [premise])

    found = T.implication(T.both(*map(prove, goal.args)), premise)
    return T.generalise(found, theory.rate, theory.rho, theory.k)


# ---------------------------------------------------------------------- small steps
_y, _w, _n = variable("y", Real), variable("w", Real), variable("n", Int(0))
NATURAL, ABOVE = Le(num(0), _y), Le(num(0), _w)


@lru_cache
def _no_growth() -> Theorem:
    """for all reals x and c >= 0: 3^n x <= c for every n => x <= 0."""
    x, c, k = variable("x", Real), variable("c", Real), variable("k", Integer)
    always = ForAll(_n, Le(power(3, _n) * x, c))
    positive, limit = Lt(num(0), x), Le(num(0), c)
    floor = T.apply(kernel.meaning("floor"), [c / x])
    high = T.body(floor, k).args[1]
    above = prove_nonneg(Lt(c, (k + 1) * x), x * T.margin(high), [high, positive])
    count, inside = k + 1, Le(num(0), k + 1)
    below = T.contradict([Lt(count, num(0)), above.conclusion, positive, limit])
    first = T.compare(count, 0, T.ex_falso(below, inside), kernel.assume(inside))
    least = Le(_n + 1, power(3, _n))
    more = 3 * T.margin(least) + 2 * _n + 1
    grown = prove_nonneg(Le(_n + 2, power(3, _n + 1)), more, [least])
    grown = T.transport(Le(x, power(3, _n + 1)), x, prove_identity(Eq(_n + 1 + 1, _n + 2)), grown)
    large = kernel.induct(_n, least, prove_order(Le(num(0) + 1, power(3, 0))), grown)
    large = kernel.specialise(kernel.weaken(large, [inside]), {_n: count})
    at = kernel.instantiate(kernel.weaken(kernel.assume(always), [inside]), count)
    facts = [at.conclusion, large.conclusion, above.conclusion, positive]
    clash = T.discharge(T.contradict(facts), at, large, above)
    clash = T.obtain(floor, k, T.unpack(T.discharge(clash, first, above), T.body(floor, k)))
    found = T.compare(0, x, T.ex_falso(clash, Le(x, num(0))), kernel.assume(Le(x, num(0))))
    return T.generalise(T.implication(found, limit, always), x, c)


def _tripled(w: Node) -> Node:
    """sinh 3 y from w = sinh y."""
    return 3 * w + 4 * w**3


Shape = Callable[[Node, Node], Node]


def _not_positive(defect: Shape, size: Callable[[Node], Node], base: Theorem) -> Theorem:
    """0 <= y |- defect(y, sinh y) <= 0, from base: 0 <= y |- defect <= size(sinh y).

    The defect at 3 y is at most three times that at y, and the size at least nine times: so
    3^n defect <= size for every n.
    """
    here, wave = defect(_y, sinh(_y)), size(sinh(_y))
    statement = ForAll(_y, Implies(NATURAL, Le(power(3, _n) * here, wave)))
    start = prove_nonneg(Le(power(3, 0) * here, wave), T.margin(base.conclusion), [base.conclusion])
    start = T.generalise(T.implication(T.discharge(start, base), NATURAL), _y)

    third = _y / 3
    waved = prove_nonneg(Le(num(0), sinh(third)), sinh(third), [NATURAL])
    falls = Le(defect(3 * _y, _tripled(_w)), 3 * defect(_y, _w))
    rises = Le(9 * size(_w), size(_tripled(_w)))
    lemmas = [
        kernel.specialise(_by_powers(claim), {_y: third, _w: sinh(third)})
        for claim in (falls, rises)
    ]
    known = T.apply(
        kernel.assume(statement), [third], prove_nonneg(Le(num(0), third), third, [NATURAL])
    )
    margins = [T.margin(lemma.conclusion) for lemma in (*lemmas, known)]
    form = 3 * power(3, _n) * margins[0] + margins[1] + 9 * margins[2]
    facts = [lemma.conclusion for lemma in (*lemmas, known)]
    step = prove_nonneg(Le(power(3, _n + 1) * here, wave), form, facts)
    step = T.discharge(step, *lemmas, known, waved)
    step = T.generalise(T.implication(step, NATURAL), _y)
    every = T.apply(kernel.induct(_n, statement, start, step), [_y], kernel.assume(NATURAL))

    sign = prove_nonneg(Le(num(0), sinh(_y)), sinh(_y), [NATURAL])
    size_sign = kernel.specialise(
        prove_nonneg(Le(num(0), size(_w)), size(_w), [ABOVE]), {_w: sinh(_y)}
    )
    return T.apply(
        _no_growth(), [here, wave], T.discharge(size_sign, sign), T.generalise(every, _n)
    )


def _by_powers(claim: Node) -> Theorem:
    """0 <= w |- an inequality whose sides differ by a polynomial in w with coefficients >= 0."""
    return prove_order(claim, [ABOVE], [_w**power for power in range(2, 16)], degree=1)


def _over(y: Node, w: Node) -> Node:
    return y - w


def _under(y: Node, w: Node) -> Node:
    return w - w**3 / 6 - y


def _close(y: Node, w: Node) -> Node:
    return y - w + w**3 / 6 - num(Fraction(3, 40)) * w**5


@lru_cache
def _inverse_sine() -> Theorem:
    """0 <= y |- w - w^3 / 6 <= y <= w - w^3 / 6 + 3 w^5 / 40, with w = sinh y."""
    wave, size = sinh(_y), lambda w: w**2 / 2
    # cosh y - 1 <= w^2 / 2 as (cosh y - 1)^2 >= 0, and exp (+-y) >= 1 +- y.
    hollow = (cosh(_y) - 1) ** 2 / 2
    above = T.apply(kernel.meaning("exponential_above_line"), [_y])
    below = T.apply(kernel.meaning("exponential_above_line"), [num(-1) * _y])
    over = prove_nonneg(
        Le(_over(_y, wave), size(wave)), T.margin(above.conclusion) + hollow, [above.conclusion]
    )
    over = _not_positive(_over, size, T.discharge(over, above))
    form = T.margin(below.conclusion) + hollow + wave**3 / 6
    under = prove_nonneg(Le(_under(_y, wave), size(wave)), form, [below.conclusion, NATURAL])
    under = _not_positive(_under, size, T.discharge(under, below))
    form = T.margin(over.conclusion) + num(Fraction(3, 40)) * wave**5
    close = prove_nonneg(Le(_close(_y, wave), wave**3 / 6), form, [over.conclusion, NATURAL])
    close = _not_positive(_close, lambda w: w**3 / 6, T.discharge(close, over))
    return T.both(under, close)


def _twice(statement: Any, bounds: Theorem) -> Theorem:
    """Each part of the statement is twice a bound."""
    parts = T.conjuncts(T.inner(statement))
    proofs = [
        T.discharge(prove_nonneg(part, 2 * T.margin(bound.conclusion), [bound.conclusion]), bound)
        for part, bound in zip(parts, T.parts(bounds), strict=True)
    ]
    return T.both(*proofs)


@control("one_over_twenty_five", {"mu": Fraction(1, 5)}, correction=theory.Rational(1, 25))
@proves(SYMMETRIC_COMPOSITION, "small_rate")
def small_rate(of: Shears) -> Theorem:
    """sinh 3y = 3 sinh y + 4 sinh^3 y: the bounds hold at 3 y with room if they do at y."""
    half = node(theory.rate / 2)
    bounds = kernel.specialise(_inverse_sine(), {_y: half})
    bounds = T.discharge(bounds, prove_nonneg(Le(num(0), half), half))
    return T.generalise(_twice(theory.small_rate(of), bounds), theory.rate)


_v = variable("v", Real)
#: More than (pi / 2)^2.
SQUARE = Fraction(5, 2)


def _divided(difference: Node, quotient: Node) -> Theorem:
    """0 <= y, y^2 <= 5 / 2 |- 0 <= difference = y^5 quotient(y^2), by subdivision."""
    positive = kernel.enclosure(Lt(num(0), quotient), {_v: (Fraction(0), SQUARE)})
    positive = kernel.specialise(positive, {_v: _y**2})
    fact = positive.conclusion
    found = prove_nonneg(Le(num(0), difference), _y**5 * fact.args[1], [NATURAL, fact])
    return T.discharge(found, T.discharge(positive, prove_nonneg(Le(num(0), _y**2), _y**2)))


def _cubic(x: Node) -> Node:
    return x + x**3 / 6


@lru_cache
def _inverse_circle() -> Theorem:
    """0 <= y, y^2 <= 5 / 2 |- w + w^3 / 6 <= y <= w + w^3 / 6 + w^5, with w = sin y.

    x + x^3 / 6 and x + x^3 / 6 + x^5 increase, so Taylor polynomials may stand for the sine; what
    is left is y^5 times a positive polynomial in v = y^2.
    """
    w, upper, lower = sin(_y), _y - _y**3 / 6 + _y**5 / 120, _y - _y**3 / 6
    above = T.apply(kernel.meaning("sine_below_quintic"), [_y], kernel.assume(NATURAL))
    below = T.apply(kernel.meaning("sine_above_cubic"), [_y], kernel.assume(NATURAL))
    coarse, slope = 1 - _v / 6, num(Fraction(1, 6)) - _v / 120
    fine = coarse + _v**2 / 120
    room = slope * (1 + fine + fine**2) / 6 - num(Fraction(1, 120))
    fits = _divided(_y - _cubic(upper), room)
    rest = coarse**5 - (1 + coarse + coarse**2) / 36
    fills = _divided(_cubic(lower) + lower**5 - _y, rest)

    def cubic_slope(x: Node) -> Node:
        return 1 + ((x + w) ** 2 + x**2 + w**2) / 12

    quintic_slope = (w**2 + w * lower / 2) ** 2 + (lower**2 + w * lower / 2) ** 2
    quintic_slope = quintic_slope + (w * lower) ** 2 / 2
    first = fits.conclusion.args[1] + T.margin(above.conclusion) * cubic_slope(upper)
    under = prove_nonneg(Le(_cubic(w), _y), first, [fits.conclusion, above.conclusion])
    slopes = cubic_slope(lower) + quintic_slope
    second = fills.conclusion.args[1] + T.margin(below.conclusion) * slopes
    over = prove_nonneg(Le(_y, _cubic(w) + w**5), second, [fills.conclusion, below.conclusion])
    return T.both(T.discharge(under, fits, above), T.discharge(over, fills, below))


@control("one_over_twenty_five", {"theta": Fraction(1, 10)}, correction=theory.Rational(1, 25))
@proves(SYMMETRIC_COMPOSITION, "small_angle")
def small_angle(of: Shears) -> Theorem:
    """The sine lies between its Taylor polynomials."""
    half, angle = node(theory.theta / 2), node(theory.theta)
    premise, goal = T.inner(theory.small_angle(of)).args
    turned = kernel.meaning("pi_below_22_7")
    below = prove_order(Lt(angle, num(Fraction(22, 7))), [*premise.args, turned.conclusion])
    square = prove_order(Le(half**2, num(SQUARE)), [premise.args[0], below.conclusion])
    square = T.discharge(square, T.discharge(below, turned))
    natural = prove_order(Le(num(0), half), [premise.args[0]])
    bounds = T.discharge(kernel.specialise(_inverse_circle(), {_y: half}), square, natural)
    found = T.implication(T.unpack(_twice(goal, bounds), premise), premise)
    return T.generalise(found, theory.theta)


# ---------------------------------------------------------------------- symplectic.three_shears
def _wrong_sign(t: Any) -> Any:
    outer, middle, last = theory.rotation_shears(t)
    return -outer, middle, -last


def _full_tangent(t: Any) -> Any:
    outer, middle, last = theory.rotation_shears(2 * t)
    return outer, theory.sin(t), last


@control("positive_tangent", rotation_shears=_wrong_sign)
@control("tangent_of_the_whole_angle", rotation_shears=_full_tangent)
@control("opposite_turn", rotation=lambda c, s: theory.rotation(c, -s))
@proves(THREE_SHEARS, "rotation_lifted")
def rotation_lifted(of: Shears) -> Theorem:
    """Rational identities in cos and sin of half the angle."""
    return _by_algebra(theory.rotation_lifted(of))


@control(
    "positive_tangent", {"theta": pi / 2, "x": -1, "y": 1, "z": -1}, rotation_shears=_wrong_sign
)
@proves(THREE_SHEARS, "rotation_only")
def rotation_only(of: Shears) -> Theorem:
    """The middle parameter is the lower left entry; the diagonal gives the outer ones."""
    half = node(theory.Eq(theory.cos(theory.theta / 2), 0))
    turning = T.negation(theory.Eq(theory.sin(theory.theta), 0))
    apart = T.conclude_not(prove_contradiction([half, turning]), half)
    statement = node(theory.rotation_only(of))
    premise, goal = T.inner(statement).args
    found = T.discharge(_follows(goal, premise, apart.conclusion), apart)
    return T.generalise(T.implication(found, premise), *T.outer(statement))


@control("mirror_for_rotation", rotation=lambda c, s: theory.ImmutableMatrix([[-c, s], [s, -c]]))
@proves(THREE_SHEARS, "half_turn")
def half_turn(of: Shears) -> Theorem:
    """-I has no off-diagonal entry: the middle shear would be trivial."""
    return _by_algebra(theory.half_turn(of))


def _tangents(m: Any) -> Any:
    t = theory.half_tangent(m)
    return t, theory.sinh(m), t


@control("circular_tangent", boost_shears=_tangents)
@control("rotation_for_boost", boost=theory.rotation)
@proves(THREE_SHEARS, "boost_lifted")
def boost_lifted(of: Shears) -> Theorem:
    """Rational identities in exp(mu / 2), and cosh never vanishes."""
    return _by_algebra(theory.boost_lifted(of))


def _one_sided(a: Any, b: Any) -> Any:
    return theory.lower(b) * theory.upper(a)


@control("one_sided", composed=_one_sided)
@control("without_correction", corner=lambda a, b: b)
@proves(THREE_SHEARS, "lifted_parameters")
def lifted_parameters(of: Shears) -> Theorem:
    """S(a, b) is L(b / 2) U(a) L(b / 2)."""
    return _by_algebra(theory.lifted_parameters(of))
