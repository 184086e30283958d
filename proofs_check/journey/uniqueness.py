"""Proofs of `theory.journey.uniqueness`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from sympy import ImmutableMatrix as Matrix

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.algebra import CONTEXT, problem
from posproof.proofs_check.kernel import Certificate, Theorem
from posproof.proofs_check.language import FALSUM, Node, num, substitute, variable
from posproof.proofs_check.rationals import integral_root
from posproof.proofs_check.search import (
    Undecided,
    prove_by_induction,
    prove_contradiction,
    prove_identity,
    prove_nonneg,
    prove_order,
)
from posproof.theory.journey import uniqueness as statements
from posproof.theory.journey.uniqueness import (
    AXES,
    CERTIFIER,
    FLIP,
    IDENTITY,
    LARGEST_PLANES,
    OTHER_TURN,
    QUARTER,
    SPECIAL_CASES,
    TURN,
    UNIQUENESS,
    Axioms,
    Certifier,
    Layouts,
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
    Exists,
    ForAll,
    Implies,
    Int,
    Integer,
    Le,
    Lt,
    Ne,
    Not,
    Positive,
    Real,
    control,
    proves,
)

node = T.node
phi_of = statements.phase


def _reflection(phi: Any) -> Matrix:
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


# ---------------------------------------------------------------------- the circle
@lru_cache
def angle_of_unit() -> Theorem:
    """for all a, b: a^2 + b^2 = 1 => a = cos t and b = sin t for some t."""
    a, b = variables("a b", Real)
    on_circle = Eq(a**2 + b**2, 1)
    goal = Exists(psi, And(Eq(statements.cos(psi), a), Eq(statements.sin(psi), b)))
    low, high = (_not_beyond(end, on_circle) for end in (Le(-1, a), Le(a, 1)))
    found = T.apply(kernel.meaning("arc_cosine"), [a], T.both(low, high))
    named = T.body(found, x)
    cosine = named.args[2]

    def at(angle: Any, sign: Any) -> Theorem:
        def instance(part: Node) -> Theorem:
            return T.both(*(prove_identity(p, [cosine, sign]) for p in part.args))

        return T.exists(goal, angle, instance)

    same = Eq(statements.sin(x), b)
    opposite = prove_identity(
        Eq(statements.sin(x), -b), [cosine, on_circle, Ne(statements.sin(x), b)]
    )
    other = T.discharge(at(-x, opposite.conclusion), opposite)
    proof = T.split(same, at(x, same), other)
    proof = T.obtain(found, x, T.unpack(proof, named))
    return T.generalise(T.implication(proof, on_circle), a, b)


def _not_beyond(end: Any, on_circle: Any) -> Theorem:
    """-1 <= a or a <= 1, because beyond it a^2 + b^2 - 1 = m^2 + 2 m + b^2 > 0 for the excess m."""
    small, large = end.left, end.right
    outside = Lt(large, small)
    excess, b = T.margin(outside), node(variables("a b", Real)[1])
    excluded = prove_nonneg(FALSUM, excess**2 + 2 * excess + b**2, [outside, on_circle])
    return T.compare(large, small, T.ex_falso(excluded, end), T.assume(end))


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


def _selected(goal: Any, equation: Any) -> Theorem:
    """Some entries of a matrix equation, either way round: each target is plus or minus one."""
    wanted, given = node(goal), node(equation)
    task = problem(wanted, [given])
    none, rows = (0,) * len(task.nonzero), []
    for target in task.targets:
        row = [CONTEXT.constant(0)] * len(task.relations)
        sign = 1 if target in task.relations else -1
        if sign * target not in task.relations:
            raise Undecided("not an entry of the equation")
        row[task.relations.index(sign * target)] = CONTEXT.constant(sign)
        rows.append(tuple(row))
    return kernel.identity(wanted, [given], [Certificate(none, row) for row in rows])


def _unit_column(P: Matrix, c: int, diagonal: Any, orthogonal: Any) -> Theorem:
    """a^2 + b^2 = 1 for the first column (a, b) of block c: the rest of that column is 0."""
    column = P[:, 2 * c]
    zero = [row for row in range(P.rows) if row // 2 != c]
    length = _selected(Eq(sum(p**2 for p in column), 1), orthogonal)
    facts = [length]
    if zero:
        rest = Matrix([column[row] for row in zero])
        facts.append(_selected(Eq(rest, 0 * rest), diagonal))
    goal = Eq(column[2 * c] ** 2 + column[2 * c + 1] ** 2, 1)
    return T.discharge(prove_identity(goal, [fact.conclusion for fact in facts]), *facts)


def _inserted(theorem: Theorem, value: Node) -> Theorem:
    """From P = F(p) and v = p conclude P = F(v)."""
    left, right = theorem.conclusion.args
    hole = variable("h", Real)
    pattern = Node("eq", (left, _with(right, value.args[1], hole)))
    return kernel.leibniz(theorem, pattern, hole, value)


def _with(term: Node, old: Node, new: Node) -> Node:
    """A term without binders in which one of its parts is replaced everywhere."""
    if term == old:
        return new
    return Node(
        term.head, tuple(_with(a, old, new) if isinstance(a, Node) else a for a in term.args)
    )


@control("reflection_for_rotation", rotation=_reflection)
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


def _from(goal: Any, *facts: Theorem) -> Theorem:
    """An equation by algebra from equations that were proved."""
    return T.discharge(prove_identity(goal, [fact.conclusion for fact in facts]), *facts)


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
    forward = _from(statements.from_phases(of, i, j), start)
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
    base = T.implication(_from(first[1], rest), first[0])
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
    return T.discharge(_selected(goal, theorem.conclusion), theorem)


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
    local = _adds_nearby(of, additive, near)
    start = _from(Eq(phi_of(0), 0), _nearby(local, 0, 0, []))
    near_zero = _proportional(near, local, _multiples(local, start))
    hole = variables("H", Real)[0]
    still = prove_identity(Eq(of.rotation(0), IDENTITY))
    rest = T.transport(Eq(of.rotation(hole), IDENTITY), hole, start, still)
    forwards = _everywhere(of, additive, rest, near_zero)

    behind = kernel.specialise(forwards, {node(x): node(-x)})
    backwards = _from(linear.body, T.apply(additive, [x, -x]), rest, behind)
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


def _nearby(local: Theorem, s: Any, t: Any, given: Sequence[Any]) -> Theorem:
    """phi(s + t) = phi(s) + phi(t), where order shows that all three are near 0."""
    law = T.apply(local, [s, t])
    near = [prove_order(part, given) for part in law.conclusion.args[0].args]
    return kernel.modus(law, T.both(*near))


def _multiples(local: Theorem, start: Theorem) -> Theorem:
    """0 <= r |- m r <= delta => phi(m r) = m phi(r), for every natural m."""
    m, r = variables("m", Int(0))[0], variables("r", Real)[0]
    statement = Implies(Le(m * r, delta), Eq(phi_of(m * r), m * phi_of(r)))
    first, more = (T.instance(statement, m, value).args for value in (0, node(m) + 1))
    base = T.implication(kernel.weaken(_from(first[1], start), [first[0]]), first[0])
    given = [Le(0, r), more[0]]
    earlier = prove_order(Le(m * r, delta), given)
    before = kernel.modus(T.assume(statement), earlier)
    step = T.discharge(_from(more[1], before, _nearby(local, m * r, r, given)), earlier)
    return kernel.induct(node(m), node(statement), base, T.implication(step, more[0]))


def _proportional(near: Theorem, local: Theorem, multiples: Theorem) -> Theorem:
    """0 <= x <= delta |- delta phi(x) = phi(delta) x: n times the gap is at most 2 delta."""
    n, q, h = variables("n", Int(1))[0], variables("q", Integer)[0], variables("h", Positive)[0]
    gap = delta * phi_of(x) - phi_of(delta) * x
    division = T.euclid(x, h)
    low, high = T.body(division, q).args
    below = kernel.integer_step(T.assume(Lt(q, 0)))
    never = T.discharge(T.contradict([below.conclusion, high, Le(0, x)]), below)
    natural = T.compare(q, 0, T.ex_falso(never, Le(0, q)), T.assume(Le(0, q)))

    m, r = variables("m", Int(0))[0], variables("r", Real)[0]
    cell = kernel.weaken(_cell(near, local, multiples), [node(Le(0, q))])
    cell = kernel.specialise(cell, {node(m): node(q), node(r): node(x - h * q)})
    facts = [natural]
    for wanted in cell.hypotheses:
        if wanted.head == "le" and not kernel.same(wanted, node(Le(0, q))):
            facts.append(prove_order(wanted, [low, high, Le(0, x), Le(x, delta)]))
    sides = []
    for side, goal in zip(
        T.parts(cell), (Le(-2 * delta, n * gap), Le(n * gap, 2 * delta)), strict=True
    ):
        shown = prove_nonneg(goal, T.margin(side.conclusion), [side.conclusion])
        sides.append(T.discharge(shown, side))
    found = T.discharge(T.both(*sides), *facts)
    found = T.obtain(division, q, T.unpack(found, T.body(division, q)))
    found = kernel.specialise(found, {node(h): node(delta / n)})
    found = T.discharge(found, prove_identity(T.instance(Eq(n * h, delta), h, delta / n)))
    ends = []
    for side, sign in zip(T.parts(found), (-1, 1), strict=True):
        goal = Le(n * (sign * gap), 2 * delta)
        turned = T.discharge(prove_nonneg(goal, T.margin(side.conclusion), [side.conclusion]), side)
        limit = T.apply(_archimedes(), [sign * gap, 2 * delta], T.generalise(turned, n))
        goal = Le(gap, 0) if sign > 0 else Le(0, gap)
        ends.append(T.discharge(prove_order(goal, [limit.conclusion]), limit))
    none = kernel.antisymmetry(ends[1], ends[0])
    return _from(Eq(delta * phi_of(x), phi_of(delta) * x), none)


def _cell(near: Theorem, local: Theorem, multiples: Theorem) -> Theorem:
    """n h = delta, 0 <= r <= h, m h + r <= delta |- |n (delta phi(y) - phi(delta) y)| <= 2 delta.

    Here y = m h + r; the gap is delta phi(r) - phi(delta) r, and n phi(r) and phi(delta) are at
    most 1 in size.
    """
    n, h = variables("n", Int(1))[0], variables("h", Positive)[0]
    m, r = variables("m", Int(0))[0], variables("r", Real)[0]
    y = m * h + r
    whole, given = Eq(n * h, delta), [Le(0, r), Le(r, h), Le(y, delta)]

    def times(count: Any, size: Any, known: Sequence[Any]) -> Theorem:
        """phi(count size) = count phi(size)."""
        law = kernel.specialise(multiples, {node(m): node(count), node(r): node(size)})
        law = T.discharge(law, prove_order(Le(0, size), known))
        return kernel.modus(law, prove_order(law.conclusion.args[0], known))

    def bounded(place: Any, known: Sequence[Any]) -> list[Theorem]:
        """-1 <= phi(place) <= 1."""
        bound = kernel.instantiate(near, node(place))
        close = [prove_order(part, known) for part in bound.conclusion.args[0].args]
        return T.parts(kernel.modus(bound, T.both(*close)))

    order = [*given, whole]
    end = times(n, h, [whole])
    hole = variables("H", Real)[0]
    back = prove_identity(Eq(delta, n * h), [whole])
    end = T.transport(Eq(phi_of(hole), n * phi_of(h)), hole, back, end)
    start, rest = times(m, h, order), times(n, r, order)
    sums = _nearby(local, m * h, r, order)
    low_rest, high_rest = bounded(n * r, order)
    low_end, high_end = bounded(delta, [])
    room = prove_order(Le(n * r, delta), order)

    gap = n * (delta * phi_of(y) - phi_of(delta) * y)
    proved = [end, start, rest, sums, low_rest, high_rest, low_end, high_end, room]
    facts = [*(fact.conclusion for fact in proved), *given, whole]
    delta_n, turned = node(delta), node(n * r)
    shape = delta_n * T.margin(high_rest.conclusion) + T.margin(room.conclusion)
    upper = shape + turned * T.margin(low_end.conclusion)
    shape = delta_n * T.margin(low_rest.conclusion) + T.margin(room.conclusion)
    lower = shape + turned * T.margin(high_end.conclusion)
    both = T.both(
        prove_nonneg(Le(-2 * delta, gap), lower, facts),
        prove_nonneg(Le(gap, 2 * delta), upper, facts),
    )
    return T.discharge(both, *proved)


@lru_cache
def _archimedes() -> Theorem:
    """for all reals X and c > 0: n X <= c for every n >= 1 => X <= 0."""
    X, c = variables("X", Real)[0], variables("c", Positive)[0]
    n, whole = variables("n", Int(1))[0], variables("k", Integer)[0]
    always, positive = ForAll(n, Le(n * X, c)), Lt(0, X)
    floor = T.apply(kernel.meaning("floor"), [c / X])
    _, high = T.body(floor, whole).args
    count = node(whole) + 1
    above = prove_nonneg(Lt(c, count * node(X)), node(X) * T.margin(high), [high, positive])
    small = T.contradict([Le(count, num(0)), above.conclusion, positive])
    first = T.compare(0, count, T.assume(Lt(num(0), count)), T.ex_falso(small, Lt(num(0), count)))
    at = kernel.instantiate(kernel.weaken(T.assume(always), [node(Lt(num(0), count))]), count)
    clash = T.contradict([at.conclusion, above.conclusion])
    clash = T.discharge(clash, T.discharge(at, first), above)
    clash = T.obtain(floor, whole, T.unpack(T.discharge(clash, above), T.body(floor, whole)))
    proof = T.compare(0, X, T.ex_falso(clash, Le(X, 0)), T.assume(Le(X, 0)))
    return T.generalise(T.implication(proof, always), X, c)


def _everywhere(of: Axioms, additive: Theorem, rest: Theorem, near_zero: Theorem) -> Theorem:
    """0 <= x |- R(phi(x)) = R(omega x): x is a multiple of a place near 0, and turns add."""
    m, n = variables("m", Int(0))[0], variables("n", Int(1))[0]
    y, hole = variables("y H", Real)
    R = of.rotation
    statement = Eq(R(phi_of(m * y)), R(m * phi_of(y)))
    base = _from(T.instance(statement, m, 0), rest)
    once = prove_identity(Eq(R(phi_of(y)), R(phi_of(y))))
    turn = T.apply(additive, [m * y, y])
    places = [phi_of(m * y), phi_of(y), phi_of(m * y + y), m * phi_of(y), phi_of(y)]
    grown = _by(_turns_add(of), places, T.assume(statement), once, turn)
    step = _restated(T.instance(statement, m, node(m) + 1), grown)
    multiple = kernel.induct(node(m), node(statement), base, step)
    multiple = kernel.specialise(multiple, {node(m): node(n), node(y): node(x / n)})

    omega = phi_of(delta) / delta
    at = kernel.specialise(near_zero, {node(x): node(x / n)})
    angle = _from(Eq(of.advance([omega], [x]), n * phi_of(x / n)), at)
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
            below = T.apply(_exponential_one(), [double], level)
            goal = Le(growth, 0) if double == 2 * growth else Le(0, growth)
            bounds.append(T.discharge(prove_order(goal, [below.conclusion]), below))
        return kernel.antisymmetry(*bounds)

    area, *sides = neither.body.parts
    proofs += [prove_identity(area), *(_equivalent(part, still) for part in sides)]
    rates = T.generalise(proofs[0], statements.a, statements.b)
    return T.both(rates, T.generalise(T.both(*proofs[1:]), growth))


@lru_cache
def _exponential_one() -> Theorem:
    """for all x: exp(x) = 1 => x <= 0."""
    above = kernel.instantiate(kernel.meaning("exponential_above_line"), node(x))
    level, goal = Eq(statements.exp(x), 1), Le(x, 0)
    proof = T.discharge(prove_order(goal, [above.conclusion, level]), above)
    return T.generalise(T.implication(proof, level), x)


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
    unique = T.apply(_second_coordinates(), [a1, b1, a2, b2], T.assume(well_defined.premise))
    given = [well_defined.premise, unique.conclusion]
    same = T.discharge(prove_identity(well_defined.conclusion, given), unique)
    first = T.both(T.implication(same, well_defined.premise), prove_identity(sums))
    both_steps = linear.body.body
    impossible = T.unpack(prove_contradiction(both_steps.parts), both_steps)
    never = T.generalise(T.conclude_not(impossible, both_steps), omega)
    return T.both(T.generalise(first, a1, b1, a2, b2), never)


@lru_cache
def _second_coordinates() -> Theorem:
    """for integers: a1 + b1 sqrt(2) = a2 + b2 sqrt(2) => b1 = b2."""
    a1, b1, a2, b2 = variables("a1 b1 a2 b2", Integer)
    root = statements.sqrt(2)
    equal, goal = Eq(a1 + b1 * root, a2 + b2 * root), Eq(b1, b2)
    spread = kernel.instantiate(kernel.meaning("integers_apart"), node(b1 - b2))
    below, zero, above = spread.conclusion.args
    same = prove_identity(goal, [zero])
    branches = (
        T.ex_falso(_fraction_of_root(b2 - b1, a1 - a2, equal, below), goal),
        same,
        T.ex_falso(_fraction_of_root(b1 - b2, a2 - a1, equal, above), goal),
    )
    proof = kernel.cases(spread, *branches)
    return T.generalise(T.implication(proof, equal), a1, b1, a2, b2)


def _fraction_of_root(denominator: Any, numerator: Any, equal: Any, sign: Node) -> Theorem:
    """0 < 0, if denominator * sqrt(2) = numerator, which follows from `equal`."""
    root, w = node(statements.sqrt(2)), node(variables("w", Integer)[0])
    law = T.apply(integral_root(), [root, denominator, numerator, 2, 2])
    positive, fraction, square = law.conclusion.args[0].args
    facts = (
        prove_order(positive, [sign]),
        prove_identity(fraction, [equal]),
        prove_identity(square),
    )
    whole = kernel.modus(law, T.both(*facts))
    named = T.body(whole, w)  # sqrt(2) = w
    two = prove_identity(Eq(w * w, 2), [named])
    low, high = Le(w - 1, num(-1)), Le(num(1), w - 1)
    goal = Eq(w - 1, num(0))
    spread = kernel.instantiate(kernel.meaning("integers_apart"), w - 1)
    negative = T.discharge(T.contradict([low, named, two.conclusion], [root]), two)
    large = T.discharge(T.contradict([high, two.conclusion]), two)
    one = kernel.cases(spread, T.ex_falso(negative, goal), T.assume(goal), T.ex_falso(large, goal))
    clash = T.discharge(prove_contradiction([one.conclusion, two.conclusion]), one, two)
    return T.obtain(whole, w, clash)


def _cubic(i: int, j: int) -> Matrix:
    return power(TURN, (j - i) ** 3)


@control("cube_for_square", quadratic=_cubic)
@proves(UNIQUENESS, "families", "one value of each")
def families(of: Axioms) -> Theorem:
    """Powers of rational matrices."""
    return kernel.ground(node(T.stated(UNIQUENESS, "families", of)))


# ---------------------------------------------------------------------- journey.axiom_certifier
@control("layout_taken_for_the_other", half_split=statements.interleaved)
@proves(CERTIFIER, "correct", "two planes, positions 0, 1, 4")
def correct(of: Certifier) -> Theorem:
    """Products of rational matrices, compared entry by entry."""
    return kernel.ground(node(T.stated(CERTIFIER, "correct", of)))


@control("sign_repaired", opposite_sign=statements.interleaved)
@control("one_layout", mixed_layouts=statements.half_split)
@proves(CERTIFIER, "wrong_turns", "two planes, positions 0, 1, 4")
def wrong_turns(of: Certifier) -> Theorem:
    """Products of rational matrices, compared entry by entry."""
    return kernel.ground(node(T.stated(CERTIFIER, "wrong_turns", of)))


@control("counted_alike", off_by_one=statements.interleaved)
@control("not_clipped", clipped=statements.interleaved)
@proves(CERTIFIER, "wrong_positions", "two planes, positions 0, 1, 4")
def wrong_positions(of: Certifier) -> Theorem:
    """Products of rational matrices, compared entry by entry."""
    return kernel.ground(node(T.stated(CERTIFIER, "wrong_positions", of)))


@control("not_scaled", scaled=statements.interleaved)
@control("not_damped", decayed=statements.interleaved)
@proves(CERTIFIER, "linear_variants", "two planes, positions 0, 1, 4")
def linear_variants(of: Certifier) -> Theorem:
    """Products of rational matrices, compared entry by entry."""
    return kernel.ground(node(T.stated(CERTIFIER, "linear_variants", of)))


@control("no_bias", linear_bias=statements.as_score(statements.interleaved))
@control("lengths_kept", normalised=statements.as_score(statements.interleaved))
@proves(CERTIFIER, "other_variants", "two planes, positions 0, 1, 4")
def other_variants(of: Certifier) -> Theorem:
    """Products of rational matrices, compared entry by entry."""
    return kernel.ground(node(T.stated(CERTIFIER, "other_variants", of)))


def _off_by_two(i: int, j: int) -> Matrix:
    return statements.interleaved(i + 2, j)


@control("off_by_two", off_by_one=_off_by_two)
@proves(CERTIFIER, "implementations", "one value of each")
def implementations(of: Certifier) -> Theorem:
    """Powers of rational matrices."""
    return kernel.ground(node(T.stated(CERTIFIER, "implementations", of)))


@control("reflection_for_rotation", rotation=_reflection)
@proves(CERTIFIER, "shifted_query")
def shifted_query(of: Certifier) -> Theorem:
    """2 - 2 cos phi = 4 sin^2(phi / 2)."""
    return T.prove_tree(T.stated(CERTIFIER, "shifted_query", of))


# ---------------------------------------------------------------------- journey.special_cases
def _open(statement: Any) -> Any:
    """A statement without its outer universal quantifier."""
    return statement.body


def _identity(claim_clause: str, of: Layouts) -> Theorem:
    return T.prove_tree(T.stated(SPECIAL_CASES, claim_clause, of))


def _forward_step(omega: Any) -> Matrix:
    return rotation(omega)


@control("step_with_the_sign_of_the_address", scan_step=_forward_step)
@proves(SPECIAL_CASES, "recurrence")
def recurrence(of: Layouts) -> Theorem:
    """By induction on the number of steps."""
    return prove_by_induction(statements.steps, _open(T.stated(SPECIAL_CASES, "recurrence", of)))


def _squared_positions(frequency: Any, position: Any, axes: Any) -> Any:
    return statements.inner(frequency, lambda axis: position(axis) ** 2, axes)


@control("squares_of_positions", inner=_squared_positions)
@proves(SPECIAL_CASES, "mixed_axes", "any number of axes")
def mixed_axes(of: Layouts) -> Theorem:
    """The scalar product is linear, and angles add."""
    return prove_identity(_open(T.stated(SPECIAL_CASES, "mixed_axes", of)))


def _same_frequencies(theta: Any, width: Any) -> tuple[Any, Any]:
    return theta, theta


@control("width_ignored", flattened_frequencies=_same_frequencies)
@proves(SPECIAL_CASES, "flattened", "every width")
def flattened(of: Layouts) -> Theorem:
    """theta (W r + c) is the scalar product with (W theta, theta)."""
    return _identity("flattened", of)


def _squared_angle(phi: Any) -> Matrix:
    return rotation(phi**2)


@control("squared_angles", rotation=_squared_angle)
@proves(SPECIAL_CASES, "levels")
def levels(of: Layouts) -> Theorem:
    """Each plane sees a difference of one coordinate."""
    return _identity("levels", of)


def _flat(p: int) -> tuple[int, int]:
    return 0, p


@control("equivariant_in_the_flat_position", hierarchical=_flat)
@proves(SPECIAL_CASES, "boundary", "units of seven, rational rotations")
def boundary(of: Layouts) -> Theorem:
    """Positions 5 and 8 lie in different units."""
    return kernel.ground(node(T.stated(SPECIAL_CASES, "boundary", of)))


def _row_too(theta: Any, row: Any, column: Any) -> Any:
    return theta * (row + column)


@control("rows_turn_the_plane_too", column_angle=_row_too)
@proves(SPECIAL_CASES, "column_copy")
def column_copy(of: Layouts) -> Theorem:
    """No row occurs in the angle."""
    return _identity("column_copy", of)


@control("base_of_a_hundred", base=100)
@proves(SPECIAL_CASES, "smallest_margin", "W = 64, m = 8")
def smallest_margin(of: Layouts) -> Theorem:
    """Balls decide the strict inequalities."""
    return _identity("smallest_margin", of)


def _shifted_axes(frequency: Any, position: Any, axes: Any) -> Any:
    return statements.inner(lambda axis: frequency(axis + 1), position, axes)


ONE_AXIS = {"n": 1, "r": 0, "omega": {1: 1}, "x": 1}


@control("frequencies_of_the_next_axis", ONE_AXIS, inner=_shifted_axes)
@proves(SPECIAL_CASES, "axial", "any number of axes")
def axial(of: Layouts) -> Theorem:
    """One term of the sum is left."""
    row, axes, steps = statements.row, statements.n, statements.steps
    premise = _open(T.stated(SPECIAL_CASES, "axial", of)).premise
    inside, only = premise.parts

    def partial(upper: Any) -> Any:
        return of.inner(statements.omegas, statements.place, upper)

    value = statements.omegas(row) * statements.place(row)
    law = T.apply(T.assume(only), [steps])
    near, other = law.conclusion.args[0].args
    below = prove_order(near, [Le(node(steps) + 1, axes)])
    apart = kernel.modus(law, T.both(below, T.assume(other)))
    term = statements.omegas(steps) * statements.place(steps)
    meets = T.prove_at(Eq(term, value), steps, row)
    chosen = T.selection(steps, partial, row, value, axes, apart, [meets])
    whole = kernel.specialise(chosen, {node(steps): node(axes)})
    _, late = T.parts(kernel.modus(whole, prove_order(Le(axes, axes))))
    below = prove_order(Lt(row, axes), [inside])
    equal = kernel.modus(late, below)
    hole = variables("H", Real)[0]
    same = prove_identity(Eq(of.rotation(value), of.rotation(value)))
    turned = T.transport(Eq(of.rotation(hole), of.rotation(value)), hole, equal, same)
    return T.generalise(T.implication(T.unpack(turned, premise), premise), axes, row)


@lru_cache
def _two_levels() -> Theorem:
    """for n >= 1 and integers: n h + l = n h' + l', 0 <= l, l' < n => h = h' and l = l'."""
    n, h, l, h2, l2 = (statements.n, *variables("h l h' l'", Integer))  # noqa: E741
    ranges = [Le(0, l), Le(l + 1, n), Le(0, l2), Le(l2 + 1, n)]
    equal = Eq(n * h + l, n * h2 + l2)
    apart = T.no_integer_inside(h - h2, [*ranges, equal])
    first = T.discharge(prove_identity(Eq(h, h2), [apart.conclusion]), apart)
    second = T.discharge(prove_identity(Eq(l, l2), [equal, apart.conclusion]), apart)
    premise = And(*ranges, equal)
    proof = T.unpack(T.both(first, second), premise)
    return T.generalise(T.implication(proof, premise), n, h, l, h2, l2)


