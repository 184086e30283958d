"""Linear biases: the printed thresholds and table, real casts, and the tolerance in use."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

import posproof
from posproof.cli import main
from posproof.numerics import alibi_distances as alibi
from posproof.numerics.balls import ends, precision
from posproof.numerics.formats import FORMATS, round_exact
from posproof.numerics.kernels import alibi as numerics
from posproof.proofs_check.decide import decide
from posproof.proofs_check.kernels import alibi as proofs
from posproof.theory.kernels import alibi as theory
from posproof.theory.vocabulary import Check, Run

EXACT = [c for c in vars(proofs).values() if isinstance(c, Check)]
MEASURED = [c for c in vars(numerics).values() if isinstance(c, Check)]

#: T ln 2, to nearest and flushed.
THRESHOLDS = {
    ("float32", False): "103.9720770839917964125848",
    ("bfloat16", False): "92.88172219503267146190910",
    ("float16", False): "17.32867951399863273543080",
    ("float8_e4m3fn", False): "6.931471805599453094172321",
    ("float8_e5m2", False): "11.78350206951907026009295",
    ("float64", False): "745.1332191019412076235245",
    ("float32", True): "87.33654475055310898657125",
    ("bfloat16", True): "87.33654475055310898657125",
    ("float16", True): "9.704060527839234331841250",
}

#: Heads, format, rounding; dead pairs / dead triples / heads with a dead distance, from L = 1024
#: to 131072.
TABLE = """
8 float32 RNE 0.1973/0.1279/3 0.3096/0.2288/4 0.4282/0.3414/5 0.5501/0.4601/6
    0.6735/0.5820/7 0.7977/0.7054/8 0.8989/0.8252/8 0.9494/0.9057/8
8 float32 FTZ 0.2256/0.1527/3 0.3400/0.2573/4 0.4597/0.3719/5 0.5820/0.4917/6
    0.7057/0.6141/7 0.8301/0.7377/8 0.9150/0.8495/8 0.9575/0.9199/8
8 bfloat16 RNE 0.2161/0.1438/3 0.3298/0.2471/4 0.4492/0.3611/5 0.5714/0.4805/6
    0.6950/0.6027/7 0.8193/0.7263/8 0.9096/0.8412/8 0.9548/0.9151/8
8 bfloat16 FTZ 0.2256/0.1527/3 0.3400/0.2573/4 0.4597/0.3719/5 0.5820/0.4917/6
    0.7057/0.6141/7 0.8301/0.7377/8 0.9150/0.8495/8 0.9575/0.9199/8
8 float16 RNE 0.4935/0.4111/5 0.6165/0.5320/6 0.7405/0.6550/7 0.8651/0.7790/8
    0.9325/0.8773/8 0.9663/0.9356/8 0.9831/0.9670/8 0.9916/0.9833/8
8 float16 FTZ 0.6003/0.5123/6 0.7243/0.6351/7 0.8488/0.7590/8 0.9244/0.8642/8
    0.9622/0.9282/8 0.9811/0.9632/8 0.9906/0.9813/8 0.9953/0.9906/8
12 float32 RNE 0.2975/0.2036/6 0.4498/0.3427/8 0.5739/0.4802/9 0.6776/0.5974/10
    0.7711/0.6994/11 0.8595/0.7925/12 0.9298/0.8779/12 0.9649/0.9344/12
12 float32 FTZ 0.3327/0.2364/7 0.4845/0.3797/8 0.6020/0.5122/9 0.7025/0.6250/10
    0.7944/0.7242/11 0.8820/0.8158/12 0.9410/0.8950/12 0.9705/0.9442/12
12 bfloat16 RNE 0.3191/0.2249/6 0.4729/0.3668/8 0.5927/0.5011/9 0.6942/0.6154/10
    0.7866/0.7155/11 0.8745/0.8076/12 0.9373/0.8892/12 0.9686/0.9409/12
12 bfloat16 FTZ 0.3327/0.2364/7 0.4845/0.3797/8 0.6020/0.5122/9 0.7025/0.6250/10
    0.7944/0.7242/11 0.8820/0.8158/12 0.9410/0.8950/12 0.9705/0.9442/12
12 float16 RNE 0.6322/0.5512/9 0.7292/0.6589/10 0.8195/0.7552/11 0.9063/0.8452/12
    0.9531/0.9144/12 0.9766/0.9552/12 0.9883/0.9771/12 0.9941/0.9884/12
12 float16 FTZ 0.7167/0.6425/10 0.8078/0.7402/11 0.8950/0.8310/12 0.9475/0.9053/12
    0.9737/0.9501/12 0.9869/0.9744/12 0.9934/0.9870/12 0.9967/0.9935/12
16 float32 RNE 0.2231/0.1527/6 0.3374/0.2570/8 0.4570/0.3715/10 0.5793/0.4911/12
    0.7030/0.6135/14 0.8273/0.7371/16 0.9137/0.8480/16 0.9568/0.9188/16
