"""induct_walks, places, seminorms: words that lead elsewhere, operators that change the norm."""

from __future__ import annotations

import random

import pytest
from flint import fmpq_mat

from posproof.proofs_check import kernel
from posproof.proofs_check.algebra import displacement, place
from posproof.proofs_check.evaluate import displacement as spelt_displacement
from posproof.proofs_check.evaluate import truth
from posproof.proofs_check.kernel import Rejected, establishes
from posproof.proofs_check.language import (
    Eq,
    ForAll,
    Implies,
    Int,
    Le,
    Letter,
    Malformed,
    Node,
    Operator,
    SameContent,
    SamePlace,
    Word,
    append,
    back,
    concat,
    empty,
    isometry,
    journey,
    norm,
    num,
    operator,
    sequence,
    sort,
    step,
    transport,
    unit,
    variable,
)
from posproof.proofs_check.search import Undecided, prove_free, prove_identity
from posproof.proofs_check.translate import node
from posproof.theory import symbols
from posproof.theory.symbols import Variable
from posproof.theory.vocabulary import Mod, Real

a, b = variable("a", Letter), variable("b", Letter)
u, v, w = (variable(name, Word) for name in "uvw")
X, Y = variable("X", Operator), variable("Y", Operator)
TURN = fmpq_mat(2, 2, [0, -1, 1, 0])
SHEAR = fmpq_mat(2, 2, [1, 1, 0, 1])


def spelled(source: random.Random) -> tuple[Node, tuple[str, ...]]:
    """A random word in a, b and their backs, as a tree and spelled out."""
    word, letters = empty, []
    for _ in range(source.randint(0, 6)):
        letter, name = source.choice(((a, "a"), (b, "b")))
        if source.random() < 0.5:
            letter, name = back(letter), "-" + name
        if source.random() < 0.2:
            letter = back(back(letter))
        word = (
            append(word, letter) if source.random() < 0.7 else concat(word, append(empty, letter))
        )
        letters.append(name)
    return word, tuple(letters)


def test_words_that_lead_elsewhere_are_not_accepted(tally) -> None:
    source = random.Random(60)
    point = {a: "a", b: "b"}
    while tally.false_fed < 10_000:
        (left, here), (right, there) = spelled(source), spelled(source)
        same = spelt_displacement(here) == spelt_displacement(there)
        assert (displacement(left) == displacement(right)) is same
        assert (place(left) == place(right)) is same
        assert truth(SamePlace(left, right), point) is same
        try:
            accepted = establishes(kernel.same_place(left, right), SamePlace(left, right))
        except Rejected:
            accepted = False
        if same:
            tally.true_fed += 1
            tally.true_decided += accepted
        else:
            tally.false_fed += 1
            tally.false_accepted += accepted
    assert tally.false_accepted == 0
    assert tally.true_decided == tally.true_fed


def swap(value) -> Node:
    return Eq(value(concat(append(u, a, b), v)), value(concat(append(u, b, a), v)))


def cancel(value) -> Node:
    return Eq(value(concat(append(u, a, back(a)), v)), value(concat(u, v)))


def test_walks_need_a_swap_and_a_cancellation() -> None:
    def value(word: Node) -> Node:
        return transport("T", word, empty)

    trivial = prove_free(Eq(unit, unit))
    with pytest.raises(Rejected, match="one swap"):
        kernel.induct_walks(w, value(w), trivial, trivial)
    # Assumed premises speak of one u, v, a, b, not of all.
    with pytest.raises(Rejected, match="not arbitrary"):
        kernel.induct_walks(w, value(w), kernel.assume(swap(value)), kernel.assume(cancel(value)))


def test_walks_follow_from_universal_swaps_and_cancellations() -> None:
    def value(word: Node) -> Node:
        return journey(word)

    def universal(prop: Node) -> kernel.Theorem:
        theorem = kernel.assume(ForAll((u, v, a, b), prop))
        for name in (u, v, a, b):
            theorem = kernel.instantiate(theorem, name)
        return theorem

    found = kernel.induct_walks(w, value(w), universal(swap(value)), universal(cancel(value)))
    other = found.conclusion.args[0].args[1]
    assert found.conclusion == Implies(SamePlace(w, other), Eq(value(w), value(other)))
    assert len(found.hypotheses) == 2


def test_a_cancellation_of_two_equal_letters_is_refused() -> None:
    def value(word: Node) -> Node:
        return journey(word)

    def universal(prop: Node) -> kernel.Theorem:
        theorem = kernel.assume(ForAll((u, v, a, b), prop))
        for name in (u, v, a, b):
            theorem = kernel.instantiate(theorem, name)
        return theorem

    squares = Eq(value(concat(append(u, a, a), v)), value(concat(u, v)))
    with pytest.raises(Rejected, match="one cancellation"):
        kernel.induct_walks(w, value(w), universal(swap(value)), universal(squares))


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        (operator("T", append(u, a, b)), operator("T", append(u, b, a)), True),
        (operator("T", append(u, a, back(a))), operator("T", u), True),
        (operator("T", append(u, a)), operator("T", append(u, b)), False),
        (operator("T", a), operator("T", b), False),
        (operator("T", back(back(a))), operator("T", a), True),
        (operator("T", a, empty), operator("S", a, empty), False),
        (transport("T", append(empty, a), u), operator("T", a, u), True),
        (transport("T", append(empty, a, b)), transport("T", append(empty, b, a)), False),
        (transport("T", v, append(u, a)), transport("T", v, append(u, b)), False),
        (transport("T", concat(u, v)), transport("T", v, u) @ transport("T", u), False),
        (
            operator("X", num(1) + variable("k", Int(0))),
            operator("X", variable("k", Int(0)) + 1),
            True,
        ),
        (operator("X", variable("k", Int(0))), operator("X", variable("k", Int(0)) + 1), False),
        (step(a) @ X, X @ step(a), False),
        (X - X, Y - Y, True),
    ],
)
def test_what_rewriting_knows_of_operators_at_places(left, right, equal) -> None:
    goal = Eq(left, right)
    if equal:
        assert establishes(prove_free(goal), goal)
    else:
        with pytest.raises(Undecided):
            prove_free(goal)


