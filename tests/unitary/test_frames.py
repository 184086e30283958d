"""Frames around tokens and the antisymmetric score: proofs and reference values."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics import unitary_matrices as matrices
from posproof.numerics.unitary import frames as measured
from posproof.theory.unitary.frames import ANTISYMMETRIC_SCORE, SENSITIVITY

CLAIMS = [SENSITIVITY, ANTISYMMETRIC_SCORE]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


def test_score_of_two_tokens_of_u3():
    def token(seed):
        source = np.random.default_rng(seed)
        q, r = np.linalg.qr(source.standard_normal((3, 3)) + 1j * source.standard_normal((3, 3)))
        return q * (np.diag(r) / np.abs(np.diag(r)))

    # A dozen roundings in QR and in the sum, none above 1.
    assert abs(float(measured.score(token(1), token(2))) - 0.10294368912792794) < 100 * 2.0**-53


@given(st.integers(1, 6), st.integers(0, 2**32))
def test_score_is_invariant_under_frames(n, seed):
    U, V, P, S = matrices.haar(n, 4, np.random.default_rng(seed))
    error = abs(float(measured.score(P @ U @ S, P @ V @ S) - measured.score(U, V)))
    assert (
        Fraction(error)
        <= 4 * matrices.word_bound(n, 6, matrices.defect(np.stack([U, V, P, S]))).value
    )
