"""Sums, recursions and induction over integers: true closed forms and false ones."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from statements import k, n, p, perturbed, x, y, z
from values import Undefined, differs

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Rejected, establishes
from posproof.proofs_check.language import (
    Eq,
    ForAll,
    Implies,
    Int,
    Le,
    Lt,
    Ne,
    Node,
    cos,
    exp,
    matrix,
    num,
    pi,
    power,
    sequence,
    sin,
    total,
    variable,
)
from posproof.proofs_check.search import Undecided, prove_by_induction, prove_identity

i, j = variable("i", Int(0)), variable("j", Int(0))
s, t = (lambda at: sequence("s", at)), (lambda at: sequence("t", at))


def inductive(goal: Node) -> bool:
    try:
        return establishes(prove_by_induction(n, goal), ForAll(n, goal))
    except (Undecided, Rejected):
        return False


def false_at(goal: Node, source: random.Random) -> bool:
    for count in (0, 1, 2, 3, 5):
        point = {n: Fraction(count), x: Fraction(source.randint(2, 9), 7), y: Fraction(3, 5)}
        point |= {z: Fraction(-4, 9), p: Fraction(5, 8)}
        point |= {"s": lambda at: Fraction(at * at - 3), "t": lambda at: Fraction(2 * at + 1, 3)}
        try:
            if differs(*goal.args, point):
                return True
        except (Undefined, OverflowError):
            continue
    return False


def closed_form(source: random.Random) -> Node:
    """sum_(i < n) of F(i + 1) - F(i) is F(n) - F(0), for a random F."""
    c = [num(Fraction(source.randint(-4, 4), source.randint(1, 3))) for _ in range(4)]

    def primitive(at: Node) -> Node:
        polynomial = c[0] * at + c[1] * at**2 + c[2] * at**3
        extra = source_choice
        return polynomial + extra(at)

    source_choice = source.choice(
        (
            lambda at: power(x, at),
            lambda at: y * at,
            lambda at: at * power(num(2), at),
            lambda at: c[3] * at**4,
            lambda at: cos(at * x),
            lambda at: exp(at * y),
        )
    )
    body = primitive(i + 1) - primitive(i)
    return Eq(total(i, n, body), primitive(n) - primitive(num(0)))


def test_false_closed_forms_are_not_accepted(tally) -> None:
    source, fed = random.Random(1), 0
    while fed < 2500:
        goal = closed_form(source)
        wrong = Eq(goal.args[0], perturbed(goal.args[1], source))
        if not false_at(wrong, source):
            continue
        fed += 1
        tally.false_fed += 1
        if inductive(wrong):
            tally.false_accepted += 1
            pytest.fail(f"accepted: {wrong}")


def test_true_closed_forms_are_decided(tally) -> None:
    source, good = random.Random(2), 0
    for _ in range(200):
        good += inductive(closed_form(source))
    tally.true_fed += 200
    tally.true_decided += good
    assert good > 180


def linear(source: random.Random, index: Node) -> Node:
    parts = [s(index), t(index), s(index) * t(index), index * x, x * s(index), num(1), index]
    result = num(source.randint(1, 3)) * source.choice(parts)
    for _ in range(source.randint(0, 2)):
        result = result + num(source.randint(-3, 3)) * source.choice(parts)
    return result


def test_false_rearrangements_of_sums_are_not_accepted(tally) -> None:
    """Sums are linear, their index has no name, and the last terms may be split off."""
    source, fed, good, fair = random.Random(3), 0, 0, 0
    while fed < 8000:
        name, extra = source.choice((i, j)), source.randint(0, 2)
        state = source.getstate()
        body = linear(source, i)
        source.setstate(state)
        other = linear(source, name)
        right = total(name, n, other)
        for last in range(extra):
            right = right + _at(other, name, n + last)
        left = total(i, n + extra, body * 2 + y) - n * y - extra * y
        goal = Eq(left, 2 * right)
        if source.random() < 0.05:
            fair += 1
            good += _accepted(goal)
        wrong = Eq(left, perturbed(goal.args[1], source))
        if not false_at(wrong, source):
            continue
        fed += 1
        tally.false_fed += 1
        if _accepted(wrong):
            tally.false_accepted += 1
            pytest.fail(f"accepted: {wrong}")
    tally.true_fed += fair
    tally.true_decided += good
    assert good == fair


def _at(body: Node, name: Node, value: Node) -> Node:
    from posproof.proofs_check.language import substitute

    return substitute(body, {name: value})


def _accepted(goal: Node) -> bool:
    try:
        return establishes(prove_identity(goal), goal)
    except (Undecided, Rejected):
        return False


N, M = matrix([[1, x], [0, 1]]), matrix([[1, n * x], [0, 1]])
RIGHT = [
    Eq(total(i, n, num(1)), n),
    Eq(total(i, num(0), s(i)), 0),
    Eq(total(i, num(2), s(i)), s(num(0)) + s(num(1))),
    Eq(total(i, n, total(j, i + 1, s(j))), total(j, n, total(i, j + 1, s(i)))),
    Eq(total(i, n, 1 / (i + 1)), total(j, n, 2 / (2 * j + 2))),
    Eq(total(i, n, cos(pi * i) ** 2), n),
    Eq(total(i, n, sin(pi * i)), 0),
    Eq(Node("chebyshevt", (n + 2, x)) + Node("chebyshevt", (n, x)),
       2 * x * Node("chebyshevt", (n + 1, x))),
    Eq(Node("chebyshevu", (num(-1), x)), 0),
    Eq(total(i, num(3), total(i, num(2), i)), 3),
]  # fmt: skip


@pytest.mark.parametrize("goal", RIGHT, ids=str)
def test_true_statements_about_sums(goal: Node) -> None:
    assert _accepted(goal)


WRONG = [
    Eq(total(i, k, num(1)), k),  # k may be negative
    Eq(total(i, x, num(1)), x),
    Eq(total(i, n - 1, num(1)), n - 1),  # n may be 0
    Eq(total(i, n, s(i)), n * s(i)),
    Eq(total(i, n, total(j, n, s(i))), total(i, n, s(i))),
    Eq(total(i, n, s(i) * t(i)), total(i, n, s(i)) * total(i, n, t(i))),
    Eq(total(i, n, s(i) ** 2), total(i, n, s(i)) ** 2),
    Eq(total(i, n, total(i, n, i)), total(i, n, i)),
    Eq(total(i, n, total(j, i, s(j))), total(j, n, total(i, j, s(j)))),
    Eq(total(i, n, x / i), x * total(i, n, 1 / i)),  # the first term divides by 0
    Eq(total(i, n, cos(pi * i * x) ** 2), n),
    Eq(Node("chebyshevt", (k, x)), Node("chebyshevt", (k + 1, x))),
    Eq(Node("chebyshevt", (x, y)), Node("chebyshevt", (x, x))),
    Eq(Node("chebyshevu", (n, x)), Node("chebyshevt", (n, x))),
    Eq(power(x, k + 1), x * power(x, k)),
    Eq(total(i, k + 1, s(i)), total(i, k, s(i)) + s(k)),
]


@pytest.mark.parametrize("goal", WRONG, ids=str)
def test_false_statements_about_sums(goal: Node) -> None:
    assert not _accepted(goal)


def test_induction_over_matrices() -> None:
    assert inductive(Eq(Node("matrix_power", (N, n)), M))
    assert not inductive(Eq(Node("matrix_power", (N, n)), N))


def test_sums_of_equal_terms_are_equal_below_the_limit_only() -> None:
    below = Lt(i, n)
    theorem = kernel.assume(Implies(below, Eq(s(i), t(i))))
    everywhere = kernel.instantiate(kernel.assume(ForAll(i, theorem.conclusion)), i)
    equal = kernel.modus(everywhere, kernel.assume(below))
    assert kernel.sum_congruence(equal, i, n).conclusion == Eq(total(i, n, s(i)), total(i, n, t(i)))
    with pytest.raises(Rejected):
        kernel.sum_congruence(equal, i, n + 1)
    with pytest.raises(Rejected):
        kernel.sum_congruence(kernel.weaken(equal, [Ne(i, 0)]), i, n)


def test_an_enclosure_reaches_a_half_line_with_a_tail() -> None:
    """x < exp x for 1 <= x: balls up to 3, and above it 1 + x <= exp x."""
    goal, at = Lt(x, exp(x)), num(3)
    near = kernel.enclosure(goal, {x: (1, 3)})
    tail = kernel.weaken(
        kernel.cut(
            kernel.instantiate(kernel.meaning("exponential_above_line"), x),
            T.prove_nonneg(goal, (exp(x) - (1 + x)) + 1, [Le(1 + x, exp(x))]),
        ),
        [Lt(at, x)],
    )
    whole = T.compare(at, x, tail, near)
    assert establishes(whole, ForAll(x, Implies(Le(1, x), goal)))
    assert not establishes(whole, ForAll(x, goal))
