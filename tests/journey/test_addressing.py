"""Content addresses, relative kernels and value transport against printed values."""

import dataclasses
import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics.balls import ends, precision
from posproof.numerics.journey import addressing
from posproof.registry import Registry
from posproof.theory.journey import addressing as theory

CLAIMS = [
    theory.CONTENT_ADDRESS,
    theory.RELATIVE_LOGITS,
    theory.LINEAR_ATTENTION_LIMIT,
    theory.VALUE_TRANSPORT,
]
OF = theory.Addressing()


def agrees(value, printed):
    """Equal to the last printed digit, one unit up or down, for every number in a ball."""
    unit = Fraction(10) ** int(Decimal(printed).as_tuple().exponent)
    return all(abs(end - Fraction(printed)) <= unit for end in ends(value))


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


@pytest.mark.parametrize("field", [f.name for f in dataclasses.fields(OF)])
def test_no_definition_is_dead(field):
    """Each definition is altered by some control of the topic."""
    checks = [c for c in Registry().subject("journey").checks if c.claim in CLAIMS]
    assert field in {name for check in checks for k in check.controls for name in k.changes}


# ---------------------------------------------------------------------- journey.content_address
DOCUMENT = list(addressing.DOCUMENT)
LONGER = [(9, 3), DOCUMENT[2], DOCUMENT[0], (8, 2), DOCUMENT[1]]


def test_no_logit_changes_when_units_are_inserted_and_moved():
    logits = addressing.document_logits(DOCUMENT, addressing.unit_address)
    assert len(logits) == 81
    assert not addressing.changed_logits(DOCUMENT, LONGER, addressing.unit_address)


def test_plain_positions_change_every_pair_across_units_and_none_inside():
    changed = addressing.changed_logits(DOCUMENT, LONGER, addressing.global_rotary)
    assert len(changed) == 52
    assert all(i[0] != j[0] for i, j in changed)


def test_local_positions_survive_on_the_left_only():
    assert addressing.local_logits_agree(DOCUMENT, addressing.unit_address)
    assert not addressing.local_logits_agree(DOCUMENT, addressing.address_on_the_right)
    unit = addressing.document_logits([(1, 3)], addressing.unit_address)
    assert len(unit) == 9


def test_running_state_is_no_address():
    assert addressing.changed_logits(DOCUMENT, LONGER, addressing.running_address)


@pytest.mark.parametrize("units", [1, 4, 16])
def test_number_of_local_rotations_does_not_grow(units):
    local = {b - a for a in range(4) for b in range(4)}
    whole = {b - a for a in range(4 * units) for b in range(4 * units)}
    assert len(local) == 2 * 4 - 1
    assert len(whole) == 2 * 4 * units - 1


def test_contents_are_orthogonal():
    for key in range(5):
        C = addressing.content(key)
        assert C.transpose() * C == addressing.local_turn(0)


# ---------------------------------------------------------------------- journey.relative_logits
@pytest.mark.parametrize(
    ("length", "printed"),
    [(100, "0.599859601813034701754047023235"), (1000, "0.129345875045266709279948293305")],
)
def test_diluted_weight_at_gap_five(length, printed):
    with precision(200):
        assert agrees(1 / (1 + (length - 1) * arb(-5).exp()), printed)
    weight = addressing.target_weight(5.0, np.zeros(length - 1))
    assert abs(weight - float(printed)) < 1000 * 2.0**-53


def test_half_weight_length_at_gap_eight():
    with precision(200):
        assert agrees(1 + arb(8).exp(), "2981.95798704172827474359209945")


def test_weight_of_a_fixed_offset_falls_with_the_position():
    omega = 10000.0 ** (-np.arange(4) / 4)
    kernel = addressing.relative_kernel(np.ones(4), omega, np.zeros(4), np.arange(65))
    assert abs(kernel[3] - 1.9648895262775232) < 2.0**-50
    printed = {4: 0.06011900605455618, 16: 0.022309030437674023, 64: 0.009228632831189762}
    for i, weight in printed.items():
        seen = np.delete(kernel[: i + 1], 3)
        assert abs(addressing.target_weight(kernel[3], seen) - weight) < 2.0**-48
    assert abs(math.exp(kernel[3] - kernel[1]) - 0.207968959147477) < 1e-15


@pytest.mark.parametrize("length", [64, 1024, 32768])
def test_matched_kernel_keeps_its_margin(length):
    omega = 10000.0 ** (-np.arange(32) / 32)
    kernel = addressing.relative_kernel(np.ones(32), omega, -7 * omega, np.arange(length))
    assert kernel.argmax() == 7
    margin = kernel[7] - np.delete(kernel, 7).max()
    assert abs(margin - 1.0831683383809718) < 64 * 32768 * 2.0**-53


