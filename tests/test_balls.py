"""The ball evaluator: it contains the truth, and never calls a false statement true."""

from fractions import Fraction

import mpmath
import pytest
import sympy as sp
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from posproof.numerics import balls
from posproof.theory.symbols import Variable, sequence, total, variables
from posproof.theory.vocabulary import (
    And,
    Box,
    Eq,
    Exists,
    Finite,
    ForAll,
    Iff,
    Implies,
    Int,
    Le,
    Lt,
    Ne,
    Not,
    Opaque,
    Or,
    Positive,
    Real,
)

X, Y = variables("x y", Real)
P = Variable("p", Positive)
N, INDEX = Variable("N", Int(1)), Variable("i", Int(0))
A = sequence("a")
SMALL = st.fractions(-4, 4, max_denominator=40)

UNARY = [sp.sin, sp.cos, sp.exp, sp.sinh, sp.cosh, sp.tanh, sp.atan, sp.Abs]


def terms() -> st.SearchStrategy[sp.Expr]:
    leaves = st.sampled_from([X, Y, sp.pi, sp.Integer(2), sp.Rational(-3, 7), sp.sqrt(2)])

    def grow(children: st.SearchStrategy[sp.Expr]) -> st.SearchStrategy[sp.Expr]:
        return st.one_of(
            st.builds(lambda f, a: f(a), st.sampled_from(UNARY[:2] + UNARY[5:]), children),
            st.builds(lambda a, b: a + b, children, children),
            st.builds(lambda a, b: a * b, children, children),
            st.builds(lambda a: a**2, children),
            st.builds(lambda n, a: sp.chebyshevt(n, a), st.integers(0, 5), children),
        )

    return st.recursive(leaves, grow, max_leaves=8)


@settings(max_examples=300, deadline=None)
@given(term=terms(), x=SMALL, y=SMALL)
def test_enclosure_contains_what_mpmath_computes(term: sp.Expr, x: Fraction, y: Fraction) -> None:
    value = balls.enclose(term, {"x": x, "y": y}, 128)
    low, high = balls.ends(value)
    with mpmath.workdps(60):
        plain = sp.symbols("x y")
        independent = sp.lambdify(plain, term.xreplace({X: plain[0], Y: plain[1]}), "mpmath")(
            *[mpmath.mpf(v.numerator) / v.denominator for v in (x, y)]
        )
        # 60 digits against balls of 38: the margin covers mpmath's own rounding.
        margin = mpmath.mpf(10) ** -50 * (1 + abs(independent))
        assert mpmath.mpf(low.numerator) / low.denominator - margin <= independent
        assert independent <= mpmath.mpf(high.numerator) / high.denominator + margin


@settings(max_examples=300, deadline=None)
@given(term=terms(), x=SMALL, y=SMALL, exponent=st.integers(1, 60), flip=st.booleans())
def test_false_inequality_is_never_called_true(
    term: sp.Expr, x: Fraction, y: Fraction, exponent: int, flip: bool
) -> None:
    point = {"x": x, "y": y}
    low, high = balls.ends(balls.enclose(term, point, 400))
    gap = Fraction(1, 2**exponent)
    cut = sp.Rational(low - gap) if flip else sp.Rational(high + gap)
    false = [Lt(term, cut), Le(term, cut)] if flip else [Lt(cut, term), Le(cut, term)]
    for bits in (20, 53, 128, 300):
        assert not any(balls.decide(prop, point, bits) for prop in false)
        assert balls.decide(Eq(term, cut), point, bits) is not True
    assert balls.decide(false[0], point, 400) is False


@given(a=SMALL, b=SMALL)
def test_rationals_are_compared_exactly(a: Fraction, b: Fraction) -> None:
    point = {"x": a, "y": b}
    assert balls.decide(Eq(X, Y), point) is (a == b)
    assert balls.decide(Le(X, Y), point) is (a <= b)
    assert balls.decide(Lt(X, Y), point) is (a < b)


@pytest.mark.parametrize(
    ("angle", "sine", "cosine"),
    [(0, 0, 1), (sp.Rational(1, 2), 1, 0), (1, 0, -1), (sp.Rational(7, 2), -1, 0), (-3, 0, -1)],
)
def test_quarter_turns_are_exact(angle: sp.Rational, sine: int, cosine: int) -> None:
    point = {"x": Fraction(str(angle))}
    assert balls.decide(Eq(sp.sin(sp.pi * X), sine), point) is True
    assert balls.decide(Eq(sp.cos(X * sp.pi + 2 * sp.pi), cosine), point) is True


