"""Exact and ball evaluation of statements at a point: what a witness is checked with.

Main definitions
----------------
scalar, matrix_value, operator   values of terms
truth                            Kleene's three-valued truth
falsifies                        whether a point is a counterexample

Conventions
-----------
A point maps variables to an `fmpq`, to a closed term such as 3 pi / 4, to letters or words, and
names of sequences to a value or a function of the index.  A function with operators as values gets
its arguments as functions without arguments: one that ignores an argument needs no value of it.
A scalar value is an `fmpq` (exact) or an
`arb` (a ball that contains the value).  A truth value is True, False or None; None means the balls
overlap, a denominator vanishes or a name has no value, and never counts as an answer.  Where balls
overlap an equation is decided exactly if the algebra reduces the difference to 0.
"""

from __future__ import annotations

import operator as operations
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import partial
from itertools import permutations
from typing import Any

from flint import arb, ctx, fmpq, fmpq_mat

from posproof.proofs_check.algebra import (
    Unsupported,
    affine_in,
    differences,
    is_matrix,
    matrix_entries,
    minors,
    vanishes,
)
from posproof.proofs_check.language import (
    Domain,
    Letter,
    Node,
    Word,
    free_variables,
    num,
    substitute,
)

Point = Mapping[Any, Any]
Value = fmpq | arb
PRECISION = 160  # bits


class NoValue(Exception):
    """The term has no value at this point."""


def scalar(node: Node, point: Point) -> Value:
    """The value of a scalar term."""
    match node.head, node.args:
        case "num", (value,):
            return fmpq(value.numerator, value.denominator)
        case "pi", ():
            return arb.pi()
        case "var", _:
            return _number(_lookup(node, point))
        case "add", (a, b):
            return _apply(operations.add, scalar(a, point), scalar(b, point))
        case "sub", (a, b):
            return _apply(operations.sub, scalar(a, point), scalar(b, point))
        case "mul", (a, b):
            return _apply(operations.mul, scalar(a, point), scalar(b, point))
        case "div", (a, b):
            below = scalar(b, point)
            if not _nonzero(below):
                raise NoValue("zero denominator")
            return _apply(operations.truediv, scalar(a, point), below)
        case "pow", (a, k):
            return _whole_power(scalar(a, point), k)
        case "power", (a, exponent):
            return _power(scalar(a, point), scalar(exponent, point))
        case "root", (a, n):
            inside = scalar(a, point)
            if inside == 0:
                return fmpq(0)
            if not _ball(inside) > 0:
                raise NoValue("a root of a negative number")
            return _ball(inside).root(n)
        case "log", (a,):
            inside = _ball(scalar(a, point))
            if not inside > 0:
                raise NoValue("the logarithm of a number that is not positive")
            return inside.log()
        case "abs", (a,):
            inside = scalar(a, point)
            return abs(inside) if isinstance(inside, arb) else max(inside, -inside)
        case "max", (a, b):
            return _apply(_largest, scalar(a, point), scalar(b, point))
        case "floor", (a,):
            inside = scalar(a, point)
            whole = fmpq(inside.floor()) if isinstance(inside, fmpq) else inside.floor()
            if isinstance(whole, arb) and not whole.is_exact():
                raise NoValue("the ball meets two integers")
            return whole
        case "chebyshevt" | "chebyshevu" as kind, (degree, x):
            return _chebyshev(kind, scalar(degree, point), scalar(x, point))
        case "det", (m,):
            return _determinant(matrix_value(m, point))
        case "cos" | "sin" | "cosh" | "sinh" | "exp" as name, (a,):
            inside = scalar(a, point)
            if inside == 0 and isinstance(inside, fmpq):
                return fmpq(0) if name in ("sin", "sinh") else fmpq(1)
            return getattr(_ball(inside), name)()
        case "sum", (index, upper, body):
            count = scalar(upper, point)
            if not isinstance(count, fmpq) or count.q != 1 or count > 10_000:
                raise NoValue("the number of terms is not a small integer")
            result: Value = fmpq(0)
            for j in range(int(count.p)):
                value = scalar(body, {**point, index: fmpq(j)})
                result = _apply(operations.add, result, value)
            return result
        case "sequence", (name, domain, at):
            return _member(_lookup(name, point), domain, lambda: scalar(at, point))
        case "entry", (m, i, j):
            return matrix_value(m, point)[i][j]
        case "norm", (x,):
            return _frobenius(operator(x, point))
    raise NoValue(f"no scalar value for {node.head}")


