"""Values and truth of kernel statements by mpmath and Fractions: independent of the kernel.

Conventions
-----------
A point maps variables to `Fraction` or `mpf`, and names of sequences to functions.  Rational
operations stay exact.  Quantifiers range over finite domains.  A missing value raises `Undefined`.
"""

from __future__ import annotations

import operator
from fractions import Fraction
from typing import Any

import mpmath

from posproof.proofs_check.language import Node

DIGITS = 40
# Values of the size met here carry errors below 10^-30 at 40 digits: above 10^-20 they differ.
APART = mpmath.mpf(10) ** -20
mpmath.mp.dps = DIGITS


class Undefined(Exception):
    """No value at this point."""


def real(x: Any) -> mpmath.mpf:
    return mpmath.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else x


ARITHMETIC = {"add": operator.add, "sub": operator.sub, "mul": operator.mul}
FUNCTIONS = {
    "cos": mpmath.cos,
    "sin": mpmath.sin,
    "cosh": mpmath.cosh,
    "sinh": mpmath.sinh,
    "exp": mpmath.exp,
}


def value(node: Node, point: dict) -> Any:
    """A scalar."""
    head, args = node.head, node.args
    if head == "num":
        return args[0]
    if head == "pi":
        return +mpmath.pi
    if head == "var":
        return point[node]
    if head in ARITHMETIC:
        a, b = value(args[0], point), value(args[1], point)
        if not (isinstance(a, Fraction) and isinstance(b, Fraction)):
            a, b = real(a), real(b)
        return ARITHMETIC[head](a, b)
    if head == "div":
        a, b = value(args[0], point), value(args[1], point)
        if b == 0 or not isinstance(b, Fraction) and abs(b) < APART:
            raise Undefined("division by zero")
        return a / b if isinstance(a, Fraction) and isinstance(b, Fraction) else real(a) / real(b)
    if head == "pow":
        return value(args[0], point) ** args[1]
    if head == "power":
        return _power(value(args[0], point), value(args[1], point))
    if head in FUNCTIONS:
        return FUNCTIONS[head](real(value(args[0], point)))
    if head == "log":
        return mpmath.log(_positive(value(args[0], point)))
    if head == "root":
        inside = value(args[0], point)
        return Fraction(0) if inside == 0 else mpmath.root(_positive(inside), args[1])
    if head == "abs":
        return abs(value(args[0], point))
    if head == "max":
        return max((value(a, point) for a in args), key=real)
    if head == "floor":
        return Fraction(int(mpmath.floor(real(value(args[0], point)))))
    if head == "sequence":
        return point[args[0]](_whole(value(args[2], point)))
    if head == "sum":
        index, upper, body = args
        terms = range(_whole(value(upper, point)))
        return sum((value(body, {**point, index: Fraction(j)}) for j in terms), Fraction(0))
    if head in ("chebyshevt", "chebyshevu"):
        n, x = _whole(value(args[0], point)), value(args[1], point)
        if n < 0:
            raise Undefined("a negative degree")
        angle = mpmath.acos(real(x))
        if head == "chebyshevt":
            return mpmath.re(mpmath.cos(n * angle))
        return mpmath.chebyu(n, real(x))
    if head == "det":
        return _determinant(matrix(args[0], point))
    if head == "entry":
        return matrix(args[0], point)[args[1]][args[2]]
    raise Undefined(head)


def _positive(x: Any) -> mpmath.mpf:
    if x <= 0:
        raise Undefined("not positive")
    return real(x)


def _whole(x: Any) -> int:
    if not isinstance(x, Fraction) or x.denominator != 1:
        raise Undefined("not an integer")
    return int(x)


def _power(base: Any, exponent: Any) -> Any:
    if isinstance(exponent, Fraction) and exponent.denominator == 1:
        if base == 0 and exponent < 0:
            raise Undefined("division by zero")
        return base ** int(exponent)
    return mpmath.exp(real(exponent) * mpmath.log(_positive(base)))


