r"""When transports between positions come from addresses, and which addresses are relative.

Main definitions
----------------
transport(a, B)      A(i)^{-1} A(j), from the inverse of one frame and the other frame
journey(w)           the ordered product of the steps of a word, the latest step leftmost
block(a, b)          a I + b J, what commutes with the rotations of a plane
exponential(A)       the coefficients of exp(eps A) up to order 2

Main claims
-----------
journey.cocycle, journey.coordinate_factors, journey.commutant, journey.sum_addresses

Conventions
-----------
P_{i<-j} carries the frame of j into the frame of i: P_{i<-k} P_{k<-j} = P_{i<-j}, and a score is
q^T P_{i<-j} k.  Operators are letters, d x d matrices over a field with d arbitrary; small letters
are inverses of the capital ones, and a prime is a transpose.  What a hypothesis says of the
operators named is all a clause uses: it holds for every choice of indices.  A rectangular matrix is
a square one filled up with zeros, and E is then the identity of K^r.  Angles are radians.

References
----------
none
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import sympy
from sympy import Abs, Rational, cos, pi, sin

from posproof.theory.symbols import Journey, joined, same_content, variables
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
    Letter,
    Lt,
    Ne,
    Not,
    Or,
    Positive,
    Prop,
    Real,
    Word,
)

Operator: TypeAlias = Any  # a SymPy expression that does not commute
Matrix = sympy.ImmutableMatrix
Square: TypeAlias = Any  # an ImmutableMatrix

A_i, A_j, A_k, A_o, a_i, a_j, a_k, a_o = variables("A_i A_j A_k A_o a_i a_j a_k a_o", Letter)
B_i, B_o, b_i, b_o = variables("B_i B_o b_i b_o", Letter)
Ai_t, Aj_t, ai_t, aj_t, S_t, O_t = variables("A_i' A_j' a_i' a_j' S' O'", Letter)
G, g, S, s_inv, O = variables("G g S s O", Letter)  # noqa: E741
P_ij, P_ik, P_kj, P_io, P_oi, P_oj = variables("P_ij P_ik P_kj P_io P_oi P_oj", Letter)
P_oo, P_ii, P_ok, P_ko = variables("P_oo P_ii P_ok P_ko", Letter)
U_i, W_j, U_k, W_k, U_o, W_o, L, R, E = variables("U_i W_j U_k W_k U_o W_o L R E", Letter)
P_xy, P_yz, P_xz = variables("P_xy P_yz P_xz", Letter)
P_0a, P_0b, P_a, P_b, P_ab = variables("P_0a P_0b P_a P_b P_ab", Letter)
x, y = variables("x y", Letter)
u, v, w = variables("u v w", Word)
F_s, F_t, f_s, f_t, H_s, H_t, h_s, h_t = variables("F_s F_t f_s f_t H_s H_t h_s h_t", Letter)
C, c = variables("C c", Letter)
P_s, P_t, P_st, P_s_st, P_t_st = variables("P_s P_t P_st P_s_st P_t_st", Letter)
P_v, P_stv, P_st_stv = variables("P_v P_stv P_st_stv", Letter)
A_so, A_st, A_oo, A_ot, a_oo, a_so = variables("A_so A_st A_oo A_ot a_oo a_so", Letter)
M, N = variables("M N", Letter)
alpha, beta, phi, p, q, r, s = variables("alpha beta phi p q r s", Real)
omega1, omega2, x1, x2, y1, y2, z1, z2 = variables("omega1 omega2 x1 x2 y1 y2 z1 z2", Real)
i, j, k = variables("i j k", Integer)
(n,) = variables("n", Int(1))
(size,) = variables("C", Positive)
entry, defect = variables("e F", Real)

PLANE = Matrix([[1, 0], [0, 1]])
QUARTER = Matrix([[0, -1], [1, 0]])
SPACE = Matrix([[1, 0, 0], [0, 1, 0], [0, 0, 1]])


def rotation(phi: Any) -> Square:
    """The rotation of one plane by `phi` radians."""
    return Matrix([[cos(phi), -sin(phi)], [sin(phi), cos(phi)]])


def about_x(phi: Any) -> Square:
    """The rotation of space by `phi` radians about the first axis."""
    return Matrix([[1, 0, 0], [0, cos(phi), -sin(phi)], [0, sin(phi), cos(phi)]])


def about_z(phi: Any) -> Square:
    """The rotation of space by `phi` radians about the third axis."""
    return Matrix([[cos(phi), -sin(phi), 0], [sin(phi), cos(phi), 0], [0, 0, 1]])


def about_diagonal(phi: Any) -> Square:
    """exp(phi (L_x + L_z)): the turn by sqrt(2) phi about (1, 0, 1), by Rodrigues' formula."""
    generator = Matrix([[0, -1, 0], [1, 0, -1], [0, 1, 0]])
    angle, root = sympy.sqrt(2) * phi, sympy.sqrt(2)
    return SPACE + generator * sin(angle) / root + generator * generator * (1 - cos(angle)) / 2


def block(a: Any, b: Any) -> Square:
    """a I + b J."""
    return Matrix([[a, -b], [b, a]])