def test_a_seminorm_is_subadditive_and_0_at_0_and_no_more() -> None:
    assert kernel.seminorm(X, Y).conclusion == Le(norm(X + Y), norm(X) + norm(Y))
    assert prove_identity(Eq(norm(X - X), 0)).conclusion
    for wrong in (Eq(norm(X), norm(Y)), Eq(norm(X @ Y), norm(Y @ X)), Eq(norm(X - Y), 0)):
        with pytest.raises(Undecided):
            prove_identity(wrong)


def test_isometries_are_those_that_keep_the_norm() -> None:
    point = {"step": {"a": TURN}, X: TURN, Y: SHEAR}
    assert truth(isometry(X), point) is True
    assert truth(isometry(Y), point) is False
    assert truth(Eq(norm(X @ Y), norm(Y)), point) is not False
    assert truth(Eq(norm(Y @ Y), norm(Y)), point) is False
    meaning = kernel.keeps_norm(X).conclusion
    assert meaning.args[0] == isometry(X)
    assert meaning.args[1].args[0] != X, "the operator itself must not be captured"


@pytest.mark.parametrize(
    "node",
    [
        back(u),
        operator("T", X),
        operator("T", Eq(u, u)),
        transport("T", a),
        norm(num(1)),
        SamePlace(a, b),
        X + num(1),
        Node("mul", (X, X)),
    ],
)
def test_terms_of_other_sorts_are_refused(node) -> None:
    with pytest.raises(Malformed):
        sort(node)


def test_an_operator_is_no_number_and_a_number_no_operator() -> None:
    real = variable("x", kernel.Real)
    for name, value in ((X, real), (real, X), (a, u), (X, a)):
        with pytest.raises(Rejected):
            kernel.specialise(kernel.assume(Eq(name, name)), {name: value})
    assert kernel.specialise(kernel.assume(Eq(X, X)), {X: step(a) @ Y})
    assert kernel.specialise(kernel.assume(Eq(a, a)), {a: back(b)})


def test_refutations_about_any_operators_keep_their_model() -> None:
    commute = ForAll((X, Y), Eq(X @ Y, Y @ X))
    found = kernel.refute(commute, {"step": {"a": TURN}, X: TURN, Y: SHEAR})
    assert found.hypotheses, "in a commutative ring the statement holds"


def test_words_of_a_given_content_are_all_tried() -> None:
    ends = append(empty, a, a, b)
    same = ForAll(v, Implies(SameContent(v, ends), Eq(journey(v), journey(ends))))
    nilpotent = {
        "a": fmpq_mat(3, 3, [0, 1, 0, 0, 0, 0, 0, 0, 0]),
        "b": fmpq_mat(3, 3, [0, 0, 0, 0, 0, 1, 0, 0, 0]),
    }
    assert truth(same, {"step": nilpotent, a: "a", b: "b"}) is True
    shears = {"a": SHEAR, "b": SHEAR.transpose()}
    assert truth(same, {"step": shears, a: "a", b: "b"}) is False
    longer = append(ends, a, b, a, b)
    open_end = ForAll(v, Implies(SameContent(v, longer), Eq(journey(v), journey(longer))))
    assert truth(open_end, {"step": nilpotent, a: "a", b: "b"}) is None
    assert truth(ForAll(v, Eq(journey(v), journey(v))), {"step": nilpotent}) is None


def test_a_constant_function_needs_no_place_and_a_varying_one_does() -> None:
    everywhere = ForAll((w, a), Eq(operator("T", a, w), operator("T", a, empty)))
    point = {"step": {"a": TURN}}
    assert truth(everywhere, point | {"T": lambda letter, place: TURN}) is True
    moving = point | {"T": lambda letter, place: TURN if place() else SHEAR}
    assert truth(everywhere, moving) is None
    assert truth(everywhere, moving | {w: ("a",)}) is False


def test_values_of_a_sequence_in_a_finite_set_are_values_of_the_set() -> None:
    bit = variable("e", Mod(2))
    square = kernel.exhaust(
        ForAll(bit, Eq(bit * bit, bit)), [kernel.ground(Eq(num(e) * num(e), e)) for e in (0, 1)]
    )
    inside, outside = (sequence("s", num(3), Mod(size)) for size in (2, 3))
    assert kernel.instantiate(square, inside).conclusion == Eq(inside * inside, inside)
    with pytest.raises(Rejected, match="outside the domain"):
        kernel.instantiate(square, outside)


def test_sequences_of_one_name_keep_their_own_domains() -> None:
    """SymPy caches values of functions it holds equal: two claims once shared a sequence."""
    bits, reals = symbols.sequence("w", Mod(2)), symbols.sequence("w")
    for at in (0, Variable("k", Int(0))):
        assert node(bits(at)).args[1] == Mod(2)
        assert node(reals(at)).args[1] == Real
        assert bits(at) != reals(at)
    assert symbols.sequence("w") == reals
