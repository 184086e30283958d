"""Cited theorems: what can be checked of them is, and a false premise buys nothing."""

from __future__ import annotations

import pytest
import sympy

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.evaluate import at_precision, truth
from posproof.proofs_check.language import Lt, free_variables, num, pi
from posproof.proofs_check.search import prove_identity
from posproof.theory.trusted import CITED
from posproof.theory.vocabulary import Eq, ForAll, Trust

INSTANCES = [(name, k) for name, c in CITED.items() for k in range(len(c.instances))]


def _decided(name: str, values: dict) -> bool | None:
    with at_precision():
        return truth(T.node(CITED[name].consequence(**values)), {})


@pytest.mark.parametrize(("name", "k"), INSTANCES)
def test_an_instance_of_a_cited_theorem_holds_in_balls(name: str, k: int) -> None:
    assert _decided(name, dict(CITED[name].instances[k])) is True


def test_every_cited_theorem_has_an_instance_and_a_reference() -> None:
    assert CITED
    assert all(c.instances and c.reference for c in CITED.values())


def test_the_hypotheses_hold_at_the_instances() -> None:
    for values in CITED["pi_is_transcendental"].instances:
        assert sympy.minimal_polynomial(values["theta"], sympy.Symbol("x")).is_polynomial()
        assert values["p"] and values["q"]
    for values in CITED["kronecker_in_one_dimension"].instances:
        assert sympy.degree(sympy.minimal_polynomial(values["alpha"], sympy.Symbol("x"))) > 1


def test_a_misprinted_instance_is_noticed() -> None:
    values = dict(CITED["kronecker_in_one_dimension"].instances[0])
    assert _decided("kronecker_in_one_dimension", values | {"p": values["p"] + 1}) is False
    values = dict(CITED["pi_is_transcendental"].instances[0])
    coincides = values | {"theta": sympy.pi, "q": values["p"]}
    assert _decided("pi_is_transcendental", coincides) is False


def test_lindemann_asks_for_an_algebraic_number() -> None:
    one = num(1)
    algebraic = kernel.algebraic(one, prove_identity(Eq(one**1, 1)))
    with pytest.raises(kernel.Rejected):
        T.apply(kernel.cite("pi_is_transcendental"), [pi], algebraic)
    with pytest.raises(kernel.Rejected):
        kernel.algebraic(pi, prove_identity(Eq(pi**1, pi)))


def test_kronecker_asks_for_an_irrational_number() -> None:
    dense = T.apply(kernel.cite("kronecker_in_one_dimension"), [num(2), num(0), num(1)])
    with pytest.raises(kernel.Rejected):
        kernel.modus(dense, kernel.ground(Lt(0, num(1))))


@pytest.mark.parametrize("name", sorted(CITED))
def test_a_cited_theorem_is_a_closed_proposition_and_leaves_its_name(name: str) -> None:
    statement = CITED[name].statement
    assert isinstance(statement, ForAll)
    assert not free_variables(T.node(statement))
    assert kernel.cite(name).trusts == {Trust("cited", name)}
    assert not kernel.cite(name).hypotheses


def test_an_unknown_name_is_not_cited() -> None:
    with pytest.raises(kernel.Rejected):
        kernel.cite("every_number_is_algebraic")
