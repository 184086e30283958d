"""Evaluation and translation: no definite answer is wrong, by comparison with mpmath and SymPy."""

from __future__ import annotations

import random
from fractions import Fraction

import mpmath
import pytest
import sympy
from flint import arb, fmpq
from statements import ATOMS, k, n, p, perturbed, random_point, rewritten, term, x, y, z
from values import APART, Undefined, real, true, value

from posproof.proofs_check.evaluate import NoValue, at_precision, scalar, truth
from posproof.proofs_check.language import (
    And,
    Eq,
    Exists,
    ForAll,
    Implies,
    Int,
    Integer,
    Le,
    Lt,
    Node,
    Not,
    Or,
    exp,
    free_variables,
    matrix,
    num,
    pi,
    power,
    sequence,
    sqrt,
    total,
    variable,
)
from posproof.proofs_check.search import counterexample
from posproof.proofs_check.translate import Untranslatable, node
from posproof.theory.symbols import Variable
from posproof.theory.symbols import total as sympy_total
from posproof.theory.vocabulary import Finite, Positive, Real

i, j = variable("i", Int(0)), variable("j", Int(0))


def wide_term(source: random.Random) -> Node:
    """Terms with every head of the language."""
    inner = term(source, 1)
    small = num(source.randint(0, 4))
    match source.randrange(14):
        case 0:
            return inner / term(source, 1)
        case 1:
            return sqrt(inner)
        case 2:
            return Node("root", (inner, 3))
        case 3:
            return Node("log", (inner,))
        case 4:
            return Node("abs", (inner,))
        case 5:
            return Node("max", (inner, term(source, 1)))
        case 6:
            return Node("floor", (inner,))
        case 7:
            return Node("power", (inner, source.choice((k, n, x, num(-2), num(0)))))
        case 8:
            return total(i, source.choice((n, k, small)), inner * i + i / (i + 1))
        case 9:
            return total(i, small, total(j, i + 1, (inner + i) * j))
        case 10:
            kind = source.choice(("chebyshevt", "chebyshevu"))
            return Node(kind, (n, x / 10))
        case 11:
            rows = [[term(source, 1) for _ in range(3)] for _ in range(3)]
            return Node("det", (matrix(rows),))
        case 12:
            square = matrix([[inner, x], [y, num(1)]])
            return Node("entry", (Node("matrix_power", (square, small)), 0, 1))
        case _:
            return term(source, 2)


def lifted(point: dict) -> dict:
    return {name: fmpq(v.numerator, v.denominator) for name, v in point.items()}


def encloses(found: object, expected: object) -> bool:
    if isinstance(found, fmpq):
        if isinstance(expected, Fraction):
            return Fraction(int(found.p), int(found.q)) == expected
        found = arb(found)
    middle = mpmath.mpf(found.mid().str(50, radius=False))
    radius = mpmath.mpf(float(found.rad()))
    target = real(expected)
    return abs(middle - target) <= radius + APART * (1 + abs(target))


def test_values_agree_with_mpmath() -> None:
    source, compared = random.Random(1), 0
    with at_precision():
        while compared < 4000:
            t = wide_term(source)
            point = random_point([Eq(t, 0)], source)
            try:
                expected = value(t, point)
            except (Undefined, OverflowError):
                continue
            if isinstance(expected, mpmath.mpc) or abs(real(expected)) > mpmath.mpf(10) ** 15:
                continue
            try:
                found = scalar(t, lifted(point))
            except NoValue:
                continue
            compared += 1
            assert encloses(found, expected), f"{t} at {point}: {found}, not {expected}"


def test_what_has_no_value_gets_none() -> None:
    zero = {x: fmpq(0), y: fmpq(-1)}
    for t in (1 / x, sqrt(y), Node("log", (x,)), Node("log", (y,)), Node("power", (x, num(-1)))):
        with pytest.raises(NoValue):
            scalar(t, zero)
        assert truth(Eq(t, 0), zero) is None
    assert scalar(Node("power", (x, num(0))), zero) == 1
    assert scalar(total(i, num(-3), i), {}) == 0


c, d = variable("c", Finite([-1, 0, 2])), variable("d", Finite([0, 1]))


