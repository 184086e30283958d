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
    CAPACITY,
    FIRST,
    FREE_WORDS,
    NORM,
    QUOTIENTS,
    SECOND,
    Capacity,
    FreeWords,
    L,
    M,
    N,
    Quaternion,
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


def _some_multiple(q: Quaternion, theorem: Theorem) -> Theorem:
    """`theorem` may assume q = 5 t; the result assumes that some t exist."""
    return T.choose_all(QUOTIENTS, And(*_multiples(q)), theorem)


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
        return T.exists_all(
            divisible(middle),
            quotients,
            lambda part: prove_identity(part, [next(facts).conclusion, Eq(s, value)]),
        )

    found = T.discharge(cases(s, prove), *goes, *named)
    return T.discharge(_some_multiple(after, found), unit, *first, *second)


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
    start = _some_multiple(word.product(1), _never_one(real, one))
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
    origin = _some_multiple(word.product(0), _never_one(real, spelling.start[0]))
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
    premise, goal = T.inner(statements.unitary_tokens(of)).args
    return T.implication(prove_identity(goal, [premise]), premise)


@control("commuting_tokens", OPPOSITE_ON_AXES, token=_one_axis)
@control("inverse_letters_allowed", THERE_AND_BACK, inverse_dot=-2)
@proves(FREE_WORDS, "reduced")
def reduced(of: FreeWords) -> Theorem:
    """beta gamma beta = tr(beta gamma) beta - 5 conj(gamma): divisibility by 5 travels back."""
    premise, _ = T.inner(statements.reduced(of)).args
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
    found = T.exists_all(divisible(q), QUOTIENTS, lambda _: T.assume(next(multiples)))
    for part, square, quotient, name in zip(q, squares, quotients, QUOTIENTS, strict=True):
        divides = T.apply(five_divides_root(), [part, quotient], square)
        found = T.obtain(divides, name, found)
    return found


@control("commuting_tokens", OPPOSITE_ON_AXES, token=_one_axis)
@control("inverse_letters_allowed", THERE_AND_BACK, inverse_dot=-2)
@proves(FREE_WORDS, "free_group")
def free_group(of: FreeWords) -> Theorem:
    """A product that scales to +-I has components 0 and one with a^2 = 5^L: 5 divides them all."""
    premise, conclusion = T.inner(statements.free_group(of)).args
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
            T.discharge(T.specialised(turn, (_A, _B, _C), (part, other, old)), same, times_five)
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
    back = T.specialised(back, names, taken)
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
            found = T.specialised(smaller, (_A, _B, _C, _D, _E, _F, _G, _H), values)
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
    premise, conclusion = T.inner(statements.distinct(of)).args
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
    premise, goal = T.inner(statements.pigeonhole(of)).args
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
        pattern = T.replaced(found.conclusion, power_term, hole)
        reverse = prove_identity(language.Eq(name, power_term), [equation])
        found = T.transport(pattern, hole, reverse, found)
    return found


@control("one_token_more", excess=1)
@proves(CAPACITY, "longest", "30000 tokens, n = 8, b = 16, 32, 64")
def longest(of: Capacity) -> Theorem:
    """Integers compared."""
    return prove_each(statements.longest(of), kernel.ground)
