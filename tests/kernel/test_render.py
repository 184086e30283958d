"""What is printed is what was stated: the text is read back and has the same value."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from posproof.proofs_check.evaluate import scalar, truth
from posproof.proofs_check.language import (
    And,
    Eq,
    Exists,
    ForAll,
    Iff,
    Implies,
    Int,
    Le,
    Lt,
    Node,
    Not,
    Or,
    Real,
    matrix,
    num,
    power,
    total,
    transpose,
    variable,
)
from posproof.proofs_check.render import latex, text
from posproof.theory.vocabulary import Finite

x, y = variable("x", Real), variable("y", Real)
n, i = variable("n", Int(0)), variable("i", Int(0))
bit = variable("b", Finite((0, 1)))
NAMES = {"x": x, "y": y, "n": n, "i": i, "b": bit}


class Reader:
    """Reads what `text` writes: the grammar of its conventions, and no more."""

    def __init__(self, written: str) -> None:
        pattern = r"\d+|for all|exists|sum_\(i<|\w+|<=>|=>|<=|!=|[-+/^()<=:|{},;]"
        self.tokens = re.findall(pattern, written)
        assert "".join(self.tokens).replace(" ", "") == written.replace(" ", "")

    def peek(self) -> str:
        return self.tokens[0] if self.tokens else ""

    def take(self, *expected: str) -> str:
        found = self.tokens.pop(0)
        assert not expected or found in expected, f"{found} instead of {expected}"
        return found

    def inside(self, read: Any) -> Node:
        self.take("(")
        found = read()
        self.take(")")
        return found

    def prop(self) -> Node:
        if self.peek() in ("for all", "exists"):
            return self.quantified()
        if self.peek() == "(":
            rest = [*self.tokens]
            found = self.inside(self.prop) if self.closes_before("=>", "<=>") else None
            if found is not None:
                sign = self.take("=>", "<=>")
                if sign == "<=>":
                    return Iff(found, self.inside(self.prop))
                return Implies(found, self.prop())
            self.tokens = rest
        first = self.unit()
        for name, make in (("and", And), ("or", Or)):
            if self.peek() == name:
                parts = [first]
                while self.peek() == name:
                    self.take()
                    parts.append(self.unit())
                return make(*parts)
        return first

    def closes_before(self, *signs: str) -> bool:
        """Whether the parenthesis here is the premise of an implication."""
        return self.after_close(0) in signs

    def after_close(self, start: int) -> str:
        depth = 0
        for at in range(start, len(self.tokens)):
            depth += {"(": 1, "sum_(i<": 1, ")": -1}.get(self.tokens[at], 0)
            if depth == 0:
                return self.tokens[at + 1] if at + 1 < len(self.tokens) else ""
        raise AssertionError("a parenthesis is not closed")

    def quantified(self) -> Node:
        make = {"for all": ForAll, "exists": Exists}[self.take()]
        names = [self.take()]
        while self.peek() != ":":
            names.append(self.take())
        self.take()
        body = self.prop()
        for name in reversed([name for name in names if name in NAMES]):
            body = make(NAMES[name], body)
        return body

    def unit(self) -> Node:
        if self.peek() == "not":
            self.take()
            return Not(self.inside(self.prop))
        following = self.after_close(0) if self.peek() == "(" else "="
        if following in ("", ")", "and", "or", "=>", "<=>"):
            return self.inside(self.prop)
        left = self.sum()
        relation = self.take("=", "<=", "<", "!=")
        right = self.sum()
        return {"=": Eq, "<=": Le, "<": Lt, "!=": lambda a, b: Not(Eq(a, b))}[relation](left, right)

    def sum(self) -> Node:
        if self.peek() == "-":
            self.take()
            found = num(-1) * self.product()
        else:
            found = self.product()
        while self.peek() in ("+", "-"):
            found = found + self.product() if self.take() == "+" else found - self.product()
        return found

    def product(self) -> Node:
        if self.peek() == "sum_(i<":
            self.take()
            upper = self.sum()
            self.take(")")
            return total(i, upper, self.product())
        found = self.factor()
        while self.peek() == "/" or re.match(r"[\w(|]", self.peek() or ")") and not self.ends():
            if self.peek() == "/":
                self.take()
                found = found / self.factor()
            else:
                found = found * self.factor()
        return found

    def ends(self) -> bool:
        return self.peek() in ("and", "or", "not", "for all", "exists", "sum_(i<", "|")

    def factor(self) -> Node:
        found = self.atom()
        if self.peek() == "^":
            self.take()
            if self.peek() == "(":
                return power(found, self.inside(self.sum))
            return found ** int(self.take())
        return found

    def atom(self) -> Node:
        if self.peek() == "(":
            return self.inside(self.sum)
        token = self.take()
        if token == "exp":
            return Node("exp", (self.inside(self.sum),))
        return NAMES[token] if token in NAMES else num(Fraction(token))


def read(written: str, part: str) -> Node:
    reader = Reader(written)
    found = getattr(reader, part)()
    assert not reader.tokens
    return found


numbers = st.sampled_from([-2, -1, 0, 1, 2, Fraction(1, 2), Fraction(-3, 2)]).map(num)
terms = st.recursive(
    numbers | st.sampled_from([x, y, n]),
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(["add", "sub", "mul", "div"]), inner, inner).map(
            lambda t: Node(t[0], t[1:])
        ),
        st.tuples(inner, st.integers(0, 3)).map(lambda t: t[0] ** t[1]),
        st.tuples(inner, st.sampled_from([n, n + 1, num(2) * n])).map(lambda t: power(*t)),
        st.tuples(st.sampled_from([n, n + 1]), inner).map(lambda t: total(i, t[0], t[1] * i)),
        st.tuples(st.sampled_from([n, n + 1]), inner).map(lambda t: total(i, t[0], t[1] + i)),
    ),
    max_leaves=6,
)
relations = st.tuples(st.sampled_from([Eq, Le, Lt]), terms, terms).map(lambda t: t[0](*t[1:]))
props = st.recursive(
    relations | relations.map(Not),
    lambda inner: st.one_of(
        st.tuples(st.sampled_from([And, Or, Implies, Iff]), inner, inner).map(
            lambda t: t[0](*t[1:])
        ),
        st.tuples(inner, inner, inner).map(lambda t: And(*t)),
        inner.map(Not),
        st.tuples(st.sampled_from([ForAll, Exists]), inner).map(lambda t: t[0](bit, t[1])),
    ),
    max_leaves=4,
)
POINT = {x: fmpq(2, 3), y: fmpq(-5, 2), n: fmpq(2)}


@given(terms)
def test_a_term_is_read_back_as_it_was(term: Node) -> None:
    try:
        value = scalar(term, POINT)
    except Exception:  # without a value there is nothing to compare
        value = None
    if value is not None:
        assert scalar(read(text(term), "sum"), POINT) == value


@given(props)
def test_a_proposition_is_read_back_as_it_was(prop: Node) -> None:
    back = read(text(prop), "prop")
    assert truth(back, POINT) is truth(prop, POINT)


@pytest.mark.parametrize(
    ("node", "written", "typeset"),
    [
        (power(num(1) + x, n) * y, "(1 + x)^(n) y", "(1 + x)^{n}\\,y"),
        ((x**2) ** 3, "(x^2)^3", "(x^{2})^{3}"),
        (x / y * n, "(x/y) n", "\\frac{x}{y}\\,n"),
        (total(i, n, x + i), "sum_(i<n) (x + i)", "\\sum_{i=0}^{n-1} (x + i)"),
        (total(i, n, x) * y, "(sum_(i<n) x) y", "(\\sum_{i=0}^{n-1} x)\\,y"),
        (x - (y - n), "x - (y - n)", "x - (y - n)"),
        (num(-1) * x + y, "y - x", "y - x"),
        (x + num(-2) * (y + n), "x - 2 (y + n)", "x - 2\\,(y + n)"),
        (num(-1) * (x + y), "-(x + y)", "-(x + y)"),
        (num(-1) * x * y, "-x y", "-x\\,y"),
        (x + (num(-1) - y), "x + (-1 - y)", "x + (-1 - y)"),
        (x + num(-1), "x - 1", "x - 1"),
        (x - num(-1), "x - (-1)", "x - (-1)"),
        (
            ForAll(x, ForAll(y, ForAll(n, Le(x, y)))),
            "for all x, y real; n integer >= 0: x <= y",
            None,
        ),
        (transpose(matrix([[x]]) @ matrix([[y]])), "([x] [y])^T", None),
        (And(ForAll(n, Le(0, n)), Lt(0, x)), "(for all n integer >= 0: 0 <= n) and 0 < x", None),
        (
            Implies(Or(Le(x, 0), Le(y, 0)), And(Le(x, 1), Le(y, 1))),
            "(x <= 0 or y <= 0) => (x <= 1 and y <= 1)",
            "x \\le 0 \\lor y \\le 0 \\Rightarrow (x \\le 1 \\land y \\le 1)",
        ),
        (
            And(Iff(Le(x, 0), Le(y, 0)), Implies(Le(x, 1), Iff(Lt(x, 1), Lt(y, 1)))),
            "((x <= 0) <=> (y <= 0)) and ((x <= 1) => ((x < 1) <=> (y < 1)))",
            None,
        ),
        (
            Or(And(Le(x, 0), Le(y, 0)), Lt(0, x)),
            "(x <= 0 and y <= 0) or 0 < x",
            "(x \\le 0 \\land y \\le 0) \\lor 0 < x",
        ),
    ],
)
def test_parentheses(node: Node, written: str, typeset: str | None) -> None:
    assert text(node) == written
    assert typeset is None or latex(node) == typeset
