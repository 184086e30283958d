"""Proof steps that look for their own certificates.  Nothing here is trusted.

Main definitions
----------------
prove_identity        an equation by ideal membership
prove_by_substitution the same where some equations define what occurs in the others
prove_contradiction   anything, from equations that cannot all hold
prove_nonneg          an inequality from a form whose sign can be read off
prove_order           an inequality as a combination of products of the hypotheses
prove_same            an equation that polynomials read like one entry of another
prove_by_induction    a statement for all n >= k: base and step by `prove_identity`
prove_free            an equation of operators by rewriting
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from posproof.proofs_check import kernel
from posproof.proofs_check.algebra import ONE, ZERO, Problem, Unsupported, free_polynomial, problem
from posproof.proofs_check.kernel import Rejected, Theorem
from posproof.proofs_check.language import FALSUM, Node, num, substitute
from posproof.proofs_check.search.ideals import Undecided, certificates, divided
from posproof.proofs_check.search.orders import order_form
from posproof.proofs_check.translate import node


def prove_identity(goal: Any, given: Sequence[Any] = ()) -> Theorem:
    """An equation of scalars or matrices from equations and non-equations."""
    equation, facts = node(goal), [node(h) for h in given]
    return kernel.identity(equation, facts, certificates(_problem(equation, facts)))


def prove_same(goal: Any, given: Any) -> Theorem:
    """An equation each entry of which reads, as a polynomial, like some entry of `given`.

    No basis is computed, so the equations may be long; an entry may have the opposite sign.
    """
    equation, fact = node(goal), node(given)
    found = _problem(equation, [fact])
    lines = []
    for target in found.targets:
        signs = [int(r == target) - int(r == -target) for r in found.relations]
        place = next((i for i, sign in enumerate(signs) if sign), None)
        if place is None and target != 0:
            raise Undecided("the given equation has no such entry")
        lines.append([signs[i] * ONE if i == place else ZERO for i in range(len(signs))])
    powers = (0,) * len(found.nonzero)
    return kernel.identity(
        equation, [fact], [kernel.Certificate(powers, tuple(line)) for line in lines]
    )


def prove_by_substitution(
    goal: Any, definitions: Sequence[Any], given: Sequence[Any] = ()
) -> Theorem:
    """An equation from definitions `atom = term`, replaced in order, then from rewriting rules.

    For equations in so many unknowns that completing them to a basis would not end.
    """
    equation, defined = node(goal), [node(h) for h in definitions]
    # Named first, the atoms that are defined get the generators of lowest index.
    order = [Node("eq", (h.args[0], h.args[0])) for h in defined]
    facts = [*order, *(node(h) for h in given), *defined]
    proof = kernel.identity(equation, facts, divided(_problem(equation, facts), len(defined)))
    for trivial in order:
        proof = kernel.cut(prove_identity(trivial), proof)
    return proof


def prove_contradiction(given: Sequence[Any], conclusion: Any = FALSUM) -> Theorem:
    """`conclusion` (0 < 0 unless told) from equations and non-equations that exclude each other."""
    facts = [node(h) for h in given]
    return kernel.contradiction(node(conclusion), facts, certificates(_problem(None, facts)))


def prove_nonneg(goal: Any, form: Any, given: Sequence[Any] = ()) -> Theorem:
    """`a <= b` or `a < b` because b - a equals `form`."""
    relation, shape, facts = node(goal), node(form), [node(h) for h in given]
    small, large = relation.args
    difference = Node("eq", (large - small, shape))
    equations = [h for h in facts if (h.args[0] if h.head == "not" else h).head == "eq"]
    found = certificates(_problem(difference, equations))
    try:
        return kernel.nonneg(relation, shape, facts, found)
    except Rejected as reason:
        raise Undecided(str(reason)) from reason


def prove_order(
    goal: Any, given: Sequence[Any] = (), hints: Sequence[Any] = (), degree: int = 2
) -> Theorem:
    """An inequality of polynomials from inequalities and equations; `hints` have visible sign.

    Give 0 < 0 as the goal to show that the hypotheses exclude each other.
    """
    relation, facts = node(goal), [node(h) for h in given]
    return prove_nonneg(
        relation, order_form(relation, facts, degree, [node(h) for h in hints]), facts
    )


def prove_by_induction(n: Any, statement: Any, given: Sequence[Any] = ()) -> Theorem:
    """Base and step of an equation by algebra, `given` being available in both."""
    name, equation = node(n), node(statement)
    base = prove_identity(substitute(equation, {name: num(name.args[1].lower)}), given)
    step = prove_identity(substitute(equation, {name: name + 1}), (*given, equation))
    return kernel.induct(name, equation, base, step)


def prove_each(statement: Any, prove: Callable[[Node], Theorem]) -> Theorem:
    """Every part of a (quantified) conjunction by `prove`, joined."""
    parts = node(statement)
    while parts.head == "forall":
        parts = parts.args[1]
    proofs = [prove(part) for part in (parts.args if parts.head == "and" else (parts,))]
    return kernel.conjunction(*proofs) if len(proofs) > 1 else proofs[0]


def _problem(goal: Node | None, given: Sequence[Node]) -> Problem:
    try:
        return problem(goal, given)
    except Unsupported as reason:
        raise Undecided(str(reason)) from reason


# ---------------------------------------------------------------------- free algebra
def prove_free(goal: Any, given: Sequence[Any] = ()) -> Theorem:
    """Rewrite with the hypotheses and keep the trace as the certificate.

    A hypothesis whose left side is one atom that the right side does not mention defines that atom
    and removes it; any other one removes its largest word.
    """
    goal, given = node(goal), [node(h) for h in given]
    rules = []
    for j, h in enumerate(given):
        poly = free_polynomial(h.args[0] - h.args[1])
        if poly:
            lead = _defined(h, poly) or max(poly, key=_word_order)
            rules.append((lead, poly[lead], j, poly))
    remainder = dict(free_polynomial(goal.args[0] - goal.args[1]))
    trace: list[tuple[Fraction, tuple[Node, ...], int, tuple[Node, ...]]] = []
    for _ in range(200):
        step = next(_rewrites(remainder, rules), None)
        if step is None:
            break
        word, at, (lead, scale, j, poly) = step
        factor = remainder[word] / scale
        before, after = word[:at], word[at + len(lead) :]
        trace.append((factor, before, j, after))
        for w, c in poly.items():
            key = (*before, *w, *after)
            remainder[key] = remainder.get(key, Fraction(0)) - factor * c
        remainder = {w: c for w, c in remainder.items() if c}
    if remainder:
        raise Undecided("the operators do not reduce to each other")
    return kernel.free_identity(goal, given, trace)


def _defined(equation: Node, poly: dict) -> tuple[Node, ...] | None:
    """The atom that an equation defines, as a word."""
    left = list(free_polynomial(equation.args[0]))
    if len(left) != 1 or len(left[0]) != 1 or left[0] not in poly:
        return None
    once = sum(word.count(left[0][0]) for word in poly) == 1
    return left[0] if once else None


def _word_order(word: tuple[Node, ...]) -> tuple[int, str]:
    return len(word), repr(word)


def _rewrites(remainder: dict, rules: list) -> Iterator[tuple]:
    for word in remainder:
        for rule in rules:
            lead = rule[0]
            for at in range(len(word) - len(lead) + 1):
                if word[at : at + len(lead)] == lead:
                    yield word, at, rule
