r"""Scores that depend on the distance of two tokens alone, and every way to make them.

Main definitions
----------------
powers          P(0) = 1 and P(i + 1) = P(i) m = m P(i) for all |i| up to a limit
invariant       the form Q = J (M - tau / 2) that a matrix of determinant one keeps
Relative        the definitions of this topic; a control replaces one of them

Main claims
-----------
symplectic.relative_law

Conventions
-----------
The score of a query q at i and a key k at j is q^T F(j - i) k, or q^T M^(i - j) k for the powers of
one matrix.  Operators (m, Q, A, C, F, ...) are square matrices of any size; they have no transpose
in this language, so `L(i)` stands for A(i)^T where an encoding is factorised as A(i)^T C(j).

References
----------
Derived here; the abstracts of "HySPE: Positional Encoding via Symplectic Dual Shears" and of HoPE
ask the question.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import ImmutableMatrix, cos, exp, sin, sinh
from sympy import Integer as Whole

from posproof.theory.operators import UNIT, operators, unknowns
from posproof.theory.symbols import Variable, sequence, total, variables
from posproof.theory.symplectic.shears import (
    ENTRIES,
    FORM,
    IDENTITY,
    MIRROR,
    SPECIAL,
    TRACE,
    M,
    a,
    alternate,
    b,
    boost,
    composed,
    corner,
    det,
    diagonal,
    half_hyperbolic_tangent,
    half_tangent,
    mu,
    r,
    rotation,
    theta,
    times,
    x,
    y,
)
from posproof.theory.vocabulary import (
    And,
    Claim,
    Clause,
    Eq,
    Exists,
    ForAll,
    Implies,
    Int,
    Integer,
    Le,
    Lt,
    Ne,
    Or,
    Positive,
    Prop,
    Real,
)

i, j = variables("i j", Integer)
k, n, d, N, L = variables("k n d N L", Int(0))
epsilon = Variable("epsilon", Positive)
U, V, OMEGA = (sequence(name) for name in ("u", "v", "omega"))
gamma, u, v, w = variables("gamma u v w", Real)
m, inverse, t, Q, g, h = unknowns("m inverse t Q g h")
c0, l0 = unknowns("c l")
P, T, R, F, C, left = (operators(name) for name in ("P", "T", "R", "F", "C", "L"))


def powers(P: Callable[[Any], Any], m: Any, limit: Any) -> tuple[Prop, ...]:
    """P(i) = m^i for all integers |i| <= limit."""
    inside = And(Le(-limit, i), Lt(i, limit))
    return Eq(P(0), UNIT), ForAll(i, Implies(inside, Eq(P(i + 1), P(i) @ m)))


def first_powers(
    P: Callable[[Any], Any], grown: Callable[[Any], Any], limit: Any
) -> tuple[Prop, ...]:
    """The powers 0 .. limit, each grown from the one before."""
    return Eq(P(0), UNIT), ForAll(k, Implies(Lt(k, limit), Eq(P(k + 1), grown(P(k)))))


def invariant(m: ImmutableMatrix) -> ImmutableMatrix:
    """J (M - tau / 2), whose quadratic form M keeps if its determinant is one."""
    return ImmutableMatrix(FORM * (m - (m[0, 0] + m[1, 1]) / 2 * IDENTITY))


def value(form: ImmutableMatrix, x: Any, y: Any) -> Any:
    """The quadratic form at (x, y)."""
    return form[0, 0] * x**2 + (form[0, 1] + form[1, 0]) * x * y + form[1, 1] * y**2


@dataclass(frozen=True)
class Relative:
    """The definitions of this topic; a control replaces one of them."""

    form: ImmutableMatrix = FORM
    mirror: ImmutableMatrix = MIRROR
    composed: Callable[[Any, Any], ImmutableMatrix] = composed
    alternate: Callable[[Any, Any], ImmutableMatrix] = alternate
    rotation: Callable[[Any, Any], ImmutableMatrix] = rotation
    boost: Callable[[Any, Any], ImmutableMatrix] = boost
    corner: Callable[[Any, Any], Any] = corner
    invariant: Callable[[ImmutableMatrix], ImmutableMatrix] = invariant
    apart: Callable[[Any, Any], Any] = lambda i, j: i - j
    kept: Callable[[Any, Any, Any], Any] = lambda t, Q, m: t @ Q @ m
    origin: Callable[[Any, Any], Any] = lambda right, left: right @ left
    rebuilt: Callable[[Any, Any], Any] = lambda start, power: start @ power
    normal: Callable[[Any, Any], Any] = lambda A, h: A @ h
    cosine: Callable[[Any], Any] = cos
    sine: Callable[[Any], Any] = sin

    def diagonal(self, a: Any, b: Any) -> ImmutableMatrix:
        """diag(c, -a), which S(a, b) keeps."""
        return diagonal(self.corner(a, b), -a)

    def alternate_diagonal(self, a: Any, b: Any) -> ImmutableMatrix:
        """diag(b, -a (1 + a b / 4)), which S'(a, b) keeps."""
        return diagonal(b, -self.corner(b, a))