def _crowded(n: Any, a: Any, b: Any, c: Any) -> Any:
    return n * a + n * b + c


CROWDED = {"n": 2, "a": 1, "b": 0, "c": 0, "a'": 0, "b'": 1, "c'": 0}


@control("two_levels_of_one_weight", CROWDED, digits=_crowded)
@proves(SPECIAL_CASES, "addresses", "three levels of any range n")
def addresses(of: Layouts) -> Theorem:
    """The last digit is a remainder, and what is left has two digits."""
    statement = _open(T.stated(SPECIAL_CASES, "addresses", of))
    premise, goal = statement.premise, statement.conclusion
    *ranges, equal = premise.parts
    (a, b, c), (a2, b2, c2) = variables("a b c", Integer), variables("a' b' c'", Integer)
    n = statements.n
    b_low, c_low, b2_low, c2_low = ranges

    def split(high: Any, low: Any, low_range: Any, high2: Any, low2: Any, range2: Any) -> Any:
        law = T.apply(_two_levels(), [n, high, low, high2, low2])
        *limits, sums = law.conclusion.args[0].args
        facts = [*T.parts(T.assume(low_range)), *T.parts(T.assume(range2))]
        return law, limits, sums, facts

    law, _, sums, facts = split(n * a + b, c, c_low, n * a2 + b2, c2, c2_low)
    outer = kernel.modus(law, T.both(*facts, prove_identity(sums, [equal])))
    upper, last = T.parts(outer)
    law, _, sums, facts = split(a, b, b_low, a2, b2, b2_low)
    inner = kernel.modus(law, T.both(*facts, _from(sums, upper)))
    first, middle = T.parts(inner)
    proof = T.both(first, middle, last)
    assert proof.conclusion == node(goal)
    proof = T.implication(T.unpack(proof, premise), premise)
    return T.generalise(proof, n, a, b, c, a2, b2, c2)


