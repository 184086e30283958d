r"""Spectra of the rotary attention kernel at consensus on a resonant ring.

Main definitions
----------------
phase(p, r, n)      2 pi p r / n, the angle between tokens r steps apart when theta = 2 pi p / n
weight(p, r, n)     exp(beta cos(phase)), the unnormalised attention weight at offset r
amplitude(p, m, n)  the discrete Fourier transform of the weights at mode m
eigenvalue          amplitude at mode m over amplitude at mode 0
LargeBeta           the two-sided law of 1 - lambda_q at large beta, and its two limits

Main claims
-----------
dynamics.bessel_spectrum, dynamics.large_beta

Conventions
-----------
n >= 1 tokens on a ring, theta = 2 pi p / n with an integer p; beta is the inverse temperature.  All
tokens agree, so the score at offset r (`offset = key - query`) is beta cos(2 pi p r / n).
g = gcd(p, n), n' = n / g, p' = p / g, and u is the inverse of p' modulo n'.  I_k is the modified
Bessel function; F_q is the sum of I_k(beta) over k = q (mod n').

References
----------
The statements are derived here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import comb
from typing import Any

import sympy
from sympy import Integer as Whole
from sympy import cos, exp, pi, sin

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
    Informal,
    Int,
    Integer,
    Le,
    Lt,
    Not,
    Or,
    Positive,
    Prop,
    Real,
)

i, j, r, K, q = variables("i j r K q", Int(0))
k0 = Variable("k", Int(0))
n, N, g = variables("n N g", Int(1))
p, m, k, a, u, v, t = variables("p m k a u v t", Integer)
beta = Variable("beta", Real)
warm, step = variables("beta delta", Positive)
bessel = sequence("I")


def phase(p: Any, r: Any, n: Any) -> Any:
    """2 pi p r / n in radians: what theta = 2 pi p / n turns over r positions."""
    return 2 * pi * p * r / n


def ring_eigenvalue(phase: Callable[[Any, Any, Any], Any], q: Any, n: Any, beta: Any) -> Any:
    """lambda_q of the ring with p = 1 and scores beta cos(phase)."""

    def amplitude(mode: Any) -> Any:
        return total(r, n, exp(beta * cos(phase(1, r, n))) * cos(phase(mode, r, n)))

    return amplitude(q) / amplitude(Whole(0))


@dataclass(frozen=True)
class Ring:
    """The definitions of `dynamics.bessel_spectrum`; a control replaces one of them.

    `residue` is the multiple of n that k has to make it for I_k to reach mode m; `reduced` is the
    mode of the coprime ring.
    """

    phase: Callable[[Any, Any, Any], Any] = phase
    score: Callable[[Any], Any] = cos
    residue: Callable[[Any, Any, Any], Any] = lambda k, p, m: k * p - m
    reduced: Callable[[Any, Any], Any] = lambda u, m: u * m
    turns: Callable[[Any, Any], Any] = lambda m, g: m * g

    def weight(self, p: Any, r: Any, n: Any, beta: Any = beta) -> Any:
        """The unnormalised weight of a token r positions ahead."""
        return exp(beta * self.score(self.phase(p, r, n)))

    def amplitude(self, p: Any, m: Any, n: Any, beta: Any = beta) -> Any:
        """The cosine transform of the weights at mode m."""
        return total(r, n, self.weight(p, r, n, beta) * cos(self.phase(m, r, n)))

    def eigenvalue(self, p: Any, m: Any, n: Any, beta: Any = beta) -> Any:
        return self.amplitude(p, m, n, beta) / self.amplitude(p, 0, n, beta)

    def written_out(self, m: int, n: int) -> Any:
        """The amplitude of a ring of a given size, p = 1, term by term."""
        terms = (self.weight(1, s, n) * cos(self.phase(m, s, n)) for s in range(n))
        return sum(terms, Whole(0))

    def sum_of_waves(self, a: Any, n: Any) -> Any:
        """n if n divides a, and else 0."""
        return total(r, n, cos(self.phase(a, r, n)))

    def power(self, j: Any, p: Any, m: Any, n: Any) -> Any:
        """j! / beta^j times the part of the amplitude that is of order beta^j."""
        return total(r, n, self.score(self.phase(p, r, n)) ** j * cos(self.phase(m, r, n)))


# ---------------------------------------------------------------------- bessel_spectrum
def circulant(of: Ring) -> Prop:
    """Row i of A applied to the waves of mode m, A_ij = W_ij / sum_j W_ij."""
    row = of.weight(p, r - i, n)
    whole = total(r, n, row)

    def eigen(wave: Any) -> Prop:
        image = total(r, n, row * wave(of.phase(m, r, n))) / whole
        return Eq(image, of.eigenvalue(p, m, n) * wave(of.phase(m, i, n)))

    return ForAll((n, p, m, i, beta), And(eigen(cos), eigen(sin)))


def sums_over_roots(of: Ring) -> Prop:
    divides = Exists(t, Eq(a, n * t))
    wave = of.sum_of_waves(a, n)
    return ForAll((a, n), And(Implies(divides, Eq(wave, n)), Implies(Not(divides), Eq(wave, 0))))


def coefficients(of: Ring) -> Prop:
    start = Eq(of.power(0, p, m, n), of.sum_of_waves(m, n))
    after = of.power(j, p, of.residue(-1, p, -m), n) + of.power(j, p, of.residue(1, p, -m), n)
    return ForAll((n, p, m, j), And(start, Eq(2 * of.power(j + 1, p, m, n), after)))


ORDERS = (0, 1, 2, 3, 5, 8, 13, 24)


def binomial(of: Ring) -> Prop:
    def order(j: int) -> Prop:
        images = (
            comb(j, back) * of.sum_of_waves(of.residue(j - 2 * back, p, m), n)
            for back in range(j + 1)
        )
        return Eq(2**j * of.power(j, p, m, n), sum(images))

    return ForAll((n, p, m), And(*(order(j) for j in ORDERS)))


def aliasing(of: Ring) -> Prop:
    def truncated(angle: Any) -> Any:
        waves = (bessel(k0 + 1) + bessel(k0 + 1)) * cos((k0 + 1) * angle)
        return bessel(0) + total(k0, K, waves)

    left = total(r, n, truncated(of.phase(p, r, n)) * cos(of.phase(m, r, n)))

    def image(k: Any) -> Any:
        return of.sum_of_waves(of.residue(k, p, m), n)

    both = bessel(k0 + 1) * (image(k0 + 1) + image(-k0 - 1))
    return ForAll((n, p, m, K), Eq(left, bessel(0) * image(0) + total(k0, K, both)))


SUM_OF_BESSEL = Informal(
    "With the modified Bessel functions: lambda_m is the sum of I_k(beta) over the integers k with "
    "k p = m (mod n), over the sum of I_k(beta) over those with k p = 0 (mod n)."
)


def zero_modes(of: Ring) -> Prop:
    divides = Exists(k, Eq(m, g * k))
    return ForAll(
        (g, N, p, m, beta),
        Implies(Not(divides), Eq(of.amplitude(of.turns(p, g), m, of.turns(N, g)), 0)),
    )


def reduction(of: Ring) -> Prop:
    large = of.amplitude(of.turns(p, g), of.turns(m, g), of.turns(N, g))
    return ForAll((g, N, p, m, beta), Eq(large, g * of.amplitude(p, m, N)))


def classes(of: Ring) -> Prop:
    inverse = Eq(u * p, 1 + v * N)
    meets = Exists(t, Eq(of.residue(k, g * p, m), g * N * t))
    reached = Exists(a, And(Eq(m, g * a), Exists(t, Eq(k - of.reduced(u, a), N * t))))
    return ForAll((g, N, p, u, v, m, k), Implies(inverse, Iff(meets, reached)))


def closed_forms(of: Ring) -> Prop:
    root = exp(beta / 2)
    six = root**4 + 2 * root**3 + 2 * root + 1
    values = {
        (2, 1): (root**4 - 1, root**4 + 1),
        (3, 1): (root**3 - 1, root**3 + 2),
        (4, 1): (root**2 - 1, root**2 + 1),
        (4, 2): ((root**2 - 1) ** 2, (root**2 + 1) ** 2),
        (6, 1): ((root**2 - 1) * (root**2 + root + 1), six),
        (6, 2): ((root - 1) ** 2 * (root**2 + root + 1), six),
        (6, 3): ((root - 1) ** 3 * (root + 1), six),
    }
    rings = (
        Eq(of.written_out(q, n) * below, above * of.written_out(0, n))
        for (n, q), (above, below) in values.items()
    )
    return ForAll(beta, And(*rings))


WALK = Informal(
    "exp(-beta) F_q(beta) is the probability that the simple random walk of rate 1 on the integers "
    "modulo n' is at q at time beta, started at 0."
)


def unimodal(of: Ring) -> Prop:
    """F_q is amplitude(1, q, n) over n."""
    falls = Implies(
        Le(2 * q + 2, n), Lt(of.amplitude(1, q + 1, n, warm), of.amplitude(1, q, n, warm))
    )
    return ForAll((n, q, warm), And(falls, Lt(0, of.amplitude(1, q, n, warm))))


def gap_falls(of: Ring) -> Prop:
    hot, cold = (of.eigenvalue(1, 1, n + 1, b) for b in (warm, warm + step))
    return ForAll((n, warm, step), Lt(1 - cold, 1 - hot))


def variance(of: Ring) -> Prop:
    """The derivative of 1 - F_1 / F_0 in beta; weights w_r over their sum."""
    weight, wave = of.weight(1, r, n), cos(of.phase(1, r, n))
    mass = total(r, n, weight)
    mean = total(r, n, weight * wave) / mass
    spread = total(r, n, weight * wave**2) / mass - mean**2
    return ForAll((n, beta), Eq(sympy.diff(1 - of.eigenvalue(1, 1, n), beta), -spread))


BESSEL_SPECTRUM = Claim(
    id="dynamics.bessel_spectrum",
    title="The exact spectrum of attention at consensus on a resonant ring",
    kind="identity",
    definitions=Ring(),
    hypotheses=(
        "$n$ tokens at consensus, $\\theta = 2\\pi p/n$ with an integer $p$",
        "$w_r = e^{\\beta\\cos(2\\pi pr/n)}$, $a_m = \\sum_r w_r \\cos(2\\pi mr/n)$, "
        "$\\lambda_m = a_m/a_0$, sums over $0 \\le r < n$",
        "$g = \\gcd(p, n)$, $n' = n/g$, $p' = p/g$, $u p' \\equiv 1 \\pmod{n'}$",
        "$F_q = \\sum_{k \\equiv q\\,(n')} I_k(\\beta)$, which is $a_q/n'$ on the ring $n'$ with "
        "$p = 1$",
    ),
    clauses=(
        Clause(
            "circulant",
            r"A_{ij} = \frac{w_{j-i}}{\sum_l w_{l-i}}: \quad "
            r"\sum_{j} A_{ij}\cos\tfrac{2\pi mj}{n} = \lambda_m\cos\tfrac{2\pi mi}{n},\quad "
            r"\sum_{j} A_{ij}\sin\tfrac{2\pi mj}{n} = \lambda_m\sin\tfrac{2\pi mi}{n}",
            circulant,
        ),
        Clause(
            "sums_over_roots",
            r"c(a) = \sum_{r<n}\cos\tfrac{2\pi ar}{n} = n \text{ if } n \mid a,\ \text{else } 0"
            r"\quad (a \in \mathbb{Z})",
            sums_over_roots,
        ),
        Clause(
            "coefficients",
            r"b_j(m) = \sum_{r<n}\cos^j\tfrac{2\pi pr}{n}\cos\tfrac{2\pi mr}{n}: \quad "
            r"b_0(m) = c(m),\quad 2\,b_{j+1}(m) = b_j(m-p) + b_j(m+p) \quad (j \ge 0)",
            coefficients,
        ),
        Clause(
            "binomial",
            r"2^j b_j(m) = \sum_{l=0}^{j}\tbinom{j}{l}\,c\bigl((j-2l)p - m\bigr)"
            r"\quad (j = 0, 1, 2, 3, 5, 8, 13, 24)",
            binomial,
        ),
        Clause(
            "aliasing",
            r"\sum_{r<n}\Bigl(I_0 + \sum_{k=1}^{K} 2I_k\cos\tfrac{2\pi kpr}{n}\Bigr)"
            r"\cos\tfrac{2\pi mr}{n} = \sum_{|k| \le K} I_{|k|}\,c(kp - m)"
            r"\quad \text{for all } K \text{ and all sequences } I",
            aliasing,
        ),
        Clause(
            "bessel",
            r"\lambda_m = \frac{\sum_{k\in\mathbb{Z},\ kp\equiv m\,(n)} I_k(\beta)}"
            r"{\sum_{k\in\mathbb{Z},\ kp\equiv 0\,(n)} I_k(\beta)}",
            lambda of: SUM_OF_BESSEL,
        ),
        Clause("zero_modes", r"g \nmid m \implies a_m = 0", zero_modes),
        Clause("reduction", r"a_{gm'}(n, p) = g\,a_{m'}(n', p')", reduction),
        Clause(
            "classes",
            r"kp \equiv m \pmod n \iff m = gm' \text{ and } k \equiv um' \pmod{n'}",
            classes,
        ),
        Clause(
            "closed_forms",
            r"x = e^{\beta/2},\ p = 1: \quad n=2: \lambda_1 = \tanh\beta;\quad "
            r"n=3: \tfrac{x^3-1}{x^3+2};\quad n=4: \tanh\tfrac\beta2,\ \tanh^2\tfrac\beta2;\quad "
            r"n=6: \tfrac{(x^2-1)(x^2+x+1)}{S},\ \tfrac{(x-1)^2(x^2+x+1)}{S},\ "
            r"\tfrac{(x-1)^3(x+1)}{S},\ S = x^4+2x^3+2x+1",
            closed_forms,
        ),
        Clause(
            "walk",
            r"e^{-\beta}F_q(\beta) = P(\text{rate-1 simple random walk on } \mathbb{Z}/n' "
            r"\text{ is at } q \text{ at time } \beta)",
            lambda of: WALK,
        ),
        Clause(
            "unimodal",
            r"F_0 > F_1 > \cdots > F_{\lfloor n'/2\rfloor},\quad F_q > 0 \quad (\beta > 0)",
            unimodal,
        ),
        Clause(
            "gap_falls",
            r"n' \ge 2,\ 0 < \beta < \gamma \implies 1 - \tfrac{F_1}{F_0}(\gamma) < "
            r"1 - \tfrac{F_1}{F_0}(\beta)",
            gap_falls,
        ),
        Clause(
            "variance",
            r"\tfrac{d}{d\beta}\Bigl(1 - \tfrac{F_1}{F_0}\Bigr) = "
            r"-\mathrm{Var}_w\bigl(\cos\tfrac{2\pi r}{n'}\bigr)",
            variance,
        ),
    ),
)


# ---------------------------------------------------------------------- large_beta
size, large = Variable("n", Int(3)), Variable("n", Int(4))
rho = sequence("rho")
x, b = variables("x b", Real)


def copies(n: Any) -> Any:
    """How often the smallest angle of a ring of n >= 3 tokens occurs: offsets 1 and n - 1."""
    return Whole(2)


@dataclass(frozen=True)
class LargeBeta(Ring):
    """The definitions of `dynamics.large_beta`; a control replaces one of them."""

    copies: Callable[[Any], Any] = copies
    single: Callable[[Any], Any] = lambda n: Whole(1)
    square: Callable[[Any], Any] = lambda r: r**2

    def drop(self, r: Any, n: Any) -> Any:
        """c_r = 1 - cos(2 pi r / n): how far a score lies below the largest, over beta."""
        return 1 - self.score(self.phase(1, r, n))

    def kept(self, r: Any, n: Any, beta: Any) -> Any:
        """The weight at offset r, the largest being 1."""
        return exp(-beta * self.drop(r, n))

    def mass(self, n: Any, beta: Any) -> Any:
        """Z."""
        return total(r, n, self.kept(r, n, beta))

    def gap(self, q: Any, n: Any, beta: Any) -> Any:
        return 1 - self.eigenvalue(1, q, n, beta)

    def leading(self, q: Any, n: Any, beta: Any, copies: Any) -> Any:
        """L_q."""
        return copies * self.kept(1, n, beta) * (1 - cos(self.phase(q, 1, n)))

    def rest(self, n: Any, beta: Any) -> Any:
        """Offsets 2 .. n - 2, each with the square of its representative rho, over L_q."""
        others = total(r, n - 3, self.square(rho(r + 2)) * self.weight(1, r + 2, n, beta))
        return others / (self.copies(n) * self.weight(1, 1, n, beta))


def chord(of: LargeBeta) -> Prop:
    return ForAll((i, x), Le(1 - cos(i * x), of.square(i) * (1 - cos(x))))


def lower(of: LargeBeta) -> Prop:
    least = of.leading(q, size, beta, of.copies(size)) / of.mass(size, beta)
    return ForAll((size, q, beta), Le(least, of.gap(q, size, beta)))


def signed() -> Prop:
    """rho(r) is r or n - r: a representative of r or of -r modulo n."""
    return ForAll(i, Implies(Lt(i, size), Or(Eq(rho(i), i), Eq(rho(i), size - i))))


def upper(of: LargeBeta) -> Prop:
    most = of.leading(q, size, beta, of.copies(size)) * (1 + of.rest(size, beta))
    return ForAll((size, q, beta), Implies(signed(), Le(of.gap(q, size, beta), most)))


def two_tokens(of: LargeBeta) -> Prop:
    law = of.leading(1, 2, beta, of.single(2)) / (1 + of.kept(1, 2, beta))
    tangent = (exp(beta) - exp(-beta)) / (exp(beta) + exp(-beta))
    written = 1 - of.written_out(1, 2) / of.written_out(0, 2)
    return ForAll(beta, And(Eq(written, law), Eq(written, 1 - tangent)))


def error(of: LargeBeta) -> Prop:
    leading = of.leading(q, large, beta, of.copies(large))
    first = (large - 1) * of.kept(1, large, beta)
    second = large**3 * exp(-beta * (of.drop(2, large) - of.drop(1, large)))
    law = of.gap(q, large, beta)
    sandwich = And(Le(leading * (1 - first), law), Le(law, leading * (1 + second)))
    return ForAll((large, q, beta), Implies(Le(0, beta), sandwich))


def orders(of: LargeBeta) -> Prop:
    """of.power(j, 1, q, n) is j! times the coefficient of beta^j in the amplitude at mode q."""
    early = Implies(And(Lt(j, q), Lt(q + j, n)), Eq(of.power(j, 1, q, n), 0))
    first = Implies(Lt(2 * q, n), Eq(2**q * of.power(q, 1, q, n), n))
    return ForAll((n, q), And(ForAll(j, early), first))


def middle_order(of: LargeBeta) -> Prop:
    """The mode q = n / 2, whose two classes coincide: n = 2 (q + 1) here."""
    ring = 2 * (q + 1)
    return ForAll(q, Eq(2 ** (q + 1) * of.power(q + 1, 1, q + 1, ring), 2 * ring))


CONTINUUM = Informal(
    "For n' to infinity first, 1 - lambda = 1 - I_1(beta) / I_0(beta) = 1/(2 beta) + O(beta^-2); "
    "at fixed n' the same law is wrong by a factor that grows exponentially in beta."
)
CROSSOVER = Informal(
    "With beta = tau n'^2 and q fixed, n'^2 (1 - lambda) tends to q^2 G(tau) as n' grows, G(tau) = "
    "2 pi^2 (sum of k^2 exp(-2 pi^2 k^2 tau)) / (sum of exp(-2 pi^2 k^2 tau)) over all integers k."
)
ENDS = Informal(
    "G(tau) = 1/(2 tau) - tau^-2 exp(-1/(2 tau)) (1 + o(1)) for tau to 0, and "
    "G(tau) = 4 pi^2 exp(-2 pi^2 tau) (1 + o(1)) for tau to infinity."
)
SMALL_BETA = Informal(
    "lambda = kappa (beta/2)^q / q! (1 + O(beta^e)) for beta to 0 and 2 q <= n', kappa = 2 if "
    "2 q = n' and else 1; e = 1 if n' = 2 q + 1 and else 2."
)


LARGE_BETA = Claim(
    id="dynamics.large_beta",
    title="Large beta: an exponentially small gap on a fixed ring, and the continuum law before it",
    kind="asymptotic",
    stance="sharpened",
    reading="The law 1 - lambda ~ 2 exp(-beta(1 - cos(2 pi/n'))) (1 - cos(2 pi q/n')) is read with "
    "n' fixed. The factor 2 counts the two nearest offsets: for n' = 2 they are one, and it is 1.",
    definitions=LargeBeta(),
    depends=("dynamics.bessel_spectrum",),
    hypotheses=(
        "a ring of $n$ tokens with $p = 1$ (that is $n'$), at consensus; $\\lambda_q = a_q/a_0$",
        "$c_r = 1 - \\cos\\tfrac{2\\pi r}{n}$, $Z = \\sum_{r<n}e^{-\\beta c_r}$, "
        "$L_q = \\kappa e^{-\\beta c_1}(1 - \\cos\\tfrac{2\\pi q}{n})$, "
        "$\\kappa = 2$ for $n \\ge 3$ and $1$ for $n = 2$",
    ),
    clauses=(
        Clause(
            "chord",
            r"1 - \cos rx \le r^2(1 - \cos x)\quad (r = 0, 1, 2, \ldots)",
            chord,
        ),
        Clause(
            "lower",
            r"n \ge 3: \quad \frac{L_q}{Z} \le 1 - \lambda_q",
            lower,
        ),
        Clause(
            "upper",
            r"n \ge 3,\ \rho_r \in \{r, n - r\}: \quad 1 - \lambda_q \le "
            r"L_q\Bigl(1 + \frac12\sum_{r=2}^{n-2}\rho_r^2\,\frac{w_r}{w_1}\Bigr),\quad "
            r"\frac{w_r}{w_1} = e^{-\beta(c_r - c_1)}",
            upper,
        ),
        Clause(
            "two_tokens",
            r"n = 2: \quad 1 - \lambda_1 = \frac{L_1}{Z} = 1 - \tanh\beta,\quad "
            r"L_1 = 2e^{-2\beta},\ Z = 1 + e^{-2\beta}",
            two_tokens,
        ),
        Clause(
            "error",
            r"n \ge 4,\ \beta \ge 0: \quad L_q\bigl(1 - (n-1)e^{-\beta c_1}\bigr) \le "
            r"1 - \lambda_q \le L_q\bigl(1 + n^3e^{-\beta(c_2 - c_1)}\bigr)",
            error,
        ),
        Clause(
            "continuum",
            r"\lim_{n'\to\infty}(1 - \lambda_1) = 1 - \frac{I_1(\beta)}{I_0(\beta)} = "
            r"\frac{1}{2\beta} + O(\beta^{-2}),\quad \text{but } 2\beta(1 - \lambda_1) \to 0 "
            r"\text{ exponentially at fixed } n'",
            lambda of: CONTINUUM,
        ),
        Clause(
            "crossover",
            r"\beta = \tau n'^2,\ n'\to\infty: \quad n'^2(1 - \lambda_q) \to q^2G(\tau),\quad "
            r"G(\tau) = 2\pi^2\frac{\sum_kk^2e^{-2\pi^2k^2\tau}}{\sum_ke^{-2\pi^2k^2\tau}}",
            lambda of: CROSSOVER,
        ),
        Clause(
            "ends",
            r"G(\tau) = \tfrac{1}{2\tau} - \tau^{-2}e^{-1/(2\tau)}(1 + o(1))\ (\tau \to 0),\quad "
            r"G(\tau) \sim 4\pi^2e^{-2\pi^2\tau}\ (\tau \to \infty)",
            lambda of: ENDS,
        ),
        Clause(
            "orders",
            r"a_q = \sum_j\frac{\beta^j}{j!}b_j(q): \quad b_j(q) = 0 \text{ for } j < q < n - j;"
            r"\quad 2^qb_q(q) = n \text{ for } 2q < n",
            orders,
        ),
        Clause(
            "middle_order",
            r"2q = n \ge 2: \quad 2^qb_q(q) = 2n",
            middle_order,
        ),
        Clause(
            "small_beta",
            r"\beta \to 0,\ 2q \le n': \quad \lambda_q = \kappa_q\frac{(\beta/2)^q}{q!}"
            r"\bigl(1 + O(\beta^e)\bigr),\quad \kappa_q = 2 \iff 2q = n',\ "
            r"e = 1 \text{ if } n' = 2q + 1, \text{ else } 2",
            lambda of: SMALL_BETA,
        ),
    ),
)
