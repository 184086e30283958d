"""Rounding errors: proofs, bounds against reference values, replays, and tolerances in use."""

import json
import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import posproof
from posproof import tolerances
from posproof.cli import main
from posproof.numerics import worst_cases
from posproof.numerics.balls import upward
from posproof.numerics.formats import FORMATS, round_array, round_exact
from posproof.numerics.tolerances import (
    ROOT_TWO,
    NoBound,
    angle_error,
    errors,
    frequencies,
    pipeline,
)
from posproof.theory.precision.rounding import ANGLES, NORM, RELATIVE
from posproof.tolerance_names import TOLERANCES

BASE = Fraction(10_000)
ASKED = {"dtype": "bfloat16", "pipeline": "fused32", "max_position": 131_072}
ASKED |= {"head_dim": 128, "base": 10_000}


CLAIMS = [ANGLES, NORM, RELATIVE]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


# ---------------------------------------------------------------------- proofs and measurements


# ---------------------------------------------------------------------- reference values
@pytest.mark.parametrize(
    ("name", "dtype", "length", "base", "expected"),
    [
        ("mixed64", "bfloat16", 131_072, 10_000, "5.393995945175035293653172e-2"),
        ("mixed32", "bfloat16", 131_072, 10_000, "6.995600839876435524663717e-2"),
        ("fused32", "bfloat16", 131_072, 10_000, "3.143513230580106094308122e-2"),
        ("mixed32", "float32", 4096, 10_000, "4.898405774337449576328798e-4"),
        ("mixed64", "float32", 4096, 10_000, "8.140130223273597935923306e-7"),
        ("fused32", "float16", 32_768, 500_000, "5.868629008243412375437281e-3"),
    ],
)
def test_relative_bounds_agree_with_an_independent_evaluation(name, dtype, length, base, expected):
    """The reference took 14142135623730951 / 10^16 for the square root of 2, as we do."""
    found = errors(pipeline(name, dtype), length, 128, Fraction(base)).relative
    assert abs(found - Fraction(expected)) < Fraction(expected) / 10**15


def test_root_two_is_rounded_up():
    assert 2 < ROOT_TWO**2 < 2 * (1 + Fraction(1, 10**15))


def test_a_narrow_accumulator_and_a_stored_score_cost_what_they_should():
    line = pipeline("fused32", "bfloat16", "float32", "bfloat16")
    found = errors(line, 131_072, 128, BASE).relative
    expected = Fraction("0.03938598495291534058623089")
    assert abs(found - expected) < Fraction(1, 10**17)


@pytest.mark.parametrize(
    ("length", "exponent"), [(512, -16), (4096, -13), (32_768, -10), (131_072, -8), (2**20, -5)]
)
def test_float32_angle_errors_are_the_powers_of_two_of_the_specification(length, exponent):
    found = errors(pipeline("mixed32", "float32"), length, 128, BASE)
    assert found.angle == Fraction(2) ** exponent


def test_norm_bounds_do_not_depend_on_the_length():
    line = pipeline("mixed32", "bfloat16")
    assert errors(line, 512, 128, BASE).norm == errors(line, 2**20, 128, BASE).norm


def test_the_float32_defaults_of_pytorch_stop_being_guaranteed_at_length_75():
    line = pipeline("mixed32", "float32")
    assert errors(line, 74, 128, BASE).relative < Fraction(1, 10**5)
    assert errors(line, 75, 128, BASE).relative > Fraction(16, 10**6)


@pytest.mark.parametrize("length", [65_506, 131_072, 2**20])
def test_positions_beyond_float16_have_no_bound(length):
    with pytest.raises(NoBound, match="overflow float16"):
        errors(pipeline("naive", "float16"), length, 128, BASE)


def test_positions_within_float16_have_one():
    assert errors(pipeline("naive", "float16"), 65_505, 128, BASE).vacuous


@settings(max_examples=200)
@given(
    st.integers(0, 2**20 - 1),
    st.integers(0, 63),
    st.sampled_from(["mixed32", "naive", "tf32angle"]),
    st.sampled_from(["float32", "float16", "bfloat16"]),
)
def test_no_angle_is_off_by_more_than_its_bound(position, pair, name, dtype):
    line = pipeline(name, dtype)
    if dtype == "float16" and name == "naive":
        position %= 65_505
    theta = frequencies(128, BASE, line.frequency)[pair]
    stored = round_exact(Fraction(position), line.position)
    angle = round_exact(stored * theta, line.angle)
    assert abs(angle - position * theta) <= angle_error(position + 1, theta, line)