def proposition(source: random.Random, depth: int = 2) -> Node:
    if depth == 0:
        relation = source.choice((Eq, Le, Lt))
        left = term(source, 1, (x, y, c, d))
        right = rewritten(left, source, 1) if source.random() < 0.4 else term(source, 1, (y, c, d))
        return relation(left, right)
    one, other = (proposition(source, depth - 1) for _ in range(2))
    return source.choice(
        (
            lambda: And(one, other),
            lambda: Or(one, other),
            lambda: Not(one),
            lambda: Implies(one, other),
            lambda: ForAll(source.choice((c, d)), one),
            lambda: Exists(source.choice((c, d)), one),
        )
    )()


def test_a_constant_sequence_needs_no_index() -> None:
    """A statement about all its members is decided; one about a function's members is not."""
    t = variable("t", Real)
    vanishes = ForAll(t, Eq(sequence("a", t * t), 0))
    assert truth(vanishes, {"a": fmpq(0)}) is True
    assert truth(vanishes, {"a": fmpq(1)}) is False
    assert truth(vanishes, {"a": lambda index: fmpq(0)}) is None
    assert truth(Eq(sequence("a", t), t), {"a": fmpq(0)}) is None
    assert truth(ForAll(t, Eq(sequence("a", t, Int(1)), 0)), {"a": fmpq(0)}) is None


def test_a_point_may_list_the_values_of_a_sequence() -> None:
    rising = Lt(sequence("a", num(2)), sequence("a", num(1)))
    point = counterexample(rising, {"a": {1: 1, 2: Fraction(3, 2)}}, attempts=1)
    assert point is not None
    assert [point["a"](fmpq(at)) for at in (0, 1, 2)] == [0, 1, fmpq(3, 2)]
    assert str(point["a"]) == "1 at 1, 3/2 at 2, else 0"


def test_listed_members_and_sums_are_compared_exactly() -> None:
    """exp(a(1) log 2) and a(0) are balls that overlap; only the algebra can tell they are equal."""
    t = variable("t", Positive)
    powers = total(i, num(2), exp(sequence("a", i) * t))
    point = {"a": (1, Fraction(-1)), t: node(sympy.log(2))}
    with at_precision():
        assert truth(Eq(powers, num(Fraction(5, 2))), point) is True
        assert truth(Eq(powers, num(Fraction(5, 2)) + exp(-100 * t)), point) is False
        nearly = num(Fraction(5, 2)) + exp(-1000 * t)  # closer than any ball here shows
        assert truth(Eq(powers, nearly), point) is not True
        beyond = total(i, num(3), exp(sequence("a", i) * t))  # a(2) is not listed
        assert truth(Eq(beyond, beyond + exp(-1000 * t)), point) is not True


def test_truth_is_never_wrong(tally) -> None:
    """Both answers are definite at most points, and then they agree."""
    source = random.Random(2)
    with at_precision():
        while tally.false_fed < 10_000:
            prop = proposition(source, source.randrange(3))
            point = random_point([prop], source)
            expected = true(prop, point)
            if expected is None:
                continue
            found = truth(prop, lifted(point))
            tally.false_fed += 1  # the negation of what holds
            wrong = found is not None and found is not expected
            tally.false_accepted += wrong
            tally.true_fed += 1
            tally.true_decided += found is expected
            assert not wrong, f"{prop} at {point}"


def test_existence_among_integers_is_never_wrong(tally) -> None:
    """Affine conditions on an integer, against a search through a range that must hold it."""
    source = random.Random(3)
    for _ in range(2000):
        low = source.choice((None, 0, 1, -2))
        name = variable("e", Integer if low is None else Int(low))
        parts = []
        for _ in range(source.randint(1, 3)):
            slope = num(Fraction(source.choice((-3, -2, -1, 1, 2, 3)), source.choice((1, 2))))
            side = num(Fraction(source.randint(-12, 12), source.choice((1, 1, 2, 3))))
            scale = source.choice((num(1), pi))
            parts.append(source.choice((Eq, Le, Lt))(scale * slope * name, scale * side))
        body = source.choice((And, Or))(*parts) if len(parts) > 1 else parts[0]
        found = truth(Exists(name, body), {})
        start = -60 if low is None else low
        expected = any(true(body, {name: Fraction(v)}) for v in range(start, 61))
        tally.false_fed += 1
        wrong = found is not None and found is not expected
        # a tie between multiples of pi is too close for mpmath to call
        if wrong and any(true(body, {name: Fraction(v)}) is None for v in range(start, 61)):
            continue
        tally.false_accepted += wrong
        assert not wrong, f"{Exists(name, body)}: {found}"


