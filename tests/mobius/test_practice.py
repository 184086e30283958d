"""Hybrid heads and the floating-point floor against the printed tables."""

import math
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics.balls import enclose, precision
from posproof.numerics.formats import round_array, round_exact
from posproof.numerics.mobius import alternatives, practice
from posproof.numerics.mobius.kernel import kernel
from posproof.numerics.mobius.ladder import fold_phase
from posproof.numerics.mobius.practice import FORMATS
from posproof.theory.mobius import FLOAT_FLOOR, HYBRID_HEADS
from posproof.theory.mobius import practice as theory

CLAIMS = [HYBRID_HEADS, FLOAT_FLOOR]
OF = HYBRID_HEADS.definitions
FORMAT_NAMES = tuple(FORMATS)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


# ---------------------------------------------------------------------- mobius.hybrid_heads
def mobius_kernel(D):
    with precision(160):
        return sum((arb(fmpq((2 * i + 1) * D, 512)).cos_pi() for i in range(32)), arb(0))


def standard_kernel(D):
    with precision(160):
        return sum(
            (arb(enclose(OF.other_frequency(q), {}, 160) * D).cos() for q in range(32)), arb(0)
        )


def quarter(D):
    with precision(160):
        return (mobius_kernel(D) + 3 * standard_kernel(D)) / 4 / 32


def test_quarter_hybrid_at_the_window(agrees):
    assert agrees(quarter(512), "-0.1109734093063838406557055")


def test_what_is_left_of_the_anti_period_is_the_other_heads_share(agrees):
    printed = "0.8638398563568341583877114"
    with precision(160):
        assert agrees(quarter(513) + quarter(1), printed)
        assert agrees(3 * (standard_kernel(513) + standard_kernel(1)) / 4 / 32, printed)


def test_layer_keeps_the_distance_of_its_other_heads(agrees):
    with precision(160):
        chords = [
            2 * abs((enclose(OF.other_frequency(q), {}, 160) * arb(256)).cos()) for q in range(32)
        ]
        assert agrees(max(chords, key=float), "1.998834699983766271302564")


def test_swapping_the_frequency_tables_shows(agrees):
    D = np.arange(512)
    standard = np.cos(np.outer(D, alternatives.standard_ladder())).sum(axis=1)
    gap = np.abs(kernel(32, 512, D) - standard) / 32
    # angles below 512 carry four roundings, so 15 of the 16 printed decimals are out of reach
    assert abs(gap.max() - 1.1752548487553072) < 512 * 4 * 2.0**-53
    at = int(gap.argmax())
    with precision(160):
        assert agrees(abs(mobius_kernel(at) - standard_kernel(at)) / 32, "1.1752548487553072")


def test_average_of_symbols_is_the_weighted_mean():
    mean = OF.head_average(theory.D, theory.phi, 1, 3)
    assert mean == (theory.D + 3 * theory.phi) / 4


# ---------------------------------------------------------------------- mobius.float_floor
# window, planes, route, format: cosine, kernel, its rms, |cos + 1| and |sin| at D = N
PRINTED = {
    (512, "table", "float64"): ("2.8e-14", "3.6e-15", "6.5e-16", "0", "1.8e-14"),
    (512, "table", "float32"): ("1.3e-5", "1.3e-6", "3.1e-7", "0", "6.8e-6"),
    (512, "native", "float32"): ("1.8e-5", "3.4e-6", "4.6e-7", "0", "1.2e-5"),
    (512, "cast table", "bfloat16"): ("2.0e-3", "5.1e-4", "1.6e-4", "0", "1.2e-5"),
    (512, "table", "float16"): ("0.12", "8.7e-3", "2.3e-3", "2.0e-3", "6.2e-2"),
    (512, "table", "bfloat16"): ("1.07", "0.20", "2.3e-2", "0.12", "0.48"),
    (2048, "table", "float64"): ("3.0e-14", "5.2e-15", "6.6e-16", "0", "1.8e-14"),
    (2048, "table", "float32"): ("1.4e-5", "1.6e-6", "3.0e-7", "0", "6.8e-6"),
    (2048, "native", "float32"): ("1.8e-5", "3.4e-6", "4.5e-7", "0", "1.2e-5"),
    (2048, "table", "float16"): ("0.12", "1.0e-2", "2.4e-3", "2.0e-3", "6.2e-2"),
    (2048, "table", "bfloat16"): ("1.09", "0.20", "2.2e-2", "0.12", "0.48"),
    (131072, "table", "float64"): ("6.6e-14", "1.5e-14", "9.5e-16", "0", "4.0e-14"),
    (131072, "table", "float32"): ("3.0e-5", "2.0e-6", "3.9e-7", "0", "1.5e-5"),
    (131072, "native", "float32"): ("3.7e-5", "5.1e-6", "5.3e-7", "0", "2.3e-5"),
    (131072, "table", "bfloat16"): ("1.9", "0.56", "3.5e-2", "0.46", "0.84"),
}
ANGLES = {
    (512, "float64"): "6.6e-14",
    (512, "float32"): "3.5e-5",
    (512, "float16"): "0.29",
    (512, "bfloat16"): "2.3",
    (131072, "float64"): "1.3e-13",
    (131072, "float32"): "7.1e-5",
    (131072, "bfloat16"): "4.7",
}


