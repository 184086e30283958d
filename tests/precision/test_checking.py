"""Check power: the matrix against reference values, the battery against faults, and its use."""

import math
import warnings
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import posproof
from posproof import testing
from posproof.numerics import rope_battery as rope
from posproof.numerics.formats import FORMATS, round_array
from posproof.numerics.precision import checking as measured
from posproof.numerics.rope_faults import FAULTS, components, correct, faulty
from posproof.numerics.tolerances import (
    accumulation_error,
    errors,
    exact_errors,
    frequency_error,
    pipeline,
    truncated,
)
from posproof.theory.precision.checking import BLIND, CHECK_POWER, SEEN, TESTS

BASE = Fraction(10_000)
ASKED = {"dtype": "bfloat16", "pipeline": "mixed64", "max_position": 4096}
ASKED |= {"head_dim": 128, "base": 10_000}


CLAIMS = [CHECK_POWER]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


# ---------------------------------------------------------------------- proofs and measurements


# ---------------------------------------------------------------------- the matrix
#: Worst residuals of an independent run: relative, group law, norm, position 0, reference.
PRINTED = {
    "correct": (4.5e-13, 4.5e-13, 2.2e-16, 0, 0),
    "positions in bfloat16": (2.0, 2.0, 2.2e-16, 0, 2.0),
    "positions in tfloat32": (1.7, 1.7, 2.2e-16, 0, 0.96),
    "frequencies in bfloat16": (3.3e-16, 3.3e-16, 2.2e-16, 0, 2.0),
    "wrong base": (4.5e-13, 4.5e-13, 2.2e-16, 0, 2.0),
    "opposite sense": (4.5e-13, 4.5e-13, 2.2e-16, 0, 2.0),
    "opposite sense on keys": (2.0, 4.5e-13, 2.2e-16, 0, 2.0),
    "other layout": (1.8e-14, 9.1e-14, 2.2e-16, 0, 2.0),
    "other layout on keys": (1.9, 4.5e-13, 2.2e-16, 0, 2.0),
    "keys offset by one": (4.5e-13, 0.96, 2.2e-16, 0.96, 0.96),
    "offset by one": (4.9e-13, 0.96, 2.2e-16, 0.96, 0.96),
    "scaled by 1.1": (5.5e-13, 0.11, 0.10, 0.10, 0.10),
    "slowest pair not rotated": (4.4e-13, 4.5e-13, 2.2e-16, 0, 0.46),
    "fastest pair not rotated": (4.3e-13, 4.5e-13, 2.2e-16, 0, 2.0),
    "slowest pair of keys not rotated": (0.46, 4.5e-13, 2.2e-16, 0, 0.46),
    "sign of the sine lost": (1.9, 2.0, 0.96, 0, 2.0),
    "length grows with the position": (0.98, 4.1e-2, 0.40, 0, 0.40),
}


def test_the_matrix_agrees_with_the_printed_one_within_a_factor_of_two():
    found = rope.matrix(measured.task("float64"))
    assert list(found) == list(PRINTED) == list(FAULTS) == list(SEEN)
    for fault, row in PRINTED.items():
        for test, printed in zip(TESTS, row, strict=True):
            if printed >= 1e-2:
                assert printed / 2 <= found[fault][test] <= 2 * printed, (fault, test)
            else:
                assert found[fault][test] < 1e-11, (fault, test)


def test_what_is_seen_is_what_the_printed_matrix_shows():
    for fault, row in PRINTED.items():
        seen = tuple(test for test, size in zip(TESTS, row, strict=True) if size >= 1e-2)
        assert seen == SEEN[fault]


def test_the_relative_identity_misses_nine_and_all_but_the_reference_six():
    faults = {fault: seen for fault, seen in SEEN.items() if fault != "correct"}
    assert len(faults) == 16
    assert sum("relative" not in seen for seen in faults.values()) == 9
    assert sum(seen == ("reference",) for seen in faults.values()) == 6


@pytest.mark.parametrize(("tolerance", "shift", "count"), BLIND)
def test_blind_pairs_agree_with_float64(tolerance, shift, count):
    assert rope.unseen_pairs(tolerance, shift, 128, BASE) == count


