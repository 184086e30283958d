"""Random statements: true ones by construction, and false ones by perturbing them.

Main definitions
----------------
term          a random term
rewritten     the same value written differently, by random steps that are valid everywhere
perturbed     one coefficient, sign, exponent, function or variable changed
random_point  values for the variables that occur
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from posproof.proofs_check.language import (
    Domain,
    Int,
    Integer,
    Node,
    Real,
    cos,
    cosh,
    exp,
    free_variables,
    num,
    pi,
    sin,
    sinh,
    variable,
    variables,
)
from posproof.theory.vocabulary import Positive

x, y, z = variables("x y z", Real)
p = variable("p", Positive)
k = variable("k", Integer)
n = variable("n", Int(0))
a = variable("a", Int(2))
ATOMS = (x, y, z, p, k, n)


def coefficient(source: random.Random) -> Node:
    return num(Fraction(source.choice((-3, -2, -1, 1, 2, 3)), source.choice((1, 1, 1, 2, 3))))


def angle(source: random.Random, atoms: Sequence[Node]) -> Node:
    first = source.choice(atoms)
    match source.randrange(5):
        case 0:
            return first
        case 1:
            return coefficient(source) * first
        case 2:
            return first + source.choice(atoms)
        case 3:
            return pi * k * num(source.choice((1, 2)))
        case _:
            return first + pi * num(Fraction(source.randint(-3, 3), source.choice((1, 2, 3))))


def term(source: random.Random, depth: int = 2, atoms: Sequence[Node] = ATOMS) -> Node:
    """Polynomials in the atoms and in circular, hyperbolic and exponential functions of them."""
    if depth == 0:
        leaf = source.choice((*atoms, coefficient(source)))
        return leaf
    one, other = (term(source, depth - 1, atoms) for _ in range(2))
    match source.randrange(9):
        case 0 | 1:
            return one + other
        case 2:
            return one - other
        case 3 | 4:
            return one * other
        case 5:
            return one ** source.choice((2, 2, 3))
        case 6:
            return source.choice((cos, sin))(angle(source, atoms))
        case 7:
            return source.choice((exp, cosh, sinh))(source.choice(atoms))
        case _:
            return coefficient(source) * one


# ---------------------------------------------------------------------- valid steps
def _steps(node: Node, source: random.Random) -> list[Callable[[], Node]]:
    """The ways in which this node, not looking below it, can be written differently."""
    head, args = node.head, node.args
    found: list[Callable[[], Node]] = [
        lambda: node * num(1),
        lambda: (node + x) - x,
        lambda: node * (cos(y) ** 2 + sin(y) ** 2),
        lambda: node + (cosh(z) ** 2 - sinh(z) ** 2 - 1),
        lambda: node / num(3) * num(3),
        lambda: node * exp(x) * exp(num(0) - x),
    ]
    if head in ("add", "mul"):
        found.append(lambda: Node(head, (args[1], args[0])))
    if head == "mul" and args[1].head in ("add", "sub"):
        u, v = args[1].args
        found.append(lambda: Node(args[1].head, (args[0] * u, args[0] * v)))
    if head == "pow" and args[1] >= 2:
        found.append(lambda: args[0] * args[0] ** (args[1] - 1))
    if head in ("cos", "sin"):
        found += _circle(head, args[0])
    if head in ("cosh", "sinh"):
        sign = 1 if head == "cosh" else -1
        found.append(lambda: (exp(args[0]) + sign * exp(num(0) - args[0])) / 2)
    if head == "exp":
        found.append(lambda: exp(args[0] / 2) ** 2)
    return found


def _circle(head: str, inside: Node) -> list[Callable[[], Node]]:
    half = inside / 2
    found: list[Callable[[], Node]] = [
        lambda: Node(head, (inside + 2 * pi,)),
        lambda: num(0) - Node(head, (inside + pi,)),
    ]
    if head == "cos":
        found += [lambda: 2 * cos(half) ** 2 - 1, lambda: sin(inside + pi / 2)]
    else:
        found += [lambda: 2 * sin(half) * cos(half), lambda: cos(inside - pi / 2)]
    if inside.head == "add":
        u, v = inside.args
        found.append(
            (lambda: cos(u) * cos(v) - sin(u) * sin(v))
            if head == "cos"
            else (lambda: sin(u) * cos(v) + cos(u) * sin(v))
        )
    return found


TRANSCENDENTAL = frozenset({"cos", "sin", "exp", "cosh", "sinh"})


def places(
    node: Node, path: tuple[int, ...] = (), closed: frozenset[str] = frozenset()
) -> Iterator[tuple[tuple[int, ...], Node]]:
    """Every node of a tree with the way to it, none inside a head that is `closed`.

    Bound variables and limits of sums are left alone.
    """
    yield path, node
    if node.head in closed:
        return
    for i, child in enumerate(node.args):
        if isinstance(child, Node) and not (node.head == "sum" and i < 2):
            yield from places(child, (*path, i), closed)


def replaced(node: Node, path: tuple[int, ...], new: Node) -> Node:
    if not path:
        return new
    at, *rest = path
    child = replaced(node.args[at], tuple(rest), new)
    return Node(node.head, (*node.args[:at], child, *node.args[at + 1 :]))


def rewritten(node: Node, source: random.Random, steps: int = 2) -> Node:
    # cos^2 inside a cosine has hundreds of terms: rewriting stays outside.
    for _ in range(steps):
        path, part = source.choice(list(places(node, (), TRANSCENDENTAL)))
        node = replaced(node, path, source.choice(_steps(part, source))())
    return node


# ---------------------------------------------------------------------- false steps
SWAPPED = {
    "add": "sub",
    "sub": "add",
    "cos": "sin",
    "sin": "cos",
    "cosh": "sinh",
    "sinh": "cosh",
    "mul": "add",
    "div": "mul",
    "le": "lt",
    "abs": "exp",
    "log": "exp",
}


def perturbed(node: Node, source: random.Random) -> Node:
    """One place changed; whether that made a statement false is for the caller to find out."""
    while True:
        path, part = source.choice(list(places(node)))
        match part.head, part.args:
            case "num", (value,):
                new = num(source.choice((value + 1, -value, value * 2, value - Fraction(1, 2))))
            case "pow" | "root", (inside, exponent):
                new = Node(part.head, (inside, exponent + 1))
            case "var", (_, domain) if part in ATOMS and domain.kind in ("real", "positive"):
                new = source.choice((x, y, z, p))
            case head, args if head in SWAPPED:
                new = Node(SWAPPED[head], args)
            case _:
                continue
        if new != part:
            return replaced(node, path, new)


# ---------------------------------------------------------------------- points
def random_value(domain: Domain, source: random.Random) -> Fraction:
    part = Fraction(source.randint(-40, 40), source.randint(7, 13))
    match domain.kind:
        case "integer":
            low = -4 if domain.lower is None else domain.lower
            return Fraction(source.randint(low, low + 5))
        case "positive":
            return abs(part) + Fraction(1, 7)
        case "finite":
            return source.choice(domain.values)
        case "box":
            low, high = domain.values
            return low + (high - low) * Fraction(source.randint(0, 12), 12)
    return part


def random_point(props: Sequence[Node], source: random.Random) -> dict[Node, Fraction]:
    names = sorted(frozenset().union(*(free_variables(q) for q in props)), key=repr)
    return {name: random_value(name.args[1], source) for name in names}