def test_exact_ranks_have_the_printed_values():
    for m in range(1, 5):
        tangents = addressing.usual_tangents(m)
        lengths = (2 * m - 1, 2 * m, 2 * m + 1, 2 * m + 6)
        ranks = [addressing.toeplitz_rank(tangents, L) for L in lengths]
        assert ranks == [2 * m - 1, 2 * m, 2 * m, 2 * m]


def test_equal_frequencies_merge_and_zero_frequency_counts_once():
    third = Fraction(1, 3)
    assert addressing.toeplitz_rank([third, third], 6) == 2
    assert addressing.toeplitz_rank([Fraction(0), third], 6) == 3


def test_quarter_phase_gives_the_zero_matrix_of_size_one():
    """Why the rank below length 2 m is at most L and not always L: phase pi/2, tangent 1."""
    assert addressing.toeplitz_rank([Fraction(1, 2)], 1, [Fraction(1)]) == 0
    assert addressing.toeplitz_rank([Fraction(1, 2)], 2, [Fraction(1)]) == 2


def test_zero_frequency_with_quarter_phase_contributes_nothing():
    tangents = [Fraction(0), Fraction(1, 3)]
    assert addressing.toeplitz_rank(tangents, 6, [Fraction(1), Fraction(0)]) == 2


# ------------------------------------------------------------- journey.linear_attention_limit
def test_least_kernel_of_the_full_ladder_comes_back():
    """m = 4, L = 8, D = 2 by the pseudo-inverse: 1, -1, 1 at 2, 10, 18 and 0 elsewhere."""
    omega = np.pi * (2 * np.arange(4) + 1) / 8
    offsets = np.arange(24)
    table = np.concatenate([np.cos(offsets[:, None] * omega), np.sin(offsets[:, None] * omega)], 1)
    kernel = table @ np.linalg.pinv(table[:8])[:, 2]
    wanted = np.zeros(24)
    wanted[[2, 10, 18]] = (1, -1, 1)
    assert np.abs(kernel - wanted).max() <= 1e-12
    assert np.abs(kernel - addressing.ladder_kernel(omega, 2, offsets)).max() <= 1e-12


@pytest.mark.parametrize("D", [0, 1])
@pytest.mark.parametrize("m", [1, 2, 3])
def test_retrieval_ends_at_two_offsets_a_plane(m, D):
    tangents = addressing.usual_tangents(m)
    found = {L: addressing.solvable(tangents, L, D) for L in range(2 * m - 1, 2 * m + 3) if L > D}
    assert found == {L: 2 * m >= L for L in found}


def test_resonant_plane_attains_the_bound():
    quarter = [Fraction(1)]
    assert addressing.solvable(quarter, 3, 1)
    assert not addressing.solvable(quarter, 4, 1)


def test_repeated_frequency_has_singular_windows():
    third = Fraction(1, 3)
    assert addressing.window_matrix([third, third], 2).det() == 0


# ---------------------------------------------------------------------- journey.value_transport
@given(st.integers(0, 10**6), st.integers(1, 8), st.integers(1, 6))
def test_linear_route_is_the_quadratic_one(seed, n, d):
    source = np.random.default_rng(seed)
    frames = np.linalg.qr(source.normal(size=(n, d, d)))[0]
    weights = source.dirichlet(np.ones(n), size=n)
    values = source.normal(size=(n, d))
    gap = addressing.transport_values(frames, weights, values)
    gap = gap - addressing.transported_one_by_one(frames, weights, values)
    assert np.abs(gap).max() <= float(addressing.values_bound(n, d, values).value)


def test_global_outputs_move_with_the_gauge():
    source = np.random.default_rng(1)
    frames = np.linalg.qr(source.normal(size=(5, 3, 3)))[0]
    gauge = np.linalg.qr(source.normal(size=(3, 3)))[0]
    weights, values = source.dirichlet(np.ones(5), size=5), source.normal(size=(5, 3))
    before = addressing.global_values(frames, weights, values)
    after = addressing.global_values(gauge @ frames, weights, values)
    assert np.abs(after - before @ gauge.T).max() < 1e-14
    wanted = np.linalg.norm(before @ (gauge - np.eye(3)).T, axis=1)
    assert np.abs(np.linalg.norm(after - before, axis=1) - wanted).max() < 1e-14