# ---------------------------------------------------------------------- margins and copying
@lru_cache
def _cosine_at_most_one() -> Theorem:
    """for all x: cos x <= 1, because cos^2 x <= 1."""
    goal, beyond = Le(statements.cos(x), 1), Lt(1, statements.cos(x))
    excess, sine = T.margin(beyond), node(statements.sin(x))
    excluded = prove_nonneg(FALSUM, excess**2 + 2 * excess + sine**2, [beyond])
    return T.generalise(
        T.compare(1, statements.cos(x), T.ex_falso(excluded, goal), T.assume(goal)), x
    )


def _gain(angle: Any) -> Any:
    return statements.cos(angle) - 1


@control("gain_for_loss", {"m": 1, "D": 1, "theta": 1}, loss=_gain)
@proves(SPECIAL_CASES, "margin_vanishes", "any number of planes")
def margin_vanishes(of: Layouts) -> Theorem:
    """A sum of terms that are not negative vanishes only if each does."""
    m, D, c = statements.planes, statements.offset, statements.c
    nonnegative, vanishing = _open(T.stated(SPECIAL_CASES, "margin_vanishes", of)).parts

    def gap(planes: Any) -> Any:
        return of.margin(statements.thetas, planes, D)

    def cosine(plane: Any) -> Any:
        return statements.cos(statements.thetas(plane) * D)

    term = T.apply(_cosine_at_most_one(), [statements.thetas(m) * D])
    base = prove_order(T.instance(nonnegative, m, 0))
    grown = T.instance(nonnegative, m, node(m) + 1)
    step = T.discharge(prove_order(grown, [nonnegative, term.conclusion]), term)
    positive = kernel.induct(node(m), node(nonnegative), base, step)

    each = vanishing.right
    falls = Implies(Le(gap(m), 0), each)
    start = T.instance(falls, m, 0)
    nothing = start.args[1].args[1]
    never = T.ex_falso(T.contradict([nothing.args[0]]), nothing.args[1])
    empty = T.generalise(T.implication(never, nothing.args[0]), c)
    empty = T.implication(kernel.weaken(empty, [start.args[0]]), start.args[0])
    more = T.instance(falls, m, node(m) + 1)
    small = more.args[0]
    facts = [positive.conclusion, term.conclusion, small]
    before = T.discharge(prove_order(Le(gap(m), 0), facts), positive, term)
    low = T.discharge(prove_order(Le(1, cosine(m)), facts), positive, term)
    last = kernel.antisymmetry(term, low)
    earlier = kernel.modus(T.assume(falls), before)
    inside = more.args[1].args[1].args[0]
    ahead = kernel.integer_step(T.assume(Lt(c, m)))
    below = T.discharge(prove_order(Le(c + 1, m), [ahead.conclusion]), ahead)
    already = T.apply(earlier, [c], below)
    same = kernel.antisymmetry(prove_order(Le(c, m), [inside]), kernel.assume(node(Le(m, c))))
    hole = variables("k", Int(0))[0]
    itself = T.transport(Eq(cosine(hole), 1), hole, same, last)
    found = T.compare(c, m, already, itself)
    larger = T.generalise(T.implication(found, inside), c)
    forward = kernel.induct(node(m), node(falls), empty, T.implication(larger, small))
    zero = prove_order(Le(gap(m), 0), [vanishing.left])
    forward = kernel.modus(forward, zero)

    one = T.apply(T.assume(each), [c], prove_order(Le(c + 1, m), [Le(node(c) + 1, m)]))
    nought = _from(Eq(of.loss(statements.thetas(c) * D), 0), one)
    summed = kernel.sum_congruence(nought, node(c), node(m))
    backward = _from(vanishing.left, summed)
    equivalent = T.iff(vanishing.left, each, forward, backward)
    return T.generalise(T.both(positive, equivalent), m, D)


