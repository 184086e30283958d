"""The certifier against the printed table, and as the tool that judges a user's score."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import posproof
from posproof.numerics import axioms
from posproof.numerics.formats import FORMATS, round_array
from posproof.numerics.journey import certifier
from posproof.theory.journey import CERTIFIER

CLAIMS = [CERTIFIER]
COLUMNS = ("bilinear", "norm", "cocycle", "translation", "interleaved", "half")
FRAMES = {name: make(8) for name, make in axioms.FRAMES.items()}
MODEL = axioms.Model(8, axioms.V, Fraction(6))


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


# ---------------------------------------------------------------------- the table
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
def test_the_table_of_signatures(agrees, name):
    score = certifier.implementations(axioms.ladder(4))[name]
    failed, found = certifier.failures(score, MODEL, range(6), FRAMES)
    for column, printed in zip(COLUMNS, PRINTED[name], strict=True):
        assert (column in failed) == (printed is not None), column
        if printed:  # the residual of bilinearity depends on the vectors tried
            assert agrees(Fraction(found[column].residual), printed)
        if printed is None:
            assert found[column].residual <= 1.1e-14


def test_a_query_off_by_one_misses_the_identity_by_a_chord(agrees):
    theta = axioms.ladder(4)
    B = axioms.probe(certifier.implementations(theta)["off by one"], 8, (0, 1))
    gap = np.linalg.norm(B[0, 0] - np.eye(8), 2)
    assert gap == pytest.approx(2 * math.sin(0.5), rel=2**-48)
    assert agrees(Fraction(2 * math.sin(0.5)), "0.958851077208406")


@given(st.sampled_from((2, 4, 8, 64, 128, 256)), st.integers(0, 4000), st.sampled_from((24, 53)))
def test_derived_tolerances_stay_below_the_simple_formula(d, angle, bits):
    u = Fraction(1, 2**bits)
    found = axioms.bounds(axioms.Model(d, u, Fraction(angle)))
    simple = 64 * u * d * (1 + angle)
    assert all(bound.value <= simple for bound in found.values())


def test_probing_at_once_gives_the_same_matrices():
    for score in certifier.implementations(axioms.ladder(2)).values():
        one = axioms.probe(score, 4, (0, 2, 3))
        assert np.abs(one - axioms.probe_at_once(score, 4, (0, 2, 3))).max() <= 4 * 2.0**-53


# ---------------------------------------------------------------------- posproof.certify_axioms
def rope(form, theta, layout="half"):
    """A score computed in a format, as a user would write it."""
    planes = axioms.FRAMES[layout](2 * len(theta))

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
    score = rope(FORMATS[name], axioms.ladder(4))
    report = posproof.certify_axioms(score, 8, positions=(0, 1, 2, 3), frame="half", dtype=name)
    assert report.rotary
    assert report.failed == ()
    assert all(verdict.residual <= verdict.tolerance for verdict in report.verdicts)
    assert "proportional to j - i" in str(report)


def test_a_narrow_score_fails_the_tolerance_of_a_wide_one():
    score = rope(FORMATS["float32"], axioms.ladder(2))
    assert not posproof.certify_axioms(score, 4, frame="half").rotary


@pytest.mark.parametrize("name", [n for n in certifier.SIGNATURES if n != "half"])
def test_the_report_names_the_usual_cause(name):
    score = certifier.implementations(axioms.ladder(4))[name]
    report = posproof.certify_axioms(score, 8)
    columns = {"toral" if c == "interleaved" else c for c in certifier.SIGNATURES[name] - {"half"}}
    assert set(report.failed) == columns
    assert report.likely in str(report)
    assert "no single usual cause" not in report.likely
    for verdict in report.verdicts:
        assert report[verdict.axiom] == verdict
        assert verdict.holds == (verdict.axiom not in columns)


def test_a_frame_of_ones_own():
    order = np.array([3, 0, 2, 1])
    plain = certifier.implementations(axioms.ladder(2))["interleaved"]

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
    plain = certifier.implementations(theta)["interleaved"]
    places, frame = (0, 1, 2, 4), axioms.interleaved_frame(2 * planes)
    assert posproof.certify_axioms(plain, 2 * planes, positions=places).rotary

    def shifted(q, k, i, j):
        return plain(axioms.rotated(q, theta * shift, frame), k, i, j)

    report = posproof.certify_axioms(shifted, 2 * planes, positions=places, largest_angle=10)
    assert report.failed == ("cocycle",)


SCORE = certifier.implementations(axioms.ladder(2))["interleaved"]


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
