"""Terms to polynomials: the trusted translation.

Main definitions
----------------
Translation     one table of generators with their relations; turns terms into fractions
Problem         "is this difference zero?" as a target polynomial, relations and non-zero factors
matrix_entries  a matrix term as rows of scalar terms
free_polynomial operators and journeys as a polynomial in non-commuting symbols

Implementation notes
--------------------
All polynomials live in one FLINT context over Q with a fixed supply of generators, so a translation
hands them out as atoms appear.  An angle is split into monomials (``2 m x + pi i`` has two), a unit
of each monomial is one atom, and its multiples are expanded by the addition theorems.  When ``x/2``
appears after ``x`` the translation starts again with the finer unit, so relations never link atoms.

    cos, sin of a real monomial      generators c, s with c^2 + s^2 = 1
    cos, sin of pi * (integers)      generator c with c^2 = 1; the sine is 0
    cos, sin of pi * p/q             powers of a root of unity z with Phi_n(z) = 0
    exp, cosh, sinh                  a generator e that is never 0
    base^exponent                    integer exponents: one atom a monomial; else exp(exponent log)
    the n-th root of t               a generator r with r^n = t, under the condition t >= 0
    |t|                              a generator a with a^2 = t^2
    T_n, U_n                         unfold by their recurrence at n + 2, opaque atoms below
    sums, matrix powers              unfold at n + 1, opaque atoms at n

A sum is linear: its body is expanded, what does not depend on the index comes out, and each
remaining monomial is one atom.  The index of a sum is renamed after the height of each term of its
body, so equal sums are equal atoms wherever they stand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm
from typing import Any, TypeVar

from flint import Ordering, fmpq, fmpq_mpoly, fmpq_mpoly_ctx, fmpz_poly

from posproof.proofs_check.language import (
    Domain,
    Int,
    Le,
    Ne,
    Node,
    entry,
    exp,
    free_variables,
    num,
    substitute,
)

SUPPLY = 64
CONTEXT = fmpq_mpoly_ctx.get([f"g{i}" for i in range(SUPPLY)], Ordering.degrevlex)
GENERATORS = CONTEXT.gens()
ONE, ZERO = CONTEXT.constant(1), CONTEXT.constant(0)
LARGEST_MULTIPLE = 400  # of one angle; above it the polynomials are too long to be worth writing

Poly = fmpq_mpoly
Quotient = tuple[Poly, Poly]
Monomial = tuple[tuple[int, ...], str]
Marks = frozenset[Node]
T = TypeVar("T")


class Unsupported(Exception):
    """The term lies outside what the translation understands."""


class _Refine(Exception):
    """An atom needs a finer base; start the translation again."""


@dataclass(frozen=True)
class Problem:
    """The target vanishes if target * product(nonzero_i ^ k_i) = sum(cofactor_j * relation_j)."""

    targets: tuple[Poly, ...]
    relations: tuple[Poly, ...]
    nonzero: tuple[Poly, ...]
    conditions: tuple[Node, ...]
    names: tuple[str, ...] = field(default=(), compare=False)


class Translation:
    """A growing table of generators; `bases` survives a restart."""

    def __init__(self, bases: dict[object, int | Fraction]) -> None:
        self.bases = bases
        self.index: dict[Any, int] = {}
        self.marks: list[Marks] = []
        self.relations: list[Poly] = []
        self.atom_relations: list[Poly] = []
        self.nonzero: list[Poly] = []
        self.conditions: dict[Node, None] = {}
        self.integers: set[int] = set()
        self.natural: set[int] = set()
        self.logarithms: dict[int, Node] = {}
        self.known: dict[Node, Quotient] = {}

    # ------------------------------------------------------------------ generators
    def generator(self, key: object, *parts: Poly, marks: Marks = frozenset()) -> tuple[Poly, bool]:
        """The generator for a key, and whether it is new; `parts` are what its value depends on."""
        new = key not in self.index
        if new:
            if len(self.index) == SUPPLY:
                raise Unsupported(f"more than {SUPPLY} atoms")
            self.index[key] = len(self.index)
            self.marks.append(marks.union(*(self.marks_of(p) for p in parts)))
        return GENERATORS[self.index[key]], new

    def marks_of(self, p: Poly) -> Marks:
        """The summation indices a polynomial depends on."""
        used = (i for i, degree in enumerate(p.degrees()) if degree > 0)
        return frozenset().union(*(self.marks[i] for i in used))

    def relate(self, relation: Poly) -> None:
        self.relations.append(relation)
        self.atom_relations.append(relation)

    def names(self) -> tuple[str, ...]:
        """What each generator stands for, for printing certificates."""
        names: list[str] = []
        for key in self.index:
            match key:
                case str():
                    names.append("zeta" if key == "root of unity" else key)
                case Node():
                    names.append(str(key.args[0]))
                case ("cos" | "sin" | "exp" as kind, (exponents, below)):
                    powers = (f"{names[i]}^{e}" for i, e in enumerate(exponents) if e)
                    atom = "*".join(powers).replace("^1", "") or "1"
                    names.append(f"{kind}[{atom}{'' if below == '1' else '/' + below}]")
                case (kind, *_):
                    names.append(f"{kind}#{len(names)}")
        return tuple(names)

    def variable(self, node: Node) -> Poly:
        name, domain = node.args
        if domain.kind in ("letter", "word", "operator"):
            raise Unsupported("a letter, a word or an operator is not a number")
        marks = frozenset((node,)) if name.startswith("#") else frozenset()
        g, new = self.generator(node, marks=marks)
        if new:
            i = self.index[node]
            if is_integral(domain):
                self.integers.add(i)
            low = lowest(domain)
            if low is not None and low >= 0 and i in self.integers:
                self.natural.add(i)
            if domain.kind == "positive" or (low is not None and low > 0):
                self.nonzero.append(g)
        return g

    def unit(self, key: object, multiple: Fraction) -> Fraction:
        """The part of a monomial that is one atom, refined when another multiple needs it."""
        known = self.bases.setdefault(key, abs(multiple))
        if (multiple / known).denominator != 1:
            self.bases[key] = _common_measure(known, multiple)
            raise _Refine
        return Fraction(known)

    def base(self, key: object, denominator: int) -> int:
        """The base denominator of an atom, refined when a new fraction of it appears."""
        known = int(self.bases.setdefault(key, denominator))
        if known % denominator:
            self.bases[key] = lcm(known, denominator)
            raise _Refine
        return known

    # ------------------------------------------------------------------ terms
    def quotient(self, node: Node) -> Quotient:
        """A scalar term as numerator and denominator."""
        if node not in self.known:
            self.known[node] = self._quotient(node)
        return self.known[node]

    def _quotient(self, node: Node) -> Quotient:
        match node.head, node.args:
            case "num", (value,):
                return CONTEXT.constant(fmpq(value.numerator, value.denominator)), ONE
            case "pi", ():
                return self.pi(), ONE
            case "var", _:
                return self.variable(node), ONE
            case "add", (a, b):
                return add(self.quotient(a), self.quotient(b))
            case "sub", (a, b):
                n, d = self.quotient(b)
                return add(self.quotient(a), (-n, d))
            case "mul", (a, b):
                return multiply(self.quotient(a), self.quotient(b))
            case "div", (a, b):
                top, (n, d) = self.quotient(a), self.quotient(b)
                self.conditions[Ne(b, 0)] = None
                self.nonzero.append(n)
                if n == 0:
                    raise Unsupported("division by zero")
                return multiply(top, (d, n))
            case "pow", (a, k):
                n, d = self.quotient(a)
                return n**k, d**k
            case "power", (a, exponent):
                return self.power(a, exponent)
            case "cos" | "sin", (angle,):
                return self.circle(angle)[node.head == "sin"]
            case "exp", (a,):
                return self.exponential(a)
            case "log", (a,):
                return self.logarithm(a), ONE
            case "cosh" | "sinh", (a,):
                n, d = self.exponential(a)
                sign = 1 if node.head == "cosh" else -1
                return reduce(n * n + sign * d * d, 2 * n * d)
            case "root", (a, n):
                return self.root(a, n)
            case "abs", (a,):
                return self.absolute(a), ONE
            case "chebyshevt" | "chebyshevu", (degree, x):
                return self.chebyshev(node.head, degree, x)
            case "sum", _:
                return self.sum(node)
            case "sequence", (name, domain, at):
                return self.sequence(name, domain, at), ONE
            case "entry", (m, i, j):
                return self.entry(m, i, j)
            case "norm", (x,):
                return self.norm(x), ONE
            case "det", (m,):
                return self.determinant(matrix_entries(m))
        raise Unsupported(f"not a scalar term of the algebra: {node.head}")

    def pi(self) -> Poly:
        g, new = self.generator("pi")
        if new:
            self.nonzero.append(g)
        return g

    def key(self, node: Node) -> tuple[str, str, Poly, Poly]:
        """Equal strings mean equal values (the denominator being non-zero)."""
        n, d = normal(self.quotient(node))
        return str(n), str(d), n, d

    def sequence(self, name: str, domain: Domain, at: Node) -> Poly:
        n, d, *parts = self.key(at)
        g, new = self.generator(("sequence", name, domain, n, d), *parts)
        if new and is_integral(domain):
            i = self.index[("sequence", name, domain, n, d)]
            self.integers.add(i)
            if domain.lower is not None and domain.lower >= 0:
                self.natural.add(i)
        return g

    def root(self, radicand: Node, degree: int) -> Quotient:
        n, d, top, bottom = self.key(radicand)
        base = self.base(("root", n, d), degree)
        r, new = self.generator(("root", n, d), top, bottom)
        if new:
            self.relate(r**base * bottom - top)
            if top.is_constant() and top != 0:
                self.nonzero.append(r)
        self.conditions[Le(0, radicand)] = None
        return r ** (base // degree), ONE

    def absolute(self, inside: Node) -> Poly:
        n, d, top, bottom = self.key(inside)
        a, new = self.generator(("abs", n, d), top, bottom)
        if new:
            self.relate(a * a * bottom * bottom - top * top)
        return a

    def norm(self, inside: Node) -> Poly:
        """One atom for each polynomial in the operators; the seminorm of 0 is 0."""
        terms = {w: c for w, c in free_polynomial(inside).items() if c}
        if not terms:
            return ZERO
        depends = frozenset().union(*(free_variables(t) for w in terms for t in w))
        marks = frozenset(v for v in depends if v.args[0].startswith("#"))
        return self.generator(("norm", frozenset(terms.items())), marks=marks)[0]

    def logarithm(self, inside: Node) -> Poly:
        n, d, *parts = self.key(inside)
        g, new = self.generator(("log", n, d), *parts)
        if new:
            self.logarithms[self.index[("log", n, d)]] = inside
        self.conditions[Le(0, inside)] = None
        self.conditions[Ne(inside, 0)] = None
        return g

    # ------------------------------------------------------------------ angles and exponents
    def monomials(self, node: Node) -> list[tuple[Fraction, Monomial, Poly]]:
        """An argument as rational multiples of monomials, each with a polynomial it depends on."""
        n, d = normal(self.quotient(node))
        parts = []
        for exponents, coefficient in n.terms():
            value = Fraction(int(coefficient.p), int(coefficient.q))
            exponents = tuple(int(e) for e in exponents)
            depends = CONTEXT.from_dict({exponents: fmpq(1)}) * d  # a sum could cancel
            if len(d) == 1:
                below = tuple(int(e) for e in d.monoms()[0])
                exponents = tuple(a - b for a, b in zip(exponents, below, strict=True))
                parts.append((value, (exponents, "1"), depends))
            else:
                parts.append((value, (exponents, str(d)), depends))
        return parts

    def circle(self, angle: Node) -> tuple[Quotient, Quotient]:
        """(cos, sin) of an angle by the addition theorems."""
        c, s = (ONE, ONE), (ZERO, ONE)
        for multiple, monomial, depends in self.monomials(angle):
            cc, ss = self.circle_atom(multiple, monomial, depends)
            c, s = (
                add(multiply(c, cc), multiply(s, (-ss[0], ss[1]))),
                add(multiply(s, cc), multiply(c, ss)),
            )
        return c, s

    def circle_atom(
        self, multiple: Fraction, monomial: Monomial, depends: Poly
    ) -> tuple[Quotient, Quotient]:
        kind = self.angle_kind(monomial)
        if kind == "pi":
            return self.root_of_unity(multiple)
        if kind == "pi times integers":
            # Whole multiples of pi share the atom of one multiple, whose cosine is 1 or -1.
            self.bases.setdefault(("angle", monomial), Fraction(1))
        unit = self.unit(("angle", monomial), multiple)
        k = int(multiple / unit)
        if abs(k) > LARGEST_MULTIPLE:
            raise Unsupported("multiple of an angle too large")
        c, new = self.generator(("cos", monomial), depends)
        if kind == "pi times integers" and unit == 1:
            if new:
                self.relate(c * c - 1)
            return ((c if k % 2 else ONE), ONE), (ZERO, ONE)
        s, _ = self.generator(("sin", monomial), depends)
        if new:
            self.relate(c * c + s * s - 1)
        real, imaginary = complex_power(c, s, abs(k))
        return (real, ONE), (imaginary if k >= 0 else -imaginary, ONE)

    def angle_kind(self, monomial: Monomial) -> str:
        exponents, below = monomial
        i = self.index.get("pi")
        if i is None or below != "1" or exponents[i] != 1:
            return "real"
        others = [(j, e) for j, e in enumerate(exponents) if e and j != i]
        if not others:
            return "pi"
        if all(e > 0 and j in self.integers for j, e in others):
            return "pi times integers"
        return "real"

    def root_of_unity(self, multiple: Fraction) -> tuple[Quotient, Quotient]:
        """(cos, sin) of pi * multiple."""
        if (2 * multiple).denominator == 1:
            c, s = [(1, 0), (0, 1), (-1, 0), (0, -1)][int(2 * multiple) % 4]
            return (CONTEXT.constant(c), ONE), (CONTEXT.constant(s), ONE)
        n = self.base("root of unity", lcm(4, 2 * multiple.denominator))
        z, new = self.generator("root of unity")
        if new:
            phi = fmpz_poly.cyclotomic(n)
            self.relate(sum((phi[i] * z**i for i in range(phi.degree() + 1)), ZERO))
        k = int(multiple * n / 2) % n
        half = fmpq(1, 2)
        cosine = (z**k + z ** (-k % n)) * half
        sine = (z**k - z ** (-k % n)) * z ** (3 * n // 4) * half
        return (cosine, ONE), (sine, ONE)

    def exponential(self, exponent: Node) -> Quotient:
        result: Quotient = (ONE, ONE)
        for multiple, monomial, depends in self.monomials(exponent):
            if _single(monomial) in self.logarithms:
                self.bases.setdefault(("exponent", monomial), Fraction(1))
            unit = self.unit(("exponent", monomial), multiple)
            k = int(multiple / unit)
            if abs(k) > LARGEST_MULTIPLE:
                raise Unsupported("multiple of an exponent too large")
            atom = self.exponential_atom(monomial, unit, depends)
            n, d = atom if k >= 0 else (atom[1], atom[0])
            result = multiply(result, (n ** abs(k), d ** abs(k)))
        return result

    def exponential_atom(self, monomial: Monomial, unit: Fraction, depends: Poly) -> Quotient:
        """exp(unit * monomial), never 0; exp(log c / base) is a root of c."""
        inside = self.logarithms.get(_single(monomial))
        if inside is not None and unit == 1:
            return self.quotient(inside)
        e, new = self.generator(("exp", monomial), depends)
        if new:
            self.nonzero.append(e)
            if inside is not None:
                n, d = self.quotient(inside)
                p, q = unit.numerator, unit.denominator  # e^q = c^p, whatever unit was chosen
                self.relate(e**q * d**p - n**p)
        return e, ONE

    def power(self, base: Node, exponent: Node) -> Quotient:
        """base^exponent: integer exponents of anything, real exponents of a positive base."""
        n, d = normal(self.quotient(exponent))
        parts = [(tuple(map(int, e)), c) for e, c in n.terms()]
        integral = d == 1 and all(
            c.q == 1 and all(i in self.integers for i, k in enumerate(e) if k) for e, c in parts
        )
        if not integral:
            return self.quotient(exp(exponent * Node("log", (base,))))
        natural = all(
            c > 0 and all(i in self.natural for i, k in enumerate(e) if k) for e, c in parts
        )
        if not natural:
            self.conditions[Ne(base, 0)] = None
        result: Quotient = (ONE, ONE)
        for exponents, coefficient in parts:
            k = int(coefficient.p)
            if abs(k) > LARGEST_MULTIPLE:
                raise Unsupported("exponent too large")
            above, below = self.power_atom(base, exponents)
            pair = (above, below) if k >= 0 else (below, above)
            result = multiply(result, (pair[0] ** abs(k), pair[1] ** abs(k)))
        return result

    def power_atom(self, base: Node, exponents: tuple[int, ...]) -> Quotient:
        n, d, top, bottom = self.key(base)
        if not any(exponents):
            return top, bottom
        depends = CONTEXT.from_dict({exponents: fmpq(1)})
        g, new = self.generator(("power", n, d, exponents), top, bottom, depends)
        if new and any(top == p or (top.is_constant() and top != 0) for p in [ONE, *self.nonzero]):
            self.nonzero.append(g)
        return g, ONE

    # ------------------------------------------------------------------ recursion over integers
    def split(self, upper: Node) -> tuple[int, bool, Poly]:
        """(k, whether upper - k is provably a natural number, upper), k the constant term."""
        n, d = normal(self.quotient(upper))
        if d != 1:
            raise Unsupported("a count must be an integer polynomial")
        terms = {tuple(map(int, e)): c for e, c in n.terms()}
        constant = terms.pop((0,) * SUPPLY, fmpq(0))
        integral = constant.q == 1 and all(
            c > 0 and c.q == 1 and all(i in self.natural for i, e in enumerate(exps) if e)
            for exps, c in terms.items()
        )
        return (int(constant.p), integral, n) if constant.q == 1 else (0, False, n)

    def chebyshev(self, kind: str, degree: Node, x: Node) -> Quotient:
        """T_n(x) or U_n(x): the recurrence holds for every integer n."""
        at = normal(self.quotient(x))
        n, d = normal(self.quotient(degree))
        if d != 1:
            raise Unsupported("a degree must be an integer polynomial")
        terms = {tuple(map(int, e)): c for e, c in n.terms()}
        constant = terms.pop((0,) * SUPPLY, fmpq(0))
        if constant.q != 1 or not all(
            c.q == 1 and all(i in self.integers for i, e in enumerate(exps) if e)
            for exps, c in terms.items()
        ):
            raise Unsupported("a degree must be an integer polynomial")
        k, rest = int(constant.p), CONTEXT.from_dict(terms)
        if abs(k) > LARGEST_MULTIPLE:
            raise Unsupported("degree too large")
        if rest == 0:
            low, high = (ONE, ONE), (at if kind == "chebyshevt" else multiply(constant_of(2), at))
        else:
            low, high = (self.chebyshev_atom(kind, rest, q, at) for q in (0, 1))
        for _ in range(k):
            low, high = high, add(multiply(multiply(constant_of(2), at), high), negative(low))
        for _ in range(-k):
            low, high = add(multiply(multiply(constant_of(2), at), low), negative(high)), low
        return low

    def chebyshev_atom(self, kind: str, rest: Poly, shift: int, at: Quotient) -> Quotient:
        key = (kind, str(rest), shift, str(at[0]), str(at[1]))
        return self.generator(key, rest, *at)[0], ONE

    def sum(self, node: Node) -> Quotient:
        index, upper, body = node.args
        if index.args[1] != Int(0) or index in free_variables(upper):
            raise Unsupported("a summation index ranges over Int(0)")
        k, natural, _ = self.split(upper)
        if not natural or k < 0:
            k = 0
        if k > LARGEST_MULTIPLE:
            raise Unsupported("too many terms")
        start = upper - k if k else upper
        result: Quotient = (ZERO, ONE)
        for piece in self.pieces(body):
            result = add(result, self.sum_atoms(index, start, piece))
        for j in range(k):
            result = add(result, self.quotient(substitute(body, {index: start + j})))
        return result

    def pieces(self, body: Node) -> list[Node]:
        """Terms that add up to the body, inner sums unfolded, so that each has its own height."""
        if height(body) == 0:
            return [body]
        match body.head, body.args:
            case "add", (a, b):
                return self.pieces(a) + self.pieces(b)
            case "sub", (a, b):
                return self.pieces(a) + [num(-1) * piece for piece in self.pieces(b)]
            case "mul", (a, b):
                right = self.pieces(b)
                return [one * other for one in self.pieces(a) for other in right]
            case "pow", (a, 2):
                return self.pieces(a * a)
            case "sum", (index, upper, inner):
                k, natural, _ = self.split(upper)
                if natural and 0 < k <= LARGEST_MULTIPLE:
                    start = upper - k
                    ends = (substitute(inner, {index: start + j}) for j in range(k))
                    return [Node("sum", (index, start, inner)), *ends]
        return [body]

    def sum_atoms(self, index: Node, upper: Node, body: Node) -> Quotient:
        constant, natural, count = self.split(upper)
        if count == 0:
            return ZERO, ONE
        marker = Node("var", (f"#{height(body)}", index.args[1]))
        n, d = normal(self.quotient(substitute(body, {index: marker})))
        for relation in self.atom_relations:
            if marker in self.marks_of(relation):
                n = divmod(n, relation)[1]
        inside = d if marker in self.marks_of(d) else ONE
        result = ZERO
        for exponents, coefficient in n.terms():
            pair = self.separate(tuple(map(int, exponents)), marker)
            outer, inner = (CONTEXT.from_dict({e: fmpq(1)}) for e in pair)
            if inner == 1 and inside == 1 and natural and constant >= 0:
                atom = count
            else:
                key = ("sum", marker, str(inner), str(inside), str(count))
                marks = self.marks_of(inner) | self.marks_of(inside) | self.marks_of(count)
                atom, _ = self.generator(key, marks=marks - {marker})
            result += coefficient * outer * atom
        return (result, ONE) if inside != 1 else (result, d)

    def separate(
        self, exponents: tuple[int, ...], marker: Node
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The exponents that do not depend on the index, and those that do."""
        moves = [bool(e) and marker in self.marks[i] for i, e in enumerate(exponents)]
        outer = tuple(0 if m else e for e, m in zip(exponents, moves, strict=True))
        inner = tuple(e if m else 0 for e, m in zip(exponents, moves, strict=True))
        return outer, inner

    # ------------------------------------------------------------------ matrices
    def entry(self, m: Node, i: int, j: int) -> Quotient:
        if m.head != "matrix_power":
            return self.quotient(matrix_entries(m)[i][j])
        inner, n = m.args
        k, natural, count = self.split(n)
        rows = matrix_entries(inner)
        if natural and k > 0:
            less = Node("matrix_power", (inner, n - 1))
            return self.quotient(matrix_entries(inner @ less)[i][j])
        if count == 0:
            return (ONE if i == j else ZERO), ONE
        values = [normal(self.quotient(x)) for row in rows for x in row]
        key = ("power", tuple(map(str, values)), str(count), i, j)
        return self.generator(key, count, *(p for value in values for p in value))[0], ONE

    def determinant(self, rows: list[list[Node]]) -> Quotient:
        """By minors along the rows; each minor once, zero entries skipped."""
        size = len(rows)
        if any(len(row) != size for row in rows):
            raise Unsupported("the determinant of a rectangle")
        values = [[self.quotient(x) for x in row] for row in rows]
        return minors(values, (ZERO, ONE), (ONE, ONE), add, multiply, negative)


