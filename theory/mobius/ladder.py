r"""The anti-periodic ladder, its holonomy, and what is topological about it.

Main definitions
----------------
frequency(i, N)     pi (2 i + 1) / N, the frequency of plane i
rotation(phi)       the rotation of one plane by the angle phi (radians)
laplacian(signs)    the Laplacian of a cycle whose edges carry the given signs

Main claims
-----------
mobius.holonomy, mobius.bundle, mobius.other_invariants

Conventions
-----------
N >= 1 is the training context; i >= 0 numbers the planes; D is an offset in positions
(`offset = key - query`).  In a causal window of N tokens offsets stop at N - 1: the point -I is one
step beyond the last realised offset.

References
----------
bae2026mobius
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import cos, pi, sin

from posproof.theory.symbols import total, variables
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
    Integer,
    Le,
    Lt,
    Or,
    Positive,
    Prop,
    Real,
)

i, m0 = variables("i m", Int(0))
m, N = variables("m N", Int(1))
j, k, t, n, offset = variables("j k t n E", Integer)
D, theta, x, lam = variables("D theta x lambda", Real)
s, rate = variables("s rho", Positive)

IDENTITY = sympy.ImmutableMatrix([[1, 0], [0, 1]])


def rotation(phi: Any) -> sympy.ImmutableMatrix:
    """The rotation of one plane by `phi` radians."""
    return sympy.ImmutableMatrix([[cos(phi), -sin(phi)], [sin(phi), cos(phi)]])


def frequency(i: Any, N: Any) -> Any:
    """The frequency of plane `i` in radians per position: an odd multiple of pi over N."""
    return pi * (2 * i + 1) / N


def periodic_frequency(i: Any, N: Any) -> Any:
    """The matched ladder of holonomy +1: an even multiple of pi over N."""
    return 2 * pi * i / N


def laplacian(signs: Sequence[Any], diagonal: Any = 2) -> sympy.ImmutableMatrix:
    """The Laplacian of a cycle: `signs[a]` is the sign of the edge from a to a + 1, cyclically."""
    size = len(signs)
    rows = [[0] * size for _ in range(size)]
    for a, sign in enumerate(signs):
        b = (a + 1) % size
        rows[a][a] = diagonal
        rows[a][b] -= sign
        rows[b][a] -= sign
    return sympy.ImmutableMatrix(rows)


@dataclass(frozen=True)
class Ladder:
    """The definitions of this topic; a control replaces one of them."""

    frequency: Callable[[Any, Any], Any] = frequency
    periodic_frequency: Callable[[Any, Any], Any] = periodic_frequency
    rotation: Callable[[Any], sympy.ImmutableMatrix] = rotation
    laplacian: Callable[..., sympy.ImmutableMatrix] = laplacian
    return_sign: int = -1

    def plane(self, i: Any, N: Any, D: Any) -> sympy.ImmutableMatrix:
        """The rotation of plane i at offset D."""
        return self.rotation(self.frequency(i, N) * D)

    def kernel(self, m: Any, N: Any, D: Any) -> Any:
        """The sum of cos(theta_i D) over the first m planes."""
        return total(i, m, cos(self.frequency(i, N) * D))

    def holonomy(self) -> sympy.ImmutableMatrix:
        """What a plane is asked to be after N positions."""
        return self.return_sign * IDENTITY


# ---------------------------------------------------------------------- mobius.holonomy
def antiperiodic(of: Ladder) -> Prop:
    return ForAll((i, N), Eq(of.plane(i, N, N), of.holonomy()))


def only_this_ladder(of: Ladder) -> Prop:
    in_ladder = Exists(k, Eq(theta, of.frequency(k, N)))
    return ForAll((theta, N), Iff(Eq(of.rotation(theta * N), of.holonomy()), in_ladder))


def same_plane(of: Ladder, a: Any, b: Any, N: Any, turns: Any) -> Prop:
    """theta_a = +- theta_b + 2 pi turns: the planes differ by whole turns or by conjugation."""
    left, right = of.frequency(a, N), of.frequency(b, N)
    return Or(Eq(left, right + 2 * pi * turns), Eq(left, -right + 2 * pi * turns))


def representatives(of: Ladder) -> Prop:
    chosen = Exists(i, And(Le(2 * i + 1, N), Exists(t, same_plane(of, k, i, N, t))))
    return ForAll((N, k), chosen)


def inequivalent(of: Ladder) -> Prop:
    a, b = variables("a b", Int(0))
    both = And(Le(2 * a + 1, N), Le(2 * b + 1, N), same_plane(of, a, b, N, t))
    return ForAll((N, a, b, t), Implies(both, Eq(a, b)))


def capacity(of: Ladder) -> Prop:
    even = Iff(Le(of.frequency(i, 2 * m), pi), Le(i + 1, m))
    odd = Iff(Le(of.frequency(i, 2 * m0 + 1), pi), Le(i, m0))
    return And(ForAll((i, m), even), ForAll((i, m0), odd))


def period(of: Ladder) -> Prop:
    return ForAll((i, N, D), Eq(of.plane(i, N, D + 2 * N), of.plane(i, N, D)))


def faithful(of: Ladder) -> Prop:
    returns = Eq(of.plane(0, N, offset), IDENTITY)
    return ForAll((N, offset), Iff(returns, Exists(t, Eq(offset, 2 * N * t))))


def order(of: Ladder) -> Prop:
    g, b = variables("g b", Int(1))
    a, u, v = variables("a u v", Integer)
    gcd_of = And(Eq(2 * i + 1, g * a), Eq(2 * N, g * b), Eq(u * a + v * b, 1))
    returns = Eq(of.plane(i, N, offset), IDENTITY)
    return ForAll(
        (i, N, g, a, b, u, v, offset),
        Implies(gcd_of, Iff(returns, Exists(t, Eq(offset, b * t)))),
    )


HOLONOMY = Claim(
    id="mobius.holonomy",
    title="The holonomy is exactly -I, and only this ladder has it",
    kind="classification",
    source=("bae2026mobius",),
    definitions=Ladder(),
    clauses=(
        Clause("antiperiodic", r"R(\theta_i N) = -I \quad (i \ge 0)", antiperiodic),
        Clause(
            "only_this_ladder",
            r"R(\theta N) = -I \iff \theta \in \tfrac{\pi}{N}(2\mathbb{Z} + 1)",
            only_this_ladder,
        ),
        Clause(
            "representatives",
            r"\forall k\in\mathbb{Z}\ \exists i\ge 0:\ 2i+1 \le N,\ "
            r"\theta_k \equiv \pm\theta_i \pmod{2\pi}",
            representatives,
        ),
        Clause(
            "inequivalent",
            r"2a+1 \le N,\ 2b+1 \le N,\ \theta_a \equiv \pm\theta_b \pmod{2\pi} "
            r"\implies a = b",
            inequivalent,
        ),
        Clause(
            "capacity",
            r"\theta_i \le \pi \iff i < \lceil N/2 \rceil,"
            r"\ \text{so pairwise inequivalent planes number } \lceil N/2\rceil",
            capacity,
        ),
        Clause("period", r"R(\theta_i(D + 2N)) = R(\theta_i D)", period),
        Clause(
            "faithful",
            r"R(\theta_0 E) = I \iff 2N \mid E \quad (E\in\mathbb{Z})",
            faithful,
        ),
        Clause(
            "order",
            r"R(\theta_i E) = I \iff \tfrac{2N}{\gcd(2i+1,\,2N)} \mid E \quad (E\in\mathbb{Z})",
            order,
        ),
    ),
)


# ---------------------------------------------------------------------- mobius.bundle
def orientable(of: Ladder) -> Prop:
    line = Eq(cos(of.frequency(i, N) * N), -1)
    plane = Eq(sympy.Determinant(of.plane(i, N, N)), 1)
    return ForAll((i, N), And(line, plane))


def deformable(of: Ladder) -> Prop:
    path = of.rotation(pi * x)
    special = And(Eq(path.T * path, IDENTITY), Eq(sympy.Determinant(path), 1))
    ends = And(Eq(of.rotation(0), IDENTITY), Eq(of.rotation(pi), of.holonomy()))
    return And(ForAll(x, special), ends)


def gauge(of: Ladder) -> Prop:
    connected = of.rotation(-pi * D / N) * of.plane(i, N, D)
    periodic = of.rotation(of.periodic_frequency(i, N) * D)
    return ForAll((i, N, D), Eq(connected, periodic))


def spectrum(of: Ladder) -> Prop:
    def returns(turned: Any) -> Prop:
        return ForAll(x, Eq(of.rotation(theta * (x + N)), turned * of.rotation(theta * x)))

    anti = Iff(returns(-1), Exists(k, Eq(theta, of.frequency(k, N))))
    periodic = Iff(returns(1), Exists(k, Eq(theta, of.periodic_frequency(k, N))))
    return ForAll((theta, N), And(anti, periodic))


def gap(of: Ladder) -> Prop:
    return ForAll((k, N), Le((pi / N) ** 2, of.frequency(k, N) ** 2))


def modes(of: Ladder) -> Prop:
    angle = of.frequency(i, N)

    def mode(at: Any) -> sympy.ImmutableMatrix:
        return sympy.ImmutableMatrix([[cos(angle * at)], [sin(angle * at)]])

    inside = Eq(2 * mode(n) - mode(n - 1) - mode(n + 1), (2 - 2 * cos(angle)) * mode(n))
    wraps = Eq(mode(n + N), -1 * mode(n))
    return ForAll((i, N, n), And(inside, wraps))


CYCLES = range(3, 13)


def determinants(of: Ladder) -> Prop:
    def det(size: int, last: int) -> Any:
        return sympy.Determinant(of.laplacian([1] * (size - 1) + [last]))

    return And(*(And(Eq(det(a, -1), 4), Eq(det(a, 1), 0)) for a in CYCLES))


def characteristic(of: Ladder) -> Prop:
    def at(size: int, last: int) -> Prop:
        shifted = of.laplacian([1] * (size - 1) + [last], 2 - lam)
        return Eq(sympy.Determinant(shifted), 2 * sympy.chebyshevt(size, 1 - lam / 2) - 2 * last)

    return ForAll(lam, And(*(And(at(a, -1), at(a, 1)) for a in CYCLES)))


def switching(of: Ladder) -> Prop:
    def at(size: int) -> Prop:
        signs = variables(" ".join(f"s{a}" for a in range(1, size + 1)), Real)
        determinant = sympy.Determinant(of.laplacian(signs))
        unit = And(*(Eq(sign**2, 1) for sign in signs))
        return ForAll(signs, Implies(unit, Eq(determinant, 2 - 2 * sympy.prod(signs))))

    return And(*(at(a) for a in range(3, 8)))


BUNDLE = Claim(
    id="mobius.bundle",
    title="What is topological: a flat sign, a signed cycle, a half-integer spectrum",
    kind="classification",
    source=("bae2026mobius",),
    definitions=Ladder(),
    stance="corrected",
    reading=(
        "Read as a statement about the plane bundle up to rotations, 'Moebius' does not hold: -I "
        "has determinant +1 and can be turned into I. What is non-trivial is the sign itself: "
        "lines, the signed cycle, and the half-integer spectrum."
    ),
    clauses=(
        Clause(
            "orientable",
            r"\cos(\theta_i N) = -1 \text{ (a line flips)},\quad "
            r"\det R(\theta_i N) = +1 \text{ (a plane does not)}",
            orientable,
        ),
        Clause(
            "deformable",
            r"R(\pi x) \in SO(2)\ \forall x,\quad R(0) = I,\quad R(\pi) = -I",
            deformable,
        ),
        Clause("gauge", r"R(-\tfrac{\pi D}{N})\,R(\theta_i D) = R(\tfrac{2\pi i D}{N})", gauge),
        Clause(
            "spectrum",
            r"e^{i\theta(x+N)} = -e^{i\theta x}\ \forall x \iff "
            r"\theta \in \tfrac{2\pi}{N}(\mathbb{Z}+\tfrac12);\quad "
            r"e^{i\theta(x+N)} = e^{i\theta x}\ \forall x \iff "
            r"\theta \in \tfrac{2\pi}{N}\mathbb{Z}",
            spectrum,
        ),
        Clause("gap", r"|\theta_k| \ge \pi/N \quad (k\in\mathbb{Z})", gap),
        Clause(
            "modes",
            r"2v_n - v_{n-1} - v_{n+1} = (2 - 2\cos\theta_i)\,v_n,\quad v_{n+N} = -v_n"
            r"\quad\text{for } v_n = e^{i\theta_i n}",
            modes,
        ),
        Clause(
            "determinants",
            r"\det L_N^{-} = 4,\quad \det L_N^{+} = 0 \quad (N = 3, \ldots, 12)",
            determinants,
        ),
        Clause(
            "characteristic",
            r"\det(L_N^{\pm} - \lambda I) = 2\,T_N(1 - \tfrac{\lambda}{2}) \mp 2"
            r"\quad (N = 3, \ldots, 12)",
            characteristic,
        ),
        Clause(
            "switching",
            r"\det L_N(s_1, \ldots, s_N) = 2 - 2\,s_1\cdots s_N"
            r"\quad (s_a = \pm1,\ N = 3, \ldots, 7)",
            switching,
        ),
    ),
)


# ---------------------------------------------------------------------- mobius.other_invariants
def interpolation(of: Ladder) -> Prop:
    return ForAll((i, N, s), Eq(of.frequency(i, N) / s, of.frequency(i, s * N)))


def rescaling(of: Ladder) -> Prop:
    at_new_window = of.rotation(of.frequency(i, N) / rate * (s * N))
    odd = Exists(j, Eq((2 * i + 1) * s / rate, 2 * j + 1))
    return ForAll((i, N, s, rate), Iff(Eq(at_new_window, of.holonomy()), odd))


def unscaled_plane(of: Ladder) -> Prop:
    return ForAll((i, N, j), Eq(of.plane(i, N, 2 * j * N), IDENTITY))


def negative_lobe(of: Ladder) -> Prop:
    inside = And(Le(2 * m, N), Lt(N / (2 * m), D), Lt(D, N / m))
    return ForAll((m, N, D), Implies(inside, Lt(of.kernel(m, N, D), 0)))


def first_negative(of: Ladder) -> Prop:
    def at(offset: int) -> Any:
        return of.kernel(sympy.Integer(32), sympy.Integer(512), sympy.Integer(offset))

    before = (Lt(0, at(a)) for a in range(8))
    return And(*before, Eq(at(8), 0), Lt(at(9), 0))


OTHER_INVARIANTS = Claim(
    id="mobius.other_invariants",
    title="The ladder against interpolation, per-plane rescaling and the positivity criterion",
    kind="identity",
    source=("bae2026mobius",),
    definitions=Ladder(),
    depends=("mobius.holonomy", "mobius.dipole"),
    clauses=(
        Clause("interpolation", r"\theta_i^{(N)} / s = \theta_i^{(sN)}", interpolation),
        Clause(
            "rescaling",
            r"R\bigl(\tfrac{\theta_i}{\rho}\,sN\bigr) = -I \iff "
            r"\tfrac{(2i+1)s}{\rho} \text{ is an odd integer}",
            rescaling,
        ),
        Clause(
            "unscaled_plane",
            r"R(\theta_i \cdot 2jN) = +I \ne -I:\ \text{a plane that NTK-aware, YaRN or llama3 "
            r"scaling leaves alone is not anti-periodic at an even multiple of } N",
            unscaled_plane,
        ),
        Clause(
            "negative_lobe",
            r"K(D) < 0 \quad \text{for } \tfrac{N}{2m} < D < \tfrac{N}{m},\ m \le \tfrac N2",
            negative_lobe,
        ),
        Clause(
            "first_negative",
            r"N = 512,\ m = 32:\quad K(0), \ldots, K(7) > 0,\ K(8) = 0,\ K(9) < 0",
            first_negative,
        ),
    ),
)
