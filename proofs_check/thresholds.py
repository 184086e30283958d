"""The integers at which an exponential crosses a level: the first beyond it, the last before it.

Main definitions
----------------
first_integer   J - 1 < t / w <= J gives t <= w n <=> J <= n
last_integer    m <= t / w < m + 1 gives w (B - 1) <= t <=> B <= 1 + m
inverted        c e^x <= 1 <=> x <= -log c, for c > 0
crossing        e^(w n) is at or above a level, or e^(-w n) at or below it, from the integer J on

Conventions
-----------
J, n, m and B are integers and w > 0.  Premises are written as theory writes a ceiling and a floor.
"""

from __future__ import annotations

from functools import lru_cache

from posproof.proofs_check import exponentials, kernel
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import And, Eq, Le, Lt, Node, exp, num, substitute
from posproof.proofs_check.search import prove_identity, prove_nonneg, prove_order
from posproof.theory.symbols import variables
from posproof.theory.vocabulary import Int, Positive, Real

node = T.node
_n, _m = variables("n m", Int(0))
_J, _B = variables("J B", Int(1))
_t, _x = variables("t x", Real)
_w, _c = variables("w c", Positive)


@lru_cache
def _first_integer() -> Theorem:
    J, n, w, t = map(node, (_J, _n, _w, _t))
    low, high = Lt(node(_J - 1), t / w), Le(t / w, J)
    reached, later = Le(t, w * n), Le(J, n)
    # J - 1 < t / w <= n, so J <= n
    before = prove_nonneg(Lt(J - 1, n), T.margin(low) + (w * n - t) / w, [low, reached])
    step = kernel.integer_step(before)
    forward = T.discharge(prove_order(later, [step.conclusion], degree=1), step)
    form = w * (J - t / w) + w * (n - J)
    backward = prove_nonneg(reached, form, [high, later])
    found = T.iff(reached, later, forward, backward)
    return T.closed(found, And(low, high))


def first_integer(w: Node, t: Node, J: Node, n: Node) -> Theorem:
    """J - 1 < t / w <= J => (t <= w n <=> J <= n)."""
    values = {node(_w): w, node(_t): t, node(_J): J, node(_n): n}
    return kernel.specialise(_first_integer(), values)


@lru_cache
def _last_integer() -> Theorem:
    m, B, w, t = map(node, (_m, _B, _w, _t))
    low, high = Le(m, t / w), Lt(t / w, node(1 + _m))
    fits, short = Le(w * (B - 1), t), Le(B, node(1 + _m))
    form = T.margin(high) + (t - w * (B - 1)) / w
    before = prove_nonneg(Lt(B - 1, m + 1), form, [high, fits])
    step = kernel.integer_step(before)
    forward = T.discharge(prove_order(short, [step.conclusion], degree=1), step)
    form = w * T.margin(low) + w * T.margin(short)
    backward = prove_nonneg(fits, form, [low, short])
    return T.closed(T.iff(fits, short, forward, backward), And(low, high))


def last_integer(w: Node, t: Node, m: Node, B: Node) -> Theorem:
    """m <= t / w < m + 1 => (w (B - 1) <= t <=> B <= 1 + m)."""
    values = {node(_w): w, node(_t): t, node(_m): m, node(_B): B}
    return kernel.specialise(_last_integer(), values)


@lru_cache
def inverted() -> Theorem:
    """for all c > 0 and x: c e^x <= 1 <=> x <= -log c."""
    top, x = node(_c), node(_x)
    logarithm = num(-1) * Node("log", (top,))
    fits, image = Le(top * exp(x), 1), Le(exp(x), exp(logarithm))
    forward = prove_nonneg(image, T.margin(fits) / top, [fits])
    backward = prove_nonneg(fits, top * T.margin(image), [image])
    raised = T.apply(exponentials.ordered(), [x, logarithm])
    found = T.chained(T.iff(fits, image, forward, backward), T.turned(raised))
    return T.generalise(found, top, x)


def _same_order(left: Node, right: Node) -> Theorem:
    """Two inequalities that say the same to algebra."""
    forward, backward = prove_order(right, [left], degree=1), prove_order(left, [right], degree=1)
    return T.iff(left, right, forward, backward)


def crossing(level: Node, rate: Node, first: Node, claim: Node, positive: Theorem) -> Theorem:
    """`claim`: e^(w n) at or above the level, or e^(-w n) at or below it, iff J <= n.

    `first` says that J is the first integer; `positive` proves 0 < level.
    """
    hole, y = T.real("hole"), T.real("y")
    image, later = claim.args
    up = image.args[0] == level
    exponent = image.args[1 if up else 0].args[0]
    logarithm = Node("log", (level,))
    at = y if up else num(-1) * y
    middle = Le(y, exponent) if up else Le(exponent, y)
    counted = first_integer(rate, at, *later.args)
    even = _same_order(middle, counted.conclusion.args[1].args[0])
    counted = kernel.specialise(counted, {y: logarithm})
    counted = kernel.modus(counted, kernel.assume(first))
    even = kernel.specialise(even, {y: logarithm})
    middle = substitute(middle, {y: logarithm})
    pattern = Le(hole, exp(exponent)) if up else Le(exp(exponent), hole)
    closed = prove_identity(Eq(level, exp(logarithm)), [positive.conclusion])
    raised = T.transport(
        Node("iff", (middle, pattern)),
        hole,
        T.discharge(closed, positive),
        T.apply(exponentials.ordered(), middle.args),
    )
    return T.chained(T.turned(raised), even, counted)