def minors(
    rows: list[list[T]],
    zero: T,
    one: T,
    add: Callable[[T, T], T],
    multiply: Callable[[T, T], T],
    negative: Callable[[T], T],
) -> T:
    """A determinant by minors from the last row up; each minor once, zero entries skipped."""
    found: dict[tuple[int, ...], T] = {(): one}
    for row in reversed(rows):
        larger: dict[tuple[int, ...], T] = {}
        for columns, minor in found.items():
            for c in sorted(set(range(len(rows))).difference(columns)):
                if row[c] == zero:
                    continue
                value = multiply(row[c], minor)
                together = tuple(sorted((*columns, c)))
                signed = negative(value) if together.index(c) % 2 else value
                larger[together] = add(larger[together], signed) if together in larger else signed
        found = larger
    return found.get(tuple(range(len(rows))), zero)


def height(node: Node) -> int:
    """How deep sums are nested in a term."""
    inner = max((height(a) for a in node.args if isinstance(a, Node)), default=0)
    return inner + (node.head == "sum")


def _common_measure(a: Fraction | int, b: Fraction) -> Fraction:
    """The largest fraction of which both are whole multiples."""
    a = Fraction(a)
    return Fraction(
        gcd(a.numerator * b.denominator, b.numerator * a.denominator), a.denominator * b.denominator
    )


