"""Proofs of `theory.unitary.blind_spots`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from posproof.proofs_check import kernel, language
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Node
from posproof.proofs_check.search import (
    prove_by_substitution,
    prove_each,
    prove_identity,
    prove_order,
)
from posproof.proofs_check.unitary.chunks import step_of
from posproof.theory.symbols import Variable
from posproof.theory.unitary import blind_spots as statements
from posproof.theory.unitary.blind_spots import BLIND_SPOTS, BlindSpots
from posproof.theory.unitary.words import L, Quaternion
from posproof.theory.vocabulary import (
    And,
    Eq,
    Exists,
    Implies,
    Int,
    Le,
    Lt,
    Prop,
    Real,
    control,
    proves,
)

node = T.node
m, n = Variable("m", Int(0)), Variable("n", Int(0))


@control("permanent", determinant=statements.unsigned)
@proves(BLIND_SPOTS, "determinants", "complex n x n matrices, n = 1, 2, 3")
def determinants(of: BlindSpots) -> Theorem:
    """Both sides expanded."""
    return T.prove_tree(statements.determinants(of))


def _repeated(first: Any, second: Any) -> tuple[Any, Any]:
    return second, second


@control("one_matrix_twice", turned=_repeated)
@proves(BLIND_SPOTS, "cyclic_trace")
def cyclic_trace(of: BlindSpots) -> Theorem:
    """The order of two finite sums."""

    def exchanged(goal: Node) -> Theorem:
        left, _ = goal.args
        turned = kernel.exchange(left)
        return T.discharge(prove_identity(goal, [turned.conclusion]), turned)

    return prove_each(statements.cyclic_trace(of), exchanged)


def _third_letter(letter: Any, p: Quaternion, q: Quaternion) -> Quaternion:
    """A letter 2 outside the plane of the other two."""
    *others, last = statements.between(letter, p, q)
    return (*others, last + letter * (letter - 1))


def _spelt(word: Sequence[int], between: Callable[..., Quaternion]) -> dict[str, Any]:
    """A point of the clause: p = 1 + 2 i, q = 1 + 2 j, and the partial products both ways."""
    p, q = (1, 2, 0, 0), (1, 0, 2, 0)
    forward: list[Quaternion] = [(1, 0, 0, 0)]
    backward: list[Quaternion] = [(1, 0, 0, 0)]
    for letter in word:
        token = between(letter, p, q)
        forward.append(statements.times(forward[-1], token))
        backward.append(statements.times(token, backward[-1]))
    point: dict[str, Any] = {"L": len(word), "k": 0, "l": tuple(word)}
    point |= {f"p{index}": part for index, part in enumerate(p)}
    point |= {f"q{index}": part for index, part in enumerate(q)}
    for names, products in (("abcd", forward), ("pqrs", backward)):
        point |= {name: tuple(q[i] for q in products) for i, name in enumerate(names)}
    return point


@control("third_letter", _spelt((1, 0, 2), _third_letter), between=_third_letter)
@proves(BLIND_SPOTS, "two_letters")
def two_letters(of: BlindSpots) -> Theorem:
    """Both products are c0 + c1 p + c2 q + c3 (p q or q p), with the same coefficients."""
    premise, _ = T.inner(statements.two_letters(of)).args
    p, q = statements.TWO
    forward, backward = statements.FORWARD.product, statements.BACKWARD.product
    there, back = of.times(p, q), of.times(q, p)

    def combined(c: Sequence[Any], pair: Quaternion) -> list[Any]:
        one = (1, 0, 0, 0)
        return [
            c[0] * e + c[1] * a + c[2] * b + c[3] * ab
            for e, a, b, ab in zip(one, p, q, pair, strict=True)
        ]

    def combination(at: Any) -> Prop:
        parts = [
            *map(Eq, forward(at), combined(COEFFICIENTS, there)),
            *map(Eq, backward(at), combined(COEFFICIENTS, back)),
        ]
        return Exists(COEFFICIENTS, And(*parts))

    def pattern(at: Any) -> Prop:
        return Implies(Le(at, L), combination(at))

    more = Le(n + 1, L)
    inside = prove_order(Lt(n, L), [more])
    steps = [*step_of(premise, 8, n, inside), *step_of(premise, 9, n, inside)]
    known = T.apply(T.assume(pattern(n)), [], prove_order(Le(n, L), [more]))
    held = [
        *map(Eq, forward(n), combined(COEFFICIENTS, there)),
        *map(Eq, backward(n), combined(COEFFICIENTS, back)),
    ]
    facts = [*(step.conclusion for step in steps), *held]
    grown = _grown(COEFFICIENTS, statements.LETTER(n))
    found = T.exists_all(combination(n + 1), grown, lambda part: prove_by_substitution(part, facts))
    found = T.choose_all(COEFFICIENTS, And(*held), found)
    step = T.implication(T.discharge(found, known, *steps), more)
    ahead = prove_identity(language.Eq(node(n) + 1, node(n + 1)))
    step = T.transport(pattern(m), m, ahead, step)

    begin = list(premise.args[:8])
    start = T.exists_all(
        combination(0), (1, 0, 0, 0), lambda part: prove_by_substitution(part, begin)
    )
    whole = kernel.induct(node(n), node(pattern(n)), T.implication(start, Le(0, L)), step)
    whole = T.apply(kernel.specialise(whole, {node(n): node(L)}), [], prove_order(Le(L, L)))
    held = [
        *map(Eq, forward(L), combined(COEFFICIENTS, there)),
        *map(Eq, backward(L), combined(COEFFICIENTS, back)),
    ]
    same = prove_by_substitution(Eq(forward(L)[0], backward(L)[0]), [held[0], held[4]])
    same = T.choose_all(COEFFICIENTS, And(*held), same)
    return T.implication(T.unpack(T.discharge(same, whole), premise), premise)


COEFFICIENTS = tuple(Variable(f"c{index}", Real) for index in range(4))


def _grown(c: Sequence[Any], letter: Any) -> list[Any]:
    """The coefficients after one more letter: p where `letter` is 1, q where it is 0.

    p^2 = 2 p0 p - |p|^2, q p = 2 q0 p + 2 p0 q - 2 g - p q with g = <p, q>, and what follows.
    """
    p, q = statements.TWO
    g = sum(a * b for a, b in zip(p, q, strict=True))
    P, Q = sum(a**2 for a in p), sum(a**2 for a in q)
    with_p = (
        -c[1] * P - 2 * g * c[2] - 2 * q[0] * P * c[3],
        c[0] + 2 * p[0] * c[1] + 2 * q[0] * c[2] + (4 * p[0] * q[0] - 2 * g) * c[3],
        2 * p[0] * c[2] + P * c[3],
        -c[2],
    )
    with_q = (-c[2] * Q, -Q * c[3], c[0] + 2 * q[0] * c[2], c[1] + 2 * q[0] * c[3])
    return [letter * a + (1 - letter) * b for a, b in zip(with_p, with_q, strict=True)]


@control("two_letters_only", third=(1, 2, 0, 0))
@proves(BLIND_SPOTS, "three_letters", "an example")
def three_letters(of: BlindSpots) -> Theorem:
    """Evaluated exactly: -7 and 9."""
    return kernel.ground(node(statements.three_letters(of)))


#: Two reflections of the plane whose product is not symmetric.
MIRRORS: dict[str, Any] = {"L": 2, "k": 0} | {
    f"{m}{kind}{i}{j}": (0, 0, 0) for m in "UPR" for kind in "ri" for i in (0, 1) for j in (0, 1)
}
MIRRORS |= {
    "Ur00": (1, 0), "Ur01": (0, 1), "Ur10": (0, 1), "Ur11": (-1, 0),
    "Pr00": (1, 1, 0), "Pr01": (0, 0, 1), "Pr10": (0, 0, -1), "Pr11": (1, -1, 0),
    "Rr00": (1, 1, 0), "Rr01": (0, 0, -1), "Rr10": (0, 0, 1), "Rr11": (1, -1, 0),
}  # fmt: skip


@control("not_transposed", MIRRORS, reflected=lambda m: m)
@proves(BLIND_SPOTS, "symmetric", "complex 2 x 2 matrices, words of every length")
def symmetric(of: BlindSpots) -> Theorem:
    """By induction: U R = (P U)^T for R = P^T and U = U^T."""
    premise, _ = T.inner(statements.symmetric(of)).args

    def cells(at: Any) -> Prop:
        return And(*statements.cells(statements.REVERSED(at), of.reflected(statements.PREFIX(at))))

    def pattern(at: Any) -> Prop:
        return Implies(Le(at, L), cells(at))

    more = Le(n + 1, L)
    inside = prove_order(Lt(n, L), [more])
    steps = [fact for which in (16, 17, 18) for fact in step_of(premise, which, n, inside)]
    known = T.apply(T.assume(pattern(n)), [], prove_order(Le(n, L), [more]))
    facts = [*steps, *T.parts(known)]
    conclusions = [fact.conclusion for fact in facts]
    goals = node(cells(n + 1)).args
    step = T.both(*(prove_by_substitution(goal, conclusions) for goal in goals))
    step = T.implication(T.discharge(step, *facts), more)
    ahead = prove_identity(language.Eq(node(n) + 1, node(n + 1)))
    step = T.transport(pattern(m), m, ahead, step)
    begin = list(premise.args[:16])
    start = T.both(*(prove_by_substitution(goal, begin) for goal in node(cells(0)).args))
    whole = kernel.induct(node(n), node(pattern(n)), T.implication(start, Le(0, L)), step)
    whole = T.apply(kernel.specialise(whole, {node(n): node(L)}), [], prove_order(Le(L, L)))
    return T.implication(T.unpack(whole, premise), premise)
