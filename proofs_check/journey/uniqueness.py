"""Proofs of `theory.journey.uniqueness`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from sympy import ImmutableMatrix as Matrix

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.additive import Nearby, at_zero, proportional
from posproof.proofs_check.circle import angle_of_unit
from posproof.proofs_check.exponentials import exponential_one
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Node, num, substitute, variable
from posproof.proofs_check.rationals import equal_parts
from posproof.proofs_check.search import (
    prove_contradiction,
    prove_identity,
    prove_nonneg,
    prove_order,
    prove_same,
)
from posproof.theory.journey import uniqueness as statements
from posproof.theory.journey.uniqueness import (
    AXES,
    FLIP,
    IDENTITY,
    LARGEST_PLANES,
    OTHER_TURN,
    QUARTER,
    TURN,
    UNIQUENESS,
    Axioms,
    N,
    alpha,
    angles,
    beta,
    delta,
    direct_sum,
    entries,
    growth,
    i,
    j,
    k,
    omega,
    phi,
    power,
    psi,
    rotation,
    turns,
    x,
    y,
)
from posproof.theory.symbols import variables
from posproof.theory.vocabulary import (
    And,
    Eq,
    Implies,
    Int,
    Integer,
    Le,
    Lt,
    Ne,
    Real,
    control,
    proves,
)

node = T.node
phi_of = statements.phase


def reflection(phi: Any) -> Matrix:
    return rotation(phi) * FLIP


def _only_together(c: int, m: int) -> Matrix:
    """One quarter turn of all planes at once: the diagonal circle instead of the torus."""
    return direct_sum([QUARTER] * m)


#: Two planes exchanged: commutes with the diagonal circle, and keeps norms.
EXCHANGED = {
    **{f"p{row}{column}": 0 for row in range(4) for column in range(4)},
    **{"p02": 1, "p13": 1, "p20": 1, "p31": 1},
}
#: A quarter turn of the plane of components 0 and 2.
HALF_SPLIT = EXCHANGED | {"p02": -1, "p13": 0, "p31": 0, "p11": 1, "p33": 1}
DIAGONAL = {"p00": 1, "p01": 0, "p10": 0, "p11": 0, "alpha": 1}


def _half_split(c: int, m: int) -> Matrix:
    """The quarter turn of components c and c + m, where P is judged by neighbouring ones."""
    turn = statements.sympy.zeros(2 * m)
    turn[c, c + m], turn[c + m, c] = -1, 1
    return Matrix(turn)


# ---------------------------------------------------------------------- journey.uniqueness
@control("reflection_for_quarter", DIAGONAL, generator=lambda c, m: FLIP)
@proves(UNIQUENESS, "toral")
def toral(of: Axioms) -> Theorem:
    """Half a turn in one of two planes, a quarter turn in one plane; R(a) = cos a I + sin a J."""
    goal = T.stated(UNIQUENESS, "toral", of).body
    X = entries(1)

    two = goal.parts[0]
    half = T.apply(T.assume(two.left), [statements.sympy.pi, 0])
    forward = T.discharge(prove_identity(two.right, [half.conclusion]), half)
    turned = prove_identity(two.left.body, [two.right])
    vanishes = T.iff(two.left, two.right, forward, T.generalise(turned, alpha, beta))

    one = goal.parts[1]
    quarter = T.apply(T.assume(one.left), [statements.sympy.pi / 2])
    forward = T.discharge(prove_identity(one.right, [quarter.conclusion]), quarter)
    turned = prove_identity(one.left.body, [one.right])
    commutes = T.iff(one.left, one.right, forward, T.generalise(turned, alpha))
    return T.generalise(T.both(vanishes, commutes), *X)


@control("half_split_frame", HALF_SPLIT, generator=_half_split)
@control("only_the_diagonal_circle", EXCHANGED, generator=_only_together)
@proves(UNIQUENESS, "forced", "m = 1, 2, 3, 4; every matrix P")
def forced(of: Axioms) -> Theorem:
    """J_c P = P J_c empties the blocks beside plane c and makes its own a I + b J."""
    return T.both(*(_forced(of, m) for m in range(1, LARGEST_PLANES + 1)))


def _forced(of: Axioms, m: int) -> Theorem:
    P, names = entries(m), angles(m)
    premise = statements.forced_premise(of, m)
    *frame, orthogonal = premise.parts
    conclusion: Any = statements.forced_conclusion(of, m)
    shaped, exists = conclusion.parts
    diagonal, *lengths = shaped.parts
    # P = (+) R(phi_c), one cosine and one sine after the other.
    proof, found = T.assume(diagonal), []
    for c, name in enumerate(names):
        first = [P[2 * c, 2 * c], P[2 * c + 1, 2 * c]]
        found.append(T.apply(angle_of_unit(), first, T.assume(lengths[c])))
        for value in T.body(found[c], name).args:
            proof = _inserted(proof, value)
    goals = [node(exists)]
    for name in names:
        goals.append(T.body_of(goals[-1], name))
    for name, goal in zip(reversed(names), reversed(goals[:-1]), strict=True):
        proof = kernel.witness(goal, node(name), proof)
    for name, angle in zip(names, found, strict=True):
        proof = T.obtain(angle, name, T.unpack(proof, T.body(angle, name)))

    whole = T.both(T.both(*(T.assume(part) for part in shaped.parts)), proof)
    form = prove_identity(diagonal, frame)
    units = [_unit_column(P, c, diagonal, orthogonal) for c in range(m)]
    whole = T.discharge(whole, *units, form)
    return T.generalise(T.implication(T.unpack(whole, premise), premise), *P)


def _unit_column(P: Matrix, c: int, diagonal: Any, orthogonal: Any) -> Theorem:
    """a^2 + b^2 = 1 for the first column (a, b) of block c: the rest of that column is 0."""
    column = P[:, 2 * c]
    zero = [row for row in range(P.rows) if row // 2 != c]
    length = prove_same(Eq(sum(p**2 for p in column), 1), orthogonal)
    facts = [length]
    if zero:
        rest = Matrix([column[row] for row in zero])
        facts.append(prove_same(Eq(rest, 0 * rest), diagonal))
    goal = Eq(column[2 * c] ** 2 + column[2 * c + 1] ** 2, 1)
    return T.discharge(prove_identity(goal, [fact.conclusion for fact in facts]), *facts)


def _inserted(theorem: Theorem, value: Node) -> Theorem:
    """From P = F(p) and v = p conclude P = F(v)."""
    left, right = theorem.conclusion.args
    hole = variable("h", Real)
    pattern = Node("eq", (left, T.replaced(right, value.args[1], hole)))
    return kernel.leibniz(theorem, pattern, hole, value)


@control("reflection_for_rotation", rotation=reflection)
@control("half_split_frame", generator=_half_split)
@proves(UNIQUENESS, "sufficient", "m = 1, 2, 3, 4; all angles")
def sufficient(of: Axioms) -> Theorem:
    """cos^2 + sin^2 = 1, and rotations of one plane commute."""
    return T.prove_tree(T.stated(UNIQUENESS, "sufficient", of))


@lru_cache
def _origin_below(inside: Node) -> Theorem:
    return prove_nonneg(inside, node(N) - 1)


def _at(law: Theorem, places: Sequence[Any]) -> Theorem:
    """A law of a window at places that are assumed to be below N; the origin always is."""
    for place in places:
        law = kernel.instantiate(law, node(place))
        inside = law.conclusion.args[0]
        below = _origin_below(inside) if place == 0 else kernel.assume(inside)
        law = kernel.modus(law, below)
    return law


def _windowed(theorem: Theorem, names: Sequence[Any]) -> Theorem:
    """For all names below N."""
    for name in reversed(names):
        theorem = T.generalise(T.implication(theorem, Le(name + 1, N)), name)
    return theorem


def _key_alone(at_query: Any, at_key: Any) -> Any:
    return at_key


@control("phase_of_the_key_alone", {"N": 1, "phi": 1}, phase_difference=_key_alone)
@proves(UNIQUENESS, "phases", "windows of any size N")
def phases(of: Axioms) -> Theorem:
    """R(phi_0i) R(phi_ij) = R(phi_0j); the converse adds differences."""
    composes, listed = statements.composes(of), statements.has_phases(of)
    start = _at(T.assume(composes), (0, i, j))
    forward = T.by_algebra(statements.from_phases(of, i, j), start)
    known = [_at(T.assume(listed), pair) for pair in ((i, k), (k, j), (i, j))]
    places = [statements.pair_phase(*pair) for pair in ((i, k), (k, j), (i, j))]
    origin = [statements.pair_phase(0, place) for place in (i, k, j)]
    steps = [of.phase_difference(*pair) for pair in (origin[:2], origin[1:])]
    backward = _by(_angles_add(of), [*places, *steps], *known)
    backward = _restated(statements.composition(of, i, k, j), backward)
    forward, backward = _windowed(forward, (i, j)), _windowed(backward, (i, k, j))
    return T.generalise(T.iff(composes, listed, forward, backward), N)


def _one_radian_more(frequencies: Sequence[Any], displacement: Sequence[Any]) -> Any:
    return statements.advance([w + 1 for w in frequencies], displacement)


@control("one_radian_more_a_step", {"N": 2, "phi": 0}, advance=_one_radian_more)
@proves(UNIQUENESS, "linear", "one, two and three axes, windows of any size N")
def linear(of: Axioms) -> Theorem:
    """Along each axis by induction; a displacement is a journey along the axes in turn."""
    return T.both(*(T.generalise(_linear(of, axes), N) for axes in AXES))


def _linear(of: Axioms, axes: int) -> Theorem:
    composes, linear = statements.offsets_compose(of, axes), statements.is_linear(of, axes)
    start, stop, end = (statements.positions(name, axes) for name in "ikj")
    law = T.assume(composes)
    lines = [_along(of, law, a, start, end) for a in range(axes)]
    moved, forward = _moved(start, end, range(1)), lines[0]
    for a in range(1, axes):
        # the first a axes are done; axis a more
        here, there = (*end[:a], *start[a:]), (*end[: a + 1], *start[a + 1 :])
        chained = _at(law, (*start, *here, *there))
        farther = _moved(start, end, range(a + 1))
        step = _moved(start, end, range(a, a + 1))
        places = [statements.offset_phase(d) for d in (moved, step, farther)]
        measured = [_angle(of, d) for d in (moved, step)]
        forward = _by(_turns_add(of), [*places, *measured], forward, lines[a], chained)
        moved = farther
    forward = _restated(statements.proportional(of, moved), forward)

    pairs = ((start, stop), (stop, end), (start, end))
    steps = [statements.difference(first, last) for first, last in pairs]
    known = [_at(T.assume(linear), (*first, *last)) for first, last in pairs]
    places = [statements.offset_phase(d) for d in steps]
    measured = [_angle(of, d) for d in steps[:2]]
    backward = _by(_angles_add(of), [*places, *measured], *known)
    backward = _restated(statements.offset_composition(of, start, stop, end), backward)
    forward = _windowed(forward, (*start, *end))
    backward = _windowed(backward, (*start, *stop, *end))
    return T.iff(composes, linear, forward, backward)


def _moved(start: Sequence[Any], end: Sequence[Any], along: range) -> list[Any]:
    """The displacement from start to end along some axes."""
    steps = statements.difference(start, end)
    return [step if a in along else 0 for a, step in enumerate(steps)]


def _angle(of: Axioms, displacement: Sequence[Any]) -> Any:
    return of.advance(statements.frequencies(len(displacement)), displacement)


def _along(of: Axioms, law: Theorem, a: int, start: Sequence[Any], end: Sequence[Any]) -> Theorem:
    """The displacement along axis a alone: R(phi(x e_a)) = R(omega_a x), x = end_a - start_a."""
    axes, n = len(start), variables("n", Int(0))[0]

    def on_axis(step: Any) -> list[Any]:
        return [step if e == a else 0 for e in range(axes)]

    places = [coordinate for step in (i, k, j) for coordinate in on_axis(step)]
    axis_law = _windowed(_at(law, places), (i, k, j))

    def composed(*steps: Any) -> Theorem:
        return _at(T.assume(axis_law.conclusion), steps)

    def turned(step: Any) -> Any:
        return statements.offset_phase(on_axis(step))

    def angle(step: Any) -> Any:
        return _angle(of, on_axis(step))

    def claim(step: Any) -> Any:
        return statements.proportional(of, on_axis(step))

    rest = composed(0, 0, 0)
    forwards = Implies(Le(n + 1, N), claim(n))
    first, after = (T.instance(forwards, n, value).args for value in (0, node(n) + 1))
    base = T.implication(T.by_algebra(first[1], rest), first[0])
    earlier = prove_order(Le(n + 1, N), [after[0]])
    here = kernel.modus(T.assume(forwards), earlier)
    once = prove_identity(claim(1))
    grown = _by(
        _turns_add(of),
        [turned(n), turned(1), turned(n + 1), angle(n), angle(1)],
        here,
        once,
        composed(0, n, node(n) + 1),
    )
    grown = T.discharge(_restated(after[1], grown), earlier)
    line = kernel.induct(node(n), node(forwards), base, T.implication(grown, after[0]))

    s, e = start[a], end[a]
    ends = []
    for place in (s, e):
        reached = kernel.specialise(line, {node(n): node(place)})
        ends.append(kernel.modus(reached, T.assume(Le(place + 1, N))))
    places = [turned(step) for step in (0, -s, s, e, e - s)]
    apart = _by(
        _turns_subtract(of),
        [*places, angle(s), angle(e)],
        rest,
        composed(s, 0, s),
        *ends,
        composed(s, 0, e),
    )
    return T.discharge(_restated(claim(e - s), apart), axis_law)


def _by(lemma: Theorem, values: Sequence[Any], *facts: Theorem) -> Theorem:
    """A universal implication whose premises say, in other words, what was proved."""
    theorem = T.apply(lemma, values)
    wanted = theorem.conclusion.args[0].args
    given = [_restated(premise, fact) for premise, fact in zip(wanted, facts, strict=True)]
    return kernel.modus(theorem, T.both(*given))


def _restated(goal: Any, theorem: Theorem) -> Theorem:
    """The same equation of matrices, written with other signs or in another order."""
    if kernel.same(theorem.conclusion, node(goal)):
        return theorem
    return T.discharge(prove_same(goal, theorem.conclusion), theorem)


u, v, w, v2, r = variables("u v w v' r", Real)
first_angle, second_angle = variables("alpha beta", Real)


@lru_cache
def _turns_add(of: Axioms) -> Theorem:
    """R(u) = R(alpha), R(v) = R(beta), R(u) R(v) = R(w) => R(w) = R(alpha + beta)."""
    R = of.rotation
    given = And(Eq(R(u), R(first_angle)), Eq(R(v), R(second_angle)), Eq(R(u) * R(v), R(w)))
    proof = prove_identity(Eq(R(w), R(u) * R(v)), given.parts[2:])
    for turn, angle, equal in zip((u, v), (first_angle, second_angle), given.parts, strict=False):
        for row in range(2):
            value = prove_identity(Eq(R(angle)[row, 0], R(turn)[row, 0]), [equal])
            proof = T.discharge(_inserted(proof, value.conclusion), value)
    proof = _restated(Eq(R(w), R(first_angle + second_angle)), proof)
    proof = T.implication(T.unpack(proof, given), given)
    return T.generalise(proof, u, v, w, first_angle, second_angle)


@lru_cache
def _angles_add(of: Axioms) -> Theorem:
    """R(u) = R(alpha), R(v) = R(beta), R(w) = R(alpha + beta) => R(u) R(v) = R(w)."""
    R = of.rotation
    whole = Eq(R(w), R(first_angle + second_angle))
    given = And(Eq(R(u), R(first_angle)), Eq(R(v), R(second_angle)), whole)
    proof = prove_identity(Eq(R(u) * R(v), R(w)), given.parts)
    proof = T.implication(T.unpack(proof, given), given)
    return T.generalise(proof, u, v, w, first_angle, second_angle)


@lru_cache
def _turns_subtract(of: Axioms) -> Theorem:
    """R(r) = I, R(u) R(v) = R(r), R(u) R(v') = R(w) => R(w) = R(beta - alpha).

    R(r) = I is said as R(r)^2 = R(r); alpha and beta are the angles of R(v) and R(v').
    """
    R = of.rotation
    given = And(
        Eq(R(r) * R(r), R(r)),
        Eq(R(u) * R(v), R(r)),
        Eq(R(v), R(first_angle)),
        Eq(R(v2), R(second_angle)),
        Eq(R(u) * R(v2), R(w)),
    )
    rest = prove_identity(Eq(R(r), IDENTITY), given.parts[:1])
    facts = [rest.conclusion, *given.parts[1:3]]
    back = T.discharge(prove_identity(Eq(R(u), R(-first_angle)), facts), rest)
    sums = (back, T.assume(given.parts[3]), T.assume(given.parts[4]))
    proof = _by(_turns_add(of), [u, v2, w, -first_angle, second_angle], *sums)
    proof = _restated(Eq(R(w), R(second_angle - first_angle)), proof)
    proof = T.implication(T.unpack(proof, given), given)
    return T.generalise(proof, r, u, v, v2, w, first_angle, second_angle)


# ---------------------------------------------------------------------- real positions
SMALL = {"delta": 1, "phi": 0, "x": 1}


@control("one_radian_more_a_step", SMALL, advance=_one_radian_more)
@proves(UNIQUENESS, "continuous", "positions on a line")
def continuous(of: Axioms) -> Theorem:
    """Small angles add exactly, so phi is proportional near 0, and by the law everywhere."""
    statement = T.stated(UNIQUENESS, "continuous", of).body
    premise, linear = statement.premise, statement.conclusion
    additive, near = (T.assume(part) for part in premise.parts)
    around = Nearby(phi_of, delta, near, _adds_nearby(of, additive, near))
    start, near_zero = at_zero(around), proportional(around)
    hole = variables("H", Real)[0]
    still = prove_identity(Eq(of.rotation(0), IDENTITY))
    rest = T.transport(Eq(of.rotation(hole), IDENTITY), hole, start, still)
    forwards = _everywhere(of, additive, rest, near_zero)

    behind = kernel.specialise(forwards, {node(x): node(-x)})
    backwards = T.by_algebra(linear.body, T.apply(additive, [x, -x]), rest, behind)
    below = T.discharge(backwards, prove_order(Le(0, -x), [Lt(x, 0)]))
    proof = T.generalise(T.compare(x, 0, below, forwards), x)
    return T.generalise(T.implication(T.unpack(proof, premise), premise), delta)


def _adds_nearby(of: Axioms, additive: Theorem, near: Theorem) -> Theorem:
    """for s, t, s + t in [-delta, delta]: phi(s + t) = phi(s) + phi(t); 3 apart at most."""
    s, t = statements.s, statements.t
    inside = [limit for at in (s, t, s + t) for limit in (Le(-delta, at), Le(at, delta))]
    small = []
    for at in (s, t, s + t):
        bound = kernel.instantiate(near, node(at))
        close = [prove_order(part, inside) for part in bound.conclusion.args[0].args]
        small += T.parts(kernel.modus(bound, T.both(*close)))
    law = T.apply(_equal_angles(of), [phi_of(s + t), phi_of(s) + phi_of(t)])
    *limits, rotations = law.conclusion.args[0].args
    sizes = [fact.conclusion for fact in small]
    facts = [T.discharge(prove_order(limit, sizes), *small) for limit in limits]
    proof = kernel.modus(law, T.both(*facts, _restated(rotations, T.apply(additive, [s, t]))))
    premise = And(*inside)
    return T.generalise(T.implication(T.unpack(proof, premise), premise), s, t)


@lru_cache
def _equal_angles(of: Axioms) -> Theorem:
    """for all x, y: -3 <= x - y <= 3 and R(x) = R(y) => x = y."""
    equal = Eq(of.rotation(x), of.rotation(y))
    limits = [Le(-3, x - y), Le(x - y, 3)]
    cosine = prove_identity(Eq(statements.cos(x - y), 1), [equal])
    turned = T.apply(kernel.meaning("full_turns"), [x - y], cosine)
    whole = variables("k", Integer)[0]
    count = T.body(turned, whole)
    three = kernel.meaning("pi_above_three")
    none = T.no_integer_inside(whole, [*limits, count, three.conclusion])
    none = T.discharge(none, three)
    same = T.discharge(prove_identity(Eq(x, y), [count, none.conclusion]), none)
    premise = And(*limits, equal)
    proof = T.unpack(T.obtain(turned, whole, same), premise)
    return T.generalise(T.implication(proof, premise), x, y)


def _everywhere(of: Axioms, additive: Theorem, rest: Theorem, near_zero: Theorem) -> Theorem:
    """0 <= x |- R(phi(x)) = R(omega x): x is a multiple of a place near 0, and turns add."""
    m, n = variables("m", Int(0))[0], variables("n", Int(1))[0]
    y, hole = variables("y H", Real)
    R = of.rotation
    statement = Eq(R(phi_of(m * y)), R(m * phi_of(y)))
    base = T.by_algebra(T.instance(statement, m, 0), rest)
    once = prove_identity(Eq(R(phi_of(y)), R(phi_of(y))))
    turn = T.apply(additive, [m * y, y])
    places = [phi_of(m * y), phi_of(y), phi_of(m * y + y), m * phi_of(y), phi_of(y)]
    grown = _by(_turns_add(of), places, T.assume(statement), once, turn)
    step = _restated(T.instance(statement, m, node(m) + 1), grown)
    multiple = kernel.induct(node(m), node(statement), base, step)
    multiple = kernel.specialise(multiple, {node(m): node(n), node(y): node(x / n)})

    omega = phi_of(delta) / delta
    at = kernel.specialise(near_zero, {node(x): node(x / n)})
    angle = T.by_algebra(Eq(of.advance([omega], [x]), n * phi_of(x / n)), at)
    turned = T.transport(
        Eq(R(phi_of(x)), R(hole)),
        hole,
        angle,
        _restated(Eq(R(phi_of(x)), R(n * phi_of(x / n))), multiple),
    )
    low = prove_nonneg(Le(0, x / n), node(x) / node(n), [Le(0, x)])
    far = Le(x, n * delta)
    high = prove_nonneg(Le(x / n, delta), T.margin(far) / node(n), [far])
    turned = T.discharge(turned, low, high)

    whole = variables("k", Integer)[0]
    floor = T.apply(kernel.meaning("floor"), [x / delta])
    _, above = T.body(floor, whole).args
    count = node(whole) + 1
    beyond = prove_nonneg(Lt(x, count * node(delta)), node(delta) * T.margin(above), [above])
    small = T.contradict([Le(count, num(0)), beyond.conclusion, Le(0, x)])
    first = Lt(num(0), count)
    positive = T.compare(0, count, T.assume(first), T.ex_falso(small, first))
    turned = kernel.specialise(kernel.weaken(turned, [node(Lt(0, n))]), {node(n): count})
    reached = prove_order(substitute(node(far), {node(n): count}), [beyond.conclusion])
    proof = T.discharge(turned, reached, positive, beyond)
    return T.obtain(floor, whole, T.unpack(proof, T.body(floor, whole)))


# ---------------------------------------------------------------------- other normal forms
@control(
    "half_a_period", {"phi": statements.sympy.pi, "psi": 0, "n": 1}, period=statements.sympy.pi
)
@proves(UNIQUENESS, "modulo")
def modulo(of: Axioms) -> Theorem:
    """cos(phi - psi) = 1, and the cosine is 1 at whole turns alone."""
    goal = T.stated(UNIQUENESS, "modulo", of).body
    equal, congruent = goal.left, goal.right
    cosine = prove_identity(Eq(statements.cos(phi - psi), 1), [equal])
    turned = T.apply(kernel.meaning("full_turns"), [phi - psi], cosine)
    moved = T.exists(congruent, turns, lambda part: prove_identity(part, [T.body(turned, turns)]))
    forward = T.obtain(turned, turns, moved)
    shifted = T.prove_at(equal, phi, psi + of.period * turns)
    return T.generalise(
        T.iff(equal, congruent, forward, T.obtain(T.assume(congruent), turns, shifted)), phi, psi
    )


@control("half_a_period", period=statements.sympy.pi)
@proves(UNIQUENESS, "aliasing")
def aliasing(of: Axioms) -> Theorem:
    """2 pi t is a whole number of turns."""
    return T.prove_tree(T.stated(UNIQUENESS, "aliasing", of))


@control("no_flip", flip=IDENTITY)
@proves(UNIQUENESS, "orientation")
def orientation(of: Axioms) -> Theorem:
    """S changes the sign of both sines."""
    return T.prove_tree(T.stated(UNIQUENESS, "orientation", of))


@control("no_flip", {"p00": 1, "p01": 0, "p10": 0, "p11": -1}, flip=IDENTITY)
@proves(UNIQUENESS, "without_frame")
def without_frame(of: Axioms) -> Theorem:
    """det P = 1 makes the second column (-b, a); det P = -1 makes it (b, -a)."""
    P = entries(1)
    statement = T.stated(UNIQUENESS, "without_frame", of).body
    orthogonal, kinds = statement.premise, statement.conclusion
    det = P[0, 0] * P[1, 1] - P[0, 1] * P[1, 0]
    direct = Eq(det, 1)
    rotation_form, mirror_form = kinds.parts
    proper = T.alternative(prove_identity(rotation_form, [orthogonal, direct]), node(kinds))
    minus = prove_identity(Eq(det, -1), [orthogonal, Ne(det, 1)])
    mirrored = prove_identity(mirror_form, [orthogonal, minus.conclusion])
    improper = T.alternative(T.discharge(mirrored, minus), node(kinds))
    proof = T.split(direct, proper, improper)
    return T.generalise(T.implication(proof, orthogonal), *P)


@control("no_flip", flip=IDENTITY)
@proves(UNIQUENESS, "parity_blocks")
def parity_blocks(of: Axioms) -> Theorem:
    """The addition theorems; and the square of a reflection is the identity."""
    mirror, square = T.stated(UNIQUENESS, "parity_blocks", of).parts
    P = entries(1)
    premise, conclusion = square.body.premise, square.body.conclusion
    det = P[0, 0] * P[1, 1] - P[0, 1] * P[1, 0]
    sides = prove_identity(Eq(det**2, 1), [premise])
    other = prove_identity(Eq(P * P.T, IDENTITY), [premise])
    facts = [premise, sides.conclusion, other.conclusion]
    parts = [T.discharge(prove_identity(part, facts), sides, other) for part in conclusion.parts]
    squared = T.generalise(T.implication(T.both(*parts), premise), *P)
    return T.both(T.prove_tree(mirror), squared)


def _half_shear(t: Any) -> Matrix:
    return Matrix([[1, 0, 0], [0, 1, statements.Rational(1, 2) * t], [0, 0, 1]])


@control("half_the_slope", shear=_half_shear)
@proves(UNIQUENESS, "unipotent")
def unipotent(of: Axioms) -> Theorem:
    """One product of two Jordan blocks, one of vectors."""
    return T.prove_tree(T.stated(UNIQUENESS, "unipotent", of))


def _one_rate(u: Any) -> Matrix:
    return statements.exp(u) * IDENTITY


@control("equal_rates", hyperbolic=_one_rate)
@proves(UNIQUENESS, "two_rates")
def two_rates(of: Axioms) -> Theorem:
    """exp(2 u) = 1 leaves 1 + 2 u <= 1 and 1 - 2 u <= 1."""
    commutes, neither = T.stated(UNIQUENESS, "two_rates", of).parts
    proofs = [_equivalent(commutes.body, lambda part, given: prove_identity(part, [given]))]

    def still(part: Any, given: Any) -> Theorem:
        if part.left != growth:
            return T.prove_at(part, growth, 0)
        bounds = []
        for double in (2 * growth, -2 * growth):
            level = prove_identity(Eq(statements.exp(double), 1), [given])
            below = T.apply(exponential_one(), [double], level)
            goal = Le(growth, 0) if double == 2 * growth else Le(0, growth)
            bounds.append(T.discharge(prove_order(goal, [below.conclusion]), below))
        return kernel.antisymmetry(*bounds)

    area, *sides = neither.body.parts
    proofs += [prove_identity(area), *(_equivalent(part, still) for part in sides)]
    rates = T.generalise(proofs[0], statements.a, statements.b)
    return T.both(rates, T.generalise(T.both(*proofs[1:]), growth))


def _equivalent(statement: Any, prove: Callable[[Any, Any], Theorem]) -> Theorem:
    """Both directions of an equivalence of equations, each from the other side."""
    left, right = statement.left, statement.right
    return T.iff(left, right, prove(right, left), prove(left, right))


# ---------------------------------------------------------------------- one axiom dropped
def _plain(i: int, j: int, k: Matrix) -> Matrix:
    return power(TURN, j - i) * k


@control("linear_after_all", loaded=_plain)
@proves(UNIQUENESS, "drop_bilinear", "positions 0..3, three vectors")
def drop_bilinear(of: Axioms) -> Theorem:
    """Rotations keep |k|^2, so the extra turns add up like any angle."""
    return kernel.ground(node(T.stated(UNIQUENESS, "drop_bilinear", of)))


@control("norms_kept", damped=statements.rotary)
@proves(UNIQUENESS, "drop_norm", "positions 0..3")
def drop_norm(of: Axioms) -> Theorem:
    """Powers of one matrix; each step shrinks by 9/10."""
    return kernel.ground(node(T.stated(UNIQUENESS, "drop_norm", of)))


def _untilted(i: int, j: int) -> Matrix:
    return power(direct_sum([TURN, OTHER_TURN]), j - i)


@control("a_rotation_for_the_flip", parity=statements.rotary)
@control("the_frame_itself", tilted=_untilted)
@proves(UNIQUENESS, "drop_toral", "positions 0..3")
def drop_toral(of: Axioms) -> Theorem:
    """Powers of one orthogonal matrix that does not commute with the quarter turns."""
    return kernel.ground(node(T.stated(UNIQUENESS, "drop_toral", of)))


@control("angle_of_the_offset", quadratic=statements.rotary)
@proves(UNIQUENESS, "drop_cocycle", "positions 0..3")
def drop_cocycle(of: Axioms) -> Theorem:
    """(1 + 1)^2 is not 1^2 + 1^2."""
    return kernel.ground(node(T.stated(UNIQUENESS, "drop_cocycle", of)))


@control("angle_of_the_offset", absolute=statements.rotary)
@proves(UNIQUENESS, "drop_equivariance", "positions 0..3")
def drop_equivariance(of: Axioms) -> Theorem:
    """2^2 - 1^2 is not 1^2 - 0^2."""
    return kernel.ground(node(T.stated(UNIQUENESS, "drop_equivariance", of)))


def _proportional_phase(a: Any, b: Any) -> Any:
    return a + statements.sqrt(2) * b


@control("proportional_after_all", {"omega": 1}, second_coordinate=_proportional_phase)
@proves(UNIQUENESS, "drop_continuity")
def drop_continuity(of: Axioms) -> Theorem:
    """a + b sqrt(2) determines b because sqrt(2) is irrational; omega = 0 contradicts b = 1."""
    additive, linear = T.stated(UNIQUENESS, "drop_continuity", of).parts
    a1, b1, a2, b2 = additive.variables
    well_defined, sums = additive.body.parts
    law = T.apply(equal_parts(), [a1, b1, a2, b2])
    equal = _restated(law.conclusion.args[0], T.assume(well_defined.premise))
    unique = kernel.modus(law, equal)
    given = [well_defined.premise, unique.conclusion]
    same = T.discharge(prove_identity(well_defined.conclusion, given), unique)
    first = T.both(T.implication(same, well_defined.premise), prove_identity(sums))
    both_steps = linear.body.body
    impossible = T.unpack(prove_contradiction(both_steps.parts), both_steps)
    never = T.generalise(T.conclude_not(impossible, both_steps), omega)
    return T.both(T.generalise(first, a1, b1, a2, b2), never)


def _cubic(i: int, j: int) -> Matrix:
    return power(TURN, (j - i) ** 3)


@control("cube_for_square", quadratic=_cubic)
@proves(UNIQUENESS, "families", "one value of each")
def families(of: Axioms) -> Theorem:
    """Powers of rational matrices."""
    return kernel.ground(node(T.stated(UNIQUENESS, "families", of)))
