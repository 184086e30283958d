"""Proofs of `theory.unitary.words`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from posproof.proofs_check import kernel, language
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Node, substitute
from posproof.proofs_check.rationals import integer_power
from posproof.proofs_check.search import (
    prove_by_substitution,
    prove_each,
    prove_identity,
    prove_nonneg,
    prove_order,
)
from posproof.theory.symbols import Variable
from posproof.theory.unitary import words as statements
from posproof.theory.unitary.words import (
    ANTISYMMETRIC_SCORE,
    ASSOCIATIVITY,
    BLIND_SPOTS,
    CAPACITY,
    FIRST,
    FREE_WORDS,
    NORM,
    QUOTIENTS,
    SECOND,
    SENSITIVITY,
    Associativity,
    BlindSpots,
    Capacity,
    Complex,
    FreeWords,
    L,
    M,
    N,
    Number,
    Quaternion,
    Score,
    Sensitivity,
    Vector,
    Word,
    divisible,
    dot,
    same_image,
)
from posproof.theory.vocabulary import (
    And,
    Eq,
    Exists,
    ForAll,
    Implies,
    Int,
    Integer,
    Le,
    Lt,
    Ne,
    Not,
    Prop,
    Real,
    control,
    proves,
)

node = T.node
m, n = Variable("m", Int(0)), Variable("n", Int(0))
t, v = Variable("t", Integer), Variable("v", Integer)


def _premise(statement: Any) -> tuple[Node, Node]:
    """Premise and conclusion of a statement below its universal quantifiers."""
    goal = node(statement)
    while goal.head == "forall":
        goal = goal.args[1]
    return goal.args


def _conjugate(q: Quaternion) -> Quaternion:
    return (q[0], -q[1], -q[2], -q[3])


# ---------------------------------------------------------------------- divisibility by 5
@lru_cache
def _no_quotient() -> Theorem:
    """No integer v has 5 v in 1, 4, 9 or 16: five facts `not 5 v = r r`."""
    facts = []
    for r in range(1, 5):
        equation = Eq(NORM * v, r * r)
        low = r * r // NORM
        spread = kernel.instantiate(kernel.meaning("integers_apart"), node(v - low))
        branches = [
            T.contradict([equation, spread.conclusion.args[0]]),
            T.contradict([equation, spread.conclusion.args[1]]),
            T.contradict([equation, spread.conclusion.args[2]]),
        ]
        facts.append(T.conclude_not(kernel.cases(spread, *branches), equation))
    return T.generalise(T.both(*facts), v)


@lru_cache
def five_divides_root() -> Theorem:
    """for all integers a, v: a^2 = 5 v => a = 5 t for some integer t."""
    a = Variable("a", Integer)
    q = T.integer("q")
    square, goal = Eq(a**2, NORM * v), Exists(t, Eq(a, NORM * t))
    divided = T.euclid(a, NORM)
    rest = T.body(divided, q).args[0].args[1]
    inside = T.body(divided, q)
    low, high = inside.args

    def is_(value: int) -> Node:
        return node(Eq(rest, value))

    def branch(value: int) -> Theorem:
        if value == 0:
            return T.exists(goal, q, lambda part: prove_identity(part, [is_(0)]))
        other = node(v) - NORM * q * q - 2 * value * q
        equation = node(Eq(NORM * other, value * value))
        holds = prove_identity(equation, [square, is_(value)])
        denied = kernel.project(kernel.instantiate(_no_quotient(), other), value - 1)
        return T.ex_falso(kernel.clash(holds, denied), goal)

    proof = _by_remainder(rest, low, high, branch)
    proof = T.obtain(divided, q, T.unpack(proof, inside))
    return T.generalise(T.implication(proof, square), a, v)


def _by_remainder(rest: Node, low: Node, high: Node, branch: Any, value: int = 0) -> Theorem:
    """Cases rest = 0, 1, .., 4 for an integer 0 <= rest < 5."""
    spread = kernel.instantiate(kernel.meaning("integers_apart"), rest - value)
    below, here, above = spread.conclusion.args
    past = low if value == 0 else node(Le(value, rest))
    first = branch(value)
    goal = first.conclusion
    excluded = T.ex_falso(T.contradict([past, below]), goal)
    at = node(Eq(rest, value))
    same = T.discharge(first, prove_identity(at, [here]))
    if value == NORM - 1:
        later = T.ex_falso(T.contradict([above, high]), goal)
    else:
        later = _by_remainder(rest, low, high, branch, value + 1)
        later = T.discharge(later, prove_order(Le(value + 1, rest), [above]))
    return kernel.cases(spread, excluded, same, later)


# ---------------------------------------------------------------------- letters
def _dot_bounds(e: Vector, f: Vector, unit_e: Theorem, unit_f: Theorem) -> Sequence[Theorem]:
    """-1 <= e . f <= 1 for unit vectors of integers."""
    s, facts = dot(e, f), [unit_e.conclusion, unit_f.conclusion]
    apart, together = (
        sum((a + sign * b) ** 2 for a, b in zip(e, f, strict=True)) for sign in (-1, 1)
    )
    below = prove_order(Le(s, 1), facts, [apart])
    above = prove_order(Le(-1, s), facts, [together])
    return [T.discharge(bound, unit_e, unit_f) for bound in (above, below)]


def _squares_vanish(e: Vector, f: Vector, facts: Sequence[Theorem]) -> Theorem:
    """e = f, component by component, when the facts make their distance 0."""
    conclusions = [fact.conclusion for fact in facts]
    equal = []
    for a, b in zip(e, f, strict=True):
        squares = [(c - d) ** 2 for c, d in zip(e, f, strict=True)]
        ahead = T.contradict([*conclusions, Lt(a, b)], squares)
        behind = T.contradict([*conclusions, Lt(b, a)], squares)
        goal = Eq(a, b)
        middle = T.compare(
            b,
            a,
            T.ex_falso(behind, goal),
            kernel.antisymmetry(T.assume(Le(a, b)), T.assume(Le(b, a))),
        )
        proof = T.compare(a, b, T.ex_falso(ahead, goal), middle)
        equal.append(T.discharge(proof, *facts))
    return T.both(*equal)


class Spelling:
    """What the premise of a clause says about one word, at any index below its length.

    Holds the parts of `FreeWords.spelt` as assumptions; every theorem it returns rests on them.
    """

    def __init__(self, of: FreeWords, word: Word, length: Any) -> None:
        *start, grow, unit, reduced = (T.assume(part) for part in of.spelt(word, length))
        self.of, self.word, self.length = of, word, length
        self.start, self._grow, self._unit, self._reduced = start, grow, unit, reduced

    def grows(self, at: Any, inside: Theorem) -> list[Theorem]:
        """The four equations q(at + 1) = q(at) token(at)."""
        return T.parts(T.apply(self._grow, [at], inside))

    def unit(self, at: Any, inside: Theorem) -> Theorem:
        return T.apply(self._unit, [at], inside)

    def reduced(self, at: Any, inside: Theorem) -> Theorem:
        """The letters at `at` and `at + 1` are not inverse to each other."""
        return T.apply(self._reduced, [at], inside)


def _zero_or_one(
    s: Any, bounds: Sequence[Theorem], apart: Theorem, prove: Callable[[int], Theorem]
) -> Theorem:
    """What `prove(value)` shows under s = value, for 0 and 1, from -1 <= s <= 1 and s != -1."""
    low, high = bounds
    spread = kernel.instantiate(kernel.meaning("integers_apart"), node(s))
    below, _, above = spread.conclusion.args
    at_zero = prove(0)
    least = kernel.antisymmetry(kernel.assume(below), low)
    never = T.ex_falso(kernel.clash(least, apart), at_zero.conclusion)
    most = kernel.antisymmetry(high, kernel.assume(above))
    return kernel.cases(spread, never, at_zero, T.discharge(prove(1), most))


def _multiples(q: Quaternion) -> list[Prop]:
    """q = 5 t, component by component."""
    return [Eq(part, NORM * quotient) for part, quotient in zip(q, QUOTIENTS, strict=True)]


def _obtained(q: Quaternion, theorem: Theorem) -> Theorem:
    """`theorem` may assume q = 5 t; the result assumes that some t exist."""
    claim = node(And(*_multiples(q)))
    theorem = T.unpack(theorem, claim)
    for name in reversed(QUOTIENTS):
        existence = language.Exists(node(name), claim)
        theorem, claim = kernel.choose(existence, node(name), theorem), existence
    return theorem


def _is_divisible(
    q: Quaternion, quotients: Sequence[Any], prove: Callable[[Node], Theorem]
) -> Theorem:
    """5 divides q, from proofs of q = 5 (quotients)."""
    claim = node(divisible(q))
    stages = []
    for value in quotients:
        stages.append((claim, node(value)))
        bound, inner = claim.args
        claim = substitute(inner, {bound: node(value)})
    found = T.both(*(prove(part) for part in claim.args))
    for goal, value in reversed(stages):
        found = kernel.witness(goal, value, found)
    return found


def _travels_back(
    of: FreeWords,
    before: Quaternion,
    middle: Quaternion,
    after: Quaternion,
    e: Vector,
    f: Vector,
    known: Sequence[Theorem],
    cases: Callable[..., Theorem],
) -> Theorem:
    """5 | after gives 5 | middle, where middle = before (e), after = middle (f), e . f in {0, 1}.

    beta gamma beta = tr(beta gamma) beta - 5 conj(gamma) for beta = (e) and gamma = (f), so
    2 (1 - 4 e . f) middle = after beta + 5 before conj(gamma).
    """
    beta, gamma, s = of.token(e), of.token(f), dot(e, f)
    unit, first, second = known[0], known[1:5], known[5:9]
    named = [
        prove_identity(Eq(quotient, part / NORM), [multiple])
        for quotient, part, multiple in zip(QUOTIENTS, after, _multiples(after), strict=True)
    ]
    definitions = [fact.conclusion for fact in (*named, *second, *first)]
    over = zip(of.times(QUOTIENTS, beta), of.times(before, _conjugate(gamma)), strict=True)
    whole = [left + right for left, right in over]
    goes = [
        prove_by_substitution(Eq(NORM * w, 2 * (1 - 4 * s) * part), definitions, [unit.conclusion])
        for w, part in zip(whole, middle, strict=True)
    ]

    def prove(value: int) -> Theorem:
        # 5 w = 2 (1 - 4 s) q: for s = 0 q = 5 (3 w - q), for s = 1 q = 5 (-w - q)
        factor = -1 if value else 3
        quotients = [factor * w - part for w, part in zip(whole, middle, strict=True)]
        facts = iter(goes)
        return _is_divisible(
            middle,
            quotients,
            lambda part: prove_identity(part, [next(facts).conclusion, Eq(s, value)]),
        )

    found = T.discharge(cases(s, prove), *goes, *named)
    return T.discharge(_obtained(after, found), unit, *first, *second)


def _not_divisible(of: FreeWords, word: Word, length: Any) -> Theorem:
    """spelt |- n <= length => 5 does not divide q(n)."""
    spelling = Spelling(of, word, length)
    here, ahead = word.product(n + 1), word.product(n + 2)
    e, f = word.letter(n), word.letter(n + 1)
    more = Le(n + 2, length)
    inside, next_inside = prove_order(Lt(n, length), [more]), prove_order(Lt(n + 1, length), [more])
    unit_e, unit_f = spelling.unit(n, inside), spelling.unit(n + 1, next_inside)
    bounds = _dot_bounds(e, f, unit_e, unit_f)
    apart = spelling.reduced(n, next_inside)
    known = [unit_e, *spelling.grows(n, inside), *spelling.grows(n + 1, next_inside)]

    def cases(s: Any, prove: Callable[[int], Theorem]) -> Theorem:
        return _zero_or_one(s, bounds, apart, prove)

    back = _travels_back(of, word.product(n), here, ahead, e, f, known, cases)
    statement = Implies(Le(n + 1, length), Not(divisible(here)))
    earlier = T.apply(T.assume(statement), [], prove_order(Le(n + 1, length), [more]))
    step = T.conclude_not(kernel.clash(back, earlier), divisible(ahead))
    step = T.implication(step, more)

    some = Le(1, length)
    started = spelling.grows(T.num(0), prove_order(Lt(0, length), [some]))
    real = word.product(1)[0]
    one = prove_identity(Eq(real, 1), [fact.conclusion for fact in (*spelling.start, *started)])
    one = T.discharge(one, *started)
    start = _obtained(word.product(1), _never_one(real, one))
    start = T.implication(T.conclude_not(start, divisible(word.product(1))), some)

    pattern = Implies(Le(m, length), Not(divisible(word.product(m))))
    later = kernel.induct(
        node(n), node(statement), _moved(pattern, m, 0, start), _moved(pattern, m, n + 1, step)
    )

    # from n + 1 to every m >= 0
    large = Le(1, m)
    before = node(m) - 1
    later = kernel.specialise(kernel.weaken(later, [node(Le(0, n))]), {node(n): before})
    later = T.discharge(later, prove_order(language.Le(0, before), [large]))
    back = prove_identity(language.Eq(node(m), substitute(node(n + 1), {node(n): before})))
    later = T.transport(pattern, m, back, later)
    nothing = kernel.antisymmetry(
        T.discharge(prove_order(Le(m, 0), [T.one_apart(m, 1).conclusion]), T.one_apart(m, 1)),
        prove_order(Le(0, m)),
    )
    real = word.product(0)[0]
    origin = _obtained(word.product(0), _never_one(real, spelling.start[0]))
    origin = T.implication(T.conclude_not(origin, divisible(word.product(0))), Le(0, length))
    at_zero = T.transport(pattern, m, nothing, origin)
    return T.generalise(T.compare(m, 1, at_zero, later), m)


def _moved(pattern: Prop, at: Variable, value: Any, theorem: Theorem) -> Theorem:
    """The pattern at n + 1 for n = value, from the pattern at the sum as SymPy writes it."""
    ahead = substitute(node(n + 1), {node(n): node(value)})
    if value == n + 1:
        ahead = substitute(node(n + 1), {node(n): node(n) + 1})
    equal = prove_identity(language.Eq(ahead, node(value + 1)))
    return T.transport(pattern, at, equal, theorem)


def _never_one(part: Any, one: Theorem) -> Theorem:
    """part = 5 t |- 0 < 0, where part = 1."""
    quotient = QUOTIENTS[0]
    denied = kernel.project(kernel.instantiate(_no_quotient(), node(quotient)), 0)
    equal = prove_identity(Eq(NORM * quotient, 1), [one.conclusion, Eq(part, NORM * quotient)])
    return T.discharge(kernel.clash(equal, denied), one)


# ---------------------------------------------------------------------- controls
def _one_axis(e: Vector) -> Quaternion:
    return (1, 2 * (e[0] + e[1] + e[2]), 0, 0)


def _wrong_sign(p: Quaternion, q: Quaternion) -> Quaternion:
    first, *others = statements.times(p, q)
    return (first + 2 * p[1] * q[1], *others)


#: Words by their letters and partial products; `t` are the quotients by 5 that deny a clause.
_NO_QUOTIENT = {"t1": 0, "t2": 0, "t3": 0}
FIVE = {"L": 2, "a": (1, 1, 5), "b": (0, 2, 0), "c": (0, 0, 0), "d": (0, 0, 0), "t0": 1}
FIVE |= _NO_QUOTIENT
OPPOSITE_ON_AXES = FIVE | {"x": (1, 0), "y": (0, -1), "z": (0, 0)}
THERE_AND_BACK = FIVE | {"x": (1, -1), "y": (0, 0), "z": (0, 0)}
TWICE = {
    "L": 2,
    "x": (1, 1),
    "y": (0, 0),
    "z": (0, 0),
    "a": (1, 1, 5),
    "b": (0, 2, 4),
    "c": (0, 0, 0),
    "d": (0, 0, 0),
}
SWAPPED = {
    "L": 2,
    "M": 2,
    "x": (1, 0),
    "y": (0, 1),
    "z": (0, 0),
    "u": (0, 1),
    "v": (1, 0),
    "w": (0, 0),
    "a": (1, 1, -3),
    "b": (0, 2, 4),
    "c": (0, 0, 0),
    "d": (0, 0, 0),
    "p": (1, 1, -3),
    "q": (0, 2, 4),
    "r": (0, 0, 0),
    "s": (0, 0, 0),
    "k": 0,
}
DOUBLED_BACK = {
    "L": 2,
    "M": 0,
    "x": (1, -1),
    "y": (0, 0),
    "z": (0, 0),
    "u": (1,),
    "v": (0,),
    "w": (0,),
    "a": (1, 1, 5),
    "b": (0, 2, 0),
    "c": (0, 0, 0),
    "d": (0, 0, 0),
    "p": (1,),
    "q": (0,),
    "r": (0,),
    "s": (0,),
    "k": 0,
}


# ---------------------------------------------------------------------- unitary.free_words
@control("one_wrong_sign", times=_wrong_sign)
@proves(FREE_WORDS, "unitary_tokens")
def unitary_tokens(of: FreeWords) -> Theorem:
    """The norm of a product is the product of the norms."""
    premise, goal = _premise(statements.unitary_tokens(of))
    return T.implication(prove_identity(goal, [premise]), premise)


@control("commuting_tokens", OPPOSITE_ON_AXES, token=_one_axis)
@control("inverse_letters_allowed", THERE_AND_BACK, inverse_dot=-2)
@proves(FREE_WORDS, "reduced")
def reduced(of: FreeWords) -> Theorem:
    """beta gamma beta = tr(beta gamma) beta - 5 conj(gamma): divisibility by 5 travels back."""
    premise, _ = _premise(statements.reduced(of))
    found = T.apply(_not_divisible(of, FIRST, L), [L], prove_order(Le(L, L)))
    return T.implication(T.unpack(found, premise), premise)


def _power_of_five(exponent: Node, natural: Theorem) -> Theorem:
    """5^exponent is an integer; the exponent is natural."""
    powers = kernel.instantiate(integer_power(), T.num(NORM))
    powers = kernel.weaken(powers, [natural.conclusion])
    return T.discharge(kernel.instantiate(powers, exponent), natural)


def _all_divide(q: Quaternion, squares: Sequence[Theorem], quotients: Sequence[Node]) -> Theorem:
    """5 divides every component of q, from part^2 = 5 (quotient)."""
    multiples = iter(_multiples(q))
    found = _is_divisible(q, QUOTIENTS, lambda _: T.assume(next(multiples)))
    for part, square, quotient, name in zip(q, squares, quotients, QUOTIENTS, strict=True):
        divides = T.apply(five_divides_root(), [part, quotient], square)
        found = T.obtain(divides, name, found)
    return found


@control("commuting_tokens", OPPOSITE_ON_AXES, token=_one_axis)
@control("inverse_letters_allowed", THERE_AND_BACK, inverse_dot=-2)
@proves(FREE_WORDS, "free_group")
def free_group(of: FreeWords) -> Theorem:
    """A product that scales to +-I has components 0 and one with a^2 = 5^L: 5 divides them all."""
    premise, conclusion = _premise(statements.free_group(of))
    identity = conclusion.args[0]
    square, *vanish = identity.args
    q, before = FIRST.product(L), node(L) - 1
    size = _power_of_five(before, prove_order(language.Le(0, before), [Le(1, L)]))
    named = T.body(size, v).args[0]
    squares = [prove_identity(language.Eq(node(q[0]) ** 2, NORM * node(v)), [square, named])]
    for part, zero in zip(q[1:], vanish, strict=True):
        squares.append(prove_identity(language.Eq(node(part) ** 2, NORM * T.num(0)), [zero]))
    found = _all_divide(q, squares, [node(v), *(3 * [T.num(0)])])
    found = T.obtain(size, v, T.unpack(found, T.body(size, v)))
    never = T.apply(_not_divisible(of, FIRST, L), [L], prove_order(Le(L, L)))
    proof = T.conclude_not(T.unpack(kernel.clash(found, never), identity), identity)
    return T.implication(T.unpack(proof, premise), premise)


def _longer(of: FreeWords, word: Word, long: Any, other: Word, short: Any) -> Theorem:
    """spelt, same image, short < long |- 0 < 0: 5 would divide the longer product."""
    p, q = word.product(long), other.product(short)
    rest = node(long) - node(short) - 1
    apart = T.one_apart(short, long)
    natural = T.discharge(prove_order(language.Le(0, rest), [apart.conclusion]), apart)
    size = _power_of_five(rest, natural)
    named = T.body(size, v).args[0]
    squares, quotients = [], []
    for i, part in enumerate(p):
        image = next(e for e in same_image() if e.left.has(part**2) or e.right.has(part**2))
        quotients.append(node(v) * node(q[i]) ** 2)
        goal = language.Eq(node(part) ** 2, NORM * quotients[-1])
        squares.append(prove_identity(goal, [image, named]))
    found = T.obtain(size, v, T.unpack(_all_divide(p, squares, quotients), T.body(size, v)))
    never = T.apply(_not_divisible(of, word, long), [long], prove_order(Le(long, long)))
    return kernel.clash(found, never)


_A, _B, _C, _D, _E, _F, _G, _H = (Variable(f"R{i}", Integer) for i in range(8))


def _specialised(theorem: Theorem, names: Sequence[Any], values: Sequence[Any]) -> Theorem:
    pairs = zip(names, values, strict=True)
    return kernel.specialise(theorem, {node(name): node(value) for name, value in pairs})


def _products(q: Quaternion, r: Quaternion) -> list[Prop]:
    """All products of two components agree."""
    return [Eq(q[i] * q[j], r[i] * r[j]) for i in range(4) for j in range(i, 4)]


def _last_letters(of: FreeWords) -> tuple[Theorem, list[Theorem]]:
    """Equal images of n + 1 letters: the last letters are equal, and q beta-bar = 5 q before."""
    first, second = Spelling(of, FIRST, L), Spelling(of, SECOND, L)
    inside = prove_order(Lt(n, L), [Le(n + 1, L)])
    e, f = FIRST.letter(n), SECOND.letter(n)
    unit_e, unit_f = first.unit(n, inside), second.unit(n, inside)
    grows, others = first.grows(n, inside), second.grows(n, inside)
    q, more, r = FIRST.product(n), FIRST.product(n + 1), SECOND.product(n)
    longer = SECOND.product(n + 1)
    equal = _products(more, longer)

    taken = of.times(more, _conjugate(of.token(f)))
    taken_other = of.times(longer, _conjugate(of.token(f)))
    five = [
        prove_by_substitution(
            language.Eq(node(part), NORM * node(old)),
            [o.conclusion for o in others],
            [unit_f.conclusion],
        )
        for part, old in zip(taken_other, r, strict=True)
    ]
    turn = prove_identity(
        language.Eq(node(_A) ** 2, NORM * (NORM * node(_C) ** 2)),
        [language.Eq(node(_A) ** 2, node(_B) ** 2), language.Eq(node(_B), NORM * node(_C))],
    )
    squares = []
    for part, other, old, times_five in zip(taken, taken_other, r, five, strict=True):
        same = prove_by_substitution(language.Eq(node(part) ** 2, node(other) ** 2), [], equal)
        squares.append(
            T.discharge(_specialised(turn, (_A, _B, _C), (part, other, old)), same, times_five)
        )
    divides = _all_divide(taken, squares, [NORM * node(old) ** 2 for old in r])

    # If the last letters differed, 5 would divide the product itself.
    names = (_A, _B, _C, _D)
    back_letter = (-f[0], -f[1], -f[2])
    s, opposite = dot(e, f), dot(e, back_letter)
    differ = Ne(s, 1)
    turned_unit = prove_identity(Eq(dot(back_letter, back_letter), 1), [unit_f.conclusion])
    bounds = _dot_bounds(e, back_letter, unit_e, T.discharge(turned_unit, unit_f))
    meets = prove_identity(Eq(s, 1), [Eq(opposite, -1)])
    apart = T.conclude_not(kernel.clash(meets, T.assume(differ)), Eq(opposite, -1))
    seconds = [
        T.assume(Eq(name, part))
        for name, part in zip(names, of.times(more, of.token(back_letter)), strict=True)
    ]

    def cases(value: Any, prove: Callable[[int], Theorem]) -> Theorem:
        return _zero_or_one(value, bounds, apart, prove)

    back = _travels_back(of, q, more, names, e, back_letter, [unit_e, *grows, *seconds], cases)
    back = _specialised(back, names, taken)
    back = T.discharge(back, *(prove_identity(h) for h in back.hypotheses if _is_definition(h)))
    back = T.discharge(back, divides)
    never = T.apply(_not_divisible(of, FIRST, L), [n + 1], T.assume(Le(n + 1, L)))
    meet = T.conclude_not(kernel.clash(back, never), differ)
    same_letter = kernel.contrapositive(meet)
    letters = _squares_vanish(e, f, [unit_e, unit_f, same_letter])

    kept = of.token(e)
    ours = [
        prove_by_substitution(
            language.Eq(node(part), NORM * node(old)),
            [g.conclusion for g in grows],
            [unit_e.conclusion],
        )
        for part, old in zip(of.times(more, _conjugate(kept)), q, strict=True)
    ]
    equalities = T.parts(letters)
    theirs = [
        prove_by_substitution(
            language.Eq(node(part), NORM * node(old)),
            [*(e.conclusion for e in equalities), *(o.conclusion for o in others)],
            [unit_f.conclusion],
        )
        for part, old in zip(of.times(longer, _conjugate(kept)), r, strict=True)
    ]
    smaller = prove_identity(
        Eq(_E * _F, _G * _H),
        [
            language.Eq(node(_A) * node(_B), node(_C) * node(_D)),
            *(
                language.Eq(node(x), NORM * node(y))
                for x, y in ((_A, _E), (_B, _F), (_C, _G), (_D, _H))
            ),
        ],
    )
    mine, other = of.times(more, _conjugate(kept)), of.times(longer, _conjugate(kept))
    earlier = []
    for i in range(4):
        for j in range(i, 4):
            whole = prove_by_substitution(
                language.Eq(node(mine[i]) * node(mine[j]), node(other[i]) * node(other[j])),
                [],
                equal,
            )
            values = (mine[i], mine[j], other[i], other[j], q[i], q[j], r[i], r[j])
            found = _specialised(smaller, (_A, _B, _C, _D, _E, _F, _G, _H), values)
            found = T.discharge(found, whole, ours[i], ours[j], theirs[i], theirs[j])
            goal = Eq(q[i] * q[j], r[i] * r[j])
            earlier.append(T.discharge(prove_identity(goal, [found.conclusion]), found))
    facts = [*equalities, unit_e, unit_f, *grows, *others]
    return T.discharge(letters, unit_f, *others), [T.discharge(e, *facts) for e in earlier]


def _is_definition(h: Node) -> bool:
    return h.head == "eq" and h.args[0].head != "sequence" and h.args[1] != T.num(1)


def _same_letters(at: Any) -> Prop:
    return And(*(Eq(e, f) for e, f in zip(FIRST.letter(at), SECOND.letter(at), strict=True)))


def _letters_below(length: Any) -> Prop:
    k = statements.k
    return ForAll(k, Implies(Lt(k, length), _same_letters(k)))


def _equal_lengths(of: FreeWords) -> Theorem:
    """Both spelt with length L, same image |- all letters are equal."""
    k = statements.k

    def image(at: Any) -> Prop:
        return And(*_products(FIRST.product(at), SECOND.product(at)))

    def pattern(at: Any) -> Prop:
        return Implies(Le(at, L), Implies(image(at), _letters_below(at)))

    ahead: Any = n + 1
    letters, earlier = _last_letters(of)
    inside = prove_order(Le(n, L), [Le(ahead, L)])
    known = T.apply(T.assume(pattern(n)), [], inside, T.both(*earlier))
    before = T.apply(known, [k], T.assume(Lt(k, n)))
    close = T.one_apart(k, ahead)
    below = T.discharge(prove_order(Le(k, n), [close.conclusion]), close)
    here = kernel.antisymmetry(below, T.assume(Le(n, k)))
    last = T.transport(_same_letters(m), m, here, letters)
    step = T.compare(k, n, before, last)
    step = T.generalise(T.implication(T.unpack(step, image(ahead)), Lt(k, ahead)), k)
    step = T.implication(step, Le(ahead, L), image(ahead))
    grown = node(n) + 1
    step = T.transport(pattern(m), m, prove_identity(language.Eq(grown, node(ahead))), step)

    none = T.ex_falso(T.contradict([Lt(k, 0)]), _same_letters(k))
    start = T.generalise(T.implication(none, Lt(k, 0)), k)
    start = T.implication(start, Le(0, L), image(0))
    whole = kernel.induct(node(n), node(pattern(n)), start, step)
    whole = kernel.specialise(whole, {node(n): node(L)})
    images = T.both(*(_unscaled(goal) for goal in _products(FIRST.product(L), SECOND.product(L))))
    return T.apply(whole, [], prove_order(Le(L, L)), images)


def _unscaled(goal: Prop) -> Theorem:
    """The products agree when they do after scaling by 5^L."""
    images = [substitute(node(image), {node(M): node(L)}) for image in same_image()]
    at = _products(FIRST.product(L), SECOND.product(L)).index(goal)
    return prove_identity(goal, [images[at]])


@control("commuting_tokens", SWAPPED, token=_one_axis)
@control("inverse_letters_allowed", DOUBLED_BACK, inverse_dot=-2)
@proves(FREE_WORDS, "distinct")
def distinct(of: FreeWords) -> Theorem:
    """The product mod 5 names its last letter; cancel it, and induct."""
    premise, conclusion = _premise(statements.distinct(of))
    lengths, same = conclusion.args
    longer = _longer(of, FIRST, L, SECOND, M)
    shorter = _longer(of, SECOND, M, FIRST, L)
    equal = kernel.antisymmetry(
        kernel.not_less(T.conclude_not(longer, Lt(M, L))),
        kernel.not_less(T.conclude_not(shorter, Lt(L, M))),
    )
    at_same = substitute(premise, {node(M): node(L)})
    letters = T.implication(T.unpack(_equal_lengths(of), at_same), at_same)
    hole = Variable("N", Int(0))
    pattern = language.Implies(substitute(premise, {node(M): node(hole)}), same)
    reverse = prove_identity(Eq(M, L), [Eq(L, M)])
    moved = T.transport(pattern, hole, T.discharge(reverse, equal), letters)
    found = T.both(equal, T.apply(moved, [], T.assume(premise)))
    return T.implication(T.unpack(found, premise), premise)


# ---------------------------------------------------------------------- unitary frames
Form = Callable[[Complex, Complex], Any]


def _kept(
    goal: Any, form: Form, pair: tuple[Complex, Complex], isometric: Callable[[Complex], Any]
) -> Theorem:
    """goal, which says form(P A S, P B S) = form(A, B), at a pair A, B.

    First P is taken away, then S: P* P = I and S S* = I rewrite products of two entries.
    """
    P, S, A, B = (statements.matrix(name, pair[0].size) for name in "PSAB")
    left, right = isometric(P), isometric(S.adjoint)
    outer = prove_by_substitution(Eq(form(P @ A, P @ B), form(A, B)), [], left)
    inner = prove_by_substitution(Eq(form(A @ S, B @ S), form(A, B)), [], right)
    names = statements.entries(A, B)
    used = [name for name in names if node(name) in language.free_variables(outer.conclusion)]
    after = dict(zip(names, statements.entries(pair[0] @ S, pair[1] @ S), strict=True))
    before = dict(zip(names, statements.entries(*pair), strict=True))
    outer = _specialised(outer, used, [after[name] for name in used])
    inner = _specialised(inner, used, [before[name] for name in used])
    proof = prove_by_substitution(goal, [], [outer.conclusion, inner.conclusion])
    return T.discharge(proof, outer, inner)


def _norm(a: Complex, _: Complex) -> Any:
    return a.squares


def _between(
    statement: Any, form: Form, pair: tuple[Complex, Complex], isometric: Callable[[Complex], Any]
) -> Theorem:
    """One implication of a clause: its premise makes the frames unitary."""
    names, goal = [], node(statement)
    while goal.head == "forall":
        names.append(goal.args[0])
        goal = goal.args[1]
    premise, conclusion = goal.args
    proof = T.unpack(_kept(conclusion, form, pair, isometric), premise)
    return T.generalise(T.implication(proof, premise), *names)


def _anticommutator(a: Complex, b: Complex) -> Complex:
    return (a @ b) - Complex(-(b @ a).real, -(b @ a).imag)


def _no_condition(_: Complex) -> tuple[Prop, ...]:
    return (Eq(0, 0),)


def _sum_of(a: Complex, b: Complex) -> Complex:
    return a - Complex(-b.real, -b.imag)


@control("frames_not_unitary", isometric=_no_condition)
@proves(SENSITIVITY, "isometry", "complex n x n matrices, n = 1, 2")
def isometry(of: Sensitivity) -> Theorem:
    """P* P = I and S S* = I, used one after the other."""
    parts = node(statements.isometry(of)).args
    X = [statements.matrix("X", size) for size in (1, 2)]
    return T.both(
        *(_between(part, _norm, (x, x), of.isometric) for part, x in zip(parts, X, strict=True))
    )


UNIT_FRAMES = {"Pr00": 1, "Pr11": 1, "Sr00": 1, "Sr11": 1} | {
    f"{m}{kind}{i}{j}": 0 for m in "PS" for kind, i, j in ("r01", "r10", "i00", "i01", "i10", "i11")
}


@control("anticommutator", UNIT_FRAMES, commutator=_anticommutator)
@proves(SENSITIVITY, "swap", "complex 2 x 2 matrices")
def swap(of: Sensitivity) -> Theorem:
    """P AB S - P BA S = P (AB - BA) S, and unitary frames keep the norm."""
    A, B = statements.matrix("A", 2), statements.matrix("B", 2)
    moved = (A @ B) - (B @ A)
    return _between(statements.swap(of), _norm, (moved, moved), of.isometric)


@control("sum_for_difference", UNIT_FRAMES, difference=_sum_of)
@proves(SENSITIVITY, "replacement", "complex 2 x 2 matrices")
def replacement(of: Sensitivity) -> Theorem:
    """P A S - P B S = P (A - B) S, and unitary frames keep the norm."""
    moved = statements.matrix("A", 2) - statements.matrix("B", 2)
    return _between(statements.replacement(of), _norm, (moved, moved), of.isometric)


# ---------------------------------------------------------------------- unitary.capacity
def _off_by_half(codes: Any) -> Any:
    return codes / 2


@control(
    "half_the_codes",
    {"V": 2, "L": 1, "n": 1, "beta": 1, "f": (0, 1)},
    limit=_off_by_half,
)
@proves(CAPACITY, "pigeonhole")
def pigeonhole(of: Capacity) -> Theorem:
    """Both sides are integers, so the principle of the pigeonholes applies."""
    premise, goal = _premise(statements.pigeonhole(of))
    count, codes = goal.args[0], node(of.codes(N, statements.bits))
    C, S = T.integer("C"), T.integer("S")
    exponent = codes.args[1]
    natural = prove_nonneg(language.Le(0, exponent), exponent)
    size = kernel.weaken(kernel.instantiate(integer_power(), T.num(2)), [natural.conclusion])
    many = T.discharge(kernel.instantiate(size, exponent), natural)
    words = T.apply(integer_power(), [statements.V, L])
    some, more = T.body(many, C).args
    named, _ = T.body(words, S).args

    principle = kernel.pigeonhole("f", S, C)
    wanted = principle.conclusion.args[0]
    fits, different = premise.args
    least = T.apply(T.assume(more), [], prove_order(language.Le(1, T.num(2))))
    positive = T.discharge(prove_order(wanted.args[0], [least.conclusion]), least)
    at_names = {count: S, codes: C}
    renamed = [_renamed(part, at_names, (named, some)) for part in (fits, different)]
    found = T.apply(principle, [], T.both(positive, *renamed))
    hole = language.variable("H", Real)
    found = T.transport(language.Le(hole, C), hole, kernel.assume(named), found)
    found = T.transport(language.Le(count, hole), hole, kernel.assume(some), found)
    proof = kernel.modus(T.implication(kernel.assume(goal), goal), found)
    proof = T.obtain(words, S, T.unpack(proof, T.body(words, S)))
    proof = T.obtain(many, C, T.unpack(proof, T.body(many, C)))
    return T.implication(T.unpack(proof, premise), premise)


def _renamed(part: Node, names: dict[Node, Node], equations: Sequence[Node]) -> Theorem:
    """A hypothesis with integers' names for the powers they equal."""
    found = kernel.assume(part)
    for (power_term, name), equation in zip(names.items(), equations, strict=True):
        hole = language.variable("H", Real)
        pattern = _replaced(found.conclusion, power_term, hole)
        reverse = prove_identity(language.Eq(name, power_term), [equation])
        found = T.transport(pattern, hole, reverse, found)
    return found


