r"""The rotary attention kernel: scores, floors, and what they say about its spectrum.

Main definitions
----------------
score(inner)         beta times the inner product of two unit vectors
floor(n)             1 / (1 + (n - 1) exp(2 beta)), the least entry an attention row can have
entry(j)             exp(s(j)) / sum of exp(s(k)), one entry of a row of scores
rotated, unrotated   R^i x and R^(-i) x in one plane
Reversible           turns of queries and keys, weights and what makes the kernel reversible

Main claims
-----------
dynamics.floors, dynamics.spectral_bound, dynamics.reversible

Conventions
-----------
n >= 2 tokens x_i on the unit sphere of R^d; y_i = R^i x_i is the token as the scores see it, and
s_ij = beta <y_i, y_j>.  Row i has the scores s(k) = s_ik, k < n: they lie in [-beta, beta], and
s(i) = beta.  No mask.  A matrix of weights W is stored row-major: W_ij is W(n i + j).  In any
dimension coordinate c < d of the rotated token y_i is y(d i + c); in m planes the token x_i is
(X(m i + c), Y(m i + c)), turned by theta(c) radians per position.

References
----------
The statements are derived here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sympy import Integer as Whole
from sympy import Matrix, cos, exp, log, sin

from posproof.theory.symbols import Variable, sequence, total, variables
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
    Le,
    Lt,
    Ne,
    Positive,
    Prop,
    Real,
)

n = Variable("n", Int(2))
d = Variable("d", Int(1))
i, j, k, c = variables("i j k c", Int(0))
beta = Variable("beta", Real)
warm = Variable("beta", Positive)
theta, a, b = variables("theta a b", Real)
s, y, z, W = sequence("s"), sequence("y"), sequence("z"), sequence("W")
v, w = sequence("v"), sequence("w")
p, q = variables("p q", Int(0))
E = Variable("E", Positive)
low, mu, nu = variables("alpha mu nu", Real)


def floor(n: Any, beta: Any) -> Any:
    """The least entry: every token but j at score beta, token j at -beta."""
    return 1 / (1 + (n - 1) * exp(2 * beta))


def ceiling(n: Any, beta: Any) -> Any:
    """The largest entry off the diagonal: tokens i and j at score beta, the others at -beta."""
    return 1 / (2 + (n - 2) * exp(-2 * beta))


def diagonal_ceiling(n: Any, beta: Any) -> Any:
    """The largest diagonal entry: all other tokens at score -beta."""
    return 1 / (1 + (n - 1) * exp(-2 * beta))


def rotation(angle: Any) -> Any:
    return Matrix([[cos(angle), -sin(angle)], [sin(angle), cos(angle)]]).as_immutable()


@dataclass(frozen=True)
class Attention:
    """The definitions of this topic; a control replaces one of them."""

    score: Callable[[Any, Any], Any] = lambda beta, inner: beta * inner
    floor: Callable[[Any, Any], Any] = floor
    ceiling: Callable[[Any, Any], Any] = ceiling
    diagonal_floor: Callable[[Any], Any] = lambda n: 1 / n
    diagonal_ceiling: Callable[[Any, Any], Any] = diagonal_ceiling
    own_score: Callable[[Any], Any] = lambda beta: beta
    rotation: Callable[[Any], Any] = rotation
    contraction: Callable[[Any, Any], Any] = lambda n, low: 1 - n * low

    def entry(self, j: Any) -> Any:
        return exp(s(j)) / total(k, n, exp(s(k)))

    def row(self, i: Any, beta: Any) -> Prop:
        """s(k), k < n, is a row of scores of query i."""
        inside = And(Le(-beta, s(k)), Le(s(k), beta))
        bounded = ForAll(k, Implies(Lt(k, n), inside))
        return And(bounded, Lt(i, n), Eq(s(i), self.own_score(beta)))


# ---------------------------------------------------------------------- floors
def scores(of: Attention) -> Prop:
    """Cauchy-Schwarz for unit vectors, with both cases of equality."""
    inner = total(c, d, y(c) * z(c))
    unit = And(Eq(total(c, d, y(c) ** 2), 1), Eq(total(c, d, z(c) ** 2), 1))
    value = of.score(warm, inner)
    within = And(Le(-warm, value), Le(value, warm))
    same = ForAll(c, Implies(Lt(c, d), Eq(y(c), z(c))))
    opposite = ForAll(c, Implies(Lt(c, d), Eq(y(c), -z(c))))
    equal = And(Iff(Eq(value, warm), same), Iff(Eq(value, -warm), opposite))
    return ForAll((d, warm), Implies(unit, And(within, equal)))


def off_diagonal(of: Attention) -> Prop:
    entry, top = of.entry(j), of.ceiling(n, beta)
    bounds = And(Le(of.floor(n, beta), entry), Le(entry, top), Le(top, Whole(1) / 2))
    given = And(of.row(i, beta), Lt(j, n), Ne(i, j))
    return ForAll((n, i, j, beta), Implies(given, bounds))


def diagonal(of: Attention) -> Prop:
    own = of.entry(i)
    bounds = And(
        Le(of.diagonal_floor(n), own),
        Le(own, of.diagonal_ceiling(n, beta)),
        Le(of.entry(j), own),
    )
    given = And(of.row(i, beta), Lt(j, n))
    return ForAll((n, i, j, beta), Implies(given, bounds))


def all_but(names: tuple[Any, ...], value: Any) -> Prop:
    """s(k) is `value` for every k < n that is none of the names."""
    body: Prop = Eq(s(k), value)
    for name in reversed(names):
        body = Implies(Ne(k, name), body)
    return ForAll(k, Implies(Lt(k, n), body))


def attained(of: Attention) -> Prop:
    """When each of the four bounds is an equality; beta > 0."""
    lowest = Iff(Eq(of.entry(j), of.floor(n, warm)), And(Eq(s(j), -warm), all_but((j,), warm)))
    highest = Iff(Eq(of.entry(j), of.ceiling(n, warm)), And(Eq(s(j), warm), all_but((i, j), -warm)))
    least = Iff(Eq(of.entry(i), of.diagonal_floor(n)), all_but((), warm))
    most = Iff(Eq(of.entry(i), of.diagonal_ceiling(n, warm)), all_but((i,), -warm))
    given = And(of.row(i, warm), Lt(j, n), Ne(i, j))
    return ForAll((n, i, j, warm), Implies(given, And(lowest, highest, least, most)))


def every_angle(of: Attention) -> Prop:
    """Any y_i is R^i x_i for x_i = R^(-i) y_i, of the same length."""
    point = Matrix([[a], [b]]).as_immutable()
    back = of.rotation(-i * theta) * point
    forth = of.rotation(i * theta) * back
    length = back[0, 0] ** 2 + back[1, 0] ** 2
    return ForAll((i, theta, a, b), And(Eq(forth, point), Eq(length, a**2 + b**2)))


def cold(of: Attention) -> Prop:
    """At beta = 0 every entry and every bound is 1 / n."""
    bounds = (
        of.floor(n, 0),
        of.ceiling(n, 0),
        of.diagonal_floor(n),
        of.diagonal_ceiling(n, 0),
    )
    level = And(Eq(of.entry(j), 1 / n), *(Eq(bound, 1 / n) for bound in bounds))
    return ForAll((n, i, j), Implies(And(of.row(i, Whole(0)), Lt(j, n)), level))


FLOORS = Claim(
    id="dynamics.floors",
    title="Sharp floors and ceilings of the softmax of rotary scores",
    kind="bound",
    definitions=Attention(),
    hypotheses=(
        "$n \\ge 2$ unit vectors, $y_i = R^i x_i$, $s_{ij} = \\beta\\langle y_i, y_j\\rangle$, "
        "$A_{ij} = e^{s_{ij}}/\\sum_k e^{s_{ik}}$, no mask",
        "$\\beta$ such that a row exists: $\\beta \\ge 0$",
    ),
    clauses=(
        Clause(
            "scores",
            r"|y| = |z| = 1,\ \beta > 0: \quad -\beta \le \beta\langle y, z\rangle \le \beta,"
            r"\quad \text{the ends only for } z = -y \text{ and } z = y",
            scores,
        ),
        Clause(
            "off_diagonal",
            r"i \ne j: \quad \frac{1}{1 + (n-1)e^{2\beta}} \le A_{ij} \le "
            r"\frac{1}{2 + (n-2)e^{-2\beta}} \le \tfrac12",
            off_diagonal,
        ),
        Clause(
            "diagonal",
            r"\tfrac1n \le A_{ii} \le \frac{1}{1 + (n-1)e^{-2\beta}},\quad A_{ij} \le A_{ii}",
            diagonal,
        ),
        Clause(
            "attained",
            r"\beta > 0,\ i \ne j: \quad A_{ij} = \tfrac{1}{1 + (n-1)e^{2\beta}} \iff "
            r"s_{ij} = -\beta,\ s_{ik} = \beta\ (k \ne j); \quad "
            r"A_{ij} = \tfrac{1}{2 + (n-2)e^{-2\beta}} \iff s_{ij} = \beta,\ "
            r"s_{ik} = -\beta\ (k \ne i, j); \quad "
            r"A_{ii} = \tfrac1n \iff s_{ik} = \beta\ (\text{all } k); \quad "
            r"A_{ii} = \tfrac{1}{1 + (n-1)e^{-2\beta}} \iff s_{ik} = -\beta\ (k \ne i)",
            attained,
        ),
        Clause(
            "every_angle",
            r"R^i(R^{-i}y) = y,\ |R^{-i}y| = |y|: \text{ the extremal } y_k \text{ are reached "
            r"by } x_k = R^{-k}y_k \text{ for every } \theta",
            every_angle,
        ),
        Clause(
            "cold",
            r"\beta = 0 \implies A_{ij} = \tfrac1n, \text{ and all four bounds are } \tfrac1n",
            cold,
        ),
    ),
)


# ---------------------------------------------------------------------- spectral_bound
def below(name: Any, body: Prop) -> Prop:
    """The statement for every name < n."""
    return ForAll(name, Implies(Lt(name, n), body))


def row_sum(weights: Any, i: Any) -> Any:
    """D_i, the sum of the weights of row i."""
    return total(k, n, weights(n * i + k))


def eigenvector(weights: Any) -> Prop:
    """A (v + 1j w) = (mu + 1j nu) (v + 1j w) with A_ij = W_ij / D_i."""
    whole = row_sum(weights, i)
    real = Eq(total(j, n, weights(n * i + j) * v(j)), (mu * v(i) - nu * w(i)) * whole)
    imaginary = Eq(total(j, n, weights(n * i + j) * w(j)), (nu * v(i) + mu * w(i)) * whole)
    return below(i, And(real, imaginary))


def distance(a: Any, b: Any) -> Any:
    """The squared distance of two entries of v + 1j w."""
    return (v(a) - v(b)) ** 2 + (w(a) - w(b)) ** 2


def farthest() -> Prop:
    """p, q are a farthest pair of entries, and not equal."""
    largest = below(i, below(j, Le(distance(i, j), distance(p, q))))
    return And(largest, Lt(p, n), Lt(q, n), Lt(0, distance(p, q)))


def eigenvalue(of: Attention) -> Prop:
    positive = below(i, Lt(0, row_sum(W, i)))
    floor = below(i, below(j, Le(low * row_sum(W, i), W(n * i + j))))
    given = And(positive, floor, eigenvector(W), farthest())
    bound = Le(mu**2 + nu**2, of.contraction(n, low) ** 2)
    return ForAll((n, p, q, low, mu, nu), Implies(given, bound))


def attention(of: Attention) -> Prop:
    """E = exp(beta); the weights exp(s_ij) lie between 1/E and E."""
    inside = And(Le(1 / E, W(n * i + j)), Le(W(n * i + j), E))
    given = And(below(i, below(j, inside)), eigenvector(W), farthest())
    bound = Le(mu**2 + nu**2, of.contraction(n, of.floor(n, log(E))) ** 2)
    return ForAll((n, p, q, E, mu, nu), Implies(given, bound))


def sharp(of: Attention) -> Prop:
    """n = 2, s_00 = s_11 = beta, s_01 = s_10 = -beta: (1, -1) is an eigenvector."""
    near, far = exp(beta), exp(-beta)
    value = (near - far) / (near + far)
    two = Eq(1 - value, 1 - of.contraction(2, of.floor(2, beta)))
    cold = Eq(of.contraction(n, of.floor(n, 0)), 0)
    return And(ForAll(beta, two), ForAll(n, cold))


SPECTRAL_BOUND = Claim(
    id="dynamics.spectral_bound",
    title="A floor under the entries of a stochastic matrix bounds its spectrum",
    kind="bound",
    definitions=Attention(),
    depends=("dynamics.floors",),
    hypotheses=(
        "$A_{ij} = W_{ij}/D_i$ with row sums $D_i = \\sum_j W_{ij} > 0$",
        "$Av = \\lambda v$ with $v$ not constant (so for every $\\lambda \\ne 1$)",
        "$p, q$ is a pair of indices for which $|v_p - v_q|$ is largest",
        "$a(n, \\beta) = 1/(1 + (n-1)e^{2\\beta})$",
    ),
    clauses=(
        Clause(
            "eigenvalue",
            r"A_{ij} \ge \alpha \text{ for all } i, j \implies |\lambda| \le 1 - n\alpha",
            eigenvalue,
        ),
        Clause(
            "attention",
            r"W_{ij} = e^{s_{ij}},\ |s_{ij}| \le \beta \implies |\lambda| \le 1 - n\,a(n, \beta),"
            r" \text{ so the gap is at least } n\,a(n, \beta)",
            attention,
        ),
        Clause(
            "sharp",
            r"n = 2,\ y_1 = -y_0: \quad 1 - \lambda_2 = 1 - \tanh\beta = 2a(2, \beta); \quad "
            r"\beta = 0: \quad 1 - n\,a(n, 0) = 0",
            sharp,
        ),
    ),
)


# ---------------------------------------------------------------------- reversible
m = Variable("m", Int(1))
power = Variable("M", Int(0))
x, X, Y, angle = sequence("x"), sequence("X"), sequence("Y"), sequence("theta")
A, stationary, rho = sequence("A"), sequence("pi"), sequence("rho", Positive)
Plane = tuple[Any, Any]


def turned(plane: Plane, by: Any) -> Plane:
    """A point of the plane rotated by an angle in radians."""
    return plane[0] * cos(by) - plane[1] * sin(by), plane[0] * sin(by) + plane[1] * cos(by)


@dataclass(frozen=True)
class Reversible(Attention):
    """The definitions of `dynamics.reversible`; a control replaces one of them."""

    turned: Callable[[Plane, Any], Plane] = turned
    query_turn: Callable[[Any, Any], Any] = lambda i, theta: i * theta
    key_turn: Callable[[Any, Any], Any] = lambda j, theta: j * theta
    product: Callable[[Any, Any], Any] = lambda near, far: near * far
    squared: Callable[[Any], Any] = lambda root: root**2
    opposite: int = -1

    def rotated_score(self, i: Any, j: Any) -> Any:
        """<R^i x_i, R^j x_j> over m planes, times beta."""
        one, two = ((X(m * t + c), Y(m * t + c)) for t in (i, j))
        p, q = self.turned(one, self.query_turn(i, angle(c)))
        r, s = self.turned(two, self.key_turn(j, angle(c)))
        return self.score(beta, total(c, m, p * r + q * s))

    def inner(self, i: Any, j: Any) -> Any:
        """G_ij = <y_i, y_j>."""
        return total(c, d, self.product(y(d * i + c), y(d * j + c)))

    def weight(self, i: Any, j: Any, beta: Any = beta) -> Any:
        """W_ij = exp(beta <y_i, y_j>)."""
        return exp(self.score(beta, self.inner(i, j)))

    def mass(self, i: Any) -> Any:
        """D_i."""
        return total(k, n, self.weight(i, k))

    def form(self, entry: Callable[[Any, Any], Any], numbers: Callable[[Any], Any] = x) -> Any:
        """The sum of x_i x_j B_ij."""
        return total(i, n, total(j, n, numbers(i) * numbers(j) * entry(i, j)))

    def units(self) -> Prop:
        """All tokens have length 1."""
        return below(i, Eq(total(c, d, self.product(y(d * i + c), y(d * i + c))), 1))


def relative(of: Reversible) -> Prop:
    """The score of query i and key j against the key turned by the offset; the own score."""
    (p, q), (r, s) = ((X(m * t + c), Y(m * t + c)) for t in (i, j))
    r, s = of.turned((r, s), (j - i) * angle(c))
    offset = Eq(of.rotated_score(i, j), of.score(beta, total(c, m, p * r + q * s)))
    symmetric = Eq(of.rotated_score(i, j), of.rotated_score(j, i))
    unit = Eq(total(c, m, p**2 + q**2), 1)
    own = Implies(unit, Eq(of.rotated_score(i, i), of.own_score(beta)))
    return ForAll((m, i, j, beta), And(offset, symmetric, own))


def largest(of: Reversible) -> Prop:
    """s_ij <= s_ii = beta."""
    given = And(Le(0, beta), of.units(), Lt(i, n), Lt(j, n))
    value = of.score(beta, of.inner(i, j))
    own = Eq(of.score(beta, of.inner(i, i)), of.own_score(beta))
    return ForAll((n, d, i, j, beta), Implies(given, And(own, Le(value, of.own_score(beta)))))


def normalised(of: Reversible) -> Prop:
    """A_ij D_i = W_ij, stored as A(n i + j)."""
    return below(i, below(j, Eq(A(n * i + j) * of.mass(i), of.weight(i, j))))


def balance(of: Reversible) -> Prop:
    """pi_i A_ij = pi_j A_ji and pi A = pi, with pi_i sum_k D_k = D_i."""
    whole = total(i, n, of.mass(i))
    shares = below(i, Eq(stationary(i) * whole, of.mass(i)))
    given = And(normalised(of), shares)
    even = Eq(stationary(i) * A(n * i + j), stationary(j) * A(n * j + i))
    kept = Eq(total(j, n, stationary(j) * A(n * j + i)), stationary(i))
    both = below(i, And(below(j, even), kept))
    return ForAll((n, d, beta), Implies(given, both))


def similar(of: Reversible) -> Prop:
    """D^(1/2) A D^(-1/2) = D^(-1/2) W D^(-1/2), entry by entry; rho_i^2 = D_i."""
    given = And(normalised(of), below(i, Eq(of.squared(rho(i)), of.mass(i))))
    symmetric = Eq(rho(i) * A(n * i + j) / rho(j), of.weight(i, j) / (rho(i) * rho(j)))
    return ForAll((n, d, beta), Implies(given, below(i, below(j, symmetric))))


def schur_powers(of: Reversible) -> Prop:
    """Every Schur power of a Gram matrix is positive semidefinite; no length is assumed."""
    squares = of.form(lambda i, j: of.inner(i, j) ** power)
    return ForAll((n, d, power), Le(0, squares))


def semidefinite(of: Reversible) -> Prop:
    given = And(Le(0, beta), of.units())
    return ForAll((n, d, beta), Implies(given, Le(0, of.form(of.weight))))


def spectrum(of: Reversible) -> Prop:
    """A x = mu x with x_p != 0: mu lies in [0, 1], and x is constant if it is 1."""
    image = Eq(total(j, n, of.weight(i, j) * x(j)), mu * x(i) * of.mass(i))
    given = And(Le(0, beta), of.units(), below(i, image), Lt(p, n), Ne(x(p), 0))
    constant = Implies(Eq(mu, 1), below(i, below(j, Eq(x(i), x(j)))))
    inside = And(Le(0, mu), Le(mu, 1))
    return ForAll((n, d, p, beta, mu), Implies(given, And(inside, constant)))


def degenerate(of: Reversible) -> Prop:
    """Two equal tokens p, q: the numbers 1 at p and -1 at q, called v, make the form vanish."""
    same = ForAll(c, Implies(Lt(c, d), Eq(y(d * p + c), y(d * q + c))))
    rest = ForAll(i, Implies(Lt(i, n), Implies(And(Ne(i, p), Ne(i, q)), Eq(v(i), 0))))
    numbers = And(Eq(v(p), 1), Eq(v(q), of.opposite), rest)
    given = And(same, Lt(p, n), Lt(q, n), Ne(p, q), numbers)
    return ForAll((n, d, p, q, beta), Implies(given, Eq(of.form(of.weight, v), 0)))


def definite(of: Reversible) -> Prop:
    """Different tokens: the form is positive unless all numbers are 0."""
    apart = Exists(c, And(Lt(c, d), Ne(y(d * i + c), y(d * j + c))))
    different = below(i, below(j, Implies(Ne(i, j), apart)))
    given = And(of.units(), different, Lt(p, n), Ne(x(p), 0))
    positive = Lt(0, of.form(lambda i, j: of.weight(i, j, warm)))
    return ForAll((n, d, p, warm), Implies(given, positive))


REVERSIBLE = Claim(
    id="dynamics.reversible",
    title="Rotary attention without a mask is reversible and positive semidefinite",
    kind="identity",
    stance="sharpened",
    reading="The kernel is said to be reversible. It is also positive semidefinite, so its "
    "eigenvalues lie between 0 and 1.",
    definitions=Reversible(),
    hypotheses=(
        "the same projection for queries and keys, no causal mask",
        "$y_i = R^ix_i$ unit vectors of $\\mathbb{R}^d$, $W_{ij} = e^{\\beta\\langle y_i, "
        "y_j\\rangle}$, $D_i = \\sum_jW_{ij}$, $A_{ij} = W_{ij}/D_i$, $\\beta \\ge 0$",
    ),
    clauses=(
        Clause(
            "relative",
            r"\beta\langle R^ix_i, R^jx_j\rangle = \beta\langle x_i, R^{j-i}x_j\rangle = s_{ij} = "
            r"s_{ji},\quad |x_i| = 1 \implies s_{ii} = \beta",
            relative,
        ),
        Clause("largest", r"s_{ij} \le s_{ii} = \beta", largest),
        Clause(
            "balance",
            r"\pi_i = \frac{D_i}{\sum_kD_k}: \quad \pi_iA_{ij} = \pi_jA_{ji},\quad "
            r"\pi^TA = \pi^T",
            balance,
        ),
        Clause("similar", r"D^{1/2}AD^{-1/2} = D^{-1/2}WD^{-1/2}", similar),
        Clause(
            "schur_powers",
            r"\sum_{i,j}x_ix_j\langle y_i, y_j\rangle^M \ge 0 \quad "
            r"\text{for all } x,\ \text{all vectors } y_i,\ M = 0, 1, 2, \ldots",
            schur_powers,
        ),
        Clause("semidefinite", r"x^TWx \ge 0 \quad \text{for all } x", semidefinite),
        Clause(
            "spectrum",
            r"Ax = \lambda x,\ x \ne 0 \implies 0 \le \lambda \le 1;\quad "
            r"\lambda = 1 \implies x \text{ constant}",
            spectrum,
        ),
        Clause(
            "degenerate",
            r"y_p = y_q,\ p \ne q: \quad x = e_p - e_q \implies x^TWx = 0",
            degenerate,
        ),
        Clause(
            "definite",
            r"\beta > 0,\ y_i \text{ pairwise distinct}: \quad x \ne 0 \implies x^TWx > 0",
            definite,
        ),
    ),
)