@pytest.mark.parametrize("tolerance", [Fraction(54, 1000), Fraction(157, 10_000), Fraction(1, 7)])
def test_the_least_shift_is_the_least(tolerance):
    found = rope.least_shift(tolerance, 128, BASE, 4096)
    theta = 10_000.0 ** (-np.arange(64) / 64)
    chords = np.abs(2 * np.sin(np.arange(1, found + 1)[:, None] * theta / 2))
    good = (chords >= float(tolerance)).all(axis=1)
    assert good[-1] and not good[:-1].any()


def test_no_shift_shows_every_pair_at_a_tolerance_of_two_or_in_too_short_a_range():
    assert rope.least_shift(Fraction(2), 128, BASE, 4096) is None
    assert rope.least_shift(Fraction(54, 1000), 128, BASE, 400) is None


# ---------------------------------------------------------------------- the exact rotation
@settings(max_examples=100)
@given(st.integers(0, 2**20), st.integers(0, 63), st.sampled_from([10_000, 500_000]))
def test_the_reference_agrees_with_high_precision(position, pair, base):
    import mpmath

    task = rope.Task(2, 128, Fraction(base), FORMATS["float64"])
    cosine, sine = rope.exact_waves(np.array([float(position)]), np.array([pair]), task)
    with mpmath.workdps(60):
        angle = position * mpmath.mpf(base) ** (mpmath.mpf(-pair) / 64)
        gap = abs(mpmath.mpc(cosine[0], sine[0]) - mpmath.expj(angle))
    assert gap <= 8 * 2.0**-53


def test_exact_bounds_hold_for_frequencies_by_the_formula():
    """float32 by the usual formula at d = 96, where exponents are rounded too."""
    line, width = pipeline("mixed32", "float32"), 96
    exponent = np.arange(0, width, 2, dtype=np.float32) / np.float32(width)
    theta = (np.float32(1) / np.float32(500_000) ** exponent).astype(np.float64)
    task = rope.Task(2**17, width, Fraction(500_000), FORMATS["float32"])
    turn = replace(correct(line, width, task.base), theta=theta)
    gaps = rope.reference(turn.rotate, turn.rotate, rope.battery(task, 0), task)
    found = exact_errors(line, task.length, width, task.base)
    assert gaps.max() <= float(found.vector)
    assert gaps.max() > float(errors(line, task.length, width, task.base).vector)