def _replaced(where: Node, old: Node, new: Node) -> Node:
    if where == old:
        return new
    args = (_replaced(a, old, new) if isinstance(a, Node) else a for a in where.args)
    return Node(where.head, tuple(args))


@control("one_token_more", excess=1)
@proves(CAPACITY, "longest", "30000 tokens, n = 8, b = 16, 32, 64")
def longest(of: Capacity) -> Theorem:
    """Integers compared."""
    return prove_each(statements.longest(of), kernel.ground)


# ---------------------------------------------------------------------- unitary.associativity
def _step_of(premise: Node, which: int, at: Any, inside: Theorem) -> list[Theorem]:
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
    first = _step_of(held, FIRST_STEP, s + j, inside)
    second = _step_of(held, SECOND_STEP, j, prove_order(Lt(j, L), [more]))
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
    premise, _ = _premise(statements.chunks(of))
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
    premise, goal = _premise(statements.segments(of))
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
    return prove_identity(_body(statements.new_parameters(of)))


@control("the_new_token_does_not_mix", new_angle=(1, 0))
@control("a_shortened_turn", new_angle=(0, 0))
@proves(ASSOCIATIVITY, "mixed", "an example")
def mixed(of: Associativity) -> Theorem:
    """Evaluated exactly."""
    return kernel.ground(node(statements.mixed(of)))


