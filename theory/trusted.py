r"""Textbook theorems this project rests on without proving them: a closed list.

Main definitions
----------------
Cited    statement, reference, and how an instance of it is checked
CITED    the list, by name

Conventions
-----------
Every statement is a proposition of the vocabulary, so a proof uses it like any other theorem, and a
result that does carries its name.  `instances` are values of the outer variables; `consequence`
turns one into closed strict inequalities that balls decide, under hypotheses that hold there.  A
test evaluates them all: it cannot prove the theorem, but it notices a misprint of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sympy import Abs, Rational, log, pi, sqrt
from sympy import Integer as Whole

from posproof.theory.symbols import variables
from posproof.theory.vocabulary import (
    And,
    Exists,
    ForAll,
    Implies,
    Integer,
    Lt,
    Ne,
    Positive,
    Predicate,
    Prop,
    Real,
)

theta, alpha, beta = variables("theta alpha beta", Real)
(epsilon,) = variables("epsilon", Positive)
p, q = variables("p q", Integer)


@dataclass(frozen=True)
class Cited:
    """A theorem of a textbook.

    `instances` are values of the outer variables at which the hypotheses hold, together with the
    values of what is said to exist; `consequence` says what then has to be true.
    """

    statement: Prop
    reference: str
    instances: tuple[Mapping[str, Any], ...]
    consequence: Callable[..., Prop]


def _apart(theta: Any, p: int, q: int) -> Prop:
    """q theta and p pi differ, at an algebraic theta: strictly, so that balls can tell."""
    return Lt(0, Abs(q * theta - p * pi))


def _apart_from_logarithm(theta: Any, p: int, q: int) -> Prop:
    return Lt(0, Abs(q * theta - p * log(2)))


def _near(alpha: Any, beta: Any, epsilon: Any, p: int, q: int) -> Prop:
    return And(Lt(-epsilon, q * alpha - p - beta), Lt(q * alpha - p - beta, epsilon))


CITED: dict[str, Cited] = {
    "pi_is_transcendental": Cited(
        statement=ForAll(
            theta,
            Implies(
                Predicate("algebraic", (theta,)),
                ForAll((q, p), Implies(And(Ne(q, 0), Ne(p, 0)), Ne(q * theta, p * pi))),
            ),
        ),
        reference=(
            "F. Lindemann, Ueber die Zahl pi, Mathematische Annalen 20 (1882) 213-225, "
            "and that quotients of algebraic numbers are algebraic"
        ),
        instances=(
            {"theta": Whole(1), "p": 113, "q": 355},
            {"theta": Whole(1), "p": 33215, "q": 104348},
            {"theta": sqrt(2) + sqrt(3), "p": 1, "q": 1},
            {"theta": Whole(10) ** Rational(-1, 8), "p": -7, "q": 22},
        ),
        consequence=_apart,
    ),
    "logarithm_of_two_is_transcendental": Cited(
        statement=ForAll(
            theta,
            Implies(
                Predicate("algebraic", (theta,)),
                ForAll((q, p), Implies(And(Ne(q, 0), Ne(p, 0)), Ne(q * theta, p * log(2)))),
            ),
        ),
        reference=(
            "F. Lindemann, Ueber die Zahl pi, Mathematische Annalen 20 (1882) 213-225: e^x is "
            "transcendental for algebraic x other than 0; and that quotients of algebraic numbers "
            "are algebraic"
        ),
        instances=(
            {"theta": Whole(1), "p": 13, "q": 9},
            {"theta": Whole(1), "p": 1143, "q": 792},
            {"theta": sqrt(2), "p": 151, "q": 74},
            {"theta": Whole(2) ** Rational(-1, 3), "p": -8, "q": 7},
        ),
        consequence=_apart_from_logarithm,
    ),
    "kronecker_in_one_dimension": Cited(
        statement=ForAll(
            (alpha, beta, epsilon),
            Implies(
                ForAll((q, p), Implies(Ne(q, 0), Ne(q * alpha, p))),
                Exists((q, p), _near(alpha, beta, epsilon, p, q)),
            ),
        ),
        reference=(
            "G. H. Hardy and E. M. Wright, An Introduction to the Theory of Numbers, "
            "6th ed. (Oxford, 2008), chapter XXIII"
        ),
        instances=(
            {"alpha": sqrt(2), "beta": Rational(1, 2), "epsilon": Rational(1, 10), "p": 8, "q": 6},
            {
                "alpha": sqrt(2),
                "beta": Rational(6, 11),
                "epsilon": Rational(1, 50),
                "p": 15,
                "q": 11,
            },
        ),
        consequence=_near,
    ),
}
