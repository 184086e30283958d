"""Proofs of `theory.spherical.torus`: one function a clause, named after it."""

from __future__ import annotations

from typing import Any

import sympy

from posproof.proofs_check import kernel
from posproof.proofs_check import language as Lang
from posproof.proofs_check import tactics as T
from posproof.proofs_check.binomials import power_of_product, shifted
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Node
from posproof.proofs_check.search import (
    prove_by_induction,
    prove_identity,
    prove_nonneg,
    prove_order,
)
from posproof.proofs_check.translate import node
from posproof.theory.spherical import torus as statements
from posproof.theory.spherical.representations import Complex, Quaternion
from posproof.theory.spherical.torus import (
    GENERATORS,
    MAXIMAL_TORUS,
    Generators,
    Torus,
)
from posproof.theory.symbols import total
from posproof.theory.vocabulary import Eq, Le, control, proves


# ---------------------------------------------------------------------- spherical.maximal_torus
def _half_speed(angle: Any) -> Quaternion:
    return statements.around(angle / 2)


@control("half_speed", around=_half_speed)
@proves(MAXIMAL_TORUS, "restriction", "2l = 1 .. 6")
def restriction(of: Torus) -> Theorem:
    """b = 0 leaves the diagonal a^k a'^(2l - k)."""
    return T.prove_tree(statements.restriction(of))


def _wave(angle: Any) -> sympy.ImmutableMatrix:
    c, s = sympy.cos(angle), sympy.sin(angle)
    return sympy.ImmutableMatrix([[c, s], [-s, c]])


@control("half_angle_forgotten", turning=lambda angle: statements.turning(2 * angle))
@proves(MAXIMAL_TORUS, "every_degree", "every l")
def every_degree(of: Torus) -> Theorem:
    """Powers of products, and powers of rotations of the plane, by induction."""
    first, second = node(statements.every_degree(of)).args
    image = T.inner(first)
    x, y, n = T.real("x"), T.real("y"), T.natural("n")
    lemmas = [
        kernel.specialise(power_of_product(), {x: node(one), y: node(other), n: node(power)})
        for one, other, power in (
            (statements.a, statements.u, statements.k),
            (statements.a_bar, statements.v, statements.j),
        )
    ]
    one = T.discharge(prove_identity(image, [h.conclusion for h in lemmas]), *lemmas)
    powers = T.inner(second)
    half, k, j = of.turning(statements.phi / 2), statements.k, statements.j
    sides = [
        prove_by_induction(at, Eq(sympy.MatPow(matrix, at), _wave(order)))
        for matrix, at, order in (
            (half, k, k * statements.phi / 2),
            (half.T, j, -j * statements.phi / 2),
        )
    ]
    other = T.discharge(prove_identity(powers, [h.conclusion for h in sides]), *sides)
    return T.both(
        T.generalise(one, *T.outer(first)),
        T.generalise(other, *T.outer(second)),
    )


def _opposite_wave(twice: int, angle: Any) -> Complex:
    return statements.waves(twice, -angle)


@control("opposite_frequencies", waves=_opposite_wave)
@proves(MAXIMAL_TORUS, "latitude", "l = 1/2, 1; arbitrary complex queries and keys")
def latitude(of: Torus) -> Theorem:
    """Both sides expanded."""
    return T.prove_tree(statements.latitude(of))


def _one_more(spin: Any, top: Any, order: Any) -> Any:
    return total(statements.j, top - order, spin(order + statements.j))


@control("last_spin_left_out", spins=_one_more)
@proves(MAXIMAL_TORUS, "occurring", "integer or half-integer spins, every l and L")
def occurring(of: Torus) -> Theorem:
    """The sums for m and m + 1 differ by their first term."""
    falls, first = T.inner(statements.occurring(of)).args
    m, spin = node(statements.m), statements.spin

    def copies(at: Node) -> Node:
        return Lang.sequence(spin.__name__, m + at, spin.domain)

    apart = shifted(copies, node(statements.r))
    fact = apart.conclusion
    low = prove_nonneg(falls, spin(statements.m), [fact])
    return T.discharge(T.both(low, prove_identity(first, [fact])), apart)


def _difference_of_two(weights: Any, spin: Any) -> Any:
    return weights(spin) - weights(spin + 2)


@control(
    "a_step_of_two", {"m": 0, "r": 1, "k": 0, "mu": (2, 1, 0, 0)}, multiplicity=_difference_of_two
)
@proves(MAXIMAL_TORUS, "realised", "every mu that falls outwards and ends")
def realised(of: Torus) -> Theorem:
    """The sum telescopes."""
    m, r, j, mu = statements.m, statements.r, statements.j, statements.weights
    premise, goal = T.inner(statements.realised(of)).args
    falls, ends = premise.args
    low, whole = goal.args
    here = T.apply(kernel.assume(falls), [m], prove_order(Le(m, m + r)))
    sum_of = total(j, r + 1, of.multiplicity(mu, m + j))
    telescope = prove_by_induction(r, Eq(sum_of, mu(m) - mu(m + r + 1)))
    found = T.both(
        T.discharge(prove_order(low, [here.conclusion]), here),
        T.discharge(prove_identity(whole, [telescope.conclusion, ends]), telescope),
    )
    return T.implication(T.unpack(found, premise), premise)


