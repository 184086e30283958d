r"""Tiles of scores of damped shear powers: one matrix product for all pairs of two blocks.

Main definitions
----------------
X, Y, rate                   eigen-coordinates of query and key and their rates, by channel
V, S, A, count               nodes of a sum: stored, exact, of moduli, and how many products
left, right                  the two earlier nodes that a node adds
MASKED                       what IEEE arithmetic does to a mask that multiplies

Main claims
-----------
symplectic.tiles

Conventions
-----------
Positions, blocks, factors and roundings are those of `symplectic.rebasing`, and so are the
definitions that a control replaces.  The first n of N nodes are products, one a channel; every
other node is the sum of two earlier ones.  A score is a node that has added every product once.

References
----------
Derived here; the abstract of HySPE speaks of blockwise coordinate rebasing.
"""

from __future__ import annotations

from typing import Any

from sympy import Abs, Rational, exp, log

from posproof.theory.symbols import Variable, sequence, total, variables
from posproof.theory.symplectic.rebasing import (
    B,
    D,
    Execution,
    Omega,
    R,
    Rounding,
    T,
    a,
    b,
    i,
    in_block,
    in_format,
    n,
    r,
    rounds,
    short_block,
    sigma,
    three_factors,
    u,
    w,
    within,
)
from posproof.theory.vocabulary import (
    And,
    Claim,
    Clause,
    Eq,
    ForAll,
    Iff,
    Implies,
    Informal,
    Int,
    Le,
    Lt,
    Prop,
    Real,
)

X, Y, rate, V, S, A = (sequence(name) for name in ("x", "y", "r", "v", "s", "A"))
count, left, right = sequence("c", Int(1)), sequence("left", Int(0)), sequence("right", Int(0))
nodes = Variable("N", Int(0))
g, M = variables("g M", Real)


def tile(of: Execution) -> Prop:
    """Factors on the rows of both sides give the scores of a tile."""
    query, block, key = three_factors(of, rate(i))
    product = total(i, n, (X(i) * query * block) * (Y(i) * key))
    score = total(i, n, X(i) * Y(i) * exp(-rate(i) * (D * B + a - b)))
    return ForAll((n, B, D, a, b), Eq(product, score))


def folding(of: Execution) -> Prop:
    """One number for the whole tile replaces the block factors of two channels of one rate only."""
    late = []
    for value in (r, R):
        query, block, key = three_factors(of, value)
        late.append(Eq(g * (query * key), query * block * key))
    given = And(Le(1, D), *late)
    return ForAll((r, R, B, D, a, b, g), Implies(given, Eq(r, R)))


def _entry(of: Execution, *, in_range: bool) -> tuple[Rounding, Any]:
    fl = Rounding(in_range=in_range, at=i)
    return fl, of.channel(fl, X(i), Y(i), *three_factors(of, rate(i)))


def _products(of: Execution, in_range: bool, *more: Prop) -> Prop:
    """The first n nodes are the products of a tile entry."""
    fl, computed = _entry(of, in_range=in_range)
    decay = exp(-rate(i) * (D * B + a - b))
    exact, size = X(i) * Y(i) * decay, Abs(X(i)) * Abs(Y(i)) * decay
    own = (Eq(V(i), computed), Eq(S(i), exact), Eq(A(i), size), Eq(count(i), 1))
    return ForAll(i, Implies(Lt(i, n), And(*fl.facts, *own, *more)))


def _additions(in_range: bool, *more: Prop) -> Prop:
    """The others are sums of two earlier nodes, in any order."""
    first, second = left(i), right(i)
    sums = [Eq(term(i), term(first) + term(second)) for term in (S, A, count)]
    stored = rounds(V(i), V(first) + V(second), in_range=in_range)
    earlier = (Lt(first, i), Lt(second, i))
    inside = And(Le(n, i), Lt(i, nodes))
    return ForAll(i, Implies(inside, And(*earlier, stored, *sums, *more)))


def entries(of: Execution) -> Prop:
    """The error of a tile entry whose products are summed in any order, without underflow."""
    given = And(Lt(0, u), _products(of, False), _additions(False))
    grown = (1 + u) ** (count(i) + of.entry_roundings)
    gap = within(V(i) - S(i), (grown - 1) * A(i))
    goal = ForAll(i, Implies(Lt(i, nodes), gap))
    return ForAll((u, n, nodes, B, D, a, b), Implies(given, goal))


