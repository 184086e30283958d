"""The proof kernel: theorems can be made only by the rules of this file.

Main definitions
----------------
Theorem       hypotheses |- conclusion, with the rule and premises it came from
Certificate   why a polynomial vanishes; found elsewhere, checked here
identity, nonneg, contradiction, cases, induct, induct_sequences, induct_words, induct_swaps,
induct_walks, enclosure, exhaust, pigeonhole, dimension, ground, refute, cite, and logical plumbing
establishes   whether a theorem says what a clause says

Conventions
-----------
Free variables of a theorem are universally quantified over the domain they carry, over hypotheses
and conclusion together.  `assert`-like checks raise `Rejected`; a rule returns a theorem or raises.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import InitVar, dataclass
from fractions import Fraction
from typing import Any, NamedTuple
from weakref import WeakSet

from flint import arb, fmpq

from posproof.proofs_check.algebra import (
    ZERO,
    Poly,
    Unsupported,
    displacement,
    free_polynomial,
    is_integral,
    is_matrix,
    lowest,
    problem,
    word_normal,
)
from posproof.proofs_check.evaluate import at_precision, falsifies, truth
from posproof.proofs_check.language import (
    BINDERS,
    FALSUM,
    And,
    Domain,
    Eq,
    Exists,
    ForAll,
    Iff,
    Implies,
    Int,
    Integer,
    Le,
    Letter,
    Lt,
    Malformed,
    Node,
    Not,
    Opaque,
    Operator,
    Or,
    Real,
    SameContent,
    SamePlace,
    Word,
    append,
    back,
    canonical,
    concat,
    cos,
    empty,
    exp,
    free_variables,
    fresh_variable,
    isometry,
    norm,
    num,
    operator_names,
    pi,
    predicate,
    sequence,
    sequence_names,
    sin,
    sort,
    substitute,
    total,
    variable,
)
from posproof.theory.vocabulary import Trust


class Rejected(Exception):
    """A rule was applied to premises that do not fit it."""


_SEAL = object()
_MADE: WeakSet[Theorem] = WeakSet()


@dataclass(frozen=True, eq=False)
class Theorem:
    """hypotheses |- conclusion."""

    hypotheses: tuple[Node, ...]
    conclusion: Node
    trusts: frozenset[Trust]
    rule: str
    premises: tuple[Theorem, ...]
    detail: Any = None
    seal: InitVar[object] = None  # an InitVar, so that dataclasses.replace cannot forge

    def __post_init__(self, seal: object) -> None:
        if seal is not _SEAL:
            raise Rejected("theorems are made by the rules of the kernel")
        _MADE.add(self)

    def __init_subclass__(cls) -> None:
        raise Rejected("theorems are made by the rules of the kernel")


def genuine(theorem: Any) -> bool:
    """Whether a rule of this process made the theorem: copies and look-alikes do not count."""
    return type(theorem) is Theorem and theorem in _MADE


def _theorem(
    hypotheses: Sequence[Node],
    conclusion: Node,
    rule: str,
    *premises: Theorem,
    detail: Any = None,
    trusts: frozenset[Trust] = frozenset(),
) -> Theorem:
    _require(all(genuine(p) for p in premises), "a premise was not made by the kernel")
    try:
        _require(all(sort(p) == "prop" for p in (*hypotheses, conclusion)), "not propositions")
    except Malformed as reason:
        raise Rejected(str(reason)) from reason
    distinct = tuple({canonical(h): h for h in hypotheses}.values())
    trusts = trusts.union(*(p.trusts for p in premises))
    return Theorem(distinct, conclusion, trusts, rule, premises, detail, _SEAL)


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise Rejected(message)


def same(a: Node, b: Node) -> bool:
    """Equal up to the names of bound variables."""
    return canonical(a) == canonical(b)


def _without(hypotheses: Sequence[Node], *removed: Node) -> tuple[Node, ...]:
    gone = {canonical(r) for r in removed}
    return tuple(h for h in hypotheses if canonical(h) not in gone)


def _all_hypotheses(*theorems: Theorem) -> tuple[Node, ...]:
    return tuple(h for t in theorems for h in t.hypotheses)


def _not_free(name: Node, props: Sequence[Node]) -> None:
    _require(all(name not in free_variables(p) for p in props), f"{name.args[0]} is not arbitrary")


# ---------------------------------------------------------------------- signs
class Sign(NamedTuple):
    nonneg: bool
    nonzero: bool


def sign(node: Node, facts: Sequence[Node]) -> Sign:
    """What the shape of a term and the facts say about its sign; False means "not known"."""
    known = [_fact_about(node, f) for f in facts]
    shape = _shape(node, facts)
    return Sign(
        shape.nonneg or any(k.nonneg for k in known), shape.nonzero or any(k.nonzero for k in known)
    )


def _fact_about(node: Node, fact: Node) -> Sign:
    """`0 <= t`, `a <= b` (about b - a), `0 < t`, `t != 0` and `a != b` (about a - b)."""
    negated = fact.head == "not"
    relation, pair = (fact.args[0].head, fact.args[0].args) if negated else (fact.head, fact.args)
    if relation not in ("le", "lt", "eq"):
        return Sign(False, False)
    small, large = pair
    if negated and relation == "eq":
        return Sign(False, _is_difference(node, small, large))
    about = _is_difference(node, large, small)
    known = about and not negated and relation in ("le", "lt")
    return Sign(known, known and relation == "lt")


def _is_difference(node: Node, large: Node, small: Node) -> bool:
    """Whether a term is `large - small` as it is written, or `large` where `small` is 0."""
    return node == large and small == num(0) or node.head == "sub" and node.args == (large, small)


def _shape(node: Node, facts: Sequence[Node]) -> Sign:
    match node.head, node.args:
        case "num", (value,):
            return Sign(value >= 0, value != 0)
        case "pi" | "exp" | "cosh", _:
            return Sign(True, True)
        case "var", (_, domain):
            low = lowest(domain)
            positive = domain.kind == "positive" or (low is not None and low > 0)
            return Sign(positive or low == 0, positive)
        case "sequence", (_, domain, _):
            low = lowest(domain)
            positive = domain.kind == "positive" or (low is not None and low > 0)
            return Sign(positive or low == 0, positive)
        case "sub", (a, b) if a.head == "var" and b.head == "num":
            low = lowest(a.args[1])
            above = low is not None and low >= b.args[0]
            return Sign(above, above and low > b.args[0])
        case "sub", (b, a) if a.head == "var" and b.head == "num":
            high = highest(a.args[1])
            below = high is not None and high <= b.args[0]
            return Sign(below, below and high < b.args[0])
        case "add", (a, b) if not is_matrix(a):
            x, y = sign(a, facts), sign(b, facts)
            both = x.nonneg and y.nonneg
            return Sign(both, both and (x.nonzero or y.nonzero))
        case "mul" | "div", (a, b) if not is_matrix(b):
            x, y = sign(a, facts), sign(b, facts)
            return Sign(a == b or (x.nonneg and y.nonneg), x.nonzero and y.nonzero)
        case "pow", (a, k):
            x = sign(a, facts)
            return Sign(k % 2 == 0 or x.nonneg, k == 0 or x.nonzero)
        case "power", (a, _):
            x = sign(a, facts)
            return Sign(x.nonneg, x.nonneg and x.nonzero)
        case "root", (a, _):
            x = sign(a, facts)
            return Sign(True, x.nonneg and x.nonzero)
        case "abs", (a,):
            return Sign(True, sign(a, facts).nonzero)
        case "sinh", (a,):
            return sign(a, facts)
        case "sum", (index, _, body):
            inner = [f for f in facts if index not in free_variables(f)]
            return Sign(sign(body, inner).nonneg, False)
    return Sign(False, False)


def highest(domain: Domain) -> Fraction | None:
    """An upper bound of a domain, if it states one."""
    return max(domain.values) if domain.kind in ("finite", "box") else None


def _open_conditions(conditions: Sequence[Node], facts: Sequence[Node]) -> tuple[Node, ...]:
    """The side conditions that nothing discharges; they become hypotheses."""

    def holds(condition: Node) -> bool:
        if condition.head == "not":
            return sign(condition.args[0].args[0], facts).nonzero or truth(condition, {}) is True
        return sign(condition.args[1], facts).nonneg or truth(condition, {}) is True

    return tuple(c for c in conditions if not holds(c))


# ---------------------------------------------------------------------- algebra
@dataclass(frozen=True, eq=False)
class Certificate:
    """target * product(nonzero_i ^ powers_i) = sum(cofactors_j * relations_j)."""

    powers: tuple[int, ...]
    cofactors: tuple[Poly, ...]


def identity(goal: Node, given: Sequence[Node], certificates: Sequence[Certificate]) -> Theorem:
    """An equation of scalars or matrices from the equations and non-equations in `given`."""
    _require(goal.head == "eq", "identity proves equations")
    conditions = _vanishes(goal, given, certificates)
    facts = (*given, *_open_conditions(conditions, given))
    return _theorem(facts, goal, "identity", detail=tuple(certificates))


def contradiction(
    conclusion: Node, given: Sequence[Node], certificates: Sequence[Certificate]
) -> Theorem:
    """Anything follows when the ideal of `given` contains a product of non-zero factors."""
    conditions = _vanishes(None, given, certificates)
    facts = (*given, *_open_conditions(conditions, given))
    return _theorem(facts, conclusion, "contradiction", detail=tuple(certificates))


def _vanishes(
    goal: Node | None, given: Sequence[Node], certificates: Sequence[Certificate]
) -> tuple[Node, ...]:
    """Check the certificates; return the side conditions of the translation."""
    try:
        p = problem(goal, given)
    except Unsupported as reason:
        raise Rejected(str(reason)) from reason
    _require(len(certificates) == len(p.targets), "one certificate for each entry")
    for target, certificate in zip(p.targets, certificates, strict=True):
        _require(
            len(certificate.powers) == len(p.nonzero)
            and len(certificate.cofactors) == len(p.relations)
            and all(isinstance(k, int) and k >= 0 for k in certificate.powers),
            "the certificate has the wrong shape",
        )
        left = target
        for factor, k in zip(p.nonzero, certificate.powers, strict=True):
            left = left * factor**k
        right = sum((q * r for q, r in zip(certificate.cofactors, p.relations, strict=True)), ZERO)
        _require(left == right, "the certificate does not hold")
    return p.conditions


def nonneg(
    goal: Node, form: Node, given: Sequence[Node], certificates: Sequence[Certificate]
) -> Theorem:
    """`a <= b` or `a < b` because b - a equals `form`, whose sign can be read off."""
    _require(goal.head in ("le", "lt"), "nonneg proves inequalities")
    small, large = goal.args
    equal = identity(Eq(large - small, form), _polynomial_facts(given), certificates)
    s = sign(form, (*given, *equal.hypotheses))
    _require(s.nonneg and (s.nonzero or goal.head == "le"), "the sign of the form is not visible")
    conditions = _open_conditions(_without(equal.hypotheses, *given), given)
    return _theorem((*given, *conditions), goal, "nonneg", detail=(form, tuple(certificates)))


def _polynomial_facts(given: Sequence[Node]) -> tuple[Node, ...]:
    return tuple(h for h in given if (h.args[0] if h.head == "not" else h).head == "eq")


def free_identity(
    goal: Node,
    given: Sequence[Node],
    certificate: Sequence[tuple[Fraction, tuple[Node, ...], int, tuple[Node, ...]]],
) -> Theorem:
    """An equation of operators: left - right = sum(coefficient * u * given_j * v)."""
    _require(goal.head == "eq" and all(h.head == "eq" for h in given), "equations only")
    remainder = free_polynomial(goal.args[0] - goal.args[1])
    for coefficient, before, j, after in certificate:
        for word, value in free_polynomial(given[j].args[0] - given[j].args[1]).items():
            key = (*before, *word, *after)
            remainder[key] = remainder.get(key, Fraction(0)) - coefficient * value
    _require(not any(remainder.values()), "the certificate does not hold")
    return _theorem(given, goal, "free_identity", detail=tuple(certificate))


# ---------------------------------------------------------------------- induction
def induct(n: Node, statement: Node, base: Theorem, step: Theorem) -> Theorem:
    """P(k) and P(n) => P(n + 1) give P(n) for every integer n >= k."""
    _inductive(n, statement, base, step)
    hypotheses = (*base.hypotheses, *_without(step.hypotheses, statement))
    _not_free(n, hypotheses)
    return _theorem(hypotheses, statement, "induct", base, step, detail=n)


def _inductive(n: Node, statement: Node, base: Theorem, step: Theorem) -> None:
    """The conclusions are P(k) and P(n + 1)."""
    low = n.args[1].lower
    _require(n.args[1].kind == "integer" and low is not None, "induction needs n >= k")
    _require(same(base.conclusion, substitute(statement, {n: num(low)})), "the base is not P(k)")
    _require(same(step.conclusion, substitute(statement, {n: n + 1})), "the step is not P(n + 1)")


def induct_sequences(
    n: Node,
    statement: Node,
    base: Theorem,
    step: Theorem,
    name: str,
    uses: Sequence[tuple[Node, Node, tuple[Node, ...]]],
) -> Theorem:
    """Induction on "P(n) for every real sequence called `name`".

    The step may assume P(n) for the function at -> value, and for all values of variables that P
    does not mention: `uses` lists (at, value, variables).  No other hypothesis may mention the
    sequence, so what is proved holds for each of them.
    """
    _require(name not in operator_names(statement), "the name is an operator's too")
    _require(not _mentions_opaque(statement), "a choice of sequences is not a claim")
    assumed = [statement]
    for at, value, parameters in uses:
        _require(at.head == "var" and at.args[1] == Real, "a function of one real variable")
        _require(is_scalar(value), "not a scalar")
        _require(n not in parameters, "the induction is not over one n")
        _require(free_variables(statement).isdisjoint(parameters), "P mentions a parameter")
        instance = _realised(statement, name, at, value)
        for parameter in reversed(parameters):
            instance = ForAll(parameter, instance)
        assumed.append(instance)
    _inductive(n, statement, base, step)
    hypotheses = (*base.hypotheses, *_without(step.hypotheses, *assumed))
    _require(all(name not in sequence_names(h) for h in hypotheses), "a choice of the sequence")
    _not_free(n, hypotheses)
    return _theorem(hypotheses, statement, "induct_sequences", base, step, detail=n)


def induct_words(
    word: Node, letter: Node, statement: Node, base: Theorem, step: Theorem
) -> Theorem:
    """P(empty) and P(w) => P(w a) give P(w) for every word."""
    _require(word.args[1] == Word and letter.args[1] == Letter, "induction over words")
    _not_free(letter, [statement])
    _require(
        same(base.conclusion, substitute(statement, {word: empty})), "the base is not P(empty)"
    )
    grown = substitute(statement, {word: append(word, letter)})
    _require(same(step.conclusion, grown), "the step is not P(w a)")
    hypotheses = (*base.hypotheses, *_without(step.hypotheses, statement))
    _not_free(word, hypotheses)
    _not_free(letter, hypotheses)
    return _theorem(hypotheses, statement, "induct_words", base, step, detail=word)


def induct_swaps(word: Node, value: Node, swap: Theorem) -> Theorem:
    """value(u a b v) = value(u b a v) gives value(w) = value(w') for words of equal content.

    Words of equal content are joined by swaps of neighbours (bubble sort), and equality is
    transitive; that is the whole content of the rule.
    """
    u, v = variable("u", Word), variable("v", Word)
    a, b = variable("a", Letter), variable("b", Letter)
    here = substitute(value, {word: concat(append(u, a, b), v)})
    there = substitute(value, {word: concat(append(u, b, a), v)})
    _require(same(swap.conclusion, Eq(here, there)), "the premise is not one swap")
    for name in {u, v, a, b, word}:
        _not_free(name, swap.hypotheses)
    for name in {u, v, a, b} - {word}:
        _not_free(name, [value])
    other = fresh_variable(word, free_variables(value) | {word})
    goal = Implies(SameContent(word, other), Eq(value, substitute(value, {word: other})))
    return _theorem(swap.hypotheses, goal, "induct_swaps", swap, detail=word)


def induct_walks(word: Node, value: Node, swap: Theorem, cancel: Theorem) -> Theorem:
    """value(w) = value(w') for words of equal displacement, from swaps and cancellations.

    `swap` reads value(u a b v) = value(u b a v) and `cancel` value(u a back(a) v) = value(u v).
    Swaps bring a letter next to its back and cancellation removes both; what is left has one sign
    for each axis, so words of equal displacement end as rearrangements of each other.
    """
    u, v, a = variable("u", Word), variable("v", Word), variable("a", Letter)
    sorted_out = induct_swaps(word, value, swap)
    here = substitute(value, {word: concat(append(u, a, back(a)), v)})
    there = substitute(value, {word: concat(u, v)})
    _require(same(cancel.conclusion, Eq(here, there)), "the premise is not one cancellation")
    for name in {u, v, a, word}:
        _not_free(name, cancel.hypotheses)
    other = sorted_out.conclusion.args[0].args[1]
    _not_free(other, [*swap.hypotheses, *cancel.hypotheses])
    goal = Implies(SamePlace(word, other), sorted_out.conclusion.args[1])
    hypotheses = _all_hypotheses(swap, cancel)
    return _theorem(hypotheses, goal, "induct_walks", swap, cancel, detail=word)


def same_place(left: Node, right: Node) -> Theorem:
    """Two explicit words with the same displacement."""
    goal = SamePlace(left, right)
    _require(_sort_of(goal) == "prop", "not two words")
    _require(displacement(left) == displacement(right), "the words lead to different places")
    return _theorem((), goal, "same_place")


def same_content(left: Node, right: Node) -> Theorem:
    """Two explicit words with the same letters and the same variable parts."""

    def parts(word: Node) -> list[str]:
        word = word_normal(word)
        if word.head == "empty":
            return []
        if word.head in ("append", "concat"):
            last = word.args[1]
            tail = parts(last) if word.head == "concat" else [repr(last)]
            return sorted([*parts(word.args[0]), *tail])
        return [repr(word)]

    _require(parts(left) == parts(right), "the words have different content")
    return _theorem((), SameContent(left, right), "same_content")


def _sort_of(node: Node) -> Any:
    """What a node denotes; None when it is not of the language."""
    try:
        return sort(node)
    except Malformed:
        return None


# ---------------------------------------------------------------------- seminorms
def seminorm(x: Node, y: Node) -> Theorem:
    """The seminorm of x + y is at most the sum of the seminorms of x and y."""
    return _theorem((), Le(norm(x + y), norm(x) + norm(y)), "seminorm")


def keeps_norm(x: Node) -> Theorem:
    """What it means that an operator is an isometry."""
    y = fresh_variable(variable("X", Operator), free_variables(x))
    both = And(Eq(norm(x @ y), norm(y)), Eq(norm(y @ x), norm(y)))
    return _theorem((), Iff(isometry(x), ForAll(y, both)), "keeps_norm")


# ---------------------------------------------------------------------- sums
def sum_congruence(theorem: Theorem, index: Node, upper: Node) -> Theorem:
    """From f = g, f <= g for every index < upper, the same of the sums over index < upper."""
    _require(theorem.conclusion.head in ("eq", "le"), "an equation or an inequality")
    _require(index.args[1] == Int(0), "a summation index ranges over Int(0)")
    _require(index not in free_variables(upper), "the index occurs in the upper limit")
    rest = _without(theorem.hypotheses, Lt(index, upper), Le(index + 1, upper))
    _not_free(index, rest)
    left, right = (total(index, upper, side) for side in theorem.conclusion.args)
    goal = Node(theorem.conclusion.head, (left, right))
    return _theorem(rest, goal, "sum_congruence", theorem, detail=index)


def exchange(double: Node) -> Theorem:
    """Two finite sums may be exchanged when neither limit depends on the other index."""
    _require(double.head == "sum" and double.args[2].head == "sum", "not a double sum")
    outer, upper, (inner, limit, body) = *double.args[:2], double.args[2].args
    _require(outer != inner, "the indices have the same name")
    _require(outer not in free_variables(limit), "the inner limit depends on the outer index")
    _require(inner not in free_variables(upper), "the outer limit names the inner index")
    swapped = total(inner, limit, total(outer, upper, body))
    return _theorem((), Eq(double, swapped), "exchange")


# ---------------------------------------------------------------------- counting
def pigeonhole(name: str, count: Node, codes: Node) -> Theorem:
    """Different codes 0 .. codes - 1 for 0 .. count - 1 need count <= codes, an integer >= 0.

    `name` is the sequence of the codes, integers each.
    """
    _require(integral(count) and integral(codes), "not visibly integers")
    taken = free_variables(count) | free_variables(codes)
    i = fresh_variable(variable("i", Integer), taken)
    j = fresh_variable(variable("j", Integer), taken | {i})
    first, second = sequence(name, i, Integer), sequence(name, j, Integer)
    inside = And(Le(0, i), Lt(i, count))
    fits = ForAll(i, Implies(inside, And(Le(0, first), Lt(first, codes))))
    later = ForAll(j, Implies(And(Lt(i, j), Lt(j, count)), Not(Eq(first, second))))
    different = ForAll(i, Implies(inside, later))
    goal = Implies(And(Le(0, codes), fits, different), Le(count, codes))
    return _theorem((), goal, "pigeonhole", detail=name)


def dimension(left: str, right: str, size: Node, count: Node) -> Theorem:
    """An identity matrix of that size is a product through `count` dimensions only if they suffice.

    `left` and `right` are the sequences of the entries of a size x count and a count x size matrix,
    row after row; the rank of the product is at most `count`, an integer >= 0.
    """
    _require(integral(size) and integral(count), "not visibly integers")
    taken = free_variables(size) | free_variables(count)
    i = fresh_variable(variable("i", Int(0)), taken)
    j = fresh_variable(variable("j", Int(0)), taken | {i})
    s = fresh_variable(variable("s", Int(0)), taken | {i, j})

    def product(column: Node) -> Node:
        return total(s, count, sequence(left, i * count + s) * sequence(right, s * size + column))

    one = ForAll(i, Implies(Lt(i, size), Eq(product(i), 1)))
    other = ForAll(j, Implies(And(Lt(j, size), Not(Eq(i, j))), Eq(product(j), 0)))
    zero = ForAll(i, Implies(Lt(i, size), other))
    goal = Implies(And(Le(0, count), one, zero), Le(size, count))
    return _theorem((), goal, "dimension", detail=(left, right))


# ---------------------------------------------------------------------- what the symbols mean
_x, _y, _k = variable("x", Real), variable("y", Real), variable("k", Integer)

#: Facts that define pi, sin, cos, exp and the order of the reals and integers for this kernel: the
#: series bounds of alternating Taylor sums, the kernel of the circle, and Archimedes.
MEANING: dict[str, Node] = {
    "full_turns": ForAll(_x, Implies(Eq(cos(_x), 1), Exists(_k, Eq(_x, 2 * pi * _k)))),
    "sine_positive": ForAll(_x, Implies(And(Lt(0, _x), Lt(_x, pi)), Lt(0, sin(_x)))),
    "arc_cosine": ForAll(
        _y,
        Implies(
            And(Le(-1, _y), Le(_y, 1)),
            Exists(_x, And(Le(0, _x), Le(_x, pi), Eq(cos(_x), _y))),
        ),
    ),
    "floor": ForAll(_x, Exists(_k, And(Le(_k, _x), Lt(_x, _k + 1)))),
    "integers_apart": ForAll(_k, Or(Le(_k, -1), Eq(_k, 0), Le(1, _k))),
    "sine_below_line": ForAll(_x, Implies(Le(0, _x), Le(sin(_x), _x))),
    "sine_above_cubic": ForAll(_x, Implies(Le(0, _x), Le(_x - _x**3 / 6, sin(_x)))),
    "sine_below_quintic": ForAll(_x, Implies(Le(0, _x), Le(sin(_x), _x - _x**3 / 6 + _x**5 / 120))),
    "cosine_above_parabola": ForAll(_x, Le(1 - _x**2 / 2, cos(_x))),
    "cosine_below_quartic": ForAll(_x, Le(cos(_x), 1 - _x**2 / 2 + _x**4 / 24)),
    "exponential_above_line": ForAll(_x, Le(1 + _x, exp(_x))),
    "pi_above_three": Lt(3, pi),
    "pi_below_22_7": Lt(pi, num(Fraction(22, 7))),
}


def meaning(name: str) -> Theorem:
    """A defining fact of one of the kernel's symbols."""
    _require(name in MEANING, f"{name} is not a defining fact")
    return _theorem((), MEANING[name], "meaning", detail=name)


def algebraic(value: Node, equation: Theorem) -> Theorem:
    """A number with value^n = r, n >= 1 an integer and r rational, is algebraic.

    `equation` reads value^n = r.
    """
    _require(equation.conclusion.head == "eq", "not an equation")
    left, right = equation.conclusion.args
    n = variable("n", Int(1))
    degree = left.args[1] if left.head == "power" and left.args[0] == value else None
    if left.head == "pow" and left.args[0] == value:
        degree = num(left.args[1])
    _require(degree is not None, "the left side is not a power of the number")
    assert degree is not None
    _require(belongs(degree, n.args[1], equation.hypotheses), "the degree is not >= 1")
    _require(rational(right), "the right side is not visibly rational")
    return _theorem(equation.hypotheses, predicate("algebraic", value), "algebraic", equation)


def rational(node: Node) -> bool:
    """Whether a term visibly denotes a rational number."""
    match node.head, node.args:
        case "num", _:
            return True
        case "var", (_, domain):
            return domain.kind in ("rational", "integer", "finite")
        case "sequence", (_, domain, _):
            return domain.kind in ("rational", "integer", "finite")
        case "add" | "sub" | "mul" | "div", (a, b):
            return rational(a) and rational(b)
        case "pow", (a, _):
            return rational(a)
        case "power", (a, exponent):
            return rational(a) and integral(exponent)
    return False


# ---------------------------------------------------------------------- logic
def assume(prop: Node) -> Theorem:
    return _theorem((prop,), prop, "assume")


def weaken(theorem: Theorem, extra: Sequence[Node]) -> Theorem:
    return _theorem((*theorem.hypotheses, *extra), theorem.conclusion, "weaken", theorem)


def cut(lemma: Theorem, theorem: Theorem) -> Theorem:
    """Use a lemma to remove a hypothesis."""
    _require(
        any(same(lemma.conclusion, h) for h in theorem.hypotheses), "the lemma is not a hypothesis"
    )
    rest = _without(theorem.hypotheses, lemma.conclusion)
    return _theorem((*lemma.hypotheses, *rest), theorem.conclusion, "cut", lemma, theorem)


def intro(theorem: Theorem, premise: Node) -> Theorem:
    """Move a hypothesis into the conclusion."""
    goal = Implies(premise, theorem.conclusion)
    return _theorem(_without(theorem.hypotheses, premise), goal, "intro", theorem)


def modus(implication: Theorem, premise: Theorem) -> Theorem:
    _require(implication.conclusion.head == "implies", "not an implication")
    wanted, conclusion = implication.conclusion.args
    _require(same(wanted, premise.conclusion), "the premise is a different proposition")
    return _theorem(
        _all_hypotheses(implication, premise), conclusion, "modus", implication, premise
    )


def conjunction(*theorems: Theorem) -> Theorem:
    goal = And(*(t.conclusion for t in theorems))
    return _theorem(_all_hypotheses(*theorems), goal, "conjunction", *theorems)


def project(theorem: Theorem, which: int) -> Theorem:
    _require(theorem.conclusion.head in ("and", "iff"), "not a conjunction")
    parts = theorem.conclusion.args
    if theorem.conclusion.head == "iff":
        parts = (Implies(parts[0], parts[1]), Implies(parts[1], parts[0]))
    return _theorem(theorem.hypotheses, parts[which], "project", theorem, detail=which)


def equivalence(forward: Theorem, backward: Theorem) -> Theorem:
    _require(forward.conclusion.head == backward.conclusion.head == "implies", "two implications")
    a, b = forward.conclusion.args
    _require(same(backward.conclusion, Implies(b, a)), "not the converse")
    hypotheses = _all_hypotheses(forward, backward)
    return _theorem(hypotheses, Iff(a, b), "equivalence", forward, backward)


def cases(cover: Theorem, *branches: Theorem) -> Theorem:
    """From A or B and the conclusion in each case."""
    _require(cover.conclusion.head == "or", "the cover is not a disjunction")
    alternatives = cover.conclusion.args
    _require(len(alternatives) == len(branches), "one branch for each case")
    goal = branches[0].conclusion
    _require(all(same(b.conclusion, goal) for b in branches), "the branches conclude differently")
    rest = [
        h for b, a in zip(branches, alternatives, strict=True) for h in _without(b.hypotheses, a)
    ]
    return _theorem((*cover.hypotheses, *rest), goal, "cases", cover, *branches)


def either(theorem: Theorem, goal: Node) -> Theorem:
    """A disjunction from one of its parts."""
    _require(goal.head == "or", "not a disjunction")
    _require(any(same(theorem.conclusion, p) for p in goal.args), "not one of the alternatives")
    return _theorem(theorem.hypotheses, goal, "either", theorem)


def clash(theorem: Theorem, denial: Theorem) -> Theorem:
    """P and not P give 0 < 0."""
    _require(same(denial.conclusion, Not(theorem.conclusion)), "not each other's negation")
    return _theorem(_all_hypotheses(theorem, denial), FALSUM, "clash", theorem, denial)


def absurd(theorem: Theorem, conclusion: Node) -> Theorem:
    """Anything follows from a closed comparison of numbers that is false."""
    claim = theorem.conclusion
    _require(
        claim.head in ("lt", "le", "eq") and all(a.head == "num" for a in claim.args), "closed"
    )
    _require(truth(claim, {}) is False, "the comparison is not false")
    return _theorem(theorem.hypotheses, conclusion, "absurd", theorem)


def deny(theorem: Theorem, premise: Node) -> Theorem:
    """If a hypothesis leads to 0 < 0 it does not hold."""
    _require(theorem.conclusion == FALSUM, "the theorem is not a contradiction")
    return _theorem(_without(theorem.hypotheses, premise), Not(premise), "deny", theorem)


def ordered(left: Node, right: Node) -> Theorem:
    """a < b or b <= a."""
    _require(is_scalar(left) and is_scalar(right), "not scalars")
    return _theorem((), Or(Lt(left, right), Le(right, left)), "ordered")


def not_less(theorem: Theorem) -> Theorem:
    """not (a < b) gives b <= a, and not (a <= b) gives b < a; and back."""
    claim = theorem.conclusion
    if claim.head == "not" and claim.args[0].head in ("lt", "le"):
        a, b = claim.args[0].args
        goal = Le(b, a) if claim.args[0].head == "lt" else Lt(b, a)
    else:
        _require(claim.head in ("lt", "le"), "not a comparison")
        a, b = claim.args
        goal = Not(Le(b, a)) if claim.head == "lt" else Not(Lt(b, a))
    return _theorem(theorem.hypotheses, goal, "not_less", theorem)


def antisymmetry(below: Theorem, above: Theorem) -> Theorem:
    """a <= b and b <= a give a = b."""
    _require(below.conclusion.head == above.conclusion.head == "le", "two inequalities")
    a, b = below.conclusion.args
    _require(same(above.conclusion, Le(b, a)), "not the converse inequality")
    return _theorem(_all_hypotheses(below, above), Eq(a, b), "antisymmetry", below, above)


def integer_step(theorem: Theorem) -> Theorem:
    """a < b gives a + 1 <= b for integers."""
    _require(theorem.conclusion.head == "lt", "not a strict inequality")
    a, b = theorem.conclusion.args
    _require(integral(a) and integral(b), "not visibly integers")
    return _theorem(theorem.hypotheses, Le(a + 1, b), "integer_step", theorem)


def contrapositive(theorem: Theorem) -> Theorem:
    """P => Q gives not Q => not P; not not P is P."""
    claim = theorem.conclusion
    if claim.head == "implies":
        goal = Implies(Not(claim.args[1]), Not(claim.args[0]))
    else:
        _require(claim.head == "not" and claim.args[0].head == "not", "nothing to turn round")
        goal = claim.args[0].args[0]
    return _theorem(theorem.hypotheses, goal, "contrapositive", theorem)


def trichotomy(t: Node) -> Theorem:
    _require(is_scalar(t), "not a scalar")
    return _theorem((), Or(Lt(t, 0), Eq(t, 0), Lt(0, t)), "trichotomy")


def excluded_middle(prop: Node) -> Theorem:
    return _theorem((), Or(prop, Not(prop)), "excluded_middle")


def generalise(theorem: Theorem, name: Node) -> Theorem:
    _not_free(name, theorem.hypotheses)
    return _theorem(theorem.hypotheses, ForAll(name, theorem.conclusion), "generalise", theorem)


def specialise(theorem: Theorem, values: Mapping[Node, Node]) -> Theorem:
    """Replace free variables by terms of their domains."""
    facts = tuple(substitute(h, values) for h in theorem.hypotheses)
    for name, value in values.items():
        _require(belongs(value, name.args[1], facts), f"value outside the domain of {name.args[0]}")
    goal = substitute(theorem.conclusion, values)
    return _theorem(facts, goal, "specialise", theorem, detail=tuple(values.items()))


def realise(theorem: Theorem, name: str, at: Node, value: Node) -> Theorem:
    """What holds for every real sequence called `name` holds for the function at -> value."""
    _require(at.head == "var" and at.args[1] == Real, "a function of one real variable")
    _require(is_scalar(value), "not a scalar")
    claims = (*theorem.hypotheses, theorem.conclusion)
    _require(not any(_mentions_opaque(p) for p in claims), "a choice of sequences is not a claim")
    _require(all(name not in operator_names(p) for p in claims), "the name is an operator's too")
    *facts, goal = (_realised(p, name, at, value) for p in claims)
    return _theorem(facts, goal, "realise", theorem, detail=(name, at, value))


def _realised(node: Node, name: str, at: Node, value: Node) -> Node:
    """Every name(t) replaced by the value at t; binders that would capture are renamed."""
    if node.head == "sequence" and node.args[0] == name:
        _require(node.args[1] == Real, "the sequence is not real")
        return substitute(value, {at: _realised(node.args[2], name, at, value)})
    outside = free_variables(value) - {at}
    if node.head in BINDERS and node.args[0] in outside:
        bound = node.args[0]
        taken = outside.union(*(free_variables(a) for a in node.args))
        fresh = fresh_variable(bound, taken)
        rest = (substitute(a, {bound: fresh}) for a in node.args[1:])
        node = Node(node.head, (fresh, *rest))
    inner = (_realised(a, name, at, value) if isinstance(a, Node) else a for a in node.args)
    return Node(node.head, tuple(inner))


def _mentions_opaque(node: Node) -> bool:
    return node.head == "opaque" or any(
        _mentions_opaque(a) for a in node.args if isinstance(a, Node)
    )


def instantiate(theorem: Theorem, value: Node) -> Theorem:
    """Use a universal conclusion at one term."""
    _require(theorem.conclusion.head == "forall", "not universal")
    name, body = theorem.conclusion.args
    _require(belongs(value, name.args[1], theorem.hypotheses), "value outside the domain")
    goal = substitute(body, {name: value})
    return _theorem(theorem.hypotheses, goal, "instantiate", theorem, detail=value)


def witness(goal: Node, value: Node, instance: Theorem) -> Theorem:
    """Existence from one instance."""
    _require(goal.head == "exists", "not existential")
    name, body = goal.args
    _require(belongs(value, name.args[1], instance.hypotheses), "value outside the domain")
    _require(same(instance.conclusion, substitute(body, {name: value})), "not an instance")
    return _theorem(instance.hypotheses, goal, "witness", instance, detail=value)


def choose(existence: Node, name: Node, theorem: Theorem) -> Theorem:
    """Replace the hypothesis body(name), name arbitrary, by `exists name. body`."""
    _require(existence.head == "exists" and existence.args[0].args[1] == name.args[1], "existence")
    body = substitute(existence.args[1], {existence.args[0]: name})
    rest = _without(theorem.hypotheses, body)
    _not_free(name, [*rest, theorem.conclusion, existence])
    return _theorem((existence, *rest), theorem.conclusion, "choose", theorem, detail=name)


def leibniz(theorem: Theorem, pattern: Node, hole: Node, equation: Node) -> Theorem:
    """From P(t) and s = t conclude P(s)."""
    _require(equation.head == "eq", "not an equation")
    s, t = equation.args
    _require(
        belongs(s, hole.args[1], ()) and belongs(t, hole.args[1], ()), "hole of another domain"
    )
    _require(same(theorem.conclusion, substitute(pattern, {hole: t})), "the premise is not P(t)")
    goal = substitute(pattern, {hole: s})
    return _theorem((*theorem.hypotheses, equation), goal, "leibniz", theorem, detail=equation)


def belongs(value: Node, domain: Domain, facts: Sequence[Node]) -> bool:
    """Whether a term visibly lies in a domain."""
    match domain.kind:
        case "letter":
            axis = value.args[0] if value.head == "back" else value
            return axis.head == "var" and axis.args[1] == Letter
        case "operator":
            return _sort_of(value) == "operator"
        case "word":
            return value.head in ("empty", "append", "concat") or (
                value.head == "var" and value.args[1] == Word
            )
        case "real":
            return is_scalar(value)
        case "rational":
            return (
                value.head == "num"
                or integral(value)
                or (value.head == "var" and value.args[1].kind in ("rational", "integer", "finite"))
            )
        case "box":
            return value.head == "var" and value.args[1] == domain
        case "positive":
            return is_scalar(value) and all(sign(value, facts))
        case "integer":
            return integral(value) and (
                domain.lower is None or _at_least(value, domain.lower, facts)
            )
        case "finite":
            literal = value.head == "num" and value.args[0] in domain.values
            return literal or value.head == "sequence" and value.args[1] == domain
    return False


def _at_least(value: Node, lower: int, facts: Sequence[Node]) -> bool:
    low = least(value)
    return (low is not None and low >= lower) or any(
        same(f, Le(num(lower), value)) or same(f, Lt(num(lower - 1), value)) for f in facts
    )


def is_scalar(node: Node) -> bool:
    if node.head == "var":
        return node.args[1] not in (Letter, Word, Operator)
    if is_matrix(node):
        return False
    if node.head == "sum":
        return is_scalar(node.args[2])
    leaves = ("num", "pi", "sequence", "entry", "det", "norm")
    inner = (
        "add",
        "sub",
        "mul",
        "div",
        "pow",
        "power",
        "cos",
        "sin",
        "cosh",
        "sinh",
        "exp",
        "log",
        "root",
        "abs",
        "max",
        "floor",
        "chebyshevt",
        "chebyshevu",
    )
    parts = (a for a in node.args if isinstance(a, Node))
    return node.head in leaves or (node.head in inner and all(is_scalar(a) for a in parts))


def integral(node: Node) -> bool:
    match node.head, node.args:
        case "num", (value,):
            return value.denominator == 1
        case "var", (_, domain):
            return is_integral(domain)
        case "sequence", (_, domain, _):
            return is_integral(domain)
        case "add" | "sub" | "mul", (a, b):
            return integral(a) and integral(b)
        case "pow", (a, _):
            return integral(a)
    return False


def least(node: Node) -> Fraction | None:
    """A lower bound that can be read off an integer term."""
    match node.head, node.args:
        case "num", (value,):
            return value
        case "var", (_, domain):
            low = lowest(domain)
            return None if low is None else Fraction(low)
        case "sequence", (_, domain, _):
            low = lowest(domain)
            return None if low is None else Fraction(low)
        case "add", (a, b):
            x, y = least(a), least(b)
            return None if x is None or y is None else x + y
        case "sub", (a, b) if b.head == "num":
            x = least(a)
            return None if x is None else x - b.args[0]
        case "mul", (a, b):
            x, y = least(a), least(b)
            return None if x is None or y is None or x < 0 or y < 0 else x * y
    return None


# ---------------------------------------------------------------------- evaluation
def ground(prop: Node) -> Theorem:
    """A closed proposition decided by exact or ball evaluation."""
    with at_precision():
        _require(truth(prop, {}) is True, "evaluation does not decide the proposition")
    return _theorem((), prop, "ground")


def refute(prop: Node, point: Mapping[Any, Any]) -> Theorem:
    """Not for all values: a point of the domains where each premise holds and the rest fails.

    Sequences, letters and operators are arbitrary in a statement, so what the point makes of them
    is a hypothesis of the negation.
    """
    names = sorted(free_variables(prop), key=repr)
    closed = ForAll(tuple(names), prop)
    with at_precision():
        _require(falsifies(closed, point), "the point is not a counterexample")
    chosen = [Opaque(f"{s} is {point[s]}") for s in sorted(sequence_names(prop)) if s in point]
    if "step" in point and (_mentions_letters(closed) or _mentions_operators(closed)):
        chosen.append(Opaque(f"the operators are {point['step']}"))
    return _theorem(chosen, Not(closed), "refute", detail=dict(point))


def _mentions_operators(node: Node) -> bool:
    """Seminorms are evaluated as the Frobenius norm, operators as matrices."""
    if node.head in ("norm", "unit"):
        return True
    return any(_mentions_operators(a) for a in node.args if isinstance(a, Node))


def _mentions_letters(node: Node) -> bool:
    if node.head == "var":
        return node.args[1].kind in ("letter", "word", "operator")
    return any(_mentions_letters(a) for a in node.args if isinstance(a, Node))


def exhaust(goal: Node, instances: Sequence[Theorem]) -> Theorem:
    """A universal statement over a finite domain, one theorem for each value."""
    _require(goal.head == "forall" and goal.args[0].args[1].kind == "finite", "not a finite domain")
    name, body = goal.args
    values = name.args[1].values
    _require(len(values) == len(instances), f"{len(values)} values, {len(instances)} instances")
    for value, instance in zip(values, instances, strict=True):
        _require(
            same(instance.conclusion, substitute(body, {name: num(value)})), "not the instance"
        )
    return _theorem(_all_hypotheses(*instances), goal, "exhaust", *instances, detail=len(values))


def enclosure(
    goal: Node, box: Mapping[Node, tuple[Fraction, Fraction]], pieces: int = 4096
) -> Theorem:
    """A strict inequality on a box of real variables by adaptive subdivision into balls."""
    _require(
        goal.head == "lt" and free_variables(goal) <= set(box), "a strict inequality on the box"
    )
    todo = [{x: (Fraction(low), Fraction(high)) for x, (low, high) in box.items()}]
    used = 0
    with at_precision():
        while todo:
            cell = todo.pop()
            used += 1
            _require(used <= pieces, "the subdivision does not finish")
            if truth(goal, {x: _ball(*ends) for x, ends in cell.items()}) is True:
                continue
            _require(bool(cell), "evaluation does not decide the proposition")
            widest = max(cell, key=lambda x: cell[x][1] - cell[x][0])
            low, high = cell[widest]
            middle = (low + high) / 2
            todo += [{**cell, widest: (low, middle)}, {**cell, widest: (middle, high)}]
    bounds = [p for x, (low, high) in box.items() for p in (Le(num(low), x), Le(x, num(high)))]
    return _theorem(bounds, goal, "enclosure", detail=used)


def _ball(low: Fraction, high: Fraction) -> arb:
    """A ball that contains [low, high]."""
    ends = [arb(fmpq(x.numerator, x.denominator)) for x in (low, high)]
    return ends[0].union(ends[1])


def cite(name: str) -> Theorem:
    """A theorem of the closed list in `theory.trusted`."""
    from posproof.proofs_check.translate import node
    from posproof.theory.trusted import CITED

    _require(name in CITED, f"{name} is not in the list of cited theorems")
    trusts = frozenset({Trust("cited", name)})
    return _theorem((), node(CITED[name].statement), "cite", detail=name, trusts=trusts)


# ---------------------------------------------------------------------- what a theorem says
def establishes(theorem: Theorem, prop: Node) -> bool:
    """Whether the theorem is `prop` up to renaming; it may need fewer hypotheses."""
    if not genuine(theorem) or sort(prop) != "prop":
        return False
    have_hypotheses, have = _strip(theorem.conclusion, theorem.hypotheses, "#have ")
    want_hypotheses, want = _strip(prop, (), "#want ")
    return any(_cover(have_hypotheses, want_hypotheses, names) for names in _match(have, want, {}))


def _strip(prop: Node, hypotheses: Sequence[Node], mark: str) -> tuple[tuple[Node, ...], Node]:
    """Outer quantifiers and implications as hypotheses and conclusion; bound names made unique."""
    collected = [*hypotheses]
    unique: dict[Node, Node] = {}
    depth = 0
    while prop.head in ("forall", "implies"):
        if prop.head == "implies":
            collected.append(substitute(prop.args[0], unique))
            prop = prop.args[1]
            continue
        bound, prop = prop.args
        unique[bound] = Node("var", (f"{mark}{depth}", bound.args[1]))  # no statement's name
        depth += 1
    prop = substitute(prop, unique)
    flat: list[Node] = []
    for h in collected:
        flat += h.args if h.head == "and" else [h]
    return tuple(canonical(h) for h in flat), canonical(prop)


def _match(a: Node, b: Node, names: dict[Node, Node]) -> list[dict[Node, Node]]:
    """The renaming that turns a into b, extending `names`: no list entry, or one."""
    if a.head != b.head or len(a.args) != len(b.args):
        return []
    if a.head == "var":
        if a.args[1] != b.args[1] or names.get(a, b) != b:
            return []
        if a not in names and b in names.values():
            return []
        return [{**names, a: b}]
    for x, y in zip(a.args, b.args, strict=True):
        if isinstance(x, Node) and isinstance(y, Node):
            found = _match(x, y, names)
            if not found:
                return []
            names = found[0]
        elif x != y:
            return []
    return [names]


def _cover(have: Sequence[Node], want: Sequence[Node], names: dict[Node, Node]) -> bool:
    """Whether each hypothesis we used is one of those we were given."""
    if not have:
        return True
    return any(_cover(have[1:], want, found) for w in want for found in _match(have[0], w, names))
