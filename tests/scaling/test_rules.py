"""The scaling rules: proofs, controls, and ladders against the printed values."""

from dataclasses import replace
from fractions import Fraction

import pytest
from flint import arb

from posproof.numerics.balls import ends, precision
from posproof.numerics.frequency_rules import BITS, Rule, ramp_ends, scaled_ladder
from posproof.theory.scaling import rules as theory

CLAIMS = (
    theory.INTERPOLATION,
    theory.NTK,
    theory.YARN,
    theory.DYNAMIC_NTK,
    theory.LONGROPE,
    theory.LLAMA3,
)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


def agrees(value, printed):
    """Equal to the last printed digit, one unit up or down."""
    unit = Fraction(1, 10 ** len(printed.partition(".")[2]))
    low, high = ends(value)
    return abs(low - Fraction(printed)) <= unit and abs(high - Fraction(printed)) <= unit


def test_the_ntk_ladder_against_printed_values():
    rule = Rule("ntk", 128, 10_000, 128, factor=8)
    found = scaled_ladder(rule).frequencies
    assert agrees(found[63], "0.00001443477480861822724583104")
    assert agrees(found[32], "0.003477664048114573903920205")
    with precision(BITS):
        assert agrees(
            (arb(10_000).log() + arb(8).log() * 128 / 126).exp(), "82684.6226405622184362597"
        )
        plain = Rule("default", 128, 10_000, 128)
        assert (found[63] * 8 - scaled_ladder(plain).frequencies[63]).contains(0)


def test_the_yarn_ladder_against_printed_values():
    rule = Rule("yarn", 128, 10_000, 128, factor=4, context=4096)
    low, high = ramp_ends(rule)
    assert (low, high) == (20, 46)
    turning = [ramp_ends(replace(rule, truncate=False))[side] for side in (0, 1)]
    assert agrees(turning[0], "20.94448162063605307089864")
    assert agrees(turning[1], "45.02688127375454868799775")
    printed = {
        20: "0.0562341325190349080394951",
        21: "0.04729203850168478327737024",
        30: "0.009488517882700574798078745",
        45: "0.0004294025889973583432456163",
        46: "0.0003333803580408310064189829",
        63: "0.00002886954961723645449166207",
    }
    ladder = scaled_ladder(rule)
    for plane, value in printed.items():
        assert agrees(ladder.frequencies[plane], value), plane
    assert agrees(ladder.attention_factor, "1.138629436111989061883446")
    assert agrees(
        scaled_ladder(replace(rule, factor=40)).attention_factor, "1.368887945411393630285246"
    )


def test_dynamic_growth_at_the_nominal_length():
    for s, at_nominal in ((4, 13), (8, 57)):
        assert theory.OF.growth(s * 1024, 1024, s) == at_nominal
    assert [theory.OF.growth(8, 1, s) for s in (2, 8)] == [15, 57]


def test_longrope_factor_against_the_printed_value():
    rule = Rule(
        "longrope", 64, 10_000, 64, factor=32, context=4096,
        short_factor=(1,) * 32, long_factor=(2,) * 32,
    )  # fmt: skip
    assert agrees(scaled_ladder(rule).attention_factor, "1.1902380714238083329999")


def test_the_llama3_ladder_against_printed_values():
    rule = Rule(
        "llama3", 128, 500_000, 128,
        factor=8, context=8192, low_freq_factor=1, high_freq_factor=4,
    )  # fmt: skip
    printed = (
        "0.003211445994752591018543489",
        "0.00216657076350335860934158",
        "0.001371893567761138160399704",
        "0.0008567514129196320810743358",
        "0.0005248461609929546697272911",
        "0.0003126937503840651322159045",
        "0.0001785078127679964185236747",
        "0.00009556212353964683019868397",
    )
    ladder = scaled_ladder(rule).frequencies
    for plane, value in enumerate(printed, start=28):
        assert agrees(ladder[plane], value), plane


def test_interpolated_kernel_at_100_is_the_old_one_at_25():
    new = scaled_ladder(Rule("linear", 128, 10_000, 128, factor=4)).frequencies
    old = scaled_ladder(Rule("default", 128, 10_000, 128)).frequencies
    with precision(BITS):
        gap = sum(((a * 100).cos() - (b * 25).cos() for a, b in zip(new, old, strict=True)), arb(0))
        assert gap.contains(0)
        assert abs(gap) < arb(10) ** -40
