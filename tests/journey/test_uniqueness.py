"""The axioms, the families that drop one, and the certifier against the printed table."""

import math
import random
from decimal import Decimal
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

import posproof
from posproof.numerics.balls import enclose, ends
from posproof.numerics.formats import FORMATS, round_array
from posproof.numerics.journey import uniqueness as tool
from posproof.theory.journey import CERTIFIER, SPECIAL_CASES, UNIQUENESS
from posproof.theory.journey import uniqueness as theory

CLAIMS = [UNIQUENESS, CERTIFIER, SPECIAL_CASES]
COLUMNS = ("bilinear", "norm", "cocycle", "translation", "interleaved", "half")
FRAMES = {name: make(8) for name, make in tool.FRAMES.items()}
MODEL = tool.Model(8, tool.V, Fraction(6))


def agrees(value: Fraction, printed: str) -> bool:
    """Equal to the last printed digit, one unit up or down."""
    number = Decimal(printed)
    return abs(value - Fraction(number)) <= Fraction(10) ** int(number.as_tuple().exponent)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


# ---------------------------------------------------------------------- journey.uniqueness
@pytest.mark.parametrize("m", [1, 2, 3, 4])
def test_the_commutant_of_the_frame_has_two_dimensions_a_plane(m):
    d = 2 * m
    rows = []
    for c in range(m):
        J = sympy.Matrix(theory.generator(c, m))
        rows.append(
            sympy.kronecker_product(J.T, sympy.eye(d)) - sympy.kronecker_product(sympy.eye(d), J)
        )
    system = np.array(sympy.Matrix.vstack(*rows).tolist(), dtype=float)
    assert d * d - np.linalg.matrix_rank(system) == 2 * m


def test_the_damped_step_shrinks_by_81_hundredths():
    step = theory.damped(0, 1)
    assert step.T * step == sympy.Rational(81, 100) * sympy.eye(2)


def test_the_tilted_frame_is_orthonormal_and_its_turn_no_block_rotation():
    assert sympy.eye(4) == theory.TILT * theory.TILT.T
    step = theory.tilted(0, 1)
    assert step.T * step == sympy.eye(4)
    assert theory.plane_form(step) != step


def test_each_family_fails_the_axiom_it_drops_and_no_other():
    failed = {
        name: [finding.axiom for finding in findings if not finding.holds]
        for name, findings in tool.dropped_axioms().items()
    }
    assert failed == {
        "RoPE": [],
        "loaded": ["bilinear"],
        "damped": ["norm"],
        "parity": ["toral"],
        "tilted": ["toral"],
        "quadratic": ["cocycle"],
        "absolute": ["translation"],
    }


@given(st.floats(-5, 5), st.integers(-30, 30), st.integers(-30, 30))
def test_a_jordan_block_scores_a_linear_bias(slope, i, j):
    G = np.array(theory.shear(j - i).tolist(), dtype=float)
    q, k = np.array([2.0, 1, 0]), np.array([3.0, 0, slope])
    assert q @ G @ k == pytest.approx(6 + slope * (j - i), rel=2**-50)


# ---------------------------------------------------------------------- journey.axiom_certifier
#: Printed residuals; None where the table says that the axiom holds.
PRINTED = {
    "interleaved": (None, None, None, None, None, "1.99"),
    "half": (None, None, None, None, "1.95", None),
    "opposite sign": (None, None, "1.92", "1.84", None, "1.99"),
    "mixed layouts": (None, None, "1.99", "1.99", "1.95", "1.99"),
    "off by one": (None, None, "0.956", None, None, "1.99"),
    "clipped": (None, None, None, "1.53", None, "1.99"),
    "scaled": (None, "0.21", "0.11", None, None, "2.19"),
    "linear bias": ("", "1.0", "1.0", None, "1.0", "1.0"),
    "normalised": ("", None, None, None, None, "1.99"),
    "damped": (None, "1.87", None, None, None, "2.73"),
}


@pytest.mark.parametrize("name", PRINTED)
def test_the_table_of_signatures(name):
    score = tool.implementations(tool.ladder(4))[name]
    failed, found = tool.failures(score, MODEL, range(6), FRAMES)
    for column, printed in zip(COLUMNS, PRINTED[name], strict=True):
        assert (column in failed) == (printed is not None), column
        if printed:  # the residual of bilinearity depends on the vectors tried
            assert agrees(Fraction(found[column].residual), printed)
        if printed is None:
            assert found[column].residual <= 1.1e-14


def test_a_query_off_by_one_misses_the_identity_by_a_chord():
    theta = tool.ladder(4)
    B = tool.probe(tool.implementations(theta)["off by one"], 8, (0, 1))
    gap = np.linalg.norm(B[0, 0] - np.eye(8), 2)
    assert gap == pytest.approx(2 * math.sin(0.5), rel=2**-48)
    assert agrees(Fraction(2 * math.sin(0.5)), "0.958851077208406")