16 float32 FTZ 0.2495/0.1773/7 0.3655/0.2849/9 0.4860/0.4010/11 0.6088/0.5215/13
    0.7327/0.6443/15 0.8550/0.7681/16 0.9275/0.8695/16 0.9637/0.9311/16
16 bfloat16 RNE 0.2393/0.1687/6 0.3547/0.2751/8 0.4749/0.3906/10 0.5975/0.5109/12
    0.7213/0.6335/14 0.8457/0.7573/16 0.9229/0.8622/16 0.9614/0.9270/16
16 bfloat16 FTZ 0.2495/0.1773/7 0.3655/0.2849/9 0.4860/0.4010/11 0.6088/0.5215/13
    0.7327/0.6443/15 0.8550/0.7681/16 0.9275/0.8695/16 0.9637/0.9311/16
16 float16 RNE 0.5272/0.4405/11 0.6506/0.5622/13 0.7748/0.6855/15 0.8848/0.8063/16
    0.9424/0.8940/16 0.9712/0.9447/16 0.9856/0.9718/16 0.9928/0.9857/16
16 float16 FTZ 0.6311/0.5420/13 0.7552/0.6651/15 0.8710/0.7880/16 0.9355/0.8825/16
    0.9677/0.9384/16 0.9839/0.9685/16 0.9919/0.9840/16 0.9960/0.9920/16
32 float32 RNE 0.2363/0.1650/13 0.3514/0.2709/17 0.4714/0.3862/21 0.5940/0.5063/25
    0.7177/0.6288/29 0.8411/0.7525/32 0.9205/0.8587/32 0.9603/0.9249/32
32 float32 FTZ 0.2645/0.1904/14 0.3812/0.2992/18 0.5021/0.4160/22 0.6250/0.5369/26
    0.7490/0.6598/30 0.8665/0.7827/32 0.9332/0.8789/32 0.9666/0.9364/32
32 bfloat16 RNE 0.2544/0.1813/13 0.3705/0.2892/17 0.4911/0.4055/21 0.6139/0.5261/25
    0.7378/0.6489/29 0.8580/0.7722/32 0.9290/0.8721/32 0.9645/0.9325/32
32 bfloat16 FTZ 0.2645/0.1904/14 0.3812/0.2992/18 0.5021/0.4160/22 0.6250/0.5369/26
    0.7490/0.6598/30 0.8665/0.7827/32 0.9332/0.8789/32 0.9666/0.9364/32
32 float16 RNE 0.5428/0.4555/23 0.6663/0.5774/27 0.7906/0.7009/31 0.8940/0.8193/32
    0.9470/0.9018/32 0.9735/0.9489/32 0.9867/0.9740/32 0.9934/0.9869/32
32 float16 FTZ 0.6454/0.5572/26 0.7697/0.6805/30 0.8812/0.8017/32 0.9406/0.8910/32
    0.9703/0.9431/32 0.9852/0.9709/32 0.9926/0.9853/32 0.9963/0.9926/32
