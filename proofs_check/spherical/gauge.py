"""Proofs of `theory.spherical.gauge`: one function a clause, named after it."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

import sympy

from posproof.proofs_check import kernel
from posproof.proofs_check import language as L
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.search import (
    prove_by_induction,
    prove_by_substitution,
    prove_each,
    prove_identity,
    prove_nonneg,
    prove_same,
)
from posproof.theory.spherical.gauge import (
    BEARINGS,
    CHANNELS,
    CURVATURE,
    GAUGE_PHASE,
    PAIRS,
    SIDES,
    B,
    B_y,
    Gauge,
    Rotation,
    a,
    a_bar,
    about_y,
    about_z,
    beta,
    channel,
    east,
    h,
    half_side,
    j,
    j_bar,
    k,
    moduli,
    n,
    north,
    phased,
    phi,
    phi_y,
    place,
    point,
    reached,
    rho,
    theta,
    theta_y,
    unsigned,
    volume,
    w,
)
from posproof.theory.vocabulary import Eq, control, proves


def _by_algebra(claim: Any, clause: str, of: Gauge) -> Theorem:
    """Each equation of a clause from the non-equations it assumes."""
    premises, goal = T.opened(T.stated(claim, clause, of))
    return prove_each(goal, lambda part: prove_identity(part, premises))


def _opposite_sign(g: Rotation, zeta: Any) -> Any:
    return g.a + g.b_bar * zeta


def _one_factor(k: int, twice: int, j: Any, j_bar: Any) -> Any:
    return j**twice


def _half_turned(g: Rotation, zeta: Any) -> Any:
    return g.b - g.a_bar * zeta


ONE_ROW = {"k": 1, "h": 1, "j": 2, "j'": Fraction(1, 2), "rho": 1}


@control("sign_of_the_factor", factor=_opposite_sign)
@control("sign_of_the_image", numerator=_half_turned)
@proves(GAUGE_PHASE, "automorphy")
def automorphy(of: Gauge) -> Theorem:
    """Two matrices of rational functions."""
    return _by_algebra(GAUGE_PHASE, "automorphy", of)


@control("one_factor_for_all_rows", weight=_one_factor)
@control("sign_of_the_factor", factor=_opposite_sign)
@proves(GAUGE_PHASE, "degrees", "2l = 1, .., 4")
def degrees(of: Gauge) -> Theorem:
    """Matrices of rational functions of six variables."""
    return _by_algebra(GAUGE_PHASE, "degrees", of)


@control("sign_of_the_factor", factor=_opposite_sign)
@proves(GAUGE_PHASE, "every_degree")
def every_degree(of: Gauge) -> Theorem:
    """Both sides are powers of one linear form."""
    return _by_algebra(GAUGE_PHASE, "every_degree", of)


@control("one_factor_for_all_rows", ONE_ROW, weight=_one_factor)
@proves(GAUGE_PHASE, "phase")
def phase(of: Gauge) -> Theorem:
    """j'^h j^h = r^(2 h) and (j / r)^h r^h = j^h by induction; what is left are powers."""
    premises, goal = T.opened(T.stated(GAUGE_PHASE, "phase", of))

    def power(left: Any, right: Any, name: Any) -> Theorem:
        return prove_by_induction(name, L.Eq(T.node(left), T.node(right)), premises)

    lemmas = [
        power(j_bar**h * j**h, rho ** (2 * h), h),
        power((j / rho) ** h * rho**h, j**h, h),
        power((j / rho) ** k * rho**k, j**k, k),
    ]
    return T.discharge(prove_identity(goal, [*premises, *(p.conclusion for p in lemmas)]), *lemmas)


@control("whole_angle", half=lambda chi: chi)
@control("opposite_turn", half=lambda chi: -chi / 2)
@proves(GAUGE_PHASE, "angle")
def angle(of: Gauge) -> Theorem:
    """Double angles."""
    return _by_algebra(GAUGE_PHASE, "angle", of)


