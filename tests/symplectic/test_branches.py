"""Damping, rates and norms against printed values and independent computation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics.balls import precision
from posproof.numerics.symplectic import branches as measured
from posproof.theory.symplectic import branches as theory

U64 = 2.0**-53
CLAIMS = [theory.DAMPING]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


# ---------------------------------------------------------------------- damping
def test_printed_residual_of_two_dampings(agrees):
    with precision(200):
        left = measured.residual(fmpq(1, 10), fmpq(1, 5))
        assert agrees(left, "0.07420")
        assert left >= abs((arb(fmpq(-1, 5))).exp() - (arb(fmpq(-2, 5))).exp()) / 2 - arb(2) ** -150


def test_printed_rates():
    """mu = 0.06 and gamma = 0.1 decay at 0.04 and 0.16."""
    values = np.linalg.eigvals(measured.damped(0.1, *measured.shears_of(0.06, 0.5)))
    rates = np.sort(-np.log(values))
    bound = float(measured.eigenvalue_bound(0.1, 0.06, 0.5).value)
    assert np.abs(rates - [0.04, 0.16]).max() <= bound


def test_the_alternating_branch_has_negative_eigenvalues():
    """a b = -4.1: mu = 0.3149..., and both eigenvalues are negative."""
    values = np.sort(np.linalg.eigvals(measured.damped(0.2, 2.05, -2.0)))
    mu = math.acosh(-1 + 4.1 / 2)
    wanted = np.sort([-math.exp(-(0.2 - mu)), -math.exp(-(0.2 + mu))])
    assert np.abs(values / wanted - 1).max() <= 2.0**-40


@given(st.integers(1, 4), st.integers(0, 10**6))
def test_blocks_of_one_damping_are_conformally_symplectic(pairs, seed):
    source = np.random.default_rng(seed)
    a, b = source.uniform(-2, 2, (2, pairs))
    gamma = source.uniform(0, 1)
    size = 2 * pairs
    matrix, form = np.zeros((size, size)), np.zeros((size, size))
    for index in range(pairs):
        at = slice(2 * index, 2 * index + 2)
        matrix[at, at], form[at, at] = measured.damped(gamma, a[index], b[index]), measured.J
    left = matrix.T @ form @ matrix
    bound = max(float(measured.conformal_bound(gamma, *x).value) for x in zip(a, b, strict=True))
    assert np.abs(left - math.exp(-2 * gamma) * form).max() <= bound


def test_at_equal_rate_and_damping_one_direction_stays():
    matrix = measured.damped(0.3, *measured.shears_of(0.3, 2.0))
    start = np.array([1.0, 2.0])
    assert np.abs(np.linalg.matrix_power(matrix, 50) @ start - start).max() <= 50 * 64 * U64