@pytest.fixture(scope="module")
def rows():
    return {(row.window, row.route, row.form): row for row in practice.floor_table()}


@pytest.mark.parametrize("key", PRINTED, ids=lambda key: "-".join(map(str, key)))
def test_measured_errors_are_the_printed_ones(rows, key, agrees):
    row = rows[key]
    measured = (
        row.max_cosine,
        row.max_kernel,
        row.rms_kernel,
        row.holonomy_cosine,
        row.holonomy_sine,
    )
    for found, printed in zip(measured, PRINTED[key], strict=True):
        assert agrees(Fraction(found), printed), (found, printed)


@pytest.mark.parametrize("key", ANGLES, ids=lambda key: "-".join(map(str, key)))
def test_derived_angle_bounds_are_the_printed_ones(rows, key, agrees):
    N, form = key
    assert agrees(rows[N, "table", form].angle_bound, ANGLES[key])


def test_every_row_whose_hypotheses_hold_is_within_its_bounds(rows):
    covered = [row for row in rows.values() if row.unrepresentable is None]
    assert len(covered) == 26
    for row in covered:
        assert Fraction(row.max_cosine) <= row.cosine_bound
        assert Fraction(row.max_kernel) <= row.kernel_bound
        # the library's sine of an angle that is off by at most the bound
        assert Fraction(row.holonomy_sine) <= row.cosine_bound


def test_rows_say_which_hypothesis_fails(rows):
    bad = {key: row.unrepresentable for key, row in rows.items() if row.unrepresentable}
    assert bad == {
        (512, "table", "bfloat16"): 257,
        (2048, "table", "bfloat16"): 257,
        (131072, "table", "bfloat16"): 257,
        (131072, "table", "float16"): 65536,
    }
    assert [key for key, row in rows.items() if row.overflows] == [(131072, "table", "float16")]


def test_an_integer_phase_removes_the_floor(rows):
    for (_, route, name), row in rows.items():
        if route == "integer phase":
            assert Fraction(row.max_cosine) <= 4 * FORMATS[name].unit_roundoff
            assert row.holonomy_sine == row.holonomy_cosine == 0
    # in float32 the kernel gains two orders of magnitude
    assert rows[512, "integer phase", "float32"].max_kernel < 1.3e-6 / 64


@pytest.mark.parametrize(
    ("N", "m", "rounded", "native"),
    [
        (512, 32, "9.3e-8", "9.4e-8"),
        (2048, 32, "1.03e-7", "1.01e-7"),
        (131072, 64, "1.03e-7", "1.09e-7"),
    ],
)
def test_folding_to_a_quarter_turn_alone(N, m, rounded, native, agrees):
    odd, D = 2 * np.arange(m) + 1, practice.table_offsets(N)
    r, sign, _ = fold_phase(odd[None, :], D[:, None], N)
    angle = np.float32(np.pi) * (r.astype(np.float32) / np.float32(N))
    once = round_array(np.cos(angle.astype(np.float64)), FORMATS["float32"])
    for cosines, printed in ((once, rounded), (np.cos(angle).astype(np.float64), native)):
        errors = practice.cosine_errors(sign * cosines, m, N, D)
        assert agrees(Fraction(float(np.abs(errors).max())), printed)


def test_reducing_without_folding_costs_the_printed_factor(agrees):
    N, odd, D = 512, 2 * np.arange(32) + 1, np.arange(513)
    r = odd[None, :] * D[:, None] % (2 * N)
    angle = np.float32(np.pi) * (r.astype(np.float32) / np.float32(N))
    cosines = round_array(np.cos(angle.astype(np.float64)), FORMATS["float32"])
    error = np.abs(practice.cosine_errors(cosines, 32, N, D)).max()
    assert agrees(Fraction(float(error)), "3.7e-7")


def test_first_positions_the_formats_do_not_hold():
    for name, first in (("bfloat16", 257), ("float16", 2049)):
        form = FORMATS[name]
        positions = np.arange(1, 5000)
        inside = practice.representable(positions, form)
        assert np.setdiff1d(positions, inside)[0] == first
    assert FORMATS["float16"].largest == 65504
    assert round_exact(Fraction(65519), FORMATS["float16"]) == 65504
    assert round_exact(Fraction(65520), FORMATS["float16"]) is None