def _single(monomial: Monomial) -> int:
    """The generator a monomial consists of, or -1."""
    exponents, below = monomial
    used = [(i, e) for i, e in enumerate(exponents) if e]
    return used[0][0] if below == "1" and len(used) == 1 and used[0][1] == 1 else -1


def is_integral(domain: Domain) -> bool:
    """Whether every value of a domain is an integer."""
    return domain.kind == "integer" or (
        domain.kind == "finite" and all(v.denominator == 1 for v in domain.values)
    )


def lowest(domain: Domain) -> Fraction | int | None:
    """A lower bound of a domain, if it states one."""
    if domain.kind == "finite":
        return min(domain.values, default=None)
    return domain.values[0] if domain.kind == "box" else domain.lower


# ---------------------------------------------------------------------- fractions of polynomials
def reduce(n: Poly, d: Poly) -> Quotient:
    """Cancel the common factor; legitimate because the denominator is not zero."""
    if d == 1:
        return n, d
    common = n.gcd(d)
    return (n, d) if common == 1 else (n / common, d / common)


def normal(q: Quotient) -> Quotient:
    """Lowest terms with leading coefficient 1 below."""
    n, d = reduce(*q)
    lead = d.leading_coefficient()
    return (n, d) if lead == 1 else (n / lead, d / lead)


