"""Proofs of `theory.spherical.wigner`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any

from sympy import ImmutableMatrix, pi, sqrt

from posproof.proofs_check import kernel, language
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Node
from posproof.proofs_check.search import prove_identity, prove_nonneg, prove_order
from posproof.theory.spherical import wigner as statements
from posproof.theory.spherical.wigner import (
    FACTORISATION,
    HALF_PI_MATRIX,
    MATRIX_CERTIFICATE,
    WIGNER_NUMERICS,
    Certificate,
    Degrees,
    Factors,
    Rounding,
)
from posproof.theory.vocabulary import control, proves

node = T.node


# ---------------------------------------------------------------------- controls
def _transposed(twice: int, c: Any, s: Any) -> ImmutableMatrix:
    return statements.small(twice, c, -s)


def _without_roots(twice: int, at: int) -> Any:
    return statements.ladder(twice, at) ** 2


def _one_less(twice: int, at: int) -> Any:
    return statements.ladder(twice, at - 1)


def _mirror_of_integers(twice: int, at: int) -> Any:
    return (-1) ** at


def _half_a_gap(k: Any, j: Any) -> Any:
    return (k - j) / 2


# ---------------------------------------------------------------------- spherical.half_pi_matrix
@control("another_angle", quarter=(1, 2))
@control("opposite_turn", small=_transposed)
@proves(HALF_PI_MATRIX, "start", "2l = 1 to 8")
def start(of: Degrees) -> Theorem:
    return T.prove_tree(statements.start(of))


@control("opposite_turn", small=_transposed)
@control("ladder_without_roots", ladder=_without_roots)
@proves(HALF_PI_MATRIX, "recursion", "2l = 1 to 8")
def recursion(of: Degrees) -> Theorem:
    """Entry by entry, in the field of the roots that occur."""
    return T.prove_tree(statements.recursion(of))


@control("sign_of_integer_degrees", mirror=_mirror_of_integers)
@proves(HALF_PI_MATRIX, "symmetry", "2l = 1 to 8")
def symmetry(of: Degrees) -> Theorem:
    return T.prove_tree(statements.symmetry(of))


# --------------------------------------------------------------------- spherical.matrix_certificate
@control("transposed", {"beta_2": Fraction(1)}, small=_transposed)
@control("ladder_one_less", {"beta_2": Fraction(1)}, ladder=_one_less)
@proves(MATRIX_CERTIFICATE, "eigenvectors", "2l = 1 to 6")
def eigenvectors(of: Certificate) -> Theorem:
    return T.prove_tree(statements.eigenvectors(of))


@control("transposed", {"beta_2": Fraction(1)}, small=_transposed)
@proves(MATRIX_CERTIFICATE, "neighbours", "2l = 1 to 6")
def neighbours(of: Certificate) -> Theorem:
    return T.prove_tree(statements.neighbours(of))


def _sums(of: Certificate, upper: Node) -> tuple[Node, Node]:
    """The squares below `upper`, and the squares times how far they are from the wanted one."""
    k, j = statements.k, statements.j
    square = statements.a(k) ** 2
    size, moved = (node(part) for part in (square, of.distance(k, j) ** 2 * square))
    return language.total(node(k), upper, size), language.total(node(k), upper, moved)


def _all_but_one(of: Certificate) -> Theorem:
    """sum a_k^2 <= sum (k - j)^2 a_k^2 + a_j^2: every other index is at least 1 away."""
    j, m = node(statements.j), T.natural("m")
    wanted = node(statements.a(statements.j) ** 2)

    def claim(upper: Node) -> Node:
        size, moved = _sums(of, upper)
        early = language.Implies(language.Le(upper, j), language.Le(size, moved))
        return language.And(language.Le(size, moved + wanted), early)

    before, now, after = claim(T.num(0)), claim(m), claim(m + 1)
    early, none = before.args[1].args
    base = T.both(
        prove_order(before.args[0], hints=[wanted]), T.implication(prove_order(none), early)
    )
    held, until = T.parts(kernel.assume(now))
    new = T.instance(statements.a(statements.k) ** 2, statements.k, m)
    weight = T.instance(of.distance(statements.k, statements.j) ** 2, statements.k, m)
    more, grown = after.args[1].args

    def elsewhere(side: Node) -> Theorem:
        step = kernel.integer_step(kernel.assume(side))
        gap = T.margin(step.conclusion)
        far = prove_nonneg(
            language.Le(new, weight * new), new * (gap * (gap + 2)), [step.conclusion]
        )
        facts = [held, T.discharge(far, step)]
        first = T.discharge(prove_order(after.args[0], [f.conclusion for f in facts]), *facts)
        reached = kernel.modus(until, prove_order(language.Le(m, j), [more]))
        facts = [reached, facts[1]]
        second = T.discharge(prove_order(grown, [f.conclusion for f in facts]), *facts)
        return T.both(first, T.implication(second, more))

    here = kernel.modus(until, kernel.assume(language.Le(m, j)))
    at_j = T.instance(here.conclusion, m, j)
    arrived = prove_order(T.instance(after.args[0], m, j), [at_j])
    moved = T.implication(arrived, at_j)
    moved = T.rewrite(language.Implies(here.conclusion, after.args[0]), m, j, moved)
    first = kernel.modus(moved, here)
    never = T.ex_falso(T.contradict([more, language.Eq(m, j)]), grown)
    at = T.both(first, T.implication(never, more))
    below = prove_order(language.Le(m, j), [language.Eq(m, j)])
    step = T.three_ways(
        m, j, elsewhere(language.Lt(m, j)), T.discharge(at, below), elsewhere(language.Lt(j, m))
    )
    return kernel.project(kernel.induct(m, now, base, step), 0)


QUARTER_OFF = {"n": 2, "j": 0, "N": 1, "rho": Fraction(4, 5), "a": (Fraction(3, 5), Fraction(4, 5))}


@control("gap_of_a_half", QUARTER_OFF | {"rho": Fraction(2, 5)}, distance=_half_a_gap)
@control("factor_1", QUARTER_OFF, factor=1)
@proves(MATRIX_CERTIFICATE, "column")
def column(of: Certificate) -> Theorem:
    """rho^2 N^2 pays for all squares but a_j^2, and so for N - a_j."""
    premise, facts, goal = T.taken(statements.column(of))
    inside, positive, rho_positive, size, moved, wanted = facts
    N, rho, root = node(statements.N), node(statements.rho), node(of.factor)
    b = node(statements.a(statements.j))
    n, k = node(statements.n), node(statements.k)
    lemma = kernel.specialise(_all_but_one(of), {T.natural("m"): n})
    square = node(statements.a(statements.k) ** 2)
    each = T.generalise(
        T.implication(
            prove_order(language.Le(T.num(0), square), hints=[square]), language.Lt(k, n)
        ),
        k,
    )
    terms = T.discharge(kernel.project(T.term_below_sum(square, k, n), 1), each)
    term = T.apply(terms, [statements.j], kernel.assume(inside))
    inner = T.discharge(prove_order(language.Le(b**2, N**2), [term.conclusion, size]), term)
    lost = T.discharge(
        prove_order(language.Le(N**2 - b**2, rho**2 * N**2), [lemma.conclusion, size, moved]),
        lemma,
    )
    nearer = _excluded(
        language.Le(b, N),
        lambda off: off * (off + 2 * N) + T.margin(inner.conclusion),
        [inner.conclusion, positive],
    )
    # N (N - b) <= (N - b)(N + b) <= rho^2 N^2
    share = _excluded(
        language.Le(N - b, rho**2 * N),
        lambda off: N * off + T.margin(lost.conclusion) + b * T.margin(nearer.conclusion),
        [lost.conclusion, nearer.conclusion, wanted, positive],
    )
    size_off, over = node(abs(statements.N - 1)), N - 1
    large = _excluded(language.Le(over, size_off), lambda off: off * (off + 2 * size_off), [])
    kept, above = 2 * T.margin(share.conclusion), 2 * root * rho * T.margin(large.conclusion)
    short = prove_nonneg(
        goal,
        kept + 2 * rho**2 * (1 - N) + 2 * root * rho * size_off,
        [share.conclusion, rho_positive, language.Le(N, T.num(1))],
    )
    facts = [share.conclusion, large.conclusion, rho_positive, language.Lt(T.num(1), N), wanted]
    gentle = prove_nonneg(
        goal, kept + above + 2 * rho * (root - rho) * over, [*facts, language.Le(rho, root)]
    )
    steep = prove_nonneg(
        goal,
        2 * b + above + 2 * (rho - root) * (rho + root) + 2 * root * (rho - root) * over + 2 * N,
        [*facts, positive, language.Lt(root, rho)],
    )
    long = T.compare(root, rho, steep, gentle)
    theorem = T.discharge(T.compare(1, N, long, short), share, large)
    return T.closed(T.discharge(theorem, nearer, inner, lost), premise)


def _excluded(goal: Node, form: Callable[[Node], Node], facts: Sequence[Node]) -> Theorem:
    """facts |- a <= b: were a - b positive, `form` of it would be, and it is 0."""
    small, large = goal.args
    against = language.Lt(large, small)
    never = prove_nonneg(language.FALSUM, form(small - large), [*facts, against])
    return T.compare(large, small, T.ex_falso(never, goal), kernel.assume(goal))


# ---------------------------------------------------------------------- the other clauses
TWO_STATES = {"n": 2, "a": (1, 0)}


def _half_norm(n: Any) -> Any:
    return (n - 1) / 4


@control("half_of_it", TWO_STATES, norm=_half_norm)
@proves(MATRIX_CERTIFICATE, "norm")
def norm(of: Certificate) -> Theorem:
    """(k - l)^2 <= l^2 for 0 <= k <= 2l, times a_k^2 and summed."""
    goal = T.inner(statements.norm(of))
    k, n = node(statements.k), node(statements.n)
    square = node(statements.a(statements.k) ** 2)
    radius = node(of.norm(statements.n))
    inside = language.Lt(k, n)
    step = kernel.integer_step(kernel.assume(inside))
    middle = (n - 1) / 2
    goal_here = language.Le((k - middle) ** 2 * square, radius**2 * square)
    below = prove_nonneg(goal_here, square * (k * T.margin(step.conclusion)), [step.conclusion])
    summed = kernel.sum_congruence(T.discharge(below, step), k, n)
    return T.discharge(prove_order(goal, [summed.conclusion]), summed)


def _without_product(l: Any, e: Any, f: Any) -> Any:  # noqa: E741
    return l * (e + f)


@control("second_order_forgotten", slack=_without_product)
@proves(MATRIX_CERTIFICATE, "slack")
def slack(of: Certificate) -> Theorem:
    premise, facts, goal = T.taken(statements.off(of))
    whole = T.both(*(prove_order(part, facts) for part in goal.args))
    return T.closed(whole, premise)


def _either_sign(sigma: Any, value: Any) -> Any:
    return -sigma * value


def _by_signs(statement: Any) -> Theorem:
    """For each choice of the signs: the right one, or the hypotheses exclude each other."""
    goal = node(statement)
    if goal.head == "forall":
        name, body = goal.args
        domain = name.args[1]
        if domain.kind != "finite":
            return kernel.generalise(_by_signs(body), name)
        at = [_by_signs(language.substitute(body, {name: T.num(v)})) for v in domain.values]
        return kernel.exhaust(goal, at)
    premise, conclusion = goal.args
    if conclusion.args[0] == conclusion.args[1]:
        return T.implication(prove_identity(conclusion), premise)
    never = T.contradict(T.conjuncts(premise))
    return T.closed(T.ex_falso(never, conclusion), premise)


@control("opposite_sign", sign=_either_sign)
@proves(MATRIX_CERTIFICATE, "signs")
def signs(of: Certificate) -> Theorem:
    """With the wrong sign s would be at most eta."""
    return _by_signs(statements.signs(of))


@control("opposite_sign", sign=_either_sign)
@proves(MATRIX_CERTIFICATE, "first_column")
def first_column(of: Certificate) -> Theorem:
    return _by_signs(statements.first_column(of))


# ---------------------------------------------------------------------- small numbers
@dataclass(frozen=True)
class Small:
    """A value between -limit and limit, with the two theorems."""

    value: Node
    limit: Node
    low: Theorem
    high: Theorem

    @property
    def facts(self) -> list[Node]:
        return [self.low.conclusion, self.high.conclusion]

    @property
    def above(self) -> Node:
        """limit - value >= 0."""
        return T.margin(self.high.conclusion)

    @property
    def below(self) -> Node:
        """limit + value >= 0."""
        return T.margin(self.low.conclusion)


def _limits(value: Node, limit: Node) -> tuple[Node, Node]:
    return language.Le(-limit, value), language.Le(value, limit)


def _given(value: Any, limit: Any) -> Small:
    """As a premise says."""
    low, high = (node(part) for part in statements.between(value, limit))
    return Small(node(value), node(limit), kernel.assume(low), kernel.assume(high))


def _from(value: Node, limit: Node, forms: tuple[Node, Node], *of: Small) -> Small:
    """limit + value and limit - value are the two forms, visibly >= 0 by what is small."""
    facts = [fact for one in of for fact in one.facts]
    lemmas = [theorem for one in of for theorem in (one.low, one.high)]
    low, high = (
        T.discharge(prove_nonneg(goal, form, facts), *lemmas)
        for goal, form in zip(_limits(value, limit), forms, strict=True)
    )
    return Small(value, limit, low, high)


def _times(x: Small, y: Small) -> Small:
    """|x y| <= X Y."""
    forms = (
        (x.above * y.above + x.below * y.below) / 2,
        (x.above * y.below + x.below * y.above) / 2,
    )
    return _from(x.value * y.value, x.limit * y.limit, forms, x, y)


def _plus(*terms: Small) -> Small:
    value, limit = _sum(t.value for t in terms), _sum(t.limit for t in terms)
    forms = _sum(t.below for t in terms), _sum(t.above for t in terms)
    return _from(value, limit, forms, *terms)


def _sum(terms: Iterable[Node]) -> Node:
    return reduce(lambda x, y: x + y, terms)


def _grown(*errors: Small) -> Small:
    """(1 + x)(1 + y) ... - 1."""
    return reduce(lambda x, y: _plus(x, y, _times(x, y)), errors)


def _averaged(error: Small, a: Node, b: Node) -> tuple[Node, Node]:
    """E (a^2 + b^2) / 2 + a b e and - a b e: what is left of a mean of squares."""
    plus, minus = (a + b) ** 2 / 4, (a - b) ** 2 / 4
    return (
        error.below * plus + error.above * minus,
        error.above * plus + error.below * minus,
    )


# ---------------------------------------------------------------------- spherical.wigner_numerics
def _plain_sign(difference: int) -> int:
    return 1


@control("signs_forgotten", {"beta_2": Fraction(1)}, sign=_plain_sign)
@control("opposite_quarter", {"beta_2": Fraction(1)}, quarter=(1, -1))
@proves(WIGNER_NUMERICS, "fold", "2l = 1 to 6")
def fold(of: Rounding) -> Theorem:
    """Entry by entry, as polynomials in the cosine and sine of half the angle."""
    return T.prove_tree(statements.fold(of))


def _without_addition(c: Any, s: Any, C: Any, S: Any) -> tuple[Any, Any]:
    return c * C, 0


SIXTEENTH = Fraction(1, 16)
HALF_TURN: dict[str, Any] = {f"delta_{at}": 0 for at in range(1, 8)}
HALF_TURN |= {"x": pi / 2, "y": pi / 2, "u": SIXTEENTH}
SAME_SIGN: dict[str, Any] = {"x": 0, "y": 0, "u": SIXTEENTH, "delta_2": 0, "delta_4": 0}
SAME_SIGN |= {f"delta_{at}": 2 * SIXTEENTH for at in (1, 3)}
SAME_SIGN |= {f"delta_{at}": SIXTEENTH for at in (5, 6, 7)}


@control("five_roundings", SAME_SIGN, phase_units=5)
@control("sines_forgotten", HALF_TURN, addition=_without_addition)
@proves(WIGNER_NUMERICS, "phase")
def phase(of: Rounding) -> Theorem:
    """|cos cos| + |sin sin| <= 1, so 5 u and second orders are paid once; the sum adds u."""
    premise, facts, goal = T.taken(statements.phase(of))
    u, x, y = node(statements.u), node(statements.x), node(statements.y)
    small = [
        _given(d, (2 if at < 4 else 1) * statements.u) for at, d in enumerate(statements.roundings)
    ]
    first, second = _grown(small[0], small[2], small[4]), _grown(small[1], small[3], small[5])
    (c, C), (s, S) = ([f(z) for z in (x, y)] for f in (language.cos, language.sin))
    for_c, for_s = _averaged(first, c, C), _averaged(second, s, S)
    value = c * C * first.value - s * S * second.value
    forms = (for_c[0] + for_s[1], for_c[1] + for_s[0])
    products = _from(value, first.limit, forms, first, second)
    exact = c * C - s * S
    squares = ((c + C) ** 2 + (s - S) ** 2) / 2, ((c - C) ** 2 + (s + S) ** 2) / 2
    whole = _from(exact, T.num(1), squares)
    total = _plus(_times(whole, small[6]), products, _times(products, small[6]))
    left = T.margin(facts[1])
    spare = u * (left * (1 + 3 * u + 4 * u**2) + 32 * u**2 + 60 * u**3)
    low, high = (
        T.discharge(
            prove_nonneg(part, form + spare, [*facts[:2], *total.facts]), total.low, total.high
        )
        for part, form in zip(goal.args, (total.below, total.above), strict=True)
    )
    return T.closed(T.both(low, high), premise)


def _one_rounding_less(h: Any, u: Any) -> Any:
    return (h + 9) * u


def _sum_forgotten(h: Any, u: Any) -> Any:
    return 11 * u


def _first_term(h: int, u: Fraction) -> dict[str, Any]:
    """All the rounding errors as large as they may be, in the first of h terms."""
    term = (1 + 7 * u) * (1 + u) ** 3 * (1 + h * u)
    first = {"a": 1, "b": 1, "p": 1, "f": 7 * u, "g": h * u, "x": term, "d1": u, "d2": u, "d3": u}
    rest = (0,) * (h - 1)
    return {"h": h, "u": u} | {name: (value, *rest) for name, value in first.items()}


@control("nine_units", _first_term(1, Fraction(1, 64)), entry_bound=_one_rounding_less)
@control("sum_forgotten", _first_term(2, Fraction(1, 128)), entry_bound=_sum_forgotten)
@proves(WIGNER_NUMERICS, "entries")
def entries(of: Rounding) -> Theorem:
    """Each term is off by M (a_k^2 + b_k^2) / 2 at most, M = (1 + 7u)(1 + u)^3 (1 + hu) - 1."""
    premise, facts, goal = T.taken(statements.entries(of))
    positive, little, rows, columns, each = facts
    k, h, u = (node(getattr(statements, name)) for name in "khu")
    p, f, d1, d2, d3, g, term = (part(statements.k) for part in statements.parts.values())
    told = T.apply(kernel.assume(each), [k], kernel.assume(language.Lt(k, h)))
    computed = T.conjuncts(told.conclusion)[0]
    error = _grown(*(_given(d, statements.u) for d in (d1, d2, d3)))
    error = _grown(error, _given(g, statements.h * statements.u))
    rounded, value = _given(f, 7 * statements.u), _given(p, 1)
    gap = _plus(_times(value, error), rounded, _times(rounded, error))
    a, b = (node(row(statements.k)) for row in (statements.a, statements.b))
    off = node(term) - a * b * node(p)
    allowed = gap.limit * (a**2 + b**2) / 2
    below, above = (
        T.discharge(prove_nonneg(part, form, [computed, *gap.facts]), gap.low, gap.high)
        for part, form in zip(_limits(off, allowed), _averaged(gap, a, b), strict=True)
    )
    sums = [
        kernel.sum_congruence(T.discharge(theorem, *T.all_parts(told)), k, h)
        for theorem in (below, above)
    ]
    tail = _below_limit(of, gap.limit, [positive, little])
    whole = []
    for part, summed in zip(goal.args, sums, strict=True):
        rest = gap.limit * (T.margin(rows) + T.margin(columns)) / 2
        form = T.margin(summed.conclusion) + rest + T.margin(tail.conclusion)
        given = [summed.conclusion, rows, columns, tail.conclusion, positive]
        whole.append(T.discharge(prove_nonneg(part, form, given), summed, tail))
    return T.closed(T.both(*whole), premise)


def _below_limit(of: Rounding, limit: Node, facts: Sequence[Node]) -> Theorem:
    """(1 + 7u)(1 + u)^3 (1 + hu) - 1 <= (h + 11) u for 64 h u <= 1."""
    h, u = node(statements.h), node(statements.u)
    bound = node(of.entry_bound(statements.h, statements.u))
    left, few = T.margin(facts[1]), T.num(1) - 64 * u
    small = prove_nonneg(language.Le(64 * u, T.num(1)), left + 64 * u * (h - 1), facts)
    hints = [u * x * y for x in (few, u * few, u**2 * few, u**3) for y in (left, h * u)]
    given = [*facts, small.conclusion]
    found = prove_order(language.Le(limit, bound), given, hints, degree=1)
    return T.discharge(found, small)


def _chain(statement: Any, used: Sequence[int], spare: Callable[[list[Node]], Node]) -> Theorem:
    """The margins of some premises and a visibly positive rest make up the goal."""
    premise, facts, goal = T.taken(statement)
    form = spare(facts)
    for at in used:
        form = form + T.margin(facts[at])
    return T.closed(prove_nonneg(goal, form, facts), premise)


def _no_products(e: Any, r: Any, u: Any) -> Any:
    return 2 * e * r + r**2 * e**2


def _one_factor(e: Any, r: Any, u: Any) -> Any:
    return e * r + r**2 * e**2 + sqrt(2) * (2 * r**2 + 2) * u


def _room(facts: list[Node]) -> Node:
    return node(sqrt(2) * 2 * statements.u) * T.margin(facts[3])


ROUNDED = {"epsilon_D": 0, "r": 1, "u": 1, "P": 2 * sqrt(2), "T": 0, "E": 2 * sqrt(2)}
FACTORS_ALONE = {"epsilon_D": Fraction(1, 4), "r": 1, "u": 0, "P": 0}
FACTORS_ALONE |= {"T": Fraction(9, 16), "E": Fraction(9, 16)}


@control("product_rounds_nothing", ROUNDED, unitarity_bound=_no_products)
@control("one_factor_exact", FACTORS_ALONE, unitarity_bound=_one_factor)
@proves(WIGNER_NUMERICS, "unitarity")
def unitarity(of: Rounding) -> Theorem:
    return _chain(statements.unitarity(of), (4, 5, 6), _room)


def _no_angles(e: Any, r: Any, u: Any, l: Any, delta: Any) -> Any:  # noqa: E741
    return statements.Rounding().homomorphism_bound(e, r, u, l, 0)


def _two_errors(e: Any, r: Any, u: Any, l: Any, delta: Any) -> Any:  # noqa: E741
    return statements.Rounding().homomorphism_bound(e, r, u, l, delta) - e


ANGLES = ROUNDED | {"u": 0, "P": 0, "l": 1, "delta": 1, "G": 1, "H": 0, "E": 1}
THREE = FACTORS_ALONE | {"l": 0, "delta": 0, "G": 0, "H": Fraction(1, 4), "E": Fraction(13, 16)}


@control("angles_exact", ANGLES, homomorphism_bound=_no_angles)
@control("other_side_exact", THREE, homomorphism_bound=_two_errors)
@proves(WIGNER_NUMERICS, "homomorphism")
def homomorphism(of: Rounding) -> Theorem:
    return _chain(statements.homomorphism(of), (6, 7, 8, 9, 10), _room_of_five)


def _room_of_five(facts: list[Node]) -> Node:
    return node(sqrt(2) * 2 * statements.u) * T.margin(facts[5])


# ---------------------------------------------------------------------- spherical.factorisation
def _not_transposed(delta: ImmutableMatrix) -> ImmutableMatrix:
    return delta


@control("delta_instead_of_its_transpose", {"beta_2": 1}, last=_not_transposed)
@control("both_quarter_turns_forgotten", {"beta_2": 1}, after=0, before=0)
@proves(FACTORISATION, "factorisation", "2l = 1 to 6")
def factorisation(of: Factors) -> Theorem:
    """Entry by entry, as polynomials in the cosines and sines of three half angles."""
    return T.prove_tree(statements.factorisation(of))


@control("delta_instead_of_its_transpose", last=_not_transposed)
@control("another_angle", quarter=(1, 2))
@proves(FACTORISATION, "orthogonal", "2l = 1 to 8")
def orthogonal(of: Factors) -> Theorem:
    return T.prove_tree(statements.orthogonal(of))


def _phases_exact(r: Any, u: Any) -> Any:
    return 2 * (r**2 + 2) * r * u


def _one_product(r: Any, u: Any) -> Any:
    return (r**2 + 2) * r * u + 40 * u


def _stages(psi: Any, chi: Any) -> dict[str, Any]:
    errors, grown = [], Fraction(1)
    for factor in (psi, chi, psi, chi, psi):
        grown = grown * (1 + factor)
        errors.append(grown - 1)
    found = {f"e_{at}": error for at, error in enumerate(errors, 1)}
    return found | {"psi": psi, "chi": chi}


ALL_PHASES = {"u": Fraction(1, 256), "r": 1} | _stages(Fraction(12, 256), 0)
FINE = Fraction(1, 10**9)
WIDE = {"u": FINE, "r": 20} | _stages(0, 20 * (401 * FINE + 400 * FINE**2))


@control("phases_exact", ALL_PHASES, apply_bound=_phases_exact)
@control("one_product", WIDE, apply_bound=_one_product)
@proves(FACTORISATION, "apply")
def applied(of: Factors) -> Theorem:
    """(1 + psi)^3 (1 + chi)^2 - 1 with both as large as they may be."""
    premise, facts, goal = T.taken(statements.applied(of))
    _, wide, room, _, below_psi, _, below_chi, *stages = facts
    u, r, psi, chi = (node(getattr(statements, name)) for name in ("u", "r", "psi", "chi"))
    most = below_chi.args[1]
    chain, factor = node(T.num(0)), T.num(1)
    for at in (4, 3, 2, 1, 0):
        chain = chain + factor * T.margin(stages[at])
        factor = factor * (1 + (psi if at % 2 == 0 else chi))
    phases, products = (1 + psi) ** 3, (1 + 12 * u) ** 3
    grown = (1 + psi) ** 2 + (1 + psi) * (1 + 12 * u) + (1 + 12 * u) ** 2
    more_phases = T.margin(below_psi) * grown * (1 + most) ** 2
    more_products = phases * T.margin(below_chi) * (2 + chi + most)
    last = _last_step(of, [facts[0], wide, room], products * (1 + most) ** 2 - 1)
    form = chain + more_phases + more_products + T.margin(last.conclusion)
    positive = prove_order(language.Le(T.num(0), r), [wide])
    proof = prove_nonneg(goal, form, [*facts, last.conclusion, positive.conclusion])
    return T.closed(T.discharge(proof, last, positive), premise)


def _last_step(of: Factors, facts: Sequence[Node], value: Node) -> Theorem:
    """(1 + 12 u)^3 (1 + chi)^2 - 1 is within the bound for the largest chi."""
    u, r = node(statements.u), node(statements.r)
    bound = node(of.apply_bound(statements.r, statements.u))
    over, left = T.margin(facts[1]), T.margin(facts[2])
    square, chi = r**2 + 1, r * ((r**2 + 1) * u + r**2 * u**2)
    s, wider = r * square * u, over * (over + 2)  # r^2 - 1
    one = T.num(1)
    few = prove_nonneg(
        language.Le(256 * u, one), left + 64 * u * (over * square**2 + wider * (r**2 + 3)), facts
    )
    positive = prove_nonneg(language.Le(T.num(0), r), over + 1, facts)
    r_fact, u_left = positive.conclusion, T.margin(few.conclusion)
    known = [*facts, few.conclusion, r_fact]
    thin = prove_nonneg(language.Le(128 * s, one), left + 64 * r * square * u * wider, known)
    s_left = T.margin(thin.conclusion)
    known.append(thin.conclusion)
    phases = prove_order(
        language.Le((1 + 12 * u) ** 3 - 1, 38 * u), known, [u * u_left, u**2 * u_left, u], degree=1
    )
    more = r * u * left / 64 * (1 + 2 * u + u**2) + r * u / 64 * (
        u_left + 253 * u + u * (u_left + 255 * u)
    )
    products = prove_nonneg(
        language.Le((1 + chi) ** 2 - 1, 2 * s + u / 64 + r * u / 32),
        u / 64 * s_left + 2 * r * u**2 + r * u**2 * (s + s * u + chi) + more,
        known,
    )
    together = 38 * u * (2 * s + u / 64 + r * u / 32) + 38 * u + 2 * s + u / 64 + r * u / 32
    hints = [u * s_left, u * u_left, r * u * u_left, r * u, u]
    rest = prove_order(language.Le(together, bound), known, hints, degree=1)
    form = (
        T.margin(rest.conclusion)
        + T.margin(phases.conclusion) * (1 + chi) ** 2
        + (1 + 38 * u) * T.margin(products.conclusion)
    )
    given = [*known, rest.conclusion, phases.conclusion, products.conclusion]
    last = prove_nonneg(language.Le(value, bound), form, given)
    return T.discharge(last, rest, products, phases, thin, positive, few)