def exponential(A: Operator) -> tuple[Any, Operator, Operator]:
    """The coefficients of 1, eps and eps^2 in exp(eps A)."""
    return 1, A, A * A / 2


@dataclass(frozen=True)
class Cocycles:
    """The definitions of this topic; a control replaces one of them."""

    transport: Callable[[Operator, Operator], Operator] = lambda inverse, frame: inverse * frame
    composed: Callable[[Operator, Operator], Operator] = lambda first, second: first * second
    transposed: Callable[[Operator, Operator], Operator] = lambda first, second: second * first
    changed: Callable[[Operator, Operator], Operator] = lambda gauge, frame: gauge * frame
    projected: Callable[[Operator, Operator], Operator] = lambda left, right: left * right
    full_rank: Callable[[Operator], Any] = lambda identity: identity
    journey: Callable[[Any], Operator] = Journey
    commute: Callable[[Operator, Operator], Prop] = lambda a, b: Eq(a * b, b * a)
    factored: Callable[[Operator, Operator], Operator] = lambda first, second: first * second
    gate: Callable[[], Square] = lambda: Matrix([[2, 0], [0, 0]])
    rank_one: Callable[[Any, Any], Square] = lambda i, j: Matrix([[1, 0], [i, 0]])
    moved: Callable[[Any, Any], Prop] = Eq
    rotation: Callable[[Any], Square] = rotation
    block: Callable[[Any, Any], Square] = block
    mirror: Callable[[Any, Any], Square] = lambda a, b: Matrix([[a, b], [b, -a]])
    apart: Callable[[Any, Any], Prop] = lambda alpha, beta: Ne(cos(alpha), cos(beta))
    turning: Callable[[Any], Prop] = lambda alpha: Ne(sin(alpha), 0)
    dimension: Callable[[Any], Any] = lambda k: 2 * k**2
    fixed_dimension: Callable[[Any], Any] = lambda k: (2 * k) ** 2
    exponential: Callable[[Operator], tuple[Any, Operator, Operator]] = exponential
    about_x: Callable[[Any], Square] = about_x
    about_z: Callable[[Any], Square] = about_z
    about_diagonal: Callable[[Any], Square] = about_diagonal
    remainder: Callable[[Any], Any] = lambda epsilon: epsilon**3


def inverses(*pairs: tuple[Operator, Operator]) -> tuple[Prop, ...]:
    """Each small letter is the inverse of its capital, from both sides."""
    return tuple(Eq(a * b, 1) for pair in pairs for a, b in (pair, pair[::-1]))


# ---------------------------------------------------------------------- journey.cocycle
def consistent(of: Cocycles) -> Prop:
    law = Eq(of.composed(of.transport(a_i, A_k), of.transport(a_k, A_j)), of.transport(a_i, A_j))
    conclusion = And(law, Eq(of.transport(a_i, A_i), 1))
    names = (A_i, a_i, A_j, A_k, a_k)
    return ForAll(names, Implies(And(*inverses((A_i, a_i), (A_k, a_k))), conclusion))


def canonical(of: Cocycles) -> Prop:
    law = And(
        Eq(of.composed(P_io, P_oj), P_ij),
        Eq(of.composed(P_oi, P_io), P_oo),
        Eq(of.composed(P_io, P_oi), P_ii),
        Eq(P_oo, 1),
        Eq(P_ii, 1),
    )
    frame = And(*inverses((P_oi, P_io)), Eq(P_ij, of.transport(P_io, P_oj)))
    return ForAll((P_io, P_oi, P_oj, P_ij, P_oo, P_ii), Implies(law, frame))


def gauge_free(of: Cocycles) -> Prop:
    same = Eq(of.transport(a_i * g, of.changed(G, A_j)), of.transport(a_i, A_j))
    return ForAll((G, g, a_i, A_j), Implies(And(*inverses((G, g))), same))


def gauge_unique(of: Cocycles) -> Prop:
    agree = Eq(of.transport(a_o, A_i), of.transport(b_o, B_i))
    known = And(*inverses((A_o, a_o), (B_o, b_o)), agree)
    return ForAll(
        (A_o, a_o, B_o, b_o, A_i, B_i), Implies(known, Eq(B_i, of.changed(B_o * a_o, A_i)))
    )


def _thin(left: Operator, right: Operator) -> tuple[Prop, Prop]:
    """`left` has r columns and `right` has r rows."""
    return Eq(left * E, left), Eq(E * right, right)


def low_rank(of: Cocycles) -> Prop:
    law = Eq(of.composed(of.projected(U_i, W_k), of.projected(U_k, W_j)), of.projected(U_i, W_j))
    known = And(Eq(W_k * U_k, of.full_rank(E)), *_thin(U_i, W_j))
    return ForAll((U_i, U_k, W_j, W_k, E), Implies(known, law))


