"""Rigorous values of SymPy terms at a point.

Main definitions
----------------
enclose     a term at a point: an exact rational, or a ball that contains the value
exact       a number of any kind as an exact rational or a ball
precision   the working bits inside a block
ends        the exact ends of a ball; `radius`, `show`, `upward` for printing

Conventions
-----------
A point maps names to values: integers, fractions, FLINT numbers, closed SymPy terms, or, for a
sequence, a Python callable or a list.  Floats are taken at their exact dyadic value.  Rationals
stay exact (`fmpq`) until an operation leaves the rationals; angles that are a rational multiple of
pi are reduced exactly, so `cos(pi/2)` is 0 and not a small ball.  `bits` is the working precision;
it never decides whether an answer is right, only whether there is one.

Implementation notes
--------------------
This evaluator shares nothing with the kernel's: it works on the SymPy tree, the kernel on terms of
its own.  A tree is compiled once into closures: sums evaluate their bodies thousands of times.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from functools import lru_cache, reduce
from typing import Any

import flint
import sympy
from flint import acb, arb, fmpq, fmpz
from sympy.core.function import AppliedUndef

Value = Any  # fmpq | arb | acb | tuple of rows of these
Point = Mapping[str, Any]
Compiled = Callable[[dict[str, Any]], Value]

#: Bits spent on rounding of intermediate steps, on top of the digits that are asked for.
GUARD_BITS = 40


class Undefined(ArithmeticError):
    """The term has no value at this point (an exact zero denominator, an even root below 0)."""


class Unsupported(TypeError):
    """The evaluator does not know this kind of term."""


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Work with `bits` bits inside the block, and restore the precision after it."""
    before = flint.ctx.prec
    flint.ctx.prec = bits
    try:
        yield
    finally:
        flint.ctx.prec = before


def bits_for(digits: int) -> int:
    """Working bits for an absolute radius of 10^-digits on quantities of moderate size."""
    return math.ceil(digits * math.log2(10)) + GUARD_BITS


# ---------------------------------------------------------------------- numbers
def exact(value: Any) -> Value:
    """A Python, SymPy or FLINT number as an exact rational, or as a ball when it is none.

    >>> exact(Fraction(1, 3))
    1/3
    """
    match value:
        case fmpq() | arb() | acb():
            return value
        case bool():
            raise Unsupported("a truth value is not a number")
        case int() | fmpz():
            return fmpq(value)
        case Fraction():
            return fmpq(value.numerator, value.denominator)
        case float():
            if not math.isfinite(value):
                raise Undefined(f"{value} is not a number")
            return fmpq(*value.as_integer_ratio())
        case complex():
            return acb(value.real, value.imag)
        case sympy.Basic():
            return _compiled(value)({})
        case list() | tuple():
            return tuple(tuple(exact(entry) for entry in row) for row in value)
    if hasattr(value, "item"):  # NumPy scalars
        return exact(value.item())
    raise Unsupported(f"no ball for a value of type {type(value).__name__}")


