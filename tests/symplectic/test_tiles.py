"""Tiles of scores: proofs, printed factors, and agreement with single pairs."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from flint import arb

from posproof.numerics import shear_powers as kernels
from posproof.numerics.balls import exact, precision
from posproof.numerics.formats import FORMATS
from posproof.numerics.symplectic import tiles as measured
from posproof.proofs_check.kernel import Rejected, establishes
from posproof.proofs_check.search import Undecided
from posproof.proofs_check.symplectic import tiles as proofs
from posproof.proofs_check.translate import node
from posproof.theory.symplectic import tiles as theory
from posproof.theory.vocabulary import Check

CLAIMS = [theory.TILES]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


# ---------------------------------------------------------------------- a proof is no weaker bound
@pytest.mark.parametrize("clause", ["entries", "underflow"])
def test_one_rounding_less_is_not_proved(clause):
    checks = {c.clause: c for c in vars(proofs).values() if isinstance(c, Check)}
    check = checks[clause]
    of = replace(check.definitions, entry_roundings=5)
    try:
        theorem = check.run(of)
    except (Undecided, Rejected, AttributeError, IndexError, TypeError, ValueError, StopIteration):
        return
    assert not establishes(theorem, node(check.claim.clause(clause).statement(of)))


# ---------------------------------------------------------------------- factors and tiles
def largest_rate() -> float:
    """The fastest of 8 channel pairs, seed 0."""
    source = np.random.default_rng(0)
    gamma = source.uniform(0.02, 0.3, 8)
    return float((gamma + gamma * source.uniform(0.1, 0.95, 8)).max())


@pytest.mark.parametrize(("block", "printed"), [(32, 1120.83), (64, 1.5756e6), (128, 3.1137e12)])
def test_printed_largest_factors(block, printed):
    rates = measured.channels(0)
    assert float(max(rates)) == largest_rate()
    query, key = kernels.tile_factors(rates, block, kernels.Storage(FORMATS["float32"]))
    bound = math.exp(float(max(rates)) * (block - 1) / 2)
    assert query.max() == pytest.approx(bound, rel=1.001 * 2**-24)
    assert key.max() == query.max()
    assert bound == pytest.approx(printed, rel=1e-4)


def test_tiles_agree_with_single_pairs():
    """float64 tiles against the scores of pairs in balls."""
    rates = measured.channels(1)[:4]
    source = np.random.default_rng(2)
    x, y = source.standard_normal((2, 64, 4))
    found = kernels.tile_scores(x, y, rates, 16, kernels.Storage(FORMATS["float64"]))
    with precision(200):
        for i, j in ((63, 0), (17, 15), (16, 15), (5, 5), (40, 3)):
            wanted = sum(
                arb(x[i, c]) * arb(y[j, c]) * arb(exact(-rates[c] * (i - j))).exp()
                for c in range(4)
            )
            size = sum(abs(x[i, c] * y[j, c]) for c in range(4))
            assert abs(arb(found[i, j]) - wanted) <= 10 * 2.0**-53 * size
    assert (np.triu(found, 1) == 0).all()


def test_errors_stay_below_four_units_of_the_largest_size():
    for case in measured.CASES[:4]:
        errors, size, _, _ = measured.tile_errors(kernels.TILING, case, 256, 8, 0)
        unit = float(FORMATS[case.name].unit_roundoff)
        assert errors.max() <= 4 * unit * size.max()


def test_the_bound_of_an_entry_is_what_the_claim_counts():
    """2 P + 6 roundings for P = 8."""
    for form in FORMATS.values():
        assert kernels.entry_bound(16, form) == kernels.score_bound(form, 22)