def add(a: Quotient, b: Quotient) -> Quotient:
    if a[1] == b[1]:
        return reduce(a[0] + b[0], a[1])
    return reduce(a[0] * b[1] + b[0] * a[1], a[1] * b[1])


def negative(a: Quotient) -> Quotient:
    return -a[0], a[1]


def constant_of(value: int) -> Quotient:
    return CONTEXT.constant(value), ONE


def multiply(a: Quotient, b: Quotient) -> Quotient:
    return reduce(a[0] * b[0], a[1] * b[1])


def complex_power(c: Poly, s: Poly, k: int) -> tuple[Poly, Poly]:
    """Real and imaginary part of (c + i s)^k."""
    real, imaginary = ONE, ZERO
    for _ in range(k):
        real, imaginary = real * c - imaginary * s, real * s + imaginary * c
    return real, imaginary


# ---------------------------------------------------------------------- matrices
def matrix_entries(node: Node) -> list[list[Node]]:
    """Rows of scalar terms."""
    match node.head, node.args:
        case "matrix", (columns, *cells) if len(cells) % columns == 0:
            return [list(cells[i : i + columns]) for i in range(0, len(cells), columns)]
        case "compose", (a, b):
            left, right = matrix_entries(a), matrix_entries(b)
            if len(left[0]) != len(right):
                raise Unsupported("shapes do not match")
            return [[_dot(row, col) for col in zip(*right, strict=True)] for row in left]
        case "transpose", (a,):
            return [list(row) for row in zip(*matrix_entries(a), strict=True)]
        case "add" | "sub", (a, b):
            left, right = matrix_entries(a), matrix_entries(b)
            return [
                [Node(node.head, (x, y)) for x, y in zip(r, t, strict=True)]
                for r, t in zip(left, right, strict=True)
            ]
        case "mul", (a, b):
            return [[a * x for x in row] for row in matrix_entries(b)]
        case "matrix_power", (a, _):
            size = len(matrix_entries(a))
            return [[entry(node, i, j) for j in range(size)] for i in range(size)]
    raise Unsupported(f"not a matrix: {node.head}")


