"""The hyperbolic inequalities say what their names say, and hold where they are evaluated."""

from __future__ import annotations

import pytest
from flint import fmpq

from posproof.proofs_check import concavity, exponentials, kernel, language
from posproof.proofs_check.evaluate import at_precision, falsifies
from posproof.proofs_check.translate import node

LEMMAS = {
    "exponential_above_cubic": "for all x real: 1 + x + x^2/2 + x^3/6 <= exp(x)",
    "exponential_one": "for all x real: (exp(x) = 1) => x <= 0",
    "one_below_cosh": "for all x real: 1 <= cosh(x)",
    "sinh_above_line": "for all x real: (0 <= x) => x <= sinh(x)",
    "ordered": "for all x, y real: (x <= y) <=> (exp(x) <= exp(y))",
    "strictly_ordered": "for all x, y real: (x < y) <=> (exp(x) < exp(y))",
    "sinh_below_tangent": "for all x real: (0 <= x) => sinh(x) <= x cosh(x)",
    "sinh_of_multiple": "for all x, m real: (0 <= x and 1 <= m) => m sinh(x) <= sinh(m x)",
    "tanh_of_multiple": (
        "for all x, m real: (0 <= x and 1 <= m) => sinh(m x) cosh(x) <= m sinh(x) cosh(m x)"
    ),
}


@pytest.mark.parametrize("name", LEMMAS)
def test_a_lemma_is_proved_without_hypotheses_or_citations(name):
    theorem = getattr(exponentials, name)()
    assert not theorem.hypotheses and not theorem.trusts
    assert str(theorem.conclusion) == LEMMAS[name]


@pytest.mark.parametrize("name", LEMMAS)
@pytest.mark.parametrize("x", [-3, -1, 0, 1, 4])
@pytest.mark.parametrize("m", [1, 2, 3])
def test_no_small_point_falsifies_a_lemma(name, x, m):
    statement = node(getattr(exponentials, name)().conclusion)
    names, inside = [], statement
    while inside.head == "forall":
        names.append(inside.args[0])
        inside = inside.args[1]
    point = {k: fmpq(v) for k, v in zip(names, (x, m), strict=False)}
    with at_precision():
        assert not falsifies(statement, point)


def test_a_cubic_that_is_too_large_is_falsified():
    x = exponentials.variable("x", exponentials.Real)
    wrong = kernel.assume(exponentials.Le(1 + x + x**2, exponentials.exp(x))).conclusion
    with at_precision():
        assert falsifies(language.ForAll(x, wrong), {x: fmpq(1)})


def test_the_envelope_lies_below_its_tangent_on_both_sides():
    """Only the premises that the lemma names are left, and nothing is cited."""
    for lemma, count in ((concavity.ahead(), 4), (concavity.behind(), 5)):
        assert len(lemma.hypotheses) == count and not lemma.trusts
        assert lemma.conclusion.head == "le"