"""


@pytest.mark.parametrize("check", EXACT, ids=lambda c: c.clause)
def test_every_clause_is_proved_and_every_control_refuted(check):
    assert decide(check, check.definitions).outcome == "holds"
    for control in check.controls:
        altered = replace(check.definitions, **control.changes)
        found = decide(check, altered, Run(), control.point)
        assert (found.outcome, bool(found.theorem)) == ("refuted", True), control.name


@pytest.mark.parametrize("check", MEASURED, ids=lambda c: c.name)
def test_every_measurement_holds_and_every_control_is_refuted(check):
    assert check.run(check.definitions, Run()).outcome == "holds"
    for control in check.controls:
        found = check.run(replace(check.definitions, **control.changes), Run())
        assert found.outcome == "refuted" and found.witness, control.name


@pytest.mark.parametrize(("name", "flushed"), THRESHOLDS)
def test_thresholds_agree_to_the_last_printed_digit(name, flushed):
    printed = THRESHOLDS[name, flushed]
    unit = Fraction(1, 10 ** len(printed.partition(".")[2]))
    with precision(200):
        low, high = ends(alibi.vanishing(FORMATS[name], flushed) * arb.const_log2())
    assert Fraction(printed) - unit <= low <= high <= Fraction(printed) + unit


@pytest.mark.parametrize("row", TABLE.replace("\n    ", " ").strip().split("\n"))
def test_the_table_agrees_to_four_digits(row):
    heads, name, mode, *cells = row.split()
    assert len(cells) == 8
    first = alibi.heads_dead(int(heads), alibi.vanishing(FORMATS[name], mode == "FTZ"))
    for k, cell in enumerate(cells):
        pairs, triples, dead = cell.split("/")
        length = 1024 * 2**k
        half = Fraction(1, 20_000)
        assert abs(alibi.dead_pairs(first, length) - Fraction(pairs)) <= half
        assert abs(alibi.dead_triples(first, length) - Fraction(triples)) <= half
        assert alibi.dead_heads(first, length) == int(dead)


def test_the_two_floors_have_the_same_slopes():
    for heads in range(1, 129):
        assert alibi.exponents(heads) == theory.exponents(heads)
    assert theory.exponents(12)[8:] == tuple(Fraction(x, 2) for x in (1, 3, 5, 7))


def test_every_head_is_blind_from_26618_on():
    first = alibi.heads_dead(8, alibi.vanishing(FORMATS["float32"]))
    assert alibi.dead_heads(first, 26_617) == 7
    assert alibi.dead_heads(first, 26_618) == 8


@settings(max_examples=200, deadline=None)
@given(
    st.fractions(Fraction(1, 1000), 20, max_denominator=10**6),
    st.sampled_from(sorted(FORMATS)),
    st.integers(-3, 3),
)
def test_a_rational_slope_dies_at_its_ceiling(slope, name, step):
    """Against the nearest number of the format, from an enclosure of the exponential."""
    form = FORMATS[name]
    delta = alibi.first_dead(alibi.given(slope), alibi.vanishing(form))
    d = max(0, delta + step)
    with precision(400):
        weight = (-arb(slope.numerator) / slope.denominator * d).exp()
        low, high = (round_exact(end, form) for end in ends(weight))
    assert low == high
    assert (low == 0) == (d >= delta)


def test_an_exponent_beyond_every_precision_is_refused():
    from posproof.numerics.balls import Undefined

    with pytest.raises(Undefined):
        alibi.first_dead(arb.const_log2, 150)  # exactly 150


# ---------------------------------------------------------------------- the tolerance in use
@pytest.mark.parametrize("rounding", ["nearest", "flush"])
@pytest.mark.parametrize("name", ["float32", "float16", "bfloat16", "float8_e4m3fn", "float64"])
def test_the_printed_line_passes_up_to_the_distance_and_not_beyond(name, rounding):
    answer = posproof.tolerance("alibi.alive_distance", dtype=name, heads=8, rounding=rounding)
    d, form = np.arange(int(answer.bound) + 2), FORMATS[name]
    with np.errstate(under="ignore"):
        weights = np.exp(-d / 2.0).astype(form.dtype).astype(np.float64)
    if rounding == "flush":
        weights[weights < float(form.smallest_normal)] = 0
    line = answer.lines[0]
    exec(compile(line, "the printed line", "exec"), {"np": np, "weights": weights})
    later = line.replace(f"{answer.bound} + 1", f"{answer.bound} + 2")
    with pytest.raises(AssertionError):
        exec(compile(later, "the printed line", "exec"), {"np": np, "weights": weights})


def test_the_steepest_head_decides():
    answer = posproof.tolerance("alibi.alive_distance", dtype="float32", heads=12)
    assert answer.bound == min(answer.terms.values()) == 147
    slope = posproof.tolerance("alibi.alive_distance", dtype="float32", slope=0.5)
    assert slope.bound == 207
    assert "torch" not in answer.lines[0]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"heads": 8}, "needs dtype"),
        ({"dtype": "float32"}, "needs --heads or --slope"),
        ({"dtype": "float32", "heads": 8, "slope": 0.5}, "not both"),
        ({"dtype": "float32", "heads": 0}, "heads is a number"),
        ({"dtype": "float32", "slope": 0.0}, "slope is a positive"),
        ({"dtype": "float32", "heads": 8, "rounding": "truncate"}, "or flush"),
        ({"dtype": "float32", "heads": 8, "max_position": 8}, "no use for max_position"),
    ],
)
def test_what_is_missing_or_useless_is_named(asked, words):
    with pytest.raises(posproof.BadInput, match=words):
        posproof.tolerance("alibi.alive_distance", **asked)


def test_other_tolerances_know_no_flushing():
    with pytest.raises(posproof.BadInput, match="nearest"):
        posproof.tolerance("shear.product", dtype="float32", count=4, rounding="flush")


def test_the_command_prints_whole_positions(capsys):
    words = ["tolerance", "alibi.alive_distance", "--dtype", "float16", "--heads", "8"]
    assert main(words) == 0
    printed = capsys.readouterr().out
    assert "bound     34  in units of positions" in printed
    assert "head 8, m = 2^-8  4436" in printed
    assert main([*words, "--rounding", "flush", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["bound"], answer["bound_exact"], answer["claim"]) == (
        "19",
        "19",
        "kernels.alibi_underflow",
    )


def test_the_list_says_that_one_of_two_is_needed(capsys):
    assert main(["tolerance", "--list"]) == 0
    assert "needs --dtype and --heads or --slope" in capsys.readouterr().out
