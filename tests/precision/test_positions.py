"""Positions that collide, integer phases, library defaults: proofs, measurements, kernels."""

from dataclasses import replace
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from posproof.numerics import integer_phases, positions
from posproof.numerics.balls import precision
from posproof.numerics.formats import FORMATS, round_exact
from posproof.numerics.precision import positions as measured
from posproof.numerics.tolerances import errors, frequencies, pipeline
from posproof.numerics.worst_cases import search, turned, waves
from posproof.proofs_check import kernel, powers
from posproof.proofs_check import tactics as T
from posproof.proofs_check.language import Eq, ForAll, Int, Le, Lt, sequence, variable
from posproof.proofs_check.nearest_even import EVEN, STORED
from posproof.proofs_check.search import Undecided, counterexample, prove_order
from posproof.proofs_check.search.points import Indicator
from posproof.theory.precision import COLLISIONS, INTEGER_PHASE, LIBRARY_DEFAULTS
from posproof.theory.precision import positions as stated

CLAIMS = (COLLISIONS, INTEGER_PHASE, LIBRARY_DEFAULTS)
NARROW = ("bfloat16", "float16", "float8_e5m2", "float8_e4m3fn")
BASE = Fraction(10_000)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


# ---------------------------------------------------------------------- proofs and measurements


# ---------------------------------------------------------------------- which positions collide
@pytest.mark.parametrize(
    ("name", "exponent", "expected"),
    [
        ("bfloat16", 9, 385),
        ("bfloat16", 12, 769),
        ("bfloat16", 15, 1153),
        ("bfloat16", 17, 1409),
        ("bfloat16", 20, 1793),
        ("float16", 12, 3073),
        ("float16", 15, 6145),
        ("tfloat32", 12, 3073),
        ("tfloat32", 15, 6145),
    ],
)
def test_the_counts_of_the_specification(name, exponent, expected):
    assert positions.distinct_values(FORMATS[name], exponent) == expected
    kept = positions.stored(np.arange(2**exponent), FORMATS[name])
    assert len(np.unique(kept)) == expected


@pytest.mark.parametrize(
    ("name", "members"),
    [
        ("bfloat16", [[256, 257], [258], [259, 260, 261], [262], [263, 264, 265]]),
        ("float16", [[2048, 2049], [2050], [2051, 2052, 2053]]),
        ("tfloat32", [[2048, 2049], [2050]]),
        ("float8_e4m3fn", [[16, 17], [18], [19, 20, 21]]),
        ("float8_e5m2", [[8, 9], [10], [11, 12, 13]]),
    ],
)
def test_the_first_classes(name, members):
    for group in members:
        for n in group:
            found = positions.collision_class(n, FORMATS[name])
            assert list(range(found.first, found.last + 1)) == group
            assert found.size == len(group)


def test_classes_around_65536_in_bfloat16():
    sizes = [positions.collision_class(n, FORMATS["bfloat16"]).size for n in (66_048, 66_560)]
    assert sizes == [511, 513]
    assert positions.collision_class(65_536, FORMATS["bfloat16"]).size == 3 * 128 + 1


def test_float16_ends_at_65519():
    assert positions.stored(65_519, FORMATS["float16"]) == 65_504
    with pytest.raises(ValueError, match="65520 overflows float16"):
        positions.stored([1, 65_520], FORMATS["float16"])
    with np.errstate(over="ignore"):
        assert np.isinf(np.float32(65_520).astype(np.float16))


def test_a_count_beyond_the_largest_number_is_refused():
    """float8_e4m3fn has 55 numbers below 2^9 and one NaN, where the formula says 57."""
    form = FORMATS["float8_e4m3fn"]
    casts = np.arange(512).astype(np.float32).astype(ml_dtypes.float8_e4m3fn).astype(float)
    assert len(np.unique(casts[np.isfinite(casts)])) == 55
    assert positions.distinct_values(replace(form, top=512), 9) == 57
    with pytest.raises(ValueError, match=r"2\^9 overflows"):
        positions.distinct_values(form, 9)


