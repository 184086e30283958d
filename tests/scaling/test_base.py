"""The base bound against the reference values, and its search and verifier against plain sums."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics import base_search
from posproof.numerics.balls import ends, precision
from posproof.numerics.base_balls import (
    BITS,
    CRITERION,
    all_values,
    decimal,
    derivative,
    infimum_of,
    killed,
    point,
    refined,
    stays_positive,
    supremum_of,
    value,
    violation_after,
    window_end_of,
)
from posproof.numerics.scaling import base as scaling
from posproof.proofs_check.decide import decide
from posproof.proofs_check.scaling import base as proofs
from posproof.theory.scaling.base import BASE_BOUND, ROWS, bracket
from posproof.theory.vocabulary import Check, Run

INFIMA = {
    "1k": "4293.437569262578416138451",
    "2k": "11587.24430311107060772849",
    "4k": "26952.33922785786787501572",
    "8k": "83763.84101543443419305027",
    "16k": "231643.6468069074746887712",
    "32k": "629978.2628550440026379936",
    "64k": "2090179.674054196912889491",
    "128k": "4869104.370528780804099557",
    "256k": "23662397.03696613371526258",
    "512k": "58496173.80216229846414059",
    "1M": "65374955.14408099158898089",
}
SUPREMA = {
    "1k": "6018.280857279569422506991",
    "2k": "22764.30379249664340382221",
    "4k": "58789.50415063161181819945",
    "8k": "394327.904589571542145409",
    "16k": "1321077.957364502452303147",
    "32k": "3325751.031446318712358116",
    "64k": "14949413.92618185332447295",
    "128k": "42273617.46333282296788725",
    "256k": "269364728.5386692077952217",
    "512k": "1298576133.269432016812446",
    "1M": "3914047850.957370577838728",
}
WINDOW_ENDS = {"1k": 4330.32, "2k": 11649.35, "4k": 26973.08, "8k": 84469.69, "16k": 231721.8}

CHECKS = [check for check in vars(scaling).values() if isinstance(check, Check)]
QUICK = [check for check in CHECKS if check.scope.quick]


def agrees(found: str, printed: str) -> bool:
    """Equal to the last printed digit, one unit up or down."""
    unit = Fraction(1, 10 ** len(printed.partition(".")[2]))
    return abs(Fraction(found) - Fraction(printed)) <= unit


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.label)
def test_roots_agree_with_the_reference_to_25_digits(row):
    infimum, supremum = refined(CRITERION, infimum_of(row)), refined(CRITERION, supremum_of(row))
    assert agrees(decimal(infimum.low), INFIMA[row.label])
    assert agrees(decimal(supremum.low), SUPREMA[row.label])


@pytest.mark.parametrize("label", WINDOW_ENDS)
def test_first_windows_end_where_the_reference_says(label):
    row = scaling.BY_LABEL[label]
    end = refined(CRITERION, window_end_of(row))
    printed = WINDOW_ENDS[label]
    assert abs(float(end.low) - printed) < (0.05 if label == "16k" else 0.01)


@pytest.mark.parametrize("check", QUICK, ids=lambda check: check.name)
def test_every_quick_check_holds(check):
    assert check.run(check.definitions, Run()).outcome == "holds"


@pytest.mark.parametrize(
    ("check", "attack"),
    [(check, attack) for check in QUICK for attack in check.controls],
    ids=lambda x: x.name,
)
def test_every_control_is_refuted_with_a_witness(check, attack):
    evidence = check.run(replace(check.definitions, **attack.changes), Run())
    assert evidence.outcome == "refuted"
    assert evidence.witness


def test_every_ball_check_has_a_control():
    assert all(check.controls for check in CHECKS)


def test_every_numerical_clause_has_a_check():
    measured = {check.clause for check in CHECKS}
    proved_elsewhere = {check.clause for check in PROOFS}
    assert measured | proved_elsewhere == {clause.name for clause in BASE_BOUND.clauses}


@given(st.integers(2, 3000), st.floats(0.5, 20))
def test_float_values_agree_with_plain_sums(context, x):
    offset = context - 1
    plain = math.fsum(math.cos(offset * math.exp(-x * i / 64)) for i in range(64))
    # angles below 3000 with a relative error below 32 u, 64 planes
    assert abs(base_search.offsets_values(context, x)[offset] - plain) < 64 * 3000 * 32 * 2.0**-53


@given(st.integers(1, 700), st.integers(1, 18 * 2**20), st.data())
def test_ball_matrix_products_contain_the_plain_ball_sums(context, coarse, data):
    x = point(coarse << 28)
    with precision(BITS):
        values = all_values(CRITERION, context, x)
        offset = data.draw(st.integers(0, context - 1))
        plain = value(CRITERION, offset, x)[0]
    assert len(values) == context
    assert values[offset].overlaps(plain)
    assert values[offset].rad() < 1e-9


@given(st.integers(1, 4000), st.floats(0.5, 20))
def test_the_derivative_is_the_slope_of_the_value(offset, x):
    with precision(200):
        step = arb(2) ** -60
        left, right = (value(CRITERION, offset, arb(x) + s * step)[0] for s in (-1, 1))
        slope, bound = derivative(CRITERION, offset, arb(x)), value(CRITERION, offset, arb(x))[1]
        # the third derivative is below 64 * 4000^3 * 2, times step^2 / 6
        assert abs((right - left) / (2 * step) - slope) < arb(2) ** -70
        assert abs(slope) <= bound * offset + arb(2) ** -100


def test_a_cover_with_one_step_too_long_is_not_accepted():
    cover = base_search.saved(1024)
    assert all(killed(CRITERION, cover, 1024))
    longer = replace(cover, steps=cover.steps.copy())
    longer.steps[700] *= 2
    assert not all(killed(CRITERION, longer, 1024))


def test_a_witness_outside_the_context_is_not_accepted():
    cover = base_search.saved(1024)
    assert not all(killed(CRITERION, cover, int(cover.witnesses.max())))


def test_the_committed_covers_are_what_the_search_finds():
    for context in (1024, 2048):
        cover, again = base_search.saved(context), base_search.violated_cover(context)
        end, end_again = cover.starts[-1], again.starts[-1]
        # another libm may choose other witnesses; both must reach the same edge
        assert abs(end - end_again) < 2**20 * base_search.EDGE
        assert all(killed(CRITERION, again, context))


def test_a_walk_stops_at_the_end_of_the_window():
    row = scaling.BY_LABEL["1k"]
    inside = int(math.log(4300) * 2**48)
    with precision(BITS):
        walk = stays_positive(CRITERION, 1024, inside, int(math.log(4400) * 2**48))
        assert not walk.arrived
        assert walk.violated_at == row.window_offset
        assert value(CRITERION, walk.violated_at, point(walk.at))[0] < 0
        assert violation_after(CRITERION, 1024, inside, inside + 1) == (inside, None)


def test_brackets_hold_one_unit_of_the_last_digit():
    assert bracket("1.50") == (Fraction(3, 2), Fraction(151, 100))
    for row in ROWS:
        for low in (row.infimum, row.window_end, row.supremum):
            assert sum(c.isdigit() for c in low) <= 11


def test_the_table_is_ordered():
    for row in ROWS:
        assert Fraction(row.infimum) < Fraction(row.window_end) < Fraction(row.supremum)
    assert all(a.context * 2 == b.context for a, b in zip(ROWS, ROWS[1:], strict=False))


def test_cover_file_is_small_and_holds_integers_only():
    assert base_search.COVERS.stat().st_size < 200_000
    with np.load(base_search.COVERS, allow_pickle=False) as covers:
        assert all(np.issubdtype(covers[name].dtype, np.unsignedinteger) for name in covers.files)


def test_points_are_exact():
    assert ends(point(3)) == (Fraction(3, 2**48), Fraction(3, 2**48))


PROOFS = [check for check in vars(proofs).values() if isinstance(check, Check)]


@pytest.mark.parametrize("check", PROOFS, ids=lambda check: check.name)
def test_every_exact_clause_is_proved(check):
    decision = decide(check, check.definitions)
    assert decision.outcome == "holds"
    assert all(trust.tier == "cited" for trust in decision.trusts)


@pytest.mark.parametrize(
    ("check", "attack"),
    [(check, attack) for check in PROOFS for attack in check.controls],
    ids=lambda x: x.name,
)
def test_every_exact_control_is_refuted(check, attack):
    decision = decide(check, replace(check.definitions, **attack.changes), point=attack.point)
    assert decision.outcome == "refuted"