# ---------------------------------------------------------------------- the committed cases
def test_the_table_has_190_cells_and_four_without_a_bound():
    cells = worst_cases.saved()
    assert len(cells) == 190
    assert sum(cell.case is None for cell in cells) == 4


def test_mixed32_float32_is_attained_to_95_percent():
    for cell in worst_cases.saved():
        if (cell.pipeline, cell.dtype, cell.base) == ("mixed32", "float32", 10_000):
            found = errors(cell.line, cell.length, 128, BASE).relative
            assert Fraction(cell.measured) >= Fraction(95, 100) * found


def test_a_replay_finds_what_was_committed():
    for cell in worst_cases.saved()[::7]:
        if cell.case is None:
            continue
        gap, size = worst_cases.residual(cell.case, cell.line, cell.base)
        # Libraries differ by an ulp or two of the tables' format.
        allowed = 16 * float(cell.line.angle.unit_roundoff) + 1e-3 * cell.measured
        assert abs(float(gap / size) ** 0.5 - cell.measured) <= allowed


@pytest.mark.parametrize(
    ("pair", "i", "j", "shift", "least"),
    [(3, 472, 456, -16, 6.1e-5), (3, 3520, 3392, -128, 4.88e-4), (3, 30208, 31232, -1024, 3.9e-3)],
)
def test_the_printed_triples_are_bad_for_some_vector(pair, i, j, shift, least):
    line = pipeline("mixed32", "float32")
    angles = np.linspace(0, 2 * np.pi, 181)
    worst = max(
        float(gap / size)
        for angle in angles
        for gap, size in [
            worst_cases.residual(
                worst_cases.Case(
                    pair,
                    i,
                    j,
                    shift,
                    (1.0, 0.0),
                    tuple(np.float32([np.cos(angle), np.sin(angle)]).tolist()),
                ),
                line,
                10_000,
            )
        ]
    )
    assert worst**0.5 >= 0.97 * least


# ---------------------------------------------------------------------- the tolerance in use
def test_the_answer_rounds_up():
    answer = posproof.tolerance("rope.relative", **ASKED)
    assert Fraction(float(answer)) >= answer.bound
    assert Fraction(tolerances.printable(answer.bound)) >= answer.bound
    assert float(answer.bound) == pytest.approx(0.0314352, rel=1e-5)


def test_the_largest_stage_is_named():
    assert posproof.tolerance("rope.relative", **ASKED).dominated_by == "angle"


OTHERS = {"count": 16, "degree": 2, "gap": 1.5, "norms": 8, "heads": 8}


def inputs_of(name):
    needed = (*TOLERANCES[name].needs, *TOLERANCES[name].either[:1])
    return {key: (ASKED | OTHERS)[key] for key in needed}


@pytest.mark.parametrize("name", TOLERANCES)
def test_every_name_answers_and_cites_a_registered_claim(name):
    answer = posproof.tolerance(name, **inputs_of(name))
    assert answer.bound > 0
    assert posproof.claim(answer.claim).id in answer.cite
    if TOLERANCES[name].whole:  # tests/kernels/test_alibi.py runs its lines
        return
    for line in answer.lines:
        printed = Fraction(re.search(r"[ar]tol=([\d.]+e-?\d+)", line)[1])
        assert answer.asserted <= printed <= answer.asserted * (1 + Fraction(1, 10**4))


@pytest.mark.parametrize("name", TOLERANCES)
def test_every_name_says_what_it_needs(name):
    for missing in TOLERANCES[name].needs:
        asked = {key: value for key, value in inputs_of(name).items() if key != missing}
        with pytest.raises(posproof.BadInput, match=f"{name} needs {missing}"):
            posproof.tolerance(name, **asked)


@pytest.mark.parametrize("name", TOLERANCES)
def test_every_name_is_cited_in_every_format(name, capsys):
    for form in ("bibtex", "csl", "text"):
        assert main(["cite", name, "--format", form]) == 0
        assert TOLERANCES[name].claim in capsys.readouterr().out.replace("\\_", "_")


