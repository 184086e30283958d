"""Proofs of `theory.unitary.coordinates`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Node
from posproof.proofs_check.search import (
    prove_by_induction,
    prove_by_substitution,
    prove_identity,
)
from posproof.theory.symbols import variables
from posproof.theory.unitary import coordinates as statements
from posproof.theory.unitary.coordinates import (
    DIMENSION,
    HEIGHTS,
    PHASES,
    READ,
    Coordinates,
    c,
    column,
    epsilon,
    length,
    n,
    r,
    s,
    y,
)
from posproof.theory.unitary.frames import Complex, Number, matrix
from posproof.theory.vocabulary import And, Eq, Real, control, proves

node = T.node


def _by_parts(statement: Any, prove: Any) -> Theorem:
    """A conjunction of universal implications: `prove(index, premise parts, goal parts)`."""
    done = []
    for index, part in enumerate(node(statement).args):
        names = []
        while part.head == "forall":
            names.append(part.args[0])
            part = part.args[1]
        premise, goal = part.args
        proof = T.unpack(prove(index, premise.args, goal.args), premise)
        done.append(T.generalise(T.implication(proof, premise), *names))
    return T.both(*done)


@control("one_number_more", added=lambda k: 2 * k + 2)
@control("special_unitary", dimension=lambda n: n**2 - 1)
@proves(DIMENSION, "count")
def count(of: Coordinates) -> Theorem:
    """Column k adds 2 k + 1 numbers, by induction."""
    chain, tangent, *eight = node(statements.count(of)).args
    summed = T.generalise(prove_by_induction(n, chain.args[1]), n)
    flat = T.generalise(prove_identity(tangent.args[1]), n)
    return T.both(summed, flat, *(prove_identity(part) for part in eight))


def _wrong_corner(x: Sequence[Number], height: Any) -> Complex:
    """The last row with the sign of the last column."""
    right = statements.coset(x, height)
    last, size = right.size - 1, right.size

    def flipped(part: Any) -> Any:
        return part.__class__(size, size, lambda i, j: -part[i, j] if i == last > j else part[i, j])

    return Complex(flipped(right.real), flipped(right.imag))


#: A rotation by the angle with cosine 4/5, its coordinates, and the angle as a phase.
TURN = {"xr0": Fraction(3, 5), "y": Fraction(4, 5), "xi0": 0, "c": 1, "s": 0}
TURN |= {f"U{part}{i}{j}": 0 for part in "ri" for i in range(2) for j in range(2)}
TURN |= {"Ur00": Fraction(4, 5), "Ur11": Fraction(4, 5)}
TURN |= {"Ur01": Fraction(3, 5), "Ur10": Fraction(-3, 5)}
PHASE = TURN | {"xr0": 0, "y": 1, "c": Fraction(3, 5), "s": Fraction(4, 5), "Ur00": 1}
PHASE |= {"Ur11": Fraction(3, 5), "Ui11": Fraction(4, 5), "Ur01": 0, "Ur10": 0}
UNIT = {"epsilon": Fraction(3, 5), "r": Fraction(4, 5), "c1": 1, "s1": 0, "c2": -1, "s2": 0}
UNIT |= {"y1": Fraction(3, 5), "y2": Fraction(3, 5), "ui0": 0, "vi0": 0}
UNIT |= {"ur0": Fraction(4, 5), "vr0": Fraction(-4, 5)}


@control("last_row_not_negated", TURN, coset=_wrong_corner)
@proves(DIMENSION, "unitary_coset", "x in C^k, k = 1, 2, 3")
def unitary_coset(of: Coordinates) -> Theorem:
    """|x|^2 = (1 - y)(1 + y)."""

    def prove(_: int, premise: Sequence[Node], goals: Sequence[Node]) -> Theorem:
        return T.both(*(prove_identity(goal, premise) for goal in goals))

    return _by_parts(statements.unitary_coset(of), prove)


@lru_cache
def _phase_cancels() -> Theorem:
    """for all a, b, c, s: (a + i b)(c - i s) = 0 and c^2 + s^2 = 1 give a = b = 0."""
    a, b = variables("a b", Real)
    premise = And(Eq(a * c + b * s, 0), Eq(a * s - b * c, 0), Eq(c**2 + s**2, 1))
    facts = [node(part) for part in premise.parts]
    both = T.both(*(prove_identity(Eq(name, 0), facts) for name in (a, b)))
    return T.generalise(T.implication(T.unpack(both, premise), premise), a, b, c, s)


def _inner(m: Complex, n: Complex, i: int, j: int) -> Number:
    """Entry (i, j) of m* n."""
    product = m.adjoint @ n
    return product.real[i, j], product.imag[i, j]


def _last_row(of: Coordinates, size: int, unit: Node, stored: Sequence[Node]) -> list[Theorem]:
    """Below the diagonal the last row of Omega* U vanishes: it is (x, y) times the columns of U."""
    U, x = matrix("U", size), column("x", size - 1)
    last = size - 1
    back, gram = of.coset(x, y).adjoint @ U, U.adjoint @ U
    zeros = []
    for j in range(last):
        a, b = back.real[last, j], back.imag[last, j]
        turned_away = []
        for left, part in (
            (a * c + b * s, gram.real[j, last]),
            (a * s - b * c, gram.imag[j, last]),
        ):
            same = prove_by_substitution(Eq(left, part), stored)
            turned_away.append(T.discharge(_chained(same.conclusion, node(Eq(part, 0))), same))
        zeros += T.parts(
            T.apply(_phase_cancels(), [a, b, c, s], T.both(*turned_away, T.assume(unit)))
        )
    return zeros


def _sign_of_phase_lost(m: Complex, phase: Number) -> Complex:
    return statements.bordered(m, (phase[0], -phase[1]))


@control("phase_conjugated", PHASE, bordered=_sign_of_phase_lost)
@control("last_row_not_negated", TURN, coset=_wrong_corner)
@proves(DIMENSION, "reconstruction", "complex n x n matrices, n = 2, 3")
def reconstruction(of: Coordinates) -> Theorem:
    """Omega* takes the last column to (0, e); what is orthogonal to it has no last entry."""

    def prove(index: int, premise: Sequence[Node], goals: Sequence[Node]) -> Theorem:
        size = index + 2
        cut = 2 + 2 * size
        above, stored, unit, gram = (
            premise[0],
            premise[1 : cut - 1],
            premise[cut - 1],
            premise[cut:],
        )
        sphere = _sphere(size, stored, unit, gram)
        row = _last_row(of, size, unit, stored)
        U, frame = matrix("U", size), of.coset(column("x", size - 1), y)
        back, last, known = frame.adjoint @ U, size - 1, [above, sphere.conclusion]
        proofs = []
        for position, goal in enumerate(goals[: 2 * size**2]):
            (i, j), imag = divmod(position % size**2, size), position >= size**2
            if j == last:
                proofs.append(prove_by_substitution(goal, stored, known))
                continue
            p, q = frame.real[i, last], frame.imag[i, last]
            zeros = row[2 * j : 2 * j + 2]
            proofs.append(_dropped(goal, goal.args[1], zeros, (q, p) if imag else (p, -q), known))
        upper = [(i, j) for i in range(last) for j in range(i, last)]
        pairs = [(*pair, False) for pair in upper]
        pairs += [(i, j, True) for i, j in upper if i < j]
        wholes = _below_last(gram, size)
        for (i, j, imag), goal, whole in zip(pairs, goals[2 * size**2 :], wholes, strict=True):
            p, q = back.real[last, i], back.imag[last, i]
            zeros, left = row[2 * j : 2 * j + 2], whole.args[0]
            same = _dropped(
                T.Eq(goal.args[0], left), left, zeros, (-q, p) if imag else (p, q), known
            )
            proofs.append(T.discharge(_chained(same.conclusion, whole), same))
        return T.discharge(T.both(*proofs), sphere, *row)

    return _by_parts(statements.reconstruction(of), prove)


def _dropped(
    goal: Node,
    whole: Node,
    zeros: Sequence[Theorem],
    weights: tuple[Any, Any],
    given: Sequence[Any],
) -> Theorem:
    """left = whole, because left + p a + q b = whole with a = b = 0; weights are p and q."""
    names = {name: T.real(name) for name in "LRpqab"}
    L, R, p, q, a, b = names.values()
    short = prove_identity(
        T.Eq(L, R), [T.Eq(L + p * a + q * b, R), T.Eq(a, T.num(0)), T.Eq(b, T.num(0))]
    )
    ends = [fact.conclusion.args[0] for fact in zeros]
    values = [goal.args[0], whole, *map(node, weights), *ends]
    short = kernel.specialise(short, dict(zip(names.values(), values, strict=True)))
    longer = prove_identity(short.hypotheses[0], given)
    return T.discharge(short, longer, *zeros)


def _chained(first: Node, second: Node) -> Theorem:
    """a = c from a = b and b = c."""
    a, b, c = (T.real(name) for name in "abc")
    links = prove_identity(T.Eq(a, c), [T.Eq(a, b), T.Eq(b, c)])
    return kernel.specialise(links, {a: first.args[0], b: first.args[1], c: second.args[1]})


def _sphere(size: int, stored: Sequence[Node], unit: Node, gram: Sequence[Node]) -> Theorem:
    """The last column has norm 1, and so have (x, y)."""
    norm = [part for part in gram if part.args[1] == T.num(1)][-1]
    same = prove_by_substitution(
        T.Eq(node(y**2 + length(column("x", size - 1))), norm.args[0]), stored, [unit]
    )
    return T.discharge(_chained(same.conclusion, norm), same)


@control("leap_of_one", UNIT, leap=1)
@proves(DIMENSION, "jump")
def jump(of: Coordinates) -> Theorem:
    """y e = +-epsilon with y > 0 forces e = +-1, and then x = +-r."""
    goal = node(statements.jump(of))
    names = []
    while goal.head == "forall":
        names.append(goal.args[0])
        goal = goal.args[1]
    premise, claims = goal.args
    circle = premise.args[0]
    known: list[Theorem] = []
    for index, (height, phase, x) in enumerate(zip(HEIGHTS, PHASES, READ, strict=True)):
        stored = premise.args[1 + 5 * index : 6 + 5 * index]
        side = 1 - 2 * index
        flat = prove_identity(Eq(phase[1], 0), stored)
        excluded = Eq(phase[0], -side)
        opposite = prove_identity(Eq(height + epsilon, 0), [*stored, excluded])
        never = T.discharge(T.contradict([opposite.conclusion]), opposite)
        apart = T.conclude_not(never, excluded)
        straight = prove_identity(Eq(phase[0], side), [*stored, flat.conclusion, apart.conclusion])
        straight = T.discharge(straight, flat, apart)
        facts = [flat.conclusion, straight.conclusion, *stored]
        there = [
            prove_identity(Eq(part, value), facts)
            for part, value in zip(x[0], (side * r, 0), strict=True)
        ]
        known += [flat, straight, *(T.discharge(fact, flat, straight) for fact in there)]
    given = [circle, *(fact.conclusion for fact in known)]
    proof = T.discharge(T.both(*(prove_identity(part, given) for part in claims.args)), *known)
    return T.generalise(T.implication(T.unpack(proof, premise), premise), *names)


def _below_last(gram: Sequence[Node], size: int) -> list[Node]:
    """The equations of U* U = I between columns before the last one, in their order."""
    upper = [(i, j) for i in range(size) for j in range(i, size)]
    pairs = [*upper, *((i, j) for i, j in upper if i < j)]
    return [part for part, (_, j) in zip(gram, pairs, strict=True) if j < size - 1]