def as_fraction(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def ball(value: Value) -> arb | acb:
    """A rational as a ball; balls unchanged."""
    return arb(value) if isinstance(value, fmpq) else value


def as_integer(value: Value, what: str) -> int:
    """The integer `value` certainly is; `Undefined` if it is not certainly one."""
    if isinstance(value, fmpq) and value.q == 1:
        return int(value.p)
    whole = value.unique_fmpz() if isinstance(value, arb) and value.is_exact() else None
    if whole is not None and value == whole:
        return int(whole)
    raise Undefined(f"{what} is not an integer at this point: {show(value)}")


def show(value: Value, digits: int = 20) -> str:
    """A value in decimals with its radius; rationals as p/q."""
    if isinstance(value, tuple):
        return "[" + "; ".join(", ".join(show(x, digits) for x in row) for row in value) + "]"
    return str(value) if isinstance(value, fmpq) else value.str(digits)


def describe(point: Point) -> str:
    """A point in words: `N = 8, D = 3`."""
    return ", ".join(f"{name} = {_plain(value)}" for name, value in point.items())


def _plain(value: Any) -> str:
    if callable(value):
        return "a given sequence"
    if isinstance(value, (arb, acb)):
        return value.str(20)
    if isinstance(value, (list, tuple)):
        return "(" + ", ".join(_plain(x) for x in value) + ")"
    return str(value)


def upward(value: Fraction, digits: int = 3) -> str:
    """A non-negative fraction as a decimal of `digits` significant digits, rounded up.

    >>> upward(Fraction(1, 3))
    '3.34e-1'
    """
    if value < 0:
        raise ValueError("rounding up is meant for sizes, which are not negative")
    if value == 0:
        return "0"
    exponent = _decimal_exponent(value)
    scaled = math.ceil(value / Fraction(10) ** (exponent - digits + 1))
    if scaled == 10**digits:
        exponent, scaled = exponent + 1, 10 ** (digits - 1)
    text = str(scaled)
    mantissa = text[0] + ("." + text[1:] if digits > 1 else "")
    return f"{mantissa}e{exponent}"


def _decimal_exponent(value: Fraction) -> int:
    """floor(log10(value)), exactly."""
    guess = len(str(value.numerator)) - len(str(value.denominator))
    return guess if value >= Fraction(10) ** guess else guess - 1


def radius(value: Value) -> Fraction:
    """The exact radius of a ball (the larger of two for a complex one); 0 for a rational."""
    if isinstance(value, fmpq):
        return Fraction(0)
    if isinstance(value, acb):
        return max(radius(value.real), radius(value.imag))
    if not value.is_finite():
        raise Undefined("the ball is unbounded")
    return dyadic(value.rad())


def dyadic(value: arb) -> Fraction:
    """The exact value of a ball of radius 0."""
    man, exp = value.man_exp()
    return Fraction(int(man)) * Fraction(2) ** int(exp)


def ends(value: Value) -> tuple[Fraction, Fraction]:
    """The exact lower and upper end of a real ball or rational."""
    if isinstance(value, fmpq):
        return as_fraction(value), as_fraction(value)
    if not value.is_finite():
        raise Undefined("the ball is unbounded")
    middle, half = dyadic(value.mid()), dyadic(value.rad())
    return middle - half, middle + half


def spanning(low: Fraction, high: Fraction) -> arb:
    """A ball that contains the interval [low, high]."""
    return arb(exact(low)).union(arb(exact(high)))


# ---------------------------------------------------------------------- terms
def enclose(expr: Any, point: Point | None = None, bits: int = 128) -> Value:
    """The value of a SymPy term at a point: `fmpq` when exact, else a ball that contains it.

    Raises `Undefined` where the term has no value, `Unsupported` for an unknown function and
    KeyError for a variable the point does not give.

    >>> from sympy import cos, pi, Rational
    >>> enclose(cos(pi * Rational(1, 5)), {}, 64).str(10)
    '[0.8090169944 +/- 2.51e-11]'
    """
    with precision(bits):
        return value_at(expr, environment(point))


def value_at(expr: Any, env: dict[str, Any]) -> Value:
    if isinstance(expr, sympy.MatrixBase):
        expr = expr.as_immutable()
    return _compiled(expr)(env) if isinstance(expr, sympy.Basic) else exact(expr)


def environment(point: Point | None) -> dict[str, Any]:
    env: dict[str, Any] = {}
    for name, value in (point or {}).items():
        is_sequence = callable(value) or (
            isinstance(value, (list, tuple))
            and not any(isinstance(x, (list, tuple)) for x in value)
        )
        env[str(name)] = value if is_sequence else exact(value)
    return env


@lru_cache(maxsize=4096)
def _compiled(expr: sympy.Basic) -> Compiled:
    """The closure that evaluates `expr` in an environment, built once per term."""
    if isinstance(expr, sympy.Rational):
        constant = fmpq(int(expr.p), int(expr.q))
        return lambda env: constant
    if isinstance(expr, sympy.Symbol):
        name = expr.name
        return lambda env: env[name]
    if expr in _CONSTANTS:
        make = _CONSTANTS[expr]
        return lambda env: make()
    if isinstance(expr, AppliedUndef):
        return _sequence_term(expr)
    if isinstance(expr, (sympy.sin, sympy.cos)):
        return _circular(expr)
    if isinstance(expr, (sympy.Sum, sympy.Product)):
        return _iterated(expr)
    if isinstance(expr, sympy.MatrixBase):
        rows = [[_compiled(expr[i, j]) for j in range(expr.cols)] for i in range(expr.rows)]
        return lambda env: tuple(tuple(entry(env) for entry in row) for row in rows)
    rule = next((_RULES[kind] for kind in type(expr).__mro__ if kind in _RULES), None)
    if rule is None:
        raise Unsupported(f"no ball rule for {type(expr).__name__}")
    parts = [_compiled(arg) for arg in expr.args]
    return lambda env: rule(*[part(env) for part in parts])


_CONSTANTS: dict[sympy.Basic, Callable[[], Value]] = {
    sympy.pi: arb.pi,
    sympy.E: arb.const_e,
    sympy.EulerGamma: arb.const_euler,
    sympy.GoldenRatio: lambda: (1 + arb(5).sqrt()) / 2,
    sympy.I: lambda: acb(0, 1),
}


def _sequence_term(expr: AppliedUndef) -> Compiled:
    name = expr.func.__name__
    parts = [_compiled(arg) for arg in expr.args]

    def evaluate(env: dict[str, Any]) -> Value:
        function, arguments = env[name], [part(env) for part in parts]
        if callable(function):
            plain = [int(x.p) if isinstance(x, fmpq) and x.q == 1 else x for x in arguments]
            return exact(function(*plain))
        index = as_integer(arguments[0], f"the index of {name}")
        if not 0 <= index < len(function):
            raise Undefined(f"{name} has no entry {index}")
        return exact(function[index])

    return evaluate


def _half_turns(angle: sympy.Basic) -> sympy.Basic | None:
    """angle / pi when every summand of the angle has pi as a factor, else None."""
    summands = []
    for summand in sympy.Add.make_args(angle):
        factors = list(sympy.Mul.make_args(summand))
        if sympy.pi not in factors:
            return None
        factors.remove(sympy.pi)
        summands.append(sympy.Mul(*factors, evaluate=False))
    return sympy.Add(*summands, evaluate=False)


def _circular(expr: sympy.Basic) -> Compiled:
    """Sine or cosine, through exact half turns when the angle is a rational multiple of pi."""
    is_sine = isinstance(expr, sympy.sin)
    by_fraction = arb.sin_pi_fmpq if is_sine else arb.cos_pi_fmpq
    angle = expr.args[0]
    turns = _half_turns(angle)
    part = _compiled(angle if turns is None else turns)

    def evaluate(env: dict[str, Any]) -> Value:
        argument = part(env)
        if turns is not None:
            if isinstance(argument, fmpq):
                return by_fraction(argument)
            argument = argument * arb.pi()
        argument = ball(argument)
        return argument.sin() if is_sine else argument.cos()

    return evaluate


def _iterated(expr: sympy.Sum | sympy.Product) -> Compiled:
    """A finite sum or product; SymPy lists the innermost limit first."""
    body = _compiled(expr.args[0])
    limits = [(str(i.name), _compiled(low), _compiled(high)) for i, low, high in expr.args[1:]]
    is_sum = isinstance(expr, sympy.Sum)

    def over(depth: int, env: dict[str, Any]) -> Value:
        if depth < 0:
            return body(env)
        name, low, high = limits[depth]
        first = as_integer(low(env), f"the lower limit of {name}")
        last = as_integer(high(env), f"the upper limit of {name}")
        accumulated: Value = fmpq(0) if is_sum else fmpq(1)
        inner = dict(env)
        for index in range(first, last + 1):
            inner[name] = fmpq(index)
            term = over(depth - 1, inner)
            accumulated = _add(accumulated, term) if is_sum else _multiply(accumulated, term)
        return accumulated

    return lambda env: over(len(limits) - 1, env)


# ---------------------------------------------------------------------- operations
def _add(*values: Value) -> Value:
    return reduce(_plus, values, fmpq(0))


def _plus(left: Value, right: Value) -> Value:
    if isinstance(left, tuple) or isinstance(right, tuple):
        if isinstance(left, fmpq) and left == 0:
            return right
        if not (isinstance(left, tuple) and isinstance(right, tuple)):
            raise Unsupported("a matrix plus a number")
        return tuple(
            tuple(x + y for x, y in zip(a, b, strict=True))
            for a, b in zip(left, right, strict=True)
        )
    return left + right


def _multiply(*values: Value) -> Value:
    return reduce(_times, values, fmpq(1))


def _times(left: Value, right: Value) -> Value:
    if isinstance(left, tuple) and isinstance(right, tuple):
        columns = list(zip(*right, strict=True))
        return tuple(
            tuple(_add(*[x * y for x, y in zip(row, column, strict=True)]) for column in columns)
            for row in left
        )
    if isinstance(left, tuple):
        return tuple(tuple(x * right for x in row) for row in left)
    if isinstance(right, tuple):
        return tuple(tuple(left * x for x in row) for row in right)
    return left * right


def _power(base: Value, exponent: Value) -> Value:
    """base ** exponent; exact for rational bases and integer exponents and for perfect roots."""
    if isinstance(base, tuple):
        return _matrix_power(base, as_integer(exponent, "a matrix exponent"))
    if isinstance(exponent, fmpq) and exponent.q == 1:
        return _integer_power(base, int(exponent.p))
    if isinstance(exponent, fmpq) and isinstance(base, fmpq):
        root = _exact_root(base, int(exponent.q))
        if root is not None:
            return _integer_power(root, int(exponent.p))
    return _root_or_power(base, exponent)


def _integer_power(base: Value, exponent: int) -> Value:
    """By repeated squaring: FLINT's general power is unbounded where a ball contains 0."""
    if exponent < 0:
        if isinstance(base, fmpq) and base == 0:
            raise Undefined("division by an exact zero")
        return 1 / _integer_power(base, -exponent)
    if isinstance(base, fmpq):
        return base**exponent
    power: Value = fmpq(1)
    while exponent:
        if exponent & 1:
            power = power * base
        base, exponent = base * base, exponent >> 1
    return power


def _exact_root(base: fmpq, degree: int) -> fmpq | None:
    """The rational degree-th root of a non-negative rational, or None if it has none."""
    if base < 0:
        return None
    numerator, denominator = fmpz(base.p).root(degree), fmpz(base.q).root(degree)
    if numerator**degree == base.p and denominator**degree == base.q:
        return fmpq(numerator, denominator)
    return None


def _root_or_power(base: Value, exponent: Value) -> Value:
    if isinstance(base, acb) or isinstance(exponent, acb):
        return acb(base) ** acb(exponent)
    base = arb(base)
    if base < 0:
        raise Undefined("a fractional power of a negative number")
    if isinstance(exponent, fmpq) and exponent.q == 2 and exponent.p > 0:
        return _integer_power(base.sqrt(), int(exponent.p))
    return base ** arb(exponent)


def _matrix_power(base: Value, exponent: int) -> Value:
    if exponent < 0:
        raise Unsupported("a negative power of a matrix")
    size = len(base)
    product: Value = tuple(tuple(fmpq(int(i == j)) for j in range(size)) for i in range(size))
    for _ in range(exponent):
        product = _times(product, base)
    return product


def _exponential(x: Value) -> Value:
    return fmpq(1) if isinstance(x, fmpq) and x == 0 else ball(x).exp()


def _logarithm(x: Value, base: Value | None = None) -> Value:
    if not isinstance(x, acb) and x <= 0:
        raise Undefined("the logarithm of a number that is not positive")
    if isinstance(x, fmpq) and x == 1:
        return fmpq(0)
    value = ball(x).log()
    return value if base is None else value / _logarithm(base)


def _absolute(x: Value) -> Value:
    return abs(x)


def _sign(x: Value) -> Value:
    if x > 0:
        return fmpq(1)
    if x < 0:
        return fmpq(-1)
    return fmpq(0) if x == 0 else x.sgn()


def _floor(x: Value) -> Value:
    if isinstance(x, fmpq):
        return fmpq(x.floor())
    low, high = ends(x)
    if math.floor(low) == math.floor(high):
        return fmpq(math.floor(low))
    return x.floor()


def _ceiling(x: Value) -> Value:
    return -_floor(-x)


def _modulo(x: Value, y: Value) -> Value:
    if y == 0:
        raise Undefined("a residue modulo zero")
    return x - y * _floor(x / y)


def _largest(*values: Value) -> Value:
    if all(isinstance(x, fmpq) for x in values):
        return max(values)
    return reduce(lambda a, b: a.max(b), [arb(x) for x in values])


def _smallest(*values: Value) -> Value:
    return -_largest(*[-x for x in values])


def _chebyshev_t(degree: Value, x: Value) -> Value:
    n = abs(as_integer(degree, "a Chebyshev degree"))  # T_{-n} = T_n
    return _recurrence(n, fmpq(1), x, x) if isinstance(x, fmpq) else x.chebyshev_t(n)


def _chebyshev_u(degree: Value, x: Value) -> Value:
    n = as_integer(degree, "a Chebyshev degree")
    if n < 0:  # U_{-1} = 0 and U_{-n} = -U_{n-2}
        return fmpq(0) if n == -1 else -_chebyshev_u(fmpq(-n - 2), x)
    return _recurrence(n, fmpq(1), 2 * x, x) if isinstance(x, fmpq) else x.chebyshev_u(n)


def _recurrence(n: int, first: Value, second: Value, x: Value) -> Value:
    """The n-th term of p_{k+1} = 2 x p_k - p_{k-1}."""
    for _ in range(n):
        first, second = second, 2 * x * second - first
    return first


def _factorial(n: Value) -> Value:
    return fmpq(math.factorial(as_integer(n, "the argument of a factorial")))


def _binomial(n: Value, k: Value) -> Value:
    return fmpq(math.comb(as_integer(n, "n"), as_integer(k, "k")))


def _kronecker(i: Value, j: Value) -> Value:
    if isinstance(i, fmpq) and isinstance(j, fmpq):
        return fmpq(int(i == j))
    if i != j:
        return fmpq(0)
    raise Undefined("a Kronecker delta of numbers that cannot be told apart")


def _transpose(matrix: Value) -> Value:
    return tuple(zip(*matrix, strict=True))


def _determinant(matrix: Value) -> Value:
    rows = [list(row) for row in matrix]
    flat = [x for row in rows for x in row]
    if all(isinstance(x, fmpq) for x in flat):
        return flint.fmpq_mat(rows).det()
    kind: Any = flint.acb_mat if any(isinstance(x, acb) for x in flat) else flint.arb_mat
    return kind([[ball(x) for x in row] for row in rows]).det()


def _trace(matrix: Value) -> Value:
    return _add(*[matrix[i][i] for i in range(len(matrix))])


def _real_part(x: Value) -> Value:
    return x.real if isinstance(x, acb) else x


def _imaginary_part(x: Value) -> Value:
    return x.imag if isinstance(x, acb) else fmpq(0)


def _conjugate(x: Value) -> Value:
    return x.conjugate() if isinstance(x, acb) else x


def _by_ball(method: str) -> Callable[[Value], Value]:
    def evaluate(x: Value) -> Value:
        return getattr(ball(x), method)()

    return evaluate


def _arctangent(y: Value, x: Value) -> Value:
    above, right = ball(y), ball(x)
    if isinstance(above, arb) and isinstance(right, arb):
        return arb.atan2(above, right)
    raise Undefined("the arctangent of complex numbers")


#: Functions whose ball method has SymPy's name.
BY_NAME = (
    *("tan", "cot", "sec", "csc", "asin", "acos", "atan", "gamma", "erf", "erfc"),
    *("sinh", "cosh", "tanh", "coth", "asinh", "acosh", "atanh"),
)

_RULES: dict[type, Callable[..., Value]] = {
    sympy.Add: _add,
    sympy.Mul: _multiply,
    sympy.Pow: _power,
    sympy.MatAdd: _add,
    sympy.MatMul: _multiply,
    sympy.MatPow: _power,
    sympy.exp: _exponential,
    sympy.log: _logarithm,
    sympy.Abs: _absolute,
    sympy.sign: _sign,
    sympy.floor: _floor,
    sympy.ceiling: _ceiling,
    sympy.Mod: _modulo,
    sympy.Max: _largest,
    sympy.Min: _smallest,
    sympy.chebyshevt: _chebyshev_t,
    sympy.chebyshevu: _chebyshev_u,
    sympy.factorial: _factorial,
    sympy.binomial: _binomial,
    sympy.KroneckerDelta: _kronecker,
    sympy.Transpose: _transpose,
    sympy.Determinant: _determinant,
    sympy.Trace: _trace,
    sympy.re: _real_part,
    sympy.im: _imaginary_part,
    sympy.conjugate: _conjugate,
    sympy.atan2: _arctangent,
    **{getattr(sympy, name): _by_ball(name) for name in BY_NAME},
}