def paste(line, names):
    """Run a printed line as a user's test would."""
    exec(compile(line, "the printed line", "exec"), names)


def test_the_printed_assertion_sees_positions_in_bfloat16():
    """Positions 256 and 257 become one: a shift by one no longer turns the fastest pair."""
    line = pipeline("mixed32", "bfloat16")
    broken = replace(line, position=FORMATS["bfloat16"])
    answer = posproof.tolerance("rope.relative", **(ASKED | {"pipeline": "mixed32"}))
    one, zero, scores = np.array([1.0]), np.array([0.0]), []
    for i, j in ((0.0, 256.0), (1.0, 257.0)):
        u = worst_cases.turned((one, zero), worst_cases.waves(np.array([i]), 1.0, broken), line)
        v = worst_cases.turned((zero, one), worst_cases.waves(np.array([j]), 1.0, broken), line)
        scores.append(u[0] * v[0] + u[1] * v[1])
    with pytest.raises(AssertionError):
        paste(answer.lines[0], {"np": np, "norms": 1, "score": scores[0], "shifted": scores[1]})


def test_a_random_head_never_fails_the_printed_assertion():
    """bfloat16, tables cast from float32 angles: 20000 pairs of heads, corner shifts included."""
    line, length, count = pipeline("mixed32", "bfloat16"), 32_768, 20_000
    answer = posproof.tolerance(
        "rope.relative", **(ASKED | {"pipeline": "mixed32", "max_position": length})
    )
    source = np.random.default_rng(5)
    scores, squares = np.zeros((2, count)), np.zeros((2, count))
    i, j = source.integers(0, 64, (2, count)).astype(float)
    shift = np.where(
        source.random(count) < 0.5, length - 64.0, source.integers(0, length - 64, count)
    )
    for theta in frequencies(128, BASE, line.frequency):
        q, k = (round_array(source.standard_normal((2, count)), line.output) for _ in "qk")
        squares += np.stack([(q**2).sum(0), (k**2).sum(0)])
        for n, step in enumerate((0.0, shift)):
            u = worst_cases.turned(q, worst_cases.waves(i + step, float(theta), line), line)
            v = worst_cases.turned(k, worst_cases.waves(j + step, float(theta), line), line)
            scores[n] += u[0] * v[0] + u[1] * v[1]
    names = {"np": np, "norms": np.sqrt(squares[0] * squares[1])}
    paste(answer.lines[0], names | {"score": scores[0], "shifted": scores[1]})


def test_atol_is_the_bound_times_both_norms():
    answer = posproof.tolerance("rope.relative", **ASKED)
    q, k = np.full((2, 128), 1.0), np.full((3, 128), 2.0)
    expected = float(answer) * np.sqrt(128) * 2 * np.sqrt(128)
    assert answer.atol(q, k).shape == (2, 3)
    assert (answer.atol(q, k) >= expected * (1 - 1e-12)).all()
    assert (answer.atol(q, k) <= expected * (1 + 1e-12)).all()


def test_small_norms_enlarge_what_underflows():
    asked = ASKED | {"dtype": "float16", "pipeline": "mixed64"}
    answer = posproof.tolerance("rope.relative", **asked)
    tiny = np.zeros(128)
    tiny[0] = 2.0**-16
    large = np.zeros(128)
    large[0] = 1.0
    assert answer.atol(tiny[None], large[None])[0, 0] > 2 * float(answer) * 2.0**-16


@pytest.mark.parametrize("missing", ASKED)
def test_a_missing_argument_is_named(missing):
    asked = {key: value for key, value in ASKED.items() if key != missing}
    with pytest.raises(posproof.BadInput, match=f"needs {missing}"):
        posproof.tolerance("rope.relative", **asked)


