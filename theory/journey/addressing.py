r"""Addresses made from content, what relative logits can do, and how values are transported.

Main definitions
----------------
placed(C, R)             the address of a token: the content of its unit, then its local rotation
carrier(a, omega, b, D)  a cos(omega D + b), one plane of a relative kernel
wave(a, b, omega, t)     a cos(omega t) + b sin(omega t), the same plane by its two amplitudes
floor(n, g)              1 / (1 + n e^{-g}), what n competitors leave to a logit ahead of all by g

Main claims
-----------
journey.content_address, journey.relative_logits, journey.linear_attention_limit,
journey.value_transport

Conventions
-----------
As in `cocycles`: operators are letters, small letters the inverses of capital ones.  R_l is the
rotation R^l of the local index l; the transport from token j to token i is A(i)^{-1} A(j).
Frequencies are radians per position, offsets Delta = j - i.  An array x_j(e) with e < d is stored
row by row, as x(d j + e).

References
----------
none
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Rational, cos, exp, pi, sin

from posproof.theory.journey.cocycles import Matrix, Operator, Square, inverses, rotation
from posproof.theory.symbols import Journey, sequence, total, variables
from posproof.theory.vocabulary import (
    And,
    Box,
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
    Letter,
    Lt,
    Ne,
    Not,
    Positive,
    Prop,
    Real,
    Word,
)

C, c_inv, D_u, d_inv, W, w_inv = variables("C c D d W w", Letter)
R_l, r_l, R_k, r_k, Q = variables("R_l r_l R_k r_k Q", Letter)
V_x, V_y = variables("V_x V_y", Letter)
x = variables("x", Letter)[0]
word = variables("v", Word)[0]
l1, l2 = variables("l l'", Int(0))
size, units = variables("ell U", Int(1))
offset = variables("Delta", Integer)[0]
s1, s2, target, other, gap = variables("s t s0 t0 g", Real)
rest = variables("Z", Positive)[0]
m, n, c, N, e = variables("m n c N e", Int(0))
d = variables("d", Int(1))[0]
j, i, shift, start = variables("j i h s", Real)
place, position = variables("p p'", Integer)
omega, phase, amplitude, D = variables("omega b a D", Real)
omegas = variables("omega1 omega2 omega3 omega4", Real)
cosines = variables("a1 a2 a3 a4", Real)
sines = variables("b1 b2 b3 b4", Real)
far = variables("y", Real)[0]
limit = variables("M", Real)[0]
frequency, q1, q2, k1, k2 = (sequence(name) for name in ("omega", "q", "q'", "k", "k'"))
logit, column, array = (sequence(name) for name in ("s", "b", "x"))
alpha = sequence("alpha", Box(0, 1))
A_i, a_i, A_j, A_k, G, g = variables("A_i a_i A_j A_k G g", Letter)
At_i, at_i, At_j = variables("A_i' a_i' A_j'", Letter)


def wave(a: Any, b: Any, omega: Any, t: Any) -> Any:
    """a cos(omega t) + b sin(omega t)."""
    return a * cos(omega * t) + b * sin(omega * t)


def carrier(a: Any, omega: Any, b: Any, D: Any) -> Any:
    """One plane of a relative kernel at offset D: amplitude a, phase b in radians."""
    return a * cos(omega * D + b)


def anti_periodic(c: Any, L: Any) -> Any:
    """The frequency of plane c of the ladder that makes c turns and a half in L positions."""
    return 2 * pi * (c + Rational(1, 2)) / L


def periodic(c: Any, L: Any) -> Any:
    """The frequency of plane c of the ladder that turns c times in L positions."""
    return 2 * pi * c / L


def interpolant(omega: Any, start: Any, first: Any, second: Any) -> tuple[Any, Any]:
    """The amplitudes (a, b) of the wave that is `first` at `start` and `second` one place later."""
    a = first * sin(omega * (start + 1)) - second * sin(omega * start)
    b = second * cos(omega * start) - first * cos(omega * (start + 1))
    return a / sin(omega), b / sin(omega)


@dataclass(frozen=True)
class Addressing:
    """The definitions of this topic; a control replaces one of them."""

    placed: Callable[[Operator, Operator], Operator] = lambda content, local: content * local
    unplaced: Callable[[Operator, Operator], Operator] = lambda content, local: local * content
    context: Callable[[Sequence[Operator]], Any] = lambda before: sympy.Integer(1)
    context_inverse: Callable[[Sequence[Operator]], Any] = lambda before: sympy.Integer(1)
    weight: Callable[[Any, Any], Any] = lambda logit, others: exp(logit) / (exp(logit) + others)
    largest_offset: Callable[[Any], Any] = lambda length: length - 1
    rotation: Callable[[Any], Square] = rotation
    carrier: Callable[[Any, Any, Any, Any], Any] = carrier
    wave: Callable[[Any, Any, Any, Any], Any] = wave
    amplitudes: Callable[..., tuple[Any, Any]] = interpolant
    separation: Callable[[Any, Any], Any] = lambda first, second: 2 * cos(first) - 2 * cos(second)
    apart: Callable[[Any, Any], Prop] = lambda first, second: Ne(cos(first), cos(second))
    turning: Callable[[Any], Prop] = lambda omega: Ne(sin(omega), 0)
    floor: Callable[[Any, Any], Any] = lambda n, g: 1 / (1 + n * exp(-g))
    half_length: Callable[[Any], Any] = lambda g: 1 + exp(g)
    ladder: Callable[[Any, Any], Any] = anti_periodic
    closed_ladder: Callable[[Any, Any], Any] = periodic
    transport: Callable[[Operator, Operator], Operator] = lambda inverse, frame: inverse * frame
    delivered: Callable[[Operator, Operator], Operator] = lambda inverse, total: inverse * total
    gauged: Callable[[Operator, Operator], Operator] = lambda gauge, frame: gauge * frame
    back: Callable[[Any], Any] = lambda column: column
    commute: Callable[[Operator, Operator], Prop] = lambda a, b: Eq(a * b, b * a)
    mixed: Callable[[Any], Prop] = lambda weights: Eq(weights, 1)

    def kernel(self, count: int, t: Any) -> Any:
        """The sum of the first `count` planes at t."""
        planes = zip(cosines[:count], sines[:count], omegas[:count], strict=True)
        return sum((self.wave(a, b, w, t) for a, b, w in planes), sympy.Integer(0))


# ---------------------------------------------------------------------- journey.content_address
def local_rope(of: Addressing) -> Prop:
    within = of.unplaced(c_inv, r_l) * of.placed(C, R_k)
    return ForAll((C, c_inv, r_l, R_k), Implies(And(*inverses((C, c_inv))), Eq(within, r_l * R_k)))


def local_offset(of: Addressing) -> Prop:
    turned = of.rotation(omega * l1).T * of.rotation(omega * l2)
    return ForAll((omega, l1, l2), Eq(turned, of.rotation(omega * (l2 - l1))))


def other_side(of: Addressing) -> Prop:
    placed_right = of.unplaced(r_l, c_inv) * of.placed(R_k, C)
    equal = Eq(placed_right, r_l * R_k)
    commutes = Eq(r_l * R_k * C, C * r_l * R_k)
    known = And(*inverses((C, c_inv)))
    return ForAll((C, c_inv, r_l, R_k), Implies(known, Iff(equal, commutes)))


def powers_commute(of: Addressing) -> Prop:
    step = ForAll(x, of.commute(x, C))
    return ForAll(C, Implies(step, ForAll(word, Eq(Journey(word) * C, C * Journey(word)))))


def _between(of: Addressing, before_u: Sequence[Any], before_v: Sequence[Any]) -> Operator:
    """The transport from unit v to unit u, each after the units listed as (content, inverse)."""
    start = of.unplaced(c_inv, r_l) * of.context_inverse([pair[1] for pair in before_u])
    return start * of.context([pair[0] for pair in before_v]) * of.placed(D_u, R_k)


def insertion(of: Addressing) -> Prop:
    first, second, new = (C, c_inv), (D_u, d_inv), (W, w_inv)
    own = of.unplaced(c_inv, r_l) * of.placed(D_u, R_k)
    alone = _between(of, [], [first])
    inserted = _between(of, [new], [new, first])
    reordered = _between(of, [second, new], [])
    names = (C, c_inv, D_u, d_inv, W, w_inv, r_l, R_k)
    known = And(*inverses(first, second, new))
    return ForAll(
        names, Implies(known, And(*(Eq(found, own) for found in (alone, inserted, reordered))))
    )


def ratio(of: Addressing) -> Prop:
    first = of.weight(s1, exp(s2) + rest)
    second = of.weight(s2, exp(s1) + rest)
    return ForAll((s1, s2, rest), Eq(first, exp(s1 - s2) * second))


def weights_shrink(of: Addressing) -> Prop:
    return ForAll((s1, s2, rest), Lt(of.weight(s1, rest + exp(s2)), of.weight(s1, rest)))


def offsets(of: Addressing) -> Prop:
    second = Exists(l2, And(Lt(l2, size), Eq(l2 - l1, offset)))
    largest = of.largest_offset(size)
    range_ = And(Le(-largest, offset), Le(offset, largest))
    return ForAll((size, offset), Iff(Exists(l1, And(Lt(l1, size), second)), range_))


def fewer_offsets(of: Addressing) -> Prop:
    local, whole = of.largest_offset(size), of.largest_offset(units * size)
    return ForAll((size, units), And(Le(local, whole), Implies(Le(2, units), Lt(local, whole))))


def cross_unit(of: Addressing) -> Prop:
    new = of.unplaced(c_inv, r_l) * of.placed(D_u, R_k)
    old = of.unplaced(w_inv, r_l) * of.placed(Q, R_k)
    known = And(*inverses((R_l, r_l), (R_k, r_k)))
    names = (c_inv, D_u, w_inv, Q, R_l, r_l, R_k, r_k)
    return ForAll(names, Implies(known, Iff(Eq(new, old), Eq(c_inv * D_u, w_inv * Q))))


CONTENT_ADDRESS = Claim(
    id="journey.content_address",
    title="Addresses from content: what stays when units are inserted or moved",
    kind="equivalence",
    definitions=Addressing(),
    depends=("journey.cocycle",),
    stance="sharpened",
    hypotheses=(
        "queries and keys are fixed: in a deep causal stack they depend on units inserted before",
        "the address of a unit is computed from that unit alone, and the unit is complete",
    ),
    reading=(
        "The abstract says that content addresses preserve local rotary positions exactly; they "
        "do with the content on the left of the local rotation, for fixed queries and keys."
    ),
    clauses=(
        Clause(
            "local_rope",
            r"A(u,l) = C_uR^l \implies A(u,l)^{-1}A(u,l') = R^{-l}R^{l'}",
            local_rope,
        ),
        Clause("local_offset", r"R(\omega l)^{\top}R(\omega l') = R(\omega(l'-l))", local_offset),
        Clause(
            "other_side",
            r"A(u,l) = R^lC_u:\quad A(u,l)^{-1}A(u,l') = R^{-l}R^{l'} \iff "
            r"[R^{-l}R^{l'}, C_u] = 0",
            other_side,
        ),
        Clause(
            "powers_commute",
            r"[R, C] = 0 \implies [R^l, C] = 0,\ \text{and so for every product of steps}",
            powers_commute,
        ),
        Clause(
            "insertion",
            r"A(u,l)^{-1}A(v,l') = R^{-l}C_u^{-1}C_vR^{l'}\ "
            r"\text{in each of the documents}\ uv,\ wuv,\ vwu",
            insertion,
        ),
        Clause(
            "ratio",
            r"w_1 = \frac{e^{s}}{e^{s}+e^{t}+Z},\ w_2 = \frac{e^{t}}{e^{s}+e^{t}+Z} \implies "
            r"w_1 = e^{s-t}\,w_2 \quad (Z > 0\ \text{from the other units})",
            ratio,
        ),
        Clause(
            "weights_shrink",
            r"\frac{e^{s}}{e^{s}+Z+e^{t}} < \frac{e^{s}}{e^{s}+Z}",
            weights_shrink,
        ),
        Clause(
            "offsets",
            r"\exists\,l, l' < \ell:\ l' - l = \Delta \iff |\Delta| \le \ell - 1,\ "
            r"\text{so}\ \ell\ \text{positions have}\ 2\ell - 1\ \text{offsets}",
            offsets,
        ),
        Clause(
            "fewer_offsets",
            r"\ell - 1 \le U\ell - 1,\ \text{and}\ \ell - 1 < U\ell - 1\ \text{for}\ U \ge 2",
            fewer_offsets,
        ),
        Clause(
            "cross_unit",
            r"R^{-l}C_u^{-1}C_vR^{l'} = R^{-l}C_{u'}^{-1}C_{v'}R^{l'} \iff "
            r"C_u^{-1}C_v = C_{u'}^{-1}C_{v'}",
            cross_unit,
        ),
    ),
)


# ---------------------------------------------------------------------- journey.relative_logits
def _plane_score(of: Addressing, i: Any, j: Any) -> Any:
    """The score of plane c: the query turned to position i against the key turned to position j."""
    query = of.rotation(frequency(c) * i) * sympy.Matrix([q1(c), q2(c)])
    key = of.rotation(frequency(c) * j) * sympy.Matrix([k1(c), k2(c)])
    return (query.T * key)[0, 0]


def equivariant(of: Addressing) -> Prop:
    moved = total(c, m, _plane_score(of, i + shift, j + shift))
    return ForAll((m, i, j, shift), Eq(moved, total(c, m, _plane_score(of, i, j))))


def factored(of: Addressing) -> Prop:
    left = sympy.Matrix([[cos(omega * i), sin(omega * i)]])
    right = sympy.Matrix([cos(omega * j), sin(omega * j)])
    middle = amplitude * of.rotation(phase)
    product = (left * middle * right)[0, 0]
    return ForAll(
        (amplitude, omega, phase, i, j), Eq(of.carrier(amplitude, omega, phase, j - i), product)
    )


def _toeplitz(of: Addressing, count: int) -> sympy.Matrix:
    """[kappa(j - i)] of size 2 count for the first `count` planes."""
    planes = list(zip(cosines, omegas, sines, strict=True))[:count]

    def entry(row: int, column_: int) -> Any:
        return sum((of.carrier(*plane, column_ - row) for plane in planes), sympy.Integer(0))

    return sympy.Matrix(2 * count, 2 * count, entry)


def _gram(of: Addressing, count: int) -> Any:
    """What the determinant of `_toeplitz` has to be."""
    result = sympy.Integer(1)
    for row, (a, w) in enumerate(zip(cosines[:count], omegas, strict=False)):
        result = result * a**2 * sin(w) ** 2
        for v in omegas[row + 1 : count]:
            result = result * of.separation(w, v) ** 4
    return result


def rank_two(of: Addressing) -> Prop:
    determinant = sympy.Determinant(Matrix(_toeplitz(of, 1)))
    return ForAll((cosines[0], sines[0], omegas[0]), Eq(determinant, _gram(of, 1)))


def rank_four(of: Addressing) -> Prop:
    determinant = sympy.Determinant(Matrix(_toeplitz(of, 2)))
    return ForAll((*cosines[:2], *sines[:2], *omegas[:2]), Eq(determinant, _gram(of, 2)))


def merged(of: Addressing) -> Prop:
    (a1, a2), (b1, b2) = cosines[:2], sines[:2]
    both = of.carrier(a1, omega, b1, D) + of.carrier(a2, omega, b2, D)
    real, imaginary = a1 * cos(b1) + a2 * cos(b2), a1 * sin(b1) + a2 * sin(b2)
    one = real * cos(omega * D) - imaginary * sin(omega * D)
    return ForAll((a1, a2, b1, b2, omega, D), Eq(both, one))


def half_turn_plane(of: Addressing) -> Prop:
    still = Eq(of.carrier(amplitude, 0, phase, D), amplitude * cos(phase))
    signs = cos(pi * place) * cos(pi * position)
    alternating = of.carrier(amplitude, pi, phase, position - place)
    return ForAll(
        (amplitude, phase, D, place, position),
        And(still, Eq(alternating, amplitude * cos(phase) * signs)),
    )


def _competitors(count: Any) -> Any:
    return total(e, count, exp(logit(e)))


def dilution(of: Addressing) -> Prop:
    behind = ForAll(e, Implies(Lt(e, n), Le(logit(e), target - gap)))
    bound = Le(of.floor(n, gap), of.weight(target, _competitors(n)))
    return ForAll((n, target, gap), Implies(behind, bound))


def attained(of: Addressing) -> Prop:
    equal = Eq(of.weight(target, n * exp(target - gap)), of.floor(n, gap))
    behind = And(ForAll(e, Implies(Lt(e, n), Le(logit(e), target - gap))), Lt(other, target - gap))
    strict = Lt(of.floor(n + 1, gap), of.weight(target, _competitors(n) + exp(other)))
    return ForAll((n, target, gap, other), And(equal, Implies(behind, strict)))


def half(of: Addressing) -> Prop:
    at_half = Eq(of.floor(rest, gap), Rational(1, 2))
    return ForAll((rest, gap), Iff(at_half, Eq(1 + rest, of.half_length(gap))))


def causal_weight(of: Addressing) -> Prop:
    seen = _competitors(n) + exp(logit(n))
    one_more = seen + exp(logit(n + 1))
    return ForAll((n, target), Lt(of.weight(target, one_more), of.weight(target, seen)))


RELATIVE_LOGITS = Claim(
    id="journey.relative_logits",
    title="Relative logits: equivariant, of rank 2m, diluted, and seen through a causal window",
    kind="classification",
    definitions=Addressing(),
    clauses=(
        Clause(
            "equivariant",
            r"S(i, j) = \sum_{c<m}(R(\omega_ci)q_c)^{\top}R(\omega_cj)k_c \implies "
            r"S(i+h, j+h) = S(i, j)",
            equivariant,
        ),
        Clause(
            "factored",
            r"a\cos(\omega(j-i)+b) = (\cos\omega i, \sin\omega i)\;aR(b)^{\top}\;"
            r"(\cos\omega j, \sin\omega j)^{\top},\ \text{so}\ m\ \text{planes have rank}\ \le 2m",
            factored,
        ),
        Clause(
            "rank_two",
            r"m = 1:\ \det\,[\kappa(j-i)]_{i,j<2} = a^2\sin^2\omega,\ "
            r"\text{of rank 2 for}\ a\sin\omega \ne 0",
            rank_two,
        ),
        Clause(
            "rank_four",
            r"m = 2:\ \det\,[\kappa(j-i)]_{i,j<4} = a_1^2a_2^2\sin^2\omega_1\sin^2\omega_2"
            r"\,(2\cos\omega_1 - 2\cos\omega_2)^4",
            rank_four,
        ),
        Clause(
            "merged",
            r"a_1\cos(\omega\Delta+b_1) + a_2\cos(\omega\Delta+b_2) = "
            r"\Re\bigl((a_1e^{ib_1}+a_2e^{ib_2})e^{i\omega\Delta}\bigr)",
            merged,
        ),
        Clause(
            "half_turn_plane",
            r"\omega = 0:\ \kappa(\Delta) = a\cos b;\quad \omega = \pi:\ "
            r"\kappa(j-i) = a\cos b\,(-1)^i(-1)^j",
            half_turn_plane,
        ),
        Clause(
            "dilution",
            r"s_e \le s_0 - g\ (e < n) \implies "
            r"\frac{e^{s_0}}{e^{s_0}+\sum_{e<n}e^{s_e}} \ge \frac{1}{1+n e^{-g}}",
            dilution,
        ),
        Clause(
            "attained",
            r"s_e = s_0 - g\ \forall e:\ w = \frac{1}{1+ne^{-g}};\quad "
            r"\text{one}\ t < s_0 - g\ \text{besides}\ n\ \text{others}:\ "
            r"w > \frac{1}{1+(n+1)e^{-g}}",
            attained,
        ),
        Clause(
            "half",
            r"\frac{1}{1+(L-1)e^{-g}} = \tfrac12 \iff L = 1 + e^{g} \quad (L > 1)",
            half,
        ),
        Clause(
            "causal_weight",
            r"\frac{e^{s}}{e^{s}+\sum_{e\le n+1}e^{s_e}} < "
            r"\frac{e^{s}}{e^{s}+\sum_{e\le n}e^{s_e}}",
            causal_weight,
        ),
    ),
)


# ------------------------------------------------------------- journey.linear_attention_limit
def _names(count: int) -> tuple[Any, ...]:
    return (*cosines[:count], *sines[:count], *omegas[:count])


def distinct(of: Addressing, count: int) -> tuple[Prop, ...]:
    """The planes turn, by frequencies whose cosines differ."""
    chosen = omegas[:count]
    pairs = [(a, b) for n, a in enumerate(chosen) for b in chosen[n + 1 :]]
    return (*(of.turning(w) for w in chosen), *(of.apart(a, b) for a, b in pairs))


def zeros(of: Addressing, count: int, first: Any) -> tuple[Prop, ...]:
    """kappa vanishes at 2 count consecutive places."""
    return tuple(Eq(of.kernel(count, first + k), 0) for k in range(2 * count))


def _no_zeros(count: int) -> Callable[[Addressing], Prop]:
    def statement(of: Addressing) -> Prop:
        known = And(*distinct(of, count), *zeros(of, count, start))
        vanishes = And(*(Eq(a, 0) for a in (*cosines[:count], *sines[:count])))
        return ForAll((*_names(count), start), Implies(known, vanishes))

    return statement


def _no_peak(count: int) -> Callable[[Addressing], Prop]:
    def statement(of: Addressing) -> Prop:
        peak = And(Eq(of.kernel(count, D), 1), *zeros(of, count, start))
        known = And(*distinct(of, count))
        return ForAll((*_names(count), D, start), Implies(known, Not(peak)))

    return statement


def solvable(of: Addressing) -> Prop:
    w = omegas[0]
    a, b = of.amplitudes(w, start, far, other)
    found = And(Eq(of.wave(a, b, w, start), far), Eq(of.wave(a, b, w, start + 1), other))
    return ForAll((w, start, far, other), Implies(of.turning(w), found))


def aliasing(of: Addressing) -> Prop:
    a, b = sequence("a"), sequence("b")

    def kernel(ladder: Callable[[Any, Any], Any], t: Any) -> Any:
        return total(c, m, of.wave(a(c), b(c), ladder(c, size), t))

    odd, even = of.ladder, of.closed_ladder
    return ForAll(
        (m, size, D),
        And(
            Eq(kernel(odd, D + size), -kernel(odd, D)),
            Eq(kernel(odd, D + 2 * size), kernel(odd, D)),
            Eq(kernel(even, D + size), kernel(even, D)),
        ),
    )


def inside(of: Addressing) -> Prop:
    fits = Le(2 * (c + 1), size)
    odd, even = of.ladder(c, size), of.closed_ladder(c, size)
    low, high = And(Lt(0, odd), Lt(odd, pi)), And(Le(0, even), Lt(even, pi))
    return ForAll((c, size), Implies(fits, And(low, high)))


def resonant(of: Addressing) -> Prop:
    values = [of.wave(0, 1, pi / 2, t) for t in range(4)]
    return And(*(Eq(value, wanted) for value, wanted in zip(values, (0, 1, 0, -1), strict=True)))


def repeated(of: Addressing) -> Prop:
    a, b, w = cosines[0], sines[0], omegas[0]
    cancelled = of.wave(a, b, w, start) + of.wave(-a, -b, w, start)
    return ForAll((a, b, w, start), Eq(cancelled, 0))


_WORDS = ("one", "two", "three", "four")

LINEAR_ATTENTION_LIMIT = Claim(
    id="journey.linear_attention_limit",
    title="A kernel of m planes cannot be 1 at one offset and 0 at all others for long",
    kind="bound",
    definitions=Addressing(),
    depends=("journey.relative_logits",),
    clauses=(
        *(
            Clause(
                f"no_zeros_{_WORDS[count - 1]}",
                rf"m = {count}:\ \kappa(s) = \cdots = \kappa(s+{2 * count - 1}) = 0,\ "
                r"\cos\omega_c\ \text{distinct},\ \sin\omega_c \ne 0 \implies a_c = b_c = 0",
                _no_zeros(count),
            )
            for count in (1, 2, 3, 4)
        ),
        *(
            Clause(
                f"no_peak_{_WORDS[count - 1]}",
                rf"m = {count}:\ \kappa(D) = 1\ \text{{excludes}}\ "
                rf"\kappa(s) = \cdots = \kappa(s+{2 * count - 1}) = 0\ \text{{for every}}\ s,\ "
                rf"\text{{so}}\ L \le D + {2 * count},\ D \le {2 * count - 1}",
                _no_peak(count),
            )
            for count in (1, 2, 3, 4)
        ),
        Clause(
            "solvable",
            r"m = 1,\ \sin\omega \ne 0:\ "
            r"a = \tfrac{y\sin\omega(s+1) - y'\sin\omega s}{\sin\omega},\ "
            r"b = \tfrac{y'\cos\omega s - y\cos\omega(s+1)}{\sin\omega} \implies "
            r"\kappa(s) = y,\ \kappa(s+1) = y'",
            solvable,
        ),
        Clause(
            "aliasing",
            r"\omega_c = \tfrac{2\pi}{L}(c+\tfrac12):\ \kappa(D+L) = -\kappa(D),\ "
            r"\kappa(D+2L) = \kappa(D);\quad \omega_c = \tfrac{2\pi}{L}c:\ "
            r"\kappa(D+L) = \kappa(D)",
            aliasing,
        ),
        Clause(
            "inside",
            r"2(c+1) \le L:\ 0 < \tfrac{2\pi}{L}(c+\tfrac12) < \pi,\ "
            r"0 \le \tfrac{2\pi}{L}c < \pi",
            inside,
        ),
        Clause(
            "resonant",
            r"m = 1,\ \omega = \tfrac{\pi}{2}:\ \kappa(0), \ldots, \kappa(3) = 0, 1, 0, -1,\ "
            r"\text{exact for}\ D = 1,\ L = 3 = D + 2m",
            resonant,
        ),
        Clause(
            "repeated",
            r"\omega_1 = \omega_2,\ a_2 = -a_1,\ b_2 = -b_1:\ \kappa = 0\ \text{everywhere}",
            repeated,
        ),
    ),
)


# ---------------------------------------------------------------------- journey.value_transport
def factorises(of: Addressing) -> Prop:
    value = array(d * n + e)
    transported = total(n, N, alpha(n) * total(e, d, column(e) * value))
    collected = total(e, d, of.back(column(e)) * total(n, N, alpha(n) * value))
    return ForAll((N, d), Eq(transported, collected))


def gauge_invariant(of: Addressing) -> Prop:
    def output(inverse: Operator, first: Operator, second: Operator) -> Operator:
        return of.delivered(inverse, first * V_x + second * V_y)

    frames = (of.gauged(G, A_j), of.gauged(G, A_k))
    same = Eq(output(a_i * g, *frames), output(a_i, A_j, A_k))
    names = (G, g, a_i, A_j, A_k, V_x, V_y)
    return ForAll(names, Implies(And(*inverses((G, g))), same))


def global_frame(of: Addressing) -> Prop:
    before = A_j * V_x + A_k * V_y
    after = of.gauged(G, A_j) * V_x + of.gauged(G, A_k) * V_y
    moved = And(Eq(after, G * before), Iff(Eq(after, before), Eq((G - 1) * before, 0)))
    return ForAll((G, A_j, A_k, V_x, V_y), moved)


def by_transports(of: Addressing) -> Prop:
    transported = of.transport(a_i, A_j) * V_x + of.transport(a_i, A_k) * V_y
    collected = of.delivered(a_i, A_j * V_x + A_k * V_y)
    return ForAll((a_i, A_j, A_k, V_x, V_y), Eq(transported, collected))


def keeps_norms(of: Addressing) -> Prop:
    moved = of.transport(a_i, A_j)
    known = And(*inverses((At_i, at_i)), Eq(A_i * a_i, 1), Eq(At_i * A_i, 1), Eq(At_j * A_j, 1))
    gram = (V_y * At_j * at_i) * (moved * V_x)
    names = (A_i, a_i, A_j, At_i, at_i, At_j, V_x, V_y)
    return ForAll(names, Implies(known, Eq(gram, V_y * V_x)))


def bounded(of: Addressing) -> Prop:
    value = array(d * n + e)
    small = ForAll(n, Implies(Lt(n, N), Le(total(e, d, value**2), limit)))
    output = total(e, d, total(n, N, alpha(n) * value) ** 2)
    known = And(of.mixed(total(n, N, alpha(n))), small)
    return ForAll((N, d, limit), Implies(known, Le(output, limit)))


VALUE_TRANSPORT = Claim(
    id="journey.value_transport",
    title="Transported values factor through one sum, in any gauge, and stay bounded",
    kind="identity",
    definitions=Addressing(),
    depends=("journey.cocycle",),
    clauses=(
        Clause(
            "by_transports",
            r"A(i)^{-1}A(j)v_j + A(i)^{-1}A(k)v_k = A(i)^{-1}\bigl(A(j)v_j + A(k)v_k\bigr)",
            by_transports,
        ),
        Clause(
            "factorises",
            r"\sum_{n<N}\alpha_n\sum_{e<d}(A(i)^{-1})_{\cdot e}\,x_n(e) = "
            r"\sum_{e<d}(A(i)^{-1})_{\cdot e}\sum_{n<N}\alpha_n x_n(e),\quad x_n = A(n)v_n",
            factorises,
        ),
        Clause(
            "gauge_invariant",
            r"A \to GA:\quad o_i = A(i)^{-1}\textstyle\sum_jA(j)v_j\ \text{does not change}",
            gauge_invariant,
        ),
        Clause(
            "global_frame",
            r"A \to GA:\quad \bar o = \textstyle\sum_jA(j)v_j \to G\,\bar o,\ "
            r"\text{unchanged} \iff (G - I)\,\bar o = 0",
            global_frame,
        ),
        Clause(
            "keeps_norms",
            r"A(i), A(j)\ \text{orthogonal} \implies "
            r"(P_{i\leftarrow j}v)^{\top}(P_{i\leftarrow j}v') = v^{\top}v'",
            keeps_norms,
        ),
        Clause(
            "bounded",
            r"\alpha \ge 0,\ \textstyle\sum_n\alpha_n = 1,\ \lVert x_n\rVert^2 \le M\ \forall n "
            r"\implies \bigl\lVert\sum_n\alpha_nx_n\bigr\rVert^2 \le M",
            bounded,
        ),
    ),
)
