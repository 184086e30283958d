r"""The rotary attention kernel: scores, floors, and what they say about its spectrum.

Main definitions
----------------
score(inner)         beta times the inner product of two unit vectors
floor(n)             1 / (1 + (n - 1) exp(2 beta)), the least entry an attention row can have
entry(j)             exp(s(j)) / sum of exp(s(k)), one entry of a row of scores
rotated, unrotated   R^i x and R^(-i) x in one plane

Main claims
-----------
dynamics.floors, dynamics.spectral_bound

Conventions
-----------
n >= 2 tokens x_i on the unit sphere of R^d; y_i = R^i x_i is the token as the scores see it, and
s_ij = beta <y_i, y_j>.  Row i has the scores s(k) = s_ik, k < n: they lie in [-beta, beta], and
s(i) = beta.  No mask.  A matrix of weights W is stored row-major: W_ij is W(n i + j).

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
