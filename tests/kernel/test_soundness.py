"""Ways in which the kernel was once wrong, each as a test of its whole kind."""

from __future__ import annotations

import copy
from dataclasses import replace
from types import SimpleNamespace

import pytest
from flint import arb, fmpq, fmpq_mat
from statements import k, n, x, y, z

from posproof.proofs_check import kernel
from posproof.proofs_check.evaluate import falsifies, truth
from posproof.proofs_check.kernel import Rejected, Theorem, establishes
from posproof.proofs_check.language import (
    FALSUM,
    And,
    Domain,
    Eq,
    Exists,
    ForAll,
    Implies,
    Int,
    Integer,
    Le,
    Letter,
    Lt,
    Ne,
    Node,
    Not,
    Or,
    Real,
    append,
    cos,
    empty,
    journey,
    matrix,
    num,
    sequence,
    step,
    substitute,
    total,
    variable,
)
from posproof.proofs_check.search import Undecided, prove_identity
from posproof.theory.vocabulary import Box, Finite, Positive


# ---------------------------------------------------------------------- forged theorems
def test_theorems_cannot_be_built_copied_or_subclassed() -> None:
    honest = kernel.assume(Eq(x, x))
    with pytest.raises(Rejected):
        Theorem((), FALSUM, frozenset(), "identity", ())
    with pytest.raises((Rejected, ValueError)):
        replace(honest, hypotheses=(), conclusion=FALSUM)
    with pytest.raises(Rejected):
        type("Fake", (Theorem,), {})


def look_alikes() -> list:
    blank = object.__new__(Theorem)
    for name, value in [
        ("hypotheses", ()),
        ("conclusion", FALSUM),
        ("trusts", frozenset()),
        ("rule", "identity"),
        ("premises", ()),
        ("detail", None),
    ]:
        object.__setattr__(blank, name, value)
    fake = SimpleNamespace(hypotheses=(), conclusion=FALSUM, trusts=frozenset(), premises=())
    return [blank, fake, copy.copy(kernel.assume(FALSUM))]


@pytest.mark.parametrize("forged", look_alikes(), ids=["blank", "look-alike", "copy"])
def test_no_rule_takes_a_forged_premise(forged) -> None:
    assert not establishes(forged, FALSUM)
    with pytest.raises(Rejected):
        kernel.generalise(forged, x)
    with pytest.raises(Rejected):
        kernel.conjunction(forged)
    with pytest.raises(Rejected):
        kernel.absurd(forged, Eq(x, y))


# ---------------------------------------------------------------------- what is not of the language
a = variable("a", Letter)
ROW = matrix([[x, y]])
MALFORMED = [
    Eq(Node("sum", (variable("i", Int(1)), num(2), num(1))), 0),
    Eq(Node("sum", (variable("i", Int(0)), variable("i", Int(0)), num(1))), 0),
    Eq(Node("pow", (x, -1)), 0),
    Eq(Node("root", (x, 0)), 0),
    Eq(Node("num", ("1/2",)), 0),
    Eq(ROW, matrix([[x]])),
    Eq(ROW, x),
    Eq(a, x),
    Le(ROW, ROW),
    Eq(Node("det", (ROW,)), 0),
    Eq(Node("entry", (ROW, 0, 2)), 0),
    Eq(Node("matrix_power", (ROW, num(2))), ROW),
    Eq(Node("matrix", (2, x, y, z)), ROW),
    Eq(Node("transpose", (x,)), x),
    Eq(Node("compose", (ROW, ROW)), ROW),
    Eq(Node("add", (ROW, x)), ROW),
    Eq(Node("mul", (ROW, ROW)), ROW),
    Eq(step(x), step(a)),
    Eq(journey(a), journey(empty)),
    Eq(append(empty, x), empty),
    Eq(Node("cos", (x, y)), 0),
    Eq(sequence("s", ROW), 0),
    Eq(sequence("s", 0, Letter), 0),
    Eq(Node("max", (x, ROW)), 0),
    Node("same_content", (x, x)),
    Node("concat", (a, a)),
    Not(x),
    And(Eq(x, x), x),
    Or(x, Eq(x, x)),
    Implies(x, Eq(x, x)),
    ForAll(num(1), Eq(x, x)),
    Exists(x, x),
    x,
    Node("nonsense", ()),
    Eq(Node("var", ("#0", Real)), 0),
    Eq(variable("x", Domain("real", 3)), 0),
    Eq(variable("x", Domain("finite", None, ())), 0),
    Eq(variable("x", Domain("box", None, (num(0), num(1)))), 0),
    Eq(variable("x", Finite(())), 0),
    Eq(variable("x", Box(1, 0)), 0),
    Eq(variable("x", Domain("nothing")), 0),
    Node("predicate", ("algebraic", Eq(x, x))),
    SimpleNamespace(head="eq", args=(x, x)),
]


