"""Composed rounding errors: proofs, bounds against reference values, measurements."""

import math
from dataclasses import replace
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from posproof.numerics import composition_bounds as bounds
from posproof.numerics.balls import enclose, ends, exact, precision, upward
from posproof.numerics.formats import FORMATS, round_array, round_exact
from posproof.numerics.precision import composition as measured
from posproof.numerics.tolerances import library_error
from posproof.proofs_check import plane
from posproof.proofs_check.decide import decide
from posproof.proofs_check.evaluate import at_precision, falsifies
from posproof.proofs_check.kernel import assume
from posproof.proofs_check.language import Le, Real, num, sequence, variables
from posproof.proofs_check.precision import composition as proofs
from posproof.theory.precision import composition as theory
from posproof.theory.precision.composition import PRODUCTS, SOFTMAX, WIGNER
from posproof.theory.vocabulary import Check

PROOFS = [check for check in vars(proofs).values() if isinstance(check, Check)]
FLOAT32, FLOAT64, FLOAT16, BFLOAT16 = (
    FORMATS[name] for name in ("float32", "float64", "float16", "bfloat16")
)
HALF = Fraction(1, 2)


CLAIMS = [PRODUCTS, WIGNER, SOFTMAX]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


# ---------------------------------------------------------------------- proofs and measurements


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("product_bound", lambda e, p, w, n: theory.product_bound(e, p, w, n) + e),
        ("sum_bound", lambda u, n, size: (n + 1) * u * size),
        ("orthogonal_bound", lambda s, p, r, n: 2 * theory.orthogonal_bound(s, p, r, n)),
        ("wigner_bound", lambda u, e, k, mu, r, M: theory.wigner_bound(u, e, k, mu, r, M) + u),
        ("steepness_square", lambda l: l * (l + 1) * (2 * l + 1)),  # noqa: E741
        ("spread", lambda u, W: 2 * theory.spread(u, W)),
        ("half_tangent", lambda E: (E - 1) / (E + 1) + 1),
    ],
)
def test_a_weaker_bound_is_not_what_was_proved(name, change):
    """A proof reaches exactly the bound of the statement, so that no constant can slip."""
    claims = {check.clause: check for check in PROOFS}
    clause = {
        "product_bound": "rotations",
        "sum_bound": "recursive_sum",
        "orthogonal_bound": "orthogonal",
        "wigner_bound": "matrix",
        "steepness_square": "lipschitz",
        "spread": "normaliser",
        "half_tangent": "rows",
    }[name]
    check = claims[clause]
    assert decide(check, replace(check.definitions, **{name: change})).outcome != "holds"


# ---------------------------------------------------------------------- reference values
@pytest.mark.parametrize(
    ("dtype", "steps", "expected"),
    [
        ("float32", 128, "2.59e-5"),
        ("float32", 4096, "8.34e-4"),
        ("float16", 128, "2.36e-1"),
        ("bfloat16", 32, "5.17e-1"),
    ],
)
def test_products_of_rotations_have_the_printed_bounds(dtype, steps, expected):
    """To one unit of the last printed digit."""
    unit = 10.0 ** (int(expected.split("e")[1]) - 2)
    assert abs(float(bounds.rotation_product(steps, FORMATS[dtype])) - float(expected)) <= unit


@pytest.mark.parametrize(
    ("steps", "expected"), [(2, "3.24e-5"), (16, "2.6e-4"), (128, "2.1e-3"), (1024, "1.7e-2")]
)
def test_products_of_orthogonal_matrices_have_the_printed_bounds(steps, expected):
    found = float(bounds.orthogonal_product(steps, 16, FLOAT32))
    digits = len(expected.split("e")[0]) - 2
    assert f"{found:.{digits}e}" == f"{float(expected):.{digits}e}"