@pytest.mark.parametrize("bad", [-1, 2**62])
def test_positions_outside_the_integers_are_refused(bad):
    with pytest.raises(ValueError, match="integers from 0"):
        positions.stored(bad, FORMATS["bfloat16"])


@settings(max_examples=300)
@given(st.sampled_from(sorted(FORMATS)), st.integers(0, 60).flatmap(lambda b: st.integers(0, 2**b)))
def test_stored_positions_agree_with_rounded_rationals(name, position):
    form = FORMATS[name]
    expected = round_exact(Fraction(position), form)
    if expected is None:
        with pytest.raises(ValueError, match="overflows"):
            positions.stored(position, form)
    else:
        assert positions.stored(position, form) == expected


@settings(max_examples=200)
@given(st.sampled_from(NARROW), st.integers(0, 400))
def test_a_class_is_what_is_stored_as_one(name, position):
    form = FORMATS[name]
    group = positions.collision_class(position, form)
    around = np.arange(max(group.first - 1, 0), group.last + 2)
    inside = (around >= group.first) & (around <= group.last)
    assert ((positions.stored(around, form) == group.value) == inside).all()


def test_rounding_half_away_would_join_257_and_258():
    assert measured.half_away(np.array([257]), FORMATS["bfloat16"])[0] == 258
    assert positions.stored(257, FORMATS["bfloat16"]) == 256


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_rounding_toward_zero_makes_classes_of_one_size(k):
    n = np.arange(2 ** (7 + k), 2 ** (8 + k))
    _, sizes = np.unique(measured.toward_zero(n, FORMATS["bfloat16"]), return_counts=True)
    assert (sizes == 2**k).all()


# ---------------------------------------------------------------------- what a collision costs
def test_the_damage_and_the_gap_agree_with_the_specification():
    with precision(128):
        damage = 2 * (arb(1) / 2).sin()
        theta = [arb(10_000) ** (arb(-i) / 64) for i in range(64)]
        gap = 2 * sum(((255 * t).cos() - (256 * t).cos() for t in theta), arb(0))
        assert abs(damage - arb("0.9588510772084060005465759")) < arb(10) ** -24
        assert abs(abs(gap) - arb("0.3274030231856787804911826")) < arb(10) ** -24


def test_a_naive_row_is_the_row_of_the_stored_position():
    line = pipeline("naive", "bfloat16")
    entries = waves(np.array([256.0, 257.0, 258.0]), 1.0, line)
    for entry in entries:
        assert entry[0] == entry[1] != entry[2]


def test_one_frequency_alone_does_not_tell_all_stored_positions_apart():
    """967 rows from 1409 positions for d = 2, and 1409 for d = 4."""
    line = pipeline("naive", "bfloat16")
    kept = np.unique(positions.stored(np.arange(2**17), FORMATS["bfloat16"])).astype(float)
    rows = [np.stack(waves(kept, float(t), line)) for t in frequencies(4, BASE, line.frequency)]
    assert len(np.unique(rows[0].T, axis=0)) == 967
    assert len(np.unique(np.concatenate(rows).T, axis=0)) == len(kept) == 1409


def test_distinct_rows_are_counted_like_numpy_counts_them():
    source = np.random.default_rng(3)
    table = source.integers(0, 3, (8, 500)).astype(float)
    counted = measured._distinct_rows(
        lambda pair, rows: (table[2 * pair, rows], table[2 * pair + 1, rows]), 4, 500
    )
    assert counted == len(np.unique(table.T, axis=0))


# ---------------------------------------------------------------------- integer phases
@settings(max_examples=200)
@given(
    st.sampled_from([32, 64]),
    st.integers(0, 63),
    st.integers(-(2**62), 2**62),
    st.integers(-(2**62), 2**62),
)
def test_phases_are_a_homomorphism(bits, pair, i, s):
    kappa = integer_phases.steps(128, BASE, bits)[pair : pair + 1]
    a, b, c = (int(integer_phases.phases([n], kappa)[0, 0]) for n in (i, s, i + s))
    assert a == i * int(kappa[0]) % 2**bits
    assert (a + b) % 2**bits == c


