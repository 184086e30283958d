"""Proofs of `theory.journey.cocycles`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from sympy import Abs, cos, pi, sin

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import FALSUM, Node, append, concat, empty, journey, step, unit
from posproof.proofs_check.language import Eq as equation
from posproof.proofs_check.search import (
    Undecided,
    prove_contradiction,
    prove_free,
    prove_identity,
    prove_nonneg,
)
from posproof.theory.journey.cocycles import (
    BACK_1,
    COCYCLE,
    COMMUTANT,
    COORDINATE_FACTORS,
    PLANE,
    SPACE,
    SUM_ADDRESSES,
    A_i,
    A_j,
    A_ot,
    A_so,
    A_st,
    Ai_t,
    Aj_t,
    B_i,
    B_o,
    Cocycles,
    E,
    F_s,
    F_t,
    G,
    H_t,
    L,
    Matrix,
    O,
    O_t,
    P_0a,
    P_0b,
    P_a,
    P_ab,
    P_b,
    P_ij,
    P_io,
    P_ko,
    P_oi,
    P_oj,
    P_ok,
    P_oo,
    P_s,
    P_s_st,
    P_st,
    P_st_stv,
    P_stv,
    P_t,
    P_t_st,
    P_v,
    P_xy,
    P_xz,
    P_yz,
    R,
    S,
    S_t,
    Square,
    U_o,
    W_o,
    a_i,
    a_j,
    a_o,
    a_oo,
    a_so,
    about_x,
    about_z,
    ai_t,
    alpha,
    b_o,
    beta,
    block,
    entry,
    f_s,
    g,
    h_t,
    n,
    rotation,
    size,
    u,
    v,
    w,
    x,
    y,
)
from posproof.theory.symbols import Journey, joined, variables
from posproof.theory.vocabulary import Claim, Eq, Letter, Ne, control, proves


def _statement(claim: Claim, clause: str, of: Any) -> Node:
    """The clause without its outer quantifiers."""
    goal = T.node(claim.clause(clause).statement(of))
    while goal.head == "forall":
        goal = goal.args[1]
    return goal


def _facts(premise: Node) -> tuple[Node, ...]:
    return premise.args if premise.head == "and" else (premise,)


def _each(conclusion: Node, given: Sequence[Node]) -> Theorem:
    """Every equation of a conjunction by rewriting with the given ones."""
    proofs = [prove_free(part, given) for part in _facts(conclusion)]
    return T.both(*proofs) if len(proofs) > 1 else proofs[0]


def _rewritten(claim: Claim, clause: str, of: Any) -> Theorem:
    """Premises that are equations give the conclusion by rewriting products."""
    premise, conclusion = _statement(claim, clause, of).args
    return _each(conclusion, _facts(premise))


def _calculated(goal: Any, given: Sequence[Any], *lemmas: Theorem) -> Theorem:
    """Rewriting with lemmas, which then go."""
    facts = [*(T.node(g) for g in given), *(lemma.conclusion for lemma in lemmas)]
    return T.discharge(prove_free(goal, facts), *lemmas)


# ---------------------------------------------------------------------- operators for controls
#: The dihedral group of order 6 as integer matrices, a shear, multiples, and two projections.
STEPS = {
    "1": ((1, 0), (0, 1)),
    "r": ((0, -1), (1, -1)),
    "rr": ((-1, 1), (-1, 0)),
    "s": ((0, 1), (1, 0)),
    "sr": ((1, -1), (0, -1)),
    "rs": ((-1, 0), (-1, 1)),
    "2": ((2, 0), (0, 2)),
    "1/2": ((Fraction(1, 2), 0), (0, Fraction(1, 2))),
    "e": ((1, 0), (0, 0)),
    "u": ((1, 1), (0, 1)),
    "U": ((1, -1), (0, 1)),
    "rsu": ((-1, -1), (-1, 0)),
}


def _point(**letters: Any) -> dict[str, Any]:
    """A counterexample: which operator each letter is."""
    return {"step": STEPS, **letters}


def _chain(goal: Any, terms: Sequence[Any], given: Sequence[Any]) -> Theorem:
    """An equation through intermediate terms; each step needs one of the given equations."""
    facts = [T.node(g) for g in given]
    steps = []
    for left, right in zip(terms, terms[1:], strict=False):
        wanted = equation(_operator(left), _operator(right))
        steps.append(_first_success(wanted, [[], *([fact] for fact in facts)]))
    trace = [(Fraction(1), (), index, ()) for index in range(len(steps))]
    whole = kernel.free_identity(T.node(goal), [step.conclusion for step in steps], trace)
    return T.discharge(whole, *steps)


def _operator(term: Any) -> Node:
    """A product of letters, or 1, as an operator of the kernel."""
    return term if isinstance(term, Node) else T.node(Eq(term, Journey(joined()))).args[0]


def _first_success(goal: Node, choices: Sequence[Sequence[Node]]) -> Theorem:
    for facts in choices[:-1]:
        try:
            return prove_free(goal, facts)
        except Undecided:
            continue
    return prove_free(goal, choices[-1])


def _chained(claim: Claim, clause: str, of: Cocycles, *paths: Sequence[Any]) -> Theorem:
    """One chain for each equation of the conclusion."""
    premise, conclusion = _statement(claim, clause, of).args
    goals = _facts(conclusion)
    proofs = [_chain(goal, path, _facts(premise)) for goal, path in zip(goals, paths, strict=True)]
    return T.both(*proofs) if len(proofs) > 1 else proofs[0]


# ---------------------------------------------------------------------- journey.cocycle
def _backwards(inverse: Any, frame: Any) -> Any:
    return frame * inverse


_INVERSES = {"A_i": "r", "a_i": "rr", "A_k": "s", "a_k": "s", "A_j": "u", "A_o": "1", "a_o": "1"}


@control("wrong_side", _point(**_INVERSES), transport=_backwards)
@control("composed_backwards", _point(**_INVERSES), composed=_backwards)
@proves(COCYCLE, "consistent", "all d, all fields, any index set")
def consistent(of: Cocycles) -> Theorem:
    """A(k) A(k)^{-1} cancels in the middle."""
    return _rewritten(COCYCLE, "consistent", of)


_CANONICAL = {"P_io": "r", "P_oi": "rr", "P_oj": "s", "P_ij": "rs", "P_oo": "1", "P_ii": "1"}


@control("wrong_side", _point(**_CANONICAL), transport=_backwards)
@control("composed_backwards", _point(**_CANONICAL | {"P_ij": "sr"}), composed=_backwards)
@proves(COCYCLE, "canonical", "all d, all fields, any index set")
def canonical(of: Cocycles) -> Theorem:
    """P_oi and P_io are inverse to each other, so A(i) = P_oi."""
    return _rewritten(COCYCLE, "canonical", of)


_GAUGE = {"G": "r", "g": "rr", "a_i": "s", "A_j": "u"}


@control("gauge_on_the_other_side", _point(**_GAUGE), changed=_backwards)
@control("wrong_side", _point(**_GAUGE), transport=_backwards)
@proves(COCYCLE, "gauge_free", "all d, all fields")
def gauge_free(of: Cocycles) -> Theorem:
    """G^{-1} G cancels."""
    return _rewritten(COCYCLE, "gauge_free", of)


_TWO = {"A_o": "1", "a_o": "1", "B_o": "r", "b_o": "rr", "A_i": "s", "B_i": "rs"}


@control("gauge_on_the_other_side", _point(**_TWO), changed=_backwards)
@control("wrong_side", _point(**_TWO | {"B_i": "sr"}), transport=_backwards)
@proves(COCYCLE, "gauge_unique", "all d, all fields, any index set")
def gauge_unique(of: Cocycles) -> Theorem:
    """B(i) = B(o) B(o)^{-1} B(i) = B(o) A(o)^{-1} A(i)."""
    path = [B_i, B_o * b_o * B_i, B_o * a_o * A_i]
    return _chained(COCYCLE, "gauge_unique", of, path)


_THIN = {"U_i": "1", "U_k": "2", "W_j": "1", "W_k": "1", "E": "1"}


@control("not_normalised", _point(**_THIN), full_rank=lambda identity: 2 * identity)
@control(
    "factors_swapped",
    _point(U_i="r", U_k="rr", W_j="s", W_k="r", E="1"),
    projected=_backwards,
)
@proves(COCYCLE, "low_rank", "all d and r, all fields, any index set")
def low_rank(of: Cocycles) -> Theorem:
    """W_k^T U_k is the identity in the middle."""
    return _rewritten(COCYCLE, "low_rank", of)


_IDENTITIES = dict.fromkeys(
    ("P_io", "P_oj", "P_ij", "P_oo", "P_ok", "P_ko", "U_o", "W_o", "L", "R", "E"), "1"
)


@control("not_normalised", _point(**_IDENTITIES), full_rank=lambda identity: 2 * identity)
@control(
    "factors_swapped",
    _point(**_IDENTITIES | {"P_io": "r", "P_oj": "s", "P_ij": "rs"}),
    projected=_backwards,
)
@proves(COCYCLE, "only_low_rank", "all d and r, all fields, any index set")
def only_low_rank(of: Cocycles) -> Theorem:
    """W_o^T U_o = I_r because U_o W_o^T is idempotent and of full rank; then put P_oo inside."""
    premise, conclusion = _statement(COCYCLE, "only_low_rank", of).args
    given = _facts(premise)
    twice = [
        W_o * U_o,
        E * W_o * U_o,
        E * W_o * U_o * E,
        L * U_o * W_o * U_o * E,
        L * U_o * W_o * U_o * W_o * R,
        L * P_oo * U_o * W_o * R,
        L * P_oo * P_oo * R,
        L * P_oo * R,
        L * U_o * W_o * R,
        E * W_o * R,
        W_o * R,
        E,
    ]
    normal = _chain(Eq(W_o * U_o, E), twice, given)
    split, rank = conclusion.args
    through = [P_ij, P_io * P_oj, P_io * P_oo * P_oj, P_io * U_o * W_o * P_oj]
    middle = W_o * P_ok * P_ko * U_o
    around = [middle, W_o * P_oo * U_o, W_o * U_o * W_o * U_o, E * W_o * U_o, W_o * U_o, E]
    known = [*given, normal.conclusion]
    return T.both(_chain(split, through, given), T.discharge(_chain(rank, around, known), normal))


@control("gate_not_idempotent", rank_one=lambda i, j: Matrix([[2, 0], [i, 0]]))
@control("invertible", rank_one=lambda i, j: Matrix([[1, 0], [i - j, 1]]))
@proves(COCYCLE, "not_forced", "d = 2, all integers i, j, k")
def not_forced(of: Cocycles) -> Theorem:
    """Multiply."""
    goal = _statement(COCYCLE, "not_forced", of)
    return T.both(*(prove_identity(part) for part in goal.args))


@control("composed_backwards", {"u": ("a",), "v": ("b",)}, composed=_backwards)
@control("every_path_doubled", journey=lambda word: 2 * Journey(word))
@proves(COCYCLE, "causal", "all operators, all paths")
def causal(of: Cocycles) -> Theorem:
    """Induction over the later part: its last step is leftmost on both sides."""
    goal = _statement(COCYCLE, "causal", of)
    return _composed(goal)


def _composed(goal: Node) -> Theorem:
    """J(u v) = J(v) J(u) for all words."""
    last, letter = T.node(v), T.node(x)
    base = prove_free(kernel.substitute(goal, {last: empty}))
    later = prove_free(kernel.substitute(goal, {last: append(last, letter)}), [goal])
    return kernel.induct_words(last, letter, goal, base, later)


def _journeys_compose() -> Theorem:
    return _composed(T.node(Eq(Journey(joined(u, v)), Journey(v) * Journey(u))))


@control(
    "second_factor_forgotten",
    {"step": {"a": ((1, 1), (0, 1)), "b": ((1, -1), (0, 1))}, "w": ("a", "a")},
    composed=lambda first, second: first,
)
@proves(COCYCLE, "causal_inverses", "all operators, all paths")
def causal_inverses(of: Cocycles) -> Theorem:
    """The inverse of J(w a) is J(w)^{-1} T_a^{-1}: the word of the inverse starts with b."""
    premise, conclusion = T.node(COCYCLE.clause("causal_inverses").statement(of)).args
    word, statement = conclusion.args
    letter, undo, back = T.node(x), T.node(y), T.node(v)
    start = T.exists(kernel.substitute(statement, {word: empty}), empty, _trivial)
    known = T.body(T.assume(statement), back)
    pair = kernel.instantiate(T.assume(premise), letter)
    facts = [*_facts(T.body(pair, undo)), *known.args]
    longer = concat(append(empty, undo), back)
    opened = kernel.specialise(
        _journeys_compose(), {T.node(u): append(empty, undo), T.node(v): back}
    )

    whole, short = journey(longer), journey(back) @ step(undo)
    long, old = step(letter) @ journey(word), journey(word)

    def grown(goal: Node) -> Theorem:
        before, after = goal.args
        known = [*facts, opened.conclusion]
        one = [whole @ long, short @ long, journey(back) @ old, unit]
        other = [long @ whole, long @ short, step(letter) @ step(undo), unit]
        pair = T.both(_chain(before, one, known), _chain(after, other, known))
        return T.discharge(pair, opened)

    goal = kernel.substitute(statement, {word: append(word, letter)})
    found = T.exists(goal, longer, grown)
    found = T.unpack(T.unpack(found, known), T.body(pair, undo))
    later = T.obtain(pair, undo, T.obtain(T.assume(statement), back, found))
    proof = kernel.induct_words(word, letter, statement, start, later)
    return T.implication(T.generalise(proof, word), premise)


def _trivial(goal: Node) -> Theorem:
    return _each(goal, [])


_FRAME = {"P_oi": "r", "A_i": "rr", "P_oj": "s", "A_j": "s", "P_ij": "rs"}


@control("wrong_side", _point(**_FRAME), transport=_backwards)
@control("composed_backwards", _point(**_FRAME | {"P_ij": "sr"}), composed=_backwards)
@proves(COCYCLE, "causal_frame", "all d, all fields")
def causal_frame(of: Cocycles) -> Theorem:
    """P_tj = P_tj P_j0 P_j0^{-1} = P_t0 P_j0^{-1}."""
    path = [P_ij, P_ij * P_oj * A_j, P_oi * A_j]
    return _chained(COCYCLE, "causal_frame", of, path)


@control(
    "frame_forgotten",
    _point(A_i="r", a_i="rr", A_j="s", a_j="s"),
    transport=lambda inverse, frame: inverse,
)
@proves(COCYCLE, "invertible_only", "all d, all fields")
def invertible_only(of: Cocycles) -> Theorem:
    """A(t)^{-1} A(s) and A(s)^{-1} A(t) undo each other."""
    return _rewritten(COCYCLE, "invertible_only", of)


_FRAMES = {
    **dict(zip(("A0", "A1", "A2", "A3"), (2, 0, 0, 1), strict=True)),
    **dict(zip(("a0", "a1", "a2", "a3"), (Fraction(1, 2), 0, 0, 1), strict=True)),
    **dict.fromkeys(("B0", "B3", "b0", "b3"), 1),
    **dict.fromkeys(("B1", "B2", "b1", "b2"), 0),
}


@control("invertible_gate", _FRAMES, gate=lambda: Matrix([[2, 0], [0, 1]]))
@proves(COCYCLE, "singular_gate", "d = 2, all real matrices")
def singular_gate(of: Cocycles) -> Theorem:
    """The second row b of A(1)^{-1} has b A(0) = 0, so b = 0, and then A(1)^{-1} A(1) is not I."""
    quantified, later = _statement(COCYCLE, "singular_gate", of).args
    names = []
    while quantified.head == "forall":
        names.append(quantified.args[0])
        quantified = quantified.args[1]
    frames = quantified.args[0]
    undone, kept, gate = frames.args
    zeros = [prove_identity(Eq(b, 0), [undone, gate]) for b in BACK_1.row(1)]
    absurd = prove_contradiction([kept, *(zero.conclusion for zero in zeros)])
    never = T.conclude_not(T.unpack(T.discharge(absurd, *zeros), frames), frames)
    return T.both(T.generalise(never, *names), prove_identity(later))


_TRANSPOSES = {"A_i": "r", "a_i": "rr", "Ai_t": "r"}


def _equivalence(
    goal: Node, premise: Node, forward: Sequence[Any], backward: Sequence[Any]
) -> Theorem:
    """An equivalence of two equations, a chain for each direction."""
    left, right = goal.args
    given = _facts(premise)
    there = _chain(right, forward, [*given, left])
    back = _chain(left, backward, [*given, right])
    return T.iff(left, right, there, back)


_ORTHOGONAL = {
    "A_i": "r",
    "a_i": "rr",
    "A_j": "u",
    "a_j": "U",
    "A_i'": "rr",
    "a_i'": "r",
    "A_j'": "U",
    "a_j'": "u",
}
_ONES = dict.fromkeys(("S", "S'", "O", "O'"), "1")
_UNEQUAL = _ORTHOGONAL | {
    "A_j": "s",
    "a_j": "s",
    "A_i'": "1",
    "a_i'": "1",
    "A_j'": "sr",
    "a_j'": "sr",
}
_EQUAL = {
    "A_i": "1",
    "a_i": "1",
    "A_j": "r",
    "a_j": "rr",
    "A_i'": "s",
    "a_i'": "s",
    "A_j'": "sr",
    "a_j'": "sr",
} | _ONES


@control("transposed_in_the_same_order", _point(**_ORTHOGONAL), transposed=lambda a, b: a * b)
@control("wrong_side", _point(**_UNEQUAL), transport=_backwards)
@proves(COCYCLE, "orthogonal_constant", "all d, all fields")
def orthogonal_constant(of: Cocycles) -> Theorem:
    """Multiply P^T P = I by the frames, or put A(j) A(j)^T for A(i) A(i)^T."""
    premise, goal = _statement(COCYCLE, "orthogonal_constant", of).args
    there = [
        A_i * Ai_t,
        A_j * a_j * A_i * Ai_t,
        A_j * Aj_t * ai_t * a_i * A_j * a_j * A_i * Ai_t,
        A_j * Aj_t * ai_t * a_i * A_i * Ai_t,
        A_j * Aj_t * ai_t * Ai_t,
        A_j * Aj_t,
    ]
    back = [
        Aj_t * ai_t * a_i * A_j,
        a_j * A_j * Aj_t * ai_t * a_i * A_j,
        a_j * A_i * Ai_t * ai_t * a_i * A_j,
        a_j * A_i * a_i * A_j,
        a_j * A_j,
        1,
    ]
    return _equivalence(goal, premise, there, back)


@control("transposed_in_the_same_order", _point(**_EQUAL), transposed=lambda a, b: a * b)
@control("wrong_side", _point(**_ORTHOGONAL | _ONES), transport=_backwards)
@proves(COCYCLE, "orthogonal_factor", "all d, all fields")
def orthogonal_factor(of: Cocycles) -> Theorem:
    """O = A(i)^{-1} A(j); and S O O^T S^T = S S^T."""
    premise, goal = _statement(COCYCLE, "orthogonal_factor", of).args
    given = _facts(premise)
    first, second = goal.args
    constant, split = first.args
    product, turned = split.args
    kept = [
        a_i * A_j * Aj_t * ai_t,
        a_i * A_i * Ai_t * ai_t,
        Ai_t * ai_t,
        1,
    ]
    known = [*given, constant]
    there = T.both(prove_free(product, given), _chain(turned, kept, known))
    factors, result = second.args
    path = [A_j * Aj_t, S * O * Aj_t, S * O * O_t * S_t, S * S_t]
    back = T.unpack(_chain(result, path, [*given, *factors.args]), factors)
    return T.both(T.implication(there, constant), T.implication(back, factors))


@control(
    "wrong_side",
    _point(**{"A_i": "r", "a_i": "rr", "A_j": "s", "a_j": "s", "A_i'": "rr"}),
    transport=_backwards,
)
@proves(COCYCLE, "two_tables", "all d, all fields")
def two_tables(of: Cocycles) -> Theorem:
    """Cancel A(j)."""
    premise, goal = _statement(COCYCLE, "two_tables", of).args
    there = [Ai_t * A_i, Ai_t * A_j * a_j * A_i, a_i * A_j * a_j * A_i, a_i * A_i, 1]
    back = [Ai_t * A_j, Ai_t * A_i * a_i * A_j, a_i * A_j]
    return _equivalence(goal, premise, there, back)


@control(
    "not_equivariant",
    _point(P_0a="r", P_0b="s", P_a="s", P_b="rr", P_ab="rs"),
    moved=lambda left, right: Eq(left, left),
)
@proves(COCYCLE, "steps_commute", "all d, all fields")
def steps_commute(of: Cocycles) -> Theorem:
    """Both ways round a square have the same operator."""
    path = [P_0a * P_0b, P_0a * P_a, P_ab, P_0b * P_b, P_0b * P_0a]
    return _chained(COCYCLE, "steps_commute", of, path)


def _always(a: Any, b: Any) -> Any:
    return Eq(a * b, a * b)


@control("steps_that_do_not_commute", {"v": ("a", "b"), "w": ("b", "a")}, commute=_always)
@proves(COCYCLE, "displacement", "all operators, all walks")
def displacement(of: Cocycles) -> Theorem:
    """Neighbouring steps may be swapped, and swaps connect all walks of one displacement."""
    premise, goal = T.node(COCYCLE.clause("displacement").statement(of)).args
    return T.implication(_any_order(premise), premise)


def _any_order(commuting: Node) -> Theorem:
    """all steps commute |- content(w) = content(w') => J(w) = J(w')."""
    before, after = T.node(u), T.node(v)
    a, b = variables("a b", Letter)
    first, second = T.node(a), T.node(b)
    swapped = T.apply(T.assume(commuting), [first, second])
    ways = [append(before, first, second), append(before, second, first)]
    opened = [
        kernel.specialise(_journeys_compose(), {T.node(u): way, T.node(v): after}) for way in ways
    ]
    here, there = (journey(concat(way, after)) for way in ways)
    split = [journey(after) @ journey(way) for way in ways]
    known = [swapped.conclusion, *(theorem.conclusion for theorem in opened)]
    swap = _chain(equation(here, there), [here, *split, there], known)
    swap = T.discharge(swap, *opened)
    return kernel.induct_swaps(T.node(w), journey(T.node(w)), T.discharge(swap, swapped))


@control(
    "steps_that_do_not_commute",
    _point(w=("s",), x="r", P_xy="s", P_yz="r", P_xz="sr"),
    commute=_always,
)
@proves(COCYCLE, "walk", "all operators, all walks")
def walk(of: Cocycles) -> Theorem:
    """rho(w) rho_a = rho_a rho(w): the words a w and w a have the same content."""
    premise, quantified = T.node(COCYCLE.clause("walk").statement(of)).args
    while quantified.head == "forall":
        quantified = quantified.args[1]
    known, goal = quantified.args
    word, letter = T.node(w), T.node(x)
    late, early = append(word, letter), concat(append(empty, letter), word)
    order = _any_order(premise)
    other = order.conclusion.args[0].args[1]
    equal = kernel.modus(
        kernel.specialise(order, {word: late, other: early}), kernel.same_content(late, early)
    )
    opened = kernel.specialise(
        _journeys_compose(), {T.node(u): append(empty, letter), T.node(v): word}
    )
    both = [_operator(Journey(w) * x), journey(early), _operator(x * Journey(w))]
    moved = _chain(Eq(Journey(w) * x, x * Journey(w)), both, [equal.conclusion, opened.conclusion])
    moved = T.discharge(moved, equal, opened)
    path = [P_xz, P_xy * P_yz, Journey(w) * P_yz, Journey(w) * x, x * Journey(w)]
    proof = _chain(goal, path, [*known.args, moved.conclusion])
    return T.implication(T.discharge(proof, moved), premise)


# ---------------------------------------------------------------------- journey.coordinate_factors
_COORDINATES = {
    "G": "1",
    "g": "1",
    "F_s": "1",
    "f_s": "1",
    "F_t": "s",
    "H_t": "r",
    "h_t": "rr",
}


@control("factors_that_do_not_commute", _point(**_COORDINATES), commute=_always)
@control(
    "wrong_side",
    _point(**_COORDINATES | {"F_t": "1", "G": "r", "g": "rr", "F_s": "s", "f_s": "s", "H_t": "s"})
    | {"h_t": "s"},
    transport=_backwards,
)
@proves(COORDINATE_FACTORS, "one_coordinate", "all d, all fields, one coordinate against the rest")
def one_coordinate(of: Cocycles) -> Theorem:
    """H commutes with A(s), hence with its inverse, and cancels."""
    premise, conclusion = _statement(COORDINATE_FACTORS, "one_coordinate", of).args
    given = _facts(premise)
    undone, moved = conclusion.args
    path = [
        h_t * f_s * g * G * F_t * H_t,
        h_t * f_s * F_t * H_t,
        h_t * f_s * H_t * F_t,
        h_t * f_s * H_t * F_s * f_s * F_t,
        h_t * f_s * F_s * H_t * f_s * F_t,
        h_t * H_t * f_s * F_t,
        f_s * F_t,
    ]
    whole = [h_t * f_s * g * G * F_s * H_t, h_t * f_s * F_s * H_t, h_t * H_t, 1]
    return T.both(_chain(undone, whole, given), _chain(moved, path, given))


@control("factors_that_do_not_commute", _point(F_s="r", w=("s",)), commute=_always)
@proves(COORDINATE_FACTORS, "others_commute", "all d, all fields, any number of factors")
def others_commute(of: Cocycles) -> Theorem:
    """Induction over the factors."""
    premise, conclusion = _statement(COORDINATE_FACTORS, "others_commute", of).args
    statement = conclusion.args[1]
    last, letter = T.node(w), T.node(x)
    base = prove_free(kernel.substitute(statement, {last: empty}))
    one = kernel.instantiate(T.assume(premise), letter)
    grown = kernel.substitute(statement, {last: append(last, letter)})
    path = [x * Journey(w) * F_s, x * F_s * Journey(w), F_s * x * Journey(w)]
    later = T.discharge(_chain(grown, path, [statement, one.conclusion]), one)
    proof = kernel.induct_words(last, letter, statement, base, later)
    return T.implication(T.generalise(proof, w), premise)


_NEXT = {"w": ("s",), "x": "r", "P_xy": "s", "P_yz": "r"}


@control("composed_backwards", _point(**_NEXT, P_xz="sr"), composed=_backwards)
@control(
    "dependent",
    _point(**_NEXT | {"P_yz": "1"}, P_xz="s"),
    moved=lambda left, right: Eq(left, left),
)
@proves(COORDINATE_FACTORS, "next_coordinate", "all d, all fields, any number of coordinates")
def next_coordinate(of: Cocycles) -> Theorem:
    """The new factor stands on the left."""
    path = [P_xz, P_yz * P_xy, x * P_xy, x * Journey(w)]
    return _chained(COORDINATE_FACTORS, "next_coordinate", of, path)


_SQUARE = {"P_s": "r", "P_t": "s", "P_s_st": "s", "P_st": "rs", "P_t_st": "rr"}


@control("dependent", _point(**_SQUARE), moved=lambda left, right: Eq(left, left))
@control(
    "doubled_on_the_way",
    _point(P_s="1", P_t="1", P_st="2", P_s_st="1", P_t_st="1"),
    composed=lambda first, second: 2 * first * second,
)
@proves(COORDINATE_FACTORS, "independent", "all d, all fields, two coordinates")
def independent(of: Cocycles) -> Theorem:
    """Both ways round the square give A(s, t)."""
    product = [P_st, P_s * P_s_st, P_s * P_t]
    order = [P_s * P_t, P_s * P_s_st, P_st, P_t * P_t_st, P_t * P_s]
    return _chained(COORDINATE_FACTORS, "independent", of, product, order)


_CUBE = {
    "P_s": "r",
    "P_s_st": "s",
    "P_t": "s",
    "P_st": "rs",
    "P_st_stv": "u",
    "P_v": "u",
    "P_stv": "rsu",
}


@control(
    "dependent",
    _point(**_CUBE | {"P_v": "1"}),
    moved=lambda left, right: Eq(left, left),
)
@control("factors_swapped", _point(**_CUBE), factored=_backwards)
@proves(COORDINATE_FACTORS, "more_coordinates", "all d, all fields, three coordinates")
def more_coordinates(of: Cocycles) -> Theorem:
    """One coordinate after the other."""
    path = [P_stv, P_st * P_st_stv, P_s * P_s_st * P_st_stv, P_s * P_t * P_st_stv, P_s * P_t * P_v]
    return _chained(COORDINATE_FACTORS, "more_coordinates", of, path)


_PREFIX = {"C": "r", "c": "rr", "F_s": "s", "f_s": "s", "F_t": "u"}


@control("prefix_on_the_right", _point(**_PREFIX), factored=_backwards)
@control("wrong_side", _point(**_PREFIX), transport=_backwards)
@proves(COORDINATE_FACTORS, "ordered_nested", "all d, all fields, any number of coordinates")
def ordered_nested(of: Cocycles) -> Theorem:
    """The common factors on the left cancel."""
    return _rewritten(COORDINATE_FACTORS, "ordered_nested", of)


_NESTED = {"A_so": "r", "a_so": "rr", "A_st": "rs", "a_oo": "1", "A_ot": "s"}


@control("factors_swapped", _point(**_NESTED), factored=_backwards)
@control("dependent", _point(**_NESTED | {"A_ot": "u"}), moved=lambda left, right: Eq(left, left))
@proves(COORDINATE_FACTORS, "nested_ordered", "all d, all fields, any number of coordinates")
def nested_ordered(of: Cocycles) -> Theorem:
    """A(s, t) = A(s, o) A(s, o)^{-1} A(s, t), and the last two do not depend on s."""
    path = [A_st, A_so * a_so * A_st, A_so * a_oo * A_ot]
    return _chained(COORDINATE_FACTORS, "nested_ordered", of, path)


@control("same_axis", about_z=about_x)
@control("opposite_turn", about_x=lambda phi: about_x(-phi))
@proves(COORDINATE_FACTORS, "not_independent", "quarter turns about x and z")
def not_independent(of: Cocycles) -> Theorem:
    """Multiply."""
    goal = _statement(COORDINATE_FACTORS, "not_independent", of)
    return T.both(*(prove_identity(part) for part in goal.args))


# ---------------------------------------------------------------------- journey.commutant
def _still(phi: Any) -> Square:
    return PLANE


def _mirrored(a: Any, b: Any) -> Square:
    return Matrix([[a, b], [b, -a]])


_TURN = {"p": 1, "q": -1, "r": 1, "s": 1}


@control("wrong_generator", rotation=_still)
@proves(COMMUTANT, "torus_off", "every pair of different planes, any number of planes")
def torus_off(of: Cocycles) -> Theorem:
    """R(pi/2) X = X twice gives -X = X."""
    premise, goal = _statement(COMMUTANT, "torus_off", of).args
    return prove_identity(goal, [premise])


@control("wrong_block", _TURN, block=_mirrored)
@control("not_turned", rotation=_still)
@proves(COMMUTANT, "torus_on", "every plane")
def torus_on(of: Cocycles) -> Theorem:
    """Compare entries of J X and X J."""
    premise, goal = _statement(COMMUTANT, "torus_on", of).args
    return prove_identity(goal, [premise])


@control("wrong_block", block=_mirrored)
@control("sheared", rotation=lambda phi: Matrix([[1, phi], [0, 1]]))
@proves(COMMUTANT, "members", "all angles, every plane")
def members(of: Cocycles) -> Theorem:
    """Multiply."""
    goal = _statement(COMMUTANT, "members", of)
    return T.both(*(prove_identity(part) for part in goal.args))


_OPPOSITE = {"alpha": 1, "beta": -1, "p": 1, "q": 0, "r": 0, "s": -1}


@control("distinct_angles", _OPPOSITE, apart=lambda alpha, beta: Ne(alpha, beta))
@control("distinct_sines", _OPPOSITE, apart=lambda alpha, beta: Ne(sin(alpha), sin(beta)))
@proves(COMMUTANT, "apart", "all angles, every pair of planes")
def apart(of: Cocycles) -> Theorem:
    """Apply R(alpha) twice: by Cayley and Hamilton 2 (cos alpha - cos beta) R(alpha) X = 0."""
    premise, goal = _statement(COMMUTANT, "apart", of).args
    return T.unpack(prove_identity(goal, premise.args), premise)


def _matrix_equivalence(claim: Claim, clause: str, of: Cocycles) -> Theorem:
    premise, goal = _statement(claim, clause, of).args
    left, right = goal.args
    there, back = prove_identity(right, [premise, left]), prove_identity(left, [premise, right])
    return T.iff(left, right, there, back)


_HALF_TURN = {"alpha": 0, "p": 0, "q": 1, "r": 0, "s": 0}


@control("half_turn_allowed", _HALF_TURN, turning=lambda alpha: Ne(cos(alpha), 0))
@control("wrong_block", {"alpha": 1} | _TURN, block=_mirrored)
@proves(COMMUTANT, "alike", "all angles, every pair of planes that turn alike")
def alike(of: Cocycles) -> Theorem:
    """The sine cancels."""
    return _matrix_equivalence(COMMUTANT, "alike", of)


@control("half_turn_allowed", _HALF_TURN, turning=lambda alpha: Ne(cos(alpha), 0))
@control("wrong_block", _OPPOSITE, mirror=block)
@proves(COMMUTANT, "opposite", "all angles, every pair of planes that turn oppositely")
def opposite(of: Cocycles) -> Theorem:
    """The sine cancels."""
    return _matrix_equivalence(COMMUTANT, "opposite", of)


@control("half_speed", {"alpha": 0, "beta": 2 * pi}, rotation=lambda phi: rotation(phi / 2))
@proves(COMMUTANT, "only_pairs", "all angles")
def only_pairs(of: Cocycles) -> Theorem:
    """Equal cosines have equal or opposite sines."""
    premise, goal = _statement(COMMUTANT, "only_pairs", of).args
    same, mirrored = goal.args
    agree = T.node(Eq(sin(beta), sin(alpha)))
    first = T.alternative(prove_identity(same, [premise, agree]), goal)
    unequal = T.negation(agree)
    turned = prove_identity(Eq(sin(beta), -sin(alpha)), [premise, unequal])
    second = T.discharge(prove_identity(mirrored, [premise, turned.conclusion]), turned)
    return T.split(agree, first, T.alternative(second, goal))


@control("half_speed", rotation=lambda phi: rotation(phi / 2))
@proves(COMMUTANT, "fixed", "all angles that are whole or half turns")
def fixed(of: Cocycles) -> Theorem:
    """Both rotations are the same multiple of I."""
    premise, goal = _statement(COMMUTANT, "fixed", of).args
    still = T.node(Eq(sin(beta), 0))
    flat = prove_identity(goal, [*premise.args, still])
    # The square of this sine is 0, so that it is not 0 contradicts the premises.
    turning = prove_identity(goal, [*premise.args, T.negation(still)])
    return T.unpack(T.split(still, flat, turning), premise)


@control("linear_count", dimension=lambda k: 2 * k)
@control("fixed_planes_counted_once", fixed_dimension=lambda k: 2 * k**2)
@proves(COMMUTANT, "suffices", "all multiplicities k >= 1")
def suffices(of: Cocycles) -> Theorem:
    """2 k^2 - 2 k = 2 k (k - 1), and 4 k^2 - 2 k = 2 k (k + (k - 1))."""
    least, equal, fixed_larger = _statement(COMMUTANT, "suffices", of).args
    count = T.node(n)
    below = prove_nonneg(least, 2 * count * (count - 1))
    left, right = equal.args
    iff = T.iff(left, right, prove_identity(right, [left]), prove_identity(left, [right]))
    above = prove_nonneg(fixed_larger, 2 * count * (count + (count - 1)))
    return T.both(below, iff, above)


# ---------------------------------------------------------------------- journey.sum_addresses
_FRAMES_OF_SUMS = {"A_i": "r", "A_i'": "rr", "A_j": "s", "A_j'": "s", "A_k": "1", "a_k": "1"}


@control("wrong_side", _point(**_FRAMES_OF_SUMS), transport=_backwards)
@control("transposed_in_the_same_order", _point(**_FRAMES_OF_SUMS), transposed=lambda a, b: a * b)
@proves(SUM_ADDRESSES, "orthogonal_cocycle", "all d, all orthogonal addresses")
def orthogonal_cocycle(of: Cocycles) -> Theorem:
    """A(k) A(k)^{-1} cancels in the middle; P^T P = A(j)^T A(i) A(i)^T A(j)."""
    return _rewritten(SUM_ADDRESSES, "orthogonal_cocycle", of)


_SHEARS = _point(M="r", N="s")


@control("no_half", _SHEARS, exponential=lambda A: (1, A, A * A))
@control("linear", _SHEARS, exponential=lambda A: (1, A, 0 * A))
@proves(SUM_ADDRESSES, "second_order", "all d, all generators")
def second_order(of: Cocycles) -> Theorem:
    """Expand: A^2/2 - A (A + B) + (A + B)^2/2 - B^2/2 = (B A - A B)/2."""
    constant, first, second = _statement(SUM_ADDRESSES, "second_order", of).args
    return T.both(prove_identity(constant), prove_free(first), prove_free(second))


@control("no_half", _point(M="r", N="rr"), exponential=lambda A: (1, A, A * A))
@proves(SUM_ADDRESSES, "commuting_order", "all d, all generators")
def commuting_order(of: Cocycles) -> Theorem:
    """The coefficient is half the commutator."""
    goal = _statement(SUM_ADDRESSES, "commuting_order", of)
    left, right = goal.args
    return T.iff(left, right, prove_free(right, [left]), prove_free(left, [right]))


@control("second_order_remainder", {"e": 1, "C": 2, "F": 0}, remainder=lambda epsilon: epsilon**2)
@proves(SUM_ADDRESSES, "only_if", "all entries c and constants C > 0")
def only_if(of: Cocycles) -> Theorem:
    """With a = |c| and eps = a / (C + a): C eps^3 < a eps^2, so the defect cannot vanish."""
    premise, goal = _statement(SUM_ADDRESSES, "only_if", of).args
    nonzero, low, high = premise.args
    vanishes = goal.args[0]
    above, below = (T.margin(part) for part in (low, high))
    a, c = T.node(Abs(entry)), T.node(size)
    gap = a**6 * (2 * c * a + a**2) / (c + a) ** 6
    given = [nonzero, low, high, vanishes]
    absurd = prove_nonneg(FALSUM, above * below + gap, given)
    return T.unpack(T.conclude_not(absurd, vanishes), premise)


@control("quadratic_phase", rotation=lambda phi: rotation(phi**2))
@control("not_turned_back", rotation=lambda phi: Matrix([[1, phi], [0, 1]]))
@proves(SUM_ADDRESSES, "planes", "all frequencies and positions, every plane")
def planes(of: Cocycles) -> Theorem:
    """The addition theorems."""
    return prove_identity(_statement(SUM_ADDRESSES, "planes", of))


def _unscaled(phi: Any) -> Square:
    generator = Matrix([[0, -1, 0], [1, 0, -1], [0, 1, 0]])
    return SPACE + generator * sin(phi) + generator * generator * (1 - cos(phi))


@control("axis_not_normalised", about_diagonal=_unscaled)
@proves(SUM_ADDRESSES, "diagonal_turn", "all angles")
def diagonal_turn(of: Cocycles) -> Theorem:
    """K^3 = -2 K and the addition theorems."""
    goal = _statement(SUM_ADDRESSES, "diagonal_turn", of)
    return T.both(*(prove_identity(part) for part in goal.args))


@control("one_axis", about_diagonal=lambda phi: about_x(phi) * about_z(phi))
@control("other_axis", about_z=about_x)
@proves(SUM_ADDRESSES, "not_equivariant", "L_x and L_z of so(3), eps = 1")
def not_equivariant(of: Cocycles) -> Theorem:
    """Balls decide the strict inequalities."""
    return kernel.ground(_statement(SUM_ADDRESSES, "not_equivariant", of))
