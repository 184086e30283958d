r"""Wigner matrices in floating point: bounds, the fixed matrix, the factorisation, a certificate.

Main definitions
----------------
small           d^l of half an angle given by its cosine and sine
ladder          c_k = sqrt((l - k)(l + k + 1)), by the index of k
J_x, J_z        the generators, J_x tridiagonal and J_z diagonal
Degrees         what the claims about single degrees are made of

Main claims
-----------
spherical.matrix_certificate, spherical.half_pi_matrix, spherical.wigner_numerics,
spherical.factorisation

Conventions
-----------
twice = 2l, n = 2l + 1, index k = l + m runs from 0 to 2l, so m ascends;
D = exp(-i alpha J_z) exp(-i beta J_y) exp(-i gamma J_z), d = exp(-i beta J_y).
alpha_2, beta_2, gamma_2 are half of alpha, beta, gamma.  u is a unit
roundoff; errors delta_k of operations are relative.

References
----------
Derived here; no publication is quoted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sympy import (
    Abs,
    ImmutableMatrix,
    Integer,
    Rational,
    binomial,
    cos,
    diag,
    pi,
    sin,
    sqrt,
)

from posproof.theory.spherical.representations import action, quaternion
from posproof.theory.symbols import Variable, sequence, total, variables
from posproof.theory.vocabulary import (
    And,
    Claim,
    Clause,
    Eq,
    Finite,
    ForAll,
    Implies,
    Int,
    Le,
    Lt,
    Prop,
    Real,
)

k, j = variables("k j", Int(0))
n, h = variables("n h", Int(1))
alpha, half, gamma, u = variables("alpha_2 beta_2 gamma_2 u", Real)
a, b = sequence("a"), sequence("b")


# ---------------------------------------------------------------------- matrices of one degree
def small(twice: int, c: Any, s: Any) -> ImmutableMatrix:
    """d^l for cosine c and sine s of half the angle."""
    powers = action(twice, quaternion(c, c, s, s))
    weight = [binomial(twice, at) for at in range(twice + 1)]
    return ImmutableMatrix(
        twice + 1,
        twice + 1,
        lambda row, column: powers[row, column] * sqrt(weight[column] / weight[row]),
    )


def ladder(twice: int, at: int) -> Any:
    """c_k = sqrt((l - k)(l + k + 1)) for k = -l + at."""
    return sqrt(Integer((twice - at) * (at + 1)))


def J_x(twice: int, ladder: Callable[[int, int], Any] = ladder) -> ImmutableMatrix:
    """(J_+ + J_-) / 2."""

    def entry(row: int, column: int) -> Any:
        return ladder(twice, min(row, column)) / 2 if abs(row - column) == 1 else Integer(0)

    return ImmutableMatrix(twice + 1, twice + 1, entry)


def J_z(twice: int) -> ImmutableMatrix:
    """diag(-l, ..., l)."""
    return ImmutableMatrix(diag(*(Rational(2 * at - twice, 2) for at in range(twice + 1))))


@dataclass(frozen=True)
class Degrees:
    """What the claims about single degrees are made of; a control replaces one of them."""

    small: Callable[[int, Any, Any], ImmutableMatrix] = small
    ladder: Callable[[int, int], Any] = ladder
    quarter: tuple[Any, Any] = (1, 1)
    mirror: Callable[[int, int], Any] = lambda twice, at: (-1) ** (twice - at)


# ---------------------------------------------------------------------- spherical.half_pi_matrix
#: Degrees 2l at which the exact clauses of this claim are decided.
QUARTERS = range(1, 9)


def quarter_turn(of: Degrees, twice: int) -> ImmutableMatrix:
    """Delta = d^l(pi / 2): c = s = 1 / sqrt 2, whose powers are 2^-l together."""
    c, s = of.quarter
    return of.small(twice, c / sqrt(Integer(2)), s / sqrt(Integer(2)))


def start(of: Degrees) -> Prop:
    parts = []
    for twice in QUARTERS:
        delta, scale = quarter_turn(of, twice), sqrt(Integer(2)) ** twice
        for at in range(twice + 1):
            parts.append(Eq(scale * delta[0, at], sqrt(binomial(twice, at))))
    return And(*parts)


def recursion(of: Degrees) -> Prop:
    """The matrix equation J_x Delta = Delta J_z, row by row."""
    parts = []
    for twice in QUARTERS:
        delta, z = quarter_turn(of, twice), J_z(twice)
        parts.append(Eq(J_x(twice, of.ladder) * delta, delta * z))
    return And(*parts)


def symmetry(of: Degrees) -> Prop:
    parts = []
    for twice in QUARTERS:
        delta = quarter_turn(of, twice)
        signs = diag(*(of.mirror(twice, at) for at in range(twice + 1)))
        turned = ImmutableMatrix(twice + 1, twice + 1, lambda r, s: delta[twice - r, s])  # noqa: B023
        parts.append(Eq(turned, delta * ImmutableMatrix(signs)))
    return And(*parts)


HALF_PI_MATRIX = Claim(
    id="spherical.half_pi_matrix",
    title="The matrix of a quarter turn in plain float64",
    kind="identity",
    definitions=Degrees(),
    clauses=(
        Clause(
            "start",
            r"\Delta_{-l,m} = 2^{-l}\sqrt{\tbinom{2l}{l+m}},\quad \Delta = d^l(\pi/2) "
            r"\quad (2l = 1, \dots, 8)",
            start,
        ),
        Clause(
            "recursion",
            r"\tfrac12\bigl(c_{m'}\Delta_{m'+1,m} + c_{m'-1}\Delta_{m'-1,m}\bigr) = "
            r"m\,\Delta_{m'm},\quad c_k = \sqrt{(l-k)(l+k+1)} \quad (2l = 1, \dots, 8)",
            recursion,
        ),
        Clause(
            "symmetry",
            r"\Delta_{-m',m} = (-1)^{l-m}\Delta_{m'm} \quad (2l = 1, \dots, 8)",
            symmetry,
        ),
    ),
)


# --------------------------------------------------------------------- spherical.matrix_certificate
N, rho, epsilon, first, second, slack, value, entry, true = variables(
    "N rho epsilon epsilon_1 epsilon_2 eta s v w", Real
)
sigma = Variable("sigma", Finite((-1, 1)))
l = Variable("l", Real)  # noqa: E741
SPECTRUM = range(1, 7)


@dataclass(frozen=True)
class Certificate:
    """The definitions of `spherical.matrix_certificate`; a control replaces one of them."""

    small: Callable[[int, Any, Any], ImmutableMatrix] = small
    ladder: Callable[[int, int], Any] = ladder
    distance: Callable[[Any, Any], Any] = lambda k, j: k - j
    factor: Any = sqrt(2)
    norm: Callable[[Any], Any] = lambda n: (n - 1) / 2
    slack: Callable[[Any, Any, Any], Any] = lambda degree, e, f: degree * (e + f + e * f)
    sign: Callable[[Any, Any], Any] = lambda sigma, v: sigma * v


def half_angles(of: Certificate, twice: int) -> tuple[ImmutableMatrix, Any, Any]:
    """d, cos beta and sin beta, in the angle beta_2 = beta / 2."""
    c, s = cos(half), sin(half)
    return of.small(twice, c, s), c**2 - s**2, 2 * c * s


def eigenvectors(of: Certificate) -> Prop:
    parts = []
    for twice in SPECTRUM:
        d, c, s = half_angles(of, twice)
        x, z = J_x(twice, of.ladder), J_z(twice)
        parts.append(Eq((c * z + s * x) * d, d * z))
    return ForAll(half, And(*parts))


def neighbours(of: Certificate) -> Prop:
    parts = []
    for twice in SPECTRUM:
        d, c, s = half_angles(of, twice)
        x, z = J_x(twice, of.ladder), J_z(twice)
        parts.append(Eq((c * x - s * z) * d, d * x))
    return ForAll(half, And(*parts))


def column(of: Certificate) -> Prop:
    """a_k are the coefficients of a column in the true eigenvectors, the j-th one wanted."""
    given = And(
        Lt(j, n),
        Lt(0, N),
        Le(0, rho),
        Eq(total(k, n, a(k) ** 2), N**2),
        Eq(total(k, n, of.distance(k, j) ** 2 * a(k) ** 2), (rho * N) ** 2),
        Le(0, a(j)),
    )
    bound = (of.factor * rho + Abs(N - 1)) ** 2
    return ForAll((n, j, N, rho), Implies(given, Le(N**2 - 2 * a(j) + 1, bound)))


def norm(of: Certificate) -> Prop:
    moved = total(k, n, (k - (n - 1) / 2) ** 2 * a(k) ** 2)
    return ForAll(n, Le(moved, of.norm(n) ** 2 * total(k, n, a(k) ** 2)))


q1, q2, q3 = variables("q_1 q_2 q_3", Real)


def between(value: Any, limit: Any) -> tuple[Prop, Prop]:
    return Le(-limit, value), Le(value, limit)


def off(of: Certificate) -> Prop:
    """(w_1 + e_1)^T B (w_2 + e_2) - w_1^T B w_2 is the sum of three products."""
    given = And(
        Le(0, l),
        Le(0, first),
        Le(0, second),
        *between(q1, l * second),
        *between(q2, l * first),
        *between(q3, l * first * second),
    )
    bound = of.slack(l, first, second)
    goal = And(*between(q1 + q2 + q3, bound))
    return ForAll((l, first, second, q1, q2, q3), Implies(given, goal))


c = Variable("c", Real)


def signs(of: Certificate) -> Prop:
    """sigma is the product of the signs of two neighbours; 1 when the matrix is right."""
    given = And(Le(0, c), *between(value - sigma * c / 2, slack), Lt(slack, of.sign(1, value)))
    return ForAll((sigma, c, value, slack), Implies(given, Eq(sigma, 1)))


def first_column(of: Certificate) -> Prop:
    """t is the sign of the true entry w, sigma that of the whole column."""
    t = Variable("t", Finite((-1, 1)))
    given = And(
        Le(0, t * true),
        *between(entry - sigma * true, epsilon),
        Lt(epsilon, of.sign(t, entry)),
    )
    return ForAll((sigma, t, true, entry, epsilon), Implies(given, Eq(sigma, 1)))


MATRIX_CERTIFICATE = Claim(
    id="spherical.matrix_certificate",
    title="How wrong anybody's Wigner matrix is, without a reference",
    kind="bound",
    definitions=Certificate(),
    hypotheses=(
        "A = cos(beta) J_z + sin(beta) J_x and B = cos(beta) J_x - sin(beta) J_z; w_m is the "
        "column m of d^l(beta)",
        "column: v = a_0 w_(-l) + ... + a_2l w_l is the column in question, N its length and rho N "
        "the length of (A - m_j) v",
    ),
    clauses=(
        Clause(
            "eigenvectors",
            r"(\cos\beta\,J_z + \sin\beta\,J_x)\,d^l(\beta) = d^l(\beta)\,J_z "
            r"\quad (2l = 1, \dots, 6)",
            eigenvectors,
        ),
        Clause(
            "neighbours",
            r"(\cos\beta\,J_x - \sin\beta\,J_z)\,d^l(\beta) = d^l(\beta)\,J_x "
            r"\quad (2l = 1, \dots, 6)",
            neighbours,
        ),
        Clause(
            "column",
            r"\sum_{k<n} a_k^2 = N^2 > 0,\ \sum_{k<n} (k-j)^2 a_k^2 = \rho^2 N^2,\ a_j \ge 0 "
            r"\implies \lVert v - w_j\rVert^2 = N^2 - 2a_j + 1 \le "
            r"\bigl(\sqrt2\,\rho + |N - 1|\bigr)^2",
            column,
        ),
        Clause(
            "norm",
            r"\sum_{k \le 2l} (k-l)^2 a_k^2 \le l^2 \sum_{k \le 2l} a_k^2 "
            r"\quad \text{(that is, } \lVert B\rVert = l\text{)}",
            norm,
        ),
        Clause(
            "slack",
            r"|q_1| \le l\varepsilon_2,\ |q_2| \le l\varepsilon_1,\ "
            r"|q_3| \le l\varepsilon_1\varepsilon_2 \implies |q_1 + q_2 + q_3| \le "
            r"l(\varepsilon_1 + \varepsilon_2 + \varepsilon_1\varepsilon_2)",
            off,
        ),
        Clause(
            "signs",
            r"c \ge 0,\ \sigma = \pm 1,\ |s - \sigma c/2| \le \eta < s \implies \sigma = 1",
            signs,
        ),
        Clause(
            "first_column",
            r"t, \sigma = \pm 1,\ t w \ge 0,\ |v - \sigma w| \le \varepsilon < t v "
            r"\implies \sigma = 1",
            first_column,
        ),
    ),
)


# ---------------------------------------------------------------------- spherical.wigner_numerics
x, y, e, delta, r = variables("x y epsilon_D delta r", Real)
P, T, G, H, total_error = variables("P T G H E", Real)
roundings = variables("delta_1 delta_2 delta_3 delta_4 delta_5 delta_6 delta_7", Real)
parts = {name: sequence(name) for name in ("p", "f", "d1", "d2", "d3", "g", "x")}


@dataclass(frozen=True)
class Rounding:
    """The definitions of `spherical.wigner_numerics`; a control replaces one of them."""

    small: Callable[[int, Any, Any], ImmutableMatrix] = small
    quarter: tuple[Any, Any] = (1, 1)
    sign: Callable[[int], int] = lambda difference: (-1) ** (difference // 2)
    phase_units: Any = 7
    addition: Callable[[Any, Any, Any, Any], Any] = lambda c, s, C, S: (c * C, s * S)
    entry_bound: Callable[[Any, Any], Any] = lambda h, u: (h + 11) * u
    unitarity_bound: Callable[[Any, Any, Any], Any] = lambda e, r, u: (
        2 * e * r + r**2 * e**2 + sqrt(2) * (2 * r**2 + 2) * u
    )
    homomorphism_bound: Callable[..., Any] = lambda e, r, u, degree, delta: (
        e * (1 + 2 * r) + r**2 * e**2 + sqrt(2) * (2 * r**2 + 2) * u + degree * delta
    )


#: Degrees 2l at which the fold is decided.
FOLDED = range(1, 7)


def folded(of: Rounding, twice: int) -> ImmutableMatrix:
    """d from products of two rows of Delta, cosines and sines of mu beta, mu >= 0."""
    c, s = of.quarter
    delta_ = of.small(twice, c / sqrt(Integer(2)), s / sqrt(Integer(2)))

    def entry(row: int, column: int) -> Any:
        wave = sin if (column - row) % 2 else cos
        terms = 0
        for at in range((twice + 1) // 2, twice + 1):
            mu = 2 * at - twice
            weight = 1 if mu == 0 else 2
            terms += weight * delta_[row, at] * delta_[column, at] * wave(mu * half)
        return of.sign(column - row) * terms

    return ImmutableMatrix(twice + 1, twice + 1, entry)


def fold(of: Rounding) -> Prop:
    matrices = (Eq(small(t, cos(half), sin(half)), folded(of, t)) for t in FOLDED)
    return ForAll(half, And(*matrices))


def within(values: Any, limit: Any) -> tuple[Prop, ...]:
    return tuple(part for value in values for part in between(value, limit))


def phase(of: Rounding) -> Prop:
    """cos(x + y) from four rounded values, two products and a difference."""
    d1, d2, d3, d4, d5, d6, d7 = roundings
    c, s, C, S = cos(x) * (1 + d1), sin(x) * (1 + d2), cos(y) * (1 + d3), sin(y) * (1 + d4)
    left, right = of.addition(c, s, C, S)
    found = (left * (1 + d5) - right * (1 + d6)) * (1 + d7)
    given = And(Le(0, u), Le(16 * u, 1), *within((d1, d2, d3, d4), 2 * u), *within((d5, d6, d7), u))
    goal = And(*between(found - cos(x + y), of.phase_units * u))
    return ForAll((x, y, u, *roundings), Implies(given, goal))


def entries(of: Rounding) -> Prop:
    """a_k, b_k are sqrt(w) times entries of two rows of Delta, p_k the phases, x_k the terms."""
    p, f, d1, d2, d3, g, term = (part(k) for part in parts.values())
    computed = Eq(term, a(k) * b(k) * (p + f) * (1 + d1) * (1 + d2) * (1 + d3) * (1 + g))
    small_parts = (
        *within((p,), 1),
        *within((f,), 7 * u),
        *within((d1, d2, d3), u),
        *within((g,), h * u),
    )
    given = And(
        Le(0, u),
        Le(64 * h * u, 1),
        Le(total(k, h, a(k) ** 2), 1),
        Le(total(k, h, b(k) ** 2), 1),
        ForAll(k, Implies(Lt(k, h), And(computed, *small_parts))),
    )
    gap = total(k, h, term) - total(k, h, a(k) * b(k) * p)
    return ForAll((h, u), Implies(given, And(*between(gap, of.entry_bound(h, u)))))


def unitarity(of: Rounding) -> Prop:
    """r = sqrt(n); P what a complex product rounds, T what the factors' errors make of it."""
    given = And(
        *(Le(0, value) for value in (e, u)),
        Le(1, r),
        Le(2 * r**3 * e + r**4 * e**2, 1),
        Le(P, sqrt(2) * 2 * r**2 * u * (1 + e * r) ** 2),
        Le(T, 2 * e * r + r**2 * e**2),
        Le(total_error, P + T),
    )
    goal = Le(total_error, of.unitarity_bound(e, r, u))
    return ForAll((e, r, u, P, T, total_error), Implies(given, goal))