@pytest.mark.parametrize(
    ("width", "base", "first_order"),
    [(128, 10_000, 5), (96, 10_000, 14.2), (128, 500_000, 5), (80, 500_000, 18.2)],
)
def test_frequency_errors_have_their_first_order(width, base, first_order):
    """5 u for the power and the division; up to u ln(base) more where exponents are rounded."""
    form = FORMATS["float32"]
    worst = max(frequency_error(pair, width, Fraction(base), form) for pair in range(width // 2))
    assert float(worst) * 2**24 <= first_order * 1.001
    assert float(worst) * 2**24 >= first_order * 0.95


def test_a_narrow_frequency_costs_its_own_rounding():
    narrow = frequency_error(63, 128, BASE, FORMATS["bfloat16"])
    assert narrow > Fraction(1, 256)
    assert narrow < Fraction(1, 255)


# ---------------------------------------------------------------------- the battery
LINES = [("mixed64", "bfloat16"), ("fused32", "float16"), ("mixed32", "float32")]


@pytest.mark.parametrize(
    ("name", "dtype", "layout"),
    [
        *((name, dtype, "interleaved") for name, dtype in LINES),
        *((*line, "half") for line in measured.LINES),
    ],
)
def test_correct_code_stays_within_what_is_allowed(name, dtype, layout):
    line = pipeline(name, dtype)
    task = replace(measured.task(dtype), layout=layout)
    limits = rope.allowed(line, task)
    turn = correct(line, 128, BASE, layout)
    for test, run in rope.TESTS.items():
        gaps = run(turn.rotate, turn.rotate, rope.battery(task, 3), task)
        assert gaps.max() <= limits[test] + Fraction(16, 2**53), test


#: Visible faults and tests of each line; formats of eight bits see fewer.
CELLS = {"float8_e4m3fn": {29, 34}, "float8_e5m2": {30}}


@pytest.mark.parametrize(("name", "dtype"), measured.LINES)
def test_every_visible_fault_is_seen_for_every_seed(name, dtype):
    """4 x 64 cases a seed; the full profile takes a hundred seeds everywhere."""
    line, task = pipeline(name, dtype), measured.task(dtype)
    limits, found = rope.allowed(line, task), rope.matrix(measured.task("float64"))
    cells = [(fault, test) for fault in found for test in rope.visible(found[fault], limits)]
    assert len(cells) in CELLS.get(dtype, {36})
    seeds = range(100 if (name, dtype) == ("mixed64", "bfloat16") else 10)
    for fault, test in cells:
        assert rope.missed(fault, test, line, task, seeds) == [], (fault, test)
    assert len(rope.designed(task, 0)) == 4 * task.pairs


def test_random_heads_never_see_a_slow_pair_that_keys_forget():
    line, task = pipeline("mixed64", "bfloat16"), measured.task("bfloat16")
    fault, seeds = "slowest pair of keys not rotated", range(30)  # the page runs a hundred
    assert rope.missed(fault, "relative", line, task, seeds, rope.random_heads) == list(seeds)


def test_both_ends_of_the_ladder_come_first():
    cases = rope.designed(measured.task("bfloat16"), 0)
    assert list(cases.pair[:8]) == [0] * 4 + [63] * 4
    assert cases.shift.max() == 4095


@pytest.mark.parametrize("length", [1, 2, 3, 17, 4096, 2**20])
@pytest.mark.parametrize("width", [2, 4, 128])
def test_every_position_lies_in_the_range(length, width):
    task = rope.Task(length, width, BASE, FORMATS["float16"])
    cases = rope.battery(task, 1)
    for place in (cases.i, cases.j, cases.i + cases.shift, cases.j + cases.shift):
        assert ((place >= 0) & (place < length)).all()
        assert (place == np.floor(place)).all()


def test_the_emulation_agrees_with_a_plain_rotation():
    """Float64 pairs turned one by one, and a full head with every component filled."""
    source = np.random.default_rng(2)
    x, positions = source.standard_normal((5, 8)), np.arange(5.0)
    turn = correct(pipeline("mixed64", "float64"), 8, BASE, "interleaved")
    result = turn.rotate(x, positions)
    for row in range(5):
        for pair in range(4):
            angle = row * 10_000.0 ** (-pair / 4)
            a, b = x[row, 2 * pair : 2 * pair + 2]
            expected = (a + 1j * b) * complex(math.cos(angle), math.sin(angle))
            got = complex(*result[row, 2 * pair : 2 * pair + 2])
            assert abs(got - expected) < 1e-14


# ---------------------------------------------------------------------- assertions for users
def user(fault, name, dtype, layout="half", head_dim=128):
    """Queries' and keys' functions as a user would write them, on the format's own type."""
    sides = faulty(fault, correct(pipeline(name, dtype), head_dim, BASE, layout))

    def function(turn):
        return lambda x, positions: turn.rotate(x.astype(float), positions.astype(float))

    return [function(turn) for turn in sides]


@pytest.mark.parametrize(("name", "dtype"), LINES)
def test_correct_code_passes_the_battery(name, dtype):
    rotate, rotate_key = user("correct", name, dtype)
    asked = ASKED | {"pipeline": name, "dtype": dtype}
    testing.assert_rope(rotate, rotate_key=rotate_key, **asked, seed=4)
    testing.assert_path_independent(rotate, **asked)


@pytest.mark.parametrize("fault", [fault for fault in FAULTS if fault != "correct"])
def test_every_fault_fails_the_battery(fault):
    rotate, rotate_key = user(fault, "mixed64", "bfloat16")
    with pytest.raises(AssertionError) as failure:
        testing.assert_rope(rotate, rotate_key=rotate_key, **ASKED)
    told = str(failure.value)
    for part in ("worst at", "the bound is", "query", "likely:"):
        assert part in told
    for test in SEEN[fault]:
        assert f", {test}: off by" in told


def test_a_wrong_base_fails_the_reference_alone():
    rotate, _ = user("wrong base", "mixed64", "bfloat16")
    for assertion in (
        testing.assert_relative,
        testing.assert_group_law,
        testing.assert_norm_preserving,
        testing.assert_zero_position_identity,
        testing.assert_path_independent,
    ):
        assertion(rotate, **ASKED)
    with pytest.raises(AssertionError, match="another base"):
        testing.assert_matches_reference(rotate, **ASKED)


def test_rounded_positions_depend_on_the_path():
    rotate, _ = user("positions in bfloat16", "mixed64", "bfloat16")
    with pytest.raises(AssertionError, match="4 rotations"):
        testing.assert_path_independent(rotate, **ASKED)


def test_a_missing_or_unknown_setting_is_named():
    asked = {key: value for key, value in ASKED.items() if key != "base"}
    with pytest.raises(posproof.BadInput, match="needs base"):
        testing.assert_rope(lambda x, positions: x, **asked)
    with pytest.raises(posproof.BadInput, match="colour"):
        testing.assert_rope(lambda x, positions: x, **ASKED, colour="red")


def test_heads_of_one_pair_are_tested_too():
    rotate, _ = user("correct", "fused32", "float16", head_dim=2)
    asked = ASKED | {"head_dim": 2, "pipeline": "fused32", "dtype": "float16"}
    testing.assert_rope(rotate, **asked)


# ---------------------------------------------------------------------- the tolerance in use
def test_the_answer_says_what_it_sees():
    answer = posproof.tolerance("rope.relative", **ASKED)
    assert set(answer.detects) == {fault for fault, seen in SEEN.items() if "relative" in seen}
    assert answer.min_shift_to_see_all_pairs == 476
    assert "wrong base" in answer.undetected(0.1)


def test_a_limit_that_rejects_correct_code_is_refused_and_a_tight_one_warned_about():
    answer = posproof.tolerance("rope.relative", **ASKED)
    with pytest.raises(posproof.NoTolerance, match="rejects correct code"):
        answer.undetected(0.001)
    with pytest.warns(UserWarning, match="below the proven bound"):
        answer.undetected(0.05)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "slowest pair of keys not rotated" in answer.undetected(0.5)


def test_exact_frequencies_cost_more_than_stored_ones():
    asked = ASKED | {"pipeline": "mixed32", "dtype": "float32", "max_position": 131_072}
    vector = posproof.tolerance("rope.apply", **asked)
    assert "stored frequency" in vector.terms
    assert vector.dominated_by == "stored frequency"
    stored = errors(pipeline("mixed32", "float32"), 131_072, 128, BASE).vector
    assert vector.bound > 2 * stored
    assert "stored frequency" not in posproof.tolerance("rope.relative", **asked).terms


def test_pairs_have_tolerances_of_their_own():
    asked = ASKED | {"pipeline": "mixed64", "dtype": "float16"}
    answer = posproof.tolerance("rope.apply", **asked)
    x = round_array(np.random.default_rng(0).standard_normal((50, 128)) * 2, FORMATS["float16"])
    task = rope.Task(4096, 128, BASE, FORMATS["float16"])
    at = np.random.default_rng(1).integers(0, 4096, 50).astype(float)
    gaps = correct(pipeline("mixed64", "float16"), 128, BASE).rotate(x, at)
    gaps = np.abs(gaps - rope.exactly_turned(x, at, task))
    allowed = answer.pair_atol(x)
    assert allowed.shape == x.shape
    assert (gaps <= allowed).all()
    first, second = components(x, "half")
    assert (allowed[:, :64] <= float(answer) * np.hypot(first, second) * 1.001 + 1e-6).all()


def test_truncation_doubles_a_tolerance():
    nearest = posproof.tolerance("rope.relative", **ASKED).bound
    cut = posproof.tolerance("rope.relative", **ASKED, rounding="truncate")
    assert 2 * nearest < cut.bound < Fraction(21, 10) * nearest
    assert cut.measured is None
    assert any("cut off" in words for words in cut.assumptions)


def test_fused_rotations_have_a_smaller_tolerance_and_no_measurement():
    plain, fused = (posproof.tolerance("rope.relative", **ASKED, fma=fma) for fma in (None, True))
    assert Fraction(8, 10) * plain.bound < fused.bound < Fraction(9, 10) * plain.bound
    assert plain.measured is not None and fused.measured is None
    kappa = errors(replace(pipeline("mixed64", "bfloat16"), fused=True), 2, 128, BASE).arithmetic
    assert kappa == Fraction(2, 256) + Fraction(1, 256**2)


def test_truncated_products_stay_below_the_bound():
    """Digits cut off after exact float64 products and sums of bfloat16 numbers."""
    line = truncated(pipeline("mixed64", "bfloat16"))
    kappa = errors(line, 2, 128, BASE).arithmetic
    source = np.random.default_rng(0)
    a, b, c, s = (round_array(source.uniform(0.5, 2, 50_000), FORMATS["bfloat16"]) for _ in "abcs")

    def cut(x):
        _, exponent = np.frexp(x)
        return np.ldexp(np.trunc(np.ldexp(x, 8 - exponent)), exponent - 8)

    first = cut(cut(a * c) - cut(b * s)) - (a * c - b * s)
    second = cut(cut(a * s) + cut(b * c)) - (a * s + b * c)
    worst = (np.hypot(first, second) / (np.hypot(a, b) * np.hypot(c, s))).max()
    assert worst <= float(kappa)
    assert worst > float(errors(pipeline("mixed64", "bfloat16"), 2, 128, BASE).arithmetic)


def test_sums_that_are_cut_off_have_the_classical_bound():
    form = FORMATS["bfloat16"]
    cut = replace(form, truncates=True)
    assert accumulation_error(64, form) == Fraction(64, 256)
    assert accumulation_error(64, cut) == Fraction(1, 2) / Fraction(1, 2)
    with pytest.raises(ValueError, match="lose every digit"):
        accumulation_error(128, cut)


def test_a_strict_question_is_refused_where_some_pair_can_never_be_seen():
    asked = ASKED | {"dtype": "float8_e4m3fn"}
    assert posproof.tolerance("rope.relative", **asked).min_shift_to_see_all_pairs is None
    with pytest.raises(posproof.NoTolerance, match="some pair could fail unseen"):
        posproof.tolerance("rope.relative", **asked, strict=True)
    posproof.tolerance("rope.relative", **ASKED, strict=True)


def test_an_input_that_a_name_cannot_use_is_refused():
    with pytest.raises(posproof.BadInput, match="no use for count"):
        posproof.tolerance("rope.relative", **ASKED, count=3)


# ---------------------------------------------------------------------- a hundred thousand seeds
def bfloat16(x):
    """float32 rounded once more to bfloat16, ties to even, on the bits."""
    bits = x.view(np.uint32)
    bits = bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))
    return (bits & np.uint32(0xFFFF0000)).view(np.float32)