@given(st.sampled_from((2, 4, 8, 64, 128, 256)), st.integers(0, 4000), st.sampled_from((24, 53)))
def test_derived_tolerances_stay_below_the_simple_formula(d, angle, bits):
    u = Fraction(1, 2**bits)
    found = tool.bounds(tool.Model(d, u, Fraction(angle)))
    simple = 64 * u * d * (1 + angle)
    assert all(bound.value <= simple for bound in found.values())


def test_probing_at_once_gives_the_same_matrices():
    for score in tool.implementations(tool.ladder(2)).values():
        one = tool.probe(score, 4, (0, 2, 3))
        assert np.abs(one - tool.probe_at_once(score, 4, (0, 2, 3))).max() <= 4 * 2.0**-53


# ---------------------------------------------------------------------- journey.special_cases
def test_the_smallest_column_margin_is_at_one():
    margins = [
        enclose(SPECIAL_CASES.definitions.column_margin(D), {}, 160)
        for D in range(1, theory.COLUMNS)
    ]
    assert all(margins[0] < margin for margin in margins[1:])
    low, high = ends(margins[0])
    assert agrees(low, "0.514833756512499824991221515305")
    assert agrees(high, "0.514833756512499824991221515305")


def test_the_column_kernel_is_the_margin_turned_over():
    kernel = tool.layout_kernel(tool.ladder(8)[:, None], np.arange(64.0)[:, None])
    assert int(kernel[1:].argmax()) + 1 == 1
    assert agrees(Fraction(float(8 - kernel[1])), "0.5148337565125")


def test_units_of_seven_keep_a_score_within_them_alone():
    score = SPECIAL_CASES.definitions.exact_score
    assert score(1, 4) == score(8, 11)
    assert score(1, 4) != score(5, 8)
    assert [theory.hierarchical(p) for p in (1, 4, 5, 8, 11)] == [
        tool.hierarchical(p, 7) for p in (1, 4, 5, 8, 11)
    ]


def test_three_levels_of_eight_have_512_addresses():
    addresses = {theory.digits(8, *d) for d in product(range(8), repeat=3)}
    assert addresses == set(range(512))


def test_flattening_is_a_mixed_axis_layout_for_81_quadruples():
    z = tool.rational_point(Fraction(2, 5))
    down, right = tool.LAYOUTS.flat_frequencies(z, 7)
    for r1, c1, r2, c2 in product(range(3), repeat=4):
        flat = tool.raised(z, 7 * (r2 - r1) + c2 - c1)
        assert flat == tool.times(tool.raised(down, r2 - r1), tool.raised(right, c2 - c1))


def test_mixed_axes_agree_exactly_for_100_pairs_of_three_axes():
    source = random.Random(0)
    points = [
        tool.rational_point(Fraction(source.randint(1, 9), source.randint(1, 9))) for _ in "xyz"
    ]

    def address(x):
        turn = (Fraction(1), Fraction(0))
        for z, step in zip(points, x, strict=True):
            turn = tool.times(turn, tool.raised(z, step))
        return turn

    one = (Fraction(1), Fraction(0))
    for _ in range(100):
        x, y = ([source.randint(-5, 5) for _ in "xyz"] for _ in "xy")
        q, k = ((Fraction(source.randint(-9, 9)), Fraction(source.randint(-9, 9))) for _ in "qk")
        apart = [b - a for a, b in zip(x, y, strict=True)]
        by_address = tool.exact_score(q, k, address(x), address(y))
        assert by_address == tool.exact_score(q, k, one, address(apart))


@pytest.mark.parametrize(
    ("lengths", "possible"),
    [((4,), True), ((4, 5), False), ((4, 7), False), ((4, 8), True)],
)
def test_one_kernel_copies_at_the_printed_lengths(lengths, possible):
    assert tool.one_kernel_copies(lengths) == possible


@given(st.integers(1, 6), st.integers(0, 8))
def test_the_kernel_of_the_threshold_copies_at_both_lengths(L, more):
    M = 2 * L + more
    value = {D: theory.copy_kernel(L, M, sympy.Integer(D)) for D in range(2 * M)}
    for length in (L, M):
        assert all(value[D] < value[length] for D in range(2 * length) if length != D)


# ---------------------------------------------------------------------- posproof.certify_axioms
def rope(form, theta, layout="half"):
    """A score computed in a format, as a user would write it."""
    planes = tool.FRAMES[layout](2 * len(theta))

    def rounded(x):
        return round_array(np.asarray(x, dtype=np.float64), form)

    def turn(x, position):
        angles = rounded(rounded(theta) * position)
        c, s = rounded(np.cos(angles)), rounded(np.sin(angles))
        a, b = x[planes[:, 0]], x[planes[:, 1]]
        y = np.empty_like(x)
        y[planes[:, 0]] = rounded(rounded(c * a) - rounded(s * b))
        y[planes[:, 1]] = rounded(rounded(s * a) + rounded(c * b))
        return y

    def score(q, k, i, j):
        total = 0.0
        for term in rounded(turn(q, i) * turn(k, j)):
            total = float(rounded(total + term))
        return total

    return score