def matrix(node: Node, point: dict) -> list[list[Any]]:
    head, args = node.head, node.args
    if head == "matrix":
        columns, *cells = args
        values = [value(c, point) for c in cells]
        return [values[i : i + columns] for i in range(0, len(values), columns)]
    if head == "transpose":
        return [list(column) for column in zip(*matrix(args[0], point), strict=True)]
    if head == "matrix_power":
        base = matrix(args[0], point)
        result = [[Fraction(int(i == j)) for j in range(len(base))] for i in range(len(base))]
        n = _whole(value(args[1], point))
        if n < 0:
            raise Undefined("a negative power")
        for _ in range(n):
            result = _times(result, base)
        return result
    if head == "compose":
        return _times(matrix(args[0], point), matrix(args[1], point))
    if head == "mul":
        scale = value(args[0], point)
        return [[_product(scale, x) for x in row] for row in matrix(args[1], point)]
    a, b = (matrix(m, point) for m in args)
    together = (zip(r, t, strict=True) for r, t in zip(a, b, strict=True))
    return [[_add(x, y if head == "add" else -y) for x, y in row] for row in together]


def _add(x: Any, y: Any) -> Any:
    return x + y if isinstance(x, Fraction) and isinstance(y, Fraction) else real(x) + real(y)


def _product(x: Any, y: Any) -> Any:
    return x * y if isinstance(x, Fraction) and isinstance(y, Fraction) else real(x) * real(y)


def _times(a: list, b: list) -> list:
    return [[_dot(row, column) for column in zip(*b, strict=True)] for row in a]


def _dot(row: Any, column: Any) -> Any:
    result = Fraction(0)
    for x, y in zip(row, column, strict=True):
        result = _add(result, _product(x, y))
    return result


def _determinant(rows: list[list[Any]]) -> Any:
    """Along the first row."""
    if not rows:
        return Fraction(1)
    result = Fraction(0)
    for c, x in enumerate(rows[0]):
        minor = _determinant([[*row[:c], *row[c + 1 :]] for row in rows[1:]])
        result = _add(result, _product(-x if c % 2 else x, minor))
    return result


def difference(a: Node, b: Node, point: dict) -> Any:
    x, y = value(a, point), value(b, point)
    return x - y if isinstance(x, Fraction) and isinstance(y, Fraction) else real(x) - real(y)


def differs(a: Node, b: Node, point: dict) -> bool:
    """Whether the two scalars certainly differ at the point."""
    d = difference(a, b, point)
    return d != 0 if isinstance(d, Fraction) else abs(d) > APART * (1 + abs(real(value(a, point))))


def true(prop: Node, point: dict) -> bool | None:
    """Truth; None where a value is missing or too close to call."""
    head, args = prop.head, prop.args
    try:
        if head in ("eq", "le", "lt"):
            d = difference(args[1], args[0], point)
            if not isinstance(d, Fraction) and abs(d) <= APART:
                return None
            return {"eq": d == 0, "le": d >= 0, "lt": d > 0}[head]
    except Undefined:
        return None
    if head == "not":
        inner = true(args[0], point)
        return None if inner is None else not inner
    if head in ("implies", "iff"):
        a, b = (true(p, point) for p in args)
        if head == "iff":
            return None if a is None or b is None else a == b
        return _any([None if a is None else not a, b])
    if head == "and":
        return _all([true(p, point) for p in args])
    if head == "or":
        return _any([true(p, point) for p in args])
    if head in ("forall", "exists"):
        bound, body = args
        cells = [true(body, {**point, bound: v}) for v in bound.args[1].values]
        return _all(cells) if head == "forall" else _any(cells)
    return None


def _all(cells: list[bool | None]) -> bool | None:
    return False if False in cells else None if None in cells else True


def _any(cells: list[bool | None]) -> bool | None:
    return True if True in cells else None if None in cells else False
