"""Steps that proofs of several subjects repeat, built from the rules of the kernel.

Main definitions
----------------
apply             a universal implication at given terms, its premises discharged
obtain            use an existence theorem under the name of its witness
exists_all, choose_all    existence of several values at once, proved and used
rewrite           P(v) from a proof of P(t) and v = t
replaced          a term or proposition with one of its parts replaced
by_algebra        an equation from proved ones
implication       move hypotheses into the conclusion
induct_upto       induction up to a limit that the hypotheses speak of
iff               an equivalence from a proof of each direction
split, compare, three_ways   a proof by cases on a proposition or a comparison
inner, outer, conjuncts, unpack_all   a statement with nested premises taken apart
taken, closed     premise and goal of a universal implication, and the premise put back
gathered, all_parts   a nested conjunction from its parts, and its parts
chained, turned   equivalences one after the other, or the other way round
euclid            division with remainder
opened            premises and conclusion of a universal implication
follows, combined equations of operators by rewriting, or as a given combination
at, up_to         a universal fact at given values; an induction below a limit
taken_out         a constant factor of a sum
term_below_sum    a sum of terms >= 0 bounds each of them
along, recursion  a claim about every step of a recursion, or about its end, by induction
odd_turns, zero_of_sine, cosine_decreases, period_sums   lemmas about the circle
exponential_rises  the exponential is increasing
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from posproof.proofs_check import kernel
from posproof.proofs_check.algebra import free_polynomial
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import (
    FALSUM,
    And,
    Eq,
    Exists,
    ForAll,
    Implies,
    Int,
    Integer,
    Le,
    Lt,
    Node,
    Not,
    Or,
    Real,
    cos,
    exp,
    free_variables,
    fresh_variable,
    num,
    pi,
    sin,
    substitute,
    total,
    variable,
)
from posproof.proofs_check.search import (
    prove_by_induction,
    prove_free,
    prove_identity,
    prove_nonneg,
    prove_order,
)
from posproof.proofs_check.translate import node
from posproof.theory.vocabulary import Claim

_x, _y = variable("x", Real), variable("y", Real)
_k, _q = variable("k", Integer), variable("q", Integer)


def stated(claim: Claim, clause: str, of: Any) -> Any:
    """The proposition of a clause under the definitions `of`, for taking apart."""
    return claim.clause(clause).statement(of)


def unquantified(statement: Any) -> tuple[list[Node], Node]:
    """The outer variables of a statement, and what stands below them."""
    return outer(statement), inner(statement)


def assume(prop: Any) -> Theorem:
    return kernel.assume(node(prop))


def apply(theorem: Theorem, values: Sequence[Any], *premises: Theorem) -> Theorem:
    """Instantiate the outer quantifiers at `values`, then discharge premises in order."""
    for value in values:
        theorem = kernel.instantiate(theorem, node(value))
    for premise in premises:
        theorem = kernel.modus(theorem, premise)
    return theorem


def specialised(theorem: Theorem, names: Sequence[Any], values: Sequence[Any]) -> Theorem:
    """A theorem about free names, at values."""
    pairs = zip(names, values, strict=True)
    return kernel.specialise(theorem, {node(name): node(value) for name, value in pairs})


def both(*theorems: Theorem) -> Theorem:
    return kernel.conjunction(*theorems)


def parts(theorem: Theorem) -> list[Theorem]:
    """The parts of a conjunction, or the two directions of an equivalence."""
    return [kernel.project(theorem, k) for k in range(len(theorem.conclusion.args))]


def discharge(theorem: Theorem, *lemmas: Theorem) -> Theorem:
    """Remove the hypotheses that the lemmas prove."""
    for lemma in lemmas:
        if any(kernel.same(lemma.conclusion, h) for h in theorem.hypotheses):
            theorem = kernel.cut(lemma, theorem)
    return theorem


def unpack(theorem: Theorem, conjunction: Any) -> Theorem:
    """Replace hypotheses that are parts of `conjunction` by the conjunction itself."""
    whole = kernel.assume(node(conjunction))
    return discharge(theorem, *parts(whole))


def conjuncts(prop: Any) -> list[Node]:
    """The parts of nested conjunctions; a proposition of another shape is its only part."""
    whole = node(prop)
    if whole.head != "and":
        return [whole]
    return [part for inner in whole.args for part in conjuncts(inner)]


def all_parts(theorem: Theorem) -> list[Theorem]:
    """The parts of nested conjunctions; a theorem of another shape is its only part."""
    if theorem.conclusion.head != "and":
        return [theorem]
    return [part for inner in parts(theorem) for part in all_parts(inner)]


def gathered(goal: Node, proofs: Sequence[Theorem]) -> Theorem:
    """A nested conjunction from proofs of its parts, in order."""
    rest = list(proofs)

    def built(part: Node) -> Theorem:
        if part.head != "and":
            return rest.pop(0)
        return both(*(built(inner) for inner in part.args))

    return built(goal)


def unpack_all(theorem: Theorem, conjunction: Any) -> Theorem:
    """Replace hypotheses that are parts of a nested conjunction by the conjunction itself."""
    return discharge(theorem, *all_parts(kernel.assume(node(conjunction))))


def taken(statement: Any) -> tuple[Node, list[Node], Node]:
    """Premise, its parts, and goal of a universal implication."""
    premise, goal = inner(statement).args
    return premise, conjuncts(premise), goal


def closed(theorem: Theorem, premise: Node) -> Theorem:
    """premise => conclusion, where hypotheses are parts of the premise."""
    return implication(unpack_all(theorem, premise), premise)


def inner(statement: Any) -> Node:
    """A statement without its outer universal quantifiers."""
    goal = node(statement)
    while goal.head == "forall":
        goal = goal.args[1]
    return goal


def outer(statement: Any) -> list[Node]:
    """The variables of its outer universal quantifiers."""
    goal, names = node(statement), []
    while goal.head == "forall":
        names.append(goal.args[0])
        goal = goal.args[1]
    return names


def obtain(existence: Theorem, name: Any, theorem: Theorem) -> Theorem:
    """`theorem` may assume the body of the existence theorem about `name`."""
    return kernel.cut(existence, kernel.choose(existence.conclusion, node(name), theorem))


def body(existence: Theorem, name: Any) -> Node:
    """What an existence theorem says about its witness, under the given name."""
    return body_of(existence.conclusion, name)


def body_of(existence: Any, name: Any) -> Node:
    """What an existential proposition says about its witness, under the given name."""
    bound, inner = node(existence).args
    return substitute(inner, {bound: node(name)})


def exists(goal: Any, value: Any, instance: Theorem | Callable[[Node], Theorem]) -> Theorem:
    """Existence from an instance, or from a proof of whatever the instance has to be."""
    claim, at = node(goal), node(value)
    if not isinstance(instance, Theorem):
        bound, inner = claim.args
        instance = instance(substitute(inner, {bound: at}))
    return kernel.witness(claim, at, instance)


def exists_all(goal: Any, values: Sequence[Any], prove: Callable[[Node], Theorem]) -> Theorem:
    """A nested existence from its witnesses and a proof of each part of what they satisfy."""
    claim, stages = node(goal), []
    for value in values:
        stages.append((claim, node(value)))
        bound, inner = claim.args
        claim = substitute(inner, {bound: node(value)})
    found = both(*(prove(part) for part in claim.args))
    for stage, value in reversed(stages):
        found = kernel.witness(stage, value, found)
    return found


def choose_all(names: Sequence[Any], claim: Any, theorem: Theorem) -> Theorem:
    """The theorem may assume parts of a claim about the names; the result, that some meet it."""
    whole = node(claim)
    theorem = unpack(theorem, whole)
    for name in reversed(names):
        existence = Exists(node(name), whole)
        theorem, whole = kernel.choose(existence, node(name), theorem), existence
    return theorem


def rewrite(pattern: Any, hole: Any, value: Any, at_value: Theorem) -> Theorem:
    """hole = value, ... |- pattern, from a proof of the pattern at the value."""
    return transport(pattern, hole, assume(Eq(node(hole), node(value))), at_value)


def prove_at(pattern: Any, hole: Any, value: Any, given: Sequence[Any] = ()) -> Theorem:
    """The same for an equation that algebra proves at the value."""
    goal = substitute(node(pattern), {node(hole): node(value)})
    return rewrite(pattern, hole, value, prove_identity(goal, given))


def transport(pattern: Any, hole: Any, equation: Theorem, theorem: Theorem) -> Theorem:
    """P(s), from a proof that s = t and a proof of P(t) (or of an equation equal to it)."""
    shape, place = node(pattern), node(hole)
    wanted = substitute(shape, {place: equation.conclusion.args[1]})
    if wanted.head == "eq" and not kernel.same(theorem.conclusion, wanted):
        theorem = discharge(prove_identity(wanted, [theorem.conclusion]), theorem)
    return discharge(kernel.leibniz(theorem, shape, place, equation.conclusion), equation)


def replaced(where: Node, old: Node, new: Node) -> Node:
    """A term or proposition in which one of its parts is replaced everywhere.

    Binders are not looked at: `new` must not contain a variable that is bound around `old`.
    """
    if where == old:
        return new
    args = (replaced(part, old, new) if isinstance(part, Node) else part for part in where.args)
    return Node(where.head, tuple(args))


def by_algebra(goal: Any, *lemmas: Theorem) -> Theorem:
    """An equation of numbers or matrices by algebra from proved ones."""
    return discharge(prove_identity(goal, [lemma.conclusion for lemma in lemmas]), *lemmas)


def margin(inequality: Any) -> Node:
    """The term that an inequality makes non-negative, as the kernel recognises it."""
    small, large = node(inequality).args
    return large if small == num(0) else large - small


def induct_upto(
    name: Any,
    limit: Any,
    claim: Callable[[Node], Node],
    base: Theorem,
    step: Callable[[Theorem, Theorem], Theorem],
) -> Theorem:
    """claim(limit) by induction over the integers up to it.

    `base` proves claim(0); `step` gets proofs of claim(name) and name < limit and proves the next.
    """
    j, end = node(name), node(limit)
    statement = Implies(Le(j, end), claim(j))
    more = Le(j + 1, end)
    known = kernel.modus(kernel.assume(statement), prove_order(Le(j, end), [more]))
    grown = step(known, prove_order(Lt(j, end), [more]))
    whole = kernel.induct(
        j, statement, implication(base, Le(num(0), end)), implication(grown, more)
    )
    return kernel.modus(kernel.specialise(whole, {j: end}), prove_order(Le(end, end)))


def implication(theorem: Theorem, *premises: Any) -> Theorem:
    """Move premises into the conclusion, the last one innermost."""
    for premise in reversed(premises):
        theorem = kernel.intro(theorem, node(premise))
    return theorem


def iff(left: Any, right: Any, forward: Theorem, backward: Theorem) -> Theorem:
    """left <=> right, from right under left and left under right."""
    return kernel.equivalence(implication(forward, left), implication(backward, right))


def chained(*steps: Theorem) -> Theorem:
    """A <=> C from A <=> B and B <=> C."""
    left, right = steps[0].conclusion.args[0], steps[-1].conclusion.args[1]
    forward, backward = kernel.assume(left), kernel.assume(right)
    for step in steps:
        forward = kernel.modus(parts(step)[0], forward)
    for step in reversed(steps):
        backward = kernel.modus(parts(step)[1], backward)
    return iff(left, right, forward, backward)


def turned(equivalence: Theorem) -> Theorem:
    """B <=> A from A <=> B."""
    forward, backward = parts(equivalence)
    return kernel.equivalence(backward, forward)


def generalise(theorem: Theorem, *names: Any) -> Theorem:
    for name in reversed(names):
        theorem = kernel.generalise(theorem, node(name))
    return theorem


def split(prop: Any, if_true: Theorem, if_false: Theorem) -> Theorem:
    """By cases on a proposition: one branch may assume it, the other its negation."""
    return kernel.cases(kernel.excluded_middle(node(prop)), if_true, if_false)


def compare(left: Any, right: Any, below: Theorem, above: Theorem) -> Theorem:
    """By cases left < right or right <= left."""
    return kernel.cases(kernel.ordered(node(left), node(right)), below, above)


def ex_falso(theorem: Theorem, conclusion: Any) -> Theorem:
    return kernel.absurd(theorem, node(conclusion))


def contradict(given: Sequence[Any], hints: Sequence[Any] = (), degree: int = 2) -> Theorem:
    """given |- 0 < 0, when inequalities exclude each other."""
    return prove_order(FALSUM, given, hints, degree)


def induction(n: Any, statement: Any, *lemmas: Theorem) -> Theorem:
    """For all n >= k by algebra in base and step; the step may use lemmas about n."""
    name, equation = node(n), node(statement)
    base = prove_identity(substitute(equation, {name: num(name.args[1].lower)}))
    facts = [lemma.conclusion for lemma in lemmas]
    step = prove_identity(substitute(equation, {name: name + 1}), [equation, *facts])
    return kernel.induct(name, equation, base, discharge(step, *lemmas))


def instance(statement: Any, name: Any, value: Any) -> Node:
    """The statement at a value, put the way the kernel's induction expects it."""
    return substitute(node(statement), {node(name): node(value)})