@pytest.mark.parametrize(
    ("dtype", "degree", "expected"),
    [
        ("float32", 1, "1.32e-5"),
        ("float32", 2, "2.44e-5"),
        ("float32", 4, "5.50e-5"),
        ("float32", 8, "1.44e-4"),
        # In float64 1 + u is 1, so a bound evaluated there would lose its sums.
        ("float64", 1, "2.11e-14"),
        ("float64", 2, "4.10e-14"),
        ("float64", 4, "9.64e-14"),
        ("float64", 8, "2.60e-13"),
    ],
)
def test_wigner_bounds_agree_with_an_independent_evaluation(dtype, degree, expected):
    assert upward(bounds.wigner_homomorphism(degree, FORMATS[dtype])) == expected
    assert float(independent_wigner(degree, FORMATS[dtype])) <= float(expected)
    assert float(independent_wigner(degree, FORMATS[dtype])) >= 0.99 * float(expected)


def independent_wigner(degree, form):
    """The bound by mpmath, the eigenvectors from its own eigenvalue routine."""
    with mpmath.workdps(40):
        n, u = 2 * degree + 1, mpmath.mpf(2) ** -form.significand
        J = mpmath.zeros(n)
        for at in range(n - 1):
            m = at - degree
            half = mpmath.sqrt(degree * (degree + 1) - m * (m + 1)) / 2
            J[at + 1, at], J[at, at + 1] = mpmath.mpc(0, -half), mpmath.mpc(0, half)
        _, V = mpmath.eighe(J)
        A = V.apply(abs)
        M = mpmath.mnorm(A * A.T, "f")
        kappa = (1 + mpmath.sqrt(2)) * u + mpmath.sqrt(2) * u**2
        eps = (
            degree * mpmath.pi * u * (1 + u)
            + mpmath.mpf(int(library_error(form) / form.unit_roundoff)) * u
        )
        mu, r = (1 + kappa) * (1 + u) ** (n - 1) - 1, mpmath.sqrt(n)
        turned = 1 + 2 * u + u**2 * r + kappa * (1 + u) * (1 + u * r)
        single = r * ((1 + eps) ** 3 * (1 + kappa) ** 2 * turned - 1)
        single += mu * (1 + u) ** 2 * (1 + eps) ** 3 * (1 + kappa) ** 3 * M
        steep = mpmath.sqrt(mpmath.mpf(degree * (degree + 1) * (2 * degree + 1)) / 3)
        angles = 3 * mpmath.pi * u * (1 + u) * steep
        return mu * (r + single) ** 2 + 3 * single + single**2 + angles


@pytest.mark.parametrize(
    ("terms", "expected"),
    [
        (2, "0.27846454276107"),
        (10, "1.10100299727698"),
        (1000, "4.4205016039429"),
        (131_072, "8.6284316803294"),
    ],
)
def test_the_largest_mean_gap_is_the_lambert_value(terms, expected):
    digits = len(expected.split(".")[1])
    found = bounds.mean_gap(terms)
    assert abs(found - Fraction(expected)) <= Fraction(1, 10**digits)
    assert float(found) < math.log(terms)


# ---------------------------------------------------------------------- both formulas
def at(term, **values):
    with precision(bounds.BITS):
        names = {str(symbol): value for symbol, value in values.items()}
        return ends(enclose(term, names, bounds.BITS))[1]


NAMES = sympy.symbols("a b c d e f")