def only_low_rank(of: Cocycles) -> Prop:
    law = (
        Eq(of.composed(P_io, P_oj), P_ij),
        Eq(of.composed(P_io, P_oo), P_io),
        Eq(of.composed(P_ok, P_ko), P_oo),
        Eq(of.composed(P_oo, P_oo), P_oo),
    )
    split = (Eq(P_oo, U_o * W_o), Eq(L * U_o, E), Eq(W_o * R, E), *_thin(U_o, W_o))
    left, right = P_io * U_o, W_o * P_oj
    found = And(
        Eq(P_ij, of.projected(left, right)), Eq((W_o * P_ok) * (P_ko * U_o), of.full_rank(E))
    )
    names = (P_io, P_oj, P_ij, P_oo, P_ok, P_ko, U_o, W_o, L, R, E)
    return ForAll(names, Implies(And(*law, *split), found))


def not_forced(of: Cocycles) -> Prop:
    here = of.rank_one(i, i)
    law = Eq(of.rank_one(i, k) * of.rank_one(k, j), of.rank_one(i, j))
    thin = Eq(of.rank_one(i, j), Matrix([[1], [i]]) * Matrix([[1, 0]]))
    return ForAll((i, j, k), And(law, Eq(here.det(), 0), thin))


def causal(of: Cocycles) -> Prop:
    law = Eq(of.journey(joined(u, v)), of.composed(of.journey(v), of.journey(u)))
    return ForAll((u, v), law)


def causal_frame(of: Cocycles) -> Prop:
    products = (Eq(of.composed(P_ij, P_oj), P_oi),)
    known = (*inverses((A_i, P_oi), (A_j, P_oj)), *products)
    return ForAll(
        (P_oi, P_oj, P_ij, A_i, A_j), Implies(And(*known), Eq(P_ij, of.transport(P_oi, A_j)))
    )


def causal_inverses(of: Cocycles) -> Prop:
    invertible = ForAll(x, Exists(y, And(Eq(y * x, 1), Eq(x * y, 1))))
    undone = And(
        Eq(of.journey(v) * of.journey(w), 1), Eq(of.composed(of.journey(w), of.journey(v)), 1)
    )
    return Implies(invertible, ForAll(w, Exists(v, undone)))


def invertible_only(of: Cocycles) -> Prop:
    gate = of.transport(a_i, A_j)
    back = of.transport(a_j, A_i)
    known = And(*inverses((A_i, a_i), (A_j, a_j)))
    return ForAll((A_i, a_i, A_j, a_j), Implies(known, And(*inverses((gate, back)))))


def _unknown(name: str) -> Square:
    entries = variables(" ".join(f"{name}{n}" for n in range(4)), Real)
    return Matrix([entries[:2], entries[2:]])


FRAME_0, BACK_0, FRAME_1, BACK_1 = (_unknown(name) for name in ("A", "a", "B", "b"))


def singular_gate(of: Cocycles) -> Prop:
    frames = And(
        Eq(FRAME_0 * BACK_0, PLANE),
        Eq(BACK_1 * FRAME_1, PLANE),
        Eq(BACK_1 * FRAME_0, of.gate()),
    )
    names = tuple(entry for matrix in (FRAME_0, BACK_0, FRAME_1, BACK_1) for entry in matrix.flat())
    later = Matrix([[1, 0], [0, 3]])
    return And(ForAll(names, Not(frames)), Eq(later * of.gate(), Matrix([[2, 0], [0, 0]])))


def _both_transposed() -> tuple[Prop, ...]:
    return inverses((A_i, a_i), (A_j, a_j), (Ai_t, ai_t), (Aj_t, aj_t))


def orthogonal_constant(of: Cocycles) -> Prop:
    carried, back = of.transport(a_i, A_j), of.transposed(ai_t, Aj_t)
    equivalent = Iff(Eq(back * carried, 1), Eq(A_i * Ai_t, A_j * Aj_t))
    names = (A_i, a_i, A_j, a_j, Ai_t, ai_t, Aj_t, aj_t)
    return ForAll(names, Implies(And(*_both_transposed()), equivalent))


def orthogonal_factor(of: Cocycles) -> Prop:
    turned = of.transport(a_i, A_j)
    turned_t = of.transposed(ai_t, Aj_t)
    from_constant = Implies(
        Eq(A_i * Ai_t, A_j * Aj_t), And(Eq(A_i * turned, A_j), Eq(turned * turned_t, 1))
    )
    to_constant = Implies(
        And(Eq(A_j, S * O), Eq(Aj_t, of.transposed(S_t, O_t)), Eq(O * O_t, 1)),
        Eq(A_j * Aj_t, S * S_t),
    )
    names = (A_i, a_i, A_j, a_j, Ai_t, ai_t, Aj_t, aj_t, S, S_t, O, O_t)
    return ForAll(names, Implies(And(*_both_transposed()), And(from_constant, to_constant)))


def two_tables(of: Cocycles) -> Prop:
    one_table = Eq(Ai_t * A_j, of.transport(a_i, A_j))
    names = (A_i, a_i, A_j, a_j, Ai_t)
    known = And(*inverses((A_i, a_i), (A_j, a_j)))
    return ForAll(names, Implies(known, Iff(one_table, Eq(Ai_t * A_i, 1))))