# ---------------------------------------------------------------------- unitary.antisymmetric_score
def _body(statement: Any) -> Node:
    """A statement without its outer universal quantifiers."""
    goal = node(statement)
    while goal.head == "forall":
        goal = goal.args[1]
    return goal


def _real_part(u: Number, v: Number) -> Any:
    return u[0] * v[0] + u[1] * v[1]


def _without_conjugation(u: Number, v: Number) -> Any:
    return u[0] * v[1] + u[1] * v[0]


def _negated(b: Number) -> Number:
    return -b[0], -b[1]


@control("real_part", turn=_real_part)
@proves(ANTISYMMETRIC_SCORE, "antisymmetric")
def antisymmetric(of: Score) -> Theorem:
    """Term by term."""
    return prove_each(statements.antisymmetric(of), prove_identity)


@control(
    "half_the_bound",
    {"n": 1, "u_re": 1, "u_im": 0, "v_re": 0, "v_im": 1},
    ceiling=statements.Rational(1, 2),
)
@proves(ANTISYMMETRIC_SCORE, "bounded")
def bounded(of: Score) -> Theorem:
    """The sums of |u + i v|^2 and |u - i v|^2 are 2 n (1 -+ s)."""
    premise, goal = _premise(statements.bounded(of))
    k = statements.k
    (a, b), (c, d) = statements.entry("u", k), statements.entry("v", k)
    above = statements.total(k, N**2, (a - d) ** 2 + (b + c) ** 2) / (2 * N)
    below = statements.total(k, N**2, (a + d) ** 2 + (b - c) ** 2) / (2 * N)
    low, high = goal.args
    found = T.both(prove_nonneg(low, below, premise.args), prove_nonneg(high, above, premise.args))
    return T.implication(T.unpack(found, premise), premise)


