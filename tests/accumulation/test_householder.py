"""Householder-like factors: proofs, compact form, ranks, reference values."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics.accumulation import householder as measured
from posproof.theory.accumulation.householder import HOUSEHOLDER

CLAIMS = [HOUSEHOLDER]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


# ---------------------------------------------------------------------- reference values
def test_steps_to_one_percent_in_dimension_64():
    with mpmath.workdps(40):
        steps = mpmath.log(mpmath.mpf(1) / 100) / mpmath.log(mpmath.mpf(31) / 32)
        assert abs(steps - mpmath.mpf("145.050677050063775799584321288")) < mpmath.mpf(10) ** -26


def test_ranks_count_the_factors():
    """Integer vectors of the specification: rank k for k factors in dimension 6."""
    rows = np.random.default_rng(0).integers(-3, 4, (6, 6))
    W = [[Fraction(int(part)) for part in row] for row in rows]
    for k in range(1, 7):
        product = measured.exact_product([Fraction(1, 2)] * k, W[:k])
        assert (measured._identity(6) - product).rank() == k


def test_one_factor_has_the_singular_value_one_minus_beta():
    W = np.array([[0.6, 0.8, 0.0]])
    values = np.linalg.svd(measured.factors(np.array([0.7]), W)[0], compute_uv=False)
    assert np.abs(values - [1, 1, 0.3]).max() <= 16 * 2.0**-53


# ---------------------------------------------------------------------- kernels
@given(st.integers(1, 8), st.integers(1, 7), st.integers(0, 2**32))
def test_updates_are_the_product_of_the_factors(d, k, seed):
    source = np.random.default_rng(seed)
    W = source.standard_normal((k, d))
    W /= np.sqrt((W**2).sum(axis=1))[:, None]
    beta = source.uniform(0, 2, k)
    product = np.eye(d)
    for factor in measured.factors(beta, W):
        product = product @ factor
    error = np.abs(product - measured.householder_product(beta, W)).max()
    assert error <= measured.product_bound(beta, W)


@given(st.integers(1, 8), st.integers(1, 20), st.integers(0, 2**32))
def test_products_do_not_stretch(d, k, seed):
    source = np.random.default_rng(seed)
    W = source.standard_normal((k, d))
    W /= np.sqrt((W**2).sum(axis=1))[:, None]
    P = measured.householder_product(source.uniform(0, 2, k), W)
    # k updates of norm 1 and a singular value decomposition, 8 d^2 roundings each at most.
    assert np.linalg.norm(P, 2) <= 1 + 8 * d * d * (k + 8) * 2.0**-53


def test_rank_of_rotations_is_full():
    assert [measured.rank_of_rotation(m) for m in (1, 2, 3, 4)] == [2, 4, 6, 8]


def test_exact_and_float_products_agree():
    W = [measured.rational_unit([Fraction(1, 3), Fraction(k)]) for k in range(4)]
    beta = [Fraction(1, 2), Fraction(2), Fraction(1), Fraction(5, 4)]
    exact = measured.exact_product(beta, W)
    rows = np.array([[float(part) for part in w] for w in W])
    product = measured.householder_product(np.array([float(b) for b in beta]), rows)
    for i in range(3):
        for j in range(3):
            value = exact[i, j]
            assert abs(product[i, j] - int(value.p) / int(value.q)) <= 400 * 2.0**-53


def test_reflections_alternate_in_sign():
    source = np.random.default_rng(3)
    W = source.standard_normal((5, 4))
    W /= np.sqrt((W**2).sum(axis=1))[:, None]
    signs = [
        round(float(np.linalg.det(measured.householder_product(np.full(k, 2.0), W[:k]))))
        for k in range(1, 6)
    ]
    assert signs == [-1, 1, -1, 1, -1]


def test_a_constant_direction_only_decays():
    w = np.array([0.6, 0.8])
    P = measured.householder_product(np.full(6, 0.5), np.tile(w, (6, 1)))
    assert np.abs(P - (np.eye(2) - (1 - 0.5**6) * np.outer(w, w))).max() <= 64 * 2.0**-53