def steps_commute(of: Cocycles) -> Prop:
    around = (Eq(of.composed(P_0a, P_a), P_ab), Eq(of.composed(P_0b, P_b), P_ab))
    known = And(*around, of.moved(P_a, P_0b), of.moved(P_b, P_0a))
    return ForAll((P_0a, P_0b, P_a, P_b, P_ab), Implies(known, Eq(P_0a * P_0b, P_0b * P_0a)))


def displacement(of: Cocycles) -> Prop:
    commuting = ForAll((x, y), of.commute(x, y))
    equal = Implies(same_content(v, w), Eq(of.journey(v), of.journey(w)))
    return Implies(commuting, ForAll((v, w), equal))


def walk(of: Cocycles) -> Prop:
    commuting = ForAll((x, y), of.commute(x, y))
    known = And(Eq(P_xy, of.journey(w)), Eq(P_yz, x), Eq(of.composed(P_xy, P_yz), P_xz))
    goal = Eq(P_xz, of.journey(joined(w, x)))
    return Implies(commuting, ForAll((w, x, P_xy, P_yz, P_xz), Implies(known, goal)))


COCYCLE = Claim(
    id="journey.cocycle",
    title="Consistent transports are addresses, when they can be undone",
    kind="classification",
    definitions=Cocycles(),
    stance="sharpened",
    reading=(
        "The abstract says that consistency forces the transport to be A(i)^{-1} A(j); it holds "
        "when P_ii = I or every transport is invertible, on all ordered pairs."
    ),
    clauses=(
        Clause(
            "consistent",
            r"P_{i\leftarrow j} = A(i)^{-1}A(j) \implies "
            r"P_{i\leftarrow k}P_{k\leftarrow j} = P_{i\leftarrow j},\ P_{i\leftarrow i} = I",
            consistent,
        ),
        Clause(
            "canonical",
            r"P_{i\leftarrow k}P_{k\leftarrow j} = P_{i\leftarrow j},\ P_{i\leftarrow i} = I "
            r"\implies P_{i\leftarrow j} = A(i)^{-1}A(j)\ \text{with}\ A(i) = P_{o\leftarrow i}",
            canonical,
        ),
        Clause(
            "gauge_free",
            r"(G A(i))^{-1}\,G A(j) = A(i)^{-1}A(j)\ \text{for every invertible}\ G",
            gauge_free,
        ),
        Clause(
            "gauge_unique",
            r"A(o)^{-1}A(i) = B(o)^{-1}B(i) \implies B(i) = G A(i),\ "
            r"G = B(o)A(o)^{-1}\ \text{for all}\ i",
            gauge_unique,
        ),
        Clause(
            "low_rank",
            r"P_{i\leftarrow j} = U_iW_j^{\top},\ W_k^{\top}U_k = I_r \implies "
            r"P_{i\leftarrow k}P_{k\leftarrow j} = P_{i\leftarrow j}",
            low_rank,
        ),
        Clause(
            "only_low_rank",
            r"P_{i\leftarrow k}P_{k\leftarrow j} = P_{i\leftarrow j},\ P_{o\leftarrow o} = "
            r"U_oW_o^{\top}\ \text{of full rank}\ r \implies P_{i\leftarrow j} = U_iW_j^{\top},\ "
            r"W_k^{\top}U_k = I_r\ \text{with}\ U_i = P_{i\leftarrow o}U_o,\ "
            r"W_j^{\top} = W_o^{\top}P_{o\leftarrow j}",
            only_low_rank,
        ),
        Clause(
            "not_forced",
            r"P_{i\leftarrow j} = \begin{pmatrix} 1 \\ i \end{pmatrix}(1, 0):\ "
            r"P_{i\leftarrow k}P_{k\leftarrow j} = P_{i\leftarrow j},\ \det P_{i\leftarrow i} = 0",
            not_forced,
        ),
        Clause(
            "causal",
            r"P_{t\leftarrow j} = T_t\cdots T_{j+1} \implies P_{t\leftarrow j} = "
            r"P_{t\leftarrow k}P_{k\leftarrow j}\ (j \le k \le t),\ T\ \text{singular or not}",
            causal,
        ),
        Clause(
            "causal_inverses",
            r"\text{every}\ T_t\ \text{invertible} \implies "
            r"\text{every}\ P_{t\leftarrow j}\ \text{invertible}",
            causal_inverses,
        ),
        Clause(
            "causal_frame",
            r"P_{t\leftarrow j}P_{j\leftarrow 0} = P_{t\leftarrow 0},\ "
            r"A(t) = P_{t\leftarrow 0}^{-1} \implies P_{t\leftarrow j} = A(t)^{-1}A(j)",
            causal_frame,
        ),
        Clause(
            "invertible_only",
            r"T_t = A(t)^{-1}A(t-1) \implies T_t\ \text{is invertible},\ "
            r"T_t^{-1} = A(t-1)^{-1}A(t)",
            invertible_only,
        ),
        Clause(
            "singular_gate",
            r"T_1 = \operatorname{diag}(2, 0):\ \text{no invertible}\ A(0), A(1)\ "
            r"\text{have}\ A(1)^{-1}A(0) = T_1;\ T_2T_1 = \operatorname{diag}(2, 0),\ "
            r"T_2 = \operatorname{diag}(1, 3)",
            singular_gate,
        ),
        Clause(
            "orthogonal_constant",
            r"P_{i\leftarrow j} = A(i)^{-1}A(j)\ \text{is orthogonal} \iff "
            r"A(i)A(i)^{\top} = A(j)A(j)^{\top}",
            orthogonal_constant,
        ),
        Clause(
            "orthogonal_factor",
            r"A(i)A(i)^{\top} = A(j)A(j)^{\top} \implies A(j) = A(i)\,O,\ OO^{\top} = I;\quad "
            r"A(j) = S O,\ OO^{\top} = I \implies A(j)A(j)^{\top} = SS^{\top}",
            orthogonal_factor,
        ),
        Clause(
            "two_tables",
            r"(A(i)q)^{\top}(A(j)k) = q^{\top}A(i)^{-1}A(j)k\ \text{for all}\ q, k \iff "
            r"A(i)^{\top}A(i) = I",
            two_tables,
        ),
        Clause(
            "steps_commute",
            r"P_{i+s\leftarrow j+s} = P_{i\leftarrow j} \implies "
            r"\rho_a\rho_b = \rho_b\rho_a,\ \rho_a = P_{0\leftarrow e_a}",
            steps_commute,
        ),
        Clause(
            "walk",
            r"\rho_a\rho_b = \rho_b\rho_a\ \forall a, b,\ P_{x\leftarrow y} = \rho(w),\ "
            r"P_{y\leftarrow y+e_a} = \rho_a \implies P_{x\leftarrow y+e_a} = \rho(wa),\quad "
            r"\rho(a_1\ldots a_L) = \rho_{a_L}\cdots\rho_{a_1}",
            walk,
        ),
        Clause(
            "displacement",
            r"\rho_a\rho_b = \rho_b\rho_a\ \forall a, b \implies \rho(v) = \rho(w) "
            r"= \textstyle\prod_a\rho_a^{s_a}\ \text{for walks of the same displacement}\ s",
            displacement,
        ),
    ),
)