def along(
    n: Any,
    claim: Any,
    length: Any,
    grows: Any,
    start: Callable[[Node], Theorem],
    step: Callable[[Node, Sequence[Theorem]], Theorem],
) -> Theorem:
    """n <= length => a claim about n, where `grows` reads: for all k < length, k + 1 from k.

    `start` proves the claim at 0, `step` the claim at n + 1 from what `grows` says at n; it may
    assume the claim at n.
    """
    name, shape, end = node(n), node(claim), node(length)
    more = Le(name + 1, end)
    facts = apply(assume(grows), [name], prove_order(Lt(name, end), [more]))
    told = parts(facts) if facts.conclusion.head == "and" else [facts]
    held = Implies(Le(name, end), shape)
    known = kernel.modus(assume(held), prove_order(Le(name, end), [more]))
    grown = step(substitute(shape, {name: name + 1}), told)
    if shape.head == "and":
        grown = unpack(grown, shape)
    grown = implication(discharge(grown, known, *told), more)
    begin = implication(start(substitute(shape, {name: num(0)})), Le(num(0), end))
    return kernel.induct(name, held, begin, grown)


def recursion(
    n: Any,
    claim: Any,
    length: Any,
    grows: Any,
    start: Callable[[Node], Theorem],
    step: Callable[[Node, Sequence[Theorem]], Theorem],
) -> Theorem:
    """The claim of `along` at n = length."""
    name, end = node(n), node(length)
    whole = kernel.specialise(along(n, claim, length, grows, start, step), {name: end})
    return kernel.modus(whole, prove_order(Le(end, end)))