@pytest.mark.parametrize("form", [FLOAT32, BFLOAT16, FLOAT64], ids=lambda form: form.name)
def test_the_bounds_in_use_are_those_that_were_proved(form):
    """The formulas of the statements in balls, against the ones that answer users."""
    u, a, b, c = form.unit_roundoff, *NAMES[:3]
    root = sympy.sqrt(2)
    kappa = (1 + root) * a + root * a**2
    below = 2 * root * (1 + a) * b
    product = theory.product_bound(c, kappa, below, 5)
    entry = bounds.rounded_entry(form)
    half = form.smallest_subnormal / 2
    pairs = [(at(product.doit(), a=u, b=half, c=entry), bounds.rotation_product(6, form))]
    gamma = 16 * u / (1 - 16 * u)
    matrices = theory.orthogonal_bound(a * 4, b, sympy.Integer(4), 7)
    stored = Fraction(101, 100) * u
    pairs.append((at(matrices, a=stored, b=gamma), bounds.orthogonal_product(7, 16, form)))
    l = 3  # noqa: E741
    phase = l * sympy.pi * (1 + a) * a + b
    mu = (1 + kappa) * (1 + a) ** (2 * l) - 1
    M = bounds.moduli_product(l)
    single = theory.wigner_bound(a, phase, kappa, mu, sympy.sqrt(7), c)
    values = {"a": u, "b": library_error(form), "c": M}
    pairs.append((at(single, **values), bounds.wigner_matrix(l, form)))
    steep = sympy.sqrt(theory.steepness_square(sympy.Integer(l)))
    whole = theory.homomorphism_bound(mu, sympy.sqrt(7), single, sympy.pi * (1 + a) * a, steep)
    pairs.append((at(whole, **values), bounds.wigner_homomorphism(l, form)))
    W = bounds.mean_gap(9)
    entry_error = theory.own_gap(a, b) + theory.spread(a, c) - sympy.log(theory.kept(a, a, 8))
    values = {"a": u, "b": Fraction(5), "c": W}
    pairs.append((at(entry_error, **values), bounds.softmax_log(9, Fraction(5), form)))
    before = theory.spread(a, c) - sympy.log(theory.additions(a, 8) * (1 - a))
    logarithm = before + a * (2 + before)
    total = theory.log_sum_bound(a, logarithm, b)
    found = bounds.log_sum_exp(9, Fraction(5), Fraction(2), form)
    pairs.append((at(total, **values), found))
    tangent = theory.half_tangent(sympy.exp(a))
    pairs.append((at(tangent, a=u), bounds.total_variation(u)))
    for left, right in pairs:
        assert abs(left - right) <= right / 10**30


def test_the_norm_bound_of_the_entry_is_below_the_one_with_the_logarithm():
    """What is often quoted has ln n in place of W."""
    for n in (2, 8, 512):
        u = float(BFLOAT16.unit_roundoff)
        quoted = 5 * u + u / (1 - u) * math.log(n) - n * math.log1p(-u) - 2 * math.log1p(-u)
        assert float(bounds.softmax_log(n, Fraction(5), BFLOAT16)) < quoted


def test_logsumexp_agrees_with_its_first_order():
    n, value, log_sum = 64, 5.0, 2.0
    for form in (FLOAT32, FLOAT16, BFLOAT16):
        u = float(form.unit_roundoff)
        W = float(bounds.mean_gap(n))
        first = u * (W / (1 - u) + (n - 1) + 1 + value + log_sum)
        found = float(bounds.log_sum_exp(n, Fraction(value), Fraction(log_sum), form))
        assert first <= found <= first * (1 + 20 * n * u)


def test_a_pairwise_sum_of_128_has_eight_roundings_a_term():
    assert bounds.additions(128, pairwise=True) + 1 == 8
    assert bounds.additions(129, pairwise=True) == 8
    assert bounds.softmax_log(128, Fraction(1), BFLOAT16, pairwise=True) < bounds.softmax_log(
        128, Fraction(1), BFLOAT16
    )


def test_relative_errors_are_the_exponentials_of_logarithmic_ones():
    log = float(bounds.softmax_log(8, Fraction(5), BFLOAT16))
    assert float(bounds.softmax_relative(8, Fraction(5), BFLOAT16)) == pytest.approx(
        math.expm1(log)
    )


def test_attention_scales_scores_by_the_root_of_the_dimension():
    found = bounds.attention(Fraction(1, 100), Fraction(128), 64)
    assert float(found) == pytest.approx(math.tanh(1.28 / 16))
    assert found == bounds.total_variation(Fraction(16, 100))


@pytest.mark.parametrize("call", [(16, FORMATS["float8_e5m2"]), (256, BFLOAT16)])
def test_too_many_roundings_of_a_narrow_format_have_no_bound(call):
    with pytest.raises(ValueError, match="no bound"):
        bounds.inner_product_error(*call)


def test_an_exponential_that_may_be_off_by_all_of_itself_has_no_bound():
    with pytest.raises(ValueError, match="no bound"):
        bounds.softmax_log(8, Fraction(1), FORMATS["float8_e5m2"], ulps=Fraction(4))


def test_one_rotation_is_as_good_as_its_entry():
    entry = bounds.rounded_entry(FLOAT16)
    assert abs(bounds.rotation_product(1, FLOAT16) - entry) <= entry / 10**40