def test_steps_are_the_nearest_whole_numbers():
    for bits in (32, 64):
        with precision(256):
            for pair, step in enumerate(integer_phases.steps(128, BASE, bits).tolist()):
                exact = arb(2) ** bits * arb(10_000) ** (arb(-pair) / 64) / (2 * arb.pi())
                assert abs(exact - step) < arb(1) / 2


def test_table_errors_agree_with_the_specification():
    kappa = integer_phases.steps(128, BASE)[[0, 1, 3, 16]]
    places = np.arange(2**20)
    cosines, sines = integer_phases.table(places, kappa)
    exact = measured._exact_angles(integer_phases.phases(places, kappa))
    gap = np.hypot(cosines - np.cos(exact), sines - np.sin(exact)).max(axis=0)
    assert gap == pytest.approx([3.22e-7, 3.28e-7, 3.29e-7, 3.30e-7], rel=0.01)


def test_the_relative_residual_of_integer_phases_is_that_of_the_correction():
    found = integer_phases.errors("float32", 128).relative
    assert float(found) == pytest.approx(3.8e-6, rel=0.01)
    assert found < errors(pipeline("mixed32", "float32"), 64, 128, BASE).relative


def test_phase_errors_against_the_exact_embedding():
    """At 2^20 positions: pi L / W is 7.7e-4 with 32 bits and 1.8e-13 with 64."""
    for bits, limit, largest in ((32, 7.7e-4, 7.63e-4), (64, 1.8e-13, 1.77e-13)):
        with precision(256):
            gaps = [
                float(abs(integer_phases.frequency(step, bits) - arb(10_000) ** (arb(-i) / 64)))
                for i, step in enumerate(integer_phases.steps(128, BASE, bits).tolist())
            ]
        assert max(gaps) * 2**20 == pytest.approx(largest, rel=0.01)
        assert np.pi * 2**20 / 2.0**bits == pytest.approx(limit, rel=0.01)


def test_negative_positions_turn_backwards():
    kappa = integer_phases.steps(8, BASE)
    ahead, back = integer_phases.table([5, -5], kappa)
    assert (ahead[0] == ahead[1]).all()
    assert (back[0] == -back[1]).all()


def test_a_table_may_be_made_in_float64():
    kappa = integer_phases.steps(8, BASE, 64)
    cosines, _ = integer_phases.table([3, 2**40], kappa, FORMATS["float64"])
    theta = 10_000.0 ** (-np.arange(4) / 4)
    assert cosines.dtype == np.float64
    assert np.abs(cosines[0] - np.cos(3 * theta)).max() < 3 * np.pi / 2**53 + 8 * 2.0**-53


@pytest.mark.parametrize(
    ("arguments", "message"),
    [((7, 10_000), "even"), ((8, 1), "greater than 1"), ((8, 10_000, 16), "32 or 64")],
)
def test_unusable_steps_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        integer_phases.steps(*arguments)


def test_positions_that_are_not_integers_are_refused():
    with pytest.raises(TypeError, match="positions are integers"):
        integer_phases.phases([0.5], integer_phases.steps(8, BASE))


# ---------------------------------------------------------------------- library defaults
@pytest.mark.parametrize(
    ("name", "case", "expected"),
    [
        ("mixed32", (1, 80, 95, -9), 1.161e-5),
        ("mixed32", (3, 110, 106, -4), 1.541e-5),
        ("mixed64", (1, 80, 95, -9), 2.15e-7),
        ("mixed64", (3, 110, 106, -4), 2.31e-7),
    ],
)
def test_the_printed_cases_are_as_bad_as_printed(name, case, expected):
    """100000 random queries and keys: another seed and library move the third digit."""
    pair, i, j, s = case
    line, source = pipeline(name, "float32"), np.random.default_rng(0)
    theta = float(frequencies(128, BASE, line.frequency)[pair])
    q, k = (
        np.float32([np.cos(at), np.sin(at)]).astype(float)
        for at in source.uniform(0, 2 * np.pi, (2, 100_000))
    )
    scores = []
    for a, b in ((i, j), (i + s, j + s)):
        u = turned(q, waves(np.array([float(a)]), theta, line), line)
        v = turned(k, waves(np.array([float(b)]), theta, line), line)
        scores.append(u[0] * v[0] + u[1] * v[1])
    worst = np.abs(scores[0] - scores[1]) / (np.hypot(*q) * np.hypot(*k))
    assert worst.max() == pytest.approx(expected, rel=0.15 if name == "mixed64" else 0.02)