@control("south_gauge", point=lambda p, q: point(p, -q))
@proves(GAUGE_PHASE, "lift")
def lift(of: Gauge) -> Theorem:
    """A column, and nine entries of degree four."""
    column, rotation = T.node(T.stated(GAUGE_PHASE, "lift", of)).args
    return T.both(
        *(
            T.generalise(prove_identity(T.inner(part)), *T.outer(part))
            for part in (column, rotation)
        )
    )


@control("sign_of_the_factor", factor=_opposite_sign)
@control("sign_of_the_image", numerator=_half_turned)
@proves(GAUGE_PHASE, "cocycle")
def cocycle(of: Gauge) -> Theorem:
    """The first row of a product of matrices."""
    matrices, chain = T.inner(T.stated(GAUGE_PHASE, "cocycle", of)).args
    premise, factors = chain.args
    follows = T.implication(prove_identity(factors, [premise]), premise)
    return T.both(prove_identity(matrices), follows)


@control("sum_for_difference", difference=lambda zeta, eta: eta + zeta)
@control("sign_of_the_product", inner=lambda zeta_bar, eta: 1 - zeta_bar * eta)
@proves(GAUGE_PHASE, "relative")
def relative(of: Gauge) -> Theorem:
    """One product of matrices."""
    return _by_algebra(GAUGE_PHASE, "relative", of)


@control("sum_for_difference", difference=lambda zeta, eta: eta + zeta)
@control("sign_of_the_product", inner=lambda zeta_bar, eta: 1 - zeta_bar * eta)
@proves(GAUGE_PHASE, "score", "2l = 1, .., 4")
def score(of: Gauge) -> Theorem:
    """Matrices of polynomials in four variables."""
    return _by_algebra(GAUGE_PHASE, "score", of)


@control("sign_of_the_product", inner=lambda zeta_bar, eta: 1 - zeta_bar * eta)
@proves(GAUGE_PHASE, "coherent", "every l; the entry of T itself for 2l = 1, .., 4")
def coherent(of: Gauge) -> Theorem:
    """The image of u^(2l) at (u, v) = (1, 0)."""
    return _by_algebra(GAUGE_PHASE, "coherent", of)


@control("sign_of_the_product", inner=lambda zeta_bar, eta: 1 - zeta_bar * eta)
@control("sign_of_the_factor", factor=_opposite_sign)
@proves(GAUGE_PHASE, "covariance")
def covariance(of: Gauge) -> Theorem:
    """A rational function of six variables."""
    return _by_algebra(GAUGE_PHASE, "covariance", of)


# ---------------------------------------------------------------------- spherical.curvature
def _mirrored(x: Any, y: Any, z: Any) -> Any:
    return -volume(x, y, z)


def _no_phase(unit: Any, twice_m: int) -> Any:
    return 1


@control("sign_of_the_determinant", volume=_mirrored)
@proves(CURVATURE, "area")
def area(of: Gauge) -> Theorem:
    """Rational functions of six real variables."""
    return _by_algebra(CURVATURE, "area", of)


AT_SIDE = {"a": 4, "a'": 1, "b": 1, "b'": 1, "r_1": 2, "t_1": 1}
AT_SIDES = {
    name: value
    for i in (1, 2, 3)
    for name, value in {f"a_{i}": 4, f"a'_{i}": 1, f"b_{i}": 1, f"b'_{i}": 1}.items()
} | {f"{name}_{i}": value for i in (1, 2, 3) for name, value in {"r": 2, "t": 1}.items()}


@control("phase_omitted", AT_SIDE, share=_no_phase)
@proves(CURVATURE, "diagonal", "2l = 1, .., 4")
def diagonal(of: Gauge) -> Theorem:
    """A diagonal entry is a power of a times a polynomial in |a|^2 and |b|^2."""
    return _by_algebra(CURVATURE, "diagonal", of)


#: m = 1/2 and h = 0, a = 4, a' = 1.
ONE_TERM = {"n": 1, "h": 0, "a": 4, "a'": 1, "rho": 2, "w": 1}