def _lookup(name: Any, point: Point) -> Any:
    if name not in point:
        raise NoValue("a name without a value")
    value = point[name]
    return scalar(value, {}) if isinstance(value, Node) else value


def _number(value: Any) -> Value:
    if not isinstance(value, (fmpq, arb)):
        raise NoValue("not a number")
    return value


def _member(sequence: Any, domain: Domain, index: Callable[[], Value]) -> Value:
    """A value of a sequence, which has to lie in its domain; functions need an exact index."""
    if isinstance(sequence, tuple):
        sequence = _listed(sequence, index())
    if callable(sequence):
        at = index()
        if not isinstance(at, fmpq):
            raise NoValue("the index is not exact")
        sequence = sequence(at)
    if not contains(domain, sequence):
        raise NoValue("the sequence leaves its domain")
    return _number(sequence)


def _listed(values: tuple[int | Fraction, ...], index: Value) -> fmpq:
    """A sequence of which the first values are known, and nothing else."""
    if not isinstance(index, fmpq) or index.q != 1 or not 0 <= index < len(values):
        raise NoValue("the index is not among the listed ones")
    value = values[int(index.p)]
    return fmpq(value.numerator, value.denominator)


def _largest(x: Any, y: Any) -> Any:
    return max(x, y) if isinstance(x, fmpq) else x.max(y)


def _power(base: Value, exponent: Value) -> Value:
    if isinstance(exponent, fmpq) and exponent.q == 1:
        if exponent < 0 and not _nonzero(base):
            raise NoValue("zero denominator")
        if abs(exponent) > 10_000:
            raise NoValue("the exponent is too large")
        return _whole_power(base, int(exponent.p))
    if not _ball(base) > 0:
        raise NoValue("a real power of a number that is not positive")
    return _ball(base) ** _ball(exponent)


def _whole_power(base: Value, exponent: int) -> Value:
    """By squaring: FLINT's own power of a ball around 0 has no value."""
    if isinstance(base, fmpq):
        return base**exponent
    result, square, left = arb(1), base, abs(exponent)
    while left:
        if left % 2:
            result = result * square
        square, left = square * square, left // 2
    return result if exponent >= 0 else 1 / result


def _chebyshev(kind: str, degree: Value, x: Value) -> Value:
    if not isinstance(degree, fmpq) or degree.q != 1 or not 0 <= degree < 10_000:
        raise NoValue("the degree is not a small natural number")
    low: Value = fmpq(1)
    high = x if kind == "chebyshevt" else _apply(operations.mul, fmpq(2), x)
    for _ in range(int(degree.p)):
        next_one = _apply(lambda a, b: 2 * a * b, x, high)
        low, high = high, _apply(operations.sub, next_one, low)
    return low


def _determinant(rows: list[list[Value]]) -> Value:
    if any(len(row) != len(rows) for row in rows):
        raise NoValue("the determinant of a rectangle")
    return minors(
        rows,
        fmpq(0),
        fmpq(1),
        partial(_apply, operations.add),
        partial(_apply, operations.mul),
        lambda a: -a,
    )


def _ball(value: Value) -> arb:
    return arb(value) if isinstance(value, fmpq) else value


def _nonzero(value: Value) -> bool:
    return value != 0 if isinstance(value, fmpq) else not value.contains(0)


def _apply(operation: Any, x: Value, y: Value) -> Value:
    if isinstance(x, fmpq) and isinstance(y, fmpq):
        return operation(x, y)
    return operation(_ball(x), _ball(y))


def matrix_value(node: Node, point: Point) -> list[list[Value]]:
    """The entries of a matrix term; powers with a literal exponent only."""
    if node.head == "matrix_power":
        n = scalar(node.args[1], point)
        if not isinstance(n, fmpq) or n.q != 1 or n < 0 or n > 200:
            raise NoValue("the exponent is not a small natural number")
        base = matrix_value(node.args[0], point)
        result: list[list[Value]] = [
            [fmpq(int(i == j)) for j in range(len(base))] for i in range(len(base))
        ]
        for _ in range(int(n.p)):
            result = _product(base, result)
        return result
    if node.head == "compose":
        return _product(matrix_value(node.args[0], point), matrix_value(node.args[1], point))
    if node.head == "transpose":
        return [list(row) for row in zip(*matrix_value(node.args[0], point), strict=True)]
    return [[scalar(x, point) for x in row] for row in matrix_entries(node)]


