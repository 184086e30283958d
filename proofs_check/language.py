"""The closed language of terms and propositions.

Main definitions
----------------
Node                                    one immutable tree node: a head and its arguments
substitute, free_variables, canonical   the only three traversals the kernel needs
sort                                    what a node is; refuses whatever lies outside the language

Conventions
-----------
Every term denotes a value: ``x/0``, ``sqrt(negative)`` and ``log(0)`` denote 0, so substitution is
always meaningful.  No rule ever *uses* those values: a rule that meets a denominator demands that
it is non-zero.  Constructors never simplify: ``a/a - 1`` stays ``a/a - 1``.

The module imports neither SymPy nor FLINT: a statement is plain data.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any

from posproof.theory.vocabulary import Domain as Domain
from posproof.theory.vocabulary import Int as Int
from posproof.theory.vocabulary import Integer as Integer
from posproof.theory.vocabulary import Letter as Letter
from posproof.theory.vocabulary import Operator as Operator
from posproof.theory.vocabulary import Real as Real
from posproof.theory.vocabulary import Word as Word

BINDERS = frozenset({"sum", "forall", "exists"})
CONNECTIVES = frozenset({"and", "or", "not", "implies", "iff", "forall", "exists"})


@dataclass(frozen=True, eq=False, slots=True)
class Node:
    """A term or a proposition: `head` names it, `args` are nodes or static data."""

    head: str
    args: tuple[Any, ...] = ()
    binds: bool = field(init=False, repr=False)
    """Whether it holds a bound variable."""
    _hash: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        bound = self.head in BINDERS
        for a in self.args:
            if bound:
                break
            bound = isinstance(a, Node) and a.binds
        object.__setattr__(self, "binds", bound)
        object.__setattr__(self, "_hash", hash((self.head, self.args)))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            isinstance(other, Node)
            and self._hash == other._hash
            and self.head == other.head
            and self.args == other.args
        )

    def __add__(self, other: Scalar) -> Node:
        return Node("add", (self, term(other)))

    def __radd__(self, other: Scalar) -> Node:
        return Node("add", (term(other), self))

    def __sub__(self, other: Scalar) -> Node:
        return Node("sub", (self, term(other)))

    def __rsub__(self, other: Scalar) -> Node:
        return Node("sub", (term(other), self))

    def __neg__(self) -> Node:
        return Node("mul", (num(-1), self))

    def __mul__(self, other: Scalar) -> Node:
        return Node("mul", (self, term(other)))

    def __rmul__(self, other: Scalar) -> Node:
        return Node("mul", (term(other), self))

    def __truediv__(self, other: Scalar) -> Node:
        return Node("div", (self, term(other)))

    def __rtruediv__(self, other: Scalar) -> Node:
        return Node("div", (term(other), self))

    def __pow__(self, exponent: int) -> Node:
        if not isinstance(exponent, int) or exponent < 0:
            raise ValueError("scalar powers take a literal exponent >= 0; use div or matrix_power")
        return Node("pow", (self, exponent))

    def __matmul__(self, other: Node) -> Node:
        return Node("compose", (self, other))

    def __str__(self) -> str:
        from posproof.proofs_check.render import text

        return text(self)


Scalar = Node | int | Fraction


@lru_cache(maxsize=1 << 12)
def num(value: int | Fraction) -> Node:
    """A rational literal."""
    return Node("num", (Fraction(value),))


def term(value: Scalar) -> Node:
    """Lift a Python number to a term."""
    return value if isinstance(value, Node) else num(value)


def variables(names: str, domain: Domain) -> tuple[Node, ...]:
    """Variables of one domain, from a blank-separated list of names."""
    return tuple(variable(name, domain) for name in names.split())


def variable(name: str, domain: Domain) -> Node:
    if name.startswith("#"):
        raise ValueError("names starting with # are reserved for bound variables")
    return Node("var", (name, domain))


pi = Node("pi")


def cos(x: Scalar) -> Node:
    return Node("cos", (term(x),))


def sin(x: Scalar) -> Node:
    return Node("sin", (term(x),))


def cosh(x: Scalar) -> Node:
    return Node("cosh", (term(x),))


def sinh(x: Scalar) -> Node:
    return Node("sinh", (term(x),))


def exp(x: Scalar) -> Node:
    return Node("exp", (term(x),))


def sqrt(x: Scalar) -> Node:
    return Node("root", (term(x), 2))


def total(index: Node, upper: Scalar, body: Scalar) -> Node:
    """sum of body, a number or an operator, over index = 0 .. upper - 1; 0 when upper <= 0."""
    if index.args[1] != Int(0):
        raise ValueError("a summation index ranges over Int(0)")
    if index in free_variables(term(upper)):
        raise ValueError("the summation index occurs in the upper limit")
    return Node("sum", (index, term(upper), term(body)))


def sequence(name: str, index: Scalar, domain: Domain = Real) -> Node:
    """The index-th value of an arbitrary sequence called `name` with values in `domain`."""
    return Node("sequence", (name, domain, term(index)))


def power(base: Scalar, exponent: Scalar) -> Node:
    """base^exponent for an integer exponent, or a positive base; 0 elsewhere."""
    return Node("power", (term(base), term(exponent)))


def determinant(m: Node) -> Node:
    return Node("det", (m,))


def matrix(rows: list[list[Scalar]]) -> Node:
    return Node("matrix", (len(rows[0]), *(term(x) for row in rows for x in row)))


def transpose(m: Node) -> Node:
    return Node("transpose", (m,))


def matrix_power(m: Node, n: Scalar) -> Node:
    return Node("matrix_power", (m, term(n)))


def entry(m: Node, row: int, column: int) -> Node:
    return Node("entry", (m, row, column))


empty, unit = Node("empty"), Node("unit")


def append(word: Node, *letters: Node) -> Node:
    for letter in letters:
        word = Node("append", (word, letter))
    return word


def concat(left: Node, right: Node) -> Node:
    return Node("concat", (left, right))


def step(letter: Node) -> Node:
    """The operator T_a stored for a letter."""
    return Node("step", (letter,))


def journey(word: Node) -> Node:
    """J(empty) = 1 and J(w a) = T_a J(w): the latest step is leftmost."""
    return Node("journey", (word,))


def back(letter: Node) -> Node:
    """The letter of the step that undoes `letter`."""
    return Node("back", (letter,))


def operator(name: str, *at: Scalar) -> Node:
    """A value of an arbitrary operator-valued function; a word in `at` stands for where it leads.

    Functions of a word therefore agree on words with the same displacement.
    """
    return Node("operator", (name, *(term(a) for a in at)))


def transport(name: str, word: Node, start: Node = empty) -> Node:
    """The ordered product of the operators `name(letter, place)` along a word from a place.

    1 for the empty word, and name(a, start w) transport(w) for w a: each step uses the operator
    stored where it departs, and the latest step is leftmost.
    """
    return Node("transport", (name, word, start))


def norm(x: Node) -> Node:
    """An arbitrary seminorm of an operator."""
    return Node("norm", (x,))


def isometry(x: Node) -> Node:
    """The operator keeps the seminorm of whatever it multiplies, from either side."""
    return Node("predicate", ("isometry", x))


def SamePlace(left: Node, right: Node) -> Node:
    """The two words have the same displacement; a letter and its `back` cancel."""
    return Node("same_place", (left, right))


def Eq(left: Scalar, right: Scalar) -> Node:
    return Node("eq", (term(left), term(right)))


def Le(left: Scalar, right: Scalar) -> Node:
    return Node("le", (term(left), term(right)))


def Lt(left: Scalar, right: Scalar) -> Node:
    return Node("lt", (term(left), term(right)))


def SameContent(left: Node, right: Node) -> Node:
    """The two words are rearrangements of each other."""
    return Node("same_content", (left, right))


def And(*props: Node) -> Node:
    return props[0] if len(props) == 1 else Node("and", props)


def Or(*props: Node) -> Node:
    return Node("or", props)


def Not(prop: Node) -> Node:
    return Node("not", (prop,))


def Ne(left: Scalar, right: Scalar) -> Node:
    return Not(Eq(left, right))


def Implies(premise: Node, conclusion: Node) -> Node:
    return Node("implies", (premise, conclusion))


def Iff(left: Node, right: Node) -> Node:
    return Node("iff", (left, right))


def ForAll(bound: Node | tuple[Node, ...], body: Node) -> Node:
    for name in reversed(bound if isinstance(bound, tuple) else (bound,)):
        body = Node("forall", (name, body))
    return body


def Exists(bound: Node, body: Node) -> Node:
    return Node("exists", (bound, body))


def predicate(name: str, *args: Node) -> Node:
    """A named notion with a rule of its own, such as `algebraic`."""
    return Node("predicate", (name, *args))


FALSUM = Node("lt", (Node("num", (Fraction(0),)), Node("num", (Fraction(0),))))


def Opaque(name: str) -> Node:
    """A notion we do not formalise; no rule proves it."""
    return Node("opaque", (name,))


@lru_cache(maxsize=1 << 16)
def free_variables(node: Node) -> frozenset[Node]:
    """Variables not captured by a binder."""
    if node.head == "var":
        return frozenset((node,))
    inner = frozenset().union(*(free_variables(a) for a in node.args if isinstance(a, Node)))
    return inner - {node.args[0]} if node.head in BINDERS else inner


@lru_cache(maxsize=1 << 16)
def sequence_names(node: Node) -> frozenset[str]:
    """Names of the arbitrary sequences and operator-valued functions a node mentions."""
    own = frozenset({node.args[0]} if node.head == "sequence" else ())
    inner = (sequence_names(a) for a in node.args if isinstance(a, Node))
    return own.union(operator_names(node), *inner)


@lru_cache(maxsize=1 << 16)
def operator_names(node: Node) -> frozenset[str]:
    """Names of the arbitrary operator-valued functions a node mentions."""
    own = frozenset({node.args[0]} if node.head in ("operator", "transport") else ())
    return own.union(*(operator_names(a) for a in node.args if isinstance(a, Node)))


def substitute(node: Node, mapping: Mapping[Node, Node]) -> Node:
    """Replace free variables simultaneously, renaming binders that would capture."""
    return _substitute(node, mapping, {})


def _substitute(node: Node, mapping: Mapping[Node, Node], done: dict[Node, Node]) -> Node:
    """`done` holds what the same mapping made of nodes met before: large terms repeat theirs."""
    if node.head == "var":
        return mapping.get(node, node)
    if free_variables(node).isdisjoint(mapping):
        return node
    if node not in done:
        done[node] = _substituted(node, mapping, done)
    return done[node]


def _substituted(node: Node, mapping: Mapping[Node, Node], done: dict[Node, Node]) -> Node:
    if node.head in BINDERS:
        bound = node.args[0]
        inner = {k: v for k, v in mapping.items() if k != bound}
        captured = frozenset().union(*(free_variables(v) for v in inner.values()))
        if bound in captured:
            taken = captured | free_variables(node.args[-1]) | set(inner)
            fresh = fresh_variable(bound, taken)
            node = Node(node.head, (fresh, *(_rename(a, bound, fresh) for a in node.args[1:])))
        rest = tuple(substitute(a, inner) for a in node.args[1:])
        return Node(node.head, (node.args[0], *rest))
    args = (_substitute(a, mapping, done) if isinstance(a, Node) else a for a in node.args)
    return Node(node.head, tuple(args))


def _rename(node: Node, old: Node, new: Node) -> Node:
    return substitute(node, {old: new})


def fresh_variable(like: Node, taken: frozenset[Node]) -> Node:
    """A variable of the same domain whose name is not taken."""
    names = {v.args[0] for v in taken}
    name = like.args[0]
    while name in names:
        name += "'"
    return variable(name, like.args[1])


def canonical(node: Node) -> Node:
    """The same statement with bound variables numbered, so that `==` ignores their names."""
    return _canonical(node) if node.binds else node


@lru_cache(maxsize=1 << 17)
def _canonical(node: Node) -> Node:
    return _numbered(node, 0, {})


def _numbered(node: Node, depth: int, names: Mapping[Node, Node]) -> Node:
    """`node` with the names of the binders around it; one walk, however deep they are nested."""
    if node.head == "var":
        return names.get(node, node)
    if node.head in BINDERS:
        bound = node.args[0]
        marker = Node("var", (f"#{depth}", bound.args[1]))
        inner = {**names, bound: marker}
        rest = (_numbered(a, depth + 1, inner) for a in node.args[1:])
        return Node(node.head, (marker, *rest))
    if not node.binds and not names:
        return node
    if not any(isinstance(a, Node) for a in node.args):
        return node
    return Node(
        node.head,
        tuple(_numbered(a, depth, names) if isinstance(a, Node) else a for a in node.args),
    )


# ---------------------------------------------------------------------- well-formedness
class Malformed(ValueError):
    """A node that is not of the language."""


Sort = str | tuple[int, int]  # "scalar", "operator", "letter", "word", "prop", or a matrix shape
_UNLIMITED = frozenset({"real", "positive", "rational", "letter", "word", "operator"})
_ABSTRACT = ("letter", "word", "operator")  # sorts of variables that are not numbers
_UNARY = frozenset({"cos", "sin", "cosh", "sinh", "exp", "log", "abs", "floor"})
_BINARY = frozenset({"div", "power", "max", "chebyshevt", "chebyshevu"})


def check_domain(domain: Domain) -> None:
    """Every domain has members, and states only limits that hold.  Raises `Malformed`."""
    match domain.kind, domain.lower, domain.values:
        case "integer", None | int(), ():
            return
        case "finite", None, (_, *_) if all(type(v) is Fraction for v in domain.values):
            return
        case "box", None, (Fraction() as low, Fraction() as high) if low <= high:
            return
        case kind, None, () if kind in _UNLIMITED:
            return
    raise Malformed(f"not a domain: {domain}")


@lru_cache(maxsize=1 << 16)
def sort(node: Node) -> Sort:
    """What a node denotes; every node below it is checked too.  Raises `Malformed`."""
    if type(node) is not Node:
        raise Malformed(f"not a node: {node!r}")
    found = _sort(node.head, node.args)
    if found is None:
        raise Malformed(f"not of the language: {node.head}")
    return found


def _sort(head: str, args: tuple[Any, ...]) -> Sort | None:
    match head, args:
        case "num", (value,) if type(value) is Fraction:
            return "scalar"
        case "pi", ():
            return "scalar"
        case "var", (str() as name, Domain() as domain) if not name.startswith("#"):
            check_domain(domain)
            return domain.kind if domain.kind in _ABSTRACT else "scalar"
        case "sequence", (str(), Domain() as domain, at):
            check_domain(domain)
            return "scalar" if domain.kind not in _ABSTRACT and scalars(at) else None
        case "pow" | "root", (a, int() as k):
            return "scalar" if k >= (head == "root") and scalars(a) else None
        case "sum", (index, upper, body):
            bound = scalars(index, upper) and index.head == "var" and index.args[1] == Int(0)
            bound = bound and index not in free_variables(upper)
            return sort(body) if bound and sort(body) in ("scalar", "operator") else None
        case "entry", (m, int() as i, int() as j):
            match sort(m):
                case (rows, columns) if 0 <= i < rows and 0 <= j < columns:
                    return "scalar"
        case "empty", ():
            return "word"
        case "append", (w, a):
            return "word" if (sort(w), sort(a)) == ("word", "letter") else None
        case "concat", (u, v):
            return "word" if sort(u) == sort(v) == "word" else None
        case "unit", ():
            return "operator"
        case "step", (a,):
            return "operator" if sort(a) == "letter" else None
        case "journey", (w,):
            return "operator" if sort(w) == "word" else None
        case "back", (a,):
            return "letter" if sort(a) == "letter" else None
        case "operator", (str(), *at):
            places = all(sort(t) in ("scalar", "letter", "word") for t in at)
            return "operator" if places else None
        case "transport", (str(), w, start):
            return "operator" if sort(w) == sort(start) == "word" else None
        case "norm", (x,):
            return "scalar" if sort(x) == "operator" else None
        case "predicate", (str(), *terms):
            return "prop" if all(sort(t) != "prop" for t in terms) else None
        case "opaque", (str(),):
            return "prop"
        case "forall" | "exists", (bound, body):
            return "prop" if bound.head == "var" and sort(bound) and sort(body) == "prop" else None
        case "eq", (a, b):
            return "prop" if sort(a) == sort(b) != "prop" else None
        case "le" | "lt", (a, b):
            return "prop" if scalars(a, b) else None
        case "same_content" | "same_place", (a, b):
            return "prop" if sort(a) == sort(b) == "word" else None
        case "and" | "or", parts:
            return "prop" if all(sort(p) == "prop" for p in parts) else None
        case "not", (a,):
            return "prop" if sort(a) == "prop" else None
        case "implies" | "iff", (a, b):
            return "prop" if sort(a) == sort(b) == "prop" else None
    if head in _UNARY and len(args) == 1 or head in _BINARY and len(args) == 2:
        return "scalar" if scalars(*args) else None
    return _linear_sort(head, args)


def _linear_sort(head: str, args: tuple[Any, ...]) -> Sort | None:
    """Sums and products, which scalars, matrices and operators share, and matrices."""
    match head, args:
        case "add" | "sub", (a, b):
            linear = sort(a) not in ("letter", "word", "prop")
            return sort(a) if linear and sort(a) == sort(b) else None
        case "mul", (a, b):
            return sort(b) if scalars(a) and sort(b) not in ("letter", "word", "prop") else None
        case "compose", (a, b):
            match sort(a), sort(b):
                case (rows, inner), (other, columns) if inner == other:
                    return rows, columns
                case "operator", "operator":
                    return "operator"
        case "matrix", (int() as columns, *cells) if columns > 0 and cells and scalars(*cells):
            return (len(cells) // columns, columns) if len(cells) % columns == 0 else None
        case "transpose", (m,):
            match sort(m):
                case (rows, columns):
                    return columns, rows
        case "det", (m,):
            return "scalar" if _is_square(sort(m)) else None
        case "matrix_power", (m, n):
            return sort(m) if _is_square(sort(m)) and scalars(n) else None
    return None


def scalars(*nodes: Node) -> bool:
    return all(sort(n) == "scalar" for n in nodes)


def _is_square(found: Sort) -> bool:
    return isinstance(found, tuple) and found[0] == found[1]
