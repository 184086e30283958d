"""Wigner matrices through polynomials: every entry expanded.

Main definitions
----------------
one check a clause; `_binomial`, the binomial theorem; `_squeezed`, what is left near 0

Implementation notes
--------------------
T has integer coefficients, so a clause about it is an identity of polynomials over Q; the only
roots are those of the binomial weights, and they stand outside of T as diagonal matrices.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any

from flint import fmpq_mat
from sympy import ImmutableMatrix

from posproof.proofs_check import kernel
from posproof.proofs_check import language as Lang
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Node, substitute
from posproof.proofs_check.search import (
    prove_by_induction,
    prove_free,
    prove_identity,
    prove_nonneg,
    prove_order,
)
from posproof.proofs_check.translate import node
from posproof.theory.spherical import representations as statements
from posproof.theory.spherical.representations import (
    ALL_DEGREES,
    GROUP_LAW,
    POLYNOMIAL_ENTRIES,
    AllDegrees,
    Complex,
    Forms,
    Number,
    Wigner,
)
from posproof.theory.vocabulary import Positive, control, proves


# ------------------------------------------------------------- spherical.polynomial_entries
def _later_first(m: ImmutableMatrix, n: ImmutableMatrix) -> ImmutableMatrix:
    return n * m


@control("order_swapped", product=_later_first)
@proves(POLYNOMIAL_ENTRIES, "multiplicative", "2l = 1 .. 6, matrices with eight free entries")
def multiplicative(of: Forms) -> Theorem:
    """Both sides expanded."""
    return T.prove_tree(statements.multiplicative(of))


def _sign_dropped(a: Any, a_bar: Any, b: Any, b_bar: Any) -> ImmutableMatrix:
    return ImmutableMatrix([[a, b_bar], [b, a_bar]])


@control("sign_of_b_dropped", quaternion=_sign_dropped)
@proves(POLYNOMIAL_ENTRIES, "isometric", "2l = 1 .. 6; a, a', b, b' independent")
def isometric(of: Forms) -> Theorem:
    """Both sides expanded."""
    return T.prove_tree(statements.isometric(of))


@control("unweighed", weight=lambda twice, k: 1)
@proves(POLYNOMIAL_ENTRIES, "adjoint_form", "2l = 1 .. 6; a, a', b, b' independent")
def adjoint_form(of: Forms) -> Theorem:
    """Both sides expanded."""
    return T.prove_tree(statements.adjoint_form(of))


@control("no_sign", sign=lambda twice: 1)
@proves(POLYNOMIAL_ENTRIES, "double_cover", "2l = 1 .. 6")
def double_cover(of: Forms) -> Theorem:
    """T is homogeneous of degree 2l."""
    return T.prove_tree(statements.double_cover(of))


@control("half_a_turn", full_turn=statements.sympy.pi)
@proves(POLYNOMIAL_ENTRIES, "full_turn", "2l = 1 .. 6")
def full_turn(of: Forms) -> Theorem:
    """The half angle grows by pi: the quaternion changes its sign."""
    return T.prove_tree(statements.full_turn(of))


@control("upside_down", scale=lambda twice, row, column: statements.scale(twice, column, row))
@proves(POLYNOMIAL_ENTRIES, "entries", "quaternions of any length")
def entries(of: Forms) -> Theorem:
    """Entry by entry."""
    return T.prove_tree(statements.entries(of))


# ---------------------------------------------------------------------- spherical.group_law
@control("order_swapped", times=lambda p, q: statements.times(q, p))
@proves(GROUP_LAW, "quaternion_product", "l = 1/2, 1; quaternions of any length")
def quaternion_product(of: Wigner) -> Theorem:
    """Real and imaginary parts expanded."""
    return T.prove_tree(statements.quaternion_product(of))


@control("order_swapped", product=_later_first)
@proves(GROUP_LAW, "group_law", "l = 1/2, 1, 3/2, 2, 3; matrices with eight free entries")
def group_law(of: Wigner) -> Theorem:
    """Both sides expanded."""
    return T.prove_tree(statements.group_law(of))


@control("sign_of_b_dropped", quaternion=_sign_dropped)
@proves(GROUP_LAW, "unitary", "l = 1/2, 1, 3/2, 2, 3; a, a', b, b' independent")
def unitary(of: Wigner) -> Theorem:
    """Both sides expanded."""
    return T.prove_tree(statements.unitary(of))


@control(
    "not_conjugated", adjoint=lambda a, a_bar, b, b_bar: statements.adjoint(a_bar, a, b_bar, b)
)
@proves(GROUP_LAW, "inverse", "l = 1/2, 1, 3/2, 2, 3; a, a', b, b' independent")
def inverse(of: Wigner) -> Theorem:
    """Entry by entry."""
    return T.prove_tree(statements.inverse(of))


def _without_signs(l: int) -> Complex:  # noqa: E741
    """The basis without the signs (-1)^m."""
    rows = [[Number(0, 0)] * (2 * l + 1) for _ in range(2 * l + 1)]
    rows[l][l] = Number(1, 0)
    half = 1 / statements.sqrt(2)
    for m in range(1, l + 1):
        rows[l + m][l - m], rows[l + m][l + m] = Number(half, 0), Number(half, 0)
        rows[l - m][l - m], rows[l - m][l + m] = Number(0, half), Number(0, -half)
    return statements.collected(rows)


@control("signs_dropped", real_basis=_without_signs)
@proves(GROUP_LAW, "real", "l = 1, 2, 3; a, a', b, b' independent")
def real(of: Wigner) -> Theorem:
    """Entry by entry: the imaginary part is the zero polynomial."""
    return T.prove_tree(statements.real(of))


def _unsigned(l: int) -> Complex:  # noqa: E741
    """The moduli of the entries."""
    basis = statements.real_basis(l)
    return Complex(basis.real.applyfunc(abs), basis.imag.applyfunc(abs))


@control("signs_forgotten", real_basis=_unsigned)
@proves(GROUP_LAW, "basis_unitary", "l = 1, 2, 3")
def basis_unitary(of: Wigner) -> Theorem:
    """Evaluated exactly."""
    return T.prove_tree(statements.basis_unitary(of))


ONE, QUARTER = fmpq_mat(2, 2, [1, 0, 0, 1]), fmpq_mat(2, 2, [0, -1, 1, 0])
#: A quarter turn of the plane, with C = 1.
PLANE = dict.fromkeys(("C", "C^H", "C*", "C^T"), ONE) | {
    "D": QUARTER,
    "D*": QUARTER,
    "D^T": QUARTER.transpose(),
}


@control("not_transposed", PLANE, gram=lambda transposed, matrix: matrix @ matrix)
@proves(GROUP_LAW, "orthogonal", "matrices of every size")
def orthogonal(of: Wigner) -> Theorem:
    """C D^T C^H C D* C^H."""
    premise, goal = T.inner(statements.orthogonal(of)).args
    found = prove_free(goal, premise.args)
    return T.implication(T.unpack(found, premise), premise)


def _other_side(basis: Complex, matrix: Complex) -> Complex:
    """C D C^H: real, orthogonal and multiplicative too."""
    return basis @ matrix @ basis.adjoint


@control("the_other_basis", changed=_other_side)
@proves(GROUP_LAW, "vector", "quaternions of any length")
def vector(of: Wigner) -> Theorem:
    """Entry by entry."""
    return T.prove_tree(statements.vector(of))


# ---------------------------------------------------------------------- spherical.all_degrees
@control("transposed", action=lambda twice, m: statements.action(twice, m.T))
@proves(ALL_DEGREES, "columns", "2l = 1 .. 6, matrices with four free entries")
def columns(of: AllDegrees) -> Theorem:
    """Both sides expanded."""
    return T.prove_tree(statements.columns(of))


def _replaced(tree: Node, change: Callable[[Node], Node | None]) -> Node:
    """The tree with every topmost node for which `change` has an answer replaced by it."""
    found = change(tree)
    if found is not None:
        return found
    inner = (_replaced(a, change) if isinstance(a, Node) else a for a in tree.args)
    return Node(tree.head, tuple(inner))


@control("order_swapped", product=_later_first)
@proves(ALL_DEGREES, "composition", "every l and every form")
def composition(of: AllDegrees) -> Theorem:
    """The case 2l = 1, raised to the powers k and n - k."""
    goal = T.inner(statements.composition(of))
    left, right = goal.args
    index, upper, body = left.args
    bases: dict[Node, Node] = {}  # by exponent

    def collect(tree: Node) -> Node | None:
        if tree.head == "power":
            bases[tree.args[1]] = tree.args[0]
        return None

    _replaced(right.args[2], collect)
    names = {exponent: T.real(f"B{i}") for i, exponent in enumerate(bases)}

    def opaque(tree: Node) -> Node | None:
        return names[tree.args[1]] if tree.head == "power" else None

    one, other = (_replaced(side.args[2], opaque) for side in (left, right))
    same = prove_identity(Lang.Eq(one, other))
    values = {names[e]: Lang.power(base, e) for e, base in bases.items()}
    term = kernel.specialise(same, values)
    found = kernel.sum_congruence(term, index, upper)  # both sides with the bases of the right
    here: dict[Node, Node] = {}

    def gather(tree: Node) -> Node | None:
        if tree.head == "power":
            here[tree.args[1]] = tree.args[0]
        return None

    _replaced(body, gather)
    shape = found.conclusion
    for exponent, base in here.items():
        hole = T.real("hole")
        equation = prove_identity(Lang.Eq(base, bases[exponent]))

        def open_up(tree: Node, e: Node = exponent, h: Node = hole) -> Node | None:
            return Lang.power(h, e) if tree.head == "power" and tree.args[1] == e else None

        pattern = Lang.Eq(_replaced(shape.args[0], open_up), shape.args[1])
        found = T.discharge(kernel.leibniz(found, pattern, hole, equation.conclusion), equation)
        shape = found.conclusion
    return found


@lru_cache
def _shift() -> Theorem:
    """The sum of g(k) over k < N + 1 is g(0) and the sum of g(k + 1) over k < N."""
    size, k = T.natural("N"), T.natural("k")

    def g(at: Node) -> Node:
        return Lang.sequence("g", at)

    whole = Lang.Eq(Lang.total(k, size + 1, g(k)), g(Lang.num(0)) + Lang.total(k, size, g(k + 1)))
    return prove_by_induction(size, whole)


def _shifted(term: Callable[[Node], Node], size: Node) -> Theorem:
    """The same for a term and a size."""
    at = T.real("at")
    found = kernel.realise(_shift(), "g", at, term(at))
    return kernel.specialise(found, {T.natural("N"): size})


def _rules(name: str, base: Node) -> tuple[Node, Node]:
    """S(0) = 1 and S(j + 1) = base S(j) for all j: the powers of a base."""
    j = T.natural("j")
    start = Lang.Eq(Lang.sequence(name, Lang.num(0)), Lang.num(1))
    step = Lang.Eq(Lang.sequence(name, j + 1), base * Lang.sequence(name, j))
    return start, Lang.ForAll(j, step)


def _factorial(at: Node) -> Node:
    return Lang.sequence("f", at, Positive)


@lru_cache
def _binomial() -> Theorem:
    """f(n) times the sum of X(k) Y(n - k) / (f(k) f(n - k)) over k <= n is (x + y)^n, n <= d.

    X, Y are the powers of x, y, and f the factorials up to that of d.
    """
    x, y = T.real("x"), T.real("y")
    n, k, limit = T.natural("n"), T.natural("k"), node(statements.n)
    more = Lang.Le(n + 1, limit)
    (x_start, x_step), (y_start, y_step) = _rules("X", x), _rules("Y", y)
    f_start, f_step = node(statements.FACTORIALS).args
    f = _factorial

    def X(at: Node) -> Node:
        return Lang.sequence("X", at)

    def Y(at: Node) -> Node:
        return Lang.sequence("Y", at)

    def term(n: Node, k: Node) -> Node:
        return X(k) * Y(n - k) / (f(k) * f(n - k))

    def claim(n: Node) -> Node:
        return Lang.Eq(f(n) * Lang.total(k, n + 1, term(n, k)), Lang.power(x + y, n))

    base = prove_identity(claim(Lang.num(0)), [x_start, y_start, f_start])

    # sum of k e(n + 1, k) = x sum of e(n, k)
    first = _shifted(lambda at: at * term(n + 1, at), n + 1)
    inside_limit = prove_order(Lang.Lt(k, limit), [Lang.Lt(k, n + 1), more])
    facts = [
        T.apply(kernel.assume(x_step), [k]),
        T.apply(kernel.assume(f_step), [k], inside_limit),
    ]
    inside = prove_identity(
        Lang.Eq((k + 1) * term(n + 1, k + 1), x * term(n, k)), [h.conclusion for h in facts]
    )
    inside = kernel.sum_congruence(T.discharge(inside, *facts), k, n + 1)
    down = Lang.total(k, n + 2, k * term(n + 1, k))
    small = Lang.total(k, n + 1, term(n, k))
    below = [first, inside]
    rising = T.discharge(
        prove_identity(Lang.Eq(down, x * small), [h.conclusion for h in below]), *below
    )

    # sum of (n + 1 - k) e(n + 1, k) = y sum of e(n, k)
    close = T.one_apart(k, n + 1)
    room = T.discharge(prove_order(Lang.Le(0, n - k), [close.conclusion]), close)
    facts = []
    for rule in (y_step, f_step):
        weak = kernel.weaken(kernel.assume(rule), [room.conclusion])
        facts.append(T.discharge(kernel.instantiate(weak, n - k), room))
    below_limit = prove_order(Lang.Lt(n - k, limit), [more], hints=[k])
    facts[1] = kernel.modus(facts[1], below_limit)
    inside = prove_identity(
        Lang.Eq((n + 1 - k) * term(n + 1, k), y * term(n, k)), [h.conclusion for h in facts]
    )
    inside = kernel.sum_congruence(T.discharge(inside, *facts), k, n + 1)
    up = Lang.total(k, n + 2, (n + 1 - k) * term(n + 1, k))
    last = prove_identity(Lang.Eq(up, Lang.total(k, n + 1, (n + 1 - k) * term(n + 1, k))))
    both = [last, inside]
    falling = T.discharge(
        prove_identity(Lang.Eq(up, y * small), [h.conclusion for h in both]), *both
    )

    # together
    large = Lang.total(k, n + 2, term(n + 1, k))
    parts = prove_identity(Lang.Eq(down + up, (n + 1) * large))
    names = [T.real(name) for name in ("A", "B", "C", "D", "P", "F", "G")]
    A, B, C, D, P, F, G = names
    given = [
        Lang.Eq(B + C, (n + 1) * A),
        Lang.Eq(B, x * D),
        Lang.Eq(C, y * D),
        Lang.Eq(F * D, P),
        Lang.Eq(G, (n + 1) * F),
    ]
    joined = prove_identity(Lang.Eq(G * A, (x + y) * P), given)
    grown = T.apply(kernel.assume(f_step), [n], prove_order(Lang.Lt(n, limit), [more]))
    grown = _same_sums(grown, Lang.Eq(f(n + 1), (n + 1) * f(n)))
    power = Lang.power(x + y, n)
    values = [large, down, up, small, power, f(n), f(n + 1)]
    found = kernel.specialise(joined, dict(zip(names, values, strict=True)))
    found = T.discharge(found, parts, rising, falling, grown)
    raised = prove_identity(Lang.Eq(Lang.power(x + y, n + 1), (x + y) * power))
    name = T.real("P")
    step = kernel.leibniz(found, Lang.Eq(found.conclusion.args[0], name), name, raised.conclusion)
    step = T.discharge(step, raised)
    goal = substitute(claim(n), {n: n + 1})
    held = Lang.Implies(Lang.Le(n, limit), claim(n))
    known = kernel.modus(kernel.assume(held), prove_order(Lang.Le(n, limit), [more]))
    step = T.implication(T.discharge(_same_sums(step, goal), known), more)
    start = T.implication(base, Lang.Le(0, limit))
    whole = kernel.induct(n, held, start, step)
    return kernel.modus(kernel.specialise(whole, {n: limit}), prove_order(Lang.Le(limit, limit)))


def _same_sums(found: Theorem, goal: Node) -> Theorem:
    """The theorem as the goal writes it."""
    if kernel.same(found.conclusion, goal):
        return found
    return T.discharge(prove_identity(goal, [found.conclusion]), found)


def _powers(theorem: Theorem, name: str, base: Node) -> Theorem:
    """The sequence of that name is the powers of the base."""
    at, j = T.real("at"), T.natural("j")
    found = kernel.realise(theorem, name, at, Lang.power(base, at))
    start = prove_identity(Lang.Eq(Lang.power(base, Lang.num(0)), Lang.num(1)))
    step = prove_identity(Lang.Eq(Lang.power(base, j + 1), base * Lang.power(base, j)))
    return T.discharge(found, start, T.generalise(step, j))


#: The sequences that stand for the powers of the four numbers in a bracket.
STAND_INS = ("X'", "Z'", "Y'", "W'")


def _bracket(tree: Node, *linear: Any) -> Theorem:
    """FACTORIALS |- a bracket, given as it is written, is (x' y + z' w)^n."""
    x, z, y, w = (node(part) for part in linear)
    goal = Lang.Eq(tree, Lang.power(x * y + z * w, node(statements.n)))
    names = dict(zip((x, z, y, w), STAND_INS, strict=True))

    def stand_in(tree: Node) -> Node | None:
        if tree.head == "power" and tree.args[0] in names:
            return Lang.sequence(names[tree.args[0]], tree.args[1])
        return None

    at = T.real("at")
    theorem = _binomial()
    for name, pair in (("X", ("X'", "Y'")), ("Y", ("Z'", "W'"))):
        first, second = (Lang.sequence(part, at) for part in pair)
        theorem = kernel.realise(theorem, name, at, first * second)
    theorem = kernel.specialise(theorem, {T.real("x"): x * y, T.real("y"): z * w})
    j = T.natural("j")
    for (one, first), (other, second) in (((x, "X'"), (y, "Y'")), ((z, "Z'"), (w, "W'"))):
        rules = [_rules(first, one), _rules(second, other)]
        start = Lang.Eq(
            Lang.sequence(first, Lang.num(0)) * Lang.sequence(second, Lang.num(0)), Lang.num(1)
        )
        begin = prove_identity(start, [rule[0] for rule in rules])
        steps = [T.apply(kernel.assume(rule[1]), [j]) for rule in rules]
        grown = Lang.Eq(
            Lang.sequence(first, j + 1) * Lang.sequence(second, j + 1),
            one * other * (Lang.sequence(first, j) * Lang.sequence(second, j)),
        )
        step = T.discharge(prove_identity(grown, [s.conclusion for s in steps]), *steps)
        theorem = T.discharge(theorem, begin, T.generalise(step, j))
    abstract = _replaced(goal, stand_in)
    found = T.discharge(prove_identity(abstract, [theorem.conclusion]), theorem)
    for base, name in names.items():
        found = _powers(found, name, base)
    return T.unpack(found, statements.FACTORIALS)


@control(
    "unweighed",
    {"d": 2, "x'": 1, "z'": 1, "y": 1, "w": 1, "f": (1, 1, 2), "j": 0},
    weight=lambda degree, index: 1,
)
@proves(ALL_DEGREES, "bracket_of_powers", "every l")
def bracket_of_powers(of: AllDegrees) -> Theorem:
    """The binomial theorem for x' y and z' w."""
    premise, goal = T.inner(statements.bracket_of_powers(of)).args
    found = _bracket(goal.args[0], *statements.LINEAR)
    found = _chained(goal, prove_identity(Lang.Eq(0, 0)), found)
    return T.implication(found, premise)


@lru_cache
def _power_of_product() -> Theorem:
    """(x y)^n = x^n y^n."""
    x, y, n = T.real("x"), T.real("y"), T.natural("n")
    goal = Lang.Eq(Lang.power(x * y, n), Lang.power(x, n) * Lang.power(y, n))
    return prove_by_induction(n, goal)


def _chained(goal: Node, lemma: Theorem, *facts: Theorem) -> Theorem:
    """The goal with both sums known: `lemma` joins what they are equal to.

    The sums are kept as they are, so that no power of theirs is taken apart.
    """
    sums = {fact.conclusion.args[0]: T.real(f"S{i}") for i, fact in enumerate(facts)}

    def named(tree: Node) -> Node | None:
        return sums.get(tree)

    plain = _replaced(goal, named)
    given = [_replaced(fact.conclusion, named) for fact in facts]
    found = prove_identity(plain, [*given, lemma.conclusion])
    found = kernel.specialise(found, {name: tree for tree, name in sums.items()})
    return T.discharge(found, lemma, *facts)


CONJUGATION_LEFT_OUT = {
    "d": 1, "a": 2, "a'": 1, "b": 1, "b'": 1, "x'": 1, "z'": 1, "y": 1, "w": 0, "f": (1, 1), "j": 0,
}  # fmt: skip


@control("not_conjugated", CONJUGATION_LEFT_OUT, conjugate=lambda c: c)
@proves(ALL_DEGREES, "bracket_kept", "every l")
def bracket_kept(of: AllDegrees) -> Theorem:
    """The case 2l = 1, raised to the power n."""
    x, z, y, w = statements.LINEAR
    premise, goal = T.inner(statements.bracket_kept(of)).args
    matrix, conjugated = (
        statements.entries_of(of.quaternion(*part))
        for part in (statements.CAYLEY, of.conjugate(statements.CAYLEY))
    )
    first, second = statements.moved(x, z, *conjugated), statements.moved(y, w, *matrix)
    after = _bracket(node(statements.bracket(of.weight, *first, *second)), *first, *second)
    before = _bracket(node(statements.bracket(of.weight, x, z, y, w)), x, z, y, w)
    length, plain = node(statements.norm(*statements.CAYLEY)), node(x * y + z * w)
    lemma = kernel.specialise(
        _power_of_product(),
        {T.real("x"): length, T.real("y"): plain, T.natural("n"): node(statements.n)},
    )
    found = _chained(goal, lemma, after, before)
    return T.implication(T.unpack(found, premise), premise)


@control("not_conjugated", CONJUGATION_LEFT_OUT, conjugate=lambda c: c)
@proves(ALL_DEGREES, "bracket_adjoint", "every l")
def bracket_adjoint(of: AllDegrees) -> Theorem:
    """The case 2l = 1, raised to the power n."""
    x, z, y, w = statements.LINEAR
    premise, goal = T.inner(statements.bracket_adjoint(of)).args
    conjugated = statements.entries_of(of.quaternion(*of.conjugate(statements.CAYLEY)))
    other = statements.entries_of(of.adjoint(*statements.CAYLEY))
    one = (*statements.moved(x, z, *conjugated), y, w)
    two = (x, z, *statements.moved(y, w, *other))
    left, right = (_bracket(node(statements.bracket(of.weight, *at)), *at) for at in (one, two))
    found = _chained(goal, prove_identity(Lang.Eq(0, 0)), left, right)
    return T.implication(T.unpack(found, premise), premise)


@lru_cache
def _power_below_one() -> Theorem:
    """0 < t <= 1 |- 0 <= t^k <= 1."""
    t, k = node(statements.t), T.natural("k")
    small = Lang.Le(t, 1)
    claim = Lang.And(Lang.Le(0, Lang.power(t, k)), Lang.Le(Lang.power(t, k), 1))
    base = T.both(
        prove_nonneg(Lang.Le(0, Lang.power(t, Lang.num(0))), Lang.num(1)),
        prove_nonneg(Lang.Le(Lang.power(t, Lang.num(0)), 1), Lang.num(0)),
    )
    low, high = claim.args
    next_power = Lang.power(t, k + 1)
    step = T.both(
        prove_nonneg(Lang.Le(0, next_power), t * Lang.power(t, k), [low]),
        prove_nonneg(Lang.Le(next_power, 1), T.margin(small) + t * T.margin(high), [small, high]),
    )
    return kernel.induct(k, claim, base, T.unpack(step, claim))


@lru_cache
def _squeezed() -> Theorem:
    """c = 0 if c + t S(t) = 0 for all t > 0, and -B <= S(t) <= B for t <= 1."""
    c, bound, t = T.real("c"), T.real("B"), node(statements.t)

    def S(at: Node) -> Node:
        return Lang.sequence("S", at)

    vanishes = Lang.ForAll(t, Lang.Eq(c + t * S(t), 0))
    between = Lang.And(Lang.Le(-1 * bound, S(t)), Lang.Le(S(t), bound))
    bounded = Lang.ForAll(t, Lang.Implies(Lang.Le(t, 1), between))
    positive = Lang.Le(0, bound)
    sides = (Lang.Lt(c, 0), Lang.Lt(0, c))
    branches = []
    for which, side in ((1, sides[0]), (0, sides[1])):
        size = T.margin(side)
        place = size / (size + bound + 1)
        facts = [side, positive]
        inside = prove_nonneg(Lang.Lt(0, place), place, facts)
        small = prove_nonneg(Lang.Le(place, 1), (bound + 1) / (size + bound + 1), facts)
        zero, limits = (
            T.discharge(
                kernel.instantiate(kernel.weaken(kernel.assume(h), [inside.conclusion]), place),
                inside,
            )
            for h in (vanishes, bounded)
        )
        limit = T.parts(kernel.modus(limits, small))[which]
        form = place * T.margin(limit.conclusion) + size * (size + 1) / (size + bound + 1)
        given = [zero.conclusion, limit.conclusion, *facts]
        excluded = T.discharge(prove_nonneg(Lang.FALSUM, form, given), zero, limit)
        branches.append(T.ex_falso(excluded, Lang.Eq(c, 0)))
    below, above = branches
    return kernel.cases(kernel.trichotomy(c), below, kernel.assume(Lang.Eq(c, 0)), above)


@control("at_one_point", {"d": 1, "k": 0, "c": (1, -1)}, everywhere=lambda claim: claim(1))
@proves(ALL_DEGREES, "spanning", "every l")
def spanning(of: AllDegrees) -> Theorem:
    """c(0) is what is left near 0; then divide by t, and so on."""
    premise, goal = T.inner(statements.spanning(of)).args
    t, k, n, m = node(statements.t), node(statements.k), T.natural("N"), T.natural("m")
    i = T.natural("i")

    def c(at: Node) -> Node:
        return Lang.sequence("c", at)

    def value(size: Node, start: Node) -> Node:
        return Lang.total(k, size, c(k + start) * Lang.power(t, k))

    def claim(size: Node) -> Node:
        nothing = Lang.ForAll(i, Lang.Implies(Lang.Lt(i, size), Lang.Eq(c(i + m), 0)))
        return Lang.ForAll(m, Lang.Implies(Lang.ForAll(t, Lang.Eq(value(size, m), 0)), nothing))

    none = T.ex_falso(T.contradict([Lang.Lt(i, 0)]), Lang.Eq(c(i + m), 0))
    none = T.generalise(T.implication(none, Lang.Lt(i, 0)), i)
    empty = Lang.ForAll(t, Lang.Eq(value(Lang.num(0), m), 0))
    base = T.generalise(T.implication(none, empty), m)

    whole = Lang.ForAll(t, Lang.Eq(value(n + 1, m), 0))
    rest = value(n, m + 1)
    first = _shifted(lambda at: c(at + m) * Lang.power(t, at), n)
    now = T.apply(kernel.assume(whole), [t])
    equation = Lang.Eq(c(m) + t * rest, 0)
    split = prove_identity(equation, [first.conclusion, now.conclusion])
    split = T.generalise(T.discharge(split, first, now), t)

    # |S(t)| is at most the sum of 1 + c^2
    square = 1 + c(k + (m + 1)) ** 2
    limit = Lang.total(k, n, square)
    small = Lang.Le(t, 1)
    low, high = T.parts(kernel.specialise(_power_below_one(), {T.natural("k"): k}))
    power, number = Lang.power(t, k), c(k + (m + 1))
    margin = T.margin(high.conclusion) * (1 + power) / 4 + Fraction(3, 4)
    sums = []
    for sign in (-1, 1):
        term = Lang.Le(sign * number * power, square)
        form = (number - Fraction(sign, 2) * power) ** 2 + margin
        found = prove_nonneg(term, form, [low.conclusion, high.conclusion])
        sums.append(kernel.sum_congruence(T.discharge(found, low, high), k, n))
    given = [found.conclusion for found in sums]
    between = T.both(
        prove_order(Lang.Le(-1 * limit, rest), given[:1]),
        prove_order(Lang.Le(rest, limit), given[1:]),
    )
    between = T.generalise(T.implication(T.discharge(between, *sums), small), t)
    not_negative = prove_nonneg(Lang.Le(0, limit), limit)

    at = T.real("at")
    squeezed = kernel.specialise(_squeezed(), {T.real("c"): c(m), T.real("B"): limit})
    shape = substitute(rest, {t: at})
    squeezed = kernel.realise(squeezed, "S", at, shape)
    start = T.discharge(squeezed, split, between, not_negative)

    # the others
    here = T.apply(split, [t])
    left = prove_identity(Lang.Eq(rest, 0), [here.conclusion, start.conclusion])
    left = T.generalise(T.discharge(left, here, start), t)
    later = T.apply(kernel.assume(claim(n)), [m + 1], left)
    ahead = Lang.Lt(i, n + 1)
    some = Lang.Le(1, i)
    before = Lang.Le(0, i - 1)
    inside = prove_order(Lang.Lt(i - 1, n), [ahead])
    weak = kernel.weaken(later, [before])
    member = kernel.modus(kernel.instantiate(weak, i - 1), inside)
    member = T.discharge(member, prove_order(before, [some]))
    wanted = Lang.Eq(c(i + m), 0)
    further = T.discharge(prove_identity(wanted, [member.conclusion]), member)
    below_one = Lang.Lt(i, 1)
    close = kernel.integer_step(kernel.assume(below_one))
    nil = T.discharge(prove_order(Lang.Le(i, 0), [close.conclusion]), close)
    zero = kernel.antisymmetry(nil, prove_nonneg(Lang.Le(0, i), i))
    ground = T.discharge(
        prove_identity(substitute(wanted, {i: Lang.num(0)}), [start.conclusion]), start
    )
    initial = T.transport(wanted, i, zero, ground)
    reached = T.compare(i, Lang.num(1), initial, further)
    step = T.generalise(T.implication(reached, ahead), i)
    step = T.generalise(T.implication(step, whole), m)
    induction = kernel.induct(n, claim(n), base, step)

    # m = 0
    d = node(statements.n)
    final = kernel.specialise(induction, {n: d + 1})
    told = T.apply(kernel.assume(premise), [t])
    moved = prove_identity(Lang.Eq(value(d + 1, Lang.num(0)), 0), [told.conclusion])
    moved = T.generalise(T.discharge(moved, told), t)
    final = T.apply(final, [0], moved)
    inside = Lang.Le(k, d)
    each = T.apply(final, [k], prove_order(Lang.Lt(k, d + 1), [inside]))
    bound, body = goal.args
    result = T.discharge(prove_identity(body.args[1], [each.conclusion]), each)
    result = T.generalise(T.implication(result, inside), k)
    return T.implication(result, premise)