@pytest.mark.parametrize("name", ["float64", "float32", "bfloat16"])
def test_a_correct_score_passes_in_its_own_format(name):
    score = rope(FORMATS[name], tool.ladder(4))
    report = posproof.certify_axioms(score, 8, positions=(0, 1, 2, 3), frame="half", dtype=name)
    assert report.rotary
    assert report.failed == ()
    assert all(verdict.residual <= verdict.tolerance for verdict in report.verdicts)
    assert "proportional to j - i" in str(report)


def test_a_narrow_score_fails_the_tolerance_of_a_wide_one():
    score = rope(FORMATS["float32"], tool.ladder(2))
    assert not posproof.certify_axioms(score, 4, frame="half").rotary


@pytest.mark.parametrize("name", [n for n in tool.SIGNATURES if n != "half"])
def test_the_report_names_the_usual_cause(name):
    score = tool.implementations(tool.ladder(4))[name]
    report = posproof.certify_axioms(score, 8)
    columns = {"toral" if c == "interleaved" else c for c in tool.SIGNATURES[name] - {"half"}}
    assert set(report.failed) == columns
    assert report.likely in str(report)
    assert "no single usual cause" not in report.likely
    for verdict in report.verdicts:
        assert report[verdict.axiom] == verdict
        assert verdict.holds == (verdict.axiom not in columns)


def test_a_frame_of_ones_own():
    order = np.array([3, 0, 2, 1])
    plain = tool.implementations(tool.ladder(2))["interleaved"]

    def score(q, k, i, j):
        return plain(q[order], k[order], i, j)

    assert posproof.certify_axioms(score, 4).failed == ("toral",)
    assert posproof.certify_axioms(score, 4, frame=order.reshape(2, 2)).rotary


def test_a_score_of_nan_fails_everything_it_touches():
    report = posproof.certify_axioms(lambda q, k, i, j: math.nan, 2)
    assert len(report.failed) == 5
    assert math.isnan(report["norm"].residual)


@given(st.integers(0, 2**32 - 1), st.integers(1, 3), st.floats(0.01, 3))
def test_any_ladder_is_rotary_and_a_shifted_query_is_not(seed, planes, shift):
    theta = np.random.default_rng(seed).uniform(0.1, 1, planes)
    plain = tool.implementations(theta)["interleaved"]
    places = (0, 1, 2, 4)
    assert posproof.certify_axioms(plain, 2 * planes, positions=places).rotary

    def shifted(q, k, i, j):
        return plain(tool.rotated(q, theta * shift, tool.interleaved_frame(2 * planes)), k, i, j)

    report = posproof.certify_axioms(shifted, 2 * planes, positions=places, largest_angle=10)
    assert report.failed == ("cocycle",)


SCORE = tool.implementations(tool.ladder(2))["interleaved"]


@pytest.mark.parametrize(
    ("argument", "changes"),
    [
        ("score", {"score": 3}),
        ("score", {"score": lambda q, k: 0.0}),
        ("score", {"score": lambda q, k, i, j: q}),
        ("score", {"score": lambda q, k, i, j: "high"}),
        ("score", {"score": lambda q, k, i, j: 1 / 0}),
        ("head_dim", {"head_dim": 3}),
        ("head_dim", {"head_dim": 0}),
        ("head_dim", {"head_dim": 4.0}),
        ("head_dim", {"head_dim": 1024}),
        ("positions", {"positions": ()}),
        ("positions", {"positions": (0, 1, 3)}),
        ("positions", {"positions": (0.5, 1, 2)}),
        ("frame", {"frame": "interleave"}),
        ("frame", {"frame": [[0, 1], [1, 2]]}),
        ("frame", {"frame": [[0.0, 1.0], [2.0, 3.0]]}),
        ("dtype", {"dtype": "float128"}),
        ("dtype", {"dtype": "float8_e4m3fn"}),
        ("largest_angle", {"largest_angle": -1}),
        ("largest_angle", {"largest_angle": "far"}),
        ("largest_angle", {"largest_angle": math.inf}),
        ("largest_angle", {"dtype": "bfloat16", "largest_angle": 1000}),
    ],
)
def test_wrong_arguments_are_named(argument, changes):
    arguments = {"score": SCORE, "head_dim": 4} | changes
    with pytest.raises(posproof.BadInput) as caught:
        posproof.certify_axioms(arguments.pop("score"), arguments.pop("head_dim"), **arguments)
    assert caught.value.argument == argument


def test_an_unknown_axiom_is_a_key_error():
    with pytest.raises(KeyError, match="known: bilinear, norm"):
        posproof.certify_axioms(SCORE, 4)["parity"]