def taken_out(index: Any, upper: Any, body: Any, factor: Any) -> Theorem:
    """The sum of body * factor is factor times the sum, also for a factor that is a sum itself."""
    place, end, inside, outside = node(index), node(upper), node(body), node(factor)
    taken = free_variables(inside) | free_variables(end) | {place}
    hold = fresh_variable(variable("C", Real), taken)
    linear = Eq(total(place, end, inside * hold), hold * total(place, end, inside))
    return kernel.specialise(prove_identity(linear), {hold: outside})


@lru_cache
def term_below_sum(body: Node, index: Node, upper: Node) -> Theorem:
    """0 <= body for all index < upper |- the sum over index < upper bounds each of its terms.

    The conclusion: 0 <= sum, and for all index < upper body <= sum.
    """
    n = fresh_variable(natural("n"), free_variables(body) | free_variables(upper) | {index})
    positive = ForAll(index, Implies(Lt(index, upper), Le(num(0), body)))

    def claim(at: Node) -> Node:
        partial = total(index, at, body)
        each = ForAll(index, Implies(Lt(index, at), Le(body, partial)))
        return And(Le(num(0), partial), each)

    last, more = substitute(body, {index: n}), Le(n + 1, upper)
    known = kernel.modus(
        kernel.assume(Implies(Le(n, upper), claim(n))), prove_order(Le(n, upper), [more])
    )
    low, each = parts(known)
    new = apply(assume(positive), [n], prove_order(Lt(n, upper), [more]))
    grown = total(index, n + 1, body)
    facts = [low.conclusion, new.conclusion]
    above = prove_order(Le(num(0), grown), facts)
    before = apply(each, [index], assume(Lt(index, n)))
    older = discharge(prove_order(Le(body, grown), [before.conclusion, new.conclusion]), before)
    close = one_apart(index, n + 1)
    under = discharge(prove_order(Le(index, n), [close.conclusion]), close)
    here = kernel.antisymmetry(under, assume(Le(n, index)))
    newest = transport(Le(body, grown), index, here, prove_order(Le(last, grown), facts))
    reached = implication(compare(index, n, older, newest), Lt(index, n + 1))
    step = both(above, generalise(reached, index))
    step = implication(discharge(step, low, each, new), more)
    none = ex_falso(contradict([Lt(index, num(0))]), Le(body, total(index, num(0), body)))
    start = both(
        prove_order(Le(num(0), total(index, num(0), body))),
        generalise(implication(none, Lt(index, num(0))), index),
    )
    whole = kernel.induct(
        n, Implies(Le(n, upper), claim(n)), implication(start, Le(num(0), upper)), step
    )
    return kernel.modus(kernel.specialise(whole, {n: upper}), prove_order(Le(upper, upper)))