QUARTER_TURN = {
    "Pr00": 0,
    "Pi00": 1,
    "Sr00": 1,
    "Si00": 0,
    "Ar00": 1,
    "Ai00": 0,
    "Br00": 0,
    "Bi00": 1,
}


@control("without_conjugation", QUARTER_TURN, turn=_without_conjugation)
@proves(ANTISYMMETRIC_SCORE, "invariant", "complex n x n matrices, n = 1, 2")
def invariant(of: Score) -> Theorem:
    """tr((P U S)* P V S) = tr(U* V)."""
    parts = node(statements.invariant(of)).args
    pairs = [(statements.matrix("A", size), statements.matrix("B", size)) for size in (1, 2)]
    return T.both(
        *(
            _between(part, of.inner, pair, statements.isometric)
            for part, pair in zip(parts, pairs, strict=True)
        )
    )


@control("corner_not_conjugated", corner=_negated)
@proves(ANTISYMMETRIC_SCORE, "degenerate")
def degenerate(of: Score) -> Theorem:
    """Each term meets its conjugate."""
    return prove_each(statements.degenerate(of), prove_identity)


# ---------------------------------------------------------------------- unitary.blind_spots
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
    premise, _ = _premise(statements.two_letters(of))
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
    steps = [*_step_of(premise, 8, n, inside), *_step_of(premise, 9, n, inside)]
    known = T.apply(T.assume(pattern(n)), [], prove_order(Le(n, L), [more]))
    held = [
        *map(Eq, forward(n), combined(COEFFICIENTS, there)),
        *map(Eq, backward(n), combined(COEFFICIENTS, back)),
    ]
    facts = [*(step.conclusion for step in steps), *held]
    grown = _grown(COEFFICIENTS, statements.LETTER(n))
    found = _exists_all(combination(n + 1), grown, lambda part: prove_by_substitution(part, facts))
    found = T.unpack(found, And(*held))
    claim = node(And(*held))
    for name in reversed(COEFFICIENTS):
        existence = language.Exists(node(name), claim)
        found, claim = kernel.choose(existence, node(name), found), existence
    step = T.implication(T.discharge(found, known, *steps), more)
    ahead = prove_identity(language.Eq(node(n) + 1, node(n + 1)))
    step = T.transport(pattern(m), m, ahead, step)

    begin = list(premise.args[:8])
    start = _exists_all(
        combination(0), (1, 0, 0, 0), lambda part: prove_by_substitution(part, begin)
    )
    whole = kernel.induct(node(n), node(pattern(n)), T.implication(start, Le(0, L)), step)
    whole = T.apply(kernel.specialise(whole, {node(n): node(L)}), [], prove_order(Le(L, L)))
    held = [
        *map(Eq, forward(L), combined(COEFFICIENTS, there)),
        *map(Eq, backward(L), combined(COEFFICIENTS, back)),
    ]
    same = prove_by_substitution(Eq(forward(L)[0], backward(L)[0]), [held[0], held[4]])
    same, claim = T.unpack(same, And(*held)), node(And(*held))
    for name in reversed(COEFFICIENTS):
        existence = language.Exists(node(name), claim)
        same, claim = kernel.choose(existence, node(name), same), existence
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


def _exists_all(goal: Any, values: Sequence[Any], prove: Callable[[Node], Theorem]) -> Theorem:
    """A nested existence from its witnesses and a proof of each part of what they satisfy."""
    claim, stages = node(goal), []
    for value in values:
        stages.append((claim, node(value)))
        bound, inner = claim.args
        claim = substitute(inner, {bound: node(value)})
    found = T.both(*(prove(part) for part in claim.args))
    for stage, value in reversed(stages):
        found = kernel.witness(stage, value, found)
    return found


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
    premise, _ = _premise(statements.symmetric(of))

    def cells(at: Any) -> Prop:
        return And(*statements.cells(statements.REVERSED(at), of.reflected(statements.PREFIX(at))))

    def pattern(at: Any) -> Prop:
        return Implies(Le(at, L), cells(at))

    more = Le(n + 1, L)
    inside = prove_order(Lt(n, L), [more])
    steps = [fact for which in (16, 17, 18) for fact in _step_of(premise, which, n, inside)]
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
