"""Cosine transforms of exp(b (1 + cos)) over a ring: positive, and falling towards the far side.

Main definitions
----------------
transform         f_b(m), the sum over r < n of exp(b (1 + cos x_r)) cos(m x_r), x_r = 2 pi r / n
positive          0 < f_b(q) for b > 0
falling           f_b(q + 1) < f_b(q) for b > 0 and 2 q + 2 <= n

Conventions
-----------
With A = 1 + cos x, multiplying a weight by 1 + t A turns its transform f(m) into
(1 + t) f(m) + t/2 (f(m - 1) + f(m + 1)): a lazy step of a walk on the ring.  Such steps keep
transforms non-negative and falling, and (1 + t A)^M exp(b A) is within a multiple of 1/M of
exp((b + delta) A) for t = delta / M.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from posproof.proofs_check import gram, kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import (
    And,
    Eq,
    Exists,
    ForAll,
    Implies,
    Le,
    Lt,
    Node,
    Not,
    cos,
    exp,
    num,
    pi,
    power,
    sequence,
    sin,
    substitute,
    total,
)
from posproof.proofs_check.search import prove_identity, prove_nonneg, prove_order

R, Q, POWER = (T.natural(name) for name in ("r", "q", "M"))
RING, MODE = T.natural("n", 1), T.integer("m")
STEP, START, MORE = T.real("t"), T.real("b"), T.real("delta")

ZERO = num(0)


def angle(turns: Node) -> Node:
    return 2 * pi * turns * R / RING


def lazy() -> Node:
    """A = 1 + cos x_r."""
    return 1 + cos(angle(num(1)))


def wave(mode: Node) -> Node:
    return cos(angle(mode))


def walked(steps: Node, mode: Node) -> Node:
    """The transform of (1 + t A)^steps exp(b A)."""
    weight = power(1 + STEP * lazy(), steps) * exp(START * lazy())
    return total(R, RING, weight * wave(mode))


def transform(level: Node, mode: Node) -> Node:
    """f_b(m)."""
    return total(R, RING, exp(level * lazy()) * wave(mode))


@lru_cache
def one_step() -> Theorem:
    """One more factor 1 + t A."""
    sides = walked(POWER, MODE - 1) + walked(POWER, MODE + 1)
    return prove_identity(
        Eq(walked(POWER + 1, MODE), (1 + STEP) * walked(POWER, MODE) + STEP / 2 * sides)
    )


@lru_cache
def mirrored() -> Theorem:
    """Modes m and n - m agree."""
    return prove_identity(Eq(walked(POWER, RING - MODE), walked(POWER, MODE)))


@lru_cache
def opposite() -> Theorem:
    """Modes m and -m agree."""
    return prove_identity(Eq(walked(POWER, num(-1) * MODE), walked(POWER, MODE)))


def named(goal: Node, form: Node, given: list[Node], values: dict[Node, Node]) -> Theorem:
    """An inequality between names, for the terms they stand for."""
    return kernel.specialise(prove_nonneg(goal, form, given), values)


# ---------------------------------------------------------------------- non-negative transforms
@lru_cache
def kept_positive() -> Theorem:
    """0 <= t, all modes of exp(b A) >= 0 |- for all m: B_0(m) + M t/2 B_0(m-1) <= B_M(m)."""
    warm = Le(ZERO, STEP)
    start = ForAll(MODE, Le(ZERO, walked(ZERO, MODE)))

    def claim(steps: Node, mode: Node) -> Node:
        gained = walked(ZERO, mode) + steps * (STEP / 2) * walked(ZERO, mode - 1)
        return Le(gained, walked(steps, mode))

    statement = ForAll(MODE, claim(POWER, MODE))
    base = T.generalise(prove_nonneg(claim(ZERO, MODE), ZERO), MODE)
    modes = (MODE, MODE - 1, MODE + 1)
    told = [kernel.instantiate(kernel.assume(statement), at) for at in modes]
    at_start = [kernel.instantiate(kernel.assume(start), at) for at in (*modes, MODE - 1 - 1)]
    step = one_step()
    new, here, left, right = (T.real(name) for name in ("N", "H", "L", "U"))
    first, second, third, fourth = (T.real(name) for name in ("a", "c", "e", "g"))
    slow = STEP / 2
    given = [
        Eq(new, (1 + STEP) * here + slow * (left + right)),
        Le(first + POWER * slow * second, here),
        Le(second + POWER * slow * fourth, left),
        Le(third + POWER * slow * first, right),
        *(Le(ZERO, name) for name in (first, second, third, fourth)),
        warm,
    ]
    margins = [T.margin(fact) for fact in given[1:4]]
    form = margins[0] + STEP * (margins[0] + first + POWER * slow * second)
    form = form + slow * (margins[1] + POWER * slow * fourth)
    form = form + slow * (margins[2] + third + POWER * slow * first)
    goal = Le(first + (POWER + 1) * slow * second, new)
    values = {
        new: step.conclusion.args[0],
        here: walked(POWER, MODE),
        left: walked(POWER, MODE - 1),
        right: walked(POWER, MODE + 1),
        first: walked(ZERO, MODE),
        second: walked(ZERO, MODE - 1),
        third: walked(ZERO, MODE + 1),
        fourth: walked(ZERO, MODE - 1 - 1),
    }
    grown = named(goal, form, given, values)
    told[2] = _as(told[2], Le(values[third] + POWER * slow * values[first], values[right]))
    grown = T.discharge(grown, step, *told, *at_start)
    return kernel.induct(POWER, statement, base, T.generalise(grown, MODE))


def _as(theorem: Theorem, goal: Node) -> Theorem:
    """The same inequality with its terms written another way."""
    proof = prove_nonneg(goal, T.margin(theorem.conclusion), [theorem.conclusion])
    return T.discharge(proof, theorem)


# ---------------------------------------------------------------------- the limit
def close(factor: Node, low: Theorem, high: Theorem) -> Theorem:
    """-2 <= factor <= 2, 0 <= t |- the transform after M steps is near that at b + M t.

    With E = exp(M t A): the sum of ((1 + t A)^M factor - 2 M t^2 A^2 E) exp(b A) is at most the sum
    of E exp(b A) factor.
    """
    square = (lazy() ** 2 + sin(angle(num(1))) ** 2) / 2  # A = (A^2 + sin^2) / 2
    u = STEP * lazy()
    warm = Le(ZERO, STEP)
    positive = prove_nonneg(Le(ZERO, 1 + u), 1 + STEP * square, [warm])
    above = T.discharge(kernel.specialise(gram.above_power(), {T.real("u"): u}), positive)
    near = T.discharge(kernel.specialise(gram.near_power(), {T.real("u"): u}), positive)
    small, large = above.conclusion.args
    weight = exp(START * lazy())
    lost = 2 * (POWER * STEP**2 * (lazy() ** 2 * large))
    goal = Le(weight * (small * factor - lost), weight * large * factor)
    form = T.margin(above.conclusion) * (factor + 2) + 2 * T.margin(near.conclusion)
    facts = [above, near, low]
    form = T.margin(above.conclusion) * T.margin(low.conclusion) + 2 * T.margin(near.conclusion)
    each = prove_nonneg(goal, weight * form, [fact.conclusion for fact in facts])
    return kernel.sum_congruence(T.discharge(each, *facts), R, RING)


def lost() -> Node:
    """K, the sum of A^2 exp((b + delta) A)."""
    return total(R, RING, lazy() ** 2 * (exp(START * lazy()) * exp(MORE * lazy())))


def limit(goal: Node, near: Theorem, kept: Theorem) -> Theorem:
    """The goal 0 <= F from walked values that are kept and near: M to infinity, t = delta / M."""
    many = T.natural("N", 1)
    warm, room = Le(ZERO, MORE), Le(MORE, many)
    here = {STEP: MORE / many, POWER: many}
    slow = prove_nonneg(Le(ZERO, MORE / many), MORE / many, [warm])
    facts = [T.discharge(kernel.specialise(fact, here), slow) for fact in (near, kept)]
    F, K = goal.args[1], 2 * lost()
    wanted = Le(num(-1) * (MORE**2 * K), many * F)
    form = many * (T.margin(facts[0].conclusion) + T.margin(facts[1].conclusion))
    every = prove_nonneg(wanted, form, [fact.conclusion for fact in facts])
    every = T.generalise(T.implication(T.discharge(every, *facts), room), many)
    names = {T.real("F"): F, T.real("B"): MORE, T.real("K"): K}
    found = kernel.specialise(gram.archimedes(), names)
    above = prove_nonneg(Le(ZERO, K), K)
    return T.discharge(found, every, above)


def _cosine_within(mode: Node) -> list[Theorem]:
    """-1 <= cos and cos <= 1."""
    c, s = wave(mode), sin(angle(mode))
    return [
        prove_nonneg(Le(num(-1), c), ((1 + c) ** 2 + s**2) / 2),
        prove_nonneg(Le(c, num(1)), ((1 - c) ** 2 + s**2) / 2),
    ]


@lru_cache
def gains() -> Theorem:
    """0 <= delta, all f_b >= 0 |- for all m: f_b(m) + delta/2 f_b(m - 1) <= f_(b + delta)(m)."""
    low, high = _cosine_within(MODE)
    factor = wave(MODE)
    wide = T.discharge(
        prove_nonneg(Le(num(-2), factor), T.margin(low.conclusion) + 1, [low.conclusion]), low
    )
    near = close(factor, wide, high)
    start = ForAll(MODE, Le(ZERO, transform(START, MODE)))
    kept = kernel.instantiate(kept_positive(), MODE)
    each = kernel.instantiate(kernel.assume(start), MODE)
    same = _as(each, Le(ZERO, walked(ZERO, MODE)))
    kept = T.discharge(kept, T.generalise(same, MODE))
    later = transform(START + MORE, MODE) - transform(START, MODE)
    goal = Le(ZERO, later - MORE / 2 * transform(START, MODE - 1))
    found = limit(goal, near, kept)
    return T.generalise(found, MODE)


# ---------------------------------------------------------------------- falling transforms
def fall(value: Callable[[Node], Node], mode: Node) -> Node:
    return value(mode) - value(mode + 1)


def stepped(left: Node, mode: Node, right: Node) -> Theorem:
    """`one_step` with the neighbours of the mode as they are written."""
    sides = walked(POWER, left) + walked(POWER, right)
    return prove_identity(
        Eq(walked(POWER + 1, mode), (1 + STEP) * walked(POWER, mode) + STEP / 2 * sides)
    )


def reflected(steps: Node, mode: Node, image: Node, room: list[Node]) -> Theorem:
    """walked(mode) = walked(image), where the premises make image = n - mode."""
    whole = kernel.specialise(mirrored(), {MODE: mode, POWER: steps})
    same = kernel.antisymmetry(
        prove_order(Le(image, RING - mode), room), prove_order(Le(RING - mode, image), room)
    )
    hole = T.integer("hole")
    target = Eq(walked(steps, mode), walked(steps, hole))
    flipped = prove_identity(
        Eq(walked(steps, mode), walked(steps, RING - mode)), [whole.conclusion]
    )
    flipped = T.discharge(flipped, whole)
    return T.discharge(kernel.leibniz(flipped, target, hole, same.conclusion), same)


class Falling:
    """What the induction may use: falls after M steps are at least those at the start."""

    def __init__(self) -> None:
        start = Implies(Le(2 * Q + 1, RING), Le(ZERO, fall(self.first, Q)))
        self.start = ForAll(Q, start)
        self.claim = self.after(POWER)

    def first(self, mode: Node) -> Node:
        return walked(ZERO, mode)

    def now(self, mode: Node) -> Node:
        return walked(POWER, mode)

    def after(self, steps: Node) -> Node:
        later = lambda mode: walked(steps, mode)  # noqa: E731
        kept = Le(fall(self.first, Q), fall(later, Q))
        gained = fall(self.first, Q + 1) + steps * (STEP / 2) * fall(self.first, Q)
        more = Le(gained, fall(later, Q + 1))
        return And(
            ForAll(Q, Implies(Le(2 * Q + 1, RING), kept)),
            ForAll(Q, Implies(Le(2 * Q + 4, RING), more)),
        )

    def told(self, part: Node, at: Node, room: list[Node]) -> Theorem:
        """An instance of one of the three universal facts."""
        found = kernel.assume(part)
        if at == Q - 1:
            found = kernel.weaken(found, [Le(ZERO, at)])
        found = kernel.instantiate(found, at)
        return kernel.modus(found, prove_order(found.conclusion.args[0], room))

    def falls(self, at: Node, room: list[Node]) -> Theorem:
        """B_M(at + 1) <= B_M(at)."""
        facts = [self.told(part, at, room) for part in (self.start, self.claim.args[0])]
        a, b, c, d = (T.real(name) for name in "abcd")
        given = [Le(ZERO, a - b), Le(a - b, c - d)]
        values = {a: self.first(at), b: self.first(at + 1), c: self.now(at), d: self.now(at + 1)}
        form = T.margin(given[1]) + (a - b)
        found = named(Le(d, c), form, given, values)
        return T.discharge(found, *facts)

    def below_before(self, room: list[Node]) -> Theorem:
        """B_M(q + 1) <= B_M(q - 1), for 2 q + 2 <= n."""
        before, at = Q - 1, Q
        one = Le(num(1), Q)
        inside = [*room, one]
        a, b, c = (T.real(name) for name in "abc")
        drop = self.falls(before, inside)
        drop = T.discharge(drop, prove_order(Le(ZERO, before), [one]))
        drop = _as(drop, Le(self.now(at), self.now(before)))
        more = self.falls(at, room)
        order = named(
            Le(c, a),
            (a - b) + (b - c),
            [Le(b, a), Le(c, b)],
            {a: self.now(before), b: self.now(at), c: self.now(at + 1)},
        )
        usual = T.discharge(order, drop, more)
        none = Lt(Q, num(1))
        close = kernel.integer_step(kernel.assume(none))
        zero = kernel.antisymmetry(
            T.discharge(prove_order(Le(Q, ZERO), [close.conclusion]), close),
            prove_order(Le(ZERO, Q)),
        )
        goal = Le(self.now(at + 1), self.now(before))
        level = prove_nonneg(Le(self.now(ZERO + 1), self.now(ZERO - 1)), ZERO)
        edge = T.discharge(kernel.leibniz(level, goal, Q, zero.conclusion), zero)
        return T.compare(Q, num(1), edge, usual)

    def below_after(self, at: Node, room: list[Node]) -> Theorem:
        """B_M(at + 2) <= B_M(at), for 2 at + 2 <= n."""
        beyond = at + 1 + 1
        wide, tight = Lt(2 * at + 2, RING), Le(RING, 2 * at + 2)
        close = kernel.integer_step(kernel.assume(wide))
        inside = [*room, close.conclusion]
        a, b, c = (T.real(name) for name in "abc")
        order = named(
            Le(c, a),
            (a - b) + (b - c),
            [Le(b, a), Le(c, b)],
            {a: self.now(at), b: self.now(at + 1), c: self.now(beyond)},
        )
        usual = T.discharge(order, self.falls(at, room), self.falls(at + 1, inside))
        usual = T.discharge(usual, close)
        same = reflected(POWER, beyond, at, [*room, tight])
        edge = named(Le(c, a), ZERO, [Eq(c, a)], {a: self.now(at), c: self.now(beyond)})
        return T.compare(2 * at + 2, RING, usual, T.discharge(edge, same))


@lru_cache
def kept_falling() -> Theorem:
    """0 <= t, falls at the start |- falls after M steps, with what they gain."""
    f = Falling()
    base_parts = [
        T.generalise(
            T.implication(prove_nonneg(claim.args[1].args[1], ZERO), claim.args[1].args[0]), Q
        )
        for claim in f.after(ZERO).args
    ]
    warm, grown = Le(ZERO, STEP), f.after(POWER + 1)

    # the first part at q, for 2 q + 2 <= n
    room, goal = grown.args[0].args[1].args
    narrow, wide = Lt(RING, 2 * Q + 2), Le(2 * Q + 2, RING)
    before, here, after, beyond = Q - 1, Q, Q + 1, Q + 1 + 1
    steps = [stepped(before, here, after), stepped(here, after, beyond)]
    P, A, B, C, N, S, a, b = (T.real(name) for name in ("P", "A", "B", "C", "N", "S", "a", "b"))
    slow = STEP / 2
    low, high = f.below_before([wide]), f.below_after(here, [wide])
    kept = f.told(f.claim.args[0], Q, [wide])
    given = [
        Eq(N, (1 + STEP) * A + slow * (P + B)),
        Eq(S, (1 + STEP) * B + slow * (A + C)),
        Le(a - b, A - B),
        Le(B, P),
        Le(C, A),
        warm,
    ]
    values = {
        P: f.now(before),
        A: f.now(here),
        B: f.now(after),
        C: f.now(beyond),
        N: walked(POWER + 1, here),
        S: walked(POWER + 1, after),
        a: f.first(here),
        b: f.first(after),
    }
    form = T.margin(given[2]) + slow * (T.margin(given[3]) + T.margin(given[4]))
    usual = named(Le(a - b, N - S), form, given, values)
    usual = T.discharge(usual, *steps, kept, low, high)
    close = kernel.integer_step(kernel.assume(narrow))
    inside = [close.conclusion, room]
    flat = [T.discharge(reflected(at, after, here, inside), close) for at in (ZERO, POWER + 1)]
    edge = named(Le(a - b, N - S), ZERO, [Eq(b, a), Eq(S, N)], values)
    edge = T.discharge(edge, *flat)
    first = T.compare(RING, 2 * Q + 2, edge, usual)
    first = T.generalise(T.implication(first, room), Q)

    # the second part at q, for 2 q + 4 <= n: the fall at q + 1
    room, goal = grown.args[1].args[1].args
    last = Q + 1 + 1 + 1
    steps = [stepped(here, after, beyond), stepped(after, beyond, last)]
    facts = [
        f.told(f.claim.args[1], Q, [room]),
        f.told(f.claim.args[0], Q, [room]),
        f.falls(after, [room]),
        f.below_after(after, [room]),
    ]
    c = T.real("c")
    given = [
        Eq(N, (1 + STEP) * B + slow * (A + C)),
        Eq(S, (1 + STEP) * C + slow * (B + P)),
        Le((b - c) + POWER * slow * (a - b), B - C),
        Le(a - b, A - B),
        Le(C, B),
        Le(P, B),
        warm,
    ]
    values = {
        A: f.now(here),
        B: f.now(after),
        C: f.now(beyond),
        P: f.now(last),
        N: walked(POWER + 1, after),
        S: walked(POWER + 1, beyond),
        a: f.first(here),
        b: f.first(after),
        c: f.first(beyond),
    }
    form = T.margin(given[2]) + slow * (
        T.margin(given[3]) + T.margin(given[4]) + T.margin(given[5])
    )
    second = named(Le((b - c) + (POWER + 1) * slow * (a - b), N - S), form, given, values)
    second = T.discharge(second, *steps, *facts)
    second = T.generalise(T.implication(second, room), Q)
    step = T.unpack(T.both(first, second), f.claim)
    return kernel.induct(POWER, f.claim, T.both(*base_parts), step)


def _fall_within(mode: Node) -> list[Theorem]:
    """-2 <= cos(m x) - cos((m + 1) x) <= 2."""
    factor = wave(mode) - wave(mode + 1)
    (first_low, first_high), (low, high) = (_cosine_within(at) for at in (mode, mode + 1))
    down = prove_nonneg(
        Le(num(-2), factor),
        T.margin(first_low.conclusion) + T.margin(high.conclusion),
        [first_low.conclusion, high.conclusion],
    )
    up = prove_nonneg(
        Le(factor, num(2)),
        T.margin(first_high.conclusion) + T.margin(low.conclusion),
        [first_high.conclusion, low.conclusion],
    )
    return [T.discharge(down, first_low, high), T.discharge(up, first_high, low)]


def _start_of_falls() -> Node:
    here = lambda mode: transform(START, mode)  # noqa: E731
    return ForAll(Q, Implies(Le(2 * Q + 1, RING), Le(ZERO, fall(here, Q))))


@lru_cache
def declines() -> tuple[Theorem, Theorem]:
    """0 <= delta, falls of f_b |- those of f_(b + delta) are as large; and what they gain."""
    here = lambda mode: transform(START, mode)  # noqa: E731
    later = lambda mode: transform(START + MORE, mode)  # noqa: E731
    f, start = Falling(), _start_of_falls()
    told = kernel.instantiate(kernel.assume(start), Q)
    room = told.conclusion.args[0]
    each = kernel.modus(told, kernel.assume(room))
    same = _as(each, Le(ZERO, fall(f.first, Q)))
    given = T.generalise(T.implication(same, room), Q)
    kept, gained = T.parts(T.discharge(kept_falling(), given))
    found = []
    for fact, mode, goal in (
        (kept, Q, Le(ZERO, fall(later, Q) - fall(here, Q))),
        (
            gained,
            Q + 1,
            Le(ZERO, fall(later, Q + 1) - fall(here, Q + 1) - MORE / 2 * fall(here, Q)),
        ),
    ):
        fact = kernel.instantiate(fact, Q)
        room = fact.conclusion.args[0]
        fact = kernel.modus(fact, kernel.assume(room))
        near = close(wave(mode) - wave(mode + 1), *_fall_within(mode))
        found.append(T.generalise(T.implication(limit(goal, near, fact), room), Q))
    return found[0], found[1]


# ---------------------------------------------------------------------- from b = 0 upwards
@lru_cache
def silent() -> Theorem:
    """0 < m < n |- f_0(m) = 0."""
    k = T.integer("k")
    inside = [Lt(ZERO, MODE), Lt(MODE, RING)]
    multiple = Eq(MODE, RING * k)
    close_ = T.one_apart(k, num(1))
    few = T.discharge(T.contradict([*inside, multiple, close_.conclusion]), close_)
    never = T.compare(k, 1, few, T.contradict([*inside, multiple, Le(num(1), k)]))
    existence = Exists(k, multiple)
    apart = T.conclude_not(T.obtain(kernel.assume(existence), k, never), existence)
    waves = kernel.project(T.apply(T.period_sums(), [MODE, RING], apart), 0)
    return T.discharge(prove_identity(Eq(transform(ZERO, MODE), ZERO), [waves.conclusion]), waves)


@lru_cache
def not_negative() -> Theorem:
    """for all m: 0 <= f_0(m), which is n or 0."""
    k = T.integer("k")
    multiple = Eq(MODE, RING * k)
    existence = Exists(k, multiple)
    goal = Le(ZERO, transform(ZERO, MODE))
    whole = T.rewrite(
        Eq(transform(ZERO, MODE), RING),
        MODE,
        RING * k,
        _counted(RING * k),
    )
    some = T.discharge(prove_nonneg(goal, RING, [whole.conclusion]), whole)
    some = T.obtain(kernel.assume(existence), k, some)
    apart = kernel.assume(Not(existence))
    waves = kernel.project(T.apply(T.period_sums(), [MODE, RING], apart), 0)
    none = T.discharge(prove_nonneg(goal, ZERO, [waves.conclusion]), waves)
    return T.generalise(T.split(existence, some, none), MODE)


def _counted(mode: Node) -> Theorem:
    """f_0 of a multiple of n is n."""
    k = T.integer("k")
    one = prove_identity(Eq(exp(ZERO * lazy()) * wave(RING * k), num(1)))
    ones = kernel.sum_congruence(one, R, RING)
    return T.discharge(prove_identity(Eq(transform(ZERO, mode), RING), [ones.conclusion]), ones)


def _later(theorem: Theorem, start: Node, more: Node) -> Theorem:
    return kernel.specialise(theorem, {START: start, MORE: more})


@lru_cache
def all_positive() -> Theorem:
    """0 <= b |- for all m: 0 <= f_b(m)."""
    level = T.real("beta")
    found = kernel.instantiate(_later(gains(), ZERO, level), MODE)
    zero = not_negative()
    found = T.discharge(found, zero)
    terms = [kernel.instantiate(zero, at) for at in (MODE, MODE - 1)]
    form = T.margin(found.conclusion) + terms[0].conclusion.args[1]
    form = form + level / 2 * terms[1].conclusion.args[1]
    facts = [found, *terms]
    warm = Le(ZERO, level)
    goal = Le(ZERO, transform(level, MODE))
    proof = prove_nonneg(goal, form, [*(fact.conclusion for fact in facts), warm])
    return T.generalise(T.discharge(proof, *facts), MODE)


@lru_cache
def positive() -> Theorem:
    """for all q, b > 0: 0 < f_b(q)."""
    level = T.real("beta")
    warm = Lt(ZERO, level)
    statement = ForAll(level, Implies(warm, Lt(ZERO, transform(level, Q))))
    half = level / 2
    low = prove_nonneg(Le(ZERO, half), level / 2, [warm])
    start = T.discharge(kernel.specialise(all_positive(), {level: half}), low)

    base = T.generalise(T.implication(_sum_of_exponentials(level), warm), level)

    gain = kernel.instantiate(_later(gains(), half, half), Q + 1)
    gain = T.discharge(gain, start, low)
    known = kernel.modus(
        kernel.instantiate(kernel.assume(statement), half),
        prove_nonneg(Lt(ZERO, half), level / 2, [warm]),
    )
    other = kernel.instantiate(start, Q + 1)
    form = T.margin(gain.conclusion) + other.conclusion.args[1]
    form = form + level / 4 * known.conclusion.args[1]
    facts = [gain, other, known]
    goal = Lt(ZERO, transform(level, Q + 1))
    step = prove_nonneg(goal, form, [*(fact.conclusion for fact in facts), warm])
    step = T.generalise(T.implication(T.discharge(step, *facts), warm), level)
    return kernel.induct(Q, statement, base, step)


def _sum_of_exponentials(level: Node) -> Theorem:
    """0 < f_b(0), by induction over the number of terms."""
    size = T.natural("N", 1)
    body = exp(level * lazy())
    statement = Lt(ZERO, total(R, size, body))
    ends = [substitute(body, {R: at}) for at in (ZERO, size)]
    base = prove_nonneg(T.instance(statement, size, 1), ends[0])
    step = prove_nonneg(
        T.instance(statement, size, size + 1), statement.args[1] + ends[1], [statement]
    )
    found = kernel.specialise(kernel.induct(size, statement, base, step), {size: RING})
    goal = Lt(ZERO, transform(level, ZERO))
    return T.discharge(prove_nonneg(goal, found.conclusion.args[1], [found.conclusion]), found)


@lru_cache
def falls_at_zero() -> Theorem:
    """for all q with 2 q + 1 <= n: 0 <= f_0(q) - f_0(q + 1)."""
    here = lambda mode: transform(ZERO, mode)  # noqa: E731
    room = Le(2 * Q + 1, RING)
    goal = Le(ZERO, fall(here, Q))
    one, none = Le(num(1), Q), Lt(Q, num(1))
    mode = Q + 1
    zero = kernel.specialise(silent(), {MODE: mode})
    zero = T.discharge(
        zero,
        prove_nonneg(Lt(ZERO, mode), mode),
        prove_order(Lt(mode, RING), [room, one]),
    )
    above = kernel.instantiate(not_negative(), Q)
    facts = [zero, above]
    usual = prove_nonneg(goal, above.conclusion.args[1], [fact.conclusion for fact in facts])
    usual = T.discharge(usual, *facts)
    low = _cosine_within(num(1))[1]
    each = prove_nonneg(
        Le(ZERO, exp(ZERO * lazy()) * (1 - wave(num(1)))),
        T.margin(low.conclusion),
        [low.conclusion],
    )
    summed = kernel.sum_congruence(T.discharge(each, low), R, RING)
    first = prove_nonneg(
        substitute(goal, {Q: ZERO}), T.margin(summed.conclusion), [summed.conclusion]
    )
    first = T.discharge(first, summed)
    close_ = kernel.integer_step(kernel.assume(none))
    start = kernel.antisymmetry(
        T.discharge(prove_order(Le(Q, ZERO), [close_.conclusion]), close_),
        prove_order(Le(ZERO, Q)),
    )
    edge = T.discharge(kernel.leibniz(first, goal, Q, start.conclusion), start)
    found = T.compare(Q, num(1), edge, usual)
    return T.generalise(T.implication(found, room), Q)


@lru_cache
def not_rising() -> Theorem:
    """0 <= b |- for all q with 2 q + 1 <= n: 0 <= f_b(q) - f_b(q + 1)."""
    level = T.real("beta")
    start = falls_at_zero()
    found = kernel.instantiate(_later(declines()[0], ZERO, level), Q)
    room = found.conclusion.args[0]
    found = T.discharge(kernel.modus(found, kernel.assume(room)), start)
    before = kernel.modus(kernel.instantiate(start, Q), kernel.assume(room))
    here = lambda mode: transform(level, mode)  # noqa: E731
    facts = [found, before]
    form = T.margin(found.conclusion) + before.conclusion.args[1]
    goal = Le(ZERO, fall(here, Q))
    proof = prove_nonneg(goal, form, [fact.conclusion for fact in facts])
    return T.generalise(T.implication(T.discharge(proof, *facts), room), Q)


@lru_cache
def falling() -> Theorem:
    """for all q, b > 0 with 2 q + 2 <= n: 0 < f_b(q) - f_b(q + 1)."""
    level = T.real("beta")
    warm, room = Lt(ZERO, level), Le(2 * Q + 2, RING)
    here = lambda mode: transform(level, mode)  # noqa: E731
    body = Implies(warm, Implies(room, Lt(ZERO, fall(here, Q))))
    statement = ForAll(level, body)

    start_room = substitute(room, {Q: ZERO})
    rise = kernel.instantiate(_later(declines()[0], ZERO, level), ZERO)
    rise = kernel.modus(rise, prove_order(rise.conclusion.args[0], [start_room]))
    rise = T.discharge(rise, falls_at_zero(), prove_nonneg(Le(ZERO, level), level, [warm]))
    mode = ZERO + 1
    nothing = kernel.specialise(silent(), {MODE: mode})
    nothing = T.discharge(
        nothing,
        prove_nonneg(Lt(ZERO, mode), num(1)),
        prove_order(Lt(mode, RING), [start_room]),
    )
    whole = _counted(ZERO)
    facts = [rise, nothing, whole]
    goal = Lt(ZERO, substitute(fall(here, Q), {Q: ZERO}))
    base = prove_nonneg(goal, T.margin(rise.conclusion) + RING, [f.conclusion for f in facts])
    base = T.implication(T.discharge(base, *facts), warm, start_room)

    half = level / 2
    low = prove_nonneg(Le(ZERO, half), level / 2, [warm])
    later = substitute(room, {Q: Q + 1})
    flat = T.discharge(kernel.specialise(not_rising(), {level: half}), low)
    gain = kernel.instantiate(_later(declines()[1], half, half), Q)
    gain = kernel.modus(gain, prove_order(gain.conclusion.args[0], [later]))
    gain = T.discharge(gain, flat, low)
    known = T.apply(
        kernel.assume(statement),
        [half],
        prove_nonneg(Lt(ZERO, half), level / 2, [warm]),
        prove_order(room, [later]),
    )
    other = kernel.instantiate(flat, Q + 1)
    other = kernel.modus(other, prove_order(other.conclusion.args[0], [later]))
    form = T.margin(gain.conclusion) + other.conclusion.args[1]
    form = form + level / 4 * known.conclusion.args[1]
    facts = [gain, other, known]
    goal = Lt(ZERO, substitute(fall(here, Q), {Q: Q + 1}))
    step = prove_nonneg(goal, form, [*(f.conclusion for f in facts), warm])
    step = T.generalise(T.implication(T.discharge(step, *facts), warm, later), level)
    return kernel.induct(Q, statement, T.generalise(base, level), step)


# ---------------------------------------------------------------------- twice the ring
@lru_cache
def halves() -> Theorem:
    """The sum of s over 2 N terms is that over the even and that over the odd ones."""
    size = T.natural("N")
    s = lambda at: sequence("s", at)  # noqa: E731
    goal = Eq(total(R, 2 * size, s(R)), total(R, size, s(2 * R)) + total(R, size, s(2 * R + 1)))
    base = prove_identity(T.instance(goal, size, 0))
    return kernel.induct(size, goal, base, prove_identity(T.instance(goal, size, size + 1), [goal]))


def _on_twice_the_ring(level: Node, mode: Node) -> Node:
    """f(m) of 2 n tokens."""
    return substitute(transform(level, MODE), {RING: 2 * RING, MODE: mode})


def every_other(level: Node, mode: Node) -> Theorem:
    """f(m) + f(m + n) on the ring of 2 n tokens is 2 f(m) on every other token, the ring of n."""
    at = T.real("x")
    term = exp(level * lazy()) * wave(mode)
    here = substitute(term, {RING: 2 * RING, R: at})
    sign = 1 + cos(pi * at)
    split = kernel.realise(halves(), "s", at, here * sign)
    split = kernel.specialise(split, {T.natural("N"): RING})
    fine = [_on_twice_the_ring(level, m) for m in (mode, mode + RING)]
    whole, (even, odd) = split.conclusion.args[0], split.conclusion.args[1].args
    added = prove_identity(Eq(whole, fine[0] + fine[1]))
    coarse = prove_identity(Eq(even, 2 * transform(level, mode)))
    none = prove_identity(Eq(odd, ZERO))
    a, b, c, d, e = (T.real(name) for name in "abcde")
    lemma = prove_identity(Eq(d, e), [Eq(a, b + c), Eq(a, d), Eq(b, e), Eq(c, ZERO)])
    values = {a: whole, b: even, c: odd, d: fine[0] + fine[1], e: 2 * transform(level, mode)}
    return T.discharge(kernel.specialise(lemma, values), split, added, coarse, none)


@lru_cache
def doubled() -> Theorem:
    """for all n, b > 0: f(1) / f(0) on the ring of 2 n tokens is less than on that of n."""
    level = T.real("beta")
    warm = Lt(ZERO, level)
    double = {RING: 2 * RING}

    def fine(mode: Node) -> Node:
        return _on_twice_the_ring(level, mode)

    def above(mode: Node) -> Theorem:
        found = kernel.specialise(positive(), {**double, Q: mode})
        return T.apply(found, [level], kernel.assume(warm))

    def falls(mode: Node) -> Theorem:
        found = T.apply(kernel.specialise(falling(), {**double, Q: mode}), [level])
        found = kernel.modus(found, kernel.assume(warm))
        return kernel.modus(found, prove_order(found.conclusion.args[0]))

    one, last = num(1), RING - 1
    pairs = [every_other(level, mode) for mode in (ZERO, one)]
    mirror = kernel.specialise(mirrored(), {**double, MODE: last, POWER: ZERO, START: level})
    beyond = prove_identity(Eq(fine(one + RING), fine(last)), [mirror.conclusion])
    beyond = T.discharge(beyond, mirror)
    S0, S1, Sl, Sn, Sb, C0, C1 = (T.real(f"S{k}") for k in range(7))
    zero_n = ZERO + RING
    values = {
        S0: fine(ZERO),
        S1: fine(one),
        Sl: fine(last),
        Sn: fine(zero_n),
        Sb: fine(one + RING),
        C0: transform(level, ZERO),
        C1: transform(level, one),
    }
    given = [
        Eq(S0 + Sn, 2 * C0),
        Eq(S1 + Sb, 2 * C1),
        Eq(Sb, Sl),
        Lt(ZERO, S0),
        Lt(ZERO, S1),
        Lt(ZERO, Sl),
        Lt(S1, S0),
        Lt(Sn, Sl),
        Lt(ZERO, C0),
    ]
    form = (Sl * (S0 - S1) + S1 * (Sl - Sn)) / S0 / C0 / 2
    lemma = prove_nonneg(Lt(S1 / S0, C1 / C0), form, given)
    lemma = kernel.specialise(lemma, values)
    first = _strict(falls(ZERO), Lt(fine(one), fine(ZERO)))
    second = _strict(falls(last), Lt(fine(zero_n), fine(last)))
    size = _strict(_sum_of_exponentials(level), Lt(ZERO, transform(level, ZERO)))
    facts = [*pairs, beyond, above(ZERO), above(one), above(last), first, second, size]
    return T.generalise(T.implication(T.discharge(lemma, *facts), warm), RING, level)


def _strict(theorem: Theorem, goal: Node) -> Theorem:
    """The same strict inequality, written another way."""
    proof = prove_nonneg(goal, T.margin(theorem.conclusion), [theorem.conclusion])
    return T.discharge(proof, theorem)