def selection(
    q: Any,
    partial: Callable[[Any], Any],
    at: Any,
    value: Any,
    limit: Any,
    apart: Theorem,
    meets: Sequence[Theorem],
) -> Theorem:
    """partial(q) is 0 up to q = at and `value` after, for q <= limit: one term is selected.

    `apart` proves, under q != at and q + 1 <= limit, what makes the term of q vanish; `meets`
    prove, under q = at, what makes it `value`.
    """
    name, place = node(q), node(at)
    early, late = Le(name, place), Lt(place, name)
    inside = Le(name, node(limit))
    nothing = Implies(early, Eq(node(partial(q)), num(0)))
    selected = Implies(late, Eq(node(partial(q)), node(value)))
    statement = Implies(inside, And(nothing, selected))

    start = instance(statement, name, 0)
    zero = prove_identity(start.args[1].args[0].args[1])
    never = ex_falso(contradict([start.args[1].args[1].args[0]]), start.args[1].args[1].args[1])
    base = both(
        implication(zero, start.args[1].args[0].args[0]),
        implication(never, start.args[1].args[1].args[0]),
    )

    more, grown = instance(statement, name, name + 1).args
    known = kernel.modus(kernel.assume(statement), prove_order(inside, [more]))
    before, after = parts(known)

    def unlike(given: Node) -> Theorem:
        return conclude_not(contradict([Eq(name, place), given]), Eq(name, place))

    ahead, still = grown.args[0].args
    here = kernel.modus(before, prove_order(early, [ahead]))
    none = discharge(apart, unlike(ahead))
    waiting = discharge(prove_identity(still, [here.conclusion, none.conclusion]), here, none)

    past, done = grown.args[1].args
    gone = kernel.modus(after, kernel.assume(late))
    none = discharge(apart, unlike(late))
    already = discharge(prove_identity(done, [gone.conclusion, none.conclusion]), gone, none)
    close = kernel.integer_step(kernel.assume(past))
    below = discharge(prove_order(Le(place, name), [close.conclusion]), close)
    same = kernel.antisymmetry(kernel.assume(early), below)
    reached = kernel.modus(before, kernel.assume(early))
    met = [discharge(theorem, same) for theorem in meets]
    facts = [reached, *met]
    itself = discharge(prove_identity(done, [fact.conclusion for fact in facts]), *facts)
    arrived = compare(at, q, already, itself)

    step = both(implication(waiting, ahead), implication(arrived, past))
    return kernel.induct(name, statement, implication(base, start.args[0]), implication(step, more))