@pytest.mark.parametrize("prop", MALFORMED, ids=lambda v: getattr(v, "head", "?"))
def test_what_is_not_of_the_language_is_in_no_theorem(prop) -> None:
    with pytest.raises((Rejected, AttributeError, TypeError)):
        kernel.assume(prop)


def test_a_summation_index_starts_at_zero_in_the_algebra_too() -> None:
    i = variable("i", Int(1))
    with pytest.raises(Undecided):
        prove_identity(Eq(Node("sum", (i, n + 2, 1 / i * i)), n + 2))


# ---------------------------------------------------------------------- capture
def test_substitution_does_not_capture_a_renamed_binder() -> None:
    """exists i. i = y at y := i, i' := 0 is still about some i'', not about the 0 put for i'."""
    i, fresh = variable("i", Real), variable("i'", Real)
    theorem = kernel.witness(Exists(i, Eq(i, y)), y, prove_identity(Eq(y, y)))
    moved = kernel.specialise(theorem, {y: i, fresh: num(0)})
    bound, body = moved.conclusion.args
    assert body == Eq(bound, i)
    assert bound not in (i, fresh)


@pytest.mark.parametrize("wrap", [ForAll, Exists, lambda v, b: Eq(total(v, n, b.args[0]), 0)])
@pytest.mark.parametrize("fresh", ["j'", "j''", "w"])
def test_binders_never_capture(wrap, fresh) -> None:
    j = variable("j", Int(0))
    other = variable(fresh, Int(0))
    moved = substitute(wrap(j, Eq(j + y, other)), {y: j, other: num(5)})
    assert j in kernel.free_variables(moved)


# ---------------------------------------------------------------------- refutations
def test_a_refutation_speaks_of_all_values_not_of_each() -> None:
    assert kernel.refute(Eq(x, 0), {x: fmpq(1)}).conclusion == Not(ForAll(x, Eq(x, 0)))


def test_refutations_about_a_sequence_do_not_contradict_each_other() -> None:
    at = Eq(sequence("s", 0), 0)
    first = kernel.refute(at, {"s": fmpq(1)})
    second = kernel.refute(Not(at), {"s": fmpq(0)})
    assert kernel.clash(first, second).hypotheses


def test_refutations_about_operators_keep_their_model() -> None:
    b = variable("b", Letter)
    commute = ForAll((a, b), Eq(step(a) @ step(b), step(b) @ step(a)))
    shears = {"a": fmpq_mat(2, 2, [1, 1, 0, 1]), "b": fmpq_mat(2, 2, [1, 0, 1, 1])}
    one = {"a": fmpq_mat(1, 1, [1])}
    first = kernel.refute(commute, {"step": shears, a: "a", b: "b"})
    second = kernel.refute(Not(commute), {"step": one})
    assert kernel.clash(first, second).hypotheses


@pytest.mark.parametrize(
    ("prop", "point"),
    [
        (Eq(x, 0), {x: fmpq(0)}),
        (Eq(x, 0), {}),
        (Implies(Lt(0, x), Eq(x, 0)), {x: fmpq(-1)}),
        (ForAll(n, Le(0, n)), {n: fmpq(-1)}),
        (ForAll(n, Eq(n, n * n)), {n: fmpq(1, 2)}),
        (Le(0, sequence("s", 0, Int(0))), {"s": fmpq(-1)}),
        (Lt(0, sequence("s", 0, Positive)), {"s": fmpq(0)}),
        (Eq(sequence("s", 0), 0), {"s": 0.1}),
        (Eq(sequence("s", 1 / x), 1), {"s": lambda i: fmpq(0), x: arb(3)}),
        (Eq(1 / x, 0), {x: fmpq(0)}),
        (ForAll(a, Not(Node("same_content", (append(empty, a), empty)))), {a: 3}),
        (Eq(cos(x), 1), {x: fmpq(0)}),
        (Eq(x, 0), {x: arb("nan")}),
    ],
    ids=lambda v: str(v)[:40] if isinstance(v, Node) else "at",
)
def test_what_is_no_counterexample_is_refused(prop, point) -> None:
    with pytest.raises(Rejected):
        kernel.refute(prop, point)