def test_perfect_roots_stay_rational() -> None:
    assert balls.enclose(sp.sqrt(X), {"x": Fraction(9, 4)}) == fmpq(3, 2)
    assert balls.enclose(X ** sp.Rational(2, 3), {"x": 27}) == fmpq(9)
    assert isinstance(balls.enclose(sp.sqrt(X), {"x": 2}), arb)


def test_sum_over_a_given_sequence() -> None:
    term = total(INDEX, N, A(INDEX) ** 2)
    assert balls.enclose(term, {"N": 3, "a": [1, 2, 3]}) == fmpq(14)
    assert balls.enclose(term, {"N": 3, "a": lambda i: Fraction(i, 2)}) == fmpq(5, 4)
    assert balls.enclose(total(INDEX, N - 1, A(INDEX)), {"N": 1, "a": []}) == fmpq(0)


def test_nested_sum_with_inner_limit_depending_on_outer_index() -> None:
    j = Variable("j", Int(0))
    assert balls.enclose(sp.Sum(INDEX * j, (j, 0, INDEX), (INDEX, 0, 3)), {}) == fmpq(
        sum(i * j for i in range(4) for j in range(i + 1))
    )


def test_a_name_shared_by_an_index_and_the_point_is_shadowed() -> None:
    assert balls.enclose(total(INDEX, 3, INDEX) + INDEX, {"i": 100}) == fmpq(103)


def test_sequence_index_outside_the_list_is_undefined() -> None:
    with pytest.raises(balls.Undefined):
        balls.enclose(A(INDEX), {"i": 3, "a": [1, 2, 3]})


@pytest.mark.parametrize("n", range(-6, 9))
@pytest.mark.parametrize("x", [Fraction(1, 3), Fraction(-1), Fraction(7, 5)])
def test_chebyshev_values_are_sympys(n: int, x: Fraction) -> None:
    exact, inexact = {"x": x}, {"x": balls.exact(x) + 0 * arb.pi()}
    for family in (sp.chebyshevt, sp.chebyshevu):
        term = family(N, X)
        expected = sp.Rational(family(n, sp.Rational(x)))
        assert balls.enclose(term, exact | {"N": n}) == fmpq(expected.p, expected.q)
        low, high = balls.ends(balls.enclose(term, inexact | {"N": n}))
        assert low <= Fraction(str(expected)) <= high


def test_division_by_zero_decides_nothing() -> None:
    for truth in (Eq(1 / X, 0), Le(1 / X, 5), Not(Eq(1 / X, 0))):
        assert balls.decide(truth, {"x": 0}) is None
    assert balls.decide(Implies(Ne(X, 0), Eq(X / X**2, 5)), {"x": 0}) is True


def test_roots_below_zero_decide_nothing() -> None:
    assert balls.decide(Le(sp.sqrt(X), 1), {"x": -2}) is None
    assert balls.decide(Le(sp.log(X), 1), {"x": -2}) is None


def test_overlap_is_undecided_in_every_connective() -> None:
    unknown = Eq(sp.sin(X) ** 2 + sp.cos(X) ** 2, 1)
    true, false, point = Lt(X, 2), Lt(2, X), {"x": 1}
    expected = {
        unknown: None,
        Not(unknown): None,
        And(unknown, true): None,
        And(unknown, false): False,
        Or(unknown, true): True,
        Or(unknown, false): None,
        Implies(unknown, true): True,
        Implies(false, unknown): True,
        Implies(true, unknown): None,
        Iff(unknown, true): None,
        Iff(false, false): True,
        Iff(true, false): False,
        Opaque("continuity"): None,
    }
    for prop, truth in expected.items():
        assert balls.decide(prop, point) is truth


def test_quantifiers() -> None:
    k = Variable("k", Finite(range(5)))
    assert balls.decide(ForAll(k, Lt(k, 5))) is True
    assert balls.decide(ForAll(k, Lt(k, 4))) is False
    assert balls.decide(Exists(k, Eq(k * k, 9))) is True
    assert balls.decide(Exists(k, Eq(k * k, 8))) is False
    assert balls.decide(ForAll(X, Le(0, X**2)), {"x": 3}) is None
    assert balls.decide(ForAll(X, Le(1, X**2)), {"x": Fraction(1, 2)}) is False
    assert balls.decide(Exists(X, Eq(X**2, 4)), {"x": 2}) is True
    assert balls.decide(Exists(X, Eq(X**2, 4)), {"x": 3}) is None


def test_residual_encloses_the_difference() -> None:
    prop = ForAll(X, Eq(sp.sin(X) ** 2 + sp.cos(X) ** 2, 1))
    (difference,) = balls.residual(prop, {"x": Fraction(1, 3)}, 128)
    assert difference.contains(0)
    assert balls.radius(difference) < Fraction(1, 10**30)