def prove_tree(statement: Any) -> Theorem:
    """Nested conjunctions of universal, conditional equations, each by algebra."""
    goal = node(statement)
    match goal.head:
        case "and":
            return kernel.conjunction(*(prove_tree(part) for part in goal.args))
        case "forall":
            return kernel.generalise(prove_tree(goal.args[1]), goal.args[0])
        case "implies":
            premise, conclusion = goal.args
            facts = premise.args if premise.head == "and" else (premise,)
            return implication(unpack(prove_identity(conclusion, facts), premise), premise)
        case "lt":
            return kernel.ground(goal)
    return prove_identity(goal)


# ---------------------------------------------------------------------- integers
def one_apart(a: Any, b: Any) -> Theorem:
    """a < b |- a + 1 <= b for integers."""
    return kernel.integer_step(kernel.assume(Lt(node(a), node(b))))


def euclid(a: Any, b: Any) -> Theorem:
    """There is an integer q with 0 <= a - b q < b, for a visibly positive b."""
    a, b = node(a), node(b)
    floor = apply(kernel.meaning("floor"), [a / b])
    inside = body(floor, _q)
    low, high = inside.args
    above = prove_nonneg(Le(num(0), a - b * _q), b * margin(low), [low])
    below = prove_nonneg(Lt(a - b * _q, b), b * margin(high), [high])
    found = both(above, below)
    goal = Exists(_q, found.conclusion)
    return obtain(floor, _q, unpack(exists(goal, _q, found), inside))


