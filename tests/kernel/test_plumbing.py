"""The logical rules: random derivations checked in a finite model, and premises that do not fit."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest
from statements import k, n, p, x, y, z
from values import true

from posproof.proofs_check import kernel
from posproof.proofs_check.kernel import Rejected, Theorem
from posproof.proofs_check.language import (
    FALSUM,
    And,
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
    Node,
    Not,
    Or,
    Real,
    Word,
    append,
    concat,
    cos,
    empty,
    matrix,
    num,
    pi,
    power,
    sequence,
    substitute,
    total,
    variable,
)
from posproof.proofs_check.search import prove_identity
from posproof.theory.vocabulary import Box, Finite, Positive, Rational

VALUES = (0, 1)
f, g, h = (variable(name, Finite(VALUES)) for name in "fgh")
NAMES = (f, g, h)
GRID = [dict(zip(NAMES, map(Fraction, point), strict=True)) for point in product(VALUES, repeat=3)]


def random_prop(source: random.Random, depth: int = 1) -> Node:
    if depth == 0 or source.random() < 0.3:
        relation = source.choice((Eq, Le, Lt))
        left, right = (source.choice((*NAMES, num(0), num(1), num(2))) for _ in range(2))
        return relation(left, right)
    one, other = (random_prop(source, depth - 1) for _ in range(2))
    return source.choice(
        (
            lambda: And(one, other),
            lambda: Or(one, other),
            lambda: Not(one),
            lambda: Implies(one, other),
            lambda: Iff(one, other),
            lambda: ForAll(source.choice(NAMES), one),
            lambda: Exists(source.choice(NAMES), one),
        )
    )()


def counterexample(hypotheses: tuple[Node, ...], conclusion: Node) -> dict | None:
    """A point of the model where every hypothesis holds and the conclusion does not."""
    for point in GRID:
        if true(conclusion, point) is False and all(true(q, point) for q in hypotheses):
            return point
    return None


def attempts(source: random.Random, pool: list[Theorem]) -> tuple[Callable, list[Theorem], Node]:
    """A rule with random arguments, its premises, and the conclusion it is asked for."""
    one, two, three = (source.choice(pool) for _ in range(3))
    prop = source.choice((one.conclusion, two.conclusion, random_prop(source)))
    if one.hypotheses and source.random() < 0.5:
        prop = source.choice(one.hypotheses)
    name, value = source.choice(NAMES), num(source.choice(VALUES))
    quantified = source.choice((Exists, ForAll))(name, prop)
    either = Or(prop, random_prop(source))
    options = [
        (lambda: kernel.cut(one, two), [one, two], two.conclusion),
        (lambda: kernel.intro(one, prop), [one], Implies(prop, one.conclusion)),
        (lambda: kernel.modus(one, two), [one, two], prop),
        (lambda: kernel.conjunction(one, two), [one, two], And(one.conclusion, two.conclusion)),
        (lambda: kernel.project(one, source.randrange(2)), [one], prop),
        (lambda: kernel.equivalence(one, two), [one, two], prop),
        (lambda: kernel.cases(one, two, three), [one, two, three], two.conclusion),
        (lambda: kernel.either(one, either), [one], either),
        (lambda: kernel.clash(one, two), [one, two], FALSUM),
        (lambda: kernel.absurd(one, prop), [one], prop),
        (lambda: kernel.deny(one, prop), [one], Not(prop)),
        (lambda: kernel.not_less(one), [one], prop),
        (lambda: kernel.antisymmetry(one, two), [one, two], prop),
        (lambda: kernel.integer_step(one), [one], prop),
        (lambda: kernel.contrapositive(one), [one], prop),
        (lambda: kernel.generalise(one, name), [one], ForAll(name, one.conclusion)),
        (lambda: kernel.specialise(one, {name: value}), [one], one.conclusion),
        (lambda: kernel.instantiate(one, value), [one], prop),
        (lambda: kernel.witness(quantified, value, one), [one], quantified),
        (lambda: kernel.choose(quantified, name, one), [one], one.conclusion),
        (lambda: kernel.exhaust(quantified, [one, two]), [one, two], quantified),
        (lambda: kernel.leibniz(one, prop, name, Eq(name, value)), [one], prop),
        (lambda: kernel.weaken(one, [prop]), [one], one.conclusion),
    ]
    return source.choice(options)


def start(source: random.Random) -> list[Theorem]:
    pool = [kernel.assume(random_prop(source)) for _ in range(6)]
    prop = random_prop(source)
    pool += [kernel.excluded_middle(prop), kernel.ordered(f, g), kernel.trichotomy(h - 1)]
    pool += [kernel.assume(Not(prop)), kernel.assume(prop), kernel.assume(FALSUM)]
    pool += [kernel.intro(kernel.assume(prop), prop)]
    return pool


def test_random_derivations_hold_in_a_finite_model(tally) -> None:
    """Whatever the rules accept holds; what they are asked in vain is often false."""
    source, accepted = random.Random(1), 0
    while tally.false_fed < 10_000:
        pool = start(source)
        for _ in range(60):
            rule, premises, asked = attempts(source, pool)
            try:
                theorem = rule()
            except Rejected:
                given = tuple(q for t in premises for q in t.hypotheses)
                tally.false_fed += counterexample(given, asked) is not None
                continue
            accepted += 1
            wrong = counterexample(theorem.hypotheses, theorem.conclusion)
            if wrong is not None:
                tally.false_accepted += 1
            assert wrong is None, f"{theorem.rule}: {theorem.hypotheses} |- {theorem.conclusion}"
            if len(str(theorem.conclusion)) < 120:
                pool.append(theorem)
    assert accepted > 5_000


# ---------------------------------------------------------------------- premises that do not fit
A, B, C = Le(x, y), Eq(y, z), Lt(z, x)
ta, tb = kernel.assume(A), kernel.assume(B)
tor = kernel.assume(Or(A, B))
i = variable("i", Int(0))
word, letter = variable("w", Word), variable("l", Letter)
boxed = variable("b", Box(0, 1))
half = variable("r", Rational)
finite = variable("c", Finite([1, 2]))
same = prove_identity(Eq(x, x))
MISFITS: dict[str, Callable[[], object]] = {
    "cut without the hypothesis": lambda: kernel.cut(ta, tb),
    "modus of no implication": lambda: kernel.modus(ta, tb),
    "modus of another premise": lambda: kernel.modus(kernel.assume(Implies(A, C)), tb),
    "project of no conjunction": lambda: kernel.project(ta, 0),
    "equivalence of one implication": lambda: kernel.equivalence(kernel.assume(Implies(A, B)), ta),
    "equivalence without the converse": lambda: kernel.equivalence(
        kernel.assume(Implies(A, B)), kernel.assume(Implies(A, B))
    ),
    "cases of no disjunction": lambda: kernel.cases(ta, ta, ta),
    "cases with a branch missing": lambda: kernel.cases(tor, ta),
    "cases that differ": lambda: kernel.cases(tor, ta, tb),
    "either into no disjunction": lambda: kernel.either(ta, A),
    "either into another disjunction": lambda: kernel.either(ta, Or(B, C)),
    "clash of friends": lambda: kernel.clash(ta, kernel.assume(Not(B))),
    "absurd from variables": lambda: kernel.absurd(ta, C),
    "absurd from a truth": lambda: kernel.absurd(kernel.ground(Lt(0, 1)), C),
    "deny from a truth": lambda: kernel.deny(ta, A),
    "order of matrices": lambda: kernel.ordered(matrix([[x]]), x),
    "order of letters": lambda: kernel.trichotomy(letter),
    "no comparison": lambda: kernel.not_less(tb),
    "antisymmetry of equations": lambda: kernel.antisymmetry(tb, tb),
    "antisymmetry of one direction": lambda: kernel.antisymmetry(ta, ta),
    "a step of reals": lambda: kernel.integer_step(kernel.assume(Lt(x, k))),
    "a step of halves": lambda: kernel.integer_step(kernel.assume(Lt(k / 2, k))),
    "a step from <=": lambda: kernel.integer_step(kernel.assume(Le(k, n))),
    "a step of powers": lambda: kernel.integer_step(kernel.assume(Lt(power(num(2), k), k))),
    "turning round a comparison": lambda: kernel.contrapositive(ta),
    "turning round one negation": lambda: kernel.contrapositive(kernel.assume(Not(A))),
    "generalising over a fixed name": lambda: kernel.generalise(ta, x),
    "a real for an integer": lambda: kernel.specialise(kernel.assume(Le(0, n)), {n: x}),
    "a negative number for a natural one": lambda: kernel.specialise(same, {n: num(-1)}),
    "instantiating nothing": lambda: kernel.instantiate(ta, x),
    "instantiating outside": lambda: kernel.instantiate(kernel.assume(ForAll(n, Le(0, n))), k),
    "a witness for nothing": lambda: kernel.witness(A, x, ta),
    "a witness outside": lambda: kernel.witness(Exists(n, A), num(-1), ta),
    "a witness of something else": lambda: kernel.witness(Exists(x, A), y, ta),
    "choosing from no existence": lambda: kernel.choose(A, x, ta),
    "choosing in another domain": lambda: kernel.choose(Exists(n, Le(n, y)), x, ta),
    "choosing a name in use": lambda: kernel.choose(Exists(z, Le(z, y)), x, ta),
    "choosing a name that stays": lambda: kernel.choose(
        Exists(x, Le(x, z)), x, kernel.weaken(kernel.assume(Le(x, z)), [C])
    ),
    "leibniz without an equation": lambda: kernel.leibniz(ta, A, x, A),
    "leibniz in another domain": lambda: kernel.leibniz(ta, A, n, Eq(n, x)),
    "leibniz of something else": lambda: kernel.leibniz(ta, Le(x, z), x, Eq(x, y)),
    "exhaust of an infinite domain": lambda: kernel.exhaust(ForAll(x, A), []),
    "exhaust of one value": lambda: kernel.exhaust(ForAll(finite, Le(finite, 2)), [ta]),
    "exhaust of other instances": lambda: kernel.exhaust(ForAll(finite, Le(finite, 2)), [ta, tb]),
    "exhaust in another order": lambda: kernel.exhaust(
        ForAll(finite, Le(finite, 2)), [kernel.ground(Le(v, 2)) for v in (num(2), num(1))]
    ),
    "ground of a falsehood": lambda: kernel.ground(Lt(pi, 3)),
    "ground of an open sentence": lambda: kernel.ground(Le(x, x)),
    "an opaque notion": lambda: kernel.ground(Node("opaque", ("freeness",))),
    "sums of comparisons <": lambda: kernel.sum_congruence(kernel.assume(C), i, n),
    "sums over reals": lambda: kernel.sum_congruence(ta, x, n),
    "sums up to the index": lambda: kernel.sum_congruence(ta, i, i + 1),
    "sums with the index fixed": lambda: kernel.sum_congruence(kernel.assume(Le(i, n)), i, n),
    "sums with the index fixed below another limit": lambda: kernel.sum_congruence(
        kernel.weaken(same, [Lt(i, k)]), i, n
    ),
    "exchange of one sum": lambda: kernel.exchange(total(i, n, x)),
    "exchange of a triangle": lambda: kernel.exchange(
        total(i, n, total(variable("j", Int(0)), i, x))
    ),
    "exchange of equal names": lambda: kernel.exchange(total(i, n, total(i, n, i))),
    "exchange with the inner name outside": lambda: kernel.exchange(
        total(i, variable("j", Int(0)), total(variable("j", Int(0)), n, x))
    ),
    "algebraic without an equation": lambda: kernel.algebraic(x, ta),
    "algebraic with no power": lambda: kernel.algebraic(x, tb),
    "algebraic with a power of another": lambda: kernel.algebraic(y, kernel.assume(Eq(x**2, 2))),
    "algebraic with degree 0": lambda: kernel.algebraic(x, kernel.assume(Eq(x**0, 1))),
    "algebraic with a real degree": lambda: kernel.algebraic(x, kernel.assume(Eq(power(x, y), 2))),
    "algebraic with an unknown sign": lambda: kernel.algebraic(
        x, kernel.assume(Eq(power(x, k), 2))
    ),
    "algebraic with pi": lambda: kernel.algebraic(x, kernel.assume(Eq(x**2, pi))),
    "algebraic with a cosine": lambda: kernel.algebraic(x, kernel.assume(Eq(x**2, cos(num(1))))),
    "algebraic with a real": lambda: kernel.algebraic(x, kernel.assume(Eq(x**2, y))),
    "words of different content": lambda: kernel.same_content(word, append(word, letter)),
    "operators with the wrong trace": lambda: kernel.free_identity(
        Eq(Node("step", (letter,)), Node("unit")), [], []
    ),
    "operators from inequalities": lambda: kernel.free_identity(
        Eq(Node("unit"), Node("unit")), [A], []
    ),
    "an enclosure of <=": lambda: kernel.enclosure(Le(x, 2), {x: (0, 1)}),
    "an enclosure without a box": lambda: kernel.enclosure(Lt(x, y), {x: (0, 1)}),
    "an enclosure that is false": lambda: kernel.enclosure(Lt(x, 1), {x: (0, 2)}, 64),
    "an enclosure that touches": lambda: kernel.enclosure(Lt(x, 1), {x: (0, 1)}, 64),
    "an enclosure of a falsehood": lambda: kernel.enclosure(Lt(num(1), num(1)), {}),
}


@pytest.mark.parametrize("attempt", MISFITS.values(), ids=MISFITS)
def test_premises_that_do_not_fit_are_rejected(attempt: Callable[[], object]) -> None:
    with pytest.raises(Rejected):
        attempt()


# ---------------------------------------------------------------------- what the rules make
def test_rules_give_what_they_say() -> None:
    assert kernel.contrapositive(kernel.assume(Implies(A, B))).conclusion == Implies(Not(B), Not(A))
    assert kernel.contrapositive(kernel.assume(Not(Not(A)))).conclusion == A
    assert kernel.not_less(kernel.assume(Not(Le(x, y)))).conclusion == Lt(y, x)
    assert kernel.not_less(kernel.assume(Not(Lt(x, y)))).conclusion == Le(y, x)
    assert kernel.not_less(kernel.assume(Lt(x, y))).conclusion == Not(Le(y, x))
    assert kernel.not_less(ta).conclusion == Not(Lt(y, x))
    assert kernel.integer_step(kernel.assume(Lt(k, n))).conclusion == Le(k + 1, n)
    assert kernel.project(kernel.assume(Iff(A, B)), 1).conclusion == Implies(B, A)
    assert kernel.antisymmetry(ta, kernel.assume(Le(y, x))).conclusion == Eq(x, y)
    assert kernel.deny(kernel.clash(ta, kernel.assume(Not(A))), A).hypotheses == (Not(A),)
    degree = kernel.algebraic(x, kernel.assume(Eq(power(x, n + 1), half / 2)))
    assert degree.conclusion == Node("predicate", ("algebraic", x))
    swapped = kernel.exchange(total(i, n, total(variable("j", Int(0)), k, x)))
    assert swapped.conclusion.args[1].args[0].args[0] == "j"


def test_substitution_under_a_binder_renames() -> None:
    theorem = kernel.generalise(kernel.specialise(same, {}), y)
    moved = kernel.leibniz(
        kernel.witness(Exists(x, Eq(x, z)), z, prove_identity(Eq(z, z))),
        Exists(x, Eq(x, y)),
        y,
        Eq(x, z),
    )
    assert theorem.conclusion.head == "forall"
    assert x in kernel.free_variables(moved.conclusion)
    inner = kernel.instantiate(kernel.assume(ForAll(y, Exists(x, Lt(y, x)))), x)
    assert x in kernel.free_variables(inner.conclusion)


BELONGS = [
    (num(1), Real, True),
    (matrix([[x]]), Real, False),
    (letter, Real, False),
    (letter, Letter, True),
    (x, Letter, False),
    (word, Word, True),
    (append(word, letter), Word, True),
    (concat(word, empty), Word, True),
    (letter, Word, False),
    (half, Rational, True),
    (k, Rational, True),
    (x, Rational, False),
    (num(Fraction(1, 2)), Rational, True),
    (boxed, Box(0, 1), True),
    (boxed, Box(0, 2), False),
    (num(0), Box(0, 1), False),
    (p, Positive, True),
    (x * x, Positive, False),
    (n + 1, Positive, True),
    (n, Positive, False),
    (n, Int(0), True),
    (n + 3, Int(2), True),
    (n - 1, Int(0), False),
    (n - 1, Int(-1), True),
    (n * n, Int(0), True),
    (n - n, Int(0), False),
    (k * k, Int(0), False),
    (n**2, Int(0), False),
    (k, Integer, True),
    (k / 1, Integer, False),
    (half, Integer, False),
    (boxed, Integer, False),
    (sequence("s", 0, Int(3)), Int(2), True),
    (sequence("s", 0), Int(0), False),
    (sequence("s", 0, Integer) ** 2, Integer, True),
    (num(Fraction(1, 2)), Integer, False),
    (num(1), Finite([1, 2]), True),
    (num(3), Finite([1, 2]), False),
    (finite, Finite([1, 2]), False),
    (finite, Int(1), True),
    (x + k, Integer, False),
    (0 - n, Int(0), False),
]


@pytest.mark.parametrize(("value", "domain", "inside"), BELONGS, ids=lambda v: str(v)[:60])
def test_what_visibly_belongs_to_a_domain(value: Node, domain, inside: bool) -> None:
    assert kernel.belongs(value, domain, ()) is inside


def test_a_fact_may_place_an_integer() -> None:
    assert kernel.belongs(k, Int(2), [Le(num(2), k)])
    assert kernel.belongs(k, Int(2), [Lt(num(1), k)])
    assert not kernel.belongs(k, Int(2), [Lt(num(0), k)])
    assert not kernel.belongs(x, Int(2), [Le(num(2), x)])


# ---------------------------------------------------------------------- induction
def test_induction_rejects_what_does_not_fit() -> None:
    claim = Le(0, n * n)
    base = kernel.assume(substitute(claim, {n: num(0)}))
    step = kernel.assume(substitute(claim, {n: n + 1}))
    good = (n, claim, base, kernel.specialise(kernel.assume(Le(0, x * x)), {x: n + 1}))
    for wrong in (
        (n, claim, step, step),
        (n, claim, base, base),
        (k, claim, base, step),
        (x, claim, base, step),
        (n, claim, base, step),  # its hypothesis is about n
        good,  # and so is this one's
    ):
        with pytest.raises(Rejected):
            kernel.induct(*wrong)


def test_induction_over_words_rejects_what_does_not_fit() -> None:
    def journey(w: Node) -> Node:
        return Node("journey", (w,))

    claim = Eq(journey(word), journey(word))
    base = kernel.free_identity(Eq(journey(empty), journey(empty)), [], [])
    grown = append(word, letter)
    step = kernel.free_identity(Eq(journey(grown), journey(grown)), [claim], [])
    assert kernel.induct_words(word, letter, claim, base, step).hypotheses == ()
    for wrong in (
        (letter, word, claim, base, step),
        (word, letter, Eq(Node("step", (letter,)), Node("unit")), base, step),
        (word, letter, claim, step, step),
        (word, letter, claim, base, base),
        (word, letter, claim, base, kernel.weaken(step, [Eq(journey(word), Node("unit"))])),
        (
            word,
            letter,
            claim,
            kernel.weaken(base, [Eq(Node("step", (letter,)), Node("unit"))]),
            step,
        ),
    ):
        with pytest.raises(Rejected):
            kernel.induct_words(*wrong)


def test_swaps_reject_what_does_not_fit() -> None:
    u, v = variable("u", Word), variable("v", Word)
    a, b = variable("a", Letter), variable("b", Letter)
    here = Node("journey", (concat(append(u, a, b), v),))
    there = Node("journey", (concat(append(u, b, a), v),))
    value = Node("journey", (word,))
    premise = kernel.assume(Eq(here, there))
    with pytest.raises(Rejected):  # the one swap is only assumed of these u, v, a, b
        kernel.induct_swaps(word, value, premise)
    with pytest.raises(Rejected):
        kernel.induct_swaps(word, value, kernel.assume(Eq(there, there)))
    everywhere = kernel.assume(ForAll((u, v, a, b), Eq(here, there)))
    for name in (u, v, a, b):
        everywhere = kernel.instantiate(everywhere, name)
    theorem = kernel.induct_swaps(word, value, everywhere)
    assert theorem.conclusion.args[0].head == "same_content"
    with pytest.raises(Rejected):
        kernel.induct_swaps(word, Node("step", (a,)), everywhere)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (append(empty, letter), append(empty, letter)),
        (concat(word, append(empty, letter)), append(word, letter)),
        (append(word, letter), concat(append(empty, letter), word)),
    ],
    ids=["itself", "pushed in", "moved"],
)
def test_words_of_the_same_content(left: Node, right: Node) -> None:
    assert kernel.same_content(left, right).hypotheses == ()


def test_enclosures_and_citations() -> None:
    theorem = kernel.enclosure(Lt(x * x, 2 + y), {x: (-1, 1), y: (Fraction(-1, 2), 0)})
    assert len(theorem.hypotheses) == 4
    with pytest.raises(Rejected):
        kernel.cite("two is three")


def test_domains_are_printed_with_their_ends() -> None:
    from posproof.proofs_check.render import latex, text
    from posproof.theory.vocabulary import Box, Finite

    box, few = variable("x", Box(0, 2)), variable("n", Finite(range(10)))
    assert text(ForAll(box, Le(box, 3))) == "for all x in [0, 2]: x <= 3"
    assert text(ForAll(few, Le(few, 9))) == "for all n in {0, 1, ..., 9}: n <= 9"
    assert latex(ForAll(few, Le(few, 9))) == r"\forall n \in \{0, 1, \ldots, 9\}:\ n \le 9"


# ---------------------------------------------------------------------- names bound twice
def test_a_name_bound_again_hides_the_outer_one() -> None:
    a, b, c = (variable(name, Real) for name in "abc")
    hidden = ForAll(a, And(ForAll(a, Le(a, 0)), Lt(a, 1)))
    renamed = ForAll(b, And(ForAll(c, Le(c, 0)), Lt(b, 1)))
    confused = ForAll(b, And(ForAll(c, Le(b, 0)), Lt(b, 1)))
    assert kernel.same(hidden, renamed)
    assert not kernel.same(hidden, confused)


def test_a_statement_that_binds_a_name_twice_is_not_a_weaker_one() -> None:
    a, b = variable("a", Real), variable("b", Real)
    trivial = prove_identity(Eq(b, b))
    for name in (b, a, a):
        trivial = kernel.generalise(trivial, name)
    assert kernel.establishes(trivial, ForAll(a, ForAll(a, ForAll(b, Eq(b, b)))))
    assert not kernel.establishes(trivial, ForAll(a, ForAll(a, ForAll(b, Eq(a, b)))))


def test_a_premise_keeps_the_name_it_was_stated_with() -> None:
    a = variable("a", Real)
    zero, positive = Eq(a, 0), Le(0, a)
    inner = kernel.generalise(kernel.intro(kernel.assume(positive), positive), a)
    weaker = kernel.generalise(kernel.intro(kernel.weaken(inner, [zero]), zero), a)
    assert kernel.establishes(
        weaker, ForAll(a, Implies(zero, ForAll(a, Implies(positive, positive))))
    )
    outside = ForAll(a, Implies(positive, ForAll(a, Implies(zero, positive))))
    assert not kernel.establishes(weaker, outside)


def test_canonical_form_is_one_walk_however_deep_the_binders() -> None:
    """Forty nested quantifiers over a conjunction of forty equations."""
    names = tuple(variable(f"v{index}", Real) for index in range(40))
    other = tuple(variable(f"w{index}", Real) for index in range(40))

    def chained(row: tuple[Node, ...], bound: tuple[Node, ...]) -> Node:
        return ForAll(bound, And(*(Eq(x, y * x) for x, y in zip(row, row[1:], strict=False))))

    assert kernel.same(chained(names, names), chained(other, other))
    assert not kernel.same(chained(names, names), chained(other, other[::-1]))