def homomorphism(of: Rounding) -> Prop:
    """G what angles that are off by delta do, H the error of the matrix of the product."""
    given = And(
        *(Le(0, value) for value in (e, u, l, delta)),
        Le(1, r),
        Le(2 * r**3 * e + r**4 * e**2, 1),
        Le(P, sqrt(2) * 2 * r**2 * u * (1 + e * r) ** 2),
        Le(T, 2 * e * r + r**2 * e**2),
        Le(G, l * delta),
        Le(H, e),
        Le(total_error, P + T + G + H),
    )
    goal = Le(total_error, of.homomorphism_bound(e, r, u, l, delta))
    return ForAll((e, r, u, l, delta, P, T, G, H, total_error), Implies(given, goal))


WIGNER_NUMERICS = Claim(
    id="spherical.wigner_numerics",
    title="Wigner matrices in float64 to within (h + 11) u",
    kind="bound",
    definitions=Rounding(),
    hypotheses=(
        "u is the unit roundoff, n = 2l + 1, h = ceil(n / 2); cosine and sine of the library are "
        "within 2 u of their own size, nothing underflows",
        "entries: a_k, b_k are sqrt(w_mu) times entries of two rows of Delta, each rounded once, "
        "p_k the phases, computed to within f_k, g_k what the sum of h terms does, in any order",
        "unitarity, homomorphism: e bounds the error of an entry of D, P what rounding the product "
        "does, T what errors of the factors do, G and H those of angles and of the other side",
    ),
    depends=("spherical.half_pi_matrix", "spherical.matrix_certificate"),
    clauses=(
        Clause(
            "fold",
            r"d_{m'm}(\beta) = (-1)^{\lfloor (m-m')/2\rfloor} \sum_{\mu \ge 0} w_\mu "
            r"\Delta_{m'\mu}\Delta_{m\mu}\, t(\mu\beta)\quad w_0 = 1,\ w_\mu = 2,\ "
            r"t = \cos \text{ or } \sin \text{ for even or odd } m - m' \quad (2l = 1, \dots, 6)",
            fold,
        ),
        Clause(
            "phase",
            r"|\delta_{1\dots4}| \le 2u,\ |\delta_{5,6,7}| \le u \le \tfrac1{16},\quad "
            r"c = \cos x\cos y\,(1+\delta_1)(1+\delta_3)(1+\delta_5),\quad "
            r"s = \sin x\sin y\,(1+\delta_2)(1+\delta_4)(1+\delta_6) \implies "
            r"|(c - s)(1+\delta_7) - \cos(x+y)| \le 7u",
            phase,
        ),
        Clause(
            "entries",
            r"x_k = a_k b_k (p_k + f_k)(1+\delta_{1k})(1+\delta_{2k})(1+\delta_{3k})(1+g_k),\ "
            r"\sum_{k<h} a_k^2 \le 1,\ \sum_{k<h} b_k^2 \le 1,\ |p_k| \le 1,\ |f_k| \le 7u,\ "
            r"|\delta_{ik}| \le u,\ |g_k| \le hu \le \tfrac1{64} \implies "
            r"\Bigl|\sum_{k<h} x_k - \sum_{k<h} a_k b_k p_k\Bigr| \le (h + 11)\,u",
            entries,
        ),
        Clause(
            "unitarity",
            r"P \le 2\sqrt2\,nu\,(1 + e\sqrt n)^2,\ T \le 2e\sqrt n + ne^2,\ "
            r"2n^{3/2}e + n^2e^2 \le 1 \implies P + T \le "
            r"2e\sqrt n + ne^2 + \sqrt2\,(2n+2)u",
            unitarity,
        ),
        Clause(
            "homomorphism",
            r"P, T \text{ as before},\ G \le l\delta,\ H \le e \implies P + T + G + H \le "
            r"e(1 + 2\sqrt n) + ne^2\quad + \sqrt2\,(2n+2)u + l\delta",
            homomorphism,
        ),
    ),
)