def test_letters_outside_the_model_refute_nothing() -> None:
    c = variable("c", Letter)
    same = Node("same_content", (append(empty, a), append(empty, c)))
    claim = ForAll(c, Not(ForAll(a, Not(same))))
    model = {"a": fmpq_mat(1, 1, [1])}
    assert not falsifies(claim, {"step": model, c: "c"})


# ---------------------------------------------------------------------- evaluation
@pytest.mark.parametrize("low", [0, 1, 5, None])
@pytest.mark.parametrize("root", [-3, -1, 0, 2, 7])
def test_existence_respects_the_lower_end_of_the_integers(low, root) -> None:
    name = variable("j", Integer if low is None else Int(low))
    exists = Exists(name, Eq(2 * name, 2 * root))
    assert truth(exists, {}) is (low is None or low <= root)
    assert truth(Exists(name, And(Le(root, name), Le(name, root))), {}) is truth(exists, {})
    assert truth(Exists(name, Eq(2 * name, 2 * root + 1)), {}) is False


def test_matrices_of_different_shapes_are_not_compared() -> None:
    assert truth(Eq(matrix([[1]]), matrix([[1, 2]])), {}) is None
    assert truth(Eq(Node("det", (ROW,)), 0), {x: fmpq(1), y: fmpq(1)}) is None


def test_a_sum_keeps_what_depends_on_its_index_inside() -> None:
    """cos(i y / d) with d holding - i y: numerator and denominator must not hide each other."""
    i = variable("i", Int(0))
    d = z + n - i * y
    body = cos(i * y / d)
    goal = Eq(total(i, n, body) * k, total(i, n, num(1)) * body * k)
    with pytest.raises((Undecided, Rejected)):
        prove_identity(goal, [Ne(z + n - i * y, 0)])
    split = Eq(total(i, n, body) * k * n, n * k * total(i, n, body))
    with pytest.raises(Rejected):  # the denominator depends on the index: nothing discharges it
        prove_identity(split)


# ---------------------------------------------------------------------- establishes
def test_a_free_variable_is_not_taken_for_a_bound_one() -> None:
    theorem = prove_identity(Eq(y, y))
    for odd in ("x~~0", "x~0", "want 0"):
        assert not establishes(theorem, ForAll(x, Eq(x, variable(odd, Real))))


T = kernel.assume(Le(x, y))
LE = Le(x, y)


@pytest.mark.parametrize(
    "prop",
    [
        LE,
        ForAll((x, y), LE),
        Implies(Eq(z, 0), LE),
        Implies(LE, Le(y, x)),
        ForAll((x, y), Implies(Lt(x, y), LE)),
        ForAll((x, y), Implies(Le(y, x), LE)),
        ForAll(x, Exists(y, Implies(LE, LE))),
        Exists(y, ForAll(x, LE)),
        ForAll((x, variable("y", Integer)), Implies(Le(x, variable("y", Integer)), LE)),
    ],
    ids=str,
)
def test_other_statements_are_not_established(prop) -> None:
    assert not establishes(T, prop)


@pytest.mark.parametrize(
    "prop",
    [
        Implies(LE, LE),
        ForAll((x, y), Implies(LE, LE)),
        ForAll((y, x), Implies(Le(y, x), Le(y, x))),
        ForAll((x, y), Implies(And(Eq(x, 0), LE), LE)),
        ForAll(x, Implies(Eq(x, 0), ForAll(y, Implies(LE, LE)))),
    ],
    ids=str,
)
def test_the_same_statement_in_other_words_is_established(prop) -> None:
    assert establishes(T, prop)


def test_exponents_and_repeated_names_count() -> None:
    cubes = prove_identity(Eq(x**3, x * x**2))
    assert not establishes(cubes, Eq(x**2, x * x**2))
    assert not establishes(T, ForAll(x, Implies(Le(x, x), Le(x, x))))  # true, but not said


def test_order_and_domain_of_quantifiers_count() -> None:
    w = variable("w", Finite([1, 2]))
    some = kernel.witness(Exists(x, Eq(x, y)), y, prove_identity(Eq(y, y)))
    assert establishes(some, ForAll(y, Exists(x, Eq(x, y))))
    assert not establishes(some, Exists(x, ForAll(y, Eq(x, y))))
    narrow = kernel.exhaust(
        ForAll(w, Le(w, 2)), [kernel.ground(Le(num(v), 2)) for v in w.args[1].values]
    )
    assert establishes(narrow, ForAll(w, Le(w, 2)))
    assert not establishes(narrow, ForAll(x, Le(x, 2)))
