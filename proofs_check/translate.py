"""From SymPy terms and vocabulary propositions to the kernel's language: one trusted function.

Main definitions
----------------
node(x)   the kernel's tree for a SymPy expression, a proposition, a number, or a tree itself

Conventions
-----------
A power with a negative exponent becomes a division, so every denominator SymPy still shows is seen.
What SymPy's constructors cancelled before (`a/a` is 1 on arrival) is `software` trust; a clause in
which that matters states the denominator as a hypothesis.  Faithfulness is tested by evaluating
both sides at random points.

Raises
------
Untranslatable   for a function, symbol or shape outside the language; it names the part.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache, reduce
from typing import Any

import sympy
from sympy.core.function import AppliedUndef

from posproof.proofs_check import language as L
from posproof.proofs_check.language import Node
from posproof.theory import operators as O
from posproof.theory import vocabulary as V
from posproof.theory.symbols import Joined, Journey, Variable


class Untranslatable(TypeError):
    """The expression lies outside the kernel's language."""


def node(x: Any) -> Node:
    """The kernel's tree for a term or a proposition; a tree is returned unchanged."""
    if isinstance(x, Node):
        return x
    if isinstance(x, V.Prop):
        return _proposition(x)
    if isinstance(x, O.Term):
        return Node(x.head, tuple(a if isinstance(a, str) else node(a) for a in x.args))
    if isinstance(x, (int, Fraction)):
        return L.num(x)
    if isinstance(x, sympy.MatrixBase | sympy.MatrixExpr):
        return _matrix(x) if isinstance(x, sympy.Basic) else _new_matrix(x)
    if isinstance(x, Joined) or is_operator(x) and not isinstance(x, Variable):
        return _word(x) if isinstance(x, Joined) else _operator(x)
    if isinstance(x, sympy.Basic):
        return _term(x)
    raise Untranslatable(f"{type(x).__name__} {x!r} is not a term")


def _proposition(p: V.Prop) -> Node:
    match p:
        case V.Eq(a, b) if is_operator(a) or is_operator(b):
            return L.Eq(_operator(a), _operator(b))
        case V.Eq(a, b):
            return L.Eq(node(a), node(b))
        case V.Le(a, b):
            return L.Le(node(a), node(b))
        case V.Lt(a, b):
            return L.Lt(node(a), node(b))
        case V.And(parts=parts):
            return L.And(*(node(q) for q in parts))
        case V.Or(parts=parts):
            return L.Or(*(node(q) for q in parts))
        case V.Not(body):
            return L.Not(node(body))
        case V.Implies(a, b):
            return L.Implies(node(a), node(b))
        case V.Iff(a, b):
            return L.Iff(node(a), node(b))
        case V.ForAll(variables=names, body=body):
            return L.ForAll(tuple(node(v) for v in names), node(body))
        case V.Exists(variables=names, body=body):
            return reduce(lambda inner, v: L.Exists(node(v), inner), reversed(names), node(body))
        case V.Predicate("same_content", (a, b)):
            return L.SameContent(node(a), node(b))
        case V.Predicate("same_place", (a, b)):
            return L.SamePlace(node(a), node(b))
        case V.Predicate(name, args):
            return L.predicate(name, *(node(a) for a in args))
        case V.Opaque(name):
            return L.Opaque(name)
        case V.Informal(text):
            return L.Opaque(text)
    raise Untranslatable(f"{type(p).__name__} is not a proposition of the language")


_FUNCTIONS: dict[Any, str] = {
    sympy.cos: "cos",
    sympy.sin: "sin",
    sympy.cosh: "cosh",
    sympy.sinh: "sinh",
    sympy.exp: "exp",
    sympy.log: "log",
    sympy.Abs: "abs",
    sympy.floor: "floor",
}


@lru_cache(maxsize=1 << 16)
def _term(x: sympy.Basic) -> Node:
    match x:
        case Variable():
            return L.variable(x.name, x.domain)
        case O.Norm():
            return L.norm(node(x.inside))
        case sympy.Rational():
            return L.num(Fraction(int(x.p), int(x.q)))
        case sympy.Add():
            return reduce(lambda a, b: a + b, (node(a) for a in x.args))
        case sympy.Mul():
            return _product(x)
        case sympy.Pow():
            return _power(x)
        case sympy.Sum():
            return _sum(x)
        case AppliedUndef(args=(at,)):
            domain = getattr(x.func, "domain", V.Real)
            return L.sequence(x.func.__name__, node(at), domain)
        case sympy.Determinant():
            return L.determinant(node(x.arg))
        case sympy.chebyshevt() | sympy.chebyshevu():
            degree, at = x.args
            return Node(type(x).__name__, (node(degree), node(at)))
        case sympy.Max():
            return reduce(lambda a, b: Node("max", (a, b)), (node(a) for a in x.args))
        case sympy.tan():
            return L.sin(node(x.args[0])) / L.cos(node(x.args[0]))
    if x is sympy.pi:
        return L.pi
    if x is sympy.E:
        return L.exp(L.num(1))
    if x.func in _FUNCTIONS:
        return Node(_FUNCTIONS[x.func], (node(x.args[0]),))
    raise Untranslatable(f"{type(x).__name__} {x} is outside the language")