# ---------------------------------------------------------------------- spherical.factorisation
#: Degrees 2l at which the factorisation is decided.
FACTORED = range(1, 7)
psi, chi, stage1, stage2, stage3, stage4, stage5 = variables("psi chi e_1 e_2 e_3 e_4 e_5", Real)


@dataclass(frozen=True)
class Factors:
    """The definitions of `spherical.factorisation`; a control replaces one of them."""

    small: Callable[[int, Any, Any], ImmutableMatrix] = small
    quarter: tuple[Any, Any] = (1, 1)
    last: Callable[[ImmutableMatrix], ImmutableMatrix] = lambda delta: delta.T
    before: Any = -pi / 2
    after: Any = pi / 2
    apply_bound: Callable[[Any, Any], Any] = lambda r, u: 2 * (r**2 + 2) * r * u + 40 * u


def turned(left: ImmutableMatrix, phases: Any, right: ImmutableMatrix) -> tuple[Any, Any]:
    """left diag(e^(-i phase)) right as real and imaginary part, for real left and right."""
    c = ImmutableMatrix(diag(*(cos(phase) for phase in phases)))
    s = ImmutableMatrix(diag(*(sin(phase) for phase in phases)))
    return left * c * right, -(left * s * right)


def outer(size: int, first: Any, last: Any, inside: tuple[Any, Any]) -> tuple[Any, Any]:
    """diag(e^(-i first)) (X + i Y) diag(e^(-i last)), real and imaginary part."""
    X, Y = inside

    def entry(row: int, column: int, part: int) -> Any:
        c, s = cos(first[row] + last[column]), sin(first[row] + last[column])
        real, imag = X[row, column], Y[row, column]
        return c * real + s * imag if part == 0 else c * imag - s * real

    return tuple(
        ImmutableMatrix(size, size, lambda i, j, part=part: entry(i, j, part)) for part in (0, 1)
    )