@control("growing", {"b": 2, "t": 1}, power=lambda b, t: sympy.exp(t * sympy.log(b)))
@proves(MAXIMAL_TORUS, "vanilla", "every base b > 1 and t > 0")
def vanilla(of: Torus) -> Theorem:
    """log b > 0, because b = exp(log b) would be at most exp(0) = 1 otherwise."""
    t = node(statements.t)
    premise, goal = T.inner(statements.vanilla(of)).args
    positive, small = goal.args
    exponent, log = node(-statements.t * sympy.log(statements.b)), node(sympy.log(statements.b))
    above = Lang.Lt(0, log)
    strict, _ = T.parts(T.apply(T.exponential_rises(), [exponent, 0]))
    _, weak = T.parts(T.apply(T.exponential_rises(), [log, 0]))
    low = Lang.Le(log, 0)
    fall = kernel.modus(weak, kernel.assume(low))
    excluded = T.discharge(T.contradict([premise, fall.conclusion]), fall)
    rises = T.compare(0, log, kernel.assume(above), T.ex_falso(excluded, above))
    negative = prove_nonneg(Lang.Lt(exponent, 0), t * log, [above])
    below = kernel.modus(strict, T.discharge(negative, rises))
    found = T.both(
        prove_nonneg(positive, positive.args[1]),
        T.discharge(prove_nonneg(small, T.margin(below.conclusion), [below.conclusion]), below),
    )
    return T.implication(found, premise)


# ---------------------------------------------------------------------- spherical.generators
def _y_reversed(twice: int) -> tuple[Complex, Complex, Complex]:
    x, y, z = statements.axes(twice)
    return x, Complex(y.real, -y.imag), z


@control("y_reversed", axes=_y_reversed)
@proves(GENERATORS, "commutators", "l = 1/2, 1, 3/2, 2, 3")
def commutators(of: Generators) -> Theorem:
    """Matrices with square roots of integers, multiplied."""
    return T.prove_tree(statements.commutators(of))


@control("l_squared", casimir=lambda spin: spin**2)
@proves(GENERATORS, "casimir", "l = 1/2, 1, 3/2, 2, 3")
def casimir(of: Generators) -> Theorem:
    """Matrices with square roots of integers, multiplied."""
    return T.prove_tree(statements.casimir(of))


def _flat_ladder(twice: int, n_z: Any, n_plus: Any, n_minus: Any) -> Any:
    """n . J with every step of the ladder 1."""
    found = statements.generator(twice, n_z, n_plus, n_minus).as_mutable()
    for i in range(twice):
        found[i + 1, i], found[i, i + 1] = n_minus / 2, n_plus / 2
    return found.as_immutable()


@control("flat_ladder", generator=_flat_ladder)
@proves(GENERATORS, "characteristic", "l = 1/2, 1, 3/2, 2; every n")
def characteristic(of: Generators) -> Theorem:
    """The determinant by minors."""
    return T.prove_tree(statements.characteristic(of))


def _negative_slope(twice: int, p: Any, q: Any, r: Any, s: Any) -> Any:
    """a = w + i z in place of w - i z."""
    return statements.linearised(twice, -p, -q, -r, -s)


@control("a_conjugated", linearised=_negative_slope)
@proves(GENERATORS, "linear_term", "l = 1/2, 1, 3/2, 2, 3; every n")
def linear_term(of: Generators) -> Theorem:
    """T in numbers with e^2 = 0."""
    return T.prove_tree(statements.linear_term(of))


def _not_inverted(a: Any, a_bar: Any, b: Any, b_bar: Any) -> Any:
    return statements.quaternion(a, a_bar, b, b_bar)


@control("not_inverted", adjoint=_not_inverted)
@proves(GENERATORS, "axis_angle", "l = 1/2, 1, 3/2, 2, 3; a, a', b, b' independent")
def axis_angle(of: Generators) -> Theorem:
    """Both sides expanded."""
    return T.prove_tree(statements.axis_angle(of))


@control("half_of_l", steepest=lambda twice: twice / 4)
@proves(GENERATORS, "lipschitz", "every l and delta")
def lipschitz(of: Generators) -> Theorem:
    """2 - 2 cos(m delta) <= (m delta)^2 and m^2 <= l^2, term by term."""
    first, second = node(statements.lipschitz(of)).args
    eigenvalue, bound = T.inner(first), T.inner(second)
    after, limit = bound.args
    index, upper, moved = after.args
    n, delta = node(statements.n), node(statements.delta)
    order = index - n / 2
    square = node(statements.x(statements.k) ** 2 + statements.y(statements.k) ** 2)
    parabola = T.apply(kernel.meaning("cosine_above_parabola"), [order * delta])
    inside = Lang.Le(index, n)
    slope = node(of.steepest(statements.n)) * delta
    form = square * (2 * T.margin(parabola.conclusion) + index * (n - index) * delta**2)
    term = prove_nonneg(Lang.Le(moved, slope**2 * square), form, [parabola.conclusion, inside])
    term = T.discharge(term, parabola)
    close = T.one_apart(index, upper)
    term = T.discharge(term, T.discharge(prove_order(inside, [close.conclusion]), close))
    summed = kernel.sum_congruence(term, index, upper)
    found = T.discharge(prove_order(bound, [summed.conclusion]), summed)
    return T.both(
        T.generalise(prove_identity(eigenvalue), statements.n, statements.k, statements.delta),
        T.generalise(found, statements.n, statements.delta),
    )
