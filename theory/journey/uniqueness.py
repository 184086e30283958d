r"""Why attention scores that keep norms and planes are block rotations.

Main definitions
----------------
rotation(phi)          the rotation of one plane by phi radians
generator(c, m)        J_c, the quarter turn of plane c, on m planes
block_rotation(phis)   the rotation of each plane by its own angle
norm_preserving, toral, cocycle, equivariant    the axioms, for a family P(i, j) on few positions

Main claims
-----------
journey.uniqueness

Conventions
-----------
P(i, j) maps the frame of position j to the frame of position i, and the score is q^T P(i, j) k:
that is bilinearity (B).  The other axioms: N, P^T P = I; T, P commutes with the toral frame, that
is with every J_c; C, P(i, k) P(k, j) = P(i, j) and P(i, i) = I; E, P(i + s, j + s) = P(i, j).
Plane c is made of components 2 c and 2 c + 1.  Positions are integers or vectors of integers,
angles are radians.  A window has the positions 0 .. N - 1 on every axis.

References
----------
none
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

import sympy
from sympy import ImmutableMatrix as Matrix
from sympy import Rational, cos, exp, sin, sqrt

from posproof.theory.symbols import Variable, sequence, variables
from posproof.theory.vocabulary import (
    And,
    Claim,
    Clause,
    Eq,
    Exists,
    ForAll,
    Iff,
    Implies,
    Int,
    Integer,
    Le,
    Not,
    Or,
    Positive,
    Prop,
    Real,
)

Family = Callable[[int, int], Matrix]
Map = Callable[[int, int, Matrix], Matrix]

N = Variable("N", Int(1))
i, j, k = variables("i j k", Int(0))
turns, time = variables("n t", Integer)
delta = Variable("delta", Positive)
alpha, beta, phi, psi, omega, x, y, s, t, a, b, slope = variables(
    "alpha beta phi psi omega x y s t a b lambda", Real
)
q, key, growth = variables("q k u", Real)
phase = sequence("phi")

IDENTITY = Matrix([[1, 0], [0, 1]])
QUARTER = Matrix([[0, -1], [1, 0]])
FLIP = Matrix([[1, 0], [0, -1]])
#: A rotation of infinite order with rational entries, the angle being arctan(4/3), and another.
TURN = Matrix([[Rational(3, 5), Rational(-4, 5)], [Rational(4, 5), Rational(3, 5)]])
OTHER_TURN = Matrix([[Rational(5, 13), Rational(-12, 13)], [Rational(12, 13), Rational(5, 13)]])
#: An orthonormal frame of four dimensions that is not made of the planes (0, 1) and (2, 3).
TILT = Matrix([[1, 2, 2, 0], [2, 1, -2, 0], [2, -2, 1, 0], [0, 0, 0, 3]]) / 3
POSITIONS = range(4)
SAMPLES = tuple(Matrix(2, 1, pair) for pair in ((1, 0), (0, 1), (1, 2)))
LARGEST_PLANES = 4
AXES = (1, 2, 3)


# ---------------------------------------------------------------------- matrices
def rotation(phi: Any) -> Matrix:
    """The rotation of one plane by `phi` radians."""
    return Matrix([[cos(phi), -sin(phi)], [sin(phi), cos(phi)]])


def direct_sum(blocks: Sequence[Matrix]) -> Matrix:
    """Blocks on the diagonal, zeros elsewhere."""
    return Matrix(sympy.diag(*blocks))


def generator(c: int, m: int) -> Matrix:
    """J_c, `(2 m, 2 m)`: a quarter turn of plane c that forgets the other planes."""
    return direct_sum([QUARTER if e == c else 0 * QUARTER for e in range(m)])


def unit(d: int) -> Matrix:
    return Matrix(sympy.eye(d))


@lru_cache(maxsize=256)
def power(matrix: Matrix, exponent: int) -> Matrix:
    """An integer power of an invertible matrix of rationals."""
    return matrix**exponent if exponent >= 0 else matrix.inv() ** (-exponent)


@lru_cache(maxsize=8)
def entries(m: int) -> Matrix:
    """A matrix of arbitrary reals p00, p01, ..., `(2 m, 2 m)`."""
    names = (f"p{row}{column}" for row in range(2 * m) for column in range(2 * m))
    return Matrix(2 * m, 2 * m, variables(" ".join(names), Real))


def angles(m: int) -> tuple[Variable, ...]:
    return variables(" ".join(f"phi{c}" for c in range(m)), Real)


# ---------------------------------------------------------------------- examples
def phase_difference(at_query: Any, at_key: Any) -> Any:
    """The angle of P(i, j) from the phases f_i and f_j."""
    return at_key - at_query


def advance(frequencies: Sequence[Any], displacement: Sequence[Any]) -> Any:
    """The angle of a displacement: the scalar product with the frequencies."""
    return sum((w * step for w, step in zip(frequencies, displacement, strict=True)), 0)


def rotary(i: int, j: int) -> Matrix:
    return power(TURN, j - i)


def damped(i: int, j: int) -> Matrix:
    """Rotations that also shrink: norms are not kept."""
    return power(Rational(9, 10) * TURN, j - i)


def parity(i: int, j: int) -> Matrix:
    """A reflection for each step: no rotation of the plane."""
    return power(FLIP, j - i)


def tilted(i: int, j: int) -> Matrix:
    """Two rotations in planes that are not those of the frame."""
    return TILT * power(direct_sum([TURN, OTHER_TURN]), j - i) * TILT.T


def quadratic(i: int, j: int) -> Matrix:
    """The angle grows with the square of the offset: two steps do not compose."""
    return power(TURN, (j - i) ** 2)


def absolute(i: int, j: int) -> Matrix:
    """The phase of a position is its square: the origin matters."""
    return power(TURN, j**2 - i**2)


def loaded(i: int, j: int, k: Matrix) -> Matrix:
    """The angle grows with the squared length of the vector: not linear."""
    return power(TURN, (j - i) * int((k.T * k)[0])) * k


def second_coordinate(a: Any, b: Any) -> Any:
    """The phase b of the position a + b sqrt(2): additive, and not proportional to it."""
    return b


def shear(t: Any) -> Matrix:
    """G(t): 1 and a Jordan block."""
    return Matrix([[1, 0, 0], [0, 1, t], [0, 0, 1]])


def hyperbolic(u: Any) -> Matrix:
    """The rates exp(u) and exp(-u) in one plane."""
    return Matrix([[exp(u), 0], [0, exp(-u)]])


@dataclass(frozen=True)
class Axioms:
    """The definitions of `journey.uniqueness`; a control replaces one of them."""

    rotation: Callable[[Any], Matrix] = rotation
    generator: Callable[[int, int], Matrix] = generator
    phase_difference: Callable[[Any, Any], Any] = phase_difference
    advance: Callable[[Sequence[Any], Sequence[Any]], Any] = advance
    period: Any = 2 * sympy.pi
    flip: Matrix = FLIP
    loaded: Map = loaded
    damped: Family = damped
    parity: Family = parity
    tilted: Family = tilted
    quadratic: Family = quadratic
    absolute: Family = absolute
    second_coordinate: Callable[[Any, Any], Any] = second_coordinate
    shear: Callable[[Any], Matrix] = shear
    hyperbolic: Callable[[Any], Matrix] = hyperbolic

    def block_rotation(self, phis: Sequence[Any]) -> Matrix:
        """Each plane turned by its own angle."""
        return direct_sum([self.rotation(phi) for phi in phis])


# ---------------------------------------------------------------------- the axioms on few positions
def norm_preserving(P: Family) -> Prop:
    d = P(0, 0).rows
    return And(*(Eq(P(i, j).T * P(i, j), unit(d)) for i, j in product(POSITIONS, repeat=2)))


def toral(of: Axioms, P: Family) -> Prop:
    m = P(0, 0).rows // 2
    frame = [of.generator(c, m) for c in range(m)]
    pairs = product(POSITIONS, POSITIONS, frame)
    return And(*(Eq(J * P(i, j), P(i, j) * J) for i, j, J in pairs))


def cocycle(P: Family) -> Prop:
    starts = (Eq(P(i, i), unit(P(0, 0).rows)) for i in POSITIONS)
    triples = product(POSITIONS, repeat=3)
    return And(*starts, *(Eq(P(i, k) * P(k, j), P(i, j)) for i, j, k in triples))


def equivariant(P: Family) -> Prop:
    pairs = product(POSITIONS[:-1], repeat=2)
    return And(*(Eq(P(i + 1, j + 1), P(i, j)) for i, j in pairs))


def complex_part(block: Matrix) -> Matrix:
    """The matrix a I + b J with the first column of a block: a rotation if a^2 + b^2 = 1."""
    return block[0, 0] * IDENTITY + block[1, 0] * QUARTER


def plane_form(P: Matrix) -> Matrix:
    """The block diagonal matrix whose blocks a_c I + b_c J have the first columns of P's."""
    blocks = (P[2 * c : 2 * c + 2, 2 * c : 2 * c + 2] for c in range(P.rows // 2))
    return direct_sum([complex_part(block) for block in blocks])


def is_block_rotation(P: Matrix) -> Prop:
    lengths = (Eq(P[c, c] ** 2 + P[c + 1, c] ** 2, 1) for c in range(0, P.rows, 2))
    return And(Eq(P, plane_form(P)), *lengths)


def is_rotary(P: Family) -> Prop:
    """P(i, j) is the power j - i of one block rotation."""
    step = P(0, 1)
    pairs = product(POSITIONS, repeat=2)
    powers = (Eq(P(i, j), power(step, j - i)) for i, j in pairs)
    return And(is_block_rotation(step), *powers)


# ---------------------------------------------------------------------- journey.uniqueness
def commutes_with_torus(of: Axioms) -> Prop:
    X = entries(1)
    two_planes = ForAll((alpha, beta), Eq(of.rotation(alpha) * X, X * of.rotation(beta)))
    one_plane = ForAll(alpha, Eq(of.rotation(alpha) * X, X * of.rotation(alpha)))
    J = of.generator(0, 1)
    vanishes = Iff(two_planes, Eq(X, 0 * IDENTITY))
    return ForAll(tuple(X), And(vanishes, Iff(one_plane, Eq(J * X, X * J))))


@lru_cache(maxsize=16)
def forced_premise(of: Axioms, m: int) -> And:
    P = entries(m)
    frame = (Eq(of.generator(c, m) * P, P * of.generator(c, m)) for c in range(m))
    return And(*frame, Eq(P.T * P, unit(2 * m)))


@lru_cache(maxsize=16)
def forced_conclusion(of: Axioms, m: int) -> And:
    P = entries(m)
    return And(is_block_rotation(P), Exists(angles(m), Eq(P, of.block_rotation(angles(m)))))


def forced(of: Axioms) -> Prop:
    def at(m: int) -> Prop:
        return ForAll(tuple(entries(m)), Implies(forced_premise(of, m), forced_conclusion(of, m)))

    return And(*(at(m) for m in range(1, LARGEST_PLANES + 1)))


def sufficient(of: Axioms) -> Prop:
    def at(m: int) -> Prop:
        P = of.block_rotation(angles(m))
        frame = (Eq(of.generator(c, m) * P, P * of.generator(c, m)) for c in range(m))
        return ForAll(angles(m), And(*frame, Eq(P.T * P, unit(2 * m))))

    return And(*(at(m) for m in range(1, LARGEST_PLANES + 1)))


def within(names: Sequence[Variable], body: Prop) -> Prop:
    """For all values of the names below N."""
    for name in reversed(names):
        body = ForAll(name, Implies(Le(name + 1, N), body))
    return body


def pair_phase(i: Any, j: Any) -> Any:
    """The angle of P(i, j) in a window: an arbitrary number for each pair."""
    return phase(N * i + j)


def composition(of: Axioms, i: Any, k: Any, j: Any) -> Prop:
    two = of.rotation(pair_phase(i, k)) * of.rotation(pair_phase(k, j))
    return Eq(two, of.rotation(pair_phase(i, j)))


def from_phases(of: Axioms, i: Any, j: Any) -> Prop:
    angle = of.phase_difference(pair_phase(0, i), pair_phase(0, j))
    return Eq(of.rotation(pair_phase(i, j)), of.rotation(angle))


def composes(of: Axioms) -> Prop:
    return within((i, k, j), composition(of, i, k, j))


def has_phases(of: Axioms) -> Prop:
    return within((i, j), from_phases(of, i, j))


def phases(of: Axioms) -> Prop:
    return ForAll(N, Iff(composes(of), has_phases(of)))


def positions(name: str, axes: int) -> tuple[Variable, ...]:
    return variables(" ".join(f"{name}{axis}" for axis in range(axes)), Int(0))


def offset_phase(displacement: Sequence[Any]) -> Any:
    """The angle of P(i, j) as an arbitrary function of j - i, whose entries are below N in size."""
    axes = len(displacement)
    return phase(sum(step * (2 * N) ** (axes - 1 - a) for a, step in enumerate(displacement)))


def difference(start: Sequence[Any], end: Sequence[Any]) -> list[Any]:
    return [there - here for here, there in zip(start, end, strict=True)]


def axis(a: int, axes: int) -> list[int]:
    return [int(e == a) for e in range(axes)]


Place = Sequence[Any]


def offset_composition(of: Axioms, start: Place, stop: Place, end: Place) -> Prop:
    first, second, both = (
        of.rotation(offset_phase(difference(*pair)))
        for pair in ((start, stop), (stop, end), (start, end))
    )
    return Eq(first * second, both)


def frequencies(axes: int) -> list[Any]:
    """omega_a, the angle of one step along axis a."""
    return [offset_phase(axis(a, axes)) for a in range(axes)]


def proportional(of: Axioms, displacement: Place) -> Prop:
    angle = of.advance(frequencies(len(displacement)), displacement)
    return Eq(of.rotation(offset_phase(displacement)), of.rotation(angle))


def offsets_compose(of: Axioms, axes: int) -> Prop:
    start, stop, end = (positions(name, axes) for name in "ikj")
    return within((*start, *stop, *end), offset_composition(of, start, stop, end))


def is_linear(of: Axioms, axes: int) -> Prop:
    start, end = positions("i", axes), positions("j", axes)
    return within((*start, *end), proportional(of, difference(start, end)))


def linear(of: Axioms) -> Prop:
    return And(*(ForAll(N, Iff(offsets_compose(of, n), is_linear(of, n))) for n in AXES))


def continuous(of: Axioms) -> Prop:
    additive = ForAll((s, t), Eq(of.rotation(phase(s + t)), of.rotation(phase(s) + phase(t))))
    close = And(Le(-delta, t), Le(t, delta))
    near = ForAll(t, Implies(close, And(Le(-1, phase(t)), Le(phase(t), 1))))
    angle = of.advance([phase(delta) / delta], [x])
    linear = ForAll(x, Eq(of.rotation(phase(x)), of.rotation(angle)))
    return ForAll(delta, Implies(And(additive, near), linear))


def modulo(of: Axioms) -> Prop:
    equal = Eq(of.rotation(phi), of.rotation(psi))
    return ForAll((phi, psi), Iff(equal, Exists(turns, Eq(phi, psi + of.period * turns))))


def aliasing(of: Axioms) -> Prop:
    same = Eq(of.rotation((omega + of.period) * time), of.rotation(omega * time))
    return ForAll((omega, time), same)


def orientation(of: Axioms) -> Prop:
    return ForAll(phi, Eq(of.flip * of.rotation(phi) * of.flip, of.rotation(-phi)))


def without_frame(of: Axioms) -> Prop:
    P = entries(1)
    form = complex_part(P)
    kinds = Or(Eq(P, form), Eq(P, form * of.flip))
    return ForAll(tuple(P), Implies(Eq(P.T * P, IDENTITY), kinds))


def parity_blocks(of: Axioms) -> Prop:
    P = entries(1)
    turned = of.rotation(phi) * of.flip * of.rotation(-phi)
    mirror = ForAll(phi, Eq(turned, of.rotation(2 * phi) * of.flip))
    square = ForAll(tuple(P), Implies(Eq(P.T * P, IDENTITY), is_block_rotation(P * P)))
    return And(mirror, square)


def unipotent(of: Axioms) -> Prop:
    query, at_key = Matrix(3, 1, [q, 1, 0]), Matrix(3, 1, [key, 0, slope])
    homomorphism = And(Eq(of.shear(0), unit(3)), Eq(of.shear(s + t), of.shear(s) * of.shear(t)))
    score = (query.T * of.shear(t) * at_key)[0]
    return ForAll((s, t, q, key, slope), And(homomorphism, Eq(score, q * key + slope * t)))


def two_rates(of: Axioms) -> Prop:
    D, H, J = Matrix([[a, 0], [0, b]]), of.hyperbolic(growth), of.generator(0, 1)
    commutes = ForAll((a, b), Iff(Eq(D * J, J * D), Eq(a, b)))
    still = Eq(growth, 0)
    area = Eq(H[0, 0] * H[1, 1], 1)
    neither = And(area, Iff(Eq(H * J, J * H), still), Iff(Eq(H.T * H, IDENTITY), still))
    return And(commutes, ForAll(growth, neither))


def on_vectors(of: Axioms, P: Map) -> dict[str, Prop]:
    """The axioms for maps that need not be linear, on a few vectors of integers."""
    pairs = [(i, j) for i in POSITIONS for j in POSITIONS]
    triples = product(POSITIONS, repeat=3)
    turns = (of.generator(0, 1), TURN)
    columns = {(i, j): Matrix.hstack(*(P(i, j, e) for e in SAMPLES[:2])) for i, j in pairs}
    return {
        "linear": And(*(Eq(P(i, j, v), columns[i, j] * v) for i, j in pairs for v in SAMPLES)),
        "norm": And(*(Eq(P(i, j, v).T * P(i, j, v), v.T * v) for i, j in pairs for v in SAMPLES)),
        "toral": And(
            *(
                Eq(P(i, j, turn * v), turn * P(i, j, v))
                for i, j in pairs
                for v in SAMPLES
                for turn in turns
            )
        ),
        "cocycle": And(
            *(Eq(P(i, k, P(k, j, v)), P(i, j, v)) for i, j, k in triples for v in SAMPLES),
            *(Eq(P(i, i, v), v) for i in POSITIONS for v in SAMPLES),
        ),
        "equivariant": And(
            *(
                Eq(P(i + 1, j + 1, v), P(i, j, v))
                for i, j in product(POSITIONS[:-1], repeat=2)
                for v in SAMPLES
            )
        ),
    }


@lru_cache(maxsize=8)
def drop_bilinear(of: Axioms) -> Prop:
    holds = on_vectors(of, of.loaded)
    bilinear = holds.pop("linear")
    return And(*holds.values(), Not(bilinear))


@lru_cache(maxsize=32)
def only_without(of: Axioms, family: Family, dropped: str) -> Prop:
    """Every axiom holds but the one that is dropped, and P is not rotary."""
    P = lru_cache(maxsize=64)(family)
    axioms = {
        "norm": norm_preserving(P),
        "toral": toral(of, P),
        "cocycle": cocycle(P),
        "equivariant": equivariant(P),
    }
    kept = (axiom for name, axiom in axioms.items() if name != dropped)
    return And(*kept, Not(axioms[dropped]), Not(is_rotary(P)))


def drop_norm(of: Axioms) -> Prop:
    step = of.damped(0, 1)
    shrinks = Eq(step.T * step, Rational(81, 100) * IDENTITY)
    return And(only_without(of, of.damped, "norm"), shrinks)


def drop_toral(of: Axioms) -> Prop:
    families = (of.parity, of.tilted)
    return And(*(only_without(of, family, "toral") for family in families))


def drop_cocycle(of: Axioms) -> Prop:
    return only_without(of, of.quadratic, "cocycle")


def drop_equivariance(of: Axioms) -> Prop:
    return only_without(of, of.absolute, "equivariant")


def drop_continuity(of: Axioms) -> Prop:
    a1, b1, a2, b2 = variables("a1 b1 a2 b2", Integer)
    f, root = of.second_coordinate, sqrt(2)
    well_defined = Implies(Eq(a1 + b1 * root, a2 + b2 * root), Eq(f(a1, b1), f(a2, b2)))
    additive = Eq(f(a1 + a2, b1 + b2), f(a1, b1) + f(a2, b2))
    linear = And(Eq(f(1, 0), omega * 1), Eq(f(0, 1), omega * root))
    general = ForAll((a1, b1, a2, b2), And(well_defined, additive))
    return And(general, ForAll(omega, Not(linear)))


def families(of: Axioms) -> Prop:
    """A value of each family, which says that it is the one meant."""
    last = SAMPLES[2]  # of squared length 5
    return And(
        Eq(of.loaded(0, 2, last), power(TURN, 10) * last),
        Eq(of.damped(0, 2), Rational(81, 100) * power(TURN, 2)),
        Eq(of.parity(0, 1), FLIP),
        Eq(of.tilted(0, 1) * TILT, TILT * direct_sum([TURN, OTHER_TURN])),
        Eq(of.quadratic(0, 3), power(TURN, 9)),
        Eq(of.absolute(1, 3), power(TURN, 8)),
        Eq(of.second_coordinate(1, 0), 0),
        Eq(of.second_coordinate(0, 1), 1),
    )


UNIQUENESS = Claim(
    id="journey.uniqueness",
    title="Bilinear scores that keep norms and planes are block rotations; linear angles need more",
    kind="classification",
    definitions=Axioms(),
    hypotheses=(
        "B: the score is q^T P(i, j) k for a real matrix P(i, j) of 2 m rows",
        "positions are integer vectors of at most three axes in a window of any size N, or real "
        "numbers, for which continuity at 0 says that small displacements have small angles",
    ),
    stance="sharpened",
    reading=(
        "Read as 'the toral frame, the cocycle law, bilinearity and kept norms force the rotations "
        "of RoPE', the sentence needs one hypothesis more: these four force block rotations with "
        "free phases, and angles linear in the displacement need translation equivariance. For the "
        "blocks alone the cocycle law is not needed."
    ),
    clauses=(
        Clause(
            "toral",
            r"R(\alpha)X = XR(\beta)\ \forall\alpha,\beta \iff X = 0;\quad "
            r"R(\alpha)X = XR(\alpha)\ \forall\alpha \iff JX = XJ \quad "
            r"(X \in \mathbb{R}^{2\times2}, \text{ a block of } P)",
            commutes_with_torus,
        ),
        Clause(
            "forced",
            r"PJ_c = J_cP\ (c < m),\ P^\top P = I \implies "
            r"\exists\varphi_c:\ P = \textstyle\bigoplus_{c<m} R(\varphi_c) \quad (m = 1,\ldots,4)",
            forced,
        ),
        Clause(
            "sufficient",
            r"P = \textstyle\bigoplus_{c<m} R(\varphi_c) \implies PJ_c = J_cP,\ P^\top P = I "
            r"\quad (m = 1,\ldots,4)",
            sufficient,
        ),
        Clause(
            "phases",
            r"R(\varphi_{ik})R(\varphi_{kj}) = R(\varphi_{ij})\ \forall i,j,k<N \iff "
            r"R(\varphi_{ij}) = R(f_j - f_i)\ \forall i,j<N, \quad f_j = \varphi_{0j}",
            phases,
        ),
        Clause(
            "linear",
            r"R(\varphi(k-i))\,R(\varphi(j-k)) = R(\varphi(j-i))\ \forall i,j,k\in[0,N)^n \iff "
            r"R(\varphi(x)) = R(\langle\omega,x\rangle)\ \forall x = j-i,\quad "
            r"\omega_a = \varphi(e_a) \quad (n = 1,2,3)",
            linear,
        ),
        Clause(
            "continuous",
            r"R(\varphi(s+t)) = R(\varphi(s)+\varphi(t))\ \forall s,t\in\mathbb{R},\ "
            r"|\varphi(t)|\le1\ \forall|t|\le\delta \implies "
            r"R(\varphi(x)) = R(\omega x)\ \forall x\in\mathbb{R},\quad "
            r"\omega = \varphi(\delta)/\delta",
            continuous,
        ),
        Clause(
            "modulo",
            r"R(\varphi) = R(\psi) \iff \varphi \equiv \psi \pmod{2\pi}",
            modulo,
        ),
        Clause("aliasing", r"R((\omega+2\pi)t) = R(\omega t) \quad (t\in\mathbb{Z})", aliasing),
        Clause(
            "orientation",
            r"S\,R(\varphi)\,S = R(-\varphi),\quad S = \operatorname{diag}(1,-1)",
            orientation,
        ),
        Clause(
            "without_frame",
            r"P^\top P = I \implies P = aI + bJ \ \text{ or }\ P = (aI + bJ)\,S "
            r"\quad (P\in\mathbb{R}^{2\times2},\ (a,b) \text{ its first column})",
            without_frame,
        ),
        Clause(
            "parity_blocks",
            r"R(\varphi)\,S\,R(-\varphi) = R(2\varphi)\,S;\quad "
            r"P^\top P = I \implies P^2 \text{ is a rotation}\quad (P\in\mathbb{R}^{2\times2})",
            parity_blocks,
        ),
        Clause(
            "unipotent",
            r"G(t) = 1\oplus\begin{pmatrix}1&t\\0&1\end{pmatrix}:\quad G(0) = I,\ "
            r"G(s+t) = G(s)G(t),\quad (q,1,0)\,G(t)\,(k,0,\lambda)^\top = qk + \lambda t",
            unipotent,
        ),
        Clause(
            "two_rates",
            r"\operatorname{diag}(a,b)\,J = J\operatorname{diag}(a,b) \iff a = b;\quad "
            r"H = \operatorname{diag}(e^u,e^{-u}):\ HJ = JH \iff u = 0 \iff H^\top H = I",
            two_rates,
        ),
        Clause(
            "drop_bilinear",
            r"P_{ij}(k) = R^{(j-i)|k|^2}k:\ \text{N, T, C, E hold, linearity fails}"
            r"\quad (R = R(\arctan\tfrac43),\ i,j<4)",
            drop_bilinear,
        ),
        Clause(
            "drop_norm",
            r"P_{ij} = (\tfrac{9}{10}R)^{j-i}:\ \text{T, C, E hold, N fails},\quad "
            r"P_{01}^\top P_{01} = \tfrac{81}{100}I",
            drop_norm,
        ),
        Clause(
            "drop_toral",
            r"P_{ij} = S^{j-i} \text{ and } P_{ij} = Q(R\oplus R')^{j-i}Q^\top:\ "
            r"\text{N, C, E hold, T fails}",
            drop_toral,
        ),
        Clause(
            "drop_cocycle",
            r"P_{ij} = R^{(j-i)^2}:\ \text{N, T, E hold, C fails}",
            drop_cocycle,
        ),
        Clause(
            "drop_equivariance",
            r"P_{ij} = R^{j^2-i^2}:\ \text{N, T, C hold, E fails}",
            drop_equivariance,
        ),
        Clause(
            "drop_continuity",
            r"\varphi(a+b\sqrt2) = b \text{ is additive on } \mathbb{Z}+\mathbb{Z}\sqrt2,\quad "
            r"\text{no } \omega \text{ has } \varphi(x) = \omega x",
            drop_continuity,
        ),
        Clause(
            "families",
            r"P_{02}(k) = R^{10}k\ (|k|^2 = 5),\ P_{02} = \tfrac{81}{100}R^2,\ P_{01} = S,\ "
            r"P_{01}Q = Q(R\oplus R'),\ P_{03} = R^9,\ P_{13} = R^8,\ "
            r"\varphi(1) = 0,\ \varphi(\sqrt2) = 1 \text{: a value of each family above}",
            families,
        ),
    ),
)