def _product(x: sympy.Mul) -> Node:
    above, below = [], []
    for factor in x.args:
        base, exponent = factor.as_base_exp() if isinstance(factor, sympy.Pow) else (factor, None)
        if exponent is not None and exponent.could_extract_minus_sign():
            below.append(node(sympy.Pow(base, -exponent)))
        else:
            above.append(node(factor))
    top = reduce(lambda a, b: a * b, above) if above else L.num(1)
    return top / reduce(lambda a, b: a * b, below) if below else top


def _power(x: sympy.Pow) -> Node:
    base, exponent = x.args
    if isinstance(exponent, sympy.Integer):
        k = int(exponent)
        return node(base) ** k if k >= 0 else L.num(1) / node(base) ** -k
    if isinstance(exponent, sympy.Rational):
        root = Node("root", (node(base), int(exponent.q)))
        k = int(exponent.p)
        return root ** abs(k) if k >= 0 else L.num(1) / root ** abs(k)
    return L.power(node(base), node(exponent))


def _sum(x: sympy.Sum) -> Node:
    body, *limits = x.args
    result = node(body)
    for limit in limits:
        index, low, high = limit
        if low != 0:
            raise Untranslatable(f"the sum over {index} does not start at 0")
        result = L.total(node(index), node(high + 1), result)
    return result


@lru_cache(maxsize=1 << 12)
def _matrix(x: Any) -> Node:
    """The tree of an immutable matrix; equal matrices share it."""
    return _new_matrix(x)


def _new_matrix(x: Any) -> Node:
    if isinstance(x, sympy.MatMul):
        scalar, factors = x.as_coeff_matrices()
        product = reduce(lambda a, b: a @ b, (node(f) for f in factors))
        return product if scalar == 1 else node(scalar) * product
    if isinstance(x, sympy.MatAdd):
        return reduce(lambda a, b: a + b, (node(a) for a in x.args))
    if isinstance(x, sympy.Transpose):
        return L.transpose(node(x.arg))
    if isinstance(x, sympy.MatPow):
        base, exponent = x.args
        return L.matrix_power(node(base), node(exponent))
    if isinstance(x, sympy.MatrixBase):
        return L.matrix([[node(x[r, c]) for c in range(x.cols)] for r in range(x.rows)])
    raise Untranslatable(f"{type(x).__name__} is not a matrix of the language")


# ---------------------------------------------------------------------- operators and words
def is_operator(x: Any) -> bool:
    """Whether a term does not commute: letters stand for their operators."""
    matrix = isinstance(x, sympy.MatrixBase | sympy.MatrixExpr)
    return isinstance(x, sympy.Expr) and not matrix and x.is_commutative is False


def _operator(x: Any) -> Node:
    """An operator of the free algebra; a number is that multiple of the unit."""
    x = sympy.S(x) if isinstance(x, int) else x
    match x:
        case Variable(domain=V.Letter):
            return L.step(node(x))
        case Journey(args=(word,)):
            return L.journey(node(word))
        case sympy.Rational():
            return L.unit if x == 1 else node(x) * L.unit
        case sympy.Add():
            return reduce(lambda a, b: a + b, (_operator(a) for a in x.args))
        case sympy.Mul():
            scalar, factors = x.args_cnc()
            product = reduce(lambda a, b: a @ b, (_operator(f) for f in factors))
            return product if not scalar else node(sympy.Mul(*scalar)) * product
        case sympy.Pow(args=(base, sympy.Integer() as k)) if k > 0:
            return reduce(lambda a, b: a @ b, [_operator(base)] * int(k))
    raise Untranslatable(f"{x} is not an operator of the language")


def _word(x: Joined) -> Node:
    """Letters are appended, words concatenated."""
    word: Node | None = None
    for part in x.args:
        if isinstance(part, Variable) and part.domain == V.Letter:
            word = L.append(L.empty if word is None else word, node(part))
        else:
            word = node(part) if word is None else L.concat(word, node(part))
    return L.empty if word is None else word
