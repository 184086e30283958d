"""Wigner matrices through polynomials: every entry expanded.

Main definitions
----------------
one check a clause

Implementation notes
--------------------
T has integer coefficients, so a clause about it is an identity of polynomials over Q; the only
roots are those of the binomial weights, and they stand outside of T as diagonal matrices.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flint import fmpq_mat
from sympy import ImmutableMatrix

from posproof.proofs_check import kernel
from posproof.proofs_check import language as Lang
from posproof.proofs_check import tactics as T
from posproof.proofs_check.binomials import (
    as_powers,
    binomial,
    no_coefficients,
    polynomial,
    power_of_product,
    power_rules,
)
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Node
from posproof.proofs_check.search import (
    prove_free,
    prove_identity,
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
from posproof.theory.vocabulary import control, proves


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


def _bases(tree: Node) -> dict[Node, Node]:
    """Exponents to what is raised to them."""
    found: dict[Node, Node] = {}

    def collect(part: Node) -> Node | None:
        if part.head == "power":
            found[part.args[1]] = part.args[0]
        return None

    _replaced(tree, collect)
    return found


def _with_bases(tree: Node, bases: Mapping[Node, Node]) -> Node:
    """The tree with other numbers raised to its exponents."""

    def raised(part: Node) -> Node | None:
        if part.head == "power" and part.args[1] in bases:
            return Lang.power(bases[part.args[1]], part.args[1])
        return None

    return _replaced(tree, raised)


@control("order_swapped", product=_later_first)
@proves(ALL_DEGREES, "composition", "every l and every form")
def composition(of: AllDegrees) -> Theorem:
    """The case 2l = 1, raised to the powers k and n - k."""
    left, right = T.inner(statements.composition(of)).args
    index, upper, body = left.args
    here, there = _bases(body), _bases(right.args[2])
    opaque = {exponent: T.real(f"B{i}") for i, exponent in enumerate(there)}

    def hidden(part: Node) -> Node | None:
        return opaque[part.args[1]] if part.head == "power" else None

    one, other = (_replaced(side.args[2], hidden) for side in (left, right))
    values = {opaque[e]: Lang.power(base, e) for e, base in there.items()}
    term = kernel.specialise(prove_identity(Lang.Eq(one, other)), values)
    found = kernel.sum_congruence(term, index, upper)
    hole = T.real("hole")
    for exponent, base in here.items():
        equation = prove_identity(Lang.Eq(base, there[exponent]))
        now = found.conclusion.args[0]
        pattern = Lang.Eq(_with_bases(now, {exponent: hole}), right)
        found = T.discharge(kernel.leibniz(found, pattern, hole, equation.conclusion), equation)
    return found


#: Degree 2 with every number 1; f lists the factorials.
ONES = {"d": 2, "x'": 1, "z'": 1, "y": 1, "w": 1, "f": (1, 1, 2), "j": 0}

#: The sequences that stand for the powers of the four numbers in a bracket.
STAND_INS = ("X'", "Z'", "Y'", "W'")


def _rules_of_products(one: tuple[Node, str], other: tuple[Node, str]) -> tuple[Theorem, Theorem]:
    """The products of the powers of two numbers are the powers of their product."""
    (x, first), (y, second) = one, other
    j, zero = T.natural("j"), Lang.num(0)
    rules = [power_rules(first, x), power_rules(second, y)]

    def product(at: Node) -> Node:
        return Lang.sequence(first, at) * Lang.sequence(second, at)

    begin = prove_identity(Lang.Eq(product(zero), 1), [start for start, _ in rules])
    steps = [T.apply(kernel.assume(step), [j]) for _, step in rules]
    grown = Lang.Eq(product(j + 1), x * y * product(j))
    step = T.discharge(prove_identity(grown, [h.conclusion for h in steps]), *steps)
    return begin, T.generalise(step, j)


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
    begin, grow = node(statements.FACTORIALS).args
    theorem = binomial(begin, grow, node(statements.n))
    for name, pair in (("X", ("X'", "Y'")), ("Y", ("Z'", "W'"))):
        first, second = (Lang.sequence(part, at) for part in pair)
        theorem = kernel.realise(theorem, name, at, first * second)
    theorem = kernel.specialise(theorem, {T.real("x"): x * y, T.real("y"): z * w})
    for left, right in (((x, "X'"), (y, "Y'")), ((z, "Z'"), (w, "W'"))):
        theorem = T.discharge(theorem, *_rules_of_products(left, right))
    abstract = _replaced(goal, stand_in)
    found = T.discharge(prove_identity(abstract, [theorem.conclusion]), theorem)
    for base, name in names.items():
        found = as_powers(found, name, base)
    return T.unpack(found, statements.FACTORIALS)


def _transposed_move(x: Any, z: Any, p: Any, q: Any, r: Any, s: Any) -> tuple[Any, Any]:
    return statements.moved(x, z, p, r, q, s)


def _unweighed_power(x: Any, z: Any) -> Any:
    """Coefficients without the binomials."""
    return x**statements.k * z ** (statements.n - statements.k)


@control("without_binomials", {**ONES, "u": 1, "v": 1}, power_of_linear=_unweighed_power)
@control("transposed", moved=_transposed_move)
@proves(ALL_DEGREES, "linear_powers", "every l")
def linear_powers(of: AllDegrees) -> Theorem:
    """The binomial theorem for x u and z v; both sides expanded."""
    first, second = node(statements.linear_powers(of)).args
    premise, goal = T.inner(first).args
    names = (*statements.LINEAR[:2], statements.u, statements.v)
    found = _bracket(goal.args[0], *names)
    found = T.implication(_chained(goal, prove_identity(Lang.Eq(0, 0)), found), premise)
    moved = T.prove_tree(second)
    return T.both(T.generalise(found, *T.outer(first)), moved)


@control(
    "unweighed",
    ONES,
    weight=lambda degree, index: 1,
)
@proves(ALL_DEGREES, "bracket_of_powers", "every l")
def bracket_of_powers(of: AllDegrees) -> Theorem:
    """The binomial theorem for x' y and z' w."""
    premise, goal = T.inner(statements.bracket_of_powers(of)).args
    found = _bracket(goal.args[0], *statements.LINEAR)
    found = _chained(goal, prove_identity(Lang.Eq(0, 0)), found)
    return T.implication(found, premise)


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
    first, second = of.moved(x, z, *conjugated), of.moved(y, w, *matrix)
    after = _bracket(node(statements.bracket(of.weight, *first, *second)), *first, *second)
    before = _bracket(node(statements.bracket(of.weight, x, z, y, w)), x, z, y, w)
    length, plain = node(statements.norm(*statements.CAYLEY)), node(x * y + z * w)
    lemma = kernel.specialise(
        power_of_product(),
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
    one = (*of.moved(x, z, *conjugated), y, w)
    two = (x, z, *of.moved(y, w, *other))
    left, right = (_bracket(node(statements.bracket(of.weight, *at)), *at) for at in (one, two))
    found = _chained(goal, prove_identity(Lang.Eq(0, 0)), left, right)
    return T.implication(T.unpack(found, premise), premise)


@control("at_one_point", {"d": 1, "k": 0, "c": (1, -1)}, everywhere=lambda claim: claim(1))
@proves(ALL_DEGREES, "spanning", "every l")
def spanning(of: AllDegrees) -> Theorem:
    """A polynomial that vanishes for t > 0 has no coefficients."""
    premise, goal = T.inner(statements.spanning(of)).args
    t, k, d = node(statements.t), node(statements.k), node(statements.n)
    theorem = kernel.specialise(no_coefficients("c"), {T.natural("N"): d + 1})
    told = T.apply(kernel.assume(premise), [t])
    moved = prove_identity(polynomial("c", d + 1, Lang.num(0), t), [told.conclusion])
    moved = T.generalise(T.discharge(moved, told), t)
    theorem = T.apply(theorem, [0], moved)
    inside = Lang.Le(k, d)
    each = T.apply(theorem, [k], prove_order(Lang.Lt(k, d + 1), [inside]))
    vanishes = goal.args[1].args[1]
    found = T.discharge(prove_identity(vanishes, [each.conclusion]), each)
    found = T.generalise(T.implication(found, inside), k)
    return T.implication(found, premise)
