r"""The cosine kernel of the anti-periodic ladder: closed form, symmetries, shape, orthogonality.

Main definitions
----------------
kernel(m, N, D)         the sum of cos(theta_i D) over the first m planes
closed_kernel(m, N, D)  sin(2 pi m D / N) / (2 sin(pi D / N))
score(m, N, D)          a head: weights a_i on the cosines and b_i on the sines

Main claims
-----------
mobius.dipole, mobius.symmetries, mobius.lobes, mobius.delta

Conventions
-----------
As in `ladder`.  A head with complex content c_i = a(i) + 1j b(i) has the score
sum of Re(c_i exp(1j theta_i D)) = a(i) cos(theta_i D) - b(i) sin(theta_i D).  Statements about
"any odd frequencies" use the sequence kappa of integers: plane i turns at pi (2 kappa(i) + 1) / N.

References
----------
bae2026mobius
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy
from sympy import Rational, chebyshevt, chebyshevu, cos, pi, sin, sqrt

from posproof.theory.mobius.ladder import frequency
from posproof.theory.symbols import Variable, sequence, total, variables
from posproof.theory.vocabulary import (
    And,
    Box,
    Claim,
    Clause,
    Domain,
    Eq,
    Exists,
    ForAll,
    Iff,
    Implies,
    Int,
    Integer,
    Le,
    Lt,
    Ne,
    Not,
    Or,
    Positive,
    Prop,
    Real,
)

i, p, r, m0, e = variables("i p r m e", Int(0))
m, N, half = variables("m N h", Int(1))
k, t, offset = variables("k t E", Integer)
D, x = variables("D x", Real)
u = Variable("u", Positive)

kappa = sequence("kappa", Integer)
weight, a, b, f = (sequence(name) for name in ("w", "a", "b", "f"))


def closed_kernel(m: Any, N: Any, D: Any) -> Any:
    """The Dirichlet form of the kernel, for sin(pi D / N) != 0."""
    return sin(2 * pi * m * D / N) / (2 * sin(pi * D / N))


def chebyshev_kernel(m: Any, N: Any, D: Any) -> Any:
    """The kernel as a polynomial in cos(pi D / N)."""
    return chebyshevu(2 * m - 1, cos(pi * D / N)) / 2


def reflection_defect(b: Any, angle: Any) -> Any:
    """What a plane with sine weight `b` adds to s(N - D) + s(D)."""
    return -2 * b * sin(angle)


def envelope(N: Any, D: Any) -> Any:
    """The square of the envelope 1 / (2 |sin(pi D / N)|)."""
    return 1 / (4 * sin(pi * D / N) ** 2)


def zero(k: Any, m: Any, N: Any) -> Any:
    """The k-th candidate zero of the kernel, in positions."""
    return k * N / (2 * m)


def energy(m: Any, N: Any) -> Any:
    """The sum of K(D)^2 over one window."""
    return N * m / 2


def causal_offsets(N: Any) -> Any:
    """How many offsets, 0 and up, a causal mask realises in a window of N tokens."""
    return N


def tangent_root(u: Any) -> Any:
    """What sin u equals where sin(u) / u is stationary, that is where tan u = u."""
    return u * cos(u)


@dataclass(frozen=True)
class Kernel:
    """The definitions of this topic; a control replaces one of them."""

    frequency: Callable[[Any, Any], Any] = frequency
    closed_kernel: Callable[[Any, Any, Any], Any] = closed_kernel
    chebyshev_kernel: Callable[[Any, Any, Any], Any] = chebyshev_kernel
    reflection_defect: Callable[[Any, Any], Any] = reflection_defect
    envelope: Callable[[Any, Any], Any] = envelope
    zero: Callable[[Any, Any, Any], Any] = zero
    energy: Callable[[Any, Any], Any] = energy
    wrap: int = -1
    window: Callable[[Any], Any] = causal_offsets
    #: Where the sinc function has its first minimum and its half maximum (u and u / pi), and the
    #: minimum: the decimals of the claim, in units of 10^-10.
    stationary: Callable[[Any], Any] = tangent_root
    lobe_place: int = 44934094579
    lobe_value: int = -2172336283
    half_place: int = 6033545644
    half_level: Any = Rational(1, 2)

    def kernel(self, m: Any, N: Any, D: Any) -> Any:
        """The sum of cos(theta_i D) over the first m planes."""
        return total(i, m, cos(self.frequency(i, N) * D))

    def weighted(self, m: Any, N: Any, D: Any) -> Any:
        """The kernel of any m odd frequencies with any real weights."""
        return total(i, m, weight(i) * cos(self.frequency(kappa(i), N) * D))

    def score(self, m: Any, N: Any, D: Any) -> Any:
        """The score of a head with arbitrary content on any m odd frequencies."""
        phase = self.frequency(kappa(i), N) * D
        return total(i, m, a(i) * cos(phase) - b(i) * sin(phase))

    def ladder_score(self, m: Any, N: Any, D: Any) -> Any:
        """The same on the first m planes of the ladder."""
        phase = self.frequency(i, N) * D
        return total(i, m, a(i) * cos(phase) - b(i) * sin(phase))


# ---------------------------------------------------------------------- mobius.dipole
def closed_form(of: Kernel) -> Prop:
    equation = Eq(of.kernel(m, N, D), of.closed_kernel(m, N, D))
    return ForAll((m, N, D), Implies(Ne(sin(pi * D / N), 0), equation))


def chebyshev_form(of: Kernel) -> Prop:
    return ForAll((m, N, D), Eq(of.kernel(m, N, D), of.chebyshev_kernel(m, N, D)))


def chebyshev_sum(of: Kernel) -> Prop:
    series = total(i, m, chebyshevt(2 * i + 1, cos(pi * D / N)))
    return ForAll((m, N, D), Eq(of.kernel(m, N, D), series))


def removable_points(of: Kernel) -> Prop:
    even = Eq(of.kernel(m, N, 2 * t * N), m)
    odd = Eq(of.kernel(m, N, (2 * t + 1) * N), -m)
    return ForAll((m, N, t), And(even, odd))


DIPOLE = Claim(
    id="mobius.dipole",
    title="Dirichlet closed form of the kernel",
    kind="identity",
    source=("bae2026mobius",),
    definitions=Kernel(),
    clauses=(
        Clause(
            "closed_form",
            r"K(D) = \sum_{i<m}\cos\tfrac{\pi(2i+1)D}{N} = "
            r"\frac{\sin(2\pi m D/N)}{2\sin(\pi D/N)} \quad (\sin\tfrac{\pi D}{N} \ne 0)",
            closed_form,
        ),
        Clause(
            "chebyshev_form",
            r"K(D) = \tfrac12\,U_{2m-1}\!\left(\cos\tfrac{\pi D}{N}\right)",
            chebyshev_form,
        ),
        Clause(
            "chebyshev_sum",
            r"K(D) = \sum_{i<m} T_{2i+1}\!\left(\cos\tfrac{\pi D}{N}\right)",
            chebyshev_sum,
        ),
        Clause("removable_points", r"K(2tN) = m,\quad K((2t+1)N) = -m", removable_points),
    ),
)


# ---------------------------------------------------------------------- mobius.symmetries
def kernel_symmetries(of: Kernel) -> Prop:
    here = of.weighted(m0, N, D)
    return ForAll(
        (m0, N, D),
        And(
            Eq(of.weighted(m0, N, -D), here),
            Eq(of.weighted(m0, N, D + N), -here),
            Eq(of.weighted(m0, N, N - D), -here),
            Eq(of.weighted(m0, N, D + 2 * N), here),
            Eq(of.weighted(m0, N, N / 2), 0),
        ),
    )


def head_antiperiod(of: Kernel) -> Prop:
    return ForAll((m0, N, D), Eq(of.score(m0, N, D + N), -of.score(m0, N, D)))


def head_reflection(of: Kernel) -> Prop:
    defect = total(i, m0, of.reflection_defect(b(i), of.frequency(kappa(i), N) * D))
    return ForAll((m0, N, D), Eq(of.score(m0, N, N - D) + of.score(m0, N, D), defect))


def reflection_needs_phase(of: Kernel) -> Prop:
    mirrored = of.ladder_score(m, N, N - offset) + of.ladder_score(m, N, offset)
    aligned = ForAll(p, Implies(Lt(p, m), Eq(b(p), 0)))
    always = ForAll(offset, Eq(mirrored, 0))
    return ForAll((m, N), Implies(Le(2 * m, N), Iff(always, aligned)))


def causal_window(of: Kernel) -> Prop:
    def realised(at: Any) -> Prop:
        return And(Le(0, at), Le(at + 1, of.window(N)))

    linked = Or(realised(offset + N), realised(offset - N))
    return ForAll((N, offset), Implies(realised(offset), Not(linked)))


SYMMETRIES = Claim(
    id="mobius.symmetries",
    title="Symmetries, and what 'the two ends are coupled' needs",
    kind="identity",
    source=("bae2026mobius",),
    definitions=Kernel(),
    stance="sharpened",
    reading=(
        "'The two ends of the sequence are coupled', read for every head: s(D + N) = -s(D) always "
        "holds but links offsets of which a causal mask realises one; the coupling of D with N - D "
        "inside the window needs phase-aligned content (no sine part)."
    ),
    clauses=(
        Clause(
            "kernel_symmetries",
            r"K(-D) = K(D),\ K(D+N) = -K(D),\ K(N-D) = -K(D),\ K(D+2N) = K(D),\ K(\tfrac N2) = 0",
            kernel_symmetries,
        ),
        Clause("head_antiperiod", r"s(D+N) = -s(D)", head_antiperiod),
        Clause(
            "head_reflection",
            r"s(N-D) + s(D) = -2\sum_i \operatorname{Im}(c_i)\sin(\theta_i D)",
            head_reflection,
        ),
        Clause(
            "reflection_needs_phase",
            r"2m \le N:\quad s(N-E) = -s(E)\ \forall E\in\mathbb{Z} \iff "
            r"\operatorname{Im} c_i = 0\ \forall i < m",
            reflection_needs_phase,
        ),
        Clause(
            "causal_window",
            r"0 \le E \le N-1 \implies E + N,\ E - N \notin [0, N-1]",
            causal_window,
        ),
    ),
)


# ---------------------------------------------------------------------- mobius.lobes
def zeros(of: Kernel) -> Prop:
    candidate = Exists(k, And(Eq(D, of.zero(k, m, N)), Not(Exists(t, Eq(k, 2 * m * t)))))
    return ForAll((m, N, D), Iff(Eq(of.kernel(m, N, D), 0), candidate))


def integer_zeros(of: Kernel) -> Prop:
    g, n_over_g, two_m_over_g = variables("g n q", Int(1))
    c, d = variables("c d", Integer)
    gcd_of = And(
        Eq(N, g * n_over_g), Eq(2 * m, g * two_m_over_g), Eq(c * n_over_g + d * two_m_over_g, 1)
    )
    multiple = And(Exists(t, Eq(offset, n_over_g * t)), Not(Exists(t, Eq(offset, N * t))))
    names = (m, N, g, n_over_g, two_m_over_g, c, d, offset)
    return ForAll(names, Implies(gcd_of, Iff(Eq(of.kernel(m, N, offset), 0), multiple)))


def enveloped(of: Kernel) -> Prop:
    below = Le(of.kernel(m, N, D) ** 2, of.envelope(N, D))
    return ForAll((m, N, D), Implies(Ne(sin(pi * D / N), 0), below))


def above_half(of: Kernel) -> Prop:
    planes, window = sympy.Integer(32), sympy.Integer(512)
    at_252 = Lt(of.kernel(planes, window, sympy.Integer(252)), -Rational(1, 2))
    return And(at_252, Eq(of.kernel(planes, window, sympy.Integer(256)), 0))


def sinc_limit(of: Kernel) -> Prop:
    at = of.closed_kernel(m, 2 * pi * m, u) / m
    error = u * sin(u) / (20 * m**2)
    near = Le((at - sin(u) / u) ** 2, error**2)
    return ForAll((m, u), Implies(Le(u, m), near))


def first_lobe_of_two(of: Kernel) -> Prop:
    lowest = -Rational(2, 3) / sqrt(6)
    bounded = ForAll(D, Implies(_inside(D), Le(lowest, _two_planes(of, D))))
    attained = Exists(D, And(_inside(D), Eq(_two_planes(of, D), lowest)))
    return And(bounded, attained)


def _two_planes(of: Kernel, D: Any) -> Any:
    return of.kernel(sympy.Integer(2), sympy.Integer(8), D) / 2


def _inside(D: Any) -> Prop:
    return And(Le(0, D), Le(D, 4))


#: Minimum of sin(2 m x) / (2 m sin x) on (pi / 2m, pi / m), in units of 10^-10, rounded down.
LOBE_MINIMA = {
    4: -2291567262,
    8: -2201194769,
    16: -2179493921,
    32: -2174122166,
    64: -2172782534,
}
LOBE_UNIT = Fraction(1, 10**10)


def side_lobes(of: Kernel) -> Prop:
    return And(*(_lobe(of, planes, low) for planes, low in LOBE_MINIMA.items()))


def _lobe(of: Kernel, planes: int, low: int) -> Prop:
    # In units of the lobe, x = 1 .. 2 from the first to the second zero.
    z = Variable("z", Box(1, 2))
    size = sympy.Integer(planes)
    value = of.closed_kernel(size, 2 * size, z) / size
    unit = Rational(LOBE_UNIT.numerator, LOBE_UNIT.denominator)
    return And(ForAll(z, Lt(low * unit, value)), Exists(z, Lt(value, (low + 1) * unit)))


def sinc_lobe(of: Kernel) -> Prop:
    # The root lies in the box, and the value has these digits everywhere in it.
    at = Variable("u", _decimal_box(of.lobe_place))
    unit = Rational(1, 10**10)
    slope = Exists(at, Eq(sin(at), of.stationary(at)))
    value = And(
        Lt(of.lobe_value * unit, sin(at) / at), Lt(sin(at) / at, (of.lobe_value + 1) * unit)
    )
    return And(slope, ForAll(at, value))


def half_maximum(of: Kernel) -> Prop:
    at = Variable("u", _decimal_box(of.half_place))
    return Exists(at, Eq(sin(pi * at) / (pi * at), of.half_level))


def _decimal_box(units: int) -> Domain:
    """The reals whose decimals begin with `units` * 10^-10."""
    return Box(Fraction(units, 10**10), Fraction(units + 1, 10**10))


def window_energy(of: Kernel) -> Prop:
    squares = total(e, N, of.kernel(m, N, e) ** 2)
    return ForAll((m, N), Implies(Le(2 * m, N), Eq(squares, of.energy(m, N))))


LOBES = Claim(
    id="mobius.lobes",
    title="Zeros, lobes, envelope and energy of the dipole",
    kind="classification",
    source=("bae2026mobius",),
    definitions=Kernel(),
    depends=("mobius.dipole",),
    clauses=(
        Clause(
            "zeros",
            r"K(D) = 0 \iff D = \tfrac{kN}{2m},\ k \in \mathbb{Z}\setminus 2m\mathbb{Z}",
            zeros,
        ),
        Clause(
            "integer_zeros",
            r"K(E) = 0 \iff \tfrac{N}{\gcd(N,\,2m)} \mid E \text{ and } N \nmid E"
            r"\quad (E\in\mathbb{Z})",
            integer_zeros,
        ),
        Clause(
            "enveloped",
            r"|K(D)| \le \frac{1}{2\,|\sin(\pi D/N)|}",
            enveloped,
        ),
        Clause(
            "above_half",
            r"N = 512,\ m = 32:\quad K(252) < -\tfrac12,\quad K(\tfrac N2) = 0",
            above_half,
        ),
        Clause(
            "sinc_limit",
            r"\Bigl|\tfrac1m K\bigl(\tfrac{uN}{2\pi m}\bigr) - \tfrac{\sin u}{u}\Bigr| \le "
            r"\frac{u\,|\sin u|}{20\,m^2} \quad (0 < u \le m)",
            sinc_limit,
        ),
        Clause(
            "first_lobe_of_two",
            r"m = 2:\quad \min_D \tfrac1m K(D) \text{ before } \tfrac N2 "
            r"\text{ is } -\tfrac{2}{3\sqrt6}",
            first_lobe_of_two,
        ),
        Clause(
            "side_lobes",
            r"\min \tfrac1m K = -0.22915672\ldots,\ -0.22011947\ldots,\ -0.21794939\ldots,\ "
            r"-0.21741221\ldots,\ -0.21727825\ldots \quad (m = 4, 8, 16, 32, 64)",
            side_lobes,
        ),
        Clause(
            "sinc_lobe",
            r"\tan u = u \text{ at } u = 4.4934094579\ldots,\quad "
            r"\tfrac{\sin u}{u} = -0.2172336282\ldots",
            sinc_lobe,
        ),
        Clause(
            "half_maximum",
            r"\tfrac{\sin u}{u} = \tfrac12 \text{ at } \tfrac u\pi = 0.6033545644\ldots",
            half_maximum,
        ),
        Clause(
            "window_energy",
            r"\sum_{D=0}^{N-1} K(D)^2 = \tfrac{Nm}{2} \quad (2m \le N)",
            window_energy,
        ),
    ),
)


# ---------------------------------------------------------------------- mobius.delta
def characters(of: Kernel) -> Prop:
    gap = of.frequency(i, N) - of.frequency(p, N)
    real, imaginary = total(e, N, cos(gap * e)), total(e, N, sin(gap * e))
    same = Exists(t, Eq(i - p, N * t))
    full = And(Eq(real, N), Eq(imaginary, 0))
    none = And(Eq(real, 0), Eq(imaginary, 0))
    return ForAll((i, p, N), And(Implies(same, full), Implies(Not(same), none)))


def cosine_rows(of: Kernel) -> Prop:
    product = total(e, N, cos(of.frequency(i, N) * e) * cos(of.frequency(p, N) * e))
    inside = And(Lt(i, N), Lt(p, N))
    apart, alias = Ne(i, p), Eq(i + p + 1, N)
    return ForAll(
        (i, p, N),
        Implies(
            inside,
            And(
                Implies(And(apart, Not(alias)), Eq(product, 0)),
                Implies(And(Eq(i, p), Not(alias)), Eq(product, N / 2)),
                Implies(And(apart, alias), Eq(product, N / 2)),
                Implies(And(Eq(i, p), alias), Eq(product, N)),
            ),
        ),
    )


def full_ladder(of: Kernel) -> Prop:
    def value(at: Any) -> Any:
        return of.kernel(half, 2 * half, at)

    elsewhere = Implies(Not(Exists(t, Eq(offset, 2 * half * t))), Eq(value(offset), 0))
    return ForAll((half, offset), And(Eq(value(0), half), Eq(value(2 * half), -half), elsewhere))


def odd_full_ladder(of: Kernel) -> Prop:
    def value(at: Any) -> Any:
        return of.kernel(half, 2 * half + 1, at) + cos(of.frequency(half, 2 * half + 1) * at) / 2

    size = 2 * half + 1
    elsewhere = Implies(Not(Exists(t, Eq(offset, size * t))), Eq(value(offset), 0))
    poles = And(Eq(value(0), size / 2), Eq(value(size), -size / 2))
    return ForAll((half, offset), And(poles, elsewhere))


def odd_bins(of: Kernel) -> Prop:
    def bin(wave: Any) -> Any:
        return total(e, 2 * N, f(e) * wave(2 * pi * (2 * k) * e / (2 * N)))

    antiperiodic = ForAll(r, Implies(Lt(r, N), Eq(f(r + N), of.wrap * f(r))))
    even_bins = ForAll(k, And(Eq(bin(cos), 0), Eq(bin(sin), 0)))
    return ForAll(N, Iff(antiperiodic, even_bins))


PROJECTED = range(1, 9)


def dimension(of: Kernel) -> Prop:
    def at(size: int) -> Prop:
        # T shifts by one position on 2N points; P projects on the anti-periodic functions.
        shift = _shift(2 * size)
        power = sympy.ImmutableMatrix(_shift_power(2 * size, size))
        project = (sympy.ImmutableMatrix(sympy.eye(2 * size)) + of.wrap * power) / 2
        trace = sum(project[q, q] for q in range(2 * size))
        return And(
            Eq(project * project, project), Eq(project * shift, shift * project), Eq(trace, size)
        )

    return And(*(at(size) for size in PROJECTED))


def _shift(size: int) -> sympy.ImmutableMatrix:
    return sympy.ImmutableMatrix(_shift_power(size, 1))


def _shift_power(size: int, by: int) -> list[list[int]]:
    return [[int((q + by) % size == c) for c in range(size)] for q in range(size)]


def negacyclic_shift(of: Kernel) -> Prop:
    def at_root(first: Any, wave: Callable[[Any], Any], upper: Any, by: int) -> Any:
        return first + total(e, upper, f(e) * wave(of.frequency(i, N) * (e + by)))

    # Multiplication by x moves f(e) to e + 1 and the last value, negated, to 0.
    real = Eq(at_root(of.wrap * f(N - 1), cos, N - 1, 1), at_root(0, cos, N, 1))
    imaginary = Eq(at_root(0, sin, N - 1, 1), at_root(0, sin, N, 1))
    return ForAll((i, N), And(real, imaginary))


NEGACYCLIC = (2, 3, 4, 6, 7, 8, 12)


def negacyclic_product(of: Kernel) -> Prop:
    return And(*(_product_at(of, size, plane) for size in NEGACYCLIC for plane in (0, 1)))


def _product_at(of: Kernel, size: int, plane: int) -> Prop:
    left = variables(" ".join(f"a{q}" for q in range(size)), Real)
    right = variables(" ".join(f"b{q}" for q in range(size)), Real)
    step = of.frequency(plane, sympy.Integer(size))
    product = [sympy.Integer(0)] * size
    for q, one in enumerate(left):
        for c, other in enumerate(right):
            sign = of.wrap if q + c >= size else 1
            product[(q + c) % size] += sign * one * other

    def value(values: Any, wave: Any) -> Any:
        # Unevaluated: SymPy would write some of these cosines with nested square roots.
        return sum(v * wave(step * q, evaluate=False) for q, v in enumerate(values))

    lr, li, rr, ri = (value(v, w) for v in (left, right) for w in (cos, sin))
    real = Eq(value(product, cos), lr * rr - li * ri)
    imaginary = Eq(value(product, sin), lr * ri + li * rr)
    return ForAll((*left, *right), And(real, imaginary))


DELTA = Claim(
    id="mobius.delta",
    title="Odd characters: orthogonality, the full ladder, odd bins, negacyclic products",
    kind="identity",
    source=("bae2026mobius",),
    definitions=Kernel(),
    depends=("mobius.dipole",),
    clauses=(
        Clause(
            "characters",
            r"\sum_{D=0}^{N-1} e^{i(\theta_i - \theta_p)D} = N\,[\,i \equiv p \bmod N\,]",
            characters,
        ),
        Clause(
            "cosine_rows",
            r"\sum_{D=0}^{N-1} \cos(\theta_i D)\cos(\theta_p D) = "
            r"\tfrac N2\bigl([i=p] + [i+p+1=N]\bigr) \quad (0 \le i, p < N)",
            cosine_rows,
        ),
        Clause(
            "full_ladder",
            r"N = 2m:\quad K(0) = \tfrac N2,\ K(N) = -\tfrac N2,\ K(E) = 0 \text{ if } N \nmid E",
            full_ladder,
        ),
        Clause(
            "odd_full_ladder",
            r"N = 2m+1:\quad K(E) + \tfrac12\cos(\pi E) = \tfrac N2,\ -\tfrac N2,\ 0 "
            r"\text{ at } 0,\ N,\ N \nmid E",
            odd_full_ladder,
        ),
        Clause(
            "odd_bins",
            r"f(D+N) = -f(D) \iff \hat f(2k) = 0\ \forall k \quad (f \text{ on } \mathbb{Z}/2N)",
            odd_bins,
        ),
        Clause(
            "dimension",
            r"P = \tfrac12(I - T^N):\ P^2 = P,\ PT = TP,\ \operatorname{tr} P = N "
            r"\quad (N = 1, \ldots, 8)",
            dimension,
        ),
        Clause(
            "negacyclic_shift",
            r"(x f)(\zeta^{2i+1}) = \zeta^{2i+1} f(\zeta^{2i+1}) \text{ in } "
            r"\mathbb{Z}[x]/(x^N+1),\ \zeta = e^{i\pi/N}",
            negacyclic_shift,
        ),
        Clause(
            "negacyclic_product",
            r"(a * b)(\zeta^{2i+1}) = a(\zeta^{2i+1})\,b(\zeta^{2i+1}) "
            r"\quad (i = 0, 1;\ N = 2, 3, 4, 6, 7, 8, 12)",
            negacyclic_product,
        ),
    ),
)
