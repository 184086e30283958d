"""Proofs of `theory.unitary.chunks`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from posproof.proofs_check import kernel, language
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Node, substitute
from posproof.proofs_check.search import (
    prove_by_substitution,
    prove_identity,
    prove_order,
)
from posproof.theory.symbols import Variable
from posproof.theory.unitary import chunks as statements
from posproof.theory.unitary.chunks import ASSOCIATIVITY, Associativity
from posproof.theory.unitary.frames import Complex
from posproof.theory.unitary.words import L
from posproof.theory.vocabulary import (
    And,
    Implies,
    Int,
    Le,
    Lt,
    Prop,
    control,
    proves,
)

node = T.node


def step_of(premise: Node, which: int, at: Any, inside: Theorem) -> list[Theorem]:
    """One step of the products, from the premise of a clause."""
    return T.parts(T.apply(kernel.assume(premise.args[which]), [at], inside))


FIRST_STEP, SECOND_STEP = 16, 17


def _composed(of: Associativity) -> Theorem:
    """products, s + j <= L |- the first s + j tokens are the first s and the next j."""
    s, j = statements.offset, statements.length
    premise = And(*of.products())
    held = node(premise)

    def cells(at: Any) -> Prop:
        whole = statements.PREFIX(s) @ statements.SEGMENT(at)
        return And(*statements.cells(statements.PREFIX(s + at), whole))

    def pattern(at: Any) -> Prop:
        return Implies(Le(s + at, L), cells(at))

    more = Le(s + j + 1, L)
    inside = prove_order(Lt(s + j, L), [more])
    known = T.apply(T.assume(pattern(j)), [], prove_order(Le(s + j, L), [more]))
    first = step_of(held, FIRST_STEP, s + j, inside)
    second = step_of(held, SECOND_STEP, j, prove_order(Lt(j, L), [more]))
    facts = [*first, *second, *T.parts(known)]
    goals = node(cells(j + 1)).args
    step = T.both(*(prove_by_substitution(g, [f.conclusion for f in facts]) for g in goals))
    step = T.implication(T.discharge(step, *facts), more)
    grown = node(j) + 1
    hole = Variable("h", Int(0))
    step = T.transport(pattern(hole), hole, prove_identity(language.Eq(grown, node(j + 1))), step)

    start = node(T.instance(pattern(j), j, 0))
    begin = [kernel.assume(part) for part in held.args[8:16]]
    zero = prove_identity(language.Eq(start.args[0].args[0], node(s)))
    shape = node(
        And(
            *statements.cells(statements.PREFIX(hole), statements.PREFIX(s) @ statements.SEGMENT(0))
        )
    )
    base = T.both(
        *(
            prove_by_substitution(part, [b.conclusion for b in begin])
            for part in substitute(shape, {node(hole): node(s)}).args
        )
    )
    base = T.transport(shape, hole, zero, base)
    base = T.implication(base, start.args[0])
    return kernel.induct(node(j), node(pattern(j)), base, step)


def _latest_leftmost(product: Complex, token: Complex) -> Complex:
    return token @ product


def _listed(**cells: Sequence[int]) -> dict[str, Any]:
    """Two-letter words of real matrices: every other entry is 0."""
    names = [f"{m}{kind}{i}{j}" for m in "UPQ" for kind in "ri" for i in (0, 1) for j in (0, 1)]
    return dict.fromkeys(names, (0, 0, 0)) | {k: tuple(v) for k, v in cells.items()}


#: U_0 and U_1 are the shears that do not commute, multiplied with the latest leftmost.
SHEARS = {"L": 2, "s": 1, "j": 1, "k": 0} | _listed(
    Ur00=(1, 1, 1),
    Ur01=(1, 0, 0),
    Ur10=(0, 1, 0),
    Ur11=(1, 1, 1),
    Pr00=(1, 1, 1),
    Pr01=(0, 1, 1),
    Pr10=(0, 0, 1),
    Pr11=(1, 1, 2),
    Qr00=(1, 1, 1),
    Qr01=(0, 0, 0),
    Qr10=(0, 1, 1),
    Qr11=(1, 1, 1),
)


@control("latest_leftmost", SHEARS, grown=_latest_leftmost)
@proves(ASSOCIATIVITY, "chunks", "complex 2 x 2 matrices, words of every length")
def chunks(of: Associativity) -> Theorem:
    """By induction on the length of the second chunk."""
    premise, _ = T.inner(statements.chunks(of)).args
    found = T.apply(_composed(of), [], kernel.assume(premise.args[-1]))
    return T.implication(T.unpack(found, premise), premise)


#: The same with quarter turns about different axes, which are unitary.
TURNS = {"L": 2, "s": 1, "j": 1, "k": 0} | _listed(
    Ur00=(0, 0, 0),
    Ur01=(-1, 0, 0),
    Ur10=(1, 0, 0),
    Ui00=(0, 1, 0),
    Ui11=(0, -1, 0),
    Pr00=(1, 0, 0),
    Pr01=(0, -1, 0),
    Pr10=(0, 1, 0),
    Pr11=(1, 0, 0),
    Pi01=(0, 0, -1),
    Pi10=(0, 0, -1),
    Qr00=(1, 0, 0),
    Qr11=(1, 0, 0),
    Qi00=(0, 1, 0),
    Qi11=(0, -1, 0),
)


@control("latest_leftmost", TURNS, grown=_latest_leftmost)
@proves(ASSOCIATIVITY, "segments", "complex 2 x 2 matrices, words of every length")
def segments(of: Associativity) -> Theorem:
    """The prefix cancels from prefix times segment."""
    premise, goal = T.inner(statements.segments(of)).args
    whole = T.parts(
        T.apply(
            _composed(of),
            [],
            prove_order(
                Le(statements.offset + statements.length, L),
                [node(Le(statements.offset + statements.length, L))],
            ),
        )
    )
    unitary = premise.args[19:]
    found = T.both(
        *(prove_by_substitution(part, [w.conclusion for w in whole], unitary) for part in goal.args)
    )
    return T.implication(T.unpack(T.discharge(found, *whole), premise), premise)


def _minus_one(m: Complex) -> Complex:
    size = m.size
    wider = statements.extended(m)
    cells = wider.real.as_mutable()
    cells[size, size] = -1
    return Complex(cells.as_immutable(), wider.imag)


@control("extended_by_minus_one", extended=_minus_one)
@proves(ASSOCIATIVITY, "nested", "complex n x n matrices, n = 1, 2, 3")
def nested(of: Associativity) -> Theorem:
    """Entry by entry."""
    return T.prove_tree(statements.nested(of))


@control("two_n_new_parameters", new_parameters=lambda n: 2 * n)
@proves(ASSOCIATIVITY, "new_parameters")
def new_parameters(of: Associativity) -> Theorem:
    """The square expanded."""
    return prove_identity(T.inner(statements.new_parameters(of)))


@control("the_new_token_does_not_mix", new_angle=(1, 0))
@control("a_shortened_turn", new_angle=(0, 0))
@proves(ASSOCIATIVITY, "mixed", "an example")
def mixed(of: Associativity) -> Theorem:
    """Evaluated exactly."""
    return kernel.ground(node(statements.mixed(of)))