@lru_cache
def consecutive() -> Theorem:
    """for all integers k: 0 <= k (k + 1)."""
    goal, below = Le(num(0), _k * (_k + 1)), Lt(_k, num(0))
    step = kernel.integer_step(kernel.assume(below))
    negative = discharge(prove_order(goal, [below, step.conclusion]), step)
    above = Le(num(0), _k)
    return generalise(compare(_k, 0, negative, prove_order(goal, [above])), _k)


def no_integer_inside(k: Any, given: Sequence[Any], degree: int = 2) -> Theorem:
    """given |- k = 0, when the hypotheses exclude k <= -1 and 1 <= k."""
    k = node(k)
    spread = kernel.instantiate(kernel.meaning("integers_apart"), k)
    low, zero, high = spread.conclusion.args
    goal = Eq(k, num(0))
    branches = (
        ex_falso(contradict([*given, low], degree=degree), goal),
        kernel.assume(zero),
        ex_falso(contradict([*given, high], degree=degree), goal),
    )
    return kernel.cases(spread, *branches)


def three_ways(a: Node, b: Node, less: Theorem, equal: Theorem, more: Theorem) -> Theorem:
    """By cases a < b, a = b, b < a."""
    same = kernel.antisymmetry(assume(Le(a, b)), assume(Le(b, a)))
    return compare(a, b, less, compare(b, a, more, discharge(equal, same)))


def equal_integers(a: Node, b: Node, facts: Sequence[Node]) -> Theorem:
    """facts |- a = b, when they exclude a + 1 <= b and b + 1 <= a."""
    apart = no_integer_inside(a - b, facts)
    fact = apart.conclusion
    return discharge(prove_identity(Eq(a, b), [fact]), apart)


# ---------------------------------------------------------------------- the circle


@lru_cache
def odd_turns() -> Theorem:
    """for all x: cos x = -1 => x = pi (2 k + 1) for some integer k."""
    given = Eq(cos(_x), num(-1))
    turned = apply(
        kernel.meaning("full_turns"), [_x + pi], prove_identity(Eq(cos(_x + pi), num(1)), [given])
    )
    goal = Exists(_k, Eq(_x, pi * (2 * _k + 1)))
    at = prove_identity(Eq(_x, pi * (2 * (_k - 1) + 1)), [Eq(_x + pi, 2 * pi * _k)])
    return generalise(implication(obtain(turned, _k, exists(goal, _k - 1, at)), given), _x)


@lru_cache
def zero_of_sine() -> Theorem:
    """for all x: sin x = 0 => x = pi k for some integer k."""
    given = Eq(sin(_x), num(0))
    turned = apply(
        kernel.meaning("full_turns"), [2 * _x], prove_identity(Eq(cos(2 * _x), num(1)), [given])
    )
    goal = Exists(_k, Eq(_x, pi * _k))
    at = prove_identity(Eq(_x, pi * _k), [Eq(2 * _x, 2 * pi * _k)])
    return generalise(implication(obtain(turned, _k, exists(goal, _k, at)), given), _x)