@control("phase_omitted", ONE_TERM, share=_no_phase)
@proves(CURVATURE, "every_channel", "every l and m >= 0")
def every_channel(of: Gauge) -> Theorem:
    """a^s a'^s = |a|^(2 s) by induction, for each term of the sum."""
    premises, goal = T.opened(T.stated(CURVATURE, "every_channel", of))
    paired = prove_by_induction(k, L.Eq(T.node(a**k * a_bar**k), T.node(rho ** (2 * k))), premises)
    term = w(k) * a ** (n + k) * a_bar**k
    value = w(k) * a**n * rho ** (2 * k)
    each = T.discharge(prove_identity(Eq(term, value), [paired.conclusion]), paired)
    summed = kernel.sum_congruence(each, T.node(k), T.node(h + 1))
    return T.discharge(prove_identity(goal, [summed.conclusion]), summed)


AT_CORNERS = {
    **{name: 1 for name in AT_SIDES if name[0] in "ab"},
    **{"e_x": 2, "e'_x": Fraction(1, 2), "e_y": 1, "e'_y": 1, "e_z": 1, "e'_z": 1},
}


@lru_cache
def _three_products() -> Theorem:
    """S_i R_i = A_i D_i for i = 1, 2, 3 |- the product of the three equations."""
    sides = [[T.real(f"{name}_{i}") for name in "SRAD"] for i in (1, 2, 3)]
    given = [L.Eq(one[0] * one[1], one[2] * one[3]) for one in sides]
    scores, lengths, phases, cosines = ((x * y) * z for x, y, z in zip(*sides, strict=True))
    return prove_identity(L.Eq(scores * lengths, phases * cosines), given)


@control("phase_omitted", AT_SIDES, share=_no_phase)
@proves(CURVATURE, "cycle", "2l = 1, .., 4")
def cycle(of: Gauge) -> Theorem:
    """The clause `diagonal` for each side, multiplied together."""
    _, goal = T.opened(T.stated(CURVATURE, "cycle", of))
    proofs = []
    for at, equation in zip(CHANNELS, goal.args, strict=True):
        values: dict[L.Node, L.Node] = {}
        lemmas = []
        for i, (side, (r, t)) in enumerate(zip(SIDES, PAIRS, strict=True), 1):
            given = T.conjuncts(moduli(side, r, t))
            scale, phase = phased(of, *at, (side.a, side.a_bar), r)
            terms = channel(of, *at, side), scale, phase, unsigned(of, *at, r, t)
            nodes = [T.node(term) for term in terms]
            values |= {
                T.real(f"{name}_{i}"): term for name, term in zip("SRAD", nodes, strict=True)
            }
            lemmas.append(prove_identity(L.Eq(nodes[0] * nodes[1], nodes[2] * nodes[3]), given))
        product = T.discharge(kernel.specialise(_three_products(), values), *lemmas)
        proofs.append(T.discharge(prove_same(equation, product.conclusion), product))
    return T.both(*proofs)


@control("turned_twice", AT_CORNERS, undone=lambda e, e_bar: (e, e_bar))
@proves(CURVATURE, "sections", "2l = 1, .., 4")
def sections(of: Gauge) -> Theorem:
    """Every phase meets its inverse."""
    return _by_algebra(CURVATURE, "sections", of)


@control("sum_for_difference", difference=lambda zeta, eta: eta + zeta)
@proves(CURVATURE, "flat")
def flat(of: Gauge) -> Theorem:
    """The phases cancel in a cycle."""
    return _by_algebra(CURVATURE, "flat", of)


DIAGONAL = L.cos(L.pi * Fraction(1, 4))
BELOW = {"c": DIAGONAL, "rho": 2 * DIAGONAL, "Omega": L.pi * Fraction(-1, 2)}