PYTHAGORAS = ForAll(X, Eq(sp.sin(X) ** 2 + sp.cos(X) ** 2, 1))
POINTS = [{"x": Fraction(k, 7)} for k in range(-5, 30)]


def test_certify_accepts_an_identity_to_the_stated_radius() -> None:
    evidence = balls.certify(PYTHAGORAS, POINTS, 60)
    assert evidence.outcome == "holds"
    assert Fraction(evidence.measured) < evidence.bound.value == Fraction(1, 10**60)


@settings(deadline=None)
@given(x=SMALL, exponent=st.integers(1, 24))
def test_certify_refutes_a_perturbed_identity(x: Fraction, exponent: int) -> None:
    wrong = ForAll(X, Eq(sp.sin(X) ** 2 + sp.cos(X) ** 2, 1 + sp.Rational(1, 10**exponent)))
    evidence = balls.certify(wrong, [{"x": x}], 30)
    assert evidence.outcome == "refuted"
    assert f"x = {x}" in evidence.witness


def test_certify_does_not_accept_a_difference_inside_a_premise() -> None:
    """An equation in a negative place must be definite, or the instance would be free."""
    prop = ForAll(X, Implies(Eq(sp.sin(X) ** 2 + sp.cos(X) ** 2, 1), Lt(X, 0)))
    assert balls.certify(prop, [{"x": 1}], 30).outcome == "undecided"
    prop = ForAll(X, Not(Eq(sp.sin(X) ** 2 + sp.cos(X) ** 2, 1)))
    assert balls.certify(prop, [{"x": 1}], 30).outcome == "undecided"


def test_certify_reports_a_touching_inequality_as_undecided_unless_told() -> None:
    touching = ForAll(X, Le(sp.sin(X) ** 2 + sp.cos(X) ** 2, 1))
    assert balls.certify(touching, POINTS, 30).outcome == "undecided"
    assert balls.certify(touching, POINTS, 30, touching=True).outcome == "holds"
    strict = ForAll(X, Lt(sp.sin(X) ** 2 + sp.cos(X) ** 2, 1))
    off_zero = [point for point in POINTS if point["x"]]
    assert balls.certify(strict, off_zero, 30, touching=True).outcome == "undecided"
    assert balls.certify(strict, [{"x": 0}], 30).outcome == "refuted"


def test_certify_never_rests_on_false_premises_alone() -> None:
    empty = ForAll(X, Implies(Lt(X, -100), Eq(X, 0)))
    assert balls.certify(empty, POINTS, 30).outcome == "undecided"


def test_certify_refuses_points_outside_the_domains() -> None:
    with pytest.raises(ValueError, match="N = 0"):
        balls.certify(ForAll(N, Lt(0, N)), [{"N": 0}])
    with pytest.raises(ValueError, match="p = -1"):
        balls.certify(ForAll(P, Lt(0, P)), [{"p": -1}])
    boxed = Variable("t", Box(0, 1))
    with pytest.raises(ValueError, match="t = 2"):
        balls.certify(ForAll(boxed, Le(boxed, 1)), [{"t": 2}])


def test_certify_raises_the_precision_until_the_balls_separate() -> None:
    close = ForAll(X, Lt(sp.exp(X), sp.exp(X) + sp.Rational(1, 10**70)))
    # SymPy keeps the two exponentials apart only inside the two sides of the inequality.
    assert balls.certify(close, [{"x": 1}], 20).outcome == "holds"


def test_matrices_are_compared_entry_by_entry() -> None:
    turn = sp.Matrix([[sp.cos(X), -sp.sin(X)], [sp.sin(X), sp.cos(X)]])
    product = sp.MatMul(turn, sp.Transpose(turn), evaluate=False)
    assert balls.certify(ForAll(X, Eq(product, sp.eye(2))), POINTS, 30).outcome == "holds"
    assert balls.certify(ForAll(X, Eq(product, -sp.eye(2))), POINTS, 30).outcome == "refuted"
    assert balls.enclose(sp.Determinant(sp.Matrix([[X, 2], [3, X]])), {"x": 5}) == fmpq(19)


def test_every_point_of_an_interval_is_covered_or_reported() -> None:
    square = lambda x: bool(x * x < 4)  # noqa: E731
    assert balls.subdivide(square, Fraction(-19, 10), Fraction(19, 10)).failed is None
    failed = balls.subdivide(square, Fraction(0), Fraction(2), depth=20).failed
    assert failed is not None
    assert failed[1] == 2