@lru_cache
def cosine_decreases() -> Theorem:
    """for all x, y: 0 <= x < y <= pi => cos y < cos x."""
    middle, half = (_x + _y) / 2, (_y - _x) / 2
    inside = And(Le(num(0), _x), Lt(_x, _y), Le(_y, pi))
    low, apart, high = inside.args
    positive = kernel.meaning("sine_positive")

    def sine(angle: Node) -> Theorem:
        above = prove_order(Lt(num(0), angle), [low, apart, high])
        below = prove_order(Lt(angle, pi), [low, apart, high])
        return apply(positive, [angle], both(above, below))

    product = 2 * sin(middle) * sin(half)
    facts = [sine(middle), sine(half)]
    goal = Lt(cos(_y), cos(_x))
    proof = prove_nonneg(goal, product, [f.conclusion for f in facts])
    proof = unpack(discharge(proof, *facts), inside)
    return generalise(implication(proof, inside), _x, _y)


@lru_cache
def period_sums() -> Theorem:
    """For integers r not divisible by N the sums of cos and sin (2 pi r e / N), e < N, vanish."""
    r, size, e = integer("r"), natural("N", 1), natural("e")
    n, angle = natural("n"), pi * integer("r") / natural("N", 1)

    def over(count: Node, wave: Callable[[Node], Node]) -> Node:
        return total(e, count, wave(2 * angle * e))

    multiple = Exists(_k, Eq(r, size * _k))
    vanishes = Eq(sin(angle), num(0))
    turned = apply(zero_of_sine(), [angle], kernel.assume(vanishes))
    divided = exists(multiple, _k, prove_identity(Eq(r, size * _k), [body(turned, _k)]))
    unless = Not(multiple)
    nonzero = conclude_not(
        kernel.clash(obtain(turned, _k, divided), kernel.assume(unless)), vanishes
    )
    telescopes = (
        Eq(2 * sin(angle) * over(n, cos), sin((2 * n - 1) * angle) + sin(angle)),
        Eq(2 * sin(angle) * over(n, sin), cos(angle) - cos((2 * n - 1) * angle)),
    )
    sums = []
    for telescope, wave in zip(telescopes, (cos, sin), strict=True):
        whole = kernel.specialise(prove_by_induction(n, telescope), {n: size})
        zero = prove_identity(Eq(over(size, wave), num(0)), [whole.conclusion, nonzero.conclusion])
        sums.append(discharge(zero, whole, nonzero))
    return generalise(implication(both(*sums), unless), r, size)


def conclude_not(theorem: Theorem, premise: Any) -> Theorem:
    """not premise, from premise |- 0 < 0."""
    return kernel.deny(theorem, node(premise))


def alternative(theorem: Theorem, goal: Any) -> Theorem:
    """A disjunction from one of its parts."""
    return kernel.either(theorem, node(goal))


def real(name: str) -> Node:
    return variable(name, Real)


def integer(name: str) -> Node:
    return variable(name, Integer)


def natural(name: str, lower: int = 0) -> Node:
    return variable(name, Int(lower))


def disjunction(*props: Any) -> Node:
    return Or(*(node(p) for p in props))


def negation(prop: Any) -> Node:
    return Not(node(prop))


def implies(premise: Any, conclusion: Any) -> Node:
    return Implies(node(premise), node(conclusion))


@lru_cache
def cosine_falls() -> Theorem:
    """for all x, y: 0 <= x <= y <= pi => cos y <= cos x."""
    inside = And(Le(num(0), _x), Le(_x, _y), Le(_y, pi))
    low, apart, high = inside.args
    below = Lt(_x, _y)
    strict = apply(
        cosine_decreases(),
        [_x, _y],
        both(kernel.assume(low), kernel.assume(below), kernel.assume(high)),
    )
    goal = Le(cos(_y), cos(_x))
    falls = discharge(prove_nonneg(goal, margin(strict.conclusion), [strict.conclusion]), strict)
    equal = kernel.antisymmetry(kernel.assume(apart), kernel.assume(Le(_y, _x)))
    stays = transport(goal, _x, equal, prove_nonneg(Le(cos(_y), cos(_y)), num(0)))
    proof = unpack(compare(_x, _y, falls, stays), inside)
    return generalise(implication(proof, inside), _x, _y)