@pytest.mark.parametrize(
    "changes",
    [
        {"dtype": "bfloat"},
        {"pipeline": "fused"},
        {"acc": "int8"},
        {"head_dim": 127},
        {"max_position": 0},
        {"base": 1},
    ],
)
def test_an_unusable_argument_is_refused(changes):
    with pytest.raises(posproof.BadInput):
        posproof.tolerance("rope.relative", **(ASKED | changes))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"dtype": "float16", "pipeline": "naive", "max_position": 65_506}, "overflow float16"),
        ({"pipeline": "naive"}, "guarantees nothing"),
    ],
)
def test_no_tolerance_is_answered_where_none_exists(changes, reason):
    with pytest.raises(posproof.NoTolerance, match=reason):
        posproof.tolerance("rope.relative", **(ASKED | changes))


# ---------------------------------------------------------------------- the command
WORDS = ["--dtype", "bfloat16", "--max-position", "131072", "--head-dim", "128", "--base", "10000"]


def test_the_command_prints_bound_model_and_lines(capsys):
    assert main(["tolerance", "rope.relative", "--pipeline", "fused32", *WORDS]) == 0
    printed = capsys.readouterr().out
    for part in (
        "3.14352e-2",
        "acc float64",
        "score not rounded",
        "assert_allclose",
        "assert_close",
    ):
        assert part in printed
    assert "no GPU kernel was measured" in printed


def test_the_command_names_a_missing_option(capsys):
    assert main(["tolerance", "rope.relative", *WORDS]) == 2
    assert "--pipeline" in capsys.readouterr().err


def test_json_has_the_promised_keys(capsys):
    assert main(["tolerance", "rope.relative", "--pipeline", "fused32", *WORDS, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    keys = "schema name claim inputs bound bound_exact measured typical formula terms vacuous"
    assert set(f"{keys} refused assumptions cite".split()) <= set(answer)
    assert Fraction(answer["bound"]) >= Fraction(answer["bound_exact"])


def test_a_refusal_is_exit_code_2_and_says_why_in_json(capsys):
    words = [*WORDS, "--pipeline", "naive", "--dtype", "float16", "--json"]
    assert main(["tolerance", "rope.relative", *words]) == 2
    assert "overflow float16" in json.loads(capsys.readouterr().out)["refused"]


def test_the_list_documents_every_name(capsys):
    assert main(["tolerance", "--list"]) == 0
    printed = capsys.readouterr().out
    for name, kind in TOLERANCES.items():
        assert name in printed and kind.bounds in printed


def test_a_tolerance_is_cited_by_its_claim(capsys):
    bibtexparser = pytest.importorskip("bibtexparser")
    assert main(["cite", "rope.relative"]) == 0
    library = bibtexparser.parse_string(capsys.readouterr().out)
    (entry,) = library.entries
    assert "precision.relative@1" in entry["note"]
    assert posproof.__version__ in entry["version"]


def test_the_table_says_where_there_is_no_bound():
    rows = tolerances.table()
    assert len(rows) == 190
    assert sum(row["bound"] is None for row in rows) == 4
    assert all(
        Fraction(row["measured"]) <= Fraction(row["bound"]) * (1 + Fraction(1, 10**5))
        for row in rows
        if row["bound"] is not None
    )


def test_eight_bit_formats_have_the_limits_of_ml_dtypes():
    import ml_dtypes

    for name in ("float8_e4m3fn", "float8_e5m2"):
        form, info = FORMATS[name], ml_dtypes.finfo(getattr(ml_dtypes, name))
        assert form.unit_roundoff == Fraction(float(info.eps)) / 2
        assert form.largest == Fraction(float(info.max))
        assert form.smallest_subnormal == Fraction(float(info.smallest_subnormal))


@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3fn", "float8_e5m2"])
def test_narrow_rounding_agrees_with_ml_dtypes(name):
    """From float32, which ml_dtypes rounds once; beyond the largest number it has a NaN."""
    form = FORMATS[name]
    values = np.random.default_rng(0).standard_normal(20_000).astype(np.float32)
    values *= np.float32(2.0) ** np.random.default_rng(1).integers(-20, 8, 20_000)
    rounded = round_array(values.astype(np.float64), form)
    theirs = values.astype(form.dtype).astype(np.float64)
    finite = np.isfinite(theirs)
    assert (rounded[finite] == theirs[finite]).all()
    assert not np.isfinite(rounded[~finite]).any()


def test_upward_never_rounds_down_a_bound():
    bound = errors(pipeline("mixed64", "float32"), 4096, 128, BASE).relative
    assert Fraction(upward(bound)) >= bound