# ---------------------------------------------------------------------- translation from SymPy
sx, sy = Variable("x", Real), Variable("y", Real)
sp, sk, sn = Variable("p", Positive), Variable("k", Integer), Variable("n", Int(0))
si = Variable("i", Int(0))
PAIRS = {sx: x, sy: y, sp: p, sk: k, sn: n}


def tree(source: random.Random, depth: int) -> sympy.Expr:
    if depth == 0:
        small = sympy.Rational(source.randint(-3, 3), source.randint(1, 3))
        return source.choice((*PAIRS, small, sympy.pi))
    one, other = tree(source, depth - 1), tree(source, depth - 1)
    return source.choice(
        (
            lambda: one + other,
            lambda: one - other,
            lambda: one * other,
            lambda: one / (other**2 + 1),
            lambda: one ** source.choice((-2, -1, 2, 3)),
            lambda: sp ** source.choice((sk, sx, -sn, sympy.Rational(-3, 2), sympy.Rational(1, 3))),
            lambda: sympy.cos(one),
            lambda: sympy.sin(one),
            lambda: sympy.tan(sx),
            lambda: sympy.exp(-sy) * one,
            lambda: sympy.cosh(sy) - sympy.sinh(one / 9),
            lambda: sympy.log(sp) * one,
            lambda: sympy.Abs(one),
            lambda: sympy.Max(sx, sy, one),
            lambda: sympy.floor(sx) + one,
            lambda: sympy.sqrt(sp + one**2),
            lambda: sympy_total(si, sn, si * one + 1),
            lambda: sympy.chebyshevt(sn, sx / 10) - sympy.chebyshevu(3, sx) * one,
            lambda: sympy.Matrix([[one, sx], [sy, other]]).det(),
        )
    )()


def by_sympy(t: sympy.Expr, point: dict) -> mpmath.mpf:
    values = {s: sympy.Rational(point[v].numerator, point[v].denominator) for s, v in PAIRS.items()}
    done = t.subs(values).doit()
    number = sympy.N(done, 40)
    if not number.is_Float and not number.is_Rational:
        raise Undefined(str(number))
    return mpmath.mpf(str(number)) if number.is_Float else mpmath.mpf(number.p) / number.q


def test_translation_is_faithful() -> None:
    source, compared = random.Random(4), 0
    while compared < 400:
        t = tree(source, source.randint(1, 3))
        try:
            translated = node(t)
        except Untranslatable:  # zoo, nan: SymPy has divided by zero
            continue
        point = random_point([Eq(a, a) for a in ATOMS], source)
        try:
            expected, found = by_sympy(t, point), real(value(translated, point))
        except (Undefined, OverflowError, KeyError):
            continue
        compared += 1
        assert abs(found - expected) <= APART * 10**5 * (1 + abs(expected)), f"{t} at {point}"


@pytest.mark.parametrize(
    "strange", [sympy.I, sympy.zoo, sympy.nan, sympy.oo, sympy.gamma(sx), 0.5, "x", None]
)
def test_what_lies_outside_the_language_is_named(strange) -> None:
    with pytest.raises(Untranslatable):
        node(strange)


def test_a_denominator_survives_translation() -> None:
    assert node(sx / sy) == x / y
    assert node(1 / sx**2).head == "div"
    with pytest.raises(Untranslatable):
        node(sympy.Sum(si, (si, 1, sn)))


def test_perturbing_changes_a_statement() -> None:
    source = random.Random(5)
    for _ in range(200):
        t = term(source)
        if any(
            part.head in ("num", "pow", "add", "mul") for part in t.args if isinstance(part, Node)
        ):
            assert perturbed(t, source) != t
    assert z in free_variables(z + 1)


@pytest.mark.parametrize("exponent", range(9))
def test_a_power_of_a_ball_around_zero_is_a_ball_around_its_powers(exponent: int) -> None:
    near_zero = {x: arb(0, 0.5)}
    with at_precision():
        found = scalar(x**exponent, near_zero)
        assert all(
            arb(found).contains(arb(point) ** exponent) for point in (0.5, -0.5, 0.25, -0.25)
        )
        assert truth(Lt(x**exponent, num(2)), near_zero) is True
        assert truth(Lt(power(x, num(exponent)), num(2)), near_zero) is True
