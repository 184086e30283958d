r"""Powers of a 2 x 2 matrix in closed form, and the numbers that measure one.

Main definitions
----------------
generic         a matrix with arbitrary entries
is_norm, norm   what it means that a number is the spectral norm of a matrix
recursion       u_(k+2) = trace u_(k+1) - det u_k
orbit           [[cosh n mu, sinh n mu / rho], [rho sinh n mu, cosh n mu]]
stretch         w + sqrt(1 + w^2) = exp(arsinh w)

Main claims
-----------
symplectic.powers, symplectic.decompositions

Conventions
-----------
Column vectors.  The norm of a matrix is its largest stretch of a vector in the Euclidean norm.  A
matrix or number that a statement names is quantified and equal to what it names, so that a power
with an unknown exponent has entries.

References
----------
Derived here; the shears come from the abstract of HySPE (positional encoding by symplectic dual
shears).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import ImmutableMatrix, cosh, exp, log, sinh, sqrt

from posproof.theory.symbols import Variable, sequence, total, variables
from posproof.theory.symplectic.shears import composed, lower, upper
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

p, q, r, s, tau, gamma = variables("p q r s tau gamma", Real)
a, b, mu, rho = variables("a b mu rho", Positive)
alpha = Variable("a", Real)
k, n, N = Variable("k", Int(0)), Variable("n", Int(0)), Variable("N", Int(0))
j = Variable("j", Integer)
u, F, angle, x_at, y_at = (sequence(name) for name in ("u", "F", "a", "x", "y"))
#: Names of a matrix, of its norm, and of the vectors that it stretches.
M11, M12, M21, M22, sigma = variables("M11 M12 M21 M22 sigma", Real)
v1, v2 = variables("v1 v2", Real)
NAMED = ImmutableMatrix([[M11, M12], [M21, M22]])
ENTRIES = (M11, M12, M21, M22)
GENERIC = ImmutableMatrix([[p, q], [r, s]])
IDENTITY = ImmutableMatrix([[1, 0], [0, 1]])


def power(matrix: ImmutableMatrix, exponent: Any) -> Any:
    """The matrix multiplied `exponent` times, not carried out."""
    return sympy.MatPow(matrix, exponent, evaluate=False)


def stretched(matrix: ImmutableMatrix) -> Any:
    """The squared length of the image of the vector (v1, v2)."""
    return sum((matrix[i, 0] * v1 + matrix[i, 1] * v2) ** 2 for i in range(2))


def below(matrix: ImmutableMatrix, value: Any) -> Prop:
    """No vector is stretched by more than `value`."""
    return ForAll((v1, v2), Le(stretched(matrix), value**2 * (v1**2 + v2**2)))


def is_norm(matrix: ImmutableMatrix, value: Any) -> Prop:
    """`value` is the largest stretch, and a vector that is not 0 attains it."""
    attained = Eq(stretched(matrix), value**2 * (v1**2 + v2**2))
    found = Exists((v1, v2), And(Lt(0, v1**2 + v2**2), attained))
    return And(Le(0, value), below(matrix, value), found)


def norm(matrix: Any, value: Any) -> Prop:
    """The norm of a matrix, a power perhaps, is `value`."""
    named = And(Eq(NAMED, matrix), Eq(sigma, value))
    return ForAll((*ENTRIES, sigma), Implies(named, is_norm(NAMED, sigma)))


def bounded(matrix: Any, value: Any) -> Prop:
    """The norm of a matrix is at most `value`, which is not negative."""
    named = And(Eq(NAMED, matrix), Eq(sigma, value))
    return ForAll((*ENTRIES, sigma), Implies(named, And(Le(0, sigma), below(NAMED, sigma))))


def stretch(w: Any) -> Any:
    """exp(arsinh w)."""
    return w + sqrt(1 + w**2)


def determinant(matrix: ImmutableMatrix) -> Any:
    """p s - q r, not simplified."""
    return matrix[0, 0] * matrix[1, 1] - matrix[0, 1] * matrix[1, 0]


def squares(matrix: ImmutableMatrix) -> Any:
    """The squared Frobenius norm."""
    return sum(entry**2 for entry in matrix)


def orbit(mu: Any, rho: Any, n: Any) -> ImmutableMatrix:
    """[[cosh n mu, sinh n mu / rho], [rho sinh n mu, cosh n mu]]."""
    return ImmutableMatrix([[cosh(n * mu), sinh(n * mu) / rho], [rho * sinh(n * mu), cosh(n * mu)]])


# ---------------------------------------------------------------------- symplectic.powers
@dataclass(frozen=True)
class Powers:
    """The definitions of `symplectic.powers`; a control replaces one of them."""

    following: Callable[..., Any] = lambda trace, det, one, zero: trace * one - det * zero
    combined: Callable[..., Any] = lambda M, det, one, zero: one * M - det * zero * IDENTITY
    composed: Callable[[Any, Any], ImmutableMatrix] = composed
    upper: Callable[[Any], ImmutableMatrix] = upper
    lower: Callable[[Any], ImmutableMatrix] = lower
    orbit: Callable[[Any, Any, Any], ImmutableMatrix] = orbit
    cosine: Callable[[Any, Any], Any] = lambda a, b: 1 + a * b / 2
    corner: Callable[[Any, Any], Any] = lambda a, b: b * (1 + a * b / 4)
    degree: Callable[[Any], Any] = lambda n: n - 1
    parabolic: Callable[[Any], Any] = lambda n: -n * sympy.Pow(-1, n)


def recursion(of: Powers, trace: Any, det: Any) -> Prop:
    """u_0 = 0, u_1 = 1 and u_(k+2) = trace u_(k+1) - det u_k for every k < n."""
    rule = Eq(u(k + 2), of.following(trace, det, u(k + 1), u(k)))
    return And(Eq(u(0), 0), Eq(u(1), 1), ForAll(k, Implies(Lt(k, n), rule)))


def cayley_hamilton(of: Powers) -> Prop:
    trace, det = p + s, p * s - q * r
    following = Eq(power(GENERIC, n + 1), of.combined(GENERIC, det, u(n + 1), u(n)))
    back = And(
        Ne(det, 0), Eq(u(0), 0), Eq(u(1), 1), Eq(u(1), of.following(trace, det, u(0), u(-1)))
    )
    return And(
        ForAll((p, q, r, s, n), Implies(recursion(of, trace, det), following)),
        ForAll((p, q, r, s), Implies(back, Eq(IDENTITY, of.combined(GENERIC, det, u(0), u(-1))))),
    )


def inverse_powers(of: Powers) -> Prop:
    """The recursion holds on both sides of 0."""
    inverse = ImmutableMatrix([[s, -q], [-r, p]])

    def rule(at: Any) -> Prop:
        return Eq(u(at + 2), of.following(p + s, 1, u(at + 1), u(at)))

    both = ForAll(k, Implies(Lt(k, n), And(rule(k), rule(-k - 2))))
    given = And(Eq(p * s - q * r, 1), Eq(u(0), 0), Eq(u(1), 1), rule(-1), both)
    odd = Eq(u(-n), -u(n))
    back = Eq(power(inverse, n), of.combined(GENERIC, 1, u(-n), u(-n - 1)))
    return ForAll((p, q, r, s, n), Implies(given, And(odd, back)))


def chebyshev(of: Powers) -> Prop:
    polynomial = sympy.chebyshevu(of.degree(n), tau / 2)
    return ForAll((tau, n), Implies(recursion(of, tau, 1), Eq(u(n), polynomial)))


def hyperbolic(of: Powers) -> Prop:
    """The rate and the anisotropy are named by the equations that define them."""
    given = And(Eq(cosh(mu), of.cosine(a, b)), Eq(a * rho**2, of.corner(a, b)))
    closed = Eq(power(of.composed(a, b), n), of.orbit(mu, rho, n))
    return ForAll((a, b, mu, rho, n), Implies(given, closed))


def parabolic(of: Powers) -> Prop:
    flat = Implies(recursion(of, sympy.Integer(2), 1), Eq(u(n), n))
    turned = Implies(recursion(of, sympy.Integer(-2), 1), Eq(u(n), of.parabolic(n)))
    return And(ForAll(n, flat), ForAll(n, turned))


def fibonacci(of: Powers) -> Prop:
    rule = ForAll(k, Implies(Le(k, 2 * n), Eq(F(k + 1), F(k) + F(k - 1))))
    both = of.upper(sympy.Integer(1)) * of.lower(sympy.Integer(1))
    found = ImmutableMatrix([[F(2 * n + 1), F(2 * n)], [F(2 * n), F(2 * n - 1)]])
    given = And(Eq(F(0), 0), Eq(F(1), 1), Eq(F(-1), 1), rule)
    return ForAll(n, Implies(given, Eq(power(both, n), found)))


POWERS = Claim(
    id="symplectic.powers",
    title="Powers of a 2 x 2 matrix are combinations of the matrix and the identity",
    kind="identity",
    definitions=Powers(),
    clauses=(
        Clause(
            "cayley_hamilton",
            r"u_0 = 0,\ u_1 = 1,\ u_{n+2} = \tau u_{n+1} - \delta u_n \implies "
            r"M^n = u_n M - \delta u_{n-1} I \quad (n \ge 1;\ n = 0\ \text{if}\ \delta \ne 0,\ "
            r"u_{-1} = -1/\delta), \quad \tau = \operatorname{tr} M,\ \delta = \det M",
            cayley_hamilton,
        ),
        Clause(
            "inverse_powers",
            r"\det M = 1 \implies u_{-n} = -u_n,\quad M^{-n} = u_{-n} M - u_{-n-1} I "
            r"\quad (n \ge 0)",
            inverse_powers,
        ),
        Clause(
            "chebyshev",
            r"\delta = 1 \implies u_n = U_{n-1}(\tau/2) \quad (n \ge 0)",
            chebyshev,
        ),
        Clause(
            "hyperbolic",
            r"a, b > 0,\ \cosh\mu = 1 + \tfrac{ab}{2},\ a\rho^2 = b(1 + \tfrac{ab}{4}) \implies "
            r"S(a,b)^n = \begin{pmatrix} \cosh n\mu & \sinh(n\mu)/\rho \\ "
            r"\rho\sinh n\mu & \cosh n\mu \end{pmatrix} \quad (n \ge 0)",
            hyperbolic,
        ),
        Clause(
            "parabolic",
            r"\delta = 1: \quad \tau = 2 \implies u_n = n, \quad "
            r"\tau = -2 \implies u_n = (-1)^{n-1} n",
            parabolic,
        ),
        Clause(
            "fibonacci",
            r"\bigl(U(1)L(1)\bigr)^n = \begin{pmatrix} F_{2n+1} & F_{2n} \\ "
            r"F_{2n} & F_{2n-1} \end{pmatrix} \quad (n \ge 0)",
            fibonacci,
        ),
    ),
)


# ---------------------------------------------------------------------- symplectic.decompositions
@dataclass(frozen=True)
class Decompositions:
    """The definitions of `symplectic.decompositions`; a control replaces one of them."""

    upper: Callable[[Any], ImmutableMatrix] = upper
    lower: Callable[[Any], ImmutableMatrix] = lower
    turn: Callable[[Any, Any], ImmutableMatrix] = lambda p, r: ImmutableMatrix([[p, -r], [r, p]])
    length: Callable[[Any, Any], Any] = lambda p, r: p**2 + r**2
    shear: Callable[..., Any] = lambda p, q, r, s, n: (p * q + r * s) / n
    excess: Callable[[Any], Any] = lambda matrix: sqrt(squares(matrix) - 2)
    stretch: Callable[[Any], Any] = stretch
    half: Any = sympy.Rational(1, 2)


def iwasawa(of: Decompositions) -> Prop:
    """The squared length of the first column is a variable: its root occurs."""
    size = Variable("N", Positive)
    turn = of.turn(p, r) / sqrt(size)
    scale = ImmutableMatrix([[sqrt(size), 0], [0, 1 / sqrt(size)]])
    given = And(Eq(p * s - q * r, 1), Eq(size, of.length(p, r)))
    product = Eq(turn * scale * of.upper(of.shear(p, q, r, s, size)), GENERIC)
    orthogonal, proper = Eq(turn.T * turn, IDENTITY), Eq(determinant(turn), 1)
    return ForAll((p, q, r, s, size), Implies(given, And(product, orthogonal, proper)))


def singular_values(of: Decompositions) -> Prop:
    value = of.stretch(of.half * of.excess(GENERIC))
    x = Variable("x", Real)
    gram = GENERIC.T * GENERIC
    factors = Eq(determinant(gram - x * IDENTITY), (x - sigma**2) * (x - 1 / sigma**2))
    named = Implies(
        Eq(sigma, value),
        And(
            Le(1, sigma),
            Eq(sigma - 1 / sigma, of.excess(GENERIC)),
            is_norm(GENERIC, sigma),
            ForAll(x, factors),
        ),
    )
    return ForAll((p, q, r, s, sigma), Implies(Eq(p * s - q * r, 1), named))


def one_shear(of: Decompositions) -> Prop:
    size = of.stretch(of.half * sympy.Abs(alpha))
    return ForAll(alpha, And(norm(of.upper(alpha), size), norm(of.lower(alpha), size)))


def product_of_shears(of: Decompositions) -> Prop:
    """x_N is what the product of N shears, of either kind, makes of x_0."""
    at = ImmutableMatrix([x_at(k), y_at(k)])
    after = ImmutableMatrix([x_at(k + 1), y_at(k + 1)])
    step = Or(Eq(after, of.upper(angle(k)) * at), Eq(after, of.lower(angle(k)) * at))
    sizes = total(k, N, log(of.stretch(of.half * sympy.Abs(angle(k)))))
    goal = Le(x_at(N) ** 2 + y_at(N) ** 2, exp(2 * sizes) * (x_at(0) ** 2 + y_at(0) ** 2))
    return ForAll(N, Implies(ForAll(k, Implies(Lt(k, N), step)), goal))


DECOMPOSITIONS = Claim(
    id="symplectic.decompositions",
    title="A rotation, a scaling and a shear; and the stretch of a product of shears",
    kind="identity",
    definitions=Decompositions(),
    clauses=(
        Clause(
            "iwasawa",
            r"\det M = 1,\ N = p^2 + r^2 \implies "
            r"M = K A\, U\!\left(\tfrac{pq + rs}{N}\right), \quad "
            r"A = \begin{pmatrix} \sqrt N & 0 \\ 0 & 1/\sqrt N \end{pmatrix}, \quad "
            r"K = \tfrac{1}{\sqrt N}\begin{pmatrix} p & -r \\ r & p \end{pmatrix},\ "
            r"K^\top K = I,\ \det K = 1",
            iwasawa,
        ),
        Clause(
            "singular_values",
            r"\det M = 1 \implies \sigma = \exp\operatorname{arsinh}"
            r"\tfrac12\sqrt{\lVert M\rVert_F^2 - 2} \ge 1, \quad \lVert M\rVert = \sigma, \quad "
            r"\sigma - \sigma^{-1} = \sqrt{\lVert M\rVert_F^2 - 2}, \quad "
            r"\det(M^\top M - xI) = (x - \sigma^2)(x - \sigma^{-2})",
            singular_values,
        ),
        Clause(
            "one_shear",
            r"\lVert U(a)\rVert = \lVert L(a)\rVert = \exp\operatorname{arsinh}(|a|/2)",
            one_shear,
        ),
        Clause(
            "product_of_shears",
            r"\ln\lVert T_N \cdots T_1\rVert \le \sum_{i=1}^{N} \operatorname{arsinh}"
            r"\frac{|a_i|}{2} \quad (T_i = U(a_i)\ \text{or}\ L(a_i))",
            product_of_shears,
        ),
    ),
)