# ---------------------------------------------------------------------- journey.coordinate_factors
def one_coordinate(of: Cocycles) -> Prop:
    here = of.factored(F_s, H_t)
    known = And(
        *inverses((G, g), (F_s, f_s), (H_t, h_t)), of.commute(F_s, H_t), of.commute(F_t, H_t)
    )
    moved = of.transport(h_t * f_s * g, G * of.factored(F_t, H_t))
    undone = Eq((h_t * f_s * g) * (G * here), 1)
    names = (G, g, F_s, f_s, F_t, H_t, h_t)
    return ForAll(names, Implies(known, And(undone, Eq(moved, of.transport(f_s, F_t)))))


def independent(of: Cocycles) -> Prop:
    around = (Eq(of.composed(P_s, P_s_st), P_st), Eq(of.composed(P_t, P_t_st), P_st))
    known = And(*around, of.moved(P_t_st, P_s), of.moved(P_s_st, P_t))
    found = And(Eq(P_st, of.factored(P_s, P_t)), Eq(P_s * P_t, P_t * P_s))
    return ForAll((P_s, P_t, P_st, P_s_st, P_t_st), Implies(known, found))


def more_coordinates(of: Cocycles) -> Prop:
    along = (Eq(of.composed(P_s, P_s_st), P_st), Eq(of.composed(P_st, P_st_stv), P_stv))
    known = And(*along, of.moved(P_s_st, P_t), of.moved(P_st_stv, P_v))
    goal = Eq(P_stv, of.factored(of.factored(P_s, P_t), P_v))
    return ForAll((P_s, P_s_st, P_st, P_st_stv, P_stv, P_t, P_v), Implies(known, goal))


def others_commute(of: Cocycles) -> Prop:
    others = ForAll(x, of.commute(x, F_s))
    product = of.journey(w)
    return ForAll(F_s, Implies(others, ForAll(w, Eq(product * F_s, F_s * product))))


def next_coordinate(of: Cocycles) -> Prop:
    known = And(Eq(P_xy, of.journey(w)), of.moved(P_yz, x), Eq(of.composed(P_yz, P_xy), P_xz))
    return ForAll((w, x, P_xy, P_yz, P_xz), Implies(known, Eq(P_xz, of.journey(joined(w, x)))))


def ordered_nested(of: Cocycles) -> Prop:
    known = And(*inverses((C, c), (F_s, f_s)))
    moved = of.transport(f_s * c, of.factored(C, F_t))
    return ForAll((C, c, F_s, f_s, F_t), Implies(known, Eq(moved, of.transport(f_s, F_t))))


def nested_ordered(of: Cocycles) -> Prop:
    known = And(
        *inverses((A_so, a_so)),
        of.moved(of.transport(a_so, A_st), of.transport(a_oo, A_ot)),
    )
    goal = Eq(A_st, of.factored(A_so, of.transport(a_oo, A_ot)))
    return ForAll((A_so, a_so, A_st, a_oo, A_ot), Implies(known, goal))