def factorisation(of: Factors) -> Prop:
    """Real and imaginary parts, in half angles: 2 m is whole."""
    equations = []
    for twice in FACTORED:
        size = twice + 1
        c, s = of.quarter
        delta_ = of.small(twice, c / sqrt(Integer(2)), s / sqrt(Integer(2)))
        m = [2 * at - twice for at in range(size)]
        middle = turned(delta_, [q * half for q in m], of.last(delta_))
        shifted = outer(
            size,
            [q * (alpha + of.after / 2) for q in m],
            [q * (gamma + of.before / 2) for q in m],
            middle,
        )
        d = small(twice, cos(half), sin(half)), ImmutableMatrix(size, size, lambda i, j: 0)
        plain = outer(size, [q * alpha for q in m], [q * gamma for q in m], d)
        equations += [Eq(one, other) for one, other in zip(plain, shifted, strict=True)]
    return ForAll((alpha, half, gamma), And(*equations))


def orthogonal(of: Factors) -> Prop:
    equations = []
    for twice in QUARTERS:
        c, s = of.quarter
        delta_ = of.small(twice, c / sqrt(Integer(2)), s / sqrt(Integer(2)))
        one = ImmutableMatrix(diag(*([1] * (twice + 1))))
        equations.append(Eq(delta_ * of.last(delta_), one))
    return And(*equations)


