"""identity and contradiction: true equations, perturbed ones, altered certificates."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statements import (
    TRANSCENDENTAL,
    coefficient,
    k,
    n,
    p,
    perturbed,
    places,
    random_point,
    rewritten,
    term,
    x,
    y,
    z,
)
from values import Undefined, differs

from posproof.proofs_check import kernel
from posproof.proofs_check.algebra import CONTEXT, GENERATORS, ONE, problem
from posproof.proofs_check.kernel import Certificate, Rejected, Theorem, establishes
from posproof.proofs_check.language import (
    FALSUM,
    Eq,
    Implies,
    Int,
    Le,
    Ne,
    Node,
    cos,
    exp,
    matrix,
    num,
    pi,
    power,
    sin,
    sqrt,
    substitute,
    variable,
)
from posproof.proofs_check.search import Undecided, prove_contradiction, prove_identity
from posproof.proofs_check.search.ideals import certificates

FALSE, TRUE = 11_000, 1_000


def decided(goal: Node, facts: tuple[Node, ...] = ()) -> bool:
    """Whether search and kernel together accept `facts => goal`."""
    try:
        theorem = prove_identity(goal, facts)
    except (Undecided, Rejected):
        return False
    statement = goal
    for fact in reversed(facts):
        statement = Implies(fact, statement)
    return establishes(theorem, statement)


def false_at(goal: Node, source: random.Random, tries: int = 3) -> bool:
    """Whether a random point shows that the equation fails."""
    for _ in range(tries):
        try:
            if differs(*goal.args, random_point([goal], source)):
                return True
        except (Undefined, OverflowError):
            continue
    return False


def equations(source: random.Random) -> Iterator[Node]:
    while True:
        left = term(source)
        yield Eq(left, rewritten(left, source))


def polynomial(source: random.Random) -> Node:
    while True:
        found = term(source, 3, (x, y, z))
        if not any(part.head in TRANSCENDENTAL for _, part in places(found)):
            return found


def test_perturbed_equations_are_not_accepted(tally) -> None:
    source, fed = random.Random(1), 0
    for goal in equations(source):
        wrong = Eq(goal.args[0], perturbed(goal.args[1], source))
        if not false_at(wrong, source):
            continue
        fed += 1
        tally.false_fed += 1
        if decided(wrong):
            tally.false_accepted += 1
            pytest.fail(f"accepted: {wrong}")
        if fed == FALSE:
            return


def test_true_equations_are_mostly_decided(tally) -> None:
    source, good = random.Random(2), 0
    for _, goal in zip(range(TRUE), equations(source), strict=False):
        good += decided(goal)
    tally.true_fed += TRUE
    tally.true_decided += good
    assert good > 0.9 * TRUE


def test_perturbed_equations_under_hypotheses_are_not_accepted(tally) -> None:
    """x = t with x not in t: the equation is false where it fails after putting t for x."""
    source, fed = random.Random(3), 0
    while fed < 1000:
        value, left = coefficient(source) * z + coefficient(source), polynomial(source)
        right = perturbed(substitute(left, {x: value}), source)
        if not false_at(Eq(substitute(left, {x: value}), substitute(right, {x: value})), source):
            continue
        fed += 1
        tally.false_fed += 1
        assert not decided(Eq(left, right), (Eq(x, value),)), f"{Eq(left, right)} if x = {value}"


def test_true_equations_under_hypotheses_are_decided(tally) -> None:
    source, good = random.Random(4), 0
    for _ in range(200):
        value, left = coefficient(source) * z + coefficient(source), polynomial(source)
        good += decided(Eq(left, substitute(left, {x: value})), (Eq(x, value),))
    tally.true_fed += 200
    tally.true_decided += good
    assert good > 100


@given(st.integers(0, 2**32))
def test_no_seed_finds_a_false_equation(seed: int) -> None:
    source = random.Random(seed)
    goal = next(equations(source))
    wrong = Eq(goal.args[0], perturbed(goal.args[1], source))
    assert not (decided(wrong) and false_at(wrong, source, 8))


# ---------------------------------------------------------------------- partial functions
m = variable("m", Int(0))
HALF_TRUE = [
    (Eq(x / x, 1), Ne(x, 0)),
    (Eq((x * x - 1) / (x - 1), x + 1), Ne(x - 1, 0)),
    (Eq(x / y * y, x), Ne(y, 0)),
    (Eq(1 / (1 / x), x), Ne(x, 0)),
    (Eq(sqrt(x) ** 2, x), Le(0, x)),
    (Eq(Node("root", (x, 3)) ** 3, x), Le(0, x)),
    (Eq(power(x, k) * power(x, num(0) - k), 1), Ne(x, 0)),
    (Eq(power(x, n - 1) * x, power(x, n)), Ne(x, 0)),
    (Eq(sin(x) / cos(x) * cos(x), sin(x)), Ne(cos(x), 0)),
]


@pytest.mark.parametrize(("goal", "condition"), HALF_TRUE, ids=lambda v: str(v))
def test_partial_functions_leave_a_condition(goal: Node, condition: Node) -> None:
    """x/x = 1 is accepted where x is not 0, and nowhere else."""
    assert decided(goal, (condition,))
    assert not decided(goal)


WRONG_BRANCH = [
    Eq(sqrt(x**2), x),
    Eq(Node("abs", (x,)), x),
    Eq(Node("log", (exp(x) ** 2,)), x),
    Eq(sqrt(x) * sqrt(y), sqrt(y)),
    Eq(cos(pi * k), 1),
    Eq(cos(pi * k / 2), 0),
    Eq(sin(pi * x), 0),
    Eq(cos(pi * x) ** 2, 1),
    Eq(power(num(-1), k), 1),
    Eq(power(num(0), n), 0),
    Eq(power(x, k) * power(x, num(0) - k), 1),
    Eq(power(p, x) * power(p, y), power(p, x * y)),
    Eq(sqrt(p), Node("root", (p, 3))),
    Eq(num(1) / x, num(0)),
    Eq(x / x, 1),
]


@pytest.mark.parametrize("goal", WRONG_BRANCH, ids=str)
def test_the_wrong_branch_is_not_taken(goal: Node) -> None:
    assert not decided(goal)


TRUE_BRANCH = [
    Eq(power(p, x) * power(p, y), power(p, x + y)),
    Eq(exp(Node("log", (p,))), p),
    Eq(sqrt(p) ** 2, p),
    Eq(sqrt(p), Node("root", (p, 4)) ** 2),
    Eq(cos(pi * k) ** 2, 1),
    Eq(sin(pi * k), 0),
    Eq(power(num(-1), 2 * n) * power(num(-1), k), power(num(-1), k + 2 * n)),
    Eq(power(num(0), n + 1), 0),
    Eq(power(x, n + 2), x * x * power(x, n)),
    Eq(p / p, 1),
    Eq(power(x, num(0)), 1),
]


@pytest.mark.parametrize("goal", TRUE_BRANCH, ids=str)
def test_the_right_branch_is_taken(goal: Node) -> None:
    assert decided(goal)


def test_what_holds_only_over_the_reals_needs_more_than_an_ideal() -> None:
    """x^2 + y^2 = 0 forces x = 0 over the reals only: true, undecided, never refuted."""
    assert not decided(Eq(x, 0), (Eq(x * x + y * y, 0),))
    with pytest.raises(Undecided):
        prove_contradiction([Eq(x * x, -1)])


def test_a_contradiction_needs_hypotheses_that_exclude_each_other() -> None:
    assert prove_contradiction([Eq(x, 1), Eq(x, 2)]).conclusion == FALSUM
    assert prove_contradiction([Eq(x, 0), Ne(x, 0)], Eq(y, z)).conclusion == Eq(y, z)
    with pytest.raises(Undecided):
        prove_contradiction([Eq(x * x, 1), Eq(x, -1)])


# ---------------------------------------------------------------------- certificates
def certificate_of(goal: Node, facts: list[Node]) -> list[Certificate]:
    return certificates(problem(goal, facts))


GIVEN = [Eq(x * x, y), Eq(y, z + 1), Ne(z, 0)]
GOAL = Eq(x**4 * z, (z + 1) ** 2 * z)


def test_altered_certificates_are_rejected(tally) -> None:
    (good,) = certificate_of(GOAL, GIVEN)
    assert isinstance(kernel.identity(GOAL, GIVEN, [good]), Theorem)
    source = random.Random(5)
    for _ in range(500):
        at = source.randrange(len(good.cofactors))
        extra = CONTEXT.constant(source.choice((-2, -1, 1, 3))) * GENERATORS[source.randrange(3)]
        cofactors = list(good.cofactors)
        cofactors[at] = cofactors[at] + (extra if source.random() < 0.5 else extra * ONE + 1)
        if source.random() < 0.3:
            cofactors = [*cofactors, ONE] if source.random() < 0.5 else cofactors[:-1]
        tally.false_fed += 1
        with pytest.raises(Rejected):
            kernel.identity(GOAL, GIVEN, [replace(good, cofactors=tuple(cofactors))])


@pytest.mark.parametrize("powers", [(), (1, 0), (-1,), (1.0,), (2,)])
def test_altered_powers_are_rejected(powers: tuple) -> None:
    (good,) = certificate_of(GOAL, GIVEN)
    assert good.powers == (0,)
    with pytest.raises(Rejected):
        kernel.identity(GOAL, GIVEN, [replace(good, powers=powers)])


def test_a_certificate_for_every_entry_is_demanded() -> None:
    goal = Eq(matrix([[x, y]]), matrix([[x, y]]))
    found = certificate_of(goal, [])
    for wrong in (found[:1], [*found, found[0]], []):
        with pytest.raises(Rejected):
            kernel.identity(goal, [], wrong)


def test_identity_proves_equations_of_supported_terms_only() -> None:
    with pytest.raises(Rejected):
        kernel.identity(Le(x, x), [], [Certificate((), ())])
    with pytest.raises(Rejected):
        kernel.identity(Eq(Node("floor", (x,)), 0), [], [Certificate((), ())])
    with pytest.raises(Rejected):
        kernel.identity(Eq(1 / (x - x), 0), [], [Certificate((), ())])