def not_independent(of: Cocycles) -> Prop:
    first, second = of.about_x(pi / 2), of.about_z(pi / 2)

    def moved(start: Square, end: Square) -> Square:
        return start.T * end

    there, here = first * second, second
    return And(
        Eq(moved(first, there), moved(SPACE, second)),
        Eq(moved(SPACE, first), Matrix([[1, 0, 0], [0, 0, -1], [0, 1, 0]])),
        Eq(moved(here, there), Matrix([[0, 0, -1], [0, 1, 0], [1, 0, 0]])),
    )


COORDINATE_FACTORS = Claim(
    id="journey.coordinate_factors",
    title="One factor for each coordinate: independence needs factors that commute",
    kind="equivalence",
    definitions=Cocycles(),
    depends=("journey.cocycle",),
    stance="sharpened",
    reading=(
        "The abstract says that coordinate independence is equivalent to one factor per "
        "coordinate; it is so for factors that commute across coordinates.  Factors in a fixed "
        "order are equivalent to the weaker, nested independence."
    ),
    clauses=(
        Clause(
            "one_coordinate",
            r"A(s, t) = G\,A_c(s)\,H(t),\ [A_c(s), H(t)] = 0 \implies "
            r"P_{(s,t)\leftarrow(s',t)} = A_c(s)^{-1}A_c(s'),\quad "
            r"H(t) = \textstyle\prod_{b\ne c} A_b(t_b)",
            one_coordinate,
        ),
        Clause(
            "others_commute",
            r"[A_c, A_b(t)] = 0\ \text{for all}\ b \ne c, t \implies "
            r"[A_c, \textstyle\prod_bA_b(t_b)] = 0",
            others_commute,
        ),
        Clause(
            "next_coordinate",
            r"P_{(i_1,\ldots,i_{c-1},o)\leftarrow o} = A_{c-1}^{-1}\cdots A_1^{-1},\ "
            r"P_{(\ldots,t)\leftarrow(\ldots,o)} = A_c(t)^{-1} \implies "
            r"P_{(i_1,\ldots,i_{c-1},t)\leftarrow o} = A_c(t)^{-1}A_{c-1}^{-1}\cdots A_1^{-1}",
            next_coordinate,
        ),
        Clause(
            "independent",
            r"P_{(o,t)\leftarrow(s,t)} = P_{(o,o)\leftarrow(s,o)} = A_1(s),\ "
            r"P_{(s,o)\leftarrow(s,t)} = P_{(o,o)\leftarrow(o,t)} = A_2(t) \implies "
            r"A(s,t) = P_{(o,o)\leftarrow(s,t)} = A_1(s)A_2(t),\ [A_1(s), A_2(t)] = 0",
            independent,
        ),
        Clause(
            "more_coordinates",
            r"P_{(s,o,o)\leftarrow(s,t,o)} = A_2(t),\ P_{(s,t,o)\leftarrow(s,t,v)} = A_3(v) "
            r"\implies A(s,t,v) = A_1(s)A_2(t)A_3(v)",
            more_coordinates,
        ),
        Clause(
            "ordered_nested",
            r"A(i) = X\,F(i_c, \ldots),\ X = A_1(i_1)\cdots A_{c-1}(i_{c-1}) \implies "
            r"A(i)^{-1}A(j) = F(i_c,\ldots)^{-1}F(j_c,\ldots)\ "
            r"\text{for}\ i, j\ \text{that share}\ X",
            ordered_nested,
        ),
        Clause(
            "nested_ordered",
            r"A(s,o)^{-1}A(s,t) = A(o,o)^{-1}A(o,t) \implies A(s,t) = A(s,o)\,B(t),\ "
            r"B(t) = A(o,o)^{-1}A(o,t)",
            nested_ordered,
        ),
        Clause(
            "not_independent",
            r"A(s,t) = R_x(\tfrac{\pi}{2})^sR_z(\tfrac{\pi}{2})^t:\ "
            r"P_{10\leftarrow 11} = P_{00\leftarrow 01},\ P_{00\leftarrow 10} = "
            r"\begin{pmatrix}1&0&0\\0&0&-1\\0&1&0\end{pmatrix} \ne P_{01\leftarrow 11} = "
            r"\begin{pmatrix}0&0&-1\\0&1&0\\1&0&0\end{pmatrix}",
            not_independent,
        ),
    ),
)


# ---------------------------------------------------------------------- journey.commutant
ANY = Matrix([[p, q], [r, s]])
ZERO = Matrix([[0, 0], [0, 0]])


def carries(of: Cocycles, alpha: Any, X: Square, beta: Any) -> Prop:
    """R(alpha) X = X R(beta): what commuting means for one block of a large matrix."""
    return Eq(of.rotation(alpha) * X, X * of.rotation(beta))


def torus_off(of: Cocycles) -> Prop:
    return ForAll((p, q, r, s), Implies(carries(of, pi / 2, ANY, 0), Eq(ANY, ZERO)))