def _dot(row: Sequence[Node], column: Sequence[Node]) -> Node:
    first, *others = (a * b for a, b in zip(row, column, strict=True))
    for product in others:
        first = first + product
    return first


def is_matrix(node: Node) -> bool:
    match node.head:
        case "matrix" | "compose" | "transpose" | "matrix_power":
            return True
        case "add" | "sub":
            return is_matrix(node.args[0])
        case "mul":
            return is_matrix(node.args[1])
    return False


def differences(left: Node, right: Node) -> list[Node]:
    """The scalar terms that must vanish for left = right."""
    if not is_matrix(left) and not is_matrix(right):
        return [left - right]
    rows, others = matrix_entries(left), matrix_entries(right)
    return [a - b for r, t in zip(rows, others, strict=True) for a, b in zip(r, t, strict=True)]


# ---------------------------------------------------------------------- problems
def problem(goal: Node | None, hypotheses: Iterable[Node]) -> Problem:
    """Translate a goal equation, or None for a contradiction, under equations and non-equations."""
    return _problem(goal, tuple(hypotheses))


@lru_cache(maxsize=64)
def _problem(goal: Node | None, hypotheses: tuple[Node, ...]) -> Problem:
    """Kept for a while: who looks for a certificate translates what the kernel translates again."""
    bases: dict[object, int | Fraction] = {}
    while True:
        try:
            return _translated(goal, hypotheses, Translation(bases))
        except _Refine:
            continue


