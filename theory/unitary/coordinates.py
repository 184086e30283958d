r"""Coordinates of unitary tokens: n^2 numbers, read off one column at a time.

Main definitions
----------------
coset        the unitary matrix that turns the last basis vector into a given column
reads        what it means that (x, phase) are read off the last column of a matrix
witness      two matrices at distance 2 epsilon whose coordinates are far apart

Main claims
-----------
unitary.dimension

Conventions
-----------
Complex numbers are pairs of real ones.  The last column of a unitary matrix is (x e, y e) with a
phase e = c + i s, |e| = 1, and y >= 0; x has n - 1 components and y = sqrt(1 - |x|^2), so a column
of length n holds 2 (n - 1) + 1 numbers.  What remains is a unitary matrix of size n - 1.

References
----------
Derived here; no publication is quoted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import sympy

from posproof.theory.symbols import Variable, total, variables
from posproof.theory.unitary.chunks import cells
from posproof.theory.unitary.frames import (
    Complex,
    Number,
    entries,
    identity,
    isometric,
    matrix,
)
from posproof.theory.vocabulary import (
    And,
    Claim,
    Clause,
    Eq,
    ForAll,
    Implies,
    Int,
    Le,
    Positive,
    Prop,
    Real,
)

k, n = Variable("k", Int(0)), Variable("n", Int(0))
y, c, s = variables("y c s", Real)
epsilon, r = variables("epsilon r", Positive)


def column(name: str, size: int) -> tuple[Number, ...]:
    """Arbitrary complex numbers `name`r0, `name`i0, ..."""
    return tuple(
        (Variable(f"{name}r{i}", Real), Variable(f"{name}i{i}", Real)) for i in range(size)
    )


def length(x: Sequence[Number]) -> Any:
    """|x|^2."""
    return sum(part**2 for number in x for part in number)


def coset(x: Sequence[Number], y: Any) -> Complex:
    """[[I - x x* / (1 + y), x], [-x*, y]]."""
    size = len(x)

    def real(i: int, j: int) -> Any:
        if i == j == size:
            return y
        if size in (i, j):
            return x[i][0] if j == size else -x[j][0]
        return int(i == j) - (x[i][0] * x[j][0] + x[i][1] * x[j][1]) / (1 + y)

    def imag(i: int, j: int) -> Any:
        if i == j:
            return 0
        if size in (i, j):
            return x[i][1] if j == size else x[j][1]
        return -(x[i][1] * x[j][0] - x[i][0] * x[j][1]) / (1 + y)

    return Complex(
        sympy.ImmutableMatrix(size + 1, size + 1, real),
        sympy.ImmutableMatrix(size + 1, size + 1, imag),
    )


def turned(x: Number, phase: Number) -> Number:
    """The product of two complex numbers."""
    return x[0] * phase[0] - x[1] * phase[1], x[0] * phase[1] + x[1] * phase[0]


def leading(m: Complex) -> Complex:
    """The matrix without its last row and column."""
    size = m.size - 1
    return Complex(m.real[:size, :size], m.imag[:size, :size])


def bordered(m: Complex, phase: Number) -> Complex:
    """m + phase: one more coordinate, which turns by the phase."""
    size = m.size

    def part(cells: sympy.ImmutableMatrix, corner: Any) -> sympy.ImmutableMatrix:
        return sympy.ImmutableMatrix(
            size + 1,
            size + 1,
            lambda i, j: cells[i, j] if max(i, j) < size else corner if i == j else 0,
        )

    return Complex(part(m.real, phase[0]), part(m.imag, phase[1]))


def reads(m: Complex, x: Sequence[Number], y: Any, phase: Number) -> tuple[Prop, ...]:
    """The last column of m is (x, y) times a phase; with y > 0 that fixes x and the phase."""
    last = m.size - 1
    found = [turned(part, phase) for part in (*x, (y, 0))]
    parts = [
        Eq(stored, value)
        for i, number in enumerate(found)
        for stored, value in zip((m.real[i, last], m.imag[i, last]), number, strict=True)
    ]
    return (*parts, Eq(phase[0] ** 2 + phase[1] ** 2, 1))


def witness(y: Any, r: Any) -> Complex:
    """[[-y, r], [r, y]]."""
    zero = sympy.ImmutableMatrix(2, 2, [0, 0, 0, 0])
    return Complex(sympy.ImmutableMatrix([[-y, r], [r, y]]), zero)


@dataclass(frozen=True)
class Coordinates:
    """The definitions of `unitary.dimension`; a control replaces one of them."""

    dimension: Callable[[Any], Any] = lambda n: n**2
    added: Callable[[Any], Any] = lambda k: 2 * k + 1
    coset: Callable[[Sequence[Number], Any], Complex] = coset
    bordered: Callable[[Complex, Number], Complex] = bordered
    witness: Callable[[Any, Any], Complex] = witness
    leap: Any = 4


def count(of: Coordinates) -> Prop:
    chain = Eq(total(k, n, of.added(k)), of.dimension(n))
    # A skew-Hermitian matrix: n imaginary numbers, and two for each of n (n - 1) / 2 entries.
    tangent = Eq(n + 2 * (n * (n - 1) / 2), of.dimension(n))
    eight = Eq(of.dimension(sympy.Integer(8)), 64)
    special = Eq(of.dimension(sympy.Integer(8)) - 1, 63)
    return And(ForAll(n, chain), ForAll(n, tangent), eight, special)


def unitary_coset(of: Coordinates) -> Prop:
    parts = []
    for size in (1, 2, 3):
        x = column("x", size)
        frame, one = of.coset(x, y), identity(size + 1)
        unitary = And(*cells(frame.adjoint @ frame, one), *cells(frame @ frame.adjoint, one))
        premise = And(Le(0, y), Eq(y**2 + length(x), 1))
        names = tuple(part for number in x for part in number)
        parts.append(ForAll((*names, y), Implies(premise, unitary)))
    return And(*parts)


def reconstruction(of: Coordinates) -> Prop:
    parts = []
    for size in (2, 3):
        U, x, phase = matrix("U", size), column("x", size - 1), (c, s)
        frame = of.coset(x, y)
        rest = leading(frame.adjoint @ U)
        premise = And(Le(0, y), *reads(U, x, y, phase), *isometric(U))
        goal = And(*cells(frame @ of.bordered(rest, phase), U), *isometric(rest))
        names = tuple(part for number in x for part in number)
        parts.append(ForAll((*entries(U), *names, y, c, s), Implies(premise, goal)))
    return And(*parts)


HEIGHTS = variables("y1 y2", Positive)
PHASES: tuple[Number, ...] = tuple(
    (Variable(f"c{index}", Real), Variable(f"s{index}", Real)) for index in (1, 2)
)
READ = (column("u", 1), column("v", 1))


def jump(of: Coordinates) -> Prop:
    above, below = of.witness(epsilon, r), of.witness(-epsilon, r)
    readings: list[Prop] = []
    for m, x, height, phase in zip((above, below), READ, HEIGHTS, PHASES, strict=True):
        readings += reads(m, x, height, phase)
    apart = sum((a - b) ** 2 for a, b in zip(READ[0][0], READ[1][0], strict=True))
    turn = sum((a - b) ** 2 for a, b in zip(*PHASES, strict=True))
    goal = And(
        *isometric(above),
        *isometric(below),
        Eq((above - below).squares, 8 * epsilon**2),
        Eq(apart, of.leap * (1 - epsilon**2)),
        Eq(turn, of.leap),
    )
    names = (*HEIGHTS, *PHASES[0], *PHASES[1], *READ[0][0], *READ[1][0])
    premise = And(Eq(epsilon**2 + r**2, 1), *readings)
    return ForAll((epsilon, r, *names), Implies(premise, goal))


DIMENSION = Claim(
    id="unitary.dimension",
    title="n squared coordinates of a unitary token, and where they jump",
    kind="identity",
    definitions=Coordinates(),
    stance="sharpened",
    reading=(
        "'All degrees of freedom in 64 real numbers', read of a product in U(8): the count holds, "
        "and the coordinates are a chart. It reads every token whose pivots do not vanish, and "
        "it is not continuous where one does."
    ),
    clauses=(
        Clause(
            "count",
            r"\dim U(n) = \sum_{k=0}^{n-1} (2k + 1) = n + 2\binom{n}{2} = n^2, "
            r"\quad \dim U(8) = 64,\ \dim SU(8) = 63",
            count,
        ),
        Clause(
            "unitary_coset",
            r"\Omega(x) = \begin{pmatrix} I - \frac{x x^*}{1+y} & x \\ -x^* & y \end{pmatrix},\ "
            r"y = \sqrt{1 - |x|^2} \implies \Omega^*\Omega = \Omega\,\Omega^* = I "
            r"\quad (x \in \mathbb{C}^k,\ k = 1, 2, 3)",
            unitary_coset,
        ),
        Clause(
            "reconstruction",
            r"U^*U = I,\ U_{\cdot n} = \begin{pmatrix} x \\ y \end{pmatrix} e^{i\varphi},\ y \ge 0 "
            r"\implies U = \Omega(x)\,(U' \oplus e^{i\varphi}),\ U'^*U' = I \quad (n = 2, 3)",
            reconstruction,
        ),
        Clause(
            "jump",
            r"U_\pm = \begin{pmatrix} \mp\varepsilon & r \\ r & \pm\varepsilon\end{pmatrix},\ "
            r"\varepsilon^2 + r^2 = 1 \implies \lVert U_+ - U_-\rVert_F^2 = 8\varepsilon^2,\ "
            r"|x_+ - x_-|^2 = 4 - 4\varepsilon^2,\ |e^{i\varphi_+} - e^{i\varphi_-}|^2 = 4",
            jump,
        ),
    ),
)