@control("sign_of_the_determinant", BELOW, volume=_mirrored)
@proves(CURVATURE, "octant")
def octant(of: Gauge) -> Theorem:
    """rho^2 = 2, hence c rho = 1, and multiples of half the area."""
    premises, goal = T.opened(T.stated(CURVATURE, "octant", of))
    product, positive = T.node(half_side * rho), T.node(half_side * rho + 1)
    nonzero = L.Ne(positive, 0)
    one = prove_identity(L.Eq(product, 1), [*premises, nonzero])
    above = prove_nonneg(L.Lt(0, positive), positive)
    never = T.contradict([above.conclusion, L.Eq(positive, 0)])
    one = T.discharge(one, T.conclude_not(T.discharge(never, above), L.Eq(positive, 0)))
    facts = [*premises, one.conclusion]
    return T.both(*(T.discharge(prove_identity(part, facts), one) for part in goal.args))


# ---------------------------------------------------------------------- spherical.bearings
def _exchanged(out: Any, back: Any) -> tuple[Any, Any]:
    return sympy.pi - back, out


def _from_south(out: Any, back: Any) -> tuple[Any, Any]:
    return out, back


@control("opposite_turn", about_z=lambda angle: about_z(-angle))
@proves(BEARINGS, "frame")
def frame(of: Gauge) -> Theorem:
    """Entries of the section, and derivatives of the point."""
    section, *derivatives = T.inner(T.stated(BEARINGS, "frame", of)).args
    return T.both(
        prove_identity(section), *(prove_each(part, prove_identity) for part in derivatives)
    )


@control("opposite_turn", about_y=lambda angle: about_y(-angle))
@proves(BEARINGS, "columns")
def columns(of: Gauge) -> Theorem:
    """Products of three rotations."""
    return _by_algebra(BEARINGS, "columns", of)


@lru_cache
def _seen() -> Theorem:
    """y = sigma v |- sigma^T y = v for the components y_0, y_1, y_2 of a point."""
    names = [T.real(f"y_{i}") for i in range(3)]
    target = [T.node(x) for x in reached(theta, phi, beta, B)]
    frame = [-north(theta, phi), east(theta, phi), place(theta, phi)]
    local = [-sympy.cos(B) * sympy.sin(beta), sympy.sin(B) * sympy.sin(beta), sympy.cos(beta)]
    given = [L.Eq(name, value) for name, value in zip(names, target, strict=True)]
    proofs = []
    for axis, value in zip(frame, local, strict=True):
        first, *others = (T.node(x) * y for x, y in zip(axis, names, strict=True))
        for other in others:
            first = first + other
        proofs.append(prove_by_substitution(L.Eq(first, T.node(value)), given))
    return T.both(*proofs)


@lru_cache
def _pair() -> Theorem:
    """p = q C - u S^2, q = p C - v S^2, C^2 + S^2 = 1, S != 0 |- p = -v C - u."""
    p, q, C, S, u, v = (T.real(name) for name in ("p", "q", "C", "S", "u", "v"))
    given = [L.Eq(p, q * C - u * S**2), L.Eq(q, p * C - v * S**2), L.Eq(C**2 + S**2, 1)]
    return prove_identity(L.Eq(p, -v * C - u), [*given, L.Ne(S, 0)])


@lru_cache
def _from_axes() -> list[list[Theorem]]:
    """The entries of a rotation matrix from its last row and column, where they do not vanish."""
    m = [[T.real(f"m_{i}{k}") for k in range(3)] for i in range(3)]
    c, s = sympy.cos, sympy.sin
    C, S = T.node(c(beta)), T.node(s(beta))
    out, back = [-c(B), s(B)], [-c(B_y), s(B_y)]
    known = [L.Eq(m[i][2], T.node(out[i] * s(beta))) for i in range(2)]
    known += [L.Eq(m[2][k], T.node(back[k] * s(beta))) for k in range(2)]
    known.append(L.Eq(m[2][2], C))
    circle = prove_identity(L.Eq(C**2 + S**2, 1))

    def entry(i: int, k: int) -> Theorem:
        sign = 1 if i == k else -1
        other = m[1 - i][1 - k] if sign == 1 else -m[1 - i][1 - k]
        u, v = (
            T.node(sign * out[1 - i] * back[1 - k]),
            T.node(out[i] * back[k]),
        )
        at = {"p": m[i][k], "q": other, "C": C, "S": S, "u": u, "v": v}
        solved = kernel.specialise(_pair(), {T.real(name): value for name, value in at.items()})
        lines = L.Eq(m[i][k], other * C - u * S**2), L.Eq(other, m[i][k] * C - v * S**2)
        lemmas = [
            prove_by_substitution(line, [_cofactor(m, *place), *known])
            for line, place in zip(lines, ((i, k), (1 - i, 1 - k)), strict=True)
        ]
        return T.discharge(solved, *lemmas, circle)

    return [[entry(i, k) for k in range(2)] for i in range(2)]