def _translated(goal: Node | None, hypotheses: tuple[Node, ...], t: Translation) -> Problem:
    given, factors = [], []
    for h in hypotheses:
        if h.head == "eq":
            given += [t.quotient(d)[0] for d in differences(*h.args)]
        elif h.head == "not" and h.args[0].head == "eq":
            factors.append(t.quotient(h.args[0].args[0] - h.args[0].args[1])[0])
    targets = [ONE] if goal is None else [t.quotient(d)[0] for d in differences(*goal.args)]
    return Problem(
        tuple(targets),
        tuple(t.relations + given),
        distinct(p for p in factors + t.nonzero if not p.is_constant()),
        tuple(t.conditions),
        t.names(),
    )


def vanishes(closed: Node, truth: Callable[[Node, dict], bool | None]) -> bool:
    """Whether a closed term is exactly 0: reduced to 0 by the relations of its atoms."""
    p = problem(Node("eq", (closed, num(0))), ())
    remainders = list(p.targets)
    for relation in p.relations:
        remainders = [divmod(r, relation)[1] for r in remainders]
    return all(r == 0 for r in remainders) and all(truth(c, {}) is True for c in p.conditions)


def affine_in(
    name: Node, term: Node, truth: Callable[[Node, dict], bool | None]
) -> tuple[fmpq, fmpq] | None:
    """(constant, slope) of a term that is a positive multiple of constant + slope * name.

    The term may have one common factor of pi and a numeric denominator; None otherwise.
    """
    t = Translation({})
    try:
        n, d = t.quotient(term)
    except _Refine:
        return None
    i, circle = t.index.get(name), t.index.get("pi")
    if i is None or not d.is_constant() or any(truth(c, {}) is not True for c in t.conditions):
        return None
    constant, slope, powers = fmpq(0), fmpq(0), set()
    for exponents, c in n.terms():
        used = {j: int(e) for j, e in enumerate(exponents) if e}
        powers.add(used.pop(circle, 0) if circle is not None else 0)
        if used == {i: 1}:
            slope = c
        elif not used:
            constant = c
        else:
            return None
    if len(powers) != 1 or slope == 0:
        return None
    sign = 1 if d.leading_coefficient() > 0 else -1
    return sign * constant, sign * slope


