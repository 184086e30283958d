"""How many numbers a format has below a power of two: ranks.

Main definitions
----------------
ranks_below     the rank of fl(n), n < 2^m, lies below the count
ranks_reached   every rank below the count is that of some fl(n)
ranks_apart     equal ranks and equal numbers are the same

Conventions
-----------
Those of `nearest_even`.  The rank of s 2^j is j 2^(p - 1) + s.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from posproof.proofs_check import kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import (
    FALSUM,
    And,
    Eq,
    Exists,
    Le,
    Lt,
    Node,
    num,
    substitute,
)
from posproof.proofs_check.nearest_even import (
    CLASS,
    D_,
    HALF,
    LEAST,
    STEP,
    STORED,
    D,
    E,
    H,
    M,
    j,
    j_,
    k,
    m,
    n,
    n_,
    p,
    r,
    s,
    s_,
    significand_high,
    significand_low,
    significand_positive,
    stepped,
)
from posproof.proofs_check.powers import doubles, grows, named, same_power, two
from posproof.proofs_check.search import (
    prove_identity,
    prove_nonneg,
    prove_order,
)

node = T.node
_OTHER = substitute(STORED, {n: n_, j: j_, s: s_})
OTHER_STEP = Eq(D_, two(j_))
#: j and s, of the two numbers changed over.
_SWAP = {n: n_, n_: n, j: j_, j_: j, s: s_, s_: s, D: D_, D_: D}


@lru_cache
def _neighbours(equation: Node, goal: Node) -> Theorem:
    """j < j', s 2^j and s' 2^j' equal, or their ranks |- the other: s = 2 H, s' = H, j' = j + 1."""
    high = significand_high()
    low = kernel.specialise(T.discharge(significand_low(), stepped(Lt(j_, j))), _SWAP)
    wider = doubles(j, j_)
    known = [equation, high.conclusion, low.conclusion, HALF, STEP, OTHER_STEP]
    later = kernel.integer_step(T.assume(Lt(j, j_)))
    far = Lt(j + 1, j_)
    finer = doubles(j + 1, j_)
    gap = kernel.integer_step(T.assume(far))
    hints = [
        H * T.margin(gap.conclusion),
        *(D * T.margin(fact) for fact in (high.conclusion, low.conclusion)),
        *(node(x) * T.margin(finer.conclusion) for x in (H, s_ - H)),
        H * D,
        H,
    ]
    facts = [*known, gap.conclusion, finer.conclusion]
    distant = T.discharge(prove_order(FALSUM, facts, hints, 1), gap, finer)
    beside = kernel.antisymmetry(T.assume(Le(j_, j + 1)), later)
    step = T.discharge(same_power(j_, j + 1), beside)
    step = T.discharge(prove_identity(Eq(D_, 2 * D), [STEP, OTHER_STEP, step.conclusion]), step)
    known = [*known, step.conclusion, beside.conclusion]
    first = Le(2 * H, s)
    # s = 2 s' from the values, s = s' + H from the ranks
    link = T.contradict([*known, kernel.integer_step(T.assume(Lt(s, 2 * H))).conclusion])
    link = T.discharge(link, kernel.integer_step(T.assume(Lt(s, 2 * H))))
    whole = T.compare(s, 2 * H, T.ex_falso(link, first), T.assume(first))
    top = kernel.antisymmetry(high, whole)
    facts = [*known, top.conclusion]
    second = T.no_integer_inside(s_ - H, facts)
    done = prove_identity(goal, [*facts, second.conclusion])
    done = T.discharge(T.discharge(done, second), top, step, beside, wider)
    done = T.compare(j + 1, j_, T.ex_falso(distant, goal), done)
    return T.discharge(done, high, low)


def _exchanged(equation: Node, goal: Node) -> Theorem:
    """The same for j' < j: sides change places."""
    swapped = kernel.specialise(_neighbours(equation, goal), _SWAP)
    turned = prove_identity(substitute(equation, _SWAP), [equation])
    back = prove_identity(goal, [swapped.conclusion])
    return T.discharge(back, T.discharge(swapped, turned))


