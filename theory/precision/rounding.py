r"""Rounding errors of rotary embeddings: what every stage may add, and what they add up to.

Main definitions
----------------
Rounding       the constants of the derivation; a control replaces one of them
rounded_turn   a pair times a table entry, every product and sum rounded
fused_turn     the same with the second product of each component added before it is rounded

Main claims
-----------
precision.angles, precision.norm, precision.relative

Conventions
-----------
Everything a floating-point operation can return is a real number near the exact one: x (1 + delta)
+ e with |delta| <= u and |e| <= omega, and e = 0 for sums.  The clauses quantify over every such
delta and e, so they hold for every rounding that keeps to the model, in every order of evaluation.
z = c + 1j s is a table entry, x = a + 1j b a pair of components; a number M >= |z| |x| stands for
the product of the two moduli.  Errors of scores are per A B >= |q| |k|.

References
----------
su2021roformer
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sympy import Integer, cos, sin, sqrt

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

a, b, c, s, M = variables("a b c s M", Real)
d1, d2, d3, d4, d5, d6 = deltas = variables("d1 d2 d3 d4 d5 d6", Real)
e1, e2, e3, e4 = residues = variables("e1 e2 e3 e4", Real)
u, omega = variables("u omega", Real)
p, stored, moved, theta, angle, wide, half = variables("p P e theta phi E h", Real)
phi, psi, A, epsilon = variables("phi psi A epsilon", Real)
last, kept_theta = variables("L t", Real)
Z, X, Y, O, kappa, w, v, rho = variables("Z X Y O kappa w v rho", Real)  # noqa: E741
i, m, n = (Variable(name, Int(0)) for name in "imn")
Q, K, f, g = (sequence(name) for name in ("Q", "K", "f", "g"))
B, eta, gamma, score, dot, kept, other, G, C = variables("B eta gamma S D T R G C", Real)


def relative_error(u: Any) -> Any:
    """kappa: the rounding error of a complex product, per modulus of the product."""
    return (1 + sqrt(2)) * u + sqrt(2) * u**2


def fused_error(u: Any) -> Any:
    """kappa where a product and a sum are rounded once together."""
    return 2 * u + u**2


def subnormal_error(u: Any, omega: Any) -> Any:
    """What the products add below the normal numbers."""
    return 2 * sqrt(2) * (1 + u) * omega


def chord(angle: Any) -> Any:
    """The largest distance of two points of the circle that are `angle` apart."""
    return angle


def composed(vector: Any, accumulation: Any, storage: Any) -> Any:
    """G: the error of a score from those of the vectors, the sum and the stored score."""
    return (1 + vector) ** 2 * (1 + accumulation) * (1 + storage) - 1


def norm_error(entry: Any, product: Any, output: Any) -> Any:
    """nu without its subnormal terms."""
    return (1 + entry) * (1 + product) * (1 + output) - 1


def vector_growth(eta: Any) -> Any:
    """How far a scalar product moves when both vectors move by eta of their norms."""
    return 2 * eta + eta**2


def vector_error(entry: Any, product: Any, output: Any) -> Any:
    """eta without its subnormal terms."""
    return (entry + product * (1 + entry)) * (1 + output) + output


def product_angle(moved: Any, theta: Any, rounding: Any) -> Any:
    """The error of an angle: that of the position, and the rounding of the product."""
    return moved * theta + rounding


def drift(last: Any, theta: Any, relative: Any) -> Any:
    """How far an angle moves when its frequency is off by a relative error."""
    return last * theta * relative


def library_and_cast(library: Any, cast: Any) -> Any:
    """The relative error of a table entry that is rounded after the library returned it."""
    return (1 + library) * (1 + cast) - 1


#: The first position at which the rounding of a float32 angle may reach 2^-8, the unit roundoff of
#: bfloat16, for d = 128 and base 10000.
CROSSING = 75680


@dataclass(frozen=True)
class Rounding:
    """The definitions of this subject; a control replaces one of them."""

    relative_error: Callable[[Any], Any] = relative_error
    fused_error: Callable[[Any], Any] = fused_error
    subnormal_error: Callable[[Any, Any], Any] = subnormal_error
    chord: Callable[[Any], Any] = chord
    composed: Callable[[Any, Any, Any], Any] = composed
    norm_error: Callable[[Any, Any, Any], Any] = norm_error
    vector_growth: Callable[[Any], Any] = vector_growth
    vector_error: Callable[[Any, Any, Any], Any] = vector_error
    product_angle: Callable[[Any, Any, Any], Any] = product_angle
    library_and_cast: Callable[[Any, Any], Any] = library_and_cast
    drift: Callable[[Any, Any, Any], Any] = drift
    crossing: int = CROSSING
    shifted: Any = Integer(2)


def within(value: Any, bound: Any) -> Prop:
    """|value| <= bound."""
    return And(Le(-bound, value), Le(value, bound))


def close(value: Any, exact: Any, bound: Any) -> Prop:
    """|value - exact| <= bound."""
    return within(value - exact, bound)


# ---------------------------------------------------------------------- precision.angles
def product(of: Rounding) -> Prop:
    given = And(Le(0, theta), close(stored, p, moved), close(angle, stored * theta, half))
    bound = of.product_angle(moved, theta, half)
    names = (p, stored, moved, theta, angle, half)
    return ForAll(names, Implies(given, close(angle, p * theta, bound)))


def frequency(of: Rounding) -> Prop:
    """An angle within A of position times stored frequency, against the exact frequency."""
    given = And(
        Le(0, p),
        Le(p, last),
        Le(0, theta),
        Le(0, wide),
        close(kept_theta, theta, wide * theta),
        close(angle, p * kept_theta, A),
    )
    bound = A + of.drift(last, theta, wide)
    names = (p, last, theta, kept_theta, wide, angle, A)
    return ForAll(names, Implies(given, close(angle, p * theta, bound)))


def chord_below_arc(of: Rounding) -> Prop:
    gap = (cos(phi) - cos(psi)) ** 2 + (sin(phi) - sin(psi)) ** 2
    largest = And(Le(gap, of.chord(phi - psi) ** 2), Le(gap, 4))
    return ForAll((phi, psi), largest)


def table(of: Rounding) -> Prop:
    """Two relative errors and one absolute one in each component."""
    known = (Le(0, u), Le(0, kappa), Le(0, omega))
    small = (*(within(d, kappa) for d in (d1, d2)), *(within(d, u) for d in (d3, d4)))
    tiny = (within(e, omega) for e in (e1, e2))
    on_circle = Le(c**2 + s**2, 1)
    cosine, sine = c * (1 + d1) * (1 + d3) + e1, s * (1 + d2) * (1 + d4) + e2
    bound = of.library_and_cast(kappa, u) + sqrt(2) * omega
    gap = Le((cosine - c) ** 2 + (sine - s) ** 2, bound**2)
    names = (c, s, u, kappa, omega, d1, d2, d3, d4, e1, e2)
    return ForAll(names, Implies(And(*known, *small, *tiny, on_circle), gap))


def crossing_premise(of: Rounding) -> Prop:
    return Eq(n, of.crossing)


def reaches() -> Prop:
    """n 10000^(-1/64) >= 2^16, and not so one position earlier: the 64th powers, in integers."""
    scale = 10000 * Integer(2**16) ** 64
    return And(Lt((n - 1) ** 64, scale), Le(scale, n**64))


def crossing(of: Rounding) -> Prop:
    return ForAll(n, Implies(crossing_premise(of), reaches()))


ANGLES = Claim(
    id="precision.angles",
    title="Rounded angles and tables are off by at most A and epsilon",
    kind="bound",
    source=("su2021roformer",),
    definitions=Rounding(),
    clauses=(
        Clause(
            "product",
            r"|P - p| \le e,\ |\varphi - P\theta| \le h,\ \theta \ge 0 \implies "
            r"|\varphi - p\theta| \le e\theta + h",
            product,
        ),
        Clause(
            "frequency",
            r"0 \le p \le N,\ |\hat\theta - \theta| \le E\theta,\ |\varphi - p\hat\theta| \le A "
            r"\implies |\varphi - p\theta| \le A + N\theta E",
            frequency,
        ),
        Clause(
            "chord_below_arc",
            r"|e^{i\varphi} - e^{i\psi}| \le \min(|\varphi - \psi|,\ 2)",
            chord_below_arc,
        ),
        Clause(
            "table",
            r"|z| \le 1,\ \tilde c = c(1+\delta_1)(1+\delta_3)+e_1,\ "
            r"\tilde s = s(1+\delta_2)(1+\delta_4)+e_2,\ |\delta_{1,2}| \le \tau,\ "
            r"|\delta_{3,4}| \le u,\ |e_{1,2}| \le \omega \implies "
            r"|\tilde z - z| \le (1+\tau)(1+u)-1+\sqrt2\,\omega",
            table,
        ),
        Clause(
            "crossing",
            r"75679 \cdot 10000^{-1/64} < 2^{16} \le 75680 \cdot 10000^{-1/64}",
            crossing,
        ),
    ),
)


# ---------------------------------------------------------------------- precision.norm
def rounded_turn() -> tuple[Any, Any]:
    """The pair (a, b) times c + 1j s; products leave a residue below the normal numbers."""
    first = (a * c * (1 + d1) + e1 - b * s * (1 + d2) - e2) * (1 + d5)
    second = (a * s * (1 + d3) + e3 + b * c * (1 + d4) + e4) * (1 + d6)
    return first, second


def fused_turn() -> tuple[Any, Any]:
    """A product is rounded, the other one and the sum together; both may leave a residue."""
    first = (a * c - (b * s * (1 + d2) + e2)) * (1 + d5) + e1
    second = (a * s + (b * c * (1 + d4) + e4)) * (1 + d6) + e3
    return first, second


def rounding_model() -> Prop:
    """Every error of the model, and a number M >= |z| |x|."""
    signs = (Le(0, u), Le(0, omega), Le(0, M), Le((a**2 + b**2) * (c**2 + s**2), M**2))
    errors = (*(within(d, u) for d in deltas), *(within(e, omega) for e in residues))
    return And(*signs, *errors)


MODEL = (a, b, c, s, M, u, omega, *deltas, *residues)


def _turn_within(turn: tuple[Any, Any], bound: Any) -> Prop:
    """The squared distance of a computed pair from the exact one."""
    gap = (turn[0] - (a * c - b * s)) ** 2 + (turn[1] - (a * s + b * c)) ** 2
    return ForAll(MODEL, Implies(rounding_model(), Le(gap, bound**2)))


def rotation(of: Rounding) -> Prop:
    return _turn_within(rounded_turn(), of.relative_error(u) * M + of.subnormal_error(u, omega))


def fused_rotation(of: Rounding) -> Prop:
    return _turn_within(fused_turn(), of.fused_error(u) * M + of.subnormal_error(u, omega))


def norm(of: Rounding) -> Prop:
    """X, Z: moduli of pair and entry; Y, O: of the computed product and of the output."""
    sizes = (Le(0, value) for value in (X, Y, kappa, w, v, epsilon, rho))
    small = (Le(value, 1) for value in (epsilon, kappa, rho))
    table_entry = close(Z, 1, epsilon)
    arithmetic = close(Y, Z * X, kappa * Z * X + w)
    output = close(O, Y, rho * Y + v)
    bound = of.norm_error(epsilon, kappa, rho) * X + w * (1 + rho) + v
    given = And(*sizes, *small, table_entry, arithmetic, output)
    names = (X, Y, Z, O, kappa, w, v, epsilon, rho)
    return ForAll(names, Implies(given, close(O, X, bound)))


NORM = Claim(
    id="precision.norm",
    title="A rounded rotation keeps norms to within nu, whatever the position",
    kind="bound",
    source=("su2021roformer",),
    definitions=Rounding(),
    depends=("rotary.norm",),
    clauses=(
        Clause(
            "rotation",
            r"|\mathrm{fl}(zx) - zx| \le \kappa\,|z||x| + 2\sqrt2\,(1+u)\,\omega,\quad "
            r"\kappa = (1+\sqrt2)u + \sqrt2\,u^2",
            rotation,
        ),
        Clause(
            "fused_rotation",
            r"\text{FMA}:\ |\mathrm{fl}(zx) - zx| \le (2u+u^2)\,|z||x| + 2\sqrt2\,(1+u)\,\omega",
            fused_rotation,
        ),
        Clause(
            "norm",
            r"\bigl||z|-1\bigr| \le \varepsilon_0,\ |y - zx| \le \kappa|z||x| + w,\ "
            r"|o - y| \le u_o|y| + v \implies \bigl||o| - |x|\bigr| \le "
            r"\bigl((1+\varepsilon_0)(1+\kappa)(1+u_o)-1\bigr)|x| + (1+u_o)w + v",
            norm,
        ),
    ),
)


# ---------------------------------------------------------------------- precision.relative
def summed(x: Any, y: Any) -> Any:
    """The scalar product of two vectors of m components."""
    return total(i, m, x * y)


def vector(of: Rounding) -> Prop:
    """Errors of entry, product and output, moduli per |x|: the triangle inequality."""
    sizes = (Le(0, value) for value in (epsilon, kappa, rho, X, Y, Z, O, C))
    entry, arithmetic = Le(O, epsilon * X), Le(Y, kappa * (1 + epsilon) * X)
    output = Le(Z, rho * (X + O + Y))
    bound = of.vector_error(epsilon, kappa, rho) * X
    given = And(*sizes, entry, arithmetic, output, Le(C, O + Y + Z))
    names = (epsilon, kappa, rho, X, Y, Z, O, C)
    return ForAll(names, Implies(given, Le(C, bound)))


def moved_product(of: Rounding) -> Prop:
    """Exact vectors Q, K of norms at most A, B, and errors f, g of at most eta A, eta B."""
    sizes = (Le(0, A), Le(0, B), Le(0, eta))
    query = (Le(summed(Q(i), Q(i)), A**2), Le(summed(f(i), f(i)), (eta * A) ** 2))
    key = (Le(summed(K(i), K(i)), B**2), Le(summed(g(i), g(i)), (eta * B) ** 2))
    computed = total(i, m, (Q(i) + f(i)) * (K(i) + g(i)))
    gap = close(computed, summed(Q(i), K(i)), of.vector_growth(eta) * A * B)
    return ForAll((m, A, B, eta), Implies(And(*sizes, *query, *key), gap))


def stored_score(of: Rounding) -> Prop:
    """S exact, D of the computed vectors, T accumulated, R stored; M stands for A B."""
    signs = (Le(0, M), Le(0, eta), Le(0, gamma), Le(0, rho))
    given = And(
        *signs,
        within(score, M),
        close(dot, score, ((1 + eta) ** 2 - 1) * M),
        close(kept, dot, gamma * (1 + eta) ** 2 * M),
        close(other, kept, rho * (1 + gamma) * (1 + eta) ** 2 * M),
    )
    bound = of.composed(eta, gamma, rho) * M
    names = (M, eta, gamma, rho, score, dot, kept, other)
    return ForAll(names, Implies(given, close(other, score, bound)))


def shift(of: Rounding) -> Prop:
    """Two computed scores T, R of one exact score S, and a bound C M of their sizes."""
    given = And(
        close(kept, score, G * M),
        close(other, score, G * M),
        within(kept, C * M),
        within(other, C * M),
    )
    bounds = And(close(kept, other, of.shifted * G * M), close(kept, other, of.shifted * C * M))
    return ForAll((M, G, C, score, kept, other), Implies(given, bounds))


RELATIVE = Claim(
    id="precision.relative",
    title="Two rounded scores of one offset differ by at most 2 G |q| |k|",
    kind="bound",
    source=("su2021roformer",),
    definitions=Rounding(),
    depends=("rotary.relative", "precision.angles", "precision.norm"),
    clauses=(
        Clause(
            "vector",
            r"|\tilde z - z| \le \varepsilon,\ |y - \tilde z x| \le \kappa(1+\varepsilon)|x|,\ "
            r"|o - y| \le u_o |y| \implies |o - zx| \le "
            r"\bigl((\varepsilon + \kappa(1+\varepsilon))(1+u_o) + u_o\bigr)|x|",
            vector,
        ),
        Clause(
            "moved_product",
            r"|\tilde q - q| \le \eta A,\ |\tilde k - k| \le \eta B,\ |q| \le A,\ |k| \le B "
            r"\implies |\langle\tilde q,\tilde k\rangle - \langle q,k\rangle| \le "
            r"\bigl((1+\eta)^2-1\bigr)AB",
            moved_product,
        ),
        Clause(
            "stored_score",
            r"|S| \le M,\ |D - S| \le ((1+\eta)^2-1)M,\ |T-D| \le \gamma(1+\eta)^2M,\ "
            r"|R - T| \le u_s(1+\gamma)(1+\eta)^2 M \implies |R - S| \le G M,\quad "
            r"G = (1+\eta)^2(1+\gamma)(1+u_s) - 1",
            stored_score,
        ),
        Clause(
            "shift",
            r"|T - S| \le GM,\ |R - S| \le GM,\ |T|, |R| \le CM \implies "
            r"|T - R| \le \min(2G,\ 2C)\,M",
            shift,
        ),
    ),
)
