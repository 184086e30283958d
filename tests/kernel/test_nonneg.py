"""nonneg: inequalities built from squares and known signs, and those pushed below zero."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from statements import a, n, p, random_point, x, y, z
from values import true

from posproof.proofs_check import kernel
from posproof.proofs_check.algebra import Unsupported
from posproof.proofs_check.kernel import Rejected, establishes
from posproof.proofs_check.language import (
    Eq,
    Implies,
    Int,
    Integer,
    Le,
    Lt,
    Ne,
    Node,
    cosh,
    exp,
    matrix,
    num,
    sequence,
    sinh,
    sqrt,
    total,
    variable,
)
from posproof.proofs_check.search import Undecided, prove_identity, prove_nonneg, prove_order
from posproof.theory.vocabulary import Box, Finite, Positive

u = variable("u", Box(-1, 2))
w = variable("w", Finite([Fraction(1, 2), 3]))
FACTS = (Le(0, x), Lt(y, x), Ne(z, 0))
FACTORS = (x, x - y, p, n, a - 2, a, 2 - u, u - (-1), exp(z), cosh(x))


def form_of(source: random.Random) -> Node:
    """A term that is visibly non-negative under `FACTS`."""
    result = None
    for _ in range(source.randint(1, 3)):
        if source.random() < 0.5:
            inner = source.choice((x - y, y + z, z - p, x * z - 1, y - num(source.randint(-3, 3))))
            part = inner**2
        else:
            part = source.choice(FACTORS[:8]) * source.choice(FACTORS)
        part = num(Fraction(source.randint(1, 5), source.randint(1, 3))) * part
        result = part if result is None else result + part
    assert result is not None
    return result


def accepted(goal: Node, form: Node, facts: tuple[Node, ...] = FACTS) -> bool:
    try:
        theorem = prove_nonneg(goal, form, facts)
    except (Undecided, Rejected):
        return False
    statement = goal
    for fact in facts:
        statement = Implies(fact, statement)
    return establishes(theorem, statement)


def false_at(goal: Node, source: random.Random, tries: int = 12) -> bool:
    for _ in range(tries):
        point = random_point([goal, *FACTS], source)
        if all(true(f, point) for f in FACTS) and true(goal, point) is False:
            return True
    return False


def test_inequalities_pushed_below_zero_are_not_accepted(tally) -> None:
    source, fed = random.Random(1), 0
    while fed < 10_000:
        form, base = form_of(source), source.choice((x, y * z, num(0)))
        lost = num(Fraction(source.randint(1, 60), 4)) * source.choice((num(1), p, x * x, y * y, z))
        relation = source.choice((Le, Lt))
        goal = relation(base, base + form - lost)
        if not false_at(goal, source):
            continue
        fed += 1
        tally.false_fed += 1
        claims = (form, form - lost, form + lost, form * num(1))
        if any(accepted(goal, claim) for claim in claims[: 1 + source.randrange(4)]):
            tally.false_accepted += 1
            pytest.fail(f"accepted: {goal}")


def test_visible_signs_are_decided(tally) -> None:
    source, good = random.Random(2), 0
    for _ in range(1000):
        form, base = form_of(source), source.choice((x, y * z, num(0)))
        good += accepted(Le(base, base + form), form)
    tally.true_fed += 1000
    tally.true_decided += good
    assert good > 950


def test_the_search_accepts_no_false_inequality(tally) -> None:
    source, fed = random.Random(3), 0
    facts = (Le(0, x), Lt(y, x))
    while fed < 300:
        goal = Le(x * y, source.choice((x, y, num(1))) + num(source.randint(-3, 3)) * x * x)
        if not false_at(goal, source, 40):
            continue
        fed += 1
        tally.false_fed += 1
        with pytest.raises((Undecided, Rejected)):
            prove_order(goal, facts)


k = variable("k", Integer)
i = variable("i", Int(0))
SIGNS = [
    (x, False),
    (0 - x * x, False),
    (x * x, True),
    (x**3, False),
    (x * y, False),
    (x / x, True),
    (p / p, True),
    (k, False),
    (k * k, True),
    (n, True),
    (n - 1, False),
    (a - 2, True),
    (a - 3, False),
    (2 - u, True),
    (u, False),
    (1 - u, False),
    (w, True),
    (w - num(Fraction(1, 2)), True),
    (3 - w, True),
    (2 - w, False),
    (sqrt(x), True),
    (Node("abs", (x,)), True),
    (Node("log", (p,)), False),
    (Node("power", (p, x)), True),
    (Node("power", (x, k)), False),
    (sinh(p), True),
    (sinh(x), False),
    (cosh(x), True),
    (exp(x), True),
    (Node("cos", (x,)), False),
    (Node("max", (p, x)), False),
    (Node("floor", (p,)), False),
    (total(i, n, i * p), True),
    (total(i, k, i), True),
    (total(i, n, i - 1), False),
    (total(i, n, x), False),
    (sequence("s", 0, Positive), True),
    (sequence("s", 0, Int(0)), True),
    (sequence("s", 0), False),
    (p + exp(x), True),
    (p + x, False),
]


@pytest.mark.parametrize(("t", "nonneg"), SIGNS, ids=lambda v: str(v))
def test_the_sign_of_a_shape(t: Node, nonneg: bool) -> None:
    assert kernel.sign(t, ()).nonneg is nonneg


STRICT = [
    (p, True),
    (n, False),
    (n + 1, True),
    (x * x, False),
    (x * x + 1, True),
    (p * p, True),
    (x / x, False),
    (p / p, True),
    (sqrt(x), False),
    (sqrt(p), True),
    (Node("abs", (p,)), True),
    (total(i, n, exp(i)), False),
    (Node("power", (p, x)), True),
    (a - 1, True),
    (a - 2, False),
    (3 - u, True),
    (2 - u, False),
    (Node("pow", (x, 0)), True),
    (sinh(p), True),
    (sequence("s", 0, Positive), True),
]


@pytest.mark.parametrize(("t", "positive"), STRICT, ids=lambda v: str(v))
def test_the_strict_sign_of_a_shape(t: Node, positive: bool) -> None:
    assert all(kernel.sign(t, ())) is positive


FACT_SIGNS = [
    (Le(0, x), True, False),
    (Lt(0, x), True, True),
    (Ne(x, 0), False, True),
    (Le(x, 0), False, False),
    (Eq(x, 0), False, False),
    (Le(1, x), False, False),
    (Node("not", (Le(0, x),)), False, False),
    (Node("not", (Lt(0, x),)), False, False),
    (Implies(Eq(y, 0), Le(0, x)), False, False),
    (Ne(0, x), False, False),
]


@pytest.mark.parametrize(("fact", "nonneg", "nonzero"), FACT_SIGNS, ids=lambda v: str(v))
def test_what_a_fact_says_about_a_sign(fact: Node, nonneg: bool, nonzero: bool) -> None:
    assert kernel.sign(x, [fact]) == (nonneg, nonzero)


def test_a_fact_about_the_index_says_nothing_inside_a_sum() -> None:
    body = i - 1
    assert not kernel.sign(total(i, n, body), [Le(0, body)]).nonneg


def test_differences_are_recognised_in_facts() -> None:
    assert kernel.sign(x - y, [Le(y, x)]) == (True, False)
    assert kernel.sign(x - y, [Lt(y, x)]) == (True, True)
    assert kernel.sign(x - y, [Ne(x, y)]) == (False, True)
    assert kernel.sign(y - x, [Le(y, x)]) == (False, False)


def test_nonneg_proves_inequalities_of_scalars_only() -> None:
    with pytest.raises(Rejected):
        kernel.nonneg(Eq(x, x), num(0), [], [])
    with pytest.raises((Rejected, Unsupported)):
        kernel.nonneg(Le(matrix([[0]]), matrix([[x]])), x, [], [])


def test_a_condition_the_facts_discharge_is_dropped_and_others_stay() -> None:
    theorem = prove_nonneg(Le(0, x * x / y), x * x / y, [Lt(0, y)])
    assert establishes(theorem, Implies(Lt(0, y), Le(0, x * x / y)))
    assert prove_identity(Eq(x / y, x / y)).hypotheses == (Ne(y, 0),)