def ranks_below(statement: Node) -> Theorem:
    premise, goal = T.inner(statement).args
    more, few = premise.args[:2]
    here = LEAST.args[1]
    last = Le(j, m - p)
    over = kernel.integer_step(T.assume(Lt(m, p + j)))
    grown = grows(m, p + j - 1)
    facts = [here, few, grown.conclusion]
    excluded = T.discharge(prove_order(FALSUM, facts, (), 1), grown)
    excluded = T.discharge(excluded, prove_order(Le(m, p + j - 1), [over.conclusion], (), 1), over)
    under = prove_order(last, [Le(p + j, m)], (), 1)
    late = T.compare(m, p + j, T.ex_falso(excluded, last), under)
    early = prove_order(last, [LEAST.args[0], more], (), 1)
    steps = kernel.cases(T.assume(LEAST), early, late)
    high = significand_high()
    facts = [steps.conclusion, high.conclusion, HALF]
    hints = [H * T.margin(steps.conclusion), H]
    below = prove_order(goal.args[1], facts, hints, 1)
    significand = significand_positive()
    above = prove_order(goal.args[0], [significand.conclusion, HALF], [j * H], 1)
    proof = T.discharge(T.both(above, below), steps, high, significand)
    return T.implication(T.unpack_all(named(proof, (H, p - 1), (D, j)), premise), premise)


def ranks_apart(statement: Node) -> Theorem:
    premise, goal = T.inner(statement).args
    value, ranks = goal.args
    same = same_power(j, j_)
    same = T.discharge(prove_identity(Eq(D, D_), [STEP, OTHER_STEP, same.conclusion]), same)
    directions = []
    for given, wanted in ((value, ranks), (ranks, value)):
        facts = [given, Eq(D, D_), Eq(j, j_), STEP, OTHER_STEP, HALF]
        met = T.equal_integers(s, s_, facts)
        equal = T.discharge(prove_identity(wanted, [*facts, met.conclusion]), met, same)
        three_ways = T.three_ways(
            j, j_, _neighbours(given, wanted), equal, _exchanged(given, wanted)
        )
        directions.append(three_ways)
    backward = T.iff(value, ranks, *directions)
    proof = named(backward, (H, p - 1), (D, j), (D_, j_))
    return T.implication(T.unpack_all(proof, premise), premise)


def _attained(
    goal: Node,
    place: tuple[Node, Node, Node],
    known: Sequence[Node],
    hints: Sequence[Node],
    half: Node | None = None,
) -> Theorem:
    """fl(n) = s 2^j with the rank r for n, j, s, from what is known of them.

    `half` is s / 2 where n is rounded; elsewhere n = s 2^j.
    """
    equations = [fact for fact in known if fact.head == "eq"]
    number, step, significand = place

    def prove(part: Node) -> Theorem:
        match part.head:
            case "and":
                return T.both(*map(prove, part.args))
            case "eq":
                return prove_identity(part, equations)
            case "or":
                return T.alternative(choose(*part.args), part)
        return prove_order(part, known, hints, 1)

    def choose(first: Node, second: Node) -> Theorem:
        if first.head == "exists":
            return prove(second) if half is None else T.exists(first, half, prove)
        return prove(first if step == num(0) else second)

    def bounded(at: Node) -> Theorem:
        limit, rest = at.args
        return T.both(prove(limit), T.exists(rest, significand, prove))

    def below(at: Node) -> Theorem:
        limit, rest = at.args
        proof = T.both(prove(limit), T.exists(rest, step, bounded))
        return kernel.weaken(proof, [Le(0, number)])

    return T.exists(goal, number, below)