@lru_cache
def sine_above_minus() -> Theorem:
    """for all x: 0 <= x => -x <= sin x, because sin^2 x <= 2 (1 - cos x) <= x^2."""
    positive, goal = Le(num(0), _x), Le(num(0) - _x, sin(_x))
    parabola = kernel.instantiate(kernel.meaning("cosine_above_parabola"), _x)
    square = (1 - cos(_x)) ** 2 + 2 * margin(parabola.conclusion)
    bounded = discharge(
        prove_nonneg(Le(sin(_x) ** 2, _x**2), square, [parabola.conclusion]), parabola
    )
    below = Lt(sin(_x), num(0) - _x)
    excluded = discharge(contradict([positive, below, bounded.conclusion]), bounded)
    proof = compare(sin(_x), num(0) - _x, ex_falso(excluded, goal), kernel.assume(goal))
    return generalise(implication(proof, positive), _x)


def opened(statement: Any) -> tuple[list[Node], Node]:
    """The premises and the conclusion of nested universal implications."""
    goal = node(statement)
    facts: list[Node] = []
    while goal.head in ("forall", "implies"):
        if goal.head == "implies":
            premise = goal.args[0]
            facts += premise.args if premise.head == "and" else [premise]
        goal = goal.args[1]
    return facts, goal


# ---------------------------------------------------------------------- operators
def follows(goal: Any, *lemmas: Theorem) -> Theorem:
    """An equation of operators by rewriting with proved ones."""
    return discharge(prove_free(goal, [lemma.conclusion for lemma in lemmas]), *lemmas)


def combined(goal: Any, *terms: tuple[int, Any, Theorem, Any]) -> Theorem:
    """An equation of operators as a sum of coefficient * left * lemma * right."""
    equation, certificate = node(goal), []
    for place, (coefficient, left, _, right) in enumerate(terms):
        for before, x in free_polynomial(node(left)).items():
            for after, y in free_polynomial(node(right)).items():
                certificate.append((Fraction(coefficient) * x * y, before, place, after))
    lemmas = [lemma for _, _, lemma, _ in terms]
    facts = [lemma.conclusion for lemma in lemmas]
    return discharge(kernel.free_identity(equation, facts, certificate), *lemmas)


def at(fact: Node, *values: Any) -> Theorem:
    """An assumed universal statement at given values."""
    return apply(kernel.assume(fact), values)


def up_to(
    limit: Any, equation: Node, name: Node, base: Theorem, step: Callable[[Theorem], Theorem]
) -> Theorem:
    """equation(limit), by induction over name <= limit.

    `step` proves equation(name + 1) from the theorem name < limit; it may assume the equation.
    """
    last = node(limit)
    statement = Implies(Le(name, last), equation)
    ahead = Le(name + 1, last)
    inside = prove_order(Lt(name, last), [ahead])
    known = kernel.modus(kernel.assume(statement), prove_order(Le(name, last), [ahead]))
    grown = discharge(step(inside), known)
    start = implication(base, substitute(Le(name, last), {name: num(0)}))
    whole = kernel.induct(name, statement, start, implication(grown, ahead))
    reached = kernel.specialise(whole, {name: last})
    return kernel.modus(reached, prove_order(Le(last, last)))


@lru_cache
def exponential_rises() -> Theorem:
    """for all x, y: x < y => exp x < exp y, and x <= y => exp x <= exp y."""
    line = kernel.instantiate(kernel.meaning("exponential_above_line"), _y - _x)
    growth = exp(_x) * margin(line.conclusion)
    claims = []
    for relation in (Lt, Le):
        given, goal = relation(_x, _y), relation(exp(_x), exp(_y))
        rise = exp(_x) * (_y - _x)
        proof = prove_nonneg(goal, growth + rise, [line.conclusion, given])
        claims.append(implication(discharge(proof, line), given))
    return generalise(both(*claims), _x, _y)
