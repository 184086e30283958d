r"""Gated rotations along a text: gates and angles accumulate separately.

Main definitions
----------------
rotation          R(x), the plane rotation by x radians
transport         exp(sum of log gates) R(sum of angles) from position j to position t
gaussian_mean     the mean of cos(w . v) over a standard normal w, a function of |v|^2

Main claims
-----------
accumulation.gated_rotations

Conventions
-----------
The step out of position s has the gate exp(lambda_s) > 0 and the angle theta_s (radians).  The
transport from j to t multiplies the steps j, j + 1, .., t - 1, the latest leftmost; for t < j it is
the inverse.  One plane of a head is meant throughout; other planes have their own sequences.

References
----------
Derived here; no publication is quoted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import cos, exp, sin

from posproof.theory.symbols import Variable, sequence, total
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

k, m, n, s, t = (Variable(name, Int(0)) for name in "kmnst")
i, j, d = (Variable(name, Int(0)) for name in "ijd")
L, gain, gate = Variable("L", Int(0)), Variable("Lambda", Real), Variable("g", Positive)
log_gate, theta = sequence("lambda"), sequence("theta")
STEP = tuple(sequence(f"P{row}{column}") for row in range(2) for column in range(2))
q, key, psi = sequence("q"), sequence("k"), sequence("psi")


def rotation(x: Any) -> sympy.ImmutableMatrix:
    return sympy.ImmutableMatrix([[cos(x), -sin(x)], [sin(x), cos(x)]])


def cells(left: Any, right: Any) -> tuple[Prop, ...]:
    """Equality of two matrices, entry by entry."""
    return tuple(Eq(a, b) for a, b in zip(left, right, strict=True))


def product(at: Any) -> sympy.ImmutableMatrix:
    """An arbitrary sequence of matrices."""
    return sympy.ImmutableMatrix(2, 2, [part(at) for part in STEP])


def gaussian_mean(square: Any) -> Any:
    """E cos(w . v) for a standard normal w and |v|^2 = square."""
    return exp(-square / 2)


def gated(log_gate: Any, score: Any) -> Any:
    """A score with a gate."""
    return exp(log_gate) * score


def repeats(k: Any) -> tuple[Prop, ...]:
    """The step out of k has the gate and the rotation of the first step."""
    same = cells(rotation(theta(k)), rotation(theta(0)))
    return (Eq(exp(log_gate(k)), exp(log_gate(0))), *same)


@dataclass(frozen=True)
class Gates:
    """The definitions of `accumulation.gated_rotations`; a control replaces one of them."""

    rotation: Callable[[Any], sympy.ImmutableMatrix] = rotation
    gated: Callable[[Any, Any], Any] = gated
    logit: Any = 1
    repeats: Callable[[Any], tuple[Prop, ...]] = repeats
    gaussian_mean: Callable[[Any], Any] = gaussian_mean
    frequency: Callable[[Any, Any], Any] = lambda q, k: q - k

    def transport(self, t: Any, j: Any) -> sympy.ImmutableMatrix:
        """The transport from j to t."""
        gain, angle = (total(s, t, step(s)) - total(s, j, step(s)) for step in (log_gate, theta))
        return exp(gain) * self.rotation(angle)


def polar(of: Gates) -> Prop:
    grown = cells(product(k + 1), exp(log_gate(k)) * (of.rotation(theta(k)) * product(k)))
    grows = ForAll(k, Implies(Lt(k, n), And(*grown)))
    start = cells(product(0), sympy.ImmutableMatrix(sympy.eye(2)))
    closed = exp(total(s, n, log_gate(s))) * of.rotation(total(s, n, theta(s)))
    return ForAll(n, Implies(And(*start, grows), And(*cells(product(n), closed))))


def cocycle(of: Gates) -> Prop:
    one = sympy.ImmutableMatrix(sympy.eye(2))
    composed = cells(of.transport(t, i) * of.transport(i, j), of.transport(t, j))
    return ForAll((t, i, j), And(*composed, *cells(of.transport(t, t), one)))


def equivariance(of: Gates) -> Prop:
    shifted = And(*cells(of.transport(i + n, j + n), of.transport(i, j)))
    ends = ForAll(i, Implies(Le(i + n, L), ForAll(j, Implies(Le(j + n, L), shifted))))
    relative = ForAll(n, Implies(Le(n, L), ends))
    constant = ForAll(k, Implies(Lt(k, L), And(*of.repeats(k))))
    return ForAll(L, Iff(relative, constant))


def common_gate(of: Gates) -> Prop:
    # One gate for all planes comes out of the score of m planes with angles psi.
    plane = q(s) * cos(psi(s)) - key(s) * sin(psi(s))
    inside, outside = total(s, m, of.gated(gain, plane)), of.gated(gain, total(s, m, plane))
    return ForAll((m, gain), And(Eq(inside, exp(gain) * total(s, m, plane)), Eq(inside, outside)))


def gate_is_no_bias(of: Gates) -> Prop:
    # A gate g on the logit 1, and the bias log g beside it.
    score = of.logit
    more = Lt(gate * exp(score), exp(gate * score))
    return ForAll(gate, Implies(Ne(gate, 1), more))


def softmax(of: Gates) -> Prop:
    dot = total(i, d, q(i) * key(i))
    norms = total(i, d, q(i) ** 2) + total(i, d, key(i) ** 2)
    apart = total(i, d, of.frequency(q(i), key(i)) ** 2)
    return ForAll(d, Eq(exp(dot), exp(norms / 2) * of.gaussian_mean(apart)))


def variance(of: Gates) -> Prop:
    # cos^2 = (1 + cos of twice the frequency) / 2, and the mean of that is known.
    apart = Variable("X", Real)
    mean, twice = of.gaussian_mean(apart), of.gaussian_mean(4 * apart)
    return ForAll(apart, Eq((1 + twice) / 2 - mean**2, (1 - exp(-apart)) ** 2 / 2))


GATED_ROTATIONS = Claim(
    id="accumulation.gated_rotations",
    title="Gates and angles accumulate separately",
    kind="identity",
    definitions=Gates(),
    stance="sharpened",
    reading=(
        "'The real part forgets and the imaginary part carries positions', read of products of "
        "gated rotations: they separate exactly, and depend on the offset alone only when gate "
        "and angle are the same at every step."
    ),
    clauses=(
        Clause(
            "polar",
            r"P_{k+1} = e^{\lambda_k} R(\theta_k)\,P_k,\ P_0 = I \implies "
            r"P_n = e^{\lambda_0 + \cdots + \lambda_{n-1}} R(\theta_0 + \cdots + \theta_{n-1})",
            polar,
        ),
        Clause(
            "cocycle",
            r"P_{t \leftarrow j} = e^{\sum_{s<t} \lambda_s - \sum_{s<j} \lambda_s} "
            r"R\Bigl(\sum_{s<t} \theta_s - \sum_{s<j} \theta_s\Bigr) \implies "
            r"P_{t \leftarrow i} P_{i \leftarrow j} = P_{t \leftarrow j},\ P_{t \leftarrow t} = I",
            cocycle,
        ),
        Clause(
            "equivariance",
            r"P_{i+n \leftarrow j+n} = P_{i \leftarrow j}\ (i+n,\, j+n \le L) \iff "
            r"e^{\lambda_k} = e^{\lambda_0},\ R(\theta_k) = R(\theta_0)\ (k < L)",
            equivariance,
        ),
        Clause(
            "common_gate",
            r"\sum_{c<m} e^{\Lambda} (q_c \cos\psi_c - k_c \sin\psi_c) = "
            r"e^{\Lambda} \sum_{c<m} (q_c \cos\psi_c - k_c \sin\psi_c)",
            common_gate,
        ),
        Clause(
            "gate_is_no_bias",
            r"e^{g \cdot 1} > g\,e^{1} \quad (g > 0,\ g \ne 1): "
            r"\text{ a gate on a logit is not the bias } \log g",
            gate_is_no_bias,
        ),
        Clause(
            "softmax",
            r"e^{q \cdot k} = e^{(|q|^2 + |k|^2)/2}\, g(|q - k|^2), \quad "
            r"g(|v|^2) = \mathbb{E}_{w \sim N(0, I)} \cos(w \cdot v) = e^{-|v|^2/2}",
            softmax,
        ),
        Clause(
            "variance",
            r"\operatorname{Var} \cos(w \cdot v) = \tfrac12 (1 + g(4X)) - g(X)^2 = "
            r"\tfrac12 (1 - e^{-X})^2, \quad X = |v|^2",
            variance,
        ),
    ),
)