def _product(a: list[list[Value]], b: list[list[Value]]) -> list[list[Value]]:
    def dot(row: list[Value], column: tuple[Value, ...]) -> Value:
        result: Value = fmpq(0)
        for x, y in zip(row, column, strict=True):
            if x == 0 and isinstance(x, fmpq):  # most entries of a boundary matrix
                continue
            result = _apply(operations.add, result, _apply(operations.mul, x, y))
        return result

    return [[dot(row, column) for column in zip(*b, strict=True)] for row in a]


# ---------------------------------------------------------------------- operators and words
def operator(node: Node, point: Point) -> fmpq_mat:
    """Operators as rational matrices: `point["step"]` maps letters to matrices."""
    if "step" not in point:
        raise NoValue("the letters have no operators")
    steps: Mapping[str, fmpq_mat] = point["step"]
    size = next(iter(steps.values())).nrows()  # of every operator at this point
    match node.head, node.args:
        case "unit", ():
            return fmpq_mat(size, size, [int(i == j) for i in range(size) for j in range(size)])
        case "step", (a,):
            return _operator_of(_letter(a, point), steps)
        case "var", (_, domain) if domain.kind == "operator":
            return _lookup(node, point)
        case "operator", (name, *at):
            return _function(name, [partial(_argument, t, point) for t in at], point)
        case "transport", (name, word, start):
            result = operator(Node("unit"), point)
            walked: tuple[str, ...] = ()
            for a in letters(word, point):
                there = partial(_place, start, walked, point)
                result = _function(name, [partial(str, a), there], point) * result
                walked = (*walked, a)
            return result
        case "journey", (word,):
            result = operator(Node("unit"), point)
            for a in letters(word, point):
                result = _operator_of(a, steps) * result
            return result
        case "compose", (a, b):
            return operator(a, point) * operator(b, point)
        case "add", (a, b):
            return operator(a, point) + operator(b, point)
        case "sub", (a, b):
            return operator(a, point) - operator(b, point)
        case "sum", (index, upper, body):
            count = scalar(upper, point)
            if not isinstance(count, fmpq) or count.q != 1 or count > 1000:
                raise NoValue("the number of terms is not a small integer")
            result = fmpq_mat(size, size)
            for j in range(int(count.p)):
                result = result + operator(body, {**point, index: fmpq(j)})
            return result
        case "mul", (factor, a) if factor.head == "num":
            value = factor.args[0]
            return operator(a, point) * fmpq(value.numerator, value.denominator)
    raise NoValue(f"no operator value for {node.head}")


def _function(name: str, at: list[Callable[[], Any]], point: Point) -> fmpq_mat:
    """A value of an operator-valued function, which looks only at the arguments it needs."""
    value = _lookup(name, point)
    value = value(*at) if callable(value) else value
    if not isinstance(value, fmpq_mat):
        raise NoValue("not an operator")
    return value


def _argument(node: Node, point: Point) -> Any:
    """A letter, the place a word leads to, or an exact number."""
    kind = node.args[1].kind if node.head == "var" else node.head
    if kind in ("letter", "back"):
        return _letter(node, point)
    if kind in ("word", "empty", "append", "concat"):
        return _place(node, (), point)
    value = scalar(node, point)
    if not isinstance(value, fmpq):
        raise NoValue("the argument is not exact")
    return value


def _place(start: Node, walked: tuple[str, ...], point: Point) -> tuple[tuple[str, int], ...]:
    """The displacement of a word followed by some letters: axes with their coordinates."""
    return displacement((*letters(start, point), *walked))