def _split_rank() -> Theorem:
    """2 H <= r |- r = j H + s with natural j and H <= s < 2 H."""
    q = T.integer("c")
    division = T.euclid(r, H)
    inside = T.body(division, q)
    goal = Exists(j, Exists(s, And(Le(H, s), Lt(s, 2 * H), Eq(j * H + s, r))))
    many = Le(2 * H, r)
    over = kernel.integer_step(T.assume(Lt(q, num(1))))
    excluded = T.contradict([many, *inside.args, over.conclusion], [H])
    above = T.discharge(T.ex_falso(excluded, Le(1, q)), over)
    positive = T.compare(q, 1, above, T.assume(Le(1, q)))
    natural = T.discharge(prove_order(Le(0, q - 1), [Le(1, q)], (), 1), positive)

    def each(fact: Node) -> Theorem:
        if fact.head == "and":
            return T.both(*map(each, fact.args))
        if fact.head == "eq":
            return prove_identity(fact)
        return prove_order(fact, inside.args, (), 1)

    def place(part: Node) -> Theorem:
        found = T.exists(part, H + (r - H * q), each)
        return kernel.weaken(found, [Le(0, q - 1)])

    found = T.discharge(T.exists(goal, q - 1, place), natural)
    return T.obtain(division, q, T.unpack(found, inside))


def ranks_reached(statement: Node) -> Theorem:
    """Ranks below 2^p by n = r, the last one by 2^m - 1, the others by n = s 2^j."""
    premise, goal = T.inner(statement).args
    more, fits, positive, many = premise.args
    room = T.discharge(grows(p, m), prove_order(Le(p, m), [more], (), 1))
    small, last = Lt(r, two(p)), two(p) + (m - p) * two(p - 1)
    known = [small, positive, more, fits, room.conclusion]
    first = T.discharge(_attained(goal, (r, num(0), r), known, ()), room)

    split = _split_rank()
    inside = T.body_of(T.body(split, j), s)
    limits = [*inside.args, Lt(r, last), HALF]
    far = kernel.integer_step(T.assume(Lt(m - p, j)))
    excluded = T.contradict([*limits, far.conclusion], [H])
    fit = T.ex_falso(T.discharge(excluded, far), Le(j, m - p))
    fit = T.compare(m - p, j, fit, T.assume(Le(j, m - p)))
    grown = T.discharge(grows(p + j, m), prove_order(Le(p + j, m), [fit.conclusion], (), 1))
    known = [*inside.args, fit.conclusion, grown.conclusion, fits, HALF, STEP]
    hints = [D * T.margin(fact) for fact in inside.args[:2]] + [D]
    middle = _attained(goal, (s * D, j, s), known, hints)
    size = prove_order(Le(0, s * D), inside.args[:2], [H * D, *hints], 1)
    middle = named(T.discharge(middle, size, grown, fit), (D, j))
    middle = T.unpack(middle, inside)
    middle = T.obtain(split, j, kernel.choose(T.body(split, j), s, middle))
    lifted = prove_nonneg(Le(2 * H, r), T.margin(Le(two(p), r)), [Le(two(p), r), HALF])
    middle = T.discharge(middle, lifted)

    longer = Eq(m, p + k)
    exists = Exists(k, longer)
    one = prove_order(Le(1, m - p), [kernel.integer_step(T.assume(more)).conclusion], (), 1)
    one = T.discharge(one, kernel.integer_step(T.assume(more)))
    some = T.discharge(
        T.exists(exists, m - p, lambda part: kernel.weaken(prove_identity(part), [one.conclusion])),
        one,
    )
    powers, two_at_least = same_power(m, p + k), grows(num(1), k)
    two_at_least = T.discharge(two_at_least, prove_order(Le(1, k), ()))
    top = T.equal_integers(r, 2 * H + (m - p) * H, [many, Le(last, r), HALF])
    whole = Eq(M, two(m))
    known = [longer, powers.conclusion, two_at_least.conclusion, fits, HALF, CLASS, whole]
    known.append(top.conclusion)
    final = _attained(goal, (M - 1, k, 2 * H), known, [(H - 1) * E, E], H)
    final = T.discharge(final, powers, two_at_least, top, prove_order(Le(0, M - 1), ()))
    final = T.obtain(some, k, named(final, (M, m), (E, k)))

    large = T.compare(r, last, middle, final)
    proof = named(T.compare(r, two(p), first, large), (H, p - 1))
    return T.implication(T.unpack(proof, premise), premise)