def distinct(polynomials: Iterable[Poly]) -> tuple[Poly, ...]:
    """Without repetitions, in order (FLINT polynomials are not hashable)."""
    return tuple({str(p): p for p in polynomials}.values())


# ---------------------------------------------------------------------- free algebra
FreePolynomial = dict[tuple[Node, ...], Fraction]


def free_polynomial(node: Node) -> FreePolynomial:
    """Operators as a polynomial in the non-commuting atoms T_a and J(w)."""
    match node.head, node.args:
        case "unit", ():
            return {(): Fraction(1)}
        case "step", (a,):
            return {(Node("step", (_letter(a),)),): Fraction(1)}
        case "journey", (word,):
            return {_journey_atoms(word): Fraction(1)}
        case "operator", (name, *at):
            return {(Node("operator", (name, *map(_argument, at))),): Fraction(1)}
        case "transport", (name, word, start):
            return {_transport_atoms(name, word_normal(word), start): Fraction(1)}
        case "var", (_, domain) if domain.kind == "operator":
            return {(node,): Fraction(1)}
        case "sum", (index, upper, body):
            return _sum_polynomial(index, upper, body)
        case "compose", (a, b):
            left, right = free_polynomial(a), free_polynomial(b)
            return collect((u + v, x * y) for u, x in left.items() for v, y in right.items())
        case "add" | "sub", (a, b):
            sign = 1 if node.head == "add" else -1
            others = ((w, sign * x) for w, x in free_polynomial(b).items())
            return collect([*free_polynomial(a).items(), *others])
        case "mul", (a, b) if a.head == "num":
            return collect((w, a.args[0] * x) for w, x in free_polynomial(b).items())
    raise Unsupported(f"not an operator: {node.head}")


def collect(terms: Iterable[tuple[tuple[Node, ...], Fraction]]) -> FreePolynomial:
    result: FreePolynomial = {}
    for word, coefficient in terms:
        result[word] = result.get(word, Fraction(0)) + coefficient
    return {w: c for w, c in result.items() if c}


def _journey_atoms(word: Node) -> tuple[Node, ...]:
    """J(w a) = T_a J(w); J(u v) stays an atom until v ends in a letter."""
    word = word_normal(word)
    if word.head == "empty":
        return ()
    if word.head == "append":
        return (Node("step", (word.args[1],)), *_journey_atoms(word.args[0]))
    return (Node("journey", (word,)),)


def _transport_atoms(name: str, word: Node, start: Node) -> tuple[Node, ...]:
    """The product along w a is the operator stored where w leads, after the product along w."""
    if word.head == "empty":
        return ()
    if word.head == "append":
        before, letter = word.args
        there = place(Node("concat", (start, before)))
        step = Node("operator", (name, letter, there))
        return (step, *_transport_atoms(name, before, start))
    return (Node("transport", (name, word, place(start))),)


def _argument(at: Node) -> Node:
    """An argument of an operator-valued function: words by where they lead."""
    if at.head in ("empty", "append", "concat") or (at.head == "var" and at.args[1].kind == "word"):
        return place(at)
    if at.head == "back" or at.head == "var" and at.args[1].kind == "letter":
        return _letter(at)
    return index_normal(at)