def applied(of: Factors) -> Prop:
    """Relative errors after each of three phases and two products, r = sqrt(n)."""
    grow = (
        Le(stage1, psi),
        Le(stage2, stage1 + chi * (1 + stage1)),
        Le(stage3, stage2 + psi * (1 + stage2)),
        Le(stage4, stage3 + chi * (1 + stage3)),
        Le(stage5, stage4 + psi * (1 + stage4)),
    )
    given = And(
        Le(0, u),
        Le(1, r),
        Le(64 * r * (r**2 + 1) ** 2 * u, 1),
        Le(0, psi),
        Le(psi, 12 * u),
        Le(0, chi),
        Le(chi, r * ((r**2 + 1) * u + r**2 * u**2)),
        *grow,
    )
    names = (u, r, psi, chi, stage1, stage2, stage3, stage4, stage5)
    return ForAll(names, Implies(given, Le(stage5, of.apply_bound(r, u))))


FACTORISATION = Claim(
    id="spherical.factorisation",
    title="SO(3)-RoPE is three rotary encodings and two fixed matrices",
    kind="identity",
    definitions=Factors(),
    hypotheses=(
        "apply: e_1, ..., e_5 are errors relative to the vector after each of the five factors, "
        "psi of a phase and its complex product, chi of a product with Delta, n = 2l + 1",
    ),
    depends=("spherical.half_pi_matrix",),
    clauses=(
        Clause(
            "factorisation",
            r"D^l(\alpha,\beta,\gamma) = e^{-i(\alpha+\pi/2)J_z}\,\Delta\,e^{-i\beta J_z}\,"
            r"\Delta^{\mathsf T}\,e^{-i(\gamma-\pi/2)J_z},\quad \Delta = d^l(\pi/2) "
            r"\quad (2l = 1, \dots, 6)",
            factorisation,
        ),
        Clause(
            "orthogonal",
            r"\Delta\Delta^{\mathsf T} = I \quad (2l = 1, \dots, 8)",
            orthogonal,
        ),
        Clause(
            "apply",
            r"e_1 \le \psi,\ e_2 \le e_1 + \chi(1+e_1),\ e_3 \le e_2 + \psi(1+e_2),\ "
            r"e_4 \le e_3 + \chi(1+e_3),\ e_5 \le e_4 + \psi(1+e_4),\ \psi \le 12u,\ "
            r"\chi \le \sqrt n\,\bigl((n+1)u + nu^2\bigr),\ 64\sqrt n\,(n+1)^2u \le 1 \implies "
            r"e_5 \le 2(n+2)\sqrt n\,u + 40u",
            applied,
        ),
    ),
)