def test_the_bits_round_as_the_format_does():
    x = np.random.default_rng(0).standard_normal(10_000).astype(np.float32)
    assert (bfloat16(x) == round_array(x.astype(float), FORMATS["bfloat16"])).all()


def test_the_printed_assertion_never_fails_for_correct_code_over_a_hundred_thousand_seeds():
    """mixed32 in bfloat16, d = 64: one head, two positions and a shift a seed."""
    length, width, seeds, batch = 4096, 64, 100_000, 4000
    answer = posproof.tolerance(
        "rope.relative", **(ASKED | {"pipeline": "mixed32", "head_dim": width})
    )
    printed = compile(answer.lines[0], "the printed line", "exec")
    theta = (np.float32(1) / np.float32(10_000) ** (np.arange(32, dtype=np.float32) / 32))[None]

    def turned(x, positions):
        angle = positions.astype(np.float32)[:, None] * theta
        c, s = bfloat16(np.cos(angle)), bfloat16(np.sin(angle))
        a, b = x[:, :32], x[:, 32:]
        first = bfloat16(bfloat16(a * c) - bfloat16(b * s))
        second = bfloat16(bfloat16(a * s) + bfloat16(b * c))
        return np.concatenate([first, second], axis=1).astype(np.float64)

    for start in range(0, seeds, batch):
        heads = np.empty((batch, 2, width), np.float32)
        places = np.empty((batch, 3), np.int64)
        for row in range(batch):
            source = np.random.default_rng(start + row)
            source.standard_normal(dtype=np.float32, out=heads[row])
            places[row] = source.integers(0, length // 2, 3)
        q, k = bfloat16(heads[:, 0].copy()), bfloat16(heads[:, 1].copy())
        i, j, shift = places.T
        score, shifted = (
            (turned(q, i + step) * turned(k, j + step)).sum(axis=1) for step in (0, shift)
        )
        norms = np.linalg.norm(q.astype(float), axis=1) * np.linalg.norm(k.astype(float), axis=1)
        exec(printed, {"np": np, "norms": norms, "score": score, "shifted": shifted})
