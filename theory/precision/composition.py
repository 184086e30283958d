r"""Rounding errors of what is composed: products, Wigner matrices, softmax rows.

Main definitions
----------------
Composition      the bounds of the derivation, and what is computed; a control replaces one of them
rounded_product  two 2 x 2 matrices multiplied, every product and sum rounded
quarter_turn     Wigner's small d at a quarter turn: the moduli of the eigenvectors of J_y

Main claims
-----------
precision.products, precision.wigner, precision.softmax

Conventions
-----------
Rounding errors are arbitrary within their bounds, so the clauses hold for every rounding that keeps
to the model; fl stands for an arbitrary function with the properties a clause names.  Complex
numbers are pairs of reals.  Norms of matrices are numbers, and a premise about them is a triangle
inequality or the submultiplicativity of the Frobenius norm.  A softmax row of m + 1 logits has the
gaps 0 and w_0 .. w_(m-1) to its largest; t is the relative error of the exponential, 2 K u for K
ulp.

References
----------
su2021roformer
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb, factorial
from typing import Any

from sympy import ImmutableMatrix, Integer, Rational, cos, diag, exp, log, sin, sqrt

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
    Lt,
    Prop,
    Real,
)

k, n, N, i, m, l = (Variable(name, Int(0)) for name in "knNiml")  # noqa: E741
count = Variable("n", Int(1))
u, epsilon, kappa, mu, omega = variables("u epsilon kappa mu w", Real)
a, delta, gamma, r, M = variables("a delta gamma r M", Real)
phi, f, g, p, q, h, e = (sequence(name) for name in ("phi", "f", "g", "p", "q", "h", "e"))
x, y, s, d, b, W, v, w = (sequence(name) for name in ("x", "y", "s", "d", "b", "W", "v", "w"))
fl = sequence("fl")
corner = tuple(tuple(sequence(f"P{row}{column}") for column in "12") for row in "12")


def always(upper: Any, *facts: Prop) -> Prop:
    """The facts for every k < upper."""
    return ForAll(k, Implies(Lt(k, upper), facts[0] if len(facts) == 1 else And(*facts)))


def within(value: Any, bound: Any) -> Prop:
    """|value| <= bound."""
    return And(Le(-bound, value), Le(value, bound))


def modulus(first: Any, second: Any, bound: Any) -> Prop:
    """|first + 1j second| <= bound."""
    return Le(first**2 + second**2, bound**2)


# ---------------------------------------------------------------------- definitions
def product_bound(entry: Any, product: Any, below: Any, n: Any) -> Any:
    """The error of n products of n + 1 rounded rotations."""
    grown = (1 + entry) ** (n + 1) * (1 + product) ** n - 1
    return grown + below * total(i, n, ((1 + entry) * (1 + product)) ** i)


def shear(a: Any) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    return ((Integer(1), a), (Integer(0), Integer(1)))


def rounded_product(fl: Callable[[Any], Any], left: Any, right: Any) -> list[list[Any]]:
    """Two products and a sum an entry, each rounded."""
    return [
        [fl(fl(left[row][0] * right[0][col]) + fl(left[row][1] * right[1][col])) for col in (0, 1)]
        for row in (0, 1)
    ]


def sum_bound(u: Any, n: Any, size: Any) -> Any:
    """The error of n rounded additions, from the sum of the moduli of what is added."""
    return n * u * size


def frozen(a: Any, N: Any) -> Any:
    """Where a sum of equal steps stops."""
    return N * a


def orthogonal_bound(stored: Any, product: Any, root: Any, n: Any) -> Any:
    """Factors of 2-norm at most 1 + stored, inner products off by `product`, root = sqrt(d)."""
    return root * (((1 + stored) * (1 + product * root)) ** n - 1)


def wigner_bound(u: Any, epsilon: Any, kappa: Any, mu: Any, r: Any, M: Any) -> Any:
    """The error of D = A V B V* G, r = sqrt(2 l + 1)."""
    turned = 1 + 2 * u + u**2 * r + kappa * (1 + u) * (1 + u * r)
    phases = (1 + epsilon) ** 3 * (1 + kappa) ** 2 * turned - 1
    return r * phases + mu * (1 + u) ** 2 * (1 + epsilon) ** 3 * (1 + kappa) ** 3 * M


def homomorphism_bound(mu: Any, r: Any, single: Any, angle: Any, steepness: Any) -> Any:
    """Two computed matrices multiplied, against the one of three rounded angles."""
    return mu * (r + single) ** 2 + 3 * single + single**2 + 3 * angle * steepness


def steepness_square(l: Any) -> Any:  # noqa: E741
    """The squared Frobenius norm of a generator of the rotations in degree l."""
    return l * (l + 1) * (2 * l + 1) / 3


def quarter_turn(l: int, m: int, k: int) -> Any:  # noqa: E741
    """d_mk(pi / 2) of degree l."""
    signed = sum(
        (-1) ** (m - k + j) * comb(l + k, j) * comb(l - k, l - m - j)
        for j in range(max(0, k - m), min(l + k, l - m) + 1)
    )
    weight = Rational(factorial(l + m) * factorial(l - m), factorial(l + k) * factorial(l - k))
    return sqrt(weight) * signed / 2**l


def phase(m: int) -> tuple[int, int]:
    """(-1j)^m as real and imaginary part."""
    return [(1, 0), (0, -1), (-1, 0), (0, 1)][m % 4]


def most(mean: Any) -> Any:
    """The number of gaps, beside the one that is 0, whose mean is at most `mean`."""
    return mean * exp(1 + mean)


def spread(u: Any, mean: Any) -> Any:
    """c: what rounded gaps do to the logarithm of the sum of exponentials."""
    return u * mean / (1 - u)


def own_gap(u: Any, gap: Any) -> Any:
    """What its own rounded gap does to the logarithm of an entry."""
    return u * gap


def largest_mean(n: Any) -> Any:
    """What the mean gap of n weights that sum to 1 or more is at most."""
    return log(n)


def additions(u: Any, n: Any) -> Any:
    """The factor that n rounded additions leave in the worst case."""
    return (1 - u) ** n


def kept(u: Any, library: Any, m: Any) -> Any:
    """The factor that m additions, a division and two exponentials leave in the worst case."""
    return additions(u, m + 1) * (1 - library) ** 2


def log_sum_bound(u: Any, before: Any, size: Any) -> Any:
    """The error of a logarithm of a sum, from that of the logarithm and the size of the result."""
    return before * (1 + u) + u * size


def half_tangent(E: Any) -> Any:
    """tanh(D / 2) with E = exp(D)."""
    return (E - 1) / (E + 1)


@dataclass(frozen=True)
class Composition:
    """The definitions of this topic; a control replaces one of them."""

    product_bound: Callable[[Any, Any, Any, Any], Any] = product_bound
    shear: Callable[[Any], Any] = shear
    sum_bound: Callable[[Any, Any, Any], Any] = sum_bound
    frozen: Callable[[Any, Any], Any] = frozen
    orthogonal_bound: Callable[[Any, Any, Any, Any], Any] = orthogonal_bound
    wigner_bound: Callable[[Any, Any, Any, Any, Any, Any], Any] = wigner_bound
    homomorphism_bound: Callable[[Any, Any, Any, Any, Any], Any] = homomorphism_bound
    steepness_square: Callable[[Any], Any] = steepness_square
    quarter_turn: Callable[[int, int, int], Any] = quarter_turn
    phase: Callable[[int], tuple[int, int]] = phase
    most: Callable[[Any], Any] = most
    largest_mean: Callable[[Any], Any] = largest_mean
    spread: Callable[[Any, Any], Any] = spread
    additions: Callable[[Any, Any], Any] = additions
    own_gap: Callable[[Any, Any], Any] = own_gap
    kept: Callable[[Any, Any, Any], Any] = kept
    log_sum_bound: Callable[[Any, Any, Any], Any] = log_sum_bound
    half_tangent: Callable[[Any], Any] = half_tangent


# ---------------------------------------------------------------------- precision.products
def turned(at: Any) -> tuple[Any, Any]:
    """The table entry of factor `at`: the exact one, and its error."""
    return cos(phi(at)) + f(at), sin(phi(at)) + g(at)


def next_product(at: Any) -> tuple[Any, Any]:
    """The product of the first at + 1 factors times the next one, rounded."""
    c, t = turned(at + 1)
    real, imaginary = c * x(at) - t * y(at), c * y(at) + t * x(at)
    return (
        real * (1 + p(at)) - imaginary * q(at) + e(at),
        imaginary * (1 + p(at)) + real * q(at) + h(at),
    )


def rotations(of: Composition) -> Prop:
    """Errors f + 1j g of the factors, p + 1j q of the products, and residues e + 1j h."""
    signs = (Le(0, epsilon), Le(0, kappa), Le(0, omega))
    start = tuple(map(Eq, (x(0), y(0)), turned(Integer(0))))
    entries = ForAll(k, Implies(Le(k, n), modulus(f(k), g(k), epsilon)))
    steps = always(
        n,
        *map(Eq, (x(k + 1), y(k + 1)), next_product(k)),
        modulus(p(k), q(k), kappa),
        modulus(e(k), h(k), omega),
    )
    angle = total(i, n + 1, phi(i))
    bound = of.product_bound(epsilon, kappa, omega, n)
    gap = modulus(x(n) - cos(angle), y(n) - sin(angle), bound)
    return ForAll((n, epsilon, kappa, omega), Implies(And(*signs, *start, entries, steps), gap))


def entries_at(at: Any) -> list[list[Any]]:
    return [[entry(at) for entry in row] for row in corner]


def shears(of: Composition) -> Prop:
    """The corner entry is the recursive sum s, whatever fl is elsewhere."""
    exact = And(Eq(fl(0), 0), Eq(fl(1), 1))
    begin = map(Eq, _flat(entries_at(0)), _flat(of.shear(b(0))))
    product = rounded_product(fl, entries_at(k), of.shear(b(k + 1)))
    steps = map(Eq, _flat(entries_at(k + 1)), _flat(product))
    stored = (Eq(fl(b(k + 1)), b(k + 1)), Eq(fl(s(k)), s(k)))
    summed = (Eq(s(0), b(0)), always(n, Eq(s(k + 1), fl(s(k) + b(k + 1)))))
    given = And(exact, *begin, *summed, always(n, *steps), always(n, *stored))
    wanted = map(Eq, _flat(entries_at(n)), _flat(shear(s(n))))
    return ForAll(n, Implies(given, And(*wanted)))


def _flat(rows: Sequence[Sequence[Any]]) -> list[Any]:
    return [value for row in rows for value in row]


def recursive_sum(of: Composition) -> Prop:
    """A rounded sum is off by u of itself, and by no more than what was added: s_k is stored."""
    known = And(Le(0, u), Eq(s(0), b(0)), within(b(0), W(0)))
    lost = d(k) * (s(k) + b(k + 1))
    steps = always(
        n,
        Eq(s(k + 1), s(k) + b(k + 1) + lost),
        within(d(k), u),
        within(lost, W(k + 1)),
        within(b(k + 1), W(k + 1)),
    )
    bound = of.sum_bound(u, n, total(k, n + 1, W(k)))
    goal = within(s(n) - total(k, n + 1, b(k)), bound)
    return ForAll((n, u), Implies(And(known, steps), goal))


def freezing(of: Composition) -> Prop:
    """Multiples of the step a are stored up to N a, and (N + 1) a is rounded down to it."""
    stored = ForAll(k, Implies(Le(k, N), Eq(fl(k * a), k * a)))
    last = Eq(fl((N + 1) * a), N * a)
    steps = always(n, Eq(s(k + 1), fl(s(k) + a)))
    stays = And(Implies(Le(n, N), Eq(s(n), n * a)), Implies(Le(N, n), Eq(s(n), of.frozen(a, N))))
    return ForAll((n, N, a), Implies(And(stored, last, Eq(s(0), 0), steps), stays))


def orthogonal(of: Composition) -> Prop:
    """e: errors of the products; x and y: norms of computed and exact ones; r = sqrt(d)."""
    signs = (Le(0, delta), Le(0, gamma), Le(0, r))
    grows = Le(e(k + 1), (1 + delta) * e(k) + gamma * r * (1 + delta) * x(k))
    sizes = (Le(x(k), y(k) + e(k)), Le(y(k), r * (1 + delta) ** k))
    given = And(*signs, Eq(e(0), 0), always(n, grows, *sizes))
    goal = Le(e(n), of.orthogonal_bound(delta, gamma, r, n))
    return ForAll((n, delta, gamma, r), Implies(given, goal))


PRODUCTS = Claim(
    id="precision.products",
    title="Products of n rounded rotations, shears and orthogonal matrices",
    kind="bound",
    definitions=Composition(),
    hypotheses=(
        "orthogonal: e_k, x_k, y_k are the Frobenius norms of the error, of the computed and of "
        "the exact product of k stored factors of 2-norm at most 1 + delta",
    ),
    depends=("precision.norm",),
    clauses=(
        Clause(
            "rotations",
            r"|\tilde z_k - e^{i\varphi_k}| \le \varepsilon,\ p_0 = \tilde z_0,\ "
            r"p_{k+1} = \tilde z_{k+1} p_k (1 + \delta_k) + e_k,\ |\delta_k| \le \kappa,\ "
            r"|e_k| \le w \implies \bigl|p_n - e^{i(\varphi_0 + \dots + \varphi_n)}\bigr|\quad \le "
            r"(1+\varepsilon)^{n+1}(1+\kappa)^n - 1\quad + w\sum_{i<n} "
            r"\bigl((1+\varepsilon)(1+\kappa)\bigr)^i",
            rotations,
        ),
        Clause(
            "shears",
            r"\mathrm{fl}(0) = 0,\ \mathrm{fl}(1) = 1,\ \mathrm{fl}(b_{k+1}) = b_{k+1},\ "
            r"\mathrm{fl}(s_k) = s_k,\ s_0 = b_0,\ s_{k+1} = \mathrm{fl}(s_k + b_{k+1}),\ "
            r"P_0 = \begin{pmatrix}1&b_0\\0&1\end{pmatrix},\ "
            r"P_{k+1} = \mathrm{fl}\Bigl(P_k\begin{pmatrix}1&b_{k+1}\\0&1\end{pmatrix}\Bigr) "
            r"\implies P_n = \begin{pmatrix}1&s_n\\0&1\end{pmatrix}",
            shears,
        ),
        Clause(
            "recursive_sum",
            r"s_0 = b_0,\ s_{k+1} = (s_k + b_{k+1})(1 + \delta_k),\ |\delta_k| \le u,\ "
            r"|\delta_k (s_k + b_{k+1})| \le W_{k+1},\ |b_k| \le W_k \implies "
            r"\Bigl|s_n - \sum_{k \le n} b_k\Bigr| \le n u \sum_{k \le n} W_k",
            recursive_sum,
        ),
        Clause(
            "freezing",
            r"\mathrm{fl}(ka) = ka\ (k \le N),\ \mathrm{fl}((N+1)a) = Na,\ s_0 = 0,\ "
            r"s_{k+1} = \mathrm{fl}(s_k + a) \implies s_n = na\ (n \le N),\ s_n = Na\ (n \ge N)",
            freezing,
        ),
        Clause(
            "orthogonal",
            r"e_0 = 0,\ e_{k+1} \le (1+\delta) e_k + \gamma\sqrt d\,(1+\delta)\,x_k,\ "
            r"x_k \le y_k + e_k,\ y_k \le \sqrt d\,(1+\delta)^k \implies "
            r"e_n \le \sqrt d\,\bigl[((1+\delta)(1+\gamma\sqrt d))^n - 1\bigr]",
            orthogonal,
        ),
    ),
)


# ---------------------------------------------------------------------- precision.wigner
n1, n2, n3, m1, m2, o1, o2, E = variables("n1 n2 n3 m1 m2 o1 o2 E", Real)
F1, F2, P, T, G, H, theta, steepness = variables("F1 F2 P T G H h lambda", Real)


def matrix(of: Composition) -> Prop:
    """Errors in Frobenius norm: n1, n2, n3 before the outer phases, m after one, o after both.

    n1 is the error of V B V* with stored factors, n2 what rounding V B adds, n3 the inner products.
    """
    signs = tuple(Le(0, value) for value in (u, epsilon, kappa, mu, r, M))
    inner = (
        Le(n1, epsilon * r + (1 + epsilon) * (2 * u * r + u**2 * r**2)),
        Le(n2, kappa * (1 + epsilon) * (1 + u) * (1 + u * r) * r),
        Le(n3, mu * (1 + kappa) * (1 + epsilon) * (1 + u) ** 2 * M),
    )
    rows = (
        Le(m1, n1 + n2 + (epsilon + kappa * (1 + epsilon)) * (r + n1 + n2)),
        Le(m2, (1 + epsilon) * (1 + kappa) * n3),
    )
    columns = (
        Le(o1, m1 + (epsilon + kappa * (1 + epsilon)) * (r + m1)),
        Le(o2, (1 + epsilon) * (1 + kappa) * m2),
    )
    given = And(*signs, *inner, *rows, *columns, Le(E, o1 + o2))
    bound = of.wigner_bound(u, epsilon, kappa, mu, r, M)
    names = (u, epsilon, kappa, mu, r, M, n1, n2, n3, m1, m2, o1, o2, E)
    return ForAll(names, Implies(given, Le(E, bound)))


def homomorphism(of: Composition) -> Prop:
    """F1, F2: norms of the computed factors; P: rounding of their product; T: its inherited error.

    G: what three rounded angles do; H: the error of the matrix that is computed from them.
    """
    signs = tuple(Le(0, value) for value in (mu, r, E, theta, steepness, F1, F2))
    given = And(
        *signs,
        Le(F1, r + E),
        Le(F2, r + E),
        Le(P, mu * F1 * F2),
        Le(T, 2 * E + E**2),
        Le(G, 3 * theta * steepness),
        Le(H, E),
        Le(M, P + T + G + H),
    )
    bound = of.homomorphism_bound(mu, r, E, theta, steepness)
    names = (mu, r, E, theta, steepness, F1, F2, P, T, G, H, M)
    return ForAll(names, Implies(given, Le(M, bound)))


def lipschitz(of: Composition) -> Prop:
    """The squared Frobenius norm of exp(-1j delta J) - 1: eigenvalues -l .. l, any axis."""
    square = total(k, 2 * l + 1, 2 - 2 * cos((k - l) * delta))
    return ForAll((l, delta), Le(square, of.steepness_square(l) * delta**2))


def ladder(l: int, m: int) -> Any:  # noqa: E741
    """What the raising operator makes of state m."""
    return sqrt(Integer(l * (l + 1) - m * (m + 1)))


def eigenvectors_of_degree(of: Composition, l: int) -> Prop:  # noqa: E741
    """J_y V x = V J_z x and V V* x = x, J_y = 1j K, V = X + 1j Y: the real and imaginary parts."""
    orders = range(-l, l + 1)
    rows = [[Integer(0)] * (2 * l + 1) for _ in orders]
    for at, m in enumerate(orders[:-1]):
        rows[at + 1][at], rows[at][at + 1] = -ladder(l, m) / 2, ladder(l, m) / 2
    K, Z = ImmutableMatrix(rows), ImmutableMatrix(diag(*orders))
    X, Y = (
        ImmutableMatrix(
            [[of.phase(m)[part] * of.quarter_turn(l, m, j) for j in orders] for m in orders]
        )
        for part in (0, 1)
    )
    vector = ImmutableMatrix([x(at) for at in range(2 * l + 1)])
    return And(
        Eq(-K * (Y * vector), X * (Z * vector)),
        Eq(K * (X * vector), Y * (Z * vector)),
        Eq(X * (X.T * vector) + Y * (Y.T * vector), vector),
        Eq(Y * (X.T * vector), X * (Y.T * vector)),
    )


def eigenvectors(of: Composition) -> Prop:
    return And(eigenvectors_of_degree(of, 1), eigenvectors_of_degree(of, 2))


WIGNER = Claim(
    id="precision.wigner",
    title="Rounded Wigner matrices multiply like rotations to within a bound",
    kind="bound",
    definitions=Composition(),
    hypotheses=(
        "D = A V B V* G with diagonal phases and the eigenvectors V of J_y; r = sqrt(2 l + 1), "
        "M is the Frobenius norm of |V| |V|^T, angles are at most pi in modulus",
        "matrix: n, m, o are Frobenius norms of errors before the outer phases, after one, after "
        "both; n_3, m_2, o_2 those of the inner products",
        "homomorphism: F of the computed factors; P, T, G, H of what the product, its factors, the "
        "three rounded angles and the other side add; lambda^2 = l (l + 1)(2 l + 1) / 3",
    ),
    depends=("precision.norm",),
    clauses=(
        Clause(
            "matrix",
            r"n_1 \le \varepsilon r + (1+\varepsilon)(2ur + u^2r^2),\ "
            r"n_2 \le \kappa(1+\varepsilon)(1+u)(1+ur)\,r,\ "
            r"n_3 \le \mu(1+\kappa)(1+\varepsilon)(1+u)^2 M,\ "
            r"m_1 \le n_1 + n_2 + (\varepsilon + \kappa(1+\varepsilon))(r + n_1 + n_2),\ "
            r"m_2 \le (1+\varepsilon)(1+\kappa)\,n_3,\ "
            r"o_1 \le m_1 + (\varepsilon + \kappa(1+\varepsilon))(r + m_1),\ "
            r"o_2 \le (1+\varepsilon)(1+\kappa)\,m_2,\ e \le o_1 + o_2 \implies e \le "
            r"r\bigl[(1+\varepsilon)^3(1+\kappa)^2\bigl(1+2u+u^2r + \kappa(1+u)(1+ur)\bigr) - 1"
            r"\bigr]\quad + \mu(1+u)^2(1+\varepsilon)^3(1+\kappa)^3 M",
            matrix,
        ),
        Clause(
            "homomorphism",
            r"F_{1,2} \le r + e,\ P \le \mu F_1 F_2,\ T \le 2e + e^2,\ G \le 3h\lambda,\ H \le e "
            r"\implies P + T + G + H \le \mu(r+e)^2 + 3e + e^2 + 3h\lambda",
            homomorphism,
        ),
        Clause(
            "lipschitz",
            r"\sum_{m=-l}^{l} |e^{-im\delta} - 1|^2 \le \tfrac13\,l(l+1)(2l+1)\,\delta^2",
            lipschitz,
        ),
        Clause(
            "eigenvectors",
            r"V_{mk} = (-i)^m d^l_{mk}(\pi/2):\quad J_y V x = V J_z x,\ V V^* x = x\quad "
            r"(x \in \mathbb R^{2l+1},\ l = 1, 2)",
            eigenvectors,
        ),
    ),
)


# ---------------------------------------------------------------------- precision.softmax
mean, lam, moved, t, D, value, largest = variables("W lambda z t D x A", Real)
S, Sv, X, Y, entry, out, gap, stored_gap = variables("S V X Y e g w v", Real)
first, second, x1, x2 = variables("A B x y", Real)
before, log_sum, logarithm, size, result, factor, c = variables("b L R B y q c", Real)


def weights(gaps: Callable[[Any], Any], upper: Any) -> Any:
    return total(k, upper, exp(-gaps(k)))


def mean_gap(of: Composition) -> Prop:
    """m gaps beside the one that is 0."""
    weighted = total(k, m, w(k) * exp(-w(k)))
    below = Le(weighted, mean * (1 + weights(w, m)))
    return ForAll((m, mean), Implies(Le(m, of.most(mean)), below))


def attained(of: Composition) -> Prop:
    """M gaps of 1 + W each."""
    equal = M * exp(-(1 + mean))
    goal = Eq((1 + mean) * equal, mean * (1 + equal))
    return ForAll((M, mean), Implies(Eq(M, of.most(mean)), goal))


def logarithm_of_terms(of: Composition) -> Prop:
    """The weaker bound ln n, which needs the sum of the weights to be at least 1 and no more."""
    weighted = total(k, count, w(k) * exp(-w(k)))
    below = Le(weighted, of.largest_mean(count) * weights(w, count))
    return ForAll(count, Implies(Le(1, weights(w, count)), below))


def normaliser(of: Composition) -> Prop:
    """Gaps rounded by factors 1 +- u move the logarithm of the sum by at most c."""
    given = And(
        Le(m, mean * exp(1 + mean)),
        Le(0, mean),
        Le(0, u),
        Lt(u, 1),
        always(m, Le(0, w(k)), Le((1 - u) * w(k), v(k)), Le(v(k), (1 + u) * w(k))),
    )
    bound = exp(of.spread(u, mean))
    exact, computed = 1 + weights(w, m), 1 + weights(v, m)
    both = And(Le(exact, computed * bound), Le(computed, exact * bound))
    return ForAll((m, mean, u), Implies(given, both))


def summation(of: Composition) -> Prop:
    """Terms that are not negative, added one after the other."""
    positive = ForAll(k, Implies(Le(k, n), Le(0, b(k))))
    steps = always(n, Eq(s(k + 1), (s(k) + b(k + 1)) * (1 + d(k))), within(d(k), u))
    given = And(Le(0, u), Le(u, 1), Eq(s(0), b(0)), positive, steps)
    exact, left = total(k, n + 1, b(k)), of.additions(u, n)
    return ForAll((n, u), Implies(given, And(Le(left * exact, s(n)), Le(left * s(n), exact))))


def joined(of: Composition) -> Prop:
    """Two sums that went through m additions each, and are added: any tree of additions."""
    exact, computed = (first, second), (x1, x2)
    left = additions(u, m)
    inside = [
        fact
        for whole, part in zip(exact, computed, strict=True)
        for fact in (Le(left * whole, part), Le(left * part, whole), Le(0, part))
    ]
    given = And(Le(0, u), Le(u, 1), within(delta, u), *inside)
    total_, sum_ = first + second, (x1 + x2) * (1 + delta)
    grown = of.additions(u, m + 1)
    both = And(Le(grown * total_, sum_), Le(grown * sum_, total_))
    return ForAll((m, u, delta, first, second, x1, x2), Implies(given, both))


def softmax_entry(of: Composition) -> Prop:
    """S, Sv: sums of exact and of stored weights; X, Y: of computed ones, exact and rounded.

    `entry` is the computed exponential of the stored gap, `out` the computed quotient.
    """
    signs = tuple(Le(0, value) for value in (u, t, S, Sv, X, Y, entry, out))
    left = additions(u, m)
    given = And(
        *signs,
        Lt(u, 1),
        Lt(t, 1),
        Le(S, Sv * exp(c)),
        Le(Sv, S * exp(c)),
        Le((1 - t) * Sv, X),
        Le((1 - t) * X, Sv),
        Le(left * X, Y),
        Le(left * Y, X),
        within(stored_gap - gap, u * gap),
        Le((1 - t) * exp(-stored_gap), entry),
        Le((1 - t) * entry, exp(-stored_gap)),
        Le((1 - u) * entry, out * Y),
        Le((1 - u) * out * Y, entry),
    )
    grown, exact = exp(of.own_gap(u, gap) + c), exp(-gap)
    factor = of.kept(u, t, m)
    both = And(Le(factor * out * S, exact * grown), Le(factor * exact, out * S * grown))
    names = (m, u, t, c, S, Sv, X, Y, entry, out, gap, stored_gap)
    return ForAll(names, Implies(given, both))


def logsumexp(of: Composition) -> Prop:
    """L: exact logarithm of the sum, R: of the computed sum, z: as computed; y: the result."""
    signs = tuple(Le(0, value) for value in (u, t, c, log_sum, lam))
    given = And(
        *signs,
        Le(factor * exp(logarithm), exp(c + log_sum)),
        Le(factor * exp(log_sum), exp(c + logarithm)),
        Eq(factor * exp(lam), 1),
        Eq(moved, logarithm * (1 + delta)),
        within(delta, t),
        within(largest + log_sum, size),
        Eq(result, (largest + moved) * (1 + gamma)),
        within(gamma, u),
        Eq(before, c + lam + t * (log_sum + c + lam)),
    )
    goal = within(result - largest - log_sum, of.log_sum_bound(u, before, size))
    errors = (delta, gamma, before)
    names = (u, t, c, factor, lam, largest, log_sum, logarithm, moved, size, result, *errors)
    return ForAll(names, Implies(given, goal))


def rows(of: Composition) -> Prop:
    """Any weights 0 <= b <= 1 of the entries: events are those of weights 0 and 1."""
    close = always(n, within(y(k) - x(k), D), Le(0, b(k)), Le(b(k), 1))
    before, after = total(k, n, exp(x(k))), total(k, n, exp(y(k)))
    here, there = total(k, n, b(k) * exp(x(k))), total(k, n, b(k) * exp(y(k)))
    moved = there * before - here * after
    goal = Le(moved, of.half_tangent(exp(D)) * before * after)
    return ForAll((n, D), Implies(And(Le(0, D), close), goal))


def factorisation(of: Composition) -> Prop:
    """sigma(t + 2 D) - sigma(t) against tanh(D / 2), with x = e^t and E = e^D."""
    z, big = exp(t), exp(D)
    logistic = big**2 * z / (1 + big**2 * z) - z / (1 + z)
    square = (big - 1) * (big * z - 1) ** 2 / ((big + 1) * (z + 1) * (big**2 * z + 1))
    return ForAll((t, D), Eq(of.half_tangent(big) - logistic, square))


SOFTMAX = Claim(
    id="precision.softmax",
    title="A rounded softmax row is off by at most a bound in its logarithm",
    kind="bound",
    definitions=Composition(),
    hypotheses=(
        "nothing underflows; exponential and logarithm have the relative error t, 2 K u for K ulp",
        "entry: S, V are the sums of e^-w and of e^-v, X and Y that of the computed exponentials, "
        "exact and rounded; e and g are computed exponential and quotient",
        "logsumexp: A is the largest logit, L and R the logarithms of exact and computed sum",
    ),
    clauses=(
        Clause(
            "mean_gap",
            r"m \le W e^{1+W} \implies \sum_{k<m} w_k e^{-w_k} \le "
            r"W\Bigl(1 + \sum_{k<m} e^{-w_k}\Bigr)",
            mean_gap,
        ),
        Clause(
            "attained",
            r"M = W e^{1+W} \implies M (1+W) e^{-(1+W)} = W\bigl(1 + M e^{-(1+W)}\bigr)",
            attained,
        ),
        Clause(
            "logarithm_of_terms",
            r"\sum_{k<n} e^{-w_k} \ge 1 \implies \sum_{k<n} w_k e^{-w_k} \le "
            r"\ln n \sum_{k<n} e^{-w_k}",
            logarithm_of_terms,
        ),
        Clause(
            "normaliser",
            r"m \le W e^{1+W},\ W \ge 0,\ w_k \ge 0,\ |v_k - w_k| \le u w_k,\ u < 1 \implies "
            r"e^{-c} \le \frac{1 + \sum_{k<m} e^{-v_k}}{1 + \sum_{k<m} e^{-w_k}} \le e^{c},\quad "
            r"c = \frac{u W}{1-u}",
            normaliser,
        ),
        Clause(
            "summation",
            r"b_k \ge 0,\ s_0 = b_0,\ s_{k+1} = (s_k + b_{k+1})(1+\delta_k),\ |\delta_k| \le u "
            r"\le 1 \implies (1-u)^n \sum_{k \le n} b_k \le s_n,\ "
            r"(1-u)^n s_n \le \sum_{k \le n} b_k",
            summation,
        ),
        Clause(
            "joined",
            r"(1-u)^m A \le x,\ (1-u)^m x \le A,\ (1-u)^m B \le y,\ (1-u)^m y \le B,\ "
            r"x, y \ge 0,\ s = (x+y)(1+\delta),\ |\delta| \le u \le 1 \implies "
            r"(1-u)^{m+1}(A+B) \le s,\ (1-u)^{m+1} s \le A+B",
            joined,
        ),
        Clause(
            "entry",
            r"e^{-c} \le V/S \le e^c,\ 1-t \le X/V \le (1-t)^{-1},\ "
            r"(1-u)^m \le Y/X \le (1-u)^{-m},\ |v - w| \le uw,\ "
            r"1-t \le e/e^{-v} \le (1-t)^{-1},\ 1-u \le gY/e \le (1-u)^{-1} \implies "
            r"|\ln(g S/e^{-w})| \le uw + c - (m+1)\ln(1-u) - 2\ln(1-t)",
            softmax_entry,
        ),
        Clause(
            "logsumexp",
            r"q e^{R} \le e^{c+L},\ q e^{L} \le e^{c+R},\ q e^\lambda = 1,\ "
            r"z = R(1+\delta),\ |\delta| \le t,\ y = (A + z)(1+\gamma),\ |\gamma| \le u,\ "
            r"|A + L| \le B,\ b = c + \lambda + t(L + c + \lambda),\ c, L, \lambda \ge 0 "
            r"\implies |y - (A + L)| \le b(1+u) + uB",
            logsumexp,
        ),
        Clause(
            "rows",
            r"|y_k - x_k| \le D,\ 0 \le b_k \le 1 \implies "
            r"\sum_k b_k\,(\mathrm{softmax}(y)_k - \mathrm{softmax}(x)_k) \le \tanh(D/2)",
            rows,
        ),
        Clause(
            "factorisation",
            r"\tanh\tfrac D2 - \bigl(\sigma(t + 2D) - \sigma(t)\bigr) = "
            r"\frac{(E-1)(Ex-1)^2}{(E+1)(x+1)(E^2x+1)},\quad E = e^D,\ x = e^t",
            factorisation,
        ),
    ),
)