# ---------------------------------------------------------------------- products
@pytest.mark.parametrize(
    ("dtype", "steps"),
    [("bfloat16", 256), ("float16", 2048), ("float8_e4m3fn", 16), ("float8_e5m2", 8)],
)
def test_equal_steps_freeze_after_two_to_the_p(dtype, steps):
    form = FORMATS[dtype]
    assert bounds.frozen_after(form) == steps
    total, first_wrong = 0.0, None
    for n in range(1, steps + steps // 2):
        total = float(round_array(np.array([total + 0.125]), form)[0])
        if total != n * 0.125 and first_wrong is None:
            first_wrong = n
    assert first_wrong == steps + 1
    assert total == steps * 0.125


def test_three_tenths_are_first_inexact_at_five_steps():
    a = round_exact(Fraction(3, 10), BFLOAT16)
    assert a == Fraction("0.30078125")
    total = Fraction(0)
    for n in range(1, 5):
        total = round_exact(total + a, BFLOAT16)
        assert total == n * a
    assert round_exact(total + a, BFLOAT16) == Fraction("1.5") != 5 * a == Fraction("1.50390625")


@pytest.mark.parametrize(
    ("dtype", "steps", "random", "equal"),
    [
        ("float32", 128, 1.1e-6, 5.0e-6),
        ("float16", 128, 9.4e-3, 4.3e-2),
        ("bfloat16", 32, 3.6e-2, 0.107),
    ],
)
def test_equal_rotations_are_the_bad_case(dtype, steps, random, equal):
    """Within a factor of 2 of what another run with other angles found."""
    form, source = FORMATS[dtype], np.random.default_rng(0)
    many = source.integers(0, measured.TURN, (steps, 400)).astype(float)
    same = np.repeat(many[:1], steps, axis=0)
    for angles, expected in ((many, random), (same, equal)):
        worst = measured.rotation_errors(angles, form, form).max()
        assert expected / 2 <= worst <= 2 * expected


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(-(2**10), 2**10), min_size=2, max_size=20))
def test_no_recursive_sum_is_off_by_more_than_its_bound(numbers):
    terms = [round_exact(Fraction(x, 2**6), BFLOAT16) for x in numbers]
    total = terms[0]
    for a in terms[1:]:
        total = round_exact(total + a, BFLOAT16)
    size = sum(map(abs, terms))
    assert abs(total - sum(terms)) <= bounds.shear_product(len(terms), BFLOAT16) * size


# ---------------------------------------------------------------------- Wigner matrices
@pytest.mark.parametrize("degree", [1, 2, 3])
def test_quarter_turns_are_those_of_sympy_the_other_way_round(degree):
    """There D turns the axes and here the vectors: d_mk of the opposite angle."""
    from sympy.physics.wigner import wigner_d_small

    theirs = wigner_d_small(degree, -sympy.pi / 2)  # rows and columns from l down to -l
    orders = range(-degree, degree + 1)
    for m in orders:
        for k in orders:
            ours = theory.quarter_turn(degree, m, k)
            assert float(ours) == pytest.approx(float(theirs[degree - m, degree - k]), abs=2**-40)
            square = bounds.eigenvector_squares(degree)[m + degree][k + degree]
            assert sympy.Rational(square.numerator, square.denominator) == ours * abs(ours)


def test_both_matrices_of_a_degree_have_the_trace_of_the_rotation():
    """The character of degree l is sin((2 l + 1) t / 2) / sin(t / 2), t the angle of rotation."""
    angles = tuple(arb(x) for x in (0.7, 1.1, -0.4))
    with precision(128):
        R = measured._rotation(angles)
        turn = ((R[0][0] + R[1][1] + R[2][2] - 1) / 2).acos()
        for degree in (1, 2, 5):
            D = measured.wigner_ball(bounds.eigenvector_squares(degree), angles)
            trace = sum((D[i, i] for i in range(2 * degree + 1)), 0)
            character = ((2 * degree + 1) * turn / 2).sin() / (turn / 2).sin()
            assert abs(trace - character) < 1e-20