def displacement(word: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """Axes with their coordinates, none of them 0; `-a` steps back along a."""
    counts: dict[str, int] = {}
    for a in word:
        axis = a.removeprefix("-")
        counts[axis] = counts.get(axis, 0) + (1 if axis == a else -1)
    return tuple(sorted((a, count) for a, count in counts.items() if count))


def _letter(node: Node, point: Point) -> str:
    """A letter is a name; its back is the name after a minus sign."""
    if node.head == "back":
        inner = _letter(node.args[0], point)
        return inner.removeprefix("-") if inner.startswith("-") else "-" + inner
    return _lookup(node, point)


def _frobenius(x: fmpq_mat) -> Value:
    """The Frobenius norm, one of the seminorms that rotations keep."""
    square = sum((entry * entry for entry in x.entries()), fmpq(0))
    return fmpq(0) if square == 0 else arb(square).sqrt()


def _isometry(x: fmpq_mat) -> bool:
    """Whether an operator keeps the Frobenius norm of all it multiplies."""
    return x * x.transpose() == operator(Node("unit"), {"step": {"": x}})


def _operator_of(letter: str, steps: Mapping[str, fmpq_mat]) -> fmpq_mat:
    if letter not in steps:
        raise NoValue("a letter without an operator")
    return steps[letter]


def _spelt(bound: Node, value: Any, point: Point) -> bool:
    """Whether letters are among those that have an operator: these are all there are."""
    if bound.args[1].kind not in ("letter", "word") or "step" not in point:
        return True
    return set(value) <= set(point["step"]) if isinstance(value, tuple) else value in point["step"]


def letters(word: Node, point: Point) -> tuple[str, ...]:
    """A word as a tuple of letters."""
    match word.head, word.args:
        case "empty", ():
            return ()
        case "append", (w, a):
            return (*letters(w, point), _letter(a, point))
        case "concat", (u, v):
            return letters(u, point) + letters(v, point)
    return _lookup(word, point)


def is_operator(node: Node) -> bool:
    if node.head in ("add", "sub", "compose"):
        return is_operator(node.args[0])
    if node.head == "sum":
        return is_operator(node.args[2])
    if node.head == "mul":
        return is_operator(node.args[1])
    if node.head == "var":
        return node.args[1].kind == "operator"
    return node.head in ("unit", "step", "journey", "operator", "transport")


# ---------------------------------------------------------------------- truth
def truth(prop: Node, point: Point) -> bool | None:
    """Kleene's three-valued truth of a proposition at a point."""
    try:
        return _truth(prop, point)
    except NoValue:
        return None


def _truth(prop: Node, point: Point) -> bool | None:
    match prop.head, prop.args:
        case "eq", (a, b):
            equal = _equal(a, b, point)
            return equal if equal is not None else _exactly_equal(a, b, point)
        case "le" | "lt" as relation, (a, b):
            order = _ordered(scalar(a, point), scalar(b, point), strict=relation == "lt")
            if order is None and _exactly_equal(a, b, point):
                return relation == "le"
            return order
        case "same_place", (u, v):
            return displacement(letters(u, point)) == displacement(letters(v, point))
        case "predicate", ("isometry", x):
            return _isometry(operator(x, point))
        case "same_content", (u, v):
            return sorted(letters(u, point)) == sorted(letters(v, point))
        case "not", (a,):
            inner = truth(a, point)
            return None if inner is None else not inner
        case "and", parts:
            return _all(truth(p, point) for p in parts)
        case "or", parts:
            return _negate(_all(_negate(truth(p, point)) for p in parts))
        case "implies", (a, b):
            return _negate(_all(truth(p, point) for p in (a, Node("not", (b,)))))
        case "iff", (a, b):
            x, y = truth(a, point), truth(b, point)
            return None if x is None or y is None else x == y
        case "forall", (bound, body):
            return _for_all(bound, body, point)
        case "exists", (bound, body):
            return _negate(_for_all(bound, Node("not", (body,)), point))
    return None


def _negate(value: bool | None) -> bool | None:
    return None if value is None else not value


def _all(values: Iterable[bool | None]) -> bool | None:
    """Whether all hold; looks no further than the first that does not."""
    known = True
    for value in values:
        if value is False:
            return False
        known = known and value is not None
    return True if known else None


def _equal(a: Node, b: Node, point: Point) -> bool | None:
    if is_operator(a):
        return operator(a, point) == operator(b, point)
    if not is_matrix(a) and not is_matrix(b):
        return _same(scalar(a, point), scalar(b, point))
    rows, others = matrix_value(a, point), matrix_value(b, point)
    if [len(r) for r in rows] != [len(t) for t in others]:
        raise NoValue("matrices of different shapes")
    return _all(
        [_same(x, y) for r, t in zip(rows, others, strict=True) for x, y in zip(r, t, strict=True)]
    )


def _exactly_equal(a: Node, b: Node, point: Point) -> bool | None:
    """True when the algebra reduces every difference to 0 at the point; None otherwise."""
    values = {v: _closed(x) for v, x in point.items() if isinstance(v, Node) and _is_exact(x)}
    try:
        closed = (_unsigned(_listed_out(substitute(d, values), point)) for d in differences(a, b))
        zero = all(vanishes(d, truth) for d in closed)
    except Unsupported:
        return None
    return True if zero else None


def _listed_out(term: Node, point: Point) -> Node:
    """The same term with sums written out and members of sequences replaced by exact values."""
    if term.head == "sum":
        index, upper, body = term.args
        count = _exact_value(upper, point)
        if count is None or count.q != 1 or count > 100:
            return term
        whole = num(0)
        for j in range(int(count.p)):
            whole = whole + _listed_out(substitute(body, {index: num(j)}), point)
        return whole
    if term.head == "sequence":
        value = _exact_value(term, point)
        return term if value is None else num(Fraction(int(value.p), int(value.q)))
    inner = (_listed_out(a, point) if isinstance(a, Node) else a for a in term.args)
    return Node(term.head, tuple(inner))


def _exact_value(term: Node, point: Point) -> fmpq | None:
    try:
        value = scalar(term, point)
    except NoValue:
        return None
    return value if isinstance(value, fmpq) else None


def _unsigned(term: Node) -> Node:
    """The same term with |t| replaced by t, -t or 0 wherever a closed t shows its sign."""
    if not any(isinstance(a, Node) for a in term.args):
        return term
    term = Node(term.head, tuple(_unsigned(a) if isinstance(a, Node) else a for a in term.args))
    if term.head != "abs" or free_variables(term):
        return term
    try:
        inside = scalar(term.args[0], {})
    except NoValue:
        return term
    if inside > 0 or inside < 0:
        return term.args[0] if inside > 0 else num(-1) * term.args[0]
    return num(0) if vanishes(term.args[0], truth) else term


def _is_exact(value: Any) -> bool:
    return isinstance(value, (fmpq, Node))


def _closed(value: Any) -> Node:
    return value if isinstance(value, Node) else num(Fraction(int(value.p), int(value.q)))


def _same(x: Value, y: Value) -> bool | None:
    if isinstance(x, fmpq) and isinstance(y, fmpq):
        return x == y
    a, b = _ball(x), _ball(y)
    if a.is_exact() and b.is_exact():
        return bool(a == b)
    return None if a.overlaps(b) else False


def _ordered(x: Value, y: Value, strict: bool) -> bool | None:
    if isinstance(x, fmpq) and isinstance(y, fmpq):
        return x < y if strict else x <= y
    a, b = _ball(x), _ball(y)
    if a < b:
        return True
    return False if b < a else None


def _for_all(bound: Node, body: Node, point: Point) -> bool | None:
    """Finite domains are enumerated; otherwise a value in the point decides, if any does."""
    domain = bound.args[1]
    if domain.kind == "finite":
        values = (fmpq(v.numerator, v.denominator) for v in domain.values)
        return _all(truth(body, {**point, bound: value}) for value in values)
    if domain == Letter and "step" in point:
        return _all(truth(body, {**point, bound: a}) for a in point["step"])
    if domain == Word:
        words = _rearrangements(bound, body, point)
        if words is not None:
            return _all(truth(body, {**point, bound: word}) for word in words)
    named = bound in point and in_domain(bound, point[bound])
    if named and truth(body, point) is False:
        return False
    free = {k: v for k, v in point.items() if k != bound}
    if body.head in ("not", "implies") and domain.kind == "integer":
        # Where what is denied (an existence) or presupposed is false, the body is true.
        candidates = _candidates(bound, body.args[0], free)
        if candidates is not None:
            return _all(truth(body, {**free, bound: fmpq(c)}) for c in candidates)
    return truth(body, free)


LONGEST_WORD = 6  # whose rearrangements are enumerated


def _rearrangements(bound: Node, body: Node, point: Point) -> list[tuple[str, ...]] | None:
    """Words outside which the body presupposes something false; None if they cannot be listed."""
    inner = set()
    while body.head == "forall":
        inner.add(body.args[0])
        body = body.args[1]
    if body.head != "implies" or bound in inner:
        return None
    premise = body.args[0]
    for part in premise.args if premise.head == "and" else (premise,):
        if part.head == "same_content" and part.args[0] == bound:
            if free_variables(part.args[1]) & (inner | {bound}):
                continue
            word = letters(part.args[1], point)
            if len(word) <= LONGEST_WORD:
                return sorted(set(permutations(word)))
    return None


LARGEST_RANGE = 1000


def _candidates(bound: Node, body: Node, point: Point) -> list[int] | None:
    """Integers outside which the body is false; None if they cannot be listed.

    An equation affine in the name has one solution; inequalities affine in it bound a range.
    """
    if body.head == "or":
        parts = [_candidates(bound, p, point) for p in body.args]
        return None if None in parts else sorted({c for p in parts if p for c in p})
    conjuncts = body.args if body.head == "and" else (body,)
    lowest = low = bound.args[1].lower
    high: int | None = None
    for part in conjuncts:
        if part.head == "eq" and not is_matrix(part.args[0]):
            root = _affine_root(bound, part, point)
            if root is not None:
                value = root[0]
                inside = value.q == 1 and (lowest is None or lowest <= value)
                return [int(value.p)] if inside else []
        if part.head in ("le", "lt"):
            root = _affine_root(bound, part, point)
            if root is None:
                continue
            value, slope = root  # of larger - smaller
            if slope > 0:
                low = max(int(value.ceil()), low) if low is not None else int(value.ceil())
            else:
                high = int(value.floor()) if high is None else min(high, int(value.floor()))
    if low is None or high is None or high - low > LARGEST_RANGE:
        return None
    return list(range(low, high + 1))


def _affine_root(bound: Node, relation: Node, point: Point) -> tuple[fmpq, int] | None:
    """The rational zero and the sign of the slope of right - left, affine in the name."""
    left, right = relation.args
    values = {v: _closed(x) for v, x in point.items() if isinstance(v, Node) and _is_exact(x)}
    difference = substitute(right - left, values)
    if free_variables(difference) != {bound} or is_matrix(left):
        return None
    try:
        affine = affine_in(bound, difference, truth)
    except Unsupported:
        return None
    if affine is None:
        return None
    constant, slope = affine
    return -constant / slope, 1 if slope > 0 else -1


def in_domain(node: Node, value: Any) -> bool:
    """Whether a value may stand for a variable."""
    return contains(node.args[1], value)


def contains(domain: Domain, value: Any) -> bool:
    """Whether a value certainly lies in a domain."""
    if isinstance(value, Node):  # a closed term
        real = domain.kind in ("real", "positive", "box")
        return real and contains(domain, scalar(value, {}))
    if domain.kind == "operator":
        return isinstance(value, fmpq_mat)
    if domain.kind not in ("letter", "word") and not isinstance(value, (fmpq, arb)):
        return False
    match domain.kind:
        case "letter":
            return isinstance(value, str)
        case "word":
            return isinstance(value, tuple) and all(isinstance(a, str) for a in value)
        case "real":
            return True
        case "rational":
            return isinstance(value, fmpq)
        case "box":
            low, high = (fmpq(v.numerator, v.denominator) for v in domain.values)
            return bool(_ball(value) >= _ball(low) and _ball(value) <= _ball(high))
        case "positive":
            return bool(_ball(value) > 0) if isinstance(value, arb) else value > 0
        case "integer":
            exact = isinstance(value, fmpq) and value.q == 1
            return exact and (domain.lower is None or value >= domain.lower)
        case "finite":
            return isinstance(value, fmpq) and Fraction(int(value.p), int(value.q)) in domain.values
    return False


def at_precision(bits: int = PRECISION) -> Any:
    """Context manager for the working precision of balls."""
    return ctx.workprec(bits)


def falsifies(prop: Node, point: Point) -> bool:
    """Whether the point lies in every domain, satisfies every hypothesis, and fails the rest."""
    match prop.head, prop.args:
        case "forall", (bound, body):
            value = point.get(bound)
            return (
                value is not None
                and in_domain(bound, value)
                and _spelt(bound, value, point)
                and falsifies(body, point)
            )
        case "implies", (premise, conclusion):
            return truth(premise, point) is True and falsifies(conclusion, point)
        case "and", parts:
            return any(falsifies(p, point) for p in parts)
    return truth(prop, point) is False