def _index_polynomial(node: Node) -> dict[tuple[Node, ...], Fraction]:
    """A number as a polynomial in what is not a sum or a product: {sorted factors: coefficient}."""
    match node.head, node.args:
        case "num", (value,):
            return {(): value} if value else {}
        case "add" | "sub", (a, b):
            sign = 1 if node.head == "add" else -1
            others = ((m, sign * x) for m, x in _index_polynomial(b).items())
            return collect([*_index_polynomial(a).items(), *others])
        case "mul", (a, b):
            left, right = _index_polynomial(a), _index_polynomial(b)
            products = (
                (tuple(sorted((*u, *v), key=repr)), x * y)
                for u, x in left.items()
                for v, y in right.items()
            )
            return collect(products)
        case "sequence", (name, domain, at):
            return {(Node("sequence", (name, domain, index_normal(at))),): Fraction(1)}
    return {(node,): Fraction(1)}


def index_normal(node: Node) -> Node:
    """One term for each polynomial, so that t + 1 and 1 + t are the same index."""
    result: Node | None = None
    for factors, coefficient in sorted(_index_polynomial(node).items(), key=repr):
        piece = num(coefficient)
        for factor in factors:
            piece = piece * factor
        result = piece if result is None else result + piece
    return num(0) if result is None else result


def _count(upper: Node) -> tuple[Node, int]:
    """A limit as rest + k, k >= 0 literal; k > 0 only where the rest is visibly natural."""
    terms = _index_polynomial(upper)
    constant = terms.pop((), Fraction(0))

    def natural(factor: Node) -> bool:
        if factor.head not in ("var", "sequence"):
            return False
        domain = factor.args[1]
        low = lowest(domain)
        return is_integral(domain) and low is not None and low >= 0

    visible = constant.denominator == 1 and all(
        c > 0 and c.denominator == 1 and all(map(natural, factors)) for factors, c in terms.items()
    )
    if not terms and visible and constant <= 0:
        return num(0), 0
    if not visible or not 0 < constant <= LARGEST_MULTIPLE:
        return index_normal(upper), 0
    return index_normal(upper - int(constant)), int(constant)


def _sum_polynomial(index: Node, upper: Node, body: Node) -> FreePolynomial:
    """A sum of operators is linear; what does not depend on the index comes out; rest + k unfolds.

    The index is renamed after the height of each word, so equal sums are equal atoms.
    """
    if index.args[1] != Int(0) or index in free_variables(upper):
        raise Unsupported("a summation index ranges over Int(0)")
    rest, more = _count(upper)
    marker = Node("var", (f"#sum {height(body)}", index.args[1]))
    terms: list[tuple[tuple[Node, ...], Fraction]] = []
    if rest != num(0):
        for word, value in free_polynomial(substitute(body, {index: marker})).items():
            moves = [i for i, atom in enumerate(word) if marker in free_variables(atom)]
            first, last = (moves[0], moves[-1] + 1) if moves else (0, 0)
            inside = Node("unit")
            for place, atom in enumerate(word[first:last]):
                inside = Node("compose", (inside, atom)) if place else atom
            name = Node("var", (f"#{height(inside)}", index.args[1]))
            summed = Node("sum", (name, rest, substitute(inside, {marker: name})))
            terms.append(((*word[:first], summed, *word[last:]), value))
    for k in range(more):
        terms += free_polynomial(substitute(body, {index: rest + k})).items()
    return collect(terms)


def _letter(a: Node) -> Node:
    """back(back(a)) = a."""
    while a.head == "back" and a.args[0].head == "back":
        a = a.args[0].args[0]
    return a


def displacement(word: Node) -> dict[Node, int]:
    """How often each letter and each variable word occurs; a letter and its back cancel."""
    counts: dict[Node, int] = {}
    todo = [word]
    while todo:
        part = todo.pop()
        match part.head, part.args:
            case "empty", ():
                continue
            case "append", (rest, letter):
                letter = _letter(letter)
                axis, sign = (letter.args[0], -1) if letter.head == "back" else (letter, 1)
                counts[axis] = counts.get(axis, 0) + sign
                todo.append(rest)
            case "concat", (left, right):
                todo += (left, right)
            case _:
                counts[part] = counts.get(part, 0) + 1
    return {part: count for part, count in counts.items() if count}


def place(word: Node) -> Node:
    """One word for each displacement: variable words first, then letters, in a fixed order."""
    counts = displacement(word)
    result = Node("empty")
    ordered = sorted(counts, key=lambda part: (part.args[1].kind != "word", repr(part)))
    for part in ordered:
        for _ in range(abs(counts[part])):
            if part.args[1].kind == "word":
                result = part if result.head == "empty" else Node("concat", (result, part))
            else:
                letter = part if counts[part] > 0 else Node("back", (part,))
                result = Node("append", (result, letter))
    return result


def word_normal(word: Node) -> Node:
    """Push concatenation inwards: u (v a) = (u v) a, u empty = u = empty u, (u v) w = u (v w)."""
    if word.head == "append":
        return Node("append", (word_normal(word.args[0]), _letter(word.args[1])))
    if word.head != "concat":
        return word
    left, right = word_normal(word.args[0]), word_normal(word.args[1])
    if right.head == "empty":
        return left
    if left.head == "empty":
        return right
    if right.head == "append":
        joined = word_normal(Node("concat", (left, right.args[0])))
        return Node("append", (joined, right.args[1]))
    if left.head == "concat":
        inner = Node("concat", (left.args[1], right))
        return word_normal(Node("concat", (left.args[0], inner)))
    return Node("concat", (left, right))
