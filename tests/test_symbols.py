"""Symbols and sequences are what their name and domain say, whatever was built before them."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from posproof.proofs_check.translate import node
from posproof.theory.symbols import Variable, sequence
from posproof.theory.vocabulary import Domain, Eq, Finite, Int, Integer, Positive, Rational, Real

DOMAINS = (Real, Positive, Rational, Integer, Int(0), Int(1), Finite((0, 1)))
n = Variable("n", Int(0))


@pytest.mark.parametrize(("first", "second"), list(permutations(DOMAINS, 2)))
def test_sequences_of_one_name_and_two_domains_differ(first: Domain, second: Domain) -> None:
    one, other = sequence("a", first), sequence("a", second)
    assert one != other
    assert one == sequence("a", first) and hash(one) == hash(sequence("a", first))
    assert one(n) != other(n)
    assert one(n) == sequence("a", first)(n)


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from(DOMAINS)), min_size=2))
def test_a_value_keeps_the_domain_of_its_sequence(built: list[tuple[str, Domain]]) -> None:
    for name, domain in built:
        assert sequence(name, domain)(n + 1).func.domain == domain
        assert node(sequence(name, domain)(n + 1)).args[:2] == (name, domain)


def test_translation_does_not_depend_on_what_was_translated_before() -> None:
    def square(domain: Domain) -> object:
        a, b = sequence("a", domain), sequence("b", domain)
        return node(Eq((a(n) + b(n)) ** 2, a(n) * b(n) * 2))

    whole = square(Integer)
    square(Real)
    assert square(Integer) == whole
    assert square(Real) != whole


def test_a_sum_of_namesakes_does_not_depend_on_their_order() -> None:
    real, whole = sequence("a", Real)(n), sequence("a", Integer)(n)
    assert node(real + whole) == node(whole + real)
    assert node(real * whole) == node(whole * real)
    assert real - whole != 0