def torus_on(of: Cocycles) -> Prop:
    known = carries(of, pi / 2, ANY, pi / 2)
    return ForAll((p, q, r, s), Implies(known, Eq(ANY, of.block(p, r))))


def members(of: Cocycles) -> Prop:
    member = of.block(p, q)
    return ForAll(
        (alpha, p, q),
        And(carries(of, alpha, member, alpha), Eq(member.T * member, (p**2 + q**2) * PLANE)),
    )


def apart(of: Cocycles) -> Prop:
    known = And(of.apart(alpha, beta), carries(of, alpha, ANY, beta))
    return ForAll((alpha, beta, p, q, r, s), Implies(known, Eq(ANY, ZERO)))


def alike(of: Cocycles) -> Prop:
    equivalent = Iff(carries(of, alpha, ANY, alpha), Eq(ANY, of.block(p, r)))
    return ForAll((alpha, p, q, r, s), Implies(of.turning(alpha), equivalent))


def opposite(of: Cocycles) -> Prop:
    equivalent = Iff(carries(of, alpha, ANY, -alpha), Eq(ANY, of.mirror(p, r)))
    return ForAll((alpha, p, q, r, s), Implies(of.turning(alpha), equivalent))


def only_pairs(of: Cocycles) -> Prop:
    pair = Or(Eq(of.rotation(beta), of.rotation(alpha)), Eq(of.rotation(beta), of.rotation(-alpha)))
    return ForAll((alpha, beta), Implies(Eq(cos(alpha), cos(beta)), pair))


def fixed(of: Cocycles) -> Prop:
    known = And(Eq(sin(alpha), 0), Eq(cos(alpha), cos(beta)))
    return ForAll((alpha, beta, p, q, r, s), Implies(known, carries(of, alpha, ANY, beta)))


def suffices(of: Cocycles) -> Prop:
    least = And(
        Le(2 * n, of.dimension(n)),
        Iff(Eq(of.dimension(n), 2 * n), Eq(n, 1)),
        Lt(2 * n, of.fixed_dimension(n)),
    )
    return ForAll(n, least)


COMMUTANT = Claim(
    id="journey.commutant",
    title="What commutes with the rotations of planes, and what one rotation can certify",
    kind="classification",
    definitions=Cocycles(),
    clauses=(
        Clause(
            "torus_off",
            r"R(\tfrac{\pi}{2})X_{cc'} = X_{cc'} \implies X_{cc'} = 0 \quad (c \ne c')",
            torus_off,
        ),
        Clause(
            "torus_on",
            r"R(\tfrac{\pi}{2})X_{cc} = X_{cc}R(\tfrac{\pi}{2}) \implies "
            r"X_{cc} = a_cI + b_cJ",
            torus_on,
        ),
        Clause(
            "members",
            r"X = aI + bJ \implies R(\alpha)X = XR(\alpha),\ X^{\top}X = (a^2 + b^2)I",
            members,
        ),
        Clause(
            "apart",
            r"R(\alpha)X = XR(\beta),\ \cos\alpha \ne \cos\beta \implies X = 0",
            apart,
        ),
        Clause(
            "alike",
            r"\sin\alpha \ne 0:\quad R(\alpha)X = XR(\alpha) \iff X = aI + bJ",
            alike,
        ),
        Clause(
            "opposite",
            r"\sin\alpha \ne 0:\quad R(\alpha)X = XR(-\alpha) \iff "
            r"X = \begin{pmatrix} a & b \\ b & -a \end{pmatrix}",
            opposite,
        ),
        Clause(
            "only_pairs",
            r"\cos\alpha = \cos\beta \implies R(\beta) = R(\alpha)\ \text{or}\ "
            r"R(\beta) = R(-\alpha)",
            only_pairs,
        ),
        Clause(
            "fixed",
            r"\cos\alpha = \cos\beta = \pm 1 \implies R(\alpha)X = XR(\beta)\ "
            r"\text{for every}\ X",
            fixed,
        ),
        Clause(
            "suffices",
            r"d(k) = 2k^2\ (\kappa \ne \pm 1),\ (2k)^2\ (\kappa = \pm 1):\quad "
            r"2k \le 2k^2,\ 2k^2 = 2k \iff k = 1,\ 2k < (2k)^2 \quad (k \ge 1)",
            suffices,
        ),
    ),
)


# ---------------------------------------------------------------------- journey.sum_addresses
def series(first: tuple[Any, ...], second: tuple[Any, ...]) -> tuple[Any, Any, Any]:
    """The product of two power series in eps up to order 2."""
    return (
        first[0] * second[0],
        first[0] * second[1] + first[1] * second[0],
        first[0] * second[2] + first[1] * second[1] + first[2] * second[0],
    )


def orthogonal_cocycle(of: Cocycles) -> Prop:
    a = (A_i, Ai_t), (A_j, Aj_t), (A_k, a_k)
    law = Eq(of.composed(of.transport(Ai_t, A_k), of.transport(a_k, A_j)), of.transport(Ai_t, A_j))
    kept = Eq(of.transposed(A_i, Aj_t) * of.transport(Ai_t, A_j), 1)
    names = (A_i, Ai_t, A_j, Aj_t, A_k, a_k)
    return ForAll(names, Implies(And(*inverses(*a)), And(law, kept)))