RELATIVE = Relative()


# ---------------------------------------------------------------------- symplectic.relative_law
def key_factor(of: Relative) -> Prop:
    undone = And(Eq(m @ inverse, UNIT), Eq(inverse @ m, UNIT))
    inside = And(*(And(Le(-L, at), Le(at, L)) for at in (i, j, i - j)))
    law = Eq(P(i) @ P(-j), P(of.apart(i, j)))
    premise = And(undone, *powers(P, m, L))
    return ForAll((L, m, inverse), Implies(premise, ForAll((i, j), Implies(inside, law))))


def without_inverse(of: Relative) -> Prop:
    turned = ImmutableMatrix(-of.form * M.T * of.form)
    damped, power = exp(gamma) * turned, sympy.MatPow(M.T, n, evaluate=False)
    key = sympy.MatMul(exp(n * gamma), -of.form, power, of.form, evaluate=False)
    found = And(
        Eq(times(M, turned), IDENTITY),
        Eq(times(exp(-gamma) * M, damped), IDENTITY),
        Eq(sympy.MatPow(damped, n, evaluate=False), key),
    )
    return ForAll((*ENTRIES, gamma, n), Implies(SPECIAL, found))


def shared_form(of: Relative) -> Prop:
    premise = And(
        Eq(of.kept(t, Q, m), Q),
        Eq(m @ inverse, UNIT),
        *first_powers(P, lambda power: m @ power, L),
        *first_powers(T, lambda power: power @ t, L),
        *first_powers(R, lambda power: power @ inverse, L),
    )
    later, earlier = Eq(T(k) @ Q @ P(k + n), Q @ P(n)), Eq(T(k + n) @ Q @ P(k), Q @ R(n))
    found = ForAll((k, n), Implies(Le(k + n, L), And(later, earlier)))
    return ForAll((L, t, Q, m, inverse), Implies(premise, found))


def invariant_forms(of: Relative) -> Prop:
    def keeps(m: ImmutableMatrix, form: ImmutableMatrix) -> Prop:
        return Eq(times(m.T, form, m), form)

    one, other = of.composed(a, b), of.alternate(a, b)
    symmetric = ImmutableMatrix([[u, v], [v, w]])
    generic = Or(Ne(a, 0), Ne(of.corner(a, b), 0))
    only = And(Eq(v, 0), Eq(a * u + of.corner(a, b) * w, 0))
    return And(
        ForAll((a, b), And(keeps(one, of.diagonal(a, b)), keeps(one, of.form))),
        ForAll((a, b), And(keeps(other, of.alternate_diagonal(a, b)), keeps(other, of.form))),
        ForAll((a, b, u, v, w), Implies(And(generic, keeps(one, symmetric)), only)),
    )


def general_form(of: Relative) -> Prop:
    form = of.invariant(M)
    size = 1 - TRACE**2 / 4
    found = And(
        Eq(form[0, 1], form[1, 0]),
        Eq(times(M.T, form, M), form),
        Eq(det(form), size),
    )
    return ForAll(ENTRIES, Implies(SPECIAL, found))


def form_types(of: Relative) -> Prop:
    form = of.invariant(M)
    turning = And(SPECIAL, Lt(-2, TRACE), Lt(TRACE, 2))
    definite = Lt(0, r * value(form, x, y))
    pushing = And(SPECIAL, Lt(4, TRACE**2))
    both = Exists((x, y, u, v), Lt(value(form, x, y) * value(form, u, v), 0))
    shearing = And(SPECIAL, Eq(TRACE**2, 4))
    isotropic = Eq(times(form, ImmutableMatrix([[x], [y]])), ImmutableMatrix([[0], [0]]))
    degenerate = Exists((x, y), And(isotropic, Lt(0, x**2 + y**2)))
    return And(
        ForAll((*ENTRIES, x, y), Implies(And(turning, Lt(0, x**2 + y**2)), definite)),
        ForAll(ENTRIES, Implies(pushing, both)),
        ForAll(ENTRIES, Implies(shearing, degenerate)),
    )