def _cofactor(m: Any, i: int, k: int) -> L.Node:
    """An entry of a rotation matrix is its cofactor."""
    (a, b), (x, y) = ((i + 1) % 3, (i + 2) % 3), ((k + 1) % 3, (k + 2) % 3)
    return L.Eq(m[i][k], m[a][x] * m[b][y] - m[a][y] * m[b][x])


#: Two points of the equator, a quarter turn apart.
QUARTER = L.pi * Fraction(1, 2)
ON_EQUATOR = {
    **{"theta": QUARTER, "phi": 0, "theta_y": QUARTER, "phi_y": QUARTER},
    **{"beta": QUARTER, "B": QUARTER, "B_y": L.pi * Fraction(3, 2)},
}
#: A point of the equator, and one due north of it.
NORTHWARD = {
    **{"theta": QUARTER, "phi": 0, "theta_y": L.pi * Fraction(1, 4), "phi_y": 0},
    **{"beta": L.pi * Fraction(1, 4), "B": 0, "B_y": L.pi},
}


@control("bearings_exchanged", ON_EQUATOR, outer_angles=_exchanged)
@control("bearing_from_the_south", NORTHWARD, outer_angles=_from_south)
@proves(BEARINGS, "angles")
def angles(of: Gauge) -> Theorem:
    """Last row and column are the two points as seen from each other; cofactors give the rest."""
    premises, goal = T.opened(T.stated(BEARINGS, "angles", of))
    there, back = premises[:3], premises[3:6]
    m = [[goal.args[3 * i + k].args[0] for k in range(3)] for i in range(3)]
    names = [T.real(f"y_{i}") for i in range(3)]
    swap = dict(zip([theta, phi, B], [theta_y, phi_y, B_y], strict=True))
    seen = []
    for points, renaming in ((there, {}), (back, swap)):
        lemma = kernel.specialise(_seen(), {T.node(x): T.node(y) for x, y in renaming.items()})
        at = {name: fact.args[0] for name, fact in zip(names, points, strict=True)}
        seen.append(T.parts(kernel.specialise(lemma, at)))
    entries: dict[tuple[int, int], Theorem] = {}
    for i in range(3):
        entries[i, 2] = _put(m[i][2], seen[0][i])
        entries[2, i] = entries[i, 2] if i == 2 else _put(m[2][i], seen[1][i])
    every = {T.real(f"m_{i}{k}"): m[i][k] for i in range(3) for k in range(3)}
    for i, row in enumerate(_from_axes()):
        for column, lemma in enumerate(row):
            ends = (i, column), (1 - i, 1 - column)
            cofactors = [prove_identity(_cofactor(m, *at)) for at in ends]
            known = kernel.specialise(lemma, every)
            entries[i, column] = T.discharge(known, *entries.values(), *cofactors)
    proofs = []
    for where, part in enumerate(goal.args):
        found = entries[divmod(where, 3)]
        proofs.append(T.discharge(prove_same(part, found.conclusion), found))
    return T.both(*proofs)


def _put(left: L.Node, theorem: Theorem) -> Theorem:
    """The theorem with a left side of the same value."""
    goal = L.Eq(left, theorem.conclusion.args[1])
    return T.discharge(prove_same(goal, theorem.conclusion), theorem)


def _no_sign(m: int) -> int:
    return 1


@control("sign_lost", sign=_no_sign)
@proves(BEARINGS, "score", "l = 1, 2")
def score_of_bearings(of: Gauge) -> Theorem:
    """Every entry is one monomial of phases times an entry of d."""
    return _by_algebra(BEARINGS, "score", of)