def _twice_and_one(L: Any) -> Any:
    return 2 * L + 1


LATE = {"L": 1, "M": 2, "kappa": {1: 1, 2: 2}}


@control("a_length_too_far", LATE, free_from=_twice_and_one)
@proves(SPECIAL_CASES, "one_axis", "every kernel, all lengths")
def one_axis(of: Layouts) -> Theorem:
    """At length L the last query sees offset M, at length M the first one sees offset L."""
    L, M = statements.first_length, statements.second_length
    statement = _open(T.stated(SPECIAL_CASES, "one_axis", of))
    premise, both = statement.premise, statement.conclusion.body

    def beaten(law: Any, offset: Any, length: Any) -> Theorem:
        bound = kernel.instantiate(T.assume(law), node(offset))
        seen, apart = bound.conclusion.args[0].args
        near = prove_order(seen, premise.parts)
        equal = Eq(offset, length)
        distinct = T.conclude_not(T.contradict([equal, *premise.parts]), equal)
        assert distinct.conclusion == apart
        return kernel.modus(bound, T.both(near, distinct))

    lower, higher = beaten(both.parts[0], M, L), beaten(both.parts[1], L, M)
    clash = T.discharge(T.contradict([lower.conclusion, higher.conclusion]), lower, higher)
    never = T.conclude_not(T.unpack(clash, both), both)
    return T.generalise(T.implication(T.unpack(never, premise), premise), L, M)