def unit_anisotropy(of: Relative) -> Prop:
    turn = (-sin(theta), 2 * half_tangent(theta))
    push = (sinh(mu), 2 * half_hyperbolic_tangent(mu))
    euclid = Eq(of.diagonal(*turn), sin(theta) * IDENTITY)
    lorentz = Eq(of.diagonal(*push), sinh(mu) * of.mirror)
    return And(ForAll(mu, lorentz), ForAll(theta, Implies(Ne(cos(theta / 2), 0), euclid)))


def factorised(left: Callable[[Any], Any], right: Callable[[Any], Any]) -> Prop:
    """A(i)^T C(j) = F(j - i) for all integers."""
    return ForAll((i, j), Eq(left(i) @ right(j), F(j - i)))


def homomorphism(of: Relative) -> Prop:
    undone = And(
        Eq(left(0) @ l0, UNIT), Eq(l0 @ left(0), UNIT), Eq(C(0) @ c0, UNIT), Eq(c0 @ C(0), UNIT)
    )
    origin = of.origin(c0, l0)
    found = And(
        Eq(F(0) @ origin, UNIT),
        Eq(origin @ F(0), UNIT),
        ForAll((i, j), Eq(F(i + j), F(i) @ origin @ F(j))),
    )
    return ForAll((c0, l0), Implies(And(factorised(left, C), undone), found))


def matrix_powers(of: Relative) -> Prop:
    """F(n) = F(0) Phi^n with Phi = F(0)^-1 F(1), whose inverse is F(0)^-1 F(-1)."""
    origin = Eq(of.origin(c0, l0) @ F(0), UNIT), Eq(F(0) @ of.origin(c0, l0), UNIT)
    law = ForAll((i, j), Eq(F(i + j), F(i) @ of.origin(c0, l0) @ F(j)))
    step, back = of.origin(c0, l0) @ F(1), of.origin(c0, l0) @ F(-1)
    premise = And(
        *origin,
        law,
        *first_powers(P, lambda power: power @ step, L),
        *first_powers(R, lambda power: power @ back, L),
    )
    powered = And(Eq(F(k), of.rebuilt(F(0), P(k))), Eq(F(-k), of.rebuilt(F(0), R(k))))
    found = ForAll(k, Implies(Le(k, L), powered))
    inverse = And(Eq(step @ back, UNIT), Eq(back @ step, UNIT))
    return ForAll((c0, l0, L), Implies(premise, And(inverse, found)))


def same_side(of: Relative) -> Prop:
    """O(i) = A(i) h, whose transpose is h A(i)^T, with g^2 = F(0) and h = g^-1, g symmetric."""
    root = And(Eq(g @ g, F(0)), Eq(g @ h, UNIT), Eq(h @ g, UNIT))
    invertible = Eq(C(0) @ h @ h @ left(0), UNIT)

    def turn(at: Any) -> Any:
        return h @ F(at) @ h

    orthogonal = Eq((h @ left(i)) @ of.normal(C(i), h), UNIT)
    found = And(
        ForAll(i, And(orthogonal, Eq(of.normal(C(i), h) @ g, C(i)), Eq(F(i), g @ turn(i) @ g))),
        ForAll((i, j), Eq((h @ left(i)) @ of.normal(C(j), h), turn(j - i))),
        ForAll((i, j), Eq(turn(i + j), turn(i) @ turn(j))),
    )
    premise = And(factorised(left, C), root, invertible)
    return ForAll((g, h), Implies(premise, found))


def no_decay(of: Relative) -> Prop:
    """Scores of orthogonal Psi: sums over its planes, an eigenvalue -1 being a half turn."""

    def score(at: Any) -> Any:
        angle = at * OMEGA(k)
        return total(k, d, U(k) * of.cosine(angle) + V(k) * of.sine(angle))

    size = total(k, d, sympy.Abs(U(k)) + sympy.Abs(V(k)))
    bounded = And(Le(-size, score(n)), Le(score(n), size))
    now, later = (sympy.Abs(score(at), evaluate=False) for at in (Whole(0), n))
    returns = Exists(n, And(Le(N, n), Le(now - epsilon, later)))
    return And(ForAll((d, n), bounded), ForAll((d, N, epsilon), returns))