@given(root=st.fractions(-3, 3, max_denominator=50), bits=st.sampled_from([40, 128, 300]))
def test_isolated_root_contains_the_root(root: Fraction, bits: int) -> None:
    found = balls.isolate_root(
        lambda x: (x - balls.exact(root)) * (1 + x * x), Fraction(-4), Fraction(4), bits
    )
    low, high = balls.ends(found)
    assert low <= root <= high
    assert high - low <= Fraction(4, 2**bits)


def test_root_needs_a_change_of_sign() -> None:
    with pytest.raises(ValueError, match="change of sign"):
        balls.isolate_root(lambda x: x * x + 1, Fraction(-1), Fraction(1))


@given(value=st.fractions(0, 10**6), digits=st.integers(1, 6))
def test_upward_is_not_below_and_less_than_one_unit_above(value: Fraction, digits: int) -> None:
    shown = Fraction(balls.upward(value, digits))
    assert shown >= value
    if value:
        assert shown - value < shown * Fraction(10, 10**digits)


def test_precision_is_restored_after_an_error() -> None:
    import flint

    before = flint.ctx.prec
    with pytest.raises(KeyError):
        balls.enclose(X, {}, 999)
    assert flint.ctx.prec == before


UNIT = Variable("z", Box(1, 2))


def test_minimum_over_an_interval_is_separated_from_its_near_misses() -> None:
    """x + 2/x has its minimum 2 sqrt 2 inside [1, 2]."""
    term = UNIT + 2 / UNIT
    for digits in (3, 8, 12):
        scale = 10**digits
        floor = sp.Rational(int(sp.floor(2 * sp.sqrt(2) * scale)), scale)
        above = floor + sp.Rational(1, scale)
        assert balls.certify_over(ForAll(UNIT, Lt(floor, term))).outcome == "holds"
        assert balls.certify_over(ForAll(UNIT, Lt(above, term))).outcome == "refuted"
        assert balls.certify_over(Exists(UNIT, Lt(term, above))).outcome == "holds"
        assert balls.certify_over(Exists(UNIT, Lt(term, floor))).outcome == "refuted"


def test_touching_minimum_is_undecided() -> None:
    touching = ForAll(UNIT, Le(0, (UNIT**2 - 2) ** 2))
    assert balls.certify_over(ForAll(UNIT, Lt(0, (UNIT**2 - 2) ** 2))).outcome == "undecided"
    assert balls.certify_over(touching).outcome in ("holds", "undecided")


def test_existence_of_a_root_and_of_none() -> None:
    root = Exists(UNIT, And(Eq(UNIT**2, 2), Lt(sp.Rational(14142, 10000), UNIT)))
    assert balls.certify_over(root).outcome == "holds"
    assert balls.certify_over(Exists(UNIT, Eq(UNIT**2, 5))).outcome == "refuted"
    beyond = Exists(UNIT, And(Eq(UNIT**2, 2), Lt(sp.Rational(14143, 10000), UNIT)))
    assert balls.certify_over(beyond).outcome != "holds"


def test_maximum_of_several_terms_is_opened() -> None:
    highest = sp.Max(2 - UNIT, UNIT - 1, evaluate=False)
    assert balls.certify_over(ForAll(UNIT, Lt(sp.Rational(49, 100), highest))).outcome == "holds"
    assert balls.certify_over(ForAll(UNIT, Lt(sp.Rational(51, 100), highest))).outcome == "refuted"


@settings(max_examples=100, deadline=None)
@given(
    a=st.fractions(-3, 3, max_denominator=20),
    b=st.fractions(-3, 3, max_denominator=20),
    gap=st.fractions(Fraction(1, 1000), 1),
)
def test_false_statement_over_an_interval_is_never_called_true(
    a: Fraction, b: Fraction, gap: Fraction
) -> None:
    term = sp.sin(sp.Rational(a) * UNIT) + sp.Rational(b) * UNIT**2
    at = min((Fraction(k, 16) + 1 for k in range(17)), key=lambda z: float(term.subs(UNIT, z)))
    low, _ = balls.ends(balls.enclose(term, {"z": at}, 200))
    cut = sp.Rational(low + gap)
    assert balls.certify_over(ForAll(UNIT, Lt(cut, term)), 20).outcome == "refuted"


def test_points_are_the_product_of_the_axes() -> None:
    assert list(balls.points(N=(2, 3), D=(0,))) == [{"N": 2, "D": 0}, {"N": 3, "D": 0}]


@given(center=SMALL, exponent=st.integers(0, 7))
def test_integer_powers_of_balls_around_zero_are_bounded(center: Fraction, exponent: int) -> None:
    wide = balls.spanning(center - 1, center + 1)
    low, high = balls.ends(balls.enclose(X**exponent, {"x": wide}))
    for k in range(9):
        assert low <= (center - 1 + Fraction(k, 4)) ** exponent <= high