def second_order(of: Cocycles) -> Prop:
    moved = series(of.exponential(-M), of.exponential(M + N))
    base = of.exponential(N)
    return ForAll(
        (M, N),
        And(
            Eq(moved[0], base[0]),
            Eq(moved[1], base[1]),
            Eq(2 * (moved[2] - base[2]), N * M - M * N),
        ),
    )


def commuting_order(of: Cocycles) -> Prop:
    moved = series(of.exponential(-M), of.exponential(M + N))
    agrees = Eq(moved[2] - of.exponential(N)[2], 0)
    return ForAll((M, N), Iff(agrees, Eq(M * N, N * M)))


def only_if(of: Cocycles) -> Prop:
    step = Abs(entry) / (size + Abs(entry))
    rest = size * of.remainder(step)
    expanded = defect + entry * step**2
    known = And(Ne(entry, 0), Le(-rest, expanded), Le(expanded, rest))
    return ForAll((entry, size, defect), Implies(known, Ne(defect, 0)))


def planes(of: Cocycles) -> Prop:
    def address(first: Any, second: Any) -> Square:
        return of.rotation(omega1 * first + omega2 * second)

    moved = address(x1 + z1, x2 + z2).T * address(y1 + z1, y2 + z2)
    same = Eq(moved, address(x1, x2).T * address(y1, y2))
    return ForAll((omega1, omega2, x1, x2, y1, y2, z1, z2), same)


def diagonal_turn(of: Cocycles) -> Prop:
    turn = of.about_diagonal(alpha)
    return ForAll(
        (alpha, beta),
        And(
            Eq(turn * of.about_diagonal(beta), of.about_diagonal(alpha + beta)),
            Eq(turn * turn.T, SPACE),
        ),
    )


def frobenius_square(difference: Square) -> Any:
    return sum((x**2 for x in difference.flat()), sympy.Integer(0))


def space_defect(of: Cocycles, step: Any) -> Any:
    """The squared Frobenius norm of P_{(h,0)<-(h,h)} - P_{(0,0)<-(0,h)} for L_x and L_z."""
    return frobenius_square(of.about_x(step).T * of.about_diagonal(step) - of.about_z(step))


def not_equivariant(of: Cocycles) -> Prop:
    square = space_defect(of, sympy.Integer(1))
    return And(Lt(Rational(6641, 10**4) ** 2, square), Lt(square, Rational(6642, 10**4) ** 2))


SUM_ADDRESSES = Claim(
    id="journey.sum_addresses",
    title="Exponentials of sums: always a cocycle, relative only if the generators commute",
    kind="equivalence",
    definitions=Cocycles(),
    depends=("journey.cocycle",),
    clauses=(
        Clause(
            "orthogonal_cocycle",
            r"A(x)^{-1} = A(x)^{\top},\ P_{i\leftarrow j} = A(i)^{\top}A(j) \implies "
            r"P_{i\leftarrow k}P_{k\leftarrow j} = P_{i\leftarrow j},\ "
            r"P_{i\leftarrow j}^{\top}P_{i\leftarrow j} = I",
            orthogonal_cocycle,
        ),
        Clause(
            "second_order",
            r"e^{-\epsilon L_1}e^{\epsilon(L_1+L_2)} - e^{\epsilon L_2} = "
            r"0 + 0\,\epsilon - \tfrac{\epsilon^2}{2}[L_1, L_2] + O(\epsilon^3)",
            second_order,
        ),
        Clause(
            "commuting_order",
            r"\text{the coefficient of}\ \epsilon^2\ \text{vanishes} \iff L_1L_2 = L_2L_1",
            commuting_order,
        ),
        Clause(
            "only_if",
            r"|F(\epsilon) + c\,\epsilon^2| \le C\epsilon^3,\ c \ne 0 \implies "
            r"F(\epsilon) \ne 0\ \text{at}\ \epsilon = \tfrac{|c|}{C + |c|} \quad "
            r"(c\ \text{an entry of}\ \tfrac12[L_1, L_2],\ F\ \text{that of the defect})",
            only_if,
        ),
        Clause(
            "planes",
            r"A(x) = R(\omega_1x_1 + \omega_2x_2) \implies "
            r"A(x+z)^{\top}A(y+z) = A(x)^{\top}A(y)",
            planes,
        ),
        Clause(
            "diagonal_turn",
            r"D(\phi) = e^{\phi(L_x+L_z)} = I + \tfrac{\sin\sqrt2\phi}{\sqrt2}K + "
            r"\tfrac{1-\cos\sqrt2\phi}{2}K^2:\ D(\alpha)D(\beta) = D(\alpha+\beta),\ "
            r"D D^{\top} = I",
            diagonal_turn,
        ),
        Clause(
            "not_equivariant",
            r"0.6641 < \lVert R_x(1)^{\top}e^{L_x+L_z} - R_z(1)\rVert_F < 0.6642",
            not_equivariant,
        ),
    ),
)
