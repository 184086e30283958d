"""induct_sequences: what holds for every sequence, and what must not be proved with it."""

from __future__ import annotations

import pytest

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Rejected, Theorem, establishes
from posproof.proofs_check.language import (
    Eq,
    ForAll,
    Implies,
    Int,
    Le,
    Node,
    Real,
    num,
    power,
    sequence,
    total,
    variable,
)
from posproof.proofs_check.search import prove_identity, prove_nonneg

x, c = variable("x", Real), variable("c", Real)
i, j, n, m = (variable(name, Int(0)) for name in ("i", "j", "n", "m"))


def s(at: Node) -> Node:
    return sequence("s", at)


def y(at: Node) -> Node:
    return sequence("y", at)


def form(exponent: Node) -> Node:
    """0 <= the sum of s_i s_j (y_i y_j)^exponent."""
    body = s(i) * s(j) * power(y(i) * y(j), exponent)
    return Le(num(0), total(i, m, total(j, m, body)))


WHOLE = T.taken_out(i, m, s(i), total(j, m, s(j)))
BASE = T.discharge(prove_nonneg(form(num(0)), total(i, m, s(i)) ** 2, [WHOLE.conclusion]), WHOLE)
TWISTED = s(x) * y(x)


def step(value: Node = TWISTED) -> Theorem:
    """P(n + 1) for s from P(n) for the function x -> value, which is s y in a correct proof."""
    known = kernel.assume(kernel._realised(form(n), "s", x, value))
    goal = form(n + 1)
    return prove_nonneg(goal, T.margin(known.conclusion), [known.conclusion])


def test_schur_powers_of_a_matrix_of_rank_one_are_non_negative() -> None:
    found = kernel.induct_sequences(n, form(n), BASE, step(), "s", [(x, TWISTED, ())])
    assert establishes(found, ForAll((n, m), form(n)))
    assert not found.hypotheses


def test_plain_induction_does_not_reach_it() -> None:
    """The claim about another sequence would be left as a premise that mentions n."""
    with pytest.raises(Rejected, match="arbitrary"):
        kernel.induct(n, form(n), BASE, step())


def test_a_parameter_of_the_functions_may_be_generalised() -> None:
    """P(n): n s(0) <= n s(0), used at all functions x -> c s(x)."""
    statement = Le(n * s(num(0)), n * s(num(0)))
    value = c * s(x)
    used = ForAll(c, kernel._realised(statement, "s", x, value))
    goal = Le((n + 1) * s(num(0)), (n + 1) * s(num(0)))
    proof = kernel.weaken(prove_nonneg(goal, num(0)), [used])
    base = prove_nonneg(Le(num(0) * s(num(0)), num(0) * s(num(0))), num(0))
    found = kernel.induct_sequences(n, statement, base, proof, "s", [(x, value, (c,))])
    assert not found.hypotheses


def test_a_claim_about_one_sequence_is_not_one_about_all() -> None:
    """s(0) = 0 and s -> s + 1 would give s(0) + n = n for every s."""
    statement = Eq(s(num(0)) + n, n)
    start = kernel.assume(Eq(s(num(0)), num(0)))
    base = T.discharge(prove_identity(Eq(s(num(0)) + 0, num(0)), [start.conclusion]), start)
    used = kernel._realised(statement, "s", x, s(x) + 1)
    proof = prove_identity(Eq(s(num(0)) + (n + 1), n + 1), [used, Eq(num(1), num(0))])
    with pytest.raises(Rejected, match="a choice of the sequence"):
        kernel.induct_sequences(n, statement, base, proof, "s", [(x, s(x) + 1, ())])


def test_a_premise_about_the_sequence_is_refused_in_the_step_too() -> None:
    statement = Le(num(0), s(num(0)) ** 2 + n)
    base = prove_nonneg(Le(num(0), s(num(0)) ** 2 + 0), s(num(0)) ** 2)
    goal = Le(num(0), s(num(0)) ** 2 + (n + 1))
    proof = kernel.weaken(prove_nonneg(goal, s(num(0)) ** 2 + (n + 1)), [Le(num(0), s(num(1)))])
    with pytest.raises(Rejected, match="a choice of the sequence"):
        kernel.induct_sequences(n, statement, base, proof, "s", [])


def test_a_parameter_of_the_claim_is_not_generalised() -> None:
    """P(n): c s(0) <= n + c s(0); "for all c" would be more than P(n) says."""
    statement = Le(c * s(num(0)), n + c * s(num(0)))
    used = ForAll(c, statement)
    goal = Le(c * s(num(0)), (n + 1) + c * s(num(0)))
    proof = kernel.weaken(prove_nonneg(goal, n + 1), [used])
    base = prove_nonneg(Le(c * s(num(0)), num(0) + c * s(num(0))), num(0))
    with pytest.raises(Rejected, match="P mentions a parameter"):
        kernel.induct_sequences(n, statement, base, proof, "s", [(x, s(x), (c,))])


def test_the_number_itself_is_not_a_parameter() -> None:
    """P(n) for all n is what is to be proved."""
    statement = Eq(n, num(0))
    base = prove_identity(Eq(num(0), num(0)))
    used = ForAll(n, statement)
    proof = kernel.instantiate(kernel.assume(used), n + 1)
    with pytest.raises(Rejected, match="one n"):
        kernel.induct_sequences(n, statement, base, proof, "s", [(x, s(x), (n,))])


def test_the_step_must_reach_the_next_number() -> None:
    with pytest.raises(Rejected, match="the step is not"):
        kernel.induct_sequences(n, form(n), BASE, kernel.assume(form(n)), "s", [])


def test_another_function_than_the_listed_one_stays_a_premise() -> None:
    """Listed: s; used: s y."""
    with pytest.raises(Rejected, match="a choice of the sequence"):
        kernel.induct_sequences(n, form(n), BASE, step(), "s", [(x, s(x), ())])


def test_sequences_that_are_not_real_are_refused() -> None:
    whole = sequence("k", num(0), Int(0))
    statement = Le(num(0), whole + n)
    base = prove_nonneg(Le(num(0), whole + 0), whole)
    proof = prove_nonneg(Le(num(0), whole + (n + 1)), whole + (n + 1))
    with pytest.raises(Rejected, match="not real"):
        kernel.induct_sequences(n, statement, base, proof, "k", [(x, num(-1) * x, ())])


def test_implications_keep_their_sequence() -> None:
    """The premise of P may mention the sequence: it is part of what holds for every sequence."""
    statement = Implies(Le(num(0), s(num(0))), Le(num(0), s(num(0)) + n))
    premise = Le(num(0), s(num(0)))
    base = T.implication(prove_nonneg(Le(num(0), s(num(0)) + 0), s(num(0)), [premise]), premise)
    goal = Le(num(0), s(num(0)) + (n + 1))
    proof = T.implication(prove_nonneg(goal, s(num(0)) + (n + 1), [premise]), premise)
    found = kernel.induct_sequences(n, statement, base, proof, "s", [])
    assert establishes(found, ForAll(n, statement))
