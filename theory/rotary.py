r"""Rotary embeddings: scores depend on the offset only, and rotations keep norms.

Main definitions
----------------
rotation(phi)          the rotation of one plane by phi radians
turned(x, y, phi)      one plane's pair (x, y) after that rotation
Rotary.score(p, n)     the score of a query at p and a key at n, summed over the planes

Main claims
-----------
rotary.relative, rotary.norm, rotary.layouts

Conventions
-----------
A head has m rotation planes, d = 2 m components.  Plane i turns at theta_i radians per position, an
arbitrary real number.  The pairs (q_i, r_i) of the query and (k_i, l_i) of the key are components
2 i and 2 i + 1 of the interleaved layout; as complex numbers,
c_i = conj(q_i + 1j r_i)(k_i + 1j l_i).
Positions p, n are real and the offset is n - p, key minus query.

References
----------
su2021roformer, peng2023yarn
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Rational, cos, sin

from posproof.theory.symbols import Variable, sequence, total, variables
from posproof.theory.vocabulary import (
    And,
    Claim,
    Clause,
    Eq,
    ForAll,
    Implies,
    Int,
    Le,
    Prop,
    Real,
)

i, m = Variable("i", Int(0)), Variable("m", Int(0))
p, n, shift, phi, a, x, y, D = variables("p n t phi a x y D", Real)
theta, q, r, k, l = (sequence(name) for name in ("theta", "q", "r", "k", "l"))  # noqa: E741

IDENTITY = sympy.ImmutableMatrix([[1, 0], [0, 1]])
Pair = tuple[Any, Any]


def rotation(phi: Any) -> sympy.ImmutableMatrix:
    """The rotation of one plane by `phi` radians."""
    return sympy.ImmutableMatrix([[cos(phi), -sin(phi)], [sin(phi), cos(phi)]])


def turned(x: Any, y: Any, phi: Any) -> Pair:
    """The pair (x, y) rotated by `phi` radians."""
    return x * cos(phi) - y * sin(phi), x * sin(phi) + y * cos(phi)


def key_angle(theta: Any, n: Any) -> Any:
    """The angle of a plane for a key at position n."""
    return theta * n


def offset(p: Any, n: Any) -> Any:
    """What the score depends on: key position minus query position."""
    return n - p


def scaled_turn(x: Any, y: Any, phi: Any, a: Any) -> Pair:
    """The same with an attention factor `a` on both tables, as YaRN and LongRoPE apply it."""
    return a * x * cos(phi) - a * y * sin(phi), a * x * sin(phi) + a * y * cos(phi)


def ceiling(product: Any) -> Any:
    """The largest possible square of a score, from the product of the squared norms."""
    return product


def squares(x: Any, y: Any) -> Any:
    """The squared norm of a vector given by the sequences of its pairs."""
    return total(i, m, x(i) ** 2 + y(i) ** 2)


def place(i: int, m: int) -> int:
    """Where P puts component i of 2 m: the first components of the pairs first."""
    return i // 2 + m * (i % 2)


@dataclass(frozen=True)
class Rotary:
    """The definitions of this subject; a control replaces one of them."""

    rotation: Callable[[Any], sympy.ImmutableMatrix] = rotation
    turned: Callable[[Any, Any, Any], Pair] = turned
    key_angle: Callable[[Any, Any], Any] = key_angle
    offset: Callable[[Any, Any], Any] = offset
    scaled_turn: Callable[[Any, Any, Any, Any], Pair] = scaled_turn
    place: Callable[[int, int], int] = place
    ceiling: Callable[[Any], Any] = ceiling
    at_zero: sympy.ImmutableMatrix = IDENTITY

    def score(self, p: Any, n: Any) -> Any:
        """The scalar product of the rotated query and the rotated key."""
        query = self.turned(q(i), r(i), theta(i) * p)
        key = self.turned(k(i), l(i), self.key_angle(theta(i), n))
        return total(i, m, query[0] * key[0] + query[1] * key[1])

    def score_of_offset(self, D: Any) -> Any:
        """The sum of Re(c_i exp(1j theta_i D))."""
        angle = theta(i) * D
        real, imaginary = q(i) * k(i) + r(i) * l(i), q(i) * l(i) - r(i) * k(i)
        return total(i, m, real * cos(angle) - imaginary * sin(angle))

    def scaled_score(self, p: Any, n: Any) -> Any:
        """The score with the attention factor a."""
        query = self.scaled_turn(q(i), r(i), theta(i) * p, a)
        key = self.scaled_turn(k(i), l(i), theta(i) * n, a)
        return total(i, m, query[0] * key[0] + query[1] * key[1])


# ---------------------------------------------------------------------- rotary.relative
def plane(of: Rotary) -> Prop:
    query, key = variables("x y", Real), variables("u v", Real)
    left, right = sympy.ImmutableMatrix(query), sympy.ImmutableMatrix(key)
    turn = Variable("theta", Real)
    at_query, at_key = of.rotation(turn * p), of.rotation(of.key_angle(turn, n))
    apart = of.rotation(turn * of.offset(p, n))
    scores = Eq((at_query * left).T * (at_key * right), left.T * apart * right)
    return ForAll((turn, p, n, *query, *key), scores)


def relative_score(of: Rotary) -> Prop:
    return ForAll((m, p, n), Eq(of.score(p, n), of.score_of_offset(of.offset(p, n))))


def shift_invariance(of: Rotary) -> Prop:
    return ForAll((m, p, n, shift), Eq(of.score(p + shift, n + shift), of.score(p, n)))


A_ENTRIES = tuple(sequence(f"A{row}{column}") for row in range(2) for column in range(2))


def family(p: Any) -> sympy.ImmutableMatrix:
    """An arbitrary family of 2 x 2 matrices, one for each real position."""
    return sympy.ImmutableMatrix(2, 2, [entry(p) for entry in A_ENTRIES])


def converse_premise(of: Rotary) -> Prop:
    """The two instances of A(s)^T A(t) = A(t - s) that are needed, and A(0) = I."""
    relative = [
        Eq(family(s).T * family(t), family(of.offset(s, t))) for s, t in ((p, p), (p, p + n))
    ]
    return And(Eq(family(sympy.Integer(0)), of.at_zero), *relative)


def converse_conclusion() -> Prop:
    orthogonal = Eq(family(p).T * family(p), IDENTITY)
    return And(orthogonal, Eq(family(p + n), family(p) * family(n)))


def converse(of: Rotary) -> Prop:
    return ForAll((p, n), Implies(converse_premise(of), converse_conclusion()))


RELATIVE = Claim(
    id="rotary.relative",
    title="Rotating by absolute positions makes scores depend on the offset only",
    kind="identity",
    source=("su2021roformer",),
    definitions=Rotary(),
    clauses=(
        Clause(
            "plane",
            r"(R(\theta p)q)^\top (R(\theta n)k) = q^\top R(\theta(n-p))\,k "
            r"\quad (p, n, \theta \in \mathbb{R};\ q, k \in \mathbb{R}^2)",
            plane,
        ),
        Clause(
            "relative_score",
            r"\sum_{i<m} (R(\theta_i p)q_i)^\top (R(\theta_i n)k_i) = "
            r"\sum_{i<m}\operatorname{Re}\bigl(\bar q_i k_i\, e^{i\theta_i(n-p)}\bigr)",
            relative_score,
        ),
        Clause("shift_invariance", r"s(p+t,\ n+t) = s(p, n)", shift_invariance),
        Clause(
            "converse",
            r"A(0) = I,\ A(p)^\top A(p) = A(0),\ A(p)^\top A(p+n) = A(n) \implies "
            r"A(p)^\top A(p) = I,\ A(p+n) = A(p)A(n) \quad (A(p) \in \mathbb{R}^{2\times2})",
            converse,
        ),
    ),
)


# ---------------------------------------------------------------------- rotary.norm
def orthogonal(of: Rotary) -> Prop:
    turn = of.rotation(phi)
    keeps = Eq(turn.T * turn, IDENTITY)
    determinant = turn[0, 0] * turn[1, 1] - turn[0, 1] * turn[1, 0]
    return ForAll(phi, And(keeps, Eq(determinant, 1)))


def plane_norm(of: Rotary) -> Prop:
    u, v = of.turned(x, y, phi)
    return ForAll((x, y, phi), Eq(u**2 + v**2, x**2 + y**2))


def norm(of: Rotary) -> Prop:
    u, v = of.turned(q(i), r(i), theta(i) * p)
    return ForAll((m, p), Eq(total(i, m, u**2 + v**2), squares(q, r)))


def score_bound(of: Rotary) -> Prop:
    highest = of.ceiling(squares(q, r) * squares(k, l))
    return ForAll((m, D), Le(of.score_of_offset(D) ** 2, highest))


def attention_factor(of: Rotary) -> Prop:
    u, v = of.scaled_turn(q(i), r(i), theta(i) * p, a)
    norms = Eq(total(i, m, u**2 + v**2), a**2 * squares(q, r))
    scores = Eq(of.scaled_score(p, n), a**2 * of.score_of_offset(of.offset(p, n)))
    return ForAll((m, p, n, a), And(norms, scores))


NORM = Claim(
    id="rotary.norm",
    title="Rotations keep norms; an attention factor does not",
    kind="identity",
    source=("su2021roformer", "peng2023yarn"),
    definitions=Rotary(),
    depends=("rotary.relative",),
    clauses=(
        Clause(
            "orthogonal", r"R(\varphi)^\top R(\varphi) = I,\quad \det R(\varphi) = 1", orthogonal
        ),
        Clause("plane_norm", r"|R(\varphi)x| = |x| \quad (x \in \mathbb{R}^2)", plane_norm),
        Clause("norm", r"\sum_{i<m}|R(\theta_i p)x_i|^2 = \sum_{i<m}|x_i|^2", norm),
        Clause("score_bound", r"s(D)^2 \le |q|^2\,|k|^2", score_bound),
        Clause(
            "attention_factor",
            r"|aR(p)x|^2 = a^2|x|^2,\quad (aR(p)q)^\top(aR(n)k) = a^2 s(n-p)",
            attention_factor,
        ),
    ),
)


# ---------------------------------------------------------------------- rotary.layouts
#: Planes up to which the two layouts are compared; at 2 and below P is its own transpose.
LARGEST = 12


def interleaved(of: Rotary, angles: tuple[Any, ...]) -> sympy.ImmutableMatrix:
    """The rotation of components (2 i, 2 i + 1) by each angle."""
    return sympy.ImmutableMatrix(sympy.diag(*(of.rotation(angle) for angle in angles)))


def half_split(of: Rotary, angles: tuple[Any, ...]) -> sympy.ImmutableMatrix:
    """The rotation of components (i, i + m) by each angle."""
    m = len(angles)

    def entry(row: int, column: int) -> Any:
        same = row % m == column % m
        return of.rotation(angles[row % m])[row // m, column // m] if same else 0

    return sympy.ImmutableMatrix(2 * m, 2 * m, entry)


def permutation(of: Rotary, m: int) -> sympy.ImmutableMatrix:
    """P, which sends the interleaved order to the half-split one."""
    cells = {(of.place(i, m), i): 1 for i in range(2 * m)}
    return sympy.ImmutableMatrix(2 * m, 2 * m, lambda row, column: cells.get((row, column), 0))


def _angles(m: int) -> tuple[Any, ...]:
    return variables(" ".join(f"phi{i}" for i in range(m)), Real) if m > 1 else (phi,)


def layouts_agree(of: Rotary) -> Prop:
    sizes = []
    for m in range(1, LARGEST + 1):
        angles, P = _angles(m), permutation(of, m)
        conjugated = P * interleaved(of, angles) * P.T
        sizes.append(ForAll(angles, Eq(half_split(of, angles), conjugated)))
    return And(*sizes)


#: The counterexample: planes (3 + 4j) / 5 and (12 + 5j) / 13, q = e0, k = e1; scores at lag 1.
TURNS = ((Rational(3, 5), Rational(4, 5)), (Rational(12, 13), Rational(5, 13)))
MIXED = (Rational(0), Rational(476, 845), Rational(19872, 54925))
CONSISTENT = -Rational(4, 5)


def mixed_scores(of: Rotary) -> Prop:
    first = sympy.ImmutableMatrix([1, 0, 0, 0])
    second = sympy.ImmutableMatrix([0, 1, 0, 0])
    turn = sympy.ImmutableMatrix(sympy.diag(*(sympy.Matrix([[c, -s], [s, c]]) for c, s in TURNS)))
    P = permutation(of, 2)
    facts = []
    for p, mixed in enumerate(MIXED):
        query = turn**p * first
        plain, split = turn ** (p + 1) * second, P * turn ** (p + 1) * P.T * second
        facts += [Eq((query.T * plain)[0], CONSISTENT), Eq((query.T * split)[0], mixed)]
    return And(*facts)


LAYOUTS = Claim(
    id="rotary.layouts",
    title="Interleaved and half-split heads are one encoding up to a permutation",
    kind="identity",
    source=("su2021roformer",),
    definitions=Rotary(),
    depends=("rotary.relative",),
    clauses=(
        Clause(
            "agree",
            r"(Px)_i = x_{2i},\ (Px)_{i+m} = x_{2i+1}:\quad "
            r"R_{\text{half}}(\varphi) = P\,R_{\text{interleaved}}(\varphi)\,P^\top \quad "
            r"(m = 1, \ldots, 12)",
            layouts_agree,
        ),
        Clause(
            "mixed",
            r"e^{i\theta_0} = \tfrac{3+4i}5,\ e^{i\theta_1} = \tfrac{12+5i}{13},\ q = e_0,\ "
            r"k = e_1:\quad s(p, p+1) = -\tfrac45;\quad \text{with a half-split key } "
            r"0,\ \tfrac{476}{845},\ \tfrac{19872}{54925} \text{ at } p = 0, 1, 2",
            mixed_scores,
        ),
    ),
)
