"""What the binomial theorem and the vanishing of coefficients say, and what they need."""

from fractions import Fraction
from math import comb, factorial

from flint import fmpq

from posproof.proofs_check import binomials as B
from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.evaluate import truth
from posproof.proofs_check.language import (
    Eq,
    ForAll,
    Implies,
    Lt,
    canonical,
    num,
    power,
    sequence,
    substitute,
    variable,
)
from posproof.theory.vocabulary import Int, Positive

d = variable("d", Int(0))


def f(place):
    return sequence("f", place, Positive)


BEGIN = Eq(f(num(0)), 1)
GROW = ForAll(B.j, Implies(Lt(B.j, d), Eq(f(B.j + 1), (B.j + 1) * f(B.j))))


def powers_in_place():
    """The theorem for the powers of the real numbers x and y."""
    theorem = B.binomial(BEGIN, GROW, d)
    return B.as_powers(B.as_powers(theorem, "X", B.x), "Y", B.y)


def test_only_the_factorials_are_assumed():
    theorem = powers_in_place()
    assert {canonical(h) for h in theorem.hypotheses} == {canonical(h) for h in (BEGIN, GROW)}
    assert not theorem.trusts


def test_the_sum_is_the_power():
    theorem = powers_in_place()
    for n, x, y in ((0, 2, 3), (1, -1, 0), (4, Fraction(1, 2), -3), (6, 0, 5)):
        left = sum(comb(n, k) * x**k * y ** (n - k) for k in range(n + 1))
        assert left == (x + y) ** n
        factorials = tuple(fmpq(factorial(k)) for k in range(n + 2))
        closed = substitute(theorem.conclusion, {d: num(n), B.x: num(x), B.y: num(y)})
        assert truth(closed, {"f": factorials}) is True


def test_powers_of_products():
    assert kernel.same(
        B.power_of_product().conclusion,
        Eq(power(B.x * B.y, B.n), power(B.x, B.n) * power(B.y, B.n)),
    )
    assert not B.power_of_product().hypotheses


def test_coefficients_vanish_without_assumptions():
    theorem = B.no_coefficients("c")
    assert not theorem.hypotheses and not theorem.trusts
    two = T.apply(kernel.specialise(theorem, {B.N: num(2)}), [0])
    premise, goal = two.conclusion.args
    assert kernel.same(premise, ForAll(B.t, B.polynomial("c", num(2), num(0), B.t)))
    assert goal.head == "forall"


def test_a_shifted_sum_keeps_its_first_term():
    theorem = B.shifted(lambda place: place * place + 1, B.n)
    left, right = theorem.conclusion.args
    for n in range(4):
        values = [substitute(side, {B.n: num(n)}) for side in (left, right)]
        assert truth(Eq(*values), {}) is True
