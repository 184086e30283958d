"""Proofs of `theory.journey.paths`: one function a clause, named after it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from flint import fmpq, fmpq_mat

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import (
    And,
    Eq,
    ForAll,
    Implies,
    Letter,
    Node,
    Real,
    Word,
    append,
    back,
    concat,
    empty,
    journey,
    operator,
    step,
    substitute,
    transport,
    unit,
    variable,
    variables,
)
from posproof.proofs_check.search import (
    prove_each,
    prove_free,
    prove_identity,
    prove_order,
)
from posproof.proofs_check.translate import node
from posproof.theory import operators as P
from posproof.theory.journey import paths as theory
from posproof.theory.journey.paths import (
    COMMUTATION,
    FLATNESS,
    PATH_COUNT,
    Paths,
)
from posproof.theory.operators import same_place
from posproof.theory.symbols import Variable, total
from posproof.theory.vocabulary import Claim, Mod, control, proves

a, b, c = (variable(name, Letter) for name in "abc")
u, v, w, x = (variable(name, Word) for name in "uvwx")
ZERO = unit - unit


def reals(names: str) -> tuple[Node, ...]:
    return variables(names, Real)


def free(goal: Node, *lemmas: Theorem) -> Theorem:
    """An equation of operators by rewriting with the conclusions of the lemmas."""
    facts = [fact for lemma in lemmas for fact in conjuncts(lemma)]
    return T.discharge(prove_free(goal, [f.conclusion for f in facts]), *facts)


def conjuncts(theorem: Theorem) -> list[Theorem]:
    return T.parts(theorem) if theorem.conclusion.head == "and" else [theorem]


def through(middle: Node, left: Theorem, right: Theorem) -> Theorem:
    """x = y from middle = x and middle = y."""
    goal = Eq(left.conclusion.args[1], right.conclusion.args[1])
    facts = [left.conclusion, right.conclusion]
    assert {f.args[0] for f in facts} == {middle}
    certificate = [(-Fraction(1), (), 0, ()), (Fraction(1), (), 1, ())]
    return T.discharge(kernel.free_identity(goal, facts, certificate), left, right)


def by_words(word: Node, statement: Node, *lemmas: Theorem) -> Theorem:
    """An equation for every word: rewriting decides the empty word and one more letter."""
    letter = variable("l", Letter)
    base = free(substitute(statement, {word: empty}), *lemmas)
    grown = substitute(statement, {word: append(word, letter)})
    return kernel.induct_words(
        word, letter, statement, base, free(grown, kernel.assume(statement), *lemmas)
    )


@lru_cache
def joined_fixed() -> Theorem:
    """for all u, v: J(u v) = J(v) J(u)."""
    return T.generalise(by_words(v, Eq(journey(concat(u, v)), journey(v) @ journey(u))), u, v)


@lru_cache
def joined_stored() -> Theorem:
    """for all u, v, x: J(u v; x) = J(v; x u) J(u; x)."""
    later, first = transport("T", v, concat(x, u)), transport("T", u, x)
    statement = Eq(transport("T", concat(u, v), x), later @ first)
    return T.generalise(by_words(v, statement), u, v, x)


def swapped(
    value: Callable[[Node], Node], joined: Callable[[Node], Theorem], *facts: Theorem
) -> Theorem:
    """value(u a b v) = value(u b a v), when one square closes."""
    rising, falling = append(u, a, b), append(u, b, a)
    goal = Eq(value(concat(rising, v)), value(concat(falling, v)))
    return free(goal, joined(rising), joined(falling), *facts)


def rearranged(commute: Theorem) -> Theorem:
    """for all w ~ w': J(w) = J(w'), from T_a T_b = T_b T_a."""
    swap = swapped(journey, lambda first: T.apply(joined_fixed(), [first, v]), commute)
    moved = kernel.induct_swaps(w, journey(w), swap)
    return T.generalise(moved, w, moved.conclusion.args[0].args[1])


def fermions() -> dict[str, fmpq_mat]:
    """Two anticommuting matrices of square zero."""
    raising, sign = [[0, 0], [1, 0]], [[1, 0], [0, -1]]
    one = [[1, 0], [0, 1]]
    return {"a": kronecker(raising, one), "b": kronecker(sign, raising)}


def kronecker(left: list[list[int]], right: list[list[int]]) -> fmpq_mat:
    rows = [[x * y for x in r for y in s] for r in left for s in right]
    return fmpq_mat(len(rows), len(rows), [x for row in rows for x in row])


def anticommutator(left: Any, right: Any) -> Any:
    return left @ right + right @ left


FERMIONS = {"step": fermions(), "v": ("a", "b"), "w": ("b", "a")}
DIAGONAL = {"a": fmpq_mat(2, 2, [1, 0, 0, 2]), "b": fmpq_mat(2, 2, [3, 0, 0, 1])}
ROTATIONS = {
    "a": fmpq_mat(2, 2, [0, -1, 1, 0]),
    "-a": fmpq_mat(2, 2, [0, 1, -1, 0]),
    "b": fmpq_mat(2, 2, [1, 0, 0, -1]),
    "-b": fmpq_mat(2, 2, [1, 0, 0, -1]),
}
#: E_12 and E_23.
NILPOTENT = {
    "a": fmpq_mat(3, 3, [0, 1, 0, 0, 0, 0, 0, 0, 0]),
    "b": fmpq_mat(3, 3, [0, 0, 0, 0, 0, 1, 0, 0, 0]),
}
#: Commuting operators; a step back undoes nothing.
FORGETFUL = {"a": DIAGONAL["a"], "-a": DIAGONAL["a"], "b": DIAGONAL["b"], "-b": DIAGONAL["b"]}


# ---------------------------------------------------------------------- journey.commutation
@control(
    "words_of_equal_displacement",
    {"step": FORGETFUL, "v": ("a", "-a"), "w": ()},
    same_words=same_place,
)
@proves(COMMUTATION, "squares")
def squares(of: Paths) -> Theorem:
    """The two-letter words are rearrangements of each other; bubble sort does the rest."""
    independent, small = node(of.independent()), node(T.stated(COMMUTATION, "squares", of)).args[1]
    forward = two_letters(of)
    square = T.apply(kernel.assume(small), [a, b])
    commute = free(Eq(step(a) @ step(b), step(b) @ step(a)), square)
    return T.iff(independent, small, T.generalise(forward, a, b), rearranged(commute))


def two_letters(of: Paths) -> Theorem:
    """J(a b) = J(b a), if rearranged words have equal products."""
    rising, falling = append(empty, a, b), append(empty, b, a)
    independent = kernel.assume(node(of.independent()))
    return T.apply(independent, [rising, falling], kernel.same_content(rising, falling))


@control("anticommuting", FERMIONS, commutator=anticommutator)
@control(
    "words_of_equal_displacement",
    {"step": FORGETFUL, "v": ("a", "-a"), "w": ()},
    same_words=same_place,
)
@proves(COMMUTATION, "commuting")
def commuting(of: Paths) -> Theorem:
    """u b a v - u a b v = J(v) [T_a, T_b] J(u)."""
    independent, commute = node(of.independent()), node(of.commute())
    forward = T.generalise(free(commutes(of), two_letters(of)), a, b)
    pair = free(Eq(step(a) @ step(b), step(b) @ step(a)), T.apply(kernel.assume(commute), [a, b]))
    return T.iff(independent, commute, forward, rearranged(pair))


def commutes(of: Paths) -> Node:
    """[T_a, T_b] = 0 for the letters a and b."""
    return Eq(node(of.commutator(P.step(theory.a), P.step(theory.b))), ZERO)


@control(
    "anticommuting",
    FERMIONS | {"u": ("a",), "v": ("b",), "w": ("b", "a")},
    commutator=anticommutator,
)
@proves(COMMUTATION, "reordered")
def reordered(of: Paths) -> Theorem:
    """Rearrange w into u v, then J(u v) = J(v) J(u)."""
    commute = node(of.commute())
    pair = free(Eq(step(a) @ step(b), step(b) @ step(a)), T.apply(kernel.assume(commute), [a, b]))
    same = node(of.same_words(theory.w, P.concat(theory.u, theory.v)))
    moved = T.apply(rearranged(pair), [w, concat(u, v)], kernel.assume(same))
    split = T.apply(joined_fixed(), [u, v])
    proof = free(Eq(journey(w), journey(v) @ journey(u)), moved, split)
    return T.implication(T.generalise(T.implication(proof, same), u, v, w), commute)


@control(
    "equal_instead_of_commuting",
    {"step": ROTATIONS, "a": "a", "b": "a", "c": "-a"},
    commutator=lambda left, right: left - right,
)
@proves(COMMUTATION, "inverses_commute")
def inverses_commute(of: Paths) -> Theorem:
    """T_c T_b = T_c (T_b T_a) T_c = T_c (T_a T_b) T_c = T_b T_c."""
    inverse = kernel.assume(And(Eq(step(c) @ step(a), unit), Eq(step(a) @ step(c), unit)))
    known = kernel.assume(commutes(of))
    between = step(c) @ step(b) @ step(a) @ step(c)
    first = free(Eq(between, step(c) @ step(b)), inverse)
    swap = free(Eq(step(b) @ step(a), step(a) @ step(b)), known)
    second = free(Eq(between, step(c) @ step(a) @ step(b) @ step(c)), swap)
    third = free(Eq(step(c) @ step(a) @ step(b) @ step(c), step(b) @ step(c)), inverse)
    second = free(Eq(between, step(b) @ step(c)), second, third)
    equal = through(between, first, second)
    goal = Eq(node(of.commutator(P.step(theory.c), P.step(theory.b))), ZERO)
    return T.implication(free(goal, equal), inverse.conclusion, known.conclusion)


def commuting_pair(of: Paths) -> Theorem:
    """T_a T_b = T_b T_a, if all commutators vanish."""
    known = T.apply(kernel.assume(node(of.commute())), [a, b])
    return free(Eq(step(a) @ step(b), step(b) @ step(a)), known)


def undone_fixed(of: Paths) -> Theorem:
    """T_{back a} T_a = 1, if each step is undone by the step back."""
    return T.apply(kernel.assume(node(of.undone())), [a])


def displaced(commute: Theorem, undone: Theorem) -> Theorem:
    """for all w, w' of equal displacement: J(w) = J(w')."""
    swap = swapped(journey, lambda first: T.apply(joined_fixed(), [first, v]), commute)
    turned = append(u, a, back(a))
    goal = Eq(journey(concat(turned, v)), journey(concat(u, v)))
    cancel = free(goal, *(T.apply(joined_fixed(), [first, v]) for first in (turned, u)), undone)
    moved = kernel.induct_walks(w, journey(w), swap, cancel)
    return T.generalise(moved, w, moved.conclusion.args[0].args[1])


@control("without_inverses", {"step": FORGETFUL, "v": ("a", "-a"), "w": ()}, needs_inverse=False)
@proves(COMMUTATION, "walks")
def walks(of: Paths) -> Theorem:
    """A step and its back cancel once they are neighbours."""
    undone = node(of.undone())
    commute, same = node(T.stated(COMMUTATION, "walks", of)).args[1].args
    backward = displaced(commuting_pair(of), undone_fixed(of))
    rising, falling = append(empty, a, b), append(empty, b, a)
    square = T.apply(kernel.assume(same), [rising, falling], kernel.same_place(rising, falling))
    forward = T.generalise(free(commutes(of), square), a, b)
    return T.implication(T.iff(commute, same, backward, forward), undone)


@control("without_inverses", {"step": FORGETFUL, "w": ("a", "-a")}, needs_inverse=False)
@proves(COMMUTATION, "closed_walks")
def closed_walks(of: Paths) -> Theorem:
    """The walk a b back(a) back(b) is closed: T_b^-1 T_a^-1 T_b T_a = 1."""
    undone = node(of.undone())
    commute, home = node(T.stated(COMMUTATION, "closed_walks", of)).args[1].args
    moved = displaced(commuting_pair(of), undone_fixed(of))
    closed = T.apply(moved, [w, empty], kernel.assume(home.args[1].args[0]))
    backward = T.implication(free(home.args[1].args[1], closed), home.args[1].args[0])

    loop = append(empty, a, b, back(a), back(b))
    square = T.apply(kernel.assume(home), [loop], kernel.same_place(loop, empty))
    inverses = [T.apply(kernel.assume(undone), [back(letter)]) for letter in (a, b)]
    whole = step(a) @ step(b) @ journey(loop)
    left = free(Eq(whole, step(a) @ step(b)), free(Eq(journey(loop), unit), square))
    equal = free(commutes(of), through(whole, left, free(Eq(whole, step(b) @ step(a)), *inverses)))
    forward = T.generalise(equal, a, b)
    proof = T.iff(commute, home, T.generalise(backward, w), forward)
    return T.implication(proof, undone)


def returning(undone: Callable[[Node], Theorem]) -> Theorem:
    """for all u there is v: J(u) J(v) = 1."""
    letter = variable("l", Letter)
    statement = T.Exists(v, Eq(journey(u) @ journey(v), unit))
    base = T.exists(substitute(statement, {u: empty}), empty, lambda goal: free(goal))
    home = concat(append(empty, back(letter)), v)
    known = kernel.assume(T.body_of(statement, v))
    split = T.apply(joined_fixed(), [append(empty, back(letter)), v])

    def longer(goal: Node) -> Theorem:
        return free(goal, split, known, undone(back(letter)))

    step_ = T.exists(substitute(statement, {u: append(u, letter)}), home, longer)
    step_ = T.obtain(kernel.assume(statement), v, step_)
    return T.generalise(kernel.induct_words(u, letter, statement, base, step_), u)


@control(
    "without_inverses", {"step": NILPOTENT, "a": "a", "b": "b", "u": ("a",)}, needs_inverse=False
)
@proves(COMMUTATION, "one_endpoint")
def one_endpoint(of: Paths) -> Theorem:
    """J(u a b) = J(u b a), and J(u) has a right inverse J(v)."""
    undone = node(of.undone())
    premise, conclusion = node(T.stated(COMMUTATION, "one_endpoint", of).body).args
    rising, falling = append(u, a, b), append(u, b, a)
    agree = kernel.assume(premise.args[1])
    ends = T.both(kernel.same_content(rising, rising), kernel.same_content(falling, rising))
    equal = T.apply(agree, [rising, falling], ends)
    back_home = T.apply(returning(lambda at: T.apply(kernel.assume(undone), [at])), [u])
    known = kernel.assume(T.body(back_home, v))
    middle = journey(rising) @ journey(v)
    left = free(Eq(middle, step(b) @ step(a)), known)
    other = free(Eq(middle, journey(falling) @ journey(v)), equal)
    right = free(Eq(journey(falling) @ journey(v), step(a) @ step(b)), known)
    proof = free(
        conclusion, through(middle, left, free(Eq(middle, step(a) @ step(b)), other, right))
    )
    proof = T.obtain(back_home, v, proof)
    return T.generalise(T.implication(T.unpack(proof, premise), premise), a, b, u)


@control("commuting_units", matrix_unit=lambda _, column: theory.matrix_unit(1, column))
@proves(COMMUTATION, "singular")
def singular(of: Paths) -> Theorem:
    """Multiplied out."""
    return evaluated(COMMUTATION, "singular", of)


@control("about_one_axis", turn_about=lambda axis, half: theory.turn_about(3, half))
@proves(COMMUTATION, "all_different")
def all_different(of: Paths) -> Theorem:
    """Multiplied out: the 190 pairs differ."""
    return evaluated(COMMUTATION, "all_different", of)


def evaluated(claim: Claim, clause: str, of: Any) -> Theorem:
    """A statement about explicit numbers, part by part."""
    parts = node(T.stated(claim, clause, of))
    return kernel.conjunction(*(kernel.ground(part) for part in parts.args))


# ---------------------------------------------------------------------- journey.flatness
@dataclass(frozen=True)
class Everywhere:
    """Operators that are the same at every place, by letter; without letters a single one."""

    values: Mapping[str, fmpq_mat]

    def __call__(self, *at: Callable[[], Any]) -> fmpq_mat:
        return self.values[at[0]()] if len(self.values) > 1 else self.values["1"]

    def __str__(self) -> str:
        return "the same everywhere: " + ", ".join(
            f"{letter} -> {value.tolist()}" for letter, value in self.values.items()
        )


ONE = fmpq_mat(2, 2, [1, 0, 0, 1])
SHEAR = fmpq_mat(2, 2, [1, 1, 0, 1])


def summed_plaquette(T: Callable[..., Any], a: Any, b: Any, x: Any) -> Any:
    """A wrong sign: the two ways round added."""
    wa, wb = P.append(x, a), P.append(x, b)
    return T(b, wa) @ T(a, x) + T(a, wb) @ T(b, x)


def plaquette_at_departure(T: Callable[..., Any], a: Any, b: Any, x: Any) -> Any:
    """A wrong place: both operators read at x."""
    return T(b, x) @ T(a, x) - T(a, x) @ T(b, x)


def summed_at_arrival(T: Callable[..., Any], a: Any, b: Any, x: Any) -> Any:
    corner = P.append(x, a, b)
    return T(b, corner) @ T(a, P.append(x, a)) + T(a, corner) @ T(b, P.append(x, b))


def walked(word: Node) -> Node:
    return transport("T", word, x)


def joined_from(first: Node) -> Theorem:
    """J(first v; x) = J(v; x first) J(first; x)."""
    return T.apply(joined_stored(), [first, v, x])


def stored(a: Node, at: Node) -> Node:
    return operator("T", a, at)


def square_closes(of: Paths) -> Theorem:
    """T_b(x u a) T_a(x u) = T_a(x u b) T_b(x u), if the field is flat."""
    at = concat(x, u)
    return T.apply(kernel.assume(node(of.flat(theory.T))), [at, a, b])


def rearranged_from(square: Theorem, *facts: Theorem) -> Theorem:
    """for all x, w ~ w': J(w; x) = J(w'; x)."""
    moved = kernel.induct_swaps(w, walked(w), swapped(walked, joined_from, square, *facts))
    return T.generalise(moved, x, w, moved.conclusion.args[0].args[1])


def two_ways(of: Paths) -> Theorem:
    """J(a b; x) = J(b a; x), if rearranged words have equal products."""
    rising, falling = append(empty, a, b), append(empty, b, a)
    independent = kernel.assume(node(of.path_independent(theory.J)))
    return T.apply(independent, [x, rising, falling], kernel.same_content(rising, falling))


def closed_square(square: Callable[..., Any], field: Any) -> Node:
    return Eq(node(square(field, theory.a, theory.b, theory.x)), ZERO)


SUMMED = {"step": fermions(), "T": Everywhere(fermions()), "S": Everywhere(fermions())}
SUMMED |= {"x": (), "v": ("a", "b"), "w": ("b", "a")}


@control("ways_round_added", SUMMED, plaquette=summed_plaquette)
@proves(FLATNESS, "flat_squares")
def flat_squares(of: Paths) -> Theorem:
    """J(u a b v; x) - J(u b a v; x) = J(v; x u a b) F_ab(x u) J(u; x)."""
    flat, independent = node(T.stated(FLATNESS, "flat_squares", of)).args
    backward = T.generalise(free(closed_square(of.plaquette, theory.T), two_ways(of)), x, a, b)
    return T.iff(flat, independent, rearranged_from(square_closes(of)), backward)


TRIVIAL: dict[str, Any] = {"step": {"a": ONE, "b": ONE}, "x": (), "a": "a", "b": "b", "w": ()}
TRIVIAL |= {name: Everywhere({"1": ONE}) for name in ("T", "g", "h")}


@control("ways_round_added", TRIVIAL, plaquette=summed_plaquette)
@proves(FLATNESS, "gauge_field")
def gauge_field(of: Paths) -> Theorem:
    """Neighbouring g(x)^-1 g(x) cancel along the path."""
    premise, conclusion = node(T.stated(FLATNESS, "gauge_field", of)).args
    inverse, pure = (kernel.assume(part) for part in premise.args)
    letter = variable("l", Letter)
    here = concat(x, w)
    lemmas = [T.apply(inverse, [at]) for at in (x, here)]
    lemmas.append(T.apply(pure, [letter, here]))
    ends = by_words(w, conclusion.args[1].args[1].args[1], *lemmas)
    edges = [(a, x), (b, append(x, a)), (b, x), (a, append(x, b))]
    known = [T.apply(pure, [letter, at]) for letter, at in edges]
    known += [T.apply(inverse, [append(x, letter)]) for letter in (a, b)]
    square = free(closed_square(of.plaquette, theory.T), *known)
    proof = T.both(T.generalise(square, x, a, b), T.generalise(ends, w, x))
    return T.implication(T.unpack(proof, premise), premise)


def undone_stored(of: Paths) -> Theorem:
    return kernel.assume(node(theory.undone_field(of)))


def displaced_from(square: Theorem, undone: Theorem) -> Theorem:
    """for all v, w, x, v and w of equal displacement: J(v; x) = J(w; x)."""
    swap = swapped(walked, joined_from, square)
    turned = append(u, a, back(a))
    goal = Eq(walked(concat(turned, v)), walked(concat(u, v)))
    undone = T.apply(undone, [a, concat(x, u)])
    cancel = free(goal, joined_from(turned), joined_from(u), undone)
    moved = kernel.induct_walks(w, walked(w), swap, cancel)
    return T.generalise(moved, w, moved.conclusion.args[0].args[1], x)


LOSSY = {"step": FORGETFUL, "T": Everywhere(FORGETFUL), "x": (), "u": ()}


@control("without_inverses", LOSSY | {"v": ("a", "-a"), "w": ()}, needs_inverse=False)
@proves(FLATNESS, "any_walk")
def any_walk(of: Paths) -> Theorem:
    """A step and its back cancel once they are neighbours."""
    premise, equivalence = node(T.stated(FLATNESS, "any_walk", of)).args
    flat, same = equivalence.args
    forward = displaced_from(square_closes(of), undone_stored(of))
    rising, falling = append(empty, a, b), append(empty, b, a)
    ways = T.apply(kernel.assume(same), [rising, falling, x], kernel.same_place(rising, falling))
    backward = T.generalise(free(closed_square(of.plaquette, theory.T), ways), x, a, b)
    return T.implication(T.iff(flat, same, forward, backward), premise)


def returning_from(of: Paths) -> Theorem:
    """for all w there is r: J(w) J(r; w) = 1."""
    letter, r = variable("l", Letter), variable("r", Word)
    statement = T.Exists(r, Eq(transport("T", w) @ transport("T", r, w), unit))
    base = T.exists(substitute(statement, {w: empty}), empty, lambda goal: free(goal))
    grown, turn = append(w, letter), append(empty, back(letter))
    known = kernel.assume(T.body_of(statement, r))
    split = T.apply(joined_stored(), [turn, r, grown])
    undone = T.apply(undone_stored(of), [back(letter), grown])
    longer = T.exists(
        substitute(statement, {w: grown}),
        concat(turn, r),
        lambda goal: free(goal, split, known, undone),
    )
    longer = T.obtain(kernel.assume(statement), r, longer)
    return T.generalise(kernel.induct_words(w, letter, statement, base, longer), w)


@control("without_inverses", LOSSY | {"w": ("a",), "v": ("-a",)}, needs_inverse=False)
@proves(FLATNESS, "potential_exists")
def potential_exists(of: Paths) -> Theorem:
    """A way back is a left inverse of J(w); some way back is a right inverse; so they are equal."""
    premise, claim = node(T.stated(FLATNESS, "potential_exists", of)).args
    returns, conclusion = claim.args[1].args[1].args[1].args
    home = kernel.assume(returns)
    moved = displaced_from(square_closes(of), undone_stored(of))
    closed = T.apply(moved, [concat(w, v), empty, empty], home)
    whole = T.apply(joined_stored(), [w, v, empty])
    there, back_again = transport("T", w), transport("T", v, w)
    left = free(Eq(back_again @ there, unit), through(transport("T", concat(w, v)), whole, closed))

    r = variable("r", Word)
    existence = T.apply(returning_from(of), [w])
    some = kernel.assume(T.body(existence, r))
    other = transport("T", r, w)
    middle = back_again @ there @ other
    equal = through(middle, free(Eq(middle, other), left), free(Eq(middle, back_again), some))
    right = free(Eq(there @ back_again, unit), free(Eq(back_again, other), equal), some)
    right = T.obtain(existence, r, right)

    longer = T.apply(joined_stored(), [w, u, empty])
    ends = free(conclusion.args[1], longer, right)
    proof = T.implication(T.both(T.both(left, right), ends), returns)
    return T.implication(T.unpack(T.generalise(proof, u, v, w), premise), premise)


@control("ways_round_added", SUMMED, arrival_plaquette=summed_at_arrival)
@proves(FLATNESS, "arrival")
def arrival(of: Paths) -> Theorem:
    """A step stored where it arrives is stored where it departs, one edge earlier."""
    premise, equivalence = node(T.stated(FLATNESS, "arrival", of)).args
    closes, independent = equivalence.args
    at = concat(x, u)
    known = kernel.assume(premise)

    def edges(at: Node) -> list[Theorem]:
        steps = [(a, at), (b, append(at, a)), (b, at), (a, append(at, b))]
        return [T.apply(known, [letter, place]) for letter, place in steps]

    square = T.apply(kernel.assume(closes), [at, a, b])
    forward = rearranged_from(square, *edges(at))
    turned = [free(Eq(*reversed(e.conclusion.args)), e) for e in edges(x)]
    backward = free(closed_square(of.arrival_plaquette, theory.S), two_ways(of), *turned)
    proof = T.iff(closes, independent, forward, T.generalise(backward, x, a, b))
    return T.implication(proof, premise)


TWISTED = {"step": DIAGONAL, "T": Everywhere(DIAGONAL), "x": (), "a": "a", "b": "b", "P": SHEAR}


@control("both_at_departure", TWISTED, plaquette=plaquette_at_departure)
@proves(FLATNESS, "one_edge")
def one_edge(of: Paths) -> Theorem:
    """The closed square minus the open one leaves T_b T_a (P - 1)."""
    closed, open_by = node(T.stated(FLATNESS, "one_edge", of).body).args
    proof = T.implication(free(open_by, kernel.assume(closed)), closed)
    return T.generalise(proof, a, b, x, node(theory.P))


# ---------------------------------------------------------------------- journey.path_count
k, n, p, q = (T.natural(name) for name in "knpq")
letter_at = node(theory.letters(theory.k))


def letters(at: Node) -> Node:
    """The letter at a position: 0 or 1."""
    return substitute(letter_at, {k: at})


@dataclass(frozen=True)
class Factorials:
    """The sequence of the factorials."""

    def __call__(self, at: fmpq) -> fmpq:
        return fmpq(math.factorial(int(at.p)))

    def __str__(self) -> str:
        return "k -> k!"


@control(
    "denominator_forgotten",
    {"x0": 1, "x1": 1, "factorial": Factorials()},
    multinomial=lambda factorial, counts: factorial(sum(counts)),
)
@proves(PATH_COUNT, "counted", "1 to 4 axes, all contents")
def counted(of: Paths) -> Theorem:
    """x_a! = x_a (x_a - 1)!, so the terms of the sum are x_a / (x_1 + x_2 + ...) of the whole."""
    first, *recursions = node(T.stated(PATH_COUNT, "counted", of)).args
    one, value = first.args
    proofs = [T.implication(prove_identity(value, [one]), one)]
    for axes, recursion in enumerate(recursions, 1):
        counts = [T.natural(f"x{axis}", 1) for axis in range(axes)]
        for _ in counts:
            recursion = recursion.args[1]
        premise, claims = recursion.args
        one, grows = T.parts(kernel.assume(premise))
        whole = sum(counts[1:], counts[0])
        known = [one]
        for count in (*counts, whole):
            step_ = kernel.instantiate(grows, count - 1)
            inside = prove_order(step_.conclusion.args[0])
            known.append(kernel.modus(step_, inside))
        both = T.both(*(given(part, *known) for part in claims.args))
        proofs.append(T.generalise(T.implication(both, premise), *counts))
    return T.both(*proofs)


@dataclass(frozen=True)
class Spelled:
    """A word of zeros and ones, continued by zeros."""

    word: str

    def __call__(self, at: fmpq) -> fmpq:
        return fmpq(int((self.word + "0")[min(int(at.p), len(self.word))]))

    def __str__(self) -> str:
        return self.word + "000..."


def falling(letters: Callable[[Any], Any], n: Any) -> Any:
    """Pairs in order instead of pairs out of order."""
    j, k = theory.j, theory.k
    return total(j, n, letters(j) * total(k, j, 1 - letters(k)))


@control("pairs_in_order", {"n": 1, "w": Spelled("01")}, inversions=falling)
@proves(PATH_COUNT, "joined")
def joined(of: Paths) -> Theorem:
    """One more letter adds its count, and the earlier second letters if it is a first."""
    return T.generalise(prove_identity(node(T.stated(PATH_COUNT, "joined", of)).args[1]), n)


@control(
    "areas_subtracted",
    heisenberg=lambda first, second, area: theory.heisenberg(first, -second, area),
)
@proves(PATH_COUNT, "one_square")
def one_square(of: Paths) -> Theorem:
    """Multiplied out: the two products differ by E_13."""
    return prove_each(T.stated(PATH_COUNT, "one_square", of), prove_identity)


SECOND_FIRST = {"n": 2, "w": Spelled("01")}


@lru_cache
def two_values() -> Theorem:
    """for all w in {0, 1}: 0 <= w <= 1 and w (1 - w) = 0."""
    e = node(Variable("e", Mod(2)))
    goal = And(T.Le(T.num(0), e), T.Le(e, T.num(1)), Eq(e * (1 - e), 0))
    values = (kernel.ground(substitute(goal, {e: T.num(value)})) for value in (0, 1))
    return kernel.exhaust(ForAll(e, goal), list(values))


def facts_of(at: Node) -> list[Theorem]:
    """What being 0 or 1 means for the letter at a position."""
    return T.parts(kernel.instantiate(two_values(), letters(at)))


def seconds(n: Node) -> Node:
    return substitute(node(theory.letter_sum(theory.letters, theory.n)), {T.natural("n"): n})


def area_below(of: Paths, at: Node) -> Node:
    return substitute(node(of.inversions(theory.letters, theory.n)), {T.natural("n"): at})


@control("pairs_in_order", {"n": 2, "w": Spelled("01")}, inversions=falling)
@proves(PATH_COUNT, "no_descent")
def no_descent(of: Paths) -> Theorem:
    """Without a descent no first letter has a second letter before it."""
    rising, conclusion = node(T.stated(PATH_COUNT, "no_descent", of)).args[1].args
    m = T.natural("m")
    idle, empty_so_far = Eq((1 - letters(m)) * seconds(m), 0), Eq(area_below(of, m), 0)
    before, upto = T.Lt(m, n), T.Le(m, n)
    statement = And(Implies(before, idle), Implies(upto, empty_so_far))
    start = T.instance(statement, m, 0)
    base = T.both(*(T.implication(prove_identity(q.args[1]), q.args[0]) for q in start.args))

    grown = T.instance(statement, m, m + 1)
    known = T.parts(kernel.assume(statement))
    idle_here, empty_here = (
        kernel.modus(known[0], prove_order(before, [grown.args[1].args[0]])),
        kernel.modus(known[1], prove_order(upto, [grown.args[1].args[0]])),
    )
    added = given(grown.args[1].args[1], idle_here, empty_here)
    inside = grown.args[0].args[0]
    idle_before = kernel.modus(known[0], prove_order(before, [inside]))
    square = kernel.instantiate(kernel.assume(rising), m)
    square = kernel.modus(square, prove_order(square.conclusion.args[0], [inside]))
    idle_next = given(grown.args[0].args[1], idle_before, square)
    step_ = T.both(T.implication(idle_next, inside), T.implication(added, grown.args[1].args[0]))
    held = kernel.specialise(kernel.induct(m, statement, base, step_), {m: n})
    proof = kernel.modus(T.parts(held)[1], prove_order(T.Le(n, n)))
    return T.generalise(T.implication(proof, rising), n)


def given(goal: Node, *lemmas: Theorem) -> Theorem:
    """An equation of numbers from the lemmas."""
    return T.discharge(prove_identity(goal, [lemma.conclusion for lemma in lemmas]), *lemmas)


def bounded(goal: Node, *lemmas: Theorem, hints: Sequence[Node] = ()) -> Theorem:
    """An inequality from the lemmas."""
    return T.discharge(prove_order(goal, [lemma.conclusion for lemma in lemmas], hints), *lemmas)


def counted_from_zero(goal: Node, proved: Callable[[Node], Theorem]) -> Theorem:
    """goal(n) for all n: `proved` shows goal(0) and, knowing goal(n), goal(n + 1)."""
    base = proved(T.instance(goal, n, 0))
    return kernel.induct(n, goal, base, proved(T.instance(goal, n, n + 1)))


@control(
    "pairs_counted_twice",
    {"n": 2, "w": Spelled("10")},
    inversions=lambda letters, n: 2 * theory.inversions(letters, n),
)
@proves(PATH_COUNT, "largest")
def largest(of: Paths) -> Theorem:
    """A first letter adds the second letters before it; a second letter leaves room for more."""
    few, many = T.Le(T.num(0), seconds(n)), T.Le(seconds(n), n)
    low, high = node(T.stated(PATH_COUNT, "largest", of)).args[1].args
    letter = facts_of(n)
    claims = (few, many, low, high)
    known = [kernel.assume(claim) for claim in claims]
    base = [prove_order(T.instance(claim, n, 0)) for claim in claims]
    grown = [T.instance(claim, n, n + 1) for claim in claims]
    steps = [
        bounded(grown[0], known[0], letter[0]),
        bounded(grown[1], known[1], letter[1]),
        bounded(grown[2], known[0], known[2], letter[1]),
        bounded(grown[3], known[1], known[3], *letter),
    ]
    whole = And(*claims)
    held = kernel.induct(n, whole, T.both(*base), T.unpack(T.both(*steps), whole))
    return T.generalise(T.both(*T.parts(held)[2:]), n)


@control("pairs_in_order", {"p": 1, "q": 1, "w": Spelled("10")}, inversions=falling)
@proves(PATH_COUNT, "attained")
def attained(of: Paths) -> Theorem:
    """Each of the p first letters has all q second letters before it."""
    premise, conclusion = node(T.stated(PATH_COUNT, "attained", of)).args[1].args[1].args
    ones, zeros = T.parts(kernel.assume(premise))
    below = T.Lt(k, q)
    one = T.apply(ones, [k], kernel.assume(below))
    full = kernel.sum_congruence(one, k, q)
    full = given(Eq(seconds(q), q), full)
    nothing = given(Eq((1 - letters(k)) * seconds(k), 0), one)
    flat = given(Eq(area_below(of, q), 0), kernel.sum_congruence(nothing, k, q))
    m = T.natural("m")
    many, area = Eq(seconds(q + m), q), Eq(area_below(of, q + m), m * q)
    base = T.both(given(T.instance(many, m, 0), full), given(T.instance(area, m, 0), flat))
    inside = T.Le(m, p)
    statement = Implies(inside, And(many, area))
    more, grown = T.instance(statement, m, m + 1).args
    zero = kernel.instantiate(zeros, q + m)
    places = zero.conclusion.args[0].args
    zero = kernel.modus(zero, T.both(*(prove_order(place, [more]) for place in places)))
    known = T.parts(kernel.modus(kernel.assume(statement), prove_order(inside, [more])))
    step_ = T.both(*(given(part, *known, zero) for part in grown.args))
    start = T.instance(statement, m, 0).args[0]
    held = kernel.induct(m, statement, T.implication(base, start), T.implication(step_, more))
    held = kernel.modus(kernel.specialise(held, {m: p}), prove_order(T.Le(p, p)))
    return T.generalise(T.implication(given(conclusion, T.parts(held)[1]), premise), p, q)