def _one_short(L: Any) -> Any:
    return 2 * L - 1


@control("a_length_too_near", {"L": 2, "M": 3, "e": 3}, free_from=_one_short)
@proves(SPECIAL_CASES, "threshold", "all lengths")
def threshold(of: Layouts) -> Theorem:
    """Off L and M the product of the squares is at least 1, and D / (2 M) below 1."""
    L, M, D = statements.first_length, statements.second_length, statements.steps
    statement = _open(T.stated(SPECIAL_CASES, "threshold", of))
    apart, both = statement.premise, statement.conclusion
    first, second = both.parts
    Mn, Dn, Ln = node(M), node(D), node(L)

    # at L: kappa(L) - kappa(D) = (2 M - D + L + 2 M (p^2 q^2 - 1)) / (2 M)
    seen, other = first.body.premise.parts
    goal = first.body.conclusion
    below = prove_order(Lt(D, 2 * M), [seen, apart])
    square = _square_at_least_one(D, L, other)
    behind = prove_order(Le(1, M - D), [seen, apart])
    q, p = T.margin(behind.conclusion), T.margin(square.conclusion)
    excess = p * (Mn - Dn) ** 2 + q * (q + 2)
    form = (T.margin(below.conclusion) + Ln + 2 * Mn * excess) / (2 * Mn)
    facts = [below.conclusion, square.conclusion, behind.conclusion]
    low = T.discharge(prove_nonneg(goal, form, facts), below, square, behind)
    low = T.implication(T.unpack(low, first.body.premise), first.body.premise)

    # at M: (M - L) / (2 M) at the offset L, and (2 M - D + M + 2 M (p^2 q^2 - 1)) / (2 M) elsewhere
    seen, other = second.body.premise.parts
    goal = second.body.conclusion
    between = prove_order(Lt(L, M), [apart])
    at_first = prove_nonneg(
        T.instance(goal, D, L), T.margin(between.conclusion) / (2 * Mn), [between.conclusion]
    )
    here = T.rewrite(goal, D, L, T.discharge(at_first, between))
    below = prove_order(Lt(D, 2 * M), [seen])
    squares = [_square_at_least_one(D, end, Not(Eq(D, end))) for end in (L, M)]
    p, q = (T.margin(square.conclusion) for square in squares)
    excess = p * (Dn - Mn) ** 2 + q
    form = (T.margin(below.conclusion) + Mn + 2 * Mn * excess) / (2 * Mn)
    facts = [below.conclusion, *(square.conclusion for square in squares)]
    elsewhere = T.discharge(prove_nonneg(goal, form, facts), below, *squares)
    high = T.split(Eq(D, L), here, elsewhere)
    high = T.implication(T.unpack(high, second.body.premise), second.body.premise)

    proof = T.both(T.generalise(low, D), T.generalise(high, D))
    return T.generalise(T.implication(proof, apart), L, M)


def _square_at_least_one(a: Any, b: Any, apart: Any) -> Theorem:
    """a != b |- 1 <= (a - b)^2 for integers."""
    goal = Le(1, (a - b) ** 2)
    spread = kernel.instantiate(kernel.meaning("integers_apart"), node(a - b))
    low, zero, high = spread.conclusion.args
    equal = prove_identity(Eq(a, b), [zero])
    never = kernel.clash(equal, T.assume(apart))
    return kernel.cases(
        spread, prove_order(goal, [low]), T.ex_falso(never, goal), prove_order(goal, [high])
    )