RELATIVE_LAW = Claim(
    id="symplectic.relative_law",
    title="Scores of the distance alone, and all factorised ways to make them",
    kind="classification",
    definitions=RELATIVE,
    depends=("symplectic.symmetric_composition", "symplectic.three_shears"),
    hypotheses=(
        "A(i), C(j) and M are square, real and invertible",
        "the last clause speaks of F(n) = Psi^n in the basis where Psi is made of plane rotations "
        "and signs",
    ),
    clauses=(
        Clause(
            "key_factor",
            r"M^i M^{-j} = M^{i - j}\ (i, j \in \mathbb{Z}):\quad "
            r"q^\top M^{i - j} k = \langle (M^\top)^i q,\ M^{-j} k \rangle",
            key_factor,
        ),
        Clause(
            "without_inverse",
            r"\det M = 1 \implies M\,(J^{-1} M^\top J) = I,\quad "
            r"(e^{-\gamma} M)(e^\gamma J^{-1} M^\top J) = I,\quad "
            r"(e^\gamma J^{-1} M^\top J)^n = e^{n\gamma} J^{-1} (M^\top)^n J",
            without_inverse,
        ),
        Clause(
            "shared_form",
            r"M^\top Q M = Q \implies (M^k)^\top Q M^{k + n} = Q M^n,\quad "
            r"(M^{k + n})^\top Q M^k = Q M^{-n}",
            shared_form,
        ),
        Clause(
            "invariant_forms",
            r"Q = \mathrm{diag}(c, -a),\ Q' = \mathrm{diag}(b, -a(1 + \tfrac{ab}4)):\quad "
            r"S^\top Q S = Q,\ S^\top J S = J,\quad S'^\top Q' S' = Q',\ S'^\top J S' = J,\quad "
            r"(a, c) \ne 0,\ X = X^\top,\ S^\top X S = X \implies X \parallel Q",
            invariant_forms,
        ),
        Clause(
            "general_form",
            r"\det M = 1,\ Q = J(M - \tfrac\tau2 I):\quad Q = Q^\top,\ M^\top Q M = Q,\ "
            r"\det Q = 1 - \tfrac{\tau^2}4",
            general_form,
        ),
        Clause(
            "form_types",
            r"|\tau| < 2: r\,Q(x) > 0 \text{ for } x \ne 0;\quad "
            r"|\tau| > 2: Q(x)\,Q(y) < 0 \text{ for some } x, y;\quad "
            r"|\tau| = 2: Qx = 0 \text{ for some } x \ne 0",
            form_types,
        ),
        Clause(
            "unit_anisotropy",
            r"\mathrm{diag}(c, -a) = \sin\theta\,I \text{ for } R(\theta) = S(a, b),\quad "
            r"\mathrm{diag}(c, -a) = \sinh\mu\,\eta \text{ for } B(\mu) = S(a, b)",
            unit_anisotropy,
        ),
        Clause(
            "homomorphism",
            r"A(i)^\top C(j) = F(j - i)\ (i, j \in \mathbb{Z}) \implies "
            r"F(0)^{-1} = C(0)^{-1} A(0)^{-\top},\quad F(i + j) = F(i)\,F(0)^{-1} F(j)",
            homomorphism,
        ),
        Clause(
            "matrix_powers",
            r"F(i + j) = F(i)\,F(0)^{-1} F(j),\ \Phi = F(0)^{-1} F(1) \implies "
            r"F(\pm k) = F(0)\,\Phi^{\pm k}",
            matrix_powers,
        ),
        Clause(
            "same_side",
            r"A(i)^\top A(j) = F(j - i),\ O_i = A(i)\,F(0)^{-1/2} \implies O_i^\top O_i = I,\ "
            r"O_i^\top O_j = \Psi(j - i),\quad \Psi(i + j) = \Psi(i)\,\Psi(j),\ "
            r"F(i) = F(0)^{1/2}\,\Psi(i)\,F(0)^{1/2}",
            same_side,
        ),
        Clause(
            "no_decay",
            r"s(n) = \sum_{k < d} u_k \cos n\omega_k + v_k \sin n\omega_k:\quad "
            r"|s(n)| \le \sum_{k < d} |u_k| + |v_k|,\quad "
            r"\forall N, \varepsilon > 0\ \exists n \ge N:\ |s(n)| \ge |s(0)| - \varepsilon",
            no_decay,
        ),
    ),
)