def test_bfloat16_positions_above_256_break_the_sharp_bound_alone():
    """pi rounds so well in bfloat16 that four roundings stay below three units."""
    form = FORMATS["bfloat16"]
    D = np.arange(1, 2049)
    angles = practice.chain_angles(64, 2048, D, form)
    relative = np.abs(practice.angle_errors(angles, 64, 2048, D))
    relative /= np.pi * practice.half_turns(64, 2048, D)
    inside = np.isin(D, practice.representable(D, form))
    sharp, plain = practice.pi_chain_bound(form), practice.three_rounding_bound(form)
    assert relative[inside].max() < sharp < relative[~inside].max() < plain
    row, plane = np.unravel_index(relative.argmax(), relative.shape)
    assert (D[row], plane) == (265, 11)


@pytest.mark.parametrize("name", FORMAT_NAMES)
def test_sharp_bound_is_below_the_claims_bound_and_nearly_attained(name):
    form = FORMATS[name]
    sharp, plain = practice.pi_chain_bound(form), practice.three_rounding_bound(form)
    D = practice.representable(np.arange(1, 2049), form)
    angles = practice.chain_angles(64, 2048, D, form)
    relative = practice.angle_errors(angles, 64, 2048, D) / (
        np.pi * practice.half_turns(64, 2048, D)
    )
    assert 0.85 * float(sharp) < np.abs(relative).max() <= float(sharp) < float(plain)


@pytest.mark.parametrize("name", ["bfloat16", "float16", "float32"])
def test_chain_is_the_arithmetic_of_the_type_itself(name):
    form, kind = FORMATS[name], FORMATS[name].dtype.type
    D, odd = np.arange(0, 513), 2 * np.arange(32) + 1
    theta = (kind(np.pi) * odd.astype(kind)) / kind(512)
    native = (D.astype(kind)[:, None] * theta[None, :]).astype(np.float64)
    assert (native == practice.chain_angles(32, 512, D, form)).all()


@given(st.sampled_from(FORMAT_NAMES), st.integers(0, 15), st.integers(0, 63), st.integers(0, 2**15))
def test_vectorised_chain_is_the_exact_chain(name, log, i, D):
    form, N = FORMATS[name], 2**log
    D = D - D % 2 ** max(0, D.bit_length() - form.significand)
    vector = practice.chain_angles(i + 1, N, np.array([D]), form)[0, -1]
    exact = round_exact(Fraction(0), form)
    if math.isfinite(vector):
        exact = practice.rounded_angle(i, N, D, form)
        assert Fraction(float(vector)) == exact


@given(st.integers(1, 11), st.integers(1, 64), st.integers(-(2**40), 2**40))
def test_true_cosines_are_true(log, m, D):
    N = 2**log
    with precision(128):
        cosine = arb(fmpq((2 * m - 1) * D, N)).cos_pi()
        reported = practice.cosine_errors(np.zeros((1, m)), m, N, np.array([D % (2 * N)]))[0, -1]
        assert abs(cosine + float(reported)) <= 2.0**-53


@given(st.integers(0, 63), st.integers(1, 17), st.integers(1, 2**17))
def test_angle_errors_are_exact_to_a_few_bits(i, log, D):
    N = 2**log
    angles = practice.chain_angles(i + 1, N, np.array([D]), FORMATS["float64"])
    error = practice.angle_errors(angles, i + 1, N, np.array([D]))[0, -1]
    with precision(200):
        exact = arb(float(angles[0, -1])) - arb.pi() * arb(fmpq((2 * i + 1) * D, N))
        angle = float(angles[0, -1])
        assert abs(exact - float(error)) <= abs(exact) * 2.0**-51 + angle * 2.0**-104


def test_a_kernel_sum_counts_its_own_roundings():
    cosines = np.full((1, 3), 0.1)
    D = np.array([1])
    exact = 3 * Fraction(0.1) / 3
    computed = Fraction(float(cosines.sum(axis=1)[0])) / 3
    (error,) = practice.kernel_errors(cosines, 3, 8, D)
    (sum_of_errors,) = practice.cosine_errors(cosines, 3, 8, D).sum(axis=1) / 3
    assert computed != exact
    assert error - sum_of_errors == pytest.approx(float(computed - exact), rel=0.1)


def test_bad_rows_are_refused():
    with pytest.raises(ValueError, match="power of two"):
        practice.float_floor(500, 32, "table", "float32")
    with pytest.raises(ValueError, match="unknown route"):
        practice.float_floor(512, 32, "table", "float8")