def underflow(of: Execution) -> Prop:
    """The same with underflow, in a block that is short enough for the fastest rate."""
    rates = (Le(0, rate(i)), Le(rate(i), R))
    inputs = (*within(X(i), M).parts, *within(Y(i), M).parts)
    size = A(i) + count(i) * (1 + 5 * sigma) * u * M**2
    reach = (1 + u) ** (count(i) + of.entry_roundings) * size
    fits = Le(reach + sigma**2, Omega)
    arithmetic = in_format(Rational(1, 2))
    moderate = (Le(1, M), Le(sigma * M, 1))
    products = _products(of, True, *rates, *inputs)
    given = And(*arithmetic, *moderate, products, _additions(True, fits), *short_block(of, R))
    goal = ForAll(i, Implies(Lt(i, nodes), within(V(i) - S(i), reach - A(i))))
    names = (u, sigma, Omega, M, R, n, nodes, B, D, a, b)
    return ForAll(names, Implies(given, goal))


def diagonal(of: Execution) -> Prop:
    """What a tile on the diagonal holds above it, and when that is finite."""
    reference = of.centre(B)
    weight = of.query(r, a, reference) * of.block(r, B, 0) * of.key(r, b, reference)
    last = of.query(r, 0, reference) * of.block(r, B, 0) * of.key(r, B - 1, reference)
    top = exp(r * (B - 1))
    given = And(Le(0, r), *in_block(a, b))
    bounds = And(Le(weight, top), Implies(Le(b, a), Le(weight, 1)))
    finite = Iff(Lt(w * last, T), Lt(r * (B - 1) + log(w), log(T)))
    return And(
        ForAll((r, B, a, b), Implies(given, bounds)),
        ForAll((r, B), Eq(last, top)),
        ForAll((r, B, w, T), finite),
    )


MASKED = Informal(
    "in IEEE arithmetic 0 times infinity is NaN: a mask that multiplies spoils a tile whose masked "
    "entries overflow, a mask that selects does not"
)


def mask(of: Execution) -> Prop:
    return MASKED


TILES = Claim(
    id="symplectic.tiles",
    title="A tile is one matrix product when the block factor sits on its rows",
    kind="bound",
    definitions=Execution(),
    source=(),
    depends=("symplectic.rebasing",),
    hypotheses=(
        "P channel pairs, 2 P eigen-coordinates x, y that are exact, rates 0 <= r_c <= r",
        "each product is rounded as in symplectic.rebasing; sums in any order",
    ),
    clauses=(
        Clause(
            "tile",
            r"\sum_c (x_c f_{q,c} f_{B,c})(y_c f_{k,c}) = \sum_c x_c y_c\, e^{-r_c(DB+a-b)}",
            tile,
        ),
        Clause(
            "folding",
            r"D \ge 1,\ g f_q f_k = f_q f_B f_k \text{ for the rates } r, R \implies r = R",
            folding,
        ),
        Clause(
            "entries",
            r"\text{no underflow} \implies |\hat S - S| \le \bigl((1+u)^{2P+6} - 1\bigr) "
            r"\sum_c |x_c||y_c|\, e^{-r_c n}",
            entries,
        ),
        Clause(
            "underflow",
            r"\omega\, e^{r(B-1)} \le 1,\ |x_c|, |y_c| \le M,\ 1 \le M \le 1/\sqrt\omega,\quad "
            r"\text{sums} \le \Omega \implies "
            r"|\hat S - S| \le (1+u)^{2P+6}\bigl(A + 2P(1 + 5\sqrt\omega)uM^2\bigr) - A, \quad "
            r"A = \textstyle\sum_c |x_c||y_c|\, e^{-r_c n}",
            underflow,
        ),
        Clause(
            "diagonal",
            r"D = 0:\ f_q f_k \le e^{r(B-1)} \text{, equal for } a = 0,\ b = B - 1; \quad "
            r"b \le a \implies f_q f_k \le 1; \quad "
            r"w\, e^{r(B-1)} < T \iff r(B-1) + \ln w < \ln T",
            diagonal,
        ),
        Clause(
            "mask",
            r"0 \cdot \infty = \mathrm{NaN}: \text{ a mask that multiplies spoils a tile whose "
            r"masked entries overflow, a mask that selects does not}",
            mask,
        ),
    ),
)
