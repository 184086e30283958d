"""cite: the closed list and nothing else, and what rests on it says so."""

from __future__ import annotations

import pytest
from statements import k, x, y

from posproof.proofs_check import kernel
from posproof.proofs_check.kernel import Rejected, establishes
from posproof.proofs_check.language import Eq, power, sequence
from posproof.proofs_check.translate import node
from posproof.theory.trusted import CITED
from posproof.theory.vocabulary import Domain, Rational, Trust


@pytest.mark.parametrize("name", sorted(CITED))
def test_a_citation_leaves_its_name_on_everything_built_from_it(name: str) -> None:
    theorem = kernel.cite(name)
    assert establishes(theorem, node(CITED[name].statement))
    joined = kernel.conjunction(theorem, kernel.excluded_middle(Eq(x, y)))
    assert joined.trusts == {Trust("cited", name)}


@pytest.mark.parametrize("name", sorted(CITED))
def test_a_false_premise_gets_nothing_out_of_a_citation(name: str) -> None:
    """Its conclusion is out of reach without a proof of the premise itself."""
    theorem = kernel.cite(name)
    while theorem.conclusion.head == "forall":
        theorem = kernel.instantiate(theorem, theorem.conclusion.args[0])
    assert theorem.conclusion.head == "implies"
    for other in (kernel.excluded_middle(Eq(x, y)), kernel.assume(Eq(x, x))):
        with pytest.raises(Rejected):
            kernel.modus(theorem, other)


def test_no_free_text_is_cited() -> None:
    with pytest.raises(Rejected):
        kernel.cite("two is three")


@pytest.mark.parametrize(
    ("t", "rational"),
    [
        (sequence("s", 0, Rational), True),
        (sequence("s", 0), False),
        (x / k, False),
        (k / (k + 1) - 2, True),
        (k**3, True),
        (power(k, k), True),
        (power(x, k), False),
        (power(k, x), False),
        (x**3, False),
    ],
    ids=str,
)
def test_what_is_visibly_rational(t, rational: bool) -> None:
    assert kernel.rational(t) is rational


def test_nothing_belongs_to_an_unknown_domain() -> None:
    assert not kernel.belongs(x, Domain("nothing"), ())
