"""Complex numbers in discs: what the moduli of sums and products are at most.

Main definitions
----------------
Disc              a complex number as two terms, a bound of its modulus, and the proofs of both
on_circle         the point of an angle, in the unit disc
added, multiplied the disc of a sum and of a product
square            a sum of squares
triangle          |x| <= A and |y| <= B give |x + y| <= A + B
sum_of            the same from proofs of the two

Conventions
-----------
`inside` proves x^2 + y^2 <= A^2 and `sign` proves 0 <= A, both perhaps under hypotheses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from posproof.proofs_check import kernel, language
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Node, Real, variables
from posproof.proofs_check.search import prove_nonneg
from posproof.proofs_check.translate import node


@dataclass(frozen=True)
class Disc:
    """A complex number x + 1j y of modulus at most `bound`."""

    x: Node
    y: Node
    bound: Node
    inside: Theorem
    sign: Theorem


def square(*components: Any) -> Node:
    """The squared length of a vector."""
    first, *others = (node(x) ** 2 for x in components)
    for other in others:
        first = first + other
    return first


@lru_cache
def triangle() -> Theorem:
    """|x|^2 <= A^2 and |y|^2 <= B^2 give |x + y|^2 <= (A + B)^2, A and B not negative."""
    x, v, y, w, alpha, beta = variables("x v y w alpha beta", Real)
    sizes = [language.Le(0, alpha), language.Le(0, beta)]
    inside = [language.Le(square(x, v), alpha**2), language.Le(square(y, w), beta**2)]
    inner, product = x * y + v * w, alpha * beta
    over = language.Lt(product, inner)
    excess = T.margin(over)
    excluded = prove_nonneg(
        language.Lt(0, 0),
        excess**2
        + 2 * alpha * beta * excess
        + T.margin(inside[0]) * beta**2
        + square(x, v) * T.margin(inside[1])
        + (x * w - v * y) ** 2,
        [*sizes, *inside, over],
    )
    goal = language.Le(square(x + y, v + w), (alpha + beta) ** 2)
    below = language.Le(inner, product)
    form = T.margin(inside[0]) + T.margin(inside[1]) + 2 * T.margin(below)
    fits = prove_nonneg(goal, form, [*inside, below])
    return T.compare(product, inner, T.ex_falso(excluded, goal), fits)


@lru_cache
def _product() -> Theorem:
    """|x|^2 <= A^2 and |y|^2 <= B^2 give |x y|^2 <= (A B)^2."""
    x, v, y, w, alpha, beta = variables("x v y w alpha beta", Real)
    inside = [language.Le(square(x, v), alpha**2), language.Le(square(y, w), beta**2)]
    goal = language.Le(square(x * y - v * w, x * w + v * y), (alpha * beta) ** 2)
    form = T.margin(inside[0]) * beta**2 + square(x, v) * T.margin(inside[1])
    return prove_nonneg(goal, form, inside)


def sum_of(first: Theorem, second: Theorem, sizes: Sequence[Theorem]) -> Theorem:
    """|x + y|^2 <= (A + B)^2 from proofs of |x|^2 <= A^2, |y|^2 <= B^2 and 0 <= A, B."""
    parts = []
    for theorem in (first, second):
        left, right = theorem.conclusion.args
        parts.append(([square.args[0] for square in left.args], right.args[0]))
    (x, alpha), (y, beta) = parts
    names = [node(name) for name in variables("x v y w alpha beta", Real)]
    at = dict(zip(names, [*x, *y, alpha, beta], strict=True))
    return T.discharge(kernel.specialise(triangle(), at), first, second, *sizes)


def on_circle(angle: Any) -> Disc:
    """e^(1j angle), of modulus at most 1."""
    c, s, one = language.cos(node(angle)), language.sin(node(angle)), language.num(1)
    inside = prove_nonneg(language.Le(square(c, s), one**2), language.num(0))
    return Disc(c, s, one, inside, prove_nonneg(language.Le(0, one), one))


def _at(lemma: Theorem, first: Disc, second: Disc) -> Theorem:
    names = variables("x v y w alpha beta", Real)
    values = (first.x, first.y, second.x, second.y, first.bound, second.bound)
    theorem = kernel.specialise(lemma, dict(zip(names, values, strict=True)))
    return T.discharge(theorem, first.inside, second.inside, first.sign, second.sign)


def added(first: Disc, second: Disc) -> Disc:
    """The sum, within the sum of the bounds."""
    bound = first.bound + second.bound
    facts = [first.sign.conclusion, second.sign.conclusion]
    sign = prove_nonneg(language.Le(0, bound), bound, facts)
    return Disc(
        first.x + second.x,
        first.y + second.y,
        bound,
        _at(triangle(), first, second),
        T.discharge(sign, first.sign, second.sign),
    )


def multiplied(first: Disc, second: Disc) -> Disc:
    """The product, within the product of the bounds."""
    bound = first.bound * second.bound
    facts = [first.sign.conclusion, second.sign.conclusion]
    sign = prove_nonneg(language.Le(0, bound), bound, facts)
    return Disc(
        first.x * second.x - first.y * second.y,
        first.x * second.y + first.y * second.x,
        bound,
        _at(_product(), first, second),
        T.discharge(sign, first.sign, second.sign),
    )