def test_a_thousand_positions_exceed_the_default_twelve_times():
    (cell,) = search("mixed32", "float32", 10_000, 0, (1024,), (3,))
    assert cell.measured == pytest.approx(1.22e-4, rel=0.01)


def test_the_guarantee_ends_where_the_specification_says():
    line = pipeline("mixed32", "float32")
    below, above = (float(errors(line, length, 128, BASE).relative) for length in (74, 75))
    assert below == pytest.approx(9.16e-6, rel=1e-3)
    assert above == pytest.approx(1.68e-5, rel=1e-3)


def test_numpy_rejects_the_early_example():
    """The scores of the proof, in the test libraries' own words."""
    scores = []
    for places in ((1, 10), (4, 13)):
        rows = [
            [float.fromhex(number) for number in stated.ENTRIES[position][1:]]
            for position in places
        ]
        scores.append(sum(a * b for a, b in zip(*rows, strict=True)))
    assert not np.allclose(*scores)
    with pytest.raises(AssertionError):
        np.testing.assert_allclose(*scores)


def test_pytorch_rejects_the_late_example():
    torch = pytest.importorskip("torch")
    scores = []
    for places in ((71, 80), (83, 92)):
        rows = [
            [float.fromhex(number) for number in stated.ENTRIES[position][1:]]
            for position in places
        ]
        scores.append(
            torch.tensor(sum(a * b for a, b in zip(*rows, strict=True)), dtype=torch.float32)
        )
    with pytest.raises(AssertionError):
        torch.testing.assert_close(*scores)


def test_the_committed_entries_are_numpys_or_next_to_them():
    """NumPy's float32 cosine and sine are within two ulp of the nearest numbers."""
    for angle, cosine, sine in stated.ENTRIES.values():
        at = np.float32(float.fromhex(angle))
        for ours, wave in ((cosine, np.cos), (sine, np.sin)):
            exact = np.float32(float.fromhex(ours))
            assert abs(float(wave(at)) - float(exact)) <= 2 * np.spacing(abs(exact))


# ---------------------------------------------------------------------- lemmas and additions
def test_powers_of_two_grow_and_double():
    e, i = T.natural("e"), T.natural("i")
    assert powers.grows(i, e).conclusion == Le(powers.two(i), powers.two(e))
    assert powers.doubles(i, e).hypotheses == (Lt(i, e),)


def test_a_name_of_a_power_is_removed():
    size, e = variable("N", Int(1)), T.natural("e")
    known = Eq(size, powers.two(e))
    positive = prove_order(Le(1, powers.two(e)), [known])
    assert positive.hypotheses == (known,)
    assert powers.named(positive, (size, e)).hypotheses == ()


def test_integers_that_nothing_separates_are_not_made_equal():
    a, b = T.integer("a"), T.integer("b")
    assert T.equal_integers(a, b, [Le(2 * a, 2 * b + 1), Le(2 * b, 2 * a + 1)])
    with pytest.raises(Undecided):
        T.equal_integers(a, b, [Le(2 * a, 2 * b + 2), Le(2 * b, 2 * a + 2)])


def test_nested_conjunctions_are_taken_apart_and_put_together():
    facts = T.conjuncts(STORED)
    assert len(facts) == 5
    assert T.conjuncts(EVEN)[0] == facts[2]
    proof = T.both(*(kernel.assume(fact) for fact in facts))
    assert T.unpack_all(proof, STORED).hypotheses == (STORED,)


def test_a_counterexample_may_name_the_sequence():
    n = T.natural("n")
    zero = ForAll(n, Eq(sequence("f", n), 0))
    found = counterexample(zero, {"f": Indicator(7, 1), "n": 7}, attempts=1)
    assert found["f"] == Indicator(7, 1)
    assert kernel.refute(zero, found).conclusion.head == "not"