def test_the_moduli_of_the_eigenvectors_are_those_of_a_numerical_routine():
    degree = 4
    with mpmath.workdps(40):
        n, J = 2 * degree + 1, mpmath.zeros(2 * degree + 1)
        for at_ in range(n - 1):
            m = at_ - degree
            half = mpmath.sqrt(degree * (degree + 1) - m * (m + 1)) / 2
            J[at_ + 1, at_], J[at_, at_ + 1] = mpmath.mpc(0, -half), mpmath.mpc(0, half)
        values, V = mpmath.eighe(J)
        squares = bounds.eigenvector_squares(degree)
        for k in range(n):
            assert abs(values[k] - (k - degree)) < mpmath.mpf(10) ** -35
            for m in range(n):
                square = abs(squares[m][k])
                exact_value = mpmath.mpf(square.numerator) / square.denominator
                assert abs(abs(V[m, k]) ** 2 - exact_value) < mpmath.mpf(10) ** -35


def test_euler_angles_of_a_product_give_the_product():
    first, second = ((0.3, 1.0, -2.0), (2.5, 0.4, 1.5))
    with precision(128):
        angles = measured.euler_product(*(tuple(map(arb, x)) for x in (first, second)))
        left, right, both = (
            np.array([[float(x.mid()) for x in row] for row in measured._rotation(a)])
            for a in (tuple(map(arb, first)), tuple(map(arb, second)), angles)
        )
    assert np.abs(left @ right - both).max() < 8 * 2.0**-53


# ---------------------------------------------------------------------- softmax
@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(-40, 40), min_size=2, max_size=8))
def test_no_bfloat16_row_is_off_by_more_than_its_bound(numbers):
    x = round_array(np.array([numbers], dtype=float) / 4, BFLOAT16)
    found = measured.softmax_rows(x, BFLOAT16, measured.KERNELS)[0]
    with precision(128):
        gaps = [Fraction(float(x.max() - value)) for value in x[0]]
        weights = [(-arb(exact(gap))).exp() for gap in gaps]
        total = sum(weights, arb(0))
        for gap, weight, value in zip(gaps, weights, found, strict=True):
            error = abs((arb(float(value)) * total / weight).log())
            bound = bounds.softmax_log(len(numbers), gap, BFLOAT16, ulps=measured.ULPS)
            assert ends(error)[0] <= bound


@settings(max_examples=100, deadline=None)
@given(st.lists(st.floats(-8, 8), min_size=1, max_size=6))
def test_no_mean_gap_exceeds_the_lambert_value(gaps):
    rows = [0.0, *map(abs, gaps)]
    weights = [math.exp(-w) for w in rows]
    mean = sum(w * g for w, g in zip(rows, weights, strict=True)) / sum(weights)
    assert mean <= float(bounds.mean_gap(len(rows))) * (1 + 2.0**-45)


def test_an_unshifted_row_of_large_logits_is_lost():
    x = np.array([[100.0, 99.0]])
    kernels = replace(measured.KERNELS, shift=measured._unshifted)
    assert np.isnan(measured.softmax_rows(x, FLOAT32, kernels)).all()
    assert not np.isnan(measured.softmax_rows(x, FLOAT32, measured.KERNELS)).any()


# ---------------------------------------------------------------------- the layer
def test_discs_of_sums_and_products_say_what_they_should():
    x, y, A, v, w, B = variables("x y A v w B", Real)
    first = plane.Disc(x, y, A, assume(Le(plane.square(x, y), A**2)), assume(Le(num(0), A)))
    second = plane.Disc(v, w, B, assume(Le(plane.square(v, w), B**2)), assume(Le(num(0), B)))
    for disc, bound in (
        (plane.added(first, second), A + B),
        (plane.multiplied(first, second), A * B),
    ):
        assert disc.bound == bound
        assert disc.inside.conclusion == Le(plane.square(disc.x, disc.y), bound**2)
        assert disc.sign.conclusion == Le(num(0), bound)
        premises = {*first.inside.hypotheses, *first.sign.hypotheses}
        premises |= {*second.inside.hypotheses, *second.sign.hypotheses}
        assert set(disc.inside.hypotheses) <= premises


def test_a_listed_sequence_says_nothing_beyond_its_list():
    term = sequence("s", num(2))
    with at_precision():
        assert falsifies(Le(term, num(4)), {"s": (0, 1, 5)})
        assert not falsifies(Le(term, num(4)), {"s": (0, 5)})
        assert not falsifies(Le(sequence("s", num(-1)), num(4)), {"s": (0, 5)})
